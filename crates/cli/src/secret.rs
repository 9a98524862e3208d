//! Keys and passwords: from files, descriptors, a prompt on the terminal, and, in commands that allow it, from the
//! command line, with a warning.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use bulat_container::digits::{self, Form, unhex};
use bulat_container::mark;
use bulat_container::pipeline::fill;
use bulat_container::{Credential, header};
use clap::Args;
use zeroize::Zeroizing;

use crate::cleanup;
use crate::error::{Error, Exit, Result, name, note, reason};
use crate::io::{Input, Place, distinct, streams_apart};
use crate::locked;
use crate::standard::closed;

/// Bytes of a secret.
pub type Bytes = Zeroizing<Vec<u8>>;

/// The most bytes in a key or a password.
pub const LIMIT: usize = 64 << 10;

/// A key from a file or a descriptor.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// Read the key from FILE ("-": standard input): its bytes, or hexadecimal digits as `bulat key new` writes them. A
    /// file of only digits (an even number, at least 32, with an optional line end) is always hexadecimal; one that is
    /// nearly so (with spaces, 0x, an odd number) is refused
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
    /// Read the key from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub key_fd: Option<Descriptor>,
    #[command(flatten)]
    pub password: KeyPasswordArgs,
}

/// The password of a key file that is under one.
#[derive(Args, Clone, Debug, Default)]
pub struct KeyPasswordArgs {
    /// The key file is under a password: read it from FILE, and ask for nothing
    #[arg(long, value_name = "FILE", conflicts_with = "key_password_fd")]
    key_password_file: Option<PathBuf>,
    /// The key file is under a password: read it from the open descriptor N
    #[arg(long, value_name = "N")]
    key_password_fd: Option<Descriptor>,
}

const SECRET: [&str; 2] =
    ["no key or password given", "use --key-file, --password-file or --password-fd"];
const KEY_PASSWORD: [&str; 2] =
    ["the key file is under a password, and none is given", "use --key-password-file or -fd"];

/// A key that may also be given on the command line.
#[derive(Args, Clone, Debug)]
pub struct OpenKeyArgs {
    #[command(flatten)]
    file: KeyArgs,
    /// The key in hexadecimal digits. Other users can see it in the list of processes, and the shell keeps it in its
    /// history: for tests only
    #[arg(long, value_name = "HEX", group = "secret")]
    key: Option<String>,
}

/// A password.
#[derive(Args, Clone, Debug)]
pub struct PasswordArgs {
    /// Read the password from FILE ("-": standard input), without one line end (LF or CRLF) at its end. A byte-order
    /// mark at the beginning is refused
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub password_file: Option<PathBuf>,
    /// Read the password from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub password_fd: Option<Descriptor>,
}

/// The secret that opens a volume: a password, or a file's exact bytes.
#[derive(Args, Clone, Debug)]
pub struct UnlockArgs {
    #[command(flatten)]
    pub password: PasswordArgs,
    /// Read the password from FILE exactly, with line ends and zero bytes, like cryptsetup's --key-file. For a plain
    /// mapping this is the key: 64 bytes (32 for AES-128), or 128 hexadecimal digits
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
}

/// The new secret of a volume.
#[derive(Args, Clone, Debug)]
pub struct NewUnlockArgs {
    /// Read the new password from FILE, without a line end at its end
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_password_file: Option<PathBuf>,
    /// Read the new password from the open descriptor N
    #[arg(long, value_name = "N", group = "new-secret")]
    new_password_fd: Option<Descriptor>,
    /// Read the new password from FILE exactly
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_key_file: Option<PathBuf>,
}

/// The new secret of a container.
#[derive(Args, Clone, Debug)]
pub struct NewSecretArgs {
    /// Read the new key from FILE, as --key-file does
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_key_file: Option<PathBuf>,
    /// Read the new password from FILE, as --password-file does
    #[arg(long, value_name = "FILE", group = "new-secret")]
    new_password_file: Option<PathBuf>,
    /// Read the new password from the open descriptor N
    #[arg(long, value_name = "N", group = "new-secret")]
    new_password_fd: Option<Descriptor>,
}

impl NewSecretArgs {
    /// Returns these options in the form of the present secret's.
    pub fn secret(&self) -> (KeyArgs, PasswordArgs) {
        let (password_file, password_fd) =
            (self.new_password_file.clone(), self.new_password_fd.clone());
        let password = KeyPasswordArgs::default();
        let key = KeyArgs { key_file: self.new_key_file.clone(), key_fd: None, password };
        (key, PasswordArgs { password_file, password_fd })
    }
}

