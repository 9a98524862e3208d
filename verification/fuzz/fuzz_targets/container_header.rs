#![no_main]
#[path = "../src/container.rs"]
mod container;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    container::fields(input);
});
