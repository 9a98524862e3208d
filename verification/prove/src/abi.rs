//! How a processor's functions are called: System V's rules for x86-64, and AAPCS64.

/// The rules of a processor.
pub struct Abi {
    /// How many general registers there are, with the stack pointer and a register that is always 0.
    pub general: usize,
    /// The stack pointer's number.
    pub sp: usize,
    /// The register that is always 0.
    pub zero: Option<usize>,
    /// The register of the return address; without it the address is on the stack.
    pub link: Option<usize>,
    /// The registers of arguments, in their order.
    pub arguments: &'static [usize],
    /// The register of the place of a large result; without it that is the first argument.
    pub result: Option<usize>,
    /// The registers that a call must leave as they were.
    pub kept: &'static [usize],
    /// The vectors of which it must leave the first eight bytes.
    pub kept_vectors: std::ops::Range<usize>,
    /// The registers that a call may change.
    pub changed: &'static [usize],
    /// Bytes below the stack pointer that a handler of signals does not touch.
    pub below: u64,
}

pub const X86: Abi = Abi {
    general: 16,
    sp: 4,
    zero: None,
    link: None,
    arguments: &[7, 6, 2, 1, 8, 9],
    result: None,
    // rbx, rbp, r12 to r15.
    kept: &[3, 5, 12, 13, 14, 15],
    kept_vectors: 0..0,
    changed: &[0, 1, 2, 6, 7, 8, 9, 10, 11],
    below: 128,
};

pub const A64: Abi = Abi {
    general: 33,
    sp: 31,
    zero: Some(32),
    link: Some(30),
    arguments: &[0, 1, 2, 3, 4, 5, 6, 7],
    result: Some(8),
    kept: &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
    kept_vectors: 8..16,
    changed: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 30],
    below: 0,
};
