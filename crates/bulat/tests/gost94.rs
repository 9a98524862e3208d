//! GOST R 34.11-94: many messages, and carries of the sum.

use bulat::ParamSet::{HashCryptoPro, HashTest};
use bulat::batch::{self, Job};
use bulat::{Gost94, Sboxes, kernel};
use testkit::Random;

/// Messages of unequal lengths and S-boxes side by side, on every kernel: the only test that forces.
#[test]
fn many_messages() {
    let (mut dice, mut all) = (Random::new(94), vec![HashCryptoPro.into(), HashTest.into()]);
    all.push(Sboxes::new(dice.sboxes()).unwrap());
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
