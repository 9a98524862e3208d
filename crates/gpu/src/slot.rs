//! A slot of a device: a thread with its own queue and memory. With several slots, copies to the device, kernels and
//! copies back overlap. A slot works on its own copy of the data, never on the caller's: if a device hangs, the engine
//! gives up the slot, and the device can no longer affect the caller's memory.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use bulat::batch::Key;
use bulat::{BlockCipher, Direction, Gost28147, Kuznyechik, Magma};
use bulat_core::cipher::{Chain, Count};
use zeroize::Zeroizing;

use crate::driver::Pinned;
use crate::{Buffer, Channel, Device, Error, Map, Result, Sections, Sectors, Spans};

/// A key that the slot owns.
#[derive(Clone)]
pub(crate) enum OwnKey {
    Kuznyechik(Kuznyechik),
    Magma(Magma),
    Gost28147(Gost28147),
}

impl OwnKey {
    pub fn of(key: &Key<'_>) -> Self {
        match key {
            Key::Kuznyechik(k) => OwnKey::Kuznyechik((*k).clone()),
            Key::Magma(k) => OwnKey::Magma((*k).clone()),
            Key::Gost28147(k) => OwnKey::Gost28147((*k).clone()),
        }
    }
    /// Wraps another key of this cipher.
    pub fn of_cipher<C: BlockCipher>(&self, key: &C) -> Self {
        let key: &dyn std::any::Any = key;
        match (key.downcast_ref(), key.downcast_ref(), key.downcast_ref()) {
            (Some(k), _, _) => OwnKey::Kuznyechik(Kuznyechik::clone(k)),
            (_, Some(k), _) => OwnKey::Magma(Magma::clone(k)),
            (_, _, Some(k)) => OwnKey::Gost28147(Gost28147::clone(k)),
            _ => self.clone(),
        }
    }
    pub fn lend(&self) -> Key<'_> {
        match self {
            OwnKey::Kuznyechik(k) => Key::Kuznyechik(k),
            OwnKey::Magma(k) => Key::Magma(k),
            OwnKey::Gost28147(k) => Key::Gost28147(k),
        }
    }
}

impl From<&Kuznyechik> for OwnKey {
    fn from(key: &Kuznyechik) -> Self {
        OwnKey::Kuznyechik(key.clone())
    }
}
impl From<&Magma> for OwnKey {
    fn from(key: &Magma) -> Self {
        OwnKey::Magma(key.clone())
    }
}

/// The operation of a slot on a piece.
pub(crate) enum Step {
    Ecb(OwnKey, Direction),
    /// Decryption in CBC or CFB: the block before the first.
    Cbc(OwnKey, Vec<u8>),
    Cfb(OwnKey, Vec<u8>),
    Stream(OwnKey, Count, Vec<u8>),
    /// CTR in sections of this many bytes, each with its key and its register.
    Sections(Vec<OwnKey>, Vec<u8>, usize),
    /// MGM of messages of this many bytes, or of a part of one: their registers of gamma and H_i. Returns the sums.
    Seal(OwnKey, Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>, usize),
    /// Decryption in MGM, with the fields of `Seal`.
    Open(OwnKey, Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>, usize),
    /// MGM: only the sum.
    Absorb(OwnKey, Zeroizing<Vec<u8>>),
    /// Sectors of this many bytes with their encrypted tweaks.
    Xts(OwnKey, Direction, Zeroizing<Vec<u8>>, usize),
    /// Streebog of messages in the piece: the digest's length, the offsets and the lengths. Returns the digests.
    Hash(usize, Vec<u64>, Vec<u64>),
    /// HMAC, with the keys, 64 bytes each; the other fields as in `Hash`.
    Hmac(usize, Zeroizing<Vec<u8>>, Vec<u64>, Vec<u64>),
    /// PBKDF2: keys of HMAC of 64 bytes, the salt and the number of each block. The derived bytes replace the data.
    Passwords {
        keys: Zeroizing<Vec<u8>>,
        salts: Vec<Vec<u8>>,
        numbers: Vec<u32>,
        iterations: u32,
    },
    /// Chained streams. Returns their registers, and the texts unless the chain is a MAC.
    Lanes(Vec<OwnKey>, Chain, Vec<u64>, Vec<u64>, Zeroizing<Vec<u8>>),
}

/// Page-locked memory. On drop, the part that held texts is overwritten.
struct Page {
    data: Box<dyn Pinned>,
    used: usize,
}

