//! The algorithms, a line each: names, sizes in octets, the clause, and the function that opens a
//! session. OIDs: RFC 9189, RFC 9215, RFC 9337, R 1323565.1.023-2018.

use super::{Algorithm, Iv, Kind, Open, open};
use crate::{Kuznyechik, Magma};

impl Algorithm {
    const fn new(kind: Kind, name: &'static str, block: usize, open: Open) -> Self {
        let (key, out) = match kind {
            Kind::Hash => (0, 0),
            Kind::Cipher => (32, 0),
            _ => (32, block),
        };
        let (aliases, iv): (&[&str], _) = (&[], Iv::None);
        Algorithm {
            name,
            aliases,
            oid: None,
            kind,
            key,
            iv,
            block,
            out,
            note: "",
            open: Some(open),
        }
    }
    const fn hash(name: &'static str, out: usize, open: Open) -> Self {
        Algorithm { out, ..Self::new(Kind::Hash, name, 64, open) }
    }
    const fn cipher(name: &'static str, block: usize, open: Open) -> Self {
        Self::new(Kind::Cipher, name, block, open)
    }
    const fn mac(name: &'static str, block: usize, open: Open) -> Self {
        Self::new(Kind::Mac, name, block, open)
    }
    const fn aead(name: &'static str, block: usize, open: Open) -> Self {
        Self::new(Kind::Aead, name, block, open)
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
    const fn note(self, note: &'static str) -> Self {
        Algorithm { note, ..self }
    }
}

type K = Kuznyechik;
type M = Magma;

/// Every algorithm, a line each.
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm::hash("streebog256", 32, open::hash::<32>)
        .also(&["md_gost12_256", "streebog-256", "gost12-256", "id-tc26-gost3411-12-256"])
        .oid("1.2.643.7.1.1.2.2")
        .note("GOST R 34.11-2012, RFC 6986"),
    Algorithm::hash("streebog512", 64, open::hash::<64>)
        .also(&["md_gost12_512", "streebog-512", "gost12-512", "id-tc26-gost3411-12-512"])
        .oid("1.2.643.7.1.1.2.3")
        .note("GOST R 34.11-2012, RFC 6986"),
    Algorithm::cipher("kuznyechik-ecb", 16, open::ecb::<K>)
        .also(&["grasshopper-ecb"])
        .note("GOST R 34.13-2015, 5.1; equal blocks of text show"),
    Algorithm::cipher("kuznyechik-cbc", 16, open::cbc::<K>)
        .also(&["grasshopper-cbc"])
        .iv(Iv::Multiple(16))
        .note("GOST R 34.13-2015, 5.4; unauthenticated, it is a padding oracle"),
    Algorithm::cipher("kuznyechik-ctr", 16, open::ctr::<K>)
        .also(&["grasshopper-ctr"])
        .iv(Iv::Exact(8))
        .note("GOST R 34.13-2015, 5.2"),
    Algorithm::cipher("kuznyechik-cfb", 16, open::cfb::<K>)
        .also(&["grasshopper-cfb"])
        .iv(Iv::AtLeast(16))
        .note("GOST R 34.13-2015, 5.5"),
    Algorithm::cipher("kuznyechik-ofb", 16, open::ofb::<K>)
        .also(&["grasshopper-ofb"])
        .iv(Iv::Multiple(16))
        .note("GOST R 34.13-2015, 5.3"),
    Algorithm::cipher("kuznyechik-ctr-acpkm", 16, open::ctr_acpkm::<K>)
        .also(&["id-tc26-cipher-gostr3412-2015-kuznyechik-ctracpkm"])
        .oid("1.2.643.7.1.1.5.2.1")
        .iv(Iv::Exact(8))
        .note("RFC 8645, 6.2.2; sections of 4096 octets by default, 262144 in CMS"),
    Algorithm::aead("kuznyechik-mgm", 16, open::mgm::<K>)
        .also(&["id-tc26-cipher-gostr3412-2015-kuznyechik-mgm"])
        .oid("1.2.643.7.1.1.5.2.3")
        .iv(Iv::Exact(16))
        .note("RFC 9058; the nonce's first bit must be 0"),
    Algorithm::mac("kuznyechik-omac", 16, open::omac::<K>)
        .also(&["kuznyechik-mac", "grasshopper-mac"])
        .note("GOST R 34.13-2015, 5.6"),
    Algorithm::mac("kuznyechik-omac-acpkm", 16, open::omac_acpkm::<K>)
        .note("RFC 8645, 6.3.6; N = 4096, T* = 4096 octets by default"),
    Algorithm::cipher("magma-ecb", 8, open::ecb::<M>)
        .note("GOST R 34.13-2015, 5.1; equal blocks of text show"),
    Algorithm::cipher("magma-cbc", 8, open::cbc::<M>)
        .iv(Iv::Multiple(8))
        .note("GOST R 34.13-2015, 5.4; unauthenticated, it is a padding oracle"),
    Algorithm::cipher("magma-ctr", 8, open::ctr::<M>)
        .iv(Iv::Exact(4))
        .note("GOST R 34.13-2015, 5.2"),
    Algorithm::cipher("magma-cfb", 8, open::cfb::<M>)
        .iv(Iv::AtLeast(8))
        .note("GOST R 34.13-2015, 5.5"),
    Algorithm::cipher("magma-ofb", 8, open::ofb::<M>)
        .iv(Iv::Multiple(8))
        .note("GOST R 34.13-2015, 5.3"),
    Algorithm::cipher("magma-ctr-acpkm", 8, open::ctr_acpkm::<M>)
        .also(&["id-tc26-cipher-gostr3412-2015-magma-ctracpkm"])
        .oid("1.2.643.7.1.1.5.1.1")
        .iv(Iv::Exact(4))
        .note("RFC 8645, 6.2.2; sections of 1024 octets by default, 8192 in CMS"),
    Algorithm::aead("magma-mgm", 8, open::mgm::<M>)
        .also(&["id-tc26-cipher-gostr3412-2015-magma-mgm"])
        .oid("1.2.643.7.1.1.5.1.3")
        .iv(Iv::Exact(8))
        .note("RFC 9058; the nonce's first bit must be 0"),
    Algorithm::mac("magma-omac", 8, open::omac::<M>)
        .also(&["magma-mac"])
        .note("GOST R 34.13-2015, 5.6"),
    Algorithm::mac("magma-omac-acpkm", 8, open::omac_acpkm::<M>)
        .note("RFC 8645, 6.3.6; N = 4096, T* = 1024 octets by default"),
];
