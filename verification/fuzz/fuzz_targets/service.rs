#![no_main]
#[path = "../src/service.rs"]
mod service;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    service::ciphertext(input);
    service::body(input);
    service::time(input);
    service::policy(input);
    service::root_key(input);
    service::backup(input);
});
