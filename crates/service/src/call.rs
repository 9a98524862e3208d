//! A call: its line in the table of routes, its request, its answer.

use std::future::Future;
use std::io::{self, Write as _};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Frame, Incoming};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use zeroize::Zeroizing;

use crate::audit::Line;
use crate::auth::Who;
use crate::cleared::Cleared;
use crate::failure::{Failure, Result};
use crate::keyring::Entry;
use crate::locks::lock;
use crate::state::State;

pub type Answer = Result<Reply>;
type Handler = fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// The operation of a method, as policies name it.
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
    /// Returns the capability that policies need.
    pub fn capability(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::List => "list",
            Operation::Update => "update",
            Operation::Delete => "delete",
        }
    }
}

/// A client's certificate, verified, with its hash.
pub struct Certificate {
    /// The certificate as DER.
    pub der: Vec<u8>,
    /// Its Streebog-256.
    pub hash: [u8; 32],
}

/// The form of a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// JSON, read whole.
    Json,
    /// Bytes, read as they arrive.
    Stream,
}

/// The callers who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Everybody. The call has no body, and is answered at once.
    Open,
    /// Everybody, with a short body that shows who it is.
    Login,
    /// Callers with any token or certificate.
    Known,
    /// Callers with a policy that allows the operation on the path.
    Policy,
    /// Callers with the operation and the capability `sudo` on the path.
    Sudo,
    /// Callers who may create or update on the path; the call checks which of both it needs.
    Upsert,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A text, which may be a secret.
    Text,
    /// Bytes in base64.
    Base64,
    /// A whole number from 0.
    Integer,
    /// The number of random bytes.
    Bytes,
    /// The number of a key's bits.
    Bits,
    Boolean,
    /// A number of seconds, or a time such as 24h.
    Duration,
    Texts,
    /// A list of names, or a text of names with commas between them.
    Names,
    Batch,
    Hash,
    /// The form of bytes in an answer.
    Format,
    Source,
    KeyType,
    /// The name of the type of a key that encrypts.
    CipherType,
    /// A token's type: the words of Vault that mean the only one here.
    Service,
    /// The type of a field that clients of Vault send and that has no use here: only its neutral value is accepted.
    Neutral,
    /// The type of a parameter of the path, which the body repeats.
    Path,
}

/// A field of a body or a query.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldType,
    /// Set if a request must have it.
    pub required: bool,
}

/// The fields of a call.
#[derive(Debug)]
pub struct Form {
    /// The fields of the body; for a batch, besides those of its items.
    pub body: &'static [Field],
    /// The fields of a message: in the body itself, or in an item of `batch_input`.
    pub item: &'static [Field],
    /// The parameters of the query.
    pub query: &'static [Field],
}

impl Form {
    /// Returns all fields of the body.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.body.iter().chain(self.item)
    }
}

/// A line of the table.
pub struct Route {
    pub operation: Operation,
    /// The path after `/v1/`, with its parameters.
    pub path: &'static str,
    /// Its name in metrics, logs and the description.
    pub name: &'static str,
    pub guard: Guard,
    pub body: Body,
    /// The fields of its body and its query. The description of the interface is made from them.
    pub form: Form,
    pub handler: Handler,
}

