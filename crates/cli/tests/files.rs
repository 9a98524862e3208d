//! The program with files: its refusals, the files that it keeps, and the state after a killed run.
#![cfg(unix)]

mod bin;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bin::*;

/// Creates a folder with a key, a password and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    good(&dir, "key new -o other");
    put(&dir, "pw", "correct horse\n");
    put(&dir, "in", text(300_000));
    dir
}

#[test]
fn round_trips() {
    let dir = ready();
    for len in [0, 1, 131_071, 131_072, 131_073, 400_000] {
        put(&dir, "in", text(len));
        for cipher in ["kuznyechik", "magma"] {
            good(&dir, &format!("encrypt -k key --cipher {cipher} -f in"));
            good(&dir, "decrypt -k key -o back -f in.bulat");
            assert!(read(&dir, "back") == text(len), "{cipher} {len}");
            assert!(good(&dir, "decrypt -k key -o - in.bulat") == text(len));
        }
    }
    // Streams on both sides; another chunk size; suffixes added and removed.
    let sealed = passed(piped(&dir, "encrypt -k key --chunk 4096", &text(9000)));
    assert!(passed(piped(&dir, "decrypt --key-file key -", &sealed)) == text(9000));
    fs::remove_file(dir.path().join("in")).unwrap();
    good(&dir, "decrypt -k key in.bulat");
    assert!(read(&dir, "in") == text(400_000));
    assert_eq!(names(&dir), ["back", "in", "in.bulat", "key", "other", "pw"], "nothing left over");
}

