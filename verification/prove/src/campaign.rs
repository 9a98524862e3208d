//! A random campaign: single bits turned round in the code of all proved functions and in the constants that they read.
//!
//! The flipped code is disassembled again. A fault is run on numbers in each class that reaches it, and on variables in
//! a class where the numbers are wrong, which must be refused; or else in the shortest of these classes. A fault that leaves
//! more bytes of a secret than the clean call is refused too. What is accepted has one of these reasons, which the
//! prover finds itself: the instruction is the same; no class reaches it; or the shortest classes that reach it are proved
//! with the fault in them, all are right on numbers, and then the state at the return is the same, or differs in what nobody reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain;
use crate::kinds;
use crate::machine::{Fault, MOST, Meanings};
use crate::program::{Code, Function, Program};
use crate::record::{self, Random};
use crate::report::{Line, Runs, key, outcome, padding, quietly, spread, title};

/// The most classes, the shortest, in which a fault is proved that is right on numbers in all.
const PROOFS: usize = 6;

/// A bit that is turned round.
enum Bit {
    /// A bit of an instruction's code, and what runs then, if it decodes.
    Code(usize, usize, Option<usize>),
    /// A bit of a constant that a call reads, by its number; which constant, the draw says.
    Constant(usize, u64),
}

/// The outcome of a fault.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Refused(&'static str),
    Accepted(&'static str),
    /// Wrong on numbers, and proved.
    Missed,
    /// In an instruction of no class, which leads not only to a panic.
    Outside,
}

/// Returns whether two instructions are equal, wherever they are.
fn same(a: &Code, b: &Code) -> bool {
    (&a.name, &a.operands, a.next) == (&b.name, &b.operands, b.next) && a.odd == b.odd
}

/// Plants `n` faults drawn by the seed, prints those that are not simply refused, and says whether none was missed.
pub fn campaign(
    p: &mut Program,
    runs: &Runs,
    listed: &BTreeMap<&'static str, Line>,
    answered: &BTreeSet<String>,
    n: usize,
    seed: u64,
) -> Result<bool, String> {
    let proved = |f: &str| kinds::path(f).is_some() && listed.contains_key(&*key(f));
    // The instructions of proved functions, by the bytes of their code that come before.
    let (mut pool, mut bytes) = (Vec::new(), 0);
    let ran = |f: &Function| runs.run[f.first..f.first + f.len].contains(&true);
    for f in p.functions.iter().filter(|f| proved(&f.path) && ran(f)) {
        for i in (f.first..f.first + f.len).filter(|i| !padding(&p.code[*i])) {
            let len = p.code.get(i + 1).map_or(1, |next| next.at - p.code[i].at).min(15);
            pool.push((bytes, i));
            bytes += len;
        }
    }
    let readers: Vec<usize> = (0..runs.tasks.len())
        .filter(|t| proved(&p.functions[runs.tasks[*t].function].path) && !planes(runs, *t))
        .collect();
    if pool.is_empty() || readers.is_empty() {
        return Err("no proved functions to plant faults in".into());
    }
    let mut random = Random(seed);
    let mut bits = Vec::new();
    for _ in 0..n {
        let (kind, draw) = (random.next() % 5, random.next());
        bits.push(if kind == 0 {
            Bit::Constant(readers[draw as usize % readers.len()], random.next())
        } else {
            let bit = draw % (8 * bytes);
            let (first, i) = pool[pool.partition_point(|(first, _)| *first <= bit / 8) - 1];
            Bit::Code(i, (bit - 8 * first) as usize, None)
        });
    }
    let codes = bits.iter().filter_map(|b| match b {
        Bit::Code(i, bit, _) => Some((*i, Some(*bit))),
        Bit::Constant(..) => None,
    });
    let codes: Vec<_> = codes.collect();
    // A control: code that is not changed is the same code.
    let clean: Vec<_> = codes.iter().map(|(i, _)| (*i, None)).collect();
    for ((i, _), to) in clean.iter().zip(p.flipped(&clean)?) {
        if !to.is_some_and(|to| same(&p.code[*i], &p.code[to])) {
            return Err(format!("{} has a different reading out of its place", p.code[*i].text));
        }
    }
    let mut flipped = p.flipped(&codes)?.into_iter();
    for bit in &mut bits {
        if let Bit::Code(_, _, to) = bit {
            *to = flipped.next().flatten();
        }
    }
    let p = &*p;
    let judged = quietly(|| spread(p, n, |m, k| judge(p, m, runs, answered, &bits[k])));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut refused, mut missed) = (0, 0);
    for (bit, (text, end)) in bits.iter().zip(judged) {
        let (word, print) = match end {
            End::Refused(why) => (format!("refused: {why}"), false),
            End::Accepted(why) => (format!("without effect: {why}"), true),
            End::Missed => ("MISSED: wrong on numbers, and proved".to_string(), true),
            End::Outside => ("in an instruction in no class, as listed".to_string(), true),
        };
        refused += usize::from(!print);
        missed += usize::from(word.starts_with("MISSED"));
        if print {
            println!("{}: {word}", said(p, runs, bit, &text));
        }
        *counts.entry(word).or_insert(0) += 1;
    }
    counts.iter().for_each(|(word, n)| println!("# {n} {word}"));
    println!("# {n} bits turned round by seed {seed}: {refused} refused, {missed} missed");
    Ok(missed == 0)
}

