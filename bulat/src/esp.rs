//! The transforms of ESP with MGM and a tree of keys (RFC 9227). The IV names a leaf in a tree of three levels, and the
//! leaf's key encrypts the packet. The nonce is the packet's number and a salt.
//!
//! The eight packets of RFC 9227, Appendix A, are tests.
//!
//! The caller handles the packets' format, padding and the replay window. An [`Association`] is one direction of one
//! security association; [`seal`] and [`open`] process packets of any associations, in place.
//!
//! ```
//! use bulat::esp::{Association, Packet, Transform, iv, open, seal};
//! let key = [7; 44]; // 32 bytes of key, 12 of salt
//! let mut us = [Association::new(Transform::KuznyechikMgm, &key)?];
//! let mut them = [Association::new(Transform::KuznyechikMgm, &key)?];
//! let (header, mut payload, mut icv) = ([0; 8], *b"a payload...", [0; 12]);
//! let mut packets = [Packet::new(0, iv(0), &header, &mut payload, &mut icv)];
//! assert_eq!(seal(&mut us, &mut packets), [Ok(())]);
//! assert_eq!(open(&mut them, &mut packets), [Ok(())]);
//! assert_eq!(&payload, b"a payload...");
//! # Ok::<(), bulat::Error>(())
//! ```

use alloc::vec::Vec;

use crate::cipher::Block;
use crate::cipher::Chained;
use crate::kdf::{Derivation, kdf_256_many};
use crate::memory::Wiped;
use crate::modes::burst::{self, Tag};
use crate::{BlockCipher, Error, Kuznyechik, Magma, Secret};

/// A transform: the cipher, and encryption or authentication only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// ENCR_KUZNYECHIK_MGM_KTREE, 32: 44 bytes of key, 12 of ICV.
    KuznyechikMgm,
    /// ENCR_MAGMA_MGM_KTREE, 33: 36 bytes of key, 8 of ICV.
    MagmaMgm,
    /// ENCR_KUZNYECHIK_MGM_MAC_KTREE, 34: 44 bytes of key, 12 of ICV; nothing is encrypted.
    KuznyechikMac,
    /// ENCR_MAGMA_MGM_MAC_KTREE, 35: 36 bytes of key, 8 of ICV; nothing is encrypted.
    MagmaMac,
}

impl Transform {
    fn kuznyechik(self) -> bool {
        matches!(self, Transform::KuznyechikMgm | Transform::KuznyechikMac)
    }
    fn encrypts(self) -> bool {
        matches!(self, Transform::KuznyechikMgm | Transform::MagmaMgm)
    }
    /// Returns the length of the keying material in bytes: 32 bytes of key, then the salt.
    pub const fn key_len(self) -> usize {
        match self {
            Transform::KuznyechikMgm | Transform::KuznyechikMac => 44,
            Transform::MagmaMgm | Transform::MagmaMac => 36,
        }
    }
    /// Returns the ICV's length in bytes.
    pub const fn icv_len(self) -> usize {
        match self {
            Transform::KuznyechikMgm | Transform::KuznyechikMac => 12,
            Transform::MagmaMgm | Transform::MagmaMac => 8,
        }
    }
}

/// Returns the IV of the packet of this number, from 0: i1 (1 byte), i2, i3 (2 each), pnum (3). A key thus serves 2^24
/// packets.
pub fn iv(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}

/// The cipher under a leaf's key.
enum Leaf {
    Kuznyechik(Kuznyechik),
    Magma(Magma),
}

/// One direction of a security association: its root key, and the keys on the path to the last leaf used.
pub struct Association {
    transform: Transform,
    salt: Secret<[u8; 12]>,
    /// The root and the three levels.
    keys: Secret<[[u8; 32]; 4]>,
    /// i1, i2, i3 of the keys.
    at: Option<[u8; 5]>,
    leaf: Leaf,
}

impl Association {
    /// Creates an association from keying material: the key, then the salt.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless the material has [`Transform::key_len`] bytes.
    pub fn new(transform: Transform, material: &[u8]) -> Result<Self, Error> {
        if material.len() != transform.key_len() {
            return Err(Error::KeyLength);
        }
        let (key, rest) = material.split_at(32);
        let (mut salt, mut keys) = (Secret::new([0; 12]), Secret::new([[0; 32]; 4]));
        salt[..rest.len()].copy_from_slice(rest);
        keys[0].copy_from_slice(key);
        let leaf = match transform.kuznyechik() {
            true => Leaf::Kuznyechik(Kuznyechik::new(&keys[0])),
            false => Leaf::Magma(Magma::new(&keys[0])),
        };
        Ok(Association { transform, salt, keys, at: None, leaf })
    }

