//! The next key of CryptoPro key meshing (RFC 4357, section 2.3.2): a function of the cipher alone.

use super::Gost28147;
use crate::Secret;
use crate::cipher::{BlockCipher, Direction};

/// C of RFC 4357, section 2.3.2.
const C: [u8; 32] = [
    0x69, 0x00, 0x72, 0x22, 0x64, 0xc9, 0x04, 0x23, 0x8d, 0x3a, 0xdb, 0x96, 0x46, 0xe9, 0x2a, 0xc4,
    0x18, 0xfe, 0xac, 0x94, 0x00, 0xed, 0x07, 0x12, 0xc0, 0x86, 0xdc, 0xc2, 0xef, 0x4c, 0xa9, 0x2b,
];

/// The next section's key, D_K(C).
pub fn next_key(cipher: &Gost28147) -> Secret<[u8; 32]> {
    let mut key = Secret::new(C);
    cipher.map(Direction::Decrypt, key.as_mut_slice().into());
    key
}
