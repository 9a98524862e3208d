//! The server from outside, with a client that writes HTTP by hand: streams, stops, refusals.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Server {
    process: Child,
    address: String,
}

struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
    /// The body came with its end.
    whole: bool,
}

impl Server {
    fn start() -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_bulatd"))
            .args(["server", "--dev", "--listen", "127.0.0.1:0", "--dev-token", "token"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server");
        let mut lines = BufReader::new(process.stderr.take().expect("piped")).lines();
        let line = lines.next().expect("a line").expect("text");
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let address = line["address"].as_str().expect("an address").to_string();
        // Later output must not block the server.
        std::thread::spawn(move || lines.for_each(drop));
        Server { process, address }
    }

    fn connect(&self, head: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let head = format!("{head}\r\nHost: x\r\nConnection: close\r\nX-Vault-Token: token\r\n");
        stream.write_all(head.as_bytes()).expect("written");
        stream
    }

    fn call(&self, method: &str, path: &str, body: &[u8]) -> Reply {
        let mut stream = self.connect(&format!("{method} /v1/{path} HTTP/1.1"));
        let writer = {
            let mut stream = stream.try_clone().expect("a copy");
            let body = body.to_vec();
            std::thread::spawn(move || {
                let head = format!("Content-Length: {}\r\n\r\n", body.len());
                // A server that has refused the request reads no further.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            })
        };
        let reply = read(&mut stream);
        writer.join().expect("written");
        reply
    }

    fn stop(mut self) -> Option<i32> {
        self.signal();
        self.process.wait().expect("an end").code()
    }

    fn signal(&self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    }
}

/// Reads an answer to its end, chunked or not.
fn read(stream: &mut TcpStream) -> Reply {
    let mut all = Vec::new();
    let ended = stream.read_to_end(&mut all).is_ok();
    let at = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(all[..at].to_vec()).expect("text").to_lowercase();
    let status = head[9..12].parse().expect("a status");
    let mut rest = &all[at + 4..];
    if !head.contains("transfer-encoding: chunked") {
        let len = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let whole = ended && len.is_none_or(|len| len == rest.len().to_string());
        return Reply { status, body: rest.to_vec(), whole, head };
    }
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let line = std::str::from_utf8(&rest[..end]).expect("text");
        let n = usize::from_str_radix(line, 16).expect("a length");
        rest = &rest[end + 2..];
        if n == 0 {
            return Reply { status, head, body, whole: true };
        }
        if rest.len() < n + 2 {
            break;
        }
        body.extend_from_slice(&rest[..n]);
        rest = &rest[n + 2..];
    }
    Reply { status, head, body, whole: false }
}

const CHUNK: usize = 1 << 17;

#[test]
fn streams() {
    let server = Server::start();
    for kind in ["kuznyechik-mgm", "magma-mgm"] {
        let made = server.call(
            "POST",
            &format!("transit/keys/{kind}"),
            format!("{{\"type\":\"{kind}\"}}").as_bytes(),
        );
        assert_eq!(made.status, 200);
        let tag = if kind == "magma-mgm" { 8 } else { 16 };
        let text: Vec<u8> = (0..5 * CHUNK as u32 + 1000).map(|n| (n % 251) as u8).collect();
        let encrypt = format!("transit/stream/encrypt/{kind}?stream=a&part=3&last=false");
        let decrypt = format!("transit/stream/decrypt/{kind}?stream=a&part=3&last=false");
        for n in [0, 1, CHUNK, text.len()] {
            let sealed = server.call("POST", &encrypt, &text[..n]);
            assert!(sealed.status == 200 && sealed.whole, "{n}");
            let opened = server.call("POST", &decrypt, &sealed.body);
            assert!(opened.whole && opened.body == text[..n], "{n}");
        }
        let sealed = server.call("POST", &encrypt, &text).body;
        let head = sealed.iter().position(|c| *c == b'\n').expect("a line") + 1 + 2048;
        // From a later chunk on.
        let from = [&sealed[..head], &sealed[head + 3 * (CHUNK + tag)..]].concat();
        let opened = server.call("POST", &format!("{decrypt}&chunk=3"), &from);
        assert!(opened.whole && opened.body == text[3 * CHUNK..]);
        // Another part, another stream, no last part, another chunk, another key: nothing is decrypted.
        for other in ["stream=a&part=4&last=false", "stream=b&part=3&last=false", "stream=a&part=3"]
        {
            let path = format!("transit/stream/decrypt/{kind}?{other}");
            assert_eq!(server.call("POST", &path, &sealed).status, 400, "{other}");
        }
        // No text has gone out before the error: it is a refusal.
        assert_eq!(server.call("POST", &format!("{decrypt}&chunk=2"), &from).status, 400);
        // A changed bit in the third chunk, or a missing end: the chunks before it arrive, and no end.
        // All that is sent is read: a connection that ends before that may lose its answer.
        let mut changed = sealed.clone();
        changed[head + 2 * (CHUNK + tag) + 5] ^= 1;
        let opened = server.call("POST", &decrypt, &changed[..head + 3 * (CHUNK + tag)]);
        assert!(!opened.whole && opened.body == text[..2 * CHUNK]);
        let opened = server.call("POST", &decrypt, &sealed[..head + 4 * (CHUNK + tag)]);
        assert!(!opened.whole && text.starts_with(&opened.body));
        for cut in [0, 20, head - 1] {
            assert_eq!(server.call("POST", &decrypt, &sealed[..cut]).status, 400, "{cut}");
        }
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_stop_finishes_what_was_accepted() {
    let server = Server::start();
    assert_eq!(server.call("POST", "transit/keys/a", b"").status, 200);
    let body = br#"{"plaintext":"aGVsbG8="}"#;
    let mut slow = server.connect("POST /v1/transit/encrypt/a HTTP/1.1");
    let more = format!("Content-Length: {}\r\nExpect: 100-continue\r\n\r\n", body.len());
    slow.write_all(more.as_bytes()).expect("written");
    let mut asked = [0; 25];
    slow.read_exact(&mut asked).expect("an answer");
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    slow.write_all(&body[..5]).expect("written");
    server.signal();
    let end = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(&server.address).is_ok() {
        assert!(Instant::now() < end, "it still listens");
        std::thread::sleep(Duration::from_millis(10));
    }
    slow.write_all(&body[5..]).expect("written");
    let reply = read(&mut slow);
    assert!(reply.status == 200 && reply.body.windows(9).any(|nine| nine == b"vault:v1:"));
    assert_eq!(server.stop_again(), Some(0));
}

impl Server {
    /// Waits for the end of a server that was told to stop.
    fn stop_again(mut self) -> Option<i32> {
        self.process.wait().expect("an end").code()
    }
}

#[test]
fn what_is_refused() {
    let server = Server::start();
    let long = format!("transit/keys/a?x={}", "y".repeat(9000));
    for (method, path, body, status) in [
        ("GET", "nothing", &b""[..], 404),
        ("DELETE", "transit/random", b"", 405),
        ("PATCH", "transit/random", b"", 405),
        ("POST", "transit/keys/%ff", b"", 400),
        ("POST", "transit/keys/-a", b"", 400),
        ("POST", "transit/keys/a%2Fb", b"", 404),
        ("POST", &long, b"", 414),
        ("POST", "transit/random", b"{", 400),
        ("GET", "transit/keys/none", b"", 404),
        ("LIST", "transit/keys", b"", 404),
    ] {
        let reply = server.call(method, path, body);
        assert_eq!(reply.status, status, "{method} {path}");
        assert!(reply.head.contains("content-type: application/json\r\n"));
        let said: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
        assert!(said["errors"].is_array(), "{method} {path}");
    }
    let large = server.call("POST", "transit/encrypt/a", &vec![b' '; (32 << 20) + 1]);
    assert_eq!(large.status, 413);
    assert_eq!(server.call("POST", "sys/seal", b"").status, 204);
    assert_eq!(server.call("POST", "transit/random", b"").status, 503);
    assert_eq!(server.call("GET", "sys/health", b"").status, 503);
    assert_eq!(server.stop(), Some(0));
}
