//! Both layouts on vectors of 64 bytes with look-ups of whole bytes; few blocks in the field of AES
//! (see `image`), batches by `sliced`.

use core::marker::PhantomData;

use super::bytes::{self, Bytes, layer, repeated};
use super::constants::aes::{FROM, ROTATIONS, TO};
use super::layout::{Diagonal, Half, Layout};
use super::schedule::{NextKey, Pairs};
use super::sliced::{self, BATCH, Beside, Gamma, KeyWords, Nothing, ROUNDS};
use super::{Schedule, counter};
use crate::cipher::split;
use crate::cipher::{Count, Direction};
use crate::kernel::NewKey;
use crate::memory::Scratch;
use crate::simd::{Polynomials, prefetch};
use crate::{InOut, Secret};

#[derive(Clone, Copy)]
pub(super) struct VbmiBatch<B>(PhantomData<B>);

impl<B: Bytes> Layout for VbmiBatch<B> {
    type Isa = B::Isa;
    type V = B;
    const LEN: usize = 64;
    // Measured on Intel 0x06/0xa7, and on Zen 5, where a batch takes what 17 to 20 blocks do by themselves.
    const FEW: usize = if B::PAIRS { 16 } else { 32 };
    const FEW_GAMMA: usize = if B::PAIRS { 16 } else { 24 };
    const FEW_LANES: usize = 32;
    const TOGETHER: bool = true;

    #[inline(always)]
    fn load(isa: B::Isa, octets: &[u8], i: usize) -> B {
        B::load(isa, octets, i)
    }
    #[inline(always)]
    fn store(v: B, octets: &mut [u8], i: usize) {
        v.store(octets, i);
    }
    #[inline(always)]
    fn gather(isa: B::Isa, blocks: [&[u8; 16]; 4]) -> B {
        B::gather(isa, blocks)
    }
    #[inline(always)]
    fn repeat(isa: B::Isa, block: &[u8; 16]) -> B {
        B::repeat(isa, block)
    }
    #[inline(always)]
    fn splat(isa: B::Isa, octet: u8) -> B {
        B::octet(isa, octet)
    }
    #[inline(always)]
    fn store_one(v: B, block: &mut [u8; 16]) {
        v.store_one(block);
    }
    #[inline(always)]
    fn xor(a: B, b: B) -> B {
        a.xor(b)
    }

    type Sbox = [B; 4];
    const MOVED: u8 = 0;
    #[inline(always)]
    fn sbox(isa: B::Isa, direction: Direction) -> [B; 4] {
        bytes::sbox(isa, direction)
    }
    #[inline(always)]
    fn enter(_: B::Isa, v: B) -> B {
        v.affine(&TO)
    }
    #[inline(always)]
    fn leave(_: B::Isa, v: B) -> B {
        v.affine(&FROM)
    }
    #[inline(always)]
    fn substituted(_: B::Isa, _: Direction, sbox: &[B; 4], v: B) -> B {
        v.substituted(sbox)
    }
    #[inline(always)]
    fn mixed(_: B::Isa, direction: Direction, x: B, e: B) -> B {
        let layer = layer::<B>(direction);
        macro_rules! term {
            ($d:literal) => {
                x.rotated::<$d>().times(&layer.by[$d])
            };
        }
        let a = e.xor3(x.times(&layer.by[0]), term!(1));
        let b = term!(2).xor3(term!(3), term!(4));
        let a = a.xor3(term!(5), term!(6));
        let b = b.xor3(term!(7), term!(8));
        let a = a.xor3(term!(9), term!(10));
        let b = b.xor3(term!(11), term!(12));
        let a = a.xor3(term!(13), term!(14));
        a.xor3(b, term!(15))
    }
    #[inline(always)]
    fn substituted_one(_: B::Isa, _: Direction, sbox: &[B; 4], v: B) -> B {
        if B::PAIRS { v.substituted_half(sbox) } else { v.substituted(sbox) }
    }
    #[inline(always)]
    fn mixed_one(_: B::Isa, direction: Direction, x: B, e: B) -> B {
        if B::PAIRS {
            return x.mixed_half(B::fresh(&ROTATIONS), &layer::<B>(direction).split, e);
        }
        repeated(direction, x, e)
    }

    #[inline(always)]
    fn map<'i, 'o>(
        isa: B::Isa,
        s: &Schedule,
        direction: Direction,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let mut rest = data;
        if rest.len() > 16 * Self::FEW {
            let mut words: Scratch<KeyWords> = Scratch::new();
            sliced::words::<B>(isa, direction, s, &mut words);
            while rest.len() > 16 * Self::FEW {
                let (mut piece, r) = split(rest, 16 * BATCH);
                rest = r;
                if let Ok(from) = piece.get_in().try_into() {
                    let v = sliced::cipher::<B>(isa, direction, s, &words, from);
                    store(&v, piece.get_out());
                } else {
                    let mut buffer = Scratch::<[u8; 16 * BATCH]>::new();
                    // Where there is no text, the first key: it is added, and what the compiler spills
                    // then is no key.
                    store(&[sliced::first_key::<B>(isa, direction, s); 16], &mut *buffer);
                    buffer[..piece.len()].copy_from_slice(piece.get_in());
                    let v = sliced::cipher::<B>(isa, direction, s, &words, &buffer);
                    store(&v, &mut *buffer);
                    let out = piece.get_out();
                    out.copy_from_slice(&buffer[..out.len()]);
                }
            }
        }
        rest
    }

