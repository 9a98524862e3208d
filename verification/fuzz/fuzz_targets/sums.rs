#![no_main]
#[path = "../src/sums.rs"]
mod sums;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    sums::read(input);
});
