//! Standard streams that are idle, that the other side has left, that are closed, or that are one stream.
// Needs a POSIX shell.
#![cfg(unix)]

mod bin;

use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use bin::*;

/// Creates a folder with a key, a file and its container.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "in", text(300_000));
    good(&dir, "encrypt -k key -o sealed in");
    dir
}

/// Returns the exit status, if the program ended without waiting for its input.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Runs with these bytes on standard input, which then stays open and idle, and with nobody reading its output.
fn idle(mut command: Command, input: &[u8]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    // The program may end before it has read everything.
    let _ = stdin.write_all(input);
    ended(&mut child).map(|status| status.code().unwrap_or(-1))
}

#[test]
fn an_error_does_not_wait_for_an_idle_input() {
    let dir = ready();
    let mut damaged = read(&dir, "sealed");
    damaged[200] ^= 1;
    for jobs in ["1", "2", "4"] {
        let command = |line: &str| command(&dir, &format!("{line} -j {jobs}"));
        // The first chunk is damaged, the second is incomplete.
        let open = command("decrypt -k key -o x");
        assert_eq!(idle(open, &damaged[..200_000]), Some(5), "decrypt -j{jobs}");
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")));
        // The output's reader has left.
        let seal = command("encrypt -k key -o -");
        assert_eq!(idle(seal, &text(400_000)), Some(141), "encrypt -j{jobs}");
        let raw = command("raw encrypt --cipher kuznyechik-ctr --iv 1234567890abcef0 -k key");
        assert_eq!(idle(raw, &text(3 << 20)), Some(141), "raw -j{jobs}");
        // One of several files is idle: a FIFO, with both ends open here.
        let fifo = dir.path().join(format!("fifo{jobs}"));
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let ends = fs::File::options().read(true).write(true).open(&fifo).unwrap();
        let mut hash = command("hash in key");
        hash.arg(&fifo);
        if jobs != "1" {
            assert_eq!(idle(hash, &[]), Some(141), "hash -j{jobs}");
        }
        drop(ends);
    }
}

#[test]
fn closed_standard_streams_are_errors() {
    let dir = ready();
    for script in [
        "bulat key new",
        "bulat hash in",
        "bulat list",
        "bulat --help",
        "bulat man",
        "bulat mac -a kuznyechik-omac -k key in",
        "bulat encrypt -k key -o - in",
        "bulat decrypt -k key -o - sealed",
    ] {
        let ran = sh(&dir, &format!("{script} >&-"));
        check(&ran, script, 3, &["standard output: closed"]);
    }
    // Like the original tool.
    check(&sh(&dir, "bulat gost12sum in >&-"), "", 1, &["stdout: Bad file descriptor"]);
    check(&sh(&dir, "bulat gost12sum <&-"), "", 1, &["stdin: Bad file descriptor"]);
    for script in [
        "bulat encrypt -k key -o z",
        "bulat decrypt -k key -o z",
        "bulat hash",
        "bulat encrypt -k - -o z in",
        "bulat encrypt -p - -o z in",
        "bulat raw encrypt --cipher kuznyechik-ecb -k key -o z",
        "bulat inspect -",
    ] {
        let ran = sh(&dir, &format!("{script} <&-"));
        check(&ran, script, 3, &["standard input: closed"]);
    }
    let ran = sh(&dir, "bulat encrypt --key-fd 0 -o z in <&-");
    check(&ran, "--key-fd 0", 3, &["descriptor 0: not open"]);
    assert!(!names(&dir).contains(&"z".into()));
    // /dev/null is not a closed stream, however it was opened; and a closed stream that is not used does no harm.
    for script in [
        "bulat key new >/dev/null",
        "bulat key new 1<>/dev/null",
        "bulat decrypt -k key -o - sealed 1<>/dev/null",
        "bulat encrypt -k key -o a </dev/null",
        "bulat encrypt -k key -o b <>/dev/null",
        "bulat encrypt -k key -o c in <&- >&- 2>&-",
        "bulat hash in 2>&-",
    ] {
        let ran = sh(&dir, script);
        check(&ran, script, 0, &[]);
    }
}

#[test]
fn secret_and_data_are_not_one_stream() {
    let dir = ready();
    put(&dir, "pw", "a password\n");
    let before = names(&dir);
    for script in [
        "cat in | bulat encrypt -p /dev/stdin -o x",
        "bulat encrypt -p /dev/stdin -o x <pw",
        "cat key | bulat encrypt -k /dev/stdin -o x",
        "cat key | bulat encrypt -k - -o x /dev/stdin",
        "cat key | bulat encrypt --key-fd 0 -o x /dev/stdin",
        "cat key | bulat encrypt --key-fd 3 -o x 3<&0",
        "cat key | bulat decrypt -k /dev/stdin -o x",
        "cat key | bulat mac -a kuznyechik-omac -k /dev/stdin",
        "cat key | bulat mac -a kuznyechik-omac -k - key /dev/stdin",
        "cat key | bulat raw encrypt --cipher magma-ecb -k /dev/stdin -o x",
        "cat in | bulat raw encrypt --cipher magma-mgm -k key --iv 0011223344556677 --aad-file /dev/stdin -o x",
        "cat key | bulat wrap -k - -o x -",
        "cat key | bulat wrap -k /dev/stdin -o x -",
    ] {
        let ran = sh(&dir, script);
        check(&ran, script, 2, &["to do"]);
        assert!(ran.err.contains("both") || ran.err.contains("one file"), "{}", ran.err);
        assert_eq!(names(&dir), before, "{script}");
    }
}

#[test]
fn no_output_is_an_input_by_whatever_way_it_came() {
    let dir = ready();
    put(&dir, "pw", "a password\n");
    fs::hard_link(dir.path().join("key"), dir.path().join("hard")).unwrap();
    let key = read(&dir, "key");
    for script in [
        "bulat encrypt --key-fd 3 -f -o key in 3<key",
        "bulat encrypt --key-fd 0 -f -o key in <key",
        "bulat encrypt -k - -f -o hard in <key",
        "bulat encrypt -k hard -f -o key in",
        "bulat encrypt -k /dev/fd/3 -f -o key in 3<key",
        "bulat encrypt --password-fd 3 -f -o pw in 3<pw",
        "bulat encrypt -k key -o - in >>key",
        "bulat decrypt --key-fd 3 -f -o key sealed 3<key",
        "bulat raw encrypt --cipher magma-ecb --key-fd 3 -f -o key in 3<key",
        "bulat wrap -k /dev/fd/3 -f -o key in 3<key",
    ] {
        let ran = sh(&dir, script);
        check(&ran, script, 2, &["same file"]);
        assert_eq!(read(&dir, "key"), key, "{script}");
        assert_eq!(read(&dir, "pw"), b"a password\n", "{script}");
    }
}
