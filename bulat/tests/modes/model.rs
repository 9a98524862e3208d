//! The modes against the reference, over lengths and parameters.

use bulat::modes::{
    Aead, BlockMode, Cbc, Cfb, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Mac, Mgm, Ofb, Omac, OmacAcpkm,
    Padding, StreamCipher, Xts,
};
use bulat::{BlockCipher, Direction, Error, Kuznyechik, Magma};
use reference::{Keyed, acpkm, cms, mgm, modes};

use super::Random;

/// The library against the reference, over lengths and parameters.
fn differential<C, R>(make: fn(&[u8; 32]) -> C)
where
    C: BlockCipher,
    R: Keyed,
{
    let (mut r, n) = (Random::new(0xfedc_ba98_7654_3210), C::BLOCK);
    for len in (0..=300).chain([1023, 1024, 1025, 4096, 4097]) {
        let key = r.array();
        let (cipher, model) = (make(&key), R::with_key(&key).unwrap());
        let text = r.bytes(len);
        let s = 1 + r.upto(n - 1);
        let section = n * (1 + r.upto(6));

        let gamma = |mode: &mut dyn FnMut(&mut [u8]), want: Vec<u8>| {
            let mut own = text.clone();
            mode(&mut own);
            assert_eq!(own, want);
        };
        let iv = r.bytes(n / 2);
        let mut ctr = Ctr::with(cipher.clone(), &iv).unwrap().with_s(s).unwrap();
        gamma(&mut |t| ctr.apply_keystream(t).unwrap(), modes::ctr(&model, &iv, s, &text).unwrap());
        let mut ctr = CtrAcpkm::with(cipher.clone(), &iv, section).unwrap();
        let want = acpkm::ctr_acpkm::<R>(&key, &iv, section, n, &text).unwrap();
        gamma(&mut |t| ctr.apply_keystream(t).unwrap(), want);
        let iv_len = n * (1 + r.below(3));
        let iv = r.bytes(iv_len);
        let mut ofb = Ofb::with(cipher.clone(), &iv).unwrap().with_s(s).unwrap();
        gamma(&mut |t| ofb.apply_keystream(t).unwrap(), modes::ofb(&model, &iv, s, &text).unwrap());
        let iv_len = n + r.below(40);
        let iv = r.bytes(iv_len);
        for (direction, want) in [
            (Direction::Encrypt, modes::cfb_encrypt(&model, &iv, s, &text)),
            (Direction::Decrypt, modes::cfb_decrypt(&model, &iv, s, &text)),
        ] {
            let mut cfb = Cfb::with(cipher.clone(), &iv, direction).unwrap().with_s(s).unwrap();
            gamma(&mut |t| cfb.apply_keystream(t).unwrap(), want.unwrap());
        }

        // Paddings, and back.
        let iv_len = n * (1 + r.below(3));
        let iv = r.bytes(iv_len);
        for (padding, padded) in [
            (Padding::Procedure1, modes::pad1(n, &text)),
            (Padding::Procedure2, modes::pad2(n, &text)),
            (Padding::Procedure3, modes::pad3(n, &text)),
        ] {
            let mut ecb = Ecb::with(cipher.clone(), Direction::Encrypt).padding(padding);
            assert_eq!(all(&mut ecb, &text).unwrap(), modes::ecb_encrypt(&model, &padded).unwrap());
            let mut cbc =
                Cbc::with(cipher.clone(), &iv, Direction::Encrypt).unwrap().padding(padding);
            let own = all(&mut cbc, &text).unwrap();
            assert_eq!(own, modes::cbc_encrypt(&model, &iv, &padded).unwrap());
            let mut cbc =
                Cbc::with(cipher.clone(), &iv, Direction::Decrypt).unwrap().padding(padding);
            let back = if padding.removable() { &text } else { &padded };
            assert_eq!(&all(&mut cbc, &own).unwrap(), back);
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut cbc = Cbc::with(cipher.clone(), &iv, direction).unwrap();
            match all(&mut cbc, &text) {
                Ok(own) if direction == Direction::Decrypt => {
                    assert_eq!(own, modes::cbc_decrypt(&model, &iv, &text).unwrap());
                }
                Ok(own) => assert_eq!(own, modes::cbc_encrypt(&model, &iv, &text).unwrap()),
                Err(e) => assert!(e == Error::DataLength && len % n != 0),
            }
        }

        // MACs and AEAD.
        let tag_len = 1 + r.upto(n - 1);
        let mut omac = Omac::with(cipher.clone()).truncated(tag_len).unwrap();
        omac.update(&text);
        let tag = omac.finalize().unwrap().to_vec();
        assert_eq!(tag, modes::omac(&model, &text, tag_len).unwrap());
        let period = (32 + n) * (1 + r.upto(3));
        let omac = OmacAcpkm::with(cipher.clone(), section, period).unwrap();
        let mut omac = omac.truncated(tag_len).unwrap();
        omac.update(&text);
        let tag = omac.finalize().unwrap().to_vec();
        let want = acpkm::omac_acpkm::<R>(&key, section, period, &text, tag_len).unwrap();
        assert_eq!(tag, want);
        let aad_len = 1 + r.below(50);
        let (mut nonce, aad) = (r.bytes(n), r.bytes(aad_len));
        nonce[0] &= 0x7f;
        let tag_len = 4 + r.upto(n - 4);
        let aead = Mgm::with(cipher.clone()).truncated(tag_len).unwrap();
        let want = mgm::encrypt(&model, &nonce, &aad, &text, tag_len).unwrap();
        assert_eq!(sealed(&aead, &nonce, &aad, &text), want);
        // A short text goes one way when it comes first, another after a text, if only an empty one.
        let (mut sealer, mut own) = (aead.sealer(&nonce).unwrap(), text.clone());
        sealer.aad(&aad).unwrap();
        sealer.update(&mut []).unwrap();
        sealer.update(&mut own).unwrap();
        assert_eq!((own, sealer.finalize().unwrap().to_vec()), want);
        let ukm = r.bytes(n / 2 + 8);
        let aead = CtrAcpkmOmac::with(cipher, &key, section).unwrap();
        let want = cms::ctr_acpkm_omac_encrypt::<R>(&key, &ukm, section, &text).unwrap();
        assert_eq!(sealed(&aead, &ukm, &[], &text), want);
        let (mut sealer, mut own) = (aead.sealer(&ukm).unwrap(), text.clone());
        own.chunks_mut(77).for_each(|piece| sealer.update(piece).unwrap());
        assert_eq!((own, sealer.finalize().unwrap().to_vec()), want);
    }
}

