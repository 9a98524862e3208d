//! The program with files: what it refuses and how, what it keeps, what a killed run leaves.

mod bin;

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bin::*;

/// A folder with a key, a password and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, &["key", "new", "-o", "key"]);
    good(&dir, &["key", "new", "-o", "other"]);
    fs::write(dir.path().join("pw"), "correct horse\n").unwrap();
    fs::write(dir.path().join("in"), text(300_000)).unwrap();
    dir
}

fn read(dir: &TempDir, name: &str) -> Vec<u8> {
    fs::read(dir.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn round_trips() {
    let dir = ready();
    for len in [0, 1, 131_071, 131_072, 131_073, 400_000] {
        fs::write(dir.path().join("in"), text(len)).unwrap();
        for cipher in ["kuznyechik", "magma"] {
            good(&dir, &["encrypt", "-k", "key", "--cipher", cipher, "-f", "in"]);
            good(&dir, &["decrypt", "-k", "key", "-o", "back", "-f", "in.bulat"]);
            assert!(read(&dir, "back") == text(len), "{cipher} {len}");
            assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "in.bulat"]) == text(len));
        }
    }
    // Streams on both sides; a chunk of another size; names made and taken off.
    let mut seal = bulat(&dir);
    seal.args(["encrypt", "-k", "key", "--chunk", "4096"]);
    let sealed = feed(seal, &text(9000));
    assert_eq!(sealed.code, Some(0), "{}", sealed.err);
    let mut open = bulat(&dir);
    open.args(["decrypt", "--key-file", "key", "-"]);
    let opened = feed(open, &sealed.out);
    assert!(opened.code == Some(0) && opened.out == text(9000), "{}", opened.err);
    fs::remove_file(dir.path().join("in")).unwrap();
    good(&dir, &["decrypt", "-k", "key", "in.bulat"]);
    assert!(read(&dir, "in") == text(400_000));
    assert_eq!(names(&dir), ["back", "in", "in.bulat", "key", "other", "pw"], "nothing left over");
}

