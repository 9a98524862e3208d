//! Few blocks, each in 16 octets of a vector, in the field of AES (RFC 7801, section 4; see `image`).

use super::Schedule;
use super::image::{DECRYPT, ENCRYPT, FROM, Layer, ROTATIONS, TO};
use crate::kernel::Direction;
use crate::simd::Bytes;

/// The keys as they are added, through φ: K_1 and what follows each L.
pub(super) type Keys = [[u8; 16]; 10];

/// K_1..K_10 in encryption; K_1, L^-1(K_2)..L^-1(K_10) in decryption.
#[inline(always)]
pub(super) fn key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    if direction == Direction::Encrypt || r == 0 { &s.keys[r] } else { &s.inverse[r] }
}

/// φ of the keys of a direction.
#[inline(always)]
pub(super) fn keys<B: Bytes>(isa: B::Isa, direction: Direction, s: &Schedule, to: &mut Keys) {
    for (r, to) in to.iter_mut().enumerate() {
        B::repeat(isa, key(s, direction, r)).affine(&TO).store_one(to);
    }
}

#[inline(always)]
pub(super) fn layer(direction: Direction) -> &'static Layer {
    match direction {
        Direction::Encrypt => &ENCRYPT,
        Direction::Decrypt => &DECRYPT,
    }
}

#[inline(always)]
pub(super) fn sbox<B: Bytes>(isa: B::Isa, layer: &Layer) -> [B; 4] {
    let t = &layer.sbox;
    [
        B::load(isa, &t[0].0, 0),
        B::load(isa, &t[1].0, 0),
        B::load(isa, &t[2].0, 0),
        B::load(isa, &t[3].0, 0),
    ]
}

/// L or L^-1, plus e.
#[inline(always)]
fn mixed<B: Bytes>(layer: &Layer, x: B, e: B) -> B {
    macro_rules! term {
        ($d:literal) => {
            x.rotated::<$d>().times(&layer.by[$d])
        };
    }
    let a = e.xor3(x.times(&layer.by[0]), term!(1));
    let b = term!(2).xor3(term!(3), term!(4));
    let a = a.xor3(term!(5), term!(6));
    let b = b.xor3(term!(7), term!(8));
    let a = a.xor3(term!(9), term!(10));
    let b = b.xor3(term!(11), term!(12));
    let a = a.xor3(term!(13), term!(14));
    a.xor3(b, term!(15))
}

/// 4 G blocks through φ, before and after; `keys` has G vectors, or one for all, for each addition.
#[inline(always)]
pub(super) fn cipher<B: Bytes, const G: usize>(
    isa: B::Isa,
    direction: Direction,
    mut x: [B; G],
    keys: &impl VectorKeys<B>,
) -> [B; G] {
    let layer = layer(direction);
    let sbox = sbox(isa, layer);
    match direction {
        Direction::Encrypt => {
            for g in 0..G {
                x[g] = x[g].xor(keys.at(0, g));
            }
            for r in 1..10 {
                let layer = B::fresh(layer);
                for g in 0..G {
                    x[g] = mixed(layer, x[g].substituted(&sbox), keys.at(r, g));
                }
            }
        }
        Direction::Decrypt => {
            for g in 0..G {
                x[g] = mixed(layer, x[g], keys.at(9, g));
            }
            for r in (1..9).rev() {
                let layer = B::fresh(layer);
                for g in 0..G {
                    x[g] = mixed(layer, x[g].substituted(&sbox), keys.at(r, g));
                }
            }
            for g in 0..G {
                x[g] = x[g].substituted(&sbox).xor(keys.at(0, g));
            }
        }
    }
    x
}

/// The key that is added to vector g, through φ.
pub(super) trait VectorKeys<B> {
    fn at(&self, r: usize, g: usize) -> B;
}

/// One key for all blocks.
pub(super) struct One<'a, B: Bytes>(pub(super) B::Isa, pub(super) &'a Keys);

impl<B: Bytes> VectorKeys<B> for One<'_, B> {
    #[inline(always)]
    fn at(&self, r: usize, _: usize) -> B {
        B::repeat(self.0, &self.1[r])
    }
}

/// A key for each block.
pub(super) struct Each<'a, B: Bytes>(pub(super) B::Isa, pub(super) &'a [[u8; 256]; 10]);

impl<B: Bytes> VectorKeys<B> for Each<'_, B> {
    #[inline(always)]
    fn at(&self, r: usize, g: usize) -> B {
        B::load(self.0, &self.1[r], g)
    }
}

/// L or L^-1 of one block that stands four times in the vector, plus e.
#[inline(always)]
pub(super) fn mixed_one<B: Bytes>(layer: &Layer, x: B, e: B) -> B {
    let a = x.shuffled(&ROTATIONS[0]).times(&layer.split[0]);
    let b = x.shuffled(&ROTATIONS[1]).times(&layer.split[1]);
    let c = x.shuffled(&ROTATIONS[2]).times(&layer.split[2]);
    let d = x.shuffled(&ROTATIONS[3]).times(&layer.split[3]);
    a.xor(b).xor3(c, d).folded(e)
}

/// One block, four times in the vector, through φ.
#[inline(always)]
pub(super) fn cipher_one<B: Bytes>(isa: B::Isa, sbox: &[B; 4], keys: &Keys, x: B) -> B {
    let mut x = x.xor(B::repeat(isa, &keys[0]));
    for key in &keys[1..] {
        x = mixed_one(&ENCRYPT, x.substituted(sbox), B::repeat(isa, key));
    }
    x
}

/// φ⁻¹ of a vector.
#[inline(always)]
pub(super) fn out<B: Bytes>(x: B) -> B {
    x.affine(&FROM)
}

/// φ of a vector.
#[inline(always)]
pub(super) fn into<B: Bytes>(x: B) -> B {
    x.affine(&TO)
}
