//! Batches against the same jobs one at a time, all algorithms mixed; errors that stay with their job;
//! how many kernel calls a batch needs.

use bulat::ParamSet;
use bulat::batch::{AeadKey, Calls, Job, Key, MacMode, Mode, run, run_counted};
use bulat::modes::*;
use bulat::{
    BlockCipher, Direction, Error, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik, Magma,
    Streebog256, Streebog512,
};
use testkit::Random;

/// Mostly short, sometimes over several sections.
fn some_len(r: &mut Random) -> usize {
    match r.below(8) {
        0 => r.below(10_000),
        1 => 64 * r.below(20),
        _ => r.below(300),
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
    #[cfg(feature = "threads")]
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

#[derive(Clone)]
enum Authenticated {
    KuznyechikMgm(Box<Mgm<Kuznyechik>>),
    MagmaMgm(Box<Mgm<Magma>>),
    KuznyechikCms(Box<CtrAcpkmOmac<Kuznyechik>>),
    MagmaCms(Box<CtrAcpkmOmac<Magma>>),
}

impl Authenticated {
    fn key(&self) -> AeadKey<'_> {
        match self {
            Authenticated::KuznyechikMgm(k) => (&**k).into(),
            Authenticated::MagmaMgm(k) => (&**k).into(),
            Authenticated::KuznyechikCms(k) => (&**k).into(),
            Authenticated::MagmaCms(k) => (&**k).into(),
        }
    }
}

/// A job's parts, owned.
enum Plan {
    Cipher(Cipher, Mode, Vec<u8>),
    Mac(Cipher, MacMode, Vec<u8>),
    Seal(Authenticated, Vec<u8>, Vec<u8>),
    Open(Authenticated, Vec<u8>, Vec<u8>, bool),
    Sector(Xts, Direction),
    Hash256,
    Hash512,
    Hmac256(HmacStreebog256),
    Hmac512(HmacStreebog512),
}

fn plan(r: &mut Random) -> (Plan, Vec<u8>, Vec<u8>) {
    let direction = [Direction::Encrypt, Direction::Decrypt][r.below(2)];
    let meshing = [Meshing::None, Meshing::CryptoPro][r.below(2)];
    let cipher = match r.below(4) {
        0 | 1 => Cipher::Kuznyechik(Kuznyechik::new(&r.array())),
        2 => Cipher::Magma(Magma::new(&r.array())),
        _ => {
            let set = [ParamSet::Tc26Z, ParamSet::CryptoProA, ParamSet::Test][r.below(3)];
            Cipher::Gost28147(Gost28147::new(&r.array(), set))
        }
    };
    let (n, mut len) = (cipher.block(), some_len(r));
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
            Plan::Cipher(cipher, mode, r.bytes(iv))
        }
        4..8 => {
            let mode = match &cipher {
                Cipher::Gost28147(_) => MacMode::Imit(meshing),
                _ if r.below(2) == 0 => MacMode::Omac,
                _ => MacMode::OmacAcpkm { section: n * r.below(40), period: n * (1 + r.below(20)) },
            };
            let iv = if matches!(mode, MacMode::Imit(_)) { 8 * r.below(2) } else { 0 };
            Plan::Mac(cipher, mode, r.bytes(iv))
        }
        8 | 9 => {
            let most = if matches!(cipher, Cipher::Kuznyechik(_)) { 16 } else { 8 };
            tag = vec![0; most.min(4 + r.below(13))];
            let key = mgm(&cipher, &r.array(), tag.len());
            let mut nonce = r.bytes(most);
            nonce[0] &= if r.below(10) == 0 { 0xff } else { 0x7f };
            let aad = r.bytes([0, 20, 300][kind % 3]);
            // Now and then a tag of another length.
            tag.resize(tag.len() + usize::from(r.below(20) == 0), 0);
            if kind == 8 {
                Plan::Seal(key, nonce, aad)
            } else {
                Plan::Open(key, nonce, aad, r.below(2) == 0)
            }
        }
        12 | 13 => {
            let (key, section) = (r.array(), n * (1 + r.below(40)));
            let (cms, n) = match cipher {
                Cipher::Kuznyechik(_) => {
                    let key = CtrAcpkmOmac::new(&key, section).expect("lengths");
                    (Authenticated::KuznyechikCms(Box::new(key)), 16)
                }
                _ => {
                    let key = CtrAcpkmOmac::new(&key, section).expect("lengths");
                    (Authenticated::MagmaCms(Box::new(key)), 8)
                }
            };
            // Now and then one thing is wrong.
            let wrong = |fault, r: usize| usize::from(fault == r);
            let fault = r.below(60);
            let ukm = r.bytes(n / 2 + 8 + wrong(0, fault));
            let aad = r.bytes(wrong(1, fault));
            tag = vec![0; n + wrong(2, fault)];
            if kind == 12 {
                Plan::Seal(cms, ukm, aad)
            } else {
                Plan::Open(cms, ukm, aad, r.below(2) == 0)
            }
        }
        10 => {
            len += 16;
            Plan::Sector(Xts::new(&r.array(), &r.array()).expect("two keys"), direction)
        }
        _ => {
            let (key, what) = (r.bytes(40), r.below(4));
            tag = vec![0; if what % 2 == 0 { 32 } else { 64 }];
            match what {
                0 => Plan::Hash256,
                1 => Plan::Hash512,
                2 => Plan::Hmac256(HmacStreebog256::new(&key)),
                _ => Plan::Hmac512(HmacStreebog512::new(&key)),
            }
        }
    };
    (plan, r.bytes(len), tag)
}

