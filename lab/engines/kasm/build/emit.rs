//! One variant as assembly: prologue, loop over `Pn` blocks, loop over the blocks left, epilogue. Loops are
//! aligned, so that variants differ by their instructions and not by where they happen to lie.
//!
//! Frame, from the stack pointer: 256 octets for states of kernel M, then [`END`] to [`OLD`], words. The
//! tables are followed by the constants, a place of 32 octets for each ([`Constant`]).

use crate::variant::{Bank, Machine, Variant};

/// End of the nine round keys that the loop over rounds goes through.
const END: usize = 256;
/// Pointers of code that has no register for them, and the number of blocks left.
const KEY: usize = 264;
const TEXT: usize = 272;
const COUNT: usize = 280;
/// Stack pointer before alignment.
const OLD: usize = 288;
const FRAME: usize = 312;

/// General registers: as 64 and 32 bits, and the first two octets.
const GENERAL: [[&str; 4]; 15] = [
    ["rax", "eax", "al", "ah"],
    ["rbx", "ebx", "bl", "bh"],
    ["rcx", "ecx", "cl", "ch"],
    ["rdx", "edx", "dl", "dh"],
    ["rsi", "esi", "sil", ""],
    ["rdi", "edi", "dil", ""],
    ["rbp", "ebp", "bpl", ""],
    ["r8", "r8d", "r8b", ""],
    ["r9", "r9d", "r9b", ""],
    ["r10", "r10d", "r10b", ""],
    ["r11", "r11d", "r11b", ""],
    ["r12", "r12d", "r12b", ""],
    ["r13", "r13d", "r13b", ""],
    ["r14", "r14d", "r14b", ""],
    ["r15", "r15d", "r15b", ""],
];

/// Constants after the tables, in the order of `Tables::constants`.
#[derive(Clone, Copy, PartialEq)]
enum Constant {
    /// Words 00ff.
    Mask,
    Zero,
    /// Numbers of octets; the same, eight in each half of a YMM.
    Octets,
    OctetsWide,
    /// Numbers of octets in the upper halves of words; of even octets; of odd ones, these twice.
    Words,
    Even,
    Odd,
    /// Shuffle of octets to words.
    Spread,
}

/// The key of a round: by number, or where the loop over rounds stands.
#[derive(Clone, Copy)]
enum Round {
    Number(usize),
    Cursor,
}

/// The variant's function, or none where an instruction or a register is lacking.
pub fn function(machine: &Machine, variant: &Variant) -> Option<String> {
    let mut code = Code::new(machine, variant)?;
    if variant.blocks > 1 {
        code.repeat(variant.blocks, [2, 3, 4]);
    }
    code.repeat(1, [4, 5, 6]);
    if code.lacking || (variant.has('t') && code.cached.is_empty()) {
        return None;
    }
    let body = std::mem::take(&mut code.text);
    code.enter();
    let head = std::mem::take(&mut code.text);
    code.leave();
    Some(head + &body + &code.text)
}

struct Code<'a> {
    m: &'a Machine,
    v: &'a Variant,
    text: String,
    /// Something did not fit.
    lacking: bool,
    /// General registers by role, as indices of [`GENERAL`].
    tables: usize,
    key: usize,
    pointer: usize,
    sources: Vec<usize>,
    addresses: Vec<usize>,
    spare: Vec<usize>,
    /// Pointers are in the frame: all registers hold the state.
    crowded: bool,
    /// The first vector register that keys and constants have taken, from the top.
    top: usize,
    /// Vector or spare registers taken by states and temporaries, from the bottom.
    taken: usize,
    /// Constants in registers: which, its offset, the register.
    cached: Vec<(Constant, usize, usize)>,
    turn: usize,
}

/// Appends an instruction.
macro_rules! put {
    ($code:expr, $($format:tt)*) => {{
        let line = format!($($format)*);
        $code.text.push_str(&line);
        $code.text.push('\n');
    }};
}

