//! The machine: registers, flags, memory exact to the byte, and the walk from a function's first instruction to its
//! return. Pointers, lengths and branches are numbers; an address or a branch that hangs on data is refused, and
//! so is an access outside the regions given.

use std::rc::Rc;

use crate::abi::Abi;
use crate::bytes::{bytes, number};
use crate::domain::{Byte, ZERO, junk, secret, shortened};
use crate::meanings::{self, Meaning};
use crate::program::{Code, Operand, Place, Program};

/// Why a proof stops.
#[derive(Debug, Clone)]
pub struct Refused(pub String);
/// A result, or why there is no result.
pub type Or<T> = Result<T, Refused>;
/// Refuses.
pub fn refuse<T>(why: impl Into<String>) -> Or<T> {
    Err(Refused(why.into()))
}

/// Bytes of a vector.
pub type Lanes = [Byte; 64];
/// A general register.
pub type Word = [Byte; 8];

/// Flags, as far as they are known; the carry may be of data.
#[derive(Clone, Default)]
pub struct Flags {
    pub carry: Option<Byte>,
    pub zero: Option<bool>,
    /// Where one bit of data decides it: that bit.
    pub one_bit: Option<Byte>,
    pub sign: Option<bool>,
    pub overflow: Option<bool>,
    pub parity: Option<bool>,
}

/// Memory that a call is given.
pub struct Region {
    pub name: &'static str,
    pub at: u64,
    /// No byte where nothing was written yet.
    pub bytes: Vec<Option<Byte>>,
    pub writes: bool,
    /// Set for results, which may hang on keys at the return.
    pub result: bool,
}

/// A fault that is planted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The instruction with this number is left out.
    Skip(usize),
    /// A bit of the constant at this address is turned round.
    Flip(u64, u8),
    /// A bit of the last number among the operands of an instruction is turned round.
    Number(usize, u8),
    /// The instructions from the second number on run in place of the first: see [`Program::flipped`].
    Code(usize, usize),
}

pub struct Machine<'p> {
    pub p: &'p Program,
    pub general: [Word; 33],
    pub vectors: Box<[Lanes; 32]>,
    /// A mask's bits.
    pub masks: Box<[Lanes; 8]>,
    pub flags: Flags,
    /// Results of `memcmp`, of which no more is known than that they are not 0.
    not_zero: Vec<[Byte; 4]>,
    /// Set while strings go down (`std`).
    pub down: bool,
    /// The registers that a call must leave as they were.
    pub kept: &'static [usize],
    /// Nothing of the stack below this may be touched.
    pub lowest: u64,
    pub regions: Vec<Region>,
    last: usize,
    /// The regions' addresses in order, with their numbers.
    places: Vec<(u64, usize)>,
    /// Nothing of the stack below this place of its bytes was read or written.
    touched: usize,
    /// A bit for each vector, then for each mask, that holds junk which is made when an instruction names it.
    stale: u64,
    /// Instructions run; and which of the program's instructions were run.
    pub count: usize,
    /// How many may be run.
    pub most: usize,
    pub seen: Vec<bool>,
    pub faults: Vec<Fault>,
    /// Constants of the program that were read.
    pub constants: Vec<u64>,
    pub keep_constants: bool,
    /// Functions by their first instructions, with their effects: proved before, or questions to the processor.
    pub replaced: Vec<(usize, Replaced)>,
    /// Calls of functions that were proved before.
    pub replacements: usize,
    found: Rc<Meanings>,
}
/// The effect of a function on the machine.
pub type Replaced = Rc<dyn Fn(&mut Machine) -> Or<()>>;
/// The meanings of a program's instructions, found once.
pub struct Meanings(Vec<std::cell::OnceCell<Option<Meaning>>>);
impl Meanings {
    pub fn new(p: &Program) -> Rc<Self> {
        Rc::new(Meanings((0..p.code.len()).map(|_| std::cell::OnceCell::new()).collect()))
    }
}

