//! A message through a session of the table in every manner that the library promises to be the
//! same: at once and in pieces, in place and between two buffers, on a fresh object, a reset object
//! and a duplicate. Each run also checks the rules for any message: nothing is written outside of
//! the destination, a wrong tag is refused and leaves the destination unchanged, a session that needs a new IV answers
//! `Finished` until it has an IV, a hash or MAC begins anew.

use bulat::Error;
use bulat::algorithm::{AeadSession, Algorithm, Params, Session, UnverifiedSession};
use testkit::Random;

/// The length of the next piece of `left` bytes: mostly small, so that blocks are begun and ended
/// in all ways; at times long, so that the widest loops run; at times empty.
fn piece(dice: &mut Random, left: usize) -> usize {
    let most = match dice.below(4) {
        0 | 1 => 20,
        2 => 200,
        _ => left,
    };
    dice.below(most.max(left / 50) + 1).min(left)
}

/// The input of a session.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// For an AEAD.
    pub aad: &'a [u8],
    /// The text to hash, authenticate or transform.
    pub text: &'a [u8],
    /// For an AEAD to open, else it seals; for a MAC to verify.
    pub tag: Option<&'a [u8]>,
}

#[allow(dead_code)] // not every test that includes this file
impl<'a> Message<'a> {
    pub fn text(text: &'a [u8]) -> Self {
        Message { aad: &[], text, tag: None }
    }
}

/// How a message goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// In one call, to a second buffer.
    Whole,
    /// In pieces, in place.
    InPlace,
    /// In pieces, to a second buffer, both unaligned.
    Apart,
    /// In pieces on an object that has had a different message, ended or not, and was reset.
    Reset,
    /// In pieces, where a duplicate continues at some point and the original has other data.
    Duplicate,
}

/// Every manner; the first is the plain manner.
pub const MANNERS: [Manner; 5] =
    [Manner::Whole, Manner::InPlace, Manner::Apart, Manner::Reset, Manner::Duplicate];

/// The output of a message: text, or text || tag, or digest.
pub fn run(
    algorithm: &Algorithm,
    params: &Params<'_>,
    message: Message<'_>,
    manner: Manner,
    dice: &mut Random,
) -> Result<Vec<u8>, Error> {
    let session = algorithm.session(params)?;
    let mut run = Run { message, manner, dice, session };
    if manner == Manner::Reset {
        run.other_message();
        run.reset(params.iv)?;
    }
    let out = match (&run.session, message.tag) {
        (Session::Aead(_), Some(tag)) => run.open(tag),
        (Session::Aead(_) | Session::Cipher(_), _) => run.transform(),
        (Session::Mac(_), Some(tag)) => return run.verify(tag),
        _ => run.authenticate(),
    };
    if let Ok(out) = &out {
        run.has_ended(out);
    }
    out
}

/// The output, which every manner must give: else it panics.
#[allow(dead_code)] // not every test that includes this file wants all manners at once
pub fn every(
    algorithm: &Algorithm,
    params: &Params<'_>,
    message: Message<'_>,
) -> Result<Vec<u8>, Error> {
    let dice = &mut Random::new(message.text.len() as u64);
    let plain = run(algorithm, params, message, Manner::Whole, dice);
    for manner in &MANNERS[1..] {
        let other = run(algorithm, params, message, *manner, dice);
        assert!(
            other == plain,
            "{}, {} bytes: {manner:?} differs from Whole: {:?}",
            algorithm.name,
            message.text.len(),
            (other.err(), plain.err()),
        );
    }
    plain
}

struct Run<'a> {
    message: Message<'a>,
    manner: Manner,
    dice: &'a mut Random,
    session: Session,
}

/// The content of a buffer where no call may write.
const UNTOUCHED: u8 = 0xa5;

