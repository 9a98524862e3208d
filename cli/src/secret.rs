//! Keys and passwords: from files, descriptors, a prompt on a terminal, and (where the command allows
//! it, with a warning) the command line.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use bulat_container::digits::{self, Form, unhex};
use bulat_container::mark;
use bulat_container::pipeline::fill;
use clap::Args;
use zeroize::Zeroizing;

use crate::cleanup;
use crate::error::{Error, Exit, Result, name, note, reason};
use crate::io::{Input, Place};
use crate::standard::closed;

/// Bytes of a secret.
pub type Octets = Zeroizing<Vec<u8>>;

/// No key and no password is longer.
pub const LIMIT: usize = 64 << 10;

/// A key from a file or a descriptor.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// Read the key from FILE ("-": standard input): its bytes, or hexadecimal digits as `bulat key
    /// new` writes them. A file that holds digits alone (an even number, at least 32; a line end may
    /// follow) is always hexadecimal; one that is nearly so (spaces, 0x, an odd number) is refused
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
    /// Read the key from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub key_fd: Option<Descriptor>,
}

/// A key, the command line allowed.
#[derive(Args, Clone, Debug)]
pub struct OpenKeyArgs {
    #[command(flatten)]
    file: KeyArgs,
    /// The key itself in hexadecimal digits. Other users can see it in the list of processes, and
    /// the shell keeps it in its history: for tests only
    #[arg(long, value_name = "HEX", group = "secret")]
    key: Option<String>,
}

/// A password.
#[derive(Args, Clone, Debug)]
pub struct PasswordArgs {
    /// Read the password from FILE ("-": standard input); one line end (LF or CRLF) at its end is not
    /// part of it. A byte-order mark at its beginning is refused
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub password_file: Option<PathBuf>,
    /// Read the password from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub password_fd: Option<Descriptor>,
}

/// What opens a volume: a password, or a file's bytes as they are.
#[derive(Args, Clone, Debug)]
pub struct UnlockArgs {
    #[command(flatten)]
    pub password: PasswordArgs,
    /// Read the password from FILE as it is, line ends and zero bytes too, as cryptsetup's --key-file
    /// does. Of a plain mapping it is the key itself: 64 bytes (32 for AES-128), or 128 hexadecimal digits
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
}

/// A new one beside it.
#[derive(Args, Clone, Debug)]
pub struct NewUnlockArgs {
    /// Read the new password from FILE, without a line end at its end
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_password_file: Option<PathBuf>,
    /// Read the new password from the open descriptor N
    #[arg(long, value_name = "N", group = "new-secret")]
    new_password_fd: Option<Descriptor>,
    /// Read the new password from FILE as it is
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_key_file: Option<PathBuf>,
}

impl UnlockArgs {
    /// The secret, if its place is named.
    pub fn read(&self) -> Result<Option<Octets>> {
        match named(&self.key_file, &None)? {
            Some((octets, what)) if octets.is_empty() => {
                Err(Error::usage(format_args!("{what}: the file is empty")))
            }
            Some((octets, _)) => Ok(Some(octets)),
            None => self.password.read(),
        }
    }
    /// The secret; a password is asked for if need be, twice when it is a new one.
    pub fn read_or_ask(&self, new: bool) -> Result<Octets> {
        match self.read()? {
            Some(octets) => Ok(octets),
            None => self.password.read_or_ask(new),
        }
    }
    /// Where it comes from, if it is named.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the key file", &self.key_file, &None).or_else(|| self.password.place())
    }
}

impl NewUnlockArgs {
    /// The same as what is not new.
    pub fn secret(&self) -> UnlockArgs {
        let (password_file, password_fd) =
            (self.new_password_file.clone(), self.new_password_fd.clone());
        let password = PasswordArgs { password_file, password_fd };
        UnlockArgs { password, key_file: self.new_key_file.clone() }
    }
}

/// The bytes of a file that is no key, for the secrets that are mixed from files.
pub fn file(path: &Path, limit: usize) -> Result<Octets> {
    let mut input = Input::open(path)?;
    let mut octets = Zeroizing::new(vec![0; limit]);
    let n = input.fill(&mut octets)?;
    octets.truncate(n);
    Ok(octets)
}

impl KeyArgs {
    /// The key, if one is named. `len` is the number of bytes it must have; 0: any.
    pub fn read(&self, len: usize) -> Result<Option<Octets>> {
        let Some((octets, what)) = named(&self.key_file, &self.key_fd)? else { return Ok(None) };
        key(octets, len, &what).map(Some)
    }
    /// Where the key comes from, if it is named.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the key file", &self.key_file, &self.key_fd)
    }
}

impl OpenKeyArgs {
    /// The key.
    pub fn read(&self, len: usize) -> Result<Octets> {
        if let Some(hex) = &self.key {
            note(format_args!(
                "warning: a key on the command line is visible to other users; \
                 use --key-file"
            ));
            let octets = unhex(hex.as_bytes()).ok_or_else(|| no_digits("--key", hex))?;
            return exact(octets.into(), true, len, "--key");
        }
        self.file.read(len)?.ok_or_else(no_key)
    }
    /// The file it comes from, if it is one.
    pub fn place(&self) -> Option<Place<'_>> {
        self.file.place()
    }
}

