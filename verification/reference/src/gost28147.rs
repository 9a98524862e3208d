//! The modes of GOST 28147-89 (RFC 5830), the key meshing and the key wraps
//! of CryptoPro (RFC 4357) and the key wrap of RFC 7836.
//!
//! Byte i of a block has bits 8i+1..8i+8 of N1, N2: the registers are read
//! little-endian, bytes 0..3 are N1.

use crate::kdf::kdf_256;
use crate::magma::{Gost89, PARAM_Z, Sbox};
use crate::modes::{compare, d, e, pad1, xor};
use crate::{Error, modes};

/// The change of the key after each 1024 bytes of a message (RFC 4357 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshing {
    /// Null key meshing, 2.3.1. Belongs to id-Gost28147-89-TestParamSet.
    None,
    /// CryptoPro key meshing, 2.3.2: before byte 1024, 2048, ... is
    /// processed, not after the last byte.
    CryptoPro,
}

/// The constant C of RFC 4357 2.3.2.
const C: [u8; 32] = [
    0x69, 0x00, 0x72, 0x22, 0x64, 0xC9, 0x04, 0x23, 0x8D, 0x3A, 0xDB, 0x96, 0x46, 0xE9, 0x2A, 0xC4,
    0x18, 0xFE, 0xAC, 0x94, 0x00, 0xED, 0x07, 0x12, 0xC0, 0x86, 0xDC, 0xC2, 0xEF, 0x4C, 0xA9, 0x2B,
];

/// K\[i+1\] = decryptECB(K\[i\], C) (RFC 4357 2.3.2).
pub fn mesh_key(key: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    ecb_decrypt(key, table, &C)
}

/// The next key and IV0\[i+1\] = encryptECB(K\[i+1\], IVn\[i\]) (RFC 4357
/// 2.3.2). [`Error::IvLength`] unless the register has 8 bytes.
pub fn mesh(key: &[u8], iv: &[u8], table: &Sbox) -> Result<(Vec<u8>, Vec<u8>), Error> {
    check_iv(iv)?;
    let next = mesh_key(key, table)?;
    let iv = e(&Gost89::new(&next, table)?, iv);
    Ok((next, iv))
}

fn check_iv(iv: &[u8]) -> Result<(), Error> {
    if iv.len() == 8 { Ok(()) } else { Err(Error::IvLength) }
}

/// ECB (RFC 5830 5.1). [`Error::MessageLength`] unless whole blocks.
pub fn ecb_encrypt(key: &[u8], table: &Sbox, p: &[u8]) -> Result<Vec<u8>, Error> {
    modes::ecb_encrypt(&Gost89::new(key, table)?, p)
}

/// ECB (RFC 5830 5.2).
pub fn ecb_decrypt(key: &[u8], table: &Sbox, ct: &[u8]) -> Result<Vec<u8>, Error> {
    modes::ecb_decrypt(&Gost89::new(key, table)?, ct)
}

/// A \[+\]' B, addition modulo 2^32-1: the sum less 2^32, plus 1, when it is
/// 2^32 or more; a sum of exactly 2^32-1 stays.
fn add_mod_2_32_less_1(a: u32, b: u32) -> u32 {
    let (sum, carry) = a.overflowing_add(b);
    if carry { sum + 1 } else { sum }
}

/// The counter: N3 \[+\] C2, N4 \[+\]' C1 (RFC 5830 6.1, appendix A).
fn advance(counter: &[u8]) -> Vec<u8> {
    const C1: u32 = 0x01010104;
    const C2: u32 = 0x01010101;
    let n3 = u32::from_le_bytes(counter[..4].try_into().unwrap());
    let n4 = u32::from_le_bytes(counter[4..].try_into().unwrap());
    let n3 = n3.wrapping_add(C2);
    let n4 = add_mod_2_32_less_1(n4, C1);
    [n3.to_le_bytes(), n4.to_le_bytes()].concat()
}

/// One direction of a mode on one block: from the cipher, the register and
/// the input, the output and the next register.
type Step = fn(&Gost89, &[u8], &[u8]) -> (Vec<u8>, Vec<u8>);

