//! Batches against the same jobs one at a time, all algorithms mixed; errors that stay with their job;
//! how many kernel calls a batch needs.

use bulat::batch::{Calls, CmsKey, Job, Key, MacMode, Mode, Work, run};
use bulat::kdf::{Hmac256, Hmac512};
use bulat::magma::ParamSet;
use bulat::modes::*;
use bulat::{
    BlockCipher, Direction, Error, Gost28147, Kuznyechik, Magma, Streebog256, Streebog512,
};

/// xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn octets(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 32) as u8).collect()
    }
    fn key(&mut self) -> [u8; 32] {
        self.octets(32).try_into().expect("32")
    }
    /// Mostly short, sometimes over several sections.
    fn len(&mut self) -> usize {
        match self.below(8) {
            0 => self.below(10_000),
            1 => 64 * self.below(20),
            _ => self.below(300),
        }
    }
}

enum Cipher {
    Kuznyechik(Kuznyechik),
    Magma(Magma),
    Gost28147(Gost28147),
}

impl Cipher {
    fn key(&self) -> Key<'_> {
        match self {
            Cipher::Kuznyechik(k) => Key::Kuznyechik(k),
            Cipher::Magma(k) => Key::Magma(k),
            Cipher::Gost28147(k) => Key::Gost28147(k),
        }
    }
    fn copy(&self) -> Self {
        match self {
            Cipher::Kuznyechik(k) => Cipher::Kuznyechik(k.clone()),
            Cipher::Magma(k) => Cipher::Magma(k.clone()),
            Cipher::Gost28147(k) => Cipher::Gost28147(k.clone()),
        }
    }
    fn block(&self) -> usize {
        if matches!(self, Cipher::Kuznyechik(_)) { 16 } else { 8 }
    }
}

enum Cms {
    Kuznyechik(Box<CtrAcpkmOmac<Kuznyechik>>),
    Magma(Box<CtrAcpkmOmac<Magma>>),
}

impl Cms {
    fn key(&self) -> CmsKey<'_> {
        match self {
            Cms::Kuznyechik(k) => CmsKey::Kuznyechik(k),
            Cms::Magma(k) => CmsKey::Magma(k),
        }
    }
    fn copy(&self) -> Self {
        match self {
            Cms::Kuznyechik(k) => Cms::Kuznyechik(k.clone()),
            Cms::Magma(k) => Cms::Magma(k.clone()),
        }
    }
}

/// A job's parts, owned.
enum Plan {
    Cipher(Cipher, Mode, Vec<u8>),
    Mac(Cipher, MacMode, Vec<u8>),
    Seal(Cipher, Vec<u8>, Vec<u8>),
    Open(Cipher, Vec<u8>, Vec<u8>, bool),
    SealCms(Cms, Vec<u8>),
    OpenCms(Cms, Vec<u8>, bool),
    Sector(Xts, Direction),
    Hash256,
    Hash512,
    Hmac256(Hmac256),
    Hmac512(Hmac512),
}

