//! The algorithms over GOST 28147-89; and its modes one block after another, for messages too long for
//! one call of the models: the steps of the standard again, with the meshing before block 128, 256, ...

use reference::gost28147::{self as gost, Meshing};
use reference::magma::{self, Gost89};
use reference::{Cipher, Error, gost94};
use vectors::Op::{self, Decrypt, Encrypt, Mac, Part, Unwrap, Verify, Wrap};
use vectors::{Answer, Call, Refused, Sbox, Stream};

use super::{Modelled, array, block, both, verified};

/// GOST 28147-89 and GOST R 34.11-94.
pub fn run(call: &Call) -> Modelled {
    let Call { key, iv, data, .. } = *call;
    let sbox = table(call.sbox?);
    let (mesh, tag_len) = (meshing(call), call.tag_len.unwrap_or(4));
    Some(match (call.algorithm.as_str(), call.op) {
        ("gost28147", Encrypt | Decrypt) => Gost89::new(key, sbox).and_then(|c| block(&c, call)),
        ("gost28147-sbox", Part) => Ok(sbox.concat()),
        ("gost28147-mesh", Part) => gost::mesh(key, iv, sbox).map(both),
        ("gost89-ecb", Encrypt) => gost::ecb_encrypt(key, sbox, data),
        ("gost89-ecb", Decrypt) => gost::ecb_decrypt(key, sbox, data),
        ("gost89-cnt", Encrypt) => gost::cnt(key, sbox, iv, mesh, data),
        ("gost89", Encrypt) => gost::cfb_encrypt(key, sbox, iv, mesh, data),
        ("gost89", Decrypt) => gost::cfb_decrypt(key, sbox, iv, mesh, data),
        ("gost89-cbc", Encrypt) => gost::cbc_encrypt(key, sbox, iv, mesh, data),
        ("gost89-cbc", Decrypt) => gost::cbc_decrypt(key, sbox, iv, mesh, data),
        ("gost-mac", Mac) => gost::imit(key, sbox, iv, mesh, data, tag_len),
        ("gost-mac", Verify) => {
            verified(gost::imit_verify(key, sbox, iv, mesh, data, tag_len, call.tag))
        }
        ("gost28147-keywrap", Wrap) => gost::wrap_gost(key, iv, data, sbox),
        ("gost28147-keywrap", Unwrap) => gost::unwrap_gost(key, data, sbox),
        ("cryptopro-keywrap", Wrap) => gost::wrap_cryptopro(key, iv, data, sbox),
        ("cryptopro-keywrap", Unwrap) => gost::unwrap_cryptopro(key, data, sbox),
        ("cryptopro-diversify", Op::Derive) => gost::kek_diversify(key, iv, sbox),
        ("gost94", Op::Hash) => Ok(gost94::hash(sbox, data)),
        _ => return None,
    })
}

pub fn table(sbox: Sbox) -> &'static magma::Sbox {
    magma::sbox(sbox.name()).expect("every parameter set is there")
}

fn meshing(call: &Call) -> Meshing {
    match call.meshing {
        Some(vectors::Meshing::CryptoPro) => Meshing::CryptoPro,
        _ => Meshing::None,
    }
}

/// CNT, CFB encryption or IMIT of a message in pieces.
pub fn stream(call: &Call) -> Result<Box<dyn Stream>, Error> {
    let sbox = table(call.sbox.ok_or(Error::Sbox)?);
    let mut blocks = Blocks {
        cipher: Gost89::new(call.key, sbox)?,
        key: call.key.to_vec(),
        sbox,
        meshing: meshing(call),
        register: array(call.iv)?,
        count: 0,
    };
    match call.algorithm.as_str() {
        "gost89-cnt" => {
            blocks.cipher.encrypt(&mut blocks.register);
            Ok(Box::new(Gamma { blocks, feedback: false, current: [0; 8], used: 8 }))
        }
        "gost89" => Ok(Box::new(Gamma { blocks, feedback: true, current: [0; 8], used: 8 })),
        _ => Ok(Box::new(Imit { blocks, held: Vec::new(), tag_len: call.tag_len.unwrap_or(4) })),
    }
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

impl Stream for Gamma {
    fn update(&mut self, data: &mut [u8]) -> Result<(), Refused> {
        let Gamma { blocks, feedback, current, used } = self;
        for octet in data {
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
            *octet ^= current[*used];
            if *feedback {
                blocks.register[*used] = *octet;
            }
            *used += 1;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Answer {
        Ok(Vec::new())
    }
}

/// IMIT that holds the last bytes back until it knows that they are the last.
struct Imit {
    blocks: Blocks,
    held: Vec<u8>,
    tag_len: usize,
}

impl Imit {
    fn step(&mut self, block: &[u8]) -> Result<(), Refused> {
        self.blocks.next()?;
        self.blocks.register.iter_mut().zip(block).for_each(|(state, octet)| *state ^= octet);
        self.blocks.cipher.mac_step(&mut self.blocks.register);
        Ok(())
    }
}

impl Stream for Imit {
    fn update(&mut self, data: &mut [u8]) -> Result<(), Refused> {
        for octet in data {
            if self.held.len() == 8 {
                let block = std::mem::take(&mut self.held);
                self.step(&block)?;
            }
            self.held.push(*octet);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Answer {
        let block = std::mem::take(&mut self.held);
        if !block.is_empty() {
            self.step(&block)?; // a short block is padded with zeros, which change nothing
            if self.blocks.count == 1 {
                self.step(&[])?; // at least two blocks
            }
        }
        Ok(self.blocks.register[..self.tag_len].to_vec())
    }
}
