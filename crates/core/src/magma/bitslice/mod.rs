//! The cipher on bit planes (see `round.rs`): 64 planes hold a bit each of many blocks.
//!
//! ```text
//! carry = 0
//! for i in 0..32:                           planes of N1, and of the key word
//!     t[i], carry = a[i] + k[i] + carry     a full adder
//! for n in 0..8:
//!     y = S_n(t[4n..4n + 4])                a circuit
//!     b[(4n + 11 + j) % 32] ^= y[j]         the rotation is a numbering
//! ```
//!
//! The byte order is a numbering, too. `nibbles.rs`: planes on vectors; `portable.rs`: the kernel for any machine, with
//! planes of integers.

pub(super) mod nibbles;
pub(super) mod portable;

use core::hint::black_box;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::Schedule;
use super::batch::Padded;
use super::constants::key_index;
use super::counter::{Counter, lane_steps};
use super::sbox::circuits::sbox;
use super::schedule::Order;
use crate::cipher::{self, Count, Direction};
use crate::memory::Room;
use crate::simd::{Bits, Gates};
use crate::{InOut, memory};

/// Room for N batches as planes, and for a batch that is half-way between rows and planes.
#[repr(C)]
pub(super) struct Memory<W, const N: usize> {
    n1: Room<[[W; 32]; N]>,
    /// So that a round does not read at the same bytes of a page where it has just written.
    apart: Room<[[W; APART]; 1]>,
    n2: Room<[[W; 32]; N]>,
    half: Room<[[W; 64]; 1]>,
}
/// Planes between the halves of two batches, which are 4096 bytes of AVX-512 each.
const APART: usize = 16;

impl<W: Bits, const N: usize> Memory<W, N> {
    #[inline(always)]
    pub(super) fn new(isa: W::Isa) -> Self {
        Memory {
            n1: Room::new(isa),
            apart: Room::new(isa),
            n2: Room::new(isa),
            half: Room::new(isa),
        }
    }
    /// Returns the batches, and the room of the batch that is half-way.
    #[inline(always)]
    pub(super) fn open(&mut self) -> (Batches<'_, W, N>, &mut [W; 64]) {
        let [half] = self.half.open();
        (Batches { n1: self.n1.open(), n2: self.n2.open() }, half)
    }
}

/// N batches as planes: bit i of N1, and of N2, of each batch.
///
/// Two go together: the carries of a round are one chain of 31, and of two batches one computes while the other waits.
pub(super) struct Batches<'a, W, const N: usize> {
    n1: &'a mut [[W; 32]; N],
    n2: &'a mut [[W; 32]; N],
}

impl<W: Bits, const N: usize> Batches<'_, W, N> {
    /// Plane `i` of 64 of batch `n`.
    #[inline(always)]
    pub(super) fn plane(&mut self, n: usize, i: usize) -> &mut W {
        if i < 32 { &mut self.n1[n][i] } else { &mut self.n2[n][i % 32] }
    }
    /// N1 and N2.
    #[inline(always)]
    pub(super) fn halves(&mut self) -> [&mut [[W; 32]; N]; 2] {
        [self.n1, self.n2]
    }
}

/// The planes of the eight key words.
pub(super) trait KeyPlanes<W: Bits> {
    /// Bit `bit` of key word `word`, for the part `step` of the planes.
    fn plane(&self, word: usize, bit: usize, step: usize) -> W::Gate;
}

/// One key for all lanes: a mask for every bit.
#[repr(C)]
pub(super) struct OneKey<I>(I, [[u32; 32]; 8]);

impl<I: Copy> OneKey<I> {
    #[inline(always)]
    pub(super) fn new(isa: I, keys: &[u32; 8]) -> Self {
        let mut masks = [[0; 32]; 8];
        for (m, k) in masks.iter_mut().zip(keys) {
            // A word at a time, or the compiler makes all eight at once and scatters the masks.
            let k = black_box(*k);
            for (i, m) in m.iter_mut().enumerate() {
                *m = ((k << (31 - i)) as i32 >> 31) as u32;
            }
        }
        OneKey(isa, masks)
    }
}
impl<W: Bits> KeyPlanes<W> for OneKey<W::Isa> {
    #[inline(always)]
    fn plane(&self, word: usize, bit: usize, _: usize) -> W::Gate {
        W::splat_gate(self.0, self.1[word][bit])
    }
}
impl<I> Drop for OneKey<I> {
    #[inline(always)]
    fn drop(&mut self) {
        memory::wipe(&mut self.1, [[0; 32]; 8]);
    }
}