pub const STACK: u64 = 0x7ffe_0000_0000;
/// Its end is aligned as the ABI asks, and no better.
pub const STACK_LEN: u64 = 0x6_0010;
/// No call has more instructions.
pub const MOST: usize = 60_000_000;
/// A bit for each vector, then for each mask.
const ALL: u64 = (1 << 40) - 1;
/// Where a call returns to.
const END: u64 = 0xdead_0000;
/// Registers before a call: junk, and 0 where a processor has none.
fn registers(abi: &Abi) -> [Word; 33] {
    let is = |r| r < abi.general && Some(r) != abi.zero;
    std::array::from_fn(|r| std::array::from_fn(|_| if is(r) { junk() } else { ZERO }))
}

impl<'p> Machine<'p> {
    /// Registers hold unknown bytes before a call, and nothing may hang on them.
    pub fn new(p: &'p Program, found: Rc<Meanings>) -> Self {
        let mut m = Machine {
            p,
            general: registers(p.abi),
            vectors: Box::new([[ZERO; 64]; 32]),
            masks: Box::new([[ZERO; 64]; 8]),
            flags: Flags::default(),
            not_zero: Vec::new(),
            down: false,
            kept: p.abi.kept,
            lowest: STACK,
            regions: Vec::new(),
            last: 0,
            places: Vec::new(),
            touched: 0,
            stale: ALL,
            count: 0,
            most: MOST,
            seen: vec![false; p.code.len()],
            faults: Vec::new(),
            constants: Vec::new(),
            keep_constants: false,
            replaced: Vec::new(),
            replacements: 0,
            found,
        };
        // The stack below the return address, and that address: nothing above it, as arguments are in registers.
        let below = STACK_LEN as usize - if p.abi.link.is_some() { 0 } else { 8 };
        m.region("stack", STACK, vec![None; below], true);
        m.touched = below;
        if p.abi.link.is_none() {
            let end = bytes::<8>(END).map(Some).to_vec();
            m.region("the return address", STACK + below as u64, end, false);
        }
        m
    }
    /// Forgets all that a caller, or a call before, has left in registers and below the stack pointer, which is aligned
    /// as a call finds it, before the return address is pushed.
    pub fn begin(&mut self) {
        self.general = registers(self.p.abi);
        self.stale = ALL;
        self.flags = Flags::default();
        self.forget_stack(STACK_LEN as usize);
        self.set(self.p.abi.sp, STACK + STACK_LEN);
    }
    /// Forgets this many bytes of the stack from its lowest on.
    fn forget_stack(&mut self, n: usize) {
        let bytes = &mut self.regions[0].bytes;
        let n = n.min(bytes.len());
        if self.touched < n {
            bytes[self.touched..n].fill(None);
            self.touched = n;
        }
    }
    /// Makes the junk of these vectors and masks, if they hold some.
    pub fn settle(&mut self, named: u64) {
        let mut rest = self.stale & named;
        self.stale &= !named;
        while rest != 0 {
            let r = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let to = if r < 32 { &mut self.vectors[r] } else { &mut self.masks[r - 32] };
            *to = std::array::from_fn(|_| junk());
        }
    }
    /// Makes the junk of vectors and masks that an instruction uses.
    fn settle_operands(&mut self, code: &Code) {
        let mut named = 0;
        for o in &code.operands {
            let mask = match o {
                Operand::Vector { r, mask, .. } => {
                    named |= 1 << r;
                    mask
                }
                Operand::Mask { r, mask } => {
                    named |= 1 << (32 + r);
                    mask
                }
                Operand::Elements { r, count, .. } => {
                    (0..*count.max(&1)).for_each(|k| named |= 1 << ((r + k) % 32));
                    continue;
                }
                Operand::Memory { mask, .. } => mask,
                _ => continue,
            };
            mask.iter().for_each(|mask| named |= 1 << (32 + mask.r));
        }
        match code.name.as_str() {
            // Its old form uses the first vector.
            "pblendvb" => named |= 1,
            // It leaves 16 bytes of each.
            "vzeroupper" => {
                for r in (0..16).filter(|r| self.stale >> r & 1 != 0) {
                    self.vectors[r][..16].iter_mut().for_each(|b| *b = junk());
                }
                self.stale &= !0xffff;
            }
            _ => {}
        }
        self.settle(named);
    }

