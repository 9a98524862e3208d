//! What stands on nbdkit's command line. No password and no key: other users see it there.

use std::ffi::CStr;
use std::fs::File;
use std::io::Read as _;
use std::os::fd::{BorrowedFd, RawFd};
use std::path::PathBuf;

use bulat_block::open::Secret;
use bulat_block::veracrypt::Place;
use bulat_block::{Hash, Open, Spec};
use bulat_container::digits::unhex;
use zeroize::Zeroizing;

/// What `nbdkit bulat --help` prints.
pub const HELP: &CStr = c"\
file=FILE             the volume: a file or a block device
type=luks             luks (1 and 2), veracrypt, plain, none (no encryption)
password-file=FILE    the password, without a line end at its end
password-fd=N         the same from a descriptor
key-file=FILE         the password, or the key of a plain mapping, as it is
readonly=true         open the file for reading alone
discard=true          give trimmed room back to the file: it tells which sectors are used
extents=true          tell the clients which sectors were given back, or never written
slot=N                LUKS2: this keyslot alone
keyfile=FILE          VeraCrypt: a keyfile; may be given again
pim=N hash=NAME       VeraCrypt
header=PLACE          VeraCrypt: volume, hidden, backup or hidden-backup alone
protect-file=FILE     VeraCrypt: the password of a hidden volume that is not written over
cipher=NAME offset=N skip=N sector-size=N iv-large-sectors=true     plain
max-iterations=N max-memory=KIB     how much work a header may ask for";

/// Bytes of a password, a key or a keyfile.
const LIMIT: u64 = 1 << 20;

/// The parameters so far.
#[derive(Default)]
pub struct Config {
    path: Option<PathBuf>,
    /// How it is opened.
    pub open: Open,
    readonly: bool,
    protect: bool,
    /// Trimmed room goes back.
    pub discard: bool,
    /// Clients may ask for holes.
    pub extents: bool,
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err("true or false".into()),
    }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{value:?} is no number, or too large a one"))
}

fn all(file: File, what: &str) -> Result<Secret, String> {
    // Of the full size at once, so that growth leaves no copies.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LIMIT as usize + 1));
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|e| format!("{what}: {e}"))?;
    if bytes.len() as u64 > LIMIT {
        return Err(format!("{what}: longer than {LIMIT} bytes"));
    }
    Ok(bytes)
}

fn read(path: &str) -> Result<Secret, String> {
    all(File::open(path).map_err(|e| format!("{path}: {e}"))?, path)
}

fn descriptor(value: &str) -> Result<Secret, String> {
    let number: RawFd = number(value)?;
    if number < 0 || number == 1 || number == 2 {
        return Err("a descriptor that is open for reading".into());
    }
    // A copy is read: where 0 is closed, the next file that is opened would be nbdkit's standard input.
    // SAFETY: the user gives this descriptor to the plugin; nobody closes it meanwhile, and one that is not open is an error.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    let copy = borrowed.try_clone_to_owned().map_err(|e| format!("descriptor {number}: {e}"))?;
    all(copy.into(), &format!("descriptor {number}"))
}

/// Without one line end at its end; a password is neither empty nor has zero bytes, and no byte-order mark, which nobody
/// types.
fn password(mut bytes: Secret) -> Result<Secret, String> {
    let mut len = bytes.len();
    if bytes.ends_with(b"\n") {
        len -= 1 + usize::from(bytes.ends_with(b"\r\n"));
    }
    bytes.truncate(len);
    if let Some(encoding) = bulat_container::mark::of(&bytes) {
        return Err(format!("the password begins with the byte-order mark of {encoding}"));
    }
    match bytes.is_empty() || bytes.contains(&0) {
        true => Err("the password is empty, or has a zero byte".into()),
        false => Ok(bytes),
    }
}

impl Config {
    /// One parameter.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = |e: bulat_block::Error| e.to_string();
        let open = &mut self.open;
        match key {
            "file" => self.path = Some(value.into()),
            "type" => open.kind = value.parse().map_err(words)?,
            "password-file" => open.secret = password(read(value)?)?,
            "password-fd" => open.secret = password(descriptor(value)?)?,
            "key-file" => open.secret = read(value)?,
            "secrets-fd" => self.secrets(&descriptor(value)?)?,
            "password" | "passphrase" | "key" => {
                return Err(
                    "other users see the command line: password-file, password-fd, key-file".into(),
                );
            }
            "readonly" => self.readonly = flag(value)?,
            "discard" => self.discard = flag(value)?,
            "extents" => self.extents = flag(value)?,
            "protect" => self.protect = flag(value)?,
            "protect-file" => open.protect = Some(password(read(value)?)?),
            "slot" => open.slot = Some(number(value)?),
            "keyfile" => open.keyfiles.push(read(value)?),
            "pim" => open.pim = number(value)?,
            "hash" => open.hash = Some(Hash::parse(value).map_err(words)?),
            "header" => {
                open.places = vec![match value {
                    "volume" => Place::Volume,
                    "hidden" => Place::Hidden,
                    "backup" => Place::Backup,
                    "hidden-backup" => Place::HiddenBackup,
                    _ => return Err("volume, hidden, backup or hidden-backup".into()),
                }];
            }
            "cipher" => open.plain.spec = Spec::parse(value).map_err(words)?,
            "offset" => open.plain.offset = number(value)?,
            "skip" => open.plain.skip = number(value)?,
            "sector-size" => open.plain.sector = number(value)?,
            "iv-large-sectors" => open.plain.large = flag(value)?,
            "max-iterations" => open.limits.iterations = number(value)?,
            "max-memory" => open.limits.memory = number(value)?,
            _ => return Err("no such parameter".into()),
        }
        Ok(())
    }

    /// What `bulat volume open` hands down: lines of hexadecimal digits.
    fn secrets(&mut self, lines: &[u8]) -> Result<(), String> {
        let mut lines = lines.split(|b| *b == b'\n').map(|line| {
            let bytes = if line.is_empty() { None } else { unhex(line) };
            bytes.map(Zeroizing::new)
        });
        self.open.secret = lines.next().flatten().ok_or("no secret came")?;
        self.open.protect = lines.next().flatten();
        Ok(())
    }

    /// Whether it is known what to serve.
    pub fn is_complete(&self) -> bool {
        self.path.is_some()
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }

    /// Opens the file, which nobody else may write meanwhile. One that may not be written is read.
    pub fn file(&mut self) -> Result<File, String> {
        if self.protect && self.open.protect.is_none() {
            return Err("protect: without the password of the hidden volume".into());
        }
        let path = self.path.clone().ok_or("no file")?;
        let fail = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut written = File::options();
        written.read(true).write(true);
        let file = match self.readonly {
            true => File::open(&path),
            false => written.open(&path),
        };
        let denied = |e: &std::io::Error| {
            use std::io::ErrorKind as K;
            matches!(e.kind(), K::PermissionDenied | K::ReadOnlyFilesystem)
        };
        let (file, writable) = match file {
            Err(e) if !self.readonly && denied(&e) => (File::open(&path).map_err(fail)?, false),
            other => (other.map_err(fail)?, !self.readonly),
        };
        self.open.writable = writable;
        let locked = if writable { file.try_lock() } else { file.try_lock_shared() };
        if matches!(locked, Err(std::fs::TryLockError::WouldBlock)) {
            return Err(format!("{}: another program has it open", path.display()));
        }
        Ok(file)
    }
}
