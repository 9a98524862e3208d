//! The container's header, its slots, and the keys of a file: docs/FORMAT.md, sections 2 to 4.

use bulat::kdf::kdf_tree;
use bulat::{HmacStreebog256, Mac as _, Secret, Streebog256};

use super::Error;
use crate::name::{self, Name};
use crate::slots::{Credential, Limits, Source};
pub use crate::slots::{KEY, SALT};

/// The header's length.
pub const LEN: usize = 2048;
/// The first bytes of every container.
pub const MAGIC: [u8; 6] = *b"bulat\x1a";
/// The version that this program reads and writes.
pub const VERSION: u16 = 1;
/// The number of slots.
pub const SLOTS: usize = 16;
/// The random bytes of a new file: its identity, its data key, and the salt of its first slot.
pub const FRESH: usize = 64 + SALT;
/// The length of the part that never changes.
const FIXED: usize = 480;
/// The length of a slot.
const SLOT: usize = 96;
/// The length of the authenticated part.
const SIGNED: usize = LEN - 32;
/// The place of the name.
const NAME: usize = 48;
/// The label of the file's keys.
const LABEL: &[u8] = b"bulat/1 file";

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
    /// Returns the most bytes of plaintext in one file: 2^60, 2^36 (docs/FORMAT.md, section 7, gives the bound).
    pub const fn limit(self) -> u64 {
        match self {
            Cipher::Kuznyechik => 1 << 60,
            Cipher::Magma => 1 << 36,
        }
    }
}

/// A used slot: the file's data key under one secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The source of its key.
    pub source: Source,
    /// Random, and new each time that the slot is written.
    pub salt: [u8; SALT],
    /// The data key under the slot's mask.
    pub wrapped: [u8; 32],
    /// The key commitment.
    pub commitment: [u8; 32],
}

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The cipher.
    pub cipher: Cipher,
    /// log2 of the chunk's plaintext in bytes: 12 to 20.
    pub chunk_log2: u8,
    /// Random and new for each file.
    pub identity: [u8; 32],
    /// The bound name; empty if no name is bound.
    pub name: String,
    /// The slots, of which at least one is used.
    pub slots: [Option<Slot>; SLOTS],
    /// The authentication code of everything before it.
    pub code: [u8; 32],
}

/// The keys of one file.
#[derive(Clone)]
pub struct Keys {
    /// The root of the groups' keys. Boxed, so that moving `Keys` leaves no copy behind.
    pub(crate) root: Box<Secret<[u8; 32]>>,
    /// The data key, which slots wrap.
    data: Box<Secret<[u8; 32]>>,
    /// The hash of the header's fixed part, which every chunk authenticates.
    pub(crate) aad: [u8; 32],
    pub(crate) cipher: Cipher,
    pub(crate) chunk: usize,
    slot: usize,
}

impl Keys {
    /// Returns the bytes of plaintext in a chunk.
    pub fn chunk(&self) -> usize {
        self.chunk
    }
    /// Returns the number of the slot that was opened.
    pub fn slot(&self) -> usize {
        self.slot
    }
}

impl Header {
    /// Creates the header of a new file with one slot, and its keys. `name` is bound unless it is empty. The bytes of
    /// `fresh` must be random and new.
    ///
    /// # Errors
    /// [`Error::Field`] and [`Error::Slot`] for a chunk, a name or a cost that the format does not allow;
    /// [`Error::Cost`] if no program could open the file without higher limits; [`Error::Credential`] when source and
    /// credential differ in kind; [`Error::Password`]; [`Error::Memory`].
    pub fn new(
        cipher: Cipher,
        chunk_log2: u8,
        name: &str,
        source: Source,
        credential: Credential<'_>,
        fresh: &[u8; FRESH],
    ) -> Result<(Header, Keys), Error> {
        let (identity, secrets) = fresh.split_first_chunk().expect("32 bytes of 80");
        let (data, salt) = secrets.split_at(32);
        let mut header = Header {
            cipher,
            chunk_log2,
            identity: *identity,
            name: name.into(),
            slots: [None; SLOTS],
            code: [0; 32],
        };
        header.check()?;
        let mut own = Box::new(Secret::new([0; 32]));
        own.copy_from_slice(data);
        let (keys, _) = header.keys(own, 0)?;
        header.fill(&keys, 0, source, credential, salt.try_into().expect("16 bytes"))?;
        Ok((header, keys))
    }

