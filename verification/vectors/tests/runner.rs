//! The runner against subjects that are wrong on purpose: they accept everything, or panic.

use vectors::{Answer, Call, File, Filter, Refused, Subject, Verdict};

/// The files with only the tests of that verdict.
fn only(verdict: Verdict) -> Vec<File> {
    let mut files = vectors::load().expect("the vectors are whole");
    for file in &mut files {
        file.tests.retain(|test| test.verdict == verdict);
    }
    files
}

fn count(files: &[File]) -> usize {
    files.iter().map(|file| file.tests.len()).sum()
}

/// Accepts any input and any tag.
struct Credulous;

impl Subject for Credulous {
    fn run(&self, _: &Call) -> Answer {
        Ok(Vec::new())
    }
}

#[test]
fn a_subject_that_accepts_invalid_input_is_found_out() {
    let files = only(Verdict::Invalid);
    let report = vectors::run(&Credulous, &files, &Filter::default());
    let (total, invalid) = (report.total(), count(&files));
    assert!(invalid > 300);
    assert_eq!((total.failed, total.passed, total.unsupported), (invalid, 0, 0), "{report}");
}

struct Panicking;

impl Subject for Panicking {
    fn run(&self, _: &Call) -> Answer {
        panic!("on purpose");
    }
}

#[test]
fn a_panic_fails_only_its_test() {
    let filter = Filter { file: "magma_block_random", ..Filter::default() };
    let report = vectors::run(&Panicking, &only(Verdict::Invalid), &filter);
    assert_eq!(report.total().failed, 5, "{report}");
    assert!(report.failures.iter().all(|failure| failure.reason == "panicked"), "{report}");
}

struct Empty;

impl Subject for Empty {
    fn run(&self, _: &Call) -> Answer {
        Err(Refused::Unsupported)
    }
}

#[test]
fn a_missing_algorithm_is_counted_by_name() {
    let files = vectors::load().expect("the vectors are whole");
    let report = vectors::run(&Empty, &files, &Filter::default());
    let total = report.total();
    assert_eq!((total.passed, total.failed, total.agrees, total.differs), (0, 0, 0, 0), "{report}");
    assert_eq!(total.unsupported + total.skipped, count(&files));
    assert!(report.missing.contains_key("magma-mgm") && report.missing.contains_key("streebog256"));
}

/// Bindings that are wrong on purpose, as shells.
#[cfg(unix)]
mod bindings {
    use std::process::Command;

    use vectors::face::Face;
    use vectors::{Call, Op, Refused, Subject};

    /// Why a right tag of OMAC fails.
    fn reason(serve: &str) -> String {
        let face =
            Face::start(Command::new("sh").args(["-c", serve]), "WrongTag").expect("a shell");
        match face.run(&Call { tag: &[1; 8], ..Call::new(Op::Verify, "magma-omac") }) {
            Err(Refused::Input(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn that_checks_no_tag() {
        let why = reason("while read -r line; do echo =; done");
        assert!(why.starts_with("a mistake was taken"), "{why}");
    }

    #[test]
    fn that_has_another_exception_for_a_wrong_tag() {
        let why = reason("read -r line; echo =; while read -r line; do echo '!Length words'; done");
        assert!(why.starts_with("another exception"), "{why}");
    }
}
