//! The search for the largest packet that a path carries (RFC 8899), and the path's MTU, which routers' reports lower, too.
//!
//! | stage | a probe's size | it is answered | it is lost |
//! |---|---|---|---|
//! | rest | | | |
//! | confirm | the MTU | the MTU is right | base |
//! | base | [`Search::base`] | longer packets vanish: the MTU falls to it; search | no peer answers: the MTU stays |
//! | search | above the MTU | the MTU rises to it; search above it | search below it |
//! | trial | the daemon's MTU | the MTU rises to it | the MTU rises to it, since no router reported |
//!
//! Trial is for peers that answer no probe, after a report had lowered the MTU; search for the others then.
//! SAs with the same ends share what an answer finds ([`Search::learn`]).

use std::time::{Duration, Instant};

/// The time that we wait for the answer to a probe (RFC 8899, 5.1.1), and the number of tries of a size.
const TRIES: (Duration, u32) = (Duration::from_secs(1), 3);
/// The time that the stage of trial waits for a router's report; it tries once.
const TRIAL: (Duration, u32) = (Duration::from_secs(3), 1);
/// A path with long packets is confirmed after this time.
const CONFIRM: Duration = Duration::from_secs(60);
/// A peer that answers no probe is asked in this many rounds, [`CONFIRM`] apart: it may have been away.
const ROUNDS: u32 = 3;
/// If a peer that answers probes has sent nothing for [`SILENT`] seconds, its path is confirmed after this time.
const SUSPECT: Duration = Duration::from_secs(10);
/// A peer from which nothing comes for this many seconds is asked earlier.
pub const SILENT: u64 = 3;
/// The least MTU of a path: RFC 791, RFC 8200.
const FLOOR: (u32, u32) = (576, 1280);
/// The size that is expected to pass (RFC 8899, 5.1.2).
const BASE: (u32, u32) = (1200, 1280);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Rest,
    Confirm,
    Base,
    /// `good` passes and is the MTU; `bad` does not. `limit`: a limit says so, and the first try is just below it.
    Search {
        good: u32,
        bad: u32,
        limit: bool,
    },
    Trial,
}

/// The probe of a stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Probe {
    id: [u8; 8],
    size: u32,
    pub(crate) sent: Option<Instant>,
    tries: u32,
    /// The lower half of its last sequence number, and its bytes from the SPI to the ICV.
    sealed: Option<(u32, u16)>,
}

/// The packet of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoted {
    /// The last probe.
    Probe,
    /// Another packet.
    Other,
    /// A router has not said which.
    Unknown,
}

/// The search of an SA.
#[derive(Debug)]
pub struct Search {
    /// The largest outer IP packet that reaches the peer, in bytes: the daemon's MTU, or less.
    pub mtu: u32,
    most: u32,
    v4: bool,
    stage: Stage,
    pub(crate) probe: Probe,
    /// The peer has answered a probe, and not lost six since.
    answers: bool,
    /// Rounds that were not answered.
    asked: u32,
    /// When the MTU was last found to be less than the daemon's; none: it is not.
    pub(crate) lowered: Option<Instant>,
    /// When the stage of confirm last ended.
    pub(crate) checked: Option<Instant>,
}

impl Search {
    /// A path of the daemon's MTU, over IPv4 or IPv6.
    pub fn new(most: u32, v4: bool) -> Self {
        let (stage, probe) = (Stage::Rest, Probe::default());
        let (lowered, checked) = (None, None);
        Search { mtu: most, most, v4, stage, probe, answers: false, asked: 0, lowered, checked }
    }

    /// The search over a new path to the peer.
    pub fn moved(&self, v4: bool) -> Self {
        Search { answers: self.answers, ..Search::new(self.most, v4) }
    }

