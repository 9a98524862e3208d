//! The container's header, and the keys derived with it: docs/FORMAT.md, sections 2 and 3.
//!
//! 112 bytes, numbers big-endian: magic 6, version 2, cipher 1, source 1, log2 of the chunk 1,
//! zero 1, PBKDF2 iterations 4, salt 32, commitment 32, authentication code 32.

use bulat::kdf::{kdf_tree, pbkdf2};
use bulat::{HmacStreebog256, Mac as _, Secret, Streebog256, Streebog512};
use zeroize::Zeroizing;

use super::Error;

/// The header's length.
pub const LEN: usize = 112;
/// The first bytes of every container.
pub const MAGIC: [u8; 6] = *b"bulat\x1a";
/// The version that this program reads and writes.
pub const VERSION: u16 = 1;
/// The length of a key file's key.
pub const KEY: usize = 32;
/// The length of the authenticated part.
const SIGNED: usize = LEN - 32;
/// The label of the file's keys.
const LABEL: &[u8] = b"bulat/1 file";
/// Hashed before a key, and before a password: each is one block of Streebog, so that neither input can be the
/// beginning of HMAC's input under a key of 32 bytes (docs/FORMAT.md, section 3).
const KEY_BLOCK: [u8; 64] = block(b"bulat/1 key");
const PASSWORD_BLOCK: [u8; 64] = block(b"bulat/1 password");

/// Pads the text with zeros.
const fn block(text: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    block.split_at_mut(text.len()).0.copy_from_slice(text);
    block
}

/// The cipher of the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cipher {
    /// Kuznyechik-MGM.
    Kuznyechik,
    /// Magma-MGM.
    Magma,
}

impl Cipher {
    /// Returns the cipher's name in the table of algorithms.
    pub const fn name(self) -> &'static str {
        match self {
            Cipher::Kuznyechik => "kuznyechik-mgm",
            Cipher::Magma => "magma-mgm",
        }
    }
    /// Returns the length of block, nonce and tag.
    pub const fn block(self) -> usize {
        match self {
            Cipher::Kuznyechik => 16,
            Cipher::Magma => 8,
        }
    }
    /// Returns the bytes of plaintext under one key: 128 MiB, 2 MiB.
    pub const fn group(self) -> u64 {
        match self {
            Cipher::Kuznyechik => 128 << 20,
            Cipher::Magma => 2 << 20,
        }
    }
    /// Returns the most bytes of plaintext in one file: 2^60, 2^36 (docs/FORMAT.md, section 5, gives the bound).
    pub const fn limit(self) -> u64 {
        match self {
            Cipher::Kuznyechik => 1 << 60,
            Cipher::Magma => 1 << 36,
        }
    }
}

/// The source of the file's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A key file.
    KeyFile,
    /// A password, by PBKDF2.
    Password {
        /// The number of iterations, at least 1. The caller must demand a sensible minimum.
        iterations: u32,
    },
}

/// The user's secret.
#[derive(Clone, Copy)]
pub enum Credential<'a> {
    /// The key of a key file.
    Key(&'a [u8; KEY]),
    /// A password, byte for byte.
    Password(&'a [u8]),
}

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The cipher.
    pub cipher: Cipher,
    /// The source of the keys.
    pub source: Source,
    /// log2 of the chunk's plaintext in bytes: 12 to 20.
    pub chunk_log2: u8,
    /// Random and new for each file.
    pub salt: [u8; 32],
    /// The key commitment.
    pub commitment: [u8; 32],
    /// The authentication code of everything before it.
    pub code: [u8; 32],
}

/// The keys of one file.
#[derive(Clone)]
pub struct Keys {
    /// The root of the groups' keys. Boxed, so that moving `Keys` leaves no copy behind.
    pub(crate) root: Box<Secret<[u8; 32]>>,
    /// The header's hash, which every chunk authenticates.
    pub(crate) aad: [u8; 32],
    pub(crate) cipher: Cipher,
    pub(crate) chunk: usize,
}

impl Keys {
    /// Returns the bytes of plaintext in a chunk.
    pub fn chunk(&self) -> usize {
        self.chunk
    }
}

/// Chunk root, commitment, header key.
type Derived = Secret<[u8; 96]>;

impl Header {
    /// Creates the header of a new file, and its keys. The salt must be random and new.
    ///
    /// # Errors
    /// [`Error::Field`] for a chunk or a number of iterations that the format does not allow; [`Error::Credential`]
    /// when source and credential differ in kind.
    pub fn new(
        cipher: Cipher,
        source: Source,
        chunk_log2: u8,
        salt: [u8; 32],
        credential: Credential<'_>,
    ) -> Result<(Header, Keys), Error> {
        let mut header =
            Header { cipher, source, chunk_log2, salt, commitment: [0; 32], code: [0; 32] };
        header.check()?;
        let derived = header.derive(credential)?;
        header.commitment.copy_from_slice(&derived[32..64]);
        header.code = header.authenticate(&derived)?;
        let keys = header.keys(&derived);
        Ok((header, keys))
    }

