//! Calls by a name of the table of algorithms: keys and batches against sessions; every function; refusals. `vectors` and
//! `differential` have the functions' results.

use bulat::Direction::{Decrypt, Encrypt};
use bulat::algorithm::{
    ALGORITHMS, Algorithm, KdfParams, Key, Kind, Message, Padding, Params, Session, Work,
    WrapParams, run,
};
use bulat::kdf::TlsMasks;
use bulat::{Direction, Error, ParamSet, algorithm};
use testkit::Random;

/// A message, and its result.
#[derive(Clone)]
struct Case {
    key: usize,
    iv: Vec<u8>,
    direction: Direction,
    aad: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
    result: Result<(), Error>,
}

/// Uses a session that has the key for itself.
fn alone(a: &Algorithm, params: &Params<'_>, case: &mut Case) -> Result<(), Error> {
    let params = params.clone().direction(case.direction).iv(&case.iv);
    match a.session(&params)? {
        Session::Hash(mut hash) => {
            hash.update(&case.text);
            hash.finalize_reset(&mut case.tag).map(|_| ())
        }
        Session::Mac(mut mac) if case.direction == Decrypt => {
            mac.update(&case.text);
            mac.verify_reset(&case.tag)
        }
        Session::Mac(mut mac) => {
            mac.update(&case.text);
            case.tag.copy_from_slice(&mac.finalize_reset()?);
            Ok(())
        }
        Session::Cipher(mut cipher) => {
            let n = cipher.update(&mut case.text)?;
            cipher.finalize(&mut case.text[n..]).map(|_| ())
        }
        Session::Aead(mut aead) if case.direction == Decrypt => {
            aead.aad(&case.aad)?;
            aead.open(&mut case.text, &case.tag)
        }
        Session::Aead(mut aead) => {
            aead.aad(&case.aad)?;
            aead.update(&mut case.text)?;
            case.tag.copy_from_slice(&aead.finalize()?);
            Ok(())
        }
    }
}

fn message<'a>(keys: &'a [Key], case: &'a mut Case) -> Message<'a> {
    let key = &keys[case.key];
    let work = match (key.algorithm().kind, case.direction) {
        (Kind::Hash, _) => Work::Hash(&case.text, &mut case.tag),
        (Kind::Mac, Encrypt) => Work::Mac(&case.text, &mut case.tag),
        (Kind::Mac, Decrypt) => Work::Verify(&case.text, &case.tag),
        (Kind::Aead, Encrypt) => Work::Seal(&case.aad, (&mut case.text).into(), &mut case.tag),
        (Kind::Aead, Decrypt) => Work::Open(&case.aad, (&mut case.text).into(), &case.tag),
        (_, direction) => Work::Cipher(direction, (&mut case.text).into()),
    };
    Message { key, iv: &case.iv, work }
}

/// Options that mean something to the algorithm, or no options.
fn options<'a>(r: &mut Random, a: &Algorithm, key: &'a [u8]) -> Params<'a> {
    let mut params = Params::new(key);
    if r.below(2) == 0 {
        return params;
    }
    match a.kind {
        Kind::Mac => params.tag_len = Some(4),
        Kind::Aead if a.name.ends_with("-mgm") => params.tag_len = Some(7),
        _ if a.name.ends_with("-acpkm") => params.section = Some(64),
        _ if a.name.starts_with("gost89") => params.sboxes = Some(ParamSet::CryptoProB.into()),
        _ if a.name.ends_with("-ctr") => params.s = Some(4),
        _ => {}
    }
    params
}

