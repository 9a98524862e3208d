//! S by π's structure, on vectors that look up by four bits: a [`Place`] of tables for each byte of a block, one key's κ in
//! them, and the first round of counters. The sets differ in how they multiply: `gfni.rs`, `nibbles.rs`.

use core::ops::Range;

use super::structure::{Form, Map, Place, backward, forward};
use super::{Constants, Isa, Keys, Rounds, Sbox, constants};
use crate::cipher::{Count, Direction};
use crate::kuznyechik::constants::multiply;
use crate::kuznyechik::linear::{D1, D2, Factor, Leaf};
use crate::kuznyechik::round::{L_OF_MOVED, diagonal, ordered, round_key, transposed};
use crate::kuznyechik::{Schedule, counter};
use crate::memory::{Blank, Room, Scratch};
use crate::simd::{Linear, Vector};

/// S by places.
pub(in crate::kuznyechik) trait Places:
    Sbox<Table = Place, Product = Linear>
{
    /// S and S^-1 of every place of few blocks, in the form of their rounds.
    const EVERYWHERE: &'static [Place; 2];
    /// S or S^-1 of a place, `first` being its first table with the key in it.
    fn look_up(
        isa: Isa<Self>,
        direction: Direction,
        x: Self::V,
        place: &Place,
        first: Self::V,
    ) -> Self::V;
    /// Does rounds with one key in assembly, if the set has it; returns whether.
    #[inline(always)]
    fn assembled(_: Direction, _: &mut [Self::V; 16], _: &FirstTables, _: Range<usize>) -> bool {
        false
    }
}

/// The items of [`Sbox`] that are alike for every set with [`Places`].
macro_rules! by_places {
    ($v:ident) => {
        type V = $v;
        type Table = Place;
        type Product = Linear;
        #[inline(always)]
        fn multiply(isa: $v::Isa, x: $v, by: &Linear) -> $v {
            x.linear(isa, by)
        }
        #[inline(always)]
        fn substitute(isa: $v::Isa, direction: Direction, x: $v, place: &Place, plus: $v) -> $v {
            let first = $v::repeat(isa, &place.tables[0]);
            Self::look_up(isa, direction, x, place, first).xor(plus)
        }
        const HAND_IN_HAND: bool = false;

        type OneKey = FirstTables;
        type Room = Page;
        #[inline(always)]
        fn room() -> Page {
            Page::new()
        }
        #[inline(always)]
        fn one_key<'a>(
            isa: $v::Isa,
            direction: Direction,
            s: &Schedule,
            room: &'a mut Page,
        ) -> &'a FirstTables {
            places::one_key::<Self>(isa, direction, s, room)
        }

        type Window = Window;
        const WINDOW: usize = Window::BLOCKS;
        const TWO: bool = false;
        #[inline(always)]
        fn window_key(_: $v::Isa, _: &Schedule, _: &mut Window) {}
        #[inline(always)]
        fn window<K: Rounds<S = Self>>(
            isa: $v::Isa,
            s: &Schedule,
            keys: &FirstTables,
            window: &mut Window,
            start: &[u8; 16],
            count: Count,
            blocks: usize,
        ) {
            window.fill::<K>(isa, s, keys, start, count, blocks);
        }
        #[inline(always)]
        fn first_round(
            isa: $v::Isa,
            s: &Schedule,
            keys: &FirstTables,
            window: &Window,
            start: &[u8; 16],
            count: Count,
            offset: usize,
        ) -> [$v; 16] {
            window.first_round::<Self>(isa, s, keys, start, count, offset)
        }

        type Few = ();
        #[inline(always)]
        fn few(_: $v::Isa, _: Direction) {}
        #[inline(always)]
        fn substitute_few(isa: $v::Isa, direction: Direction, (): &(), v: $v) -> $v {
            let place = &$v::fresh(Self::EVERYWHERE)[direction as usize];
            let first = $v::repeat(isa, &place.tables[0]);
            Self::look_up(isa, direction, v, place, first)
        }
        const MOVED: u8 = PI[0];
        const TOGETHER: bool = false;
    };
}
pub(super) use by_places;

