//! Trees and several files: `hash -r`, `--strict-tree`, `encrypt FILE...`, `encrypt -r` and `decrypt -r`.
#![cfg(unix)]

mod bin;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use bin::*;

/// Names in the order of their bytes, with their contents.
const FILES: [(&[u8], usize); 10] = [
    (b" space", 3),
    (b"*star", 17),
    (b"a", 0),
    (b"b-c", 5),
    (b"b/c", 200_000),
    (b"b/d/e", 9),
    (b"b0", 4097),
    (b"back\\slash", 2),
    (b"two\nlines", 8),
    (b"\xff", 6),
];

fn at(dir: &TempDir, name: impl AsRef<[u8]>) -> PathBuf {
    dir.path().join(OsStr::from_bytes(name.as_ref()))
}

/// Creates a folder with keys and the tree `t`, in which no file changed a moment ago.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, "key new -o key");
    good(&dir, "key new -o other");
    for (name, len) in FILES {
        put(&dir, [&b"t/"[..], name].concat(), text(len));
    }
    fs::create_dir(at(&dir, "t/empty")).unwrap();
    dir
}

/// Writes a file, and makes the folders above it.
fn put(dir: &TempDir, name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) {
    let path = at(dir, name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
}

fn remove(dir: &TempDir, name: &str) {
    fs::remove_file(at(dir, name)).unwrap();
}

/// Returns the regular files below a folder, with their contents.
fn contents(root: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    fn add(root: &Path, folder: &Path, out: &mut Vec<(Vec<u8>, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                add(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes();
                out.push((name.to_vec(), fs::read(&path).unwrap()));
            }
        }
    }
    let mut out = Vec::new();
    add(root, root, &mut out);
    out.sort();
    out
}

fn plain() -> Vec<(Vec<u8>, Vec<u8>)> {
    FILES.iter().map(|(name, len)| (name.to_vec(), text(*len))).collect()
}

/// Sets the time of the last change of a file's content.
fn age(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

// --- Lists

#[test]
fn a_list_is_sorted_and_is_that_of_the_files_one_by_one() {
    let dir = ready();
    let whole = good(&dir, "hash -r t");
    let mut one_by_one = bulat(&dir);
    one_by_one.arg("hash");
    one_by_one.args(FILES.iter().map(|(name, _)| at(&dir, [&b"t/"[..], *name].concat())));
    let absolute = ran(one_by_one.output().unwrap());
    let prefix = [dir.path().as_os_str().as_bytes(), b"/"].concat();
    let lines = |text: &[u8]| text.split(|c| *c == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let relative: Vec<Vec<u8>> = lines(&absolute.out)
        .into_iter()
        .map(|line| match line.windows(prefix.len()).position(|w| w == prefix) {
            Some(at) => [&line[..at], &line[at + prefix.len()..]].concat(),
            None => line,
        })
        .collect();
    assert_eq!(lines(&whole), relative);
    for line in ["hash -r t/", "hash -j 1 -r t", "hash -rj3 t"] {
        assert!(good(&dir, line) == whole, "{line}");
    }
    // The order is that of the bytes, for names with `/` too.
    let sorted = good(&dir, "hash -rz t");
    let names: Vec<&[u8]> = sorted.split(|c| *c == 0).filter_map(|l| l.get(66..)).collect();
    assert!(names.is_sorted() && names.len() == FILES.len());
    // Several folders and files, in the order of the command line; from inside; each list is checked.
    let both = good(&dir, "hash -r t/b0 t t/a");
    assert_eq!(lines(&both).len(), FILES.len() + 3);
    let inside = good(at(&dir, "t"), "hash -r .");
    assert!(lines(&inside)[0].ends_with(b"  ./ space"));
    for (place, list) in [("", &whole), ("", &both), ("t", &inside)] {
        put(&dir, "list", list);
        good(at(&dir, place), &format!("hash -c --strict {}", at(&dir, "list").display()));
    }
    let json = good(&dir, "hash -r --json t");
    assert_eq!(lines(&json).len(), FILES.len() + 1);
    assert!(good(&dir, "hash -r t/empty").is_empty());
    bad(&dir, "hash -r", 2, &["<FILE>"]);
    bad(&dir, "hash -rc list", 2, &["cannot be used with"]);
    bad(&dir, "hash t", 3, &["t: Is a directory", "-r"]);
    bad(&dir, "hash -r none t", 3, &["none: No such file"]);
}

#[test]
fn links_and_special_files_are_named_and_not_followed() {
    let dir = ready();
    let whole = good(&dir, "hash -r t");
    symlink("b", at(&dir, "t/link")).unwrap();
    symlink("..", at(&dir, "t/loop")).unwrap();
    symlink("nowhere", at(&dir, "t/dangling")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(at(&dir, "t/fifo")).status();
    assert!(fifo.unwrap().success());
    let skipped = ["t/link: a symbolic link: skipped", "t/fifo: a named pipe: skipped"];
    let words = [&skipped[..], &["t/loop", "t/dangling"]].concat();
    assert!(bad(&dir, "hash -r t", 0, &words).out == whole);
    // A link that is named itself is followed.
    symlink("t", at(&dir, "named")).unwrap();
    let named = good(&dir, "hash -r named");
    assert_eq!(named.split(|c| *c == b'\n').count(), FILES.len() + 1);
    // Many of them are counted.
    for i in 0..30 {
        symlink("x", at(&dir, format!("t/many{i}"))).unwrap();
    }
    bad(&dir, "hash -r t", 0, &["14 more skipped"]);
    // The list that is being written is not in itself.
    let script = "cd t && bulat hash -r . >list && bulat hash -c --strict list";
    check(&sh(&dir, script), script, 0, &["./list: the output"]);
}

#[test]
fn files_that_are_in_no_list() {
    let dir = ready();
    let tree = at(&dir, "t");
    put(&dir, "t/list", good(&tree, "hash -r ."));
    let strict = "hash -c --quiet --strict-tree . list";
    assert!(good(&tree, strict).is_empty());
    put(&dir, "t/b/extra", "x");
    put(&dir, "t/extra\n", "x");
    let extra = bad(&tree, strict, 1, &["2 files are NOT in a list"]).out;
    assert_eq!(extra, b"./b/extra: NOT LISTED\n\\./extra\\n: NOT LISTED\n");
    assert!(bad(&tree, &format!("{strict} --status"), 1, &[]).err.is_empty());
    let json = bad(&tree, &format!("{strict} --json"), 1, &[]).out;
    assert!(json.ends_with(b"{\"file\":\"./extra\\n\",\"status\":\"NOT LISTED\"}\n"));
    // Other forms of the names, from other folders; only a part of the tree; a second list.
    let path = tree.to_str().unwrap();
    let whole = format!("hash -c --quiet --strict-tree {path} list");
    assert!(bad(&tree, &whole, 1, &["2 files"]).out.starts_with(path.as_bytes()));
    good(&tree, "hash -c --quiet --strict-tree b/d list");
    bad(&tree, "hash -c --quiet --strict-tree b// ./list", 1, &["1 file is NOT"]);
    put(&dir, "more", good(&tree, &["hash", "b/extra", "extra\n"]));
    good(&tree, "hash -c --quiet --strict-tree . list ../more");
    // A mismatch and a missing file are reported as without the option.
    remove(&dir, "t/a");
    let missing = bad(&tree, strict, 1, &["a: No such file", "2 files"]).out;
    assert!(missing.starts_with(b"./a: FAILED open or read\n"));
    // A list that is not read whole says nothing about other files.
    assert!(bad(&tree, "hash -c --strict-tree . none", 3, &["not compared"]).out.is_empty());
    bad(&tree, "hash -c --quiet --strict-tree none ../more", 3, &["none: No such"]);
    bad(&tree, "hash --strict-tree . list", 2, &["--check"]);
}

// --- Several files

#[test]
fn several_files_and_one_that_fails() {
    let dir = ready();
    for (name, len) in [("x", 0), ("y", 300_000), ("z", 70)] {
        put(&dir, name, text(len));
    }
    put(&dir, "y.bulat", "mine");
    let failed = ["none: No such file", "y.bulat: already exists", "t: Is a directory"];
    let words = [&failed[..], &["2 done", "3 failed"]].concat();
    assert!(bad(&dir, "encrypt -k key x none y t z", 3, &words).out.is_empty());
    assert_eq!(read(&dir, "y.bulat"), b"mine");
    good(&dir, "encrypt -f -j 2 -k key x y z");
    for name in ["x", "y", "z"] {
        remove(&dir, name);
    }
    // A damaged one, one under another key, one with another name.
    let mut bytes = read(&dir, "y.bulat");
    *bytes.last_mut().unwrap() ^= 1;
    put(&dir, "y.bulat", bytes);
    put(&dir, "w", "w");
    good(&dir, "encrypt -k other w");
    remove(&dir, "w");
    let words =
        ["y.bulat: damaged", "key: not a bulat", "w.bulat: wrong key", "2 done", "3 failed"];
    bad(&dir, "decrypt -k key x.bulat y.bulat key w.bulat z.bulat", 5, &words);
    assert!(read(&dir, "x").is_empty() && read(&dir, "z") == text(70));
    let left = names(&dir);
    assert!(!left.iter().any(|n| n == "y" || n == "w" || n.ends_with(".part")), "{left:?}");
    bad(&dir, "encrypt -k key -o out x z", 2, &["-o with several files"]);
    bad(&dir, "encrypt -k key x -", 2, &["standard input among several files"]);
    bad(&dir, "encrypt x z", 2, &["no terminal"]);
}

#[test]
fn a_password_for_several_files() {
    let dir = ready();
    put(&dir, "pw", "correct horse\n");
    put(&dir, "x", "x");
    put(&dir, "y", "x");
    good(&dir, "encrypt -p pw x y");
    good(&dir, "decrypt -f -p pw x.bulat y.bulat");
    assert_eq!(read(&dir, "y"), b"x");
    assert_ne!(read(&dir, "x.bulat"), read(&dir, "y.bulat"), "each has its salt");
}

// --- Mirrors

#[test]
fn a_tree_there_and_back() {
    let dir = ready();
    fs::set_permissions(at(&dir, "t/b"), fs::Permissions::from_mode(0o700)).unwrap();
    symlink("b", at(&dir, "t/link")).unwrap();
    bad(&dir, "encrypt -k key -r t -o sealed", 0, &["t/link: a symbolic link: skipped"]);
    let mut suffixed: Vec<Vec<u8>> =
        FILES.iter().map(|(name, _)| [name, &b".bulat"[..]].concat()).collect();
    suffixed.sort();
    let sealed = contents(&at(&dir, "sealed")).into_iter().map(|file| file.0);
    assert_eq!(sealed.collect::<Vec<_>>(), suffixed);
    assert!(at(&dir, "sealed/empty").is_dir());
    assert_eq!(mode(at(&dir, "sealed/b")), 0o700);
    good(&dir, "decrypt -k key -j 1 -r sealed/ -o back");
    assert!(contents(&at(&dir, "back")) == plain());
    assert!(at(&dir, "back/empty").is_dir());
    // Each container opens without its tree.
    assert!(good(&dir, "decrypt -k key -o - sealed/b/c.bulat") == text(200_000));
}

#[test]
fn a_second_run_does_what_is_left() {
    let dir = ready();
    let again = |more: &str| run(&dir, &format!("encrypt -k key -o s -r t {more}"));
    passed(again(""));
    let before = contents(&at(&dir, "s"));
    let all = format!("0 done, {} finished before, 0 failed", FILES.len());
    assert!(again("").err.contains(&all));
    assert!(contents(&at(&dir, "s")) == before);
    // A file that changed, one that was put in the place of another with its length and an older time, a new one, a
    // container that is gone.
    put(&dir, "t/b0", "changed");
    put(&dir, "same", text(5).iter().map(|c| !c).collect::<Vec<_>>());
    age(&at(&dir, "same"), 1000);
    fs::rename(at(&dir, "same"), at(&dir, "t/b-c")).unwrap();
    put(&dir, "t/new/file", "new");
    remove(&dir, "s/a.bulat");
    let words = format!("4 done, {} finished before", FILES.len() - 3);
    check(&again(""), "again", 0, &[&words]);
    good(&dir, "decrypt -k key -r s -o back");
    let tree = contents(&at(&dir, "t"));
    assert!(contents(&at(&dir, "back")) == tree);
    // Another form is written again, and so is everything with --force.
    let words = format!("{} done, 0", tree.len());
    passed(again("--armor"));
    check(&again("--armor"), "again", 0, &[&format!("0 done, {}", tree.len())]);
    assert!(again("--armor --force").err.is_empty());
    assert!(!again("--force").err.contains(&words));
    // Under another key nothing is replaced, nor is a foreign file.
    put(&dir, "s/a.bulat", "mine");
    let failed = format!("{} failed", tree.len());
    let words = ["s/a.bulat: not a bulat container", "does not open under this key", &failed];
    bad(&dir, "encrypt -k other -r t -o s", 3, &words);
    let words = ["s/a.bulat: not a bulat container: it exists", "1 failed"];
    check(&again(""), "again", 3, &words);
    assert_eq!(read(&dir, "s/a.bulat"), b"mine");
    passed(again("--force"));
    good(&dir, "decrypt -k key -o - s/a.bulat");
}

#[test]
fn decrypting_keeps_what_somebody_wrote() {
    let dir = ready();
    good(&dir, "encrypt -k key -r t -o s");
    let args = "decrypt -k key -r s -o back";
    good(&dir, args);
    let all = format!("0 done, {} finished before", FILES.len());
    bad(&dir, args, 0, &[&all]);
    // Edited, or older than its container; a file that is no container; what a killed run left.
    put(&dir, "back/b0", "edited");
    age(&at(&dir, "back/b/c"), 1000);
    put(&dir, "s/readme", "x");
    put(&dir, "s/.a.bulat.aB3dE6.part", "x");
    put(&dir, "back/b/.c.aB3dE6.part", "text");
    let words = [
        "back/b0: it exists",
        "back/b/c: it exists",
        "s/readme: not named *.bulat",
        "s/.a.bulat.aB3dE6.part: left over from a killed run: skipped",
        "back/b/.c.aB3dE6.part: left over from a killed run, if none is at work: delete it",
        "3 failed",
    ];
    bad(&dir, args, 2, &words);
    assert_eq!(read(&dir, "back/b0"), b"edited");
    remove(&dir, "s/readme");
    good(&dir, &format!("{args} -f"));
    // The plaintext of a killed `decrypt` is not one of the files.
    bad(&dir, "encrypt -k key -r back -o s2", 2, &["c.aB3dE6.part: it has the name of what"]);
    assert_eq!(contents(&at(&dir, "s2")).len(), FILES.len());
    remove(&dir, "back/b/.c.aB3dE6.part");
    assert!(contents(&at(&dir, "back")) == plain());
}

#[test]
fn killed_runs_of_a_tree_are_continued() {
    let dir = ready();
    for i in 0..60 {
        put(&dir, format!("t/many/{i}"), text(50_000 + i));
    }
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut command = command(&dir, "encrypt -k key -r t -o s");
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 * rounds));
        let _ = child.kill(); // SIGKILL
        if child.wait().unwrap().success() {
            break;
        }
        // Each file under a final name is whole.
        if !at(&dir, "s").exists() {
            continue;
        }
        for (name, _) in contents(&at(&dir, "s")) {
            if !name.ends_with(b".part") && rounds % 5 == 1 {
                let path = at(&dir, [b"s/", &name[..]].concat());
                let mut open = self::command(&dir, "decrypt -k key -o -");
                passed(ran(open.arg(path).output().unwrap()));
            }
        }
        assert!(rounds < 1000, "no run ends");
    }
    println!("{rounds} runs");
    good(&dir, "decrypt -k key -r s -o back");
    assert!(contents(&at(&dir, "back")) == contents(&at(&dir, "t")));
}

#[test]
fn folders_that_are_refused() {
    let dir = ready();
    symlink("t", at(&dir, "again")).unwrap();
    for (line, words) in [
        ("-r t -o t/in", "one of the folders is in the other"),
        ("-r t -o t", "one of the folders is in the other"),
        ("-r t/b -o t", "one of the folders is in the other"),
        ("-r t -o again", "one of the folders is in the other"),
        ("-r key -o s", "key: not a folder"),
        ("-r none -o s", "none: No such file"),
        ("-r t -o no/s", "create the folder first"),
        ("-r t -o key", "key"),
        ("-r - -o s", "No such file"),
        ("-r t", "--output"),
        ("-r -o s t t", "--recursive: one folder"),
    ] {
        let ran = run(&dir, &format!("encrypt -k key {line}"));
        let refused = matches!(ran.code, Some(2 | 3)) && ran.err.contains(words);
        assert!(refused, "{line}: {}", ran.err);
    }
    assert!(!names(&dir).contains(&"s".into()));
}
