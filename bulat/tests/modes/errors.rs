//! What is refused, and that a refusal changes nothing.

use bulat::algorithm::{ALGORITHMS, Params, find};
use bulat::modes::{
    Aead, Blocks, Cbc, Cfb, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Gamma, Mac, Mgm, Ofb, Omac,
    OmacAcpkm, Padding, Xts,
};
use bulat::{BlockCipher, Direction, Error, InOut, Kuznyechik, Magma};

use super::Random;

fn kuznyechik() -> Kuznyechik {
    Kuznyechik::new(&[7; 32])
}

#[test]
fn lengths_and_parameters() {
    for len in (0..=17).filter(|len| *len != 8) {
        assert_eq!(Ctr::new(kuznyechik(), &vec![0; len]).err(), Some(Error::IvLength));
        assert_eq!(CtrAcpkm::new(kuznyechik(), &vec![0; len], 32).err(), Some(Error::IvLength));
    }
    for len in [0, 1, 15, 17, 31, 528] {
        let none = Padding::None;
        let cbc = Cbc::new(kuznyechik(), Direction::Encrypt, &vec![0; len], none);
        assert_eq!(cbc.err(), Some(Error::IvLength));
        assert_eq!(Ofb::new(kuznyechik(), &vec![0; len]).err(), Some(Error::IvLength));
    }
    for len in [0, 1, 15, 513] {
        let cfb = Cfb::new(kuznyechik(), Direction::Encrypt, &vec![0; len]);
        assert_eq!(cfb.err(), Some(Error::IvLength));
    }
    for s in [0, 17] {
        let ctr = Ctr::new(kuznyechik(), &[0; 8]).unwrap();
        assert_eq!(ctr.with_s(s).err(), Some(Error::Parameter));
    }
    for section in [0, 1, 15, 17] {
        let ctr = CtrAcpkm::new(kuznyechik(), &[0; 8], section);
        assert_eq!(ctr.err(), Some(Error::Parameter));
        let mac = OmacAcpkm::new(kuznyechik(), section, 48, 16);
        assert_eq!(mac.err(), Some(Error::Parameter));
        let mac = OmacAcpkm::new(kuznyechik(), 16, section, 16);
        assert_eq!(mac.err(), Some(Error::Parameter));
    }
    let ctr = CtrAcpkm::new(kuznyechik(), &[0; 8], 32).unwrap();
    assert_eq!(ctr.with_s(5).err(), Some(Error::Parameter)); // does not divide the section
    for tag_len in [0, 17] {
        assert_eq!(Omac::new(kuznyechik(), tag_len).err(), Some(Error::TagLength));
        assert_eq!(Mgm::new(kuznyechik(), &[0; 16], tag_len).err(), Some(Error::TagLength));
    }
    assert_eq!(Mgm::new(kuznyechik(), &[0; 16], 3).err(), Some(Error::TagLength));
    assert_eq!(Xts::new(&[7; 32], &[7; 32]).err(), Some(Error::EqualKeys));
}

#[test]
fn blocks() {
    let mut ecb = Ecb::new(kuznyechik(), Direction::Encrypt, Padding::None);
    assert_eq!(ecb.update((&mut [0u8; 17][..]).into()), Ok(16));
    assert_eq!(ecb.finish(&mut [0; 32]), Err(Error::DataLength));
    assert_eq!(ecb.update((&mut [0u8; 15][..]).into()), Ok(15)); // one octet is queued
    assert_eq!(ecb.finish(&mut []), Err(Error::BufferLength));
    assert_eq!(ecb.finish(&mut [0]), Ok(1));
    assert_eq!(ecb.finish(&mut [0]), Err(Error::Finished));
    assert_eq!(ecb.update((&mut [0u8; 1][..]).into()), Err(Error::Finished));
    assert_eq!(ecb.reset(&[0]), Err(Error::IvLength));
    assert_eq!(ecb.reset(&[]), Ok(()));
    assert_eq!(ecb.finish(&mut []), Ok(0));

    for padding in [Padding::Procedure2, Padding::Pkcs7] {
        let mut ecb = Ecb::new(kuznyechik(), Direction::Decrypt, padding);
        assert_eq!(ecb.finish(&mut [0; 32]), Err(Error::DataLength)); // there is always one block
        assert_eq!(ecb.update((&mut [0u8; 32][..]).into()), Ok(16));
        assert_eq!(ecb.finish(&mut [0; 15]), Err(Error::BufferLength));
        assert_eq!(ecb.finish(&mut [0; 16]), Err(Error::Padding));
        assert_eq!(ecb.finish(&mut [0; 16]), Err(Error::Finished));
    }
}

