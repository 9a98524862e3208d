//! Inputs: files and standard input, with armour removed.

use std::fs::{File, Metadata};
#[cfg(unix)]
use std::io::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bulat_container::armor::{self, Decoder};
use bulat_container::pipeline::{self, fill};
use bulat_container::stamp::Stamp;
use zeroize::Zeroizing;

use super::{StandardInput, standard, standard_input};
use crate::error::{Error, Result, name};
use crate::progress::Progress;

/// Bytes per read.
pub const PIECE: usize = 1 << 20;
/// Bytes of armour per read.
const ARMORED: usize = 64 << 10;

/// An input: a file, or standard input.
pub struct Input {
    /// The name that the user gave.
    pub path: PathBuf,
    /// The file's metadata, if the system has any.
    pub metadata: Option<Metadata>,
    from: From,
    /// The first bytes, if they were read but not consumed.
    ahead: Zeroizing<Vec<u8>>,
    /// Ends a read that may wait.
    #[cfg(unix)]
    stop: Option<std::sync::Arc<(io::PipeReader, io::PipeWriter)>>,
}

enum From {
    Standard(StandardInput),
    File(File),
    Armor(Box<Armored>),
}

/// An input in armour.
struct Armored {
    input: Input,
    /// `None` after the end of the text.
    decoder: Option<Decoder>,
    text: Vec<u8>,
    /// Decoded bytes, and how many of them were consumed.
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Armored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.bytes.len() {
            let Some(mut decoder) = self.decoder.take() else { return Ok(0) };
            self.bytes.clear();
            self.at = 0;
            self.text.resize(ARMORED, 0);
            let n = self.input.read(&mut self.text)?;
            let decoded = match n {
                0 => decoder.finish(&mut self.bytes),
                n => decoder.push(&self.text[..n], &mut self.bytes).map(|()| {
                    self.decoder = Some(decoder);
                }),
            };
            decoded.map_err(io::Error::other)?;
        }
        let n = buffer.len().min(self.bytes.len() - self.at);
        buffer[..n].copy_from_slice(&self.bytes[self.at..][..n]);
        self.at += n;
        Ok(n)
    }
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let from = From::Standard(standard_input()?);
            return Ok(Self::with(path, standard(&io::stdin()), from));
        }
        Self::of(path, File::open(path).map_err(|e| Error::read(path, &e))?)
    }
    /// Wraps the file that was opened under this name.
    pub fn of(path: &Path, file: File) -> Result<Self> {
        let fail = |e| Error::read(path, &e);
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(fail(io::Error::from_raw_os_error(EISDIR)));
        }
        Ok(Self::with(path, Some(metadata), From::File(file)))
    }
    fn with(path: &Path, metadata: Option<Metadata>, from: From) -> Self {
        Input {
            path: path.into(),
            metadata,
            from,
            ahead: Zeroizing::default(),
            #[cfg(unix)]
            stop: None,
        }
    }
    /// Returns the first `n` bytes without consuming them, or all if there are fewer.
    pub fn peek(&mut self, n: usize) -> Result<&[u8]> {
        let mut ahead = Zeroizing::new(vec![0; n]);
        let read = self.fill(&mut ahead)?;
        ahead.truncate(read);
        self.ahead = ahead;
        Ok(&self.ahead)
    }
    /// Decodes armour, if the input begins with it.
    ///
    /// # Errors
    /// The reason, if it has armour behind its beginning.
    pub fn unarmored(mut self) -> Result<Self> {
        let start = self.peek(armor::PEEK)?;
        if !armor::begins(start) {
            if !bulat_container::begins(start)
                && let Some(fault) = armor::misplaced(self.peek(ARMORED)?)
            {
                return Err(Error::read(&self.path, &io::Error::other(fault)));
            }
            return Ok(self);
        }
        let (path, metadata) = (self.path.clone(), self.metadata.clone());
        let from = Armored {
            input: self,
            decoder: Some(Decoder::default()),
            text: Vec::new(),
            bytes: Vec::new(),
            at: 0,
        };
        Ok(Self::with(&path, metadata, From::Armor(Box::new(from))))
    }
    /// Returns the input below all armour.
    #[cfg(unix)]
    fn innermost(&mut self) -> &mut Self {
        match self.from {
            From::Armor(ref mut armored) => armored.input.innermost(),
            _ => self,
        }
    }
    fn regular(&self) -> bool {
        self.metadata.as_ref().is_some_and(Metadata::is_file)
    }
    /// Returns whether the input is in armour, which is decoded.
    pub fn armored(&self) -> bool {
        matches!(self.from, From::Armor(_))
    }
    /// Returns a function that ends the current read and all later ones with an error.
    pub fn stopper(&mut self) -> impl Fn() + use<> {
        #[cfg(unix)]
        {
            // Regular files do not wait. If no pipe can be made, a waiting read cannot be ended, and an error waits
            // for it.
            let stop = match self.regular() {
                true => None,
                false => io::pipe().ok().map(std::sync::Arc::new),
            };
            self.innermost().stop.clone_from(&stop);
            move || {
                if let Some(stop) = &stop {
                    let _ = (&stop.1).write_all(&[0]);
                }
            }
        }
        #[cfg(not(unix))]
        || ()
    }
    /// Returns the file's stamp before it is read.
    pub fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.file().map(Stamp::before).transpose()
    }
    /// Returns an error if the file has changed since the stamp.
    pub fn unchanged(&self, stamp: &Option<Stamp>) -> io::Result<()> {
        match (self.file(), stamp) {
            (Some(file), Some(stamp)) => stamp.after(file),
            _ => Ok(()),
        }
    }
    fn file(&self) -> Option<&File> {
        match &self.from {
            From::File(file) => Some(file),
            From::Armor(armored) => armored.input.file(),
            #[cfg(unix)]
            From::Standard(file) => Some(file),
            #[cfg(not(unix))]
            From::Standard(_) => None,
        }
    }
    /// Returns the file's length, if it is a regular file and not in armour.
    pub fn len(&self) -> Option<u64> {
        self.metadata.as_ref().filter(|_| self.regular() && !self.armored()).map(Metadata::len)
    }
    /// Returns the file if it is regular and was named, so that any position in it can be read.
    #[cfg(unix)]
    pub fn places(&self) -> Option<&File> {
        match &self.from {
            From::File(file) if self.len().is_some() => Some(file),
            _ => None,
        }
    }
    /// Returns the file behind which nothing is read ahead or decoded.
    pub(super) fn plain(&mut self) -> Option<&mut File> {
        match &mut self.from {
            From::File(file) => Some(file),
            _ => None,
        }
    }
    /// Returns a progress bar for this file.
    pub fn progress(&self) -> Progress {
        Progress::new(&name(&self.path), self.len())
    }
    /// Returns whether one thread is enough: less than two pieces have nothing to overlap.
    pub fn is_short(&self) -> bool {
        self.len().is_some_and(|n| n < 2 * PIECE as u64)
    }
    /// Reads the next bytes; 0 at the end.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        fill(self, buffer).map_err(|e| Error::read(&self.path, &e))
    }
    /// Reads everything, or returns `None` if there are more than `limit` bytes. Growing the buffer leaves no copies.
    pub fn all(&mut self, limit: usize) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let room = self.len().unwrap_or(0).clamp(4095, limit as u64) as usize + 1;
        let (mut out, mut n) = (Zeroizing::new(vec![0; room]), 0);
        loop {
            n += self.fill(&mut out[n..])?;
            if n > limit {
                return Ok(None);
            }
            if n < out.len() {
                out.truncate(n);
                return Ok(Some(out));
            }
            let mut more = Zeroizing::new(vec![0; (2 * n).min(limit + 1)]);
            more[..n].copy_from_slice(&out);
            out = more;
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            let n = buffer.len().min(self.ahead.len());
            buffer[..n].copy_from_slice(&self.ahead[..n]);
            self.ahead.drain(..n);
            return Ok(n);
        }
        #[cfg(unix)]
        if let (Some(stop), Some(file)) = (&self.stop, self.file()) {
            wait(file, &stop.0)?;
        }
        match &mut self.from {
            From::Standard(input) => input.read(buffer),
            From::File(file) => file.read(buffer),
            From::Armor(armored) => armored.read(buffer),
        }
    }
}

