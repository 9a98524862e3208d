//! Messages of requests that arrive together, in one call of the library.
//!
//! There is one leader at a time: a request that finds none leads. It works at once when no other request is under way;
//! else it lets the others go on for at most the window, and takes what they have brought. Who comes while a call runs is
//! in the next one.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bulat::algorithm::{self, Key, Work};
use tokio::sync::oneshot;
use zeroize::Zeroizing;

use crate::config::Batch;
use crate::http::errors::Failure;
use crate::metrics::Metrics;

/// What is to be done with a message.
#[derive(Clone, Copy, PartialEq)]
pub enum What {
    /// The data is nonce, plaintext and room for the tag.
    Seal,
    /// The data is nonce, ciphertext and tag.
    Open,
    /// The data is a message, `out` takes its MAC.
    Mac,
    /// The data is a message, `out` takes its hash.
    Hash,
}

/// A message.
pub struct Message {
    /// Its key.
    pub key: Arc<Key>,
    /// What is to be done.
    pub what: What,
    /// Associated data.
    pub aad: Vec<u8>,
    /// See [`What`]; wiped.
    pub data: Zeroizing<Vec<u8>>,
    /// A MAC or a hash.
    pub out: Vec<u8>,
    /// What became of it.
    pub result: Result<(), bulat::Error>,
}

impl Message {
    /// A message to be sealed or opened, as [`What`] says.
    pub fn aead(key: Arc<Key>, what: What, aad: Vec<u8>, data: Zeroizing<Vec<u8>>) -> Message {
        Message { key, what, aad, data, out: Vec::new(), result: Ok(()) }
    }
    /// A message whose MAC or hash of so many bytes is wanted.
    pub fn digest(key: Arc<Key>, what: What, data: Zeroizing<Vec<u8>>, len: usize) -> Message {
        Message { key, what, aad: Vec::new(), data, out: vec![0; len], result: Ok(()) }
    }

    fn job(&mut self) -> Result<algorithm::Message<'_>, bulat::Error> {
        let key = &*self.key;
        let tag = key.tag_len();
        let (iv, work) = match self.what {
            What::Mac => (&[][..], Work::Mac(&self.data, &mut self.out)),
            What::Hash => (&[][..], Work::Hash(&self.data, &mut self.out)),
            What::Seal | What::Open => {
                // Nonces and tags of MGM have as many bytes.
                let text = self.data.len().checked_sub(2 * tag).ok_or(bulat::Error::DataLength)?;
                let (nonce, rest) = self.data.split_at_mut(tag);
                let (text, tag) = rest.split_at_mut(text);
                let work = match self.what {
                    What::Seal => Work::Seal(&self.aad, text.into(), tag),
                    _ => Work::Open(&self.aad, text.into(), tag),
                };
                (&*nonce, work)
            }
        };
        Ok(algorithm::Message { key, iv, work })
    }
}

/// Does messages, each to its end.
fn run(messages: &mut [&mut Message]) {
    let (mut jobs, mut numbers) = (Vec::with_capacity(messages.len()), Vec::new());
    let mut results = vec![Ok(()); messages.len()];
    for (i, message) in messages.iter_mut().enumerate() {
        #[cfg(feature = "lab")]
        if crate::lab::did(message) {
            results[i] = message.result;
            continue;
        }
        match message.job() {
            Ok(job) => {
                jobs.push(job);
                numbers.push(i);
            }
            Err(e) => results[i] = Err(e),
        }
    }
    numbers.into_iter().zip(algorithm::run(jobs)).for_each(|(i, result)| results[i] = result);
    messages.iter_mut().zip(results).for_each(|(message, result)| message.result = result);
}

/// Messages of one request, and who waits for them.
struct Group(Vec<Message>, oneshot::Sender<Vec<Message>>);

#[derive(Default)]
struct Queue {
    groups: VecDeque<Group>,
    led: bool,
}

/// Collects messages.
pub struct Collector {
    config: Batch,
    metrics: Arc<Metrics>,
    queue: Mutex<Queue>,
}

/// Bytes of a request that is worth a thread of its own.
const LARGE: usize = 256 << 10;
/// Messages of a request that fill the lanes without others.
const WIDE: usize = 32;

impl Collector {
    /// By a configuration.
    pub fn new(config: Batch, metrics: Arc<Metrics>) -> Arc<Collector> {
        Arc::new(Collector { config, metrics, queue: Mutex::default() })
    }

    /// Does a request's messages, in their order.
    ///
    /// # Errors
    /// 500 when the service is being torn down.
    pub async fn run(
        self: &Arc<Self>,
        mut messages: Vec<Message>,
    ) -> Result<Vec<Message>, Failure> {
        if messages.is_empty() {
            return Ok(messages);
        }
        let gone = || Failure::internal("internal error");
        let bytes: usize = messages.iter().map(|message| message.data.len()).sum();
        if bytes > LARGE {
            self.metrics.width.add(messages.len() as u64);
            let work = move || {
                run(&mut messages.iter_mut().collect::<Vec<_>>());
                messages
            };
            return tokio::task::spawn_blocking(work).await.map_err(|_| gone());
        }
        if !self.config.collect || messages.len() >= WIDE {
            self.metrics.width.add(messages.len() as u64);
            run(&mut messages.iter_mut().collect::<Vec<_>>());
            return Ok(messages);
        }
        self.metrics.queue.fetch_add(messages.len() as i64, Relaxed);
        let (send, receive) = oneshot::channel();
        let leads = {
            let mut queue = self.lock();
            queue.groups.push_back(Group(messages, send));
            !std::mem::replace(&mut queue.led, true)
        };
        if leads {
            Leader(self.clone(), 0).batch().await;
        }
        receive.await.map_err(|_| gone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether more can be expected than there is.
    fn wants_more(&self) -> bool {
        let queue = self.lock();
        let waiting: usize = queue.groups.iter().map(|group| group.0.len()).sum();
        waiting < self.config.widest
            && self.metrics.working.load(Relaxed) > queue.groups.len() as i64
    }

    fn take(&self) -> Vec<Group> {
        let mut queue = self.lock();
        let (mut groups, mut messages) = (Vec::new(), 0);
        while let Some(group) = queue.groups.front() {
            messages += group.0.len();
            if !groups.is_empty() && messages > self.config.widest {
                break;
            }
            groups.extend(queue.groups.pop_front());
        }
        groups
    }
}

/// Whoever leads, and how often leading was handed on without a batch. When it is dropped, also in the middle, another leads
/// if there is more to do.
struct Leader(Arc<Collector>, u8);

impl Leader {
    async fn batch(mut self) {
        self.1 = 0;
        let (start, window) = (Instant::now(), Duration::from_micros(self.0.config.window_us));
        while self.0.wants_more() && start.elapsed() < window {
            tokio::task::yield_now().await;
        }
        let mut groups = self.0.take();
        let mut all: Vec<&mut Message> = groups.iter_mut().flat_map(|group| &mut group.0).collect();
        self.0.metrics.queue.fetch_sub(all.len() as i64, Relaxed);
        self.0.metrics.width.add(all.len() as u64);
        run(&mut all);
        for Group(messages, send) in groups {
            // Whoever has gone needs no answer.
            let _ = send.send(messages);
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.1 < 3);
        if runtime.is_none() {
            // The runtime ends: nobody waits any more.
            queue.groups.clear();
        }
        queue.led = !queue.groups.is_empty();
        let next = queue.led.then(|| Leader(self.0.clone(), self.1 + 1));
        drop(queue);
        if let (Some(next), Some(runtime)) = (next, runtime) {
            runtime.spawn(next.batch());
        }
    }
}