fn plan(r: &mut Random) -> (Plan, Vec<u8>, Vec<u8>) {
    let direction = [Direction::Encrypt, Direction::Decrypt][r.below(2)];
    let meshing = [Meshing::None, Meshing::CryptoPro][r.below(2)];
    let cipher = match r.below(4) {
        0 | 1 => Cipher::Kuznyechik(Kuznyechik::new(&r.key())),
        2 => Cipher::Magma(Magma::new(&r.key())),
        _ => {
            let set = [ParamSet::Tc26Z, ParamSet::CryptoProA, ParamSet::Test][r.below(3)];
            Cipher::Gost28147(Gost28147::new(&r.key(), set))
        }
    };
    let (n, mut len) = (cipher.block(), r.len());
    let mut tag = vec![0; 1 + r.below(n)];
    let kind = r.below(14);
    let plan = match kind {
        0..4 => {
            let old = matches!(cipher, Cipher::Gost28147(_));
            let (mode, iv) = match r.below(if old { 9 } else { 6 }) {
                0 => (Mode::Ecb(direction), 0),
                1 => (Mode::Cbc(direction), n * (1 + r.below(2))),
                2 => (Mode::Ctr, n / 2),
                3 => (Mode::Cfb(direction), n + r.below(2) * 3),
                4 => (Mode::Ofb, n * (1 + r.below(2))),
                5 => (Mode::CtrAcpkm(n * (1 + r.below(40))), n / 2),
                6 => (Mode::Cnt(meshing), 8),
                7 => (Mode::Cfb28147(direction, meshing), 8),
                _ => (Mode::Cbc28147(direction, meshing), 8),
            };
            if matches!(mode, Mode::Ecb(_) | Mode::Cbc(_) | Mode::Cbc28147(..)) && r.below(8) > 0 {
                len = len / n * n;
            }
            // Now and then an IV of a wrong length.
            let iv = if r.below(20) == 0 { iv + 1 } else { iv };
            Plan::Cipher(cipher, mode, r.octets(iv))
        }
        4..8 => {
            let mode = match &cipher {
                Cipher::Gost28147(_) => MacMode::Imit(meshing),
                _ if r.below(2) == 0 => MacMode::Omac,
                _ => MacMode::OmacAcpkm { section: n * r.below(40), period: n * (1 + r.below(20)) },
            };
            let iv = if matches!(mode, MacMode::Imit(_)) { 8 * r.below(2) } else { 0 };
            Plan::Mac(cipher, mode, r.octets(iv))
        }
        8 | 9 => {
            let mut nonce = r.octets(n);
            nonce[0] &= if r.below(10) == 0 { 0xff } else { 0x7f };
            let aad = r.octets([0, 20, 300][kind % 3]);
            tag = vec![0; n.min(4 + r.below(13))];
            if kind == 8 {
                Plan::Seal(cipher, nonce, aad)
            } else {
                Plan::Open(cipher, nonce, aad, r.below(2) == 0)
            }
        }
        12 | 13 => {
            let (key, section) = (r.key(), n * (1 + r.below(40)));
            let (cms, n) = match cipher {
                Cipher::Kuznyechik(_) => {
                    let k = CtrAcpkmOmac::new(Kuznyechik::new, &key, &[0; 16], section);
                    (Cms::Kuznyechik(Box::new(k.expect("lengths"))), 16)
                }
                _ => {
                    let k = CtrAcpkmOmac::new(Magma::new, &key, &[0; 12], section);
                    (Cms::Magma(Box::new(k.expect("lengths"))), 8)
                }
            };
            let wrong = usize::from(r.below(20) == 0);
            let ukm = r.octets(n / 2 + 8 + wrong);
            tag = vec![0; n + usize::from(r.below(20) == 0)];
            if kind == 12 {
                Plan::SealCms(cms, ukm)
            } else {
                Plan::OpenCms(cms, ukm, r.below(2) == 0)
            }
        }
        10 => {
            len += 16;
            Plan::Sector(Xts::new(&r.key(), &r.key()).expect("two keys"), direction)
        }
        _ => {
            let (key, what) = (r.octets(40), r.below(4));
            tag = vec![0; if what % 2 == 0 { 32 } else { 64 }];
            match what {
                0 => Plan::Hash256,
                1 => Plan::Hash512,
                2 => Plan::Hmac256(Hmac256::new(&key)),
                _ => Plan::Hmac512(Hmac512::new(&key)),
            }
        }
    };
    (plan, r.octets(len), tag)
}

const TWEAK: [u8; 16] = [3; 16];

