//! A few jobs that gain nothing side by side, one after the other: the lists of a batch cost as much as a short message.

use bulat_core::streebog::KERNELS;

use super::parts::TextParts;
use super::short::SHORT;
use super::{AeadKey, Job, Key, MacMode, Mode, OmacKey, Text, aead_once, at_once, block, together};
use crate::cipher::{Block, Chain, Chained, Data, Shapes};
use crate::kernel::{self, Shape};
use crate::modes::burst::Tag;
use crate::modes::{Meshing, add, omac_once};
use crate::{Error, Gost28147, InOut, Secret, Streebog256, Streebog512};

/// The work that two jobs can share.
#[derive(Clone, Copy)]
enum Way {
    /// Nothing.
    Own,
    /// A chain's calls: its blocks, and the bytes of one.
    Chain(usize, usize),
    /// A hash's calls: its blocks.
    Hash(usize),
    /// The calls of a key, which has this address, if the messages are short.
    Blocks(usize, bool),
    /// The calls of a key, which has this address: the bytes.
    Sector(usize, usize),
    /// Left to the batch.
    Other,
}

impl Way {
    #[inline]
    fn of(job: &Job<'_>) -> Way {
        match job {
            Job::Cipher { mode: Mode::Cbc28147(..) | Mode::Cfb28147(..), .. } => Way::Other,
            Job::Cipher { key, mode, iv, text } => match mode.chain(iv, key.block()) {
                Some(_) => Way::Chain(text.bytes() / key.block(), key.block()),
                None => Way::Own,
            },
            Job::Mac { key, mode: MacMode::Omac, message, .. } => {
                Way::Chain(message.len().saturating_sub(1) / key.block(), key.block())
            }
            Job::Mac { mode: MacMode::Imit(Meshing::None), message, .. } => {
                Way::Chain(message.len() / 16, 8)
            }
            Job::Omac(OmacKey::Kuznyechik(_), message, _) => {
                Way::Chain(message.len().saturating_sub(1) / 16, 16)
            }
            Job::Omac(OmacKey::Magma(_), message, _) => {
                Way::Chain(message.len().saturating_sub(1) / 8, 8)
            }
            Job::Hash256(m, _) | Job::Hash512(m, _) => Way::Hash(m.len() / 64),
            Job::Hmac256(_, m, _) => Way::Hash(m.len() / 64 + 1),
            Job::Hmac512(_, m, _) => Way::Hash(m.len() / 64 + 1),
            Job::Seal { key, text, aad, .. } | Job::Open { key, text, aad, .. } => match key {
                AeadKey::KuznyechikMgm(key) => Way::blocks(*key, text, aad, SHORT / 4),
                AeadKey::MagmaMgm(key) => Way::blocks(*key, text, aad, SHORT / 2),
                _ => Way::Other,
            },
            Job::Sector { key, text, .. } => {
                Way::Sector(core::ptr::from_ref(*key).addr(), text.bytes())
            }
            Job::Mac { .. } | Job::Gost94(..) => Way::Other,
        }
    }

    fn blocks<K>(key: &K, text: &Text<'_>, aad: &[u8], most: usize) -> Way {
        let bytes = text.bytes().saturating_add(aad.len());
        Way::Blocks(core::ptr::from_ref(key).addr(), bytes <= most)
    }

    /// Returns whether two jobs save more side by side than their lists cost. Vectors of 512 bits gain less: one stream is
    /// fast there. The numbers are from Zen 4, by `--bench loops`.
    fn gains(self, other: Way, wide: bool) -> bool {
        match (self, other) {
            (Way::Chain(a, n), Way::Chain(b, m)) => {
                let least = match (n, wide) {
                    (16, true) => 8,
                    (16, false) => 2,
                    (_, true) => 6,
                    (_, false) => 3,
                };
                n == m && a.min(b) >= least
            }
            (Way::Hash(a), Way::Hash(b)) => (a == b && (a > 0 || !wide)) || a.min(b) >= 8,
            (Way::Blocks(a, few), Way::Blocks(b, both)) => a == b && few && both,
            (Way::Sector(a, x), Way::Sector(b, y)) => !wide && (a, x) == (b, y) && x <= SHORT / 4,
            (Way::Other, Way::Other) => true,
            _ => false,
        }
    }

    /// As [`Self::gains`], where only three gain.
    fn gain(a: Way, b: Way, c: Way, wide: bool) -> bool {
        match (a, b, c) {
            (Way::Chain(a, n), Way::Chain(b, m), Way::Chain(c, k)) => {
                n == m && m == k && a.min(b).min(c) >= if n == 16 && wide { 4 } else { 2 }
            }
            (Way::Sector(a, x), Way::Sector(b, y), Way::Sector(c, z)) => {
                (a, x) == (b, y) && (b, y) == (c, z) && x <= SHORT / 4
            }
            _ => false,
        }
    }
}

