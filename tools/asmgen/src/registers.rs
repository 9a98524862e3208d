//! Gives registers to the operations of a text, and writes its lines.
//!
//! Where there is no register, the value that is needed last goes to memory, or is forgotten if it is there already. A
//! value in memory that is not needed again soon is an operand in memory.

use crate::text::Does::{self, *};
use crate::text::{LEN, MIDDLE, Place, REGISTERS, SLOTS, Text};

/// How many operations later a value has to be needed to be read from memory meanwhile.
const SOON: usize = 12;

/// Before the number of a value that was put away, in place of its slot.
const AWAY: &str = "away ";

/// Where values are, and the lines so far.
struct Writer<'a> {
    text: &'a Text,
    /// Where each value is used, the next place last.
    uses: Vec<Vec<usize>>,
    register: Vec<Option<usize>>,
    /// The place of a value in memory, if it has such a place.
    memory: Vec<Option<String>>,
    free: Vec<usize>,
    /// How many values were put away.
    away: usize,
    lines: Vec<String>,
}

fn name(r: usize) -> String {
    format!("ymm{r}")
}

fn memory((base, at): Place) -> String {
    format!("ymmword ptr [{base} {at:+}]")
}

impl Writer<'_> {
    /// A free register; if no register is free, the register of the value needed last, which goes to memory unless it
    /// is there.
    fn take(&mut self, keep: &[usize]) -> usize {
        if let Some(r) = self.free.pop() {
            return r;
        }
        // A constant is as if needed later: it need not be put away.
        let early = |v: usize| if matches!(self.text.ops[v].0, Constant(_)) { 8 } else { 0 };
        let last = (0..self.register.len())
            .filter(|v| self.register[*v].is_some() && !keep.contains(v))
            .max_by_key(|v| (self.uses[*v].last().map(|at| at + early(*v)), early(*v)))
            .expect("a value to put away");
        let r = self.register[last].take().expect("in a register");
        if self.memory[last].is_none() {
            let slot = format!("{AWAY}{}", self.away);
            self.away += 1;
            self.line("movdqa", &[slot.clone(), name(r)]);
            self.memory[last] = Some(slot);
        }
        r
    }
    /// The register of a value, loaded if need be.
    fn load(&mut self, v: usize, keep: &[usize]) -> usize {
        self.register[v].unwrap_or_else(|| {
            let r = self.take(keep);
            let from = self.memory[v].clone().expect("somewhere");
            self.line("movdqa", &[name(r), from]);
            self.register[v] = Some(r);
            r
        })
    }
    /// Registers of values used for the last time are free.
    fn used(&mut self, of: &[usize]) {
        for &v in of {
            self.uses[v].pop();
            if self.uses[v].is_empty() {
                self.free.extend(self.register[v].take());
            }
        }
    }
    fn line(&mut self, name: &str, operands: &[String]) {
        self.lines.push(format!("v{name} {}", operands.join(", ")));
    }
    fn put(&mut self, by: &str, to: usize, from: usize, rest: &[String]) {
        self.line(by, &[&[name(to), name(from)], rest].concat());
    }
    /// The number of a value, from `first` on, that is in memory and not needed soon.
    fn in_memory(&self, n: usize, of: &[usize], first: usize) -> Option<usize> {
        // The next use but the present use.
        let next = |i: usize| {
            let uses = &self.uses[of[i]];
            uses.len().checked_sub(2).map_or(usize::MAX, |i| uses[i])
        };
        (first..of.len())
            .filter(|&i| self.register[of[i]].is_none() && next(i) > n + SOON)
            .max_by_key(|&i| next(i))
    }

    fn write(&mut self, n: usize) {
        let (does, of) = &self.text.ops[n];
        let folded = match *does {
            Two(_, commute) => self.in_memory(n, of, usize::from(!commute)),
            _ => None,
        };
        let r: Vec<usize> = (0..of.len())
            .map(|i| if folded == Some(i) { usize::MAX } else { self.load(of[i], of) })
            .collect();
        let operand = |writer: &Self, i: usize| match folded {
            Some(f) if f == i => writer.memory[of[i]].clone().expect("in memory"),
            _ => name(r[i]),
        };
        let to = match *does {
            Given => return,
            Stands(at) | Constant(at) => {
                self.memory[n] = Some(memory(at));
                return;
            }
            Store(at) => {
                self.line("movdqa", &[memory(at), operand(self, 0)]);
                return self.used(of);
            }
            By(by, at) => {
                let to = self.take(of);
                self.line("movdqa", &[name(to), memory(at)]);
                self.put(by, to, to, &[operand(self, 0)]);
                self.used(of);
                to
            }
            Repeated(by, at) => {
                let to = self.take(of);
                let from = format!("xmmword ptr [{} {:+}]", at.0, at.1);
                self.line("broadcasti128", &[name(to), from]);
                self.put(by, to, to, &[operand(self, 0)]);
                self.used(of);
                to
            }
            With(with, at) => {
                let from = memory(at);
                self.used(of);
                let to = self.take(&[]);
                self.put(with, to, r[0], &[from]);
                to
            }
            Number(by, number) => {
                let mut rest = Vec::from([number.to_string()]);
                if by == "perm2i128" {
                    rest.insert(0, operand(self, 0));
                }
                self.used(of);
                let to = self.take(&[]);
                self.put(by, to, r[0], &rest);
                to
            }
            Two(by, commute) => {
                // Without memory, the last register is one of the first eight if it can: a byte less.
                let shorter = commute && folded.is_none() && r[0] < 8 && r[1] >= 8;
                let (first, other) = if folded == Some(0) || shorter { (1, 0) } else { (0, 1) };
                let other = operand(self, other);
                self.used(of);
                let to = self.take(&[]);
                self.put(by, to, r[first], &[other]);
                to
            }
        };
        self.register[n] = Some(to);
    }
}

