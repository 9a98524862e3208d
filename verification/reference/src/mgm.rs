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
    let number = |octets: &[u8]| octets.iter().fold(0u128, |sum, &o| sum << 8 | u128::from(o));
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

/// The intermediate values that RFC 9058 appendix A prints.
pub struct Trace {
    /// Y_1..Y_q, the counters of encryption.
    pub y: Vec<Vec<u8>>,
    /// E_K(Y_1)..E_K(Y_q).
    pub ey: Vec<Vec<u8>>,
    /// Z_1..Z_(h+q+1), the counters of authentication.
    pub z: Vec<Vec<u8>>,
    /// H_1..H_(h+q+1).
    pub h: Vec<Vec<u8>>,
    /// The sum after each block of A and C.
    pub sum: Vec<Vec<u8>>,
    /// The sum after len(A)||len(C), which is encrypted to the tag.
    pub last: Vec<u8>,
    /// The ciphertext.
    pub ct: Vec<u8>,
    /// The tag of n bytes.
    pub tag: Vec<u8>,
}

type Blocks = Vec<Vec<u8>>;

/// RFC 9058 4.1, step 1, which also decrypts (4.2, step 3): Y, E(Y) and the result.
fn stream(c: &dyn Cipher, icn: &[u8], text: &[u8]) -> (Blocks, Blocks, Vec<u8>) {
    let n = c.block();
    let (mut ys, mut eys, mut out) = (Vec::new(), Vec::new(), Vec::new());
    let mut y = e(c, icn); // the first bit of icn is 0
    for piece in text.chunks(n) {
        let ey = e(c, &y);
        out.extend(xor(piece, &ey));
        ys.push(y.clone());
        eys.push(ey);
        increment(&mut y[n / 2..]); // incr_r
    }
    (ys, eys, out)
}