fn job<'a>(plan: &'a Plan, text: &'a mut [u8], tag: &'a mut [u8]) -> Job<'a> {
    Job::new(match plan {
        Plan::Cipher(c, mode, iv) => {
            Work::Cipher { key: c.key(), mode: *mode, iv, text: text.into() }
        }
        Plan::Mac(c, mode, iv) => Work::Mac { key: c.key(), mode: *mode, iv, message: text, tag },
        Plan::Seal(c, nonce, aad) => {
            Work::Seal { key: c.key(), nonce, aad, text: text.into(), tag }
        }
        Plan::Open(c, nonce, aad, _) => {
            Work::Open { key: c.key(), nonce, aad, text: text.into(), tag }
        }
        Plan::SealCms(c, ukm) => Work::SealCms { key: c.key(), ukm, text: text.into(), tag },
        Plan::OpenCms(c, ukm, _) => Work::OpenCms { key: c.key(), ukm, text: text.into(), tag },
        Plan::Sector(key, direction) => {
            Work::Sector { key, direction: *direction, tweak: &TWEAK, text: text.into() }
        }
        Plan::Hash256 => Work::Hash256(text, tag.try_into().expect("32")),
        Plan::Hash512 => Work::Hash512(text, tag.try_into().expect("64")),
        Plan::Hmac256(key) => Work::Hmac256(key, text, tag.try_into().expect("32")),
        Plan::Hmac512(key) => Work::Hmac512(key, text, tag.try_into().expect("64")),
    })
}

/// The same by the modes' own objects.
fn alone(plan: &Plan, text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
    fn mac(mut mac: impl Mac, text: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        mac.update(text)?;
        mac.finish(tag)
    }
    fn blocks(mut mode: impl Blocks, text: &mut [u8]) -> Result<(), Error> {
        let n = mode.update(text.into())?;
        if n != text.len() {
            return Err(Error::DataLength);
        }
        mode.finish(&mut []).map(|_| ())
    }
    fn cipher<C: BlockCipher>(key: C, mode: Mode, iv: &[u8], text: &mut [u8]) -> Result<(), Error> {
        match mode {
            Mode::Ecb(_) if !iv.is_empty() => Err(Error::IvLength),
            Mode::Ecb(d) => blocks(Ecb::new(key, d, Padding::None), text),
            Mode::Cbc(d) => blocks(Cbc::new(key, d, iv, Padding::None)?, text),
            Mode::Ctr => Ctr::new(key, iv)?.apply(text.into()),
            Mode::Cfb(d) => Cfb::new(key, d, iv)?.apply(text.into()),
            Mode::Ofb => Ofb::new(key, iv)?.apply(text.into()),
            Mode::CtrAcpkm(section) => CtrAcpkm::new(key, iv, section)?.apply(text.into()),
            _ => unreachable!("for GOST 28147-89"),
        }
    }
    fn code<C: BlockCipher>(
        key: C,
        mode: MacMode,
        text: &[u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        match mode {
            MacMode::Omac => mac(Omac::new(key, tag.len())?, text, tag),
            MacMode::OmacAcpkm { section, period } => {
                mac(OmacAcpkm::new(key, section, period, tag.len())?, text, tag)
            }
            MacMode::Imit(_) => unreachable!("for GOST 28147-89"),
        }
    }
    fn mgm<C: BlockCipher>(
        key: C,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8],
        seal: bool,
    ) -> Result<(), Error> {
        let mut mgm = Mgm::new(key, nonce, tag.len())?;
        mgm.aad(aad)?;
        if !seal {
            return mgm.open(text.into(), tag);
        }
        mgm.seal(text.into())?;
        mgm.finish(tag)
    }
    match plan {
        Plan::Cipher(Cipher::Kuznyechik(k), mode, iv) => cipher(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Magma(k), mode, iv) => cipher(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Gost28147(k), mode, iv) => match *mode {
            Mode::Cnt(m) => Cnt::new(k.clone(), iv, m)?.apply(text.into()),
            Mode::Cfb28147(d, m) => Cfb28147::new(k.clone(), d, iv, m)?.apply(text.into()),
            Mode::Cbc28147(d, m) => {
                blocks(Cbc28147::new(k.clone(), d, iv, Padding::None, m)?, text)
            }
            mode => cipher(k.clone(), mode, iv, text),
        },
        Plan::Mac(Cipher::Kuznyechik(k), mode, _) => code(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Magma(k), mode, _) => code(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Gost28147(k), mode, iv) => match *mode {
            MacMode::Imit(m) => mac(Imit::new(k.clone(), iv, tag.len(), m)?, text, tag),
            mode => code(k.clone(), mode, text, tag),
        },
        Plan::Seal(c, nonce, aad) | Plan::Open(c, nonce, aad, _) => {
            let seal = matches!(plan, Plan::Seal(..));
            match c {
                Cipher::Kuznyechik(k) => mgm(k.clone(), nonce, aad, text, tag, seal),
                Cipher::Magma(k) => mgm(k.clone(), nonce, aad, text, tag, seal),
                Cipher::Gost28147(_) => Err(Error::Parameter),
            }
        }
        Plan::SealCms(c, ukm) | Plan::OpenCms(c, ukm, _) => {
            fn cms(
                mut c: impl Aead,
                ukm: &[u8],
                seal: bool,
                text: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                c.reset(ukm)?;
                if tag.len() != c.tag_len() {
                    return Err(Error::TagLength);
                }
                if !seal {
                    return c.open(text.into(), tag);
                }
                c.seal(text.into())?;
                c.finish(tag)
            }
            let seal = matches!(plan, Plan::SealCms(..));
            match c {
                Cms::Kuznyechik(k) => cms((**k).clone(), ukm, seal, text, tag),
                Cms::Magma(k) => cms((**k).clone(), ukm, seal, text, tag),
            }
        }
        Plan::Sector(key, direction) => key.sector(&TWEAK, text.into(), *direction),
        Plan::Hash256 => {
            tag.copy_from_slice(&Streebog256::digest(text));
            Ok(())
        }
        Plan::Hash512 => {
            tag.copy_from_slice(&Streebog512::digest(text));
            Ok(())
        }
        Plan::Hmac256(key) => mac(key.clone(), text, tag),
        Plan::Hmac512(key) => mac(key.clone(), text, tag),
    }
}

