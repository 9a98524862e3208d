//! Independent blocks and counters, on any vectors of 64 octets: which form serves which length.

use super::image::ENCRYPT;
use super::scratch::Scratch;
use super::sliced::{BATCH, Gamma, Words};
use super::{Schedule, blocks, consts, counter, sliced};
use crate::InOut;
use crate::kernel::{Count, Direction};
use crate::simd::Bytes;

/// Up to so many blocks the form with four blocks in a vector is cheaper than a batch of 64 with idle
/// lanes; and the same for a gamma. Measured on Sapphire Rapids.
const FEW: usize = 32;
const FEW_GAMMA: usize = 24;

/// The key schedule: RFC 7801, section 4.3.
#[inline(always)]
pub(super) fn prepare<B: Bytes>(isa: B::Isa, key: &[u8; 32], s: &mut Schedule) {
    let sbox = blocks::sbox::<B>(isa, &ENCRYPT);
    let (halves, _) = key.as_chunks::<16>();
    let first = blocks::into(B::repeat(isa, &halves[0]));
    let second = blocks::into(B::repeat(isa, &halves[1]));
    let mut k = [first, second];
    put(s, 0, k);
    for (i, c) in consts::ROUND_CONSTANTS.iter().enumerate() {
        let c = blocks::into(B::repeat(isa, c));
        let f = blocks::mixed_one(&ENCRYPT, k[0].xor(c).substituted(&sbox), k[1]);
        k = [f, k[0]];
        if i % 8 == 7 {
            put(s, i / 4 + 1, k);
        }
    }
}

/// Two round keys, through φ.
#[inline(always)]
fn put<B: Bytes>(s: &mut Schedule, r: usize, k: [B; 2]) {
    for i in 0..2 {
        let inverse = blocks::mixed_one(blocks::layer(Direction::Decrypt), k[i], k[i].xor(k[i]));
        blocks::out(k[i]).store_one(&mut s.keys[r + i]);
        blocks::out(inverse).store_one(&mut s.inverse[r + i]);
    }
}

/// Independent blocks.
#[inline(always)]
pub(super) fn map<B: Bytes>(isa: B::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let mut rest = data;
    if rest.len() > 16 * FEW {
        let mut kappa: Scratch<Words> = Scratch::new();
        sliced::words::<B>(isa, direction, s, &mut kappa);
        while rest.len() > 16 * FEW {
            let (mut piece, r) = split(rest, 16 * BATCH);
            rest = r;
            if let Ok(from) = piece.get_in().try_into() {
                let v = sliced::cipher::<B>(isa, direction, s, &kappa, from);
                store(&v, piece.get_out());
            } else {
                let mut buffer = Scratch::<[u8; 16 * BATCH]>::new();
                buffer[..piece.len()].copy_from_slice(piece.get_in());
                let v = sliced::cipher::<B>(isa, direction, s, &kappa, &buffer);
                store(&v, &mut *buffer);
                let out = piece.get_out();
                out.copy_from_slice(&buffer[..out.len()]);
            }
        }
    }
    if !rest.is_empty() {
        let mut keys = Scratch::<blocks::Keys>::new();
        blocks::keys::<B>(isa, direction, s, &mut keys);
        let mut x = Scratch::<[u8; 256]>::new();
        while !rest.is_empty() {
            let (mut piece, r) = split(rest, 256);
            rest = r;
            x[..piece.len()].copy_from_slice(piece.get_in());
            few::<B>(isa, direction, &keys, piece.len(), &mut x);
            let out = piece.get_out();
            out.copy_from_slice(&x[..out.len()]);
        }
    }
}

