//! Key derivation: KExp15 of RFC 9189, many at a time, and the objects: splits, clones, resets, refusals. `differential`
//! compares the functions with the reference, `vectors` has the known answers.

use bulat::kdf::*;
use bulat::modes::Mac;
use bulat::{Error, kernel};
use bulat_core::streebog;
use reference::kdf as model;
use reference::kdf::Hash::{Streebog256, Streebog512};
use testkit::hex;

/// Bytes without a pattern.
fn text(len: usize) -> Vec<u8> {
    testkit::Random::new(1).bytes(len)
}

/// The key 00 01 02 ... of RFC 7836, appendix B.
fn counting_key() -> Vec<u8> {
    (0..32).collect()
}

#[test]
fn hmac_truncated() {
    let mut hmac = HmacStreebog256::new(&counting_key()).truncated(4).unwrap();
    hmac.update(&hex("0126bdb87800af214341456563780100"));
    assert_eq!(hmac.tag_len(), 4);
    assert_eq!(hmac.clone().verify(&hex("a1aa5f")), Err(Error::TagLength));
    assert_eq!(hmac.verify(&hex("a1aa5f7d")), Ok(()));
}

#[test]
fn hmac_in_pieces_cloned_and_reset() {
    let message: Vec<u8> = (0..300u32).map(|i| (i * 7) as u8).collect();
    let mut hmac = HmacStreebog256::new(b"key");
    hmac.update(&message);
    let want = hmac.finalize_reset().unwrap();
    for cut in 0..=message.len() {
        hmac.update(b"what is forgotten");
        hmac.reset();
        hmac.update(&message[..cut]);
        let mut twin = hmac.clone();
        for half in [&mut hmac, &mut twin] {
            half.update(&message[cut..]);
            half.verify_reset(&want).unwrap();
        }
    }
}

#[test]
fn hmac_refuses_misuse() {
    let mut hmac = HmacStreebog512::new(b"key");
    assert_eq!(hmac.tag_len(), 64);
    assert_eq!(hmac.clone().verify(&[0; 63]), Err(Error::TagLength));
    assert_eq!(hmac.clone().verify(&[0; 64]), Err(Error::Verify));
    let tag = hmac.clone().finalize().unwrap();
    assert_eq!(tag.to_array::<32>().err(), Some(Error::TagLength));
    assert_eq!(tag.to_array::<64>().unwrap()[..], tag[..]);
    assert_eq!(hmac.reset_iv(&[0]), Err(Error::IvLength));
    assert_eq!(hmac.reset_iv(&[]), Ok(()));
    for len in [0, 33] {
        assert_eq!(HmacStreebog256::new(b"key").truncated(len).err(), Some(Error::TagLength));
    }
    assert_eq!(HmacStreebog256::new_on(b"key", "no such").err(), Some(Error::UnknownKernel));
}

/// Derives from up to 19 passwords at once, some of which need more blocks than others. Each result equals the result
/// of the password derived singly.
#[test]
fn pbkdf2_of_many() {
    fn check<const OUT: usize>() {
        for n in 0..20 {
            let words: Vec<Vec<u8>> = (0..n).map(|i| vec![i as u8; i * 7]).collect();
            let mut keys: Vec<Vec<u8>> = (0..n).map(|i| vec![0; 1 + i * 37 % 150]).collect();
            let mut all: Vec<_> = words
                .iter()
                .zip(&mut keys)
                .map(|(word, dk)| Candidate { password: word, salt: &word[..word.len() / 2], dk })
                .collect();
            pbkdf2_many::<OUT>(3, &mut all).unwrap();
            for (word, key) in words.iter().zip(&keys) {
                let mut alone = vec![0; key.len()];
                pbkdf2::<OUT>(word, &word[..word.len() / 2], 3, &mut alone).unwrap();
                assert_eq!(*key, alone, "{n} passwords");
            }
        }
    }
    check::<32>();
    check::<64>();
    let (mut right, mut empty) = ([1; 9], []);
    let mut all = [
        Candidate { password: b"a", salt: b"salt", dk: &mut right },
        Candidate { password: b"b", salt: b"salt", dk: &mut empty },
    ];
    assert_eq!(pbkdf2_many::<64>(1, &mut all), Err(Error::Parameter));
    assert_eq!(pbkdf2_many::<64>(0, &mut all[..1]), Err(Error::Parameter));
    assert_eq!(right, [1; 9]);
}

#[test]
fn pbkdf2_refuses() {
    assert_eq!(pbkdf2::<64>(b"password", b"salt", 0, &mut [0; 64]), Err(Error::Parameter));
    assert_eq!(pbkdf2::<64>(b"password", b"salt", 1, &mut []), Err(Error::Parameter));
}

