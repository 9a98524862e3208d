//! A removed SA leaves no key in the memory of the program, also while a thread still holds the SA. All of the process's
//! memory is searched, so this test is a program of its own.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bulat_esp::control::client::Client;
use bulat_esp::control::state::Facts;
use bulat_esp::control::{Listener, Server};
use bulat_esp::table::Table;
use testkit::Random;
use zeroize::{Zeroize as _, Zeroizing};

/// The complement of a key: only the program under test has the key itself.
fn complement(seed: u64) -> [u8; 44] {
    Random::new(seed).array()
}

/// Finds places in the process's memory with eight bytes of the key, or with eight digits of its text.
fn found(complements: &[[u8; 44]]) -> Vec<String> {
    let mut all: Vec<[u8; 8]> = Vec::new();
    for key in complements {
        for at in [0, 8, 16, 24, 36] {
            all.push(key[at..at + 8].try_into().unwrap());
            let mut text = String::new();
            for byte in &key[at..at + 4] {
                let _ = write!(text, "{:02x}", !byte);
            }
            all.push(std::array::from_fn(|n| !text.as_bytes()[n]));
            text.zeroize();
        }
    }
    // Most places differ in the first byte.
    let mut first = [false; 256];
    all.iter().for_each(|piece| first[usize::from(!piece[0])] = true);
    let memory = File::open("/proc/self/mem").expect("our own memory");
    let maps = fs::read_to_string("/proc/self/maps").expect("our own mappings");
    let mut buffer = vec![0u8; 1 << 20];
    let ours = buffer.as_ptr() as u64..buffer.as_ptr() as u64 + buffer.len() as u64;
    let mut places = Vec::new();
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (range, name) = line.split_once(' ').expect("a range");
        let (from, to) = range.split_once('-').expect("a range");
        let parse = |text| u64::from_str_radix(text, 16).expect("an address");
        let (mut at, to) = (parse(from), parse(to));
        while at < to {
            let len = (to - at).min(buffer.len() as u64) as usize;
            if memory.read_exact_at(&mut buffer[..len], at).is_ok() {
                for (n, window) in buffer[..len].windows(8).enumerate() {
                    let here = at + n as u64;
                    if !first[usize::from(window[0])] || ours.contains(&here) {
                        continue;
                    }
                    if all.iter().any(|piece| piece.iter().zip(window).all(|(a, b)| *a == !b)) {
                        places.push(format!("{here:x} in {name}"));
                    }
                }
            }
            buffer.fill(0);
            // A piece may lie over the end of the buffer.
            at += if len == buffer.len() { len as u64 - 7 } else { len as u64 };
        }
    }
    places
}

/// No place has the keys.
fn none(complements: &[[u8; 44]], when: &str) {
    let places = found(complements);
    assert!(places.is_empty(), "{when}: {places:#?}");
}

fn main() {
    let path = std::env::temp_dir().join(format!("bulat-esp-wiped-{}", std::process::id()));
    let (table, events) = Table::new();
    let table = Arc::new(table);
    let facts = Facts { tun: "bulat0".into(), queues: 1, ports: vec![4500], raw: true, mark: 0 };
    let listener = Listener::bind(&path).expect("the folder for temporary files can be written");
    let server = Server::new(listener, facts, table.clone(), events).expect("starts");
    let handle = server.handle();
    let thread = std::thread::spawn(move || server.run(Box::new(|_| Ok(()))).expect("runs"));
    let client = Client::connect(&path).expect("connects");
    let keys = [1, 2, 3, 4, 5].map(complement);
    let request = |n: usize, rest: &str| {
        // As long as it becomes, so that it does not move.
        let mut text = Zeroizing::new(String::with_capacity(1024));
        let (direction, a, b) = [("in", 2, 1), ("out", 1, 2)][n % 2];
        let _ = write!(
            text,
            "add\ndirection={direction}\nspi={:#x}\nsource=192.0.2.{a}\ndestination=192.0.2.{b}\ntransform=32\nreqid=1\nkey=",
            256 + n
        );
        for byte in &keys[n] {
            let _ = write!(text, "{:02x}", !byte);
        }
        let _ = write!(text, "{rest}");
        client.ask(text.as_bytes()).expect("an answer")
    };
    none(&keys, "before");
    assert_eq!(request(0, ""), b"ok");
    assert_eq!(request(1, ""), b"ok");
    assert!(request(2, "\nqueue=9").starts_with(b"error"));
    let held = table.view();
    // The roots of two SAs, and nothing of the refused SA.
    assert!(found(&keys).len() >= 2, "the control");
    none(&keys[2..], "a refused key");
    assert!(
        client
            .ask(b"delete\nspi=0x100\ndestination=192.0.2.1")
            .expect("answers")
            .starts_with(b"ok")
    );
    none(&keys[..1], "after delete");
    assert_eq!(client.ask(b"flush").expect("answers"), b"ok");
    none(&keys, "after flush");
    assert_eq!((held.inbound.len(), held.outbound.len()), (1, 1), "a thread holds them");

    // On a busy machine the first SA may end before its key is found.
    assert!(["3", "30"].into_iter().any(|life| {
        assert_eq!(client.ask(b"flush").expect("answers"), b"ok");
        assert_eq!(request(3, &format!("\nhard-seconds={life}")), b"ok");
        !found(&keys).is_empty()
    }));
    let begun = Instant::now();
    while !found(&keys).is_empty() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(500));
    }
    none(&keys, "after a hard limit");
    assert_eq!(request(4, ""), b"ok");
    handle.stop();
    thread.join().expect("no panic");
    none(&keys, "after the end");
    fs::remove_file(&path).expect("it exists");
    println!("no key in memory");
}
