//! Kuznyechik's functions.

use super::chains::{self, Chained};
use super::{Tasks, apart, bitslice, choices, of_x86, width};
use crate::call::Call;
use crate::domain::{self, Byte, combined, table, vars};
use crate::machine::Or;
use crate::standard::kuznyechik::{Cipher, POWERS};
use crate::standard::times;

/// All choices of the second form: pairs of quarters of tables, one stream in 256 bits.
const SECOND: u32 = 0x155;

/// Numbers of blocks: a single block; few, in one to four vectors; a part of a batch; a batch; a batch and a part.
fn blocks(set: &str) -> &'static [usize] {
    match width(set) {
        // Single blocks; then, for decryption, a part of a batch of 64 on planes, which `lanes` encrypts.
        _ if set == "portable" => &[1, 2, 6, 0],
        16 => &[1, 2, 3, 4, 5, 16, 21, 0],
        32 => &[1, 2, 3, 5, 7, 15, 32, 47, 0],
        _ => &[1, 2, 5, 9, 13, 37, 64, 0],
    }
}

/// Numbers of keys: a single schedule; schedules in one, two and four vectors; side by side; and a schedule more.
fn keys(set: &str) -> &'static [usize] {
    match set {
        "portable" => &[2],
        "gfni512" => &[1, 2, 3, 4, 5, 6, 8, 9, 11, 16, 41],
        "avx512" => &[1, 2, 3, 4, 5, 6, 8, 9, 11, 16, 31],
        _ if width(set) == 16 => &[1, 2, 3, 4, 5, 15, 16],
        _ => &[1, 2, 3, 4, 7, 8, 15, 32],
    }
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    match name {
        "few" if set.is_empty() => {
            for (len, done) in [(0, 128), (257, 256)] {
                for decrypts in [false, true] {
                    let word = if decrypts { "decrypts" } else { "encrypts" };
                    let class = format!("{word} {done} bytes where {len} are asked for");
                    tasks.add(class, move |c, f| few(c, f, decrypts, [len, done]));
                }
            }
        }
        "map" => maps(tasks, set, blocks(set), if set == "portable" { 2 } else { usize::MAX }),
        "stream" => {
            // The widest kernel works by windows of 256 counters, and by pairs of batches.
            let long: &[usize] = if set == "gfni512" { &[150] } else { &[] };
            let all = blocks(set).iter().chain(long).copied().enumerate();
            let all = all.filter(|(_, n)| set != "portable" || *n <= 2);
            streams(tasks, set, all.map(|(i, n)| (i, n, (i * 2 % 3) as u8)));
        }
        "prepare" => {
            for form in Chains::forms(set).iter().copied() {
                tasks.add(format!("form {form:x}"), move |c, f| prepare(c, f, form));
            }
        }
        "lanes" => chains::tasks::<Chains>(tasks, set),
        "next_keys" => {
            for (form, keys) in [(0, 1), (SECOND, 1), (0, 2)] {
                let word = if keys == 1 { "one key".to_string() } else { format!("{keys} keys") };
                let class = format!("{word}, form {form:x}");
                tasks.add(class, move |c, f| next_keys(c, f, form, keys));
            }
        }
        "sections" => sections(tasks),
        "products" => products(tasks),
        "schedules" => {
            for keys in keys(set).iter().copied() {
                tasks.add(format!("{keys} keys"), move |c, f| schedules(c, f, keys));
            }
        }
        _ => {}
    }
    if set == "portable" {
        if name == "lanes" {
            chains::add_otherwise::<Chains>(tasks, 0, 0, 2, 0);
        }
        on_planes(tasks, name);
    } else if of_x86(set) {
        further(tasks, set, name);
    }
}

