//! Leaks that must be found out: an index into a table that is cut out of a word from memory.

/// The functions' names.
pub const NAMES: [&str; 3] = ["masked", "shifted", "product"];

/// Keeps the functions in the program.
pub fn keep() {
    std::hint::black_box((masked as fn(_, _) -> _, shifted as fn(_, _) -> _));
    std::hint::black_box(product as fn(_, _) -> _);
}

/// The sum of a table's entries, an entry for each word; and the last word, so that no load is narrower than a word.
fn sum(secret: &[u64; 8], mut look: impl FnMut(u64) -> u8) -> (u8, u64) {
    let (mut sum, mut word) = (0, 0u64);
    for next in secret {
        word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ next;
        sum ^= look(word);
    }
    (sum, word)
}

#[inline(never)]
fn masked(table: &[u8; 64], secret: &[u64; 8]) -> (u8, u64) {
    sum(secret, |w| table[(w & 63) as usize])
}

#[inline(never)]
fn shifted(table: &[u8; 1 << 20], secret: &[u64; 8]) -> (u8, u64) {
    sum(secret, |w| table[(w as u32 >> 12) as usize])
}

#[inline(never)]
fn product(table: &[u8; 61], secret: &[u64; 8]) -> (u8, u64) {
    sum(secret, |w| table[((u128::from(w) * 61) >> 64) as usize])
}
