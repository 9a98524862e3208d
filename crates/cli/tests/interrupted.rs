//! The program cut short: killed, interrupted, with a full disk, a closed pipe, and little memory.
#![cfg(unix)]

mod bin;

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bin::*;
use testkit::Random;

/// Creates a folder with a key and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "in", text(300_000));
    dir
}

#[test]
fn fifty_killed_runs_leave_nothing_under_the_final_name() {
    let dir = ready();
    let plain = text(3_000_000);
    put(&dir, "in", &plain);
    let begun = Instant::now();
    good(&dir, "encrypt -k key -o whole in");
    let mut span = begun.elapsed().as_micros() as usize;
    let mut random = Random::new(42);
    let mut finished = 0;
    for round in 0..50 {
        let line = ["encrypt -k key -o out in", "decrypt -k key -o out whole"][round % 2];
        let mut child = command(&dir, line).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(span * 11 / 10) as u64));
        let _ = child.kill(); // SIGKILL
        child.wait().unwrap();
        let out = dir.path().join("out");
        if out.exists() {
            // The program was faster than the kill, so the output must be whole.
            finished += 1;
            // A busy machine may have stood still in the first run.
            span >>= usize::from(finished > 5 + round / 2);
            if round % 2 == 0 {
                assert!(good(&dir, "decrypt -k key -o - out") == plain);
            } else {
                assert!(read(&dir, "out") == plain);
            }
            fs::remove_file(out).unwrap();
        }
    }
    println!("50 runs killed, {finished} of them were done before");
    assert!(finished < 50, "no run was killed in time");
}

/// Returns whether this process, and so its children, ignores this signal.
fn ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[test]
fn signals_remove_the_temporary_file() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)] {
        if ignored(number) {
            // Ignored, as under nohup or in the background of a script: the program keeps it ignored.
            println!("skipped: SIG{signal} is ignored where this test was started");
            continue;
        }
        let dir = ready();
        put(&dir, "out", "old");
        let mut command = command(&dir, "encrypt -k key -f -o out");
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&text(400_000)).unwrap();
        let part = || names(&dir).iter().any(|n| n.ends_with(".part"));
        let begun = Instant::now();
        while !part() {
            assert!(begun.elapsed() < Duration::from_secs(60), "no temporary file");
            std::thread::sleep(Duration::from_millis(5));
        }
        passed(sh(&dir, &format!("kill -{signal} {}", child.id())));
        let status = child.wait().unwrap();
        use std::os::unix::process::ExitStatusExt as _;
        assert_eq!(status.signal(), Some(number));
        assert!(!part(), "SIG{signal} left a temporary file");
        assert_eq!(read(&dir, "out"), b"old");
    }
}

/// When a file reaches its size limit, the program reports it and removes its temporary file.
#[test]
fn a_limit_on_the_length_of_files_leaves_nothing() {
    let dir = ready();
    let script = "ulimit -f 100 && exec bulat encrypt -k key -o out in";
    check(&sh(&dir, script), script, 3, &["out: cannot write: File too large"]);
    assert_eq!(names(&dir), ["in", "key"]);
}

/// Runs in its own terminal. When asked for a password, types a few characters, then Ctrl-C (or the end of the input,
/// or sends the given signal). Prints whether it was asked, whether the terminal showed typed text then and afterwards,
/// and the signal that ended the program; then the rest of its output.
const TERMINAL: &str = "
import os, pty, sys, termios, fcntl, select, time
master, slave = pty.openpty()
echo = lambda: int(bool(termios.tcgetattr(slave)[3] & termios.ECHO))
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for n in range(3):
        os.dup2(slave, n)
    os.execv(sys.argv[2], sys.argv[2:])
def until(text):
    seen = b''
    end = time.time() + 30
    while text not in seen and time.time() < end:
        if select.select([master], [], [], 0.1)[0]:
            seen += os.read(master, 1000)
    return text in seen
asked = until(b'Password: ')
during = echo()
os.write(master, b'secret')
if sys.argv[1] == '0':
    os.write(master, b'\\x03')
elif sys.argv[1] == 'end':
    os.write(master, b'\\x04')
    time.sleep(0.2)
    os.write(master, b'\\x04')
else:
    time.sleep(0.2)
    os.kill(child, int(sys.argv[1]))
status = os.waitpid(child, 0)[1]
print(int(asked), during, echo(), os.WTERMSIG(status) if os.WIFSIGNALED(status) else -1)
if select.select([master], [], [], 0)[0]:
    sys.stderr.buffer.write(os.read(master, 1000))
";