/// The constants of the rounds, at the beginning of a page (see [`Page`]).
#[repr(align(4096))]
pub(super) struct PageOfConstants(pub(super) Constants<Place, Linear>);

/// The multiples of c.
const fn multiples(c: u8) -> Map {
    let (mut m, mut x) = ([0; 256], 0);
    while x < 256 {
        m[x] = multiply(x as u8, c);
        x += 1;
    }
    m
}

/// The product by c.
const fn product(c: u8) -> Linear {
    let (mut p, mut i) = ([0; 8], 0);
    while i < 8 {
        p[i] = multiply(1 << i, c);
        i += 1;
    }
    Linear::new(&p)
}

const fn all(form: Form, encrypt: bool, inner: bool, outer: bool) -> [Place; 16] {
    let mut p = [forward(form, &multiples(1), &multiples(1)); 16];
    let mut i = 0;
    while i < 16 {
        let inner = multiples(if inner { D1[i] } else { 1 });
        let outer = multiples(if outer { D2[i] } else { 1 });
        p[i] = if encrypt { forward(form, &inner, &outer) } else { backward(form, &inner, &outer) };
        i += 1;
    }
    p
}

pub(super) const fn page(form: Form, leaves: &[Leaf; 27]) -> PageOfConstants {
    PageOfConstants(constants!(
        [all(form, true, false, true), all(form, true, true, true)],
        [all(form, false, true, true), all(form, false, true, false)],
        leaves,
        product
    ))
}

/// The first tables of the nine rounds with one key's κ in them.
pub(in crate::kuznyechik) type FirstTables = [[[u8; 16]; 16]; 9];

impl<S: Places> Keys<S> for FirstTables {
    #[inline(always)]
    fn substitute(
        &self,
        isa: Isa<S>,
        direction: Direction,
        (r, i): (usize, usize),
        x: S::V,
        place: &Place,
    ) -> S::V {
        S::look_up(isa, direction, x, place, S::V::repeat(isa, &self[r][i]))
    }
}

/// Room for `FirstTables` at the beginning of a page; wiped when dropped.
///
/// A processor that takes a load for a read of a store 4096 bytes away makes it wait. At one place of a
/// page, as `Constants` are, and with them the whole frame and the next, this happens at the same few
/// places in every process; elsewhere on the stack the rounds cost up to a third more.
#[repr(align(4096))]
pub(in crate::kuznyechik) struct Page(Room<FirstTables>);

impl Page {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Page(Room::new(()))
    }
}

impl Drop for Page {
    /// Round by round: a call of `memset` for all may cost twice as much.
    #[inline(always)]
    fn drop(&mut self) {
        for round in self.0.open() {
            *round = Blank::BLANK;
            zeroize::optimization_barrier(round);
        }
    }
}

/// The first tables of the rounds, with κ of a key.
#[inline(always)]
pub(super) fn one_key<'a, S: Places>(
    isa: Isa<S>,
    direction: Direction,
    s: &Schedule,
    page: &'a mut Page,
) -> &'a FirstTables {
    let mut v = [S::V::splat(isa, 0); 16];
    for r in 0..9 {
        v[r] = S::V::repeat(isa, round_key(s, direction, r));
        if direction == Direction::Decrypt && r < 8 {
            v[r] = v[r].xor(S::V::repeat(isa, &L_OF_MOVED));
        }
    }
    let plain = ordered(direction, transposed(v));
    let mut scaled = plain;
    diagonal::<S>(isa, &mut scaled, &S::CONSTANTS.d2);
    let to = page.0.open();
    for r in 0..9 {
        let number = S::V::splat(isa, r as u8);
        for i in 0..16 {
            let (v, place) = match direction {
                Direction::Encrypt => (&scaled, &S::CONSTANTS.encrypt[usize::from(r != 0)][i]),
                Direction::Decrypt if r < 8 => (&scaled, &S::CONSTANTS.decrypt[0][i]),
                Direction::Decrypt => (&plain, &S::CONSTANTS.decrypt[1][i]),
            };
            let table = S::V::repeat(isa, &place.tables[0]);
            v[i].lookup(number).xor(table).store_one(&mut to[r][i]);
        }
    }
    to
}

