//! GOST R 34.11-94 (RFC 5831), FOR OLD DATA ONLY: Streebog replaced it in 2013, and finding collisions is known to cost
//! less than it should. It is here to check old signatures, archives and password hashes.
//!
//! A digest is 32 bytes in the order of RFC 4357 and CryptoPro, lowest first, like the message's bytes; RFC 5831 prints
//! both as numbers, so in reverse. The starting vector is zero. A message is fewer than 2^64 whole bytes.
//!
//! The digest of the empty message is as in CryptoPro and nearly all implementations. Read literally, RFC 5831
//! (section 6, step 2) would hash a block of zeros for it first.
//!
//! The four encryptions of a compression have a key each, so they are four lanes of a kernel of GOST 28147-89; in a batch the
//! lanes of several messages share a call. A, P and ψ are linear and work on 64 bits at a time: each power of ψ below 16 is a
//! window of the row that ψ continues, so ψ^61 is the sum of eight windows.

use bulat_core::cipher::Chained;
use bulat_core::magma::Schedule;

use crate::cipher::{Chain, Data, Lane};
use crate::magma::Sboxes;
use crate::{Error, Gost28147, Secret};

/// A word of 256 bits, its lowest 64 first.
pub(crate) type Word = [u64; 4];

/// A message being hashed with GOST R 34.11-94, for old data only.
///
/// Pieces of any size give the digest of the whole message. A clone continues from this point. Everything is wiped on
/// drop.
///
/// ```
/// use bulat::{Gost94, ParamSet};
/// let mut hash = Gost94::new(ParamSet::HashCryptoPro);
/// hash.update(b"ab");
/// hash.update(b"c");
/// assert_eq!(hash.finalize()[..4], [0xb2, 0x85, 0x05, 0x6d]);
/// ```
#[derive(Clone)]
pub struct Gost94 {
    /// The S-boxes and the kernel; its key is never used.
    cipher: Gost28147,
    state: Secret<State>,
    bytes: u64,
    buffer: Secret<[u8; 32]>,
    filled: usize,
}

impl Gost94 {
    /// Begins an empty message. The hash's parameter sets are `HashCryptoPro` of [`crate::ParamSet`] (RFC 4357,
    /// section 11.2; used nearly everywhere) and `HashTest` (the standard's example). Other S-boxes are accepted too.
    pub fn new(sboxes: impl Into<Sboxes>) -> Self {
        Gost94 {
            cipher: Gost28147::new(&[0; 32], sboxes),
            state: Secret::default(),
            bytes: 0,
            buffer: Secret::default(),
            filled: 0,
        }
    }
    /// Selects the kernel of GOST 28147-89 by name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] for an unknown name, or a kernel that this machine cannot run.
    pub fn on(mut self, kernel: &str) -> Result<Self, Error> {
        self.cipher = self.cipher.on(kernel)?;
        Ok(self)
    }
    /// Adds the next piece of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        self.bytes = self.bytes.wrapping_add(data.len() as u64);
        if self.filled > 0 {
            let take = data.len().min(32 - self.filled);
            self.buffer[self.filled..self.filled + take].copy_from_slice(&data[..take]);
            self.filled += take;
            data = &data[take..];
            if self.filled < 32 {
                return;
            }
            let block = Secret::new(word(&self.buffer));
            self.state.block(&mut Step::new(&self.cipher), &self.cipher, &block);
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            let mut step = Step::new(&self.cipher);
            for block in blocks {
                let block = Secret::new(word(block));
                self.state.block(&mut step, &self.cipher, &block);
            }
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }
    /// Ends the message and returns its digest (RFC 5831, section 6, step 2). For the digest so far, finalize a clone.
    pub fn finalize(mut self) -> [u8; 32] {
        self.finalize_reset()
    }
    /// Ends the message, returns its digest and begins a new message.
    pub fn finalize_reset(&mut self) -> [u8; 32] {
        let mut step = Step::new(&self.cipher);
        if self.filled > 0 {
            self.buffer[self.filled..].fill(0);
            let block = Secret::new(word(&self.buffer));
            self.state.block(&mut step, &self.cipher, &block);
        }
        self.state.step(&mut step, &self.cipher, &bits(self.bytes));
        let sigma = Secret::new(self.state.sigma);
        self.state.step(&mut step, &self.cipher, &sigma);
        let digest = self.state.digest();
        self.reset();
        digest
    }
    /// Discards the message and begins a new message.
    pub fn reset(&mut self) {
        (*self.state, *self.buffer) = (State::default(), [0; 32]);
        (self.bytes, self.filled) = (0, 0);
    }
    /// Returns the digest of a message.
    pub fn digest(sboxes: impl Into<Sboxes>, data: &[u8]) -> [u8; 32] {
        let mut hash = Self::new(sboxes);
        hash.update(data);
        hash.finalize()
    }
}

