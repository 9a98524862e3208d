//! Key derivation from passwords, and limits on the work that a header may ask for.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::{Zeroize as _, Zeroizing};

use crate::Result;
use crate::error::Error;
use crate::hash::Hash;

/// A key derivation function with its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// PBKDF2.
    Pbkdf2 {
        /// The hash of its HMAC.
        hash: Hash,
        /// The number of iterations.
        iterations: u32,
    },
    /// Argon2id if `id` is set, else Argon2i; version 0x13.
    Argon2 {
        /// Set for Argon2id.
        id: bool,
        /// The number of passes over the memory.
        time: u32,
        /// The memory in KiB.
        memory: u32,
        /// The number of lanes.
        lanes: u32,
    },
}

/// Limits on the work that a header may ask for. More is refused before any work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The iterations of PBKDF2.
    pub iterations: u32,
    /// The memory of Argon2 in KiB.
    pub memory: u32,
    /// The passes of Argon2 over that memory; more over less memory, in proportion.
    pub passes: u32,
}

impl Default for Limits {
    /// 100 million iterations; 1 GiB, the most that cryptsetup chooses itself; 64 passes over it.
    fn default() -> Self {
        Limits { iterations: 100_000_000, memory: 1 << 20, passes: 64 }
    }
}

/// The most lanes of Argon2. LUKS2 and cryptsetup use fewer.
const LANES: u32 = 16;

/// The cost that a header states for one password, unchecked: it may exceed a [`Kdf`]'s range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked {
    /// Iterations of PBKDF2.
    Pbkdf2(u64),
    /// Argon2: passes, KiB and lanes.
    Argon2 { time: u64, memory: u64, lanes: u64 },
}

impl Limits {
    /// Errors: [`Error::Limit`] if one of these costs exceeds the limits, or if their sum does: a wrong password is
    /// tried on all of them.
    pub(crate) fn all(&self, asked: impl Iterator<Item = Asked>) -> Result<()> {
        let (mut iterations, mut work) = (0, 0);
        for one in asked {
            match one {
                Asked::Pbkdf2(n) => iterations += u64::from(self.iterations(n)?),
                Asked::Argon2 { time, memory, lanes } => {
                    self.argon2(time, memory, lanes)?;
                    work += time * memory;
                }
            }
        }
        let over =
            |what: String| Err(Error::Limit(format!("all keyslots together ask for {what}")));
        if iterations > self.iterations.into() {
            let allowed = self.iterations;
            return over(format!("{iterations} iterations of PBKDF2, {allowed} are allowed"));
        }
        if work > self.work() {
            let (asked, allowed) = (work.div_ceil(self.memory.max(1).into()), self.passes);
            return over(format!(
                "{asked} passes of Argon2 over {} KiB, {allowed} are allowed",
                self.memory
            ));
        }
        Ok(())
    }

    /// Returns the KiB of Argon2 times its passes.
    fn work(&self) -> u64 {
        u64::from(self.passes) * u64::from(self.memory)
    }

    /// Errors: [`Error::Limit`], with the requested cost and the limit.
    pub(crate) fn iterations(&self, asked: u64) -> Result<u32> {
        u32::try_from(asked).ok().filter(|n| *n <= self.iterations).ok_or_else(|| {
            Error::Limit(format!(
                "the header asks for {asked} iterations of PBKDF2, {} are allowed",
                self.iterations
            ))
        })
    }

    /// Errors: as [`Self::iterations`].
    pub(crate) fn argon2(&self, time: u64, memory: u64, lanes: u64) -> Result<()> {
        let over =
            |what: String| Err(Error::Limit(format!("the header asks for {what} are allowed")));
        if memory > self.memory.into() {
            return over(format!("{memory} KiB for Argon2, {} KiB", self.memory));
        }
        let most = self.work() / memory.max(8);
        if time.saturating_mul(memory.max(8)) > self.work() {
            return over(format!("{time} passes of Argon2 over {memory} KiB, {most}"));
        }
        if lanes > LANES.into() {
            return over(format!("{lanes} lanes of Argon2, {LANES}"));
        }
        Ok(())
    }
}

impl Kdf {
    /// # Errors
    /// [`Error::Invalid`] for a cost that the function does not support.
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

    /// Checks the cost of a new password: at least cryptsetup's minimum, and not more than it would open.
    ///
    /// # Errors
    /// [`Error::Invalid`], with the bound.
    pub fn check_new(&self) -> Result<()> {
        let wrong = |what: &str| Err(Error::Invalid(what.into()));
        match *self {
            Kdf::Pbkdf2 { iterations: ..1000, .. } => {
                wrong("PBKDF2 needs at least 1000 iterations")
            }
            Kdf::Argon2 { time: ..4, .. } => wrong("Argon2 needs at least 4 passes"),
            Kdf::Argon2 { memory: ..32 | 0x40_0001.., .. } => {
                wrong("Argon2 needs from 32 KiB to 4194304 KiB of memory")
            }
            Kdf::Argon2 { lanes: 5.., .. } => wrong("Argon2 has up to 4 lanes"),
            _ => self.check(),
        }
    }

    /// Returns the smallest limits that allow this cost, if `limits` do not.
    pub fn beyond(&self, limits: &Limits) -> Option<Limits> {
        let needed = match *self {
            Kdf::Pbkdf2 { iterations, .. } => {
                Limits { iterations: iterations.max(limits.iterations), ..*limits }
            }
            Kdf::Argon2 { time, memory, .. } => {
                let work = u64::from(time) * u64::from(memory.max(8));
                let least = work.div_ceil(limits.passes.max(1).into());
                let least = u32::try_from(least).unwrap_or(u32::MAX).max(memory);
                Limits { memory: least.max(limits.memory), ..*limits }
            }
        };
        (needed != *limits).then_some(needed)
    }

    /// Derives a key of `len` bytes.
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
                // Running out of memory is an error here, not an abort.
                blocks.try_reserve_exact(count).map_err(|_| {
                    Error::Memory(format!(
                        "Argon2 needs {memory} KiB, which the system does not provide"
                    ))
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
