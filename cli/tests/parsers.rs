//! The parsers on damaged input: a quick run of what `fuzz/` does for longer.

use bulat_cli::container::{Cipher, Credential, Header, Source};
use bulat_cli::sums::{Style, line, parse};

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// Flips, cuts, doubles and puts in, a few times.
fn damage(random: &mut Random, octets: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        if octets.is_empty() {
            return;
        }
        let at = random.below(octets.len());
        match random.below(5) {
            0 => octets[at] ^= 1 << random.below(8),
            1 => octets.truncate(at),
            2 => octets.insert(at, b"\\ *()=\r\0zf"[random.below(10)]),
            3 => drop(octets.remove(at)),
            _ => octets.extend_from_within(at..),
        }
    }
}

#[test]
fn damaged_headers() {
    let secret = Credential::Key(&[9; 32]);
    let (header, _) = Header::new(Cipher::Magma, Source::KeyFile, 12, [3; 32], secret).unwrap();
    let mut random = Random(1);
    let mut read = 0;
    for _ in 0..100_000 {
        let mut octets = header.bytes().to_vec();
        damage(&mut random, &mut octets);
        if let Ok(header) = Header::parse(&octets) {
            assert_eq!(header.bytes(), octets[..112]);
            read += 1;
        }
    }
    assert!(read > 1000, "the damage leaves some headers readable");
}

#[test]
fn damaged_lists() {
    let mut random = Random(2);
    let mut read = 0;
    for i in 0..100_000 {
        let style = [Style::Coreutils, Style::Tag("STREEBOG256")][i % 2];
        let name = [&b"abc"[..], b"a\\b", b"two\nlines", b" (x) = y"][i / 2 % 4];
        let mut text = line(style, &[0x5c; 32], name, true);
        damage(&mut random, &mut text);
        if let Some(entry) = parse(&text) {
            read += 1;
            let style = entry.algorithm.map_or(Style::Coreutils, Style::Tag);
            let printed = line(style, &entry.digest, &entry.name, true);
            let again = parse(&printed).expect("what is printed is read");
            assert_eq!((&again.digest, &again.name), (&entry.digest, &entry.name));
        }
    }
    assert!(read > 1000, "the damage leaves some lines readable");
}
