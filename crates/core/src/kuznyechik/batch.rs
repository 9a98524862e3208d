//! Independent blocks and counters: batches, and the few blocks that are left.
//!
//! A batch has byte a_i of its blocks in vector i (`round.rs`); its cost does not depend on how many blocks it has. Few
//! blocks go four vectors at a time, each block in 16 bytes of a vector, and a single block is repeated in the
//! vector, so that its latency is least.

use core::hint;

use super::round::{cipher, diagonal, first_key, store, unsliced};
use super::sbox::{Isa, Rounds, Sbox, V};
use super::{Schedule, counter, round};
use crate::InOut;
use crate::cipher::split;
use crate::cipher::{Count, Direction};
use crate::memory::Scratch;
use crate::simd::Vector;

/// Bytes of the largest batch.
const MOST: usize = 16 * 64;

/// Independent blocks; each direction is compiled separately.
#[inline(always)]
pub(super) fn map<K: Rounds>(
    isa: Isa<K::S>,
    s: &Schedule,
    direction: Direction,
    data: InOut<'_, '_>,
) {
    match direction {
        Direction::Encrypt => one_way::<K>(isa, s, Direction::Encrypt, data),
        Direction::Decrypt => one_way::<K>(isa, s, Direction::Decrypt, data),
    }
}

#[inline(always)]
fn one_way<K: Rounds>(isa: Isa<K::S>, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let mut rest = batches::<K>(isa, s, direction, data);
    if rest.is_empty() {
        return;
    }
    let mut keys = Scratch::<FewKeys>::new();
    few_keys::<K::S>(isa, direction, s, &mut keys);
    let mut x = Scratch::<FewBlocks>::new();
    while !rest.is_empty() {
        let (mut piece, r) = split(rest, 4 * V::<K>::LEN);
        rest = r;
        x[..piece.len()].copy_from_slice(piece.get_in());
        // Hidden, or the compiler would repeat all keys in vectors before the loop and leave them on the stack.
        K::few_blocks(isa, direction, hint::black_box(&keys), piece.len(), &mut x);
        let out = piece.get_out();
        out.copy_from_slice(&x[..out.len()]);
    }
}

/// Runs batches while more than `Sbox::FEW` blocks are left, and returns the rest.
#[inline(always)]
fn batches<'i, 'o, K: Rounds>(
    isa: Isa<K::S>,
    s: &Schedule,
    direction: Direction,
    data: InOut<'i, 'o>,
) -> InOut<'i, 'o> {
    let mut rest = data;
    if rest.len() <= 16 * K::S::FEW {
        return rest;
    }
    let mut room = K::S::room();
    let keys = K::S::one_key(isa, direction, s, &mut room);
    while rest.len() > 16 * K::S::FEW {
        let (mut piece, r) = split(rest, 16 * V::<K>::LEN);
        rest = r;
        let len = piece.len();
        let mut buffer = None;
        let from = if len == 16 * V::<K>::LEN {
            piece.get_in()
        } else {
            let buffer = buffer.insert(Scratch::<[u8; MOST]>::new());
            // Where there is no text, the first key: it is added, and so the compiler spills no key.
            store(&[first_key::<K::S>(isa, direction, s); 16], &mut **buffer);
            buffer[..len].copy_from_slice(piece.get_in());
            &**buffer
        };
        let v = cipher::<K>(isa, direction, s, keys, from);
        if let Some(buffer) = &mut buffer {
            store(&v, &mut **buffer);
            piece.get_out().copy_from_slice(&buffer[..len]);
        } else {
            store(&v, piece.get_out());
        }
    }
    rest
}

/// Blocks of gamma added to the data.
#[inline(always)]
pub(super) fn stream<K: Rounds>(
    isa: Isa<K::S>,
    s: &Schedule,
    ctr: &mut [u8; 16],
    count: Count,
    data: InOut<'_, '_>,
) {
    let mut rest = gamma_batches::<K>(isa, s, ctr, count, data);
    if rest.is_empty() {
        return;
    }
    let mut keys = Scratch::<FewKeys>::new();
    few_keys::<K::S>(isa, Direction::Encrypt, s, &mut keys);
    let mut x = Scratch::<FewBlocks>::new();
    while !rest.is_empty() {
        let (piece, r) = split(rest, 4 * V::<K>::LEN);
        rest = r;
        let len = piece.len();
        counter::fill(ctr, count, x[..len].as_chunks_mut().0);
        K::few_blocks(isa, Direction::Encrypt, &keys, len, &mut x);
        counter::add(piece, x[..len].as_chunks().0);
    }
}

