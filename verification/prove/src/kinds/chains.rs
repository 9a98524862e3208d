//! Calls of both ciphers: blocks, gamma, sections, products, and lanes of chains, each under its own key.

use super::field::reversed;
use super::{Tasks, choices, in_out};
use crate::call::Call;
use crate::domain::{Byte, vars};
use crate::machine::Or;
use crate::standard::field::product;
use crate::standard::{numbers, xor};

/// A cipher, as calls use it.
pub trait Chained: 'static {
    /// Bytes of a block.
    const BLOCK: usize;
    /// Set if the further forms are of many streams too.
    const FORMS_OF_MANY: bool;
    /// The forms of a set's kernel.
    fn forms(set: &str) -> &'static [u32];
    /// Numbers of lanes, the classes of a set.
    fn lanes(set: &str) -> &'static [usize];
    /// The chains of a number of lanes; of the old order of bytes, if the set has it.
    fn chains(old: bool, lanes: usize) -> &'static [usize];
    /// The number of blocks of each lane.
    fn lengths(lanes: usize, chain: usize) -> usize;
    /// Lanes of long messages in CBC: their number, and how many blocks each has.
    fn long(_set: &str) -> &'static [(usize, usize)] {
        &[]
    }
    fn new(old: bool) -> Self;
    /// Keys as variables.
    fn fresh() -> Vec<Byte>;
    /// The keys of a key.
    fn keys(&self, key: &[Byte]) -> Vec<Byte>;
    /// The bytes of the schedule of keys.
    fn schedule(&self, keys: &[Byte]) -> Vec<Byte>;
    /// A block encrypted or decrypted, in a number of rounds.
    fn apply(&self, keys: &[Byte], block: &[Byte], decrypts: bool, rounds: usize) -> Vec<Byte>;
    fn encrypt(&self, keys: &[Byte], block: &[Byte]) -> Vec<Byte> {
        self.apply(keys, block, false, 32)
    }
    /// The next key of ACPKM (RFC 8645, section 6.2.1).
    fn next(&self, keys: &[Byte]) -> Vec<Byte> {
        let d = numbers(&std::array::from_fn::<u8, 32, _>(|i| 0x80 + i as u8));
        d.chunks(Self::BLOCK).flat_map(|d| self.encrypt(keys, d)).collect()
    }
    /// A counter as a block.
    fn block(counter: u128) -> Vec<Byte> {
        numbers(&counter.to_be_bytes()[16 - Self::BLOCK..])
    }
}

pub fn map<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, cipher): (u32, C),
    decrypts: bool,
    blocks: usize,
) -> Or<()> {
    let (keys, text, after) = (C::fresh(), vars(C::BLOCK * blocks), blocks as u64);
    let of = |b: &[Byte]| cipher.apply(&keys, b, decrypts, 32);
    let want: Vec<Byte> = text.chunks(C::BLOCK).flat_map(of).collect();
    // Planes of more blocks than there are work on zeros too: so those have names.
    of(&C::block(0));
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let in_place = (blocks + usize::from(decrypts)) % 2 == 1;
    let (from, to) = c.data(in_place, &text, want, [11 * after % 64, 5 * after % 64]);
    let data = in_out(c, from, to, text.len());
    choices(c, form);
    c.run(f, &[schedule, decrypts.into(), data])
}

/// The next counter: of the whole block, of the right half, of the left half; or the counter of RFC 5830, section 6,
/// which is two numbers of four bytes.
fn step(counter: u128, count: u8, block: usize) -> u128 {
    let half = (1 << (4 * block)) - 1;
    match count {
        0 => counter.wrapping_add(1),
        1 => counter & !half | counter.wrapping_add(1) & half,
        2 => counter.wrapping_add(half + 1),
        _ => {
            let (low, high) = (counter as u32, (counter >> 32) as u64 + 0x0101_0104);
            let high = (high + (high >> 32)) as u32;
            u128::from(high) << 32 | u128::from(low.wrapping_add(0x0101_0101))
        }
    }
}