#[test]
fn passwords() {
    let dir = ready();
    // The fewest iterations, which need less than a second on a fast kernel.
    good(&dir, "encrypt -p pw --kdf pbkdf2 --iterations 200000 in");
    // The line feed is not part of the password; also from a descriptor.
    put(&dir, "pw2", "correct horse");
    passed(sh(&dir, "bulat decrypt --password-fd 7 -o back in.bulat 7<pw2"));
    assert!(read(&dir, "back") == text(300_000));
    put(&dir, "wrong", "correct horse ");
    bad(&dir, "decrypt -p wrong -o x in.bulat", 4, &["in.bulat", "wrong key or password"]);
    bad(&dir, "decrypt -k key -o x in.bulat", 2, &["with a password"]);
    // More iterations than allowed are refused before any work.
    let begun = Instant::now();
    let args = "decrypt -p pw --max-iterations 100000 -o x in.bulat";
    bad(&dir, args, 2, &["200000 iterations of PBKDF2", "--max-iterations 200000"]);
    let mut bytes = read(&dir, "in.bulat");
    bytes[484..488].copy_from_slice(&80_000_001u32.to_be_bytes());
    put(&dir, "slow.bulat", &bytes);
    bad(&dir, "decrypt -p pw -o x slow.bulat", 2, &["80000001", "--max-iterations"]);
    assert!(begun.elapsed() < Duration::from_secs(30), "refused before any work");
    for (options, words) in [
        ("--kdf pbkdf2 --iterations 0", "--iterations 0: from 200000"),
        ("--kdf pbkdf2 --iterations 199999", "--iterations 199999: from"),
        ("--kdf pbkdf2 --iterations 20000001", "to 20000000"),
        ("--iterations 200000", "--iterations: only for a password by pbkdf2"),
        ("--kdf argon2id --iterations 200000", "only for a password by pbkdf2"),
        ("--kdf pbkdf2 --memory 65536", "--memory: only for a password by argon2id"),
        ("--kdf pbkdf2 --passes 3", "--passes: only for a password by argon2id"),
        ("--memory 65535", "--memory 65535: from 65536 to 1048576"),
        ("--memory 1048577", "--memory 1048577: from"),
        ("--passes 2", "--passes 2: from 3 to 64"),
        ("--passes 65", "--passes 65: from"),
        ("--kdf scrypt", "scrypt"),
    ] {
        bad(&dir, &format!("encrypt -p pw -o x {options} in"), 2, &[words]);
    }
    for option in ["--kdf argon2id", "--memory 65536", "--iterations 200000"] {
        bad(&dir, &format!("encrypt -k key -o x {option} in"), 2, &["only for"]);
    }
    // The usual function: its memory and its passes.
    good(&dir, "encrypt -p pw --memory 65536 -o by-argon2 in");
    good(&dir, "decrypt -p pw -f -o back by-argon2");
    assert!(read(&dir, "back") == text(300_000));
    bad(&dir, "decrypt -p wrong -o x by-argon2", 4, &["wrong key or password"]);
    let args = "decrypt -p pw --max-memory 65535 -o x by-argon2";
    bad(&dir, args, 2, &["65536 KiB of memory for Argon2id", "--max-memory 65536"]);
    let mut bytes = read(&dir, "by-argon2");
    bytes[488..492].copy_from_slice(&1025u32.to_be_bytes());
    put(&dir, "slow.bulat", &bytes);
    let args = "decrypt -p pw -o x slow.bulat";
    bad(&dir, args, 2, &["in all passes of Argon2id", "--max-memory 1049600"]);
    // Without a terminal nothing is asked.
    bad(&dir, "encrypt -o x in", 2, &["no terminal", "--password-file"]);
    bad(&dir, "decrypt -o x in.bulat", 2, &["no terminal"]);
    for (name, bytes) in [("empty", &b""[..]), ("line", b"\n"), ("nul", b"a\0b")] {
        put(&dir, name, bytes);
        bad(&dir, &format!("encrypt -p {name} -o x in"), 2, &[name, "password"]);
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
    bad(&dir, "key new -o key", 3, &["key", "already exists", "never replaced"]);
    assert_eq!(read(&dir, "key"), digits);
    good(&dir, "key new --raw --size 64 -o raw64");
    assert_eq!(read(&dir, "raw64").len(), 64);
    // Upper-case digits without a line feed, and the raw bytes, are the key as well.
    good(&dir, "encrypt -k key in");
    let upper = String::from_utf8(digits[..64].to_ascii_uppercase()).unwrap();
    put(&dir, "upper", &upper);
    let bytes: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&upper[2 * i..2 * i + 2], 16).unwrap()).collect();
    put(&dir, "bytes", bytes);
    for key in ["upper", "bytes"] {
        assert!(good(&dir, &format!("decrypt -k {key} -o - in.bulat")) == text(300_000));
    }
    bad(&dir, "decrypt -k other -o x in.bulat", 4, &["in.bulat", "wrong key"]);
    bad(&dir, "decrypt -p pw -o x in.bulat", 2, &["with a key file", "--key-file"]);
    bad(&dir, "decrypt -o x in.bulat", 2, &["--key-file"]);
    for empty in ["", "\n", "\r\n"] {
        put(&dir, "empty", empty);
        let words = ["empty: the key is empty", "key new"];
        bad(&dir, "encrypt -k empty -o x in", 2, &words);
        bad(&dir, "mac -a hmac-streebog256 -k empty in", 2, &words);
    }
    put(&dir, "short", &digits[..63]);
    bad(&dir, "encrypt -k short -o x in", 2, &["short", "32"]);
    bad(&dir, "encrypt -k nokey -o x in", 3, &["nokey", "No such file"]);
    bad(&dir, "encrypt -k in -o x in", 2, &["in: longer", "not a key"]);
    bad(&dir, "encrypt -k key -p pw -o x in", 2, &["cannot be used with"]);
    bad(&dir, "encrypt -k - -o x", 2, &["both come from standard input"]);
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn inputs_that_are_refused() {
    let dir = ready();
    good(&dir, "encrypt -k key in");
    fs::create_dir(dir.path().join("d")).unwrap();
    put(&dir, "foreign", "just a text\n");
    put(&dir, "nothing", "");
    let whole = read(&dir, "in.bulat");
    let changed = |name: &str, at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[at] = to;
        put(&dir, name, bytes);
    };
    changed("future", 7, 2);
    changed("field", 8, 9);
    changed("slot", 480, 4);
    changed("code", 2040, !whole[2040]);
    changed("chunk0", 2100, !whole[2100]);
    changed("chunk1", 2048 + 131_072 + 16 + 5, !whole[2048 + 131_072 + 16 + 5]);
    put(&dir, "cut", &whole[..2048 + 2 * (131_072 + 16)]);
    put(&dir, "cut2", &whole[..whole.len() - 1]);
    put(&dir, "header", &whole[..50]);
    for (file, code, words) in [
        ("missing", 3, &["missing: No such file", "to do"][..]),
        ("d", 3, &["d: Is a directory", "to do"]),
        ("foreign", 5, &["foreign: not a bulat container"]),
        ("nothing", 5, &["nothing: not a bulat container"]),
        ("future", 5, &["future: container format version 2", "newer bulat"]),
        ("field", 5, &["field: damaged header", "impossible cipher"]),
        ("slot", 5, &["slot: damaged header", "impossible kind of slot 0"]),
        ("code", 5, &["code: damaged header"]),
        ("chunk0", 5, &["chunk0: damaged: chunk 0"]),
        ("chunk1", 5, &["chunk1: damaged: chunk 1"]),
        ("cut", 5, &["cut: truncated", "backup"]),
        ("cut2", 5, &["cut2: damaged or truncated: chunk 2"]),
        ("header", 5, &["header: truncated"]),
    ] {
        bad(&dir, &format!("decrypt -k key -o x {file}"), code, words);
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")), "{file}");
    }
    // On standard output the verified chunks come out, and nothing of the damaged one.
    let ran = bad(&dir, "decrypt -k key -o - chunk1", 5, &["chunk 1", "not the whole file"]);
    assert!(ran.out == text(131_072));
    let ran = bad(&dir, "decrypt -k key -o - cut", 5, &["truncated", "not the whole file"]);
    assert!(ran.out == text(131_072));
    assert!(bad(&dir, "decrypt -k key -o - chunk0", 5, &[]).out.is_empty());
    for command in [
        "hash",
        "encrypt -k key -o x",
        "inspect",
        "mac -k key -a kuznyechik-omac",
        "raw encrypt -k key --cipher kuznyechik-ecb",
    ] {
        for (file, word) in [("missing", "No such file"), ("d", "Is a directory")] {
            let ran = bad(&dir, &format!("{command} {file}"), 3, &[file, word]);
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
        // The superuser can read everything: runs as another user, if the system has a tool for that.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let copy = dir.path().join("bulat");
        // Not by this process: a child of a test at the same time would have it open for writing, and it could not start.
        assert!(Command::new("cp").arg(BULAT).arg(&copy).status().unwrap().success());
        let Some(setpriv) = installed("setpriv") else {
            println!("skipped: run by the superuser, and no setpriv");
            return;
        };
        let mut command = program(setpriv, &dir);
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy);
        let ran = ran(command.args(["hash", "in"]).output().unwrap());
        check(&ran, "hash in", 3, &["in: Permission denied", "permissions"]);
    } else {
        bad(&dir, "hash in", 3, &["in: Permission denied", "permissions"]);
    }
}

