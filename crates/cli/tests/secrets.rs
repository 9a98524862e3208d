//! The sources of keys and passwords: forms of key files, descriptors, standard input. No copies of them remain in
//! memory.
#![cfg(unix)]

mod bin;

use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use bin::*;

#[test]
fn every_new_key_is_read_as_its_bytes() {
    let dir = folder();
    put(&dir, "abc", "abc");
    good(&dir, "key new --size 64 -o kek");
    let mac = |key: &str| good(&dir, &format!("mac -a hmac-streebog256 {key} abc"));
    for size in [16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 4096] {
        let made = said(&dir, &format!("key new --size {size}"));
        let digits = made.strip_suffix('\n').unwrap();
        assert_eq!(digits.len(), 2 * size);
        let byte = |i: usize| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap();
        let raw: Vec<u8> = (0..size).map(byte).collect();
        put(&dir, "raw", &raw);
        put(&dir, "0", &made);
        put(&dir, "1", digits);
        put(&dir, "2", format!("{digits}\r\n"));
        put(&dir, "3", digits.to_uppercase());
        let kdf = |key| good(&dir, &format!("kdf kdf256 -k {key} --label 01 --seed 02"));
        let wrap = |key| good(&dir, &format!("wrap -k kek --iv 0102030405060708 {key}"));
        let (maced, derived, wrapped) = (mac(&format!("--key {digits}")), kdf("raw"), wrap("raw"));
        assert_eq!(mac("-k raw"), maced, "{size}");
        assert_eq!(wrapped.len(), size + 16);
        for form in ["0", "1", "2", "3"] {
            assert_eq!(mac(&format!("-k {form}")), maced, "{size}, form {form}");
            assert_eq!(kdf(form), derived, "{size}, form {form}");
            assert_eq!(wrap(form), wrapped, "{size}, form {form}");
        }
    }
    bad(&dir, "key new --size 15", 2, &["--size", "16..=4096"]);
    // Too few digits for a key, or with other text: raw bytes.
    for text in
        ["0123456789abcde", "12", "12 ", "0123456789abcdef0123456789abcdeg", "a 16-digit key"]
    {
        put(&dir, "text", text);
        let digits: String = text.bytes().map(|o| format!("{o:02x}")).collect();
        assert_eq!(mac("-k text"), mac(&format!("--key {digits}")), "{text:?}");
    }
}

#[test]
fn no_key_file_is_read_in_two_ways() {
    let dir = folder();
    good(&dir, "key new -o key");
    good(&dir, "key new --size 16 -o half");
    passed(sh(&dir, "tr -d '\\n' <key >line; tr -d '\\n' <half >short"));
    // 64 digits for a key of 64 bytes, 32 digits for one of 32 bytes.
    for key in ["key", "line"] {
        let words = [key, "32 bytes in 64 hexadecimal digits", "must have 64"];
        bad(&dir, &format!("wrap -k {key} key"), 2, &words);
    }
    for key in ["half", "short"] {
        let words = [key, "16 bytes in 32 hexadecimal digits", "must have 32"];
        bad(&dir, &format!("mac -a magma-omac -k {key} key"), 2, &words);
        bad(&dir, &format!("encrypt -k {key} -o x key"), 2, &words);
        let raw = format!("raw encrypt --cipher magma-ecb -k {key} -o x key");
        bad(&dir, &raw, 2, &words);
    }
}

/// A file that is nearly hexadecimal is not read as raw bytes, even if the length fits.
#[test]
fn nearly_hexadecimal_key_files_are_refused() {
    let dir = folder();
    put(&dir, "in", "text");
    good(&dir, "key new --size 64 -o kek");
    let digits = "0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210";
    let near = [
        format!("{digits}\n\n"),
        format!("{digits}\r\n\r\n"),
        format!("{digits} "),
        format!(" {digits}\n"),
        format!("\u{feff}{digits}\n"),
        format!("0x{digits}"),
        format!("0X{digits}\n"),
        digits[1..].to_string(),
        format!("{}\n", &digits[..63]),
        digits.replace("ff", "f f"),
        digits.replace("ff", "f:f"),
        format!("{}\n{}\n", &digits[..32], &digits[32..]),
        format!("{digits}\t"),
        format!("{digits}\r"),
        // 32 bytes, like the wanted key.
        format!("{}\n", &digits[..31]),
        digits[..30].to_string() + "\r\n",
        // At least half of the fewest digits.
        digits[..16].to_string(),
        digits[..30].to_string(),
        // In UTF-16.
        digits.chars().map(|c| format!("{c}\0")).collect(),
    ];
    for text in near {
        put(&dir, "near", &text);
        for args in [
            "mac -a hmac-streebog256 -k near in",
            "mac -a kuznyechik-omac -k near in",
            "kdf kdf256 -k near --label 01 --seed 02",
            "encrypt -k near -o x in",
            "wrap -k kek -o x near",
        ] {
            bad(&dir, args, 2, &["near: ", "hexadecimal", "to do"]);
        }
    }
    assert!(!names(&dir).contains(&"x".into()));
}

