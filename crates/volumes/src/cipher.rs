//! Encrypts a store's sectors under a cipher named as in dm-crypt: `kuznyechik-xts-plain64`.

use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use aes::{Aes128, Aes256};
use bulat::{Direction, Xts};
use camellia::Camellia256;
use serpent::Serpent;
use twofish::Twofish;
use xts_mode::Xts128;

use crate::Result;
use crate::error::{Error, named};
use crate::system::{Wiped, keep_in_memory, wipe_stack};

/// A block cipher in XTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Kuznyechik (GOST R 34.12-2015).
    Kuznyechik,
    /// AES with keys of 128 or 256 bits: cryptsetup needs it for keyslots.
    Aes,
    /// Serpent, only for VeraCrypt.
    Serpent,
    /// Twofish, only for VeraCrypt. Its time depends on the key and the data.
    Twofish,
    /// Camellia, only for VeraCrypt. Its time depends on the key and the data.
    Camellia,
}

impl Block {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Block::Kuznyechik => "kuznyechik",
            Block::Aes => "aes",
            Block::Serpent => "serpent",
            Block::Twofish => "twofish",
            Block::Camellia => "camellia",
        }
    }

    /// Returns whether its time is independent of the key and the data.
    pub fn is_constant_time(self) -> bool {
        !matches!(self, Block::Twofish | Block::Camellia)
    }
}

/// The conversion of a sector's number to a tweak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `plain64`: 8 bytes little-endian.
    Plain64,
    /// `plain`: the low 32 bits, little-endian.
    Plain,
    /// `plain64be`: 8 bytes big-endian, at the tweak's end.
    Plain64be,
}

const NAMES: [(&str, Numbers); 3] =
    [("plain64", Numbers::Plain64), ("plain", Numbers::Plain), ("plain64be", Numbers::Plain64be)];

/// A cipher with its name in dm-crypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The block cipher, in XTS.
    pub block: Block,
    /// The form of the tweaks.
    pub numbers: Numbers,
}

impl Spec {
    /// `kuznyechik-xts-plain64`.
    pub const KUZNYECHIK: Spec = Spec { block: Block::Kuznyechik, numbers: Numbers::Plain64 };
    /// `aes-xts-plain64`.
    pub const AES: Spec = Spec { block: Block::Aes, numbers: Numbers::Plain64 };

    /// Parses a name.
    ///
    /// # Errors
    /// [`Error::Unsupported`] with the name.
    pub fn parse(name: &str) -> Result<Self> {
        let spec = || {
            let (block, numbers) = name.split_once("-xts-")?;
            let block = [Block::Kuznyechik, Block::Aes].into_iter().find(|b| b.name() == block)?;
            let (_, numbers) = NAMES.into_iter().find(|(name, _)| *name == numbers)?;
            Some(Spec { block, numbers })
        };
        spec().ok_or_else(|| {
            Error::Unsupported(format!(
                "the cipher {} (known: kuznyechik or aes, -xts-, plain64, plain or plain64be)",
                named(name)
            ))
        })
    }

    /// Returns the name.
    pub fn name(self) -> String {
        let numbers = NAMES.into_iter().find(|(_, numbers)| *numbers == self.numbers);
        format!("{}-xts-{}", self.block.name(), numbers.map_or("", |(name, _)| name))
    }

    /// Errors: [`Error::Unsupported`] for keys of this many bytes.
    pub(crate) fn takes(self, key: usize) -> Result<()> {
        match (self.block, key) {
            (_, 64) | (Block::Aes, 32) => Ok(()),
            _ => Err(Error::Unsupported(format!("{} with keys of {key} bytes", self.name()))),
        }
    }
}

/// A cipher of another library under its two keys.
trait Other: Send + Sync {
    fn run(&self, direction: Direction, tweak: [u8; 16], sector: &mut [u8]);
    fn keep_in_memory(&self);
}

impl<C> Other for Wiped<Xts128<C>>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + Send + Sync,
{
    fn run(&self, direction: Direction, tweak: [u8; 16], sector: &mut [u8]) {
        match direction {
            Direction::Encrypt => self.encrypt_sector(sector, tweak.into()),
            Direction::Decrypt => self.decrypt_sector(sector, tweak.into()),
        }
    }
    fn keep_in_memory(&self) {
        keep_in_memory(&**self);
    }
}