#[test]
fn kdf_tree_refuses() {
    let longest = 32 * 255; // the most bytes that a counter of one byte can count
    let mut out = vec![0; longest + 1];
    assert_eq!(kdf_tree(b"", b"", b"", 0, &mut out), Err(Error::Parameter));
    assert_eq!(kdf_tree(b"", b"", b"", 5, &mut out), Err(Error::Parameter));
    assert_eq!(kdf_tree(b"", b"", b"", 1, &mut []), Err(Error::Parameter));
    assert_eq!(kdf_tree(b"", b"", b"", 1, &mut out), Err(Error::Parameter));
    assert_eq!(kdf_tree(b"", b"", b"", 1, &mut out[..longest]), Ok(()));
    assert_eq!(kdf_tree(b"", b"", b"", 2, &mut out), Ok(()));
}

#[test]
fn prf_plus_and_hkdf_refuse_a_257th_block() {
    let mut out = [0; 255 * 32 + 1];
    assert_eq!(prf_plus::<32>(b"", b"", &mut out), Err(Error::Parameter));
    assert_eq!(hkdf_expand::<32>(b"", b"", &mut out), Err(Error::Parameter));
    assert_eq!(prf_plus::<32>(b"", b"", &mut out[1..]), Ok(()));
}

#[test]
fn tlstree_is_the_reference_in_any_order() {
    let root = [0x5a; 32];
    for (suite, masks) in [
        ("KUZNYECHIK_CTR_OMAC", TlsMasks::KUZNYECHIK_CTR_OMAC),
        ("MAGMA_CTR_OMAC", TlsMasks::MAGMA_CTR_OMAC),
        ("KUZNYECHIK_MGM_L", TlsMasks::KUZNYECHIK_MGM_L),
        ("MAGMA_MGM_L", TlsMasks::MAGMA_MGM_L),
        ("KUZNYECHIK_MGM_S", TlsMasks::KUZNYECHIK_MGM_S),
        ("MAGMA_MGM_S", TlsMasks::MAGMA_MGM_S),
    ] {
        let own = reference::tlstree::masks(&format!("TLS_GOSTR341112_256_WITH_{suite}"));
        assert_eq!(own, Some(masks.0));
        let mut tree = TlsTree::new(&root, masks);
        // Around the lowest bit of each mask, where a level's key changes, and back.
        let steps = masks.0.map(|mask| mask & mask.wrapping_neg());
        for i in steps.into_iter().flat_map(|step| [step - 1, step, step + 1, 0, !0, !0 - step]) {
            let want = reference::tlstree::tlstree(&root, i, masks.0).unwrap();
            assert_eq!(tree.key(i)[..], want, "{suite} {i:x}");
            assert_eq!(tree.clone().key(i)[..], want);
        }
    }
}

/// RFC 9189, appendix A.1.3.1 and A.1.3.2: the premaster secret exported under keys made by KDF_TREE.
mod kexp15_rfc9189 {
    use super::*;
    use bulat::{BlockCipher, Kuznyechik, Magma};

    const PMS: &str = "a5576ce7924a24f58113808dbd9ef856f5bdc3b183ce5dadca36a53aa077651d";

    fn check<C: BlockCipher>(mac: C, enc: C, iv: &str, want: &str) {
        let (iv, pms, want) = (hex(iv), hex(PMS), hex(want));
        let mut exported = vec![0; want.len()];
        kexp15(&mac, &enc, &iv, &pms, &mut exported).unwrap();
        assert_eq!(exported, want);
        let mut imported = vec![0; pms.len()];
        kimp15(&mac, &enc, &iv, &exported, &mut imported).unwrap();
        assert_eq!(imported, pms);
        // Any byte changed, the keys exchanged, a different IV: nothing comes out.
        let mut nothing = vec![0; pms.len()];
        for i in 0..exported.len() {
            exported[i] ^= 1 << (i % 8);
            let import = kimp15(&mac, &enc, &iv, &exported, &mut nothing);
            assert_eq!(import, Err(Error::Verify), "byte {i}");
            exported[i] ^= 1 << (i % 8);
        }
        assert_eq!(kimp15(&enc, &mac, &iv, &exported, &mut nothing), Err(Error::Verify));
        let other = vec![0; iv.len()];
        assert_eq!(kimp15(&mac, &enc, &other, &exported, &mut nothing), Err(Error::Verify));
        assert!(nothing.iter().all(|byte| *byte == 0));
        // Lengths.
        let mut long = vec![0; want.len() + 1];
        assert_eq!(kexp15(&mac, &enc, &iv, &pms, &mut long), Err(Error::BufferLength));
        assert_eq!(kexp15(&mac, &enc, &iv[1..], &pms, &mut long), Err(Error::IvLength));
        assert_eq!(kimp15(&mac, &enc, &iv, &[0; 7], &mut nothing), Err(Error::DataLength));
        assert_eq!(kimp15(&mac, &enc, &iv, &exported[1..], &mut nothing), Err(Error::BufferLength));
        assert_eq!(kimp15(&mac, &enc, &[], &exported, &mut nothing), Err(Error::IvLength));
    }

