//! Key derivation, wraps and the like: random arguments of all lengths, library and reference as two
//! subjects of the vectors. If either refuses, so must the other.

use bulat::kernel;
use testkit::Random;
use vectors::{Call, Cipher, Meshing, Op, Refused, Sbox, Streebog, Subject, Suite};

use crate::forced::Forced;
use crate::library::Library;
use crate::oracle::Reference;

/// Both subjects answer alike.
fn same(kernel: &str, call: &Call) {
    let about = || format!("{:?} {} on {}", call.op, call.algorithm, kernel);
    match (Library.run(call), Reference.run(call)) {
        (Ok(library), Ok(reference)) => assert!(library == reference, "{}", about()),
        (Err(Refused::Input(_)), Err(Refused::Input(_))) => {}
        (library, reference) => panic!("{}: {library:?}, {reference:?}", about()),
    }
}

#[test]
fn functions() {
    for kernel in kernel::NAMES.iter().filter(|kernel| kernel::available(kernel)) {
        let _forced = Forced::on(Some(kernel));
        let mut dice = Random::new(10);
        for round in 0..200 {
            derivation(kernel, &mut dice, round);
            over_ciphers(kernel, &mut dice);
            over_gost28147(kernel, &mut dice, round);
        }
    }
}

/// A length around the blocks of hash and cipher.
fn some(dice: &mut Random) -> usize {
    match dice.below(3) {
        0 => dice.below(5),
        1 => [31, 32, 33, 63, 64, 65, 127, 128, 129][dice.below(9)],
        _ => dice.below(200),
    }
}

fn derivation(kernel: &str, dice: &mut Random, round: usize) {
    let bits = [Streebog::S256, Streebog::S512][dice.below(2)].bits();
    let [a, b, c, len] = [0; 4].map(|_| some(dice));
    let (key, label, seed) = (&dice.bytes(a), &dice.bytes(b), &dice.bytes(c));
    let call = |name: String| Call { key, ..Call::new(Op::Derive, name) };
    let len = Some(len);
    let kdf = Call { label, seed, ..call("kdf-gostr3411-2012-256".into()) };
    let tree = Call { label, seed, len, counter: Some(round % 6), ..call("kdf-tree".into()) };
    let prf_tls = Call { label, seed, len, ..call(format!("prf-tls-gostr3411-2012-{bits}")) };
    let prf_plus = Call { seed, len, ..call(format!("prf-plus-streebog{bits}")) };
    let extract = Call { salt: seed, ..call(format!("hkdf-extract-streebog{bits}")) };
    let expand = Call { seed: label, len, ..call(format!("hkdf-expand-streebog{bits}")) };
    let hkdf = Call { salt: label, seed, len, ..call(format!("hkdf-streebog{bits}")) };
    let times = Some(round as u64 % 4);
    let pbkdf2 = Call { salt: seed, times, len, ..call(format!("pbkdf2-hmac-streebog{bits}")) };
    let hmac = Call { op: Op::Mac, data: label, ..call(format!("hmac-streebog{bits}")) };
    for call in [&kdf, &tree, &prf_tls, &prf_plus, &extract, &expand, &hkdf, &pbkdf2, &hmac] {
        same(kernel, call);
    }
    let (root, record) = (&dice.bytes(32), dice.word() >> dice.below(64));
    for suite in Suite::ALL {
        let (suite, record) = (Some(suite), Some(record));
        same(kernel, &Call { key: root, suite, record, ..call("tlstree".into()) });
    }
    if round == 0 {
        // The longest outputs: 255 blocks of the counter of one byte, and one byte more.
        for len in [255 * 32, 255 * 32 + 1, 255 * 64, 255 * 64 + 1].map(Some) {
            same(kernel, &Call { len, counter: Some(1), ..tree.clone() });
            same(kernel, &Call { len, ..prf_plus.clone() });
            same(kernel, &Call { len, ..expand.clone() });
        }
        // L of two bytes, then of three.
        for len in [8191, 8192].map(Some) {
            same(kernel, &Call { len, counter: Some(2), ..tree.clone() });
        }
    }
}

