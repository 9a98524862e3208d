//! Key derivation and wrapping by name: the table of algorithms calls them all with one set of parameters.

use super::{
    KeyWrap, TlsMasks, TlsTree, hkdf_expand, hkdf_extract, kdf_256, kdf_tree, kexp15, kimp15,
    pbkdf2, prf_plus, prf_tls,
};
use crate::modes::FromKey;
use crate::{Error, ParamSet, Sboxes};

/// The parameters of a key derivation. Leave parameters that an algorithm does not use empty or `None`.
#[derive(Clone, Default)]
pub struct KdfParams<'a> {
    /// The key, the secret or the password.
    pub key: &'a [u8],
    /// PBKDF2, HKDF: the salt.
    pub salt: &'a [u8],
    /// KDF, KDF_TREE, the PRF of TLS: the label.
    pub label: &'a [u8],
    /// KDF, KDF_TREE, the PRF of TLS, prf+: the seed. HKDF: the info.
    pub seed: &'a [u8],
    /// PBKDF2: the number of iterations; required.
    pub iterations: Option<u32>,
    /// KDF_TREE: R, the length of its counter in bytes, 1 to 4; 1 by default.
    pub counter: Option<usize>,
    /// TLSTREE: the masks of the cipher suite; required.
    pub masks: Option<TlsMasks>,
    /// TLSTREE: the record's number; 0 by default.
    pub record: Option<u64>,
}

#[derive(PartialEq)]
enum Uses {
    Salt,
    Label,
    Seed,
    Iterations,
    Counter,
    Tree,
}

impl KdfParams<'_> {
    /// Refuses parameters that mean nothing to the algorithm.
    fn only(&self, uses: &[Uses]) -> Result<(), Error> {
        let given = [
            (Uses::Salt, !self.salt.is_empty()),
            (Uses::Label, !self.label.is_empty()),
            (Uses::Seed, !self.seed.is_empty()),
            (Uses::Iterations, self.iterations.is_some()),
            (Uses::Counter, self.counter.is_some()),
            (Uses::Tree, self.masks.is_some() || self.record.is_some()),
        ];
        let meaningless = |(what, given): &(Uses, bool)| *given && !uses.contains(what);
        if given.iter().any(meaningless) { Err(Error::Parameter) } else { Ok(()) }
    }
}

/// Writes a key of 32 bytes to `out`.
fn key(out: &mut [u8], key: &[u8; 32]) -> Result<(), Error> {
    if out.len() != key.len() {
        return Err(Error::BufferLength);
    }
    out.copy_from_slice(key);
    Ok(())
}

pub(crate) fn kdf(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Label, Uses::Seed])?;
    key(out, &kdf_256(p.key, p.label, p.seed))
}

pub(crate) fn tree(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Label, Uses::Seed, Uses::Counter])?;
    kdf_tree(p.key, p.label, p.seed, p.counter.unwrap_or(1), out)
}

pub(crate) fn tlstree(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Tree])?;
    let root = p.key.try_into().map_err(|_| Error::KeyLength)?;
    let masks = p.masks.ok_or(Error::Parameter)?;
    key(out, TlsTree::new(root, masks).key(p.record.unwrap_or(0)))
}

pub(crate) fn password<const OUT: usize>(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Salt, Uses::Iterations])?;
    pbkdf2::<OUT>(p.key, p.salt, p.iterations.ok_or(Error::Parameter)?, out)
}

pub(crate) fn tls<const OUT: usize>(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Label, Uses::Seed])?;
    prf_tls::<OUT>(p.key, p.label, p.seed, out);
    Ok(())
}

pub(crate) fn plus<const OUT: usize>(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Seed])?;
    prf_plus::<OUT>(p.key, p.seed, out)
}

/// HKDF: extract, then expand.
pub(crate) fn hkdf<const OUT: usize>(p: &KdfParams<'_>, out: &mut [u8]) -> Result<(), Error> {
    p.only(&[Uses::Salt, Uses::Seed])?;
    hkdf_expand::<OUT>(&*hkdf_extract::<OUT>(p.salt, p.key), p.seed, out)
}

