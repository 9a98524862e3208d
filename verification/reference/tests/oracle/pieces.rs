//! The modes of GOST 28147-89 block after block, for messages too long for one call of the models: the steps of
//! the standard again, with the meshing before block 128, 256, ...

use reference::gost28147::{self as gost, Meshing};
use reference::magma::{self, Gost89};
use reference::{Cipher, Error};
use vectors::{Answer, Call, Pieces, Refused};

use super::array;
use super::gost28147::{meshing, table};

/// CNT, CFB encryption or IMIT of a message in pieces.
pub fn stream(call: &Call, text: Pieces) -> Answer {
    let blocks = Blocks::new(call).map_err(Refused::because)?;
    if call.algorithm == "gost-mac" {
        let mut imit = Imit { blocks, held: Vec::new() };
        text(&mut |piece| imit.update(piece))?;
        return imit.finish(call.tag_len.unwrap_or(4));
    }
    let feedback = call.algorithm == "gost89";
    let mut gamma = Gamma { blocks, feedback, current: [0; 8], used: 8 };
    if !feedback {
        gamma.blocks.cipher.encrypt(&mut gamma.blocks.register);
    }
    text(&mut |piece| gamma.update(piece)).map(|()| Vec::new())
}

struct Blocks {
    cipher: Gost89,
    key: Vec<u8>,
    sbox: &'static magma::Sbox,
    meshing: Meshing,
    register: [u8; 8],
    count: u64,
}

impl Blocks {
    fn new(call: &Call) -> Result<Self, Error> {
        let sbox = table(call.sbox.ok_or(Error::Sbox)?);
        Ok(Blocks {
            cipher: Gost89::new(call.key, sbox)?,
            key: call.key.to_vec(),
            sbox,
            meshing: meshing(call),
            register: array(call.iv)?,
            count: 0,
        })
    }

    /// Called before each block: does the meshing that is due, and says whether there was any.
    fn next(&mut self) -> Result<bool, Refused> {
        let due =
            self.meshing == Meshing::CryptoPro && self.count > 0 && self.count.is_multiple_of(128);
        self.count += 1;
        if due {
            self.key = gost::mesh_key(&self.key, self.sbox).map_err(Refused::because)?;
            self.cipher = Gost89::new(&self.key, self.sbox).map_err(Refused::because)?;
        }
        Ok(due)
    }

    /// The counter of CNT: N3 and N4 advanced.
    fn advance(&mut self) {
        let (low, high) = self.register.split_at_mut(4);
        let n3 = u32::from_le_bytes(low.try_into().expect("four bytes"));
        let n4 = u32::from_le_bytes(high.try_into().expect("four bytes"));
        let (n4, carry) = n4.overflowing_add(0x0101_0104);
        low.copy_from_slice(&n3.wrapping_add(0x0101_0101).to_le_bytes());
        high.copy_from_slice(&(n4 + u32::from(carry)).to_le_bytes());
    }
}

/// The gamma of the current block. With `feedback`, the ciphertext is the next register (CFB); without,
/// the register is a counter (CNT).
struct Gamma {
    blocks: Blocks,
    feedback: bool,
    current: [u8; 8],
    used: usize,
}

impl Gamma {
    fn update(&mut self, data: &mut [u8]) -> Result<(), Refused> {
        let Gamma { blocks, feedback, current, used } = self;
        for byte in data {
            if *used == 8 {
                if blocks.next()? {
                    blocks.cipher.encrypt(&mut blocks.register);
                }
                if !*feedback {
                    blocks.advance();
                }
                *current = blocks.register;
                blocks.cipher.encrypt(current);
                *used = 0;
            }
            *byte ^= current[*used];
            if *feedback {
                blocks.register[*used] = *byte;
            }
            *used += 1;
        }
        Ok(())
    }
}

/// IMIT that holds the last bytes back until it knows that they are the last.
struct Imit {
    blocks: Blocks,
    held: Vec<u8>,
}

impl Imit {
    fn step(&mut self, block: &[u8]) -> Result<(), Refused> {
        self.blocks.next()?;
        self.blocks.register.iter_mut().zip(block).for_each(|(state, byte)| *state ^= byte);
        self.blocks.cipher.mac_step(&mut self.blocks.register);
        Ok(())
    }

    fn update(&mut self, data: &mut [u8]) -> Result<(), Refused> {
        for byte in data {
            if self.held.len() == 8 {
                let block = std::mem::take(&mut self.held);
                self.step(&block)?;
            }
            self.held.push(*byte);
        }
        Ok(())
    }

    fn finish(mut self, tag_len: usize) -> Answer {
        let block = std::mem::take(&mut self.held);
        if !block.is_empty() {
            self.step(&block)?; // a short block is padded with zeros, which change nothing
            if self.blocks.count == 1 {
                self.step(&[])?; // at least two blocks
            }
        }
        Ok(self.blocks.register[..tag_len].to_vec())
    }
}
