//! XTS over Kuznyechik: IEEE Std 1619. NOT A GOST STANDARD; for disks and other stores of numbered sectors without room
//! for a tag. C = E_K1(P ^ T) ^ T, with T = E_K2(tweak)·α^j for block j. α multiplies in the byte order of IEEE 1619:
//! the first byte has the lowest powers, x^128 = x^7 + x^2 + x + 1.

use super::gamma::{Buffer, add, split};
use super::pieces::Pieces;
use super::{BlockMode, both};
use crate::cipher::Shapes;
use crate::gf::{self, times};
use crate::kernel::{self, GfKernel, Ready, Shape};
use crate::{BlockCipher, Direction, Error, InOut, Kuznyechik, Secret};

/// Bytes in a block.
const N: usize = 16;

/// The bytes of tweaks that are encrypted in one call: as many blocks as the widest kernel processes.
const TWEAKS: usize = 64 * N;

/// The bytes of masks that are computed at a time.
const MASKS: usize = 4096;

/// XTS-Kuznyechik with its two keys. Encrypts and decrypts data units (sectors) in any order.
///
/// Nothing is authenticated: anyone who can write to the store can replace a block with noise or with its earlier
/// content.
///
/// ```
/// use bulat::Direction;
/// use bulat::modes::Xts;
/// let xts = Xts::new(&[1; 32], &[2; 32])?;
/// let mut sector = [0; 512];
/// xts.sector(&Xts::tweak(5), Direction::Encrypt, &mut sector)?;
/// xts.sector(&Xts::tweak(5), Direction::Decrypt, &mut sector)?;
/// assert_eq!(sector, [0; 512]);
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Xts {
    data: Kuznyechik,
    tweak: Kuznyechik,
    gf: Ready<GfKernel>,
}

/// The mask of the next block: E_K2(tweak)·α^j, little-endian.
#[derive(Clone)]
struct Mask(Secret<[u8; N]>);

impl Mask {
    /// Writes the masks of the next blocks to `out`, which the caller wipes, and steps past them.
    fn fill(&mut self, gf: Ready<GfKernel>, out: &mut [[u8; N]]) {
        let mut t = u128::from_le_bytes(*self.0);
        // Each mask follows from the mask before it, and also from the mask sixteen before, which gives many at once.
        let (whole, rest) = out.split_at_mut(out.len() / 16 * 16);
        if let Some(first) = whole.first_chunk_mut::<16>() {
            put(first, &mut t);
            gf.powers(whole.as_flattened_mut());
        }
        if let Some(last) = whole.last_chunk::<16>() {
            t = times::<16>(u128::from_le_bytes(last[0]));
        }
        put(rest, &mut t);
        *self.0 = t.to_le_bytes();
    }

    /// Steps past `blocks` blocks, a multiple of 16.
    #[cfg(feature = "threads")]
    fn skip(&mut self, blocks: usize) {
        let t = u128::from_le_bytes(*self.0);
        *self.0 = (0..blocks / 16).fold(t, |t, _| times::<16>(t)).to_le_bytes();
    }
}

#[inline(always)]
fn put(masks: &mut [[u8; N]], t: &mut u128) {
    for mask in masks {
        *mask = t.to_le_bytes();
        *t = times::<1>(*t);
    }
}

impl Xts {
    /// The longest data unit in bytes: 2^20 blocks (IEEE 1619-2018, 5.1).
    pub const LIMIT: u64 = (N as u64) << 20;

    /// Creates an object with K1 for the data and K2 for the tweak.
    ///
    /// # Errors
    /// [`Error::EqualKeys`].
    pub fn new(data: &[u8; 32], tweak: &[u8; 32]) -> Result<Self, Error> {
        if crate::verify(data, tweak).is_ok() {
            return Err(Error::EqualKeys);
        }
        let gf = kernel::pick(gf::KERNELS, Shape::Multiply);
        Ok(Xts { data: Kuznyechik::new(data), tweak: Kuznyechik::new(tweak), gf })
    }

    /// Selects the kernel of this name; for the masks too, if it is a kernel of GF(2^128).
    ///
    /// # Errors
    /// [`Error::UnknownKernel`].
    pub fn on(self, kernel: &str) -> Result<Self, Error> {
        let gf = kernel::by_name(gf::KERNELS, kernel).unwrap_or(self.gf);
        Ok(Xts { data: self.data.on(kernel)?, tweak: self.tweak.on(kernel)?, gf })
    }

