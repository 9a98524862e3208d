//! Runs the program in a temporary folder.
#![allow(dead_code)] // each test file uses its part

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use tempfile::TempDir;

pub const BULAT: &str = env!("CARGO_BIN_EXE_bulat");

/// A command line: a text with blanks between the words, or a list of words.
pub trait Line: Debug {
    fn words(&self) -> Vec<&str>;
}

impl Line for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Line for String {
    fn words(&self) -> Vec<&str> {
        self.as_str().words()
    }
}

impl<T: Line + ?Sized> Line for &T {
    fn words(&self) -> Vec<&str> {
        (**self).words()
    }
}

impl Line for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Line for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn put(dir: impl AsRef<Path>, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    fs::write(dir.as_ref().join(name), bytes).expect("written");
}

#[track_caller]
pub fn read(dir: impl AsRef<Path>, name: impl AsRef<Path>) -> Vec<u8> {
    let path = dir.as_ref().join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[track_caller]
pub fn string(dir: impl AsRef<Path>, name: &str) -> String {
    String::from_utf8(read(dir, name)).expect("UTF-8")
}

/// Writes a secret that only its owner can read.
pub fn secret(dir: impl AsRef<Path>, name: &str, text: &str) {
    put(&dir, name, text);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = dir.as_ref().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("its owner");
    }
}

/// Returns the permissions of a file.
#[cfg(unix)]
pub fn mode(path: impl AsRef<Path>) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).expect("it exists").permissions().mode() & 0o777
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

pub fn run(dir: impl AsRef<Path>, line: &(impl Line + ?Sized)) -> Ran {
    ran(command(dir, line).output().expect("it starts"))
}

/// Returns the program with this command line.
pub fn command(dir: impl AsRef<Path>, line: &(impl Line + ?Sized)) -> Command {
    let mut command = bulat(dir);
    command.args(line.words());
    command
}

/// Runs a script of the shell, which finds the program by its name.
pub fn sh(dir: impl AsRef<Path>, script: &str) -> Ran {
    let folder = Path::new(BULAT).parent().expect("a file").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    ran(program("sh", dir).env("PATH", path).args(["-c", script]).output().expect("it starts"))
}

/// Runs with these bytes on standard input.
pub fn piped(dir: impl AsRef<Path>, line: &(impl Line + ?Sized), input: &[u8]) -> Ran {
    feed(command(dir, line), input)
}

/// Runs a command with these bytes on standard input.
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

/// Requires success. Returns the output.
#[track_caller]
pub fn passed(ran: Ran) -> Vec<u8> {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

#[track_caller]
pub fn good(dir: impl AsRef<Path>, line: &(impl Line + ?Sized)) -> Vec<u8> {
    let ran = run(dir, line);
    assert_eq!(ran.code, Some(0), "{line:?}: {}", ran.err);
    ran.out
}

/// Returns the printed text.
#[track_caller]
pub fn said(dir: impl AsRef<Path>, line: &(impl Line + ?Sized)) -> String {
    String::from_utf8(good(dir, line)).expect("UTF-8")
}

/// Returns the printed JSON.
#[track_caller]
pub fn json(dir: impl AsRef<Path>, line: &(impl Line + ?Sized)) -> serde_json::Value {
    serde_json::from_slice(&good(dir, line)).expect("JSON")
}

/// Requires this exit code, all of these words in the message, and no panic.
#[track_caller]
pub fn bad(dir: impl AsRef<Path>, line: &(impl Line + ?Sized), code: i32, words: &[&str]) -> Ran {
    let ran = run(dir, line);
    check(&ran, line, code, words);
    ran
}

#[track_caller]
pub fn check(ran: &Ran, line: &(impl Line + ?Sized), code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{line:?}: {}", ran.err);
    assert!(!ran.err.contains("panicked"), "{line:?}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{line:?}: no {word:?} in {}", ran.err);
    }
}

pub fn text(len: usize) -> Vec<u8> {
    testkit::Random::new(1).bytes(len)
}

/// Returns the names in a folder.
pub fn names(dir: impl AsRef<Path>) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
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
