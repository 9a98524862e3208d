//! The rate of requests of each visitor.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use crate::locks::lock;

/// The requests that each visitor may still make: those of a second at most.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, (f64, Instant)>>);

/// The most visitors that are remembered.
const MANY: usize = 100_000;

impl Rates {
    /// Counts a request, and returns whether it is within the rate.
    pub fn allows(&self, who: &str, rate: u32) -> bool {
        if rate == 0 {
            return true;
        }
        let (rate, now) = (f64::from(rate), Instant::now());
        let mut all = lock(&self.0);
        if all.len() >= MANY {
            // A visitor without a request in the last second has its full rate again.
            all.retain(|_, (_, when)| when.elapsed().as_secs() < 1);
        }
        let (left, when) = all.entry(who.into()).or_insert((rate, now));
        *left = (*left + now.duration_since(*when).as_secs_f64() * rate).min(rate);
        *when = now;
        let allowed = *left >= 1.0;
        *left -= f64::from(u8::from(allowed));
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let rates = Rates::default();
        let allowed = (0..100).filter(|_| rates.allows("a", 10)).count();
        assert!((10..15).contains(&allowed), "{allowed}");
        assert!(rates.allows("b", 10) && rates.allows("a", 0));
    }
}
