//! Input and output. `-` is a standard stream. Output goes to a temporary file in the target's folder. Writing to the
//! input is refused.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bulat_container::armor::{self, Decoder, Encoder};
use bulat_container::pipeline::{self, fill};
use bulat_container::stamp::Stamp;
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::cleanup;
use crate::error::{Error, Exit, Result, name, note, output_name};
use crate::progress::{Progress, aside};
use crate::standard::closed;

/// Bytes per read.
pub const PIECE: usize = 1 << 20;

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
    octets: Vec<u8>,
    at: usize,
}

impl Read for Armored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.octets.len() {
            let Some(mut decoder) = self.decoder.take() else { return Ok(0) };
            self.octets.clear();
            self.at = 0;
            self.text.resize(ARMORED, 0);
            let n = self.input.read(&mut self.text)?;
            let decoded = match n {
                0 => decoder.finish(&mut self.octets),
                n => decoder.push(&self.text[..n], &mut self.octets).map(|()| {
                    self.decoder = Some(decoder);
                }),
            };
            decoded.map_err(io::Error::other)?;
        }
        let n = buffer.len().min(self.octets.len() - self.at);
        buffer[..n].copy_from_slice(&self.octets[self.at..][..n]);
        self.at += n;
        Ok(n)
    }
}

/// Bytes of armour per read.
const ARMORED: usize = 64 << 10;

// Reads by descriptor: the standard library treats an unreadable descriptor as empty, and an unwritable one as written.
#[cfg(unix)]
type StandardInput = File;
#[cfg(not(unix))]
type StandardInput = io::Stdin;
#[cfg(unix)]
type StandardOutput = File;
#[cfg(not(unix))]
type StandardOutput = io::Stdout;

fn standard_input() -> Result<StandardInput> {
    if closed(0) {
        return Err(Error::new(Exit::Io, "standard input: closed")
            .remedy("name a file, or redirect one to the command: <FILE"));
    }
    #[cfg(unix)]
    return copy(&io::stdin()).map_err(|e| Error::read(Path::new("-"), &e));
    #[cfg(not(unix))]
    Ok(io::stdin())
}

/// Returns standard output. It is an error if it was closed when the program started.
pub fn standard_output() -> Result<StandardOutput> {
    if closed(1) {
        return Err(Error::new(Exit::Io, "standard output: closed")
            .remedy("redirect it: >FILE, or >/dev/null to discard it"));
    }
    #[cfg(unix)]
    return copy(&io::stdout()).map_err(|e| Error::write(Path::new("-"), &e));
    #[cfg(not(unix))]
    Ok(io::stdout())
}

