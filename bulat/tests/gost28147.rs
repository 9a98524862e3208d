//! The modes and key wraps of GOST 28147-89: answers of CryptoPro CSP, RFC 7836 and other
//! implementations; the manners of the objects; the modes against the reference.

use bulat::algorithm::{self, Kind, Params, Session};
use bulat::kdf::KeyWrap;
use bulat::modes::meshing;
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

/// Lengths and cuts around a block and around the sections.
const EDGES: [usize; 19] =
    [0, 1, 7, 8, 9, 16, 24, 1016, 1023, 1024, 1025, 1031, 1032, 1033, 2047, 2048, 2049, 2056, 3100];

mod answers {
    use super::*;
    use Meshing::CryptoPro;
    use ParamSet::*;

    #[test]
    fn cfb() {
        for (set, key, iv, message, want) in [
            (
                CryptoProA,
                "8d5a2c83a7c70a61d61b34b51fdf42686671a35d874cfd84993663b61ed60dad",
                "46606f0d8834235a",
                "d2fdf83ac1b439232eaacc980a02da33",
                "88b7751674a5ee2d14fe9167d05ccc40",
            ),
            (
                CryptoProC,
                "77c3458ef642e7048efc08e47096d6059359026d6f97cae9cf89444bde6c221d",
                "437c3e8e2f2a0098",
                "079c91be",
                "19358134",
            ),
            (
                CryptoProD,
                "389fe837ff9c5d29fc4855a087eae84020875bb2011555a7e32dcb3dd6590473",
                "c5a2d21f2fdfb8eb",
                "2f31d883b420e86eda",
                "6da4ed40088871ad16",
            ),
            (Test, KEY, "1234567890abcdef", "0000000000000000", "e8287f53f991d52b"),
            (HashTest, KEY, "1234567890abcdef", "0000000000000000", "b587f7a0814c911d"),
        ] {
            let cfb = |direction| {
                Cfb28147::with(cipher(set, key), &hex(iv), direction).unwrap().meshing(CryptoPro)
            };
            assert_eq!(applied(&mut cfb(Direction::Encrypt), &hex(message)), hex(want));
            assert_eq!(applied(&mut cfb(Direction::Decrypt), &hex(want)), hex(message));
        }
    }

    /// CryptoPro CSP: 5 MiB of zeros and a block, 5120 changes of the key; the last 16 bytes.
    #[test]
    fn five_mebibytes_of_zeros() {
        const MIB5: usize = 5 << 20;
        let key =
            cipher(CryptoProA, "6158445a41f6c70f6bdb51916af681308ca798dd38358a6085b4f0f943a27d9a");
        let mut cfb = Cfb28147::with(key, &[0; 8], Direction::Encrypt).unwrap().meshing(CryptoPro);
        let out = applied(&mut cfb, &vec![0; MIB5 + 8]);
        assert_eq!(out[MIB5 - 8..], hex("1c16a0e96394fe3837a79b70252ed600"));

        let key =
            cipher(CryptoProA, "075265e7caa3ca45cf3a051d3803530c2231ba994f9b6a1b7e099d4eb5c9842e");
        let mut cnt = Cnt::with(key, &[0; 8]).unwrap().meshing(CryptoPro);
        let out = applied(&mut cnt, &vec![0; MIB5 + 8]);
        assert_eq!(out[MIB5 - 8..], hex("3d050757c0758997d69449111dd091ee"));

        let key =
            cipher(CryptoProA, "aa8584cd6528e1dbb8201943e036351019c3705b27c19d8475a3c649468f7c4e");
        let mut imit = Imit::with(key).meshing(CryptoPro).truncated(4).unwrap();
        assert_eq!(tag(&mut imit, &vec![0; MIB5]), hex("2ae623c6"));
    }

