//! Runs a module's functions, and follows each bit that depends on a secret.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::binary::{BLOCK, BR_TABLE, Body, ELSE, END, IF, LOOP, Module, Op};
use crate::lanes::{self, Value, lane, mask};

/// Why a call ended without a result.
#[derive(Debug)]
pub enum Trap {
    /// An instruction of the module that ends it.
    Unreachable,
    /// An access outside the memory, a division by zero, an index outside the table.
    Outside,
    /// An instruction that this interpreter does not know: its number.
    Unknown(u16),
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trap::Unreachable => f.write_str("the instruction `unreachable`"),
            Trap::Outside => f.write_str("an access outside, or a division by zero"),
            Trap::Unknown(code) => {
                write!(f, "instruction {:#x} {} is not known", code >> 8, code & 0xff)
            }
        }
    }
}

/// A use of a secret that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    Condition,
    LoadAddress,
    StoreAddress,
    /// The places or the length of `memory.copy` or `memory.fill`.
    Copy,
    /// The index of an indirect call.
    Callee,
    Division,
    /// A result that the caller must know: a code, a length, an address.
    Result,
}

/// A function that makes something public when it returns.
pub struct Declared {
    /// A part of the name, as the compiler makes it.
    pub name: &'static str,
    /// Bytes at the address in its first argument that become public, besides its result.
    pub bytes: usize,
    /// Conditions on the secret that a call may have: the branch on the value that becomes public.
    pub conditions: u32,
}

/// A module, prepared for instances.
pub struct Code {
    pub module: Module,
    bodies: Vec<Arc<Body>>,
    declared: Vec<Option<&'static Declared>>,
    /// The number of instructions before each function, and of all.
    pub starts: Vec<usize>,
}

impl Code {
    /// Fails if a declaration fits several functions. If it fits no function, more is found.
    pub fn new(module: Module, declared: &'static [Declared]) -> Result<Code, String> {
        let all = 0..module.functions.len() as u32;
        let bodies: Vec<_> = all.map(|i| Arc::new(module.body(i, None))).collect();
        let mut starts = vec![0];
        bodies.iter().for_each(|body| starts.push(starts[starts.len() - 1] + body.ops.len()));
        let mut places = vec![None; module.functions.len()];
        for one in declared {
            let named: Vec<_> =
                (0..places.len()).filter(|i| module.names[*i].contains(one.name)).collect();
            match named[..] {
                [] => {}
                [place] => places[place] = Some(one),
                _ => return Err(format!("{} functions named {}", named.len(), one.name)),
            }
        }
        Ok(Code { module, bodies, declared: places, starts })
    }
    pub fn body(&self, function: u32) -> &Body {
        &self.bodies[function as usize]
    }
}

/// A block that is open.
struct Label {
    /// The numbers of operands below it, and of operands that a branch to it carries.
    height: usize,
    carries: usize,
    /// Where a branch to it leads.
    target: usize,
    again: bool,
}

/// A call that runs.
struct Frame<'a> {
    function: u32,
    body: &'a Body,
    /// The place of the first local on the stack.
    base: usize,
    labels: Vec<Label>,
    /// The place of the next instruction.
    pc: usize,
    /// The declared conditions on a secret that are left.
    conditions: u32,
}

impl Frame<'_> {
    /// Branches out of `depth` blocks.
    fn branch(&mut self, stack: &mut Vec<Value>, depth: u32) {
        let at = self.labels.len() - 1 - depth as usize;
        let Label { height, carries, target, again } = self.labels[at];
        let from = stack.len() - carries;
        stack.drain(height..from);
        self.labels.truncate(at + usize::from(again));
        self.pc = target;
    }
}

/// An instance of a module.
#[derive(Clone)]
pub struct Machine {
    pub code: Arc<Code>,
    pub memory: Vec<u8>,
    /// The bits of the memory that depend on a secret.
    pub secret: Vec<u8>,
    globals: Vec<Value>,
    /// A function with something planted in it.
    planted: Option<(u32, Arc<Body>)>,
    pub found: BTreeMap<(u32, u32, Leak), u64>,
    /// Choices by a secret, which are data flow here.
    pub selects: BTreeSet<(u32, u32)>,
    /// How often each kind of instruction ran.
    pub forms: BTreeMap<u16, u64>,
    counts: Vec<u64>,
    /// For each instruction, by function, whether it ran.
    pub ran: Vec<bool>,
    /// Where numbers of 32 bits are made, if they are recorded: the function and the place after the instruction; and
    /// whether the lowest byte of the first one is secret.
    pub sites: Option<BTreeMap<(u32, u32), bool>>,
    /// A sum over all public bits of all results: equal for all secrets, if no public bit depends on them.
    pub trace: u64,
}

