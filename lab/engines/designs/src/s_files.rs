//! S-FILES: Streebog (GOST R 34.11-2012; RFC 6986) in the versions of a program that hashes files, all over
//! one table of 16 KB: for each byte of a row its image under L.
//!
//! | version | form here |
//! |---|---|
//! | v2.1 | explicit AVX: `pextrb` finds the byte, rows are added up in vectors |
//! | v2.2 | table made by the compiler; states are bytes in memory, loops left to the compiler |
//! | v2.3 | table and unrolled code made by the compiler; states are words in registers |
//! | v2.3 manual | the same with additions and extraction by intrinsics, in [`vectors`] |
//!
//! "auto-avx2" is the plain source once more, compiled for AVX2 and BMI2, as by `target-cpu=native`, but without
//! a build for this machine. The source has more than these words on each version in its program only.

use crate::constants::{A, C, PI};

#[path = "s_files_vectors.rs"]
#[cfg(target_arch = "x86_64")]
pub mod vectors;

/// Row j: for a byte in row j of the state its part of a row after S, P and L.
pub static TABLE: [[u64; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut i = 0;
    while i < 2048 {
        let (j, x) = (i / 256, i % 256);
        let mut bit = 0;
        while bit < 8 {
            if PI[x] >> bit & 1 == 1 {
                table[j][x] ^= A[63 - (8 * j + bit)];
            }
            bit += 1;
        }
        i += 1;
    }
    table
};

/// 512 bits, the lowest word first.
pub type State = [u64; 8];

/// g_N(h, m) (RFC 6986, 8), to h.
pub type Compress = fn(h: &mut State, n: &State, m: &State);

#[inline(always)]
fn xor(a: &State, b: &State) -> State {
    let mut out = *a;
    for i in 0..8 {
        out[i] ^= b[i];
    }
    out
}

/// The twelve rounds around a form of LPS(a xor b).
macro_rules! compress {
    ($h:ident $n:ident $m:ident $lps:ident) => {
        let mut k = $lps($h, $n);
        let mut x = *$m;
        for c in &C {
            x = $lps(&x, &k);
            k = $lps(&k, c);
        }
        *$h = xor(&xor(&x, &k), &xor($h, $m));
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use compress;

/// Bytes in memory, loops.
#[inline(always)]
fn lps_of_bytes(a: &State, b: &State) -> State {
    let mut out = [0; 8];
    for (j, row) in TABLE.iter().enumerate() {
        let bytes = (a[j] ^ b[j]).to_le_bytes();
        for i in 0..8 {
            out[i] ^= row[usize::from(bytes[i])];
        }
    }
    out
}

/// Adds the share of word `$j` to the eight rows of the result.
macro_rules! word {
    ($out:ident $a:ident $b:ident $j:literal) => {
        let x = $a[$j] ^ $b[$j];
        word!($out x $j; 0 1 2 3 4 5 6 7)
    };
    ($out:ident $x:ident $j:literal; $($i:literal)*) => {
        $($out[$i] ^= TABLE[$j][($x >> (8 * $i)) as usize & 255];)*
    };
}

/// Words in registers, all 64 look-ups written out.
#[inline(always)]
fn lps_of_words(a: &State, b: &State) -> State {
    let mut out = [0; 8];
    word!(out a b 0);
    word!(out a b 1);
    word!(out a b 2);
    word!(out a b 3);
    word!(out a b 4);
    word!(out a b 5);
    word!(out a b 6);
    word!(out a b 7);
    out
}

pub fn v2_2_vartime(h: &mut State, n: &State, m: &State) {
    compress!(h n m lps_of_bytes);
}

pub fn v2_3_vartime(h: &mut State, n: &State, m: &State) {
    compress!(h n m lps_of_words);
}

/// A hash in progress (RFC 6986, 9).
pub struct Hash {
    compress: Compress,
    h: State,
    bits: State,
    sum: State,
    rest: [u8; 64],
    len: usize,
}

impl Hash {
    /// Of 512 bits, or of 256.
    pub fn new(compress: Compress, short: bool) -> Self {
        let h = [if short { 0x0101_0101_0101_0101 } else { 0 }; 8];
        Hash { compress, h, bits: [0; 8], sum: [0; 8], rest: [0; 64], len: 0 }
    }

    fn block(&mut self, block: &[u8; 64], bytes: u64) {
        let mut m = [0; 8];
        for (word, bytes) in m.iter_mut().zip(block.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        (self.compress)(&mut self.h, &self.bits, &m);
        add(&mut self.bits, &[8 * bytes, 0, 0, 0, 0, 0, 0, 0]);
        add(&mut self.sum, &m);
    }

    pub fn update(&mut self, mut bytes: &[u8]) {
        if self.len > 0 {
            let some = bytes.len().min(64 - self.len);
            self.rest[self.len..][..some].copy_from_slice(&bytes[..some]);
            self.len += some;
            bytes = &bytes[some..];
            if self.len < 64 {
                return;
            }
            let block = self.rest;
            self.block(&block, 64);
        }
        let (blocks, rest) = bytes.as_chunks();
        for block in blocks {
            self.block(block, 64);
        }
        self.rest[..rest.len()].copy_from_slice(rest);
        self.len = rest.len();
    }

    /// All 64 bytes; the short hash is the last 32 of them.
    pub fn finish(mut self) -> [u8; 64] {
        let mut block = [0; 64];
        block[..self.len].copy_from_slice(&self.rest[..self.len]);
        block[self.len] = 1;
        self.block(&block, self.len as u64);
        (self.compress)(&mut self.h, &[0; 8], &self.bits);
        (self.compress)(&mut self.h, &[0; 8], &self.sum);
        let mut out = [0; 64];
        for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(self.h) {
            *bytes = word.to_le_bytes();
        }
        out
    }
}

/// The sum modulo 2^512.
fn add(a: &mut State, b: &State) {
    let mut carry = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, carry) = a.carrying_add(*b, carry);
    }
}
