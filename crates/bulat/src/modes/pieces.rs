//! Pieces of any size for the modes on whole blocks. Text that waits for the rest of its block, or is held back because
//! it may be the last, comes before the next piece. Transformed bytes for which the destination had no room wait in a
//! queue (a piece never outputs more than its own length). Both together are fewer than two blocks.

use super::Padding;
use super::gamma::{BATCH, Buffer};
use crate::{Direction, Error, InOut, Secret};

/// The state between the pieces of a message.
#[derive(Clone)]
pub(crate) struct Pieces {
    waiting: Secret<[u8; 32]>,
    filled: usize,
    ready: Secret<[u8; 32]>,
    queued: usize,
    empty: bool,
    finished: bool,
}

impl Pieces {
    pub(crate) fn new() -> Self {
        Pieces {
            waiting: Secret::new([0; 32]),
            filled: 0,
            ready: Secret::new([0; 32]),
            queued: 0,
            empty: true,
            finished: false,
        }
    }

    /// Passes to `f` the whole blocks of `n` bytes, in order, except at least the last `held` bytes. Returns the number
    /// of bytes at the start of the destination.
    ///
    /// If earlier pieces left nothing, `f` gets all blocks in one call and in place; otherwise they pass through a
    /// buffer, since they must move.
    pub(crate) fn update(
        &mut self,
        n: usize,
        held: usize,
        mut data: InOut<'_, '_>,
        mut f: impl FnMut(InOut<'_, '_>),
    ) -> Result<usize, Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        self.empty &= data.is_empty();
        let blocks = |len: usize| len.saturating_sub(held) / n * n;
        if self.filled + self.queued == 0 {
            let whole = blocks(data.len());
            let (body, tail) = data.split_at(whole);
            self.waiting[..tail.len()].copy_from_slice(tail.get_in());
            self.filled = tail.len();
            if whole > 0 {
                f(body);
            }
            return Ok(whole);
        }
        let mut buffer = Buffer::<{ BATCH + 32 }>::new();
        let (mut read, mut written) = (0, 0);
        while read < data.len() {
            // Reads before it writes: writing never gets ahead of reading.
            let take = BATCH.min(data.len() - read);
            let all = self.filled + take;
            let buffer = buffer.first(all);
            buffer[..self.filled].copy_from_slice(&self.waiting[..self.filled]);
            buffer[self.filled..].copy_from_slice(&data.get_in()[read..read + take]);
            read += take;
            let (body, tail) = buffer.split_at_mut(blocks(all));
            self.waiting[..tail.len()].copy_from_slice(tail);
            self.filled = tail.len();
            if !body.is_empty() {
                f((&mut *body).into());
            }
            written += self.give(body, &mut data.get_out()[written..read]);
        }
        Ok(written)
    }

    /// Writes the queue, then `body`, as far as there is room; queues the rest.
    fn give(&mut self, body: &[u8], out: &mut [u8]) -> usize {
        let first = self.queued.min(out.len());
        let (head, out) = out.split_at_mut(first);
        head.copy_from_slice(&self.ready[..first]);
        self.ready.copy_within(first.., 0);
        self.queued -= first;
        let second = body.len().min(out.len());
        out[..second].copy_from_slice(&body[..second]);
        let rest = &body[second..];
        self.ready[self.queued..self.queued + rest.len()].copy_from_slice(rest);
        self.queued += rest.len();
        first + second
    }

    /// Returns the text that waits for more.
    pub(crate) fn waiting(&self) -> &[u8] {
        &self.waiting[..self.filled]
    }

    /// Ends the message: writes the queue to `out`, which must have room for `last` more bytes. Returns the queue's
    /// length.
    pub(crate) fn end(&mut self, last: usize, out: &mut [u8]) -> Result<usize, Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        if out.len() < self.queued + last {
            return Err(Error::BufferLength);
        }
        self.finished = true;
        out[..self.queued].copy_from_slice(&self.ready[..self.queued]);
        Ok(self.queued)
    }

    /// Ends a message by padding it (encryption) or removing its padding (decryption); `f` transforms the last block.
    /// Returns the number of bytes written to `out`.
    pub(crate) fn finish(
        &mut self,
        n: usize,
        padding: Padding,
        direction: Direction,
        out: &mut [u8],
        f: impl FnOnce(InOut<'_, '_>),
    ) -> Result<usize, Error> {
        if self.finished {
            return Err(Error::Finished);
        }
        let padding = match direction {
            Direction::Decrypt if !padding.removable() => Padding::None,
            // Without any block, procedure 3 is procedure 2.
            Direction::Encrypt if padding == Padding::Procedure3 && self.empty => {
                Padding::Procedure2
            }
            _ => padding,
        };
        let last = if direction == Direction::Decrypt && padding.removable() {
            if self.filled == n { Ok(true) } else { Err(Error::DataLength) }
        } else {
            padding.pad(&mut self.waiting[..n], self.filled)
        }?;
        let queued = self.end(if last { n } else { 0 }, out)?;
        if !last {
            return Ok(queued);
        }
        let block = &mut self.waiting[..n];
        f((&mut *block).into());
        let len = if direction == Direction::Decrypt { padding.unpad(block)? } else { n };
        out[queued..queued + len].copy_from_slice(&block[..len]);
        Ok(queued + len)
    }
}
