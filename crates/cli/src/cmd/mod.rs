//! The commands.

mod bench;
mod container;
mod docs;
#[cfg(feature = "gpu")]
mod gpu;
mod hash;
mod key;
mod list;
mod mac;
mod many;
pub mod personality;
mod pkcs;
mod raw;
mod sealing;
mod slots;
mod volume;
mod wrap;

use std::path::{Path, PathBuf};

use bulat::algorithm::{self, Algorithm, Kind};
use bulat_container::digits::hex;
use serde_json::{Value, json};

use crate::cli::{Cli, Command, JobsArgs};
use crate::error::{Error, Exit, Result, note};
use crate::io::bytes_of;

/// Refuses combinations of options that have no meaning.
pub fn check(matches: &clap::ArgMatches) -> Result<()> {
    match matches.subcommand() {
        Some(("volume", matches)) => volume::options::check(matches),
        _ => Ok(()),
    }
}

/// Runs the command.
pub fn run(cli: Cli) -> Result<Exit> {
    match (&cli.top.kernel, &cli.command) {
        (Some(name), _) => bulat::kernel::force(Some(name)).map_err(|_| {
            Error::usage(format_args!(
                "--kernel {name}: no such kernel, or this machine cannot run it"
            ))
            .remedy("choose one of: bulat kernels")
        })?,
        // The commands that help with a wrong name, or compute nothing.
        (None, Command::Kernels(_)) => {
            if let Err(e) = environment() {
                note(format_args!("warning: {}", e.what));
            }
        }
        (None, Command::List(_) | Command::Completions(_) | Command::Man(_)) => {}
        (None, _) => environment()?,
    }
    match cli.command {
        Command::Hash(args) => hash::run(&args),
        Command::Encrypt(args) => container::encrypt(&args),
        Command::Decrypt(args) => container::decrypt(&args),
        Command::Inspect(args) => container::inspect(&args),
        Command::KeySlot(command) => slots::run(&command),
        Command::Mac(args) => mac::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Kdf(args) => key::derive(&args),
        Command::Wrap(args) => wrap::wrap(&args),
        Command::Unwrap(args) => wrap::unwrap(&args),
        Command::Raw(args) => raw::run(&args),
        Command::Pkcs8(command) => pkcs::pkcs8(&command),
        Command::Pfx(command) => pkcs::pfx(&command),
        Command::Volume(command) => volume::run(&command),
        Command::List(args) => list::algorithms(args.json),
        Command::Kernels(args) => list::kernels(args.json),
        Command::Selftest(args) => list::selftest(args.json),
        #[cfg(feature = "gpu")]
        Command::Devices(args) => gpu::devices(args.quick, args.json),
        Command::Bench(args) => bench::run(&args),
        Command::Gost12sum(args) => personality::subcommand("gost12sum", &args.args),
        Command::Gostsum(args) => personality::subcommand("gostsum", &args.args),
        Command::Completions(args) => docs::completions(args.shell),
        Command::Man(args) => docs::man(args.dir.as_deref()),
    }
}

/// Chooses the kernel named in `BULAT_KERNEL`. If it is empty or unset, the choice is automatic.
pub fn environment() -> Result<()> {
    let Some(name) = std::env::var_os("BULAT_KERNEL").filter(|n| !n.is_empty()) else {
        return Ok(());
    };
    let forced = name.to_str().is_some_and(|name| bulat::kernel::force(Some(name)).is_ok());
    if forced {
        return Ok(());
    }
    let what = "no such kernel, or this machine cannot run it";
    Err(Error::usage(format_args!("BULAT_KERNEL={}: {what}", name.to_string_lossy()))
        .remedy("unset it, or choose one of: bulat kernels"))
}

/// Returns the algorithm of this name, which must be of one of these kinds.
fn algorithm(name: &str, kinds: &[Kind], what: &str) -> Result<&'static Algorithm> {
    let remedy = "see the names in: bulat list";
    let found = algorithm::find(name)
        .map_err(|_| Error::usage(format_args!("{name}: no such algorithm")).remedy(remedy))?;
    if !kinds.contains(&found.kind) || !found.has_sessions() {
        return Err(Error::usage(format_args!("{name}: not a {what}")).remedy(remedy));
    }
    Ok(found)
}

/// Returns a file's name as JSON, with its exact bytes in hexadecimal digits if it is not Unicode.
fn file_object(path: &Path) -> Value {
    match path.to_str() {
        Some(text) => json!({ "file": text }),
        None => json!({ "file": path.to_string_lossy(), "file_hex": hex(&bytes_of(path)) }),
    }
}

/// Returns the files, or standard input if there are none.
fn files(files: &[PathBuf]) -> Vec<&Path> {
    if files.is_empty() {
        vec![Path::new("-")]
    } else {
        files.iter().map(PathBuf::as_path).collect()
    }
}

/// Returns the number of threads: from the option, else from the environment, else one per processor.
fn threads(jobs: &JobsArgs) -> Result<usize> {
    Ok(granted(asked(jobs)?))
}

/// Returns the number of threads in the option or the environment; 0 if none is there.
fn asked(jobs: &JobsArgs) -> Result<usize> {
    let named = std::env::var_os("BULAT_THREADS").filter(|n| !n.is_empty());
    match (jobs.jobs, named) {
        (Some(n), _) => Ok(n),
        (None, Some(n)) => n.to_str().and_then(|n| n.parse().ok()).ok_or_else(|| {
            Error::usage(format_args!("BULAT_THREADS={}: not a number", n.to_string_lossy()))
                .remedy("unset it, or set the number of threads")
        }),
        (None, None) => Ok(0),
    }
}

/// Returns the number of threads of [`asked`] that the machine has room for. Reads several files of the system.
fn granted(asked: usize) -> usize {
    let threads = bulat_container::pipeline::threads(Some(asked)).min(256);
    if threads == 1 { 1 } else { threads.min(room().unwrap_or(threads)) }
}

/// Returns the number of threads for which the limit of the address space (`ulimit -v`) has room, if there is one: when
/// memory runs out later, the program aborts.
fn room() -> Option<usize> {
    /// An arena of glibc's allocator, a stack, and buffers.
    const THREAD: u64 = 72 << 20;
    let number = |file: &str, line: &str| -> Option<u64> {
        let text = std::fs::read_to_string(file).ok()?;
        let rest = text.lines().find_map(|l| l.strip_prefix(line))?;
        rest.split_whitespace().next()?.parse().ok()
    };
    let limit = number("/proc/self/limits", "Max address space")?;
    let used = number("/proc/self/status", "VmSize:")? << 10;
    // The thread that waits for signals also has an arena.
    let threads = (limit.saturating_sub(used) / THREAD).saturating_sub(1);
    Some(usize::try_from(threads).unwrap_or(usize::MAX).max(1))
}

/// A bug in this program: the library refused valid input.
fn internal(e: bulat::Error) -> Error {
    Error::new(Exit::Data, format_args!("internal error: {e}"))
        .remedy("please report it, with the command line")
}