/// A key for every lane.
pub(super) struct LaneKeys<W>(pub [[W; 32]; 8]);

impl<W: Bits> KeyPlanes<W> for LaneKeys<W> {
    #[inline(always)]
    fn plane(&self, word: usize, bit: usize, step: usize) -> W::Gate {
        self.0[word][bit].part(step)
    }
}

/// A byte order as a turn of [`Bits::planes_out`] and [`Bits::planes_in`]: N1 is the first half, little-endian, or it is
/// the last, big-endian.
#[inline(always)]
pub(super) fn turn(order: Order) -> usize {
    if order == Order::Magma { 7 } else { 0 }
}

/// The turn after `rounds`: 32 of them end without the exchange of the halves.
#[inline(always)]
pub(super) fn exchange(rounds: usize) -> usize {
    if rounds == 32 { 4 } else { 0 }
}

/// A bit plane, or a part of it, of each of N batches: a gate of all of them at a time. The carries of a round are a
/// chain of 31, and while one batch waits, the other computes.
#[derive(Clone, Copy)]
struct SideBySide<G, const N: usize>([G; N]);

impl<G: Gates, const N: usize> SideBySide<G, N> {
    #[inline(always)]
    fn all(x: G) -> Self {
        SideBySide([x; N])
    }
    /// Part `step` of plane `i` of each half.
    #[inline(always)]
    fn of<W: Bits<Gate = G>>(halves: &[[W; 32]; N], i: usize, step: usize) -> Self {
        let mut x = [halves[0][i].part(step); N];
        for n in 1..N {
            x[n] = halves[n][i].part(step);
        }
        SideBySide(x)
    }
    /// Writes it there.
    #[inline(always)]
    fn put<W: Bits<Gate = G>>(self, halves: &mut [[W; 32]; N], i: usize, step: usize) {
        for n in 0..N {
            halves[n][i].set_part(step, self.0[n]);
        }
    }
}

// Loops: the body of a closure is not compiled for the instruction set.
macro_rules! two_inputs {
    ($($gate:ident $function:ident $operator:tt;)*) => { $(
        impl<G: Gates, const N: usize> $gate for SideBySide<G, N> {
            type Output = Self;
            #[inline(always)]
            fn $function(mut self, o: Self) -> Self {
                for n in 0..N {
                    self.0[n] = self.0[n] $operator o.0[n];
                }
                self
            }
        }
    )* };
}
two_inputs! {
    BitXor bitxor ^;
    BitAnd bitand &;
    BitOr bitor |;
}
impl<G: Gates, const N: usize> Not for SideBySide<G, N> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for n in 0..N {
            self.0[n] = !self.0[n];
        }
        self
    }
}
impl<G: Gates, const N: usize> Gates for SideBySide<G, N> {
    const TERNARY: bool = G::TERNARY;
    #[inline(always)]
    fn lut<const F: i32>(mut self, b: Self, c: Self) -> Self {
        for n in 0..N {
            self.0[n] = self.0[n].lut::<F>(b.0[n], c.0[n]);
        }
        self
    }
}

/// a + b + c of single bits: the sum and the carry.
#[inline(always)]
fn add<G: Gates>(a: G, b: G, c: G) -> (G, G) {
    if G::TERNARY {
        let t = a ^ b;
        // The truth table 0xe2: c where t is set, else b.
        (t ^ c, c.lut::<0xe2>(t, b))
    } else {
        let t = a ^ b;
        (t ^ c, b ^ (t & (b ^ c)))
    }
}

