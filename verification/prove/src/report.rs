//! Runs the calls on all cores, and prints a line for each function: what is proved of it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::call::{self, Call};
use crate::domain;
use crate::kinds::{self, Task};
use crate::machine::{Fault, MOST, Meanings, refuse};
use crate::parse;
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
    /// Bytes that depend on keys or texts at the return: in memory outside the results; of these the bytes that the
    /// callers do not overwrite; and in registers. Not counted if functions were replaced, as these would leave some too.
    pub left: Option<[usize; 3]>,
    /// A number for the state at the return.
    pub state: u64,
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
    domain::trim();
    let start = cpu_time();
    let mut call = Call::new(p, meanings.clone(), faults);
    call.m.most = most;
    call.asks = task.asks;
    call.m.keep_constants = domain::are_numbers() && faults.is_empty();
    // A planted fault may make more forms than the domain holds.
    let run = AssertUnwindSafe(|| (task.call)(&mut call, p.functions[task.function].first));
    let result = catch_unwind(run).unwrap_or_else(|why| {
        let text = why.downcast_ref::<&str>().map(|s| s.to_string());
        let text = text.or_else(|| why.downcast_ref::<String>().cloned());
        refuse(format!("the run stopped: {}", text.unwrap_or_default()))
    });
    let counts = call.m.replacements == 0;
    let callers =
        kinds::overwritten(&kinds::path(&p.functions[task.function].path).unwrap_or_default());
    let left = || {
        let ([memory, registers], [kept, _]) = (call.m.left(0), call.m.left(callers));
        [memory, kept, registers]
    };
    let seen = call.m.seen.iter().enumerate().filter(|(_, seen)| **seen);
    Outcome {
        refused: result.err().map(|e| e.0),
        time: cpu_time().saturating_sub(start),
        count: call.m.count,
        seen: seen.map(|(i, _)| i as u32).collect(),
        left: counts.then(left),
        state: if domain::are_numbers() { call.m.state() } else { 0 },
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

/// The address that an instruction calls or jumps to, directly or by a constant of the program.
fn target(p: &Program, code: &Code) -> Option<u64> {
    match code.operands.first()? {
        Operand::Code(at) => Some(*at),
        Operand::Memory { place: Place { offset, base: None, index: None }, .. } => {
            Some(u64::from_le_bytes(p.constants(*offset, 8)?.try_into().ok()?))
        }
        _ => None,
    }
}

/// The name of the function that an instruction calls or jumps to.
fn called(p: &Program, code: &Code) -> Option<String> {
    let at = target(p, code)?;
    let first = p.place(at);
    let own = p.functions.iter().find(|f| Some(f.first) == first).map(|f| f.path.clone());
    own.or_else(|| p.external.get(&at).cloned()).or_else(|| Some(code.text.clone()))
}

/// Words in the names of functions that ask the processor.
const QUESTIONS: [&str; 2] = ["tuning::ask", "detect_and_initialize"];

/// The functions of the program that its kernels call to panic: how many there are, and how many have an instruction that
/// returns.
fn panics(p: &Program) -> [usize; 2] {
    let kernels = p.functions.iter().filter(|f| kinds::path(&f.path).is_some());
    let codes = kernels.flat_map(|f| &p.code[f.first..f.first + f.len]);
    let ends = |c: &&Code| called(p, c).is_some_and(|name| parse::is_end(&name));
    let calls = codes.filter(|c| c.name == "call").filter(ends);
    let places: BTreeSet<usize> = calls.filter_map(|c| p.place(target(p, c)?)).collect();
    let functions = p.functions.iter().filter(|f| places.contains(&f.first));
    let returns = |f: &&Function| p.code[f.first..f.first + f.len].iter().any(|c| c.name == "ret");
    [functions.clone().count(), functions.filter(returns).count()]
}

/// The instructions of a function that no proof can run: from which it only panics or unwinds, or which only come after that;
/// with questions, also where it asks the processor for its sets.
pub fn ends(p: &Program, f: &Function, questions: bool) -> Vec<bool> {
    let asks = |name: &str| questions && QUESTIONS.iter().any(|word| name.contains(word));
    let body = f.first..f.first + f.len;
    let mut open = false;
    // The instructions after each; nothing after the end of the function.
    let after: Vec<Option<Vec<usize>>> = body
        .clone()
        .map(|i| {
            let code = &p.code[i];
            let ends = |code| called(p, code).is_some_and(|to| parse::is_end(&to) || asks(&to));
            match code.flow() {
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
    rows_not_run(p, run, &|_| String::new())
}
/// As [`not_run`], with a word about each instruction: a row has one word.
fn rows_not_run(p: &Program, run: &[bool], word: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut functions = Vec::new();
    for f in p.functions.iter().filter(|f| kinds::path(&f.path).is_some()) {
        let (body, ends) = (f.first..f.first + f.len, ends(p, f, true));
        let open = |i: &usize| !(run[*i] || ends[*i - f.first] || padding(&p.code[*i]));
        let all = body.clone().filter(open).count();
        if all == 0 || !run[body.clone()].contains(&true) {
            continue;
        }
        let mut lines = vec![format!("{}: {all} instructions not run", name(&f.path))];
        let mut i = body.start;
        while let Some(first) = (i..body.end).find(open) {
            let said = word(first);
            let same = |k: &usize| open(k) && word(*k) == said;
            i = (first..body.end).find(|k| !same(k)).unwrap_or(body.end);
            let (n, code) = (i - first, &p.code[first]);
            let guards = guards(p, f, run, first..i);
            lines.push(format!("  {n} from {:x} {}{guards} {said}", code.at, code.text));
        }
        functions.push((all, lines));
    }
    functions.sort_by_key(|(all, _)| std::cmp::Reverse(*all));
    functions.into_iter().flat_map(|(_, lines)| lines).collect()
}

/// The jumps that keep calls from a row of instructions, each with the comparison before it.
fn guards(p: &Program, f: &Function, run: &[bool], row: std::ops::Range<usize>) -> String {
    let jumps = |i: &usize| {
        let flow = p.code[*i].flow();
        run[*i] && flow.starts_with('j') && flow != "jmp"
    };
    let into = |i: &usize| {
        let to = target(p, &p.code[*i]).and_then(|at| p.place(at));
        to.is_some_and(|to| row.contains(&to))
    };
    let compares = |i: &usize| {
        ["cmp", "test", "sub", "add", "dec", "inc", "bt", "and", "shr", "neg", "tst", "subs"]
            .contains(&p.code[*i].name.as_str())
    };
    let said = |i: usize, word: &str| {
        let before =
            (f.first..i).rev().take(8).find(compares).map_or("", |k| p.code[k].text.as_str());
        let code = &p.code[i];
        format!("; {before}; {} at {:x} {word} jumps", code.name, code.at)
    };
    let never = (f.first..f.first + f.len).filter(jumps).filter(into).map(|i| said(i, "never"));
    let always = row.start.checked_sub(1).filter(jumps).map(|i| said(i, "always"));
    never.chain(always).collect()
}

/// All calls as they ran, on numbers or on variables.
pub struct Runs {
    pub tasks: Vec<Task>,
    pub outcomes: Vec<Outcome>,
    /// The instructions that were run, and of those that were not the ones at panics and questions.
    pub run: Vec<bool>,
    pub cold: Vec<bool>,
}

/// Runs the calls on numbers, which is fast.
pub fn runs(p: &Program, words: &[String]) -> Runs {
    let tasks = chosen(p, words);
    let one = |meanings: &std::rc::Rc<Meanings>, i: usize| {
        // Planes are variables of their own, and no numbers.
        let planes = tasks[i].class.starts_with("planes");
        domain::numbers(if planes { None } else { Some(1) });
        let out = outcome(p, meanings, &tasks[i], &[], MOST);
        domain::numbers(None);
        out
    };
    let outcomes = quietly(|| spread(p, tasks.len(), one));
    let mut run = vec![false; p.code.len()];
    outcomes.iter().flat_map(|o| &o.seen).for_each(|i| run[*i as usize] = true);
    let mut cold = vec![false; p.code.len()];
    for f in p.functions.iter().filter(|f| kinds::path(&f.path).is_some()) {
        let ends = ends(p, f, true);
        (0..f.len).for_each(|i| cold[f.first + i] = ends[i] && !run[f.first + i]);
    }
    Runs { tasks, outcomes, run, cold }
}

/// The instructions that no call reaches.
pub fn paths(p: &Program, words: &[String]) -> Vec<String> {
    not_run(p, &runs(p, words).run)
}

/// The instructions that no class reaches: for each row the shortest of the calls of any other length that does, on numbers.
pub fn every(p: &Program, words: &[String]) -> Vec<String> {
    let run = runs(p, &[]).run;
    let tasks = with_words(p, kinds::every(p), words);
    let one = |meanings: &std::rc::Rc<Meanings>, i: usize| {
        domain::numbers(Some(1));
        let mut out = outcome(p, meanings, &tasks[i], &[], MOST);
        domain::numbers(None);
        out.seen.retain(|i| !run[*i as usize]);
        out
    };
    let outcomes = quietly(|| spread(p, tasks.len(), one));
    let mut lines = Vec::new();
    let mut reach: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (k, out) in outcomes.iter().enumerate() {
        if let Some(why) = &out.refused {
            lines.push(format!("{}: {why}", title(p, &tasks[k])));
        }
        for i in &out.seen {
            let new = (out.count, k);
            let known = reach.entry(*i as usize).or_insert(new);
            *known = new.min(*known);
        }
    }
    let reaches = |i: usize| reach.get(&i).map_or("no call", |(_, k)| tasks[*k].class.as_str());
    lines.extend(rows_not_run(p, &run, &|i| reaches(i).to_string()));
    lines.push(format!("{} calls", tasks.len()));
    lines
}

/// The calls that have all these words in their functions' names and classes.
fn chosen(p: &Program, words: &[String]) -> Vec<Task> {
    with_words(p, kinds::tasks(p), words)
}
fn with_words(p: &Program, mut tasks: Vec<Task>, words: &[String]) -> Vec<Task> {
    tasks.retain(|t| words.iter().all(|w| title(p, t).contains(w.as_str())));
    tasks
}
pub fn title(p: &Program, t: &Task) -> String {
    let asks = if t.asks { ", asks" } else { "" };
    format!("{} {}{asks}", p.functions[t.function].path, t.class)
}
/// A call's function in the lists, and its class; of Go's calls the class names the work.
pub fn key_of(p: &Program, t: &Task) -> (String, String) {
    let go = t.class.split_once(": ").filter(|_| kinds::entry(p) == Some(t.function));
    match go {
        Some((key, class)) => (key.to_string(), class.to_string()),
        None => (key(&p.functions[t.function].path), t.class.clone()),
    }
}

/// Returns whether an instruction only fills space between functions.
pub fn padding(code: &Code) -> bool {
    matches!(code.name.as_str(), "nop" | "int3" | "ud2" | "xchg" | "udf")
}

/// Returns whether an instruction writes to memory that is not of its function's frame: by the stack pointer, or by a
/// register that the last instruction before it in the text that changes it makes the address of a place there.
fn writes_elsewhere(p: &Program, f: &Function, i: usize) -> bool {
    let (code, stack) = (&p.code[i], Some((p.abi.sp, 8)));
    let reads = ["cmp", "test", "bt", "call", "jmp", "push", "nop", "vptest"];
    let Some(Operand::Memory { place, .. }) = code.operands.first() else {
        return code.name.starts_with("rep") || code.odd.is_some();
    };
    let changes = |c: &&Code| matches!(c.operands.first(), Some(Operand::General { r, .. }) if Some((*r, 8)) == place.base);
    let of_frame = |c: &Code| {
        let place = c.operands.get(1);
        c.name == "lea"
            && matches!(place, Some(Operand::Memory { place, .. }) if place.base == stack)
    };
    let last = p.code[f.first..i].iter().rev().find(changes);
    place.base != stack && !reads.contains(&code.name.as_str()) && !last.is_some_and(of_frame)
}

/// The line of the list `proved.txt` on functions of one name: how many are right in all classes, and how many of these
/// in part, with more than 1 % of the instructions in no class; the most such instructions; the most bytes that depend on a
/// secret at the return, in memory and in registers.
#[derive(Default)]
pub struct Line {
    pub functions: usize,
    pub part: usize,
    pub outside: usize,
    pub memory: usize,
    pub registers: usize,
}

/// The result of a whole run.
#[derive(Default)]
pub struct Report {
    pub lines: Vec<String>,
    /// The functions that are proved, or in part, by their names in the list.
    pub proved: BTreeMap<String, Line>,
    /// Names of all functions that were called, or run within calls.
    pub tried: Vec<String>,
    pub last: String,
    /// The instructions that were run in proofs.
    pub run: Vec<bool>,
}

/// How many instructions a function has, and what became of them.
#[derive(Clone, Copy, Default)]
struct Counts {
    all: usize,
    ran: usize,
    at_panics: usize,
    at_questions: usize,
    outside: usize,
}
impl Counts {
    fn add(&mut self, o: Counts) {
        self.all += o.all;
        self.ran += o.ran;
        self.at_panics += o.at_panics;
        self.at_questions += o.at_questions;
        self.outside += o.outside;
    }
}
impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} of {} instructions", self.ran, self.all)?;
        for (n, word) in [
            (self.at_panics, "at a panic"),
            (self.at_questions, "at a question to the processor"),
            (self.outside, "in no class"),
        ] {
            if n > 0 {
                write!(f, ", {n} {word}")?;
            }
        }
        Ok(())
    }
}

/// Secrets that the calls of a function leave: bytes in memory, those of them that callers do not overwrite, and in registers; and of
/// how many calls that is not known.
struct Left([usize; 3], usize);
impl Left {
    fn of(called: &[(&Task, &Outcome)]) -> Self {
        let most = |k: usize| called.iter().filter_map(|(_, o)| Some(o.left?[k])).max();
        let not = called.iter().filter(|(_, o)| o.left.is_none()).count();
        Left([0, 1, 2].map(|k| most(k).unwrap_or(0)), not)
    }
}
impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Left([memory, kept, registers], not) = self;
        write!(f, "leaves {kept} bytes in memory")?;
        if memory > kept {
            write!(f, " and {} that its caller overwrites", memory - kept)?;
        }
        write!(f, ", {registers} in registers")?;
        if *not > 0 {
            write!(f, " (not counted in {not} classes)")?;
        }
        Ok(())
    }
}

