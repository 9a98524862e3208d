//! Runs all known answers through the `serve` of a binding.
//!
//! `face WRONG-TAG [--without NAME,NAME] COMMAND [ARGUMENT..]`: the names of the exceptions for a wrong tag; algorithms that
//! the binding does not offer. It fails if another one is not offered, or one of these is, or a vector is not reached.

use std::collections::BTreeSet;
use std::process::{Command, exit};

use vectors::face::{Face, PARTS, REACHED};
use vectors::{Filter, run};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut allowed: BTreeSet<&str> = PARTS.into_iter().collect();
    let mut without = String::new();
    if arguments.get(1).is_some_and(|option| option == "--without") && arguments.len() > 2 {
        without = arguments.remove(2);
        arguments.remove(1);
    }
    allowed.extend(without.split(',').filter(|name| !name.is_empty()));
    let [wrong_tag, program, rest @ ..] = &arguments[..] else {
        eprintln!("face WRONG-TAG [--without NAME,NAME] COMMAND [ARGUMENT..]");
        exit(2);
    };
    // Without the program no other test can pass.
    std::panic::set_hook(Box::new(|why| {
        eprintln!("{why}");
        exit(1);
    }));
    let face =
        Face::start(Command::new(program).args(rest), wrong_tag).expect("the program starts");
    let report = run(&face, &vectors::load().expect("the vectors are whole"), &Filter::default());
    let (total, missing) = (report.total(), report.missing.keys().map(String::as_str).collect());
    let passed = total.passed + total.agrees;
    println!(
        "vectors: {passed} run and passed, {} not offered, {} skipped; refusals: {:?}",
        total.unsupported,
        total.skipped,
        face.exceptions(),
    );
    let other: Vec<&&str> = allowed.symmetric_difference(&missing).collect();
    let other_number = passed == 0 || passed > REACHED || without.is_empty() && passed < REACHED;
    if total.failed + total.differs > 0 || !other.is_empty() || other_number {
        eprintln!("{report}\nnot offered, or offered by now: {other:?}; {REACHED} must pass");
        exit(1);
    }
}
