//! Load on a `bulatd` from a separate process: requests per second, latencies, the server's processor time and memory,
//! and the library's speed in the same run for comparison. It starts the servers and ends them.
//!
//! `cargo run --release -p bulatd --example load -- --help`

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use std::{cell::RefCell, fs, io};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bulat::batch::{Job, run};
use bulat::{Aead, KuznyechikMgm};
use clap::Parser;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::{http1, http2};
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpStream, UnixStream};
use tokio::task::LocalSet;

type Error = Box<dyn std::error::Error>;

const TEXT: usize = 1024;
const BATCH: usize = 100;

/// Load on a bulatd: requests per second, latencies, the server's processor time and memory
#[derive(Parser)]
struct Options {
    /// The server to start
    #[arg(long, value_name = "FILE", default_value_os_t = beside())]
    server: PathBuf,
    /// Requests in each row
    #[arg(long, value_name = "N", default_value_t = 2000)]
    requests: u64,
    /// Connections with HTTP/1.1, streams with HTTP/2
    #[arg(long, value_name = "N", default_value_t = 16)]
    connections: usize,
    /// Type of the key
    #[arg(long = "type", value_name = "NAME", default_value = "kuznyechik-mgm")]
    key: String,
    /// Only rows with this word in their names
    #[arg(long, value_name = "WORD", default_value = "")]
    only: String,
    /// Instead: N requests of 1 KB, the server's memory at each tenth
    #[arg(long, value_name = "N")]
    memory: Option<u64>,
    /// Instead: N rounds of 1 KB, processor time of it and of a server without work (bare, next to this program)
    #[arg(long, value_name = "N")]
    bare: Option<usize>,
    /// Fail unless every answer is right and memory stays flat
    #[arg(long)]
    check: bool,
}

/// Returns the server next to the folder of this program.
fn beside() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("bulatd")
}

/// The address of a server.
#[derive(Clone)]
enum Place {
    Port(u16),
    Socket(PathBuf),
}

/// A server over SQLite in its own folder. It ends when this value is dropped.
struct Server {
    child: Child,
    place: Place,
    token: String,
    folder: PathBuf,
}

/// The settings of a server.
#[derive(Clone, Copy)]
struct Way {
    window: bool,
    socket: bool,
    audit: bool,
}

const USUAL: Way = Way { window: true, socket: false, audit: true };

fn free_port() -> io::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

impl Server {
    fn start(options: &Options, way: Way) -> Result<Self, Error> {
        let port = free_port()?;
        let folder =
            std::env::temp_dir().join(format!("bulatd-load-{}-{port}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let (place, listen) = if way.socket {
            let path = folder.join("socket");
            (Place::Socket(path.clone()), format!("unix = {path:?}"))
        } else {
            (Place::Port(port), format!("address = \"127.0.0.1:{port}\"\nplain = true"))
        };
        let [config, root, database, audit] =
            ["bulatd.toml", "root.key", "bulatd.db", "audit.log"].map(|name| folder.join(name));
        fs::write(&root, "07".repeat(32))?;
        fs::set_permissions(&root, fs::Permissions::from_mode(0o600))?;
        let audit = if way.audit { format!("[audit]\nfile = {audit:?}\n") } else { String::new() };
        fs::write(
            &config,
            format!(
                "[listen]\n{listen}\n[database]\nurl = \"sqlite:{}\"\n[root]\nfile = {root:?}\n{audit}\
                 [batch]\ncollect = {}\n",
                database.display(),
                way.window,
            ),
        )?;
        let made =
            Command::new(&options.server).arg("init").arg("--config").arg(&config).output()?;
        let said = String::from_utf8(made.stdout)?;
        let token = said.split_whitespace().last().ok_or("init prints no token")?.to_owned();
        let log = fs::File::create(folder.join("log"))?;
        let child = Command::new(&options.server)
            .arg("server")
            .arg("--config")
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        Ok(Server { child, place, token, folder })
    }

    /// Starts a server that answers always with this text.
    fn bare(text: &str) -> Result<Self, Error> {
        let port = free_port()?;
        let program = std::env::current_exe()?.with_file_name("bare");
        let child = Command::new(program).arg(port.to_string()).arg(text).spawn()?;
        Ok(Server { child, place: Place::Port(port), token: "none".into(), folder: PathBuf::new() })
    }

    /// Returns the seconds of processor time so far, of its present threads and of the system for them. In nanoseconds:
    /// `stat` counts hundredths of a second, which are 5 µs a request for 2000.
    fn processor_time(&self) -> f64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten();
        let time = |thread: io::Result<fs::DirEntry>| -> Option<f64> {
            let stat = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            stat.split_whitespace().next()?.parse().ok()
        };
        threads.filter_map(time).sum::<f64>() / 1e9
    }

