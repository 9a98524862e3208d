//! Every Streebog kernel against the reference: lengths, pieces, lanes, carries, unaligned data.

use bulat::{Streebog256, Streebog512};
use bulat_core::kernel::{self, HashLane, HashState, Ready};
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
fn rfc6986_examples() {
    let m1 = b"012345678901234567890123456789012345678901234567890123456789012";
    let m2 =
        b"\xd1\xe5 \xe2\xe5\xf2\xf0\xe8, \xd1\xf2\xf0\xe8\xe1\xee\xe6\xe8 \xe2\xed\xf3\xf6\xe8, \
        \xe2\xe5\xfe\xf2\xfa \xf1 \xec\xee\xf0\xff \xf1\xf2\xf0\xe5\xeb\xe0\xec\xe8 \xed\xe0 \
        \xf5\xf0\xe0\xe1\xf0\xfb\xff \xef\xeb\xfa\xea\xfb \xc8\xe3\xee\xf0\xe5\xe2\xfb";
    let hex = |octets: &[u8]| octets.iter().map(|b| format!("{b:02x}")).collect::<String>();
    for name in names() {
        let (mut small, mut large) =
            (Streebog256::new().on(name).unwrap(), Streebog512::new().on(name).unwrap());
        small.update(m1);
        large.update(m1);
        assert_eq!(
            hex(&small.finalize_reset()),
            "9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500"
        );
        assert_eq!(
            hex(&large.finalize_reset()),
            "1b54d01a4af5b9d5cc3d86d68d285462b19abc2475222f35c085122be4ba1ffa\
             00ad30f8767b3a82384c6574f024c311e2a481332b08ef7f41797891c1646f48"
        );
        small.update(m2);
        large.update(m2);
        assert_eq!(
            hex(&small.finalize_reset()),
            "9dd2fe4e90409e5da87f53976d7405b0c0cac628fc669a741d50063c557e8f50"
        );
        assert_eq!(
            hex(&large.finalize_reset()),
            "1e88e62226bfca6f9994f1f2d51569e0daf8475a3b0fe61a5300eee46d961376\
             035fe83549ada2b8620fcd7c496ce5b33f0cb9dddc2b6460143b03dabac9fb28"
        );
    }
}

#[test]
fn every_length() {
    let data = data(1101);
    for len in 0..=1100 {
        // Every alignment, too.
        let message = &data[len % 2..][..len];
        let (small, large) = (hash256(message), hash512(message));
        for name in names() {
            let mut h = Streebog256::new().on(name).unwrap();
            h.update(message);
            assert_eq!(h.finalize()[..], small, "{name} {len}");
            let mut h = Streebog512::new().on(name).unwrap();
            h.update(message);
            assert_eq!(h.finalize()[..], large, "{name} {len}");
        }
    }
}

#[test]
fn pieces() {
    let data = data(3 * 64 + 1); // three blocks and a rest
    let whole = hash512(&data);
    for name in names() {
        for first in 0..=data.len() {
            for second in [0, 1, 63, 64, 65, 128] {
                let second = (first + second).min(data.len());
                let mut h = Streebog512::new().on(name).unwrap();
                h.update(&data[..first]);
                let mut copy = h.clone();
                assert_eq!(h.clone().finalize(), h.finalize_reset());
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

/// Σ that carries through every word, and out of the last.
#[test]
fn carries() {
    let mut ones = vec![0xff; 64 * 5];
    ones[64..128].fill(0);
    ones[64] = 1;
    for len in [64, 127, 128, 129, 320] {
        for name in names() {
            let mut h = Streebog512::new().on(name).unwrap();
            h.update(&ones[..len]);
            assert_eq!(h.finalize()[..], hash512(&ones[..len]), "{name} {len}");
        }
    }
}

/// N that carries, from states that no message of a test reaches.
#[test]
fn counters() {
    let data = data(64 * 3);
    let start = |carry: usize| {
        let mut n = [0; 64];
        n[..carry].fill(0xff);
        n[0] = 0;
        n[1] &= 0xfe;
        HashState { h: [7; 64], n, sigma: [0xff; 64] }
    };
    for carry in [2, 8, 9, 16, 40, 64] {
        let run = |name: &str, count: usize| {
            let kernel = KERNELS.iter().find(|k| k.name == name).and_then(Ready::new).unwrap();
            let mut states: Vec<_> = (0..count).map(|_| start(carry)).collect();
            let lane = |state| HashLane { state, blocks: &data[..] };
            let mut lanes: Vec<_> = states.iter_mut().map(lane).collect();
            kernel.blocks(&mut lanes);
            lanes.iter_mut().for_each(|l| l.blocks = &data[..63]);
            kernel.finish(&mut lanes);
            states.iter().map(|s| s.h).collect::<Vec<_>>()
        };
        let expected = run("portable", 1)[0];
        for name in names() {
            for count in [1, 2, 8] {
                assert!(run(name, count).iter().all(|h| *h == expected), "{name} {carry} {count}");
            }
        }
    }
}

#[test]
fn lanes() {
    let data = data(34 * 200);
    for kernel in KERNELS.iter().filter_map(Ready::new) {
        for count in 0..=33 {
            for blocks in [0, 1, 2] {
                let mut states: Vec<_> = (0..count)
                    .map(|_| HashState { h: [0; 64], n: [0; 64], sigma: [0; 64] })
                    .collect();
                // The rest has another length in each lane, and its own alignment.
                let message = |i: usize| &data[200 * i + i % 7..][..64 * blocks + (11 * i) % 64];
                let mut lanes: Vec<_> = states
                    .iter_mut()
                    .enumerate()
                    .map(|(i, state)| HashLane { state, blocks: &message(i)[..64 * blocks] })
                    .collect();
                kernel.blocks(&mut lanes);
                for (i, lane) in lanes.iter_mut().enumerate() {
                    lane.blocks = &message(i)[64 * blocks..];
                }
                kernel.finish(&mut lanes);
                for (i, state) in states.iter().enumerate() {
                    assert_eq!(state.h[..], hash512(message(i)), "{} x{count}", kernel.name());
                }
            }
        }
    }
}

/// Messages of unequal lengths, some shorter than a block, on every kernel: the one test that forces.
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
                // Of one length, of a block at least: the first compression is of all at once.
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
