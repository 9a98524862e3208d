#![no_main]

#[path = "../src/control.rs"]
mod control;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    control::message(input);
    control::bytes(input);
    control::work(input);
});
