//! The table's lines without a session: what each makes of the pattern, on the kernels picked for this
//! machine. A wrapped key is unwrapped again.

use alloc::{vec, vec::Vec};

use super::pattern;
use crate::kdf::{
    KeyWrap, TlsMasks, TlsTree, hkdf_expand, hkdf_extract, kdf_256, kdf_tree, kexp15, kimp15,
    pbkdf2, prf_plus, prf_tls,
};
use crate::magma::ParamSet::{CryptoProA, Tc26Z};
use crate::{BlockCipher, Error, Kuznyechik, Magma};

type Made = Result<Vec<u8>, Error>;
type Function = fn() -> Made;

/// Name and function, in the order of the table.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("kdf-gostr3411-2012-256", || Ok(kdf_256(&key(), &label(), &seed()).to_vec())),
    ("kdf-tree", || filled(100, |out| kdf_tree(&key(), &label(), &seed(), 2, out))),
    ("tlstree", tls),
    ("pbkdf2-hmac-streebog256", || filled(100, |out| pbkdf2::<32>(&key(), &seed(), 5, out))),
    ("pbkdf2-hmac-streebog512", || filled(100, |out| pbkdf2::<64>(&key(), &seed(), 5, out))),
    ("prf-tls-gostr3411-2012-256", tls_prf::<32>),
    ("prf-tls-gostr3411-2012-512", tls_prf::<64>),
    ("prf-plus-streebog256", || filled(200, |out| prf_plus::<32>(&key(), &seed(), out))),
    ("prf-plus-streebog512", || filled(200, |out| prf_plus::<64>(&key(), &seed(), out))),
    ("hkdf-streebog256", hkdf::<32>),
    ("hkdf-streebog512", hkdf::<64>),
    ("kuznyechik-kexp15", || exported(Kuznyechik::new)),
    ("magma-kexp15", || exported(Magma::new)),
    ("gost28147-keywrap", || wrapped(&KeyWrap::Gost28147(Tc26Z.into()), 8, 32)),
    ("cryptopro-keywrap", || wrapped(&KeyWrap::CryptoPro(CryptoProA.into()), 8, 32)),
    ("gost28147-keywrap-12", || wrapped(&KeyWrap::Rfc7836, 16, 64)),
];

fn key() -> [u8; 32] {
    half(&pattern(32, 1), 0)
}

fn seed() -> Vec<u8> {
    pattern(16, 2)
}

fn label() -> Vec<u8> {
    pattern(10, 5)
}

fn half(bytes: &[u8], at: usize) -> [u8; 32] {
    core::array::from_fn(|i| bytes[at + i])
}

fn filled(len: usize, f: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Made {
    let mut out = vec![0; len];
    f(&mut out).map(|()| out)
}

fn tls_prf<const OUT: usize>() -> Made {
    filled(100, |out| {
        prf_tls::<OUT>(&key(), &label(), &seed(), out);
        Ok(())
    })
}

fn hkdf<const OUT: usize>() -> Made {
    let prk = hkdf_extract::<OUT>(&seed(), &key());
    filled(200, |out| hkdf_expand::<OUT>(&*prk, &label(), out))
}

/// Four records of every suite.
fn tls() -> Made {
    let mut out = vec![];
    for masks in [
        TlsMasks::KUZNYECHIK_CTR_OMAC,
        TlsMasks::MAGMA_CTR_OMAC,
        TlsMasks::KUZNYECHIK_MGM_L,
        TlsMasks::MAGMA_MGM_L,
        TlsMasks::KUZNYECHIK_MGM_S,
        TlsMasks::MAGMA_MGM_S,
    ] {
        let mut tree = TlsTree::new(&key(), masks);
        for record in [0, 63, 64, 0x0123_4567_89ab_cdef] {
            out.extend(tree.key(record));
        }
    }
    Ok(out)
}

/// KExp15 of 100 bytes, and back.
fn exported<C: BlockCipher>(cipher: fn(&[u8; 32]) -> C) -> Made {
    let (keys, iv, secret) = (pattern(64, 1), pattern(C::BLOCK / 2, 2), pattern(100, 3));
    let (mac, enc) = (cipher(&half(&keys, 0)), cipher(&half(&keys, 32)));
    let out = filled(100 + C::BLOCK, |out| kexp15(&mac, &enc, &iv, &secret, out))?;
    let back = filled(100, |back| kimp15(&mac, &enc, &iv, &out, back))?;
    if back == secret { Ok(out) } else { Err(Error::Verify) }
}

fn wrapped(wrap: &KeyWrap, ukm: usize, cek: usize) -> Made {
    let (ukm, cek) = (pattern(ukm, 2), pattern(cek, 3));
    let out = filled(ukm.len() + cek.len() + 4, |out| wrap.wrap(&key(), &ukm, &cek, out))?;
    let back = filled(cek.len(), |back| wrap.unwrap(&key(), &out, back))?;
    if back == cek { Ok(out) } else { Err(Error::Verify) }
}
