//! Schedules on vectors: a single key, few, or many side by side, and ACPKM's chain of keys. Read `mod.rs` first: it
//! has the recurrence of A_j and B_j, which `half` and `mixed` follow.

#[cfg(target_arch = "x86_64")]
use super::pair;
use super::{Halves, NUMBERS, Schedule, expand, half, numbers};
#[cfg(target_arch = "x86_64")]
use crate::cipher::ACPKM;
use crate::cipher::Direction;
use crate::kernel::NewKey;
use crate::kuznyechik::batch::{FewBlocks, enter, leave};
use crate::kuznyechik::constants;
use crate::kuznyechik::linear::D2;
#[cfg(target_arch = "x86_64")]
use crate::kuznyechik::round::Beside;
use crate::kuznyechik::round::{diagonal, load, store};
use crate::kuznyechik::sbox::{Half, Isa, Rounds, Sbox, V};
use crate::memory::Scratch;
use crate::simd::Vector;

/// Few keys: each in 16 bytes of `n` vectors, of at most M; or one key, repeated in the vector.
struct Few<'a, 'b, S: Sbox, const M: usize, const ONE: bool> {
    isa: Isa<S>,
    few: S::Few,
    keys: &'a mut [NewKey<'b, Schedule>],
    n: usize,
    buffer: Scratch<FewBlocks>,
}

impl<'a, 'b, S: Sbox, const M: usize, const ONE: bool> Few<'a, 'b, S, M, ONE> {
    #[inline(always)]
    fn new(isa: Isa<S>, keys: &'a mut [NewKey<'b, Schedule>], n: usize) -> Self {
        Few { isa, few: S::few(isa, Direction::Encrypt), keys, n, buffer: Scratch::new() }
    }
    /// The vectors in use. A constant where there is one: the struct is in memory, since its buffer is wiped.
    #[inline(always)]
    fn n(&self) -> usize {
        if M == 1 { 1 } else { self.n }
    }
    /// The keys: one, as the compiler knows, or all.
    #[inline(always)]
    fn keys(&mut self) -> &mut [NewKey<'b, Schedule>] {
        if ONE { &mut self.keys[..1] } else { self.keys }
    }
    /// Adds a block to each. The compiler knows the limit M, or it would write the loop out for more vectors.
    #[inline(always)]
    fn add(&self, v: &mut [S::V; M], block: S::V) {
        for (g, v) in v.iter_mut().enumerate() {
            if g == self.n() {
                break;
            }
            *v = v.xor(block);
        }
    }
    /// Half `i` of the keys.
    #[inline(always)]
    fn read(&mut self, i: usize, to: &mut [S::V; M]) {
        if ONE {
            to[0] = S::enter(self.isa, S::V::repeat(self.isa, half(self.keys[0].key, i)));
            return;
        }
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks_mut().0) {
            *block = *half(k.key, i);
        }
        enter::<S>(self.isa, &self.buffer, &mut to[..self.n()]);
    }
    /// `to` = L or L^-1 of v.
    #[inline(always)]
    fn mix(&self, direction: Direction, v: &[S::V; M], to: &mut [S::V; M]) {
        let zero = S::V::splat(self.isa, 0);
        for (v, to) in v[..self.n()].iter().zip(to) {
            *to = match ONE {
                true => S::mix_one(self.isa, direction, *v, zero),
                false => S::mix(self.isa, direction, *v, zero),
            };
        }
    }
    /// Writes a block, less `less`, to `place`.
    #[inline(always)]
    fn write(&mut self, v: &[S::V; M], less: &[u8; 16], place: Place) {
        let less = S::enter(self.isa, S::V::repeat(self.isa, less));
        let mut v = *v;
        self.add(&mut v, less);
        if ONE {
            S::leave(self.isa, v[0]).store_one(place.of(self.keys[0].schedule));
            return;
        }
        leave::<S>(self.isa, &v[..self.n()], &mut self.buffer);
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks().0) {
            *place.of(k.schedule) = *block;
        }
    }
}

