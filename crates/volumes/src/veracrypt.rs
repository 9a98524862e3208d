//! VeraCrypt volumes. The header of 512 bytes looks like noise, so every place, function of the password and cipher is
//! tried. There are four places: the volume's, the hidden volume's, and their backups at the end.

use std::sync::Arc;

use bulat::Direction;
use zeroize::Zeroizing;

use crate::cipher::{Block, Cipher};
use crate::error::{Error, Result, damaged, named};
use crate::hash::Hash;
use crate::kdf::Kdf;
use crate::random;
use crate::signs;
use crate::store::Store;
use crate::volume::{Layout, Volume};

/// The header's length.
pub const LEN: usize = 512;
/// The length of the salt before the encrypted part.
const SALT: usize = 64;
/// The bytes reserved for headers at each end.
pub const GROUP: u64 = 128 << 10;
/// The newest VeraCrypt version that a header may require.
const PROGRAM: u16 = 0x0126;
/// The bytes under one tweak, for every sector size.
const UNIT: usize = 512;

/// The place of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The volume's header.
    Volume,
    /// The hidden volume's header.
    Hidden,
    /// The backup of the volume's header, at the end.
    Backup,
    /// The backup of the hidden volume's header, at the end.
    HiddenBackup,
}

impl Place {
    /// All places, in the order of trying.
    pub const ALL: [Place; 4] = [Place::Volume, Place::Hidden, Place::Backup, Place::HiddenBackup];

    /// Returns the offset in a store of `size` bytes, if the store is large enough.
    pub fn offset(self, size: u64) -> Option<u64> {
        let at = match self {
            Place::Volume => Some(0),
            Place::Hidden => Some(GROUP / 2),
            Place::Backup => size.checked_sub(GROUP),
            Place::HiddenBackup => size.checked_sub(GROUP / 2),
        };
        at.filter(|at| at + LEN as u64 <= size)
    }

    /// Returns the place of the backup of this header.
    pub fn backup(self) -> Place {
        match self {
            Place::Volume | Place::Backup => Place::Backup,
            Place::Hidden | Place::HiddenBackup => Place::HiddenBackup,
        }
    }

    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Place::Volume => "volume",
            Place::Hidden => "hidden volume",
            Place::Backup => "volume, by its backup header",
            Place::HiddenBackup => "hidden volume, by its backup header",
        }
    }
}

/// A cipher, or a cascade of ciphers with independent keys, each in XTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// VeraCrypt's name in small letters. A cascade's last cipher comes first.
    pub name: &'static str,
    /// The ciphers in the order of encryption, which is also the order of their keys.
    pub blocks: &'static [Block],
}

/// VeraCrypt's ciphers and cascades. New volumes get the first.
pub const ALGORITHMS: [Algorithm; 15] = {
    use Block::{Aes, Camellia, Kuznyechik, Serpent, Twofish};
    const fn of(name: &'static str, blocks: &'static [Block]) -> Algorithm {
        Algorithm { name, blocks }
    }
    [
        of("kuznyechik", &[Kuznyechik]),
        of("aes", &[Aes]),
        of("serpent", &[Serpent]),
        of("twofish", &[Twofish]),
        of("camellia", &[Camellia]),
        of("camellia-kuznyechik", &[Kuznyechik, Camellia]),
        of("kuznyechik-aes", &[Aes, Kuznyechik]),
        of("kuznyechik-twofish", &[Twofish, Kuznyechik]),
        of("kuznyechik-serpent-camellia", &[Camellia, Serpent, Kuznyechik]),
        of("aes-twofish", &[Twofish, Aes]),
        of("aes-twofish-serpent", &[Serpent, Twofish, Aes]),
        of("camellia-serpent", &[Serpent, Camellia]),
        of("serpent-aes", &[Aes, Serpent]),
        of("serpent-twofish-aes", &[Aes, Twofish, Serpent]),
        of("twofish-serpent", &[Serpent, Twofish]),
    ]
};

/// The length of the longest key of an algorithm.
const LONGEST: usize = 192;