/// The report so far.
struct Found<'a> {
    p: &'a Program,
    calls: BTreeMap<usize, Vec<(&'a Task, &'a Outcome)>>,
    report: Report,
    /// Functions: all; run within calls only; with 99 % of all instructions run; proved in part.
    functions: usize,
    within: usize,
    strict: usize,
    short: usize,
    /// Instructions of the proved functions.
    counts: Counts,
    /// Instructions at panics and questions that write to memory of a different function.
    elsewhere: Vec<usize>,
    /// Functions that are called; that leave nothing in memory; nothing that callers do not overwrite; nothing in registers.
    wiped: [usize; 4],
    /// Classes and times of proved functions.
    cells: BTreeMap<String, Vec<(usize, Duration)>>,
}

impl<'a> Found<'a> {
    fn new(p: &'a Program, tasks: &'a [Task], outcomes: &'a [Outcome]) -> Self {
        let mut run = vec![false; p.code.len()];
        let mut calls: BTreeMap<usize, Vec<(&Task, &Outcome)>> = BTreeMap::new();
        for (task, out) in tasks.iter().zip(outcomes) {
            calls.entry(task.function).or_default().push((task, out));
            if out.refused.is_none() {
                out.seen.iter().for_each(|i| run[*i as usize] = true);
            }
        }
        Found {
            p,
            calls,
            report: Report { run, ..Report::default() },
            functions: 0,
            within: 0,
            strict: 0,
            short: 0,
            counts: Counts::default(),
            elsewhere: Vec::new(),
            wiped: [0; 4],
            cells: BTreeMap::new(),
        }
    }

