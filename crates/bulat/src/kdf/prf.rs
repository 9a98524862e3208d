//! Pseudorandom functions of protocols over HMAC-Streebog: PRF_TLS_GOSTR3411_2012_256 and _512
//! (RFC 7836, section 4.2.1; P_hash of RFC 5246, section 5), prf+ of IKEv2 (RFC 7836, section 4.2.2;
//! RFC 7296, section 2.13), HKDF (RFC 5869), as TLS 1.3 uses it with Streebog (RFC 9367).

use crate::kdf::Hmac;
use crate::{Error, Secret, Streebog};

/// PRF_TLS_GOSTR3411_2012: fills `out` with HMAC(secret, A(i) || label || seed), i from 1, where A(0) = label || seed
/// and A(i) = HMAC(secret, A(i-1)). A shorter output is a prefix of a longer output. RFC 9189 uses `OUT` = 32.
///
/// ```
/// let mut finished = [0; 12];
/// bulat::kdf::prf_tls::<32>(b"master secret", b"client finished", &[0; 32], &mut finished);
/// ```
pub fn prf_tls<const OUT: usize>(secret: &[u8], label: &[u8], seed: &[u8], out: &mut [u8]) {
    tls(&Hmac::<Streebog<OUT>>::new(secret), label, seed, out);
}

/// prf+ of IKEv2: fills `out` with T_1 || T_2 || ..., T_i = HMAC(key, T_(i-1) || seed || i), where T_0 is empty and i
/// is one byte, from 1.
///
/// # Errors
/// [`Error::Parameter`] when `out` is longer than 255 * `OUT` bytes.
pub fn prf_plus<const OUT: usize>(key: &[u8], seed: &[u8], out: &mut [u8]) -> Result<(), Error> {
    chained(&Hmac::<Streebog<OUT>>::new(key), seed, out)
}

/// HKDF-Extract: HMAC(salt, input). An empty salt means `OUT` zero bytes, as in RFC 5869.
pub fn hkdf_extract<const OUT: usize>(salt: &[u8], input: &[u8]) -> Secret<[u8; OUT]> {
    Hmac::<Streebog<OUT>>::new(salt).tag(&[input])
}

/// HKDF-Expand: fills `out` as [`prf_plus`] does, with `info` as the seed and the extracted key as the key. RFC 5869,
/// section 2.3, and RFC 7296, section 2.13, define one function.
///
/// # Errors
/// [`Error::Parameter`] when `out` is longer than 255 * `OUT` bytes.
///
/// ```
/// let prk = bulat::kdf::hkdf_extract::<32>(b"salt", b"input keying material");
/// let mut key = [0; 48];
/// bulat::kdf::hkdf_expand::<32>(&*prk, b"context", &mut key)?;
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn hkdf_expand<const OUT: usize>(prk: &[u8], info: &[u8], out: &mut [u8]) -> Result<(), Error> {
    chained(&Hmac::<Streebog<OUT>>::new(prk), info, out)
}

/// HMAC of either length, for code that is compiled once.
trait Prf {
    /// Returns the tag's length in bytes.
    fn len(&self) -> usize;
    /// Writes the tag of a message in parts to the start of `out`.
    fn put(&self, parts: &[&[u8]], out: &mut [u8; 64]);
}

impl<const OUT: usize> Prf for Hmac<Streebog<OUT>> {
    fn len(&self) -> usize {
        OUT
    }
    fn put(&self, parts: &[&[u8]], out: &mut [u8; 64]) {
        out[..OUT].copy_from_slice(&*self.tag(parts));
    }
}

fn tls(prf: &dyn Prf, label: &[u8], seed: &[u8], out: &mut [u8]) {
    let n = prf.len();
    let (mut a, mut p) = (Secret::new([0; 64]), Secret::new([0; 64]));
    prf.put(&[label, seed], &mut a);
    for part in out.chunks_mut(n) {
        prf.put(&[&a[..n], label, seed], &mut p);
        part.copy_from_slice(&p[..part.len()]);
        prf.put(&[&a[..n]], &mut p);
        *a = *p;
    }
}

fn chained(prf: &dyn Prf, seed: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let n = prf.len();
    if out.len() > 255 * n {
        return Err(Error::Parameter);
    }
    let (mut t, mut next) = (Secret::new([0; 64]), Secret::new([0; 64]));
    let mut before = 0;
    for (i, part) in (1..=255u8).zip(out.chunks_mut(n)) {
        prf.put(&[&t[..before], seed, &[i]], &mut next);
        part.copy_from_slice(&next[..part.len()]);
        (*t, before) = (*next, n);
    }
    Ok(())
}
