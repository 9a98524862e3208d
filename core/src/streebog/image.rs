//! Streebog's constants in the field of AES, whose multiplication GFNI has.
//!
//! φ maps the field of L (see [`super::field`]) to GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 by sending x to
//! a root of L's polynomial. Messages, h and N go through Φ = `SCALE` · φ, the S-box becomes Φ∘π∘Φ⁻¹, and the
//! product by a constant c that by φ(c). A product by a diagonal is a vector of 64 constants; the eight diagonals
//! of L are done as two sums of four, the second moved as a whole:
//!
//! L(s) = Σ_b D(b, 0) · M_b(s) + M_g(Σ_b D(b, g) · M_b(s)),  M_r: the move by r,
//!
//! four moves instead of seven. Between the groups M_r is the exchange of groups k and k xor r,
//! b in {0, 2, 4, 6}, g = 1; inside a group it is the rotation by r bytes, b in {0, 1, 2, 3}, g = 4.

use super::field::{Octets, POLYNOMIAL, c, initial_keys, multiply, round_constants, transposed};
use super::subfield::{self, COORDINATES, ELEMENTS, LOGARITHMS};
use crate::kernel::HashKeys;
use crate::pi::PI;

/// x^8 + x^4 + x^3 + x + 1.
const AES: u8 = 0x1b;

/// φ: x goes to the least root of x^8 + x^4 + x^3 + x^2 + 1.
const PHI: [u8; 256] = {
    let mut powers = [1u8; 9];
    let mut beta = 2u8;
    loop {
        let mut i = 1;
        while i < 9 {
            powers[i] = multiply(powers[i - 1], beta, AES);
            i += 1;
        }
        if combine(&powers, POLYNOMIAL) == powers[8] {
            break;
        }
        beta += 1;
    }
    let mut phi = [0; 256];
    let mut x = 0;
    while x < 256 {
        phi[x] = combine(&powers, x as u8);
        x += 1;
    }
    phi
};

/// Σ of the powers whose bit is set.
const fn combine(powers: &[u8; 9], bits: u8) -> u8 {
    let (mut sum, mut i) = (0, 0);
    while i < 8 {
        if bits >> i & 1 != 0 {
            sum ^= powers[i];
        }
        i += 1;
    }
    sum
}

