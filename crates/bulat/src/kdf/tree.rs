//! KDF_TREE_GOSTR3411_2012_256 and KDF_GOSTR3411_2012_256: RFC 7836, sections 4.4 and 4.5
//! (R 50.1.113-2016).

use crate::kdf::HmacStreebog256;
use crate::{Error, Secret};

/// KDF_TREE_GOSTR3411_2012_256: fills `out` with K(1) || K(2) || ..., where
/// K(i) = HMAC_256(`key`, \[i\]_r || `label` || 0x00 || `seed` || \[L\]).
///
/// `r`, 1 to 4, is the length of the counter i in bytes, big-endian, from 1. L is the length of `out` in bits,
/// big-endian, without leading zero bytes; so a shorter output is not a prefix of a longer output. The standard does
/// not require a multiple of 32 bytes, but OpenSSL's gost-engine does.
///
/// # Errors
/// [`Error::Parameter`] when `r` is not 1 to 4, or `out` is empty or longer than 32 * (2^(8r) - 1)
/// bytes.
///
/// ```
/// let mut out = [0; 64];
/// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
/// let (label, seed) = ([0x26, 0xbd, 0xb8, 0x78], [0xaf, 0x21, 0x43, 0x41, 0x45, 0x65, 0x63, 0x78]);
/// bulat::kdf::kdf_tree(&key, &label, &seed, 1, &mut out)?;
/// assert_eq!(out[..4], [0x22, 0xb6, 0x83, 0x78]); // RFC 7836, appendix B, 10)
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn kdf_tree(
    key: &[u8],
    label: &[u8],
    seed: &[u8],
    r: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    if !(1..=4).contains(&r) || out.is_empty() {
        return Err(Error::Parameter);
    }
    let blocks = u32::try_from(out.len().div_ceil(32)).map_err(|_| Error::Parameter)?;
    if u64::from(blocks) >> (8 * r) != 0 {
        return Err(Error::Parameter);
    }
    let bits = (8 * out.len() as u64).to_be_bytes();
    let bits = &bits[bits.iter().take_while(|byte| **byte == 0).count()..];
    let prf = HmacStreebog256::new(key);
    let mut i = 0u32;
    for some in out.chunks_mut(8 * 32) {
        let mut texts = Texts::new();
        let counters: [_; 8] = core::array::from_fn(|n| i.wrapping_add(1 + n as u32).to_be_bytes());
        let parts = |n: usize| [&counters[n][4 - r..], label, &[0], seed, bits];
        let n = some.len().div_ceil(32);
        i += n as u32;
        if (0..n).all(|n| texts.put(n, parts(n))) {
            let mut keys = Keys([[0; 32]; 8]);
            prf.tags(&texts.all()[..n], &mut keys.0[..n]);
            some.chunks_mut(32)
                .zip(&keys.0)
                .for_each(|(k, key)| k.copy_from_slice(&key[..k.len()]));
        } else {
            for (n, part) in some.chunks_mut(32).enumerate() {
                part.copy_from_slice(&prf.tag(&parts(n))[..part.len()]);
            }
        }
    }
    Ok(())
}

/// Short texts of at most eight messages, wiped by vector stores.
struct Texts([[u8; 64]; 8], [usize; 8]);

impl Texts {
    fn new() -> Self {
        Texts([[0; 64]; 8], [0; 8])
    }
    /// Writes the parts of text `n`. Returns false if they do not fit.
    fn put(&mut self, n: usize, parts: [&[u8]; 5]) -> bool {
        let mut rest = &mut self.0[n][..];
        for part in parts {
            let Some((to, after)) = rest.split_at_mut_checked(part.len()) else { return false };
            to.copy_from_slice(part);
            rest = after;
        }
        self.1[n] = 64 - rest.len();
        true
    }
    fn all(&self) -> [&[u8]; 8] {
        core::array::from_fn(|n| &self.0[n][..self.1[n]])
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        self.0 = [[0; 64]; 8];
        zeroize::optimization_barrier(&self.0);
    }
}

/// Keys, wiped by vector stores.
struct Keys([[u8; 32]; 8]);

impl Drop for Keys {
    fn drop(&mut self) {
        self.0 = [[0; 32]; 8];
        zeroize::optimization_barrier(&self.0);
    }
}

/// An input of [`kdf_256_many`].
pub struct Derivation<'a> {
    /// K_in.
    pub key: &'a [u8],
    /// The label.
    pub label: &'a [u8],
    /// The seed.
    pub seed: &'a [u8],
    /// The output.
    pub out: &'a mut [u8; 32],
}

/// Runs [`kdf_256`] for many keys, labels and seeds, side by side: fastest in groups of eight.
///
/// ```
/// use bulat::kdf::{Derivation, kdf_256, kdf_256_many};
/// let mut out = [[0; 32]; 8];
/// let mut all: Vec<_> = out
///     .iter_mut()
///     .map(|out| Derivation { key: &[7; 32], label: b"level1", seed: &[0, 1], out })
///     .collect();
/// kdf_256_many(&mut all);
/// assert_eq!(out[3], *kdf_256(&[7; 32], b"level1", &[0, 1]));
/// ```
pub fn kdf_256_many(all: &mut [Derivation<'_>]) {
    for some in all.chunks_mut(8) {
        let (mut texts, n) = (Texts::new(), some.len());
        let put =
            |(n, d): (usize, &Derivation<'_>)| texts.put(n, [&[1], d.label, &[0], d.seed, &[1, 0]]);
        if some.iter().enumerate().all(put) {
            let none: &[u8] = &[];
            let (mut from, mut keys) = ([none; 8], Keys([[0; 32]; 8]));
            from.iter_mut().zip(some.iter()).for_each(|(from, d)| *from = d.key);
            // It cannot fail: all three have `n` elements.
            let _ = HmacStreebog256::tag_many(&from[..n], &texts.all()[..n], &mut keys.0[..n]);
            some.iter_mut().zip(&keys.0).for_each(|(d, key)| *d.out = *key);
        } else {
            some.iter_mut().for_each(|d| *d.out = *kdf_256(d.key, d.label, d.seed));
        }
    }
}

/// KDF_GOSTR3411_2012_256: a key of 256 bits, the tree with r = 1 and L = 256:
/// HMAC_256(`key`, 0x01 || `label` || 0x00 || `seed` || 0x01 || 0x00).
pub fn kdf_256(key: &[u8], label: &[u8], seed: &[u8]) -> Secret<[u8; 32]> {
    HmacStreebog256::new(key).tag(&[&[1], label, &[0], seed, &[1, 0]])
}
