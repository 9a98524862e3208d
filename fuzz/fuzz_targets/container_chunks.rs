#![no_main]
use bulat_cli::container::{Cipher, Credential, Header, Source, open};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
        let secret = Credential::Key(&[0x42; 32]);
        let made = Header::new(cipher, Source::KeyFile, 12, [7; 32], secret);
        let (_, keys) = made.expect("allowed");
        let mut out = Vec::new();
        assert!(open(&keys, 1, &mut &*data, &mut out, &mut |_| ()).is_err());
        assert!(out.is_empty());
    }
});