    /// The instructions of a function; `elsewhere` gets those of the cold ones that write elsewhere.
    fn counts(&self, f: &Function, elsewhere: &mut Vec<usize>) -> Counts {
        let (panics, questions) = (ends(self.p, f, false), ends(self.p, f, true));
        let mut counts = Counts::default();
        // Padding between functions does not count as instructions.
        for i in (0..f.len).filter(|i| !padding(&self.p.code[f.first + i])) {
            counts.all += 1;
            let n = match (self.report.run[f.first + i], panics[i], questions[i]) {
                (true, ..) => &mut counts.ran,
                (_, true, _) => &mut counts.at_panics,
                (_, _, true) => &mut counts.at_questions,
                _ => &mut counts.outside,
            };
            *n += 1;
            let cold = !self.report.run[f.first + i] && questions[i];
            if cold && writes_elsewhere(self.p, f, f.first + i) {
                elsewhere.push(f.first + i);
            }
        }
        counts
    }

    /// Adds the function with this number.
    fn function(&mut self, number: usize) {
        let f = &self.p.functions[number];
        let mut elsewhere = Vec::new();
        let counts = self.counts(f, &mut elsewhere);
        let (name, key) = (name(&f.path), key(&f.path));
        let called = self.calls.remove(&number).unwrap_or_default();
        if called.is_empty() && counts.ran == 0 {
            self.report.lines.push(format!("{name}: not proved: no call here reaches it"));
            return;
        }
        self.report.tried.push(key.clone());
        let time: Duration = called.iter().map(|(_, o)| o.time).sum();
        let good = called.iter().filter(|(_, o)| o.refused.is_none()).count();
        if let Some((task, out)) = called.iter().find(|(_, o)| o.refused.is_some()) {
            let why = out.refused.as_deref().unwrap_or_default();
            let (class, n) = (&task.class, called.len());
            let line = format!("{name}: not proved: {good} of {n} classes; {class}: {why}");
            self.report.lines.push(line);
            return;
        }
        let left = Left::of(&called);
        let how = match called.len() {
            0 => "within proved calls".to_string(),
            n => format!("{n} classes, {time:.1?}; {left}"),
        };
        let part = 100 * counts.outside > counts.all;
        let word = if part { "proved in part" } else { "proved" };
        self.report.lines.push(format!("{name}: {word}: {counts}; {how}"));
        self.elsewhere.extend(elsewhere);
        if part {
            self.short += 1;
        } else {
            self.within += usize::from(called.is_empty());
            self.strict += usize::from(100 * counts.ran >= 99 * counts.all);
            self.counts.add(counts);
        }
        let Left([memory, kept, registers], uncounted) = left;
        let line = self.report.proved.entry(key.clone()).or_default();
        line.functions += 1;
        line.part += usize::from(part);
        line.outside = line.outside.max(counts.outside);
        (line.memory, line.registers) = (line.memory.max(kept), line.registers.max(registers));
        if !called.is_empty() {
            self.wiped[0] += 1;
            let none = [memory, kept, registers].map(|n| usize::from(n == 0 && uncounted == 0));
            self.wiped[1..].iter_mut().zip(none).for_each(|(sum, n)| *sum += n);
        }
        self.cells.entry(key).or_default().push((good, time));
    }

