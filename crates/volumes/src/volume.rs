//! An open volume: the plaintext of a store, at any offsets, from any threads.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use bulat::Direction;
use zeroize::Zeroizing;

use crate::cipher::{Cipher, Spec};
use crate::error::{Error, Result};
use crate::store::Store;

/// The bytes that go through the cipher, and to the store, in one call: they fit in a core's cache.
pub const PIECE: usize = 256 << 10;

/// The place of a volume's data in its store, and the numbering of its sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The first byte in the store.
    pub offset: u64,
    /// The data's length in bytes, whole sectors.
    pub len: u64,
    /// The length of a sector in bytes: each has its own tweak.
    pub sector: usize,
    /// The tweak's number of the first sector.
    pub first: u64,
    /// The increase of the number from one sector to the next.
    pub step: u64,
}

/// An open volume, for any number of threads.
pub struct Volume {
    store: Arc<dyn Store>,
    cipher: Cipher,
    layout: Layout,
    /// Cleared once a write to the protected part was refused.
    writable: AtomicBool,
    protected: Range<u64>,
    /// Held exclusively while a part of a sector is changed, so that the rest of it is kept.
    parts: RwLock<()>,
}

thread_local! {
    /// Ciphertext to be written to the store.
    static OUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Volume {
    /// Creates a volume under a known key.
    ///
    /// # Errors
    /// [`Error::Short`] if the layout exceeds the store; as [`Cipher::new`].
    pub fn new(
        store: Arc<dyn Store>,
        layout: Layout,
        spec: Spec,
        key: &[u8],
        writable: bool,
    ) -> Result<Self> {
        Self::with(store, layout, Cipher::new(spec, key)?, writable)
    }

    /// Like [`Self::new`], with a prepared cipher.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(
        store: Arc<dyn Store>,
        layout: Layout,
        cipher: Cipher,
        writable: bool,
    ) -> Result<Self> {
        let end = layout.offset.checked_add(layout.len);
        let size = store.size()?;
        if end.is_none_or(|end| end > size) {
            return Err(Error::Short(format!(
                "the data goes to byte {}, but there are {size}",
                u128::from(layout.offset) + u128::from(layout.len)
            )));
        }
        if !layout.sector.is_power_of_two() || !(512..=4096).contains(&layout.sector) {
            return Err(Error::Unsupported(format!("sectors of {} bytes", layout.sector)));
        }
        if !layout.len.is_multiple_of(layout.sector as u64) {
            return Err(Error::Damaged("the data is not whole sectors".into()));
        }
        let (parts, writable) = (RwLock::new(()), AtomicBool::new(writable));
        Ok(Volume { store, cipher, layout, writable, protected: 0..0, parts })
    }

    /// Protects these bytes of the data from writes: a hidden volume's. After a refused write the outer filesystem is
    /// inconsistent, so everything that follows is refused too.
    pub fn protect(&mut self, part: Range<u64>) {
        self.protected = part;
    }

    /// Returns the layout of the data.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the length of the data in bytes.
    pub fn len(&self) -> u64 {
        self.layout.len
    }

    /// Returns whether there is no data.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether it may be written.
    pub fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
    }

    /// Keeps its keys out of swap, if the system's limits allow it.
    pub fn keep_in_memory(&self) {
        self.cipher.keep_in_memory();
    }

    /// Returns a warning if the time of its cipher depends on the key and the data.
    pub fn warning(&self) -> Option<&str> {
        self.cipher.warning()
    }

    /// Returns the store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    fn numbers(&self, at: u64) -> (u64, u64) {
        let n = at / self.layout.sector as u64;
        (self.layout.first.wrapping_add(n.wrapping_mul(self.layout.step)), self.layout.step)
    }

    fn within(&self, at: u64, len: u64) -> Result<()> {
        match at.checked_add(len) {
            Some(end) if end <= self.len() => Ok(()),
            _ => Err(Error::Invalid("past the end of the volume".into())),
        }
    }

    /// Returns whether none of these bytes, which are within the volume, is protected.
    fn is_free(&self, at: u64, len: u64) -> bool {
        len == 0 || at >= self.protected.end || at + len <= self.protected.start
    }

    fn may_write(&self, at: u64, len: u64) -> Result<()> {
        self.within(at, len)?;
        if !self.is_free(at, len) {
            self.writable.store(false, Ordering::Relaxed);
        }
        if self.is_writable() { Ok(()) } else { Err(Error::ReadOnly) }
    }

    /// Returns the whole sectors that contain these bytes.
    fn around(&self, at: u64, len: usize) -> (u64, usize) {
        let sector = self.layout.sector as u64;
        let first = at / sector * sector;
        (first, ((at + len as u64).next_multiple_of(sector) - first) as usize)
    }

    fn is_whole(&self, at: u64, len: usize) -> bool {
        self.around(at, len) == (at, len)
    }

    /// Reads from this position on.
    ///
    /// # Errors
    /// [`Error::Invalid`] past the end; the store's.
    pub fn read_at(&self, buffer: &mut [u8], at: u64) -> Result<()> {
        self.within(at, buffer.len() as u64)?;
        if self.is_whole(at, buffer.len()) {
            return self.read_whole(buffer, at);
        }
        let mut at = at;
        let mut bounce = Zeroizing::new(Vec::new());
        for part in buffer.chunks_mut(PIECE - self.layout.sector) {
            let (first, len) = self.around(at, part.len());
            bounce.resize(len, 0);
            self.read_whole(&mut bounce, first)?;
            let skip = (at - first) as usize;
            part.copy_from_slice(&bounce[skip..skip + part.len()]);
            at += part.len() as u64;
        }
        Ok(())
    }

    fn read_whole(&self, buffer: &mut [u8], at: u64) -> Result<()> {
        let mut at = at;
        for part in buffer.chunks_mut(PIECE) {
            self.store.read_at(part, self.layout.offset + at)?;
            self.cipher.run(Direction::Decrypt, self.numbers(at), self.layout.sector, part)?;
            at += part.len() as u64;
        }
        Ok(())
    }

    /// Writes from this position on. Partial sectors are read first, and nobody else writes meanwhile.
    ///
    /// # Errors
    /// [`Error::ReadOnly`]; [`Error::Invalid`] past the end; the store's.
    pub fn write_at(&self, bytes: &[u8], at: u64) -> Result<()> {
        self.may_write(at, bytes.len() as u64)?;
        if self.is_whole(at, bytes.len()) {
            let _others = self.parts.read().unwrap_or_else(PoisonError::into_inner);
            return self.write_whole(bytes, at);
        }
        let _alone = self.parts.write().unwrap_or_else(PoisonError::into_inner);
        let (mut at, mut bounce) = (at, Zeroizing::new(Vec::new()));
        for part in bytes.chunks(PIECE - self.layout.sector) {
            let (first, len) = self.around(at, part.len());
            bounce.resize(len, 0);
            self.read_whole(&mut bounce, first)?;
            let skip = (at - first) as usize;
            bounce[skip..skip + part.len()].copy_from_slice(part);
            self.write_whole(&bounce, first)?;
            at += part.len() as u64;
        }
        Ok(())
    }

    fn write_whole(&self, bytes: &[u8], at: u64) -> Result<()> {
        let mut at = at;
        for part in bytes.chunks(PIECE) {
            self.put(part, at)?;
            at += part.len() as u64;
        }
        Ok(())
    }

    /// Writes whole sectors, at most [`PIECE`] bytes.
    fn put(&self, part: &[u8], at: u64) -> Result<()> {
        OUT.with_borrow_mut(|out| {
            if out.is_empty() {
                // Pages that no request uses are never touched.
                *out = vec![0; PIECE];
            }
            let out = &mut out[..part.len()];
            let (numbers, sector) = (self.numbers(at), self.layout.sector);
            self.cipher.run_b2b(Direction::Encrypt, numbers, sector, part, out)?;
            Ok(self.store.write_at(out, self.layout.offset + at)?)
        })
    }

    /// Writes zeros, encrypted like any other data.
    ///
    /// # Errors
    /// As [`Self::write_at`].
    pub fn zero_at(&self, at: u64, len: u64) -> Result<()> {
        self.may_write(at, len)?;
        let zeros = vec![0; len.min(PIECE as u64) as usize];
        let (mut at, end) = (at, at + len);
        while at < end {
            let n = (end - at).min((PIECE - at as usize % self.layout.sector) as u64);
            self.write_at(&zeros[..n as usize], at)?;
            at += n;
        }
        Ok(())
    }

    /// Returns the space of the whole sectors in this part to the store; they then read as noise. A discard that would
    /// touch a protected part is refused, but later writes are not, because nothing was lost.
    ///
    /// # Errors
    /// As [`Self::write_at`].
    pub fn discard(&self, at: u64, len: u64) -> Result<()> {
        self.within(at, len)?;
        if !self.is_writable() || !self.is_free(at, len) {
            return Err(Error::ReadOnly);
        }
        let sector = self.layout.sector as u64;
        let (first, end) = (at.next_multiple_of(sector), (at + len) / sector * sector);
        if first < end {
            let _others = self.parts.read().unwrap_or_else(PoisonError::into_inner);
            self.store.discard(self.layout.offset + first, end - first)?;
        }
        Ok(())
    }

    /// Returns how many bytes from there on, up to `len`, are all in a hole of the store or all outside, and which.
    ///
    /// # Errors
    /// [`Error::Invalid`] past the end; the store's.
    pub fn hole(&self, at: u64, len: u64) -> Result<(u64, bool)> {
        self.within(at, len)?;
        Ok(self.store.hole(self.layout.offset + at, len)?)
    }

    /// Makes everything written so far survive a power cut.
    ///
    /// # Errors
    /// The store's.
    pub fn sync(&self) -> Result<()> {
        Ok(self.store.sync()?)
    }
}
