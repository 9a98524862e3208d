//! The way of a request, from its head to its answer.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use hyper::{Request, Response, StatusCode, header, http};

use super::bodies::{collected, drained, later};
use super::forms::check_query;
use super::places::{Busy, Place, Unread};
use super::routes;
use crate::audit;
use crate::call::{
    Answer, Arriving, Body, Call, Certificate, Guard, Operation, Payload, Reply, Rest, Route,
};
use crate::cleared::Cleared;
use crate::config::Level;
use crate::failure::{Failure, Result};
use crate::fields::{Given, Text, flag};
use crate::locks::lock;
use crate::log;
use crate::state::State;
use crate::urls::{decoded, query};
use zeroize::Zeroizing;

/// The longest path with its query, in bytes.
const LONGEST: usize = 8 << 10;
/// The longest body without data, in bytes: a policy of a megabyte, however it is escaped.
const SETTINGS: usize = 4 << 20;
/// Logins at once.
const LOGINS: i64 = 64;
/// Vault's headers that have a meaning here, or ask for nothing. Any other (a namespace, a wrapped answer) is refused,
/// so that its sender does not think it was obeyed.
const HEADERS: [&str; 3] = ["x-vault-token", "x-vault-request", "x-vault-no-request-forwarding"];

/// The other end of a connection.
#[derive(Clone)]
pub struct Peer {
    pub certificate: Option<Arc<Certificate>>,
    /// The address; "unix" on a Unix socket.
    pub address: Arc<str>,
    pub place: Arc<Place>,
}

/// Counts an admitted request while it is processed. Logins, which anybody may send, have a number of their own.
struct Working(Arc<State>, bool);

impl Working {
    fn begin(state: &Arc<State>, login: bool) -> Result<Working> {
        let (most, name) = match login {
            true => (LOGINS, "logins"),
            false => (state.config.limits.requests as i64, "requests"),
        };
        let working = Working(state.clone(), login);
        if working.counter().fetch_add(1, Relaxed) < most {
            return Ok(working);
        }
        Err(Failure::new(429, format!("too many {name} at once; try again")))
    }
    fn counter(&self) -> &AtomicI64 {
        if self.1 { &self.0.logins } else { &self.0.metrics.working }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.counter().fetch_sub(1, Relaxed);
    }
}

/// Answers a request. Errors: none.
pub async fn answer(
    state: Arc<State>,
    peer: Peer,
    request: Request<Incoming>,
) -> Result<Response<BoxBody<Bytes, io::Error>>, Infallible> {
    let start = Instant::now();
    peer.place.touch();
    let mut name = "unknown";
    let uri = request.uri().clone();
    let (answer, busy) = work(&state, &peer, request, &mut name).await;
    let reply = answer.unwrap_or_else(|failure| failure.reply());
    let took = start.elapsed();
    state.metrics.request(name, reply.status, took);
    let level = if reply.status >= 500 { Level::Warn } else { Level::Debug };
    if log::writes(level) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        log::line(
            level,
            "request",
            &[
                ("operation", name.into()),
                ("status", reply.status.into()),
                ("microseconds", micros.into()),
            ],
        );
    }
    let held = match busy {
        Some(busy) => Held::Busy(busy),
        None => Held::Unread(peer.place.answers()),
    };
    let mut response = response(&state, reply, held);
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let path = decoded(uri.path().strip_prefix("/v1/").unwrap_or("").trim_end_matches('/'));
        let allowed = routes::allowed(&path.unwrap_or_default());
        response
            .headers_mut()
            .extend(header::HeaderValue::try_from(allowed).ok().map(|v| (header::ALLOW, v)));
    }
    Ok(response)
}

/// Marks a connection until an answer has left: it is at work, or has a time to read the answer.
#[expect(dead_code, reason = "held")]
enum Held {
    Busy(Busy),
    Unread(Unread),
}