#[cfg(unix)]
fn copy(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
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
            octets: Vec::new(),
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
    /// Returns a progress bar for this file.
    pub fn progress(&self) -> Progress {
        Progress::new(&name(&self.path), self.len())
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
    pub octets: Zeroizing<Vec<u8>>,
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
    // Less than two pieces have nothing to overlap.
    let short = input.len().is_some_and(|n| n < 2 * PIECE as u64);
    // A length of 0 may be wrong: files in /proc show it, and return their whole content only to the first read.
    let size = match input.len() {
        None | Some(0) => PIECE,
        Some(n) => n.saturating_add(1).min(PIECE as u64) as usize,
    };
    let mut end = false;
    let stop = input.stopper();
    pipeline::run(
        threads > 1 && !short,
        vec![work],
        || Piece { octets: Zeroizing::new(vec![0; size]), len: 0, read: 0 },
        |piece| {
            if end {
                return Ok(false);
            }
            piece.read = input.fill(&mut piece.octets)?;
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

/// A file being written. Nothing appears under its name before [`Output::commit`].
pub struct Output {
    /// The name that the user gave; `-` is standard output.
    pub path: PathBuf,
    /// The number of bytes already written irrevocably: to standard output, a device or a FIFO.
    pub out: u64,
    to: To,
    /// Writes the file as text.
    armor: Option<Encoder>,
}

enum To {
    Standard(StandardOutput),
    /// A device or a FIFO, written directly.
    Direct(File),
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
        force: bool,
        /// The permissions that the file gets on commit.
        #[cfg_attr(not(unix), allow(dead_code))]
        mode: Option<u32>,
    },
}

impl Output {
    /// Begins a file with the permissions of `input`, less the umask; if it replaces a file, with at most that file's
    /// permissions. Refuses an existing file unless `force`, and always the input itself.
    pub fn create(path: &Path, input: Option<&Input>, force: bool) -> Result<Self> {
        Self::begin(path, input, force, false)
    }

    /// Begins a file that only its owner can read, from the first byte on.
    pub fn private(path: &Path, input: Option<&Input>, force: bool) -> Result<Self> {
        Self::begin(path, input, force, true)
    }

    /// Begins a copy of a regular file, which replaces it and has its permissions.
    pub fn replacing(input: &Input) -> Result<Self> {
        let mut output = Self::begin(&input.path, None, true, true)?;
        #[cfg(unix)]
        if let (To::Temporary { file, mode: last, .. }, Some(of)) =
            (&mut output.to, &input.metadata)
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only root can give a file away. Another's file in a shared folder becomes this user's.
            let _ = fchown(file.as_file(), Some(of.uid()), Some(of.gid()));
            *last = mode(Some(of));
        }
        Ok(output)
    }

    /// Copies the rest of an input, in the kernel if both are files.
    pub fn copy_rest(&mut self, input: &mut Input) -> Result<()> {
        let path = self.path.clone();
        if let (To::Temporary { file, .. }, From::File(from)) = (&mut self.to, &mut input.from) {
            // The system does not tell which of the two failed.
            let copied = io::copy(from, file.as_file_mut());
            return copied.map(drop).map_err(|e| Error::write(&path, &e));
        }
        let mut piece = vec![0; ARMORED];
        loop {
            match input.fill(&mut piece)? {
                0 => return Ok(()),
                n => self.write_all(&piece[..n]).map_err(|e| Error::write(&path, &e))?,
            }
        }
    }

    fn begin(path: &Path, input: Option<&Input>, force: bool, private: bool) -> Result<Self> {
        let fail = |e: io::Error| Error::write(path, &e);
        let source = input.and_then(|i| i.metadata.as_ref());
        let refuse = |what: &Metadata| match source {
            Some(source) if same(source, what) || same_place(input, path) => Err(Error::usage(
                format_args!("{}: input and output are the same file", output_name(path)),
            )
            .remedy("name another output with -o")),
            _ => Ok(()),
        };
        if path == Path::new("-") {
            if let Some(m) = standard(&io::stdout()) {
                refuse(&m)?;
            }
            let to = To::Standard(standard_output()?);
            return Ok(Output { path: path.into(), out: 0, to, armor: None });
        }
        let (mut target, mut before) = (path.to_path_buf(), None);
        match fs::metadata(path) {
            Ok(m) if m.is_dir() => {
                return Err(Error::new(Exit::Io, format_args!("{}: is a directory", name(path)))
                    .remedy("name a file in it with -o"));
            }
            #[cfg(unix)]
            Ok(m) if block_device(&m).is_some() => {
                refuse(&m)?;
                if !force {
                    return Err(Error::new(
                        Exit::Io,
                        format_args!("{}: is a block device", name(path)),
                    )
                    .remedy("name another output with -o, or --force if nothing there is needed"));
                }
                let file = device(path)?;
                return Ok(Output { path: path.into(), out: 0, to: To::Direct(file), armor: None });
            }
            Ok(m) if !m.is_file() => {
                refuse(&m)?;
                let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
                return Ok(Output { path: path.into(), out: 0, to: To::Direct(file), armor: None });
            }
            Ok(m) => {
                refuse(&m)?;
                if !force {
                    return Err(exists(path));
                }
                // Replaces the file that a link leads to, not the link.
                target = fs::canonicalize(path).map_err(fail)?;
                before = Some(m);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(Error::new(
                        Exit::Io,
                        format_args!("{}: a link to a missing file", name(path)),
                    )
                    .remedy("remove it, or name another output with -o"));
                }
            }
            Err(e) => return Err(fail(e)),
        }
        let folder = match target.parent() {
            Some(p) if p != Path::new("") => p,
            _ => Path::new("."),
        };
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(target.file_name().ok_or_else(|| {
            Error::new(Exit::Io, format_args!("{}: not a file name", name(path)))
        })?);
        prefix.push(".");
        // A name of 255 bytes leaves no room for a suffix.
        if prefix.len() > 200 {
            prefix = ".bulat.".into();
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        // Until it is complete only its owner can read it. If the umask is unknown, `open` applies it.
        #[cfg_attr(not(unix), allow(unused_mut))]
        let mut last = None;
        #[cfg(not(unix))]
        let _ = (private, before);
        #[cfg(unix)]
        if !private {
            use std::os::unix::fs::PermissionsExt as _;
            let most = mode(source).unwrap_or(0o666) & mode(before.as_ref()).unwrap_or(0o777);
            last = umask().map(|umask| most & !umask);
            if last.is_none() {
                builder.permissions(fs::Permissions::from_mode(most));
            }
        }
        let file = cleanup::watched(|| builder.tempfile_in(folder)).map_err(fail)?;
        let to = To::Temporary { file, target, force, mode: last };
        Ok(Output { path: path.into(), out: 0, to, armor: None })
    }

    /// Writes the file in armour.
    pub fn armored(self) -> Self {
        Output { armor: Some(Encoder::default()), ..self }
    }

    /// Returns the file, if any position in it can be written before it gets its name.
    #[cfg(unix)]
    pub fn places(&self) -> Option<&File> {
        match &self.to {
            To::Temporary { file, .. } if self.armor.is_none() => Some(file.as_file()),
            _ => None,
        }
    }

    /// Gives the complete file its name: syncs it to the disk, renames it, syncs the folder.
    pub fn commit(mut self) -> Result<()> {
        if let Some(encoder) = self.armor.take() {
            let mut text = Vec::new();
            encoder.finish(&mut text);
            self.write_all(&text).map_err(|e| Error::write(&self.path, &e))?;
        }
        let path = self.path;
        let fail = |e: io::Error| Error::write(&path, &e);
        match self.to {
            To::Standard(mut out) => out.flush().map_err(fail),
            To::Direct(mut file) => match file.metadata() {
                Ok(m) if block_device(&m).is_some() => {
                    file.sync_all().map_err(fail)?;
                    // It cannot be cut to the length, and a container with more behind it does not verify.
                    if file.seek(SeekFrom::End(0)).is_ok_and(|all| all > self.out) {
                        note(format_args!(
                            "warning: {0}: behind the first {1} bytes it has its old content; read the new one with: head -c {1} {0}",
                            name(&path),
                            self.out
                        ));
                    }
                    Ok(())
                }
                _ => Ok(()),
            },
            To::Temporary { file, target, force, mode } => {
                #[cfg(unix)]
                if let Some(mode) = mode {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::Permissions::from_mode(mode);
                    file.as_file().set_permissions(mode).map_err(fail)?;
                }
                #[cfg(not(unix))]
                let _ = mode;
                file.as_file().sync_all().map_err(fail)?;
                let part = file.path().to_path_buf();
                let renamed = cleanup::settled(&part, || {
                    if force { file.persist(&target) } else { file.persist_noclobber(&target) }
                });
                match renamed {
                    Ok(_) => {}
                    Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                        return Err(exists(&path));
                    }
                    Err(e) => return Err(fail(e.error)),
                }
                sync_folder(&target);
                Ok(())
            }
        }
    }
}

/// Opens a block device that nobody else has open.
#[cfg(unix)]
fn device(path: &Path) -> Result<File> {
    use bulat_block::{Error as Refusal, hold};
    hold::open(path, hold::Access::Write).map_err(|e| match e {
        Refusal::Io(e) => Error::write(path, &e),
        e => Error::new(Exit::Io, format_args!("{}: {e}", name(path)))
            .remedy("unmount it, or stop its server or loop device (losetup -d)"),
    })
}

impl Write for Output {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if let Some(mut encoder) = self.armor.take() {
            let mut text = Vec::with_capacity(octets.len() / 2 * 3);
            encoder.push(octets, &mut text);
            self.write_all(&text)?;
            self.armor = Some(encoder);
            return Ok(octets.len());
        }
        let n = match &mut self.to {
            To::Standard(out) => out.write(octets)?,
            To::Direct(file) => file.write(octets)?,
            To::Temporary { file, .. } => return file.as_file_mut().write(octets),
        };
        self.out += n as u64;
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard(out) => out.flush(),
            To::Direct(file) => file.flush(),
            To::Temporary { file, .. } => file.as_file_mut().flush(),
        }
    }
}

