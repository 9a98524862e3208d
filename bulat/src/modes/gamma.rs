//! Gamma, for the modes that add it to the text. Of each gamma block the first `s` bytes are used (GOST R 34.13-2015,
//! MSB_s).

pub(crate) use crate::cipher::split;
use crate::cipher::{Block, Count};
use crate::{BlockCipher, Error, InOut, Secret, gf};

/// Bytes of gamma, or of saved blocks, that a mode makes at a time on the stack: enough blocks to fill
/// the widest kernel, few enough for the first-level cache.
pub(crate) const BATCH: usize = 2048;

/// Secret bytes on the stack, of which only those that were used are wiped.
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
}

impl<const N: usize> Buffer<N> {
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
pub(crate) fn add(data: InOut<'_, '_>, gamma: &[u8]) {
    gf::add(data, gamma);
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

/// The unused bytes of a gamma block.
#[derive(Clone)]
pub(crate) struct Leftover<B: Block> {
    gamma: Secret<B>,
    from: usize,
    to: usize,
}

impl<B: Block> Leftover<B> {
    pub(crate) fn new() -> Self {
        Leftover { gamma: Secret::new(B::ZERO), from: 0, to: 0 }
    }
    pub(crate) fn len(&self) -> usize {
        self.to - self.from
    }
    /// Keeps the bytes `from..to` of a gamma block.
    pub(crate) fn put(&mut self, gamma: Secret<B>, from: usize, to: usize) {
        (self.gamma, self.from, self.to) = (gamma, from, to);
    }
    /// Adds the bytes to the start of the data, and returns the rest of the data.
    pub(crate) fn take<'i, 'o>(&mut self, data: InOut<'i, 'o>) -> InOut<'i, 'o> {
        let (head, rest) = split(data, self.len());
        let k = head.len();
        add(head, &self.gamma.as_ref()[self.from..self.from + k]);
        self.from += k;
        rest
    }
}

/// Adds the gamma of a counter: the whole blocks in one call of the kernel. The rest of the last gamma block goes to
/// `left`, which must be empty.
pub(crate) fn stream<C: BlockCipher>(
    cipher: &C,
    counter: &mut C::Block,
    count: Count,
    s: usize,
    left: &mut Leftover<C::Block>,
    data: InOut<'_, '_>,
) {
    debug_assert_eq!(left.len(), 0);
    let n = C::BLOCK;
    let whole = data.len() / s * s;
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
        let mut gamma = Secret::new(C::Block::ZERO);
        cipher.stream(counter, count, gamma.as_mut().into());
        left.put(gamma, 0, s);
        left.take(tail);
    }
}