/// Calls that reach what the others leave: all counts, places of the text that the others have in turn, further numbers of lanes.
fn further(tasks: &mut Tasks, set: &str, name: &str) {
    for form in Chains::forms(set).iter().copied() {
        match name {
            "map" => {
                for (n, decrypts) in [(1, false), (2, false), (5, true), (6, true)] {
                    let word = if decrypts { "decrypts" } else { "encrypts" };
                    let class = format!("{word} {n} blocks, form {form:x}, placed otherwise");
                    tasks.add(class, move |c, f| {
                        c.placed_otherwise = true;
                        chains::map(c, f, (form, Chains::new(false)), decrypts, n)
                    });
                }
            }
            "stream" => {
                for (n, count) in [1, 4, 5, 10].into_iter().flat_map(|n| [(n, 0), (n, 1), (n, 2)]) {
                    let class =
                        format!("{n} blocks, count {count}, form {form:x}, placed otherwise");
                    tasks.add(class, move |c, f| {
                        c.placed_otherwise = true;
                        let form = (form, Chains::new(false));
                        chains::stream(c, f, form, n, count, u128::MAX << 64 | 0x7ffe)
                    });
                }
            }
            "lanes" => {
                let wide = width(set) / 16;
                for n in [wide + 1, 3 * wide, 4 * wide, 4 * wide + 2] {
                    for chain in 0..4 {
                        chains::add_otherwise::<Chains>(tasks, form, chain, n, 1);
                    }
                }
                for chain in [0, 2] {
                    chains::add_otherwise::<Chains>(tasks, form, chain, width(set), 1);
                }
                for n in [1, wide, 4 * wide, width(set)] {
                    chains::add_otherwise::<Chains>(tasks, form, 0, n, 0);
                }
            }
            _ => {}
        }
    }
}

/// Vectors of few blocks in the field of AES: at a length that no kernel asks for, two vectors or all four are done.
fn few(c: &mut Call, f: usize, decrypts: bool, [len, done]: [usize; 2]) -> Or<()> {
    let (cipher, keys, text) = (Cipher::new(), vars(160), vars(256));
    let of = |block: &[Byte]| match decrypts {
        false => cipher.encrypt(&keys, block),
        true => cipher.decrypt(&keys, block),
    };
    let mut want: Vec<Byte> = text[..done].chunks(16).flat_map(of).collect();
    want.extend(&text[done..]);
    // x becomes the least root of the polynomial of the standard's field there.
    let product = |a: u8, b: u8| times(a, b, 0x1b);
    let powers = |root: u8| -> Vec<u8> {
        std::iter::successors(Some(1), |p| Some(product(*p, root))).take(9).collect()
    };
    let sum = |of: u8, powers: &[u8]| (0..8).fold(0, |s, i| s ^ (powers[i] * (of >> i & 1)));
    let root = (2..=255).map(powers).find(|p| p[8] == sum(POWERS, p)).unwrap_or_default();
    let image = table(|x| sum(x, &root));
    let moved = if decrypts {
        keys[16..].chunks(16).flat_map(|k| cipher.inverse.of(k)).collect()
    } else {
        keys[16..].to_vec()
    };
    let keys: Vec<Byte> =
        keys[..16].iter().chain(&moved).map(|k| combined([(image, *k)].into_iter())).collect();
    let (keys, at) = (c.reads("keys", &keys, 0), c.updates("blocks", &text, want, 0));
    c.run(f, &[decrypts.into(), keys, len as u64, at])
}

/// A call with L and L^-1 of planes as proved.
fn with_maps<F: Fn(&mut Call, usize) -> Or<()>>(call: F) -> impl Fn(&mut Call, usize) -> Or<()> {
    move |c, f| {
        bitslice::replace(c, f)?;
        call(c, f)?;
        apart::were_used(c)
    }
}

/// Calls of planes of integers: L and L^-1; a batch and a single block; parts of a batch.
fn on_planes(tasks: &mut Tasks, name: &str) {
    if let Some(k) = bitslice::NAMES.iter().position(|n| *n == name) {
        tasks.add("planes, all columns".into(), move |c, f| bitslice::linear(c, f, k == 1));
    }
    let chains = || Chains::new(false);
    match name {
        "map" => {
            let call = move |c: &mut Call, f: usize| chains::map(c, f, (0, chains()), true, 65);
            tasks.add("decrypts 65 blocks, on planes".into(), with_maps(call));
        }
        "stream" => [6, 7].into_iter().for_each(|n| {
            let call = move |c: &mut Call, f: usize| {
                chains::stream(c, f, (0, chains()), n, 1, u128::MAX - 3)
            };
            tasks.add(format!("{n} blocks, count 1, on planes"), with_maps(call));
        }),
        // CFB has a class of six lanes without this.
        "lanes" => [(0, 6), (2, 6), (3, 6), (3, 7)].into_iter().for_each(|(chain, n)| {
            let call = move |c: &mut Call, f: usize| {
                chains::lanes::<Chains>(c, f, (0, false), chain, [n, 2, n])
            };
            let word = chains::WORDS[chain];
            tasks.add(format!("{word}, {n} lanes of 2 blocks, on planes"), with_maps(call));
        }),
        "schedules" => {
            let call = move |c: &mut Call, f: usize| schedules(c, f, 6);
            tasks.add("6 keys, on planes".into(), with_maps(call));
        }
        _ => {}
    }
}

