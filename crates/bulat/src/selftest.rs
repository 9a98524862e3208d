//! The self-test: every algorithm of the table against one known answer, and back. Algorithms with sessions run on
//! every kernel of this machine, the others on the kernels picked for them. The input is a fixed pattern. Outputs are
//! compared by a 64-bit FNV-1a checksum, which detects a broken build or processor; there is no forger here.

mod functions;

use alloc::{vec, vec::Vec};

use crate::algorithm::{ALGORITHMS, Algorithm, CipherSession, Kind, Params, Scheme, Session};
use crate::{Direction, Error, kernel};

/// The result of an algorithm on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The known answer.
    Right,
    /// A different answer.
    Wrong,
    /// The algorithm returned an error.
    Failed(Error),
    /// This file has no known answer for the algorithm, which is a bug.
    Unknown,
}

/// A line of the report.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The kernel's name; `picked` for algorithms without sessions, which run on the kernels that [`crate::survey`]
    /// shows.
    pub kernel: &'static str,
    /// The result.
    pub verdict: Verdict,
}

/// Runs every algorithm on every kernel that its primitives have, and reports each result. Returns whether all were
/// right.
///
/// ```
/// let mut runs = 0;
/// assert!(bulat::selftest::run(|_| runs += 1));
/// assert!(runs > 0);
/// ```
pub fn run(mut report: impl FnMut(Outcome)) -> bool {
    let mut good = true;
    let mut report = |algorithm, kernel, sum: Result<u64, Error>| {
        let verdict = match sum {
            Err(error) => Verdict::Failed(error),
            Ok(sum) => match ANSWERS.iter().find(|(name, _)| *name == algorithm) {
                None => Verdict::Unknown,
                Some((_, answer)) if *answer == sum => Verdict::Right,
                Some(_) => Verdict::Wrong,
            },
        };
        good &= verdict == Verdict::Right;
        report(Outcome { algorithm, kernel, verdict });
    };
    for kernel in kernel::NAMES.iter().filter(|name| kernel::available(name)) {
        for algorithm in ALGORITHMS.iter().filter(|a| a.has_sessions()) {
            match one(algorithm, kernel) {
                Err(Error::UnknownKernel) => {}
                sum => report(algorithm.name, kernel, sum),
            }
        }
    }
    for algorithm in ALGORITHMS.iter().filter(|a| !a.has_sessions()) {
        let made = functions::one(algorithm);
        report(algorithm.name, "picked", made.map(|bytes| checksum(&bytes)));
    }
    good
}

/// Returns the checksum of the algorithm's output on the pattern, after checking that the inverse restores the input.
fn one(a: &Algorithm, kernel: &str) -> Result<u64, Error> {
    let key = pattern(if a.kind == Kind::Mac { 32 } else { a.key }, 1);
    let mut iv = pattern(a.iv.usual(), 2);
    if let Some(first) = iv.first_mut() {
        *first &= 0x7f; // MGM
    }
    // Whole blocks where the mode needs them; otherwise a partial block at the end.
    let whole = matches!(a.scheme, Scheme::Ecb | Scheme::Cbc);
    let text = pattern(if whole { 9008 } else { 9001 }, 3);
    let session =
        |direction| a.session(&Params::new(&key).iv(&iv).direction(direction).kernel(kernel));
    let pieces = || [&text[..4097], &text[4097..]].into_iter();
    let mut out = vec![];
    match session(Direction::Encrypt)? {
        Session::Hash(mut hash) => {
            pieces().for_each(|piece| hash.update(piece));
            out.resize(hash.output_len(), 0);
            hash.finalize_reset(&mut out)?;
        }
        Session::Mac(mut mac) => {
            pieces().for_each(|piece| mac.update(piece));
            out.extend_from_slice(&mac.finalize_reset()?);
        }
        Session::Cipher(mut cipher) => {
            let through = |cipher: &mut CipherSession, text: &[&[u8]]| {
                let mut out = vec![];
                for piece in text {
                    let at = out.len();
                    out.extend_from_slice(piece);
                    let n = cipher.update(&mut out[at..])?;
                    out.truncate(at + n);
                }
                let mut last = vec![0; cipher.held()];
                let n = cipher.finalize(&mut last)?;
                out.extend_from_slice(&last[..n]);
                Ok(out)
            };
            out = through(&mut cipher, &pieces().collect::<Vec<_>>())?;
            let mut cipher = session(Direction::Decrypt)?.cipher()?;
            if through(&mut cipher, &[&out])? != text {
                return Err(Error::Verify);
            }
        }
        Session::Aead(mut aead) => {
            let data = if a.scheme == Scheme::CtrAcpkmOmac { vec![] } else { pattern(29, 4) };
            out.extend_from_slice(&text);
            aead.aad(&data)?;
            aead.update(&mut out[..4097])?;
            aead.update(&mut out[4097..])?;
            let tag = aead.finalize()?;
            let mut back = out.clone();
            let mut aead = session(Direction::Decrypt)?.aead()?;
            aead.aad(&data)?;
            aead.open(&mut back, &tag)?;
            if back != text {
                return Err(Error::Verify);
            }
            out.extend_from_slice(&tag);
        }
    }
    Ok(checksum(&out))
}

