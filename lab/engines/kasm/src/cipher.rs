//! Kuznyechik by look-up (GOST R 34.12-2015, RFC 7801): the table of LS, the keys, plain code.
//!
//! The sixteen bytes of a block are in the order of the standard's strings: byte 0 is a_15. The table of
//! byte i has LS of each value that it may have, all others being zero: 16 × 256 × 16 bytes.

use std::sync::LazyLock;

use reference::kuznyechik::{Kuznyechik, PI, l};

/// The tables that every variant reads.
#[repr(C, align(4096))]
pub struct Tables {
    /// LS of each value of each byte.
    pub ls: [[[u8; 16]; 256]; 16],
    /// For the variants' extractors, 32 bytes each, in the order that `build/emit.rs` has.
    pub constants: [[u8; 32]; 8],
}

/// K_1 to K_10, aligned as memory operands of vector instructions must be.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct RoundKeys(pub [[u8; 16]; 10]);

/// The table, made when first asked for.
pub static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables { ls: [[[0; 16]; 256]; 16], constants: constants() });
    for (i, table) in tables.ls.iter_mut().enumerate() {
        for (entry, value) in table.iter_mut().zip(PI) {
            entry[i] = value;
            *entry = l(*entry);
        }
    }
    tables
});

/// In the order that `build/emit.rs` has: mask, zero, numbers of bytes (twice), in words (thrice), shuffle.
fn constants() -> [[u8; 32]; 8] {
    let from = |f: &dyn Fn(usize) -> usize| std::array::from_fn(|i| f(i) as u8);
    let odd = |i, n| if i % 2 == 1 { n } else { 0 };
    [
        from(&|i| if i % 2 == 0 { 0xff } else { 0 }),
        [0; 32],
        from(&|i| i % 16),
        from(&|i| if i % 16 < 8 { i % 16 + i / 16 * 8 } else { 0 }),
        from(&|i| odd(i, i / 2)),
        from(&|i| odd(i, i / 2 % 8 * 2)),
        from(&|i| odd(i, i / 2 % 8 * 2 + 1)),
        from(&|i| if i % 2 == 0 { i / 2 } else { 0x80 }),
    ]
}

impl RoundKeys {
    /// The key schedule, RFC 7801 4.4.
    pub fn new(key: &[u8; 32]) -> Self {
        RoundKeys(Kuznyechik::new(key).expect("32 bytes").round_keys())
    }
}

/// L and S by table.
#[inline(always)]
fn ls_vartime(block: u128, tables: &Tables) -> u128 {
    let entry =
        |(table, byte): (&[[u8; 16]; 256], u8)| u128::from_ne_bytes(table[usize::from(byte)]);
    tables.ls.iter().zip(block.to_ne_bytes()).map(entry).fold(0, |sum, entry| sum ^ entry)
}

/// Plain code: the compiler's own, without further help. Whole blocks in place.
pub fn plain_vartime(tables: &Tables, keys: &RoundKeys, text: &mut [u8]) {
    for block in text.as_chunks_mut::<16>().0 {
        let mut state = u128::from_ne_bytes(*block);
        for key in &keys.0[..9] {
            state = ls_vartime(state ^ u128::from_ne_bytes(*key), tables);
        }
        *block = (state ^ u128::from_ne_bytes(keys.0[9])).to_ne_bytes();
    }
}