/// Hundreds of batches, 1 to 300 jobs each: the same octets, tags and errors as one at a time.
#[test]
fn a_batch_is_its_jobs() {
    batches(400, 0x9e37_79b9_7f4a_7c15);
}

/// `cargo test --release -p bulat --features threads --test batch -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn thousands_of_batches_are_their_jobs() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = seed.expect("after 1970").as_nanos() as u64 | 1;
    println!("seed {seed:#x}");
    batches(20_000, seed);
}

fn batches(count: usize, seed: u64) {
    let mut r = Random(seed);
    let (mut jobs_run, mut errors) = (0, 0);
    for batch in 0..count {
        let jobs = 1 + r.below(if batch % 10 == 0 { 300 } else { 24 });
        let mut plans: Vec<_> = (0..jobs).map(|_| plan(&mut r)).collect();
        jobs_run += jobs;
        // What is to be opened is sealed first, here and there with an error.
        for (plan, text, tag) in &mut plans {
            if let Plan::Open(cipher, nonce, aad, good) = plan {
                let seal = Plan::Seal(cipher.copy(), nonce.clone(), aad.clone());
                let _ = alone(&seal, text, tag);
                tag[0] ^= u8::from(!*good);
            }
            if let Plan::OpenCms(cms, ukm, good) = plan {
                let _ = alone(&Plan::SealCms(cms.copy(), ukm.clone()), text, tag);
                tag[0] ^= u8::from(!*good);
            }
        }
        let mut wanted: Vec<_> = plans.iter().map(|(_, x, t)| (x.clone(), t.clone())).collect();
        let verdicts: Vec<_> = plans
            .iter()
            .zip(&mut wanted)
            .map(|((plan, ..), (text, tag))| alone(plan, text, tag))
            .collect();
        let mut jobs: Vec<_> =
            plans.iter_mut().map(|(plan, text, tag)| job(plan, text, tag)).collect();
        match batch % 2 {
            #[cfg(feature = "threads")]
            1 => bulat::batch::run_on_threads(&mut jobs),
            _ => run(&mut jobs),
        };
        let results: Vec<_> = jobs.iter().map(|j| j.result).collect();
        drop(jobs);
        for (i, (plan, text, tag)) in plans.iter().enumerate() {
            assert_eq!(results[i], verdicts[i], "batch {batch}, job {i}");
            let (other, other_tag) = &wanted[i];
            // What a failed job leaves in its own buffers is not promised; but what could not be opened
            // stays as it was.
            if matches!(plan, Plan::Open(..) | Plan::OpenCms(..)) {
                assert!(text == other, "batch {batch}, job {i}: opened?");
            }
            if results[i].is_ok() {
                let what = match plan {
                    Plan::Cipher(_, mode, _) => format!("{mode:?}"),
                    Plan::Mac(_, mode, _) => format!("{mode:?}"),
                    _ => String::new(),
                };
                assert!(text == other && tag == other_tag, "batch {batch}, job {i}, {what}");
            }
            errors += usize::from(results[i].is_err());
        }
    }
    println!("{jobs_run} jobs in {count} batches, {errors} of them refused alike");
}

