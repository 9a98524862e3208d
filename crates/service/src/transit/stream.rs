//! Large bodies in constant memory, as the container of `bulat encrypt`: a line with the container's key, encrypted
//! under the named key, and then the container (docs/FORMAT.md).
//!
//! A body may come in parts, so that a broken connection costs only one part. Each part has its own key, and is
//! bound to the name of its stream, its number, and a mark of the last part. Decryption may begin at any chunk of a
//! part: then the body is the line, the container's header, and the bytes from that chunk on.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bulat_container::header::{FRESH, LEN as HEADER};
use bulat_container::{Cipher, Credential, Header, Limits, Name, Source, Writer};
use bytes::{Buf as _, Bytes};
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::crypt;
use crate::call::{Answer, Arriving, Call, Payload, Reply};
use crate::cleared::Cleared;
use crate::collect::{Message, What};
use crate::failure::{Failure, Result};
use crate::fields::{decode, flag};
use crate::keyring::{self, Entry, no_context, random_bytes};

/// Bytes of plaintext in a chunk: 2^17.
const CHUNK_LOG2: u8 = bulat_container::CHUNK_LOG2;
/// The pieces in transit between threads.
const PIECES: usize = 4;
/// The longest line.
const LINE: usize = 512;

/// The query's parameters of a part.
struct Part {
    context: Cleared,
    /// The data that the part's key is bound to.
    more: Vec<u8>,
}

/// Returns a number of the query; 0 without it.
fn number(call: &Call, name: &str, most: u64) -> Result<u64> {
    let Some(text) = call.ask(name) else { return Ok(0) };
    let number = text.parse().ok().filter(|n| *n <= most);
    number.ok_or_else(|| Failure::bad(format!("{name}: must be a number from 0")))
}

fn part(call: &Call, entry: &Entry) -> Result<Part> {
    let number = number(call, "part", u64::MAX)?;
    let last = call.ask("last").and_then(flag).unwrap_or(true);
    let stream = call.ask("stream").unwrap_or("");
    if stream.len() > 200 {
        return Err(Failure::bad("stream: at most 200 bytes"));
    }
    let context = decode(call.ask("context").unwrap_or(""), "context", 0, 0)?;
    if entry.record.derived && context.is_empty() {
        return Err(no_context());
    }
    let more = [b"bulatd stream", &number.to_be_bytes()[..], &[u8::from(last)], stream.as_bytes()];
    Ok(Part { context, more: more.concat() })
}

fn cipher(entry: &Entry) -> Result<Cipher> {
    [Cipher::Kuznyechik, Cipher::Magma]
        .into_iter()
        .find(|cipher| cipher.name() == entry.kind.name)
        .ok_or_else(|| entry.kind.unsupported())
}

/// `POST /v1/transit/stream/encrypt/{name}`: reads plaintext, writes a line and a container.
pub async fn encrypt(mut call: Call) -> Answer {
    let entry = call.key().await?;
    let cipher = cipher(&entry)?;
    let part = part(&call, &entry)?;
    let announced = announced(&call)?;
    let mut key = Zeroizing::new([0; 32]);
    let mut fresh = Zeroizing::new([0; FRESH]);
    random_bytes(&mut *key)?;
    random_bytes(&mut *fresh)?;
    let sealed = crypt::seal_own(&call.state, &entry, &*key, part.context, part.more).await?;
    let secret = Credential::Key(&key);
    let made = Header::new(cipher, CHUNK_LOG2, "", Source::KeyFile, secret, &fresh);
    let (header, keys) = made.map_err(|e| Failure::internal(e.to_string()))?;
    let head = [sealed.text().as_bytes(), b"\n", &header.bytes()].concat();
    let len = announced.map(|n| (head.len() - HEADER) as u64 + header.whole(n));
    run(&mut call, Bytes::new(), len, move |mut from, mut to| {
        to.write_all(&head)?;
        let mut writer = Writer::new(to, keys);
        while let Some(piece) = from.piece()? {
            writer.write(&piece).map_err(io::Error::other)?;
        }
        writer.finish().map_err(io::Error::other)?.end()
    })
    .await
}

