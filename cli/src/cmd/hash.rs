//! `bulat hash`: prints and checks checksums, compatibly with coreutils.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::ptr;

use bulat::algorithm::{self, Algorithm, Key, Kind, Message, Params, Session, Work};
use bulat_cli::sums::{self, Entry, Style};
use bulat_container::digits::hex;
use bulat_container::mark;
use bulat_container::pipeline::{self, fill};
use serde_json::{Value, json};

use super::{files, internal, threads};
use crate::cli::HashArgs;
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Piece, Place, octets_of, path_of, print, through};
use crate::progress::Progress;
use crate::tree::{compared, walk};

/// The longest line of a list.
const LINE: u64 = 64 << 10;

/// Prints or checks checksums.
pub fn run(args: &HashArgs) -> Result<Exit> {
    let wanted = args.algorithm.as_deref().map(find).transpose()?;
    let mut worst = Exit::Success;
    if args.check {
        let mut listed = (!args.strict_tree.is_empty()).then(Listed::default);
        for list in files(&args.files) {
            worst = worse(worst, check(args, wanted, list, listed.as_mut())?);
        }
        return match listed {
            Some(listed) => Ok(worse(worst, unlisted(args, &listed)?)),
            None => Ok(worst),
        };
    }
    let algorithm = wanted.map_or_else(|| find("streebog256"), Ok)?;
    let tag = args.tag.then(|| tag(algorithm));
    let style = tag.as_ref().map_or(Style::Coreutils, |tag| Style::Tag(tag));
    let mut wanted = Vec::new();
    let output = [(Place::standard_output("the output"), "the output of this command")];
    for path in files(&args.files) {
        if args.recursive && path.is_dir() {
            let tree = walk(path, &output);
            if tree.report() {
                worst = Exit::Io;
            }
            wanted.extend(tree.files.into_iter().map(|path| (algorithm, path)));
        } else {
            wanted.push((algorithm, path.to_path_buf()));
        }
    }
    let progress = (wanted.len() != 1).then(|| {
        let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |m| m.len());
        Progress::of_files(wanted.len(), || wanted.iter().map(|(_, path)| length(path)).sum())
    });
    digests(args, progress.as_ref(), wanted, |path, digest, lines| match digest {
        Ok(digest) => {
            lines.extend(line(args, algorithm, style, path, &digest));
            Ok(())
        }
        Err(e) if e.exit == Exit::Io => {
            worst = Exit::Io;
            lines.flush()?;
            e.print();
            Ok(())
        }
        Err(e) => Err(e),
    })?;
    Ok(worst)
}

fn find(name: &str) -> Result<&'static Algorithm> {
    let known = if name.eq_ignore_ascii_case(CRYPTOPRO) { "gost94" } else { name };
    super::algorithm(known, &[Kind::Hash], "hash function").map_err(|e| match name {
        "gost" => {
            e.remedy("streebog256, streebog512 (GOST R 34.11-2012) or gost94 (GOST R 34.11-94)")
        }
        _ => e,
    })
}

/// The name of GOST R 34.11-94 with CryptoPro's S-boxes in rhash.
const CRYPTOPRO: &str = "GOST94-CRYPTOPRO";
/// A name that means the hash with the test S-boxes in lists of rhash, and the one with CryptoPro's elsewhere.
const AMBIGUOUS: &str = "GOST94";

/// Returns the name for BSD lines, chosen so that no program reads it as another function.
fn tag(algorithm: &Algorithm) -> String {
    if algorithm.name == "gost94" { CRYPTOPRO.into() } else { algorithm.name.to_uppercase() }
}

/// Returns the algorithms that the name in a BSD line may mean.
pub fn tagged(name: &str) -> Vec<&'static Algorithm> {
    let names = match name.eq_ignore_ascii_case(AMBIGUOUS) {
        true => &["gost94", "gost94-test"][..],
        false => &[name],
    };
    names.iter().filter_map(|name| find(name).ok()).collect()
}

/// Files up to this many bytes are hashed side by side.
const SMALL: usize = 128 << 10;
/// One thread holds this many bytes of them, which fit in its second-level cache.
const TOGETHER: usize = 1 << 20;
/// The most files of one thread at a time.
const GROUP: usize = 64;

/// Lines for standard output. Those of many small files are written together.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Lines {
    fn extend(&mut self, line: impl AsRef<[u8]>) {
        self.0.extend_from_slice(line.as_ref());
    }
    fn flush(&mut self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { print(std::mem::take(&mut self.0)) }
    }
}

