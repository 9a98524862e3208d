//! What only OpenSSL knows of the algorithms: further names, EVP's view of a cipher, S-boxes by OID, trees of keys. All
//! else is from the library's table; an algorithm that stands here nowhere is served by its row there.

use std::ffi::CString;

use bulat::ParamSet;
use bulat::algorithm::{ALGORITHMS, Algorithm, Kind};
use bulat::kdf::TlsMasks;

/// Names beside those of the library's table. The first is the one that a fetched object shows: gost-engine's, since
/// peers compare it (OpenVPN does).
const NAMES: &[(&str, &str, &[&str])] = &[
    ("streebog256", "md_gost12_256", &["GOST R 34.11-2012 with 256 bit hash"]),
    ("streebog512", "md_gost12_512", &["GOST R 34.11-2012 with 512 bit hash"]),
    ("gost94", "md_gost94", &["GOST R 34.11-94"]),
    ("kuznyechik-omac", "kuznyechik-mac", &[]),
    ("magma-omac", "magma-mac", &[]),
    (
        "kuznyechik-omac-acpkm",
        "kuznyechik-ctr-acpkm-omac",
        &["id-tc26-cipher-gostr3412-2015-kuznyechik-ctracpkm-omac", "1.2.643.7.1.1.5.2.2"],
    ),
    (
        "magma-omac-acpkm",
        "magma-ctr-acpkm-omac",
        &["id-tc26-cipher-gostr3412-2015-magma-ctracpkm-omac", "1.2.643.7.1.1.5.1.2"],
    ),
    ("hmac-streebog256", "hmac-streebog256", &["HMAC GOST 34.11-2012 256 bit"]),
    ("hmac-streebog512", "hmac-streebog512", &["HMAC GOST 34.11-2012 512 bit"]),
    ("kdf-gostr3411-2012-256", "KDF_GOSTR3411_2012_256", &[]),
    ("kdf-tree", "KDF_TREE", &[]),
    ("tlstree", "TLSTREE", &[]),
];

/// All names of an algorithm, separated by colons.
pub fn names(a: &Algorithm) -> CString {
    let row = NAMES.iter().find(|(name, ..)| *name == a.name);
    let (first, more) = row.map_or((a.name, &[][..]), |(_, first, more)| (*first, *more));
    let all = [first, a.name].into_iter().chain(a.aliases.iter().copied());
    let all = all.chain(a.oid).chain(more.iter().copied());
    let mut names: Vec<&str> = Vec::new();
    for name in all {
        if !names.iter().any(|n| n.eq_ignore_ascii_case(name)) {
            names.push(name);
        }
    }
    CString::new(names.join(":")).unwrap_or_default()
}

/// How an update of EVP is cut.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// As long as it is; the block that EVP sees is 1.
    Stream,
    /// Whole blocks; the provider holds the rest, and pads.
    Blocks,
    /// Each update is a data unit by itself, under the same tweak.
    Unit,
}

/// What the next message could begin with, of EVP's "updated-iv".
#[derive(Clone, Copy, PartialEq)]
pub enum Register {
    /// The IV, until data has come: then no IV says where the message stopped.
    Iv,
    /// The last block of ciphertext.
    Ciphertext,
    /// The last block of gamma.
    Gamma,
}

/// What becomes of a message when neither key nor IV comes with an init.
#[derive(Clone, Copy, PartialEq)]
pub enum Again {
    /// It begins anew, as OpenSSL's own modes of this kind do.
    Restarts,
    /// It goes on with the next block, in either direction, since a keystream must not be used twice.
    GoesOn,
    /// Nothing more until there is an IV.
    Ends,
}

/// A cipher as EVP sees it.
#[derive(Clone, Copy)]
pub struct Evp {
    pub mode: u64,
    pub shape: Shape,
    pub register: Register,
    pub again: Again,
}

const fn evp(mode: u64, shape: Shape, register: Register, again: Again) -> Evp {
    Evp { mode, shape, register, again }
}

/// By the end of the name; the first that fits.
const CIPHERS: &[(&str, Evp)] = &[
    ("-ecb", evp(1, Shape::Blocks, Register::Iv, Again::Restarts)),
    ("-cbc", evp(2, Shape::Blocks, Register::Ciphertext, Again::Restarts)),
    ("-cfb", evp(3, Shape::Stream, Register::Ciphertext, Again::Restarts)),
    ("gost89", evp(3, Shape::Stream, Register::Ciphertext, Again::Restarts)),
    ("-ofb", evp(4, Shape::Stream, Register::Gamma, Again::Restarts)),
    ("gost89-cnt", evp(4, Shape::Stream, Register::Iv, Again::Restarts)),
    ("gost89-cnt-12", evp(4, Shape::Stream, Register::Iv, Again::Restarts)),
    ("-ctr", evp(5, Shape::Stream, Register::Iv, Again::GoesOn)),
    ("-ctr-acpkm", evp(5, Shape::Stream, Register::Iv, Again::GoesOn)),
    ("-ctr-acpkm-omac", evp(5, Shape::Stream, Register::Iv, Again::Ends)),
    ("-xts", evp(0x10001, Shape::Unit, Register::Iv, Again::Restarts)),
];