#[test]
fn secrets_that_others_can_read_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "pw", "secret");
    for (mode, warned) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
        for (file, args) in [
            ("key", "mac -a kuznyechik-omac -k key key"),
            ("pw", "kdf pbkdf2 --salt 00 --iterations 1 -p pw"),
        ] {
            let path = dir.path().join(file);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            let ran = run(&dir, args);
            assert_eq!(ran.code, Some(0));
            let words = format!("warning: {file}: others can read it");
            assert_eq!(ran.err.contains(&words), warned, "{mode:o}: {}", ran.err);
            assert_eq!(ran.err.contains(&format!("chmod 600 {file}")), warned, "{}", ran.err);
            assert!(warned || ran.err.is_empty(), "{}", ran.err);
        }
    }
}

/// 32 bits are too short for random IVs.
#[test]
fn wrapping_by_magma_needs_an_iv() {
    let dir = folder();
    good(&dir, "key new -o key");
    good(&dir, "key new --size 64 -o kek");
    for verb in ["wrap", "unwrap"] {
        let line = format!("{verb} --cipher magma -k kek -o x key");
        bad(&dir, &line, 2, &["--iv", "magma", "32 bits", "to do"]);
    }
    assert!(!names(&dir).contains(&"x".into()));
    good(&dir, "wrap --cipher magma -k kek -o x --iv 00000001 key");
    let back = "unwrap --cipher magma -k kek --iv 00000001 x";
    assert_eq!(good(&dir, back).len(), 32);
}

/// MACs and derived keys under a container's key or password are none of the container's keys.
#[test]
fn other_answers_under_a_key_do_not_open_its_containers() {
    let dir = folder();
    put(&dir, "in", "text");
    put(&dir, "pw", "secret");
    good(&dir, "key new -o key");
    good(&dir, "encrypt -k key -o by-key in");
    good(&dir, "encrypt -p pw -o by-pw --kdf pbkdf2 --iterations 200000 in");
    for (name, secret) in [("by-key", "key"), ("by-pw", "input")] {
        let header = read(&dir, name);
        let hex = |bytes: &[u8]| bytes.iter().map(|o| format!("{o:02x}")).collect::<String>();
        let (salt, commitment) = (hex(&header[496..512]), hex(&header[544..576]));
        if secret == "input" {
            let pbkdf2 = "kdf pbkdf2 -p pw --iterations 200000 -o input --salt";
            good(&dir, &format!("{pbkdf2} {salt}"));
        }
        let label = hex(b"bulat/1 slot");
        let fixed = hex(&bulat::Streebog256::digest(&header[..480]));
        let tree = format!("kdf tree -k {secret} --label {label} --seed {fixed} -l 64");
        let derived = said(&dir, &tree);
        assert_ne!(derived[64..128], commitment, "{name}");
    }
}

/// Returns PBKDF2's key of this password.
fn derived(dir: &TempDir, password: &str) -> Vec<u8> {
    put(dir, "password", password);
    good(dir, "kdf pbkdf2 --salt 00 --iterations 1 -p password")
}

#[test]
fn descriptors_are_read_from_where_they_stand() {
    let dir = folder();
    put(&dir, "two", "user\nsecret\n");
    let pbkdf2 = "bulat kdf pbkdf2 --salt 00 --iterations 1 --password-fd";
    let expected = derived(&dir, "secret");
    assert_eq!(passed(sh(&dir, &format!("{{ read u; {pbkdf2} 0; }} <two"))), expected);
    assert_eq!(passed(sh(&dir, &format!("{{ read u <&8; {pbkdf2} 8; }} 8<two"))), expected);
    assert_eq!(passed(sh(&dir, &format!("cat two | {{ read u; {pbkdf2} 0; }}"))), expected);
    // In pieces.
    let pieces = "{ printf sec; sleep 0.2; printf ret; }";
    assert_eq!(passed(sh(&dir, &format!("{pieces} | {pbkdf2} 0"))), expected);
    // The name has been removed.
    let gone = format!("exec 7<two; rm two; read u <&7; {pbkdf2} 7");
    assert_eq!(passed(sh(&dir, &gone)), expected);
}

#[test]
fn sockets_are_read() {
    let dir = folder();
    let expected = derived(&dir, "secret");
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut command = command(&dir, "kdf pbkdf2 --salt 00 --iterations 1 --password-fd 0");
    command.stdin(Stdio::from(OwnedFd::from(theirs)));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The command holds the other end of the pipe open until it is dropped.
    drop(command);
    for piece in ["sec", "ret\n"] {
        (&ours).write_all(piece.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(ours);
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.out), (Some(0), expected), "{}", ran.err);
}

