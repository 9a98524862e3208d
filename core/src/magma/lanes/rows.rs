//! The data of chained streams on its way to vectors and back: eight blocks of every lane at a time, a row of each,
//! become a tile with one block of every lane after the other.
#![allow(unsafe_code)]

use core::hint::black_box;
use core::marker::PhantomData;

use super::Lane;
use crate::cipher::Data;
use crate::magma::round::Words;
use crate::simd::prefetch;

/// The most lanes of a group.
pub(super) const LANES: usize = 16;
/// Bytes of a lane in a tile.
pub(super) const TILE: usize = 64;

/// The rows of a group.
pub(super) type Tile = [[u8; TILE]; LANES];

/// The data of lanes in `G` groups, all of one length, borrowed for `'a`.
///
/// Addresses, because to ask a lane for them, a row at a time, costs as much as the transposition.
pub(super) struct LaneRows<'a, const G: usize> {
    from: [[*const u8; LANES]; G],
    to: [[*mut u8; LANES]; G],
    /// True if all are written to.
    through: bool,
    /// Lanes that a group has.
    lanes: [usize; G],
    /// Bytes of each.
    len: usize,
    lent: PhantomData<&'a mut [u8]>,
}

impl<'a, const G: usize> LaneRows<'a, G> {
    /// The data of these lanes, `n` to a group.
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
                // Untraceable, or the compiler gathers these by addresses in vectors.
                let data = black_box(&mut lane.data);
                // `fill` and `store` rely on it.
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

    /// Reads row `t` of each lane of group `g`, and prefetches the next one.
    #[inline(always)]
    pub(super) fn fill<W: Words>(&self, isa: W::Isa, g: usize, t: usize, tile: &mut Tile) {
        let blocks = self.blocks(t);
        let lanes = &self.from[g][..self.lanes[g]];
        if blocks < TILE / 8 {
            // Block by block to the places of the rounds.
            let tile = tile.as_flattened_mut().as_chunks_mut::<8>().0;
            for (l, from) in lanes.iter().enumerate() {
                for i in 0..blocks {
                    // As in `of`.
                    let i = black_box(i);
                    // SAFETY: the lane has `len` bytes, borrowed for 'a, and `blocks` ends before that.
                    tile[i * W::LANES + l] =
                        unsafe { from.add(TILE * t + 8 * i).cast::<[u8; 8]>().read() };
                }
            }
            return;
        }
        let mut rows = [&[0; TILE]; LANES];
        for (row, from) in rows.iter_mut().zip(lanes) {
            // SAFETY: as above, for a whole row of `TILE` bytes.
            *row = unsafe { &*from.add(TILE * t).cast() };
            prefetch(from.wrapping_add(TILE * t + 2 * TILE - 1));
        }
        W::to_blocks(isa, &rows, tile);
    }

    /// Writes row `t` of each lane of group `g`.
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
                    // SAFETY: as in `fill`; `through` says that every lane is written to.
                    unsafe {
                        to.add(TILE * t + 8 * i).cast::<[u8; 8]>().write(tile[i * W::LANES + l])
                    };
                }
            }
            return;
        }
        let mut rows = [const { None }; LANES];
        for (row, to) in rows.iter_mut().zip(lanes) {
            // SAFETY: as above, for a whole row; `self` is borrowed exclusively, and lanes do not overlap.
            *row = Some(unsafe { &mut *to.add(TILE * t).cast() });
        }
        W::to_lanes(isa, tile, rows);
    }
}