#[test]
fn passwords() {
    let dir = ready();
    // The least number of iterations, which is a second's work only where the kernel is slow.
    good(&dir, &["encrypt", "-p", "pw", "--iterations", "200000", "in"]);
    // Without its line feed it is the same password; and from a descriptor.
    fs::write(dir.path().join("pw2"), "correct horse").unwrap();
    let script = format!("{BULAT} decrypt --password-fd 7 -o back in.bulat 7<pw2");
    let ran = ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(read(&dir, "back") == text(300_000));
    fs::write(dir.path().join("wrong"), "correct horse ").unwrap();
    bad(
        &dir,
        &["decrypt", "-p", "wrong", "-o", "x", "in.bulat"],
        4,
        &["in.bulat", "wrong key or password"],
    );
    bad(&dir, &["decrypt", "-k", "key", "-o", "x", "in.bulat"], 2, &["with a password"]);
    // More iterations than allowed are refused before any work.
    let begun = Instant::now();
    let args = ["decrypt", "-p", "pw", "--max-iterations", "100000", "-o", "x", "in.bulat"];
    bad(&dir, &args, 2, &["200000 PBKDF2 iterations", "--max-iterations 200000"]);
    let mut bytes = read(&dir, "in.bulat");
    bytes[12..16].copy_from_slice(&20_000_001u32.to_be_bytes());
    fs::write(dir.path().join("slow.bulat"), &bytes).unwrap();
    bad(
        &dir,
        &["decrypt", "-p", "pw", "-o", "x", "slow.bulat"],
        2,
        &["20000001", "--max-iterations"],
    );
    assert!(begun.elapsed() < Duration::from_secs(2), "refused before any work");
    for n in ["0", "199999", "20000001"] {
        bad(
            &dir,
            &["encrypt", "-p", "pw", "--iterations", n, "-o", "x", "in"],
            2,
            &["--iterations"],
        );
    }
    // Nobody is asked where there is no terminal.
    bad(&dir, &["encrypt", "-o", "x", "in"], 2, &["no terminal", "--password-file"]);
    bad(&dir, &["decrypt", "-o", "x", "in.bulat"], 2, &["no terminal"]);
    for (name, octets) in [("empty", &b""[..]), ("line", b"\n"), ("nul", b"a\0b")] {
        fs::write(dir.path().join(name), octets).unwrap();
        bad(&dir, &["encrypt", "-p", name, "-o", "x", "in"], 2, &[name, "password"]);
    }
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn keys() {
    let dir = ready();
    assert_eq!(mode(dir.path().join("key")), 0o600);
    let digits = read(&dir, "key");
    assert_eq!(digits.len(), 65);
    assert_ne!(digits, read(&dir, "other"));
    bad(&dir, &["key", "new", "-o", "key"], 3, &["key", "already exists", "never replaced"]);
    assert_eq!(read(&dir, "key"), digits);
    good(&dir, &["key", "new", "--raw", "--size", "64", "-o", "raw64"]);
    assert_eq!(read(&dir, "raw64").len(), 64);
    // The digits in capitals without a line feed, and the octets, are the same key.
    good(&dir, &["encrypt", "-k", "key", "in"]);
    let upper = String::from_utf8(digits[..64].to_ascii_uppercase()).unwrap();
    fs::write(dir.path().join("upper"), &upper).unwrap();
    let octets: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&upper[2 * i..2 * i + 2], 16).unwrap()).collect();
    fs::write(dir.path().join("octets"), octets).unwrap();
    for key in ["upper", "octets"] {
        assert!(good(&dir, &["decrypt", "-k", key, "-o", "-", "in.bulat"]) == text(300_000));
    }
    bad(&dir, &["decrypt", "-k", "other", "-o", "x", "in.bulat"], 4, &["in.bulat", "wrong key"]);
    bad(
        &dir,
        &["decrypt", "-p", "pw", "-o", "x", "in.bulat"],
        2,
        &["with a key file", "--key-file"],
    );
    bad(&dir, &["decrypt", "-o", "x", "in.bulat"], 2, &["--key-file"]);
    fs::write(dir.path().join("empty"), "").unwrap();
    bad(
        &dir,
        &["encrypt", "-k", "empty", "-o", "x", "in"],
        2,
        &["empty: the key is empty", "key new"],
    );
    fs::write(dir.path().join("short"), &digits[..63]).unwrap();
    bad(&dir, &["encrypt", "-k", "short", "-o", "x", "in"], 2, &["short", "32"]);
    bad(&dir, &["encrypt", "-k", "nokey", "-o", "x", "in"], 3, &["nokey", "No such file"]);
    bad(&dir, &["encrypt", "-k", "in", "-o", "x", "in"], 2, &["in: longer", "not a key"]);
    bad(&dir, &["encrypt", "-k", "key", "-p", "pw", "-o", "x", "in"], 2, &["cannot be used with"]);
    bad(&dir, &["encrypt", "-k", "-", "-o", "x"], 2, &["both come from standard input"]);
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn inputs_that_are_refused() {
    let dir = ready();
    good(&dir, &["encrypt", "-k", "key", "in"]);
    fs::create_dir(dir.path().join("d")).unwrap();
    fs::write(dir.path().join("foreign"), "just a text\n").unwrap();
    fs::write(dir.path().join("nothing"), "").unwrap();
    let whole = read(&dir, "in.bulat");
    let changed = |name: &str, at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[at] = to;
        fs::write(dir.path().join(name), bytes).unwrap();
    };
    changed("future", 7, 2);
    changed("field", 8, 9);
    changed("code", 100, !whole[100]);
    changed("chunk0", 200, !whole[200]);
    changed("chunk1", 112 + 131_072 + 16 + 5, !whole[112 + 131_072 + 16 + 5]);
    fs::write(dir.path().join("cut"), &whole[..112 + 2 * (131_072 + 16)]).unwrap();
    fs::write(dir.path().join("cut2"), &whole[..whole.len() - 1]).unwrap();
    fs::write(dir.path().join("header"), &whole[..50]).unwrap();
    for (file, code, words) in [
        ("missing", 3, &["missing: No such file", "to do"][..]),
        ("d", 3, &["d: Is a directory", "to do"]),
        ("foreign", 5, &["foreign: not a bulat container"]),
        ("nothing", 5, &["nothing: not a bulat container"]),
        ("future", 5, &["future: container format version 2", "newer bulat"]),
        ("field", 5, &["field: damaged header"]),
        ("code", 5, &["code: damaged header"]),
        ("chunk0", 5, &["chunk0: damaged: chunk 0"]),
        ("chunk1", 5, &["chunk1: damaged: chunk 1"]),
        ("cut", 5, &["cut: truncated", "backup"]),
        ("cut2", 5, &["cut2: damaged or truncated: chunk 2"]),
        ("header", 5, &["header: truncated"]),
    ] {
        bad(&dir, &["decrypt", "-k", "key", "-o", "x", file], code, words);
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")), "{file}");
    }
    // To standard output the verified chunks come, and nothing of the bad one.
    let ran = bad(
        &dir,
        &["decrypt", "-k", "key", "-o", "-", "chunk1"],
        5,
        &["chunk 1", "not the whole file"],
    );
    assert!(ran.out == text(131_072));
    let ran = bad(
        &dir,
        &["decrypt", "-k", "key", "-o", "-", "cut"],
        5,
        &["truncated", "not the whole file"],
    );
    assert!(ran.out == text(131_072));
    assert!(bad(&dir, &["decrypt", "-k", "key", "-o", "-", "chunk0"], 5, &[]).out.is_empty());
    for command in ["hash", "encrypt", "inspect", "mac", "raw"] {
        let args: &[&str] = match command {
            "encrypt" => &["-k", "key", "-o", "x"],
            "mac" => &["-k", "key", "-a", "kuznyechik-omac"],
            "raw" => &["encrypt", "-k", "key", "--cipher", "kuznyechik-ecb"],
            _ => &[],
        };
        for (file, word) in [("missing", "No such file"), ("d", "Is a directory")] {
            let mut all = vec![command];
            all.extend(args);
            all.push(file);
            let ran = bad(&dir, &all, 3, &[file, word]);
            assert!(ran.out.is_empty());
        }
    }
    assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")));
}

