//! Costs over sizes: cliffs, alignment, in place or not, and the spread between processes.
//!
//! `cargo bench -p bulat --bench sizes [-- KERNEL...]`: every kernel, or those named.
//! `cargo bench -p bulat --bench sizes -- spread [KERNEL...]`: 20 processes for each bulk kernel.

mod clock;

use std::hint::black_box;
use std::process::Command;

use bulat::{Direction, InOut, Kuznyechik, Magma};
use bulat_core::cipher::{Count, Shapes as _};
use bulat_core::kernel::{self, HashLane, HashState, Kernel, Ready};
use bulat_core::streebog;

/// A call on `source` and `destination`, or only on `destination` in place.
type Work<'a> = Box<dyn FnMut(InOut<'_, '_>) + 'a>;

/// A bulk shape of a kernel: its name, bytes of a block, and the call.
fn shapes<'a>(name: &'static str) -> Vec<(String, usize, Work<'a>)> {
    let key = [0x5a; 32];
    let mut all: Vec<(String, usize, Work<'a>)> = Vec::new();
    macro_rules! cipher {
        ($word:literal, $new:expr, $block:literal) => {
            if let Ok(cipher) = $new.on(name) {
                let c = cipher.clone();
                all.push((
                    format!("{name} {} ecb", $word),
                    $block,
                    Box::new(move |d| c.map(Direction::Encrypt, d)),
                ));
                let c = cipher.clone();
                all.push((
                    format!("{name} {} ecb^-1", $word),
                    $block,
                    Box::new(move |d| c.map(Direction::Decrypt, d)),
                ));
                let mut counter = [0; $block];
                all.push((
                    format!("{name} {} ctr", $word),
                    $block,
                    Box::new(move |d| cipher.stream(&mut counter, Count::Whole, d)),
                ));
            }
        };
    }
    cipher!("kuznyechik", Kuznyechik::new(&key), 16);
    cipher!("magma", Magma::new(&key), 8);
    if let Some(kernel) = streebog::KERNELS.iter().filter(|k| k.name() == name).find_map(Ready::new)
    {
        let mut state = HashState { h: [0; 64], n: [0; 64], sigma: [0; 64] };
        all.push((
            format!("{name} streebog"),
            64,
            Box::new(move |d| {
                kernel.blocks(&mut [HashLane { state: &mut state, blocks: d.get_in() }]);
            }),
        ));
    }
    all
}

/// Cycles of a call on `len` bytes: the least of many.
fn cost(work: &mut Work<'_>, data: &mut [u8]) -> f64 {
    let len = data.len();
    let times = 2048_usize.div_ceil(len);
    let (least, _) = clock::quick(times, || {
        for _ in 0..times {
            work(black_box(&mut *data).into());
        }
    });
    least
}

/// Compares a kernel with `portable`: a wrong one is not timed.
fn correct(name: &'static str) {
    for ((what, block, mut work), (.., mut other)) in
        shapes(name).into_iter().zip(shapes("portable"))
    {
        let text = clock::random(4096 + block);
        let (mut a, mut b) = (text.clone(), text);
        work((&mut a[..]).into());
        other((&mut b[..]).into());
        assert!(a == b, "{what}");
    }
}

fn sizes(name: &'static str) {
    correct(name);
    for (what, block, mut work) in shapes(name) {
        let mut data = clock::random(4096 + 64);
        // No size costs much more than the next power of two.
        let powers: Vec<(usize, f64)> = (0..)
            .map(|i| block << i)
            .take_while(|n| *n <= 4096)
            .map(|n| (n, cost(&mut work, &mut data[..n])))
            .collect();
        let mut worst = (0.0, 0);
        let mut n = block;
        while n < 4096 {
            let above = powers.iter().find(|(p, _)| *p >= n).expect("4096");
            // Twice, lest a disturbed sample of one size be taken for a cliff.
            let mine = cost(&mut work, &mut data[..n]).min(cost(&mut work, &mut data[..n]));
            let ratio = mine / above.1;
            if ratio > worst.0 {
                worst = (ratio, n);
            }
            n += if n < 512 { block } else { block * (n / 512) };
        }
        print!("{what:<32} cliff {:.2} at {}; c/B", worst.0, worst.1);
        for n in [64, 256, 1504, 4096] {
            print!(" {n}: {:.2}", cost(&mut work, &mut data[..n / block * block]) / n as f64);
        }
        // Alignment, and source apart from destination.
        let even = cost(&mut work, &mut data[..4096]);
        let odd = (1..64).map(|at| cost(&mut work, &mut data[at..at + 4096])).fold(0.0, f64::max);
        let source = data.clone();
        let (apart, _) = clock::quick(1, || {
            let (source, destination) = (black_box(&source[..4096]), &mut data[..4096]);
            work(InOut::new(source, destination).expect("equal lengths"));
        });
        print!("; unaligned {:.2}, apart {:.2}", odd / even, apart / even);
        for n in [1 << 20, 64 << 20] {
            let mut large = clock::random(n);
            let (least, _) = clock::quick(n, || work(black_box(&mut large[..]).into()));
            print!("; {} MB: {least:.2}", n >> 20);
        }
        println!();
    }
}

/// The least of one process, over the bulk size, with the core to itself: three times, with the others between.
fn one(name: &'static str) {
    let mut least = Vec::new();
    for _ in 0..3 {
        for (i, (what, _, mut work)) in shapes(name).into_iter().enumerate() {
            let mut data = clock::random(16384);
            let cost = clock::alone(16384, || work(black_box(&mut data[..]).into()));
            match least.get_mut(i) {
                None => least.push((what, cost)),
                Some((_, least)) => *least = cost.min(*least),
            }
        }
    }
    for (what, least) in least {
        println!("{what}\t{least}");
    }
}

/// Twenty processes, each with its minimum.
fn spread(name: &'static str) {
    let mut lines: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..20 {
        let me = std::env::current_exe().expect("this program");
        let out = Command::new(me).args(["one", name]).output().expect("it runs");
        for line in String::from_utf8(out.stdout).expect("text").lines() {
            let (what, least) = line.split_once('\t').expect("two columns");
            let least: f64 = least.parse().expect("a number");
            match lines.iter_mut().find(|(w, _)| w == what) {
                Some((_, all)) => all.push(least),
                None => lines.push((what.to_owned(), vec![least])),
            }
        }
    }
    for (what, mut all) in lines {
        all.sort_by(f64::total_cmp);
        let (least, most) = (all[0], all[all.len() - 1]);
        let within = all.iter().filter(|x| **x <= least * 1.05).count();
        println!(
            "{what:<32} {least:.3} .. {most:.3} c/B, {:.1} %; {within} of {} within 5 %",
            100.0 * (most / least - 1.0),
            all.len()
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let (mode, names) = match words.first().map(String::as_str) {
        Some("one") => (one as fn(&'static str), &words[1..]),
        Some("spread") => (spread as fn(&'static str), &words[1..]),
        _ => (sizes as fn(&'static str), &words[..]),
    };
    let known = |name: &&&str| names.is_empty() || names.iter().any(|w| w == **name);
    for name in kernel::NAMES.iter().filter(known).filter(|n| kernel::available(n)) {
        mode(name);
    }
}
