//! Magma's functions, by words; and the key.

use super::chains::{self, Chained};
use super::field::reversed;
use super::{Tasks, choices, in_out, planes, width};
use crate::bytes::bytes;
use crate::call::Call;
use crate::domain::{Byte, vars};
use crate::machine::Or;
use crate::standard::field::product;
use crate::standard::magma::{PI, cipher};
use crate::standard::{numbers, xor};

/// Words, not planes, for blocks and gamma; one stream in each of three forms.
const FORMS: [u32; 3] = [0x1400, 0x5400, 0x9400];

/// The bytes of a schedule: keys, rows, their polynomials, which known set they are, the order of bytes.
fn schedule(keys: &[Byte], rows: &[[u8; 16]; 8], known: bool, old: bool) -> Vec<Byte> {
    let mut anf = [0u32; 16];
    for m in 0..16 {
        anf[m] = (0..8).fold(0, |c, p| c | u32::from(rows[p][m]) << (4 * p));
    }
    for bit in [1, 2, 4, 8] {
        for m in (0..16).filter(|m| m & bit != 0) {
            anf[m] ^= anf[m ^ bit];
        }
    }
    let mut all = keys.to_vec();
    all.extend(numbers(rows.as_flattened()));
    all.extend(anf.iter().flat_map(|w| bytes::<4>((*w).into())));
    all.extend(numbers(&[u8::from(known), if known { 5 } else { 0 }, 0, 0]));
    all.extend(numbers(&[u8::from(old), 0, 0, 0]));
    all
}

/// Rows of no known set.
fn own_rows() -> [[u8; 16]; 8] {
    std::array::from_fn(|i| std::array::from_fn(|x| PI[7 - i][(x * 5 + i) % 16]))
}

/// A cipher: its rows, and the order of bytes of GOST 28147-89.
#[derive(Clone, Copy)]
struct Kind {
    rows: [[u8; 16]; 8],
    old: bool,
}
impl Kind {
    fn of(old: bool) -> Self {
        Kind { rows: if old { own_rows() } else { PI }, old }
    }
    fn apply(&self, keys: &[Byte], block: &[Byte], decrypts: bool, rounds: usize) -> Vec<Byte> {
        let mut block = block.to_vec();
        if self.old {
            block.reverse();
        }
        let mut out = cipher(&self.rows, keys, &block, decrypts, rounds);
        if self.old {
            out.reverse();
        }
        out
    }
    fn schedule(&self, keys: &[Byte]) -> Vec<Byte> {
        schedule(keys, &self.rows, self.rows == PI, self.old)
    }
}

/// Numbers of blocks: of words, then of one to four groups of bytes, whole ones and others; of the widest set, of one to
/// twelve groups of words.
fn blocks(set: &str) -> &'static [usize] {
    match (set, width(set)) {
        ("gfni512", _) => &[1, 2, 16, 17, 32, 40, 64, 110, 128, 140, 160, 170, 192],
        (_, 16) => &[1, 2, 4, 5, 16, 17, 32, 33, 48, 49, 64],
        (_, 32) => &[1, 2, 8, 9, 32, 33, 65, 97, 128],
        _ => &[1, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 192, 200, 256],
    }
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    let forms: &[u32] = if set == "gfni512" { &FORMS } else { &[0] };
    match name {
        "map" => {
            for (k, form) in forms.iter().copied().enumerate() {
                for decrypts in [false, true] {
                    for (i, blocks) in blocks(set).iter().copied().enumerate() {
                        // Of the further forms, one and two blocks; decryption of many, at every other number.
                        if k > 0 && blocks > 2 || decrypts && blocks > 16 && i % 2 == 1 {
                            continue;
                        }
                        // Rows of a known set may go on planes, from half a batch on.
                        let old =
                            (i + usize::from(decrypts)) % 3 == 1 || width(set) == 64 && blocks > 32;
                        let word = if decrypts { "decrypts" } else { "encrypts" };
                        let class = format!("{word} {blocks} blocks, form {form:x}");
                        tasks.add(class, move |c, f| map(c, f, form, decrypts, blocks, old));
                    }
                }
            }
        }
        _ => {}
    }
    // On planes: a part of a batch, a batch and a rest by words or bytes, two batches.
    let on_planes: &[usize] = match set {
        "avx512" => &[300, 552, 769],
        "gfni512" => &[552, 1024],
        _ => &[],
    };
    for blocks in on_planes.iter().copied() {
        match name {
            "map" => {
                let decrypts = blocks % 3 == 0;
                let class = format!("{blocks} blocks on planes, decrypts {decrypts}");
                tasks.add(class, move |c, f| {
                    planes::replace(c, f, PI);
                    map(c, f, 0, decrypts, blocks, false)
                });
            }
            "stream" => {
                for count in 0..4 {
                    let class = format!("{blocks} blocks on planes, count {count}");
                    let kind = Kind { rows: PI, old: count == 3 };
                    tasks.add(class, move |c, f| {
                        planes::replace(c, f, PI);
                        stream(c, f, (0, kind), blocks, count, 0x1234_5678_ffff_fffd)
                    });
                }
            }
            _ => {}
        }
    }
    match name {
        "stream" => {
            // Carries over every byte and over both halves.
            const STARTS: [u64; 7] = [
                5,
                0xffff_ffff,
                u64::MAX,
                u64::MAX - 1,
                0x1234_5678_ffff_fffd,
                0xffff_fffe_1234_5678,
                0x00ff_ffff_ffff_fff8,
            ];
            let (form, width) = (forms[0], width(set));
            for (i, blocks) in blocks(set).iter().copied().enumerate() {
                for count in 0..4 {
                    // All counts of whole groups; of others, in turn.
                    if blocks % width.min(16) != 0 && blocks > 2 && i % 4 != usize::from(count) {
                        continue;
                    }
                    let start = STARTS[(i + 2 * usize::from(count)) % STARTS.len()];
                    let class =
                        format!("{blocks} blocks, count {count} from {start:x}, form {form:x}");
                    // Count 3 is RFC 5830's, section 6.
                    let kind = Kind::of(count == 3 || width > 16 && blocks > 32);
                    tasks.add(class, move |c, f| stream(c, f, (form, kind), blocks, count, start));
                }
            }
        }
        "sections" if set == "gfni512" => {
            // By words, whole sections of 128 blocks, two or more.
            for (old, blocks, done) in [(false, 300, 256), (true, 256, 256), (false, 200, 0)] {
                let class = format!("{blocks} blocks by words, old {old}");
                tasks.add(class, move |c, f| sections(c, f, old, blocks, done));
            }
        }
        "products" => {
            // By words, whole batches of 192 blocks, three or more.
            const CLASSES: [(u32, bool, usize, usize, usize); 4] = [
                (FORMS[0], true, 0, 385, 384),
                (FORMS[0], false, 5, 580, 571),
                (FORMS[0], false, 0, 384, 0),
                (0, false, 0, 385, 0),
            ];
            for (form, old, before, blocks, done) in CLASSES {
                let class = format!("{before} and {blocks} blocks, old {old}, form {form:x}");
                let form = (form, Kind::of(old));
                tasks.add(class, move |c, f| products(c, f, form, before, [blocks, done]));
            }
        }
        "lanes" => chains::tasks::<Kind>(tasks, set),
        "prepare" => {
            for old in [false, true] {
                tasks.add(format!("order {old}"), move |c, f| prepare(c, f, old));
            }
        }
        _ => {}
    }
}

