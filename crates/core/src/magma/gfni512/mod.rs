//! The kernel for AVX-512 with VBMI and GFNI: its entries, and the layout for each call.
//!
//! Whole batches of 512 blocks over a known parameter set go as bit planes (`bitslice`), everything else as words
//! (`round.rs`). Where shuffles have one port, as on Intel, words cannot go below 1.0 cycle per byte (1.04 measured for
//! long calls on a Xeon with AMX), and planes cost 0.78 for CTR of 16 KiB; where they have two, words are the faster ones,
//! and one stream has forms of its own. The tuning table chooses (`kernel/tuning.rs`).
#![allow(unsafe_code)]

pub(super) mod planes;
pub(super) mod rounds_x12;

use planes::Zmm;
use rounds_x12::MgmProducts;

use super::avx512::{self, Circuits};
use super::batch;
use super::bitslice::{self, OneKey};
use super::counter::Counter;
use super::lanes::{self as chains, Lane, Rule};
use super::round::{Word, Words};
use super::sbox::vbmi::{Xmm, Ymm};
use super::schedule::{Order, ParamSet, Schedule, prepare};
use super::sections::{self, SectionKeys};
use crate::cipher::{Chain, Count, Direction, WIDTH};
use crate::kernel::BlockKernel;
use crate::kernel::tuning::{Choice, Form, form, takes};
use crate::simd::{Avx512, Bits, Gfni512, Vpclmul512};
use crate::{InOut, gf, memory};

pub(super) const KERNEL: BlockKernel<Schedule, 8> = BlockKernel {
    name: Gfni512::WORD,
    available: Gfni512::available,
    prepare,
    schedules: None,
    map: Some(map),
    stream: Some(stream),
    lanes: Some(lanes),
    sections: Some(sections),
    products: Some(products),
    next_keys: None,
};

/// The rest after whole batches does not fill one up: words are faster.
const WHOLE: usize = usize::MAX;

/// Bytes of a batch of planes.
const BATCH: usize = 64 * Zmm::BYTES;

type Half<const N: usize> = [[Zmm; 32]; N];

/// Rounds on planes are the functions of `avx512`, which are compiled once: they are given the same planes and keys.
#[inline(always)]
fn planes<const N: usize>(half: &mut Half<N>) -> &mut avx512::Half<N> {
    // SAFETY: the elements of both are a vector of 512 bits and nothing else (`repr(transparent)`).
    unsafe { &mut *core::ptr::from_mut(half).cast() }
}
#[inline(always)]
fn one_key(keys: &OneKey<Gfni512>) -> &OneKey<Avx512> {
    // SAFETY: the same numbers (`repr(C)`) after a token without a size; this set has the features of `avx512`.
    unsafe { &*core::ptr::from_ref(keys).cast() }
}
#[inline(always)]
fn section_keys(keys: &SectionKeys<Gfni512>) -> &SectionKeys<Avx512> {
    // SAFETY: as above.
    unsafe { &*core::ptr::from_ref(keys).cast() }
}

/// Planes, where they are the faster layout for whole batches.
const BLOCKS: Form = form(Choice::MagmaBlocks, "planes");
const GAMMA: Form = form(Choice::MagmaGamma, "planes");
/// A single stream in 128 bits or in 256, else in 512.
const ONE_XMM: Form = form(Choice::MagmaOne, "xmm");
const ONE_YMM: Form = form(Choice::MagmaOne, "ymm");

/// Streams that fill a call: sixteen groups, where shuffles have two ports to fill.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // batches need `alloc`
pub(super) fn width() -> usize {
    if takes(const { form(Choice::MagmaWidth, "256") }) { 256 } else { WIDTH }
}

/// The circuits of the S-boxes, where planes pay for `len` bytes.
fn circuits(s: &Schedule, len: usize, planes: Form) -> Option<Circuits> {
    s.sboxes.known.filter(|_| len >= BATCH && takes(planes)).map(Circuits::of)
}

enter!(gfni512 =>
    unsafe fn map(s: &Schedule, direction: Direction, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        if let Some(circuits) = circuits(s, data.len(), BLOCKS) {
            let two = |[a, b]: [&mut _; 2], n, keys: &_, words| {
                circuits.two([planes(a), planes(b)], n, one_key(keys), words);
            };
            data = bitslice::map(isa, s, direction, data, circuits.pays::<false>(WHOLE, WHOLE), two);
        }
        if data.len() <= 16 {
            if takes(ONE_XMM) {
                return batch::pair::<Xmm>(isa, s, direction, data);
            }
            if takes(ONE_YMM) {
                return batch::pair::<Ymm>(isa, s, direction, data);
            }
        }
        batch::map::<Zmm>(isa, s, direction, data);
    }
);

enter!(gfni512 =>
    unsafe fn stream(s: &Schedule, register: &mut [u8; 8], count: Count, mut data: InOut<'_, '_>) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        if let Some(circuits) = circuits(s, data.len(), GAMMA) {
            let two = |[a, b]: [&mut _; 2], n, keys: &_, words| {
                circuits.two([planes(a), planes(b)], n, one_key(keys), words);
            };
            data = bitslice::stream(isa, s, register, count, data, circuits.pays::<false>(WHOLE, WHOLE), two);
        }
        batch::stream::<Zmm>(isa, s, register, count, data);
    }
);

