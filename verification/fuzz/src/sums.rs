//! A line of a list of checksums.

use bulat_cli::sums::{Style, line, parse};

/// Any line is an entry or no entry; a printed entry is read back. Returns whether it is an entry.
pub fn read(input: &[u8]) -> bool {
    let text = input.split(|c| *c == b'\n').next().unwrap_or_default();
    let Some(entry) = parse(text) else { return false };
    let style = entry.algorithm.map_or(Style::Coreutils, Style::Tag);
    let printed = line(style, &entry.digest, &entry.name, true);
    let again = parse(&printed).expect("what is printed is read");
    assert_eq!((&again.digest, &again.name), (&entry.digest, &entry.name));
    assert_eq!(again.algorithm, entry.algorithm);
    true
}
