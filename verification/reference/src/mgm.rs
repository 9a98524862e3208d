//! MGM, the authenticated encryption of R 1323565.1.026-2019 (RFC 9058).
//!
//! Strings are polynomials and numbers with the most significant bit first.
//! The nonce ICN of n-1 bits is n bytes here, the first bit 0.

use crate::modes::{compare, e, increment, pad1, xor};
use crate::{Cipher, Error};

/// X (x) Y in GF(2^64) with w^64 + w^4 + w^3 + w + 1 or GF(2^128) with
/// w^128 + w^7 + w^2 + w + 1 (RFC 9058 3), bit by bit. The first bit of the
/// first byte is the coefficient of the highest power. [`Error::BlockSize`]
/// unless both have 8 or both 16 bytes.
pub fn multiply(x: &[u8], y: &[u8]) -> Result<Vec<u8>, Error> {
    let n = x.len();
    if (n != 8 && n != 16) || y.len() != n {
        return Err(Error::BlockSize);
    }
    let number = |bytes: &[u8]| bytes.iter().fold(0u128, |sum, &o| sum << 8 | u128::from(o));
    let (x, y) = (number(x), number(y));
    let (top, rest) = if n == 8 { (63, 0x1b) } else { (127, 0x87) };
    let mask = u128::MAX >> (127 - top);
    let mut product = 0;
    for i in (0..=top).rev() {
        // product = product * w + y_i * x
        let overflow = product >> top & 1 == 1;
        product = product << 1 & mask;
        if overflow {
            product ^= rest;
        }
        if y >> i & 1 == 1 {
            product ^= x;
        }
    }
    Ok(product.to_be_bytes()[16 - n..].to_vec())
}

/// RFC 9058 4.1, step 1, which also decrypts (4.2, step 3).
fn stream(c: &dyn Cipher, icn: &[u8], text: &[u8]) -> Vec<u8> {
    let (n, mut out) = (c.block(), Vec::new());
    let mut y = e(c, icn); // the first bit of icn is 0
    for piece in text.chunks(n) {
        out.extend(xor(piece, &e(c, &y)));
        increment(&mut y[n / 2..]); // incr_r
    }
    out
}

/// RFC 9058 4.1, steps 2 and 3: the tag of n bytes.
fn authenticate(c: &dyn Cipher, icn: &[u8], aad: &[u8], ct: &[u8]) -> Vec<u8> {
    let n = c.block();
    let len = |x: &[u8]| (8 * x.len() as u64).to_be_bytes()[8 - n / 2..].to_vec();
    let blocks = [pad1(n, aad), pad1(n, ct), len(aad), len(ct)].concat();

    let mut first = icn.to_vec();
    first[0] |= 0x80;
    let (mut z, mut sum) = (e(c, &first), vec![0; n]);
    for block in blocks.chunks(n) {
        sum = xor(&sum, &multiply(&e(c, &z), block).expect("blocks of 8 or 16 bytes"));
        increment(&mut z[..n / 2]); // incr_l
    }
    e(c, &sum)
}

fn check(c: &dyn Cipher, icn: &[u8], aad: &[u8], text: &[u8]) -> Result<(), Error> {
    let n = c.block();
    if n != 8 && n != 16 {
        return Err(Error::BlockSize);
    }
    if icn.len() != n {
        return Err(Error::IvLength);
    }
    if icn[0] & 0x80 != 0 {
        return Err(Error::NonceFirstBit);
    }
    if aad.is_empty() && text.is_empty() {
        return Err(Error::EmptyInput);
    }
    let bits = 8 * (aad.len() as u128 + text.len() as u128);
    if bits >= 1 << (4 * n) {
        return Err(Error::TooLong);
    }
    Ok(())
}

/// RFC 9058 4: 32 <= S <= n bits; whole bytes here.
fn check_tag_len(c: &dyn Cipher, tag_len: usize) -> Result<(), Error> {
    if tag_len < 4 || tag_len > c.block() { Err(Error::TagLength) } else { Ok(()) }
}

/// MGM-Encrypt (RFC 9058 4.1): the ciphertext and the first `tag_len` bytes
/// of the tag. Errors: [`Error::TagLength`] unless 4 <= `tag_len` <= n;
/// [`Error::IvLength`] unless `icn` has n bytes; [`Error::NonceFirstBit`];
/// [`Error::EmptyInput`] when there is neither `aad` nor `p`;
/// [`Error::TooLong`] unless |A| + |P| < 2^(n/2) (bits in the standard).
pub fn encrypt(
    c: &dyn Cipher,
    icn: &[u8],
    aad: &[u8],
    p: &[u8],
    tag_len: usize,
) -> Result<(Vec<u8>, Vec<u8>), Error> {
    check_tag_len(c, tag_len)?;
    check(c, icn, aad, p)?;
    let ct = stream(c, icn, p);
    let mut tag = authenticate(c, icn, aad, &ct);
    tag.truncate(tag_len);
    Ok((ct, tag))
}

/// MGM-Decrypt (RFC 9058 4.2). Errors as [`encrypt`], and
/// [`Error::TagLength`] unless `tag` has the agreed `tag_len` bytes,
/// [`Error::Mac`] for FAIL.
pub fn decrypt(
    c: &dyn Cipher,
    icn: &[u8],
    aad: &[u8],
    ct: &[u8],
    tag_len: usize,
    tag: &[u8],
) -> Result<Vec<u8>, Error> {
    check_tag_len(c, tag_len)?;
    check(c, icn, aad, ct)?;
    compare(&authenticate(c, icn, aad, ct)[..tag_len], tag)?;
    Ok(stream(c, icn, ct))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::Magma;

    #[test]
    fn multiplication_by_one_and_by_w() {
        for (n, rest) in [(8, 0x1b), (16, 0x87)] {
            let x: Vec<u8> = (1..=n as u8).collect();
            let mut one = vec![0; n];
            one[n - 1] = 1;
            assert_eq!(multiply(&x, &one).unwrap(), x);
            assert_eq!(multiply(&one, &x).unwrap(), x);
            let mut top = vec![0; n];
            top[0] = 0x80;
            let mut w = vec![0; n];
            w[n - 1] = 2;
            let mut reduced = vec![0; n];
            reduced[n - 1] = rest;
            assert_eq!(multiply(&top, &w).unwrap(), reduced);
            assert_eq!(multiply(&w, &top).unwrap(), reduced);
        }
        assert_eq!(multiply(&[0; 8], &[0; 16]), Err(Error::BlockSize));
    }

    #[test]
    fn refusals() {
        let c = Magma::new(&[7; 32]).unwrap();
        let (icn, bad) = ([0x7f; 8], [0xff; 8]);
        assert_eq!(encrypt(&c, &icn, &[], &[], 8), Err(Error::EmptyInput));
        assert_eq!(encrypt(&c, &bad, &[], b"p", 8), Err(Error::NonceFirstBit));
        assert_eq!(encrypt(&c, &icn[1..], &[], b"p", 8), Err(Error::IvLength));
        for tag_len in [0, 3, 9] {
            assert_eq!(encrypt(&c, &icn, &[], b"p", tag_len), Err(Error::TagLength));
        }
        assert_eq!(decrypt(&c, &icn, &[], &[], 8, &[0; 8]), Err(Error::EmptyInput));
        assert_eq!(decrypt(&c, &bad, &[], b"c", 8, &[0; 8]), Err(Error::NonceFirstBit));
    }
}
