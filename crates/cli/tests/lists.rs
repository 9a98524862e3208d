//! `hash --check` with lists that cannot be read, files that cannot be reached, and indented lines.
#![cfg(unix)]

mod bin;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use bin::*;

/// Creates a folder with the files a and b, a list `good` of b, and a list `bad` of a with a wrong digest.
fn ready() -> TempDir {
    let dir = folder();
    for name in ["a", "b"] {
        put(&dir, name, name);
    }
    put(&dir, "good", line(&dir, "b"));
    put(&dir, "bad", line(&dir, "b").replace("  b", "  a"));
    dir
}

/// Returns a file's line.
fn line(dir: &TempDir, name: &str) -> String {
    said(dir, &["hash", name])
}

#[track_caller]
fn prints(ran: &Ran, out: &str) {
    assert_eq!(String::from_utf8_lossy(&ran.out), out, "{}", ran.err);
}

#[test]
fn a_list_that_cannot_be_read_stops_no_other() {
    let dir = ready();
    let check =
        |lists: &str, code, words: &[&str]| bad(&dir, &format!("hash -c {lists}"), code, words);
    let missing = "missing: No such file";
    prints(&check("bad missing good", 1, &[missing]), "a: FAILED\nb: OK\n");
    prints(&check("missing bad", 1, &[missing]), "a: FAILED\n");
    prints(&check("good missing good", 3, &[missing]), "b: OK\nb: OK\n");
    fs::create_dir(dir.path().join("d")).unwrap();
    prints(&check("d good", 3, &["d: Is a directory"]), "b: OK\n");
    // A file that opens, but cannot be read.
    if cfg!(target_os = "linux") {
        prints(&check("/proc/self/mem good", 3, &["/proc/self/mem: "]), "b: OK\n");
    }
}

#[test]
fn results_that_cannot_be_written_are_no_unreadable_list() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let dir = ready();
    let mut command = bulat(&dir);
    command.args(["hash", "-c", "good", "good"]).stdout(full).stderr(Stdio::piped());
    let ran = ran(command.output().unwrap());
    check(&ran, "> /dev/full", 3, &["standard output: cannot write"]);
    assert_eq!(ran.err.matches("cannot write").count(), 1, "{}", ran.err);
}

#[test]
fn only_what_is_not_there_is_missing() {
    let dir = ready();
    symlink("loop", dir.path().join("loop")).unwrap();
    symlink("nowhere", dir.path().join("dangling")).unwrap();
    let of = |name: &str| line(&dir, "b").replace("  b", &format!("  {name}"));
    for there in ["a/b", "loop"] {
        put(&dir, "list", &(line(&dir, "b") + &of(there)));
        let ran = bad(&dir, "hash -c --ignore-missing list", 1, &[there]);
        prints(&ran, &format!("b: OK\n{there}: FAILED open or read\n"));
    }
    for not_there in ["c", "c/b", "dangling"] {
        put(&dir, "list", &(line(&dir, "b") + &of(not_there)));
        let ran = run(&dir, "hash -c --ignore-missing list");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{not_there}");
        prints(&ran, "b: OK\n");
    }
    // The reading of "  loop" with one space, when only that file exists and cannot be reached.
    symlink(" turn", dir.path().join(" turn")).unwrap();
    put(&dir, "list", of("turn"));
    let ran = bad(&dir, "hash -c --ignore-missing list", 1, &[" turn"]);
    prints(&ran, " turn: FAILED open or read\n");
}

#[test]
fn indented_lines() {
    let dir = ready();
    put(&dir, "two\nlines", "b");
    let escaped = line(&dir, "two\nlines");
    assert!(escaped.starts_with('\\'));
    for indent in [" ", "    ", "\t", " \t "] {
        put(&dir, "list", format!("{indent}{}{indent}{escaped}", line(&dir, "b")));
        prints(&run(&dir, "hash -c list"), "b: OK\n\\two\\nlines: OK\n");
    }
    // gost12sum and gostsum reject such a line; gost12sum accepts its own format with spaces.
    put(&dir, "list", format!(" {escaped}"));
    let skipped = good(&dir, "gost12sum -v -c list");
    assert!(skipped.starts_with(b"Skipping line"));
    put(&dir, "list", format!("\t{}", line(&dir, "b")));
    let skipped = good(&dir, "gost12sum -v -c list");
    assert!(skipped.starts_with(b"Skipping line"));
}

