//! Kuznyechik on AVX-512 with VBMI and GFNI: the entries, and which form serves which length.
#![allow(unsafe_code)]

use super::image::ENCRYPT;
use super::sliced::{BATCH, Gamma, Words};
use super::{Schedule, blocks, chain, consts, counter, sliced};
use crate::kernel::{BlockKernel, Chain, Count, Data, Direction, Lane};
use crate::simd::{Bytes, Bytes512, Gfni512};
use crate::{InOut, Secret};

pub(super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
    name: Gfni512::WORD,
    available: Gfni512::available,
    prepare,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
};

type B = Bytes512;

/// Up to so many blocks the form with four blocks in a vector is cheaper than a batch of 64 with idle
/// lanes.
const FEW: usize = 24;
/// The same for lanes.
const FEW_LANES: usize = 32;

enter!(gfni512 =>
    fn prepare(key: &[u8; 32], s: &mut Schedule) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
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
);

/// Two round keys, through φ.
#[inline(always)]
fn put(s: &mut Schedule, r: usize, k: [B; 2]) {
    for i in 0..2 {
        let inverse = blocks::mixed_one(blocks::layer(Direction::Decrypt), k[i], k[i].xor(k[i]));
        blocks::out(k[i]).store_one(&mut s.keys[r + i]);
        blocks::out(inverse).store_one(&mut s.inverse[r + i]);
    }
}

enter!(gfni512 =>
    fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        match direction {
            Direction::Encrypt => map_to(isa, s, Direction::Encrypt, data),
            Direction::Decrypt => map_to(isa, s, Direction::Decrypt, data),
        }
    }
);

#[inline(always)]
fn map_to(isa: Gfni512, s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
    let mut rest = data;
    if rest.len() > 16 * FEW {
        let mut kappa: Secret<Words> = Secret::new([[0; 16]; 9]);
        sliced::words::<B>(isa, direction, s, &mut kappa);
        while rest.len() > 16 * FEW {
            let (mut piece, r) = split(rest, 16 * BATCH);
            rest = r;
            if let Ok(from) = piece.get_in().try_into() {
                let v = sliced::cipher::<B>(isa, direction, s, &kappa, from);
                store(&v, piece.get_out());
            } else {
                let mut buffer = Secret::new([0; 16 * BATCH]);
                buffer[..piece.len()].copy_from_slice(piece.get_in());
                let v = sliced::cipher::<B>(isa, direction, s, &kappa, &buffer);
                store(&v, &mut *buffer);
                let out = piece.get_out();
                out.copy_from_slice(&buffer[..out.len()]);
            }
        }
    }
    if !rest.is_empty() {
        let mut keys = Secret::new([[0; 16]; 10]);
        blocks::keys::<B>(isa, direction, s, &mut keys);
        let mut x = Secret::new([0; 256]);
        while !rest.is_empty() {
            let (mut piece, r) = split(rest, 256);
            rest = r;
            x[..piece.len()].copy_from_slice(piece.get_in());
            few(isa, direction, &keys, piece.len(), &mut x);
            let out = piece.get_out();
            out.copy_from_slice(&x[..out.len()]);
        }
    }
}

/// Up to `len` octets, and the rest.
#[inline(always)]
fn split<'i, 'o>(data: InOut<'i, 'o>, len: usize) -> (InOut<'i, 'o>, InOut<'i, 'o>) {
    let len = len.min(data.len());
    data.split_at(len)
}

/// Sixteen vectors.
#[inline(always)]
fn store(v: &[B; 16], to: &mut [u8]) {
    for i in 0..16 {
        v[i].store(to, i);
    }
}

/// Up to 16 blocks in place.
#[inline(always)]
fn few(isa: Gfni512, direction: Direction, keys: &blocks::Keys, len: usize, x: &mut [u8; 256]) {
    match len.div_ceil(64) {
        1 => vectors::<1>(isa, direction, keys, x),
        2 => vectors::<2>(isa, direction, keys, x),
        3 => vectors::<3>(isa, direction, keys, x),
        _ => vectors::<4>(isa, direction, keys, x),
    }
}

#[inline(always)]
fn vectors<const G: usize>(
    isa: Gfni512,
    direction: Direction,
    keys: &blocks::Keys,
    x: &mut [u8; 256],
) {
    let mut v = [B::load(isa, x, 0); G];
    for g in 0..G {
        v[g] = blocks::into(B::load(isa, x, g));
    }
    let v = blocks::cipher(isa, direction, v, &blocks::One(isa, keys));
    for g in 0..G {
        blocks::out(v[g]).store(x, g);
    }
}

enter!(gfni512 =>
    fn stream(s: &Schedule, ctr: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        let mut rest = data;
        if rest.len() > 16 * FEW {
            let mut gamma = Secret::new(Gamma::NONE);
            gamma.fill::<B>(isa, s);
            while rest.len() > 16 * FEW {
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
                    let mut buffer = Secret::new([0; 16 * BATCH]);
                    store(&gamma, &mut *buffer);
                    piece.xor_in2out(&buffer[..16 * blocks]);
                }
            }
        }
        if !rest.is_empty() {
            let mut keys = Secret::new([[0; 16]; 10]);
            blocks::keys::<B>(isa, Direction::Encrypt, s, &mut keys);
            let mut x = Secret::new([0; 256]);
            while !rest.is_empty() {
                let (mut piece, r) = split(rest, 256);
                rest = r;
                for x in x[..piece.len()].as_chunks_mut().0 {
                    *x = *ctr;
                    *ctr = counter::advanced(ctr, count, 1);
                }
                few(isa, Direction::Encrypt, &keys, piece.len(), &mut x);
                piece.xor_in2out(&x[..piece.len()]);
            }
        }
    }
);

