//! Multiplication in GF(2^8), for tables that are computed when the library is compiled.

/// Multiplies modulo x^8 plus `polynomial`.
pub(crate) const fn product(mut a: u8, mut b: u8, polynomial: u8) -> u8 {
    let mut r = 0;
    while b != 0 {
        if b & 1 != 0 {
            r ^= a;
        }
        a = a << 1 ^ if a & 0x80 != 0 { polynomial } else { 0 };
        b >>= 1;
    }
    r
}