fn map(c: &mut Call, f: usize, form: u32, decrypts: bool, blocks: usize, old: bool) -> Or<()> {
    let kind = Kind::of(old);
    let (keys, text) = (vars(32), vars(8 * blocks));
    let want = text.chunks(8).flat_map(|b| kind.apply(&keys, b, decrypts, 32)).collect();
    let schedule = c.reads("schedule", &kind.schedule(&keys), 0);
    let from = c.reads("text", &text, blocks as u64 * 11 % 64);
    let to = c.writes("result", want, blocks as u64 * 5 % 64);
    let data = in_out(c, from, to, 8 * blocks);
    choices(c, form);
    c.run(f, &[schedule, decrypts.into(), data])
}

fn stream(
    c: &mut Call,
    f: usize,
    (form, kind): (u32, Kind),
    blocks: usize,
    count: u8,
    start: u64,
) -> Or<()> {
    // The register of count 3 is stepped before it is used, and is two numbers of four bytes.
    let (keys, text) = (vars(32), vars(8 * blocks));
    let (mut counter, mut want) = (start, Vec::new());
    let of = |counter: u64| {
        numbers(&if count == 3 { counter.to_le_bytes() } else { counter.to_be_bytes() })
    };
    for block in text.chunks(8) {
        let now = counter;
        counter = match count {
            0 => counter.wrapping_add(1),
            1 => counter & !0xffff_ffff | u64::from((counter as u32).wrapping_add(1)),
            2 => counter.wrapping_add(1 << 32),
            _ => {
                let low = (counter as u32).wrapping_add(0x0101_0101);
                let high = (counter >> 32) + 0x0101_0104;
                u64::from(low) | (high + (high >> 32)) << 32
            }
        };
        let used = if count == 3 { counter } else { now };
        want.extend(xor(&kind.apply(&keys, &of(used), false, 32), block));
    }
    let schedule = c.reads("schedule", &kind.schedule(&keys), 0);
    let counter = c.updates("counter", &of(start), of(counter), 1);
    let from = c.reads("text", &text, blocks as u64 % 64);
    let to = c.writes("result", want, 5);
    let data = in_out(c, from, to, 8 * blocks);
    choices(c, form);
    c.run(f, &[schedule, counter, count.into(), data])
}