/// The blocks of a message through `step`, key and register meshed as
/// RFC 4357 2.3.2 has it.
fn run(
    key: &[u8],
    table: &Sbox,
    register: Vec<u8>,
    meshing: Meshing,
    text: &[u8],
    step: Step,
) -> Result<Vec<u8>, Error> {
    let mut key = key.to_vec();
    let mut register = register;
    let mut c = Gost89::new(&key, table)?;
    let mut out = Vec::new();
    for (i, piece) in text.chunks(8).enumerate() {
        if meshing == Meshing::CryptoPro && i > 0 && (8 * i) % 1024 == 0 {
            (key, register) = mesh(&key, &register, table)?;
            c = Gost89::new(&key, table)?;
        }
        let (result, next) = step(&c, &register, piece);
        out.extend(result);
        register = next;
    }
    Ok(out)
}

/// CNT, the counter mode (RFC 5830 6), its own inverse: the encrypted `iv` is
/// the counter, which is advanced before each block; gamma is the encrypted
/// counter. Meshing encrypts the counter, which then is advanced as ever.
/// Any message length; [`Error::IvLength`] unless 8 bytes.
pub fn cnt(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    let c = Gost89::new(key, table)?;
    check_iv(iv)?;
    run(key, table, e(&c, iv), meshing, p, |c, counter, piece| {
        let counter = advance(counter);
        (xor(piece, &e(c, &counter)), counter)
    })
}

/// CFB (RFC 5830 7.1): C_i = P_i xor E(C_(i-1)), C_0 = `iv`. Any message
/// length. Errors as [`cnt`].
pub fn cfb_encrypt(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv(iv)?;
    run(key, table, iv.to_vec(), meshing, p, |c, register, piece| {
        let result = xor(piece, &e(c, register));
        (result.clone(), result)
    })
}

/// CFB (RFC 5830 7.2).
pub fn cfb_decrypt(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    ct: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv(iv)?;
    run(key, table, iv.to_vec(), meshing, ct, |c, register, piece| {
        (xor(piece, &e(c, register)), piece.to_vec())
    })
}

/// CBC (RFC 4357 2.1): C_i = E(P_i xor C_(i-1)), C_0 = `iv`. Whole blocks
/// only. Meshing to the letter of 2.3.2, key and register; others change the
/// key only, or nothing.
pub fn cbc_encrypt(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv(iv)?;
    if !p.len().is_multiple_of(8) {
        return Err(Error::MessageLength);
    }
    run(key, table, iv.to_vec(), meshing, p, |c, register, piece| {
        let result = e(c, &xor(piece, register));
        (result.clone(), result)
    })
}

/// CBC (RFC 4357 2.1).
pub fn cbc_decrypt(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    ct: &[u8],
) -> Result<Vec<u8>, Error> {
    check_iv(iv)?;
    if !ct.len().is_multiple_of(8) {
        return Err(Error::MessageLength);
    }
    run(key, table, iv.to_vec(), meshing, ct, |c, register, piece| {
        (xor(&d(c, piece), register), piece.to_vec())
    })
}

/// The MAC (RFC 5830 8, "imitovstavka"; gost28147IMIT of RFC 4357): register
/// = 16 rounds of (register xor block), over the message filled up with zeros.
/// `iv` is the first register, zero in the standard. The standard wants two
/// blocks at least: a message of 1..=8 bytes gets a second block of zeros, as
/// CryptoPro, gost-engine, libgcrypt and nettle do; the empty one leaves `iv`.
/// Meshing changes the key only. The tag is the first `tag_len` bytes, 1..=8
/// ([`Error::TagLength`]), of the register: for 4 bytes I(32) of the
/// standard, N1; for fewer the standard would take the last bytes of N1, and
/// it knows no more than 4; all implementations do this.
pub fn imit(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    p: &[u8],
    tag_len: usize,
) -> Result<Vec<u8>, Error> {
    let mut padded = pad1(8, p);
    if padded.len() == 8 {
        padded.extend([0; 8]);
    }
    if tag_len == 0 || tag_len > 8 {
        return Err(Error::TagLength);
    }
    check_iv(iv)?;
    let mut key = key.to_vec();
    let mut c = Gost89::new(&key, table)?;
    let mut register = iv.to_vec();
    for (i, block) in padded.chunks(8).enumerate() {
        if meshing == Meshing::CryptoPro && i > 0 && (8 * i) % 1024 == 0 {
            key = mesh_key(&key, table)?;
            c = Gost89::new(&key, table)?;
        }
        register = xor(block, &register);
        c.mac_step(&mut register);
    }
    register.truncate(tag_len);
    Ok(register)
}

