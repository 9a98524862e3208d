//! The Unix socket: the daemon's requests and events, the state as text (`PROTOCOL.md`).
//!
//! | file | contents |
//! |---|---|
//! | [`message`], [`value`] | the table of verbs and fields; messages from bytes, and to bytes |
//! | [`state`] | the requests' work on the SAs and policies; limits in seconds |
//! | [`clones`] | signs that the machine was cloned or slept |
//! | [`report`] | the state for people and for Prometheus |
//! | [`client`] | the other side of the socket, for the command |
//!
//! One thread serves all connections. It never waits for a peer: messages that a peer does not read stay in a list
//! of limited length. A flood of IKE messages from the wire fills a separate list, which gets a part of each turn.

pub mod client;
pub mod clones;
pub mod message;
pub mod report;
pub mod state;
pub mod value;

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use zeroize::Zeroize;

use clones::Clones;
use message::{Answer, Datagram, Reason, Refusal, Request};
use state::{Facts, State};

use crate::sys::local::{self, Ready, Wait, Wake};
use crate::table::{Event, Table};

/// Connections at most.
const CONNECTIONS: usize = 64;
/// Messages that a peer has not read, at most: then it is cut off, or loses IKE messages.
const UNREAD: usize = 4096;
/// Bytes of IKE messages that wait for the thread of control, and for the daemon, at most: then further ones are lost.
const WAITING: usize = 4 << 20;
/// Messages of other threads in a turn, before the thread of control serves its connections again.
const TURN: usize = 512;
/// Bytes of a part of a long text.
const PART: usize = 60_000;

/// The socket of control, bound; and the watch for clones, which gets a larger buffer from root.
pub struct Listener {
    socket: OwnedFd,
    /// Who may connect, besides root.
    owner: u32,
    clones: Clones,
}

impl Listener {
    /// Creates the socket, in the place of a socket that nobody serves. Errors: the system's answer;
    /// [`ErrorKind::AddrInUse`] if another process serves the path, or it is no socket.
    pub fn bind(path: &Path) -> io::Result<Self> {
        let socket = match local::listen(path) {
            Err(in_use) if in_use.kind() == ErrorKind::AddrInUse => {
                // A file that is no socket refuses a connection, too.
                if !std::fs::symlink_metadata(path)?.file_type().is_socket() {
                    return Err(in_use);
                }
                match local::connect(path) {
                    Err(e) if e.kind() == ErrorKind::ConnectionRefused => {
                        std::fs::remove_file(path)?;
                        local::listen(path)?
                    }
                    _ => return Err(in_use),
                }
            }
            socket => socket?,
        };
        Ok(Listener { socket, owner: local::user(), clones: Clones::new() })
    }
}

/// Sends an IKE message: our address, the peer's, the DSCP, the message without its marker.
pub type SendIke = Box<dyn Fn(&Datagram<'_>) -> io::Result<()> + Send>;

/// The thread of control, for other threads.
#[derive(Clone)]
pub struct Handle {
    ike: SyncSender<Vec<u8>>,
    /// The bytes of the IKE messages that wait.
    waiting: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    wake: Arc<Wake>,
}

impl Handle {
    /// Gives an IKE message to the daemon. Without a daemon, or with too many messages that wait, it is lost.
    pub fn ike(&self, local: SocketAddr, remote: SocketAddr, dscp: u8, message: &[u8]) {
        if self.waiting.load(Relaxed) + message.len() > WAITING {
            return;
        }
        let message = Datagram { local, remote, dscp, message }.bytes();
        let len = message.len();
        let before = self.waiting.fetch_add(len, Relaxed);
        if before + len > WAITING || self.ike.try_send(message).is_err() {
            self.waiting.fetch_sub(len, Relaxed);
            return;
        }
        self.wake.wake();
    }

    /// Ends [`Server::run`].
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.wake.wake();
    }
}

/// A connection.
struct Client {
    socket: OwnedFd,
    subscribed: bool,
    /// It carries IKE messages.
    ike: bool,
    unread: VecDeque<Vec<u8>>,
    /// The bytes of these messages.
    bytes: usize,
    gone: bool,
}

