//! Modes on many streams, a lane with a key of its own for each: GOST R 34.13-2015 (ECB, CTR, CFB) and
//! GOST 28147-89 (gamma and MAC, RFC 5830, 6 and 8, with the key meshing of RFC 4357, 2.3.2, each 1024 bytes).
//!
//! A group is up to N streams; lanes without a stream work on zeros. Texts of a group are of one length.

use engine::{Case, Work};

use crate::magma::{DECRYPT, ENCRYPT, Keys, MAC, Many, Word};
use crate::modes::add;

/// A text, and where its tag goes.
pub struct Stream<'a> {
    text: &'a mut [u8],
    /// None in a lane that has no stream.
    tag: Option<&'a mut Vec<u8>>,
}

/// Up to N streams in their lanes: blocks go through the design `many`.
pub struct Lanes<'a, 'b, const N: usize> {
    many: Many<N>,
    keys: &'a Keys<N>,
    ivs: &'a [[u8; 8]; N],
    streams: &'a mut [Stream<'b>],
}

/// A mode over the lanes.
pub type Mode<const N: usize> = fn(Lanes<'_, '_, N>);

/// The work of a case, stream by stream in groups of N.
pub fn work<const N: usize>(
    case: &Case,
    many: Many<N>,
    mode: Mode<N>,
    word: Word,
    iv: usize,
) -> Work {
    let groups: Vec<(Keys<N>, [[u8; 8]; N])> = (0..case.streams.div_ceil(N))
        .map(|group| {
            let stream = |lane: usize| (group * N + lane).min(case.streams - 1);
            let keys = Keys::of_lanes(stream, word);
            let mut ivs = [[0; 8]; N];
            for lane in 0..N {
                ivs[lane][..iv].copy_from_slice(&engine::iv(stream(lane), iv));
            }
            (keys, ivs)
        })
        .collect();
    Box::new(move |input| {
        let mut streams = input.both();
        for (keys, ivs) in &groups {
            // Not a list on the heap: a short call would pay for it.
            let mut lanes: [Stream<'_>; N] = std::array::from_fn(|_| match streams.next() {
                Some((text, tag)) => Stream { text, tag: Some(tag) },
                None => Stream { text: &mut [], tag: None },
            });
            let some = lanes.iter().take_while(|lane| lane.tag.is_some()).count();
            mode(Lanes { many, keys, ivs, streams: &mut lanes[..some] });
        }
    })
}

