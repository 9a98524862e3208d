//! `bulat encrypt` and `decrypt` with several files, and with the files of a folder. One that fails does not stop the
//! others.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use bulat_container::pipeline;

use super::sealing::{Found, Opened, Opener, SUFFIX, Sealed, Sealer, suffixed};
use crate::cli::{DecryptArgs, EncryptArgs, OutArgs};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::location;
use crate::progress::Progress;
use crate::secret::inputs_apart;
use crate::tree::walk;

/// Files of at least this many bytes are processed one after another, each on all threads; the others side by side, on
/// one thread each.
const LONG: u64 = 16 << 20;

/// A file.
struct Job {
    source: PathBuf,
    /// Its place in the other folder; for a file that was named, its own name gives it.
    target: Option<PathBuf>,
    /// Its length, if it is a regular file.
    len: Option<u64>,
}

impl Job {
    /// Returns whether the output replaces a file; `None` if it is finished. `found` returns the state of one in another
    /// folder.
    fn force(
        &self,
        out: &OutArgs,
        found: impl FnOnce(&Path) -> Result<Found>,
    ) -> Result<Option<bool>> {
        Ok(match self.target.as_deref().map(found).transpose()? {
            None => Some(out.force),
            Some(Found::Finished) => None,
            Some(found) => Some(found == Found::Old),
        })
    }
}

/// The files of a run, and what failed before it.
#[derive(Default)]
struct Plan {
    jobs: Vec<Job>,
    failed: Vec<Error>,
    /// The folders could not be read or made, and the errors are printed.
    unread: bool,
}

enum Done {
    Worked,
    /// It was finished before.
    Skipped,
}

/// Encrypts the files.
pub fn encrypt(args: &EncryptArgs, threads: usize) -> Result<Exit> {
    let apart = |path: &Path| inputs_apart(&args.key, &args.password, path);
    let plan = plan(args.recursive, &args.files, &args.out, apart, |path| Ok(suffixed(&path)))?;
    let sealer = Sealer::new(args)?;
    let work = |job: &Job, threads: usize, progress: &Progress| {
        let found = |to: &Path| sealer.found(&job.source, to);
        let Some(force) = job.force(&args.out, found)? else { return Ok(Done::Skipped) };
        let plan = Sealed::begin(args, &job.source, job.target.as_deref(), force)?;
        sealer.run(plan, threads, progress).map(|()| Done::Worked)
    };
    #[cfg(feature = "gpu")]
    let alone = args.device.device != "cpu";
    #[cfg(not(feature = "gpu"))]
    let alone = false;
    Ok(run(plan, threads, alone, &work))
}

/// Decrypts the files.
pub fn decrypt(args: &DecryptArgs, threads: usize) -> Result<Exit> {
    let apart = |path: &Path| inputs_apart(&args.key, &args.password, path);
    let stripped = |path: PathBuf| match path.extension() {
        Some(suffix) if suffix == SUFFIX => Ok(path.with_extension("")),
        _ => Err(format!("not named *.{SUFFIX}")),
    };
    let plan = plan(args.recursive, &args.files, &args.out, apart, stripped)?;
    let opener = Opener::new(args)?;
    let work = |job: &Job, threads: usize, progress: &Progress| {
        let found = |to: &Path| opener.found(&job.source, to);
        let Some(force) = job.force(&args.out, found)? else { return Ok(Done::Skipped) };
        let plan = Opened::begin(args, &job.source, job.target.as_deref(), force)?;
        opener.run(plan, threads, progress).map(|()| Done::Worked)
    };
    #[cfg(feature = "gpu")]
    let alone = args.device.device != "cpu";
    #[cfg(not(feature = "gpu"))]
    let alone = false;
    Ok(run(plan, threads, alone, &work))
}

