//! Several texts in one call of `batch::run`, each under its own key.

use bulat::algorithm::{Algorithm, Key, Kind, Message, Params, Work as Operation};
use bulat::batch::{self, Job};
use bulat::{Direction, Error};
use engine::{Case, Input, Work};

use crate::key_len;

/// The job of a text, or none where no batch has one.
fn job<'a>(
    key: &'a Key,
    direction: Direction,
    iv: &'a [u8],
    text: &'a mut [u8],
    tag: &'a mut [u8],
) -> Result<Option<Job<'a>>, Error> {
    let work = match key.algorithm().kind {
        Kind::Hash => Operation::Hash(text, tag),
        Kind::Mac => Operation::Mac(text, tag),
        Kind::Aead => Operation::Seal(&[], text.into(), tag),
        _ => Operation::Cipher(direction, text.into()),
    };
    let iv = if matches!(work, Operation::Mac(..)) { &[] } else { iv };
    Ok(Message { key, iv, work }.job()?.ok())
}

pub fn open(a: &'static Algorithm, case: &Case) -> Result<Work, String> {
    let direction = if case.decrypt { Direction::Decrypt } else { Direction::Encrypt };
    let new = |i| a.key(&Params::new(&engine::key(i, key_len(a))));
    let keys = (0..case.streams).map(new).collect::<Result<Vec<_>, _>>();
    let keys = keys.map_err(|e| e.to_string())?;
    let ivs: Vec<Vec<u8>> = (0..case.streams).map(|i| engine::iv(i, a.iv.usual())).collect();
    let out = if a.kind == Kind::Cipher { 0 } else { a.out };
    let (mut text, mut tag) = (vec![0; case.size], vec![0; out]);
    let trial = job(&keys[0], direction, &ivs[0], &mut text, &mut tag);
    if trial.map_err(|e| e.to_string())?.is_none() {
        return Err(format!("{} is no job of a batch", a.name));
    }
    Ok(Box::new(move |input: &mut Input| {
        let messages = input.both().zip(keys.iter().zip(&ivs));
        let jobs = messages.map(|((text, tag), (key, iv))| {
            tag.resize(out, 0);
            job(key, direction, iv, text, tag).ok().flatten().expect("a job, as the trial")
        });
        for result in batch::run(jobs.collect()) {
            result.expect("a job");
        }
    }))
}
