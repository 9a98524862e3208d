//! One message through a session of the table in every manner that the library promises to be the
//! same: at once and in pieces, in place and from one buffer to another, on a fresh object, a reset one
//! and a duplicate. Each run also checks what must hold for any message: nothing is written outside of
//! the destination, a wrong tag is refused and leaves the destination alone, a finished session answers
//! `Finished`.

use bulat::algorithm::{Algorithm, Kind, Params, Session};
use bulat::{Error, InOut};

/// A deterministic source of octets and numbers (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn octets(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
    /// The length of the next piece of `left` octets: mostly small, so that blocks are begun and ended
    /// in all ways; at times long, so that the widest loops run; at times none.
    fn piece(&mut self, left: usize) -> usize {
        let most = match self.below(4) {
            0 | 1 => 20,
            2 => 200,
            _ => left,
        };
        self.below(most.max(left / 50) + 1).min(left)
    }
}

/// What a session is given.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// For an AEAD.
    pub aad: &'a [u8],
    /// What is hashed, authenticated or transformed.
    pub text: &'a [u8],
    /// For an AEAD: to open; else it seals.
    pub tag: Option<&'a [u8]>,
}

impl<'a> Message<'a> {
    pub fn text(text: &'a [u8]) -> Self {
        Message { aad: &[], text, tag: None }
    }
}

/// How a message goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// In one call, to another buffer.
    Whole,
    /// In pieces, in place.
    InPlace,
    /// In pieces, to another buffer, both unaligned.
    Apart,
    /// In pieces on an object that has had another message, ended or not, and was reset.
    Reset,
    /// In pieces, where a duplicate goes on at some point and the original has other data.
    Duplicate,
}

/// Every manner; the first is the plain one.
pub const MANNERS: [Manner; 5] =
    [Manner::Whole, Manner::InPlace, Manner::Apart, Manner::Reset, Manner::Duplicate];

/// The output of a message: text, or text || tag, or digest.
pub fn run(
    algorithm: &Algorithm,
    params: &Params<'_>,
    message: Message<'_>,
    manner: Manner,
    dice: &mut Dice,
) -> Result<Vec<u8>, Error> {
    let open = algorithm.open.expect("an algorithm with sessions");
    let session = open(params)?;
    let mut run = Run { kind: algorithm.kind, message, manner, dice, session };
    if manner == Manner::Reset {
        run.other_message();
        run.session.reset(params.iv)?;
    }
    let out = match (run.kind, message.tag) {
        (Kind::Aead, Some(tag)) => run.open(tag),
        (Kind::Aead | Kind::Cipher, _) => run.transform(),
        _ => run.authenticate(),
    };
    if out.is_ok() {
        run.has_finished();
    }
    out
}

/// The output, which every manner must give: else it panics. `name` is for the message of the panic.
#[allow(dead_code)] // not every test that includes this file wants all manners at once
pub fn every(
    name: &str,
    algorithm: &Algorithm,
    params: &Params<'_>,
    message: Message<'_>,
    dice: &mut Dice,
) -> Result<Vec<u8>, Error> {
    let plain = run(algorithm, params, message, Manner::Whole, dice);
    for manner in &MANNERS[1..] {
        let other = run(algorithm, params, message, *manner, dice);
        assert!(
            other == plain,
            "{name}, {} octets: {manner:?} differs from Whole: {:?}",
            message.text.len(),
            (other.err(), plain.err()),
        );
    }
    plain
}

struct Run<'a> {
    kind: Kind,
    message: Message<'a>,
    manner: Manner,
    dice: &'a mut Dice,
    session: Box<dyn Session>,
}

/// What a buffer holds where nobody may write.
const UNTOUCHED: u8 = 0xa5;

