//! Magma's functions, by words; and the key.

use super::chains::{self, Chained};
use super::{Tasks, apart, of_x86, planes, width};
use crate::bytes::{Shift, bytes, shift};
use crate::call::Call;
use crate::domain::{Byte, ZERO, vars};
use crate::machine::Or;
use crate::standard::magma::{PI, cipher};
use crate::standard::numbers;

/// Words, not planes, for blocks and gamma; one stream in each of three forms.
const FORMS: [u32; 3] = [0x1400, 0x5400, 0x9400];

/// The bytes of a schedule: keys, rows, their polynomials, which known set they are, the order of bytes.
fn schedule(keys: &[Byte], rows: &[[u8; 16]; 8], old: bool) -> Vec<Byte> {
    let known = planes::set_of(rows);
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
    all.extend(numbers(&[u8::from(known.is_some()), known.unwrap_or(0) as u8, 0, 0]));
    all.extend(numbers(&[u8::from(old), 0, 0, 0]));
    all
}

/// Rows of no known set.
fn own_rows() -> [[u8; 16]; 8] {
    std::array::from_fn(|i| std::array::from_fn(|x| PI[7 - i][(x * 5 + i) % 16]))
}

/// A cipher: its rows, and the order of bytes of GOST 28147-89.
#[derive(Clone, Copy)]
pub struct Kind {
    rows: [[u8; 16]; 8],
    old: bool,
}
impl Kind {
    pub fn of(old: bool) -> Self {
        Kind { rows: if old { own_rows() } else { PI }, old }
    }
    /// Kinds that lie side by side: a kernel does the lanes of one kind together. Of two known sets, and of two others; both
    /// orders of bytes of one set.
    fn mixed() -> Vec<Self> {
        let mut others = own_rows();
        others.reverse();
        let a = Kind { rows: planes::rows(1).unwrap_or(PI), old: true };
        let (known, own) = (Kind::of(false), Kind::of(true));
        let [turned, others] = [PI, others].map(|rows| Kind { rows, old: true });
        vec![known, known, known, turned, a, a, own, own, others]
    }
}

impl Kind {
    /// The schedule of a key, and a block under its words.
    pub fn schedule_of(&self, key: &[Byte]) -> Vec<Byte> {
        self.schedule(&self.keys(key))
    }
    pub fn block(&self, words: &[Byte], block: &[Byte], decrypts: bool) -> Vec<Byte> {
        self.apply(words, block, decrypts, 32)
    }
}

/// Numbers of blocks: for words, then for one to four groups of bytes, whole groups and others; for the widest set, for
/// one to twelve groups of words.
fn blocks(set: &str) -> &'static [usize] {
    match (set, width(set)) {
        ("gfni512", _) => &[1, 2, 16, 17, 32, 40, 64, 110, 128, 140, 160, 170, 192],
        ("portable", _) => &[1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 48, 49, 64],
        (_, 16) => &[1, 2, 4, 5, 16, 17, 32, 33, 48, 49, 64],
        (_, 32) => &[1, 2, 8, 9, 32, 33, 65, 97, 128],
        _ => &[1, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 192, 200, 256],
    }
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    match name {
        "map" => maps(tasks, set),
        "stream" => streams(tasks, set),
        "sections" if matches!(set, "gfni512" | "avx512") => sections(tasks, set),
        "products" => products(tasks),
        "lanes" => {
            chains::tasks::<Kind>(tasks, set);
            for (chain, word) in chains::WORDS.into_iter().enumerate().filter(|_| of_x86(set)) {
                let class = format!("{word}, 12 lanes of 2 blocks, of five kinds");
                tasks.add(class, move |c, f| {
                    let kinds = (Kind::forms("")[0], &Kind::mixed()[..]);
                    chains::lanes_of(c, f, kinds, chain, [12, 2, 12])
                });
            }
        }
        "all_rounds" => {
            for (groups, own, rounds) in [(2, true, 32), (4, true, 32), (8, true, 32)]
                .into_iter()
                .chain([(4, true, 0), (8, true, 0), (4, false, 0), (8, false, 0), (10, false, 0)])
            {
                let word = if own { "keys of lanes" } else { "one key" };
                let class = format!("{groups} groups back under {word}, {rounds} rounds");
                tasks.add(class, move |c, f| groups_back(c, f, groups, own, rounds));
            }
        }
        "prepare" => {
            for old in [false, true] {
                tasks.add(format!("order {old}"), move |c, f| prepare(c, f, old));
            }
        }
        _ => {}
    }
    on_planes(tasks, set, name);
    if of_x86(set) {
        further(tasks, set, name);
    }
}

