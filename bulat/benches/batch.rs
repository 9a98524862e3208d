//! Many messages in one call, compared with each kernel's bulk speed.
//!
//! `cargo bench -p bulat --bench batch [-- WORD...]`: only the lines with one of the words.

mod clock;

use std::hint::black_box;

use bulat::ParamSet;
use bulat::batch::{Job, Key, MacMode, Mode, run};
use bulat::modes::{Aead, CtrAcpkm, Meshing, Mgm, StreamCipher};
use bulat::{BlockCipher, Direction, Gost28147, HmacStreebog256, Kuznyechik, Magma, Streebog256};
use bulat_core::cipher::{Count, Shapes as _};

type Line = dyn FnMut(String, usize, &mut dyn FnMut());

fn main() {
    clock::obey_environment();
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let mut line = move |name: String, octets: usize, f: &mut dyn FnMut()| {
        if words.is_empty() || words.iter().any(|w| name.contains(w)) {
            let times = 4096_usize.div_ceil(octets);
            let (min, median) = clock::measure(octets * times, || (0..times).for_each(|_| f()));
            println!("{name:<52} {min:8.3} {median:8.3}");
        }
    };
    println!("{:<52} {:>8} {:>8}   cycles for each byte", "", "minimum", "median");
    bulk(&mut line);
    for streams in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] {
        even(&mut line, streams, 4096);
    }
    for len in [16, 64, 256, 1024, 16384, 65536] {
        even(&mut line, 256, len);
    }
    uneven(&mut line);
    sealed(&mut line);
}

/// The kernels' own speed, to compare with.
fn bulk(line: &mut Line) {
    let mut data = clock::random(16384);
    let (kuznyechik, magma) = (Kuznyechik::new(&[1; 32]), Magma::new(&[1; 32]));
    line("bulk kuznyechik ctr 16384".into(), 16384, &mut || {
        kuznyechik.stream(&mut [0; 16], Count::Whole, black_box(&mut data[..]).into());
    });
    line("bulk magma ctr 16384".into(), 16384, &mut || {
        magma.stream(&mut [0; 8], Count::Whole, black_box(&mut data[..]).into());
    });
    let messages = vec![clock::random(4096); 64];
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut digests = vec![[0; 32]; 64];
    line("bulk streebog 64 messages of 4096".into(), 64 * 4096, &mut || {
        Streebog256::digest_many(black_box(&messages), &mut digests).expect("as many");
    });
}

/// Keys of every kind, one for each stream.
struct Keys {
    kuznyechik: Vec<Kuznyechik>,
    magma: Vec<Magma>,
    gost: Vec<Gost28147>,
    hmac: HmacStreebog256,
}

impl Keys {
    fn new(n: usize) -> Self {
        let key = |i: usize| core::array::from_fn(|j| (i * 7 + j) as u8);
        Keys {
            kuznyechik: (0..n).map(|i| Kuznyechik::new(&key(i))).collect(),
            magma: (0..n).map(|i| Magma::new(&key(i))).collect(),
            gost: (0..n).map(|i| Gost28147::new(&key(i), ParamSet::Tc26Z)).collect(),
            hmac: HmacStreebog256::new(b"key"),
        }
    }
}

