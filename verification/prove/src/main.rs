//! Proves functions of the kernels, as compiled for x86-64, equal to the standards.
//!
//! `prove [FILE] [WORD ...]`: without a file, the program `opcodes` in its folder, which has every kernel linked. With
//! words, only the calls that have them all in their names. `-v` prints each call. Other forms: `prove --help`.
//!
//! # The statement of a proof
//!
//! A function is run from its first instruction to its return, as `objdump` prints it. What is public is a number: pointers,
//! lengths, counters, directions, the choice between forms of a kernel. Every byte of a key, a text or a state is a
//! variable. In the end the bytes that the function has written are compared with what the RFC says of the
//! same variables. If they are the same functions, they are equal for all keys and texts, at this length. The
//! run also refuses a branch, an address, the count of a shift or the mask of a move that hangs on a key or a text;
//! an access outside the memory that the call was given, to the byte; a move that is not aligned where it must be;
//! and a return that does not leave the caller's registers and stack pointer as they were.
//!
//! # How it is done
//!
//! 1. A byte is a constant XOR functions of single variables, each a table of 256 values (`domain`). Equal functions have
//!    equal forms, so the comparison is `==`, and no solver is needed. XOR, moves, shuffles, shifts of bits and
//!    all linear maps of a byte stay in this form; so does every function of a byte that hangs on one variable.
//! 2. An S-box works on bytes of many variables. The standard runs first (`standard`) and names each byte before its S-box:
//!    that name is a variable from there on. When the machine looks up a byte of many variables, the prover
//!    searches for a named byte of which it is a linear function, and solves for that function. So a kernel may use
//!    other coordinates, scaled keys or halves of bytes; nobody tells the prover which.
//! 3. Where no such byte is found, and for sums of words, the result is a new unknown, named by the operation and its
//!    operands. Equal operands give equal unknowns. A proof goes through only if the standard's sums have the
//!    same operands. A carry is one bit, however it is made: by a flag, by a comparison of a sum with a part of it, or as
//!    a mask (`carries`). Products of polynomials are sums of products of two bits each (`polynomials`).
//! 4. On bit planes every operation is by bits, so that one column says it for all: a byte there is a decision diagram of
//!    that column's bits (`planes`).
//! 5. Registers, vectors, masks and the stack hold unknowns before the call, so nothing can hang on them unseen.
//!
//! Each step replaces a value by a form that has it for every input, or by an unknown that may be anything: so an error
//! of search, or a kernel that is built in another way, makes a proof fail and never makes it succeed. What a proof
//! rests on is the meanings of instructions (`meanings`), which a test compares with a processor's
//! recorded answers; the text of `objdump`; and the standards, which a test compares with the RFCs' texts.

mod bytes;
mod call;
mod carries;
mod circuits;
mod domain;
mod kinds;
mod machine;
mod meanings;
#[path = "../../ct/src/bin/opcodes/parse.rs"]
#[allow(dead_code)] // shared with the list of instructions
mod parse;
mod planes;
mod plant;
mod polynomials;
mod program;
mod record;
mod report;
mod standard;
mod sums;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use program::Program;

const HELP: &str = "prove [FILE] [WORD ...] [-v]     proves the kernels of FILE, or of `opcodes` in the folder of this program
prove [FILE] --list              prints the functions to be called, and their classes
prove [FILE] --faults N          plants every Nth of the listed faults again (1: all)
prove [FILE] --plant N --seed S  plants N other faults, in the form of the list
prove --answers                  compares the meanings of instructions with a processor's recorded answers
prove [FILE] --forms             prints all forms in the kernels of FILE, for record.py, which asks a processor";

/// The answers of a processor.
const ANSWERS: &str = include_str!("../answers.txt");

/// Faults, with what each is.
const FAULTS: &str = include_str!("../faults.txt");

/// The functions that were proved before.
const BEFORE: &str = include_str!("../proved.txt");

