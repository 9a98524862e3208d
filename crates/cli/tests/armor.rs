//! Containers as text, containers in containers, and key files under a password.

mod bin;

use std::fs;
use std::path::Path;

use bin::*;

/// Creates a folder with a key, two passwords and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    secret(&dir, "pw", "correct horse\n");
    secret(&dir, "wrong", "battery\n");
    put(&dir, "in", text(300_000));
    dir
}

const BEGIN: &str = "-----BEGIN BULAT ENCRYPTED FILE-----\n";
const END: &str = "-----END BULAT ENCRYPTED FILE-----\n";

#[test]
fn text_there_and_back() {
    let dir = ready();
    for len in [0, 1, 31, 32, 33, 131_072, 300_000] {
        put(&dir, "in", text(len));
        good(&dir, "encrypt -f --armor -k key in");
        let armor = string(&dir, "in.bulat");
        let lines: Vec<&str> = armor.lines().collect();
        assert!(armor.starts_with(BEGIN) && armor.ends_with(END));
        let (last, full) = lines[1..lines.len() - 1].split_last().unwrap();
        assert!(full.iter().all(|line| line.len() == 64) && last.len() <= 64, "{len}");
        // Files and pipes on either side; lines with CRLF; no last line end.
        put(&dir, "crlf", armor.replace('\n', "\r\n"));
        put(&dir, "open", armor.trim_end());
        put(&dir, "mail", format!("\u{feff}\r\n\n{armor}\n\r\n"));
        for name in ["in.bulat", "crlf", "open", "mail"] {
            good(&dir, &format!("decrypt -f -k key -o back {name}"));
            assert!(read(&dir, "back") == text(len), "{name} {len}");
            let ran = piped(&dir, "decrypt -k key", &read(&dir, name));
            assert!(passed(ran) == text(len), "{name} {len}");
        }
        let ran = piped(&dir, "encrypt -a -k key --cipher magma --chunk 4096", &text(len));
        put(&dir, "piped", passed(ran));
        assert!(good(&dir, "decrypt -k key -o - piped") == text(len));
    }
    put(&dir, "small", "abc");
    good(&dir, "encrypt -k key small");
    let shown = said(&dir, "inspect small.bulat");
    assert!(shown.contains("3 bytes of plaintext in 1 chunk, if whole"), "{shown}");
    let shown = said(&dir, "inspect in.bulat");
    assert!(shown.contains("armour             yes") && shown.contains("300000 bytes"), "{shown}");
    let shown = said(&dir, "inspect --json crlf");
    assert!(shown.contains("\"armor\": true") && shown.contains("\"size\": 300000"), "{shown}");
}