impl Client {
    fn new(socket: OwnedFd) -> Self {
        let unread = VecDeque::new();
        Client { socket, subscribed: false, ike: false, unread, bytes: 0, gone: false }
    }

    /// Sends a message, now or when the peer has read others.
    fn send(&mut self, message: Vec<u8>, may_be_lost: bool) {
        let full = may_be_lost && self.bytes + message.len() > WAITING;
        if full || self.unread.len() >= UNREAD {
            // A subscriber that has lost an event must know it: it asks anew after it has connected again.
            self.gone |= !may_be_lost;
            return;
        }
        self.bytes += message.len();
        self.unread.push_back(message);
        self.flush();
    }

    fn flush(&mut self) {
        while let Some(message) = self.unread.front() {
            match local::send(&self.socket, message) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.gone = true;
                    return;
                }
                Ok(()) => {
                    self.bytes -= message.len();
                    self.unread.pop_front();
                }
            }
        }
    }
}

/// The server of the socket.
pub struct Server {
    listener: Listener,
    state: State,
    events: Receiver<Event>,
    messages: Receiver<Vec<u8>>,
    handle: Handle,
    clients: Vec<Client>,
}

impl Server {
    /// Makes a server of the table. Starts a thread, which passes the events of the receiver on.
    pub fn new(
        listener: Listener,
        facts: Facts,
        table: Arc<Table>,
        events: Receiver<Event>,
    ) -> io::Result<Self> {
        let (ike, messages) = mpsc::sync_channel(UNREAD);
        let wake = Arc::new(Wake::new()?);
        let (to, news) = mpsc::sync_channel(UNREAD);
        let waker = wake.clone();
        thread::Builder::new().name("events".into()).spawn(move || {
            while let Ok(event) = events.recv() {
                if to.send(event).is_err() {
                    return;
                }
                waker.wake();
            }
        })?;
        let handle = Handle { ike, waiting: Arc::default(), stop: Arc::default(), wake };
        let state = State::new(table, facts);
        let clients = Vec::new();
        Ok(Server { listener, state, events: news, messages, handle, clients })
    }

    /// Returns the handle for other threads.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Serves until [`Handle::stop`]; then removes all SAs and wipes their keys. Errors: the system's answer to a wait.
    pub fn run(mut self, send_ike: SendIke) -> io::Result<()> {
        let mut buffer = vec![0; message::LONGEST_IKE];
        let mut tick = Instant::now() + Duration::from_secs(1);
        let result = loop {
            let rest = tick.saturating_duration_since(Instant::now()).as_millis() as i32 + 1;
            let (first, clients) = match self.wait(rest) {
                Ok(ready) => ready,
                Err(e) => break Err(e),
            };
            if first[1].read {
                self.handle.wake.clear();
            }
            // A clone's SAs end before anything else happens.
            let came = first.get(2).is_some_and(|ready| ready.read);
            if came && self.listener.clones.generation_changed() {
                self.cloned();
            }
            let now = Instant::now();
            if now >= tick {
                tick = now + Duration::from_secs(1);
                if self.listener.clones.clocks_jumped() {
                    self.cloned();
                }
                self.state.tick(now);
            }
            if self.handle.stop.load(Relaxed) {
                break Ok(());
            }
            self.take_messages();
            for (at, ready) in clients.into_iter().enumerate() {
                if ready.write {
                    self.clients[at].flush();
                }
                if ready.read {
                    self.receive(at, &mut buffer, &send_ike);
                }
            }
            self.clients.retain(|client| !client.gone);
            if first[0].read {
                self.accept();
            }
        };
        self.state.flush();
        result
    }

    /// Waits. Returns the states of the listener, the waker, the machine's messages and the clients, in this order.
    fn wait(&self, milliseconds: i32) -> io::Result<(Vec<Ready>, Vec<Ready>)> {
        let mut waits = vec![Wait { of: self.listener.socket.as_fd(), write: false }];
        waits.push(self.handle.wake.wait());
        waits.extend(self.listener.clones.wait());
        let first = waits.len();
        waits.extend(
            self.clients.iter().map(|c| Wait { of: c.socket.as_fd(), write: !c.unread.is_empty() }),
        );
        let mut ready = local::poll(&waits, milliseconds)?;
        let clients = ready.split_off(first);
        Ok((ready, clients))
    }

