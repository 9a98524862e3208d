//! Many at once: batches of chained modes, of MGM and of CMS, bursts of ESP, sectors of XTS.

use bulat::batch::{self, CmsKey, Job, Key, MacMode, Mode, Work};
use bulat::esp::{self, Association, Packet, Transform};
use bulat::magma::ParamSet;
use bulat::modes::{CtrAcpkmOmac, Meshing, Xts};
use bulat::{Direction, Gost28147, Kuznyechik, Magma};

use crate::typed::{Case, key};
use crate::{digits, pattern, secret, valgrind};
use Direction::{Decrypt, Encrypt};

/// Every case; each is run on the kernel that is forced at the time.
pub const CASES: [Case; 22] = [
    ("key files: digits made, looked at and read", || {
        let digits = digits::encode(&secret(32, 1));
        let mut key = [0; 32];
        std::hint::black_box((digits::decode(&digits, &mut key), key));
        for file in [[&digits[..], b"\r\n"].concat(), secret(66, 2)] {
            std::hint::black_box(digits::forms(&file));
        }
    }),
    ("batch: CBC, own keys", || chained(&[Mode::Cbc(Encrypt), Mode::Cbc(Decrypt)])),
    ("batch: CFB, own keys", || chained(&[Mode::Cfb(Encrypt), Mode::Cfb(Decrypt)])),
    ("batch: OFB, ECB, CTR, own keys", || chained(&[Mode::Ofb, Mode::Ecb(Encrypt), Mode::Ctr])),
    ("batch: CTR-ACPKM, own keys", || chained(&[Mode::CtrAcpkm(64)])),
    ("batch: CNT with and without meshing", || {
        old(&[Mode::Cnt(Meshing::None), Mode::Cnt(Meshing::CryptoPro)]);
    }),
    ("batch: CFB with meshing", || {
        old(&[Encrypt, Decrypt].map(|d| Mode::Cfb28147(d, Meshing::CryptoPro)));
    }),
    ("batch: CBC with meshing", || {
        old(&[Encrypt, Decrypt].map(|d| Mode::Cbc28147(d, Meshing::CryptoPro)));
    }),
    ("batch: OMAC, own keys", || macs(MacMode::Omac)),
    ("batch: OMAC-ACPKM, own keys", || macs(MacMode::OmacAcpkm { section: 64, period: 96 })),
    ("batch: IMIT with and without meshing", || {
        macs(MacMode::Imit(Meshing::None));
        macs(MacMode::Imit(Meshing::CryptoPro));
    }),
    ("batch: MGM, one key", || mgm(1)),
    ("batch: MGM, own keys", || mgm(20)),
    ("batch: MGM, wrong tags", || {
        let (key, mut texts, tag) = (Kuznyechik::new(&key(1)), texts(2), pattern(16, 4));
        let (nonce, key) = (pattern(16, 2), Key::Kuznyechik(&key));
        let open = |text: &mut Vec<u8>| {
            batch(&mut [Job::new(Work::Open {
                key,
                nonce: &nonce,
                aad: b"header",
                text: text[..].as_mut().into(),
                tag: &tag,
            })])
        };
        texts.iter_mut().for_each(|text| assert!(!open(text)));
    }),
    ("batch: CMS", cms),
    ("batch: sectors of XTS", || {
        let (xts, mut all) = (xts(), texts(20));
        for direction in [Encrypt, Decrypt] {
            let tweaks: Vec<_> = (0..20).map(Xts::tweak).collect();
            let jobs = all.iter_mut().zip(&tweaks).filter(|(text, _)| text.len() >= 16);
            let mut jobs: Vec<_> = jobs
                .map(|(text, tweak)| {
                    let text = text[..].as_mut().into();
                    Job::new(Work::Sector { key: &xts, direction, tweak, text })
                })
                .collect();
            assert!(batch(&mut jobs));
        }
    }),
    ("xts: sectors of 512, 520 and 4096 bytes", || {
        let xts = xts();
        for size in [512, 520, 4096] {
            let mut text = secret(3 * size, 5);
            for direction in [Encrypt, Decrypt] {
                let all = text[..].as_mut().into();
                xts.sectors(7, size, all, direction).expect("whole sectors");
                let all = text[..].as_mut().into();
                xts.sectors_at(&[9, 1, 1 << 70], size, all, direction).expect("whole sectors");
            }
        }
    }),
    ("esp: Kuznyechik", || burst(Transform::KuznyechikMgm)),
    ("esp: Magma", || burst(Transform::MagmaMgm)),
    ("esp: Kuznyechik, authentication alone", || burst(Transform::KuznyechikMac)),
    ("esp: Magma, authentication alone", || burst(Transform::MagmaMac)),
    ("esp: a wrong ICV", || {
        let mut all = [association(Transform::KuznyechikMgm, 1)];
        let (mut text, mut icv) = (secret(100, 3), pattern(12, 4));
        let mut packet = [Packet::new(0, esp::iv(5), &[7; 8], &mut text, &mut icv)];
        esp::open(&mut all, &mut packet);
        assert!(packet[0].result.is_err());
    }),
];