/// The bytes of an answer.
struct Leaving<T>(T, #[expect(dead_code, reason = "held")] Held);

impl<T: AsRef<[u8]>> AsRef<[u8]> for Leaving<T> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

fn response(state: &State, reply: Reply, held: Held) -> Response<BoxBody<Bytes, io::Error>> {
    let fixed = header::HeaderValue::from_static;
    let mut builder =
        Response::builder().status(reply.status).header(header::CACHE_CONTROL, fixed("no-store"));
    if !reply.kind.is_empty() {
        builder = builder.header(header::CONTENT_TYPE, fixed(reply.kind));
    }
    if reply.status == 429 {
        builder = builder.header(header::RETRY_AFTER, "1");
    }
    let whole = |bytes: Bytes| {
        state.metrics.sent.fetch_add(bytes.len() as u64, Relaxed);
        Full::new(bytes).map_err(|never| match never {}).boxed()
    };
    let body = match reply.body {
        Payload::Whole(bytes) => whole(Bytes::from_owner(Leaving(bytes, held))),
        Payload::Shared(bytes) => whole(Bytes::from_owner(Leaving(bytes, held))),
        Payload::Stream(stream, len) => {
            if let Some(len) = len {
                builder = builder.header(header::CONTENT_LENGTH, len);
            }
            stream
                .map_frame(move |frame| {
                    let _at_work = &held;
                    frame
                })
                .boxed()
        }
    };
    builder.body(body).unwrap_or_else(|_| Response::new(BoxBody::default()))
}

/// Processes a request. For an admitted one it also returns the mark that its connection is at work.
async fn work(
    state: &Arc<State>,
    peer: &Peer,
    request: Request<Incoming>,
    name: &mut &'static str,
) -> (Answer, Option<Busy>) {
    let (head, mut body) = request.into_parts();
    let (operation, mut call, found) = match made(state, &head) {
        Ok(made) => made,
        Err(failure) => {
            // Otherwise the connection ends while the client still sends its body.
            peer.place.drain(drained(&mut body)).await;
            later(body, head.version);
            return (Err(failure), None);
        }
    };
    if let Ok((route, _)) = &found {
        *name = route.name;
    }
    if let Some(route) = call.route.filter(|route| route.guard == Guard::Open) {
        // At once, however busy the service is. It waits for no body, and keeps none.
        let right = check_query(route, &call.query).and_then(|()| {
            // A body of unknown length may be empty.
            let bare = body.size_hint().lower() == 0;
            if bare { Ok(()) } else { Err(Failure::bad("this call has no body")) }
        });
        return match right {
            Ok(()) => ((route.handler)(call).await, None),
            Err(failure) => (Err(failure), None),
        };
    }
    let line = state.audit.begin(audit::Request {
        id: call.id.clone(),
        operation: operation.map_or("unknown", Operation::capability),
        path: shown(call.route.is_some(), &call.path),
        remote: peer.address.to_string(),
    });
    let unwritten = |why: String| {
        log::line(Level::Error, "audit", &[("why", why.into())]);
        Failure::internal("the audit log cannot be written")
    };
    let shared = call.line.clone();
    match line {
        Ok(line) => *lock(&shared) = Some(line),
        Err(why) => {
            peer.place.drain(drained(&mut body)).await;
            later(body, head.version);
            return (Err(unwritten(why)), None);
        }
    }
    let entered = enter(&mut call, found, &head, peer).await;
    let rest = Rest::default();
    let (mut answer, busy) = match entered {
        Err(failure) => {
            *lock(&rest) = Some(body);
            (Err(failure), None)
        }
        Ok((route, working)) => {
            let busy = peer.place.work();
            let answer = done(call, route, &head.headers, Arriving::new(body, rest.clone())).await;
            drop(working);
            (answer, Some(busy))
        }
    };
    if let Some(mut line) = lock(&shared).take() {
        let status = match &answer {
            Ok(reply) => reply.status,
            Err(failure) => {
                line.error(&failure.errors.join("; "));
                failure.status
            }
        };
        if let Err(why) = line.end(status) {
            answer = Err(unwritten(why));
        }
    }
    // The line is written and its room given back before the client is waited for.
    drop(shared);
    let rest = lock(&rest).take().filter(|_| answer.is_err());
    if let Some(mut body) = rest {
        if busy.is_none() {
            peer.place.drain(drained(&mut body)).await;
        }
        later(body, head.version);
    }
    (answer, busy)
}

type Found = Result<(&'static Route, Vec<(&'static str, String)>)>;

