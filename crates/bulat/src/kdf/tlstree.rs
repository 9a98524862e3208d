//! TLSTREE, the key tree of TLS 1.2 (RFC 9189, section 8.1) and TLS 1.3 (RFC 9367, section 4.1.2): K(i) =
//! KDF_3(KDF_2(KDF_1(root, i & C_1), i & C_2), i & C_3), where KDF_j is KDF_GOSTR3411_2012_256 with the label "level1",
//! "level2" or "level3" and the masked record number as 8 bytes, big-endian.

use crate::Secret;
use crate::kdf::kdf_256;

/// The masks C_1, C_2, C_3 of a cipher suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TlsMasks(pub [u64; 3]);

impl TlsMasks {
    /// TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC: RFC 9189, section 8.1.1, table 3.
    pub const KUZNYECHIK_CTR_OMAC: Self =
        TlsMasks([0xffff_ffff_0000_0000, 0xffff_ffff_fff8_0000, 0xffff_ffff_ffff_ffc0]);
    /// TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC: RFC 9189, section 8.1.1, table 3.
    pub const MAGMA_CTR_OMAC: Self =
        TlsMasks([0xffff_ffc0_0000_0000, 0xffff_ffff_fe00_0000, 0xffff_ffff_ffff_f000]);
    /// TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L: RFC 9367, section 4.1.2, table 1.
    pub const KUZNYECHIK_MGM_L: Self =
        TlsMasks([0xf800_0000_0000_0000, 0xffff_fff0_0000_0000, 0xffff_ffff_ffff_e000]);
    /// TLS_GOSTR341112_256_WITH_MAGMA_MGM_L: RFC 9367, section 4.1.2, table 1.
    pub const MAGMA_MGM_L: Self =
        TlsMasks([0xffe0_0000_0000_0000, 0xffff_ffff_c000_0000, 0xffff_ffff_ffff_ff80]);
    /// TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S: RFC 9367, section 4.1.2, table 1.
    pub const KUZNYECHIK_MGM_S: Self =
        TlsMasks([0xffff_ffff_e000_0000, 0xffff_ffff_ffff_0000, 0xffff_ffff_ffff_fff8]);
    /// TLS_GOSTR341112_256_WITH_MAGMA_MGM_S: RFC 9367, section 4.1.2, table 1.
    pub const MAGMA_MGM_S: Self =
        TlsMasks([0xffff_ffff_fc00_0000, 0xffff_ffff_ffff_e000, 0xffff_ffff_ffff_ffff]);
}

const LABELS: [&[u8]; 3] = [b"level1", b"level2", b"level3"];

/// The key tree of a root key. It caches the keys of the last path, so a record costs a derivation for each level
/// with a changed masked number, mostly no level.
///
/// ```
/// use bulat::kdf::{TlsMasks, TlsTree};
/// let mut tree = TlsTree::new(&[7; 32], TlsMasks::KUZNYECHIK_CTR_OMAC);
/// let first = *tree.key(0);
/// assert_eq!(*tree.key(63), first); // C_3 gives 64 records to a key
/// assert_ne!(*tree.key(64), first);
/// ```
#[derive(Clone)]
pub struct TlsTree {
    masks: TlsMasks,
    /// The root and the keys of the three levels, which belong to the record `at`.
    keys: Secret<[[u8; 32]; 4]>,
    at: Option<u64>,
}

impl TlsTree {
    /// Creates the tree of a root key: a write key or a MAC key of the connection.
    pub fn new(root: &[u8; 32], masks: TlsMasks) -> Self {
        let mut keys = Secret::new([[0; 32]; 4]);
        keys[0] = *root;
        TlsTree { masks, keys, at: None }
    }

    /// Returns the key of the record with this number. Numbers may come in any order. The protocol must check SNMAX,
    /// the limit of records under one root (RFC 9367, section 4.1.3).
    pub fn key(&mut self, seqnum: u64) -> &[u8; 32] {
        let mut stale = self.at.is_none();
        for (level, (mask, label)) in self.masks.0.into_iter().zip(LABELS).enumerate() {
            stale |= self.at.is_some_and(|at| (at ^ seqnum) & mask != 0);
            if stale {
                let seed = (seqnum & mask).to_be_bytes();
                self.keys[level + 1] = *kdf_256(&self.keys[level], label, &seed);
            }
        }
        self.at = Some(seqnum);
        &self.keys[3]
    }
}
