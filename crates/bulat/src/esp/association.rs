//! The keys of a direction: the tree's root, and a few leaves that are ready.

use alloc::vec::Vec;

use super::Transform;
use crate::kdf::{Derivation, kdf_256_many};
use crate::{BlockCipher, Error, Kuznyechik, Magma, Secret};

/// i1, i2, i3.
pub(super) type Path = [u8; 5];

/// The cipher under a leaf's key.
pub(super) enum Leaf {
    Kuznyechik(Kuznyechik),
    Magma(Magma),
}

/// A leaf that is ready, and the keys of the three levels on its path.
struct Ready {
    path: Path,
    keys: Secret<[[u8; 32]; 3]>,
    leaf: Leaf,
    trust: Trust,
    /// The moment of the last use.
    used: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Nothing is ready.
    Empty,
    /// No packet under this leaf's key was genuine yet.
    Tried,
    Genuine,
}

/// The leaves of genuine packets that stay: the newest, and a leaf for packets that come late.
const GENUINE: usize = 2;
/// A further place for the next leaf, and a place for any other leaf that a packet names.
const LEAVES: usize = GENUINE + 2;

/// How many leaves are made that may be forgeries: a leaf costs three derivations, up to 40 times a short packet. Each
/// [`Cold::PACKETS`] packets allow a further leaf, so that a flood of forged leaves costs less than three times as much
/// as a flood of other forgeries.
struct Cold {
    leaves: u8,
    packets: u8,
}

impl Cold {
    const LEAVES: u8 = 16;
    const PACKETS: u8 = 16;
    fn packet(&mut self) {
        self.packets += 1;
        if self.packets == Self::PACKETS {
            self.packets = 0;
            self.give_back();
        }
    }
    fn give_back(&mut self) {
        self.leaves = (self.leaves + 1).min(Self::LEAVES);
    }
    fn take(&mut self) -> bool {
        let left = self.leaves.checked_sub(1);
        self.leaves = left.unwrap_or(0);
        left.is_some()
    }
}

