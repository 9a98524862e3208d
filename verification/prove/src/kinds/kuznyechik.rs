//! Kuznyechik's functions.

use super::chains::{self, Chained};
use super::field::reversed;
use super::{Tasks, choices, in_out, width};
use crate::call::Call;
use crate::domain::{self, Byte, vars};
use crate::machine::Or;
use crate::standard::field::product;
use crate::standard::kuznyechik::Cipher;
use crate::standard::{numbers, xor};

/// All choices of the second form: pairs of quarters of tables, one stream in 256 bits.
const SECOND: u32 = 0x155;

/// Numbers of blocks: one; few, in one to four vectors; a part of a batch; a batch; a batch and a part.
fn blocks(set: &str) -> &'static [usize] {
    match width(set) {
        // One by one; then, for decryption, a part of a batch of 64 on planes, which `lanes` encrypts.
        _ if set == "portable" => &[0, 1, 2, 6],
        16 => &[0, 1, 2, 3, 4, 5, 16, 21],
        32 => &[0, 1, 2, 3, 5, 7, 15, 32, 47],
        _ => &[0, 1, 2, 5, 9, 13, 37, 64],
    }
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    let forms: &[u32] = if set == "gfni512" { &[0, SECOND] } else { &[0] };
    match name {
        "map" => {
            for form in forms.iter().copied() {
                for decrypts in [false, true] {
                    for blocks in blocks(set).iter().copied() {
                        if set == "portable" && blocks > 2 && !decrypts {
                            continue;
                        }
                        let word = if decrypts { "decrypts" } else { "encrypts" };
                        let class = format!("{word} {blocks} blocks, form {form:x}");
                        let after = blocks as u64 * 7;
                        tasks.add(class, move |c, f| map(c, f, form, decrypts, blocks, after));
                    }
                }
            }
        }
        "stream" => {
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
            // The widest kernel works by windows of 256 counters, and by pairs of batches.
            let long: &[usize] = if set == "gfni512" { &[150] } else { &[] };
            for form in forms.iter().copied() {
                for (i, blocks) in blocks(set).iter().chain(long).copied().enumerate() {
                    if set == "portable" && blocks > 2 {
                        continue;
                    }
                    let (count, start) = ((i * 2 % 3) as u8, STARTS[i % STARTS.len()]);
                    let class =
                        format!("{blocks} blocks, count {count} from {start:x}, form {form:x}");
                    tasks.add(class, move |c, f| stream(c, f, form, blocks, count, start));
                }
            }
        }
        "prepare" => {
            for form in forms.iter().copied() {
                tasks.add(format!("form {form:x}"), move |c, f| prepare(c, f, form));
            }
        }
        "lanes" => chains::tasks::<Chains>(tasks, set),
        "next_keys" => {
            for (form, keys) in forms.iter().zip([2, 1]) {
                tasks.add(format!("{keys} keys, form {form:x}"), move |c, f| {
                    next_keys(c, f, *form, keys)
                });
            }
        }
        // Whole windows of 256 counters; what is no window, and look-ups by quarters, are left as they are.
        "sections" => {
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
                tasks.add(class, move |c, f| sections(c, f, form, section, [blocks, done], start));
            }
        }
        // Whole batches of 64 blocks, three or more.
        "products" => {
            const CLASSES: [(u32, usize, usize, usize); 5] = [
                (SECOND, 0, 130, 128),
                (SECOND, 5, 330, 315),
                (SECOND, 0, 128, 0),
                (SECOND, 65, 200, 0),
                (0, 1, 200, 0),
            ];
            for (form, before, blocks, done) in CLASSES {
                let class = format!("{before} and {blocks} blocks, form {form:x}");
                tasks.add(class, move |c, f| products(c, f, form, before, [blocks, done]));
            }
        }
        "schedules" => {
            // One; in one, two and four vectors; side by side; and one more.
            let numbers: &[usize] = match set {
                "portable" => &[2],
                "gfni512" => &[1, 2, 3, 4, 5, 6, 8, 9, 11, 16, 41],
                "avx512" => &[1, 2, 3, 4, 5, 6, 8, 9, 11, 16, 31],
                _ if width(set) == 16 => &[1, 2, 3, 4, 5, 15, 16],
                _ => &[1, 2, 3, 4, 7, 8, 15, 32],
            };
            for keys in numbers.iter().copied() {
                tasks.add(format!("{keys} keys"), move |c, f| schedules(c, f, keys));
            }
        }
        _ => {}
    }
}