enum Keyed {
    Kuznyechik(Box<Xts>),
    Other(Box<dyn Other>),
}

impl Keyed {
    fn new(block: Block, data: &[u8], tweak: &[u8]) -> Result<Self> {
        if bulat::verify(data, tweak).is_ok() {
            return Err(Error::Damaged("both halves of the key are equal".into()));
        }
        match block {
            Block::Kuznyechik => {
                let length = |_| Error::Invalid("wrong length of a key".into());
                let data = data.try_into().map_err(length)?;
                let tweak = tweak.try_into().map_err(length)?;
                let xts = Xts::new(data, tweak).map_err(|e| Error::Invalid(e.to_string()))?;
                Ok(Keyed::Kuznyechik(Box::new(xts)))
            }
            Block::Aes if data.len() == 16 => Self::other::<Aes128>(data, tweak),
            Block::Aes => Self::other::<Aes256>(data, tweak),
            Block::Serpent => Self::other::<Serpent>(data, tweak),
            Block::Twofish => Self::other::<Twofish>(data, tweak),
            Block::Camellia => Self::other::<Camellia256>(data, tweak),
        }
    }

    fn other<C>(data: &[u8], tweak: &[u8]) -> Result<Self>
    where
        C: KeyInit
            + BlockCipherEncrypt
            + BlockCipherDecrypt
            + BlockSizeUser<BlockSize = U16>
            + Send
            + Sync
            + 'static,
    {
        let one = |key| {
            C::new_from_slice(key).map_err(|_| Error::Invalid("wrong length of a key".into()))
        };
        Ok(Keyed::Other(Box::new(Wiped::new(Xts128::new(one(data)?, one(tweak)?)))))
    }

    fn run(
        &self,
        direction: Direction,
        numbers: &[u128],
        size: usize,
        data: &mut [u8],
    ) -> Result<(), bulat::Error> {
        match self {
            Keyed::Kuznyechik(xts) => xts.sectors_at(numbers, size, direction, data),
            Keyed::Other(other) => {
                for (number, sector) in numbers.iter().zip(data.chunks_mut(size)) {
                    other.run(direction, number.to_le_bytes(), sector);
                }
                Ok(())
            }
        }
    }
}

/// A cipher with its keys, or a cascade of ciphers, for any sectors, from any thread.
pub struct Cipher {
    /// In the order of encryption.
    keyed: Vec<Keyed>,
    numbers: Numbers,
    /// A warning about the ciphers that leak by their time.
    warning: Option<String>,
}

/// Returns a warning about ciphers that need more or less time for different keys and data.
pub fn warning(blocks: &[Block]) -> Option<String> {
    let leaking = blocks.iter().filter(|block| !block.is_constant_time());
    let names: Vec<&str> = leaking.map(|block| block.name()).collect();
    let names = names.join(" and ");
    (!names.is_empty()).then(|| {
        format!(
            "{names}: not constant-time, so its time may tell others on this machine about its key"
        )
    })
}

/// The sectors that get their numbers at once: as many as the library encrypts tweaks of in one batch. More would only be
/// zeroed in vain for a request of one sector.
const NUMBERS: usize = 64;

impl Cipher {
    /// Creates a cipher. The first half of the key is for the data, the second for the tweaks.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a key of another length; [`Error::Damaged`] when the halves are equal.
    pub fn new(spec: Spec, key: &[u8]) -> Result<Self> {
        let cipher = Self::keyed(spec, key);
        // Moving the keys left copies on the stack.
        wipe_stack();
        cipher
    }

    #[inline(never)]
    fn keyed(spec: Spec, key: &[u8]) -> Result<Self> {
        spec.takes(key.len())?;
        let (data, tweak) = key.split_at(key.len() / 2);
        let keyed = vec![Keyed::new(spec.block, data, tweak)?];
        Ok(Cipher { keyed, numbers: spec.numbers, warning: warning(&[spec.block]) })
    }