impl Algorithm {
    /// Returns the algorithm of this name. cryptsetup's name of a cascade has the first cipher first; it is accepted too,
    /// unless VeraCrypt gives that name to another cascade.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn parse(name: &str) -> Result<Self> {
        let lower = name.to_ascii_lowercase();
        let reversed = lower.rsplit('-').collect::<Vec<_>>().join("-");
        let named_so = |name: &str| ALGORITHMS.iter().find(|a| a.name == name);
        let found = named_so(&lower).or_else(|| named_so(&reversed));
        found.copied().ok_or_else(|| {
            let known = ALGORITHMS.map(|a| a.name).join(", ");
            Error::Unsupported(format!("the cipher {} (known: {known})", named(name)))
        })
    }

    /// Returns the length of the keys in bytes.
    fn key_len(&self) -> usize {
        64 * self.blocks.len()
    }
}

/// The function from a password to the key of a header; VeraCrypt calls it the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prf {
    /// PBKDF2 over this hash.
    Pbkdf2(Hash),
    /// Argon2id.
    Argon2id,
}

impl Prf {
    /// All functions, in the order of trying.
    pub const ALL: [Prf; 6] = [
        Prf::Pbkdf2(Hash::Sha512),
        Prf::Pbkdf2(Hash::Streebog512),
        Prf::Pbkdf2(Hash::Sha256),
        Prf::Pbkdf2(Hash::Blake2s256),
        Prf::Pbkdf2(Hash::Whirlpool),
        Prf::Argon2id,
    ];

    /// Returns the function of this name.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn parse(name: &str) -> Result<Self> {
        let same = |prf: &Prf| match prf {
            Prf::Pbkdf2(hash) => Hash::parse(name).is_ok_and(|named| named == *hash),
            Prf::Argon2id => matches!(name, "argon2id" | "argon2"),
        };
        Self::ALL.into_iter().find(same).ok_or_else(|| {
            let known = Self::ALL.map(Prf::name).join(", ");
            Error::Unsupported(format!("the hash {} (known: {known})", named(name)))
        })
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Prf::Pbkdf2(hash) => hash.name(),
            Prf::Argon2id => "argon2id",
        }
    }

    /// Returns the function with its cost for a PIM; 0 is none.
    fn kdf(self, pim: u32) -> Kdf {
        match (self, pim) {
            (Prf::Pbkdf2(hash), 0) => Kdf::Pbkdf2 { hash, iterations: 500_000 },
            (Prf::Pbkdf2(hash), pim) => Kdf::Pbkdf2 { hash, iterations: 15_000 + 1000 * pim },
            (Prf::Argon2id, 0) => Prf::Argon2id.kdf(12),
            (Prf::Argon2id, pim) => {
                let memory = (64 + 32 * (pim.min(31) - 1)) << 10;
                let time = if pim <= 31 { 3 + (pim - 1) / 3 } else { 13 + (pim - 31) };
                Kdf::Argon2 { id: true, time, memory, lanes: 1 }
            }
        }
    }
}

/// The secrets of a volume.
#[derive(Clone, Debug)]
pub struct Key {
    /// The password mixed with the keyfiles.
    password: Zeroizing<Vec<u8>>,
    /// The PIM; 0 for none.
    pub pim: u32,
    /// The function of the password; `None` tries all.
    pub hash: Option<Prf>,
    /// The cipher; `None` tries all.
    pub cipher: Option<Algorithm>,
}

/// Names the hashes, the ciphers and the headers that a wrong password was tried with, for messages. Without places, all.
pub fn tried(hash: Option<Prf>, cipher: Option<Algorithm>, places: &[Place]) -> String {
    let hashes = hash.map_or(Prf::ALL.map(Prf::name).join(", "), |hash| hash.name().into());
    let ciphers = cipher.map_or("all ciphers and cascades of VeraCrypt", |cipher| cipher.name);
    let names: Vec<&str> = places.iter().map(|place| place.name()).collect();
    let headers = match names.is_empty() {
        true => "the headers of the volume, of a hidden one, and both backups".into(),
        false => format!("the headers of: {}", names.join("; ")),
    };
    format!("tried: {ciphers}; the hashes {hashes}; {headers}")
}

