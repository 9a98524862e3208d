//! The schedule: a key, S-boxes and a byte order as the kernels need them.

use super::constants;
use super::sbox::anf::{Anf, anf};
use crate::Error;
use crate::kernel::{BlockKernel, Picked, Primitive};

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "magma";

impl Primitive for BlockKernel<Schedule, 8> {
    const PRIMITIVE: &'static str = NAME;
    fn picked() -> &'static Picked {
        static PICKED: Picked = Picked::new();
        &PICKED
    }
}

/// The byte order of a schedule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Magma: big-endian.
    Magma,
    /// GOST 28147-89: little-endian.
    Gost28147,
}

/// A known S-box parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamSet {
    /// id-Gost28147-89-TestParamSet, OID 1.2.643.2.2.31.0.
    Test,
    /// id-Gost28147-89-CryptoPro-A-ParamSet, OID 1.2.643.2.2.31.1.
    CryptoProA,
    /// id-Gost28147-89-CryptoPro-B-ParamSet, OID 1.2.643.2.2.31.2.
    CryptoProB,
    /// id-Gost28147-89-CryptoPro-C-ParamSet, OID 1.2.643.2.2.31.3.
    CryptoProC,
    /// id-Gost28147-89-CryptoPro-D-ParamSet, OID 1.2.643.2.2.31.4.
    CryptoProD,
    /// id-tc26-gost-28147-param-Z, OID 1.2.643.7.1.2.5.1.1: the S-boxes of Magma.
    Tc26Z,
    /// id-GostR3411-94-TestParamSet, OID 1.2.643.2.2.30.0.
    HashTest,
    /// id-GostR3411-94-CryptoProParamSet, OID 1.2.643.2.2.30.1.
    HashCryptoPro,
}

impl ParamSet {
    /// Every set.
    pub const ALL: [ParamSet; 8] = [
        ParamSet::Test,
        ParamSet::CryptoProA,
        ParamSet::CryptoProB,
        ParamSet::CryptoProC,
        ParamSet::CryptoProD,
        ParamSet::Tc26Z,
        ParamSet::HashTest,
        ParamSet::HashCryptoPro,
    ];
    /// Finds a set by its short name or the name in its standard, in any case, or by its object identifier.
    ///
    /// ```
    /// # use bulat_core::magma::ParamSet;
    /// assert_eq!(ParamSet::find("z"), Some(ParamSet::Tc26Z));
    /// assert_eq!(ParamSet::find("1.2.643.2.2.31.1"), Some(ParamSet::CryptoProA));
    /// ```
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.names().iter().any(|n| n.eq_ignore_ascii_case(name)))
    }
    /// Returns the object identifier, dotted.
    pub const fn oid(self) -> &'static str {
        self.names()[2]
    }
    /// The short name, the name in its standard, the object identifier.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Test => ["test", "id-Gost28147-89-TestParamSet", "1.2.643.2.2.31.0"],
            Self::CryptoProA => ["a", "id-Gost28147-89-CryptoPro-A-ParamSet", "1.2.643.2.2.31.1"],
            Self::CryptoProB => ["b", "id-Gost28147-89-CryptoPro-B-ParamSet", "1.2.643.2.2.31.2"],
            Self::CryptoProC => ["c", "id-Gost28147-89-CryptoPro-C-ParamSet", "1.2.643.2.2.31.3"],
            Self::CryptoProD => ["d", "id-Gost28147-89-CryptoPro-D-ParamSet", "1.2.643.2.2.31.4"],
            Self::Tc26Z => ["z", "id-tc26-gost-28147-param-Z", "1.2.643.7.1.2.5.1.1"],
            Self::HashTest => ["hash-test", "id-GostR3411-94-TestParamSet", "1.2.643.2.2.30.0"],
            Self::HashCryptoPro => {
                ["hash-cryptopro", "id-GostR3411-94-CryptoProParamSet", "1.2.643.2.2.30.1"]
            }
        }
    }
}