/// RFC 9058 4.1, steps 2 and 3: Z, H, sums, the last sum and the tag.
fn authenticate(
    c: &dyn Cipher,
    icn: &[u8],
    aad: &[u8],
    ct: &[u8],
) -> (Blocks, Blocks, Blocks, Vec<u8>, Vec<u8>) {
    let n = c.block();
    let len = |x: &[u8]| (8 * x.len() as u64).to_be_bytes()[8 - n / 2..].to_vec();
    let blocks = [pad1(n, aad), pad1(n, ct), len(aad), len(ct)].concat();

    let mut first = icn.to_vec();
    first[0] |= 0x80;
    let mut z = e(c, &first);
    let mut sum = vec![0; n];
    let (mut zs, mut hs, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks.chunks(n) {
        let h = e(c, &z);
        sum = xor(&sum, &multiply(&h, block).expect("blocks of 8 or 16 bytes"));
        sums.push(sum.clone());
        zs.push(z.clone());
        hs.push(h);
        increment(&mut z[..n / 2]); // incr_l
    }
    sums.pop();
    let tag = e(c, &sum);
    (zs, hs, sums, sum, tag)
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

/// MGM-Encrypt with all that appendix A prints. Errors as [`encrypt`].
pub fn trace(c: &dyn Cipher, icn: &[u8], aad: &[u8], p: &[u8]) -> Result<Trace, Error> {
    check(c, icn, aad, p)?;
    let (y, ey, ct) = stream(c, icn, p);
    let (z, h, sum, last, tag) = authenticate(c, icn, aad, &ct);
    Ok(Trace { y, ey, z, h, sum, last, ct, tag })
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
    let mut t = trace(c, icn, aad, p)?;
    t.tag.truncate(tag_len);
    Ok((t.ct, t.tag))
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
    let (_, _, _, _, right) = authenticate(c, icn, aad, ct);
    compare(&right[..tag_len], tag)?;
    Ok(stream(c, icn, ct).2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuznyechik::Kuznyechik;
    use crate::magma::Magma;
    use testkit::hex;

    /// Encryption, decryption, and that each changed bit of the tag is refused.
    fn both_ways(c: &dyn Cipher, icn: &[u8], aad: &[u8], p: &[u8], ct: &[u8], tag: &[u8]) {
        let n = c.block();
        assert_eq!(encrypt(c, icn, aad, p, n).unwrap(), (ct.to_vec(), tag.to_vec()));
        assert_eq!(encrypt(c, icn, aad, p, 4).unwrap().1, tag[..4]);
        assert_eq!(decrypt(c, icn, aad, ct, n, tag).unwrap(), p);
        assert_eq!(decrypt(c, icn, aad, ct, 4, &tag[..4]).unwrap(), p);
        assert_eq!(decrypt(c, icn, aad, ct, n, &tag[..4]), Err(Error::TagLength));
        for bit in 0..8 * n {
            let mut wrong = tag.to_vec();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decrypt(c, icn, aad, ct, n, &wrong), Err(Error::Mac));
        }
    }

    #[test]
    fn rfc9058_a1_1() {
        let c = Kuznyechik::new(&hex(
            "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
        ))
        .unwrap();
        let icn = hex("1122334455667700ffeeddccbbaa9988");
        let aad = hex("0202020202020202010101010101010104040404040404040303030303030303\
             ea0505050505050505");
        let p = hex("1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a\
             112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011\
             aabbcc");
        let ct = hex("a9757b8147956e9055b8a33de89f42fc8075d2212bf9fd5bd3f7069aadc16b39\
             497ab15915a6ba85936b5d0ea9f6851cc60c14d4d3f883d0ab94420695c76deb\
             2c7552");
        both_ways(&c, &icn, &aad, &p, &ct, &hex("cf5d656f40c34f5c46e8bb0e29fcdb4c"));
        let t = trace(&c, &icn, &aad, &p).unwrap();
        assert_eq!(t.z.last().unwrap(), &hex("7fc245a8586e660aa7bbdb2786bdc66f"));
        assert_eq!(t.h.last().unwrap(), &hex("bcbce6c41aa355a4148862bf64bd830d"));
        assert_eq!(t.sum[0], hex("4cf427f4adb75cf4c0da39d5ab48cf38"));
        assert_eq!(t.last, hex("c0c722db5e0bd6db257673833d567128"));
    }

    #[test]
    fn rfc9058_a1_2() {
        let c = Kuznyechik::new(&hex(
            "99aabbccddeeff0011223344556677fedcba98765432100123456789abcdef88",
        ))
        .unwrap();
        let icn = hex("1122334455667700ffeeddccbbaa9988");
        let aad = hex("01010101010101010101010101010101");
        let p = hex("");
        let ct = hex("");
        both_ways(&c, &icn, &aad, &p, &ct, &hex("7901e9ea2085cd247ed249695f9f8a85"));
        let t = trace(&c, &icn, &aad, &p).unwrap();
        assert_eq!(t.z.last().unwrap(), &hex("7932726896c43e40bfd65089ebf1e5b6"));
        assert_eq!(t.h.last().unwrap(), &hex("0c38a71ee793bf768981bfcd7cda78c8"));
        assert_eq!(t.sum[0], hex("0ac11e2c1cd607d82fe35554b4010281"));
        assert_eq!(t.last, hex("ca1ef89271ea60c4539e40eb26c2805d"));
    }

    #[test]
    fn rfc9058_a2_1() {
        let c =
            Magma::new(&hex("ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
                .unwrap();
        let icn = hex("12def06b3c130a59");
        let aad = hex("0101010101010101020202020202020203030303030303030404040404040404\
             0505050505050505ea");
        let p = hex("ffeeddccbbaa998811223344556677008899aabbcceeff0a0011223344556677\
             99aabbcceeff0a001122334455667788aabbcceeff0a00112233445566778899\
             aabbcc");
        let ct = hex("c795066c5f9ea03b85113342459185ae1f2e00d6bf2b785d940470b8bb9c8e7d\
             9a5dd3731f7ddc70ec27cb0ace6fa57670f65c646abb75d547aa37c3bcb5c34e\
             03bb9c");
        both_ways(&c, &icn, &aad, &p, &ct, &hex("a7928069aa10fd10"));
        let t = trace(&c, &icn, &aad, &p).unwrap();
        assert_eq!(t.z.last().unwrap(), &hex("2b073f1394f372a0"));
        assert_eq!(t.h.last().unwrap(), &hex("8311b6024aa966c1"));
        assert_eq!(t.sum[0], hex("d6bb5bea81931262"));
        assert_eq!(t.last, hex("73cef44bae6bdb61"));
    }

    #[test]
    fn rfc9058_a2_2() {
        let c =
            Magma::new(&hex("99aabbccddeeff0011223344556677fedcba98765432100123456789abcdef88"))
                .unwrap();
        let icn = hex("0077665544332211");
        let aad = hex("");
        let p = hex("22334455667700ff");
        let ct = hex("6a95e1426b259d4e");
        both_ways(&c, &icn, &aad, &p, &ct, &hex("334ee270450bec9e"));
        let t = trace(&c, &icn, &aad, &p).unwrap();
        assert_eq!(t.z.last().unwrap(), &hex("597354797e52e6eb"));
        assert_eq!(t.h.last().unwrap(), &hex("310c0dacc9d04d93"));
        assert_eq!(t.sum[0], hex("25d0e4207b6bf63d"));
        assert_eq!(t.last, hex("66d38f120f789249"));
    }

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
