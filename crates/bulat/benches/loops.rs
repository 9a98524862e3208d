//! A batch against a loop of single calls, on one thread: where is the batch slower?
//!
//! `cargo bench -p bulat --bench loops [-- WORD...]`: only the lines with a given word, which have the kernel, the
//! algorithm and `own`, where each message has its own key; words that are numbers: only these numbers of messages. Every kernel of this machine, or only the kernel of
//! `BULAT_KERNEL`. Batch and loop alternate; a figure is the time of the batch divided by the time of the loop, each at
//! its tenth percentile or, in fewer than ten turns, its least.

use std::hint::black_box;
use std::time::Instant;

use bulat::batch::{AeadKey, Job, Key, MacMode, Mode, OmacKey, run};
use bulat::modes::{Aead, BlockMode, Cbc, Cfb, Ctr, FromKey, Imit, Mac, Meshing, Mgm, Omac};
use bulat::modes::{StreamCipher, Xts};
use bulat::{Direction, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik, Magma, ParamSet};
use bulat::{Streebog256, Streebog512, kernel};

mod clock;

/// Bytes of a message; 0: uneven, log-uniform over 1 byte to 4 KB.
const LENGTHS: [usize; 10] = [0, 16, 29, 64, 100, 256, 1 << 10, 4 << 10, 16 << 10, UNEVEN];
const UNEVEN: usize = usize::MAX;
const ALL: [usize; 8] = [1, 2, 3, 8, 16, 32, 100, 10_000];
/// More bytes in one call are not measured.
const MOST: usize = 11 << 20;
/// A batch with a greater figure is slower than the loop, by more than the noise.
const NOISE: f64 = 1.05;

/// The measurement of a line.
struct Lines {
    words: Vec<String>,
    kernel: &'static str,
    /// The numbers of messages.
    counts: Vec<usize>,
    /// Cells, those above [`NOISE`], and the worst.
    cells: (usize, usize, f64),
}

fn main() {
    let words = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let (counts, words): (Vec<String>, Vec<String>) =
        words.partition(|w| w.parse::<usize>().is_ok());
    let mut counts: Vec<usize> = counts.iter().filter_map(|w| w.parse().ok()).collect();
    if counts.is_empty() {
        counts = ALL.into();
    }
    let forced = std::env::var("BULAT_KERNEL").ok();
    println!("{:<42}  messages in one call", "batch / loop");
    print!("{:<42}", "");
    counts.iter().for_each(|n| print!("{n:>8}"));
    println!();
    let wanted = |name: &&&str| forced.as_deref().is_none_or(|f| f == **name);
    let here = |name: &&&str| {
        kernel::available(name) && !["vpclmul512", "vpclmul256", "clmul"].contains(name)
    };
    for kernel in kernel::NAMES.iter().filter(here).filter(wanted) {
        kernel::force(Some(kernel)).expect("available");
        let mut lines =
            Lines { words: words.clone(), kernel, counts: counts.clone(), cells: (0, 0, 0.0) };
        all(&mut lines);
        let (cells, slower, worst) = lines.cells;
        println!("{kernel}: {slower} of {cells} batches above {NOISE}, at most {worst:.2}\n");
    }
}

/// Runs the batch.
fn ok(jobs: Vec<Job<'_>>) {
    assert!(run(jobs).iter().all(Result::is_ok));
}

/// The length of message `i`, in whole blocks if the mode needs them.
fn length(len: usize, block: usize, i: usize) -> usize {
    let len = match len {
        UNEVEN => (12.0 * ((i * 617) % 1000) as f64 / 1000.0).exp2() as usize,
        len => len,
    };
    len.next_multiple_of(block)
}

impl Lines {
    /// Measures all lengths and counts. `make` gives the batch and the loop over the texts.
    fn algorithm(
        &mut self,
        name: &str,
        block: usize,
        least: usize,
        mut work: impl FnMut(bool, &mut [Vec<u8>]),
    ) {
        let name = format!("{} {name}", self.kernel);
        if !self.words.is_empty() && !self.words.iter().any(|w| name.contains(w)) {
            return;
        }
        for len in LENGTHS {
            if length(len, block, 0) < least {
                continue;
            }
            let what = if len == UNEVEN { "uneven".into() } else { len.to_string() };
            print!("{:<42}", format!("{name} {what}"));
            for n in self.counts.clone() {
                let mut texts: Vec<Vec<u8>> =
                    (0..n).map(|i| vec![i as u8; length(len, block, i)]).collect();
                if texts.iter().map(Vec::len).sum::<usize>() > MOST {
                    print!("{:>8}", "");
                    continue;
                }
                let ratio = ratio(&mut |batch| work(batch, black_box(&mut texts)));
                print!("{ratio:>7.2}{}", if ratio > NOISE { '!' } else { ' ' });
                self.cells.0 += 1;
                self.cells.1 += usize::from(ratio > NOISE);
                self.cells.2 = self.cells.2.max(ratio);
            }
            println!();
        }
    }
}

