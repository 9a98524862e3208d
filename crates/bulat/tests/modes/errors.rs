//! Refused input, and that a refusal changes nothing.

use bulat::ParamSet;
use bulat::algorithm::{Params, find};
use bulat::kdf::kexp15;
use bulat::modes::{
    Aead, BlockMode, Cbc, Cfb, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Imit, Mac, Meshing, Mgm, Ofb,
    Omac, OmacAcpkm, Padding, StreamCipher, Xts,
};
use bulat::{BlockCipher, Direction, Error, KuznyechikMgm, MagmaMgm};
use bulat::{Gost28147, Kuznyechik, Magma};
use bulat_core::cipher::{Block, Chain, Chained as _, Count, Data, Lane};
use bulat_core::gf;
use bulat_core::kernel::{Kernel, NAMES, available};

fn kuznyechik() -> Kuznyechik {
    Kuznyechik::new(&[7; 32])
}

#[test]
fn lengths_and_parameters() {
    for len in (0..=17).filter(|len| *len != 8) {
        assert_eq!(Ctr::with(kuznyechik(), &vec![0; len]).err(), Some(Error::IvLength));
        assert_eq!(CtrAcpkm::with(kuznyechik(), &vec![0; len], 32).err(), Some(Error::IvLength));
    }
    for len in [0, 1, 15, 17, 31, 528] {
        let cbc = Cbc::with(kuznyechik(), &vec![0; len], Direction::Encrypt);
        assert_eq!(cbc.err(), Some(Error::IvLength));
        assert_eq!(Ofb::with(kuznyechik(), &vec![0; len]).err(), Some(Error::IvLength));
    }
    for len in [0, 1, 15, 513] {
        let cfb = Cfb::with(kuznyechik(), &vec![0; len], Direction::Encrypt);
        assert_eq!(cfb.err(), Some(Error::IvLength));
    }
    for s in [0, 17] {
        let ctr = Ctr::with(kuznyechik(), &[0; 8]).unwrap();
        assert_eq!(ctr.with_s(s).err(), Some(Error::Parameter));
    }
    for section in [0, 1, 15, 17] {
        let ctr = CtrAcpkm::with(kuznyechik(), &[0; 8], section);
        assert_eq!(ctr.err(), Some(Error::Parameter));
        let mac = OmacAcpkm::with(kuznyechik(), section, 48);
        assert_eq!(mac.err(), Some(Error::Parameter));
        let mac = OmacAcpkm::with(kuznyechik(), 16, section);
        assert_eq!(mac.err(), Some(Error::Parameter));
    }
    let ctr = CtrAcpkm::with(kuznyechik(), &[0; 8], 32).unwrap();
    assert_eq!(ctr.with_s(5).err(), Some(Error::Parameter)); // does not divide the section
    for tag_len in [0, 17] {
        assert_eq!(Omac::with(kuznyechik()).truncated(tag_len).err(), Some(Error::TagLength));
        assert_eq!(Mgm::with(kuznyechik()).truncated(tag_len).err(), Some(Error::TagLength));
    }
    assert_eq!(Mgm::with(kuznyechik()).truncated(3).err(), Some(Error::TagLength));
    assert_eq!(Xts::new(&[7; 32], &[7; 32]).err(), Some(Error::EqualKeys));
}