/// Bytes of one text of the group.
fn size(streams: &[Stream<'_>]) -> usize {
    streams.first().map_or(0, |stream| stream.text.len())
}

/// Block `i` of a text, the last shorter.
#[inline(always)]
fn piece(text: &mut [u8], i: usize) -> &mut [u8] {
    let end = (8 * i + 8).min(text.len());
    &mut text[8 * i..end]
}

pub fn ecb_encrypt<const N: usize>(Lanes { many, keys, streams, .. }: Lanes<'_, '_, N>) {
    ecb(|blocks| many(keys, ENCRYPT, blocks), streams);
}

pub fn ecb_decrypt<const N: usize>(Lanes { many, keys, streams, .. }: Lanes<'_, '_, N>) {
    ecb(|blocks| many(keys, DECRYPT, blocks), streams);
}

#[inline(always)]
fn ecb<const N: usize>(many: impl Fn(&mut [[u8; 8]; N]), streams: &mut [Stream<'_>]) {
    let mut blocks = [[0; 8]; N];
    for i in 0..size(streams) / 8 {
        for (block, stream) in blocks.iter_mut().zip(&mut *streams) {
            *block = stream.text.as_chunks_mut().0[i];
        }
        many(&mut blocks);
        for (block, stream) in blocks.iter().zip(&mut *streams) {
            stream.text.as_chunks_mut().0[i] = *block;
        }
    }
}

pub fn ctr<const N: usize>(Lanes { many, keys, ivs, streams }: Lanes<'_, '_, N>) {
    for i in 0..size(streams).div_ceil(8) {
        let mut blocks = *ivs;
        for block in &mut blocks {
            *block = (u64::from_be_bytes(*block) | u64::from(i as u32)).to_be_bytes();
        }
        many(keys, ENCRYPT, &mut blocks);
        for (block, stream) in blocks.iter().zip(&mut *streams) {
            add(piece(stream.text, i), block);
        }
    }
}

pub fn cfb_encrypt<const N: usize>(Lanes { many, keys, ivs, streams }: Lanes<'_, '_, N>) {
    let mut registers = *ivs;
    for i in 0..size(streams).div_ceil(8) {
        many(keys, ENCRYPT, &mut registers);
        for (register, stream) in registers.iter_mut().zip(&mut *streams) {
            let piece = piece(stream.text, i);
            add(piece, register);
            register[..piece.len()].copy_from_slice(piece);
        }
    }
}

pub fn cfb_decrypt<const N: usize>(Lanes { many, keys, ivs, streams }: Lanes<'_, '_, N>) {
    let mut registers = *ivs;
    for i in 0..size(streams).div_ceil(8) {
        many(keys, ENCRYPT, &mut registers);
        for (register, stream) in registers.iter_mut().zip(&mut *streams) {
            let piece = piece(stream.text, i);
            let gamma = *register;
            register[..piece.len()].copy_from_slice(piece);
            add(piece, &gamma);
        }
    }
}

/// The constant of the key meshing, RFC 4357, 2.3.2.
const C: [u64; 4] =
    [0x2304_c964_2272_0069, 0xc42a_e946_96db_3a8d, 0x1207_ed00_94ac_fe18, 0x2ba9_4cef_c2dc_86c0];

/// The next keys: C decrypted under these.
fn mesh<const N: usize>(many: Many<N>, keys: &mut Keys<N>) {
    let old = keys.clone();
    for (j, c) in C.iter().enumerate() {
        let mut blocks = [c.to_be_bytes(); N];
        many(&old, DECRYPT, &mut blocks);
        for (lane, block) in blocks.iter().enumerate() {
            let x = u64::from_be_bytes(*block);
            (keys.0[2 * j][lane], keys.0[2 * j + 1][lane]) = (x as u32, (x >> 32) as u32);
        }
    }
}

/// Returns whether the keys change before this block.
fn meshes(i: usize) -> bool {
    i > 0 && i.is_multiple_of(1024 / 8)
}

/// Gamma of GOST 28147-89 (RFC 5830, 6): N3 and N4 are advanced, then encrypted.
pub fn cnt<const N: usize>(Lanes { many, keys, ivs, streams }: Lanes<'_, '_, N>) {
    let mut keys = keys.clone();
    let mut counters = ivs.map(reversed);
    many(&keys, ENCRYPT, &mut counters);
    for i in 0..size(streams).div_ceil(8) {
        if meshes(i) {
            mesh(many, &mut keys);
            many(&keys, ENCRYPT, &mut counters);
        }
        for counter in &mut counters {
            *counter = advanced(u64::from_be_bytes(*counter)).to_be_bytes();
        }
        let mut blocks = counters;
        many(&keys, ENCRYPT, &mut blocks);
        for (block, stream) in blocks.iter().zip(&mut *streams) {
            add(piece(stream.text, i), &reversed(*block));
        }
    }
}

/// N3, the low half, plus C2; N4 plus C1 modulo 2^32 - 1.
#[inline(always)]
fn advanced(counter: u64) -> u64 {
    let n3 = (counter as u32).wrapping_add(0x0101_0101);
    let (n4, carry) = ((counter >> 32) as u32).overflowing_add(0x0101_0104);
    u64::from(n4.wrapping_add(u32::from(carry))) << 32 | u64::from(n3)
}

/// A block of GOST 28147-89 as one of Magma, and back.
#[inline(always)]
fn reversed(block: [u8; 8]) -> [u8; 8] {
    u64::from_be_bytes(block).to_le_bytes()
}

/// The MAC of GOST 28147-89 (RFC 5830, 8): zeros fill the last block, and a text of one block gets a second
/// of zeros; the tag is N1.
pub fn imit<const N: usize>(Lanes { many, keys, streams, .. }: Lanes<'_, '_, N>) {
    let mut keys = keys.clone();
    let mut registers = [[0; 8]; N];
    let blocks = match size(streams).div_ceil(8) {
        1 => 2,
        blocks => blocks,
    };
    for i in 0..blocks {
        if meshes(i) {
            mesh(many, &mut keys);
        }
        for (register, stream) in registers.iter_mut().zip(&mut *streams) {
            if let Some(block) = stream.text.as_chunks().0.get(i) {
                let x = u64::from_be_bytes(*register) ^ u64::from_le_bytes(*block);
                *register = x.to_be_bytes();
            } else if let Some(rest) = stream.text.get(8 * i..) {
                let mut block = [0; 8];
                block[..rest.len()].copy_from_slice(rest);
                let x = u64::from_be_bytes(*register) ^ u64::from_le_bytes(block);
                *register = x.to_be_bytes();
            }
        }
        many(&keys, MAC, &mut registers);
        for register in &mut registers {
            *register = u64::from_be_bytes(*register).rotate_left(32).to_be_bytes();
        }
    }
    for (register, stream) in registers.iter().zip(&mut *streams) {
        if let Some(tag) = &mut stream.tag {
            tag.clear();
            tag.extend_from_slice(&reversed(*register)[..4]);
        }
    }
}
