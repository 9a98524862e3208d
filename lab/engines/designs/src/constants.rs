//! The numbers of the standards, from the reference: pi of GOST R 34.12-2015 and 34.11-2012 (RFC 7801, 4.1; RFC 6986,
//! 6.2), the rows of the matrix A (RFC 6986, 6.4; bit 63 - i of a word adds row i), and the iteration constants (RFC
//! 6986, 6.5) in words.

pub use reference::kuznyechik::PI;
pub use reference::streebog::A;

/// C_1 to C_12, each as eight words, the lowest first, with the first byte lowest.
pub static C: [[u64; 8]; 12] = {
    let (mut words, mut i) = ([[0; 8]; 12], 0);
    while i < 12 * 64 {
        let byte = reference::streebog::CONSTANTS[i / 64][i % 64] as u64;
        words[i / 64][i % 64 / 8] |= byte << (8 * (i % 8));
        i += 1;
    }
    words
};
