//! The server from outside, with a client that writes HTTP by hand: stops, refusals.

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

    /// Tells the server to stop, and waits for its end.
    fn stop(mut self) -> Option<i32> {
        self.signal();
        self.process.wait().expect("an end").code()
    }

    fn signal(&self) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    }
}

/// Reads an answer to its end.
fn read(stream: &mut TcpStream) -> Reply {
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let at = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(all[..at].to_vec()).expect("text").to_lowercase();
    let status = head[9..12].parse().expect("a status");
    Reply { status, head, body: all[at + 4..].to_vec() }
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
    assert_eq!(server.stop(), Some(0));
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