    #[test]
    fn cnt() {
        for (set, key, iv, message, want) in [
            (
                CryptoProA,
                "599f84bac3f3d2f160e1e3f26a961af99c48b24ebcbbbf7cd8f3accd968d286a",
                "8dafa8d158ed058d",
                "90a23966ae01b9a3524ec8ed6cdd8830",
                "6e7262cce3593690833afea91bc9bece",
            ),
            (
                CryptoProA,
                "4ef72b778f0b0bebeef4f077551cb74a927b470ad7d7f2513454569a247e989d",
                "1234567890abcdef",
                "bc350e71aa11345709acde",
                "1bcc2282707c676fb656dc",
            ),
            (
                Test,
                "fc7ad2886f455b50d29008fa622b57d5c65b3c637202025799cadf0768519e8a",
                "0000000000000000",
                "07060504030201000f0e0d0c0b0a090817161514131211101f1e1d1c1b1a1918
                 27262524232221202f2e2d2c2b2a2928fffefdfcfb",
                "d0be601a2cf190269b7b23b4d2cce115f60557288875eb1ed362dcda9b62ee9a
                 57878af182379c7f13cc5538b56332c523a4cb7d51",
            ),
        ] {
            let mut cnt = Cnt::with(cipher(set, key), &hex(iv)).unwrap().meshing(CryptoPro);
            assert_eq!(applied(&mut cnt, &hex(message)), hex(want));
        }
    }

    #[test]
    fn imit() {
        for (set, key, message, want) in [
            (
                CryptoProA,
                "9d05b79e90cad00a2cdad22ef4e86f5cf5dc37681985b3bfaa18c1c3050a91a2",
                "b5a1f0e3ce2f021d676194345c41e36e",
                "f81f08a3",
            ),
            (
                CryptoProA,
                "a9b637cc6d9b2f25b0df47045068b0274127586abd0a6e502fc6fcc03e2942a5",
                "1debe6790a5900e68e5c",
                "317c16e4",
            ),
            (
                CryptoProB,
                "33d3ef0119950e15a16975ae562717796347ab629d4af034d31e6974ec3148fc",
                "02f8ec2b4d1fbc7c6e47e387227541a7",
                "f5551f28",
            ),
            // One block: a second one of zeros follows.
            (
                CryptoProA,
                "b06c48230a6ef4ec27980123a7d8bf6089efade88f79148c185c9adaef0bdda0",
                "ef068f14c904",
                "e972aebf",
            ),
            (
                CryptoProA,
                "423581910ba999ffd943f8c619551f2f2d4540201e1d327ab1076b4f4590d980",
                "f3b229d27a370312",
                "6e15fae8",
            ),
            (
                CryptoProA,
                "54686973206973206d657373616765ff206c656e677468003332206279746573",
                "78787878787878787878787878",
                "917ee1f1a668fbd3",
            ),
            (CryptoProA, KEY, "", "00000000"),
        ] {
            let want = hex(want);
            let mut imit =
                Imit::with(cipher(set, key)).meshing(CryptoPro).truncated(want.len()).unwrap();
            assert_eq!(tag(&mut imit, &hex(message)), want);
        }
    }

    #[test]
    fn imit_from_an_iv() {
        let key = cipher(Test, "0dc246ceb573ba2fcef9ddebab582f05b14966fecbb7b5bc258d07f751b1f1b8");
        let mut imit = Imit::with(key)
            .meshing(Meshing::None)
            .truncated(4)
            .unwrap()
            .iv(&hex("7b00c1f7641a6175"))
            .unwrap();
        let message = hex("5d3f9d4fc1e2c2d1acef5ac3fec8c6a288598dabe71063f84c947265025f6eed");
        assert_eq!(tag(&mut imit, &message), hex("fd44d1a3"));
        imit.reset_iv(&IV).unwrap();
        assert_eq!(tag(&mut imit, &[]), IV[..4], "no block, no round: the IV");
    }

    #[test]
    fn one_step_of_meshing() {
        let key =
            cipher(CryptoProA, "1e74ea99044241e048de5afe59ef6a61b72a1d6e7b084652e77d64a501f4ebb4");
        let next = meshing::next_key(&key);
        let want = hex("cdb755764025d3736c9369b58e3f91518fc103cadb78a6384cbc497df9094a53");
        assert_eq!(next[..], want);
        let mut register = hex("102149ae1d8d184b").try_into().unwrap();
        key.rekey(&next).encrypt_block(&mut register);
        assert_eq!(register[..], hex("f7983b6de38108f3"));
    }

