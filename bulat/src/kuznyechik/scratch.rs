//! Secret working memory of a call.

use core::ops::{Deref, DerefMut};

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

/// Zeros at first, and again when dropped: in vectors, for octet by octet, as `Secret` wipes an array,
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