#[test]
fn outputs_that_are_refused() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    good(&dir, "encrypt -k key in");
    bad(&dir, "decrypt -k key in.bulat", 3, &["in: already exists", "--force"]);
    // The input as output, by its name, a link or a hard link; --force does not allow it.
    symlink("in", at("soft")).unwrap();
    fs::hard_link(at("in"), at("hard")).unwrap();
    for output in ["in", "./in", "soft", "hard"] {
        bad(&dir, &format!("encrypt -k key -f -o {output} in"), 2, &["same file"]);
        let raw = format!("raw encrypt --cipher kuznyechik-ecb -k key -f -o {output} in");
        bad(&dir, &raw, 2, &["same file"]);
    }
    let ran = sh(&dir, "bulat encrypt -k key -o - in >>in");
    check(&ran, ">> in", 2, &["standard output: input and output are the same file"]);
    assert!(read(&dir, "in") == text(300_000));
    bad(&dir, "decrypt -k key key", 5, &["not a bulat container"]);
    fs::copy(at("in.bulat"), at("noname")).unwrap();
    bad(&dir, "decrypt -k key noname", 2, &["noname", "-o"]);
    // A link is followed and remains a link; a dangling link remains too.
    put(&dir, "target", "old");
    symlink("target", at("link")).unwrap();
    bad(&dir, "encrypt -k key -o link in", 3, &["already exists"]);
    good(&dir, "encrypt -k key -f -o link in");
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert!(read(&dir, "target").starts_with(b"bulat\x1a"));
    symlink("nowhere", at("dangling")).unwrap();
    bad(&dir, "encrypt -k key -o dangling in", 3, &["missing file"]);
    // A device is written directly.
    good(&dir, "encrypt -k key -o /dev/null in");
    assert!(!names(&dir).iter().any(|n| n.ends_with(".part")));
}

