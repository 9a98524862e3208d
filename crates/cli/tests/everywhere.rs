//! Behaviour on every system, especially where files differ from POSIX: names, line ends, bytes that are not text, and
//! which files are overwritten.

mod bin;

use std::fs;
use std::path::MAIN_SEPARATOR as SLASH;

use bin::*;

/// Creates a folder with a key and a file of bytes that a text mode would change.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    put(&dir, "in", bytes());
    dir
}

fn bytes() -> Vec<u8> {
    [&b"a\r\nb\nc\rd\x1ae\0f\xff\r\r\n"[..], &text(300_000)].concat()
}

#[test]
fn no_byte_is_taken_for_text() {
    let dir = ready();
    let sealed = passed(piped(&dir, "encrypt -k key", &bytes()));
    put(&dir, "sealed", &sealed);
    assert!(passed(piped(&dir, "decrypt -k key", &sealed)) == bytes());
    assert!(good(&dir, "decrypt -k key -o - sealed") == bytes());
    good(&dir, "decrypt -k key -o back sealed");
    assert!(read(&dir, "back") == bytes());
    assert_eq!(piped(&dir, "hash", &bytes()).out[..64], good(&dir, "hash in")[..64]);
    assert!(good(&dir, "hash in").ends_with(b"  in\n"));
}

#[test]
fn keys_with_either_line_end() {
    let dir = ready();
    good(&dir, "encrypt -k key in");
    let digits = string(&dir, "key");
    assert_eq!(digits.len(), 65);
    put(&dir, "crlf", digits.replace('\n', "\r\n"));
    assert!(good(&dir, "decrypt -k crlf -o - in.bulat") == bytes());
    // From standard input, by name and by number.
    for key in ["--key-file -", "--key-fd 0"] {
        let line = format!("decrypt {key} -f -o back in.bulat");
        passed(piped(&dir, &line, digits.as_bytes()));
        assert!(read(&dir, "back") == bytes());
    }
    bad(&dir, "key new -o key", 3, &["key", "already exists"]);
    assert_eq!(read(&dir, "key"), digits.as_bytes());
    bad(&dir, "encrypt --key-fd 4000 -o x in", 3, &["descriptor 4000"]);
}

#[test]
fn lists_with_either_line_end_and_names_with_separators() {
    let dir = ready();
    fs::create_dir(dir.path().join("d")).unwrap();
    put(&dir, "d/e f", "text");
    let name = format!("d{SLASH}e f");
    let whole = dir.path().join("in").into_os_string().into_string().unwrap();
    let list = said(&dir, &["hash", "in", &name, &whole]);
    // The backslash is escaped, as in coreutils.
    assert_eq!(list.matches("d\\\\e f").count(), usize::from(cfg!(windows)), "{list}");
    for list in [list.clone(), list.replace('\n', "\r\n")] {
        put(&dir, "list", list);
        good(&dir, "hash --check --quiet list");
    }
    put(&dir, "in", "changed");
    let ran = bad(&dir, "hash --check list", 1, &[]);
    assert_eq!(String::from_utf8_lossy(&ran.out).matches("FAILED").count(), 2);
    // The other separator works there too.
    put(&dir, "list", good(&dir, &["hash", "d/e f"]));
    assert_eq!(good(&dir, "hash --check list"), b"d/e f: OK\n");
}

#[test]
fn outputs_in_folders() {
    let dir = ready();
    fs::create_dir(dir.path().join("d")).unwrap();
    let whole = dir.path().join("d").join("whole").into_os_string().into_string().unwrap();
    for output in [format!("d{SLASH}x"), "d/y".into(), format!(".{SLASH}d{SLASH}z"), whole] {
        good(&dir, &format!("encrypt -k key -o {output} in"));
        assert!(good(&dir, &format!("decrypt -k key -o - {output}")) == bytes());
    }
    good(&dir, &format!("encrypt -k key .{SLASH}in"));
    fs::remove_file(dir.path().join("in")).unwrap();
    good(&dir, &format!("decrypt -k key .{SLASH}in.bulat"));
    assert!(read(&dir, "in") == bytes());
    assert_eq!(names(dir.path().join("d")), ["whole", "x", "y", "z"]);
    assert_eq!(names(&dir), ["d", "in", "in.bulat", "key"], "nothing left over");
    bad(&dir, &format!("encrypt -k key -o no{SLASH}x in"), 3, &["create the folder"]);
    bad(&dir, "encrypt -k key -o d in", 3, &["d: is a directory"]);
    for line in ["hash d", "encrypt -k key -o x d"] {
        bad(&dir, line, 3, &["d: ", "s a directory", "name the files"]);
    }
    bad(&dir, "hash missing", 3, &["missing: ", "check the name"]);
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let dir = ready();
    good(&dir, "encrypt -k key in");
    let sealed = read(&dir, "in.bulat");
    bad(&dir, "encrypt -k key in", 3, &["in.bulat: already exists", "--force"]);
    assert!(read(&dir, "in.bulat") == sealed);
    good(&dir, "encrypt -k key --force in");
    let again = read(&dir, "in.bulat");
    assert!(again != sealed);
    put(&dir, "back", "old");
    let mut damaged = again.clone();
    *damaged.last_mut().unwrap() ^= 1;
    put(&dir, "damaged", damaged);
    bad(&dir, "decrypt -k key -f -o back damaged", 5, &["chunk 2"]);
    assert_eq!(read(&dir, "back"), b"old");
    good(&dir, "decrypt -k key -f -o back in.bulat");
    assert!(read(&dir, "back") == bytes());
    assert_eq!(names(&dir), ["back", "damaged", "in", "in.bulat", "key"], "nothing left over");
}

/// Neither the input nor the key is overwritten, under any name.
#[test]
fn outputs_are_apart() {
    let dir = ready();
    let whole = |name: &str| dir.path().join(name).into_os_string().into_string().unwrap();
    let (whole_in, whole_key) = (whole("in"), whole("key"));
    let (dot_in, dot_key) = (format!(".{SLASH}in"), format!(".{SLASH}key"));
    let mut outputs = vec!["in", &dot_in, &whole_in, "key", &dot_key, &whole_key];
    if cfg!(windows) {
        outputs.extend(["IN", "Key"]);
    }
    for output in outputs {
        bad(&dir, &format!("encrypt -f -k key -o {output} in"), 2, &["same file", "-o"]);
    }
    let iv = "11".repeat(16);
    let raw = format!("raw encrypt -f --cipher kuznyechik-mgm -k key --iv {iv}");
    for (tag, output) in
        [("out", "out"), (".//out", "out"), ("in", "out"), ("key", "out"), ("tag", "key")]
    {
        bad(&dir, &format!("{raw} --tag-file {tag} -o {output} in"), 2, &["same file"]);
    }
    assert!(read(&dir, "in") == bytes() && read(&dir, "key").len() == 65);
    assert_eq!(names(&dir), ["in", "key"]);
}
