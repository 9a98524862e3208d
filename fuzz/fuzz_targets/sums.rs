#![no_main]
use bulat_cli::sums::{Style, line, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = data.split(|c| *c == b'\n').next().unwrap_or_default();
    let Some(entry) = parse(text) else { return };
    let style = entry.algorithm.map_or(Style::Coreutils, Style::Tag);
    let printed = line(style, &entry.digest, &entry.name, true);
    let again = parse(&printed).expect("what is printed is read");
    assert_eq!((&again.digest, &again.name), (&entry.digest, &entry.name));
    assert_eq!(again.algorithm, entry.algorithm);
});
