//! Registers, memory and constants as operands, and instructions of two or three of them.

use super::Code;
use crate::variant::Bank;

/// General registers: as 64 and 32 bits, and the first two bytes.
pub const GENERAL: [[&str; 4]; 15] = [
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
pub enum Constant {
    /// Words 00ff.
    Mask,
    Zero,
    /// Numbers of bytes; the same, eight in each half of a YMM.
    Bytes,
    BytesWide,
    /// Numbers of bytes in the upper halves of words; of even bytes; of odd ones, these twice.
    Words,
    Even,
    Odd,
    /// Shuffle of bytes to words.
    Spread,
}

impl Code<'_> {
    pub fn general(&self, register: usize) -> &'static str {
        GENERAL[register][usize::from(self.m.word == 4)]
    }

    pub fn stack(&self) -> &'static str {
        if self.m.word == 8 { "rsp" } else { "esp" }
    }

    /// A word of the frame.
    pub fn frame(&self, at: usize) -> String {
        let size = if self.m.word == 8 { "qword" } else { "dword" };
        format!("{size} ptr [{}+{at}]", self.stack())
    }

    /// Parts of a block, each of one register.
    pub fn lanes(&self) -> usize {
        match self.v.set.bank {
            Bank::General => 16 / self.m.word,
            Bank::Mmx => 2,
            _ => 1,
        }
    }

    pub fn vector(&self, n: usize) -> String {
        format!("{}{n}", if self.v.set.bank == Bank::Mmx { "mm" } else { "xmm" })
    }

    /// The next free register that can hold a lane.
    pub fn lane(&mut self) -> String {
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
    pub fn memory(&self, address: &str) -> String {
        let size = match 16 / self.lanes() {
            4 => "dword",
            8 => "qword",
            _ => "xmmword",
        };
        format!("{size} ptr [{address}]")
    }

    /// `to = a op b`, where `to` is not `b`.
    pub fn op(&mut self, name: &str, to: &str, a: &str, b: &str) {
        if self.v.set.vex {
            return put!(self, "v{name} {to}, {a}, {b}");
        }
        if to != a {
            self.copy(to, a);
        }
        put!(self, "{name} {to}, {b}");
    }

    pub fn copy(&mut self, to: &str, from: &str) {
        let name = match self.v.set.bank {
            Bank::General => "mov",
            Bank::Mmx => "movq",
            _ if self.v.set.vex => "vmovdqa",
            _ => "movdqa",
        };
        put!(self, "{name} {to}, {from}");
    }

    pub fn xor(&mut self, to: &str, with: &str) {
        self.op(if self.v.set.bank == Bank::General { "xor" } else { "pxor" }, to, to, with);
    }

    /// An instruction with neither form's third operand.
    pub fn plain(&mut self, name: &str, operands: &str) {
        put!(self, "{}{name} {operands}", if self.v.set.vex { "v" } else { "" });
    }

    /// A constant as an operand, `size` bytes of it.
    pub fn constant(&mut self, which: Constant, offset: usize, size: usize) -> String {
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

    pub fn place(&self, which: Constant, offset: usize) -> String {
        format!("{}+{}", self.general(self.tables), 65536 + 32 * which as usize + offset)
    }
}
