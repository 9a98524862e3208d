//! The compression g_N of Streebog: RFC 6986, sections 7 to 9, in numbers of 64 bytes, little-endian:
//!
//! ```text
//! hash(M):
//!     h = 0, or 01 01 .. 01 for 256 bits of digest;  N = 0;  sum = 0
//!     for each whole block m of M:                        stage 2
//!         h = g(N, h, m);  N += 512;  sum += m            mod 2^512
//!     m = rest of M || 01 || 00 ..                        stage 3
//!     h = g(N, h, m);  N += bits of the rest;  sum += m
//!     h = g(0, h, N)
//!     h = g(0, h, sum)
//!     return h, or its last 32 bytes
//!
//! g(N, h, m):
//!     k = LPS(h ^ N);  x = m
//!     for i in 1..=12:
//!         x = LPS(x ^ k)                                  the state adds K_i
//!         k = LPS(k ^ C_i)                                and K_i becomes K_(i + 1)
//!     return x ^ k ^ h ^ m
//!
//! LPS(x):                                                 x is 8 rows of 8 bytes
//!     replace each byte b by π(b)                         S
//!     transpose x                                         P
//!     multiply each row by A, a matrix of 64 by 64 bits   L
//! ```
//!
//! # Layouts
//!
//! - [`field`], with GFNI: a state is one vector of 64 bytes, or two of 32, in the field of AES. P is never done: rounds
//!   alternate between two layouts (`constants`). [`super::lanes`]: eight messages or four, a row of each in a
//!   vector.
//! - [`nibbles`], with a shuffle of bytes: two states in 128 bytes, byte by byte in turn.
//! - `bitslice.rs`, with neither: a bit of all bytes in a word.
//!
//! # Optimisations
//!
//! Cycles a byte of one message of 16 KB on Zen 5, before and after (`bulat bench --calibrate`):
//!
//! 1. The two chains of g, keys and states, go side by side: each is a chain of LPS, and either fills the waits of the
//!    other. S of either during L of the other: `avx2gfni` 11.3 and 10.7.
//! 2. L is 64 products in GF(2^8), not 512 look-ups or a matrix of bits: `constants` finds the field. GFNI multiplies in
//!    it after an isomorphism. The eight diagonals of L are two sums of four, the second moved as a whole: four moves,
//!    not seven.
//! 3. S goes through the subfield of 16 elements, so that tables of 16 bytes are enough (`sbox`).
//! 4. By nibbles, S leaves two numbers for each byte and L adds up look-ups by them: no byte of π is ever made.
//! 5. LPS by nibbles as assembly, `crates/core/asm/streebog`, in an order that compilers do not keep: `avx2` 17.3 and 15.9.
//! 6. One message in registers from first to last, by assembly in which the operand of a sum that comes last is the
//!    destination (`gfni512.rs`): `gfni512` 5.30 and 5.10. Vectors moved all the way, not as a sum: 5.8 and 5.4.
//! 7. Eight messages in rows need no moves in L: 3.44 and 2.66.
//! 8. Keys that depend on h and N only are kept for messages with one beginning: the first block costs one chain, not
//!    two.
//!
//! # Tried in vain
//!
//! - L in fewer look-ups: c(j, k) is a Cauchy matrix, 1/c has rank 2, but no Möbius map sends its points to each other,
//!   so that there is no form of Toeplitz's or Karatsuba's.
//! - A byte of many messages in a vector, by nibbles: 48 operations instead of 52 a vector, and more room.
//! - Sums by the row they come from, of K and of σ together.
//! - P after S, of both numbers, so that S need not wait for all sums.
//! - Five to seven messages filled up to eight: on two or three ports that permute, pairs cost less.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod field;
pub(super) mod nibbles;
