//! Collects the messages of requests that arrive together into one call of the library.
//!
//! One request at a time leads: the first that finds no leader. It works at once when no other request is under way.
//! Otherwise it waits for others, at most the window, and works on their messages, too. Messages that arrive while a call
//! runs are in the next one. A request that fills the lanes without others never waits.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bulat::algorithm::{self, Key, Work};
use tokio::sync::oneshot;

use crate::cleared::Cleared;
use crate::config::Batch;
use crate::failure::{Failure, Result};
use crate::locks::lock;
use crate::metrics::Metrics;

/// The work on a message.
#[derive(Clone, Copy, PartialEq)]
pub enum What {
    /// The data is nonce, plaintext and room for the tag.
    Seal,
    /// The data is nonce, ciphertext and tag.
    Open,
    /// The data is a message, and `out` gets its MAC.
    Mac,
    /// The data is a message, and `out` gets its hash.
    Hash,
}

pub struct Message {
    pub key: Arc<Key>,
    pub what: What,
    /// Associated data.
    pub aad: Vec<u8>,
    /// The data, as [`What`] describes it; wiped.
    pub data: Cleared,
    /// The MAC or the hash.
    pub out: Vec<u8>,
    pub result: Result<(), bulat::Error>,
}

impl Message {
    pub fn aead(key: Arc<Key>, what: What, aad: Vec<u8>, data: Cleared) -> Message {
        Message { key, what, aad, data, out: Vec::new(), result: Ok(()) }
    }
    /// Makes a message for a MAC or hash of `len` bytes.
    pub fn digest(key: Arc<Key>, what: What, data: Cleared, len: usize) -> Message {
        Message { key, what, aad: Vec::new(), data, out: vec![0; len], result: Ok(()) }
    }

    fn job(&mut self) -> Result<algorithm::Message<'_>, bulat::Error> {
        let key = &*self.key;
        let tag = key.tag_len();
        let (iv, work) = match self.what {
            What::Mac => (&[][..], Work::Mac(&self.data, &mut self.out)),
            What::Hash => (&[][..], Work::Hash(&self.data, &mut self.out)),
            What::Seal | What::Open => {
                // MGM's nonces are as long as its tags.
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

/// Processes messages with the library, in one call.
pub fn library(messages: &mut [&mut Message]) {
    let (mut jobs, mut numbers) = (Vec::with_capacity(messages.len()), Vec::new());
    let mut results = vec![Ok(()); messages.len()];
    for (i, message) in messages.iter_mut().enumerate() {
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

/// The messages of one request, and the way back to it.
struct Group(Vec<Message>, oneshot::Sender<Vec<Message>>);

#[derive(Default)]
struct Queue {
    groups: VecDeque<Group>,
    led: bool,
}

/// Processes messages: [`library`], or another engine in its place.
pub type Engine = fn(&mut [&mut Message]);

pub struct Collector {
    config: Batch,
    engine: Engine,
    metrics: Arc<Metrics>,
    queue: Mutex<Queue>,
}

/// Bytes of a request that gets its own thread.
const LARGE: usize = 256 << 10;
/// Messages of a request that fill the lanes without others.
const WIDE: usize = 32;
/// Bytes to encrypt or decrypt that fill the lanes: their blocks do not depend on each other, as those of a hash do.
const FULL: usize = 1 << 10;

impl Collector {
    pub fn new(config: Batch, metrics: Arc<Metrics>) -> Arc<Collector> {
        Collector::by(config, metrics, library)
    }

    pub fn by(config: Batch, metrics: Arc<Metrics>, engine: Engine) -> Arc<Collector> {
        Arc::new(Collector { config, engine, metrics, queue: Mutex::default() })
    }

    /// Processes a request's messages, and returns them in their order. Errors: 500 when the service ends.
    pub async fn run(self: &Arc<Self>, mut messages: Vec<Message>) -> Result<Vec<Message>> {
        if messages.is_empty() {
            return Ok(messages);
        }
        let gone = || Failure::internal("internal error");
        let bytes: usize = messages.iter().map(|message| message.data.len()).sum();
        if bytes > LARGE {
            self.metrics.width.add(messages.len() as u64);
            let engine = self.engine;
            let done = tokio::task::spawn_blocking(move || {
                engine(&mut messages.iter_mut().collect::<Vec<_>>());
                messages
            });
            return done.await.map_err(|_| gone());
        }
        let ciphers = || messages.iter().all(|m| matches!(m.what, What::Seal | What::Open));
        let full = messages.len() >= WIDE || bytes >= FULL && ciphers();
        if full || !self.config.collect {
            self.metrics.width.add(messages.len() as u64);
            (self.engine)(&mut messages.iter_mut().collect::<Vec<_>>());
            return Ok(messages);
        }
        self.metrics.queue.fetch_add(messages.len() as i64, Relaxed);
        let (send, receive) = oneshot::channel();
        let leads = {
            let mut queue = lock(&self.queue);
            queue.groups.push_back(Group(messages, send));
            !std::mem::replace(&mut queue.led, true)
        };
        if leads {
            Leader(self.clone(), 0).batch().await;
        }
        receive.await.map_err(|_| gone())
    }

    /// Returns whether requests under way may bring more messages.
    fn wants_more(&self) -> bool {
        let queue = lock(&self.queue);
        let waiting: usize = queue.groups.iter().map(|group| group.0.len()).sum();
        waiting < self.config.widest
            && self.metrics.working.load(Relaxed) > queue.groups.len() as i64
    }

    fn take(&self) -> Vec<Group> {
        let mut queue = lock(&self.queue);
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

/// The leader, and the number of times that the lead passed on without a batch. When it is dropped, even in the middle, and
/// messages wait, the lead passes on.
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
        (self.0.engine)(&mut all);
        for Group(messages, send) in groups {
            // A request that was given up needs no answer.
            let _ = send.send(messages);
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let mut queue = lock(&self.0.queue);
        let runtime = tokio::runtime::Handle::try_current().ok().filter(|_| self.1 < 3);
        if runtime.is_none() {
            // The runtime ends: no caller waits any more.
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
