//! Bursts of ESP packets, and key schedules: the work of a gateway of many security associations.
//!
//! `cargo bench -p bulat --bench esp [-- WORD...]`: only the lines with a given word. One thread; the
//! rates are by the clock on the wall, the median of many runs. "For 80 Gbit/s": the number of such
//! processors.

mod clock;

use std::hint::black_box;
use std::time::Instant;

use bulat::ParamSet;
use bulat::esp::{Association, Packet, Transform, iv, open, seal};
use bulat::kdf::{Derivation, HmacStreebog256, kdf_256, kdf_256_many, kdf_tree};
use bulat::{Gost28147, Kuznyechik, Magma, Streebog256};

/// Packets of a burst.
const BURST: usize = 1024;

fn main() {
    clock::obey_environment();
    let wanted = clock::wanted();
    println!("{:<44} {:>10} {:>8} {:>8} {:>12}", "", "packets/s", "Gbit/s", "c/byte", "80 Gbit/s");
    for transform in [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::KuznyechikMac] {
        for associations in [1, 16, 1024] {
            for len in [64, 512, 1500] {
                for sealing in [true, false] {
                    let verb = if sealing { "seal" } else { "open" };
                    let name = format!("{transform:?} {verb} {len} bytes, {associations} SA");
                    if wanted(&name) {
                        packets(&name, transform, associations, len, sealing);
                    }
                }
            }
        }
    }
    println!("{:<44} {:>10} {:>8}", "", "packets/s", "ns");
    for transform in [Transform::KuznyechikMgm, Transform::MagmaMgm] {
        for len in [64, 1444] {
            for burst in [1, 8, 64] {
                let name = format!("{transform:?} {len} bytes, bursts of {burst}");
                if wanted(&name) {
                    bursts(&name, transform, len, burst, |n| n);
                }
            }
        }
        // Forgeries: under the key in use, and each under a different leaf.
        for (name, number) in
            [("one leaf", (|n| n) as fn(u64) -> u64), ("other leaves", |n| (n + 9) << 40)]
        {
            let name = format!("{transform:?} 64 bytes, forged, {name}");
            if wanted(&name) {
                bursts(&name, transform, 64, 8, number);
            }
        }
    }
    println!("{:<44} {:>10} {:>8}", "", "a second", "cycles");
    let key: [u8; 32] = clock::random(32).try_into().expect("32 bytes");
    let per = |name: &str, f: &mut dyn FnMut()| {
        if wanted(name) {
            let (_, cycles) = clock::measure(64, || (0..64).for_each(|_| f()));
            println!("{name:<44} {:>10.0} {cycles:>8.0}", rate(64, || (0..64).for_each(|_| f())));
        }
    };
    per("schedule Kuznyechik", &mut || drop(Kuznyechik::new(black_box(&key))));
    per("schedule Magma", &mut || drop(Magma::new(black_box(&key))));
    per("schedule GOST 28147-89", &mut || {
        drop(Gost28147::new(black_box(&key), ParamSet::CryptoProA));
    });
    for n in [2, 4, 8, 16, 32, 64, 256] {
        let keys: Vec<[u8; 32]> =
            (0..n).map(|_| clock::random(32).try_into().expect("32 bytes")).collect();
        many(&wanted, &format!("schedule Kuznyechik, {n} together"), n, &mut || {
            drop(Kuznyechik::new_many(black_box(&keys)));
        });
    }
    per("schedule HMAC-256", &mut || drop(HmacStreebog256::new(black_box(&key))));
    per("schedule KDF_GOSTR3411_2012_256", &mut || {
        drop(kdf_256(black_box(&key), b"level1", &[0, 0]));
    });
    for n in [2, 4, 8, 64] {
        let keys: Vec<[u8; 32]> =
            (0..n).map(|_| clock::random(32).try_into().expect("32 bytes")).collect();
        let mut out = vec![[0; 32]; n];
        many(&wanted, &format!("schedule KDF_GOSTR3411_2012_256, {n} together"), n, &mut || {
            let mut all: Vec<_> = (black_box(&keys).iter().zip(&mut out))
                .map(|(key, out)| Derivation { key, label: b"level1", seed: &[0, 0], out })
                .collect();
            kdf_256_many(&mut all);
        });
    }
    per("schedule KDF_TREE, 64 bytes", &mut || {
        kdf_tree(black_box(&key), b"label", &[0; 8], 1, &mut [0; 64]).expect("parameters");
    });
    // Every association at a leaf of its own, without any key ready.
    for count in [1, 64, 1024] {
        cold(&wanted, &format!("schedule ESP, cold leaves, {count} SA"), count);
    }
    // For comparison: a compression's worth of the hash that derives keys.
    per("Streebog-256 of 32 bytes", &mut || {
        black_box(Streebog256::digest(black_box(&key)));
    });
}