/// Eight S-boxes of sixteen 4-bit values; row 0 substitutes the least significant nibble.
#[derive(Clone)]
pub struct Sboxes {
    pub(super) rows: [[u8; 16]; 8],
    /// The index in `ParamSet::ALL` when the rows are a known set: kernels may have circuits for it.
    pub(super) known: Option<u8>,
    /// The boxes as `sbox/anf.rs` looks them up.
    pub(super) anf: Anf,
}

impl Sboxes {
    /// Makes S-boxes of rows.
    ///
    /// # Errors
    /// [`Error::Sbox`] when a row is not a permutation of 0..=15.
    pub fn new(rows: [[u8; 16]; 8]) -> Result<Self, Error> {
        for row in &rows {
            let seen = row.iter().fold(0u32, |s, v| s | 1u32.wrapping_shl(u32::from(*v)));
            if seen != 0xffff || row.iter().any(|v| *v > 15) {
                return Err(Error::Sbox);
            }
        }
        let known = constants::ROWS.iter().position(|r| *r == rows).map(|i| i as u8);
        Ok(Sboxes { rows, known, anf: anf(&rows) })
    }
    /// Returns the rows.
    pub fn rows(&self) -> &[[u8; 16]; 8] {
        &self.rows
    }
    /// Returns the parameter set with these rows, if it exists.
    pub fn param_set(&self) -> Option<ParamSet> {
        self.known.map(|i| ParamSet::ALL[i as usize])
    }
}

/// [`Anf`] of the known sets.
static KNOWN: [Anf; 8] = {
    let (mut all, mut i) = ([[0; 16]; 8], 0);
    while i < 8 {
        all[i] = anf(&constants::ROWS[i]);
        i += 1;
    }
    all
};

/// Returns a number that equal boxes share; others mostly do not.
#[cfg(feature = "alloc")]
pub fn kind(sboxes: &Sboxes) -> u64 {
    match sboxes.known {
        Some(set) => set.into(),
        None => sboxes.rows.as_flattened().iter().fold(1 << 8, |n: u64, x| {
            n.wrapping_mul(0x0000_0100_0000_01b3) ^ u64::from(*x) // FNV
        }),
    }
}

impl From<ParamSet> for Sboxes {
    fn from(set: ParamSet) -> Self {
        let set = set as usize;
        Sboxes { rows: constants::ROWS[set], known: Some(set as u8), anf: KNOWN[set] }
    }
}

/// A key as eight words, S-boxes, and a byte order.
#[derive(Clone)]
pub struct Schedule {
    pub(crate) keys: [u32; 8],
    pub(crate) sboxes: Sboxes,
    pub(crate) order: Order,
}

impl Schedule {
    /// The schedule of the key of zeros.
    #[inline]
    pub fn new(sboxes: Sboxes, order: Order) -> Self {
        Schedule { keys: [0; 8], sboxes, order }
    }
    /// The S-boxes.
    #[inline]
    pub fn sboxes(&self) -> &Sboxes {
        &self.sboxes
    }
    /// The byte order.
    #[inline]
    pub fn order(&self) -> Order {
        self.order
    }
    /// Returns the key's words and the S-boxes: for kernels of other devices.
    pub fn parts(&self) -> (&[u32; 8], &Sboxes) {
        (&self.keys, &self.sboxes)
    }
}

/// Fills the schedule from the key.
pub(super) fn prepare(key: &[u8; 32], s: &mut Schedule) {
    words(s.order, key, &mut s.keys);
}

/// The words of a key.
#[inline(always)]
pub(super) fn words(order: Order, key: &[u8; 32], words: &mut [u32; 8]) {
    for (w, k) in words.iter_mut().zip(key.as_chunks::<4>().0) {
        *w = if order == Order::Magma { u32::from_be_bytes(*k) } else { u32::from_le_bytes(*k) };
    }
}