/// `POST /v1/transit/stream/decrypt/{name}`: reads the output of [`encrypt`], writes plaintext, each chunk after its tag was
/// verified. If a later chunk fails, the connection breaks, so that the client knows that the text is not whole.
pub async fn decrypt(mut call: Call) -> Answer {
    let entry = call.key().await?;
    cipher(&entry)?;
    let part = part(&call, &entry)?;
    let announced = announced(&call)?;
    // No container has more chunks (docs/FORMAT.md).
    let first = number(&call, "chunk", (1 << 48) - 1)?;
    let mut body = call.stream.take().ok_or_else(|| Failure::internal("internal error"))?;
    let (line, header, rest) = beginning(&call, &mut body).await?;
    let (number, bytes) = keyring::read(&line)?;
    let entry = call.state.ring.reaching(entry, number).await?;
    let version = call.state.ring.version(&entry, entry.decrypting(number)?).await?;
    let aad = entry.aad(number, &part.context, &part.more);
    let aead = entry.aead(&version, &part.context)?;
    let message = Message::aead(aead, What::Open, aad, bytes.into());
    let mut done = call.state.collector.run(vec![message]).await?;
    let wrong = || Failure::bad("cipher: message authentication failed");
    let message = done.pop().filter(|message| message.result.is_ok()).ok_or_else(wrong)?;
    let block = entry.kind.block;
    let key = message
        .data
        .get(block..block + 32)
        .and_then(|key| key.try_into().ok())
        .ok_or_else(wrong)?;
    let header = Header::parse(&header).map_err(|e| Failure::bad(e.to_string()))?;
    let keys = header.unlock(Credential::Key(key), &Limits::default(), &Name::Unknown);
    let keys = keys.map_err(|e| Failure::bad(e.to_string()))?;
    call.stream = Some(body);
    let len = match announced {
        None => None,
        Some(n) => {
            let n = n.saturating_sub(line.len() as u64 + 1);
            let whole = header.plaintext(n).filter(|(plain, _)| header.whole(*plain) == n);
            let cut = || Failure::bad("the container is cut, or has more bytes than its chunks");
            // An empty text has no byte that could be missing.
            Some(whole.ok_or_else(cut)?.0).filter(|plain| *plain > 0)
        }
    };
    run(&mut call, rest, len, move |mut from, mut to| {
        bulat_container::open_from(&keys, first, &mut from, &mut to).map_err(io::Error::other)?;
        to.end()
    })
    .await
}

/// Returns the length of the body, if the client has announced it. Then the answer has one, too: some proxies end the answer to
/// their client properly when ours breaks off, and only the length shows that it is not whole.
fn announced(call: &Call) -> Result<Option<u64>> {
    let announced = call.stream.as_ref().and_then(Arriving::announced);
    if announced.is_some_and(|n| n > call.state.config.limits.stream_bytes) {
        return Err(Failure::new(413, "request body too large"));
    }
    Ok(announced.filter(|n| *n < 1 << 60))
}

/// Reads the line and the container's header, and returns them with the bytes that came after.
async fn beginning(call: &Call, body: &mut Arriving) -> Result<(String, Vec<u8>, Bytes)> {
    let mut head = Vec::new();
    loop {
        let end = head.iter().take(LINE).position(|c| *c == b'\n');
        if let Some(end) = end
            && head.len() > end + HEADER
        {
            let line = String::from_utf8(head[..end].to_vec());
            let line = line.map_err(|_| Failure::bad("invalid ciphertext: no prefix"))?;
            let rest = Bytes::from(head.split_off(end + 1 + HEADER));
            return Ok((line, head.split_off(end + 1), rest));
        }
        if end.is_none() && head.len() >= LINE {
            return Err(Failure::bad("invalid ciphertext: the line with the key is missing"));
        }
        let wait = timeout(call.state.config.limits.read(), body.frame()).await;
        let frame = wait.map_err(|_| Failure::new(408, "the body did not arrive in time"))?;
        let frame = frame.ok_or_else(|| Failure::bad("invalid ciphertext: too short"))?;
        let frame = frame.map_err(|_| Failure::bad("the body is incomplete"))?;
        if let Ok(data) = frame.into_data() {
            head.extend_from_slice(&data);
        }
    }
}