/// Makes a call from the head of a request.
fn made(
    state: &Arc<State>,
    head: &http::request::Parts,
) -> Result<(Option<Operation>, Call, Found)> {
    if head.uri.path_and_query().is_some_and(|text| text.as_str().len() > LONGEST) {
        return Err(Failure::new(414, "the path and the query are too long"));
    }
    let query = query(head.uri.query().unwrap_or(""));
    let query = query.ok_or_else(|| Failure::bad("the query is not UTF-8"))?;
    let list = query.iter().any(|(name, value)| name == "list" && flag(value) == Some(true));
    let operation = match head.method.as_str() {
        "GET" | "HEAD" if list => Some(Operation::List),
        "GET" | "HEAD" => Some(Operation::Read),
        "LIST" => Some(Operation::List),
        "POST" | "PUT" => Some(Operation::Update),
        "DELETE" => Some(Operation::Delete),
        _ => None,
    };
    let path = head.uri.path();
    let path = path.strip_prefix("/v1/").unwrap_or("").trim_end_matches('/');
    let path = decoded(path).ok_or_else(|| Failure::bad("the path is not UTF-8"))?;
    if path.chars().any(char::is_control) {
        return Err(Failure::bad("the path has a control character"));
    }
    let found = routes::find(operation, &path);
    let call = Call {
        id: routes::request_id(),
        state: state.clone(),
        route: found.as_ref().ok().map(|(route, _)| *route),
        path,
        params: Vec::new(),
        query,
        body: Cleared::default(),
        room: None,
        stream: None,
        certificate: None,
        visitor: None,
        token: None,
        line: Arc::default(),
    };
    Ok((operation, call, found))
}

/// Returns a path for the audit log. The path of an unknown call may contain anything: old clients write a token behind
/// `auth/token/lookup/`. So an unknown path is reduced to the table's words, and a token is removed from any path.
fn shown(known: bool, path: &str) -> String {
    let word =
        |part: &str| routes::ROUTES.iter().any(|route| route.path.split('/').any(|w| w == part));
    let secret =
        |part: &str| ["bulat.", "hvs.", "hvb."].iter().any(|start| part.starts_with(start));
    let mut out = String::with_capacity(path.len() + 1);
    for part in path.split('/') {
        let plain = part.is_empty() || if known { !secret(part) } else { word(part) };
        out += if plain { part } else { "*" };
        out.push('/');
    }
    out.pop();
    out
}

/// Admits a request, or refuses it, before its body is read.
async fn enter(
    call: &mut Call,
    found: Found,
    head: &http::request::Parts,
    peer: &Peer,
) -> Result<(&'static Route, Working)> {
    let headers = &head.headers;
    let unseals = call.route.is_some_and(|route| route.path == "sys/unseal");
    if call.state.sealed() && !unseals {
        return Err(Failure::sealed());
    }
    call.enter(headers, peer).await?;
    let (route, params) = found?;
    let asks = |name: &header::HeaderName| {
        name.as_str().starts_with("x-vault-")
            && !HEADERS.contains(&name.as_str())
            && headers.get_all(name).iter().any(|value| !(value.is_empty() || of_root(name, value)))
    };
    if let Some(name) = headers.keys().find(|name| asks(name)) {
        return Err(Failure::bad(format!("{name} is not supported")));
    }
    let coded = headers.get(header::CONTENT_ENCODING);
    if coded.is_some_and(|value| !value.is_empty() && value != "identity") {
        return Err(Failure::new(415, "content-encoding is not supported"));
    }
    check_query(route, &call.query)?;
    if route.body == Body::Stream {
        framed(head)?;
    }
    call.params = params;
    Ok((route, Working::begin(&call.state, route.guard == Guard::Login)?))
}

