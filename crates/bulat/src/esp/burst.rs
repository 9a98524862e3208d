//! Bursts of packets, sealed and opened in place.

use arrayvec::ArrayVec;

use super::Association;
use super::association::{self, Leaf, Path};
use crate::cipher::{Block, Chained};
use crate::modes::burst::{self, MOST, Tag};
use crate::{Error, Kuznyechik, Magma};

/// A packet of a burst.
pub struct Packet<'a> {
    association: usize,
    iv: [u8; 8],
    header: &'a [u8],
    payload: &'a mut [u8],
    icv: &'a mut [u8],
    result: Result<(), Error>,
}

impl<'a> Packet<'a> {
    /// `association` is the index in the array of associations; `header` is SPI and sequence number, 8 or 12 bytes
    /// ([`Header`](super::Header)); `payload` is the text to encrypt, with padding, pad length and next header; `icv` is
    /// the ICV, which [`seal`] writes and [`open`] compares.
    pub fn new(
        association: usize,
        iv: [u8; 8],
        header: &'a [u8],
        payload: &'a mut [u8],
        icv: &'a mut [u8],
    ) -> Self {
        Packet { association, iv, header, payload, icv, result: Err(Error::Order) }
    }

    /// The packet's own result of the last [`seal`] or [`open`].
    ///
    /// # Errors
    /// [`Error::Order`] before the first; the others as there.
    pub fn result(&self) -> Result<(), Error> {
        self.result
    }

    /// Returns i1, i2 and i3, which name the leaf.
    fn path(&self) -> Path {
        let [i1, a, b, c, d, ..] = self.iv;
        [i1, a, b, c, d]
    }

    /// A number for the packets of an association and IV.
    fn name(&self) -> (usize, [u8; 8]) {
        (self.association, self.iv)
    }
}

