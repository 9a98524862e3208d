//! Turns a message in a chained mode into a sequence of lanes: CBC, CFB and OFB encryption, OMAC, OMAC-ACPKM, IMIT
//! (GOST R 34.13-2015, sections 5.3 to 5.6; RFC 5830; RFC 8645), with their key changes.

use alloc::boxed::Box;
use core::mem::replace;

use crate::cipher::Chained;
use crate::cipher::{Block, Chain, Data, Lane};
use crate::modes::{AcpkmMaster, double};
use crate::{Error, InOut, Secret};

/// The procedure that changes the key during a message.
pub(super) enum Rekey<C: crate::BlockCipher> {
    /// The key never changes.
    Never,
    /// CryptoPro key meshing (RFC 4357, section 2.3.2), of the key only or of the register too.
    Meshing { register: bool },
    /// ACPKM-Master gives each section its key and K1 (RFC 8645, section 6.3.6).
    Master(Box<AcpkmMaster<C>>),
}

/// The end of a message, after its whole blocks.
pub(super) enum End<'a> {
    /// Nothing.
    Nothing,
    /// Less than a block of text, encrypted with gamma.
    Tail(InOut<'a, 'a>),
    /// The last bytes of a message, 0..=B, and the buffer for the tag.
    Omac(&'a [u8], &'a mut [u8]),
    /// The last bytes of a message, 0..B, the number of whole blocks before, and the buffer for the tag.
    Imit(&'a [u8], usize, &'a mut [u8]),
}

enum Stage {
    /// Make K1 of OMAC.
    Subkey,
    Doubling,
    /// Share K1 with the message before, which has the same key, when that has made it.
    Shared,
    Sharing,
    Body,
    /// Run `End`; then read its result.
    End,
    Ended,
}

/// The blocks that belong to a message.
struct Registers<const B: usize> {
    state: [u8; B],
    k1: [u8; B],
    /// Input for a lane that is not part of the data.
    block: [u8; B],
}

