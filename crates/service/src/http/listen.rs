//! Listeners: TCP, plain on loopback or with TLS; a Unix socket. HTTP/1.1 and HTTP/2. A stop accepts no more
//! connections, and finishes the requests that were accepted.

use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use bulat::Streebog256;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_rustls::TlsAcceptor;
use zeroize::Zeroizing;

use super::places::{Places, Seat};
use super::server::{self, Peer};
use crate::call::Certificate;
use crate::config::{Level, Tls, pem_text};
use crate::locks::{self, OnDrop};
use crate::log;
use crate::state::State;

/// The parts that all listeners share.
#[derive(Clone)]
struct Common {
    state: Arc<State>,
    builder: Arc<Builder<TokioExecutor>>,
    places: Arc<Places>,
    stop: watch::Receiver<bool>,
    /// TLS by the present files; SIGHUP reads them again.
    tls: Option<Arc<RwLock<TlsAcceptor>>>,
}

/// Listens until SIGTERM or SIGINT; then finishes the accepted requests. Errors: those of the system, for an address; a
/// sentence for the user, for a certificate.
pub async fn run(state: Arc<State>) -> io::Result<()> {
    let config = &state.config;
    let tls = config.tls.as_ref().map(acceptor).transpose().map_err(io::Error::other)?;
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let mut hup = signal(SignalKind::hangup())?;
    let (stop, stopped) = watch::channel(false);
    let common = Common {
        builder: Arc::new(builder(config.limits.read())),
        places: Places::new(config.limits.connections, config.limits.strangers),
        stop: stopped,
        tls: tls.map(|tls| Arc::new(RwLock::new(tls))),
        state: state.clone(),
    };
    let graceful = Arc::new(GracefulShutdown::new());
    let mut listeners = Vec::new();
    if let Some(address) = config.listen.tcp() {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|e| io::Error::other(format!("cannot listen on {address}: {e}")))?;
        let at = listener.local_addr()?.to_string();
        log::line(Level::Info, "listening", &[("address", at.into())]);
        listeners.push(tokio::spawn(tcp(listener, common.clone(), graceful.clone())));
    }
    if let Some(path) = &config.listen.unix {
        let listener = bind(path)
            .map_err(|e| io::Error::other(format!("cannot listen on {}: {e}", path.display())))?;
        log::line(Level::Info, "listening", &[("socket", path.display().to_string().into())]);
        listeners.push(tokio::spawn(unix(listener, common.clone(), graceful.clone())));
    }
    let kept = tokio::spawn(keep(state.clone()));
    notify("READY=1");
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    // After a pause they run once, not as often as they were missed: two looks at deletions are a minute apart.
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    minute.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = term.recv() => break,
            _ = int.recv() => break,
            _ = hup.recv() => {
                if let Err(why) = state.audit.reopen() {
                    log::line(Level::Error, "audit", &[("why", why.into())]);
                }
                common.read_again();
                state.ring.look().await;
            }
            _ = second.tick() => state.ring.look_for_root().await,
            _ = minute.tick() => {
                let auth = state.auth.clone();
                // An error is no harm: expired tokens are refused in any case.
                tokio::task::spawn_blocking(move || auth.sweep());
                state.ring.look().await;
                state.ring.tidy().await;
            }
        }
    }
    kept.abort();
    notify("STOPPING=1");
    log::line(Level::Info, "stopping", &[]);
    let _ = stop.send(true);
    for listener in listeners {
        let _ = listener.await;
    }
    if let Some(path) = &config.listen.unix {
        let _ = std::fs::remove_file(path);
    }
    let stop_time = Duration::from_secs(config.limits.stop_seconds);
    let finished = match Arc::into_inner(graceful) {
        Some(all) => tokio::time::timeout(stop_time, all.shutdown()).await.is_ok(),
        None => false,
    };
    state.ring.give_back().await;
    log::line(Level::Info, "stopped", &[("finished", finished.into())]);
    Ok(())
}