#[test]
fn unreadable_file() {
    let dir = ready();
    let path = dir.path().join("in");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        // The superuser reads everything: run as another, if the system has a way.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let copy = dir.path().join("bulat");
        fs::copy(BULAT, &copy).unwrap();
        let Some(setpriv) = installed("setpriv") else {
            println!("skipped: run by the superuser, and no setpriv");
            return;
        };
        let mut command = program(setpriv, &dir);
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy);
        let ran = ran(command.args(["hash", "in"]).output().unwrap());
        check(&ran, &["hash", "in"], 3, &["in: Permission denied", "permissions"]);
    } else {
        bad(&dir, &["hash", "in"], 3, &["in: Permission denied", "permissions"]);
    }
}

#[test]
fn outputs_that_are_refused() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    good(&dir, &["encrypt", "-k", "key", "in"]);
    let sealed = read(&dir, "in.bulat");
    bad(&dir, &["encrypt", "-k", "key", "in"], 3, &["in.bulat: already exists", "--force"]);
    bad(&dir, &["decrypt", "-k", "key", "in.bulat"], 3, &["in: already exists", "--force"]);
    assert!(read(&dir, "in.bulat") == sealed && read(&dir, "in") == text(300_000));
    good(&dir, &["encrypt", "-k", "key", "--force", "in"]);
    assert!(read(&dir, "in.bulat") != sealed);
    // Input = output, by its own name, a link, a hard link; --force does not help.
    symlink("in", at("soft")).unwrap();
    fs::hard_link(at("in"), at("hard")).unwrap();
    for output in ["in", "./in", "soft", "hard"] {
        bad(&dir, &["encrypt", "-k", "key", "-f", "-o", output, "in"], 2, &["same file"]);
        bad(
            &dir,
            &[
                "raw",
                "encrypt",
                "--cipher",
                "kuznyechik-ecb",
                "-k",
                "key",
                "-f",
                "-o",
                output,
                "in",
            ],
            2,
            &["same file"],
        );
    }
    let ran = ran(bulat(&dir)
        .args(["encrypt", "-k", "key", "-o", "-", "in"])
        .stdout(fs::OpenOptions::new().append(true).open(at("in")).unwrap())
        .output()
        .unwrap());
    check(&ran, &["> in"], 2, &["same file"]);
    assert!(read(&dir, "in") == text(300_000));
    fs::create_dir(at("d")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "d", "in"], 3, &["d: is a directory"]);
    bad(&dir, &["encrypt", "-k", "key", "-o", "no/x", "in"], 3, &["no/x", "create the folder"]);
    bad(&dir, &["decrypt", "-k", "key", "key"], 5, &["not a bulat container"]);
    fs::copy(at("in.bulat"), at("noname")).unwrap();
    bad(&dir, &["decrypt", "-k", "key", "noname"], 2, &["noname", "-o"]);
    // A link is followed, and stays a link; one that leads nowhere is kept too.
    fs::write(at("target"), "old").unwrap();
    symlink("target", at("link")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "link", "in"], 3, &["already exists"]);
    good(&dir, &["encrypt", "-k", "key", "-f", "-o", "link", "in"]);
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert!(read(&dir, "target").starts_with(b"bulat\x1a"));
    symlink("nowhere", at("dangling")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-o", "dangling", "in"], 3, &["already exists"]);
    // A device is written as it comes.
    good(&dir, &["encrypt", "-k", "key", "-o", "/dev/null", "in"]);
    assert!(!names(&dir).iter().any(|n| n.ends_with(".part")));
}

