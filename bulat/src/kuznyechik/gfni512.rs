//! Kuznyechik on AVX-512 with VBMI and GFNI: the entries, and which form serves which length.
#![allow(unsafe_code)]

use super::image::ENCRYPT;
use super::scratch::Scratch;
use super::sliced::{BATCH, Gamma, Words};
use super::{Schedule, blocks, consts, counter, sliced};
use crate::InOut;
use crate::kernel::{BlockKernel, Chain, Count, Data, Direction, Lane};
use crate::simd::{Bytes, Bytes512, Gfni512};

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
/// lanes; for a gamma, and for lanes. Measured on Sapphire Rapids.
const FEW: usize = 32;
const FEW_GAMMA: usize = 24;
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

/// Whole vectors.
#[inline(always)]
fn store<const V: usize>(v: &[B; V], to: &mut [u8]) {
    for i in 0..V {
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
    let v = blocks::cipher(isa, direction, images::<G>(isa, x), &blocks::One(isa, keys));
    store_images(&v, x);
}

enter!(gfni512 =>
    fn stream(s: &Schedule, ctr: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        let mut rest = data;
        if rest.len() > 16 * FEW_GAMMA {
            let mut gamma = Scratch::<Gamma>::new();
            gamma.fill::<B>(isa, s);
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
                few(isa, Direction::Encrypt, &keys, len, &mut x);
                counter::add(piece, x[..len].as_chunks().0);
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
    let mut keys = Scratch::<blocks::Keys>::new();
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

/// Where the data of up to N lanes is.
struct Places<const N: usize> {
    from: [*const [u8; 16]; N],
    to: [*mut [u8; 16]; N],
    lanes: usize,
    blocks: usize,
}

impl<const N: usize> Places<N> {
    fn of(lanes: &mut [Lane<'_, Schedule, 16>]) -> Self {
        let blocks = lanes[0].data.len() / 16;
        let mut p = Places {
            from: [core::ptr::null(); N],
            to: [core::ptr::null_mut(); N],
            lanes: lanes.len().min(N),
            blocks,
        };
        for (i, lane) in lanes[..p.lanes].iter_mut().enumerate() {
            // What `gather` and `scatter` rely on.
            assert_eq!(lane.data.len(), 16 * blocks);
            match &mut lane.data {
                Data::Read(data) => p.from[i] = data.as_ptr().cast(),
                Data::Through(data) => {
                    let (from, to) = data.reborrow().into_raw();
                    (p.from[i], p.to[i]) = (from.cast(), to.cast());
                }
            }
        }
        p
    }
    /// Block `i` of each lane.
    ///
    /// # Safety
    /// The lanes' data is still borrowed, as it was for `of`.
    #[inline(always)]
    unsafe fn gather(&self, i: usize, to: &mut [u8]) {
        assert!(i < self.blocks && to.len() >= 16 * self.lanes);
        for n in 0..self.lanes {
            // SAFETY: each lane has `blocks` blocks, and `i` is less; octets have no alignment.
            let block = unsafe { *self.from[n].add(i) };
            to[16 * n..16 * n + 16].copy_from_slice(&block);
        }
    }
    /// Puts block `i` of each lane.
    ///
    /// # Safety
    /// The lanes' data is still borrowed, as it was for `of`, and not read-only.
    #[inline(always)]
    unsafe fn scatter(&self, i: usize, from: &[u8]) {
        assert!(i < self.blocks && from.len() >= 16 * self.lanes);
        for n in 0..self.lanes {
            let block: [u8; 16] = from[16 * n..16 * n + 16].try_into().expect("16 octets");
            // SAFETY: each lane has `blocks` blocks, and `i` is less; octets have no alignment.
            unsafe { *self.to[n].add(i) = block }
        }
    }
}

/// Around the cipher: what goes in from the register z and the block x, and then the output; z is left.
#[inline(always)]
fn before<const V: usize>(chain: Chain, z: &mut [B; V], x: &[B; V]) {
    if matches!(chain, Chain::CbcEncrypt | Chain::Mac) {
        for i in 0..V {
            z[i] = z[i].xor(x[i]);
        }
    }
}

#[inline(always)]
fn after<const V: usize>(chain: Chain, z: &mut [B; V], x: &[B; V]) -> [B; V] {
    let mut y = *z;
    if matches!(chain, Chain::CfbEncrypt | Chain::Ofb) {
        for i in 0..V {
            y[i] = z[i].xor(x[i]);
        }
    }
    if chain == Chain::CfbEncrypt {
        *z = y;
    }
    y
}

/// Up to 4 G lanes, four in a vector.
#[inline(always)]
fn few_lanes<const G: usize>(isa: Gfni512, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let mut keys = Scratch::<[[u8; 256]; 10]>::new();
    for (r, keys) in keys.iter_mut().enumerate() {
        for (lane, key) in lanes.iter().zip(keys.as_chunks_mut().0) {
            *key = *blocks::key(lane.schedule, Direction::Encrypt, r);
        }
        let image = images::<G>(isa, keys);
        store(&image, keys);
    }
    let mut buffer = Scratch::<[u8; 256]>::new();
    for (lane, z) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *z = *lane.state;
    }
    let mut z = images::<G>(isa, &buffer);
    let places = Places::<16>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather(i, &mut *buffer) }
        let x = images::<G>(isa, &buffer);
        before(chain, &mut z, &x);
        z = blocks::cipher(isa, Direction::Encrypt, z, &blocks::Each(isa, &keys));
        let y = after(chain, &mut z, &x);
        if chain != Chain::Mac {
            store_images(&y, &mut buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    store_images(&z, &mut buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}

/// 4 G blocks through φ.
#[inline(always)]
fn images<const G: usize>(isa: Gfni512, from: &[u8; 256]) -> [B; G] {
    let mut v = [B::load(isa, from, 0); G];
    for g in 0..G {
        v[g] = blocks::into(B::load(isa, from, g));
    }
    v
}

/// And back.
#[inline(always)]
fn store_images<const G: usize>(v: &[B; G], to: &mut [u8; 256]) {
    for g in 0..G {
        blocks::out(v[g]).store(to, g);
    }
}

/// Up to 64 lanes, an octet of each in a vector.
#[inline(always)]
fn many_lanes(isa: Gfni512, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let mut buffer = Scratch::<[u8; 16 * BATCH]>::new();
    for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *x = lane.schedule.keys[0];
    }
    let first = sliced(isa, &buffer);
    let mut kappa = Scratch::<[[u8; 16 * BATCH]; 9]>::new();
    for (r, kappa) in kappa.iter_mut().enumerate() {
        for (lane, x) in lanes.iter().zip(kappa.as_chunks_mut().0) {
            let key = sliced::round_key(lane.schedule, Direction::Encrypt, r);
            sliced::scaled(Direction::Encrypt, r, B::repeat(isa, key)).store_one(x);
        }
        store(&sliced(isa, kappa), kappa);
    }
    for (lane, z) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *z = *lane.state;
    }
    let mut z = sliced(isa, &buffer);
    let places = Places::<BATCH>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather(i, &mut *buffer) }
        let x = sliced(isa, &buffer);
        before(chain, &mut z, &x);
        for i in 0..16 {
            z[i] = z[i].xor(first[i]);
        }
        sliced::rounds(Direction::Encrypt, &mut z, &sliced::Each(isa, &kappa));
        let y = after(chain, &mut z, &x);
        if chain != Chain::Mac {
            store(&unsliced(y), &mut *buffer);
            // SAFETY: `lanes` is not used before the loop ends; all but MACs write.
            unsafe { places.scatter(i, &*buffer) }
        }
    }
    store(&unsliced(z), &mut *buffer);
    for (lane, z) in lanes.iter_mut().zip(buffer.as_chunks().0) {
        *lane.state = *z;
    }
}

/// The vectors of 64 blocks, a_0 first.
#[inline(always)]
fn sliced(isa: Gfni512, from: &[u8; 16 * BATCH]) -> [B; 16] {
    sliced::ordered(Direction::Encrypt, B::transposed(sliced::read(isa, from)))
}

/// And back.
#[inline(always)]
fn unsliced(v: [B; 16]) -> [B; 16] {
    B::transposed(sliced::ordered(Direction::Encrypt, v))
}
