//! A message in a chained mode as a sequence of lanes: CBC, CFB and OFB encryption, OMAC, OMAC-ACPKM,
//! IMIT (GOST R 34.13-2015, sections 5.3 to 5.6; RFC 5830; RFC 8645), with their key changes.

use core::mem::replace;

use super::Chained;
use crate::kernel::{Block, Chain, Data, Lane};
use crate::modes::{AcpkmMaster, double};
use crate::{Error, InOut, Secret};

/// What changes the key, and after how many octets.
pub(super) enum Rekey<C: crate::BlockCipher> {
    /// Nothing.
    Never,
    /// CryptoPro key meshing (RFC 4357, section 2.3.2), of the register too or of the key alone.
    Meshing { register: bool },
    /// ACPKM-Master gives each section its key and K1 (RFC 8645, section 6.3.6).
    Master(AcpkmMaster<C>),
}

/// What follows the whole blocks.
pub(super) enum End<'a> {
    /// Nothing.
    Nothing,
    /// Less than a block of text, under gamma.
    Tail(InOut<'a, 'a>),
    /// The last octets of a message, 0..=B, and where the tag goes.
    Omac(&'a [u8], &'a mut [u8]),
    /// The last octets of a message, 0..B, the number of whole blocks before, and where the tag goes.
    Imit(&'a [u8], usize, &'a mut [u8]),
}

enum Stage {
    /// K1 of OMAC is to be made.
    Subkey,
    Doubling,
    Body,
    /// What `End` has is to be run, or has been.
    End,
    Ended,
}

/// One message.
pub(super) struct Message<'a, C: Chained<B>, const B: usize> {
    /// The number of its job.
    pub(super) job: usize,
    first: &'a C,
    now: Option<C>,
    chain: Chain,
    state: Secret<[u8; B]>,
    k1: Secret<[u8; B]>,
    /// A block that does not stand in the data.
    block: Secret<[u8; B]>,
    body: Data<'a>,
    end: End<'a>,
    rekey: Rekey<C>,
    section: usize,
    room: usize,
    stage: Stage,
}

impl<'a, C: Chained<B>, const B: usize> Message<'a, C, B>
where
    [u8; B]: Block,
{
    /// A message of whole blocks and what follows them. `rekey`: what changes the key after how many
    /// octets; for [`Rekey::Never`] the number means nothing.
    pub(super) fn new(
        job: usize,
        key: &'a C,
        (chain, iv): (Chain, [u8; B]),
        body: Data<'a>,
        end: End<'a>,
        (rekey, section): (Rekey<C>, usize),
    ) -> Result<Self, Error> {
        let mut message = Message {
            job,
            first: key,
            now: None,
            chain,
            state: Secret::new(iv),
            k1: Secret::new([0; B]),
            block: Secret::new([0; B]),
            body,
            end,
            section: if matches!(rekey, Rekey::Never) { usize::MAX } else { section },
            room: 0,
            rekey,
            stage: Stage::Body,
        };
        match (&message.end, &message.rekey) {
            (End::Omac(..), Rekey::Never) => message.stage = Stage::Subkey,
            (_, Rekey::Master(_)) => message.next_section()?,
            _ => {}
        }
        message.room = message.section;
        Ok(message)
    }

    /// A key of its kind, which has the kernel.
    pub(super) fn key(&self) -> &'a C {
        self.first
    }

    fn next_section(&mut self) -> Result<(), Error> {
        match &mut self.rekey {
            Rekey::Never => {}
            Rekey::Meshing { register } => {
                let next = self.now.as_ref().unwrap_or(self.first).meshed();
                if *register {
                    next.encrypt_block(&mut self.state);
                }
                self.now = Some(next);
            }
            Rekey::Master(master) => {
                let mut material = Secret::new([0u8; 48]);
                let material = &mut material[..32 + B];
                master.next(material)?;
                let (key, k1) = material.split_at(32);
                self.now = Some(self.first.rekey(key.try_into().expect("32 octets")));
                self.k1.copy_from_slice(k1);
            }
        }
        self.room = self.section;
        Ok(())
    }

    /// How many of the next `want` octets, more than none, go under the key of now.
    fn room(&mut self, want: usize) -> Result<usize, Error> {
        if self.room == 0 {
            self.next_section()?;
        }
        let n = want.min(self.room);
        self.room -= n;
        Ok(n)
    }

    /// The next lane, to be run before this is called again; `None`: the message is done.
    pub(super) fn next(&mut self) -> Result<Option<(Chain, Lane<'_, C::Schedule, B>)>, Error> {
        loop {
            match self.stage {
                Stage::Subkey => {
                    self.stage = Stage::Doubling;
                    return Ok(Some(self.outside(Chain::Mac)));
                }
                Stage::Doubling => {
                    *self.k1 = *self.state;
                    double(&mut *self.k1);
                    *self.state = [0; B];
                    self.stage = Stage::Body;
                }
                Stage::Body if self.body.is_empty() => self.stage = Stage::End,
                Stage::Body => {
                    let n = self.room(self.body.len())?;
                    let (piece, rest) =
                        super::lanes::split(replace(&mut self.body, Data::Read(&[])), n);
                    self.body = rest;
                    let schedule = self.now.as_ref().unwrap_or(self.first).schedule();
                    let lane = Lane { schedule, state: &mut self.state, data: piece };
                    return Ok(Some((self.chain, lane)));
                }
                Stage::End => {
                    self.stage = Stage::Ended;
                    match &mut self.end {
                        End::Nothing => {}
                        End::Tail(tail) if tail.is_empty() => {}
                        End::Tail(_) => {
                            self.room(B)?;
                            *self.block = [0; B];
                            return Ok(Some(self.outside(Chain::Mac)));
                        }
                        End::Omac(..) => {
                            self.room(B)?;
                            self.last_of_omac();
                            return Ok(Some(self.outside(Chain::Mac)));
                        }
                        End::Imit(last, blocks, _) => {
                            // A block of zeros follows the first, if it is the only one.
                            if !last.is_empty() || *blocks == 1 {
                                *self.block = [0; B];
                                self.block[..last.len()].copy_from_slice(last);
                                (*blocks, *last) = (*blocks + 1, &[]);
                                self.stage = Stage::End;
                                self.room(B)?;
                                return Ok(Some(self.outside(Chain::Imit)));
                            }
                        }
                    }
                }
                Stage::Ended => {
                    match replace(&mut self.end, End::Nothing) {
                        End::Nothing => {}
                        End::Tail(tail) => {
                            let n = tail.len();
                            crate::modes::add(tail, &self.state[..n]);
                        }
                        End::Omac(_, tag) | End::Imit(_, _, tag) => {
                            tag.copy_from_slice(&self.state[..tag.len()]);
                        }
                    }
                    return Ok(None);
                }
            }
        }
    }

    /// Section 5.6: the last block, mixed with K1, or padded and mixed with K2.
    fn last_of_omac(&mut self) {
        let End::Omac(last, _) = &self.end else { return };
        *self.block = *self.k1;
        if last.len() < B {
            double(&mut *self.block);
            self.block[last.len()] ^= 0x80;
        }
        self.block.iter_mut().zip(last.iter()).for_each(|(b, x)| *b ^= x);
    }

    /// The lane of the block that does not stand in the data.
    fn outside(&mut self, chain: Chain) -> (Chain, Lane<'_, C::Schedule, B>) {
        let schedule = self.now.as_ref().unwrap_or(self.first).schedule();
        (chain, Lane { schedule, state: &mut self.state, data: Data::Read(&*self.block) })
    }
}