    #[test]
    fn who_meshes() {
        for set in ParamSet::ALL {
            assert_eq!(Meshing::of(&set.into()) == Meshing::None, set == Test);
        }
        let mut rows = *Sboxes::from(Test).rows();
        rows.swap(0, 1);
        assert_eq!(Meshing::of(&Sboxes::new(rows).unwrap()), CryptoPro);
    }
}

/// Both ways of a mode: whole and in place, then in two pieces cut at each edge, from one buffer to
/// another, the second by a clone; then reset.
fn every_split<M: StreamCipher>(new: impl Fn(Direction) -> M, want: impl Fn(&[u8]) -> Vec<u8>) {
    let (mut seal, mut open) = (new(Direction::Encrypt), new(Direction::Decrypt));
    for len in EDGES {
        let clear = text(len);
        let secret = want(&clear);
        for (mode, from, to) in [(&mut seal, &clear, &secret), (&mut open, &secret, &clear)] {
            assert_eq!(applied(mode, from), *to, "{len} bytes");
            for cut in EDGES.into_iter().filter(|cut| *cut <= len) {
                mode.reset(&IV).unwrap();
                let mut out = vec![0; len];
                let (a, b) = out.split_at_mut(cut);
                mode.apply_keystream_b2b(&from[..cut], a).unwrap();
                mode.clone().apply_keystream_b2b(&from[cut..], b).unwrap();
                assert_eq!(out, *to, "{len} bytes cut at {cut}");
            }
            mode.reset(&IV).unwrap();
        }
    }
    // One byte at a time.
    let clear = text(1100);
    let mut out = clear.clone();
    out.iter_mut().for_each(|x| seal.apply_keystream(core::slice::from_mut(x)).unwrap());
    assert_eq!(out, want(&clear));
    out.iter_mut().for_each(|x| open.apply_keystream(core::slice::from_mut(x)).unwrap());
    assert_eq!(out, clear);
    assert_eq!(seal.reset(&[0; 7]), Err(Error::IvLength));
    assert_eq!(seal.reset(&[0; 9]), Err(Error::IvLength));
}

#[test]
fn cnt_is_the_reference_for_every_split() {
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        let key = cipher(ParamSet::CryptoProA, KEY);
        every_split(
            |_| Cnt::with(key.clone(), &IV).unwrap().meshing(meshing),
            |text| model(model::cnt, ParamSet::CryptoProA, meshing, text),
        );
    }
}

#[test]
fn cfb_is_the_reference_for_every_split() {
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        let key = cipher(ParamSet::Tc26Z, KEY);
        every_split(
            |direction| Cfb28147::with(key.clone(), &IV, direction).unwrap().meshing(meshing),
            |text| model(model::cfb_encrypt, ParamSet::Tc26Z, meshing, text),
        );
    }
}