/// A file that a run reads or writes, to compare with its others.
pub struct Place<'a> {
    what: &'a str,
    /// The file's name, if it has one.
    path: Option<&'a Path>,
    /// The file's metadata, if it exists.
    is: Option<Metadata>,
    /// Set for standard input, by name or number.
    standard: bool,
}

impl<'a> Place<'a> {
    /// Describes a file by its name; `-` is standard input.
    pub fn named(what: &'a str, path: &'a Path) -> Self {
        let dash = path == Path::new("-");
        let is = if dash { standard(&io::stdin()) } else { fs::metadata(path).ok() };
        Place { what, path: Some(path), is, standard: dash }
    }
    /// Describes an open file.
    pub fn open(what: &'a str, number: u32, file: &io::Result<File>) -> Self {
        let is = file.as_ref().ok().and_then(|file| file.metadata().ok());
        Place { what, path: None, is, standard: number == 0 }
    }
    /// Describes standard output.
    pub fn standard_output(what: &'a str) -> Self {
        Place { what, path: None, is: standard(&io::stdout()), standard: false }
    }
    /// Returns whether an entry of a folder is this file. It asks the system only about entries of an equal number.
    pub fn is_entry(&self, entry: &fs::DirEntry) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirEntryExt as _, MetadataExt as _};
            let is = self.is.as_ref().filter(|is| is.ino() == entry.ino());
            is.is_some_and(|is| entry.metadata().is_ok_and(|m| same(is, &m)))
        }
        #[cfg(not(unix))]
        self.path.is_some_and(|path| path != Path::new("-") && place(path) == place(&entry.path()))
    }
    /// Returns whether both are standard input, or one stream, so that each would consume the other's data.
    fn shares(&self, other: &Place<'_>) -> bool {
        let one = match (&self.is, &other.is) {
            (Some(a), Some(b)) => identical(a, b),
            _ => false,
        };
        // A regular file is read from its beginning under every name, but not as standard input.
        let stream = self.is.as_ref().is_some_and(|m| !m.is_file());
        let standard = (self.standard, other.standard);
        standard == (true, true) || one && (stream || standard != (false, false))
    }
}