/// No driver has these numbers, so nothing can be written by accident.
#[test]
fn a_block_device_is_written_only_with_force() {
    let dir = ready();
    for name in ["device", "again"] {
        let made = program("mknod", &dir).args([name, "b", "240", "99"]).output();
        if !made.is_ok_and(|made| made.status.success()) {
            println!("skipped: no device can be made here");
            return;
        }
    }
    for verb in ["encrypt", "raw encrypt --cipher kuznyechik-ecb"] {
        let line = format!("{verb} -k key -o device in");
        bad(&dir, &line, 3, &["device: is a block device", "--force"]);
        let ran = bad(&dir, &format!("{line} -f"), 3, &["device: cannot write"]);
        assert!(!ran.err.contains("a block device"), "{}", ran.err);
    }
    bad(&dir, "key new -o device", 3, &["device: is a block device"]);
}

/// A device cannot be cut to the length of its new content: the command says how to read that back.
#[test]
fn a_block_device_keeps_its_end() {
    let dir = ready();
    put(&dir, "image", vec![7; 1 << 20]);
    let made = program("losetup", &dir).args(["-f", "--show", "image"]).output();
    let Some(made) = made.ok().filter(|made| made.status.success()) else {
        println!("skipped: no loop device can be made here");
        return;
    };
    let device = String::from_utf8(made.stdout).unwrap().trim().to_string();
    put(&dir, "short", "text");
    let sealed = run(&dir, &format!("encrypt -k key -f -o {device} short"));
    let freed = program("losetup", &dir).args(["-d", &device]).status();
    assert!(freed.unwrap().success());
    let words = format!("{device}: behind the first 2068 bytes it has its old content");
    check(&sealed, "encrypt", 0, &[&words, &format!("head -c 2068 {device}")]);
    let image = read(&dir, "image");
    put(&dir, "x", &image[..2068]);
    assert_eq!(good(&dir, "decrypt -k key -o - x"), b"text");
    assert!(image[2068..].iter().all(|byte| *byte == 7));
}