enter!(gfni512 =>
    fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        for lanes in lanes.chunks_mut(BATCH) {
            if lanes.len() > FEW_LANES {
                many_lanes(isa, chain, lanes);
                continue;
            }
            for lanes in lanes.chunks_mut(16) {
                match lanes {
                    [lane] => one_lane(isa, chain, lane),
                    _ if lanes.len() <= 4 => few_lanes::<1>(isa, chain, lanes),
                    _ if lanes.len() <= 8 => few_lanes::<2>(isa, chain, lanes),
                    _ if lanes.len() <= 12 => few_lanes::<3>(isa, chain, lanes),
                    _ => few_lanes::<4>(isa, chain, lanes),
                }
            }
        }
    }
);

/// The low-latency form.
#[inline(always)]
fn one_lane(isa: Gfni512, chain: Chain, lane: &mut Lane<'_, Schedule, 16>) {
    let mut keys = Secret::new([[0; 16]; 10]);
    blocks::keys::<B>(isa, Direction::Encrypt, lane.schedule, &mut keys);
    let sbox = blocks::sbox::<B>(isa, &ENCRYPT);
    let mut z = blocks::into(B::repeat(isa, lane.state));
    match &mut lane.data {
        Data::Read(data) => {
            for x in data.as_chunks().0 {
                let x = blocks::into(B::repeat(isa, x));
                z = blocks::cipher_one(isa, &sbox, &keys, z.xor(x));
            }
        }
        Data::Through(data) => {
            for i in 0..data.len() / 16 {
                let x = blocks::into(B::repeat(isa, &data.get_in().as_chunks().0[i]));
                if chain == Chain::CbcEncrypt {
                    z = z.xor(x);
                }
                z = blocks::cipher_one(isa, &sbox, &keys, z);
                let mut y = z;
                if chain != Chain::CbcEncrypt {
                    y = y.xor(x);
                }
                if chain == Chain::CfbEncrypt {
                    z = y;
                }
                blocks::out(y).store_one(&mut data.get_out().as_chunks_mut().0[i]);
            }
        }
    }
    blocks::out(z).store_one(lane.state);
}

/// Up to 4 G lanes, four in a vector.
#[inline(always)]
fn few_lanes<const G: usize>(isa: Gfni512, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let mut keys = Secret::new([[0u8; 256]; 10]);
    for (r, keys) in keys.iter_mut().enumerate() {
        for (lane, key) in lanes.iter().zip(keys.as_chunks_mut().0) {
            *key = *blocks::key(lane.schedule, Direction::Encrypt, r);
        }
        for g in 0..G {
            blocks::into(B::load(isa, keys, g)).store(keys, g);
        }
    }
    let mut buffer = Secret::new([0; 256]);
    for i in 0..lanes[0].data.len() / 16 {
        for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut().0) {
            *x = chain::before(chain, lane, i);
        }
        let mut v = [B::load(isa, &*buffer, 0); G];
        for g in 0..G {
            v[g] = blocks::into(B::load(isa, &*buffer, g));
        }
        let v = blocks::cipher(isa, Direction::Encrypt, v, &blocks::Each(isa, &keys));
        for g in 0..G {
            blocks::out(v[g]).store(&mut *buffer, g);
        }
        for (lane, y) in lanes.iter_mut().zip(buffer.as_chunks().0) {
            chain::after(chain, lane, i, y);
        }
    }
}

/// Up to 64 lanes, an octet of each in a vector.
#[inline(always)]
fn many_lanes(isa: Gfni512, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let mut buffer = Secret::new([0; 16 * BATCH]);
    let mut first = Secret::new([0; 16 * BATCH]);
    for (lane, x) in lanes.iter().zip(first.as_chunks_mut().0) {
        *x = lane.schedule.keys[0];
    }
    let mut kappa = Secret::new([[0; 16 * BATCH]; 9]);
    for (r, kappa) in kappa.iter_mut().enumerate() {
        for (lane, x) in lanes.iter().zip(kappa.as_chunks_mut().0) {
            let key = sliced::round_key(lane.schedule, Direction::Encrypt, r);
            sliced::scaled(Direction::Encrypt, r, B::repeat(isa, key)).store_one(x);
        }
        store(&sliced(isa, kappa), kappa);
    }
    for i in 0..lanes[0].data.len() / 16 {
        for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut().0) {
            *x = chain::before(chain, lane, i);
        }
        let mut v = sliced::read::<B>(isa, &buffer);
        for (i, v) in v.iter_mut().enumerate() {
            *v = v.xor(B::load(isa, &*first, i));
        }
        let mut v = sliced::ordered(Direction::Encrypt, B::transposed(v));
        sliced::rounds(Direction::Encrypt, &mut v, &sliced::Each(isa, &kappa));
        store(&B::transposed(sliced::ordered(Direction::Encrypt, v)), &mut *buffer);
        for (lane, y) in lanes.iter_mut().zip(buffer.as_chunks().0) {
            chain::after(chain, lane, i, y);
        }
    }
}

/// The vectors of 64 blocks, a_0 first.
#[inline(always)]
fn sliced(isa: Gfni512, from: &[u8; 16 * BATCH]) -> [B; 16] {
    sliced::ordered(Direction::Encrypt, B::transposed(sliced::read(isa, from)))
}
