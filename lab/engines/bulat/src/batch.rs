//! Several texts in one call of `batch::run`, each under its own key.

use bulat::ParamSet;
use bulat::algorithm::{Algorithm, Kind};
use bulat::batch::{self, AeadKey, Job, Key, MacMode, Mode};
use bulat::modes::Meshing;
use bulat::{
    Direction, Gost28147, HmacStreebog256, HmacStreebog512, Kuznyechik, KuznyechikMgm, Magma,
    MagmaMgm, Sboxes,
};
use engine::{Case, Input, Work};

/// Keys of one kind, one for each text.
enum Keys {
    Kuznyechik(Vec<Kuznyechik>),
    Magma(Vec<Magma>),
    Gost28147(Vec<Gost28147>),
    KuznyechikMgm(Vec<KuznyechikMgm>),
    MagmaMgm(Vec<MagmaMgm>),
    Hmac256(Vec<HmacStreebog256>),
    Hmac512(Vec<HmacStreebog512>),
    Gost94(Box<Sboxes>),
    None,
}

impl Keys {
    fn of(&self, i: usize) -> Key<'_> {
        match self {
            Keys::Kuznyechik(keys) => Key::Kuznyechik(&keys[i]),
            Keys::Magma(keys) => Key::Magma(&keys[i]),
            Keys::Gost28147(keys) => Key::Gost28147(&keys[i]),
            _ => unreachable!("a cipher's keys"),
        }
    }
    fn aead(&self, i: usize) -> AeadKey<'_> {
        match self {
            Keys::KuznyechikMgm(keys) => AeadKey::KuznyechikMgm(&keys[i]),
            Keys::MagmaMgm(keys) => AeadKey::MagmaMgm(&keys[i]),
            _ => unreachable!("an AEAD's keys"),
        }
    }
}

/// The work on each text.
#[derive(Clone, Copy)]
enum Kinds {
    Cipher(Mode),
    Mac(MacMode),
    Seal,
    Hash,
}

/// The default sections of ACPKM, RFC 8645's examples: bytes for blocks of 16 and of 8.
fn section(a: &Algorithm) -> usize {
    if a.block == 16 { 4096 } else { 1024 }
}

/// The job of an algorithm's name.
fn kinds(a: &Algorithm, decrypt: bool) -> Option<Kinds> {
    use Kinds::{Cipher, Hash, Mac, Seal};
    let direction = if decrypt { Direction::Decrypt } else { Direction::Encrypt };
    let meshing = Meshing::CryptoPro;
    Some(match (a.name, a.name.split_once('-')?.1) {
        ("gost89-cnt-12", _) => Cipher(Mode::Cnt(meshing)),
        ("gost89-cbc", _) => Cipher(Mode::Cbc28147(direction, Meshing::None)),
        ("gost-mac-12", _) => Mac(MacMode::Imit(meshing)),
        ("gost89-ecb", _) | (_, "ecb") => Cipher(Mode::Ecb(direction)),
        ("hmac-streebog256" | "hmac-streebog512", _) => Hash,
        (_, "cbc") => Cipher(Mode::Cbc(direction)),
        (_, "ctr") => Cipher(Mode::Ctr),
        (_, "cfb") => Cipher(Mode::Cfb(direction)),
        (_, "ofb") => Cipher(Mode::Ofb),
        (_, "ctr-acpkm") => Cipher(Mode::CtrAcpkm(section(a))),
        (_, "mgm") => Seal,
        (_, "omac") => Mac(MacMode::Omac),
        _ => return None,
    })
}

pub fn open(a: &'static Algorithm, case: &Case) -> Result<Work, String> {
    let kinds = match (a.name, a.kind) {
        ("gost89", _) => {
            let d = if case.decrypt { Direction::Decrypt } else { Direction::Encrypt };
            Kinds::Cipher(Mode::Cfb28147(d, Meshing::CryptoPro))
        }
        ("streebog256" | "streebog512" | "gost94", _) => Kinds::Hash,
        _ => kinds(a, case.decrypt).ok_or_else(|| format!("{} is no job of a batch", a.name))?,
    };
    let bytes = |i| engine::key(i, 32);
    let each = 0..case.streams;
    let block: fn(Vec<u8>) -> [u8; 32] = |key| key.try_into().expect("32 bytes");
    let keys = match a.name.split('-').next() {
        Some("kuznyechik") if a.kind == Kind::Aead => {
            Keys::KuznyechikMgm(each.map(|i| KuznyechikMgm::new(&block(bytes(i)))).collect())
        }
        Some("magma") if a.kind == Kind::Aead => {
            Keys::MagmaMgm(each.map(|i| MagmaMgm::new(&block(bytes(i)))).collect())
        }
        Some("kuznyechik") => {
            Keys::Kuznyechik(each.map(|i| Kuznyechik::new(&block(bytes(i)))).collect())
        }
        Some("magma") => Keys::Magma(each.map(|i| Magma::new(&block(bytes(i)))).collect()),
        Some("gost89" | "gost") => {
            let new = |i| Gost28147::new(&block(bytes(i)), ParamSet::Tc26Z);
            Keys::Gost28147(each.map(new).collect())
        }
        Some("hmac") if a.out == 32 => {
            Keys::Hmac256(each.map(|i| HmacStreebog256::new(&bytes(i))).collect())
        }
        Some("hmac") => Keys::Hmac512(each.map(|i| HmacStreebog512::new(&bytes(i))).collect()),
        Some("gost94") => Keys::Gost94(Box::new(ParamSet::HashCryptoPro.into())),
        _ => Keys::None,
    };
    let ivs: Vec<Vec<u8>> = (0..case.streams).map(|i| engine::iv(i, a.iv.usual())).collect();
    let out = match a.kind {
        Kind::Cipher => 0,
        _ => a.out,
    };
    Ok(Box::new(move |input: &mut Input| {
        let jobs = input.both().enumerate().map(|(i, (text, tag))| {
            tag.resize(out, 0);
            let iv = &ivs[i][..];
            match kinds {
                Kinds::Cipher(mode) => Job::cipher(keys.of(i), mode, iv, text),
                Kinds::Mac(mode) => Job::Mac { key: keys.of(i), mode, iv, message: text, tag },
                Kinds::Seal => Job::seal(keys.aead(i), iv, &[], text, tag),
                Kinds::Hash => match &keys {
                    Keys::Hmac256(keys) => {
                        Job::Hmac256(&keys[i], text, tag.as_mut_slice().try_into().expect("32"))
                    }
                    Keys::Hmac512(keys) => {
                        Job::Hmac512(&keys[i], text, tag.as_mut_slice().try_into().expect("64"))
                    }
                    Keys::Gost94(sboxes) => {
                        Job::Gost94(sboxes, text, tag.as_mut_slice().try_into().expect("32"))
                    }
                    _ if out == 32 => {
                        Job::Hash256(text, tag.as_mut_slice().try_into().expect("32"))
                    }
                    _ => Job::Hash512(text, tag.as_mut_slice().try_into().expect("64")),
                },
            }
        });
        for result in batch::run(jobs.collect()) {
            result.expect("a job");
        }
    }))
}