/// Φ, and back.
const STATE: [u8; 256] = {
    let (mut state, mut x) = ([0; 256], 0);
    while x < 256 {
        state[x] = multiply(SCALE, PHI[x], AES);
        x += 1;
    }
    state
};
const INVERSE: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[STATE[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

/// A linear map as `gf2p8affineqb` takes it: byte 7 − i is the row of result bit i.
const fn affine(map: &[u8; 256]) -> u64 {
    let (mut rows, mut i) = (0u64, 0);
    while i < 64 {
        let (bit, from) = (i / 8, i % 8);
        if map[1 << from] >> bit & 1 != 0 {
            rows |= 1 << (8 * (7 - bit) + from);
        }
        i += 1;
    }
    rows
}

/// Φ and Φ⁻¹ for `gf2p8affineqb`.
pub(crate) static TO: u64 = affine(&STATE);
pub(crate) static FROM: u64 = affine(&INVERSE);

/// Φ∘π∘Φ⁻¹, a quarter of the table each.
pub(crate) static SBOX: [Octets; 4] = {
    let mut t = [Octets([0; 64]); 4];
    let mut x = 0;
    while x < 256 {
        let y = STATE[x] as usize;
        t[y / 64].0[y % 64] = STATE[PI[x] as usize];
        x += 1;
    }
    t
};

/// π by nibbles (see [`super::subfield`]). `SCALE` is such that Φ of an element of the subfield has bit 7 clear, and
/// is told by its low nibble, which is all that a look-up takes. Of x = l + 2r, r is taken out so; l is not: x/r
/// is l/r + 2 and tells the class as well, in a multiple of which bit 7 is clear, see [`CLASS`].
pub(crate) struct Subfield {
    /// Φ(r) of Φ(x) for `gf2p8affineqb`.
    pub(crate) right: u64,
    /// By Φ(r): what makes [`CLASS`] · φ(x/r) of Φ(x); 0 for 0.
    pub(crate) inverse: [u8; 16],
    /// By the class: Φ(K(l/r)).
    pub(crate) k: [u8; 16],
    /// By the class: φ of TKlog's φ(l/r).
    pub(crate) phi: [u8; 16],
    /// By Φ(r · φ(l/r)): Φ(σ), 0 for 0.
    pub(crate) sigma: [u8; 16],
    /// By Φ(l): Φ(E(l)), but for what `k` has at 0.
    pub(crate) e: [u8; 16],
}

pub(crate) static SUBFIELD: Subfield = {
    let mut t = Subfield {
        right: 0,
        inverse: [0; 16],
        k: [0; 16],
        phi: [0; 16],
        sigma: [0; 16],
        e: [0; 16],
    };
    let (mut right, mut v) = ([0; 256], 0);
    while v < 8 {
        let r = COORDINATES[INVERSE[1 << v] as usize] / 16;
        right[1 << v] = STATE[ELEMENTS[r as usize] as usize];
        v += 1;
    }
    t.right = affine(&right);
    let mut n = 0;
    while n < 16 {
        let (element, log) = (ELEMENTS[n], LOGARITHMS[n] as usize);
        let class = multiply(CLASS, PHI[(element ^ 2) as usize], AES) as usize % 16;
        t.k[class] = STATE[subfield::K[log] as usize];
        t.phi[class] = PHI[generator_to(subfield::PHI[log] as usize) as usize];
        if n != 0 {
            let at = STATE[element as usize] as usize % 16;
            t.inverse[at] = multiply(RATIO, PHI[generator_to(15 - log) as usize], AES);
            t.sigma[at] = STATE[subfield::SIGMA[log] as usize];
        }
        n += 1;
    }
    let mut n = 0;
    while n < 16 {
        let at = STATE[ELEMENTS[n] as usize] as usize % 16;
        t.e[at] = STATE[subfield::K[subfield::E[n] as usize] as usize] ^ t.k[0];
        n += 1;
    }
    t
};

/// g^i.
const fn generator_to(i: usize) -> u8 {
    let mut n = 1;
    while LOGARITHMS[n] as usize != i % 15 {
        n += 1;
    }
    ELEMENTS[n]
}

/// The first of the products of `SCALE` and an element of the subfield with bit 7 clear in its product by φ(2), and
/// so in all by φ(l/r + 2); and that element.
const CLASS: u8 = multiply(SCALE, RATIO, AES);
const RATIO: u8 = {
    let mut n = 1;
    while multiply(multiply(SCALE, PHI[ELEMENTS[n] as usize], AES), PHI[2], AES) >= 0x80 {
        n += 1;
    }
    PHI[ELEMENTS[n] as usize]
};

const SCALE: u8 = {
    let mut scale = 1;
    loop {
        let (mut seen, mut n) = (0u16, 0);
        while n < 16 {
            let e = multiply(scale, PHI[ELEMENTS[n] as usize], AES);
            if e < 0x80 {
                seen |= 1 << (e % 16);
            }
            n += 1;
        }
        if seen == 0xffff {
            break scale;
        }
        scale += 1;
    }
};

/// C_1..C_12 for `Rows` and `Columns`.
pub(crate) static ROUNDS: [[Octets; 2]; 12] = round_constants(&STATE);

/// The same for eight messages: in columns, each byte twice.
pub(crate) static CONSTANTS: [[[u8; 16]; 8]; 12] = {
    let mut doubled = [[[0; 16]; 8]; 12];
    let mut n = 0;
    while n < 12 * 128 {
        doubled[n / 128][n / 16 % 8][n % 16] = ROUNDS[n / 128][1].0[n / 2 % 64];
        n += 1;
    }
    doubled
};

/// The keys of the first block, for 512 and for 256 bits of digest: K_1 in `Columns`, K_2 in `Rows`, ...
pub(crate) static INITIAL: [HashKeys; 2] = [initial(0), initial(1)];

const fn initial(octet: u8) -> HashKeys {
    let mut keys = initial_keys(octet);
    let mut i = 0;
    while i < 13 {
        let mut n = 0;
        while n < 64 {
            keys[i][n] = STATE[keys[i][n] as usize];
            n += 1;
        }
        if i % 2 == 0 {
            keys[i] = transposed(&keys[i]);
        }
        i += 1;
    }
    HashKeys(keys)
}

/// φ(c(j, k)).
const fn image(j: usize, k: usize) -> u8 {
    PHI[c(j, k) as usize]
}

/// The product by φ(c(j, k)) for `gf2p8affineqb`, at `[j][k]`.
pub(crate) static L: [[u64; 8]; 8] = {
    let mut l = [[0; 8]; 8];
    let mut n = 0;
    while n < 64 {
        let (mut map, mut v) = ([0; 256], 0);
        while v < 8 {
            map[1 << v] = multiply(1 << v, image(n / 8, n % 8), AES);
            v += 1;
        }
        l[n / 8][n % 8] = affine(&map);
        n += 1;
    }
    l
};

/// D(b, g) between groups, at `[g][b / 2]`: in group k the constant of group k xor b, which g then moves.
/// At `[2]` those that g = 1 has moved.
pub(crate) static GROUPS: [[Octets; 4]; 3] = {
    let mut d = [[Octets([0; 64]); 4]; 3];
    let mut n = 0;
    while n < 12 * 64 {
        let (g, b, k, i) = (n / 256, n / 64 % 4, n / 8 % 8, n % 8);
        let at = if g == 2 { (k ^ (2 * b) ^ 1, k) } else { (k ^ (2 * b), k ^ g) };
        d[g][b].0[8 * k + i] = image(at.0, at.1);
        n += 1;
    }
    d
};

/// D(b, g) inside a group, at `[g / 4][b]`: at byte k the constant of byte k + b, which g then moves.
/// At `[2]` those that g = 4 has moved.
pub(crate) static INSIDE: [[Octets; 4]; 3] = {
    let mut d = [[Octets([0; 64]); 4]; 3];
    let mut n = 0;
    while n < 12 * 64 {
        let (g, b, i, k) = (n / 256, n / 64 % 4, n / 8 % 8, n % 8);
        let at = if g == 2 { ((k + b + 4) % 8, k) } else { ((k + b) % 8, (k + 8 - 4 * g) % 8) };
        d[g][b].0[8 * i + k] = image(at.0, at.1);
        n += 1;
    }
    d
};

/// The bytes of a vector rotated in their groups: at byte k that of k + b, at `[b]`.
pub(crate) static ROTATIONS: [Octets; 4] = {
    let mut r = [Octets([0; 64]); 4];
    let mut n = 0;
    while n < 256 {
        let (b, i, k) = (n / 64, n / 8 % 8, n % 8);
        r[b].0[8 * i + k] = (8 * (i % 2) + (k + b) % 8) as u8;
        n += 1;
    }
    r
};

/// The indices of the transposition.
pub(crate) static TRANSPOSED: Octets = {
    let mut t = [0; 64];
    let mut n = 0;
    while n < 64 {
        t[n] = (8 * (n % 8) + n / 8) as u8;
        n += 1;
    }
    Octets(t)
};

/// Byte k of two groups, and zeros.
pub(crate) static FIRST: [[u8; 16]; 8] = {
    let mut at = [[0x80; 16]; 8];
    let mut k = 0;
    while k < 8 {
        (at[k][0], at[k][1]) = (k as u8, k as u8 + 8);
        k += 1;
    }
    at
};

/// The even of 16 bytes, then the odd.
pub(crate) static APART: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pi_by_nibbles() {
        let Subfield { right, inverse, k, phi, sigma, e } = &SUBFIELD;
        let apply = |matrix: u64, x: u8| {
            (0..8).fold(0, |y, i| {
                let row = (matrix >> (8 * (7 - i))) as u8;
                y | (((row & x).count_ones() % 2) as u8) << i
            })
        };
        let look = |table: &[u8; 16], i: u8| if i < 128 { table[usize::from(i % 16)] } else { 0 };
        for x in 0..=255u8 {
            let image = STATE[usize::from(x)];
            let r = apply(*right, image);
            let p = multiply(image, look(inverse, r), AES);
            let q = multiply(r, look(phi, p), AES);
            let y = look(k, p) ^ look(sigma, q) ^ if r == 0 { look(e, image) } else { 0 };
            assert_eq!(y, STATE[usize::from(PI[usize::from(x)])], "{x}");
        }
    }

    #[test]
    fn phi_is_an_isomorphism() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let product = PHI[usize::from(multiply(a, b, POLYNOMIAL))];
                assert_eq!(product, multiply(PHI[usize::from(a)], PHI[usize::from(b)], AES));
                assert_eq!(PHI[usize::from(a ^ b)], PHI[usize::from(a)] ^ PHI[usize::from(b)]);
            }
        }
    }
}
