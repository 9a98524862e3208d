//! Every known answer, run against the models of this crate; and the runner itself, run on wrong
//! answers. `cargo test -p reference --test vectors -- --nocapture` prints the table of cases.

mod oracle;

use oracle::Reference;
use reference::{Keyed, kuznyechik::Kuznyechik, magma::Magma, tlstree};
use vectors::{Cipher, Filter, Suite};

#[test]
fn block_sizes_agree() {
    assert_eq!(Cipher::Kuznyechik.block(), Kuznyechik::BLOCK);
    assert_eq!(Cipher::Magma.block(), Magma::BLOCK);
}

#[test]
fn tls_masks_agree() {
    for suite in Suite::ALL {
        assert_eq!(tlstree::masks(suite.name()), Some(suite.masks()), "{}", suite.name());
    }
}

#[test]
fn every_vector() {
    let files = vectors::load().expect("the vectors are whole");
    let report = vectors::run(&Reference, &files, &Filter::default());
    println!("{report}");
    report.demand(&[]);
    let total = report.total();
    assert_eq!(total.unsupported, 0);
    // 5 unverified; 6 messages of 3 to 4 GiB and 1 key derivation of 2^24 iterations
    assert_eq!(total.skipped, 5 + 6 + 1);
    let tests: usize = files.iter().map(|file| file.tests.len()).sum();
    assert_eq!(total.passed + total.agrees + total.skipped, tests);
}

/// One digit changed in one expected value at a time: every single change is found out.
#[test]
fn every_wrong_vector_fails() {
    let files = vectors::load().expect("the vectors are whole");
    let mut found = 0;
    for (round, mutated) in vectors::mutations(&files).enumerate() {
        let report = vectors::run(&Reference, &mutated, &Filter::default());
        let total = report.total();
        assert_eq!(
            (total.passed, total.agrees, total.unsupported),
            (0, 0, 0),
            "round {round}: a wrong value was not found out\n{report}"
        );
        for finding in report.failures.iter().chain(&report.differences) {
            let reason = &finding.reason; // by comparison, not because the change made nonsense
            assert!(!reason.contains("the vector itself") && reason != "panicked", "{finding:?}");
        }
        if round == 0 {
            assert_eq!(mutated.len(), files.len() - 1, "all files but the unverified one");
        }
        found += total.failed + total.differs;
    }
    println!("{found} wrong values found out");
    assert!(found > 5415);
}

/// The messages of 3 to 4 GiB: minutes of the slow model each, in a release build.
#[test]
#[ignore = "24 GB of text: cargo test --release -p reference --test vectors -- --ignored"]
fn long_messages() {
    let files = vectors::load().expect("the vectors are whole");
    let filter = Filter { file: "gost28147_kat", long: vectors::Long::Only };
    let report = vectors::run(&Reference, &files, &filter);
    println!("{report}");
    report.demand(&[]);
    assert_eq!(report.total().passed, 6);
}