impl Run<'_> {
    /// Text that does not belong to the message, to the session at hand.
    fn garbage(&mut self, most: usize) {
        let len = self.dice.below(most);
        let mut text = self.dice.octets(len);
        let _ = match (self.kind, self.message.tag) {
            (Kind::Aead, Some(_)) => self.session.aad(&text),
            (Kind::Aead, None) if self.dice.below(2) == 0 => self.session.aad(&text),
            (Kind::Aead | Kind::Cipher, _) => {
                self.session.update(text.as_mut_slice().into()).map(|_| ())
            }
            _ => self.session.absorb(&text),
        };
    }

    fn other_message(&mut self) {
        self.garbage(300);
        self.garbage(1500);
        if self.dice.below(2) == 0 {
            let _ = self.session.finish(&mut [0; 64]);
        }
    }

    /// Lets a duplicate go on, in its manner.
    fn maybe_duplicate(&mut self) {
        if self.manner == Manner::Duplicate && self.dice.below(3) == 0 {
            let copy = self.session.dup();
            self.garbage(100);
            if self.dice.below(2) == 0 {
                let _ = self.session.finish(&mut [0; 64]);
            }
            self.session = copy;
        }
    }

    fn piece(&mut self, left: usize) -> usize {
        if self.manner == Manner::Whole { left } else { self.dice.piece(left) }
    }

    /// Reads data in pieces, from an unaligned buffer.
    fn read(
        &mut self,
        data: &[u8],
        give: fn(&mut dyn Session, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let offset = if self.manner == Manner::Whole { 0 } else { 1 + self.dice.below(15) };
        let moved = [&vec![0; offset], data].concat();
        let mut rest = &moved[offset..];
        loop {
            let (piece, after) = rest.split_at(self.piece(rest.len()));
            give(&mut *self.session, piece)?;
            self.maybe_duplicate();
            if after.is_empty() {
                return Ok(());
            }
            rest = after;
        }
    }

    fn authenticate(&mut self) -> Result<Vec<u8>, Error> {
        self.read(self.message.text, |session, piece| session.absorb(piece))?;
        let mut tag = vec![0; self.session.finish_len()];
        if self.kind == Kind::Mac {
            let mut right = self.session.dup();
            let mut wrong = self.session.dup();
            self.session.finish(&mut tag)?;
            assert_eq!(right.verify(&tag), Ok(()));
            let mut changed = tag.clone();
            changed[self.dice.below(tag.len())] ^= 1 << self.dice.below(8);
            assert_eq!(wrong.verify(&changed), Err(Error::Verify));
        } else {
            let len = self.session.finish(&mut tag)?;
            assert_eq!(len, tag.len());
        }
        Ok(tag)
    }

    /// Encrypts, decrypts without a tag, or seals.
    fn transform(&mut self) -> Result<Vec<u8>, Error> {
        if self.kind == Kind::Aead {
            self.read(self.message.aad, |session, piece| session.aad(piece))?;
        }
        let in_place = matches!(self.manner, Manner::InPlace | Manner::Duplicate);
        let (text, mut out) = (self.message.text, Vec::with_capacity(self.message.text.len() + 32));
        let (from, to) = match self.manner {
            Manner::Whole => (0, 0),
            _ => (1 + self.dice.below(15), 1 + self.dice.below(15)),
        };
        let mut source = [&vec![UNTOUCHED; from], text].concat();
        let mut target = vec![UNTOUCHED; to + text.len() + 16];
        let mut done = 0;
        loop {
            let len = self.piece(text.len() - done);
            let end = done + len;
            if in_place {
                let piece = &mut source[from + done..from + end];
                let written = self.session.update((&mut *piece).into())?;
                out.extend_from_slice(&piece[..written]);
            } else {
                let piece = &mut target[to + done..to + end];
                let data = InOut::new(&source[from + done..from + end], piece);
                let written = self.session.update(data.expect("of one length"))?;
                out.extend_from_slice(&piece[..written]);
                let after = &target[to + end..(to + end + 16).min(target.len())];
                assert!(after.iter().all(|octet| *octet == UNTOUCHED), "written after the piece");
            }
            self.maybe_duplicate();
            done = end;
            if done == text.len() {
                break;
            }
        }
        assert!(source[..from].iter().all(|octet| *octet == UNTOUCHED), "written before the text");
        assert!(target[..to].iter().all(|octet| *octet == UNTOUCHED), "written before the text");
        assert!(in_place || source[from..] == *text, "the source was changed");
        let mut end = vec![0; self.session.finish_len()];
        let last = self.session.finish(&mut end)?;
        out.extend_from_slice(&end[..last]);
        Ok(out)
    }

    fn open(&mut self, tag: &[u8]) -> Result<Vec<u8>, Error> {
        self.read(self.message.aad, |session, piece| session.aad(piece))?;
        let wrong = self.session.dup();
        let from = if self.manner == Manner::Whole { 0 } else { 1 + self.dice.below(15) };
        let mut source = [&vec![0; from], self.message.text].concat();
        let mut target = vec![UNTOUCHED; source.len()];
        if self.manner == Manner::InPlace {
            self.session.open((&mut source[from..]).into(), tag)?;
            target = source;
        } else {
            let data = InOut::new(&source[from..], &mut target[from..]).expect("of one length");
            let opened = self.session.open(data, tag);
            assert!(opened.is_ok() || target.iter().all(|octet| *octet == UNTOUCHED), "released");
            opened?;
        }
        self.open_changed(wrong, tag);
        Ok(target.split_off(from))
    }

    /// The right tag with one bit changed is refused, and nothing is released.
    fn open_changed(&mut self, mut session: Box<dyn Session>, tag: &[u8]) {
        let mut changed = tag.to_vec();
        changed[self.dice.below(tag.len())] ^= 1 << self.dice.below(8);
        let mut target = vec![UNTOUCHED; self.message.text.len()];
        let data = InOut::new(self.message.text, &mut target).expect("of one length");
        assert_eq!(session.open(data, &changed), Err(Error::Verify));
        assert!(target.iter().all(|octet| *octet == UNTOUCHED), "released");
    }

    /// A session that has finished takes nothing and gives nothing.
    fn has_finished(&mut self) {
        let mut octets = [0; 64];
        assert_eq!(self.session.finish(&mut octets), Err(Error::Finished));
        let more = match self.kind {
            Kind::Aead | Kind::Cipher => self.session.update((&mut octets[..]).into()).map(|_| ()),
            _ => self.session.absorb(&octets),
        };
        assert_eq!(more, Err(Error::Finished));
    }
}
