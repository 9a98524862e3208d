//! Calls that seal and open a whole message, messages in chosen pieces, and sectors, against the reference. `differential`
//! compares every mode at every length.

use bulat::modes::{Aead, BlockMode, CtrAcpkm, CtrAcpkmOmac, Mgm, StreamCipher, Xts};
use bulat::{BlockCipher, Direction, Error, Kuznyechik, Magma};
use reference::{Keyed, acpkm, cms, mgm};

use super::Random;

/// A text under a key, for the library's cipher and the reference's.
struct Try<C, R> {
    /// Cipher, length and seed, for messages.
    about: String,
    key: [u8; 32],
    cipher: C,
    model: R,
    text: Vec<u8>,
    /// The parameters: seeded, so that a failure repeats.
    r: Random,
}

impl<C: BlockCipher, R: Keyed> Try<C, R> {
    /// The library's output is the reference's; `how` is the mode and its parameters.
    fn same(&self, how: &str, own: &[u8], model: Result<Vec<u8>, reference::Error>) {
        let model = model.expect("input that the reference accepts");
        assert!(own == model, "{how}, {}:\n{own:02x?}\n{model:02x?}", self.about);
    }
}

/// Authenticated encryption over many lengths.
fn differential<C: BlockCipher, R: Keyed>(name: &str, make: fn(&[u8; 32]) -> C) {
    for len in (0..=300).chain([1023, 1024, 1025, 4096, 4097]) {
        let seed = 0xfedc_ba98_7654_3210 ^ len as u64;
        let mut r = Random::new(seed);
        let (key, text) = (r.array(), r.bytes(len));
        let about = format!("{name}, {len} bytes, seed {seed:x}");
        let (cipher, model) = (make(&key), R::with_key(&key).unwrap());
        let mut t = Try { about, key, cipher, model, text, r };
        mgm(&mut t);
        cms(&mut t);
    }
}

fn mgm<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (n, aad_len) = (C::BLOCK, 1 + t.r.below(50));
    let (mut nonce, aad) = (t.r.bytes(n), t.r.bytes(aad_len));
    nonce[0] &= 0x7f;
    let tag_len = 4 + t.r.upto(n - 4);
    let how = format!("MGM, {aad_len} bytes of aad, {tag_len} of tag");
    let aead = Mgm::with(t.cipher.clone()).truncated(tag_len).unwrap();
    let want = mgm::encrypt(&t.model, &nonce, &aad, &t.text, tag_len).map(both);
    let own = sealed(&aead, &nonce, &aad, &t.text, &format!("{how}, {}", t.about));
    t.same(&how, &own, want.clone());
    // A short text goes a separate way when it comes first, but not after an update, even an empty update.
    let (mut sealer, mut own) = (aead.sealer(&nonce).unwrap(), t.text.clone());
    sealer.aad(&aad).unwrap();
    sealer.update(&mut []).unwrap();
    sealer.update(&mut own).unwrap();
    own.extend_from_slice(&sealer.finalize().unwrap());
    t.same(&format!("{how}, after an empty update"), &own, want);
}

fn cms<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (ukm, section) = (t.r.bytes(C::BLOCK / 2 + 8), C::BLOCK * (1 + t.r.upto(6)));
    let how = format!("CTR-ACPKM-OMAC, N = {section}");
    let aead = CtrAcpkmOmac::with(t.cipher.clone(), &t.key, section).unwrap();
    let want = cms::ctr_acpkm_omac_encrypt::<R>(&t.key, &ukm, section, &t.text).map(both);
    let own = sealed(&aead, &ukm, &[], &t.text, &format!("{how}, {}", t.about));
    t.same(&how, &own, want.clone());
    let (mut sealer, mut own) = (aead.sealer(&ukm).unwrap(), t.text.clone());
    own.chunks_mut(77).for_each(|piece| sealer.update(piece).unwrap());
    own.extend_from_slice(&sealer.finalize().unwrap());
    t.same(&format!("{how}, in pieces of 77"), &own, want);
}

/// Text || tag.
fn both((text, tag): (Vec<u8>, Vec<u8>)) -> Vec<u8> {
    [text, tag].concat()
}

fn all(mode: &mut impl BlockMode, text: &[u8]) -> Result<Vec<u8>, Error> {
    let (mut out, mut end) = (text.to_vec(), [0; 32]);
    let n = mode.update(&mut out)?;
    out.truncate(n);
    let n = mode.finalize(&mut end)?;
    out.extend(&end[..n]);
    Ok(out)
}

/// Text || tag, sealed in a single call; opened again, in place and apart.
fn sealed(aead: &impl Aead, nonce: &[u8], aad: &[u8], text: &[u8], about: &str) -> Vec<u8> {
    let (mut own, mut apart) = (text.to_vec(), vec![0; text.len()]);
    let tag = aead.seal_in_place(nonce, aad, &mut own).unwrap();
    let tag_apart = aead.seal_b2b(nonce, aad, text, &mut apart).unwrap();
    assert!(own == apart && *tag == *tag_apart, "{about}: seal_b2b differs from seal_in_place");
    aead.open_b2b(nonce, aad, &own, &mut apart, &tag).unwrap();
    assert!(apart == text, "{about}: open_b2b gives another text");
    apart.copy_from_slice(&own);
    aead.open_in_place(nonce, aad, &mut apart, &tag).unwrap();
    assert!(apart == text, "{about}: open_in_place gives another text");
    [own, tag.to_vec()].concat()
}