    /// Returns the ciphers of data and of tweaks.
    pub(crate) fn ciphers(&self) -> (&Kuznyechik, &Kuznyechik) {
        (&self.data, &self.tweak)
    }

    /// Returns the tweak of a sector: its number as 16 bytes, little-endian.
    pub fn tweak(sector: u128) -> [u8; N] {
        sector.to_le_bytes()
    }

    /// Transforms a data unit of at least 16 bytes, whole blocks or not, in place.
    ///
    /// # Errors
    /// [`Error::DataLength`] below 16 bytes, [`Error::Limit`] above 2^20 blocks.
    pub fn sector(
        &self,
        tweak: &[u8; N],
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.sector_inout(tweak, direction, data.into())
    }

    /// Transforms a data unit from `source` to `destination`: see [`Self::sector`].
    ///
    /// # Errors
    /// As [`Self::sector`]; [`Error::BufferLength`] unless the lengths are equal.
    pub fn sector_b2b(
        &self,
        tweak: &[u8; N],
        direction: Direction,
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<(), Error> {
        self.sector_inout(tweak, direction, both(source, destination)?)
    }

    /// Transforms a data unit, in place or between two buffers: see [`Self::sector`].
    ///
    /// # Errors
    /// As [`Self::sector`].
    pub fn sector_inout(
        &self,
        tweak: &[u8; N],
        direction: Direction,
        data: InOut<'_, '_>,
    ) -> Result<(), Error> {
        if data.len() < N {
            return Err(Error::DataLength);
        }
        if data.len() as u64 > Self::LIMIT {
            return Err(Error::Limit);
        }
        self.unit(self.first(tweak), data, direction);
        Ok(())
    }

    /// Transforms a data unit or a piece of it: whole blocks, or the end with at least one whole block.
    fn unit(&self, mut mask: Mask, data: InOut<'_, '_>, direction: Direction) {
        let stolen = data.len() % N > 0;
        let whole = (data.len() / N - usize::from(stolen)) * N;
        let (body, mut end) = data.split_at(whole);
        self.run(&mut mask, body, direction);
        if stolen {
            let mut last = Secret::new([0u8; 2 * N]);
            let last = &mut last[..end.len()];
            last.copy_from_slice(end.get_in());
            self.steal(&mut mask, last, direction);
            end.get_out().copy_from_slice(last);
        }
    }

    /// Returns for each piece of a data unit, in order, a function that transforms it. A piece has `blocks` blocks, a
    /// multiple of 16.
    #[cfg(feature = "threads")]
    pub(crate) fn pieces(
        &self,
        tweak: &[u8; N],
        blocks: usize,
        direction: Direction,
    ) -> impl Iterator<Item = impl FnOnce(InOut<'_, '_>) + Send> {
        let mut mask = self.first(tweak);
        core::iter::repeat_with(move || {
            let now = mask.clone();
            mask.skip(blocks);
            move |data: InOut<'_, '_>| self.unit(now, data, direction)
        })
    }

    /// Transforms consecutive sectors of `size` bytes each in place, beginning with number `first`. All their blocks go
    /// through the cipher together.
    ///
    /// ```
    /// use bulat::Direction;
    /// use bulat::modes::Xts;
    /// let xts = Xts::new(&[1; 32], &[2; 32])?;
    /// let mut sectors = [0; 8 * 512];
    /// xts.sectors(100, 512, Direction::Encrypt, &mut sectors)?;
    /// xts.sector(&Xts::tweak(107), Direction::Decrypt, &mut sectors[7 * 512..])?;
    /// assert_eq!(sectors[7 * 512..], [0; 512]);
    /// # Ok::<(), bulat::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DataLength`] unless the data is whole sectors of at least 16 bytes; [`Error::Limit`] for sectors of
    /// more than 2^20 blocks or numbers above 2^128 - 1. Then nothing was transformed.
    pub fn sectors(
        &self,
        first: u128,
        size: usize,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.sectors_inout(first, size, direction, data.into())
    }

    /// Transforms consecutive sectors from `source` to `destination`: see [`Self::sectors`].
    ///
    /// # Errors
    /// As [`Self::sectors`]; [`Error::BufferLength`] unless the lengths are equal.
    pub fn sectors_b2b(
        &self,
        first: u128,
        size: usize,
        direction: Direction,
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<(), Error> {
        self.sectors_inout(first, size, direction, both(source, destination)?)
    }

    /// Transforms consecutive sectors, in place or between two buffers: see [`Self::sectors`].
    ///
    /// # Errors
    /// As [`Self::sectors`].
    pub fn sectors_inout(
        &self,
        first: u128,
        size: usize,
        direction: Direction,
        data: InOut<'_, '_>,
    ) -> Result<(), Error> {
        let count = data.len().checked_div(size).unwrap_or(0);
        if u128::MAX - first < count.saturating_sub(1) as u128 {
            return Err(Error::Limit);
        }
        self.burst(|i| Self::tweak(first + i as u128), count, size, data, direction)
    }

    /// Transforms adjacent sectors of `size` bytes each, with any numbers, in place: see [`Self::sectors`].
    ///
    /// # Errors
    /// As [`Self::sectors`]; [`Error::Parameter`] unless there is a number for each sector.
    pub fn sectors_at(
        &self,
        numbers: &[u128],
        size: usize,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        self.sectors_at_inout(numbers, size, direction, data.into())
    }

    /// Transforms adjacent sectors from `source` to `destination`: see [`Self::sectors_at`].
    ///
    /// # Errors
    /// As [`Self::sectors_at`]; [`Error::BufferLength`] unless the lengths are equal.
    pub fn sectors_at_b2b(
        &self,
        numbers: &[u128],
        size: usize,
        direction: Direction,
        source: &[u8],
        destination: &mut [u8],
    ) -> Result<(), Error> {
        self.sectors_at_inout(numbers, size, direction, both(source, destination)?)
    }

    fn sectors_at_inout(
        &self,
        numbers: &[u128],
        size: usize,
        direction: Direction,
        data: InOut<'_, '_>,
    ) -> Result<(), Error> {
        self.burst(|i| Self::tweak(numbers[i]), numbers.len(), size, data, direction)
    }

    /// Transforms `count` sectors, each with its tweak.
    pub(crate) fn burst(
        &self,
        tweak: impl Fn(usize) -> [u8; N],
        count: usize,
        size: usize,
        data: InOut<'_, '_>,
        direction: Direction,
    ) -> Result<(), Error> {
        if size < N || !data.len().is_multiple_of(size) {
            return Err(Error::DataLength);
        }
        if size as u64 > Self::LIMIT {
            return Err(Error::Limit);
        }
        if data.len() / size != count {
            return Err(Error::Parameter);
        }
        let mut rest = data;
        if !size.is_multiple_of(N) {
            for i in 0..count {
                let (sector, tail) = split(rest, size);
                self.sector_inout(&tweak(i), direction, sector)?;
                rest = tail;
            }
            return Ok(());
        }
        let mut first = Buffer::<TWEAKS>::new();
        for at in (0..count).step_by(TWEAKS / N) {
            let n = (count - at).min(TWEAKS / N);
            let first = first.first(n * N);
            let tweaks = first.as_chunks_mut().0;
            tweaks.iter_mut().enumerate().for_each(|(i, t)| *t = tweak(at + i));
            self.tweak.map(Direction::Encrypt, (&mut *first).into());
            let (some, tail) = split(rest, n * size);
            rest = tail;
            let mut tweaks = first.as_chunks().0.iter();
            let (mut mask, mut left) = (Mask(Secret::new([0; N])), 0);
            self.masked(some, direction, |mut masks| {
                while !masks.is_empty() {
                    if left == 0
                        && let Some(t) = tweaks.next()
                    {
                        (*mask.0, left) = (*t, size / N);
                    }
                    let (now, later) = masks.split_at_mut(left.min(masks.len()));
                    left -= now.len();
                    mask.fill(self.gf, now);
                    masks = later;
                }
            });
        }
        Ok(())
    }

    fn first(&self, tweak: &[u8; N]) -> Mask {
        let mut t = Secret::new(*tweak);
        self.tweak.encrypt_block(&mut t);
        Mask(t)
    }

    /// Transforms whole blocks in batches: makes the masks, then encrypts all blocks at once.
    fn run(&self, mask: &mut Mask, data: InOut<'_, '_>, direction: Direction) {
        self.masked(data, direction, |masks| mask.fill(self.gf, masks));
    }

    /// Transforms whole blocks under the masks that `fill` writes, the next ones at each call.
    fn masked(
        &self,
        data: InOut<'_, '_>,
        direction: Direction,
        mut fill: impl FnMut(&mut [[u8; N]]),
    ) {
        let mut masks = Buffer::<MASKS>::new();
        let mut rest = data;
        while !rest.is_empty() {
            let (mut part, tail) = split(rest, MASKS);
            let masks = masks.first(part.len());
            fill(masks.as_chunks_mut().0);
            self.gf.add(part.reborrow(), masks);
            self.data.map(direction, part.get_out().into());
            self.gf.add(part.get_out().into(), masks);
            rest = tail;
        }
    }

    /// Ciphertext stealing (IEEE 1619, 5.3.2 and 5.4.2) over the last whole block and the r bytes after it. The block
    /// is transformed first, under mask j (decryption: j + 1). Its first r bytes are exchanged with the r bytes, and
    /// the new block is transformed under the other mask.
    fn steal(&self, mask: &mut Mask, last: &mut [u8], direction: Direction) {
        let mut masks = Secret::new([[0; N]; 2]);
        mask.fill(self.gf, &mut *masks);
        if direction == Direction::Decrypt {
            masks.swap(0, 1);
        }
        let Some((block, rest)) = last.split_first_chunk_mut() else { return };
        self.block(&masks[0], block, direction);
        block[..rest.len()].swap_with_slice(rest);
        self.block(&masks[1], block, direction);
    }

    fn block(&self, mask: &[u8; N], block: &mut [u8; N], direction: Direction) {
        add(block.as_mut_slice().into(), mask);
        match direction {
            Direction::Encrypt => self.data.encrypt_block(block),
            Direction::Decrypt => self.data.decrypt_block(block),
        }
        add(block.as_mut_slice().into(), mask);
    }

    /// Begins a data unit that comes in pieces.
    pub fn message(&self, tweak: &[u8; N], direction: Direction) -> XtsMessage {
        let mask = self.first(tweak);
        XtsMessage { xts: self.clone(), direction, mask, pieces: Pieces::new(), len: 0 }
    }
}

/// A data unit of XTS-Kuznyechik in pieces: see [`Xts::message`]. The last block or two blocks are held back, since
/// ciphertext stealing may need them.
#[derive(Clone)]
pub struct XtsMessage {
    xts: Xts,
    direction: Direction,
    mask: Mask,
    pieces: Pieces,
    len: u64,
}

impl BlockMode for XtsMessage {
    const HELD: usize = 2 * N;

    /// # Errors
    /// [`Error::Finished`]; [`Error::Limit`]: nothing was transformed.
    fn update_inout(&mut self, data: InOut<'_, '_>) -> Result<usize, Error> {
        let len = self.len.saturating_add(data.len() as u64);
        if len > Xts::LIMIT {
            return Err(Error::Limit);
        }
        let (xts, mask, direction) = (&self.xts, &mut self.mask, self.direction);
        let n = self.pieces.update(N, N, data, |blocks| xts.run(mask, blocks, direction))?;
        self.len = len;
        Ok(n)
    }

    /// # Errors
    /// [`Error::Finished`], [`Error::BufferLength`]; [`Error::DataLength`] below 16 bytes.
    fn finalize(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let n = self.pieces.waiting().len();
        if self.len < N as u64 {
            return Err(Error::DataLength);
        }
        let queued = self.pieces.end(n, out)?;
        let last = &mut out[queued..queued + n];
        last.copy_from_slice(self.pieces.waiting());
        if n > N {
            self.xts.steal(&mut self.mask, last, self.direction);
        } else {
            self.xts.run(&mut self.mask, last.into(), self.direction);
        }
        Ok(queued + n)
    }

    /// Begins a new data unit. `iv` is the tweak, 16 bytes.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let tweak = iv.try_into().map_err(|_| Error::IvLength)?;
        self.mask = self.xts.first(tweak);
        self.pieces = Pieces::new();
        self.len = 0;
        Ok(())
    }
}
