//! Streebog-256 and Streebog-512 (GOST R 34.11-2012, RFC 6986), in memory order: the digest's octets
//! stand as every implementation prints them; the RFC prints them reversed.

mod consts;
pub(crate) mod field;
#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod image;
mod portable;
#[cfg(target_arch = "x86_64")]
mod rounds;
#[cfg(feature = "vartime")]
mod vartime;

use crate::Secret;
use crate::kernel::{self, HashKernel, HashLane, HashState, Ready};

/// The kernels, fastest first.
pub static KERNELS: &[HashKernel] = &[
    #[cfg(target_arch = "x86_64")]
    gfni512::KERNEL,
    portable::KERNEL,
    #[cfg(feature = "vartime")]
    vartime::KERNEL,
];

/// A message being hashed; `OUT` is 32 or 64 octets.
#[derive(Clone)]
pub struct Streebog<const OUT: usize> {
    state: Secret<HashState>,
    buffer: Secret<[u8; 64]>,
    filled: usize,
    kernel: Ready<HashKernel>,
}

/// Streebog with 256 bits of digest.
///
/// ```
/// let digest = bulat::Streebog256::digest(b"abc");
/// assert_eq!(digest[..4], [0x4e, 0x29, 0x19, 0xcf]);
/// ```
pub type Streebog256 = Streebog<32>;
/// Streebog with 512 bits of digest.
pub type Streebog512 = Streebog<64>;

impl<const OUT: usize> Streebog<OUT> {
    const IV: HashState =
        HashState { h: if OUT == 32 { [1; 64] } else { [0; 64] }, n: [0; 64], sigma: [0; 64] };

    /// An empty message.
    pub fn new() -> Self {
        const { assert!(OUT == 32 || OUT == 64) };
        Streebog {
            state: Secret::new(Self::IV),
            buffer: Secret::new([0; 64]),
            filled: 0,
            kernel: kernel::pick(KERNELS, |_| true),
        }
    }
    /// The same message on the kernel of this name.
    ///
    /// # Errors
    /// [`crate::Error::UnknownKernel`] when there is none or this machine cannot run it.
    pub fn on(mut self, kernel: &str) -> Result<Self, crate::Error> {
        self.kernel = kernel::by_name(KERNELS, kernel)?;
        Ok(self)
    }
    /// Takes the next piece of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        if self.filled > 0 {
            let take = data.len().min(64 - self.filled);
            self.buffer[self.filled..self.filled + take].copy_from_slice(&data[..take]);
            self.filled += take;
            data = &data[take..];
            if self.filled < 64 {
                return;
            }
            let lane = HashLane { state: &mut self.state, blocks: &*self.buffer };
            self.kernel.blocks(&mut [lane]);
            self.filled = 0;
        }
        let (blocks, tail) = data.split_at(data.len() / 64 * 64);
        if !blocks.is_empty() {
            self.kernel.blocks(&mut [HashLane { state: &mut self.state, blocks }]);
        }
        self.buffer[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }
    /// The digest of what was given; the object stays as it was and takes more (RFC 6986, stage 3).
    pub fn finish(&self) -> [u8; OUT] {
        let mut state = self.state.clone();
        let blocks = &self.buffer[..self.filled];
        self.kernel.finish(&mut [HashLane { state: &mut state, blocks }]);
        state.h[64 - OUT..].try_into().expect("OUT octets")
    }
    /// Forgets the message and begins a new one.
    pub fn reset(&mut self) {
        self.state = Secret::new(Self::IV);
        self.buffer = Secret::new([0; 64]);
        self.filled = 0;
    }
    /// The digest of one message.
    pub fn digest(data: &[u8]) -> [u8; OUT] {
        let mut s = Self::new();
        s.update(data);
        s.finish()
    }
}

impl<const OUT: usize> Default for Streebog<OUT> {
    fn default() -> Self {
        Self::new()
    }
}

/// a += b mod 2^512, little-endian.
#[inline(always)]
pub(crate) fn add512(a: &mut [u8; 64], b: &[u8; 64]) {
    let mut carry = false;
    for (a, b) in a.as_chunks_mut::<8>().0.iter_mut().zip(b.as_chunks::<8>().0) {
        let (sum, c) = u64::from_le_bytes(*a).carrying_add(u64::from_le_bytes(*b), carry);
        carry = c;
        *a = sum.to_le_bytes();
    }
}
