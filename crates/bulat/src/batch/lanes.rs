//! Packs streams of any lengths into calls of the `lanes` shape, which needs lanes of equal length.
//!
//! The longest streams start first. A call runs until the shortest active stream ends, and the next stream takes the
//! place of a stream that has ended. So the lanes stay full until fewer streams than lanes remain, and by then the
//! short streams are done. Each call has a fixed cost (it fetches each lane's key), so it runs at least a quantum. The
//! rests of the streams, less than a quantum each, run at the end, when all lengths are short: first their whole tiles,
//! then the remainders.

use alloc::vec::Vec;
use core::mem::replace;

use super::order::order;
use crate::cipher::{Data, Lane};
use crate::kernel::HashLane;

/// Data that can be processed piece by piece.
pub(super) trait Stream: Sized {
    /// Returns the bytes still to process.
    fn len(&self) -> usize;
    /// Calls `f` with the next `n` bytes of every stream, as lanes of equal length.
    fn run(streams: &mut [Self], n: usize, f: &mut dyn FnMut(&mut [Self]));
}

/// The bytes that make a call worthwhile in the pass before the last: kernels read a lane in units of this size.
const TILE: usize = 64;

/// Runs all streams to their ends through `f`, at most `width` at a time. `quantum` bytes, a power of two, make a call
/// worthwhile.
pub(super) fn drain<S: Stream>(
    mut streams: Vec<S>,
    width: usize,
    quantum: usize,
    f: &mut dyn FnMut(&mut [S]),
) {
    // Equal lengths need no packing.
    let len = streams.first().map_or(0, Stream::len);
    if streams.iter().all(|s| s.len() == len) {
        let width = share(streams.len(), width);
        if len > 0 {
            streams.chunks_mut(width).for_each(f);
        }
        return;
    }
    // With more lanes, the longest streams would run in nearly empty calls at the end.
    let longest = streams.iter().map(Stream::len).max().unwrap_or(1);
    let all = streams.iter().map(Stream::len).sum::<usize>();
    let width = width.min((all / longest).next_multiple_of(NARROW));
    // Few streams need at most a call for each.
    let quanta = if streams.len() < FEW { &[1][..] } else { &[quantum, TILE, 1] };
    for quantum in quanta {
        streams = pass(streams, width, *quantum, f);
    }
}

/// Runs the streams' whole quanta. Returns the streams that have bytes left.
fn pass<S: Stream>(
    streams: Vec<S>,
    width: usize,
    quantum: usize,
    f: &mut dyn FnMut(&mut [S]),
) -> Vec<S> {
    let whole = |s: &S| s.len() & !(quantum - 1);
    let (mut streams, mut done): (Vec<S>, Vec<S>) = streams.into_iter().partition(|s| whole(s) > 0);
    let width = share(streams.len(), width);
    order(&mut streams, |s| [s.len(), 0]);
    let mut active: Vec<S> = Vec::new();
    loop {
        while active.len() < width
            && let Some(next) = streams.pop()
        {
            active.push(next);
        }
        let (Some(least), Some(most)) =
            (active.iter().map(Stream::len).min(), active.iter().map(Stream::len).max())
        else {
            break;
        };
        // Streams of equal length run to their end at once.
        let n = if least == most { least } else { least & !(quantum - 1) };
        S::run(&mut active, n, f);
        let mut i = 0;
        while i < active.len() {
            if whole(&active[i]) == 0 { done.push(active.swap_remove(i)) } else { i += 1 }
        }
    }
    done
}

/// Returns equal shares of the streams, rather than full calls and a nearly empty last call.
pub(super) fn share(streams: usize, width: usize) -> usize {
    let shares = streams.div_ceil(width).max(1);
    streams.div_ceil(shares).next_multiple_of(STEP).min(width)
}

/// Shares are multiples of the fewest lanes of a vector, so that vectors are full.
const STEP: usize = 16;

/// Fewer streams run whole, the longest to its end, without passes for their rests.
const FEW: usize = 8;

/// Calls never need to be narrower than this.
const NARROW: usize = 64;

/// Splits off the first `n` bytes.
pub(super) fn split<'a>(data: Data<'a>, n: usize) -> (Data<'a>, Data<'a>) {
    match data {
        Data::Read(d) => {
            let (a, b) = d.split_at(n);
            (Data::Read(a), Data::Read(b))
        }
        Data::Through(d) => {
            let (a, b) = d.split_at(n);
            (Data::Through(a), Data::Through(b))
        }
    }
}

impl<S, const B: usize> Stream for Lane<'_, S, B> {
    fn len(&self) -> usize {
        self.data.len()
    }
    fn run(streams: &mut [Self], n: usize, f: &mut dyn FnMut(&mut [Self])) {
        // The rests are set aside, so that the lanes of `f` have equal lengths.
        let mut rests = Vec::with_capacity(streams.len());
        for s in streams.iter_mut() {
            let (piece, rest) = split(replace(&mut s.data, Data::Read(&[])), n);
            s.data = piece;
            rests.push(rest);
        }
        f(streams);
        for (s, rest) in streams.iter_mut().zip(rests) {
            s.data = rest;
        }
    }
}

impl Stream for HashLane<'_> {
    fn len(&self) -> usize {
        self.blocks.len()
    }
    fn run(streams: &mut [Self], n: usize, f: &mut dyn FnMut(&mut [Self])) {
        let mut rests = Vec::with_capacity(streams.len());
        for s in streams.iter_mut() {
            let (piece, rest) = s.blocks.split_at(n);
            s.blocks = piece;
            rests.push(rest);
        }
        f(streams);
        for (s, rest) in streams.iter_mut().zip(rests) {
            s.blocks = rest;
        }
    }
}
