//! Few blocks, each in 16 bytes of a vector (RFC 7801, section 4).

use super::Schedule;
use super::layout::Layout;
use crate::cipher::Direction;

/// The keys as they are added, in the form of the rounds: K_1 and what follows each L.
pub(super) type EnteredKeys = [[u8; 16]; 10];

/// K_1..K_10 in encryption; K_1, L^-1(K_2)..L^-1(K_10) in decryption.
#[inline(always)]
pub(super) fn key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    if direction == Direction::Encrypt || r == 0 { &s.keys[r] } else { &s.inverse[r] }
}

/// The keys of a direction.
#[inline(always)]
pub(super) fn keys<K: Layout>(
    isa: K::Isa,
    direction: Direction,
    s: &Schedule,
    to: &mut EnteredKeys,
) {
    for (r, to) in to.iter_mut().enumerate() {
        let mut k = K::repeat(isa, key(s, direction, r));
        if direction == Direction::Decrypt && r > 0 {
            k = K::xor(k, K::splat(isa, K::MOVED));
        }
        K::store_one(K::enter(isa, k), to);
    }
}

/// G vectors of blocks, in the form of the rounds; `keys` has G vectors, or one for all, for each
/// addition.
#[inline(always)]
pub(super) fn cipher<K: Layout, const G: usize>(
    isa: K::Isa,
    direction: Direction,
    mut x: [K::V; G],
    keys: &impl VectorKeys<K>,
) -> [K::V; G] {
    let sbox = K::sbox(isa, direction);
    match direction {
        Direction::Encrypt => {
            for g in 0..G {
                x[g] = K::xor(x[g], keys.at(0, g));
            }
            for r in 1..10 {
                for g in 0..G {
                    let y = K::substituted(isa, direction, &sbox, x[g]);
                    x[g] = K::mixed(isa, direction, y, keys.at(r, g));
                }
            }
        }
        Direction::Decrypt => {
            for g in 0..G {
                x[g] = K::mixed(isa, direction, x[g], keys.at(9, g));
            }
            for r in (1..9).rev() {
                for g in 0..G {
                    let y = K::substituted(isa, direction, &sbox, x[g]);
                    x[g] = K::mixed(isa, direction, y, keys.at(r, g));
                }
            }
            for g in 0..G {
                x[g] = K::xor(K::substituted(isa, direction, &sbox, x[g]), keys.at(0, g));
            }
        }
    }
    x
}

/// The key that is added to vector g.
pub(super) trait VectorKeys<K: Layout> {
    fn at(&self, r: usize, g: usize) -> K::V;
}

/// One key for all blocks.
pub(super) struct OneKeyEntered<'a, K: Layout>(pub(super) K::Isa, pub(super) &'a EnteredKeys);

impl<K: Layout> VectorKeys<K> for OneKeyEntered<'_, K> {
    #[inline(always)]
    fn at(&self, r: usize, _: usize) -> K::V {
        K::repeat(self.0, &self.1[r])
    }
}

/// A key for each block.
pub(super) struct KeyPerVector<'a, K: Layout>(pub(super) K::Isa, pub(super) &'a [[u8; 256]; 10]);

impl<K: Layout> VectorKeys<K> for KeyPerVector<'_, K> {
    #[inline(always)]
    fn at(&self, r: usize, g: usize) -> K::V {
        K::load(self.0, &self.1[r], g)
    }
}

/// One block, repeated in the vector.
#[inline(always)]
pub(super) fn cipher_one<K: Layout>(
    isa: K::Isa,
    direction: Direction,
    sbox: &K::Sbox,
    keys: &EnteredKeys,
    x: K::V,
) -> K::V {
    match direction {
        Direction::Encrypt => {
            let mut x = K::xor(x, K::repeat(isa, &keys[0]));
            for key in &keys[1..] {
                let y = K::substituted_one(isa, direction, sbox, x);
                x = K::mixed_one(isa, direction, y, K::repeat(isa, key));
            }
            x
        }
        Direction::Decrypt => {
            let mut x = K::mixed_one(isa, direction, x, K::repeat(isa, &keys[9]));
            for key in keys[1..9].iter().rev() {
                let y = K::substituted_one(isa, direction, sbox, x);
                x = K::mixed_one(isa, direction, y, K::repeat(isa, key));
            }
            K::xor(K::substituted_one(isa, direction, sbox, x), K::repeat(isa, &keys[0]))
        }
    }
}
