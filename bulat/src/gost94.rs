//! GOST R 34.11-94 (RFC 5831), FOR OLD DATA ONLY: Streebog replaced it in 2013, and finding collisions is known to cost
//! less than it should. It is here to check old signatures, archives and password hashes.
//!
//! A digest is 32 bytes in the order of RFC 4357 and CryptoPro, lowest first, like the message's bytes; RFC 5831 prints
//! both as numbers, so in reverse. The starting vector is zero. A message is fewer than 2^64 whole bytes.
//!
//! The digest of the empty message is that of CryptoPro and nearly all implementations. Read literally, RFC 5831
//! (section 6, step 2) would hash a block of zeros for it first.

use crate::cipher::{Chain, Data, Lane};
use crate::magma::Sboxes;
use crate::{BlockCipher, Error, Gost28147, Secret};
use bulat_core::cipher::Chained;

/// A word of 256 bits, its first byte the lowest.
type Word = [u8; 32];

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
    h: Secret<Word>,
    sigma: Secret<Word>,
    octets: u64,
    buffer: Secret<Word>,
    filled: usize,
}

impl Gost94 {
    /// Begins an empty message. The hash's parameter sets are `HashCryptoPro` of [`crate::ParamSet`] (RFC 4357,
    /// section 11.2; used nearly everywhere) and `HashTest` (the standard's example). Other S-boxes are accepted too.
    pub fn new(sboxes: impl Into<Sboxes>) -> Self {
        Gost94 {
            cipher: Gost28147::new(&[0; 32], sboxes),
            h: Secret::default(),
            sigma: Secret::default(),
            octets: 0,
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
        self.octets = self.octets.wrapping_add(data.len() as u64);
        if self.filled > 0 {
            let take = data.len().min(32 - self.filled);
            self.buffer[self.filled..self.filled + take].copy_from_slice(&data[..take]);
            self.filled += take;
            data = &data[take..];
            if self.filled < 32 {
                return;
            }
            let block = self.buffer.clone();
            self.block(&block);
        }
        let (blocks, rest) = data.as_chunks::<32>();
        for block in blocks {
            self.block(block);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }
    /// Ends the message and returns its digest (RFC 5831, section 6, step 2). For the digest so far, finalize a clone.
    pub fn finalize(mut self) -> [u8; 32] {
        self.finalize_reset()
    }
    /// Ends the message, returns its digest and begins a new one.
    pub fn finalize_reset(&mut self) -> [u8; 32] {
        if self.filled > 0 {
            let mut block = Secret::new([0; 32]);
            block[..self.filled].copy_from_slice(&self.buffer[..self.filled]);
            self.block(&block);
        }
        let mut bits = [0; 32];
        bits[..16].copy_from_slice(&(u128::from(self.octets) * 8).to_le_bytes());
        self.step(&bits);
        let sigma = self.sigma.clone();
        self.step(&sigma);
        let digest = *self.h;
        self.reset();
        digest
    }
    /// Discards the message and begins a new one.
    pub fn reset(&mut self) {
        (*self.h, *self.sigma, *self.buffer) = ([0; 32], [0; 32], [0; 32]);
        (self.octets, self.filled) = (0, 0);
    }
    /// Returns the digest of one message.
    pub fn digest(sboxes: impl Into<Sboxes>, data: &[u8]) -> [u8; 32] {
        let mut hash = Self::new(sboxes);
        hash.update(data);
        hash.finalize()
    }

    /// H = χ(M, H), Σ += M.
    fn block(&mut self, m: &Word) {
        self.step(m);
        let mut carry = 0;
        for (a, b) in self.sigma.iter_mut().zip(m) {
            let sum = u16::from(*a) + u16::from(*b) + carry;
            *a = sum as u8;
            carry = sum >> 8;
        }
    }

    /// H = χ(M, H) = ψ^61(H ⊕ ψ(M ⊕ ψ^12(S))), section 5.
    fn step(&mut self, m: &Word) {
        let keys = keys(m, &self.h);
        let ciphers = [0, 1, 2, 3].map(|i| self.cipher.rekey(&keys[i]));
        // s_i = E(K_i, h_i), section 5.2. Each is a stream of one block of zeros, because only lanes can have different
        // keys.
        let mut s = self.h.clone();
        let [s0, s1, s2, s3] = s.as_chunks_mut::<8>().0 else { unreachable!("four blocks") };
        let lane = |i: usize, state| Lane {
            schedule: ciphers[i].schedule(),
            state,
            data: Data::Read(&[0; 8]),
        };
        self.cipher.lanes(Chain::Mac, &mut [lane(0, s0), lane(1, s1), lane(2, s2), lane(3, s3)]);
        psi(&mut s, 12);
        xor(&mut s, m);
        psi(&mut s, 1);
        xor(&mut s, &self.h);
        psi(&mut s, 61);
        self.h = s;
    }
}

crate::io::io_write!([] Gost94);

fn xor(a: &mut Word, b: &Word) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}

/// C_3 of section 5.1, a byte 1^8 or 0^8 for each bit, the highest first; C_2 and C_4 are zero.
const C3: u32 = 0b10110001_10010110_01010101_10101010;

/// K_1..K_4, section 5.1.
fn keys(m: &Word, h: &Word) -> Secret<[Word; 4]> {
    let mut keys = Secret::new([[0; 32]; 4]);
    let (mut u, mut v) = (Secret::new(*h), Secret::new(*m));
    for i in 0..4 {
        if i > 0 {
            a(&mut u);
            a(&mut v);
            a(&mut v);
        }
        if i == 2 {
            for (n, u) in u.iter_mut().enumerate() {
                *u ^= 0u8.wrapping_sub((C3 >> n & 1) as u8);
            }
        }
        // P: byte 8i + k goes to k·4 + i.
        for n in 0..32 {
            let from = 8 * (n % 4) + n / 4;
            keys[i][n] = u[from] ^ v[from];
        }
    }
    keys
}

/// A: the four words of 64 bits move down; the sum of the two lowest comes in at the top.
fn a(x: &mut Word) {
    for n in 0..8 {
        x[n] ^= x[8 + n];
    }
    x.rotate_left(8);
}

/// ψ of section 5.3, `times` times: the sixteen words of 16 bits move down, and the sum of the words
/// 1, 2, 3, 4, 13 and 16 comes in at the top.
fn psi(x: &mut Word, times: usize) {
    for _ in 0..times {
        for n in 0..2 {
            x[n] ^= x[2 + n] ^ x[4 + n] ^ x[6 + n] ^ x[24 + n] ^ x[30 + n];
        }
        x.rotate_left(2);
    }
}
