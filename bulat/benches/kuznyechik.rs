//! Kuznyechik: cycles for each byte on every kernel: blocks both ways, counters, one chained stream,
//! streams side by side under keys of their own, and cycles of a key schedule.
//!
//! Where other programs share the cores the minimum can be too low, when the clock was slower just outside a run
//! than in it; the median of a run that nothing disturbed is the figure.
//!
//! `cargo bench -p bulat --bench kuznyechik [-- WORD...]`: only the lines with one of the words.

mod clock;

use std::hint::black_box;

use bulat::{BlockCipher, Direction, Kuznyechik};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane, Shapes as _};
use bulat_core::kernel::Ready;
use bulat_core::kuznyechik;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let line = |name: String, octets: usize, f: &mut dyn FnMut()| {
        if words.is_empty() || words.iter().any(|w| name.contains(w)) {
            // Calls of a few hundred bytes are repeated, so that the timer is a small part.
            let times = 4096_usize.div_ceil(octets);
            let (min, median) = clock::measure(octets * times, || (0..times).for_each(|_| f()));
            println!("{name:<40} {min:8.3} {median:8.3}");
        }
    };
    println!("{:<40} {:>8} {:>8}   cycles for each byte", "", "minimum", "median");
    let key: [u8; 32] = clock::random(32).try_into().expect("32");
    let mut data = clock::random(1 << 16);
    for kernel in kuznyechik::KERNELS {
        let Some(_) = Ready::new(kernel) else { continue };
        // The forms of `kernel/tuning.rs`, whichever are this processor's: all the first, all the others.
        let layouts: &[_] = match kernel.name {
            "gfni512" => &[(" quarters", Some(0)), (" pairs", Some(1))],
            _ => &[("", None)],
        };
        for (layout, forms) in layouts {
            bulat_core::kernel::assume_forms(*forms);
            correct(kernel.name);
            let name = format!("{}{layout}", kernel.name);
            let make = |i| Kuznyechik::new(&[i; 32]).on(kernel.name).expect("available");
            let cipher = Kuznyechik::new(&key).on(kernel.name).expect("available");
            for len in [65536, 16384, 4096, 1504, 1024, 512, 256, 128, 64, 32, 16] {
                for (word, direction) in
                    [("ecb", Direction::Encrypt), ("ecb^-1", Direction::Decrypt)]
                {
                    line(format!("{name} {word} {len}"), len, &mut || {
                        cipher.map(direction, black_box(&mut data[..len]).into());
                    });
                }
            }
            let mut counter = [0x5a; 16];
            for len in [65536, 16384, 4096, 1504, 1024, 512, 256, 128, 64, 32, 16] {
                line(format!("{name} ctr {len}"), len, &mut || {
                    cipher.stream(&mut counter, Count::Whole, black_box(&mut data[..len]).into());
                });
            }
            line(format!("{name} ctr right 16384"), 16384, &mut || {
                cipher.stream(&mut counter, Count::Right, black_box(&mut data[..16384]).into());
            });
            let mut state = [0; 16];
            line(format!("{name} cbc one stream 4096"), 4096, &mut || {
                let data = Data::Through(black_box(&mut data[..4096]).into());
                cipher.chain(Chain::CbcEncrypt, &mut state, data);
            });
            line(format!("{name} omac one stream 4096"), 4096, &mut || {
                cipher.chain(Chain::Mac, &mut state, Data::Read(black_box(&data[..4096])));
            });
            for count in [2, 4, 8, 16, 32, 64] {
                let ciphers: Vec<_> = (0..count as u8).map(make).collect();
                let mut states = vec![[0; 16]; count];
                for chain in [Chain::CbcEncrypt, Chain::Mac] {
                    line(
                        format!("{name} {chain:?} {count} lanes of 1024"),
                        1024 * count,
                        &mut || {
                            let lanes = ciphers.iter().zip(&mut states).zip(data.chunks_mut(1024));
                            let mut lanes: Vec<Lane<'_, _, 16>> = lanes
                                .map(|((cipher, state), data)| Lane {
                                    schedule: cipher.schedule(),
                                    state,
                                    data: match chain {
                                        Chain::Mac => Data::Read(data),
                                        _ => Data::Through(data.into()),
                                    },
                                })
                                .collect();
                            cipher.lanes(chain, &mut lanes);
                        },
                    );
                }
            }
            // `rekey` also clones the object. One key counts as one byte: few at a time, lest a run last so long that
            // it is interrupted.
            let name = format!("{name} key schedule, cycles");
            if words.is_empty() || words.iter().any(|w| name.contains(w)) {
                let (min, median) = clock::measure(8, || {
                    for _ in 0..8 {
                        black_box(cipher.rekey(black_box(&key)));
                    }
                });
                println!("{name:<40} {min:8.0} {median:8.0}");
            }
        }
    }
}

/// RFC 7801, section 5, and agreement of the kernels on random data.
fn correct(name: &str) {
    let run = |name, data: &mut [u8]| {
        let key: [u8; 32] = clock::random(32).try_into().expect("32");
        let cipher = Kuznyechik::new(&key).on(name).expect("available");
        cipher.map(Direction::Encrypt, (&mut *data).into());
        cipher.map(Direction::Decrypt, (&mut data[..1600]).into());
        cipher.stream(&mut [0xff; 16], Count::Whole, data.into());
    };
    // Nine batches of 64 blocks and more: long texts have a way of their own.
    let (mut a, mut b) = (clock::random(9840), clock::random(9840));
    run(name, &mut a);
    run("portable", &mut b);
    assert!(a == b, "{name}");
}