/// The time of `f(true)` divided by the time of `f(false)`.
fn ratio(f: &mut dyn FnMut(bool)) -> f64 {
    let mut time = |batch, times| {
        let start = Instant::now();
        (0..times).for_each(|_| f(batch));
        start.elapsed().as_secs_f64() / f64::from(times)
    };
    let mut times = 1;
    while time(false, times) * f64::from(times) < 20e-6 {
        times *= 2;
    }
    let (mut batch, mut single) = (Vec::new(), Vec::new());
    let began = Instant::now();
    while batch.len() < 9 || (began.elapsed().as_secs_f64() < 0.03 && batch.len() < 400) {
        batch.push(time(true, times));
        single.push(time(false, times));
    }
    let tenth = |all: &mut Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 10]
    };
    tenth(&mut batch) / tenth(&mut single)
}

fn all(lines: &mut Lines) {
    let most = lines.counts.iter().copied().max().unwrap_or(0);
    macro_rules! hash {
        ($name:literal, $hash:ident, $job:ident, $hmac_name:literal, $hmac:ident, $hmac_job:ident, $n:literal) => {
            let mut digests = vec![[0; $n]; most];
            lines.algorithm($name, 1, 0, |batch, texts| match batch {
                true => ok(texts.iter().zip(&mut digests).map(|(m, d)| Job::$job(m, d)).collect()),
                false => {
                    texts.iter().zip(&mut digests).for_each(|(m, d)| *d = $hash::digest(m));
                }
            });
            lines.algorithm(concat!($name, " digest_many"), 1, 0, |batch, texts| match batch {
                true => {
                    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
                    $hash::digest_many(&texts, &mut digests[..texts.len()]).expect("as many");
                }
                false => {
                    texts.iter().zip(&mut digests).for_each(|(m, d)| *d = $hash::digest(m));
                }
            });
            let key = $hmac::new(&[7; 32]);
            let mut single = key.clone();
            lines.algorithm($hmac_name, 1, 0, |batch, texts| match batch {
                true => ok(texts
                    .iter()
                    .zip(&mut digests)
                    .map(|(m, d)| Job::$hmac_job(&key, m, d))
                    .collect()),
                false => texts.iter().zip(&mut digests).for_each(|(m, d)| {
                    single.update(m);
                    d.copy_from_slice(&single.finalize_reset().expect("a tag"));
                }),
            });
        };
    }
    hash!("streebog256", Streebog256, Hash256, "hmac256", HmacStreebog256, Hmac256, 32);
    hash!("streebog512", Streebog512, Hash512, "hmac512", HmacStreebog512, Hmac512, 64);
    cipher::<Kuznyechik>(lines, "kuznyechik", most);
    cipher::<Magma>(lines, "magma", most);
    let key = Gost28147::new(&[7; 32], ParamSet::Tc26Z);
    let mut single = Imit::with(key.clone());
    let mut tags = vec![[0; 4]; most];
    lines.algorithm("gost28147 imit", 1, 0, |batch, texts| match batch {
        true => {
            let mode = MacMode::Imit(Meshing::None);
            let jobs = texts.iter().zip(&mut tags).map(|(m, t)| Job::mac(&key, mode, m, t));
            ok(jobs.collect());
        }
        false => texts.iter().zip(&mut tags).for_each(|(m, t)| {
            single.update(m);
            t.copy_from_slice(&single.finalize_reset().expect("a tag"));
        }),
    });
    let key = Xts::new(&[3; 32], &[4; 32]).expect("two keys");
    lines.algorithm("kuznyechik xts", 16, 16, |batch, texts| match batch {
        true => ok(texts
            .iter_mut()
            .map(|m| Job::sector(&key, &[1; 16], Direction::Encrypt, m))
            .collect()),
        false => texts.iter_mut().for_each(|m| {
            key.sector(&[1; 16], Direction::Encrypt, m).expect("a sector");
        }),
    });
}

