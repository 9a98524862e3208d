//! Memory that is written before it is read, so that no zeros are put there first: beside a short call, and beside
//! two batches of planes, these are not cheap (above 2048 octets `memset` may take twice as long as stores do). Where
//! there is no inline assembly that hides this from the compiler, zeros it is.

use core::mem::MaybeUninit;

use super::Bits;

/// What any octets are a value of.
///
/// # Safety
/// That is so, and where `Proof` is, a value may be.
pub(crate) unsafe trait Plain {
    type Proof;
}
// SAFETY: octets.
unsafe impl<const A: usize, const B: usize, const C: usize> Plain for [[[u8; A]; B]; C] {
    type Proof = ();
}
// SAFETY: words of bit planes are vectors, or integers; the token proves the vectors' instruction set.
unsafe impl<W: Bits, const A: usize, const B: usize> Plain for [[W; A]; B] {
    type Proof = W::Isa;
}

/// Room for a value.
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
    /// What is there, of no particular value before it is written.
    #[inline(always)]
    pub(crate) fn open(&mut self) -> &mut T {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: nothing happens; for all that the compiler knows the octets are written here.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) self.0.as_mut_ptr(), options(nostack, preserves_flags));
        }
        // SAFETY: written, for all that the compiler knows, or zeroed; any octets are a value.
        unsafe { self.0.assume_init_mut() }
    }
}
