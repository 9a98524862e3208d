//! GF(2^64), GF(2^128): cycles for each byte on every kernel.
//!
//! `cargo bench -p bulat --bench gf [-- WORD...]`: only the lines with one of the words.

mod clock;

use std::hint::black_box;

use bulat_core::gf;
use bulat_core::kernel::Ready;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:<40} {:>8} {:>8}   cycles for each byte", "", "minimum", "median");
    let octets: Vec<u8> =
        (0..1u32 << 16).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
    for len in [16, 32, 48, 64, 96, 128, 192, 256, 1024, 4096, 16384] {
        let (h, a) = (&octets[..len], &octets[1 << 15..][..len]);
        for kernel in gf::KERNELS.iter().filter_map(Ready::new) {
            let line = |shape: &str, f: &mut dyn FnMut()| {
                let name = format!("{} {shape} {len}", kernel.name());
                if words.is_empty() || words.iter().any(|w| name.contains(w)) {
                    // Short calls are repeated, so that the timer is a small part.
                    let times = 4096_usize.div_ceil(len);
                    let (min, median) =
                        clock::measure(len * times, || (0..times).for_each(|_| f()));
                    println!("{name:<40} {min:8.3} {median:8.3}");
                }
            };
            let (mut acc64, mut acc128) = ([0; 8], [0; 16]);
            line("mac64", &mut || kernel.mac64(&mut acc64, black_box(h), black_box(a)));
            line("mac128", &mut || kernel.mac128(&mut acc128, black_box(h), black_box(a)));
        }
    }
}