    /// An answer to a different SA over this path has changed that SA's MTU, and the time since when it is less than the
    /// daemon's. If this SA searches itself, nothing changes.
    pub fn learn(&mut self, mtu: u32, lowered: Option<Instant>) {
        if self.rests() && (lowered.is_some() || mtu > self.mtu) {
            self.mtu = mtu.min(self.most);
            self.lowered = lowered.or(self.lowered).filter(|_| self.mtu < self.most);
            self.answers = true;
        }
    }

    /// The search of an SA that follows this SA over the path.
    pub fn successor(&self, most: u32) -> Self {
        let mut new = Search { answers: self.answers, ..Search::new(most, self.v4) };
        if self.rests() && self.lowered.is_some() && self.mtu < most {
            (new.mtu, new.lowered) = (self.mtu, self.lowered);
        }
        new
    }

    /// Bytes that every path is expected to pass. Only a longer packet starts a probe.
    pub fn base(&self) -> u32 {
        if self.v4 { BASE.0 } else { BASE.1 }
    }

    /// Begins a stage if it is time, after a burst. `long`: packets longer than [`Self::base`] were sent; `silent`: nothing
    /// comes from the peer; `narrow`: the time until a narrow path is tried again. Returns whether it has begun:
    /// the caller calls [`Self::next`] until [`Self::rests`].
    pub fn begins(&mut self, now: Instant, long: bool, silent: bool, narrow: Duration) -> bool {
        if !self.rests() {
            return false;
        }
        let past = |since: Option<Instant>, least| {
            since.is_none_or(|since| now.saturating_duration_since(since) >= least)
        };
        let wait = match (self.answers, silent) {
            (false, _) if self.asked >= ROUNDS => narrow,
            (_, false) | (false, _) => CONFIRM,
            (true, true) => SUSPECT,
        };
        // RFC 1191, 6.3.
        if self.lowered.is_some() && past(self.lowered, narrow) {
            self.begin(match self.answers {
                true => Stage::Search { good: self.mtu, bad: self.most + 1, limit: true },
                false => Stage::Trial,
            });
        } else if long && self.mtu > self.base() && past(self.checked, wait) {
            self.begin(Stage::Confirm);
        }
        !self.rests()
    }

    fn begin(&mut self, stage: Stage) {
        let size = match stage {
            Stage::Rest => 0,
            Stage::Confirm => self.mtu,
            Stage::Base => self.base(),
            Stage::Search { bad, limit: true, .. } => bad - 1,
            Stage::Search { good, bad, .. } => (good.midpoint(bad) & !3).max((good & !3) + 4),
            Stage::Trial => self.most,
        };
        (self.stage, self.probe) = (stage, Probe { size, ..Probe::default() });
    }

    /// Searches between sizes: packets differ by 4 bytes.
    fn between(&mut self, good: u32, bad: u32, limit: bool, now: Instant) {
        (self.mtu, self.lowered) = (good, (good < self.most).then_some(now));
        let last = if limit { bad - 1 } else { (bad - 1) & !3 };
        if last > good {
            self.begin(Stage::Search { good, bad, limit });
        } else {
            self.done(now);
        }
    }

    fn done(&mut self, now: Instant) {
        self.checked = Some(now);
        self.begin(Stage::Rest);
    }

    /// The path is as narrow as this.
    fn narrow(&mut self, mtu: u32, now: Instant) {
        (self.mtu, self.lowered) = (mtu, Some(now));
        self.begin(Stage::Rest);
    }

    /// Nothing is searched.
    pub fn rests(&self) -> bool {
        self.stage == Stage::Rest
    }

    /// The identifier and size of a probe that must be sent now.
    pub fn next(&mut self, now: Instant) -> Option<([u8; 8], u32)> {
        while !self.rests() {
            let (timer, tries) = if self.stage == Stage::Trial { TRIAL } else { TRIES };
            match self.probe.sent {
                Some(sent) if now.saturating_duration_since(sent) < timer => return None,
                Some(_) if self.probe.tries >= tries => self.lost(now),
                Some(_) => break,
                None => {
                    getrandom::fill(&mut self.probe.id).ok()?;
                    break;
                }
            }
        }
        if self.rests() {
            return None;
        }
        self.probe.sent = Some(now);
        self.probe.tries += 1;
        Some((self.probe.id, self.probe.size))
    }

