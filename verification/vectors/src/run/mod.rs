//! The runner: each test goes to the family that knows its algorithm and mode; a panic of the
//! subject fails only that test. Tests run on all cores, the report is in their order.

mod block;
mod case;
mod esp;
mod gost28147;
mod hash;
mod keys;
mod mgm;
mod modes;
mod tls;

use crate::call::Subject;
use crate::load::File;
use crate::report::{Outcome, Report};
use crate::test::{Defect, Test, Verdict};
use case::Case;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The treatment of long tests: messages over 16 MiB (up to 4 GiB) and 2^24 iterations of PBKDF2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Long {
    /// Count them as skipped.
    #[default]
    Skip,
    /// Run them and nothing else.
    Only,
    /// Run everything.
    Also,
}

/// Which tests to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only files with this in their name.
    pub file: &'a str,
    /// The long tests.
    pub long: Long,
}

const LONG_MESSAGE: u64 = 16 << 20;
const LONG_ITERATIONS: u64 = 1_000_000;

fn is_long(test: &Test) -> bool {
    test.source("msg").is_ok_and(|message| message.len() > LONG_MESSAGE)
        || test.number("iterations").is_ok_and(|iterations| iterations > LONG_ITERATIONS)
}

/// Runs the tests of `files` that the filter lets through.
pub fn run(subject: &dyn Subject, files: &[File], filter: &Filter) -> Report {
    let work: Vec<(&File, &Test)> = files
        .iter()
        .filter(|file| file.name.contains(filter.file))
        .flat_map(|file| file.tests.iter().map(move |test| (file, test)))
        .filter(|(_, test)| filter.long != Long::Only || is_long(test))
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((_, test)) = work.get(index) else { return done };
            done.push((index, one(subject, test, filter.long)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        // The last on this thread, which is all that WebAssembly has.
        let mut done = worker();
        done.extend(workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()));
        done
    });
    done.sort_by_key(|(index, _)| *index);
    let mut report = Report::default();
    for (index, (outcome, missing)) in done {
        let (file, test) = work[index];
        report.record(&file.name, test.id, outcome, missing);
    }
    report
}

fn one(subject: &dyn Subject, test: &Test, long: Long) -> (Outcome, Vec<String>) {
    if test.verdict == Verdict::Unverified {
        return (Outcome::Skipped("not verified against the standard"), Vec::new());
    }
    if long == Long::Skip && is_long(test) {
        return (Outcome::Skipped("long: run it on request"), Vec::new());
    }
    catch_unwind(AssertUnwindSafe(|| {
        let mut case = Case::new(subject, test);
        let result = family(&mut case);
        case.outcome(result)
    }))
    .unwrap_or_else(|_| (Outcome::Failed("panicked".into()), Vec::new()))
}

/// Sends a test to the code for its algorithm and mode. An unknown pair is a defect: no test is
/// left out in silence.
fn family(case: &mut Case) -> Result<(), Defect> {
    let (algorithm, mode) = (case.test.algorithm.as_str(), case.test.mode.as_str());
    match (algorithm, mode) {
        ("KUZNYECHIK" | "MAGMA", "BLOCK") => block::block(case),
        ("KUZNYECHIK" | "MAGMA", "KEYSCHEDULE") => block::key_schedule(case),
        ("KUZNYECHIK" | "MAGMA", "TRANSFORM") => block::transform(case),
        ("KUZNYECHIK" | "MAGMA", "MGM") => mgm::mgm(case),
        ("KUZNYECHIK" | "MAGMA", "ACPKM") => keys::acpkm(case),
        ("KUZNYECHIK" | "MAGMA", _) => modes::mode(case, mode),
        ("GOST28147-89", "KEYWRAP") => keys::key_wrap(case),
        ("GOST28147-89", _) => gost28147::mode(case, mode),
        ("GOSTR3411-94", "HASH") => hash::gostr341194(case),
        ("STREEBOG-256" | "STREEBOG-512", "HASH") => hash::streebog(case),
        ("HMAC-STREEBOG-256" | "HMAC-STREEBOG-512", "HMAC") => hash::hmac(case),
        ("PBKDF2-HMAC-STREEBOG-256" | "PBKDF2-HMAC-STREEBOG-512", "KDF") => hash::pbkdf2(case),
        ("KDF_GOSTR3411_2012_256" | "PRF-STREEBOG", "KDF") => hash::derive(case),
        ("TLSTREE", "KDF") => tls::tree(case),
        ("TLS-RECORD", "RECORD") => tls::record(case),
        ("ESP", "KTREE") => esp::esp(case),
        ("KEXP15", "KEYWRAP") => keys::kexp15(case),
        ("CMS-CTR-ACPKM", "CMS") => keys::cms(case),
        _ => Err(Defect(format!("no one runs {algorithm} {mode}"))),
    }
}
