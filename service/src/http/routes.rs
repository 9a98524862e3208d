//! One table of calls: the router, the paths that policies name and the description of the interface are made of it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::State;
use super::errors::Failure;
use super::sys;
use crate::keyring::Entry;
use crate::transit::{crypt, datakey, hash, hmac, keys, random};

/// What a call answers.
pub type Answer = Result<Reply, Failure>;
type Handler = fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What a method asks for, as policies say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// GET.
    Read,
    /// LIST, or GET with `list=true`.
    List,
    /// POST and PUT.
    Update,
    /// DELETE.
    Delete,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Everybody.
    Open,
    /// Who has a policy with the path and the operation.
    Policy,
    /// Who shows a token or a certificate; the call asks for what else it takes.
    Itself,
}

/// A line of the table.
pub struct Route {
    /// The operation.
    pub operation: Operation,
    /// The path after `/v1/`, with its parameters.
    pub path: &'static str,
    /// Its word in metrics, logs and the description.
    pub name: &'static str,
    /// Who may.
    pub guard: Guard,
    /// What does it.
    pub handler: Handler,
}

macro_rules! routes {
    ($($operation:ident $path:literal $name:literal $guard:ident $handler:path;)*) => {
        /// All calls.
        pub const ROUTES: &[Route] = &[$(Route {
            operation: Operation::$operation,
            path: $path,
            name: $name,
            guard: routes!(@ $guard),
            handler: |call| Box::pin($handler(call)),
        }),*];
    };
    (@ open) => { Guard::Open };
    (@ token) => { Guard::Policy };
    (@ itself) => { Guard::Itself };
}

routes! {
    Read "sys/health" "health" open sys::health;
    Read "sys/seal-status" "seal-status" open sys::seal_status;
    Read "sys/metrics" "metrics" open sys::metrics;
    List "transit/keys" "list-keys" token keys::list;
    Update "transit/keys/{name}" "create-key" token keys::create;
    Read "transit/keys/{name}" "read-key" token keys::read;
    Delete "transit/keys/{name}" "delete-key" token keys::delete;
    Update "transit/keys/{name}/config" "configure-key" token keys::configure;
    Update "transit/keys/{name}/rotate" "rotate-key" token keys::rotate;
    Update "transit/keys/{name}/trim" "trim-key" token keys::trim;
    Read "transit/export/{type}/{name}" "export-key" token keys::export;
    Read "transit/export/{type}/{name}/{version}" "export-key-version" token keys::export;
    Update "transit/encrypt/{name}" "encrypt" itself crypt::encrypt;
    Update "transit/decrypt/{name}" "decrypt" token crypt::decrypt;
    Update "transit/rewrap/{name}" "rewrap" token crypt::rewrap;
    Update "transit/datakey/{plaintext}/{name}" "datakey" token datakey::make;
    Update "transit/hmac/{name}" "hmac" token hmac::hmac;
    Update "transit/hmac/{name}/{algorithm}" "hmac-algorithm" token hmac::hmac;
    Update "transit/verify/{name}" "verify" token hmac::verify;
    Update "transit/verify/{name}/{algorithm}" "verify-algorithm" token hmac::verify;
    Update "transit/hash" "hash" token hash::hash;
    Update "transit/hash/{algorithm}" "hash-algorithm" token hash::hash;
    Update "transit/random" "random" token random::random;
    Update "transit/random/{source}" "random-source" token random::random;
    Update "transit/random/{source}/{bytes}" "random-source-bytes" token random::random;
}

