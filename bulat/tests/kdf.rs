//! Key derivation: known answers of RFC 7836, R 50.1.111-2016, RFC 9189 and RFC 9367, the functions
//! against the reference, and the objects: splits, clones, resets, refusals.

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

const LABEL: &str = "26bdb878";
const SEED: &str = "af21434145656378";

#[test]
fn hmac_rfc7836() {
    let message = hex("0126bdb87800af214341456563780100");
    let mut hmac = HmacStreebog256::new(&counting_key());
    hmac.update(&message);
    let tag = hmac.finalize().unwrap();
    let want = hex("a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9");
    assert_eq!(tag[..], want);
    let mut hmac = HmacStreebog512::new(&counting_key());
    hmac.update(&message);
    let tag = hmac.finalize().unwrap();
    let want = hex("a59bab22ecae19c65fbde6e5f4e9f5d8549d31f037f9df9b905500e171923a77
                    3d5f1530f2ed7e964cb2eedc29e9ad2f3afe93b2814f79f5000ffc0366c251e6");
    assert_eq!(tag[..], want);
}

#[test]
fn hmac_is_the_reference_for_keys_of_every_length() {
    for len in [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000] {
        let (key, message) = (text(len), text(len / 2 + 7));
        let mut hmac = HmacStreebog256::new(&key);
        hmac.update(&message);
        assert_eq!(hmac.verify(&model::hmac(Streebog256, &key, &message)), Ok(()), "{len}");
        let mut hmac = HmacStreebog512::new(&key);
        hmac.update(&message);
        assert_eq!(hmac.verify(&model::hmac(Streebog512, &key, &message)), Ok(()), "{len}");
    }
}

/// Every function of `OUT` bytes a step, over lengths on both sides of a step.
fn functions_are_the_reference<const OUT: usize>(hash: model::Hash) {
    let (key, label, seed) = (text(45), text(13), text(29));
    for len in [1, OUT - 1, OUT, OUT + 1, 2 * OUT, 3 * OUT + 5] {
        let mut out = vec![0; len];
        pbkdf2::<OUT>(&key, &seed, 3, &mut out).unwrap();
        assert_eq!(out, model::pbkdf2(hash, &key, &seed, 3, len).unwrap(), "pbkdf2 {len}");
        prf_tls::<OUT>(&key, &label, &seed, &mut out);
        assert_eq!(out, model::prf_tls(hash, &key, &label, &seed, len), "prf_tls {len}");
        prf_plus::<OUT>(&key, &seed, &mut out).unwrap();
        assert_eq!(out, model::prf_plus(hash, &key, &seed, len).unwrap(), "prf_plus {len}");
        hkdf_expand::<OUT>(&key, &seed, &mut out).unwrap();
        assert_eq!(out, model::hkdf_expand(hash, &key, &seed, len).unwrap(), "hkdf {len}");
    }
    assert_eq!(hkdf_extract::<OUT>(&key, &seed)[..], model::hkdf_extract(hash, &key, &seed));
}

#[test]
fn functions_are_the_reference_256() {
    functions_are_the_reference::<32>(Streebog256);
}

#[test]
fn functions_are_the_reference_512() {
    functions_are_the_reference::<64>(Streebog512);
}

#[test]
fn kdf_tree_is_the_reference() {
    let (key, label, seed) = (text(32), text(9), text(17));
    let check = |r: usize, len: usize| {
        let mut out = vec![0; len];
        let got = kdf_tree(&key, &label, &seed, r, &mut out).map(|()| out);
        let want = model::kdf_tree(&key, &label, &seed, r, len);
        assert_eq!(got.ok(), want.ok(), "r = {r}, {len} bytes");
    };
    for r in 0..=5 {
        // L of one byte, then of two.
        [0, 1, 31, 32, 33, 100].into_iter().for_each(|len| check(r, len));
    }
    check(2, 8191); // the longest L of two bytes
    check(2, 8192);
    check(1, 8160); // the longest output that r = 1 allows
    check(1, 8161);
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

#[test]
fn pbkdf2_on_every_kernel() {
    use bulat_core::kernel::Kernel;
    let want = "5a585bafdfbb6e8830d6d68aa3b43ac00d2e4aebce01c9b31c2caed56f0236d4
                d34b2b8fbd2c4e89d54d46f50e47d45bbac301571743119e8d3c42ba66d348de";
    for k in streebog::KERNELS.iter().filter(|k| k.available()) {
        let prf = HmacStreebog512::new_on(b"password", k.name()).unwrap();
        let mut dk = [0; 64];
        pbkdf2_with(&prf, b"salt", 2, &mut dk).unwrap();
        assert_eq!(dk[..], hex(want), "{}", k.name());
    }
}

#[test]
fn pbkdf2_r50_1_111() {
    let answers: [(&[u8], &[u8], u32, &str); 4] = [
        (
            b"password",
            b"salt",
            1,
            "64770af7f748c3b1c9ac831dbcfd85c26111b30a8a657ddc3056b80ca73e040d
             2854fd36811f6d825cc4ab66ec0a68a490a9e5cf5156b3a2b7eecddbf9a16b47",
        ),
        (
            b"password",
            b"salt",
            4096,
            "e52deb9a2d2aaff4e2ac9d47a41f34c20376591c67807f0477e32549dc341bc7
             867c09841b6d58e29d0347c996301d55df0d34e47cf68f4e3c2cdaf1d9ab86c3",
        ),
        (
            b"pass\0word",
            b"sa\0lt",
            4096,
            "50df062885b69801a3c10248eb0a27ab6e522ffeb20c991c660f001475d73a4e
             167f782c18e97e92976d9c1d970831ea78ccb879f67068cdac1910740844e830",
        ),
        (
            b"passwordPASSWORDpassword",
            b"saltSALTsaltSALTsaltSALTsaltSALTsalt",
            4096,
            "b2d8f1245fc4d29274802057e4b54e0a0753aa22fc53760b301cf008679e58fe
             4bee9addcae99ba2b0b20f431a9c5e50f395c89387d0945aedeca6eb4015dfc2
             bd2421ee9bb71183ba882ceebfef259f33f9e27dc6178cb89dc37428cf9cc52a
             2baa2d3a",
        ),
    ];
    for (password, salt, iterations, want) in answers {
        let want = hex(want);
        let mut dk = vec![0; want.len()];
        pbkdf2::<64>(password, salt, iterations, &mut dk).unwrap();
        assert_eq!(dk, want);
    }
}

#[test]
fn pbkdf2_256() {
    // Confirmed by five independent implementations.
    let mut dk = [0; 32];
    pbkdf2::<32>(&hex("658e1c1fd6b4cc19"), &hex("ad2b062f877c4616"), 1, &mut dk).unwrap();
    let want = hex("5e70a69d1cf113f4be871f99f7388e3ce46d700c1e85a5805dae9ba0162cf0dd");
    assert_eq!(dk[..], want);
}

/// Derives from up to 19 passwords at once, some of which need more blocks than others. Each result equals that of the
/// password derived singly.
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
fn kdf_and_tree_rfc7836() {
    let (key, label, seed) = (counting_key(), hex(LABEL), hex(SEED));
    let want = hex("a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9");
    assert_eq!(kdf_256(&key, &label, &seed)[..], want);
    let mut one = [0; 32];
    kdf_tree(&key, &label, &seed, 1, &mut one).unwrap();
    assert_eq!(one[..], want, "the tree with r = 1 and 256 bits is the KDF");
    let mut two = [0; 64];
    kdf_tree(&key, &label, &seed, 1, &mut two).unwrap();
    let want = hex("22b6837845c6bef65ea71672b265831086d3c76aebe6dae91cad51d83f79d16b
                    074c9330599d7f8d712fca54392f4ddde93751206b3584c8f43f9e6dc51531f9");
    assert_eq!(two[..], want);
}

#[test]
fn kdf_tree_of_one_octet() {
    // L = 8 bits is encoded in one byte, so the output is not a prefix of a longer one.
    let mut out = [0];
    kdf_tree(
        &hex("d2de4db7a936d850a7e65f6798ece7732cc2b1778ad8663e0c5026519e0a009f"),
        &hex("10113d62658dc8a2e5e87487fa"),
        &hex("d5c6b0d2096d4d7a550b18c5ab8920c4dab0e9ddab013b"),
        1,
        &mut out,
    )
    .unwrap();
    assert_eq!(out, [0x43]);
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
fn prf_tls_rfc7836() {
    let (key, label) = (counting_key(), hex("1122334455"));
    let seed = hex("18471d622dc655c4d2d2269691ca4a560b50aba663553af241f1ada882c9f29a");
    let mut out = [0; 64];
    prf_tls::<32>(&key, &label, &seed, &mut out);
    let want = hex("ff09664a44745865944f839ebb48965f1544ff1cc8e8f16f247ee5f8a9ebe97f
                    c4e3c7900e46cad3db6a01643063040ec67fc0fd5cd9f90465235237bdff2c02");
    assert_eq!(out[..], want);
    let mut out = [0; 128];
    prf_tls::<64>(&key, &label, &seed, &mut out);
    let want = hex("f35187a3dc9655113a0e84d06fd7526c5fc1fbdec1a0e4673dd6d79d0b920e65
                    ad1bc47bb083b3851cb7cd8e7e6a911a626cf02b29e9e4a58ed766a449a7296d
                    e61a7a26c4d1caeecfd80cca65c71f0f88c1f822c0e8c0ad949d03fee139579f
                    72ba0c3d32c5f954f1cccd54081fc7440278cba1fe7b7a17a986fdff5bd15d1f");
    assert_eq!(out[..], want);
}

#[test]
fn prf_plus_rfc7836() {
    let key = hex("c9a9a77320e2cc559ed72dce6f47e2192ccea95fa648670582c054c0ef36c221");
    let seed = hex("0126bdb878001d80603c8544c7270100");
    let mut out = [0; 64];
    prf_plus::<32>(&key, &seed, &mut out).unwrap();
    let want = hex("2de5ee84e13d7be53616673913370ab054c074b79b69a8a84682a9f04fecd587
                    29f60dda457bf219aa2ef95d7a59be954de008f4a50d504dbdb690be68060153");
    assert_eq!(out[..], want);
    let mut out = [0; 128];
    prf_plus::<64>(&key, &seed, &mut out).unwrap();
    let want = hex("5da67143a5f12a6d6e4742596f39243fcc615745915b32591006ff78a20863d5
                    f88e4afc17fbbe70b9509573db005e9626369846cb861999716c165dd06a1585
                    4834495a43746cb53f0aba3bc46ebcf8773ca64ad343c122ee2a577557038157
                    ee9c388d96ef71d58be5c1efa1afa95ebe83e39d00e19a5d03dcd60a01bca8e3");
    assert_eq!(out[..], want);
}

#[test]
fn hkdf_rfc9367() {
    let want = hex("fbdefbe527feea665aab9277a2163b8343084fd191c46066260fac6fd1436c72");
    assert_eq!(hkdf_extract::<32>(&[0; 32], &[0; 32])[..], want);
    assert_eq!(hkdf_extract::<32>(&[], &[0; 32])[..], want, "no salt is a salt of zeros");
    let prk = hex("70a5f2463df60dbaa2368b67fd45aeff7c1a0ba42d8abd72415ecd1d94e9ef54");
    let info = hex("002009746c733133206b657900");
    let mut out = [0; 32];
    hkdf_expand::<32>(&prk, &info, &mut out).unwrap();
    let want = hex("e13764b54b9e1b47d43398d6d216df24c289a396ab6c5b524bbb9c06f39fef01");
    assert_eq!(out[..], want);
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

#[test]
fn tlstree_rfc9189() {
    // Appendix A.1.1.1: numbers on both sides of each level's border.
    let root = hex("00112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a00");
    let mut tree = TlsTree::new(&root.try_into().unwrap(), TlsMasks::MAGMA_CTR_OMAC);
    for (seqnum, want) in [
        (0, "19a76ed30f4d6d1f5b7263ec491ad83817c0b57d8a0356127140fb4f7425494d"),
        (4095, "19a76ed30f4d6d1f5b7263ec491ad83817c0b57d8a0356127140fb4f7425494d"),
        (4096, "fb30ee53cfcf89d748fc0c72ef160b8b53cbbbfd031282b026214ab2e07758ff"),
        (33554431, "b85b36dc2282326bc035c572dc93f18d83aa0174f394209a513bb374dc0935ae"),
        (33554432, "0fd7c09efdf8e81573eeccf86e4b95e3af7f34dab1177cfd7db97b6da906408a"),
    ] {
        assert_eq!(tree.key(seqnum)[..], hex(want), "{seqnum}");
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
        // Any byte changed, the keys exchanged, another IV: nothing comes out.
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
        assert!(nothing.iter().all(|octet| *octet == 0));
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

    #[test]
    fn secrets_of_any_length() {
        let (mac, enc) = (Kuznyechik::new(&[1; 32]), Kuznyechik::new(&[2; 32]));
        for len in [0, 1, 15, 16, 17, 63, 64, 65, 200] {
            let secret = text(len);
            let (mut exported, mut imported) = (vec![0; len + 16], vec![0; len]);
            kexp15(&mac, &enc, &[3; 8], &secret, &mut exported).unwrap();
            type K = reference::kuznyechik::Kuznyechik;
            let want =
                reference::kexp15::kexp15::<K>(&secret, &[1; 32], &[2; 32], &[3; 8]).unwrap();
            assert_eq!(exported, want);
            kimp15(&mac, &enc, &[3; 8], &exported, &mut imported).unwrap();
            assert_eq!(imported, secret);
        }
    }
}

/// HMAC tags and derived keys are the same if computed many at a time or one at a time, for any lengths.
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