/// b ^= S(a + k) <<< 11, over the S-boxes of a set.
#[inline(always)]
pub(super) fn round<W: Bits, K: KeyPlanes<W>, const SET: usize, const N: usize>(
    a: &[[W; 32]; N],
    b: &mut [[W; 32]; N],
    keys: &K,
    word: usize,
) {
    for step in 0..W::STEPS {
        // Macros, because closures of this size are not inlined, and code that is not inlined is not compiled
        // for the instruction set.
        let k = SideBySide::all(keys.plane(word, 0, step));
        let a0 = SideBySide::of(a, 0, step);
        let (mut s, mut carry) = (a0 ^ k, a0 & k);
        macro_rules! sum {
            (0) => {
                s
            };
            ($i:expr) => {{
                let k = SideBySide::all(keys.plane(word, $i, step));
                (s, carry) = add(SideBySide::of(a, $i, step), k, carry);
                s
            }};
        }
        // The sums of a box before the look-ups of the box below it, which they do not wait for.
        macro_rules! sums {
            ($i:tt $j:tt $k:tt $l:tt) => {
                [sum!($i), sum!($j), sum!($k), sum!($l)]
            };
        }
        let mut x = sums!(0 1 2 3);
        macro_rules! boxes {
            ($($n:literal: $at:literal $bt:literal $ct:literal $dt:literal, $next:expr;)*) => { $({
                let y = [
                    SideBySide::of(b, $at, step),
                    SideBySide::of(b, $bt, step),
                    SideBySide::of(b, $ct, step),
                    SideBySide::of(b, $dt, step),
                ];
                let next = $next;
                let y = select::<SideBySide<W::Gate, N>, SET, $n>(x, y);
                y[0].put(b, $at, step);
                y[1].put(b, $bt, step);
                y[2].put(b, $ct, step);
                y[3].put(b, $dt, step);
                x = next;
                W::barrier();
            })* };
        }
        boxes! {
            0: 11 12 13 14, sums!(4 5 6 7);
            1: 15 16 17 18, sums!(8 9 10 11);
            2: 19 20 21 22, sums!(12 13 14 15);
            3: 23 24 25 26, sums!(16 17 18 19);
            4: 27 28 29 30, sums!(20 21 22 23);
            5: 31 0 1 2, sums!(24 25 26 27);
            6: 3 4 5 6, sums!(28 29 30 31);
            7: 7 8 9 10, x;
        }
        // There is nothing above bit 31 to carry into.
        let _ = (x, carry);
    }
}

/// y ^ S_BOX(x) of a set.
#[inline(always)]
fn select<G: Gates, const SET: usize, const BOX: usize>(x: [G; 4], y: [G; 4]) -> [G; 4] {
    macro_rules! set {
        ($($s:literal)*) => {
            match (SET, BOX) {
                $(
                    ($s, 0) => sbox::<G, { 8 * $s }>(x, y),
                    ($s, 1) => sbox::<G, { 8 * $s + 1 }>(x, y),
                    ($s, 2) => sbox::<G, { 8 * $s + 2 }>(x, y),
                    ($s, 3) => sbox::<G, { 8 * $s + 3 }>(x, y),
                    ($s, 4) => sbox::<G, { 8 * $s + 4 }>(x, y),
                    ($s, 5) => sbox::<G, { 8 * $s + 5 }>(x, y),
                    ($s, 6) => sbox::<G, { 8 * $s + 6 }>(x, y),
                    ($s, 7) => sbox::<G, { 8 * $s + 7 }>(x, y),
                )*
                _ => unreachable!(),
            }
        };
    }
    set!(0 1 2 3 4 5 6 7)
}

/// Two rounds, with the key words of these numbers.
///
/// Kernels compile it as a function of its own for each set: inlined into the loop over the rounds, the
/// planes become values that the compiler keeps in unaligned places on the stack (1.5 against 0.8 cycles
/// per byte on AVX-512). The black boxes keep it from loading planes ahead of the circuits' barriers:
/// without them it spilled 25 to 110 vectors a round.
#[inline(always)]
pub(super) fn two<W: Bits, K: KeyPlanes<W>, const SET: usize, const N: usize>(
    a: &mut [[W; 32]; N],
    b: &mut [[W; 32]; N],
    keys: &K,
    words: [usize; 2],
) {
    let keys = black_box(keys);
    round::<W, K, SET, N>(black_box(a), b, keys, words[0]);
    round::<W, K, SET, N>(black_box(b), a, keys, words[1]);
}

