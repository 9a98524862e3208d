//! Parts and copies of jobs and their texts, for threads and cards that share their work.

use alloc::vec::Vec;

use super::{Job, Text};
use crate::Error;
use crate::cipher::Block;

/// The buffers of a text.
pub trait TextParts: Sized {
    /// Returns the length of the source in bytes.
    fn bytes(&self) -> usize;
    /// Returns whether source and destination have equal length.
    fn even(&self) -> bool;
    /// Returns the text before the transformation.
    fn source(&self) -> &[u8];
    /// Returns the buffer for the result.
    fn destination(&mut self) -> &mut [u8];
    /// Copies the source to the destination, and returns the destination, for work in place.
    fn here(&mut self) -> &mut [u8];
    /// Lends the text.
    fn again(&mut self) -> Text<'_>;
    /// Splits the text after `mid` bytes.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when the lengths differ.
    fn split_at(self, mid: usize) -> Result<(Self, Self), Error>;
    /// Splits the text into pieces of `size` bytes; the last may be shorter.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when the lengths differ.
    fn pieces(self, size: usize) -> Result<Vec<Self>, Error>;
    /// Returns the last whole block of ciphertext before each piece of `size` bytes, and after the last; before the
    /// first it is `iv`. Decryption in place would overwrite them.
    fn before<B: Block>(&self, iv: &[u8], size: usize) -> Vec<B>;
}

impl TextParts for Text<'_> {
    fn bytes(&self) -> usize {
        self.source().len()
    }
    fn even(&self) -> bool {
        !matches!(self, Text::Apart(source, destination) if source.len() != destination.len())
    }
    fn source(&self) -> &[u8] {
        match self {
            Text::InPlace(text) => text,
            Text::Apart(source, _) => source,
        }
    }
    fn destination(&mut self) -> &mut [u8] {
        match self {
            Text::InPlace(text) | Text::Apart(_, text) => text,
        }
    }
    fn here(&mut self) -> &mut [u8] {
        if let Text::Apart(source, destination) = self {
            destination.copy_from_slice(source);
        }
        self.destination()
    }
    fn again(&mut self) -> Text<'_> {
        match self {
            Text::InPlace(text) => Text::InPlace(text),
            Text::Apart(source, destination) => Text::Apart(source, destination),
        }
    }
    fn split_at(self, mid: usize) -> Result<(Self, Self), Error> {
        Ok(match self {
            Text::InPlace(text) => {
                let (a, b) = text.split_at_mut(mid);
                (Text::InPlace(a), Text::InPlace(b))
            }
            Text::Apart(a, b) if a.len() == b.len() => {
                let ((a, c), (b, d)) = (a.split_at(mid), b.split_at_mut(mid));
                (Text::Apart(a, b), Text::Apart(c, d))
            }
            Text::Apart(..) => return Err(Error::BufferLength),
        })
    }
    fn pieces(self, size: usize) -> Result<Vec<Self>, Error> {
        Ok(match self {
            Text::InPlace(text) => text.chunks_mut(size).map(Text::InPlace).collect(),
            Text::Apart(a, b) if a.len() == b.len() => {
                a.chunks(size).zip(b.chunks_mut(size)).map(|(a, b)| Text::Apart(a, b)).collect()
            }
            Text::Apart(..) => return Err(Error::BufferLength),
        })
    }
    fn before<B: Block>(&self, iv: &[u8], size: usize) -> Vec<B> {
        let mut block = B::ZERO;
        block.as_mut().copy_from_slice(iv);
        let first = block;
        let after = |piece: &[u8]| {
            if let Some(last) = piece.len().checked_sub(iv.len()) {
                block.as_mut().copy_from_slice(&piece[last..]);
            }
            block
        };
        core::iter::once(first).chain(self.source().chunks(size).map(after)).collect()
    }
}

/// The message of a job.
pub trait JobParts {
    /// Returns the length of the text or message in bytes, a measure of the job's cost.
    fn bytes(&self) -> usize;
    /// Returns the text before the transformation, or the message.
    fn message(&self) -> &[u8];
    /// Lends the job's buffers to a second job of the same work.
    fn again(&mut self) -> Job<'_>;
}

impl JobParts for Job<'_> {
    fn bytes(&self) -> usize {
        self.message().len()
    }
    fn message(&self) -> &[u8] {
        match self {
            Job::Cipher { text, .. }
            | Job::Seal { text, .. }
            | Job::Open { text, .. }
            | Job::Sector { text, .. } => text.source(),
            Job::Mac { message, .. } | Job::Omac(_, message, _) => message,
            Job::Hash256(m, _) | Job::Hmac256(_, m, _) => m,
            Job::Hash512(m, _) | Job::Hmac512(_, m, _) => m,
            Job::Gost94(_, m, _) => m,
        }
    }
    fn again(&mut self) -> Job<'_> {
        match self {
            Job::Hash256(m, d) => Job::Hash256(m, d),
            Job::Hash512(m, d) => Job::Hash512(m, d),
            Job::Gost94(s, m, d) => Job::Gost94(s, m, d),
            Job::Hmac256(k, m, d) => Job::Hmac256(k, m, d),
            Job::Hmac512(k, m, d) => Job::Hmac512(k, m, d),
            Job::Mac { key, mode, iv, message, tag } => {
                Job::Mac { key: *key, mode: *mode, iv, message, tag }
            }
            Job::Omac(k, m, t) => Job::Omac(*k, m, t),
            Job::Cipher { key, mode, iv, text } => {
                Job::Cipher { key: *key, mode: *mode, iv, text: text.again() }
            }
            Job::Sector { key, tweak, direction, text } => {
                Job::Sector { key, tweak, direction: *direction, text: text.again() }
            }
            Job::Seal { key, nonce, aad, text, tag } => {
                Job::Seal { key: *key, nonce, aad, text: text.again(), tag }
            }
            Job::Open { key, nonce, aad, text, tag } => {
                Job::Open { key: *key, nonce, aad, text: text.again(), tag }
            }
        }
    }
}
