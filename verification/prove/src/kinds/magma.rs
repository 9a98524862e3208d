//! Magma's functions, by words; and the key.

use super::chains::{self, Chained};
use super::{Tasks, choices, in_out};
use crate::bytes::bytes;
use crate::call::Call;
use crate::domain::{Byte, vars};
use crate::machine::Or;
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
    fn apply(&self, keys: &[Byte], block: &[Byte], decrypts: bool) -> Vec<Byte> {
        let mut block = block.to_vec();
        if self.old {
            block.reverse();
        }
        let mut out = cipher(&self.rows, keys, &block, decrypts, 32);
        if self.old {
            out.reverse();
        }
        out
    }
    fn schedule(&self, keys: &[Byte]) -> Vec<Byte> {
        schedule(keys, &self.rows, !self.old, self.old)
    }
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str) {
    let forms: &[u32] = if set == "gfni512" { &FORMS } else { &[0] };
    match name {
        "map" => {
            for (k, form) in forms.iter().copied().enumerate() {
                for decrypts in [false, true] {
                    for (i, blocks) in [1, 2, 3, 5, 8, 9, 17, 33].into_iter().enumerate() {
                        if k > 0 && blocks > 2 {
                            continue;
                        }
                        let old = (i + usize::from(decrypts)) % 3 == 1;
                        let word = if decrypts { "decrypts" } else { "encrypts" };
                        let class = format!("{word} {blocks} blocks, form {form:x}");
                        tasks.add(class, move |c, f| map(c, f, form, decrypts, blocks, old));
                    }
                }
            }
        }
        "stream" => {
            const STARTS: [(usize, u8, u64); 7] = [
                (1, 0, 5),
                (2, 1, 0xffff_ffff),
                (3, 2, u64::MAX),
                (4, 0, u64::MAX - 1),
                (5, 1, 0x1234_5678_ffff_fffd),
                (9, 2, 0xffff_fffe_1234_5678),
                (17, 0, 0x00ff_ffff_ffff_fff8),
            ];
            for (k, form) in forms.iter().copied().enumerate() {
                for (blocks, count, start) in STARTS.into_iter().take(if k == 0 { 7 } else { 2 }) {
                    let class =
                        format!("{blocks} blocks, count {count} from {start:x}, form {form:x}");
                    tasks.add(class, move |c, f| stream(c, f, form, blocks, count, start));
                }
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
    let want = text.chunks(8).flat_map(|b| kind.apply(&keys, b, decrypts)).collect();
    let schedule = c.reads("schedule", &kind.schedule(&keys), 0);
    let from = c.reads("text", &text, blocks as u64 * 11 % 64);
    let to = c.writes("result", want, blocks as u64 * 5 % 64);
    let data = in_out(c, from, to, 8 * blocks);
    choices(c, form);
    c.run(f, &[schedule, decrypts.into(), data])
}

fn stream(c: &mut Call, f: usize, form: u32, blocks: usize, count: u8, start: u64) -> Or<()> {
    let kind = Kind::of(false);
    let (keys, text) = (vars(32), vars(8 * blocks));
    let (mut counter, mut want) = (start, Vec::new());
    for block in text.chunks(8) {
        want.extend(xor(&kind.apply(&keys, &numbers(&counter.to_be_bytes()), false), block));
        counter = match count {
            0 => counter.wrapping_add(1),
            1 => counter & !0xffff_ffff | u64::from((counter as u32).wrapping_add(1)),
            _ => counter.wrapping_add(1 << 32),
        };
    }
    let schedule = c.reads("schedule", &kind.schedule(&keys), 0);
    let (old, new) = (numbers(&start.to_be_bytes()), numbers(&counter.to_be_bytes()));
    let counter = c.updates("counter", &old, new, 1);
    let from = c.reads("text", &text, blocks as u64 % 64);
    let to = c.writes("result", want, 5);
    let data = in_out(c, from, to, 8 * blocks);
    choices(c, form);
    c.run(f, &[schedule, counter, count.into(), data])
}

fn prepare(c: &mut Call, f: usize, old: bool) -> Or<()> {
    let kind = Kind::of(old);
    let key = vars(32);
    let words = |word: &[Byte]| {
        let mut word = word.to_vec();
        if !old {
            word.reverse();
        }
        word
    };
    let want = kind.schedule(&key.chunks(4).flat_map(words).collect::<Vec<_>>());
    let before = kind.schedule(&vars(32));
    let key = c.reads("key", &key, 1);
    let schedule = c.updates("schedule", &before, want, 0);
    c.run(f, &[key, schedule])
}

impl Chained for Kind {
    const BLOCK: usize = 8;
    fn forms(set: &str) -> &'static [u32] {
        if set == "gfni512" { &FORMS } else { &[0] }
    }
    fn lanes(set: &str) -> &'static [usize] {
        if set == "gfni512" { &[1, 2, 3, 4, 8, 16, 17] } else { &[1, 2, 3, 4] }
    }
    fn new() -> Self {
        Kind::of(false)
    }
    fn schedule(&self) -> (Vec<Byte>, Vec<Byte>) {
        let keys = vars(32);
        (Kind::schedule(self, &keys), keys)
    }
    fn encrypt(&self, keys: &[Byte], block: &[Byte]) -> Vec<Byte> {
        self.apply(keys, block, false)
    }
}