    /// The report, with the lines on all functions together.
    fn end(self) -> Report {
        let (p, mut report) = (self.p, self.report);
        report.lines.extend(table(&self.cells));
        report.lines.extend(not_run(p, &report.run));
        for f in p.functions.iter().filter(|f| f.path.ends_with("memory::overwrite_stack")) {
            let n = call::overwritten(p, f.first).map_or_else(|e| e.0, |n| n.to_string());
            report.lines.push(format!("memory::overwrite_stack, which the callers use: bytes of the stack that become zeros: {n}"));
        }
        let [called, memory, kept, registers] = self.wiped;
        report.lines.push(format!(
            "{called} functions are called: {memory} leave no byte in memory outside their results that depends on a key or a \
             text, {kept} none that their callers do not overwrite, {registers} none in registers"
        ));
        let [functions_that_panic, that_return] = panics(p);
        report.lines.push(format!(
            "{functions_that_panic} functions that panic are called, of these {that_return} have an instruction that returns; \
             at panics and questions {} instructions write to memory that is not of their function's frame",
            self.elsewhere.len()
        ));
        let text = |i: &usize| format!("  {:x} {}", p.code[*i].at, p.code[*i].text);
        report.lines.extend(self.elsewhere.iter().map(text));
        let Counts { all: instructions, ran, at_panics, at_questions, outside } = self.counts;
        let all = report.proved.values().map(|l| l.functions - l.part).sum::<usize>();
        let Found { functions, within, strict, short, .. } = self;
        report.last = format!(
            "{all} of {functions} functions proved; {ran} of {instructions} of their instructions run, {at_panics} at panics, \
             {at_questions} at questions to the processor, {outside} in no class; {within} run within calls; 99 % of all run \
             in {strict}; {short} more functions proved in part"
        );
        report
    }
}

