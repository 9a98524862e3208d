//! Many at once: batches of chained modes, of MGM and of CMS, bursts of ESP, sectors of XTS.

use bulat::algorithm::{self, ALGORITHMS, Kind, Message, Params, Work};
use bulat::batch::{self, AeadKey, Job, Key, Mode};
use bulat::esp::{self, Association, Packet, Transform};
use bulat::modes::{CtrAcpkmOmac, Meshing, Xts};
use bulat::{Direction, Gost28147, Kuznyechik, KuznyechikMgm, Magma, MagmaMgm, ParamSet};

use crate::typed::{Case, key};
use crate::{digits, pattern, secret, valgrind};
use Direction::{Decrypt, Encrypt};

/// Every case; each is run on the kernel that is forced at the time.
pub const CASES: [Case; 20] = [
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
    ("batch: every MAC of the table, own keys", macs),
    ("batch: MGM, one key", || mgm(1)),
    ("batch: MGM, own keys", || mgm(20)),
    ("batch: MGM, wrong tags", || {
        let (key, mut texts, tag) = (KuznyechikMgm::new(&key(1)), texts(2), pattern(16, 4));
        let nonce = pattern(16, 2);
        let open = |text| Job::open(&key, &nonce, b"header", text, &tag);
        let results = batch::run(texts.iter_mut().map(|text| open(text.as_mut_slice())).collect());
        assert!(results.iter().all(|result| result.is_err()));
    }),
    ("batch: CMS", cms),
    ("batch: sectors of XTS", || {
        let (xts, mut all) = (xts(), texts(20));
        for direction in [Encrypt, Decrypt] {
            let tweaks: Vec<_> = (0..20).map(Xts::tweak).collect();
            let jobs = all.iter_mut().zip(&tweaks);
            run(jobs.map(|(text, tweak)| Job::sector(&xts, tweak, direction, text.as_mut_slice())));
        }
    }),
    ("xts: sectors of 512, 520 and 4096 bytes", || {
        let xts = xts();
        for size in [512, 520, 4096] {
            let mut text = secret(3 * size, 5);
            for direction in [Encrypt, Decrypt] {
                xts.sectors(7, size, direction, &mut text).expect("whole sectors");
                xts.sectors_at(&[9, 1, 1 << 70], size, direction, &mut text)
                    .expect("whole sectors");
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
        assert!(esp::open(&mut all, &mut packet).is_err());
    }),
];

/// Jobs that are all right.
fn run<'a>(jobs: impl Iterator<Item = Job<'a>>) {
    assert!(batch::run(jobs.collect()).iter().all(|result| result.is_ok()));
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

/// Runs the modes of GOST 28147-89.
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
    run(keys.zip(&mut texts).map(|(key, text)| Job::cipher(key, mode, &iv, text.as_mut_slice())));
}

/// Each MAC with sections and without meshing, where it has them, and with its defaults.
fn macs() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == Kind::Mac) {
        let mut options = vec![];
        for (section, meshing) in [(Some(64), None), (None, Some(false)), (None, None)] {
            let period = section.map(|_| 96);
            let make = |i| {
                let (key, tag_len) = (key(i), Some(4));
                algorithm.key(&Params { section, period, meshing, tag_len, ..Params::new(&key) })
            };
            options.extend((0..20).map(make).collect::<Result<Vec<_>, _>>());
        }
        assert!(!options.is_empty(), "{}", algorithm.name);
        for keys in &options {
            let (texts, mut tags) = (texts(20), [[0; 4]; 20]);
            let all = keys.iter().zip(texts.iter().zip(&mut tags));
            let all = all.map(|(key, (message, tag))| Message {
                key,
                iv: &[],
                work: Work::Mac(message, tag),
            });
            assert!(algorithm::run(all.collect()).iter().all(|result| result.is_ok()));
        }
    }
}

/// Messages of whole blocks under these keys in turn, sealed and opened; `nonce` bytes are a message's nonce
/// or UKM. One tag is wrong.
fn aead(keys: &[AeadKey<'_>], nonce: usize, block: usize, aad: &[u8]) {
    let (mut texts, mut tags) = (texts(20), vec![vec![0; block]; 20]);
    let nonces: Vec<_> = (0..20).map(|i| [&[i], &pattern(nonce - 1, i)[..]].concat()).collect();
    let all = texts.iter_mut().zip(&mut tags).zip(&nonces).zip(keys.iter().cycle());
    run(all
        .map(|(((text, tag), nonce), key)| Job::seal(*key, nonce, aad, text.as_mut_slice(), tag)));
    tags.iter().for_each(|tag| valgrind::public(tag));
    tags[3][0] ^= 1;
    let all = texts.iter_mut().zip(&tags).zip(&nonces).zip(keys.iter().cycle());
    let open = all
        .map(|(((text, tag), nonce), key)| Job::open(*key, nonce, aad, text.as_mut_slice(), tag));
    let results = batch::run(open.collect());
    assert!(results.iter().enumerate().all(|(i, result)| result.is_ok() == (i != 3)));
}

fn mgm(keys: u8) {
    let kuznyechik: Vec<_> = (0..keys).map(|i| KuznyechikMgm::new(&key(i))).collect();
    let magma: Vec<_> = (0..keys).map(|i| MagmaMgm::new(&key(i))).collect();
    aead(&kuznyechik.iter().map(AeadKey::from).collect::<Vec<_>>(), 16, 16, &[7; 20]);
    aead(&magma.iter().map(AeadKey::from).collect::<Vec<_>>(), 8, 8, &[7; 20]);
}

fn cms() {
    let kuznyechik = CtrAcpkmOmac::<Kuznyechik>::new(&key(1), 1024).expect("its section");
    aead(&[(&kuznyechik).into()], 16, 16, &[]);
    let magma = CtrAcpkmOmac::<Magma>::new(&key(2), 1024).expect("its section");
    aead(&[(&magma).into()], 12, 8, &[]);
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
    assert!(esp::seal(&mut us, &mut packets).is_ok());
    drop(packets);
    icvs.iter().for_each(|icv| valgrind::public(icv));
    let mut packets: Vec<_> = (texts.iter_mut().zip(&mut icvs).enumerate())
        .map(|(i, (text, icv))| Packet::new(i % 3, esp::iv(number(i)), &[7; 12], text, icv))
        .collect();
    assert!(esp::open(&mut them, &mut packets).is_ok());
}
