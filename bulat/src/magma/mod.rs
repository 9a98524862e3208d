//! Magma (GOST R 34.12-2015, RFC 8891) and GOST 28147-89 (RFC 5830): one cipher of 32 rounds over
//! blocks of 8 octets, in two byte orders, with S-boxes as data.
//!
//! Magma reads key words and block halves big-endian, the half a_1 first; GOST 28147-89 reads them
//! little-endian, N1 first: Magma(key, block) = rev8(G89(rev4 of every key word, rev8(block))).

#[macro_use]
mod groups;

mod bits;
mod chain;
mod circuits;
mod counter;
mod each;
#[cfg(target_arch = "x86_64")]
mod gfni512;
pub(crate) mod meshing;
mod nibbles;
mod planes;
mod portable;
mod quads;
mod rounds;
mod rows;
mod sboxes;
mod scalar;
mod sections;
mod sliced;
#[cfg(feature = "vartime")]
mod vartime;
mod words;

use zeroize::Zeroize;

use crate::cipher::{Chain, Chained, Count, Data, Direction, Lane, WIDTH};
use crate::kernel::{self, BlockKernel, Primitive, Ready, Shape};
use crate::{BlockCipher, Error, InOut, Secret};

/// The primitive, in the survey of kernels.
pub(crate) const NAME: &str = "magma";

impl Primitive for BlockKernel<Schedule, 8> {
    const PRIMITIVE: &'static str = NAME;
}

/// The kernels, fastest first.
pub static KERNELS: &[BlockKernel<Schedule, 8>] = kernels!(sliced);

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
}

/// Eight S-boxes of sixteen 4-bit values; row 0 substitutes the least significant nibble.
#[derive(Clone)]
pub struct Sboxes {
    rows: [[u8; 16]; 8],
    /// The index in `ParamSet::ALL` when the rows are a known set: kernels may have circuits for it.
    known: Option<u8>,
    /// The same boxes as the scalar layout looks them up.
    anf: scalar::Anf,
}

impl Sboxes {
    /// User-given boxes.
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
        let known = sboxes::ROWS.iter().position(|r| *r == rows).map(|i| i as u8);
        Ok(Sboxes { rows, known, anf: scalar::anf(&rows) })
    }
    /// The rows.
    pub fn rows(&self) -> &[[u8; 16]; 8] {
        &self.rows
    }
    /// A number that equal boxes share; others mostly do not.
    #[cfg(feature = "alloc")]
    pub(crate) fn kind(&self) -> u64 {
        match self.known {
            Some(set) => set.into(),
            None => self.rows.as_flattened().iter().fold(1 << 8, |n: u64, x| {
                n.wrapping_mul(0x0000_0100_0000_01b3) ^ u64::from(*x) // FNV
            }),
        }
    }
    /// The parameter set that the rows are, if a known one.
    pub fn param_set(&self) -> Option<ParamSet> {
        self.known.map(|i| ParamSet::ALL[i as usize])
    }
}

/// Of the known sets.
static KNOWN: [scalar::Anf; 8] = {
    let (mut anf, mut i) = ([[0; 16]; 8], 0);
    while i < 8 {
        anf[i] = scalar::anf(&sboxes::ROWS[i]);
        i += 1;
    }
    anf
};

impl From<ParamSet> for Sboxes {
    fn from(set: ParamSet) -> Self {
        let set = set as usize;
        Sboxes { rows: sboxes::ROWS[set], known: Some(set as u8), anf: KNOWN[set] }
    }
}

/// Which byte order a schedule works in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Magma: big-endian.
    Magma,
    /// GOST 28147-89: little-endian.
    Gost28147,
}

/// What the kernels work from: the key as eight words, the S-boxes, the byte order.
#[derive(Clone)]
pub struct Schedule {
    pub(crate) keys: [u32; 8],
    pub(crate) sboxes: Sboxes,
    pub(crate) order: Order,
}

impl Zeroize for Schedule {
    fn zeroize(&mut self) {
        // The S-boxes are public.
        self.keys = [0; 8];
        zeroize::optimization_barrier(&self.keys);
    }
}

/// The register of CNT so many values on.
#[cfg(feature = "threads")]
pub(crate) fn cnt_after(register: [u8; 8], n: u64) -> [u8; 8] {
    let mut c = counter::Counter::new(register, Count::Cnt);
    c.skip(n);
    c.register()
}

/// Order of the round keys for encryption: K1..K8 three times, then K8..K1 (RFC 8891, section 4.3).
#[inline(always)]
pub(crate) const fn key_index(round: usize) -> usize {
    if round < 24 { round % 8 } else { 31 - round }
}

#[derive(Clone)]
struct Keyed {
    schedule: Secret<Schedule>,
    map: Ready<BlockKernel<Schedule, 8>>,
    stream: Ready<BlockKernel<Schedule, 8>>,
    lanes: Ready<BlockKernel<Schedule, 8>>,
}

