//! A request's way from its head to its answer.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::{Buf as _, Bytes};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use hyper::{Request, Response, StatusCode, header};
use zeroize::Zeroizing;

use super::State;
use super::errors::Failure;
use super::routes::{self, Answer, Body, Call, Guard, Operation, Payload, Reply, Route};
use crate::audit;
use crate::config::Level;
use crate::log;

/// Bytes of a path and its query.
const LONGEST: usize = 8 << 10;
/// Bytes of a body that carries no data: a policy of a megabyte, however it is escaped.
const SETTINGS: usize = 4 << 20;
/// Headers that ask for what is not there. Who sends one would think that an answer is wrapped, or a key another's.
const REFUSED: [&str; 2] = ["x-vault-wrap-ttl", "x-vault-namespace"];

/// Who is at the other end of a connection.
#[derive(Clone)]
pub struct Peer {
    /// The certificate that was shown and verified, as DER.
    pub certificate: Option<Arc<[u8]>>,
    /// Its address; none on a Unix socket.
    pub address: Arc<str>,
}

/// Counts a request while it is worked on.
struct Working<'a>(&'a State);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.metrics.working.fetch_sub(1, Relaxed);
    }
}

/// Answers a request, whatever it is.
///
/// # Errors
/// None.
pub async fn answer(
    state: Arc<State>,
    peer: Peer,
    request: Request<Incoming>,
) -> Result<Response<BoxBody<Bytes, io::Error>>, Infallible> {
    let start = Instant::now();
    let before = state.metrics.working.fetch_add(1, Relaxed);
    let working = Working(&state);
    let mut name = "unknown";
    let uri = request.uri().clone();
    let answer = if before < state.config.limits.requests as i64 {
        work(&state, &peer, request, &mut name).await
    } else {
        Err(Failure::new(429, "too many requests at once; try again"))
    };
    drop(working);
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
    let mut response = response(&state, reply);
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let path = decoded(uri.path().strip_prefix("/v1/").unwrap_or("").trim_end_matches('/'));
        let allowed = routes::allowed(&path.unwrap_or_default());
        response
            .headers_mut()
            .extend(header::HeaderValue::try_from(allowed).ok().map(|v| (header::ALLOW, v)));
    }
    Ok(response)
}

fn response(state: &State, reply: Reply) -> Response<BoxBody<Bytes, io::Error>> {
    let mut builder =
        Response::builder().status(reply.status).header(header::CACHE_CONTROL, "no-store");
    if !reply.kind.is_empty() {
        builder = builder.header(header::CONTENT_TYPE, reply.kind);
    }
    if reply.status == 429 {
        builder = builder.header(header::RETRY_AFTER, "1");
    }
    let body = match reply.body {
        Payload::Whole(bytes) => {
            state.metrics.sent.fetch_add(bytes.len() as u64, Relaxed);
            Full::new(Bytes::from_owner(bytes)).map_err(|never| match never {}).boxed()
        }
        Payload::Stream(stream) => stream,
    };
    builder.body(body).unwrap_or_else(|_| Response::new(BoxBody::default()))
}

async fn work(
    state: &Arc<State>,
    peer: &Peer,
    request: Request<Incoming>,
    name: &mut &'static str,
) -> Answer {
    let (head, body) = request.into_parts();
    if head.uri.path_and_query().is_some_and(|text| text.as_str().len() > LONGEST) {
        return Err(Failure::new(414, "the path and the query are too long"));
    }
    let query = query(head.uri.query().unwrap_or(""))?;
    let list = query.iter().any(|(name, value)| name == "list" && value == "true");
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
    let path = decoded(path).ok_or_else(|| Failure::bad("the path is no UTF-8"))?;
    let found = routes::find(operation, &path);
    if let Ok((route, _)) = &found {
        *name = route.name;
    }
    let call = Call {
        id: routes::request_id(),
        state: state.clone(),
        route: found.as_ref().ok().map(|(route, _)| *route),
        path,
        params: Vec::new(),
        query,
        body: Zeroizing::default(),
        stream: None,
        visitor: None,
        line: Arc::default(),
    };
    if call.route.is_some_and(|route| route.guard == Guard::Open) {
        return done(call, found, &head.headers, peer, body).await;
    }
    let line = state.audit.begin(audit::Request {
        id: call.id.clone(),
        operation: operation.map_or("unknown", Operation::capability),
        path: shown(&call.path).into(),
        remote: peer.address.to_string(),
    });
    let unwritten = |why: String| {
        log::line(Level::Error, "audit", &[("why", why.into())]);
        Failure::internal("the audit log cannot be written")
    };
    let shared = call.line.clone();
    let line = match line {
        Ok(line) => line,
        Err(why) => {
            drained(body).await;
            return Err(unwritten(why));
        }
    };
    *lock(&shared) = Some(line);
    let reply = done(call, found, &head.headers, peer, body).await.unwrap_or_else(|f| f.reply());
    if let Some(line) = lock(&shared).take() {
        line.end(reply.status).map_err(unwritten)?;
    }
    Ok(reply)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the audit log says of a path: old clients write a token behind `auth/token/lookup/`.
fn shown(path: &str) -> &str {
    match path.strip_prefix("auth/token/").and_then(|rest| rest.find('/')) {
        Some(end) => &path[..="auth/token/".len() + end],
        None => path,
    }
}

/// Lets a request in, reads its body, and does it.
async fn done(
    mut call: Call,
    found: Result<(&'static Route, Vec<(&'static str, String)>), Failure>,
    headers: &header::HeaderMap,
    peer: &Peer,
    body: Incoming,
) -> Answer {
    let works_sealed = |route: &Route| route.guard == Guard::Open || route.path == "sys/unseal";
    let sealed = call.state.sealed() && !call.route.is_some_and(works_sealed);
    let entered = if sealed { Err(Failure::sealed()) } else { call.enter(headers, peer).await };
    let entered = entered.and_then(|()| {
        let asks = |name: &str| headers.get(name).is_some_and(|value| !value.is_empty());
        match REFUSED.into_iter().find(|name| asks(name)) {
            Some(name) => Err(Failure::bad(format!("{name} is not supported"))),
            None => Ok(()),
        }
    });
    let (route, params) = match entered.and(found) {
        Ok(found) => found,
        Err(failure) => {
            drained(body).await;
            return Err(failure);
        }
    };
    call.params = params;
    match route.body {
        Body::Json => {
            let most = call.state.config.limits.body_bytes;
            let most = if route.path.starts_with("transit/") { most } else { most.min(SETTINGS) };
            call.body = collected(&call.state, headers, body, most).await?;
        }
        Body::Stream => call.stream = Some(body),
    }
    (route.handler)(call).await
}

