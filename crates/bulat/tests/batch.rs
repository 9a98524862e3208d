//! Batches against their jobs run singly, all algorithms mixed; errors that stay with their job;
//! how many kernel calls a batch needs.

use bulat::ParamSet;
use bulat::batch::{AeadKey, Calls, Job, Key, MacMode, Mode, Text, run, run_counted};
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

#[derive(Clone)]
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
    OmacKuznyechik(Omac<Kuznyechik>),
    OmacMagma(Omac<Magma>),
    Seal(Authenticated, Vec<u8>, Vec<u8>),
    Open(Authenticated, Vec<u8>, Vec<u8>, bool),
    Sector(Xts, Direction),
    Hash256,
    Hash512,
    Hmac256(HmacStreebog256),
    Hmac512(HmacStreebog512),
}

/// A job, its text and room for its tag.
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
    let (mut len, mut tag) = (some_len(r), vec![0; 1 + r.below(cipher.block())]);
    let plan = match r.below(14) {
        0..4 => plan_cipher(r, cipher, direction, meshing, &mut len),
        4..8 => plan_mac(r, cipher, meshing),
        8 => plan_mgm(r, &cipher, true, &mut tag),
        9 => plan_mgm(r, &cipher, false, &mut tag),
        10 => {
            len += 16;
            Plan::Sector(Xts::new(&r.array(), &r.array()).expect("two keys"), direction)
        }
        11 => plan_hash(r, &mut tag),
        12 => plan_cms(r, &cipher, true, &mut tag),
        _ => plan_cms(r, &cipher, false, &mut tag),
    };
    (plan, r.bytes(len), tag)
}

fn plan_cipher(
    r: &mut Random,
    cipher: Cipher,
    direction: Direction,
    meshing: Meshing,
    len: &mut usize,
) -> Plan {
    let n = cipher.block();
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
        *len = *len / n * n;
    }
    // Now and then an IV of a wrong length.
    let iv = if r.below(20) == 0 { iv + 1 } else { iv };
    Plan::Cipher(cipher, mode, r.bytes(iv))
}

fn plan_mac(r: &mut Random, cipher: Cipher, meshing: Meshing) -> Plan {
    let n = cipher.block();
    let mode = match &cipher {
        Cipher::Gost28147(_) => MacMode::Imit(meshing),
        _ if r.below(2) == 0 => MacMode::Omac,
        _ => MacMode::OmacAcpkm { section: n * r.below(40), period: n * (1 + r.below(20)) },
    };
    let iv = if matches!(mode, MacMode::Imit(_)) { 8 * r.below(2) } else { 0 };
    match (cipher, mode) {
        (Cipher::Kuznyechik(k), MacMode::Omac) if r.below(2) == 0 => {
            Plan::OmacKuznyechik(Omac::with(k))
        }
        (Cipher::Magma(k), MacMode::Omac) if r.below(2) == 0 => Plan::OmacMagma(Omac::with(k)),
        (cipher, mode) => Plan::Mac(cipher, mode, r.bytes(iv)),
    }
}

fn plan_mgm(r: &mut Random, cipher: &Cipher, seal: bool, tag: &mut Vec<u8>) -> Plan {
    let n = if matches!(cipher, Cipher::Kuznyechik(_)) { 16 } else { 8 };
    *tag = vec![0; n.min(4 + r.below(13))];
    let key = mgm(cipher, &r.array(), tag.len());
    let mut nonce = r.bytes(n);
    nonce[0] &= if r.below(10) == 0 { 0xff } else { 0x7f };
    let aad = r.bytes(if seal { 300 } else { 0 });
    // Now and then a tag of a wrong length.
    tag.resize(tag.len() + usize::from(r.below(20) == 0), 0);
    sealed_or_opened(r, seal, key, nonce, aad)
}

fn plan_cms(r: &mut Random, cipher: &Cipher, seal: bool, tag: &mut Vec<u8>) -> Plan {
    let (key, section) = (r.array(), cipher.block() * (1 + r.below(40)));
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
    // Now and then one length is wrong.
    let fault = r.below(60);
    let wrong = |number| usize::from(fault == number);
    let ukm = r.bytes(n / 2 + 8 + wrong(0));
    let aad = r.bytes(wrong(1));
    *tag = vec![0; n + wrong(2)];
    sealed_or_opened(r, seal, cms, ukm, aad)
}