/// A request to be answered.
pub struct Call {
    /// The number of the request.
    pub id: String,
    pub state: Arc<State>,
    /// The line of the table, if there is one.
    pub route: Option<&'static Route>,
    /// The path after `/v1/`.
    pub path: String,
    /// The parameters of the path, by name.
    pub params: Vec<(&'static str, String)>,
    /// The parameters of the query, by name.
    pub query: Vec<(String, String)>,
    pub body: Cleared,
    /// The body's room among all bodies.
    pub room: Option<OwnedSemaphorePermit>,
    /// The body, if it is read as it arrives.
    pub stream: Option<Arriving>,
    /// The certificate that the connection has shown.
    pub certificate: Option<Arc<Certificate>>,
    /// The caller, unless everybody may make the call.
    pub visitor: Option<Arc<Who>>,
    /// The token of the request.
    pub token: Option<Zeroizing<String>>,
    /// The line of the audit log.
    pub line: Arc<Mutex<Option<Line>>>,
}

/// A body that was not read to its end.
pub type Rest = Arc<Mutex<Option<Incoming>>>;

/// A body that is read as it arrives. Its unread rest goes back to the function that answers.
pub struct Arriving(Option<Incoming>, Rest);

impl Arriving {
    pub fn new(body: Incoming, rest: Rest) -> Arriving {
        Arriving(Some(body), rest)
    }
    /// Returns the length that the client has announced.
    pub fn announced(&self) -> Option<u64> {
        self.0.as_ref().and_then(|body| body.size_hint().exact())
    }
    /// Returns the next frame; `None` at the end.
    pub async fn frame(&mut self) -> Option<Result<Frame<Bytes>, hyper::Error>> {
        self.0.as_mut()?.frame().await
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        *lock(&self.1) = self.0.take();
    }
}

/// The names of an answer's envelope.
const ENVELOPE: [&str; 9] = [
    "request_id",
    "lease_id",
    "renewable",
    "lease_duration",
    "wrap_info",
    "warnings",
    "auth",
    "data",
    "mount_type",
];
/// The calls whose data Vault writes next to `data`, too, as its first versions did: older clients look there.
const TWICE: [&str; 5] =
    ["sys/mounts", "sys/auth", "sys/policy", "sys/capabilities-self", "sys/ha-status"];

impl Call {
    /// Returns a parameter of the path; empty if it has none of this name.
    pub fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value)
    }
    /// Returns the key that the path names. Errors: 404 if there is none.
    pub async fn key_or_absent(&self) -> Result<Arc<Entry>> {
        self.state.ring.entry(self.param("name")).await
    }
    /// Returns the key that the path names, for a call that uses it. Errors: 400 if there is none.
    pub async fn key(&self) -> Result<Arc<Entry>> {
        self.key_or_absent().await.map_err(|failure| {
            if failure.status == 404 { Failure::bad("encryption key not found") } else { failure }
        })
    }
    /// Writes the MAC of a value of the request to the audit log.
    pub fn note(&self, name: &'static str, value: &[u8]) {
        if let Some(line) = &mut *lock(&self.line) {
            line.value(name, value);
        }
    }
    /// Writes the MAC of a value of the answer to the audit log.
    pub fn answers(&self, name: &'static str, value: &[u8]) {
        if let Some(line) = &mut *lock(&self.line) {
            line.answer(name, value);
        }
    }
    pub fn data(&self, data: &Value) -> Answer {
        let mut reply = self.secret(200, data, 1024)?;
        let twice = |path: &&str| {
            let rest = self.path.strip_prefix(*path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if TWICE.iter().any(twice)
            && let (Payload::Whole(body), Value::Object(data)) = (&mut reply.body, data)
        {
            body.pop();
            for (name, value) in data.iter().filter(|(name, _)| !ENVELOPE.contains(&name.as_str()))
            {
                let _ = write!(**body, ",{}:{value}", Value::from(name.as_str()));
            }
            body.push(b'}');
        }
        Ok(reply)
    }
    /// Answers a list; 404 if it has no names.
    pub fn names(&self, names: Vec<String>) -> Answer {
        if names.is_empty() { Err(Failure::absent()) } else { self.data(&json!({ "keys": names })) }
    }
    /// Makes an answer with secret data of at most `len` bytes, without leaving a copy.
    pub fn secret(&self, status: u16, data: &impl Serialize, len: usize) -> Answer {
        self.enveloped(status, "data", len, |body| Ok(serde_json::to_writer(body, data)?))
    }
    /// Makes an answer with data of at most `len` bytes that a function writes as JSON.
    pub fn written(
        &self,
        len: usize,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Answer {
        self.enveloped(200, "data", len, write)
    }
    /// Makes an answer with a new token, where clients look for it.
    pub fn auth(&self, auth: &impl Serialize, len: usize) -> Answer {
        self.enveloped(200, "auth", len, |body| Ok(serde_json::to_writer(body, auth)?))
    }
    fn enveloped(
        &self,
        status: u16,
        name: &str,
        len: usize,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Answer {
        let mut body = Cleared::from(Vec::with_capacity(len + 320));
        let mut words = self.path.split('/');
        let mount = match (words.next().unwrap_or(""), words.next()) {
            ("sys", _) => "system",
            ("auth", Some(login)) => login,
            (engine, _) => engine,
        };
        let other = if name == "data" { "auth" } else { "data" };
        // Texts and numbers are written to memory, so nothing fails.
        let _ = write!(
            *body,
            "{{\"request_id\":\"{}\",\"lease_id\":\"\",\"renewable\":false,\"lease_duration\":0,\"wrap_info\":null,\
             \"warnings\":null,\"{other}\":null,\"{name}\":",
            self.id,
        );
        write(&mut body).map_err(|_| Failure::internal("internal error"))?;
        // As Vault from 1.16 on. Only paths of the table come here, so it needs no escapes.
        let _ = write!(*body, ",\"mount_type\":\"{mount}\"}}");
        Ok(Reply { status, kind: "application/json", body: Payload::Whole(body) })
    }
    /// Returns a parameter of the query.
    pub fn ask(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
    /// Returns a status code that the query may set. Errors: 400 if it is no status code.
    pub fn number(&self, name: &str, usual: u16) -> Result<u16> {
        let Some(text) = self.ask(name) else { return Ok(usual) };
        let code = text.parse().ok().filter(|n| (200..600).contains(n));
        code.ok_or_else(|| Failure::bad(format!("{name}: must be a number from 200 to 599")))
    }
    /// Returns the name after which a list begins, and the most names of it, as the query sets them. Errors: 400 if
    /// `limit` is no number.
    pub fn page(&self) -> Result<(String, u64)> {
        let limit = match self.ask("limit").map(str::parse::<i64>) {
            None => 0,
            Some(Ok(limit)) => limit,
            Some(Err(_)) => return Err(Failure::bad("limit: must be a whole number")),
        };
        // As in OpenBao, no number above 0 means all.
        let limit = u64::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(u64::MAX);
        Ok((self.ask("after").unwrap_or("").into(), limit))
    }
    /// Checks that the caller has a capability on the path. Errors: 403 without it.
    pub fn allow(&self, capability: &str) -> Result<()> {
        let who = self.visitor.as_ref().ok_or_else(Failure::denied)?;
        let list = capability == Operation::List.capability();
        let rules = &who.rules;
        let set = if list { rules.on_list(&self.path) } else { rules.on(&self.path) };
        if set.has(capability) { Ok(()) } else { Err(Failure::denied()) }
    }
    /// Returns the caller. Errors: 403 if the call is open to everybody.
    pub fn who(&self) -> Result<&Arc<Who>> {
        self.visitor.as_ref().ok_or_else(Failure::denied)
    }
}

pub struct Reply {
    pub status: u16,
    pub kind: &'static str,
    pub body: Payload,
}

/// The body of an answer.
pub enum Payload {
    /// Bytes, wiped when they have been sent.
    Whole(Cleared),
    /// Bytes that all clients get.
    Shared(&'static [u8]),
    /// Bytes that are sent as they are made, with their number if it is known. An error breaks the connection.
    Stream(BoxBody<Bytes, io::Error>, Option<u64>),
}

impl Reply {
    /// Makes an answer without a body.
    pub fn empty() -> Reply {
        Reply { status: 204, kind: "", body: Payload::Whole(Cleared::default()) }
    }
    /// Makes an answer of JSON without the usual envelope.
    pub fn plain(status: u16, value: Value) -> Answer {
        let body = Payload::Whole(value.to_string().into_bytes().into());
        Ok(Reply { status, kind: "application/json", body })
    }
    pub fn text(text: String, kind: &'static str) -> Reply {
        Reply { status: 200, kind, body: Payload::Whole(text.into_bytes().into()) }
    }
}
