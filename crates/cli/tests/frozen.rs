//! Files that 0.1.0 wrote, in `crates/cli/tests/format-1`: every later version opens them.

mod bin;

use std::fs;
use std::path::Path;

use bin::*;

/// Each file, and the option that opens it.
const FILES: &[(&str, &str)] = &[
    ("key-kuznyechik.bulat", "-k key"),
    ("key-kuznyechik.bulat", "-k key-password.txt --key-password-file password"),
    ("key-magma.bulat", "-k key"),
    ("key-empty.bulat", "-k key"),
    ("bound-name.bulat", "-k key"),
    ("armor.txt", "-k key"),
    ("pbkdf2-kuznyechik.bulat", "-p password"),
    ("argon2id-magma.bulat", "-p password"),
    ("slots.bulat", "-p password"),
];

fn place() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format-1"))
}

#[test]
fn files_of_version_1_are_as_they_were() {
    good(place(), "hash --check SUMS");
    let listed = fs::read_to_string(place().join("SUMS")).unwrap();
    let names = FILES.iter().map(|(name, _)| *name);
    for name in names.chain(["text", "key-password.txt"]) {
        assert!(listed.contains(&format!("  {name}\n")), "{name} is not in SUMS");
    }
}

#[test]
fn files_of_version_1_open() {
    let text = fs::read(place().join("text")).unwrap();
    for (name, option) in FILES {
        let out = good(place(), &format!("decrypt {option} -o - {name}"));
        let expected = if *name == "key-empty.bulat" { &[][..] } else { &text };
        assert!(out == expected, "{name}");
    }
}
