//! Streebog's constants in the field of AES, where GFNI multiplies.
//!
//! φ maps the field of L (see [`super`]) to GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 by sending x to
//! a root of L's polynomial. Messages, h and N go through Φ = `SCALE` · φ, the S-box becomes Φ∘π∘Φ⁻¹, and the
//! product by a constant c that by φ(c). A product by a diagonal is a vector of 64 constants; the eight diagonals
//! of L are done as two sums of four, the second moved as a whole:
//!
//! L(s) = Σ_b D(b, 0) · M_b(s) + M_g(Σ_b D(b, g) · M_b(s)),  M_r: the move by r,
//!
//! four moves instead of seven. Between the groups M_r is the exchange of groups k and k xor r,
//! b in {0, 2, 4, 6}, g = 1; inside a group it is the rotation by r bytes, b in {0, 1, 2, 3}, g = 4.

use super::{Bytes, POLYNOMIAL, c, initial_keys, multiply, round_constants, transposed};
use crate::kernel::HashKeys;
use crate::streebog::sbox::ELEMENTS;

/// x^8 + x^4 + x^3 + x + 1.
pub(crate) const AES: u8 = 0x1b;

/// φ: x goes to the least root of x^8 + x^4 + x^3 + x^2 + 1.
pub(crate) const PHI: [u8; 256] = {
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

/// Σ of the powers with a set bit.
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

/// Φ, and the map back.
pub(crate) const STATE: [u8; 256] = {
    let (mut state, mut x) = ([0; 256], 0);
    while x < 256 {
        state[x] = multiply(SCALE, PHI[x], AES);
        x += 1;
    }
    state
};
pub(crate) const INVERSE: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[STATE[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

/// A linear map for `gf2p8affineqb`: byte 7 − i is the row of result bit i.
pub(crate) const fn affine(map: &[u8; 256]) -> u64 {
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

/// The least factor for which Φ of an element of the subfield of 16 has bit 7 clear, and differs from the others in its
/// low nibble: then a look-up by the low nibble tells the element.
pub(crate) const SCALE: u8 = {
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
pub(crate) static ROUNDS: [[Bytes; 2]; 12] = round_constants(&STATE);

/// C_1..C_12 for eight messages: in columns, each byte twice.
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

const fn initial(byte: u8) -> HashKeys {
    let mut keys = initial_keys(byte);
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
/// At `[2]` are the constants that g = 1 has moved.
pub(crate) static GROUPS: [[Bytes; 4]; 3] = {
    let mut d = [[Bytes([0; 64]); 4]; 3];
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
/// At `[2]` are the constants that g = 4 has moved.
pub(crate) static INSIDE: [[Bytes; 4]; 3] = {
    let mut d = [[Bytes([0; 64]); 4]; 3];
    let mut n = 0;
    while n < 12 * 64 {
        let (g, b, i, k) = (n / 256, n / 64 % 4, n / 8 % 8, n % 8);
        let at = if g == 2 { ((k + b + 4) % 8, k) } else { ((k + b) % 8, (k + 8 - 4 * g) % 8) };
        d[g][b].0[8 * i + k] = image(at.0, at.1);
        n += 1;
    }
    d
};

/// The bytes of a vector rotated in their groups: at byte k the byte k + b, at `[b]`.
pub(crate) static ROTATIONS: [Bytes; 4] = {
    let mut r = [Bytes([0; 64]); 4];
    let mut n = 0;
    while n < 256 {
        let (b, i, k) = (n / 64, n / 8 % 8, n % 8);
        r[b].0[8 * i + k] = (8 * (i % 2) + (k + b) % 8) as u8;
        n += 1;
    }
    r
};

/// The indices of the transposition.
pub(crate) static TRANSPOSED: Bytes = {
    let mut t = [0; 64];
    let mut n = 0;
    while n < 64 {
        t[n] = (8 * (n % 8) + n / 8) as u8;
        n += 1;
    }
    Bytes(t)
};

#[cfg(test)]
mod tests {
    use super::*;

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
