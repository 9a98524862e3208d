//! Proves functions of the kernels, as compiled for x86-64 or AArch64, equal to the standards: `docs/PROOFS.md` has the
//! statement of a proof, what a run refuses, what the proofs rest on, and all that is not proved; `prove --help` the
//! options. Here is the method.
//!
//! A *call* is a function, its arguments, and the memory that it is given (`call`, `kinds`). A *class* is one such call: one
//! direction, number of blocks, counter, placement of buffers, and *form*, the choice between code for several processors.
//! A *set* is the instruction set of a kernel, as in `avx2`.
//!
//! # The bytes
//!
//! 1. A byte is a constant XOR functions of single variables, each a table of 256 values (`domain`). Equal functions
//!    have equal forms, so the comparison is `==`, and no solver is needed. XOR, moves, shuffles, shifts of bits and
//!    all linear maps of a byte stay in this form; so does every function of a byte that depends on one variable.
//! 2. An S-box works on bytes of many variables. The standard runs first (`standard`), and *cuts* each byte before its
//!    S-box: it gives the byte a name, which is a variable from there on. When the machine looks up a byte of many
//!    variables, the prover searches for a named byte of which it is a linear function, and solves for that function.
//!    So a kernel may use other coordinates, scaled keys or halves of bytes; the prover is not told which. In a word
//!    that holds a bit of each of several bytes, each bit is such a function (`bits`).
//! 3. Where no such byte is found, and for sums of words, the result is an *unknown*: a new variable, named by the
//!    operation and its operands. Equal operands give equal unknowns. A proof goes through only if the standard's sums
//!    have the same operands. A carry is one bit, however it is made: by a flag, by a comparison of a sum with a part
//!    of it, or as a mask (`carries`). Products of polynomials are sums of products of two bits each (`polynomials`).
//! 4. On bit planes, bit k of a byte is a Boolean function of the bits k of other planes' bytes at the same place. The
//!    byte is this function, as a decision diagram, and the place, a column: see `planes`.
//! 5. Registers, vectors, masks and the stack hold *junk* before the call: variables that nothing else has. A result
//!    that depended on one would differ from the standard's.
//!
//! An example: a block begins with t, and the first round key with k. The standard adds them: the byte t ^ k, two
//! variables. Before its S-box it names it x, so that its byte is now pi(x). A kernel that keeps `3 * k`, loads t,
//! multiplies it by 3 with `gf2p8mulb`, adds, and looks the result up in a changed table of pi has at the look-up the
//! byte 3t ^ 3k. It has the variables of t ^ k, and is 3 times it in both places: so it is 3x, of one variable, and the
//! look-up a table of x. If it is the table of pi, the bytes are equal. With `2 * k` in its place, no linear function
//! fits, the result is an unknown, and the comparison fails.
//!
//! # Why it is sound
//!
//! Let key and text be any, and junk have any values. These give every variable a value: a name the value of the byte
//! that it names, an unknown the value of its operation on its operands. By induction over the instructions, each byte
//! of the machine is then the value of its form, if the meaning of each instruction is right. So is each byte of the
//! standard. Equal forms have equal values. Names and unknowns are treated as independent variables, although they are
//! not: equality for all their values includes the real ones. So a search that fails, or a kernel that is built in
//! a different way, makes a proof fail and never makes it succeed.
//!
//! Rules that rewrite a form need an argument each: that the two forms have equal values. They are the rules of
//! `bytes`, which treat masks, shifts and sums; of `bits`, which put a bit's name in its place; of `carries`, which
//! note that a comparison of a sum is its carry and that two carries exclude each other; `polynomials::of_halves`, by
//! which a product of sums is the sum of the four products; `domain::shorten`, which gives the image of a byte the form
//! by its name, for a linear map; `domain::linear_of`, which finds a part of a named byte, as half of it; the diagrams of
//! `planes`; the tables of functions of a variable; `kinds::planes`, which runs rounds of the standard by words where a
//! kernel calls a function on planes, proved to be these rounds, and refuses a call with other placements or key words than
//! the proved call; so does `kinds::bitslice` with L; the product of integers with every fourth bit, and a choice of a byte
//! that has the choosing bit itself (`meanings::general`); selections as products (`polynomials`); the result of `memcmp`,
//! which is not 0 (`machine`); and the caches, with keys that must name everything that a result depends on. An error there
//! can make a wrong proof. Planted faults search for such errors: a fault that gives a wrong result on numbers must not be
//! proved (`plant`).
//!
//! In a program of Go the calls begin at a function of Go (`kinds/go.rs`), and the map `FILE.map` names the kernels.
//!
//! To read the code: `kinds/kuznyechik.rs` has the calls of one cipher, `standard/kuznyechik.rs` what they must be;
//! then `call`, `machine`, `domain`, `bytes`, `meanings`; the rest after these.

