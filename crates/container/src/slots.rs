//! A slot's secret and its cost: docs/FORMAT.md, sections 2 and 3.

use bulat::kdf::{kdf_tree, pbkdf2};
use bulat::{Secret, Streebog512};
use zeroize::{Zeroize as _, Zeroizing};

use crate::Error;

/// The length of a key file's key.
pub const KEY: usize = 32;
/// The length of a slot's salt.
pub const SALT: usize = 16;
/// The most lanes of Argon2id.
const LANES: u32 = 16;
/// The label of a slot's keys.
const LABEL: &[u8] = b"bulat/1 slot";
/// Hashed before a salt and a key, and before a password: neither input can be the beginning of HMAC's input under a key
/// of 32 bytes (docs/FORMAT.md, section 3). The first and the salt are one block of Streebog.
const KEY_LABEL: [u8; 64 - SALT] = pad(b"bulat/1 key");
const PASSWORD_LABEL: [u8; 64] = pad(b"bulat/1 password");
/// The most bytes of a password.
const MOST_PASSWORD: usize = 64 << 10;

/// Pads the text with zeros.
const fn pad<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    block.split_at_mut(text.len()).0.copy_from_slice(text);
    block
}

/// The user's secret.
#[derive(Clone, Copy)]
pub enum Credential<'a> {
    /// The key of a key file.
    Key(&'a [u8; KEY]),
    /// A password, byte for byte.
    Password(&'a [u8]),
}

impl Credential<'_> {
    /// Errors: [`Error::Password`] for a password that the format does not allow.
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            Credential::Password(p) if !(1..=MOST_PASSWORD).contains(&p.len()) || has_zero(p) => {
                Err(Error::Password)
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether a byte is zero, with no branch for each byte. The result is public: `verification/wasm` knows the name.
#[inline(never)]
fn has_zero(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (*byte == 0))
}

/// The function from a password to a key, with its cost. The caller must demand a sensible minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// PBKDF2 over HMAC-Streebog-512.
    Pbkdf2 {
        /// The number of iterations, at least 1.
        iterations: u32,
    },
    /// Argon2id.
    Argon2id {
        /// The memory in KiB, at least 8 for each lane.
        memory: u32,
        /// The passes over the memory, at least 1.
        passes: u32,
        /// The lanes, 1 to 16.
        lanes: u32,
    },
}

impl Kdf {
    /// Returns the function's name.
    pub const fn name(self) -> &'static str {
        match self {
            Kdf::Pbkdf2 { .. } => "pbkdf2-streebog512",
            Kdf::Argon2id { .. } => "argon2id",
        }
    }
}

/// The source of a slot's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A key file.
    KeyFile,
    /// A password.
    Password(Kdf),
}