#[test]
fn every_parameter_set_and_boxes_of_ones_own() {
    let clear = text(1100);
    let mut rows = *Sboxes::from(ParamSet::Tc26Z).rows();
    rows.rotate_left(3);
    let own = Sboxes::new(rows).unwrap();
    for sboxes in ParamSet::ALL.into_iter().map(Sboxes::from).chain([own]) {
        let key = Gost28147::new(&hex(KEY).try_into().unwrap(), sboxes.clone());
        let (rows, mesh) = (sboxes.rows(), model::Meshing::CryptoPro);
        let mut cnt = Cnt::with(key.clone(), &IV).unwrap().meshing(Meshing::CryptoPro);
        let want = model::cnt(&hex(KEY), rows, &IV, mesh, &clear).unwrap();
        assert_eq!(applied(&mut cnt, &clear), want);
        let mut cfb = Cfb28147::with(key.clone(), &IV, Direction::Decrypt)
            .unwrap()
            .meshing(Meshing::CryptoPro);
        let want = model::cfb_decrypt(&hex(KEY), rows, &IV, mesh, &clear).unwrap();
        assert_eq!(applied(&mut cfb, &clear), want);
        let mut imit = Imit::with(key.clone())
            .meshing(Meshing::CryptoPro)
            .truncated(8)
            .unwrap()
            .iv(&IV)
            .unwrap();
        let want = model::imit(&hex(KEY), rows, &IV, mesh, &clear, 8).unwrap();
        assert_eq!(tag(&mut imit, &clear), want);
        let diversified = bulat::kdf::diversify(&hex(KEY).try_into().unwrap(), &IV, &sboxes);
        assert_eq!(diversified[..], model::kek_diversify(&hex(KEY), &IV, rows).unwrap());
    }
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
fn imit_is_the_reference_for_every_split() {
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        let mut imit =
            Imit::with(cipher(ParamSet::CryptoProA, KEY)).meshing(meshing).truncated(8).unwrap();
        for len in EDGES {
            let message = text(len);
            let want = model(
                |key, sboxes, _, meshing, text| model::imit(key, sboxes, &[0; 8], meshing, text, 8),
                ParamSet::CryptoProA,
                meshing,
                &message,
            );
            assert_eq!(tag(&mut imit, &message), want, "{len} bytes");
            for cut in EDGES.into_iter().filter(|cut| *cut <= len) {
                imit.update(&message[..cut]);
                let mut twin = imit.clone();
                for half in [&mut imit, &mut twin] {
                    half.update(&message[cut..]);
                    assert_eq!(half.verify_reset(&want), Ok(()), "{len} bytes cut at {cut}");
                }
            }
            message.iter().for_each(|octet| imit.update(&[*octet]));
            assert_eq!(imit.verify_reset(&want), Ok(()), "{len} bytes one by one");
        }
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
    assert_eq!(Cnt::with(key.clone(), &[]).err(), Some(Error::IvLength));
    let cfb = Cfb28147::with(key, &[0; 16], Direction::Encrypt);
    assert_eq!(cfb.err(), Some(Error::IvLength));
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
fn cbc_is_the_reference_for_every_split() {
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        let key = cipher(ParamSet::CryptoProB, KEY);
        let new = |direction| {
            Cbc28147::with(key.clone(), &IV, direction)
                .unwrap()
                .padding(Padding::None)
                .meshing(meshing)
        };
        let (mut seal, mut open) = (new(Direction::Encrypt), new(Direction::Decrypt));
        for len in EDGES.into_iter().filter(|len| len.is_multiple_of(8)) {
            let clear = text(len);
            let secret = model(model::cbc_encrypt, ParamSet::CryptoProB, meshing, &clear);
            for cut in EDGES.into_iter().filter(|cut| *cut <= len) {
                assert_eq!(blocks(&mut seal, &clear, &[cut]).unwrap(), secret, "{len} at {cut}");
                assert_eq!(blocks(&mut open, &secret, &[cut]).unwrap(), clear, "{len} at {cut}");
                seal.reset(&IV).unwrap();
                open.reset(&IV).unwrap();
            }
        }
    }
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
fn cbc_answers_and_refusals() {
    // BouncyCastle, GOST28147Test.
    let key = cipher(
        ParamSet::HashTest,
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    );
    let new = |iv: &[u8]| {
        let cbc = Cbc28147::with(key.clone(), iv, Direction::Encrypt);
        cbc.map(|cbc| cbc.meshing(Meshing::CryptoPro))
    };
    let mut cbc = new(&IV).unwrap();
    let message = hex("bc350e71aac5f5c2");
    assert_eq!(blocks(&mut cbc, &message, &[3]).unwrap(), hex("d35ab653493b49f5"));
    assert_eq!(cbc.finalize(&mut [0; 16]), Err(Error::Finished));
    assert_eq!(cbc.update(&mut [0; 8]), Err(Error::Finished));
    assert_eq!(cbc.reset(&[0; 16]), Err(Error::IvLength));
    cbc.reset(&IV).unwrap();
    assert_eq!(blocks(&mut cbc, &message[1..], &[]), Err(Error::DataLength));
    assert_eq!(new(&[]).err(), Some(Error::IvLength));
}

/// All forms of one stream, not only the one that this processor prefers.
#[test]
fn one_stream_is_the_reference_in_every_form() {
    let forms = survey::forms();
    let one = forms.iter().find(|f| (f.primitive, f.name) == ("magma", "one stream")).unwrap();
    for form in one.forms {
        take_form(one.primitive, one.name, form).unwrap();
        cfb_is_the_reference_for_every_split();
        imit_is_the_reference_for_every_split();
        cbc_is_the_reference_for_every_split();
    }
    assume_forms(None);
}

/// The table: the defaults of a name, and its options.
mod table {
    use super::*;

    fn key() -> [u8; 32] {
        hex(KEY).try_into().unwrap()
    }

    /// The session's whole answer to one message.
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

    const KEK: &str = "b5cdc05431305643a349b3615a4778c005d0bc68537a555a07f358742ddf02cd";
    const UKM: &str = "e0607ba30e04bef3";
    const CEK: &str = "308bdb2e1705d72a816b7944ba9d02f1b1a4d8967648ac49e74115c6c2ab2995";

    fn check(wrap: &KeyWrap, kek: &str, ukm: &str, cek: &str, want: &str) {
        let kek = hex(kek).try_into().unwrap();
        let (cek, want) = (hex(cek), hex(want));
        let mut wrapped = vec![0; want.len()];
        wrap.wrap(&kek, &hex(ukm), &cek, &mut wrapped).unwrap();
        assert_eq!(wrapped, want);
        let mut unwrapped = vec![0; cek.len()];
        wrap.unwrap(&kek, &wrapped, &mut unwrapped).unwrap();
        assert_eq!(unwrapped, cek);
        // Any byte changed, whole or at one bit: nothing comes out.
        let mut nothing = vec![0; cek.len()];
        for i in 0..wrapped.len() {
            wrapped[i] ^= 1 << (i % 8);
            assert_eq!(wrap.unwrap(&kek, &wrapped, &mut nothing), Err(Error::Verify), "byte {i}");
            wrapped[i] ^= 1 << (i % 8);
        }
        let short = &wrapped[..wrapped.len() - 1];
        assert!(wrap.unwrap(&kek, short, &mut nothing).is_err());
        assert!(wrap.unwrap(&kek, &[], &mut nothing).is_err());
        assert!(nothing.iter().all(|octet| *octet == 0));
    }

    #[test]
    fn gost28147() {
        check(
            &KeyWrap::Gost28147(ParamSet::CryptoProA.into()),
            KEK,
            UKM,
            CEK,
            "e0607ba30e04bef3aafd46feb301d44c901ba27ba8c99a6c4744acb05e2a00fdd83b23863f12026f0c622163",
        );
    }

    #[test]
    fn cryptopro() {
        check(
            &KeyWrap::CryptoPro(ParamSet::CryptoProA.into()),
            KEK,
            UKM,
            CEK,
            "e0607ba30e04bef3bb711cbefb51132903dba4840e891b6c9da809f6b1f1c34b0b9e4b442a6fcf5bd5ece20e",
        );
        let (kek, ukm) = (hex(KEK).try_into().unwrap(), hex(UKM).try_into().unwrap());
        let diversified = bulat::kdf::diversify(&kek, &ukm, &ParamSet::CryptoProA.into());
        let want = hex("781a8a429ecc2591189c23a79d70f75ca3182ce17a095af2c7101455bc06bf9c");
        assert_eq!(diversified[..], want);
    }

    #[test]
    fn rfc7836() {
        // Appendix B, 11).
        check(
            &KeyWrap::Rfc7836,
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "af21434145656378",
            "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
            "af21434145656378d15547f8ee85121bc87d4b1027d26027ecc071bba6e72f3fec6f620f56834c5abe33f052",
        );
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
