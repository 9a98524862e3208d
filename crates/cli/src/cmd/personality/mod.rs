//! Emulates gost12sum and gostsum (version 3.0.1): their output, on either stream, their exit codes, and the odd rules
//! of their lists. It differs in three ways: it also reads lists in coreutils and BSD form, where the original would
//! find no such file or no checksum; it reports failures to write the output; and no name overflows a buffer.
//!
//! gostsum's digests are GOST R 34.11-94, printed from the last byte to the first. For an empty file it prints its own
//! value, because it hashes a block of zeros, which the standard does not. This emulation prints that value too, for
//! existing lists, but accepts either value in lists; `bulat hash` uses the standard's.

mod list;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::Path;

use bulat::algorithm::{Params, Session};
use bulat_container::digits::hex;

use list::{Next, trim};

use crate::error::{Exit, reason};
use crate::io::{PIECE, path_of};
use crate::standard::opened;

/// The two tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Streebog.
    Gost12sum,
    /// GOST R 34.11-94.
    Gostsum,
}

const HELP_TAIL: &str = "\
The input for -c should be the list of message digests and file names
that is printed on stdout by this program when it generates digests.
";

const HELP_12: &str = "\
Calculates GOST R 34.11-2012 hash function

gost12sum [-vl] [-c [file]]| [files]|-x
\t-c check message digests (default is generate)
\t-v verbose, print file names when checking
\t-l use 512 bit hash (default 256 bit)
\t-x read filenames from stdin rather than from arguments (256 bit only)
\t-h print this help
";

const HELP_94: &str = "\
gostsum [-bvt] [-c [file]]| [files]
\t-c check message digests (default is generate)
\t-v verbose, print file names when checking
\t-b read files in binary mode
\t-t use test GOST paramset (default is CryptoPro paramset)
";

impl Tool {
    /// Returns the tool for a program of this path.
    pub fn named(program: &Path) -> Option<Self> {
        match program.file_stem()?.to_str()? {
            "gost12sum" => Some(Tool::Gost12sum),
            "gostsum" => Some(Tool::Gostsum),
            _ => None,
        }
    }
    fn options(self) -> &'static [u8] {
        match self {
            Tool::Gost12sum => b"hlvxc",
            Tool::Gostsum => b"btvc",
        }
    }
    fn help(self) -> String {
        match self {
            Tool::Gost12sum => [HELP_12, HELP_TAIL].concat(),
            Tool::Gostsum => [HELP_94, HELP_TAIL].concat(),
        }
    }
}

/// Runs `bulat gost12sum ...` or `bulat gostsum ...`.
pub fn subcommand(name: &str, args: &[OsString]) -> ! {
    let tool = Tool::named(Path::new(name)).expect("one of the two names");
    let all: Vec<OsString> = std::iter::once(name.into()).chain(args.iter().cloned()).collect();
    std::process::exit(run(tool, &all).into())
}

/// Runs the tool. Returns the exit code.
pub fn run(tool: Tool, args: &[OsString]) -> u8 {
    let program = args[0].as_encoded_bytes().to_vec();
    let mut run = Run { tool, program, algorithm: default(tool), verbose: false };
    run.main(&args[1..]).unwrap_or_else(|code| code)
}

fn default(tool: Tool) -> &'static str {
    match tool {
        Tool::Gost12sum => "streebog256",
        Tool::Gostsum => "gost94",
    }
}

/// gostsum's digest of an empty file, by parameter set.
const EMPTY_94: [(&str, &str); 2] = [
    ("gost94", "c8e4ab8adee2a747cf3eb5c38274e1e73a4719f35819fb10ca27cebb1fbc253f"),
    ("gost94-test", "bd298bcfcafb398d76e3fc8fa0951679d6b57bd782ac7bf13c03c6848a351d89"),
];

/// The digest of a file, in memory order.
struct Digest {
    bytes: Vec<u8>,
    algorithm: &'static str,
    empty: bool,
}

