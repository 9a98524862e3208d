//! Chained streams, the `lanes` shape: the rule of each chain, y and z from x, z and E, a loop over it for each layout, and
//! the driver over [`Words`].
//!
//! The data on its way to vectors and back: eight blocks of every lane at a time, a row of each,
//! become a tile with one block of every lane after the other ([`LaneRows`]).
#![allow(unsafe_code)]

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::swap;

use super::Schedule;
use super::batch::Runs;
use super::constants::key_index;
use super::round::{Group, RoundKeys, Word, Words, rounds};
use super::schedule::Order;
use crate::cipher::{Chain, Data, Direction};
use crate::memory::{self, Plain, Room};
use crate::simd::prefetch;

pub(super) type Lane<'a> = crate::cipher::Lane<'a, Schedule, 8>;

/// A chain in parts: e = E(z), or E(z ^ x); y = e, or e ^ x; z = y, or e.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// True if x is added before E, else after.
    pub before: bool,
    /// True if z is e.
    pub ofb: bool,
    /// Rounds of E.
    pub rounds: usize,
}

impl Rule {
    #[inline(always)]
    pub(super) fn of(chain: Chain) -> Self {
        let before = matches!(chain, Chain::CbcEncrypt | Chain::Mac | Chain::Imit);
        Rule {
            before,
            ofb: chain == Chain::Ofb,
            rounds: if chain == Chain::Imit { 16 } else { 32 },
        }
    }
}

/// Counts the first lanes that have the S-boxes and the byte order of the first lane: kernels look up one set at a
/// time. S-boxes are public parameters.
pub(super) fn alike(lanes: &[Lane<'_>]) -> usize {
    let Some(first) = lanes.first() else { return 0 };
    let (sboxes, order) = (&first.schedule.sboxes, first.schedule.order);
    let same = |l: &&Lane<'_>| {
        let s = &l.schedule.sboxes;
        l.schedule.order == order
            && if s.known.is_some() { s.known == sboxes.known } else { s.rows == sboxes.rows }
    };
    lanes.iter().take_while(same).count()
}

/// The bytes of block `i` of a lane.
#[inline(always)]
fn block(data: &Data<'_>, i: usize) -> u64 {
    let bytes = match data {
        Data::Read(d) => d,
        Data::Through(d) => d.get_in(),
    };
    u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("8 bytes"))
}

