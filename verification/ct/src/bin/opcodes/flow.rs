//! The possible contents of general registers, flags and stack slots before each instruction of a function:
//! grown along every path through it until nothing changes.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::parse::{Instruction, address, bytes, number, register, vector, words};

/// The content of a register, the worst last: the address of a constant, something public, 8 bytes from
/// memory, a part of such 8 that mostly is of a length, something that may be secret. The low bits are the number of an instruction,
/// 1 for the first of the function: the instruction that loaded the possible secret, or that named a table of jumps.
pub type Level = u32;
const CONSTANT: Level = 0;
const PUBLIC: Level = 1 << 24;
const LOADED: Level = 2 << 24;
const PART: Level = 3 << 24;
const SECRET: Level = 4 << 24;
const LOW: Level = 0xff_ffff;

/// The instruction that loaded a possible secret, if a branch on it would leak.
pub fn branch(level: Level) -> Option<usize> {
    (level >= SECRET).then(|| (level & LOW) as usize - 1)
}

/// The like for an address, where a part of a word counts too: it can choose a place in a table.
pub fn address_from(level: Level) -> Option<usize> {
    (level >= PART).then(|| (level & LOW) as usize - 1)
}

/// The state before each instruction that is reached. `public` says of an instruction that its
/// result is not secret though it looks so; `file` has the tables of jumps,
/// `constants` where each begins.
pub fn states(
    code: &[Instruction],
    public: &[bool],
    file: &[u8],
    constants: &BTreeSet<u64>,
) -> Vec<Option<State>> {
    let index: HashMap<u64, usize> = code.iter().enumerate().map(|(i, c)| (c.at, i)).collect();
    let target = |c: &Instruction| {
        let to = c.operands.first()?.split(' ').next()?;
        index.get(&u64::from_str_radix(to, 16).ok()?).copied().filter(|_| c.name.starts_with('j'))
    };
    // Where a jump by a table leads; if the table is not known, to whatever starts after code that does
    // not go on, and to which no other jump leads.
    let ends = |c: &Instruction| ["jmp", "ret", "ud2", "int3"].contains(&&*c.name);
    let jumps: HashSet<usize> = code.iter().filter_map(target).collect();
    let starts = |i: &usize| ends(&code[i - 1]) && !jumps.contains(i);
    let leaders: Vec<usize> = (1..code.len()).filter(starts).collect();

    let table = |level: Level| {
        let at = code.get(((level & LOW) as usize).checked_sub(1)?)?.means?;
        let entry = |word: i32| index.get(&at.wrapping_add_signed(word.into())).copied();
        let end = constants.range(at + 1..).next().map_or(usize::MAX, |end| (end - at) as usize);
        let entries: Vec<usize> = words(file, at).take(end / 4).map_while(entry).collect();
        (level < LOADED && !entries.is_empty()).then_some(entries)
    };
    let mut before: Vec<Option<State>> = vec![None; code.len()];
    let mut queue = vec![(0, State::entry())];
    while let Some((i, state)) = queue.pop() {
        let Some(c) = code.get(i) else { continue };
        let old = before[i].as_ref();
        let joined = old.map_or_else(|| state.clone(), |old| old.clone().join(&state));
        if old == Some(&joined) {
            continue;
        }
        let mut after = joined.clone();
        before[i] = Some(joined);
        let at = (i + 1) as Level;
        // A constant is known by the first instruction that names it.
        let first = code.iter().position(|c| c.means == code[i].means).unwrap_or(i);
        after.step(c, (first + 1) as Level, if public[i] { PUBLIC } else { SECRET | at });
        if let Some(to) = target(c) {
            queue.push((to, after.clone()));
        } else if c.name == "jmp" && !c.operands[0].contains('<') {
            let to = table(after.value(&c.operands[0])).unwrap_or_else(|| leaders.clone());
            queue.extend(to.into_iter().map(|to| (to, after.clone())));
        }
        if !ends(c) {
            queue.push((i + 1, after));
        }
    }
    before
}

/// The contents of the general registers, the flags, and places on the stack: from where to where above the
/// stack pointer.
#[derive(Clone, PartialEq)]
pub struct State {
    registers: [Level; 16],
    pub flags: Level,
    slots: HashMap<(usize, usize), Level>,
}

