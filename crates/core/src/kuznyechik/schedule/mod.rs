//! The key schedule (RFC 7801, section 4.4): its type, and the recurrence over any layout of blocks.
//!
//! With A_0 = K_2 and A_1 = K_1 it is A_(j+1) = L(S(A_j + C_j)) + A_(j-1), and A_(8g+1), A_(8g) are K_(2g+1),
//! K_(2g+2). C_j is L(j), j as a block, so B_j = L^-1(A_j) + j is
//!
//! B_(j+1) = S(L(B_j)) + B_(j-1) + (j+1) + (j-1),
//!
//! where the only constants are numbers, and L^-1 of the keys comes for nothing.

pub(super) mod vectors;

use core::hint::black_box;

use crate::kernel::{BlockKernel, Picked, Primitive};

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "kuznyechik";

impl Primitive for BlockKernel<Schedule, 16> {
    const PRIMITIVE: &'static str = NAME;
    // Magma's schedule is the words of its key; here a round key or two are spilled.
    const SPILLS: bool = true;
    fn picked() -> &'static Picked {
        static PICKED: Picked = Picked::new();
        &PICKED
    }
}

/// The round keys, in memory order. No more than 16 bytes of alignment: a move copies also the bytes in the
/// space that alignment leaves.
#[derive(Clone)]
#[repr(align(16))]
pub struct Schedule {
    /// K_1..K_10: RFC 7801, section 4.4.
    pub(crate) keys: [[u8; 16]; 10],
    /// L^-1(K_1)..L^-1(K_10): decryption and kernels that add the key after S use these.
    pub(crate) inverse: [[u8; 16]; 10],
}

impl Default for Schedule {
    /// Zeros: the schedule of no key.
    #[inline]
    fn default() -> Self {
        Schedule { keys: [[0; 16]; 10], inverse: [[0; 16]; 10] }
    }
}

impl Schedule {
    /// K_1..K_10, and L^-1 of each: for kernels of other devices.
    pub fn round_keys(&self) -> (&[[u8; 16]; 10], &[[u8; 16]; 10]) {
        (&self.keys, &self.inverse)
    }
}

/// Blocks of as many keys as a layout holds.
pub(super) trait Halves {
    type Half;
    /// True if halves stay in registers.
    const REGISTERS: bool = false;
    /// Puts half `i` of the keys, A_(1-i), and L^-1 of it; sets `half` to B_(1-i).
    fn take(&mut self, i: usize, half: &mut Self::Half);
    /// Sets `mixed` to L of `half`, which is B_1.
    fn first(&mut self, half: &mut Self::Half, mixed: &mut Self::Half);
    /// Adds S of `mixed` and the numbers of step j to `half`; sets `mixed` to L of it.
    fn step(&mut self, half: &mut Self::Half, mixed: &mut Self::Half, j: usize);
    /// Puts round key `r`, A_j, and L^-1 of it, from L(B_j) and B_j.
    fn put(&mut self, r: usize, j: usize, half: &Self::Half, mixed: &Self::Half);
}

/// The schedules of the keys of `h`, in room for three halves.
#[inline(always)]
pub(super) fn expand<H: Halves>(h: &mut H, [mut x, mut w, y]: [&mut H::Half; 3]) {
    // The ends of loops are hidden, or the compiler writes all out.
    if H::REGISTERS {
        h.take(0, x);
        h.take(1, w);
        h.first(x, y);
        for n in 0..black_box(16) {
            pair(h, n, [x, w, y]);
        }
        return;
    }
    for i in 0..black_box(2) {
        h.take(i, x);
        (x, w) = (w, x);
    }
    h.first(x, y);
    for j in 1..=black_box(32) {
        h.step(w, y, j);
        match j % 8 {
            7 => h.put(2 * (j / 8) + 3, j + 1, w, y),
            0 => h.put(2 * (j / 8), j + 1, w, y),
            _ => {}
        }
        (x, w) = (w, x);
    }
}

/// Two steps of the 32, pair `n` of 16; two round keys after every four.
#[inline(always)]
fn pair<H: Halves>(h: &mut H, n: usize, [x, w, y]: [&mut H::Half; 3]) {
    let (g, j) = (n / 4, 2 * n + 1);
    h.step(w, y, j);
    if n % 4 == 3 {
        h.put(2 * g + 3, j + 1, w, y);
    }
    h.step(x, y, j + 1);
    if n % 4 == 3 {
        h.put(2 * g + 2, j + 2, x, y);
    }
}

/// Half `i` of a key.
#[inline(always)]
pub(super) fn half(key: &[u8; 32], i: usize) -> &[u8; 16] {
    &key.as_chunks().0[i]
}

/// j+1 plus j-1.
#[inline(always)]
pub(super) const fn numbers(j: usize) -> usize {
    (j + 1) ^ (j - 1)
}

/// Numbers as blocks.
pub(super) static NUMBERS: [[u8; 16]; 64] = {
    let (mut n, mut i) = ([[0; 16]; 64], 0);
    while i < 64 {
        n[i][15] = i as u8;
        i += 1;
    }
    n
};