/// Whether all jobs were done.
fn batch(jobs: &mut [Job<'_>]) -> bool {
    batch::run(jobs);
    jobs.iter().all(|job| job.result.is_ok())
}

/// Secret texts of whole blocks, of several lengths.
fn texts(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| secret([16, 48, 160, 2064][i % 4], i as u8)).collect()
}

/// Messages under keys of their own in each of the modes.
fn chained(modes: &[Mode]) {
    let kuznyechik: Vec<_> = (0..20).map(|i| Kuznyechik::new(&key(i))).collect();
    let magma: Vec<_> = (0..20).map(|i| Magma::new(&key(i))).collect();
    for mode in modes {
        cipher(kuznyechik.iter().map(Key::Kuznyechik), *mode, 16);
        cipher(magma.iter().map(Key::Magma), *mode, 8);
    }
}

/// The same in the modes of GOST 28147-89.
fn old(modes: &[Mode]) {
    let keys = gost28147();
    for mode in modes {
        cipher(keys.iter().map(Key::Gost28147), *mode, 8);
    }
}

fn gost28147() -> Vec<Gost28147> {
    let sets = [ParamSet::Tc26Z, ParamSet::CryptoProA];
    (0..20).map(|i| Gost28147::new(&key(i), sets[usize::from(i) % 2])).collect()
}

fn cipher<'a>(keys: impl Iterator<Item = Key<'a>>, mode: Mode, block: usize) {
    let iv = match mode {
        Mode::Ecb(_) => 0,
        Mode::Ctr | Mode::CtrAcpkm(_) => block / 2,
        _ => block,
    };
    let (iv, mut texts) = (pattern(iv, 2), texts(20));
    let mut jobs: Vec<_> = keys
        .zip(&mut texts)
        .map(|(key, text)| {
            Job::new(Work::Cipher { key, mode, iv: &iv, text: text[..].as_mut().into() })
        })
        .collect();
    assert!(batch(&mut jobs));
}

fn macs(mode: MacMode) {
    fn run<'a>(keys: impl Iterator<Item = Key<'a>>, mode: MacMode) {
        let (texts, mut tags) = (texts(20), [[0; 4]; 20]);
        let mut jobs: Vec<_> = keys
            .zip(texts.iter().zip(&mut tags))
            .map(|(key, (message, tag))| Job::new(Work::Mac { key, mode, iv: &[], message, tag }))
            .collect();
        assert!(batch(&mut jobs));
    }
    if let MacMode::Imit(_) = mode {
        return run(gost28147().iter().map(Key::Gost28147), mode);
    }
    let kuznyechik: Vec<_> = (0..20).map(|i| Kuznyechik::new(&key(i))).collect();
    let magma: Vec<_> = (0..20).map(|i| Magma::new(&key(i))).collect();
    run(kuznyechik.iter().map(Key::Kuznyechik), mode);
    run(magma.iter().map(Key::Magma), mode);
}