impl UnlockArgs {
    /// Returns the secret, if a source is given.
    pub fn read(&self) -> Result<Option<Bytes>> {
        match named(&self.key_file, &None)? {
            Some((bytes, what)) if bytes.is_empty() => {
                Err(Error::usage(format_args!("{what}: the file is empty")))
            }
            Some((bytes, _)) => Ok(Some(bytes)),
            None => self.password.read(),
        }
    }
    /// Returns the secret. Asks for a password if no source is given; twice if it is new.
    pub fn read_or_ask(&self, new: bool) -> Result<Bytes> {
        match self.read()? {
            Some(bytes) => Ok(bytes),
            None => self.password.read_or_ask(new),
        }
    }
    /// Returns the source, if one is given.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the key file", &self.key_file, &None).or_else(|| self.password.place())
    }
}

impl NewUnlockArgs {
    /// Returns these options in the form of the present secret's.
    pub fn secret(&self) -> UnlockArgs {
        let (password_file, password_fd) =
            (self.new_password_file.clone(), self.new_password_fd.clone());
        let password = PasswordArgs { password_file, password_fd };
        UnlockArgs { password, key_file: self.new_key_file.clone() }
    }
}

/// Reads a file that is not itself a key, such as a keyfile of VeraCrypt.
pub fn file(path: &Path, limit: usize) -> Result<Bytes> {
    let mut input = Input::open(path)?;
    let mut bytes = Zeroizing::new(vec![0; limit]);
    let n = input.fill(&mut bytes)?;
    bytes.truncate(n);
    Ok(bytes)
}

impl KeyArgs {
    /// Returns the key, if one is given. It must have `len` bytes; 0 allows any number.
    pub fn read(&self, len: usize) -> Result<Option<Bytes>> {
        let Some((bytes, what)) = named(&self.key_file, &self.key_fd)? else {
            return self.password.unused().map(|()| None);
        };
        key(self.password.unlocked(bytes, &what)?, len, &what).map(Some)
    }
    /// Returns whether a key is given.
    pub fn given(&self) -> bool {
        self.key_file.is_some() || self.key_fd.is_some()
    }
    /// Returns the sources of the key and of its password, as far as they are given.
    pub fn places(&self) -> [Option<Place<'_>>; 2] {
        [place("the key file", &self.key_file, &self.key_fd), self.password.place()]
    }
}

/// Returns the key or the password of a container. Asks for a password if no source is given; twice if it is new.
pub fn key_or_password(key: &KeyArgs, password: &PasswordArgs, new: bool) -> Result<Bytes> {
    match key.read(header::KEY)? {
        Some(key) => Ok(key),
        None => password.read_or_ask(new),
    }
}

/// Returns the secret of a container in the form of the library.
pub fn credential(secret: &Bytes, key_file: bool) -> Credential<'_> {
    if key_file {
        Credential::Key(secret[..].try_into().expect("read as 32 bytes"))
    } else {
        Credential::Password(secret)
    }
}

/// Refuses secrets and data that come from one stream.
pub fn inputs_apart(key: &KeyArgs, password: &PasswordArgs, data: &Path) -> Result<()> {
    let [key, its_password] = key.places();
    let data = Some(Place::named("the data", data));
    streams_apart(&[key, its_password, password.place(), data])
}

/// Refuses an output that is one of the secrets' files.
pub fn secrets_apart(output: &Path, key: &KeyArgs, password: &PasswordArgs) -> Result<()> {
    let [key, its_password] = key.places();
    distinct(output, &[key, its_password, password.place()])
}

impl KeyPasswordArgs {
    /// Returns the content of a key file. If the file is under a password, reads the password, or asks for it.
    pub fn unlocked(&self, bytes: Bytes, what: &str) -> Result<Bytes> {
        if !locked::is(&bytes) {
            return self.unused().map(|()| bytes);
        }
        let given = PasswordArgs {
            password_file: self.key_password_file.clone(),
            password_fd: self.key_password_fd.clone(),
        };
        locked::open(&bytes, what, || {
            given.read_or_ask_for(&format!("Password of {what}: "), KEY_PASSWORD, false)
        })
    }
    /// Returns the source of the password, if one is given.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the key's password file", &self.key_password_file, &self.key_password_fd)
    }
    /// Returns an error if a password is given.
    fn unused(&self) -> Result<()> {
        match (&self.key_password_file, &self.key_password_fd) {
            (None, None) => Ok(()),
            _ => Err(Error::usage(
                "--key-password-file or -fd: there is no key file under a password",
            )),
        }
    }
}