impl Digest {
    /// Formats the digest as the tool does.
    fn shown(&self, tool: Tool) -> String {
        let own = EMPTY_94.iter().find(|(name, _)| self.empty && *name == self.algorithm);
        match (tool, own) {
            (Tool::Gost12sum, _) => hex(&self.bytes),
            (Tool::Gostsum, Some((_, own))) => String::from(*own),
            (Tool::Gostsum, None) => self.reversed(),
        }
    }
    fn reversed(&self) -> String {
        hex(&self.bytes.iter().rev().copied().collect::<Vec<_>>())
    }
}

struct Run {
    tool: Tool,
    program: Vec<u8>,
    algorithm: &'static str,
    verbose: bool,
}

impl Run {
    /// Parses the options like getopt: anywhere, in clusters, up to `--`.
    fn main(&mut self, args: &[OsString]) -> Result<u8, u8> {
        let mut operands: Vec<&OsStr> = Vec::new();
        let mut list: Option<Option<File>> = None;
        let mut names_from_stdin = false;
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let bytes = arg.as_encoded_bytes();
            if bytes == b"--" {
                operands.extend(args.by_ref().map(OsString::as_os_str));
                break;
            }
            if bytes.len() < 2 || bytes[0] != b'-' {
                operands.push(arg);
                continue;
            }
            for (i, option) in bytes.iter().enumerate().skip(1) {
                if !self.tool.options().contains(option) {
                    return Err(self.invalid(*option));
                }
                match option {
                    b'h' => return Err(self.usage()),
                    b'v' => self.verbose = true,
                    b'l' => self.algorithm = "streebog512",
                    b't' => self.algorithm = "gost94-test",
                    b'x' => names_from_stdin = true,
                    // The rest of the cluster is the list's name; otherwise the first operand is.
                    b'c' if i + 1 < bytes.len() => {
                        list = Some(Some(self.list(&path_bytes(&bytes[i + 1..]))?));
                        break;
                    }
                    b'c' => list = Some(None),
                    _ => {}
                }
            }
        }
        if let Some(file) = list {
            let reader: Box<dyn Read> = match (file, operands.first()) {
                (Some(file), _) => Box::new(file),
                (None, Some(name)) => Box::new(self.list(name)?),
                (None, None) => Box::new(io::stdin()),
            };
            return self.check(BufReader::new(reader));
        }
        if names_from_stdin {
            let names = BufReader::new(io::stdin()).split(b'\n').map_while(Result::ok);
            let names: Vec<Vec<u8>> = names
                .map(|mut n| {
                    trim(&mut n);
                    n
                })
                .collect();
            return self.print(names.iter().map(Vec::as_slice));
        }
        if operands.is_empty() {
            let digest = opened(0).and_then(|()| self.stream(self.algorithm, &mut io::stdin()));
            return match digest {
                Ok(digest) => self.line(&digest, b"-").map(|()| 0),
                Err(e) => {
                    perror(b"stdin", &e);
                    Err(1)
                }
            };
        }
        self.print(operands.iter().map(|o| o.as_encoded_bytes()))
    }

    fn invalid(&self, option: u8) -> u8 {
        let end: &[u8] = if self.tool == Tool::Gost12sum { b"\n" } else { b"" };
        say(&[&self.program, b": invalid option -- '", &[option], b"'\n"]);
        say(&[b"invalid option ", &[option], end]);
        self.usage()
    }

    fn usage(&self) -> u8 {
        say(&[self.tool.help().as_bytes()]);
        3
    }

    fn list(&self, name: &OsStr) -> Result<File, u8> {
        File::open(name).map_err(|e| {
            perror(name.as_encoded_bytes(), &e);
            2
        })
    }

    fn print<'a>(&self, names: impl Iterator<Item = &'a [u8]>) -> Result<u8, u8> {
        let mut code = 0;
        for name in names {
            match self.file(self.algorithm, name) {
                Ok(digest) => self.line(&digest, name)?,
                Err(e) => {
                    perror(name, &e);
                    code = 1;
                }
            }
        }
        Ok(code)
    }

    fn line(&self, digest: &Digest, name: &[u8]) -> Result<(), u8> {
        self.put(&[digest.shown(self.tool).as_bytes(), b" ", name, b"\n"].concat())
    }

    fn put(&self, line: &[u8]) -> Result<(), u8> {
        let mut out = io::stdout().lock();
        let put = opened(1).and_then(|()| out.write_all(line)).and_then(|()| out.flush());
        put.map_err(|e| match e.kind() {
            io::ErrorKind::BrokenPipe => Exit::Pipe as u8,
            _ => {
                perror(b"stdout", &e);
                1
            }
        })
    }

    fn check(&self, mut list: BufReader<Box<dyn Read>>) -> Result<u8, u8> {
        let (mut all, mut unread, mut failed) = (0, 0, 0);
        loop {
            let next = match self.tool {
                Tool::Gost12sum => self.next_12(&mut list)?,
                Tool::Gostsum => self.next_94(&mut list),
            };
            let line = match next {
                Next::End => break,
                Next::Skipped => continue,
                Next::BadLength(name) => {
                    say(&[&name, b": invalid hash length\n"]);
                    (all, unread) = (all + 1, unread + 1);
                    continue;
                }
                Next::Line(line) => line,
            };
            all += 1;
            let name = match &line.other {
                Some(other) if !path_of(&line.name).exists() => other,
                _ => &line.name,
            };
            let digest = match self.file(line.algorithm, name) {
                Ok(digest) => digest,
                Err(e) => {
                    perror(name, &e);
                    unread += 1;
                    continue;
                }
            };
            let same = match (self.tool, line.straight) {
                (Tool::Gostsum, false) => [digest.shown(self.tool), digest.reversed()]
                    .iter()
                    .any(|d| d.as_bytes() == line.hex),
                _ => hex(&digest.bytes).as_bytes() == line.hex,
            };
            failed += u64::from(!same);
            match (self.verbose, same, self.tool) {
                (true, true, _) => say(&[name, b"\tOK\n"]),
                (true, false, _) => say(&[name, b"\tFAILED\n"]),
                (false, true, _) => {}
                (false, false, Tool::Gost12sum) => say(&[name, b": GOST hash sum check failed\n"]),
                (false, false, Tool::Gostsum) => {
                    say(&[&self.program, b": GOST hash sum check failed for '", name, b"'\n"]);
                }
            }
        }
        if unread > 0 {
            let text = format!(": WARNING {unread} of {all} file(s) cannot be processed\n");
            say(&[&self.program, text.as_bytes()]);
        }
        let text = match self.tool {
            Tool::Gost12sum => {
                let read = all - unread;
                format!(
                    ": WARNING {failed} of {read} processed file(s) failed GOST hash sum check\n"
                )
            }
            Tool::Gostsum => format!(": {failed} of {all} file(f) failed GOST hash sum check\n"),
        };
        if failed > 0 && (self.verbose || self.tool == Tool::Gost12sum) {
            say(&[&self.program, text.as_bytes()]);
        }
        Ok(u8::from(failed + unread > 0))
    }

    fn file(&self, algorithm: &'static str, name: &[u8]) -> io::Result<Digest> {
        self.stream(algorithm, &mut File::open(path_of(name))?)
    }

    fn stream(&self, algorithm: &'static str, from: &mut dyn Read) -> io::Result<Digest> {
        let fail = |e: bulat::Error| io::Error::other(format!("{algorithm}: {e}"));
        let found = bulat::algorithm::find(algorithm).map_err(fail)?;
        let session = found.session(&Params::new(&[])).and_then(Session::hash);
        let mut hash = session.map_err(fail)?;
        let mut buffer = vec![0; PIECE];
        let mut empty = true;
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => hash.update(&buffer[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            empty = false;
        }
        let mut bytes = vec![0; hash.output_len()];
        hash.finalize_reset(&mut bytes).map_err(fail)?;
        Ok(Digest { bytes, algorithm, empty })
    }
}

fn path_bytes(bytes: &[u8]) -> OsString {
    path_of(bytes).into_os_string()
}

/// Writes to standard error, in one piece.
fn say(parts: &[&[u8]]) {
    let _ = io::stderr().write_all(&parts.concat());
}

/// Prints like C's perror, which omits the prefix for an empty name.
fn perror(name: &[u8], e: &io::Error) {
    let reason = reason(e);
    if name.is_empty() {
        say(&[reason.as_bytes(), b"\n"]);
    } else {
        say(&[name, b": ", reason.as_bytes(), b"\n"]);
    }
}