#[test]
fn closed_descriptors() {
    let dir = folder();
    put(&dir, "in", [5; 32]);
    let closed = |ran: &Ran, n: &str| {
        check(ran, n, 3, &[&format!("descriptor {n}: not open"), &format!("{n}<FILE")]);
        assert!(!names(&dir).contains(&"x".into()));
    };
    closed(&sh(&dir, "bulat encrypt --password-fd 9 -o x in 9<&-"), "9");
    closed(&sh(&dir, "bulat encrypt --password-fd 9 -o x in 9>w"), "9");
    closed(&run(&dir, "encrypt --key-fd 4000000000 -o x in"), "4000000000");
    // The program's own files have the next numbers: they must not be read as the key.
    for n in ["3", "4", "5"] {
        let ran = sh(&dir, &format!("bulat encrypt --key-fd {n} -o x in 3<&- 4<&- 5<&-"));
        closed(&ran, n);
    }
    bad(&dir, "encrypt --key-fd x -o x in", 2, &["--key-fd"]);
    bad(&dir, "encrypt --key-fd -1 -o x in", 2, &[]);
}

#[test]
fn secret_and_data_are_not_both_standard_input() {
    let dir = folder();
    good(&dir, "key new -o key");
    let key = read(&dir, "key");
    let mac = "mac -a kuznyechik-omac --key-fd 0";
    for line in [
        "encrypt --password-fd 0 -o x",
        "encrypt --key-fd 0 -o x -",
        "encrypt --key-file - -o x",
        "decrypt --password-fd 0 -o x",
        "decrypt --key-fd 0 -o x",
        mac,
        "raw encrypt --cipher magma-ecb --key-fd 0 -o x",
    ] {
        check(&piped(&dir, line, &key), line, 2, &["cannot both come from standard input"]);
        assert_eq!(names(&dir), ["key"], "{line}");
    }
    // If the data comes from elsewhere, it is an ordinary descriptor.
    let by_number = passed(piped(&dir, &format!("{mac} key"), &key));
    assert_eq!(by_number, good(&dir, "mac -a kuznyechik-omac -k key key"));
}

/// Counts these bytes in a process's memory; `None` if it may not be examined.
#[cfg(target_os = "linux")]
fn occurrences(process: u32, what: &[u8]) -> Option<usize> {
    use std::os::unix::fs::FileExt as _;
    let memory = fs::File::open(format!("/proc/{process}/mem")).ok()?;
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let mut n = 0;
    for line in maps.lines() {
        let (range, rest) = line.split_once(' ')?;
        let (begin, end) = range.split_once('-')?;
        let at = |hex| u64::from_str_radix(hex, 16).ok();
        let (begin, end) = (at(begin)?, at(end)?);
        if rest.starts_with("rw") {
            let mut bytes = vec![0; (end - begin) as usize];
            if memory.read_exact_at(&mut bytes, begin).is_ok() {
                n += bytes.windows(what.len()).filter(|w| *w == what).count();
            }
        }
    }
    Some(n)
}

/// `wrap` has read its secret and waits for its keys: counts copies of the secret's beginning, middle and end.
#[cfg(target_os = "linux")]
#[test]
fn the_secret_to_wrap_is_in_memory_once() {
    use std::os::unix::fs::OpenOptionsExt as _;
    let dir = folder();
    passed(sh(&dir, "mkfifo keys"));
    let raw: Vec<u8> = text(6000).iter().zip(0..).map(|(a, i): (&u8, u32)| a ^ i as u8).collect();
    let digits: String = raw.iter().map(|o| format!("{o:02x}")).collect();
    for given in [&raw[..], digits.as_bytes()] {
        let mut command = command(&dir, "wrap -k keys -o x -");
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(given).unwrap();
        // Opens without blocking as soon as the program opens the other end.
        let mut fifo = fs::OpenOptions::new();
        fifo.write(true).custom_flags(libc::O_NONBLOCK);
        let open = || fifo.open(dir.path().join("keys")).ok();
        let writer = (0..6000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            open()
        });
        assert!(writer.is_some(), "it asks for the keys");
        for at in [0, 2000, raw.len() - 32] {
            let part = &raw[at..at + 32];
            let Some(n) = occurrences(child.id(), part) else {
                println!("skipped: the memory of a child cannot be read here");
                break;
            };
            assert_eq!(n, 1, "bytes at {at} of {}", given.len());
            let part = &digits.as_bytes()[2 * at..2 * at + 64];
            assert_eq!(occurrences(child.id(), part), Some(0), "digits at {at}");
        }
        drop(writer);
        let ran = ran(child.wait_with_output().unwrap());
        check(&ran, "wrap", 2, &["keys: the key is empty"]);
    }
}
