//! Magma (GOST R 34.12-2015, RFC 8891) and GOST 28147-89 (RFC 5830) under a key: a schedule, and a kernel for each shape.

use bulat_core::cipher::Chained;
use bulat_core::magma::{KERNELS, Order, Schedule};
pub use bulat_core::magma::{ParamSet, Sboxes};

use crate::cipher::{Chain, Count, Data, Direction, Lane, Shapes};
use crate::kernel::{self, BlockKernel, Ready, Shape};
use crate::{BlockCipher, Error, InOut, Secret};

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
            schedule: Secret::new(Schedule::new(sboxes, order)),
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
        let schedule = Schedule::new(self.schedule.sboxes().clone(), self.schedule.order());
        let mut new = Keyed { schedule: Secret::new(schedule), ..*self };
        self.map.prepare(key, &mut new.schedule);
        new
    }
    fn stream(&self, counter: &mut [u8; 8], count: Count, data: InOut<'_, '_>) {
        let old = self.schedule.order() == Order::Gost28147;
        assert!(old || count != Count::Cnt, "CNT belongs to GOST 28147-89");
        self.stream.stream(&self.schedule, counter, count, data);
    }
    fn sections(&mut self, counter: &mut [u8; 8], section: usize, data: InOut<'_, '_>) -> usize {
        self.stream.sections(&mut self.schedule, counter, section, data)
    }
    /// The schedules may belong to other ciphers.
    fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
        let old = |lane: &Lane<'_, Schedule, 8>| lane.schedule.order() == Order::Gost28147;
        assert!(chain != Chain::Imit || lanes.iter().all(old), "IMIT belongs to GOST 28147-89");
        self.lanes.lanes(chain, lanes);
    }
}

macro_rules! cipher {
    ($(#[$doc:meta])* $name:ident $(, $more:item)*) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Keyed);

        impl $name {
            /// Uses the kernel of this name, in every shape.
            ///
            /// # Errors
            /// [`Error::UnknownKernel`] when no kernel of this name has every shape, or this machine cannot run it.
            pub fn on(self, kernel: &str) -> Result<Self, Error> {
                Ok($name(self.0.on(kernel)?))
            }
        }

        impl BlockCipher for $name {
            fn rekey(&self, key: &[u8; 32]) -> Self {
                $name(self.0.rekey(key))
            }
        }

        impl Shapes for $name {
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

        impl Chained<8> for $name {
            type Schedule = Schedule;
            fn schedule(&self) -> &Schedule {
                &self.0.schedule
            }
            fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 8>]) {
                self.0.lanes(chain, lanes);
            }
            fn width(&self) -> usize {
                bulat_core::magma::width(&self.0.lanes)
            }
            $($more)*
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
    /// let mut block = *b"of eight";
    /// magma.encrypt_block(&mut block);
    /// magma.decrypt_block(&mut block);
    /// assert_eq!(&block, b"of eight");
    /// ```
    Magma
);
cipher!(
    /// GOST 28147-89 under a key and S-boxes (RFC 5830), little-endian.
    Gost28147,
    #[cfg(feature = "alloc")]
    fn kind(&self) -> u64 {
        bulat_core::magma::kind(self.sboxes())
    },
    fn meshed(&self) -> Self {
        self.rekey(&next_key(self))
    }
);

/// C of RFC 4357, section 2.3.2.
const C: [u8; 32] = [
    0x69, 0x00, 0x72, 0x22, 0x64, 0xc9, 0x04, 0x23, 0x8d, 0x3a, 0xdb, 0x96, 0x46, 0xe9, 0x2a, 0xc4,
    0x18, 0xfe, 0xac, 0x94, 0x00, 0xed, 0x07, 0x12, 0xc0, 0x86, 0xdc, 0xc2, 0xef, 0x4c, 0xa9, 0x2b,
];

/// The next section's key, D_K(C).
pub fn next_key(cipher: &Gost28147) -> Secret<[u8; 32]> {
    let mut key = Secret::new(C);
    cipher.map(Direction::Decrypt, key.as_mut_slice().into());
    key
}

impl Magma {
    /// Prepares a key of 32 bytes.
    pub fn new(key: &[u8; 32]) -> Self {
        Magma(Keyed::new(key, ParamSet::Tc26Z.into(), Order::Magma))
    }
}

impl Gost28147 {
    /// Prepares a key of 32 bytes and the S-boxes, of a [`ParamSet`] or the user's own.
    pub fn new(key: &[u8; 32], sboxes: impl Into<Sboxes>) -> Self {
        Gost28147(Keyed::new(key, sboxes.into(), Order::Gost28147))
    }
    /// The S-boxes.
    pub fn sboxes(&self) -> &Sboxes {
        self.0.schedule.sboxes()
    }
    /// Puts a new key into a schedule of these S-boxes.
    pub(crate) fn prepare(&self, key: &[u8; 32], schedule: &mut Schedule) {
        self.0.map.prepare(key, schedule);
    }
}