impl Key {
    /// Creates a key from a password of up to 128 bytes and the contents of keyfiles, of which only the first MiB is
    /// used.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a longer password, for neither password nor keyfile, or for a PIM above 2147468.
    pub fn new(password: &[u8], keyfiles: &[&[u8]], pim: u32) -> Result<Self> {
        if password.len() > 128 {
            return Err(Error::Invalid("VeraCrypt's passwords have up to 128 bytes".into()));
        }
        if password.is_empty() && keyfiles.is_empty() {
            return Err(Error::Invalid("neither a password nor a keyfile".into()));
        }
        if pim > 2_147_468 {
            return Err(Error::Invalid("a PIM is at most 2147468".into()));
        }
        let mut mixed = Zeroizing::new(vec![0; 128]);
        mixed[..password.len()].copy_from_slice(password);
        let mut len = password.len();
        if !keyfiles.is_empty() {
            let room = if password.len() <= 64 { 64 } else { 128 };
            let mut pool = Zeroizing::new([0u8; 128]);
            for file in keyfiles {
                let (mut crc, mut at) = (!0u32, 0);
                for byte in file.iter().take(1 << 20) {
                    crc = crc_step(crc, *byte);
                    for part in crc.to_be_bytes() {
                        pool[at] = pool[at].wrapping_add(part);
                        at = (at + 1) % room;
                    }
                }
            }
            let both = mixed.iter_mut().zip(&*pool).take(room);
            both.for_each(|(byte, pool)| *byte = byte.wrapping_add(*pool));
            len = room;
        }
        mixed.truncate(len);
        Ok(Key { password: mixed, pim, hash: None, cipher: None })
    }

    /// Returns the derivation, its length, and the ciphers to try with it. The first 64 bytes of PBKDF2 are enough for
    /// one cipher, and cost a third. Argon2's output depends on its length, so VeraCrypt always derives the longest.
    fn attempts(&self, argon2: bool) -> Vec<(Prf, usize, Vec<Algorithm>)> {
        let hashes = self.hash.map_or(Prf::ALL.to_vec(), |hash| vec![hash]);
        let ciphers = self.cipher.map_or(ALGORITHMS.to_vec(), |cipher| vec![cipher]);
        if argon2 {
            let hashes = hashes.into_iter().filter(|hash| *hash == Prf::Argon2id);
            return hashes.map(|hash| (hash, LONGEST, ciphers.clone())).collect();
        }
        let (one, many): (Vec<_>, Vec<_>) = ciphers.iter().partition(|c| c.blocks.len() == 1);
        let mut attempts = Vec::new();
        for some in [one, many] {
            let Some(len) = some.iter().map(Algorithm::key_len).max() else { continue };
            let pbkdf2 = hashes.iter().filter(|hash| **hash != Prf::Argon2id);
            attempts.extend(pbkdf2.map(|hash| (*hash, len, some.clone())));
        }
        attempts
    }

    /// Derives the key of a header.
    fn derive(&self, hash: Prf, salt: &[u8], len: usize) -> Result<Zeroizing<Vec<u8>>> {
        let len = if hash == Prf::Argon2id { LONGEST } else { len };
        hash.kdf(self.pim).key(&self.password, salt, len)
    }
}

/// Performs one step of the CRC-32 of ISO 3309, without the final inversion.
fn crc_step(crc: u32, byte: u8) -> u32 {
    (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ 0xedb8_8320 & (crc & 1).wrapping_neg())
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| crc_step(crc, *byte))
}

