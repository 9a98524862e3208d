//! Input from a client of the service: a ciphertext, the JSON of a request, a time, a policy.

use bulatd::keyring;
use bulatd::policy::{Policy, Rules};
use bulatd::transit::json::{self, Fields};

/// Any text is a ciphertext or an error of the client's; a ciphertext is written back unchanged. Returns whether
/// it is one.
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

/// Any body is a request or an error of the client's; its texts are read without a panic. Returns whether it is one.
pub fn body(input: &[u8]) -> bool {
    let mut fields: Fields<'_> = match json::parse(input) {
        Ok(fields) => fields,
        Err(failure) => {
            assert_eq!(failure.status, 400);
            return false;
        }
    };
    let Ok((items, _)) = fields.items(1000) else { return true };
    for item in items {
        for name in ["plaintext", "context", "associated_data", "input"] {
            if let Err(failure) = item.bytes(name) {
                assert_eq!(failure.status, 400);
            }
        }
        let _ = item.version();
    }
    true
}

/// A time is seconds or none.
pub fn time(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = json::seconds(text);
    }
}

/// Any text is a policy or an error that says so. A policy never allows more with `deny` for all beside it, and
/// it allows nothing on a path that it does not name. Returns whether it is one.
pub fn policy(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    match Policy::parse(text) {
        Ok(policy) => {
            let none =
                Policy::parse("path \"*\" { capabilities = [\"deny\"] }").unwrap_or_default();
            let rules = Rules::new(false, [&policy]);
            let both = Rules::new(false, [&policy, &none]);
            for path in ["a", "a/b", "a/b/", "transit/encrypt/a", "", "+", "*"] {
                for (alone, together) in
                    [(rules.on(path), both.on(path)), (rules.on_list(path), both.on_list(path))]
                {
                    assert!(together.names() == ["deny"] || together == alone, "{text:?} {path:?}");
                }
            }
            true
        }
        Err(error) => {
            assert!(error.starts_with("policy: "), "{error}");
            false
        }
    }
}
