//! HMAC_GOSTR3411_2012_256 and HMAC_GOSTR3411_2012_512: HMAC (RFC 2104, section 2) over Streebog, as in RFC 7836,
//! sections 4.1.1 and 4.1.2 (R 50.1.113-2016): B = 64 bytes, L = 32 or 64.
//!
//! An object keeps the hash states after K ^ ipad and K ^ opad and the keys of the compressions that follow. So a new
//! message costs no work on the key, and its first block and the outer block cost half: 174 LPS instead of 200 for 64
//! bytes.

use crate::io::io_write;
use crate::kernel::{HashKernel, HashKeys, HashState, Ready};
use crate::modes::Mac;
use crate::streebog::{self, finish_many, side_by_side};
use crate::{Error, Secret, Streebog, Streebog256, Streebog512, Tag};

/// HMAC over a hash, [`Streebog256`] or [`Streebog512`], with the full tag or a [truncated](Self::truncated) tag.
///
/// The key may have any length, even zero; a key longer than 64 bytes is hashed first (RFC 2104, section 2). RFC 7836
/// recommends keys of 256 to 512 bits.
///
/// ```
/// use bulat::{Hmac, Mac, Streebog256};
/// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
/// let mut hmac = Hmac::<Streebog256>::new(&key);
/// hmac.update(&[0x01, 0x26, 0xbd, 0xb8, 0x78, 0x00, 0xaf, 0x21]);
/// hmac.update(&[0x43, 0x41, 0x45, 0x65, 0x63, 0x78, 0x01, 0x00]);
/// let tag = hmac.finalize()?;
/// assert_eq!(tag[..4], [0xa1, 0xaa, 0x5f, 0x7d]); // RFC 7836, appendix B, 1)
/// # Ok::<(), bulat::Error>(())
/// ```
#[derive(Clone)]
pub struct Hmac<H> {
    /// The hash after K ^ ipad.
    inner: H,
    /// The hash after K ^ opad.
    outer: H,
    /// The keys of their next compressions.
    keys: [Secret<HashKeys>; 2],
    /// `inner` after the message so far.
    message: H,
    tag_len: usize,
}

/// HMAC_GOSTR3411_2012_256: RFC 7836, section 4.1.1.
pub type HmacStreebog256 = Hmac<Streebog256>;
/// HMAC_GOSTR3411_2012_512: RFC 7836, section 4.1.2.
pub type HmacStreebog512 = Hmac<Streebog512>;

impl<const OUT: usize> Hmac<Streebog<OUT>> {
    /// Returns the tag of a message.
    pub fn mac(key: &[u8], message: &[u8]) -> Tag {
        Tag::new(&*Self::new(key).tag(&[message]), OUT)
    }

    /// Begins an empty message under the key.
    pub fn new(key: &[u8]) -> Self {
        Self::with(Streebog::new(), key)
    }

    /// Like [`Self::new`], on the kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] for an unknown name, or a kernel that this machine cannot run.
    pub fn new_on(key: &[u8], kernel: &str) -> Result<Self, Error> {
        Ok(Self::with(Streebog::new().on(kernel)?, key))
    }

    /// Cuts tags to their first `len` bytes (RFC 2104, section 5, which recommends at least half of the hash).
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `len` is 1 to `OUT`.
    pub fn truncated(mut self, len: usize) -> Result<Self, Error> {
        self.tag_len = crate::tag::checked(len, 1..=OUT)?;
        Ok(self)
    }

    /// Returns the key filled with zeros, or its hash.
    pub(crate) fn block(&self) -> Secret<[u8; 64]> {
        // The sum of the blocks so far is the first block.
        let mut block = self.inner.sum();
        block.iter_mut().for_each(|byte| *byte ^= 0x36);
        block
    }