/// An opened header.
#[derive(Clone)]
pub struct Header {
    /// The place where it was found.
    pub place: Place,
    /// The function of the password.
    pub hash: Prf,
    /// The cipher of the header and the data.
    pub cipher: Algorithm,
    /// The header's version.
    pub version: u16,
    /// The oldest VeraCrypt version that reads it, such as 0x010b for 1.11.
    pub program: u16,
    /// The hidden volume's length in bytes; 0 in other headers.
    pub hidden: u64,
    /// The volume's length in bytes.
    pub size: u64,
    /// The offset of its data.
    pub offset: u64,
    /// The data's length in bytes.
    pub len: u64,
    /// The length of a sector in bytes, as the volume's users see it.
    pub sector: u32,
    /// The master keys, of which only as many bytes are used as the cipher's keys have.
    keys: Zeroizing<Vec<u8>>,
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

impl Header {
    /// Opens a header's bytes. Returns `None` if they were not made with this key.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsupported`] for a header that opens and is invalid; [`Error::Memory`].
    pub fn decrypt(bytes: &[u8; LEN], key: &Key, place: Place) -> Result<Option<Self>> {
        match Self::decrypt_by(bytes, key, place, false)? {
            None => Self::decrypt_by(bytes, key, place, true),
            found => Ok(found),
        }
    }

    /// Tries PBKDF2, or Argon2id.
    fn decrypt_by(
        bytes: &[u8; LEN],
        key: &Key,
        place: Place,
        argon2: bool,
    ) -> Result<Option<Self>> {
        let (salt, body) = bytes.split_at(SALT);
        let mut lacking = None;
        for (hash, len, ciphers) in key.attempts(argon2) {
            let derived = match key.derive(hash, salt, len) {
                Ok(derived) => derived,
                // Nobody asked for this function, and another function may be right.
                Err(e @ Error::Memory(_)) if key.hash.is_none() => {
                    lacking = Some(e);
                    continue;
                }
                Err(e) => return Err(e),
            };
            for cipher in ciphers {
                let mut text = Zeroizing::new(body.to_vec());
                let keyed = Cipher::cascade(cipher.blocks, &derived[..cipher.key_len()])?;
                keyed.run(Direction::Decrypt, (0, 1), body.len(), &mut text)?;
                if let Some(header) = Self::parse(text, hash, cipher, place)? {
                    return Ok(Some(header));
                }
            }
        }
        lacking.map_or(Ok(None), Err)
    }

    /// Parses a header's 448 decrypted bytes; also for fuzzing.
    ///
    /// # Errors
    /// As [`Self::decrypt`].
    pub fn parse(
        text: Zeroizing<Vec<u8>>,
        hash: Prf,
        cipher: Algorithm,
        place: Place,
    ) -> Result<Option<Self>> {
        if text.len() != LEN - SALT {
            return Ok(None);
        }
        let (sign, sum) = (text[..4] == *b"VERA", half(&text, 8) == crc32(&text[192..]));
        if !sign || !sum {
            // No wrong key gives a block of zeros, which a header has in the middle, or the sign with its checksum.
            let zeros = text[80..176].chunks(16).any(|block| *block == [0; 16]);
            return match sign && half(&text, 188) == crc32(&text[..188]) || zeros {
                true => damaged("the password opens it, but a part of it is damaged"),
                false => Ok(None),
            };
        }
        if half(&text, 188) != crc32(&text[..188]) {
            return damaged("the header's checksum is wrong");
        }
        let two = |at: usize| u16::from_be_bytes([text[at], text[at + 1]]);
        let (version, program) = (two(4), two(6));
        if !(4..=5).contains(&version) || program > PROGRAM {
            return Err(Error::Unsupported(format!(
                "header version {version}, for VeraCrypt {}.{:x} or later",
                program >> 8,
                program & 0xff
            )));
        }
        let (hidden, size, offset, len) =
            (word(&text, 28), word(&text, 36), word(&text, 44), word(&text, 52));
        let (flags, sector) = (half(&text, 60), half(&text, 64));
        if flags & 1 != 0 {
            return Err(Error::Unsupported("the encryption of a system's disk".into()));
        }
        if flags & 2 != 0 && size != len {
            return Err(Error::Unsupported("a volume with unfinished in-place encryption".into()));
        }
        if !sector.is_power_of_two() || !(512..=4096).contains(&sector) {
            return Err(Error::Unsupported(format!("sectors of {sector} bytes")));
        }
        let whole = |n: u64| n.is_multiple_of(UNIT as u64);
        if len == 0 || !whole(offset) || !whole(len) || offset.checked_add(len).is_none() {
            return damaged("the data is not whole sectors");
        }
        let keys = Zeroizing::new(text[192..].to_vec());
        Ok(Some(Header {
            place,
            hash,
            version,
            program,
            hidden,
            size,
            offset,
            len,
            sector,
            cipher,
            keys,
        }))
    }

