//! Streebog-256 and Streebog-512, the hash functions of GOST R 34.11-2012 (RFC 6986): a message's state and its kernel.

use bulat_core::streebog::{KERNELS, LastBlock};

use crate::kernel::{self, HashKernel, HashKeys, HashLane, HashState, Ready, Shape};
use crate::{Error, Secret};

/// A message being hashed; `OUT` is 32 or 64, the bytes of the digest.
///
/// Pieces of any size give the digest of the whole message. A clone continues from this point. The state and the
/// bytes held back are wiped on drop, because HMAC hashes keys.
///
/// ```
/// use bulat::Streebog512;
/// let mut hash = Streebog512::new();
/// hash.update(b"01234567890123456789012345678901");
/// let mut other = hash.clone();
/// hash.update(b"2345678901234567890123456789012");
/// // M1 of RFC 6986, section 10.1
/// assert_eq!(hash.finalize()[..4], [0x1b, 0x54, 0xd0, 0x1a]);
/// // A clone continues from where it was made.
/// other.update(b"another end");
/// assert_ne!(other.finalize_reset(), Streebog512::digest(b""));
/// assert_eq!(other.finalize(), Streebog512::digest(b""));
/// ```
#[derive(Clone)]
pub struct Streebog<const OUT: usize> {
    state: Secret<HashState>,
    buffer: Secret<LastBlock>,
    filled: usize,
    kernel: Ready<HashKernel>,
    next: Next,
}

/// The source of the next compression's keys, if they are known.
#[derive(Clone, Copy)]
enum Next {
    /// Nothing was compressed yet.
    Initial,
    /// The caller of [`Streebog::next_keys`] has them.
    Kept,
    /// The keys are unknown.
    Unknown,
}

/// Streebog with 256 bits of digest: the last 32 bytes of the state (RFC 6986, section 9).
///
/// ```
/// let digest = bulat::Streebog256::digest(b"abc");
/// assert_eq!(digest[..4], [0x4e, 0x29, 0x19, 0xcf]);
/// ```
pub type Streebog256 = Streebog<32>;
/// Streebog with 512 bits of digest.
pub type Streebog512 = Streebog<64>;

impl<const OUT: usize> Streebog<OUT> {
    /// RFC 6986, section 6.1: 0^512, and (00000001)^64 for 256 bits.
    pub(crate) const IV: HashState =
        HashState { h: if OUT == 32 { [1; 64] } else { [0; 64] }, n: [0; 64], sigma: [0; 64] };

