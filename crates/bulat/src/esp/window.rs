//! The window against replays of inbound packets (RFC 4303, section 3.4.3 and Appendix A).

use alloc::vec::Vec;
use core::fmt;

use crate::Error;

/// The reason why a window refuses a sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// The sequence number is 0, which no sender uses.
    Zero,
    /// The sequence number is below the window.
    Old,
    /// A packet with this sequence number was accepted before.
    Replay,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Zero => "sequence number 0",
            Refused::Old => "sequence number below the window",
            Refused::Replay => "sequence number of a packet received before",
        })
    }
}

impl core::error::Error for Refused {}

/// The sequence numbers received in a security association: the highest, and which of the `size` up to it.
///
/// Ask [`Window::check`] before a packet is opened, and tell [`Window::accept`] afterwards, if its ICV is right:
///
/// ```
/// use bulat::esp::{Refused, Window};
/// let mut window = Window::new(1024, true)?;
/// let sequence = window.check(7).expect("is new"); // open() the packet now
/// assert_eq!(window.accept(sequence), Ok(()));
/// assert_eq!(window.check(7), Err(Refused::Replay));
/// # Ok::<(), bulat::Error>(())
/// ```
pub struct Window {
    /// A bit for each number, by its lowest bits; a word more than the window has, which is cleared ahead of it.
    seen: Vec<u64>,
    size: u64,
    top: u64,
    esn: bool,
}

impl Window {
    /// A window of `size` packets, 32 to 2^24; `esn`: extended sequence numbers, of 64 bits.
    ///
    /// # Errors
    /// [`Error::Parameter`] for any other size.
    pub fn new(size: u32, esn: bool) -> Result<Self, Error> {
        if !(32..=1 << 24).contains(&size) {
            return Err(Error::Parameter);
        }
        let seen = alloc::vec![0; size.div_ceil(64) as usize + 1];
        Ok(Window { seen, size: size.into(), top: 0, esn })
    }

    /// Returns the whole sequence number of a packet that has these 32 bits of it, if it can be accepted.
    ///
    /// # Errors
    /// [`Refused`]: the packet must not be opened.
    pub fn check(&self, low: u32) -> Result<u64, Refused> {
        let sequence = self.sequence(low).ok_or(Refused::Old)?;
        self.judge(sequence)?;
        Ok(sequence)
    }

    /// After a loss of 2^32 packets or more no packet opens under the number that [`Window::check`] returns (RFC 4303,
    /// A3). Returns the number in a later subspace: 1 for the subspace after the window's. Open a packet under it, and
    /// [`Window::accept`] it only then; limit how often.
    pub fn later(&self, low: u32, subspaces: u32) -> Option<u64> {
        let high = (self.top >> 32).checked_add(subspaces.into())?;
        (self.esn && subspaces > 0 && high <= u32::MAX.into())
            .then_some(high << 32 | u64::from(low))
    }

    /// Accepts a packet whose ICV is right.
    ///
    /// # Errors
    /// [`Refused`], above all for the second of two equal packets that were opened together: it must be dropped.
    pub fn accept(&mut self, sequence: u64) -> Result<(), Refused> {
        self.judge(sequence)?;
        let words = self.seen.len() as u64;
        if sequence > self.top {
            let (from, to) = (self.top / 64, sequence / 64);
            for word in (from + 1..=to).take(words as usize) {
                self.seen[(word % words) as usize] = 0;
            }
            // All words are cleared when the window moves further than that.
            self.top = sequence;
        }
        self.seen[(sequence / 64 % words) as usize] |= 1 << (sequence % 64);
        Ok(())
    }

    /// Returns the highest sequence number accepted, 0 before the first.
    pub fn top(&self) -> u64 {
        self.top
    }

    fn judge(&self, sequence: u64) -> Result<(), Refused> {
        let word = self.seen[(sequence / 64 % self.seen.len() as u64) as usize];
        match sequence {
            0 => Err(Refused::Zero),
            n if n > self.top => Ok(()),
            n if self.top - n >= self.size => Err(Refused::Old),
            n if word >> (n % 64) & 1 == 1 => Err(Refused::Replay),
            _ => Ok(()),
        }
    }

