//! Only for this set: the choice of forms (look-ups by quarters or by pairs, 512 bits or 256), ACPKM's chain of keys, and
//! two entries that do other work between the rounds of gamma.
//!
//! A batch of gamma leaves units free, and its eight full rounds have room for a step each ([`Beside`]):
//! - `sections`: CTR-ACPKM's next key and its schedule, chains of few blocks that would wait for their own results;
//! - `products`: MGM's products of the batch before.
#![allow(unsafe_code)]

use super::batch::last;
use super::round::{Beside, Nothing, encrypt_beside, store};
use super::sbox::Sbox;
use super::sbox::vbmi::{KeyWords, Vbmi, Window};
use super::schedule::vectors::{self, NextKey, Pairs};
use super::{Schedule, counter};
use crate::cipher::{Count, Direction, split};
use crate::kernel::NewKey;
use crate::kernel::tuning::{Choice, form, takes};
use crate::memory::{self, Scratch};
use crate::simd::{Bytes512, Gfni512, Polynomials, Polynomials512, Vector, Vpclmul512, prefetch};
use crate::{InOut, Secret, gf};

/// Blocks in a batch.
const BATCH: usize = 64;
/// Full rounds of a batch of gamma.
const ROUNDS: usize = 8;

type V = Bytes512<Gfni512>;
/// Look-ups by pairs: the form for `sections` and `products`.
type S = Vbmi<true>;

/// Returns whether a schedule is made in 256 bits.
pub(super) fn schedule() -> bool {
    takes(const { form(Choice::KuznyechikSchedule, "ymm") })
}
/// Returns whether a single stream, or a single block, goes in 256 bits.
pub(super) fn one() -> bool {
    takes(const { form(Choice::KuznyechikOne, "ymm") })
}
/// Returns whether blocks are looked up by pairs of quarters of the table.
pub(super) fn blocks(bytes: usize) -> bool {
    if bytes == 16 { one() } else { takes(const { form(Choice::KuznyechikBlocks, "pairs") }) }
}
pub(super) fn gamma(bytes: usize) -> bool {
    if bytes == 16 { one() } else { takes(const { form(Choice::KuznyechikGamma, "pairs") }) }
}
pub(super) fn streams(n: usize) -> bool {
    if n == 1 { one() } else { takes(const { form(Choice::KuznyechikStreams, "pairs") }) }
}

enter!(gfni512 =>
    pub(super) fn next_keys(s: &mut Schedule, keys: &mut [[u8; 32]]) {
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        if schedule() {
            return vectors::next_keys::<Vbmi<true>>(isa, s, keys);
        }
        vectors::next_keys::<Vbmi<false>>(isa, s, keys);
    }
);
enter!(gfni512 =>
    pub(super) fn sections(
        s: &mut Schedule,
        counter: &mut [u8; 16],
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        // Only with look-ups by pairs: look-ups by quarters have not been measured, and with them gamma and the keys go
        // in turn.
        if !gamma(data.len()) {
            return 0;
        }
        // SAFETY: a kernel's functions are called only where `available()` is true.
        let isa = unsafe { Gfni512::assume() };
        section_batches(isa, s, counter, section, data)
    }
);
enter!(gfni512 =>
    #[target_feature(enable = "vpclmulqdq")]
    // A function of its own, so that its frame can be written over.
    #[inline(never)]
    fn product_batches(
        s: &Schedule,
        counter: &mut [u8; 16],
        first: &BatchBytes,
        others: &[BatchBytes],
        h: &mut BatchBytes,
    ) -> u128 {
        // SAFETY: this function was entered through detection, of both sets.
        let isa = unsafe { (Gfni512::assume(), Vpclmul512::assume()) };
        let parts = batch_products(isa, s, counter, first, others, h);
        gf::reduce128(parts.parts())
    }
);
enter!(gfni512 =>
    pub(super) fn products(
        s: &Schedule,
        counter: &mut [u8; 16],
        before: &[u8],
        blocks: &[u8],
        sum: &mut [u8; 16],
    ) -> usize {
        const BYTES: usize = size_of::<BatchBytes>();
        // Only with look-ups by pairs: look-ups by quarters have not been measured, and with them rounds and products
        // go in turn. A last block is left.
        let bytes = before.len() + blocks.len();
        let few = bytes <= 2 * BYTES || before.len() > BYTES;
        if !gamma(bytes) || few || !Vpclmul512::available() {
            return 0;
        }
        let bytes = (bytes - 1) / BYTES * BYTES;
        let blocks = &blocks[..bytes - before.len()];
        // Waiting blocks go first, and then the blocks are a little out of step with the batches.
        let (mut first, mut h) = ([0; BYTES], Scratch::<BatchBytes>::new());
        let (waiting, new) = first.split_at_mut(before.len());
        waiting.copy_from_slice(before);
        let (head, others) = blocks.split_at(new.len());
        new.copy_from_slice(head);
        let others = others.as_chunks().0;
        // SAFETY: both sets are there.
        let product = unsafe { product_batches(s, counter, &first, others, &mut h) };
        // Before the frame is written over: a sum kept beyond that would be kept on the stack.
        *sum = (u128::from_be_bytes(*sum) ^ product).to_be_bytes();
        // H_i that the compiler may have left in the frame.
        memory::overwrite_stack::<{ memory::MIDDLE }>();
        blocks.len()
    }
);