impl<S: Sbox, const M: usize, const ONE: bool> Halves for Few<'_, '_, S, M, ONE> {
    type Half = [S::V; M];
    const REGISTERS: bool = M == 1;
    #[inline(always)]
    fn take(&mut self, i: usize, to: &mut [S::V; M]) {
        let mut v = *to;
        self.read(i, &mut v);
        self.mix(Direction::Decrypt, &v, to);
        for k in self.keys() {
            k.schedule.keys[i] = *half(k.key, i);
        }
        self.write(to, &NUMBERS[0], Place::Inverse(i));
        self.add(to, S::enter(self.isa, S::V::repeat(self.isa, &NUMBERS[1 - i])));
    }
    #[inline(always)]
    fn first(&mut self, _: &mut [S::V; M], mixed: &mut [S::V; M]) {
        // Without waiting for L^-1.
        self.read(0, mixed);
        let c = S::enter(self.isa, S::V::repeat(self.isa, &constants::ROUND_CONSTANTS[0]));
        self.add(mixed, c);
    }
    #[inline(always)]
    fn step(&mut self, half: &mut [S::V; M], mixed: &mut [S::V; M], j: usize) {
        let numbers = S::enter(self.isa, S::V::repeat(self.isa, &NUMBERS[numbers(j)]));
        for (half, mixed) in half[..self.n()].iter_mut().zip(mixed.iter()) {
            let s = match ONE {
                true => S::substitute_one(self.isa, Direction::Encrypt, &self.few, *mixed),
                false => S::substitute_few(self.isa, Direction::Encrypt, &self.few, *mixed),
            };
            *half = s.xor(half.xor(numbers));
        }
        self.mix(Direction::Encrypt, half, mixed);
    }
    #[inline(always)]
    fn put(&mut self, r: usize, j: usize, half: &[S::V; M], mixed: &[S::V; M]) {
        self.write(mixed, &constants::ROUND_CONSTANTS[j - 1], Place::Key(r));
        self.write(half, &NUMBERS[j], Place::Inverse(r));
    }
}

/// The place of a block in a schedule.
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

/// Many keys: a byte of each in a vector.
struct Many<'a, 'b, K: Rounds> {
    isa: Isa<K::S>,
    keys: &'a mut [NewKey<'b, Schedule>],
    buffer: Scratch<Half>,
}

impl<K: Rounds> Many<'_, '_, K> {
    /// Writes blocks, less `less`, to `place`.
    #[inline(always)]
    fn write(&mut self, v: [V<K>; 16], less: &[u8; 16], place: Place) {
        let less = V::<K>::repeat(self.isa, less);
        let mut v = v;
        K::unsliced(&mut v);
        for i in 0..16 {
            v[i] = v[i].xor(less);
        }
        store(&v, &mut *self.buffer);
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks().0) {
            *place.of(k.schedule) = *block;
        }
    }
}

impl<K: Rounds> Halves for Many<'_, '_, K> {
    type Half = Scratch<Half>;
    #[inline(always)]
    fn take(&mut self, i: usize, to: &mut Scratch<Half>) {
        for (k, block) in self.keys.iter_mut().zip(self.buffer.as_chunks_mut().0) {
            k.schedule.keys[i] = *half(k.key, i);
            *block = *half(k.key, i);
        }
        let c = K::S::CONSTANTS;
        // L^-1 is L on the bytes read backwards.
        let mut v = load::<V<K>, 16>(self.isa, &*self.buffer);
        K::sliced(&mut v);
        v.reverse();
        diagonal::<K::S>(self.isa, &mut v, &c.d2);
        store(&v, &mut **to);
        let mut mixed = Scratch::<Half>::new();
        K::expand(self.isa, to, &mut mixed, None);
        let mut v = load::<V<K>, 16>(self.isa, &*mixed);
        diagonal::<K::S>(self.isa, &mut v, &c.d1);
        v.reverse();
        self.write(v, &NUMBERS[0], Place::Inverse(i));
        v[0] = v[0].xor(V::<K>::splat(self.isa, 1 - i as u8));
        diagonal::<K::S>(self.isa, &mut v, &c.d2);
        store(&v, &mut **to);
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
        let c = K::S::CONSTANTS;
        let mut v = load::<V<K>, 16>(self.isa, &**mixed);
        diagonal::<K::S>(self.isa, &mut v, &c.d1);
        self.write(v, &constants::ROUND_CONSTANTS[j - 1], Place::Key(r));
        let mut v = load::<V<K>, 16>(self.isa, &**half);
        diagonal::<K::S>(self.isa, &mut v, &c.d2_inverse);
        self.write(v, &NUMBERS[j], Place::Inverse(r));
    }
}