/// Messages under so many keys, sealed and opened.
fn mgm(keys: usize) {
    fn run(keys: &[Key<'_>], block: usize) {
        let (mut texts, mut tags) = (texts(20), vec![vec![0; block]; 20]);
        let nonces: Vec<_> = (0..20).map(|i| [&[i], &pattern(block - 1, i)[..]].concat()).collect();
        let mut jobs: Vec<_> = (texts.iter_mut().zip(&mut tags).zip(&nonces).enumerate())
            .map(|(i, ((text, tag), nonce))| {
                let (key, text) = (keys[i % keys.len()], text[..].as_mut().into());
                Job::new(Work::Seal { key, nonce, aad: &[7; 20], text, tag })
            })
            .collect();
        assert!(batch(&mut jobs));
        drop(jobs);
        tags.iter().for_each(|tag| valgrind::public(tag));
        let mut jobs: Vec<_> = (texts.iter_mut().zip(&tags).zip(&nonces).enumerate())
            .map(|(i, ((text, tag), nonce))| {
                let (key, text) = (keys[i % keys.len()], text[..].as_mut().into());
                Job::new(Work::Open { key, nonce, aad: &[7; 20], text, tag })
            })
            .collect();
        assert!(batch(&mut jobs));
    }
    let kuznyechik: Vec<_> = (0..keys as u8).map(|i| Kuznyechik::new(&key(i))).collect();
    let magma: Vec<_> = (0..keys as u8).map(|i| Magma::new(&key(i))).collect();
    run(&kuznyechik.iter().map(Key::Kuznyechik).collect::<Vec<_>>(), 16);
    run(&magma.iter().map(Key::Magma).collect::<Vec<_>>(), 8);
}

fn cms() {
    fn run(key: CmsKey<'_>, block: usize) {
        let (mut texts, mut tags) = (texts(8), vec![vec![0; block]; 8]);
        let ukms: Vec<_> = (0..8).map(|i| pattern(block / 2 + 8, i)).collect();
        let mut jobs: Vec<_> = (texts.iter_mut().zip(&mut tags).zip(&ukms))
            .map(|((text, tag), ukm)| {
                Job::new(Work::SealCms { key, ukm, text: text[..].as_mut().into(), tag })
            })
            .collect();
        assert!(batch(&mut jobs));
        drop(jobs);
        tags.iter().for_each(|tag| valgrind::public(tag));
        tags[3][0] ^= 1;
        let mut jobs: Vec<_> = (texts.iter_mut().zip(&tags).zip(&ukms))
            .map(|((text, tag), ukm)| {
                Job::new(Work::OpenCms { key, ukm, text: text[..].as_mut().into(), tag })
            })
            .collect();
        batch(&mut jobs);
        assert!(jobs.iter().enumerate().all(|(i, job)| job.result.is_ok() == (i != 3)));
    }
    let kuznyechik = CtrAcpkmOmac::new(Kuznyechik::new, &key(1), &[0; 16], 1024);
    run(CmsKey::Kuznyechik(&kuznyechik.expect("lengths")), 16);
    let magma = CtrAcpkmOmac::new(Magma::new, &key(2), &[0; 12], 1024);
    run(CmsKey::Magma(&magma.expect("lengths")), 8);
}

fn xts() -> Xts {
    Xts::new(&key(1), &key(2)).expect("two keys")
}

fn association(transform: Transform, seed: u8) -> Association {
    Association::new(transform, &secret(transform.key_len(), seed)).expect("its length")
}

/// Packets of three associations, at several leaves, sealed and opened.
fn burst(transform: Transform) {
    let mut us: Vec<_> = (0..3).map(|i| association(transform, i)).collect();
    let mut them: Vec<_> = (0..3).map(|i| association(transform, i)).collect();
    let (mut texts, mut icvs) = (texts(18), vec![vec![0; transform.icv_len()]; 18]);
    let number = |i: usize| [1u64, 0xff_ffff, 0x100_0000, 1 << 41][i % 4] + 64 * i as u64;
    let mut packets: Vec<_> = (texts.iter_mut().zip(&mut icvs).enumerate())
        .map(|(i, (text, icv))| Packet::new(i % 3, esp::iv(number(i)), &[7; 12], text, icv))
        .collect();
    esp::seal(&mut us, &mut packets);
    assert!(packets.iter().all(|p| p.result.is_ok()));
    drop(packets);
    icvs.iter().for_each(|icv| valgrind::public(icv));
    let mut packets: Vec<_> = (texts.iter_mut().zip(&mut icvs).enumerate())
        .map(|(i, (text, icv))| Packet::new(i % 3, esp::iv(number(i)), &[7; 12], text, icv))
        .collect();
    esp::open(&mut them, &mut packets);
    assert!(packets.iter().all(|p| p.result.is_ok()));
}
