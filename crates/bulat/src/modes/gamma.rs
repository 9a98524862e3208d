//! Gamma, for the modes that add it to the text. Of each gamma block the first `s` bytes are used (GOST R 34.13-2015,
//! MSB_s).

use crate::cipher::Count;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;

pub(crate) use crate::cipher::split;
use crate::{BlockCipher, Error, InOut, Secret, gf};

/// Bytes of gamma, or of saved blocks, that a mode makes at a time on the stack: enough blocks to fill
/// the widest kernel, few enough for the first-level cache.
pub(crate) const BATCH: usize = 2048;

/// Secret bytes on the stack, of which only the bytes that were used are wiped.
#[repr(align(64))] // a vector across two lines of the cache costs twice as much
pub(crate) struct Buffer<const N: usize> {
    bytes: [u8; N],
    used: usize,
}

impl<const N: usize> Buffer<N> {
    pub(crate) const fn new() -> Self {
        Buffer { bytes: [0; N], used: 0 }
    }
    /// Returns all bytes.
    pub(crate) fn read(&self) -> &[u8] {
        &self.bytes
    }
    /// Returns the first `len` bytes, as they are.
    pub(crate) fn first(&mut self, len: usize) -> &mut [u8] {
        self.used = self.used.max(len);
        &mut self.bytes[..len]
    }
    /// Returns the first `len` bytes, zeroed.
    pub(crate) fn zeros(&mut self, len: usize) -> &mut [u8] {
        let bytes = self.first(len);
        bytes.fill(0);
        bytes
    }
    /// Lends the buffer to code that serves all sizes.
    pub(crate) fn lend(&mut self) -> Lent<'_> {
        Lent { bytes: &mut self.bytes, used: &mut self.used }
    }
}

/// A [`Buffer`] of any size.
pub(crate) struct Lent<'a> {
    bytes: &'a mut [u8],
    used: &'a mut usize,
}

impl Lent<'_> {
    /// Returns the size in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
    /// Returns the first `len` bytes, with what an earlier use left in them.
    pub(crate) fn first(&mut self, len: usize) -> &mut [u8] {
        *self.used = len.max(*self.used);
        &mut self.bytes[..len]
    }
}

impl<const N: usize> Drop for Buffer<N> {
    fn drop(&mut self) {
        self.bytes[..self.used].fill(0);
        zeroize::optimization_barrier(&self.bytes);
    }
}

/// out = in ^ gamma; of one length.
pub(crate) fn add(mut data: InOut<'_, '_>, gamma: &[u8]) {
    // To choose a kernel costs more than a short piece.
    if data.len() > 64 {
        return gf::add(data, gamma);
    }
    assert!(data.len() == gamma.len(), "of one length");
    let (blocks, bytes) = gamma.as_chunks::<16>();
    for (i, block) in blocks.iter().enumerate() {
        let text = data.get_in()[16 * i..][..16].try_into().expect("16 bytes");
        let sum = u128::from_ne_bytes(text) ^ u128::from_ne_bytes(*block);
        data.get_out()[16 * i..][..16].copy_from_slice(&sum.to_ne_bytes());
    }
    for (i, byte) in (16 * blocks.len()..).zip(bytes) {
        data.get_out()[i] = data.get_in()[i] ^ byte;
    }
}

/// out = in ^ (the first `s` bytes of each gamma block of `n`); the last block may be used in part.
pub(crate) fn add_short(data: InOut<'_, '_>, gamma: &[u8], n: usize, s: usize) {
    if s == n {
        return add(data, gamma);
    }
    let mut rest = data;
    for block in gamma.chunks_exact(n) {
        let (head, tail) = split(rest, s);
        let k = head.len();
        add(head, &block[..k]);
        rest = tail;
    }
}

/// Checks s of GOST R 34.13, in bytes.
pub(crate) fn check_s(s: usize, n: usize) -> Result<(), Error> {
    if (1..=n).contains(&s) { Ok(()) } else { Err(Error::Parameter) }
}

