//! The modes and key wraps of GOST 28147-89: the refusals of the objects; forms and carries against the reference.
//! `vectors` has the known answers.

use bulat::algorithm::{self, Kind, Params, Session};
use bulat::kdf::KeyWrap;
use bulat::modes::{
    BlockMode, Cbc, Cbc28147, Cfb28147, Cnt, Imit, Mac, Meshing, Padding, StreamCipher,
};
use bulat::{BlockCipher, Direction, Error, Gost28147, survey};
use bulat::{ParamSet, Sboxes};
use bulat_core::cipher::Shapes as _;
use bulat_core::kernel::{assume_forms, take_form};
use reference::gost28147 as model;
use reference::magma::Sbox;
use testkit::hex;

/// The reference of a mode with these S-boxes, under `KEY` and `IV`.
type Model = fn(&[u8], &Sbox, &[u8], model::Meshing, &[u8]) -> Result<Vec<u8>, reference::Error>;

fn model(f: Model, set: ParamSet, meshing: Meshing, text: &[u8]) -> Vec<u8> {
    let meshing = match meshing {
        Meshing::None => model::Meshing::None,
        Meshing::CryptoPro => model::Meshing::CryptoPro,
    };
    f(&hex(KEY), Sboxes::from(set).rows(), &IV, meshing, text).unwrap()
}

fn cipher(set: ParamSet, key: &str) -> Gost28147 {
    Gost28147::new(&hex(key).try_into().unwrap(), set)
}

fn applied(mode: &mut impl StreamCipher, data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    mode.apply_keystream(&mut data).unwrap();
    data
}

fn tag(imit: &mut Imit, data: &[u8]) -> Vec<u8> {
    imit.update(data);
    imit.finalize_reset().unwrap().to_vec()
}

const KEY: &str = "546d203368656c326973652073736e62206167796967747473656865202c3d73";
const IV: [u8; 8] = [0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef];

/// Bytes without a pattern of 8 or 1024.
fn text(len: usize) -> Vec<u8> {
    testkit::Random::new(1).bytes(len)
}

/// Lengths around a block and around the sections.
const EDGES: [usize; 19] =
    [0, 1, 7, 8, 9, 16, 24, 1016, 1023, 1024, 1025, 1031, 1032, 1033, 2047, 2048, 2049, 2056, 3100];

#[test]
fn who_meshes() {
    use ParamSet::Test;
    for set in ParamSet::ALL {
        assert_eq!(Meshing::of(&set.into()) == Meshing::None, set == Test);
    }
    let mut rows = *Sboxes::from(Test).rows();
    rows.swap(0, 1);
    assert_eq!(Meshing::of(&Sboxes::new(rows).unwrap()), Meshing::CryptoPro);
}

#[test]
fn cnt_carries_end_around() {
    // N3 over 2^32, N4 over and exactly at 2^32 - 1: first registers chosen, IVs made from them.
    let key = cipher(ParamSet::CryptoProA, KEY);
    for (n3, n4) in [
        (0xffff_ffff_u32, 0_u32),
        (0xfefe_fefe, 0xfefe_fefb), // N4 + C1 = 2^32 - 1: stays
        (0xfefe_feff, 0xfefe_fefa),
        (0xfefe_fefd, 0xfefe_fefc), // = 2^32: 1
        (0xffff_ffff, 0xffff_ffff),
        (0xfdfd_fdfd, 0xfdfd_fdf7),
    ] {
        let mut iv = [0; 8];
        iv[..4].copy_from_slice(&n3.to_le_bytes());
        iv[4..].copy_from_slice(&n4.to_le_bytes());
        key.decrypt_block(&mut iv);
        let mut cnt = Cnt::with(key.clone(), &iv).unwrap().meshing(Meshing::None);
        // Enough blocks for every lane of a wide kernel to cross.
        let clear = text(300 * 8);
        let sboxes = Sboxes::from(ParamSet::CryptoProA);
        let none = model::Meshing::None;
        let want = model::cnt(&hex(KEY), sboxes.rows(), &iv, none, &clear).unwrap();
        assert_eq!(applied(&mut cnt, &clear), want, "{n3:x} {n4:x}");
    }
}

