//! The engine over the processor and devices: its results equal the processor's. `fake` has devices that fail.
//!
//! `BULAT_GPU_MB` sets how many megabytes `many_bytes` processes (64): CI does few, a release 10240.
#![cfg(any(feature = "opencl", feature = "cuda"))]

#[path = "jobs/device.rs"]
mod device;
mod jobs;

use std::time::Duration;

use bulat::batch::{AeadKey, Job, MacMode, Mode, run_on_threads};
use bulat::{Direction, MagmaMgm};
use bulat_gpu::{Engine, Options, Report};
use device::device;
use jobs::{Keys, MODES, lists, text};
use testkit::Random;

fn options() -> Options {
    Options {
        least: 1 << 20,
        piece: 1 << 20,
        // A busy machine must not look like a device that hangs.
        patience: Duration::from_secs(1800),
        ..Options::default()
    }
}

#[test]
fn every_job_is_as_on_the_processor() {
    let Some(device) = device() else { return };
    let engine = Engine::new(vec![device.clone()], options());
    let mut r = Random::new(1);
    let keys = Keys::new(&mut r);
    let iv = r.bytes(16);
    let mut by_device = 0;
    for n in 0..MODES {
        let size = (3 << 20) + r.below(100_000);
        let plain = r.bytes(size);
        let report = text(&engine, &keys, n, n % 2 == 0, &iv, &plain);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        by_device += report.bytes.get(device.label()).copied().unwrap_or(0);
    }
    assert!(by_device > 0, "the device did nothing");
    // MGM in both directions, and with a wrong tag.
    let nonce = [1; 16];
    let plain = r.bytes((2 << 20) + 77);
    for (key, n) in [(AeadKey::from(&keys.kuznyechik_mgm), 16), (AeadKey::from(&keys.magma_mgm), 8)]
    {
        let nonce = &nonce[..n];
        let (mut want, mut tag) = (plain.clone(), vec![0; n]);
        let job = Job::seal(key, nonce, b"header", &mut want, &mut tag);
        assert_eq!(run_on_threads(vec![job]), [Ok(())]);
        let (mut have, mut have_tag) = (plain.clone(), vec![0; n]);
        let job = Job::seal(key, nonce, b"header", &mut have, &mut have_tag);
        assert_eq!(engine.run(vec![job]).0, [Ok(())]);
        assert!(have == want && have_tag == tag, "sealing");
        let job = Job::open(key, nonce, b"header", &mut have, &tag);
        assert_eq!(engine.run(vec![job]).0, [Ok(())]);
        assert!(have == plain, "opening");
        tag[0] ^= 1;
        let job = Job::open(key, nonce, b"header", &mut want, &tag);
        assert_eq!(engine.run(vec![job]).0, [Err(bulat::Error::Verify)]);
        assert!(want != plain, "nothing is decrypted under a wrong tag");
    }
    // Lists of hashes and MACs, mixed with jobs that no device can do.
    let lens: Vec<usize> = (0..3000).map(|_| r.below(2000)).collect();
    let messages: Vec<Vec<u8>> = lens.into_iter().map(|n| r.bytes(n)).collect();
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

/// Lists in pieces of many sizes.
#[test]
fn every_list_is_as_on_the_processor() {
    let Some(device) = device() else { return };
    let want = lists(|jobs| (run_on_threads(jobs), 0));
    for cpu in [false, true] {
        let options = Options { cpu, least: 1, piece: 512 << 10, ..options() };
        let engine = Engine::new(vec![device.clone()], options);
        let have = lists(|jobs| {
            let (results, report) = engine.run(jobs);
            assert!(report.warnings.is_empty(), "{:?}", report.warnings);
            (results, report.bytes.get(device.label()).copied().unwrap_or(0))
        });
        for (have, want) in have.into_iter().zip(&want) {
            assert!(have.1 == want.1 && have.2 == want.2, "{}", have.0);
            assert!(cpu || have.3 > 0, "{}: the device did nothing", have.0);
        }
    }
}

/// A file has a key for every few chunks, so a call has messages of many keys; one has a bad nonce, one a wrong tag.
#[test]
fn messages_of_many_keys_run_together() {
    let Some(device) = device() else { return };
    let mut r = Random::new(8);
    let keys: Vec<MagmaMgm> = (0..24).map(|i| MagmaMgm::new(&[i; 32])).collect();
    let plain: Vec<Vec<u8>> = (0..96).map(|i| r.bytes(4096 + i / 4 % 3 * 8 + i % 2)).collect();
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

/// A long text in pieces, in place, hybrid and on the processor.
#[test]
fn many_bytes() {
    let Some(device) = device() else { return };
    let engine =
        Engine::new(vec![device], Options { least: 1 << 20, piece: 8 << 20, ..Options::default() });
    let mut r = Random::new(5);
    let keys = Keys::new(&mut r);
    let iv = r.bytes(16);
    let plain = r.bytes(64 << 20);
    let megabytes = std::env::var("BULAT_GPU_MB").ok().and_then(|n| n.parse().ok());
    let (mut left, mut n) = (megabytes.unwrap_or(64usize), 0);
    while left > 0 {
        let mode = [2, 3, 8][n % 3];
        text(&engine, &keys, mode, false, &iv, &plain[..left.min(64) << 20]);
        (left, n) = (left.saturating_sub(64), n + 1);
    }
}

/// Keys of many passwords of every length, some of several blocks.
#[test]
fn passwords_are_as_on_the_processor() {
    use bulat::kdf::{Candidate, pbkdf2_many};
    let Some(device) = device() else { return };
    let mut r = Random::new(8);
    let passwords: Vec<Vec<u8>> = (0..300).map(|i| r.bytes(i % 90)).collect();
    let salts: Vec<Vec<u8>> = (0..300).map(|i| r.bytes(i % 40)).collect();
    let lengths: Vec<usize> = (0..300).map(|i| 1 + (i * 7) % 150).collect();
    let derive = |iterations: u32, engine: Option<&Engine>| {
        let mut out: Vec<Vec<u8>> = lengths.iter().map(|n| vec![0; *n]).collect();
        let mut all: Vec<Candidate<'_>> = passwords
            .iter()
            .zip(&salts)
            .zip(&mut out)
            .map(|((password, salt), dk)| Candidate { password, salt, dk })
            .collect();
        let (result, report) = match engine {
            Some(engine) => engine.pbkdf2(iterations, &mut all),
            None => (pbkdf2_many::<64>(iterations, &mut all), Report::default()),
        };
        result.unwrap();
        (out, report)
    };
    for (iterations, cpu) in [(1, false), (2, true), (7, false)] {
        let options = Options { cpu, least: 1, piece: 256 << 10, ..options() };
        let engine = Engine::new(vec![device.clone()], options);
        let want = derive(iterations, None).0;
        let (have, report) = derive(iterations, Some(&engine));
        assert!(have == want, "{iterations} iterations");
        assert!(cpu || report.bytes.contains_key(device.label()));
    }
    // Refused as by the library.
    let engine = Engine::new(vec![device], Options { least: 1, ..options() });
    let mut none = [0; 0];
    let mut all = vec![Candidate { password: b"a", salt: b"b", dk: &mut none }];
    assert_eq!(engine.pbkdf2(5, &mut all).0, Err(bulat::Error::Parameter));
}
