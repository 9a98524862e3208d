//! S by logarithms, and products by constants nibble by nibble (see `structure.rs`).
//!
//! In few blocks a product by a constant has to be the same at each place of a vector. With the polynomial
//! g of the shift register, g_d its coefficients, which read the same backwards, and h = 1 / g modulo z^16,
//!
//! L(x) = Σ_d h_d · (y down by d places), y = Σ_d g_d · (x up by d places), with 0 for the bytes that come in
//!
//! (the register's new bytes y' are tied to the old by Σ_d g_d · (y' down) = Σ_d g_d · (x up)). L^-1 is
//! the same with up and down exchanged.
#![allow(unsafe_code)]

use core::marker::PhantomData;
#[cfg(target_arch = "x86_64")]
use core::ops::Range;

use super::places::{self, FirstTables, Page, PageOfConstants, Places, Window, by_places, page};
use super::structure::{
    Form, LOG_L, LOG_PHI, LOG_R, LOG_TO_L, LOG_TO_R, LOG_W, MODULO, Map, Place, backward, forward,
};
use super::{Constants, Rounds, Sbox};
use crate::cipher::{Count, Direction};
use crate::kuznyechik::Schedule;
use crate::kuznyechik::constants::{L, PI, multiply};
use crate::kuznyechik::linear::{By, Costs, Factor, Leaf, leaves};
use crate::simd::{Linear, Vector};

/// S by logarithms.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Logs<V>(PhantomData<V>);

/// A product is two look-ups and a sum, and factors are added as two nibbles.
pub const LEAVES: [Leaf; 27] = leaves(&Costs { product: 3, once: 2, add: 2, term: 1 });

static CONSTANTS: PageOfConstants = page(Form::Logs, &LEAVES);

/// A table in each 16 bytes of a vector of 32.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Repeated([u8; 32]);

const fn repeated(table: &[u8; 16]) -> Repeated {
    let (mut r, mut p) = ([0; 32], 0);
    while p < 32 {
        r[p] = table[p % 16];
        p += 1;
    }
    Repeated(r)
}

/// The tables that the assembly of the rounds reads in addition to [`Constants`].
#[repr(C)]
pub(crate) struct Numbers {
    pub(crate) fifteen: Repeated,
    pub(crate) modulo: Repeated,
    pub(crate) log_l: Repeated,
    pub(crate) log_r: Repeated,
    pub(crate) log_phi: Repeated,
    pub(crate) log_w: Repeated,
    pub(crate) log_to_r: Repeated,
    pub(crate) log_to_l: Repeated,
}

pub(crate) static LOGARITHMS: Numbers = Numbers {
    fifteen: repeated(&[15; 16]),
    modulo: repeated(&[MODULO; 16]),
    log_l: repeated(&LOG_L),
    log_r: repeated(&LOG_R),
    log_phi: repeated(&LOG_PHI),
    log_w: repeated(&LOG_W),
    log_to_r: repeated(&LOG_TO_R),
    log_to_l: repeated(&LOG_TO_L),
};

/// The places of the nine rounds, of encryption and of decryption.
pub(crate) static PLACES: [[&[Place; 16]; 9]; 2] = {
    let ([a, b], [c, d]) = (&CONSTANTS.0.encrypt, &CONSTANTS.0.decrypt);
    [[a, b, b, b, b, b, b, b, b], [c, c, c, c, c, c, c, c, d]]
};

pub(crate) static PRODUCTS: &By<Linear> = &CONSTANTS.0.leaves;

static EVERYWHERE: [Place; 2] =
    [forward(Form::Logs, &IDENTITY, &IDENTITY), backward(Form::Logs, &IDENTITY, &IDENTITY)];

const IDENTITY: Map = {
    let (mut m, mut x) = ([0; 256], 0);
    while x < 256 {
        m[x] = x as u8;
        x += 1;
    }
    m
};

/// g_0..g_15, and h_0..h_15.
const G: [u8; 16] = {
    let (mut g, mut d) = ([1; 16], 1);
    while d < 16 {
        g[d] = L[d - 1];
        d += 1;
    }
    g
};
const H: [u8; 16] = {
    let (mut h, mut n) = ([0; 16], 1);
    h[0] = 1;
    while n < 256 {
        // h_i = Σ g_d h_(i-d) for d from 1 to i
        let (i, d) = (n / 16, n % 16);
        if 0 < d && d <= i {
            h[i] ^= multiply(G[d], h[i - d]);
        }
        n += 1;
    }
    h
};

/// A product by a constant in each 16 bytes of a vector, and the move by some places that follows it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Step {
    low: [u8; 64],
    high: [u8; 64],
    /// Indices, up and down.
    moves: [[u8; 64]; 2],
}