/// Batches of gamma, while more than `FEW_GAMMA` blocks are left; returns the rest.
#[inline(always)]
fn gamma_batches<'i, 'o, K: Rounds>(
    isa: Isa<K::S>,
    s: &Schedule,
    ctr: &mut [u8; 16],
    count: Count,
    data: InOut<'i, 'o>,
) -> InOut<'i, 'o> {
    let len = V::<K>::LEN;
    let mut rest = data;
    if rest.len() <= 16 * K::S::FEW_GAMMA {
        return rest;
    }
    let mut room = K::S::room();
    let keys = K::S::one_key(isa, Direction::Encrypt, s, &mut room);
    let mut window = Scratch::<<K::S as Sbox>::Window>::new();
    K::S::window_key(isa, s, &mut window);
    while rest.len() > 16 * K::S::FEW_GAMMA {
        K::S::window::<K>(isa, s, keys, &mut window, ctr, count, rest.len() / 16);
        let start = Scratch::<[u8; 16]>::of(ctr);
        let mut offset = 0;
        while offset < K::S::WINDOW && rest.len() > 16 * K::S::FEW_GAMMA {
            // Pairs of batches first, so that each is within a window.
            if K::S::TWO && rest.len() >= 32 * len {
                const { assert!(!K::S::TWO || K::S::WINDOW.is_multiple_of(2 * V::<K>::LEN)) };
                let (mut piece, r) = split(rest, 32 * len);
                rest = r;
                let mut v = K::S::first_round(isa, s, keys, &window, &start, count, offset);
                let next = offset + len;
                let mut w = K::S::first_round(isa, s, keys, &window, &start, count, next);
                round::encrypt_two::<K::S>(isa, [&mut v, &mut w], keys, 1..9);
                let gamma = [last::<K::S>(isa, v), last::<K::S>(isa, w)];
                for i in 0..32 {
                    let x = V::<K>::load(isa, &piece.get_in()[len * i..]);
                    x.xor(gamma[i / 16][i % 16]).store(&mut piece.get_out()[len * i..]);
                }
                offset += 2 * len;
                *ctr = counter::advanced(ctr, count, 2 * len as u64);
                continue;
            }
            let (mut piece, r) = split(rest, 16 * len);
            rest = r;
            let mut v = K::S::first_round(isa, s, keys, &window, &start, count, offset);
            K::encrypt(isa, &mut v, keys, 1..9);
            let gamma = last::<K::S>(isa, v);
            let blocks = piece.len() / 16;
            if blocks == len {
                for i in 0..16 {
                    let x = V::<K>::load(isa, &piece.get_in()[len * i..]);
                    x.xor(gamma[i]).store(&mut piece.get_out()[len * i..]);
                }
            } else {
                let mut buffer = Scratch::<[u8; MOST]>::new();
                store(&gamma, &mut *buffer);
                counter::add(piece, &buffer.as_chunks().0[..blocks]);
            }
            offset += len;
            *ctr = counter::advanced(ctr, count, blocks as u64);
        }
    }
    rest
}

/// The blocks of a batch of gamma after its rounds.
#[inline(always)]
pub(super) fn last<S: Sbox>(isa: Isa<S>, mut v: [S::V; 16]) -> [S::V; 16] {
    diagonal::<S>(isa, &mut v, &S::CONSTANTS.d1);
    unsliced(v)
}

/// The keys of few blocks as they are added, in the form of their rounds: K_1, and the key after each L.
pub(super) type FewKeys = [[u8; 16]; 10];

/// Key r of few blocks: K_1..K_10 in encryption; K_1, L^-1(K_2)..L^-1(K_10) in decryption.
#[inline(always)]
pub(super) fn few_key(s: &Schedule, direction: Direction, r: usize) -> &[u8; 16] {
    if direction == Direction::Encrypt || r == 0 { &s.keys[r] } else { &s.inverse[r] }
}

/// The keys of a direction.
#[inline(always)]
pub(super) fn few_keys<S: Sbox>(isa: Isa<S>, direction: Direction, s: &Schedule, to: &mut FewKeys) {
    for (r, to) in to.iter_mut().enumerate() {
        let mut k = S::V::repeat(isa, few_key(s, direction, r));
        if direction == Direction::Decrypt && r > 0 {
            k = k.xor(S::V::splat(isa, S::MOVED));
        }
        S::enter(isa, k).store_one(to);
    }
}

/// The most vectors of [`few`]. (`Sbox::FEW` counts blocks.)
const FEW: usize = 4;

/// Up to four vectors of blocks.
pub(super) type FewBlocks = [u8; 256];

/// `len` bytes of blocks in place; each direction is compiled separately.
#[inline(always)]
pub(super) fn few<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    keys: &FewKeys,
    len: usize,
    x: &mut FewBlocks,
) {
    match direction {
        Direction::Encrypt => few_one_way::<S>(isa, Direction::Encrypt, keys, len, x),
        Direction::Decrypt => few_one_way::<S>(isa, Direction::Decrypt, keys, len, x),
    }
}

