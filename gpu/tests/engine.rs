//! The engine over the processor and devices: its results equal the processor's, even if a device fails.
//!
//! `BULAT_GPU_RUNS` sets how many runs lose a device (200); `BULAT_GPU_MB` how many megabytes `many_bytes` processes
//! (64): CI does few, a release 10240.
#![cfg(any(feature = "opencl", feature = "cuda"))]

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bulat::batch::{Job, Key, MacMode, Mode, run_on_threads};
use bulat::modes::{Meshing, Xts};
use bulat::{
    Direction, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik, KuznyechikMgm, Magma,
    MagmaMgm, ParamSet, Sboxes,
};
use bulat_gpu::{Device, Engine, Options, Program};
use testkit::Random;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn device() -> Option<Arc<Device>> {
    static DEVICE: OnceLock<Option<Arc<Device>>> = OnceLock::new();
    let found = DEVICE.get_or_init(|| {
        let found = bulat_gpu::devices();
        if found.devices.is_empty() {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        }
        found.devices.into_iter().next()
    });
    found.clone()
}

fn options() -> Options {
    Options {
        least: 1 << 20,
        piece: 1 << 20,
        // A busy machine must not look like a device that hangs.
        patience: Duration::from_secs(1800),
        ..Options::default()
    }
}

fn bytes(r: &mut Random, n: usize) -> Vec<u8> {
    let mut all = vec![0; n];
    r.fill(&mut all);
    all
}

/// The keys of all jobs.
struct Keys {
    kuznyechik: Kuznyechik,
    magma: Magma,
    gost28147: Gost28147,
    kuznyechik_mgm: KuznyechikMgm,
    magma_mgm: MagmaMgm,
}

impl Keys {
    fn new(r: &mut Random) -> Self {
        let mut k = [0; 32];
        r.fill(&mut k);
        Keys {
            kuznyechik: Kuznyechik::new(&k),
            magma: Magma::new(&k),
            gost28147: Gost28147::new(&k, ParamSet::CryptoProA),
            kuznyechik_mgm: KuznyechikMgm::new(&k),
            magma_mgm: MagmaMgm::new(&k),
        }
    }
    /// Returns a mode that can be split, by number, and its IV's length.
    fn mode(&self, n: usize) -> (Key<'_>, Mode, usize) {
        let (k, m, g) =
            (Key::from(&self.kuznyechik), Key::from(&self.magma), Key::from(&self.gost28147));
        match n {
            0 => (k, Mode::Ecb(Direction::Encrypt), 0),
            1 => (m, Mode::Ecb(Direction::Decrypt), 0),
            2 => (k, Mode::Ctr, 8),
            3 => (m, Mode::Ctr, 4),
            4 => (k, Mode::Cbc(Direction::Decrypt), 16),
            5 => (m, Mode::Cbc(Direction::Decrypt), 8),
            6 => (k, Mode::Cfb(Direction::Decrypt), 16),
            7 => (g, Mode::Cfb(Direction::Decrypt), 8),
            8 => (g, Mode::Cnt(Meshing::None), 8),
            9 => (k, Mode::CtrAcpkm(4096), 8),
            _ => (m, Mode::CtrAcpkm(1024), 4),
        }
    }
}
const MODES: usize = 11;

/// Compares one text in this mode on the engine and on the processor.
fn text(
    engine: &Engine,
    keys: &Keys,
    n: usize,
    apart: bool,
    iv: &[u8],
    plain: &[u8],
) -> bulat_gpu::Report {
    let (key, mode, len) = keys.mode(n);
    let plain =
        if n == 0 || n == 1 || n == 4 || n == 5 { &plain[..plain.len() / 16 * 16] } else { plain };
    let iv = &iv[..len];
    let mut want = plain.to_vec();
    assert_eq!(run_on_threads(vec![Job::cipher(key, mode, iv, &mut want)]), [Ok(())]);
    let mut have = if apart { vec![0; plain.len()] } else { plain.to_vec() };
    let job = if apart {
        Job::cipher(key, mode, iv, (plain, &mut have[..]))
    } else {
        Job::cipher(key, mode, iv, &mut have)
    };
    let (results, report) = engine.run(vec![job]);
    assert_eq!(results, [Ok(())], "{mode:?}");
    assert!(have == want, "{mode:?}, {} bytes", plain.len());
    report
}

