//! S: eight boxes of 16 entries of 4 bits. There are five ways; no way reads memory at an address that depends on data.
//!
//! | file | by | on |
//! |---|---|---|
//! | `vbmi.rs` | permutations of the 64 bytes of a register | words of 16 blocks; one block |
//! | `nibbles.rs` | permutations of 16 bytes, a box at a time | words of 4 to 16 blocks |
//! | `spread.rs` | permutations of 16 bytes, two boxes at a time | one block, a nibble in each byte; `avx2`, `avx2gfni` |
//! | `circuits.rs` | gates, for the known sets | bit planes |
//! | `anf.rs` | algebraic normal forms | halves in one integer each |
//!
//! On bytes of many blocks, `bytes.rs`, a look-up is the permutation of 16 bytes itself.

pub(super) mod anf;
pub(super) mod circuits;
pub(super) mod nibbles;
pub(super) mod spread;
#[cfg(target_arch = "x86_64")]
pub(super) mod vbmi;
