//! On SIGINT, SIGTERM, SIGHUP or SIGQUIT: the temporary files go, then the program ends as the signal says.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};

use tempfile::NamedTempFile;

/// The temporary files that exist now.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(|e| e.into_inner())
}

/// Makes a temporary file that a signal removes.
pub fn watched(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    static WATCH: OnceLock<()> = OnceLock::new();
    WATCH.get_or_init(watch);
    // The lock is held over the making: a signal in between waits, then finds the file.
    let mut temporary = lock();
    let file = make()?;
    temporary.push(file.path().to_path_buf());
    Ok(file)
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
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    // What the parent chose to ignore (nohup, a shell's background job) stays ignored. Without the
    // handler a signal leaves the temporary file, never one under the final name.
    let ignored = ignored();
    let ours =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(ours) else { return };
    // Where no thread can be had, too, a signal leaves the temporary files.
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let temporary = lock();
            for path in &*temporary {
                let _ = std::fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
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
