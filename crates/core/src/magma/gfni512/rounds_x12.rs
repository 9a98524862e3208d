//! Magma's rounds for twelve groups of 16 blocks, in registers from first to last: compilers spill five to
//! ten of the 24 halves in every round, which costs 5 to 10 %. The texts are in `crates/core/asm/magma`; their heads list the
//! operands.

use core::arch::asm;
use core::arch::x86_64::*;

use super::planes::{Zmm, ZmmTables};

/// `$name`: rounds under keys of this form, by a text. Four groups more than twelve stay in memory between their rounds.
macro_rules! twelve {
    ($(#[$doc:meta])* $name:ident, $groups:literal, $keys:ty, $text:literal) => {
        $(#[$doc])*
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
        #[inline]
        pub(in crate::magma) fn $name(tables: &ZmmTables, x: &mut [(Zmm, Zmm)], keys: &$keys, forth: usize, n: usize) {
            assert!(x.len() == $groups && n > 0 && n % 2 == 0 && forth % 2 == 0);
            let (x, others) = x.split_first_chunk_mut::<12>().expect("groups");
            let mut rest = [[tables.low; 2]; $groups - 12];
            for (rest, &(a, b)) in rest.iter_mut().zip(others.iter()) {
                *rest = [a, b];
            }
            // SAFETY: `keys` are read at any of eight places, for every group; `rest` has all but the twelve.
            unsafe {
                asm!(
                    include_str!(concat!("../../../asm/magma/", $text)),
                    i = out(reg) _,
                    word = out(reg) _,
                    round = inout(reg) 0_usize => _,
                    forth = in(reg) forth,
                    n = in(reg) n,
                    keys = in(reg) keys.as_ptr(),
                    rest = in(reg) rest.as_mut_ptr(),
                    inout("zmm0") x[0].0.0, inout("zmm12") x[0].1.0,
                    inout("zmm1") x[1].0.0, inout("zmm13") x[1].1.0,
                    inout("zmm2") x[2].0.0, inout("zmm14") x[2].1.0,
                    inout("zmm3") x[3].0.0, inout("zmm15") x[3].1.0,
                    inout("zmm4") x[4].0.0, inout("zmm16") x[4].1.0,
                    inout("zmm5") x[5].0.0, inout("zmm17") x[5].1.0,
                    inout("zmm6") x[6].0.0, inout("zmm18") x[6].1.0,
                    inout("zmm7") x[7].0.0, inout("zmm19") x[7].1.0,
                    inout("zmm8") x[8].0.0, inout("zmm20") x[8].1.0,
                    inout("zmm9") x[9].0.0, inout("zmm21") x[9].1.0,
                    inout("zmm10") x[10].0.0, inout("zmm22") x[10].1.0,
                    inout("zmm11") x[11].0.0, inout("zmm23") x[11].1.0,
                    in("zmm24") tables.low.0, in("zmm25") tables.high.0,
                    in("zmm26") tables.nibble.0, in("zmm27") tables.place.0,
                    out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
                    options(nostack),
                );
            }
            for (other, &[a, b]) in others.iter_mut().zip(&rest) {
                *other = (a, b);
            }
        }
    };
}

twelve!(
    /// Rounds under one key.
    one_key, 12, [u32; 8], "gfni512-one-key.s"
);
twelve!(
    /// Under a key for each block: for every word a row of twelve groups.
    own_keys, 12, [Zmm; 8 * 12], "gfni512-own-keys.s"
);
twelve!(
    /// Under a key for each block of sixteen groups.
    own_keys_and_four, 16, [Zmm; 8 * 16], "gfni512-own-keys-and-four.s"
);

/// Bytes of twelve groups.
pub(crate) const BYTES: usize = 12 * 128;

/// Products without rounds.
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
pub(crate) fn products(products: MgmProducts<'_>) {
    let MgmProducts { h, blocks, sum } = products;
    for (h, block) in h.iter().zip(blocks.as_chunks::<64>().0) {
        // SAFETY: 64 readable bytes each.
        let (a, order) = unsafe {
            (_mm512_loadu_si512(block.as_ptr().cast()), _mm512_loadu_si512(ORDER.0.as_ptr().cast()))
        };
        let a = _mm512_shuffle_epi8(a, order);
        let one = _mm512_clmulepi64_epi128::<0x00>(a, h.0);
        let other = _mm512_clmulepi64_epi128::<0x11>(a, h.0);
        sum.0 = _mm512_ternarylogic_epi64::<0x96>(sum.0, one, other);
    }
}

/// The products during the rounds: of 64-bit words by blocks of which the first byte is the highest.
pub(crate) struct MgmProducts<'a> {
    pub(crate) h: &'a [Zmm; BYTES / 64],
    pub(crate) blocks: &'a [u8; BYTES],
    /// The sum of the products, of 128 bits, in four parts.
    pub(crate) sum: &'a mut Zmm,
}

/// The order of bytes that makes the first byte the highest.
#[repr(align(64))]
struct ByteOrder([u8; 64]);
static ORDER: ByteOrder = {
    let (mut order, mut i) = ([0; 64], 0);
    while i < 64 {
        order[i] = (i as u8 % 16) ^ 7;
        i += 1;
    }
    ByteOrder(order)
};

/// 32 rounds of encryption under one key, and between them as many products as there are blocks.
///
/// # Safety
/// Where VPCLMULQDQ is, in 512 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
pub(crate) unsafe fn and_products(
    tables: &ZmmTables,
    x: &mut [(Zmm, Zmm); 12],
    keys: &[u32; 8],
    products: MgmProducts<'_>,
) {
    // SAFETY: `keys` are read at any of eight places; of h and blocks the 24 times 64 bytes that they have; the sum
    // is a vector, so it is aligned.
    unsafe {
        asm!(
            include_str!("../../../asm/magma/gfni512-products.s"),
            word = out(reg) _,
            round = inout(reg) 0_usize => _,
            keys = in(reg) keys.as_ptr(),
            a = inout(reg) products.blocks.as_ptr() => _,
            h = inout(reg) products.h.as_ptr() => _,
            sum = in(reg) products.sum,
            order = in(reg) &raw const ORDER,
            inout("zmm0") x[0].0.0, inout("zmm12") x[0].1.0,
            inout("zmm1") x[1].0.0, inout("zmm13") x[1].1.0,
            inout("zmm2") x[2].0.0, inout("zmm14") x[2].1.0,
            inout("zmm3") x[3].0.0, inout("zmm15") x[3].1.0,
            inout("zmm4") x[4].0.0, inout("zmm16") x[4].1.0,
            inout("zmm5") x[5].0.0, inout("zmm17") x[5].1.0,
            inout("zmm6") x[6].0.0, inout("zmm18") x[6].1.0,
            inout("zmm7") x[7].0.0, inout("zmm19") x[7].1.0,
            inout("zmm8") x[8].0.0, inout("zmm20") x[8].1.0,
            inout("zmm9") x[9].0.0, inout("zmm21") x[9].1.0,
            inout("zmm10") x[10].0.0, inout("zmm22") x[10].1.0,
            inout("zmm11") x[11].0.0, inout("zmm23") x[11].1.0,
            in("zmm24") tables.low.0, in("zmm25") tables.high.0,
            in("zmm26") tables.nibble.0, in("zmm27") tables.place.0,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            options(nostack),
        );
    }
}