/// `n` rounds, 32 or 16, by a function that does two. The halves keep their names: see [`exchange`].
#[inline(always)]
pub(super) fn rounds<W: Bits, const N: usize>(
    batches: &mut Batches<'_, W, N>,
    direction: Direction,
    n: usize,
    two: impl Fn([&mut [[W; 32]; N]; 2], [usize; 2]),
) {
    let [n1, n2] = batches.halves();
    for i in (0..n).step_by(2) {
        let word = |i: usize| key_index(if direction == Direction::Encrypt { i } else { 31 - i });
        two([&mut *n1, &mut *n2], [word(i), word(i + 1)]);
    }
}

/// Bytes of the widest two batches.
pub(super) const WIDEST: usize = 2 * 64 * 64;

/// The uses of planes: whole batches, and, if it `PADS`, a last batch that is not full but pays.
#[derive(Clone, Copy)]
pub(super) struct Use<const PADS: bool> {
    /// Bytes for which a batch pays.
    pub one: usize,
    /// Bytes for which two batches side by side pay; `None` if the set of S-boxes has no circuits for two.
    pub two: Option<usize>,
}

impl<const PADS: bool> Use<PADS> {
    /// The batches of the next run over `len` bytes, 0 if no batch pays.
    #[inline(always)]
    fn batches<W: Bits>(self, len: usize) -> usize {
        let batch = 64 * W::BYTES;
        if self.two.is_some_and(|two| len >= two.min(2 * batch)) {
            2
        } else {
            usize::from(len >= self.one.min(batch))
        }
    }
}

/// Transforms independent blocks, N batches or one batch at a time, and returns the rest. `two` does two rounds of so
/// many batches.
#[inline(always)]
pub(super) fn map<'i, 'o, W: Bits, const N: usize, const PADS: bool>(
    isa: W::Isa,
    s: &Schedule,
    direction: Direction,
    data: InOut<'i, 'o>,
    pays: Use<PADS>,
    two: impl Fn([&mut [[W; 32]; N]; 2], usize, &OneKey<W::Isa>, [usize; 2]),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    let turn = turn(s.order);
    let mut memory = Memory::<W, N>::new(isa);
    let (mut planes, half) = memory.open();
    let mut data = data;
    loop {
        let batches = pays.batches::<W>(data.len());
        if batches == 0 {
            return data;
        }
        let (some, rest) = cipher::split(data, 64 * W::BYTES * batches);
        let mut padded = Padded::<WIDEST, PADS>::new();
        let mut some = padded.lend(some, 64 * W::BYTES * batches);
        let bytes = some.get_in();
        for n in 0..batches {
            W::rows_in(isa, half, |r| W::read(isa, &bytes[(64 * n + r) * W::BYTES..]));
            W::planes_out(isa, turn, half, |i, x| *planes.plane(n, i) = x);
        }
        rounds(&mut planes, direction, 32, |halves, words| two(halves, batches, &keys, words));
        let bytes = some.get_out();
        for n in 0..batches {
            W::planes_in(isa, turn ^ exchange(32), half, |i| *planes.plane(n, i));
            W::rows_out(isa, half, |r, x| x.write(&mut bytes[(64 * n + r) * W::BYTES..]));
        }
        data = rest;
    }
}

