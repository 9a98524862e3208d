//! Traces of keys and texts: in an object after its drop nothing; on the stack, after the work,
//! no copy of a key or of a schedule. A spilled vector, shorter runs, and texts, are counted and printed:
//! see docs/ASSURANCE.md. A key in the forms that only kernels know (planes, images) is not looked for.

use std::collections::HashSet;

use bulat::ParamSet;
use bulat::kernel::{NAMES, available};
use bulat::modes::{CtrAcpkm, Mgm, StreamCipher};
use bulat::{BlockCipher, Direction, Gost28147, Kuznyechik, Streebog512};
use bulat_core::cipher::{Block, Chain, Chained as _, Count, Data, Lane};

use crate::pages::Pages;

/// Every `N` neighbours in these bytes.
fn runs<'a, const N: usize>(secrets: &[&'a [u8]]) -> HashSet<&'a [u8]> {
    secrets.iter().flat_map(|s| s.windows(N)).collect()
}

/// How many places of the memory have `N` neighbours of the secrets.
fn found<const N: usize>(memory: &[u8], secrets: &[&[u8]]) -> usize {
    let secrets = runs::<N>(secrets);
    memory.windows(N).filter(|w| secrets.contains(w)).count()
}

/// Bytes of which no 8 neighbours come twice, or are likely anywhere else.
pub fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1d ^ seed << 32;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn key() -> Box<[u8; 32]> {
    Box::new(key_of(1))
}

fn key_of(seed: u64) -> [u8; 32] {
    bytes(32, seed).try_into().expect("32 bytes")
}

/// The key, its words in the other order of bytes, Kuznyechik's round keys and L^-1 of them.
fn keys() -> Vec<Vec<u8>> {
    keys_of(&key())
}

pub fn keys_of(key: &[u8; 32]) -> Vec<Vec<u8>> {
    use reference::kuznyechik;
    let rounds = kuznyechik::Kuznyechik::new(key).expect("32 bytes").round_keys();
    let mut all = vec![key.to_vec()];
    all.push(key.chunks(4).flat_map(|w| w.iter().rev().copied()).collect());
    all.extend(rounds.iter().map(|k| k.to_vec()));
    all.extend(rounds.iter().map(|k| kuznyechik::l_inv(*k).to_vec()));
    all
}

/// The calls of a cipher with a text, a call at a time: the next would write over the traces of the last.
fn calls<C: BlockCipher>(cipher: &C, cnt: bool, look: &mut Look<'_>) {
    let count = if cnt { Count::Cnt } else { Count::Whole };
    let chain = if cnt { Chain::Imit } else { Chain::Mac };
    let zero = C::Block::ZERO;
    look("map", &mut |text| cipher.map(Direction::Encrypt, text.into()));
    look("map^-1", &mut |text| cipher.map(Direction::Decrypt, text.into()));
    look("stream", &mut |text| cipher.stream(&mut zero.clone(), count, text.into()));
    look("stream, right", &mut |text| {
        cipher.stream(&mut zero.clone(), Count::Right, text.into());
    });
    look("chain", &mut |text| cipher.chain(chain, &mut zero.clone(), Data::Read(text)));
    look("CBC", &mut |text| {
        cipher.chain(Chain::CbcEncrypt, &mut zero.clone(), Data::Through(text.into()));
    });
}

type Look<'a> = dyn FnMut(&str, &mut (dyn FnMut(&mut [u8]) + Send)) + 'a;

/// A round key fills 16 bytes of a vector, and which vectors the compiler spills is its own affair:
/// a key may stay, twice in a vector of 32. A copy of a schedule or of a key gives ten times as many places.
const SPILLED: usize = 4;

/// Kernels of every set on texts of one block, a few, and batches with a rest.
#[test]
fn stack() {
    let keys = keys();
    let keys: Vec<&[u8]> = keys.iter().map(|k| &k[..]).collect();
    let mut left = Vec::new();
    // As this processor has them, and the forms of others.
    let forms = [0, 1, 2].map(|n| (&"gfni512", Some(n)));
    let kernels = NAMES.iter().map(|k| (k, None)).chain(forms);
    for (kernel, forms) in kernels.filter(|(k, _)| available(k)) {
        bulat_core::kernel::assume_forms(forms);
        for len in [16, 80, 320, 656, 1120, 10_000] {
            let texts = bytes(len, 2);
            let mut text = texts.clone();
            let mut look = |what: &str, run: &mut (dyn FnMut(&mut [u8]) + Send)| {
                text.copy_from_slice(&texts);
                let stack = Pages::stack_after(|| run(&mut text));
                let (parts, of_text) = (found::<8>(&stack, &keys), found::<8>(&stack, &[&texts]));
                let whole = found::<16>(&stack, &keys);
                let line =
                    format!("{kernel} {what}, {len} bytes: {whole} times 16 bytes of the key");
                println!("{line}, {parts} times 8; {of_text} times 8 of the text");
                if whole > SPILLED {
                    left.push(line);
                }
            };
            if let Ok(cipher) = Kuznyechik::new(&key()).on(kernel) {
                calls(&cipher, false, &mut |what, run| look(&format!("kuznyechik {what}"), run));
                let mut sealer = Mgm::with(cipher.clone()).sealer(&[1; 16]).expect("length");
                let mut acpkm = CtrAcpkm::with(cipher.clone(), &[1; 8], 4096).expect("lengths");
                look("kuznyechik in CTR-ACPKM", &mut |text| {
                    acpkm.apply_keystream(text).expect("short")
                });
                look("kuznyechik in MGM", &mut |text| sealer.update(text).expect("short"));
            }
            if let Ok(cipher) = Gost28147::new(&key(), ParamSet::Tc26Z).on(kernel) {
                calls(&cipher, true, &mut |what, run| look(&format!("gost28147 {what}"), run));
                let mut acpkm = CtrAcpkm::with(cipher.clone(), &[1; 4], 1024).expect("lengths");
                look("gost28147 in CTR-ACPKM", &mut |text| {
                    acpkm.apply_keystream(text).expect("short")
                });
            }
            if let Ok(mut hash) = Streebog512::new().on(kernel) {
                look("streebog", &mut |text| {
                    hash.update(text);
                    hash.finalize_reset();
                });
            }
        }
    }
    bulat_core::kernel::assume_forms(None);
    assert!(left.is_empty(), "{left:#?}");
}