    #[inline(always)]
    fn stream<'i, 'o>(
        isa: B::Isa,
        s: &Schedule,
        ctr: &mut [u8; 16],
        count: Count,
        data: InOut<'i, 'o>,
    ) -> InOut<'i, 'o> {
        let mut rest = data;
        if rest.len() > 16 * Self::FEW_GAMMA {
            let mut gamma = Scratch::<Gamma>::new();
            gamma.fill::<B>(isa, s);
            while rest.len() > 16 * Self::FEW_GAMMA {
                gamma.window::<B>(isa, ctr, count);
                let start = Scratch::<[u8; 16]>::of(ctr);
                let mut offset = 0;
                while offset < counter::WINDOW && rest.len() > 16 * Self::FEW_GAMMA {
                    // Pairs of batches first, so that each stands within a window. Where look-ups are in pairs
                    // of parts, one batch keeps the units as busy, with less that is spilled.
                    if !B::PAIRS && rest.len() >= 32 * BATCH {
                        const { assert!(counter::WINDOW.is_multiple_of(2 * BATCH)) };
                        let (mut piece, r) = split(rest, 32 * BATCH);
                        rest = r;
                        let gamma = gamma.batches::<B>(isa, &start, count, offset);
                        for i in 0..32 {
                            let x = B::load(isa, piece.get_in(), i);
                            x.xor(gamma[i / 16][i % 16]).store(piece.get_out(), i);
                        }
                        offset += 2 * BATCH;
                        *ctr = counter::advanced(ctr, count, 2 * BATCH as u64);
                        continue;
                    }
                    let (mut piece, r) = split(rest, 16 * BATCH);
                    rest = r;
                    let gamma = gamma.batch::<B>(isa, &start, count, offset, &mut Nothing);
                    let blocks = piece.len() / 16;
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
                    offset += BATCH;
                    *ctr = counter::advanced(ctr, count, blocks as u64);
                }
            }
        }
        rest
    }

    type Kappa = [[u8; 16 * BATCH]; 9];
    #[inline(always)]
    fn kappa(isa: B::Isa, kappa: &mut Self::Kappa, r: usize, mut keys: [B; 16]) {
        for i in 0..16 {
            keys[i] = sliced::scaled(Direction::Encrypt, r, keys[i]);
        }
        store(&Self::sliced(isa, keys), &mut kappa[r]);
    }
    #[inline(always)]
    fn sliced(_: B::Isa, v: [B; 16]) -> [B; 16] {
        sliced::ordered(Direction::Encrypt, B::transposed(v))
    }
    #[inline(always)]
    fn unsliced(_: B::Isa, v: [B; 16]) -> [B; 16] {
        B::transposed(sliced::ordered(Direction::Encrypt, v))
    }
    #[inline(always)]
    fn rounds(isa: B::Isa, kappa: &Self::Kappa, v: &mut [B; 16]) {
        sliced::rounds(Direction::Encrypt, v, &sliced::KeyPerBlock(isa, kappa));
    }
    #[inline(always)]
    fn expand(isa: B::Isa, half: &mut Half, mixed: &mut Half, octet: Option<u8>) {
        sliced::expand::<B>(isa, half, mixed, octet);
    }
    #[inline(always)]
    fn scaled(_: B::Isa, by: Diagonal, v: [B; 16]) -> [B; 16] {
        sliced::diagonal(by, v)
    }
}