mod a64;
mod abi;
mod bits;
mod bytes;
mod call;
mod campaign;
mod carries;
mod circuits;
mod domain;
mod kinds;
mod linear;
mod machine;
mod meanings;
#[path = "../../ct/src/bin/opcodes/parse.rs"]
#[allow(dead_code)] // shared with the list of instructions
mod parse;
mod planes;
mod plant;
mod polynomials;
mod program;
mod qemu;
mod record;
mod report;
mod standard;
mod sums;
mod times;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use program::Program;

const HELP: &str = "prove [FILE] [WORD ...] [-v]     proves the kernels of FILE, or of `opcodes` in the folder of this program
prove [FILE] --daily N           proves one of N parts of the functions, another each day, or by --seed S
prove [FILE] --list              prints the functions to be called, and their classes
prove [FILE] --paths [WORD ...]  runs the calls on numbers, and prints the instructions that none of them reaches
prove [FILE] --every [WORD ...]  of these instructions, says which a call of any other length reaches, on numbers
prove [FILE] --faults N          plants every Nth of the listed faults again, by the day or --seed S (1: all)
prove [FILE] --plant N --seed S  plants N other faults, in the form of the list
prove [FILE] --campaign N        turns N single bits of code and constants round, by the seed of the day or --seed S
prove [FILE] --lists             proves, and prints the lines of proved.txt as they are now
prove --answers                  compares the meanings of instructions with a processor's recorded answers
prove --emulated                 compares the meanings of AArch64's instructions with an emulator's answers
prove FILE --times               checks the mnemonics of AArch64's kernels by the list of independent times
prove [FILE] --forms             prints all forms in the kernels of FILE, for record.py, which asks a processor";

/// The answers of a processor.
const ANSWERS: &str = include_str!("../answers.txt");

/// Faults, with what each is; and of a program of Go.
const FAULTS: [&str; 2] = [include_str!("../faults.txt"), include_str!("../faults-go.txt")];

/// The functions that were proved before; and of a program of Go.
const BEFORE: [&str; 2] = [include_str!("../proved.txt"), include_str!("../proved-go.txt")];

/// Faults and proved functions of AArch64.
const A64: [&str; 2] =
    [include_str!("../faults-aarch64.txt"), include_str!("../proved-aarch64.txt")];

/// Instructions of each form that a processor can be asked about; two where a number is in it, and of AArch64 four.
fn forms<'p>(
    arm: bool,
    codes: impl Iterator<Item = &'p program::Code>,
) -> BTreeMap<String, Vec<&'p program::Code>> {
    let mut forms: BTreeMap<String, Vec<&program::Code>> = BTreeMap::new();
    let (alone, more): (fn(&program::Code) -> bool, _) =
        if arm { (qemu::alone, 3) } else { (record::alone, 1) };
    for code in codes.filter(|c| alone(c)) {
        let all = forms.entry(record::form(code)).or_default();
        if all.len() < 1 + more * usize::from(code.has_number())
            && all.iter().all(|c| c.text != code.text)
        {
            all.push(code);
        }
    }
    forms
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

