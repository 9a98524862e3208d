//! Where the data of chained streams lies, and its way to the vectors and back: eight blocks of every lane at a
//! time, a row of each, become a tile with one block of every lane after the other.
#![allow(unsafe_code)]

use core::hint::black_box;
use core::marker::PhantomData;

use super::chain::Lane;
use super::words::Words;
use crate::cipher::Data;
use crate::simd::prefetch;

/// The most lanes of a group.
pub(super) const LANES: usize = 16;
/// Bytes of a lane in a tile.
pub(super) const TILE: usize = 64;

/// The rows of a group.
pub(super) type Tile = [[u8; TILE]; LANES];

/// The data of lanes in `G` groups, all of one length, borrowed for `'a`.
///
/// Addresses, because what a lane has of them takes as long to ask for, a row at a time, as the transposition.
pub(super) struct LaneRows<'a, const G: usize> {
    from: [[*const u8; LANES]; G],
    to: [[*mut u8; LANES]; G],
    /// Whether all are written to.
    through: bool,
    /// Lanes that a group has.
    lanes: [usize; G],
    /// Bytes of each.
    len: usize,
    lent: PhantomData<&'a mut [u8]>,
}

impl<'a, const G: usize> LaneRows<'a, G> {
    /// Of these lanes, of which a group takes `n`.
    #[inline(always)]
    pub(super) fn of(all: &'a mut [Lane<'_>], n: usize) -> Self {
        let len = all.first().map_or(0, |lane| lane.data.len());
        let mut rows = LaneRows {
            from: [[core::ptr::null(); LANES]; G],
            to: [[core::ptr::null_mut(); LANES]; G],
            through: true,
            lanes: [0; G],
            len,
            lent: PhantomData,
        };
        for (g, some) in all.chunks_mut(n).enumerate() {
            rows.lanes[g] = some.len();
            for (l, lane) in some.iter_mut().enumerate() {
                // What the compiler cannot trace it does not gather by addresses in vectors.
                let data = black_box(&mut lane.data);
                // What the reading and the writing rely on.
                assert!(data.len() == len, "lanes of one length");
                match data {
                    Data::Read(data) => (rows.from[g][l], rows.through) = (data.as_ptr(), false),
                    Data::Through(data) => {
                        (rows.from[g][l], rows.to[g][l]) = data.reborrow().into_raw();
                    }
                }
            }
        }
        rows
    }

    /// Blocks in row `t`.
    #[inline(always)]
    fn blocks(&self, t: usize) -> usize {
        assert!(TILE * t < self.len, "a row that there is");
        (self.len - TILE * t).min(TILE) / 8
    }

    /// Takes row `t` of each lane of group `g`, and calls the next one into the cache.
    #[inline(always)]
    pub(super) fn fill<W: Words>(&self, isa: W::Isa, g: usize, t: usize, tile: &mut Tile) {
        let blocks = self.blocks(t);
        let lanes = &self.from[g][..self.lanes[g]];
        if blocks < TILE / 8 {
            // Block by block to where the rounds take them.
            let tile = tile.as_flattened_mut().as_chunks_mut::<8>().0;
            for (l, from) in lanes.iter().enumerate() {
                for i in 0..blocks {
                    // As in `of`.
                    let i = black_box(i);
                    // SAFETY: the lane has `len` bytes, borrowed for 'a, and this block's are before that.
                    tile[i * W::LANES + l] =
                        unsafe { from.add(TILE * t + 8 * i).cast::<[u8; 8]>().read() };
                }
            }
            return;
        }
        let mut rows = [&[0; TILE]; LANES];
        for (row, from) in rows.iter_mut().zip(lanes) {
            // SAFETY: the same of a whole row.
            *row = unsafe { &*from.add(TILE * t).cast() };
            prefetch(from.wrapping_add(TILE * t + 2 * TILE - 1));
        }
        W::to_blocks(isa, &rows, tile);
    }

    /// Puts row `t` of each lane of group `g`.
    #[inline(always)]
    pub(super) fn store<W: Words>(&mut self, isa: W::Isa, g: usize, t: usize, tile: &Tile) {
        let blocks = self.blocks(t);
        assert!(self.through, "written to");
        let lanes = &self.to[g][..self.lanes[g]];
        if blocks < TILE / 8 {
            let tile = tile.as_flattened().as_chunks::<8>().0;
            for (l, to) in lanes.iter().enumerate() {
                for i in 0..blocks {
                    // As in `of`.
                    let i = black_box(i);
                    // SAFETY: as above, and the lane is not one that is only read.
                    unsafe {
                        to.add(TILE * t + 8 * i).cast::<[u8; 8]>().write(tile[i * W::LANES + l])
                    };
                }
            }
            return;
        }
        let mut rows = [const { None }; LANES];
        for (row, to) in rows.iter_mut().zip(lanes) {
            // SAFETY: the same of a whole row; `self` is borrowed for it alone, and lanes do not overlap.
            *row = Some(unsafe { &mut *to.add(TILE * t).cast() });
        }
        W::to_lanes(isa, tile, rows);
    }
}
