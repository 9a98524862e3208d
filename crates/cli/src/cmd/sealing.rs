//! Encrypting and decrypting one file: its secret, its output, its chunks.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bulat::Direction;
use bulat::Secret;
use bulat_container::pipeline;
use bulat_container::stamp::Stamp;
use bulat_container::{
    self as container, Cipher, Credential, Header, Keys, Limits, Name, Source, armor, header,
};

use super::slots::{self, read_header};
use crate::cli::{BlockName, DecryptArgs, EncryptArgs, OutArgs};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Output};
use crate::progress::Progress;
use crate::secret::{Bytes, credential, key_or_password, random, secrets_apart};

/// The suffix that `encrypt` appends to a file's name and `decrypt` removes.
pub const SUFFIX: &str = "bulat";

/// Returns the cipher of a new container.
fn cipher(args: &EncryptArgs) -> Cipher {
    match args.cipher {
        BlockName::Kuznyechik => Cipher::Kuznyechik,
        BlockName::Magma => Cipher::Magma,
    }
}

/// A file that is to be encrypted, and the beginning of the container.
pub struct Sealed {
    pub input: Input,
    stamp: Option<Stamp>,
    output: Output,
    /// The name that the header binds; empty if none.
    bound: String,
}

impl Sealed {
    /// Opens the file, and begins the container at `to`, by default at the name that `-o` or the file's gives.
    pub fn begin(
        args: &EncryptArgs,
        path: &Path,
        to: Option<&Path>,
        force: bool,
    ) -> Result<Sealed> {
        let (mut input, limit) = (Input::open(path)?, cipher(args).limit());
        let stamp = stamp(&input)?;
        if container::begins(input.peek(armor::PEEK)?) {
            note(format_args!(
                "warning: {}: encrypted already; this encrypts it again",
                name(path)
            ));
        }
        if input.len().is_some_and(|n| n > limit) {
            return Err(Error::container(path, path, container::Error::TooLong { limit }));
        }
        let binary = !args.armor;
        let to =
            to.map_or_else(|| destination(&args.out, path, true, binary), |to| Ok(to.into()))?;
        secrets_apart(&to, &args.key, &args.password)?;
        let bound = if args.bind_name { slots::bound(&to)? } else { String::new() };
        let output = Output::create(&to, Some(&input), force)?;
        let output = if args.armor { output.armored() } else { output };
        Ok(Sealed { input, stamp, output, bound })
    }
}

/// The secret for new containers, and its cost.
pub struct Sealer<'a> {
    args: &'a EncryptArgs,
    secret: Bytes,
    source: Source,
    turn: Turn,
}

impl<'a> Sealer<'a> {
    /// Reads the secret, or asks for it.
    pub fn new(args: &'a EncryptArgs) -> Result<Self> {
        let secret = key_or_password(&args.key, &args.password, true)?;
        let source = slots::cost(&args.kdf, args.key.given())?.source().map_err(super::internal)?;
        let turn = Turn::new(source != Source::KeyFile);
        Ok(Sealer { args, secret, source, turn })
    }

    fn credential(&self) -> Credential<'_> {
        credential(&self.secret, self.source == Source::KeyFile)
    }

    /// Encrypts a file.
    pub fn run(&self, plan: Sealed, threads: usize, progress: &Progress) -> Result<()> {
        let Sealed { mut input, stamp, mut output, bound } = plan;
        let (path, to) = (input.path.clone(), output.path.clone());
        let fail = |e| Error::container(&path, &to, e);
        let mut fresh = Secret::new([0; header::FRESH]);
        random(&mut *fresh)?;
        let (cipher, log2) = (cipher(self.args), self.args.chunk.trailing_zeros() as u8);
        let (header, keys) = self
            .turn
            .take(|| Header::new(cipher, log2, &bound, self.source, self.credential(), &fresh))
            .map_err(fail)?;
        let workers = Workers {
            threads,
            #[cfg(feature = "gpu")]
            engine: super::gpu::engine(&self.args.device.device, cipher, input.len())?,
        };
        output.put(&header.bytes())?;
        chunks(Direction::Encrypt, &keys, &workers, progress, &stamp, &mut input, &mut output)
            .map_err(fail)?;
        output.commit()
    }

    /// Returns the state of a container of this file that may exist. It is finished if it opens under this key, has the
    /// length of the file's and is newer. An older one is replaced; any other existing file is an error.
    pub fn found(&self, path: &Path, to: &Path) -> Result<Found> {
        let Some(existing) = metadata(to)? else { return Ok(Found::Nothing) };
        if self.args.out.force {
            return Ok(Found::Old);
        }
        if !existing.is_file() {
            return Err(Error::at(Exit::Io, to, "no regular file").remedy("choose another folder"));
        }
        let mut input = Input::open(to)?.unarmored()?;
        let opened = read_header(&mut input).and_then(|header| {
            let known = slots::known(to);
            let unlock = || header.unlock(self.credential(), &Limits::default(), &known);
            let opened = self.turn.take(unlock);
            opened.map_err(|e| Error::container(to, to, e)).map(|_| header)
        });
        let header = match opened {
            Err(e) if e.exit == Exit::Io => return Err(e),
            Err(e) => {
                return Err(Error::new(
                    Exit::Io,
                    format_args!("{}: it exists, and does not open under this key", e.what),
                )
                .remedy("choose another folder, or use --force to replace it"));
            }
            Ok(header) => header,
        };
        let source = fs::metadata(path).map_err(|e| Error::read(path, &e))?;
        let len = header.whole(source.len());
        let len = if self.args.armor { armor::len(len) } else { len };
        let finished = self.args.armor == input.armored()
            && len == existing.len()
            && newer(&existing, &source);
        Ok(if finished { Found::Finished } else { Found::Old })
    }
}