    fn with(hash: Streebog<OUT>, key: &[u8]) -> Self {
        let mut block = Secret::new([0u8; 64]);
        padded(&hash, key, &mut block);
        let keyed = |pad: u8| {
            let mut padded = block.clone();
            padded.iter_mut().for_each(|byte| *byte ^= pad);
            let mut hash = hash.clone();
            hash.update(&*padded);
            hash
        };
        let (mut inner, mut outer) = (keyed(0x36), keyed(0x5c));
        let keys = [inner.next_keys(), outer.next_keys()];
        let message = inner.clone();
        Hmac { inner, outer, keys, message, tag_len: OUT }
    }

    /// Returns the tag of a whole message, given in parts, under this key. A message in progress is not affected.
    pub(crate) fn tag(&self, parts: &[&[u8]]) -> Secret<[u8; OUT]> {
        let mut message = self.inner.clone();
        parts.iter().for_each(|part| message.update_under(Some(&self.keys[0]), part));
        Self::close(&self.outer, &self.keys, &mut message)
    }

    /// Computes the tags of many messages, each under its own key, side by side: fastest when groups of eight
    /// neighbours have equal lengths. Keep a key for many messages as an object instead, and use it in a
    /// [batch](crate::batch).
    ///
    /// ```
    /// use bulat::HmacStreebog256;
    /// let mut tags = [[0; 32]; 2];
    /// HmacStreebog256::tag_many(&[b"a key", b"another"], &[b"a message", b"another"], &mut tags)?;
    /// assert_eq!(tags[1], HmacStreebog256::mac(b"another", b"another")[..]);
    /// # Ok::<(), bulat::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless the numbers of keys, messages and tags are equal.
    pub fn tag_many(
        keys: &[&[u8]],
        messages: &[&[u8]],
        tags: &mut [[u8; OUT]],
    ) -> Result<(), Error> {
        if keys.len() != messages.len() || keys.len() != tags.len() {
            return Err(Error::BufferLength);
        }
        let hash = Streebog::<OUT>::new();
        let kernel = hash.kernel();
        let initial = kernel.initial(OUT == 32);
        for (i, tags) in tags.chunks_mut(8).enumerate() {
            let (keys, messages) = (&keys[8 * i..], &messages[8 * i..][..tags.len()]);
            // K ^ ipad and K ^ opad of each key.
            let mut states: [_; 16] = core::array::from_fn(|_| Secret::new(Streebog::<OUT>::IV));
            let states = &mut states[..2 * tags.len()];
            let mut pads = Secret::new([[0; 64]; 16]);
            let (inner, outer) = pads.split_at_mut(tags.len());
            for (key, (inner, outer)) in keys.iter().zip(inner.iter_mut().zip(outer)) {
                padded(&hash, key, inner);
                *outer = inner.map(|k| k ^ 0x5c);
                *inner = inner.map(|k| k ^ 0x36);
            }
            side_by_side::<16>(
                states,
                |n| &pads[n],
                |lanes| {
                    kernel.blocks_under(Some(initial), lanes);
                },
            );
            let (inner, outer) = states.split_at_mut(tags.len());
            Self::close_many(kernel, [None; 2], [inner, outer], messages, tags);
        }
        Ok(())
    }

    /// Computes the tags of whole messages under this key, a tag for each, side by side.
    pub(crate) fn tags(&self, messages: &[&[u8]], tags: &mut [[u8; OUT]]) {
        let keys = [Some(&*self.keys[0]), Some(&*self.keys[1])];
        for (messages, tags) in messages.chunks(8).zip(tags.chunks_mut(8)) {
            let mut inner: [_; 8] = core::array::from_fn(|_| self.inner.state().clone());
            let mut outer: [_; 8] = core::array::from_fn(|_| self.outer.state().clone());
            let states = [&mut inner[..tags.len()], &mut outer[..tags.len()]];
            Self::close_many(self.inner.kernel(), keys, states, messages, tags);
        }
    }

