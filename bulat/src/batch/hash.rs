//! Streebog and HMAC of many messages (RFC 6986, section 9; RFC 7836, section 4.1).

use alloc::vec::Vec;
use core::ops::Range;

use super::Calls;
use super::lanes::drain;
use crate::Secret;
use crate::kdf::{HmacStreebog256, HmacStreebog512};
use crate::kernel::{self, HashKernel, HashKeys, HashLane, HashState, Ready};

/// Messages side by side in one call: several times the kernel's widest form.
const WIDTH: usize = 64;

/// Fewer bytes per lane do not justify another call.
const QUANTUM: usize = 512;

/// Messages up to this many bytes profit from a known first key: it saves one of two chains of a compression, and they
/// have at most seventeen compressions.
const SHORT: usize = 1024;

/// One message.
pub(super) struct Message<'a> {
    job: usize,
    state: Secret<HashState>,
    message: &'a [u8],
    /// HMAC: the state after K ^ opad, until the outer hash begins; then the digest.
    outer: Option<Secret<HashState>>,
    inner: Secret<[u8; 64]>,
    out: &'a mut [u8],
    /// HMAC: the keys of the first compressions after both pads, and the name of their kernel.
    kept: Option<(&'static str, [&'a HashKeys; 2])>,
}

impl<'a> Message<'a> {
    fn new(job: usize, state: Secret<HashState>, message: &'a [u8], out: &'a mut [u8]) -> Self {
        let inner = Secret::new([0; 64]);
        Message { job, state, message, outer: None, inner, out, kept: None }
    }
    pub(super) fn new256(job: usize, message: &'a [u8], digest: &'a mut [u8; 32]) -> Self {
        Self::new(job, Secret::new(crate::Streebog256::IV), message, digest)
    }
    pub(super) fn new512(job: usize, message: &'a [u8], digest: &'a mut [u8; 64]) -> Self {
        Self::new(job, Secret::new(crate::Streebog512::IV), message, digest)
    }
    pub(super) fn hmac256(
        job: usize,
        key: &'a HmacStreebog256,
        message: &'a [u8],
        tag: &'a mut [u8; 32],
    ) -> Self {
        let [inner, outer] = key.states();
        Message {
            outer: Some(outer),
            kept: Some(key.next_keys()),
            ..Self::new(job, inner, message, tag)
        }
    }
    pub(super) fn hmac512(
        job: usize,
        key: &'a HmacStreebog512,
        message: &'a [u8],
        tag: &'a mut [u8; 64],
    ) -> Self {
        let [inner, outer] = key.states();
        Message {
            outer: Some(outer),
            kept: Some(key.next_keys()),
            ..Self::new(job, inner, message, tag)
        }
    }
    /// Returns the digest's length in bytes.
    fn len(&self) -> usize {
        self.out.len()
    }
    /// Returns the keys of the message's first compression, or of the outer hash's, if they are known.
    fn keys(&self, kernel: Ready<HashKernel>, outer: bool) -> Option<&'a HashKeys> {
        match self.kept {
            Some((name, keys)) => (name == kernel.name()).then_some(keys[usize::from(outer)]),
            None => Some(kernel.initial(self.len() == 32)),
        }
    }
    /// Makes a lane of these bytes of the message.
    fn lane<'s>(&'s mut self, kernel: Ready<HashKernel>, octets: Range<usize>) -> Known<'a, 's> {
        let keys = if octets.start == 0 { self.keys(kernel, false) } else { None };
        (keys, HashLane { state: &mut self.state, blocks: &self.message[octets] })
    }
    /// HMAC: makes a lane of the inner hash's digest.
    fn outer<'s>(&'s mut self, kernel: Ready<HashKernel>) -> Known<'a, 's> {
        let (keys, n) = (self.keys(kernel, true), self.len());
        (keys, HashLane { state: &mut self.state, blocks: &self.inner[64 - n..] })
    }
    /// Returns the length of the part that runs first, under known keys: the first block of a short message.
    fn begins(&self) -> usize {
        if (64..SHORT).contains(&self.message.len()) { 64 } else { 0 }
    }
    /// Returns the length of the message's whole blocks in bytes.
    fn whole(&self) -> usize {
        self.message.len() / 64 * 64
    }
}

