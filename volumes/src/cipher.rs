//! Sectors of a store under a cipher as dm-crypt names it: `kuznyechik-xts-plain64`.

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
    /// AES with keys of 128 or 256 bits: what cryptsetup wants for keyslots, and controls.
    Aes,
}

/// How a sector's number becomes a tweak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `plain64`: 8 bytes little-endian.
    Plain64,
    /// `plain`: its low 32 bits, little-endian.
    Plain,
    /// `plain64be`: 8 bytes big-endian, at the tweak's end.
    Plain64be,
}

/// A cipher by the name that dm-crypt gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The block cipher, in XTS.
    pub block: Block,
    /// Its tweaks.
    pub numbers: Numbers,
}

impl Spec {
    /// `kuznyechik-xts-plain64`.
    pub const KUZNYECHIK: Spec = Spec { block: Block::Kuznyechik, numbers: Numbers::Plain64 };
    /// `aes-xts-plain64`.
    pub const AES: Spec = Spec { block: Block::Aes, numbers: Numbers::Plain64 };

    /// Reads a name.
    ///
    /// # Errors
    /// [`Error::Unsupported`], with the name.
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

    /// Its name.
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

/// A cipher under its key, for any sectors, from any thread.
pub struct Cipher {
    keyed: Keyed,
    numbers: Numbers,
}

/// Sectors whose numbers are had at once.
const NUMBERS: usize = 256;

impl Cipher {
    /// The first half of the key is for the data, the second for the tweaks.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a key of another length; [`Error::Damaged`] when the halves are equal.
    pub fn new(spec: Spec, key: &[u8]) -> Result<Self> {
        let cipher = Self::keyed(spec, key);
        // A move leaves a copy of what is moved.
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

    /// Keeps the keys out of the swap, where the system's limits allow it.
    pub fn keep_in_memory(&self) {
        match &self.keyed {
            Keyed::Kuznyechik(xts) => keep_in_memory(&**xts),
            Keyed::Aes256(xts) => keep_in_memory(&**xts),
            Keyed::Aes128(xts) => keep_in_memory(&**xts),
            Keyed::Nothing => {}
        }
    }

    /// No cipher: sectors stay as they are. To measure what the rest costs.
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

    /// Transforms sectors of `size` bytes, of the numbers `first`, `first + step`, and so on; all in one call of the
    /// library, up to [`NUMBERS`] of them.
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

    /// The same from `source` to `destination`.
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
