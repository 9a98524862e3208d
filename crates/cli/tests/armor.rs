//! Containers as text, containers in containers, and key files under a password.

mod bin;

use std::fs;
use std::path::Path;

use bin::*;

/// Creates a folder with a key, two passwords and a file.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, &["key", "new", "-o", "key"]);
    secret(&dir, "pw", "correct horse\n");
    secret(&dir, "wrong", "battery\n");
    fs::write(dir.path().join("in"), text(300_000)).unwrap();
    dir
}

/// Writes a secret that only its owner can read.
fn secret(dir: &TempDir, name: &str, text: &str) {
    let path = dir.path().join(name);
    fs::write(&path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

fn read(dir: &TempDir, name: impl AsRef<Path>) -> Vec<u8> {
    fs::read(dir.path().join(name)).unwrap()
}

fn string(dir: &TempDir, name: &str) -> String {
    String::from_utf8(read(dir, name)).unwrap()
}

const BEGIN: &str = "-----BEGIN BULAT ENCRYPTED FILE-----\n";
const END: &str = "-----END BULAT ENCRYPTED FILE-----\n";

#[test]
fn text_there_and_back() {
    let dir = ready();
    for len in [0, 1, 31, 32, 33, 131_072, 300_000] {
        fs::write(dir.path().join("in"), text(len)).unwrap();
        good(&dir, &["encrypt", "-f", "--armor", "-k", "key", "in"]);
        let armor = string(&dir, "in.bulat");
        let lines: Vec<&str> = armor.lines().collect();
        assert!(armor.starts_with(BEGIN) && armor.ends_with(END));
        let (last, full) = lines[1..lines.len() - 1].split_last().unwrap();
        assert!(full.iter().all(|line| line.len() == 64) && last.len() <= 64, "{len}");
        // Files and pipes on either side; lines with CRLF; no last line end.
        fs::write(dir.path().join("crlf"), armor.replace('\n', "\r\n")).unwrap();
        fs::write(dir.path().join("open"), armor.trim_end()).unwrap();
        fs::write(dir.path().join("mail"), format!("\u{feff}\r\n\n{armor}\n\r\n")).unwrap();
        for name in ["in.bulat", "crlf", "open", "mail"] {
            good(&dir, &["decrypt", "-f", "-k", "key", "-o", "back", name]);
            assert!(read(&dir, "back") == text(len), "{name} {len}");
            let mut pipe = bulat(&dir);
            pipe.args(["decrypt", "-k", "key"]);
            let ran = feed(pipe, &read(&dir, name));
            assert!(ran.code == Some(0) && ran.out == text(len), "{name} {len}: {}", ran.err);
        }
        let mut pipe = bulat(&dir);
        pipe.args(["encrypt", "-a", "-k", "key", "--cipher", "magma", "--chunk", "4096"]);
        let ran = feed(pipe, &text(len));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        fs::write(dir.path().join("piped"), ran.out).unwrap();
        assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "piped"]) == text(len));
    }
    let shown = String::from_utf8(good(&dir, &["inspect", "in.bulat"])).unwrap();
    assert!(shown.contains("armour             yes") && shown.contains("300000 bytes"), "{shown}");
    let shown = String::from_utf8(good(&dir, &["inspect", "--json", "crlf"])).unwrap();
    assert!(shown.contains("\"armor\": true") && shown.contains("\"size\": 300000"), "{shown}");
}

