//! Connections: plain on loopback, TLS, a Unix socket; HTTP/1.1 and 2; sizes, times, and a stop that finishes what it has taken.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::{Request, Response, header};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use zeroize::Zeroizing;

use super::State;
use super::errors::Failure;
use super::routes::{self, Answer, Call, Operation, Reply};
use crate::config::Level;
use crate::log;

/// Listens until SIGTERM or SIGINT, then finishes what was accepted.
///
/// # Errors
/// What the system says of the address.
pub async fn run(state: Arc<State>) -> io::Result<()> {
    let address = state.config.listen.address.expect("checked");
    let listener = TcpListener::bind(address).await?;
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(state.config.limits.read());
    builder.http2().timer(TokioTimer::new());
    log::line(Level::Info, "listening", &[("address", listener.local_addr()?.to_string().into())]);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let _ = stream.set_nodelay(true);
                let state = state.clone();
                let service = hyper::service::service_fn(move |request| answer(state.clone(), request));
                let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
                tokio::spawn(graceful.watch(connection));
            }
            _ = term.recv() => break,
            _ = int.recv() => break,
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(state.config.limits.stop(), graceful.shutdown()).await;
    Ok(())
}

async fn answer(
    state: Arc<State>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let start = Instant::now();
    let mut name = "unknown";
    let answer = work(&state, request, &mut name).await;
    let reply = answer.unwrap_or_else(|failure| Reply {
        status: failure.status,
        kind: "application/json",
        body: failure.body().into(),
    });
    state.metrics.request(name, reply.status, start.elapsed());
    state.metrics.sent.fetch_add(reply.body.len() as u64, Relaxed);
    let mut response =
        Response::builder().status(reply.status).header(header::CACHE_CONTROL, "no-store");
    if !reply.kind.is_empty() {
        response = response.header(header::CONTENT_TYPE, reply.kind);
    }
    let body = Full::new(Bytes::from_owner(reply.body));
    Ok(response.body(body).unwrap_or_else(|_| Response::new(Full::default())))
}

async fn work(state: &Arc<State>, request: Request<Incoming>, name: &mut &'static str) -> Answer {
    let query: Vec<(String, String)> = request
        .uri()
        .query()
        .unwrap_or("")
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .collect();
    let list = query.iter().any(|(n, v)| n == "list" && v == "true");
    let operation = match request.method().as_str() {
        "GET" | "HEAD" if list => Operation::List,
        "GET" | "HEAD" => Operation::Read,
        "LIST" => Operation::List,
        "POST" | "PUT" => Operation::Update,
        "DELETE" => Operation::Delete,
        _ => return Err(Failure::new(405, "unsupported operation")),
    };
    let path = request.uri().path().strip_prefix("/v1/").unwrap_or("").trim_end_matches('/');
    let (route, params) = routes::find(operation, path)?;
    *name = route.name;
    let body = Limited::new(request.into_body(), state.config.limits.body_bytes);
    let body = tokio::time::timeout(state.config.limits.read(), body.collect())
        .await
        .map_err(|_| Failure::new(408, "the body did not come in time"))?
        .map_err(|_| Failure::new(413, "request body too large"))?
        .to_bytes();
    state.metrics.received.fetch_add(body.len() as u64, Relaxed);
    let body = Zeroizing::new(body.to_vec());
    (route.handler)(Call { state: state.clone(), params, query, body }).await
}