/// A command that fails leaves the file under the output's name, even with `--force`.
#[test]
fn a_failure_leaves_the_output_as_it_was() {
    let dir = ready();
    put(&dir, "in", text(300_001));
    good(&dir, "encrypt -k key in");
    good(&dir, "encrypt -p pw --memory 65536 -o by-pw in");
    good(&dir, "key new --size 64 -o kek");
    let sealed = read(&dir, "in.bulat");
    put(&dir, "cut", &sealed[..sealed.len() - 1]);
    put(&dir, "long", [&sealed[..], b"x"].concat());
    put(&dir, "wrong", "wrong");
    put(&dir, "wrapped", [7; 60]);
    put(&dir, "out", "old");
    let mgm = "--cipher kuznyechik-mgm --iv 0123456789abcdef0123456789abcdef";
    for (code, line) in [
        (4, "decrypt -k other in.bulat"),
        (4, "decrypt -p wrong by-pw"),
        (2, "decrypt -p pw in.bulat"),
        (5, "decrypt -k key cut"),
        (5, "decrypt -k key long"),
        (2, "encrypt -k missing-digits --chunk 5 in"),
        (3, "encrypt -k missing in"),
        (2, "encrypt -k in in"),
        (5, "raw encrypt --cipher kuznyechik-ecb -k key in --nopad"),
        (5, "raw decrypt --cipher kuznyechik-ecb -k key in"),
        (1, &*format!("raw decrypt {mgm} -k key in")),
        (3, &*format!("raw encrypt {mgm} -k key in --aad-file missing")),
        (4, "unwrap -k kek wrapped"),
    ] {
        let line = format!("{line} -f -o out");
        let before = names(&dir);
        bad(&dir, &line, code, &[]);
        assert_eq!(read(&dir, "out"), b"old", "{line}");
        assert_eq!(names(&dir), before, "{line}");
        let ran = ran(command(&dir, &line).env("BULAT_THREADS", "many").output().unwrap());
        assert!(ran.code != Some(0) && read(&dir, "out") == b"old", "{line}: {}", ran.err);
    }
}

/// The mark would be part of the password, but nobody types it.
#[test]
fn a_byte_order_mark_in_a_password_is_refused() {
    let dir = ready();
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}пароль".encode_utf16().flat_map(bytes).collect()
    };
    for (text, encoding) in [
        ("\u{feff}correct horse\n".as_bytes().to_vec(), "UTF-8"),
        (wide(u16::to_le_bytes), "UTF-16"),
        (wide(u16::to_be_bytes), "UTF-16"),
    ] {
        put(&dir, "pw", text);
        let words = ["pw: the password begins with the byte-order mark of", encoding];
        bad(&dir, "encrypt -p pw -o x in", 2, &words);
        bad(&dir, "volume create -p pw --size 20M x", 2, &words);
        bad(&dir, "kdf pbkdf2 -p pw --salt 00 --iterations 1", 2, &words);
        assert!(!dir.path().join("x").exists());
    }
}

#[test]
fn permissions_are_kept() {
    let dir = ready();
    let at = |name: &str| dir.path().join(name);
    // Independent of the test's own umask.
    let under = |umask: &str, line: &str| passed(sh(&dir, &format!("umask {umask}; bulat {line}")));
    for bits in [0o600, 0o640, 0o644, 0o400, 0o755, 0o666] {
        fs::set_permissions(at("in"), fs::Permissions::from_mode(bits)).unwrap();
        under("022", "encrypt -k key in");
        assert_eq!(mode(at("in.bulat")), bits & !0o022);
        under("022", "decrypt -k key -o back in.bulat");
        assert_eq!(mode(at("back")), bits & !0o022);
        for name in ["in.bulat", "back"] {
            fs::remove_file(at(name)).unwrap();
        }
    }
    // The umask applies, and a file that is overwritten does not become readable to more users.
    fs::set_permissions(at("in"), fs::Permissions::from_mode(0o644)).unwrap();
    under("022", "encrypt -k key in");
    under("077", "decrypt -k key -o mine in.bulat");
    assert_eq!(mode(at("mine")), 0o600);
    under("022", "decrypt -k key -f -o mine in.bulat");
    assert_eq!(mode(at("mine")), 0o600);
    // From a stream: the umask decides.
    passed(sh(&dir, "cat in | (umask 027; bulat encrypt -k key -o streamed </dev/null)"));
    assert_eq!(mode(at("streamed")) & 0o027, 0);
    // Only their owner can read keys and unwrapped keys.
    good(&dir, "key new --size 64 -o kek");
    good(&dir, "wrap -k kek -o wrapped key");
    good(&dir, "unwrap -k kek -o unwrapped wrapped");
    assert_eq!(mode(at("unwrapped")), 0o600);
    good(&dir, "kdf kdf256 -k key --label 01 --seed 02 -o derived");
    assert_eq!(mode(at("derived")), 0o600);
}