/// Lists the files, and with `recursive` makes the folders of the outputs. `rename` gives the name of a file's output,
/// or the reason why it has none.
fn plan(
    recursive: bool,
    files: &[PathBuf],
    out: &OutArgs,
    apart: impl Fn(&Path) -> Result<()>,
    rename: impl Fn(PathBuf) -> Result<PathBuf, String>,
) -> Result<Plan> {
    let job = |source: PathBuf, target| {
        let len = fs::metadata(&source).ok().filter(|m| m.is_file()).map(|m| m.len());
        Job { source, target, len }
    };
    let mut plan = Plan::default();
    let Some(to) = out.output.as_deref().filter(|_| recursive) else {
        if out.output.is_some() {
            return Err(Error::usage("-o with several files: each needs an output of its own")
                .remedy("leave -o out: the outputs are next to the files"));
        }
        for path in files {
            if path == Path::new("-") {
                return Err(Error::usage("standard input among several files")
                    .remedy("process it in a run of its own"));
            }
            apart(path)?;
            plan.jobs.push(job(path.clone(), None));
        }
        return Ok(plan);
    };
    let [root] = files else {
        return Err(
            Error::usage("--recursive: one folder").remedy("name a folder, and another with -o")
        );
    };
    let m = fs::metadata(root).map_err(|e| Error::read(root, &e))?;
    if !m.is_dir() {
        return Err(Error::at(Exit::Usage, root, "not a folder").remedy("leave --recursive out"));
    }
    if let (Some(from), Some(to)) = (location(root), location(to))
        && (from.starts_with(&to) || to.starts_with(&from))
    {
        return Err(Error::usage(format_args!(
            "{} and {}: one of the folders is in the other",
            name(root),
            name(&to)
        ))
        .remedy("choose another folder with -o"));
    }
    let tree = walk(root, &[]);
    plan.unread = tree.report();
    let below = |path: &Path| path.strip_prefix(root).map_or_else(|_| path.into(), PathBuf::from);
    for folder in &tree.folders {
        // Joined with an empty path, a name would get a separator at its end.
        let place = match below(folder) {
            top if top == Path::new("") => to.into(),
            inner => to.join(inner),
        };
        if let Err(e) = make_folder(folder, &place) {
            if folder == root {
                return Err(e);
            }
            plan.failed.push(e);
        }
        // After a killed `decrypt` it is plaintext.
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            if left_over(&entry.path()).is_some() {
                note(format_args!(
                    "warning: {}: left over from a killed run, if none is at work: delete it",
                    name(&entry.path())
                ));
            }
        }
    }
    for path in tree.files {
        match left_over(&path) {
            Some(final_name) if final_name.ends_with(b".bulat") => {
                let path = name(&path);
                note(format_args!("warning: {path}: left over from a killed run: skipped"));
                continue;
            }
            // Perhaps somebody's own: a run that left it out must not end well.
            Some(_) => {
                let path = name(&path);
                let what = format_args!("{path}: it has the name of what a killed run leaves");
                plan.failed.push(Error::usage(what).remedy("delete it, or give it another name"));
                continue;
            }
            None => {}
        }
        match rename(below(&path)) {
            Ok(inner) => plan.jobs.push(job(path, Some(to.join(inner)))),
            Err(why) => {
                plan.failed.push(Error::at(Exit::Usage, &path, why));
            }
        }
    }
    Ok(plan)
}

/// Returns the final name of an output that was never completed, as the command and Python write it: `.NAME.XXXXXX.part`.
fn left_over(path: &Path) -> Option<&[u8]> {
    let name = path.file_name()?.as_encoded_bytes();
    let inner = name.strip_prefix(b".")?.strip_suffix(b".part")?;
    let (before, [dot, random @ ..]) = inner.split_last_chunk::<7>()?;
    let part = !before.is_empty() && *dot == b'.' && random.iter().all(u8::is_ascii_alphanumeric);
    part.then_some(before)
}

/// Makes a folder with the permissions of another, less the umask; its owner may always use it.
fn make_folder(like: &Path, folder: &Path) -> Result<()> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
        let mode = fs::metadata(like).map_err(|e| Error::read(like, &e))?.permissions().mode();
        builder.mode(mode & 0o777 | 0o700);
    }
    #[cfg(not(unix))]
    let _ = like;
    match builder.create(folder) {
        Err(_) if folder.is_dir() => Ok(()),
        result => result.map_err(|e| Error::write(folder, &e)),
    }
}

/// The results of a run.
#[derive(Default)]
struct Counts {
    done: usize,
    skipped: usize,
    failed: usize,
    /// The exit code of the first failure.
    exit: Option<Exit>,
}

impl Counts {
    fn fail(&mut self, e: &Error) {
        e.print();
        self.failed += 1;
        self.exit.get_or_insert(e.exit);
    }
    fn take(&mut self, result: Result<Done>) {
        match result {
            Ok(Done::Worked) => self.done += 1,
            Ok(Done::Skipped) => self.skipped += 1,
            Err(e) => self.fail(&e),
        }
    }
}

/// A job on its way through the threads.
#[derive(Default)]
struct Slot {
    job: Option<Job>,
    result: Option<Result<Done>>,
}

/// Processes the files, and prints each failure. With `alone` one file at a time.
fn run(
    plan: Plan,
    threads: usize,
    alone: bool,
    work: &(dyn Fn(&Job, usize, &Progress) -> Result<Done> + Sync),
) -> Exit {
    let mut counts = Counts::default();
    plan.failed.iter().for_each(|e| counts.fail(e));
    if plan.unread {
        counts.exit.get_or_insert(Exit::Io);
    }
    let total = plan.jobs.iter().filter_map(|job| job.len).sum();
    let progress = Progress::of_files(plan.jobs.len(), || total);
    let work = |job: &Job, threads: usize| {
        let result = work(job, threads, &progress);
        if let Ok(Done::Skipped) = result {
            progress.more(job.len.unwrap_or(0));
        }
        result
    };
    let long = |job: &Job| alone || job.len.is_none_or(|n| n >= LONG);
    let (long, short): (Vec<_>, Vec<_>) = plan.jobs.into_iter().partition(long);
    long.iter().for_each(|job| counts.take(work(job, threads)));
    let mut short = short.into_iter();
    let worker = |slot: &mut Slot| -> Result<(), Infallible> {
        slot.result = slot.job.take().map(|job| work(&job, 1));
        Ok(())
    };
    let Ok(()) = pipeline::run(
        threads > 1 && short.len() > 1,
        vec![worker; threads.min(short.len()).max(1)],
        Slot::default,
        |slot| {
            slot.job = short.next();
            Ok(slot.job.is_some())
        },
        |slot| {
            counts.take(slot.result.take().expect("a worker had it"));
            Ok(())
        },
        || (),
    );
    drop(progress);
    if counts.skipped + counts.failed > 0 {
        note(format_args!(
            "{} done, {} finished before, {} failed",
            counts.done, counts.skipped, counts.failed
        ));
    }
    counts.exit.unwrap_or(Exit::Success)
}
