//! On SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGXCPU, removes the temporary files and turns the terminal's echo back on,
//! then ends the program by the signal. SIGXFSZ becomes an error of the write.

#[cfg(unix)]
use std::fs::{File, OpenOptions};
use std::io;
#[cfg(unix)]
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::sync::{Mutex, MutexGuard, OnceLock};

#[cfg(unix)]
use rustix::termios::Termios;
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

/// The temporary files that currently exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(|e| e.into_inner())
}

/// Creates a temporary file that a signal removes.
pub fn watched(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    begin();
    // Holds the lock while the file is created: a signal in between waits, then finds the file.
    let mut temporary = lock();
    let file = make()?;
    temporary.push(file.path().to_path_buf());
    Ok(file)
}

/// Starts to watch for signals, once.
fn begin() {
    static WATCH: OnceLock<()> = OnceLock::new();
    WATCH.get_or_init(watch);
}

/// Asks on the terminal for a line of at most `limit` bytes. Echo is off before the prompt appears. The end of the
/// input (Ctrl-D, twice after text) also ends the line. A signal restores the terminal.
#[cfg(unix)]
pub fn ask(prompt: &str, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, tcsetattr};
    begin();
    let mut tty = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let before = rustix::termios::tcgetattr(&tty)?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    silent.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG | LocalModes::ECHONL);
    silent.input_modes.insert(InputModes::ICRNL);
    // Ctrl-Z would leave the shell a terminal without echo.
    silent.special_codes[SpecialCodeIndex::VSUSP] = 0;
    *terminal() = Some((before.clone(), tty.try_clone()?));
    tcsetattr(&tty, OptionalActions::Now, &silent)?;
    let answer = tty.write_all(prompt.as_bytes()).and_then(|()| line(&mut tty, limit));
    let restored = tcsetattr(&tty, OptionalActions::Now, &before);
    *terminal() = None;
    let answer = answer?;
    restored?;
    Ok(answer)
}
#[cfg(not(unix))]
pub fn ask(prompt: &str, _: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    rpassword::prompt_password(prompt).map(|typed| Zeroizing::new(typed.into_bytes()))
}

/// Reads a line without its end into a buffer of full size: growing it would leave copies.
#[cfg(unix)]
fn line(tty: &mut File, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let (mut bytes, mut n) = (Zeroizing::new(vec![0; limit + 1]), 0);
    loop {
        if n > limit {
            return Err(io::Error::other("the line is too long"));
        }
        match tty.read(&mut bytes[n..]) {
            // No line feed was typed, so the terminal shows none.
            Ok(0) => {
                tty.write_all(b"\n")?;
                break;
            }
            Ok(more) => n += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
        if bytes[..n].ends_with(b"\n") {
            n -= 1;
            break;
        }
    }
    bytes.truncate(n);
    Ok(bytes)
}

/// The terminal that is asking for a password, with its earlier settings.
#[cfg(unix)]
fn terminal() -> MutexGuard<'static, Option<(Termios, File)>> {
    static TERMINAL: Mutex<Option<(Termios, File)>> = Mutex::new(None);
    TERMINAL.lock().unwrap_or_else(|e| e.into_inner())
}

/// Removes the temporary files, restores the terminal and ends the program by the signal.
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

/// Renames a temporary file. A signal waits until the list of temporary files is right again.
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
    // Signals that the parent ignores (nohup, a shell's background job) stay ignored. If the handler cannot be
    // installed, a signal leaves the temporary file, but never one under the final name.
    let ignored = ignored();
    let ours = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    let ours = ours.into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    // With any handler, a write beyond the file size limit returns an error instead.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::<AtomicBool>::default());
    let Ok(mut signals) = Signals::new(ours) else { return };
    // If no thread can be started, a signal leaves the temporary files.
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    });
}

/// Returns the set of ignored signals as bits, on systems that show it.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn watch() {}
