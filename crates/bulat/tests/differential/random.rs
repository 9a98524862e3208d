//! Random keys, texts, lengths, addresses and splits: every kernel, in every shape, against `portable`
//! at once and in place. Case n depends only on n and the seed, so a long run can be cut and
//! continued: `BULAT_FROM=n`, `BULAT_SEED=s`.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use bulat::{BlockCipher, Direction, Gost28147, InOut, Kuznyechik, Magma};
use bulat::{ParamSet, Sboxes};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane};
use bulat_core::kernel::{HashKernel, HashLane, HashState, Kernel, Ready};
use bulat_core::{gf, streebog};

use crate::cases::own_table;
use crate::kernels;
use testkit::Random;

/// Cases in a share of a worker.
const STEP: usize = 500;

#[test]
fn random_cases() {
    run(20_000);
}

#[test]
#[ignore = "a quarter of an hour: cargo test --release -p bulat --test differential -- --ignored --nocapture ten_million"]
fn ten_million() {
    run(10_000_000);
}

/// Comparisons by sort of case and kernel.
type Counts = BTreeMap<(&'static str, &'static str), u64>;

fn run(cases: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let (from, seed) = (number("BULAT_FROM").unwrap_or(0), number("BULAT_SEED").unwrap_or(0));
    // No atomic of 64 bits: some targets have none.
    let (shares, began) = (Mutex::new((from..cases).step_by(STEP)), Instant::now());
    let all = Mutex::new(Counts::new());
    let worker = || {
        let (subjects, mut counts) = (Subjects::new(), Counts::new());
        loop {
            let share = shares.lock().expect("no worker has failed").next();
            let Some(first) = share else { break };
            for n in first..cases.min(first + STEP as u64) {
                // Where an assertion fails, the panic's message is followed by the number of the case.
                let guard = Failing(n, seed);
                one(&subjects, n, seed, &mut counts);
                std::mem::forget(guard);
            }
            if first % 100_000 == 0 {
                println!("case {first} after {} s", began.elapsed().as_secs());
            }
        }
        let mut all = all.lock().expect("no worker has failed");
        counts.into_iter().for_each(|(key, count)| *all.entry(key).or_default() += count);
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    // The last on this thread, which is all that WebAssembly has.
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(worker)));
        worker();
    });
    let all = all.into_inner().expect("no worker has failed");
    println!("{:<24}{:<12}{:>12}", "shape", "kernel", "compared");
    for ((shape, kernel), count) in &all {
        println!("{shape:<24}{kernel:<12}{count:>12}");
    }
    let (total, seconds) = (all.values().sum::<u64>(), began.elapsed().as_secs());
    println!("cases {from}..{cases}, seed {seed}: {total} comparisons in {seconds} s, all equal");
    assert!(from >= cases || total > 0);
}

/// Says which case it was, when it is dropped.
struct Failing(u64, u64);

impl Drop for Failing {
    fn drop(&mut self) {
        println!("in case {}: BULAT_FROM={} BULAT_SEED={}", self.0, self.0, self.1);
    }
}

