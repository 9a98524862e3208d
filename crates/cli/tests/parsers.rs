//! The parsers on damaged input: a quick run of the functions that `verification/fuzz/` calls for longer.

#[path = "../../../verification/fuzz/src/armor.rs"]
mod armor;
#[path = "../../../verification/fuzz/src/container.rs"]
mod container;
#[path = "../../../verification/fuzz/src/sums.rs"]
mod sums;

use bulat_cli::sums::{Style, line};
use bulat_container::armor::Encoder;
use bulat_container::{Cipher, Credential, Header, Source, header};
use testkit::Random;

/// Flips, cuts, doubles and inserts bytes, a few times.
fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => bytes.insert(at, b"\\ *()=\r\0zf"[random.below(10)]),
            3 => drop(bytes.remove(at)),
            _ => bytes.extend_from_within(at..),
        }
    }
}

#[test]
fn damaged_headers() {
    let secret = Credential::Key(&[9; 32]);
    let fresh = [3; header::FRESH];
    let (header, _) = Header::new(Cipher::Magma, 12, "", Source::KeyFile, secret, &fresh).unwrap();
    let mut random = Random::new(1);
    let mut allowed = 0;
    for _ in 0..3000 {
        let mut bytes = header.bytes().to_vec();
        damage(&mut random, &mut bytes);
        container::fields(&bytes);
        allowed += usize::from(container::fields(&random.bytes(120)));
    }
    assert!(allowed > 300, "some headers are allowed: {allowed}");
}

#[test]
fn chunks_that_are_moved() {
    let mut random = Random::new(2);
    let whole = (0..3000).filter(|_| container::chunks(&random.bytes(24))).count();
    assert!((100..2900).contains(&whole), "some open and some do not: {whole}");
}

#[test]
fn damaged_armor() {
    let mut random = Random::new(4);
    let mut read = 0;
    for i in 0..50_000 {
        let (mut encoder, mut text) = (Encoder::default(), Vec::new());
        encoder.push(&random.bytes(i % 200), &mut text);
        encoder.finish(&mut text);
        if i % 3 == 0 {
            text = text.split(|c| *c == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
        }
        if i % 50 > 0 {
            damage(&mut random, &mut text);
        }
        read += usize::from(armor::text(&text));
    }
    assert!((1000..40_000).contains(&read), "the damage leaves some texts readable: {read}");
}

#[test]
fn damaged_lists() {
    let mut random = Random::new(3);
    let mut read = 0;
    for i in 0..100_000 {
        let style = [Style::Coreutils, Style::Tag("STREEBOG256")][i % 2];
        let name = [&b"abc"[..], b"a\\b", b"two\nlines", b" (x) = y"][i / 2 % 4];
        let mut text = line(style, &[0x5c; 32], name, true);
        damage(&mut random, &mut text);
        read += usize::from(sums::read(&text));
    }
    assert!(read > 1000, "the damage leaves some lines readable");
}
