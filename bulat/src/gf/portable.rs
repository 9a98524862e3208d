//! Multiplication bit by bit with masks: constant-time; PLACEHOLDER for a faster one.

use crate::kernel::GfKernel;

pub(super) const KERNEL: GfKernel =
    GfKernel { name: "portable", available: || true, mac64, mac128 };

fn mac64(acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
    for (h, a) in h.chunks_exact(8).zip(a.chunks_exact(8)) {
        let (mut h, a) = (
            u64::from_be_bytes(h.try_into().expect("8")),
            u64::from_be_bytes(a.try_into().expect("8")),
        );
        let mut r = 0;
        for i in 0..64 {
            r ^= h & 0u64.wrapping_sub(a >> i & 1);
            h = (h << 1) ^ (0x1b & 0u64.wrapping_sub(h >> 63));
        }
        *acc = (u64::from_be_bytes(*acc) ^ r).to_be_bytes();
    }
}
fn mac128(acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
    for (h, a) in h.chunks_exact(16).zip(a.chunks_exact(16)) {
        let (mut h, a) = (
            u128::from_be_bytes(h.try_into().expect("16")),
            u128::from_be_bytes(a.try_into().expect("16")),
        );
        let mut r = 0;
        for i in 0..128 {
            r ^= h & 0u128.wrapping_sub(a >> i & 1);
            h = (h << 1) ^ (0x87 & 0u128.wrapping_sub(h >> 127));
        }
        *acc = (u128::from_be_bytes(*acc) ^ r).to_be_bytes();
    }
}
