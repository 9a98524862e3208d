//! Refusals, in the form that clients of Vault read: a status and `{"errors": [..]}`.

use serde_json::json;

use super::routes::{Payload, Reply};
use crate::config::Level;
use crate::log;
use crate::store::StoreError;

/// A refused request. Its text holds nothing of a key, a token or a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The status code.
    pub status: u16,
    /// Sentences for the client; none where a thing is simply not there.
    pub errors: Vec<String>,
    /// The thing that was to be made is there.
    pub exists: bool,
}

impl Failure {
    /// A status and a sentence.
    pub fn new(status: u16, text: impl Into<String>) -> Failure {
        Failure { status, errors: vec![text.into()], exists: false }
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
        Failure { status: 404, errors: Vec::new(), exists: false }
    }
    /// The service has no root key.
    pub fn sealed() -> Failure {
        Failure::new(503, "Vault is sealed")
    }
    /// The service cannot do it, and it is not the client's doing.
    pub fn internal(text: impl Into<String>) -> Failure {
        Failure::new(500, text)
    }
    /// As an answer.
    pub fn reply(&self) -> Reply {
        Reply {
            status: self.status,
            kind: "application/json",
            body: Payload::Whole(self.body().into()),
        }
    }
    /// The body.
    fn body(&self) -> Vec<u8> {
        json!({ "errors": self.errors }).to_string().into_bytes()
    }
}

impl From<bulat::Error> for Failure {
    fn from(e: bulat::Error) -> Failure {
        Failure::internal(format!("internal error: {e}"))
    }
}

impl From<StoreError> for Failure {
    fn from(e: StoreError) -> Failure {
        if let StoreError::Unavailable(why) = &e {
            log::line(Level::Error, "database", &[("why", why.as_str().into())]);
        }
        match e {
            StoreError::NotFound => Failure::absent(),
            StoreError::Exists => Failure { exists: true, ..Failure::bad("it exists already") },
            StoreError::Conflict => {
                Failure::new(409, "another request has changed the key; try again")
            }
            StoreError::Deleting(_) => Failure::new(503, "the key is being deleted; try again"),
            StoreError::Limit => Failure::bad("the key version has reached its limit of use"),
            StoreError::RootChanged => Failure::new(503, "the root key was rotated; try again"),
            StoreError::WrongRoot | StoreError::Sealed => Failure::sealed(),
            StoreError::Invalid(why) => Failure::bad(why),
            StoreError::Unavailable(_) => Failure::new(503, "the database does not answer"),
            StoreError::Full => Failure::new(507, "no room on the disk of the database"),
            StoreError::Corrupt(why) => {
                // Its words are the database's, for the log.
                log::line(Level::Error, "damaged", &[("why", why.into())]);
                Failure::internal("the database is damaged: see the log of the service")
            }
            StoreError::Again => Failure::new(503, "the database is busy; try again"),
        }
    }
}
