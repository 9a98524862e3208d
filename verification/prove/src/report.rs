//! Runs the calls on all cores, and says in a line a function what is proved.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::call::Call;
use crate::domain;
use crate::kinds::{self, Task};
use crate::machine::{Fault, Meanings, refuse};
use crate::program::Program;

/// The outcome of a call.
pub struct Outcome {
    /// Why it was refused.
    pub refused: Option<String>,
    pub time: Duration,
    /// Instructions run, and which of the program's.
    pub count: usize,
    pub seen: Vec<u32>,
    /// Constants of the program that were read, where faults are planted.
    pub constants: Vec<u64>,
    /// Bytes of memory outside the results that depend on keys or texts at the return.
    pub left: usize,
}

/// Runs one call, with faults planted.
pub fn outcome(
    p: &Program,
    meanings: &std::rc::Rc<Meanings>,
    task: &Task,
    faults: &[Fault],
) -> Outcome {
    let start = Instant::now();
    let mut call = Call::new(p, meanings.clone(), faults);
    call.m.keep_constants = domain::are_numbers() && faults.is_empty();
    // A planted fault may make more forms than the domain holds.
    let run = AssertUnwindSafe(|| (task.call)(&mut call, p.functions[task.function].first));
    let result = catch_unwind(run).unwrap_or_else(|_| refuse("the run panicked"));
    let seen = call.m.seen.iter().enumerate().filter(|(_, seen)| **seen);
    Outcome {
        refused: result.err().map(|e| e.0),
        time: start.elapsed(),
        count: call.m.count,
        seen: seen.map(|(i, _)| i as u32).collect(),
        left: call.m.left(),
        constants: std::mem::take(&mut call.m.constants),
    }
}

/// Runs `f` for the numbers below `n` on all cores.
pub fn spread<T: Send>(
    p: &Program,
    n: usize,
    f: impl Fn(&std::rc::Rc<Meanings>, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(BTreeMap::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(n.max(1));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let meanings = Meanings::new(p);
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= n {
                        break;
                    }
                    let out = f(&meanings, i);
                    all.lock().expect("no thread fails with it").insert(i, out);
                }
                domain::forget();
            });
        }
    });
    all.into_inner().expect("no thread fails with it").into_values().collect()
}

/// A function's name as the lists have it: its path without the crate.
pub fn name(function: &str) -> String {
    let bare = function.replace("bulat_core::", "").replace("bulat::", "");
    bare.trim().to_string()
}

/// The result of a whole run.
pub struct Report {
    pub lines: Vec<String>,
    /// Names of functions that are called and proved in all classes.
    pub proved: Vec<String>,
    pub last: String,
    /// The instructions that were run in proofs.
    pub run: Vec<bool>,
}

/// Proves everything, or those with all these words in their names and classes.
pub fn report(p: &Program, words: &[String], verbose: bool) -> Report {
    let mut tasks = kinds::tasks(p);
    let title = |t: &Task| format!("{} {}", p.functions[t.function].path, t.class);
    tasks.retain(|t| words.iter().all(|w| title(t).contains(w.as_str())));
    let outcomes = spread(p, tasks.len(), |meanings, i| {
        let out = outcome(p, meanings, &tasks[i], &[]);
        if verbose {
            let word = if out.refused.is_none() { "proved" } else { "refused" };
            let why = out.refused.clone().unwrap_or_default();
            let (n, left) = (out.count, out.left);
            println!("{word} {}: {n} run, {left} left, {:.2?} {why}", title(&tasks[i]), out.time);
        }
        out
    });

    let mut run = vec![false; p.code.len()];
    let mut calls: BTreeMap<usize, Vec<(&Task, &Outcome)>> = BTreeMap::new();
    for (task, out) in tasks.iter().zip(&outcomes) {
        calls.entry(task.function).or_default().push((task, out));
        if out.refused.is_none() {
            out.seen.iter().for_each(|i| run[*i as usize] = true);
        }
    }
    let mut report =
        Report { lines: Vec::new(), proved: Vec::new(), last: String::new(), run: Vec::new() };
    let (mut functions, mut within, mut instructions, mut were_run) = (0, 0, 0, 0);
    for (i, f) in p.functions.iter().enumerate() {
        if kinds::path(&f.path).is_none() {
            continue;
        }
        functions += 1;
        // Padding between functions is none of their instructions.
        let body = (f.first..f.first + f.len)
            .filter(|i| !matches!(p.code[*i].name.as_str(), "nop" | "int3" | "ud2" | "xchg"));
        let (all, ran) = body.fold((0, 0), |(all, ran), i| (all + 1, ran + usize::from(run[i])));
        instructions += all;
        let name = name(&f.path);
        let Some(calls) = calls.get(&i) else {
            were_run += ran;
            if ran > 0 {
                within += 1;
                report
                    .lines
                    .push(format!("{name}: run within proved calls, {ran} of {all} instructions"));
            } else {
                report.lines.push(format!("{name}: not proved: nothing calls it here"));
            }
            continue;
        };
        let time: Duration = calls.iter().map(|(_, o)| o.time).sum();
        let good = calls.iter().filter(|(_, o)| o.refused.is_none()).count();
        if let Some((task, out)) = calls.iter().find(|(_, o)| o.refused.is_some()) {
            let why = out.refused.as_deref().unwrap_or_default();
            report.lines.push(format!(
                "{name}: not proved: {good} of {} classes; {}: {why}",
                calls.len(),
                task.class
            ));
            were_run += ran;
            continue;
        }
        let left = calls.iter().map(|(_, o)| o.left).max().unwrap_or(0);
        let wiped = match left {
            0 => "nothing left in memory".to_string(),
            n => format!("at most {n} bytes left on the stack"),
        };
        were_run += ran;
        report.proved.push(name.clone());
        report.lines.push(format!(
            "{name}: proved in {good} classes, {ran} of {all} instructions, {wiped}, {time:.1?}"
        ));
    }
    report.last = format!(
        "{} of {functions} functions proved ({} called, {within} within their calls); \
         {were_run} of {instructions} instructions run",
        report.proved.len() + within,
        report.proved.len()
    );
    report.run = run;
    report
}