    /// The meanings that were found so far.
    pub fn meanings(&self) -> Rc<Meanings> {
        self.found.clone()
    }
    /// Gives memory.
    pub fn region(&mut self, name: &'static str, at: u64, bytes: Vec<Option<Byte>>, writes: bool) {
        let place = self.places.partition_point(|(other, _)| *other <= at);
        self.places.insert(place, (at, self.regions.len()));
        self.regions.push(Region { name, at, bytes, writes, result: false });
    }
    /// Takes back all memory but the stack.
    pub fn only_stack(&mut self) {
        self.regions.truncate(1);
        self.places.retain(|(_, k)| *k == 0);
        self.last = 0;
    }
    /// Gives memory to be read.
    pub fn reads(&mut self, name: &'static str, at: u64, bytes: &[Byte]) {
        self.region(name, at, bytes.iter().copied().map(Some).collect(), false);
    }
    /// Gives memory for a result, with bytes or unknown ones.
    pub fn writes(&mut self, name: &'static str, at: u64, bytes: Vec<Option<Byte>>) {
        self.region(name, at, bytes, true);
        if let Some(r) = self.regions.last_mut() {
            r.result = true;
        }
    }
    /// Puts a number into a general register.
    pub fn set(&mut self, r: usize, n: u64) {
        self.general[r] = bytes(n);
    }

    // Memory.

    fn find(&mut self, at: u64, n: usize) -> Option<(usize, usize)> {
        let within = |r: &Region| {
            let i = at.checked_sub(r.at)? as usize;
            (i.checked_add(n)? <= r.bytes.len()).then_some(i)
        };
        if let Some(i) = within(&self.regions[self.last]) {
            return Some((self.last, i));
        }
        let before = self.places.partition_point(|(other, _)| *other <= at);
        let (_, k) = *self.places[..before].last()?;
        self.last = k;
        Some((k, within(&self.regions[k])?))
    }
    pub fn load(&mut self, at: u64, n: usize) -> Or<Vec<Byte>> {
        if n > 1 << 24 {
            return refuse(format!("a read of {n} bytes at {at:x}"));
        }
        let mut out = vec![ZERO; n];
        self.load_into(at, &mut out)?;
        Ok(out)
    }
    pub fn load_into(&mut self, at: u64, out: &mut [Byte]) -> Or<()> {
        if let Some((r, i)) = self.find(at, out.len()) {
            self.near(r, at)?;
            for (out, b) in out.iter_mut().zip(&mut self.regions[r].bytes[i..]) {
                *out = *b.get_or_insert_with(junk);
            }
            return Ok(());
        }
        if let (false, true, Some(all)) =
            (self.keep_constants, self.faults.is_empty(), self.p.constants(at, out.len()))
        {
            out.iter_mut().zip(all).for_each(|(out, b)| *out = Byte::new(*b));
            return Ok(());
        }
        for (i, out) in out.iter_mut().enumerate() {
            let at = at.wrapping_add(i as u64);
            let Some(mut b) = self.p.constant(at) else {
                return refuse(format!("a read at {at:x}, outside the memory given"));
            };
            for fault in &self.faults {
                if let Fault::Flip(place, bit) = fault
                    && *place == at
                {
                    b ^= bit;
                }
            }
            if self.keep_constants {
                self.constants.push(at);
            }
            *out = Byte::new(b);
        }
        Ok(())
    }
    pub fn store(&mut self, at: u64, data: &[Byte]) -> Or<()> {
        match self.find(at, data.len()) {
            Some((r, i)) if self.regions[r].writes => {
                self.near(r, at)?;
                for (to, b) in self.regions[r].bytes[i..].iter_mut().zip(data) {
                    *to = Some(shortened(*b));
                }
                Ok(())
            }
            Some((r, _)) => refuse(format!("a write to {}", self.regions[r].name)),
            None => refuse(format!("a write at {at:x}, outside the memory given")),
        }
    }
    /// Refuses an access below the bytes that a handler of signals leaves alone under the stack pointer.
    fn near(&mut self, region: usize, at: u64) -> Or<()> {
        if region == 0 && at + self.p.abi.below < self.top()? {
            return refuse("an access far below the stack pointer");
        }
        if region == 0 && at < self.lowest {
            return refuse("an access below the frame");
        }
        if region == 0 {
            self.touched = self.touched.min((at - STACK) as usize);
        }
        Ok(())
    }
    fn term(&self, (r, n): (usize, usize)) -> Or<u64> {
        match number(&self.general[r][..n]) {
            Some(n) => Ok(n),
            None => refuse("an address hangs on data"),
        }
    }
    pub fn address(&self, place: &Place) -> Or<u64> {
        let mut at = place.offset;
        if let Some(base) = place.base {
            at = at.wrapping_add(self.term(base)?);
        }
        if let Some((r, n, scale)) = place.index {
            at = at.wrapping_add(self.term((r, n))?.wrapping_mul(scale));
        }
        Ok(at)
    }

