//! The parameters on nbdkit's command line. They contain no password and no key, because other users can see them.

use std::ffi::CStr;
use std::fs::File;
use std::io::Read as _;
use std::os::fd::{BorrowedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bulat_block::hold::{self, Access};
use bulat_block::open::{Luks, Secret, Secrets, VeraCrypt};
use bulat_block::plain::Plain;
use bulat_block::veracrypt::{Algorithm, Place, Prf};
use bulat_block::{Error, Kind, Open, Spec};
use bulat_container::digits::{Form, form, unhex};
use zeroize::Zeroizing;

/// The output of `nbdkit bulat --help`.
pub const HELP: &CStr = c"\
file=FILE             the volume: a file or a block device
type=luks             luks (1 and 2), veracrypt, plain, none (no encryption)
password-file=FILE    the password, without a line end at its end
password-fd=N         the password from a descriptor
key-file=FILE         the exact password; for a plain mapping the key: 64 bytes (AES-128: 32), or 128 hexadecimal digits
readonly=true         open the file only for reading
discard=true          return trimmed space to the file; this shows which sectors are in use
extents=true          show the clients which sectors are holes: trimmed, or never written
slot=N                LUKS2: only this keyslot
max-iterations=N max-memory=KIB     LUKS: limits on the work that a header may ask for
keyfile=FILE          VeraCrypt: a keyfile; may be repeated
pim=N hash=NAME       VeraCrypt
cipher=NAME           VeraCrypt: kuznyechik, aes, or a cascade such as kuznyechik-aes; plain: its name in Linux
header=FILE           LUKS2: the detached header
header=PLACE          VeraCrypt: only volume, hidden, backup or hidden-backup
protect-file=FILE     VeraCrypt: protect the hidden volume of this password; together with
                      hidden-keyfile=FILE hidden-pim=N hidden-hash=NAME hidden-cipher=NAME of that volume
offset=N skip=N sector-size=N iv-large-sectors=true     plain
socket=PATH           the socket of nbdkit's -U: print a line when it is ready, restrict it to its owner, remove it at the end";

/// The kinds of volumes that support a parameter. A parameter that is not listed is for all kinds.
const OF_KINDS: [(&[&str], &[Kind]); 6] = [
    (&["slot", "max-iterations", "max-memory"], &[Kind::Luks]),
    (
        &[
            "keyfile",
            "pim",
            "hash",
            "protect",
            "protect-file",
            "hidden-keyfile",
            "hidden-pim",
            "hidden-hash",
            "hidden-cipher",
        ],
        &[Kind::VeraCrypt],
    ),
    (&["cipher"], &[Kind::VeraCrypt, Kind::Plain]),
    (&["offset", "skip", "sector-size", "iv-large-sectors"], &[Kind::Plain]),
    (&["header", "password-file", "password-fd"], &[Kind::Luks, Kind::VeraCrypt]),
    (&["key-file", "secrets-fd"], &[Kind::Luks, Kind::VeraCrypt, Kind::Plain]),
];

/// The parameters that give the password or the key: only one of them is allowed.
const SECRETS: [&str; 4] = ["password-file", "password-fd", "key-file", "secrets-fd"];

/// The parameters that may be repeated.
const MANY: [&str; 2] = ["keyfile", "hidden-keyfile"];

/// The most bytes in a password, a key or a keyfile.
const LIMIT: u64 = 1 << 20;

/// The parameters parsed so far.
#[derive(Default)]
pub struct Config {
    path: Option<PathBuf>,
    kind: Kind,
    /// The password or the key.
    secret: Secret,
    luks: Luks,
    vera: VeraCrypt,
    plain: Plain,
    /// The parameters of the volume's kind, once they are complete.
    pub open: Open,
    readonly: bool,
    /// Set if the file was opened to write.
    pub writable: bool,
    /// Set to protect the hidden volume, which these secrets open.
    protect: bool,
    hidden: Secrets,
    cipher: Option<String>,
    header: Option<String>,
    /// The names of the given parameters.
    given: Vec<String>,
    /// The socket of `nbdkit -U`.
    pub socket: Option<PathBuf>,
    /// Set to return trimmed space to the file.
    pub discard: bool,
    /// Set to let clients ask for holes.
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
    value.parse().map_err(|_| format!("{value:?} is not a number, or too large"))
}

fn all(file: File, what: &str) -> Result<Secret, String> {
    // Full size at once: growing would leave copies.
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
        return Err("it must be a descriptor open for reading, other than 1 and 2".into());
    }
    // Reads a copy: if this closed descriptor 0, the next file that is opened would become nbdkit's standard input.
    // SAFETY: the user passes this descriptor to the plugin, so nobody closes it during the call; if it is not open,
    // duplicating it is an error.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    let copy = borrowed.try_clone_to_owned().map_err(|e| format!("descriptor {number}: {e}"))?;
    all(copy.into(), &format!("descriptor {number}"))
}

