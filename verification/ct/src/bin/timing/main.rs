//! Timing statistics in the manner of dudect (Reparaz, Balasch, Verbauwhede, 2016): each shape of each
//! kernel is timed on inputs of two classes, fixed and random, that come in random order; Welch's t says
//! whether the classes differ in time. A line ends with the input that differs: `key`, a fixed key against random
//! keys; `data`, a fixed text against random texts; `zeros`, a text of zeros against random texts. The fixed key and
//! the fixed text look random.
//!
//! `timing [MEASUREMENTS [WORD...]]`: only the lines with a given word; 5000 by default. A line has
//! |t|, the largest over all times and over those below several percentiles. Below 4.5 nothing was
//! seen. Machines are noisy: a line is bad when it is above 10 four times in a row.
//!
//! The control, Kuznyechik by tables (`table_vartime`), must be above 4.5: it has more of them than the
//! first-level cache holds. Where noise hides it, it is timed again, with up to eight times the measurements.
//! The tables of Magma, two lines of the cache, and of Streebog, of which every message reads all, are timed
//! too; that they are not found out shows the limits of such statistics.
//!
//! The first lines are of the machine itself ([`machine`]): where its time differs for zeros in
//! registers, `zeros` of the kernels do not count as bad. `harness` is work that knows no text.

mod machine;

use std::hint::black_box;
use std::time::Instant;

use bulat::{BlockCipher, Direction, Gost28147, Kuznyechik, ParamSet};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane};
use bulat_core::kernel::{HashLane, HashState, Ready};
use testkit::Random;

/// With a key: schedules it, untimed. Without: works on the data, timed.
type Work = Box<dyn FnMut(Option<&[u8; 32]>, &mut [u8])>;

/// A name, bytes of data, the work.
type Case = (String, usize, Work);

/// Calls that are prepared at once.
const BATCH: usize = 16;
/// Above this two classes differ; a line is bad above the second.
const SEEN: f64 = 4.5;
const BAD: f64 = 10.0;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let n = arguments.next().map_or(5000, |n| n.replace('_', "").parse().expect("a number"));
    let words: Vec<String> = arguments.collect();
    let (mut bad, mut lines) = (0, 0);
    let [mut worst, mut worst_zeros, mut machine] = [0.0_f64; 3];
    let mut control: Vec<(&str, f64)> =
        ["kuznyechik", "magma", "streebog"].map(|p| (p, 0.0)).into();
    for (name, len, mut work) in cases() {
        for class in ["key", "data", "zeros"] {
            let line = format!("{name} {class}");
            let of_machine = name.starts_with("machine");
            let skip = !words.is_empty() && !words.iter().any(|w| line.contains(w));
            if if of_machine { class == "key" } else { skip || len == 0 && class != "key" } {
                continue;
            }
            let mut t = difference(n, class, len, &mut work);
            if name.contains("vartime") {
                for (primitive, most) in &mut control {
                    if name.contains(*primitive) {
                        *most = most.max(t);
                    }
                }
            } else if of_machine {
                machine = machine.max(t);
            } else {
                for _ in 0..3 {
                    if t > BAD {
                        println!("{line:<56} {t:8.2}, once more");
                        t = t.min(difference(n, class, len, &mut work));
                    }
                }
                lines += 1;
                if class == "zeros" {
                    worst_zeros = worst_zeros.max(t);
                    bad += usize::from(t > BAD && machine <= SEEN);
                } else {
                    worst = worst.max(t);
                    bad += usize::from(t > BAD);
                }
            }
            println!("{line:<56} {t:8.2}{}", if t > SEEN { " *" } else { "" });
        }
    }
    println!(
        "{lines} lines of {n} measurements, largest |t| {worst:.2}, {bad} above {BAD} four times"
    );
    println!("texts of zeros {worst_zeros:.2}, in registers of the machine {machine:.2}");
    let timed = control[0].1 > 0.0;
    for more in [2, 4, 8] {
        if !timed || control[0].1 > SEEN {
            break;
        }
        for (name, len, mut work) in cases() {
            if name.contains("vartime") && name.contains(control[0].0) {
                let t = difference(more * n, "data", len, &mut work);
                println!("{:<56} {t:8.2}", format!("{name} data, {more} times"));
                control[0].1 = control[0].1.max(t);
            }
        }
    }
    let found_out = control[0].1 > SEEN;
    let verdict = if !timed {
        "not timed"
    } else if found_out {
        "found out"
    } else {
        "NOT found out"
    };
    println!("control {verdict}: {control:.1?}");
    std::process::exit(i32::from(bad > 0 || words.is_empty() && !found_out));
}