fn all(line: &mut Line, keys: &Keys, what: &str, texts: &mut [Vec<u8>]) {
    let octets: usize = texts.iter().map(Vec::len).sum();
    let cfb = Mode::Cfb(Direction::Encrypt);
    let cbc = Mode::Cbc(Direction::Encrypt);
    for (name, mode, block) in [
        ("cbc", cbc, 16),
        ("cfb", cfb, 16),
        ("cbc", cbc, 8),
        ("cfb", cfb, 8),
        ("ctr", Mode::Ctr, 16),
    ] {
        let cipher = if block == 16 { "kuznyechik" } else { "magma" };
        let iv = [1; 16];
        let iv = &iv[..if mode == Mode::Ctr { 8 } else { block }];
        line(format!("batch {cipher} {name} {what}"), octets, &mut || {
            let jobs = texts
                .iter_mut()
                .enumerate()
                .map(|(i, text)| {
                    let key = match block {
                        16 => Key::Kuznyechik(&keys.kuznyechik[i]),
                        _ => Key::Magma(&keys.magma[i]),
                    };
                    Job::cipher(key, mode, iv, text)
                })
                .collect();
            assert!(run(black_box(jobs)).iter().all(|result| result.is_ok()));
        });
    }
    let mut tags = vec![[0; 8]; texts.len()];
    for name in ["kuznyechik omac", "magma omac", "gost28147 imit"] {
        line(format!("batch {name} {what}"), octets, &mut || {
            let jobs = texts
                .iter()
                .zip(&mut tags)
                .enumerate()
                .map(|(i, (message, tag))| {
                    let (key, mode) = match name {
                        "kuznyechik omac" => (Key::Kuznyechik(&keys.kuznyechik[i]), MacMode::Omac),
                        "magma omac" => (Key::Magma(&keys.magma[i]), MacMode::Omac),
                        _ => (Key::Gost28147(&keys.gost[i]), MacMode::Imit(Meshing::None)),
                    };
                    Job::mac(key, mode, message, tag)
                })
                .collect();
            assert!(run(black_box(jobs)).iter().all(|result| result.is_ok()));
        });
    }
    let mut digests = vec![[0; 32]; texts.len()];
    for hmac in [false, true] {
        let name = if hmac { "hmac256" } else { "streebog256" };
        line(format!("batch {name} {what}"), octets, &mut || {
            let jobs = texts
                .iter()
                .zip(&mut digests)
                .map(|(message, digest)| match hmac {
                    false => Job::Hash256(message, digest),
                    true => Job::Hmac256(&keys.hmac, message, digest),
                })
                .collect();
            run(black_box(jobs));
        });
    }
}

fn even(line: &mut Line, streams: usize, len: usize) {
    let mut texts = vec![clock::random(len); streams];
    all(line, &Keys::new(streams), &format!("{streams} of {len}"), &mut texts);
}

/// 1000 lengths, log-uniform over 16 bytes to 64 KB, whole blocks.
fn uneven(line: &mut Line) {
    let mut texts: Vec<Vec<u8>> = (0..1000)
        .map(|i| {
            let e = 4.0 + 12.0 * f64::from((i * 617) % 1000) / 1000.0;
            clock::random((e.exp2() as usize) / 16 * 16)
        })
        .collect();
    all(line, &Keys::new(1000), "uneven", &mut texts);
}

/// MGM and CTR-ACPKM at their lengths, one message.
fn sealed(line: &mut Line) {
    fn of<C: BlockCipher>(line: &mut Line, name: &str, key: &C, section: usize) {
        for len in [64, 512, 1500, 16384] {
            let mut text = clock::random(len);
            let mgm = Mgm::with(key.clone());
            let nonce = vec![2; C::BLOCK];
            line(format!("{name} mgm seal {len}"), len, &mut || {
                mgm.seal_in_place(&nonce, &[], black_box(&mut text)).expect("a nonce");
            });
            line(format!("{name} ctr {len}"), len, &mut || {
                let mut counter = C::Block::ZERO;
                let whole = len / C::BLOCK * C::BLOCK;
                let text = black_box(&mut text[..whole]);
                key.stream(&mut counter, Count::Whole, text.into());
            });
        }
        let mut text = clock::random(65536);
        let iv = vec![1; C::BLOCK / 2];
        let mut ctr = CtrAcpkm::with(key.clone(), &iv, section).expect("a section");
        line(format!("{name} ctr-acpkm 65536"), 65536, &mut || {
            ctr.reset(&iv).expect("an iv");
            ctr.apply_keystream(black_box(&mut text)).expect("short");
        });
        line(format!("{name} ctr 65536"), 65536, &mut || {
            key.stream(&mut C::Block::ZERO.clone(), Count::Whole, black_box(&mut text[..]).into());
        });
    }
    use bulat_core::cipher::Block;
    of(line, "kuznyechik", &Kuznyechik::new(&[1; 32]), 4096);
    of(line, "magma", &Magma::new(&[1; 32]), 1024);
}
