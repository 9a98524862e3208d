//! An open volume's key is in the memory of the process once, in the cipher's schedule; there is no copy on the stack.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bulat_block::plain::Plain;
use bulat_block::{Memory, Open};

/// Returns a byte of the key, of which this program has no other copy.
fn key(at: usize) -> u8 {
    (97 * at * at + 31 * at + 5) as u8 ^ 0x5a
}

/// Counts copies of eight bytes of the key in this process's writable memory.
fn found(at: usize) -> usize {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mem = fs::File::open("/proc/self/mem").unwrap();
    let mut count = 0;
    let mut piece = vec![0; 1 << 20];
    let buffer = piece.as_ptr() as u64;
    for line in maps.lines().filter(|line| line.contains(" rw") && !line.contains("[v")) {
        let (begin, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [mut begin, end] = [begin, end].map(|n| u64::from_str_radix(n, 16).unwrap());
        while begin < end {
            let n = piece.len().min((end - begin) as usize);
            let Ok(n) = mem.read_at(&mut piece[..n], begin) else { break };
            count += (0..n.saturating_sub(7))
                // Skips the buffer that it reads memory into.
                .filter(|i| !(buffer..buffer + (1 << 20)).contains(&(begin + *i as u64)))
                .filter(|i| (0..8).all(|j| piece[i + j] == key(at + j)))
                .count();
            // A copy may begin in the last seven bytes.
            begin += if n > 7 && begin + (n as u64) < end { n as u64 - 7 } else { n as u64 };
        }
    }
    count
}

#[test]
fn a_key_stands_once() {
    let secret: Vec<u8> = (0..64).map(key).collect();
    assert!(found(0) > 0, "the control");
    let open = Open::Plain(Plain::default(), secret.into());
    let volume = open.open(Arc::new(Memory::new(vec![0; 1 << 20])), false).unwrap();
    drop(open);
    for at in (0..64).step_by(8) {
        assert!(found(at) <= 1, "{} copies of the key at {at}", found(at));
    }
    drop(volume);
    for at in (0..64).step_by(8) {
        assert_eq!(found(at), 0, "a copy of the key at {at}");
    }
}
