//! A large text on several threads, compared with independent copies and a plain copy; from which length on
//! threads pay.
//!
//! `cargo bench -p bulat --features threads --bench threads [-- WORD...]`: only the groups with a given
//! word: `large`, `sizes`. `BULAT_BENCH_MB` is the length of the large text, 1024 if not said.

mod clock;

use std::hint::black_box;
use std::time::Instant;

use bulat::batch::{Job, Key, Mode, Text, run, run_on_threads};
use bulat::modes::Xts;
use bulat::{Direction, Gost28147, Kuznyechik, KuznyechikMgm, Magma};

fn main() {
    let wanted = clock::wanted();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} threads");
    if wanted("large") {
        large(threads);
    }
    if wanted("sizes") {
        sizes(threads);
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Seconds, the least of several runs.
fn least(times: usize, mut f: impl FnMut()) -> f64 {
    let one = || {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64()
    };
    std::iter::repeat_with(one).take(times).fold(f64::INFINITY, f64::min)
}

struct Keys {
    kuznyechik: Kuznyechik,
    magma: Magma,
    gost: Gost28147,
    xts: Xts,
    mgm: KuznyechikMgm,
}

/// Modes that split a text, by name.
const MODES: [&str; 6] = [
    "kuznyechik ctr",
    "magma ctr",
    "gost28147 cnt",
    "kuznyechik ctr-acpkm",
    "kuznyechik mgm",
    "kuznyechik xts",
];

fn job<'a>(keys: &'a Keys, mode: &str, text: Text<'a>, tag: &'a mut [u8]) -> Job<'a> {
    use bulat::modes::Meshing;
    let (k, m) = (Key::Kuznyechik(&keys.kuznyechik), Key::Magma(&keys.magma));
    match mode {
        "kuznyechik ctr" => Job::cipher(k, Mode::Ctr, &[1; 8], text),
        "magma ctr" => Job::cipher(m, Mode::Ctr, &[1; 4], text),
        "gost28147 cnt" => Job::cipher(&keys.gost, Mode::Cnt(Meshing::None), &[1; 8], text),
        "kuznyechik ctr-acpkm" => Job::cipher(k, Mode::CtrAcpkm(4096), &[1; 8], text),
        "kuznyechik mgm" => Job::seal(&keys.mgm, &[1; 16], &[], text, tag),
        _ => Job::sector(&keys.xts, &[1; 16], Direction::Encrypt, text),
    }
}

fn keys() -> Keys {
    Keys {
        kuznyechik: Kuznyechik::new(&[1; 32]),
        magma: Magma::new(&[1; 32]),
        gost: Gost28147::new(&[1; 32], bulat::ParamSet::CryptoProA),
        xts: Xts::new(&[1; 32], &[2; 32]).expect("two keys"),
        mgm: KuznyechikMgm::new(&[1; 32]),
    }
}

/// Goes through in memory, from text to text, and in place: one thread, all threads, each with a
/// text of its own in cache, a copy. The speed of independent threads in cache is the most that the clock and
/// the machine's other tenants allow.
fn large(threads: usize) {
    let mb = std::env::var("BULAT_BENCH_MB").ok().and_then(|v| v.parse().ok()).unwrap_or(1024);
    let len = mb << 20;
    let keys = keys();
    let source = engine::text(0, len);
    let mut out = engine::text(0, len);
    let gb = |seconds: f64| len as f64 / 1e9 / seconds;
    let copy = gb(least(4, || black_box(&mut out[..]).copy_from_slice(black_box(&source))));
    println!("a copy of {mb} MB by one thread: {copy:.2} GB/s");
    println!("{:<22} {:>8} {:>8} {:>8} {:>8} {:>8}", "GB/s", "1", "all", "times", "cache", "share");
    for mode in MODES.iter().filter(|m| !m.contains("xts")) {
        let mut tag = [0; 16];
        let mut one = |out: &mut [u8], pool: Option<&rayon::ThreadPool>| {
            let jobs = vec![job(&keys, mode, Text::Apart(&source, out), &mut tag)];
            let results = match pool {
                Some(pool) => pool.install(|| run_on_threads(jobs)),
                None => run(jobs),
            };
            assert_eq!(results, [Ok(())]);
        };
        let all = pool(threads);
        // In turn, so that the machine's other tenants slow each down alike.
        let [mut single, mut many, mut alone, mut copied] = [f64::INFINITY; 4];
        for _ in 0..15 {
            single = single.min(least(1, || one(&mut out, None)));
            many = many.min(least(1, || one(&mut out, Some(&all))));
            alone = alone.min(least(1, || copies(&keys, mode, 1)));
            copied = copied.min(least(1, || copies(&keys, mode, threads)));
        }
        let (single, many) = (gb(single), gb(many));
        let cache = alone * threads as f64 / copied;
        let scaling = many / single;
        println!(
            "{mode:<22} {single:>8.2} {many:>8.2} {scaling:>8.2} {cache:>8.2} {:>8.2}",
            scaling / cache
        );
    }
}

/// The work in cache on `threads` independent threads.
fn copies(keys: &Keys, mode: &str, threads: usize) {
    let work = || {
        let (mut text, mut tag) = (engine::text(0, 64 << 10), [0; 16]);
        for _ in 0..4000 {
            run(vec![job(keys, mode, (&mut text[..]).into(), &mut tag)]);
        }
    };
    std::thread::scope(|s| (0..threads).for_each(|_| drop(s.spawn(work))));
}

/// A text of each length, by the batch and by threads.
fn sizes(threads: usize) {
    let (keys, all) = (keys(), pool(threads));
    println!("{:<22} {:>10} {:>12} {:>12} {:>8}", "GB/s", "bytes", "1", "all", "times");
    for mode in MODES {
        for shift in [15, 16, 17, 18, 19, 20, 22, 24] {
            let mut text = engine::text(0, 1 << shift);
            let repeat = (1 << 22 >> shift).max(1);
            let mut tag = [0; 16];
            let mut gb = |pool: Option<&rayon::ThreadPool>| {
                let seconds = least(20, || {
                    for _ in 0..repeat {
                        let jobs = vec![job(&keys, mode, (&mut text[..]).into(), &mut tag)];
                        match pool {
                            Some(pool) => pool.install(|| run_on_threads(jobs)),
                            None => run(jobs),
                        };
                    }
                });
                (repeat << shift) as f64 / 1e9 / seconds
            };
            let (one, many) = (gb(None), gb(Some(&all)));
            println!("{mode:<22} {:>10} {one:>12.3} {many:>12.3} {:>8.2}", 1 << shift, many / one);
        }
    }
}