/// Blocks of gamma added to the data.
#[inline(always)]
pub(super) fn stream<B: Bytes>(
    isa: B::Isa,
    s: &Schedule,
    ctr: &mut [u8; 16],
    count: Count,
    data: InOut<'_, '_>,
) {
    let mut rest = data;
    if rest.len() > 16 * FEW_GAMMA {
        let mut gamma = Scratch::<Gamma>::new();
        gamma.fill::<B>(isa, s);
        while rest.len() >= 32 * BATCH {
            let (mut piece, r) = split(rest, 32 * BATCH);
            rest = r;
            let gamma = gamma.batches::<B>(isa, ctr, count);
            *ctr = counter::advanced(ctr, count, 2 * BATCH as u64);
            for i in 0..32 {
                let x = B::load(isa, piece.get_in(), i);
                x.xor(gamma[i / 16][i % 16]).store(piece.get_out(), i);
            }
        }
        while rest.len() > 16 * FEW_GAMMA {
            let (mut piece, r) = split(rest, 16 * BATCH);
            rest = r;
            let gamma = gamma.batch::<B>(isa, ctr, count);
            let blocks = piece.len() / 16;
            *ctr = counter::advanced(ctr, count, blocks as u64);
            if blocks == BATCH {
                for i in 0..16 {
                    let x = B::load(isa, piece.get_in(), i);
                    x.xor(gamma[i]).store(piece.get_out(), i);
                }
            } else {
                let mut buffer = Scratch::<[u8; 16 * BATCH]>::new();
                store(&gamma, &mut *buffer);
                counter::add(piece, &buffer.as_chunks().0[..blocks]);
            }
        }
    }
    if !rest.is_empty() {
        let mut keys = Scratch::<blocks::Keys>::new();
        blocks::keys::<B>(isa, Direction::Encrypt, s, &mut keys);
        let mut x = Scratch::<[u8; 256]>::new();
        while !rest.is_empty() {
            let (piece, r) = split(rest, 256);
            rest = r;
            let len = piece.len();
            counter::fill(ctr, count, x[..len].as_chunks_mut().0);
            few::<B>(isa, Direction::Encrypt, &keys, len, &mut x);
            counter::add(piece, x[..len].as_chunks().0);
        }
    }
}

/// Up to `len` octets, and the rest.
#[inline(always)]
fn split<'i, 'o>(data: InOut<'i, 'o>, len: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let len = len.min(data.len());
    data.split_at(len)
}

/// Whole vectors.
#[inline(always)]
pub(super) fn store<B: Bytes, const V: usize>(v: &[B; V], to: &mut [u8]) {
    for i in 0..V {
        v[i].store(to, i);
    }
}

/// Up to 16 blocks in place.
#[inline(always)]
fn few<B: Bytes>(
    isa: B::Isa,
    direction: Direction,
    keys: &blocks::Keys,
    len: usize,
    x: &mut [u8; 256],
) {
    match len.div_ceil(64) {
        1 => vectors::<B, 1>(isa, direction, keys, x),
        2 => vectors::<B, 2>(isa, direction, keys, x),
        3 => vectors::<B, 3>(isa, direction, keys, x),
        _ => vectors::<B, 4>(isa, direction, keys, x),
    }
}

#[inline(always)]
fn vectors<B: Bytes, const G: usize>(
    isa: B::Isa,
    direction: Direction,
    keys: &blocks::Keys,
    x: &mut [u8; 256],
) {
    let v = blocks::cipher(isa, direction, images::<B, G>(isa, x), &blocks::One(isa, keys));
    store_images(&v, x);
}

/// 4 G blocks through φ.
#[inline(always)]
pub(super) fn images<B: Bytes, const G: usize>(isa: B::Isa, from: &[u8; 256]) -> [B; G] {
    let mut v = [B::load(isa, from, 0); G];
    for g in 0..G {
        v[g] = blocks::into(B::load(isa, from, g));
    }
    v
}

/// And back.
#[inline(always)]
pub(super) fn store_images<B: Bytes, const G: usize>(v: &[B; G], to: &mut [u8; 256]) {
    for g in 0..G {
        blocks::out(v[g]).store(to, g);
    }
}
