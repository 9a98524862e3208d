//! Bytes of clients in memory. `Zeroizing` wipes a list byte by byte: some 4400 stores for a request of 1 KB.

use std::ops::{Deref, DerefMut};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use zeroize::Zeroizing;

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

/// A text of an answer, wiped when the answer has been written.
pub struct Wiped(Zeroizing<String>);

impl Wiped {
    /// Encodes bytes in base64.
    pub fn base64(bytes: &[u8]) -> Wiped {
        // The full size at once, since growth would leave copies.
        let mut text = Zeroizing::new(String::with_capacity(bytes.len() / 3 * 4 + 4));
        STANDARD.encode_string(bytes, &mut text);
        Wiped(text)
    }
    /// Copies a text.
    pub fn text(text: &str) -> Wiped {
        Wiped(Zeroizing::new(text.into()))
    }
    /// Encodes bytes in hexadecimal digits.
    pub fn hex(bytes: &[u8]) -> Wiped {
        Wiped(Zeroizing::new(bulat_container::digits::hex(bytes)))
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Wiped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
