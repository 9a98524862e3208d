//! HMAC and the functions built of it: PBKDF2, the key derivation functions and the
//! pseudorandom functions (RFC 2104, RFC 7836, R 50.1.111-2016 = RFC 9337,
//! RFC 7296, RFC 5869).

use crate::{Error, gost94, magma, modes::compare, streebog};

/// A hash function to build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// Streebog with 32 bytes of output.
    Streebog256,
    /// Streebog with 64 bytes of output.
    Streebog512,
    /// GOST R 34.11-94 with id-GostR3411-94-CryptoProParamSet (RFC 4357 3).
    Gost94,
}

impl Hash {
    /// L of RFC 2104: bytes of output.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        if self == Hash::Streebog512 { 64 } else { 32 }
    }

    /// B of RFC 2104: bytes of a block; 64 for Streebog (RFC 7836 4.1), 32
    /// for GOST R 34.11-94 (RFC 4357 3).
    pub fn block(self) -> usize {
        if self == Hash::Gost94 { 32 } else { 64 }
    }

    /// The hash of a message.
    pub fn hash(self, message: &[u8]) -> Vec<u8> {
        match self {
            Hash::Streebog256 => streebog::hash256(message),
            Hash::Streebog512 => streebog::hash512(message),
            Hash::Gost94 => {
                let table = magma::sbox("id-GostR3411-94-CryptoProParamSet").expect("a known set");
                gost94::hash(table, message)
            }
        }
    }
}

/// HMAC (RFC 2104 2) over the hash: H(K xor opad, H(K xor ipad, text)), the
/// key filled up with zeros to B bytes; a longer key is hashed first.
pub fn hmac(h: Hash, key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut k = if key.len() > h.block() { h.hash(key) } else { key.to_vec() };
    k.resize(h.block(), 0);
    let pad = |byte: u8| k.iter().map(|k| k ^ byte).collect::<Vec<u8>>();
    let inner = h.hash(&[&pad(0x36), message].concat());
    h.hash(&[pad(0x5c), inner].concat())
}

/// [`Error::TagLength`] unless `tag` has `tag_len` bytes, 1..=L, then
/// [`Error::Mac`] unless these are the first bytes of the HMAC.
pub fn hmac_verify(
    h: Hash,
    key: &[u8],
    message: &[u8],
    tag_len: usize,
    tag: &[u8],
) -> Result<(), Error> {
    if tag_len == 0 || tag_len > h.len() {
        return Err(Error::TagLength);
    }
    compare(&hmac(h, key, message)[..tag_len], tag)
}

/// PBKDF2 (R 50.1.111-2016 4, RFC 9337 4) over HMAC: T_i is the xor of
/// U_1 = HMAC(password, salt|i), i in four bytes, big-endian, and
/// U_j = HMAC(password, U_(j-1)). Errors: [`Error::Iterations`] for 0,
/// [`Error::OutputLength`] unless 1 <= `dk_len` <= (2^32-1) L.
pub fn pbkdf2(
    h: Hash,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    dk_len: usize,
) -> Result<Vec<u8>, Error> {
    if iterations == 0 {
        return Err(Error::Iterations);
    }
    if dk_len == 0 || dk_len.div_ceil(h.len()) as u64 > u64::from(u32::MAX) {
        return Err(Error::OutputLength);
    }
    let mut out = Vec::new();
    for i in 1..=dk_len.div_ceil(h.len()) as u32 {
        let mut u = hmac(h, password, &[salt, &i.to_be_bytes()].concat());
        let mut t = u.clone();
        for _ in 1..iterations {
            u = hmac(h, password, &u);
            t = t.iter().zip(&u).map(|(t, u)| t ^ u).collect();
        }
        out.extend(t);
    }
    out.truncate(dk_len);
    Ok(out)
}

/// KDF_GOSTR3411_2012_256 (RFC 7836 4.5): HMAC-Streebog-256 of
/// 01|label|00|seed|01 00, 32 bytes.
pub fn kdf_256(key: &[u8], label: &[u8], seed: &[u8]) -> Vec<u8> {
    hmac(Hash::Streebog256, key, &[&[1], label, &[0], seed, &[1, 0]].concat())
}

/// KDF_TREE_GOSTR3411_2012_256 (RFC 7836 4.4): the first `len` bytes of
/// K(1)|K(2)|..., K(i) = HMAC-Streebog-256 of \[i\]_b|label|00|seed|\[L\]_b;
/// \[i\]_b has `r` bytes, \[L\]_b is the length in bits without leading zero
/// bytes, both big-endian. Errors: [`Error::CounterLength`] unless
/// 1 <= R <= 4, [`Error::OutputLength`] unless 1 <= len <= 32 (256^R - 1).
pub fn kdf_tree(
    key: &[u8],
    label: &[u8],
    seed: &[u8],
    r: usize,
    len: usize,
) -> Result<Vec<u8>, Error> {
    if !(1..=4).contains(&r) {
        return Err(Error::CounterLength);
    }
    if len == 0 || len as u128 > 32 * ((1u128 << (8 * r)) - 1) {
        return Err(Error::OutputLength);
    }
    let bits = (8 * len as u64).to_be_bytes();
    let l = &bits[bits.iter().position(|&byte| byte != 0).expect("len > 0")..];
    let mut out = Vec::new();
    for i in 1..=len.div_ceil(32) as u32 {
        let i = &i.to_be_bytes()[4 - r..];
        out.extend(hmac(Hash::Streebog256, key, &[i, label, &[0], seed, l].concat()));
    }
    out.truncate(len);
    Ok(out)
}

