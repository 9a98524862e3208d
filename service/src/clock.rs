//! The time, by the system's clock and by one that never goes back.

use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A clock that never goes back, so that an expired token stays expired.
pub struct Clock {
    start: Instant,
    base: u64,
    seen: Mutex<u64>,
}

impl Clock {
    /// Starts the clock.
    pub fn start() -> Clock {
        Clock { start: Instant::now(), base: unix(), seen: Mutex::new(0) }
    }
    /// Returns seconds since 1970: the greatest of the system's time, the time that has passed since the start, and the
    /// last answer.
    pub fn now(&self) -> u64 {
        self.at(self.start.elapsed().as_secs(), unix())
    }

    fn at(&self, passed: u64, system: u64) -> u64 {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = (*seen).max(self.base.saturating_add(passed)).max(system);
        *seen
    }
}

/// Returns seconds since 1970 by the system's clock.
pub fn unix() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_goes_back() {
        let clock = Clock { start: Instant::now(), base: 1000, seen: Mutex::new(0) };
        for (passed, system, now) in [
            (0, 1000, 1000),
            (5, 1005, 1005),
            // Set back by an hour: time passes as before.
            (6, 0, 1006),
            // Set forward, and back again.
            (7, 5000, 5000),
            (8, 1008, 5000),
            (4001, 1000, 5001),
        ] {
            assert_eq!(clock.at(passed, system), now);
        }
    }
}