    fn accept(&mut self) {
        let socket = match local::accept(&self.listener.socket) {
            Ok(socket) => socket,
            Err(e) => {
                // Without descriptors left the peer waits, and the loop must not spin.
                if matches!(e.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM)) {
                    thread::sleep(Duration::from_millis(10));
                }
                return;
            }
        };
        let mut client = Client::new(socket);
        let user = local::peer(&client.socket);
        let refusal = if !user.is_ok_and(|user| user == 0 || user == self.listener.owner) {
            Refusal::new(Reason::Forbidden, "only root may use this socket")
        } else if self.clients.len() >= CONNECTIONS {
            Refusal::new(Reason::Busy, format!("there are {CONNECTIONS} connections already"))
        } else {
            return self.clients.push(client);
        };
        client.send(refusal.answer(), true);
    }

    /// Receives a message and does its work.
    fn receive(&mut self, at: usize, buffer: &mut [u8], send_ike: &SendIke) {
        let client = &mut self.clients[at];
        let len = match local::receive(&client.socket, buffer) {
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return,
            Err(_) | Ok(0) => {
                client.gone = true;
                return;
            }
            Ok(len) => len,
        };
        let most = buffer.len();
        let message = &mut buffer[..len.min(most)];
        if client.ike {
            let sent = match len {
                _ if len > most => Err(message::too_long(message::LONGEST_IKE)),
                _ => Datagram::parse(message).and_then(|datagram| {
                    send_ike(&datagram).map_err(|e| Refusal::new(Reason::System, e.to_string()))
                }),
            };
            if let Err(refusal) = sent {
                client.send(refusal.answer(), true);
            }
            return;
        }
        let request = match len {
            _ if len > most => Err(message::too_long(message::LONGEST)),
            _ => message::parse(message),
        };
        // It may have had a key.
        message.zeroize();
        match request {
            Err(refusal) => self.clients[at].send(refusal.answer(), false),
            Ok(request) => self.work(at, request),
        }
    }

    fn work(&mut self, at: usize, request: Request) {
        match request {
            Request::Subscribe(_) => {
                self.clients[at].subscribed = true;
                self.clients[at].send(Answer::ok().bytes(), false);
            }
            Request::Ike(_) => {
                self.clients.iter_mut().for_each(|client| client.gone |= client.ike);
                self.clients[at].ike = true;
                self.clients[at].send(Answer::ok().bytes(), false);
            }
            Request::Status(_) => self.text(at, &report::status(&self.state)),
            Request::Metrics(_) => self.text(at, &report::metrics(&self.state)),
            request => {
                let answer = match self.state.work(request) {
                    Some(Ok(answer)) => answer.bytes(),
                    Some(Err(refusal)) => refusal.answer(),
                    None => return,
                };
                self.clients[at].send(answer, false);
            }
        }
    }

    /// Sends a text in parts.
    fn text(&mut self, at: usize, text: &str) {
        let mut rest = text;
        loop {
            let (part, after) = rest.split_at(rest.floor_char_boundary(PART));
            let word = if after.is_empty() { "ok" } else { "more" };
            self.clients[at].send(format!("{word}\n{part}").into_bytes(), false);
            if after.is_empty() {
                return;
            }
            rest = after;
        }
    }

    /// Reads the messages of other threads, a part of them if there are many.
    fn take_messages(&mut self) {
        let events: Vec<Event> = self.events.try_iter().take(TURN).collect();
        events.iter().for_each(|event| self.tell(event));
        let messages: Vec<Vec<u8>> = self.messages.try_iter().take(TURN).collect();
        let more = events.len() == TURN || messages.len() == TURN;
        for message in messages {
            self.handle.waiting.fetch_sub(message.len(), Relaxed);
            if let Some(client) = self.clients.iter_mut().find(|client| client.ike && !client.gone)
            {
                client.send(message, true);
            }
        }
        if more {
            self.handle.wake.wake();
        }
    }

    /// Tells the subscribers.
    fn tell(&mut self, event: &Event) {
        let message = event_message(event);
        for client in self.clients.iter_mut().filter(|client| client.subscribed) {
            client.send(message.clone(), false);
        }
    }

    fn cloned(&mut self) {
        self.state.flush();
        self.tell(&Event::Cloned);
    }
}

