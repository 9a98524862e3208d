//! The library's own speed in the measurements of `bindings/openssl/bench.sh` through EVP: sessions by name, updates in place of the
//! sizes in BENCH_SIZES, or of 16 to 16384 bytes, a hash or a sealed message at once. NAME+init begins a message with its IV
//! in each call. `cargo run --release -p openssl-provider-bulat --example own`

use std::hint::black_box;
use std::time::{Duration, Instant};

use bulat::algorithm::{Params, Session};

/// Returns nanoseconds of a call: the least of many runs, which are short, so that it is of one that nothing interrupted.
/// But each has enough text for a keystream that is made ahead to be made in it.
fn time(size: usize, mut call: impl FnMut()) -> f64 {
    let calls = if size > 0 && size < 1024 { 16384 / size } else { 16 };
    let (began, mut best) = (Instant::now(), Duration::MAX);
    while began.elapsed() < Duration::from_millis(360) {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        best = best.min(start.elapsed());
    }
    best.as_nanos() as f64 / calls as f64
}

fn main() -> Result<(), bulat::Error> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let sizes = std::env::var("BENCH_SIZES").unwrap_or_else(|_| "16 64 256 1500 16384".into());
    let sizes = sizes.split_whitespace().map(|size| size.parse().expect("BENCH_SIZES: numbers"));
    let sizes: Vec<usize> = sizes.collect();
    for name in &names {
        for &size in &sizes {
            let (key, mut data) = ([7; 32], vec![0u8; size]);
            let init = name.ends_with("+init");
            let a = bulat::algorithm(name.trim_end_matches("+init"))?;
            let iv = vec![1; a.iv.usual()];
            let empty = Params::new(&[]);
            let params = Params::new(&key).iv(&iv);
            let params = if a.key == 0 { &empty } else { &params };
            let each = match a.session(params)? {
                Session::Hash(mut hash) => time(size, || {
                    let mut out = [0; 64];
                    hash.update(black_box(&data));
                    let _ = hash.finalize_reset(&mut out);
                    black_box(out);
                }),
                Session::Cipher(mut cipher) => time(size, || {
                    // The message begins anew now and then, so that it reaches no limit.
                    if init || cipher.update(black_box(&mut data)).is_err() {
                        let _ = cipher.reset(&iv);
                        let _ = cipher.update(black_box(&mut data));
                    }
                }),
                Session::Aead(mut aead) => time(size, || {
                    let _ = aead.reset(&iv);
                    let _ = aead.aad(&[0; 13]);
                    let _ = aead.update(black_box(&mut data));
                    black_box(aead.finalize().is_ok());
                }),
                Session::Mac(mut mac) => time(size, || {
                    mac.update(black_box(&data));
                    black_box(mac.finalize_reset().is_ok());
                }),
            };
            println!("{name} {size} {each:.0} {:.1}", size as f64 * 1000.0 / each);
        }
    }
    Ok(())
}
