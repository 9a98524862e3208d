//! What makes a password a key, and how much of it a header may ask for.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::{Zeroize as _, Zeroizing};

use crate::Result;
use crate::error::Error;
use crate::hash::Hash;

/// A function from passwords to keys, with its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// PBKDF2.
    Pbkdf2 {
        /// Over HMAC of this hash.
        hash: Hash,
        /// Iterations.
        iterations: u32,
    },
    /// Argon2i or, as `id` says, Argon2id; version 0x13.
    Argon2 {
        /// Whether it is Argon2id.
        id: bool,
        /// Passes over the memory.
        time: u32,
        /// KiB of memory.
        memory: u32,
        /// Lanes.
        lanes: u32,
    },
}

/// How much a header may ask for. What asks for more is refused before any work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Iterations of PBKDF2.
    pub iterations: u32,
    /// KiB of memory of Argon2.
    pub memory: u32,
    /// Passes of Argon2 over that memory, and over less memory as many more.
    pub passes: u32,
}

impl Default for Limits {
    /// 100 million iterations; 1 GiB, the most that cryptsetup takes by itself; 64 passes over it.
    fn default() -> Self {
        Limits { iterations: 100_000_000, memory: 1 << 20, passes: 64 }
    }
}

/// Lanes of Argon2: as many as the LUKS2 format and cryptsetup have at most, with room.
const LANES: u32 = 16;

impl Limits {
    /// # Errors
    /// [`Error::Limit`], with what is asked for and what is allowed.
    pub(crate) fn iterations(&self, asked: u64) -> Result<u32> {
        u32::try_from(asked).ok().filter(|n| *n <= self.iterations).ok_or_else(|| {
            Error::Limit(format!(
                "{asked} iterations of PBKDF2 are asked for, {} are allowed",
                self.iterations
            ))
        })
    }

    /// # Errors
    /// As [`Self::iterations`].
    pub(crate) fn argon2(&self, time: u64, memory: u64, lanes: u64) -> Result<()> {
        if memory > self.memory.into() {
            return Err(Error::Limit(format!(
                "Argon2 over {memory} KiB is asked for, {} KiB are allowed",
                self.memory
            )));
        }
        let work = u64::from(self.passes) * u64::from(self.memory);
        if time.saturating_mul(memory.max(8)) > work {
            return Err(Error::Limit(format!(
                "{time} passes of Argon2 over {memory} KiB are asked for, {} are allowed",
                work / memory.max(8)
            )));
        }
        if lanes > LANES.into() {
            return Err(Error::Limit(format!(
                "{lanes} lanes of Argon2 are asked for, {LANES} are allowed"
            )));
        }
        Ok(())
    }
}

impl Kdf {
    /// # Errors
    /// [`Error::Invalid`] for a cost that the function does not take.
    pub fn check(&self) -> Result<()> {
        match *self {
            Kdf::Pbkdf2 { iterations: 0, .. } => {
                Err(Error::Invalid("PBKDF2 without iterations".into()))
            }
            Kdf::Pbkdf2 { .. } => Ok(()),
            Kdf::Argon2 { time, memory, lanes, .. } => Params::new(memory, time, lanes, None)
                .map(|_| ())
                .map_err(|e| Error::Invalid(format!("Argon2: {e}"))),
        }
    }

    /// A key of `len` bytes.
    pub(crate) fn key(
        &self,
        password: &[u8],
        salt: &[u8],
        len: usize,
    ) -> Result<Zeroizing<Vec<u8>>> {
        let mut key = Zeroizing::new(vec![0; len]);
        match *self {
            Kdf::Pbkdf2 { hash, iterations } => {
                hash.pbkdf2(password, salt, iterations, &mut key)?
            }
            Kdf::Argon2 { id, time, memory, lanes } => {
                let failed = |e| Error::Invalid(format!("Argon2: {e}"));
                let params = Params::new(memory, time, lanes, Some(len)).map_err(failed)?;
                let count = params.block_count();
                let mut blocks = Vec::new();
                // Where it cannot be had it is an error, not the program's end.
                blocks.try_reserve_exact(count).map_err(|_| {
                    Error::Limit(format!("{memory} KiB of memory for Argon2 cannot be had"))
                })?;
                blocks.resize(count, Block::default());
                let kind = if id { Algorithm::Argon2id } else { Algorithm::Argon2i };
                let argon2 = Argon2::new(kind, Version::V0x13, params);
                let done =
                    argon2.hash_password_into_with_memory(password, salt, &mut key, &mut blocks);
                blocks.iter_mut().for_each(|block| block.zeroize());
                done.map_err(failed)?;
            }
        }
        Ok(key)
    }
}
