//! PBKDF2 over HMAC-Streebog: RFC 8018, section 5.2, with the PRF of R 50.1.111-2016 (RFC 9337, section 4),
//! HMAC_GOSTR3411_2012_512. The 256-bit PRF is here too, for data that uses it.

use crate::kdf::Hmac;
use crate::{Error, Secret, Streebog};

/// Derives `dk` from a password by `iterations` iterations of HMAC-Streebog with `OUT` = 32 or 64 bytes.
///
/// RFC 9337 uses `OUT` = 64. The block number i has 4 bytes, big-endian, from 1. Each block of `OUT` bytes of output,
/// even a partial block, costs the full number of iterations.
///
/// # Errors
/// [`Error::Parameter`] when `iterations` is 0, or `dk` is empty or longer than (2^32 - 1) * `OUT`
/// bytes.
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
    pbkdf2_with(&Hmac::<Streebog<OUT>>::new(password), salt, iterations, dk)
}

/// Like [`pbkdf2`], under a password prepared as HMAC's key: for many salts, or to choose the kernel.
///
/// # Errors
/// As [`pbkdf2`].
pub fn pbkdf2_with<const OUT: usize>(
    prf: &Hmac<Streebog<OUT>>,
    salt: &[u8],
    iterations: u32,
    dk: &mut [u8],
) -> Result<(), Error> {
    let blocks = blocks::<OUT>(iterations, dk)?;
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

/// Returns the number of blocks to derive.
fn blocks<const OUT: usize>(iterations: u32, dk: &[u8]) -> Result<u32, Error> {
    let blocks = u32::try_from(dk.len().div_ceil(OUT)).map_err(|_| Error::Parameter)?;
    if iterations == 0 || blocks == 0 { Err(Error::Parameter) } else { Ok(blocks) }
}

/// An input of [`pbkdf2_many`].
pub struct Candidate<'a> {
    /// The password.
    pub password: &'a [u8],
    /// The salt.
    pub salt: &'a [u8],
    /// The output: see [`pbkdf2`].
    pub dk: &'a mut [u8],
}

/// Runs [`pbkdf2`] for many passwords with equal numbers of iterations, side by side: fastest in groups of eight. The
/// iterations of a password are sequential, so a single password gains nothing.
///
/// # Errors
/// As [`pbkdf2`]. Errors come before any work, and then nothing is written.
///
/// ```
/// use bulat::kdf::{Candidate, pbkdf2, pbkdf2_many};
/// let (mut a, mut b, mut single) = ([0; 32], [0; 64], [0; 64]);
/// pbkdf2_many::<64>(4096, &mut [
///     Candidate { password: b"password", salt: b"salt", dk: &mut a },
///     Candidate { password: b"passw0rd", salt: b"salt", dk: &mut b },
/// ])?;
/// pbkdf2::<64>(b"passw0rd", b"salt", 4096, &mut single)?;
/// assert_eq!(b, single);
/// # Ok::<(), bulat::Error>(())
/// ```
pub fn pbkdf2_many<const OUT: usize>(
    iterations: u32,
    all: &mut [Candidate<'_>],
) -> Result<(), Error> {
    for candidate in &*all {
        blocks::<OUT>(iterations, candidate.dk)?;
    }
    for some in all.chunks_mut(8) {
        let prfs: [_; 8] = core::array::from_fn(|n| {
            some.get(n).map(|candidate| Hmac::<Streebog<OUT>>::new(candidate.password))
        });
        let longest = some.iter().map(|candidate| candidate.dk.len().div_ceil(OUT)).max();
        for i in 0..longest.unwrap_or(0) {
            // The candidates that need a block i.
            let mut lanes: [Option<(&Hmac<Streebog<OUT>>, &[u8], &mut [u8])>; 8] =
                [const { None }; 8];
            let mut n = 0;
            for (candidate, prf) in some.iter_mut().zip(&prfs) {
                if let (Some(out), Some(prf)) = (candidate.dk.chunks_mut(OUT).nth(i), prf) {
                    lanes[n] = Some((prf, candidate.salt, out));
                    n += 1;
                }
            }
            block_of_each(iterations, i as u32 + 1, &mut lanes[..n]);
        }
    }
    Ok(())
}

/// Derives block `i` of each candidate.
fn block_of_each<const OUT: usize>(
    iterations: u32,
    i: u32,
    lanes: &mut [Option<(&Hmac<Streebog<OUT>>, &[u8], &mut [u8])>],
) {
    let mut prfs: [Option<&Hmac<Streebog<OUT>>>; 8] = [None; 8];
    let mut u = Secret::new([[0; OUT]; 8]);
    for ((u, to), lane) in u.iter_mut().zip(&mut prfs).zip(&*lanes) {
        if let Some((prf, salt, _)) = lane {
            (*to, *u) = (Some(*prf), *prf.tag(&[salt, &i.to_be_bytes()]));
        }
    }
    let mut t = u.clone();
    let mut next = u.clone();
    for _ in 1..iterations {
        Hmac::<Streebog<OUT>>::tag_each(
            &prfs[..lanes.len()],
            &u.each_ref().map(|u| &u[..]),
            &mut next[..],
        );
        core::mem::swap(&mut *u, &mut *next);
        for (t, u) in t.iter_mut().zip(&*u) {
            t.iter_mut().zip(u).for_each(|(t, u)| *t ^= u);
        }
    }
    for (t, lane) in t.iter().zip(lanes) {
        if let Some((_, _, out)) = lane {
            out.copy_from_slice(&t[..out.len()]);
        }
    }
}
