//! GOST R 34.11-94: RFC 5831, section 7.3, published digests, pieces of every size, and many messages.

use bulat::ParamSet::{self, HashCryptoPro, HashTest};
use bulat::batch::{self, Job};
use bulat::{Gost94, Sboxes, kernel};
use testkit::Random;

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn known_answers() {
    let cases: &[(ParamSet, &[u8], &str)] = &[
        (
            HashTest,
            b"This is message, length=32 bytes",
            "b1c466d37519b82e8319819ff32595e047a28cb6f83eff1c6916a815a637fffa",
        ),
        (
            HashTest,
            b"Suppose the original message has length = 50 bytes",
            "471aba57a60a770d3a76130635c1fbea4ef14de51f78b4ae57dd893b62f55208",
        ),
        (HashCryptoPro, b"a", "e74c52dd282183bf37af0079c9f78055715a103f17e3133ceff1aacf2f403011"),
        (HashCryptoPro, b"abc", "b285056dbf18d7392d7677369524dd14747459ed8143997e163b2986f92fd42c"),
        (
            HashCryptoPro,
            b"message digest",
            "bc6041dd2aa401ebfa6e9886734174febdb4729aa972d60f549ac39b29721ba0",
        ),
        (
            HashCryptoPro,
            b"This is message, length=32 bytes",
            "2cefc2f7b7bdc514e18ea57fa74ff357e7fa17d652c75f69cb1be7893ede48eb",
        ),
        (
            HashCryptoPro,
            b"Suppose the original message has length = 50 bytes",
            "c3730c5cbccacf915ac292676f21e8bd4ef75331d9405e5f1a61dc3130a65011",
        ),
        (HashTest, b"a", "d42c539e367c66e9c88a801f6649349c21871b4344c6a573f849fdce62f314dd"),
        (
            HashTest,
            b"message digest",
            "ad4434ecb18f2c99b60cbe59ec3d2469582b65273f48de72db2fde16a4889a4d",
        ),
        (HashCryptoPro, b"", "981e5f3ca30c841487830f84fb433e13ac1101569b9c13584ac483234cd656c0"),
        (HashTest, b"", "ce85b99cc46752fffee35cab9a7b0278abb4c2d2055cff685af4912c49490f8d"),
    ];
    for (set, message, digest) in cases {
        assert_eq!(hex(&Gost94::digest(*set, message)), *digest);
    }
}

#[test]
fn pieces() {
    let data: Vec<u8> = (0..200u8).map(|i| i.wrapping_mul(167)).collect();
    for len in 0..=3 * 32 + 1 {
        let whole = Gost94::digest(HashCryptoPro, &data[..len]);
        let mut hash = Gost94::new(HashCryptoPro);
        for split in 0..=len {
            hash.reset();
            hash.update(&data[..split]);
            let mut copy = hash.clone();
            assert_eq!(copy.finalize_reset(), Gost94::digest(HashCryptoPro, &data[..split]));
            copy.update(&data[..len]);
            assert_eq!(copy.finalize(), whole);
            copy = hash.clone();
            copy.update(&data[split..len]);
            assert_eq!(copy.finalize(), whole);
        }
    }
    let mut hash = Gost94::new(HashCryptoPro);
    data.iter().for_each(|octet| hash.update(&[*octet]));
    assert_eq!(hash.finalize(), Gost94::digest(HashCryptoPro, &data));
}

/// Messages of unequal lengths and S-boxes side by side, on every kernel: the one test that forces.
#[test]
fn many_messages() {
    let (mut dice, mut all) = (Random::new(94), vec![HashCryptoPro.into(), HashTest.into()]);
    let rows = std::array::from_fn(|_| {
        let mut row = std::array::from_fn(|n| n as u8);
        (1..16).rev().for_each(|n| row.swap(n, dice.below(n + 1)));
        row
    });
    all.push(Sboxes::new(rows).unwrap());
    for name in kernel::NAMES.iter().filter(|name| kernel::available(name)) {
        kernel::force(Some(name)).unwrap();
        for count in (0..=20).chain([31, 33, 64, 65, 70, 130]) {
            for (sets, most) in [(1, 1), (1, 33), (2, 70), (3, 200)] {
                let data: Vec<_> = (0..count)
                    .map(|i| {
                        let len = if i % 4 == 0 { most } else { dice.below(most) };
                        (&all[dice.below(sets)], dice.bytes(len))
                    })
                    .collect();
                let mut digests = vec![[0; 32]; count];
                let jobs = data.iter().zip(&mut digests);
                let jobs = jobs.map(|((sboxes, m), digest)| Job::Gost94(sboxes, m, digest));
                assert!(batch::run(jobs.collect()).iter().all(Result::is_ok));
                for (i, ((sboxes, message), digest)) in data.iter().zip(digests).enumerate() {
                    let wanted = reference::gost94::hash(sboxes.rows(), message);
                    assert_eq!(digest[..], wanted, "{name}: {i} of {count}, {}", message.len());
                }
            }
        }
    }
    kernel::force(None).unwrap();
}

/// Σ with carries through all of its words.
#[test]
fn sum_carries() {
    let mut dice = Random::new(95);
    let sboxes = Sboxes::from(HashCryptoPro);
    for _ in 0..200 {
        let mut text: Vec<u8> = Vec::new();
        for _ in 0..1 + dice.below(6) {
            let mut block = [[0; 32], [0xff; 32]][dice.below(2)];
            if dice.below(2) == 0 {
                block[dice.below(32)] = [0, 1, 0xfe, 0xff][dice.below(4)];
            }
            text.extend(block);
        }
        text.truncate(text.len() - dice.below(32));
        let digest = Gost94::digest(HashCryptoPro, &text);
        assert_eq!(digest[..], reference::gost94::hash(sboxes.rows(), &text));
    }
}