/// Takes in the body of a request that is refused, if it is short: an answer that leaves before the body has come ends the
/// connection, and the client may never see it.
async fn drained(mut body: Incoming) {
    const MOST: u64 = 1 << 20;
    let known = body.size_hint().lower();
    let read = async {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, |data| data.len() as u64);
            if seen > MOST {
                break;
            }
        }
    };
    if known <= MOST {
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), read).await;
    }
}

/// The whole body, within the limits of size and time.
async fn collected(
    state: &State,
    headers: &header::HeaderMap,
    mut body: Incoming,
    most: usize,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let large = || Failure::new(413, "request body too large");
    let said = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if said.is_some_and(|said: u64| said > most as u64) {
        return Err(large());
    }
    // Of the full size where it is known: growth would leave copies.
    let mut whole =
        Zeroizing::new(Vec::with_capacity(body.size_hint().exact().unwrap_or(4096) as usize));
    let read = async {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Failure::bad("the body broke off"))?;
            let Ok(mut data) = frame.into_data() else { continue };
            if whole.len() + data.len() > most {
                return Err(large());
            }
            if whole.capacity() - whole.len() < data.len() {
                let mut larger = Zeroizing::new(Vec::with_capacity(2 * (whole.len() + data.len())));
                larger.extend_from_slice(&whole);
                whole = larger;
            }
            while data.has_remaining() {
                let some = data.chunk();
                whole.extend_from_slice(some);
                let n = some.len();
                data.advance(n);
            }
        }
        Ok(())
    };
    tokio::time::timeout(state.config.limits.read(), read)
        .await
        .map_err(|_| Failure::new(408, "the body did not come in time"))??;
    state.metrics.received.fetch_add(whole.len() as u64, Relaxed);
    Ok(whole)
}

/// The parameters of a query.
fn query(text: &str) -> Result<Vec<(String, String)>, Failure> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            decoded(name).zip(decoded(&value.replace('+', " ")))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| Failure::bad("the query is no UTF-8"))
}

/// Without percent signs.
fn decoded(text: &str) -> Option<String> {
    let digit = |c: Option<&u8>| c.and_then(|c| char::from(*c).to_digit(16));
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while i < bytes.len() {
        match (bytes[i], digit(bytes.get(i + 1)), digit(bytes.get(i + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                i += 3;
            }
            (b'%', ..) => return None,
            (c, ..) => {
                out.push(c);
                i += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_paths() {
        for (path, said) in [
            ("auth/token/lookup/hvs.secret", "auth/token/lookup/"),
            ("auth/token/lookup", "auth/token/lookup"),
            ("auth/token/", "auth/token/"),
            ("transit/keys/a/rotate", "transit/keys/a/rotate"),
        ] {
            assert_eq!(shown(path), said);
        }
    }

    #[test]
    fn percent_signs() {
        assert_eq!(decoded("a%2Fb%c3%a4"), Some("a/b\u{e4}".into()));
        for wrong in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
        assert_eq!(
            query("list=true&a"),
            Ok(vec![("list".into(), "true".into()), ("a".into(), String::new())])
        );
    }
}