#[test]
fn paddings() {
    for n in [8, 16] {
        for filled in 0..n {
            let mut block: Vec<u8> = (0..n as u8).map(|i| i ^ 0x80).collect();
            for padding in [Padding::Procedure2, Padding::Pkcs7] {
                assert_eq!(padding.pad(&mut block, filled), Ok(true));
                assert_eq!(padding.unpad(&block), Ok(filled));
            }
        }
        let mut block = vec![0; n];
        assert_eq!(Padding::Procedure2.unpad(&block), Err(Error::Padding));
        assert_eq!(Padding::Pkcs7.unpad(&block), Err(Error::Padding));
        block[n - 1] = n as u8 + 1;
        assert_eq!(Padding::Pkcs7.unpad(&block), Err(Error::Padding));
        assert_eq!(Padding::Procedure2.unpad(&block), Err(Error::Padding));
        block[n - 1] = 2;
        assert_eq!(Padding::Pkcs7.unpad(&block), Err(Error::Padding));
        block[n - 2] = 2;
        assert_eq!(Padding::Pkcs7.unpad(&block), Ok(n - 2));
        assert_eq!(Padding::Procedure1.pad(&mut block, 0), Ok(false));
        assert_eq!(Padding::None.pad(&mut block, 1), Err(Error::DataLength));
    }
}

#[test]
fn ctr_stops_before_the_counter_meets_the_iv() {
    let mut ctr = Ctr::new(Magma::new(&[7; 32]), &[1, 2, 3, 4]).unwrap();
    let end = 1u64 << 35; // 2^32 blocks of 8 octets
    ctr.seek(end - 24).unwrap();
    let mut text = [0; 25];
    assert_eq!(ctr.apply((&mut text[..]).into()), Err(Error::Limit));
    assert_eq!(text, [0; 25]);
    assert_eq!(ctr.apply((&mut text[..24]).into()), Ok(()));
    // The last gamma block is that of the counter 01 02 03 04 ff ff ff ff.
    let mut last = [1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff];
    Magma::new(&[7; 32]).encrypt_block(&mut last);
    assert_eq!(text[16..24], last);
    assert_eq!(ctr.apply((&mut text[..1]).into()), Err(Error::Limit));
    assert_eq!(ctr.apply((&mut text[..0]).into()), Ok(()));
    assert_eq!(ctr.seek(end + 1), Err(Error::Limit));
    ctr.reset(&[1, 2, 3, 4]).unwrap();
    assert_eq!(ctr.apply((&mut text[..]).into()), Ok(()));
}

#[test]
fn ctr_seeks_to_any_octet() {
    let mut r = Random(3);
    for s in [16, 15, 1] {
        let mut ctr = Ctr::new(kuznyechik(), &[1; 8]).unwrap().with_s(s).unwrap();
        let mut whole = [0; 300];
        ctr.apply((&mut whole[..]).into()).unwrap();
        for at in 0..300 {
            ctr.seek(at as u64).unwrap();
            let mut part = vec![0; r.upto(300 - at)];
            ctr.apply(part.as_mut_slice().into()).unwrap();
            assert_eq!(part, whole[at..at + part.len()]);
        }
    }
    // A whole counter block wraps.
    let mut ctr = Ctr::from_block(Magma::new(&[7; 32]), [0xff; 8]);
    let mut two = [0; 16];
    ctr.apply((&mut two[..]).into()).unwrap();
    let mut zero = [0; 8];
    Magma::new(&[7; 32]).encrypt_block(&mut zero);
    assert_eq!(two[8..], zero);
}