/// The lines of the list: names; functions, and instructions and bytes at most, for which a reason may follow.
fn listed(list: &'static str) -> Result<BTreeMap<&'static str, report::Line>, String> {
    let line = |text: &'static str| {
        // The lists of Go and of AArch64 have only names.
        let Some((key, rest)) = text.split_once(" x") else {
            return Some((text, report::Line { functions: 1, ..Default::default() }));
        };
        let mut numbers = rest.split([':', ',']).map(|n| n.trim().split(' ').next()?.parse().ok());
        let functions = numbers.next().flatten()?;
        let mut next = || numbers.next().flatten().unwrap_or(0);
        let (part, outside, memory, registers) = (next(), next(), next(), next());
        Some((key, report::Line { functions, part, outside, memory, registers }))
    };
    let lines = list.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines.map(|l| line(l).ok_or(format!("a line of the list: {l}"))).collect()
}

/// Compares a report with the list, and says what is worse: fewer functions; and for the whole program of the list
/// more instructions in no class, or more bytes left.
fn against(
    report: &report::Report,
    listed: &BTreeMap<&str, report::Line>,
    whole: bool,
    all: bool,
) -> usize {
    let mut worse = Vec::new();
    for (key, want) in listed {
        let tried = report.tried.iter().filter(|k| k == key).count();
        // With words, only the functions that they choose.
        let functions = if all { want.functions } else { tried.min(want.functions) };
        let none = report::Line::default();
        let now = report.proved.get(*key).unwrap_or(&none);
        if now.functions < functions {
            worse.push(format!(
                "{key}: {functions} functions were proved before, {} are now",
                now.functions
            ));
        }
        for (word, now, want) in [
            ("functions proved in part", now.part, want.part),
            ("instructions in no class", now.outside, want.outside),
            ("bytes left in memory", now.memory, want.memory),
            ("bytes left in registers", now.registers, want.registers),
        ] {
            if whole && now > want {
                worse.push(format!("{key}: {now} {word}, {want} in proved.txt"));
            }
        }
    }
    worse.iter().for_each(|line| println!("{line}"));
    worse.len()
}

/// The task of a run, and its file and words.
struct Options {
    flags: Vec<String>,
    numbers: BTreeMap<&'static str, u64>,
    file: String,
    words: Vec<String>,
}

impl Options {
    /// Options that are a word, and options with a number.
    const FLAGS: [&str; 7] =
        ["-v", "--list", "--forms", "--paths", "--every", "--lists", "--times"];
    const NUMBERS: [&str; 5] = ["--plant", "--seed", "--faults", "--campaign", "--daily"];

    fn of(mut args: Vec<String>) -> Result<Self, String> {
        let flag = |a: &String| Self::FLAGS.contains(&a.as_str());
        let flags = args.iter().filter(|a| flag(a)).cloned().collect();
        args.retain(|a| !flag(a));
        let mut numbers = BTreeMap::new();
        for name in Self::NUMBERS {
            let Some(at) = args.iter().position(|a| a == name) else { continue };
            let value = args.get(at + 1).and_then(|v| v.parse().ok());
            args.drain(at..(at + 2).min(args.len()));
            numbers.insert(name, value.ok_or(format!("{name} needs a number"))?);
        }
        let file = match args.first() {
            Some(first) if std::path::Path::new(first).is_file() => args.remove(0),
            _ => {
                let own = std::env::current_exe().map_err(|e| e.to_string())?;
                own.with_file_name("opcodes").display().to_string()
            }
        };
        Ok(Options { flags, numbers, file, words: args })
    }
    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }
    fn number(&self, name: &str) -> Option<u64> {
        self.numbers.get(name).copied()
    }
    /// The seed, or the days since 1970.
    fn day(&self) -> u64 {
        let today = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_secs());
        self.number("--seed").unwrap_or_else(|| today() / 86_400)
    }
}