/// A file that the run reads, or also writes, is never overwritten, even with --force.
#[test]
fn outputs_are_apart() {
    let dir = ready();
    symlink("key", dir.path().join("alias")).unwrap();
    for secret in ["-k key -o alias", "-p pw -o pw"] {
        bad(&dir, &format!("encrypt -f {secret} in"), 2, &["same file", "-o"]);
    }
    assert_eq!(read(&dir, "key").len(), 65, "the key is still there");
    let raw = format!("raw encrypt --cipher kuznyechik-mgm -k key --iv {}", "11".repeat(16));
    let ran = sh(&dir, &format!("bulat {raw} -f -o out --tag-file in <in"));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    bad(&dir, "wrap -f -k key -o key other", 2, &["same file"]);
    bad(&dir, "unwrap -f -k key -o key in", 2, &["same file"]);
    assert_eq!(read(&dir, "in"), text(300_000));
    // An existing tag file is refused before the work, and nothing is left behind.
    bad(&dir, &format!("{raw} --tag-file pw -o out in"), 3, &["pw"]);
    assert_eq!(names(&dir), ["alias", "in", "key", "other", "pw"]);
    // A dangling link is not replaced; "-" can be a file's name.
    symlink("nowhere", dir.path().join("link")).unwrap();
    bad(&dir, "encrypt -f -k key -o link in", 3, &["link", "missing file"]);
    good(&dir, "encrypt -k key -o ./-.bulat in");
    assert!(good(&dir, "decrypt -k key -- -.bulat").is_empty());
    assert_eq!(read(&dir, "-"), text(300_000));
}

/// Files with a stated length of 0 that return all of their content to the first read.
#[test]
fn files_of_the_system() {
    let dir = ready();
    let file = "/proc/sys/kernel/pid_max";
    let Ok(bytes) = fs::read(file) else { return println!("skipped: no {file}") };
    put(&dir, "copy", &bytes);
    let of = |name: &str| good(&dir, &format!("hash {name}"))[..64].to_vec();
    assert_eq!(of(file), of("copy"));
}

/// A file that grows while it is read gives an error, or a container of its content at some moment.
#[test]
fn files_that_grow() {
    let dir = ready();
    let at = dir.path().join("in");
    for round in 0..60 {
        fs::write(&at, text(1_300_000)).unwrap();
        let mut run = command(&dir, "encrypt -k key -f -j 3 in").spawn().unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&at).unwrap();
        // Bounded: slow encryption would never reach the end.
        for _ in 0..50 {
            if run.try_wait().unwrap().is_some() {
                break;
            }
            std::io::Write::write_all(&mut file, &[round; 90_000]).unwrap();
            std::thread::sleep(Duration::from_micros(300));
        }
        if run.wait().unwrap().success() {
            let back = good(&dir, "decrypt -k key -o - in.bulat");
            assert!(fs::read(&at).unwrap().starts_with(&back));
        }
    }
}

/// A file that is cut and rewritten, to an equal length, while it is read as a stream.
#[test]
fn files_that_are_written_anew() {
    use std::io::Read as _;
    let dir = ready();
    let at = dir.path().join("in");
    for line in [
        "encrypt -k key -o -",
        "encrypt -k key -o - in",
        "raw encrypt --cipher kuznyechik-ecb -k key",
        "raw encrypt --cipher kuznyechik-ecb -k key in",
    ] {
        for jobs in ["-j1", "-j2"] {
            fs::write(&at, text(20_000_000)).unwrap();
            let mut command = command(&dir, &format!("{line} {jobs}"));
            command
                .stdin(fs::File::open(&at).unwrap())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // The program waits until this is read.
            let mut out = child.stdout.take().unwrap();
            out.read_exact(&mut [0; 1000]).unwrap();
            fs::write(&at, vec![7; 20_000_000]).unwrap();
            out.read_to_end(&mut Vec::new()).unwrap();
            let ran = ran(child.wait_with_output().unwrap());
            check(&ran, line, 3, &["changed while it was read"]);
        }
    }
}