const TWEAK: [u8; 16] = [3; 16];

/// MGM over Kuznyechik, or else over Magma.
fn mgm(cipher: &Cipher, key: &[u8; 32], tag: usize) -> Authenticated {
    match cipher {
        Cipher::Kuznyechik(_) => {
            Authenticated::KuznyechikMgm(Box::new(Mgm::new(key).truncated(tag).expect("a length")))
        }
        _ => Authenticated::MagmaMgm(Box::new(Mgm::new(key).truncated(tag).expect("a length"))),
    }
}

fn job<'a>(plan: &'a Plan, text: &'a mut [u8], tag: &'a mut [u8]) -> Job<'a> {
    match plan {
        Plan::Cipher(c, mode, iv) => Job::cipher(c.key(), *mode, iv, text),
        Plan::Mac(c, mode, iv) => Job::Mac { key: c.key(), mode: *mode, iv, message: text, tag },
        Plan::Seal(c, nonce, aad) => Job::seal(c.key(), nonce, aad, text, tag),
        Plan::Open(c, nonce, aad, _) => Job::open(c.key(), nonce, aad, text, tag),
        Plan::Sector(key, direction) => Job::sector(key, &TWEAK, *direction, text),
        Plan::Hash256 => Job::Hash256(text, tag.try_into().expect("32")),
        Plan::Hash512 => Job::Hash512(text, tag.try_into().expect("64")),
        Plan::Hmac256(key) => Job::Hmac256(key, text, tag.try_into().expect("32")),
        Plan::Hmac512(key) => Job::Hmac512(key, text, tag.try_into().expect("64")),
    }
}

