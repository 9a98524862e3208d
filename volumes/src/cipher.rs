//! Encrypts a store's sectors under a cipher named as in dm-crypt: `kuznyechik-xts-plain64`.

use aes::cipher::KeyInit as _;
use aes::{Aes128, Aes256};
use bulat::{Direction, Xts};
use xts_mode::Xts128;

use crate::Result;
use crate::error::{Error, named};
use crate::system::{keep_in_memory, wipe_stack};

/// A block cipher in XTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Kuznyechik (GOST R 34.12-2015).
    Kuznyechik,
    /// AES with keys of 128 or 256 bits: cryptsetup needs it for keyslots, and tests use it as a control.
    Aes,
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
            let mut parts = name.split('-');
            let block = match parts.next()? {
                "kuznyechik" => Block::Kuznyechik,
                "aes" => Block::Aes,
                _ => return None,
            };
            if parts.next()? != "xts" {
                return None;
            }
            let numbers = match parts.next()? {
                "plain64" => Numbers::Plain64,
                "plain" => Numbers::Plain,
                "plain64be" => Numbers::Plain64be,
                _ => return None,
            };
            parts.next().is_none().then_some(Spec { block, numbers })
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
        let block = match self.block {
            Block::Kuznyechik => "kuznyechik",
            Block::Aes => "aes",
        };
        let numbers = match self.numbers {
            Numbers::Plain64 => "plain64",
            Numbers::Plain => "plain",
            Numbers::Plain64be => "plain64be",
        };
        format!("{block}-xts-{numbers}")
    }

    /// # Errors
    /// [`Error::Unsupported`] for keys of this many bytes.
    pub(crate) fn takes(self, key: usize) -> Result<()> {
        match (self.block, key) {
            (_, 64) | (Block::Aes, 32) => Ok(()),
            _ => Err(Error::Unsupported(format!("{} with keys of {key} bytes", self.name()))),
        }
    }
}

enum Keyed {
    Kuznyechik(Box<Xts>),
    Aes256(Box<Xts128<Aes256>>),
    Aes128(Box<Xts128<Aes128>>),
    Nothing,
}

/// A cipher with a key, for any sectors, from any thread.
pub struct Cipher {
    keyed: Keyed,
    numbers: Numbers,
}

/// The sectors that get their numbers at once.
const NUMBERS: usize = 256;

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
        if bulat::verify(data, tweak).is_ok() {
            return Err(Error::Damaged("both halves of the key are equal".into()));
        }
        let length = |_| Error::Invalid("wrong length of a key".into());
        let keyed = match (spec.block, data, tweak) {
            (Block::Kuznyechik, data, tweak) => {
                let data = data.try_into().map_err(length)?;
                let tweak = tweak.try_into().map_err(length)?;
                let xts = Xts::new(data, tweak).map_err(|e| Error::Invalid(e.to_string()))?;
                Keyed::Kuznyechik(Box::new(xts))
            }
            (Block::Aes, data, tweak) if data.len() == 32 => {
                let one = |key| Aes256::new_from_slice(key);
                let bad = |_| Error::Invalid("wrong length of a key".into());
                Keyed::Aes256(Box::new(Xts128::new(
                    one(data).map_err(bad)?,
                    one(tweak).map_err(bad)?,
                )))
            }
            (Block::Aes, data, tweak) => {
                let one = |key| Aes128::new_from_slice(key);
                let bad = |_| Error::Invalid("wrong length of a key".into());
                Keyed::Aes128(Box::new(Xts128::new(
                    one(data).map_err(bad)?,
                    one(tweak).map_err(bad)?,
                )))
            }
        };
        Ok(Cipher { keyed, numbers: spec.numbers })
    }

    /// Keeps the keys out of swap, if the system's limits allow it.
    pub fn keep_in_memory(&self) {
        match &self.keyed {
            Keyed::Kuznyechik(xts) => keep_in_memory(&**xts),
            Keyed::Aes256(xts) => keep_in_memory(&**xts),
            Keyed::Aes128(xts) => keep_in_memory(&**xts),
            Keyed::Nothing => {}
        }
    }

    /// Returns a cipher that does nothing, to measure the cost of everything else.
    pub fn nothing() -> Self {
        Cipher { keyed: Keyed::Nothing, numbers: Numbers::Plain64 }
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
            match &self.keyed {
                Keyed::Kuznyechik(xts) => return xts.sectors_at(numbers, size, direction, data),
                _ => self.aes(direction, numbers, size, data),
            }
            Ok(())
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
            if let Keyed::Kuznyechik(xts) = &self.keyed {
                return xts.sectors_at_b2b(numbers, size, direction, source, destination);
            }
            destination.copy_from_slice(source);
            self.aes(direction, numbers, size, destination);
            Ok(())
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

    fn aes(&self, direction: Direction, numbers: &[u128], size: usize, data: &mut [u8]) {
        for (number, sector) in numbers.iter().zip(data.chunks_mut(size)) {
            let tweak = number.to_le_bytes().into();
            match (&self.keyed, direction) {
                (Keyed::Aes256(xts), Direction::Encrypt) => xts.encrypt_sector(sector, tweak),
                (Keyed::Aes256(xts), Direction::Decrypt) => xts.decrypt_sector(sector, tweak),
                (Keyed::Aes128(xts), Direction::Encrypt) => xts.encrypt_sector(sector, tweak),
                (Keyed::Aes128(xts), Direction::Decrypt) => xts.decrypt_sector(sector, tweak),
                _ => {}
            }
        }
    }
}