#[test]
fn macs() {
    let mut mac = Omac::new(kuznyechik(), 16).unwrap();
    mac.update(b"text").unwrap();
    let mut tag = [0; 16];
    assert_eq!(mac.finish(&mut tag[..15]), Err(Error::TagLength));
    mac.finish(&mut tag).unwrap();
    assert_eq!(mac.finish(&mut tag), Err(Error::Finished));
    assert_eq!(mac.update(b""), Err(Error::Finished));
    for bit in 0..128 {
        mac.reset(&[]).unwrap();
        mac.update(b"text").unwrap();
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(mac.verify(&wrong), Err(Error::Verify));
    }
    mac.reset(&[]).unwrap();
    mac.update(b"text").unwrap();
    assert_eq!(mac.verify(&tag), Ok(()));
    assert_eq!(mac.verify(&tag), Err(Error::Finished));
    assert_eq!(mac.reset(&[0]), Err(Error::IvLength));
}

#[test]
fn mgm_refuses() {
    let nonce = [1; 16];
    let mut mgm = Mgm::new(kuznyechik(), &nonce, 16).unwrap();
    assert_eq!(mgm.reset(&[0; 15]), Err(Error::IvLength));
    assert_eq!(mgm.reset(&[0x80; 16]), Err(Error::Nonce));
    let mut tag = [0; 16];
    assert_eq!(mgm.finish(&mut tag), Err(Error::Empty));
    assert_eq!(mgm.open((&mut [][..]).into(), &tag), Err(Error::Empty));
    mgm.reset(&nonce).unwrap();
    let mut text = *b"some text";
    mgm.aad(b"header").unwrap();
    mgm.seal((&mut text[..]).into()).unwrap();
    assert_eq!(mgm.aad(b""), Err(Error::Order));
    assert_eq!(mgm.open((&mut text[..]).into(), &tag), Err(Error::Order));
    assert_eq!(mgm.finish(&mut tag[..4]), Err(Error::TagLength));
    mgm.finish(&mut tag).unwrap();
    assert_eq!(mgm.finish(&mut tag), Err(Error::Finished));
    assert_eq!(mgm.seal((&mut text[..]).into()), Err(Error::Finished));
    assert_eq!(mgm.aad(b""), Err(Error::Finished));

    // A wrong tag, and nothing is written.
    let sealed = text;
    for bit in 0..128 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        mgm.reset(&nonce).unwrap();
        mgm.aad(b"header").unwrap();
        let mut out = [0xee; 9];
        let data = InOut::new(&sealed, &mut out).unwrap();
        assert_eq!(mgm.open(data, &wrong), Err(Error::Verify));
        assert_eq!(out, [0xee; 9]);
        assert_eq!(mgm.open((&mut text[..]).into(), &tag), Err(Error::Finished));
        assert_eq!(text, sealed);
    }

    // The same in pieces, unverified.
    mgm.reset(&nonce).unwrap();
    let mut open = mgm.clone().unverified_open().unwrap();
    open.aad(b"head").unwrap();
    open.aad(b"er").unwrap();
    for octet in text.chunks_mut(2) {
        open.update(octet.into()).unwrap();
    }
    assert_eq!(open.clone().verify(&[0; 16]), Err(Error::Verify));
    assert_eq!(open.verify(&tag), Ok(()));
    assert_eq!(&text, b"some text");
    assert_eq!(open.update((&mut text[..]).into()), Err(Error::Finished));
}

#[test]
fn mgm_limit_of_magma() {
    // 2^32 bits, 512 MiB, of associated data and text together are too much; they are counted before
    // they are read.
    let mut mgm = Mgm::new(Magma::new(&[7; 32]), &[1; 8], 8).unwrap();
    let huge = vec![0u8; 1 << 29];
    assert_eq!(mgm.aad(&huge), Err(Error::Limit));
    mgm.aad(&[0]).unwrap();
    assert_eq!(mgm.aad(&huge[1..]), Err(Error::Limit));
    let mut text = [0; 8];
    mgm.seal((&mut text[..]).into()).unwrap();
}