/// Proves everything, or those with all these words in their names and classes; of these the functions that
/// have their turn on this day, one of so many.
pub fn report(p: &Program, words: &[String], (daily, day): (u64, u64), verbose: bool) -> Report {
    let mut tasks = chosen(p, words);
    let keys: BTreeSet<String> = tasks.iter().map(|t| key_of(p, t).0).collect();
    let turns: BTreeMap<String, u64> = keys.into_iter().zip(day..).collect();
    let today = |key: &str| daily == 1 || turns.get(key).is_some_and(|n| n.is_multiple_of(daily));
    tasks.retain(|t| today(&key_of(p, t).0));
    let one = |meanings: &std::rc::Rc<Meanings>, i: usize| {
        let mut out = outcome(p, meanings, &tasks[i], &[], MOST);
        if let Some(why) = &mut out.refused {
            why.push_str(&on_numbers(p, meanings, &tasks[i]));
        }
        if verbose {
            let word = if out.refused.is_none() { "proved" } else { "refused" };
            let why = out.refused.clone().unwrap_or_default();
            let left = out.left.map_or("not counted".into(), |left| format!("{left:?}"));
            let (n, time) = (out.count, out.time);
            eprintln!("{word} {}: {n} run, left {left}, {time:.2?} {why}", title(p, &tasks[i]));
        }
        out
    };
    let outcomes = quietly(|| spread(p, tasks.len(), one));
    let mut found = Found::new(p, &tasks, &outcomes);
    for (i, f) in p.functions.iter().enumerate() {
        if kinds::path(&f.path).is_none() {
            continue;
        }
        found.functions += 1;
        if kinds::entry(p).is_some() || today(&key(&f.path)) {
            found.function(i);
        }
    }
    let mut report = found.end();
    if kinds::entry(p).is_some() {
        go(p, &tasks, &outcomes, &mut report);
    }
    report
}

