//! Containers used piece by piece: written as text arrives, and read at any position.

use std::io::{Read, Seek, SeekFrom, Write};

use bulat::Direction;

use crate::stream::{Chunks, Piece};
use crate::{Error, Keys, header, pipeline, stamp};

/// Reads the plaintext of a container at any position. Reads and opens only the needed chunks, and keeps the last
/// chunk.
///
/// A chunk's plaintext is released only after its tag was verified. The end of the text is known once the last chunk
/// was verified: until then [`Reader::read_at`] does not report the end. A program that stops before the end does not
/// learn whether the file was truncated after its last read.
pub struct Reader<S> {
    source: S,
    keys: Keys,
    chunks: Chunks,
    piece: Piece,
    /// The number of the chunk in `piece`, opened.
    opened: Option<u64>,
    /// The number of chunks, and the sealed length of the last chunk, according to the source's length.
    count: u64,
    rest: usize,
    /// The length of the text, once the last chunk has been verified.
    size: Option<u64>,
}

impl<S: Read + Seek> Reader<S> {
    /// Creates a reader. The source begins with the header of these keys.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::HeaderTruncated`].
    pub fn new(mut source: S, keys: Keys) -> Result<Self, Error> {
        let len = source.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        let body = len.checked_sub(header::LEN as u64).ok_or(Error::HeaderTruncated)?;
        let (sealed, _) = keys.pieces(Direction::Decrypt);
        let count = body.div_ceil(sealed as u64).max(1);
        let rest = (body - (count - 1) * sealed as u64) as usize;
        let (chunks, piece) = (Chunks::new(Direction::Decrypt), Piece::new(sealed));
        Ok(Reader { source, keys, chunks, piece, opened: None, count, rest, size: None })
    }

    /// Returns the length of the plaintext; the first call verifies the last chunk.
    ///
    /// # Errors
    /// As [`Reader::read_at`].
    pub fn size(&mut self) -> Result<u64, Error> {
        if self.size.is_none() {
            self.open(self.count - 1)?;
        }
        Ok(self.size.unwrap_or_default())
    }

    /// Reads from this position of the plaintext, within one chunk. Returns the number of bytes; 0 at or after the end.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Damaged`], [`Error::Truncated`], [`Error::Trailing`], [`Error::TooLong`].
    pub fn read_at(&mut self, at: u64, out: &mut [u8]) -> Result<usize, Error> {
        if out.is_empty() {
            return Ok(0);
        }
        let chunk = self.keys.chunk as u64;
        // Verifies the last chunk before it reports the end.
        self.open((at / chunk).min(self.count - 1))?;
        if at / chunk >= self.count {
            return Ok(0);
        }
        let text = self.piece.written().get((at % chunk) as usize..).unwrap_or_default();
        let n = text.len().min(out.len());
        out[..n].copy_from_slice(&text[..n]);
        Ok(n)
    }

    /// Opens a chunk unless it is already open.
    fn open(&mut self, index: u64) -> Result<(), Error> {
        if self.opened == Some(index) {
            return Ok(());
        }
        self.opened = None;
        let (sealed, last) = (self.keys.pieces(Direction::Decrypt).0, index == self.count - 1);
        let n = if last { self.rest } else { sealed };
        let at = header::LEN as u64 + index * sealed as u64;
        self.source.seek(SeekFrom::Start(at)).map_err(Error::Read)?;
        let room = &mut self.piece.room(sealed)[..n];
        if pipeline::fill(&mut self.source, room).map_err(Error::Read)? != n {
            return Err(Error::Read(stamp::changed()));
        }
        self.piece.set(index, n, last);
        self.chunks.work(&self.keys, &mut self.piece)?;
        self.opened = Some(index);
        if last {
            self.size = Some(index * self.keys.chunk as u64 + self.piece.plain as u64);
        }
        Ok(())
    }
}

/// Writes the chunks of a container from text in pieces. Without [`Writer::finish`] the output is not a valid
/// container.
pub struct Writer<W> {
    to: W,
    keys: Keys,
    chunks: Chunks,
    piece: Piece,
    /// The bytes of text in `piece`, and its number.
    filled: usize,
    index: u64,
    /// Set when a chunk was not written completely.
    failed: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a writer. The destination already has the header of these keys.
    pub fn new(to: W, keys: Keys) -> Self {
        let (chunks, piece) = (Chunks::new(Direction::Encrypt), Piece::new(keys.chunk));
        Writer { to, keys, chunks, piece, filled: 0, index: 0, failed: false }
    }

    /// Adds the next piece of text.
    ///
    /// # Errors
    /// [`Error::Write`], [`Error::TooLong`]: the container cannot be finished any more.
    pub fn write(&mut self, mut text: &[u8]) -> Result<(), Error> {
        let chunk = self.keys.chunk;
        while !text.is_empty() {
            if self.filled == chunk {
                self.seal(false)?;
            }
            let (now, later) = text.split_at(text.len().min(chunk - self.filled));
            self.piece.room(chunk)[self.filled..][..now.len()].copy_from_slice(now);
            self.filled += now.len();
            text = later;
        }
        Ok(())
    }

    /// Returns the length of the text so far.
    pub fn written(&self) -> u64 {
        self.index * self.keys.chunk as u64 + self.filled as u64
    }

    /// Writes the last chunk. Returns the destination.
    ///
    /// # Errors
    /// As [`Writer::write`].
    pub fn finish(mut self) -> Result<W, Error> {
        self.seal(true)?;
        self.to.flush().map_err(Error::Write)?;
        Ok(self.to)
    }