/// Not one stream at a time: 100 messages of one length need a handful of calls.
#[test]
fn chained_messages_share_calls() {
    let messages = vec![vec![7u8; 4096]; 100];
    let check = |calls: Calls, most: usize| {
        assert!(calls.calls <= most, "{calls:?}");
        assert!(calls.lanes >= 100, "{calls:?}");
    };
    let kuznyechik: Vec<_> = (0..100).map(|i| Kuznyechik::new(&[i; 32])).collect();
    let gost: Vec<_> = (0..100).map(|i| Gost28147::new(&[i; 32], ParamSet::Tc26Z)).collect();
    let keys = |i: usize| [Key::Kuznyechik(&kuznyechik[i]), Key::Gost28147(&gost[i])];
    for which in 0..2 {
        let n = [16, 8][which];
        let sections = [0, 4][which];
        for (mode, most) in [
            (Mode::Cbc(Direction::Encrypt), 2),
            (Mode::Cfb(Direction::Encrypt), 2),
            (Mode::Ofb, 2),
            (Mode::Cfb28147(Direction::Encrypt, Meshing::CryptoPro), 2 * sections),
            (Mode::Cbc28147(Direction::Encrypt, Meshing::CryptoPro), 2 * sections),
        ] {
            if most == 0 {
                continue;
            }
            let mut texts = messages.clone();
            let iv = vec![1; n];
            let mut jobs: Vec<_> = texts
                .iter_mut()
                .enumerate()
                .map(|(i, text)| {
                    let text = text.as_mut_slice().into();
                    Job::new(Work::Cipher { key: keys(i)[which], mode, iv: &iv, text })
                })
                .collect();
            check(run(&mut jobs), most);
            assert!(jobs.iter().all(|j| j.result.is_ok()));
        }
        let imit = MacMode::Imit(Meshing::CryptoPro);
        let acpkm = MacMode::OmacAcpkm { section: 1024, period: 1024 };
        for (mode, most) in [(MacMode::Omac, 8), (acpkm, 12), (imit, 8 * which)] {
            if most == 0 {
                continue;
            }
            let mut tags = vec![[0; 8]; 100];
            let mut jobs: Vec<_> = messages
                .iter()
                .zip(&mut tags)
                .enumerate()
                .map(|(i, (message, tag))| {
                    Job::new(Work::Mac { key: keys(i)[which], mode, iv: &[], message, tag })
                })
                .collect();
            check(run(&mut jobs), most);
            assert!(jobs.iter().all(|j| j.result.is_ok()));
        }
    }
    let mut digests = vec![[0; 32]; 100];
    let mut jobs: Vec<_> = messages
        .iter()
        .zip(&mut digests)
        .map(|(message, digest)| Job::new(Work::Hash256(message, digest)))
        .collect();
    check(run(&mut jobs), 2);
    let hmac = Hmac256::new(b"key");
    let mut jobs: Vec<_> = messages
        .iter()
        .zip(&mut digests)
        .map(|(message, tag)| Job::new(Work::Hmac256(&hmac, message, tag)))
        .collect();
    check(run(&mut jobs), 2);
}