pub fn stream<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, cipher): (u32, C),
    blocks: usize,
    count: u8,
    start: u128,
) -> Or<()> {
    let (keys, text) = (C::fresh(), vars(C::BLOCK * blocks));
    let (mut counter, mut want) = (start, Vec::new());
    let of = |counter: u128| {
        let mut block = C::block(counter);
        if count == 3 {
            block.reverse();
        }
        block
    };
    for block in text.chunks(C::BLOCK) {
        let now = counter;
        counter = step(counter, count, C::BLOCK);
        // The register of RFC 5830 is stepped before it is used.
        let used = if count == 3 { counter } else { now };
        want.extend(xor(&cipher.encrypt(&keys, &of(used)), block));
    }
    // As for `map`.
    cipher.encrypt(&keys, &C::block(0));
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let counter = c.updates("counter", &of(start), of(counter), 3);
    let (from, to) = c.data(blocks % 2 == 1, &text, want, [blocks as u64 % 64, 5]);
    let data = in_out(c, from, to, text.len());
    choices(c, form);
    c.run(f, &[schedule, counter, count.into(), data])
}

/// CTR-ACPKM (RFC 8645, section 6.2.2): sections, each under the next key; in place.
pub fn sections<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, cipher): (u32, C),
    section: usize,
    [blocks, done]: [usize; 2],
    start: u128,
) -> Or<()> {
    let (mut keys, text) = (C::fresh(), vars(C::BLOCK * blocks));
    let (old, mut counter, mut want) = (cipher.schedule(&keys), start, Vec::new());
    for (i, block) in text.chunks(C::BLOCK).take(done).enumerate() {
        if i > 0 && i % section == 0 {
            keys = cipher.keys(&cipher.next(&keys));
        }
        want.extend(xor(&cipher.encrypt(&keys, &C::block(counter)), block));
        counter = counter.wrapping_add(1);
    }
    want.extend(&text[C::BLOCK * done..]);
    let schedule = c.updates("schedule", &old, cipher.schedule(&keys), 0);
    let counter = c.updates("counter", &C::block(start), C::block(counter), 3);
    let at = c.updates("text", &text, want, 7);
    let data = in_out(c, at, at, text.len());
    choices(c, form);
    let [section, done] = [section, done].map(|n| (C::BLOCK * n) as u64);
    c.returns(done, f, &[schedule, counter, section, data])
}

/// MGM's products of blocks by encrypted counters (RFC 9058, section 4.1), the waiting products before the others.
pub fn products<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, cipher): (u32, C),
    before: usize,
    [blocks, done]: [usize; 2],
    start: u128,
) -> Or<()> {
    let (keys, text, old) = (C::fresh(), vars(C::BLOCK * (before + blocks)), vars(C::BLOCK));
    let (mut counter, mut sum) = (start, old.clone());
    let all = if done > 0 { before + done } else { 0 };
    for block in text.chunks(C::BLOCK).take(all) {
        let h = cipher.encrypt(&keys, &C::block(counter));
        sum = xor(&sum, &reversed(&product(&reversed(&h), &reversed(block))?));
        counter = step(counter, 2, C::BLOCK);
    }
    let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
    let counter = c.updates("counter", &C::block(start), C::block(counter), 3);
    let (waiting, rest) = text.split_at(C::BLOCK * before);
    let lens = [waiting, rest].map(|part| part.len() as u64);
    let (waiting, rest) = (c.reads("waiting blocks", waiting, 1), c.reads("blocks", rest, 5));
    let sum = c.updates("sum", &old, sum, 9);
    choices(c, form);
    let arguments = [schedule, counter, waiting, lens[0], rest, lens[1], sum];
    c.returns((C::BLOCK * done) as u64, f, &arguments)
}

/// The chains, in the kernels' order.
pub const WORDS: [&str; 5] = ["CBC", "CFB", "OFB", "MAC", "MAC of 16 rounds"];

/// Adds a call of lanes.
fn add<C: Chained>(
    tasks: &mut Tasks,
    (form, old): (u32, bool),
    chain: usize,
    [n, blocks, alike]: [usize; 3],
) {
    let word = WORDS[chain];
    let alike_word = if alike < n { format!(", each {alike}th alike") } else { String::new() };
    let class =
        format!("{word}, {n} lanes of {blocks} blocks{alike_word}, old {old}, form {form:x}");
    tasks.add(class, move |c, f| lanes::<C>(c, f, (form, old), chain, [n, blocks, alike]));
}

