//! GF(2^64) and GF(2^128) as MGM uses them: RFC 9058, section 4. Polynomials x^64 + x^4 + x^3 + x + 1
//! and x^128 + x^7 + x^2 + x + 1; the first octet of a block holds the highest powers.

mod portable;

use crate::kernel::GfKernel;

/// The kernels, fastest first.
pub static KERNELS: &[GfKernel] = &[portable::KERNEL];