/// PRF_TLS_GOSTR3411_2012_256 and _512 (RFC 7836 4.2.1), the P_hash of
/// RFC 5246 5 with label|seed for a seed: the first `len` bytes of
/// HMAC(secret, A(1)|seed)|HMAC(secret, A(2)|seed)|..., A(0) = seed,
/// A(i) = HMAC(secret, A(i-1)).
pub fn prf_tls(h: Hash, secret: &[u8], label: &[u8], seed: &[u8], len: usize) -> Vec<u8> {
    let seed = [label, seed].concat();
    let mut a = seed.clone();
    let mut out = Vec::new();
    while out.len() < len {
        a = hmac(h, secret, &a);
        out.extend(hmac(h, secret, &[&a[..], &seed].concat()));
    }
    out.truncate(len);
    out
}

/// PRF_IPSEC_PRFPLUS_GOSTR3411_2012_256 and _512 (RFC 7836 4.2.2), the prf+
/// of RFC 7296 2.13: T1|T2|..., T_i = HMAC(K, T_(i-1)|S|i), T_0 empty, i one
/// byte. [`Error::OutputLength`] past 255 L bytes.
pub fn prf_plus(h: Hash, key: &[u8], seed: &[u8], len: usize) -> Result<Vec<u8>, Error> {
    // HKDF-Expand (RFC 5869 2.3) is the same function under a different name.
    if len > 255 * h.len() {
        return Err(Error::OutputLength);
    }
    let (mut t, mut out) = (Vec::new(), Vec::new());
    let mut i = 1;
    while out.len() < len {
        t = hmac(h, key, &[&t, seed, &[i]].concat());
        out.extend(&t);
        i = i.wrapping_add(1);
    }
    out.truncate(len);
    Ok(out)
}

/// HKDF-Extract (RFC 5869 2.2): HMAC(salt, ikm). An empty salt is the same as
/// L zero bytes.
pub fn hkdf_extract(h: Hash, salt: &[u8], ikm: &[u8]) -> Vec<u8> {
    hmac(h, salt, ikm)
}

/// HKDF-Expand (RFC 5869 2.3): T(i) = HMAC(PRK, T(i-1)|info|i).
/// [`Error::OutputLength`] past 255 L bytes.
pub fn hkdf_expand(h: Hash, prk: &[u8], info: &[u8], len: usize) -> Result<Vec<u8>, Error> {
    prf_plus(h, prk, info, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals() {
        let tag = hmac(Hash::Streebog256, b"k", b"m");
        let verify = |len, tag: &[u8]| hmac_verify(Hash::Streebog256, b"k", b"m", len, tag);
        assert_eq!((verify(32, &tag), verify(4, &tag[..4])), (Ok(()), Ok(())));
        assert_eq!(verify(32, &tag[1..]), Err(Error::TagLength));
        assert_eq!(verify(0, &[]), Err(Error::TagLength));
        assert_eq!(verify(33, &[0; 33]), Err(Error::TagLength));
        assert_eq!(verify(32, &[0; 32]), Err(Error::Mac));
        let plus = |len| prf_plus(Hash::Streebog256, b"k", b"s", len).map(|out| out.len());
        assert_eq!((plus(8160), plus(8161)), (Ok(8160), Err(Error::OutputLength)));
        let tree = |r, len| kdf_tree(b"k", b"l", b"s", r, len);
        assert_eq!(tree(1, 32).unwrap(), kdf_256(b"k", b"l", b"s"));
        assert_eq!(tree(1, 8160).unwrap().len(), 8160);
        for len in [0, 8161] {
            assert_eq!(tree(1, len), Err(Error::OutputLength));
        }
        for r in [0, 5] {
            assert_eq!(tree(r, 64), Err(Error::CounterLength));
        }
        let stretched = |c, len| pbkdf2(Hash::Streebog512, b"p", b"s", c, len);
        assert_eq!(stretched(0, 64), Err(Error::Iterations));
        assert_eq!(stretched(1, 0), Err(Error::OutputLength));
        let extracted = |salt: &[u8]| hkdf_extract(Hash::Streebog256, salt, &[0; 32]);
        assert_eq!(extracted(&[]), extracted(&[0; 32]));
    }

    #[test]
    fn gost94_hmac_has_blocks_of_32_bytes() {
        // RFC 4357 3: B = 32. A key of 33 bytes is hashed first.
        let long = [9; 33];
        let hashed = Hash::Gost94.hash(&long);
        assert_eq!(hmac(Hash::Gost94, &long, b"m"), hmac(Hash::Gost94, &hashed, b"m"));
    }
}