/// A container that is to be decrypted, and the beginning of the file.
pub struct Opened {
    pub input: Input,
    stamp: Option<Stamp>,
    header: Header,
    output: Output,
}

impl Opened {
    /// Opens the container, and begins the file at `to`, by default at the name that `-o` or the container's gives.
    pub fn begin(
        args: &DecryptArgs,
        path: &Path,
        to: Option<&Path>,
        force: bool,
    ) -> Result<Opened> {
        let input = Input::open(path)?;
        let stamp = stamp(&input)?;
        let mut input = input.unarmored()?;
        let header = read_header(&mut input)?;
        let to =
            to.map_or_else(|| destination(&args.out, path, false, false), |to| Ok(to.into()))?;
        // Refuses before it asks or works: this file cannot be decrypted.
        let openable = header.openable(!args.key.given(), &slots::limits(&args.limits));
        openable.map_err(|e| Error::container(path, &to, e))?;
        secrets_apart(&to, &args.key, &args.password)?;
        let output = Output::create(&to, Some(&input), force)?;
        Ok(Opened { input, stamp, header, output })
    }
}

/// The secret that opens containers.
pub struct Opener<'a> {
    args: &'a DecryptArgs,
    secret: Bytes,
    turn: Turn,
}

impl<'a> Opener<'a> {
    /// Reads the secret, or asks for it.
    pub fn new(args: &'a DecryptArgs) -> Result<Self> {
        let secret = key_or_password(&args.key, &args.password, false)?;
        Ok(Opener { args, secret, turn: Turn::new(!args.key.given()) })
    }

    /// Decrypts a container.
    pub fn run(&self, plan: Opened, threads: usize, progress: &Progress) -> Result<()> {
        let Opened { mut input, stamp, header, mut output } = plan;
        let (path, to) = (input.path.clone(), output.path.clone());
        let fail = |e| Error::container(&path, &to, e);
        let secret = credential(&self.secret, self.args.key.given());
        let known = if self.args.any_name { Name::Any } else { slots::known(&path) };
        let limits = slots::limits(&self.args.limits);
        let keys = self.turn.take(|| header.unlock(secret, &limits, &known)).map_err(fail)?;
        let workers = Workers {
            threads,
            #[cfg(feature = "gpu")]
            engine: super::gpu::engine(&self.args.device.device, header.cipher, input.len())?,
        };
        let opened =
            chunks(Direction::Decrypt, &keys, &workers, progress, &stamp, &mut input, &mut output);
        if let Err(e) = opened {
            let error = fail(e);
            // The verified chunks before the fault are already written; the buffer holds the rest of them.
            let _ = output.flush();
            let started = output.out > 0 && error.exit == Exit::Data;
            return Err(if started {
                error.remedy("do not use the output: it is not the whole file")
            } else {
                error
            });
        }
        output.commit()
    }

    /// Returns the state of the file that may exist already. It is finished if it has the length of the container's
    /// plaintext and is newer; otherwise it may be somebody's work, and only `--force` replaces it.
    pub fn found(&self, path: &Path, to: &Path) -> Result<Found> {
        let Some(existing) = metadata(to)? else { return Ok(Found::Nothing) };
        if self.args.out.force {
            return Ok(Found::Old);
        }
        let mut input = Input::open(path)?.unarmored()?;
        let header = read_header(&mut input)?;
        let source = fs::metadata(path).map_err(|e| Error::read(path, &e))?;
        let plain = whole_len(&mut input)?.and_then(|n| header.plaintext(n)).map(|p| p.0);
        if plain == Some(existing.len()) && newer(&existing, &source) {
            return Ok(Found::Finished);
        }
        let what = format_args!("{}: it exists, and has another length or is older", name(to));
        Err(Error::new(Exit::Io, what.to_string())
            .remedy("choose another folder, or use --force to replace it"))
    }
}

/// Lets the threads of a run derive keys from a password one at a time: that is expensive on purpose.
struct Turn(Option<Mutex<()>>);