/// Steps of g and of h for vectors with 1, 2 and 4 repetitions of a block: with n repetitions each has
/// 16 / n of the constants, and the first 16 / n steps do them all.
static STEPS: [[[Step; 16]; 2]; 3] = {
    let blank = Step { low: [0; 64], high: [0; 64], moves: [[128; 64]; 2] };
    let (mut s, mut n) = ([[[blank; 16]; 2]; 3], 0);
    while n < 3 * 2 * 16 * 64 {
        let (width, which, e, p) = (n / 2048, n / 1024 % 2, n / 64 % 16, n % 64);
        let each = 16 >> width;
        let d = each * (p / 16 % (1 << width)) + e;
        if e < each {
            let c = if which == 0 { G[d] } else { H[d] };
            let (place, step) = (p % 16, &mut s[width][which][e]);
            step.low[p] = multiply(place as u8, c);
            step.high[p] = multiply(16 * place as u8, c);
            if place >= d {
                step.moves[0][p] = (place - d) as u8;
            }
            if place + d < 16 {
                step.moves[1][p] = (place + d) as u8;
            }
        }
        n += 1;
    }
    s
};

/// The product of a step, by the nibbles.
#[inline(always)]
fn product<V: Vector>(isa: V::Isa, low: V, high: V, step: &Step) -> V {
    let low = V::load(isa, &step.low).lookup(low);
    low.xor(V::load(isa, &step.high).lookup(high))
}

/// g or h on a block repeated: each repetition does its part.
#[inline(always)]
fn shared<V: Vector>(isa: V::Isa, v: V, which: usize, down: bool) -> V {
    let parts = V::LEN / 16;
    let steps = V::fresh(&STEPS[parts.ilog2() as usize][which]);
    let (low, high) = (v.low(), v.high());
    let mut sum = [V::splat(isa, 0); 4];
    for e in 0..16 / parts {
        let x = product(isa, low, high, &steps[e]);
        let x = x.lookup(V::load(isa, &steps[e].moves[usize::from(down)]));
        sum[e % 4] = sum[e % 4].xor(x);
    }
    sum[0].xor(sum[1]).xor3(sum[2], sum[3]).folded()
}

/// g on each block. It reads the same backwards, so that most products serve twice.
#[inline(always)]
fn all_g<V: Vector>(isa: V::Isa, v: V, down: bool) -> V {
    let (steps, down) = (V::fresh(&STEPS[0][0]), usize::from(down));
    let (low, high) = (v.low(), v.high());
    let mut sum = [v, product(isa, low, high, &steps[8])];
    sum[1] = sum[1].lookup(V::load(isa, &steps[8].moves[down]));
    macro_rules! twice {
        ($($d:literal)*) => {$(
            let x = if G[$d] == 1 { v } else { product(isa, low, high, &steps[$d]) };
            sum[0] = sum[0].xor(x.lookup(V::load(isa, &steps[$d].moves[down])));
            sum[1] = sum[1].xor(x.lookup(V::load(isa, &steps[16 - $d].moves[down])));
        )*};
    }
    twice!(1 2 3 4 5 6 7);
    sum[0].xor(sum[1])
}

/// h on each block, plus e.
#[inline(always)]
fn all_h<V: Vector>(isa: V::Isa, v: V, down: bool, e: V) -> V {
    let (steps, down) = (V::fresh(&STEPS[0][1]), usize::from(down));
    let (low, high) = (v.low(), v.high());
    let mut sum = [v, e];
    macro_rules! step {
        ($($d:literal)*) => {$(
            let x = product(isa, low, high, &steps[$d]);
            sum[$d % 2] = sum[$d % 2].xor(x.lookup(V::load(isa, &steps[$d].moves[down])));
        )*};
    }
    step!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    sum[0].xor(sum[1])
}

