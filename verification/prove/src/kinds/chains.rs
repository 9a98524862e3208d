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
    /// Set if the further forms are of many streams too.
    const FORMS_OF_MANY: bool;
    /// The forms of a set's kernel.
    fn forms(set: &str) -> &'static [u32];
    /// Numbers of lanes, the classes of a set.
    fn lanes(set: &str) -> &'static [usize];
    /// The chains of a number of lanes; of the old order of bytes, if it has one.
    fn chains(old: bool, lanes: usize) -> &'static [usize];
    /// The number of blocks of each lane.
    fn lengths(lanes: usize, chain: usize) -> usize;
    fn new(old: bool) -> Self;
    /// The bytes of a schedule, and keys for `encrypt`.
    fn schedule(&self) -> (Vec<Byte>, Vec<Byte>);
    /// A block encrypted, in a number of rounds.
    fn encrypt(&self, keys: &[Byte], block: &[Byte], rounds: usize) -> Vec<Byte>;
}

pub fn tasks<C: Chained>(tasks: &mut Tasks, set: &str) {
    const WORDS: [&str; 5] = ["CBC", "CFB", "OFB", "MAC", "MAC of 16 rounds"];
    for (k, form) in C::forms(set).iter().copied().enumerate() {
        for n in C::lanes(set).iter().copied() {
            // Further forms are of one stream, or of few.
            if k > 0 && !C::FORMS_OF_MANY && n > 1 {
                continue;
            }
            // The widest sets compare rows of no known set by an instruction that has no meaning here.
            let orders: &[bool] = if super::width(set) == 64 { &[false] } else { &[false, true] };
            for old in orders.iter().copied() {
                for chain in C::chains(old, n).iter().copied() {
                    let (word, blocks) = (WORDS[chain], C::lengths(n, chain));
                    let class =
                        format!("{word}, {n} lanes of {blocks} blocks, old {old}, form {form:x}");
                    tasks.add(class, move |c, f| lanes::<C>(c, f, (form, old), chain, n, blocks));
                }
            }
        }
    }
}

fn lanes<C: Chained>(
    c: &mut Call,
    f: usize,
    (form, old): (u32, bool),
    chain: usize,
    n: usize,
    blocks: usize,
) -> Or<()> {
    let cipher = C::new(old);
    let rounds = if chain == 4 { 16 } else { 32 };
    let reads = chain > 2;
    let mut words = Vec::new();
    for i in 0..n {
        let (schedule, keys) = cipher.schedule();
        let (start, text) = (vars(C::BLOCK), vars(C::BLOCK * blocks));
        let (mut z, mut out) = (start.clone(), Vec::new());
        for x in text.chunks(C::BLOCK) {
            let y = match chain {
                1 | 2 => {
                    let gamma = cipher.encrypt(&keys, &z, rounds);
                    let y = xor(&gamma, x);
                    z = if chain == 1 { y.clone() } else { gamma };
                    y
                }
                _ => cipher.encrypt(&keys, &xor(&z, x), rounds),
            };
            if chain == 0 || reads {
                z = y.clone();
            }
            out.extend(y);
        }
        let schedule = c.reads("schedule", &schedule, 0);
        let state = c.updates("register", &start, z, i as u64 % 16);
        let len = (C::BLOCK * blocks) as u64;
        let data = if reads {
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