/// MGM in pieces: a short first text has gamma and multipliers made together, and leaves some for the next.
fn mgm_in_pieces<C: BlockCipher, R: Keyed>(make: fn(&[u8; 32]) -> C) {
    let (mut r, n) = (Random::new(0x3c4b_5a69_7887_96a5), C::BLOCK);
    for first in [0, 1, n - 1, n, n + 1, 2048 - n, 2047, 2048, 2049] {
        for second in [0, 1, n - 1, n, n + 1, 2049] {
            for aad_len in [0, 1, n - 1, n, n + 1, 2 * n] {
                let (key, text, aad) = (r.array(), r.bytes(first + second), r.bytes(aad_len));
                if text.is_empty() && aad.is_empty() {
                    continue;
                }
                let (cipher, model) = (make(&key), R::with_key(&key).unwrap());
                let (mut nonce, what) = (r.bytes(n), format!("{aad_len}, {first} + {second}"));
                nonce[0] &= 0x7f;
                let (sealed, tag) = mgm::encrypt(&model, &nonce, &aad, &text, n).unwrap();

                let aead = Mgm::with(cipher);
                let mut sealer = aead.sealer(&nonce).unwrap();
                let mut unverified = aead.unverified_opener(&nonce).unwrap();
                let (a, b) = aad.split_at(aad_len.min(n));
                for piece in [a, &[], b] {
                    sealer.aad(piece).unwrap();
                    unverified.aad(piece).unwrap();
                }
                let mut own = text.clone();
                let (a, b) = own.split_at_mut(first);
                [a, b].into_iter().for_each(|piece| sealer.update(piece).unwrap());
                let computed = sealer.finalize().unwrap();
                assert!(own == sealed && *computed == tag, "sealed {what}");
                let (a, b) = own.split_at_mut(first);
                [a, b].into_iter().for_each(|piece| unverified.update(piece).unwrap());
                assert_eq!(unverified.verify(&tag), Ok(()), "unverified {what}");
                assert!(own == text, "unverified {what}");
                let mut own = sealed;
                let opened = aead.open_in_place(&nonce, &aad, &mut own, &tag);
                assert_eq!(opened, Ok(()), "opened {what}");
                assert!(own == text, "opened {what}");
            }
        }
    }
}

#[test]
fn mgm_in_pieces_equals_the_reference() {
    mgm_in_pieces::<_, reference::kuznyechik::Kuznyechik>(Kuznyechik::new);
    mgm_in_pieces::<_, reference::magma::Magma>(Magma::new);
}

#[test]
fn kuznyechik_equals_the_reference() {
    differential::<_, reference::kuznyechik::Kuznyechik>("Kuznyechik", Kuznyechik::new);
}

/// Sections that kernels do side by side, whole and in pieces.
#[test]
fn long_sections_of_magma() {
    let mut r = Random::new(0x0f1e_2d3c_4b5a_6978);
    for section in [512, 1024, 2048, 4096] {
        for len in [4095, 4096, 9999, 20_000] {
            let (key, iv, text) = (r.array(), r.bytes(4), r.bytes(len));
            let want =
                acpkm::ctr_acpkm::<reference::magma::Magma>(&key, &iv, section, 8, &text).unwrap();
            let mut ctr = CtrAcpkm::with(Magma::new(&key), &iv, section).unwrap();
            for pieces in [len, 3001, section] {
                let mut own = text.clone();
                own.chunks_mut(pieces).for_each(|piece| ctr.apply_keystream(piece).unwrap());
                assert!(own == want, "{len} in sections of {section}, pieces of {pieces}");
                ctr.reset(&iv).unwrap();
            }
        }
    }
}

#[test]
fn magma_equals_the_reference() {
    differential::<_, reference::magma::Magma>("Magma", Magma::new);
}

#[test]
fn xts_equals_the_reference() {
    use reference::{kuznyechik::Kuznyechik, xts};
    let mut r = Random::new(5);
    for len in (16..200).chain([2047, 2048, 2049, 2064, 4111]) {
        let (one, two, text) = (r.array(), r.array(), r.bytes(len));
        let tweak = Xts::tweak(u128::from(r.word()) << (len % 65));
        let own = Xts::new(&one, &two).unwrap();
        let mut out = text.clone();
        own.sector(&tweak, Direction::Encrypt, &mut out).unwrap();
        let want = xts::encrypt::<Kuznyechik>(&one, &two, &tweak, &text).unwrap();
        assert!(out == want, "XTS, a sector of {len} bytes");
        let message = |direction, data| all(&mut own.message(&tweak, direction), data).unwrap();
        assert!(message(Direction::Encrypt, &text) == out, "XTS, a message of {len} bytes");
        assert!(message(Direction::Decrypt, &out) == text, "XTS, {len} bytes decrypted");
        let mut back = vec![0; len];
        own.sector_b2b(&tweak, Direction::Decrypt, &out, &mut back).unwrap();
        assert!(back == text, "XTS, a sector of {len} bytes decrypted to another buffer");
    }
}