/// A key and a window of counters, as gamma needs them.
struct Gamma {
    keys: Scratch<KeyWords>,
    window: Scratch<Window>,
}

impl Gamma {
    #[inline(always)]
    fn new() -> Self {
        Gamma { keys: Scratch::new(), window: Scratch::new() }
    }
    #[inline(always)]
    fn fill(&mut self, isa: Gfni512, s: &Schedule) {
        S::one_key(isa, Direction::Encrypt, s, &mut self.keys);
        S::window_key(isa, s, &mut self.window);
    }
    #[inline(always)]
    fn window(&mut self, isa: Gfni512, s: &Schedule, start: &[u8; 16], count: Count) {
        S::window::<S>(isa, s, &self.keys, &mut self.window, start, count, counter::WINDOW);
    }
    /// The batch whose first counter is number `offset` of the window that begins with `start`, a step of other work
    /// before each of its full rounds.
    #[inline(always)]
    fn batch(
        &self,
        isa: Gfni512,
        s: &Schedule,
        start: &[u8; 16],
        count: Count,
        offset: usize,
        beside: &mut impl Beside,
    ) -> [V; 16] {
        let mut v = S::first_round(isa, s, &self.keys, &self.window, start, count, offset);
        encrypt_beside::<S>(isa, &mut v, &*self.keys, 1..1 + ROUNDS, beside);
        last::<S>(isa, v)
    }
}

