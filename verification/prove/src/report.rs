//! Runs the calls on all cores, and says in a line a function what is proved.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::call::Call;
use crate::domain;
use crate::kinds::{self, Task};
use crate::machine::{Fault, MOST, Meanings, refuse};
use crate::program::{Code, Function, Operand, Place, Program};

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
    /// Bytes of memory outside the results that depend on keys or texts at the return; not counted if functions were
    /// replaced, as these would leave some too.
    pub left: Option<usize>,
    /// Set if a vector register depends on them.
    pub vectors: bool,
}

/// This thread's time on a processor, so that a loaded machine gives the same table; 0 where the system does not tell.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// Runs one call, with faults planted.
pub fn outcome(
    p: &Program,
    meanings: &std::rc::Rc<Meanings>,
    task: &Task,
    faults: &[Fault],
    most: usize,
) -> Outcome {
    let start = cpu_time();
    let mut call = Call::new(p, meanings.clone(), faults);
    call.m.most = most;
    call.m.keep_constants = domain::are_numbers() && faults.is_empty();
    // A planted fault may make more forms than the domain holds.
    let run = AssertUnwindSafe(|| (task.call)(&mut call, p.functions[task.function].first));
    let result = catch_unwind(run).unwrap_or_else(|why| {
        let text = why.downcast_ref::<&str>().map(|s| s.to_string());
        let text = text.or_else(|| why.downcast_ref::<String>().cloned());
        refuse(format!("the run stopped: {}", text.unwrap_or_default()))
    });
    let counts = call.m.replaced.is_empty();
    let seen = call.m.seen.iter().enumerate().filter(|(_, seen)| **seen);
    Outcome {
        refused: result.err().map(|e| e.0),
        time: cpu_time().saturating_sub(start),
        count: call.m.count,
        seen: seen.map(|(i, _)| i as u32).collect(),
        left: counts.then(|| call.m.left()),
        vectors: counts && call.m.left_in_vectors(),
        constants: std::mem::take(&mut call.m.constants),
    }
}

/// A call that was refused, on numbers that look random: whether the function fails there too.
fn on_numbers(p: &Program, meanings: &std::rc::Rc<Meanings>, task: &Task) -> String {
    // Planes are variables of their own, and no numbers.
    if task.class.starts_with("planes") {
        return String::new();
    }
    let wrong = (1..4).find_map(|seed| {
        domain::numbers(Some(seed));
        let out = outcome(p, meanings, task, &[], MOST);
        domain::numbers(None);
        out.refused
    });
    match wrong {
        Some(why) => format!("; ON NUMBERS TOO: {why}"),
        None => "; right on 3 draws of numbers".to_string(),
    }
}