    fn lost(&mut self, now: Instant) {
        match self.stage {
            Stage::Confirm => self.begin(Stage::Base),
            Stage::Search { good, .. } => self.between(good, self.probe.size, false, now),
            Stage::Trial => {
                (self.mtu, self.lowered) = (self.most, None);
                self.begin(Stage::Rest);
            }
            Stage::Base | Stage::Rest => {
                self.answers = false;
                self.asked = self.asked.saturating_add(1);
                self.done(now);
            }
        }
    }

    /// The probe has got a number, and has this many bytes from the SPI to the ICV.
    pub fn sealed(&mut self, number: u32, len: usize) {
        self.probe.sealed = u16::try_from(len).ok().map(|len| (number, len));
    }

    /// The system has not sent the probe: its loss says nothing.
    pub fn unsent(&mut self) {
        self.probe.tries = self.probe.tries.saturating_sub(1);
    }

    /// The peer got a probe of this identifier and length. Returns whether the MTU fell; none: it is no probe of ours.
    pub fn answered(&mut self, id: [u8; 8], len: u16, now: Instant) -> Option<bool> {
        let (size, fell) = (self.probe.size, self.stage == Stage::Base);
        let right = self.probe.id == id && self.probe.sealed.is_some_and(|(_, sent)| sent == len);
        if self.rests() || !right {
            return None;
        }
        (self.answers, self.asked) = (true, 0);
        match self.stage {
            // The MTU again first: the path may have been down, and not narrow.
            Stage::Base => self.between(size, self.mtu + 1, true, now),
            Stage::Search { bad, limit, .. } => self.between(size, bad, limit, now),
            Stage::Trial => self.between(size, size + 1, false, now),
            Stage::Confirm | Stage::Rest => self.done(now),
        }
        Some(fell)
    }

    /// The packet of a router's report.
    pub fn quoted(&self, number: Option<u32>) -> Quoted {
        match (number, self.probe.sealed) {
            (None, _) => Quoted::Unknown,
            (Some(quoted), Some((sent, _))) if quoted == sent => Quoted::Probe,
            _ => Quoted::Other,
        }
    }

    /// A packet was too long for a path of this MTU. Only a report of the probe can raise the MTU.
    pub fn report(&mut self, mtu: u32, quoted: Quoted, now: Instant) {
        let mtu = mtu.max(if self.v4 { FLOOR.0 } else { FLOOR.1 });
        match (self.stage, quoted) {
            (Stage::Search { good, .. }, Quoted::Probe)
                if (good..self.probe.size).contains(&mtu) =>
            {
                self.between(good, mtu + 1, true, now);
            }
            (Stage::Trial, Quoted::Probe) if mtu < self.most => self.narrow(mtu, now),
            // It may be the probe, or of an SA that tries the path, too: a router reports seldom.
            (Stage::Trial, Quoted::Unknown | Quoted::Other)
                if (self.mtu..self.most).contains(&mtu) =>
            {
                self.narrow(self.mtu, now);
            }
            _ if mtu < self.mtu => {
                // To be confirmed, where it can be.
                self.checked = self.checked.filter(|_| !self.answers);
                self.narrow(mtu, now);
            }
            _ => {}
        }
    }

    /// The outer device refused a packet for its length; `known` is its MTU.
    pub fn refused(&mut self, known: Option<u32>, len: u32, quoted: Quoted, now: Instant) {
        match (known, self.stage) {
            (None, Stage::Search { good, .. }) if quoted == Quoted::Probe => {
                self.between(good, self.probe.size, false, now);
            }
            (None, Stage::Trial) if quoted == Quoted::Probe => self.narrow(self.mtu, now),
            _ => self.report(known.unwrap_or(len.saturating_sub(32)), quoted, now),
        }
    }
}
