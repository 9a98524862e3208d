//! VeraCrypt's ciphers, cascades and functions of the password.

mod common;

use bulat_block::veracrypt::{self, ALGORITHMS, Algorithm, Place, Prf};
use bulat_block::{Block, Cipher, Hash, Layout, Store, Volume};
use common::*;

fn key(password: &[u8], hash: Prf, cipher: Option<Algorithm>) -> veracrypt::Key {
    let mut key = common::key(password, &[], Hash::Sha512);
    (key.hash, key.cipher) = (Some(hash), cipher);
    key
}

const SHA512: Prf = Prf::Pbkdf2(Hash::Sha512);

/// One sector of 512 bytes, 0 to 255 twice, with the number 5, under XTS of libgcrypt 1.10.1 with the key of the bytes 0
/// to 63: the first 16 bytes, and the first 16 of the ciphertext's SHA-256.
#[test]
fn ciphers_of_other_libraries() {
    for (block, first, digest) in [
        (
            Block::Aes,
            0xf87c_a2f2_9b11_7c1b_024a_6ec8_e8c5_994e,
            0xe42d_fc0c_dfba_4b21_67b7_6646_9597_38ed,
        ),
        (
            Block::Serpent,
            0x45d4_fa81_2825_f155_1d2d_5c93_179e_9b8a,
            0x440b_59fc_587b_3955_211f_ed55_90c0_c408,
        ),
        (
            Block::Twofish,
            0xf724_7473_94c4_129f_fb7c_ea83_419d_a279,
            0x11b4_fc4a_9695_bde8_1449_b654_2018_348e,
        ),
        (
            Block::Camellia,
            0xb275_164b_e0e8_a18c_21b1_27e9_058f_385e,
            0xfb0a_d7ea_99da_9e80_51e5_15a4_c545_4c80_u128,
        ),
    ] {
        let keys: Vec<u8> = (0..64).collect();
        let store = zeros(512);
        let layout = Layout { offset: 0, len: 512, sector: 512, first: 5, step: 1 };
        let cipher = Cipher::cascade(&[block], &keys).unwrap();
        assert_eq!(cipher.warning().is_none(), matches!(block, Block::Aes | Block::Serpent));
        let volume = Volume::with(store.clone(), layout, cipher, true).unwrap();
        let text: Vec<u8> = (0..512).map(|n| n as u8).collect();
        volume.write_at(&text, 0).unwrap();
        let bytes = store.bytes();
        assert_eq!(bytes[..16], u128::to_be_bytes(first), "{block:?}");
        assert_eq!(Hash::Sha256.digest(&[&bytes])[..16], u128::to_be_bytes(digest), "{block:?}");
        assert_eq!(part(&volume, 0, 512), text);
    }
}

/// A cascade is its ciphers one after another, with the keys in the order of encryption.
#[test]
fn a_cascade_is_its_ciphers() {
    let keys: Vec<u8> = (0..192).map(|n| (n * 7) as u8).collect();
    let text: Vec<u8> = (0..4096).map(|n| (n / 3) as u8).collect();
    let layout = Layout { offset: 0, len: 4096, sector: 512, first: 256, step: 1 };
    let pass = |blocks: &[Block], keys: &[u8], text: &[u8]| {
        let store = zeros(4096);
        let cipher = Cipher::cascade(blocks, keys).unwrap();
        let volume = Volume::with(store.clone(), layout.clone(), cipher, true).unwrap();
        volume.write_at(text, 0).unwrap();
        assert!(part(&volume, 0, 4096) == text);
        store.bytes()
    };
    for algorithm in ALGORITHMS {
        let n = algorithm.blocks.len();
        let (data, tweak) = keys[..64 * n].split_at(32 * n);
        let pairs = data.chunks(32).zip(tweak.chunks(32)).map(|(a, b)| [a, b].concat());
        let one_by_one = algorithm
            .blocks
            .iter()
            .zip(pairs)
            .fold(text.clone(), |text, (block, keys)| pass(&[*block], &keys, &text));
        assert!(pass(algorithm.blocks, &keys[..64 * n], &text) == one_by_one, "{}", algorithm.name);
    }
    assert!(Cipher::cascade(&[], &[]).is_err());
    assert!(Cipher::cascade(&[Block::Aes], &keys[..32]).is_err());
}