/// Byte i is the most significant byte of (i + 1000·salt)·0x9e3779b1 mod 2^32.
fn pattern(len: usize, salt: u32) -> Vec<u8> {
    (1000 * salt..).take(len).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect()
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, byte| {
        (h ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Computed by a program independent of this library, written from the standards.
const ANSWERS: &[(&str, u64)] = &[
    ("streebog256", 0x8e24_c36e_1a4f_55b8),
    ("streebog512", 0x5f91_77ec_4f22_68ba),
    ("gost94", 0xb27a_287f_1936_f1c1),
    ("gost94-test", 0xbc8a_17c6_8499_e643),
    ("kuznyechik-ecb", 0x0171_1874_d3dc_5d40),
    ("kuznyechik-cbc", 0xbe15_e347_da26_e58b),
    ("kuznyechik-ctr", 0x1c0e_bc11_370d_7995),
    ("kuznyechik-cfb", 0x5e9d_ae47_8014_35f1),
    ("kuznyechik-ofb", 0x5e35_e042_f293_688e),
    ("kuznyechik-ctr-acpkm", 0x2313_b340_89ef_c7c9),
    ("kuznyechik-mgm", 0xbf5e_2b72_496b_b232),
    ("kuznyechik-ctr-acpkm-omac", 0xe21d_d014_865d_5d71),
    ("kuznyechik-omac", 0xf60c_f1a8_6569_c017),
    ("kuznyechik-omac-acpkm", 0xea39_1983_ceca_1d40),
    ("magma-ecb", 0xa13c_34f8_f125_7b59),
    ("magma-cbc", 0x237b_5b94_e646_9d1a),
    ("magma-ctr", 0x6bad_fd56_e00c_2ec3),
    ("magma-cfb", 0x3043_0af0_512b_f2fc),
    ("magma-ofb", 0xa190_3ffd_d977_290c),
    ("magma-ctr-acpkm", 0x0f30_8cdb_6c38_faa3),
    ("magma-mgm", 0x6d72_e700_2610_a933),
    ("magma-ctr-acpkm-omac", 0xe55f_790e_3b24_c201),
    ("magma-omac", 0xdff2_45ad_852c_0c38),
    ("magma-omac-acpkm", 0x305c_a932_28b9_0c0b),
    ("kuznyechik-xts", 0xb1ec_d7fc_7c77_7e59),
    ("gost89", 0x49e9_8b09_fcf1_196a),
    ("gost89-cnt", 0xc99c_1a45_ed11_57b0),
    ("gost89-cnt-12", 0xed30_d8f8_6472_0d01),
    ("gost89-cbc", 0x74d7_ae12_81c3_1185),
    ("gost89-ecb", 0x6fea_af1e_e0cc_de11),
    ("gost-mac", 0x064c_4008_92b9_6ad5),
    ("gost-mac-12", 0xb5d2_10a6_aa3a_21ee),
    ("hmac-streebog256", 0x3bc1_ca15_6c69_e1fb),
    ("hmac-streebog512", 0x004d_fc97_3b8f_68b3),
    ("kdf-gostr3411-2012-256", 0x289f_2e22_48a5_1f11),
    ("kdf-tree", 0xdb77_3c05_3836_c097),
    ("tlstree", 0x189a_b5aa_3f78_87ec),
    ("pbkdf2-hmac-streebog256", 0xe7d2_00e9_4d14_9faf),
    ("pbkdf2-hmac-streebog512", 0xe7c3_90a6_ed7f_d1e0),
    ("prf-tls-gostr3411-2012-256", 0xcfe6_c3e0_48bd_bb73),
    ("prf-tls-gostr3411-2012-512", 0x41a5_ad99_4888_435e),
    ("prf-plus-streebog256", 0x8760_f3b0_ade7_0959),
    ("prf-plus-streebog512", 0xecb3_e4d0_75e3_9e5d),
    ("hkdf-streebog256", 0x0581_f131_4063_9342),
    ("hkdf-streebog512", 0xfd63_c1a3_5194_c72b),
    ("kuznyechik-kexp15", 0x75ff_d0e7_7f34_093d),
    ("magma-kexp15", 0xe507_a0c9_fe4e_c449),
    ("gost28147-keywrap", 0x0332_4dfc_a87b_a2b4),
    ("cryptopro-keywrap", 0xf3b5_bde7_d81d_2b55),
    ("gost28147-keywrap-12", 0x1ae3_c32b_ce4f_23c0),
];
