//! Chunks for a caller that brings and fetches their bytes: for an event loop, where reading and writing wait outside.

use bulat::Direction;

use crate::stream::{Chunks, Piece};
use crate::{Error, Keys};

/// Seals or opens the chunks of one container in order. The caller writes up to [`Feed::full`] bytes to [`Feed::room`],
/// calls [`Feed::work`] and fetches its result; only the last chunk may have fewer bytes.
///
/// ```
/// use bulat_container::{Cipher, Credential, Direction, Feed, Header, Limits, Name, Source};
/// let (key, fresh) = (Credential::Key(&[7; 32]), [3; bulat_container::header::FRESH]);
/// let (header, keys) = Header::new(Cipher::Kuznyechik, 12, "", Source::KeyFile, key, &fresh)?;
/// let mut sealer = Feed::new(keys, Direction::Encrypt);
/// sealer.room()[..3].copy_from_slice(b"abc");
/// let sealed = sealer.work(3, true)?.to_vec();
/// let mut opener = Feed::new(
///     header.unlock(key, &Limits::default(), &Name::Unknown)?, Direction::Decrypt);
/// opener.room()[..sealed.len()].copy_from_slice(&sealed);
/// assert_eq!(opener.work(sealed.len(), true)?, b"abc");
/// # Ok::<(), bulat_container::Error>(())
/// ```
pub struct Feed {
    keys: Keys,
    direction: Direction,
    chunks: Chunks,
    piece: Piece,
    index: u64,
    /// Set after the last chunk, and after an error.
    ended: bool,
}

impl Feed {
    /// Begins the chunks of a container.
    pub fn new(keys: Keys, direction: Direction) -> Self {
        let piece = Piece::new(keys.pieces(direction).0);
        Feed { keys, direction, chunks: Chunks::new(direction), piece, index: 0, ended: false }
    }

    /// Returns the bytes that a full chunk has before it is sealed or opened.
    pub fn full(&self) -> usize {
        self.keys.pieces(self.direction).0
    }

    /// Returns the room of the next chunk, which stays at its place.
    pub fn room(&mut self) -> &mut [u8] {
        let full = self.full();
        &mut self.piece.room(full)[..full]
    }

    /// Seals or opens the chunk of the first `n` bytes in the room, and returns its result. A plaintext is returned only
    /// after its tag was verified; after an error the room is empty.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`], [`Error::TooLong`]. [`bulat::Error::Finished`]
    /// after the last chunk and after an error, [`bulat::Error::DataLength`] for a wrong length: bugs of the caller.
    pub fn work(&mut self, n: usize, last: bool) -> Result<&[u8], Error> {
        let full = self.full();
        if self.ended {
            return Err(bulat::Error::Finished.into());
        }
        if n > full || (n < full && !last) {
            return Err(bulat::Error::DataLength.into());
        }
        self.ended = true;
        self.piece.set(self.index, n, last);
        if let Err(e) = self.chunks.work(&self.keys, &mut self.piece) {
            self.room().fill(0);
            return Err(e);
        }
        (self.index, self.ended) = (self.index + 1, last);
        Ok(self.piece.written())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cipher, Credential, Header, Limits, Name, Source, header, seal};

    const KEY: Credential<'_> = Credential::Key(&[7; 32]);
    const CHUNK: usize = 1 << 12;

    /// Feeds all of `bytes`.
    fn fed(keys: Keys, direction: Direction, bytes: &[u8]) -> (Vec<u8>, Result<(), Error>) {
        let mut feed = Feed::new(keys, direction);
        let (full, mut out, mut at) = (feed.full(), Vec::new(), 0);
        loop {
            let n = full.min(bytes.len() - at);
            feed.room()[..n].copy_from_slice(&bytes[at..at + n]);
            at += n;
            match feed.work(n, at == bytes.len()) {
                Ok(done) => out.extend_from_slice(done),
                Err(e) => {
                    assert!(feed.room().iter().all(|byte| *byte == 0));
                    assert!(matches!(feed.work(0, true), Err(Error::Crypto(_))));
                    return (out, Err(e));
                }
            }
            if at == bytes.len() {
                assert!(matches!(feed.work(0, true), Err(Error::Crypto(_))));
                return (out, Ok(()));
            }
        }
    }

    #[test]
    fn equals_a_stream_and_refuses_every_damage() {
        for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
            let fresh = &[3; header::FRESH];
            let (header, keys) = Header::new(cipher, 12, "", Source::KeyFile, KEY, fresh).unwrap();
            let unlocked = || header.unlock(KEY, &Limits::default(), &Name::Unknown).unwrap();
            for n in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
                let text: Vec<u8> = (0..n).map(|i| ((i * i) >> 5) as u8).collect();
                let mut streamed = Vec::new();
                seal(&keys, 1, &mut &text[..], &mut streamed, &mut |_| Ok(())).unwrap();
                let (sealed, end) = fed(keys.clone(), Direction::Encrypt, &text);
                assert!(end.is_ok() && sealed == streamed, "{n}");
                let (opened, end) = fed(unlocked(), Direction::Decrypt, &sealed);
                assert!(end.is_ok() && opened == text, "{n}");
                let piece = CHUNK + cipher.block();
                for at in [0, sealed.len() / 2, sealed.len() - 1] {
                    let mut bad = sealed.clone();
                    bad[at] ^= 1;
                    let (opened, end) = fed(unlocked(), Direction::Decrypt, &bad);
                    assert!(matches!(end, Err(Error::Damaged { .. })), "{n} {at}");
                    assert_eq!(opened, text[..at / piece * CHUNK], "{n} {at}");
                }
                let (opened, end) =
                    fed(unlocked(), Direction::Decrypt, &sealed[..sealed.len() - 1]);
                assert!(end.is_err() && opened.len() < text.len().max(1), "{n}");
            }
        }
    }
}