impl PasswordArgs {
    /// The password, if its place is named.
    pub fn read(&self) -> Result<Option<Octets>> {
        let Some((mut octets, what)) = named(&self.password_file, &self.password_fd)? else {
            return Ok(None);
        };
        let len = without_end(&octets).len();
        octets.truncate(len);
        password(octets, &what).map(Some)
    }
    /// The password, asked for if need be: twice when it is a new one.
    pub fn read_or_ask(&self, new: bool) -> Result<Octets> {
        if let Some(password) = self.read()? {
            return Ok(password);
        }
        if !std::io::stderr().is_terminal() {
            return Err(Error::usage("no key and no password given, and no terminal to ask on")
                .remedy("use --key-file, --password-file or --password-fd"));
        }
        let ask = |prompt: &str| -> Result<Octets> {
            cleanup::ask(prompt, LIMIT)
                .map_err(|e| Error::new(Exit::Io, format_args!("cannot ask for a password: {e}")))
        };
        let first = password(ask("Password: ")?, "the terminal")?;
        if new && *ask("The same again: ")? != *first {
            return Err(Error::usage("the two passwords differ").remedy("try again"));
        }
        Ok(first)
    }
    /// Where the password comes from, if it is named.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the password file", &self.password_file, &self.password_fd)
    }
}

/// The command needs a key and has none.
pub fn no_key() -> Error {
    Error::usage("no key given")
        .remedy("name one with --key-file, or make one: bulat key new -o FILE")
}

/// A descriptor that the command was started with.
///
/// It is duplicated while the command line is read, before the program opens any file: later a number
/// that was not open could be one of the program's own files.
#[derive(Clone, Debug)]
pub struct Descriptor {
    number: u32,
    file: Arc<io::Result<File>>,
}

impl FromStr for Descriptor {
    type Err = ParseIntError;
    fn from_str(number: &str) -> Result<Self, ParseIntError> {
        let number = number.parse()?;
        let file = match u8::try_from(number) {
            Ok(number @ 0..3) if closed(number) => Err(io::Error::from_raw_os_error(EBADF)),
            _ => duplicate(number),
        };
        Ok(Descriptor { number, file: Arc::new(file) })
    }
}

impl Descriptor {
    /// Reads on from where it stands, as every program that was given a descriptor does: not from the
    /// beginning of what it leads to.
    fn fill(&self, buffer: &mut [u8]) -> Result<usize> {
        let what = || format!("descriptor {}", self.number);
        let fail = |e: &io::Error| match e.raw_os_error() {
            Some(EBADF) => {
                Error::new(Exit::Io, format_args!("{}: not open for reading", what())).remedy(
                    format_args!("open it for the command, in the shell: {}<FILE", self.number),
                )
            }
            _ => Error::new(Exit::Io, format_args!("{}: {}", what(), reason(e))),
        };
        match &*self.file {
            Ok(file) => fill(&mut &*file, buffer).map_err(|e| fail(&e)),
            Err(e) => Err(fail(e)),
        }
    }
}

/// EBADF of all systems with descriptors.
const EBADF: i32 = 9;

#[cfg(unix)]
#[allow(unsafe_code)]
fn duplicate(number: u32) -> io::Result<File> {
    use std::os::fd::{FromRawFd as _, RawFd};
    let number = RawFd::try_from(number).map_err(|_| io::Error::from_raw_os_error(EBADF))?;
    // SAFETY: it takes numbers alone, and refuses one that is not open.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: open since just now, and nobody else's.
    Ok(unsafe { File::from_raw_fd(copy) })
}
/// Windows hands down no numbers; 0 is standard input there too.
#[cfg(windows)]
fn duplicate(number: u32) -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    match number {
        0 => Ok(io::stdin().as_handle().try_clone_to_owned()?.into()),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}
#[cfg(not(any(unix, windows)))]
fn duplicate(_: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The bytes of the secret that is named, and what to call its place.
fn named(file: &Option<PathBuf>, fd: &Option<Descriptor>) -> Result<Option<(Octets, String)>> {
    let (octets, what) = match (file, fd) {
        (Some(path), _) => {
            let mut input = Input::open(path)?;
            warn_of_readers(&input);
            (whole(|buffer| input.fill(buffer))?, name(path))
        }
        (None, Some(fd)) => (whole(|buffer| fd.fill(buffer))?, format!("descriptor {}", fd.number)),
        (None, None) => return Ok(None),
    };
    let octets = octets.ok_or_else(|| {
        Error::usage(format_args!("{what}: longer than {LIMIT} bytes: not a key or password"))
    })?;
    Ok(Some((octets, what)))
}

/// The place that is named.
fn place<'a>(
    what: &'a str,
    file: &'a Option<PathBuf>,
    fd: &'a Option<Descriptor>,
) -> Option<Place<'a>> {
    let file = file.as_deref().map(|path| Place::named(what, path));
    file.or_else(|| fd.as_ref().map(|fd| Place::open(what, fd.number, &fd.file)))
}

