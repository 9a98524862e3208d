//! The modes against the reference, over lengths and parameters.

use bulat::modes::{
    Aead, BlockMode, Cbc, Cfb, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Mac, Mgm, Ofb, Omac, OmacAcpkm,
    Padding, StreamCipher, Xts,
};
use bulat::{BlockCipher, Direction, Error, Kuznyechik, Magma};
use reference::{Keyed, acpkm, cms, mgm, modes};

use super::Random;

/// One text under one key, for the library's cipher and the reference's.
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

    /// The text through a mode that is its own kind of stream.
    fn stream(&self, mode: &mut impl StreamCipher) -> Vec<u8> {
        let mut text = self.text.clone();
        mode.apply_keystream(&mut text).unwrap();
        text
    }

    fn mac(&self, mut mac: impl Mac) -> Vec<u8> {
        mac.update(&self.text);
        mac.finalize().unwrap().to_vec()
    }

    /// A register of `z` blocks, up to three.
    fn register(&mut self) -> Vec<u8> {
        let z = 1 + self.r.below(3);
        self.r.bytes(z * C::BLOCK)
    }

    /// A number from 1 to a block.
    fn part_of_a_block(&mut self) -> usize {
        1 + self.r.upto(C::BLOCK - 1)
    }

    fn section(&mut self) -> usize {
        C::BLOCK * (1 + self.r.upto(6))
    }
}

/// Every mode over many lengths.
fn differential<C: BlockCipher, R: Keyed>(name: &str, make: fn(&[u8; 32]) -> C) {
    for len in (0..=300).chain([1023, 1024, 1025, 4096, 4097]) {
        let seed = 0xfedc_ba98_7654_3210 ^ len as u64;
        let mut r = Random::new(seed);
        let (key, text) = (r.array(), r.bytes(len));
        let about = format!("{name}, {len} bytes, seed {seed:x}");
        let (cipher, model) = (make(&key), R::with_key(&key).unwrap());
        let mut t = Try { about, key, cipher, model, text, r };
        ctr(&mut t);
        ctr_acpkm(&mut t);
        ofb(&mut t);
        cfb(&mut t);
        padded(&mut t);
        cbc(&mut t);
        omac(&mut t);
        omac_acpkm(&mut t);
        mgm(&mut t);
        cms(&mut t);
    }
}

fn ctr<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (iv, s) = (t.r.bytes(C::BLOCK / 2), t.part_of_a_block());
    let mut ctr = Ctr::with(t.cipher.clone(), &iv).unwrap().with_s(s).unwrap();
    let own = t.stream(&mut ctr);
    t.same(&format!("CTR, s = {s}"), &own, modes::ctr(&t.model, &iv, s, &t.text));
}

fn ctr_acpkm<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (iv, section) = (t.r.bytes(C::BLOCK / 2), t.section());
    let own = t.stream(&mut CtrAcpkm::with(t.cipher.clone(), &iv, section).unwrap());
    let want = acpkm::ctr_acpkm::<R>(&t.key, &iv, section, C::BLOCK, &t.text);
    t.same(&format!("CTR-ACPKM, N = {section}"), &own, want);
}

fn ofb<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (iv, s) = (t.register(), t.part_of_a_block());
    let own = t.stream(&mut Ofb::with(t.cipher.clone(), &iv).unwrap().with_s(s).unwrap());
    let how = format!("OFB, s = {s}, {} bytes of IV", iv.len());
    t.same(&how, &own, modes::ofb(&t.model, &iv, s, &t.text));
}

fn cfb<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (m, s) = (C::BLOCK + t.r.below(40), t.part_of_a_block());
    let iv = t.r.bytes(m);
    for (direction, model) in [
        (
            Direction::Encrypt,
            modes::cfb_encrypt as fn(&dyn reference::Cipher, &[u8], usize, &[u8]) -> _,
        ),
        (Direction::Decrypt, modes::cfb_decrypt),
    ] {
        let mut cfb = Cfb::with(t.cipher.clone(), &iv, direction).unwrap().with_s(s).unwrap();
        let own = t.stream(&mut cfb);
        let how = format!("CFB, {direction:?}, s = {s}, {m} bytes of IV");
        t.same(&how, &own, model(&t.model, &iv, s, &t.text));
    }
}

