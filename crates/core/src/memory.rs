//! Memory for secrets. [`Secret`] is a value that is wiped on drop and has no `Debug`. `Scratch` is the working
//! memory of a call; `Room` likewise, but written before it is read, so not zeroed first. [`Wiped`] is a list of
//! bytes. This file also wipes the stack that a call has left, and compares in constant time.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::{MaybeUninit, needs_drop};
use core::ops::{Deref, DerefMut};
use subtle::ConstantTimeEq;

use crate::Error;
use crate::simd::Bits;

/// A value that is overwritten when dropped and never printed.
///
/// The value owns no other memory, which would not be wiped: a type with a destructor does not compile. `Clone` exists
/// because a streaming object can be duplicated; each copy wipes itself.
#[derive(Clone, Default)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps the value. If the caller keeps a copy, it must wipe it.
    pub const fn new(value: T) -> Self {
        Secret(value)
    }
}

impl<T> Deref for Secret<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Secret<T> {
    #[inline(always)]
    fn drop(&mut self) {
        const { assert!(!needs_drop::<T>(), "a secret that owns other memory") }
        let bytes = (&raw mut self.0).cast::<MaybeUninit<T>>();
        // In vectors: byte by byte, as `Zeroize` wipes arrays, costs a short message as much as the cipher.
        // SAFETY: the pointer is to this value, which nothing reads any more: it has no destructor. Zeros need not be a
        // valid `T`, since they are a `MaybeUninit`.
        unsafe {
            bytes.write_bytes(0, 1);
            zeroize::optimization_barrier(&*bytes);
        }
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

/// Working memory, zeroed at first and again on drop, by vector stores.
///
/// Alignment extends to the frame of the function that holds it. Otherwise half of the vectors that the compiler spills
/// would cross cache lines, which doubles the cost of a chain.
#[repr(align(64))]
pub(crate) struct Scratch<T: Blank>(T);

impl<T: Blank> Scratch<T> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Scratch(T::BLANK)
    }
    /// Copies `data`.
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

/// A type for which any bytes are a valid value.
///
/// # Safety
/// Any bytes must be a valid value, and a `Proof` must imply that the machine supports values of this type.
pub(crate) unsafe trait Plain {
    type Proof;
}
// SAFETY: any bytes are valid `u8`s.
unsafe impl<const A: usize, const B: usize, const C: usize> Plain for [[[u8; A]; B]; C] {
    type Proof = ();
}
// SAFETY: words of bit planes are vectors or integers, valid for any bytes; the token proves that the machine has the
// vectors' instructions.
unsafe impl<W: Bits, const A: usize, const B: usize> Plain for [[W; A]; B] {
    type Proof = W::Isa;
}

/// Memory for a value that is written before it is read, so it is not zeroed first: zeroing costs too much in a short
/// call and with two batches of planes (above 2048 bytes `memset` can cost twice as much as stores). The compiler must
/// not know that the memory is uninitialised; without inline assembly to hide that, it is zeroed.
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
    /// Gives access to the value, which is unspecified until it is written.
    #[inline(always)]
    pub(crate) fn open(&mut self) -> &mut T {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: the assembly is empty. It tells the compiler that the bytes are written here.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) self.0.as_mut_ptr(), options(nostack, preserves_flags));
        }
        // SAFETY: as far as the compiler knows, the bytes were written above, or zeroed in `new`; any bytes are a valid
        // `T`.
        unsafe { self.0.assume_init_mut() }
    }
}

/// A list of bytes, wiped to its full capacity on drop. It must never reallocate: the old memory would not be wiped.
#[cfg(feature = "alloc")]
pub struct Wiped(pub Vec<u8>);

#[cfg(feature = "alloc")]
impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.clear();
        self.0.resize(self.0.capacity(), 0);
        zeroize::optimization_barrier(&self.0);
    }
}

/// Overwrites a value by `blank`, which the compiler must not leave out.
#[inline(always)]
pub(crate) fn wipe<T>(value: &mut T, blank: T) {
    *value = blank;
    zeroize::optimization_barrier(value);
}

/// Overwrites the stack below this frame, where earlier calls left vectors that the compiler spilled. `N` is in bytes:
/// a key schedule leaves no more than [`DEEP`], groups of blocks no more than [`MIDDLE`], a few round keys no more than
/// [`SHALLOW`].
#[inline(never)]
pub(crate) fn overwrite_stack<const N: usize>() {
    let bytes = [0u8; N];
    zeroize::optimization_barrier(&bytes);
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
    // The result is public.
    let equal = declassify(computed.ct_eq(given).unwrap_u8());
    if equal == 1 { Ok(()) } else { Err(Error::Verify) }
}

/// Marks a secret byte that becomes public; docs/ASSURANCE.md lists all uses with reasons. It returns the byte
/// unchanged and only tells the constant-time harness (feature `declassify`).
#[inline(always)]
pub fn declassify(byte: u8) -> u8 {
    #[cfg(feature = "declassify")]
    if let Some(hook) = DECLASSIFY.get() {
        let mut byte = [byte];
        hook(&mut byte);
        return byte[0];
    }
    byte
}

/// The harness's hook, which marks the byte as public.
#[cfg(feature = "declassify")]
pub static DECLASSIFY: std::sync::OnceLock<fn(&mut [u8; 1])> = std::sync::OnceLock::new();