#[test]
fn imit_refuses_misuse() {
    let key = cipher(ParamSet::CryptoProA, KEY);
    for len in [0, 9] {
        let imit = Imit::with(key.clone()).truncated(len);
        assert_eq!(imit.err(), Some(Error::TagLength));
    }
    assert_eq!(Imit::with(key.clone()).iv(&[0; 7]).err(), Some(Error::IvLength));
    let mut imit = Imit::with(key.clone()).meshing(Meshing::None).truncated(4).unwrap();
    imit.update(b"a message");
    assert_eq!(imit.clone().verify(&[0; 4]), Err(Error::Verify));
    assert_eq!(imit.clone().verify(&[0; 3]), Err(Error::TagLength));
    assert_eq!(imit.reset_iv(&[0; 9]), Err(Error::IvLength));
    assert_eq!(imit.reset_iv(&[]), Ok(()));
    imit.reset_iv(&IV).unwrap();
    assert_eq!(*imit.finalize_reset().unwrap(), IV[..4], "no block, no round: the IV");
    assert_eq!(Cnt::with(key.clone(), &[]).err(), Some(Error::IvLength));
    let cfb = |iv: &[u8]| Cfb28147::with(key.clone(), iv, Direction::Encrypt);
    assert_eq!(cfb(&[0; 16]).err(), Some(Error::IvLength));
    assert_eq!(cfb(&IV).unwrap().reset(&[0; 7]), Err(Error::IvLength));
    assert_eq!(Cnt::with(key.clone(), &IV).unwrap().reset(&[0; 9]), Err(Error::IvLength));
}

/// A whole message in pieces with the given ends, each in place: the output of `update` and `finalize`.
fn blocks(mode: &mut impl BlockMode, data: &[u8], cuts: &[usize]) -> Result<Vec<u8>, Error> {
    let (mut out, mut from) = (Vec::new(), 0);
    for to in cuts.iter().copied().chain([data.len()]) {
        let mut piece = data[from..to].to_vec();
        let n = mode.update(&mut piece)?;
        out.extend(&piece[..n]);
        from = to;
        *mode = mode.clone();
    }
    let mut end = [0; 16];
    let n = mode.finalize(&mut end)?;
    out.extend(&end[..n]);
    Ok(out)
}

#[test]
fn cbc_without_meshing_is_the_general_cbc() {
    let key = cipher(ParamSet::Tc26Z, KEY);
    for padding in [Padding::Procedure1, Padding::Procedure2, Padding::Procedure3, Padding::Pkcs7] {
        for len in [0, 1, 7, 8, 9, 1024, 2050] {
            let clear = text(len);
            let seal = Direction::Encrypt;
            let mut own = Cbc28147::with(key.clone(), &IV, seal)
                .unwrap()
                .padding(padding)
                .meshing(Meshing::None);
            let mut general = Cbc::with(key.clone(), &IV, seal).unwrap().padding(padding);
            let secret = blocks(&mut own, &clear, &[len / 2]).unwrap();
            assert_eq!(blocks(&mut general, &clear, &[]).unwrap(), secret);
            for meshing in [Meshing::None, Meshing::CryptoPro] {
                let mut own = Cbc28147::with(key.clone(), &IV, seal)
                    .unwrap()
                    .padding(padding)
                    .meshing(meshing);
                let secret = blocks(&mut own, &clear, &[len / 3]).unwrap();
                let open = Direction::Decrypt;
                let mut own = Cbc28147::with(key.clone(), &IV, open)
                    .unwrap()
                    .padding(padding)
                    .meshing(meshing);
                let out = blocks(&mut own, &secret, &[len / 2]).unwrap();
                let about = format!("{padding:?}, {meshing:?}, {len} bytes");
                assert!(out[..len] == clear, "{about}: another text");
                let right = !padding.removable() || out.len() == len;
                assert!(right, "{about}: {} bytes out", out.len());
            }
        }
    }
}