#[test]
fn text_that_is_refused() {
    let dir = ready();
    fs::write(dir.path().join("in"), text(200)).unwrap();
    good(&dir, &["encrypt", "-a", "-k", "key", "in"]);
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
        fs::write(dir.path().join("bad"), &other).unwrap();
        let ran = bad(&dir, &["decrypt", "-k", "key", "-o", "x", "bad"], 5, &["bad: ", words]);
        assert!(!names(&dir).iter().any(|n| n == "x" || n.ends_with(".part")), "{}", ran.err);
        let mut pipe = bulat(&dir);
        pipe.args(["decrypt", "-k", "key"]);
        let ran = feed(pipe, other.as_bytes());
        check(&ran, &[words], 5, &["standard input: ", words]);
        assert!(ran.out.is_empty(), "the only chunk is the last: {words}");
    }
    // No slot is changed before the text is read to its end.
    let long = text(200_000);
    fs::write(dir.path().join("long"), &long).unwrap();
    good(&dir, &["encrypt", "-a", "-k", "key", "-o", "tail", "long"]);
    good(&dir, &["key", "new", "-o", "other"]);
    let tail = [&read(&dir, "tail")[..], b"hi\n"].concat();
    fs::write(dir.path().join("tail"), &tail).unwrap();
    let args = ["key-slot", "add", "-k", "key", "--new-key-file", "other", "tail"];
    let ran = bad(&dir, &args, 5, &["tail: line", "text follows the armour", "delete all"]);
    assert!(read(&dir, "tail") == tail && !ran.err.contains("cannot write"), "{}", ran.err);
    // A changed character that is still Base64 fails the authentication.
    let other = if line.contains('A') { line.replace('A', "B") } else { line.replace('B', "A") };
    fs::write(dir.path().join("bad"), armor.replace(line, &other)).unwrap();
    let ran = run(&dir, &["decrypt", "-k", "key", "-o", "x", "bad"]);
    assert!(matches!(ran.code, Some(4 | 5)), "{}", ran.err);
}

#[test]
fn a_warning_when_a_container_is_encrypted_again() {
    let dir = ready();
    good(&dir, &["encrypt", "-k", "key", "-o", "once", "in"]);
    good(&dir, &["encrypt", "-a", "-k", "key", "-o", "text", "in"]);
    for name in ["once", "text"] {
        let ran = run(&dir, &["encrypt", "-f", "-k", "key", "-o", "twice", name]);
        let words = format!("{name}: encrypted already; this encrypts it again");
        assert!(ran.code == Some(0) && ran.err.contains(&words), "{}", ran.err);
        good(&dir, &["decrypt", "-f", "-k", "key", "-o", "back", "twice"]);
        assert!(read(&dir, "back") == read(&dir, name));
        let mut pipe = bulat(&dir);
        pipe.args(["encrypt", "-k", "key", "-o", "piped", "-f"]);
        let ran = feed(pipe, &read(&dir, name));
        assert!(ran.code == Some(0) && ran.err.contains("encrypted already"), "{}", ran.err);
        assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "piped"]) == read(&dir, name));
    }
    for other in ["in", "key", "pw"] {
        let ran = run(&dir, &["encrypt", "-f", "-k", "key", "-o", "x", other]);
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{}", ran.err);
    }
}