/// A message. Messages are moved often, so parts that few of them have are boxed.
pub(super) struct Message<'a, C: Chained<B>, const B: usize> {
    /// The number of its job.
    pub(super) job: usize,
    first: &'a C,
    now: Option<Box<C>>,
    chain: Chain,
    registers: Secret<Registers<B>>,
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
    /// Creates a message of whole blocks and an end. `rekey` is the procedure that changes the key and its interval in
    /// bytes, which [`Rekey::Never`] ignores.
    #[inline(always)]
    pub(super) fn new(
        job: usize,
        key: &'a C,
        (chain, iv): (Chain, [u8; B]),
        body: Data<'a>,
        end: End<'a>,
        (rekey, section): (Rekey<C>, usize),
    ) -> Self {
        let stage = match (&end, &rekey) {
            (End::Omac(..), Rekey::Never) => Stage::Subkey,
            _ => Stage::Body,
        };
        let (section, room) = match rekey {
            Rekey::Never => (usize::MAX, usize::MAX),
            Rekey::Meshing { .. } => (section, section),
            // The first section's key comes from the master, too.
            Rekey::Master(_) => (section, 0),
        };
        Message {
            job,
            first: key,
            now: None,
            chain,
            registers: Secret::new(Registers { state: iv, k1: [0; B], block: [0; B] }),
            body,
            end,
            section,
            room,
            rekey,
            stage,
        }
    }

    /// Returns a cipher of the message's kind, with its kernel.
    pub(super) fn key(&self) -> &'a C {
        self.first
    }

    /// Returns whether the message makes K1 of OMAC under this key, or shares it.
    pub(super) fn has_subkey_of(&self, key: &C) -> bool {
        core::ptr::eq(self.first, key) && matches!(self.stage, Stage::Subkey | Stage::Shared)
    }

    /// Gives OMAC its K1, which it does not make then.
    pub(super) fn set_subkey(&mut self, k1: &[u8; B]) {
        self.registers.k1 = *k1;
        self.stage = Stage::Body;
    }

    /// Shares K1 with the message before, which [has](Self::has_subkey_of) the K1 of this key.
    pub(super) fn share_subkey(&mut self) {
        self.stage = Stage::Shared;
    }

    /// Returns whether the message has no lane yet, because it waits for K1.
    pub(super) fn waits(&mut self) -> bool {
        let waits = matches!(self.stage, Stage::Shared);
        if waits {
            self.stage = Stage::Sharing;
        }
        waits
    }

    /// Makes K1 of OMAC from the encrypted zeros, or copies the K1 of the message before.
    pub(super) fn subkey(&mut self, k1: &mut Secret<[u8; B]>) {
        let r = &mut *self.registers;
        match self.stage {
            Stage::Doubling => {
                r.k1 = replace(&mut r.state, [0; B]);
                double(&mut r.k1);
                **k1 = r.k1;
            }
            Stage::Sharing => r.k1 = **k1,
            _ => return,
        }
        self.stage = Stage::Body;
    }

    fn next_section(&mut self) -> Result<(), Error> {
        match &mut self.rekey {
            Rekey::Never => {}
            Rekey::Meshing { register } => {
                let next = self.now.as_deref().unwrap_or(self.first).meshed();
                if *register {
                    next.encrypt_block(&mut self.registers.state);
                }
                self.now = Some(Box::new(next));
            }
            Rekey::Master(master) => {
                let mut material = Secret::new([0u8; 48]);
                let material = &mut material[..32 + B];
                master.next(material)?;
                let (key, k1) = material.split_at(32);
                let next = self.first.rekey(key.try_into().expect("32 bytes"));
                self.now = Some(Box::new(next));
                self.registers.k1.copy_from_slice(k1);
            }
        }
        self.room = self.section;
        Ok(())
    }

    /// Returns how many of the next `want` bytes (at least 1) the current key encrypts.
    fn room(&mut self, want: usize) -> Result<usize, Error> {
        if self.room == 0 {
            self.next_section()?;
        }
        let n = want.min(self.room);
        self.room -= n;
        Ok(n)
    }

    /// Returns the next lane, which must run before the next call, or `None` after the last.
    ///
    /// Inlined: returning a lane through memory costs as much as everything else here.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Result<Option<(Chain, Lane<'_, C::Schedule, B>)>, Error> {
        loop {
            match self.stage {
                Stage::Subkey => {
                    self.stage = Stage::Doubling;
                    return Ok(Some(self.outside(Chain::Mac)));
                }
                Stage::Doubling | Stage::Shared | Stage::Sharing => {
                    unreachable!("after `waits` and `subkey`")
                }
                Stage::Body if self.body.is_empty() => self.stage = Stage::End,
                Stage::Body => {
                    let n = self.room(self.body.len())?;
                    let (piece, rest) =
                        super::lanes::split(replace(&mut self.body, Data::Read(&[])), n);
                    self.body = rest;
                    let schedule = self.now.as_deref().unwrap_or(self.first).schedule();
                    let lane = Lane { schedule, state: &mut self.registers.state, data: piece };
                    return Ok(Some((self.chain, lane)));
                }
                Stage::End => {
                    self.stage = Stage::Ended;
                    match &mut self.end {
                        End::Nothing => {}
                        End::Tail(tail) if tail.is_empty() => {}
                        End::Tail(_) => {
                            self.room(B)?;
                            self.registers.block = [0; B];
                            return Ok(Some(self.outside(Chain::Mac)));
                        }
                        End::Omac(..) => {
                            self.room(B)?;
                            self.last_of_omac();
                            return Ok(Some(self.outside(Chain::Mac)));
                        }
                        End::Imit(last, blocks, _) => {
                            // If there is only a single block, a block of zeros follows it.
                            if !last.is_empty() || *blocks == 1 {
                                let block = &mut self.registers.block;
                                *block = [0; B];
                                block[..last.len()].copy_from_slice(last);
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
                            crate::modes::add(tail, &self.registers.state[..n]);
                        }
                        End::Omac(_, tag) | End::Imit(_, _, tag) => {
                            tag.copy_from_slice(&self.registers.state[..tag.len()]);
                        }
                    }
                    return Ok(None);
                }
            }
        }
    }

    /// Section 5.6: mixes the last block with K1, or pads it and mixes it with K2.
    fn last_of_omac(&mut self) {
        let End::Omac(last, _) = &self.end else { return };
        let Registers { k1, block, .. } = &mut *self.registers;
        *block = *k1;
        if last.len() < B {
            double(block);
            block[last.len()] ^= 0x80;
        }
        block.iter_mut().zip(last.iter()).for_each(|(b, x)| *b ^= x);
    }

    /// Returns a lane over the block that is not part of the data.
    fn outside(&mut self, chain: Chain) -> (Chain, Lane<'_, C::Schedule, B>) {
        let schedule = self.now.as_deref().unwrap_or(self.first).schedule();
        let Registers { state, block, .. } = &mut *self.registers;
        (chain, Lane { schedule, state, data: Data::Read(&*block) })
    }
}
