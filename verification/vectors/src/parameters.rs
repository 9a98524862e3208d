//! The named parameters of the vectors: ciphers, S-box parameter sets, TLS suites and the like.
//! Each knows the name by which the vector files call it.

/// A block cipher of GOST R 34.12-2015 (RFC 7801, RFC 8891).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cipher {
    /// n = 16 bytes; a hex string of RFC 7801 is the bytes in that order, a_15 first.
    Kuznyechik,
    /// n = 8 bytes; a hex string of RFC 8891 is the bytes in that order (big-endian words).
    Magma,
}

impl Cipher {
    /// Block length n in bytes.
    pub const fn block(self) -> usize {
        match self {
            Cipher::Kuznyechik => 16,
            Cipher::Magma => 8,
        }
    }

    /// The name in algorithms: `kuznyechik`, `magma`.
    pub const fn name(self) -> &'static str {
        match self {
            Cipher::Kuznyechik => "kuznyechik",
            Cipher::Magma => "magma",
        }
    }

    /// The inverse of [`Cipher::name`], for upper case too.
    pub fn by_name(name: &str) -> Option<Self> {
        let ciphers = [Cipher::Kuznyechik, Cipher::Magma];
        ciphers.into_iter().find(|cipher| name.eq_ignore_ascii_case(cipher.name()))
    }
}

/// Streebog (GOST R 34.11-2012, RFC 6986) by its output length, also as the hash inside HMAC and
/// the functions built on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Streebog {
    /// 32 bytes: the last 32 of the 64 bytes of the state.
    S256,
    /// 64 bytes.
    S512,
}

impl Streebog {
    /// Output length in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Streebog::S256 => 32,
            Streebog::S512 => 64,
        }
    }

    /// Output length in bits, as in the names of algorithms.
    pub const fn bits(self) -> usize {
        8 * self.bytes()
    }

    /// The inverse of [`Streebog::bits`].
    pub const fn by_bits(bits: u64) -> Option<Self> {
        match bits {
            256 => Some(Streebog::S256),
            512 => Some(Streebog::S512),
            _ => None,
        }
    }
}

/// Parameters with names in the standards.
macro_rules! named {
    ($(#[$doc:meta])* $Set:ident, $count:literal, $($member:ident = $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Set {
            $(#[doc = $name] $member,)*
        }

        impl $Set {
            /// All of them, in the order of the declaration.
            pub const ALL: [$Set; $count] = [$($Set::$member,)*];

            /// The name in the standards.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Set::$member => $name,)*
                }
            }

            /// The inverse of `name`.
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

named! {
    /// S-box parameter sets of GOST 28147-89 and GOST R 34.11-94 (RFC 4357 section 11, RFC 7836
    /// appendix C). `Tc26Z` is the S-box of Magma.
    Sbox, 8,
    Test = "id-Gost28147-89-TestParamSet",
    CryptoProA = "id-Gost28147-89-CryptoPro-A-ParamSet",
    CryptoProB = "id-Gost28147-89-CryptoPro-B-ParamSet",
    CryptoProC = "id-Gost28147-89-CryptoPro-C-ParamSet",
    CryptoProD = "id-Gost28147-89-CryptoPro-D-ParamSet",
    Tc26Z = "id-tc26-gost-28147-param-Z",
    HashTest = "id-GostR3411-94-TestParamSet",
    HashCryptoPro = "id-GostR3411-94-CryptoProParamSet",
}

/// Key meshing of GOST 28147-89 (RFC 4357 section 2.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meshing {
    /// The key stays.
    None,
    /// The key is replaced before byte 1024, 2048, ... (lazily: not after the last byte), and
    /// with it the register of CNT, CFB and CBC; IMIT keeps its register.
    CryptoPro,
}

named! {
    /// TLS cipher suites with a key tree: CTR_OMAC of TLS 1.2 (RFC 9189 section 4), MGM of TLS 1.3 (RFC 9367 section 4).
    Suite, 6,
    KuznyechikCtrOmac = "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC",
    MagmaCtrOmac = "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC",
    KuznyechikMgmL = "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L",
    MagmaMgmL = "TLS_GOSTR341112_256_WITH_MAGMA_MGM_L",
    KuznyechikMgmS = "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S",
    MagmaMgmS = "TLS_GOSTR341112_256_WITH_MAGMA_MGM_S",
}

impl Suite {
    /// The block cipher of the suite.
    pub fn cipher(self) -> Cipher {
        if self.name().contains("MAGMA") { Cipher::Magma } else { Cipher::Kuznyechik }
    }

    /// The masks C_1, C_2, C_3 of TLSTREE, big-endian numbers (RFC 9189 section 8.1.1, RFC 9367
    /// section 4.1.2).
    pub const fn masks(self) -> [u64; 3] {
        const MASKS: [[u64; 3]; 6] = [
            [0xffff_ffff_0000_0000, 0xffff_ffff_fff8_0000, 0xffff_ffff_ffff_ffc0],
            [0xffff_ffc0_0000_0000, 0xffff_ffff_fe00_0000, 0xffff_ffff_ffff_f000],
            [0xf800_0000_0000_0000, 0xffff_fff0_0000_0000, 0xffff_ffff_ffff_e000],
            [0xffe0_0000_0000_0000, 0xffff_ffff_c000_0000, 0xffff_ffff_ffff_ff80],
            [0xffff_ffff_e000_0000, 0xffff_ffff_ffff_0000, 0xffff_ffff_ffff_fff8],
            [0xffff_ffff_fc00_0000, 0xffff_ffff_ffff_e000, 0xffff_ffff_ffff_ffff],
        ];
        MASKS[self as usize]
    }
}