fn code(good: bool) -> Result<ExitCode, String> {
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run(args: Vec<String>) -> Result<ExitCode, String> {
    let asks = |word: &str| args.iter().any(|a| a == word);
    if asks("--help") {
        println!("{HELP}");
        return code(true);
    }
    if asks("--emulated") {
        println!("{}", qemu::compare_all(2048, 64)?);
        return code(true);
    }
    if asks("--answers") {
        let (compared, refused) = record::compare_all(ANSWERS)?;
        println!("{compared} answers compared, {refused} refused by the meanings, none wrong");
        return code(true);
    }
    let o = Options::of(args)?;
    let mut p = Program::read(&o.file)?;
    let arm = p.abi.link.is_some();
    let go = usize::from(kinds::entry(&p).is_some());
    let [faults, proved] = if arm { A64 } else { [FAULTS[go], BEFORE[go]] };
    let before = listed(proved)?;
    let answered: BTreeSet<String> = if arm {
        qemu::forms()
    } else {
        record::answers(ANSWERS).iter().map(record::Answer::form).collect()
    };
    if let Some(n) = o.number("--plant") {
        let seed = o.number("--seed").unwrap_or(1);
        return code(plant::plant(&p, n as usize, seed, &before, &o.words));
    }
    if let Some(n) = o.number("--campaign") {
        let start = std::time::Instant::now();
        let runs = report::runs(&p, &o.words);
        let good = campaign::campaign(&mut p, &runs, &before, &answered, n as usize, o.day())?;
        println!("# {:.0?}", start.elapsed());
        return code(good);
    }
    if let Some(step) = o.number("--faults") {
        return code(plant::replant(&p, faults, [step, o.day()], &before));
    }
    if o.has("--times") {
        let (lines, good) = times::report(&p);
        lines.iter().for_each(|line| println!("{line}"));
        return code(good);
    }
    if o.has("--list") {
        for task in kinds::tasks(&p) {
            println!("{}: {}", report::name(&p.functions[task.function].path), task.class);
        }
        return code(true);
    }
    if o.has("--paths") || o.has("--every") {
        let lines = if o.has("--every") { report::every } else { report::paths };
        lines(&p, &o.words).iter().for_each(|line| println!("{line}"));
        return code(true);
    }
    if o.has("--forms") {
        let listed = p.functions.iter().filter(|f| kinds::path(&f.path).is_some());
        let codes = listed.flat_map(|f| &p.code[f.first..f.first + f.len]);
        let codes: Vec<_> = forms(arm, codes).into_values().flatten().collect();
        print!("{}", if arm { qemu::list(&codes) } else { record::questions(&codes) });
        return code(true);
    }
    prove(&p, &o, &before, &answered)
}

/// Proves, prints the report, and compares it with the list.
fn prove(
    p: &Program,
    o: &Options,
    before: &BTreeMap<&str, report::Line>,
    answered: &BTreeSet<String>,
) -> Result<ExitCode, String> {
    let arm = p.abi.link.is_some();
    let daily = o.number("--daily").unwrap_or(1).max(1);
    let report = report::report(p, &o.words, (daily, o.day()), o.has("-v"));
    let run = p.code.iter().zip(&report.run).filter(|(_, run)| **run).map(|(c, _)| c);
    let forms: BTreeSet<String> = forms(arm, run).into_keys().collect();
    report.lines.iter().for_each(|line| println!("{line}"));
    // The numbers of the list are of the program `opcodes`, all of it.
    let whole = o.words.is_empty() && o.file.ends_with("opcodes");
    let lost = against(&report, before, whole, o.words.is_empty() && daily == 1);
    if o.has("--lists") {
        for (key, line) in &report.proved {
            let report::Line { functions, part, outside, memory, registers } = line;
            println!(
                "{key} x{functions}: {part} in part, {outside} outside, {memory} in memory, {registers} in registers"
            );
        }
    }
    if report.tried.is_empty() {
        return Err(format!("{}: no function of the kernels has all these words", o.file));
    }
    let missing: Vec<&String> = forms.iter().filter(|f| !answered.contains(*f)).collect();
    println!(
        "{} forms of instructions run, {} of them with {}",
        forms.len(),
        forms.len() - missing.len(),
        if arm { "an emulator's answers" } else { "a processor's recorded answers" }
    );
    missing.iter().for_each(|f| println!("no answer: {f}"));
    println!("{}", circuits::report()?);
    println!("{}", linear::report()?);
    println!("{}", report.last);
    code(lost == 0 && missing.is_empty())
}