impl State {
    /// Pointers, lengths and enumerations.
    fn entry() -> Self {
        State { registers: [PUBLIC; 16], flags: PUBLIC, slots: HashMap::new() }
    }

    fn join(mut self, other: &Self) -> Self {
        let join = |a: Level, b: Level| if a == b { a } else { a.max(b).max(PUBLIC) };
        // If the tables differ, neither is known.
        let join = |a, b| if a != b && join(a, b) < LOADED { PUBLIC } else { join(a, b) };
        for (r, o) in self.registers.iter_mut().zip(&other.registers) {
            *r = join(*r, *o);
        }
        self.flags = self.flags.max(other.flags);
        // A slot that only one path has stored is read only after it: the compiler reads nothing unwritten.
        for (at, level) in &other.slots {
            let own = self.slots.entry(*at).or_insert(*level);
            *own = join(*own, *level);
        }
        self
    }

    /// The worst of the registers of an address.
    pub fn address(&self, operand: &str) -> Level {
        let parts = address(operand).unwrap_or("").split(['+', '-', '*']).filter_map(register);
        parts.map(|(r, _)| self.registers[r]).max().unwrap_or(PUBLIC)
    }

    /// Returns whether the operand is a constant: in the program, or in a public place of a table of it.
    fn constant(&self, operand: &str) -> bool {
        let inside = address(operand).unwrap_or("");
        let base = inside.split(['+', '-']).next().and_then(register);
        let table = base.is_some_and(|(r, _)| self.registers[r] < PUBLIC);
        inside.starts_with("rip") || table && self.address(operand) < LOADED
    }

    /// The content of an operand when read.
    pub fn value(&self, operand: &str) -> Level {
        if vector(operand) {
            return SECRET;
        }
        if let Some((r, _)) = register(operand) {
            return self.registers[r];
        }
        if address(operand).is_none() || self.constant(operand) {
            return PUBLIC;
        }
        let memory = if bytes(operand) < 8 { SECRET } else { LOADED };
        let Some(place) = slot(operand) else { return memory };
        let within = |p: &(usize, usize)| p.0 <= place.0 && place.1 <= p.1;
        // A store removes what it covers, so the narrowest is the newest.
        match self.slots.iter().filter(|(p, _)| within(p)).min_by_key(|(p, _)| p.1 - p.0) {
            // The low part of a stored value is as good as the low part of a register.
            Some((p, level)) if *level != LOADED || p.0 == place.0 => *level,
            Some(_) => memory,
            None => {
                let over = self.slots.iter().filter(|(p, _)| p.0 < place.1 && place.0 < p.1);
                over.map(|(_, level)| *level).max().unwrap_or(memory).max(memory)
            }
        }
    }

    /// Stores the result of an instruction at its destination.
    fn store(&mut self, to: &str, level: Level) {
        if let Some((r, _)) = register(to) {
            // Where less than the whole is written, no more than that is read before the next move.
            self.registers[r] = level;
        } else if let Some(place) = slot(to) {
            self.slots.retain(|p, _| p.0 < place.0 || place.1 < p.1);
            for (_, old) in self.slots.iter_mut().filter(|(p, _)| p.0 < place.1 && place.0 < p.1) {
                *old = level.max(*old);
            }
            self.slots.insert(place, level);
        }
    }

