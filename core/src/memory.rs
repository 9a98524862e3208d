//! Memory for secrets: [`Secret`], a value that is wiped on drop, without `Debug`; [`Scratch`], working
//! memory of a call, and [`Room`], the same that is written before it is read; [`Wiped`], bytes in a list; the stack
//! that a call has left. And comparison in constant time.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::Error;
use crate::simd::Bits;

/// A value that is overwritten when dropped and never printed.
///
/// `Clone` is there because a streaming object can be duplicated; each copy wipes itself.
#[derive(Clone, Default)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Wraps a value; the caller's copy, if any, is the caller's to wipe.
    pub const fn new(value: T) -> Self {
        Secret(value)
    }
}

impl<T: Zeroize> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Plain data with a value of zeros.
pub(crate) trait Blank: Copy {
    const BLANK: Self;
}
impl Blank for u8 {
    const BLANK: Self = 0;
}
impl Blank for u32 {
    const BLANK: Self = 0;
}
impl Blank for u64 {
    const BLANK: Self = 0;
}
impl<T: Blank, const N: usize> Blank for [T; N] {
    const BLANK: Self = [T::BLANK; N];
}

/// Zeros at first, and again when dropped: in vectors, for byte by byte, as `Secret` wipes an array,
/// costs more than the blocks of a short call.
///
/// Aligned, so that the frame of a function that has one is aligned as well: else half of the vectors that
/// the compiler spills would lie across cache lines, and a chain cost twice as much.
#[repr(align(64))]
pub(crate) struct Scratch<T: Blank>(T);

impl<T: Blank> Scratch<T> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Scratch(T::BLANK)
    }
    /// A copy.
    #[inline(always)]
    pub(crate) fn of(data: &T) -> Self {
        Scratch(*data)
    }
}

impl<T: Blank> Deref for Scratch<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Blank> DerefMut for Scratch<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Blank> Drop for Scratch<T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0 = T::BLANK;
        zeroize::optimization_barrier(&self.0);
    }
}

/// A type of which any bytes are a value.
///
/// # Safety
/// Any bytes are a value, and a value may exist where `Proof` does.
pub(crate) unsafe trait Plain {
    type Proof;
}
// SAFETY: bytes.
unsafe impl<const A: usize, const B: usize, const C: usize> Plain for [[[u8; A]; B]; C] {
    type Proof = ();
}
// SAFETY: words of bit planes are vectors, or integers; the token proves the vectors' instruction set.
unsafe impl<W: Bits, const A: usize, const B: usize> Plain for [[W; A]; B] {
    type Proof = W::Isa;
}

/// Room for a value that is written before it is read, so that no zeros are put there first: compared with a short call,
/// or with two batches of planes, these are not cheap (above 2048 bytes `memset` may cost twice as much as stores).
/// Where there is no inline assembly that hides this from the compiler, zeros it is.
pub(crate) struct Room<T>(MaybeUninit<T>);

impl<T: Plain> Room<T> {
    #[inline(always)]
    pub(crate) fn new(_: T::Proof) -> Self {
        if cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) {
            Room(MaybeUninit::uninit())
        } else {
            Room(MaybeUninit::zeroed())
        }
    }
    /// The value, of any bytes before it is written.
    #[inline(always)]
    pub(crate) fn open(&mut self) -> &mut T {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: nothing happens; for all that the compiler knows the bytes are written here.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) self.0.as_mut_ptr(), options(nostack, preserves_flags));
        }
        // SAFETY: written, for all that the compiler knows, or zeroed; any bytes are a value.
        unsafe { self.0.assume_init_mut() }
    }
}

/// Bytes that are wiped, also those that it had before it became shorter; it must not outgrow its room.
#[cfg(feature = "alloc")]
pub(crate) struct Wiped(pub(crate) Vec<u8>);

#[cfg(feature = "alloc")]
impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.clear();
        self.0.resize(self.0.capacity(), 0);
        zeroize::optimization_barrier(&self.0);
    }
}

/// Overwrites a value by this one, which the compiler must not leave out.
#[inline(always)]
pub(crate) fn wipe<T>(value: &mut T, blank: T) {
    *value = blank;
    zeroize::optimization_barrier(value);
}

/// Overwrites the stack below: vectors that the compiler spilled in functions called before from the same place. `N`
/// bytes: no key schedule has more than [`DEEP`], groups of blocks no more than [`MIDDLE`], and
/// a few round keys no more than [`SHALLOW`].
#[inline(never)]
pub(crate) fn overwrite_stack<const N: usize>() {
    let octets = [0u8; N];
    zeroize::optimization_barrier(&octets);
}

pub(crate) const DEEP: usize = 32 << 10;
pub(crate) const MIDDLE: usize = 8 << 10;
pub(crate) const SHALLOW: usize = 2 << 10;

/// Compares two tags in constant time; lengths are public.
///
/// # Errors
/// [`Error::TagLength`] when the lengths differ, [`Error::Verify`] when the bytes do.
pub fn verify(computed: &[u8], given: &[u8]) -> Result<(), Error> {
    if computed.len() != given.len() {
        return Err(Error::TagLength);
    }
    // The verdict is the answer.
    let equal = declassify(computed.ct_eq(given).unwrap_u8());
    if equal == 1 { Ok(()) } else { Err(Error::Verify) }
}

/// Every place where something secret becomes public goes through this: docs/ASSURANCE.md has the list
/// with the reasons. It does nothing but tell the constant-time harness (feature `declassify`).
#[inline(always)]
pub(crate) fn declassify(octet: u8) -> u8 {
    #[cfg(feature = "declassify")]
    if let Some(hook) = DECLASSIFY.get() {
        let mut octet = [octet];
        hook(&mut octet);
        return octet[0];
    }
    octet
}

/// The harness's hook, which marks the byte as public.
#[cfg(feature = "declassify")]
pub static DECLASSIFY: std::sync::OnceLock<fn(&mut [u8; 1])> = std::sync::OnceLock::new();
