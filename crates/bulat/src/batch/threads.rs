//! Batches on the threads of a rayon pool: long texts are split into pieces, other jobs are dealt out in shares.

use alloc::vec::Vec;

use rayon::prelude::*;

use super::order::order;
use super::parts::{JobParts, TextParts};
use super::{AeadKey, Job, Key, Mode, Text, run};
use crate::memory::Wiped;
use crate::modes::meshing::SECTION;
use crate::modes::mgm::MgmMessage;
use crate::modes::{
    Aead, AeadMessage, BlockMode, Cbc, Cfb, Cnt, Ctr, CtrAcpkm, Ecb, Meshing, Mgm, StreamCipher,
    Xts, acpkm_key,
};
use crate::{BlockCipher, Direction, Error, Gost28147, InOut, Secret};

/// Texts of at least this many bytes are split where the mode allows it: handing over a piece costs some microseconds,
/// far less than its work.
const LONG: usize = 128 << 10;
/// Jobs of fewer bytes altogether stay on one thread.
const SHARE: usize = 16 << 10;
/// Pieces are multiples of this: whole batches of every kernel, and a part of the second-level cache.
const PIECE: usize = 64 << 10;
/// The longest piece.
const MOST: usize = 4 << 20;
/// A piece has at most this many sections, since their schedules are made side by side.
const KEYS: usize = 64;
/// CTR-ACPKM with sections shorter than this stays on one thread: most of the work would be the keys, which form a
/// chain, and the list of keys would be as long as the text.
const SHORT: usize = 256;