#[test]
fn cbc_refuses_misuse() {
    let key = cipher(ParamSet::HashTest, KEY);
    let new = |iv: &[u8]| {
        let cbc = Cbc28147::with(key.clone(), iv, Direction::Encrypt);
        cbc.map(|cbc| cbc.meshing(Meshing::CryptoPro))
    };
    let mut cbc = new(&IV).unwrap();
    let message = text(8);
    assert_eq!(blocks(&mut cbc, &message, &[3]).unwrap().len(), 8);
    assert_eq!(cbc.finalize(&mut [0; 16]), Err(Error::Finished));
    assert_eq!(cbc.update(&mut [0; 8]), Err(Error::Finished));
    assert_eq!(cbc.reset(&[0; 16]), Err(Error::IvLength));
    cbc.reset(&IV).unwrap();
    assert_eq!(blocks(&mut cbc, &message[1..], &[]), Err(Error::DataLength));
    assert_eq!(new(&[]).err(), Some(Error::IvLength));
}

/// All forms of a single stream, not only the form that this processor prefers; `differential` has that form at every
/// length.
#[test]
fn one_stream_is_the_reference_in_every_form() {
    let forms = survey::forms();
    let one = forms.iter().find(|f| (f.primitive, f.name) == ("magma", "one stream")).unwrap();
    let (set, key) = (ParamSet::Tc26Z, cipher(ParamSet::Tc26Z, KEY));
    for form in one.forms {
        take_form(one.primitive, one.name, form).unwrap();
        for (meshing, len) in
            [Meshing::None, Meshing::CryptoPro].map(|m| EDGES.map(|len| (m, len))).concat()
        {
            let clear = text(len);
            let want = model(model::cfb_encrypt, set, meshing, &clear);
            let mut cfb =
                Cfb28147::with(key.clone(), &IV, Direction::Encrypt).unwrap().meshing(meshing);
            assert_eq!(applied(&mut cfb, &clear), want, "{form:?}, CFB, {meshing:?}, {len} bytes");
            let imit = |key: &[u8], boxes: &Sbox, _: &[u8], meshing, text: &[u8]| {
                model::imit(key, boxes, &[0; 8], meshing, text, 8)
            };
            let mut own = Imit::with(key.clone()).meshing(meshing).truncated(8).unwrap();
            let want = model(imit, set, meshing, &clear);
            assert_eq!(tag(&mut own, &clear), want, "{form:?}, IMIT, {meshing:?}, {len} bytes");
            if len.is_multiple_of(8) {
                let mut cbc =
                    Cbc28147::with(key.clone(), &IV, Direction::Encrypt).unwrap().meshing(meshing);
                let want = model(model::cbc_encrypt, set, meshing, &clear);
                assert_eq!(
                    blocks(&mut cbc, &clear, &[len / 2]).unwrap(),
                    want,
                    "{form:?}, CBC, {meshing:?}, {len} bytes"
                );
            }
        }
    }
    assume_forms(None);
}

/// The table: the defaults of a name, and its options.
mod table {
    use super::*;

    fn key() -> [u8; 32] {
        hex(KEY).try_into().unwrap()
    }

    /// The session's whole answer to a message.
    fn answer(name: &str, p: &Params<'_>, data: &[u8]) -> Result<Vec<u8>, Error> {
        match algorithm::find(name)?.session(p)? {
            Session::Mac(mut mac) => {
                mac.update(data);
                Ok(mac.finalize_reset()?.to_vec())
            }
            session => {
                let (mut cipher, mut out) = (session.cipher()?, data.to_vec());
                let n = cipher.update(&mut out)?;
                out.truncate(n);
                let mut end = vec![0; cipher.held()];
                let n = cipher.finalize(&mut end)?;
                out.extend(&end[..n]);
                Ok(out)
            }
        }
    }

