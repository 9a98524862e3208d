//! RFC 7801. Byte 0 is a_15, as the RFC prints a block.

use std::sync::OnceLock;

use super::{inverse, numbers, substitute, times, xor};
use crate::bytes::op;
use crate::domain::{Byte, Table, combined, cut, lift, table};

/// The coefficients of l (section 4.1.2), of a_15 first.
pub const COEFFICIENTS: [u8; 16] =
    [148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1];
/// The lower powers of the field's polynomial, x^8 + x^7 + x^6 + x + 1.
pub const POWERS: u8 = 0xc3;

fn l(a: &[u8; 16]) -> u8 {
    (0..16).fold(0, |r, i| r ^ times(a[i], COEFFICIENTS[i], POWERS))
}
/// L, sixteen steps of R.
pub fn forward(mut a: [u8; 16]) -> [u8; 16] {
    for _ in 0..16 {
        let new = l(&a);
        a.copy_within(..15, 1);
        a[0] = new;
    }
    a
}
/// The inverse of L.
pub fn backward(mut a: [u8; 16]) -> [u8; 16] {
    for _ in 0..16 {
        a.rotate_left(1);
        a[15] = l(&a);
    }
    a
}

/// A linear map of blocks, by tables: what byte i gives to byte j.
pub struct Tables([[Table; 16]; 16]);
/// The images of each value of each byte under a map.
type Images = Vec<[[u8; 16]; 256]>;
fn images(map: fn([u8; 16]) -> [u8; 16]) -> Images {
    let column = |i: usize, x: usize| {
        let mut block = [0; 16];
        block[i] = x as u8;
        map(block)
    };
    (0..16).map(|i| std::array::from_fn(|x| column(i, x))).collect()
}
impl Tables {
    fn new(images: &Images) -> Self {
        let of = |i: usize, j: usize| table(|x| images[i][x as usize][j]);
        Tables(std::array::from_fn(|i| std::array::from_fn(|j| of(i, j))))
    }
    pub fn of(&self, block: &[Byte]) -> Vec<Byte> {
        let of = |j: usize| combined((0..16).map(|i| (self.0[i][j], block[i])));
        (0..16).map(of).collect()
    }
}

/// The cipher with its maps.
pub struct Cipher {
    pub l: Tables,
    pub inverse: Tables,
}
impl Cipher {
    pub fn new() -> Self {
        static IMAGES: OnceLock<[Images; 2]> = OnceLock::new();
        let [l, inverse] = IMAGES.get_or_init(|| [images(forward), images(backward)]);
        Cipher { l: Tables::new(l), inverse: Tables::new(inverse) }
    }
    fn lsx(&self, key: &[Byte], block: &[Byte]) -> Vec<Byte> {
        self.l.of(&substitute(&xor(key, block)))
    }
    /// The ten round keys of a key of 32 bytes (section 4.3).
    pub fn keys(&self, key: &[Byte]) -> Vec<Byte> {
        self.keys_by(key, |k| k)
    }
    /// The round keys, each by a name of it.
    pub fn keys_by(&self, key: &[Byte], name: impl Fn(Vec<Byte>) -> Vec<Byte>) -> Vec<Byte> {
        let (mut a, mut b) = (name(key[..16].to_vec()), name(key[16..].to_vec()));
        let mut keys = [&a[..], &b].concat();
        for i in 1..=32 {
            let mut number = [0; 16];
            number[15] = i;
            let c = numbers(&forward(number));
            (a, b) = (xor(&self.lsx(&c, &a), &b), a);
            if i % 8 == 0 {
                (a, b) = (name(a), name(b));
                keys.extend_from_slice(&a);
                keys.extend_from_slice(&b);
            }
        }
        keys
    }
    /// A schedule in memory: the round keys, and L^-1 of each.
    pub fn schedule(&self, keys: &[Byte]) -> Vec<Byte> {
        let inverse = keys.chunks(16).flat_map(|k| self.inverse.of(k));
        keys.iter().copied().chain(inverse).collect()
    }
    /// A block encrypted under round keys.
    pub fn encrypt(&self, keys: &[Byte], block: &[Byte]) -> Vec<Byte> {
        let round = |state: Vec<Byte>, key: &[Byte]| self.lsx(key, &state);
        let state = keys[..144].chunks(16).fold(block.to_vec(), round);
        xor(&state, &keys[144..160])
    }
    /// A block decrypted: X, L^-1, S^-1 from the last key. The inputs of S^-1 are sums of L^-1 of the block and of the key.
    pub fn decrypt(&self, keys: &[Byte], block: &[Byte]) -> Vec<Byte> {
        const INVERSE: [u8; 256] = inverse();
        let mut state = block.to_vec();
        for key in keys.chunks(16).skip(1).rev() {
            let named = self.inverse.of(&xor(&state, key)).into_iter().map(cut);
            state = named.map(|b| lift(op::STANDARD + 1, [b], |[x]| INVERSE[x as usize])).collect();
        }
        xor(&state, &keys[..16])
    }
}
