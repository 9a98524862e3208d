//! **Never for use: tables that are read by secret data give the key away to anyone who shares the caches.**
//! An engine of the lab, there to be measured: Kuznyechik in every low-level form of Golchevskiy and
//! Ushakov (2023), written from one description (`build.rs`), and plain Rust and intrinsics.
//!
//! Each form reads the fused table of LS, 16 × 256 entries of 16 bytes (64 KB), and differs in how bytes
//! of the state become addresses. A variant is named `SET-KERNELn` and its modifiers, in this order:
//!
//! | letter | kernel: how bytes come out of the state |
//! |---|---|
//! | L | even and odd bytes to words by mask and shift, then `pextrw` |
//! | W | to words by `pmovzxbw`, then `pextrw` |
//! | B | `pextrb`, one by one |
//! | U | to words by `punpcklbw` and `punpckhbw`, then `pextrw` |
//! | M | through memory: stored, then `movzx` of each byte |
//! | R | through general registers: `movq` or `pextrq`, then `movzx` and `shr` |
//! | F | to words by `pshufb`, then `pextrw` |
//!
//! | | modifier |
//! |---|---|
//! | n | number after the kernel: registers that hold addresses, used in turn |
//! | K | round keys cached in XMM (with E only: registers have no index) |
//! | E | the nine rounds unrolled |
//! | P*n* | *n* blocks in one turn of the loop (1 without the letter); blocks left over go one by one |
//! | A | added to itself and scaled by 8 in the address, in place of a shift by four |
//! | C | table offsets come from constants in the extractor, not from the address |
//! | X | extraction in groups: *n* bytes, then *n* look-ups; otherwise by turns |
//! | G | two accumulators, by turns, added up at the end of a round |
//! | n, f | near: bytes in their order; far: bytes eight apart in turn. Neither: as the kernel has them, which differs from near for L, where even bytes go first |
//! | l | registers reassociated: addresses in R8 to R15, pointers in the old ones (otherwise the reverse); R then extracts low bytes only |
//! | t | spare vector registers cache the constants of the extractor that are read from memory otherwise |
//!
//! Sets: `gpr` (state in general registers), `mmx`, `sse2`, `ssse3`, `sse41`, `avx` (VEX, three operands),
//! `avx2` (bytes spread out in YMM: all of one block, for L half of those of two). `plain` and
//! `sse2-intrinsics` are the compiler's. README.md explains the gaps in the grid.

mod cipher;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod intrinsics;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod variants;

#[cfg(test)]
mod tests;

use cipher::{RoundKeys, TABLES, Tables, plain_vartime};
use engine::{Case, Engine, Work, key, serve, text};

/// The only thing that is measured here.
const ALGORITHM: &str = "kuznyechik-ecb";
/// Blocks of the check before use: every loop turns, and some blocks are left over.
const CHECKED: usize = 27;

/// Encrypts whole blocks in place.
type Encrypt = Box<dyn Fn(&Tables, &RoundKeys, &mut [u8]) + Send>;

/// Everything by name that runs on this processor.
fn here() -> impl Iterator<Item = (&'static str, Encrypt)> {
    let plain: Encrypt = Box::new(plain_vartime);
    let all = std::iter::once(("plain", plain));
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let all = all.chain(variants::here());
    all
}

struct Kasm;

impl Engine for Kasm {
    fn name(&self) -> (String, String) {
        (env!("CARGO_PKG_NAME").into(), env!("CARGO_PKG_VERSION").into())
    }

    fn list(&self) -> Vec<(String, String)> {
        here().map(|(name, _)| (ALGORITHM.into(), name.into())).collect()
    }

    fn open(&self, case: &Case) -> Result<Work, String> {
        if case.algorithm != ALGORITHM || case.decrypt {
            return Err(format!("encryption with {ALGORITHM} only"));
        }
        if !case.size.is_multiple_of(16) {
            return Err(format!("{} bytes are no whole number of blocks", case.size));
        }
        let (_, encrypt) = here()
            .find(|(name, _)| *name == case.variant)
            .ok_or_else(|| format!("no variant {} on this processor", case.variant))?;
        check(&encrypt)?;
        let keys: Vec<RoundKeys> = (0..case.streams).map(stream_keys).collect();
        let tables = &**TABLES;
        Ok(Box::new(move |input| {
            for (text, keys) in input.texts().zip(&keys) {
                encrypt(tables, keys, text);
            }
        }))
    }
}

fn stream_keys(stream: usize) -> RoundKeys {
    RoundKeys::new(&key(stream, 32).try_into().expect("32 bytes"))
}

/// Refuses a variant that differs from plain code.
fn check(encrypt: &Encrypt) -> Result<(), String> {
    let keys = stream_keys(0);
    let (mut ours, mut plain) = (text(0, 16 * CHECKED), text(0, 16 * CHECKED));
    encrypt(&TABLES, &keys, &mut ours);
    plain_vartime(&TABLES, &keys, &mut plain);
    match ours.chunks(16).zip(plain.chunks(16)).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(block) => Err(format!("block {block} is wrong")),
    }
}

fn main() -> std::io::Result<()> {
    serve(&Kasm)
}
