//! XTS (IEEE Std 1619-2007/2018) over a cipher with a 128-bit block, with
//! ciphertext stealing.
//!
//! IEEE 1619 defines XTS for AES. XTS over Kuznyechik is no GOST standard and
//! here for agreement with bulat only. Over a 64-bit block no definition has
//! been published: refused with [`Error::BlockSize`].

use crate::modes::{d, e, xor};
use crate::{Cipher, Error, Keyed};

/// The tweak of a sector: its number as 16 bytes, least significant first
/// (IEEE 1619 5.1).
pub fn sector_tweak(sector: u128) -> [u8; 16] {
    sector.to_le_bytes()
}

/// The product by alpha (IEEE 1619 5.2): the 16 bytes are a polynomial with
/// the lowest powers in byte 0, bit 0 of each byte the lowest; shift by one
/// bit upwards, and xor 0x87 into byte 0 when a bit fell out of byte 15.
pub fn times_alpha(tweak: [u8; 16]) -> [u8; 16] {
    let mut out = [0; 16];
    let mut carry = 0;
    for i in 0..16 {
        out[i] = tweak[i] << 1 | carry;
        carry = tweak[i] >> 7;
    }
    if carry == 1 {
        out[0] ^= 0x87;
    }
    out
}

fn ciphers<C: Keyed>(key1: &[u8], key2: &[u8], tweak: &[u8], text: &[u8]) -> Result<(C, C), Error> {
    if C::BLOCK != 16 {
        return Err(Error::BlockSize);
    }
    if key1 == key2 {
        return Err(Error::EqualKeys);
    }
    if tweak.len() != 16 {
        return Err(Error::IvLength);
    }
    if text.len() < 16 {
        return Err(Error::MessageLength);
    }
    Ok((C::with_key(key1)?, C::with_key(key2)?))
}

/// The tweaks T_0 = E_K2(tweak), T_j = T_(j-1) times alpha.
fn tweaks(c2: &dyn Cipher, tweak: &[u8], count: usize) -> Vec<[u8; 16]> {
    let mut t: [u8; 16] = e(c2, tweak).try_into().expect("16 bytes");
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(t);
        t = times_alpha(t);
    }
    out
}

/// XTS encryption of one data unit (IEEE 1619 5.3): `key1` for the data,
/// `key2` for the tweak of 16 bytes. Errors: [`Error::KeyLength`],
/// [`Error::EqualKeys`], [`Error::IvLength`], [`Error::MessageLength`] for
/// less than one block, [`Error::BlockSize`].
pub fn encrypt<C: Keyed>(
    key1: &[u8],
    key2: &[u8],
    tweak: &[u8],
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    let (c1, c2) = ciphers::<C>(key1, key2, tweak, p)?;
    let m = p.len() / 16;
    let t = tweaks(&c2, tweak, m + 1);
    let block = |text: &[u8], t: &[u8]| xor(&e(&c1, &xor(text, t)), t);
    let mut out: Vec<u8> =
        p[..16 * m].chunks(16).zip(&t).flat_map(|(text, t)| block(text, t)).collect();
    let rest = &p[16 * m..];
    if !rest.is_empty() {
        // CC = E(P_(m-1)) with tweak m-1; the short C_m is its head, and
        // C_(m-1) is the encryption of P_m||tail of CC with tweak m.
        let cc = out.split_off(16 * (m - 1));
        let (head, tail) = cc.split_at(rest.len());
        out.extend(block(&[rest, tail].concat(), &t[m]));
        out.extend(head);
    }
    Ok(out)
}