impl Machine {
    pub fn new(code: Arc<Code>) -> Machine {
        let module = &code.module;
        let mut memory = vec![0; module.pages << 16];
        for (at, range) in &module.data {
            memory[*at..at + range.len()].copy_from_slice(module.bytes(range));
        }
        let globals = module.globals.iter().map(|v| Value::public(*v)).collect();
        Machine {
            secret: vec![0; memory.len()],
            memory,
            globals,
            planted: None,
            found: BTreeMap::new(),
            selects: BTreeSet::new(),
            forms: BTreeMap::new(),
            counts: vec![0; 1 << 16],
            ran: vec![false; code.starts.last().copied().unwrap_or(0)],
            sites: None,
            trace: 0,
            code,
        }
    }

    /// Plants code after a place of a function.
    pub fn plant(&mut self, function: u32, at: usize, code: &[u8]) {
        let body = self.code.module.body(function, Some((at, code)));
        self.planted = Some((function, Arc::new(body)));
    }

    /// Calls an export with numbers; gives its result, 0 without one.
    pub fn call(&mut self, name: &str, arguments: &[u32]) -> Result<u32, Trap> {
        let function =
            *self.code.module.exports.get(name).unwrap_or_else(|| panic!("no export {name}"));
        let mut stack: Vec<Value> =
            arguments.iter().map(|v| Value::public(u128::from(*v))).collect();
        self.run(function, &mut stack)?;
        let Some(result) = stack.pop() else { return Ok(0) };
        if result.t != 0 {
            self.leak(function, 0, Leak::Result);
        }
        Ok(result.v as u32)
    }

