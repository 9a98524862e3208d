//! The kernels of an instruction set behind one function, for the Go package: a call is a structure, and which kernel
//! it means is a number in it. The build chooses the set (`--cfg bulat_set` and the target features), so that every
//! choice is made when it is compiled, and no table of pointers is left.
#![no_std]

mod memory;

use bulat_core::cipher::{Chain, Count, Data, Lane};
use bulat_core::kernel::{BlockKernel, GfKernel, HashKernel, HashLane, HashState, Ready};
use bulat_core::magma::{Order, Sboxes};
use bulat_core::{Direction, InOut, gf, kuznyechik, magma, streebog};

#[cfg(bulat_set = "gfni512")]
const SET: [&str; 2] = ["gfni512", "vpclmul512"];
#[cfg(bulat_set = "avx2gfni")]
const SET: [&str; 2] = ["avx2gfni", "vpclmul256"];
#[cfg(bulat_set = "avx2")]
const SET: [&str; 2] = ["avx2", "clmul"];
#[cfg(bulat_set = "neon")]
const SET: [&str; 2] = ["neon", "pmull"];

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The place of the set in a primitive's list.
macro_rules! place {
    ($list:path, $name:expr) => {
        const {
            let mut i = 0;
            while !same($list[i].name, $name) {
                i += 1;
            }
            i
        }
    };
}

/// The kernel of the set, which the Go package has checked the processor for.
macro_rules! kernel {
    ($list:path, $name:expr) => {
        match Ready::new(&$list[place!($list, $name)]) {
            Some(kernel) => kernel,
            None => memory::stop(),
        }
    };
}

/// A call: internal/native/native.go has the same structure.
#[repr(C)]
pub struct Call {
    work: u64,
    p: [*mut u8; 5],
    n: [u64; 3],
    done: u64,
}

type Kuznyechik = BlockKernel<kuznyechik::Schedule, 16>;
type Magma = BlockKernel<magma::Schedule, 8>;

const _: () = assert!(size_of::<kuznyechik::Schedule>() == 320);
const _: () = assert!(size_of::<magma::Schedule>() <= 256);

impl Call {
    fn len(&self, i: usize) -> usize {
        self.n[i] as usize
    }
    /// # Safety
    /// Pointer `i` leads to a `T`.
    unsafe fn at<T>(&self, i: usize) -> &'static mut T {
        // SAFETY: by the contract.
        unsafe { &mut *self.p[i].cast() }
    }
    /// # Safety
    /// Pointer `i` leads to as many bytes as the call's number `n` says.
    unsafe fn bytes(&self, i: usize, n: usize) -> &'static [u8] {
        match self.len(n) {
            0 => &[],
            // SAFETY: by the contract.
            len => unsafe { core::slice::from_raw_parts(self.p[i], len) },
        }
    }
    /// # Safety
    /// Pointers 1 and 2 lead to as many bytes as number 0 says: one buffer, or two that do not overlap.
    unsafe fn data(&self) -> InOut<'static, 'static> {
        // SAFETY: by the contract.
        unsafe { InOut::from_raw(self.p[2], self.p[1], self.len(0)) }
    }
}

fn direction(n: u64) -> Direction {
    if n == 0 { Direction::Encrypt } else { Direction::Decrypt }
}

fn count(n: u64) -> Count {
    match n {
        0 => Count::Whole,
        1 => Count::Right,
        2 => Count::Left,
        _ => Count::Cnt,
    }
}

fn chain(n: u64) -> Chain {
    match n {
        0 => Chain::CbcEncrypt,
        1 => Chain::CfbEncrypt,
        2 => Chain::Ofb,
        3 => Chain::Mac,
        _ => Chain::Imit,
    }
}

/// The works of a block cipher: `$first` and the numbers after it.
macro_rules! cipher {
    ($call:ident, $list:path, $kernel:ty, $schedule:ty, $block:literal, $work:expr) => {{
        let kernel: Ready<$kernel> = kernel!($list, SET[0]);
        // SAFETY: as the caller ensures, the first pointer is a schedule, and the others are what the work needs.
        unsafe {
            let schedule: &mut $schedule = $call.at(0);
            match $work {
                0 => kernel.prepare($call.at(1), schedule),
                1 => kernel.map(schedule, direction($call.n[1]), $call.data()),
                2 => kernel.stream(schedule, $call.at(3), count($call.n[1]), $call.data()),
                3 => {
                    let chain = chain($call.n[1]);
                    let data = match chain {
                        Chain::Mac | Chain::Imit => Data::Read($call.bytes(2, 0)),
                        _ => Data::Through($call.data()),
                    };
                    let lane = Lane::<$schedule, $block> { schedule, state: $call.at(3), data };
                    kernel.lanes(chain, &mut [lane]);
                }
                4 => {
                    let section = $call.len(1);
                    let done = kernel.sections(schedule, $call.at(3), section, $call.data());
                    $call.done = done as u64;
                }
                _ => {
                    let (before, blocks) = ($call.bytes(2, 0), $call.bytes(3, 1));
                    let done = kernel.products(schedule, $call.at(1), before, blocks, $call.at(4));
                    $call.done = done as u64;
                }
            }
        }
    }};
}

/// Does the work of a call. It ends the program where the work does not have such a length or number: Go's `Call.wrong`
/// refuses these before.
///
/// # Safety
/// The processor has the set; the pointers lead to what internal/native/native.go says of each work.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.first")]
pub unsafe extern "C" fn bulat_go(call: &mut Call) {
    match call.work {
        work @ 0..2 => {
            let kernel: Ready<HashKernel> = kernel!(streebog::KERNELS, SET[0]);
            // SAFETY: by the contract; h, N and Σ are 64 bytes each.
            let parts: &mut [[u8; 64]; 3] = unsafe { call.at(0) };
            let [h, n, sigma] = *parts;
            let mut state = bulat_core::Secret::new(HashState { h, n, sigma });
            let keys = match call.n[1] {
                0 => None,
                bits => Some(kernel.initial(bits == 2)),
            };
            // SAFETY: by the contract.
            let lane = HashLane { state: &mut state, blocks: unsafe { call.bytes(1, 0) } };
            match work {
                0 => kernel.blocks_under(keys, &mut [lane]),
                _ => kernel.finish_under(keys, &mut [lane]),
            }
            *parts = [state.h, state.n, state.sigma];
        }
        work @ 8..16 => {
            cipher!(call, kuznyechik::KERNELS, Kuznyechik, kuznyechik::Schedule, 16, work - 8);
        }
        work @ 16..24 => {
            cipher!(call, magma::KERNELS, Magma, magma::Schedule, 8, work - 16);
        }
        24 => {
            let order = if call.n[0] == 0 { Order::Magma } else { Order::Gost28147 };
            // SAFETY: by the contract: room for a schedule, eight rows of sixteen bytes.
            unsafe {
                if let Ok(boxes) = Sboxes::new(*call.at(1)) {
                    call.p[0].cast::<magma::Schedule>().write(magma::Schedule::new(boxes, order));
                    call.done = 1;
                }
            }
        }
        work => {
            let kernel: Ready<GfKernel> = kernel!(gf::KERNELS, SET[1]);
            // SAFETY: by the contract.
            unsafe {
                match work {
                    25 => kernel.mac64(call.at(0), call.bytes(1, 0), call.bytes(2, 0)),
                    _ => kernel.mac128(call.at(0), call.bytes(1, 0), call.bytes(2, 0)),
                }
            }
        }
    }
}