/// [`Error::TagLength`] unless `tag` has `tag_len` bytes, then [`Error::Mac`]
/// unless it is the [`imit`] of the message.
pub fn imit_verify(
    key: &[u8],
    table: &Sbox,
    iv: &[u8],
    meshing: Meshing,
    p: &[u8],
    tag_len: usize,
    tag: &[u8],
) -> Result<(), Error> {
    compare(&imit(key, table, iv, meshing, p, tag_len)?, tag)
}

/// CryptoPro KEK diversification (RFC 4357 6.5): eight times K becomes
/// encryptCFB(S, K, K), where S is the sum of the words of K for which byte i
/// of `ukm` has a bit 1, then the sum of the others; bit 0 of the byte
/// belongs to the first word. Errors: [`Error::KeyLength`],
/// [`Error::IvLength`] unless `ukm` has 8 bytes.
pub fn kek_diversify(kek: &[u8], ukm: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    Gost89::new(kek, table)?;
    check_iv(ukm)?;
    let mut k = kek.to_vec();
    for a in ukm {
        let (mut ones, mut zeros) = (0u32, 0u32);
        for (j, word) in k.chunks(4).enumerate() {
            let word = u32::from_le_bytes(word.try_into().unwrap());
            if a >> j & 1 == 1 {
                ones = ones.wrapping_add(word);
            } else {
                zeros = zeros.wrapping_add(word);
            }
        }
        let s = [ones.to_le_bytes(), zeros.to_le_bytes()].concat();
        k = cfb_encrypt(&k, table, &s, Meshing::None, &k)?;
    }
    Ok(k)
}

/// `prefix`|CEK_ENC|CEK_MAC under the final key.
fn wrap(kek: &[u8], prefix: &[u8], cek: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    let enc = ecb_encrypt(kek, table, cek)?;
    let mac = imit(kek, table, &prefix[..8], Meshing::None, cek, 4)?;
    Ok([prefix, &enc, &mac].concat())
}

fn unwrap(kek: &[u8], iv: &[u8], enc_and_mac: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    let (enc, mac) = enc_and_mac.split_at(enc_and_mac.len() - 4);
    let cek = ecb_decrypt(kek, table, enc)?;
    imit_verify(kek, table, &iv[..8], Meshing::None, &cek, 4, mac)?;
    Ok(cek)
}

fn check_cek(cek: &[u8]) -> Result<(), Error> {
    if cek.len() == 32 { Ok(()) } else { Err(Error::MessageLength) }
}

fn check_wrapped(wrapped: &[u8]) -> Result<(), Error> {
    if wrapped.len() == 44 { Ok(()) } else { Err(Error::MessageLength) }
}

/// GOST 28147-89 key wrap (RFC 4357 6.1; with param set Z it is KExp28147 of
/// RFC 9189 8.2.2): UKM|CEK_ENC|CEK_MAC, 44 bytes. `ukm` has 8 bytes
/// ([`Error::IvLength`]), `cek` 32 ([`Error::MessageLength`]).
pub fn wrap_gost(kek: &[u8], ukm: &[u8], cek: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    check_iv(ukm)?;
    check_cek(cek)?;
    wrap(kek, ukm, cek, table)
}

/// RFC 4357 6.2. [`Error::MessageLength`] unless 44 bytes, [`Error::Mac`].
pub fn unwrap_gost(kek: &[u8], wrapped: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    check_wrapped(wrapped)?;
    unwrap(kek, &wrapped[..8], &wrapped[8..], table)
}

