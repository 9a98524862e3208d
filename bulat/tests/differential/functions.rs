//! Key derivation, wraps and the like: random arguments of all lengths, library and reference as two
//! subjects of the vectors. Where one refuses, so must the other.

use bulat::kernel;
use vectors::{Answer, Cipher, Direction, Meshing, Refused, Sbox, Streebog, Subject, Suite, Wrap};

use crate::library::Library;
use crate::oracle::Reference;
use testkit::Random;

fn same(what: &str, kernel: &str, library: Answer, reference: Answer) {
    match (library, reference) {
        (Ok(library), Ok(reference)) => assert!(library == reference, "{what} on {kernel}"),
        (Err(Refused::Input(_)), Err(Refused::Input(_))) => {}
        (library, reference) => panic!("{what} on {kernel}: {library:?}, {reference:?}"),
    }
}

/// `same!(operation(arguments))`: both subjects, one operation.
macro_rules! same {
    ($library:expr, $operation:ident ( $($argument:expr),* $(,)? )) => {
        same(
            stringify!($operation),
            $library.kernel,
            $library.$operation($($argument),*),
            Reference.$operation($($argument),*),
        )
    };
}

#[test]
fn functions() {
    for kernel in kernel::NAMES.iter().filter(|kernel| kernel::available(kernel)) {
        let library = Library::on(kernel);
        let mut dice = Random::new(10);
        for round in 0..200 {
            derivation(&library, &mut dice, round);
            wraps(&library, &mut dice, round);
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

fn derivation(library: &Library, dice: &mut Random, round: u32) {
    let hash = [Streebog::S256, Streebog::S512][dice.below(2)];
    let [a, b, c, d] = [0; 4].map(|_| some(dice));
    let (key, label, seed) = (&dice.bytes(a), &dice.bytes(b), &dice.bytes(c));
    same!(library, kdf(key, label, seed));
    same!(library, kdf_tree(key, label, seed, round % 6, d));
    same!(library, prf_tls(hash, key, label, seed, d));
    same!(library, prf_plus(hash, key, seed, d));
    same!(library, hkdf_extract(hash, key, seed));
    same!(library, hkdf_expand(hash, key, label, d));
    same!(library, pbkdf2(hash, key, seed, round % 4, d));
    same!(library, hmac(hash, key, label));
    let (root, seqnum) = (&dice.bytes(32), dice.word() >> dice.below(64));
    for suite in Suite::ALL {
        same!(library, tlstree(suite, root, seqnum));
    }
    if round == 0 {
        // The longest outputs: 255 blocks of the counter of one byte, and one byte more.
        for len in [255 * 32, 255 * 32 + 1, 255 * 64, 255 * 64 + 1] {
            same!(library, kdf_tree(key, label, seed, 1, len));
            same!(library, prf_plus(hash, key, seed, len));
            same!(library, hkdf_expand(hash, key, label, len));
        }
    }
}

fn wraps(library: &Library, dice: &mut Random, round: u32) {
    let (key, other) = (&dice.bytes(32), &dice.bytes(32));
    let secret = some(dice);
    let secret = &dice.bytes(secret);
    for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
        let n = cipher.block();
        let iv = &dice.bytes(n / 2);
        same!(library, acpkm(cipher, key));
        // T* a multiple of the material of one section, as the standard asks.
        let period = (32 + n) * n / 8;
        let material = (32 + n) * dice.below(20);
        same!(library, acpkm_master(cipher, key, period, material));
        same!(library, kexp15(cipher, key, other, iv, secret));
        let exported = &Reference.kexp15(cipher, key, other, iv, secret).expect("valid");
        same!(library, kimp15(cipher, key, other, iv, exported));
        let ukm = &dice.bytes(n / 2 + 8);
        same!(library, cms_seal(cipher, key, ukm, 2 * n, secret));
        let sealed = &mut Reference.cms_seal(cipher, key, ukm, 2 * n, secret).expect("valid");
        same!(library, cms_open(cipher, key, ukm, 2 * n, sealed));
        let changed = dice.below(sealed.len());
        sealed[changed] ^= 1 << dice.below(8);
        same!(library, cms_open(cipher, key, ukm, 2 * n, sealed));
        let block = &dice.bytes(n);
        let direction = [Direction::Encrypt, Direction::Decrypt][dice.below(2)];
        same!(library, block(cipher, direction, key, block));
    }
    let sbox = Sbox::ALL[round as usize % 8];
    let (ukm, cek) = (&dice.bytes(8), &dice.bytes(32));
    for wrap in [Wrap::Gost28147, Wrap::CryptoPro] {
        same!(library, key_wrap(wrap, sbox, key, ukm, cek));
        let mut wrapped = Reference.key_wrap(wrap, sbox, key, ukm, cek).expect("valid");
        same!(library, key_unwrap(wrap, sbox, key, &wrapped));
        let changed = dice.below(wrapped.len());
        wrapped[changed] ^= 1 << dice.below(8);
        same!(library, key_unwrap(wrap, sbox, key, &wrapped));
    }
    let (seed, cek) = (6 + dice.below(12), [32, 64, 33][dice.below(3)]);
    let (seed, cek) = (&dice.bytes(seed), &dice.bytes(cek));
    same!(library, key_wrap(Wrap::Rfc7836, Sbox::Tc26Z, key, seed, cek));
    if let Ok(wrapped) = Reference.key_wrap(Wrap::Rfc7836, Sbox::Tc26Z, key, seed, cek) {
        same!(library, key_unwrap(Wrap::Rfc7836, Sbox::Tc26Z, key, &wrapped));
    }
    same!(library, cryptopro_diversify(sbox, key, ukm));
    same!(library, gost28147_mesh(sbox, key, ukm));
    same!(library, gost28147_sbox(sbox));
    for meshing in [Meshing::None, Meshing::CryptoPro] {
        // The usual IV of IMIT, and each length of tag.
        same!(library, gost28147_imit(sbox, meshing, key, &[0; 8], secret, 1 + secret.len() % 8));
    }
}