    /// Derives the keys of an existing file by the first slot that this secret opens: checks the slot's commitment, then
    /// the header's authentication code and the bound name.
    ///
    /// # Errors
    /// [`Error::Password`], [`Error::Credential`] and [`Error::Cost`] before any work, [`Error::Memory`], [`Error::WrongKey`],
    /// [`Error::HeaderDamaged`], [`Error::Name`].
    pub fn unlock(
        &self,
        credential: Credential<'_>,
        limits: &Limits,
        name: &Name,
    ) -> Result<Keys, Error> {
        credential.check()?;
        let password = matches!(credential, Credential::Password(_));
        self.openable(password, limits)?;
        for (n, slot) in self.slots.iter().enumerate() {
            let (Some(slot), Some(derived)) = (slot, self.opens(n, credential)?) else { continue };
            let mut data = Box::new(Secret::new([0; 32]));
            data.iter_mut().zip(slot.wrapped).zip(&*derived).for_each(|((d, w), p)| *d = w ^ p);
            let (keys, code) = self.keys(data, n)?;
            let code = self.authenticate(&code)?;
            bulat::verify(&code, &self.code).map_err(|_| Error::HeaderDamaged)?;
            self.named(name)?;
            return Ok(keys);
        }
        Err(Error::WrongKey)
    }

    /// Derives the keys of a slot, if this secret opens it.
    fn opens(
        &self,
        n: usize,
        credential: Credential<'_>,
    ) -> Result<Option<Secret<[u8; 64]>>, Error> {
        let Some(slot) = self.slots[n].as_ref().filter(|slot| slot.source.fits(credential)) else {
            return Ok(None);
        };
        let derived = slot.source.derive(credential, &slot.salt, &self.fixed())?;
        Ok(bulat::verify(&derived[32..], &slot.commitment).is_ok().then_some(derived))
    }

    /// Returns the slots from number `first` on that this secret opens.
    ///
    /// # Errors
    /// [`Error::Password`] and [`Error::Cost`] before any work, [`Error::Memory`].
    pub fn opened(
        &self,
        first: usize,
        credential: Credential<'_>,
        limits: &Limits,
    ) -> Result<Vec<usize>, Error> {
        credential.check()?;
        match self.openable(matches!(credential, Credential::Password(_)), limits) {
            Err(Error::Credential { .. }) => return Ok(Vec::new()),
            result => result?,
        }
        let mut opened = Vec::new();
        for n in first..SLOTS {
            if self.opens(n, credential)?.is_some() {
                opened.push(n);
            }
        }
        Ok(opened)
    }

    /// Checks, before a secret is known, that the header has a slot of its kind, and that passwords cost no more than
    /// these limits.
    ///
    /// # Errors
    /// [`Error::Credential`], [`Error::Cost`].
    pub fn openable(&self, password: bool, limits: &Limits) -> Result<(), Error> {
        let sources = || self.slots.iter().flatten().map(|slot| slot.source);
        if !sources().any(|source| (source != Source::KeyFile) == password) {
            return Err(Error::Credential { password: !password });
        }
        if password { limits.check(sources()) } else { Ok(()) }
    }

    /// Compares the bound name, if there is any, for keys that a caller has kept.
    ///
    /// # Errors
    /// [`Error::Name`].
    pub fn named(&self, name: &Name) -> Result<(), Error> {
        name.check(&self.name)
    }

    /// Adds a slot for a further secret, with a random and new salt. Returns its number.
    ///
    /// # Errors
    /// [`Error::NoSlot`], and as [`Header::new`]: then the header is unchanged.
    pub fn add(
        &mut self,
        keys: &Keys,
        source: Source,
        credential: Credential<'_>,
        salt: &[u8; SALT],
    ) -> Result<usize, Error> {
        let free = self.slots.iter().position(Option::is_none).ok_or(Error::NoSlot)?;
        self.fill(keys, free, source, credential, salt)?;
        Ok(free)
    }

