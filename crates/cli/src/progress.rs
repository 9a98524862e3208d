//! A progress bar on the terminal for work of more than half a second. There is one at a time, for a file or for many.

use std::io::IsTerminal as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of the work. Threads share it.
pub struct Progress {
    begun: Instant,
    total: Option<u64>,
    label: String,
    terminal: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    done: u64,
    bar: Option<ProgressBar>,
}

/// The bar that is on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints lines while the bar is hidden, so that they do not mix.
pub fn aside<T>(lines: impl FnOnce() -> T) -> T {
    let shown = lock(&SHOWN).clone();
    match shown {
        Some(bar) => bar.suspend(lines),
        None => lines(),
    }
}

impl Progress {
    /// Creates the bar of a file. It appears only after a while, and never if standard error is not a terminal.
    pub fn new(label: &str, total: Option<u64>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let (begun, state) = (Instant::now(), Mutex::default());
        Progress { begun, total, label: label.into(), terminal, state }
    }
    /// Creates the bar of many files. Asks for their length in bytes only if a bar can appear.
    pub fn of_files(files: usize, length: impl FnOnce() -> u64) -> Self {
        let mut progress = Self::new(&format!("{files} files"), None);
        progress.total = progress.terminal.then(length);
        progress
    }
    /// Sets the number of bytes done.
    pub fn at(&self, done: u64) {
        if self.terminal {
            self.show(|_| done);
        }
    }
    /// Adds to the number of bytes done.
    pub fn more(&self, n: u64) {
        if self.terminal {
            self.show(|done| done + n);
        }
    }
    fn show(&self, done: impl FnOnce(u64) -> u64) {
        let mut state = lock(&self.state);
        state.done = done(state.done);
        if let Some(bar) = &state.bar {
            bar.set_position(state.done);
        } else if self.begun.elapsed() > Duration::from_millis(500) {
            let (bar, style) = match self.total {
                Some(total) => (
                    ProgressBar::new(total),
                    "{msg} {bar:24} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
                ),
                None => (ProgressBar::new_spinner(), "{msg} {bytes} {bytes_per_sec}"),
            };
            bar.set_draw_target(ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar.set_message(self.label.clone());
            bar.set_position(state.done);
            *lock(&SHOWN) = Some(bar.clone());
            state.bar = Some(bar);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = lock(&self.state).bar.take() {
            *lock(&SHOWN) = None;
            bar.finish_and_clear();
        }
    }
}
