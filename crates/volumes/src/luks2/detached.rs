//! Detached headers: the data is in another store.

use std::io;
use std::sync::Arc;

use super::is_detached;
use crate::error::{Error, Result};
use crate::luks1;
use crate::store::{Store, UNKNOWN};

/// The store of a detached header of LUKS2.
pub struct Apart {
    header: Arc<dyn Store>,
    data: u64,
}

impl Apart {
    /// Puts together the store of a header and the size of the data, which is in another store.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for LUKS1; the store's.
    pub fn new(header: Arc<dyn Store>, data: u64) -> Result<Self> {
        match luks1::begins(&*header)? {
            true => Err(Error::Unsupported(luks1::DETACHED.into())),
            false => Ok(Apart { header, data }),
        }
    }

    /// Returns the store of a header without its data, if it has a detached header. The header can be
    /// read and changed; the data has the size [`UNKNOWN`].
    pub fn alone(store: Arc<dyn Store>) -> Arc<dyn Store> {
        match is_detached(&*store) {
            true => Arc::new(Apart { header: store, data: UNKNOWN }),
            false => store,
        }
    }
}

impl Store for Apart {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.header.read_at(buffer, offset)
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.header.write_at(bytes, offset)
    }
    fn sync(&self) -> io::Result<()> {
        self.header.sync()
    }
    fn size(&self) -> io::Result<u64> {
        self.header.size()
    }
    fn apart(&self) -> Option<u64> {
        Some(self.data)
    }
}