#[test]
fn lines_of_another_algorithm_are_malformed() {
    let dir = ready();
    let tag = |algorithm| said(&dir, &format!("hash -a {algorithm} --tag b"));
    let all = tag("streebog256") + &tag("gost94") + &tag("streebog512");
    put(&dir, "list", &all);
    prints(&run(&dir, "hash -c list"), "b: OK\nb: OK\nb: OK\n");
    let ran = run(&dir, "hash -a streebog256 -c list");
    assert_eq!(ran.code, Some(0));
    prints(&ran, "b: OK\n");
    assert!(ran.err.contains("2 lines are improperly formatted"), "{}", ran.err);
    bad(&dir, "hash -a streebog256 -c --strict list", 1, &["2 lines are improperly formatted"]);
    // Any name of the algorithm is accepted, in openssl's format.
    let digest = line(&dir, "b");
    let digest = digest.split(' ').next().unwrap();
    put(&dir, "list", format!("md_gost12_256(b)= {digest}\n"));
    prints(&run(&dir, "hash -a streebog256 -c list"), "b: OK\n");
    put(&dir, "list", tag("gost94"));
    bad(&dir, "hash -a streebog256 -c list", 5, &["no properly formatted"]);
}

#[test]
fn a_long_line_is_one_line() {
    let dir = ready();
    let entry = line(&dir, "b");
    for len in [65_000, 65_535, 65_536, 65_537, 131_072, 500_000] {
        // A comment with an end that looks like an entry if the line is cut there.
        for cut in [65_535usize, 65_536, 65_537] {
            let comment = format!("#{}{entry}", "x".repeat(len.max(cut) - 1));
            put(&dir, "list", format!("{comment}{entry}"));
            let ran = run(&dir, "hash -c --warn list");
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{len} {cut}");
            prints(&ran, "b: OK\n");
        }
        // Any other long line is malformed.
        put(&dir, "list", format!("{}{entry}{entry}", "x".repeat(len)));
        let ran = run(&dir, "hash -c --warn list");
        assert_eq!(ran.err.matches("list: 1: improperly").count(), 1, "{}", ran.err);
        assert_eq!(ran.err.matches("improperly formatted checksum").count(), 1, "{}", ran.err);
        prints(&ran, "b: OK\n");
    }
}