/// Removes one line end from the end. A password must not be empty, contain zero bytes, or begin with a byte-order
/// mark, which nobody types.
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
    /// Sets one parameter.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = |e: bulat_block::Error| e.to_string();
        if self.given.iter().any(|given| given == key) && !MANY.contains(&key) {
            return Err("given twice".into());
        }
        if SECRETS.contains(&key)
            && let Some(other) = self.given.iter().find(|given| SECRETS.contains(&&given[..]))
        {
            return Err(format!("not together with {other}"));
        }
        self.given.push(key.into());
        let (luks, hidden, plain) = (&mut self.luks, &mut self.hidden, &mut self.plain);
        let vera = &mut self.vera.secrets;
        match key {
            "file" => self.path = Some(value.into()),
            "type" => self.kind = value.parse().map_err(words)?,
            "password-file" => self.secret = password(read(value)?)?,
            "password-fd" => self.secret = password(descriptor(value)?)?,
            "key-file" => self.secret = read(value)?,
            "secrets-fd" => self.secrets(&descriptor(value)?)?,
            "password" | "passphrase" | "key" => {
                return Err(
                    "other users can see the command line: use password-file, password-fd or key-file".into(),
                );
            }
            "readonly" => self.readonly = flag(value)?,
            "discard" => self.discard = flag(value)?,
            "extents" => self.extents = flag(value)?,
            "protect" => self.protect = flag(value)?,
            "protect-file" => {
                hidden.password = password(read(value)?)?;
                self.protect = true;
            }
            "hidden-keyfile" => hidden.keyfiles.push(read(value)?),
            "hidden-pim" => hidden.pim = number(value)?,
            "hidden-hash" => hidden.hash = Some(Prf::parse(value).map_err(words)?),
            "hidden-cipher" => hidden.cipher = Some(Algorithm::parse(value).map_err(words)?),
            "socket" => self.socket = Some(std::path::absolute(value).map_err(|e| e.to_string())?),
            "slot" => luks.slot = Some(number(value)?),
            "keyfile" => vera.keyfiles.push(read(value)?),
            "pim" => vera.pim = number(value)?,
            "hash" => vera.hash = Some(Prf::parse(value).map_err(words)?),
            // Their meaning depends on the kind.
            "cipher" => self.cipher = Some(value.into()),
            "header" => self.header = Some(value.into()),
            "offset" => plain.offset = number(value)?,
            "skip" => plain.skip = number(value)?,
            "sector-size" => plain.sector = number(value)?,
            "iv-large-sectors" => plain.large = flag(value)?,
            "max-iterations" => luks.limits.iterations = number(value)?,
            "max-memory" => luks.limits.memory = number(value)?,
            _ => return Err("no such parameter".into()),
        }
        Ok(())
    }

    /// Parses the secrets from `bulat volume open`: lines of hexadecimal digits.
    fn secrets(&mut self, lines: &[u8]) -> Result<(), String> {
        let mut lines = lines.split(|b| *b == b'\n').map(|line| {
            let bytes = if line.is_empty() { None } else { unhex(line) };
            bytes.map(Zeroizing::new)
        });
        self.secret = lines.next().flatten().ok_or("no secret came")?;
        if let Some(secret) = lines.next().flatten() {
            self.hidden.password = secret;
        }
        Ok(())
    }

    /// Checks that the parameters are complete, and that each is for this kind.
    pub fn complete(&mut self) -> Result<(), String> {
        let kind = self.kind;
        for (names, kinds) in OF_KINDS {
            if let Some(name) = self.given.iter().find(|given| names.contains(&&given[..]))
                && !kinds.contains(&kind)
            {
                let kinds: Vec<String> = kinds.iter().map(|k| format!("type={k}")).collect();
                return Err(format!(
                    "{name}: not with type={kind}, only with {}",
                    kinds.join(", ")
                ));
            }
        }
        if self.path.is_none() {
            return Err("which volume? file=FILE".into());
        }
        if !self.given.iter().any(|given| SECRETS.contains(&&given[..])) {
            match kind {
                Kind::Nothing => {}
                Kind::Plain => return Err("no key: key-file=FILE".into()),
                _ => {
                    return Err(
                        "no password: password-file=FILE, password-fd=N or key-file=FILE".into()
                    );
                }
            }
        }
        if let Some(name) = &self.cipher {
            let words = |e: Error| format!("cipher: {e}");
            match kind {
                Kind::Plain => self.plain.spec = Spec::parse(name).map_err(words)?,
                _ => self.vera.secrets.cipher = Some(Algorithm::parse(name).map_err(words)?),
            }
        }
        if let Some(place) = &self.header
            && kind == Kind::VeraCrypt
        {
            self.vera.places = vec![match &**place {
                "volume" => Place::Volume,
                "hidden" => Place::Hidden,
                "backup" => Place::Backup,
                "hidden-backup" => Place::HiddenBackup,
                _ => return Err("header: volume, hidden, backup or hidden-backup".into()),
            }];
        }
        // No key has this many bytes, so such a file can be read in only one way.
        if kind == Kind::Plain
            && let Form::Digits(128) = form(&self.secret)
        {
            self.secret = unhex(&self.secret[..128]).unwrap_or_default().into();
        }
        let hidden = std::mem::take(&mut self.hidden);
        if self.protect {
            if hidden.password.is_empty() {
                return Err("protect: needs the password of the hidden volume".into());
            }
            self.vera.protect = Some(hidden);
        } else if let Some(name) = self.given.iter().find(|given| given.starts_with("hidden-")) {
            return Err(format!("{name}: only with protect-file=FILE"));
        }
        let secret = std::mem::take(&mut self.secret);
        let (luks, mut vera) = (std::mem::take(&mut self.luks), std::mem::take(&mut self.vera));
        self.open = match kind {
            Kind::Luks => Open::Luks(Luks { password: secret, ..luks }),
            Kind::VeraCrypt => {
                vera.secrets.password = secret;
                Open::VeraCrypt(vera)
            }
            Kind::Plain => Open::Plain(self.plain, secret),
            Kind::Nothing => Open::Nothing,
        };
        Ok(())
    }

    /// Returns the volume's name for messages.
    pub fn name(&self) -> String {
        self.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }

    /// Returns the end of the name for an error of opening.
    pub fn name_of_header(&self) -> String {
        let header = self.header.as_ref().filter(|_| self.kind == Kind::Luks);
        header.map(|header| format!(", with the header {header}")).unwrap_or_default()
    }

    /// Opens the detached header, which nobody else may change until it has been read.
    pub fn header(&mut self) -> Result<Option<Arc<File>>, Error> {
        let Some(path) = self.header.as_ref().filter(|_| self.kind == Kind::Luks) else {
            return Ok(None);
        };
        if let Some(data) = &self.path
            && hold::is_same(&std::fs::metadata(data)?, &std::fs::metadata(path)?)
        {
            return Err(Error::Invalid("the volume and its header are the same file".into()));
        }
        let file = Arc::new(hold::open(Path::new(path), Access::Read)?);
        if let Open::Luks(luks) = &mut self.open {
            luks.header = Some(file.clone());
        }
        Ok(Some(file))
    }

    /// Opens the file, which nobody else may write meanwhile. Opens it only for reading if it cannot be written.
    pub fn file(&mut self) -> Result<File, Error> {
        use std::io::ErrorKind as K;
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        let denied =
            |e: &std::io::Error| matches!(e.kind(), K::PermissionDenied | K::ReadOnlyFilesystem);
        self.writable = !self.readonly;
        let file = match self.readonly {
            true => hold::open(path, Access::Read),
            false => hold::open(path, Access::Write),
        };
        match file {
            Err(Error::Io(e)) if !self.readonly && denied(&e) => {
                self.writable = false;
                hold::open(path, Access::Read)
            }
            other => other,
        }
    }
}