/// The first round of successive counters, but for the byte that counts.
///
/// In 256 steps there is one carry out of that byte, so that each other byte has at most two values, and one
/// more in each further 256. Their T is done once, with all these values in lanes; a batch looks up two of them
/// by index. Nothing depends on where the carry is: a counter can be secret (MGM's).
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Window {
    /// S of 0 in the byte that counts; it has κ in it.
    zero: [u8; 64],
    /// T of all bytes, with 0 for that byte.
    others: [[u8; 64]; 16],
}

impl Blank for Window {
    const BLANK: Self = Window { zero: [0; 64], others: [[0; 64]; 16] };
}

impl Window {
    /// The counters that it is for.
    pub(super) const BLOCKS: usize = Self::RUNS * counter::WINDOW;
    /// Their runs of 256; a lane holds the values of the first, and one more value for the carry in each.
    const RUNS: usize = 15;

    /// For `blocks` counters from `start` on, at most `BLOCKS`.
    #[inline(always)]
    pub(super) fn fill<K: Rounds>(
        &mut self,
        isa: Isa<K::S>,
        s: &Schedule,
        keys: &FirstTables,
        start: &[u8; 16],
        count: Count,
        blocks: usize,
    ) where
        K::S: Places<OneKey = FirstTables>,
    {
        let (at, _) = counter::counting(count);
        let mut starts = Scratch::<[[u8; 16]; 16]>::new();
        let runs = blocks.div_ceil(counter::WINDOW).min(Self::RUNS);
        for (i, to) in starts[..=runs].iter_mut().enumerate() {
            *to = counter::advanced(start, count, (i * counter::WINDOW) as u64);
            to[15 - at] = 0;
        }
        let mut v = [<K::S as Sbox>::V::splat(isa, 0); 16];
        for i in 0..16 {
            let key = <K::S as Sbox>::V::repeat(isa, &s.keys[0]);
            v[i] = <K::S as Sbox>::V::repeat(isa, &starts[i]).xor(key);
        }
        let mut v = ordered(Direction::Encrypt, transposed(v));
        let zero = first_substitution::<K::S>(isa, keys, at, v[at]);
        zero.store(&mut self.zero);
        K::encrypt(isa, &mut v, keys, 0..1);
        for i in 0..16 {
            v[i].store(&mut self.others[i]);
        }
    }

    /// See [`Sbox::first_round`].
    #[inline(always)]
    pub(super) fn first_round<S: Places>(
        &self,
        isa: Isa<S>,
        s: &Schedule,
        keys: &FirstTables,
        start: &[u8; 16],
        count: Count,
        offset: usize,
    ) -> [S::V; 16] {
        const { assert!(counter::WINDOW.is_multiple_of(S::V::LEN)) };
        let (at, side) = counter::counting(count);
        let before = S::V::splat(isa, start[15 - at]);
        let numbers = S::V::load(isa, &counter::NUMBERS[S::V::LEN.ilog2() as usize - 4]);
        let after = before.add(numbers).add(S::V::splat(isa, offset as u8));
        // The number of the run, and 1 more where there was a carry.
        let next = (1 + offset / counter::WINDOW) as u8;
        let lane = after.min(before).equal(before).add(S::V::splat(isa, next));
        let x = after.xor(S::V::splat(isa, s.keys[0][15 - at]));
        let x = first_substitution::<S>(isa, keys, at, x);
        let x = x.xor(S::V::load(isa, &self.zero).lookup(lane));
        let x = S::factor(isa, x);
        let columns = &S::V::fresh(S::CONSTANTS).columns[side];
        let mut v = [lane; 16];
        for i in 0..16 {
            let others = S::V::load(isa, &self.others[i]).lookup(lane);
            v[i] = others.xor(x.by(&columns[i]));
        }
        v
    }
}

/// S of the first round at a place.
#[inline(always)]
fn first_substitution<S: Places>(isa: Isa<S>, keys: &FirstTables, i: usize, x: S::V) -> S::V {
    let first = S::V::repeat(isa, &keys[0][i]);
    S::look_up(isa, Direction::Encrypt, x, &S::CONSTANTS.encrypt[0][i], first)
}