#[test]
fn permissions_are_kept() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    for bits in [0o600, 0o640, 0o644, 0o400, 0o755] {
        fs::set_permissions(at("in"), fs::Permissions::from_mode(bits)).unwrap();
        good(&dir, &["encrypt", "-k", "key", "-f", "in"]);
        assert_eq!(mode(at("in.bulat")), bits);
        good(&dir, &["decrypt", "-k", "key", "-f", "-o", "back", "in.bulat"]);
        assert_eq!(mode(at("back")), bits);
    }
    // From a stream: as the umask says.
    let script = format!("umask 027; {BULAT} encrypt -k key -o streamed < /dev/null");
    let ran =
        ran(program("sh", &dir).args(["-c", &format!("cat in | ({script})")]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(mode(at("streamed")) & 0o027, 0);
    // Keys and unwrapped keys are their owner's alone.
    good(&dir, &["key", "new", "--size", "64", "-o", "kek"]);
    good(&dir, &["wrap", "-k", "kek", "-o", "wrapped", "key"]);
    good(&dir, &["unwrap", "-k", "kek", "-o", "unwrapped", "wrapped"]);
    assert_eq!(mode(at("unwrapped")), 0o600);
    good(&dir, &["kdf", "kdf256", "-k", "key", "--label", "01", "--seed", "02", "-o", "derived"]);
    assert_eq!(mode(at("derived")), 0o600);
}

/// A small generator of pauses: the test needs many different ones, not good ones.
struct Pauses(u64);

impl Pauses {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below.max(1)
    }
}

#[test]
fn fifty_killed_runs_leave_nothing_under_the_final_name() {
    let dir = ready();
    let plain = text(3_000_000);
    fs::write(dir.path().join("in"), &plain).unwrap();
    let begun = Instant::now();
    good(&dir, &["encrypt", "-k", "key", "-o", "whole", "in"]);
    let span = begun.elapsed().as_micros() as u64;
    let mut pauses = Pauses(42);
    let mut finished = 0;
    for round in 0..50 {
        let args: &[&str] = match round % 2 {
            0 => &["encrypt", "-k", "key", "-o", "out", "in"],
            _ => &["decrypt", "-k", "key", "-o", "out", "whole"],
        };
        let mut child = bulat(&dir).args(args).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(pauses.next(span * 11 / 10)));
        let _ = child.kill(); // SIGKILL
        child.wait().unwrap();
        let out = dir.path().join("out");
        if out.exists() {
            // It was faster than the kill; then it must be whole.
            finished += 1;
            if round % 2 == 0 {
                assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "out"]) == plain);
            } else {
                assert!(read(&dir, "out") == plain);
            }
            fs::remove_file(out).unwrap();
        }
    }
    println!("50 runs killed, {finished} of them were done before");
    assert!(finished < 50, "no run was killed in time");
}