#[test]
fn blocks() {
    let mut ecb = Ecb::with(kuznyechik(), Direction::Encrypt);
    assert_eq!(ecb.update(&mut [0u8; 17]), Ok(16));
    assert_eq!(ecb.finalize(&mut [0; 32]), Err(Error::DataLength));
    assert_eq!(ecb.update(&mut [0u8; 15]), Ok(15)); // one byte is queued
    assert_eq!(ecb.finalize(&mut []), Err(Error::BufferLength));
    assert_eq!(ecb.finalize(&mut [0]), Ok(1));
    assert_eq!(ecb.finalize(&mut [0]), Err(Error::Finished));
    assert_eq!(ecb.update(&mut [0u8; 1]), Err(Error::Finished));
    assert_eq!(ecb.reset(&[0]), Err(Error::IvLength));
    assert_eq!(ecb.reset(&[]), Ok(()));
    assert_eq!(ecb.finalize(&mut []), Ok(0));

    for padding in [Padding::Procedure2, Padding::Pkcs7] {
        let mut ecb = Ecb::with(kuznyechik(), Direction::Decrypt).padding(padding);
        assert_eq!(ecb.finalize(&mut [0; 32]), Err(Error::DataLength)); // there is always one block
        assert_eq!(ecb.update(&mut [0u8; 32]), Ok(16));
        assert_eq!(ecb.finalize(&mut [0; 15]), Err(Error::BufferLength));
        assert_eq!(ecb.finalize(&mut [0; 16]), Err(Error::Padding));
        assert_eq!(ecb.finalize(&mut [0; 16]), Err(Error::Finished));
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
fn paddings_refuse_blocks_that_are_none() {
    let all = [Padding::None, Padding::Procedure1, Padding::Procedure2, Padding::Procedure3];
    for padding in all.into_iter().chain([Padding::Pkcs7]) {
        for (n, filled) in [(0, 0), (8, 8), (8, 9), (256, 0), (256, 255), (300, 1)] {
            let mut block = vec![0xee; n];
            assert_eq!(padding.pad(&mut block, filled), Err(Error::DataLength), "{n} {filled}");
            assert_eq!(block, vec![0xee; n]);
        }
        assert_eq!(padding.unpad(&[]), Err(Error::DataLength));
        assert_eq!(padding.unpad(&[1; 256]), Err(Error::DataLength));
    }
    let mut block = [0; 255];
    assert_eq!(Padding::Pkcs7.pad(&mut block, 0), Ok(true));
    assert_eq!(block, [255; 255]);
    assert_eq!(Padding::Pkcs7.unpad(&block), Ok(0));
}

#[test]
fn ctr_stops_before_the_counter_meets_the_iv() {
    let mut ctr = Ctr::with(Magma::new(&[7; 32]), &[1, 2, 3, 4]).unwrap();
    let end = 1u64 << 35; // 2^32 blocks of 8 bytes
    ctr.seek(end - 24).unwrap();
    let mut text = [0; 25];
    assert_eq!(ctr.apply_keystream(&mut text), Err(Error::Limit));
    assert_eq!(text, [0; 25]);
    assert_eq!(ctr.apply_keystream(&mut text[..24]), Ok(()));
    // The last gamma block is the gamma of the counter 01 02 03 04 ff ff ff ff.
    let mut last = [1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff];
    Magma::new(&[7; 32]).encrypt_block(&mut last);
    assert_eq!(text[16..24], last);
    assert_eq!(ctr.apply_keystream(&mut text[..1]), Err(Error::Limit));
    assert_eq!(ctr.apply_keystream(&mut text[..0]), Ok(()));
    assert_eq!(ctr.seek(end + 1), Err(Error::Limit));
    ctr.reset(&[1, 2, 3, 4]).unwrap();
    assert_eq!(ctr.apply_keystream(&mut text), Ok(()));
}

#[test]
fn macs() {
    let mut mac = Omac::with(kuznyechik());
    mac.update(b"text");
    let tag: [u8; 16] = mac.finalize_reset().unwrap().to_array().unwrap();
    for bit in 0..128 {
        mac.update(b"text");
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(mac.verify_reset(&wrong), Err(Error::Verify));
    }
    for len in [0, 15, 17, 65] {
        mac.update(b"text");
        assert_eq!(mac.verify_reset(&vec![0; len]), Err(Error::TagLength));
    }
    // A short tag counts only where it was asked for.
    mac.update(b"text");
    assert_eq!(mac.clone().verify(&tag[..8]), Err(Error::TagLength));
    assert_eq!(mac.clone().truncated(8).unwrap().verify(&tag[..8]), Ok(()));
    assert_eq!(mac.reset_iv(&[0]), Err(Error::IvLength));
    assert_eq!(mac.clone().verify(&tag), Ok(()), "a refused IV changes nothing");
    mac.reset();
    mac.update(b"text");
    assert_eq!(mac.verify(&tag), Ok(()));
}

#[test]
fn an_empty_iv_resets_imit_to_zeros() {
    let cipher = Gost28147::new(&[7; 32], ParamSet::CryptoProA);
    let tag = |mut mac: Imit| {
        mac.update(b"some text");
        mac.finalize().unwrap().to_vec()
    };
    let zeros = Imit::with(cipher).meshing(Meshing::None);
    let mut mac = zeros.clone().iv(&[1; 8]).unwrap();
    assert_ne!(tag(mac.clone()), tag(zeros.clone()));
    mac.update(b"some text");
    mac.reset();
    assert_ne!(tag(mac.clone()), tag(zeros.clone()), "the IV stays");
    mac.reset_iv(&[]).unwrap();
    assert_eq!(tag(mac), tag(zeros));
}

#[test]
fn kexp15_leaves_the_output_alone() {
    let (cipher, mut out) = (kuznyechik(), [0xee; 48]);
    let mut export = |iv: &[u8], n| kexp15(&cipher, &cipher, iv, &[7; 32], &mut out[..n]);
    assert_eq!(export(&[0; 7], 48), Err(Error::IvLength));
    assert_eq!(export(&[0; 8], 47), Err(Error::BufferLength));
    assert_eq!(out, [0xee; 48]);
}

thread_local! {
    /// True while this thread is about to panic as it should.
    static EXPECTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Calls that the modes never make of a cipher: each panics, on every kernel.
#[test]
fn ciphers_panic_when_their_contract_is_broken() {
    // Hundreds of panics are expected on this thread: their traces would bury the unexpected ones.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !EXPECTED.get() {
            tell(panic);
        }
    }));
    fn panics(f: impl FnOnce()) {
        EXPECTED.set(true);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
        EXPECTED.set(false);
        result.unwrap_err();
    }
    fn check<C: BlockCipher>(cipher: C, old: bool) {
        let n = C::BLOCK;
        let mut zero = C::Block::ZERO;
        let z = &mut zero;
        let mut text = vec![0; 2 * n];
        for count in [Count::Whole, Count::Right, Count::Left] {
            cipher.stream(z, count, text.as_mut_slice().into());
            panics(|| cipher.stream(z, count, (&mut text[1..]).into()));
        }
        for chain in [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb] {
            cipher.chain(chain, z, Data::Through(text.as_mut_slice().into()));
            panics(|| cipher.chain(chain, z, Data::Through((&mut text[1..]).into())));
            panics(|| cipher.chain(chain, z, Data::Read(&text)));
        }
        cipher.chain(Chain::Mac, z, Data::Read(&text));
        panics(|| cipher.chain(Chain::Mac, z, Data::Read(&text[1..])));
        panics(|| cipher.chain(Chain::Mac, z, Data::Through(text.as_mut_slice().into())));
        panics(|| cipher.map(Direction::Encrypt, (&mut text[1..]).into()));
        for data in [0, 2 * n] {
            let mut cnt = || cipher.stream(z, Count::Cnt, (&mut text[..data]).into());
            if old {
                cnt()
            } else {
                panics(cnt)
            }
            let mut imit = || cipher.chain(Chain::Imit, z, Data::Read(&text[..data]));
            if old { imit() } else { panics(imit) }
        }
    }
    let kernels = || NAMES.iter().filter(|k| available(k));
    for kernel in kernels().filter_map(|k| kuznyechik().on(k).ok()) {
        check(kernel, false);
    }
    for kernel in kernels() {
        let Ok(magma) = Magma::new(&[7; 32]).on(kernel) else { continue };
        let gost = Gost28147::new(&[7; 32], ParamSet::Tc26Z).on(kernel).unwrap();
        // The cipher of the lane decides.
        let (schedule, state) = (magma.schedule(), &mut [0; 8]);
        let lane = Lane { schedule, state, data: Data::Read(&[0; 8]) };
        panics(|| gost.lanes(Chain::Imit, &mut [lane]));
        check(magma.clone(), false);
        check(gost, true);
    }
}