/// CryptoPro key wrap (RFC 4357 6.3): [`wrap_gost`] under the diversified KEK.
pub fn wrap_cryptopro(kek: &[u8], ukm: &[u8], cek: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    check_iv(ukm)?;
    check_cek(cek)?;
    wrap(&kek_diversify(kek, ukm, table)?, ukm, cek, table)
}

/// RFC 4357 6.4. Errors as [`unwrap_gost`].
pub fn unwrap_cryptopro(kek: &[u8], wrapped: &[u8], table: &Sbox) -> Result<Vec<u8>, Error> {
    check_wrapped(wrapped)?;
    let kek = kek_diversify(kek, &wrapped[..8], table)?;
    unwrap(&kek, &wrapped[..8], &wrapped[8..], table)
}

/// KEK_e = KDF_GOSTR3411_2012_256(K_e, 26bdb878, seed) (RFC 7836 4.6).
fn kek_e(kek: &[u8], seed: &[u8]) -> Result<Vec<u8>, Error> {
    if kek.len() != 32 {
        return Err(Error::KeyLength);
    }
    Ok(kdf_256(kek, &[0x26, 0xbd, 0xb8, 0x78], seed))
}

/// Key wrap of RFC 7836 4.6, param set Z: seed|CEK_ENC|CEK_MAC. `seed` has
/// 8..=16 bytes ([`Error::IvLength`]), the key 32 or 64
/// ([`Error::MessageLength`]).
pub fn wrap_rfc7836(kek: &[u8], seed: &[u8], key: &[u8]) -> Result<Vec<u8>, Error> {
    if !(8..=16).contains(&seed.len()) {
        return Err(Error::IvLength);
    }
    if key.len() != 32 && key.len() != 64 {
        return Err(Error::MessageLength);
    }
    wrap(&kek_e(kek, seed)?, seed, key, &PARAM_Z)
}

