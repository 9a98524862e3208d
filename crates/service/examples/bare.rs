//! A server of the service's libraries without the service: it reads each request to its end, and answers always with
//! one text. `load --bare N` starts it, as `bare PORT TEXT`, and compares processor times.

use std::sync::Arc;
use std::time::Duration;

use bulatd::http::listen;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

type Error = Box<dyn std::error::Error>;

async fn serve(port: u16, text: Bytes) -> Result<(), Error> {
    let builder = Arc::new(listen::builder(Duration::from_secs(30)));
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (builder, text) = (builder.clone(), text.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| {
                let text = text.clone();
                async move {
                    request.into_body().collect().await?;
                    let mut answer = Response::new(Full::new(text));
                    let headers = answer.headers_mut();
                    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
                    let kind = HeaderValue::from_static("application/json");
                    headers.insert(header::CONTENT_TYPE, kind);
                    Ok::<_, hyper::Error>(answer)
                }
            });
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let [_, port, text] = &words[..] else { return Err("bare PORT TEXT".into()) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(port.parse()?, text.clone().into()))
}