fn sealed_or_opened(
    r: &mut Random,
    seal: bool,
    key: Authenticated,
    nonce: Vec<u8>,
    aad: Vec<u8>,
) -> Plan {
    if seal { Plan::Seal(key, nonce, aad) } else { Plan::Open(key, nonce, aad, r.below(2) == 0) }
}

fn plan_hash(r: &mut Random, tag: &mut Vec<u8>) -> Plan {
    let (key, which) = (r.bytes(40), r.below(4));
    *tag = vec![0; if which % 2 == 0 { 32 } else { 64 }];
    match which {
        0 => Plan::Hash256,
        1 => Plan::Hash512,
        2 => Plan::Hmac256(HmacStreebog256::new(&key)),
        _ => Plan::Hmac512(HmacStreebog512::new(&key)),
    }
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

/// The text is also the message of a MAC or a hash.
fn job<'a>(plan: &'a Plan, text: impl Into<Text<'a>>, tag: &'a mut [u8]) -> Job<'a> {
    let text = match (plan, text.into()) {
        (Plan::Cipher(c, mode, iv), text) => return Job::cipher(c.key(), *mode, iv, text),
        (Plan::Seal(c, nonce, aad), text) => return Job::seal(c.key(), nonce, aad, text, tag),
        (Plan::Open(c, nonce, aad, _), text) => return Job::open(c.key(), nonce, aad, text, tag),
        (Plan::Sector(key, direction), text) => return Job::sector(key, &TWEAK, *direction, text),
        (_, Text::InPlace(text)) => &*text,
        (_, Text::Apart(text, _)) => text,
    };
    match plan {
        Plan::Mac(c, mode, iv) => Job::Mac { key: c.key(), mode: *mode, iv, message: text, tag },
        Plan::OmacKuznyechik(key) => Job::omac(key, text, tag),
        Plan::OmacMagma(key) => Job::omac(key, text, tag),
        Plan::Hash256 => Job::Hash256(text, tag.try_into().expect("32")),
        Plan::Hash512 => Job::Hash512(text, tag.try_into().expect("64")),
        Plan::Hmac256(key) => Job::Hmac256(key, text, tag.try_into().expect("32")),
        Plan::Hmac512(key) => Job::Hmac512(key, text, tag.try_into().expect("64")),
        _ => unreachable!("it has a text"),
    }
}

fn mac_alone(mut mac: impl Mac, text: &[u8], tag: &mut [u8]) -> Result<(), Error> {
    mac.update(text);
    tag.copy_from_slice(&mac.finalize()?);
    Ok(())
}

fn blocks_alone(mut mode: impl BlockMode, text: &mut [u8]) -> Result<(), Error> {
    let n = mode.update(text)?;
    if n != text.len() {
        return Err(Error::DataLength);
    }
    mode.finalize(&mut []).map(|_| ())
}

fn cipher_alone<C: BlockCipher>(
    key: C,
    mode: Mode,
    iv: &[u8],
    text: &mut [u8],
) -> Result<(), Error> {
    match mode {
        Mode::Ecb(_) if !iv.is_empty() => Err(Error::IvLength),
        Mode::Ecb(d) => blocks_alone(Ecb::with(key, d), text),
        Mode::Cbc(d) => blocks_alone(Cbc::with(key, iv, d)?, text),
        Mode::Ctr => Ctr::with(key, iv)?.apply_keystream(text),
        Mode::Cfb(d) => Cfb::with(key, iv, d)?.apply_keystream(text),
        Mode::Ofb => Ofb::with(key, iv)?.apply_keystream(text),
        Mode::CtrAcpkm(section) => CtrAcpkm::with(key, iv, section)?.apply_keystream(text),
        _ => unreachable!("for GOST 28147-89"),
    }
}