/// Independent blocks, of these numbers; encrypted at most so many.
fn maps(tasks: &mut Tasks, set: &str, blocks: &[usize], most: usize) {
    for form in Chains::forms(set).iter().copied() {
        for decrypts in [false, true] {
            for blocks in blocks.iter().copied() {
                if !decrypts && blocks > most {
                    continue;
                }
                let word = if decrypts { "decrypts" } else { "encrypts" };
                let class = format!("{word} {blocks} blocks, form {form:x}");
                tasks.add(class, move |c, f| {
                    chains::map(c, f, (form, Chains::new(false)), decrypts, blocks)
                });
            }
        }
    }
}

/// Gamma: the number of a counter's start, the blocks, and what counts.
fn streams(tasks: &mut Tasks, set: &str, all: impl Iterator<Item = (usize, usize, u8)> + Clone) {
    // Carries over every byte, within a batch and at its end; wraps of a half and of the whole.
    const STARTS: [u128; 8] = [
        5,
        u64::MAX as u128,
        u128::MAX,
        u64::MAX as u128 - 3,
        0xffff_ffff_ffff_fff0_0123_4567_89ab_cdef,
        0x00ff_ffff_ffff_fff8,
        0x1234_5678_90ab_cdef_ffff_ffff_ffff_fff0,
        0xfedc_ba98_7654_32ff_ffff_ffff_fffe_ffc1,
    ];
    for form in Chains::forms(set).iter().copied() {
        for (i, blocks, count) in all.clone() {
            let start = STARTS[i % STARTS.len()];
            let class = format!("{blocks} blocks, count {count} from {start:x}, form {form:x}");
            tasks.add(class, move |c, f| {
                chains::stream(c, f, (form, Chains::new(false)), blocks, count, start)
            });
        }
    }
}

/// Whole windows of 256 counters; what is no window, and look-ups by quarters, are left as they are.
fn sections(tasks: &mut Tasks) {
    const STARTS: [u128; 2] = [5, u64::MAX as u128 - 300];
    const CLASSES: [(u32, usize, usize, usize); 4] = [
        (SECOND, 256, 517, 512),
        (SECOND, 512, 1024, 1024),
        (SECOND, 255, 520, 0),
        (0, 256, 512, 0),
    ];
    for (i, (form, section, blocks, done)) in CLASSES.into_iter().enumerate() {
        let class = format!("{blocks} blocks in sections of {section}, form {form:x}");
        let start = STARTS[i % 2];
        tasks.add(class, move |c, f| {
            let form = (form, Chains::new(false));
            chains::sections(c, f, form, section, [blocks, done], start)
        });
    }
}

/// Whole batches of 64 blocks, three or more.
fn products(tasks: &mut Tasks) {
    const CLASSES: [(u32, usize, usize, usize); 5] = [
        (SECOND, 0, 130, 128),
        (SECOND, 5, 330, 315),
        (SECOND, 0, 128, 0),
        (SECOND, 65, 200, 0),
        (0, 1, 200, 0),
    ];
    for (form, before, blocks, done) in CLASSES {
        let class = format!("{before} and {blocks} blocks, form {form:x}");
        let start = u128::MAX << 70 | 0x0123_4567_89ab_cdef;
        tasks.add(class, move |c, f| {
            let form = (form, Chains::new(false));
            chains::products(c, f, form, before, [blocks, done], start)
        });
    }
}

