//! The chained modes of the `lanes` shape, once for every kernel: y and z from x, z and E.

use super::Schedule;
use crate::cipher::{Chain, Data};

pub(super) type Lane<'a> = crate::cipher::Lane<'a, Schedule, 8>;

/// A chain in parts: e = E(z), or E(z ^ x); y = e, or e ^ x; z = y, or e.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// Whether x is added before E, else after.
    pub before: bool,
    /// Whether z is e.
    pub ofb: bool,
    /// Rounds of E.
    pub rounds: usize,
}

impl Rule {
    #[inline(always)]
    pub(super) fn of(chain: Chain) -> Self {
        let before = matches!(chain, Chain::CbcEncrypt | Chain::Mac | Chain::Imit);
        Rule {
            before,
            ofb: chain == Chain::Ofb,
            rounds: if chain == Chain::Imit { 16 } else { 32 },
        }
    }
}

/// How many of the first lanes have the S-boxes and the byte order of the first one: kernels look one
/// set up at a time. S-boxes are public parameters.
pub(super) fn alike(lanes: &[Lane<'_>]) -> usize {
    let Some(first) = lanes.first() else { return 0 };
    let (sboxes, order) = (&first.schedule.sboxes, first.schedule.order);
    let same = |l: &&Lane<'_>| {
        let s = &l.schedule.sboxes;
        l.schedule.order == order
            && if s.known.is_some() { s.known == sboxes.known } else { s.rows == sboxes.rows }
    };
    lanes.iter().take_while(same).count()
}

/// The bytes of block `i` of a lane.
#[inline(always)]
fn block(data: &Data<'_>, i: usize) -> u64 {
    let octets = match data {
        Data::Read(d) => d,
        Data::Through(d) => d.get_in(),
    };
    u64::from_le_bytes(octets[8 * i..8 * i + 8].try_into().expect("8 bytes"))
}

/// Runs at most `N` lanes block by block over a cipher of `N` blocks, little-endian numbers.
#[inline(always)]
pub(super) fn run<const N: usize>(
    rule: Rule,
    lanes: &mut [Lane<'_>],
    mut encrypt: impl FnMut(&mut [u64; N]),
) {
    let blocks = lanes.first().map_or(0, |l| l.data.len() / 8);
    let (mut z, mut x) = ([0; N], [0; N]);
    for (z, lane) in z.iter_mut().zip(lanes.iter()) {
        *z = u64::from_le_bytes(*lane.state);
    }
    for i in 0..blocks {
        for (x, lane) in x.iter_mut().zip(lanes.iter()) {
            *x = block(&lane.data, i);
        }
        for (z, x) in z.iter_mut().zip(&x) {
            *z ^= if rule.before { *x } else { 0 };
        }
        encrypt(&mut z);
        for ((z, x), lane) in z.iter_mut().zip(&x).zip(lanes.iter_mut()) {
            let y = *z ^ if rule.before { 0 } else { *x };
            if !rule.ofb {
                *z = y;
            }
            if let Data::Through(d) = &mut lane.data {
                d.get_out()[8 * i..8 * i + 8].copy_from_slice(&y.to_le_bytes());
            }
        }
    }
    for (z, lane) in z.iter().zip(lanes) {
        *lane.state = z.to_le_bytes();
    }
}