    /// Returns the first level with a key that does not belong to this path.
    fn stale(&self, path: &[u8; 5]) -> usize {
        let Some(at) = &self.at else { return 0 };
        let same = [at[0] == path[0], at[1..3] == path[1..3], at[3..] == path[3..]];
        same.iter().take_while(|same| **same).count()
    }

    /// 0 || pnum || salt.
    fn nonce(&self, iv: &[u8; 8]) -> [u8; 16] {
        let mut nonce = [0; 16];
        nonce[1..4].copy_from_slice(&iv[5..]);
        nonce[4..].copy_from_slice(&*self.salt);
        nonce
    }
}

/// One packet of a burst.
pub struct Packet<'a> {
    association: usize,
    iv: [u8; 8],
    header: &'a [u8],
    payload: &'a mut [u8],
    icv: &'a mut [u8],
    /// The result of the call in progress.
    result: Result<(), Error>,
}

impl<'a> Packet<'a> {
    /// `association` is the index in the array of associations; `header` is SPI and sequence number, 8 or 12 bytes;
    /// `payload` is the text to encrypt, with padding, pad length and next header; `icv` is the ICV, which [`seal`]
    /// writes and [`open`] compares.
    pub fn new(
        association: usize,
        iv: [u8; 8],
        header: &'a [u8],
        payload: &'a mut [u8],
        icv: &'a mut [u8],
    ) -> Self {
        Packet { association, iv, header, payload, icv, result: Ok(()) }
    }

    /// Returns i1, i2 and i3, which name the leaf.
    fn path(&self) -> [u8; 5] {
        let [i1, a, b, c, d, ..] = self.iv;
        [i1, a, b, c, d]
    }
}

