#![no_main]
#[path = "../src/changes.rs"]
mod changes;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    changes::luks2(input);
});