impl Turn {
    fn new(password: bool) -> Self {
        Turn(password.then(Mutex::default))
    }
    fn take<T>(&self, derive: impl FnOnce() -> T) -> T {
        let _turn = self.0.as_ref().map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner));
        derive()
    }
}

/// The state of an output of a run that may have been interrupted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nothing,
    /// It may be replaced.
    Old,
    Finished,
}

/// Returns the data of a file that may not exist.
fn metadata(path: &Path) -> Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::read(path, &e)),
        // A link to a missing file is refused where the output begins.
        Ok(_) => Ok(fs::metadata(path).ok()),
    }
}

/// Returns whether an output was written after the last change of its source. On Unix this is the change of the content,
/// the owner or the name: a file that was put in the place of another counts as changed, even if it is older. Equal
/// times do not count as newer.
fn newer(output: &Metadata, source: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let changed =
            (source.ctime(), source.ctime_nsec()).max((source.mtime(), source.mtime_nsec()));
        (output.mtime(), output.mtime_nsec()) > changed
    }
    #[cfg(not(unix))]
    match (output.modified(), source.modified()) {
        (Ok(output), Ok(source)) => output > source,
        _ => false,
    }
}

/// Returns the length of the container that a regular file holds. The rest of a file in armour is read: its text does
/// not show the length.
pub fn whole_len(input: &mut Input) -> Result<Option<u64>> {
    if !input.armored() || !input.metadata.as_ref().is_some_and(Metadata::is_file) {
        return Ok(input.len());
    }
    let (mut len, mut piece) = (header::LEN as u64, vec![0; 64 << 10]);
    loop {
        match input.fill(&mut piece)? {
            0 => return Ok(Some(len)),
            n => len += n as u64,
        }
    }
}

/// Returns the stamp of a file before its first byte is read, so that a change from then on is noticed.
fn stamp(input: &Input) -> Result<Option<Stamp>> {
    input.stamp().map_err(|e| Error::read(&input.path, &e))
}

/// The threads and devices that work on the chunks.
struct Workers {
    threads: usize,
    #[cfg(feature = "gpu")]
    engine: Option<bulat_gpu::Engine>,
}

/// Seals or opens the chunks; at any positions if both files allow it.
fn chunks(
    direction: Direction,
    keys: &Keys,
    workers: &Workers,
    progress: &Progress,
    stamp: &Option<Stamp>,
    input: &mut Input,
    output: &mut Output,
) -> Result<u64, container::Error> {
    let done = worked(direction, keys, workers, progress, input, output)?;
    input.unchanged(stamp).map_err(container::Error::Read)?;
    Ok(done)
}

fn worked(
    direction: Direction,
    keys: &Keys,
    workers: &Workers,
    progress: &Progress,
    input: &mut Input,
    output: &mut Output,
) -> Result<u64, container::Error> {
    let mut before = 0;
    let progress = &mut |n| {
        progress.more(n - before);
        before = n;
        Ok(())
    };
    let threads = workers.threads;
    #[cfg(feature = "gpu")]
    if let Some(engine) = &workers.engine {
        let stop = input.stopper();
        let source = pipeline::Source::new(input, &stop);
        let chunks = super::gpu::BATCH / keys.chunk();
        let run = &mut |jobs: Vec<bulat::batch::Job<'_>>| super::gpu::run(engine, jobs);
        return container::in_batches(direction, keys, chunks, run, source, output, progress);
    }
    #[cfg(unix)]
    if let (Some(from), Some(to)) = (input.places(), output.places()) {
        return container::between_files(direction, keys, threads, from, to, progress);
    }
    let stop = input.stopper();
    let source = pipeline::Source::new(input, &stop);
    match direction {
        Direction::Encrypt => container::seal(keys, threads, source, output, progress),
        Direction::Decrypt => container::open(keys, threads, source, output, progress),
    }
}

/// Returns the name of the container of a file.
pub fn suffixed(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(SUFFIX);
    name.into()
}

/// Returns the output's name: as given by `-o`, else derived from the input's name, else standard output.
fn destination(out: &OutArgs, input: &Path, encrypt: bool, binary: bool) -> Result<PathBuf> {
    if let Some(path) = &out.output {
        return Ok(path.clone());
    }
    if input == Path::new("-") {
        if encrypt && binary && std::io::stdout().is_terminal() {
            return Err(Error::usage("refusing to write encrypted data to a terminal")
                .remedy("name a file with -o, write text with --armor, or -o - if you mean it"));
        }
        return Ok("-".into());
    }
    if encrypt {
        return Ok(suffixed(input));
    }
    match input.extension() {
        // A file can be named "-", too.
        Some(suffix) if suffix == SUFFIX => Ok(match input.with_extension("") {
            plain if plain == Path::new("-") => "./-".into(),
            plain => plain,
        }),
        _ => Err(Error::at(Exit::Usage, input, format_args!("not named *.{SUFFIX}"))
            .remedy("name the output with -o")),
    }
}
