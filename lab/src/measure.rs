//! The method: engines are checked, then timed in turn, A B C A B C, one short slice each, on one core; the
//! real clock is read before and after each slice; ratios are taken pair by pair within a round.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::Case;

use crate::engines::{Engine, Slice, Talk};
use crate::expected;

/// How long and how often.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Rounds at least.
    pub least: usize,
    /// Rounds at most.
    pub most: usize,
    /// The time after which no round begins.
    pub time: Duration,
    /// How long a slice lasts, about.
    pub slice: Duration,
}

impl Effort {
    /// For figures to be reported.
    pub const FULL: Effort = Effort {
        least: 12,
        most: 50,
        time: Duration::from_secs(6),
        slice: Duration::from_millis(2),
    };
    /// For a look.
    pub const QUICK: Effort = Effort {
        least: 5,
        most: 12,
        time: Duration::from_millis(600),
        slice: Duration::from_millis(1),
    };
}

/// A spread of the ratio above this says nothing: inconclusive.
pub const SPREAD: f64 = 0.10;

/// So do fewer pairs than this.
pub const PAIRS: usize = 5;

/// A core that is crowded by this much more than at its quietest is shared: timings then do not count.
const CROWD: f64 = 1.2;

/// The figures of one engine.
pub struct Timed {
    /// The engine's name.
    pub engine: String,
    /// And its variant.
    pub variant: String,
    /// And its version.
    pub version: String,
    /// True if the others are compared with it.
    pub first: bool,
    /// Cycles for one byte, of the slices with a steady clock, ascending.
    pub cycles: Vec<f64>,
    /// Seconds of one call, of the same slices, ascending.
    pub seconds: Vec<f64>,
    /// Hertz, the median.
    pub hertz: f64,
    /// The first engine's cycles divided by this one's, round by round, ascending: below 1, the first is
    /// faster.
    pub ratios: Vec<f64>,
    /// Slices that were thrown away because the clock moved.
    pub unsteady: usize,
}

/// Why an engine was not timed.
pub struct Refused {
    /// Engine and variant.
    pub who: String,
    /// The reason.
    pub why: String,
    /// It gave a wrong answer: the run fails.
    pub wrong: bool,
}

/// The quantile of ascending numbers.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        n => {
            let at = q * (n - 1) as f64;
            let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
            low + (high - low) * at.fract()
        }
    }
}

/// The middle.
pub fn median(sorted: &[f64]) -> f64 {
    quantile(sorted, 0.5)
}

/// The width of the middle half over the median.
pub fn spread(sorted: &[f64]) -> f64 {
    (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median(sorted)
}

impl Timed {
    /// A warning about these figures, in words.
    pub fn warning(&self) -> Option<String> {
        let all = self.cycles.len() + self.unsteady;
        if self.cycles.is_empty() {
            return Some("the clock was never steady, or the core never quiet".into());
        }
        if self.cycles.len() < 2 * PAIRS && self.unsteady * 3 > all {
            return Some(format!(
                "the clock moved, or somebody else was on the core, in {} of {all} slices",
                self.unsteady
            ));
        }
        let middle = median(&self.cycles);
        let far = self.cycles.iter().filter(|c| **c > 1.5 * middle).count();
        if far * 5 > self.cycles.len() {
            return Some(format!(
                "{far} of {} slices took half as long again as the median: something \
                                 else was running",
                self.cycles.len()
            ));
        }
        if self.cycles[0] < 0.7 * middle {
            return Some("the least is far below the median: trust the median".into());
        }
        None
    }
}

/// An engine with its case open, and the sum of its answer.
struct Open<'a> {
    engine: &'a Engine,
    variant: String,
    talk: Talk,
    sum: u64,
}

impl Refused {
    fn new(engine: &Engine, variant: &str, why: String) -> Self {
        // Engines that check themselves use the same word.
        let wrong = why.contains("wrong");
        Refused { who: format!("{}/{variant}", engine.name), why, wrong }
    }
}