/// Instructions of each form that a processor can be asked about; two where a number is in it.
fn forms<'p>(
    codes: impl Iterator<Item = &'p program::Code>,
) -> BTreeMap<String, Vec<&'p program::Code>> {
    let mut forms: BTreeMap<String, Vec<&program::Code>> = BTreeMap::new();
    for code in codes.filter(|c| record::alone(c)) {
        let all = forms.entry(record::form(code)).or_default();
        if all.len() < 1 + usize::from(code.has_number()) && all.iter().all(|c| c.text != code.text)
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

fn run(mut args: Vec<String>) -> Result<ExitCode, String> {
    if args.iter().any(|a| a == "--help") {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut flag = |name: &str| {
        let before = args.len();
        args.retain(|a| a != name);
        args.len() != before
    };
    let (verbose, list, records) = (flag("-v"), flag("--list"), flag("--forms"));
    if flag("--answers") {
        let (compared, refused) = record::compare_all(ANSWERS)?;
        println!("{compared} answers compared, {refused} refused by the meanings, none wrong");
        return Ok(ExitCode::SUCCESS);
    }
    let mut value = |name: &str| -> Result<Option<u64>, String> {
        let Some(at) = args.iter().position(|a| a == name) else { return Ok(None) };
        let value = args.get(at + 1).and_then(|v| v.parse().ok());
        args.drain(at..(at + 2).min(args.len()));
        value.map(Some).ok_or(format!("{name} needs a number"))
    };
    let (plants, seed, again) = (value("--plant")?, value("--seed")?, value("--faults")?);
    let file = match args.first() {
        Some(first) if std::path::Path::new(first).is_file() => args.remove(0),
        _ => {
            let own = std::env::current_exe().map_err(|e| e.to_string())?;
            own.with_file_name("opcodes").display().to_string()
        }
    };
    let p = Program::read(&file)?;
    if list {
        for task in kinds::tasks(&p) {
            println!("{}: {}", report::name(&p.functions[task.function].path), task.class);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(n) = plants {
        let good = plant::plant(&p, n as usize, seed.unwrap_or(1), BEFORE, &args);
        return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Some(step) = again {
        let good = plant::replant(&p, FAULTS, step as usize, BEFORE);
        return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if records {
        let listed = p.functions.iter().filter(|f| kinds::path(&f.path).is_some());
        let codes = listed.flat_map(|f| &p.code[f.first..f.first + f.len]);
        let codes: Vec<_> = forms(codes).into_values().flatten().collect();
        print!("{}", record::questions(&codes));
        return Ok(ExitCode::SUCCESS);
    }
    let report = report::report(&p, &args, verbose);
    let run = p.code.iter().zip(&report.run).filter(|(_, run)| **run).map(|(c, _)| c);
    let forms = forms(run);
    report.lines.iter().for_each(|line| println!("{line}"));
    let mut lost = 0;
    if args.is_empty() {
        for line in BEFORE.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
            // A key, and how many functions have it if it is not one.
            let (key, want) = match line.split_once(" x") {
                Some((key, n)) => (key, n.parse().map_err(|_| format!("proved.txt: {line}"))?),
                None => (line, 1),
            };
            let now = report.proved.iter().filter(|p| *p == key).count();
            if now < want {
                println!("{key}: {want} functions were proved before, {now} are now");
                lost += 1;
            }
        }
    }
    let answered: BTreeSet<String> = record::answers(ANSWERS)
        .iter()
        .map(|a| program::Program::of_one(&(a.text.replace("[rip+mem]", "[rip+0x0]") + " # 0")))
        .map(|p| record::form(&p.code[0]))
        .collect();
    let missing: Vec<&String> = forms.keys().filter(|f| !answered.contains(*f)).collect();
    println!(
        "{} forms of instructions run, {} of them with a processor's recorded answers",
        forms.len(),
        forms.len() - missing.len()
    );
    missing.iter().for_each(|f| println!("no answer: {f}"));
    println!("{}", circuits::report()?);
    println!("{}", report.last);
    Ok(if lost == 0 && missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