/// Hashes files in order: passes each path with its digest, in memory order, to `take`. A single file needs no common
/// progress.
fn digests(
    args: &HashArgs,
    progress: Option<&Progress>,
    files: Vec<(&'static Algorithm, PathBuf)>,
    mut take: impl FnMut(&Path, Result<Vec<u8>>, &mut Lines) -> Result<()>,
) -> Result<()> {
    let threads = threads(&args.jobs)?;
    if let [(algorithm, path)] = &files[..] {
        let digest = Input::open(path).and_then(|mut input| {
            let own = progress.is_none().then(|| input.progress());
            let progress = progress.or(own.as_ref()).expect("one of them is");
            digest(algorithm, threads, progress, &[], &mut input)
        });
        let mut lines = Lines::default();
        return take(path, digest, &mut lines).and_then(|()| lines.flush());
    }
    // Only one thread may read standard input.
    let standard = files.iter().any(|(_, path)| path.as_os_str() == "-");
    let threads = if standard { 1 } else { threads };
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

/// The files of one thread.
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
        hash.update(&piece.octets[..piece.read]);
        Ok(())
    };
    through(threads, input, progress, update, |_| Ok(()))?;
    let mut out = vec![0; hash.output_len()];
    hash.finalize_reset(&mut out).map_err(internal)?;
    Ok(out)
}

fn line(
    args: &HashArgs,
    algorithm: &Algorithm,
    style: Style<'_>,
    path: &Path,
    digest: &[u8],
) -> Vec<u8> {
    if args.json {
        let mut object = file(path);
        object["algorithm"] = algorithm.name.into();
        object["digest"] = hex(digest).into();
        return format!("{object}\n").into_bytes();
    }
    let mut line = sums::line(style, digest, &octets_of(path), !args.zero);
    line.push(if args.zero { 0 } else { b'\n' });
    line
}

/// Returns a file's name as JSON, with its exact bytes in hexadecimal digits if it is not Unicode.
pub fn file(path: &Path) -> Value {
    match path.to_str() {
        Some(text) => json!({ "file": text }),
        None => json!({ "file": path.to_string_lossy(), "file_hex": hex(&octets_of(path)) }),
    }
}

/// The counts of one list.
#[derive(Default)]
struct Counts {
    read: u64,
    skipped: u64,
    differ: u64,
    reversed: u64,
    unreadable: u64,
    malformed: u64,
}

/// Checks one list. If it cannot be read, prints the error and only returns its exit code, since other lists may
/// follow.
fn check(
    args: &HashArgs,
    wanted: Option<&'static Algorithm>,
    list: &Path,
    mut listed: Option<&mut Listed>,
) -> Result<Exit> {
    let mut reader = match Input::open(list) {
        Ok(input) => BufReader::new(input),
        Err(e) => {
            listed.into_iter().for_each(|listed| listed.partly = true);
            e.print();
            return Ok(e.exit);
        }
    };
    let progress = Progress::new(&name(list), None);
    let mut unread = None;
    let mut counts = Counts::default();
    let mut waiting = Waiting::default();
    let mut buffer = Vec::new();
    for number in 1u64.. {
        buffer.clear();
        let whole = match next_line(&mut reader, &mut buffer) {
            Ok(_) if buffer.is_empty() => break,
            Ok(whole) => whole,
            Err(e) => {
                unread = Some(Error::read(list, &e));
                break;
            }
        };
        let text = sums::begin(buffer.strip_suffix(b"\n").unwrap_or(&buffer));
        // Comments in coreutils and SFV.
        if matches!(text, [] | b"\r" | [b'#' | b';', ..]) {
            continue;
        }
        let entry = sums::parse(text).filter(|_| whole);
        let entry = entry.map(|e| (choose(&e, wanted), e));
        if let Some((Choice::Ambiguous, _)) = entry {
            unread = Some(ambiguous(list, number));
            break;
        }
        let Some((Choice::One(algorithm), entry)) = entry else {
            if mark::utf16(&buffer) {
                unread = Some(utf16(list, number));
                break;
            }
            counts.malformed += 1;
            if args.warn && !args.status {
                waiting.check(args, &progress, &mut counts)?;
                note(format_args!("{}: {number}: improperly formatted checksum line", name(list)));
            }
            continue;
        };
        let path = existing(path_of(&entry.name), entry.literal);
        if let Some(listed) = &mut listed {
            listed.names.insert(compared(&path));
        }
        if args.ignore_missing && path != Path::new("-") && missing(&path) {
            counts.skipped += 1;
            continue;
        }
        counts.read += 1;
        waiting.files.push((algorithm, path));
        waiting.digests.push(entry.digest);
        if waiting.files.len() >= LINES {
            waiting.check(args, &progress, &mut counts)?;
        }
    }
    waiting.check(args, &progress, &mut counts)?;
    drop(progress);
    let Some(e) = unread else { return Ok(conclude(args, list, &counts)) };
    listed.into_iter().for_each(|listed| listed.partly = true);
    e.print();
    // If lines were checked before the fault, their result counts; otherwise only the fault is reported.
    Ok(match counts.read {
        0 => e.exit,
        _ => worse(conclude(args, list, &counts), e.exit),
    })
}

