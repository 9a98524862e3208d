//! Input from a client of the service: a ciphertext, the JSON of a request, a time, a policy; and from its operator: a root
//! key, a backup of the database.

use bulatd::http::forms::ENCRYPT;
use bulatd::policy::{Policy, Rules};
use bulatd::root::RootKey;
use bulatd::{backup, fields, keyring};

/// Any text is a ciphertext or an error of the client's; a ciphertext is written back unchanged. Returns whether
/// it is a ciphertext.
pub fn ciphertext(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    match keyring::read(text) {
        Ok((version, bytes)) => {
            assert_eq!(keyring::write(version, &bytes), text);
            true
        }
        Err(failure) => {
            assert_eq!(failure.status, 400);
            false
        }
    }
}

/// Any body is a request or an error of the client's; its texts are read without a panic. Returns whether it is a
/// request.
pub fn body(input: &[u8]) -> bool {
    let fields = match fields::read(input, &ENCRYPT, &[]) {
        Ok(fields) => fields,
        Err(failure) => {
            assert_eq!(failure.status, 400);
            return false;
        }
    };
    let Ok((items, _)) = fields.items(1000) else { return true };
    for item in items {
        for name in ["plaintext", "context", "associated_data"] {
            if let Err(failure) = item.bytes(name) {
                assert_eq!(failure.status, 400);
            }
        }
        let _ = item.version();
    }
    true
}

/// A time is seconds or no time.
pub fn time(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = fields::seconds(text);
    }
}

/// Any text is a policy or a sentence that says why it is no policy. A policy allows nothing on a path that it cannot
/// name, and joined with itself it allows the same. Returns whether it is a policy.
pub fn policy(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    match Policy::parse(text) {
        Ok(policy) => {
            let (once, twice) =
                (Rules::new(false, [&policy]), Rules::new(false, [&policy, &policy]));
            assert_eq!(once, twice);
            for path in ["transit/encrypt/a", "transit/keys/", "a//b", "/", ""] {
                assert_eq!(once.on(path), twice.on(path));
                let _ = (once.on_list(path), once.on_any(path));
            }
            true
        }
        Err(said) => {
            assert!(said.starts_with("policy: "), "{said}");
            false
        }
    }
}

/// Any bytes are a root key or no root key: 32 bytes, or digits. Returns whether they are a root key.
pub fn root_key(input: &[u8]) -> bool {
    let read = RootKey::parse(input).is_some();
    assert!(!read || matches!(input.len(), 32 | 64..=66));
    read
}

/// Any bytes are refused as a backup before the database is touched: they have no code under the root key.
pub fn backup(input: &[u8]) {
    let key = RootKey::parse(&[1; 32]).expect("32 bytes");
    assert!(backup::read(input, &key).is_err());
}