    /// An empty message.
    pub fn new() -> Self {
        const { assert!(OUT == 32 || OUT == 64) };
        Streebog {
            state: Secret::new(Self::IV),
            buffer: Secret::new(LastBlock { bytes: [0; 64] }),
            filled: 0,
            kernel: kernel::pick(KERNELS, Shape::Messages),
            next: Next::Initial,
        }
    }
    /// Uses the kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] when no kernel has this name or this machine cannot run it.
    pub fn on(mut self, kernel: &str) -> Result<Self, Error> {
        self.kernel = kernel::by_name(KERNELS, kernel)?;
        Ok(self)
    }
    /// The sum of the blocks so far.
    pub(crate) fn sum(&self) -> Secret<[u8; 64]> {
        Secret::new(self.state.sigma)
    }
    /// Hashes the next piece of the message; whole blocks are not copied.
    pub fn update(&mut self, data: &[u8]) {
        self.update_under(None, data);
    }
    /// [`Self::update`] with the keys of [`Self::next_keys`], which a clone may use until it has compressed.
    pub(crate) fn update_under(&mut self, keys: Option<&HashKeys>, mut data: &[u8]) {
        if self.filled > 0 {
            let take = data.len().min(64 - self.filled);
            self.buffer.bytes[self.filled..self.filled + take].copy_from_slice(&data[..take]);
            self.filled += take;
            data = &data[take..];
            if self.filled < 64 {
                return;
            }
            let (known, blocks) = (self.known(keys), &self.buffer.bytes);
            self.kernel.blocks_under(known, &mut [HashLane { state: &mut self.state, blocks }]);
            (self.filled, self.next) = (0, Next::Unknown);
        }
        let (blocks, rest) = data.split_at(data.len() / 64 * 64);
        if !blocks.is_empty() {
            let known = self.known(keys);
            self.kernel.blocks_under(known, &mut [HashLane { state: &mut self.state, blocks }]);
            self.next = Next::Unknown;
        }
        self.buffer.bytes[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }
    /// Ends the message and returns its digest (RFC 6986, stage 3). For the digest so far, finalize a clone.
    pub fn finalize(mut self) -> [u8; OUT] {
        self.finish_under(None)
    }
    /// Ends the message and begins a new message.
    pub fn finalize_reset(&mut self) -> [u8; OUT] {
        let digest = self.finish_under(None);
        self.reset();
        digest
    }
    /// [`Self::finalize`] with the keys of [`Self::next_keys`]. The object serves no other message until it is reset.
    pub(crate) fn finish_under(&mut self, keys: Option<&HashKeys>) -> [u8; OUT] {
        let (known, blocks) = (self.known(keys), &self.buffer.bytes[..self.filled]);
        self.kernel.finish_under(known, &mut [HashLane { state: &mut self.state, blocks }]);
        digest(&self.state)
    }
    /// Returns the keys of the next compression, for messages with a common beginning.
    pub(crate) fn next_keys(&mut self) -> Secret<HashKeys> {
        self.next = Next::Kept;
        Secret::new(self.kernel.keys(&self.state))
    }
    fn known<'a>(&self, kept: Option<&'a HashKeys>) -> Option<&'a HashKeys> {
        match self.next {
            Next::Initial => Some(self.kernel.initial(OUT == 32)),
            Next::Kept => kept,
            Next::Unknown => None,
        }
    }
    pub(crate) fn kernel(&self) -> Ready<HashKernel> {
        self.kernel
    }
    /// The state after whole blocks.
    pub(crate) fn state(&self) -> &Secret<HashState> {
        debug_assert_eq!(self.filled, 0);
        &self.state
    }
    /// Discards the message and begins a new message.
    pub fn reset(&mut self) {
        *self.state = Self::IV;
        self.buffer.bytes = [0; 64];
        (self.filled, self.next) = (0, Next::Initial);
    }
    /// The digest of a message.
    pub fn digest(data: &[u8]) -> [u8; OUT] {
        let mut s = Self::new();
        s.update(data);
        s.finalize()
    }
    /// The digests of many messages, side by side as far as they have blocks in common: fastest when
    /// eight neighbours are of equal length.
    ///
    /// ```
    /// use bulat::Streebog256;
    /// let mut digests = [[0; 32]; 3];
    /// Streebog256::digest_many(&[b"a", b"b", b"abc"], &mut digests)?;
    /// assert_eq!(digests[2], Streebog256::digest(b"abc"));
    /// # Ok::<(), bulat::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BufferLength`] when there are not as many digests as messages.
    pub fn digest_many(messages: &[&[u8]], digests: &mut [[u8; OUT]]) -> Result<(), Error> {
        if messages.len() != digests.len() {
            return Err(Error::BufferLength);
        }
        if let ([message], [out]) = (messages, &mut *digests) {
            *out = Self::digest(message);
            return Ok(());
        }
        let kernel = kernel::pick(KERNELS, Shape::Messages);
        let initial = kernel.initial(OUT == 32);
        for (messages, digests) in messages.chunks(8).zip(digests.chunks_mut(8)) {
            let mut states: [_; 8] = core::array::from_fn(|_| Secret::new(Self::IV));
            let states = &mut states[..messages.len()];
            finish_many(kernel, Some(initial), states, messages);
            for (out, state) in digests.iter_mut().zip(states) {
                *out = digest(state);
            }
        }
        Ok(())
    }
}

/// Ends at most eight messages with these bytes, side by side as far as all have blocks; h is then the digest. The
/// keys, if known, are the keys of the next block of all messages.
pub(crate) fn finish_many(
    kernel: Ready<HashKernel>,
    keys: Option<&HashKeys>,
    states: &mut [Secret<HashState>],
    messages: &[&[u8]],
) {
    let whole = |m: &[u8]| m.len() / 64 * 64;
    let common = messages.iter().map(|m| whole(m)).min().unwrap_or(0);
    let piece = |i: usize| &messages[i][..common];
    if common > 0 {
        side_by_side::<8>(states, piece, |lanes| kernel.blocks_under(keys, lanes));
    }
    for (state, m) in states.iter_mut().zip(messages) {
        if m.len() >= common + 64 {
            let keys = keys.filter(|_| common == 0);
            let blocks = &m[common..whole(m)];
            kernel.blocks_under(keys, &mut [HashLane { state, blocks }]);
        }
    }
    let keys = keys.filter(|_| messages.iter().all(|m| m.len() < 64));
    let rest = |i: usize| &messages[i][whole(messages[i])..];
    side_by_side::<8>(states, rest, |lanes| kernel.finish_under(keys, lanes));
}

/// Calls `f` with a lane for each state, of which there are at most N.
pub(crate) fn side_by_side<'a, const N: usize>(
    states: &mut [Secret<HashState>],
    piece: impl Fn(usize) -> &'a [u8],
    f: impl FnOnce(&mut [HashLane<'_>]),
) {
    let (count, mut states) = (states.len(), states.iter_mut());
    let mut spare: [_; N] = core::array::from_fn(|_| Streebog512::IV);
    let mut i = 0;
    let mut lanes = spare.each_mut().map(|spare| match states.next() {
        Some(state) => {
            i += 1;
            HashLane { state, blocks: piece(i - 1) }
        }
        None => HashLane { state: spare, blocks: &[] },
    });
    f(&mut lanes[..count]);
}

/// The bytes of the digest, the last of the state.
pub(crate) fn digest<const OUT: usize>(state: &HashState) -> [u8; OUT] {
    state.h[64 - OUT..].try_into().expect("OUT bytes")
}

crate::io::io_write!([const OUT: usize] Streebog<OUT>);

impl<const OUT: usize> Default for Streebog<OUT> {
    fn default() -> Self {
        Self::new()
    }
}