/// Calls that reach what the others leave: the other order of bytes for all counts, places of the text that the others have in
/// turn, further numbers of lanes.
fn further(tasks: &mut Tasks, set: &str, name: &str) {
    let form = Kind::forms(set)[0];
    if name == "lanes" {
        [1, 2, 20].into_iter().for_each(|n| chains::add_otherwise::<Kind>(tasks, form, 0, n, 0));
        if !matches!(set, "gfni512" | "portable") {
            chains::add_otherwise::<Kind>(tasks, form, 4, 4 * width(set) - 8, 1);
        }
    }
    let all: &[usize] = match (set, width(set)) {
        ("gfni512", _) => &[3, 18, 40, 70, 192],
        ("portable", _) => &[2, 5, 18],
        (_, 16) => &[3, 6, 18, 36],
        (_, 32) => &[3, 10, 34, 70],
        _ => &[3, 10, 20, 66, 130],
    };
    for (i, n) in all.iter().copied().enumerate() {
        match name {
            "map" => {
                for (old, decrypts) in [(false, i % 2 == 0), (true, i % 2 == 1)] {
                    let word = if decrypts { "decrypts" } else { "encrypts" };
                    let class =
                        format!("{word} {n} blocks, old {old}, form {form:x}, placed otherwise");
                    tasks.add(class, move |c, f| {
                        c.placed_otherwise = true;
                        chains::map(c, f, (form, Kind::of(old)), decrypts, n)
                    });
                }
            }
            "stream" => {
                for (old, count) in [(true, 0), (true, 1), (true, 2), (true, 3), (false, 0)] {
                    let class = format!(
                        "{n} blocks, old {old}, count {count}, form {form:x}, placed otherwise"
                    );
                    tasks.add(class, move |c, f| {
                        c.placed_otherwise = true;
                        let start = 0xffff_fffe_ffff_fffd;
                        chains::stream(c, f, (form, Kind::of(old)), n, count, start)
                    });
                }
            }
            "lanes" => {
                for chain in 0..5 {
                    chains::add_otherwise::<Kind>(tasks, form, chain, n, 1);
                }
            }
            _ => {}
        }
    }
}

/// Adds a call of blocks.
fn map(tasks: &mut Tasks, form: u32, old: bool, decrypts: bool, blocks: usize) {
    let word = if decrypts { "decrypts" } else { "encrypts" };
    let class = format!("{word} {blocks} blocks, form {form:x}");
    tasks.add(class, move |c, f| chains::map(c, f, (form, Kind::of(old)), decrypts, blocks));
}

fn maps(tasks: &mut Tasks, set: &str) {
    for (k, form) in Kind::forms(set).iter().copied().enumerate() {
        for decrypts in [false, true] {
            for (i, blocks) in blocks(set).iter().copied().enumerate() {
                // The further forms only for one and two blocks; decryption of many blocks only at every other number.
                let other = i % 2 == 1 && (width(set), blocks) != (32, 33);
                if k > 0 && blocks > 2 || decrypts && blocks > 16 && other {
                    continue;
                }
                // Rows of a known set may go on planes, from half a batch on.
                let old = (i + usize::from(decrypts)) % 3 == 1 || width(set) == 64 && blocks > 32;
                map(tasks, form, old, decrypts, blocks);
            }
        }
    }
}

