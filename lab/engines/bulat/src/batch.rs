//! Several texts in one call of `batch::run`, each under its own key.

use bulat::algorithm::{Algorithm, Kind};
use bulat::batch::{self, Job, Key, MacMode, Mode};
use bulat::kdf::{Hmac256, Hmac512};
use bulat::magma::ParamSet;
use bulat::modes::Meshing;
use bulat::{Direction, Gost28147, Kuznyechik, Magma};
use engine::{Case, Input, Work};

/// Keys of one kind, one for each text.
enum Keys {
    Kuznyechik(Vec<Kuznyechik>),
    Magma(Vec<Magma>),
    Gost28147(Vec<Gost28147>),
    Hmac256(Vec<Hmac256>),
    Hmac512(Vec<Hmac512>),
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
}

/// What is done to each text.
#[derive(Clone, Copy)]
enum Kinds {
    Cipher(Mode),
    Mac(MacMode),
    Seal,
    Hash,
}

/// The default sections of ACPKM, RFC 8645's examples: octets for blocks of 16 and of 8.
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
        ("streebog256" | "streebog512", _) => Kinds::Hash,
        _ => kinds(a, case.decrypt).ok_or_else(|| format!("{} is no job of a batch", a.name))?,
    };
    let octets = |i| engine::key(i, 32);
    let each = 0..case.streams;
    let block: fn(Vec<u8>) -> [u8; 32] = |key| key.try_into().expect("32 octets");
    let keys = match a.name.split('-').next() {
        Some("kuznyechik") => {
            Keys::Kuznyechik(each.map(|i| Kuznyechik::new(&block(octets(i)))).collect())
        }
        Some("magma") => Keys::Magma(each.map(|i| Magma::new(&block(octets(i)))).collect()),
        Some("gost89" | "gost") => {
            let new = |i| Gost28147::new(&block(octets(i)), ParamSet::Tc26Z);
            Keys::Gost28147(each.map(new).collect())
        }
        Some("hmac") if a.out == 32 => {
            Keys::Hmac256(each.map(|i| Hmac256::new(&octets(i))).collect())
        }
        Some("hmac") => Keys::Hmac512(each.map(|i| Hmac512::new(&octets(i))).collect()),
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
            Job::new(match kinds {
                Kinds::Cipher(mode) => {
                    batch::Work::Cipher { key: keys.of(i), mode, iv, text: text.into() }
                }
                Kinds::Mac(mode) => {
                    batch::Work::Mac { key: keys.of(i), mode, iv, message: text, tag }
                }
                Kinds::Seal => batch::Work::Seal {
                    key: keys.of(i),
                    nonce: iv,
                    aad: &[],
                    text: text.into(),
                    tag,
                },
                Kinds::Hash => match &keys {
                    Keys::Hmac256(keys) => batch::Work::Hmac256(
                        &keys[i],
                        text,
                        tag.as_mut_slice().try_into().expect("32"),
                    ),
                    Keys::Hmac512(keys) => batch::Work::Hmac512(
                        &keys[i],
                        text,
                        tag.as_mut_slice().try_into().expect("64"),
                    ),
                    _ if out == 32 => {
                        batch::Work::Hash256(text, tag.as_mut_slice().try_into().expect("32"))
                    }
                    _ => batch::Work::Hash512(text, tag.as_mut_slice().try_into().expect("64")),
                },
            })
        });
        let mut jobs: Vec<Job<'_>> = jobs.collect();
        batch::run(&mut jobs);
        if let Some(e) = jobs.iter().find_map(|job| job.result.err()) {
            panic!("a job failed: {e}");
        }
    }))
}
