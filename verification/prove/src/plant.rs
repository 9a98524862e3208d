//! Faults that are planted: an instruction left out, a bit of a constant or of a number in the code turned round.
//!
//! Each is run on variables, as a proof, and on numbers. A fault that gives a wrong result on numbers must not
//! be proved. One that is proved must give right results on all numbers that are tried: then it is without effect on
//! this call (an index bit that a look-up ignores, wiping of the stack, a branch that goes the same way).

use std::collections::BTreeMap;

use crate::domain;
use crate::kinds::{self, Task};
use crate::machine::Fault;
use crate::program::{Operand, Program};
use crate::record::Random;
use crate::report::{outcome, spread};

/// Why a fault may be without effect on a call, by the instruction: those that no word is for, read one by one.
fn reason(p: &Program, fault: Fault) -> &'static str {
    let i = match fault {
        Fault::Flip(..) => return "a bit of a constant that a look-up or a mask ignores",
        Fault::Number(i, _) | Fault::Skip(i) => i,
    };
    let code = &p.code[i];
    let to_memory = matches!(code.operands.first(), Some(Operand::Memory { .. }));
    match code.name.as_str() {
        "cmp" | "test" | "bt" => "a branch goes the same way",
        name if name.starts_with('j') => {
            "the jump leads to the next instruction, or to the same result"
        }
        "vzeroupper" | "nop" | "endbr64" | "prefetcht0" | "prefetcht1" => "no value hangs on it",
        _ if to_memory => "stored and not read again: the stack wiped, or a spare copy",
        name if name.contains("and") || name.starts_with("vps") || name.starts_with("sh") => {
            "a mask or a shift of bits that are 0 or are not looked at"
        }
        "mov" | "lea" | "xor" | "add" | "sub" | "push" | "pop" | "movzx" => {
            "a number or a pointer that this call does not need, or has already"
        }
        _ => "its result reaches no result of this call",
    }
}

/// Plants faults in calls that these words choose; says what became of them, and whether none was missed.
pub fn plant(p: &Program, n: usize, seed: u64, words: &[String]) -> bool {
    let mut tasks = kinds::tasks(p);
    let title = |t: &Task| format!("{} {}", p.functions[t.function].path, t.class);
    // Planes are variables of their own, and no numbers.
    tasks.retain(|t| !t.class.starts_with("planes"));
    // Short calls, of every function.
    let mut kept = BTreeMap::new();
    tasks.retain(|t| {
        let count = kept.entry(t.function).or_insert(0);
        *count += 1;
        *count <= 2 && words.iter().all(|w| title(t).contains(w.as_str()))
    });
    let mut random = Random(seed);
    let picks: Vec<(usize, u64)> =
        (0..n).map(|_| (random.next() as usize % tasks.len().max(1), random.next())).collect();
    if tasks.is_empty() {
        println!("no such calls");
        return false;
    }
    std::panic::set_hook(Box::new(|_| {})); // refusals, which are counted
    let results = spread(p, n, |meanings, i| {
        let (task, draw) = (&tasks[picks[i].0], picks[i].1);
        // On numbers first: which instructions and constants there are to spoil.
        domain::numbers(Some(draw));
        let clean = outcome(p, meanings, task, &[]);
        domain::numbers(None);
        if clean.refused.is_some() {
            return (task, None, true, false);
        }
        let place = clean.seen[draw as usize % clean.seen.len()] as usize;
        let fault = match draw >> 32 & 3 {
            0 if !clean.constants.is_empty() => {
                let at = clean.constants[(draw >> 8) as usize % clean.constants.len()];
                Fault::Flip(at, 1 << (draw >> 40 & 7))
            }
            1 if p.code[place].has_number() => Fault::Number(place, 1 << (draw >> 40 & 7)),
            _ => Fault::Skip(place),
        };
        let refused = outcome(p, meanings, task, &[fault]).refused.is_some();
        let wrong = (0..3).any(|k| {
            domain::numbers(Some(draw ^ k));
            let wrong = outcome(p, meanings, task, &[fault]).refused.is_some();
            domain::numbers(None);
            wrong
        });
        (task, Some(fault), refused, wrong)
    });
    drop(std::panic::take_hook());
    let (mut refused, mut harmless, mut missed, mut none) = (0, 0, 0, 0);
    let mut only = 0;
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (task, fault, was_refused, wrong) in results {
        let Some(fault) = fault else {
            none += 1;
            continue;
        };
        let what = match fault {
            Fault::Skip(i) => format!("left out {}", p.code[i].text),
            Fault::Number(i, bit) => format!("bit {bit:x} of the number in {}", p.code[i].text),
            Fault::Flip(at, bit) => format!("bit {bit:x} of the constant at {at:x}"),
        };
        match (was_refused, wrong) {
            (true, true) => refused += 1,
            (true, false) => {
                refused += 1;
                only += 1;
            }
            (false, false) => {
                harmless += 1;
                let why = reason(p, fault);
                *reasons.entry(why).or_insert(0) += 1;
                println!("without effect: {}: {what}: {why}", title(task));
            }
            (false, true) => {
                missed += 1;
                println!("MISSED: {}: {what}", title(task));
            }
        }
    }
    reasons.iter().for_each(|(why, n)| println!("{n} without effect: {why}"));
    println!(
        "{} faults: {refused} refused ({only} of them not wrong on the numbers tried), {harmless} proved and \
         right on all numbers tried, {missed} missed; {none} calls have no proof to spoil",
        refused + harmless + missed
    );
    missed == 0 && refused > 2 * harmless
}
