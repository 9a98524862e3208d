//! One variant as assembly: prologue, loop over `Pn` blocks, loop over the blocks left, epilogue. Loops are
//! aligned, so that variants differ by their instructions and not by where they happen to lie.
//!
//! Frame, from the stack pointer: 256 bytes for states of kernel M, then [`END`] to [`OLD`], words. The
//! tables are followed by the constants, a place of 32 bytes for each ([`Constant`]).

/// Appends an instruction.
macro_rules! put {
    ($code:expr, $($format:tt)*) => {{
        let line = format!($($format)*);
        $code.text.push_str(&line);
        $code.text.push('\n');
    }};
}

mod kernels;
mod operands;

use crate::variant::{Bank, Machine, Variant};
use operands::Constant;

/// End of the nine round keys that the loop over rounds goes through.
const END: usize = 256;
/// Pointers of code that has no register for them, and the number of blocks left.
const KEY: usize = 264;
const TEXT: usize = 272;
const COUNT: usize = 280;
/// Stack pointer before alignment.
const OLD: usize = 288;
const FRAME: usize = 312;

/// The key of a round: by number, or at the place of the loop over rounds.
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

impl<'a> Code<'a> {
    fn new(m: &'a Machine, v: &'a Variant) -> Option<Self> {
        let bank = v.set.bank;
        let vectors = if bank == Bank::Mmx { 8 } else { m.xmm };
        let words = "LUWF".contains(v.kernel);
        let xmm = matches!(bank, Bank::Xmm | Bank::Ymm);
        // Registers have no index; extractors without constants; no R8 to R15; one source at a time; half of
        // each YMM idle.
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

    fn enter(&mut self) {
        let sp = self.stack();
        if self.m.word == 8 {
            for r in ["rbx", "rbp", "r12", "r13", "r14", "r15"] {
                put!(self, "push {r}");
            }
            put!(self, "sub rsp, {FRAME}\nmov [rsp+{COUNT}], rcx");
            // RDI, RSI, RDX are the first arguments.
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

    /// The loop over groups of `blocks`, with labels of itself, of the rounds, and of the code after them.
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
                let bytes = 16 / state.len() * j;
                let key = match round {
                    Round::Number(r) if self.v.has('K') => self.vector(self.m.xmm - 10 + r),
                    Round::Number(r) => self.memory(&format!("{key}+{}", 16 * r + bytes)),
                    Round::Cursor => self.memory(&format!("{key}+{bytes}")),
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
            for (i, bytes) in order.chunks(group).enumerate() {
                let registers: Vec<usize> = bytes
                    .iter()
                    .map(|byte| {
                        let register = self.addresses[self.turn % self.addresses.len()];
                        self.turn += 1;
                        self.extract(*byte, register, b, t);
                        register
                    })
                    .collect();
                for (j, (byte, register)) in bytes.iter().zip(registers).enumerate() {
                    let n = i * group + j;
                    match seconds {
                        [] => self.look_up(*byte, register, state, n == 0),
                        // Look-ups go to both accumulators by turns.
                        _ => {
                            let to = if n.is_multiple_of(2) { state } else { seconds };
                            self.look_up(*byte, register, to, n < 2);
                        }
                    }
                }
            }
            for (lane, second) in state.iter().zip(seconds) {
                self.xor(lane, second);
            }
        }
    }

    /// The order in which bytes are looked up.
    fn order(&self) -> Vec<usize> {
        (0..16)
            .map(|i| match self.v.kernel {
                _ if self.v.has('f') => i / 2 + i % 2 * 8,
                'L' if !self.v.has('n') => i % 8 * 2 + i / 8,
                _ => i,
            })
            .collect()
    }

    /// An entry of the table of this byte: the first one is loaded, others are added.
    fn look_up(&mut self, byte: usize, register: usize, to: &[String], first: bool) {
        let table = if self.v.has('C') { 0 } else { byte * 4096 };
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
}