/// Schedules of one key, few and many, which all have this key.
#[test]
fn schedules() {
    let keys = keys();
    let keys: Vec<&[u8]> = keys.iter().map(|k| &k[..]).collect();
    for kernel in NAMES.iter().filter(|k| available(k)) {
        let Ok(cipher) = Kuznyechik::new(&[0; 32]).on(kernel) else { continue };
        for n in [1, 2, 7, 16, 64] {
            let some = vec![*key(); n];
            let stack = Pages::stack_after(|| drop(cipher.rekey_many(&some)));
            let (whole, parts) = (found::<16>(&stack, &keys), found::<8>(&stack, &keys));
            println!("{kernel} schedules of {n}: {whole} times 16 bytes, {parts} parts");
            assert!(whole <= SPILLED, "{whole}: {kernel}, {n} keys");
        }
    }
}

/// Chained streams side by side, a key in each.
#[test]
fn lanes() {
    let keys: Vec<_> = (0..64).map(|n| key_of(3 + n)).collect();
    let secrets: Vec<Vec<u8>> = keys.iter().flat_map(keys_of).collect();
    let secrets: Vec<&[u8]> = secrets.iter().map(|k| &k[..]).collect();
    for kernel in NAMES.iter().filter(|k| available(k)) {
        let Ok(cipher) = Kuznyechik::new(&[0; 32]).on(kernel) else { continue };
        let ciphers = cipher.rekey_many(&keys);
        for n in [2, 5, 16, 32, 64] {
            let (mut texts, mut states) = (bytes(32 * n, 2), vec![[0; 16]; n]);
            let stack = Pages::stack_after(|| {
                let lanes = ciphers.iter().zip(texts.chunks_mut(32)).zip(&mut states);
                let lane = |((cipher, text), state)| Lane {
                    schedule: Kuznyechik::schedule(cipher),
                    state,
                    data: Data::Through(<&mut [u8]>::into(text)),
                };
                cipher.lanes(Chain::CbcEncrypt, &mut lanes.map(lane).collect::<Vec<_>>());
            });
            let (whole, parts) = (found::<16>(&stack, &secrets), found::<8>(&stack, &secrets));
            println!("{kernel} lanes of {n} keys: {whole} times 16 bytes, {parts} parts");
            assert!(whole <= SPILLED, "{whole}: {kernel}, {n} lanes");
        }
    }
}

/// The control: a copy that is not wiped is found.
#[test]
fn copy() {
    let key = key();
    let stack = Pages::stack_after(|| {
        // Deep enough for the end of the thread not to write there.
        let mut memory = [0; 4096];
        memory[..32].copy_from_slice(&key[..]);
        std::hint::black_box(&mut memory);
    });
    assert!(found::<16>(&stack, &[&key[..]]) > 0);
}

/// Objects in memory of our own, dropped where they are. They are made on a stack that holds nothing,
/// since a move copies the bytes between an object's fields, too.
#[test]
fn objects() {
    fn dropped<T>(what: &str, make: impl FnOnce(&[u8; 32]) -> T + Send) {
        let (key, keys) = (key(), keys());
        let keys: Vec<&[u8]> = keys.iter().map(|k| &k[..]).collect();
        let mut pages = Pages::new(size_of::<T>());
        let mut before = 0;
        Pages::stack_after(|| {
            before = pages.with(make(&key), |memory| found::<8>(memory, &keys));
        });
        assert!(before > 0, "{what} has the key while it lives");
        let after = found::<8>(pages.bytes(size_of::<T>(), false), &keys);
        assert_eq!(after, 0, "{what} after the drop");
    }
    dropped("Kuznyechik", Kuznyechik::new);
    dropped("Gost28147", |key| Gost28147::new(key, ParamSet::Tc26Z));
    dropped("Mgm", bulat::KuznyechikMgm::new);
    dropped("Sealer", |key| Mgm::with(Kuznyechik::new(key)).sealer(&[1; 16]).expect("length"));
    dropped("Secret", |key| bulat::Secret::new(*key));
    dropped("Streebog", |key| {
        let mut hash = Streebog512::new();
        hash.update(key);
        hash
    });
}
