//! The ciphers as many chained messages side by side ask for them, with the next key of CryptoPro key meshing.

use super::{Gost28147, Magma, Schedule};
use crate::Secret;
use crate::cipher::{BlockCipher, Chain, Chained, Direction, Lane, WIDTH};

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

macro_rules! chained {
    ($name:ident $(, $more:item)*) => {
        impl Chained<8> for $name {
            type Schedule = Schedule;
            fn schedule(&self) -> &Schedule {
                $name::schedule(self)
            }
            fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
                $name::lanes(self, chain, lanes);
            }
            fn width(&self) -> usize {
                self.0.width().unwrap_or(WIDTH)
            }
            $($more)*
        }
    };
}
chained!(Magma);
chained!(
    Gost28147,
    #[cfg(feature = "alloc")]
    fn kind(&self) -> u64 {
        self.sboxes().kind()
    },
    fn meshed(&self) -> Self {
        self.rekey(&next_key(self))
    }
);
