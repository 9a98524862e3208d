//! Errors: a message with the file's name, a remedy, and the exit code.

use std::fmt::Display;
use std::io;
use std::path::Path;

use bulat_container as container;

use crate::progress::aside;

/// The exit codes; `bulat help` and the man page list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done.
    Success = 0,
    /// A checksum, MAC or tag differs.
    Mismatch = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file cannot be read or written.
    Io = 3,
    /// Wrong key or password.
    Key = 4,
    /// The data is damaged, truncated, or in an unsupported format.
    Data = 5,
    /// There is more data than the mode or the format allows.
    Limit = 6,
    /// The reader of the output closed it; shells report SIGPIPE by this code.
    Pipe = 141,
}

impl Exit {
    /// Returns the exit code of this number.
    pub fn of(code: i32) -> Option<Self> {
        use Exit::{Data, Io, Key, Limit, Mismatch, Pipe, Success, Usage};
        let all = [Success, Mismatch, Usage, Io, Key, Data, Limit, Pipe];
        all.into_iter().find(|exit| *exit as i32 == code)
    }
}

/// The exit codes, for help and man page.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a checksum, MAC or authentication tag does not match
  2    wrong usage
  3    a file cannot be read or written
  4    wrong key or password
  5    damaged, truncated or foreign data, or a newer format
  6    more data than the mode allows under one key and IV, or the format in one file
  130  interrupted (128 + the signal's number)
  141  the reader of the output closed it (no message)";

/// An error with a message for the user.
#[derive(Debug)]
pub struct Error {
    /// The exit code.
    pub exit: Exit,
    /// The message, with the file's name.
    pub what: String,
    /// The user's next step, printed after "to do:".
    pub remedy: Option<String>,
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Creates an error with this exit code.
    pub fn new(exit: Exit, what: impl Display) -> Self {
        Error { exit, what: what.to_string(), remedy: None }
    }
    /// Creates an error of a file: its name and this text.
    pub fn at(exit: Exit, path: &Path, what: impl Display) -> Self {
        Self::new(exit, format_args!("{}: {what}", name(path)))
    }
    /// Creates an error of usage.
    pub fn usage(what: impl Display) -> Self {
        Self::new(Exit::Usage, what)
    }
    /// Adds a remedy.
    pub fn remedy(self, remedy: impl Display) -> Self {
        Error { remedy: Some(remedy.to_string()), ..self }
    }
    /// Creates the error of a failed read.
    pub fn read(path: &Path, e: &io::Error) -> Self {
        use container::armor::Fault;
        if let Some(fault) = e.get_ref().and_then(|e| e.downcast_ref::<Fault>()) {
            let error = Self::new(Exit::Data, format_args!("{}: {fault}", name(path)));
            return error.remedy(match fault {
                Fault::Around(..) => {
                    "delete all that is before and after the armour, on each line: it may be whole"
                }
                Fault::Utf16 => "convert it: iconv -f UTF-16 -t UTF-8",
                _ => "get the file again from its source or a backup",
            });
        }
        // Windows cannot open a folder, and reports denied access.
        let folder = io::ErrorKind::IsADirectory.into();
        let e = if cfg!(windows) && path.is_dir() { &folder } else { e };
        let error = Self::new(Exit::Io, format_args!("{}: {}", name(path), reason(e)));
        match e.kind() {
            io::ErrorKind::NotFound => error.remedy("check the name and the folder"),
            io::ErrorKind::PermissionDenied => {
                error.remedy("check the file's permissions, or run as a user who may read it")
            }
            io::ErrorKind::IsADirectory => {
                error.remedy(
                    "name the files in it, or pack it first (tar); bulat hash, encrypt and decrypt have -r",
                )
            }
            _ => error,
        }
    }
    /// Creates the error of a failed write. A closed pipe has no message.
    pub fn write(path: &Path, e: &io::Error) -> Self {
        if e.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Exit::Pipe, "");
        }
        let what = format_args!("{}: cannot write: {}", output_name(path), reason(e)).to_string();
        let error = Self::new(Exit::Io, what);
        match e.kind() {
            io::ErrorKind::NotFound => error.remedy("create the folder first"),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                error.remedy("choose another place with -o")
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded if path == Path::new("-") => {
                error.remedy("free some space")
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                error.remedy("free some space, or choose another place with -o")
            }
            _ => error,
        }
    }
    /// Converts an error of the container.
    pub fn container(source: &Path, destination: &Path, e: container::Error) -> Self {
        use container::Error as E;
        let exit = match &e {
            E::Read(e) => return Self::read(source, e),
            E::Write(e) => return Self::write(destination, e),
            E::WrongKey => Exit::Key,
            E::Credential { .. } | E::Cost { .. } | E::Password => Exit::Usage,
            E::NoSlot | E::LastSlot | E::Unused { .. } => Exit::Usage,
            E::Memory { .. } => Exit::Io,
            E::TooLong { .. } => Exit::Limit,
            _ => Exit::Data,
        };
        let error = Self::new(exit, format_args!("{}: {e}", name(source)));
        match e {
            E::Foreign => error.remedy(
                "only files made by `bulat encrypt` can be decrypted; see `bulat raw`, `bulat pkcs8` and `bulat pfx` for others",
            ),
            E::Version(_) => error.remedy("use a newer bulat"),
            E::Credential { password: true } => {
                error.remedy("use --password-file, or no --key-file")
            }
            E::Credential { password: false } => error.remedy("use --key-file"),
            E::Cost { what, asked, .. } => error.remedy(match what {
                container::slots::ITERATIONS => {
                    format!("if you trust the file and have the time: --max-iterations {asked}")
                }
                _ => {
                    let least = if what == container::slots::WORK { asked.div_ceil(64) } else { asked };
                    format!("if you trust the file, and have the memory and the time: --max-memory {least}")
                }
            }),
            E::Memory { .. } => error.remedy("use a key file, or a machine with more memory"),
            E::Name { .. } => {
                error.remedy("give the file its name again; or accept any name with --any-name")
            }
            E::NoSlot => error.remedy("remove one: bulat key-slot remove"),
            E::LastSlot => error.remedy("add another before: bulat key-slot add"),
            E::Unused { .. } => error.remedy("see bulat key-slot list"),
            E::WrongKey => error.remedy("check the key file or the password"),
            E::HeaderDamaged | E::Field(_) | E::Slot { .. } | E::Damaged { .. } | E::Truncated { .. } => {
                error.remedy("get the file again from its source or a backup")
            }
            E::HeaderTruncated => error.remedy("get the file again from its source or a backup"),
            E::Trailing { .. } => error.remedy("cut the appended data off the file"),
            E::TooLong { .. } => error.remedy("use --cipher kuznyechik, or split the file"),
            _ => error,
        }
    }
    /// Prints the message, unless there is none.
    pub fn print(&self) {
        use io::Write as _;
        if self.exit == Exit::Pipe {
            return;
        }
        // Standard error may be closed, which must not cause another failure.
        aside(|| {
            let mut out = io::stderr().lock();
            let _ = writeln!(out, "bulat: {}", self.what);
            if let Some(remedy) = &self.remedy {
                let _ = writeln!(out, "  to do: {remedy}");
            }
        });
    }
}

impl Error {
    /// Prints the message and ends the program at once, without waiting for its other threads.
    pub fn leave(self) -> ! {
        self.print();
        std::process::exit(self.exit as i32)
    }
}

/// Prints a line to standard error, which may be closed.
pub fn note(text: impl Display) {
    use io::Write as _;
    aside(|| _ = writeln!(io::stderr().lock(), "bulat: {text}"));
}

/// Formats a path for messages. Control characters are escaped, so that a name cannot draw on the terminal.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".into();
    }
    let shown = path.to_string_lossy();
    if shown.chars().any(char::is_control) {
        // Quoted, because other names can contain backslashes too.
        format!("{shown:?}")
    } else if shown.is_empty() {
        "(empty name)".into()
    } else {
        shown.into_owned()
    }
}

/// Formats the path of an output for messages.
pub fn output_name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".into() } else { name(path) }
}

/// Returns the system's text for an error, without Rust's error number.
pub fn reason(e: &io::Error) -> String {
    let text = e.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].into(),
        None => text,
    }
}
