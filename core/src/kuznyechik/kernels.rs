//! The entries of the kernels on vectors that look up by nibbles, one module for each instruction set.
#![allow(unsafe_code)]

use core::ops::Range;

use super::bulk::Bulk;
use super::layout::Half;
use super::round::{
    self, Arithmetic, Compiled, FirstTables, Kappa, KappaPerBlock, OneKeyTables, V, decrypt,
    encrypt,
};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::sbox::gfni::Products;
use super::sbox::nibbles::Logs;
use super::{Schedule, batch, lanes, schedule};
use crate::InOut;
use crate::cipher::{Chain, Count, Direction, Lane};
use crate::kernel::{BlockKernel, NewKey};
use crate::simd;

/// Declares a set's kernel: its word, its token and its vectors, which do products by GFNI, if they are a [`simd::Field`],
/// else by logarithms.
macro_rules! kernel {
    (#[$cfg:meta] $word:ident, $token:ident, $octets:ident + Field) => {
        kernel!(#[$cfg] $word, $token, $octets, Products);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $octets:ident) => {
        kernel!(#[$cfg] $word, $token, $octets, Logs);
    };
    (#[$cfg:meta] $word:ident, $token:ident, $octets:ident, $arithmetic:ident) => {
        #[$cfg]
        pub(super) mod $word {
            use super::*;
            use simd::$token;

            #[derive(Clone, Copy)]
            struct Set;
            type Vectors = [V<Set>; 16];

            impl Compiled for Set {
                type A = $arithmetic<simd::$octets<$token>>;
                #[inline(always)]
                fn encrypt(_: $token, v: &mut Vectors, tables: &FirstTables, rounds: Range<usize>) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { encrypt_one(v, tables, rounds) }
                }
                #[inline(always)]
                fn decrypt(_: $token, v: &mut Vectors, tables: &FirstTables) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { decrypt_one(v, tables) }
                }
                #[inline(always)]
                fn encrypt_each(_: $token, v: &mut Vectors, kappa: &Kappa) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { encrypt_each(v, kappa) }
                }
                #[inline(always)]
                fn expand(_: $token, half: &mut Half, mixed: &mut Half, octet: Option<u8>) {
                    // SAFETY: the token proves the instruction set.
                    unsafe { expand_one(half, mixed, octet) }
                }
            }

            enter!($word =>
                #[inline(never)]
                fn encrypt_one(v: &mut Vectors, tables: &FirstTables, rounds: Range<usize>) {
                    // SAFETY: called with the token alone.
                    let isa = unsafe { $token::assume() };
                    if !<Set as Compiled>::A::assembled(Direction::Encrypt, v, tables, rounds.clone()) {
                        encrypt::<<Set as Compiled>::A>(isa, v, &OneKeyTables(isa, tables), rounds);
                    }
                }
            );
            enter!($word =>
                #[inline(never)]
                fn decrypt_one(v: &mut Vectors, tables: &FirstTables) {
                    // SAFETY: called with the token alone.
                    let isa = unsafe { $token::assume() };
                    if !<Set as Compiled>::A::assembled(Direction::Decrypt, v, tables, 0..9) {
                        decrypt::<<Set as Compiled>::A>(isa, v, &OneKeyTables(isa, tables));
                    }
                }
            );
            enter!($word =>
                #[inline(never)]
                fn encrypt_each(v: &mut Vectors, kappa: &Kappa) {
                    // SAFETY: called with the token alone.
                    let isa = unsafe { $token::assume() };
                    encrypt::<<Set as Compiled>::A>(isa, v, &KappaPerBlock(isa, kappa), 0..9);
                }
            );
            enter!($word =>
                #[inline(never)]
                fn expand_one(half: &mut Half, mixed: &mut Half, octet: Option<u8>) {
                    // SAFETY: called with the token alone.
                    let isa = unsafe { $token::assume() };
                    round::expand::<<Set as Compiled>::A>(isa, half, mixed, octet);
                }
            );
            entries!($word, $token, Bulk<Set>);
        }
    };
}