    // Operands.

    /// How many bytes an operand has.
    pub fn size(o: &Operand) -> Option<usize> {
        match o {
            Operand::General { n, .. } | Operand::Memory { n, .. } => Some(*n),
            Operand::Vector { n, .. } => Some(*n),
            _ => None,
        }
    }
    /// The bytes of an operand of general instructions.
    pub fn get(&mut self, o: &Operand, n: usize) -> Or<Vec<Byte>> {
        match o {
            Operand::General { r, from, n: size } => {
                Ok(self.general[*r][*from..from + n.min(*size)].to_vec())
            }
            Operand::Memory { place, .. } => {
                let at = self.address(place)?;
                self.load(at, n)
            }
            Operand::Number(x) => Ok(bytes::<8>(*x)[..n].to_vec()),
            _ => refuse("an operand that is not known"),
        }
    }
    pub fn put(&mut self, o: &Operand, data: &[Byte]) -> Or<()> {
        match o {
            Operand::General { r, .. } if Some(*r) == self.p.abi.zero => Ok(()),
            Operand::General { r, from, n } => {
                let word = &mut self.general[*r];
                if *n >= 4 {
                    *word = [ZERO; 8];
                }
                for i in 0..*n {
                    word[from + i] = data.get(i).copied().unwrap_or(ZERO);
                }
                Ok(())
            }
            Operand::Memory { place, n, .. } => {
                let at = self.address(place)?;
                self.store(at, &data[..*n])
            }
            _ => refuse("a result that is not known"),
        }
    }
    /// The first `n` bytes of a source of vector instructions; the rest are 0.
    pub fn source(&mut self, o: &Operand, n: usize) -> Or<Lanes> {
        let mut out = [ZERO; 64];
        match o {
            Operand::Vector { r, .. } => out[..n].copy_from_slice(&self.vectors[*r][..n]),
            Operand::Memory { place, n: size, repeats, .. } => {
                let at = self.address(place)?;
                if *repeats {
                    let one = self.load(at, *size)?;
                    out[..n].iter_mut().enumerate().for_each(|(i, b)| *b = one[i % size]);
                } else {
                    self.load_into(at, &mut out[..n])?;
                }
            }
            Operand::General { r, n: size, .. } => {
                out[..*size].copy_from_slice(&self.general[*r][..*size]);
            }
            _ => return refuse("a source that is not known"),
        }
        Ok(out)
    }
    /// Bit `i` of a mask.
    pub fn bit(&self, mask: usize, i: usize) -> Byte {
        self.masks[mask][i]
    }
    /// Puts a vector of `n` bytes, in elements of `each` where it is under a mask. The old forms of
    /// instructions leave the rest of a register as it is; all others clear it.
    pub fn finish(&mut self, o: &Operand, lanes: &Lanes, each: usize, old: bool) -> Or<()> {
        let Operand::Vector { r, n, mask } = o else { return refuse("no vector for a result") };
        let mut new = *lanes;
        if let Some(mask) = mask {
            for i in 0..*n {
                let keep = if mask.clears { ZERO } else { self.vectors[*r][i] };
                new[i] = crate::bytes::select(self.bit(mask.r, i / each), lanes[i], keep);
            }
        }
        let to = &mut self.vectors[*r];
        to[..*n].copy_from_slice(&new[..*n]);
        if !old {
            to[*n..].fill(ZERO);
        }
        Ok(())
    }