impl Source {
    /// Reads a used slot's kind and cost, as they are in the header.
    ///
    /// # Errors
    /// The field's name.
    pub fn parse(kind: u8, cost: [u32; 3]) -> Result<Self, &'static str> {
        let source = match (kind, cost) {
            (1, [0, 0, 0]) => Source::KeyFile,
            (2, [iterations, 0, 0]) => Source::Password(Kdf::Pbkdf2 { iterations }),
            (3, [memory, passes, lanes]) => {
                Source::Password(Kdf::Argon2id { memory, passes, lanes })
            }
            (1 | 2, _) => return Err("cost"),
            _ => return Err("kind"),
        };
        source.check()?;
        Ok(source)
    }
    /// Returns the slot's kind and cost, as they are in the header.
    pub fn numbers(self) -> (u8, [u32; 3]) {
        match self {
            Source::KeyFile => (1, [0; 3]),
            Source::Password(Kdf::Pbkdf2 { iterations }) => (2, [iterations, 0, 0]),
            Source::Password(Kdf::Argon2id { memory, passes, lanes }) => {
                (3, [memory, passes, lanes])
            }
        }
    }
    pub(crate) fn check(self) -> Result<(), &'static str> {
        let legal = match self {
            Source::KeyFile => true,
            Source::Password(Kdf::Pbkdf2 { iterations }) => iterations > 0,
            Source::Password(Kdf::Argon2id { memory, passes, lanes }) => {
                passes > 0 && (1..=LANES).contains(&lanes) && memory / 8 >= lanes
            }
        };
        if legal { Ok(()) } else { Err("cost") }
    }
    /// Returns whether this credential is of the slot's kind.
    pub(crate) fn fits(self, credential: Credential<'_>) -> bool {
        (self == Source::KeyFile) == matches!(credential, Credential::Key(_))
    }

    /// Derives mask and commitment. `fixed` is the hash of the header's fixed part.
    pub(crate) fn derive(
        self,
        credential: Credential<'_>,
        salt: &[u8; SALT],
        fixed: &[u8; 32],
    ) -> Result<Secret<[u8; 64]>, Error> {
        credential.check()?;
        let mut input = Secret::new([0; KEY]);
        match (credential, self) {
            (Credential::Key(key), Source::KeyFile) => input.copy_from_slice(key),
            (Credential::Password(password), Source::Password(kdf)) => {
                let labelled = Zeroizing::new([&PASSWORD_LABEL, password].concat());
                match kdf {
                    Kdf::Pbkdf2 { iterations } => {
                        pbkdf2::<64>(&labelled, salt, iterations, &mut *input)?;
                    }
                    Kdf::Argon2id { memory, passes, lanes } => {
                        argon2id(&labelled, salt, [memory, passes, lanes], &mut input)?;
                    }
                }
            }
            (_, source) => {
                return Err(Error::Credential { password: source != Source::KeyFile });
            }
        }
        let mut text = Secret::new([0; 64 + KEY]);
        text[..64 - SALT].copy_from_slice(&KEY_LABEL);
        text[64 - SALT..64].copy_from_slice(salt);
        text[64..].copy_from_slice(&*input);
        let start = Secret::new(Streebog512::digest(&*text));
        let mut derived = Secret::new([0; 64]);
        kdf_tree(&*start, LABEL, fixed, 1, &mut *derived)?;
        Ok(derived)
    }
}

fn argon2id(
    password: &[u8],
    salt: &[u8],
    [memory, passes, lanes]: [u32; 3],
    key: &mut [u8; KEY],
) -> Result<(), Error> {
    use argon2::{Algorithm, Argon2, Block, Params, Version};
    // `Source::check` has refused the costs that the function does not support.
    let refused = |_| Error::Field("cost");
    let params = Params::new(memory, passes, lanes, Some(KEY)).map_err(refused)?;
    let count = params.block_count();
    let mut blocks = Vec::new();
    // Running out of memory is an error here, not an abort.
    blocks.try_reserve_exact(count).map_err(|_| Error::Memory { kib: memory })?;
    blocks.resize(count, Block::default());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let done = argon2.hash_password_into_with_memory(password, salt, key, &mut blocks);
    blocks.iter_mut().for_each(|block| block.zeroize());
    done.map_err(refused)
}

/// Limits on the work that the password slots of a header may ask for. More is refused before any work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The iterations of PBKDF2, in all slots together.
    pub iterations: u32,
    /// The memory of Argon2id in KiB, in each slot. All slots together may pass over 64 times as much.
    pub memory: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { iterations: crate::MAX_ITERATIONS, memory: crate::MAX_MEMORY }
    }
}

/// The kinds of work in [`Error::Cost`].
pub const ITERATIONS: &str = "iterations of PBKDF2";
/// Memory for a single slot.
pub const MEMORY: &str = "KiB of memory for Argon2id";
/// Work for all slots together; 64 times the memory is allowed.
pub const WORK: &str = "KiB in all passes of Argon2id";

impl Limits {
    pub(crate) fn check(&self, slots: impl Iterator<Item = Source>) -> Result<(), Error> {
        let (mut iterations, mut work) = (0, 0);
        let within = |what, asked, allowed| match asked > allowed {
            true => Err(Error::Cost { what, asked, allowed }),
            false => Ok(()),
        };
        for slot in slots {
            match slot {
                Source::KeyFile => {}
                Source::Password(Kdf::Pbkdf2 { iterations: n }) => iterations += u64::from(n),
                Source::Password(Kdf::Argon2id { memory, passes, .. }) => {
                    within(MEMORY, memory.into(), self.memory.into())?;
                    work += u128::from(memory) * u128::from(passes);
                }
            }
        }
        within(ITERATIONS, iterations, self.iterations.into())?;
        let work = u64::try_from(work).unwrap_or(u64::MAX);
        within(WORK, work, 64 * u64::from(self.memory))
    }
}
