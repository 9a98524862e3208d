//! ACPKM: the key changes inside a message after each section (RFC 8645, sections 6.2.1, 6.2.2, 6.3.1; R
//! 1323565.1.017-2018). Sections are counted here in bytes, in the standards in bits. A section's key is made only when
//! its first byte comes.

use super::gamma::{AHEAD, Leftover, check_s, split, stream};
use super::{FromKey, StreamCipher};
use crate::cipher::{ACPKM, Block, Count};
use crate::{BlockCipher, Direction, Error, InOut, Secret};

/// Returns the cipher under the next section's key: K' = ACPKM(K) = E_K(D_1) || E_K(D_2) || ..., D = 80 81 82 ... 9f
/// (RFC 8645, section 6.2.1).
pub fn acpkm<C: BlockCipher>(cipher: &C) -> C {
    cipher.rekey(&acpkm_key(cipher))
}

/// Returns the next section's key: see [`acpkm`].
pub fn acpkm_key<C: BlockCipher>(cipher: &C) -> Secret<[u8; 32]> {
    let mut key = Secret::new(ACPKM);
    cipher.map(Direction::Encrypt, (&mut key[..]).into());
    key
}

/// Encryption and decryption in CTR-ACPKM: like [`super::Ctr`], but the key changes after each section (RFC 8645,
/// section 6.2.2).
///
/// ```
/// use bulat::modes::CtrAcpkm;
/// use bulat::{Kuznyechik, StreamCipher};
/// let mut ctr = CtrAcpkm::<Kuznyechik>::new(&[7; 32], b"8 bytes!", 4096)?;
/// let mut text = [0; 10_000];
/// ctr.apply_keystream(&mut text)?;
/// ctr.reset(b"8 bytes!")?; // back to the first key, too
/// ctr.apply_keystream(&mut text)?;
/// assert_eq!(text, [0; 10_000]);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct CtrAcpkm<C: BlockCipher> {
    first: C,
    cipher: C,
    counter: C::Block,
    section: usize,
    s: usize,
    /// The bytes left under the current key, without those of `left`.
    room: usize,
    /// The gamma blocks left for the message, without those of `left`.
    pub(super) blocks: u64,
    left: Leftover,
}

impl<C: BlockCipher> CtrAcpkm<C> {
    /// m_max = n·2^(c-1) bits with c = n/2.
    const BLOCKS: u64 = 1 << (8 * C::BLOCK / 2 - 1);

    /// Bytes of a section in CMS (R 1323565.1.025-2019): 262144 with Kuznyechik, 8192 with Magma.
    pub const CMS_SECTION: usize = if C::BLOCK == 16 { 262_144 } else { 8192 };

