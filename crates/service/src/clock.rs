//! The time, by the system's clock and by one that never goes back.

use std::sync::Mutex;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::locks::lock;

/// A clock that never goes back, so that an expired token stays expired.
pub struct Clock {
    start: Instant,
    base: u64,
    seen: Mutex<u64>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { start: Instant::now(), base: unix(), seen: Mutex::new(0) }
    }
    /// Returns seconds since 1970: the greatest of the system's time, the time that has passed since the start, and the
    /// last answer.
    pub fn now(&self) -> u64 {
        self.at(self.start.elapsed().as_secs(), unix())
    }

    fn at(&self, passed: u64, system: u64) -> u64 {
        let mut seen = lock(&self.seen);
        *seen = (*seen).max(self.base.saturating_add(passed)).max(system);
        *seen
    }
}

/// Returns seconds since 1970 by the system's clock.
pub fn unix() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Formats seconds since 1970 as a date, in UTC.
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // The days of 400 years, counted from a first of March.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
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

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_795_700_000, "2026-11-26T13:33:20Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
