//! Operations on values, in the order of the text, and the instruction sets that have them.

/// An instruction set: its word, bytes of a vector, the registers to be given, and whether an instruction has a
/// destination of its own.
#[derive(Clone, Copy)]
pub struct Set {
    pub word: &'static str,
    pub len: usize,
    pub registers: usize,
    pub apart: bool,
}

pub const SSSE3: Set = Set { word: "ssse3", len: 16, registers: 16, apart: false };
pub const AVX: Set = Set { word: "avx", len: 16, registers: 16, apart: true };
pub const AVX2: Set = Set { word: "avx2", len: 32, registers: 16, apart: true };

impl Set {
    /// Of its registers.
    pub fn letter(self) -> &'static str {
        if self.len == 16 { "x" } else { "y" }
    }

    /// Its vector registers, from this one on, in words.
    pub fn vectors(self, from: usize) -> String {
        let letter = self.letter();
        format!("{letter}mm{from} to {letter}mm{}", self.registers - 1)
    }
}

/// The register that points to the memory for what does not fit into registers.
pub const SLOTS: &str = "r10";

/// The memory at a register and a number of bytes.
pub type Place = (&'static str, usize);

/// An operation on earlier values.
#[derive(Clone)]
pub enum Does {
    /// Nothing: it is in a register before.
    Given,
    /// Nothing: it stands here.
    Stands(Place),
    /// The same, of what is needed time and again.
    Constant(Place),
    /// A look-up in, or a permutation by, what stands here; or a look-up in the 16 bytes that stand here.
    By(&'static str, Place),
    Repeated(&'static str, Place),
    /// With what stands here.
    With(&'static str, Place),
    /// With a number.
    Number(&'static str, u8),
    /// Of two values; whether they may change places.
    Two(&'static str, bool),
    /// The value goes here.
    Store(Place),
}
use Does::*;

/// Operations in the order of the text.
pub struct Text {
    pub set: Set,
    pub ops: Vec<(Does, Vec<usize>)>,
}

impl Text {
    pub fn add(&mut self, does: Does, of: &[usize]) -> usize {
        self.ops.push((does, of.to_vec()));
        self.ops.len() - 1
    }
    pub fn xor(&mut self, a: usize, b: usize) -> usize {
        self.add(Two("pxor", true), &[a, b])
    }
}
