//! Packing: streams of any lengths into calls of the `lanes` shape, which wants lanes of one length.
//!
//! The longest streams start first; a call runs as far as the shortest of those that are active has to
//! go, and a stream that has ended makes room for the next. So the lanes stay full until fewer streams
//! than lanes are left, and then the short ones are done already. A call costs something by itself (each
//! lane's key is fetched), so it runs at least a quantum; what is left of the streams, less than a quantum
//! each, runs in the end, when all the lengths are few: first whole tiles of it, then the rest.

use alloc::vec::Vec;
use core::mem::replace;

use crate::cipher::{Data, Lane};
use crate::kernel::HashLane;

/// What can be run for a while and then further.
pub(super) trait Stream: Sized {
    /// Bytes still to run.
    fn len(&self) -> usize;
    /// Calls `f` with the next `n` bytes of every stream as lanes of one length.
    fn run(streams: &mut [Self], n: usize, f: &mut impl FnMut(&mut [Self]));
}

/// Bytes that are worth a call of the last pass but one: what kernels take of a lane at a time.
const TILE: usize = 64;

/// Runs all streams to their ends, at most `width` at a time, through `f`; `quantum` bytes, a power of two,
/// are worth a call.
pub(super) fn drain<S: Stream>(
    mut streams: Vec<S>,
    width: usize,
    quantum: usize,
    mut f: impl FnMut(&mut [S]),
) {
    // What has one length needs no packing.
    let len = streams.first().map_or(0, Stream::len);
    if streams.iter().all(|s| s.len() == len) {
        let width = share(streams.len(), width);
        if len > 0 {
            streams.chunks_mut(width).for_each(f);
        }
        return;
    }
    // Wider, and the longest would run alone in the end.
    let longest = streams.iter().map(Stream::len).max().unwrap_or(1);
    let all = streams.iter().map(Stream::len).sum::<usize>();
    let width = width.min((all / longest).next_multiple_of(NARROW));
    for quantum in [quantum, TILE, 1] {
        streams = pass(streams, width, quantum, &mut f);
    }
}

/// Runs the streams as far as they have whole quanta; the streams with what is left of them.
fn pass<S: Stream>(
    streams: Vec<S>,
    width: usize,
    quantum: usize,
    f: &mut impl FnMut(&mut [S]),
) -> Vec<S> {
    let whole = |s: &S| s.len() & !(quantum - 1);
    let (mut streams, mut done): (Vec<S>, Vec<S>) = streams.into_iter().partition(|s| whole(s) > 0);
    let width = share(streams.len(), width);
    streams.sort_by_key(Stream::len);
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
        // What has one length runs to its end at once.
        let n = if least == most { least } else { least & !(quantum - 1) };
        S::run(&mut active, n, f);
        let mut i = 0;
        while i < active.len() {
            if whole(&active[i]) == 0 { done.push(active.swap_remove(i)) } else { i += 1 }
        }
    }
    done
}

/// Equal shares rather than one full call and a poor rest.
fn share(streams: usize, width: usize) -> usize {
    let shares = streams.div_ceil(width).max(1);
    streams.div_ceil(shares).next_multiple_of(STEP).min(width)
}

/// Lanes that a vector has at least, so that shares are whole vectors.
const STEP: usize = 16;

/// Lanes that no call needs to be narrower than.
const NARROW: usize = 64;

/// The first `n` bytes and the rest.
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
    fn run(streams: &mut [Self], n: usize, f: &mut impl FnMut(&mut [Self])) {
        // The rests wait outside, so that what is handed over has one length.
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
    fn run(streams: &mut [Self], n: usize, f: &mut impl FnMut(&mut [Self])) {
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
