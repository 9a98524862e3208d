//! TLSTREE, the tree of record keys of the GOST suites of TLS 1.2 (RFC 9189
//! 8.1) and TLS 1.3 (RFC 9367 4.1.2).

use crate::Error;
use crate::kdf::kdf_256;

/// C_1, C_2, C_3 by suite: RFC 9189 8.1.1 (CTR_OMAC), RFC 9367 4.1.2 (MGM).
pub const SUITES: [(&str, [u64; 3]); 6] = [
    (
        "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC",
        [0xFFFFFFFF00000000, 0xFFFFFFFFFFF80000, 0xFFFFFFFFFFFFFFC0],
    ),
    (
        "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC",
        [0xFFFFFFC000000000, 0xFFFFFFFFFE000000, 0xFFFFFFFFFFFFF000],
    ),
    (
        "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L",
        [0xf800000000000000, 0xfffffff000000000, 0xffffffffffffe000],
    ),
    (
        "TLS_GOSTR341112_256_WITH_MAGMA_MGM_L",
        [0xffe0000000000000, 0xffffffffc0000000, 0xffffffffffffff80],
    ),
    (
        "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S",
        [0xffffffffe0000000, 0xffffffffffff0000, 0xfffffffffffffff8],
    ),
    (
        "TLS_GOSTR341112_256_WITH_MAGMA_MGM_S",
        [0xfffffffffc000000, 0xffffffffffffe000, 0xffffffffffffffff],
    ),
];

/// The constants of a suite by its name.
pub fn masks(name: &str) -> Option<[u64; 3]> {
    SUITES.iter().find(|suite| suite.0 == name).map(|suite| suite.1)
}

/// The keys of the three levels: KDF_j(K, D) = KDF_GOSTR3411_2012_256(K,
/// "levelj", D), D = STR_8(seqnum & C_j), big-endian. The last one is
/// TLSTREE. [`Error::KeyLength`] unless the root key has 32 bytes.
pub fn levels(key: &[u8], seqnum: u64, masks: [u64; 3]) -> Result<[Vec<u8>; 3], Error> {
    if key.len() != 32 {
        return Err(Error::KeyLength);
    }
    let level = |key: &[u8], label: &str, mask: u64| {
        kdf_256(key, label.as_bytes(), &(seqnum & mask).to_be_bytes())
    };
    let k1 = level(key, "level1", masks[0]);
    let k2 = level(&k1, "level2", masks[1]);
    let k3 = level(&k2, "level3", masks[2]);
    Ok([k1, k2, k3])
}

/// TLSTREE(K_root, i), 32 bytes. Errors as [`levels`].
pub fn tlstree(key: &[u8], seqnum: u64, masks: [u64; 3]) -> Result<Vec<u8>, Error> {
    let [_, _, key] = levels(key, seqnum, masks)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::hex;

    #[test]
    fn rfc9189_a1_1_and_rfc9367_examples() {
        for (suite, key, seqnum, record_key) in [
            (
                "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC",
                "00112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a00",
                0,
                "19a76ed30f4d6d1f5b7263ec491ad83817c0b57d8a0356127140fb4f7425494d",
            ),
            (
                "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC",
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                274877906944,
                "9be57cb52f46b60c6840cd4e959a168a74822c1d006ac746dabbb9848eb0a58a",
            ),
            (
                "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC",
                "00112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a00",
                0,
                "19a76ed30f4d6d1f5b7263ec491ad83817c0b57d8a0356127140fb4f7425494d",
            ),
            (
                "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC",
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                4294967296,
                "7ffb1ad7e57b70be109631d2719298b97dee3b008d86f83daaf62a4ea5b7aafd",
            ),
        ] {
            let got = tlstree(&hex(key), seqnum, masks(suite).unwrap()).unwrap();
            assert_eq!(got, hex(record_key));
        }
    }

    #[test]
    fn rfc9189_a1_1_1_levels() {
        let c = masks("TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC").unwrap();
        let key = hex("00112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a00");
        let [k1, k2, _] = levels(&key, 0, c).unwrap();
        assert_eq!(k1, hex("f35589f09bf801b1ca114273b95fd6c1392e78f9fb814da05a7cca089ec86542"));
        assert_eq!(k2, hex("5137d5c4a6e6be42c440d10a95eea07f089e740d3890eb52652c0cb93f207bb4"));
        assert_eq!(levels(&key[1..], 0, c), Err(Error::KeyLength));
        assert_eq!(masks("none such"), None);
    }
}