/// Calls of numbers of blocks, lanes and keys up to two batches, to be run on numbers.
pub fn every(tasks: &mut Tasks, set: &str, name: &str) {
    let batch = if set == "portable" { 64 } else { width(set) };
    let numbers: Vec<usize> = (1..=40).chain((41..=2 * batch + 17).step_by(3)).collect();
    match name {
        "map" => maps(tasks, set, &numbers, usize::MAX),
        "stream" => (0..3).for_each(|count| {
            let all = numbers.iter().copied().chain([4 * batch + 3, 20 * batch]).enumerate();
            streams(tasks, set, all.map(move |(i, n)| (i, n, count)));
        }),
        "lanes" => {
            for (form, n) in
                Chains::forms(set).iter().flat_map(|f| numbers.iter().map(move |n| (f, n)))
            {
                chains::every::<Chains>(tasks, *form, false, *n, &[0, 1, 2, 3], &[1, 3]);
            }
        }
        "schedules" => numbers.into_iter().for_each(|n| {
            tasks.add(format!("{n} keys"), move |c, f| schedules(c, f, n));
        }),
        _ => {}
    }
}

/// A round key by names, which the machine's has too, and L^-1 of it: sums of many variables otherwise.
fn named(cipher: &Cipher, key: Vec<Byte>) -> Vec<Byte> {
    let names: Vec<Byte> = key.iter().map(|k| domain::cut(*k)).collect();
    let both = cipher.inverse.of(&key).into_iter().zip(cipher.inverse.of(&names));
    both.for_each(|(long, short)| domain::shorten(long, short));
    names
}

/// Next keys in turn, and the schedule of the last key.
fn next_keys(c: &mut Call, f: usize, form: u32, n: usize) -> Or<()> {
    let (cipher, mut keys) = (Chains::new(false), vars(160));
    let (old, mut all) = (cipher.schedule(&keys), Vec::new());
    for _ in 0..n {
        let key = cipher.next(&keys);
        keys = cipher.0.keys(&key);
        all.extend(key);
    }
    let schedule = c.updates("schedule", &old, cipher.schedule(&keys), 0);
    let all = c.writes("keys", all, 5);
    choices(c, form);
    c.run(f, &[schedule, all, n as u64])
}

struct Chains(Cipher);
impl Chained for Chains {
    const BLOCK: usize = 16;
    const FORMS_OF_MANY: bool = true;
    fn forms(set: &str) -> &'static [u32] {
        if set == "gfni512" { &[0, SECOND] } else { &[0] }
    }
    fn lanes(set: &str) -> &'static [usize] {
        match width(set) {
            _ if set == "portable" => &[1, 6],
            16 => &[1, 2, 3, 4, 5, 16],
            32 => &[1, 2, 3, 5, 7, 15, 32],
            _ => &[1, 2, 4, 5, 9, 13, 33, 64],
        }
    }
    fn chains(old: bool, lanes: usize) -> &'static [usize] {
        match (old, lanes) {
            (true, _) => &[],
            // Only planes of integers have this number.
            (_, 6) => &[1],
            (_, ..=16) => &[0, 1, 2, 3],
            _ => &[1, 3],
        }
    }
    fn lengths(lanes: usize, chain: usize) -> usize {
        if lanes < 16 || lanes < 40 && chain == 1 { 2 } else { 1 }
    }
    fn new(_: bool) -> Self {
        Chains(Cipher::new())
    }
    fn fresh() -> Vec<Byte> {
        vars(160)
    }
    fn keys(&self, key: &[Byte]) -> Vec<Byte> {
        self.0.keys_by(key, |k| named(&self.0, k))
    }
    fn schedule(&self, keys: &[Byte]) -> Vec<Byte> {
        self.0.schedule(keys)
    }
    fn apply(&self, keys: &[Byte], block: &[Byte], decrypts: bool, _: usize) -> Vec<Byte> {
        if decrypts { self.0.decrypt(keys, block) } else { self.0.encrypt(keys, block) }
    }
}

fn schedules(c: &mut Call, f: usize, keys: usize) -> Or<()> {
    let (cipher, mut pointers) = (Cipher::new(), Vec::new());
    for i in 0..keys {
        let key = vars(32);
        let want = cipher.schedule(&cipher.keys(&key));
        pointers.extend([c.reads("key", &key, i as u64), c.writes("schedule", want, 0)]);
    }
    choices(c, 0);
    let list = c.words("keys", &pointers);
    c.run(f, &[list, keys as u64])
}

fn prepare(c: &mut Call, f: usize, forms: u32) -> Or<()> {
    let cipher = Cipher::new();
    let key = vars(32);
    let want = cipher.schedule(&cipher.keys(&key));
    let key = c.reads("key", &key, 1);
    let schedule = c.writes("schedule", want, 0);
    choices(c, forms);
    c.run(f, &[key, schedule])
}