    /// Opens the header of a store: tries each of these places.
    ///
    /// # Errors
    /// [`Error::WrongKey`]; as [`Self::decrypt`]; the store's.
    pub fn read(store: &dyn Store, key: &Key, places: &[Place]) -> Result<Self> {
        let (size, mut failed) = (store.size()?, Error::WrongKey);
        // Argon2id last, since it costs more than all others at all places.
        for (argon2, at) in
            [false, true].into_iter().flat_map(|a| places.iter().map(move |at| (a, at)))
        {
            let Some(offset) = at.offset(size) else { continue };
            let mut bytes = [0; LEN];
            store.read_at(&mut bytes, offset)?;
            match Self::decrypt_by(&bytes, key, *at, argon2) {
                Ok(Some(header)) => return Ok(header),
                Ok(None) => {}
                // Its backup may be whole.
                Err(e @ Error::Damaged(_)) => failed = e,
                // Another place may open without that memory. Damage says more.
                Err(e @ Error::Memory(_)) if !matches!(failed, Error::Damaged(_)) => failed = e,
                Err(Error::Memory(_)) => {}
                Err(e) => return Err(e),
            }
        }
        Err(failed)
    }

    /// Encrypts the header under a key and a new salt.
    fn encrypt(&self, key: &Key) -> Result<[u8; LEN]> {
        let mut bytes = [0; LEN];
        random(&mut bytes[..SALT])?;
        let mut text = Zeroizing::new(vec![0; LEN - SALT]);
        text[..4].copy_from_slice(b"VERA");
        text[4..6].copy_from_slice(&self.version.to_be_bytes());
        text[6..8].copy_from_slice(&self.program.to_be_bytes());
        for (at, word) in [(28, self.hidden), (36, self.size), (44, self.offset), (52, self.len)] {
            text[at..at + 8].copy_from_slice(&word.to_be_bytes());
        }
        text[64..68].copy_from_slice(&self.sector.to_be_bytes());
        text[192..].copy_from_slice(&self.keys);
        let keys = crc32(&text[192..]).to_be_bytes();
        text[8..12].copy_from_slice(&keys);
        let sum = crc32(&text[..188]).to_be_bytes();
        text[188..192].copy_from_slice(&sum);
        let (len, keys) = (text.len(), self.cipher.key_len());
        let derived = key.derive(self.hash, &bytes[..SALT], keys)?;
        let cipher = Cipher::cascade(self.cipher.blocks, &derived[..keys])?;
        cipher.run(Direction::Encrypt, (0, 1), len, &mut text)?;
        bytes[SALT..].copy_from_slice(&text);
        Ok(bytes)
    }

    /// Writes the header to both its places. Last comes the place from which it was read, which may be the only good
    /// one: at any time there is a header under the old or the new password.
    ///
    /// # Errors
    /// [`Error::Short`] if the data extends into the place of the backup; the store's.
    pub fn write(&self, store: &dyn Store, key: &Key) -> Result<()> {
        let (size, end) = (store.size()?, self.offset + self.len);
        if size.checked_sub(GROUP).is_none_or(|backups| end > backups) {
            return Err(Error::Short(format!(
                "the data ends at byte {end}, and {GROUP} bytes of headers follow, but there are {size}"
            )));
        }
        let places = match self.place {
            Place::Volume => [Place::Backup, Place::Volume],
            Place::Hidden => [Place::HiddenBackup, Place::Hidden],
            Place::Backup => [Place::Volume, Place::Backup],
            Place::HiddenBackup => [Place::Hidden, Place::HiddenBackup],
        };
        for place in places {
            let at = place.offset(size);
            let at = at.ok_or_else(|| Error::Invalid("no room for the header".into()))?;
            store.write_at(&self.encrypt(key)?, at)?;
            store.sync()?;
        }
        Ok(())
    }