/// ECB and CBC with each padding, and CBC back.
fn padded<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (n, iv) = (C::BLOCK, t.register());
    for (padding, padded) in [
        (Padding::Procedure1, modes::pad1(n, &t.text)),
        (Padding::Procedure2, modes::pad2(n, &t.text)),
        (Padding::Procedure3, modes::pad3(n, &t.text)),
    ] {
        let mut ecb = Ecb::with(t.cipher.clone(), Direction::Encrypt).padding(padding);
        let own = all(&mut ecb, &t.text).unwrap();
        t.same(&format!("ECB, {padding:?}"), &own, modes::ecb_encrypt(&t.model, &padded));
        let cbc = |direction| Cbc::with(t.cipher.clone(), &iv, direction).unwrap().padding(padding);
        let own = all(&mut cbc(Direction::Encrypt), &t.text).unwrap();
        let how = format!("CBC, {padding:?}, {} bytes of IV", iv.len());
        t.same(&how, &own, modes::cbc_encrypt(&t.model, &iv, &padded));
        let back = all(&mut cbc(Direction::Decrypt), &own).unwrap();
        let want = if padding.removable() { t.text.clone() } else { padded };
        t.same(&format!("{how}, decrypted"), &back, Ok(want));
    }
}

/// CBC without padding: whole blocks, or an error.
fn cbc<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let iv = t.register();
    for (direction, model) in [
        (Direction::Encrypt, modes::cbc_encrypt as fn(&dyn reference::Cipher, &[u8], &[u8]) -> _),
        (Direction::Decrypt, modes::cbc_decrypt),
    ] {
        let how = format!("CBC, {direction:?}, {} bytes of IV", iv.len());
        let mut cbc = Cbc::with(t.cipher.clone(), &iv, direction).unwrap();
        match all(&mut cbc, &t.text) {
            Ok(own) => t.same(&how, &own, model(&t.model, &iv, &t.text)),
            Err(error) => {
                assert_eq!(error, Error::DataLength, "{how}, {}", t.about);
                assert!(!t.text.len().is_multiple_of(C::BLOCK), "{how}, {}: refused", t.about);
            }
        }
    }
}

fn omac<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let tag_len = t.part_of_a_block();
    let own = t.mac(Omac::with(t.cipher.clone()).truncated(tag_len).unwrap());
    let how = format!("OMAC, {tag_len} bytes of tag");
    t.same(&how, &own, modes::omac(&t.model, &t.text, tag_len));
}

fn omac_acpkm<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (section, tag_len) = (t.section(), t.part_of_a_block());
    let period = (32 + C::BLOCK) * (1 + t.r.upto(3));
    let omac = OmacAcpkm::with(t.cipher.clone(), section, period).unwrap();
    let own = t.mac(omac.truncated(tag_len).unwrap());
    let how = format!("OMAC-ACPKM, N = {section}, T* = {period}, {tag_len} bytes of tag");
    let want = acpkm::omac_acpkm::<R>(&t.key, section, period, &t.text, tag_len);
    t.same(&how, &own, want);
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
    // A short text has a way of its own when it comes first, but not after an update, even an empty one.
    let (mut sealer, mut own) = (aead.sealer(&nonce).unwrap(), t.text.clone());
    sealer.aad(&aad).unwrap();
    sealer.update(&mut []).unwrap();
    sealer.update(&mut own).unwrap();
    own.extend_from_slice(&sealer.finalize().unwrap());
    t.same(&format!("{how}, after an empty update"), &own, want);
}

fn cms<C: BlockCipher, R: Keyed>(t: &mut Try<C, R>) {
    let (ukm, section) = (t.r.bytes(C::BLOCK / 2 + 8), t.section());
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

/// Text || tag, sealed in one call; opened again, in place and apart.
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
