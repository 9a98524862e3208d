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
/// "levelj", D), D = STR_8(seqnum & C_j), big-endian. The last key is
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

    #[test]
    fn refusals() {
        let c = masks("TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC").unwrap();
        assert_eq!(levels(&[0; 31], 0, c), Err(Error::KeyLength));
        assert_eq!(masks("none such"), None);
    }
}
