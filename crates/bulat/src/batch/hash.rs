//! Streebog and HMAC of many messages (RFC 6986, section 9; RFC 7836, section 4.1).
//!
//! Messages run in groups, the longest first, so that the states of a group stay in the first-level cache from its first
//! block to its digests: 10,000 states are megabytes, which every step would fetch again.

use alloc::vec::Vec;

use super::Calls;
use super::lanes::drain;
use super::order::order;
use crate::kdf::{HmacStreebog256, HmacStreebog512};
use crate::kernel::{self, HashKernel, HashKeys, HashLane, HashState, Ready};
use crate::memory::Wiped;
use crate::{Secret, Streebog256, Streebog512};

/// Messages side by side in one call: several times the kernel's widest form.
const WIDTH: usize = 64;

/// The most messages of a group: their states need half of a first-level cache.
const MOST: usize = 128;

/// Fewer bytes per lane do not justify a further call.
const QUANTUM: usize = 512;

/// Messages up to this many bytes profit from a known first key: of the two chains of a compression it saves the first,
/// and they have at most seventeen compressions.
const SHORT: usize = 1024;

/// A message, without its state: lists of messages are long.
pub(super) struct Message<'a> {
    pub(super) message: &'a [u8],
    /// The buffer for the digest, which has 32 or 64 bytes.
    pub(super) out: &'a mut [u8],
    /// HMAC: the key.
    pub(super) hmac: Option<Hmac<'a>>,
}

#[derive(Clone, Copy)]
pub(super) enum Hmac<'a> {
    Of256(&'a HmacStreebog256),
    Of512(&'a HmacStreebog512),
}

impl<'a> Hmac<'a> {
    /// Returns the state after K ^ ipad or K ^ opad.
    fn state(self, outer: bool) -> Secret<HashState> {
        match self {
            Hmac::Of256(key) => key.state(outer),
            Hmac::Of512(key) => key.state(outer),
        }
    }
    /// Returns the keys of the compression after K ^ ipad or K ^ opad, and the name of their kernel.
    fn next_keys(self, outer: bool) -> (&'static str, &'a HashKeys) {
        match self {
            Hmac::Of256(key) => key.next_keys(outer),
            Hmac::Of512(key) => key.next_keys(outer),
        }
    }
}

impl<'a> Message<'a> {
    /// Returns the digest's length in bytes.
    fn len(&self) -> usize {
        self.out.len()
    }
    /// Returns the state before the first byte.
    fn begin(&self) -> Secret<HashState> {
        match self.hmac {
            Some(key) => key.state(false),
            None if self.len() == 32 => Secret::new(Streebog256::IV),
            None => Secret::new(Streebog512::IV),
        }
    }
    /// Returns the keys of the first compression, or of the outer hash's, if they are known.
    fn keys(&self, kernel: Ready<HashKernel>, outer: bool) -> Option<&'a HashKeys> {
        match self.hmac {
            Some(key) => {
                let (name, keys) = key.next_keys(outer);
                (name == kernel.name()).then_some(keys)
            }
            None => Some(kernel.initial(self.len() == 32)),
        }
    }
    /// Returns the length of the part that runs first, under known keys: the first block of a short message.
    fn begins(&self) -> usize {
        if (64..SHORT).contains(&self.message.len()) { 64 } else { 0 }
    }
    /// Returns the length of the message's whole blocks in bytes.
    fn whole(&self) -> usize {
        self.message.len() / 64 * 64
    }
    /// The address of the key, which orders messages of equal length.
    fn key(&self) -> usize {
        match self.hmac {
            Some(Hmac::Of256(key)) => core::ptr::from_ref(key).addr(),
            Some(Hmac::Of512(key)) => core::ptr::from_ref(key).addr(),
            None => self.len(),
        }
    }
}

/// The next bytes of a message, with the keys of its next compression, if they are known.
type Part<'k, 'm> = (Option<&'k HashKeys>, &'m [u8]);

/// Calls `f` with lanes for the states that have a part: with all together if their keys are equal; otherwise with groups of eight
/// that share their keys, and with the rest as if the keys were not known.
fn alike<'k, 'm>(
    states: &'m mut [Secret<HashState>],
    parts: Vec<Option<Part<'k, 'm>>>,
    f: &mut dyn FnMut(Option<&'k HashKeys>, &mut [HashLane<'m>]),
) {
    let place = |keys: Option<&HashKeys>| keys.map(core::ptr::from_ref);
    let Some(&(first, _)) = parts.iter().flatten().next() else { return };
    if parts.iter().flatten().all(|(keys, _)| place(*keys) == place(first)) {
        let mut all = Vec::with_capacity(parts.len());
        let lanes = states.iter_mut().zip(parts);
        let lane = |(state, part): (&'m mut Secret<HashState>, Option<Part<'_, 'm>>)| {
            part.map(|(_, blocks)| HashLane { state, blocks })
        };
        all.extend(lanes.filter_map(lane));
        return f(first, &mut all);
    }
    let lanes = states.iter_mut().zip(parts);
    let lanes = lanes
        .filter_map(|(state, part)| part.map(|(keys, blocks)| (keys, HashLane { state, blocks })));
    let mut lanes: Vec<_> = lanes.collect();
    order(&mut lanes, |(keys, _)| [place(*keys).map_or(0, <*const _>::addr), 0]);
    let mut rest = Vec::new();
    let mut lanes = lanes.into_iter().peekable();
    while let Some((keys, lane)) = lanes.next() {
        let mut some = Vec::from([lane]);
        while let Some((_, lane)) = lanes.next_if(|(next, _)| place(*next) == place(keys)) {
            some.push(lane);
        }
        let whole = if keys.is_some() { some.len() / 8 * 8 } else { 0 };
        if whole > 0 {
            f(keys, &mut some[..whole]);
        }
        rest.extend(some.into_iter().skip(whole));
    }
    if !rest.is_empty() {
        f(None, &mut rest);
    }
}