/// The largest |t| of fixed against random keys or texts; the other is zeros.
fn difference(n: usize, class: &str, len: usize, work: &mut Work) -> f64 {
    const CROPS: [f64; 6] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5];
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let key_differs = class == "key";
    let (mut fixed_key, mut text) = ([0; 32], vec![0; len]);
    let mut fixed = Random::new(0x3243_f6a8_885a_308d);
    fixed.fill(&mut fixed_key);
    if class == "data" {
        fixed.fill(&mut text);
    }
    let (mut new_key, mut new_text) = ([0; 32], vec![0; len]);
    let mut batch = [(); BATCH].map(|()| (0, [0; 32], vec![0; len]));
    let other = vec![1u8; 128 * 1024];
    let mut limits = [f64::INFINITY; CROPS.len()];
    let mut sums = [[Sum::default(); 2]; CROPS.len()];
    let mut first = Vec::new();
    for i in 0..n + n / 10 {
        // Memory written before a call shows in its time, even if the call works on other memory: so a batch of calls
        // is prepared before any is timed, by the same work for both classes. (A key is scheduled just before.)
        if i % BATCH == 0 {
            for (class, key, data) in &mut batch {
                *class = (random.word() >> 60 & 1) as usize;
                random.fill(&mut new_key);
                random.fill(&mut new_text);
                let [key_mask, text_mask] = [key_differs, !key_differs].map(|differs| {
                    black_box(0u8.wrapping_sub((*class & usize::from(differs)) as u8))
                });
                take(key, &fixed_key, &new_key, key_mask);
                take(data, &text, &new_text, text_mask);
            }
        }
        let (class, key, data) = &mut batch[i % BATCH];
        if key_differs || i == 0 {
            work(Some(key), data);
        }
        // Other memory into the first-level cache, so that a table would have to be fetched.
        black_box(other.iter().step_by(64).fold(0u8, |a, b| a ^ b));
        let start = Instant::now();
        work(None, black_box(data));
        let time = start.elapsed().as_nanos() as f64;
        if i < n / 10 {
            first.push(time);
            if i + 1 == n / 10 {
                first.sort_by(f64::total_cmp);
                for (limit, crop) in limits.iter_mut().zip(CROPS).skip(1) {
                    *limit = first[(crop * (first.len() - 1) as f64) as usize];
                }
            }
            continue;
        }
        for (limit, sums) in limits.iter().zip(&mut sums) {
            if time <= *limit {
                sums[*class].add(time);
            }
        }
    }
    sums.iter().map(|[a, b]| welch(a, b).abs()).fold(0.0, f64::max)
}

/// The second where the mask is ones, the first where it is zeros.
fn take(to: &mut [u8], first: &[u8], second: &[u8], mask: u8) {
    for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
        *to = first & !mask | second & mask;
    }
}

/// Count, mean, sum of squares of differences (Welford).
#[derive(Clone, Copy, Default)]
struct Sum(f64, f64, f64);

impl Sum {
    fn add(&mut self, x: f64) {
        self.0 += 1.0;
        let difference = x - self.1;
        self.1 += difference / self.0;
        self.2 += difference * (x - self.1);
    }
}

fn welch(a: &Sum, b: &Sum) -> f64 {
    let error = |s: &Sum| s.2 / (s.0 - 1.0) / s.0;
    let t = (a.1 - b.1) / (error(a) + error(b)).sqrt();
    if t.is_finite() { t } else { 0.0 }
}