#[test]
fn mgm_refuses() {
    let (aead, nonce) = (KuznyechikMgm::new(&[7; 32]), [1; 16]);
    let mut text = *b"some text";
    for (nonce, error) in [(&[0; 15][..], Error::IvLength), (&[0x80; 16], Error::Nonce)] {
        assert_eq!(aead.seal_in_place(nonce, b"", &mut text).err(), Some(error));
        assert_eq!(aead.open_in_place(nonce, b"", &mut text, &[0; 16]), Err(error));
        assert_eq!(aead.sealer(nonce).err(), Some(error));
        assert_eq!(aead.unverified_opener(nonce).err(), Some(error));
    }
    assert_eq!(&text, b"some text");
    assert_eq!(aead.seal_in_place(&nonce, b"", &mut []).err(), Some(Error::Empty));
    assert_eq!(aead.sealer(&nonce).unwrap().finalize().err(), Some(Error::Empty));
    assert_eq!(aead.open_in_place(&nonce, b"", &mut [], &[0; 16]), Err(Error::Empty));
    assert_eq!(aead.seal_b2b(&nonce, b"", &text, &mut [0; 8]).err(), Some(Error::BufferLength));
    let mut sealer = aead.sealer(&nonce).unwrap();
    sealer.aad(b"header").unwrap();
    sealer.update(&mut text).unwrap();
    assert_eq!(sealer.aad(b""), Err(Error::Order));
    let tag: [u8; 16] = sealer.finalize().unwrap().to_array().unwrap();
    let sealed = text;

    // A wrong tag, a short tag, and nothing is written.
    for bit in 0..128 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        let mut out = [0xee; 9];
        let opened = aead.open_b2b(&nonce, b"header", &sealed, &mut out, &wrong);
        assert_eq!(opened, Err(Error::Verify));
        assert_eq!(out, [0xee; 9]);
        let opened = aead.open_in_place(&nonce, b"header", &mut text, &wrong);
        assert_eq!((opened, text), (Err(Error::Verify), sealed));
    }
    for len in [0, 4, 15] {
        let opened = aead.open_in_place(&nonce, b"header", &mut text, &tag[..len]);
        assert_eq!((opened, text), (Err(Error::TagLength), sealed));
    }
    let short = aead.clone().truncated(4).unwrap();
    short.open_in_place(&nonce, b"header", &mut text, &tag[..4]).unwrap();
    assert_eq!(&text, b"some text");
    text = sealed;

    // In pieces, unverified.
    let mut open = aead.unverified_opener(&nonce).unwrap();
    open.aad(b"head").unwrap();
    open.aad(b"er").unwrap();
    for piece in text.chunks_mut(2) {
        open.update(piece).unwrap();
    }
    assert_eq!(open.aad(b""), Err(Error::Order));
    assert_eq!(open.clone().verify(&[0; 16]), Err(Error::Verify));
    assert_eq!(open.verify(&tag), Ok(()));
    assert_eq!(&text, b"some text");
}

