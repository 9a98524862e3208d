//! The key schedule (RFC 7801, section 4.3), of one key or of many side by side.
//!
//! With A_0 = K_2 and A_1 = K_1 it is A_(j+1) = L(S(A_j + C_j)) + A_(j-1), and A_(8g+1), A_(8g) are K_(2g+1),
//! K_(2g+2). C_j is L(j), j as a block, so B_j = L^-1(A_j) + j is
//!
//! B_(j+1) = S(L(B_j)) + B_(j-1) + (j+1) + (j-1),
//!
//! where no constant but a number stands, and L^-1 of the keys comes for nothing.

use super::batch::{enter, leave, load, store};
use super::constants;
use super::layout::{Diagonal, Half, Layout};
#[cfg(target_arch = "x86_64")]
use super::sliced::Beside;
#[cfg(target_arch = "x86_64")]
use crate::cipher::ACPKM;
use crate::cipher::Direction;
use crate::kernel::NewKey;
use crate::memory::Scratch;
use zeroize::Zeroize;

use crate::kernel::{BlockKernel, Primitive};

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "kuznyechik";

impl Primitive for BlockKernel<Schedule, 16> {
    const PRIMITIVE: &'static str = NAME;
    // Magma's schedule is the words of its key; here a round key or two are spilled.
    const SPILLS: bool = true;
}

/// The round keys, in memory order. No more than 16 bytes of alignment: a move takes along what stands in
/// the space that alignment leaves.
#[derive(Clone)]
#[repr(align(16))]
pub struct Schedule {
    /// K_1..K_10: RFC 7801, section 4.3.
    pub(crate) keys: [[u8; 16]; 10],
    /// L^-1(K_1)..L^-1(K_10): decryption and kernels that add the key after S use these.
    pub(crate) inverse: [[u8; 16]; 10],
}

impl Schedule {
    /// K_1..K_10, and L^-1 of each: for kernels of other devices.
    #[cfg(feature = "internals")]
    pub fn round_keys(&self) -> (&[[u8; 16]; 10], &[[u8; 16]; 10]) {
        (&self.keys, &self.inverse)
    }
}

impl Zeroize for Schedule {
    fn zeroize(&mut self) {
        // In vectors; byte by byte, as arrays are wiped, costs as much as four blocks.
        (self.keys, self.inverse) = ([[0; 16]; 10], [[0; 16]; 10]);
        zeroize::optimization_barrier(self);
    }
}

/// Blocks of as many keys as a layout holds.
pub(super) trait Halves {
    type Half;
    /// Puts half `i` of the keys, A_(1-i), and L^-1 of it; `half` takes B_(1-i).
    fn take(&mut self, i: usize, half: &mut Self::Half);
    /// `mixed` takes L of `half`, which is B_1.
    fn first(&mut self, half: &mut Self::Half, mixed: &mut Self::Half);
    /// `half` takes S of `mixed` and the numbers of step j; `mixed` becomes L of it.
    fn step(&mut self, half: &mut Self::Half, mixed: &mut Self::Half, j: usize);
    /// Puts round key `r`, A_j, and L^-1 of it, from L(B_j) and B_j.
    fn put(&mut self, r: usize, j: usize, half: &Self::Half, mixed: &Self::Half);
}

/// The schedules of the keys of `h`, in room for three halves.
#[inline(always)]
pub(super) fn expand<H: Halves>(h: &mut H, [x, w, y]: [&mut H::Half; 3]) {
    h.take(0, x);
    h.take(1, w);
    h.first(x, y);
    for g in 0..4 {
        for i in 0..4 {
            pair(h, g, i, [x, w, y]);
        }
    }
}

/// Two steps of the 32, pair i of group g of four.
#[inline(always)]
fn pair<H: Halves>(h: &mut H, g: usize, i: usize, [x, w, y]: [&mut H::Half; 3]) {
    let j = 8 * g + 2 * i + 1;
    h.step(w, y, j);
    if i == 3 {
        h.put(2 * g + 3, j + 1, w, y);
    }
    h.step(x, y, j + 1);
    if i == 3 {
        h.put(2 * g + 2, j + 2, x, y);
    }
}

/// Few keys: each in 16 bytes of G vectors; or one, repeated in the vector.
struct Few<'a, 'b, K: Layout, const G: usize, const ONE: bool> {
    isa: K::Isa,
    sbox: K::Sbox,
    keys: &'a mut [NewKey<'b, Schedule>],
    buffer: Scratch<[u8; 256]>,
}

