#![no_main]
use bulat_cli::container::{Credential, Header};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(header) = Header::parse(data) {
        assert_eq!(header.bytes(), data[..112]);
        // Few iterations, so that the fuzzer runs on.
        assert!(header.unlock(Credential::Key(&[0x42; 32]), 2).is_err());
        assert!(header.unlock(Credential::Password(b"fuzz"), 2).is_err());
    }
});