/// Reads the next line, with its line feed, to an empty buffer, which stays empty at the end. Of a line longer than
/// [`LINE`] it keeps the beginning, skips the rest and returns false.
fn next_line(reader: &mut BufReader<Input>, buffer: &mut Vec<u8>) -> io::Result<bool> {
    reader.take(LINE).read_until(b'\n', buffer)?;
    let whole = buffer.ends_with(b"\n") || reader.fill_buf()?.is_empty();
    if !whole {
        reader.skip_until(b'\n')?;
    }
    Ok(whole)
}

/// The algorithm of a line.
enum Choice {
    One(&'static Algorithm),
    /// The name means two algorithms.
    Ambiguous,
    None,
}

/// Returns the algorithm that the line names, which must be the one asked for, if any; otherwise the one asked for;
/// otherwise the one with the digest's length.
fn choose(entry: &Entry<'_>, wanted: Option<&'static Algorithm>) -> Choice {
    let mut may = match (entry.algorithm, wanted, entry.digest.len()) {
        (Some(name), ..) => tagged(name),
        (None, Some(wanted), _) => vec![wanted],
        (None, None, 32) => tagged("streebog256"),
        (None, None, _) => tagged("streebog512"),
    };
    may.retain(|a| a.out == entry.digest.len() && wanted.is_none_or(|w| w.name == a.name));
    match may[..] {
        [] => Choice::None,
        [one] => Choice::One(one),
        _ => Choice::Ambiguous,
    }
}

fn ambiguous(list: &Path, line: u64) -> Error {
    let what = format_args!("{}: {line}: {AMBIGUOUS} is the name of two functions", name(list))
        .to_string();
    Error::usage(what).remedy("-a gost94-test if the list is of rhash, else -a gost94")
}

fn utf16(list: &Path, line: u64) -> Error {
    Error::new(Exit::Data, format_args!("{}: {line}: text in UTF-16", name(list)))
        .remedy("write the list in UTF-8: iconv -f UTF-16 -t UTF-8, Out-File -Encoding utf8")
}

/// Lines that are gathered, so that their files are hashed side by side.
#[derive(Default)]
struct Waiting {
    files: Vec<(&'static Algorithm, PathBuf)>,
    digests: Vec<Vec<u8>>,
}

/// The most lines gathered.
const LINES: usize = 1024;

impl Waiting {
    fn check(&mut self, args: &HashArgs, progress: &Progress, counts: &mut Counts) -> Result<()> {
        let files = std::mem::take(&mut self.files);
        if files.is_empty() {
            return Ok(());
        }
        let algorithms: Vec<_> = files.iter().map(|(algorithm, _)| *algorithm).collect();
        let mut wanted = algorithms.into_iter().zip(self.digests.drain(..));
        digests(args, Some(progress), files, |path, digest, lines| {
            let (algorithm, wanted) = wanted.next().expect("one for each file");
            one(args, algorithm, path, &wanted, digest, (counts, lines))
        })
    }
}

fn one(
    args: &HashArgs,
    algorithm: &Algorithm,
    path: &Path,
    wanted: &[u8],
    digest: Result<Vec<u8>>,
    (counts, lines): (&mut Counts, &mut Lines),
) -> Result<()> {
    let verdict = match digest {
        Ok(digest) if digest == wanted => "OK",
        Ok(digest) => {
            counts.differ += 1;
            counts.reversed += u64::from(digest.iter().rev().eq(wanted));
            "FAILED"
        }
        Err(e) if e.exit == Exit::Io => {
            counts.unreadable += 1;
            if !args.status {
                lines.flush()?;
                e.print();
            }
            "FAILED open or read"
        }
        Err(e) => return Err(e),
    };
    if !(args.status || (args.quiet && verdict == "OK")) {
        result(args, Some(algorithm), path, verdict, lines);
    }
    Ok(())
}

/// Formats the line of a checked file.
fn result(
    args: &HashArgs,
    algorithm: Option<&Algorithm>,
    path: &Path,
    verdict: &str,
    lines: &mut Lines,
) {
    if args.json {
        let mut object = file(path);
        if let Some(algorithm) = algorithm {
            object["algorithm"] = algorithm.name.into();
        }
        object["status"] = verdict.into();
        return lines.extend(format!("{object}\n"));
    }
    // A name with a line feed must not look like two results, or like another name.
    let octets = octets_of(path);
    let (mark, shown) = sums::shown(&octets);
    lines.extend([mark, &shown, format!(": {verdict}\n").as_bytes()].concat());
}

/// The files named in lists.
#[derive(Default)]
struct Listed {
    /// The names, in the form of [`compared`].
    names: HashSet<Vec<u8>>,
    /// Set if a list could not be read to its end.
    partly: bool,
}

/// Names the files of the trees that are not in the lists.
fn unlisted(args: &HashArgs, listed: &Listed) -> Result<Exit> {
    if listed.partly {
        if !args.status {
            note("the trees were not compared: a list could not be read to its end");
        }
        return Ok(Exit::Success);
    }
    let lists = files(&args.files).into_iter();
    let lists: Vec<_> = lists.map(|list| (Place::named("the list", list), "a list")).collect();
    let (mut worst, mut found, mut lines) = (Exit::Success, 0, Lines::default());
    for dir in &args.strict_tree {
        let mut tree = walk(dir, &lists);
        // Links in a list were checked.
        let known = |path: &Path| listed.names.contains(&compared(path));
        tree.skipped.retain(|(path, why)| *why != "a list" && !known(path));
        if tree.report() {
            worst = Exit::Io;
        }
        for path in tree.files.iter().filter(|path| !known(path)) {
            found += 1;
            if !args.status {
                result(args, None, path, "NOT LISTED", &mut lines);
            }
        }
    }
    lines.flush()?;
    if found == 0 {
        return Ok(worst);
    }
    if !args.status {
        let files = if found == 1 { "file is" } else { "files are" };
        note(format_args!("warning: {found} {files} NOT in a list"));
    }
    Ok(Exit::Mismatch)
}

/// Returns the one-space reading of a line with a name that begins with a space or an asterisk, if only that file
/// exists.
fn existing(path: PathBuf, literal: Option<&[u8]>) -> PathBuf {
    match literal.map(path_of) {
        Some(other) if missing(&path) && !missing(&other) => other,
        _ => path,
    }
}

/// Returns whether there is no such file. A file that exists but cannot be reached is not missing.
fn missing(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

fn conclude(args: &HashArgs, list: &Path, counts: &Counts) -> Exit {
    let warn = |n: u64, one: &str, many: &str| {
        if n > 0 && !args.status {
            note(format_args!("warning: {n} {}", if n == 1 { one } else { many }));
        }
    };
    let nothing = |why: &str, exit: Exit| {
        if !args.status {
            note(format_args!("{}: {why}", name(list)));
        }
        exit
    };
    if counts.read + counts.skipped == 0 {
        return nothing("no properly formatted checksum line found", Exit::Data);
    }
    if counts.read == 0 {
        return nothing("no file was verified", Exit::Mismatch);
    }
    warn(counts.malformed, "line is improperly formatted", "lines are improperly formatted");
    warn(counts.unreadable, "listed file could not be read", "listed files could not be read");
    warn(counts.differ, "checksum did NOT match", "checksums did NOT match");
    let gostsum =
        "of them would match in reverse order, as gostsum writes bytes: see `bulat gostsum -c`";
    warn(counts.reversed, gostsum, gostsum);
    let strict = args.strict && counts.malformed > 0;
    if counts.differ > 0 || counts.unreadable > 0 || strict {
        Exit::Mismatch
    } else {
        Exit::Success
    }
}

/// Returns the worse of two exit codes: a mismatch, or else the first failure.
fn worse(a: Exit, b: Exit) -> Exit {
    match (a, b) {
        (Exit::Mismatch, _) | (_, Exit::Mismatch) => Exit::Mismatch,
        (Exit::Success, b) => b,
        (a, _) => a,
    }
}