impl Evp {
    pub fn of(a: &Algorithm) -> Self {
        let other = evp(0, Shape::Stream, Register::Iv, Again::Ends);
        CIPHERS.iter().find(|(end, _)| a.name.ends_with(end)).map_or(other, |(_, evp)| *evp)
    }
    /// The block that EVP sees.
    pub fn block(self, a: &Algorithm) -> usize {
        if self.shape == Shape::Blocks { a.block } else { 1 }
    }
}

/// The IV's usual length in EVP: of CTR-ACPKM-OMAC, whose UKM is IV and seed, the IV alone.
pub fn iv_len(a: &Algorithm) -> usize {
    if is_omac(a) { a.block / 2 } else { a.iv.usual() }
}

/// Whether the library's IV is EVP's and a seed.
pub fn is_omac(a: &Algorithm) -> bool {
    a.kind == Kind::Aead && a.name.ends_with("-ctr-acpkm-omac")
}

/// Whether the environment's CRYPT_PARAMS, or a parameter, chooses the S-boxes, and how the key is meshed then: as
/// gost-engine does, under any S-boxes.
pub fn sboxes(a: &Algorithm) -> Option<Option<bool>> {
    match a.name {
        "gost89" => Some(Some(true)),
        "gost89-cbc" | "gost89-ecb" => Some(None),
        _ => None,
    }
}

/// The OIDs of S-boxes, as CMS has them.
const PARAM_SETS: [(ParamSet, &str); 6] = [
    (ParamSet::Test, "1.2.643.2.2.31.0"),
    (ParamSet::CryptoProA, "1.2.643.2.2.31.1"),
    (ParamSet::CryptoProB, "1.2.643.2.2.31.2"),
    (ParamSet::CryptoProC, "1.2.643.2.2.31.3"),
    (ParamSet::CryptoProD, "1.2.643.2.2.31.4"),
    (ParamSet::Tc26Z, "1.2.643.7.1.2.5.1.1"),
];

/// The OID of S-boxes.
pub fn param_set_oid(set: ParamSet) -> Option<&'static str> {
    PARAM_SETS.iter().find(|row| row.0 == set).map(|row| row.1)
}

/// Whether a function is built on the digest of this name.
pub fn is_over(a: &Algorithm, digest: &str) -> bool {
    let hash = if a.name.ends_with("512") { "streebog512" } else { "streebog256" };
    let names = ALGORITHMS.iter().find(|a| a.name == hash).map(names).unwrap_or_default();
    let named = |names: &str| names.split(':').any(|name| name.eq_ignore_ascii_case(digest));
    (a.kind == Kind::Kdf || a.name.starts_with("hmac-")) && names.to_str().is_ok_and(named)
}

/// Whether a cipher has two trees of keys of TLS records, and `tlstree_mode` says which.
pub fn has_tree_modes(a: &Algorithm) -> bool {
    a.name.ends_with("-mgm")
}

/// The tree of keys of TLS records for a cipher or MAC: of CTR and OMAC one, of MGM two, "light" and "strong".
pub fn tls_masks(name: &str, mode: Option<&str>) -> Option<TlsMasks> {
    let (primitive, rest) = name.split_once('-')?;
    let mgm = |light, strong| match mode {
        Some("light") => Some(light),
        Some("strong") => Some(strong),
        _ => None,
    };
    match (primitive, rest) {
        ("kuznyechik", "ctr" | "ctr-acpkm" | "omac") => Some(TlsMasks::KUZNYECHIK_CTR_OMAC),
        ("magma", "ctr" | "ctr-acpkm" | "omac") => Some(TlsMasks::MAGMA_CTR_OMAC),
        ("kuznyechik", "mgm") => mgm(TlsMasks::KUZNYECHIK_MGM_L, TlsMasks::KUZNYECHIK_MGM_S),
        ("magma", "mgm") => mgm(TlsMasks::MAGMA_MGM_L, TlsMasks::MAGMA_MGM_S),
        _ => None,
    }
}
