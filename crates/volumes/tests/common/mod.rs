//! Small volumes, and a store with power cuts.
#![allow(dead_code, unused_imports, unused_macros)] // each test uses a part of it

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bulat_block::luks2::{self, Create, Header, NewSlot};
use bulat_block::veracrypt::{Key, Prf};
use bulat_block::{Hash, Kdf, Limits, Memory, Result, Store, Volume};
use serde_json::Value;
use zeroize::Zeroizing;

/// Requires this error of a call. Returns its message.
macro_rules! fails {
    ($error:ident, $call:expr) => {
        fails!($error, $call, "")
    };
    ($error:ident, $call:expr, $what:expr) => {{
        let called = $call.map(|_| ());
        assert!(matches!(called, Err(bulat_block::Error::$error { .. })), "{called:?} {}", $what);
        called.unwrap_err().to_string()
    }};
}

/// As `fails`, and nothing is written to the store.
macro_rules! refuses {
    ($store:expr, $error:ident, $call:expr $(, $what:expr)?) => {{
        let before = $store.bytes();
        let said = fails!($error, $call $(, $what)?);
        assert!($store.bytes() == before, "{said}");
        said
    }};
}

pub(crate) use {fails, refuses};

pub const LIMITS: fn() -> Limits = Limits::default;

/// The cheapest key derivation.
pub const CHEAP: Kdf = Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1 };

/// Parameters of a new keyslot with it.
pub fn slot() -> NewSlot {
    NewSlot::common(CHEAP)
}

/// Parameters of a new volume with room for three keyslots.
pub fn create() -> Create {
    Create { keyslots: 3 * 258_048, ..Create::new(slot()) }
}

/// A small LUKS2 volume with the password "one".
pub struct Small {
    pub store: Arc<Memory>,
    pub header: Header,
    pub key: Zeroizing<Vec<u8>>,
}