    /// Adds the counts since the last call to `forms`.
    pub fn settle(&mut self) {
        for (form, count) in self.counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            *self.forms.entry(form as u16).or_default() += std::mem::take(count);
        }
    }

    pub fn leak(&mut self, function: u32, at: u32, leak: Leak) {
        *self.found.entry((function, at, leak)).or_default() += 1;
    }

    fn place(&self, base: Value, offset: u64, len: usize) -> Result<usize, Trap> {
        let at = base.v as usize + offset as usize;
        if at + len > self.memory.len() { Err(Trap::Outside) } else { Ok(at) }
    }

    fn load(&self, at: usize, len: usize) -> Value {
        let read = |from: &[u8]| {
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&from[at..at + len]);
            u128::from_le_bytes(bytes)
        };
        Value { v: read(&self.memory), t: read(&self.secret) }
    }

    fn store(&mut self, at: usize, len: usize, value: Value) {
        self.memory[at..at + len].copy_from_slice(&value.v.to_le_bytes()[..len]);
        self.secret[at..at + len].copy_from_slice(&value.t.to_le_bytes()[..len]);
    }

    /// Checks a value that must be public here, but for the conditions that the function's declaration leaves.
    fn check(&mut self, frame: &mut Frame<'_>, at: u32, value: Value, leak: Leak) {
        if value.t == 0 {
            return;
        }
        if leak == Leak::Condition && frame.conditions > 0 {
            frame.conditions -= 1;
        } else {
            self.leak(frame.function, at, leak);
        }
    }

    /// Runs a function on its arguments, which are the last of the stack.
    fn run(&mut self, function: u32, stack: &mut Vec<Value>) -> Result<(), Trap> {
        let code = self.code.clone();
        let planted = self.planted.as_ref().filter(|(planted, _)| *planted == function);
        let body = planted.map_or(&code.bodies[function as usize], |(_, body)| body).clone();
        // A planted function is longer: it has no place in `ran`.
        let start = planted.is_none().then_some(code.starts[function as usize]);
        let declared = code.declared[function as usize];
        let (parameters, results) =
            code.module.types[code.module.functions[function as usize] as usize];
        let base = stack.len() - parameters;
        let first = (parameters > 0).then(|| stack[base]);
        stack.resize(stack.len() + body.locals, Value::default());
        let (height, target) = (stack.len(), body.ops.len());
        let mut frame = Frame {
            function,
            body: &body,
            base,
            labels: vec![Label { height, carries: results, target, again: false }],
            pc: 0,
            conditions: declared.map_or(0, |declared| declared.conditions),
        };
        while let Some(&op) = body.ops.get(frame.pc) {
            self.counts[usize::from(op.code)] += 1;
            if let Some(start) = start {
                self.ran[start + frame.pc] = true;
            }
            frame.pc += 1;
            match op.code {
                0x00..=0x11 => self.control(op, &mut frame, stack)?,
                0x28..=0x3e | 0xfd00..=0xfd0b | 0xfd54..=0xfd5d => {
                    self.access(op, &mut frame, stack)?;
                }
                0x40 | 0xfc0a | 0xfc0b => self.bulk(op, &mut frame, stack)?,
                0x1a..=0x24 | 0x41 | 0x42 | 0xfd0c => self.moves(op, &frame, stack)?,
                _ => self.compute(op, &mut frame, stack)?,
            }
            if let Some(top) = stack.last() {
                let public = top.v & !top.t;
                let folded = public as u64 ^ (public >> 64) as u64 ^ frame.pc as u64;
                self.trace =
                    (self.trace.rotate_left(5) ^ folded).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                if let Some(sites) = self.sites.as_mut().filter(|_| makes_number(op.code)) {
                    let site = (function, body.ops[frame.pc].at);
                    sites.entry(site).or_insert(top.t & 0xff == 0xff);
                }
            }
        }
        let from = stack.len() - results;
        stack.drain(base..from);
        if let Some(declared) = declared {
            stack[base..].iter_mut().for_each(|result| result.t = 0);
            if let Some(first) = first.filter(|_| declared.bytes > 0) {
                let at = self.place(first, 0, declared.bytes)?;
                self.secret[at..at + declared.bytes].fill(0);
            }
        }
        Ok(())
    }

    /// Blocks, branches, calls.
    fn control(
        &mut self,
        op: Op,
        frame: &mut Frame<'_>,
        stack: &mut Vec<Value>,
    ) -> Result<(), Trap> {
        let (x, at) = (op.x as usize, op.at);
        match op.code {
            0x00 => return Err(Trap::Unreachable),
            0x01 => {}
            BLOCK | LOOP | IF => {
                let mut target = op.y as u32 as usize;
                let again = op.code == LOOP;
                let mut enters = true;
                if op.code == IF {
                    let condition = pop(stack);
                    self.check(frame, at, condition, Leak::Condition);
                    enters = condition.v != 0;
                    // Without `else`: after the end.
                    if !enters && op.y >> 32 == 0 {
                        frame.pc = target;
                        return Ok(());
                    }
                }
                let (parameters, mut carries) = (x >> 16, x & 0xffff);
                if again {
                    (target, carries) = (frame.pc, parameters);
                } else if !enters {
                    frame.pc = (op.y >> 32) as usize;
                }
                let height = stack.len() - parameters;
                frame.labels.push(Label { height, carries, target, again });
            }
            ELSE => frame.pc = frame.labels.pop().expect("an if").target,
            END => drop(frame.labels.pop()),
            0x0c => frame.branch(stack, op.x),
            0x0d => {
                let condition = pop(stack);
                self.check(frame, at, condition, Leak::Condition);
                if condition.v != 0 {
                    frame.branch(stack, op.x);
                }
            }
            BR_TABLE => {
                let index = pop(stack);
                self.check(frame, at, index, Leak::Condition);
                let targets = &frame.body.targets[x];
                let last = targets.len() - 1;
                frame.branch(stack, targets[last.min(index.v as usize)]);
            }
            0x0f => frame.branch(stack, frame.labels.len() as u32 - 1),
            0x10 => self.run(op.x, stack)?,
            0x11 => {
                let index = pop(stack);
                self.check(frame, at, index, Leak::Callee);
                let module = &self.code.module;
                let callee = module.table.get(index.v as usize).copied();
                let callee = callee.filter(|f| *f != u32::MAX).ok_or(Trap::Outside)?;
                if module.types[module.functions[callee as usize] as usize] != module.types[x] {
                    return Err(Trap::Outside);
                }
                self.run(callee, stack)?;
            }
            code => return Err(Trap::Unknown(code)),
        }
        Ok(())
    }

    /// Operands, locals, globals, constants.
    fn moves(&mut self, op: Op, frame: &Frame<'_>, stack: &mut Vec<Value>) -> Result<(), Trap> {
        let x = op.x as usize;
        match op.code {
            0x1a => drop(pop(stack)),
            0x1b | 0x1c => {
                let (condition, b, a) = (pop(stack), pop(stack), pop(stack));
                if condition.t != 0 {
                    self.selects.insert((frame.function, op.at));
                }
                stack.push(lanes::select(a, b, condition));
            }
            0x20 => stack.push(stack[frame.base + x]),
            0x21 => stack[frame.base + x] = pop(stack),
            0x22 => stack[frame.base + x] = *stack.last().expect("an operand"),
            0x23 => stack.push(self.globals[x]),
            0x24 => self.globals[x] = pop(stack),
            0x41 | 0x42 => stack.push(Value::public(op.y.into())),
            0xfd0c => stack.push(Value::public(frame.body.vectors[x])),
            code => return Err(Trap::Unknown(code)),
        }
        Ok(())
    }

    /// Loads and stores.
    fn access(
        &mut self,
        op: Op,
        frame: &mut Frame<'_>,
        stack: &mut Vec<Value>,
    ) -> Result<(), Trap> {
        match op.code {
            0x28..=0x35 | 0xfd00..=0xfd0a | 0xfd5c | 0xfd5d => {
                let base = pop(stack);
                self.check(frame, op.at, base, Leak::LoadAddress);
                let (len, from, to) = loads(op.code).ok_or(Trap::Unknown(op.code))?;
                let value = self.load(self.place(base, op.y, len)?, len);
                stack.push(match op.code {
                    0xfd07..=0xfd0a => value.map(|v| lanes::vector(from, |_| v)),
                    code => {
                        let sign = matches!(code, 0x2c | 0x2e | 0x30 | 0x32 | 0x34);
                        value.map(|v| widened(v, from, to, sign))
                    }
                });
            }
            0x36 | 0x37 | 0x3a..=0x3e | 0xfd0b => {
                let (value, base) = (pop(stack), pop(stack));
                self.check(frame, op.at, base, Leak::StoreAddress);
                let len = match op.code {
                    0x3a | 0x3c => 1,
                    0x3b | 0x3d => 2,
                    0x36 | 0x3e => 4,
                    0x37 => 8,
                    _ => 16,
                };
                let place = self.place(base, op.y, len)?;
                self.store(place, len, value);
            }
            0xfd54..=0xfd57 => {
                let (vector, base) = (pop(stack), pop(stack));
                self.check(frame, op.at, base, Leak::LoadAddress);
                let len = 1 << (op.code - 0xfd54);
                let lane = self.load(self.place(base, op.y, len)?, len);
                stack.push(replaced(vector, 8 * len as u32, op.x, lane));
            }
            0xfd58..=0xfd5b => {
                let (vector, base) = (pop(stack), pop(stack));
                self.check(frame, op.at, base, Leak::StoreAddress);
                let len = 1 << (op.code - 0xfd58);
                let place = self.place(base, op.y, len)?;
                self.store(place, len, vector.map(|v| lane(v, 8 * len as u32, op.x)));
            }
            code => return Err(Trap::Unknown(code)),
        }
        Ok(())
    }

    /// `memory.grow`, `memory.copy`, `memory.fill`.
    fn bulk(&mut self, op: Op, frame: &mut Frame<'_>, stack: &mut Vec<Value>) -> Result<(), Trap> {
        if op.code == 0x40 {
            let more = pop(stack);
            self.check(frame, op.at, more, Leak::Copy);
            let pages = self.memory.len() >> 16;
            // Tests need no more than 256 MiB.
            let grown = pages + more.v as usize;
            let fits = grown <= 4096;
            if fits {
                self.memory.resize(grown << 16, 0);
                self.secret.resize(grown << 16, 0);
            }
            stack.push(Value::public(if fits { pages as u128 } else { mask(32) }));
            return Ok(());
        }
        let (len, from, to) = (pop(stack), pop(stack), pop(stack));
        let fill = op.code == 0xfc0b;
        for value in if fill { [len, to, to] } else { [len, from, to] } {
            self.check(frame, op.at, value, Leak::Copy);
        }
        let len = len.v as usize;
        let to = self.place(to, 0, len)?;
        if fill {
            self.memory[to..to + len].fill(from.v as u8);
            self.secret[to..to + len].fill(from.t as u8);
        } else {
            let from = self.place(from, 0, len)?;
            self.memory.copy_within(from..from + len, to);
            self.secret.copy_within(from..from + len, to);
        }
        Ok(())
    }

    /// Numbers and vectors from numbers and vectors.
    fn compute(
        &mut self,
        op: Op,
        frame: &mut Frame<'_>,
        stack: &mut Vec<Value>,
    ) -> Result<(), Trap> {
        let value = match op.code {
            0xfd0d => {
                let (b, a) = (pop(stack), pop(stack));
                let order = frame.body.vectors[op.x as usize].to_le_bytes();
                let part = |a: u128, b: u128| {
                    let bytes = [a.to_le_bytes(), b.to_le_bytes()];
                    let all = bytes.as_flattened();
                    u128::from_le_bytes(order.map(|i| all[usize::from(i & 31)]))
                };
                Value { v: part(a.v, b.v), t: part(a.t, b.t) }
            }
            0xfd15..=0xfd1e => {
                // For each width: extract with and without a sign, replace; 32 and 64 bits have no extract with a sign.
                let (bits, kind) = match op.code - 0xfd15 {
                    n @ 0..6 => (8 << (n / 3), n % 3),
                    n => (32 << ((n - 6) / 2), 1 + n % 2),
                };
                let top = pop(stack);
                if kind == 2 {
                    replaced(pop(stack), bits, op.x, top)
                } else {
                    top.map(|v| widened(lane(v, bits, op.x), bits, 32.max(bits), kind == 0))
                }
            }
            // Relaxed: the mask's lanes are all ones or all zeros.
            0xfd52 | 0xfe09..=0xfe0c => {
                let (mask, b, a) = (pop(stack), pop(stack), pop(stack));
                lanes::bitselect(a, b, mask)
            }
            code => {
                let b = pop(stack);
                let scalar = code < 0xfd00;
                let one = if scalar { lanes::unary(code, b) } else { lanes::vector_unary(code, b) };
                match one {
                    Some(value) => value,
                    None if lanes::divides(code) => {
                        let a = pop(stack);
                        let any = Value { v: 0, t: a.t | b.t };
                        self.check(frame, op.at, any, Leak::Division);
                        lanes::binary(code, a, b).ok_or(Trap::Outside)?
                    }
                    None if scalar => {
                        lanes::binary(code, pop(stack), b).ok_or(Trap::Unknown(code))?
                    }
                    None => lanes::vector_binary(code, pop(stack), b).ok_or(Trap::Unknown(code))?,
                }
            }
        };
        stack.push(value);
        Ok(())
    }
}

