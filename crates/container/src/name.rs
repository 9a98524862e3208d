//! The name that a container may be bound to: docs/FORMAT.md, section 5.

use std::path::Path;

use crate::Error;

/// The suffix of a container's name, which is no part of the bound name.
pub const SUFFIX: &str = ".bulat";
/// The most bytes of a bound name.
pub const MOST: usize = 432;

/// The name of the file that a container is read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Name {
    /// The name is not known, as of a pipe: a container with a bound name is refused.
    #[default]
    Unknown,
    /// This name, without the suffix.
    Is(String),
    /// The user accepts any name.
    Any,
}

impl Name {
    /// Returns the name of the file at this path.
    pub fn of(path: &Path) -> Name {
        bound(path).map_or(Name::Unknown, Name::Is)
    }

    pub(crate) fn check(&self, bound: &str) -> Result<(), Error> {
        match self {
            _ if bound.is_empty() => Ok(()),
            Name::Any => Ok(()),
            Name::Is(name) if name == bound => Ok(()),
            Name::Is(name) => Err(Error::Name { bound: bound.into(), name: Some(name.clone()) }),
            Name::Unknown => Err(Error::Name { bound: bound.into(), name: None }),
        }
    }
}

/// Returns the name to bind for a container at this path, without the suffix; `None` if the path has no name in UTF-8.
pub fn bound(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let short = name.strip_suffix(SUFFIX).filter(|short| !short.is_empty());
    Some(short.unwrap_or(name).into())
}

/// Returns whether the format allows this name; the empty name means that no name is bound.
pub(crate) fn legal(name: &str) -> bool {
    name.len() <= MOST && !name.contains(['\0', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_paths() {
        for (path, name) in [
            ("a.bulat", Some("a")),
            ("d/a.txt.bulat", Some("a.txt")),
            ("a", Some("a")),
            ("a.bulat.bulat", Some("a.bulat")),
            (".bulat", Some(".bulat")),
            ("A.BULAT", Some("A.BULAT")),
            ("..", None),
            ("/", None),
        ] {
            assert_eq!(bound(Path::new(path)).as_deref(), name, "{path}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(bound(Path::new(std::ffi::OsStr::from_bytes(b"a\xff"))), None);
        }
    }
}