/// Waits for data, the end or a failure. Returns an error once reading is to stop.
#[cfg(unix)]
fn wait(file: &File, stop: &io::PipeReader) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let mut both = [PollFd::new(file, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
    // If `poll` was interrupted, or cannot watch this file, the read waits instead.
    let waited = poll(&mut both, None);
    match waited.is_ok() && !both[1].revents().is_empty() {
        true => Err(io::Error::other("called off")),
        false => Ok(()),
    }
}

/// EISDIR of Linux, the BSDs and macOS.
const EISDIR: i32 = 21;

/// A piece of an input on its way from reading to writing.
pub struct Piece {
    /// Room for [`PIECE`] bytes, or for a shorter input.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The number of valid bytes.
    pub len: usize,
    /// The number of bytes read.
    pub read: usize,
}

/// Reads an input in pieces, passes each to `work` and then, in order, to `take`. With more than one thread these
/// overlap.
pub fn through(
    threads: usize,
    input: &mut Input,
    progress: &Progress,
    work: impl FnMut(&mut Piece) -> Result<()> + Send,
    mut take: impl FnMut(&Piece) -> Result<()>,
) -> Result<()> {
    // A length of 0 may be wrong: files in /proc show it, and return their whole content only to the first read.
    let size = match input.len() {
        None | Some(0) => PIECE,
        Some(n) => n.saturating_add(1).min(PIECE as u64) as usize,
    };
    let mut end = false;
    let stop = input.stopper();
    pipeline::run(
        threads > 1 && !input.is_short(),
        vec![work],
        || Piece { bytes: Zeroizing::new(vec![0; size]), len: 0, read: 0 },
        |piece| {
            if end {
                return Ok(false);
            }
            piece.read = input.fill(&mut piece.bytes)?;
            piece.len = piece.read;
            end = piece.read < size;
            Ok(true)
        },
        |piece| {
            take(piece)?;
            progress.more(piece.read as u64);
            Ok(())
        },
        stop,
    )
}