impl<K: Layout, const G: usize, const ONE: bool> Few<'_, '_, K, G, ONE> {
    /// Half `i` of the keys.
    #[inline(always)]
    fn read(&mut self, i: usize) -> [K::V; G] {
        if ONE {
            return [K::enter(self.isa, K::repeat(self.isa, half(self.keys[0].key, i))); G];
        }
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks_mut().0) {
            *block = *half(k.key, i);
        }
        enter::<K, G>(self.isa, &self.buffer)
    }
    /// L or L^-1.
    #[inline(always)]
    fn mixed(&self, direction: Direction, mut v: [K::V; G]) -> [K::V; G] {
        let zero = K::splat(self.isa, 0);
        for g in 0..G {
            v[g] = match ONE {
                true => K::mixed_one(self.isa, direction, v[g], zero),
                false => K::mixed(self.isa, direction, v[g], zero),
            };
        }
        v
    }
    /// A block, plus what it is to lose, where `place` says.
    #[inline(always)]
    fn write(&mut self, v: &[K::V; G], less: &[u8; 16], place: Place) {
        let less = K::enter(self.isa, K::repeat(self.isa, less));
        let mut v = *v;
        for g in 0..G {
            v[g] = K::xor(v[g], less);
        }
        if ONE {
            K::store_one(K::leave(self.isa, v[0]), place.of(self.keys[0].schedule));
            return;
        }
        leave::<K, G>(self.isa, &v, &mut self.buffer);
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks().0) {
            *place.of(k.schedule) = *block;
        }
    }
}

impl<K: Layout, const G: usize, const ONE: bool> Halves for Few<'_, '_, K, G, ONE> {
    type Half = [K::V; G];
    #[inline(always)]
    fn take(&mut self, i: usize, to: &mut [K::V; G]) {
        let v = self.read(i);
        let b = self.mixed(Direction::Decrypt, v);
        for k in self.keys.iter_mut() {
            k.schedule.keys[i] = *half(k.key, i);
        }
        self.write(&b, &NUMBERS[0], Place::Inverse(i));
        let number = K::enter(self.isa, K::repeat(self.isa, &NUMBERS[1 - i]));
        for g in 0..G {
            to[g] = K::xor(b[g], number);
        }
    }
    #[inline(always)]
    fn first(&mut self, _: &mut [K::V; G], mixed: &mut [K::V; G]) {
        // Without waiting for L^-1.
        let v = self.read(0);
        let c = K::enter(self.isa, K::repeat(self.isa, &constants::ROUND_CONSTANTS[0]));
        for g in 0..G {
            mixed[g] = K::xor(v[g], c);
        }
    }
    #[inline(always)]
    fn step(&mut self, half: &mut [K::V; G], mixed: &mut [K::V; G], j: usize) {
        let numbers = K::enter(self.isa, K::repeat(self.isa, &NUMBERS[numbers(j)]));
        for g in 0..G {
            let s = match ONE {
                true => K::substituted_one(self.isa, Direction::Encrypt, &self.sbox, mixed[g]),
                false => K::substituted(self.isa, Direction::Encrypt, &self.sbox, mixed[g]),
            };
            half[g] = K::xor(s, K::xor(half[g], numbers));
        }
        *mixed = self.mixed(Direction::Encrypt, *half);
    }
    #[inline(always)]
    fn put(&mut self, r: usize, j: usize, half: &[K::V; G], mixed: &[K::V; G]) {
        self.write(mixed, &constants::ROUND_CONSTANTS[j - 1], Place::Key(r));
        self.write(half, &NUMBERS[j], Place::Inverse(r));
    }
}

/// Where a block of a schedule stands.
#[derive(Clone, Copy)]
enum Place {
    Key(usize),
    Inverse(usize),
}

impl Place {
    #[inline(always)]
    fn of(self, s: &mut Schedule) -> &mut [u8; 16] {
        match self {
            Place::Key(r) => &mut s.keys[r],
            Place::Inverse(r) => &mut s.inverse[r],
        }
    }
}

/// Half `i` of a key.
#[inline(always)]
pub(super) fn half(key: &[u8; 32], i: usize) -> &[u8; 16] {
    &key.as_chunks().0[i]
}

/// j+1 plus j-1.
#[inline(always)]
pub(super) const fn numbers(j: usize) -> usize {
    (j + 1) ^ (j - 1)
}

/// Numbers as blocks.
pub(super) static NUMBERS: [[u8; 16]; 64] = {
    let (mut n, mut i) = ([[0; 16]; 64], 0);
    while i < 64 {
        n[i][15] = i as u8;
        i += 1;
    }
    n
};

/// Many keys: a byte of each in a vector.
struct Many<'a, 'b, K: Layout> {
    isa: K::Isa,
    keys: &'a mut [NewKey<'b, Schedule>],
    buffer: Scratch<Half>,
}

impl<K: Layout> Many<'_, '_, K> {
    /// Blocks, plus what they are to lose, where `place` says.
    #[inline(always)]
    fn write(&mut self, v: [K::V; 16], less: &[u8; 16], place: Place) {
        let less = K::repeat(self.isa, less);
        let mut v = K::unsliced(self.isa, v);
        for i in 0..16 {
            v[i] = K::xor(v[i], less);
        }
        store::<K, 16>(&v, &mut *self.buffer);
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks().0) {
            *place.of(k.schedule) = *block;
        }
    }
}

