//! Bursts of ESP packets, and key schedules: what a gateway of many security associations does.
//!
//! `cargo bench -p bulat --bench esp [-- WORD...]`: only the lines with one of the words. One thread; the
//! rates are those of the clock on the wall, the median of many runs. "For 80 Gbit/s": so many such
//! processors.

mod clock;

use std::hint::black_box;
use std::time::Instant;

use bulat::esp::{Association, Packet, Transform, iv, open, seal};
use bulat::kdf::{Hmac256, kdf_256};
use bulat::magma::ParamSet;
use bulat::{Gost28147, Kuznyechik, Magma, Streebog256};

/// Packets of a burst.
const BURST: usize = 1024;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| name.contains(w));
    println!("{:<44} {:>10} {:>8} {:>8} {:>12}", "", "packets/s", "Gbit/s", "c/octet", "80 Gbit/s");
    for transform in [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::KuznyechikMac] {
        for associations in [1, 16, 1024] {
            for len in [64, 512, 1500] {
                for sealing in [true, false] {
                    let verb = if sealing { "seal" } else { "open" };
                    let name = format!("{transform:?} {verb} {len} octets, {associations} SA");
                    if wanted(&name) {
                        packets(&name, transform, associations, len, sealing);
                    }
                }
            }
        }
    }
    println!("{:<44} {:>10} {:>8}", "", "a second", "cycles");
    let key: [u8; 32] = clock::random(32).try_into().expect("32 octets");
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
    per("schedule HMAC-256", &mut || drop(Hmac256::new(black_box(&key))));
    per("schedule KDF_GOSTR3411_2012_256", &mut || {
        drop(kdf_256(black_box(&key), b"level1", &[0, 0]));
    });
    // Beside: one compression's worth of the hash that derives keys.
    per("Streebog-256 of 32 octets", &mut || {
        black_box(Streebog256::digest(black_box(&key)));
    });
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
            // As they come from many peers: one of each in turn, all in their first leaves.
            .map(|(i, (payload, icv))| {
                let number = iv((i / associations) as u64);
                Packet::new(i % associations, number, &header, payload, icv)
            })
            .collect();
        if sealing {
            seal(&mut all, black_box(&mut burst));
        } else {
            open(&mut all, black_box(&mut burst));
        }
        assert!(burst.iter().all(|p| p.result.is_ok()));
    };
    let mut once = || {
        // What has been opened is sealed again, outside the clock.
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
