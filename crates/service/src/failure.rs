//! Refusals, as all parts of the service make them. `http/errors.rs` turns them into answers.

use crate::log::{self, Level};
use crate::store::StoreError;

/// A refused request. Its text has no part of a key, a token or a plaintext.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub status: u16,
    /// Sentences for the client; none if there is simply no such thing.
    pub errors: Vec<String>,
    /// The thing to be created exists.
    pub exists: bool,
}

/// The result of work for a request.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub fn new(status: u16, text: impl Into<String>) -> Failure {
        Failure { status, errors: vec![text.into()], exists: false }
    }
    pub fn bad(text: impl Into<String>) -> Failure {
        Failure::new(400, text)
    }
    pub fn denied() -> Failure {
        Failure::new(403, "permission denied")
    }
    pub fn absent() -> Failure {
        Failure { status: 404, errors: Vec::new(), exists: false }
    }
    /// The service has no root key.
    pub fn sealed() -> Failure {
        Failure::new(503, "Vault is sealed")
    }
    /// The service failed, through no fault of the client.
    pub fn internal(text: impl Into<String>) -> Failure {
        Failure::new(500, text)
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
            StoreError::Exists => Failure { exists: true, ..Failure::bad("the name is in use") },
            StoreError::Conflict => Failure::new(409, "another request has changed it; try again"),
            StoreError::Deleting(_) => Failure::new(503, "the key is being deleted; try again"),
            StoreError::Limit => Failure::bad("the key version has reached its limit of use"),
            StoreError::RootChanged => Failure::new(503, "the root key was rotated; try again"),
            StoreError::WrongRoot | StoreError::Sealed => Failure::sealed(),
            StoreError::Invalid(why) => Failure::bad(why),
            StoreError::Unavailable(_) => Failure::new(503, "the database does not answer"),
            StoreError::Full => Failure::new(507, "no room on the disk of the database"),
            StoreError::Corrupt(why) => {
                // The database's own text goes only to the log.
                log::line(Level::Error, "damaged", &[("why", why.into())]);
                Failure::internal("the database is damaged: see the log of the service")
            }
            StoreError::Again => Failure::new(503, "the database is busy; try again"),
        }
    }
}
