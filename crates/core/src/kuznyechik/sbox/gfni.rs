//! S and products with GFNI in 256 bits, which multiplies in the field of AES (see `structure.rs`).
//!
//! Few blocks are taken to that field by φ (see `constants/aes.rs`), where L(x) = Σ_d C_d · (x rotated by d places).

// Two maps are called φ: `PHI` is π's own (`structure.rs`), `IMAGE` is the map to the field of AES (`constants/aes.rs`).
use core::marker::PhantomData;

use super::places::{self, FirstTables, Page, PageOfConstants, Places, Window, by_places, page};
use super::structure::{FACTOR_K, FACTOR_W, Form, INSTEAD, INVERSE, PHI, Place, backward, forward};
use super::{Constants, Rounds, Sbox};
use crate::cipher::{Count, Direction};
use crate::kuznyechik::Schedule;
use crate::kuznyechik::constants::PI;
use crate::kuznyechik::constants::aes::{
    Bytes, DECRYPT, ENCRYPT, PHI as IMAGE, PHI_INVERSE as FROM_IMAGE,
};
use crate::kuznyechik::linear::{Factor, LEAVES, Leaf};
use crate::simd::{Field, Linear};

/// S by GFNI's products.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Gfni<V>(PhantomData<V>);

static CONSTANTS: PageOfConstants = page(Form::Products, &LEAVES);

static EVERYWHERE: [Place; 2] =
    [forward(Form::Products, &FROM_IMAGE, &IMAGE), backward(Form::Products, &FROM_IMAGE, &IMAGE)];

/// φ and φ⁻¹.
static TO: Linear = linear(&IMAGE);
static FROM: Linear = linear(&FROM_IMAGE);

const fn linear(map: &[u8; 256]) -> Linear {
    let (mut p, mut i) = ([0; 8], 0);
    while i < 8 {
        p[i] = map[1 << i];
        i += 1;
    }
    Linear::new(&p)
}

/// The indices of the rotations by d places.
static ROTATIONS: [Bytes; 16] = {
    let (mut r, mut n) = ([Bytes([0; 64]); 16], 0);
    while n < 16 * 64 {
        r[n / 64].0[n % 64] = ((n % 16 + n / 64) % 16) as u8;
        n += 1;
    }
    r
};

/// For one block twice in a vector, \[e\] has the rotations by e and 8 + e and C_e and C_(8 + e), of
/// either direction.
static HALVES: [[[Bytes; 8]; 2]; 2] = {
    let (mut h, mut n) = ([[[Bytes([0; 64]); 8]; 2]; 2], 0);
    while n < 8 * 64 {
        let (e, p) = (n / 64, n % 64);
        let d = 8 * (p / 16 % 2) + e;
        h[0][0][e].0[p] = ENCRYPT.by[d].0[p];
        h[1][0][e].0[p] = DECRYPT.by[d].0[p];
        h[0][1][e].0[p] = ((p % 16 + d) % 16) as u8;
        h[1][1][e].0[p] = h[0][1][e].0[p];
        n += 1;
    }
    h
};

impl<V: Field> Places for Gfni<V> {
    const EVERYWHERE: &'static [Place; 2] = &EVERYWHERE;
    #[inline(always)]
    fn look_up(isa: V::Isa, direction: Direction, x: V, place: &Place, first: V) -> V {
        let a = x.linear(isa, &place.to[0]);
        let b = x.linear(isa, &place.to[1]);
        match direction {
            Direction::Encrypt => {
                let m = a.times(V::repeat(isa, &INVERSE).lookup_low(b));
                let q = b.times(V::repeat(isa, &PHI).lookup_low(m));
                let zero = b.equal(V::splat(isa, 0));
                let instead = V::repeat(isa, &INSTEAD).lookup_low(a).and(zero);
                first.lookup_low(m.xor(instead)).xor(V::repeat(isa, &place.tables[1]).lookup_low(q))
            }
            Direction::Decrypt => {
                let (k, w) = (V::repeat(isa, &FACTOR_K), V::repeat(isa, &FACTOR_W));
                let x = k.lookup(a).times(w.lookup_low(b)).linear(isa, &place.from);
                x.xor(first.lookup(a.sub_saturating(b)))
            }
        }
    }
}

impl<V: Field> Sbox for Gfni<V> {
    by_places!(V);
    type Factor = Whole<V>;
    const CONSTANTS: &'static Constants<Place, Linear> = &CONSTANTS.0;
    #[inline(always)]
    fn factor(isa: V::Isa, x: V) -> Whole<V> {
        Whole(x, isa)
    }
    #[inline(always)]
    fn enter(isa: V::Isa, v: V) -> V {
        v.linear(isa, &TO)
    }
    #[inline(always)]
    fn leave(isa: V::Isa, v: V) -> V {
        v.linear(isa, &FROM)
    }
    #[inline(always)]
    fn mix(isa: V::Isa, direction: Direction, v: V, e: V) -> V {
        let by = match direction {
            Direction::Encrypt => &ENCRYPT.by,
            Direction::Decrypt => &DECRYPT.by,
        };
        let (by, rotations) = (V::fresh(by), V::fresh(&ROTATIONS));
        let mut sum = [e, v.times(V::load(isa, &by[0].0))];
        for d in 1..16 {
            let x = v.lookup(V::load(isa, &rotations[d].0));
            sum[d % 2] = sum[d % 2].xor(x.times(V::load(isa, &by[d].0)));
        }
        sum[0].xor(sum[1])
    }
    #[inline(always)]
    fn mix_one(isa: V::Isa, direction: Direction, v: V, e: V) -> V {
        // Written for 256 bits, which is all that has products here.
        assert!(V::LEN == 32);
        let [by, rotations] = &HALVES[direction as usize];
        let mut x = [v; 8];
        for d in 0..8 {
            x[d] = v.lookup(V::load(isa, &rotations[d].0)).times(V::load(isa, &by[d].0));
        }
        let (a, b) = (x[0].xor3(x[1], x[2]), x[3].xor3(x[4], x[5]));
        a.xor3(b, x[6].xor(x[7])).folded().xor(e)
    }
    // Measured on Intel 0x06/0xa7.
    const FEW: usize = 14;
    const FEW_GAMMA: usize = 12;
    const REGISTERS: usize = 2;
    const FEW_LANES: usize = 14;
}

/// A vector as a factor.
#[derive(Clone, Copy)]
pub(in crate::kuznyechik) struct Whole<V: Field>(V, V::Isa);

impl<V: Field> Factor<Linear> for Whole<V> {
    type V = V;
    const LEAVES: &'static [Leaf; 27] = &LEAVES;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Whole(self.0.xor(b.0), self.1)
    }
    #[inline(always)]
    fn by(self, m: &Linear) -> V {
        self.0.linear(self.1, m)
    }
    #[inline(always)]
    fn once(self, _: &Linear) -> V {
        self.0
    }
}