    /// Returns the resident memory in KiB.
    fn memory(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap_or(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A connection.
enum Sender {
    One(http1::SendRequest<Full<Bytes>>),
    Two(http2::SendRequest<Full<Bytes>>),
}

impl Sender {
    async fn connect(place: &Place, two: bool) -> Result<Self, Error> {
        match place {
            Place::Port(port) => {
                let stream = TcpStream::connect(("127.0.0.1", *port)).await?;
                stream.set_nodelay(true)?;
                Self::over(TokioIo::new(stream), two).await
            }
            Place::Socket(path) => {
                Self::over(TokioIo::new(UnixStream::connect(path).await?), two).await
            }
        }
    }

    async fn over<I>(io: I, two: bool) -> Result<Self, Error>
    where
        I: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
    {
        if two {
            let (sender, connection) = http2::handshake(TokioExecutor::new(), io).await?;
            tokio::spawn(connection);
            Ok(Sender::Two(sender))
        } else {
            let (sender, connection) = http1::handshake(io).await?;
            tokio::spawn(connection);
            Ok(Sender::One(sender))
        }
    }

    async fn send(
        &mut self,
        token: &str,
        path: &str,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), Error> {
        let place = if matches!(self, Sender::Two(_)) { "http://localhost" } else { "" };
        let request = Request::post(format!("{place}/v1/{path}"))
            .header("host", "localhost")
            .header("x-vault-token", token)
            .body(Full::new(body))?;
        let answer = match self {
            Sender::One(sender) => sender.send_request(request).await?,
            Sender::Two(sender) => sender.send_request(request).await?,
        };
        let status = answer.status();
        Ok((status, answer.into_body().collect().await?.to_bytes()))
    }
}

/// The requests of a row, with the bytes of text in each.
struct Kind {
    name: &'static str,
    path: &'static str,
    body: Bytes,
    bytes: usize,
}

fn kinds() -> [Kind; 3] {
    let text = BASE64_STANDARD.encode([7; TEXT]);
    let item = format!("{{\"plaintext\":\"{text}\"}}");
    let batch = format!("{{\"batch_input\":[{}]}}", vec![item.as_str(); BATCH].join(","));
    let encrypt = "transit/encrypt/load";
    [
        ("encrypt 1 KB", encrypt, item, TEXT),
        ("batch of 100", encrypt, batch, TEXT * BATCH),
        ("data key", "transit/datakey/plaintext/load", "{}".into(), 32),
    ]
    .map(|(name, path, body, bytes)| Kind { name, path, body: body.into(), bytes })
}

/// Sends `requests` requests over `connections` connections, each after the last answer, and returns the latencies.
async fn load(
    server: &Server,
    kind: &Kind,
    two: bool,
    connections: usize,
    requests: u64,
) -> Result<Vec<Duration>, Error> {
    let left = Rc::new(RefCell::new(requests));
    let times = Rc::new(RefCell::new(Vec::new()));
    let (mut senders, mut tasks) = (Vec::new(), Vec::new());
    for _ in 0..connections {
        senders.push(match senders.first() {
            Some(Sender::Two(sender)) => Sender::Two(sender.clone()),
            _ => Sender::connect(&server.place, two).await?,
        });
    }
    for mut sender in senders {
        let (left, times) = (left.clone(), times.clone());
        let (token, path, body) = (server.token.clone(), kind.path, kind.body.clone());
        tasks.push(tokio::task::spawn_local(async move {
            loop {
                {
                    let mut left = left.borrow_mut();
                    if *left == 0 {
                        return Ok::<_, String>(());
                    }
                    *left -= 1;
                }
                let start = Instant::now();
                let (status, text) =
                    sender.send(&token, path, body.clone()).await.map_err(|e| e.to_string())?;
                times.borrow_mut().push(start.elapsed());
                if status != StatusCode::OK || !contains(&text, b"vault:v") {
                    return Err(format!("{status}: {}", String::from_utf8_lossy(&text)));
                }
            }
        }));
    }
    for task in tasks {
        task.await??;
    }
    Ok(Rc::try_unwrap(times).map_err(|_| "a task still runs")?.into_inner())
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// Waits for the server and creates the key.
async fn ready(server: &Server, options: &Options) -> Result<(), Error> {
    let start = Instant::now();
    loop {
        let made = async {
            let mut sender = Sender::connect(&server.place, false).await?;
            let body = format!("{{\"type\":\"{}\"}}", options.key);
            sender.send(&server.token, "transit/keys/load", body.into()).await
        };
        match made.await {
            Ok((status, _)) if status.is_success() => return Ok(()),
            Ok((status, text)) => {
                return Err(format!("{status}: {}", String::from_utf8_lossy(&text)).into());
            }
            Err(_) if start.elapsed() < Duration::from_secs(10) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns the library's speed on one core, in MB/s: in calls of 1 KB, and of a hundred texts of 1 KB.
fn library() -> [f64; 2] {
    let aead = KuznyechikMgm::new(&[7; 32]);
    let mut nonce = 0u128;
    let mut next = || {
        nonce += 1;
        nonce.to_be_bytes()
    };
    let timed = |work: &mut dyn FnMut() -> usize| {
        let (start, mut bytes) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_millis(500) {
            bytes += work();
        }
        bytes as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    let mut text = [7u8; TEXT];
    let single = timed(&mut || {
        std::hint::black_box(aead.seal_in_place(&next(), b"", &mut text)).ok();
        TEXT
    });
    let mut texts = vec![[7u8; TEXT]; BATCH];
    let mut tags = vec![[0u8; 16]; BATCH];
    let batch = timed(&mut || {
        let nonces: Vec<_> = (0..BATCH).map(|_| next()).collect();
        let jobs = texts
            .iter_mut()
            .zip(&mut tags)
            .zip(&nonces)
            .map(|((text, tag), nonce)| Job::seal(&aead, nonce, b"", text.as_mut_slice(), tag))
            .collect();
        std::hint::black_box(run(jobs));
        BATCH * TEXT
    });
    [single, batch]
}

async fn rows(options: &Options) -> Result<(), Error> {
    let [single, batch] = library();
    println!(
        "The library on one core: {single:.0} MB/s in calls of 1 KB, {batch:.0} MB/s in calls of {BATCH} times 1 KB.\n"
    );
    println!(
        "| row | requests/s | p50, µs | p99, µs | MB/s | server's cores | MB/s a server's core |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for way in [USUAL, Way { window: false, ..USUAL }, Way { socket: true, ..USUAL }] {
        let server = Server::start(options, way)?;
        ready(&server, options).await?;
        for two in [false, true] {
            for kind in kinds() {
                let name = format!(
                    "{}, HTTP/{}{}{}",
                    kind.name,
                    if two { "2" } else { "1.1" },
                    if way.socket { ", Unix socket" } else { "" },
                    if way.window { "" } else { ", no window" },
                );
                if !name.contains(&options.only) {
                    continue;
                }
                let requests =
                    if kind.bytes > TEXT { options.requests / 20 } else { options.requests }.max(1);
                // A first run to warm up.
                load(&server, &kind, two, options.connections, requests / 10 + 1).await?;
                let (start, before) = (Instant::now(), server.processor_time());
                let mut times = load(&server, &kind, two, options.connections, requests).await?;
                let wall = start.elapsed().as_secs_f64();
                let cores = (server.processor_time() - before) / wall;
                times.sort_unstable();
                let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_micros();
                let speed = requests as f64 * kind.bytes as f64 / wall / 1e6;
                println!(
                    "| {name} | {:.0} | {} | {} | {speed:.1} | {cores:.2} | {:.1} |",
                    requests as f64 / wall,
                    at(0.5),
                    at(0.99),
                    speed / cores.max(0.01),
                );
            }
        }
    }
    Ok(())
}

/// Prints the memory over many requests. Between the second tenth and the last it may grow by a tenth.
async fn memory(options: &Options, requests: u64) -> Result<(), Error> {
    let server = Server::start(options, USUAL)?;
    ready(&server, options).await?;
    let [kind, ..] = kinds();
    let mut seen = Vec::new();
    println!("| requests | server's memory, KiB |\n|--:|--:|");
    for n in 1..=10 {
        load(&server, &kind, false, options.connections, requests / 10).await?;
        seen.push(server.memory());
        println!("| {} | {} |", n * (requests / 10), server.memory());
    }
    if options.check && seen[9] > seen[1] + seen[1] / 10 {
        return Err(format!("memory grows: {} KiB, then {} KiB", seen[1], seen[9]).into());
    }
    Ok(())
}

/// Prints the processor time of a request of 1 KB over HTTP/1.1: of the service, of the service with parts switched off,
/// and of a server that does no work. In turn.
async fn compare(options: &Options, rounds: usize) -> Result<(), Error> {
    let [kind, ..] = kinds();
    let ways = [
        ("all of it", USUAL),
        ("no window", Way { window: false, ..USUAL }),
        ("no audit log", Way { audit: false, ..USUAL }),
        ("neither", Way { window: false, audit: false, ..USUAL }),
    ];
    let mut servers = Vec::new();
    for (name, way) in ways {
        let server = Server::start(options, way)?;
        ready(&server, options).await?;
        servers.push((name, server, Vec::new()));
    }
    let mut sender = Sender::connect(&servers[0].1.place, false).await?;
    let (_, text) = sender.send(&servers[0].1.token, kind.path, kind.body.clone()).await?;
    let bare = Server::bare(&String::from_utf8_lossy(&text))?;
    ready(&bare, options).await?;
    servers.push(("without work", bare, Vec::new()));
    for _ in 0..rounds {
        for (_, server, times) in &mut servers {
            load(server, &kind, false, options.connections, options.requests / 10 + 1).await?;
            let before = server.processor_time();
            load(server, &kind, false, options.connections, options.requests).await?;
            times.push((server.processor_time() - before) * 1e6 / options.requests as f64);
        }
    }
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let bare = servers.last().map_or(0.0, |(.., times)| least(times));
    println!("| encrypt 1 KB, least of {rounds} | processor time, µs | to no work |");
    println!("|---|--:|--:|");
    for (name, _, times) in &servers {
        println!("| {name} | {:.1} | {:.2} |", least(times), least(times) / bare);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let options = Options::parse();
    if !options.server.exists() {
        return Err(format!("no server at {}", options.server.display()).into());
    }
    // On one thread: the other cores are for the server.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async {
        match (options.memory, options.bare) {
            (Some(requests), _) => memory(&options, requests).await,
            (None, Some(rounds)) => compare(&options, rounds).await,
            (None, None) => rows(&options).await,
        }
    })
}
