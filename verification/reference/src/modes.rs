//! The modes of operation and padding procedures of GOST R 34.13-2015.
//!
//! All counters and polynomials are big-endian. `n` is the block size of the
//! cipher, `s` the bytes of gamma used of each block, `m` the length of the
//! register and of the IV; the standard counts bits, this file bytes.

use crate::{Cipher, Error};

/// E_K of a block, as a new block.
pub(crate) fn e(c: &dyn Cipher, block: &[u8]) -> Vec<u8> {
    let mut out = block.to_vec();
    c.encrypt(&mut out);
    out
}

/// D_K of a block, as a new block.
pub(crate) fn d(c: &dyn Cipher, block: &[u8]) -> Vec<u8> {
    let mut out = block.to_vec();
    c.decrypt(&mut out);
    out
}

/// The xor of two strings, cut to the length of `a`; `b` must be as long or longer.
pub(crate) fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    assert!(b.len() >= a.len());
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Adds 1 to a big-endian number modulo 2 to the number of its bits.
pub(crate) fn increment(number: &mut [u8]) {
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

/// Padding procedure 1 (4.1.1): zeros up to a multiple of `l`; nothing is
/// added to a multiple, the empty string included. Not reversible.
/// Panics when `l` is 0.
pub fn pad1(l: usize, p: &[u8]) -> Vec<u8> {
    assert!(l > 0, "blocks of no bytes");
    let mut out = p.to_vec();
    while !out.len().is_multiple_of(l) {
        out.push(0);
    }
    out
}

/// Padding procedure 2 (4.1.2): a bit 1, then zeros up to a multiple of `l`.
/// Something is always added. Panics when `l` is 0.
pub fn pad2(l: usize, p: &[u8]) -> Vec<u8> {
    let mut out = p.to_vec();
    out.push(0x80);
    pad1(l, &out)
}

/// Padding procedure 3 (4.1.3): procedure 2 unless the last block is full. An
/// empty string has no full block, hence is padded. Panics when `l` is 0.
pub fn pad3(l: usize, p: &[u8]) -> Vec<u8> {
    if !p.is_empty() && p.len().is_multiple_of(l) { p.to_vec() } else { pad2(l, p) }
}

/// Undoes [`pad2`]. [`Error::Padding`] unless the last block of a non-empty
/// multiple of `l` ends in 80 00..00.
pub fn unpad2(l: usize, p: &[u8]) -> Result<Vec<u8>, Error> {
    if l == 0 || p.is_empty() || !p.len().is_multiple_of(l) {
        return Err(Error::Padding);
    }
    let mark = p.iter().rposition(|&byte| byte != 0).ok_or(Error::Padding)?;
    if p[mark] != 0x80 || mark < p.len() - l {
        return Err(Error::Padding);
    }
    Ok(p[..mark].to_vec())
}

/// ECB (5.1.1): a message of whole blocks, else [`Error::MessageLength`].
pub fn ecb_encrypt(c: &dyn Cipher, p: &[u8]) -> Result<Vec<u8>, Error> {
    if !p.len().is_multiple_of(c.block()) {
        return Err(Error::MessageLength);
    }
    Ok(p.chunks(c.block()).flat_map(|block| e(c, block)).collect())
}

/// ECB (5.1.2): a ciphertext of whole blocks, else [`Error::MessageLength`].
pub fn ecb_decrypt(c: &dyn Cipher, ct: &[u8]) -> Result<Vec<u8>, Error> {
    if !ct.len().is_multiple_of(c.block()) {
        return Err(Error::MessageLength);
    }
    Ok(ct.chunks(c.block()).flat_map(|block| d(c, block)).collect())
}

/// [`Error::GammaLength`] unless 1 <= s <= n.
pub(crate) fn check_s(c: &dyn Cipher, s: usize) -> Result<(), Error> {
    if s == 0 || s > c.block() { Err(Error::GammaLength) } else { Ok(()) }
}

fn gamma(c: &dyn Cipher, mut counter: Vec<u8>, s: usize, p: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in p.chunks(s) {
        out.extend(xor(piece, &e(c, &counter)));
        increment(&mut counter);
    }
    out
}

/// CTR (5.2), its own inverse. CTR_1 = iv||0, iv of n/2 bytes
/// ([`Error::IvLength`]); CTR_(i+1) = CTR_i + 1 modulo 2^(8n); gamma is the
/// first `s` bytes of each encrypted counter. Any message length.
pub fn ctr(c: &dyn Cipher, iv: &[u8], s: usize, p: &[u8]) -> Result<Vec<u8>, Error> {
    check_s(c, s)?;
    if iv.len() != c.block() / 2 {
        return Err(Error::IvLength);
    }
    let mut counter = iv.to_vec();
    counter.resize(c.block(), 0);
    Ok(gamma(c, counter, s, p))
}

/// CTR from a whole first counter of n bytes ([`Error::IvLength`]) with
/// s = n. Not in the standard: other libraries offer it, and it reaches the
/// carries that [`ctr`] would need too long to reach.
pub fn ctr_full(c: &dyn Cipher, counter: &[u8], p: &[u8]) -> Result<Vec<u8>, Error> {
    if counter.len() != c.block() {
        return Err(Error::IvLength);
    }
    Ok(gamma(c, counter.to_vec(), c.block(), p))
}

/// [`Error::IvLength`] unless the register is z >= 1 blocks.
fn check_blocks(c: &dyn Cipher, iv: &[u8]) -> Result<(), Error> {
    if iv.is_empty() || !iv.len().is_multiple_of(c.block()) { Err(Error::IvLength) } else { Ok(()) }
}

/// OFB (5.3), its own inverse. The register R of z blocks starts as `iv`;
/// Y = E(MSB_n(R)), gamma is the first `s` bytes of Y, and R becomes
/// LSB_(m-n)(R)||Y: it moves by n whatever s. Any message length.
pub fn ofb(c: &dyn Cipher, iv: &[u8], s: usize, p: &[u8]) -> Result<Vec<u8>, Error> {
    check_s(c, s)?;
    check_blocks(c, iv)?;
    let mut register = iv.to_vec();
    let mut out = Vec::new();
    for piece in p.chunks(s) {
        let y = e(c, &register[..c.block()]);
        out.extend(xor(piece, &y));
        register.drain(..c.block());
        register.extend(y);
    }
    Ok(out)
}

/// CBC (5.4.1). The register of z blocks starts as `iv`;
/// C_i = E(P_i xor MSB_n(R)), R becomes LSB_(m-n)(R)||C_i. Whole blocks only
/// ([`Error::MessageLength`]): pad before.
pub fn cbc_encrypt(c: &dyn Cipher, iv: &[u8], p: &[u8]) -> Result<Vec<u8>, Error> {
    check_blocks(c, iv)?;
    if !p.len().is_multiple_of(c.block()) {
        return Err(Error::MessageLength);
    }
    let mut register = iv.to_vec();
    let mut out = Vec::new();
    for block in p.chunks(c.block()) {
        let encrypted = e(c, &xor(block, &register));
        register.drain(..c.block());
        register.extend(&encrypted);
        out.extend(encrypted);
    }
    Ok(out)
}

/// CBC (5.4.2): P_i = D(C_i) xor MSB_n(R).
pub fn cbc_decrypt(c: &dyn Cipher, iv: &[u8], ct: &[u8]) -> Result<Vec<u8>, Error> {
    check_blocks(c, iv)?;
    if !ct.len().is_multiple_of(c.block()) {
        return Err(Error::MessageLength);
    }
    let mut register = iv.to_vec();
    let mut out = Vec::new();
    for block in ct.chunks(c.block()) {
        out.extend(xor(&d(c, block), &register));
        register.drain(..c.block());
        register.extend(block);
    }
    Ok(out)
}

fn cfb(c: &dyn Cipher, iv: &[u8], s: usize, text: &[u8], encrypt: bool) -> Result<Vec<u8>, Error> {
    check_s(c, s)?;
    if iv.len() < c.block() {
        return Err(Error::IvLength);
    }
    let mut register = iv.to_vec();
    let mut out = Vec::new();
    for piece in text.chunks(s) {
        let result = xor(piece, &e(c, &register[..c.block()]));
        // A short last piece leaves a short register, which is not used again.
        register.drain(..s);
        register.extend(if encrypt { &result } else { piece });
        out.extend(result);
    }
    Ok(out)
}

/// CFB (5.5.1). The register of any m >= n bytes starts as `iv`
/// ([`Error::IvLength`]); C_i = P_i xor MSB_s(E(MSB_n(R))), and R becomes
/// LSB_(m-s)(R)||C_i: it moves by s. Any message length.
pub fn cfb_encrypt(c: &dyn Cipher, iv: &[u8], s: usize, p: &[u8]) -> Result<Vec<u8>, Error> {
    cfb(c, iv, s, p, true)
}

/// CFB (5.5.2).
pub fn cfb_decrypt(c: &dyn Cipher, iv: &[u8], s: usize, ct: &[u8]) -> Result<Vec<u8>, Error> {
    cfb(c, iv, s, ct, false)
}

/// The product by x in GF(2^64) or GF(2^128), big-endian: shift by one bit to
/// the left, and xor B_64 = 0^59||11011 or B_128 = 0^120||10000111 when a bit
/// fell out (5.6.1).
pub(crate) fn double(block: &[u8]) -> Vec<u8> {
    let n = block.len();
    let mut out = vec![0; n];
    for i in 0..n {
        let from_the_right = if i + 1 < n { block[i + 1] >> 7 } else { 0 };
        out[i] = block[i] << 1 | from_the_right;
    }
    if block[0] & 0x80 != 0 {
        out[n - 1] ^= if n == 8 { 0x1b } else { 0x87 };
    }
    out
}

/// R = E(0), K1 and K2 of OMAC (5.6.1), n bytes each.
pub fn omac_keys(c: &dyn Cipher) -> [Vec<u8>; 3] {
    let r = e(c, &vec![0; c.block()]);
    let k1 = double(&r);
    let k2 = double(&k1);
    [r, k1, k2]
}

/// OMAC, the MAC of GOST R 34.13-2015 5.6: the first `tag_len` bytes
/// (1..=n, else [`Error::TagLength`]) of
/// E(C_(q-1) xor P*_q xor K*), with K* = K1 when the last block is full, K2
/// when procedure 3 padded it; the empty message is one padded block.
pub fn omac(c: &dyn Cipher, p: &[u8], tag_len: usize) -> Result<Vec<u8>, Error> {
    let n = c.block();
    if tag_len == 0 || tag_len > n {
        return Err(Error::TagLength);
    }
    let [_, k1, k2] = omac_keys(c);
    let padded = pad3(n, p);
    let key = if padded.len() == p.len() { k1 } else { k2 };
    let (head, last) = padded.split_at(padded.len() - n);
    let mut state = vec![0; n];
    for block in head.chunks(n) {
        state = e(c, &xor(block, &state));
    }
    let mut tag = e(c, &xor(&xor(last, &state), &key));
    tag.truncate(tag_len);
    Ok(tag)
}

/// [`Error::TagLength`] unless `tag` has `tag_len` bytes, then [`Error::Mac`]
/// unless it is the OMAC of the message.
pub fn omac_verify(c: &dyn Cipher, p: &[u8], tag_len: usize, tag: &[u8]) -> Result<(), Error> {
    let right = omac(c, p, tag_len)?;
    compare(&right, tag)
}

/// [`Error::TagLength`] when the lengths differ, [`Error::Mac`] when the bytes do.
pub(crate) fn compare(right: &[u8], tag: &[u8]) -> Result<(), Error> {
    if tag.len() != right.len() {
        return Err(Error::TagLength);
    }
    if tag == right { Ok(()) } else { Err(Error::Mac) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::Magma;

    fn magma() -> Magma {
        Magma::new(&[7; 32]).unwrap()
    }

    #[test]
    fn padding() {
        assert_eq!(pad1(4, b""), b"");
        assert_eq!(pad1(4, b"abcd"), b"abcd");
        assert_eq!(pad1(4, b"abcde"), b"abcde\0\0\0");
        assert_eq!(pad2(4, b""), b"\x80\0\0\0");
        assert_eq!(pad2(4, b"abcd"), b"abcd\x80\0\0\0");
        assert_eq!(pad3(4, b"abcd"), b"abcd");
        assert_eq!(pad3(4, b"abc"), b"abc\x80");
        assert_eq!(pad3(4, b""), b"\x80\0\0\0");
        for p in [&b""[..], b"a", b"abc", b"abcd", b"abcd\x80", b"\0\0\0\0\0"] {
            assert_eq!(unpad2(4, &pad2(4, p)).unwrap(), p);
        }
        for p in [&b""[..], b"\0\0\0\0", b"abcd", b"abc\x81", b"abc\x80\0\0\0\0", b"\x80"] {
            assert_eq!(unpad2(4, p), Err(Error::Padding));
        }
    }

    #[test]
    fn short_gamma_and_long_registers_invert() {
        let c = magma();
        let p: Vec<u8> = (0..45).collect();
        let iv: Vec<u8> = (100..113).collect();
        for s in 1..=8 {
            assert_eq!(ctr(&c, &iv[..4], s, &ctr(&c, &iv[..4], s, &p).unwrap()).unwrap(), p);
            assert_eq!(ofb(&c, &iv[..8], s, &ofb(&c, &iv[..8], s, &p).unwrap()).unwrap(), p);
            for m in 8..=13 {
                let ct = cfb_encrypt(&c, &iv[..m], s, &p).unwrap();
                assert_eq!(cfb_decrypt(&c, &iv[..m], s, &ct).unwrap(), p);
            }
        }
    }

    #[test]
    fn refusals() {
        let c = magma();
        assert_eq!(ecb_encrypt(&c, &[0; 9]), Err(Error::MessageLength));
        assert_eq!(ecb_decrypt(&c, &[0; 9]), Err(Error::MessageLength));
        assert_eq!(ctr(&c, &[0; 8], 8, &[]), Err(Error::IvLength));
        assert_eq!(ctr(&c, &[0; 4], 9, &[]), Err(Error::GammaLength));
        assert_eq!(ctr(&c, &[0; 4], 0, &[]), Err(Error::GammaLength));
        assert_eq!(ctr_full(&c, &[0; 4], &[]), Err(Error::IvLength));
        assert_eq!(ofb(&c, &[], 8, &[]), Err(Error::IvLength));
        assert_eq!(ofb(&c, &[0; 9], 8, &[]), Err(Error::IvLength));
        assert_eq!(cbc_encrypt(&c, &[0; 8], &[0; 1]), Err(Error::MessageLength));
        assert_eq!(cbc_decrypt(&c, &[0; 4], &[0; 8]), Err(Error::IvLength));
        assert_eq!(cfb_encrypt(&c, &[0; 7], 8, &[]), Err(Error::IvLength));
        assert_eq!(omac(&c, &[], 0), Err(Error::TagLength));
        assert_eq!(omac(&c, &[], 9), Err(Error::TagLength));
    }
}