impl OpenKeyArgs {
    /// Returns the key.
    pub fn read(&self, len: usize) -> Result<Bytes> {
        if let Some(hex) = &self.key {
            note(format_args!(
                "warning: a key on the command line is visible to other users; \
                 use --key-file"
            ));
            let bytes = unhex(hex.as_bytes()).ok_or_else(|| no_digits("--key", hex))?;
            self.file.password.unused()?;
            return exact(bytes.into(), true, len, "--key");
        }
        self.file.read(len)?.ok_or_else(no_key)
    }
    /// Returns the sources of the key and of its password, as far as they are files.
    pub fn places(&self) -> [Option<Place<'_>>; 2] {
        self.file.places()
    }
}

impl PasswordArgs {
    /// Returns the password, if a source is given.
    pub fn read(&self) -> Result<Option<Bytes>> {
        let Some((mut bytes, what)) = named(&self.password_file, &self.password_fd)? else {
            return Ok(None);
        };
        let len = without_end(&bytes).len();
        bytes.truncate(len);
        password(bytes, &what).map(Some)
    }
    /// Returns the password. Asks for it if no source is given; twice if it is new.
    pub fn read_or_ask(&self, new: bool) -> Result<Bytes> {
        self.read_or_ask_for("Password: ", SECRET, new)
    }
    /// Uses this prompt; without a terminal, this error and remedy.
    fn read_or_ask_for(&self, prompt: &str, absent: [&str; 2], new: bool) -> Result<Bytes> {
        if let Some(password) = self.read()? {
            return Ok(password);
        }
        if !std::io::stderr().is_terminal() {
            let [what, remedy] = absent;
            return Err(
                Error::usage(format_args!("{what}, and no terminal to ask on")).remedy(remedy)
            );
        }
        let ask = |prompt: &str| -> Result<Bytes> {
            cleanup::ask(prompt, LIMIT)
                .map_err(|e| Error::new(Exit::Io, format_args!("cannot ask for a password: {e}")))
        };
        let first = password(ask(prompt)?, "the terminal")?;
        if new && *ask("The same again: ")? != *first {
            return Err(Error::usage("the two passwords differ").remedy("try again"));
        }
        Ok(first)
    }
    /// Returns the password's source, if one is given.
    pub fn place(&self) -> Option<Place<'_>> {
        place("the password file", &self.password_file, &self.password_fd)
    }
}

/// Returns the error of a missing key.
pub fn no_key() -> Error {
    Error::usage("no key given")
        .remedy("name one with --key-file, or make one: bulat key new -o FILE")
}

/// A descriptor that was open when the command started.
///
/// It is duplicated while the command line is parsed, before the program opens any file: later a number that was not
/// open could belong to one of the program's own files.
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
    /// Reads from the descriptor's current position, as programs do with inherited descriptors, not from the beginning
    /// of the file.
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

/// EBADF, on all systems with descriptors.
const EBADF: i32 = 9;

#[cfg(unix)]
#[allow(unsafe_code)]
fn duplicate(number: u32) -> io::Result<File> {
    use std::os::fd::{FromRawFd as _, RawFd};
    let number = RawFd::try_from(number).map_err(|_| io::Error::from_raw_os_error(EBADF))?;
    // SAFETY: `fcntl` gets only numbers, and returns an error for a descriptor that is not open.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `fcntl` has just opened `copy`, and nothing else owns it.
    Ok(unsafe { File::from_raw_fd(copy) })
}
/// Windows inherits no numbers; 0 is standard input there too.
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

/// Reads the given secret. Returns its bytes and the name of its source.
fn named(file: &Option<PathBuf>, fd: &Option<Descriptor>) -> Result<Option<(Bytes, String)>> {
    let (bytes, what) = match (file, fd) {
        (Some(path), _) => {
            let mut input = Input::open(path)?;
            warn_of_readers(&input);
            (whole(|buffer| input.fill(buffer))?, name(path))
        }
        (None, Some(fd)) => (whole(|buffer| fd.fill(buffer))?, format!("descriptor {}", fd.number)),
        (None, None) => return Ok(None),
    };
    let bytes = bytes.ok_or_else(|| {
        Error::usage(format_args!("{what}: longer than {LIMIT} bytes: not a key or password"))
    })?;
    Ok(Some((bytes, what)))
}

/// Returns the given source.
fn place<'a>(
    what: &'a str,
    file: &'a Option<PathBuf>,
    fd: &'a Option<Descriptor>,
) -> Option<Place<'a>> {
    let file = file.as_deref().map(|path| Place::named(what, path));
    file.or_else(|| fd.as_ref().map(|fd| Place::open(what, fd.number, &fd.file)))
}