#[test]
fn signals_remove_the_temporary_file() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let dir = ready();
        fs::write(dir.path().join("out"), "old").unwrap();
        let mut child = bulat(&dir)
            .args(["encrypt", "-k", "key", "-f", "-o", "out"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&text(400_000)).unwrap();
        let part = || names(&dir).iter().any(|n| n.ends_with(".part"));
        let begun = Instant::now();
        while !part() {
            assert!(begun.elapsed() < Duration::from_secs(60), "no temporary file");
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill =
            Command::new("sh").arg("-c").arg(format!("kill -{signal} {}", child.id())).status();
        assert!(kill.unwrap().success());
        let status = child.wait().unwrap();
        use std::os::unix::process::ExitStatusExt as _;
        assert_eq!(status.signal(), Some(number));
        assert!(!part(), "SIG{signal} left a temporary file");
        assert_eq!(read(&dir, "out"), b"old");
    }
}

#[test]
fn full_disk() {
    let dir = ready();
    // Standard output on a full device, for little and for much.
    for args in [
        &["hash", "in"][..],
        &["list"],
        &["list", "--json"],
        &["kernels"],
        &["--help"],
        &["completions", "bash"],
        &["encrypt", "-k", "key", "-o", "-", "in"],
        &["mac", "-a", "kuznyechik-omac", "-k", "key", "in"],
        &["raw", "encrypt", "--cipher", "kuznyechik-ecb", "-k", "key", "in"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = ran(bulat(&dir).args(args).stdout(full).output().unwrap());
        check(&ran, args, 3, &["standard output", "No space left"]);
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
        bad(
            &dir,
            &["encrypt", "-k", "key", "-o", "disk/out", "in"],
            3,
            &["disk/out", "No space left", "free some space"],
        );
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
    good(&dir, &["encrypt", "-k", "key", "in"]);
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["completions", "zsh"],
        &["--help"],
        &["man"],
        &["encrypt", "-k", "key", "-o", "-", "in"],
        &["decrypt", "-k", "key", "-o", "-", "in.bulat"],
        &["hash", "in"],
        &["raw", "encrypt", "--cipher", "kuznyechik-ecb", "-k", "key", "in"],
        &["gost12sum", "in"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = ran(bulat(&dir).args(args).stdout(writer).output().unwrap());
        assert_eq!((ran.code, &*ran.err), (Some(141), ""), "{args:?}");
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
    for args in [
        &["encrypt", "-k", "key", "-o", "out"][..],
        &["hash"],
        &["raw", "encrypt", "--cipher", "magma-ctr", "--iv", "01020304", "-k", "key", "-o", "raw"],
    ] {
        let mut child =
            bulat(&dir).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..80 {
            stdin.write_all(&piece).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("the peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{}: peak {kib} KiB for 80 MiB", args[0]);
        assert!(kib < 64 << 10, "{args:?}: {kib} KiB");
        drop(stdin);
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn kernels_are_chosen_by_name() {
    let dir = folder();
    let forced =
        |value: &str| ran(bulat(&dir).env("BULAT_KERNEL", value).arg("kernels").output().unwrap());
    let ran = forced("portable");
    assert!(ran.code == Some(0) && String::from_utf8_lossy(&ran.out).contains("forced: portable"));
    check(&forced("nonsense"), &["BULAT_KERNEL"], 2, &["BULAT_KERNEL=nonsense", "bulat kernels"]);
    assert_eq!(forced("").code, Some(0));
    bad(&dir, &["--kernel", "nonsense", "list"], 2, &["--kernel nonsense"]);
    good(&dir, &["kernels", "--kernel", "portable"]);
    let json = good(&dir, &["kernels", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["kernels"].as_array().unwrap().iter().any(|k| k["name"] == "portable"));
}
