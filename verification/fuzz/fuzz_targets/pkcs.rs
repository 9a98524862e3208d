#![no_main]
#[path = "../src/pkcs.rs"]
mod pkcs;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    pkcs::read(input);
});
