//! Runs the program in a temporary folder.
#![allow(dead_code)] // each test file uses its part

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use tempfile::TempDir;

pub const BULAT: &str = env!("CARGO_BIN_EXE_bulat");

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn bulat(dir: impl AsRef<Path>) -> Command {
    program(BULAT, dir)
}

pub fn program(name: impl AsRef<OsStr>, dir: impl AsRef<Path>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(dir).stdin(Stdio::null()).env_remove("BULAT_KERNEL").env("LC_ALL", "C");
    command
}

pub struct Ran {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub fn run(dir: impl AsRef<Path>, args: &[&str]) -> Ran {
    ran(bulat(dir).args(args).output().expect("it starts"))
}

/// Runs with these bytes on standard input.
pub fn feed(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // Writes from another thread, so that neither pipe can fill up. A program that stops reading is not an error.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    ran(output)
}

#[track_caller]
pub fn good(dir: impl AsRef<Path>, args: &[&str]) -> Vec<u8> {
    let ran = run(dir, args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    ran.out
}

/// Requires this exit code, all of these words in the message, and no panic.
#[track_caller]
pub fn bad(dir: impl AsRef<Path>, args: &[&str], code: i32, words: &[&str]) -> Ran {
    let ran = run(dir, args);
    check(&ran, args, code, words);
    ran
}

#[track_caller]
pub fn check(ran: &Ran, args: &[&str], code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
    assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{args:?}: no {word:?} in {}", ran.err);
    }
}

pub fn text(len: usize) -> Vec<u8> {
    testkit::Random::new(1).bytes(len)
}

/// Returns the names in a folder.
pub fn names(dir: impl AsRef<Path>) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .expect("listed")
        .map(|e| e.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Returns the path of a program of the system, if it is installed.
pub fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|p| p.is_file())
}
