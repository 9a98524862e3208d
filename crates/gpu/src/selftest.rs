//! Runs known data through every kernel of a program before its first use, and compares it with the library.

use std::sync::Arc;

use bulat::batch::Key;
use bulat::kdf::pbkdf2;
use bulat::{
    Aead, BlockCipher, Direction, Gost28147, HmacStreebog512, Kuznyechik, KuznyechikMgm, Magma,
    MagmaMgm, ParamSet, Sboxes, Streebog256, Streebog512,
};
use bulat_core::cipher::{Block, Chain, Count, Shapes as _};

use crate::{Channel, Device, Error, Map, Program, Result, Sections, Spans};

/// Returns bytes without an obvious pattern.
fn noise(n: usize, mut seed: u64) -> Vec<u8> {
    (0..n)
        .map(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        })
        .collect()
}

fn check(kernel: &str, have: &[u8], want: &[u8]) -> Result<()> {
    if have == want { Ok(()) } else { Err(Error::Wrong(kernel.into())) }
}

/// Returns the first wrong kernel, or the driver's error.
pub(crate) fn run(device: &Arc<Device>, program: Program) -> Result<()> {
    let mut channel = device.channel()?;
    channel.testing = true;
    let k: [u8; 32] = core::array::from_fn(|i| 7 * i as u8 + 1);
    match program {
        Program::Magma => cipher(&mut channel, &Magma::new(&k), |k| Key::Magma(k), Magma::new),
        Program::Kuznyechik => {
            cipher(&mut channel, &Kuznyechik::new(&k), |k| Key::Kuznyechik(k), Kuznyechik::new)
        }
        Program::Gost28147(set) => {
            let set = ParamSet::ALL[usize::from(set) % 8];
            cipher(
                &mut channel,
                &Gost28147::new(&k, set),
                |k| Key::Gost28147(k),
                |k| Gost28147::new(k, set),
            )
        }
        Program::OwnBoxes => {
            let row = |r: usize| core::array::from_fn(|i| (5 * i + r) as u8 % 16);
            let boxes = Sboxes::new(core::array::from_fn(row))?;
            let new = |k: &[u8; 32]| Gost28147::new(k, boxes.clone());
            cipher(&mut channel, &new(&k), |k| Key::Gost28147(k), new)
        }
        Program::Streebog => hashes(&mut channel),
        Program::Gf => {
            products(&mut channel, Key::Kuznyechik(&Kuznyechik::new(&k)), &KuznyechikMgm::new(&k))?;
            products(&mut channel, Key::Magma(&Magma::new(&k)), &MagmaMgm::new(&k))
        }
        // These kernels are useful only with the ciphers, and are tested with them.
        Program::Beside => Ok(()),
    }
}

fn cipher<C: BlockCipher>(
    channel: &mut Channel,
    key: &C,
    named: impl for<'a> Fn(&'a C) -> Key<'a>,
    new: impl Fn(&[u8; 32]) -> C,
) -> Result<()> {
    let n = C::BLOCK;
    // More than a group, but not whole groups.
    let text = noise(1200 * n, 1);
    let zero = [0u8; 16];
    let (source, destination) = (channel.allocate(text.len())?, channel.allocate(text.len())?);
    channel.write(&source, 0, &text)?;
    let mut have = vec![0; text.len()];
    let work = named(key);
    for (name, direction) in
        [("encryption", Direction::Encrypt), ("decryption", Direction::Decrypt)]
    {
        channel.map(&work, Map::Ecb(direction), &source, &destination, text.len())?;
        channel.read(&destination, 0, &mut have)?;
        let mut want = text.clone();
        key.map(direction, want.as_mut_slice().into());
        check(name, &have, &want)?;
    }
    let mut register = C::Block::clone(&bulat_block::<C>(&noise(n, 2)));
    channel.stream(
        &work,
        register.as_ref(),
        Count::Whole,
        Some(&source),
        &destination,
        text.len(),
    )?;
    channel.read(&destination, 0, &mut have)?;
    let mut want = text.clone();
    key.stream(&mut register, Count::Whole, want.as_mut_slice().into());
    check("the counter", &have, &want)?;
    // Two sections and a lane for each of 33 keys.
    let keys: Vec<C> = (0..33u8).map(|i| new(&[i; 32])).collect();
    let all: Vec<Key<'_>> = keys.iter().map(&named).collect();
    let section = 40 * n;
    let registers = noise(2 * n, 6);
    let sections = Sections { registers: &registers, count: Count::Whole, bytes: section };
    channel.sections(&all[..2], sections, Some(&source), &destination, 2 * section)?;
    channel.read(&destination, 0, &mut have[..2 * section])?;
    let mut want = text[..2 * section].to_vec();
    for (i, piece) in want.chunks_mut(section).enumerate() {
        let mut counter = bulat_block::<C>(&registers[i * n..][..n]);
        keys[i].stream(&mut counter, Count::Whole, piece.into());
    }
    check("sections", &have[..2 * section], &want)?;
    let at: Vec<u64> = (0..33).map(|i| (i * 3 * n) as u64).collect();
    let bytes = vec![3 * n as u64; 33];
    let mut states = vec![0; 33 * n];
    channel.lanes(
        &all,
        Chain::CbcEncrypt,
        Spans { at: &at, bytes: &bytes },
        &mut states,
        &source,
        &destination,
    )?;
    channel.read(&destination, 0, &mut have[..99 * n])?;
    let mut want = text[..99 * n].to_vec();
    for (piece, key) in want.chunks_mut(3 * n).zip(&keys) {
        let mut state = bulat_block::<C>(&zero[..n]);
        key.chain(Chain::CbcEncrypt, &mut state, bulat_core::cipher::Data::Through(piece.into()));
    }
    check("chained streams", &have[..99 * n], &want)
}