#[test]
fn cms_refuses() {
    let mut aead = CtrAcpkmOmac::new(kuznyechik(), &[7; 32], &[1; 16], 4096).unwrap();
    assert_eq!(aead.aad(b"x"), Err(Error::Order));
    assert_eq!(aead.reset(&[0; 15]), Err(Error::IvLength));
    let (mut text, mut tag) = (*b"some text", [0; 16]);
    aead.seal((&mut text[..]).into()).unwrap();
    assert_eq!(aead.open((&mut text[..]).into(), &tag), Err(Error::Order));
    aead.finish(&mut tag).unwrap();
    assert_eq!(aead.finish(&mut tag), Err(Error::Finished));
    aead.reset(&[1; 16]).unwrap();
    let sealed = text;
    assert_eq!(aead.open((&mut text[..]).into(), &[0; 16]), Err(Error::Verify));
    assert_eq!(text, sealed);
    assert_eq!(aead.open((&mut text[..]).into(), &tag), Err(Error::Finished));
    aead.reset(&[1; 16]).unwrap();
    assert_eq!(aead.open((&mut text[..]).into(), &tag), Ok(()));
    assert_eq!(&text, b"some text");
}

#[test]
fn xts_refuses() {
    let xts = Xts::new(&[1; 32], &[2; 32]).unwrap();
    let mut short = [0; 15];
    let encrypt = Direction::Encrypt;
    assert_eq!(xts.sector(&[0; 16], (&mut short[..]).into(), encrypt), Err(Error::DataLength));
    let mut message = xts.message(&[0; 16], encrypt);
    assert_eq!(message.update((&mut short[..]).into()), Ok(0));
    assert_eq!(message.finish(&mut [0; 32]), Err(Error::DataLength));
    assert_eq!(message.reset(&[0; 15]), Err(Error::IvLength));
    let mut long = vec![0; Xts::LIMIT as usize + 1];
    assert_eq!(xts.sector(&[0; 16], long.as_mut_slice().into(), encrypt), Err(Error::Limit));
    assert_eq!(message.update(long.as_mut_slice().into()), Err(Error::Limit));
}

#[test]
fn sessions_refuse_parameters_that_mean_nothing() {
    let open = |name: &str, p: &Params<'_>| find(name).unwrap().open.unwrap()(p).err();
    let key = [7; 32];
    let p = Params::new(&key, &[1; 8], Direction::Encrypt);
    assert_eq!(open("kuznyechik-ctr", &p), None);
    assert_eq!(open("GRASSHOPPER-CTR", &p), None);
    let with = Params { tag_len: Some(8), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    let with = Params { padding: Padding::Pkcs7, ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    let with = Params { sboxes: Some(bulat::magma::ParamSet::Test.into()), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    let with = Params { kernel: Some("abacus"), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::UnknownKernel));
    for len in [0, 31, 33] {
        let key = vec![7; len];
        let p = Params::new(&key, &[1; 8], Direction::Encrypt);
        assert_eq!(open("kuznyechik-ctr", &p), Some(Error::KeyLength));
    }
    let none = Params::new(&key, &[], Direction::Encrypt);
    assert_eq!(open("streebog256", &none), Some(Error::KeyLength));
    assert_eq!(open("kuznyechik-ecb", &p), Some(Error::IvLength));
    assert_eq!(open("kuznyechik-omac", &p), Some(Error::IvLength));
    assert_eq!(find("rot13").err(), Some(Error::UnknownAlgorithm));
}

#[test]
fn names_are_unique() {
    let mut names: Vec<String> = ALGORITHMS
        .iter()
        .flat_map(|a| core::iter::once(&a.name).chain(a.aliases).chain(a.oid.as_ref()))
        .map(|name| name.to_lowercase())
        .collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}