/// Without the messages of runs that panic, which are refusals.
pub fn quietly<T>(f: impl FnOnce() -> T) -> T {
    std::panic::set_hook(Box::new(|_| {}));
    let out = f();
    drop(std::panic::take_hook());
    out
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

/// A function's name in the lists, which says no more of the modules than it must: family, set, name.
pub fn key(function: &str) -> String {
    let path = kinds::path(function).unwrap_or_default();
    let end = &path[path.len().saturating_sub(2).max(1)..];
    [&path[..1.min(path.len())], end].concat().join(" ")
}

/// The name of the function that an instruction calls or jumps to, directly or by a constant of the program.
fn called(p: &Program, code: &Code) -> Option<String> {
    let at = match code.operands.first()? {
        Operand::Code(at) => *at,
        Operand::Memory { place: Place { offset, base: None, index: None }, .. } => {
            u64::from_le_bytes(p.constants(*offset, 8)?.try_into().ok()?)
        }
        _ => return None,
    };
    let first = p.place(at);
    let own = p.functions.iter().find(|f| Some(f.first) == first).map(|f| f.path.clone());
    own.or_else(|| p.external.get(&at).cloned()).or_else(|| Some(code.text.clone()))
}

/// Of a function, the instructions that no proof can run: from which it only panics, unwinds or asks the processor for its
/// sets, or which only come after these.
fn ends(p: &Program, f: &Function) -> Vec<bool> {
    const ENDS: [&str; 8] = [
        "panic",
        "_fail",
        "unwrap_failed",
        "expect_failed",
        "_Unwind_Resume",
        "tuning::ask",
        "detect_and_initialize",
        "handle_error",
    ];
    let body = f.first..f.first + f.len;
    let mut open = false;
    // The instructions after each; none after the end of the function.
    let after: Vec<Option<Vec<usize>>> = body
        .clone()
        .map(|i| {
            let code = &p.code[i];
            let ends = |code| called(p, code).is_some_and(|to| ENDS.iter().any(|w| to.contains(w)));
            match code.name.as_str() {
                "ret" => None,
                "ud2" => Some(vec![]),
                "call" if ends(code) => Some(vec![]),
                "jmp" if ends(code) => Some(vec![]),
                name if name.starts_with('j') => {
                    let to = match code.operands.first() {
                        Some(Operand::Code(at)) => p.place(*at).filter(|i| body.contains(i)),
                        _ => {
                            open = true;
                            None
                        }
                    };
                    match (name, to) {
                        ("jmp", None) => None,
                        ("jmp", Some(to)) => Some(vec![to - f.first]),
                        (_, to) => Some(
                            to.map(|to| to - f.first)
                                .into_iter()
                                .chain([i + 1 - f.first])
                                .collect(),
                        ),
                    }
                }
                _ => Some(vec![i + 1 - f.first]),
            }
        })
        .collect();
    let (mut returns, mut reached) = (vec![false; f.len], vec![open; f.len]);
    reached[0] = true;
    loop {
        let before = (returns.clone(), reached.clone());
        for i in (0..f.len).rev() {
            returns[i] |=
                after[i].as_ref().is_none_or(|to| to.iter().any(|k| *k < f.len && returns[*k]));
        }
        for i in 0..f.len {
            let to = after[i].iter().flatten().filter(|k| **k < f.len);
            if reached[i] {
                to.for_each(|k| reached[*k] = true);
            }
        }
        if before == (returns.clone(), reached.clone()) {
            return (0..f.len).map(|i| !(returns[i] && reached[i])).collect();
        }
    }
}

/// The instructions that were not run, of functions of which some were: a line a function, the largest first, and where each
/// row of them begins.
fn not_run(p: &Program, run: &[bool]) -> Vec<String> {
    let mut functions = Vec::new();
    for f in p.functions.iter().filter(|f| kinds::path(&f.path).is_some()) {
        let (body, ends) = (f.first..f.first + f.len, ends(p, f));
        let open = |i: &usize| !(run[*i] || ends[*i - f.first] || padding(&p.code[*i]));
        let all = body.clone().filter(open).count();
        if all == 0 || !run[body.clone()].contains(&true) {
            continue;
        }
        let mut lines = vec![format!("{}: {all} instructions not run", name(&f.path))];
        let mut i = body.start;
        while let Some(first) = (i..body.end).find(open) {
            i = (first..body.end).find(|k| !open(k)).unwrap_or(body.end);
            lines.push(format!(
                "  {} from {:x} {}",
                i - first,
                p.code[first].at,
                p.code[first].text
            ));
        }
        functions.push((all, lines));
    }
    functions.sort_by_key(|(all, _)| std::cmp::Reverse(*all));
    functions.into_iter().flat_map(|(_, lines)| lines).collect()
}

/// Runs the calls on numbers, which is fast, and says which instructions none of them reaches.
pub fn paths(p: &Program, words: &[String]) -> Vec<String> {
    let tasks = chosen(p, words);
    let one = |meanings: &std::rc::Rc<Meanings>, i: usize| {
        // Planes are variables of their own, and no numbers.
        let planes = tasks[i].class.starts_with("planes");
        domain::numbers(if planes { None } else { Some(1) });
        let out = outcome(p, meanings, &tasks[i], &[], MOST);
        domain::numbers(None);
        out.seen
    };
    let mut run = vec![false; p.code.len()];
    let seen = quietly(|| spread(p, tasks.len(), one));
    seen.iter().flatten().for_each(|i| run[*i as usize] = true);
    not_run(p, &run)
}

/// The calls that have all these words in their functions' names and classes.
fn chosen(p: &Program, words: &[String]) -> Vec<Task> {
    let mut tasks = kinds::tasks(p);
    tasks.retain(|t| words.iter().all(|w| title(p, t).contains(w.as_str())));
    tasks
}
fn title(p: &Program, t: &Task) -> String {
    format!("{} {}", p.functions[t.function].path, t.class)
}

/// Returns whether an instruction only fills space between functions.
fn padding(code: &Code) -> bool {
    matches!(code.name.as_str(), "nop" | "int3" | "ud2" | "xchg")
}

/// The result of a whole run.
pub struct Report {
    pub lines: Vec<String>,
    /// Names of functions that are called and proved in all classes.
    pub proved: Vec<String>,
    /// Names of all functions that were called.
    pub tried: Vec<String>,
    pub last: String,
    /// The instructions that were run in proofs.
    pub run: Vec<bool>,
}

/// Proves everything, or those with all these words in their names and classes.
pub fn report(p: &Program, words: &[String], verbose: bool) -> Report {
    let tasks = chosen(p, words);
    let one = |meanings: &std::rc::Rc<Meanings>, i: usize| {
        let mut out = outcome(p, meanings, &tasks[i], &[], MOST);
        if let Some(why) = &mut out.refused {
            why.push_str(&on_numbers(p, meanings, &tasks[i]));
        }
        if verbose {
            let word = if out.refused.is_none() { "proved" } else { "refused" };
            let why = out.refused.clone().unwrap_or_default();
            let left = out.left.map_or("left not counted".into(), |left| format!("{left} left"));
            let (n, time) = (out.count, out.time);
            eprintln!("{word} {}: {n} run, {left}, {time:.2?} {why}", title(p, &tasks[i]));
        }
        out
    };
    let outcomes = quietly(|| spread(p, tasks.len(), one));

    let mut run = vec![false; p.code.len()];
    let mut calls: BTreeMap<usize, Vec<(&Task, &Outcome)>> = BTreeMap::new();
    for (task, out) in tasks.iter().zip(&outcomes) {
        calls.entry(task.function).or_default().push((task, out));
        if out.refused.is_none() {
            out.seen.iter().for_each(|i| run[*i as usize] = true);
        }
    }
    let mut report =
        Report { lines: vec![], proved: vec![], tried: vec![], last: String::new(), run: vec![] };
    let (mut functions, mut within, mut instructions, mut were_run) = (0, 0, 0, 0);
    let (mut clean, mut most_left, mut vectors) = (0, 0, 0);
    let (mut of_proved, mut run_of_proved, mut in_panics, mut complete) = (0, 0, 0, 0);
    // Classes and times of proved functions.
    let mut cells: BTreeMap<String, Vec<(usize, Duration)>> = BTreeMap::new();
    for (i, f) in p.functions.iter().enumerate() {
        if kinds::path(&f.path).is_none() {
            continue;
        }
        functions += 1;
        // Padding between functions is none of their instructions.
        let body = (f.first..f.first + f.len).filter(|i| !padding(&p.code[*i]));
        let (all, ran) = body.fold((0, 0), |(all, ran), i| (all + 1, ran + usize::from(run[i])));
        instructions += all;
        let (name, ends) = (name(&f.path), ends(p, f));
        let rest = |i: usize| !padding(&p.code[i]) && !run[i];
        let panics = (0..f.len).filter(|i| ends[*i] && rest(f.first + i)).count();
        let rest = all - ran - panics;
        let not_run = match (panics, rest) {
            (0, 0) => String::new(),
            (n, 0) => format!(" (the other {n} at a panic or a question to the processor)"),
            (0, n) => format!(" ({n} in no class)"),
            (n, k) => format!(" ({n} at a panic or a question to the processor, {k} in no class)"),
        };
        let mut is_proved = |classes: usize, time: Duration| {
            of_proved += all;
            run_of_proved += ran;
            in_panics += panics;
            complete += usize::from(100 * rest <= all);
            cells.entry(key(&f.path)).or_default().push((classes, time));
        };
        let Some(calls) = calls.get(&i) else {
            were_run += ran;
            if ran > 0 {
                within += 1;
                is_proved(0, Duration::ZERO);
                report.lines.push(format!(
                    "{name}: run within proved calls, {ran} of {all} instructions{not_run}"
                ));
            } else {
                let why = kinds::left_out(&kinds::path(&f.path).unwrap_or_default());
                report.lines.push(format!("{name}: not proved: {why}"));
            }
            continue;
        };
        report.tried.push(key(&f.path));
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
        let left = calls.iter().filter_map(|(_, o)| o.left).max().unwrap_or(0);
        let wiped = match left {
            0 => "nothing left in memory".to_string(),
            n => format!("at most {n} bytes left on the stack"),
        };
        let planes = match calls.iter().filter(|(_, o)| o.left.is_none()).count() {
            0 => String::new(),
            n => format!(", not counted in {n} classes"),
        };
        were_run += ran;
        let counted = calls.iter().all(|(_, o)| o.left.is_some());
        (clean, most_left) = (clean + usize::from(left == 0 && counted), most_left.max(left));
        vectors += usize::from(calls.iter().any(|(_, o)| o.vectors));
        report.proved.push(key(&f.path));
        is_proved(good, time);
        report.lines.push(format!(
            "{name}: proved in {good} classes, {ran} of {all} instructions{not_run}, {wiped}{planes}, {time:.1?}"
        ));
    }
    report.lines.extend(table(&cells));
    let proved = report.proved.len();
    report.lines.push(format!(
        "{clean} of {proved} functions that are called leave no byte in memory outside their results that depends on a key or \
         a text, the others at most {most_left} or were not counted in each class; {vectors} leave one in a vector register"
    ));
    report.lines.push(format!(
        "{proved} functions are called and {within} run within these calls; {complete} have 99 % of their instructions run, \
         or before a panic; of all that are listed, {were_run} of {instructions} instructions"
    ));
    let percent = 100.0 * (run_of_proved + in_panics) as f64 / (of_proved as f64).max(1.0);
    report.last = format!(
        "{} of {functions} functions proved; {run_of_proved} of {of_proved} of their instructions run, and {in_panics} more \
         are at panics and questions to the processor: {percent:.1} %",
        proved + within,
    );
    if verbose {
        not_run(p, &run).iter().for_each(|line| eprintln!("{line}"));
    }
    report.run = run;
    report
}

/// A line a kind of function: for each set the classes that are proved, and the seconds.
fn table(cells: &BTreeMap<String, Vec<(usize, Duration)>>) -> Vec<String> {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, of) in cells {
        let words: Vec<&str> = key.split(' ').collect();
        let [family, set, name] = words[..] else { continue };
        let classes: usize = of.iter().map(|c| c.0).sum();
        let time: f64 = of.iter().map(|c| c.1.as_secs_f64()).sum();
        if classes > 0 {
            let cell = format!("{set} {classes} in {time:.1} s");
            rows.entry(format!("{family} {name}")).or_default().push(cell);
        }
    }
    let mut lines = vec!["Proved classes, by kind and set:".to_string()];
    lines.extend(rows.iter().map(|(kind, sets)| format!("{kind}: {}", sets.join(", "))));
    lines
}