/// A file that is rewritten during the work, from file to file; the program is stopped meanwhile.
#[test]
fn files_that_are_written_anew_between_files() {
    let dir = ready();
    let texts = [text(30_000_000), vec![7; 30_000_000]];
    let mut refused = 0;
    for _ in 0..20 {
        put(&dir, "in", &texts[0]);
        let mut command = command(&dir, "encrypt -k key -f -j1 in");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let begun = || {
            let parts = names(&dir).into_iter().filter(|n| n.ends_with(".part"));
            parts.filter_map(|n| fs::metadata(dir.path().join(n)).ok()).any(|m| m.len() > 2_000_000)
        };
        while !begun() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let signal = |name: &str| {
            let id = child.id().to_string();
            let _ = Command::new("kill").args([&format!("-{name}"), &*id]).status();
        };
        signal("STOP");
        put(&dir, "in", &texts[1]);
        signal("CONT");
        let ran = ran(child.wait_with_output().unwrap());
        if ran.code == Some(0) {
            // The program had finished before.
            let back = good(&dir, "decrypt -k key -o - in.bulat");
            assert!(texts.contains(&back), "a container of mixed contents");
            continue;
        }
        check(&ran, "encrypt", 3, &["changed while it was read"]);
        refused += 1;
        if refused == 3 {
            return;
        }
    }
    assert!(refused > 0, "never stopped in time");
}

#[test]
fn many_files_have_the_digests_that_each_has_alone() {
    let dir = ready();
    // Lengths around a block and around the size of a read, and more small files than one thread holds.
    let lens = [0, 1, 63, 64, 65, 131_071, 131_072, 131_073, 131_074, 262_144, 400_000];
    let lens: Vec<usize> = (0..90).map(|i| 20_000 + 997 * i).chain(lens).collect();
    let names: Vec<String> = (0..lens.len()).map(|i| format!("f{i:03}")).collect();
    for (name, len) in names.iter().zip(&lens) {
        put(&dir, name, text(*len));
    }
    for algorithm in ["streebog256", "streebog512", "gost94"] {
        let alone: Vec<Vec<u8>> =
            names.iter().map(|name| good(&dir, &format!("hash -a {algorithm} {name}"))).collect();
        let list = alone.concat();
        for options in ["-j1", "-j2", "-j5", "-j1 --no-batch", "--no-batch"] {
            let line = format!("hash -a {algorithm} {options} {}", names.join(" "));
            assert!(good(&dir, &line) == list, "{algorithm} {options}");
        }
        put(&dir, "list", &list);
        good(&dir, &format!("hash -c --quiet -a {algorithm} list"));
        // A file that cannot be read and one that differs are reported in their places, and the others are checked.
        put(&dir, "f005", "changed");
        fs::rename(dir.path().join("f007"), dir.path().join("gone")).unwrap();
        let ran = bad(&dir, &format!("hash -c -a {algorithm} list"), 1, &["f007: No such file"]);
        let verdict = |name: &str| match name {
            "f005" => "FAILED",
            "f007" => "FAILED open or read",
            _ => "OK",
        };
        let lines = names.iter().map(|name| format!("{name}: {}\n", verdict(name)));
        assert_eq!(String::from_utf8_lossy(&ran.out), lines.collect::<String>());
        fs::rename(dir.path().join("gone"), dir.path().join("f007")).unwrap();
        put(&dir, "f005", text(lens[5]));
    }
}
