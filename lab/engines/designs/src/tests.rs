//! Every design against the oracle, through the engine: odd sizes, several streams, both directions.

use engine::{Case, Engine as _, Input, iv, key};
use reference::gost28147::{self, Meshing};
use reference::kuznyechik::Kuznyechik;
use reference::magma::{Magma, sbox};
use reference::{Keyed as _, modes, streebog};

use crate::Designs;

/// The oracle's answer for a text: text and tag.
fn oracle(algorithm: &str, decrypt: bool, stream: usize, text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let key = key(stream, 32);
    let magma = Magma::with_key(&key).unwrap();
    let kuznyechik = Kuznyechik::with_key(&key).unwrap();
    let z = sbox("id-tc26-gost-28147-param-Z").unwrap();
    let meshing = Meshing::CryptoPro;
    let out = match (algorithm, decrypt) {
        ("magma-ecb", false) => modes::ecb_encrypt(&magma, text),
        ("magma-ecb", true) => modes::ecb_decrypt(&magma, text),
        ("magma-ctr", _) => modes::ctr(&magma, &iv(stream, 4), 8, text),
        ("magma-cfb", false) => modes::cfb_encrypt(&magma, &iv(stream, 8), 8, text),
        ("magma-cfb", true) => modes::cfb_decrypt(&magma, &iv(stream, 8), 8, text),
        ("kuznyechik-ecb", false) => modes::ecb_encrypt(&kuznyechik, text),
        ("kuznyechik-ctr", _) => modes::ctr(&kuznyechik, &iv(stream, 8), 16, text),
        ("gost89-cnt-12", _) => gost28147::cnt(&key, z, &iv(stream, 8), meshing, text),
        ("gost-mac-12", false) => {
            let tag = gost28147::imit(&key, z, &[0; 8], meshing, text, 4).unwrap();
            return (text.to_vec(), tag);
        }
        ("streebog512", false) => return (text.to_vec(), streebog::hash512(text)),
        ("streebog256", false) => return (text.to_vec(), streebog::hash256(text)),
        _ => panic!("no oracle for {algorithm}"),
    };
    (out.unwrap(), Vec::new())
}

#[test]
fn every_design_is_right() {
    for (algorithm, variant) in Designs.list() {
        let mut worked = 0;
        for size in [0, 1, 7, 8, 9, 16, 63, 64, 72, 240, 256, 272, 1024, 1025, 2112, 4096] {
            for (streams, offset) in [(1, 0), (2, 1), (3, 15), (17, 0), (37, 8)] {
                for decrypt in [false, true] {
                    let variant = variant.clone();
                    let case =
                        Case { variant, decrypt, offset, streams, ..Case::new(&algorithm, size) };
                    let Ok(mut work) = Designs.open(&case) else { continue };
                    if streams > 3 && size > 1025 {
                        continue;
                    }
                    let mut input = Input::new(&case, 0);
                    let texts: Vec<Vec<u8>> = input.texts().map(|text| text.to_vec()).collect();
                    // Twice: nothing of the first call is left in the second.
                    work(&mut input);
                    let mut input = Input::new(&case, 0);
                    work(&mut input);
                    for (stream, ((text, tag), was)) in input.both().zip(&texts).enumerate() {
                        let right = oracle(&case.algorithm, decrypt, stream, was);
                        assert!(text == right.0 && *tag == right.1, "{case:?}, stream {stream}");
                    }
                    worked += 1;
                }
            }
        }
        assert!(worked >= 20, "{algorithm} {variant}");
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let why = |algorithm: &str, variant: &str, size, decrypt| {
        let case = Case { variant: variant.into(), decrypt, ..Case::new(algorithm, size) };
        Designs.open(&case).err().unwrap_or_default()
    };
    assert!(why("magma-ecb", "e-mag-16", 9, false).contains("whole blocks of 8"));
    assert!(why("kuznyechik-ecb", "e-kuz-8", 24, false).contains("whole blocks of 16"));
    assert!(why("kuznyechik-ecb", "e-kuz-8", 16, true).contains("encryption"));
    assert!(why("streebog512", "s-files-v2.3", 16, true).contains("one direction"));
    assert!(why("magma-ecb", "e-kuz-8", 16, false).contains("does not have"));
    assert!(why("magma-ecb", "x-none", 16, false).contains("not among"));
    assert_eq!(why("magma-ctr", "e-mag-16", 9, true), "");
}

#[test]
fn a_file_in_pieces_has_the_same_hash() {
    let text = engine::text(0, 1000);
    for (variant, compress) in crate::list::versions() {
        for piece in [1, 63, 64, 65, 200, 1000] {
            let mut hash = crate::s_files::Hash::new(compress, false);
            text.chunks(piece).for_each(|piece| hash.update(piece));
            assert!(hash.finish()[..] == streebog::hash512(&text), "{variant}, pieces of {piece}");
        }
    }
}
