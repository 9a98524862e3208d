#![no_main]
//! A batch of jobs that the input describes, against the same jobs in batches of one.
use bulat::batch::{AeadKey, Job, Key, MacMode, Mode, run};
use bulat::ParamSet;
use bulat::modes::{CtrAcpkmOmac, Meshing};
use bulat::{Direction, Gost28147, Kuznyechik, KuznyechikMgm, Magma, MagmaMgm, Xts};
use libfuzzer_sys::fuzz_target;

/// What a job is: kind, key, lengths of IV and tag, length of the text (two octets), a parameter.
type Plan = [u8; 8];

struct Keys {
    kuznyechik: Vec<Kuznyechik>,
    magma: Vec<Magma>,
    gost28147: Vec<Gost28147>,
    xts: Vec<Xts>,
    kuznyechik_mgm: Vec<KuznyechikMgm>,
    magma_mgm: Vec<MagmaMgm>,
    cms: Vec<CtrAcpkmOmac<Magma>>,
}

fn job<'a>(
    keys: &'a Keys,
    plan: &Plan,
    iv: &'a [u8],
    text: &'a mut [u8],
    tag: &'a mut [u8],
) -> Job<'a> {
    let [kind, key, iv_len, tag_len, _, _, a, b] = *plan;
    let i = usize::from(key) / 3 % 4;
    let (key, aead): (_, AeadKey<'_>) = match key % 3 {
        0 => (Key::Kuznyechik(&keys.kuznyechik[i]), (&keys.kuznyechik_mgm[i]).into()),
        1 => (Key::Magma(&keys.magma[i]), (&keys.magma_mgm[i]).into()),
        _ => (Key::Gost28147(&keys.gost28147[i]), (&keys.cms[i]).into()),
    };
    let direction = [Direction::Encrypt, Direction::Decrypt][usize::from(a) % 2];
    let meshing = [Meshing::None, Meshing::CryptoPro][usize::from(b) % 2];
    let (section, period) = (8 * usize::from(a), 8 * usize::from(b));
    let iv = &iv[..usize::from(iv_len) % 40];
    let tag_len = usize::from(tag_len) % 20;
    let mode = match kind % 9 {
        0 => Mode::Ecb(direction),
        1 => Mode::Cbc(direction),
        2 => Mode::Ctr,
        3 => Mode::Cfb(direction),
        4 => Mode::Ofb,
        5 => Mode::CtrAcpkm(section),
        6 => Mode::Cnt(meshing),
        7 => Mode::Cfb28147(direction, meshing),
        _ => Mode::Cbc28147(direction, meshing),
    };
    let mac = match kind % 3 {
        0 => MacMode::Omac,
        1 => MacMode::OmacAcpkm { section, period },
        _ => MacMode::Imit(meshing),
    };
    match kind / 9 % 7 {
        0 | 1 => Job::cipher(key, mode, iv, text),
        2 => Job::Mac { key, mode: mac, iv, message: text, tag: &mut tag[..tag_len] },
        3 => Job::seal(aead, iv, &[7; 33][..usize::from(a) % 34], text, &mut tag[..tag_len]),
        4 => Job::sector(&keys.xts[i], &[3; 16], direction, text),
        5 => Job::Hash256(text, (&mut tag[..32]).try_into().expect("32")),
        _ => Job::Hash512(text, (&mut tag[..64]).try_into().expect("64")),
    }
}

fuzz_target!(|data: &[u8]| {
    let key = |i: u8| [i; 32];
    let sets = [ParamSet::Tc26Z, ParamSet::CryptoProA, ParamSet::Tc26Z, ParamSet::Test];
    let keys = Keys {
        kuznyechik: (0..4).map(|i| Kuznyechik::new(&key(i))).collect(),
        magma: (0..4).map(|i| Magma::new(&key(i))).collect(),
        gost28147: (0..4).map(|i| Gost28147::new(&key(i), sets[usize::from(i)])).collect(),
        xts: (0..4).map(|i| Xts::new(&key(i), &key(9)).expect("two keys")).collect(),
        kuznyechik_mgm: (0..4)
            .map(|i| KuznyechikMgm::new(&key(i)).truncated(16 - 4 * usize::from(i)).expect("4 to 16"))
            .collect(),
        magma_mgm: (0..4)
            .map(|i| MagmaMgm::new(&key(i)).truncated(8 - usize::from(i)).expect("4 to 8"))
            .collect(),
        cms: (0..4).map(|i| CtrAcpkmOmac::new(&key(i), 1024).expect("whole blocks")).collect(),
    };
    let iv = [0x35; 40];
    let (plans, _) = data.as_chunks::<8>();
    let plans = &plans[..plans.len().min(300)];
    let text = |p: &Plan| {
        let len = usize::from(u16::from_le_bytes([p[4], p[5]])) % 5000;
        (vec![p[6] ^ p[7]; len], [0; 64])
    };
    let mut own: Vec<_> = plans.iter().map(text).collect();
    let jobs =
        plans.iter().zip(&mut own).map(|(p, (text, tag))| job(&keys, p, &iv, text, tag)).collect();
    let results = run(jobs);
    for ((plan, own), result) in plans.iter().zip(&own).zip(results) {
        let (mut other, mut tag) = text(plan);
        let alone = run(vec![job(&keys, plan, &iv, &mut other, &mut tag)]);
        assert_eq!(alone, [result], "{plan:?}");
        if result.is_ok() {
            assert!(own == &(other, tag), "{plan:?}");
        }
    }
});