/// Adds a call of lanes with the text of each where others do not have it.
pub fn add_otherwise<C: Chained>(
    tasks: &mut Tasks,
    form: u32,
    chain: usize,
    n: usize,
    blocks: usize,
) {
    let word = WORDS[chain];
    let class = format!("{word}, {n} lanes of {blocks} blocks, form {form:x}, placed otherwise");
    tasks.add(class, move |c, f| {
        c.placed_otherwise = true;
        lanes::<C>(c, f, (form, false), chain, [n, blocks, n])
    });
}

pub fn tasks<C: Chained>(tasks: &mut Tasks, set: &str) {
    for (k, form) in C::forms(set).iter().copied().enumerate() {
        for n in C::lanes(set).iter().copied() {
            // Further forms are of one stream, or of few.
            if k > 0 && !C::FORMS_OF_MANY && n > 1 {
                continue;
            }
            for old in [false, true] {
                for chain in C::chains(old, n).iter().copied() {
                    add::<C>(tasks, (form, old), chain, [n, C::lengths(n, chain), n]);
                }
            }
        }
    }
    for (n, blocks) in C::long(set).iter().copied() {
        // More lanes of such lengths would be more sums than the domain holds. 17 is prime to the lanes of all groups, so
        // that lanes that are alike are far from each other, and at other places of their groups.
        add::<C>(tasks, (C::forms(set)[0], false), 0, [n, blocks, n.min(17)]);
    }
}

/// Calls of this number of lanes in these chains and lengths, to be run on numbers.
pub fn every<C: Chained>(
    tasks: &mut Tasks,
    form: u32,
    old: bool,
    n: usize,
    chains: &[usize],
    lengths: &[usize],
) {
    for chain in chains.iter().copied() {
        lengths.iter().for_each(|blocks| add::<C>(tasks, (form, old), chain, [n, *blocks, n]));
    }
}

/// Lanes under keys of their own; of `alike` lanes and more, lane i has the key, the register and the text of i mod `alike`.
pub fn lanes<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, old): (u32, bool),
    chain: usize,
    sizes: [usize; 3],
) -> Or<()> {
    lanes_of(c, f, (form, &[C::new(old)]), chain, sizes)
}

/// As [`lanes`], the lanes with these ciphers in turn.
pub fn lanes_of<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, ciphers): (u32, &[C]),
    chain: usize,
    [n, blocks, alike]: [usize; 3],
) -> Or<()> {
    let rounds = if chain == 4 { 16 } else { 32 };
    // MACs read; a kernel of 16 rounds may write each sum too, which no caller asks for.
    let reads = chain == 3 || chain == 4 && !c.placed_otherwise;
    let chained = |i: usize| {
        let cipher = &ciphers[i % ciphers.len()];
        let keys = C::fresh();
        let (start, text) = (vars(C::BLOCK), vars(C::BLOCK * blocks));
        let (mut z, mut out) = (start.clone(), Vec::new());
        for x in text.chunks(C::BLOCK) {
            let y = match chain {
                1 | 2 => {
                    let gamma = cipher.apply(&keys, &z, false, rounds);
                    let y = xor(&gamma, x);
                    z = if chain == 1 { y.clone() } else { gamma };
                    y
                }
                _ => cipher.apply(&keys, &xor(&z, x), false, rounds),
            };
            if matches!(chain, 0 | 3 | 4) {
                z = y.clone();
            }
            out.extend(y);
        }
        (keys, start, text, z, out)
    };
    let all: Vec<_> = (0..n.min(alike)).map(chained).collect();
    let mut words = Vec::new();
    for i in 0..n {
        let (keys, start, text, z, out) = all[i % alike].clone();
        let cipher = &ciphers[i % alike % ciphers.len()];
        let schedule = c.reads("schedule", &cipher.schedule(&keys), 0);
        let state = c.updates("register", &start, z, i as u64 % 16);
        let len = (C::BLOCK * blocks) as u64;
        let data = if reads {
            [0, c.reads("text", &text, 3), len, 0]
        } else {
            let (from, to) = c.data(i % 2 == 1, &text, out, [i as u64 % 64, 9]);
            [1, from, to, len]
        };
        words.extend(data);
        words.extend([schedule, state]);
    }
    choices(c, form);
    let lanes = c.words("lanes", &words);
    c.run(f, &[chain as u64, lanes, n as u64])
}
