//! Faults that are planted: an instruction left out, a bit of a constant or of a number in the code turned round.
//!
//! Each is run on variables, as a proof, and on numbers. A fault that gives a wrong result on numbers must not
//! be proved. A fault that is proved must give right results on all numbers that are tried: then it is without effect
//! on this call (an index bit that a look-up ignores, wiping of the stack, a branch that goes the same way).
//!
//! `faults.txt` has a list of them with what each is: refused, or without effect and why. `--faults` plants the list again.

use std::collections::BTreeMap;

use crate::domain;
use crate::kinds::{self, Task};
use crate::machine::{Fault, MOST, Meanings};
use crate::program::{Operand, Program};
use crate::record::Random;
use crate::report::{Line, Outcome, key_of, outcome, quietly, spread};

/// Why a fault may be without effect on a call, by the instruction: faults without such a word were read singly.
fn reason(p: &Program, fault: Fault) -> &'static str {
    let i = match fault {
        Fault::Flip(..) => return "a bit of a constant that a look-up or a mask ignores",
        Fault::Number(i, _) | Fault::Skip(i) | Fault::Code(i, _) => i,
    };
    let code = &p.code[i];
    let arm = p.abi.link.is_some();
    let to_memory = matches!(code.operands.first(), Some(Operand::Memory { .. }))
        || arm && code.name.starts_with("st");
    match code.flow() {
        "cmp" | "test" | "bt" | "tst" | "cmn" | "ccmp" => "a branch goes the same way",
        name if name.starts_with('j') => {
            "the jump leads to the next instruction, or to the same result"
        }
        "vzeroupper" | "nop" | "endbr64" | "prefetcht0" | "prefetcht1" => "no value hangs on it",
        _ if to_memory => "stored and not read again: the stack wiped, or a spare copy",
        name if name.contains("and") || name.starts_with("vps") || name.starts_with("sh") => {
            "a mask or a shift of bits that are 0 or are not looked at"
        }
        "ldr" | "ldp" | "adrp" | "csel" | "subs" | "movk"
            if arm && !matches!(code.operands[0], Operand::Elements { .. }) =>
        {
            "a number or a pointer that this call does not need, or has already"
        }
        "mov" | "lea" | "xor" | "add" | "sub" | "push" | "pop" | "movzx" => {
            "a number or a pointer that this call does not need, or has already"
        }
        _ => "its result reaches no result of this call",
    }
}

/// A fault that is drawn for a call: an instruction or a constant that it uses.
fn drawn(p: &Program, clean: &Outcome, draw: u64) -> Fault {
    let place = clean.seen[draw as usize % clean.seen.len()] as usize;
    match draw >> 32 & 3 {
        0 if !clean.constants.is_empty() => {
            let at = clean.constants[(draw >> 8) as usize % clean.constants.len()];
            Fault::Flip(at, 1 << (draw >> 40 & 7))
        }
        1 if p.code[place].has_number() => Fault::Number(place, 1 << (draw >> 40 & 7)),
        _ => Fault::Skip(place),
    }
}

/// A fault in words that a different build has too, if it has the instruction.
fn words(p: &Program, fault: Fault) -> String {
    let code = |i: usize| {
        let code = &p.code[i];
        match (code.operands.first(), code.text.split_once("[rip+")) {
            (Some(Operand::Code(_)), _) => code.name.clone(),
            (_, Some((before, after))) => {
                format!("{before}[rip{}", after.trim_start_matches(|c| c != ']'))
            }
            _ => code.text.clone(),
        }
    };
    match fault {
        Fault::Skip(i) => format!("left out {}", code(i)),
        Fault::Code(i, to) => format!("{} for {}", code(to), code(i)),
        Fault::Number(i, bit) => format!("bit {bit:x} of the number in {}", code(i)),
        Fault::Flip(at, bit) => {
            format!("bit {bit:x} of a constant {:02x}", p.constant(at).unwrap_or(0))
        }
    }
}

/// The list of proved functions.
type Listed = BTreeMap<&'static str, Line>;

/// A fault that was planted, and what became of it.
struct Planted {
    fault: Fault,
    refused: bool,
    /// Set if a result on numbers was wrong.
    wrong: bool,
}

/// Plants the fault of a draw in a call; `None` if the call has no proof.
fn planted(
    p: &Program,
    meanings: &std::rc::Rc<Meanings>,
    task: &Task,
    draw: u64,
) -> Option<Planted> {
    // On numbers first: which instructions and constants there are to spoil.
    let on_numbers = |seed: u64, faults: &[Fault], most: usize| {
        domain::numbers(Some(seed));
        let out = outcome(p, meanings, task, faults, most);
        domain::numbers(None);
        out
    };
    let clean = on_numbers(draw, &[], MOST);
    if clean.refused.is_some() {
        return None;
    }
    let fault = drawn(p, &clean, draw);
    // A loop that does not end makes a text in its place ever longer.
    let most = 4 * clean.count + 10_000;
    let refused = outcome(p, meanings, task, &[fault], most).refused.is_some();
    // A refusal needs no numbers.
    let wrong = !refused && (0..3).any(|k| on_numbers(draw ^ k, &[fault], most).refused.is_some());
    Some(Planted { fault, refused, wrong })
}