/// The parameters of a key wrap.
#[derive(Clone, Default)]
pub struct WrapParams<'a> {
    /// The key. KExp15: the MAC's key, then the encryption's.
    pub key: &'a [u8],
    /// The IV, the UKM or the seed. Leave it empty for unwrapping if the wrapped secret contains it.
    pub iv: &'a [u8],
    /// The S-boxes of GOST 28147-89; by default id-tc26-gost-28147-param-Z.
    pub sboxes: Option<Sboxes>,
}

/// The functions of a key wrap, for the table.
pub(crate) struct Wrapper {
    /// Returns the length of the wrapped secret from the lengths of IV and secret.
    pub(crate) len: fn(usize, usize) -> usize,
    pub(crate) wrap: fn(&WrapParams<'_>, &[u8], &mut [u8]) -> Result<(), Error>,
    pub(crate) unwrap: fn(&WrapParams<'_>, &[u8], &mut [u8]) -> Result<(), Error>,
}

impl Wrapper {
    /// KExp15 and KImp15.
    pub(crate) const fn kexp15<C: FromKey>() -> Self {
        Wrapper {
            len: |_, secret| secret.saturating_add(C::BLOCK),
            wrap: |p, secret, out| {
                let [mac, enc] = two::<C>(p)?;
                kexp15(&mac, &enc, p.iv, secret, out)
            },
            unwrap: |p, wrapped, out| {
                let [mac, enc] = two::<C>(p)?;
                kimp15(&mac, &enc, p.iv, wrapped, out)
            },
        }
    }
    pub(crate) const GOST28147: Self = Wrapper {
        len: with_iv,
        wrap: |p, secret, out| wrap(p, KeyWrap::Gost28147(sboxes(p)), secret, out),
        unwrap: |p, wrapped, out| unwrap(p, KeyWrap::Gost28147(sboxes(p)), wrapped, out),
    };
    pub(crate) const CRYPTOPRO: Self = Wrapper {
        len: with_iv,
        wrap: |p, secret, out| wrap(p, KeyWrap::CryptoPro(sboxes(p)), secret, out),
        unwrap: |p, wrapped, out| unwrap(p, KeyWrap::CryptoPro(sboxes(p)), wrapped, out),
    };
    pub(crate) const RFC7836: Self = Wrapper {
        len: with_iv,
        wrap: |p, secret, out| wrap(fixed(p)?, KeyWrap::Rfc7836, secret, out),
        unwrap: |p, wrapped, out| unwrap(fixed(p)?, KeyWrap::Rfc7836, wrapped, out),
    };
}

/// The length of UKM || CEK_ENC || CEK_MAC.
fn with_iv(iv: usize, secret: usize) -> usize {
    secret.saturating_add(iv).saturating_add(4)
}

/// Returns the ciphers under the MAC's key and the encryption's.
fn two<C: FromKey>(p: &WrapParams<'_>) -> Result<[C; 2], Error> {
    if p.sboxes.is_some() {
        return Err(Error::Parameter);
    }
    let keys: &[u8; 64] = p.key.try_into().map_err(|_| Error::KeyLength)?;
    let (mac, enc) = keys.split_at(32);
    let key = |half: &[u8]| half.try_into().map(C::from_key).map_err(|_| Error::KeyLength);
    Ok([key(mac)?, key(enc)?])
}

fn sboxes(p: &WrapParams<'_>) -> Sboxes {
    p.sboxes.clone().unwrap_or_else(|| ParamSet::Tc26Z.into())
}

/// Refuses S-boxes, for a wrap that fixes them.
fn fixed<'a, 'p>(p: &'a WrapParams<'p>) -> Result<&'a WrapParams<'p>, Error> {
    if p.sboxes.is_some() { Err(Error::Parameter) } else { Ok(p) }
}

fn wrap(p: &WrapParams<'_>, by: KeyWrap, secret: &[u8], out: &mut [u8]) -> Result<(), Error> {
    by.wrap(p.key.try_into().map_err(|_| Error::KeyLength)?, p.iv, secret, out)
}

fn unwrap(p: &WrapParams<'_>, by: KeyWrap, wrapped: &[u8], out: &mut [u8]) -> Result<(), Error> {
    if !p.iv.is_empty() {
        return Err(Error::IvLength);
    }
    by.unwrap(p.key.try_into().map_err(|_| Error::KeyLength)?, wrapped, out)
}
