//! Kuznyechik (GOST R 34.12-2015, RFC 7801) under a key: a schedule, and a kernel for each shape.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use bulat_core::cipher::Chained;
use bulat_core::kuznyechik::{KERNELS, Schedule};

use crate::cipher::{Chain, Count, Data, Direction, Lane, Shapes};
#[cfg(feature = "alloc")]
use crate::kernel::NewKey;
use crate::kernel::{self, BlockKernel, Ready, Shape};
use crate::{BlockCipher, Error, InOut, Secret};

/// Kuznyechik under a key.
///
/// ```
/// use bulat::{BlockCipher, Kuznyechik};
/// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
/// let kuznyechik = Kuznyechik::new(&key);
/// let mut block = *b"sixteen bytes!!!";
/// kuznyechik.encrypt_block(&mut block);
/// kuznyechik.decrypt_block(&mut block);
/// assert_eq!(&block, b"sixteen bytes!!!");
/// ```
#[derive(Clone)]
pub struct Kuznyechik {
    schedule: Secret<Schedule>,
    map: Ready<BlockKernel<Schedule, 16>>,
    stream: Ready<BlockKernel<Schedule, 16>>,
    lanes: Ready<BlockKernel<Schedule, 16>>,
    /// Zero: the schedule's alignment would leave this space, and a move fills such space with what the stack has.
    _space: usize,
}

impl Kuznyechik {
    /// Prepares a key of 32 bytes.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut new = Self::blank();
        new.map.prepare(key, &mut new.schedule);
        new
    }
    /// Prepares many keys, whose schedules are made side by side.
    ///
    /// ```
    /// use bulat::{BlockCipher, Kuznyechik};
    /// let keys: Vec<[u8; 32]> = (0..100).map(|i| [i; 32]).collect();
    /// let ciphers = Kuznyechik::new_many(&keys);
    /// let (mut one, mut other) = ([0; 16], [0; 16]);
    /// ciphers[70].encrypt_block(&mut one);
    /// Kuznyechik::new(&[70; 32]).encrypt_block(&mut other);
    /// assert_eq!(one, other);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn new_many(keys: &[[u8; 32]]) -> Vec<Self> {
        Self::blank().rekey_many(keys)
    }
    /// Like [`Self::new_many`], on the kernels of this cipher.
    #[cfg(feature = "alloc")]
    pub fn rekey_many(&self, keys: &[[u8; 32]]) -> Vec<Self> {
        let mut all = Vec::with_capacity(keys.len());
        all.resize_with(keys.len(), || Kuznyechik {
            schedule: Secret::new(Schedule::default()),
            ..*self
        });
        Self::renew(all.iter_mut().zip(keys));
        all
    }
    /// Gives these keys to ciphers that have the kernels of the first.
    #[cfg(feature = "alloc")]
    pub(crate) fn renew<'a>(all: impl Iterator<Item = (&'a mut Self, &'a [u8; 32])>) {
        let mut map = None;
        let new = |(cipher, key): (&'a mut Self, _)| {
            map.get_or_insert(cipher.map);
            NewKey { key, schedule: &mut *cipher.schedule }
        };
        let mut keys: Vec<_> = all.map(new).collect();
        if let Some(map) = map {
            map.schedules(&mut keys);
        }
    }
    /// A cipher without a key.
    fn blank() -> Self {
        Kuznyechik {
            schedule: Secret::new(Schedule::default()),
            map: kernel::pick(KERNELS, Shape::Map),
            stream: kernel::pick(KERNELS, Shape::Stream),
            lanes: kernel::pick(KERNELS, Shape::Lanes),
            _space: 0,
        }
    }
    /// Uses the kernel of this name, in every shape.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] when no kernel of this name has every shape, or this machine cannot run it.
    pub fn on(mut self, kernel: &str) -> Result<Self, Error> {
        let k = BlockKernel::whole(KERNELS, kernel)?;
        (self.map, self.stream, self.lanes) = (k, k, k);
        Ok(self)
    }
}

impl BlockCipher for Kuznyechik {
    fn rekey(&self, key: &[u8; 32]) -> Self {
        // Not a clone, which would carry the old key about.
        let mut new = Kuznyechik { schedule: Secret::new(Schedule::default()), ..*self };
        self.map.prepare(key, &mut new.schedule);
        new
    }
}

impl Shapes for Kuznyechik {
    type Block = [u8; 16];
    fn map(&self, direction: Direction, data: InOut<'_, '_>) {
        self.map.map(&self.schedule, direction, data);
    }
    fn stream(&self, counter: &mut [u8; 16], count: Count, data: InOut<'_, '_>) {
        assert!(count != Count::Cnt, "CNT belongs to GOST 28147-89");
        self.stream.stream(&self.schedule, counter, count, data);
    }
    fn chain(&self, chain: Chain, state: &mut [u8; 16], data: Data<'_>) {
        let lane = Lane { schedule: &*self.schedule, state, data };
        Chained::lanes(self, chain, &mut [lane]);
    }
    #[cfg(feature = "alloc")]
    fn side_by_side(&self, keys: &[[u8; 32]]) -> Option<Vec<Self>> {
        Some(self.rekey_many(keys))
    }
    fn next_keys(&mut self, keys: &mut [[u8; 32]]) -> bool {
        self.map.next_keys(&mut self.schedule, keys)
    }
    fn sections(&mut self, counter: &mut [u8; 16], section: usize, data: InOut<'_, '_>) -> usize {
        self.stream.sections(&mut self.schedule, counter, section, data)
    }
    fn products(
        &self,
        counter: &mut [u8; 16],
        before: &[u8],
        blocks: &[u8],
        sum: &mut [u8; 16],
    ) -> usize {
        self.stream.products(&self.schedule, counter, before, blocks, sum)
    }
}

impl Chained<16> for Kuznyechik {
    type Schedule = Schedule;
    fn schedule(&self) -> &Schedule {
        &self.schedule
    }
    fn lanes(&self, chain: Chain, lanes: &mut [Lane<'_, Schedule, 16>]) {
        assert!(chain != Chain::Imit, "IMIT belongs to GOST 28147-89");
        self.lanes.lanes(chain, lanes);
    }
}
