//! Short messages with independent blocks, grouped by key: sectors of XTS (IEEE Std 1619), and MGM (RFC 9058).

use alloc::vec::Vec;

use super::order::order;
use crate::cipher::Block;
use crate::cipher::Chained;
use crate::modes::Xts;
use crate::modes::burst::{self, Packet};
use crate::{Direction, Error, InOut};

/// Messages in MGM (under Magma twice as long) and sectors up to this many bytes share their calls with others under
/// their key; a longer message fills the kernel on its own.
pub(super) const SHORT: usize = 2048;

/// Runs short messages in MGM, side by side if they share a key.
pub(super) fn short<C: Chained<B>, const B: usize>(
    mut messages: Vec<(usize, Packet<'_, C>)>,
    done: &mut dyn FnMut(usize, Result<(), Error>),
) where
    [u8; B]: Block,
{
    order(&mut messages, |(_, packet)| [core::ptr::from_ref(packet.key).addr(), 0]);
    let (jobs, mut packets): (Vec<_>, Vec<_>) = messages.into_iter().unzip();
    burst::run(&mut packets);
    jobs.into_iter().zip(packets).for_each(|(job, p)| done(job, p.result));
}

/// A sector to transform.
pub(super) struct Sector<'a> {
    pub(super) job: usize,
    pub(super) key: &'a Xts,
    pub(super) direction: Direction,
    pub(super) tweak: [u8; 16],
    pub(super) text: InOut<'a, 'a>,
}

/// Sectors are gathered up to this many bytes, which stay in the first-level cache.
const TOGETHER: usize = 16 << 10;

/// Runs sectors, grouped by key, length and direction. A group is gathered in a buffer, since its sectors may be
/// anywhere in memory.
pub(super) fn sectors(
    mut sectors: Vec<Sector<'_>>,
    done: &mut dyn FnMut(usize, Result<(), Error>),
) {
    let kind = |s: &Sector<'_>| {
        (core::ptr::from_ref(s.key), s.text.len(), s.direction == Direction::Encrypt)
    };
    order(&mut sectors, |s| {
        let (key, len, encrypts) = kind(s);
        [key.addr(), 2 * len + usize::from(encrypts)]
    });
    // The buffer never grows: reallocation would leave texts behind.
    let bytes: usize = sectors.iter().map(|s| s.text.len()).sum();
    let room = if sectors.len() > 1 { bytes.min(TOGETHER) } else { 0 };
    let mut buffer = crate::memory::Wiped(Vec::with_capacity(room));
    let mut rest = &mut sectors[..];
    while let Some(first) = rest.first() {
        let (key, size, direction, all) =
            (first.key, first.text.len(), first.direction, kind(first));
        let most = (TOGETHER / size.max(1)).max(1);
        let count = rest.iter().take(most).take_while(|s| kind(s) == all).count();
        let (some, others) = rest.split_at_mut(count);
        rest = others;
        if let [one] = some {
            done(one.job, key.sector_inout(&one.tweak, direction, one.text.reborrow()));
            continue;
        }
        buffer.0.clear();
        some.iter().for_each(|s| buffer.0.extend_from_slice(s.text.get_in()));
        let tweak = |i: usize| some[i].tweak;
        let result = key.burst(tweak, count, size, (&mut buffer.0[..]).into(), direction);
        for (i, s) in some.iter_mut().enumerate() {
            if result.is_ok() {
                s.text.get_out().copy_from_slice(&buffer.0[i * size..(i + 1) * size]);
            }
            done(s.job, result);
        }
    }
}