/// Keys made `n` at a time.
fn many(wanted: &impl Fn(&str) -> bool, name: &str, n: usize, f: &mut dyn FnMut()) {
    if wanted(name) {
        // Long enough for the clock.
        let times = 64_usize.div_ceil(n);
        let mut f = || (0..times).for_each(|_| f());
        let (_, cycles) = clock::measure(times * n, &mut f);
        println!("{name:<44} {:>10.0} {cycles:>8.0}", rate(times * n, f));
    }
}

/// A packet of 64 bytes for each association; all levels of its tree change from burst to burst.
fn cold(wanted: &impl Fn(&str) -> bool, name: &str, count: usize) {
    if !wanted(name) {
        return;
    }
    let material: Vec<u8> = clock::random(44);
    let mut all: Vec<_> = (0..count)
        .map(|_| Association::new(Transform::KuznyechikMgm, &material).expect("44 bytes"))
        .collect();
    let mut texts = vec![([0; 64], [0; 12]); count];
    let mut leaf = 0u64;
    let mut burst = || {
        leaf += 1;
        let mut packets: Vec<_> = (texts.iter_mut().enumerate())
            .map(|(i, (text, icv))| Packet::new(i, iv(leaf << 56), &[0; 8], text, icv))
            .collect();
        assert!(seal(&mut all, black_box(&mut packets)).is_ok());
    };
    many(wanted, name, count, &mut burst);
}

/// Packets of an association in bursts of a gateway: sealed, or, if the name says so, forged and opened.
fn bursts(name: &str, transform: Transform, len: usize, burst: usize, number: fn(u64) -> u64) {
    let mut all =
        [Association::new(transform, &clock::random(transform.key_len())).expect("as long")];
    let mut texts = vec![(clock::random(len), vec![0; transform.icv_len()]); 4096];
    let mut numbers = 0;
    let mut once = || {
        for texts in texts.chunks_mut(burst) {
            let mut packets: Vec<_> = (texts.iter_mut())
                .map(|(text, icv)| {
                    numbers += 1;
                    Packet::new(0, iv(number(numbers)), &[0; 12], text, icv)
                })
                .collect();
            let forged = name.contains("forged");
            let result =
                if forged { open(&mut all, &mut packets) } else { seal(&mut all, &mut packets) };
            assert_eq!(result.is_err(), forged);
        }
    };
    let rate = rate(4096, &mut once);
    println!("{name:<44} {rate:>10.0} {:>8.0}", 1e9 / rate);
}

/// How many a second, the median of many runs.
fn rate(count: usize, mut f: impl FnMut()) -> f64 {
    let began = Instant::now();
    let mut runs = Vec::new();
    while runs.len() < 5 || began.elapsed().as_millis() < 300 {
        let start = Instant::now();
        f();
        runs.push(start.elapsed().as_secs_f64());
    }
    runs.sort_by(f64::total_cmp);
    count as f64 / runs[runs.len() / 2]
}

fn packets(name: &str, transform: Transform, associations: usize, len: usize, sealing: bool) {
    let mut all: Vec<Association> = (0..associations)
        .map(|i| {
            let material: Vec<u8> = (0..transform.key_len()).map(|j| (i * 31 + j) as u8).collect();
            Association::new(transform, &material).expect("as long")
        })
        .collect();
    let header = [0; 8];
    let mut payloads = vec![clock::random(len); BURST];
    let mut icvs = vec![vec![0; transform.icv_len()]; BURST];
    let mut run = |sealing: bool| {
        let mut burst: Vec<_> = payloads
            .iter_mut()
            .zip(&mut icvs)
            .enumerate()
            // As they come from many peers: a packet of each in turn, all in their first leaves.
            .map(|(i, (payload, icv))| {
                let number = iv((i / associations) as u64);
                Packet::new(i % associations, number, &header, payload, icv)
            })
            .collect();
        let results = match sealing {
            true => seal(&mut all, black_box(&mut burst)),
            false => open(&mut all, black_box(&mut burst)),
        };
        assert!(results.is_ok());
    };
    let mut once = || {
        // The opened packets are sealed again, outside the clock.
        if !sealing {
            run(true);
        }
        let before = clock::cycle();
        let start = Instant::now();
        run(sealing);
        let taken = start.elapsed().as_secs_f64();
        (taken, taken / (before + clock::cycle()) * 2.0)
    };
    let began = Instant::now();
    let mut runs = Vec::new();
    while runs.len() < 5 || began.elapsed().as_millis() < 300 {
        runs.push(once());
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, cycles) = runs[runs.len() / 2];
    let gbits = (8 * len * BURST) as f64 / seconds / 1e9;
    println!(
        "{name:<44} {:>10.0} {gbits:>8.2} {:>8.2} {:>12.1}",
        BURST as f64 / seconds,
        cycles / (len * BURST) as f64,
        80.0 / gbits
    );
}