/// Runs at most `N` lanes block by block over a cipher of `N` blocks, little-endian numbers.
#[inline(always)]
pub(super) fn run<const N: usize>(
    rule: Rule,
    lanes: &mut [Lane<'_>],
    mut encrypt: impl FnMut(&mut [u64; N]),
) {
    let blocks = lanes.first().map_or(0, |l| l.data.len() / 8);
    let (mut z, mut x) = ([0; N], [0; N]);
    for (z, lane) in z.iter_mut().zip(lanes.iter()) {
        *z = u64::from_le_bytes(*lane.state);
    }
    for i in 0..blocks {
        for (x, lane) in x.iter_mut().zip(lanes.iter()) {
            *x = block(&lane.data, i);
        }
        for (z, x) in z.iter_mut().zip(&x) {
            *z ^= if rule.before { *x } else { 0 };
        }
        encrypt(&mut z);
        for ((z, x), lane) in z.iter_mut().zip(&x).zip(lanes.iter_mut()) {
            let y = *z ^ if rule.before { 0 } else { *x };
            if !rule.ofb {
                *z = y;
            }
            if let Data::Through(d) = &mut lane.data {
                d.get_out()[8 * i..8 * i + 8].copy_from_slice(&y.to_le_bytes());
            }
        }
    }
    for (z, lane) in z.iter().zip(lanes) {
        *lane.state = z.to_le_bytes();
    }
}

/// Chained streams over the same S-boxes and byte order, each with its own key.
#[inline(always)]
pub(super) fn lanes<W: Words>(isa: W::Isa, rule: Rule, lanes: &mut [Lane<'_>]) {
    if let [lane] = lanes {
        return one::<W>(isa, rule, lane);
    }
    let (mut runs, mut rest) = (Runs::of(lanes.len(), W::LANES), lanes);
    let widths = if W::SEVERAL { &[MOST, 12, 8, 4, 2, 1] } else { &[1][..] };
    loop {
        let groups = runs.next(widths);
        let (some, others) = rest.split_at_mut(rest.len().min(groups * W::LANES));
        match groups {
            0 => break,
            n if n > 1 && W::SEVERAL => chained::<W, MOST>(isa, rule, some, n),
            _ => chained::<W, 1>(isa, rule, some, 1),
        }
        rest = others;
    }
}

/// The data that a lane reads.
#[inline(always)]
pub(super) fn source<'a>(data: &'a Data<'_>) -> &'a [u8] {
    match data {
        Data::Read(d) => d,
        Data::Through(d) => d.get_in(),
    }
}

#[inline(always)]
fn xor<W: Words>(a: Group<W>, b: Group<W>) -> Group<W> {
    (a.0 ^ b.0, a.1 ^ b.1)
}

/// One chained stream: only the rounds and one addition come between a block and the next.
///
/// A round is a chain of 8 cycles on Intel with VBMI (32 cycles per byte) in vectors of any width, the look-up 3 of them;
/// on `avx2` a chain of 9 operations (`sbox/spread.rs`).
#[inline(always)]
pub(super) fn one<W: Word>(isa: W::Isa, rule: Rule, lane: &mut Lane<'_>) {
    let s = lane.schedule;
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);
    let mut keys = [W::splat(isa, 0); 8];
    // `iter_mut`, by reference: an array that is iterated by value is first copied to the stack.
    for (k, word) in keys.iter_mut().zip(&s.keys) {
        *k = W::splat(isa, *word);
    }
    let xor = |a: (W, W), b: (W, W)| (a.0 ^ b.0, a.1 ^ b.1);
    let mut z = W::enter(isa, lane.state, orders);
    for i in 0..lane.data.len() / 8 {
        let x = &source(&lane.data).as_chunks().0[i];
        let x = W::enter(isa, x, orders);
        if rule.before {
            z = xor(z, x);
        }
        let (mut a, mut b) = z;
        let mut r = 0;
        while r < rule.rounds {
            b = W::round(&tables, a, b, keys[key_index(r)]);
            a = W::round(&tables, b, a, keys[key_index(r + 1)]);
            r += 2;
        }
        // 32 rounds end without the exchange of the halves.
        z = if rule.rounds == 32 { (b, a) } else { (a, b) };
        let y = if rule.before { z } else { xor(z, x) };
        if !rule.ofb {
            z = y;
        }
        if let Data::Through(d) = &mut lane.data {
            W::leave(isa, y, orders, &mut d.get_out().as_chunks_mut().0[i]);
        }
    }
    W::leave(isa, z, orders, lane.state);
    memory::wipe(&mut keys, [W::splat(isa, 0); 8]);
}

/// The most groups that go side by side.
const MOST: usize = 16;
/// The most lanes of a group.
const LANES: usize = 16;
/// Bytes of a lane in a tile.
const TILE: usize = 64;

/// The rows of a group.
type Tile = [[u8; TILE]; LANES];

/// The data of lanes in at most `G` groups, all of equal length, borrowed for `'a`.
///
/// Addresses, because to ask a lane for them, a row at a time, costs as much as the transposition.
struct LaneRows<'a, const G: usize> {
    from: [[*const u8; LANES]; G],
    to: [[*mut u8; LANES]; G],
    /// True if all are written to.
    through: bool,
    /// Lanes that a group has.
    lanes: [usize; G],
    /// Bytes of each lane.
    len: usize,
    lent: PhantomData<&'a mut [u8]>,
}

