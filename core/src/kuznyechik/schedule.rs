//! A key as the kernels need it.

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
