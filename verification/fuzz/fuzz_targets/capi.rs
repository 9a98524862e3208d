#![no_main]
#[path = "../src/capi.rs"]
mod capi;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    capi::calls(input);
});