    #[test]
    fn magma() {
        let root = hex("1e585490e865ffd18f18d7c0a04d0ee84f1a5d797cefada01b1e3b7fdb90e029");
        let mut keys = [0; 64];
        kdf_tree(&root, b"kdf tree", &hex("a583aeefdb67c7f4"), 1, &mut keys).unwrap();
        let want = hex("2d8ba8c84cb232ff41f10c3ad924134223254f71e5696d3d29c3e4c9daa6b293
                        849eb6340bffae6928a3c3e4ff92eccb1e8f0cf7a188368e6b748e52ea378b0c");
        assert_eq!(keys[..], want);
        check(
            Magma::new(keys[..32].try_into().unwrap()),
            Magma::new(keys[32..].try_into().unwrap()),
            "214a6a29",
            "d7f0f0422367867b25fa4233a954f58bde92e9c9bbfb8816c99f15e6398722a0b2b7bfe8493e9a5c",
        );
    }

    #[test]
    fn kuznyechik() {
        let keys = hex("7dac56e48a4dc170faa8fcbae20db845450cccc4c6328bdc8d01157cefa2a5f1
                        1f1cbad8866166f01ffaab0152e24bf4609d5f46a5c899c787900d08b9fcad24");
        check(
            Kuznyechik::new(keys[..32].try_into().unwrap()),
            Kuznyechik::new(keys[32..].try_into().unwrap()),
            "214a6a298e99e325",
            "250d1b67a270ab04d3f65418e1d380b4cb945f0a3dca51500cf3a1bef37f76c0
             7341a9839ccf6cba7189da61eb67176c",
        );
    }
}

/// HMAC tags and derived keys are the same if computed many at a time or singly, for any lengths.
#[test]
fn many_are_each_alone() {
    fn tags<const OUT: usize>(hash: model::Hash) {
        for count in (0..=18).chain([64, 65]) {
            for uneven in [false, true] {
                let len = |i: usize, n: usize| if uneven { i * 29 % n } else { n / 3 };
                let keys: Vec<_> = (0..count).map(|i| text(len(i, 70))).collect();
                let messages: Vec<_> = (0..count).map(|i| text(len(i, 200) + i % 2)).collect();
                let k: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
                let m: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
                let mut made = vec![[0; OUT]; count];
                Hmac::<bulat::Streebog<OUT>>::tag_many(&k, &m, &mut made).unwrap();
                for i in 0..count {
                    assert_eq!(made[i][..], model::hmac(hash, k[i], m[i]), "{i} of {count}");
                }
            }
        }
        let (none, mut one): (&[u8], _) = (&[], [[0; OUT]]);
        assert_eq!(
            Hmac::<bulat::Streebog<OUT>>::tag_many(&[none], &[], &mut one),
            Err(Error::BufferLength)
        );
        assert_eq!(
            Hmac::<bulat::Streebog<OUT>>::tag_many(&[none], &[none], &mut []),
            Err(Error::BufferLength)
        );
    }
    let kernels = streebog::KERNELS.iter().map(|k| k.name).filter(|name| kernel::available(name));
    for kernel in kernels {
        kernel::force(Some(kernel)).unwrap();
        tags::<32>(Streebog256);
        tags::<64>(Streebog512);
        for count in (0..=18).chain([64, 65]) {
            let keys: Vec<_> = (0..count).map(|i| text(32 + i % 2 * 40)).collect();
            // Sometimes longer than a block.
            let seeds: Vec<_> =
                (0..count).map(|i| text(if i == 17 { 80 } else { i % 9 })).collect();
            let mut made = vec![[0; 32]; count];
            let mut all: Vec<_> = (keys.iter().zip(&seeds).zip(&mut made))
                .map(|((key, seed), out)| Derivation { key, label: b"level2", seed, out })
                .collect();
            kdf_256_many(&mut all);
            for ((key, seed), made) in keys.iter().zip(&seeds).zip(&made) {
                let want = model::kdf_tree(key, b"level2", seed, 1, 32).unwrap();
                assert!(made[..] == want && *made == *kdf_256(key, b"level2", seed), "{kernel}");
            }
        }
        for (len, seed) in [(1, 0), (64, 8), (256, 30), (300, 30), (700, 8), (200, 90)] {
            let (key, seed, mut out) = (text(32), text(seed), vec![0; len]);
            kdf_tree(&key, b"label", &seed, 2, &mut out).unwrap();
            let want = model::kdf_tree(&key, b"label", &seed, 2, len).unwrap();
            assert_eq!(out, want, "{kernel}: {len} bytes");
        }
    }
    kernel::force(None).unwrap();
}