/// Adds a call of gamma; the number says where the counter starts.
fn stream(tasks: &mut Tasks, i: usize, form: u32, old: bool, count: u8, blocks: usize) {
    // Carries over every byte and over both halves.
    const STARTS: [u128; 7] = [
        5,
        0xffff_ffff,
        u64::MAX as u128,
        u64::MAX as u128 - 1,
        0x1234_5678_ffff_fffd,
        0xffff_fffe_1234_5678,
        0x00ff_ffff_ffff_fff8,
    ];
    let start = STARTS[(i + 2 * usize::from(count)) % STARTS.len()];
    let class = format!("{blocks} blocks, count {count} from {start:x}, form {form:x}");
    tasks.add(class, move |c, f| chains::stream(c, f, (form, Kind::of(old)), blocks, count, start));
}

fn streams(tasks: &mut Tasks, set: &str) {
    let (form, width) = (Kind::forms(set)[0], width(set));
    for (i, blocks) in blocks(set).iter().copied().enumerate() {
        for count in 0..4 {
            // All counts of whole groups; of others, in turn.
            let whole = blocks % width.min(16) == 0 || (width, blocks) == (32, 33);
            if whole || blocks <= 2 || i % 4 == usize::from(count) {
                // Count 3 is RFC 5830's, section 6.
                let old = count == 3 || width > 16 && blocks > 33;
                stream(tasks, i, form, old, count, blocks);
            }
        }
    }
}

/// Words process whole sections of 128 blocks, two or more; planes sections of 64, 128 and 256 blocks, whole batches of 512
/// and a batch that is filled by half.
fn sections(tasks: &mut Tasks, set: &str) {
    let words: &[(bool, usize, usize)] = match set {
        "gfni512" => &[(true, 300, 256), (true, 256, 256), (false, 200, 0), (false, 300, 256)],
        _ => &[(true, 300, 0)],
    };
    let mut add = |class: String, (form, kind): (u32, Kind), sizes: [usize; 3], planes: bool| {
        tasks.add(class, move |c, f| {
            if planes {
                planes::replace(c, f, PI)?;
            }
            let [section, blocks, done] = sizes;
            let (start, form) = (0xffff_ff80_ffff_ff01, (form, kind));
            chains::sections(c, f, form, section, [blocks, done], start)?;
            if planes { apart::were_used(c) } else { Ok(()) }
        });
    };
    for (old, blocks, done) in words.iter().copied() {
        let class = match (old, done) {
            (false, 1..) => format!("{blocks} blocks by words of RFC 8891, form {:x}", FORMS[0]),
            _ => format!("{blocks} blocks by words, old {old}"),
        };
        add(class, (FORMS[0], Kind::of(old)), [128, blocks, done], false);
    }
    for (section, blocks, done, old) in [
        (256, 768, 768, false),
        (128, 700, 512, false),
        (64, 840, 832, false),
        (256, 768, 768, true),
    ] {
        let word = if old { ", old true" } else { "" };
        let class = format!("{blocks} blocks in sections of {section}{word}, form 0, on planes");
        add(class, (0, Kind { rows: PI, old }), [section, blocks, done], true);
    }
    for (old, section) in [(true, 128), (false, 32)] {
        let class = format!("600 blocks in sections of {section}, old {old}, form 0");
        add(class, (0, Kind::of(old)), [section, 600, 0], false);
    }
}

/// Words process whole batches of 192 blocks, three or more.
fn products(tasks: &mut Tasks) {
    const CLASSES: [(u32, bool, usize, usize, usize); 4] = [
        (FORMS[0], true, 0, 385, 384),
        (FORMS[0], false, 5, 580, 571),
        (FORMS[0], false, 0, 384, 0),
        (0, false, 0, 385, 0),
    ];
    for (form, old, before, blocks, done) in CLASSES {
        let class = format!("{before} and {blocks} blocks, old {old}, form {form:x}");
        let form = (form, Kind::of(old));
        tasks.add(class, move |c, f| {
            chains::products(c, f, form, before, [blocks, done], 0xffff_fff0_1234_5678)
        });
    }
}

