//! Every Streebog kernel against the reference: pieces, many messages. `differential` has every length, `lanes` the
//! kernels' own calls.

use bulat::{Streebog256, Streebog512};
use bulat_core::kernel;
use bulat_core::streebog::KERNELS;
use reference::streebog::{hash256, hash512};
use testkit::Random;

fn data(len: usize) -> Vec<u8> {
    Random::new(1).bytes(len)
}

/// The kernels that this machine can run.
fn names() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().filter(|k| (k.available)()).map(|k| k.name)
}

#[test]
fn pieces() {
    let data = data(3 * 64 + 1); // three blocks and a rest
    let digests: Vec<_> = (0..=data.len()).map(|len| hash512(&data[..len])).collect();
    let whole = digests[data.len()].clone();
    for name in names() {
        for first in 0..=data.len() {
            for second in [0, 1, 63, 64, 65, 128] {
                let second = (first + second).min(data.len());
                let mut h = Streebog512::new().on(name).unwrap();
                h.update(&data[..first]);
                let mut copy = h.clone();
                assert_eq!(h.clone().finalize()[..], digests[first], "{name} {first}");
                assert_eq!(h.finalize_reset()[..], digests[first]);
                copy.update(&data[first..second]);
                copy.update(&data[second..]);
                assert_eq!(copy.finalize()[..], whole, "{name} {first} {second}");
                h.update(&data[..9]);
                h.reset();
                h.update(&data);
                assert_eq!(h.finalize()[..], whole, "{name} after reset");
            }
        }
    }
}

/// Messages of unequal lengths, some shorter than a block, on every kernel: the only test that forces.
#[test]
fn many_messages() {
    let data = data(2000);
    for name in names() {
        kernel::force(Some(name)).unwrap();
        for count in 0..=33 {
            for (step, most) in [(97, 450), (11, 60), (64, 129)] {
                let messages: Vec<_> = (0..count).map(|i| &data[i..][..i * step % most]).collect();
                let mut digests = vec![[0; 32]; count];
                Streebog256::digest_many(&messages, &mut digests).unwrap();
                for (message, digest) in messages.iter().zip(&digests) {
                    assert_eq!(digest[..], hash256(message), "{name} {count} {step}");
                }
                // Messages of equal length, of a block at least: the first compression is of all at once.
                let messages: Vec<_> = (0..count).map(|i| &data[i..][..64 + step]).collect();
                let mut digests = vec![[0; 64]; count];
                Streebog512::digest_many(&messages, &mut digests).unwrap();
                for (message, digest) in messages.iter().zip(&digests) {
                    assert_eq!(digest[..], hash512(message), "{name} {count} {step}");
                }
            }
        }
    }
    kernel::force(None).unwrap();
    assert!(Streebog256::digest_many(&[b"one"], &mut []).is_err());
}
