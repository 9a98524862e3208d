//! Every kernel beside its peer, in one run: `cargo run --release -p lab --features openssl [SIZE]`.
//!
//! Random data; the outputs of all engines are compared before anything is timed. Cycles per byte are
//! at the real clock (see `clock`), the minimum and the median of many short runs.

#[path = "../../bulat/benches/clock.rs"]
mod clock;
mod peers;

use bulat::Direction;
use bulat::algorithm::{Kind, Params, find};
use bulat::kernel::{NAMES, available};

/// What is measured: our name, the peer's, and the bar: how many times the peer's speed the fastest
/// kernel must reach.
const CASES: [(&str, &str, f64); 10] = [
    ("kuznyechik-ctr", "kuznyechik-ctr", 20.0),
    ("magma-ctr", "magma-ctr", 50.0),
    ("streebog512", "md_gost12_512", 3.0),
    ("kuznyechik-ecb", "kuznyechik-ecb", 0.0),
    ("kuznyechik-cbc", "kuznyechik-cbc", 0.0),
    ("kuznyechik-mgm", "", 0.0),
    ("gost89-cnt-12", "gost89-cnt-12", 0.0),
    ("magma-cbc", "magma-cbc", 0.0),
    ("magma-mgm", "", 0.0),
    ("streebog256", "md_gost12_256", 0.0),
];

/// One message through a session of ours, which is made once and reset for each message.
/// `None` where the primitive has no kernel of this name.
fn ours(name: &str, kernel: &str, key: &[u8], iv: &[u8]) -> Option<peers::Work> {
    let a = find(name).expect("in the table");
    let (key, iv): (&[u8], &[u8]) = if a.kind == Kind::Hash { (&[], &[]) } else { (key, iv) };
    let params = Params { kernel: Some(kernel), ..Params::new(key, iv, Direction::Encrypt) };
    let mut session = match a.open.expect("a session")(&params) {
        Err(bulat::Error::UnknownKernel) => return None,
        session => session.expect("the parameters are right"),
    };
    let iv = iv.to_vec();
    Some(Box::new(move |buffer| {
        session.reset(&iv).expect("reset");
        let mut out = [0; 64];
        if session.absorb(buffer).is_ok() {
            let n = session.finish(&mut out).expect("finish");
            buffer[..n].copy_from_slice(&out[..n]);
        } else {
            session.update(buffer.into()).expect("update");
            session.finish(&mut out).expect("finish");
        }
    }))
}

fn random(n: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    let mut octet = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    (0..n).map(|_| octet()).collect()
}

fn main() {
    let size = match std::env::args().nth(1).map(|s| s.parse()) {
        None => 16_384,
        Some(Ok(n)) if n > 0 => n,
        Some(_) => {
            eprintln!("usage: lab [SIZE IN OCTETS]");
            std::process::exit(2);
        }
    };
    let kernels: Vec<_> = NAMES.iter().copied().filter(|k| available(k)).collect();
    for k in NAMES.iter().filter(|k| !available(k)) {
        println!("skipped: kernel {k}, which this machine cannot run");
    }
    println!(
        "{size} octets, warm; cycles per byte at the real clock, now {:.2} GHz\n",
        1e-9 / clock::cycle()
    );
    println!("| algorithm | engine | c/B min | median | times gostprov |\n|---|---|--:|--:|--:|");
    let text = random(size);
    let key = random(32);
    let mut short = false;
    for (name, peer, bar) in CASES {
        let a = find(name).expect("in the table");
        let iv: Vec<u8> = random(a.iv.usual()).iter().map(|b| b & 0x7f).collect();
        let mut engines: Vec<(&str, peers::Work)> = Vec::new();
        match peer {
            "" => {}
            _ => match peers::gostprov(peer, &key, &iv) {
                Ok(work) => engines.push(("gostprov", work)),
                Err(why) => println!("| {name} | gostprov skipped: {why} | | | |"),
            },
        }
        for kernel in &kernels {
            engines.extend(ours(name, kernel, &key, &iv).map(|work| (*kernel, work)));
        }
        let outputs: Vec<Vec<u8>> = engines
            .iter_mut()
            .map(|(_, work)| {
                let mut buffer = text.clone();
                work(&mut buffer);
                buffer
            })
            .collect();
        for ((engine, _), output) in engines.iter().zip(&outputs) {
            assert!(
                *output == outputs[0],
                "{name}: {engine} gives another answer than {}",
                engines[0].0
            );
        }
        let mut base = None;
        let mut best: f64 = 0.0;
        for (engine, work) in &mut engines {
            let mut buffer = text.clone();
            let run = || work(std::hint::black_box(&mut buffer));
            let (per_byte, median) = clock::measure(size, run);
            if *engine == "gostprov" {
                base = Some(per_byte);
            }
            let times = base.map(|b| b / per_byte);
            best = best.max(times.unwrap_or(0.0));
            println!(
                "| {name} | {engine} | {per_byte:.3} | {median:.3} | {} |",
                times.map_or(String::new(), |t| format!("{t:.1}")),
            );
        }
        if bar > 0.0 && base.is_some() {
            let met = best >= bar;
            short |= !met;
            println!(
                "| {name} | bar: {bar} times gostprov | | | {} |",
                if met { "met" } else { "NOT MET" }
            );
        }
    }
    std::process::exit(i32::from(short));
}
