//! Changed headers: a run of the functions that `verification/fuzz/` calls for longer. `BULAT_HEADERS` sets their number,
//! `BULAT_SEED` the seed.

#[path = "../../../verification/fuzz/src/changes.rs"]
mod changes;
#[path = "../../../verification/fuzz/src/volumes.rs"]
mod volumes;

use std::sync::atomic::{AtomicUsize, Ordering};

use changes::Was;
use testkit::Random;

fn set(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn run(seed: u64, count: usize, one: fn(&[u8]) -> bool) {
    let count = set("BULAT_HEADERS").unwrap_or(count);
    let mut random = Random::new(seed);
    let read = (0..count).filter(|_| one(&random.bytes(64))).count();
    println!("{count} headers, {read} read, the others refused");
    assert!((count / 50..count).contains(&read), "some are read and some are not: {read}");
}

/// Calls that change a volume, on headers with right checksums: none panics, and none damages a volume.
#[test]
fn changed_luks2() {
    let (count, seed) = (set("BULAT_HEADERS").unwrap_or(20_000), set("BULAT_SEED").unwrap_or(1));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, sums) = (AtomicUsize::new(0), [const { AtomicUsize::new(0) }; 3]);
    let failed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        break;
                    }
                    // Each header has its own number, to reproduce it.
                    let input = Random::new((seed as u64) << 32 | n as u64).bytes(96);
                    match std::panic::catch_unwind(|| changes::luks2(&input)) {
                        Ok(was) => drop(sums[was as usize].fetch_add(1, Ordering::Relaxed)),
                        Err(_) => {
                            println!("header {n} of the seed {seed} fails");
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let [refused, kept, changed] = sums.map(AtomicUsize::into_inner);
    let read = kept + changed;
    println!("{count} headers: {refused} refused; of {read} that were read {changed} changed");
    assert_eq!(failed.into_inner(), 0, "headers that fail");
    assert!(Was::Changed as usize == 2 && count / 50 < changed && changed < count);
}

#[test]
fn changed_luks1() {
    run(2, 500, volumes::luks1);
}

#[test]
fn changed_veracrypt() {
    run(3, 20_000, volumes::veracrypt);
}