/// A lane with the keys of its next compression, if they are known.
type Known<'k, 'l> = (Option<&'k HashKeys>, HashLane<'l>);

/// Calls `f` with the lanes: with all together if their keys are equal; otherwise with groups of eight that share their
/// keys, and with the rest as if the keys were not known.
fn alike<'k, 'l>(
    mut lanes: Vec<Known<'k, 'l>>,
    mut f: impl FnMut(Option<&'k HashKeys>, &mut [HashLane<'l>]),
) {
    let Some(&(first, _)) = lanes.first() else { return };
    let place = |keys: Option<&HashKeys>| keys.map(core::ptr::from_ref);
    let all = lanes.iter().all(|(keys, _)| place(*keys) == place(first));
    if !all {
        lanes.sort_by_key(|(keys, _)| place(*keys));
    }
    let mut rest = Vec::new();
    let mut lanes = lanes.into_iter().peekable();
    while let Some((keys, lane)) = lanes.next() {
        let mut some = Vec::from([lane]);
        while let Some((_, lane)) = lanes.next_if(|(next, _)| place(*next) == place(keys)) {
            some.push(lane);
        }
        let whole = match keys {
            _ if all => some.len(),
            Some(_) => some.len() / 8 * 8,
            None => 0,
        };
        if whole > 0 {
            f(keys, &mut some[..whole]);
        }
        rest.extend(some.into_iter().skip(whole));
    }
    if !rest.is_empty() {
        f(None, &mut rest);
    }
}

/// Runs all messages. Returns the numbers of their jobs.
pub(super) fn run(mut messages: Vec<Message<'_>>, calls: &mut Calls) -> Vec<usize> {
    if messages.is_empty() {
        return Vec::new();
    }
    let kernel = kernel::pick(bulat_core::streebog::KERNELS, kernel::Shape::Messages);
    let mut count = |lanes: usize| {
        calls.calls += 1;
        calls.lanes += lanes;
    };
    // First the first blocks of short messages, under mostly known keys; then the rest.
    let short = messages.iter_mut().filter(|m| m.begins() > 0);
    alike(short.map(|m| m.lane(kernel, 0..64)).collect(), |keys, lanes| {
        count(lanes.len());
        kernel.blocks_under(keys, lanes);
    });
    let longer = messages.iter_mut().filter(|m| m.whole() > m.begins());
    let lanes = longer.map(|m| m.lane(kernel, m.begins()..m.whole()).1).collect();
    drain(lanes, WIDTH, QUANTUM, |lanes| {
        count(lanes.len());
        kernel.blocks(lanes);
    });
    let ends = messages.iter_mut().map(|m| m.lane(kernel, m.whole()..m.message.len()));
    alike(ends.collect(), |keys, lanes| kernel.finish_under(keys, lanes));
    // HMAC: the outer hash, of K ^ opad and the inner digest.
    for m in &mut messages {
        if let Some(outer) = &mut m.outer {
            *m.inner = m.state.h;
            core::mem::swap(&mut m.state, outer);
        }
    }
    let of_512 = |m: &&mut Message<'_>| m.outer.is_some() && m.len() == 64;
    let of_256 = |m: &&mut Message<'_>| m.outer.is_some() && m.len() == 32;
    let lanes = messages.iter_mut().filter(of_512).map(|m| m.outer(kernel));
    alike(lanes.collect(), |keys, lanes| {
        count(lanes.len());
        kernel.blocks_under(keys, lanes);
    });
    let lanes = messages.iter_mut().filter(of_256).map(|m| m.outer(kernel));
    alike(lanes.collect(), |keys, lanes| kernel.finish_under(keys, lanes));
    let lanes = messages.iter_mut().filter(of_512);
    let lanes = lanes.map(|m| HashLane { state: &mut m.state, blocks: &[] });
    kernel.finish(&mut lanes.collect::<Vec<_>>());
    for m in &mut messages {
        let n = m.len();
        m.out.copy_from_slice(&m.state.h[64 - n..]);
    }
    messages.iter().map(|m| m.job).collect()
}