#[test]
fn names() {
    for algorithm in ALGORITHMS {
        let names: Vec<&str> = algorithm.blocks.iter().map(|block| block.name()).collect();
        // VeraCrypt names the last cipher first, cryptsetup the first.
        assert_eq!(algorithm.name.split('-').rev().collect::<Vec<_>>(), names);
        if !ALGORITHMS.iter().any(|other| other.name == names.join("-")) {
            assert_eq!(Algorithm::parse(&names.join("-")).unwrap(), algorithm);
        }
        assert_eq!(Algorithm::parse(&algorithm.name.to_ascii_uppercase()).unwrap(), algorithm);
    }
    for wrong in ["", "kuznyechik-", "kuznyechik-xts-plain64", "magma", "aes-kuznyechik-aes"] {
        let said = fails!(Unsupported, Algorithm::parse(wrong));
        assert!(said.contains("kuznyechik-serpent-camellia"), "{said}");
    }
    for prf in Prf::ALL {
        assert_eq!(Prf::parse(prf.name()).unwrap(), prf);
    }
    assert_eq!(Prf::parse("streebog512").unwrap(), Prf::Pbkdf2(Hash::Streebog512));
    assert_eq!(Prf::parse("blake2s").unwrap(), Prf::Pbkdf2(Hash::Blake2s256));
    for wrong in ["stribog256", "ripemd160", "argon2i"] {
        assert!(fails!(Unsupported, Prf::parse(wrong)).contains("argon2id"));
    }
}

/// A volume of each cipher and each function: made, found without its names, written, its password changed.
#[test]
fn every_cipher_and_every_function() {
    let ciphers = ALGORITHMS.map(|cipher| (cipher, SHA512));
    let functions = Prf::ALL.map(|prf| (ALGORITHMS[6], prf));
    for (cipher, prf) in ciphers.into_iter().chain(functions) {
        let store = zeros(512 << 10);
        veracrypt::create(&*store, &key(b"old", prf, Some(cipher)), None).unwrap();
        let (old, new) = (key(b"old", prf, None), key(b"new", prf, None));
        let read =
            |key: &veracrypt::Key, places: &[Place]| veracrypt::Header::read(&*store, key, places);
        let header = read(&old, &[Place::Volume]).unwrap();
        assert_eq!((header.cipher, header.hash), (cipher, prf));
        let volume = header.open(store.clone(), true).unwrap();
        volume.write_at(&[7; 3000], 1000).unwrap();
        header.write(&*store, &new).unwrap();
        fails!(WrongKey, read(&old, &[Place::Volume]));
        let changed = read(&new, &[Place::Backup]).unwrap();
        assert!(changed.is_same_volume(&header));
        let volume = changed.open(store.clone(), false).unwrap();
        assert_eq!(part(&volume, 1000, 3000), [7; 3000]);
        // Another cipher does not open it.
        let other = key(b"new", prf, Some(ALGORITHMS[usize::from(cipher == ALGORITHMS[0])]));
        if prf == SHA512 {
            fails!(WrongKey, read(&other, &[Place::Volume]), cipher.name);
        }
    }
}

/// A header with noise in one of its parts is told from a wrong password, unless that part is the sign itself with all
/// of the rest.
#[test]
fn damage_is_told_from_a_wrong_password() {
    let store = &*zeros(512 << 10);
    let key = key(b"password", SHA512, Some(ALGORITHMS[0]));
    veracrypt::create(store, &key, None).unwrap();
    let whole = store.bytes();
    for at in (64..512).step_by(16) {
        store.write_at(&[whole[at] ^ 1], at as u64).unwrap();
        fails!(Damaged, veracrypt::Header::read(store, &key, &[Place::Volume]), at);
        // The backup opens.
        assert!(veracrypt::Header::read(store, &key, &[Place::Volume, Place::Backup]).is_ok());
        store.write_at(&whole[..512], 0).unwrap();
    }
    // In the salt it is another key.
    store.write_at(&[whole[3] ^ 1], 3).unwrap();
    fails!(WrongKey, veracrypt::Header::read(store, &key, &[Place::Volume]));
}
