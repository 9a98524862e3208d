//! Jobs that have one result on the processor and on every device.

use bulat::batch::{AeadKey, Job, Key, MacMode, Mode, run_on_threads};
use bulat::modes::{Meshing, Xts};
use bulat::{
    Direction, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik, KuznyechikMgm, Magma,
    MagmaMgm, ParamSet, Sboxes,
};
use bulat_gpu::Engine;
use testkit::Random;

/// The keys of all jobs.
pub struct Keys {
    pub kuznyechik: Kuznyechik,
    pub magma: Magma,
    gost28147: Gost28147,
    pub kuznyechik_mgm: KuznyechikMgm,
    pub magma_mgm: MagmaMgm,
}

impl Keys {
    pub fn new(r: &mut Random) -> Self {
        let k = r.array();
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
pub const MODES: usize = 11;

/// Compares a text in this mode on the engine and on the processor.
pub fn text(
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

/// A list's name, its outputs, the results of its jobs, and the bytes that devices did.
pub type List = (&'static str, Vec<Vec<u8>>, Vec<Result<(), bulat::Error>>, u64);

/// Runs lists of every sort that devices can do: chained modes, IMIT, HMAC, sectors, messages in MGM.
pub fn lists(go: impl Fn(Vec<Job<'_>>) -> (Vec<Result<(), bulat::Error>>, u64)) -> Vec<List> {
    let mut r = Random::new(6);
    let keys = Keys::new(&mut r);
    let own = Gost28147::new(&[5; 32], Sboxes::new(r.sboxes()).unwrap());
    let xts = Xts::new(&[1; 32], &[2; 32]).unwrap();
    let tweaks: Vec<[u8; 16]> = (0..300).map(Xts::tweak).collect();
    let secrets: Vec<Vec<u8>> = (0..200).map(|i| r.bytes(i)).collect();
    let (short, long): (Vec<_>, Vec<_>) =
        secrets.iter().map(|s| (HmacStreebog256::new(s), HmacStreebog512::new(s))).unzip();
    let texts: Vec<Vec<u8>> = (0..200).map(|i| r.bytes(8 * (i % 40) + i % 3)).collect();
    let iv = r.bytes(16);
    let sealed = r.bytes(20 * 5003);
    let nonces: Vec<[u8; 16]> = (0..20).map(|i| [i; 16]).collect();
    let mut all: Vec<List> = Vec::new();
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
    for (((t, a), b), (s, l)) in texts.iter().zip(&mut a).zip(&mut b).zip(short.iter().zip(&long)) {
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
    for (key, n) in [(AeadKey::from(&keys.kuznyechik_mgm), 16), (AeadKey::from(&keys.magma_mgm), 8)]
    {
        let (mut text, mut tags) = (sealed.clone(), vec![vec![0; n]; 20]);
        let jobs = text.chunks_mut(5003).zip(&mut tags).zip(&nonces);
        let jobs = jobs.map(|((t, tag), nonce)| Job::seal(key, &nonce[..n], b"header", t, tag));
        let (results, by) = go(jobs.collect());
        all.push(("sealed", vec![text.clone(), tags.concat()], results, by));
        // One tag is wrong: its text stays encrypted, the others are decrypted.
        tags[7][0] ^= 1;
        let jobs = text.chunks_mut(5003).zip(&tags).zip(&nonces);
        let jobs = jobs.map(|((t, tag), nonce)| Job::open(key, &nonce[..n], b"header", t, tag));
        let (results, by) = go(jobs.collect());
        assert_eq!(results[7], Err(bulat::Error::Verify));
        text[7 * 5003..][..5003].fill(0);
        let mut plain = sealed.clone();
        plain[7 * 5003..][..5003].fill(0);
        assert!(text == plain);
        all.push(("opened", vec![text], results, by));
    }
    all
}