    /// Refuses to change a volume that ends before its store does: [`Self::grow`] would bring the old password back.
    ///
    /// # Errors
    /// [`Error::Invalid`]; the store's.
    pub fn check_end(&self, store: &dyn Store) -> Result<()> {
        let (size, end) = (store.size()?, self.offset + self.len + GROUP);
        match self.place == Place::Volume && size > end {
            true => Err(Error::Invalid(format!(
                "the volume ends at byte {end}, but the file has {size}: first bulat volume resize, or make the file end there"
            ))),
            false => Ok(()),
        }
    }

    /// Gives the data the rest of a store that has grown, and moves the backups to the new end. At any time there is a
    /// header under the password, of the old or the new size; after an interruption the next call completes it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the store has not grown by 128 KiB, or the backups are not where the volume ended, or the
    /// new place of the backups is not zeros, or for a header of another place than the volume's; the store's.
    pub fn grow(&self, store: &dyn Store, key: &Key) -> Result<Self> {
        let wrong = |what: String| Err(Error::Invalid(what));
        let (size, old) = (store.size()?, self.offset + self.len);
        if self.place != Place::Volume || self.offset != GROUP {
            return wrong("only the volume grows that fills its file, by its first header".into());
        }
        if size == old + GROUP {
            return wrong(format!("it has not grown: the volume ends at byte {size} already"));
        }
        let new = size.checked_sub(GROUP).filter(|new| *new >= old + GROUP);
        let Some(new) = new.filter(|_| size.is_multiple_of(UNIT as u64)) else {
            return wrong(format!(
                "it needs whole sectors, and at least {} bytes: {GROUP} more than before, but has {size}",
                old + 2 * GROUP
            ));
        };
        let len = size - 2 * GROUP;
        let grown = Header { size: len, len, ..self.clone() };
        let is_backup = |at: u64, of: &Header| -> Result<bool> {
            let mut bytes = [0; LEN];
            store.read_at(&mut bytes, at)?;
            let found = Self::decrypt(&bytes, key, Place::Backup);
            Ok(matches!(found, Ok(Some(header)) if header.is_same_volume(of)))
        };
        let mut group = vec![0; GROUP as usize];
        // Once the backup is at the new end, a hidden volume's newer backup may be there too.
        if !is_backup(new, &grown)? {
            let end = old + GROUP;
            if !is_backup(old, self)? {
                return wrong(format!(
                    "no backup of the header at byte {old}, where the volume ended: make the file end at \
                     byte {end} again, and write a backup by bulat volume change-key"
                ));
            }
            // The second half is the hidden volume's backup, or noise.
            store.read_at(&mut group, old)?;
            let mut there = vec![0; GROUP as usize];
            store.read_at(&mut there, new)?;
            // An interrupted call has copied some sectors, but not the first.
            let free =
                there.chunks(LEN).zip(group.chunks(LEN)).enumerate().all(|(n, (there, old))| {
                    there.iter().all(|byte| *byte == 0) || n > 0 && there == old
                });
            if !free {
                return wrong(format!(
                    "the last {GROUP} bytes must be zeros, but there is data, or the header of a hidden volume \
                     that was changed after the file had grown: make the file end at byte {end} again, change \
                     that password again, and add zeros"
                ));
            }
            group[..LEN].copy_from_slice(&grown.encrypt(key)?);
            for part in [LEN..group.len(), 0..LEN] {
                store.write_at(&group[part.clone()], new + part.start as u64)?;
                store.sync()?;
            }
        }
        // First the sector that says they have not been moved.
        random(&mut group)?;
        for part in [0..LEN, LEN..group.len()] {
            store.write_at(&group[part.clone()], old + part.start as u64)?;
            store.sync()?;
        }
        grown.write(store, key)?;
        Ok(grown)
    }