/// Reads the log of changes before requests have to wait for that.
async fn keep(state: Arc<State>) {
    let mut half = tokio::time::interval(Duration::from_millis(500));
    half.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        half.tick().await;
        state.ring.keep().await;
        // After an error requests ask by themselves, and give the reason.
        let _ = state.auth.away(crate::auth::Auth::keep).await;
    }
}

/// Concurrent requests of one HTTP/2 connection; more wait at the client. Each uses memory before it has shown a token.
const STREAMS: u32 = 64;

/// Returns the settings of a connection, with the time for the head of a request.
pub fn builder(read: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(read)
        .max_buf_size(64 << 10)
        .max_headers(64);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(read)
        .keep_alive_timeout(read)
        .max_header_list_size(16 << 10)
        .max_concurrent_streams(STREAMS);
    builder
}

async fn tcp(listener: TcpListener, mut common: Common, graceful: Arc<GracefulShutdown>) {
    while let Some((stream, address)) = common.accepted(|| listener.accept()).await {
        let Some(seat) = common.seat(Some(address.ip())).await else { return };
        let _ = stream.set_nodelay(true);
        // A client that does not read its answer loses the connection.
        #[cfg(target_os = "linux")]
        {
            let millis = common.state.config.limits.read().as_millis();
            let millis = u32::try_from(millis).unwrap_or(u32::MAX);
            let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, millis);
        }
        let common = common.clone();
        let graceful = graceful.watcher();
        let address: Arc<str> = address.to_string().into();
        let place = seat.place().clone();
        tokio::spawn(seat.run(async move {
            let Some(tls) = common.acceptor() else {
                let peer = Peer { certificate: None, address, place };
                return common.serve(stream, peer, graceful).await;
            };
            let read = common.state.config.limits.read();
            // A client that does not complete the handshake in time is dropped.
            let Ok(Ok(stream)) = tokio::time::timeout(read, tls.accept(stream)).await else {
                return;
            };
            let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
            let certificate = shown.map(|der| {
                Arc::new(Certificate { der: der.to_vec(), hash: Streebog256::digest(der) })
            });
            let peer = Peer { certificate, address, place };
            common.serve(stream, peer, graceful).await;
        }));
    }
}

async fn unix(listener: UnixListener, mut common: Common, graceful: Arc<GracefulShutdown>) {
    while let Some((stream, _)) = common.accepted(|| listener.accept()).await {
        let Some(seat) = common.seat(None).await else { return };
        let common = common.clone();
        let graceful = graceful.watcher();
        let peer = Peer { certificate: None, address: "unix".into(), place: seat.place().clone() };
        tokio::spawn(seat.run(async move { common.serve(stream, peer, graceful).await }));
    }
}

impl Common {
    /// Returns TLS by the files as they were last read.
    fn acceptor(&self) -> Option<TlsAcceptor> {
        Some(locks::read(self.tls.as_ref()?).clone())
    }

    /// Reads the certificates and the key again, for new connections. After an error the old ones stay in use.
    fn read_again(&self) {
        let (Some(place), Some(config)) = (&self.tls, &self.state.config.tls) else { return };
        match acceptor(config) {
            Ok(new) => {
                *locks::write(place) = new;
                log::line(Level::Info, "certificates read again", &[]);
            }
            Err(why) => {
                let event = "certificates: the old ones stay in use";
                log::line(Level::Error, event, &[("why", why.into())]);
            }
        }
    }

    /// Waits for a place for a connection; `None` when the service stops.
    async fn seat(&mut self, address: Option<IpAddr>) -> Option<Seat> {
        tokio::select! {
            seat = self.places.take(address) => Some(seat),
            _ = self.stop.changed() => None,
        }
    }

