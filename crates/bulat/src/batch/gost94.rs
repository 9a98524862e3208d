//! GOST R 34.11-94 of many messages: the encryptions of a compression of each are one call.

use alloc::vec::Vec;
use core::cmp::Ordering;

use bulat_core::cipher::Chained;

use super::Calls;
use super::lanes::share;
use crate::cipher::Chain;
use crate::gost94::{State, Step, Word, bits, word};
use crate::magma::Sboxes;
use crate::{Gost28147, Secret};

pub(super) struct Message<'a> {
    pub sboxes: &'a Sboxes,
    pub message: &'a [u8],
    pub digest: &'a mut [u8; 32],
}

/// A message under work.
struct Slot<'a> {
    step: Step,
    state: Secret<State>,
    m: Secret<Word>,
    /// The message's length, and the part that is left.
    bytes: usize,
    rest: &'a [u8],
    /// Compressions after the message's blocks: L and Σ.
    ends: usize,
    digest: &'a mut [u8; 32],
}

impl<'a> Slot<'a> {
    fn new(cipher: &Gost28147, message: &'a mut Message<'_>) -> Self {
        Slot {
            step: Step::new(cipher),
            state: Secret::default(),
            m: Secret::default(),
            bytes: message.message.len(),
            rest: message.message,
            ends: 2,
            digest: message.digest,
        }
    }
    fn set(&mut self, message: &'a mut Message<'_>) {
        *self.state = State::default();
        (self.bytes, self.rest, self.ends) = (message.message.len(), message.message, 2);
        self.digest = message.digest;
    }
    /// Begins the next compression.
    fn begin(&mut self, cipher: &Gost28147) {
        if let Some((block, rest)) = self.rest.split_first_chunk() {
            *self.m = word(block);
            self.state.sum(&self.m);
            self.rest = rest;
        } else if !self.rest.is_empty() {
            let mut block = Secret::new([0; 32]);
            block[..self.rest.len()].copy_from_slice(self.rest);
            *self.m = word(&block);
            self.state.sum(&self.m);
            self.rest = &[];
        } else {
            self.ends -= 1;
            *self.m = if self.ends > 0 { bits(self.bytes as u64) } else { self.state.sigma };
        }
        self.step.begin(cipher, &self.m, &self.state);
    }
    /// Ends it; returns whether it was the last.
    fn end(&mut self) -> bool {
        self.step.end(&self.m, &mut self.state);
        if self.ends == 0 {
            *self.digest = self.state.digest();
        }
        self.ends == 0
    }
}

/// By S-boxes, then the longest first. Inlined, it would be in the sort's code some thirty times.
#[inline(never)]
fn order(a: &Message<'_>, b: &Message<'_>) -> Ordering {
    let longer = b.message.len().cmp(&a.message.len());
    a.sboxes.rows().cmp(b.sboxes.rows()).then(longer)
}

pub(super) fn run(mut messages: Vec<Message<'_>>, calls: &mut Calls) {
    messages.sort_unstable_by(|a, b| order(a, b));
    // A call has a single set of S-boxes.
    for alike in messages.chunk_by_mut(|a, b| a.sboxes.rows() == b.sboxes.rows()) {
        let cipher = Gost28147::new(&[0; 32], alike[0].sboxes.clone());
        // Four lanes each.
        let width = share(4 * alike.len(), cipher.width()) / 4;
        // The longest begin, so that the lanes stay full.
        let mut waiting = alike.iter_mut();
        let mut slots = Vec::with_capacity(width);
        slots.extend(waiting.by_ref().take(width).map(|m| Slot::new(&cipher, m)));
        while !slots.is_empty() {
            slots.iter_mut().for_each(|slot| slot.begin(&cipher));
            let mut lanes = Vec::with_capacity(4 * slots.len());
            slots.iter_mut().for_each(|slot| lanes.extend(slot.step.lanes()));
            calls.calls += 1;
            calls.lanes += lanes.len();
            cipher.lanes(Chain::Mac, &mut lanes);
            drop(lanes);
            let mut i = 0;
            while i < slots.len() {
                match slots[i].end().then(|| waiting.next()) {
                    None => i += 1,
                    Some(Some(next)) => {
                        slots[i].set(next);
                        i += 1;
                    }
                    // Dropped in its place, which wipes it.
                    Some(None) => {
                        let last = slots.len() - 1;
                        slots.swap(i, last);
                        slots.truncate(last);
                    }
                }
            }
        }
    }
}
