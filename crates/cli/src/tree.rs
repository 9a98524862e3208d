//! Walks a folder: its files in a stable order, without following links.

use std::collections::VecDeque;
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, name, note};
use crate::io::{Place, bytes_of};

/// The entries below a folder; their paths begin with the folder's.
#[derive(Default)]
pub struct Tree {
    /// Regular files, in the order of their paths' bytes: that of `LC_ALL=C sort`.
    pub files: Vec<PathBuf>,
    /// Folders, each after the one that contains it.
    pub folders: Vec<PathBuf>,
    /// Entries that are neither, and files that were left out, with the reason.
    pub skipped: Vec<(PathBuf, &'static str)>,
    /// The folders that could not be read.
    pub errors: Vec<Error>,
}

enum Kind {
    File,
    Folder,
    /// Neither, for this reason.
    Other(&'static str),
}

/// Walks the folder, and leaves out the files that `except` names, with their reasons. A link to a folder is followed
/// only if it is the root.
pub fn walk(root: &Path, except: &[(Place<'_>, &'static str)]) -> Tree {
    let mut tree = Tree::default();
    // Entries that are still to be visited, the next one in front: no recursion, so no depth exhausts the stack.
    let mut waiting = VecDeque::from([(root.to_path_buf(), Kind::Folder)]);
    while let Some((path, kind)) = waiting.pop_front() {
        match kind {
            Kind::File => tree.files.push(path),
            Kind::Other(why) => tree.skipped.push((path, why)),
            Kind::Folder => {
                let mut entries = Vec::new();
                if let Err(e) = list(&path, except, &mut entries) {
                    tree.errors.push(Error::read(&path, &e));
                }
                entries.sort_unstable_by(|(a, _, _), (b, _, _)| a.cmp(b));
                for (_, path, kind) in entries.into_iter().rev() {
                    waiting.push_front((path, kind));
                }
                tree.folders.push(path);
            }
        }
    }
    tree
}

/// Lists a folder. The first part of an entry is its key in the order: a folder's has the separator that follows its
/// name in the paths below it.
fn list(
    folder: &Path,
    except: &[(Place<'_>, &'static str)],
    entries: &mut Vec<(Vec<u8>, PathBuf, Kind)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let mut key = entry.file_name().into_encoded_bytes();
        let kind = kind(&entry, entry.file_type()?, except);
        if matches!(kind, Kind::Folder) {
            key.push(b'/');
        }
        entries.push((key, entry.path(), kind));
    }
    Ok(())
}

fn kind(entry: &DirEntry, of: FileType, except: &[(Place<'_>, &'static str)]) -> Kind {
    if of.is_dir() {
        return Kind::Folder;
    }
    if of.is_file() {
        let left_out = except.iter().find(|(place, _)| place.is_entry(entry));
        return left_out.map_or(Kind::File, |(_, why)| Kind::Other(why));
    }
    Kind::Other(if of.is_symlink() { "a symbolic link" } else { special(of) })
}

#[cfg(unix)]
fn special(of: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if of.is_fifo() {
        "a named pipe"
    } else if of.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "no regular file"
}

/// The most names in the warning about skipped entries.
const NAMED: usize = 20;

impl Tree {
    /// Prints the skipped entries, the first of them by name, and the errors. Returns whether there were errors.
    pub fn report(&self) -> bool {
        for (path, why) in self.skipped.iter().take(NAMED) {
            note(format_args!("warning: {}: {why}: skipped", name(path)));
        }
        if let more @ 1.. = self.skipped.len().saturating_sub(NAMED) {
            note(format_args!("warning: {more} more skipped"));
        }
        self.errors.iter().for_each(Error::print);
        !self.errors.is_empty()
    }
}

/// Returns a path in the form in which two names of a list and a tree are compared: absolute, without `.` and doubled
/// separators. Links and `..` are not resolved.
pub fn compared(path: &Path) -> Vec<u8> {
    bytes_of(&std::path::absolute(path).unwrap_or_else(|_| path.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_bytes_of_whole_paths() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["b/c", "b.d", "b-", "b0", "b/a/z", "a", "B", "b/a.x", "é", "b/a-"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, name).expect("written");
        }
        fs::create_dir(dir.path().join("empty")).expect("made");
        let tree = walk(dir.path(), &[]);
        let mut sorted = tree.files.clone();
        sorted.sort_unstable_by_key(|path| bytes_of(path));
        assert_eq!((tree.files.len(), &tree.files), (10, &sorted));
        assert_eq!(tree.folders.len(), 4);
        assert!(tree.skipped.is_empty() && tree.errors.is_empty());
        assert_eq!(walk(&dir.path().join("no"), &[]).errors.len(), 1);
    }
}