#[test]
fn every_job_is_as_on_the_processor() {
    let Some(device) = device() else { return };
    let engine = Engine::new(vec![device.clone()], options());
    let mut r = Random::new(1);
    let keys = Keys::new(&mut r);
    let iv = bytes(&mut r, 16);
    let mut by_device = 0;
    for n in 0..MODES {
        let size = (3 << 20) + r.below(100_000);
        let plain = bytes(&mut r, size);
        let report = text(&engine, &keys, n, n % 2 == 0, &iv, &plain);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        by_device += report.bytes.get(device.label()).copied().unwrap_or(0);
    }
    assert!(by_device > 0, "the device did nothing");
    // MGM in both directions, and with a wrong tag.
    let nonce = [1; 16];
    let plain = bytes(&mut r, (2 << 20) + 77);
    macro_rules! mgm {
        ($key:expr, $n:literal) => {{
            let (mut want, mut tag) = (plain.clone(), [0; $n]);
            assert_eq!(
                run_on_threads(vec![Job::seal($key, &nonce[..$n], b"header", &mut want, &mut tag)]),
                [Ok(())]
            );
            let (mut have, mut have_tag) = (plain.clone(), [0; $n]);
            let job = Job::seal($key, &nonce[..$n], b"header", &mut have, &mut have_tag);
            assert_eq!(engine.run(vec![job]).0, [Ok(())]);
            assert!(have == want && have_tag == tag, "sealing");
            let job = Job::open($key, &nonce[..$n], b"header", &mut have, &tag);
            assert_eq!(engine.run(vec![job]).0, [Ok(())]);
            assert!(have == plain, "opening");
            tag[0] ^= 1;
            let job = Job::open($key, &nonce[..$n], b"header", &mut want, &tag);
            assert_eq!(engine.run(vec![job]).0, [Err(bulat::Error::Verify)]);
            assert!(want != plain, "nothing is decrypted under a wrong tag");
        }};
    }
    mgm!(&keys.kuznyechik_mgm, 16);
    mgm!(&keys.magma_mgm, 8);
    // Lists of hashes and MACs, mixed with jobs that no device can do.
    let messages: Vec<Vec<u8>> = (0..3000)
        .map(|_| {
            let n = r.below(2000);
            bytes(&mut r, n)
        })
        .collect();
    let run = |engine: Option<&Engine>| {
        let (mut short, mut long, mut tags) =
            (vec![[0; 32]; 3000], vec![[0; 64]; 3000], vec![[0; 16]; 3000]);
        let mut jobs = Vec::new();
        for (((m, a), b), c) in messages.iter().zip(&mut short).zip(&mut long).zip(&mut tags) {
            jobs.push(Job::Hash256(m, a));
            jobs.push(Job::Hash512(m, b));
            if m.len() % 3 == 0 {
                jobs.push(Job::mac(&keys.kuznyechik, MacMode::Omac, m, c));
            } else {
                jobs.push(Job::mac(&keys.magma, MacMode::Omac, m, &mut c[..8]));
            }
        }
        // A refused job affects no other.
        let mut none = [0; 7];
        jobs.push(Job::cipher(&keys.kuznyechik, Mode::Ecb(Direction::Encrypt), &[], &mut none));
        let results = match engine {
            Some(e) => e.run(jobs).0,
            None => run_on_threads(jobs),
        };
        assert_eq!(results.iter().filter(|r| r.is_err()).count(), 1);
        (short, long, tags)
    };
    assert!(run(Some(&engine)) == run(None));
}