impl<V: Vector> Places for Logs<V> {
    const EVERYWHERE: &'static [Place; 2] = &EVERYWHERE;
    #[inline(always)]
    fn look_up(isa: V::Isa, direction: Direction, x: V, place: &Place, first: V) -> V {
        let x = Self::factor(isa, x);
        let (a, b) = (x.by(&place.to[0]), x.by(&place.to[1]));
        let [_, second, third] = &place.tables;
        match direction {
            Direction::Encrypt => {
                let l = V::repeat(isa, &LOG_L).lookup(a);
                let r = V::repeat(isa, &LOG_R).lookup(b);
                let m = l.sub(r);
                let m = m.min(m.add(V::splat(isa, 15)));
                let q = modulo(isa, r.add(V::repeat(isa, &LOG_PHI).lookup_low(m)));
                let second = V::repeat(isa, second).lookup_low(m);
                let third = V::repeat(isa, third).lookup(a.sub(r));
                first.lookup_low(q).xor3(second, third)
            }
            Direction::Decrypt => {
                let w = V::repeat(isa, &LOG_W).lookup(b);
                let r = modulo(isa, w.add(V::repeat(isa, &LOG_TO_R).lookup(a)));
                let l = modulo(isa, w.add(V::repeat(isa, &LOG_TO_L).lookup(a)));
                let second = V::repeat(isa, second).lookup_low(l);
                let third = V::repeat(isa, third).lookup(a.sub(w));
                first.lookup_low(r).xor3(second, third)
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn assembled(
        direction: Direction,
        v: &mut [V; 16],
        keys: &FirstTables,
        rounds: Range<usize>,
    ) -> bool {
        let Some(v) = V::as_avx2(v) else { return false };
        // SAFETY: vectors of AVX2 prove the feature.
        unsafe { assembly::rounds(direction, keys, rounds, v) };
        true
    }
}

impl<V: Vector> Sbox for Logs<V> {
    by_places!(V);
    type Factor = Halves<V>;
    const CONSTANTS: &'static Constants<Place, Linear> = &CONSTANTS.0;
    #[inline(always)]
    fn factor(isa: V::Isa, x: V) -> Halves<V> {
        Halves { low: x.low(), high: x.high(), isa }
    }
    #[inline(always)]
    fn enter(_: V::Isa, v: V) -> V {
        v
    }
    #[inline(always)]
    fn leave(_: V::Isa, v: V) -> V {
        v
    }
    #[inline(always)]
    fn mix(isa: V::Isa, direction: Direction, v: V, e: V) -> V {
        let back = direction == Direction::Decrypt;
        all_h(isa, all_g(isa, v, back), !back, e)
    }
    #[inline(always)]
    fn mix_one(isa: V::Isa, direction: Direction, v: V, e: V) -> V {
        if V::LEN == 16 {
            return Self::mix(isa, direction, v, e);
        }
        let back = direction == Direction::Decrypt;
        shared(isa, shared(isa, v, 0, back), 1, !back).xor(e)
    }
    // The most blocks, in 128, 256 and 512 bits, for which vectors of blocks are faster than a batch: 4, 10 and 16 as
    // compiled, on Intel 0x06/0xa7; 4, 7 and 12 with one key as assembly, on Zen 5. In 256 bits 8 lies between. A vector
    // of 512 bits has four blocks; there 12, since on Intel, too, a batch as assembly would be a tenth faster than a
    // fourth vector (worked out, not measured).
    const FEW: usize = [4, 8, 12][V::LEN.ilog2() as usize - 4];
    const FEW_GAMMA: usize = Self::FEW;
    const REGISTERS: usize = 1;
    const FEW_LANES: usize = [4, 10, 16][V::LEN.ilog2() as usize - 4];
}

/// The sum of two logarithms modulo 15, in the low nibble.
#[inline(always)]
fn modulo<V: Vector>(isa: V::Isa, sum: V) -> V {
    sum.min(sum.add(V::splat(isa, MODULO)))
}

/// A vector as its nibbles.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Halves<V: Vector> {
    low: V,
    high: V,
    isa: V::Isa,
}

impl<V: Vector> Factor<Linear> for Halves<V> {
    type V = V;
    const LEAVES: &'static [Leaf; 27] = &LEAVES;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Halves { low: self.low.xor(b.low), high: self.high.xor(b.high), isa: self.isa }
    }
    #[inline(always)]
    fn by(self, m: &Linear) -> V {
        let low = V::repeat(self.isa, &m.low).lookup(self.low);
        low.xor(V::repeat(self.isa, &m.high).lookup(self.high))
    }
    #[inline(always)]
    fn once(self, m: &Linear) -> V {
        self.low.xor(V::repeat(self.isa, &m.high).lookup(self.high))
    }
}

/// Rounds by nibbles in assembly: `crates/core/asm/kuznyechik`. The heads of its files list the registers.
#[cfg(target_arch = "x86_64")]
mod assembly {
    use core::arch::asm;
    use core::arch::x86_64::__m256i;
    use core::mem::{MaybeUninit, offset_of};
    use core::ops::Range;

    use super::{LOGARITHMS, Numbers, PLACES, PRODUCTS, Repeated};
    use crate::cipher::Direction;
    use crate::kuznyechik::sbox::places::FirstTables;
    use crate::kuznyechik::sbox::structure::Place;
    use crate::simd::Linear;

    /// Vectors that do not fit into registers, at most.
    const SLOTS: usize = 64;
    /// Pointers lead this far into their tables: the text reads 128 bytes before and after them with short instructions.
    const MIDDLE: usize = 128;

    #[repr(C, align(64))]
    struct Slots([MaybeUninit<__m256i>; SLOTS]);