pub(super) fn run(mut messages: Vec<Message<'_>>, calls: &mut Calls) {
    if messages.is_empty() {
        return;
    }
    let kernel = kernel::pick(bulat_core::streebog::KERNELS, kernel::Shape::Messages);
    // The longest first.
    order(&mut messages, |m| [usize::MAX - m.whole(), m.key()]);
    let mut states = Vec::new();
    let mut rest = &mut messages[..];
    while let Some(first) = rest.first() {
        // Enough to keep the lanes full until the longest message ends.
        let (longest, mut count, mut bytes) = (first.whole(), 0, 0);
        while count < rest.len() && (count < WIDTH || count < MOST && bytes < WIDTH * longest) {
            bytes += rest[count].whole();
            count += 1;
        }
        let (some, others) = rest.split_at_mut(count);
        group(kernel, some, &mut states, calls);
        rest = others;
    }
}

/// Runs a group, the longest message first. `states` is room for its states.
fn group<'a>(
    kernel: Ready<HashKernel>,
    messages: &mut [Message<'a>],
    states: &mut Vec<Secret<HashState>>,
    calls: &mut Calls,
) {
    states.clear();
    // Exactly, and without the old ones: reallocation would leave secrets behind.
    states.reserve_exact(messages.len());
    states.extend(messages.iter().map(Message::begin));
    let mut count = |lanes: usize| {
        calls.calls += 1;
        calls.lanes += lanes;
    };
    let (longest, shortest) = (messages[0].whole(), messages[messages.len() - 1].whole());
    if longest == shortest {
        if longest > 0 {
            let part = |m: &Message<'a>| Some((m.keys(kernel, false), &m.message[..m.whole()]));
            let parts = messages.iter().map(part).collect();
            alike(states, parts, &mut |keys, lanes| {
                count(lanes.len());
                kernel.blocks_under(keys, lanes);
            });
        }
    } else {
        // The first blocks of short messages, under mostly known keys; then the rest.
        let part =
            |m: &Message<'a>| (m.begins() > 0).then(|| (m.keys(kernel, false), &m.message[..64]));
        let parts = messages.iter().map(part).collect();
        alike(states, parts, &mut |keys, lanes| {
            count(lanes.len());
            kernel.blocks_under(keys, lanes);
        });
        let longer = states.iter_mut().zip(&*messages).filter(|(_, m)| m.whole() > m.begins());
        let lanes = longer.map(|(state, m)| HashLane {
            state: &mut *state,
            blocks: &m.message[m.begins()..m.whole()],
        });
        drain(lanes.collect(), WIDTH, QUANTUM, &mut |lanes| {
            count(lanes.len());
            kernel.blocks(lanes);
        });
    }
    let part = |m: &Message<'a>| {
        let keys = if m.whole() == 0 { m.keys(kernel, false) } else { None };
        Some((keys, &m.message[m.whole()..]))
    };
    let parts = messages.iter().map(part).collect();
    alike(states, parts, &mut |keys, lanes| kernel.finish_under(keys, lanes));
    if messages.iter().any(|m| m.hmac.is_some()) {
        outer(kernel, messages, states, &mut count);
    }
    for (m, state) in messages.iter_mut().zip(states) {
        let n = m.len();
        m.out.copy_from_slice(&state.h[64 - n..]);
    }
}

/// HMAC: the outer hash, of K ^ opad and the inner digest.
fn outer(
    kernel: Ready<HashKernel>,
    messages: &[Message<'_>],
    states: &mut [Secret<HashState>],
    mut count: impl FnMut(usize),
) {
    let mut inner = Wiped(Vec::with_capacity(64 * messages.len()));
    for (m, state) in messages.iter().zip(states.iter_mut()) {
        inner.0.extend(state.h);
        if let Some(key) = m.hmac {
            *state = key.state(true);
        }
    }
    let inner = inner.0.as_chunks::<64>().0;
    let parts = messages.iter().zip(inner).map(|(m, inner)| match m.hmac {
        Some(Hmac::Of512(_)) => Some((m.keys(kernel, true), &inner[..])),
        _ => None,
    });
    alike(states, parts.collect(), &mut |keys, lanes| {
        count(lanes.len());
        kernel.blocks_under(keys, lanes);
    });
    let parts = messages.iter().zip(inner).map(|(m, inner)| match m.hmac {
        Some(Hmac::Of256(_)) => Some((m.keys(kernel, true), &inner[32..])),
        Some(Hmac::Of512(_)) => Some((None, &[][..])),
        None => None,
    });
    alike(states, parts.collect(), &mut |keys, lanes| kernel.finish_under(keys, lanes));
}