impl<K: Layout> Halves for Many<'_, '_, K> {
    type Half = Scratch<Half>;
    #[inline(always)]
    fn take(&mut self, i: usize, to: &mut Scratch<Half>) {
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks_mut().0) {
            k.schedule.keys[i] = *half(k.key, i);
            *block = *half(k.key, i);
        }
        // L^-1 is L on the bytes read backwards.
        let mut v = K::sliced(self.isa, load::<K, 16>(self.isa, &*self.buffer));
        v.reverse();
        store::<K, 16>(&K::scaled(self.isa, Diagonal::Two, v), &mut **to);
        let mut mixed = Scratch::<Half>::new();
        K::expand(self.isa, to, &mut mixed, None);
        let mut v = K::scaled(self.isa, Diagonal::One, load::<K, 16>(self.isa, &*mixed));
        v.reverse();
        self.write(v, &NUMBERS[0], Place::Inverse(i));
        let number = K::splat(self.isa, 1 - i as u8);
        v[0] = K::xor(v[0], number);
        store::<K, 16>(&K::scaled(self.isa, Diagonal::Two, v), &mut **to);
    }
    #[inline(always)]
    fn first(&mut self, half: &mut Scratch<Half>, mixed: &mut Scratch<Half>) {
        K::expand(self.isa, half, mixed, None);
    }
    #[inline(always)]
    fn step(&mut self, half: &mut Scratch<Half>, mixed: &mut Scratch<Half>, j: usize) {
        K::expand(self.isa, half, mixed, Some(SCALED[numbers(j)]));
    }
    #[inline(always)]
    fn put(&mut self, r: usize, j: usize, half: &Scratch<Half>, mixed: &Scratch<Half>) {
        let v = K::scaled(self.isa, Diagonal::One, load::<K, 16>(self.isa, &**mixed));
        self.write(v, &constants::ROUND_CONSTANTS[j - 1], Place::Key(r));
        let v = K::scaled(self.isa, Diagonal::InverseOfTwo, load::<K, 16>(self.isa, &**half));
        self.write(v, &NUMBERS[j], Place::Inverse(r));
    }
}

/// Numbers times what D2 has for a_0.
static SCALED: [u8; 64] = {
    let (mut s, mut n) = ([0; 64], 0);
    while n < 64 {
        s[n] = constants::multiply(n as u8, super::linear::D2[0]);
        n += 1;
    }
    s
};

/// One schedule.
#[inline(always)]
pub(super) fn prepare<K: Layout>(isa: K::Isa, key: &[u8; 32], schedule: &mut Schedule) {
    few::<K, 1, true>(isa, &mut [NewKey { key, schedule }]);
}

/// Many.
#[inline(always)]
pub(super) fn schedules<K: Layout>(isa: K::Isa, keys: &mut [NewKey<'_, Schedule>]) {
    let wide = K::LEN / 16;
    for keys in keys.chunks_mut(K::LEN) {
        if keys.len() > K::FEW_LANES {
            let buffer = Scratch::new();
            let [mut x, mut w, mut y] = [Scratch::new(), Scratch::new(), Scratch::new()];
            expand(&mut Many::<K> { isa, keys, buffer }, [&mut x, &mut w, &mut y]);
            continue;
        }
        for keys in keys.chunks_mut(4 * wide) {
            match keys {
                [NewKey { key, schedule }] => prepare::<K>(isa, key, schedule),
                _ if keys.len() <= wide => few::<K, 1, false>(isa, keys),
                _ if keys.len() <= 2 * wide => few::<K, 2, false>(isa, keys),
                _ => few::<K, 4, false>(isa, keys),
            }
        }
    }
}

#[inline(always)]
fn few<K: Layout, const G: usize, const ONE: bool>(isa: K::Isa, keys: &mut [NewKey<'_, Schedule>]) {
    let (sbox, buffer) = (K::sbox(isa, Direction::Encrypt), Scratch::new());
    let zero = [K::splat(isa, 0); G];
    let [mut x, mut w, mut y] = [zero; 3];
    let mut h = Few::<K, G, ONE> { isa, sbox, keys, buffer };
    expand(&mut h, [&mut x, &mut w, &mut y]);
}

/// The next keys of ACPKM (RFC 8645, section 6.2.1), one after the other; the schedule becomes that of the last.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn next_keys<K: Layout>(isa: K::Isa, s: &mut Schedule, keys: &mut [[u8; 32]]) {
    let sbox = K::sbox(isa, Direction::Encrypt);
    let block = |s: &[u8; 16]| K::enter(isa, K::repeat(isa, s));
    for key in keys {
        let first = block(&s.keys[0]);
        let mut a = K::xor(block(half(&ACPKM, 0)), first);
        let mut b = K::xor(block(half(&ACPKM, 1)), first);
        for k in &s.keys[1..] {
            let k = block(k);
            a = K::substituted_one(isa, Direction::Encrypt, &sbox, a);
            b = K::substituted_one(isa, Direction::Encrypt, &sbox, b);
            a = K::mixed_one(isa, Direction::Encrypt, a, k);
            b = K::mixed_one(isa, Direction::Encrypt, b, k);
        }
        let [x, y] = key.as_chunks_mut().0 else { unreachable!("two halves") };
        K::store_one(K::leave(isa, a), x);
        K::store_one(K::leave(isa, b), y);
        prepare::<K>(isa, key, s);
    }
}

/// ACPKM's next key (RFC 8645, section 6.2.1) beside other work, a round of its two blocks at a step. What is
/// kept between steps stands here: the compiler would put it anywhere.
#[cfg(target_arch = "x86_64")]
pub(super) struct NextKey<'a, K: Layout> {
    isa: K::Isa,
    sbox: K::Sbox,
    schedule: &'a Schedule,
    blocks: Scratch<[u8; 128]>,
    round: usize,
}

