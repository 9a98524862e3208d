//! Files and streams under several names: inputs and outputs that must be apart.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{Input, standard};
use crate::error::{Error, Result, name, output_name};

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
    let existing = match output == Path::new("-") {
        true => standard(&io::stdout()),
        false => fs::metadata(output).ok(),
    };
    for other in others.iter().flatten() {
        let same = match (&existing, &other.is, other.path) {
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

/// Returns whether both are one regular file or one block device, under any names.
pub(super) fn same(a: &Metadata, b: &Metadata) -> bool {
    a.is_file() && b.is_file() && identical(a, b)
        || block_device(a).is_some_and(|a| Some(a) == block_device(b))
}
/// Returns the number of a block device.
#[cfg(unix)]
pub(super) fn block_device(m: &Metadata) -> Option<u64> {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    m.file_type().is_block_device().then(|| m.rdev())
}
#[cfg(not(unix))]
pub(super) fn block_device(_: &Metadata) -> Option<u64> {
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
/// Returns whether the input has this name, on systems where paths are compared.
pub(super) fn same_place(input: Option<&Input>, path: &Path) -> bool {
    let of = input.filter(|_| cfg!(not(unix))).and_then(|input| place(&input.path));
    of.is_some() && of == place(path)
}