/// Lists of every sort that devices can do: chained modes, IMIT, HMAC, sectors, messages in MGM; in pieces of many
/// sizes.
#[test]
fn every_list_is_as_on_the_processor() {
    let Some(device) = device() else { return };
    let options = Options { least: 1, piece: 512 << 10, ..options() };
    let mut r = Random::new(6);
    let keys = Keys::new(&mut r);
    let rows = core::array::from_fn(|i| core::array::from_fn(|v| (7 * v + 3 * i) as u8 % 16));
    let own = Gost28147::new(&[5; 32], Sboxes::new(rows).unwrap());
    let xts = Xts::new(&[1; 32], &[2; 32]).unwrap();
    let tweaks: Vec<[u8; 16]> = (0..300).map(Xts::tweak).collect();
    let secrets: Vec<Vec<u8>> = (0..200).map(|i| bytes(&mut r, i)).collect();
    let (short, long): (Vec<_>, Vec<_>) =
        secrets.iter().map(|s| (HmacStreebog256::new(s), HmacStreebog512::new(s))).unzip();
    let texts: Vec<Vec<u8>> = (0..200).map(|i| bytes(&mut r, 8 * (i % 40) + i % 3)).collect();
    let iv = bytes(&mut r, 16);
    let sealed = bytes(&mut r, 20 * 5003);
    let nonces: Vec<[u8; 16]> = (0..20).map(|i| [i; 16]).collect();
    let run = |engine: Option<&Engine>| {
        let go = |jobs: Vec<Job<'_>>| match engine {
            Some(e) => {
                let (results, report) = e.run(jobs);
                assert!(
                    e.devices().len() > 1 || report.warnings.is_empty(),
                    "{:?}",
                    report.warnings
                );
                let by: u64 = report.bytes.iter().filter(|b| b.0 != "cpu").map(|b| *b.1).sum();
                (results, by)
            }
            None => (run_on_threads(jobs), 0),
        };
        let mut all: Vec<(&str, Vec<Vec<u8>>, Vec<Result<(), bulat::Error>>, u64)> = Vec::new();
        let k = Key::from(&keys.kuznyechik);
        let g = Key::from(&keys.gost28147);
        for (name, key, mode) in [
            ("kuznyechik cbc", k, Mode::Cbc(Direction::Encrypt)),
            ("kuznyechik ofb", k, Mode::Ofb),
            ("magma cfb", Key::from(&keys.magma), Mode::Cfb(Direction::Encrypt)),
            ("cfb 28147", g, Mode::Cfb28147(Direction::Encrypt, Meshing::None)),
            ("cbc 28147", g, Mode::Cbc28147(Direction::Encrypt, Meshing::None)),
            ("ofb, boxes of one's own", Key::from(&own), Mode::Ofb),
        ] {
            let n = if name.starts_with('k') { 16 } else { 8 };
            let mut out = texts.clone();
            if name.contains("cbc") {
                out.iter_mut().for_each(|t| t.truncate(t.len() / 16 * 16));
            }
            let jobs = out.iter_mut().map(|t| Job::cipher(key, mode, &iv[..n], t)).collect();
            let (results, by) = go(jobs);
            all.push((name, out, results, by));
        }
        let mut tags = vec![vec![0; 7]; texts.len()];
        let jobs = texts.iter().zip(&mut tags).map(|(t, tag)| Job::Mac {
            key: g,
            mode: MacMode::Imit(Meshing::None),
            iv: &iv[..8],
            message: t,
            tag,
        });
        let (results, by) = go(jobs.collect());
        all.push(("imit", tags, results, by));
        let (mut a, mut b) = (vec![[0; 32]; texts.len()], vec![[0; 64]; texts.len()]);
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (((t, a), b), (s, l)) in
            texts.iter().zip(&mut a).zip(&mut b).zip(short.iter().zip(&long))
        {
            jobs.push(Job::Hmac256(s, t, a));
            jobs.push(Job::Hmac512(l, t, b));
        }
        let (results, by) = go(jobs);
        let tags = a.iter().map(|t| t.to_vec()).chain(b.iter().map(|t| t.to_vec())).collect();
        all.push(("hmac", tags, results, by));
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut sectors = sealed[..150 * 512].to_vec();
            let jobs = sectors.chunks_mut(512).zip(&tweaks);
            let (results, by) = go(jobs.map(|(t, w)| Job::sector(&xts, w, direction, t)).collect());
            all.push(("sectors", vec![sectors], results, by));
        }
        macro_rules! mgm {
            ($key:expr, $n:literal) => {{
                let (mut text, mut tags) = (sealed.clone(), [[0; $n]; 20]);
                let jobs = text.chunks_mut(5003).zip(&mut tags).zip(&nonces);
                let seal = |((t, tag), n): ((_, _), &'_ [u8; 16])| (t, tag, n[..$n].to_vec());
                let mut parts: Vec<(&mut [u8], &mut [u8; $n], Vec<u8>)> = jobs.map(seal).collect();
                let jobs = parts.iter_mut();
                let (results, by) = go(jobs
                    .map(|(t, tag, n)| Job::seal($key, n, b"header", &mut **t, &mut tag[..]))
                    .collect());
                all.push(("sealed", vec![text.clone(), tags.concat()], results, by));
                // One tag is wrong: its text stays encrypted, the others are decrypted.
                tags[7][0] ^= 1;
                let nonces: Vec<_> = nonces.iter().map(|n| n[..$n].to_vec()).collect();
                let jobs = text.chunks_mut(5003).zip(&tags).zip(&nonces);
                let (results, by) = go(jobs
                    .map(|((t, tag), n)| Job::open($key, n, b"header", t, &tag[..]))
                    .collect());
                assert_eq!(results[7], Err(bulat::Error::Verify));
                text[7 * 5003..][..5003].fill(0);
                let mut plain = sealed.clone();
                plain[7 * 5003..][..5003].fill(0);
                assert!(text == plain);
                all.push(("opened", vec![text], results, by));
            }};
        }
        mgm!(&keys.kuznyechik_mgm, 16);
        mgm!(&keys.magma_mgm, 8);
        all
    };
    let want = run(None);
    for cpu in [false, true] {
        let engine = Engine::new(vec![device.clone()], Options { cpu, ..options.clone() });
        for (have, want) in run(Some(&engine)).into_iter().zip(&want) {
            assert!(have.1 == want.1 && have.2 == want.2, "{}", have.0);
            assert!(cpu || have.3 > 0, "{}: the device did nothing", have.0);
        }
    }
    // One of two devices fails at some point.
    for at in 0..6 {
        let one = device.anew(true);
        one.faults().fails.store(1 + 3 * at, Ordering::Relaxed);
        let engine = Engine::new(vec![one, device.anew(true)], options.clone());
        for (have, want) in run(Some(&engine)).into_iter().zip(&want) {
            assert!(have.1 == want.1 && have.2 == want.2, "{}, failure {at}", have.0);
        }
    }
}

