//! Vectors, of no primitive in particular: a file per instruction set. `isa.rs` has the list of
//! instruction sets, their features and the tokens that prove them; `vector.rs` the traits that several primitives'
//! rounds are written over. Operations of a primitive are in its folder.
//!
//! - [`Vector`], [`Field`]: bytes, with a shuffle by bytes.
//! - [`Gates`], [`Bits`]: bit planes, a bit of many blocks in a word.
//! - [`Polynomials`]: sums of products over GF(2).
#![allow(unsafe_code)]

#[macro_use]
mod isa;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod avx2gfni;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod clmul;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "aarch64")]
mod pmull;
mod portable;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod ssse3;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(target_arch = "aarch64")]
pub(crate) use core::arch::aarch64 as arch;
#[cfg(target_arch = "x86")]
pub(crate) use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
pub(crate) use core::arch::x86_64 as arch;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2::Bytes256;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use avx2gfni::Gfni256;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Bytes512;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use clmul::{Polynomials128, Polynomials256, Polynomials512};
pub(crate) use isa::*;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::BytesNeon;
#[cfg(target_arch = "aarch64")]
pub(crate) use pmull::PolynomialsPmull;
pub(crate) use portable::Integers;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use ssse3::Bytes128;
pub use vector::Gates;
#[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64")), allow(unused_imports))]
pub(crate) use vector::{Bits, Eighths, Field, Linear, Polynomials, Vector, fresh, rolled};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::{BytesWasm, PolynomialsWasm};

/// The statements for i = 0, 1, .. below n, which is 16 at most, written out.
///
/// For loops over shuffles of 64 bytes. The compiler does not unroll such loops by itself, and then keeps the vectors
/// in memory.
macro_rules! unrolled {
    ($i:ident < $n:expr, $body:block) => {
        const { assert!($n <= 16) };
        unrolled!($i, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident, $n:expr, $body:block, $($k:literal)*) => {$(
        if $k < $n {
            let $i: usize = $k;
            $body
        }
    )*};
}

/// Makes the compiler align the frame of the function this is inlined in: else half of the spilled vectors would
/// lie across cache lines, which costs 6 to 14 % on Zen 5. Every function that is called through
/// [`apart`] begins with it, but Kuznyechik's `prepare`: its scratch aligns the frame.
#[inline(always)]
pub(crate) fn align() {
    #[repr(align(64))]
    struct Line(#[allow(dead_code)] u8);
    core::hint::black_box(&mut Line(0));
}

/// Hides a function from the compiler, so that it is not inlined. `inline(never)` is not enough: the compiler obeys it
/// only if the caller has the instruction sets of the function.
#[inline(always)]
pub(crate) fn apart<F>(f: F) -> F {
    core::hint::black_box(f)
}

/// Calls the line at an address into the second-level cache: a hint, whatever is there. Into the first, lines of many
/// streams would push out each other, and the working set.
#[inline(always)]
pub(crate) fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has the hint, which touches no memory.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