impl Keyed {
    fn new(key: &[u8; 32], sboxes: Sboxes, order: Order) -> Self {
        let mut new = Keyed {
            schedule: Secret::new(Schedule { keys: [0; 8], sboxes, order }),
            map: kernel::pick(KERNELS, Shape::Map),
            stream: kernel::pick(KERNELS, Shape::Stream),
            lanes: kernel::pick(KERNELS, Shape::Lanes),
        };
        new.map.prepare(key, &mut new.schedule);
        new
    }
    fn on(mut self, name: &str) -> Result<Self, Error> {
        let k = BlockKernel::whole(KERNELS, name)?;
        (self.map, self.stream, self.lanes) = (k, k, k);
        Ok(self)
    }
    fn rekey(&self, key: &[u8; 32]) -> Self {
        // Not a clone, which would carry the old key about.
        let Schedule { sboxes, order, .. } = &*self.schedule;
        let schedule = Schedule { keys: [0; 8], sboxes: sboxes.clone(), order: *order };
        let mut new = Keyed { schedule: Secret::new(schedule), ..*self };
        self.map.prepare(key, &mut new.schedule);
        new
    }
    fn stream(&self, counter: &mut [u8; 8], count: Count, data: InOut<'_, '_>) {
        let old = self.schedule.order == Order::Gost28147;
        assert!(old || count != Count::Cnt, "CNT belongs to GOST 28147-89");
        self.stream.stream(&self.schedule, counter, count, data);
    }
    fn sections(&mut self, counter: &mut [u8; 8], section: usize, data: InOut<'_, '_>) -> usize {
        self.stream.sections(&mut self.schedule, counter, section, data)
    }
    /// A lane's schedule need not be of the cipher that is asked.
    fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
        let old = |lane: &Lane<'_, Schedule, 8>| lane.schedule.order == Order::Gost28147;
        assert!(chain != Chain::Imit || lanes.iter().all(old), "IMIT belongs to GOST 28147-89");
        self.lanes.lanes(chain, lanes);
    }
    /// Streams that fill a call of `lanes`, where the kernel has a number of its own.
    fn width(&self) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        if self.lanes.name() == gfni512::KERNEL.name {
            return gfni512::width();
        }
        None
    }
}

macro_rules! cipher {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Keyed);

        impl $name {
            /// The same key on the kernel of this name, in every shape.
            ///
            /// # Errors
            /// [`Error::UnknownKernel`] when there is none with every shape, or this machine cannot run it.
            pub fn on(self, kernel: &str) -> Result<Self, Error> {
                Ok($name(self.0.on(kernel)?))
            }
            /// Runs one chained stream per lane, each under its own key; all of one length.
            ///
            /// # Panics
            /// As [`BlockCipher::chain`], and when the lanes differ in length.
            pub fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
                self.0.lanes(chain, lanes);
            }
            /// What a [`Lane`] under this key needs.
            pub fn schedule(&self) -> &Schedule {
                &self.0.schedule
            }
        }

        impl BlockCipher for $name {
            type Block = [u8; 8];
            fn map(&self, direction: Direction, data: InOut<'_, '_>) {
                self.0.map.map(&self.0.schedule, direction, data);
            }
            fn stream(&self, counter: &mut [u8; 8], count: Count, data: InOut<'_, '_>) {
                self.0.stream(counter, count, data);
            }
            fn chain(&self, chain: Chain, state: &mut [u8; 8], data: Data<'_>) {
                let lane = Lane { schedule: &*self.0.schedule, state, data };
                self.0.lanes(chain, &mut [lane]);
            }
            fn rekey(&self, key: &[u8; 32]) -> Self {
                $name(self.0.rekey(key))
            }
            fn sections(
                &mut self,
                counter: &mut [u8; 8],
                section: usize,
                data: InOut<'_, '_>,
            ) -> usize {
                self.0.sections(counter, section, data)
            }
            fn products(
                &self,
                counter: &mut [u8; 8],
                before: &[u8],
                blocks: &[u8],
                sum: &mut [u8; 8],
            ) -> usize {
                self.0.stream.products(&self.0.schedule, counter, before, blocks, sum)
            }
        }
    };
}

cipher!(
    /// Magma under a key (GOST R 34.12-2015, RFC 8891).
    ///
    /// ```
    /// use bulat::{BlockCipher, Magma};
    /// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    /// let magma = Magma::new(&key);
    /// let mut block = *b"8 octets";
    /// magma.encrypt_block(&mut block);
    /// magma.decrypt_block(&mut block);
    /// assert_eq!(&block, b"8 octets");
    /// ```
    Magma
);
cipher!(
    /// GOST 28147-89 under a key and S-boxes (RFC 5830), little-endian.
    Gost28147
);

impl Magma {
    /// Takes a key of 32 octets.
    pub fn new(key: &[u8; 32]) -> Self {
        Magma(Keyed::new(key, ParamSet::Tc26Z.into(), Order::Magma))
    }
}

impl Gost28147 {
    /// Takes a key of 32 octets and the S-boxes, of a [`ParamSet`] or the user's own.
    pub fn new(key: &[u8; 32], sboxes: impl Into<Sboxes>) -> Self {
        Gost28147(Keyed::new(key, sboxes.into(), Order::Gost28147))
    }
    /// The S-boxes.
    pub fn sboxes(&self) -> &Sboxes {
        &self.0.schedule.sboxes
    }
}

macro_rules! chained {
    ($name:ident $(, $more:item)*) => {
        impl Chained<8> for $name {
            type Schedule = Schedule;
            fn schedule(&self) -> &Schedule {
                $name::schedule(self)
            }
            fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
                $name::lanes(self, chain, lanes);
            }
            fn width(&self) -> usize {
                self.0.width().unwrap_or(WIDTH)
            }
            $($more)*
        }
    };
}
chained!(Magma);
chained!(
    Gost28147,
    #[cfg(feature = "alloc")]
    fn kind(&self) -> u64 {
        self.sboxes().kind()
    },
    fn meshed(&self) -> Self {
        self.rekey(&meshing::next_key(self))
    }
);