/// Refuses a stream if its end looks like a broken connection.
fn framed(head: &http::request::Parts) -> Result<()> {
    let has = |name: header::HeaderName| head.headers.contains_key(name);
    match head.version {
        http::Version::HTTP_2 => Ok(()),
        http::Version::HTTP_11 if has(header::CONTENT_LENGTH) => Ok(()),
        http::Version::HTTP_11 if !has(header::TRANSFER_ENCODING) => {
            Err(Failure::new(411, "a stream needs content-length, or transfer-encoding: chunked"))
        }
        // Proxies of Go throw away a part of such a body, and end it properly.
        http::Version::HTTP_11
            if has(header::FORWARDED)
                || has(header::VIA)
                || has(header::HeaderName::from_static("x-forwarded-for")) =>
        {
            Err(Failure::new(
                411,
                "behind this proxy a stream needs content-length, or HTTP/2 (docs/SERVICE.md)",
            ))
        }
        http::Version::HTTP_11 => Ok(()),
        _ => Err(Failure::new(
            505,
            "streams need HTTP/1.1 or HTTP/2: in HTTP/1.0 a stream that breaks off looks whole \
             (nginx: grpc_pass; docs/SERVICE.md)",
        )),
    }
}

/// Returns whether a header names the root namespace, which is the only one.
fn of_root(name: &header::HeaderName, value: &header::HeaderValue) -> bool {
    name == "x-vault-namespace" && matches!(value.as_bytes(), b"root" | b"root/" | b"/")
}

/// The longest body of a login, and the time for it.
const LOGIN: usize = 8 << 10;
const LOGIN_SECONDS: u64 = 5;

/// Reads the body of an admitted request, and calls its handler.
async fn done(
    mut call: Call,
    route: &'static Route,
    headers: &header::HeaderMap,
    mut body: Arriving,
) -> Answer {
    match route.body {
        Body::Json => {
            let most = call.state.config.limits.body_bytes;
            let most = match route.guard {
                Guard::Login => LOGIN,
                _ if route.path.starts_with("transit/") => most,
                _ => most.min(SETTINGS),
            };
            let time = match route.guard {
                Guard::Login => {
                    Duration::from_secs(LOGIN_SECONDS).min(call.state.config.limits.read())
                }
                _ => call.state.config.limits.read(),
            };
            (call.body, call.room) = collected(&call.state, headers, &mut body, most, time).await?;
            noted(&call)?;
        }
        Body::Stream => call.stream = Some(body),
    }
    (route.handler)(call).await
}

/// Checks the fields of a body, and writes them to the audit log: settings as they are, texts as MACs.
fn noted(call: &Call) -> Result<()> {
    let given = call.fields();
    let batch = given.as_ref().map_or(true, |given| given.get("batch_input").is_some());
    if !call.body.is_empty() && batch {
        call.note("body", &call.body);
    }
    if let Some(line) = &mut *lock(&call.line) {
        for (name, value) in given.as_ref().map_or(&[][..], |given| &given.0) {
            match value {
                Given::Text(text) => line.value(name, text.as_str().as_bytes()),
                Given::List(all) => {
                    let all: Vec<_> = all.iter().map(Text::as_str).collect();
                    line.value(name, Zeroizing::new(all.join(",")).as_bytes());
                }
                Given::Setting(text) => line.setting(name, &text[..text.floor_char_boundary(40)]),
                Given::Batch(items) if items.is_empty() => line.setting(name, ""),
                Given::Batch(_) => line.setting(name, "batch"),
            }
        }
    }
    given.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_paths() {
        for (known, path, said) in [
            (false, "auth/token/lookup/hvs.secret", "auth/token/lookup/*"),
            (false, "/auth/token/lookup/secret", "/auth/token/lookup/*"),
            (false, "auth//token/lookup/secret", "auth//token/lookup/*"),
            (false, "auth/token/lookup/secret/", "auth/token/lookup/*/"),
            (false, "secret", "*"),
            (true, "auth/token/lookup", "auth/token/lookup"),
            (true, "transit/keys/a/rotate", "transit/keys/a/rotate"),
            (true, "transit/keys/bulat.secret", "transit/keys/*"),
        ] {
            assert_eq!(shown(known, path), said);
        }
    }
}
