//! Rounds with one key of [`super::logs`], where they are assembly.
#![allow(unsafe_code)]

use core::ops::Range;

use super::round::FirstTables;
use crate::cipher::Direction;
use crate::simd::Nibbles;
#[cfg(target_arch = "x86_64")]
use crate::simd::Octets512;
#[cfg(target_arch = "aarch64")]
use crate::simd::OctetsNeon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::simd::OctetsWasm;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::{Octets128, Octets256};

/// What a set may have of its own.
pub(super) trait Rounds: Nibbles {
    /// Rounds by nibbles, where they are assembly; else nothing, and false.
    #[inline(always)]
    fn rounds(_: Direction, _: &FirstTables, _: Range<usize>, _: &mut [Self; 16]) -> bool {
        false
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<I> Rounds for Octets128<I> where Self: Nibbles {}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<I> Rounds for Octets256<I>
where
    Self: Nibbles,
{
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn rounds(
        direction: Direction,
        tables: &FirstTables,
        rounds: Range<usize>,
        v: &mut [Self; 16],
    ) -> bool {
        let v = v.as_mut_ptr().cast::<[core::arch::x86_64::__m256i; 16]>();
        // SAFETY: a value is its vector, and proves the features.
        unsafe { super::avx2::rounds(direction, tables, rounds, &mut *v) };
        true
    }
}

// Compiled: see tools/asmgen/src/kuznyechik.rs.
#[cfg(target_arch = "x86_64")]
impl<I> Rounds for Octets512<I> where Self: Nibbles {}

#[cfg(target_arch = "aarch64")]
impl<I> Rounds for OctetsNeon<I> where Self: Nibbles {}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl<I> Rounds for OctetsWasm<I> where Self: Nibbles {}
