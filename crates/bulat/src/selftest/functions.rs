//! The table's lines without a session, on the kernels picked for this machine. A wrapped key is unwrapped again.

use alloc::{vec, vec::Vec};

use super::pattern;
use crate::Error;
use crate::algorithm::{Algorithm, KdfParams, Kind, Scheme, WrapParams};
use crate::kdf::{TlsMasks, TlsTree};
use crate::magma::ParamSet::CryptoProA;

/// Returns the output of a function on the pattern.
pub(super) fn one(a: &Algorithm) -> Result<Vec<u8>, Error> {
    if a.kind == Kind::Wrap { wrapped(a) } else { derived(a) }
}

fn filled(len: usize, f: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Vec<u8>, Error> {
    let mut out = vec![0; len];
    f(&mut out).map(|()| out)
}

fn derived(a: &Algorithm) -> Result<Vec<u8>, Error> {
    let (key, seed, label) = (&pattern(32, 1)[..], &pattern(16, 2)[..], &pattern(10, 5)[..]);
    let none = KdfParams { key, ..KdfParams::default() };
    let labelled = KdfParams { label, seed, ..none.clone() };
    let (params, len) = match a.scheme {
        Scheme::Kdf256 => (labelled, 32),
        Scheme::KdfTree => (KdfParams { counter: Some(2), ..labelled }, 100),
        Scheme::PrfTls => (labelled, 100),
        Scheme::Pbkdf2 => (KdfParams { salt: seed, iterations: Some(5), ..none }, 100),
        Scheme::PrfPlus => (KdfParams { seed, ..none }, 200),
        Scheme::Hkdf => (KdfParams { salt: seed, seed: label, ..none }, 200),
        _ => return tls_tree(key),
    };
    filled(len, |out| a.derive(&params, out))
}

/// Four records of every suite; a tree keeps the keys of the record before.
fn tls_tree(key: &[u8]) -> Result<Vec<u8>, Error> {
    let root = key.try_into().map_err(|_| Error::KeyLength)?;
    let mut keys = vec![];
    for masks in [
        TlsMasks::KUZNYECHIK_CTR_OMAC,
        TlsMasks::MAGMA_CTR_OMAC,
        TlsMasks::KUZNYECHIK_MGM_L,
        TlsMasks::MAGMA_MGM_L,
        TlsMasks::KUZNYECHIK_MGM_S,
        TlsMasks::MAGMA_MGM_S,
    ] {
        let mut tree = TlsTree::new(root, masks);
        for record in [0, 63, 64, 0x0123_4567_89ab_cdef] {
            keys.extend(tree.key(record));
        }
    }
    Ok(keys)
}

/// A secret of any length, of the one length, or of the longest, and back.
fn wrapped(a: &Algorithm) -> Result<Vec<u8>, Error> {
    let (iv, secret) = match (a.scheme, a.out) {
        (Scheme::Kexp15, _) => (a.iv.usual(), 100),
        (_, 0) => (a.iv.range().1, 64),
        _ => (a.iv.usual(), 32),
    };
    let (key, iv, secret) = (pattern(a.key, 1), pattern(iv, 2), pattern(secret, 3));
    let sboxes = (a.name == "cryptopro-keywrap").then(|| CryptoProA.into());
    let mut params = WrapParams { key: &key, iv: &iv, sboxes };
    let len = a.wrapped_len(iv.len(), secret.len()).unwrap_or(0);
    let out = filled(len, |out| a.wrap(&params, &secret, out))?;
    if a.scheme == Scheme::KeyWrap {
        params.iv = &[];
    }
    let back = filled(secret.len(), |back| a.unwrap(&params, &out, back))?;
    if back == secret { Ok(out) } else { Err(Error::Verify) }
}