/// Refuses two inputs that are one stream, under any name or number.
pub fn streams_apart(inputs: &[Option<Place<'_>>]) -> Result<()> {
    let mut before: Vec<&Place> = Vec::new();
    for input in inputs.iter().flatten() {
        if let Some(other) = before.iter().find(|other| input.shares(other)) {
            let from = match [input, other].into_iter().find(|i| !i.standard).and_then(|i| i.path) {
                Some(path) if !(input.standard || other.standard) => name(path),
                _ => "standard input".into(),
            };
            return Err(Error::usage(format_args!(
                "{} and {} cannot both come from {from}",
                other.what, input.what
            ))
            .remedy("name the file of one of them, or use a descriptor other than 0"));
        }
        before.push(input);
    }
    Ok(())
}

/// Refuses an output that the run also reads or writes, under any name or number.
pub fn distinct(output: &Path, others: &[Option<Place<'_>>]) -> Result<()> {
    let there = match output == Path::new("-") {
        true => standard(&io::stdout()),
        false => fs::metadata(output).ok(),
    };
    for other in others.iter().flatten() {
        let same = match (&there, &other.is, other.path) {
            (Some(a), Some(b), _) if cfg!(unix) => same(a, b),
            (_, _, Some(path)) if output != Path::new("-") => {
                place(output).is_some_and(|output| Some(output) == place(path))
            }
            _ => false,
        };
        if same {
            return Err(Error::usage(format_args!(
                "{}: the output and {} are the same file",
                output_name(output),
                other.what
            ))
            .remedy("name another output with -o"));
        }
    }
    Ok(())
}

/// Returns the canonical path of a file or a folder that may not exist yet.
pub fn location(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().or_else(|| place(path))
}

/// Returns the canonical path of a file, or of its folder if the file does not exist yet. On Unix existing files are
/// compared by inode number instead.
fn place(path: &Path) -> Option<PathBuf> {
    let whole = if cfg!(unix) { None } else { fs::canonicalize(path).ok() };
    whole.or_else(|| {
        let folder = path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    })
}

fn exists(path: &Path) -> Error {
    Error::new(Exit::Io, format_args!("{}: already exists", name(path)))
        .remedy("use --force to replace it, or name another output with -o")
}

/// Makes a new name in a folder durable. Errors are ignored: not every file system supports this, and the file itself
/// is safe.
pub fn sync_folder(target: &Path) {
    #[cfg(unix)]
    {
        let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
    #[cfg(not(unix))]
    let _ = target;
}

/// Returns the umask, on systems that show it.
#[cfg(unix)]
fn umask() -> Option<u32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let umask = status.lines().find_map(|l| l.strip_prefix("Umask:"))?;
    u32::from_str_radix(umask.trim(), 8).ok()
}

/// Returns the permissions of a regular file.
#[cfg(unix)]
fn mode(of: Option<&Metadata>) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    of.filter(|m| m.is_file()).map(|m| m.permissions().mode() & 0o777)
}

/// Returns whether both are one regular file or one block device, under any names.
fn same(a: &Metadata, b: &Metadata) -> bool {
    a.is_file() && b.is_file() && identical(a, b)
        || block_device(a).is_some_and(|a| Some(a) == block_device(b))
}
/// Returns the number of a block device.
#[cfg(unix)]
fn block_device(m: &Metadata) -> Option<u64> {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    m.file_type().is_block_device().then(|| m.rdev())
}
#[cfg(not(unix))]
fn block_device(_: &Metadata) -> Option<u64> {
    None
}
#[cfg(unix)]
fn identical(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}
/// Without inode numbers paths are compared, which does not detect hard links.
#[cfg(not(unix))]
fn identical(_: &Metadata, _: &Metadata) -> bool {
    false
}
fn same_place(input: Option<&Input>, path: &Path) -> bool {
    let of = input.filter(|_| cfg!(not(unix))).and_then(|input| place(&input.path));
    of.is_some() && of == place(path)
}

#[cfg(unix)]
fn standard(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    copy(stream).ok()?.metadata().ok()
}
#[cfg(not(unix))]
fn standard<T>(_: &T) -> Option<Metadata> {
    None
}

/// Writes to standard output. A closed pipe ends the program without a message.
pub fn print(octets: impl AsRef<[u8]>) -> Result<()> {
    let mut out = standard_output()?;
    aside(|| out.write_all(octets.as_ref()).and_then(|()| out.flush()))
        .map_err(|e| Error::write(Path::new("-"), &e))
}

/// Converts bytes, as in lists, to a path.
pub fn path_of(octets: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        std::ffi::OsStr::from_bytes(octets).into()
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(octets).into_owned())
}

/// Converts a path to bytes.
pub fn octets_of(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}