    #[test]
    fn defaults() {
        let (key, clear) = (key(), text(2056));
        let p = Params::new(&key).iv(&IV);
        let bare = Params::new(&key);
        let a = cipher(ParamSet::CryptoProA, KEY);
        let z = cipher(ParamSet::Tc26Z, KEY);
        let mesh = Meshing::CryptoPro;
        let got = answer("id-Gost28147-89", &p, &clear).unwrap();
        assert_eq!(got, model(model::cfb_encrypt, ParamSet::Tc26Z, mesh, &clear));
        let got = answer("gost89-cnt", &p, &clear).unwrap();
        assert_eq!(got, model(model::cnt, ParamSet::CryptoProA, mesh, &clear));
        let got = answer("gost89-cnt-12", &p, &clear).unwrap();
        assert_eq!(got, model(model::cnt, ParamSet::Tc26Z, mesh, &clear));
        let got = answer("gost89-cbc", &p, &clear).unwrap();
        assert_eq!(got, model(model::cbc_encrypt, ParamSet::Tc26Z, Meshing::None, &clear));
        let mut want = clear.clone();
        z.map(Direction::Encrypt, want.as_mut_slice().into());
        assert_eq!(answer("gost89-ecb", &bare, &clear).unwrap(), want);
        for (name, cipher) in [("gost-mac", a), ("gost-mac-12", z)] {
            let mut imit = Imit::with(cipher).meshing(mesh).truncated(4).unwrap();
            assert_eq!(answer(name, &bare, &clear).unwrap(), tag(&mut imit, &clear), "{name}");
            assert_eq!(algorithm::find(name).unwrap().out, 4);
        }
    }

    #[test]
    fn parameters() {
        let (key, clear) = (key(), text(2056));
        let mut p = Params::new(&key).iv(&IV);
        p.sboxes = Some(ParamSet::Test.into());
        let plain = model(model::cnt, ParamSet::Test, Meshing::None, &clear);
        assert_eq!(answer("gost89-cnt", &p, &clear).unwrap(), plain, "the test set has none");
        p.meshing = Some(true);
        let meshed = model(model::cnt, ParamSet::Test, Meshing::CryptoPro, &clear);
        assert_eq!(answer("gost89-cnt", &p, &clear).unwrap(), meshed);
        p.tag_len = Some(4);
        assert_eq!(answer("gost89-cnt", &p, &clear), Err(Error::Parameter));
        p = Params::new(&key);
        p.tag_len = Some(9);
        assert_eq!(answer("gost-mac", &p, &clear), Err(Error::TagLength));
        p.tag_len = Some(8);
        assert_eq!(answer("gost-mac", &p, &clear).unwrap().len(), 8);
        p.kernel = Some("no such");
        assert_eq!(answer("gost-mac", &p, &clear), Err(Error::UnknownKernel));
        assert_eq!(answer("hmac-streebog256", &p, &clear), Err(Error::UnknownKernel));
        p.kernel = Some("portable");
        assert_eq!(answer("gost-mac", &p, &clear).unwrap().len(), 8);
        assert_eq!(answer("hmac-streebog256", &p, &clear).unwrap().len(), 8);
        p.key = &key[1..];
        assert_eq!(answer("gost-mac", &p, &clear), Err(Error::KeyLength));
        assert_eq!(answer("hmac-streebog512", &p, &clear).unwrap().len(), 8);
    }

    #[test]
    fn names_are_one_of_a_kind_and_functions_have_no_session() {
        let mut seen = std::collections::BTreeSet::new();
        for a in algorithm::ALGORITHMS {
            for name in a.aliases.iter().chain([&a.name]).chain(&a.oid) {
                assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
                assert_eq!(algorithm::find(name).unwrap().name, a.name);
            }
            let function = matches!(a.kind, Kind::Kdf | Kind::Wrap);
            assert_eq!(a.has_sessions(), !function, "{}", a.name);
        }
    }
}

mod wraps {
    use super::*;

