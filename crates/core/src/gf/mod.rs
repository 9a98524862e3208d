//! GF(2^64) and GF(2^128) as MGM uses them: RFC 9058, section 4. Polynomials x^64 + x^4 + x^3 + x + 1
//! and x^128 + x^7 + x^2 + x + 1; the first byte of a block holds the highest powers.
//!
//! A kernel adds products h_i ⊗ a_i of polynomials without reducing them. It reduces only their sum, at the end of a
//! call, so long calls are cheaper.
//!
//! ```
//! use bulat_core::{gf, kernel::Ready};
//! let kernel = gf::KERNELS.iter().find_map(Ready::new).expect("portable is everywhere");
//! let mut acc = [0; 8];
//! // x^63 ⊗ x = x^4 + x^3 + x + 1
//! kernel.mac64(&mut acc, &[0x80, 0, 0, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 0, 0, 2]);
//! assert_eq!(acc, [0, 0, 0, 0, 0, 0, 0, 0x1b]);
//! ```

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod clmul;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod extmul;
#[cfg(target_arch = "aarch64")]
mod pmull;
mod portable;
mod sums;

use crate::kernel::{GfKernel, Picked, Primitive};
pub use sums::{add, times};
#[cfg(target_arch = "x86_64")]
pub(crate) use sums::{reduce64, reduce128};

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "gf";

impl Primitive for GfKernel {
    const PRIMITIVE: &'static str = NAME;
    fn picked() -> &'static Picked {
        static PICKED: Picked = Picked::new();
        &PICKED
    }
}

/// The kernels, fastest first.
pub static KERNELS: &[GfKernel] = &[
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    clmul::vpclmul512::KERNEL,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    clmul::vpclmul256::KERNEL,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    clmul::clmul::KERNEL,
    #[cfg(target_arch = "aarch64")]
    pmull::KERNEL,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    extmul::KERNEL,
    portable::KERNEL,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cipher::{Block, Count};
    use crate::kernel::Ready;

    /// Value after value, each half for itself, with carries out of bytes and of halves.
    fn values<B: Block>() {
        let half = B::LEN / 2;
        let mut start = B::ZERO;
        start.as_mut().fill(0xff);
        (start.as_mut()[half - 1], start.as_mut()[0]) = (0xf0, 0x7f);
        for kernel in KERNELS.iter().filter_map(Ready::new) {
            for (count, counts) in [(Count::Left, 0..half), (Count::Right, half..B::LEN)] {
                for blocks in [0, 1, 3, 4, 5, 15, 16, 17, 40] {
                    let (mut counter, mut want, mut bytes) = (start, start, [0; 40 * 16]);
                    let bytes = &mut bytes[..blocks * B::LEN];
                    kernel.counters(&mut counter, count, bytes);
                    for block in bytes.chunks(B::LEN) {
                        assert!(block == want.as_ref(), "{} {count:?} {blocks}", kernel.name());
                        for byte in want.as_mut()[counts.clone()].iter_mut().rev() {
                            *byte = byte.wrapping_add(1);
                            if *byte != 0 {
                                break;
                            }
                        }
                    }
                    assert!(counter == want, "{} {count:?} {blocks}", kernel.name());
                }
            }
        }
    }

    #[test]
    fn counters_count() {
        values::<[u8; 8]>();
        values::<[u8; 16]>();
    }

    #[test]
    fn powers_are_one_after_the_other() {
        for kernel in KERNELS.iter().filter_map(Ready::new) {
            for len in [256, 512, 768, 1024, 4096] {
                let mut bytes = [0; 4096];
                let mut t = u128::MAX / 7 * 3;
                let mut want = bytes;
                for block in want[..len].as_chunks_mut().0 {
                    *block = t.to_le_bytes();
                    t = times::<1>(t);
                }
                bytes[..256].copy_from_slice(&want[..256]);
                kernel.powers(&mut bytes[..len]);
                assert!(bytes == want, "{} {len}", kernel.name());
            }
        }
    }
}