/// Warns if other users can read the file of a secret.
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

/// Reads up to [`LIMIT`] bytes by `fill`; `None` if there are more. One buffer of full size: growing it would leave
/// copies.
pub fn whole(fill: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<Option<Bytes>> {
    let mut bytes = Zeroizing::new(vec![0; LIMIT + 1]);
    let n = fill(&mut bytes)?;
    bytes.truncate(n);
    Ok((n <= LIMIT).then_some(bytes))
}

/// Removes one line end from the end of the text.
fn without_end(text: &[u8]) -> &[u8] {
    match text.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => text,
    }
}

fn password(bytes: Bytes, what: &str) -> Result<Bytes> {
    if bytes.is_empty() {
        return Err(Error::usage(format_args!("{what}: the password is empty")));
    }
    // Nobody types a mark, so the password would differ from the typed one.
    if let Some(encoding) = mark::of(&bytes) {
        return Err(Error::usage(format_args!(
            "{what}: the password begins with the byte-order mark of {encoding}"
        ))
        .remedy(
            "write the file in UTF-8 without one: printf, or in PowerShell 7 -Encoding utf8NoBOM",
        ));
    }
    // HMAC pads keys with zeros, so "x" and "x\0" would be one key.
    if bytes.contains(&0) {
        return Err(Error::usage(format_args!("{what}: a zero byte in the password")));
    }
    Ok(bytes)
}

/// Checks the key in a key file, which must have `len` bytes; 0 allows any number.
fn key(bytes: Bytes, len: usize, what: &str) -> Result<Bytes> {
    // An empty line is not a key either.
    if matches!(&bytes[..], b"" | b"\n" | b"\r\n") {
        return Err(Error::usage(format_args!("{what}: the key is empty"))
            .remedy("make a key: bulat key new -o FILE"));
    }
    let (bytes, digits) = decoded(bytes, what)?;
    exact(bytes, digits, len, what)
}

/// Decodes the bytes of a key file, and returns whether they were hexadecimal digits. A file of digits is never read as
/// raw bytes, even if their number would fit, so that no file can be read in two ways. A file that is nearly digits is
/// refused.
pub fn decoded(bytes: Bytes, what: &str) -> Result<(Bytes, bool)> {
    match digits::form(&bytes) {
        Form::Bytes => Ok((bytes, false)),
        Form::Digits(n) => {
            let key = unhex(&bytes[..n]).expect("only digits");
            Ok((Zeroizing::new(key), true))
        }
        Form::Nearly => Err(Error::usage(format_args!(
            "{what}: nearly a key in hexadecimal digits, which needs an even number of them, at least {}, \
             and nothing else but a line end",
            digits::FEWEST
        ))
        .remedy("correct the file; if these are the key's bytes, write them as digits")),
    }
}

fn exact(bytes: Bytes, digits: bool, len: usize, what: &str) -> Result<Bytes> {
    let n = bytes.len();
    if len == 0 || n == len {
        return Ok(bytes);
    }
    let digits = if digits { format!(" in {} hexadecimal digits", 2 * n) } else { String::new() };
    Err(Error::usage(format_args!(
        "{what}: {n} bytes{digits}, but the key must have {len} (or {} hexadecimal digits)",
        2 * len
    )))
}

/// Fills the buffer with random bytes from the system.
pub fn random(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes)
        .map_err(|e| Error::new(Exit::Io, format_args!("the system gives no random numbers: {e}")))
}

/// Decodes the hexadecimal digits of an option.
pub fn hex_option(option: &str, digits: &str) -> Result<Vec<u8>> {
    if digits.is_empty() {
        return Ok(Vec::new());
    }
    unhex(digits.as_bytes()).ok_or_else(|| no_digits(option, digits))
}

/// Returns the error for digits that [`unhex`] refused.
fn no_digits(option: &str, digits: &str) -> Error {
    match digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        Some(c) => Error::usage(format_args!("{option}: {c:?} is not a hexadecimal digit"))
            .remedy("give only digits, without 0x, spaces or colons"),
        None if digits.is_empty() => Error::usage(format_args!("{option}: no digits")),
        None => Error::usage(format_args!("{option}: an odd number of hexadecimal digits"))
            .remedy("give two digits for each byte"),
    }
}

/// Reads a small file unchanged, for associated data and tags; `-` is standard input.
pub fn small_file(path: &Path) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    Input::open(path)?.read_to_end(&mut out).map_err(|e| Error::read(path, &e))?;
    Ok(out)
}