fn pop(stack: &mut Vec<Value>) -> Value {
    stack.pop().expect("an operand")
}

/// The bytes that a load reads, the bits of what it reads, the bits that it makes of it.
fn loads(code: u16) -> Option<(usize, u32, u32)> {
    Some(match code {
        0x28 => (4, 32, 32),
        0x29 => (8, 64, 64),
        0x2c | 0x2d => (1, 8, 32),
        0x2e | 0x2f => (2, 16, 32),
        0x30 | 0x31 => (1, 8, 64),
        0x32 | 0x33 => (2, 16, 64),
        0x34 | 0x35 => (4, 32, 64),
        0xfd00 => (16, 128, 128),
        0xfd07 => (1, 8, 8),
        0xfd08 => (2, 16, 16),
        0xfd09 => (4, 32, 32),
        0xfd0a => (8, 64, 64),
        0xfd5c => (4, 32, 32),
        0xfd5d => (8, 64, 64),
        _ => return None,
    })
}

fn widened(v: u128, from: u32, to: u32, sign: bool) -> u128 {
    if sign && v >> (from - 1) & 1 != 0 { v | mask(to) & !mask(from) } else { v }
}

fn replaced(vector: Value, bits: u32, at: u32, lane: Value) -> Value {
    let place = mask(bits) << (at * bits);
    let part = |all: u128, one: u128| all & !place | one << (at * bits) & place;
    Value { v: part(vector.v, lane.v), t: part(vector.t, lane.t) }
}

/// Returns whether an instruction makes a number of 32 bits.
fn makes_number(code: u16) -> bool {
    matches!(code, 0x28 | 0x2c..=0x2f | 0x67..=0x78 | 0xa7 | 0xfd15 | 0xfd16 | 0xfd18 | 0xfd19 | 0xfd1b)
}