/// Like [`run`], on the pool of the calling thread (`ThreadPool::install`, or rayon's default of one thread
/// per processor).
///
/// Long texts are split in ECB, CTR, MGM, XTS, CNT and CTR-ACPKM (between sections of 256 bytes or more; one thread
/// makes their keys in sequence), and in decryption in CBC and CFB with a register of one block. A chain cannot be
/// split. All other jobs are dealt out in shares of about equal size.
pub fn run_on_threads(jobs: Vec<Job<'_>>) -> Vec<Result<(), Error>> {
    let mut results = alloc::vec![Ok(()); jobs.len()];
    let mut rest: Vec<(usize, Job<'_>)> = Vec::with_capacity(jobs.len());
    for (i, job) in jobs.into_iter().enumerate() {
        match split(job) {
            Ok(result) => results[i] = result,
            Err(job) => rest.push((i, job)),
        }
    }
    // The longest first.
    order(&mut rest, |(_, job)| [usize::MAX - job.bytes(), 0]);
    let bytes: usize = rest.iter().map(|(_, job)| job.bytes()).sum();
    // Less work than handing a share over costs stays on this thread.
    let threads = if bytes < SHARE { 1 } else { rayon::current_num_threads().max(1) };
    // Dealt back and forth, so that every share has a similar mixture of long and short jobs.
    let mut shares: Vec<(Vec<usize>, Vec<Job<'_>>)> =
        (0..threads).map(|_| Default::default()).collect();
    for (n, (i, job)) in rest.into_iter().enumerate() {
        let (round, at) = (n / threads, n % threads);
        let share = &mut shares[if round % 2 == 0 { at } else { threads - 1 - at }];
        share.0.push(i);
        share.1.push(job);
    }
    let done: Vec<_> = shares.into_par_iter().map(|(numbers, jobs)| (numbers, run(jobs))).collect();
    for (numbers, share) in done {
        numbers.into_iter().zip(share).for_each(|(i, result)| results[i] = result);
    }
    results
}

/// Runs a job with a long text that can be split; returns any other job.
fn split(job: Job<'_>) -> Result<Result<(), Error>, Job<'_>> {
    if job.bytes() < LONG {
        return Err(job);
    }
    Ok(match job {
        Job::Cipher { key: Key::Kuznyechik(k), mode, iv, text } if can(mode, iv, 16) => {
            cipher(k, mode, iv, text)
        }
        Job::Cipher { key: Key::Magma(k), mode, iv, text } if can(mode, iv, 8) => {
            cipher(k, mode, iv, text)
        }
        Job::Cipher { key: Key::Gost28147(k), mode, iv, text } if can(mode, iv, 8) => {
            cipher(k, mode, iv, text)
        }
        Job::Cipher { key, mode: Mode::CtrAcpkm(section), iv, text } if section >= SHORT => {
            match key {
                Key::Kuznyechik(k) => sections(k, section, iv, text),
                Key::Magma(k) => sections(k, section, iv, text),
                Key::Gost28147(k) => sections(k, section, iv, text),
            }
        }
        Job::Cipher { key: Key::Gost28147(k), mode: Mode::Cnt(meshing), iv, text } => {
            cnt(k, meshing, iv, text)
        }
        Job::Sector { key, tweak, direction, text } => sector(key, direction, tweak, text),
        Job::Seal { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } => {
            seal(k, nonce, aad, text, tag)
        }
        Job::Seal { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } => {
            seal(k, nonce, aad, text, tag)
        }
        Job::Open { key: AeadKey::KuznyechikMgm(k), nonce, aad, text, tag } => {
            open(k, nonce, aad, text, tag)
        }
        Job::Open { key: AeadKey::MagmaMgm(k), nonce, aad, text, tag } => {
            open(k, nonce, aad, text, tag)
        }
        job => return Err(job),
    })
}

fn can(mode: Mode, iv: &[u8], n: usize) -> bool {
    match mode {
        Mode::Ecb(_) => iv.is_empty(),
        Mode::Ctr => true,
        Mode::Cbc(Direction::Decrypt) | Mode::Cfb(Direction::Decrypt) => iv.len() == n,
        _ => false,
    }
}

/// Returns the size of a piece: several pieces for each thread, and no piece so long that the others wait for it at the
/// end.
fn size(len: usize) -> usize {
    len.div_ceil(4 * rayon::current_num_threads().max(1)).next_multiple_of(PIECE).min(MOST)
}

fn cipher<C: BlockCipher>(key: &C, mode: Mode, iv: &[u8], text: Text<'_>) -> Result<(), Error> {
    let (n, size) = (C::BLOCK, size(text.bytes()));
    if matches!(mode, Mode::Ecb(_) | Mode::Cbc(_)) && !text.bytes().is_multiple_of(n) {
        return Err(Error::DataLength);
    }
    let before: Vec<C::Block> = match mode {
        Mode::Ecb(_) | Mode::Ctr => Vec::new(),
        _ => text.before(iv, size),
    };
    if mode == Mode::Ctr {
        // The whole text must be within the limit before any of it is transformed.
        Ctr::with(key.clone(), iv)?.check(text.bytes())?;
    }
    text.pieces(size)?.into_par_iter().enumerate().try_for_each(|(i, piece)| {
        let piece = piece.buffers()?;
        let key = key.clone();
        match mode {
            Mode::Ecb(direction) => Ecb::with(key, direction).update_inout(piece).map(|_| ()),
            Mode::Ctr => {
                let mut ctr = Ctr::with(key, iv)?;
                ctr.seek((i * size) as u64)?;
                ctr.apply_keystream_inout(piece)
            }
            Mode::Cbc(direction) => {
                Cbc::with(key, before[i].as_ref(), direction)?.update_inout(piece).map(|_| ())
            }
            Mode::Cfb(direction) => {
                Cfb::with(key, before[i].as_ref(), direction)?.apply_keystream_inout(piece)
            }
            _ => Err(Error::Parameter),
        }
    })
}

/// Some sections of a text, and the state for their thread, which is wiped in place.
struct Piece<'a, L> {
    text: Text<'a>,
    /// The state for the first section.
    first: Option<L>,
    /// The keys of the other sections.
    keys: Wiped,
}

/// Transforms sections with keys that form a chain. This thread follows the chain by `next`, which writes the keys of
/// the next sections. A piece starts as soon as all its keys are known. `work` gets the number of sections before it.
fn linked<L: Clone + Send + Sync, const N: usize>(
    text: Text<'_>,
    section: usize,
    mut link: L,
    next: impl Fn(&mut L, &mut [[u8; N]]) + Sync,
    work: impl Fn(usize, &L, &[[u8; N]], InOut<'_, '_>) + Sync,
) -> Result<(), Error> {
    let shares = 4 * rayon::current_num_threads().max(1);
    let together = text.bytes().div_ceil(section).div_ceil(shares);
    let together = together.min(MOST / section).clamp(1, KEYS);
    let pieces = text.pieces(together * section)?.into_iter();
    let empty = |text| Piece { text, first: None, keys: Wiped(Vec::new()) };
    let mut pieces: Vec<Piece<'_, L>> = pieces.map(empty).collect();
    let work = &work;
    rayon::scope(|scope| {
        for (i, piece) in pieces.iter_mut().enumerate() {
            if i > 0 {
                next(&mut link, Secret::new([[0; N]]).as_mut_slice());
            }
            piece.first = Some(link.clone());
            piece.keys.0 = alloc::vec![0; N * (piece.text.bytes().div_ceil(section) - 1)];
            next(&mut link, piece.keys.0.as_chunks_mut().0);
            scope.spawn(move |_| {
                // All errors were ruled out before.
                let text = take(&mut piece.text).expect("of one length");
                let first = piece.first.as_ref().expect("given above");
                work(i * together, first, piece.keys.0.as_chunks().0, text);
                (piece.first, piece.keys) = (None, Wiped(Vec::new()));
            });
        }
    });
    Ok(())
}

/// CTR-ACPKM: the calling thread makes the bytes of the keys; each piece makes their schedules side by side.
fn sections<C: BlockCipher>(
    key: &C,
    section: usize,
    iv: &[u8],
    text: Text<'_>,
) -> Result<(), Error> {
    let ctr = CtrAcpkm::with(key.clone(), iv, section)?;
    // The whole text must be within the limit before any of it is transformed.
    ctr.blocks_after(text.bytes())?;
    let next = |cipher: &mut C, keys: &mut [[u8; 32]]| {
        if cipher.next_keys(keys) {
            return;
        }
        for key in keys {
            *key = *acpkm_key(cipher);
            *cipher = cipher.rekey(key);
        }
    };
    linked(text, section, key.clone(), next, |before, first, keys, text| {
        ctr.sections(before, first, keys, text);
    })
}

/// CNT: with meshing a piece is sections, each with its own key and register.
fn cnt(key: &Gost28147, meshing: Meshing, iv: &[u8], text: Text<'_>) -> Result<(), Error> {
    let cnt = Cnt::with(key.clone(), iv)?.meshing(meshing);
    if meshing == Meshing::CryptoPro {
        let next = |cnt: &mut Cnt, keys: &mut [[u8; 40]]| {
            for key in keys {
                *key = *cnt.next_section();
            }
        };
        return linked(text, SECTION, cnt, next, |_, first, keys, text| {
            first.sections(keys, text);
        });
    }
    let size = size(text.bytes());
    text.pieces(size)?.into_par_iter().enumerate().try_for_each(|(i, piece)| {
        let mut cnt = cnt.clone();
        cnt.skip((i * size) as u64 / 8);
        cnt.apply_keystream_inout(piece.buffers()?)
    })
}

fn sector(key: &Xts, direction: Direction, tweak: &[u8; 16], text: Text<'_>) -> Result<(), Error> {
    let (len, size) = (text.bytes(), size(text.bytes()));
    if len as u64 > Xts::LIMIT {
        return Err(Error::Limit);
    }
    // At least two blocks remain for the end, which ciphertext stealing needs.
    let (body, end) = text.split_at((len - 32) / size * size)?;
    let mut pieces = body.pieces(size)?;
    pieces.push(end);
    let pieces: Vec<_> = pieces.into_iter().zip(key.pieces(tweak, size / 16, direction)).collect();
    pieces.into_par_iter().try_for_each(|(piece, run)| {
        run(piece.buffers()?);
        Ok(())
    })
}

/// Moves the buffers out of a piece; its fork stays in place, where it is wiped.
fn take<'a>(piece: &mut Text<'a>) -> Result<InOut<'a, 'a>, Error> {
    core::mem::replace(piece, Text::InPlace(&mut [])).buffers()
}

/// Prepares a message in pieces, with the associated data processed and a fork of the state for each piece.
fn forks<'a, C: BlockCipher>(
    key: &Mgm<C>,
    nonce: &[u8],
    aad: &[u8],
    text: Text<'a>,
) -> Result<(MgmMessage<C>, Vec<(MgmMessage<C>, Text<'a>)>), Error> {
    let size = size(text.bytes());
    let mut mgm = key.message(nonce)?;
    mgm.aad(aad)?;
    mgm.begin_text(text.bytes())?;
    mgm.flush();
    let fork = |(i, piece)| (mgm.fork((i * size / C::BLOCK) as u64), piece);
    let pieces = text.pieces(size)?.into_iter().enumerate().map(fork).collect();
    Ok((mgm, pieces))
}

fn seal<C: BlockCipher>(
    key: &Mgm<C>,
    nonce: &[u8],
    aad: &[u8],
    text: Text<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    if tag.len() != key.tag_len() {
        return Err(Error::TagLength);
    }
    let (mut mgm, mut pieces) = forks(key, nonce, aad, text)?;
    pieces.par_iter_mut().try_for_each(|(fork, piece)| {
        fork.encrypt(take(piece)?);
        Ok(())
    })?;
    mgm.join(pieces.iter().map(|(fork, _)| fork));
    mgm.finish()?.put(tag)
}

fn open<C: BlockCipher>(
    key: &Mgm<C>,
    nonce: &[u8],
    aad: &[u8],
    text: Text<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    let (mut mgm, mut pieces) = forks(key, nonce, aad, text)?;
    pieces.par_iter_mut().for_each(|(fork, piece)| fork.absorb(piece.source()));
    mgm.join(pieces.iter().map(|(fork, _)| fork));
    mgm.check_tag(tag)?;
    pieces.par_iter_mut().try_for_each(|(fork, piece)| {
        fork.crypt(take(piece)?);
        Ok(())
    })
}
