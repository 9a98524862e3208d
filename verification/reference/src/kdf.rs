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
    /// Streebog by the size of its output in bits, 256 or 512.
    pub fn from_bits(bits: usize) -> Option<Hash> {
        match bits {
            256 => Some(Hash::Streebog256),
            512 => Some(Hash::Streebog512),
            _ => None,
        }
    }

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
    let pad = |octet: u8| k.iter().map(|k| k ^ octet).collect::<Vec<u8>>();
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
/// U_j = HMAC(password, U_(j-1)). Errors: [`Error::Iterations`] for none,
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
    let l = &bits[bits.iter().position(|&octet| octet != 0).expect("len > 0")..];
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
    // HKDF-Expand (RFC 5869 2.3) is the same function under another name.
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
    use testkit::hex;

    const K: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const T: &str = "0126bdb87800af214341456563780100";
    const TLS_SEED: &str = "18471d622dc655c4d2d2269691ca4a560b50aba663553af241f1ada882c9f29a";
    const IPSEC_KEY: &str = "c9a9a77320e2cc559ed72dce6f47e2192ccea95fa648670582c054c0ef36c221";

    #[test]
    fn rfc7836_b_1_2_hmac() {
        let (k, t) = (hex(K), hex(T));
        let tag = hex("a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9");
        assert_eq!(hmac(Hash::Streebog256, &k, &t), tag);
        assert_eq!(
            hmac(Hash::Streebog512, &k, &t),
            hex("a59bab22ecae19c65fbde6e5f4e9f5d8549d31f037f9df9b905500e171923a77\
                 3d5f1530f2ed7e964cb2eedc29e9ad2f3afe93b2814f79f5000ffc0366c251e6",)
        );
        hmac_verify(Hash::Streebog256, &k, &t, 32, &tag).unwrap();
        hmac_verify(Hash::Streebog256, &k, &t, 4, &tag[..4]).unwrap();
        let verify = |len, tag: &[u8]| hmac_verify(Hash::Streebog256, &k, &t, len, tag);
        assert_eq!(verify(32, &tag[1..]), Err(Error::TagLength));
        assert_eq!(verify(0, &[]), Err(Error::TagLength));
        assert_eq!(verify(33, &[0; 33]), Err(Error::TagLength));
        assert_eq!(verify(32, &[0; 32]), Err(Error::Mac));
    }

    #[test]
    fn rfc7836_b_3_4_prf_tls() {
        let (k, seed, label) = (hex(K), hex(TLS_SEED), hex("1122334455"));
        assert_eq!(
            prf_tls(Hash::Streebog256, &k, &label, &seed, 64),
            hex("ff09664a44745865944f839ebb48965f1544ff1cc8e8f16f247ee5f8a9ebe97f\
                 c4e3c7900e46cad3db6a01643063040ec67fc0fd5cd9f90465235237bdff2c02",)
        );
        assert_eq!(
            prf_tls(Hash::Streebog512, &k, &label, &seed, 128),
            hex("f35187a3dc9655113a0e84d06fd7526c5fc1fbdec1a0e4673dd6d79d0b920e65\
                 ad1bc47bb083b3851cb7cd8e7e6a911a626cf02b29e9e4a58ed766a449a7296d\
                 e61a7a26c4d1caeecfd80cca65c71f0f88c1f822c0e8c0ad949d03fee139579f\
                 72ba0c3d32c5f954f1cccd54081fc7440278cba1fe7b7a17a986fdff5bd15d1f",)
        );
    }

    #[test]
    fn rfc7836_b_5_6_prf_plus() {
        let (k, seed) = (hex(IPSEC_KEY), hex("0126bdb878001d80603c8544c7270100"));
        assert_eq!(
            prf_plus(Hash::Streebog256, &k, &seed, 64).unwrap(),
            hex("2de5ee84e13d7be53616673913370ab054c074b79b69a8a84682a9f04fecd587\
                 29f60dda457bf219aa2ef95d7a59be954de008f4a50d504dbdb690be68060153",)
        );
        assert_eq!(
            prf_plus(Hash::Streebog512, &k, &seed, 128).unwrap(),
            hex("5da67143a5f12a6d6e4742596f39243fcc615745915b32591006ff78a20863d5\
                 f88e4afc17fbbe70b9509573db005e9626369846cb861999716c165dd06a1585\
                 4834495a43746cb53f0aba3bc46ebcf8773ca64ad343c122ee2a577557038157\
                 ee9c388d96ef71d58be5c1efa1afa95ebe83e39d00e19a5d03dcd60a01bca8e3",)
        );
        let past = prf_plus(Hash::Streebog256, &k, &seed, 255 * 32 + 1);
        assert_eq!(past, Err(Error::OutputLength));
        assert_eq!(prf_plus(Hash::Streebog256, &k, &seed, 255 * 32).unwrap().len(), 255 * 32);
    }

    #[test]
    fn rfc7836_b_9_10_kdf() {
        let (k, label, seed) = (hex(K), hex("26bdb878"), hex("af21434145656378"));
        assert_eq!(
            kdf_256(&k, &label, &seed),
            hex("a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9")
        );
        assert_eq!(
            kdf_tree(&k, &label, &seed, 1, 64).unwrap(),
            hex("22b6837845c6bef65ea71672b265831086d3c76aebe6dae91cad51d83f79d16b\
                 074c9330599d7f8d712fca54392f4ddde93751206b3584c8f43f9e6dc51531f9",)
        );
        assert_eq!(kdf_tree(&k, &label, &seed, 1, 32).unwrap(), kdf_256(&k, &label, &seed));
        assert_eq!(kdf_tree(&k, &label, &seed, 1, 8160).unwrap().len(), 8160);
        assert_eq!(kdf_tree(&k, &label, &seed, 1, 8161), Err(Error::OutputLength));
        assert_eq!(kdf_tree(&k, &label, &seed, 1, 0), Err(Error::OutputLength));
        assert_eq!(kdf_tree(&k, &label, &seed, 0, 64), Err(Error::CounterLength));
        assert_eq!(kdf_tree(&k, &label, &seed, 5, 64), Err(Error::CounterLength));
    }

    #[test]
    fn r_50_1_111_pbkdf2() {
        let run = |p: &[u8], s: &[u8], c, len| pbkdf2(Hash::Streebog512, p, s, c, len).unwrap();
        assert_eq!(
            run(b"password", b"salt", 1, 64),
            hex("64770af7f748c3b1c9ac831dbcfd85c26111b30a8a657ddc3056b80ca73e040d\
                 2854fd36811f6d825cc4ab66ec0a68a490a9e5cf5156b3a2b7eecddbf9a16b47",)
        );
        assert_eq!(
            run(b"password", b"salt", 2, 64),
            hex("5a585bafdfbb6e8830d6d68aa3b43ac00d2e4aebce01c9b31c2caed56f0236d4\
                 d34b2b8fbd2c4e89d54d46f50e47d45bbac301571743119e8d3c42ba66d348de",)
        );
        assert_eq!(
            run(b"passwordPASSWORDpassword", b"saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, 100),
            hex("b2d8f1245fc4d29274802057e4b54e0a0753aa22fc53760b301cf008679e58fe\
                 4bee9addcae99ba2b0b20f431a9c5e50f395c89387d0945aedeca6eb4015dfc2\
                 bd2421ee9bb71183ba882ceebfef259f33f9e27dc6178cb89dc37428cf9cc52a\
                 2baa2d3a",)
        );
        let none = pbkdf2(Hash::Streebog512, b"p", b"s", 0, 64);
        assert_eq!(none, Err(Error::Iterations));
        let empty = pbkdf2(Hash::Streebog512, b"p", b"s", 1, 0);
        assert_eq!(empty, Err(Error::OutputLength));
    }

    #[test]
    fn rfc9367_a_hkdf() {
        assert_eq!(
            hkdf_extract(Hash::Streebog256, &[0; 32], &[0; 32]),
            hex("fbdefbe527feea665aab9277a2163b8343084fd191c46066260fac6fd1436c72")
        );
        assert_eq!(
            hkdf_extract(Hash::Streebog256, &[], &[0; 32]),
            hkdf_extract(Hash::Streebog256, &[0; 32], &[0; 32])
        );
        let prk = hex("70a5f2463df60dbaa2368b67fd45aeff7c1a0ba42d8abd72415ecd1d94e9ef54");
        assert_eq!(
            hkdf_expand(Hash::Streebog256, &prk, &hex("002009746c733133206b657900"), 32).unwrap(),
            hex("e13764b54b9e1b47d43398d6d216df24c289a396ab6c5b524bbb9c06f39fef01")
        );
        assert_eq!(
            hkdf_expand(Hash::Streebog256, &prk, &hex("001008746c73313320697600"), 16).unwrap(),
            hex("6969ffaaa4525281eebbeb4cbd0b640e")
        );
    }

    #[test]
    fn gost94_hmac_has_blocks_of_32_octets() {
        // RFC 4357 3: B = 32. A key of 33 bytes is hashed first.
        let long = [9; 33];
        let hashed = Hash::Gost94.hash(&long);
        assert_eq!(hmac(Hash::Gost94, &long, b"m"), hmac(Hash::Gost94, &hashed, b"m"));
        assert_eq!(Hash::from_bits(94), None);
    }
}