    /// Replaces the secret of a used slot; the salt must be random and new.
    ///
    /// # Errors
    /// [`Error::Unused`], and as [`Header::new`]: then the header is unchanged.
    pub fn change(
        &mut self,
        keys: &Keys,
        slot: usize,
        source: Source,
        credential: Credential<'_>,
        salt: &[u8; SALT],
    ) -> Result<(), Error> {
        self.used(slot)?;
        self.fill(keys, slot, source, credential, salt)
    }

    /// Empties a used slot, but not the last.
    ///
    /// # Errors
    /// [`Error::Unused`], [`Error::LastSlot`]: then the header is unchanged.
    pub fn remove(&mut self, keys: &Keys, slot: usize) -> Result<(), Error> {
        self.used(slot)?;
        if self.slots.iter().flatten().count() == 1 {
            return Err(Error::LastSlot);
        }
        let mut next = self.clone();
        next.slots[slot] = None;
        next.sign(keys)?;
        *self = next;
        Ok(())
    }

    fn used(&self, slot: usize) -> Result<(), Error> {
        match self.slots.get(slot) {
            Some(Some(_)) => Ok(()),
            _ => Err(Error::Unused { slot }),
        }
    }

    fn fill(
        &mut self,
        keys: &Keys,
        n: usize,
        source: Source,
        credential: Credential<'_>,
        salt: &[u8; SALT],
    ) -> Result<(), Error> {
        source.check().map_err(|field| Error::Slot { slot: n, field })?;
        let others = self.slots.iter().enumerate().filter(|(i, _)| *i != n);
        let others = others.filter_map(|(_, slot)| Some(slot.as_ref()?.source));
        Limits::default().check(others.chain([source]))?;
        let derived = source.derive(credential, salt, &keys.aad)?;
        let (mut wrapped, mut commitment) = ([0; 32], [0; 32]);
        let mask = derived[..32].iter().zip(&**keys.data);
        wrapped.iter_mut().zip(mask).for_each(|(w, (p, d))| *w = p ^ d);
        commitment.copy_from_slice(&derived[32..]);
        let mut next = self.clone();
        next.slots[n] = Some(Slot { source, salt: *salt, wrapped, commitment });
        next.sign(keys)?;
        *self = next;
        Ok(())
    }

    fn sign(&mut self, keys: &Keys) -> Result<(), Error> {
        // Keys of a different file would make a header that nothing opens.
        if keys.aad != self.fixed() {
            return Err(Error::HeaderDamaged);
        }
        let (_, code) = self.keys(keys.data.clone(), keys.slot)?;
        self.code = self.authenticate(&code)?;
        Ok(())
    }