/// As in coreutils: the line shows the name, and begins with a backslash if the name is escaped.
#[test]
fn verdicts_name_one_file_each() {
    let dir = ready();
    let names = ["x\ny", "x\\ny", "x\ry", "x\\"];
    for name in names {
        put(&dir, name, name);
    }
    let lines: String = names.iter().map(|name| line(&dir, name)).collect();
    put(&dir, "list", &lines);
    let verdicts = "\\x\\ny: OK\n\\x\\\\ny: OK\n\\x\\ry: OK\n\\x\\\\: OK\n";
    prints(&run(&dir, "hash -c list"), verdicts);
    if let Some(sha256sum) = installed("sha256sum") {
        // Some versions escape none of the other names when they check.
        let sums = program(&sha256sum, &dir).arg(names[0]).output().unwrap().stdout;
        put(&dir, "sums", sums);
        let theirs = program(&sha256sum, &dir).args(["-c", "sums"]).output().unwrap().stdout;
        assert_eq!(
            String::from_utf8_lossy(&theirs),
            verdicts.lines().next().unwrap().to_owned() + "\n"
        );
    }
    // Two missing files have different messages, too.
    for name in names {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    let ran = run(&dir, "hash -c list");
    let mut said: Vec<&str> = ran.err.lines().filter(|l| l.contains("No such file")).collect();
    assert_eq!(said.len(), names.len());
    said.sort_unstable();
    said.dedup();
    assert_eq!(said.len(), names.len(), "{}", ran.err);
}

/// Windows PowerShell's `Out-File -Encoding utf8` and Notepad write a mark; joined lists have it inside.
#[test]
fn a_byte_order_mark_hides_no_line() {
    let dir = ready();
    let tag = said(&dir, "hash --tag a");
    let (a, b) = (line(&dir, "a"), line(&dir, "b"));
    for text in [
        format!("\u{feff}{a}{b}"),
        format!("\u{feff}{a}\u{feff}{b}"),
        format!("\u{feff}{tag}{b}"),
        format!("\u{feff}{}{}", a.replace('\n', "\r\n"), b.replace('\n', "\r\n")),
        format!("\u{feff}# a comment\n\u{feff}\n; another\n{a}{b}"),
    ] {
        put(&dir, "list", &text);
        let ran = run(&dir, "hash -c --strict list");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{text:?}");
        prints(&ran, "a: OK\nb: OK\n");
    }
    // The file of the marked line is really checked: a change is found.
    put(&dir, "a", "changed");
    put(&dir, "list", format!("\u{feff}{a}{b}"));
    for option in ["--status", "--quiet", "--ignore-missing"] {
        bad(&dir, &format!("hash -c {option} list"), 1, &[]);
    }
    // gost12sum and gostsum read it like the originals.
    assert_eq!(run(&dir, "gost12sum -c list").code, Some(0));
}

/// Windows PowerShell's `>` and `>>` write UTF-16, even after a list in UTF-8.
#[test]
fn a_list_in_utf16_is_named() {
    let dir = ready();
    let (a, b) = (line(&dir, "a").replace('\n', "\r\n"), line(&dir, "b"));
    let wide = |big: bool, mark: &str| -> Vec<u8> {
        let bytes = |c: u16| if big { c.to_be_bytes() } else { c.to_le_bytes() };
        format!("{mark}{a}").encode_utf16().flat_map(bytes).collect()
    };
    for big in [false, true] {
        for mark in ["", "\u{feff}"] {
            for front in ["", &b] {
                let text = [front.as_bytes(), &wide(big, mark)].concat();
                put(&dir, "list", text);
                let words = ["list: ", "text in UTF-16", "iconv"];
                let ran = bad(&dir, "hash -c list", 5, &words);
                prints(&ran, if front.is_empty() { "" } else { "b: OK\n" });
                bad(&dir, "hash -c --status list", 5, &words);
            }
        }
    }
}

/// GOST94 means the test S-boxes in rhash, CryptoPro's elsewhere.
#[test]
fn tags_name_one_function() {
    let dir = ready();
    let tag = |algorithm| said(&dir, &format!("hash -a {algorithm} --tag a"));
    let (cryptopro, test) = (tag("gost94"), tag("gost94-test"));
    assert!(cryptopro.starts_with("GOST94-CRYPTOPRO (a) = e74c52dd282183bf37af0079c9f78055"));
    assert!(test.starts_with("GOST94-TEST (a) = d42c539e367c66e9c88a801f6649349c"), "{test}");
    let bare = |tag: &str| format!("GOST94 {}", &tag[tag.find('(').unwrap()..]);
    for (algorithm, tagged) in [("gost94", &cryptopro), ("gost94-test", &test)] {
        put(&dir, "list", tagged);
        prints(&run(&dir, "hash -c list"), "a: OK\n");
        prints(&run(&dir, &format!("hash -a {algorithm} -c list")), "a: OK\n");
        // The bare name means the algorithm asked for; without -a it is refused, after the lines before it.
        put(&dir, "list", &(line(&dir, "b") + &bare(tagged)));
        let words = ["list: 2: GOST94 is the name of two functions", "-a gost94-test", "-a gost94"];
        prints(&bad(&dir, "hash -c list", 2, &words), "b: OK\n");
        put(&dir, "list", bare(tagged));
        prints(&run(&dir, &format!("hash -a {algorithm} -c list")), "a: OK\n");
        bad(&dir, "hash -a streebog256 -c list", 5, &["no properly formatted"]);
    }
    put(&dir, "list", bare(&test));
    prints(&bad(&dir, "hash -a gost94 -c list", 1, &[]), "a: FAILED\n");
    // rhash's names for Streebog.
    for (own, theirs) in [("streebog256", "GOST12-256"), ("streebog512", "GOST12-512")] {
        let tag = tag(own);
        put(&dir, "list", format!("{theirs} {}", &tag[tag.find('(').unwrap()..]));
        prints(&run(&dir, "hash -c list"), "a: OK\n");
    }
    // gostsum: its option decides the meaning of the bare name; a full name has its own meaning.
    for (options, text) in
        [("-c", &bare(&cryptopro)), ("-t -c", &bare(&test)), ("-c", &test), ("-t -c", &cryptopro)]
    {
        put(&dir, "list", text);
        good(&dir, &format!("gostsum {options} list"));
    }
    bad(&dir, "hash -a gost a", 2, &["gost: no such algorithm", "gost94", "streebog"]);
    if let Some(rhash) = installed("rhash") {
        for function in ["--gost94-cryptopro", "--gost12-256"] {
            let theirs =
                program(&rhash, &dir).args([function, "--bsd", "a"]).output().unwrap().stdout;
            put(&dir, "list", &theirs);
            prints(&run(&dir, "hash -c list"), "a: OK\n");
        }
        put(&dir, "list", &cryptopro);
        assert!(program(&rhash, &dir).args(["-c", "list"]).output().unwrap().status.success());
    }
}

#[test]
fn bytes_in_reverse_order_are_a_hint() {
    let dir = ready();
    let theirs = good(&dir, "gostsum a");
    put(&dir, "list", theirs);
    let words = ["1 of them would match in reverse order", "bulat gostsum -c"];
    bad(&dir, "hash -a gost94 -c list", 1, &words);
    good(&dir, "gostsum -c list");
}

#[test]
fn a_zero_byte_in_a_name_is_printed_escaped() {
    let dir = ready();
    put(&dir, "list", line(&dir, "b").replace("  b", "  b\0"));
    let ran = bad(&dir, "hash -c list", 1, &[]);
    prints(&ran, "\\b\\0: FAILED open or read\n");
}

#[test]
fn an_empty_name_is_a_file_that_is_not_there() {
    let dir = ready();
    good(&dir, "key new -o key");
    for command in ["hash", "mac -a kuznyechik-omac -k key"] {
        let words: Vec<&str> = command.split(' ').chain(["", "b"]).collect();
        let ran = bad(&dir, &*words, 3, &["(empty name): No such file"]);
        assert_eq!(ran.out, good(&dir, &format!("{command} b")));
    }
}
