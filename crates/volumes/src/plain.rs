//! Plain dm-crypt mappings, without a header: the caller must know the key, the cipher and the offset of the data.

use std::sync::Arc;

use crate::cipher::Spec;
use crate::error::{Error, Result};
use crate::store::Store;
use crate::volume::{Layout, Volume};

/// A mapping with the parameters of `cryptsetup open --type plain`.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// The cipher.
    pub spec: Spec,
    /// The bytes before the data: `--offset` times 512.
    pub offset: u64,
    /// An offset added to the sectors' numbers, in units of 512 bytes: `--skip`.
    pub skip: u64,
    /// The length of a sector in bytes: `--sector-size`.
    pub sector: usize,
    /// Set to number sectors by their own size, not by 512 bytes: `--iv-large-sectors`.
    pub large: bool,
}

impl Default for Plain {
    fn default() -> Self {
        Plain { spec: Spec::KUZNYECHIK, offset: 0, skip: 0, sector: 512, large: false }
    }
}

impl Plain {
    /// Opens the mapping with the key itself, 64 bytes, or 32 for AES-128: passwords are not hashed here.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::Unsupported`], the store's.
    pub fn open(&self, store: Arc<dyn Store>, key: &[u8], writable: bool) -> Result<Volume> {
        let units = (self.sector / 512) as u64;
        if !matches!(self.sector, 512 | 1024 | 2048 | 4096) {
            return Err(Error::Unsupported(format!("sectors of {} bytes", self.sector)));
        }
        if !self.skip.is_multiple_of(units) || !self.offset.is_multiple_of(512) {
            return Err(Error::Invalid("the offset is not the beginning of a sector".into()));
        }
        let room = store.size()?.checked_sub(self.offset);
        let room = room.ok_or_else(|| {
            Error::Short(format!("its data begins at byte {}, past the end", self.offset))
        })?;
        let len = room / self.sector as u64 * self.sector as u64;
        let (first, step) = if self.large { (self.skip / units, 1) } else { (self.skip, units) };
        let layout = Layout { offset: self.offset, len, sector: self.sector, first, step };
        Volume::new(store, layout, self.spec, key, writable)
    }
}
