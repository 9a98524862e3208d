//! `hash --check` with lists that cannot be read, files that cannot be reached, and indented lines.

mod bin;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use bin::*;

/// A folder with the files a and b, a list `good` of b, and a list `bad` of a with a wrong digest.
fn ready() -> TempDir {
    let dir = folder();
    for name in ["a", "b"] {
        fs::write(dir.path().join(name), name).unwrap();
    }
    list(&dir, "good", &line(&dir, "b"));
    list(&dir, "bad", &line(&dir, "b").replace("  b", "  a"));
    dir
}

fn list(dir: &TempDir, name: &str, text: &str) {
    fs::write(dir.path().join(name), text).unwrap();
}

/// A file's line.
fn line(dir: &TempDir, name: &str) -> String {
    String::from_utf8(good(dir, &["hash", name])).unwrap()
}

#[track_caller]
fn prints(ran: &Ran, out: &str) {
    assert_eq!(String::from_utf8_lossy(&ran.out), out, "{}", ran.err);
}

#[test]
fn a_list_that_cannot_be_read_stops_no_other() {
    let dir = ready();
    let check = |lists: &[&str], code, words: &[&str]| {
        bad(&dir, &[&["hash", "-c"][..], lists].concat(), code, words)
    };
    let missing = "missing: No such file";
    prints(&check(&["bad", "missing", "good"], 1, &[missing]), "a: FAILED\nb: OK\n");
    prints(&check(&["missing", "bad"], 1, &[missing]), "a: FAILED\n");
    prints(&check(&["good", "missing", "good"], 3, &[missing]), "b: OK\nb: OK\n");
    fs::create_dir(dir.path().join("d")).unwrap();
    prints(&check(&["d", "good"], 3, &["d: Is a directory"]), "b: OK\n");
    // One that opens, and then cannot be read.
    if cfg!(target_os = "linux") {
        prints(&check(&["/proc/self/mem", "good"], 3, &["/proc/self/mem: "]), "b: OK\n");
    }
}

#[test]
fn results_that_cannot_be_written_are_no_unreadable_list() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let dir = ready();
    let mut command = bulat(&dir);
    command.args(["hash", "-c", "good", "good"]).stdout(full).stderr(Stdio::piped());
    let ran = ran(command.output().unwrap());
    check(&ran, &["> /dev/full"], 3, &["standard output: cannot write"]);
    assert_eq!(ran.err.matches("cannot write").count(), 1, "{}", ran.err);
}

#[test]
fn only_what_is_not_there_is_missing() {
    let dir = ready();
    symlink("loop", dir.path().join("loop")).unwrap();
    symlink("nowhere", dir.path().join("dangling")).unwrap();
    let of = |name: &str| line(&dir, "b").replace("  b", &format!("  {name}"));
    for there in ["a/b", "loop"] {
        list(&dir, "list", &(line(&dir, "b") + &of(there)));
        let ran = bad(&dir, &["hash", "-c", "--ignore-missing", "list"], 1, &[there]);
        prints(&ran, &format!("b: OK\n{there}: FAILED open or read\n"));
    }
    for not_there in ["c", "c/b", "dangling"] {
        list(&dir, "list", &(line(&dir, "b") + &of(not_there)));
        let ran = run(&dir, &["hash", "-c", "--ignore-missing", "list"]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{not_there}");
        prints(&ran, "b: OK\n");
    }
    // The reading of "  loop" with one space, when only that is there and cannot be reached.
    symlink(" turn", dir.path().join(" turn")).unwrap();
    list(&dir, "list", &of("turn"));
    let ran = bad(&dir, &["hash", "-c", "--ignore-missing", "list"], 1, &[" turn"]);
    prints(&ran, " turn: FAILED open or read\n");
}

#[test]
fn indented_lines() {
    let dir = ready();
    fs::write(dir.path().join("two\nlines"), "b").unwrap();
    let escaped = line(&dir, "two\nlines");
    assert!(escaped.starts_with('\\'));
    for indent in [" ", "    ", "\t", " \t "] {
        list(&dir, "list", &format!("{indent}{}{indent}{escaped}", line(&dir, "b")));
        prints(&run(&dir, &["hash", "-c", "list"]), "b: OK\ntwo\\nlines: OK\n");
    }
    // The tools that bulat can be take no such line, but gost12sum its own with spaces.
    list(&dir, "list", &format!(" {escaped}"));
    let skipped = good(&dir, &["gost12sum", "-v", "-c", "list"]);
    assert!(skipped.starts_with(b"Skipping line"));
    list(&dir, "list", &format!("\t{}", line(&dir, "b")));
    let skipped = good(&dir, &["gost12sum", "-v", "-c", "list"]);
    assert!(skipped.starts_with(b"Skipping line"));
}