/// A line a work of a program of Go.
fn go(p: &Program, tasks: &[Task], outcomes: &[Outcome], report: &mut Report) {
    let mut works: BTreeMap<String, Vec<(String, &Outcome)>> = BTreeMap::new();
    for (task, out) in tasks.iter().zip(outcomes) {
        if kinds::entry(p) != Some(task.function) {
            continue;
        }
        let (key, class) = key_of(p, task);
        works.entry(key).or_default().push((class, out));
    }
    let (mut proved, all) = (0, works.len());
    for (key, of) in works {
        let time: Duration = of.iter().map(|(_, o)| o.time).sum();
        let left = of.iter().filter_map(|(_, o)| Some(o.left?[1])).max().unwrap_or(0);
        let good = of.iter().filter(|(_, o)| o.refused.is_none()).count();
        report.tried.push(key.clone());
        report.lines.push(match of.iter().find(|(_, o)| o.refused.is_some()) {
            None => {
                format!("{key}: proved in {good} classes, at most {left} bytes left, {time:.1?}")
            }
            Some((class, out)) => {
                let why = out.refused.as_deref().unwrap_or_default();
                format!("{key}: not proved: {good} of {} classes; {class}: {why}", of.len())
            }
        });
        if good == of.len() {
            proved += 1;
            report.proved.entry(key).or_default().functions += 1;
        }
    }
    report.last = format!("{proved} of {all} works of Go's kernels proved; {}", report.last);
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
