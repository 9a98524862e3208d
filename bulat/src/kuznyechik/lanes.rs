//! Chained streams, one in each lane, on any vectors of 64 octets.
#![allow(unsafe_code)]

use super::image::ENCRYPT;
use super::scratch::Scratch;
use super::sliced::BATCH;
use super::vectors::{images, store, store_images};
use super::{Schedule, blocks, sliced};
use crate::kernel::{Chain, Data, Direction, Lane};
use crate::simd::Bytes;

/// Up to so many lanes four of them in a vector are cheaper than 64 with idle ones. Measured on Sapphire
/// Rapids.
const FEW: usize = 32;

/// Runs the lanes.
#[inline(always)]
pub(super) fn run<B: Bytes>(isa: B::Isa, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    for lanes in lanes.chunks_mut(BATCH) {
        if lanes.len() > FEW {
            many_lanes::<B>(isa, chain, lanes);
            continue;
        }
        for lanes in lanes.chunks_mut(16) {
            match lanes {
                [lane] => one_lane::<B>(isa, chain, lane),
                _ if lanes.len() <= 4 => few_lanes::<B, 1>(isa, chain, lanes),
                _ if lanes.len() <= 8 => few_lanes::<B, 2>(isa, chain, lanes),
                _ if lanes.len() <= 12 => few_lanes::<B, 3>(isa, chain, lanes),
                _ => few_lanes::<B, 4>(isa, chain, lanes),
            }
        }
    }
}

/// The low-latency form.
#[inline(always)]
fn one_lane<B: Bytes>(isa: B::Isa, chain: Chain, lane: &mut Lane<'_, Schedule, 16>) {
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
fn before<B: Bytes, const V: usize>(chain: Chain, z: &mut [B; V], x: &[B; V]) {
    if matches!(chain, Chain::CbcEncrypt | Chain::Mac) {
        for i in 0..V {
            z[i] = z[i].xor(x[i]);
        }
    }
}

#[inline(always)]
fn after<B: Bytes, const V: usize>(chain: Chain, z: &mut [B; V], x: &[B; V]) -> [B; V] {
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
fn few_lanes<B: Bytes, const G: usize>(
    isa: B::Isa,
    chain: Chain,
    lanes: &mut [Lane<'_, Schedule, 16>],
) {
    let mut keys = Scratch::<[[u8; 256]; 10]>::new();
    for (r, keys) in keys.iter_mut().enumerate() {
        for (lane, key) in lanes.iter().zip(keys.as_chunks_mut().0) {
            *key = *blocks::key(lane.schedule, Direction::Encrypt, r);
        }
        let image = images::<B, G>(isa, keys);
        store(&image, keys);
    }
    let mut buffer = Scratch::<[u8; 256]>::new();
    for (lane, z) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *z = *lane.state;
    }
    let mut z = images::<B, G>(isa, &buffer);
    let places = Places::<16>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather(i, &mut *buffer) }
        let x = images::<B, G>(isa, &buffer);
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

/// Up to 64 lanes, an octet of each in a vector.
#[inline(always)]
fn many_lanes<B: Bytes>(isa: B::Isa, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
    let mut buffer = Scratch::<[u8; 16 * BATCH]>::new();
    for (lane, x) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *x = lane.schedule.keys[0];
    }
    let first = sliced::<B>(isa, &buffer);
    let mut kappa = Scratch::<[[u8; 16 * BATCH]; 9]>::new();
    for (r, kappa) in kappa.iter_mut().enumerate() {
        for (lane, x) in lanes.iter().zip(kappa.as_chunks_mut().0) {
            let key = sliced::round_key(lane.schedule, Direction::Encrypt, r);
            sliced::scaled(Direction::Encrypt, r, B::repeat(isa, key)).store_one(x);
        }
        store(&sliced::<B>(isa, kappa), kappa);
    }
    for (lane, z) in lanes.iter().zip(buffer.as_chunks_mut().0) {
        *z = *lane.state;
    }
    let mut z = sliced::<B>(isa, &buffer);
    let places = Places::<BATCH>::of(lanes);
    for i in 0..places.blocks {
        // SAFETY: `lanes` is not used before the loop ends.
        unsafe { places.gather(i, &mut *buffer) }
        let x = sliced::<B>(isa, &buffer);
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
fn sliced<B: Bytes>(isa: B::Isa, from: &[u8; 16 * BATCH]) -> [B; 16] {
    sliced::ordered(Direction::Encrypt, B::transposed(sliced::read(isa, from)))
}

/// And back.
#[inline(always)]
fn unsliced<B: Bytes>(v: [B; 16]) -> [B; 16] {
    B::transposed(sliced::ordered(Direction::Encrypt, v))
}
