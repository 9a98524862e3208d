//! Chained streams of both ciphers: lanes, each under its own key.

use super::{Tasks, choices};
use crate::call::Call;
use crate::domain::{Byte, vars};
use crate::machine::Or;
use crate::standard::xor;

/// A cipher, as chains use it.
pub trait Chained: 'static {
    /// Bytes of a block.
    const BLOCK: usize;
    /// The forms of a set's kernel.
    fn forms(set: &str) -> &'static [u32];
    /// Numbers of lanes, the classes of a set.
    fn lanes(set: &str) -> &'static [usize];
    fn new() -> Self;
    /// The bytes of a schedule, and keys for `encrypt`.
    fn schedule(&self) -> (Vec<Byte>, Vec<Byte>);
    fn encrypt(&self, keys: &[Byte], block: &[Byte]) -> Vec<Byte>;
}

pub fn tasks<C: Chained>(tasks: &mut Tasks, set: &str) {
    const WORDS: [&str; 4] = ["CBC", "CFB", "OFB", "MAC"];
    for form in C::forms(set).iter().copied() {
        for (i, n) in C::lanes(set).iter().copied().enumerate() {
            for (chain, word) in WORDS.iter().enumerate() {
                // All chains at a few numbers of lanes; two in turn at the others.
                if i % 3 != 0 && chain % 2 != i % 2 {
                    continue;
                }
                let blocks = if n < 5 { 3 } else { 2 };
                let class = format!("{word}, {n} lanes of {blocks} blocks, form {form:x}");
                tasks.add(class, move |c, f| lanes::<C>(c, f, form, chain, n, blocks));
            }
        }
    }
}

fn lanes<C: Chained>(
    c: &mut Call,
    f: usize,
    form: u32,
    chain: usize,
    n: usize,
    blocks: usize,
) -> Or<()> {
    let cipher = C::new();
    let mut words = Vec::new();
    for i in 0..n {
        let (schedule, keys) = cipher.schedule();
        let (start, text) = (vars(C::BLOCK), vars(C::BLOCK * blocks));
        let (mut z, mut out) = (start.clone(), Vec::new());
        for x in text.chunks(C::BLOCK) {
            let y = match chain {
                0 => cipher.encrypt(&keys, &xor(&z, x)),
                1 | 2 => {
                    let gamma = cipher.encrypt(&keys, &z);
                    let y = xor(&gamma, x);
                    z = if chain == 1 { y.clone() } else { gamma };
                    y
                }
                _ => cipher.encrypt(&keys, &xor(&z, x)),
            };
            if matches!(chain, 0 | 3) {
                z = y.clone();
            }
            out.extend(y);
        }
        let schedule = c.reads("schedule", &schedule, 0);
        let state = c.updates("register", &start, z, i as u64 % 16);
        let len = (C::BLOCK * blocks) as u64;
        let data = if chain == 3 {
            [0, c.reads("text", &text, 3), len, 0]
        } else {
            let from = c.reads("text", &text, i as u64 % 64);
            [1, from, c.writes("result", out, 9), len]
        };
        words.extend(data);
        words.extend([schedule, state]);
    }
    choices(c, form);
    let lanes = c.words("lanes", &words);
    c.run(f, &[chain as u64, lanes, n as u64])
}