/// The lines with slots for `away` values, and the number of slots. The shortest wait first: the first slots are near, and many short
/// waits share a slot.
fn slotted(lines: &[String], away: usize) -> (String, usize) {
    let value = |line: &String| {
        let (_, rest) = line.split_once(AWAY)?;
        rest.split(',').next()?.parse::<usize>().ok()
    };
    let mut waits = vec![(usize::MAX, 0); away];
    for (n, line) in lines.iter().enumerate() {
        if let Some(v) = value(line) {
            waits[v] = (waits[v].0.min(n), n);
        }
    }
    let mut order: Vec<usize> = (0..away).collect();
    order.sort_by_key(|&v| waits[v].1 - waits[v].0);
    let (mut slots, mut slot): (Vec<Vec<(usize, usize)>>, _) = (Vec::new(), vec![0; away]);
    for v in order {
        let apart = |&(from, to): &(usize, usize)| waits[v].1 < from || to < waits[v].0;
        slot[v] = slots.iter().position(|taken| taken.iter().all(apart)).unwrap_or(slots.len());
        slots.resize(slots.len().max(slot[v] + 1), Vec::new());
        slots[slot[v]].push(waits[v]);
    }
    let placed = |line: &String| match value(line) {
        Some(v) => {
            let base = usize::from(slot[v] * LEN >= 2 * MIDDLE as usize);
            let at = (slot[v] * LEN) as isize - MIDDLE - 2 * MIDDLE * base as isize;
            format!("{}\n", line.replace(&format!("{AWAY}{v}"), &memory((SLOTS[base], at))))
        }
        None => format!("{line}\n"),
    };
    (lines.iter().map(placed).collect(), slots.len())
}

/// The lines of a text and the slots it has; given values are in the first registers, and so are the results after it.
pub fn written(text: &Text, results: &[usize]) -> (String, usize) {
    let n = text.ops.len();
    let mut uses = vec![Vec::new(); n];
    results.iter().for_each(|&v| uses[v].push(n));
    for (i, (_, of)) in text.ops.iter().enumerate().rev() {
        of.iter().for_each(|&v| uses[v].push(i));
    }
    let given = results.len();
    let is_given = |op: &(Does, Vec<usize>)| matches!(op.0, Given);
    assert!(text.ops[..given].iter().all(is_given) && !text.ops[given..].iter().any(is_given));
    let mut writer = Writer {
        text,
        uses,
        register: (0..n).map(|v| (v < given).then_some(v)).collect(),
        memory: vec![None; n],
        free: (given..REGISTERS).rev().collect(),
        away: 0,
        lines: Vec::new(),
    };
    (0..n).for_each(|v| writer.write(v));
    for (i, &v) in results.iter().enumerate() {
        let from = writer.register[v].expect("in a register");
        if from != i {
            if let Some(other) = results.iter().find(|&&v| writer.register[v] == Some(i)) {
                let spare = writer.free.pop().expect("free");
                writer.line("movdqa", &[name(spare), name(i)]);
                writer.register[*other] = Some(spare);
            }
            writer.line("movdqa", &[name(i), name(from)]);
            writer.register[v] = Some(i);
            writer.free.retain(|&r| r != i);
            writer.free.push(from);
        }
    }
    slotted(&writer.lines, writer.away)
}