/// Opens the case and has its answer checked: by the reference, where the text is short enough, else over
/// a shorter one.
fn verified<'a>(engine: &'a Engine, variant: &str, case: &Case) -> Result<Open<'a>, String> {
    let case = Case { variant: variant.into(), ..case.clone() };
    let mut talk = engine.start()?;
    if let Some(truth) = expected::sum(&case) {
        talk.open(&case)?;
        let sum = talk.check()?;
        let open = Open { engine, variant: variant.into(), talk, sum };
        return if sum == truth { Ok(open) } else { Err("it gives a wrong answer".into()) };
    }
    let size = (expected::MOST / case.streams.max(1)).min(case.size) / 16 * 16;
    let small = Case { size, threads: 1, ..case.clone() };
    let truth = expected::sum(&small).ok_or("there is nothing to check its answer with")?;
    talk.open(&small)?;
    if talk.check()? != truth {
        return Err(format!("it gives a wrong answer over {size} bytes"));
    }
    talk.open(&case)?;
    let sum = talk.check()?;
    Ok(Open { engine, variant: variant.into(), talk, sum })
}

/// Checks and times one case on these engines. `seen` hears of each round.
pub fn compare(
    engines: &[(&Engine, String)],
    case: &Case,
    cold: bool,
    effort: Effort,
    mut seen: impl FnMut(usize),
) -> (Vec<Timed>, Vec<Refused>) {
    let mut refused = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    for (engine, variant) in engines {
        match verified(engine, variant, case) {
            Ok(one) => open.push(one),
            Err(why) => refused.push(Refused::new(engine, variant, why)),
        }
    }
    // All are right where the reference could check; over a longer text they must agree.
    if open.iter().any(|one| one.sum != open[0].sum) {
        for one in open.drain(..) {
            let why = "the engines disagree, so that one of them is wrong".into();
            refused.push(Refused::new(one.engine, &one.variant, why));
        }
    }
    // Ratios are to the first that was named, or to none.
    let first = engines.first().map(|(engine, variant)| (&engine.name, variant));
    let base = open.iter().position(|one| Some((&one.engine.name, &one.variant)) == first);
    let bytes = (case.size * case.streams * case.threads) as f64;
    let mut slices: Vec<Vec<Option<Slice>>> = vec![Vec::new(); open.len()];
    let mut calls = Vec::new();
    for one in &mut open {
        let mut once = one.talk.time(1, false).map_or(f64::INFINITY, |s| s.call);
        // The second is warm, where that makes a difference.
        if once < 1.0 {
            once = one.talk.time(1, false).map_or(once, |s| s.call.min(once)).max(1e-9);
        }
        let slice = effort.slice.as_secs_f64() * if case.threads > 1 { 10.0 } else { 1.0 };
        calls.push(if cold { 4 } else { (slice / once).ceil().clamp(1.0, 1e9) as u64 });
    }
    let names: Vec<&str> = open.iter().map(|one| &one.engine.name[..]).collect();
    let good = |i: usize, s: &Slice| counts(names[i], s, case.threads);
    let began = Instant::now();
    // Rounds that a neighbour disturbed do not count, as long as there is time to wait for others.
    let mut round = 0;
    while round < effort.most {
        for (i, one) in open.iter_mut().enumerate() {
            slices[i].push(one.talk.time(calls[i], cold).ok());
        }
        seen(round + 1);
        let disturbed = open.iter().zip(&slices).any(|(one, slices)| {
            let last = slices.last().copied().flatten();
            last.is_some_and(|s| crowded(&one.engine.name, &s, case.threads))
        });
        if disturbed && began.elapsed() < 3 * effort.time {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        let enough = round + 1 >= effort.least
            && (began.elapsed() > effort.time
                || (0..open.len())
                    .filter(|i| Some(*i) != base)
                    .all(|i| spread(&ratios(&slices, base, i, &good)) < SPREAD / 4.0));
        round += 1;
        if enough || (round >= PAIRS && began.elapsed() > 8 * effort.time) {
            break;
        }
    }
    // A right answer at first must be right still.
    let mut wrong = Vec::new();
    for (i, one) in open.iter_mut().enumerate() {
        if one.talk.check() != Ok(one.sum) {
            let why = "its answer after the timing is wrong: not the one before".into();
            refused.push(Refused::new(one.engine, &one.variant, why));
            wrong.push(i);
        }
    }
    let base = base.filter(|i| !wrong.contains(i));
    let timed = open.iter().enumerate().filter(|(i, _)| !wrong.contains(i));
    let timed = timed.map(|(i, one)| {
        let steady: Vec<&Slice> = slices[i].iter().flatten().filter(|s| good(i, s)).collect();
        let ascending = |f: &dyn Fn(&Slice) -> f64| {
            let mut all: Vec<f64> = steady.iter().map(|s| f(s)).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        Timed {
            engine: one.engine.name.clone(),
            variant: one.variant.clone(),
            version: one.engine.version.clone(),
            first: Some(i) == base,
            cycles: ascending(&|s| s.cycles() / bytes),
            seconds: ascending(&|s| s.call),
            hertz: median(&ascending(&|s| 2.0 / (s.cycle.0 + s.cycle.1))),
            ratios: ratios(&slices, base, i, &good),
            unsteady: slices[i].len() - steady.len(),
        }
    });
    (timed.collect(), refused)
}

/// The quietest that the core has been for each engine: compilers make the chains each in their way.
static QUIETEST: Mutex<BTreeMap<String, f64>> = Mutex::new(BTreeMap::new());

/// Notes how quiet it was, and says whether somebody else was on the core; several threads of our own may
/// share one.
fn crowded(engine: &str, slice: &Slice, threads: usize) -> bool {
    if threads > 1 || slice.long() || !slice.crowd.is_finite() {
        return false;
    }
    let mut all = QUIETEST.lock().unwrap_or_else(PoisonError::into_inner);
    let quietest = all.entry(engine.into()).or_insert(slice.crowd);
    *quietest = quietest.min(slice.crowd);
    slice.crowd > CROWD * *quietest
}

/// Returns whether a slice counts.
fn counts(engine: &str, slice: &Slice, threads: usize) -> bool {
    slice.steady() && !crowded(engine, slice, threads)
}

/// Cycles of the base divided by those of the i-th, in rounds where both count, ascending; none without a
/// base.
fn ratios(
    slices: &[Vec<Option<Slice>>],
    base: Option<usize>,
    i: usize,
    good: &dyn Fn(usize, &Slice) -> bool,
) -> Vec<f64> {
    let Some(base) = base else { return Vec::new() };
    let both = slices[base].iter().zip(&slices[i]).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let mut ratios: Vec<f64> = both
        .filter(|(a, b)| good(base, a) && good(i, b))
        .map(|(a, b)| a.cycles() / b.cycles())
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// Pins this process, and so the engines it starts, to the last core that it may run on: the first is the
/// one that most interrupts come to. With several threads it must not be called.
pub fn pin() -> Option<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let all = sched_getaffinity(None).ok()?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|i| all.is_set(*i))?;
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).ok()?;
    Some(last)
}

/// Undoes [`pin`], for engines with threads.
pub fn unpin(all: &rustix::thread::CpuSet) {
    let _ = rustix::thread::sched_setaffinity(None, all);
}

/// Where this process may run.
pub fn cores() -> Option<rustix::thread::CpuSet> {
    rustix::thread::sched_getaffinity(None).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters() {
        let sorted = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(
            (quantile(&sorted, 0.0), quantile(&sorted, 0.25), median(&sorted)),
            (1.0, 2.0, 3.0)
        );
        assert_eq!(median(&[1.0, 2.0]), 1.5);
        assert!(median(&[]).is_nan());
        assert_eq!(spread(&sorted), 2.0 / 3.0);
    }
}