#[test]
fn a_key_file_under_a_password() {
    let dir = ready();
    good(&dir, &["key", "new", "-p", "pw", "-o", "locked"]);
    assert!(string(&dir, "locked").starts_with(BEGIN));
    let open = ["-k", "locked", "--key-password-file", "pw"];
    let with =
        |command: &str, key: &[&str], rest: &[&str]| run(&dir, &[&[command], key, rest].concat());
    let ran = with("encrypt", &open, &["-o", "sealed", "in"]);
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{}", ran.err);
    // The file is a container of the key file: both have one key.
    good(&dir, &["decrypt", "-p", "pw", "-o", "unlocked", "locked"]);
    assert_eq!(read(&dir, "unlocked").len(), 65);
    assert!(good(&dir, &["decrypt", "-k", "unlocked", "-o", "-", "sealed"]) == text(300_000));
    let ran = with("decrypt", &open, &["-o", "-", "sealed"]);
    assert!(ran.code == Some(0) && ran.out == text(300_000), "{}", ran.err);
    // Other commands that read a key; the descriptor; a key in bytes; a container that is not in armour.
    let mac = good(&dir, &["mac", "-a", "kuznyechik-omac", "-k", "unlocked", "in"]);
    let ran = with("mac", &open, &["-a", "kuznyechik-omac", "in"]);
    assert!(ran.code == Some(0) && ran.out == mac, "{}", ran.err);
    good(&dir, &["encrypt", "-p", "pw", "-o", "bytes", "key"]);
    let key = ["-k", "bytes", "--key-password-file", "pw"];
    assert_eq!(with("encrypt", &key, &["-f", "-o", "sealed", "in"]).code, Some(0));
    good(&dir, &["decrypt", "-k", "key", "-f", "-o", "back", "sealed"]);
    good(&dir, &["key", "new", "--raw", "--size", "64", "-p", "pw", "-o", "keks"]);
    fs::write(dir.path().join("wrapped-key"), [7; 32]).unwrap();
    let keks = ["-k", "keks", "--key-password-file", "pw"];
    assert_eq!(with("wrap", &keks, &["-o", "w", "wrapped-key"]).code, Some(0));
    let ran = with("unwrap", &keks, &["-o", "-", "w"]);
    assert!(ran.code == Some(0) && ran.out == [7; 32], "{}", ran.err);
    #[cfg(unix)]
    {
        assert_eq!(fs::metadata(dir.path().join("locked")).map(|m| mode(&m)).unwrap(), 0o600);
        let script = format!("{BULAT} decrypt -k locked --key-password-fd 7 -o b2 sealed2 7<pw");
        with("encrypt", &open, &["-o", "sealed2", "in"]);
        let by_number = bin::ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
        assert_eq!(by_number.code, Some(0), "{}", by_number.err);
    }
}

#[cfg(unix)]
fn mode(m: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    m.permissions().mode() & 0o777
}

#[test]
fn a_key_file_under_a_password_that_is_refused() {
    let dir = ready();
    good(&dir, &["encrypt", "-a", "-p", "pw", "-o", "locked", "key"]);
    good(&dir, &["encrypt", "-a", "-k", "key", "-o", "by-key", "key"]);
    good(&dir, &["encrypt", "-p", "pw", "-o", "twice", "locked"]);
    good(&dir, &["encrypt", "-p", "pw", "-o", "short", "pw"]);
    fs::write(dir.path().join("cut"), &read(&dir, "locked")[..200]).unwrap();
    fs::write(dir.path().join("tail"), [&read(&dir, "locked")[..], b"x\n"].concat()).unwrap();
    let given = ["--key-password-file", "pw"];
    for (key, more, code, words) in [
        ("locked", &[][..], 2, "no terminal"),
        ("locked", &["--key-password-file", "wrong"], 4, "locked: wrong key or password"),
        ("locked", &["--key-password-file", "none"], 3, "none: No such file"),
        ("by-key", &given, 2, "by-key: a key file under another key file"),
        ("twice", &given, 2, "twice: a container in a container"),
        ("short", &given, 2, "the key must have 32"),
        ("cut", &given, 5, "cut: truncated armour"),
        ("tail", &given, 5, "text follows the armour"),
        ("key", &given, 2, "there is no key file under a password"),
    ] {
        let args = [&["encrypt", "-o", "x", "-k", key], more, &["in"]].concat();
        bad(&dir, &args, code, &[words]);
        assert!(!names(&dir).contains(&"x".into()));
    }
    let args = ["encrypt", "-p", "pw", "--key-password-file", "pw", "-o", "x", "in"];
    bad(&dir, &args, 2, &["there is no key file under a password"]);
    bad(&dir, &["wrap", "-k", "key", "-o", "x", "locked"], 2, &["locked: this key is encrypted"]);
    bad(&dir, &["key", "new", "--password", "-o", "x"], 2, &["no terminal"]);
    bad(&dir, &["key", "new", "-p", "pw", "-o", "key"], 3, &["never replaced"]);
    let args = ["encrypt", "-k", "locked", "--key-password-file", "-", "-o", "x"];
    bad(&dir, &args, 2, &["both come from standard input"]);
    let args = ["encrypt", "-f", "-k", "locked", "--key-password-file", "pw", "-o", "pw", "in"];
    bad(&dir, &args, 2, &["the output and the key's password file are the same file"]);
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
