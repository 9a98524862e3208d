//! Calls by a name of the table of algorithms against the functions and sessions themselves: keys and batches, key
//! derivation, wraps.

use bulat::Direction::{Decrypt, Encrypt};
use bulat::algorithm::{
    ALGORITHMS, Algorithm, KdfParams, Key, Kind, Message, Padding, Params, Session, Work,
    WrapParams, run,
};
use bulat::kdf::{self, KeyWrap, TlsMasks, TlsTree};
use bulat::{Direction, Error, Kuznyechik, Magma, ParamSet, algorithm};
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
fn derivation_by_name_is_the_function() {
    let (key, label, seed, salt): (&[u8], &[u8], &[u8], &[u8]) =
        (&[7; 32], b"label", b"seed", b"salt");
    let params = KdfParams { key, ..KdfParams::default() };
    let labelled = KdfParams { label, seed, ..params.clone() };
    let [mut out, mut want] = [[0; 100]; 2];
    let derive = |name: &str, params: &KdfParams<'_>, out: &mut [u8]| {
        algorithm(name).and_then(|a| a.derive(params, out))
    };

    derive("kdf-gostr3411-2012-256", &labelled, &mut out[..32]).unwrap();
    assert_eq!(out[..32], *kdf::kdf_256(key, label, seed));
    let wrong = derive("kdf-gostr3411-2012-256", &labelled, &mut out[..31]);
    assert_eq!(wrong, Err(Error::BufferLength));

    derive("KDF_TREE_GOSTR3411_2012_256", &labelled, &mut out).unwrap();
    kdf::kdf_tree(key, label, seed, 1, &mut want).unwrap();
    assert_eq!(out, want);
    let two = KdfParams { counter: Some(2), ..labelled.clone() };
    derive("kdf-tree", &two, &mut out).unwrap();
    kdf::kdf_tree(key, label, seed, 2, &mut want).unwrap();
    assert_eq!(out, want);

    let masks = Some(TlsMasks::MAGMA_MGM_S);
    let record = KdfParams { masks, record: Some(99), ..params.clone() };
    derive("tlstree", &record, &mut out[..32]).unwrap();
    assert_eq!(out[..32], *TlsTree::new(&[7; 32], TlsMasks::MAGMA_MGM_S).key(99));
    assert_eq!(derive("tlstree", &params, &mut out[..32]), Err(Error::Parameter));

    let password = KdfParams { salt, iterations: Some(3), ..params.clone() };
    derive("pbkdf2-hmac-streebog512", &password, &mut out).unwrap();
    kdf::pbkdf2::<64>(key, salt, 3, &mut want).unwrap();
    assert_eq!(out, want);
    derive("pbkdf2-hmac-streebog256", &password, &mut out).unwrap();
    kdf::pbkdf2::<32>(key, salt, 3, &mut want).unwrap();
    assert_eq!(out, want);
    let none = KdfParams { salt, ..params.clone() };
    assert_eq!(derive("pbkdf2-hmac-streebog256", &none, &mut out), Err(Error::Parameter));

    derive("prf-tls-gostr3411-2012-256", &labelled, &mut out).unwrap();
    kdf::prf_tls::<32>(key, label, seed, &mut want);
    assert_eq!(out, want);
    derive("prf-tls-gostr3411-2012-512", &labelled, &mut out).unwrap();
    kdf::prf_tls::<64>(key, label, seed, &mut want);
    assert_eq!(out, want);

    let seeded = KdfParams { seed, ..params.clone() };
    derive("prf-plus-streebog256", &seeded, &mut out).unwrap();
    kdf::prf_plus::<32>(key, seed, &mut want).unwrap();
    assert_eq!(out, want);
    derive("prf-plus-streebog512", &seeded, &mut out).unwrap();
    kdf::prf_plus::<64>(key, seed, &mut want).unwrap();
    assert_eq!(out, want);
    assert_eq!(derive("prf-plus-streebog512", &labelled, &mut out), Err(Error::Parameter));

    let salted = KdfParams { salt, ..seeded };
    derive("hkdf-streebog256", &salted, &mut out).unwrap();
    kdf::hkdf_expand::<32>(&*kdf::hkdf_extract::<32>(salt, key), seed, &mut want).unwrap();
    assert_eq!(out, want);
    derive("hkdf-streebog512", &salted, &mut out).unwrap();
    kdf::hkdf_expand::<64>(&*kdf::hkdf_extract::<64>(salt, key), seed, &mut want).unwrap();
    assert_eq!(out, want);

    assert_eq!(derive("streebog256", &params, &mut out), Err(Error::UnknownAlgorithm));
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
                wrapped[iv.len()] ^= 1;
                back = [0; 32];
                assert_eq!(a.unwrap(params, &wrapped, &mut back), Err(Error::Verify));
                assert_eq!(back, [0; 32], "{}", a.name);
                assert_eq!(
                    a.derive(&KdfParams::default(), &mut back),
                    Err(Error::UnknownAlgorithm)
                );
            }
        }
    }
}

#[test]
fn wraps_by_name_are_the_functions() {
    let (key, iv, secret): (Vec<u8>, _, _) = ((0..64).collect(), [1; 8], [9; 32]);
    let (mac, enc) = (key[..32].try_into().unwrap(), key[32..].try_into().unwrap());
    let params = WrapParams { key: &key, iv: &iv, sboxes: None };
    let [mut out, mut want] = [[0; 48]; 2];
    algorithm("kuznyechik-kexp15").unwrap().wrap(&params, &secret, &mut out).unwrap();
    kdf::kexp15(&Kuznyechik::new(mac), &Kuznyechik::new(enc), &iv, &secret, &mut want).unwrap();
    assert_eq!(out, want);
    let params = WrapParams { iv: &iv[..4], ..params };
    algorithm("magma-kexp15").unwrap().wrap(&params, &secret, &mut out[..40]).unwrap();
    kdf::kexp15(&Magma::new(mac), &Magma::new(enc), &iv[..4], &secret, &mut want[..40]).unwrap();
    assert_eq!(out, want);

    for set in [ParamSet::Tc26Z, ParamSet::CryptoProA] {
        let sboxes = (set == ParamSet::CryptoProA).then(|| set.into());
        let params = WrapParams { key: mac, iv: &iv, sboxes };
        let [mut out, mut want] = [[0; 44]; 2];
        for (name, by) in [
            ("gost28147-keywrap", KeyWrap::Gost28147(set.into())),
            ("cryptopro-keywrap", KeyWrap::CryptoPro(set.into())),
        ] {
            algorithm(name).unwrap().wrap(&params, &secret, &mut out).unwrap();
            by.wrap(mac, &iv, &secret, &mut want).unwrap();
            assert_eq!(out, want, "{name}");
        }
    }
    let params = WrapParams { key: mac, iv: &[3; 12], sboxes: None };
    let [mut out, mut want] = [[0; 80]; 2];
    algorithm("gost28147-keywrap-12").unwrap().wrap(&params, &[9; 64], &mut out).unwrap();
    KeyWrap::Rfc7836.wrap(mac, &[3; 12], &[9; 64], &mut want).unwrap();
    assert_eq!(out, want);
}