    // The walk.

    /// Runs a function from its first instruction to its return.
    pub fn call(&mut self, first: usize) -> Or<()> {
        let abi = self.p.abi;
        self.settle(abi.kept_vectors.clone().fold(0, |all, r| all | 1 << r));
        let own = self.own();
        let before = self.general[abi.sp];
        match abi.link {
            Some(r) => self.set(r, END),
            None => self.set(abi.sp, STACK + STACK_LEN - 8),
        }
        let mut i = first;
        loop {
            let other = |f: &Fault| matches!(f, Fault::Code(from, _) if *from == i);
            if let Some(Fault::Code(from, to)) = self.faults.iter().copied().find(other) {
                self.seen[from] = true;
                i = to;
            }
            let mut at = match self.step(i)? {
                Some(at) => at,
                None => {
                    i = self.p.code[i].next;
                    if i >= self.p.code.len() {
                        return refuse("the end of the code");
                    }
                    continue;
                }
            };
            loop {
                let other = |(i, _): &&(usize, Replaced)| self.p.place(at) == Some(*i);
                let back = abi.link.map(|r| self.general[r]);
                if let Some(name) = self.p.external.get(&at) {
                    self.external(name)?;
                } else if let Some((_, f)) = self.replaced.iter().find(other).cloned() {
                    f(self)?;
                } else {
                    break;
                }
                at = match back {
                    Some(back) => target(&back)?,
                    None => self.pop_number()?,
                };
            }
            if at == END {
                break;
            }
            let Some(place) = self.p.place(at) else { return refuse(format!("no code at {at:x}")) };
            i = place;
        }
        if self.own() != own {
            return refuse("a register of the caller is lost");
        }
        if self.down {
            return refuse("strings go down");
        }
        if self.general[abi.sp] != before {
            return refuse("the stack pointer is not as it was");
        }
        Ok(())
    }

    /// The registers that a call must leave as they were.
    fn own(&self) -> Vec<Word> {
        let vectors = self.vectors[self.p.abi.kept_vectors.clone()].iter();
        let vectors = vectors.map(|v| std::array::from_fn(|i| v[i]));
        self.kept.iter().map(|r| self.general[*r]).chain(vectors).collect()
    }

    /// Does an instruction; the address that it jumps to, if it jumps.
    fn step(&mut self, i: usize) -> Or<Option<u64>> {
        let p = self.p;
        let code = &p.code[i];
        self.seen[i] = true;
        self.count += 1;
        if self.count > self.most {
            return refuse("too long");
        }
        if self.faults.contains(&Fault::Skip(i)) {
            return Ok(None);
        }
        let found = self.found.clone();
        if let (false, Some(to)) = (self.not_zero.is_empty(), self.asks_for_zero(code)) {
            return Ok(to);
        }
        let meaning = found.0[i].get_or_init(|| meanings::of(p.abi, &code.name));
        let failed = |e: Refused| Refused(format!("{}, at {:x}: {}", e.0, code.at, code.name));
        if let Some(odd) = &code.odd {
            return Err(failed(Refused(format!("the operand {odd} is not known"))));
        }
        let Some(meaning) = meaning else {
            return Err(failed(Refused("an instruction without a meaning".into())));
        };
        let mut changed = None;
        for fault in &self.faults {
            if let Fault::Number(place, bit) = fault
                && *place == i
            {
                changed = Some(Code {
                    at: code.at,
                    next: code.next,
                    name: code.name.clone(),
                    operands: code.operands.iter().map(|o| turned(o, *bit)).collect(),
                    odd: None,
                    text: code.text.clone(),
                });
            }
        }
        let code = changed.as_ref().unwrap_or(code);
        if self.stale != 0 {
            self.settle_operands(code);
        }
        meaning(self, code).map_err(failed)
    }

