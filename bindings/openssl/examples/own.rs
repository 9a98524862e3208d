//! The library's own speed in the measurements of `bindings/openssl/bench.sh` through EVP: sessions by name, updates in place of the
//! sizes in BENCH_SIZES, or of 16 to 16384 bytes, a hash or a sealed message at once. `cargo run --release -p openssl-provider-bulat --example own`

use std::hint::black_box;
use std::time::{Duration, Instant};

use bulat::algorithm::{Params, Session};

/// Returns nanoseconds of a call: the least of many runs, which are short, so that it is of one that nothing interrupted.
fn time(mut call: impl FnMut()) -> f64 {
    let (began, mut best) = (Instant::now(), Duration::MAX);
    while began.elapsed() < Duration::from_millis(360) {
        let start = Instant::now();
        (0..16).for_each(|_| call());
        best = best.min(start.elapsed());
    }
    best.as_nanos() as f64 / 16.0
}

fn main() -> Result<(), bulat::Error> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let sizes = std::env::var("BENCH_SIZES").unwrap_or_else(|_| "16 64 256 1500 16384".into());
    let sizes = sizes.split_whitespace().map(|size| size.parse().expect("BENCH_SIZES: numbers"));
    let sizes: Vec<usize> = sizes.collect();
    for name in &names {
        for &size in &sizes {
            let (key, mut data) = ([7; 32], vec![0u8; size]);
            let a = bulat::algorithm(name)?;
            let iv = vec![1; a.iv.usual()];
            let empty = Params::new(&[]);
            let params = Params::new(&key).iv(&iv);
            let params = if a.key == 0 { &empty } else { &params };
            let each = match a.session(params)? {
                Session::Hash(mut hash) => time(|| {
                    let mut out = [0; 64];
                    hash.update(black_box(&data));
                    let _ = hash.finalize_reset(&mut out);
                    black_box(out);
                }),
                Session::Cipher(mut cipher) => time(|| {
                    // The message begins anew now and then, so that it reaches no limit.
                    if cipher.update(black_box(&mut data)).is_err() {
                        let _ = cipher.reset(&iv);
                    }
                }),
                Session::Aead(mut aead) => time(|| {
                    let _ = aead.reset(&iv);
                    let _ = aead.aad(&[0; 13]);
                    let _ = aead.update(black_box(&mut data));
                    black_box(aead.finalize().is_ok());
                }),
                Session::Mac(mut mac) => time(|| {
                    mac.update(black_box(&data));
                    black_box(mac.finalize_reset().is_ok());
                }),
            };
            println!("{name} {size} {each:.0} {:.1}", size as f64 * 1000.0 / each);
        }
    }
    Ok(())
}
