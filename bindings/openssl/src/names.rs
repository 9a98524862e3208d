//! OpenSSL's own knowledge of algorithms, beyond the library's table: more names, EVP's view of a cipher, trees of keys.
//! An algorithm that this file does not name is served by its row of the table.

use std::ffi::CString;

use bulat::ParamSet;
use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Primitive, Scheme};
use bulat::kdf::TlsMasks;

/// Names in addition to those of the library's table. A fetched object shows the first, which is gost-engine's: peers
/// compare it (OpenVPN does).
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

/// Returns all names of an algorithm, separated by colons.
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

/// How EVP's updates map to the session's.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// An update may have any length. EVP sees a block of 1.
    Stream,
    /// The session gets whole blocks; the provider holds the rest, and pads.
    Blocks,
    /// Each update is a data unit of its own, under the same tweak.
    Unit,
}

/// EVP's "updated-iv": the IV under which the next message could begin.
#[derive(Clone, Copy, PartialEq)]
pub enum Register {
    /// The IV, before any data. Afterwards no IV says where the message stopped.
    Iv,
    /// The last block of ciphertext.
    Ciphertext,
    /// The last block of gamma.
    Gamma,
}

/// The effect of an init that brings neither key nor IV.
#[derive(Clone, Copy, PartialEq)]
pub enum Again {
    /// The message begins anew, as with OpenSSL's own modes of this kind.
    Restarts,
    /// The message continues with the next block, in either direction, since a keystream must not be used twice.
    Continues,
    /// The next message needs an IV.
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

impl Evp {
    pub fn of(a: &Algorithm) -> Self {
        use {Again::*, Register::*, Shape::*};
        let (mode, shape, register, again) = match a.scheme {
            Scheme::Ecb => (1, Blocks, Iv, Restarts),
            Scheme::Cbc => (2, Blocks, Ciphertext, Restarts),
            Scheme::Cfb => (3, Stream, Ciphertext, Restarts),
            Scheme::Ofb => (4, Stream, Gamma, Restarts),
            Scheme::Cnt => (4, Stream, Iv, Restarts),
            Scheme::Ctr | Scheme::CtrAcpkm => (5, Stream, Iv, Continues),
            Scheme::Xts => (0x10001, Unit, Iv, Restarts),
            // EVP has no number for MGM and CTR-ACPKM-OMAC. Hosts such as Node and PHP ask for a tag only in modes that they
            // know. OCB's callers name the tag's length before the key, and no protocol of libssl is tied to it; with
            // GCM's number, gost-engine's patch for TLS 1.3 would give Magma a tag of 16 bytes.
            _ => (0x10003, Stream, Iv, Ends),
        };
        Evp { mode, shape, register, again }
    }
    /// Returns the block that EVP sees.
    pub fn block(self, a: &Algorithm) -> usize {
        if self.shape == Shape::Blocks { a.block } else { 1 }
    }
}

/// Returns the IV's usual length in EVP: for CTR-ACPKM-OMAC only the IV of the UKM, which is IV and seed.
pub fn iv_len(a: &Algorithm) -> usize {
    if a.scheme == Scheme::CtrAcpkmOmac { a.block / 2 } else { a.iv.usual() }
}

/// Returns `Some` if CRYPT_PARAMS or a parameter chooses the S-boxes. It holds the key meshing under chosen S-boxes,
/// which is gost-engine's.
pub fn sboxes(a: &Algorithm) -> Option<Option<bool>> {
    match (a.primitive, a.scheme) {
        (Primitive::Gost28147, Scheme::Cfb) => Some(Some(true)),
        (Primitive::Gost28147, Scheme::Cbc | Scheme::Ecb) => Some(None),
        _ => None,
    }
}

/// A cipher's parameters in CMS, next to its OID.
#[derive(Clone, Copy, PartialEq)]
pub enum Cms {
    /// IV and S-boxes.
    Iv28147,
    /// IV and seed.
    Ukm,
}

impl Cms {
    /// Returns the form of an algorithm's parameters, if it has any.
    pub fn of(a: &Algorithm) -> Option<Self> {
        match (a.primitive, a.scheme) {
            (Primitive::Gost28147, Scheme::Cfb | Scheme::Cbc) => Some(Cms::Iv28147),
            // As gost-engine writes it.
            (Primitive::Magma, Scheme::Cbc) => Some(Cms::Iv28147),
            (_, Scheme::Ctr | Scheme::CtrAcpkm | Scheme::CtrAcpkmOmac) => Some(Cms::Ukm),
            _ => None,
        }
    }
}

/// Returns the OID of S-boxes for a cipher; those of the hash function have no use in CMS.
pub fn param_set_oid(set: ParamSet) -> Option<&'static str> {
    match set {
        ParamSet::HashTest | ParamSet::HashCryptoPro => None,
        _ => Some(set.oid()),
    }
}

/// Returns whether a function is built on the digest of this name.
pub fn is_over(a: &Algorithm, digest: &str) -> bool {
    let built = a.kind == Kind::Kdf || a.scheme == Scheme::Hmac;
    let hash = ALGORITHMS.iter().find(|h| h.kind == Kind::Hash && h.primitive == a.primitive);
    let names = hash.map(names).unwrap_or_default();
    let named = |names: &str| names.split(':').any(|name| name.eq_ignore_ascii_case(digest));
    built && names.to_str().is_ok_and(named)
}

/// Returns whether a cipher has two trees of keys of TLS records, of which `tlstree_mode` chooses one.
pub fn has_tree_modes(a: &Algorithm) -> bool {
    a.scheme == Scheme::Mgm
}

/// Returns the tree of keys of TLS records for a cipher or MAC: CTR and OMAC have one, MGM has "light" and "strong".
pub fn tls_masks(a: &Algorithm, mode: Option<&str>) -> Option<TlsMasks> {
    match (a.primitive, a.scheme, mode) {
        (Primitive::Kuznyechik, Scheme::Ctr | Scheme::CtrAcpkm | Scheme::Omac, _) => {
            Some(TlsMasks::KUZNYECHIK_CTR_OMAC)
        }
        (Primitive::Magma, Scheme::Ctr | Scheme::CtrAcpkm | Scheme::Omac, _) => {
            Some(TlsMasks::MAGMA_CTR_OMAC)
        }
        (Primitive::Kuznyechik, Scheme::Mgm, Some("light")) => Some(TlsMasks::KUZNYECHIK_MGM_L),
        (Primitive::Kuznyechik, Scheme::Mgm, Some("strong")) => Some(TlsMasks::KUZNYECHIK_MGM_S),
        (Primitive::Magma, Scheme::Mgm, Some("light")) => Some(TlsMasks::MAGMA_MGM_L),
        (Primitive::Magma, Scheme::Mgm, Some("strong")) => Some(TlsMasks::MAGMA_MGM_S),
        _ => None,
    }
}