    /// Does an instruction that compares a result of `memcmp` with 0, if it is one and that is not 0: nothing but the zero flag
    /// and the flags that are always 0 are known after it.
    fn asks_for_zero(&mut self, code: &Code) -> Option<Option<u64>> {
        let result = |o: &Operand| match o {
            Operand::General { r, from: 0, n: 4 } => {
                self.not_zero.iter().any(|result| self.general[*r][..4] == *result)
            }
            _ => false,
        };
        match (code.name.as_str(), &code.operands[..]) {
            ("test", [a, b]) if result(a) && a == b => {
                let (carry, no) = (Some(ZERO), Some(false));
                self.flags = Flags { carry, zero: no, overflow: no, ..Flags::default() };
                Some(None)
            }
            ("cbz", [_, a]) if result(a) => Some(None),
            ("cbnz", [Operand::Code(to), a]) if result(a) => Some(Some(*to)),
            _ => None,
        }
    }

    /// The stack pointer.
    pub fn top(&self) -> Or<u64> {
        self.term((self.p.abi.sp, 8))
    }
    pub fn push(&mut self, word: &[Byte]) -> Or<()> {
        let at = self.top()?.wrapping_sub(8);
        self.set(self.p.abi.sp, at);
        self.store(at, word)
    }
    pub fn pop(&mut self) -> Or<Vec<Byte>> {
        let at = self.top()?;
        self.set(self.p.abi.sp, at.wrapping_add(8));
        self.load(at, 8)
    }
    pub fn pop_number(&mut self) -> Or<u64> {
        let word = self.pop()?;
        number(&word).map_or_else(|| refuse("a return hangs on data"), Ok)
    }

    /// A function of the C library.
    fn external(&mut self, name: &str) -> Or<()> {
        let [first, second, third] = [0, 1, 2].map(|i| self.p.abi.arguments[i]);
        let argument = |r: usize| {
            number(&self.general[r])
                .map_or_else(|| refuse(format!("an argument of {name} hangs on data")), Ok)
        };
        let (to, n) = (argument(first)?, argument(third)? as usize);
        let mut result = to;
        match name {
            // Equal numbers have a result; of other numbers only a comparison of the result with 0, and of data nothing.
            "bcmp" | "memcmp" => {
                let other = argument(second)?;
                let (a, b) = (self.load(to, n)?, self.load(other, n)?);
                if a.iter().chain(&b).any(|b| b.number().is_none()) {
                    return refuse(format!("a call of {name} that is not of numbers"));
                }
                if a != b {
                    self.spoiled();
                    let result = std::array::from_fn(|i| self.general[0][i]);
                    // Numbers that look random are not 0 by themselves.
                    if number(&result).is_none() {
                        self.not_zero.push(result);
                    }
                    return Ok(());
                }
                result = 0;
            }
            "memcpy" | "memmove" => {
                let from = argument(second)?;
                if n > 0 {
                    let data = self.load(from, n)?;
                    self.store(to, &data)?;
                }
            }
            "memset" => {
                if n > 1 << 24 {
                    return refuse(format!("a call of memset for {n} bytes"));
                }
                if n > 0 {
                    self.store(to, &vec![self.general[second][0]; n])?;
                }
            }
            _ => return refuse(format!("a call of {name}")),
        }
        self.spoiled();
        self.set(0, result);
        Ok(())
    }
    /// Registers and stack that a call may change are unknown after it.
    pub fn spoiled(&mut self) {
        for r in self.p.abi.changed {
            self.general[*r] = std::array::from_fn(|_| junk());
        }
        self.stale = ALL;
        for r in self.p.abi.kept_vectors.clone() {
            self.stale &= !(1 << r);
            self.vectors[r][8..].iter_mut().for_each(|b| *b = junk());
        }
        self.flags = Flags::default();
        if let Ok(top) = self.top() {
            self.forget_stack(top.saturating_sub(STACK) as usize);
        }
    }

