//! Runs a module's functions, and follows each bit that depends on a secret.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::binary::{BLOCK, BR_TABLE, Body, ELSE, END, IF, LOOP, Module};
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

    /// Runs a function on its arguments, which are the last of the stack.
    fn run(&mut self, function: u32, stack: &mut Vec<Value>) -> Result<(), Trap> {
        let code = self.code.clone();
        let body = match &self.planted {
            Some((planted, body)) if *planted == function => body.clone(),
            _ => code.bodies[function as usize].clone(),
        };
        let declared = code.declared[function as usize];
        // A planted function is longer: it has no place in `ran`.
        let planted = self.planted.as_ref().is_some_and(|(planted, _)| *planted == function);
        let start = code.starts[function as usize];
        let mut conditions = declared.map_or(0, |declared| declared.conditions);
        let (parameters, results) =
            code.module.types[code.module.functions[function as usize] as usize];
        let base = stack.len() - parameters;
        let first = (parameters > 0).then(|| stack[base]);
        stack.resize(stack.len() + body.locals, Value::default());
        let mut labels = vec![Label {
            height: stack.len(),
            carries: results,
            target: body.ops.len(),
            again: false,
        }];
        let mut pc = 0;
        // A branch out of `depth` blocks.
        let branch = |stack: &mut Vec<Value>, labels: &mut Vec<Label>, depth: u32| {
            let at = labels.len() - 1 - depth as usize;
            let Label { height, carries, target, again } = labels[at];
            let from = stack.len() - carries;
            stack.drain(height..from);
            labels.truncate(at + usize::from(again));
            target
        };
        macro_rules! pop {
            () => {
                stack.pop().expect("an operand")
            };
        }
        macro_rules! check {
            ($value:expr, $at:expr, $leak:expr) => {
                if $value.t != 0 {
                    if $leak == Leak::Condition && conditions > 0 {
                        conditions -= 1;
                    } else {
                        self.leak(function, $at, $leak);
                    }
                }
            };
        }
        while let Some(&op) = body.ops.get(pc) {
            self.counts[usize::from(op.code)] += 1;
            if !planted {
                self.ran[start + pc] = true;
            }
            pc += 1;
            let (x, y, at) = (op.x as usize, op.y, op.at);
            match op.code {
                0x00 => return Err(Trap::Unreachable),
                0x01 => {}
                BLOCK | LOOP | IF => {
                    let mut target = y as u32 as usize;
                    let again = op.code == LOOP;
                    let mut enters = true;
                    if op.code == IF {
                        let condition = pop!();
                        check!(condition, at, Leak::Condition);
                        enters = condition.v != 0;
                        // Without `else`: after the end.
                        if !enters && y >> 32 == 0 {
                            pc = target;
                            continue;
                        }
                    }
                    let (parameters, mut carries) = (x >> 16, x & 0xffff);
                    if again {
                        (target, carries) = (pc, parameters);
                    } else if !enters {
                        pc = (y >> 32) as usize;
                    }
                    labels.push(Label { height: stack.len() - parameters, carries, target, again });
                }
                ELSE => pc = labels.pop().expect("an if").target,
                END => drop(labels.pop()),
                0x0c => pc = branch(stack, &mut labels, op.x),
                0x0d => {
                    let condition = pop!();
                    check!(condition, at, Leak::Condition);
                    if condition.v != 0 {
                        pc = branch(stack, &mut labels, op.x);
                    }
                }
                BR_TABLE => {
                    let index = pop!();
                    check!(index, at, Leak::Condition);
                    let targets = &body.targets[x];
                    let last = targets.len() - 1;
                    pc = branch(stack, &mut labels, targets[last.min(index.v as usize)]);
                }
                0x0f => {
                    let outermost = labels.len() as u32 - 1;
                    pc = branch(stack, &mut labels, outermost);
                }
                0x10 => self.run(op.x, stack)?,
                0x11 => {
                    let index = pop!();
                    check!(index, at, Leak::Callee);
                    let callee = code.module.table.get(index.v as usize).copied();
                    let callee = callee.filter(|f| *f != u32::MAX).ok_or(Trap::Outside)?;
                    let types = &code.module.types;
                    if types[code.module.functions[callee as usize] as usize] != types[x] {
                        return Err(Trap::Outside);
                    }
                    self.run(callee, stack)?;
                }
                0x1a => drop(pop!()),
                0x1b | 0x1c => {
                    let (condition, b, a) = (pop!(), pop!(), pop!());
                    if condition.t != 0 {
                        self.selects.insert((function, at));
                    }
                    stack.push(lanes::select(a, b, condition));
                }
                0x20 => stack.push(stack[base + x]),
                0x21 => stack[base + x] = pop!(),
                0x22 => stack[base + x] = *stack.last().expect("an operand"),
                0x23 => stack.push(self.globals[x]),
                0x24 => self.globals[x] = pop!(),
                0x28..=0x35 | 0xfd00..=0xfd0a | 0xfd5c | 0xfd5d => {
                    let base = pop!();
                    check!(base, at, Leak::LoadAddress);
                    let Some((len, from, to)) = loads(op.code) else {
                        return Err(Trap::Unknown(op.code));
                    };
                    let value = self.load(self.place(base, y, len)?, len);
                    stack.push(match op.code {
                        0xfd07..=0xfd0a => {
                            let part = |v| lanes::vector(from, |_| v);
                            Value { v: part(value.v), t: part(value.t) }
                        }
                        code => {
                            let sign = matches!(code, 0x2c | 0x2e | 0x30 | 0x32 | 0x34);
                            let part = |v| widened(v, from, to, sign);
                            Value { v: part(value.v), t: part(value.t) }
                        }
                    });
                }
                0x36 | 0x37 | 0x3a..=0x3e | 0xfd0b => {
                    let (value, base) = (pop!(), pop!());
                    check!(base, at, Leak::StoreAddress);
                    let len = match op.code {
                        0x3a | 0x3c => 1,
                        0x3b | 0x3d => 2,
                        0x36 | 0x3e => 4,
                        0x37 => 8,
                        _ => 16,
                    };
                    let place = self.place(base, y, len)?;
                    self.store(place, len, value);
                }
                0xfd54..=0xfd57 => {
                    let (vector, base) = (pop!(), pop!());
                    check!(base, at, Leak::LoadAddress);
                    let len = 1 << (op.code - 0xfd54);
                    let lane = self.load(self.place(base, y, len)?, len);
                    stack.push(replaced(vector, 8 * len as u32, op.x, lane));
                }
                0xfd58..=0xfd5b => {
                    let (vector, base) = (pop!(), pop!());
                    check!(base, at, Leak::StoreAddress);
                    let len = 1 << (op.code - 0xfd58);
                    let part = |v| lane(v, 8 * len as u32, op.x);
                    let place = self.place(base, y, len)?;
                    self.store(place, len, Value { v: part(vector.v), t: part(vector.t) });
                }
                0x40 => {
                    let more = pop!();
                    check!(more, at, Leak::Copy);
                    let pages = self.memory.len() >> 16;
                    // Tests need no more than 256 MiB.
                    let grown = pages + more.v as usize;
                    let fits = grown <= 4096;
                    if fits {
                        self.memory.resize(grown << 16, 0);
                        self.secret.resize(grown << 16, 0);
                    }
                    stack.push(Value::public(if fits { pages as u128 } else { mask(32) }));
                }
                0x41 | 0x42 => stack.push(Value::public(y.into())),
                0xfc0a | 0xfc0b => {
                    let (len, from, to) = (pop!(), pop!(), pop!());
                    let fill = op.code == 0xfc0b;
                    for value in if fill { [len, to, to] } else { [len, from, to] } {
                        check!(value, at, Leak::Copy);
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
                }
                0xfd0c => stack.push(Value::public(body.vectors[x])),
                0xfd0d => {
                    let (b, a) = (pop!(), pop!());
                    let order = body.vectors[x].to_le_bytes();
                    let part = |a: u128, b: u128| {
                        let bytes = [a.to_le_bytes(), b.to_le_bytes()];
                        let all = bytes.as_flattened();
                        u128::from_le_bytes(order.map(|i| all[usize::from(i & 31)]))
                    };
                    stack.push(Value { v: part(a.v, b.v), t: part(a.t, b.t) });
                }
                0xfd15..=0xfd1e => {
                    // For each width: extract with and without a sign, replace; 32 and 64 bits have no extract with a sign.
                    let (bits, kind) = match op.code - 0xfd15 {
                        n @ 0..6 => (8 << (n / 3), n % 3),
                        n => (32 << ((n - 6) / 2), 1 + n % 2),
                    };
                    if kind == 2 {
                        let (value, vector) = (pop!(), pop!());
                        stack.push(replaced(vector, bits, op.x, value));
                    } else {
                        let vector = pop!();
                        let part = |v| widened(lane(v, bits, op.x), bits, 32.max(bits), kind == 0);
                        stack.push(Value { v: part(vector.v), t: part(vector.t) });
                    }
                }
                // Relaxed: the mask's lanes are all ones or all zeros.
                0xfd52 | 0xfe09..=0xfe0c => {
                    let (mask, b, a) = (pop!(), pop!(), pop!());
                    stack.push(lanes::bitselect(a, b, mask));
                }
                code => {
                    let b = pop!();
                    let scalar = code < 0xfd00;
                    let one =
                        if scalar { lanes::unary(code, b) } else { lanes::vector_unary(code, b) };
                    let value = match one {
                        Some(value) => value,
                        None if scalar => {
                            let a = pop!();
                            if lanes::divides(code) {
                                check!(Value { v: 0, t: a.t | b.t }, at, Leak::Division);
                                lanes::binary(code, a, b).ok_or(Trap::Outside)?
                            } else {
                                lanes::binary(code, a, b).ok_or(Trap::Unknown(code))?
                            }
                        }
                        None => lanes::vector_binary(code, pop!(), b).ok_or(Trap::Unknown(code))?,
                    };
                    stack.push(value);
                }
            }
            if let Some(top) = stack.last() {
                let public = top.v & !top.t;
                let folded = public as u64 ^ (public >> 64) as u64 ^ pc as u64;
                self.trace =
                    (self.trace.rotate_left(5) ^ folded).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                if let Some(sites) = self.sites.as_mut().filter(|_| makes_number(op.code)) {
                    sites.entry((function, body.ops[pc].at)).or_insert(top.t & 0xff == 0xff);
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
