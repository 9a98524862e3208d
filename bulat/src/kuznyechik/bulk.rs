//! Independent blocks, counters and lanes on vectors that look up by nibbles: which form serves which
//! length.

use super::octets::{self, Arithmetic, Each, Isa, Kappa, Tables, WINDOW, Window};
use super::scratch::Scratch;
use super::{Schedule, chain, counter};
use crate::InOut;
use crate::kernel::{Chain, Count, Direction, Lane};
use crate::simd::Nibbles;

/// Octets of the largest batch.
const MOST: usize = 16 * 64;

/// Up to `len` octets, and the rest.
#[inline(always)]
fn split<'i, 'o>(data: InOut<'i, 'o>, len: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let len = len.min(data.len());
    data.split_at(len)
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<A: Arithmetic>(
    isa: Isa<A>,
    s: &Schedule,
    direction: Direction,
    data: InOut<'_, '_>,
) {
    let mut rest = data;
    let mut tables = Scratch::<Tables>::new();
    octets::tables::<A>(isa, direction, s, &mut tables);
    while !rest.is_empty() {
        let (mut piece, r) = split(rest, 16 * A::V::LEN);
        rest = r;
        if piece.len() == 16 * A::V::LEN {
            let v = octets::cipher::<A>(isa, direction, s, &tables, piece.get_in());
            octets::write(&v, piece.get_out());
        } else {
            let mut buffer = Scratch::<[u8; MOST]>::new();
            buffer[..piece.len()].copy_from_slice(piece.get_in());
            let v = octets::cipher::<A>(isa, direction, s, &tables, &*buffer);
            octets::write(&v, &mut *buffer);
            let out = piece.get_out();
            out.copy_from_slice(&buffer[..out.len()]);
        }
    }
}

/// Blocks of gamma added to the data.
#[inline(always)]
pub(super) fn stream<A: Arithmetic>(
    isa: Isa<A>,
    s: &Schedule,
    ctr: &mut [u8; 16],
    count: Count,
    data: InOut<'_, '_>,
) {
    let mut rest = data;
    let mut tables = Scratch::<Tables>::new();
    octets::tables::<A>(isa, Direction::Encrypt, s, &mut tables);
    let mut window = Scratch::<Window>::new();
    while !rest.is_empty() {
        let (mut part, r) = split(rest, 16 * WINDOW);
        rest = r;
        let blocks = part.len() / 16;
        window.fill::<A>(isa, s, &tables, ctr, count);
        let mut offset = 0;
        while !part.is_empty() {
            let (mut piece, r) = split(part, 16 * A::V::LEN);
            part = r;
            let gamma = window.batch::<A>(isa, s, &tables, ctr, count, offset);
            offset += A::V::LEN;
            if piece.len() == 16 * A::V::LEN {
                for i in 0..16 {
                    let at = A::V::LEN * i;
                    let x = A::V::load(isa, &piece.get_in()[at..]).xor(gamma[i]);
                    x.store(&mut piece.get_out()[at..]);
                }
            } else {
                let mut buffer = Scratch::<[u8; MOST]>::new();
                octets::write(&gamma, &mut *buffer);
                let blocks = piece.len() / 16;
                counter::add(piece, &buffer.as_chunks().0[..blocks]);
            }
        }
        *ctr = counter::advanced(ctr, count, blocks as u64);
    }
}

/// Chained streams.
#[inline(always)]
pub(super) fn lanes<A: Arithmetic>(
    isa: Isa<A>,
    chain: Chain,
    lanes: &mut [Lane<'_, Schedule, 16>],
) {
    for lanes in lanes.chunks_mut(A::V::LEN) {
        let blocks = lanes[0].data.len() / 16;
        let mut buffer = Scratch::<[u8; MOST]>::new();
        let mut kappa = Scratch::<Kappa>::new();
        for r in 0..9 {
            for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut().0) {
                *x = lane.schedule.inverse[r + 1];
            }
            let v = octets::read::<A::V>(isa, &*buffer);
            let mut v = octets::ordered(Direction::Encrypt, octets::transposed(v));
            octets::kappa::<A>(isa, &mut v);
            for i in 0..16 {
                v[i].store(&mut kappa[r][i]);
            }
        }
        for i in 0..blocks {
            for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut::<16>().0) {
                let z = chain::before(chain, lane, i);
                *x = core::array::from_fn(|i| z[i] ^ lane.schedule.keys[0][i]);
            }
            let v = octets::read::<A::V>(isa, &*buffer);
            let mut v = octets::ordered(Direction::Encrypt, octets::transposed(v));
            octets::rounds::<A>(isa, Direction::Encrypt, &mut v, &Each(isa, &kappa));
            let v = octets::transposed(octets::ordered(Direction::Encrypt, v));
            octets::write(&v, &mut *buffer);
            for (lane, x) in lanes.iter_mut().zip(buffer.as_chunks().0) {
                chain::after(chain, lane, i, x);
            }
        }
    }
}