/// A file has a key for every few chunks, so a call has messages of many keys; one has a bad nonce, one a wrong tag.
#[test]
fn messages_of_many_keys_run_together() {
    let Some(device) = device() else { return };
    let mut r = Random::new(8);
    let keys: Vec<MagmaMgm> = (0..24).map(|i| MagmaMgm::new(&[i; 32])).collect();
    let plain: Vec<Vec<u8>> =
        (0..96).map(|i| bytes(&mut r, 4096 + i / 4 % 3 * 8 + i % 2)).collect();
    // No list of one key has as many bytes, but all together do.
    let least = 90 * 4096;
    let engine = Engine::new(vec![device], Options { cpu: false, least, ..options() });
    let go = |jobs: Vec<Job<'_>>, on_device: bool| {
        if !on_device {
            return run_on_threads(jobs);
        }
        let (results, report) = engine.run(jobs);
        assert!(report.warnings.is_empty() && report.bytes.len() == 2, "{report:?}");
        assert_eq!(report.bytes["cpu"], 0);
        results
    };
    let run = |on_device: bool| {
        let (mut texts, mut tags) = (plain.clone(), vec![[0; 8]; plain.len()]);
        let jobs = texts.iter_mut().zip(&mut tags).enumerate().map(|(i, (text, tag))| {
            let nonce = if i == 5 { &[0x81; 8] } else { &[1; 8] };
            Job::seal(&keys[i / 4], nonce, b"", &mut text[..], tag)
        });
        let sealed = go(jobs.collect(), on_device);
        assert_eq!(sealed.iter().filter(|r| r.is_err()).count(), 1);
        tags[9][0] ^= 1;
        let jobs = texts
            .iter_mut()
            .zip(&tags)
            .enumerate()
            .map(|(i, (text, tag))| Job::open(&keys[i / 4], &[1; 8], b"", &mut text[..], tag));
        let opened = go(jobs.collect(), on_device);
        assert_eq!(opened[9], Err(bulat::Error::Verify));
        (texts, tags, sealed, opened)
    };
    assert!(run(true) == run(false));
}

