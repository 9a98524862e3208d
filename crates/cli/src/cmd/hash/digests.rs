//! Digests of files: a long one by itself, small ones side by side.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::ptr;

use bulat::algorithm::{self, Algorithm, Key, Message, Params, Session, Work};
use bulat_container::pipeline::{self, fill};

use crate::cli::HashArgs;
use crate::cmd::{asked, granted, internal};
use crate::error::{Error, Result};
use crate::io::{Input, Piece, print, through};
use crate::progress::Progress;

/// Files up to this many bytes are hashed side by side.
const SMALL: usize = 128 << 10;
/// A thread holds this many bytes of them, which fit in its second-level cache.
const TOGETHER: usize = 1 << 20;
/// The most files of one thread at a time.
const GROUP: usize = 64;

/// Lines for standard output. Those of many small files are written together.
#[derive(Default)]
pub struct Lines(Vec<u8>);

impl Lines {
    pub fn extend(&mut self, line: impl AsRef<[u8]>) {
        self.0.extend_from_slice(line.as_ref());
    }
    pub fn flush(&mut self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { print(std::mem::take(&mut self.0)) }
    }
}

/// Hashes files in order: passes each path with its digest, in memory order, to `take`. A single file needs no common
/// progress.
pub fn digests(
    args: &HashArgs,
    progress: Option<&Progress>,
    files: Vec<(&'static Algorithm, PathBuf)>,
    mut take: impl FnMut(&Path, Result<Vec<u8>>, &mut Lines) -> Result<()>,
) -> Result<()> {
    let asked = asked(&args.jobs)?;
    if let [(algorithm, path)] = &files[..] {
        let digest = Input::open(path).and_then(|mut input| {
            let own = progress.is_none().then(|| input.progress());
            let progress = progress.or(own.as_ref()).expect("one of them is");
            let threads = if input.is_short() { 1 } else { granted(asked) };
            digest(algorithm, threads, progress, &[], &mut input)
        });
        let mut lines = Lines::default();
        return take(path, digest, &mut lines).and_then(|()| lines.flush());
    }
    // Only one thread may read standard input.
    let standard = files.iter().any(|(_, path)| path.as_os_str() == "-");
    let threads = if standard { 1 } else { granted(asked) };
    let group = files.len().div_ceil(4 * threads).clamp(1, GROUP);
    let progress = progress.expect("given for many files");
    let mut files = files.into_iter();
    let worker = || {
        let (mut texts, width) = (vec![0; TOGETHER], if args.no_batch { 1 } else { GROUP });
        move |group: &mut Group| {
            group.run(progress, &mut texts, width);
            Ok(())
        }
    };
    pipeline::run(
        threads > 1,
        (0..threads).map(|_| worker()).collect(),
        Group::default,
        |group_: &mut Group| {
            group_.files = files.by_ref().take(group).collect();
            Ok(!group_.files.is_empty())
        },
        |group| {
            let (files, mut digests) = (group.files.iter(), group.digests.drain(..));
            let mut lines = Lines::default();
            let mut files = files.zip(&mut digests);
            let result = files.try_for_each(|((_, path), digest)| take(path, digest, &mut lines));
            let result = lines.flush().and(result);
            // Another thread may wait for a file that never ends, so this ends the program without waiting.
            if threads > 1 { result.map_err(|e| e.leave()) } else { result }
        },
        || (),
    )
}

/// The files of a thread.
#[derive(Default)]
struct Group {
    files: Vec<(&'static Algorithm, PathBuf)>,
    digests: Vec<Result<Vec<u8>>>,
}

impl Group {
    /// Hashes the files. `texts` gathers small files, which are hashed `width` side by side when it is full.
    fn run(&mut self, progress: &Progress, texts: &mut [u8], width: usize) {
        // The index of the file, and the end of its text.
        let mut waiting: Vec<(usize, usize)> = Vec::with_capacity(self.files.len());
        for (i, (algorithm, path)) in self.files.iter().enumerate() {
            let mut used = waiting.last().map_or(0, |(_, end)| *end);
            if texts.len() - used <= SMALL {
                together(&self.files, texts, &waiting, width, &mut self.digests);
                waiting.clear();
                used = 0;
            }
            let text = &mut texts[used..=used + SMALL];
            let digest = match start(path, text) {
                Ok(Start::Small(n)) => {
                    waiting.push((i, used + n));
                    progress.more(n as u64);
                    Ok(Vec::new())
                }
                Ok(Start::Long(n, mut input)) => {
                    progress.more(n as u64);
                    digest(algorithm, 1, progress, &text[..n], &mut input)
                }
                Err(e) => Err(e),
            };
            self.digests.push(digest);
        }
        together(&self.files, texts, &waiting, width, &mut self.digests);
    }
}

/// The beginning of a file.
enum Start {
    /// The whole file, of this many bytes.
    Small(usize),
    /// The number of bytes, and the source of the rest.
    Long(usize, Box<Input>),
}

fn start(path: &Path, text: &mut [u8]) -> Result<Start> {
    if path.as_os_str() == "-" {
        return Ok(Start::Long(0, Box::new(Input::open(path)?)));
    }
    // Reading tells whether the file is small; asking for its length would be another system call.
    let fail = |e| Error::read(path, &e);
    let mut file = File::open(path).map_err(fail)?;
    let n = fill(&mut file, text).map_err(fail)?;
    Ok(match n < text.len() {
        true => Start::Small(n),
        false => Start::Long(n, Box::new(Input::of(path, file)?)),
    })
}

/// Hashes the texts of small files, `width` side by side.
fn together(
    files: &[(&'static Algorithm, PathBuf)],
    texts: &[u8],
    waiting: &[(usize, usize)],
    width: usize,
    digests: &mut [Result<Vec<u8>>],
) {
    let mut keys: Vec<Key> = Vec::new();
    for (i, _) in waiting {
        let algorithm = files[*i].0;
        if !keys.iter().any(|key| ptr::eq(key.algorithm(), algorithm)) {
            keys.push(algorithm.key(&Params::new(&[])).expect("a hash without options"));
        }
    }
    let mut out: Vec<_> = waiting.iter().map(|(i, _)| vec![0; files[*i].0.out]).collect();
    let mut begin = 0;
    let messages = waiting.iter().zip(&mut out).map(|((i, end), out)| {
        let text = &texts[begin..*end];
        begin = *end;
        let key = keys.iter().find(|key| ptr::eq(key.algorithm(), files[*i].0));
        Message { key: key.expect("made above"), iv: &[], work: Work::Hash(text, out) }
    });
    let (mut messages, mut results) = (messages.peekable(), Vec::with_capacity(waiting.len()));
    while messages.peek().is_some() {
        results.extend(algorithm::run(messages.by_ref().take(width).collect()));
    }
    drop(messages);
    for (((i, _), out), result) in waiting.iter().zip(out).zip(results) {
        digests[*i] = result.map(|()| out).map_err(internal);
    }
}

/// Returns the digest of a file, in memory order, given its beginning.
fn digest(
    algorithm: &Algorithm,
    threads: usize,
    progress: &Progress,
    begin: &[u8],
    input: &mut Input,
) -> Result<Vec<u8>> {
    let session = algorithm.session(&Params::new(&[])).and_then(Session::hash);
    let mut hash = session.map_err(internal)?;
    hash.update(begin);
    let update = |piece: &mut Piece| {
        hash.update(&piece.bytes[..piece.read]);
        Ok(())
    };
    through(threads, input, progress, update, |_| Ok(()))?;
    let mut out = vec![0; hash.output_len()];
    hash.finalize_reset(&mut out).map_err(internal)?;
    Ok(out)
}