#[cfg(target_arch = "x86_64")]
impl<'a, K: Layout> NextKey<'a, K> {
    /// Steps after `new`.
    pub(super) const STEPS: usize = 8;
    /// With the first round.
    #[inline(always)]
    pub(super) fn new(isa: K::Isa, schedule: &'a Schedule) -> Self {
        let (sbox, blocks) = (K::sbox(isa, Direction::Encrypt), Scratch::new());
        let mut next = NextKey { isa, sbox, schedule, blocks, round: 0 };
        for i in 0..2 {
            let v = K::xor(K::repeat(isa, half(&ACPKM, i)), K::repeat(isa, &schedule.keys[0]));
            K::store(K::enter(isa, v), &mut *next.blocks, i);
        }
        next.step();
        next
    }
    #[inline(always)]
    pub(super) fn finish(&mut self, key: &mut [u8; 32]) {
        for (i, half) in key.as_chunks_mut().0.iter_mut().enumerate() {
            K::store_one(K::leave(self.isa, K::load(self.isa, &*self.blocks, i)), half);
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<K: Layout> Beside for NextKey<'_, K> {
    #[inline(always)]
    fn step(&mut self) {
        self.round += 1;
        let key = K::enter(self.isa, K::repeat(self.isa, &self.schedule.keys[self.round]));
        for i in 0..2 {
            let v = K::load(self.isa, &*self.blocks, i);
            let v = K::substituted_one(self.isa, Direction::Encrypt, &self.sbox, v);
            let v = K::mixed_one(self.isa, Direction::Encrypt, v, key);
            K::store(v, &mut *self.blocks, i);
        }
    }
}

/// One schedule beside other work, two of its 32 steps at a time.
#[cfg(target_arch = "x86_64")]
pub(super) struct Pairs<'a, 'b, K: Layout> {
    h: Few<'a, 'b, K, 1, true>,
    halves: Scratch<[u8; 192]>,
    done: usize,
}

#[cfg(target_arch = "x86_64")]
impl<'a, 'b, K: Layout> Pairs<'a, 'b, K> {
    /// Steps after `new`.
    pub(super) const STEPS: usize = 16;
    #[inline(always)]
    pub(super) fn new(isa: K::Isa, key: &'a mut [NewKey<'b, Schedule>; 1]) -> Self {
        let (sbox, buffer) = (K::sbox(isa, Direction::Encrypt), Scratch::new());
        let mut h = Few::<K, 1, true> { isa, sbox, keys: key, buffer };
        let [mut x, mut w, mut y] = [[K::splat(isa, 0)]; 3];
        h.take(0, &mut x);
        h.take(1, &mut w);
        h.first(&mut x, &mut y);
        let mut halves = Scratch::<[u8; 192]>::new();
        super::batch::store::<K, 3>(&[x[0], w[0], y[0]], &mut *halves);
        Pairs { h, halves, done: 0 }
    }
}

#[cfg(target_arch = "x86_64")]
impl<K: Layout> Beside for Pairs<'_, '_, K> {
    #[inline(always)]
    fn step(&mut self) {
        let isa = self.h.isa;
        let mut x = [K::load(isa, &*self.halves, 0)];
        let mut w = [K::load(isa, &*self.halves, 1)];
        let mut y = [K::load(isa, &*self.halves, 2)];
        pair(&mut self.h, self.done / 4, self.done % 4, [&mut x, &mut w, &mut y]);
        super::batch::store::<K, 3>(&[x[0], w[0], y[0]], &mut *self.halves);
        self.done += 1;
    }
}
