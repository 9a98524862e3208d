//! One table of calls: the router, the paths that policies name and the description of the interface are made of it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use zeroize::Zeroizing;

use super::State;
use super::errors::Failure;
use super::{openapi, sys, tokens};
use crate::audit::Line;
use crate::auth::Who;
use crate::keyring::Entry;
use crate::transit::{crypt, datakey, hash, hmac, keys, random, stream};

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

impl Operation {
    /// The capability of policies.
    pub fn capability(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::List => "list",
            Operation::Update => "update",
            Operation::Delete => "delete",
        }
    }
}

/// What a request's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// JSON, read whole.
    Json,
    /// Bytes, read as they come.
    Stream,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Everybody.
    Open,
    /// Who has a policy with the path and the operation.
    Policy,
    /// Who has the operation and the capability `sudo` on the path.
    Sudo,
    /// Who may create or update on the path; the call asks which of them it needs.
    Upsert,
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
    /// What its body is.
    pub body: Body,
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
            body: routes!(# $guard),
            handler: |call| Box::pin($handler(call)),
        }),*];
    };
    (@ open) => { Guard::Open };
    (@ upsert) => { Guard::Upsert };
    (@ sudo) => { Guard::Sudo };
    (@ $other:ident) => { Guard::Policy };
    (# stream) => { Body::Stream };
    (# $other:ident) => { Body::Json };
}

routes! {
    Read "sys/health" "health" open sys::health;
    Read "sys/ready" "ready" open sys::ready;
    Read "sys/seal-status" "seal-status" open sys::seal_status;
    Read "sys/init" "init" open sys::init;
    Read "sys/metrics" "metrics" open sys::metrics;
    Read "sys/internal/specs/openapi" "openapi" open openapi::openapi;
    Update "sys/seal" "seal" sudo sys::seal;
    Update "sys/unseal" "unseal" sudo sys::unseal;
    Read "sys/mounts" "mounts" token sys::mounts;
    Update "sys/mounts/{mount}" "mount" token sys::mount;
    List "sys/policies/acl" "list-policies" token tokens::list_policies;
    Read "sys/policies/acl/{name}" "read-policy" token tokens::read_policy;
    Update "sys/policies/acl/{name}" "write-policy" token tokens::write_policy;
    Delete "sys/policies/acl/{name}" "delete-policy" token tokens::delete_policy;
    Read "sys/policy" "read-policies-old" token tokens::list_policies;
    List "sys/policy" "list-policies-old" token tokens::list_policies;
    Read "sys/policy/{name}" "read-policy-old" token tokens::read_policy;
    Update "sys/policy/{name}" "write-policy-old" token tokens::write_policy;
    Delete "sys/policy/{name}" "delete-policy-old" token tokens::delete_policy;
    Update "sys/capabilities-self" "capabilities-self" token tokens::capabilities;
    Update "auth/token/create" "create-token" token tokens::create;
    Read "auth/token/lookup-self" "lookup-self" token tokens::lookup_self;
    Update "auth/token/lookup" "lookup-token" token tokens::lookup;
    Update "auth/token/lookup-accessor" "lookup-accessor" token tokens::lookup_accessor;
    Update "auth/token/renew-self" "renew-self" token tokens::renew_self;
    Update "auth/token/revoke" "revoke-token" token tokens::revoke;
    Update "auth/token/revoke-self" "revoke-self" token tokens::revoke_self;
    Update "auth/token/revoke-accessor" "revoke-accessor" token tokens::revoke_accessor;
    List "transit/keys" "list-keys" token keys::list;
    Update "transit/keys/{name}" "create-key" token keys::create;
    Read "transit/keys/{name}" "read-key" token keys::read;
    Delete "transit/keys/{name}" "delete-key" token keys::delete;
    Update "transit/keys/{name}/config" "configure-key" token keys::configure;
    Update "transit/keys/{name}/rotate" "rotate-key" token keys::rotate;
    Update "transit/keys/{name}/trim" "trim-key" token keys::trim;
    Read "transit/export/{type}/{name}" "export-key" token keys::export;
    Read "transit/export/{type}/{name}/{version}" "export-key-version" token keys::export;
    Update "transit/encrypt/{name}" "encrypt" upsert crypt::encrypt;
    Update "transit/decrypt/{name}" "decrypt" token crypt::decrypt;
    Update "transit/rewrap/{name}" "rewrap" token crypt::rewrap;
    Update "transit/datakey/{plaintext}/{name}" "datakey" token datakey::make;
    Update "transit/hmac/{name}" "hmac" token hmac::hmac;
    Update "transit/hmac/{name}/{algorithm}" "hmac-algorithm" token hmac::hmac;
    Update "transit/verify/{name}" "verify" token hmac::verify;
    Update "transit/verify/{name}/{algorithm}" "verify-algorithm" token hmac::verify;
    Update "transit/hash" "hash" token hash::hash;
    Update "transit/hash/{algorithm}" "hash-algorithm" token hash::hash;
    Update "transit/stream/encrypt/{name}" "stream-encrypt" stream stream::encrypt;
    Update "transit/stream/decrypt/{name}" "stream-decrypt" stream stream::decrypt;
    Update "transit/random" "random" token random::random;
    Update "transit/random/{source}" "random-source" token random::random;
    Update "transit/random/{source}/{bytes}" "random-source-bytes" token random::random;
}

/// A request that is to be answered.
pub struct Call {
    /// The request's number.
    pub id: String,
    /// What all requests share.
    pub state: Arc<State>,
    /// The line of the table, if there is one.
    pub route: Option<&'static Route>,
    /// The path after `/v1/`.
    pub path: String,
    /// The path's parameters, by name.
    pub params: Vec<(&'static str, String)>,
    /// The query's.
    pub query: Vec<(String, String)>,
    /// The body.
    pub body: Zeroizing<Vec<u8>>,
    /// Its room among all bodies.
    pub room: Option<OwnedSemaphorePermit>,
    /// The body, where it is read as it comes.
    pub stream: Option<Incoming>,
    /// Who asks, unless everybody may.
    pub visitor: Option<Arc<Who>>,
    /// The token that was shown.
    pub token: Option<Zeroizing<String>>,
    /// Its line of the audit log.
    pub line: Arc<Mutex<Option<Line>>>,
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
    /// A value of the request for the audit log, which gets its MAC.
    pub fn note(&self, name: &'static str, value: &[u8]) {
        if let Some(line) = &mut *self.line.lock().unwrap_or_else(PoisonError::into_inner) {
            line.value(name, value);
        }
    }
    /// A value of the answer, the same.
    pub fn answers(&self, name: &'static str, value: &[u8]) {
        if let Some(line) = &mut *self.line.lock().unwrap_or_else(PoisonError::into_inner) {
            line.answer(name, value);
        }
    }
    /// An answer with data.
    pub fn data(&self, data: &Value) -> Answer {
        self.secret(200, data, 1024)
    }
    /// An answer with secret data, of so many bytes at most: no copy is left behind.
    pub fn secret(&self, status: u16, data: &impl Serialize, len: usize) -> Answer {
        self.enveloped(status, "data", data, len)
    }
    /// A new token, where clients look for it.
    pub fn auth(&self, auth: &impl Serialize, len: usize) -> Answer {
        self.enveloped(200, "auth", auth, len)
    }
    fn enveloped(&self, status: u16, name: &str, value: &impl Serialize, len: usize) -> Answer {
        let mut body = Zeroizing::new(Vec::with_capacity(len + 300));
        let other = if name == "data" { "auth" } else { "data" };
        let begin = format!(
            "{{\"request_id\":\"{}\",\"lease_id\":\"\",\"renewable\":false,\"lease_duration\":0,\"wrap_info\":null,\
             \"warnings\":null,\"{other}\":null,\"{name}\":",
            self.id,
        );
        body.extend_from_slice(begin.as_bytes());
        // Texts and numbers, to memory: nothing can fail.
        serde_json::to_writer(&mut *body, value)
            .map_err(|_| Failure::internal("internal error"))?;
        body.push(b'}');
        Ok(Reply { status, kind: "application/json", body: Payload::Whole(body) })
    }
    /// A parameter of the query.
    pub fn ask(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
    /// A status code that the query may change.
    ///
    /// # Errors
    /// 400 for what is none.
    pub fn number(&self, name: &str, usual: u16) -> Result<u16, Failure> {
        let Some(text) = self.ask(name) else { return Ok(usual) };
        let code = text.parse().ok().filter(|n| (200..600).contains(n));
        code.ok_or_else(|| Failure::bad(format!("{name}: a number from 200 to 599")))
    }
}

/// An answer.
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body's type.
    pub kind: &'static str,
    /// The body.
    pub body: Payload,
}

/// The body of an answer.
pub enum Payload {
    /// Wiped when it has been sent.
    Whole(Zeroizing<Vec<u8>>),
    /// The same for everybody.
    Shared(&'static [u8]),
    /// As it is made. An error in it breaks the connection off.
    Stream(BoxBody<Bytes, io::Error>),
}

impl Reply {
    /// Nothing to say.
    pub fn empty() -> Reply {
        Reply { status: 204, kind: "", body: Payload::Whole(Zeroizing::default()) }
    }
    /// JSON as it is.
    pub fn plain(status: u16, value: &Value) -> Reply {
        let body = Payload::Whole(value.to_string().into_bytes().into());
        Reply { status, kind: "application/json", body }
    }
    /// Text of another type.
    pub fn text(text: String, kind: &'static str) -> Reply {
        Reply { status: 200, kind, body: Payload::Whole(text.into_bytes().into()) }
    }
}

/// Finds the line of a path and an operation; without one, says whether the path is known at all.
///
/// # Errors
/// 404 for an unknown path, 405 for a known one.
pub fn find(
    operation: Option<Operation>,
    path: &str,
) -> Result<(&'static Route, Vec<(&'static str, String)>), Failure> {
    let mut known = false;
    for route in ROUTES {
        if let Some(params) = matches(route.path, path) {
            if Some(route.operation) == operation {
                return Ok((route, params));
            }
            known = true;
        }
    }
    Err(if known {
        Failure::new(405, "unsupported operation")
    } else {
        Failure::new(404, "unsupported path")
    })
}

/// The methods of a path, as a header names them.
pub fn allowed(path: &str) -> String {
    let mut all: Vec<&str> = Vec::new();
    for route in ROUTES.iter().filter(|route| matches(route.path, path).is_some()) {
        all.extend(match route.operation {
            Operation::Read => &["GET", "HEAD"][..],
            Operation::List => &["LIST"],
            Operation::Update => &["POST", "PUT"],
            Operation::Delete => &["DELETE"],
        });
    }
    all.join(", ")
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
pub fn request_id() -> String {
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