/// The same by the modes' own objects.
fn alone(plan: &Plan, text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
    fn mac(mut mac: impl Mac, text: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        mac.update(text);
        tag.copy_from_slice(&mac.finalize()?);
        Ok(())
    }
    fn blocks(mut mode: impl BlockMode, text: &mut [u8]) -> Result<(), Error> {
        let n = mode.update(text)?;
        if n != text.len() {
            return Err(Error::DataLength);
        }
        mode.finalize(&mut []).map(|_| ())
    }
    fn cipher<C: BlockCipher>(key: C, mode: Mode, iv: &[u8], text: &mut [u8]) -> Result<(), Error> {
        match mode {
            Mode::Ecb(_) if !iv.is_empty() => Err(Error::IvLength),
            Mode::Ecb(d) => blocks(Ecb::with(key, d), text),
            Mode::Cbc(d) => blocks(Cbc::with(key, iv, d)?, text),
            Mode::Ctr => Ctr::with(key, iv)?.apply_keystream(text),
            Mode::Cfb(d) => Cfb::with(key, iv, d)?.apply_keystream(text),
            Mode::Ofb => Ofb::with(key, iv)?.apply_keystream(text),
            Mode::CtrAcpkm(section) => CtrAcpkm::with(key, iv, section)?.apply_keystream(text),
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
            MacMode::Omac => mac(Omac::with(key).truncated(tag.len())?, text, tag),
            MacMode::OmacAcpkm { section, period } => {
                mac(OmacAcpkm::with(key, section, period)?.truncated(tag.len())?, text, tag)
            }
            MacMode::Imit(_) => unreachable!("for GOST 28147-89"),
        }
    }
    fn aead(
        key: &impl Aead,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8],
        seal: bool,
    ) -> Result<(), Error> {
        if tag.len() != key.tag_len() {
            return Err(Error::TagLength);
        }
        if !seal {
            return key.open_in_place(nonce, aad, text, tag);
        }
        tag.copy_from_slice(&key.seal_in_place(nonce, aad, text)?);
        Ok(())
    }
    match plan {
        Plan::Cipher(Cipher::Kuznyechik(k), mode, iv) => cipher(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Magma(k), mode, iv) => cipher(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Gost28147(k), mode, iv) => match *mode {
            Mode::Cnt(m) => Cnt::with(k.clone(), iv)?.meshing(m).apply_keystream(text),
            Mode::Cfb28147(d, m) => {
                Cfb28147::with(k.clone(), iv, d)?.meshing(m).apply_keystream(text)
            }
            Mode::Cbc28147(d, m) => blocks(Cbc28147::with(k.clone(), iv, d)?.meshing(m), text),
            mode => cipher(k.clone(), mode, iv, text),
        },
        Plan::Mac(Cipher::Kuznyechik(k), mode, _) => code(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Magma(k), mode, _) => code(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Gost28147(k), mode, iv) => match *mode {
            MacMode::Imit(m) => {
                let imit = Imit::with(k.clone()).meshing(m).truncated(tag.len())?;
                mac(imit.iv(iv)?, text, tag)
            }
            mode => code(k.clone(), mode, text, tag),
        },
        Plan::Seal(c, nonce, data) | Plan::Open(c, nonce, data, _) => {
            let seal = matches!(plan, Plan::Seal(..));
            match c {
                Authenticated::KuznyechikMgm(k) => aead(&**k, nonce, data, text, tag, seal),
                Authenticated::MagmaMgm(k) => aead(&**k, nonce, data, text, tag, seal),
                Authenticated::KuznyechikCms(k) => aead(&**k, nonce, data, text, tag, seal),
                Authenticated::MagmaCms(k) => aead(&**k, nonce, data, text, tag, seal),
            }
        }
        Plan::Sector(key, direction) => key.sector(&TWEAK, *direction, text),
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

/// Hundreds of batches, 1 to 300 jobs each: the same bytes, tags and errors as one at a time.
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
    let mut r = Random::new(seed);
    let (mut jobs_run, mut errors) = (0, 0);
    for batch in 0..count {
        let jobs = 1 + r.below(if batch % 10 == 0 { 300 } else { 24 });
        jobs_run += jobs;
        errors += compare(&mut r, jobs, batch % 2 == 1);
    }
    println!("{jobs_run} jobs in {count} batches, {errors} of them refused alike");
}

