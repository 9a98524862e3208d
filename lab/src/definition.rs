//! The measurements, as data: `lab/definitions/*.toml`, and the rows of the literature in a table next to them.

use std::fs;
use std::path::Path;

use engine::Case;
use serde::Deserialize;

use crate::record;

/// A file of definitions.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The file's name without its end.
    #[serde(skip)]
    pub name: String,
    /// A headline.
    pub title: String,
    /// Its purpose; paragraphs.
    pub about: String,
    /// Its place in reports.
    #[serde(default)]
    pub place: u32,
    /// Engines (`NAME/VARIANT`; `NAME/*` is all that it has); the others are compared with the first.
    #[serde(default)]
    pub engines: Vec<String>,
    /// The timed work.
    #[serde(default)]
    pub bench: Vec<Bench>,
    /// Rows of the literature: `NAME.csv`.
    #[serde(skip)]
    pub row: Vec<Published>,
    /// Whole processes on files.
    #[serde(default)]
    pub files: Vec<Files>,
    /// Only when asked for by name.
    #[serde(default)]
    pub on_request: bool,
}

/// A family of cases.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// Algorithms by the names of `bulat list`.
    pub algorithms: Vec<String>,
    /// `encrypt`, `decrypt`.
    #[serde(default = "encrypt")]
    pub directions: Vec<String>,
    /// Bytes of a text: a number, or `16..512M`: doubled from the one to the other.
    #[serde(default = "usual")]
    pub sizes: Vec<Size>,
    /// Bytes from a multiple of 64.
    #[serde(default = "zero")]
    pub offsets: Vec<usize>,
    /// Texts in a call.
    #[serde(default = "one")]
    pub streams: Vec<usize>,
    /// Threads; 0 is the curve from 1 to all that there are.
    #[serde(default = "one")]
    pub threads: Vec<usize>,
    /// With empty caches.
    #[serde(default)]
    pub cold: bool,
    /// In place of the file's.
    #[serde(default)]
    pub engines: Vec<String>,
}

fn encrypt() -> Vec<String> {
    vec!["encrypt".into()]
}
fn usual() -> Vec<Size> {
    vec![Size::Bytes(16384)]
}
fn zero() -> Vec<usize> {
    vec![0]
}
fn one() -> Vec<usize> {
    vec![1]
}

/// One size, or many.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub enum Size {
    /// Bytes.
    Bytes(usize),
    /// `FROM..TO`, with K, M and G.
    Range(String),
}

/// Compared with a row's design: the default kernel.
pub const OURS: &str = "bulat/-";

/// A row of the literature.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Its tag.
    pub tag: String,
    /// The quantity measured.
    pub what: String,
    /// The authors' figure.
    pub figure: f64,
    /// Of the figure: `c/B`, `MB/s`, `Gbit/s`.
    pub unit: String,
    /// The authors' machine.
    pub machine: String,
    /// The design's variant here.
    pub design: String,
    /// As in [`Case`].
    pub algorithm: String,
    /// As in [`Case`].
    pub size: usize,
    /// As in [`Case`].
    pub offset: usize,
    /// As in [`Case`].
    pub streams: usize,
    /// As in [`Case`]; 0 is all that there are.
    pub threads: usize,
}

/// Whole processes on a file of random bytes.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The row's tag.
    pub tag: String,
    /// Millions of bytes.
    pub megabytes: Vec<usize>,
    /// Larger files are measured only on request.
    pub most: usize,
    /// The programs to run: the first is ours.
    pub command: Vec<Process>,
}

/// One whole-process engine.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Its name in reports.
    pub name: String,
    /// Program and arguments; `{file}` is the file, `{target}` cargo's folder.
    pub run: Vec<String>,
    /// A command that makes it, run in the project's folder.
    #[serde(default)]
    pub build: Vec<String>,
    /// How to install it.
    #[serde(default)]
    pub needs: String,
    /// The authors' figure, as words.
    #[serde(default)]
    pub published: String,
}

/// Reads all definitions of the folder, by name.
pub fn load(folder: &Path) -> Result<Vec<Definition>, String> {
    let list = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<_> = list.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut d: Definition =
            toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        d.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let rows = path.with_extension("csv");
        if rows.is_file() {
            d.row = record::read(&rows)?;
        }
        for bench in &d.bench {
            bench.check().map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok::<_, String>(d)
    };
    let mut all: Vec<Definition> = files.iter().map(read).collect::<Result<_, _>>()?;
    all.sort_by_key(|d| d.place);
    Ok(all)
}