/// CTR-ACPKM over whole sections (RFC 8645, section 6.2.2) of whole windows of counters: the next key and its
/// schedule are made during the first three batches of a section. Two sections or more, else nothing is done.
/// Returns the bytes done, and leaves the key of the last section.
#[inline(always)]
fn section_batches(
    isa: Gfni512,
    s: &mut Schedule,
    ctr: &mut [u8; 16],
    section: usize,
    data: InOut<'_, '_>,
) -> usize {
    const BYTES: usize = 16 * counter::WINDOW;
    if !section.is_multiple_of(BYTES) || data.len() / 2 < section {
        return 0;
    }
    let (mut gamma, mut key) = (Gamma::new(), Scratch::<[u8; 32]>::new());
    let mut next = Secret::new(Schedule { keys: [[0; 16]; 10], inverse: [[0; 16]; 10] });
    let (mut rest, mut done) = (data, 0);
    while rest.len() >= section {
        let (mut piece, r) = split(rest, section);
        rest = r;
        gamma.fill(isa, s);
        let mut more = rest.len() >= section;
        while !piece.is_empty() {
            let (mut window, r) = split(piece, BYTES);
            piece = r;
            gamma.window(isa, s, ctr, Count::Whole);
            let start = Scratch::<[u8; 16]>::of(ctr);
            let mut at = 0;
            if more {
                const { assert!(NextKey::<S>::STEPS == ROUNDS) };
                const { assert!(Pairs::<S>::STEPS == 2 * ROUNDS) };
                let mut key_after = NextKey::<S>::new(isa, s);
                add(isa, s, &gamma, &start, 0, &mut window, &mut key_after);
                key_after.finish(&mut key);
                let mut keys = [NewKey { key: &key, schedule: &mut *next }];
                let mut pairs = Pairs::<S>::new(isa, &mut keys);
                for n in 1..3 {
                    add(isa, s, &gamma, &start, n, &mut window, &mut pairs);
                }
                (more, at) = (false, 3);
            }
            for n in at..counter::WINDOW / BATCH {
                add(isa, s, &gamma, &start, n, &mut window, &mut Nothing);
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

/// Bytes from a batch to the lines that are called into the cache meanwhile: the processor, busy with a chain, does not
/// look ahead so far.
const AHEAD: usize = 8192;

/// Adds the gamma of batch `n` of a window.
#[inline(always)]
fn add(
    isa: Gfni512,
    s: &Schedule,
    gamma: &Gamma,
    start: &[u8; 16],
    n: usize,
    window: &mut InOut<'_, '_>,
    beside: &mut impl Beside,
) {
    for i in 0..16 {
        prefetch(window.get_in().as_ptr().wrapping_add(64 * (16 * n + i) + AHEAD));
    }
    let gamma = gamma.batch(isa, s, start, Count::Whole, n * BATCH, beside);
    for i in 0..16 {
        let x = V::load(isa, &window.get_in()[64 * (16 * n + i)..]);
        x.xor(gamma[i]).store(&mut window.get_out()[64 * (16 * n + i)..]);
    }
}

/// The bytes of a batch.
type BatchBytes = [u8; 16 * BATCH];

/// Products of a batch, two vectors during each round.
struct Multiplied<'a> {
    h: &'a BatchBytes,
    blocks: &'a BatchBytes,
    at: usize,
    sum: Polynomials512,
}

impl Beside for Multiplied<'_> {
    #[inline(always)]
    fn step(&mut self) {
        const { assert!(16 * BATCH == 2 * ROUNDS * Polynomials512::LEN) };
        for _ in 0..2 {
            let (h, a) = (&self.h[self.at..], &self.blocks[self.at..]);
            self.sum = self.sum.add_whole(&h[..Polynomials512::LEN], &a[..Polynomials512::LEN]);
            self.at += Polynomials512::LEN;
        }
    }
}

/// MGM's sum (RFC 9058, section 4) of the products of `first` and of the other batches by the encrypted
/// counters, which count in their left half. A batch is multiplied during the rounds of the next. `h`, zeros at first,
/// has the last H_i.
#[inline(always)]
fn batch_products(
    (isa, also): (Gfni512, Vpclmul512),
    s: &Schedule,
    ctr: &mut [u8; 16],
    first: &BatchBytes,
    others: &[BatchBytes],
    h: &mut BatchBytes,
) -> Polynomials512 {
    let mut gamma = Gamma::new();
    gamma.fill(isa, s);
    let mut start = Scratch::<[u8; 16]>::new();
    let mut offset = counter::WINDOW;
    // No batch comes before the first, which multiplies by zeros.
    let (mut last, mut sum) = (first, Polynomials512::zero(also));
    for blocks in core::iter::once(first).chain(others) {
        if offset == counter::WINDOW {
            gamma.window(isa, s, ctr, Count::Left);
            (*start, offset) = (*ctr, 0);
        }
        let mut products = Multiplied { h, blocks: last, at: 0, sum };
        let v = gamma.batch(isa, s, &start, Count::Left, offset, &mut products);
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