/// One batch of so many jobs against the modes' own objects: the same bytes, tags and errors. How many were
/// refused. The fuzz target `batch` takes this, too.
pub fn compare(r: &mut Random, jobs: usize, threads: bool) -> usize {
    let mut plans: Vec<_> = (0..jobs).map(|_| plan(r)).collect();
    // What is to be opened is sealed first, here and there with an error.
    for (plan, text, tag) in &mut plans {
        if let Plan::Open(key, nonce, aad, good) = plan {
            let seal = Plan::Seal(key.clone(), nonce.clone(), aad.clone());
            let _ = alone(&seal, text, tag);
            tag[0] ^= u8::from(!*good);
        }
    }
    let mut wanted: Vec<_> = plans.iter().map(|(_, x, t)| (x.clone(), t.clone())).collect();
    let verdicts: Vec<_> = plans
        .iter()
        .zip(&mut wanted)
        .map(|((plan, ..), (text, tag))| alone(plan, text, tag))
        .collect();
    let jobs = plans.iter_mut().map(|(plan, text, tag)| job(plan, text, tag)).collect();
    let results = match threads {
        #[cfg(feature = "threads")]
        true => bulat::batch::run_on_threads(jobs),
        _ => run(jobs),
    };
    for (i, (plan, text, tag)) in plans.iter().enumerate() {
        let what = match plan {
            Plan::Cipher(_, mode, _) => format!("job {i}, {mode:?}"),
            Plan::Mac(_, mode, _) => format!("job {i}, {mode:?}"),
            _ => format!("job {i}"),
        };
        assert_eq!(results[i], verdicts[i], "{what}");
        let (other, other_tag) = &wanted[i];
        // What a failed job leaves in its own buffers is not promised; but what could not be opened
        // stays as it was.
        if matches!(plan, Plan::Open(..)) {
            assert!(text == other, "{what}: opened?");
        }
        assert!(results[i].is_err() || text == other && tag == other_tag, "{what}");
    }
    results.iter().filter(|result| result.is_err()).count()
}

/// Not one stream at a time: 100 messages of one length need a handful of calls.
#[test]
fn chained_messages_share_calls() {
    let messages = vec![vec![7u8; 4096]; 100];
    let check = |(results, calls): (Vec<Result<(), Error>>, Calls), most: usize| {
        assert!(results.iter().all(|result| result.is_ok()));
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
            let jobs = texts
                .iter_mut()
                .enumerate()
                .map(|(i, text)| Job::cipher(keys(i)[which], mode, &iv, text))
                .collect();
            check(run_counted(jobs), most);
        }
        let imit = MacMode::Imit(Meshing::CryptoPro);
        let acpkm = MacMode::OmacAcpkm { section: 1024, period: 1024 };
        for (mode, most) in [(MacMode::Omac, 8), (acpkm, 12), (imit, 8 * which)] {
            if most == 0 {
                continue;
            }
            let mut tags = vec![[0; 8]; 100];
            let jobs = messages
                .iter()
                .zip(&mut tags)
                .enumerate()
                .map(|(i, (message, tag))| Job::mac(keys(i)[which], mode, message, tag))
                .collect();
            check(run_counted(jobs), most);
        }
    }
    let mut digests = vec![[0; 32]; 100];
    let jobs = messages
        .iter()
        .zip(&mut digests)
        .map(|(message, digest)| Job::Hash256(message, digest))
        .collect();
    check(run_counted(jobs), 2);
    let hmac = HmacStreebog256::new(b"key");
    let jobs = messages
        .iter()
        .zip(&mut digests)
        .map(|(message, tag)| Job::Hmac256(&hmac, message, tag))
        .collect();
    check(run_counted(jobs), 2);
}