    /// Waits for a connection; `None` when the service stops.
    async fn accepted<T, F: Future<Output = io::Result<T>>>(
        &mut self,
        accept: impl Fn() -> F,
    ) -> Option<T> {
        loop {
            tokio::select! {
                accepted = accept() => match accepted {
                    Ok(accepted) => return Some(accepted),
                    // The system refused a descriptor: without room the next call would fail at once.
                    Err(_) => self.places.evict(),
                },
                _ = self.stop.changed() => return None,
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn serve<S>(&self, stream: S, peer: Peer, graceful: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let state = self.state.clone();
        let open = &self.state.metrics.connections;
        open.fetch_add(1, Relaxed);
        let _counted = OnDrop(|| _ = open.fetch_sub(1, Relaxed));
        let begun = Arc::new(AtomicBool::new(false));
        let begins = begun.clone();
        let place = peer.place.clone();
        let service = service_fn(move |request| {
            begins.store(true, Relaxed);
            server::answer(state.clone(), peer.clone(), request)
        });
        let connection = self.builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let mut connection = pin!(graceful.watch(connection));
        let read = self.state.config.limits.read();
        // A broken connection is the client's affair. One that sends no request, or reads no answer, is dropped.
        if tokio::time::timeout(read, &mut connection).await.is_err() && begun.load(Relaxed) {
            tokio::select! {
                _ = connection => {}
                () = place.reads_nothing(read) => {}
            }
        }
    }
}

/// Binds the socket, in place of one that a killed service has left.
fn bind(path: &Path) -> io::Result<UnixListener> {
    match UnixListener::bind(path) {
        Err(e) if e.kind() == ErrorKind::AddrInUse => {
            let socket = std::fs::symlink_metadata(path)?.file_type().is_socket();
            if !socket || std::os::unix::net::UnixStream::connect(path).is_ok() {
                return Err(e);
            }
            std::fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        other => other,
    }
}

/// Makes an acceptor of TLS from the files of the configuration.
pub fn acceptor(tls: &Tls) -> Result<TlsAcceptor, String> {
    let chain = certificates("certificate", &tls.certificate)?;
    let key = read("key", &tls.key)?;
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|e| unreadable("key", &tls.key, &e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?;
    let builder = match &tls.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates("client_ca", path)? {
                roots.add(certificate).map_err(|e| format!("{}: {e}", path.display()))?;
            }
            let mut verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            if let Some(path) = &tls.client_crl {
                let wrong = |e: pem::Error| unreadable("client_crl", path, &e);
                let text = read("client_crl", path)?;
                let lists = CertificateRevocationListDer::pem_slice_iter(&text);
                let lists: Vec<_> = lists.collect::<Result<_, _>>().map_err(wrong)?;
                if lists.is_empty() {
                    return Err(format!("[tls] client_crl {}: no list", path.display()));
                }
                verifier = verifier.with_crls(lists);
            }
            if !tls.require_client {
                verifier = verifier.allow_unauthenticated();
            }
            builder.with_client_cert_verifier(verifier.build().map_err(|e| e.to_string())?)
        }
    };
    let mut config = builder.with_single_cert(chain, key).map_err(|e| format!("[tls]: {e}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(field: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |e: pem::Error| unreadable(field, path, &e);
    let text = read(field, path)?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match all.map_err(wrong)? {
        none if none.is_empty() => Err(format!("[tls] {field} {}: no certificate", path.display())),
        all => Ok(all),
    }
}

fn read(field: &str, path: &Path) -> Result<Zeroizing<Vec<u8>>, String> {
    pem_text(path).map_err(|e| unreadable(field, path, &pem::Error::Io(e)))
}

/// The error for a PEM file that cannot be used.
fn unreadable(field: &str, path: &Path, why: &pem::Error) -> String {
    let why = match why {
        pem::Error::Io(e) => e.to_string(),
        pem::Error::NoItemsFound => "it has no item of this kind".into(),
        other => other.to_string(),
    };
    let hint = if path.starts_with("/run/credentials") {
        " (systemd puts it there for the service; without systemd name the file itself)"
    } else {
        ""
    };
    format!("[tls] {field} {}: {why}{hint}", path.display())
}

/// Notifies systemd, if it waits.
fn notify(text: &str) {
    if let Some(path) = std::env::var_os("NOTIFY_SOCKET")
        && let Ok(socket) = UnixDatagram::unbound()
    {
        let _ = socket.send_to(text.as_bytes(), path);
    }
}