impl<'a> Code<'a> {
    fn new(m: &'a Machine, v: &'a Variant) -> Option<Self> {
        let bank = v.set.bank;
        let vectors = if bank == Bank::Mmx { 8 } else { m.xmm };
        let words = "LUWF".contains(v.kernel);
        let xmm = matches!(bank, Bank::Xmm | Bank::Ymm);
        let lacking = (v.has('K') && !(v.has('E') && xmm && m.xmm > 10))
            || (v.has('C') && !words)
            || (v.has('l') && m.word < 8)
            || (v.has('f') && v.kernel == 'R' && m.word < 8)
            || (bank == Bank::Ymm && v.kernel == 'L' && v.blocks == 1);
        if lacking {
            return None;
        }
        let crowded = bank == Bank::General && m.word == 4;
        let (roles, mut free) = match (m.word, v.has('l')) {
            (8, false) => ([14, 13, 12], vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            (8, true) if v.kernel == 'R' => {
                ([5, 4, 3], vec![0, 1, 7, 8, 9, 10, 11, 12, 13, 14, 6, 2])
            }
            (8, true) => ([5, 4, 3], vec![7, 8, 9, 10, 11, 12, 13, 14, 6, 2, 1, 0]),
            _ if crowded => ([4, 0, 0], vec![0, 1, 2, 3, 5, 6]),
            _ => ([4, 5, 6], vec![0, 1, 2, 3]),
        };
        // Code that is crowded reads pointers, too, into the source.
        let sources = if v.kernel == 'R' || crowded { m.word / 4 } else { 0 };
        let mut take = |n| (free.len() >= n).then(|| free.drain(..n).collect::<Vec<_>>());
        let (sources, addresses) = (take(sources)?, take(v.registers)?);
        Some(Code {
            m,
            v,
            text: String::new(),
            lacking: false,
            tables: roles[0],
            key: roles[1],
            pointer: roles[2],
            sources,
            addresses,
            spare: free,
            crowded,
            top: vectors - if v.has('K') { 10 } else { 0 },
            taken: 0,
            cached: Vec::new(),
            turn: 0,
        })
    }

    fn general(&self, register: usize) -> &'static str {
        GENERAL[register][usize::from(self.m.word == 4)]
    }

