//! Lists of checksums: checks the files that they name, and names the files of folders that they leave out.

use std::collections::HashSet;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use bulat::algorithm::Algorithm;
use bulat_cli::sums::{self, Entry};
use bulat_container::mark;

use super::digests::{Lines, digests};
use super::names::{AMBIGUOUS, tagged};
use crate::cli::HashArgs;
use crate::cmd::{file_object, files};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Place, bytes_of, path_of};
use crate::progress::Progress;
use crate::tree::{compared, walk};

/// The longest line of a list.
const LINE: u64 = 64 << 10;

/// Checks the files in the lists.
pub fn run(args: &HashArgs, wanted: Option<&'static Algorithm>) -> Result<Exit> {
    let mut worst = Exit::Success;
    let mut listed = (!args.strict_tree.is_empty()).then(Listed::default);
    for list in files(&args.files) {
        worst = worse(worst, check(args, wanted, list, listed.as_mut())?);
    }
    match listed {
        Some(listed) => Ok(worse(worst, unlisted(args, &listed)?)),
        None => Ok(worst),
    }
}

/// The counts of a list.
#[derive(Default)]
struct Counts {
    read: u64,
    skipped: u64,
    differ: u64,
    reversed: u64,
    unreadable: u64,
    malformed: u64,
}

/// Checks a list. If it cannot be read, prints the error and only returns its exit code, since other lists may
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
    Error::at(Exit::Data, list, format_args!("{line}: text in UTF-16"))
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
        let mut object = file_object(path);
        if let Some(algorithm) = algorithm {
            object["algorithm"] = algorithm.name.into();
        }
        object["status"] = verdict.into();
        return lines.extend(format!("{object}\n"));
    }
    // A name with a line feed must not look like two results, or like another name.
    let bytes = bytes_of(path);
    let (mark, shown) = sums::shown(&bytes);
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