/// The machine, and every kernel that it can run, in every shape.
fn cases() -> Vec<Case> {
    let loops = |name: &str, run: fn(&[u8; machine::LEN])| -> Case {
        let work = move |key: Option<&[u8; 32]>, data: &mut [u8]| {
            if let (None, Some(text)) = (key, data.first_chunk()) {
                run(text);
            }
        };
        (name.to_string(), machine::LEN, Box::new(work))
    };
    let mut all = vec![
        loops("machine, XOR of vectors in registers", machine::vectors),
        loops("harness, additions of words", machine::words),
    ];
    for kernel in bulat::kernel::NAMES {
        if let Ok(cipher) = Kuznyechik::new(&[0; 32]).on(kernel) {
            block(&mut all, &format!("{kernel} kuznyechik"), cipher.clone());
            let mut keyed = cipher.clone();
            let work: Work = Box::new(move |key, data| match key {
                Some(key) => keyed = cipher.rekey(key),
                None => {
                    let mut states = [[0; 16]; 64];
                    let lanes = states.iter_mut().zip(data.chunks_mut(32));
                    let lane = |(state, data)| Lane {
                        schedule: keyed.schedule(),
                        state,
                        data: Data::Through(<&mut [u8]>::into(data)),
                    };
                    keyed.lanes(Chain::CbcEncrypt, &mut lanes.map(lane).collect::<Vec<_>>());
                }
            });
            all.push((format!("{kernel} kuznyechik 64 lanes"), 64 * 32, work));
        }
        if let Ok(cipher) = Gost28147::new(&[0; 32], ParamSet::Tc26Z).on(kernel) {
            block(&mut all, &format!("{kernel} magma"), cipher.clone());
            let mut keyed = cipher.clone();
            let work: Work = Box::new(move |key, data| match key {
                Some(key) => keyed = cipher.rekey(key),
                None => {
                    let mut states = [[0; 8]; 200];
                    let lanes = states.iter_mut().zip(data.chunks(16));
                    let lane = |(state, data)| Lane {
                        schedule: keyed.schedule(),
                        state,
                        data: Data::Read(data),
                    };
                    keyed.lanes(Chain::Imit, &mut lanes.map(lane).collect::<Vec<_>>());
                }
            });
            all.push((format!("{kernel} magma 200 lanes"), 200 * 16, work));
        }
    }
    for kernel in bulat_core::streebog::KERNELS.iter().filter_map(Ready::new) {
        for (shape, messages) in [("one", 1), ("eleven", 11)] {
            let name = format!("{} streebog, {shape}", kernel.name());
            let mut states = vec![HashState { h: [0; 64], n: [0; 64], sigma: [0; 64] }; messages];
            let work: Work = Box::new(move |key, data| {
                if let Some(key) = key {
                    states.iter_mut().for_each(|s| s.h[..32].copy_from_slice(key));
                } else {
                    let lanes = states.iter_mut().zip(data.chunks(128));
                    let lane = |(state, blocks)| HashLane { state, blocks };
                    kernel.blocks(&mut lanes.map(lane).collect::<Vec<_>>());
                }
            });
            all.push((name, 128 * messages, work));
        }
    }
    for kernel in bulat_core::gf::KERNELS.iter().filter_map(Ready::new) {
        for len in [16, 1040] {
            let (mut h, ready) = (vec![0; len], kernel);
            let work: Work = Box::new(move |key, data| match key {
                Some(key) => h.chunks_mut(16).for_each(|h| h.copy_from_slice(&key[..16])),
                None => {
                    ready.mac64(&mut [0; 8], &h, data);
                    ready.mac128(&mut [0; 16], &h, data);
                }
            });
            all.push((format!("{} gf, {len} bytes", kernel.name()), len, work));
        }
    }
    all
}

/// A cipher in the shapes that every cipher has, and in the shapes that its kernel has besides.
fn block<C: BlockCipher>(all: &mut Vec<Case>, name: &str, cipher: C) {
    let zero = <C::Block as bulat_core::cipher::Block>::ZERO;
    // The sections of CTR-ACPKM that are usual: 1 KB of Magma, 4 KB of Kuznyechik.
    let [beside, sections] = [6 * 1024, 3 * 16 * C::BLOCK.pow(2)];
    let has_products = cipher.products(&mut { zero }, &[], &vec![0; beside], &mut { zero }) > 0;
    let mut data = vec![0; sections];
    let has_sections =
        cipher.clone().sections(&mut { zero }, sections / 3, data[..].as_mut().into()) > 0;
    let mut add = |shape: String, len: usize, run: fn(&mut C, &mut [u8])| {
        let (cipher, mut keyed) = (cipher.clone(), cipher.clone());
        let work: Work = Box::new(move |key, data| match key {
            Some(key) => keyed = cipher.rekey(key),
            None => run(&mut keyed, data),
        });
        all.push((format!("{name} {shape}"), len, work));
    };
    // One block, and enough for batches and a rest.
    for len in [C::BLOCK, 1040, 5 * 1024 + 16] {
        add(format!("encrypt, {len} bytes"), len, |c, data| c.map(Direction::Encrypt, data.into()));
        add(format!("decrypt, {len} bytes"), len, |c, data| c.map(Direction::Decrypt, data.into()));
        add(format!("gamma, {len} bytes"), len, |c, data| {
            let mut counter = <C::Block as bulat_core::cipher::Block>::ZERO;
            c.stream(&mut counter, Count::Whole, data.into());
        });
    }
    if has_products {
        add("products, 6144 bytes".into(), beside, |c, data| {
            let zero = <C::Block as bulat_core::cipher::Block>::ZERO;
            c.products(&mut { zero }, &[], data, black_box(&mut { zero }));
        });
    }
    if has_sections {
        // Each call leaves a new key, of whatever class.
        add("three sections".into(), sections, |c, data| {
            let (mut counter, section) =
                (<C::Block as bulat_core::cipher::Block>::ZERO, data.len() / 3);
            c.sections(&mut counter, section, data.into());
        });
    }
    add("one chain".into(), 8 * C::BLOCK, |c, data| {
        let mut state = <C::Block as bulat_core::cipher::Block>::ZERO;
        c.chain(Chain::CbcEncrypt, &mut state, Data::Through(data.into()));
    });
    let work: Work = Box::new(move |key, data| {
        // The data is the key.
        if let (None, Some(key)) = (key, data.first_chunk()) {
            black_box(cipher.rekey(key));
        }
    });
    all.push((format!("{name} key schedule"), 32, work));
}