    /// Computes the tags of at most eight whole messages, each under its own prepared key, side by side.
    pub(super) fn tag_each(prfs: &[Option<&Self>], messages: &[&[u8]], tags: &mut [[u8; OUT]]) {
        let Some(Some(first)) = prfs.first() else { return };
        let kernel = first.inner.kernel();
        let state = |of: fn(&Self) -> &Streebog<OUT>, n: usize| {
            prfs.get(n)
                .copied()
                .flatten()
                .map_or(Secret::new(Streebog::<OUT>::IV), |prf| of(prf).state().clone())
        };
        let mut inner: [_; 8] = core::array::from_fn(|n| state(|prf| &prf.inner, n));
        let mut outer: [_; 8] = core::array::from_fn(|n| state(|prf| &prf.outer, n));
        let n = prfs.len();
        let states = [&mut inner[..n], &mut outer[..n]];
        Self::close_many(kernel, [None; 2], states, &messages[..n], &mut tags[..n]);
    }

    /// Finishes at most eight messages, from the states after K ^ ipad and K ^ opad and the keys of the next
    /// compressions, if known.
    fn close_many(
        kernel: Ready<HashKernel>,
        keys: [Option<&HashKeys>; 2],
        [inner, outer]: [&mut [Secret<HashState>]; 2],
        messages: &[&[u8]],
        tags: &mut [[u8; OUT]],
    ) {
        finish_many(kernel, keys[0], inner, messages);
        let none: &[u8] = &[];
        let mut digests = [none; 8];
        for (digest, state) in digests.iter_mut().zip(inner.iter()) {
            *digest = &state.h[64 - OUT..];
        }
        finish_many(kernel, keys[1], outer, &digests[..tags.len()]);
        for (tag, state) in tags.iter_mut().zip(outer) {
            *tag = streebog::digest(state);
        }
    }

    /// Returns the state after K ^ ipad or K ^ opad.
    #[cfg(feature = "alloc")]
    pub(crate) fn state(&self, outer: bool) -> Secret<HashState> {
        if outer { &self.outer } else { &self.inner }.state().clone()
    }
    /// Returns the keys of the compression after [`Self::state`], in the form of the kernel of this name.
    #[cfg(feature = "alloc")]
    pub(crate) fn next_keys(&self, outer: bool) -> (&'static str, &HashKeys) {
        (self.inner.kernel().name(), &self.keys[usize::from(outer)])
    }

    /// H(K ^ opad || H(K ^ ipad || message)). The message serves no other until it is reset.
    fn close(
        outer: &Streebog<OUT>,
        keys: &[Secret<HashKeys>; 2],
        message: &mut Streebog<OUT>,
    ) -> Secret<[u8; OUT]> {
        let mut outer = outer.clone();
        let digest = Secret::new(message.finish_under(Some(&keys[0])));
        outer.update_under(Some(&keys[1]), &*digest);
        Secret::new(outer.finish_under(Some(&keys[1])))
    }
}

/// Fills the key with zeros to a block; hashes it first if it is longer (RFC 2104, section 2).
fn padded<const OUT: usize>(hash: &Streebog<OUT>, key: &[u8], block: &mut [u8; 64]) {
    if key.len() > block.len() {
        let mut long = hash.clone();
        long.update(key);
        block[..OUT].copy_from_slice(&*Secret::new(long.finalize()));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
}

impl<const OUT: usize> Mac for Hmac<Streebog<OUT>> {
    fn update(&mut self, data: &[u8]) {
        self.message.update_under(Some(&self.keys[0]), data);
    }

    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn finalize_reset(&mut self) -> Result<Tag, Error> {
        let tag = Self::close(&self.outer, &self.keys, &mut self.message);
        let tag = Tag::new(&*tag, self.tag_len);
        self.reset();
        Ok(tag)
    }

    fn reset(&mut self) {
        self.message = self.inner.clone();
    }
}
io_write!([const OUT: usize] Hmac<Streebog<OUT>>);