#[test]
fn mgm_limit_of_magma() {
    // 2^32 bits, 512 MiB, of associated data and text together are too much; they are counted before
    // they are read.
    let (aead, nonce) = (MagmaMgm::new(&[7; 32]), [1; 8]);
    let mut sealer = aead.sealer(&nonce).unwrap();
    let mut huge = vec![0u8; 1 << 29];
    assert_eq!(aead.seal_in_place(&nonce, b"", &mut huge).err(), Some(Error::Limit));
    assert_eq!(aead.seal_in_place(&nonce, b"x", &mut huge[1..]).err(), Some(Error::Limit));
    assert!(huge.iter().all(|byte| *byte == 0), "nothing was encrypted");
    assert_eq!(sealer.aad(&huge), Err(Error::Limit));
    sealer.aad(&[0]).unwrap();
    assert_eq!(sealer.aad(&huge[1..]), Err(Error::Limit));
    // The refused calls have left nothing behind.
    sealer.aad(&[0; 7]).unwrap();
    assert_eq!(sealer.clone().update(&mut huge[8..]), Err(Error::Limit));
    let mut text = [0; 8];
    sealer.update(&mut text).unwrap();
    let tag = sealer.finalize().unwrap();
    aead.open_in_place(&nonce, &[0; 8], &mut text, &tag).unwrap();
    assert_eq!(text, [0; 8]);
}