    /// Parses a header, which is not authenticated until [`Header::unlock`].
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Version`], [`Error::HeaderTruncated`], [`Error::Field`], [`Error::Slot`].
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
        let cipher = match bytes[8] {
            1 => Cipher::Kuznyechik,
            2 => Cipher::Magma,
            _ => return Err(Error::Field("cipher")),
        };
        chunk_size(bytes[9])?;
        let (name, after) = bytes[NAME..FIXED]
            .split_at_checked(u16::from_be_bytes([bytes[10], bytes[11]]).into())
            .ok_or(Error::Field("length of the name"))?;
        if bytes[12..16] != [0; 4] {
            return Err(Error::Field("flag"));
        }
        let name = str::from_utf8(name).ok().filter(|_| after.iter().all(|byte| *byte == 0));
        let mut header = Header {
            cipher,
            chunk_log2: bytes[9],
            identity: array(&bytes[16..48]),
            name: name.ok_or(Error::Field("name"))?.into(),
            slots: [None; SLOTS],
            code: array(&bytes[SIGNED..]),
        };
        header.check()?;
        let slots = bytes[FIXED..SIGNED].chunks_exact(SLOT);
        for (n, (from, to)) in slots.zip(&mut header.slots).enumerate() {
            *to = slot(from).map_err(|field| Error::Slot { slot: n, field })?;
        }
        if header.slots == [None; SLOTS] {
            return Err(Error::Field("number of slots: none is used"));
        }
        Ok(header)
    }

    /// Returns the header's bytes.
    pub fn bytes(&self) -> [u8; LEN] {
        let mut out = [0; LEN];
        out[..6].copy_from_slice(&MAGIC);
        out[6..8].copy_from_slice(&VERSION.to_be_bytes());
        out[8] = match self.cipher {
            Cipher::Kuznyechik => 1,
            Cipher::Magma => 2,
        };
        out[9] = self.chunk_log2;
        out[10..12].copy_from_slice(&(self.name.len() as u16).to_be_bytes());
        out[16..48].copy_from_slice(&self.identity);
        out[NAME..NAME + self.name.len()].copy_from_slice(self.name.as_bytes());
        for (slot, to) in self.slots.iter().zip(out[FIXED..SIGNED].chunks_exact_mut(SLOT)) {
            let Some(slot) = slot else { continue };
            let (kind, cost) = slot.source.numbers();
            to[0] = kind;
            for (number, to) in cost.iter().zip(to[4..16].chunks_exact_mut(4)) {
                to.copy_from_slice(&number.to_be_bytes());
            }
            to[16..32].copy_from_slice(&slot.salt);
            to[32..64].copy_from_slice(&slot.wrapped);
            to[64..].copy_from_slice(&slot.commitment);
        }
        out[SIGNED..].copy_from_slice(&self.code);
        out
    }

    /// Returns the bytes of plaintext in a chunk.
    pub fn chunk(&self) -> usize {
        1 << self.chunk_log2
    }

    /// Returns the length of a whole container of this many bytes of plaintext.
    pub fn whole(&self, plain: u64) -> u64 {
        let chunks = plain.div_ceil(self.chunk() as u64).max(1);
        LEN as u64 + plain + chunks * self.cipher.block() as u64
    }

    /// Returns the length of the plaintext, and the number of chunks, of a container of this length, if it is whole.
    pub fn plaintext(&self, len: u64) -> Option<(u64, u64)> {
        // Every chunk but the last is full; each has a tag.
        let (block, body) = (self.cipher.block() as u64, len.checked_sub(LEN as u64)?);
        let chunks = body.div_ceil(self.chunk() as u64 + block).max(1);
        Some((body.checked_sub(chunks * block)?, chunks))
    }

    fn check(&self) -> Result<(), Error> {
        chunk_size(self.chunk_log2)?;
        if !name::legal(&self.name) {
            return Err(Error::Field("name"));
        }
        Ok(())
    }

    /// Returns the hash of the fixed part.
    fn fixed(&self) -> [u8; 32] {
        Streebog256::digest(&self.bytes()[..FIXED])
    }

    fn authenticate(&self, key: &Secret<[u8; 32]>) -> Result<[u8; 32], Error> {
        let mut hmac = HmacStreebog256::new(&**key);
        hmac.update(&self.bytes()[..SIGNED]);
        Ok(hmac.finalize()?.to_array()?)
    }

    /// Returns the file's keys, and the key of the header code.
    fn keys(
        &self,
        data: Box<Secret<[u8; 32]>>,
        slot: usize,
    ) -> Result<(Keys, Secret<[u8; 32]>), Error> {
        let aad = self.fixed();
        let mut derived = Secret::new([0; 64]);
        kdf_tree(&**data, LABEL, &aad, 1, &mut *derived)?;
        let (mut root, mut code) = (Box::new(Secret::new([0; 32])), Secret::new([0; 32]));
        root.copy_from_slice(&derived[..32]);
        code.copy_from_slice(&derived[32..]);
        let (cipher, chunk) = (self.cipher, self.chunk());
        Ok((Keys { root, data, aad, cipher, chunk, slot }, code))
    }
}

fn chunk_size(log2: u8) -> Result<(), Error> {
    if (12..=20).contains(&log2) { Ok(()) } else { Err(Error::Field("chunk size")) }
}

/// Reads the bytes of a slot. The error names the field.
fn slot(bytes: &[u8]) -> Result<Option<Slot>, &'static str> {
    if bytes.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    let number = |at| u32::from_be_bytes(array(&bytes[at..at + 4]));
    let source = Source::parse(bytes[0], [4, 8, 12].map(number))?;
    if bytes[1..4] != [0; 3] {
        return Err("reserved byte");
    }
    let (salt, wrapped) = (array(&bytes[16..32]), array(&bytes[32..64]));
    Ok(Some(Slot { source, salt, wrapped, commitment: array(&bytes[64..]) }))
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("as many bytes")
}
