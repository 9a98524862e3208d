//! The bodies of requests: read whole within limits, or read and dropped.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use hyper::{header, http};
use tokio::sync::OwnedSemaphorePermit;

use crate::call::Arriving;
use crate::cleared::Cleared;
use crate::failure::{Failure, Result};
use crate::state::State;

/// The longest body that needs no room among the large ones, in bytes.
const SMALL: usize = 64 << 10;

/// A body, and its room among the large ones.
pub type Collected = (Cleared, Option<OwnedSemaphorePermit>);

/// Reads a whole body, within the limits of size and time. Its memory grows as it arrives. Up to [`SMALL`] bytes need
/// no room: `limits.requests` bounds them, so that slow large bodies keep no other client out.
pub async fn collected(
    state: &State,
    headers: &header::HeaderMap,
    body: &mut Arriving,
    most: usize,
    time: Duration,
) -> Result<Collected> {
    let large = || Failure::new(413, "request body too large");
    let length = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > most as u64) {
        return Err(large());
    }
    // A small body of known size is allocated at once: growth leaves copies, although wiped ones.
    let size = body.announced().map_or(most, |size| size as usize);
    let begin = if body.announced().is_some() { size.min(SMALL) } else { 4096 };
    let mut whole = Whole { state, bytes: Vec::with_capacity(begin).into(), room: None, size };
    let read = async {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Failure::bad("the body is incomplete"))?;
            let Ok(data) = frame.into_data() else { continue };
            if whole.bytes.len() + data.len() > most {
                return Err(large());
            }
            whole.push(data)?;
        }
        Ok(())
    };
    tokio::time::timeout(time, read)
        .await
        .map_err(|_| Failure::new(408, "the body did not arrive in time"))??;
    state.metrics.received.fetch_add(whole.bytes.len() as u64, Relaxed);
    Ok((whole.bytes, whole.room))
}

/// A body as far as it has arrived.
struct Whole<'a> {
    state: &'a State,
    bytes: Cleared,
    room: Option<OwnedSemaphorePermit>,
    /// The most bytes that are expected.
    size: usize,
}

impl Whole<'_> {
    /// Adds the bytes of a frame.
    fn push(&mut self, mut data: Bytes) -> Result<()> {
        let need = self.bytes.len() + data.len();
        if self.bytes.capacity() < need {
            let capacity = (2 * need).min(self.size.max(need));
            if capacity > SMALL {
                self.make_room(capacity)?;
            }
            let mut larger = Cleared::from(Vec::with_capacity(capacity));
            larger.extend_from_slice(&self.bytes);
            self.bytes = larger;
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            self.bytes.extend_from_slice(chunk);
            let n = chunk.len();
            data.advance(n);
        }
        Ok(())
    }

    /// Reserves room for this many bytes.
    fn make_room(&mut self, bytes: usize) -> Result<()> {
        let has = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = bytes.div_ceil(1 << 10).saturating_sub(has);
        let more = self.state.bodies.clone().try_acquire_many_owned(more as u32);
        let more =
            more.map_err(|_| Failure::new(429, "too many bytes of requests at once; try again"))?;
        match &mut self.room {
            Some(room) => room.merge(more),
            None => self.room = Some(more),
        }
        Ok(())
    }
}

/// Reads the body of a refused request, if it is short. An answer that leaves before the body has arrived ends the
/// connection, and the client may never see it.
pub async fn drained(body: &mut Incoming) {
    const MOST: u64 = 1 << 20;
    let least = body.size_hint().lower();
    let read = async {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, |data| data.len() as u64);
            if seen > MOST {
                break;
            }
        }
    };
    if least <= MOST {
        let _ = tokio::time::timeout(Duration::from_secs(1), read).await;
    }
}

/// Drops the body of a refused request. In HTTP/2 only when the answer has left, since that resets the request: its
/// client would not see the answer.
pub fn later(body: Incoming, version: http::Version) {
    if version == http::Version::HTTP_2 && !body.is_end_stream() {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(body);
        });
    }
}