/// The modes of a cipher.
fn cipher<C: FromKey>(lines: &mut Lines, name: &str, most: usize)
where
    for<'a> &'a C: Into<Key<'a>>,
    for<'a> &'a Omac<C>: Into<OmacKey<'a>>,
    for<'a> &'a Mgm<C>: Into<AeadKey<'a>>,
{
    let (block, iv) = (C::BLOCK, &[1; 16][..C::BLOCK]);
    for own in [false, true] {
        let word = if own { ", own keys" } else { "" };
        let of = |i: usize| if own { i } else { 0 };
        let keys: Vec<C> = (0..if own { most } else { 1 })
            .map(|i| C::from_key(&core::array::from_fn(|j| (i * 7 + j) as u8)))
            .collect();
        let mut tags = vec![[0; 16]; most];
        // Batch and loop have an object with K1 for a common key, and only the keys for own ones.
        let common = Omac::with(keys[0].clone());
        let mut omac = common.clone();
        lines.algorithm(&format!("{name} omac{word}"), 1, 0, |batch, texts| {
            let both = texts.iter().zip(&mut tags).enumerate();
            match batch {
                true => ok(both
                    .map(|(i, (m, t))| {
                        let tag = &mut t[..block];
                        if own {
                            Job::mac(&keys[i], MacMode::Omac, m, tag)
                        } else {
                            Job::omac(&common, m, tag)
                        }
                    })
                    .collect()),
                false => both.for_each(|(i, (m, t))| {
                    if own {
                        omac = Omac::with(keys[i].clone());
                    }
                    omac.update(m);
                    t[..block].copy_from_slice(&omac.finalize_reset().expect("a tag"));
                }),
            }
        });
        drop(omac);
        macro_rules! chained {
            ($word:literal, $mode:expr, $iv:expr, $unit:expr, $make:expr, $single:expr) => {
                let mut single: Vec<_> = keys.iter().map(|key| $make(key.clone())).collect();
                lines.algorithm(&format!("{name} {}{word}", $word), $unit, 0, |batch, texts| {
                    match batch {
                        true => ok((texts.iter_mut().enumerate())
                            .map(|(i, m)| Job::cipher(&keys[of(i)], $mode, $iv, m))
                            .collect()),
                        false => texts.iter_mut().enumerate().for_each(|(i, m)| {
                            single[of(i)].reset($iv).expect("an iv");
                            $single(&mut single[of(i)], m);
                        }),
                    }
                });
                drop(single);
            };
        }
        let encrypt = Direction::Encrypt;
        let with = |key| Cbc::with(key, iv, encrypt).expect("an iv");
        chained!(
            "cbc",
            Mode::Cbc(encrypt),
            iv,
            block,
            with,
            |cbc: &mut Cbc<C>, m: &mut Vec<u8>| {
                cbc.update(m).expect("whole blocks");
                cbc.finalize(&mut []).expect("whole blocks");
            }
        );
        let with = |key| Cfb::with(key, iv, encrypt).expect("an iv");
        chained!("cfb", Mode::Cfb(encrypt), iv, 1, with, |cfb: &mut Cfb<C>, m: &mut Vec<u8>| {
            cfb.apply_keystream(m).expect("short");
        });
        let half = &iv[..block / 2];
        let with = |key| Ctr::with(key, half).expect("an iv");
        chained!("ctr", Mode::Ctr, half, 1, with, |ctr: &mut Ctr<C>, m: &mut Vec<u8>| {
            ctr.apply_keystream(m).expect("short");
        });
        let mgm: Vec<_> = keys.iter().map(|key| Mgm::with(key.clone())).collect();
        lines.algorithm(&format!("{name} mgm{word}"), 1, 1, |batch, texts| {
            let both = texts.iter_mut().zip(&mut tags).enumerate();
            match batch {
                true => ok(both
                    .map(|(i, (m, t))| Job::seal(&mgm[of(i)], iv, &[], m, &mut t[..block]))
                    .collect()),
                false => both.for_each(|(i, (m, t))| {
                    let tag = mgm[of(i)].seal_in_place(iv, &[], m).expect("a nonce");
                    t[..block].copy_from_slice(&tag);
                }),
            }
        });
    }
}