/// Numbers times the element of D2 for a_0.
static SCALED: [u8; 64] = {
    let (mut s, mut n) = ([0; 64], 0);
    while n < 64 {
        s[n] = constants::multiply(n as u8, D2[0]);
        n += 1;
    }
    s
};

/// A single schedule.
#[inline(always)]
pub(in crate::kuznyechik) fn prepare<S: Sbox>(
    isa: Isa<S>,
    key: &[u8; 32],
    schedule: &mut Schedule,
) {
    few::<S, 1, true>(isa, &mut [NewKey { key, schedule }], 1);
}

/// Many schedules; `prepare` makes a single schedule.
#[inline(always)]
pub(in crate::kuznyechik) fn schedules<K: Rounds>(
    isa: Isa<K::S>,
    keys: &mut [NewKey<'_, Schedule>],
    prepare: impl Fn(&[u8; 32], &mut Schedule),
) {
    let wide = V::<K>::LEN / 16;
    for keys in keys.chunks_mut(V::<K>::LEN) {
        if keys.len() > K::S::FEW_LANES {
            let buffer = Scratch::new();
            let [mut x, mut w, mut y] = [Scratch::new(), Scratch::new(), Scratch::new()];
            expand(&mut Many::<K> { isa, keys, buffer }, [&mut x, &mut w, &mut y]);
            continue;
        }
        for keys in keys.chunks_mut(4 * wide) {
            match keys {
                [NewKey { key, schedule }] => prepare(key, schedule),
                _ => few::<K::S, 4, false>(isa, keys, keys.len().div_ceil(wide)),
            }
        }
    }
}

#[inline(always)]
fn few<S: Sbox, const M: usize, const ONE: bool>(
    isa: Isa<S>,
    keys: &mut [NewKey<'_, Schedule>],
    n: usize,
) {
    let zero = [S::V::splat(isa, 0); M];
    let [mut x, mut w, mut y] = [zero; 3];
    expand(&mut Few::<S, M, ONE>::new(isa, keys, n), [&mut x, &mut w, &mut y]);
}

/// The next keys of ACPKM (RFC 8645, section 6.2.1), in turn; the schedule becomes the schedule of the last key.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(in crate::kuznyechik) fn next_keys<S: Sbox>(
    isa: Isa<S>,
    s: &mut Schedule,
    keys: &mut [[u8; 32]],
) {
    let few = S::few(isa, Direction::Encrypt);
    let block = |s: &[u8; 16]| S::enter(isa, S::V::repeat(isa, s));
    for key in keys {
        let first = block(&s.keys[0]);
        let mut a = block(half(&ACPKM, 0)).xor(first);
        let mut b = block(half(&ACPKM, 1)).xor(first);
        for k in &s.keys[1..] {
            let k = block(k);
            a = S::substitute_one(isa, Direction::Encrypt, &few, a);
            b = S::substitute_one(isa, Direction::Encrypt, &few, b);
            a = S::mix_one(isa, Direction::Encrypt, a, k);
            b = S::mix_one(isa, Direction::Encrypt, b, k);
        }
        let [x, y] = key.as_chunks_mut().0 else { unreachable!("two halves") };
        S::leave(isa, a).store_one(x);
        S::leave(isa, b).store_one(y);
        prepare::<S>(isa, key, s);
    }
}

/// ACPKM's next key (RFC 8645, section 6.2.1) between other work, a round of its two blocks at a step. State
/// is kept in memory between steps: the compiler would put it anywhere.
#[cfg(target_arch = "x86_64")]
pub(in crate::kuznyechik) struct NextKey<'a, S: Sbox> {
    isa: Isa<S>,
    few: S::Few,
    schedule: &'a Schedule,
    blocks: Scratch<[u8; 128]>,
    round: usize,
}