    /// A2.2: the higher half that puts the number into the window, or above it.
    fn sequence(&self, low: u32) -> Option<u64> {
        if !self.esn {
            return Some(low.into());
        }
        let (high, top) = (self.top >> 32, self.top as u32);
        let width = (self.size - 1) as u32;
        let high = match (top >= width, low >= top.wrapping_sub(width)) {
            (true, true) | (false, false) => high,
            (true, false) => (high < u32::MAX.into()).then_some(high + 1)?,
            (false, true) => high.checked_sub(1)?,
        };
        Some(high << 32 | u64::from(low))
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    /// The window by its definition: a set of all numbers.
    struct Slow(BTreeSet<u64>, u64);

    impl Slow {
        fn judge(&self, n: u64) -> Result<(), Refused> {
            let top = self.0.last().copied().unwrap_or(0);
            match n {
                0 => Err(Refused::Zero),
                n if n + self.1 <= top => Err(Refused::Old),
                n if self.0.contains(&n) => Err(Refused::Replay),
                _ => Ok(()),
            }
        }
    }

    /// Numbers near the top, far above it and below it, in windows of several sizes, over borders of 2^32.
    #[test]
    fn a_window_is_its_definition() {
        let mut random = 1u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for size in [32, 63, 64, 65, 128, 1000, 8192] {
            for begin in [0, (1 << 32) - 3 * u64::from(size), 7 << 32] {
                let (mut window, mut slow) =
                    (Window::new(size, true).unwrap(), Slow(BTreeSet::new(), size.into()));
                if begin > 0 {
                    assert_eq!(window.accept(begin), Ok(()));
                    slow.0.insert(begin);
                }
                for _ in 0..20_000 {
                    let far = [4, u64::from(size), 3 * u64::from(size)][next() as usize % 3];
                    let n = (window.top() + next() % far).saturating_sub(next() % (2 * far));
                    // The lower half says which number it is, unless it lies below the window: then it seems to be a
                    // number of the next subspace.
                    if n + u64::from(size) > window.top() {
                        let want = slow.judge(n).map(|()| n);
                        assert_eq!(window.check(n as u32), want, "{n} of {size}");
                    }
                    assert_eq!(window.accept(n), slow.judge(n), "{n} of {size}");
                    if slow.judge(n).is_ok() {
                        slow.0.insert(n);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_of_32_bits_do_not_wrap() {
        let mut window = Window::new(64, false).unwrap();
        assert_eq!(window.check(0), Err(Refused::Zero));
        assert_eq!(window.accept(u32::MAX.into()), Ok(()));
        assert_eq!(window.check(1), Err(Refused::Old));
        assert_eq!(window.later(1, 1), None);
        let mut window = Window::new(64, true).unwrap();
        assert_eq!(window.check(1 << 31), Ok(1 << 31));
        assert_eq!(window.accept(u64::MAX), Ok(()));
        assert_eq!((window.check(1), window.later(1, 1)), (Err(Refused::Old), None));
    }

    /// The cases of A2.2 at the border of two subspaces.
    #[test]
    fn the_higher_half_is_deduced() {
        let mut window = Window::new(64, true).unwrap();
        window.accept((3 << 32) + 10).unwrap();
        assert_eq!(window.check(11), Ok((3 << 32) + 11));
        assert_eq!(window.check(u32::MAX - 52), Ok((3 << 32) - 53));
        assert_eq!(window.check(u32::MAX - 53), Ok((4 << 32) - 54));
        assert_eq!(window.later(10, 2), Some((5 << 32) + 10));
        assert_eq!(window.later(10, 0), None);
        window.accept((3 << 32) + 63).unwrap();
        assert_eq!(window.check(0), Ok(3 << 32));
        assert_eq!(window.check(u32::MAX), Ok((4 << 32) - 1));
        let new = Window::new(64, true).unwrap();
        assert_eq!(new.check(u32::MAX - 10), Err(Refused::Old), "below 0");
    }

    #[test]
    fn sizes_outside_are_refused() {
        for size in [0, 31, (1 << 24) + 1] {
            assert_eq!(Window::new(size, true).err(), Some(Error::Parameter));
        }
    }
}