    // The offsets in the text (`tools/asmgen/src/kuznyechik.rs`).
    const _: () = {
        assert!(size_of::<usize>() == 8 && size_of::<Repeated>() == 32);
        assert!(
            size_of::<Linear>() == 64
                && offset_of!(Linear, low) == 0
                && offset_of!(Linear, high) == 16
        );
        assert!(
            size_of::<Place>() == 256
                && offset_of!(Place, to) == 0
                && offset_of!(Place, tables) == 128
        );
        assert!(offset_of!(Numbers, fifteen) == 0 && offset_of!(Numbers, modulo) == 32);
        assert!(offset_of!(Numbers, log_l) == 2 * 32 && offset_of!(Numbers, log_r) == 3 * 32);
        assert!(offset_of!(Numbers, log_phi) == 4 * 32 && offset_of!(Numbers, log_w) == 5 * 32);
        assert!(offset_of!(Numbers, log_to_r) == 6 * 32 && offset_of!(Numbers, log_to_l) == 7 * 32);
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn rounds(
        direction: Direction,
        tables: &FirstTables,
        rounds: Range<usize>,
        v: &mut [__m256i; 16],
    ) {
        // One text for all calls: two, as a short call of CTR would have, do not fit into a
        // processor's cache of decoded instructions. (The compiler heeds `never` only in a call from a function that has the features.)
        #[target_feature(enable = "avx2")]
        #[inline(never)]
        fn run(
            direction: Direction,
            tables: &FirstTables,
            rounds: Range<usize>,
            v: &mut [__m256i; 16],
        ) {
            let places = &PLACES[direction as usize][rounds.clone()];
            let keys = &tables[rounds];
            assert!(!keys.is_empty() && keys.as_ptr().addr().is_multiple_of(16));
            let mut slots = Slots([MaybeUninit::uninit(); SLOTS]);
            macro_rules! text {
                ($text:literal) => {
                    // SAFETY: the text reads the constants, which their types align; as many places and tables of
                    // keys as `r11` says, both aligned, the latter as asserted above; `v`; and slots that it wrote before.
                    // It writes `v`, at most `SLOTS` vectors of `slots`, which the generator asserts, and the registers
                    // named.
                    unsafe {
                        asm!(
                            include_str!(concat!("../../../asm/kuznyechik/", $text)),
                            inout("r10") places.as_ptr() => _,
                            out("rax") _,
                            inout("rdx") keys.as_ptr().wrapping_byte_add(MIDDLE) => _,
                            inout("r11") keys.len() => _,
                            in("r8") (&raw const *PRODUCTS).wrapping_byte_add(MIDDLE),
                            in("r9") (&raw const LOGARITHMS).wrapping_byte_add(MIDDLE),
                            in("rdi") v.as_mut_ptr().wrapping_byte_add(MIDDLE),
                            in("rcx") (&raw mut slots).wrapping_byte_add(MIDDLE),
                            in("rsi") (&raw mut slots).wrapping_byte_add(3 * MIDDLE),
                            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                            out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                            out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _,
                            out("xmm15") _,
                            options(raw, nostack),
                        )
                    }
                };
            }
            match direction {
                Direction::Encrypt => text!("avx2-encrypt.s"),
                Direction::Decrypt => text!("avx2-decrypt.s"),
            }
        }
        run(direction, tables, rounds, v);
    }
}

#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::kuznyechik::round::{decrypt, encrypt, load, store};
    use crate::simd::{Avx2, Bytes256};

    #[repr(align(16))]
    struct Aligned(FirstTables);

    /// The assembly and the intrinsics, on 100 batches and tables.
    fn same<V: Vector>(word: &str, isa: Option<V::Isa>) {
        let Some(isa) = isa else {
            std::println!("skipped: {word} is not here");
            return;
        };
        let mut random = 1u32;
        let mut byte = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        };
        for n in 0..100 {
            let tables = [(); 9].map(|()| [(); 16].map(|()| [(); 16].map(|()| byte())));
            let Aligned(tables) = &Aligned(tables);
            let batch: [u8; 1024] = core::array::from_fn(|_| byte());
            let rounds = [0..9, 1..9, 0..1][n % 3].clone();
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                let [mut a, mut b] = [(); 2].map(|()| load::<V, 16>(isa, &batch));
                let rounds = match direction {
                    Direction::Encrypt => {
                        encrypt::<Logs<V>>(isa, &mut b, tables, rounds.clone());
                        rounds.clone()
                    }
                    Direction::Decrypt => {
                        decrypt::<Logs<V>>(isa, &mut b, tables);
                        0..9
                    }
                };
                assert!(Logs::<V>::assembled(direction, &mut a, tables, rounds));
                let [a, b] = [a, b].map(|v| {
                    let mut bytes = [0; 1024];
                    store(&v, &mut bytes);
                    bytes
                });
                assert_eq!(a, b, "{word}");
            }
        }
    }

    #[test]
    fn assembly_and_intrinsics_agree() {
        same::<Bytes256<Avx2>>("avx2", Avx2::detect());
    }
}
