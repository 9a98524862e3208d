//! S by instruction sets: look-ups of bytes (VBMI), products (GFNI), logarithms (nibbles).

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) mod gfni;
pub(super) mod nibbles;
pub(super) mod structure;
#[cfg(target_arch = "x86_64")]
pub(super) mod vbmi;