fn mac_mode_alone<C: BlockCipher>(
    key: C,
    mode: MacMode,
    text: &[u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    match mode {
        MacMode::Omac => mac_alone(Omac::with(key).truncated(tag.len())?, text, tag),
        MacMode::OmacAcpkm { section, period } => {
            mac_alone(OmacAcpkm::with(key, section, period)?.truncated(tag.len())?, text, tag)
        }
        MacMode::Imit(_) => unreachable!("for GOST 28147-89"),
    }
}

fn aead_alone(
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

/// Does a job by the modes' own objects.
fn alone(plan: &Plan, text: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
    match plan {
        Plan::Cipher(Cipher::Kuznyechik(k), mode, iv) => cipher_alone(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Magma(k), mode, iv) => cipher_alone(k.clone(), *mode, iv, text),
        Plan::Cipher(Cipher::Gost28147(k), mode, iv) => match *mode {
            Mode::Cnt(m) => Cnt::with(k.clone(), iv)?.meshing(m).apply_keystream(text),
            Mode::Cfb28147(d, m) => {
                Cfb28147::with(k.clone(), iv, d)?.meshing(m).apply_keystream(text)
            }
            Mode::Cbc28147(d, m) => {
                blocks_alone(Cbc28147::with(k.clone(), iv, d)?.meshing(m), text)
            }
            mode => cipher_alone(k.clone(), mode, iv, text),
        },
        Plan::Mac(Cipher::Kuznyechik(k), mode, _) => mac_mode_alone(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Magma(k), mode, _) => mac_mode_alone(k.clone(), *mode, text, tag),
        Plan::Mac(Cipher::Gost28147(k), mode, iv) => match *mode {
            MacMode::Imit(m) => {
                let imit = Imit::with(k.clone()).meshing(m).truncated(tag.len())?;
                mac_alone(imit.iv(iv)?, text, tag)
            }
            mode => mac_mode_alone(k.clone(), mode, text, tag),
        },
        Plan::OmacKuznyechik(key) => mac_alone(key.clone().truncated(tag.len())?, text, tag),
        Plan::OmacMagma(key) => mac_alone(key.clone().truncated(tag.len())?, text, tag),
        Plan::Seal(c, nonce, data) | Plan::Open(c, nonce, data, _) => {
            let seal = matches!(plan, Plan::Seal(..));
            match c {
                Authenticated::KuznyechikMgm(k) => aead_alone(&**k, nonce, data, text, tag, seal),
                Authenticated::MagmaMgm(k) => aead_alone(&**k, nonce, data, text, tag, seal),
                Authenticated::KuznyechikCms(k) => aead_alone(&**k, nonce, data, text, tag, seal),
                Authenticated::MagmaCms(k) => aead_alone(&**k, nonce, data, text, tag, seal),
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
        Plan::Hmac256(key) => mac_alone(key.clone(), text, tag),
        Plan::Hmac512(key) => mac_alone(key.clone(), text, tag),
    }
}

/// Hundreds of batches, 1 to 300 jobs each: the same bytes, tags and errors as in single runs.
#[test]
fn a_batch_is_its_jobs() {
    batches(400, 0x9e37_79b9_7f4a_7c15);
}

/// A few jobs may run one after the other.
#[test]
fn a_few_jobs_are_their_jobs() {
    let mut r = Random::new(0x6a09_e667_f3bc_c908);
    let mut errors = 0;
    for i in 0..4000 {
        let mut plans: Vec<_> = (0..1 + i % 3).map(|_| plan(&mut r)).collect();
        // Half of them are short, where ends of messages differ.
        plans.iter_mut().filter(|_| i % 2 == 0).for_each(|(_, text, _)| text.truncate(r.below(34)));
        errors += compare_plans(plans, false, i % 5 == 0);
    }
    println!("{errors} jobs refused alike");
}

/// `cargo test --release -p bulat --features threads --test batch -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
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

/// Compares a batch of `jobs` jobs with the modes' own objects: bytes, tags and errors. Returns how many
/// were refused. The fuzz target `batch` calls it, too.
pub fn compare(r: &mut Random, jobs: usize, threads: bool) -> usize {
    let apart = r.below(2) == 0;
    compare_plans((0..jobs).map(|_| plan(r)).collect(), threads, apart)
}

/// Compares a batch whose texts are transformed in place, or to other buffers.
fn compare_plans(mut plans: Vec<(Plan, Vec<u8>, Vec<u8>)>, threads: bool, apart: bool) -> usize {
    // Messages to be opened are sealed first, some with an error.
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
    let mut targets: Vec<_> =
        plans.iter().map(|(_, text, _)| apart.then(|| vec![0x5a; text.len()])).collect();
    let jobs = plans.iter_mut().zip(&mut targets).map(|((plan, text, tag), target)| match target {
        Some(target) => job(plan, (&text[..], &mut target[..]), tag),
        None => job(plan, text, tag),
    });
    let results = match threads {
        #[cfg(feature = "threads")]
        true => bulat::batch::run_on_threads(jobs.collect()),
        _ => run(jobs.collect()),
    };
    for (i, ((plan, text, tag), target)) in plans.iter().zip(&targets).enumerate() {
        let mut about = format!("job {i} of {} bytes, apart: {apart}", text.len());
        match plan {
            Plan::Cipher(_, mode, _) => about += &format!(", {mode:?}"),
            Plan::Mac(_, mode, _) => about += &format!(", {mode:?}"),
            _ => {}
        }
        assert_eq!(results[i], verdicts[i], "{about}");
        let transforms =
            matches!(plan, Plan::Cipher(..) | Plan::Seal(..) | Plan::Open(..) | Plan::Sector(..));
        let out = target.as_ref().filter(|_| transforms).unwrap_or(text);
        // The buffers of a failed job may have any content, but a message that could not be opened stays
        // as it was.
        let (other, other_tag) = &wanted[i];
        match (plan, results[i], target) {
            (Plan::Open(..), Err(_), Some(target)) => {
                assert!(target.iter().all(|byte| *byte == 0x5a), "{about}: it was written");
            }
            (Plan::Open(..), Err(_), None) => assert!(text == other, "{about}: it was changed"),
            (_, result, _) => {
                assert!(result.is_err() || out == other && tag == other_tag, "{about}");
            }
        }
    }
    results.iter().filter(|result| result.is_err()).count()
}

/// Demands at most `most` calls of kernels for at least 100 lanes in all.
fn share_calls(name: &str, jobs: Vec<Job<'_>>, most: usize) {
    let (results, calls): (Vec<Result<(), Error>>, Calls) = run_counted(jobs);
    assert!(results.iter().all(|result| result.is_ok()), "{name}: {results:?}");
    assert!(calls.calls <= most && calls.lanes >= 100, "{name}, at most {most} calls: {calls:?}");
}

/// 100 messages of equal length need a handful of calls, not a call each.
#[test]
fn chained_messages_share_calls() {
    let acpkm = MacMode::OmacAcpkm { section: 1024, period: 1024 };
    let seal = Direction::Encrypt;
    let kuznyechik: Vec<_> = (0..100).map(|i| Kuznyechik::new(&[i; 32])).collect();
    let kuznyechik: Vec<_> = kuznyechik.iter().map(Key::Kuznyechik).collect();
    let gost: Vec<_> = (0..100).map(|i| Gost28147::new(&[i; 32], ParamSet::Tc26Z)).collect();
    let gost: Vec<_> = gost.iter().map(Key::Gost28147).collect();
    for (keys, n) in [(&kuznyechik, 16), (&gost, 8)] {
        chained_ciphers(keys, n, 2, &[Mode::Cbc(seal), Mode::Cfb(seal), Mode::Ofb]);
        chained_macs(keys, &[(MacMode::Omac, 8), (acpkm, 12)]);
    }
    // Four sections each.
    let meshing = Meshing::CryptoPro;
    let modes = [Mode::Cfb28147(seal, meshing), Mode::Cbc28147(seal, meshing)];
    chained_ciphers(&gost, 8, 2 * 4, &modes);
    chained_macs(&gost, &[(MacMode::Imit(meshing), 8)]);
}

fn chained_ciphers(keys: &[Key<'_>], n: usize, most: usize, modes: &[Mode]) {
    let iv = vec![1; n];
    for mode in modes {
        let mut texts = vec![vec![7u8; 4096]; 100];
        let jobs = keys.iter().zip(&mut texts);
        let jobs = jobs.map(|(key, text)| Job::cipher(*key, *mode, &iv, text)).collect();
        share_calls(&format!("{mode:?}, blocks of {n}"), jobs, most);
    }
}

fn chained_macs(keys: &[Key<'_>], modes: &[(MacMode, usize)]) {
    let message = vec![7u8; 4096];
    for (mode, most) in modes {
        let mut tags = vec![[0; 8]; 100];
        let jobs = keys.iter().zip(&mut tags);
        let jobs = jobs.map(|(key, tag)| Job::mac(*key, *mode, &message, tag)).collect();
        share_calls(&format!("{mode:?}"), jobs, *most);
    }
}

#[test]
fn hashes_share_calls() {
    let (message, hmac) = (vec![7u8; 4096], HmacStreebog256::new(b"key"));
    let mut digests = vec![[0; 32]; 100];
    let jobs = digests.iter_mut().map(|digest| Job::Hash256(&message, digest)).collect();
    share_calls("Streebog-256", jobs, 2);
    let jobs = digests.iter_mut().map(|tag| Job::Hmac256(&hmac, &message, tag)).collect();
    share_calls("HMAC", jobs, 2);
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

/// Sectors under a common key share calls, whatever else is in the batch.
#[test]
fn sectors_of_several_keys() {
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
            let (_, tweak, direction, text) = plan;
            let about = format!("{} bytes, {direction:?}, tweak {tweak:02x?}", text.len());
            assert_eq!(result, wanted.0, "{about}");
            assert!(*text == wanted.1, "{about}");
        }
    }
}

/// Long texts, in pieces on threads, against the modes' own objects.
#[cfg(feature = "threads")]
#[test]
fn long_texts_are_split() {
    let mut r = Random::new(0x1234_5678_9abc_def1);
    for (len, apart) in [131_072, 131_073, 200_000, 524_288, 1_000_016, 1_000_003]
        .into_iter()
        .flat_map(|len| [(len, false), (len, true)])
    {
        let (kuznyechik, magma) = (Kuznyechik::new(&r.array()), Magma::new(&r.array()));
        let gost = Gost28147::new(&r.array(), ParamSet::CryptoProB);
        let (kuznyechik, magma) = (Cipher::Kuznyechik(kuznyechik), Cipher::Magma(magma));
        let mut plans = Vec::new();
        for cipher in [&kuznyechik, &magma, &Cipher::Gost28147(gost)] {
            for (mode, iv) in modes_to_split(cipher) {
                plans.push((Plan::Cipher(cipher.clone(), mode, r.bytes(iv)), len, 0));
            }
        }
        for cipher in [&kuznyechik, &magma] {
            let (n, aad) = (cipher.block(), [0, 8, 16, 32, 33][r.below(5)]);
            let (key, mut nonce, aad) = (mgm(cipher, &r.array(), n), r.bytes(n), r.bytes(aad));
            nonce[0] &= 0x7f;
            let open = |good| Plan::Open(key.clone(), nonce.clone(), aad.clone(), good);
            plans.extend([(open(true), len, n), (open(false), len, n)]);
            plans.push((Plan::Seal(key, nonce, aad), len, n));
        }
        for len in [len, len + 1, len + 15, len + 16] {
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                let key = Xts::new(&r.array(), &r.array()).expect("two keys");
                plans.push((Plan::Sector(key, direction), len, 0));
            }
        }
        let plans = plans.into_iter().map(|(plan, len, tag)| (plan, r.bytes(len), vec![0; tag]));
        compare_plans(plans.collect(), true, apart);
    }
}

/// Every mode of a cipher with the length of its IV, and some with a wrong length.
#[cfg(feature = "threads")]
fn modes_to_split(cipher: &Cipher) -> Vec<(Mode, usize)> {
    let n = cipher.block();
    let mut modes = vec![(Mode::Ctr, n / 2), (Mode::Ctr, n)];
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        modes.push((Mode::Ecb(direction), 0));
        modes.push((Mode::Cbc(direction), n));
        modes.push((Mode::Cfb(direction), n));
        modes.push((Mode::Cfb(direction), n + 1));
    }
    for section in [0, n, n + 1, 1024, 4096, 70_000 / n * n, 300_000 / n * n] {
        modes.push((Mode::CtrAcpkm(section), n / 2));
    }
    if matches!(cipher, Cipher::Gost28147(_)) {
        modes.push((Mode::Cnt(Meshing::None), 8));
        modes.push((Mode::Cnt(Meshing::CryptoPro), 8));
        modes.push((Mode::Cnt(Meshing::None), 7));
    }
    modes
}

/// CTR-ACPKM and CNT with meshing on threads, in place and apart, against one object: lengths about those
/// where a piece, a section or a block ends.
#[cfg(feature = "threads")]
#[test]
fn sections_on_threads() {
    let mut r = Random::new(0x0bad_cafe_1234_5679);
    let pools = [1, 2, 3].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    });
    let modes = [240, 256, 272, 512, 1024, 2048, 4096, 5008, 16_384, 65_536, 144_000]
        .map(|section| (Mode::CtrAcpkm(section), section));
    let modes = modes.into_iter().chain([(Mode::Cnt(Meshing::CryptoPro), 1024)]);
    for ((mode, section), which) in modes.flat_map(|mode| [0, 1, 2].map(|which| (mode, which))) {
        let cipher = match (which, mode) {
            (2, _) => Cipher::Gost28147(Gost28147::new(&r.array(), ParamSet::CryptoProB)),
            (_, Mode::Cnt(_)) => continue,
            (0, _) => Cipher::Kuznyechik(Kuznyechik::new(&r.array())),
            _ => Cipher::Magma(Magma::new(&r.array())),
        };
        let n = cipher.block();
        let iv = r.bytes(if let Mode::Cnt(_) = mode { 8 } else { n / 2 });
        // From the least length that is split: few sections in a piece, and as many as it may have.
        let least = 131_072_usize.div_ceil(section);
        for sections in [least, least + 1, least.next_multiple_of(8), 24 * 9, 64 * 9] {
            let (all, n) = ((sections * section) as isize, n as isize);
            let lengths = [-n - 1, -1, 0, 1, n, n + 1].map(|d| (all + d) as usize);
            for apart in [false, true] {
                let lengths = lengths.into_iter().filter(|len| *len <= 1 << 20);
                let plan = || Plan::Cipher(cipher.clone(), mode, iv.clone());
                let plans = lengths.map(|len| (plan(), r.bytes(len), Vec::new())).collect();
                let refused = pools[sections % 3].install(|| compare_plans(plans, true, apart));
                assert_eq!(refused, 0);
            }
        }
    }
}

/// Neighbours under one key share K1 of OMAC, hashes run in groups, and messages with a common first key share calls: every
/// message gets its own result, on every kernel.
#[test]
fn neighbours_and_groups() {
    let mut r = Random::new(0x6e16_4b0c_0123_4567);
    for name in bulat::kernel::NAMES.iter().filter(|name| bulat::kernel::available(name)) {
        bulat::kernel::force(Some(name)).expect("available");
        // Objects keep the kernels that they are made with.
        let mut plans = vec![(Plan::Hash256, 32), (Plan::Hash512, 64)];
        for key in [1, 2, 3].map(|k| [k; 32]) {
            let omac = |cipher| Plan::Mac(cipher, MacMode::Omac, Vec::new());
            plans.push((Plan::Hmac256(HmacStreebog256::new(&key)), 32));
            plans.push((Plan::Hmac512(HmacStreebog512::new(&key)), 64));
            plans.push((omac(Cipher::Kuznyechik(Kuznyechik::new(&key))), 16));
            plans.push((omac(Cipher::Magma(Magma::new(&key))), 8));
        }
        for (count, kinds) in [1, 2, 3, 7, 8, 9, 30, 65, 200]
            .into_iter()
            .flat_map(|count| [1, 2, 4, plans.len()].map(|kinds| (count, kinds)))
        {
            let mut own: Vec<_> = (0..count)
                .map(|i| {
                    let (plan, tag) = &plans[r.below(kinds)];
                    let lengths = [0, 8, 16, 29, 63, 64, 65, 100, 127, 128, 300, 1023, 1024, 1100];
                    let len = if i == 31 { 20_000 } else { lengths[r.below(14)] };
                    (plan, r.bytes(len), vec![0; *tag])
                })
                .collect();
            let mut wanted = own.clone();
            for (plan, text, tag) in &mut wanted {
                alone(plan, text, tag).expect("right lengths");
            }
            let jobs = own.iter_mut().map(|(plan, text, tag)| job(plan, text, tag)).collect();
            assert!(run(jobs).iter().all(|result| result.is_ok()));
            for (i, ((_, text, tag), (.., wanted))) in own.iter().zip(&wanted).enumerate() {
                let len = text.len();
                assert!(tag == wanted, "{name}: {i} of {count}, {kinds} kinds, {len} bytes");
            }
        }
    }
    bulat::kernel::force(None).expect("always");
}
