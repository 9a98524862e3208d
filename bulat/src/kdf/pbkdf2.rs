//! PBKDF2 over HMAC-Streebog: RFC 8018, section 5.2, with the PRF of R 50.1.111-2016 (RFC 9337,
//! section 4), HMAC_GOSTR3411_2012_512; the 256-bit PRF is here too, for those who use it.

use crate::kdf::Hmac;
use crate::{Error, Secret};

/// Derives `dk` from a password by `iterations` iterations of HMAC-Streebog, of 32 or 64 octets.
///
/// RFC 9337 uses `OUT` = 64. The block number i is 4 octets, big-endian, from 1. Each started `OUT`
/// octets of output cost the full number of iterations.
///
/// # Errors
/// [`Error::Parameter`] when `iterations` is 0, or `dk` is empty or longer than (2^32 - 1) * `OUT`
/// octets.
///
/// ```
/// let mut dk = [0; 64];
/// bulat::kdf::pbkdf2::<64>(b"password", b"salt", 1, &mut dk)?;
/// assert_eq!(dk[..4], [0x64, 0x77, 0x0a, 0xf7]); // R 50.1.111-2016
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn pbkdf2<const OUT: usize>(
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    dk: &mut [u8],
) -> Result<(), Error> {
    pbkdf2_with(&Hmac::<OUT>::new(password), salt, iterations, dk)
}

/// The same, under a password that is already HMAC's key: for many salts, or a kernel by name.
///
/// # Errors
/// As [`pbkdf2`].
pub fn pbkdf2_with<const OUT: usize>(
    prf: &Hmac<OUT>,
    salt: &[u8],
    iterations: u32,
    dk: &mut [u8],
) -> Result<(), Error> {
    let blocks = u32::try_from(dk.len().div_ceil(OUT)).map_err(|_| Error::Parameter)?;
    if iterations == 0 || blocks == 0 {
        return Err(Error::Parameter);
    }
    for (i, out) in (1..=blocks).zip(dk.chunks_mut(OUT)) {
        let mut u = prf.tag(&[salt, &i.to_be_bytes()]);
        let mut t: Secret<[u8; OUT]> = u.clone();
        for _ in 1..iterations {
            u = prf.tag(&[&*u]);
            t.iter_mut().zip(&*u).for_each(|(t, u)| *t ^= u);
        }
        out.copy_from_slice(&t[..out.len()]);
    }
    Ok(())
}