/// CTR-ACPKM over whole sections (RFC 8645, section 6.2.2) of whole windows of counters: the next key and its
/// schedule are made beside the first three batches of a section. Two sections or more, else nothing is done.
/// Returns the bytes done, and leaves the key of the last section.
#[inline(always)]
pub(super) fn sections<B: Bytes>(
    isa: B::Isa,
    s: &mut Schedule,
    ctr: &mut [u8; 16],
    section: usize,
    data: InOut<'_, '_>,
) -> usize {
    const OCTETS: usize = 16 * counter::WINDOW;
    if !section.is_multiple_of(OCTETS) || data.len() / 2 < section {
        return 0;
    }
    let (mut gamma, mut key) = (Scratch::<Gamma>::new(), Scratch::<[u8; 32]>::new());
    let mut next = Secret::new(Schedule { keys: [[0; 16]; 10], inverse: [[0; 16]; 10] });
    let (mut rest, mut done) = (data, 0);
    while rest.len() >= section {
        let (mut piece, r) = split(rest, section);
        rest = r;
        gamma.fill::<B>(isa, s);
        let mut more = rest.len() >= section;
        while !piece.is_empty() {
            let (mut window, r) = split(piece, OCTETS);
            piece = r;
            gamma.window::<B>(isa, ctr, Count::Whole);
            let start = Scratch::<[u8; 16]>::of(ctr);
            let mut at = 0;
            if more {
                const { assert!(NextKey::<VbmiBatch<B>>::STEPS == ROUNDS) };
                const { assert!(Pairs::<VbmiBatch<B>>::STEPS == 2 * ROUNDS) };
                let mut key_after = NextKey::<VbmiBatch<B>>::new(isa, s);
                add::<B>(isa, &gamma, &start, 0, &mut window, &mut key_after);
                key_after.finish(&mut key);
                let mut keys = [NewKey { key: &key, schedule: &mut *next }];
                let mut pairs = Pairs::<VbmiBatch<B>>::new(isa, &mut keys);
                for n in 1..3 {
                    add::<B>(isa, &gamma, &start, n, &mut window, &mut pairs);
                }
                (more, at) = (false, 3);
            }
            for n in at..counter::WINDOW / BATCH {
                add::<B>(isa, &gamma, &start, n, &mut window, &mut Nothing);
            }
            *ctr = counter::advanced(ctr, Count::Whole, counter::WINDOW as u64);
        }
        if rest.len() >= section {
            (s.keys, s.inverse) = (next.keys, next.inverse);
        }
        done += section;
    }
    done
}

/// Bytes from a batch to what is called into the cache beside it: the processor, busy with a chain, does not come
/// to ask for what is next by itself.
const AHEAD: usize = 8192;

/// Adds the gamma of batch `n` of a window.
#[inline(always)]
fn add<B: Bytes>(
    isa: B::Isa,
    gamma: &Gamma,
    start: &[u8; 16],
    n: usize,
    window: &mut InOut<'_, '_>,
    beside: &mut impl Beside,
) {
    for i in 0..16 {
        prefetch(window.get_in().as_ptr().wrapping_add(64 * (16 * n + i) + AHEAD));
    }
    let gamma = gamma.batch::<B>(isa, start, Count::Whole, n * BATCH, beside);
    for i in 0..16 {
        let x = B::load(isa, window.get_in(), 16 * n + i);
        x.xor(gamma[i]).store(window.get_out(), 16 * n + i);
    }
}

/// The bytes of a batch.
pub(super) type BatchBytes = [u8; 16 * BATCH];

/// Products of a batch, two vectors beside each round.
struct Multiplied<'a, P: Polynomials> {
    h: &'a BatchBytes,
    blocks: &'a BatchBytes,
    at: usize,
    sum: P,
}

impl<P: Polynomials> Beside for Multiplied<'_, P> {
    #[inline(always)]
    fn step(&mut self) {
        const { assert!(16 * BATCH == 2 * ROUNDS * P::LEN) };
        for _ in 0..2 {
            let (h, a) = (&self.h[self.at..], &self.blocks[self.at..]);
            self.sum = self.sum.add_whole(&h[..P::LEN], &a[..P::LEN]);
            self.at += P::LEN;
        }
    }
}

/// MGM's sum (RFC 9058, section 4) of the products of `first` and of the other batches by what the counter, whose
/// left half counts, is encrypted to: of each beside the rounds of the next. In `h`, zeros at first, are the last H_i.
#[inline(always)]
pub(super) fn products<B: Bytes, P: Polynomials>(
    (isa, also): (B::Isa, P::Isa),
    s: &Schedule,
    ctr: &mut [u8; 16],
    first: &BatchBytes,
    others: &[BatchBytes],
    h: &mut BatchBytes,
) -> P {
    let mut gamma = Scratch::<Gamma>::new();
    gamma.fill::<B>(isa, s);
    let mut start = Scratch::<[u8; 16]>::new();
    let mut offset = counter::WINDOW;
    // The first batch has none before it, and multiplies by zeros.
    let (mut last, mut sum) = (first, P::zero(also));
    for blocks in core::iter::once(first).chain(others) {
        if offset == counter::WINDOW {
            gamma.window::<B>(isa, ctr, Count::Left);
            (*start, offset) = (*ctr, 0);
        }
        let mut products = Multiplied { h, blocks: last, at: 0, sum };
        let v = gamma.batch::<B>(isa, &start, Count::Left, offset, &mut products);
        sum = products.sum;
        store(&v, h);
        last = blocks;
        offset += BATCH;
        *ctr = counter::advanced(ctr, Count::Left, BATCH as u64);
    }
    let mut products = Multiplied { h, blocks: last, at: 0, sum };
    for _ in 0..ROUNDS {
        products.step();
    }
    products.sum
}

/// Whole vectors.
#[inline(always)]
fn store<B: Bytes>(v: &[B; 16], to: &mut [u8]) {
    for i in 0..16 {
        v[i].store(to, i);
    }
}
