//! Proves functions of the kernels, as compiled for x86-64, equal to the standards.

mod bytes;
mod call;
mod domain;
mod kinds;
mod machine;
mod meanings;
#[path = "../../ct/src/bin/opcodes/parse.rs"]
mod parse;
mod polynomials;
mod program;
mod standard;

use std::process::ExitCode;
use std::time::Instant;

use call::Call;
use machine::Meanings;
use program::Program;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let only = args.next().unwrap_or_default();
    let t = Instant::now();
    let p = match Program::read(&path) {
        Ok(p) => p,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    eprintln!("read {:.1?}", t.elapsed());
    let meanings = Meanings::new(&p);
    for task in kinds::tasks(&p) {
        let f = &p.functions[task.function];
        let name = format!("{} {}", f.path, task.class);
        if !only.split(',').all(|o| name.contains(o)) {
            continue;
        }
        let t = Instant::now();
        let mut call = Call::new(&p, meanings.clone(), &[]);
        let r = (task.call)(&mut call, f.first);
        println!(
            "{} {name}: {} run, {} cuts, {} left, {:.2?} {}",
            if r.is_ok() { "PROVED" } else { "REFUSED" },
            call.m.count,
            domain::cuts(),
            call.m.left(),
            t.elapsed(),
            r.err().map_or(String::new(), |e| e.0)
        );
    }
    ExitCode::SUCCESS
}
