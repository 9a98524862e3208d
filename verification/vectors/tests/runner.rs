//! The runner against subjects that are wrong on purpose: one that takes everything, one that panics.

use vectors::{
    Answer, Cipher, Direction, File, Filter, Meshing, Refused, Sbox, Streebog, Subject, Verdict,
    Wrap,
};

/// The files with only the tests of that verdict.
fn only(verdict: Verdict) -> Vec<File> {
    let mut files = vectors::load().expect("the vectors are whole");
    for file in &mut files {
        file.tests.retain(|test| test.verdict == verdict);
    }
    files
}

/// Takes any input, and any tag is right.
struct Credulous;

const TAKEN: Answer = Ok(Vec::new());

impl Subject for Credulous {
    fn block(&self, _: Cipher, _: Direction, _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn ecb(&self, _: Cipher, _: Direction, _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn ctr(&self, _: Cipher, _: &[u8], _: &[u8], _: usize, _: &[u8]) -> Answer {
        TAKEN
    }
    fn ofb(&self, _: Cipher, _: &[u8], _: &[u8], _: usize, _: &[u8]) -> Answer {
        TAKEN
    }
    fn cbc(&self, _: Cipher, _: Direction, _: &[u8], _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn cfb(&self, _: Cipher, _: Direction, _: &[u8], _: &[u8], _: usize, _: &[u8]) -> Answer {
        TAKEN
    }
    fn omac_verify(
        &self,
        _: Cipher,
        _: &[u8],
        _: &[u8],
        _: usize,
        _: &[u8],
    ) -> Result<bool, Refused> {
        Ok(true)
    }
    fn ctr_acpkm(&self, _: Cipher, _: &[u8], _: &[u8], _: usize, _: usize, _: &[u8]) -> Answer {
        TAKEN
    }
    fn mgm_open(
        &self,
        _: Cipher,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: usize,
        _: &[u8],
    ) -> Answer {
        TAKEN
    }
    fn gost28147_block(&self, _: Sbox, _: Direction, _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn gost28147_cnt(&self, _: Sbox, _: Meshing, _: &[u8], _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn gost28147_cfb(
        &self,
        _: Sbox,
        _: Meshing,
        _: Direction,
        _: &[u8],
        _: &[u8],
        _: &[u8],
    ) -> Answer {
        TAKEN
    }
    fn gost28147_cbc(
        &self,
        _: Sbox,
        _: Meshing,
        _: Direction,
        _: &[u8],
        _: &[u8],
        _: &[u8],
    ) -> Answer {
        TAKEN
    }
    fn gost28147_imit_verify(
        &self,
        _: Sbox,
        _: Meshing,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: usize,
        _: &[u8],
    ) -> Result<bool, Refused> {
        Ok(true)
    }
    fn key_unwrap(&self, _: Wrap, _: Sbox, _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn kimp15(&self, _: Cipher, _: &[u8], _: &[u8], _: &[u8], _: &[u8]) -> Answer {
        TAKEN
    }
    fn hmac_verify(
        &self,
        _: Streebog,
        _: &[u8],
        _: &[u8],
        _: usize,
        _: &[u8],
    ) -> Result<bool, Refused> {
        Ok(true)
    }
    fn kdf_tree(&self, _: &[u8], _: &[u8], _: &[u8], _: u32, _: usize) -> Answer {
        TAKEN
    }
    fn cms_open(&self, _: Cipher, _: &[u8], _: &[u8], _: usize, _: &[u8]) -> Answer {
        TAKEN
    }
}

#[test]
fn whoever_takes_invalid_input_is_found_out() {
    let report = vectors::run(&Credulous, &only(Verdict::Invalid), &Filter::default());
    let total = report.total();
    assert_eq!((total.failed, total.passed, total.unsupported), (311, 0, 0), "{report}");
}

/// Refuses nothing by itself: only panics.
struct Panicking;

impl Subject for Panicking {
    fn block(&self, _: Cipher, _: Direction, _: &[u8], _: &[u8]) -> Answer {
        panic!("on purpose");
    }
}

#[test]
fn a_panic_fails_its_test_alone() {
    let filter = Filter { file: "magma_block_random", ..Filter::default() };
    let report = vectors::run(&Panicking, &only(Verdict::Invalid), &filter);
    assert_eq!(report.total().failed, 5, "{report}");
    assert!(report.failures.iter().all(|failure| failure.reason == "panicked"), "{report}");
}

struct Empty;

impl Subject for Empty {}

#[test]
fn what_is_not_there_is_counted_by_name() {
    let files = vectors::load().expect("the vectors are whole");
    let report = vectors::run(&Empty, &files, &Filter::default());
    let total = report.total();
    assert_eq!((total.passed, total.failed, total.agrees, total.differs), (0, 0, 0, 0), "{report}");
    assert_eq!(total.unsupported + total.skipped, 5762);
    assert!(report.missing.contains_key("mgm_seal") && report.missing.contains_key("streebog"));
}