/// Messages under several sets of S-boxes, mixed, fill the calls of each set; the OMACs of CMS share
/// theirs.
#[test]
fn mixed_messages_share_calls() {
    let sets = [ParamSet::Tc26Z, ParamSet::CryptoProA, ParamSet::CryptoProB];
    let keys: Vec<_> = (0..99).map(|i| Gost28147::new(&[i; 32], sets[i as usize % 3])).collect();
    let mut texts = vec![vec![7; 4096]; 99];
    let mode = Mode::Cfb(Direction::Encrypt);
    let mut jobs: Vec<_> = keys
        .iter()
        .zip(&mut texts)
        .map(|(key, text)| {
            let (key, text) = (Key::Gost28147(key), text.as_mut_slice().into());
            Job::new(Work::Cipher { key, mode, iv: &[1; 8], text })
        })
        .collect();
    let calls = run(&mut jobs);
    assert_eq!((calls.calls, calls.lanes), (3, 99));

    let (key, ukm) = (CtrAcpkmOmac::new(Magma::new, &[1; 32], &[0; 12], 8192), [2; 12]);
    let key = key.expect("lengths");
    let mut tags = vec![[0; 8]; 99];
    let mut jobs: Vec<_> = texts
        .iter_mut()
        .zip(&mut tags)
        .map(|(text, tag)| {
            let (key, text) = (CmsKey::Magma(&key), text.as_mut_slice().into());
            Job::new(Work::SealCms { key, ukm: &ukm, text, tag })
        })
        .collect();
    let calls = run(&mut jobs);
    // Two calls, for 64 lanes and the rest, each for the first block, the body and the last block.
    assert!(calls.calls <= 6 && calls.lanes >= 99, "{calls:?}");
    assert!(jobs.iter().all(|j| j.result.is_ok()));
}

/// Sectors of one key go together, whatever else is in the batch.
#[test]
fn sectors_are_what_they_are_alone() {
    let mut r = Random(0x0dd0_5ec7_0123_4567);
    let keys = [1, 2].map(|k| Xts::new(&[k; 32], &[7; 32]).expect("two keys"));
    for _ in 0..40 {
        let mut plans: Vec<_> = (0..1 + r.below(100))
            .map(|_| {
                let len = [0, 5, 16, 512, 512, 512, 520, 4096, 5000][r.below(9)];
                let direction = [Direction::Encrypt, Direction::Decrypt][r.below(2)];
                (r.below(2), Xts::tweak(r.next().into()), direction, r.octets(len))
            })
            .collect();
        let wanted: Vec<_> = plans
            .iter()
            .map(|(key, tweak, direction, text)| {
                let mut text = text.clone();
                let result = keys[*key].sector(tweak, (&mut text[..]).into(), *direction);
                (result, text)
            })
            .collect();
        let mut jobs: Vec<_> = plans
            .iter_mut()
            .map(|(key, tweak, direction, text)| {
                let (key, direction, text) = (&keys[*key], *direction, text.as_mut_slice().into());
                Job::new(Work::Sector { key, direction, tweak, text })
            })
            .collect();
        run(&mut jobs);
        let results: Vec<_> = jobs.into_iter().map(|j| j.result).collect();
        for ((plan, result), wanted) in plans.iter().zip(results).zip(&wanted) {
            assert_eq!((result, &plan.3), (wanted.0, &wanted.1));
        }
    }
}

