//! Many short messages in MGM (RFC 9058), side by side if they share a key. The blocks of all messages go through the
//! cipher in three steps, with one call per key: Y_1 and Z_1; the gamma and the H_i; the tags. Keys with few blocks in
//! a step share a call of lanes.

use arrayvec::ArrayVec;

use super::gamma::add;
use super::mgm::{multiply_add, put_lengths};
use crate::cipher::Chained;
use crate::cipher::{Block, Chain, Count, Data, Lane};
use crate::kernel::{self, GfKernel, Ready};
use crate::memory::Wiped;
use crate::{BlockCipher, Direction, Error, InOut, Secret, gf, verify};

/// A message with its result.
pub(crate) struct Packet<'a, C> {
    pub(crate) key: &'a C,
    /// A block with first bit 0.
    pub(crate) nonce: &'a [u8],
    /// The associated data, in parts.
    pub(crate) aad: [&'a [u8]; 3],
    pub(crate) text: InOut<'a, 'a>,
    /// The tag to write or to compare.
    pub(crate) tag: Tag<'a>,
    pub(crate) result: Result<(), Error>,
}

/// The tag of a message to seal or to open.
pub(crate) enum Tag<'a> {
    Seal(&'a mut [u8]),
    Open(&'a [u8]),
}

impl Tag<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Tag::Seal(tag) => tag.len(),
            Tag::Open(tag) => tag.len(),
        }
    }
}

impl<C: BlockCipher> Packet<'_, C> {
    /// The parts may overlap in memory, so their total may exceed the address space.
    fn aad_len(&self) -> u64 {
        self.aad.iter().map(|part| part.len() as u64).sum()
    }
    /// Returns the numbers of gamma blocks and of H_i; [`Packet::check`] has bounded them.
    fn blocks(&self) -> [usize; 2] {
        blocks(C::BLOCK, self.aad_len(), self.text.len() as u64).map(|n| n as usize)
    }
    fn check(&self) -> Result<(), Error> {
        let n = C::BLOCK;
        crate::tag::checked(self.tag.len(), 4..=n)?;
        if self.nonce.len() != n {
            return Err(Error::IvLength);
        }
        if self.nonce[0] & 0x80 != 0 {
            return Err(Error::Nonce);
        }
        let (aad, text) = (self.aad_len(), self.text.len() as u64);
        match aad + text {
            0 => Err(Error::Empty),
            // 2^(n/2) bits, n in bits.
            all if all >= 1 << (4 * n - 3).min(63) => Err(Error::Limit),
            _ if !fits(n, aad, text, isize::MAX as u64) => Err(Error::Limit),
            _ => Ok(()),
        }
    }
}

/// Returns the numbers of gamma blocks and of H_i for these lengths in bytes.
fn blocks(n: usize, aad: u64, text: u64) -> [u64; 2] {
    let text = text.div_ceil(n as u64);
    [text, aad.div_ceil(n as u64) + text + 1]
}

/// Returns whether the blocks of a message fit in a buffer; on 32 bits the blocks of a long message do not.
fn fits(n: usize, aad: u64, text: u64, most: u64) -> bool {
    blocks(n, aad, text).iter().sum::<u64>() <= most / n as u64
}