    fn stack(&self) -> &'static str {
        if self.m.word == 8 { "rsp" } else { "esp" }
    }

    /// A word of the frame.
    fn frame(&self, at: usize) -> String {
        let size = if self.m.word == 8 { "qword" } else { "dword" };
        format!("{size} ptr [{}+{at}]", self.stack())
    }

    /// Parts of a block, in registers of so many octets.
    fn lanes(&self) -> usize {
        match self.v.set.bank {
            Bank::General => 16 / self.m.word,
            Bank::Mmx => 2,
            _ => 1,
        }
    }

    fn vector(&self, n: usize) -> String {
        format!("{}{n}", if self.v.set.bank == Bank::Mmx { "mm" } else { "xmm" })
    }

    /// The next free register that can hold a lane.
    fn lane(&mut self) -> String {
        self.taken += 1;
        if self.v.set.bank != Bank::General {
            self.lacking |= self.taken > self.top;
            return self.vector(self.taken - 1);
        }
        match self.spare.get(self.taken - 1) {
            Some(r) => self.general(*r).into(),
            None => {
                self.lacking = true;
                String::new()
            }
        }
    }

    /// Memory as an operand of a lane's size.
    fn memory(&self, address: &str) -> String {
        let size = match 16 / self.lanes() {
            4 => "dword",
            8 => "qword",
            _ => "xmmword",
        };
        format!("{size} ptr [{address}]")
    }

    /// `to = a op b`, where `to` is not `b`.
    fn op(&mut self, name: &str, to: &str, a: &str, b: &str) {
        if self.v.set.vex {
            return put!(self, "v{name} {to}, {a}, {b}");
        }
        if to != a {
            self.copy(to, a);
        }
        put!(self, "{name} {to}, {b}");
    }

    fn copy(&mut self, to: &str, from: &str) {
        let name = match self.v.set.bank {
            Bank::General => "mov",
            Bank::Mmx => "movq",
            _ if self.v.set.vex => "vmovdqa",
            _ => "movdqa",
        };
        put!(self, "{name} {to}, {from}");
    }

    fn xor(&mut self, to: &str, with: &str) {
        self.op(if self.v.set.bank == Bank::General { "xor" } else { "pxor" }, to, to, with);
    }

    /// An instruction with neither form's third operand.
    fn plain(&mut self, name: &str, operands: &str) {
        put!(self, "{}{name} {operands}", if self.v.set.vex { "v" } else { "" });
    }

    /// A constant as an operand, `size` octets of it.
    fn constant(&mut self, which: Constant, offset: usize, size: usize) -> String {
        let vector = |n| match size {
            32 => format!("ymm{n}"),
            16 => format!("xmm{n}"),
            _ => format!("mm{n}"),
        };
        if !self.v.has('t') {
            let size = ["dword", "qword", "xmmword", "ymmword"][size.ilog2() as usize - 2];
            return format!("{size} ptr [{}]", self.place(which, offset));
        }
        if let Some((.., n)) = self.cached.iter().find(|c| (c.0, c.1) == (which, offset)) {
            return vector(*n);
        }
        self.top = self.top.saturating_sub(1);
        self.cached.push((which, offset, self.top));
        vector(self.top)
    }

    fn place(&self, which: Constant, offset: usize) -> String {
        format!("{}+{}", self.general(self.tables), 65536 + 32 * which as usize + offset)
    }

    fn enter(&mut self) {
        let sp = self.stack();
        if self.m.word == 8 {
            for r in ["rbx", "rbp", "r12", "r13", "r14", "r15"] {
                put!(self, "push {r}");
            }
            put!(self, "sub rsp, {FRAME}\nmov [rsp+{COUNT}], rcx");
            for (role, argument) in [(self.tables, 5), (self.key, 4), (self.pointer, 3)] {
                if role != argument {
                    put!(self, "mov {}, {}", self.general(role), self.general(argument));
                }
            }
        } else {
            put!(self, "push ebx\npush esi\npush edi\npush ebp\nmov eax, esp\nsub esp, {FRAME}");
            put!(self, "and esp, -32\nmov [esp+{OLD}], eax\nmov ecx, [eax+32]");
            put!(self, "mov [esp+{COUNT}], ecx\nmov esi, [eax+20]");
            put!(self, "mov edi, [eax+24]\nmov ebp, [eax+28]");
            put!(self, "mov [esp+{KEY}], edi\nmov [esp+{TEXT}], ebp");
        }
        // Here the first free register holds nothing yet.
        let free = self.general(self.sources.first().map_or(self.addresses[0], |s| *s));
        let key = if self.crowded { "edi" } else { self.general(self.key) };
        put!(self, "lea {free}, [{key}+144]\nmov [{sp}+{END}], {free}");
        let vectors = if self.v.set.bank == Bank::Mmx { 8 } else { self.m.xmm };
        if self.v.has('K') {
            for i in 0..10 {
                let (to, from) = (self.vector(vectors - 10 + i), format!("{key}+{}", 16 * i));
                self.copy(&to, &format!("xmmword ptr [{from}]"));
            }
        }
        for (which, offset, n) in self.cached.clone() {
            let from = self.place(which, offset);
            match self.v.set.bank {
                Bank::Ymm => put!(self, "vmovdqa ymm{n}, ymmword ptr [{from}]"),
                _ => self.copy(&self.vector(n), &self.memory(&from)),
            }
        }
    }

    fn leave(&mut self) {
        match self.v.set.bank {
            Bank::Mmx => put!(self, "emms"),
            Bank::Ymm => put!(self, "vzeroupper"),
            _ => {}
        }
        if self.m.word == 8 {
            put!(self, "add rsp, {FRAME}");
            for r in ["r15", "r14", "r13", "r12", "rbp", "rbx"] {
                put!(self, "pop {r}");
            }
        } else {
            put!(self, "mov esp, [esp+{OLD}]\npop ebp\npop edi\npop esi\npop ebx");
        }
        put!(self, "ret");
    }

    /// The loop over groups of `blocks`, with labels of itself, of the rounds, and of what follows.
    fn repeat(&mut self, blocks: usize, [top, rounds, end]: [usize; 3]) {
        let count = self.frame(COUNT);
        put!(self, ".p2align 5\n{top}:\ncmp {count}, {blocks}\njb {end}f");
        self.taken = 0;
        let lanes = self.lanes();
        let states: Vec<Vec<String>> =
            (0..blocks).map(|_| (0..lanes).map(|_| self.lane()).collect()).collect();
        let seconds: Vec<String> =
            (0..if self.v.has('G') { lanes } else { 0 }).map(|_| self.lane()).collect();
        let temporaries: Vec<String> = (0..self.temporaries()).map(|_| self.lane()).collect();

        self.text(&states, false);
        if self.v.has('E') {
            for r in 0..9 {
                self.round(&states, &seconds, &temporaries, Round::Number(r));
            }
            self.add_key(&states, Round::Number(9));
        } else {
            put!(self, ".p2align 5\n{rounds}:");
            self.round(&states, &seconds, &temporaries, Round::Cursor);
            let end = self.frame(END);
            let key = if self.crowded { self.frame(KEY) } else { self.general(self.key).into() };
            put!(self, "add {key}, 16");
            if self.crowded {
                put!(self, "mov eax, {key}\ncmp eax, {end}\njne {rounds}b");
            } else {
                put!(self, "cmp {key}, {end}\njne {rounds}b");
            }
            self.add_key(&states, Round::Cursor);
            put!(self, "sub {key}, 144");
        }
        self.text(&states, true);

        let pointer =
            if self.crowded { self.frame(TEXT) } else { self.general(self.pointer).into() };
        put!(self, "add {pointer}, {}\nsub {count}, {blocks}\njmp {top}b\n{end}:", 16 * blocks);
        self.lacking |= self.taken > self.top && self.v.set.bank != Bank::General;
    }

    /// Loads or stores the blocks.
    fn text(&mut self, states: &[Vec<String>], store: bool) {
        if self.crowded {
            put!(self, "mov eax, {}", self.frame(TEXT));
        }
        let name = match self.v.set.bank {
            Bank::General => "mov",
            Bank::Mmx => "movq",
            _ if self.v.set.vex => "vmovdqu",
            _ => "movdqu",
        };
        for (i, lane) in states.iter().flatten().enumerate() {
            let at = format!("{}+{}", self.general(self.pointer), i * 16 / self.lanes());
            let at = self.memory(&at);
            if store {
                put!(self, "{name} {at}, {lane}");
            } else {
                put!(self, "{name} {lane}, {at}");
            }
        }
    }

    fn add_key(&mut self, states: &[Vec<String>], round: Round) {
        if self.crowded {
            put!(self, "mov eax, {}", self.frame(KEY));
        }
        let key = self.general(self.key);
        for state in states {
            for (j, lane) in state.iter().enumerate() {
                let octets = 16 / state.len() * j;
                let key = match round {
                    Round::Number(r) if self.v.has('K') => self.vector(self.m.xmm - 10 + r),
                    Round::Number(r) => self.memory(&format!("{key}+{}", 16 * r + octets)),
                    Round::Cursor => self.memory(&format!("{key}+{octets}")),
                };
                self.xor(lane, &key);
            }
        }
    }

    /// X of all blocks, then L and S of each.
    fn round(&mut self, states: &[Vec<String>], seconds: &[String], t: &[String], round: Round) {
        self.add_key(states, round);
        for (b, state) in states.iter().enumerate() {
            self.prepare(states, b, t);
            self.turn = 0;
            let group = if self.v.has('X') { self.addresses.len() } else { 1 };
            let order = self.order();
            for (i, octets) in order.chunks(group).enumerate() {
                let registers: Vec<usize> = octets
                    .iter()
                    .map(|octet| {
                        let register = self.addresses[self.turn % self.addresses.len()];
                        self.turn += 1;
                        self.extract(*octet, register, b, t);
                        register
                    })
                    .collect();
                for (j, (octet, register)) in octets.iter().zip(registers).enumerate() {
                    let n = i * group + j;
                    match seconds {
                        [] => self.look_up(*octet, register, state, n == 0),
                        // Look-ups go to both accumulators by turns.
                        _ => {
                            let to = if n.is_multiple_of(2) { state } else { seconds };
                            self.look_up(*octet, register, to, n < 2);
                        }
                    }
                }
            }
            for (lane, second) in state.iter().zip(seconds) {
                self.xor(lane, second);
            }
        }
    }

    /// The order in which octets are looked up.
    fn order(&self) -> Vec<usize> {
        (0..16)
            .map(|i| match self.v.kernel {
                _ if self.v.has('f') => i / 2 + i % 2 * 8,
                'L' if !self.v.has('n') => i % 8 * 2 + i / 8,
                _ => i,
            })
            .collect()
    }

    /// An entry of the table of this octet: the first one is loaded, others are added.
    fn look_up(&mut self, octet: usize, register: usize, to: &[String], first: bool) {
        let table = if self.v.has('C') { 0 } else { octet * 4096 };
        let scale = if self.v.has('A') { "*8" } else { "" };
        for (j, lane) in to.iter().enumerate() {
            let entry = self.memory(&format!(
                "{}+{}{scale}+{}",
                self.general(self.tables),
                self.general(register),
                table + 16 / to.len() * j
            ));
            if first { self.copy(lane, &entry) } else { self.xor(lane, &entry) }
        }
    }

    fn temporaries(&self) -> usize {
        match (self.v.kernel, self.v.set.bank) {
            (_, Bank::General) | ('M', _) => 0,
            ('R', Bank::Mmx) => 2 * usize::from(self.m.word == 4),
            ('R', _) => usize::from(self.m.word == 4 || self.v.set.name == "sse2"),
            ('B', _) => 1,
            (_, Bank::Mmx) => 4,
            _ => 2,
        }
    }

    /// What a kernel does with the whole block, so that its registers can take the sum.
    fn prepare(&mut self, states: &[Vec<String>], b: usize, t: &[String]) {
        let state = &states[b];
        let sources: Vec<&str> = self.sources.iter().map(|s| self.general(*s)).collect();
        match (self.v.kernel, self.v.set.bank) {
            ('R', Bank::General) if self.m.word == 8 => {
                for (source, lane) in sources.iter().zip(state) {
                    put!(self, "mov {source}, {lane}");
                }
            }
            ('M', _) | (_, Bank::General) => {
                for (j, lane) in state.iter().enumerate() {
                    let at = format!("{}+{}", self.stack(), 16 * b + 16 / state.len() * j);
                    self.copy(&self.memory(&at), lane);
                }
            }
            ('R', Bank::Mmx) if self.m.word == 8 => {
                for (source, lane) in sources.iter().zip(state) {
                    put!(self, "movq {source}, {lane}");
                }
            }
            ('R', _) if self.m.word == 8 => {
                self.plain("movq", &format!("{}, {}", sources[0], state[0]));
                if let Some(t) = t.first() {
                    put!(self, "pshufd {t}, {}, 0xee\nmovq {}, {t}", state[0], sources[1]);
                } else {
                    self.plain("pextrq", &format!("{}, {}, 1", sources[1], state[0]));
                }
            }
            ('R' | 'B', _) => {
                for (t, lane) in t.iter().zip(state) {
                    self.copy(t, lane);
                }
            }
            (_, Bank::Ymm) => self.spread_wide(states, b, t),
            _ => self.spread(state, t),
        }
    }

    /// The address of an octet's entry.
    fn extract(&mut self, octet: usize, register: usize, b: usize, t: &[String]) {
        let name = GENERAL[register][1];
        match self.v.kernel {
            'M' => put!(self, "movzx {name}, byte ptr [{}+{}]", self.stack(), 16 * b + octet),
            'B' => self.plain("pextrb", &format!("{name}, {}, {octet}", t[0])),
            'R' => self.extract_source(octet, register, b, t),
            kernel => {
                let (vector, word) = match (kernel, self.v.set.bank) {
                    ('L', Bank::Mmx) => (octet / 8 * 2 + octet % 2, octet % 8 / 2),
                    ('L', _) => (octet % 2, octet / 2),
                    (_, Bank::Mmx) => (octet / 4, octet % 4),
                    _ => (octet / 8, octet % 8),
                };
                return self.plain("pextrw", &format!("{name}, {}, {word}", t[vector]));
            }
        }
        if self.v.has('A') {
            put!(self, "add {name}, {name}");
        } else {
            put!(self, "shl {name}, 4");
        }
    }

    /// An octet of the source register that holds it.
    fn extract_source(&mut self, octet: usize, register: usize, b: usize, t: &[String]) {
        let word = self.m.word;
        let place = octet % word;
        if word == 4 && place == 0 {
            self.load_source(octet / 4, b, t);
        }
        let source = self.sources[octet / word % self.sources.len()];
        let (step, part) = if self.v.has('l') { (1, 2) } else { (2, 2 + octet % 2) };
        // No octet of AH to DH stands in an instruction with a REX prefix.
        self.lacking |= part == 3 && register > 6;
        put!(self, "movzx {}, {}", GENERAL[register][1], GENERAL[source][part]);
        if place % step == step - 1 && place != word - 1 {
            put!(self, "shr {}, {}", self.general(source), 8 * step);
        }
    }

    /// Four octets of the block, where registers have no more.
    fn load_source(&mut self, quarter: usize, b: usize, t: &[String]) {
        match self.v.set.bank {
            Bank::General => put!(self, "mov eax, [esp+{}]", 16 * b + 4 * quarter),
            Bank::Mmx => {
                let t = &t[quarter / 2];
                if quarter % 2 == 1 {
                    put!(self, "psrlq {t}, 32");
                }
                put!(self, "movd eax, {t}");
            }
            _ if self.v.set.name == "sse2" => {
                if quarter > 0 {
                    put!(self, "psrldq {}, 4", t[0]);
                }
                put!(self, "movd eax, {}", t[0]);
            }
            _ => self.plain("pextrd", &format!("eax, {}, {quarter}", t[0])),
        }
    }

    /// Words to offsets: the number of the table if the constants give it, then times 16, or 2.
    fn offsets(&mut self, t: &str, number: Option<(Constant, usize, usize)>) {
        if let Some((which, offset, size)) = number.filter(|_| self.v.has('C')) {
            let number = self.constant(which, offset, size);
            self.op("por", t, t, &number);
        }
        if self.v.has('A') {
            self.op("paddw", t, t, t);
        } else {
            self.op("psllw", t, t, "4");
        }
    }

    /// The octets of a block as words of two XMM or four MMX.
    fn spread(&mut self, state: &[String], t: &[String]) {
        let size = 16 / state.len();
        for (j, x) in state.iter().enumerate() {
            let pair = &t[2 * j..2 * j + 2];
            let half = j * size;
            match self.v.kernel {
                'L' => {
                    let mask = self.constant(Constant::Mask, 0, size);
                    self.op("pand", &pair[0], x, &mask);
                    self.op("psrlw", &pair[1], x, "8");
                    self.offsets(&pair[0], Some((Constant::Even, half, size)));
                    self.offsets(&pair[1], Some((Constant::Odd, half, size)));
                }
                'U' => {
                    let which = if self.v.has('C') { Constant::Octets } else { Constant::Zero };
                    let offset = if self.v.has('C') { half } else { 0 };
                    // Of MMX, this one reads four octets of memory.
                    let low = if size == 8 && !self.v.has('t') { 4 } else { size };
                    let with = self.constant(which, offset, low);
                    self.op("punpcklbw", &pair[0], x, &with);
                    let with = self.constant(which, offset, size);
                    self.op("punpckhbw", &pair[1], x, &with);
                    pair.iter().for_each(|t| self.offsets(t, None));
                }
                'W' => {
                    self.plain("pmovzxbw", &format!("{}, {x}", pair[0]));
                    self.plain("pshufd", &format!("{}, {x}, 0xee", pair[1]));
                    self.plain("pmovzxbw", &format!("{0}, {0}", pair[1]));
                    for (k, t) in pair.iter().enumerate() {
                        self.offsets(t, Some((Constant::Words, 16 * k, size)));
                    }
                }
                _ => {
                    for (k, t) in pair.iter().enumerate() {
                        let shuffle = self.constant(Constant::Spread, size * k, size);
                        self.op("pshufb", t, x, &shuffle);
                        self.offsets(t, Some((Constant::Words, 2 * half + size * k, size)));
                    }
                }
            }
        }
    }

    /// The same by YMM: all octets of one block, or for L half of those of two.
    fn spread_wide(&mut self, states: &[Vec<String>], b: usize, t: &[String]) {
        let wide = |x: &str| x.replace("xmm", "ymm");
        let (x, y, z) = (&states[b][0], wide(&t[0]), wide(&t[1]));
        match self.v.kernel {
            'L' if b % 2 == 1 => {
                put!(self, "vextracti128 {}, {y}, 1\nvextracti128 {}, {z}, 1", t[0], t[1]);
                return;
            }
            'L' => {
                let mut both = wide(x);
                if let Some(next) = states.get(b + 1) {
                    put!(self, "vinserti128 {z}, {both}, {}, 1", next[0]);
                    both = z.clone();
                }
                let mask = self.constant(Constant::Mask, 0, 32);
                self.op("pand", &y, &both, &mask);
                self.op("psrlw", &z, &both, "8");
                self.offsets(&y, Some((Constant::Even, 0, 32)));
                self.offsets(&z, Some((Constant::Odd, 0, 32)));
                return;
            }
            'W' => put!(self, "vpmovzxbw {y}, {x}"),
            'U' => {
                let which = if self.v.has('C') { Constant::OctetsWide } else { Constant::Zero };
                let with = self.constant(which, 0, 32);
                put!(self, "vpermq {y}, {}, 0x10", wide(x));
                self.op("punpcklbw", &y, &y, &with);
            }
            _ => {
                let shuffle = self.constant(Constant::Spread, 0, 32);
                put!(self, "vinserti128 {y}, {}, {x}, 1", wide(x));
                self.op("pshufb", &y, &y, &shuffle);
            }
        }
        let number = (self.v.kernel != 'U').then_some((Constant::Words, 0, 32));
        self.offsets(&y, number);
        put!(self, "vextracti128 {}, {y}, 1", t[1]);
    }
}