/// Long texts in pieces are what they are whole; a wrong tag opens nothing.
#[cfg(feature = "threads")]
#[test]
fn long_texts_are_split() {
    use bulat::batch::{Text, run_on_threads};
    let mut r = Random(0x1234_5678_9abc_def1);
    for len in [131_072, 131_073, 200_000, 524_288, 1_000_016, 1_000_003] {
        for which in 0..3 {
            let keys = [
                Cipher::Kuznyechik(Kuznyechik::new(&r.key())),
                Cipher::Magma(Magma::new(&r.key())),
                Cipher::Gost28147(Gost28147::new(&r.key(), ParamSet::CryptoProB)),
            ];
            let cipher = keys.into_iter().nth(which).expect("three");
            let n = cipher.block();
            let text = r.octets(len);
            let mut plans = Vec::new();
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                plans.push((Mode::Ecb(direction), 0));
                plans.push((Mode::Cbc(direction), n));
                plans.push((Mode::Cfb(direction), n));
                plans.push((Mode::Cfb(direction), n + 1));
            }
            plans.push((Mode::Ctr, n / 2));
            plans.push((Mode::Ctr, n));
            for section in [n, 1024, 4096, 70_000 / n * n, 300_000 / n * n] {
                plans.push((Mode::CtrAcpkm(section), n / 2));
            }
            plans.push((Mode::CtrAcpkm(0), n / 2));
            plans.push((Mode::CtrAcpkm(n + 1), n / 2));
            if which == 2 {
                plans.push((Mode::Cnt(Meshing::None), 8));
                plans.push((Mode::Cnt(Meshing::CryptoPro), 8));
                plans.push((Mode::Cnt(Meshing::None), 7));
            }
            for (mode, iv) in plans {
                let iv = r.octets(iv);
                let (mut here, mut there) = (text.clone(), vec![0; len]);
                let mut jobs = [
                    Job::new(Work::Cipher {
                        key: cipher.key(),
                        mode,
                        iv: &iv,
                        text: here.as_mut_slice().into(),
                    }),
                    Job::new(Work::Cipher {
                        key: cipher.key(),
                        mode,
                        iv: &iv,
                        text: Text::Apart(&text, &mut there),
                    }),
                ];
                run_on_threads(&mut jobs);
                let results = jobs.map(|j| j.result);
                let mut wanted = text.clone();
                let plan = Plan::Cipher(cipher.copy(), mode, iv);
                let verdict = alone(&plan, &mut wanted, &mut []);
                assert_eq!(results, [verdict; 2], "{mode:?}");
                if verdict.is_ok() {
                    assert!(here == wanted && there == wanted, "{mode:?} over {len}");
                }
            }
            if which == 2 {
                continue;
            }
            let aad_len = [0, 8, 16, 32, 33][r.below(5)];
            let (mut nonce, aad) = (r.octets(n), r.octets(aad_len));
            nonce[0] &= 0x7f;
            let (mut sealed, mut tag) = (text.clone(), vec![0; n]);
            let (mut wanted, mut other) = (text.clone(), vec![0; n]);
            let seal = Plan::Seal(cipher.copy(), nonce.clone(), aad.clone());
            assert_eq!(alone(&seal, &mut wanted, &mut other), Ok(()));
            let mut jobs = [job(&seal, &mut sealed, &mut tag)];
            run_on_threads(&mut jobs);
            assert_eq!(jobs.map(|j| j.result), [Ok(())]);
            assert!(sealed == wanted && tag == other, "seal {len}");
            let open = Plan::Open(cipher.copy(), nonce, aad, true);
            tag[0] ^= 1;
            let mut jobs = [job(&open, &mut sealed, &mut tag)];
            run_on_threads(&mut jobs);
            assert_eq!(jobs.map(|j| j.result), [Err(Error::Verify)]);
            assert!(sealed == wanted, "nothing is written");
            tag[0] ^= 1;
            let mut jobs = [job(&open, &mut sealed, &mut tag)];
            run_on_threads(&mut jobs);
            assert_eq!(jobs.map(|j| j.result), [Ok(())]);
            assert!(sealed == text, "open {len}");
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            for len in [len, len + 1, len + 15, len + 16] {
                let plan = Plan::Sector(Xts::new(&r.key(), &r.key()).expect("two keys"), direction);
                let text = r.octets(len);
                let (mut own, mut wanted) = (text.clone(), text);
                assert_eq!(alone(&plan, &mut wanted, &mut []), Ok(()));
                let mut jobs = [job(&plan, &mut own, &mut [])];
                run_on_threads(&mut jobs);
                assert_eq!(jobs.map(|j| j.result), [Ok(())]);
                assert!(own == wanted, "sector of {len}, {direction:?}");
            }
        }
    }
}

