//! Independent blocks and counters, on any vectors.

use core::hint;

use super::layout::Layout;
use super::{Schedule, blocks, counter};
use crate::InOut;
use crate::cipher::split;
use crate::cipher::{Count, Direction};
use crate::memory::Scratch;

/// Independent blocks; each direction is compiled by itself.
#[inline(always)]
pub(super) fn map<K: Layout>(isa: K::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    match direction {
        Direction::Encrypt => one_way::<K>(isa, s, Direction::Encrypt, data),
        Direction::Decrypt => one_way::<K>(isa, s, Direction::Decrypt, data),
    }
}

#[inline(always)]
fn one_way<K: Layout>(isa: K::Isa, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let mut rest = K::map(isa, s, direction, data);
    if rest.is_empty() {
        return;
    }
    let mut keys = Scratch::<blocks::EnteredKeys>::new();
    blocks::keys::<K>(isa, direction, s, &mut keys);
    let mut x = Scratch::<[u8; 256]>::new();
    while !rest.is_empty() {
        let (mut piece, r) = split(rest, 4 * K::LEN);
        rest = r;
        x[..piece.len()].copy_from_slice(piece.get_in());
        // Hidden, or the compiler would repeat all keys in vectors before the loop and leave them on the stack.
        few::<K>(isa, direction, hint::black_box(&keys), piece.len(), &mut x);
        let out = piece.get_out();
        out.copy_from_slice(&x[..out.len()]);
    }
}

/// Blocks of gamma added to the data.
#[inline(always)]
pub(super) fn stream<K: Layout>(
    isa: K::Isa,
    s: &Schedule,
    ctr: &mut [u8; 16],
    count: Count,
    data: InOut<'_, '_>,
) {
    let mut rest = K::stream(isa, s, ctr, count, data);
    if rest.is_empty() {
        return;
    }
    let mut keys = Scratch::<blocks::EnteredKeys>::new();
    blocks::keys::<K>(isa, Direction::Encrypt, s, &mut keys);
    let mut x = Scratch::<[u8; 256]>::new();
    while !rest.is_empty() {
        let (piece, r) = split(rest, 4 * K::LEN);
        rest = r;
        let len = piece.len();
        counter::fill(ctr, count, x[..len].as_chunks_mut().0);
        few::<K>(isa, Direction::Encrypt, &keys, len, &mut x);
        counter::add(piece, x[..len].as_chunks().0);
    }
}

/// Up to four vectors of blocks in place.
#[inline(always)]
fn few<K: Layout>(
    isa: K::Isa,
    direction: Direction,
    keys: &blocks::EnteredKeys,
    len: usize,
    x: &mut [u8; 256],
) {
    match len.div_ceil(K::LEN) {
        _ if len == 16 && K::LEN > 16 => {
            let block = x.first_chunk_mut().expect("a block");
            let v = K::enter(isa, K::repeat(isa, block));
            let v = blocks::cipher_one::<K>(isa, direction, &K::sbox(isa, direction), keys, v);
            K::store_one(K::leave(isa, v), block);
        }
        1 => vectors::<K, 1>(isa, direction, keys, x),
        2 => vectors::<K, 2>(isa, direction, keys, x),
        3 => vectors::<K, 3>(isa, direction, keys, x),
        _ => vectors::<K, 4>(isa, direction, keys, x),
    }
}

#[inline(always)]
fn vectors<K: Layout, const G: usize>(
    isa: K::Isa,
    direction: Direction,
    keys: &blocks::EnteredKeys,
    x: &mut [u8; 256],
) {
    let v = enter::<K, G>(isa, x);
    let v = blocks::cipher::<K, G>(isa, direction, v, &blocks::OneKeyEntered(isa, keys));
    leave::<K, G>(isa, &v, x);
}

/// G vectors of blocks to the form of the rounds.
#[inline(always)]
pub(super) fn enter<K: Layout, const G: usize>(isa: K::Isa, from: &[u8; 256]) -> [K::V; G] {
    let mut v = [K::splat(isa, 0); G];
    for g in 0..G {
        v[g] = K::enter(isa, K::load(isa, from, g));
    }
    v
}

/// And back.
#[inline(always)]
pub(super) fn leave<K: Layout, const G: usize>(isa: K::Isa, v: &[K::V; G], to: &mut [u8; 256]) {
    for g in 0..G {
        K::store(K::leave(isa, v[g]), to, g);
    }
}

/// Whole vectors, and back.
#[inline(always)]
pub(super) fn load<K: Layout, const N: usize>(isa: K::Isa, from: &[u8]) -> [K::V; N] {
    let mut v = [K::splat(isa, 0); N];
    for i in 0..N {
        v[i] = K::load(isa, from, i);
    }
    v
}

#[inline(always)]
pub(super) fn store<K: Layout, const N: usize>(v: &[K::V; N], to: &mut [u8]) {
    for i in 0..N {
        K::store(v[i], to, i);
    }
}