/// On planes: a part of a batch, a batch and a rest by words or bytes, two batches.
fn on_planes(tasks: &mut Tasks, set: &str, name: &str) {
    let numbers: &[usize] = match set {
        "avx512" => &[300, 769],
        "gfni512" => &[552, 1024],
        "portable" => &[97, 257, 340],
        _ => &[],
    };
    for (i, blocks) in numbers.iter().copied().enumerate() {
        match name {
            "map" => {
                let decrypts = i == 0;
                let class = format!("{blocks} blocks on planes, decrypts {decrypts}");
                tasks.add(class, move |c, f| {
                    planes::replace(c, f, PI)?;
                    chains::map(c, f, (0, Kind::of(false)), decrypts, blocks)?;
                    apart::were_used(c)
                });
            }
            // Lanes under keys of their own.
            "lanes" if set == "portable" => {
                for chain in if i == 0 { 0..3 } else { 0..1 } {
                    let class =
                        format!("{}, {blocks} lanes of 2 blocks on planes", chains::WORDS[chain]);
                    tasks.add(class, move |c, f| {
                        planes::replace(c, f, PI)?;
                        chains::lanes::<Kind>(c, f, (0, false), chain, [blocks, 2, blocks])?;
                        apart::were_used(c)
                    });
                }
            }
            "stream" => {
                for count in 0..4 {
                    let class = format!("{blocks} blocks on planes, count {count}");
                    let kind = Kind { rows: PI, old: count == 3 };
                    tasks.add(class, move |c, f| {
                        planes::replace(c, f, PI)?;
                        chains::stream(c, f, (0, kind), blocks, count, 0x1234_5678_ffff_fffd)?;
                        apart::were_used(c)
                    });
                }
            }
            _ => {}
        }
    }
}

