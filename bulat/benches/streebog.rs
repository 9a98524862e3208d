//! Streebog: cycles for each byte on every kernel, one message and many; of PBKDF2, of one password and of
//! eight, cycles for each iteration, and iterations a second at this clock.
//!
//! `cargo bench -p bulat --bench streebog [-- WORD...]`: only the lines with one of the words.

mod clock;

use bulat::Streebog512;
use bulat::kdf::{Candidate, HmacStreebog512, pbkdf2_many, pbkdf2_with};
use bulat_core::kernel::{self, Ready};
use bulat_core::streebog;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let line = |name: String, octets: usize, f: &mut dyn FnMut()| {
        if words.is_empty() || words.iter().any(|w| name.contains(w)) {
            // Calls of a few hundred bytes are repeated, so that the timer is a small part.
            let times = 4096_usize.div_ceil(octets);
            let (min, median) = clock::measure(octets * times, || (0..times).for_each(|_| f()));
            println!("{name:<32} {min:8.2} {median:8.2}");
        }
    };
    println!("{:<32} {:>8} {:>8}   cycles for each byte", "", "minimum", "median");
    let data = random(1 << 18);
    for kernel in streebog::KERNELS {
        let Some(name) = Ready::new(kernel).map(|k| k.name()) else { continue };
        correct(name);
        for len in [16384, 1024, 64] {
            let mut h = Streebog512::new().on(name).expect("available");
            line(format!("streebog512 {name} {len}"), len, &mut || {
                h.update(std::hint::black_box(&data[..len]));
                std::hint::black_box(h.finalize_reset());
            });
        }
        for lanes in [2, 4, 8, 16, 32] {
            let messages: Vec<_> = data.chunks_exact(4096).take(lanes).collect();
            let mut digests = vec![[0; 64]; lanes];
            kernel::force(Some(name)).expect("available");
            line(format!("streebog512 {name} x{lanes} 4096"), lanes * 4096, &mut || {
                Streebog512::digest_many(&messages, &mut digests).expect("as many");
                std::hint::black_box(&digests);
            });
            kernel::force(None).expect("always");
        }
    }
    for kernel in streebog::KERNELS {
        let Some(ready) = Ready::new(kernel) else { continue };
        let iterations = |name: String, passwords: usize, f: &mut dyn FnMut()| {
            if words.is_empty() || words.iter().any(|w| name.contains(w)) {
                let (min, median) = clock::measure(100 * passwords, f);
                let second = 1.0 / clock::cycle() / median;
                println!("{name:<40} {min:8.0} {median:8.0} {second:10.0} a second");
            }
        };
        let prf = HmacStreebog512::new_on(b"password", ready.name()).expect("available");
        iterations(format!("pbkdf2 {} iterations", ready.name()), 1, &mut || {
            let mut dk = [0; 64];
            pbkdf2_with(&prf, b"salt", 100, std::hint::black_box(&mut dk)).expect("valid");
        });
        kernel::force(Some(ready.name())).expect("available");
        let mut keys = [[0; 64]; 8];
        iterations(format!("pbkdf2 {} iterations, 8 passwords", ready.name()), 8, &mut || {
            let passwords: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];
            let each = passwords.into_iter().zip(&mut keys);
            let mut each: Vec<_> =
                each.map(|(password, dk)| Candidate { password, salt: b"salt", dk }).collect();
            pbkdf2_many::<64>(100, std::hint::black_box(&mut each)).expect("valid");
        });
        kernel::force(None).expect("always");
    }
}

/// RFC 6986, section 10.1.1, and agreement of the kernels on random data.
fn correct(name: &str) {
    let hash = |name, data: &[u8]| {
        let mut h = Streebog512::new().on(name).expect("available");
        h.update(data);
        h.finalize()
    };
    let m1 = b"012345678901234567890123456789012345678901234567890123456789012";
    assert_eq!(hash(name, m1)[..4], [0x1b, 0x54, 0xd0, 0x1a]);
    let data = random(3333);
    assert_eq!(hash(name, &data), hash("portable", &data));
}

fn random(len: usize) -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}