/// A device fails or hangs, at any point.
#[test]
fn nothing_is_lost_with_a_device() {
    let Some(device) = device() else { return };
    device
        .prepare(&[Program::Kuznyechik, Program::Magma, Program::Gf, Program::Gost28147(1)])
        .unwrap();
    let mut r = Random::new(2);
    let keys = Keys::new(&mut r);
    let iv = bytes(&mut r, 16);
    let plain = bytes(&mut r, (1 << 20) + 300_001);
    let (mut lost, mut hung) = (0, 0);
    for run in 0..number("BULAT_GPU_RUNS", 200) {
        let (one, other) = (device.anew(true), device.anew(true));
        let hangs = run % 8 == 0;
        let patience = Duration::from_millis(if hangs { 300 } else { 60_000 });
        let at = 1 + r.below(3) as u64;
        if hangs { &one.faults().hangs } else { &one.faults().fails }.store(at, Ordering::Relaxed);
        // Sometimes both fail.
        if run % 5 == 0 {
            other.faults().fails.store(1 + r.below(4) as u64, Ordering::Relaxed);
        }
        let options = Options { patience, cpu: run % 3 != 0, piece: 256 << 10, ..options() };
        let engine = Engine::new(vec![one.clone(), other], options);
        let report = text(&engine, &keys, r.below(MODES), run % 2 == 0, &iv, &plain);
        if one.lost().is_some() {
            assert!(!report.warnings.is_empty());
            lost += 1;
            hung += usize::from(hangs);
        }
    }
    println!("{lost} runs lost a device, {hung} of them by its hanging");
    assert!(lost > 0);
}

/// The self-test finds a kernel that gives a wrong answer; the device is not used, and a warning says so.
#[test]
fn a_wrong_device_is_left_out() {
    let Some(device) = device() else { return };
    let wrong = device.anew(false);
    wrong.faults().wrong.store(1, Ordering::Relaxed);
    let engine = Engine::new(vec![wrong.clone()], options());
    let mut r = Random::new(3);
    let keys = Keys::new(&mut r);
    let (iv, plain) = (bytes(&mut r, 16), bytes(&mut r, 2 << 20));
    let report = text(&engine, &keys, 3, false, &iv, &plain);
    println!("{}", report.warnings[0]);
    assert!(report.warnings[0].contains("wrong answer") && wrong.lost().is_some());
    assert_eq!(report.bytes.get("cpu").copied(), Some(2 << 20));
    assert!(wrong.channel().is_err());
}

/// A device without enough memory for its pieces is not used, and a warning says so.
#[test]
fn a_device_without_memory_is_left_out() {
    let Some(device) = device() else { return };
    device.prepare(&[Program::Magma]).unwrap();
    let engine = Engine::new(vec![device.anew(true)], Options { piece: 1 << 46, ..options() });
    let mut r = Random::new(7);
    let keys = Keys::new(&mut r);
    let (iv, plain) = (bytes(&mut r, 16), bytes(&mut r, 2 << 20));
    let report = text(&engine, &keys, 3, false, &iv, &plain);
    println!("{}", report.warnings[0]);
    assert!(report.warnings[0].contains("memory"));
}

/// A device runs out of memory in the middle of the work.
#[test]
fn a_device_that_is_full_loses_nothing() {
    let Some(device) = device() else { return };
    device.prepare(&[Program::Kuznyechik, Program::Magma, Program::Gf]).unwrap();
    let mut r = Random::new(9);
    let keys = Keys::new(&mut r);
    let (iv, plain) = (bytes(&mut r, 16), bytes(&mut r, (2 << 20) + 5));
    let mut full = 0;
    for at in 1..12 {
        let one = device.anew(true);
        one.faults().full.store(at, Ordering::Relaxed);
        let options = Options { cpu: at % 2 == 0, piece: 256 << 10, ..options() };
        let engine = Engine::new(vec![one, device.anew(true)], options);
        let report = text(&engine, &keys, if at % 3 == 0 { 9 } else { 2 }, false, &iv, &plain);
        full += usize::from(report.warnings.iter().any(|w| w.contains("bytes of memory left")));
    }
    println!("{full} of 11 runs had a device without memory");
    assert!(full > 3);
}

