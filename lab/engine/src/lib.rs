//! The protocol between the lab and its engines, and the engine's half of it, [`serve`].
//!
//! An engine is a program that the lab starts, pins to a core, and asks by lines on standard input; it
//! answers by lines on standard output. `lab/engine/protocol.h` is the same for C. Words are separated by one
//! space; a question's `key=value` pairs come in any order, and those not known are passed over.
//!
//! | question | answer |
//! |---|---|
//! | (at the start) | `engine NAME VERSION` |
//! | `list` | a line `can ALGORITHM VARIANT` for each thing it can do, then `end` |
//! | `open algorithm=A variant=V direction=encrypt size=N offset=K streams=S threads=T` | `ready`, or `no REASON` |
//! | `check` | `sum HEX`: [`Input::sum`] of the output of one call over fresh data |
//! | `time CALLS` | `took NANOSECONDS BEFORE AFTER CROWD`: picoseconds of one cycle before and after; [`crowd`], the larger of before and after |
//! | `cold CALLS` | as `time`, with the caches emptied before each call; only the calls are timed |
//!
//! A call works on `streams` texts of `size` bytes, each under a key of its own, `offset` bytes after a
//! multiple of 64; with `threads` each of them does so with texts of its own. Keys are prepared by `open`,
//! untimed; each call is one whole message from its IV, in place. Keys, IVs and texts are
//! [`key`], [`iv`] and [`text`]: bytes of [`bytes`], the same in every engine, so that sums compare.

#![forbid(unsafe_code)]

mod clock;
mod serve;

pub use clock::{crowd, cycle};
pub use serve::serve;

/// The work that a question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name that `bulat list` has for it, such as `magma-ctr`.
    pub algorithm: String,
    /// Which of the engine's ways: a kernel, a published design; `-` where it has one only.
    pub variant: String,
    /// Decryption (opening) in place of encryption.
    pub decrypt: bool,
    /// Bytes of one text.
    pub size: usize,
    /// Bytes from a multiple of 64 to the text.
    pub offset: usize,
    /// Texts in one call, each under a key of its own.
    pub streams: usize,
    /// Threads that do this at one time, each with texts of its own.
    pub threads: usize,
}

impl Case {
    /// Encryption of one text of `size` bytes at a multiple of 64, on one thread, by the variant `-`.
    #[must_use]
    pub fn new(algorithm: &str, size: usize) -> Self {
        let (algorithm, variant) = (algorithm.into(), "-".into());
        Case { algorithm, variant, decrypt: false, size, offset: 0, streams: 1, threads: 1 }
    }
}

/// One call: all the texts, in place; tags and digests go to [`Input::out`].
pub type Work = Box<dyn FnMut(&mut Input) + Send>;

/// Something that can be measured.
pub trait Engine {
    /// Name and version, one word each.
    fn name(&self) -> (String, String);
    /// Everything it can do here: algorithm and variant.
    fn list(&self) -> Vec<(String, String)>;
    /// Prepares keys for the case, or says in one line why it cannot.
    fn open(&self, case: &Case) -> Result<Work, String>;
}

/// Texts of one call, and the other outputs.
pub struct Input {
    texts: Vec<Text>,
    /// For each text its tag or digest; empty where there is none.
    pub out: Vec<Vec<u8>>,
}

/// One text at its offset from a multiple of 64.
struct Text {
    storage: Vec<u8>,
    start: usize,
    size: usize,
}

impl Input {
    /// Fresh texts of the case, as thread `thread` has them.
    #[must_use]
    pub fn new(case: &Case, thread: usize) -> Self {
        let texts = (0..case.streams).map(|i| {
            let mut storage = vec![0; case.size + case.offset + 64];
            let start = storage.as_ptr().align_offset(64) + case.offset;
            bytes(TEXT + (thread * case.streams + i) as u64, &mut storage[start..][..case.size]);
            Text { storage, start, size: case.size }
        });
        Input { texts: texts.collect(), out: vec![Vec::new(); case.streams] }
    }

    /// The texts, to be worked on in place.
    pub fn texts(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.texts.iter_mut().map(|t| &mut t.storage[t.start..][..t.size])
    }

    /// The texts, each with the place of its tag or digest.
    pub fn both(&mut self) -> impl Iterator<Item = (&mut [u8], &mut Vec<u8>)> {
        let texts = self.texts.iter_mut().map(|t| &mut t.storage[t.start..][..t.size]);
        texts.zip(&mut self.out)
    }

    /// FNV-1a of 64 bits over every text and its other output, in order.
    #[must_use]
    pub fn sum(&self) -> u64 {
        let text = |t: &'_ Text| t.start..t.start + t.size;
        let each = self.texts.iter().zip(&self.out);
        each.fold(0xcbf2_9ce4_8422_2325, |sum, (t, out)| fnv(fnv(sum, &t.storage[text(t)]), out))
    }
}

fn fnv(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, b| (sum ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

const KEY: u64 = 1 << 32;
const IV: u64 = 2 << 32;
const TEXT: u64 = 3 << 32;

/// The key of a stream.
#[must_use]
pub fn key(stream: usize, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    bytes(KEY + stream as u64, &mut out);
    out
}

/// The IV of a stream; its first bit is 0, as MGM wants it.
#[must_use]
pub fn iv(stream: usize, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    bytes(IV + stream as u64, &mut out);
    if let Some(first) = out.first_mut() {
        *first &= 0x7f;
    }
    out
}

/// The text of a stream.
#[must_use]
pub fn text(stream: usize, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    bytes(TEXT + stream as u64, &mut out);
    out
}

/// Fills with SplitMix64 from this seed, words in little-endian order: no predictor knows them.
pub fn bytes(seed: u64, out: &mut [u8]) {
    let mut state = seed;
    for chunk in out.chunks_mut(8) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
    }
}
