//! The gamma of Kuznyechik, batch after batch, by `gamma.s`, which `kuznyechik/assembly.rs` writes.

use core::arch::asm;
use core::mem::{MaybeUninit, offset_of};

use super::Vbmi512;
use crate::InOut;
use crate::cipher::split;
use crate::cipher::{Count, Direction};
use crate::kuznyechik::bytes::Bytes;
use crate::kuznyechik::counter;
use crate::kuznyechik::sliced::{self, BATCH, Gamma};
use crate::kuznyechik::toeplitz::{CONSTANTS, PAGED, Paged};
use crate::memory::{Blank, Scratch};
use crate::simd::Gfni512;

/// A batch under way.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct UnderWay {
    /// What T made in the last round.
    pub(crate) v: [u8; 1024],
    /// S of the counting byte of the next batch, and all ones in the blocks after the carry: see
    /// `sliced::Gamma`.
    pub(crate) counting: [u8; 64],
    pub(crate) carry: [u8; 64],
    /// What does not fit into registers.
    slots: [u8; 64 * 18],
}

impl Blank for UnderWay {
    const BLANK: Self =
        UnderWay { v: [0; 1024], counting: [0; 64], carry: [0; 64], slots: [0; 64 * 18] };
}

/// The same, where no page of `PAGED` has anything.
#[repr(C, align(4096))]
pub(crate) struct Under {
    empty: [MaybeUninit<u8>; 1728],
    pub(crate) batch: Scratch<UnderWay>,
}

const _: () = assert!(size_of::<Under>() == 4096 && offset_of!(UnderWay, carry) == 1088);

impl Under {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Under { empty: [MaybeUninit::uninit(); 1728], batch: Scratch::new() }
    }
}

/// What the next batch is made of: which byte counts, what the others add after the first round and what
/// that changes by, κ of the eight rounds after it.
pub(crate) struct NextBatch<'a> {
    pub(crate) side: usize,
    pub(crate) others: &'a [[u32; 16]; 2],
    pub(crate) kappa: &'a [[u32; 16]; 8],
}

/// Adds the gamma of the batch under way to `data`, and brings the next as far.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn advance(batch: &mut UnderWay, next: &NextBatch<'_>, data: InOut<'_, '_>) {
    assert_eq!(data.len(), 1024);
    let (text, out) = data.into_raw();
    let batch: *mut UnderWay = batch;
    let paged = (&raw const PAGED).cast::<u8>();
    // SAFETY: 1024 bytes are read and written, at one place, or at two that do not overlap, at any address.
    // Of `batch`, from its address on, `v`, `counting` and `carry`, and 18 slots; of `PAGED` all; both are
    // aligned. `kappa` has eight rounds of 16 words, and the rest the shapes that their types say.
    unsafe {
        asm!(
            include_str!("gamma.s"),
            state = in(reg) batch,
            slots = in(reg) &raw mut (*batch).slots,
            tables = in(reg) paged.add(offset_of!(Paged, third)),
            constants = in(reg) paged.add(offset_of!(Paged, leaves)),
            columns = in(reg) PAGED.columns[next.side].as_ptr(),
            others = in(reg) next.others.as_ptr(),
            keys = inout(reg) next.kappa.as_ptr() => _,
            text = in(reg) text,
            out = in(reg) out,
            count = out(reg) _,
            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _,
            out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
            out("zmm12") _, out("zmm13") _, out("zmm14") _, out("zmm15") _, out("zmm16") _,
            out("zmm17") _, out("zmm18") _, out("zmm19") _, out("zmm20") _, out("zmm21") _,
            out("zmm22") _, out("zmm23") _, out("zmm24") _, out("zmm25") _, out("zmm26") _,
            out("zmm27") _, out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            out("k1") _, out("k2") _, out("k3") _, out("k4") _, out("k5") _, out("k6") _, out("k7") _,
            options(att_syntax, nostack),
        );
    }
}

/// Adds the gamma to all whole batches; the rest is left. A function of its own: its frame is aligned to a page.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,avx2,bmi2")]
#[inline(never)]
pub(super) fn run<'i, 'o>(
    isa: Gfni512,
    gamma: &mut Gamma,
    counter: &mut [u8; 16],
    count: Count,
    data: InOut<'i, 'o>,
) -> InOut<'i, 'o> {
    type B = Vbmi512<false>;
    let (_, side) = counter::counting(count);
    let mut start = Scratch::<[u8; 16]>::new();
    let mut offset = counter::WINDOW;
    let mut under = Under::new();
    // Before the first batch there is none under way: what would be its gamma goes nowhere.
    let mut nowhere = [0; 16 * BATCH];
    let (mut piece, mut rest) = (InOut::from(&mut nowhere[..]), data);
    while rest.len() >= 16 * BATCH {
        if offset == counter::WINDOW {
            gamma.window::<B>(isa, counter, count);
            (*start, offset) = (*counter, 0);
        }
        let [y, carry] = gamma.counting::<B>(isa, &start, count, offset);
        y.store(&mut under.batch.counting, 0);
        carry.store(&mut under.batch.carry, 0);
        let Some(kappa) = gamma.words.kappa.last_chunk() else { unreachable!() };
        advance(&mut under.batch, &NextBatch { side, others: &gamma.others, kappa }, piece);
        (piece, rest) = split(rest, 16 * BATCH);
        offset += BATCH;
        *counter = counter::advanced(counter, count, BATCH as u64);
    }
    let mut v = sliced::read::<B>(isa, &under.batch.v);
    sliced::each(&mut v, &CONSTANTS[0].d1);
    let gamma = B::transposed(sliced::ordered(Direction::Encrypt, v));
    for i in 0..16 {
        B::load(isa, piece.get_in(), i).xor(gamma[i]).store(piece.get_out(), i);
    }
    rest
}
