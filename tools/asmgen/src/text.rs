//! Operations on values, in the order of the text: AVX2, vectors of 32 bytes.

/// Bytes of a vector, and the registers to be given.
pub const LEN: usize = 32;
pub const REGISTERS: usize = 16;

/// The vector registers from the given number on, in words.
pub fn vectors(from: usize) -> String {
    format!("ymm{from} to ymm{}", REGISTERS - 1)
}

/// A distance of -128 to 127 is one byte of an instruction, other distances are four: registers point so far into what they name.
pub const MIDDLE: isize = 128;
/// The registers that point into the memory for values that do not fit into registers: into its first 256 bytes, and into
/// the next 256. Two of the first eight, which save a byte.
pub const SLOTS: [&str; 2] = ["rcx", "rsi"];

/// The memory at a register and a number of bytes.
pub type Place = (&'static str, isize);

/// An operation on earlier values.
#[derive(Clone)]
pub enum Does {
    /// Nothing: it is in a register before.
    Given,
    /// Nothing: it is in memory here.
    Stands(Place),
    /// Nothing: it is in memory here, and needed time and again.
    Constant(Place),
    /// A look-up in, or a permutation by, the vector here; or a look-up in the 16 bytes here.
    By(&'static str, Place),
    Repeated(&'static str, Place),
    /// An operation with the vector here.
    With(&'static str, Place),
    /// An operation with a number.
    Number(&'static str, u8),
    /// An operation on two values; whether they may change places.
    Two(&'static str, bool),
    /// The value goes here.
    Store(Place),
}
use Does::*;

/// Operations in the order of the text.
#[derive(Default)]
pub struct Text {
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