#[cfg(target_arch = "x86_64")]
impl<'a, S: Sbox> NextKey<'a, S> {
    /// Steps after `new`.
    pub(in crate::kuznyechik) const STEPS: usize = 8;
    /// With the first round.
    #[inline(always)]
    pub(in crate::kuznyechik) fn new(isa: Isa<S>, schedule: &'a Schedule) -> Self {
        let (few, blocks) = (S::few(isa, Direction::Encrypt), Scratch::new());
        let mut next = NextKey { isa, few, schedule, blocks, round: 0 };
        for i in 0..2 {
            let v = S::V::repeat(isa, half(&ACPKM, i)).xor(S::V::repeat(isa, &schedule.keys[0]));
            S::enter(isa, v).store(&mut next.blocks[S::V::LEN * i..]);
        }
        next.step();
        next
    }
    #[inline(always)]
    pub(in crate::kuznyechik) fn finish(&mut self, key: &mut [u8; 32]) {
        for (i, half) in key.as_chunks_mut().0.iter_mut().enumerate() {
            S::leave(self.isa, S::V::load(self.isa, &self.blocks[S::V::LEN * i..])).store_one(half);
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Sbox> Beside for NextKey<'_, S> {
    #[inline(always)]
    fn step(&mut self) {
        self.round += 1;
        let key = S::enter(self.isa, S::V::repeat(self.isa, &self.schedule.keys[self.round]));
        for i in 0..2 {
            let v = S::V::load(self.isa, &self.blocks[S::V::LEN * i..]);
            let v = S::substitute_one(self.isa, Direction::Encrypt, &self.few, v);
            let v = S::mix_one(self.isa, Direction::Encrypt, v, key);
            v.store(&mut self.blocks[S::V::LEN * i..]);
        }
    }
}

/// A single schedule between other work, two of its 32 steps at a time.
#[cfg(target_arch = "x86_64")]
pub(in crate::kuznyechik) struct Pairs<'a, 'b, S: Sbox> {
    h: Few<'a, 'b, S, 1, true>,
    halves: Scratch<[u8; 192]>,
    done: usize,
}

#[cfg(target_arch = "x86_64")]
impl<'a, 'b, S: Sbox> Pairs<'a, 'b, S> {
    /// Steps after `new`.
    pub(in crate::kuznyechik) const STEPS: usize = 16;
    #[inline(always)]
    pub(in crate::kuznyechik) fn new(isa: Isa<S>, key: &'a mut [NewKey<'b, Schedule>; 1]) -> Self {
        let mut h = Few::<S, 1, true>::new(isa, key, 1);
        let [mut x, mut w, mut y] = [[S::V::splat(isa, 0)]; 3];
        h.take(0, &mut x);
        h.take(1, &mut w);
        h.first(&mut x, &mut y);
        let mut halves = Scratch::<[u8; 192]>::new();
        store(&[x[0], w[0], y[0]], &mut *halves);
        Pairs { h, halves, done: 0 }
    }
}

#[cfg(target_arch = "x86_64")]
impl<S: Sbox> Beside for Pairs<'_, '_, S> {
    #[inline(always)]
    fn step(&mut self) {
        let [x, w, y] = load::<S::V, 3>(self.h.isa, &*self.halves);
        let [mut x, mut w, mut y] = [[x], [w], [y]];
        pair(&mut self.h, self.done, [&mut x, &mut w, &mut y]);
        store(&[x[0], w[0], y[0]], &mut *self.halves);
        self.done += 1;
    }
}
