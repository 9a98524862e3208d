//! GF(2^64) and GF(2^128) of RFC 9058, section 4. The lowest powers first here, so the RFC's blocks reversed.

use crate::domain::{Byte, linear, table};
use crate::machine::Or;
use crate::polynomials;

/// x^64 = x^4 + x^3 + x + 1 and x^128 = x^7 + x^2 + x + 1.
const fn powers(n: usize) -> u8 {
    if n == 8 { 0x1b } else { 0x87 }
}

/// A polynomial of any length, reduced to `n` bytes.
pub fn reduce(mut p: Vec<Byte>, n: usize) -> Vec<Byte> {
    let wide =
        |x: u8| (0..8).filter(|i| powers(n) >> i & 1 != 0).fold(0, |r, i| r ^ u16::from(x) << i);
    let (low, high) = (table(|x| wide(x) as u8), table(|x| (wide(x) >> 8) as u8));
    for i in (n..p.len()).rev() {
        let top = p[i];
        p[i - n] = p[i - n] ^ linear(low, top);
        p[i - n + 1] = p[i - n + 1] ^ linear(high, top);
    }
    p.truncate(n);
    p
}

/// The product of two elements.
pub fn product(a: &[Byte], b: &[Byte]) -> Or<Vec<Byte>> {
    Ok(reduce(polynomials::product(a, b)?, a.len()))
}
