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

fn at(dir: &TempDir, name: &[u8]) -> PathBuf {
    dir.path().join(OsStr::from_bytes(name))
}

/// Creates a folder with keys and the tree `t`, in which no file changed a moment ago.
fn ready() -> TempDir {
    let dir = folder();
    good(&dir, &["key", "new", "-o", "key"]);
    good(&dir, &["key", "new", "-o", "other"]);
    for (name, len) in FILES {
        put(&dir, &[b"t/", name].concat(), &text(len));
    }
    fs::create_dir(dir.path().join("t/empty")).unwrap();
    dir
}

fn put(dir: &TempDir, name: &[u8], bytes: &[u8]) {
    let path = at(dir, name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
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
    let whole = good(&dir, &["hash", "-r", "t"]);
    let mut one_by_one = bulat(&dir);
    one_by_one.arg("hash");
    one_by_one.args(FILES.iter().map(|(name, _)| at(&dir, &[b"t/", *name].concat())));
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
    for args in [&["hash", "-r", "t/"][..], &["hash", "-j", "1", "-r", "t"], &["hash", "-rj3", "t"]]
    {
        assert!(good(&dir, args) == whole, "{args:?}");
    }
    // The order is that of the bytes, for names with `/` too.
    let sorted = good(&dir, &["hash", "-rz", "t"]);
    let names: Vec<&[u8]> = sorted.split(|c| *c == 0).filter_map(|l| l.get(66..)).collect();
    assert!(names.is_sorted() && names.len() == FILES.len());
    // Several folders and files, in the order of the command line; from inside; each list is checked.
    let both = good(&dir, &["hash", "-r", "t/b0", "t", "t/a"]);
    assert_eq!(lines(&both).len(), FILES.len() + 3);
    let inside = good(dir.path().join("t"), &["hash", "-r", "."]);
    assert!(lines(&inside)[0].ends_with(b"  ./ space"));
    for (place, list) in [("", &whole), ("", &both), ("t", &inside)] {
        put(&dir, b"list", list);
        let list = dir.path().join("list");
        good(dir.path().join(place), &["hash", "-c", "--strict", list.to_str().unwrap()]);
    }
    let json = good(&dir, &["hash", "-r", "--json", "t"]);
    assert_eq!(lines(&json).len(), FILES.len() + 1);
    assert!(good(&dir, &["hash", "-r", "t/empty"]).is_empty());
    bad(&dir, &["hash", "-r"], 2, &["<FILE>"]);
    bad(&dir, &["hash", "-rc", "list"], 2, &["cannot be used with"]);
    bad(&dir, &["hash", "t"], 3, &["t: Is a directory", "-r"]);
    bad(&dir, &["hash", "-r", "none", "t"], 3, &["none: No such file"]);
}

#[test]
fn links_and_special_files_are_named_and_not_followed() {
    let dir = ready();
    let whole = good(&dir, &["hash", "-r", "t"]);
    symlink("b", at(&dir, b"t/link")).unwrap();
    symlink("..", at(&dir, b"t/loop")).unwrap();
    symlink("nowhere", at(&dir, b"t/dangling")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(at(&dir, b"t/fifo")).status();
    assert!(fifo.unwrap().success());
    let ran_ = run(&dir, &["hash", "-r", "t"]);
    assert_eq!(ran_.code, Some(0));
    assert!(ran_.out == whole);
    for words in [
        "t/link: a symbolic link: skipped",
        "t/fifo: a named pipe: skipped",
        "t/loop",
        "t/dangling",
    ] {
        assert!(ran_.err.contains(words), "{words}: {}", ran_.err);
    }
    // A link that is named itself is followed.
    symlink("t", dir.path().join("named")).unwrap();
    let named = good(&dir, &["hash", "-r", "named"]);
    assert_eq!(named.split(|c| *c == b'\n').count(), FILES.len() + 1);
    // Many of them are counted.
    for i in 0..30 {
        symlink("x", dir.path().join(format!("t/many{i}"))).unwrap();
    }
    let ran_ = run(&dir, &["hash", "-r", "t"]);
    assert!(ran_.err.contains("14 more skipped"), "{}", ran_.err);
    // The list that is being written is not in itself.
    let script = format!("cd t && {BULAT} hash -r . >list && {BULAT} hash -c --strict list");
    let ran_ = ran(program("sh", &dir).args(["-c", &script]).output().unwrap());
    assert!(ran_.code == Some(0) && ran_.err.contains("./list: the output"), "{}", ran_.err);
}

#[test]
fn files_that_are_in_no_list() {
    let dir = ready();
    let tree = dir.path().join("t");
    fs::write(tree.join("list"), good(&tree, &["hash", "-r", "."])).unwrap();
    let strict = ["hash", "-c", "--quiet", "--strict-tree", ".", "list"];
    assert!(good(&tree, &strict).is_empty());
    put(&dir, b"t/b/extra", b"x");
    put(&dir, b"t/extra\n", b"x");
    let ran_ = bad(&tree, &strict, 1, &["2 files are NOT in a list"]);
    assert_eq!(ran_.out, b"./b/extra: NOT LISTED\n\\./extra\\n: NOT LISTED\n");
    assert!(bad(&tree, &[&strict[..], &["--status"]].concat(), 1, &[]).err.is_empty());
    let json = bad(&tree, &[&strict[..], &["--json"]].concat(), 1, &[]);
    assert!(json.out.ends_with(b"{\"file\":\"./extra\\n\",\"status\":\"NOT LISTED\"}\n"));
    // Other forms of the names, from other folders; only a part of the tree; a second list.
    let path = tree.to_str().unwrap();
    let ran_ =
        bad(&tree, &["hash", "-c", "--quiet", "--strict-tree", path, "list"], 1, &["2 files"]);
    assert!(ran_.out.starts_with(path.as_bytes()));
    good(&tree, &["hash", "-c", "--quiet", "--strict-tree", "b/d", "list"]);
    bad(&tree, &["hash", "-c", "--quiet", "--strict-tree", "b//", "./list"], 1, &["1 file is NOT"]);
    let more = good(&tree, &["hash", "b/extra", "extra\n"]);
    fs::write(dir.path().join("more"), more).unwrap();
    good(&tree, &["hash", "-c", "--quiet", "--strict-tree", ".", "list", "../more"]);
    // A mismatch and a missing file are reported as without the option.
    fs::remove_file(tree.join("a")).unwrap();
    let ran_ = bad(&tree, &strict, 1, &["a: No such file", "2 files"]);
    assert!(ran_.out.starts_with(b"./a: FAILED open or read\n"));
    // A list that is not read whole says nothing about other files.
    let ran_ = bad(&tree, &["hash", "-c", "--strict-tree", ".", "none"], 3, &["not compared"]);
    assert!(ran_.out.is_empty());
    bad(
        &tree,
        &["hash", "-c", "--quiet", "--strict-tree", "none", "../more"],
        3,
        &["none: No such"],
    );
    bad(&tree, &["hash", "--strict-tree", ".", "list"], 2, &["--check"]);
}

// --- Several files

#[test]
fn several_files_and_one_that_fails() {
    let dir = ready();
    for (name, len) in [("x", 0), ("y", 300_000), ("z", 70)] {
        put(&dir, name.as_bytes(), &text(len));
    }
    fs::write(dir.path().join("y.bulat"), "mine").unwrap();
    let ran_ = bad(
        &dir,
        &["encrypt", "-k", "key", "x", "none", "y", "t", "z"],
        3,
        &[
            "none: No such file",
            "y.bulat: already exists",
            "t: Is a directory",
            "2 done",
            "3 failed",
        ],
    );
    assert!(ran_.out.is_empty());
    assert_eq!(fs::read(dir.path().join("y.bulat")).unwrap(), b"mine");
    good(&dir, &["encrypt", "-f", "-j", "2", "-k", "key", "x", "y", "z"]);
    for name in ["x", "y", "z"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    // A damaged one, one under another key, one with another name.
    let mut bytes = fs::read(dir.path().join("y.bulat")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(dir.path().join("y.bulat"), bytes).unwrap();
    put(&dir, b"w", b"w");
    good(&dir, &["encrypt", "-k", "other", "w"]);
    fs::remove_file(dir.path().join("w")).unwrap();
    bad(
        &dir,
        &["decrypt", "-k", "key", "x.bulat", "y.bulat", "key", "w.bulat", "z.bulat"],
        5,
        &["y.bulat: damaged", "key: not a bulat", "w.bulat: wrong key", "2 done", "3 failed"],
    );
    assert!(fs::read(dir.path().join("x")).unwrap().is_empty());
    assert!(fs::read(dir.path().join("z")).unwrap() == text(70));
    let left = names(&dir);
    assert!(!left.iter().any(|n| n == "y" || n == "w" || n.ends_with(".part")), "{left:?}");
    let args = ["encrypt", "-k", "key", "-o", "out", "x", "z"];
    bad(&dir, &args, 2, &["-o with several files"]);
    bad(&dir, &["encrypt", "-k", "key", "x", "-"], 2, &["standard input among several files"]);
    bad(&dir, &["encrypt", "x", "z"], 2, &["no terminal"]);
}

#[test]
fn a_password_for_several_files() {
    let dir = ready();
    fs::write(dir.path().join("pw"), "correct horse\n").unwrap();
    put(&dir, b"x", b"x");
    put(&dir, b"y", b"x");
    good(&dir, &["encrypt", "-p", "pw", "x", "y"]);
    good(&dir, &["decrypt", "-f", "-p", "pw", "x.bulat", "y.bulat"]);
    assert_eq!(fs::read(dir.path().join("y")).unwrap(), b"x");
    let (x, y) = (fs::read(dir.path().join("x.bulat")), fs::read(dir.path().join("y.bulat")));
    assert_ne!(x.unwrap(), y.unwrap(), "salts of their own");
}

// --- Mirrors

#[test]
fn a_tree_there_and_back() {
    let dir = ready();
    fs::set_permissions(dir.path().join("t/b"), fs::Permissions::from_mode(0o700)).unwrap();
    symlink("b", at(&dir, b"t/link")).unwrap();
    let ran_ = run(&dir, &["encrypt", "-k", "key", "-r", "t", "-o", "sealed"]);
    assert_eq!(ran_.code, Some(0), "{}", ran_.err);
    assert!(ran_.err.contains("t/link: a symbolic link: skipped"), "{}", ran_.err);
    let sealed: Vec<Vec<u8>> =
        contents(&dir.path().join("sealed")).into_iter().map(|f| f.0).collect();
    let suffixed: Vec<Vec<u8>> =
        FILES.iter().map(|(name, _)| [name, &b".bulat"[..]].concat()).collect();
    assert_eq!(sealed, {
        let mut s = suffixed;
        s.sort();
        s
    });
    assert!(dir.path().join("sealed/empty").is_dir());
    let mode = fs::metadata(dir.path().join("sealed/b")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    good(&dir, &["decrypt", "-k", "key", "-j", "1", "-r", "sealed/", "-o", "back"]);
    assert!(contents(&dir.path().join("back")) == plain());
    assert!(dir.path().join("back/empty").is_dir());
    // Each container opens without its tree.
    assert!(good(&dir, &["decrypt", "-k", "key", "-o", "-", "sealed/b/c.bulat"]) == text(200_000));
}

#[test]
fn a_second_run_does_what_is_left() {
    let dir = ready();
    let run_ = |args: &[&str]| {
        run(&dir, &[&["encrypt", "-k", "key", "-o", "s", "-r", "t"], args].concat())
    };
    assert_eq!(run_(&[]).code, Some(0));
    let before = contents(&dir.path().join("s"));
    let all = format!("0 done, {} finished before, 0 failed", FILES.len());
    assert!(run_(&[]).err.contains(&all));
    assert!(contents(&dir.path().join("s")) == before);
    // A file that changed, one that was put in the place of another with its length and an older time, a new one, a
    // container that is gone.
    put(&dir, b"t/b0", b"changed");
    put(&dir, b"same", &text(5).iter().map(|c| !c).collect::<Vec<_>>());
    age(&dir.path().join("same"), 1000);
    fs::rename(dir.path().join("same"), dir.path().join("t/b-c")).unwrap();
    put(&dir, b"t/new/file", b"new");
    fs::remove_file(dir.path().join("s/a.bulat")).unwrap();
    let ran_ = run_(&[]);
    let words = format!("4 done, {} finished before", FILES.len() - 3);
    assert!(ran_.code == Some(0) && ran_.err.contains(&words), "{}", ran_.err);
    good(&dir, &["decrypt", "-k", "key", "-r", "s", "-o", "back"]);
    let tree = contents(&dir.path().join("t"));
    assert!(contents(&dir.path().join("back")) == tree);
    // Another form is written again, and so is everything with --force.
    let words = format!("{} done, 0", tree.len());
    assert!(run_(&["--armor"]).code == Some(0));
    assert!(run_(&["--armor"]).err.contains(&format!("0 done, {}", tree.len())));
    assert!(run_(&["--armor", "--force"]).err.is_empty());
    assert!(!run_(&["--force"]).err.contains(&words));
    // Under another key nothing is replaced, nor is a foreign file.
    fs::write(dir.path().join("s/a.bulat"), "mine").unwrap();
    let args = ["encrypt", "-k", "other", "-r", "t", "-o", "s"];
    let failed = format!("{} failed", tree.len());
    bad(
        &dir,
        &args,
        3,
        &["s/a.bulat: not a bulat container", "does not open under this key", &failed],
    );
    let ran_ = run_(&[]);
    check(&ran_, &[], 3, &["s/a.bulat: not a bulat container: it exists", "1 failed"]);
    assert_eq!(fs::read(dir.path().join("s/a.bulat")).unwrap(), b"mine");
    assert_eq!(run_(&["--force"]).code, Some(0));
    good(&dir, &["decrypt", "-k", "key", "-o", "-", "s/a.bulat"]);
}

#[test]
fn decrypting_keeps_what_somebody_wrote() {
    let dir = ready();
    good(&dir, &["encrypt", "-k", "key", "-r", "t", "-o", "s"]);
    let args = ["decrypt", "-k", "key", "-r", "s", "-o", "back"];
    good(&dir, &args);
    let all = format!("0 done, {} finished before", FILES.len());
    let ran_ = run(&dir, &args);
    assert!(ran_.code == Some(0) && ran_.err.contains(&all), "{}", ran_.err);
    // Edited, or older than its container; a file that is no container; what a killed run left.
    fs::write(dir.path().join("back/b0"), "edited").unwrap();
    age(&dir.path().join("back/b/c"), 1000);
    fs::write(dir.path().join("s/readme"), "x").unwrap();
    fs::write(dir.path().join("s/.a.bulat.aB3dE6.part"), "x").unwrap();
    fs::write(dir.path().join("back/b/.c.aB3dE6.part"), "text").unwrap();
    let words = [
        "back/b0: it exists",
        "back/b/c: it exists",
        "s/readme: not named *.bulat",
        "s/.a.bulat.aB3dE6.part: left over from a killed run: skipped",
        "back/b/.c.aB3dE6.part: left over from a killed run, if none is at work: delete it",
        "3 failed",
    ];
    bad(&dir, &args, 2, &words);
    assert_eq!(fs::read(dir.path().join("back/b0")).unwrap(), b"edited");
    fs::remove_file(dir.path().join("s/readme")).unwrap();
    assert_eq!(run(&dir, &[&args[..], &["-f"]].concat()).code, Some(0));
    // The plaintext of a killed `decrypt` is not one of the files.
    let again = run(&dir, &["encrypt", "-k", "key", "-r", "back", "-o", "s2"]);
    assert!(
        again.code == Some(2) && again.err.contains("c.aB3dE6.part: it has the name of what"),
        "{}",
        again.err
    );
    assert_eq!(contents(&dir.path().join("s2")).len(), FILES.len());
    fs::remove_file(dir.path().join("back/b/.c.aB3dE6.part")).unwrap();
    assert!(contents(&dir.path().join("back")) == plain());
}

#[test]
fn killed_runs_of_a_tree_are_continued() {
    let dir = ready();
    for i in 0..60 {
        put(&dir, format!("t/many/{i}").as_bytes(), &text(50_000 + i));
    }
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut child = bulat(&dir)
            .args(["encrypt", "-k", "key", "-r", "t", "-o", "s"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 * rounds));
        let _ = child.kill(); // SIGKILL
        if child.wait().unwrap().success() {
            break;
        }
        // Each file under a final name is whole.
        if !dir.path().join("s").exists() {
            continue;
        }
        for (name, _) in contents(&dir.path().join("s")) {
            if !name.ends_with(b".part") && rounds % 5 == 1 {
                let path = at(&dir, &[b"s/", &name[..]].concat());
                let ran_ = ran(bulat(&dir)
                    .args(["decrypt", "-k", "key", "-o", "-"])
                    .arg(path)
                    .output()
                    .unwrap());
                assert_eq!(ran_.code, Some(0), "{}", ran_.err);
            }
        }
        assert!(rounds < 1000, "no run ends");
    }
    println!("{rounds} runs");
    let ran_ = run(&dir, &["decrypt", "-k", "key", "-r", "s", "-o", "back"]);
    assert_eq!(ran_.code, Some(0), "{}", ran_.err);
    assert!(contents(&dir.path().join("back")) == contents(&dir.path().join("t")));
}

#[test]
fn folders_that_are_refused() {
    let dir = ready();
    for (args, words) in [
        (["-r", "t", "-o", "t/in"], "one of the folders is in the other"),
        (["-r", "t", "-o", "t"], "one of the folders is in the other"),
        (["-r", "t/b", "-o", "t"], "one of the folders is in the other"),
        (["-r", "key", "-o", "s"], "key: not a folder"),
        (["-r", "none", "-o", "s"], "none: No such file"),
        (["-r", "t", "-o", "no/s"], "create the folder first"),
        (["-r", "t", "-o", "key"], "key"),
        (["-r", "-", "-o", "s"], "No such file"),
    ] {
        let ran_ = run(&dir, &[&["encrypt", "-k", "key"], &args[..]].concat());
        assert!(
            matches!(ran_.code, Some(2 | 3)) && ran_.err.contains(words),
            "{args:?}: {}",
            ran_.err
        );
    }
    symlink("t", dir.path().join("again")).unwrap();
    bad(&dir, &["encrypt", "-k", "key", "-r", "t", "-o", "again"], 2, &["one of the folders"]);
    bad(&dir, &["encrypt", "-k", "key", "-r", "t"], 2, &["--output"]);
    bad(
        &dir,
        &["encrypt", "-k", "key", "-r", "-o", "s", "t", "t"],
        2,
        &["--recursive: one folder"],
    );
    assert!(!names(&dir).contains(&"s".into()));
}