enter!(gfni512 =>
    unsafe fn lanes(chain: Chain, lanes: &mut [Lane<'_>]) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        let mut rest = lanes;
        while !rest.is_empty() {
            let (some, others) = rest.split_at_mut(chains::alike(rest));
            match some {
                [lane] if takes(ONE_XMM) => chains::one::<Xmm>(isa, Rule::of(chain), lane),
                [lane] if takes(ONE_YMM) => chains::one::<Ymm>(isa, Rule::of(chain), lane),
                _ => chains::lanes::<Zmm>(isa, Rule::of(chain), some),
            }
            rest = others;
        }
    }
);

enter!(gfni512 =>
    // A function, so that its frame can be overwritten: the compiler leaves words of the keys there.
    #[inline(never)]
    unsafe fn section_words(
        s: &mut Schedule,
        register: &mut [u8; 8],
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        // SAFETY: this function was entered through detection.
        sections::words::<Zmm>(unsafe { Gfni512::assume() }, s, register, section, data)
    }
);

enter!(gfni512 =>
    /// Planes have it under the S-boxes of Magma, which CTR-ACPKM belongs to.
    unsafe fn sections(
        s: &mut Schedule,
        register: &mut [u8; 8],
        section: usize,
        data: InOut<'_, '_>,
    ) -> usize {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        if !takes(GAMMA) {
            // SAFETY: as above.
            let done = unsafe { section_words(s, register, section, data) };
            memory::overwrite_stack::<{ memory::MIDDLE }>();
            return done;
        }
        if s.sboxes.known != Some(ParamSet::Tc26Z as u8) {
            return 0;
        }
        sections::stream::<Zmm, Zmm>(isa, isa, s, register, section, data, |a, b, keys, word| {
            // SAFETY: as above.
            unsafe { avx512::section_round(planes(a), planes(b), section_keys(keys), word) }
        })
    }
);

enter!(gfni512 =>
    /// Batches of twelve groups, each multiplied during the rounds of the next; for registers that count in their left
    /// half.
    // A function, so that its frame can be overwritten.
    #[inline(never)]
    unsafe fn product_batches(
        s: &Schedule,
        register: &mut [u8; 8],
        before: &[u8],
        blocks: &[u8],
        sum: &mut Zmm,
    ) {
        // SAFETY: this function was entered through detection.
        let isa = unsafe { Gfni512::assume() };
        let tables = Zmm::tables(isa, s.sboxes.rows());
        // H as numbers: their first byte is the highest.
        let orders = Zmm::orders(isa, s.order != Order::Magma);
        let mut c = Counter::new(*register, Count::Left);
        // The data that waits goes first, and then the blocks are a little out of step with the batches.
        let mut first = [0; rounds_x12::BYTES];
        let (waiting, new) = first.split_at_mut(before.len());
        waiting.copy_from_slice(before);
        let (head, rest) = blocks.split_at(new.len());
        new.copy_from_slice(head);
        let rest = rest.as_chunks().0;
        let mut h = [<Zmm as Word>::splat(isa, 0); rounds_x12::BYTES / 64];
        let mut last = &first;
        // No batch comes before the first, which multiplies by zeros.
        for batch in core::iter::once(&first).chain(rest) {
            let mut x = [(<Zmm as Word>::splat(isa, 0), <Zmm as Word>::splat(isa, 0)); 12];
            batch::values(isa, &c, s.order == Order::Magma, &mut x);
            c.skip(rounds_x12::BYTES as u64 / 8);
            let products = MgmProducts { h: &h, blocks: last, sum };
            // SAFETY: `products` calls this function only where VPCLMULQDQ is.
            unsafe { rounds_x12::and_products(&tables, &mut x, &s.keys, products) };
            // 32 rounds end without the exchange of the halves.
            for (h, (a, b)) in h.as_chunks_mut::<2>().0.iter_mut().zip(x) {
                *h = Zmm::give(isa, (b, a), orders);
            }
            last = batch;
        }
        // SAFETY: as above.
        unsafe { rounds_x12::products(MgmProducts { h: &h, blocks: last, sum }) };
        memory::wipe(&mut h, [<Zmm as Word>::splat(isa, 0); rounds_x12::BYTES / 64]);
        *register = c.register();
    }
);

enter!(gfni512 =>
    unsafe fn products(
        s: &Schedule,
        register: &mut [u8; 8],
        before: &[u8],
        blocks: &[u8],
        sum: &mut [u8; 8],
    ) -> usize {
        // Planes make counters and blocks of their own; and a last block is left.
        let bytes = before.len() + blocks.len();
        let few = bytes <= 2 * rounds_x12::BYTES || before.len() > rounds_x12::BYTES;
        if takes(GAMMA) || few || !Vpclmul512::available() {
            return 0;
        }
        // SAFETY: a kernel's functions are called only where `available()` is true; VPCLMULQDQ was asked for just above.
        unsafe {
            let mut all = <Zmm as Word>::splat(Gfni512::assume(), 0);
            let bytes = (bytes - 1) / rounds_x12::BYTES * rounds_x12::BYTES;
            let blocks = &blocks[..bytes - before.len()];
            product_batches(s, register, before, blocks, &mut all);
            let product = gf::reduce64(all.parts().into_iter().fold(0, |a, b| a ^ b));
            *sum = (u64::from_be_bytes(*sum) ^ product).to_be_bytes();
            memory::wipe(&mut all, <Zmm as Word>::splat(Gfni512::assume(), 0));
            // H_i that the compiler may have left in the frame.
            memory::overwrite_stack::<{ memory::MIDDLE }>();
            blocks.len()
        }
    }
);