/// Declares the list's entry, over both layouts; over others where conditions are met: of one key's schedule,
/// of independent blocks and of gamma, by their bytes, and of so many streams.
macro_rules! entries {
    (
        $word:ident, $token:ident, $layouts:ty
        $(, [$schedule:ident $blocks:ident $gamma:ident $streams:ident] => $others:ty)?
    ) => {
        pub(in super::super) const KERNEL: BlockKernel<Schedule, 16> = BlockKernel {
            name: $token::WORD,
            available: $token::available,
            prepare,
            schedules: Some(schedules),
            map: Some(map),
            stream: Some(stream),
            lanes: Some(lanes),
            sections: entries!(@ sections $($gamma)?),
            products: entries!(@ products $($gamma)?),
            next_keys: entries!(@ next_keys $($schedule)?),
        };
        enter!($word =>
            fn prepare(key: &[u8; 32], s: &mut Schedule) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $schedule() {
                    return schedule::prepare::<$others>(isa, key, s);
                })?
                schedule::prepare::<$layouts>(isa, key, s);
            }
        );
        enter!($word =>
            fn schedules(keys: &mut [NewKey<'_, Schedule>]) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                schedule::schedules::<$layouts>(isa, keys);
            }
        );
        enter!($word =>
            fn map(s: &Schedule, direction: Direction, data: InOut<'_, '_>) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $blocks(data.len()) {
                    return batch::map::<$others>(isa, s, direction, data);
                })?
                batch::map::<$layouts>(isa, s, direction, data);
            }
        );
        enter!($word =>
            fn stream(s: &Schedule, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $gamma(data.len()) {
                    enter!($word =>
                        // In a frame with what is below, the products of `Words` might stand a page from
                        // what is stored.
                        #[inline(never)]
                        fn alone(
                            isa: $token,
                            s: &Schedule,
                            counter: &mut [u8; 16],
                            count: Count,
                            data: InOut<'_, '_>,
                        ) {
                            batch::stream::<$others>(isa, s, counter, count, data);
                        }
                    );
                    return alone(isa, s, counter, count, data);
                })?
                batch::stream::<$layouts>(isa, s, counter, count, data);
            }
        );
        enter!($word =>
            fn lanes(chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
                // SAFETY: a kernel's functions are called only where `available()` is true.
                let isa = unsafe { $token::assume() };
                $(if $streams(lanes.len()) {
                    return lanes::run::<$others>(isa, chain, lanes);
                })?
                lanes::run::<$layouts>(isa, chain, lanes);
            }
        );
    };
    (@ $f:ident) => { None };
    (@ $f:ident $met:ident) => { Some($f) };
}

#[cfg(target_arch = "x86_64")]
pub(super) mod gfni512 {
    use super::*;
    use crate::kernel::tuning::{Choice, form, takes};
    use crate::kuznyechik::gfni512::Vbmi512;
    use crate::kuznyechik::vbmi_batch::{self, BatchBytes, VbmiBatch};
    use crate::memory::Scratch;
    use crate::simd::Polynomials;
    use crate::{gf, memory};
    use simd::{Gfni512, Polynomials512, Vpclmul512};
    /// Whether a schedule is made in 256 bits.
    fn schedule() -> bool {
        takes(const { form(Choice::KuznyechikSchedule, "ymm") })
    }
    /// Whether one stream, or one block by itself, goes in 256 bits.
    fn one() -> bool {
        takes(const { form(Choice::KuznyechikOne, "ymm") })
    }
    /// Whether blocks are looked up by pairs of quarters of the table.
    fn blocks(octets: usize) -> bool {
        if octets == 16 { one() } else { takes(const { form(Choice::KuznyechikBlocks, "pairs") }) }
    }
    fn gamma(octets: usize) -> bool {
        if octets == 16 { one() } else { takes(const { form(Choice::KuznyechikGamma, "pairs") }) }
    }
    fn streams(n: usize) -> bool {
        if n == 1 { one() } else { takes(const { form(Choice::KuznyechikStreams, "pairs") }) }
    }
    entries!(gfni512, Gfni512, VbmiBatch<Vbmi512<false>>,
        [schedule blocks gamma streams] => VbmiBatch<Vbmi512<true>>);
    enter!(gfni512 =>
        fn next_keys(s: &mut Schedule, keys: &mut [[u8; 32]]) {
            // SAFETY: a kernel's functions are called only where `available()` is true.
            let isa = unsafe { Gfni512::assume() };
            if schedule() {
                return schedule::next_keys::<VbmiBatch<Vbmi512<true>>>(isa, s, keys);
            }
            schedule::next_keys::<VbmiBatch<Vbmi512<false>>>(isa, s, keys);
        }
    );
    enter!(gfni512 =>
        fn sections(
            s: &mut Schedule,
            counter: &mut [u8; 16],
            section: usize,
            data: InOut<'_, '_>,
        ) -> usize {
            // Not measured with look-ups by quarters: there gamma and the keys go one after the other.
            if !gamma(data.len()) {
                return 0;
            }
            // SAFETY: a kernel's functions are called only where `available()` is true.
            let isa = unsafe { Gfni512::assume() };
            vbmi_batch::sections::<Vbmi512<true>>(isa, s, counter, section, data)
        }
    );
    enter!(gfni512 =>
        #[target_feature(enable = "vpclmulqdq")]
        // By itself, so that its frame can be written over.
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
            let parts = vbmi_batch::products::<Vbmi512<true>, Polynomials512>(
                isa, s, counter, first, others, h,
            );
            gf::reduce128(parts.parts())
        }
    );
    enter!(gfni512 =>
        fn products(
            s: &Schedule,
            counter: &mut [u8; 16],
            before: &[u8],
            blocks: &[u8],
            sum: &mut [u8; 16],
        ) -> usize {
            const OCTETS: usize = size_of::<BatchBytes>();
            // Not measured with look-ups by quarters: there rounds and products go one after the other. A last
            // block is left.
            let octets = before.len() + blocks.len();
            let few = octets <= 2 * OCTETS || before.len() > OCTETS;
            if !gamma(octets) || few || !Vpclmul512::available() {
                return 0;
            }
            let octets = (octets - 1) / OCTETS * OCTETS;
            let blocks = &blocks[..octets - before.len()];
            // What waits goes first, and then the blocks are a little out of step with the batches.
            let (mut first, mut h) = ([0; OCTETS], Scratch::<BatchBytes>::new());
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
}

vector_sets!(kernel);