    /// Begins a message under a key of 32 bytes: see [`Self::with`].
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::Parameter`] for the section.
    pub fn new(key: &[u8; 32], iv: &[u8], section: usize) -> Result<Self, Error>
    where
        C: FromKey,
    {
        Self::with(C::from_key(key), iv, section)
    }

    /// Begins a message. `iv` has n/2 bytes; `section` is N bytes, a positive multiple of the block; s = n.
    ///
    /// A message may have at most 2^(n/2 - 1) gamma blocks (Magma: 16 GiB); then [`Error::Limit`].
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::Parameter`] for the section.
    pub fn with(cipher: C, iv: &[u8], section: usize) -> Result<Self, Error> {
        check_section(section, C::BLOCK)?;
        let mut ctr = CtrAcpkm {
            first: cipher.clone(),
            cipher,
            counter: C::Block::ZERO,
            section,
            s: C::BLOCK,
            room: section,
            blocks: Self::BLOCKS,
            left: Leftover::new(),
        };
        ctr.start(iv)?;
        Ok(ctr)
    }

    /// Uses `s` bytes of each gamma block, 1..=n, a divisor of the section. Call it before any data.
    ///
    /// # Errors
    /// [`Error::Parameter`]; [`Error::Order`] once data has been given.
    pub fn with_s(mut self, s: usize) -> Result<Self, Error> {
        check_s(s, C::BLOCK)?;
        if !self.section.is_multiple_of(s) {
            return Err(Error::Parameter);
        }
        if self.blocks != Self::BLOCKS {
            return Err(Error::Order);
        }
        self.s = s;
        Ok(self)
    }

    /// Transforms sections in the middle of a message, after `before` sections. `first` has the key of the first
    /// section, and `keys` are the keys of the others. Their schedules are made side by side; where a schedule is
    /// cheap, the kernel may instead derive the keys again during the gamma. `self` must be as created, with s = n, and
    /// does not change.
    #[cfg(feature = "threads")]
    pub(crate) fn sections(
        &self,
        before: usize,
        first: &C,
        keys: &[[u8; 32]],
        data: InOut<'_, '_>,
    ) {
        let (mut counter, mut left) = (self.counter, Leftover::new());
        Count::Whole.skip(counter.as_mut(), before as u64 * (self.section / C::BLOCK) as u64);
        let (others, mut rest) = (first.side_by_side(keys), data);
        let mut done = 0;
        if others.is_none() {
            let bytes = first.clone().sections(&mut counter, self.section, rest.reborrow());
            (rest, done) = (split(rest, bytes).1, bytes / self.section);
        }
        for i in done..=keys.len() {
            let (part, tail) = split(rest, self.section);
            let gamma = |cipher: &C| {
                stream(cipher, &mut counter, Count::Whole, self.s, &mut left, 0, part);
            };
            match (i.checked_sub(1), &others) {
                (None, _) => gamma(first),
                (Some(i), Some(others)) => gamma(&others[i]),
                (Some(i), None) => gamma(&first.rekey(&keys[i])),
            }
            rest = tail;
        }
    }

    /// Returns the gamma blocks left for the message after `len` more bytes.
    pub(crate) fn blocks_after(&self, len: usize) -> Result<u64, Error> {
        let blocks = len.saturating_sub(self.left.len()).div_ceil(self.s) as u64;
        self.blocks.checked_sub(blocks).ok_or(Error::Limit)
    }

    /// Transforms the next piece. Makes at most `most` blocks ahead. Errors: [`Error::Limit`]: nothing was transformed.
    fn run(&mut self, most: u64, data: InOut<'_, '_>) -> Result<(), Error> {
        self.blocks = self.blocks_after(data.len())?;
        let mut rest = self.left.take(data);
        while !rest.is_empty() {
            if self.room == 0 {
                self.cipher = acpkm(&self.cipher);
                self.room = self.section;
            }
            if self.room == self.section && self.s == C::BLOCK && rest.len() > self.section {
                let some = rest.reborrow();
                let done = self.cipher.sections(&mut self.counter, self.section, some);
                if done > 0 {
                    (self.room, rest) = (0, split(rest, done).1);
                    continue;
                }
            }
            let (part, tail) = split(rest, self.room);
            self.room -= part.len().next_multiple_of(self.s);
            let room = (self.room / self.s) as u64;
            let ahead = most.min(self.blocks).min(room) as usize;
            let (counter, left) = (&mut self.counter, &mut self.left);
            stream(&self.cipher, counter, Count::Whole, self.s, left, ahead, part);
            let made = self.left.len() / C::BLOCK;
            self.room -= made * C::BLOCK;
            self.blocks -= made as u64;
            rest = tail;
        }
        Ok(())
    }

    /// Transforms the last piece of a message. Errors: [`Error::Limit`]: nothing was transformed.
    pub(super) fn end(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.run(0, data.into())
    }

    fn start(&mut self, iv: &[u8]) -> Result<(), Error> {
        if iv.len() != C::BLOCK / 2 {
            return Err(Error::IvLength);
        }
        self.counter = C::Block::ZERO;
        self.counter.as_mut()[..iv.len()].copy_from_slice(iv);
        (self.room, self.blocks) = (self.section, Self::BLOCKS);
        self.left.clear();
        Ok(())
    }
}

pub(super) fn check_section(section: usize, n: usize) -> Result<(), Error> {
    if section > 0 && section.is_multiple_of(n) { Ok(()) } else { Err(Error::Parameter) }
}

impl<C: BlockCipher> StreamCipher for CtrAcpkm<C> {
    /// # Errors
    /// [`Error::Limit`]: nothing was transformed.
    fn apply_keystream_inout(&mut self, data: InOut<'_, '_>) -> Result<(), Error> {
        if data.len() <= self.left.len() {
            self.left.take(data);
            return Ok(());
        }
        // As in CTR, at most as many blocks ahead as the message has had.
        let most = (Self::BLOCKS - self.blocks).min(AHEAD as u64);
        self.run(most, data)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.start(iv)?;
        self.cipher = self.first.clone();
        Ok(())
    }
}

/// ACPKM-Master: derives key material for sections from a master key (RFC 8645, section 6.3.1) as CTR-ACPKM of zeros,
/// with an IV of ones and sections of T*.
///
/// ```
/// use bulat::modes::AcpkmMaster;
/// use bulat::Kuznyechik;
/// let mut master = AcpkmMaster::new(Kuznyechik::new(&[7; 32]), 96)?;
/// let mut material = [0; 48]; // a key and K1 of OMAC-ACPKM
/// master.next(&mut material)?;
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct AcpkmMaster<C: BlockCipher>(CtrAcpkm<C>);

impl<C: BlockCipher> AcpkmMaster<C> {
    /// `period` is T* in bytes, after which the master key changes: a positive multiple of the block.
    ///
    /// The standard also demands a multiple of the key material of a section. This is not enforced, because the most
    /// common period (4096 bytes for Kuznyechik, 1024 for Magma) is no such multiple: the material of a section may
    /// then come from two master keys.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(cipher: C, period: usize) -> Result<Self, Error> {
        Ok(AcpkmMaster(CtrAcpkm::with(cipher, &[0xff; 16][..C::BLOCK / 2], period)?))
    }
    /// Fills `material` with the next bytes.
    ///
    /// # Errors
    /// [`Error::Limit`] past n·2^(n/2 - 1) bits.
    pub fn next(&mut self, material: &mut [u8]) -> Result<(), Error> {
        material.fill(0);
        self.0.apply_keystream(material)
    }
    /// Restarts from the first byte.
    pub fn restart(&mut self) {
        let ones = [0xff; 16];
        self.0.reset(&ones[..C::BLOCK / 2]).expect("half a block");
    }
}