    /// The state after an instruction; `constant` is the level of a constant that it names, `fresh` the level of a
    /// secret loaded here.
    fn step(&mut self, c: &Instruction, constant: Level, fresh: Level) {
        let settled = |level| if level == SECRET { fresh } else { level };
        let values: Vec<Level> = c.operands.iter().map(|o| settled(self.value(o))).collect();
        let worst = |values: &[Level]| values.iter().copied().max().unwrap_or(PUBLIC);
        // A part cut out of 8 bytes from memory.
        let cut = |value: Level| if value >= LOADED { value.max(fresh) } else { value };
        // A part that a mask or a short shift leaves: lengths are taken apart in this way, too.
        let least = if fresh < SECRET { fresh } else { PART | fresh & LOW };
        let part = |value: Level| if value >= LOADED { value.max(least) } else { value };
        let all = worst(&values).max(PUBLIC);
        let Some(to) = c.operands.first() else { return };
        let sources = worst(&values[1..]);
        let wide = c.operands.iter().any(|o| vector(o));
        let itself = c.operands.get(1) == Some(to);
        // A mask that leaves all but low bits rounds a number down and leaves a word of a secret as wide as
        // it was. 32 bits are printed as they are.
        let last = c.operands.last().and_then(|o| number(o));
        let masked = match last {
            Some(mask) => mask >> 31 == 0,
            None => !itself,
        };
        match c.name.as_str() {
            "call" => {
                // The result may be anything; the callee is checked on its own.
                for r in [0, 1, 2, 6, 7, 8, 9, 10, 11] {
                    self.registers[r] = LOADED;
                }
                self.flags = PUBLIC;
            }
            "push" | "nop" | "ret" => {}
            "pop" => self.store(to, LOADED),
            // An entry of a table of jumps: no table of the kernels has signed words.
            "movsxd" if c.operands[1].contains("*4") => {
                let base = address(&c.operands[1]).and_then(|a| register(a.split('+').next()?));
                let table = base.map_or(PUBLIC, |(r, _)| self.registers[r]);
                self.store(to, if table < PUBLIC { PUBLIC | table } else { PUBLIC });
            }
            "movzx" | "movsx" => self.store(to, cut(sources)),
            "lea" if c.operands[1].contains("[rip") => self.store(to, CONSTANT | constant),
            "lea" => self.store(to, self.address(&c.operands[1]).max(PUBLIC)),
            "xchg" => {
                self.store(to, all);
                self.store(&c.operands[1], all);
            }
            "cmp" | "test" | "bt" | "ptest" | "vptest" => self.flags = all,
            name if name.starts_with("kortest") || name.starts_with("ktest") => self.flags = fresh,
            name if name.starts_with('j') => {}
            name if name.starts_with("set") => self.store(to, self.flags),
            name if name.starts_with("cmov") => self.store(to, all.max(self.flags)),
            // The upper half of a product is a part of it.
            "mul" | "imul" if values.len() == 1 => {
                let product = all.max(self.registers[0]);
                (self.registers[0], self.registers[2], self.flags) =
                    (product, part(product), product);
            }
            "mulx" => {
                let product = all.max(self.registers[2]);
                self.store(&c.operands[1], product);
                self.store(to, part(product));
            }
            "lzcnt" | "tzcnt" | "popcnt" => {
                self.store(to, part(sources));
                self.flags = sources;
            }
            "sbb" if itself => self.store(to, self.flags),
            "xor" | "sub" if itself => {
                self.store(to, PUBLIC);
                self.flags = PUBLIC;
            }
            // Copies, and vectors, which do not change the flags. A stored vector is like other
            // memory: 8 bytes of it may be pointers.
            name if name.starts_with("mov") && values.len() == 2 => {
                self.store(to, if wide && address(to).is_some() { LOADED } else { sources });
            }
            _ if wide && address(to).is_some() => self.store(to, LOADED),
            _ if wide => self.store(to, sources),
            // Operations on general registers. A far shift down cuts a value out; a mask or a shorter shift
            // leaves a part.
            name => {
                let source = if c.operands.len() > 2 { sources } else { all };
                let down = ["shr", "sar", "rol", "ror", "shrd", "shld", "rorx", "shrx", "sarx"];
                let down = down.contains(&name);
                let far = down && last.is_some_and(|n| (16..64).contains(&n));
                let result = match name {
                    "bextr" => cut(source),
                    _ if far => cut(source),
                    "and" if masked => part(source),
                    _ if down || ["bzhi", "andn"].contains(&name) => part(source),
                    _ => source,
                };
                let carry = if ["adc", "sbb"].contains(&name) { self.flags } else { PUBLIC };
                let result = result.max(carry).max(PUBLIC);
                self.store(to, result);
                self.flags = result;
            }
        }
    }
}

/// The place of an operand on the stack, if it says where.
fn slot(operand: &str) -> Option<(usize, usize)> {
    let rest = address(operand)?.strip_prefix("rsp")?;
    let at = if rest.is_empty() { 0 } else { number(rest.strip_prefix('+')?)? as usize };
    Some((at, at + bytes(operand)))
}