crate::io::io_write!([] Gost94);

/// H and Σ of section 6.
#[derive(Clone, Copy, Default)]
pub(crate) struct State {
    h: Word,
    pub sigma: Word,
}

impl State {
    /// H = χ(M, H), Σ += M.
    fn block(&mut self, step: &mut Step, cipher: &Gost28147, m: &Word) {
        self.step(step, cipher, m);
        self.sum(m);
    }
    /// H = χ(M, H).
    fn step(&mut self, step: &mut Step, cipher: &Gost28147, m: &Word) {
        step.begin(cipher, m, self);
        cipher.lanes(Chain::Mac, &mut step.lanes());
        step.end(m, self);
    }
    /// Σ += M.
    pub fn sum(&mut self, m: &Word) {
        let mut carry = false;
        for (a, b) in self.sigma.iter_mut().zip(m) {
            (*a, carry) = a.carrying_add(*b, carry);
        }
    }
    /// Returns H in the order of its bytes.
    pub fn digest(&self) -> [u8; 32] {
        bytes(&self.h)
    }
}

/// Reads a block.
pub(crate) fn word(block: &[u8; 32]) -> Word {
    let mut word = [0; 4];
    for (word, bytes) in word.iter_mut().zip(block.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    word
}

/// Writes a block.
fn bytes(word: &Word) -> [u8; 32] {
    let mut block = [0; 32];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(word) {
        *bytes = word.to_le_bytes();
    }
    block
}

/// L of section 6: a message's length in bits.
pub(crate) fn bits(bytes: u64) -> Word {
    [bytes << 3, bytes >> 61, 0, 0]
}

/// A compression χ(M, H) of section 5, cut at its encryptions, so that several messages have theirs in one call.
pub(crate) struct Step {
    /// K_1..K_4.
    keys: [Secret<Schedule>; 4],
    /// A key on its way to its schedule: wiped once, not in each compression.
    bytes: Secret<[u8; 32]>,
    /// S.
    s: Secret<[[u8; 8]; 4]>,
}

/// C_3 of section 5.1; C_2 and C_4 are zero.
const C3: Word =
    [0xff00_ff00_ff00_ff00, 0x00ff_00ff_00ff_00ff, 0xff00_00ff_00ff_ff00, 0xff00_ffff_0000_00ff];

impl Step {
    pub fn new(cipher: &Gost28147) -> Self {
        let key = || Secret::new(Schedule::new(cipher.sboxes().clone(), cipher.schedule().order()));
        let keys = [key(), key(), key(), key()];
        Step { keys, bytes: Secret::default(), s: Secret::default() }
    }
    /// Derives the keys of section 5.1; S = H.
    pub fn begin(&mut self, cipher: &Gost28147, m: &Word, state: &State) {
        // A moves a word's four parts down, and the sum of the two lowest comes in at the top: each power of A is a
        // window of the continued row. V is A^2 further for each key, U is A further.
        let h = Secret::new(row::<6>(&state.h));
        let u = [window(&*h, 0), window(&*h, 1), xor(&window(&*h, 2), &C3)];
        let [_, a, b, c] = u[2];
        let u = Secret::new([u[0], u[1], u[2], [a, b, c, a ^ u[2][0]]]);
        let v = Secret::new(row::<10>(m));
        for (i, (key, u)) in self.keys.iter_mut().zip(&*u).enumerate() {
            *self.bytes = bytes(&p(xor(u, &window(&*v, 2 * i))));
            cipher.prepare(&self.bytes, key);
        }
        *self.s = state.h.map(u64::to_le_bytes);
    }
    /// s_i = E(K_i, h_i), section 5.2: each is a stream of a block of zeros, because only streams have a key each.
    pub fn lanes(&mut self) -> [Lane<'_, Schedule, 8>; 4] {
        let [s0, s1, s2, s3] = &mut *self.s;
        let [k0, k1, k2, k3] = &self.keys;
        [(k0, s0), (k1, s1), (k2, s2), (k3, s3)].map(|(key, state)| Lane {
            schedule: &**key,
            state,
            data: Data::Read(&[0; 8]),
        })
    }
    /// H = ψ^61(H ⊕ ψ(M ⊕ ψ^12(S))), section 5.3.
    pub fn end(&self, m: &Word, state: &mut State) {
        let s = Secret::new(self.s.map(u64::from_le_bytes));
        let s = Secret::new(psi::<{ power(1) }>(&xor(m, &psi::<{ power(12) }>(&s))));
        state.h = psi::<{ power(61) }>(&xor(&state.h, &s));
    }
}

fn xor(a: &Word, b: &Word) -> Word {
    let mut sum = *a;
    sum.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
    sum
}

/// P: byte k of part i goes to 4 k + i. A place has five bits, i i k k k; each line exchanges a bit of them with a bit
/// of the part's number.
#[inline(always)]
fn p([a, b, c, d]: Word) -> Word {
    #[inline(always)]
    fn exchange(a: u64, b: u64, shift: u32, low: u64) -> (u64, u64) {
        let change = (a >> shift ^ b) & low;
        (a ^ change << shift, b ^ change)
    }
    let ((a, c), (b, d)) = (exchange(a, c, 16, PAIRS), exchange(b, d, 16, PAIRS));
    let ((a, b), (c, d)) = (exchange(a, b, 8, BYTES), exchange(c, d, 8, BYTES));
    let ((a, b), (c, d)) = (exchange(a, b, 32, HALF), exchange(c, d, 32, HALF));
    [a, c, b, d]
}

const PAIRS: u64 = 0x0000_ffff_0000_ffff;
const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
const HALF: u64 = 0x0000_0000_ffff_ffff;

/// A word's parts and the ones that A moves in after them.
#[inline(always)]
fn row<const N: usize>(x: &Word) -> [u64; N] {
    let mut row = [0; N];
    row[..4].copy_from_slice(x);
    for i in 4..N {
        row[i] = row[i - 4] ^ row[i - 3];
    }
    row
}

/// A to the power of `n` of the word that a row continues.
#[inline(always)]
fn window(row: &[u64], n: usize) -> Word {
    [row[n], row[n + 1], row[n + 2], row[n + 3]]
}

/// Returns the powers of ψ below 16 that add up to ψ^n, a bit for each. ψ moves sixteen parts of 16 bits down, and the sum
/// of the parts 1, 2, 3, 4, 13 and 16 comes in at the top: ψ^16 = 1 + ψ + ψ^2 + ψ^3 + ψ^12 + ψ^15.
const fn power(n: usize) -> u32 {
    let (mut sum, mut i) = (1, 0);
    while i < n {
        sum <<= 1;
        if sum >> 16 == 1 {
            sum ^= 1 << 16 | 0b1001_0000_0000_1111;
        }
        i += 1;
    }
    sum
}

/// The sum of these powers of ψ: each is a window of the row of parts that ψ continues, as with A.
#[inline(always)]
fn psi<const POWERS: u32>(x: &Word) -> Word {
    let mut row = [0; 8];
    row[..4].copy_from_slice(x);
    for i in 4..8 {
        // The sum of the parts from four windows, and of the parts 13 and, in the lowest place, 16; each new part is also
        // in the sums of the next ones.
        let (a, b, c) = (row[i - 4], row[i - 3], row[i - 1]);
        let mut sum = a ^ (a >> 16 | b << 48) ^ (a >> 32 | b << 32) ^ (a >> 48 | b << 16);
        sum ^= c ^ c >> 48;
        sum ^= sum << 16;
        row[i] = sum ^ sum << 32;
    }
    let mut y = [0; 4];
    for shift in 0..4 {
        let mut sum = [0; 5];
        for at in 0..4 {
            if POWERS >> (4 * at + shift) & 1 == 1 {
                sum.iter_mut().zip(&row[at..]).for_each(|(a, b)| *a ^= b);
            }
        }
        for (i, y) in y.iter_mut().enumerate() {
            *y ^= match shift {
                0 => sum[i],
                _ => sum[i] >> (16 * shift) | sum[i + 1] << (64 - 16 * shift),
            };
        }
    }
    y
}