#[inline(always)]
fn few_one_way<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    keys: &FewKeys,
    len: usize,
    x: &mut FewBlocks,
) {
    match len.div_ceil(S::V::LEN) {
        _ if len == 16 && S::V::LEN > 16 => {
            let block = x.first_chunk_mut().expect("a block");
            let v = S::enter(isa, S::V::repeat(isa, block));
            let v = cipher_one::<S>(isa, direction, &S::few(isa, direction), keys, v);
            S::leave(isa, v).store_one(block);
        }
        // A constant number keeps the vectors in registers; other numbers are a loop over memory.
        1 => few_vectors::<S, 1>(isa, direction, keys, 1, x),
        2 if S::REGISTERS >= 2 => few_vectors::<S, 2>(isa, direction, keys, 2, x),
        4 if S::REGISTERS >= 4 => few_vectors::<S, 4>(isa, direction, keys, 4, x),
        // Limits that the compiler does not see, or it writes code for no vector, for one, and for more than four.
        n => few_vectors::<S, FEW>(isa, direction, keys, n.clamp(2, FEW), x),
    }
}

/// `n` vectors of at most M.
#[inline(always)]
fn few_vectors<S: Sbox, const M: usize>(
    isa: Isa<S>,
    direction: Direction,
    keys: &FewKeys,
    n: usize,
    x: &mut FewBlocks,
) {
    let mut v = [S::V::splat(isa, 0); M];
    let v = &mut v[..n];
    enter::<S>(isa, x, v);
    cipher_few::<S>(isa, direction, v, FewKeysOf::One(keys));
    leave::<S>(isa, v, x);
}

/// Vectors of blocks to the form of their rounds.
#[inline(always)]
pub(super) fn enter<S: Sbox>(isa: Isa<S>, from: &FewBlocks, v: &mut [S::V]) {
    for (v, from) in v.iter_mut().zip(from.chunks_exact(S::V::LEN)) {
        *v = S::enter(isa, S::V::load(isa, from));
    }
}

/// From the form of the rounds back to vectors of blocks.
#[inline(always)]
pub(super) fn leave<S: Sbox>(isa: Isa<S>, v: &[S::V], to: &mut FewBlocks) {
    for (v, to) in v.iter().zip(to.chunks_exact_mut(S::V::LEN)) {
        S::leave(isa, *v).store(to);
    }
}

/// One key for all blocks, or vectors of keys for each addition.
#[derive(Clone, Copy)]
pub(super) enum FewKeysOf<'a> {
    One(&'a FewKeys),
    Each(&'a [[u8; 256]; 10]),
}

impl FewKeysOf<'_> {
    /// The key that is added to vector g.
    #[inline(always)]
    fn at<V: Vector>(self, isa: V::Isa, r: usize, g: usize) -> V {
        match self {
            FewKeysOf::One(keys) => V::repeat(isa, &keys[r]),
            FewKeysOf::Each(keys) => V::load(isa, &keys[r][V::LEN * g..]),
        }
    }
}

/// Vectors of blocks, in the form of their rounds.
#[inline(always)]
pub(super) fn cipher_few<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    x: &mut [S::V],
    keys: FewKeysOf<'_>,
) {
    let few = S::few(isa, direction);
    match direction {
        Direction::Encrypt => {
            // With a limit that the compiler knows: see `few_one_way`.
            for g in 0..FEW {
                let Some(x) = x.get_mut(g) else { break };
                *x = x.xor(keys.at(isa, 0, g));
            }
            for r in 1..10 {
                for (g, x) in x.iter_mut().enumerate() {
                    let y = S::substitute_few(isa, direction, &few, *x);
                    *x = S::mix(isa, direction, y, keys.at(isa, r, g));
                }
            }
        }
        Direction::Decrypt => {
            for (g, x) in x.iter_mut().enumerate() {
                *x = S::mix(isa, direction, *x, keys.at(isa, 9, g));
            }
            for r in (1..9).rev() {
                for (g, x) in x.iter_mut().enumerate() {
                    let y = S::substitute_few(isa, direction, &few, *x);
                    *x = S::mix(isa, direction, y, keys.at(isa, r, g));
                }
            }
            for (g, x) in x.iter_mut().enumerate() {
                *x = S::substitute_few(isa, direction, &few, *x).xor(keys.at(isa, 0, g));
            }
        }
    }
}

/// A block, repeated in the vector.
#[inline(always)]
pub(super) fn cipher_one<S: Sbox>(
    isa: Isa<S>,
    direction: Direction,
    few: &S::Few,
    keys: &FewKeys,
    x: S::V,
) -> S::V {
    match direction {
        Direction::Encrypt => {
            let mut x = x.xor(S::V::repeat(isa, &keys[0]));
            for key in &keys[1..] {
                let y = S::substitute_one(isa, direction, few, x);
                x = S::mix_one(isa, direction, y, S::V::repeat(isa, key));
            }
            x
        }
        Direction::Decrypt => {
            let mut x = S::mix_one(isa, direction, x, S::V::repeat(isa, &keys[9]));
            for key in keys[1..9].iter().rev() {
                let y = S::substitute_one(isa, direction, few, x);
                x = S::mix_one(isa, direction, y, S::V::repeat(isa, key));
            }
            S::substitute_one(isa, direction, few, x).xor(S::V::repeat(isa, &keys[0]))
        }
    }
}
