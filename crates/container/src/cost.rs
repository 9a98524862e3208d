//! The cost of a new slot, as a user asks for it: one reading and one set of bounds for all programs.

use std::fmt;

use crate::{Kdf, MAX_MEMORY, MIN_ITERATIONS, MIN_MEMORY, MIN_PASSES, Source};

/// The most iterations of PBKDF2, and passes of Argon2id, in a new slot.
const MOST_ITERATIONS: u32 = 20_000_000;
const MOST_PASSES: u32 = 64;

/// The options of a new slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// `argon2id` or `pbkdf2`; by default Argon2id for a password.
    pub kdf: Option<&'a str>,
    /// The iterations of PBKDF2.
    pub iterations: Option<u32>,
    /// The memory of Argon2id in KiB.
    pub memory: Option<u32>,
    /// The passes of Argon2id.
    pub passes: Option<u32>,
}

/// An option that does not fit the others, or is out of its bounds.
#[derive(Debug)]
pub struct Unfit {
    /// The option's name.
    pub option: &'static str,
    words: String,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.option, self.words)
    }
}

/// The source of a new slot's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A source with known numbers.
    Known(Source),
    /// A password by PBKDF2, with the iterations of about a second.
    Measured,
}

impl Cost {
    /// Returns the source; measures the machine if it has to.
    ///
    /// # Errors
    /// As [`crate::iterations_of_a_second`].
    pub fn source(self) -> Result<Source, bulat::Error> {
        Ok(match self {
            Cost::Known(source) => source,
            Cost::Measured => {
                let iterations = crate::iterations_of_a_second()?;
                Source::Password(Kdf::Pbkdf2 { iterations })
            }
        })
    }
}

impl Wanted<'_> {
    /// Returns the cost of a slot for a key file, or for a password.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn cost(self, key_file: bool) -> Result<Cost, Unfit> {
        let unfit = |option, words| Err(Unfit { option, words });
        let pbkdf2 = match self.kdf {
            None | Some("argon2id") => false,
            Some("pbkdf2") => true,
            Some(other) => return unfit("kdf", format!(" {other}: argon2id or pbkdf2")),
        };
        for (option, given, fits, of) in [
            ("kdf", self.kdf.is_some(), !key_file, "a password"),
            ("iterations", self.iterations.is_some(), !key_file && pbkdf2, "a password by pbkdf2"),
            ("memory", self.memory.is_some(), !key_file && !pbkdf2, "a password by argon2id"),
            ("passes", self.passes.is_some(), !key_file && !pbkdf2, "a password by argon2id"),
        ] {
            if given && !fits {
                return unfit(option, format!(": only for {of}"));
            }
        }
        for (option, value, least, most) in [
            ("iterations", self.iterations, MIN_ITERATIONS, MOST_ITERATIONS),
            ("memory", self.memory, MIN_MEMORY, MAX_MEMORY),
            ("passes", self.passes, MIN_PASSES, MOST_PASSES),
        ] {
            if let Some(n) = value.filter(|n| !(least..=most).contains(n)) {
                return unfit(option, format!(" {n}: from {least} to {most}"));
            }
        }
        if key_file {
            return Ok(Cost::Known(Source::KeyFile));
        }
        Ok(match (pbkdf2, self.iterations) {
            (true, None) => Cost::Measured,
            (true, Some(iterations)) => Cost::Known(Source::Password(Kdf::Pbkdf2 { iterations })),
            (false, _) => Cost::Known(Source::Password(Kdf::Argon2id {
                memory: self.memory.unwrap_or(crate::MEMORY),
                passes: self.passes.unwrap_or(MIN_PASSES),
                lanes: 1,
            })),
        })
    }
}