impl Page {
    fn bytes(&mut self, len: usize) -> &mut [u8] {
        self.used = self.used.max(len);
        &mut self.data.bytes()[..len]
    }
    fn wipe(&mut self) {
        let used = &mut self.data.bytes()[..self.used];
        // `zeroize` writes single bytes, which takes as long as the copies.
        used.fill(0);
        zeroize::optimization_barrier(&*used);
        self.used = 0;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// A piece of this many bytes. Without a step, the device's memory is to be overwritten.
struct Piece {
    step: Option<Step>,
    data: Page,
    len: usize,
}

type Done = (Result<Vec<u8>>, Page);

/// The engine's end of a slot.
pub(crate) struct Slot {
    send: Sender<Piece>,
    receive: Receiver<Done>,
    /// `None` while a piece is in progress.
    data: Option<Page>,
}

impl Slot {
    pub fn new(device: &Arc<Device>, most: usize) -> Result<Self> {
        let data = device.driver().pinned(most)?;
        let ((send, pieces), (done, receive)) = (channel(), channel());
        let device = device.clone();
        std::thread::Builder::new()
            .name("bulat-gpu".into())
            .spawn(move || serve(&device, most, &pieces, &done))
            .map_err(|e| Error::Missing(format!("no thread for the device: {e}")))?;
        Ok(Slot { send, receive, data: Some(Page { data, used: 0 }) })
    }

    /// Runs a piece: `fill` writes its data, `empty` reads the result. Returns the other results, such as registers.
    pub fn run(
        &mut self,
        step: Step,
        len: usize,
        patience: Duration,
        fill: impl FnOnce(&mut [u8]),
        empty: impl FnOnce(&[u8], &[u8]),
    ) -> Result<()> {
        let mut data = self.data.take().ok_or(Error::Hangs)?;
        fill(data.bytes(len));
        let (beside, mut data) = self.pass(Piece { step: Some(step), data, len }, patience)?;
        empty(data.bytes(len), &beside);
        self.data = Some(data);
        Ok(())
    }

    /// Overwrites the texts in its memory and the device's, which is kept.
    pub fn wipe(&mut self, patience: Duration) -> Result<()> {
        let mut data = self.data.take().ok_or(Error::Hangs)?;
        data.wipe();
        self.data = Some(self.pass(Piece { step: None, data, len: 0 }, patience)?.1);
        Ok(())
    }

    fn pass(&mut self, piece: Piece, patience: Duration) -> Result<(Vec<u8>, Page)> {
        self.send.send(piece).map_err(|_| Error::Hangs)?;
        match self.receive.recv_timeout(patience) {
            Ok((result, data)) => Ok((result?, data)),
            Err(RecvTimeoutError::Timeout) => Err(Error::Hangs),
            Err(RecvTimeoutError::Disconnected) => Err(Error::Lost("its thread ended".into())),
        }
    }
}

fn serve(device: &Arc<Device>, most: usize, pieces: &Receiver<Piece>, done: &Sender<Done>) {
    let mut rooms: Option<Rooms> = None;
    while let Ok(Piece { step, mut data, len }) = pieces.recv() {
        let result = (|| match (step, &mut rooms) {
            (None, None) => Ok(Vec::new()),
            (None, Some(rooms)) => rooms.wipe().map(|()| Vec::new()),
            (Some(step), Some(rooms)) => rooms.perform(&step, data.bytes(len)),
            (Some(step), rooms) => {
                rooms.insert(Rooms::new(device, most)?).perform(&step, data.bytes(len))
            }
        })();
        let failed = result.is_err();
        if done.send((result, data)).is_err() || failed {
            break;
        }
    }
    if let Some(mut rooms) = rooms {
        // If nobody waits any more this must not block; a failed device may not do it.
        let _ = rooms.wipe();
    }
}

/// A slot's memory on the device.
struct Rooms {
    channel: Channel,
    source: Buffer,
    destination: Buffer,
    /// The number of bytes that have held texts.
    used: usize,
}

impl Rooms {
    fn new(device: &Arc<Device>, most: usize) -> Result<Self> {
        let channel = device.channel()?;
        let (source, destination) = (channel.allocate(most)?, channel.allocate(most)?);
        Ok(Rooms { channel, source, destination, used: 0 })
    }
    fn perform(&mut self, step: &Step, data: &mut [u8]) -> Result<Vec<u8>> {
        let Rooms { channel: c, source, destination, used } = self;
        let (source, destination, len) = (&*source, &*destination, data.len());
        // Ends of texts are written as whole blocks.
        *used = len.next_multiple_of(64).max(*used);
        c.write(source, 0, data)?;
        let (mut from, mut beside) = (source, Vec::new());
        match step {
            Step::Ecb(key, d) => c.map(&key.lend(), Map::Ecb(*d), source, source, len)?,
            Step::Cbc(key, iv) => {
                from = destination;
                c.map(&key.lend(), Map::Cbc(iv), source, destination, len)?;
            }
            Step::Cfb(key, iv) => {
                from = destination;
                c.map(&key.lend(), Map::Cfb(iv), source, destination, len)?;
            }
            Step::Stream(key, count, register) => {
                c.stream(&key.lend(), register, *count, Some(source), source, len)?;
            }
            Step::Sections(keys, registers, section) => {
                let keys: Vec<Key<'_>> = keys.iter().map(OwnKey::lend).collect();
                let sections = Sections { registers, count: Count::Whole, bytes: *section };
                c.sections(&keys, sections, Some(source), source, len)?;
            }
            Step::Seal(key, y, z, section) => {
                gamma(c, &key.lend(), y, *section, source, len)?;
                beside = c.products(&key.lend(), z, (*section).min(len), source, len)?;
            }
            Step::Open(key, y, z, section) => {
                beside = c.products(&key.lend(), z, *section, source, len)?;
                gamma(c, &key.lend(), y, *section, source, len)?;
            }
            Step::Absorb(key, z) => return c.products(&key.lend(), z, len, source, len),
            Step::Xts(key, direction, tweaks, sector) => {
                let sectors = Sectors { tweaks, bytes: *sector };
                c.xts(&key.lend(), *direction, sectors, source, source, len)?;
            }
            Step::Hmac(size, keys, at, bytes) => {
                let keys: Vec<&[u8]> = keys.chunks(64).collect();
                return c.hmac(*size, &keys, Spans { at, bytes }, source);
            }
            Step::Passwords { keys, salts, numbers, iterations } => {
                let keys: Vec<&[u8]> = keys.chunks(64).collect();
                let salts: Vec<&[u8]> = salts.iter().map(|s| &s[..]).collect();
                data.copy_from_slice(&c.pbkdf2(&keys, &salts, numbers, *iterations)?);
                return Ok(beside);
            }
            Step::Hash(size, at, bytes) => return c.hash(*size, Spans { at, bytes }, source),
            Step::Lanes(keys, chain, at, bytes, states) => {
                let (keys, mut states): (Vec<Key<'_>>, _) =
                    (keys.iter().map(OwnKey::lend).collect(), states.clone());
                c.lanes(&keys, *chain, Spans { at, bytes }, &mut states, source, source)?;
                beside = std::mem::take(&mut *states);
                if matches!(chain, Chain::Mac | Chain::Imit) {
                    return Ok(beside);
                }
            }
        }
        c.read(from, 0, data)?;
        Ok(beside)
    }
    fn wipe(&mut self) -> Result<()> {
        for room in [&self.source, &self.destination] {
            self.channel.wipe_first(room, self.used)?;
        }
        self.used = 0;
        self.channel.forget()?;
        self.channel.finish()
    }
}

/// Writes MGM's keystream for messages of one length.
fn gamma(
    c: &mut Channel,
    key: &Key<'_>,
    registers: &[u8],
    section: usize,
    text: &Buffer,
    len: usize,
) -> Result<()> {
    if section >= len {
        return c.stream(key, registers, Count::Right, Some(text), text, len);
    }
    let sections = Sections { registers, count: Count::Right, bytes: section };
    c.sections(&[*key], sections, Some(text), text, len)
}

#[cfg(all(test, feature = "opencl"))]
mod tests {
    use super::*;

    /// After a call, a device's memory contains no texts, keystreams or registers.
    #[test]
    fn nothing_stays_behind() {
        let Some(device) = crate::devices().devices.into_iter().next() else {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
            return;
        };
        let (key, len) = (OwnKey::from(&Magma::new(&[1; 32])), 1000);
        let mut rooms = Rooms::new(&device, 4096).unwrap();
        rooms.channel.trust();
        let mut data = vec![0x55; len];
        rooms.perform(&Step::Cbc(key.clone(), vec![0; 8]), &mut data).unwrap();
        let (y, z) = (vec![1; 8].into(), vec![2; 8].into());
        rooms.perform(&Step::Seal(key, y, z, usize::MAX), &mut data).unwrap();
        let left = |rooms: &mut Rooms, which: usize| {
            let mut all = vec![1; 4096];
            let room = if which == 0 { &rooms.source } else { &rooms.destination };
            rooms.channel.read(room, 0, &mut all).unwrap();
            all[..len].iter().filter(|b| **b != 0).count()
        };
        assert!(left(&mut rooms, 0) > 900 && left(&mut rooms, 1) > 900);
        rooms.wipe().unwrap();
        assert_eq!((left(&mut rooms, 0), left(&mut rooms, 1)), (0, 0));
        let Rooms { mut channel, .. } = rooms;
        assert!(channel.rooms.is_empty() && channel.clean.len() > 2);
        for room in std::mem::take(&mut channel.clean) {
            let mut all = vec![1; room.len()];
            channel.read(&room, 0, &mut all).unwrap();
            assert!(all.iter().all(|b| *b == 0), "a kept buffer of {} bytes", room.len());
        }
        // The page-locked memory is overwritten too.
        let mut page = Page { data: device.driver().pinned(4096).unwrap(), used: 0 };
        page.bytes(len).fill(7);
        page.wipe();
        assert!(page.bytes(len).iter().all(|b| *b == 0));
    }
}