    fn seal(&mut self, last: bool) -> Result<(), Error> {
        if std::mem::replace(&mut self.failed, true) {
            return Err(bulat::Error::Finished.into());
        }
        self.piece.set(self.index, self.filled, last);
        self.chunks.work(&self.keys, &mut self.piece)?;
        self.to.write_all(self.piece.written()).map_err(Error::Write)?;
        (self.index, self.filled, self.failed) = (self.index + 1, 0, false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cipher, Credential, Header, Limits, Name, Source};
    use std::io::Cursor;

    const CHUNK: usize = 1 << 12;

    fn made(cipher: Cipher, text: &[u8], piece: usize) -> (Vec<u8>, Header) {
        let key = Credential::Key(&[7; 32]);
        let (header, keys) =
            Header::new(cipher, 12, "", Source::KeyFile, key, &[3; header::FRESH]).unwrap();
        let mut writer = Writer::new(header.bytes().to_vec(), keys);
        text.chunks(piece).for_each(|piece| writer.write(piece).unwrap());
        assert_eq!(writer.written(), text.len() as u64);
        (writer.finish().unwrap(), header)
    }

    fn unlocked(header: &Header) -> Keys {
        let key = Credential::Key(&[7; 32]);
        header.unlock(key, &Limits::default(), &Name::Unknown).unwrap()
    }

    fn reader(bytes: &[u8], header: &Header) -> Reader<Cursor<Vec<u8>>> {
        Reader::new(Cursor::new(bytes.to_vec()), unlocked(header)).unwrap()
    }

    #[test]
    fn what_is_written_is_what_a_stream_writes_and_is_read_at_any_place() {
        for cipher in [Cipher::Kuznyechik, Cipher::Magma] {
            for n in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
                let text: Vec<u8> = (0..n).map(|i| ((i * i) >> 5) as u8).collect();
                let (bytes, header) = made(cipher, &text, 1000);
                assert_eq!(made(cipher, &text, CHUNK).0, bytes);
                let keys = unlocked(&header);
                let mut streamed = header.bytes().to_vec();
                crate::seal(&keys, 1, &mut &text[..], &mut streamed, &mut |_| Ok(())).unwrap();
                assert_eq!(streamed, bytes, "{n}");
                let mut out = [0; 2 * CHUNK];
                for at in [0, 1, CHUNK - 1, CHUNK, n.saturating_sub(1), n, n + 1, 9 * CHUNK] {
                    let mut reader = reader(&bytes, &header);
                    let read = reader.read_at(at as u64, &mut out).unwrap();
                    let end = n.min((at / CHUNK + 1) * CHUNK).max(at);
                    assert_eq!(out[..read], text[at.min(n)..end.min(n)], "{n} {at}");
                    assert_eq!(reader.size().unwrap(), n as u64);
                }
                assert!(matches!(reader(&bytes, &header).read_at(u64::MAX, &mut out), Ok(0)));
            }
        }
    }

    #[test]
    fn an_end_is_believed_after_the_last_chunk_was_verified() {
        let (bytes, header) = made(Cipher::Kuznyechik, &[1; 3 * CHUNK], 999);
        let mut out = [0; 1];
        // Truncated between chunks and inside a chunk, and with data after the end.
        let two = header::LEN + 2 * (CHUNK + 16);
        let cut = &bytes[..two];
        assert!(matches!(reader(cut, &header).size(), Err(Error::Truncated { after: Some(1) })));
        let far = reader(cut, &header).read_at(5 * CHUNK as u64, &mut out);
        assert!(matches!(far, Err(Error::Truncated { after: Some(1) })));
        assert!(matches!(reader(cut, &header).read_at(0, &mut out), Ok(1)));
        let cut = &bytes[..two + 20];
        assert!(matches!(
            reader(cut, &header).size(),
            Err(Error::Damaged { chunk: 2, last: true })
        ));
        let more = [&bytes[..], &[0; 40]].concat();
        assert!(matches!(reader(&more, &header).size(), Err(Error::Damaged { chunk: 3, .. })));
        let third = reader(&more, &header).read_at(2 * CHUNK as u64, &mut out);
        assert!(matches!(third, Err(Error::Trailing { chunk: 2 })));
        // One flipped bit in the middle chunk: only this chunk is refused, each time.
        let mut bad = bytes.clone();
        bad[header::LEN + CHUNK + 100] ^= 1;
        let mut bad = reader(&bad, &header);
        assert!(matches!(bad.read_at(0, &mut out), Ok(1)));
        for _ in 0..2 {
            let middle = bad.read_at(CHUNK as u64, &mut out);
            assert!(matches!(middle, Err(Error::Damaged { chunk: 1, last: false })));
        }
        assert!(matches!(bad.read_at(2 * CHUNK as u64, &mut out), Ok(1)));
    }

    #[test]
    fn after_a_failure_nothing_more_is_written() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let key = Credential::Key(&[7; 32]);
        let fresh = &[3; header::FRESH];
        let (_, keys) = Header::new(Cipher::Magma, 12, "", Source::KeyFile, key, fresh).unwrap();
        let mut writer = Writer::new(Full, keys);
        writer.write(&[0; CHUNK]).unwrap();
        assert!(matches!(writer.write(&[0; 1]), Err(Error::Write(_))));
        assert!(matches!(writer.write(&[0; 1]), Err(Error::Crypto(_))));
        assert!(matches!(writer.finish(), Err(Error::Crypto(_))));
    }
}