#[test]
fn text_that_is_refused() {
    let dir = ready();
    put(&dir, "in", text(200));
    good(&dir, "encrypt -a -k key in");
    let armor = string(&dir, "in.bulat");
    let line = armor.lines().nth(2).unwrap();
    let body = &armor[BEGIN.len()..armor.len() - END.len()];
    let cut = armor.len() - END.len();
    let trailing = format!("line {}: text follows the armour", armor.lines().count() + 1);
    let around = |before: &str| format!("{before}{}", armor.replace('\n', &format!("\n{before}")));
    for (other, words) in [
        (armor.clone() + &armor, &*trailing),
        (armor.clone() + "x", &*trailing),
        (armor[..cut].into(), "truncated armour: the text has no -----END"),
        (armor[..cut - 30].into(), "truncated armour"),
        (armor[..cut + 5].into(), "truncated armour"),
        (BEGIN.into(), "truncated armour"),
        (armor.replace(line, &line[1..]), "line 3: it is not"),
        (armor.replace(line, &format!("{line}AAAA")), "line 3: it has more than 64 characters"),
        (armor.replace(line, &format!("{line}\n")), "line 4: it is empty"),
        (armor.replace(line, &line.replace(&line[5..6], "*")), "line 3: it is not Base64"),
        (format!("{BEGIN}Version: 1\n\n{body}{END}"), "line 2: it is not Base64"),
        (armor.replace("-----END", "----END"), "neither Base64 nor the end"),
        (armor.replace("BEGIN BULAT ENCRYPTED FILE", "BEGIN BULAT KEY"), "the first line is not"),
        (armor.replace("BEGIN BULAT", "BEGIN AGE"), "not a bulat container"),
        (format!("Dear all,\n\n{armor}"), "line 3: the armour begins here, after other text"),
        (around("> "), "line 1: the armour begins here, with other characters before it"),
        (around("  "), "delete all that is before and after the armour"),
        (armor.chars().flat_map(|c| [c, '\0']).collect(), "UTF-16"),
        (format!("{BEGIN}{END}"), "not a bulat container"),
    ] {
        assert_ne!(other, armor, "{words}");
        put(&dir, "bad", &other);
        let ran = bad(&dir, "decrypt -k key -o x bad", 5, &["bad: ", words]);
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")), "{}", ran.err);
        let ran = piped(&dir, "decrypt -k key", other.as_bytes());
        check(&ran, words, 5, &["standard input: ", words]);
        assert!(ran.out.is_empty(), "the only chunk is the last: {words}");
    }
    // No slot is changed before the text is read to its end.
    let long = text(200_000);
    put(&dir, "long", &long);
    good(&dir, "encrypt -a -k key -o tail long");
    good(&dir, "key new -o other");
    let tail = [&read(&dir, "tail")[..], b"hi\n"].concat();
    put(&dir, "tail", &tail);
    let args = "key-slot add -k key --new-key-file other tail";
    let ran = bad(&dir, args, 5, &["tail: line", "text follows the armour", "delete all"]);
    assert!(read(&dir, "tail") == tail && !ran.err.contains("cannot write"), "{}", ran.err);
    // A changed character that is still Base64 fails the authentication.
    let other = if line.contains('A') { line.replace('A', "B") } else { line.replace('B', "A") };
    put(&dir, "bad", armor.replace(line, &other));
    let ran = run(&dir, "decrypt -k key -o x bad");
    assert!(matches!(ran.code, Some(4 | 5)), "{}", ran.err);
}

#[test]
fn a_warning_when_a_container_is_encrypted_again() {
    let dir = ready();
    good(&dir, "encrypt -k key -o once in");
    good(&dir, "encrypt -a -k key -o text in");
    for name in ["once", "text"] {
        let ran = run(&dir, &format!("encrypt -f -k key -o twice {name}"));
        let words = format!("{name}: encrypted already; this encrypts it again");
        assert!(ran.code == Some(0) && ran.err.contains(&words), "{}", ran.err);
        good(&dir, "decrypt -f -k key -o back twice");
        assert!(read(&dir, "back") == read(&dir, name));
        let ran = piped(&dir, "encrypt -k key -o piped -f", &read(&dir, name));
        assert!(ran.code == Some(0) && ran.err.contains("encrypted already"), "{}", ran.err);
        assert!(good(&dir, "decrypt -k key -o - piped") == read(&dir, name));
    }
    for other in ["in", "key", "pw"] {
        let ran = run(&dir, &format!("encrypt -f -k key -o x {other}"));
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{}", ran.err);
    }
}