/// Seals and opens the messages. A failed message does not affect the others.
pub(crate) fn run<C: Chained<B>, const B: usize>(packets: &mut [Packet<'_, C>])
where
    [u8; B]: Block,
{
    for p in packets.iter_mut() {
        p.result = p.check();
    }
    let mut good = packets.iter_mut().filter(|p| p.result.is_ok()).peekable();
    // Processes as many messages at a time as fit in the first levels of the cache.
    while good.peek().is_some() {
        let (mut now, mut blocks) = (ArrayVec::<_, MOST>::new(), 0);
        while let Some(p) = good.next_if(|p| {
            blocks += p.blocks().iter().sum::<usize>();
            now.is_empty() || (C::BLOCK * blocks <= TOGETHER && !now.is_full())
        }) {
            now.push(p);
        }
        some(&mut now);
    }
}

/// The most messages and bytes of blocks at a time.
pub(crate) const MOST: usize = 64;
const TOGETHER: usize = 32 << 10;

/// Blocks of messages, wiped on drop: on the stack up to `N` bytes, else in memory of their own.
struct Blocks<const N: usize>(ArrayVec<u8, N>, Option<Wiped>);

impl<const N: usize> Blocks<N> {
    /// Without blocks yet: the blocks are made where they stay.
    #[inline(always)]
    fn new() -> Self {
        Blocks(ArrayVec::new_const(), None)
    }
    /// Makes `len` bytes of zeros, once.
    fn zeros(&mut self, len: usize) -> &mut [u8] {
        if len > N {
            return &mut self.1.insert(Wiped(alloc::vec![0; len])).0;
        }
        while self.0.len() < len {
            let zeros = &[0; 256][..256.min(len - self.0.len())];
            self.0.try_extend_from_slice(zeros).expect("there is room");
        }
        &mut self.0
    }
}

impl<const N: usize> Drop for Blocks<N> {
    fn drop(&mut self) {
        self.0.fill(0);
        zeroize::optimization_barrier(&self.0);
    }
}

/// Up to this many blocks under one key are cheaper as lanes of one block, together with blocks under other keys.
const FEW: usize = 4;

/// Encrypts the blocks of all messages, `count` of each, grouped by key.
fn encrypt<C: Chained<B>, const B: usize>(
    packets: &[&mut Packet<'_, C>],
    bytes: &mut [u8],
    count: impl Fn(&Packet<'_, C>) -> usize,
) {
    let mut rest = bytes.as_chunks_mut::<B>().0;
    let mut lanes = ArrayVec::<_, { MOST * FEW }>::new();
    for alike in packets.chunk_by(|a, b| core::ptr::eq(a.key, b.key)) {
        let key = alike[0].key;
        let (some, others) = rest.split_at_mut(alike.iter().map(|p| count(p)).sum());
        rest = others;
        if some.len() > FEW || alike.len() == packets.len() {
            key.map(Direction::Encrypt, some.as_flattened_mut().into());
        } else {
            // E(x ^ 0).
            let lane = |state| Lane { schedule: key.schedule(), state, data: Data::Read(&[0; B]) };
            lanes.extend(some.iter_mut().map(lane));
        }
    }
    if let Some(any) = packets.first() {
        any.key.lanes(Chain::Mac, &mut lanes);
    }
}

fn some<C: Chained<B>, const B: usize>(packets: &mut [&mut Packet<'_, C>])
where
    [u8; B]: Block,
{
    let n = C::BLOCK;
    let gf = kernel::pick(gf::KERNELS, kernel::Shape::Multiply);
    let mut first = Blocks::<{ 2 * 16 * MOST }>::new();
    let first = first.zeros(2 * n * packets.len());
    for (p, y_z) in packets.iter().zip(first.chunks_exact_mut(2 * n)) {
        y_z[..n].copy_from_slice(p.nonce);
        y_z[n..].copy_from_slice(p.nonce);
        y_z[n] |= 0x80;
    }
    encrypt(packets, first, |_| 2);
    let all = |p: &Packet<'_, C>| p.blocks().iter().sum();
    let total: usize = packets.iter().map(|p| all(p)).sum();
    let mut blocks = Blocks::<TOGETHER>::new();
    let blocks = blocks.zeros(n * total);
    let mut rest = &mut *blocks;
    let first = first.as_chunks_mut::<B>().0.as_chunks_mut::<2>().0;
    for (p, [y, z]) in packets.iter().zip(first) {
        let [gamma, h] = p.blocks();
        let (ys, after) = rest.split_at_mut(n * gamma);
        let (zs, after) = after.split_at_mut(n * h);
        rest = after;
        gf.counters(y, Count::Right, ys);
        gf.counters(z, Count::Left, zs);
    }
    encrypt(packets, blocks, all);
    let mut sums = Blocks::<{ 16 * MOST }>::new();
    let sums = sums.zeros(n * packets.len());
    let mut rest = &*blocks;
    for (p, to) in packets.iter_mut().zip(sums.chunks_exact_mut(n)) {
        let [gamma, h] = p.blocks();
        let (gamma, after) = rest.split_at(n * gamma);
        let (h, after) = after.split_at(n * h);
        rest = after;
        if let Tag::Seal(_) = p.tag {
            let len = p.text.len();
            add(p.text.reborrow(), &gamma[..len]);
            to.copy_from_slice(sum::<[u8; B]>(gf, h, &p.aad, p.text.get_out()).as_ref());
        } else {
            to.copy_from_slice(sum::<[u8; B]>(gf, h, &p.aad, p.text.get_in()).as_ref());
        }
    }
    encrypt(packets, sums, |_| 1);
    let mut rest = &*blocks;
    for (p, own) in packets.iter_mut().zip(sums.chunks_exact(n)) {
        let [gamma, h] = p.blocks();
        let (gamma, after) = rest.split_at(n * gamma);
        rest = &after[n * h..];
        match &mut p.tag {
            Tag::Seal(tag) => {
                let len = tag.len();
                tag.copy_from_slice(&own[..len]);
            }
            Tag::Open(tag) => {
                p.result = verify(&own[..tag.len()], tag);
                if p.result.is_ok() {
                    let len = p.text.len();
                    add(p.text.reborrow(), &gamma[..len]);
                }
            }
        }
    }
}

/// Σ H_i ⊗ (A || C || len).
fn sum<B: Block>(gf: Ready<GfKernel>, h: &[u8], aad: &[&[u8]], text: &[u8]) -> Secret<B> {
    let n = B::LEN;
    let mut acc = Secret::new(B::ZERO);
    let mut at = 0;
    let mut multiply = |blocks: &[u8]| {
        let h = &h[at..at + blocks.len()];
        at += blocks.len();
        multiply_add(gf, acc.as_mut(), h, blocks);
    };
    let mut part = B::ZERO;
    let mut filled = 0;
    let mut aad_len = 0;
    for mut data in aad.iter().copied() {
        aad_len += data.len();
        while !data.is_empty() {
            let take = data.len().min(n - filled);
            part.as_mut()[filled..filled + take].copy_from_slice(&data[..take]);
            (filled, data) = (filled + take, &data[take..]);
            if filled == n {
                multiply(part.as_ref());
                filled = 0;
            }
        }
    }
    if filled > 0 {
        part.as_mut()[filled..].fill(0);
        multiply(part.as_ref());
    }
    let (whole, tail) = text.split_at(text.len() / n * n);
    multiply(whole);
    if !tail.is_empty() {
        part = B::ZERO;
        part.as_mut()[..tail.len()].copy_from_slice(tail);
        multiply(part.as_ref());
    }
    put_lengths(part.as_mut(), aad_len as u64, text.len() as u64);
    multiply(part.as_ref());
    acc
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_message_whose_blocks_no_buffer_holds_is_refused() {
        let most = i32::MAX as u64; // of a buffer on 32 bits
        assert!(fits(16, 13, 1 << 20, most));
        assert!(fits(8, 0, (1 << 29) - 1, most), "all that Magma allows fits");
        assert!(fits(16, 0, (1 << 30) - 32, most));
        assert!(!fits(16, 0, 1 << 30, most));
        // 16 * (2 * 2^27 + 1) is 16 modulo 2^32.
        assert!(!fits(16, 0, 1 << 31, most));
        assert!(!fits(16, 3 * most, most, most));
    }
}
