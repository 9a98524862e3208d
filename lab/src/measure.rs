//! The method: engines are checked, then timed in turn, A B C A B C, one short slice each, on one core; the
//! real clock is read before and after each slice; ratios are taken pair by pair within a round.

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

/// What one engine gave.
pub struct Timed {
    /// The engine's name.
    pub engine: String,
    /// And its variant.
    pub variant: String,
    /// And its version.
    pub version: String,
    /// Cycles for one octet, of the slices with a steady clock, ascending.
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

/// The width of the middle half beside the middle.
pub fn spread(sorted: &[f64]) -> f64 {
    (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median(sorted)
}

impl Timed {
    /// What a reader should know about these figures, in words.
    pub fn warning(&self) -> Option<String> {
        let all = self.cycles.len() + self.unsteady;
        if self.cycles.is_empty() {
            return Some("the clock was never steady".into());
        }
        if self.unsteady * 3 > all {
            return Some(format!(
                "the clock moved in {} of {all} slices, which do not count",
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

/// Checks and times one case on these engines. `seen` hears of each round.
pub fn compare(
    engines: &[(&Engine, String)],
    case: &Case,
    cold: bool,
    effort: Effort,
    mut seen: impl FnMut(usize),
) -> (Vec<Timed>, Vec<Refused>) {
    let mut refused = Vec::new();
    let mut open: Vec<(&Engine, String, Talk, u64)> = Vec::new();
    for (engine, variant) in engines {
        let case = Case { variant: variant.clone(), ..case.clone() };
        match start(engine, &case) {
            Ok((talk, sum)) => open.push((engine, variant.clone(), talk, sum)),
            Err(why) => refused.push(Refused { who: who(engine, variant), why, wrong: false }),
        }
    }
    let truth = expected::sum(case).or_else(|| checked_small(&open, case)).or(agreed(&open));
    open.retain(|(engine, variant, _, sum)| {
        let why = match truth {
            Some(truth) if truth == *sum => return true,
            Some(_) => "it gives a wrong answer",
            None => "there is nothing to check its answer with",
        };
        refused.push(Refused {
            who: who(engine, variant),
            why: why.into(),
            wrong: truth.is_some(),
        });
        false
    });
    let octets = (case.size * case.streams * case.threads) as f64;
    let mut slices: Vec<Vec<Option<Slice>>> = vec![Vec::new(); open.len()];
    let mut calls = Vec::new();
    for (_, _, talk, _) in &mut open {
        // The second is warm.
        let once = [talk.time(1, false), talk.time(1, false)].into_iter().flatten().map(|s| s.call);
        let once = once.fold(f64::INFINITY, f64::min).max(1e-9);
        let slice = effort.slice.as_secs_f64() * if case.threads > 1 { 10.0 } else { 1.0 };
        calls.push(if cold { 4 } else { (slice / once).ceil().clamp(1.0, 1e9) as u64 });
    }
    let began = Instant::now();
    for round in 0..effort.most {
        for (i, (_, _, talk, _)) in open.iter_mut().enumerate() {
            slices[i].push(talk.time(calls[i], cold).ok());
        }
        seen(round + 1);
        let enough = round + 1 >= effort.least
            && (began.elapsed() > effort.time
                || (1..open.len()).all(|i| spread(&ratios(&slices, i)) < SPREAD / 4.0));
        if enough || (round >= 2 && began.elapsed() > 8 * effort.time) {
            break;
        }
    }
    // What was right at first must be so still.
    let mut wrong = Vec::new();
    for (i, (engine, variant, talk, sum)) in open.iter_mut().enumerate() {
        if talk.check() != Ok(*sum) {
            let why = "its answer after the timing is not the one before".into();
            refused.push(Refused { who: who(engine, variant), why, wrong: true });
            wrong.push(i);
        }
    }
    let timed = open.iter().enumerate().filter(|(i, _)| !wrong.contains(i));
    let timed = timed.map(|(i, (engine, variant, ..))| {
        let steady: Vec<&Slice> = slices[i].iter().flatten().filter(|s| s.steady()).collect();
        let ascending = |f: &dyn Fn(&Slice) -> f64| {
            let mut all: Vec<f64> = steady.iter().map(|s| f(s)).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        Timed {
            engine: engine.name.clone(),
            variant: variant.clone(),
            version: engine.version.clone(),
            cycles: ascending(&|s| s.cycles() / octets),
            seconds: ascending(&|s| s.call),
            hertz: median(&ascending(&|s| 2.0 / (s.cycle.0 + s.cycle.1))),
            ratios: ratios(&slices, i),
            unsteady: slices[i].len() - steady.len(),
        }
    });
    (timed.collect(), refused)
}

/// Of many variants, those that are worth the long comparison: the first, the [`BEST`] of all, the best of
/// each family (the name up to the letter after its dash), those without a dash. All are checked.
pub fn qualify<'a>(
    engines: Vec<(&'a Engine, String)>,
    case: &Case,
    mut seen: impl FnMut(&str),
) -> (Vec<(&'a Engine, String)>, Vec<Refused>) {
    let truth = expected::sum(case);
    let mut refused = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    let mut open: Option<(&Engine, Talk)> = None;
    for (engine, variant) in &engines {
        seen(variant);
        let case = Case { variant: variant.clone(), ..case.clone() };
        if open.as_ref().is_none_or(|(of, _)| of.name != engine.name) {
            open = engine.start().ok().map(|talk| (*engine, talk));
        }
        let least = open.as_mut().ok_or("it cannot be started".into()).and_then(|(_, talk)| {
            talk.open(&case)?;
            if Some(talk.check()?) != truth {
                return Err("it gives a wrong answer".to_string());
            }
            let once = talk.time(1, false)?.call.max(1e-9);
            let calls = (2e-4 / once).ceil() as u64;
            let slices = (0..5).map(|_| talk.time(calls, false)).collect::<Result<Vec<_>, _>>()?;
            Ok(slices.iter().map(Slice::cycles).fold(f64::INFINITY, f64::min))
        });
        times.push(least.unwrap_or_else(|why| {
            let wrong = why.contains("wrong");
            refused.push(Refused { who: who(engine, variant), why, wrong });
            f64::INFINITY
        }));
    }
    let family = |variant: &str| match variant.split_once('-') {
        Some((set, rest)) => format!("{set}-{}", rest.chars().next().unwrap_or(' ')),
        None => variant.into(),
    };
    let mut order: Vec<usize> = (0..engines.len()).filter(|i| times[*i].is_finite()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let mut families = std::collections::BTreeSet::new();
    let mut keep: Vec<usize> = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let (engine, variant) = &engines[i];
        if families.insert((&engine.name, family(variant))) || place < BEST || i == 0 {
            keep.push(i);
        }
    }
    keep.sort_unstable();
    let mut engines: Vec<Option<_>> = engines.into_iter().map(Some).collect();
    (keep.into_iter().filter_map(|i| engines[i].take()).collect(), refused)
}

/// How many of very many variants go on.
const BEST: usize = 24;

/// More variants than this are qualified first.
pub const MANY: usize = 64;

/// `ENGINE/VARIANT`.
fn who(engine: &Engine, variant: &str) -> String {
    format!("{}/{variant}", engine.name)
}

fn start(engine: &Engine, case: &Case) -> Result<(Talk, u64), String> {
    let mut talk = engine.start()?;
    talk.open(case)?;
    let sum = talk.check()?;
    Ok((talk, sum))
}

/// The first engine's sum, where the first is right about a small text, for texts too long for the
/// reference.
fn checked_small(open: &[(&Engine, String, Talk, u64)], case: &Case) -> Option<u64> {
    let (engine, variant, _, sum) = open.first()?;
    let size = (expected::MOST / case.streams).min(case.size) / 16 * 16;
    let small = Case { size, variant: variant.clone(), threads: 1, ..case.clone() };
    let right = start(engine, &small).ok()?.1 == expected::sum(&small)?;
    right.then_some(*sum)
}

/// What two engines of different names agree on.
fn agreed(open: &[(&Engine, String, Talk, u64)]) -> Option<u64> {
    let pair = |(a, _, _, sum): &(&Engine, String, Talk, u64)| {
        open.iter().any(|(b, _, _, other)| a.name != b.name && sum == other).then_some(*sum)
    };
    open.iter().find_map(pair)
}

/// Cycles of the first divided by those of the i-th, in rounds where both were steady, ascending.
fn ratios(slices: &[Vec<Option<Slice>>], i: usize) -> Vec<f64> {
    let pairs = slices[0].iter().zip(&slices[i]);
    let both = pairs.filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let mut ratios: Vec<f64> = both
        .filter(|(a, b)| a.steady() && b.steady())
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