/// Encrypts and authenticates packets in place. Returns a result for each, in order.
///
/// Using one IV twice in an association destroys its security. Within one call this is refused: no packet that shares
/// its IV is sealed, so that each can be sealed under another. Between calls the caller must prevent it.
///
/// The payload of a packet that fails is unchanged: [`Error::Parameter`] for an association that does not exist,
/// [`Error::TagLength`] for an ICV of another length, [`Error::IvReuse`].
pub fn seal(
    associations: &mut [Association],
    packets: &mut [Packet<'_>],
) -> Vec<Result<(), Error>> {
    run(associations, packets, true)
}

/// Checks packets and decrypts the genuine ones, in place. Returns a result for each, in order.
///
/// The payload of a packet that fails is unchanged: [`Error::Verify`], and [`Error::Parameter`] and
/// [`Error::TagLength`] as in [`seal`]. Packets that share an IV are opened separately.
pub fn open(
    associations: &mut [Association],
    packets: &mut [Packet<'_>],
) -> Vec<Result<(), Error>> {
    run(associations, packets, false)
}

/// An association that moves to another leaf: its path, and the first level that changes.
struct Move<'a> {
    association: &'a mut Association,
    path: [u8; 5],
    from: usize,
}

/// Moves associations to the leaves of IVs, level by level, deriving the keys of a level side by side. Most
/// associations are there already; a new leaf costs one derivation for each level that changes.
fn visit(mut moves: Vec<Move<'_>>) {
    if moves.is_empty() {
        return;
    }
    for (level, label) in [b"level1", b"level2", b"level3"].into_iter().enumerate() {
        let seed = |p: &[u8; 5]| [[0, p[0]], [p[1], p[2]], [p[3], p[4]]][level];
        let seeds: Vec<_> = moves.iter().map(|m| seed(&m.path)).collect();
        let mut all = Vec::with_capacity(moves.len());
        for (m, seed) in moves.iter_mut().zip(&seeds).filter(|(m, _)| m.from <= level) {
            let (above, below) = m.association.keys.split_at_mut(level + 1);
            all.push(Derivation { key: &above[level], label, seed, out: &mut below[0] });
        }
        kdf_256_many(&mut all);
    }
    let mut kuznyechik = Vec::new();
    for m in &mut moves {
        m.association.at = Some(m.path);
        let Association { leaf, keys, .. } = &mut *m.association;
        match leaf {
            Leaf::Kuznyechik(k) => kuznyechik.push((k, &keys[3])),
            Leaf::Magma(k) => *k = k.rekey(&keys[3]),
        }
    }
    Kuznyechik::renew(kuznyechik.into_iter());
}

/// Processes packets in waves. In a wave each association is at one leaf; all associations, and the packets of their
/// leaves, run together.
fn run(
    associations: &mut [Association],
    packets: &mut [Packet<'_>],
    sealing: bool,
) -> Vec<Result<(), Error>> {
    waves(associations, packets, sealing);
    packets.iter().map(|p| p.result).collect()
}

fn waves(associations: &mut [Association], packets: &mut [Packet<'_>], sealing: bool) {
    let mut order: Vec<&mut Packet<'_>> = Vec::with_capacity(packets.len());
    for p in packets {
        p.result = Ok(());
        match associations.get(p.association).map(|a| a.transform.icv_len()) {
            None => p.result = Err(Error::Parameter),
            Some(len) if len != p.icv.len() => p.result = Err(Error::TagLength),
            Some(_) => order.push(p),
        }
    }
    // Puts equal keys side by side; the packets' own order does not matter.
    order.sort_unstable_by_key(|p| (p.association, p.iv));
    if sealing {
        for alike in order.chunk_by_mut(|a, b| (a.association, a.iv) == (b.association, b.iv)) {
            if alike.len() > 1 {
                alike.iter_mut().for_each(|p| p.result = Err(Error::IvReuse));
            }
        }
        order.retain(|p| p.result != Err(Error::IvReuse));
    }
    // A packet's wave is the index of its leaf in the association.
    let (mut waves, mut before) = (Vec::with_capacity(order.len()), None);
    for p in order {
        let at = (p.association, p.path());
        let number = match before {
            Some((last, number)) if last == at => number,
            Some(((association, _), number)) if association == at.0 => number + 1,
            _ => 0,
        };
        before = Some((at, number));
        waves.push((number, p));
    }
    waves.sort_by_key(|(number, _)| *number);
    for now in waves.chunk_by_mut(|(a, _), (b, _)| a == b) {
        let (mut moves, mut rest, mut before) = (Vec::new(), &mut *associations, 0);
        for (_, p) in &*now {
            // The association's other packets in this wave use this leaf.
            if p.association < before {
                continue;
            }
            let (passed, others) = rest.split_at_mut(p.association + 1 - before);
            (rest, before) = (others, p.association + 1);
            if let Some(association) = passed.last_mut() {
                let (path, from) = (p.path(), association.stale(&p.path()));
                if from < 3 {
                    moves.push(Move { association, path, from });
                }
            }
        }
        visit(moves);
        wave(associations, now, sealing);
    }
}

fn wave(associations: &[Association], packets: &mut [(usize, &mut Packet<'_>)], sealing: bool) {
    // Nonces contain the salt, so they are wiped.
    let mut nonces = Wiped(Vec::with_capacity(16 * packets.len()));
    for (_, p) in &*packets {
        nonces.0.extend(associations[p.association].nonce(&p.iv));
    }
    let (mut kuznyechik, mut magma) = (Vec::new(), Vec::new());
    for ((_, p), nonce) in packets.iter_mut().zip(nonces.0.chunks(16)) {
        let Packet { association, iv, header, payload, icv, result } = &mut **p;
        let association = &associations[*association];
        let (aad, text): ([&[u8]; 3], &mut [u8]) = match association.transform.encrypts() {
            true => ([header, &[], &[]], payload),
            false => ([header, &*iv, payload], &mut []),
        };
        let tag = if sealing { Tag::Seal(icv) } else { Tag::Open(icv) };
        let text = text.into();
        match &association.leaf {
            Leaf::Kuznyechik(key) => {
                let p = burst::Packet { key, nonce, aad, text, tag, result: Ok(()) };
                kuznyechik.push((p, result));
            }
            Leaf::Magma(key) => {
                let p = burst::Packet { key, nonce: &nonce[..8], aad, text, tag, result: Ok(()) };
                magma.push((p, result));
            }
        }
    }
    together(kuznyechik);
    together(magma);
}

fn together<C: Chained<B>, const B: usize>(
    packets: Vec<(burst::Packet<'_, C>, &mut Result<(), Error>)>,
) where
    [u8; B]: Block,
{
    let (mut packets, results): (Vec<_>, Vec<_>) = packets.into_iter().unzip();
    burst::run(&mut packets);
    results.into_iter().zip(&packets).for_each(|(result, p)| *result = p.result);
}