/// A cipher on every kernel, `portable` first.
struct On<C>(Vec<(&'static str, C)>);

impl<C: BlockCipher> On<C> {
    fn new(algorithm: &str, make: impl Fn(&'static str) -> C) -> Self {
        On(in_order(algorithm).map(|kernel| (kernel, make(kernel))).collect())
    }
    /// Under a key, scheduled by each kernel.
    fn keyed(&self, key: &[u8; 32]) -> Vec<(&'static str, C)> {
        self.0.iter().map(|(kernel, cipher)| (*kernel, cipher.rekey(key))).collect()
    }
}

/// The kernels of a primitive, `portable` first.
fn in_order(algorithm: &str) -> impl Iterator<Item = &'static str> {
    let others = kernels(algorithm).filter(|kernel| *kernel != "portable");
    ["portable"].into_iter().chain(others.collect::<Vec<_>>())
}

/// Chained streams of a cipher, over blocks of `$n` bytes.
macro_rules! lanes {
    ($n:literal, $what:literal, $on:expr, $chain:expr, $dice:expr, $counts:expr) => {{
        let (chain, dice) = ($chain, $dice);
        let count = match dice.below(16) {
            0 => 1 + dice.below(200),
            1..6 => 1 + dice.below(20),
            _ => 1 + dice.below(3),
        };
        let blocks = below_one_of(dice, [4, 20, 40]);
        let keys: Vec<[u8; 32]> = (0..count.min(5)).map(|_| dice.array()).collect();
        let states: Vec<[u8; $n]> = (0..count).map(|_| dice.array()).collect();
        let texts: Vec<Vec<u8>> = (0..count).map(|_| dice.bytes(blocks * $n)).collect();
        let read = matches!(chain, Chain::Mac | Chain::Imit);
        let mut expected = None;
        for (i, (kernel, cipher)) in $on.0.iter().enumerate() {
            let ciphers: Vec<_> = keys.iter().map(|key| cipher.rekey(key)).collect();
            let (mut states, mut outputs) = (states.clone(), texts.clone());
            let in_place = i == 0 || dice.below(2) == 0;
            if i > 0 {
                outputs.iter_mut().for_each(|out| {
                    out.splice(0..0, vec![0xa5; dice.below(64)]);
                    out.push(0xa5);
                });
            }
            let mut at = 0;
            for end in if i == 0 { vec![blocks] } else { ends(dice, blocks) } {
                let piece = at * $n..end * $n;
                let mut lanes: Vec<Lane<'_, _, $n>> = (states.iter_mut())
                    .zip(texts.iter().zip(&mut outputs))
                    .enumerate()
                    .map(|(j, (state, (text, out)))| {
                        let before = (out.len() - usize::from(i > 0)) - text.len();
                        let out = &mut out[before..][piece.clone()];
                        let data = match (read, in_place) {
                            (true, _) => Data::Read(&text[piece.clone()]),
                            (_, true) => Data::Through(out.into()),
                            _ => {
                                Data::Through(InOut::new(&text[piece.clone()], out).expect("equal"))
                            }
                        };
                        Lane { schedule: ciphers[j % keys.len()].schedule(), state, data }
                    })
                    .collect();
                ciphers[0].lanes(chain, &mut lanes);
                at = end;
            }
            let Some((states_then, outputs_then)) = &expected else {
                expected = Some((states, outputs));
                continue;
            };
            let context =
                || format!("{} on {kernel}: {chain:?}, {count} of {blocks} blocks", $what);
            assert!(states == *states_then, "{}: the registers", context());
            for (out, then) in outputs.iter().zip(outputs_then) {
                let before = out.len() - 1 - then.len();
                assert!(out[before..out.len() - 1] == **then, "{}", context());
                let around = out[..before].iter().chain(out.last());
                assert!(around.into_iter().all(|o| *o == 0xa5), "{}: beside", context());
            }
            *$counts.entry(($what, kernel)).or_default() += 1;
        }
    }};
}

struct Subjects {
    kuznyechik: On<Kuznyechik>,
    magma: On<Magma>,
    /// Every known set of S-boxes, and a set of our own.
    gost28147: Vec<On<Gost28147>>,
    streebog: Vec<(&'static str, Ready<HashKernel>)>,
    gf: Vec<(&'static str, Ready<bulat_core::kernel::GfKernel>)>,
}

impl Subjects {
    fn new() -> Self {
        fn listed<K: Kernel>(list: &'static [K], name: &str) -> Ready<K> {
            let entry = list.iter().find(|entry| entry.name() == name);
            entry.and_then(Ready::new).expect("an available kernel")
        }
        let sets = ParamSet::ALL.map(Sboxes::from).into_iter();
        let own = Sboxes::new(own_table()).expect("permutations");
        let gost = |sboxes: Sboxes| {
            On::new("magma", |kernel| {
                Gost28147::new(&[0; 32], sboxes.clone()).on(kernel).expect("available")
            })
        };
        Subjects {
            kuznyechik: On::new("kuznyechik", |kernel| {
                Kuznyechik::new(&[0; 32]).on(kernel).expect("available")
            }),
            magma: On::new("magma", |kernel| Magma::new(&[0; 32]).on(kernel).expect("available")),
            gost28147: sets.chain([own]).map(gost).collect(),
            streebog: in_order("streebog512")
                .map(|name| (name, listed(streebog::KERNELS, name)))
                .collect(),
            gf: in_order("gf").map(|name| (name, listed(gf::KERNELS, name))).collect(),
        }
    }
}

fn one(subjects: &Subjects, n: u64, seed: u64, counts: &mut Counts) {
    let mut dice = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ n << 20);
    let dice = &mut dice;
    let gost28147 = &subjects.gost28147[dice.below(subjects.gost28147.len())];
    const PLAIN: [Count; 3] = [Count::Whole, Count::Right, Count::Left];
    const CHAINS: [Chain; 4] = [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac];
    match dice.below(11) {
        0 => map("kuznyechik map", &subjects.kuznyechik, dice, counts),
        1 => map("magma map", &subjects.magma, dice, counts),
        2 => map("gost28147 map", gost28147, dice, counts),
        3 => stream("kuznyechik stream", &subjects.kuznyechik, &PLAIN, dice, counts),
        4 => stream("magma stream", &subjects.magma, &PLAIN, dice, counts),
        5 => {
            let count = [PLAIN[dice.below(3)], Count::Cnt][dice.below(2)];
            stream("gost28147 stream", gost28147, &[count], dice, counts);
        }
        6 => {
            lanes!(16, "kuznyechik lanes", subjects.kuznyechik, CHAINS[dice.below(4)], dice, counts)
        }
        7 => lanes!(8, "magma lanes", subjects.magma, CHAINS[dice.below(4)], dice, counts),
        8 => {
            let chain = [CHAINS[dice.below(4)], Chain::Imit][dice.below(2)];
            lanes!(8, "gost28147 lanes", gost28147, chain, dice, counts);
        }
        9 => messages(&subjects.streebog, dice, counts),
        _ => multiply(&subjects.gf, dice, counts),
    }
}

/// A number less than one of the limits.
fn below_one_of(dice: &mut Random, limits: [usize; 3]) -> usize {
    let limit = limits[dice.below(3)];
    dice.below(limit)
}

/// A number of blocks, mostly small: most kernels have a way of their own for each of the first few.
fn blocks(dice: &mut Random) -> usize {
    let most = match dice.below(32) {
        0 => 1200, // past the widest batches
        1..5 => 200,
        5..12 => 70,
        12..20 => 20,
        _ => 5,
    };
    dice.below(most + 1)
}

/// The ends of one to three pieces of `blocks` blocks.
fn ends(dice: &mut Random, blocks: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..dice.below(3)).map(|_| dice.below(blocks + 1)).collect();
    ends.sort_unstable();
    ends.push(blocks);
    ends
}

/// `f` over the text in pieces of whole blocks, in place or apart, at any address. Nothing outside
/// the result may change.
fn in_pieces(
    dice: &mut Random,
    text: &[u8],
    n: usize,
    mut f: impl FnMut(InOut<'_, '_>),
) -> Vec<u8> {
    let (from, to, len) = (dice.below(64), dice.below(64), text.len());
    let mut source = vec![0; from];
    source.extend(text);
    let mut target = vec![0xa5; to + len + 64];
    let in_place = dice.below(2) == 0;
    if in_place {
        target[to..to + len].copy_from_slice(text);
    }
    let mut at = 0;
    for end in ends(dice, len / n).into_iter().map(|end| end * n) {
        let piece = &mut target[to + at..to + end];
        match in_place {
            true => f(piece.into()),
            false => f(InOut::new(&source[from + at..from + end], piece).expect("equal")),
        }
        at = end;
    }
    let around = target[..to].iter().chain(&target[to + len..]);
    assert!(around.into_iter().all(|byte| *byte == 0xa5), "written outside the result");
    target.drain(..to);
    target.truncate(len);
    target
}

/// Returns whether a kernel is compared in this case: the expected kernel, rarely.
fn compared(i: usize, dice: &mut Random) -> bool {
    i > 0 || dice.below(8) == 0
}

fn map<C: BlockCipher>(what: &'static str, on: &On<C>, dice: &mut Random, counts: &mut Counts) {
    let ciphers = on.keyed(&dice.array());
    let direction = [Direction::Encrypt, Direction::Decrypt][dice.below(2)];
    let blocks = blocks(dice);
    let text = dice.bytes(blocks * C::BLOCK);
    let mut expected = text.clone();
    ciphers[0].1.map(direction, expected.as_mut_slice().into());
    for (i, (kernel, cipher)) in ciphers.iter().enumerate() {
        if compared(i, dice) {
            let got = in_pieces(dice, &text, C::BLOCK, |data| cipher.map(direction, data));
            assert!(got == expected, "{what} on {kernel}: {direction:?}, {blocks} blocks");
            *counts.entry((what, kernel)).or_default() += 1;
        }
    }
}

fn stream<C: BlockCipher>(
    what: &'static str,
    on: &On<C>,
    rules: &[Count],
    dice: &mut Random,
    counts: &mut Counts,
) {
    let ciphers = on.keyed(&dice.array());
    let rule = rules[dice.below(rules.len())];
    let blocks = blocks(dice);
    let text = dice.bytes(blocks * C::BLOCK);
    let mut counter = <C::Block as bulat_core::cipher::Block>::ZERO;
    // Ones from somewhere on, so that carries go far.
    let ones = dice.below(2 * C::BLOCK);
    for (i, byte) in counter.as_mut().iter_mut().enumerate() {
        *byte = if i < ones { dice.word() as u8 } else { 0xff };
    }
    if let Some(last) = counter.as_mut().last_mut() {
        *last = dice.word() as u8;
    }
    let (mut expected, mut after) = (text.clone(), counter);
    ciphers[0].1.stream(&mut after, rule, expected.as_mut_slice().into());
    for (i, (kernel, cipher)) in ciphers.iter().enumerate() {
        if compared(i, dice) {
            let mut counter = counter;
            let got = in_pieces(dice, &text, C::BLOCK, |data| {
                cipher.stream(&mut counter, rule, data);
            });
            assert!(got == expected, "{what} on {kernel}: {rule:?}, {blocks} blocks");
            assert!(counter == after, "{what} on {kernel}: {rule:?}, the counter");
            *counts.entry((what, kernel)).or_default() += 1;
        }
    }
}

/// Messages side by side, in pieces, with their ends; from the beginning or from the middle.
fn messages(kernels: &[(&'static str, Ready<HashKernel>)], dice: &mut Random, counts: &mut Counts) {
    let count = 1 + below_one_of(dice, [1, 9, 18]);
    let blocks = below_one_of(dice, [2, 6, 20]);
    let begun = dice.below(2) == 0;
    let states: Vec<HashState> = (0..count)
        .map(|i| match begun {
            true => HashState { h: dice.array(), n: dice.array(), sigma: dice.array() },
            false => HashState { h: [(i % 2) as u8; 64], n: [0; 64], sigma: [0; 64] },
        })
        .collect();
    let texts: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let end = dice.below(64);
            dice.bytes(64 * blocks + end)
        })
        .collect();
    let mut expected: Option<Vec<HashState>> = None;
    for (i, (kernel, ready)) in kernels.iter().enumerate() {
        let mut states = states.clone();
        let places: Vec<usize> = (0..count).map(|_| dice.below(64)).collect();
        let moved: Vec<Vec<u8>> = places
            .iter()
            .zip(&texts)
            .map(|(at, text)| [&vec![0; *at], &text[..]].concat())
            .collect();
        let mut at = 0;
        let mut call = |from: usize, to: Option<usize>| {
            let mut lanes: Vec<HashLane<'_>> = (states.iter_mut().zip(&moved).zip(&places))
                .map(|((state, text), place)| {
                    let text = &text[*place..];
                    HashLane {
                        state,
                        blocks: &text[64 * from..to.map_or(text.len(), |to| 64 * to)],
                    }
                })
                .collect();
            match to {
                Some(_) => ready.blocks(&mut lanes),
                None => ready.finish(&mut lanes),
            }
        };
        for end in if i == 0 { vec![blocks] } else { ends(dice, blocks) } {
            call(at, Some(end));
            at = end;
        }
        call(blocks, None);
        let Some(expected) = &expected else {
            expected = Some(states);
            continue;
        };
        // After the end only h counts; the other fields are the kernel's own.
        let same = states.iter().zip(expected).all(|(state, then)| state.h == then.h);
        assert!(same, "streebog on {kernel}: {count} messages of {blocks} blocks");
        *counts.entry(("streebog messages", kernel)).or_default() += 1;
    }
}

fn multiply(
    kernels: &[(&'static str, Ready<bulat_core::kernel::GfKernel>)],
    dice: &mut Random,
    counts: &mut Counts,
) {
    let n = [8, 16][dice.below(2)];
    let blocks = blocks(dice);
    let mut elements = || {
        let mut all = dice.bytes(n * blocks);
        all.chunks_mut(n).for_each(|element| match dice.below(20) {
            0 => element.fill(0),
            1 => element.fill(0xff),
            _ => {}
        });
        all
    };
    let (h, a) = (elements(), elements());
    let first: [u8; 16] = dice.array();
    let mut expected = None;
    for (i, (kernel, ready)) in kernels.iter().enumerate() {
        let (mut sum, mut at) = (first, 0);
        let place = [dice.below(64), dice.below(64)];
        let moved = [(place[0], &h), (place[1], &a)].map(|(at, x)| [&vec![0; at], &x[..]].concat());
        for end in if i == 0 { vec![blocks] } else { ends(dice, blocks) } {
            let [h, a] = [0, 1].map(|i| &moved[i][place[i]..][at * n..end * n]);
            match n {
                8 => ready.mac64(sum.first_chunk_mut().expect("8"), h, a),
                _ => ready.mac128(&mut sum, h, a),
            }
            at = end;
        }
        let expected = expected.get_or_insert(sum);
        assert!(sum == *expected, "gf on {kernel}: {blocks} blocks of {n}");
        *counts.entry(("gf multiply", kernel)).or_default() += u64::from(i > 0);
    }
}
