//! Faults that the store survives: a killed process, a database that goes and comes back, a full disk.

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bulatd::root::Root;
use bulatd::store::{StoreError, Wrapped};
use common::{Cluster, MANY, draw, key, open, root, some, sqlite};

#[test]
fn killed_over_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    killed(&sqlite(folder.path()));
}

#[test]
fn killed_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    killed(&cluster.database("killed"));
}

/// A process that rotates keys and the root key is killed many times: every change that it acknowledged is there and opens.
fn killed(url: &str) {
    let store = open(url);
    let (mut said, mut roots) = (0u32, 0u32);
    let kills = std::env::var("BULATD_KILLS").map_or(25, |n| n.parse().expect("a number"));
    // A slow machine needs more rounds, and longer ones, until something was written.
    for round in 0.. {
        if round >= kills && (said > 1 && roots > 1 || round >= 10 * kills) {
            break;
        }
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["child_writes", "--exact", "--nocapture", "--ignored"])
            .env("BULATD_TEST_URL", url)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let reader = std::thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>());
        std::thread::sleep(Duration::from_millis((100 + round * 37 % 500) * (1 + round / kills)));
        child.kill().expect("a kill");
        child.wait().expect("its end");
        for line in reader.join().expect("its lines") {
            // The test's own frame may come before the first word.
            let words: Vec<_> = line.split(' ').rev().take(2).collect();
            match words[..] {
                [n, "version"] => said = n.parse().unwrap_or(said),
                [n, "root"] => roots = n.parse().unwrap_or(roots),
                _ => {}
            }
        }
        let number = store.root().expect("a number");
        assert!(number >= roots, "the root key's rotation was acknowledged and is lost");
        let there = Root::default();
        there.unseal(&store, &root(number as u8)).expect("the root key of that number");
        for name in store.list("", u64::MAX).expect("names") {
            let key = store.key(&name).expect("an answer").expect("a key");
            assert!(key.latest >= said, "a version was acknowledged and is lost");
            for version in key.versions {
                let secret = there.unwrap(&name, &key.kind, version.version, &version.wrapped);
                assert_eq!(secret.expect("it opens")[..4], version.version.to_be_bytes());
            }
        }
    }
    eprintln!("killed at least {kills} times: version {said}, root key {roots}");
    assert!(said > 1 && roots > 1, "nothing was written: version {said}, root key {roots}");
}

/// The process for [`killed`]. The root key of number n is n, 32 times.
#[test]
#[ignore = "a part of `killed`"]
fn child_writes() {
    let Ok(url) = std::env::var("BULATD_TEST_URL") else { return };
    let (store, there) = (open(&url), Root::default());
    loop {
        let number = store.root().expect("a number") as u8;
        there.unseal(&store, &root(number)).expect("the root key");
        let wrap = |version: u32| {
            let secret = [version.to_be_bytes(); 8].concat();
            there.wrap("a", "kuznyechik-mgm", version, &secret).expect("a wrap")
        };
        let latest = match store.key("a").expect("an answer") {
            Some(key) => {
                store.rotate("a", key.latest, &wrap(key.latest + 1), 1).expect("a version").latest
            }
            None => store.create(&key("a", wrap(1))).expect("a key").latest,
        };
        println!("\nversion {latest}");
        if latest % 4 == 0 && number < 250 {
            let new = Root::rotate(&store, &root(number), &root(number + 1)).expect("a root key");
            println!("\nroot {new}");
        }
    }
}

/// The server is stopped and started: errors are clear, and afterwards all works again.
#[test]
fn postgresql_goes_and_comes() {
    let Some(cluster) = Cluster::start() else { return };
    let url = cluster.database("gone");
    let store = open(&url);
    store.create(&key("a", some(1))).expect("a key");
    // Several idle connections, which all break.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                (0..20).for_each(|_| {
                    draw(&store, "a", 1, 1, 1, MANY).expect("numbers");
                })
            });
        }
    });
    for round in 0..3 {
        cluster.down();
        let from = Instant::now();
        for _ in 0..3 {
            let Err(StoreError::Unavailable(why)) = store.rotate("a", 1, &some(1), 1) else {
                panic!("rotated")
            };
            assert!(!why.is_empty());
            assert!(matches!(draw(&store, "a", 1, 1, 1, MANY), Err(StoreError::Unavailable(_))));
            assert!(store.root().is_err());
        }
        assert!(from.elapsed() < Duration::from_secs(60), "errors come at once");
        cluster.up();
        assert_eq!(store.root(), Ok(1));
        let key = store.key("a").expect("an answer").expect("a key");
        assert_eq!(key.latest, 1);
        let got = draw(&store, "a", 1, 1, 1, MANY).expect("numbers");
        assert_eq!(
            got.first,
            80 + round,
            "what was acknowledged is there, and no number comes twice"
        );
    }
    // Stopped and started between requests: the store finds the broken connections and replaces them.
    cluster.down();
    cluster.up();
    assert_eq!(store.rotate("a", 1, &some(1), 1).map(|key| key.latest), Ok(2));
}

/// A file that may not grow: the write fails with a clear error, acknowledged changes stay, and with room again all
/// works.
#[test]
fn sqlite_without_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = sqlite(folder.path());
    open(&url);
    let this = std::env::current_exe().expect("this program");
    let out = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""])
        .arg(this)
        .args(["child_fills", "--exact", "--nocapture", "--ignored"])
        .env("BULATD_TEST_URL", &url)
        .output()
        .expect("a child");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let made = text.lines().filter(|line| line.starts_with("made")).count();
    assert!(made > 10, "{text}");
    let store = open(&url);
    assert_eq!(store.list("", u64::MAX).map(|names| names.len()), Ok(made));
    store.create(&key("more", some(1))).expect("a key, with room");
}

/// The process without room.
#[test]
#[ignore = "a part of `sqlite_without_room`"]
fn child_fills() {
    let Ok(url) = std::env::var("BULATD_TEST_URL") else { return };
    let store = open(&url);
    let big = Wrapped { root: 1, bytes: vec![9; 20_000] };
    for i in 0..1000 {
        match store.create(&key(&format!("k{i}"), big.clone())) {
            Ok(_) => println!("\nmade {i}"),
            Err(StoreError::Full | StoreError::Unavailable(_)) => {
                // Reads still work, and writes still fail.
                assert_eq!(store.list("", u64::MAX).map(|names| names.len()), Ok(i));
                assert!(store.create(&key("again", big.clone())).is_err());
                println!("\nrefused");
                return;
            }
            Err(e) => panic!("{e}"),
        }
    }
    panic!("there was room for all");
}