/// Calls for faults, two short ones of every function that is proved; by the function's and the class's names.
fn calls(p: &Program, proved: &Listed, words: &[String]) -> Vec<(String, Task)> {
    let mut kept = BTreeMap::new();
    let titled = |t: Task| {
        let (name, class) = key_of(p, &t);
        (format!("{name}: {class}"), t)
    };
    let mut tasks: Vec<(String, Task)> = kinds::tasks(p).into_iter().map(titled).collect();
    tasks.retain(|(title, t)| {
        let (name, class) = title.split_once(": ").unwrap_or_default();
        // Planes are variables of their own, and no numbers; and of no blocks there is nothing to spoil.
        let others = ["planes", "0 blocks, ", "encrypts 0 ", "decrypts 0 "];
        let not = ["on planes", "addresses only"];
        let short =
            !others.iter().any(|w| class.starts_with(w)) && !not.iter().any(|w| class.contains(w));
        let good = short && proved.contains_key(name);
        let count = kept.entry((t.function, name.to_string())).or_insert(0);
        *count += usize::from(good);
        good && *count <= 2 && words.iter().all(|w| title.contains(w.as_str()))
    });
    tasks
}

/// Plants faults in calls that these words choose; says what became of each, and whether no fault was missed.
pub fn plant(p: &Program, n: usize, seed: u64, proved: &Listed, chosen: &[String]) -> bool {
    let tasks = calls(p, proved, chosen);
    if tasks.is_empty() {
        println!("no such calls");
        return false;
    }
    let mut random = Random(seed);
    let picks: Vec<(usize, u64)> =
        (0..n).map(|_| (random.next() as usize % tasks.len(), random.next())).collect();
    let results = quietly(|| {
        spread(p, n, |meanings, i| planted(p, meanings, &tasks[picks[i].0].1, picks[i].1))
    });
    let (mut refused, mut harmless, mut missed) = (0, 0, 0);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for ((task, draw), result) in picks.iter().zip(results) {
        let Some(Planted { fault, refused: was_refused, wrong }) = result else { continue };
        let mark = match (was_refused, wrong) {
            (true, _) => {
                refused += 1;
                "refused".to_string()
            }
            (false, false) => {
                harmless += 1;
                let why = reason(p, fault);
                *reasons.entry(why).or_insert(0) += 1;
                format!("without effect: {why}")
            }
            (false, true) => {
                missed += 1;
                "MISSED".to_string()
            }
        };
        println!("{draw:x} | {} | {} | {mark}", tasks[*task].0, words(p, fault));
    }
    reasons.iter().for_each(|(why, n)| println!("# {n} without effect: {why}"));
    println!(
        "# {} faults: {refused} refused, {harmless} proved and right on all numbers tried, {missed} missed",
        refused + harmless + missed
    );
    missed == 0 && refused > 2 * harmless
}

/// Plants the faults of a list again, all or every `step`th by the day, and says whether each is as the list has it. A fault that
/// this build lacks, since its code differs, must not be missed.
pub fn replant(p: &Program, list: &str, [step, day]: [u64; 2], proved: &Listed) -> bool {
    let tasks = calls(p, proved, &[]);
    let lines: Vec<Vec<&str>> = list
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split(" | ").collect())
        .filter(|l: &Vec<&str>| l.len() == 4)
        .skip((day % step.max(1)) as usize)
        .step_by(step.max(1) as usize)
        .collect();
    let results = quietly(|| {
        spread(p, lines.len(), |meanings, i| {
            let draw = u64::from_str_radix(lines[i][0], 16).ok()?;
            let (_, task) = tasks.iter().find(|(title, _)| title == lines[i][1])?;
            planted(p, meanings, task, draw)
        })
    });
    let (mut refused, mut harmless, mut others, mut bad) = (0, 0, 0, 0);
    for (line, result) in lines.iter().zip(results) {
        let is = match &result {
            None => "no call to plant it in",
            Some(Planted { wrong: true, .. }) => "proved, and wrong on numbers",
            Some(Planted { refused: true, .. }) => "refused",
            Some(_) => "without effect",
        };
        let same = result.is_some_and(|r| words(p, r.fault) == line[2]);
        match is {
            "refused" if same && line[3] == is => refused += 1,
            "without effect" if same && line[3].starts_with(is) => harmless += 1,
            "refused" | "without effect" if !same => others += 1,
            _ => {
                bad += 1;
                println!("{}: {is}", line.join(" | "));
            }
        }
    }
    println!(
        "{} of the listed faults planted: {refused} refused and {harmless} without effect as listed; {others} are other \
         faults in this build, none missed; {bad} not as they must be",
        lines.len()
    );
    bad == 0 && !lines.is_empty()
}