/// Returns whether a call is on planes of variables, which are no numbers.
fn planes(runs: &Runs, task: usize) -> bool {
    runs.tasks[task].class.starts_with("planes")
}

/// A fault in words.
fn said(p: &Program, runs: &Runs, bit: &Bit, text: &str) -> String {
    let of = |i: usize| {
        let f = p.functions.iter().find(|f| (f.first..f.first + f.len).contains(&i));
        f.map_or(String::new(), |f| key(&f.path))
    };
    match bit {
        Bit::Code(i, bit, to) => {
            let to = to.map_or("nothing", |to| &p.code[to].text);
            format!("{} {:x} bit {bit}: {} -> {to}", of(*i), p.code[*i].at, p.code[*i].text)
        }
        Bit::Constant(task, _) => format!("{}: {text}", title(p, &runs.tasks[*task])),
    }
}

/// Runs a fault in the classes that reach it; a constant's address in words, and what became of the fault.
fn judge(
    p: &Program,
    meanings: &std::rc::Rc<Meanings>,
    runs: &Runs,
    answered: &BTreeSet<String>,
    bit: &Bit,
) -> (String, End) {
    let on_numbers = |task: usize, faults: &[Fault], most: usize| {
        domain::numbers(Some(1 + task as u64));
        let out = outcome(p, meanings, &runs.tasks[task], faults, most);
        domain::numbers(None);
        out
    };
    let good = |t: &usize| runs.outcomes[*t].refused.is_none();
    let mut text = String::new();
    let (fault, mut reach): (Fault, Vec<usize>) = match bit {
        Bit::Code(i, _, to) => {
            let to = match to {
                _ if runs.cold[*i] => {
                    return (text, End::Accepted("at a panic or a question: no class reaches it"));
                }
                _ if !runs.run[*i] => return (text, End::Outside),
                None => return (text, End::Refused("no instruction")),
                Some(to) if same(&p.code[*i], &p.code[*to]) => {
                    return (text, End::Accepted("the same instruction"));
                }
                Some(to) => *to,
            };
            let reaches = |t: &usize| runs.outcomes[*t].seen.binary_search(&(*i as u32)).is_ok();
            (Fault::Code(*i, to), (0..runs.tasks.len()).filter(reaches).filter(good).collect())
        }
        Bit::Constant(task, draw) => {
            let mut constants = on_numbers(*task, &[], MOST).constants;
            constants.sort_unstable();
            constants.dedup();
            if constants.is_empty() {
                return (text, End::Accepted("no fault, since the call reads no constant"));
            }
            let at = constants[*draw as usize % constants.len()];
            let bit = 1 << (draw >> 60 & 7);
            text = format!("bit {bit:x} of the constant at {at:x}");
            let function = runs.tasks[*task].function;
            let all = (0..runs.tasks.len()).filter(|t| runs.tasks[*t].function == function);
            (Fault::Flip(at, bit), all.filter(good).collect())
        }
    };
    if reach.is_empty() {
        return (text, End::Outside);
    }
    reach.sort_by_key(|t| (runs.outcomes[*t].count, *t));
    // A loop that does not end makes a text in its place ever longer.
    let most = |t: usize| 4 * runs.outcomes[t].count + 10_000;
    let wrong = reach
        .iter()
        .copied()
        .find(|t| !planes(runs, *t) && on_numbers(*t, &[fault], most(*t)).refused.is_some());
    if let Some(t) = wrong {
        let out = outcome(p, meanings, &runs.tasks[t], &[fault], most(t));
        return (
            text,
            if out.refused.is_some() { End::Refused("wrong on numbers too") } else { End::Missed },
        );
    }
    for t in reach.iter().copied().take(PROOFS) {
        let out = outcome(p, meanings, &runs.tasks[t], &[fault], most(t));
        if out.refused.is_some() {
            return (text, End::Refused("right on numbers"));
        }
        let clean = outcome(p, meanings, &runs.tasks[t], &[], MOST);
        let (now, before) = (out.left.unwrap_or_default(), clean.left.unwrap_or_default());
        if now.iter().zip(before).any(|(now, before)| *now > before) {
            return (text, End::Refused("more bytes of a secret are left"));
        }
    }
    if let Fault::Code(i, to) = fault {
        let end = p.code[to..].iter().position(|c| c.next <= to).unwrap_or(0);
        let new = p.code[to..=to + end].iter().filter(|c| record::alone(c));
        if new.clone().any(|c| !answered.contains(&record::form(c))) {
            return (text, End::Refused("a form without a processor's answer"));
        }
        if p.code[i].name.starts_with('j') && p.code[i].name == p.code[to].name {
            return (text, End::Accepted("where a jump leads that no class makes"));
        }
    }
    let equal = reach
        .iter()
        .filter(|t| !planes(runs, **t))
        .all(|t| on_numbers(*t, &[], MOST).state == on_numbers(*t, &[fault], most(*t)).state);
    let why = if equal {
        "proved in the shortest classes, right in all that reach it; the state in the end is the same"
    } else {
        "proved in the shortest classes, right in all that reach it; the state differs in what nobody reads"
    };
    (text, End::Accepted(why))
}
