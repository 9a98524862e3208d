//! LUKS's anti-forensic splitter: expands a key to many stripes, all of which are needed to recover it. Destroying any
//! one of them destroys the key.

use zeroize::Zeroizing;

use crate::cipher::Cipher;
use crate::hash::Hash;
use crate::store::Store;
use crate::{Result, random};

/// The stripes of a keyslot.
pub(crate) const STRIPES: usize = 4000;

/// Splits a key of `key.len()` bytes into adjacent stripes in `out`.
pub(crate) fn split(hash: Hash, key: &[u8], out: &mut [u8]) -> Result<()> {
    let n = key.len();
    let body = out.len() - n;
    random(&mut out[..body])?;
    let state = gathered(hash, n, &out[..body]);
    for ((out, key), state) in out[body..].iter_mut().zip(key).zip(&*state) {
        *out = key ^ state;
    }
    Ok(())
}

/// Recovers the key of `n` bytes from its encrypted stripes at `offset` of a store.
pub(crate) fn merge(
    hash: Hash,
    n: usize,
    cipher: &Cipher,
    store: &dyn Store,
    offset: u64,
) -> Result<Zeroizing<Vec<u8>>> {
    let mut stripes = Zeroizing::new(vec![0; (n * STRIPES).next_multiple_of(512)]);
    store.read_at(&mut stripes, offset)?;
    cipher.run(bulat::Direction::Decrypt, (0, 1), 512, &mut stripes)?;
    let (body, last) = stripes[..n * STRIPES].split_at(n * (STRIPES - 1));
    let mut key = gathered(hash, n, body);
    key.iter_mut().zip(last).for_each(|(key, stripe)| *key ^= stripe);
    Ok(key)
}

/// Combines all stripes but the last.
fn gathered(hash: Hash, n: usize, stripes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut state = Zeroizing::new(vec![0; n]);
    for stripe in stripes.chunks(n) {
        state.iter_mut().zip(stripe).for_each(|(state, stripe)| *state ^= stripe);
        for (i, part) in state.chunks_mut(hash.size()).enumerate() {
            let digest = hash.digest(&[&(i as u32).to_be_bytes(), part]);
            part.copy_from_slice(&digest[..part.len()]);
        }
    }
    state
}