/// Says so when others than its owner can read a secret's file.
fn warn_of_readers(input: &Input) {
    #[cfg(unix)]
    if let Some(m) = input.metadata.as_ref().filter(|m| m.is_file()) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = name(&input.path);
        if m.permissions().mode() & 0o077 != 0 && input.path != Path::new("-") {
            note(format_args!("warning: {path}: others can read it; to do: chmod 600 {path}"));
        }
    }
    #[cfg(not(unix))]
    let _ = input;
}

/// What `fill` reads, up to [`LIMIT`] bytes; `None` when there are more. In one buffer of the full
/// size, so that growth leaves no copies.
pub fn whole(fill: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<Option<Octets>> {
    let mut octets = Zeroizing::new(vec![0; LIMIT + 1]);
    let n = fill(&mut octets)?;
    octets.truncate(n);
    Ok((n <= LIMIT).then_some(octets))
}

/// The text without one line end at its end.
fn without_end(text: &[u8]) -> &[u8] {
    match text.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => text,
    }
}

fn password(octets: Octets, what: &str) -> Result<Octets> {
    if octets.is_empty() {
        return Err(Error::usage(format_args!("{what}: the password is empty")));
    }
    // Nobody types it, so with it the password would be another one.
    if let Some(encoding) = mark::of(&octets) {
        return Err(Error::usage(format_args!(
            "{what}: the password begins with the byte-order mark of {encoding}"
        ))
        .remedy(
            "write the file in UTF-8 without one: printf, or in PowerShell 7 -Encoding utf8NoBOM",
        ));
    }
    // HMAC takes "x" and "x\0" for the same key.
    if octets.contains(&0) {
        return Err(Error::usage(format_args!("{what}: a zero byte in the password")));
    }
    Ok(octets)
}

/// A key file's key, which must have `len` bytes; 0: any number.
fn key(octets: Octets, len: usize, what: &str) -> Result<Octets> {
    // An empty line is no key either.
    if matches!(&octets[..], b"" | b"\n" | b"\r\n") {
        return Err(Error::usage(format_args!("{what}: the key is empty"))
            .remedy("make a key: bulat key new -o FILE"));
    }
    let (octets, digits) = decoded(octets, what)?;
    exact(octets, digits, len, what)
}

/// The bytes that a key file stands for, and whether they were hexadecimal digits. A file of digits is never taken
/// for raw bytes, whatever length is wanted, so that none is read in two ways; one that is nearly so is refused.
pub fn decoded(octets: Octets, what: &str) -> Result<(Octets, bool)> {
    match digits::form(&octets) {
        Form::Octets => Ok((octets, false)),
        Form::Digits(n) => {
            let key = unhex(&octets[..n]).expect("digits alone");
            Ok((Zeroizing::new(key), true))
        }
        Form::Nearly => Err(Error::usage(format_args!(
            "{what}: nearly a key in hexadecimal digits: there must be an even number of them, at least {}, \
             and nothing else but a line end",
            digits::FEWEST
        ))
        .remedy("put the file right, or if it is the key's bytes, give them as digits")),
    }
}

fn exact(octets: Octets, digits: bool, len: usize, what: &str) -> Result<Octets> {
    let n = octets.len();
    if len == 0 || n == len {
        return Ok(octets);
    }
    let digits = if digits { format!(" in {} hexadecimal digits", 2 * n) } else { String::new() };
    Err(Error::usage(format_args!(
        "{what}: {n} bytes{digits}, but the key must have {len} (or {} hexadecimal digits)",
        2 * len
    )))
}

/// Random bytes from the system.
pub fn random(octets: &mut [u8]) -> Result<()> {
    getrandom::fill(octets)
        .map_err(|e| Error::new(Exit::Io, format_args!("no random numbers from the system: {e}")))
}

/// Hexadecimal digits of an option.
pub fn hex_option(option: &str, digits: &str) -> Result<Vec<u8>> {
    if digits.is_empty() {
        return Ok(Vec::new());
    }
    unhex(digits.as_bytes()).ok_or_else(|| no_digits(option, digits))
}

/// Why [`unhex`] does not take an option's digits.
fn no_digits(option: &str, digits: &str) -> Error {
    match digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        Some(c) => Error::usage(format_args!("{option}: {c:?} is no hexadecimal digit"))
            .remedy("give the digits alone, without 0x, spaces or colons"),
        None if digits.is_empty() => Error::usage(format_args!("{option}: no digits")),
        None => Error::usage(format_args!("{option}: an odd number of hexadecimal digits"))
            .remedy("give two digits for each byte"),
    }
}

/// A file as it is, for associated data and tags; `-` is standard input.
pub fn small_file(path: &Path) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    Input::open(path)?.read_to_end(&mut out).map_err(|e| Error::read(path, &e))?;
    Ok(out)
}