    /// The bytes that hang on keys and texts at the return: in memory outside the results, but for this number of bytes
    /// at the top of the stack; and in registers, but for the number that is returned.
    pub fn left(&self, top: usize) -> [usize; 2] {
        let others = self.regions.iter().enumerate().filter(|(_, r)| r.writes && !r.result);
        let counted = |(i, r): (usize, &Region)| match (i, r.bytes.len()) {
            (0, all) => {
                let end = (all + 8).saturating_sub(top).min(all);
                self.touched.min(end)..end
            }
            (_, all) => 0..all,
        };
        let memory = others.flat_map(|o| o.1.bytes[counted(o)].iter().flatten());
        let memory = memory.filter(|b| secret(**b));
        // Junk is no secret, made or not.
        let made =
            |first: usize| move |(r, _): &(usize, &Lanes)| self.stale >> (first + r) & 1 == 0;
        let masks = self.masks.iter().enumerate().filter(made(32));
        let bits = masks.filter(|(_, k)| k.iter().any(|b| secret(*b))).count() * 8;
        let vectors = self.vectors.iter().enumerate().filter(made(0)).flat_map(|(_, v)| v);
        let registers = vectors.chain(self.general.iter().flatten());
        [memory.count(), registers.filter(|b| secret(**b)).count() + bits]
    }
    /// A number for the state in the end, but for flags.
    pub fn state(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hash = DefaultHasher::new();
        let first = self.regions[0].bytes[self.touched..].iter().position(Option::is_some);
        let first = first.map_or(self.regions[0].bytes.len(), |n| self.touched + n);
        (first, &self.regions[0].bytes[first..]).hash(&mut hash);
        let memory = self.regions[1..].iter().filter(|r| r.writes).map(|r| &r.bytes);
        memory.for_each(|bytes| bytes.hash(&mut hash));
        // Junk that was not made is the same in all.
        let made =
            |first: usize| move |(r, _): &(usize, &Lanes)| self.stale >> (first + r) & 1 == 0;
        self.vectors.iter().enumerate().filter(made(0)).for_each(|v| v.hash(&mut hash));
        self.masks.iter().enumerate().filter(made(32)).for_each(|k| k.hash(&mut hash));
        self.general.hash(&mut hash);
        hash.finish()
    }
}

/// The address that a jump leads to.
pub fn target(word: &[Byte]) -> Or<u64> {
    number(word).map_or_else(|| refuse("a jump hangs on data"), Ok)
}

/// A number among operands with a bit turned round.
fn turned(o: &Operand, bit: u8) -> Operand {
    match o {
        Operand::Number(n) => Operand::Number(n ^ u64::from(bit)),
        o => *o,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Byte, var};

    /// The result of a comparison of different numbers is not 0, wherever it is moved; no more is known.
    #[test]
    fn comparisons_of_memory() {
        let lines = [
            "mov ebx,eax",
            "test eax,eax",
            "test ebx,ebx",
            "test ecx,ecx",
            "test eax,ecx",
            "test al,al",
            "test rax,rax",
        ];
        let lines: Vec<String> = lines.iter().map(|l| (*l).into()).collect();
        let p = Program::of_lines(&lines);
        let compared = |other: Byte| {
            crate::domain::forget();
            let mut m = Machine::new(&p, Meanings::new(&p));
            m.begin();
            m.reads("one", 0x1000, &[Byte::new(7), Byte::new(8)]);
            m.reads("other", 0x2000, &[Byte::new(7), other]);
            [(7, 0x1000), (6, 0x2000), (2, 2)].iter().for_each(|(r, n)| m.set(*r, *n));
            m.external("bcmp").map(|()| {
                let mut zero = |i: usize| {
                    m.flags = Flags::default();
                    m.step(i).map_or(None, |_| m.flags.zero)
                };
                std::array::from_fn(&mut zero)
            })
        };
        let no = Some(false);
        assert_eq!(
            compared(Byte::new(9)).expect("numbers"),
            [None, no, no, None, None, None, None]
        );
        let equal: [Option<bool>; 7] = compared(Byte::new(8)).expect("numbers");
        assert_eq!(equal[1..3], [Some(true); 2]);
        compared(var()).expect_err("data");
    }
}