/// Encrypts and authenticates packets in place. Each packet has its own [`Packet::result`]. Bursts of up to 64 packets
/// of up to 16 KB allocate nothing while their leaves stay.
///
/// Using an IV twice in an association destroys its security ([`Numbers`](super::Numbers) gives each once). Within a
/// call this is refused: no packet that shares its IV is sealed, so that each can be sealed under a different IV.
/// Between calls the caller must prevent it.
///
/// # Errors
/// The error of the first packet that failed; the payload of such a packet is unchanged, and the others are sealed:
/// [`Error::Parameter`] for an association that does not exist, [`Error::TagLength`] for an ICV of a wrong length,
/// [`Error::IvReuse`].
pub fn seal(associations: &mut [Association], packets: &mut [Packet<'_>]) -> Result<(), Error> {
    check(associations, packets);
    match packets.len() {
        ..=MOST => refuse_repeats(packets, &mut [0; MOST]),
        n => refuse_repeats(packets, &mut alloc::vec![0; n]),
    }
    run(associations, packets, true)
}

/// Checks packets and decrypts the genuine ones, in place. Each packet has its own [`Packet::result`]. Packets that
/// share an IV are opened separately: a [`Window`](super::Window) refuses the second.
///
/// # Errors
/// The error of the first packet that failed; the payload of such a packet is unchanged, and the others are opened:
/// [`Error::Verify`]; [`Error::Parameter`] and [`Error::TagLength`] as in [`seal`]; [`Error::Limit`] for a packet that was
/// not even looked at: its leaf is neither ready nor the next, and too many such packets have proved forged.
pub fn open(associations: &mut [Association], packets: &mut [Packet<'_>]) -> Result<(), Error> {
    check(associations, packets);
    run(associations, packets, false)
}

fn check(associations: &[Association], packets: &mut [Packet<'_>]) {
    for p in packets {
        p.result = match associations.get(p.association).map(|a| a.transform.icv_len()) {
            None => Err(Error::Parameter),
            Some(len) if len != p.icv.len() => Err(Error::TagLength),
            Some(_) => Ok(()),
        }
    }
}

/// Refuses packets that share association and IV; `order` has room for a number of each.
fn refuse_repeats(packets: &mut [Packet<'_>], order: &mut [usize]) {
    let order = &mut order[..packets.len()];
    order.iter_mut().enumerate().for_each(|(i, n)| *n = i);
    order.sort_unstable_by_key(|i| packets[*i].name());
    let mut rest = &*order;
    while let [first, ..] = rest {
        let name = packets[*first].name();
        let (alike, others) = rest.split_at(rest.partition_point(|i| packets[*i].name() == name));
        rest = others;
        if alike.len() > 1 {
            alike
                .iter()
                .for_each(|i| packets[*i].result = packets[*i].result.and(Err(Error::IvReuse)));
        }
    }
}

fn run(
    associations: &mut [Association],
    packets: &mut [Packet<'_>],
    sealing: bool,
) -> Result<(), Error> {
    for some in packets.chunks_mut(MOST) {
        waves(associations, some, sealing);
    }
    packets.iter().map(|p| p.result).find(|result| result.is_err()).unwrap_or(Ok(()))
}

/// A packet and its wave, which is the index of its leaf in the association.
type Waiting<'a, 'p> = (usize, &'a mut Packet<'p>);

/// Processes packets in waves. In a wave each association is at one leaf; all associations, and the packets of their
/// leaves, run together.
fn waves(associations: &mut [Association], packets: &mut [Packet<'_>], sealing: bool) {
    let good = packets.iter_mut().filter(|p| p.result.is_ok());
    let mut order: ArrayVec<Waiting<'_, '_>, MOST> = good.map(|p| (0, p)).collect();
    // Puts equal keys side by side; the packets' own order does not matter.
    order.sort_unstable_by_key(|(_, p)| p.name());
    let mut last = None;
    for alike in
        order.chunk_by_mut(|(_, a), (_, b)| (a.association, a.path()) == (b.association, b.path()))
    {
        let (association, path) = (alike[0].1.association, alike[0].1.path());
        if !sealing && !associations[association].allows(&path, alike.len()) {
            alike.iter_mut().for_each(|(_, p)| p.result = Err(Error::Limit));
            continue;
        }
        let wave = last.filter(|(before, _)| *before == association).map_or(0, |(_, n)| n + 1);
        last = Some((association, wave));
        alike.iter_mut().for_each(|(n, _)| *n = wave);
    }
    order.retain(|(_, p)| p.result.is_ok());
    order.sort_unstable_by_key(|(n, p)| (*n, p.name()));
    for now in order.chunk_by_mut(|(a, _), (b, _)| a == b) {
        let (mut moves, mut rest, mut before) = (alloc::vec::Vec::new(), &mut *associations, 0);
        for alike in now.chunk_by(|(_, a), (_, b)| a.association == b.association) {
            let (association, path) = (alike[0].1.association, alike[0].1.path());
            let (passed, others) = rest.split_at_mut(association + 1 - before);
            (rest, before) = (others, association + 1);
            moves.extend(passed.last_mut().and_then(|association| association.use_leaf(path)));
        }
        association::make(moves);
        wave(
            associations,
            now,
            |leaf| match leaf {
                Leaf::Kuznyechik(key) => Some(key),
                Leaf::Magma(_) => None::<&Kuznyechik>,
            },
            sealing,
        );
        wave(
            associations,
            now,
            |leaf| match leaf {
                Leaf::Magma(key) => Some(key),
                Leaf::Kuznyechik(_) => None::<&Magma>,
            },
            sealing,
        );
        for (_, p) in &*now {
            if p.result.is_ok() {
                associations[p.association].genuine();
            }
        }
    }
}

/// Nonces contain the salt.
struct Nonces(ArrayVec<[u8; 16], MOST>);

impl Drop for Nonces {
    fn drop(&mut self) {
        self.0.fill([0; 16]);
        zeroize::optimization_barrier(&self.0);
    }
}

/// Runs the packets of a cipher.
fn wave<C: Chained<B>, const B: usize>(
    associations: &[Association],
    packets: &mut [Waiting<'_, '_>],
    key: impl Fn(&Leaf) -> Option<&C>,
    sealing: bool,
) where
    [u8; B]: Block,
{
    let key = |p: &Packet<'_>| key(associations[p.association].leaf());
    let mine = packets.iter().filter(|(_, p)| key(p).is_some());
    let nonces = Nonces(mine.map(|(_, p)| associations[p.association].nonce(&p.iv)).collect());
    let mut all = ArrayVec::<burst::Packet<'_, C>, MOST>::new();
    let mut results = ArrayVec::<&mut Result<(), Error>, MOST>::new();
    let mine = packets.iter_mut().filter_map(|(_, p)| key(p).map(|key| (key, p)));
    for ((key, p), nonce) in mine.zip(&nonces.0) {
        let encrypts = associations[p.association].transform.encrypts();
        let Packet { iv, header, payload, icv, result, .. } = &mut **p;
        let (aad, text): ([&[u8]; 3], &mut [u8]) = match encrypts {
            true => ([header, &[], &[]], payload),
            false => ([header, &*iv, payload], &mut []),
        };
        let tag = if sealing { Tag::Seal(icv) } else { Tag::Open(icv) };
        let nonce = &nonce[..B];
        all.push(burst::Packet { key, nonce, aad, text: text.into(), tag, result: Ok(()) });
        results.push(result);
    }
    burst::run(&mut all);
    results.into_iter().zip(&all).for_each(|(result, p)| *result = p.result);
}
