//! Every kernel against the reference, over lengths, splits, alignments, buffers and counters
//! that the standards' examples do not have. `cargo test -p bulat --test differential -- --nocapture`
//! prints the comparisons.

mod cases;
mod counters;
#[path = "../forced/mod.rs"]
mod forced;
mod functions;
#[path = "../library/mod.rs"]
mod library;
#[path = "../manners/mod.rs"]
mod manners;
#[path = "../../../../verification/reference/tests/oracle/mod.rs"]
mod oracle;
mod random;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bulat::algorithm::{ALGORITHMS, Kind};
use bulat::kernel;
use cases::{Case, Given, Shape};
use forced::kernels;
use manners::{MANNERS, Manner, Message};
use testkit::Random;

/// The lengths of the sweep: they pass every way to begin and end a block, a vector of blocks, and a section of
/// 1024 bytes. All lengths up to `DENSE` are there; every seventh of the others, where `BULAT_SWEEP=all` is not set,
/// as tools/ci/2-test.sh sets it: all of them need two minutes.
const SWEEP: usize = 1100;
const DENSE: usize = 300;

/// Blocks in one pass of a kernel, somewhere: 64 in one plane of bits or bytes, 128 in two
/// vectors of planes, 192 in Magma's twelve groups, 256 in four of bytes, 512 in one plane of the
/// widest vectors.
const BATCHES: [usize; 5] = [64, 128, 192, 256, 512];

/// Bytes in one pass of a mode: its buffer, and the step of the authenticated modes.
const BUFFERS: [usize; 2] = [2048, 16 * 1024];

#[test]
fn kernels_of_this_machine() {
    for name in kernel::NAMES {
        match kernel::missing(name) {
            Some(why) => println!("skipped: kernel {name} ({why})"),
            None => println!("kernel {name}"),
        }
    }
}

/// The lengths around the batches: a block and a byte less and more.
fn around_batches(case: &Case) -> Vec<usize> {
    let n = case.algorithm.block;
    let mut lengths: Vec<usize> = Vec::new();
    for whole in BATCHES.map(|blocks| blocks * n) {
        lengths.extend([whole - n, whole - 1, whole, whole + 1, whole + n]);
    }
    for whole in BUFFERS {
        lengths.extend([whole - 1, whole, whole + 1]);
    }
    lengths
}

#[test]
fn every_length_in_every_manner() {
    let cases = cases::all();
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.has_sessions()) {
        let compared = cases.iter().any(|case| case.algorithm.name == algorithm.name);
        let same = ["gost89-cnt-12", "gost-mac-12"]; // other lines' functions with a different default
        assert!(compared || same.contains(&algorithm.name), "{} is not compared", algorithm.name);
    }
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let worker = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (kernel, messages) in sweep(case) {
                let mut counts = counts.lock().expect("no worker has failed");
                let count: &mut [usize; 2] =
                    counts.entry((case.algorithm.name, kernel)).or_default();
                *count = [count[0] + 1, count[1] + messages];
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    println!("{:<28}{:<12}{:>8}{:>10}", "algorithm", "kernel", "cases", "messages");
    for ((algorithm, kernel), [cases, messages]) in counts.into_inner().expect("all ended") {
        println!("{algorithm:<28}{kernel:<12}{cases:>8}{messages:>10}");
    }
}

/// A case over all lengths on its kernels; how many messages went through each.
fn sweep(case: &Case) -> Vec<(&'static str, usize)> {
    let mix = |seed: u64, byte: u8| seed.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte);
    let mut dice = Random::new(case.label.bytes().fold(0, mix));
    let kernels: Vec<_> = kernels(case.algorithm.name).collect();
    let (stride, longer) = match (case.dense, std::env::var_os("BULAT_SWEEP")) {
        (true, None) => (1, 7),
        (true, Some(_)) => (1, 1),
        (false, _) => (13, 13),
    };
    let all: Vec<usize> =
        (0..DENSE).step_by(stride).chain((DENSE..=SWEEP).step_by(longer)).collect();
    let mut messages = 0;
    for lengths in all.chunks(100).chain([&around_batches(case)[..]]) {
        messages += under_one_key(case, lengths, &kernels, &mut dice);
    }
    kernels.into_iter().map(|kernel| (kernel, messages)).collect()
}

fn under_one_key(case: &Case, lengths: &[usize], kernels: &[&str], dice: &mut Random) -> usize {
    let (key, mut iv) = (dice.bytes(case.key), dice.bytes(case.iv));
    if case.algorithm.kind == Kind::Aead {
        iv[0] &= 0x7f; // MGM's rule
    }
    let longest = lengths.iter().max().copied().unwrap_or(0);
    let longest = dice.bytes(longest.next_multiple_of(case.algorithm.block));
    let ask = |aad: &[u8], text: &[u8]| (case.oracle)(&Given { key: &key, iv: &iv, aad, text });
    let all = match case.shape {
        Shape::Prefix(_) => ask(&[], &longest).expect("whole units"),
        _ => Vec::new(),
    };
    let takes_aad = case.algorithm.name.ends_with("-mgm");
    let mut messages = 0;
    for &len in lengths {
        let other = if takes_aad { dice.below(70) } else { 0 };
        let other = dice.bytes(other);
        let (aad, text) = match case.shape {
            Shape::Aad => (&longest[..len], &other[..]),
            _ => (&other[..], &longest[..len]),
        };
        let answer = match case.shape {
            Shape::Prefix(unit) if len % unit == 0 => Some(all[..len].to_vec()),
            Shape::Prefix(unit) if len > 2 * unit => continue,
            Shape::Prefix(_) => None,
            _ => ask(aad, text),
        };
        let (input, expected) = match (case.shape, answer) {
            (Shape::Back, Some(answer)) => (answer, Some(text.to_vec())),
            (Shape::Back, None) => continue,
            (_, answer) => (text.to_vec(), answer),
        };
        let message = match (case.shape, case.algorithm.kind) {
            (Shape::Back, Kind::Aead) => {
                let (sealed, tag) = input.split_at(text.len());
                Message { aad, text: sealed, tag: Some(tag) }
            }
            _ => Message { aad, text: &input, tag: None },
        };
        messages += 1;
        for kernel in kernels {
            let params = case.set.params(&key, &iv, kernel);
            for manner in [Manner::Whole, MANNERS[1 + len % (MANNERS.len() - 1)]] {
                let got = manners::run(case.algorithm, &params, message, manner, dice);
                assert!(
                    got.as_ref().ok() == expected.as_ref(),
                    "{} on {kernel}, {len} bytes, {manner:?}: {:?} instead of {:?}",
                    case.label,
                    got.map(|bytes| vectors::to_hex(&bytes)),
                    expected.map(|bytes| vectors::to_hex(&bytes)),
                );
            }
        }
    }
    messages
}