/// The next key of ACPKM (RFC 8645, section 6.2.1).
fn next(cipher: &Cipher, keys: &[Byte]) -> Vec<Byte> {
    let d = numbers(&std::array::from_fn::<u8, 32, _>(|i| 0x80 + i as u8));
    d.chunks(16).flat_map(|d| cipher.encrypt(keys, d)).collect()
}

/// A round key by names, which the machine's has too, and L^-1 of it: sums of many variables otherwise.
fn named(cipher: &Cipher, key: Vec<Byte>) -> Vec<Byte> {
    let names: Vec<Byte> = key.iter().map(|k| domain::cut(*k)).collect();
    let (long, short) = (cipher.inverse.of(&key), cipher.inverse.of(&names));
    key.iter()
        .zip(&names)
        .chain(long.iter().zip(&short))
        .for_each(|(l, s)| domain::shorten(*l, *s));
    names
}

/// Next keys, one after the other, and the schedule of the last.
fn next_keys(c: &mut Call, f: usize, form: u32, n: usize) -> Or<()> {
    let (cipher, mut keys) = (Cipher::new(), vars(160));
    let (old, mut all) = (cipher.schedule(&keys), Vec::new());
    for _ in 0..n {
        let key = next(&cipher, &keys);
        keys = cipher.keys(&key);
        all.extend(key);
    }
    let schedule = c.updates("schedule", &old, cipher.schedule(&keys), 0);
    let all = c.writes("keys", all, 5);
    choices(c, form);
    c.run(f, &[schedule, all, n as u64])
}

/// CTR-ACPKM (RFC 8645, section 6.2.2): sections, each under the next key; in place.
fn sections(
    c: &mut Call,
    f: usize,
    form: u32,
    section: usize,
    [blocks, done]: [usize; 2],
    mut counter: u128,
) -> Or<()> {
    let (cipher, mut keys) = (Cipher::new(), vars(160));
    let (old, start, text) = (cipher.schedule(&keys), counter, vars(16 * blocks));
    let mut want = Vec::new();
    for (i, block) in text.chunks(16).take(done).enumerate() {
        if i > 0 && i % section == 0 {
            keys = cipher.keys_by(&next(&cipher, &keys), |k| named(&cipher, k));
        }
        want.extend(xor(&cipher.encrypt(&keys, &numbers(&counter.to_be_bytes())), block));
        counter = counter.wrapping_add(1);
    }
    want.extend(&text[16 * done..]);
    let schedule = c.updates("schedule", &old, cipher.schedule(&keys), 0);
    let [start, counter] = [start, counter].map(|n| numbers(&n.to_be_bytes()));
    let counter = c.updates("counter", &start, counter, 3);
    let at = c.updates("text", &text, want, 7);
    let data = in_out(c, at, at, 16 * blocks);
    choices(c, form);
    c.returns(16 * done as u64, f, &[schedule, counter, 16 * section as u64, data])
}

