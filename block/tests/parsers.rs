//! Headers with changes, a quick run of what `fuzz/` does for longer, by the same functions. `BULAT_HEADERS` says how many.

#[path = "../../fuzz/src/volumes.rs"]
mod volumes;

use testkit::Random;

fn run(seed: u64, count: usize, one: fn(&[u8]) -> bool) {
    let count = std::env::var("BULAT_HEADERS").ok().and_then(|n| n.parse().ok()).unwrap_or(count);
    let mut random = Random::new(seed);
    let read = (0..count).filter(|_| one(&random.bytes(64))).count();
    println!("{count} headers, {read} read, the others refused");
    assert!((count / 50..count).contains(&read), "some are read and some are not: {read}");
}

#[test]
fn changed_luks2() {
    run(1, 500, volumes::luks2);
}

#[test]
fn changed_luks1() {
    run(2, 500, volumes::luks1);
}

#[test]
fn changed_veracrypt() {
    run(3, 20_000, volumes::veracrypt);
}