#[test]
fn ctrl_c_at_the_prompt_gives_the_terminal_back() {
    let Some(python) = installed("python3") else {
        println!("skipped: no python3, which makes a terminal");
        return;
    };
    if ignored(2) {
        println!("skipped: SIGINT is ignored where this test was started");
        return;
    }
    let dir = ready();
    good(&dir, "encrypt -k key in");
    put(&dir, "pw", "x");
    good(&dir, "encrypt -p pw --memory 65536 -o by-pw in");
    let asked = |how: &str, line: &str| {
        let mut command = program(&python, &dir);
        ran(command.args(["-c", TERMINAL, how, BULAT]).args(line.words()).output().unwrap())
    };
    let pbkdf2 = "kdf pbkdf2 --salt 00 --iterations 1";
    for (signal, ended, line) in [
        ("0", 2, "encrypt -o x in"),
        ("15", 15, "encrypt -o x in"),
        ("0", 2, "decrypt -o - by-pw"),
        ("15", 15, "decrypt -o - by-pw"),
        ("0", 2, pbkdf2),
    ] {
        let ran = asked(signal, line);
        let out = String::from_utf8_lossy(&ran.out);
        assert_eq!(out, format!("1 0 1 {ended}\n"), "{line}: {}", ran.err);
        assert_eq!(names(&dir), ["by-pw", "in", "in.bulat", "key", "pw"], "{line}");
    }
    // Text, then the end of the input twice, which ends the line.
    put(&dir, "pw", "secret");
    let ran = asked("end", pbkdf2);
    assert_eq!(String::from_utf8_lossy(&ran.out), "1 0 1 -1\n");
    let expected = said(&dir, &format!("{pbkdf2} -p pw"));
    assert_eq!(ran.err.replace('\r', ""), format!("\n{expected}"));
}

/// Fewer threads work if the address space has no room for all that were asked for.
#[test]
#[cfg(target_os = "linux")]
fn little_address_space_is_enough() {
    let dir = ready();
    put(&dir, "in", text(3_000_000));
    for kib in [40_000, 80_000, 130_000, 300_000] {
        for command in [
            "B encrypt -k key -j 64 <in >pipe && cat in | B encrypt -k key -j 64 | cat >pipe",
            "B encrypt -k key -j 64 -f -o out in && B decrypt -k key -j 64 -f -o out pipe",
            "B hash -j 64 in key in key in key in",
            "B raw encrypt --cipher kuznyechik-ecb -k key -j 64 in | cat >raw",
        ] {
            let script = format!("set -o pipefail; ulimit -v {kib}; {command}");
            let script = script.replace("B ", &format!("{BULAT} "));
            passed(ran(program("bash", &dir).args(["-c", &script]).output().unwrap()));
        }
    }
}

#[test]
fn full_disk() {
    let dir = ready();
    // Standard output on a full device, for little and much output.
    for line in [
        "hash in",
        "list",
        "list --json",
        "kernels",
        "--help",
        "completions bash",
        "encrypt -k key -o - in",
        "mac -a kuznyechik-omac -k key in",
        "raw encrypt --cipher kuznyechik-ecb -k key in",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = ran(command(&dir, line).stdout(full).output().unwrap());
        check(&ran, line, 3, &["standard output", "No space left"]);
    }
    let disk = dir.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|s| s.success()) {
        println!("skipped: a small tmpfs cannot be mounted here");
        return;
    }
    let result = std::panic::catch_unwind(|| {
        let words = ["disk/out", "No space left", "free some space"];
        bad(&dir, "encrypt -k key -o disk/out in", 3, &words);
        assert_eq!(names(&disk), [""; 0], "the temporary file is gone too");
    });
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|s| s.success()));
    if let Err(e) = result {
        std::panic::resume_unwind(e);
    }
}

#[test]
fn closed_pipe_is_quiet() {
    let dir = ready();
    good(&dir, "encrypt -k key in");
    for line in [
        "list",
        "list --json",
        "completions zsh",
        "--help",
        "man",
        "encrypt -k key -o - in",
        "decrypt -k key -o - in.bulat",
        "hash in",
        "raw encrypt --cipher kuznyechik-ecb -k key in",
        "gost12sum in",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = ran(command(&dir, line).stdout(writer).output().unwrap());
        assert_eq!((ran.code, &*ran.err), (Some(141), ""), "{line}");
    }
}

#[test]
fn memory_stays_small() {
    let Ok(_) = fs::read_to_string("/proc/self/status") else {
        println!("skipped: no /proc");
        return;
    };
    let dir = ready();
    let piece = text(1 << 20);
    for line in [
        "encrypt -k key -o out",
        "hash",
        "raw encrypt --cipher magma-ctr --iv 01020304 -k key -o raw",
    ] {
        let mut command = command(&dir, line);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..80 {
            stdin.write_all(&piece).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("the peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{line}: peak {kib} KiB for 80 MiB");
        assert!(kib < 64 << 10, "{line}: {kib} KiB");
        drop(stdin);
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert!(child.wait().unwrap().success());
    }
}