#[test]
fn a_batch_is_its_sessions() {
    let mut r = Random::new(29);
    let bytes: Vec<Vec<u8>> = ALGORITHMS
        .iter()
        .flat_map(|a| [a; 3])
        .map(|a| r.bytes(if a.key == 0 && a.kind == Kind::Mac { 20 } else { a.key }))
        .collect();
    let all = ALGORITHMS.iter().flat_map(|a| [a; 3]).zip(&bytes);
    let all: Vec<_> = all.filter(|(a, _)| a.has_sessions()).collect();
    let params: Vec<_> = all.iter().map(|(a, key)| options(&mut r, a, key)).collect();
    let keys: Vec<Key> =
        all.iter().zip(&params).map(|((a, _), p)| a.key(p).expect("a key")).collect();
    let mut cases = Vec::new();
    for n in 0..6 * keys.len() {
        let (key, a) = (n % keys.len(), all[n % keys.len()].0);
        let mut iv = r.bytes(a.iv.usual());
        if r.below(20) == 0 {
            iv.push(1);
        } else if r.below(9) > 0 {
            iv.iter_mut().take(1).for_each(|first| *first &= 0x7f);
        }
        let len = [r.below(40), r.below(300), 16 * r.below(200), 5000][r.below(4)];
        let tag = if a.kind == Kind::Hash { a.out } else { keys[key].tag_len() };
        let tag = tag + usize::from(r.below(30) == 0 && a.kind == Kind::Aead);
        let mut case = Case {
            key,
            iv,
            direction: Encrypt,
            aad: if a.name.ends_with("-mgm") { r.bytes(len % 30) } else { Vec::new() },
            text: r.bytes(len),
            tag: vec![0; tag],
            result: Ok(()),
        };
        if r.below(2) == 0 && a.kind != Kind::Hash {
            // An encrypted text, mostly.
            if tag == keys[key].tag_len() {
                let _ = alone(a, &params[key], &mut case);
            }
            if r.below(4) == 0 {
                case.tag.iter_mut().take(1).for_each(|first| *first ^= 1);
            }
            case.direction = Decrypt;
        }
        cases.push(case);
    }
    let mut wanted = cases.clone();
    for case in &mut wanted {
        let whole = case.tag.len();
        let (a, key) = (all[case.key].0, &keys[case.key]);
        case.result = match key.tag_len() {
            n if a.kind == Kind::Aead && n != whole => Err(Error::TagLength),
            _ => alone(a, &params[case.key], case),
        };
    }
    let results = run(cases.iter_mut().map(|case| message(&keys, case)).collect());
    let mut failed = 0;
    for ((case, wanted), result) in cases.iter().zip(&wanted).zip(results) {
        let (name, len) = (all[case.key].0.name, case.text.len());
        assert_eq!(result.is_ok(), wanted.result.is_ok(), "{name}, {len} bytes: {result:?}");
        if result.is_ok() {
            assert!(case.text == wanted.text && case.tag == wanted.tag, "{name}, {len} bytes");
        }
        failed += usize::from(result.is_err());
    }
    assert!(failed > 20 && failed < cases.len() / 2, "{failed} of {}", cases.len());
}

#[test]
fn tags_of_the_table() {
    for a in ALGORITHMS.iter().filter(|a| a.has_sessions()) {
        for len in 0..=65 {
            let params = Params::new(&[1; 64][..a.key]).iv(&[1; 16][..a.iv.usual()]).tag_len(len);
            assert_eq!(a.session(&params).is_ok(), a.tags.contains(&len), "{}, {len}", a.name);
        }
    }
}

#[test]
fn a_key_refuses() {
    let cbc = algorithm("kuznyechik-cbc").unwrap();
    assert_eq!(cbc.key(&Params::new(&[1; 31])).err(), Some(Error::KeyLength));
    assert_eq!(
        algorithm("kdf-tree").unwrap().key(&Params::new(&[1; 32])).err(),
        Some(Error::UnknownAlgorithm)
    );
    let (padded, plain) = (
        cbc.key(&Params::new(&[1; 32]).padding(Padding::Pkcs7)).unwrap(),
        cbc.key(&Params::new(&[1; 32])).unwrap(),
    );
    let (mut a, mut b, mut tag) = ([1; 32], [1; 32], [0; 16]);
    let results = run(vec![
        Message { key: &padded, iv: &[1; 16], work: Work::Cipher(Encrypt, (&mut a).into()) },
        Message { key: &plain, iv: &[1; 16], work: Work::Seal(b"", (&mut b).into(), &mut tag) },
    ]);
    assert_eq!(results, [Err(Error::Padding), Err(Error::Order)]);
}

