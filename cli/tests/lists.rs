//! `hash --check` with lists that cannot be read, files that cannot be reached, and indented lines.
#![cfg(unix)]

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
        prints(&run(&dir, &["hash", "-c", "list"]), "b: OK\n\\two\\nlines: OK\n");
    }
    // The tools that bulat can be take no such line, but gost12sum its own with spaces.
    list(&dir, "list", &format!(" {escaped}"));
    let skipped = good(&dir, &["gost12sum", "-v", "-c", "list"]);
    assert!(skipped.starts_with(b"Skipping line"));
    list(&dir, "list", &format!("\t{}", line(&dir, "b")));
    let skipped = good(&dir, &["gost12sum", "-v", "-c", "list"]);
    assert!(skipped.starts_with(b"Skipping line"));
}

#[test]
fn lines_of_another_algorithm_are_malformed() {
    let dir = ready();
    let tag = |algorithm| {
        String::from_utf8(good(&dir, &["hash", "-a", algorithm, "--tag", "b"])).unwrap()
    };
    let all = tag("streebog256") + &tag("gost94") + &tag("streebog512");
    list(&dir, "list", &all);
    prints(&run(&dir, &["hash", "-c", "list"]), "b: OK\nb: OK\nb: OK\n");
    let ran = run(&dir, &["hash", "-a", "streebog256", "-c", "list"]);
    assert_eq!(ran.code, Some(0));
    prints(&ran, "b: OK\n");
    assert!(ran.err.contains("2 lines are improperly formatted"), "{}", ran.err);
    let strict = ["hash", "-a", "streebog256", "-c", "--strict", "list"];
    bad(&dir, &strict, 1, &["2 lines are improperly formatted"]);
    // By any name of the algorithm, as openssl prints them.
    let digest = line(&dir, "b");
    let digest = digest.split(' ').next().unwrap();
    list(&dir, "list", &format!("md_gost12_256(b)= {digest}\n"));
    prints(&run(&dir, &["hash", "-a", "streebog256", "-c", "list"]), "b: OK\n");
    list(&dir, "list", &tag("gost94"));
    bad(&dir, &["hash", "-a", "streebog256", "-c", "list"], 5, &["no properly formatted"]);
}

#[test]
fn a_long_line_is_one_line() {
    let dir = ready();
    let entry = line(&dir, "b");
    for len in [65_000, 65_535, 65_536, 65_537, 131_072, 500_000] {
        // A comment, the end of which looks like an entry where a line is cut.
        for cut in [65_535usize, 65_536, 65_537] {
            let comment = format!("#{}{entry}", "x".repeat(len.max(cut) - 1));
            list(&dir, "list", &format!("{comment}{entry}"));
            let ran = run(&dir, &["hash", "-c", "--warn", "list"]);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{len} {cut}");
            prints(&ran, "b: OK\n");
        }
        // Another long line is one that is malformed.
        list(&dir, "list", &format!("{}{entry}{entry}", "x".repeat(len)));
        let ran = run(&dir, &["hash", "-c", "--warn", "list"]);
        assert_eq!(ran.err.matches("list: 1: improperly").count(), 1, "{}", ran.err);
        assert_eq!(ran.err.matches("improperly formatted checksum").count(), 1, "{}", ran.err);
        prints(&ran, "b: OK\n");
    }
}

/// As in coreutils: what stands there is the name, with a backslash before the line where it is escaped.
#[test]
fn verdicts_name_one_file_each() {
    let dir = ready();
    let names = ["x\ny", "x\\ny", "x\ry", "x\\"];
    for name in names {
        fs::write(dir.path().join(name), name).unwrap();
    }
    let lines: String = names.iter().map(|name| line(&dir, name)).collect();
    list(&dir, "list", &lines);
    let verdicts = "\\x\\ny: OK\n\\x\\\\ny: OK\n\\x\\ry: OK\n\\x\\\\: OK\n";
    prints(&run(&dir, &["hash", "-c", "list"]), verdicts);
    if let Some(sha256sum) = installed("sha256sum") {
        // Of the others some versions escape none when they check.
        let sums = program(&sha256sum, &dir).arg(names[0]).output().unwrap().stdout;
        fs::write(dir.path().join("sums"), sums).unwrap();
        let theirs = program(&sha256sum, &dir).args(["-c", "sums"]).output().unwrap().stdout;
        assert_eq!(
            String::from_utf8_lossy(&theirs),
            verdicts.lines().next().unwrap().to_owned() + "\n"
        );
    }
    // Nor do two missing files have one message.
    for name in names {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    let ran = run(&dir, &["hash", "-c", "list"]);
    let mut said: Vec<&str> = ran.err.lines().filter(|l| l.contains("No such file")).collect();
    assert_eq!(said.len(), names.len());
    said.sort_unstable();
    said.dedup();
    assert_eq!(said.len(), names.len(), "{}", ran.err);
}