fn bulat_block<C: BlockCipher>(bytes: &[u8]) -> C::Block {
    let mut block = C::Block::ZERO;
    block.as_mut().copy_from_slice(bytes);
    block
}

/// Compares the tag of MGM with one computed from its parts.
fn products(channel: &mut Channel, key: Key<'_>, mgm: &impl Aead) -> Result<()> {
    let n = mgm.nonce_len();
    let mut nonce = noise(n, 4);
    nonce[0] &= 0x7f;
    let mut text = noise(5 * n, 5);
    let tag = mgm.seal_in_place(&nonce, &[], &mut text)?;
    // The lengths in bits: of the associated data, then of the text.
    text.extend_from_slice(&[0; 16][..n / 2]);
    text.extend_from_slice(&(40 * n as u64).to_be_bytes()[8 - n / 2..]);
    nonce[0] |= 0x80;
    let one = |block: &mut [u8]| match key {
        Key::Kuznyechik(k) => k.map(Direction::Encrypt, block.into()),
        Key::Magma(k) => k.map(Direction::Encrypt, block.into()),
        Key::Gost28147(k) => k.map(Direction::Encrypt, block.into()),
    };
    one(&mut nonce);
    let source = channel.allocate(text.len())?;
    channel.write(&source, 0, &text)?;
    let mut sum = channel.products(&key, &nonce, text.len(), &source, text.len())?;
    one(&mut sum);
    check("the products of MGM", &sum, &tag)
}

fn hashes(channel: &mut Channel) -> Result<()> {
    // A group of 128 messages and part of another.
    const MANY: usize = 130;
    let text = noise(4096, 3);
    let source = channel.allocate(text.len())?;
    channel.write(&source, 0, &text)?;
    let at: Vec<u64> = (0..MANY as u64).map(|i| 4 * i).collect();
    let bytes: Vec<u64> = (0..MANY as u64).map(|i| 11 * i).collect();
    let message = |i: usize| &text[at[i] as usize..][..bytes[i] as usize];
    let spans = Spans { at: &at, bytes: &bytes };
    let have = channel.hash(64, spans, &source)?;
    let want: Vec<u8> = (0..MANY).flat_map(|i| Streebog512::digest(message(i))).collect();
    check("Streebog-512", &have, &want)?;
    let have = channel.hash(32, spans, &source)?;
    let want: Vec<u8> = (0..MANY).flat_map(|i| Streebog256::digest(message(i))).collect();
    check("Streebog-256", &have, &want)?;
    let keys: Vec<&[u8]> =
        (0..MANY).map(|i| &text[i..2 * i + 3]).map(|k| &k[..k.len().min(64)]).collect();
    let have = channel.hmac(64, &keys, spans, &source)?;
    let want: Vec<u8> =
        (0..MANY).flat_map(|i| HmacStreebog512::mac(keys[i], message(i)).to_vec()).collect();
    check("HMAC", &have, &want)?;
    let have = channel.pbkdf2(&keys[..2], &keys[2..4], &[1, 1], 3)?;
    let mut want = [0; 128];
    for (i, out) in want.chunks_mut(64).enumerate() {
        pbkdf2::<64>(keys[i], keys[2 + i], 3, out)?;
    }
    check("PBKDF2", &have, &want)
}