    /// Refuses a header read at the end if the store begins with something else: the volume may be gone.
    ///
    /// # Errors
    /// [`Error::Force`]; the store's.
    pub fn check_beginning(&self, store: &dyn Store) -> Result<()> {
        if matches!(self.place, Place::Volume | Place::Hidden) {
            return Ok(());
        }
        match signs::sign(store)? {
            Some(what) => Err(Error::Force(format!(
                "only the header at the end belongs to this volume, and there is {what}"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the layout of the data; its first unit has its number in the whole volume.
    pub fn layout(&self) -> Layout {
        let first = self.offset / UNIT as u64;
        Layout { offset: self.offset, len: self.len, sector: UNIT, first, step: 1 }
    }

    /// Opens the volume.
    ///
    /// # Errors
    /// As [`Volume::new`].
    pub fn open(&self, store: Arc<dyn Store>, writable: bool) -> Result<Volume> {
        let keys = &self.keys[..self.cipher.key_len()];
        Volume::with(store, self.layout(), Cipher::cascade(self.cipher.blocks, keys)?, writable)
    }

    /// Returns whether another header has the same data under equal keys.
    pub fn is_same_volume(&self, other: &Header) -> bool {
        (self.offset, self.len, self.cipher) == (other.offset, other.len, other.cipher)
            && bulat::verify(&self.keys, &other.keys).is_ok()
    }

    /// Returns the part of the outer volume's data that a hidden volume occupies: for [`Volume::protect`].
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is outside.
    pub fn within(&self, outer: &Header) -> Result<std::ops::Range<u64>> {
        let end = self.offset + self.len;
        if self.offset < outer.offset || end > outer.offset + outer.len {
            return Err(Error::Invalid("the hidden volume is not within the outer one".into()));
        }
        Ok(self.offset - outer.offset..end - outer.offset)
    }
}

/// Makes a volume as large as its store, or a hidden volume of `hidden` bytes in an existing volume. The data is left
/// unchanged: to hide its extent, fill the volume.
///
/// # Errors
/// [`Error::Invalid`]; the store's.
pub fn create(store: &dyn Store, key: &Key, hidden: Option<u64>) -> Result<Header> {
    let total = store.size()? / UNIT as u64 * UNIT as u64;
    let small = || Error::Invalid("too small: there is no room for data after the headers".into());
    let room =
        store.size()?.checked_sub(2 * GROUP).filter(|n| *n >= UNIT as u64).ok_or_else(small)?;
    let hash = key.hash.unwrap_or(Prf::Pbkdf2(Hash::Streebog512));
    let cipher = key.cipher.unwrap_or(ALGORITHMS[0]);
    if store.size()? != total {
        return Err(Error::Invalid("the size is not a multiple of 512 bytes".into()));
    }
    let mut keys = Zeroizing::new(vec![0; 256]);
    random(&mut keys[..cipher.key_len()])?;
    let (place, offset, len) = match hidden {
        None => (Place::Volume, GROUP, room),
        Some(len) if len == 0 || len > room || !len.is_multiple_of(4096) => {
            return Err(Error::Invalid(format!(
                "a hidden volume has a multiple of 4096 bytes, at most {room}"
            )));
        }
        Some(len) => (Place::Hidden, total - GROUP - len, len),
    };
    let header = Header {
        place,
        hash,
        version: 5,
        program: 0x010b,
        hidden: hidden.unwrap_or(0),
        size: len,
        offset,
        len,
        sector: 512,
        cipher,
        keys,
    };
    if hidden.is_none() {
        // Noise in the places without headers, so that nothing shows whether there is a hidden volume.
        let mut noise = vec![0; GROUP as usize];
        for at in [total - GROUP, 0] {
            random(&mut noise)?;
            store.write_at(&noise, at)?;
        }
        store.sync()?;
    }
    header.write(store, key)?;
    Ok(header)
}
