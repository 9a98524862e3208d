//! The answer of a refusal, in the form that clients of Vault read: a status and `{"errors": [..]}`.

use serde_json::json;

use crate::call::{Payload, Reply};
use crate::failure::Failure;

impl Failure {
    pub fn reply(&self) -> Reply {
        let body = json!({ "errors": self.errors }).to_string().into_bytes();
        Reply { status: self.status, kind: "application/json", body: Payload::Whole(body.into()) }
    }
}