/// XTS decryption of one data unit (IEEE 1619 5.4). Errors as [`encrypt`].
pub fn decrypt<C: Keyed>(
    key1: &[u8],
    key2: &[u8],
    tweak: &[u8],
    ct: &[u8],
) -> Result<Vec<u8>, Error> {
    let (c1, c2) = ciphers::<C>(key1, key2, tweak, ct)?;
    let m = ct.len() / 16;
    let t = tweaks(&c2, tweak, m + 1);
    let block = |text: &[u8], t: &[u8]| xor(&d(&c1, &xor(text, t)), t);
    let rest = &ct[16 * m..];
    let whole = if rest.is_empty() { m } else { m - 1 };
    let mut out: Vec<u8> =
        ct[..16 * whole].chunks(16).zip(&t).flat_map(|(text, t)| block(text, t)).collect();
    if !rest.is_empty() {
        // The block before the short block has tweak m, not m-1.
        let pp = block(&ct[16 * (m - 1)..16 * m], &t[m]);
        let (head, tail) = pp.split_at(rest.len());
        out.extend(block(&[rest, tail].concat(), &t[m - 1]));
        out.extend(head);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuznyechik::Kuznyechik;
    use crate::magma::Magma;
    use aes::Aes128;
    use aes::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};
    use testkit::hex;

    /// A cipher simple enough to work out its XTS by hand: xor with the key.
    struct Xor([u8; 16]);
    impl Cipher for Xor {
        fn block(&self) -> usize {
            16
        }
        fn encrypt(&self, block: &mut [u8]) {
            block.copy_from_slice(&xor(block, &self.0));
        }
        fn decrypt(&self, block: &mut [u8]) {
            self.encrypt(block);
        }
    }
    impl Keyed for Xor {
        const BLOCK: usize = 16;
        fn with_key(key: &[u8]) -> Result<Self, Error> {
            Ok(Xor(key[..16].try_into().unwrap()))
        }
    }

    /// AES-128, the cipher of the examples in IEEE 1619.
    struct Aes(Aes128);
    impl Cipher for Aes {
        fn block(&self) -> usize {
            16
        }
        fn encrypt(&self, block: &mut [u8]) {
            self.0.encrypt_block(block.try_into().unwrap());
        }
        fn decrypt(&self, block: &mut [u8]) {
            self.0.decrypt_block(block.try_into().unwrap());
        }
    }
    impl Keyed for Aes {
        const BLOCK: usize = 16;
        fn with_key(key: &[u8]) -> Result<Self, Error> {
            Aes128::new_from_slice(key).map(Aes).map_err(|_| Error::KeyLength)
        }
    }

    #[test]
    fn ieee_1619_annex_b_examples() {
        // Vectors 2 and 3; 15 and 18, which steal ciphertext: keys, sector, plaintext, ciphertext.
        let examples = "
            11111111111111111111111111111111 22222222222222222222222222222222 3333333333
            4444444444444444444444444444444444444444444444444444444444444444
            c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0
            fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 22222222222222222222222222222222 3333333333
            4444444444444444444444444444444444444444444444444444444444444444
            af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89
            fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0 123456789a
            000102030405060708090a0b0c0d0e0f10
            6c1625db4671522d3d7599601de7ca09ed
            fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0 123456789a
            000102030405060708090a0b0c0d0e0f10111213
            9d84c813f719aa2c7be3f66171c7c5c2edbf9dac";
        let words: Vec<&str> = examples.split_whitespace().collect();
        for [k1, k2, sector, p, ct] in words.as_chunks().0 {
            let tweak = sector_tweak(u128::from_str_radix(sector, 16).unwrap());
            let (k1, k2) = (hex(k1), hex(k2));
            assert_eq!(encrypt::<Aes>(&k1, &k2, &tweak, &hex(p)).unwrap(), hex(ct));
            assert_eq!(decrypt::<Aes>(&k1, &k2, &tweak, &hex(ct)).unwrap(), hex(p));
        }
    }

    #[test]
    fn alpha_in_the_order_of_ieee_1619() {
        let mut one = [0; 16];
        one[0] = 1;
        let mut t = one;
        for _ in 0..127 {
            t = times_alpha(t);
        }
        let mut top = [0; 16];
        top[15] = 0x80;
        assert_eq!(t, top);
        let mut reduced = [0; 16];
        reduced[0] = 0x87;
        assert_eq!(times_alpha(top), reduced);
        assert_eq!(sector_tweak(0x0102), [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn stealing_moves_bytes_as_drawn_in_the_standard() {
        // With E = xor of K the tweaks cancel: whole blocks become P xor K.
        let (k1, k2) = ([0x55; 16], [0xaa; 16]);
        let p: Vec<u8> = (0..21).collect();
        let ct = encrypt::<Xor>(&k1, &k2, &[0; 16], &p).unwrap();
        let want: Vec<u8> =
            (16..21).map(|o| o ^ 0x55).chain(5..16).chain((0..5).map(|o| o ^ 0x55)).collect();
        assert_eq!(ct, want);
    }

    #[test]
    fn every_length_inverts() {
        let (k1, k2): (Vec<u8>, Vec<u8>) = ((0..32).collect(), (32..64).collect());
        let tweak = sector_tweak(0x1_0000_0000);
        for len in 16..=100 {
            let p: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
            let ct = encrypt::<Kuznyechik>(&k1, &k2, &tweak, &p).unwrap();
            assert_eq!(ct.len(), p.len());
            assert_eq!(decrypt::<Kuznyechik>(&k1, &k2, &tweak, &ct).unwrap(), p);
        }
    }

    #[test]
    fn refusals() {
        let (k1, k2) = ([1; 32], [2; 32]);
        let run = |k1: &[u8], k2: &[u8], tweak: &[u8], p: &[u8]| {
            let got = encrypt::<Kuznyechik>(k1, k2, tweak, p);
            assert_eq!(got, decrypt::<Kuznyechik>(k1, k2, tweak, p));
            got.unwrap_err()
        };
        assert_eq!(run(&k1, &k1, &[0; 16], &[0; 16]), Error::EqualKeys);
        assert_eq!(run(&k1, &k2[1..], &[0; 16], &[0; 16]), Error::KeyLength);
        assert_eq!(run(&k1, &k2, &[0; 8], &[0; 16]), Error::IvLength);
        assert_eq!(run(&k1, &k2, &[0; 16], &[0; 15]), Error::MessageLength);
        assert_eq!(encrypt::<Magma>(&k1, &k2, &[0; 16], &[0; 16]), Err(Error::BlockSize));
    }
}
