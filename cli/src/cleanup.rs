//! On SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGXCPU: the temporary files go, the terminal shows again what is typed,
//! then the program ends as the signal says. SIGXFSZ becomes an error of the write.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::sync::{Mutex, MutexGuard, OnceLock};

#[cfg(unix)]
use rustix::termios::Termios;
use tempfile::NamedTempFile;

/// The temporary files that exist now.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(|e| e.into_inner())
}

/// Makes a temporary file that a signal removes.
pub fn watched(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    begin();
    // The lock is held over the making: a signal in between waits, then finds the file.
    let mut temporary = lock();
    let file = make()?;
    temporary.push(file.path().to_path_buf());
    Ok(file)
}

/// Watches for signals from now on.
fn begin() {
    static WATCH: OnceLock<()> = OnceLock::new();
    WATCH.get_or_init(watch);
}

/// Asks on the terminal: a signal meanwhile leaves it as it was.
pub fn asking<T>(ask: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(unix)]
    {
        begin();
        *terminal() = File::open("/dev/tty")
            .and_then(|tty| Ok((rustix::termios::tcgetattr(&tty)?, tty)))
            .ok();
        let answer = ask();
        *terminal() = None;
        // Ctrl-C: the signal may be on its way yet.
        if answer.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::Interrupted) {
            end(signal_hook::consts::SIGINT);
        }
        answer
    }
    #[cfg(not(unix))]
    ask()
}

/// The terminal on which a password is asked for now, and how it was before.
#[cfg(unix)]
fn terminal() -> MutexGuard<'static, Option<(Termios, File)>> {
    static TERMINAL: Mutex<Option<(Termios, File)>> = Mutex::new(None);
    TERMINAL.lock().unwrap_or_else(|e| e.into_inner())
}

/// Ends the program as the signal does, which has come or is taken for having come.
#[cfg(unix)]
fn end(signal: i32) -> ! {
    let temporary = lock();
    for path in &*temporary {
        let _ = std::fs::remove_file(path);
    }
    if let Some((before, tty)) = &*terminal() {
        let _ = rustix::termios::tcsetattr(tty, rustix::termios::OptionalActions::Now, before);
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Renames a temporary file; a signal waits, then finds it settled.
pub fn settled<T>(path: &Path, rename: impl FnOnce() -> T) -> T {
    let mut temporary = lock();
    let result = rename();
    temporary.retain(|p| p != path);
    result
}

#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    // What the parent chose to ignore (nohup, a shell's background job) stays ignored. Without the
    // handler a signal leaves the temporary file, never one under the final name.
    let ignored = ignored();
    let ours = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    let ours = ours.into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    // With any handler the write that would make a file too long fails.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::<AtomicBool>::default());
    let Ok(mut signals) = Signals::new(ours) else { return };
    // Where no thread can be had, too, a signal leaves the temporary files.
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    });
}

/// The set of ignored signals, bit by bit, where the system shows it.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn watch() {}
