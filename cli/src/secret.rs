//! Keys and passwords: from files, descriptors, a prompt on a terminal, and (where the command allows
//! it, with a warning) the command line.

use std::fs::File;
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use bulat_cli::sums::unhex;
use clap::Args;
use zeroize::Zeroizing;

use crate::error::{Error, Exit, Result, name, note};
use crate::io::Input;

/// Octets of a secret.
pub type Octets = Zeroizing<Vec<u8>>;

/// No key and no password is longer.
const LIMIT: usize = 64 << 10;

/// A key from a file or a descriptor.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// Read the key from FILE ("-": standard input): the raw octets, or hexadecimal digits as
    /// `bulat key new` writes them
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
    /// Read the key from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub key_fd: Option<u32>,
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
    /// Read the password from FILE ("-": standard input); one line feed at its end is not part of it
    #[arg(short, long, value_name = "FILE", group = "secret")]
    pub password_file: Option<PathBuf>,
    /// Read the password from the open descriptor N
    #[arg(long, value_name = "N", group = "secret")]
    pub password_fd: Option<u32>,
}

impl KeyArgs {
    /// The key, if one is named. `len` is the number of octets it must have; 0: any.
    pub fn read(&self, len: usize) -> Result<Option<Octets>> {
        let (octets, what) = match (&self.key_file, self.key_fd) {
            (Some(path), _) => (slurp(path)?, name(path)),
            (None, Some(n)) => (slurp(&descriptor(n))?, format!("descriptor {n}")),
            (None, None) => return Ok(None),
        };
        key(octets, len, &what).map(Some)
    }
    /// Whether the key comes from standard input.
    pub fn standard(&self) -> bool {
        self.key_file.as_deref() == Some(Path::new("-"))
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
            let octets = unhex(hex.as_bytes())
                .ok_or_else(|| Error::usage("--key: not an even number of hexadecimal digits"))?;
            return exact(octets.into(), len, "--key");
        }
        self.file.read(len)?.ok_or_else(no_key)
    }
    /// Whether the key comes from standard input.
    pub fn standard(&self) -> bool {
        self.file.standard()
    }
    /// The file it comes from, if it is one.
    pub fn file(&self) -> Option<&Path> {
        self.file.key_file.as_deref()
    }
}

impl PasswordArgs {
    /// The password, if its place is named.
    pub fn read(&self) -> Result<Option<Octets>> {
        let (mut octets, what) = match (&self.password_file, self.password_fd) {
            (Some(path), _) => (slurp(path)?, name(path)),
            (None, Some(n)) => (slurp(&descriptor(n))?, format!("descriptor {n}")),
            (None, None) => return Ok(None),
        };
        if octets.last() == Some(&b'\n') {
            octets.pop();
            if octets.last() == Some(&b'\r') {
                octets.pop();
            }
        }
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
            let typed = rpassword::prompt_password(prompt).map_err(|e| {
                Error::new(Exit::Io, format_args!("cannot ask for a password: {e}"))
            })?;
            Ok(Zeroizing::new(typed.into_bytes()))
        };
        let first = password(ask("Password: ")?, "the terminal")?;
        if new && *ask("The same again: ")? != *first {
            return Err(Error::usage("the two passwords differ").remedy("try again"));
        }
        Ok(first)
    }
    /// Whether the password comes from standard input.
    pub fn standard(&self) -> bool {
        self.password_file.as_deref() == Some(Path::new("-"))
    }
}

/// The command needs a key and has none.
pub fn no_key() -> Error {
    Error::usage("no key given")
        .remedy("name one with --key-file, or make one: bulat key new -o FILE")
}

fn descriptor(n: u32) -> PathBuf {
    format!("/dev/fd/{n}").into()
}

fn slurp(path: &Path) -> Result<Octets> {
    let too_long = || {
        Error::usage(format_args!(
            "{}: longer than {LIMIT} bytes: not a key or password",
            name(path)
        ))
    };
    let mut input = Input::open(path)?;
    // One buffer of the full size, so that growth leaves no copies.
    let mut octets = Zeroizing::new(vec![0; LIMIT + 1]);
    let n = input.fill(&mut octets)?;
    if n > LIMIT {
        return Err(too_long());
    }
    octets.truncate(n);
    Ok(octets)
}

fn password(octets: Octets, what: &str) -> Result<Octets> {
    if octets.is_empty() {
        return Err(Error::usage(format_args!("{what}: the password is empty")));
    }
    // HMAC takes "x" and "x\0" for the same key.
    if octets.contains(&0) {
        return Err(Error::usage(format_args!("{what}: a zero octet in the password")));
    }
    Ok(octets)
}

/// A key file's key: raw octets, or hexadecimal digits with a line feed or none. Where any length will
/// do, only 64 or 128 digits are taken for hexadecimal.
fn key(octets: Octets, len: usize, what: &str) -> Result<Octets> {
    if octets.is_empty() {
        return Err(Error::usage(format_args!("{what}: the key is empty"))
            .remedy("make a key: bulat key new -o FILE"));
    }
    if len != 0 && octets.len() == len {
        return Ok(octets);
    }
    let line = octets.strip_suffix(b"\n").unwrap_or(&octets);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let digits = if len == 0 { matches!(line.len(), 64 | 128) } else { line.len() == 2 * len };
    if digits && let Some(decoded) = unhex(line) {
        return Ok(decoded.into());
    }
    exact(octets, len, what)
}

fn exact(octets: Octets, len: usize, what: &str) -> Result<Octets> {
    if len != 0 && octets.len() != len {
        return Err(Error::usage(format_args!(
            "{what}: {} octets, but the key must have {len} (or {} hexadecimal digits)",
            octets.len(),
            2 * len
        )));
    }
    if octets.is_empty() {
        return Err(Error::usage(format_args!("{what}: the key is empty")));
    }
    Ok(octets)
}

/// Random octets from the system.
pub fn random(octets: &mut [u8]) -> Result<()> {
    getrandom::fill(octets)
        .map_err(|e| Error::new(Exit::Io, format_args!("no random numbers from the system: {e}")))
}

/// Hexadecimal digits of an option.
pub fn hex_option(option: &str, digits: &str) -> Result<Vec<u8>> {
    if digits.is_empty() {
        return Ok(Vec::new());
    }
    unhex(digits.as_bytes()).ok_or_else(|| {
        Error::usage(format_args!("{option}: not an even number of hexadecimal digits"))
    })
}

/// A file as it is, for associated data and tags.
pub fn small_file(path: &Path) -> Result<Vec<u8>> {
    let mut file = File::open(path).map_err(|e| Error::read(path, &e))?;
    let mut out = Vec::new();
    file.read_to_end(&mut out).map_err(|e| Error::read(path, &e))?;
    Ok(out)
}