impl Run<'_> {
    /// Text that does not belong to the message, to the session at hand.
    fn garbage(&mut self, most: usize) {
        let len = self.dice.below(most);
        let mut text = self.dice.bytes(len);
        match &mut self.session {
            Session::Hash(hash) => hash.update(&text),
            Session::Mac(mac) => mac.update(&text),
            Session::Cipher(cipher) => drop(cipher.update(&mut text)),
            Session::Aead(aead) => {
                if self.message.tag.is_some() || self.dice.below(2) == 0 {
                    let _ = aead.aad(&text);
                } else {
                    let _ = aead.update(&mut text);
                }
            }
        }
    }

    /// Ends a message that is not looked at.
    fn end(&mut self) {
        match &mut self.session {
            Session::Hash(hash) => drop(hash.finalize_reset(&mut [0; 64])),
            Session::Mac(mac) => drop(mac.finalize_reset()),
            Session::Cipher(cipher) => drop(cipher.finalize(&mut [0; 64])),
            Session::Aead(aead) => drop(aead.finalize()),
        }
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        match &mut self.session {
            Session::Hash(hash) => {
                hash.reset();
                Ok(())
            }
            Session::Mac(mac) => mac.reset(iv),
            Session::Cipher(cipher) => cipher.reset(iv),
            Session::Aead(aead) => aead.reset(iv),
        }
    }

    fn other_message(&mut self) {
        self.garbage(300);
        self.garbage(1500);
        if self.dice.below(2) == 0 {
            self.end();
        }
    }

    /// Lets a duplicate go on, in its manner.
    fn maybe_duplicate(&mut self) {
        if self.manner == Manner::Duplicate && self.dice.below(3) == 0 {
            let copy = self.session.clone();
            self.garbage(100);
            if self.dice.below(2) == 0 {
                self.end();
            }
            self.session = copy;
        }
    }

    fn piece(&mut self, left: usize) -> usize {
        if self.manner == Manner::Whole { left } else { piece(self.dice, left) }
    }

    /// Reads data in pieces, from an unaligned buffer.
    fn read(&mut self, data: &[u8]) -> Result<(), Error> {
        let offset = if self.manner == Manner::Whole { 0 } else { 1 + self.dice.below(15) };
        let moved = [&vec![0; offset], data].concat();
        let mut rest = &moved[offset..];
        loop {
            let (piece, after) = rest.split_at(self.piece(rest.len()));
            match &mut self.session {
                Session::Hash(hash) => hash.update(piece),
                Session::Mac(mac) => mac.update(piece),
                Session::Cipher(_) => unreachable!("a cipher writes"),
                Session::Aead(aead) => aead.aad(piece)?,
            }
            self.maybe_duplicate();
            if after.is_empty() {
                return Ok(());
            }
            rest = after;
        }
    }

    fn authenticate(&mut self) -> Result<Vec<u8>, Error> {
        self.read(self.message.text)?;
        match &mut self.session {
            Session::Hash(hash) => {
                let mut digest = vec![0; hash.output_len() + 1];
                let len = hash.finalize_reset(&mut digest)?;
                assert_eq!(digest.pop(), Some(0));
                assert_eq!(len, digest.len());
                Ok(digest)
            }
            Session::Mac(mac) => {
                let (mut right, mut wrong) = (mac.clone(), mac.clone());
                let tag = mac.finalize_reset()?;
                assert_eq!(tag.len(), mac.tag_len());
                assert_eq!(right.verify_reset(&tag), Ok(()));
                let mut changed = tag.to_vec();
                changed[self.dice.below(tag.len())] ^= 1 << self.dice.below(8);
                assert_eq!(wrong.verify_reset(&changed), Err(Error::Verify));
                Ok(tag.to_vec())
            }
            _ => unreachable!("a hash or a MAC"),
        }
    }

    /// Verifies a tag.
    fn verify(&mut self, tag: &[u8]) -> Result<Vec<u8>, Error> {
        self.read(self.message.text)?;
        let Session::Mac(mac) = &mut self.session else { unreachable!("a MAC") };
        mac.verify_reset(tag).map(|()| Vec::new())
    }

    /// Encrypts, decrypts without a tag, or seals.
    fn transform(&mut self) -> Result<Vec<u8>, Error> {
        if let Session::Aead(_) = self.session {
            self.read(self.message.aad)?;
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
                let written = match &mut self.session {
                    Session::Cipher(cipher) => cipher.update(piece)?,
                    Session::Aead(aead) => aead.update(piece).map(|()| piece.len())?,
                    _ => unreachable!("it transforms"),
                };
                out.extend_from_slice(&piece[..written]);
            } else {
                let data = &source[from + done..from + end];
                let piece = &mut target[to + done..to + end];
                let written = match &mut self.session {
                    Session::Cipher(cipher) => cipher.update_b2b(data, piece)?,
                    Session::Aead(aead) => aead.update_b2b(data, piece).map(|()| data.len())?,
                    _ => unreachable!("it transforms"),
                };
                out.extend_from_slice(&piece[..written]);
                let after = &target[to + end..(to + end + 16).min(target.len())];
                assert!(after.iter().all(|byte| *byte == UNTOUCHED), "written after the piece");
            }
            self.maybe_duplicate();
            done = end;
            if done == text.len() {
                break;
            }
        }
        assert!(source[..from].iter().all(|byte| *byte == UNTOUCHED), "written before the text");
        assert!(target[..to].iter().all(|byte| *byte == UNTOUCHED), "written before the text");
        assert!(in_place || source[from..] == *text, "the source was changed");
        match &mut self.session {
            Session::Cipher(cipher) => {
                let mut end = vec![0; cipher.held()];
                let last = cipher.finalize(&mut end)?;
                out.extend_from_slice(&end[..last]);
            }
            Session::Aead(aead) => out.extend_from_slice(&aead.finalize()?),
            _ => unreachable!("it transforms"),
        }
        Ok(out)
    }

    fn open(&mut self, tag: &[u8]) -> Result<Vec<u8>, Error> {
        self.read(self.message.aad)?;
        let Session::Aead(aead) = &mut self.session else { unreachable!("it has a tag") };
        let wrong = aead.clone();
        let unverified = aead.clone().unverified().expect("for decryption");
        let released = self.open_unverified(unverified, tag);
        let Session::Aead(aead) = &mut self.session else { unreachable!("it has a tag") };
        let from = if self.manner == Manner::Whole { 0 } else { 1 + self.dice.below(15) };
        let mut source = [&vec![0; from], self.message.text].concat();
        let mut target = vec![UNTOUCHED; source.len()];
        if self.manner == Manner::InPlace {
            let opened = aead.open(&mut source[from..], tag);
            assert_eq!(released.is_ok(), opened.is_ok());
            opened?;
            target = source;
        } else {
            let opened = aead.open_b2b(&source[from..], &mut target[from..], tag);
            assert!(opened.is_ok() || target.iter().all(|byte| *byte == UNTOUCHED), "released");
            assert_eq!(released.is_ok(), opened.is_ok());
            opened?;
        }
        self.open_changed(wrong, tag);
        let text = target.split_off(from);
        assert!(released == Ok(text.clone()), "unverified, the text is another");
        Ok(text)
    }

    /// The text that comes out before the tag is checked, in pieces; an error when the tag is wrong.
    fn open_unverified(
        &mut self,
        mut aead: UnverifiedSession,
        tag: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let (source, mut out, mut done) = (self.message.text, self.message.text.to_vec(), 0);
        while done < source.len() {
            let end = done + self.piece(source.len() - done);
            if self.dice.below(2) == 0 {
                aead.update(&mut out[done..end])?;
            } else {
                aead.update_b2b(&source[done..end], &mut out[done..end])?;
            }
            done = end;
        }
        aead.clone().verify(tag)?;
        let (mut other, len) = (aead.clone(), tag.len());
        assert_eq!(other.set_tag_len(17), Err(Error::TagLength));
        assert_eq!(other.set_tag_len(len), Ok(()));
        assert_eq!(other.verify(&tag[..len - 1]), Err(Error::TagLength));
        if len > 4 && other.set_tag_len(4).is_ok() {
            assert_eq!(aead.clone().verify(&tag[..4]), Err(Error::TagLength));
            assert_eq!(other.verify(&tag[..4]), Ok(()));
        }
        aead.verify(tag)?;
        assert_eq!(aead.update(&mut [0]), Err(Error::Finished));
        Ok(out)
    }

    /// The right tag with a bit changed is refused, and nothing is released.
    fn open_changed(&mut self, mut aead: AeadSession, tag: &[u8]) {
        let mut changed = tag.to_vec();
        changed[self.dice.below(tag.len())] ^= 1 << self.dice.below(8);
        let mut target = vec![UNTOUCHED; self.message.text.len()];
        let opened = aead.open_b2b(self.message.text, &mut target, &changed);
        assert_eq!(opened, Err(Error::Verify));
        assert!(target.iter().all(|byte| *byte == UNTOUCHED), "released");
    }

    /// A session that needs a new IV accepts nothing and gives nothing; a hash or MAC has begun the next message.
    fn has_ended(&mut self, out: &[u8]) {
        let mut bytes = [0; 64];
        match &mut self.session {
            Session::Hash(hash) => {
                hash.update(self.message.text);
                assert_eq!(hash.finalize_reset(&mut bytes), Ok(out.len()));
                assert_eq!(bytes[..out.len()], *out);
            }
            Session::Mac(mac) => {
                mac.update(self.message.text);
                assert_eq!(mac.verify_reset(out), Ok(()));
            }
            Session::Cipher(cipher) => {
                if cipher.held() > 0 {
                    assert_eq!(cipher.finalize(&mut bytes), Err(Error::Finished));
                    assert_eq!(cipher.update(&mut bytes), Err(Error::Finished));
                }
            }
            Session::Aead(aead) => {
                let sealing = self.message.tag.is_none();
                let finished = if sealing { Error::Finished } else { Error::Order };
                assert_eq!(aead.finalize().map(|_| ()), Err(finished));
                assert_eq!(aead.update(&mut bytes), Err(finished));
                assert!(aead.open(&mut bytes, &[0; 16]).is_err());
            }
        }
    }
}
