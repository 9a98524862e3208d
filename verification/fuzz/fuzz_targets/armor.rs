#![no_main]
#[path = "../src/armor.rs"]
mod armor;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    armor::text(input);
});