/// A secret is wrapped or sealed, then unwrapped or opened, and so is a changed secret.
fn there_and_back(kernel: &str, there: &Call, back: Op, dice: &mut Random) {
    same(kernel, there);
    let Ok(mut made) = Reference.run(there) else { return };
    let iv = if there.algorithm.contains("keywrap") { &[] } else { there.iv };
    for _ in 0..2 {
        let at = if back == Op::Open { there.data.len() } else { made.len() };
        let (data, tag) = made.split_at(at);
        same(kernel, &Call { op: back, iv, data, tag, ..there.clone() });
        let changed = dice.below(made.len());
        made[changed] ^= 1 << dice.below(8);
    }
}

fn over_ciphers(kernel: &str, dice: &mut Random) {
    let (keys, secret) = (dice.bytes(64), some(dice));
    let (key, data) = (&keys[..32], &dice.bytes(secret)[..]);
    for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
        let n = cipher.block();
        let (iv, ukm) = (&dice.bytes(n / 2), &dice.bytes(n / 2 + 8));
        same(kernel, &Call { key, ..Call::of(Op::Derive, cipher, "acpkm") });
        // T* a multiple of the material of a section, as the standard asks.
        let (period, len) = (Some((32 + n) * n / 8), Some((32 + n) * dice.below(20)));
        let master = Call::of(Op::Derive, cipher, "acpkm-master");
        same(kernel, &Call { key, period, len, ..master });
        let kexp15 = Call { key: &keys, iv, data, ..Call::of(Op::Wrap, cipher, "kexp15") };
        there_and_back(kernel, &kexp15, Op::Unwrap, dice);
        let cms = Call::of(Op::Seal, cipher, "ctr-acpkm-omac");
        let cms = Call { key, iv: ukm, section: Some(2 * n), data, ..cms };
        there_and_back(kernel, &cms, Op::Open, dice);
        let op = [Op::Encrypt, Op::Decrypt][dice.below(2)];
        same(kernel, &Call { key, data: &dice.bytes(n), ..Call::of(op, cipher, "") });
    }
}

fn over_gost28147(kernel: &str, dice: &mut Random, round: usize) {
    let (key, ukm, cek) = (&dice.bytes(32), &dice.bytes(8), &dice.bytes(32));
    let sbox = Some(Sbox::ALL[round % 8]);
    let call = |op, name| Call { sbox, key, iv: ukm, ..Call::new(op, name) };
    for name in ["gost28147-keywrap", "cryptopro-keywrap"] {
        let wrap = Call { data: cek, ..call(Op::Wrap, name) };
        there_and_back(kernel, &wrap, Op::Unwrap, dice);
    }
    let (seed, cek) = (6 + dice.below(12), [32, 64, 33][dice.below(3)]);
    let (iv, data) = (&dice.bytes(seed)[..], &dice.bytes(cek)[..]);
    let wrap = Call { sbox: None, iv, data, ..call(Op::Wrap, "gost28147-keywrap-12") };
    there_and_back(kernel, &wrap, Op::Unwrap, dice);
    same(kernel, &call(Op::Derive, "cryptopro-diversify"));
    same(kernel, &call(Op::Part, "gost28147-mesh"));
    same(kernel, &call(Op::Part, "gost28147-sbox"));
    let secret = some(dice);
    let data = &dice.bytes(secret)[..];
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        // The usual IV of IMIT, and each length of tag.
        let (meshing, tag_len) = (Some(meshing), Some(1 + secret % 8));
        let imit = Call { iv: &[0; 8], data, ..call(Op::Mac, "gost-mac") };
        same(kernel, &Call { meshing, tag_len, ..imit });
    }
}