impl Definition {
    /// Leaves only the parts with these words in their algorithm, tag or description.
    pub fn narrow(&mut self, words: &str) {
        self.bench.iter_mut().for_each(|b| b.algorithms.retain(|a| a.contains(words)));
        let has = |r: &Published| [&r.tag, &r.what, &r.algorithm].iter().any(|s| s.contains(words));
        self.row.retain(has);
        self.files.retain(|f| f.tag.contains(words));
    }
}

impl Size {
    /// The sizes, ascending. Errors: when the words are no sizes.
    pub fn list(&self) -> Result<Vec<usize>, String> {
        match self {
            Size::Bytes(n) => Ok(vec![*n]),
            Size::Range(words) => {
                let (from, to) =
                    words.split_once("..").ok_or(format!("{words:?} is no FROM..TO"))?;
                let (from, to) = (bytes(from)?, bytes(to)?);
                Ok(std::iter::successors(Some(from), |n| n.checked_mul(2))
                    .take_while(|n| *n <= to)
                    .collect())
            }
        }
    }
}

/// A number with K, M or G behind it. Errors: when it is none, or 0.
pub fn bytes(word: &str) -> Result<usize, String> {
    let (digits, shift) = match word.as_bytes().last() {
        Some(b'K') => (&word[..word.len() - 1], 10),
        Some(b'M') => (&word[..word.len() - 1], 20),
        Some(b'G') => (&word[..word.len() - 1], 30),
        _ => (word, 0),
    };
    match digits.parse::<usize>() {
        Ok(n) if n > 0 && n.leading_zeros() > shift => Ok(n << shift),
        _ => Err(format!("{word:?} is no number of bytes")),
    }
}

/// Threads: 0 is all that there are.
pub fn threads(n: usize) -> usize {
    if n > 0 { n } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// The threads to be measured: 0 is 1, 2, 4 and so on to all, and all.
fn curve(n: usize) -> Vec<usize> {
    let all = threads(0);
    let doubled = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(move |n| *n < all);
    if n > 0 { vec![n] } else { doubled.chain([all]).collect() }
}

impl Bench {
    /// Errors: a value that cannot be meant.
    fn check(&self) -> Result<(), String> {
        self.sizes.iter().try_for_each(|size| size.list().map(|_| ()))?;
        match self.directions.iter().find(|d| !["encrypt", "decrypt"].contains(&&d[..])) {
            Some(d) => Err(format!("{d:?} is no direction")),
            None if self.streams.contains(&0) => Err("0 streams".into()),
            None => Ok(()),
        }
    }

    /// Its cases, without a variant; `most` bytes in one call at most.
    pub fn cases(&self, most: usize) -> Vec<Case> {
        let mut cases = Vec::new();
        for algorithm in &self.algorithms {
            for direction in &self.directions {
                for &offset in &self.offsets {
                    let mut threads: Vec<usize> =
                        self.threads.iter().flat_map(|t| curve(*t)).collect();
                    threads.sort_unstable();
                    threads.dedup();
                    for threads in threads {
                        for &streams in &self.streams {
                            let sizes =
                                self.sizes.iter().flat_map(|s| s.list().unwrap_or_default());
                            let decrypt = direction == "decrypt";
                            cases.extend(sizes.filter(|n| n * streams <= most).map(|size| Case {
                                decrypt,
                                offset,
                                streams,
                                threads,
                                ..Case::new(algorithm, size)
                            }));
                        }
                    }
                }
            }
        }
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let list = |words: &str| Size::Range(words.into()).list();
        assert_eq!(list("16..100"), Ok(vec![16, 32, 64]));
        assert_eq!(list("256K..1M"), Ok(vec![256 << 10, 512 << 10, 1 << 20]));
        for bad in ["16", "0..5", "K..M", "1..99999999999G", "..", "-1..3"] {
            assert!(list(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn those_there_are() {
        let all = load(&crate::engines::home().join("definitions")).unwrap();
        assert!(all.iter().any(|d| d.name == "published" && d.row.len() >= 20));
        assert!(all.iter().all(|d| !d.title.is_empty() && !d.about.is_empty()));
    }
}
