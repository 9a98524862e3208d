//! A queue of pieces for all workers. If a worker fails, its piece goes to another.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard};

struct State {
    next: usize,
    redo: Vec<Range<usize>>,
    busy: usize,
}

/// A queue of `all` grains, each of which is done once.
pub(crate) struct Queue {
    all: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    pub fn new(all: usize) -> Self {
        Queue {
            all,
            state: Mutex::new(State { next: 0, redo: Vec::new(), busy: 0 }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the number of grains that nobody has begun.
    pub fn left(&self) -> usize {
        let s = self.lock();
        self.all - s.next + s.redo.iter().map(Range::len).sum::<usize>()
    }

    /// Returns up to `most` adjacent grains. Waits while others may still fail; returns `None` when all are done.
    pub fn take(&self, most: usize) -> Option<Range<usize>> {
        let mut s = self.lock();
        loop {
            if let Some(range) = s.redo.pop() {
                let end = range.end.min(range.start + most.max(1));
                if end < range.end {
                    s.redo.push(end..range.end);
                }
                s.busy += 1;
                return Some(range.start..end);
            }
            if s.next < self.all {
                let start = s.next;
                s.next = self.all.min(start + most.max(1));
                s.busy += 1;
                return Some(start..s.next);
            }
            if s.busy == 0 {
                return None;
            }
            s = self.changed.wait(s).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Reports that a taken piece is done.
    pub fn done(&self) {
        self.lock().busy -= 1;
        self.changed.notify_all();
    }

    /// Returns a part of a taken piece; the rest is still in progress.
    pub fn back(&self, range: Range<usize>) {
        self.lock().redo.push(range);
        self.changed.notify_all();
    }

    /// Reports that a taken piece failed.
    pub fn failed(&self, range: Range<usize>) {
        let mut s = self.lock();
        s.busy -= 1;
        s.redo.push(range);
        drop(s);
        self.changed.notify_all();
    }
}