#[test]
fn a_key_file_under_a_password() {
    let dir = ready();
    good(&dir, "key new -p pw -o locked");
    assert!(string(&dir, "locked").starts_with(BEGIN));
    let with =
        |line: &str, key: &str| run(&dir, &format!("{line} -k {key} --key-password-file pw"));
    let ran = with("encrypt -o sealed in", "locked");
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{}", ran.err);
    // The file is a container of the key file: both have one key.
    good(&dir, "decrypt -p pw -o unlocked locked");
    assert_eq!(read(&dir, "unlocked").len(), 65);
    assert!(good(&dir, "decrypt -k unlocked -o - sealed") == text(300_000));
    assert!(passed(with("decrypt -o - sealed", "locked")) == text(300_000));
    // Other commands that read a key; the descriptor; a key in bytes; a container that is not in armour.
    let mac = good(&dir, "mac -a kuznyechik-omac -k unlocked in");
    assert_eq!(passed(with("mac -a kuznyechik-omac in", "locked")), mac);
    good(&dir, "encrypt -p pw -o bytes key");
    passed(with("encrypt -f -o sealed in", "bytes"));
    good(&dir, "decrypt -k key -f -o back sealed");
    good(&dir, "key new --raw --size 64 -p pw -o keks");
    put(&dir, "wrapped-key", [7; 32]);
    passed(with("wrap -o w wrapped-key", "keks"));
    assert_eq!(passed(with("unwrap -o - w", "keks")), [7; 32]);
    #[cfg(unix)]
    {
        assert_eq!(mode(dir.path().join("locked")), 0o600);
        passed(with("encrypt -o sealed2 in", "locked"));
        passed(sh(&dir, "bulat decrypt -k locked --key-password-fd 7 -o b2 sealed2 7<pw"));
    }
}

#[test]
fn a_key_file_under_a_password_that_is_refused() {
    let dir = ready();
    good(&dir, "encrypt -a -p pw -o locked key");
    good(&dir, "encrypt -a -k key -o by-key key");
    good(&dir, "encrypt -p pw -o twice locked");
    good(&dir, "encrypt -p pw -o short pw");
    put(&dir, "cut", &read(&dir, "locked")[..200]);
    put(&dir, "tail", [&read(&dir, "locked")[..], b"x\n"].concat());
    for (secrets, code, words) in [
        ("-k locked", 2, "no terminal"),
        ("-k locked --key-password-file wrong", 4, "locked: wrong key or password"),
        ("-k locked --key-password-file none", 3, "none: No such file"),
        ("-k by-key --key-password-file pw", 2, "by-key: a key file under another key file"),
        ("-k twice --key-password-file pw", 2, "twice: a container in a container"),
        ("-k short --key-password-file pw", 2, "the key must have 32"),
        ("-k cut --key-password-file pw", 5, "cut: truncated armour"),
        ("-k tail --key-password-file pw", 5, "text follows the armour"),
        ("-k key --key-password-file pw", 2, "there is no key file under a password"),
        ("-p pw --key-password-file pw", 2, "there is no key file under a password"),
    ] {
        bad(&dir, &format!("encrypt -o x in {secrets}"), code, &[words]);
        assert!(!names(&dir).contains(&"x".into()));
    }
    bad(&dir, "wrap -k key -o x locked", 2, &["locked: this key is encrypted"]);
    bad(&dir, "key new --password -o x", 2, &["no terminal"]);
    bad(&dir, "key new -p pw -o key", 3, &["never replaced"]);
    let both = "encrypt -k locked --key-password-file - -o x";
    bad(&dir, both, 2, &["both come from standard input"]);
    let same = "encrypt -f -k locked --key-password-file pw -o pw in";
    bad(&dir, same, 2, &["the output and the key's password file are the same file"]);
}

/// docs/FORMAT.md, section 9, has the first line and the last of the example of section 8 in armour.
#[test]
fn the_example_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FORMAT.md");
    let page = fs::read_to_string(path).unwrap().replace('\r', "");
    let fenced = |begin: &str| page.split("```\n").find(|text| text.starts_with(begin));
    let mut container = Vec::new();
    for line in fenced("0 ").expect("an example").lines() {
        let (place, digits) = line.split_once(' ').unwrap();
        // Lines of zeros are left out.
        container.resize(place.parse().unwrap(), 0);
        container.extend(bulat_container::digits::unhex(digits.trim().as_bytes()).unwrap());
    }
    let mut encoder = bulat_container::armor::Encoder::default();
    let mut armor = Vec::new();
    encoder.push(&container, &mut armor);
    encoder.finish(&mut armor);
    let armor = String::from_utf8(armor).unwrap();
    let (first, last) = fenced(BEGIN).and_then(|shown| shown.split_once("...\n")).unwrap();
    assert!(armor.starts_with(first) && armor.ends_with(&format!("\n{last}")), "{armor}");
}