/// Returns whether jobs cost least one after the other. Of more than three, some gain.
#[inline]
pub(super) fn apart(jobs: &[Job<'_>]) -> bool {
    let wide = || kernel::pick(KERNELS, Shape::Messages).name().ends_with("512");
    match jobs {
        [_] => true,
        [a, b] => !Way::of(a).gains(Way::of(b), wide()),
        [a, b, c] => {
            let ([a, b, c], wide) = ([a, b, c].map(Way::of), wide());
            !(a.gains(b, wide) || a.gains(c, wide) || b.gains(c, wide) || Way::gain(a, b, c, wide))
        }
        _ => false,
    }
}

/// Runs a job, without lists where it needs none.
pub(super) fn run(job: Job<'_>) -> Result<(), Error> {
    match job {
        Job::Hash256(message, digest) => *digest = Streebog256::digest(message),
        Job::Hash512(message, digest) => *digest = Streebog512::digest(message),
        Job::Hmac256(key, message, tag) => *tag = *key.tag(&[message]),
        Job::Hmac512(key, message, tag) => *tag = *key.tag(&[message]),
        Job::Omac(OmacKey::Kuznyechik(key), message, tag) => return key.once(message, tag),
        Job::Omac(OmacKey::Magma(key), message, tag) => return key.once(message, tag),
        Job::Mac { key, mode: MacMode::Omac, iv: [], message, tag } => {
            return match key {
                Key::Kuznyechik(key) => omac_once(key, None, message, tag),
                Key::Magma(key) => omac_once(key, None, message, tag),
                Key::Gost28147(key) => omac_once(key, None, message, tag),
            };
        }
        Job::Mac {
            key: Key::Gost28147(key),
            mode: MacMode::Imit(Meshing::None),
            iv,
            message,
            tag,
        } => return imit(key, iv, message, tag),
        Job::Cipher { key: Key::Kuznyechik(key), mode, iv, text } => {
            return cipher(key, mode, iv, text.buffers()?);
        }
        Job::Cipher { key: Key::Magma(key), mode, iv, text } => {
            return cipher(key, mode, iv, text.buffers()?);
        }
        Job::Seal { key, nonce, aad, text, tag } => {
            return aead(key, nonce, aad, text, Tag::Seal(tag));
        }
        Job::Open { key, nonce, aad, text, tag } => {
            return aead(key, nonce, aad, text, Tag::Open(tag));
        }
        Job::Sector { key, tweak, direction, text } => {
            return key.sector_inout(tweak, direction, text.buffers()?);
        }
        job => return together(alloc::vec![job]).0.pop().expect("a result for each job"),
    }
    Ok(())
}

fn aead(
    key: AeadKey<'_>,
    nonce: &[u8],
    aad: &[u8],
    text: Text<'_>,
    tag: Tag<'_>,
) -> Result<(), Error> {
    match key {
        AeadKey::KuznyechikMgm(key) => aead_once(key, nonce, aad, text.buffers()?, tag),
        AeadKey::MagmaMgm(key) => aead_once(key, nonce, aad, text.buffers()?, tag),
        _ if !aad.is_empty() => Err(Error::Order),
        AeadKey::KuznyechikCms(key) => aead_once(key, nonce, aad, text.buffers()?, tag),
        AeadKey::MagmaCms(key) => aead_once(key, nonce, aad, text.buffers()?, tag),
    }
}

fn cipher<C: Chained<B>, const B: usize>(
    key: &C,
    mode: Mode,
    iv: &[u8],
    text: InOut<'_, '_>,
) -> Result<(), Error>
where
    [u8; B]: Block,
{
    let Some(chain) = mode.chain(iv, B) else { return at_once(key, mode, iv, text) };
    let whole = text.len() / B * B;
    let (body, tail) = text.split_at(whole);
    if chain == Chain::CbcEncrypt && !tail.is_empty() {
        return Err(Error::DataLength);
    }
    let mut register = Secret::new(block(iv)?);
    if !body.is_empty() {
        key.chain(chain, &mut register, Data::Through(body));
    }
    if !tail.is_empty() {
        // Its gamma is E(register).
        key.chain(Chain::Mac, &mut register, Data::Read(&[0; B]));
        let n = tail.len();
        add(tail, &register[..n]);
    }
    Ok(())
}

fn imit(key: &Gost28147, iv: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
    crate::tag::checked(tag.len(), 1..=8)?;
    let mut register = Secret::new(if iv.is_empty() { [0; 8] } else { block(iv)? });
    let (body, last) = message.split_at(message.len() / 8 * 8);
    if !body.is_empty() {
        key.chain(Chain::Imit, &mut register, Data::Read(body));
    }
    if !last.is_empty() {
        let mut padded = Secret::new([0; 8]);
        padded[..last.len()].copy_from_slice(last);
        key.chain(Chain::Imit, &mut register, Data::Read(&*padded));
    }
    // If there is only a single block, a block of zeros follows it.
    if (1..=8).contains(&message.len()) {
        key.chain(Chain::Imit, &mut register, Data::Read(&[0; 8]));
    }
    tag.copy_from_slice(&register[..tag.len()]);
    Ok(())
}