/// Adds gamma of a counter to blocks, and returns the rest; as [`map`].
#[inline(always)]
pub(super) fn stream<'i, 'o, W: Bits, const N: usize, const PADS: bool>(
    isa: W::Isa,
    s: &Schedule,
    register: &mut [u8; 8],
    count: Count,
    data: InOut<'i, 'o>,
    pays: Use<PADS>,
    two: impl Fn([&mut [[W; 32]; N]; 2], usize, &OneKey<W::Isa>, [usize; 2]),
) -> InOut<'i, 'o> {
    let keys = OneKey::new(isa, &s.keys);
    let turn = turn(s.order);
    let mut c = Counter::new(*register, count);
    let zero = W::splat(isa, 0);
    let mut memory = Memory::<W, N>::new(isa);
    let ((mut planes, half), mut steps) = (memory.open(), [zero; 64]);
    if count == Count::Cnt {
        W::rows_in(isa, half, |r| W::read(isa, &lane_steps(count)[r * W::BYTES..]));
        W::planes_out(isa, 0, half, |i, x| steps[i] = x);
    }
    let mut end = Counter::new(*register, count);
    let mut data = data;
    loop {
        let batches = pays.batches::<W>(data.len());
        if batches == 0 {
            *register = end.register();
            return data;
        }
        let (some, rest) = cipher::split(data, 64 * W::BYTES * batches);
        end.skip(some.len() as u64 / 8);
        let mut padded = Padded::<WIDEST, PADS>::new();
        let mut some = padded.lend(some, 64 * W::BYTES * batches);
        for n in 0..batches {
            counters(isa, &c, count, &steps, |i, x| *planes.plane(n, i) = x, turn);
            c.skip(8 * W::BYTES as u64);
        }
        rounds(&mut planes, Direction::Encrypt, 32, |halves, words| {
            two(halves, batches, &keys, words);
        });
        for n in 0..batches {
            W::planes_in(isa, turn ^ exchange(32), half, |i| *planes.plane(n, i));
            W::rows_out(isa, half, |r, x| {
                let at = (64 * n + r) * W::BYTES;
                let x = x ^ W::read(isa, &some.get_in()[at..]);
                x.write(&mut some.get_out()[at..]);
            });
        }
        data = rest;
    }
}

/// The counters of a batch, made as planes: the register, which all lanes share, plus each lane's
/// number or step.
#[inline(always)]
pub(super) fn counters<W: Bits>(
    isa: W::Isa,
    c: &Counter,
    count: Count,
    steps: &[W; 64],
    mut plane: impl FnMut(usize, W),
    turn: usize,
) {
    let (low, high) = c.words();
    // The register's bytes are little-endian or big-endian, the planes are in the cipher's order.
    let m = 8 * (turn ^ if count == Count::Cnt { 0 } else { 7 });
    let zero = W::splat(isa, 0);
    let n = (8 * W::BYTES).trailing_zeros() as usize;
    let mut numbers = [zero; 9];
    for (i, number) in numbers[..n].iter_mut().enumerate() {
        *number = W::index(isa, i);
    }
    let lanes = &numbers[..n];
    let mut put = |i: usize, x: W| plane(i ^ m, x);
    match count {
        Count::Whole => {
            let carry = word(isa, low, lanes, zero, &mut put);
            word(isa, high, &[], carry, |i, x| put(32 + i, x));
        }
        Count::Right => {
            word(isa, low, lanes, zero, &mut put);
            word(isa, high, &[], zero, |i, x| put(32 + i, x));
        }
        Count::Left => {
            word(isa, low, &[], zero, &mut put);
            word(isa, high, lanes, zero, |i, x| put(32 + i, x));
        }
        Count::Cnt => {
            let [low_steps, high_steps] = steps.as_chunks::<32>().0 else { return };
            word(isa, low, low_steps, zero, &mut put);
            // The carry goes round: out of the top, into the bottom.
            let carry = word(isa, high, high_steps, zero, |_, _| {});
            word(isa, high, high_steps, carry, |i, x| put(32 + i, x));
        }
    }
}

/// The planes of base + steps + carry, the steps filled up with zeros; returns the carry out.
#[inline(always)]
fn word<W: Bits>(
    isa: W::Isa,
    base: u32,
    steps: &[W],
    mut carry: W,
    mut put: impl FnMut(usize, W),
) -> W {
    for i in 0..32 {
        let base = W::splat(isa, 0u32.wrapping_sub(base >> i & 1));
        let (s, c) = match steps.get(i) {
            Some(step) => add(base, *step, carry),
            None => (base ^ carry, base & carry),
        };
        put(i, s);
        carry = c;
    }
    carry
}