/// Two devices of different speeds: the slow one does less.
#[test]
fn shares_follow_speed() {
    let Some(device) = device() else { return };
    device.prepare(&[Program::Magma]).unwrap();
    let (fast, slow) = (device.anew(true), device.anew(true));
    slow.faults().slow.store(100, Ordering::Relaxed);
    // A fault that is too far away to happen counts the launches.
    const FAR: u64 = 1 << 40;
    fast.faults().fails.store(FAR, Ordering::Relaxed);
    slow.faults().fails.store(FAR, Ordering::Relaxed);
    let launches = |device: &Device| FAR - device.faults().fails.load(Ordering::Relaxed);
    let options = Options { cpu: false, piece: 256 << 10, ..options() };
    let engine = Engine::new(vec![fast.clone(), slow.clone()], options);
    let mut r = Random::new(4);
    let keys = Keys::new(&mut r);
    let (iv, plain) = (bytes(&mut r, 16), bytes(&mut r, 8 << 20));
    text(&engine, &keys, 3, false, &iv, &plain);
    println!("launches: {}, slow {}", launches(&fast), launches(&slow));
    assert!(launches(&fast) > 2 * launches(&slow));
}

/// A long text in pieces, in place, hybrid and on the processor.
#[test]
fn many_bytes() {
    let Some(device) = device() else { return };
    let engine =
        Engine::new(vec![device], Options { least: 1 << 20, piece: 8 << 20, ..Options::default() });
    let mut r = Random::new(5);
    let keys = Keys::new(&mut r);
    let iv = bytes(&mut r, 16);
    let plain = bytes(&mut r, 64 << 20);
    let (mut left, mut n) = (number("BULAT_GPU_MB", 64), 0);
    while left > 0 {
        let mode = [2, 3, 8][n % 3];
        text(&engine, &keys, mode, false, &iv, &plain[..left.min(64) << 20]);
        (left, n) = (left.saturating_sub(64), n + 1);
    }
}

/// Keys of many passwords of every length, some of several blocks; also with a device that fails.
#[test]
fn passwords_are_as_on_the_processor() {
    use bulat::kdf::{Candidate, pbkdf2_many};
    let Some(device) = device() else { return };
    let mut r = Random::new(8);
    let passwords: Vec<Vec<u8>> = (0..300).map(|i| bytes(&mut r, i % 90)).collect();
    let salts: Vec<Vec<u8>> = (0..300).map(|i| bytes(&mut r, i % 40)).collect();
    let lengths: Vec<usize> = (0..300).map(|i| 1 + (i * 7) % 150).collect();
    let derive = |iterations: u32, engine: Option<&Engine>| {
        let mut out: Vec<Vec<u8>> = lengths.iter().map(|n| vec![0; *n]).collect();
        let mut all: Vec<Candidate<'_>> = passwords
            .iter()
            .zip(&salts)
            .zip(&mut out)
            .map(|((password, salt), dk)| Candidate { password, salt, dk })
            .collect();
        let report = match engine {
            Some(engine) => {
                let (result, report) = engine.pbkdf2(iterations, &mut all);
                result.unwrap();
                report
            }
            None => {
                pbkdf2_many::<64>(iterations, &mut all).unwrap();
                bulat_gpu::Report::default()
            }
        };
        (out, report)
    };
    for (iterations, cpu) in [(1, false), (2, true), (7, false)] {
        let options = Options { cpu, least: 1, piece: 256 << 10, ..options() };
        let engine = Engine::new(vec![device.clone()], options.clone());
        let want = derive(iterations, None).0;
        let (have, report) = derive(iterations, Some(&engine));
        assert!(have == want, "{iterations} iterations");
        assert!(cpu || report.bytes.contains_key(device.label()));
        let one = device.anew(true);
        one.faults().fails.store(4, Ordering::Relaxed);
        let engine = Engine::new(vec![one], options);
        let (have, report) = derive(iterations, Some(&engine));
        assert!(have == want && (cpu || report.warnings.len() == 1), "a device failed");
    }
    // Refused as by the library.
    let engine = Engine::new(vec![device], Options { least: 1, ..options() });
    let mut none = [0; 0];
    let mut all = vec![Candidate { password: b"a", salt: b"b", dk: &mut none }];
    assert_eq!(engine.pbkdf2(5, &mut all).0, Err(bulat::Error::Parameter));
}