#[test]
fn cms_refuses() {
    let aead = CtrAcpkmOmac::<Kuznyechik>::new(&[7; 32], 4096).unwrap();
    assert_eq!(CtrAcpkmOmac::<Kuznyechik>::new(&[7; 32], 15).err(), Some(Error::Parameter));
    let (ukm, mut text) = ([1; 16], *b"some text");
    assert_eq!(aead.seal_in_place(&ukm, b"x", &mut text).err(), Some(Error::Order));
    assert_eq!(aead.seal_in_place(&[0; 15], b"", &mut text).err(), Some(Error::IvLength));
    assert_eq!(&text, b"some text");
    let tag = aead.seal_in_place(&ukm, b"", &mut text).unwrap();
    let sealed = text;
    let opened = aead.open_in_place(&ukm, b"", &mut text, &[0; 16]);
    assert_eq!((opened, text), (Err(Error::Verify), sealed));
    let opened = aead.open_in_place(&ukm, b"", &mut text, &tag[..8]);
    assert_eq!((opened, text), (Err(Error::TagLength), sealed));
    assert_eq!(aead.open_in_place(&ukm, b"", &mut text, &tag), Ok(()));
    assert_eq!(&text, b"some text");
}

#[test]
fn xts_refuses() {
    let xts = Xts::new(&[1; 32], &[2; 32]).unwrap();
    let mut short = [0; 15];
    let encrypt = Direction::Encrypt;
    assert_eq!(xts.sector(&[0; 16], encrypt, &mut short), Err(Error::DataLength));
    let mut message = xts.message(&[0; 16], encrypt);
    assert_eq!(message.update(&mut short), Ok(0));
    assert_eq!(message.finalize(&mut [0; 32]), Err(Error::DataLength));
    assert_eq!(message.reset(&[0; 15]), Err(Error::IvLength));
    let mut long = vec![0; Xts::LIMIT as usize + 1];
    assert_eq!(xts.sector(&[0; 16], encrypt, &mut long), Err(Error::Limit));
    assert_eq!(message.update(&mut long), Err(Error::Limit));
}

#[test]
fn sessions_refuse_parameters_that_mean_nothing() {
    let open = |name: &str, p: &Params<'_>| find(name).unwrap().session(p).err();
    let key = [7; 32];
    let p = Params::new(&key).iv(&[1; 8]);
    assert_eq!(open("kuznyechik-ctr", &p), None);
    assert_eq!(open("GRASSHOPPER-CTR", &p), None);
    let with = Params { tag_len: Some(8), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    for (len, answer) in [(16, None), (15, Some(Error::TagLength))] {
        let p = Params { tag_len: Some(len), iv: &[1; 16], ..p.clone() };
        assert_eq!(open("kuznyechik-ctr-acpkm-omac", &p), answer);
    }
    let with = Params { padding: Padding::Pkcs7, ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    let with = Params { sboxes: Some(bulat::ParamSet::Test.into()), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::Parameter));
    let with = Params { kernel: Some("abacus"), ..p.clone() };
    assert_eq!(open("kuznyechik-ctr", &with), Some(Error::UnknownKernel));
    // A kernel of only the multiplication serves MGM; a name that nothing has does not.
    let mgm = Params { iv: &[1; 16], ..p.clone() };
    let with = Params { kernel: Some("abacus"), ..mgm.clone() };
    assert_eq!(open("kuznyechik-mgm", &with), Some(Error::UnknownKernel));
    for kernel in gf::KERNELS.iter().filter(|k| k.available()) {
        let with = Params { kernel: Some(kernel.name), ..mgm.clone() };
        assert_eq!(open("kuznyechik-mgm", &with), None);
    }
    for len in [0, 31, 33] {
        let key = vec![7; len];
        let p = Params::new(&key).iv(&[1; 8]);
        assert_eq!(open("kuznyechik-ctr", &p), Some(Error::KeyLength));
    }
    let none = Params::new(&key);
    assert_eq!(open("streebog256", &none), Some(Error::KeyLength));
    assert_eq!(open("kuznyechik-ecb", &p), Some(Error::IvLength));
    assert_eq!(open("kuznyechik-omac", &p), Some(Error::IvLength));
    assert_eq!(open("kdf-tree", &none), Some(Error::UnknownAlgorithm));
    assert_eq!(find("rot13").err(), Some(Error::UnknownAlgorithm));
}
