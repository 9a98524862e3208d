//! Refusals, in the form that clients of Vault read: a status and `{"errors": [..]}`.

use serde_json::json;

/// A refused request. Its text holds nothing of a key, a token or a text.
#[derive(Debug, PartialEq)]
pub struct Failure {
    /// The status code.
    pub status: u16,
    /// Sentences for the client; none where a thing is simply not there.
    pub errors: Vec<String>,
}

impl Failure {
    /// A status and a sentence.
    pub fn new(status: u16, text: impl Into<String>) -> Failure {
        Failure { status, errors: vec![text.into()] }
    }
    /// The request is wrong.
    pub fn bad(text: impl Into<String>) -> Failure {
        Failure::new(400, text)
    }
    /// Whoever asks may not.
    pub fn denied() -> Failure {
        Failure::new(403, "permission denied")
    }
    /// There is nothing of this name.
    pub fn absent() -> Failure {
        Failure { status: 404, errors: Vec::new() }
    }
    /// The service has no root key.
    pub fn sealed() -> Failure {
        Failure::new(503, "Vault is sealed")
    }
    /// The service cannot do it, and it is not the client's doing.
    pub fn internal(text: impl Into<String>) -> Failure {
        Failure::new(500, text)
    }
    /// The body.
    pub fn body(&self) -> Vec<u8> {
        json!({ "errors": self.errors }).to_string().into_bytes()
    }
}

impl From<bulat::Error> for Failure {
    fn from(e: bulat::Error) -> Failure {
        Failure::internal(format!("internal error: {e}"))
    }
}