fn all(mode: &mut impl BlockMode, text: &[u8]) -> Result<Vec<u8>, Error> {
    let (mut out, mut end) = (text.to_vec(), [0; 32]);
    let n = mode.update(&mut out)?;
    out.truncate(n);
    let n = mode.finalize(&mut end)?;
    out.extend(&end[..n]);
    Ok(out)
}

/// Sealed at once; opened again, in place and apart.
fn sealed(aead: &impl Aead, nonce: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut own, mut apart) = (text.to_vec(), vec![0; text.len()]);
    let tag = aead.seal_in_place(nonce, aad, &mut own).unwrap();
    assert_eq!(*aead.seal_b2b(nonce, aad, text, &mut apart).unwrap(), *tag);
    assert!(own == apart);
    aead.open_b2b(nonce, aad, &own, &mut apart, &tag).unwrap();
    assert!(apart == text);
    apart.copy_from_slice(&own);
    aead.open_in_place(nonce, aad, &mut apart, &tag).unwrap();
    assert!(apart == text);
    (own, tag.to_vec())
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
    differential::<_, reference::kuznyechik::Kuznyechik>(Kuznyechik::new);
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
    differential::<_, reference::magma::Magma>(Magma::new);
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
        assert_eq!(out, xts::encrypt::<Kuznyechik>(&one, &two, &tweak, &text).unwrap());
        assert_eq!(out, all(&mut own.message(&tweak, Direction::Encrypt), &text).unwrap());
        assert_eq!(text, all(&mut own.message(&tweak, Direction::Decrypt), &out).unwrap());
        let mut back = vec![0; len];
        own.sector_b2b(&tweak, Direction::Decrypt, &out, &mut back).unwrap();
        assert_eq!(back, text);
    }
}
