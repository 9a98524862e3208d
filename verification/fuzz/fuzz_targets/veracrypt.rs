#![no_main]
#[path = "../src/volumes.rs"]
mod volumes;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    volumes::veracrypt(input);
});