/// Writes an event.
fn event_message(event: &Event) -> Vec<u8> {
    let mut answer;
    match event {
        Event::Expire { spi, destination, hard } => {
            answer = Answer::new("expire");
            answer.field("spi", message::spi(*spi)).field("destination", destination);
            answer.field("hard", u8::from(*hard));
        }
        Event::Acquire { reqid, tunnel, flow } => {
            answer = Answer::new("acquire");
            answer.field("reqid", reqid).field("tunnel-source", tunnel.0);
            answer.field("tunnel-destination", tunnel.1).field("source", flow.source);
            answer.field("destination", flow.destination).field("protocol", flow.protocol);
            answer.field("source-port", flow.source_port);
            answer.field("destination-port", flow.destination_port);
        }
        Event::Mapping { spi, destination, source } => {
            answer = Answer::new("mapping");
            answer.field("spi", message::spi(*spi)).field("destination", destination);
            answer.field("new-source", source);
        }
        Event::Cloned => answer = Answer::new("cloned"),
    }
    answer.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that does not run.
    fn server(name: &str) -> (Server, Arc<Table>) {
        let path = std::env::temp_dir().join(format!("bulat-esp-{}-{name}", std::process::id()));
        let (table, events) = Table::new();
        let table = Arc::new(table);
        let facts =
            Facts { tun: "bulat0".into(), queues: 1, ports: vec![4500], raw: true, mark: 0 };
        let listener = Listener::bind(&path).expect("a socket");
        let server = Server::new(listener, facts, table.clone(), events).expect("a server");
        std::fs::remove_file(path).expect("the socket's file");
        (server, table)
    }

    fn end() -> SocketAddr {
        ([192, 0, 2, 1], 4500).into()
    }

    #[test]
    fn a_flood_of_ike_messages_is_lost_and_stops_nothing() {
        let (mut server, table) = server("flood");
        let handle = server.handle();
        // Long messages end at the bytes, short messages at their number.
        for len in [60_000, 1] {
            (0..10_000).for_each(|_| handle.ike(end(), end(), 0, &vec![0; len]));
            assert!(handle.waiting.load(Relaxed) <= WAITING);
            // An event passes the flood.
            table.tell(Event::Cloned);
            let event = server.events.recv_timeout(Duration::from_secs(10)).expect("the event");
            assert_eq!(event_message(&event), b"cloned");
            let mut turns = 0;
            while handle.waiting.load(Relaxed) > 0 {
                let before = handle.waiting.load(Relaxed);
                server.take_messages();
                turns += 1;
                assert!(before - handle.waiting.load(Relaxed) <= TURN * (len + 100), "a turn");
            }
            assert_eq!(turns, if len == 1 { UNREAD / TURN } else { 1 });
        }
        (0..UNREAD + 1).for_each(|_| handle.ike(end(), end(), 0, b"x"));
        // Does not wait for a place.
        handle.stop();
        server.run(Box::new(|_| Ok(()))).expect("ends");
    }

    #[test]
    fn a_peer_that_reads_nothing_costs_a_limited_length() {
        let (mut server, _) = server("unread");
        let path = std::env::temp_dir().join(format!("bulat-esp-{}-pair", std::process::id()));
        let listener = local::listen(&path).expect("a socket");
        let _peer = local::connect(&path).expect("connects");
        std::fs::remove_file(path).expect("the socket's file");
        let socket = local::accept(&listener).expect("accepts");
        server.clients.push(Client::new(socket));
        let client = &mut server.clients[0];
        (0..1000).for_each(|_| client.send(vec![0; 60_000], true));
        assert!(client.bytes <= WAITING && client.bytes > WAITING / 2 && !client.gone);
        assert_eq!(client.bytes, client.unread.iter().map(Vec::len).sum::<usize>());
        client.send(b"an answer".to_vec(), false);
        assert!(!client.gone);
        (0..UNREAD).for_each(|_| client.send(b"an event".to_vec(), false));
        assert!(client.gone);
    }
}