/// CTR-ACPKM and CNT with meshing on threads, in place and apart, are what one object makes of them: lengths about
/// those where a piece, a section or a block ends.
#[cfg(feature = "threads")]
#[test]
fn sections_on_threads() {
    use bulat::batch::{Text, run_on_threads};
    let mut r = Random(0x0bad_cafe_1234_5679);
    let source = r.octets(1 << 20);
    let pools = [1, 2, 3].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    });
    for which in 0..4 {
        let cipher = match which {
            0 => Cipher::Kuznyechik(Kuznyechik::new(&r.key())),
            1 => Cipher::Magma(Magma::new(&r.key())),
            _ => Cipher::Gost28147(Gost28147::new(&r.key(), ParamSet::CryptoProB)),
        };
        let n = cipher.block();
        for section in [240, 256, 272, 512, 1024, 2048, 4096, 5008, 16_384, 65_536, 144_000] {
            let mode = match which {
                3 if section == 1024 => Mode::Cnt(Meshing::CryptoPro),
                3 => continue,
                _ => Mode::CtrAcpkm(section),
            };
            let iv = r.octets(if which == 3 { 8 } else { n / 2 });
            // From the least length that is split on: few sections in a piece, and as many as it may have.
            let least = 131_072_usize.div_ceil(section);
            for sections in [least, least + 1, least.next_multiple_of(8), 24 * 9, 64 * 9] {
                let all = (sections * section) as isize;
                let n = n as isize;
                for len in [-n - 1, -1, 0, 1, n, n + 1].map(|d| (all + d) as usize) {
                    if len > source.len() {
                        continue;
                    }
                    let text = &source[..len];
                    let mut wanted = text.to_vec();
                    let plan = Plan::Cipher(cipher.copy(), mode, iv.clone());
                    assert_eq!(alone(&plan, &mut wanted, &mut []), Ok(()));
                    let pool = &pools[r.below(3)];
                    let (mut here, mut there) = (text.to_vec(), vec![0; len]);
                    for text in [Text::InPlace(&mut here), Text::Apart(text, &mut there)] {
                        let key = cipher.key();
                        let mut jobs = [Job::new(Work::Cipher { key, mode, iv: &iv, text })];
                        pool.install(|| run_on_threads(&mut jobs));
                        assert_eq!(jobs.map(|j| j.result), [Ok(())]);
                    }
                    assert!(here == wanted && there == wanted, "{mode:?} over {len}");
                }
            }
        }
    }
}

/// Short messages and long ones, hashes of both lengths and HMAC under few keys, in any order: those that
/// have first keys in common share calls, and none has another's.
#[test]
fn hashes_and_their_first_keys() {
    let mut r = Random(11);
    let short: Vec<_> = (0..3).map(|_| Hmac256::new(&r.octets(32))).collect();
    let long: Vec<_> = (0..3).map(|_| Hmac512::new(&r.octets(32))).collect();
    for count in [1, 2, 7, 8, 9, 30, 100] {
        for kinds in [1, 2, 8] {
            let plan: Vec<_> = (0..count)
                .map(|_| (r.below(kinds), [0, 63, 64, 65, 127, 128, 300, 1023, 1024][r.below(9)]))
                .collect();
            let texts: Vec<_> = plan.iter().map(|(_, len)| r.octets(*len)).collect();
            let (mut d256, mut d512) = (vec![[0; 32]; count], vec![[0; 64]; count]);
            let jobs = plan.iter().zip(&texts).zip(d256.iter_mut().zip(&mut d512));
            let mut jobs: Vec<_> = jobs
                .map(|(((kind, _), text), (d256, d512))| {
                    Job::new(match kind {
                        0 => Work::Hash256(text, d256),
                        1 => Work::Hash512(text, d512),
                        2..5 => Work::Hmac256(&short[kind - 2], text, d256),
                        _ => Work::Hmac512(&long[kind - 5], text, d512),
                    })
                })
                .collect();
            run(&mut jobs);
            for (i, ((kind, len), text)) in plan.iter().zip(&texts).enumerate() {
                let right = match kind {
                    0 => d256[i] == Streebog256::digest(text),
                    1 => d512[i] == Streebog512::digest(text),
                    2..5 => {
                        let mut hmac = short[kind - 2].clone();
                        hmac.update(text).unwrap();
                        hmac.verify(&d256[i]).is_ok()
                    }
                    _ => {
                        let mut hmac = long[kind - 5].clone();
                        hmac.update(text).unwrap();
                        hmac.verify(&d512[i]).is_ok()
                    }
                };
                assert!(right, "kind {kind}, {len} octets, job {i} of {count}");
            }
        }
    }
}
