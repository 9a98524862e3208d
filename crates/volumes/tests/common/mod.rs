//! Small volumes, and a store with power cuts.
#![allow(dead_code)] // each test uses a part of it

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bulat_block::luks2::{Create, NewSlot};
use bulat_block::{Hash, Kdf, Limits, Memory, Store, luks2};

/// The cheapest key derivation.
pub const CHEAP: Kdf = Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1 };

/// Parameters of a new keyslot with it.
pub fn slot() -> NewSlot {
    NewSlot::common(CHEAP)
}

/// Makes a small LUKS2 volume with the password "one" and room for three keyslots.
pub fn small() -> (Arc<Memory>, luks2::Header) {
    let store = Arc::new(Memory::new(vec![0; 1 << 20]));
    let new = Create { keyslots: 3 * 258_048, ..Create::new(slot()) };
    let (header, _) = new.make(&*store, b"one", &mut |_| ()).unwrap();
    (store, header)
}

/// Returns whether the password opens a store's LUKS2 volume.
pub fn opens(store: &dyn Store, password: &[u8]) -> bool {
    let found = luks2::read(store);
    found.is_ok_and(|f| f.header.unlock(store, password, None, &Limits::default()).is_ok())
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
