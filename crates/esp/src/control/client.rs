//! The other side of the socket.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use super::message::LONGEST_IKE;
use crate::sys::local;

/// A connection to a running `bulat-esp`, which waits for answers.
pub struct Client(OwnedFd);

impl Client {
    /// Connects.
    pub fn connect(path: &Path) -> io::Result<Self> {
        local::connect(path).map(Client)
    }

    /// Sends a message. If the other side has closed the connection, its last message may say why.
    pub fn send(&self, message: &[u8]) -> io::Result<()> {
        match local::send(&self.0, message) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            answer => answer,
        }
    }

    /// Waits for a message. Errors: the system's answer; [`io::ErrorKind::UnexpectedEof`] if the other side has closed
    /// the connection.
    pub fn receive(&self) -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; LONGEST_IKE];
        loop {
            match local::receive(&self.0, &mut buffer) {
                // The other side left a request of ours unread: its last message comes after this error.
                Err(e) if e.kind() == io::ErrorKind::ConnectionReset => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(len) if len > buffer.len() => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "a message is too long",
                    ));
                }
                Ok(len) => {
                    buffer.truncate(len);
                    return Ok(buffer);
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// Sends a request and waits for its answer.
    pub fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        self.send(request)?;
        self.receive()
    }

    /// Asks for a text: `status` or `metrics`. Errors: the system's answer; [`io::ErrorKind::InvalidData`] with the
    /// text of a refusal.
    pub fn text(&self, verb: &str) -> io::Result<String> {
        self.send(verb.as_bytes())?;
        let mut text = String::new();
        loop {
            let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
            let answer = String::from_utf8(self.receive()?).map_err(|e| wrong(e.to_string()))?;
            match answer.split_once('\n') {
                Some(("more", part)) => text += part,
                Some(("ok", part)) => return Ok(text + part),
                _ => {
                    let said = answer.lines().find_map(|line| line.strip_prefix("text="));
                    return Err(wrong(said.unwrap_or(&answer).into()));
                }
            }
        }
    }
}