/// Works between the body and the answer, on its own thread. The answer begins with the first bytes, so that an error
/// before them is a refusal.
async fn run(
    call: &mut Call,
    before: Bytes,
    len: Option<u64>,
    work: impl FnOnce(From, To) -> io::Result<()> + Send + 'static,
) -> Answer {
    let place = call.state.streams.clone().try_acquire_owned();
    let place = place.map_err(|_| Failure::new(429, "too many streams at once; try again"))?;
    let mut body = call.stream.take().ok_or_else(|| Failure::internal("internal error"))?;
    let (give, take) = channel(PIECES);
    let (send, mut receive) = channel(PIECES);
    let (fail, failed) = oneshot::channel();
    let (read, most) = (call.state.config.limits.read(), call.state.config.limits.stream_bytes);
    let reader = tokio::spawn(async move {
        let mut sum = before.len() as u64;
        let mut next = Ok(before);
        loop {
            let failed = next.is_err();
            if give.send(Some(next)).await.is_err() || failed {
                return;
            }
            next = match timeout(read, body.frame()).await {
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
                Ok(None) => break,
                Ok(Some(Err(e))) => Err(io::Error::other(e)),
                Ok(Some(Ok(frame))) => Ok(frame.into_data().unwrap_or_default()),
            };
            sum += next.as_ref().map_or(0, |data| data.len() as u64);
            if sum > most {
                next = Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        // A mark of the end, so that a broken connection is not mistaken for it.
        let _ = give.send(None).await;
    });
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let from = From { pieces: take, now: Bytes::new(), ended: false };
        // An error leaves the answer without an end.
        if let Err(e) = work(from, To { pieces: send, most: read }) {
            let _ = fail.send(e.to_string());
        }
    });
    let first = receive.recv().await;
    if first.is_none() {
        // It has the body.
        reader.abort();
        let _ = reader.await;
        return Err(Failure::bad(failed.await.unwrap_or_else(|_| "internal error".into())));
    }
    let body = BoxBody::new(Out(first, receive));
    Ok(Reply { status: 200, kind: "application/octet-stream", body: Payload::Stream(body, len) })
}

/// Reads the pieces of a body; `None` in the channel is its end.
struct From {
    pieces: Receiver<Option<io::Result<Bytes>>>,
    now: Bytes,
    ended: bool,
}

impl From {
    fn piece(&mut self) -> io::Result<Option<Bytes>> {
        if self.ended {
            return Ok(None);
        }
        match self.pieces.blocking_recv() {
            Some(Some(piece)) => piece.map(Some),
            Some(None) => {
                self.ended = true;
                Ok(None)
            }
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Read for From {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.now.is_empty() {
            match self.piece()? {
                Some(piece) => self.now = piece,
                None => return Ok(0),
            }
        }
        let n = out.len().min(self.now.len());
        self.now.copy_to_slice(&mut out[..n]);
        Ok(n)
    }
}

/// Sends the pieces of the answer, each within a time: a client that does not read them loses its place.
struct To {
    pieces: Sender<Option<Bytes>>,
    most: Duration,
}

impl To {
    fn send(&self, piece: Option<Bytes>) -> io::Result<()> {
        let sent =
            Handle::current().block_on(async { timeout(self.most, self.pieces.send(piece)).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
    fn end(self) -> io::Result<()> {
        self.send(None)
    }
}

impl Write for To {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.send(Some(Bytes::from_owner(Cleared::from(data.to_vec()))))?;
        Ok(data.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The body of the answer: its first piece, and the others. A worker that ends without a mark is an error.
struct Out(Option<Option<Bytes>>, Receiver<Option<Bytes>>);

impl Body for Out {
    type Data = Bytes;
    type Error = io::Error;
    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = match self.0.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => self.1.poll_recv(cx),
        };
        piece.map(|piece| match piece {
            Some(Some(piece)) => Some(Ok(Frame::data(piece))),
            Some(None) => None,
            None => Some(Err(io::ErrorKind::BrokenPipe.into())),
        })
    }
}
