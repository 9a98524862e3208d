//! The algorithms, one per line: names, sizes in bytes, the clause of the standard, and the function that opens a
//! session. OIDs: RFC 4357, RFC 4490, RFC 9189, RFC 9215, RFC 9337, R 1323565.1.023-2018.

use core::ops::RangeInclusive;

use super::Primitive::{self, Gost94, Gost28147, Kuznyechik, Magma, Streebog256, Streebog512};
use super::Scheme::{self, *};
use super::key::{self, Prepare};
use super::{Algorithm, Call, Derive, Iv, Kind, MAX_REGISTER, Open, open};
use crate::batch::MacMode;
use crate::kdf::named::{self, Wrapper};
use crate::magma::ParamSet::{CryptoProA, HashCryptoPro, HashTest, Tc26Z};

impl Algorithm {
    const fn new(
        kind: Kind,
        name: &'static str,
        primitive: Primitive,
        scheme: Scheme,
        call: Call,
    ) -> Self {
        let (aliases, iv): (&[&str], _) = (&[], Iv::None);
        Algorithm {
            name,
            aliases,
            oid: None,
            kind,
            primitive,
            scheme,
            key: 32,
            iv,
            block: primitive.block(),
            out: 0,
            tags: RangeInclusive::new(1, 0),
            note: "",
            call,
            lanes: None,
        }
    }
    const fn hash(name: &'static str, primitive: Primitive, out: usize, open: Open) -> Self {
        let row = Self::new(Kind::Hash, name, primitive, Scheme::Hash, Call::Session(open));
        Algorithm { key: 0, out, ..row }
    }
    const fn cipher(name: &'static str, primitive: Primitive, scheme: Scheme, open: Open) -> Self {
        Self::new(Kind::Cipher, name, primitive, scheme, Call::Session(open))
    }
    const fn mac(name: &'static str, primitive: Primitive, scheme: Scheme, open: Open) -> Self {
        let n = primitive.block();
        Self::new(Kind::Mac, name, primitive, scheme, Call::Session(open)).out(n).tags(1, n)
    }
    const fn aead(name: &'static str, primitive: Primitive, scheme: Scheme, open: Open) -> Self {
        let n = primitive.block();
        Self::new(Kind::Aead, name, primitive, scheme, Call::Session(open)).out(n).tags(4, n)
    }
    const fn key_len(self, key: usize) -> Self {
        Algorithm { key, ..self }
    }
    /// A MAC with keys of any length.
    const fn hmac(name: &'static str, primitive: Primitive, out: usize, open: Open) -> Self {
        Self::mac(name, primitive, Hmac, open).key_len(0).out(out).tags(1, out)
    }
    /// Key derivation with keys and output of any length.
    const fn kdf(name: &'static str, primitive: Primitive, scheme: Scheme, derive: Derive) -> Self {
        let row = Self::new(Kind::Kdf, name, primitive, scheme, Call::Derive(derive));
        Algorithm { key: 0, block: 0, ..row }
    }
    /// A key wrap: bytes of the key and of the wrapped key, 0 for any.
    const fn wrapper(
        name: &'static str,
        primitive: Primitive,
        scheme: Scheme,
        (key, out): (usize, usize),
        by: Wrapper,
    ) -> Self {
        let row = Self::new(Kind::Wrap, name, primitive, scheme, Call::Wrap(by));
        Algorithm { key, out, block: 0, ..row }
    }
    /// The length of the output: of the digest, the usual tag or the derived key.
    const fn out(self, out: usize) -> Self {
        Algorithm { out, ..self }
    }
    /// The shortest and the longest tag.
    const fn tags(self, least: usize, most: usize) -> Self {
        Algorithm { tags: RangeInclusive::new(least, most), ..self }
    }
    const fn iv(self, iv: Iv) -> Self {
        Algorithm { iv, ..self }
    }
    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Algorithm { aliases, ..self }
    }
    const fn oid(self, oid: &'static str) -> Self {
        Algorithm { oid: Some(oid), ..self }
    }
    /// Lets batches run the algorithm's messages side by side.
    const fn lanes(self, lanes: Prepare) -> Self {
        Algorithm { lanes: Some(lanes), ..self }
    }
    const fn note(self, note: &'static str) -> Self {
        Algorithm { note, ..self }
    }
}

