//! A progress bar on the terminal for work of more than half a second.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of one file.
pub struct Progress {
    begun: Instant,
    total: Option<u64>,
    label: String,
    done: u64,
    bar: Option<ProgressBar>,
    terminal: bool,
}

impl Progress {
    /// Creates the bar. It appears only after a while, and never if standard error is not a terminal.
    pub fn new(label: &str, total: Option<u64>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Progress { begun: Instant::now(), total, label: label.into(), done: 0, bar: None, terminal }
    }
    /// Sets the number of bytes done.
    pub fn at(&mut self, done: u64) {
        self.done = done;
        if !self.terminal {
            return;
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
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
            bar.set_position(done);
            self.bar = Some(bar);
        }
    }
    /// Adds to the number of bytes done.
    pub fn more(&mut self, n: usize) {
        self.at(self.done + n as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