/// Calls of numbers of blocks and lanes up to several batches, of both kinds, to be run on numbers.
pub fn every(tasks: &mut Tasks, set: &str, name: &str) {
    let batch = if set == "gfni512" { 64 } else { width(set) };
    let numbers: Vec<usize> = (1..=40).chain((41..=5 * batch + 17).step_by(3)).collect();
    for (k, form) in Kind::forms(set).iter().copied().enumerate() {
        for old in [false, true] {
            for n in numbers.iter().copied().filter(|n| k == 0 || *n <= 2) {
                match name {
                    "map" => [false, true].iter().for_each(|d| map(tasks, form, old, *d, n)),
                    "stream" => (0..4).for_each(|count| stream(tasks, n, form, old, count, n)),
                    "lanes" => {
                        let all: &[usize] = if old { &[0, 1, 2, 3, 4] } else { &[0, 1, 2, 3] };
                        chains::every::<Kind>(tasks, form, old, n, all, &[1, 9, 17]);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Go's schedules before their keys, of the S-boxes of RFC 8891 and of the made-up set.
pub fn boxes(tasks: &mut Tasks) {
    for old in [false, true] {
        tasks.add(format!("order {old}"), move |c, f| {
            let kind = Kind::of(old);
            let rows = c.reads("rows", &numbers(kind.rows.as_flattened()), 1);
            let all = kind.schedule(&numbers(&[0; 32]));
            let room = c.leaves("schedule", all.len());
            // Without the number of a set that is not known, and what fills words.
            for part in [0..225, 225..226, 228..229] {
                if part.start != 225 || !old {
                    c.wants("schedule", room + part.start as u64, &all[part]);
                }
            }
            c.returns(1, f, &[room, rows, old.into()])
        });
    }
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

/// The rounds of groups of 16 blocks in words, N1 and N2 of each rotated by 11 bits to the right, with the keys of decryption: a
/// key in each lane, which no chain decrypts with; or no round at all, which no kernel asks for.
fn groups_back(c: &mut Call, f: usize, groups: usize, own: bool, rounds: usize) -> Or<()> {
    const LANES: usize = 16;
    let mut old = vec![ZERO; 128 * groups];
    let (mut new, mut words) = (old.clone(), vec![ZERO; 512 * groups]);
    let one = vars(32);
    for (g, l) in (0..groups).flat_map(|g| (0..LANES).map(move |l| (g, l))) {
        let (halves, key) = ([vars(4), vars(4)], if own { vars(32) } else { one.clone() });
        let turned = |half: &[Byte], by: u32| shift(half, Shift::Around, by);
        let reversed = |half: &[Byte]| half.iter().rev().copied().collect::<Vec<_>>();
        // The right half comes first here, and each lowest byte.
        let block = [1, 0].map(|i| reversed(&turned(&halves[i], 11))).concat();
        let out = cipher(&PI, &key, &block, true, rounds);
        for (i, half) in [&out[4..], &out[..4]].into_iter().enumerate() {
            let at = 128 * g + 64 * i + 4 * l;
            old[at..at + 4].copy_from_slice(&halves[i]);
            new[at..at + 4].copy_from_slice(&turned(&reversed(half), 21));
        }
        for (k, word) in key.chunks(4).enumerate() {
            words[64 * (groups * k + g) + 4 * l..][..4].copy_from_slice(word);
        }
    }
    // S-boxes of the low and of the high halves of four bytes, and what makes an index of a byte of a word.
    let boxes = |high: usize| (0..64).map(move |i| PI[i / 16 * 2 + high][i % 16] << (4 * high));
    let index = (0..64).map(|_| 15).chain((0..64).map(|i| (i % 4 * 16) as u8));
    let tables: Vec<u8> = boxes(0).chain(boxes(1)).chain(index).collect();
    let (tables, at) = (c.reads("tables", &numbers(&tables), 0), c.updates("groups", &old, new, 0));
    // Eight words in each lane of each group and their number; or an address of eight words, after 0.
    let keys = match own {
        true => [c.reads("keys of lanes", &words, 0), 8 * groups as u64],
        false => [0, c.reads("key", &one, 0)],
    };
    let keys = c.words("keys", &keys);
    c.run(f, &[tables, at, groups as u64, keys, 1, rounds as u64])
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
            ("portable", _) => &[1, 2, 3, 4, 17],
            (_, 16) => &[1, 2, 4, 5, 16, 17, 33, 64],
            (_, 32) => &[1, 2, 8, 9, 33, 65, 128],
            _ => &[1, 2, 8, 9, 16, 17, 33, 65, 129, 193, 256],
        }
    }
    fn chains(old: bool, lanes: usize) -> &'static [usize] {
        match (old, lanes) {
            (true, ..=2) => &[0, 1, 2, 3, 4],
            (true, 9 | 33) => &[0, 1, 2, 4],
            (true, 5 | 64 | 65 | 128 | 129 | 193 | 256) => &[2, 4],
            (true, _) => &[4],
            _ => &[0, 1, 2, 3],
        }
    }
    fn lengths(lanes: usize, chain: usize) -> usize {
        match (lanes < 5, chain) {
            (true, 3 | 4) => 3,
            // Two whole rows of eight blocks; in other chains one block more.
            (_, 2) if lanes <= 16 => 16,
            (true, _) => 17,
            // A row of eight blocks and a block more. For many lanes, that would be more sums than the domain holds.
            (_, 1) if lanes > 16 => 3,
            (_, 0 | 1) if lanes < 128 => 9,
            _ => 1,
        }
    }
    fn long(set: &str) -> &'static [(usize, usize)] {
        // Whole rows of eight blocks for one to sixteen groups: at the beginning, within and at the end.
        match set {
            "gfni512" => &[(17, 16), (40, 16), (112, 16), (176, 16), (240, 16)],
            _ => &[],
        }
    }
    fn new(old: bool) -> Self {
        Kind::of(old)
    }
    fn fresh() -> Vec<Byte> {
        vars(32)
    }
    fn keys(&self, key: &[Byte]) -> Vec<Byte> {
        words(key, self.old)
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
        schedule(keys, &self.rows, self.old)
    }
}
