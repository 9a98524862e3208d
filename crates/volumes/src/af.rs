//! LUKS's anti-forensic splitter: expands a key to many stripes, all of which are needed to recover it. Destroying any
//! one of them destroys the key.

use zeroize::Zeroizing;

use crate::hash::Hash;
use crate::{Result, random};

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

/// Recovers the key of `n` bytes from its stripes.
pub(crate) fn merge(hash: Hash, n: usize, stripes: &[u8]) -> Zeroizing<Vec<u8>> {
    let body = stripes.len() - n;
    let mut key = gathered(hash, n, &stripes[..body]);
    key.iter_mut().zip(&stripes[body..]).for_each(|(key, stripe)| *key ^= stripe);
    key
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