/// Messages under several sets of S-boxes, mixed, fill the calls of each set; the OMACs of CMS share
/// theirs.
#[test]
fn mixed_messages_share_calls() {
    let sets = [ParamSet::Tc26Z, ParamSet::CryptoProA, ParamSet::CryptoProB];
    let keys: Vec<_> = (0..99).map(|i| Gost28147::new(&[i; 32], sets[i as usize % 3])).collect();
    let mut texts = vec![vec![7; 4096]; 99];
    let mode = Mode::Cfb(Direction::Encrypt);
    let jobs = keys.iter().zip(&mut texts).map(|(key, text)| Job::cipher(key, mode, &[1; 8], text));
    let (_, calls) = run_counted(jobs.collect());
    assert_eq!((calls.calls, calls.lanes), (3, 99));

    let key = CtrAcpkmOmac::<Magma>::new(&[1; 32], 8192).expect("lengths");
    let mut tags = vec![[0; 8]; 99];
    let jobs = texts
        .iter_mut()
        .zip(&mut tags)
        .map(|(text, tag)| Job::seal(&key, &[2; 12], &[], text, tag))
        .collect();
    let (results, calls) = run_counted(jobs);
    // Two calls, for 64 lanes and the rest, each for the first block, the body and the last block.
    assert!(calls.calls <= 6 && calls.lanes >= 99, "{calls:?}");
    assert!(results.iter().all(|result| result.is_ok()));
}

/// Sectors of one key go together, whatever else is in the batch.
#[test]
fn sectors_are_what_they_are_alone() {
    let mut r = Random::new(0x0dd0_5ec7_0123_4567);
    let keys = [1, 2].map(|k| Xts::new(&[k; 32], &[7; 32]).expect("two keys"));
    for _ in 0..40 {
        let mut plans: Vec<_> = (0..1 + r.below(100))
            .map(|_| {
                let len = [0, 5, 16, 512, 512, 512, 520, 4096, 5000][r.below(9)];
                let direction = [Direction::Encrypt, Direction::Decrypt][r.below(2)];
                (r.below(2), Xts::tweak(r.word().into()), direction, r.bytes(len))
            })
            .collect();
        let wanted: Vec<_> = plans
            .iter()
            .map(|(key, tweak, direction, text)| {
                let mut text = text.clone();
                let result = keys[*key].sector(tweak, *direction, &mut text);
                (result, text)
            })
            .collect();
        let jobs = plans
            .iter_mut()
            .map(|(key, tweak, direction, text)| Job::sector(&keys[*key], tweak, *direction, text))
            .collect();
        let results = run(jobs);
        for ((plan, result), wanted) in plans.iter().zip(results).zip(&wanted) {
            assert_eq!((result, &plan.3), (wanted.0, &wanted.1));
        }
    }
}