/// Bytes of gamma that a counter's mode makes at a time for short pieces of a message: a batch of the widest kernel, which
/// makes 64 blocks of Kuznyechik in little more time than 16.
pub(crate) const AHEAD: usize = 1024;

/// Gamma that no text has used yet: the rest of a block, and blocks made ahead. All other bytes are zero.
#[derive(Clone)]
pub(crate) struct Leftover {
    block: Secret<[u8; 16]>,
    /// The place of all gamma once blocks were made ahead: most messages have one piece.
    #[cfg(feature = "alloc")]
    many: Option<Box<Secret<[u8; AHEAD]>>>,
    from: usize,
    to: usize,
}

impl Leftover {
    pub(crate) fn new() -> Self {
        Leftover {
            block: Secret::new([0; 16]),
            #[cfg(feature = "alloc")]
            many: None,
            from: 0,
            to: 0,
        }
    }
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.to - self.from
    }
    /// Returns the place of the gamma.
    #[inline]
    fn place(&mut self) -> &mut [u8] {
        #[cfg(feature = "alloc")]
        if let Some(many) = &mut self.many {
            return &mut many[..];
        }
        &mut self.block[..]
    }
    /// Returns the place of the next `len` bytes, which are zero.
    fn room(&mut self, len: usize) -> &mut [u8] {
        debug_assert_eq!(self.len(), 0);
        #[cfg(feature = "alloc")]
        if len > self.block.len() && self.many.is_none() {
            self.many = Some(Box::new(Secret::new([0; AHEAD])));
        }
        (self.from, self.to) = (0, len);
        &mut self.place()[..len]
    }
    /// Discards the bytes.
    pub(crate) fn clear(&mut self) {
        let unused = self.from..self.to;
        self.place()[unused].fill(0);
        (self.from, self.to) = (0, 0);
    }
    /// Keeps bytes of a gamma block.
    pub(crate) fn put(&mut self, gamma: &[u8]) {
        self.clear();
        self.room(gamma.len()).copy_from_slice(gamma);
    }
    /// Adds the bytes to the start of the data, and returns the rest of the data.
    #[inline]
    pub(crate) fn take<'i, 'o>(&mut self, data: InOut<'i, 'o>) -> InOut<'i, 'o> {
        let (head, rest) = split(data, self.len());
        if !head.is_empty() {
            let begin = self.from;
            self.from += head.len();
            let end = self.from;
            let used = &mut self.place()[begin..end];
            add(head, used);
            used.fill(0);
        }
        rest
    }
}

/// Adds the gamma of a counter: the whole blocks in one call of the kernel. The rest of the last gamma block goes to
/// `left`, which must be empty, with at most `ahead` blocks after it if s = n.
pub(crate) fn stream<C: BlockCipher>(
    cipher: &C,
    counter: &mut C::Block,
    count: Count,
    s: usize,
    left: &mut Leftover,
    ahead: usize,
    data: InOut<'_, '_>,
) {
    debug_assert_eq!(left.len(), 0);
    let n = C::BLOCK;
    let ahead = if s == n && cfg!(feature = "alloc") { ahead } else { 0 };
    let whole = if ahead > 0 && data.len() < AHEAD { 0 } else { data.len() / s * s };
    let (mut body, tail) = data.split_at(whole);
    if s == n {
        if !body.is_empty() {
            cipher.stream(counter, count, body);
        }
    } else {
        let mut gamma = Buffer::<BATCH>::new();
        while !body.is_empty() {
            let (part, rest) = split(body, BATCH / n * s);
            let gamma = gamma.zeros(part.len() / s * n);
            cipher.stream(counter, count, (&mut *gamma).into());
            add_short(part, gamma, n, s);
            body = rest;
        }
    }
    if !tail.is_empty() {
        let blocks = (tail.len().div_ceil(n) + ahead).min(AHEAD / n);
        let gamma = left.room(blocks * n);
        cipher.stream(counter, count, (&mut *gamma).into());
        if s < n {
            gamma[s..].fill(0);
            left.to = s;
        }
        left.take(tail);
    }
}