impl<'a, const G: usize> LaneRows<'a, G> {
    /// The data of these lanes, `n` to a group.
    #[inline(always)]
    fn of(all: &'a mut [Lane<'_>], n: usize) -> Self {
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

    /// Reads row `t` of each lane of group `g`, and prefetches the next row.
    #[inline(always)]
    fn fill<W: Words>(&self, isa: W::Isa, g: usize, t: usize, tile: &mut Tile) {
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
    fn store<W: Words>(&mut self, isa: W::Isa, g: usize, t: usize, tile: &Tile) {
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

/// Eight blocks of every lane of at most `G` groups, twice: the tile under work, and the tile that comes or goes.
#[repr(align(64))]
struct Tiles<const G: usize>([[Tile; G]; 2]);
// SAFETY: any bytes are valid `u8`s.
unsafe impl<const G: usize> Plain for Tiles<G> {
    type Proof = ();
}

/// The key words of at most `G` groups.
struct Keys<W, const G: usize>([[W; G]; 8]);
// SAFETY: vectors of words, valid for any bytes; the token proves that the machine has them.
unsafe impl<W: Words, const G: usize> Plain for Keys<W, G> {
    type Proof = W::Isa;
}

/// The lanes of `groups` groups of at most `G`.
#[inline(always)]
fn chained<W: Words, const G: usize>(
    isa: W::Isa,
    rule: Rule,
    lanes: &mut [Lane<'_>],
    groups: usize,
) {
    let Some(first) = lanes.first() else { return };
    let (s, length) = (first.schedule, first.data.len());
    let read = matches!(first.data, Data::Read(_));
    let tables = W::tables(isa, s.sboxes.rows());
    let orders = W::orders(isa, s.order == Order::Magma);

    // A key word of each lane goes the way of a half-block, so that it meets its lane.
    let plain = W::orders(isa, false);
    let mut keys = Room::<Keys<W, G>>::new(isa);
    let keys = &mut keys.open().0.as_flattened_mut()[..8 * groups];
    let zero = (W::splat(isa, 0), W::splat(isa, 0));
    let mut z = [zero; G];
    for (g, (lanes, z)) in lanes.chunks(W::LANES).zip(&mut z).enumerate() {
        let mut bytes = [[0; 8]; LANES];
        for i in 0..4 {
            for (bytes, lane) in bytes.iter_mut().zip(lanes) {
                // Untraceable, or the compiler gathers the keys by addresses in vectors.
                let k = &black_box(lane.schedule).keys;
                *bytes = (u64::from(k[2 * i + 1]) << 32 | u64::from(k[2 * i])).to_le_bytes();
            }
            let x = W::take(isa, W::read(isa, bytes.as_flattened()), plain);
            keys[2 * i * groups + g] = x.0.unrotated();
            keys[(2 * i + 1) * groups + g] = x.1.unrotated();
        }
        for (bytes, lane) in bytes.iter_mut().zip(lanes) {
            *bytes = **black_box(&lane.state);
        }
        *z = W::take(isa, W::read(isa, bytes.as_flattened()), orders);
    }
    // A group without lanes.
    for g in lanes.len().div_ceil(W::LANES)..groups {
        for k in 0..8 {
            keys[k * groups + g] = zero.0;
        }
    }
    let mut tiles = Room::<Tiles<G>>::new(());
    let [now, other] = &mut tiles.open().0;
    let (mut now, mut other) = (&mut now[..groups], &mut other[..groups]);
    let mut rows = LaneRows::<G>::of(lanes, W::LANES);
    let all = length.div_ceil(TILE);
    if all > 0 {
        for (g, tile) in now.iter_mut().enumerate() {
            rows.fill::<W>(isa, g, 0, tile);
        }
    }
    // After the last row comes a row without blocks: the tile of the row before goes.
    for t in 0..=all {
        let blocks = (length - (TILE * t).min(length)).min(TILE) / 8;
        for block in 0..TILE / 8 {
            // During each block's rounds some groups' last tile goes and their next tile comes: rounds
            // keep the units busy that transpositions do not use.
            for g in block * groups / 8..(block + 1) * groups / 8 {
                if t > 0 && !read {
                    rows.store::<W>(isa, g, t - 1, &other[g]);
                }
                if t + 1 < all {
                    rows.fill::<W>(isa, g, t + 1, &mut other[g]);
                }
            }
            if block >= blocks {
                continue;
            }
            let at = 8 * block * W::LANES;
            if rule.before {
                for (z, tile) in z.iter_mut().zip(now.iter()) {
                    *z = xor(*z, W::take(isa, W::read(isa, &tile.as_flattened()[at..]), orders));
                }
            }
            let own = RoundKeys::Own(keys);
            match z.first_chunk_mut::<1>() {
                Some(z) if G == 1 => rounds(&tables, z, own, Direction::Encrypt, rule.rounds),
                _ => W::rounds(&tables, &mut z[..groups], own, Direction::Encrypt, rule.rounds),
            }
            if read {
                continue;
            }
            for (z, tile) in z.iter_mut().zip(now.iter_mut()) {
                let bytes = &mut tile.as_flattened_mut()[at..];
                let mut y = *z;
                if !rule.before {
                    y = xor(y, W::take(isa, W::read(isa, bytes), orders));
                }
                W::write(W::give(isa, y, orders), bytes);
                if !rule.ofb {
                    *z = y;
                }
            }
        }
        swap(&mut now, &mut other);
    }
    for (lanes, z) in lanes.chunks_mut(W::LANES).zip(&z) {
        let mut bytes = [[0; 8]; LANES];
        W::write(W::give(isa, *z, orders), bytes.as_flattened_mut());
        for (bytes, lane) in bytes.iter().zip(lanes) {
            *lane.state = *bytes;
        }
    }
    keys.fill(zero.0);
    zeroize::optimization_barrier(keys);
    memory::wipe(&mut z, [zero; G]);
}