/// MGM's products of blocks by encrypted counters (RFC 9058, section 4.1), those that wait before the others.
fn products(
    c: &mut Call,
    f: usize,
    form: u32,
    before: usize,
    [blocks, done]: [usize; 2],
) -> Or<()> {
    let (cipher, keys) = (Cipher::new(), vars(160));
    let (text, old) = (vars(16 * (before + blocks)), vars(16));
    let (mut counter, mut sum) = (u128::MAX << 70 | 0x0123_4567_89ab_cdef, old.clone());
    let start = numbers(&counter.to_be_bytes());
    let all = if done > 0 { before + done } else { 0 };
    for block in text.chunks(16).take(all) {
        let h = cipher.encrypt(&keys, &numbers(&counter.to_be_bytes()));
        sum = xor(&sum, &reversed(&product(&reversed(&h), &reversed(block))?));
        counter = step(counter, 2);
    }
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let counter = c.updates("counter", &start, numbers(&counter.to_be_bytes()), 3);
    let waiting = c.reads("waiting blocks", &text[..16 * before], 1);
    let rest = c.reads("blocks", &text[16 * before..], 5);
    let sum = c.updates("sum", &old, sum, 9);
    choices(c, form);
    let lens = [before, blocks].map(|n| 16 * n as u64);
    let arguments = [schedule, counter, waiting, lens[0], rest, lens[1], sum];
    c.returns(16 * done as u64, f, &arguments)
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
            _ => &[1, 2, 5, 9, 13, 33, 64],
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
        if lanes < 8 || lanes < 40 && chain == 1 { 2 } else { 1 }
    }
    fn new(_: bool) -> Self {
        Chains(Cipher::new())
    }
    fn schedule(&self) -> (Vec<Byte>, Vec<Byte>) {
        let keys = vars(160);
        (self.0.schedule(&keys), keys)
    }
    fn encrypt(&self, keys: &[Byte], block: &[Byte], _: usize) -> Vec<Byte> {
        self.0.encrypt(keys, block)
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

fn map(c: &mut Call, f: usize, forms: u32, decrypts: bool, blocks: usize, after: u64) -> Or<()> {
    let cipher = Cipher::new();
    let (keys, text) = (vars(160), vars(16 * blocks));
    let of = |block: &[Byte]| {
        if decrypts { cipher.decrypt(&keys, block) } else { cipher.encrypt(&keys, block) }
    };
    let want: Vec<Byte> = text.chunks(16).flat_map(of).collect();
    // Planes of more blocks than there are work on zeros too: so those have names.
    of(&numbers(&[0; 16]));
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let (from, to) = if blocks % 4 == 3 {
        let at = c.updates("text", &text, want, after % 64);
        (at, at)
    } else {
        (c.reads("text", &text, after % 64), c.writes("result", want, (after + 31) % 64))
    };
    let data = in_out(c, from, to, 16 * blocks);
    choices(c, forms);
    c.run(f, &[schedule, decrypts.into(), data])
}

/// The next counter: of the whole block, of the right half or of the left half.
fn step(counter: u128, count: u8) -> u128 {
    let (left, right) = ((counter >> 64) as u64, counter as u64);
    let join = |left: u64, right: u64| u128::from(left) << 64 | u128::from(right);
    match count {
        0 => counter.wrapping_add(1),
        1 => join(left, right.wrapping_add(1)),
        _ => join(left.wrapping_add(1), right),
    }
}

fn stream(c: &mut Call, f: usize, forms: u32, blocks: usize, count: u8, start: u128) -> Or<()> {
    let cipher = Cipher::new();
    let (keys, text) = (vars(160), vars(16 * blocks));
    let (mut counter, mut want) = (start, Vec::new());
    for block in text.chunks(16) {
        let gamma = cipher.encrypt(&keys, &numbers(&counter.to_be_bytes()));
        want.extend(xor(&gamma, block));
        counter = step(counter, count);
    }
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let (old, new) = (numbers(&start.to_be_bytes()), numbers(&counter.to_be_bytes()));
    let counter = c.updates("counter", &old, new, 3);
    let from = c.reads("text", &text, blocks as u64 % 64);
    let to = c.writes("result", want, 5);
    let data = in_out(c, from, to, 16 * blocks);
    choices(c, forms);
    c.run(f, &[schedule, counter, count.into(), data])
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
