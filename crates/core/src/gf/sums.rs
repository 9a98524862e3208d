//! Products, sums and counters, written once for every instruction set.

use crate::InOut;
use crate::simd::Polynomials;

/// acc ^= Σ h_i ⊗ a_i in GF(2^128).
#[inline(always)]
pub(super) fn mac128<P: Polynomials>(isa: P::Isa, acc: &mut [u8; 16], h: &[u8], a: &[u8]) {
    let mut sum = P::zero(isa);
    // Two at a time, which are added in one operation where that has three operands.
    let (pairs, others) = (h.chunks_exact(2 * P::LEN), a.chunks_exact(2 * P::LEN));
    let (h, a) = (pairs.remainder(), others.remainder());
    for (h, a) in pairs.zip(others) {
        let ((h, i), (a, b)) = (h.split_at(P::LEN), a.split_at(P::LEN));
        sum = sum.add_whole(h, a).add_whole(i, b);
    }
    for (h, a) in h.chunks(P::LEN).zip(a.chunks(P::LEN)) {
        sum = sum.add_whole(h, a);
    }
    *acc = (u128::from_be_bytes(*acc) ^ reduce128(sum.parts())).to_be_bytes();
}

/// acc ^= Σ h_i ⊗ a_i in GF(2^64).
#[inline(always)]
pub(super) fn mac64<P: Polynomials>(isa: P::Isa, acc: &mut [u8; 8], h: &[u8], a: &[u8]) {
    let mut sum = P::zero(isa);
    let (wholes, others) = (h.chunks_exact(P::LEN), a.chunks_exact(P::LEN));
    let (h, a) = (wholes.remainder(), others.remainder());
    for (h, a) in wholes.zip(others) {
        sum = sum.add_halves(h, a);
    }
    if !h.is_empty() {
        sum = sum.add_halves(h, a);
    }
    let [one, _, other] = sum.parts();
    *acc = (u64::from_be_bytes(*acc) ^ reduce64(one ^ other)).to_be_bytes();
}

/// A sum of products in GF(2^128), of its low, middle and high parts.
#[inline(always)]
pub(crate) fn reduce128([low, middle, high]: [u128; 3]) -> u128 {
    let (mut high, mut low) = (high ^ middle >> 64, low ^ middle << 64);
    // x^128 = x^7 + x^2 + x + 1, twice: the first time leaves seven bits above.
    for _ in 0..2 {
        low ^= high ^ high << 1 ^ high << 2 ^ high << 7;
        high = high >> 127 ^ high >> 126 ^ high >> 121;
    }
    low
}

/// A sum of products in GF(2^64).
#[inline(always)]
pub(crate) fn reduce64(sum: u128) -> u64 {
    let (mut high, mut low) = ((sum >> 64) as u64, sum as u64);
    // x^64 = x^4 + x^3 + x + 1, twice: the first time leaves four bits above.
    for _ in 0..2 {
        low ^= high ^ high << 1 ^ high << 3 ^ high << 4;
        high = high >> 63 ^ high >> 61 ^ high >> 60;
    }
    low
}

/// The values of a counter of MGM (RFC 9058, section 4), which counts in its left or right half, from its present value
/// on. The counter then has the next value.
///
/// Each a plain loop over words of 64 bits, which compilers vectorise.
#[inline(always)]
pub(super) fn counters(counter: &mut [u8], left: bool, out: &mut [u8]) {
    let left = u64::from(left).wrapping_neg();
    if let Ok(counter) = <&mut [u8; 8]>::try_from(&mut *counter) {
        let (first, counts) = (u64::from_be_bytes(*counter), left | 0xffff_ffff);
        let value = |i| first & !counts | first.wrapping_add(i << (left & 32)) & counts;
        *counter = value(out.len() as u64 / 8).to_be_bytes();
        for (i, out) in (0..).zip(out.as_chunks_mut().0) {
            *out = value(i).to_be_bytes();
        }
    } else {
        let halves = counter.as_chunks_mut::<8>().0;
        let [a, b] = [0, 1].map(|i: usize| u64::from_be_bytes(halves[i]));
        let value = |i: u64| {
            let second = (i & 1).wrapping_neg();
            (a & !second | b & second).wrapping_add(i >> 1 & (left ^ second))
        };
        for (i, half) in (out.len() as u64 / 8..).zip(halves) {
            *half = value(i).to_be_bytes();
        }
        for (i, out) in (0..).zip(out.as_chunks_mut().0) {
            *out = value(i).to_be_bytes();
        }
    }
}

/// Blocks of 16 bytes that `powers` does at a time.
const AHEAD: usize = 256;

/// Every 256 bytes after the first become those before them, each block times α^16: x^128 = x^7 + x^2 + x +
/// 1, and here the first byte of a block holds the lowest powers.
#[inline(always)]
pub(super) fn powers(bytes: &mut [u8]) {
    for at in (0..bytes.len()).step_by(16).skip(AHEAD / 16) {
        let (before, now) = bytes.split_at_mut(at);
        let block = &before.as_chunks().0[(at - AHEAD) / 16];
        now.as_chunks_mut().0[0] = times::<16>(u128::from_le_bytes(*block)).to_le_bytes();
    }
}

/// t·α^K: x^128 = x^7 + x^2 + x + 1.
#[inline(always)]
pub fn times<const K: u32>(t: u128) -> u128 {
    let over = if K == 1 {
        (t.cast_signed() >> 127) as u64 & 0x87
    } else {
        let over = (t >> (128 - K)) as u64;
        over ^ over << 1 ^ over << 2 ^ over << 7
    };
    t << K ^ u128::from(over)
}

/// out = in ^ b.
///
/// It copies 64 bytes at a time, so that it is compiled to vectors whether in place or not.
#[inline(always)]
pub fn add(mut data: InOut<'_, '_>, b: &[u8]) {
    debug_assert_eq!(data.len(), b.len());
    let mut chunk = [0u8; 64];
    let (whole, rest) = (data.len() & !63, data.len() & 63);
    for i in (0..whole).step_by(64) {
        chunk.copy_from_slice(&data.get_in()[i..i + 64]);
        chunk.iter_mut().zip(&b[i..i + 64]).for_each(|(c, b)| *c ^= b);
        data.get_out()[i..i + 64].copy_from_slice(&chunk);
    }
    for (i, b) in b[whole..][..rest].iter().enumerate() {
        let x = data.get_in()[whole + i];
        data.get_out()[whole + i] = x ^ b;
    }
}