impl Small {
    pub fn new() -> Self {
        let store = zeros(1 << 20);
        let (header, key) = create().make(&*store, b"one", &mut |_| ()).unwrap();
        Small { store, header, key }
    }
    /// Returns a copy in another store.
    pub fn copy(&self) -> Self {
        let store = Arc::new(Memory::new(self.store.bytes()));
        Small { store, header: self.header.clone(), key: self.key.clone() }
    }
    pub fn unlock(&self, password: &[u8], only: Option<u32>) -> Result<(Zeroizing<Vec<u8>>, u32)> {
        self.header.unlock(&*self.store, password, only, &LIMITS())
    }
    pub fn opens(&self, password: &[u8]) -> bool {
        opens(&*self.store, password)
    }
    pub fn add(&mut self, password: &[u8], new: &NewSlot, slot: Option<u32>) -> Result<u32> {
        self.header.add(&*self.store, &self.key, password, new, slot)
    }
    pub fn change(&mut self, password: &[u8], n: u32) -> Result<()> {
        self.header.change(&*self.store, &self.key, password, &slot(), n)
    }
    pub fn remove(&mut self, slot: u32) -> Result<()> {
        self.header.remove(&*self.store, slot, false)
    }
    pub fn backup(&self) -> Memory {
        Memory::new(self.header.backup(&*self.store).unwrap())
    }
    pub fn restore(&self, backup: &Memory, force: bool) -> Result<Header> {
        luks2::restore(&*self.store, backup, force)
    }
    /// Writes a text with these parts changed to both copies.
    pub fn write(&self, parts: &[(&str, Value)]) {
        for at in [0, self.header.size] {
            self.write_copy(at, self.header.sequence, parts);
        }
    }
    pub fn write_copy(&self, at: u64, sequence: u64, parts: &[(&str, Value)]) {
        let text = text(&self.header, parts);
        change_copy(&self.store, at, self.header.size, |bytes| {
            bytes[16..24].copy_from_slice(&sequence.to_be_bytes());
            bytes[4096..].fill(0);
            bytes[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
        });
    }
    /// As [`Self::write`], and reads the header.
    pub fn set(&mut self, parts: &[(&str, Value)]) {
        self.write(parts);
        self.header = luks2::read(&*self.store).unwrap().header;
    }
}

/// Returns a header's text with these parts changed or added.
pub fn text(header: &Header, parts: &[(&str, Value)]) -> String {
    let mut text = header.text().clone();
    for (place, value) in parts {
        let (parent, name) = place.rsplit_once('/').unwrap();
        text.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    text.to_string()
}

/// Changes one copy of a header, with a right checksum.
pub fn change_copy(store: &Memory, at: u64, size: u64, change: impl FnOnce(&mut [u8])) {
    let mut bytes = vec![0; size as usize];
    store.read_at(&mut bytes, at).unwrap();
    change(&mut bytes);
    bytes[448..512].fill(0);
    let sum = Hash::Sha256.digest(&[&bytes]);
    bytes[448..480].copy_from_slice(&sum);
    store.write_at(&bytes, at).unwrap();
}

pub fn zeros(size: u64) -> Arc<Memory> {
    Arc::new(Memory::new(vec![0; size as usize]))
}

pub fn part(volume: &Volume, at: u64, len: usize) -> Vec<u8> {
    let mut part = vec![0; len];
    volume.read_at(&mut part, at).unwrap();
    part
}

/// Returns whether the password opens a store's LUKS2 volume.
pub fn opens(store: &dyn Store, password: &[u8]) -> bool {
    let found = luks2::read(store);
    found.is_ok_and(|f| f.header.unlock(store, password, None, &LIMITS()).is_ok())
}

/// A PIM of 0 means 500,000 iterations, so tests use the smallest PIM.
pub fn key(password: &[u8], keyfiles: &[&[u8]], hash: Hash) -> Key {
    let mut key = Key::new(password, keyfiles, 1).unwrap();
    key.hash = Some(Prf::Pbkdf2(hash));
    key
}

/// Cuts a call off at points chosen from the places of the pieces that it writes. Returns the numbers of points and of
/// pieces.
pub fn cut_off<P: IntoIterator<Item = usize>>(
    start: &[u8],
    call: impl Fn(&Cut) -> Result<()>,
    points: impl FnOnce(&[u64]) -> P,
    mut then: impl FnMut(usize, &Memory),
) -> (usize, usize) {
    let cut = |pieces| Cut::new(Arc::new(Memory::new(start.to_vec())), pieces);
    let whole = cut(usize::MAX);
    call(&whole).unwrap();
    let (places, mut count) = (whole.places(), 0);
    for n in points(&places) {
        let cut = cut(n);
        assert!(call(&cut).is_err(), "{n} of {}", places.len());
        then(n, &cut.store);
        count += 1;
    }
    (count, places.len())
}

/// A store that fails after this many pieces of 512 bytes have been written.
pub struct Cut {
    pub store: Arc<Memory>,
    left: AtomicUsize,
    places: Mutex<Vec<u64>>,
}

impl Cut {
    pub fn new(store: Arc<Memory>, pieces: usize) -> Self {
        Cut { store, left: AtomicUsize::new(pieces), places: Mutex::default() }
    }
    /// Returns the offset of each piece written.
    pub fn places(&self) -> Vec<u64> {
        self.places.lock().unwrap().clone()
    }
}

impl Store for Cut {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.store.read_at(buffer, offset)
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        for (i, piece) in bytes.chunks(512).enumerate() {
            let left = self.left.load(Ordering::Relaxed);
            if left == 0 {
                return Err(io::Error::other("the power is cut"));
            }
            self.left.store(left - 1, Ordering::Relaxed);
            self.places.lock().unwrap().push(offset + 512 * i as u64);
            self.store.write_at(piece, offset + 512 * i as u64)?;
        }
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
    fn size(&self) -> io::Result<u64> {
        self.store.size()
    }
}
