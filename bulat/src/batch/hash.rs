//! Streebog and HMAC of many messages (RFC 6986, section 8; RFC 7836, section 4.1).

use alloc::vec::Vec;

use super::Calls;
use super::lanes::drain;
use crate::kdf::{Hmac256, Hmac512};
use crate::kernel::{self, HashLane, HashState};
use crate::{Secret, streebog};

/// Messages side by side in one call, the kernel's widest form several times.
const WIDTH: usize = 64;

/// Octets that are worth a call.
const QUANTUM: usize = 512;

/// One message.
pub(super) struct Message<'a> {
    job: usize,
    state: Secret<HashState>,
    message: &'a [u8],
    /// For HMAC: the state after K ^ opad, until it is its turn; then the digest that it takes.
    outer: Option<Secret<HashState>>,
    inner: Secret<[u8; 64]>,
    out: &'a mut [u8],
}

impl<'a> Message<'a> {
    fn new(job: usize, state: Secret<HashState>, message: &'a [u8], out: &'a mut [u8]) -> Self {
        let inner = Secret::new([0; 64]);
        Message { job, state, message, outer: None, inner, out }
    }
    pub(super) fn new256(job: usize, message: &'a [u8], digest: &'a mut [u8; 32]) -> Self {
        Self::new(job, Secret::new(crate::Streebog256::IV), message, digest)
    }
    pub(super) fn new512(job: usize, message: &'a [u8], digest: &'a mut [u8; 64]) -> Self {
        Self::new(job, Secret::new(crate::Streebog512::IV), message, digest)
    }
    pub(super) fn hmac256(
        job: usize,
        key: &Hmac256,
        message: &'a [u8],
        tag: &'a mut [u8; 32],
    ) -> Self {
        let [inner, outer] = key.states();
        Message { outer: Some(outer), ..Self::new(job, inner, message, tag) }
    }
    pub(super) fn hmac512(
        job: usize,
        key: &Hmac512,
        message: &'a [u8],
        tag: &'a mut [u8; 64],
    ) -> Self {
        let [inner, outer] = key.states();
        Message { outer: Some(outer), ..Self::new(job, inner, message, tag) }
    }
    /// Octets of the digest.
    fn len(&self) -> usize {
        self.out.len()
    }
}

/// Runs all messages; the numbers of their jobs.
pub(super) fn run(mut messages: Vec<Message<'_>>, calls: &mut Calls) -> Vec<usize> {
    if messages.is_empty() {
        return Vec::new();
    }
    let kernel = kernel::pick(streebog::KERNELS, kernel::Shape::Messages);
    let mut whole = |lanes: Vec<HashLane<'_>>| {
        drain(lanes, WIDTH, QUANTUM, |lanes| {
            calls.calls += 1;
            calls.lanes += lanes.len();
            kernel.blocks(lanes);
        });
    };
    let blocks = |m: &[u8]| m.len() / 64 * 64;
    let lanes = messages.iter_mut();
    whole(
        lanes
            .map(|m| HashLane { state: &mut m.state, blocks: &m.message[..blocks(m.message)] })
            .collect(),
    );
    let lanes = messages.iter_mut();
    let mut lanes: Vec<_> = lanes
        .map(|m| HashLane { state: &mut m.state, blocks: &m.message[blocks(m.message)..] })
        .collect();
    kernel.finish(&mut lanes);
    // HMAC: the outer hash, of K ^ opad and what the inner one gave.
    for m in &mut messages {
        if let Some(outer) = &mut m.outer {
            *m.inner = m.state.h;
            core::mem::swap(&mut m.state, outer);
        }
    }
    let of_hmac = messages.iter_mut().filter(|m| m.outer.is_some());
    let (mut lanes, mut ends) = (Vec::new(), Vec::new());
    for m in of_hmac {
        let n = m.len();
        let (inner, state) = (&m.inner[64 - n..], &mut m.state);
        if n == 64 {
            lanes.push(HashLane { state, blocks: inner });
        } else {
            ends.push(HashLane { state, blocks: inner });
        }
    }
    whole(lanes);
    kernel.finish(&mut ends);
    let mut ends: Vec<_> = messages
        .iter_mut()
        .filter(|m| m.outer.is_some() && m.len() == 64)
        .map(|m| HashLane { state: &mut m.state, blocks: &[] })
        .collect();
    kernel.finish(&mut ends);
    for m in &mut messages {
        let n = m.len();
        m.out.copy_from_slice(&m.state.h[64 - n..]);
    }
    messages.iter().map(|m| m.job).collect()
}
