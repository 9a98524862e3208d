//! Processes the chunks of a stream in batches: for devices that process many chunks at once.

use std::io::Write;

use bulat::Direction;
use bulat::batch::Job;

use super::stream::{Chunks, Group, Lookahead, Piece};
use super::{Error, Keys};
use crate::pipeline::{self, Source};

/// Runs all jobs and returns their results, in order.
pub type Run<'a> = &'a mut (dyn FnMut(Vec<Job<'_>>) -> Vec<Result<(), bulat::Error>> + Send);

/// Like [`seal`](super::seal) and [`open`](super::open), with `chunks` chunks in each call of `run`. Meanwhile the next
/// batch is read and the last batch written.
///
/// # Errors
/// As [`seal`](super::seal) and [`open`](super::open); errors of `progress`.
pub fn in_batches<'a>(
    direction: Direction,
    keys: &Keys,
    chunks: usize,
    run: Run<'_>,
    source: impl Into<Source<'a>>,
    destination: &mut dyn Write,
    progress: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<u64, Error> {
    let Source { read: source, stop } = source.into();
    let (room, _) = keys.pieces(direction);
    let mut reader = Lookahead::new(room, 0);
    let mut done = 0;
    pipeline::run(
        true,
        vec![|batch: &mut (Vec<Piece>, usize)| work(direction, keys, run, &mut batch.0[..batch.1])],
        || (Vec::new(), 0),
        |(pieces, n)| {
            *n = 0;
            while *n < chunks.max(1) {
                if pieces.len() == *n {
                    pieces.push(Piece::new(room));
                }
                if !reader.next(source, &mut pieces[*n])? {
                    break;
                }
                *n += 1;
            }
            Ok(*n > 0)
        },
        |(pieces, n)| {
            for piece in &pieces[..*n] {
                destination.write_all(piece.written()).map_err(Error::Write)?;
                done += piece.plain as u64;
                progress(done)?;
            }
            Ok(())
        },
        stop,
    )?;
    Ok(done)
}

fn work(
    direction: Direction,
    keys: &Keys,
    run: &mut (dyn FnMut(Vec<Job<'_>>) -> Vec<Result<(), bulat::Error>> + Send),
    pieces: &mut [Piece],
) -> Result<(), Error> {
    let mut groups: Vec<(u64, Group)> = Vec::new();
    for piece in &mut *pieces {
        piece.plain(keys, direction)?;
        let group = keys.group(piece.index);
        if groups.last().is_none_or(|(g, _)| *g != group) {
            groups.push((group, keys.of_group(group)?));
        }
    }
    let nonces: Vec<_> = pieces.iter().map(|p| keys.nonce(p.index, p.last)).collect();
    let mut jobs = Vec::with_capacity(pieces.len());
    for (piece, nonce) in pieces.iter_mut().zip(&nonces) {
        let group = keys.group(piece.index);
        // The loop above made a key for each group.
        let Some((_, key)) = groups.iter().find(|(g, _)| *g == group) else { continue };
        let nonce = &nonce[..keys.cipher.block()];
        let (text, tag) = piece.parts(keys);
        jobs.push(match direction {
            Direction::Encrypt => Job::seal(key.key(), nonce, &keys.aad, text, tag),
            Direction::Decrypt => Job::open(key.key(), nonce, &keys.aad, text, &*tag),
        });
    }
    let results = run(jobs);
    for (piece, result) in pieces.iter_mut().zip(results) {
        match result {
            // `Chunks` handles chunks that are empty or do not verify: it finds out the reason.
            _ if direction == Direction::Decrypt && piece.plain == 0 && piece.index > 0 => {
                Chunks::new(direction).work(keys, piece)?;
            }
            Ok(()) => piece.done(keys, direction),
            Err(bulat::Error::Verify) => Chunks::new(direction).work(keys, piece)?,
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}