#[test]
fn names_differ() {
    let mut seen = std::collections::BTreeSet::new();
    for a in ALGORITHMS {
        for name in a.aliases.iter().chain([&a.name]).chain(&a.oid) {
            assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
            assert_eq!(algorithm(name).unwrap().name, a.name);
        }
        assert_eq!(a.has_sessions(), !matches!(a.kind, Kind::Kdf | Kind::Wrap), "{}", a.name);
    }
}

#[test]
fn derivations_refuse_parameters() {
    let none = KdfParams { key: &[7; 32], ..KdfParams::default() };
    let labelled = KdfParams { label: b"label", seed: b"seed", ..none.clone() };
    for (name, params, len, error) in [
        ("kdf-gostr3411-2012-256", &labelled, 31, Error::BufferLength),
        ("tlstree", &none, 32, Error::Parameter),
        ("pbkdf2-hmac-streebog256", &none, 100, Error::Parameter),
        ("prf-plus-streebog512", &labelled, 100, Error::Parameter),
        ("streebog256", &none, 100, Error::UnknownAlgorithm),
    ] {
        let derived = algorithm(name).unwrap().derive(params, &mut [0; 100][..len]);
        assert_eq!(derived, Err(error), "{name}");
    }
}

#[test]
fn every_function_of_the_table_answers() {
    for a in ALGORITHMS.iter().filter(|a| !a.has_sessions()) {
        let key = vec![7; if a.key == 0 { 32 } else { a.key }];
        let iv = vec![1; a.iv.usual()];
        match a.kind {
            Kind::Kdf => {
                let tree = a.name == "tlstree";
                let params = KdfParams {
                    key: &key,
                    iterations: a.name.starts_with("pbkdf2").then_some(2),
                    masks: tree.then_some(TlsMasks::KUZNYECHIK_MGM_L),
                    ..KdfParams::default()
                };
                let mut out = vec![0; if a.out == 0 { 48 } else { a.out }];
                a.derive(&params, &mut out).unwrap();
                assert!(out.iter().any(|byte| *byte != 0), "{}", a.name);
                assert_eq!(a.wrapped_len(8, 32), None);
            }
            _ => {
                let params = WrapParams { key: &key, iv: &iv, sboxes: None };
                let mut wrapped = vec![0; a.wrapped_len(iv.len(), 32).unwrap()];
                a.wrap(&params, &[9; 32], &mut wrapped).unwrap();
                assert!(a.out == 0 || a.out == wrapped.len(), "{}", a.name);
                let mut back = [0; 32];
                let within = a.unwrap(&params, &wrapped, &mut back).is_err();
                let none = WrapParams { iv: &[], ..params.clone() };
                let params = if within { &none } else { &params };
                a.unwrap(params, &wrapped, &mut back).unwrap();
                assert_eq!(back, [9; 32], "{}", a.name);
                // With any byte changed, nothing comes out.
                back = [0; 32];
                for i in 0..wrapped.len() {
                    wrapped[i] ^= 1 << (i % 8);
                    let unwrapped = a.unwrap(params, &wrapped, &mut back);
                    assert_eq!(unwrapped, Err(Error::Verify), "{}, byte {i}", a.name);
                    wrapped[i] ^= 1 << (i % 8);
                }
                assert_eq!(back, [0; 32], "{}", a.name);
                assert_eq!(
                    a.derive(&KdfParams::default(), &mut back),
                    Err(Error::UnknownAlgorithm)
                );
            }
        }
    }
}