/// A direction of a security association: its root key, and the leaves that are ready.
///
/// A leaf of a packet that proves genuine replaces an older leaf; a forged packet replaces no such leaf.
pub struct Association {
    pub(super) transform: Transform,
    salt: Secret<[u8; 12]>,
    root: Secret<[u8; 32]>,
    ready: [Ready; LEAVES],
    /// The highest leaf of a genuine packet.
    newest: Option<Path>,
    /// The place in `ready` of the leaf in use.
    now: usize,
    moment: u64,
    cold: Cold,
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
        let (mut salt, mut root) = (Secret::new([0; 12]), Secret::new([0; 32]));
        salt[..rest.len()].copy_from_slice(rest);
        root.copy_from_slice(key);
        let ready = core::array::from_fn(|_| Ready {
            path: [0; 5],
            keys: Secret::new([[0; 32]; 3]),
            leaf: match transform.kuznyechik() {
                true => Leaf::Kuznyechik(Kuznyechik::new(&root)),
                false => Leaf::Magma(Magma::new(&root)),
            },
            trust: Trust::Empty,
            used: 0,
        });
        let cold = Cold { leaves: Cold::LEAVES, packets: 0 };
        Ok(Association { transform, salt, root, ready, newest: None, now: 0, moment: 0, cold })
    }

    /// Returns i1, i2 and i3 of the highest leaf of a packet that was sealed, or opened and genuine.
    pub fn newest_leaf(&self) -> Option<[u8; 5]> {
        self.newest
    }

    /// The cipher in use.
    pub(super) fn leaf(&self) -> &Leaf {
        &self.ready[self.now].leaf
    }

    /// 0 || pnum || salt.
    pub(super) fn nonce(&self, iv: &[u8; 8]) -> [u8; 16] {
        let mut nonce = [0; 16];
        nonce[1..4].copy_from_slice(&iv[5..]);
        nonce[4..].copy_from_slice(&*self.salt);
        nonce
    }

    /// The leaf after the newest, which a sender uses next; at first the leaf of zeros. After the last leaf it is the
    /// first again, which no sender uses then.
    fn next(&self) -> Path {
        let mut path = self.newest.unwrap_or([0xff; 5]);
        for byte in path.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
        path
    }

    fn find(&self, path: &Path) -> Option<usize> {
        self.ready.iter().position(|r| r.trust != Trust::Empty && r.path == *path)
    }

    /// Returns whether this number of received packets of a leaf may be opened: the leaf's key is ready, or the leaf
    /// follows the newest, or a further key may be made.
    pub(super) fn allows(&mut self, path: &Path, packets: usize) -> bool {
        (0..packets).for_each(|_| self.cold.packet());
        self.find(path).is_some() || *path == self.next() || self.cold.take()
    }

    /// Uses a leaf. Returns the work if its key is not ready.
    pub(super) fn use_leaf(&mut self, path: Path) -> Option<Move<'_>> {
        self.moment += 1;
        if let Some(at) = self.find(&path) {
            (self.now, self.ready[at].used) = (at, self.moment);
            return None;
        }
        // The next leaf stays when a different leaf is tried.
        let next = self.next();
        let free = |r: &Ready| {
            let waits = r.trust == Trust::Tried && r.path == next && path != next;
            r.trust != Trust::Genuine && !waits
        };
        let places = (0..LEAVES).filter(|at| free(&self.ready[*at]));
        // At most two leaves are genuine, and one waits.
        self.now = places
            .min_by_key(|at| (self.ready[*at].trust != Trust::Empty, self.ready[*at].used))
            .unwrap_or(0);
        // Keys above the leaf from the leaf with the longest part of the path.
        let shared = |r: &Ready| match r.trust {
            Trust::Empty => 0,
            _ if r.path[..3] == path[..3] => 2,
            _ => usize::from(r.path[0] == path[0]),
        };
        let from = (0..LEAVES).max_by_key(|at| shared(&self.ready[*at])).map_or(0, |at| {
            let from = shared(&self.ready[at]);
            if at != self.now {
                let [a, b] = self.ready.get_disjoint_mut([self.now, at]).expect("two places");
                a.keys[..from].copy_from_slice(&b.keys[..from]);
            }
            from
        });
        let ready = &mut self.ready[self.now];
        (ready.path, ready.trust, ready.used) = (path, Trust::Tried, self.moment);
        Some(Move { root: &self.root, ready, from })
    }

    /// A packet under the leaf in use was genuine.
    pub(super) fn genuine(&mut self) {
        let Ready { path, trust, .. } = self.ready[self.now];
        if trust == Trust::Genuine {
            return;
        }
        if path != self.next() {
            self.cold.give_back();
        }
        self.newest = self.newest.max(Some(path));
        self.ready[self.now].trust = Trust::Genuine;
        let genuine = || (0..LEAVES).filter(|at| self.ready[*at].trust == Trust::Genuine);
        if genuine().count() > GENUINE {
            let others = genuine().filter(|at| *at != self.now);
            if let Some(oldest) = others.min_by_key(|at| self.ready[*at].used) {
                self.ready[oldest].trust = Trust::Empty;
            }
        }
    }
}

/// A leaf to be made: the keys above it are right down to level `from`.
pub(super) struct Move<'a> {
    root: &'a [u8; 32],
    ready: &'a mut Ready,
    from: usize,
}

/// Makes leaves, level by level, deriving the keys of a level side by side.
pub(super) fn make(mut moves: Vec<Move<'_>>) {
    if moves.is_empty() {
        return;
    }
    for (level, label) in [b"level1", b"level2", b"level3"].into_iter().enumerate() {
        let seed = |p: &Path| [[0, p[0]], [p[1], p[2]], [p[3], p[4]]][level];
        let seeds: Vec<_> = moves.iter().map(|m| seed(&m.ready.path)).collect();
        let mut all = Vec::with_capacity(moves.len());
        for (m, seed) in moves.iter_mut().zip(&seeds).filter(|(m, _)| m.from <= level) {
            let (above, below) = m.ready.keys.split_at_mut(level);
            let key: &[u8; 32] = above.last().unwrap_or(m.root);
            all.push(Derivation { key, label, seed, out: &mut below[0] });
        }
        kdf_256_many(&mut all);
    }
    let mut kuznyechik = Vec::new();
    for m in &mut moves {
        let Ready { leaf, keys, .. } = &mut *m.ready;
        match leaf {
            Leaf::Kuznyechik(k) => kuznyechik.push((k, &keys[2])),
            Leaf::Magma(k) => *k = k.rekey(&keys[2]),
        }
    }
    Kuznyechik::renew(kuznyechik.into_iter());
}