type K = crate::Kuznyechik;
type M = crate::Magma;

/// All algorithms.
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm::hash("streebog256", Streebog256, 32, open::streebog::<32>)
        .lanes(key::hash256)
        .also(&["md_gost12_256", "streebog-256", "gost12-256", "id-tc26-gost3411-12-256"])
        .oid("1.2.643.7.1.1.2.2")
        .note("GOST R 34.11-2012, RFC 6986"),
    Algorithm::hash("streebog512", Streebog512, 64, open::streebog::<64>)
        .lanes(key::hash512)
        .also(&["md_gost12_512", "streebog-512", "gost12-512", "id-tc26-gost3411-12-512"])
        .oid("1.2.643.7.1.1.2.3")
        .note("GOST R 34.11-2012, RFC 6986"),
    Algorithm::hash("gost94", Gost94, 32, |p| open::gost94(p, HashCryptoPro))
        .lanes(|p| key::gost94(p, HashCryptoPro))
        .also(&["md_gost94", "gostr341194", "id-gostr3411-94"])
        .oid("1.2.643.2.2.9")
        .note("GOST R 34.11-94, RFC 5831, CryptoPro S-boxes; old data only"),
    Algorithm::hash("gost94-test", Gost94, 32, |p| open::gost94(p, HashTest))
        .lanes(|p| key::gost94(p, HashTest))
        .note("GOST R 34.11-94, RFC 5831, test S-boxes; old data only"),
    Algorithm::cipher("kuznyechik-ecb", Kuznyechik, Ecb, open::ecb::<K>)
        .lanes(key::ecb::<K>)
        .also(&["grasshopper-ecb"])
        .note("GOST R 34.13-2015, 5.1; equal blocks of text show"),
    Algorithm::cipher("kuznyechik-cbc", Kuznyechik, Cbc, open::cbc::<K>)
        .lanes(key::cbc::<K>)
        .also(&["grasshopper-cbc"])
        .iv(Iv::Multiple(16))
        .note("GOST R 34.13-2015, 5.4; unauthenticated, it is a padding oracle"),
    Algorithm::cipher("kuznyechik-ctr", Kuznyechik, Ctr, open::ctr::<K>)
        .lanes(key::ctr::<K>)
        .also(&["grasshopper-ctr"])
        .iv(Iv::Exact(8))
        .note("GOST R 34.13-2015, 5.2"),
    Algorithm::cipher("kuznyechik-cfb", Kuznyechik, Cfb, open::cfb::<K>)
        .lanes(key::cfb::<K>)
        .also(&["grasshopper-cfb"])
        .iv(Iv::Between(16, MAX_REGISTER))
        .note("GOST R 34.13-2015, 5.5"),
    Algorithm::cipher("kuznyechik-ofb", Kuznyechik, Ofb, open::ofb::<K>)
        .lanes(key::ofb::<K>)
        .also(&["grasshopper-ofb"])
        .iv(Iv::Multiple(16))
        .note("GOST R 34.13-2015, 5.3"),
    Algorithm::cipher("kuznyechik-ctr-acpkm", Kuznyechik, CtrAcpkm, open::acpkm::<K>)
        .lanes(key::acpkm::<K>)
        .also(&["id-tc26-cipher-gostr3412-2015-kuznyechik-ctracpkm"])
        .oid("1.2.643.7.1.1.5.2.1")
        .iv(Iv::Exact(8))
        .note("RFC 8645, 6.2.2; sections of 4096 bytes by default, 262144 in CMS"),
    Algorithm::aead("kuznyechik-mgm", Kuznyechik, Mgm, open::mgm::<K>)
        .lanes(key::mgm::<K>)
        .also(&["id-tc26-cipher-gostr3412-2015-kuznyechik-mgm"])
        .oid("1.2.643.7.1.1.5.2.3")
        .iv(Iv::Exact(16))
        .note("RFC 9058; the nonce's first bit must be 0"),
    Algorithm::aead("kuznyechik-ctr-acpkm-omac", Kuznyechik, CtrAcpkmOmac, open::cms::<K>)
        .lanes(key::cms::<K>)
        .also(&["id-tc26-cipher-gostr3412-2015-kuznyechik-ctracpkm-omac"])
        .oid("1.2.643.7.1.1.5.2.2")
        .iv(Iv::Exact(16))
        .tags(16, 16)
        .note("CMS, R 1323565.1.025-2019; IV = UKM, no associated data, sections of 262144 bytes"),
    Algorithm::cipher("kuznyechik-xts", Kuznyechik, Xts, open::xts)
        .lanes(key::xts)
        .key_len(64)
        .iv(Iv::Exact(16))
        .note("NOT A GOST STANDARD: IEEE 1619; key K1 || K2, IV = sector number, little-endian"),
    Algorithm::mac("kuznyechik-omac", Kuznyechik, Omac, open::omac::<K>)
        .lanes(|p| key::mac::<K>(p, MacMode::Omac))
        .also(&["kuznyechik-mac", "grasshopper-mac"])
        .note("GOST R 34.13-2015, 5.6"),
    Algorithm::mac("kuznyechik-omac-acpkm", Kuznyechik, OmacAcpkm, open::omac_acpkm::<K>)
        .lanes(key::omac_acpkm::<K>)
        .note("RFC 8645, 6.3.6; N = 4096, T* = 4096 bytes by default"),
    Algorithm::cipher("magma-ecb", Magma, Ecb, open::ecb::<M>)
        .lanes(key::ecb::<M>)
        .note("GOST R 34.13-2015, 5.1; equal blocks of text show"),
    Algorithm::cipher("magma-cbc", Magma, Cbc, open::cbc::<M>)
        .lanes(key::cbc::<M>)
        .iv(Iv::Multiple(8))
        .note("GOST R 34.13-2015, 5.4; unauthenticated, it is a padding oracle"),
    Algorithm::cipher("magma-ctr", Magma, Ctr, open::ctr::<M>)
        .lanes(key::ctr::<M>)
        .iv(Iv::Exact(4))
        .note("GOST R 34.13-2015, 5.2"),
    Algorithm::cipher("magma-cfb", Magma, Cfb, open::cfb::<M>)
        .lanes(key::cfb::<M>)
        .iv(Iv::Between(8, MAX_REGISTER))
        .note("GOST R 34.13-2015, 5.5"),
    Algorithm::cipher("magma-ofb", Magma, Ofb, open::ofb::<M>)
        .lanes(key::ofb::<M>)
        .iv(Iv::Multiple(8))
        .note("GOST R 34.13-2015, 5.3"),
    Algorithm::cipher("magma-ctr-acpkm", Magma, CtrAcpkm, open::acpkm::<M>)
        .lanes(key::acpkm::<M>)
        .also(&["id-tc26-cipher-gostr3412-2015-magma-ctracpkm"])
        .oid("1.2.643.7.1.1.5.1.1")
        .iv(Iv::Exact(4))
        .note("RFC 8645, 6.2.2; sections of 1024 bytes by default, 8192 in CMS"),
    Algorithm::aead("magma-mgm", Magma, Mgm, open::mgm::<M>)
        .lanes(key::mgm::<M>)
        .also(&["id-tc26-cipher-gostr3412-2015-magma-mgm"])
        .oid("1.2.643.7.1.1.5.1.3")
        .iv(Iv::Exact(8))
        .note("RFC 9058; the nonce's first bit must be 0"),
    Algorithm::aead("magma-ctr-acpkm-omac", Magma, CtrAcpkmOmac, open::cms::<M>)
        .lanes(key::cms::<M>)
        .also(&["id-tc26-cipher-gostr3412-2015-magma-ctracpkm-omac"])
        .oid("1.2.643.7.1.1.5.1.2")
        .iv(Iv::Exact(12))
        .tags(8, 8)
        .note("CMS, R 1323565.1.025-2019; IV = UKM, no associated data, sections of 8192 bytes"),
    Algorithm::mac("magma-omac", Magma, Omac, open::omac::<M>)
        .lanes(|p| key::mac::<M>(p, MacMode::Omac))
        .also(&["magma-mac"])
        .note("GOST R 34.13-2015, 5.6"),
    Algorithm::mac("magma-omac-acpkm", Magma, OmacAcpkm, open::omac_acpkm::<M>)
        .lanes(key::omac_acpkm::<M>)
        .note("RFC 8645, 6.3.6; N = 4096, T* = 1024 bytes by default"),
    Algorithm::cipher("gost89", Gost28147, Cfb, |p| open::cfb28147(p, Tc26Z))
        .lanes(key::cfb28147)
        .also(&["gost 28147-89", "id-gost28147-89", "gost89-cfb"])
        .oid("1.2.643.2.2.21")
        .iv(Iv::Exact(8))
        .note("RFC 5830, 7; key meshing; old data"),
    Algorithm::cipher("gost89-cnt", Gost28147, Cnt, |p| open::cnt(p, CryptoProA))
        .lanes(key::cnt_a)
        .iv(Iv::Exact(8))
        .note("RFC 5830, 6; S-boxes CryptoPro-A; key meshing; old data"),
    Algorithm::cipher("gost89-cnt-12", Gost28147, Cnt, |p| open::cnt(p, Tc26Z))
        .lanes(key::cnt_z)
        .iv(Iv::Exact(8))
        .note("RFC 5830, 6; key meshing; old data"),
    Algorithm::cipher("gost89-cbc", Gost28147, Cbc, |p| open::cbc28147(p, Tc26Z))
        .lanes(key::cbc28147)
        .iv(Iv::Exact(8))
        .note("RFC 4357, 2.1; no key meshing; old data"),
    Algorithm::cipher("gost89-ecb", Gost28147, Ecb, |p| open::ecb28147(p, Tc26Z))
        .lanes(key::ecb28147)
        .note("RFC 5830, 5; a building block"),
    Algorithm::mac("gost-mac", Gost28147, Imit, |p| open::imit(p, CryptoProA))
        .lanes(key::imit_a)
        .also(&["gost 28147-89 mac", "id-gost28147-89-mac"])
        .oid("1.2.643.2.2.22")
        .iv(Iv::Optional(8))
        .out(4)
        .note("RFC 5830, 8; S-boxes CryptoPro-A; key meshing; old data"),
    Algorithm::mac("gost-mac-12", Gost28147, Imit, |p| open::imit(p, Tc26Z))
        .lanes(key::imit_z)
        .iv(Iv::Optional(8))
        .out(4)
        .note("RFC 5830, 8; key meshing; old data"),
    Algorithm::hmac("hmac-streebog256", Streebog256, 32, open::hmac::<32>)
        .lanes(key::hmac256)
        .also(&["hmac-md_gost12_256", "id-tc26-hmac-gost-3411-2012-256"])
        .oid("1.2.643.7.1.1.4.1")
        .note("RFC 7836, 4.1.1; a key of any length"),
    Algorithm::hmac("hmac-streebog512", Streebog512, 64, open::hmac::<64>)
        .lanes(key::hmac512)
        .also(&["hmac-md_gost12_512", "id-tc26-hmac-gost-3411-2012-512"])
        .oid("1.2.643.7.1.1.4.2")
        .note("RFC 7836, 4.1.2; a key of any length"),
    Algorithm::kdf("kdf-gostr3411-2012-256", Streebog256, Kdf256, named::kdf)
        .out(32)
        .also(&["kdf_gostr3411_2012_256"])
        .note("RFC 7836, 4.5"),
    Algorithm::kdf("kdf-tree", Streebog256, KdfTree, named::tree)
        .also(&["kdf_tree_gostr3411_2012_256", "kdf-tree-gostr3411-2012-256"])
        .note("RFC 7836, 4.4"),
    Algorithm::kdf("tlstree", Streebog256, TlsTree, named::tlstree)
        .key_len(32)
        .out(32)
        .note("RFC 9189, 8.1; RFC 9367, 4.1.2"),
    Algorithm::kdf("pbkdf2-hmac-streebog256", Streebog256, Pbkdf2, named::password::<32>)
        .note("RFC 8018, 5.2"),
    Algorithm::kdf("pbkdf2-hmac-streebog512", Streebog512, Pbkdf2, named::password::<64>)
        .note("RFC 9337, 4; R 50.1.111-2016"),
    Algorithm::kdf("prf-tls-gostr3411-2012-256", Streebog256, PrfTls, named::tls::<32>)
        .also(&["prf_tls_gostr3411_2012_256"])
        .note("RFC 7836, 4.2.1.1"),
    Algorithm::kdf("prf-tls-gostr3411-2012-512", Streebog512, PrfTls, named::tls::<64>)
        .also(&["prf_tls_gostr3411_2012_512"])
        .note("RFC 7836, 4.2.1.2"),
    Algorithm::kdf("prf-plus-streebog256", Streebog256, PrfPlus, named::plus::<32>)
        .also(&["prf_ipsec_prfplus_gostr3411_2012_256"])
        .note("RFC 7836, 4.2.2; RFC 7296, 2.13"),
    Algorithm::kdf("prf-plus-streebog512", Streebog512, PrfPlus, named::plus::<64>)
        .also(&["prf_ipsec_prfplus_gostr3411_2012_512"])
        .note("RFC 7836, 4.2.2; RFC 7296, 2.13"),
    Algorithm::kdf("hkdf-streebog256", Streebog256, Hkdf, named::hkdf::<32>)
        .note("RFC 5869; RFC 9367"),
    Algorithm::kdf("hkdf-streebog512", Streebog512, Hkdf, named::hkdf::<64>).note("RFC 5869"),
    Algorithm::wrapper("kuznyechik-kexp15", Kuznyechik, Kexp15, (64, 0), Wrapper::kexp15::<K>())
        .also(&["id-tc26-wrap-gostr3412-2015-kuznyechik-kexp15"])
        .oid("1.2.643.7.1.1.7.2.1")
        .iv(Iv::Exact(8))
        .note("RFC 9189, 8.2.1; two keys: MAC, then encryption"),
    Algorithm::wrapper("magma-kexp15", Magma, Kexp15, (64, 0), Wrapper::kexp15::<M>())
        .also(&["id-tc26-wrap-gostr3412-2015-magma-kexp15"])
        .oid("1.2.643.7.1.1.7.1.1")
        .iv(Iv::Exact(4))
        .note("RFC 9189, 8.2.1; two keys: MAC, then encryption"),
    Algorithm::wrapper("gost28147-keywrap", Gost28147, KeyWrap, (32, 44), Wrapper::GOST28147)
        .also(&["id-gost28147-89-none-keywrap"])
        .oid("1.2.643.2.2.13.0")
        .iv(Iv::Exact(8))
        .note("RFC 4357, 6.1; KExp28147 of RFC 9189, 8.2.2; the IV is the UKM; old data"),
    Algorithm::wrapper("cryptopro-keywrap", Gost28147, KeyWrap, (32, 44), Wrapper::CRYPTOPRO)
        .also(&["id-gost28147-89-cryptopro-keywrap"])
        .oid("1.2.643.2.2.13.1")
        .iv(Iv::Exact(8))
        .note("RFC 4357, 6.3; the IV is the UKM; old data"),
    Algorithm::wrapper("gost28147-keywrap-12", Gost28147, KeyWrap, (32, 0), Wrapper::RFC7836)
        .iv(Iv::Between(8, 16))
        .note("RFC 7836, 4.6; the IV is the seed; old data"),
];
