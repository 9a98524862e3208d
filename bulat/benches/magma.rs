//! Core cycles per byte of the Magma and GOST 28147-89 kernels: minimum and median of many short runs
//! over random data. `cargo bench -p bulat --bench magma -- [WORD...]` prints the lines with all the words.

mod clock;

use bulat::ParamSet;
use bulat::survey::Form;
use bulat::{BlockCipher, Direction, Gost28147, Magma, Sboxes};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane, Shapes as _};
use bulat_core::kernel;
use bulat_core::magma::{KERNELS, Schedule};
use testkit::Random;

fn line(kernel: &str, what: &str, octets: usize, mut run: impl FnMut()) {
    // Long enough for the clock, short enough that most runs are not interrupted.
    let repeat = (16384 / octets).max(1);
    let line = format!("{kernel:10} {what:44}");
    if std::env::args().skip(1).filter(|a| !a.starts_with('-')).all(|a| line.contains(&a)) {
        let (min, median) = clock::measure(octets * repeat, || (0..repeat).for_each(|_| run()));
        println!("{line} {min:8.3} {median:8.3}");
    }
}

/// Bytes that no compiler and no predictor knows.
fn random(bytes: &mut [u8], seed: u64) {
    Random::new(seed).fill(bytes);
}

fn main() {
    // The example of RFC 8891, A.2, before anything is timed.
    let key = core::array::from_fn(|i| {
        let i = i as u8;
        if i < 16 { 0xff - 0x11 * i } else { 0xe0 + i }
    });
    println!("core cycles per byte: minimum, median");
    for kernel in KERNELS.iter().filter(|k| (k.available)()) {
        let name = kernel.name;
        let magma = Magma::new(&key).on(name).expect("available");
        let mut block = [0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10];
        magma.encrypt_block(&mut block);
        assert_eq!(block, [0x4e, 0xe9, 0x01, 0xe5, 0xc2, 0xd8, 0xca, 0x3d], "{name}");

        let gost = Gost28147::new(&key, ParamSet::CryptoProA).on(name).expect("available");
        let mut rows = *Sboxes::from(ParamSet::Tc26Z).rows();
        rows.reverse();
        let own = Gost28147::new(&key, Sboxes::new(rows).expect("permutations"));
        let own = own.on(name).expect("available");

        for n in [8, 64, 128, 256, 512, 1024, 1504, 4096, 16384, 65536, 1 << 20] {
            let mut d = vec![0; n];
            random(&mut d, n as u64);
            let d = d.as_mut_slice();
            let what = |s: &str| format!("{s}, {n}");
            for (s, way) in [("encrypt", Direction::Encrypt), ("decrypt", Direction::Decrypt)] {
                line(name, &what(&format!("Magma ECB {s}")), n, || {
                    magma.map(way, (&mut *d).into())
                });
            }
            let mut c = [0; 8];
            line(name, &what("Magma CTR"), n, || {
                magma.stream(&mut c, Count::Whole, (&mut *d).into());
            });
            line(name, &what("GOST 28147-89 CNT, CryptoPro-A"), n, || {
                gost.stream(&mut c, Count::Cnt, (&mut *d).into());
            });
            line(name, &what("GOST 28147-89 CNT, own S-boxes"), n, || {
                own.stream(&mut c, Count::Cnt, (&mut *d).into());
            });
        }
        let keys: Vec<Magma> = (0..256)
            .map(|i| {
                let mut k = [0; 32];
                random(&mut k, i);
                Magma::new(&k)
            })
            .collect();
        let schedules: Vec<&Schedule> = keys.iter().map(|k| k.schedule()).collect();
        let old: Vec<Gost28147> = (0..256)
            .map(|i| {
                let mut k = [0; 32];
                random(&mut k, i);
                Gost28147::new(&k, ParamSet::CryptoProA)
            })
            .collect();
        let old: Vec<&Schedule> = old.iter().map(|k| k.schedule()).collect();
        // One stream in every form that the kernel has for it, not only the one that this processor prefers.
        let forms = bulat::survey::forms();
        let one = |f: &&Form| (f.primitive, f.name, f.kernel) == ("magma", "one stream", name);
        for form in forms.iter().find(one).map_or(&[][..], |f| f.forms) {
            kernel::take_form("magma", "one stream", form).expect("a form");
            let (mut d, mut z) = (vec![0; 1024], [0; 8]);
            random(&mut d, 1);
            for (what, chain) in [("CFB", Chain::CfbEncrypt), ("OMAC", Chain::Mac)] {
                line(name, &format!("{what}, one stream, form {form}"), 1024, || {
                    magma.chain(
                        chain,
                        &mut z,
                        match chain {
                            Chain::Mac => Data::Read(&d),
                            _ => Data::Through(d.as_mut_slice().into()),
                        },
                    );
                });
            }
            line(name, &format!("IMIT, one stream, form {form}"), 1024, || {
                gost.chain(Chain::Imit, &mut z, Data::Read(&d));
            });
            line(name, &format!("Magma ECB encrypt, 8, form {form}"), 8, || {
                magma.encrypt_block(&mut z);
            });
        }
        kernel::assume_forms(None);
        for m in [1, 2, 4, 8, 16, 32, 64, 128, 192, 256] {
            let mut data = vec![vec![0; 1024]; m];
            data.iter_mut().enumerate().for_each(|(i, d)| random(d, i as u64));
            let mut states = vec![[0; 8]; m];
            for chain in [Chain::Mac, Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Imit]
            {
                line(name, &format!("{chain:?}, {m} streams, 1024 each"), 1024 * m, || {
                    let read = matches!(chain, Chain::Mac | Chain::Imit);
                    let schedules = if chain == Chain::Imit { &old } else { &schedules };
                    let mut lanes: Vec<_> = (data.iter_mut().zip(&mut states).zip(schedules))
                        .map(|((d, state), &schedule)| Lane {
                            schedule,
                            state,
                            data: if read {
                                Data::Read(d)
                            } else {
                                Data::Through(d.as_mut_slice().into())
                            },
                        })
                        .collect();
                    match chain {
                        Chain::Imit => gost.lanes(chain, &mut lanes),
                        _ => magma.lanes(chain, &mut lanes),
                    }
                });
            }
        }
    }
}