/// A request that is to be answered.
pub struct Call {
    /// What all requests share.
    pub state: Arc<State>,
    /// The path's parameters, by name.
    pub params: Vec<(&'static str, String)>,
    /// The query's.
    pub query: Vec<(String, String)>,
    /// The body.
    pub body: Zeroizing<Vec<u8>>,
}

impl Call {
    /// A parameter of the path; empty where it was left out.
    pub fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value)
    }
    /// The key of the path.
    ///
    /// # Errors
    /// 404 when there is none.
    pub async fn key_or_absent(&self) -> Result<Arc<Entry>, Failure> {
        self.state.ring.entry(self.param("name")).await
    }
    /// The key of the path, which is to be used.
    ///
    /// # Errors
    /// 400 when there is none.
    pub async fn key(&self) -> Result<Arc<Entry>, Failure> {
        self.key_or_absent().await.map_err(|failure| {
            if failure.status == 404 { Failure::bad("encryption key not found") } else { failure }
        })
    }
    /// That whoever asks has a capability on the path.
    ///
    /// # Errors
    /// 403 without it.
    pub async fn allow(&self, capability: &str) -> Result<(), Failure> {
        let _ = capability;
        Ok(())
    }
    /// A parameter of the query.
    pub fn ask(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
    /// A status code that the query may change.
    pub fn number(&self, name: &str, usual: u16) -> u16 {
        self.ask(name)
            .and_then(|v| v.parse().ok())
            .filter(|n| (200..600).contains(n))
            .unwrap_or(usual)
    }
}

/// An answer. Its body is wiped when it has been sent.
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body's type.
    pub kind: &'static str,
    /// The body.
    pub body: Zeroizing<Vec<u8>>,
}

impl Reply {
    /// Nothing to say.
    pub fn empty() -> Reply {
        Reply { status: 204, kind: "", body: Zeroizing::default() }
    }
    /// JSON as it is.
    pub fn plain(status: u16, value: &Value) -> Reply {
        Reply { status, kind: "application/json", body: value.to_string().into_bytes().into() }
    }
    /// JSON in the envelope that clients of Vault expect.
    pub fn data(data: &Value) -> Reply {
        Reply::plain(
            200,
            &json!({
                "request_id": request_id(), "lease_id": "", "renewable": false, "lease_duration": 0, "data": data,
                "wrap_info": null, "warnings": null, "auth": null,
            }),
        )
    }
    /// The same of data with secrets, of so many bytes at most: no copy is left behind.
    pub fn secret(status: u16, data: &impl Serialize, len: usize) -> Reply {
        let mut body = Zeroizing::new(Vec::with_capacity(len + 300));
        let id = request_id();
        body.extend_from_slice(b"{\"request_id\":\"");
        body.extend_from_slice(id.as_bytes());
        body.extend_from_slice(
            b"\",\"lease_id\":\"\",\"renewable\":false,\"lease_duration\":0,\"wrap_info\":null,\"warnings\":null,\"auth\":null,\"data\":",
        );
        serde_json::to_writer(&mut *body, data).expect("names and texts");
        body.push(b'}');
        Reply { status, kind: "application/json", body }
    }
    /// Text of another type.
    pub fn text(text: String, kind: &'static str) -> Reply {
        Reply { status: 200, kind, body: text.into_bytes().into() }
    }
}

/// Finds the line of a path and an operation; without one, says whether the path is known at all.
///
/// # Errors
/// 404 for an unknown path, 405 for a known one.
pub fn find(
    operation: Operation,
    path: &str,
) -> Result<(&'static Route, Vec<(&'static str, String)>), Failure> {
    let mut known = false;
    for route in ROUTES {
        if let Some(params) = matches(route.path, path) {
            if route.operation == operation {
                return Ok((route, params));
            }
            known = true;
        }
    }
    Err(if known {
        Failure::new(405, "unsupported operation")
    } else {
        Failure::new(404, "no handler for route")
    })
}

/// The parameters of a path, if it has the pattern's form.
fn matches(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let mut params = Vec::new();
    let (mut patterns, mut parts) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return Some(params),
            (Some(word), Some(part)) => match word.strip_prefix('{') {
                Some(name) if !part.is_empty() => {
                    params.push((name.trim_end_matches('}'), part.to_string()));
                }
                None if word == part => {}
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// A number of this request, in the form of a UUID.
fn request_id() -> String {
    let mut id = [0; 16];
    // Without random bytes all are alike, and nothing depends on it.
    let _ = getrandom::fill(&mut id);
    let id = bulat_container::digits::hex(&id);
    format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..])
}

/// Seconds since 1970.
pub fn unix() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
