//! Streebog's functions: `blocks`, `finish`, and `keys`, which is proved with the `blocks` that uses it.

use super::{Tasks, choices};
use crate::call::Call;
use crate::domain::{Byte, ZERO, vars};
use crate::machine::Or;
use crate::standard::numbers;
use crate::standard::streebog::{g, sum};

/// The choice of sums, of the second form.
const WHOLE: u32 = 1 << 18;

/// A number of 512 bits that shows in every byte what is done to it: multiples of 512, with carries.
fn counts(kind: usize) -> [u8; 64] {
    std::array::from_fn(|i| match (kind, i) {
        (0, _) | (_, 0) => 0,
        (1, 9..) => 0,
        (2, 1) => 0xfe,
        (1 | 2, _) => 255,
        _ => (i as u8).wrapping_mul(157) & 0xfe | 0x10,
    })
}

pub fn tasks(tasks: &mut Tasks, set: &str, name: &str, beside: impl Fn(&str) -> Option<usize>) {
    let forms: &[u32] = if set == "gfni512" { &[0, WHOLE] } else { &[0] };
    for form in forms.iter().copied() {
        match name {
            "blocks" => {
                const CLASSES: [(usize, usize, usize); 6] =
                    [(1, 1, 0), (1, 2, 1), (2, 2, 3), (3, 1, 1), (7, 1, 2), (9, 2, 3)];
                // Planes of integers hash one message after the other.
                let few = |c: &&(usize, usize, usize)| {
                    set != "portable" || [(1, 2, 1), (3, 1, 1)].contains(*c)
                };
                for (messages, count, n) in CLASSES.iter().filter(few).copied() {
                    let class =
                        format!("{messages} messages of {count} blocks, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| hash(c, f, Keys::None, form, messages, count, n));
                }
            }
            "keys" => {
                let Some(blocks) = beside("blocks") else { continue };
                let classes = [(1, 0), (2, 3), (9, 3)];
                for (messages, n) in classes.into_iter().filter(|c| set != "portable" || c.0 < 2) {
                    let class =
                        format!("with {messages} messages of 2 blocks, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| {
                        hash(c, blocks, Keys::Made(f), form, messages, 2, n)
                    });
                }
            }
            "finish" => {
                const CLASSES: [(usize, usize); 5] = [(1, 0), (1, 1), (2, 2), (3, 3), (9, 1)];
                for (messages, n) in
                    CLASSES.into_iter().filter(|c| set != "portable" || *c == (1, 1))
                {
                    let class = format!("{messages} messages, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| finish(c, f, Keys::None, form, messages, n));
                }
                let Some(keys) = beside("keys") else { continue };
                let classes = [(1, 1), (2, 2), (9, 3)];
                for (messages, n) in classes.into_iter().filter(|c| set != "portable" || c.0 < 2) {
                    let class = format!("{messages} messages under keys, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| finish(c, f, Keys::Made(keys), form, messages, n));
                }
                if set == "portable" {
                    let class = format!("2 messages, N 2, form {form:x}");
                    tasks.add(class, move |c, f| finish(c, f, Keys::None, form, 2, 2));
                }
            }
            _ => {}
        }
    }
}

/// Calls of up to 18 messages, to be run on numbers.
pub fn every(tasks: &mut Tasks, name: &str) {
    for (form, messages) in [0, WHOLE].into_iter().flat_map(|f| (1..=18).map(move |n| (f, n))) {
        for n in 0..4 {
            match name {
                "blocks" => (0..4).for_each(|blocks| {
                    let class =
                        format!("{messages} messages of {blocks} blocks, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| hash(c, f, Keys::None, form, messages, blocks, n));
                }),
                "finish" => {
                    let class = format!("{messages} messages, N {n}, form {form:x}");
                    tasks.add(class, move |c, f| finish(c, f, Keys::None, form, messages, n));
                }
                _ => {}
            }
        }
    }
}

/// Messages of one and two blocks from their beginning, and of less than one, whose states are public: for 512 bits of
/// digest and for 256. The kernel knows the keys of the first block.
pub fn beginnings(tasks: &mut Tasks, finishes: bool) {
    for (word, bits, h) in [(1, 512, 0), (2, 256, 1)] {
        let class = format!("first blocks of {bits} bits");
        tasks.add(class, move |c, f| {
            let h = vec![Byte::new(h); 64];
            match finishes {
                false => hash(c, f, Keys::Own(word, h), 0, 1, 2, 0),
                true => finish(c, f, Keys::Own(word, h), 0, 1, 0),
            }
        });
    }
}

/// N and a number of bits.
fn plus(n: &[u8; 64], bits: u64) -> [u8; 64] {
    let (mut out, mut carry) = (*n, u128::from(bits));
    for byte in &mut out {
        carry += u128::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
    out
}

/// The keys of the first block, as a call gives them.
enum Keys {
    None,
    /// Made by this function.
    Made(usize),
    /// The kernel's own, by their number, for this state.
    Own(u64, Vec<Byte>),
}
impl Keys {
    /// The state that all messages have, if they have one.
    fn common(&self) -> Option<Vec<Byte>> {
        match self {
            Keys::None => None,
            Keys::Made(_) => Some(vars(64)),
            Keys::Own(_, h) => Some(h.clone()),
        }
    }
}

/// The keys of a state, as an argument.
fn known(c: &mut Call, keys: Keys, state: u64) -> Or<u64> {
    let keys = match keys {
        Keys::None => return Ok(0),
        Keys::Own(n, _) => return Ok(n),
        Keys::Made(keys) => keys,
    };
    let known = c.leaves("keys", 13 * 64);
    c.first_of(keys, known, &[state])?;
    Ok(known)
}

#[allow(clippy::too_many_arguments)]
fn hash(
    c: &mut Call,
    f: usize,
    keys: Keys,
    form: u32,
    messages: usize,
    blocks: usize,
    kind: usize,
) -> Or<()> {
    let n = counts(kind);
    // Keys that several messages have in common are the keys of one h and N.
    let common = keys.common();
    let (mut lanes, mut given) = (Vec::new(), 0);
    for i in 0..messages {
        let start = common.clone().unwrap_or_else(|| vars(64));
        let (mut h, mut sigma, mut n) = (start, vars(64), n);
        let old = [&h[..], &numbers(&n), &sigma].concat();
        let message = vars(64 * blocks);
        for block in message.chunks(64) {
            h = g(&numbers(&n), &h, block);
            n = plus(&n, 512);
            sigma = sum(&sigma, block);
        }
        let state = c.updates("state", &old, [h, numbers(&n), sigma].concat(), 0);
        given = state;
        lanes.extend([state, c.reads("message", &message, 5 * i as u64 % 64), 64 * blocks as u64]);
    }
    choices(c, form);
    let known = known(c, keys, given)?;
    let lanes = c.words("lanes", &lanes);
    c.run(f, &[known, lanes, messages as u64])
}

fn finish(c: &mut Call, f: usize, keys: Keys, form: u32, messages: usize, kind: usize) -> Or<()> {
    const RESTS: [usize; 9] = [0, 1, 63, 8, 33, 16, 55, 31, 48];
    let (common, zeros) = (keys.common(), vec![ZERO; 64]);
    let (mut lanes, mut given) = (Vec::new(), 0);
    for i in 0..messages {
        let own = 4 * usize::from(matches!(keys, Keys::Own(..)));
        let rest = RESTS[(i + 4 * kind + own) % RESTS.len()];
        let h = common.clone().unwrap_or_else(|| vars(64));
        let (sigma, n) = (vars(64), counts(kind));
        let old = [&h[..], &numbers(&n), &sigma].concat();
        let message = vars(rest);
        let mut block = message.clone();
        block.push(Byte::new(1));
        block.resize(64, ZERO);
        let mut digest = g(&numbers(&n), &h, &block);
        digest = g(&zeros, &digest, &numbers(&plus(&n, 8 * rest as u64)));
        digest = g(&zeros, &digest, &sum(&sigma, &block));
        let state = c.updates("state", &old, digest, 0);
        given = state;
        // A rest of the message at the end of what may be read.
        lanes.extend([state, c.reads("message", &message, 64 - rest as u64), rest as u64]);
    }
    choices(c, form);
    let known = known(c, keys, given)?;
    let lanes = c.words("lanes", &lanes);
    c.run(f, &[known, lanes, messages as u64])
}