/// Long texts in pieces are what they are whole; a wrong tag opens nothing.
#[cfg(feature = "threads")]
#[test]
fn long_texts_are_split() {
    use bulat::batch::run_on_threads;
    let mut r = Random::new(0x1234_5678_9abc_def1);
    for len in [131_072, 131_073, 200_000, 524_288, 1_000_016, 1_000_003] {
        for which in 0..3 {
            let keys = [
                Cipher::Kuznyechik(Kuznyechik::new(&r.array())),
                Cipher::Magma(Magma::new(&r.array())),
                Cipher::Gost28147(Gost28147::new(&r.array(), ParamSet::CryptoProB)),
            ];
            let cipher = keys.into_iter().nth(which).expect("three");
            let n = cipher.block();
            let text = r.bytes(len);
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
                let iv = r.bytes(iv);
                let (mut here, mut there) = (text.clone(), vec![0; len]);
                let results = run_on_threads(vec![
                    Job::cipher(cipher.key(), mode, &iv, &mut here),
                    Job::cipher(cipher.key(), mode, &iv, (&text[..], &mut there[..])),
                ]);
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
            let (mut nonce, aad) = (r.bytes(n), r.bytes(aad_len));
            nonce[0] &= 0x7f;
            let (mut sealed, mut tag) = (text.clone(), vec![0; n]);
            let (mut wanted, mut other) = (text.clone(), vec![0; n]);
            let key = mgm(&cipher, &r.array(), n);
            let seal = Plan::Seal(key.clone(), nonce.clone(), aad.clone());
            assert_eq!(alone(&seal, &mut wanted, &mut other), Ok(()));
            let jobs = vec![job(&seal, &mut sealed, &mut tag)];
            assert_eq!(run_on_threads(jobs), [Ok(())]);
            assert!(sealed == wanted && tag == other, "seal {len}");
            let open = Plan::Open(key, nonce, aad, true);
            tag[0] ^= 1;
            let jobs = vec![job(&open, &mut sealed, &mut tag)];
            assert_eq!(run_on_threads(jobs), [Err(Error::Verify)]);
            assert!(sealed == wanted, "nothing is written");
            tag[0] ^= 1;
            let jobs = vec![job(&open, &mut sealed, &mut tag)];
            assert_eq!(run_on_threads(jobs), [Ok(())]);
            assert!(sealed == text, "open {len}");
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            for len in [len, len + 1, len + 15, len + 16] {
                let plan =
                    Plan::Sector(Xts::new(&r.array(), &r.array()).expect("two keys"), direction);
                let text = r.bytes(len);
                let (mut own, mut wanted) = (text.clone(), text);
                assert_eq!(alone(&plan, &mut wanted, &mut []), Ok(()));
                let jobs = vec![job(&plan, &mut own, &mut [])];
                assert_eq!(run_on_threads(jobs), [Ok(())]);
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
    let mut r = Random::new(0x0bad_cafe_1234_5679);
    let source = r.bytes(1 << 20);
    let pools = [1, 2, 3].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    });
    for which in 0..4 {
        let cipher = match which {
            0 => Cipher::Kuznyechik(Kuznyechik::new(&r.array())),
            1 => Cipher::Magma(Magma::new(&r.array())),
            _ => Cipher::Gost28147(Gost28147::new(&r.array(), ParamSet::CryptoProB)),
        };
        let n = cipher.block();
        for section in [240, 256, 272, 512, 1024, 2048, 4096, 5008, 16_384, 65_536, 144_000] {
            let mode = match which {
                3 if section == 1024 => Mode::Cnt(Meshing::CryptoPro),
                3 => continue,
                _ => Mode::CtrAcpkm(section),
            };
            let iv = r.bytes(if which == 3 { 8 } else { n / 2 });
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
                        let jobs = vec![Job::cipher(cipher.key(), mode, &iv, text)];
                        assert_eq!(pool.install(|| run_on_threads(jobs)), [Ok(())]);
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
    let mut r = Random::new(11);
    let short: Vec<_> = (0..3).map(|_| HmacStreebog256::new(&r.bytes(32))).collect();
    let long: Vec<_> = (0..3).map(|_| HmacStreebog512::new(&r.bytes(32))).collect();
    for count in [1, 2, 7, 8, 9, 30, 100] {
        for kinds in [1, 2, 8] {
            let plan: Vec<_> = (0..count)
                .map(|_| (r.below(kinds), [0, 63, 64, 65, 127, 128, 300, 1023, 1024][r.below(9)]))
                .collect();
            let texts: Vec<_> = plan.iter().map(|(_, len)| r.bytes(*len)).collect();
            let (mut d256, mut d512) = (vec![[0; 32]; count], vec![[0; 64]; count]);
            let jobs = plan.iter().zip(&texts).zip(d256.iter_mut().zip(&mut d512));
            let jobs = jobs
                .map(|(((kind, _), text), (d256, d512))| match kind {
                    0 => Job::Hash256(text, d256),
                    1 => Job::Hash512(text, d512),
                    2..5 => Job::Hmac256(&short[kind - 2], text, d256),
                    _ => Job::Hmac512(&long[kind - 5], text, d512),
                })
                .collect();
            run(jobs);
            for (i, ((kind, len), text)) in plan.iter().zip(&texts).enumerate() {
                let right = match kind {
                    0 => d256[i] == Streebog256::digest(text),
                    1 => d512[i] == Streebog512::digest(text),
                    2..5 => {
                        let mut hmac = short[kind - 2].clone();
                        hmac.update(text);
                        hmac.verify(&d256[i]).is_ok()
                    }
                    _ => {
                        let mut hmac = long[kind - 5].clone();
                        hmac.update(text);
                        hmac.verify(&d512[i]).is_ok()
                    }
                };
                assert!(right, "kind {kind}, {len} bytes, job {i} of {count}");
            }
        }
    }
}