/// Key unwrap of RFC 7836 4.6. The whole length tells seed and key apart:
/// 44..=52 bytes for a key of 32, 76..=84 for 64, else
/// [`Error::MessageLength`]. [`Error::Mac`].
pub fn unwrap_rfc7836(kek: &[u8], wrapped: &[u8]) -> Result<Vec<u8>, Error> {
    let seed_len = match wrapped.len() {
        len @ 44..=52 => len - 36,
        len @ 76..=84 => len - 68,
        _ => return Err(Error::MessageLength),
    };
    let (seed, rest) = wrapped.split_at(seed_len);
    unwrap(&kek_e(kek, seed)?, seed, rest, &PARAM_Z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magma::sbox;
    use testkit::hex;

    fn set_a() -> &'static Sbox {
        sbox("id-Gost28147-89-CryptoPro-A-ParamSet").unwrap()
    }

    #[test]
    fn counter_wraps_each_half_in_its_own_way() {
        assert_eq!(add_mod_2_32_less_1(1, 2), 3);
        assert_eq!(add_mod_2_32_less_1(0xffff_fffe, 1), 0xffff_ffff);
        assert_eq!(add_mod_2_32_less_1(0xffff_ffff, 1), 1);
        assert_eq!(add_mod_2_32_less_1(0xffff_ffff, 0xffff_ffff), 0xffff_ffff);
        let end = [[0xff; 4], [0xff; 4]].concat();
        assert_eq!(advance(&end), hex("0001010104010101"));
    }

    #[test]
    fn meshing_is_lazy_and_inverts() {
        let (key, iv) = ([5; 32], [6; 8]);
        let p: Vec<u8> = (0..2056u32).map(|i| ((i * i) >> 3) as u8).collect();
        let (plain, meshed) = (Meshing::None, Meshing::CryptoPro);
        let run = |m| {
            [
                cnt(&key, set_a(), &iv, m, &p).unwrap(),
                cfb_encrypt(&key, set_a(), &iv, m, &p).unwrap(),
                cbc_encrypt(&key, set_a(), &iv, m, &p).unwrap(),
            ]
        };
        for (a, b) in run(plain).iter().zip(&run(meshed)) {
            assert_eq!(a[..1024], b[..1024]);
            assert_ne!(a[1024..1032], b[1024..1032]);
        }
        for m in [plain, meshed] {
            let [cnt_ct, cfb_ct, cbc_ct] = run(m);
            assert_eq!(cnt(&key, set_a(), &iv, m, &cnt_ct).unwrap(), p);
            assert_eq!(cfb_decrypt(&key, set_a(), &iv, m, &cfb_ct).unwrap(), p);
            assert_eq!(cbc_decrypt(&key, set_a(), &iv, m, &cbc_ct).unwrap(), p);
        }
        // The second section of CFB, by hand: RFC 4357 2.3.2 with IVn[0] = C_128.
        let [_, ct, _] = run(meshed);
        let (key1, iv1) = mesh(&key, &ct[1016..1024], set_a()).unwrap();
        let second = cfb_encrypt(&key1, set_a(), &iv1, plain, &p[1024..2048]).unwrap();
        assert_eq!(second, ct[1024..2048]);
        let tag = |m, len: usize| imit(&key, set_a(), &iv, m, &p[..len], 4).unwrap();
        assert_eq!(tag(plain, 1024), tag(meshed, 1024));
        assert_ne!(tag(plain, 1025), tag(meshed, 1025));
    }

    #[test]
    fn wraps_invert_and_refuse() {
        let (kek, ukm) = ([1; 32], [0x5a; 8]);
        let cek: Vec<u8> = (0..32).collect();
        let gost = wrap_gost(&kek, &ukm, &cek, set_a()).unwrap();
        let cryptopro = wrap_cryptopro(&kek, &ukm, &cek, set_a()).unwrap();
        assert_ne!(gost, cryptopro);
        assert_eq!(unwrap_gost(&kek, &gost, set_a()).unwrap(), cek);
        assert_eq!(unwrap_cryptopro(&kek, &cryptopro, set_a()).unwrap(), cek);
        assert_eq!(unwrap_gost(&kek, &cryptopro, set_a()), Err(Error::Mac));
        assert_eq!(unwrap_gost(&kek, &gost[1..], set_a()), Err(Error::MessageLength));
        assert_eq!(wrap_gost(&kek, &ukm[1..], &cek, set_a()), Err(Error::IvLength));
        assert_eq!(wrap_gost(&kek, &ukm, &cek[1..], set_a()), Err(Error::MessageLength));
        for seed_len in 8..=16 {
            for key_len in [32, 64] {
                let (seed, key) = (vec![7; seed_len], vec![8; key_len]);
                let mut wrapped = wrap_rfc7836(&kek, &seed, &key).unwrap();
                assert_eq!(unwrap_rfc7836(&kek, &wrapped).unwrap(), key);
                wrapped[seed_len] ^= 1;
                assert_eq!(unwrap_rfc7836(&kek, &wrapped), Err(Error::Mac));
            }
        }
        assert_eq!(wrap_rfc7836(&kek, &[0; 7], &cek), Err(Error::IvLength));
        assert_eq!(wrap_rfc7836(&kek, &ukm, &[0; 33]), Err(Error::MessageLength));
        assert_eq!(unwrap_rfc7836(&kek, &[0; 53]), Err(Error::MessageLength));
    }

    #[test]
    fn refusals() {
        let none = Meshing::None;
        assert_eq!(cnt(&[0; 31], set_a(), &[0; 8], none, &[]), Err(Error::KeyLength));
        assert_eq!(cnt(&[0; 32], set_a(), &[0; 7], none, &[]), Err(Error::IvLength));
        assert_eq!(cfb_encrypt(&[0; 32], set_a(), &[], none, &[]), Err(Error::IvLength));
        let odd = cbc_encrypt(&[0; 32], set_a(), &[0; 8], none, &[0; 7]);
        assert_eq!(odd, Err(Error::MessageLength));
        assert_eq!(imit(&[0; 32], set_a(), &[3; 8], none, &[], 8).unwrap(), [3; 8]);
        for tag_len in [0, 9] {
            let refused = imit(&[0; 32], set_a(), &[0; 8], none, &[], tag_len);
            assert_eq!(refused, Err(Error::TagLength));
        }
    }
}