    #[test]
    fn a_changed_byte_is_refused() {
        let set = || ParamSet::CryptoProA.into();
        for wrap in [KeyWrap::Gost28147(set()), KeyWrap::CryptoPro(set()), KeyWrap::Rfc7836] {
            let (kek, cek, mut wrapped) = ([1; 32], text(32), vec![0; 44]);
            wrap.wrap(&kek, &IV, &cek, &mut wrapped).unwrap();
            let mut unwrapped = vec![0; 32];
            wrap.unwrap(&kek, &wrapped, &mut unwrapped).unwrap();
            assert_eq!(unwrapped, cek);
            // Any byte changed, whole or at one bit: nothing comes out.
            let mut nothing = vec![0; 32];
            for i in 0..wrapped.len() {
                wrapped[i] ^= 1 << (i % 8);
                let unwrap = wrap.unwrap(&kek, &wrapped, &mut nothing);
                assert_eq!(unwrap, Err(Error::Verify), "byte {i}");
                wrapped[i] ^= 1 << (i % 8);
            }
            assert!(wrap.unwrap(&kek, &wrapped[..43], &mut nothing).is_err());
            assert!(wrap.unwrap(&kek, &[], &mut nothing).is_err());
            assert!(nothing.iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn all_are_the_reference() {
        let (kek, cek) = (text(32), text(64));
        let keys = kek.clone().try_into().unwrap();
        let mut out = [0; 84];
        for sboxes in ParamSet::ALL.map(Sboxes::from) {
            let rows = sboxes.rows();
            let want = model::wrap_gost(&kek, &IV, &cek[..32], rows).unwrap();
            let wrap = KeyWrap::Gost28147(sboxes.clone());
            wrap.wrap(&keys, &IV, &cek[..32], &mut out[..44]).unwrap();
            assert_eq!(out[..44], want);
            let want = model::wrap_cryptopro(&kek, &IV, &cek[..32], rows).unwrap();
            let wrap = KeyWrap::CryptoPro(sboxes.clone());
            wrap.wrap(&keys, &IV, &cek[..32], &mut out[..44]).unwrap();
            assert_eq!(out[..44], want);
        }
        for (seed, len) in [(8, 32), (8, 64), (11, 32), (16, 32), (16, 64)] {
            let seed = text(seed);
            let want = model::wrap_rfc7836(&kek, &seed, &cek[..len]).unwrap();
            let out = &mut out[..want.len()];
            KeyWrap::Rfc7836.wrap(&keys, &seed, &cek[..len], out).unwrap();
            assert_eq!(*out, want);
        }
    }

    #[test]
    fn lengths() {
        let (kek, mut out) = ([1; 32], [0; 84]);
        let gost = KeyWrap::Gost28147(ParamSet::Tc26Z.into());
        let mut wrap = |wrap: &KeyWrap, ukm: usize, cek: usize, out_len: usize| {
            wrap.wrap(&kek, &[2; 16][..ukm], &[3; 64][..cek], &mut out[..out_len])
        };
        assert_eq!(wrap(&gost, 9, 32, 45), Err(Error::IvLength));
        assert_eq!(wrap(&gost, 8, 64, 76), Err(Error::DataLength));
        assert_eq!(wrap(&gost, 8, 32, 45), Err(Error::BufferLength));
        assert_eq!(wrap(&KeyWrap::Rfc7836, 7, 32, 43), Err(Error::IvLength));
        assert_eq!(wrap(&KeyWrap::Rfc7836, 8, 33, 45), Err(Error::DataLength));
        assert_eq!(wrap(&KeyWrap::Rfc7836, 16, 64, 84), Ok(()));
        let mut cek = [0; 64];
        assert_eq!(KeyWrap::Rfc7836.unwrap(&kek, &out, &mut cek), Ok(()));
        assert_eq!(cek, [3; 64]);
        assert_eq!(KeyWrap::Rfc7836.unwrap(&kek, &out, &mut cek[..32]), Err(Error::DataLength));
        assert_eq!(gost.unwrap(&kek, &out[..43], &mut cek[..32]), Err(Error::DataLength));
    }
}
