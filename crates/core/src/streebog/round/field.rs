//! g_N over [`Rows`], for every instruction set that multiplies in the field of AES.
//!
//! A state is a value of [`Rows`] in the image Φ (`constants/aes.rs`). A block begins in the layout `Rows`, and its 13
//! LPS leave it in `Columns` (`constants`). `N` messages go together: 1, or 2 to fill each other's waits.
//!
//! Operations of an LPS of one state:
//! - `avx2gfni`: S 24, L 38 or 42. With 26 for S, on three ports of Intel 0x06/0xa7, the bound was 9.0 cycles a byte, and
//!   11.1 were measured (81 %).
//! - `gfni512`: S 4 (there 8, a permutation of two vectors being 3), L 17. On two ports the bound is 5.2, and 6.4 were
//!   measured (81 %).

use core::hint::black_box;

use crate::kernel::{HashKeys, HashState};
use crate::streebog::constants::aes::ROUNDS;

// Loops, not closures: a closure that `core` calls may stay outside the entry, where the instruction set
// is not enabled and every intrinsic is a call.

/// 64 bytes as eight groups of eight, in the field of AES.
///
/// A value exists only where its instruction set does: `load` and `splat` need the token.
pub(in crate::streebog) trait Rows: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-box's table in registers.
    type Sbox: Copy;
    fn sbox(isa: Self::Isa) -> Self::Sbox;
    fn load(isa: Self::Isa, bytes: &[u8; 64]) -> Self;
    fn store(self, bytes: &mut [u8; 64]);
    /// Φ on every byte, and back.
    fn enter_image(self) -> Self;
    fn leave_image(self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Byte k of group i and byte i of group k change places.
    fn transposed(self) -> Self;
    /// Φ∘π∘Φ⁻¹ on every byte.
    fn substitute(self, sbox: &Self::Sbox) -> Self;
    /// L from `Rows` to `Columns`, plus e and f.
    fn mix_groups(self, e: Self, f: Self) -> Self;
    /// L from `Columns` to `Rows`, plus e and f.
    fn mix_inside(self, e: Self, f: Self) -> Self;
    /// [`compress`] of one message, where that is assembly.
    #[inline(always)]
    fn compress(_: &Self::Sbox, _key: Self, _text: Self, _last: Self) -> Option<Self> {
        None
    }
}

/// 12 rounds of the state `text` under the keys that begin with LPS(`key`), plus `last`.
#[inline(always)]
pub(in crate::streebog) fn compress<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    key: [R; N],
    text: [R; N],
    last: [R; N],
) -> [R; N] {
    if let ([key], [text], [last]) = (&key[..], &text[..], &last[..])
        && let Some(x) = R::compress(sbox, *key, *text, *last)
    {
        return [x; N];
    }
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize| R::load(isa, &ROUNDS[i - 1][i % 2].0);
    // k is K_i with C_i, which the next key needs; the state adds C_i again.
    let (mut k, mut x) = (key, text);
    for i in 0..N {
        k[i] = key[i].substitute(sbox).mix_groups(c(1), zero);
        x[i] = text[i].transposed().xor3(k[i], c(1));
    }
    x = chains(isa, sbox, k, x);
    for i in 0..N {
        x[i] = x[i].transposed().xor(last[i]);
    }
    x
}

/// The sum of K_13 and the state after its twelfth LPS, in `Columns`, of K_1 with C_1 and the state that has K_1.
#[inline(always)]
fn chains<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    key: [R; N],
    state: [R; N],
) -> [R; N] {
    let zero = R::load(isa, &[0; 64]);
    let c = |i: usize| R::load(isa, &ROUNDS[i - 1][i % 2].0);
    let (mut k, mut x) = (key, state);
    // S of either chain during the sums of the other.
    let (mut sk, mut sx) = (k, x);
    for i in 0..N {
        sk[i] = k[i].substitute(sbox);
    }
    let mut even = 2;
    loop {
        for i in 0..N {
            k[i] = sk[i].mix_inside(c(even), zero);
            sx[i] = x[i].substitute(sbox);
        }
        for i in 0..N {
            sk[i] = k[i].substitute(sbox);
            x[i] = sx[i].mix_inside(c(even), k[i]);
        }
        if even == 12 {
            break;
        }
        for i in 0..N {
            k[i] = sk[i].mix_groups(c(even + 1), zero);
            sx[i] = x[i].substitute(sbox);
        }
        for i in 0..N {
            sk[i] = k[i].substitute(sbox);
            x[i] = sx[i].mix_groups(c(even + 1), k[i]);
        }
        even += 2;
    }
    for i in 0..N {
        k[i] = sk[i].mix_groups(zero, zero);
        x[i] = x[i].substitute(sbox).mix_groups(k[i], zero);
    }
    x
}

/// [`compress`] under known keys.
#[inline(always)]
pub(in crate::streebog) fn under<R: Rows, const N: usize>(
    isa: R::Isa,
    sbox: &R::Sbox,
    keys: &HashKeys,
    text: [R; N],
    last: [R; N],
) -> [R; N] {
    let zero = R::load(isa, &[0; 64]);
    let key = |i: usize| R::load(isa, &keys.0[i - 1]);
    let mut x = text;
    for i in 0..N {
        x[i] = text[i].transposed().xor(key(1));
    }
    let mut even = 2;
    while even <= 12 {
        for i in 0..N {
            x[i] = x[i].substitute(sbox).mix_inside(key(even), zero);
        }
        for i in 0..N {
            x[i] = x[i].substitute(sbox).mix_groups(key(even + 1), zero);
        }
        // Untraceable, or the compiler writes the loop out.
        even = black_box(even + 2);
    }
    for i in 0..N {
        x[i] = x[i].transposed().xor(last[i]);
    }
    x
}

/// The keys of the next block.
#[inline(always)]
pub(in crate::streebog) fn keys<R: Rows>(isa: R::Isa, state: &HashState) -> HashKeys {
    let mut keys = HashKeys([[0; 64]; 13]);
    let sbox = R::sbox(isa);
    let zero = R::load(isa, &[0; 64]);
    let mut k = R::load(isa, &state.h).xor(R::load(isa, &state.n)).enter_image();
    for i in 0..13 {
        k = k.substitute(&sbox);
        k = if i % 2 == 0 { k.mix_groups(zero, zero) } else { k.mix_inside(zero, zero) };
        k.store(&mut keys.0[i]);
        if i < 12 {
            k = k.xor(R::load(isa, &ROUNDS[i][(i + 1) % 2].0));
        }
    }
    keys
}