    /// Derives the keys of an existing file: checks the commitment, then the authentication code.
    ///
    /// # Errors
    /// [`Error::Iterations`] before any work, [`Error::Credential`], [`Error::WrongKey`],
    /// [`Error::HeaderDamaged`].
    pub fn unlock(&self, credential: Credential<'_>, max_iterations: u32) -> Result<Keys, Error> {
        if let Source::Password { iterations: asked } = self.source
            && asked > max_iterations
        {
            return Err(Error::Iterations { asked, allowed: max_iterations });
        }
        let derived = self.derive(credential)?;
        bulat::verify(&derived[32..64], &self.commitment).map_err(|_| Error::WrongKey)?;
        let code = self.authenticate(&derived)?;
        bulat::verify(&code, &self.code).map_err(|_| Error::HeaderDamaged)?;
        Ok(self.keys(&derived))
    }

    /// Parses a header, which is not authenticated until [`Header::unlock`].
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Version`], [`Error::HeaderTruncated`], [`Error::Field`].
    pub fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let magic = bytes.len().min(MAGIC.len());
        if magic == 0 || bytes[..magic] != MAGIC[..magic] {
            return Err(Error::Foreign);
        }
        if let Some(&[a, b]) = bytes.get(6..8)
            && u16::from_be_bytes([a, b]) != VERSION
        {
            return Err(Error::Version(u16::from_be_bytes([a, b])));
        }
        let bytes: &[u8; LEN] =
            bytes.get(..LEN).and_then(|b| b.try_into().ok()).ok_or(Error::HeaderTruncated)?;
        let octets = |at: usize| -> [u8; 32] { bytes[at..at + 32].try_into().expect("32 bytes") };
        let cipher = match bytes[8] {
            1 => Cipher::Kuznyechik,
            2 => Cipher::Magma,
            _ => return Err(Error::Field("cipher")),
        };
        let iterations = u32::from_be_bytes(bytes[12..16].try_into().expect("4 bytes"));
        let source = match (bytes[9], iterations) {
            (1, 0) => Source::KeyFile,
            (2, 1..) => Source::Password { iterations },
            (1 | 2, _) => return Err(Error::Field("number of iterations")),
            _ => return Err(Error::Field("key source")),
        };
        if bytes[11] != 0 {
            return Err(Error::Field("reserved byte"));
        }
        let header = Header {
            cipher,
            source,
            chunk_log2: bytes[10],
            salt: octets(16),
            commitment: octets(48),
            code: octets(80),
        };
        header.check()?;
        Ok(header)
    }

    /// Returns the header's bytes.
    pub fn bytes(&self) -> [u8; LEN] {
        let (source, iterations) = match self.source {
            Source::KeyFile => (1, 0),
            Source::Password { iterations } => (2, iterations),
        };
        let mut out = [0; LEN];
        out[..6].copy_from_slice(&MAGIC);
        out[6..8].copy_from_slice(&VERSION.to_be_bytes());
        out[8] = match self.cipher {
            Cipher::Kuznyechik => 1,
            Cipher::Magma => 2,
        };
        out[9] = source;
        out[10] = self.chunk_log2;
        out[12..16].copy_from_slice(&iterations.to_be_bytes());
        out[16..48].copy_from_slice(&self.salt);
        out[48..80].copy_from_slice(&self.commitment);
        out[80..].copy_from_slice(&self.code);
        out
    }

    /// Returns the bytes of plaintext in a chunk.
    pub fn chunk(&self) -> usize {
        1 << self.chunk_log2
    }

    fn check(&self) -> Result<(), Error> {
        if !(12..=20).contains(&self.chunk_log2) {
            return Err(Error::Field("chunk size"));
        }
        if self.source == (Source::Password { iterations: 0 }) {
            return Err(Error::Field("number of iterations"));
        }
        Ok(())
    }

    fn derive(&self, credential: Credential<'_>) -> Result<Derived, Error> {
        let mut input = Secret::new([0; KEY]);
        match (credential, self.source) {
            (Credential::Key(key), Source::KeyFile) => input.copy_from_slice(key),
            (Credential::Password(password), Source::Password { iterations }) => {
                let labelled = Zeroizing::new([&PASSWORD_BLOCK, password].concat());
                pbkdf2::<64>(&labelled, &self.salt, iterations, &mut *input)?;
            }
            (_, source) => {
                return Err(Error::Credential { password: source != Source::KeyFile });
            }
        }
        let mut text = Secret::new([0; 128]);
        text[..64].copy_from_slice(&KEY_BLOCK);
        text[64..96].copy_from_slice(&self.salt);
        text[96..].copy_from_slice(&*input);
        let start = Secret::new(Streebog512::digest(&*text));
        let mut derived = Secret::new([0; 96]);
        kdf_tree(&*start, LABEL, &self.salt, 1, &mut *derived)?;
        Ok(derived)
    }

    fn authenticate(&self, derived: &Derived) -> Result<[u8; 32], Error> {
        let mut hmac = HmacStreebog256::new(&derived[64..]);
        hmac.update(&self.bytes()[..SIGNED]);
        Ok(hmac.finalize()?.to_array()?)
    }

    fn keys(&self, derived: &Derived) -> Keys {
        let mut root = Box::new(Secret::new([0; 32]));
        root.copy_from_slice(&derived[..32]);
        let aad = Streebog256::digest(&self.bytes());
        Keys { root, aad, cipher: self.cipher, chunk: self.chunk() }
    }
}