    /// Creates a cascade with keys of 256 bits, in the order of encryption. The first half of the key has the data's
    /// keys, the second the tweaks', both in this order. Sectors are numbered as by `plain64`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a key of another length; as [`Self::new`].
    pub fn cascade(blocks: &[Block], key: &[u8]) -> Result<Self> {
        let cipher = Self::layers(blocks, key);
        wipe_stack();
        cipher
    }

    #[inline(never)]
    fn layers(blocks: &[Block], key: &[u8]) -> Result<Self> {
        if blocks.is_empty() || key.len() != 64 * blocks.len() {
            return Err(Error::Invalid("wrong length of a cascade's key".into()));
        }
        let (data, tweak) = key.split_at(32 * blocks.len());
        let pairs = data.chunks(32).zip(tweak.chunks(32));
        let keyed =
            blocks.iter().zip(pairs).map(|(block, (data, tweak))| Keyed::new(*block, data, tweak));
        let (keyed, warning) = (keyed.collect::<Result<_>>()?, warning(blocks));
        Ok(Cipher { keyed, numbers: Numbers::Plain64, warning })
    }

    /// Returns a warning if its time depends on the key and the data.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Keeps the keys out of swap, if the system's limits allow it.
    pub fn keep_in_memory(&self) {
        for keyed in &self.keyed {
            match keyed {
                Keyed::Kuznyechik(xts) => keep_in_memory(&**xts),
                Keyed::Other(other) => other.keep_in_memory(),
            }
        }
    }

    /// Returns a cipher that does nothing, to measure the cost of everything else.
    pub fn nothing() -> Self {
        Cipher { keyed: Vec::new(), numbers: Numbers::Plain64, warning: None }
    }

    fn number(&self, n: u64) -> u128 {
        match self.numbers {
            Numbers::Plain64 => n.into(),
            Numbers::Plain => (n as u32).into(),
            Numbers::Plain64be => u128::from(n.swap_bytes()) << 64,
        }
    }

    /// Transforms sectors of `size` bytes with the numbers `first`, `first + step` and so on, up to [`NUMBERS`] of them
    /// in each call of the library.
    pub(crate) fn run(
        &self,
        direction: Direction,
        (first, step): (u64, u64),
        size: usize,
        data: &mut [u8],
    ) -> Result<()> {
        self.each(first, step, size, data.len(), |numbers, at| {
            let data = &mut data[at..at + numbers.len() * size];
            self.ordered(direction).try_for_each(|one| one.run(direction, numbers, size, data))
        })
    }

    /// Returns the ciphers in the order of this direction.
    fn ordered(&self, direction: Direction) -> impl Iterator<Item = &Keyed> {
        let last = self.keyed.len();
        (0..last).map(move |i| match direction {
            Direction::Encrypt => &self.keyed[i],
            Direction::Decrypt => &self.keyed[last - 1 - i],
        })
    }

    /// Like [`Self::run`], from `source` to `destination`.
    pub(crate) fn run_b2b(
        &self,
        direction: Direction,
        (first, step): (u64, u64),
        size: usize,
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<()> {
        self.each(first, step, size, source.len(), |numbers, at| {
            let to = at + numbers.len() * size;
            let (source, destination) = (&source[at..to], &mut destination[at..to]);
            let mut ordered = self.ordered(direction).peekable();
            if let Some(Keyed::Kuznyechik(xts)) = ordered.peek() {
                xts.sectors_at_b2b(numbers, size, direction, source, destination)?;
                ordered.next();
            } else {
                destination.copy_from_slice(source);
            }
            ordered.try_for_each(|one| one.run(direction, numbers, size, destination))
        })
    }

    fn each(
        &self,
        first: u64,
        step: u64,
        size: usize,
        len: usize,
        mut run: impl FnMut(&[u128], usize) -> Result<(), bulat::Error>,
    ) -> Result<()> {
        let (count, mut numbers) = (len / size, [0; NUMBERS]);
        for at in (0..count).step_by(NUMBERS) {
            let some = &mut numbers[..(count - at).min(NUMBERS)];
            for (i, number) in some.iter_mut().enumerate() {
                let n = first.wrapping_add(step.wrapping_mul((at + i) as u64));
                *number = self.number(n);
            }
            run(some, at * size).map_err(|e| Error::Invalid(format!("sectors: {e}")))?;
        }
        Ok(())
    }
}