/// CTR-ACPKM (RFC 8645, section 6.2.2) in sections of 128 blocks, each under the next key; in place.
fn sections(c: &mut Call, f: usize, old: bool, blocks: usize, done: usize) -> Or<()> {
    const SECTION: usize = 128;
    let kind = Kind::of(old);
    let (mut keys, text, start) = (vars(32), vars(8 * blocks), 0xffff_ff80_ffff_ff01u64);
    let (before, mut counter, mut want) = (kind.schedule(&keys), start, Vec::new());
    for (i, block) in text.chunks(8).take(done).enumerate() {
        if i > 0 && i % SECTION == 0 {
            let d = numbers(&std::array::from_fn::<u8, 32, _>(|i| 0x80 + i as u8));
            let next: Vec<Byte> =
                d.chunks(8).flat_map(|d| kind.apply(&keys, d, false, 32)).collect();
            keys = words(&next, old);
        }
        let gamma = kind.apply(&keys, &numbers(&counter.to_be_bytes()), false, 32);
        want.extend(xor(&gamma, block));
        counter = counter.wrapping_add(1);
    }
    want.extend(&text[8 * done..]);
    let schedule = c.updates("schedule", &before, kind.schedule(&keys), 0);
    let [start, end] = [start, counter].map(|n| numbers(&n.to_be_bytes()));
    let counter = c.updates("counter", &start, end, 3);
    let at = c.updates("text", &text, want, 7);
    let data = in_out(c, at, at, 8 * blocks);
    choices(c, FORMS[0]);
    c.returns(8 * done as u64, f, &[schedule, counter, 8 * SECTION as u64, data])
}

/// MGM's products of blocks by encrypted counters (RFC 9058, section 4.1), those that wait before the others.
fn products(
    c: &mut Call,
    f: usize,
    (form, kind): (u32, Kind),
    before: usize,
    [blocks, done]: [usize; 2],
) -> Or<()> {
    let keys = vars(32);
    let (text, old) = (vars(8 * (before + blocks)), vars(8));
    let (mut counter, mut sum) = (0xffff_fff0_1234_5678u64, old.clone());
    let start = numbers(&counter.to_be_bytes());
    let all = if done > 0 { before + done } else { 0 };
    for block in text.chunks(8).take(all) {
        let h = kind.apply(&keys, &numbers(&counter.to_be_bytes()), false, 32);
        sum = xor(&sum, &reversed(&product(&reversed(&h), &reversed(block))?));
        counter = counter.wrapping_add(1 << 32);
    }
    let schedule = c.reads("schedule", &kind.schedule(&keys), 0);
    let counter = c.updates("counter", &start, numbers(&counter.to_be_bytes()), 3);
    let waiting = c.reads("waiting blocks", &text[..8 * before], 1);
    let rest = c.reads("blocks", &text[8 * before..], 5);
    let sum = c.updates("sum", &old, sum, 9);
    choices(c, form);
    let lens = [before, blocks].map(|n| 8 * n as u64);
    let arguments = [schedule, counter, waiting, lens[0], rest, lens[1], sum];
    c.returns(8 * done as u64, f, &arguments)
}

fn prepare(c: &mut Call, f: usize, old: bool) -> Or<()> {
    let kind = Kind::of(old);
    let key = vars(32);
    let want = kind.schedule(&words(&key, old));
    let before = kind.schedule(&vars(32));
    let key = c.reads("key", &key, 1);
    let schedule = c.updates("schedule", &before, want, 0);
    c.run(f, &[key, schedule])
}

/// A key's words; the old order of bytes has them as they are.
fn words(key: &[Byte], old: bool) -> Vec<Byte> {
    let word = |word: &[Byte]| {
        let mut word = word.to_vec();
        if !old {
            word.reverse();
        }
        word
    };
    key.chunks(4).flat_map(word).collect()
}

impl Chained for Kind {
    const BLOCK: usize = 8;
    const FORMS_OF_MANY: bool = false;
    fn forms(set: &str) -> &'static [u32] {
        if set == "gfni512" { &FORMS } else { &[0] }
    }
    fn lanes(set: &str) -> &'static [usize] {
        match (set, width(set)) {
            ("gfni512", _) => &[1, 2, 16, 17, 40, 112, 176, 240],
            ("portable", _) => &[1, 2, 3, 4],
            (_, 16) => &[1, 2, 4, 5, 17, 33, 64],
            (_, 32) => &[1, 2, 8, 9, 33, 65, 128],
            _ => &[1, 2, 8, 9, 16, 17, 33, 65, 129, 193, 256],
        }
    }
    fn chains(old: bool, lanes: usize) -> &'static [usize] {
        match (old, lanes) {
            (true, ..=16) => &[4],
            (true, _) => &[],
            _ => &[0, 1, 2, 3],
        }
    }
    fn lengths(lanes: usize, chain: usize) -> usize {
        match (lanes < 5, chain) {
            (true, 3 | 4) => 3,
            (true, _) => 17,
            // Of many lanes, more would be sums of more terms than the domain holds.
            (_, 1) if lanes > 16 => 3,
            (_, 1) => 9,
            _ => 1,
        }
    }
    fn new(old: bool) -> Self {
        Kind::of(old)
    }
    fn schedule(&self) -> (Vec<Byte>, Vec<Byte>) {
        let keys = vars(32);
        (Kind::schedule(self, &keys), keys)
    }
    fn encrypt(&self, keys: &[Byte], block: &[Byte], rounds: usize) -> Vec<Byte> {
        self.apply(keys, block, false, rounds)
    }
}
