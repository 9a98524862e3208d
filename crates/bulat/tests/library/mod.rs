//! The library as a subject of the vectors: a session of the table in every manner (see `manners`).

use bulat::algorithm::{Algorithm, KdfParams, Params, Session, WrapParams, find};
use bulat::modes::{self, AcpkmMaster, Ctr, StreamCipher};
use bulat::{BlockCipher, Direction, Error, Gost28147, Kuznyechik, Magma, ParamSet, Sboxes, kdf};
use bulat_core::{gf, kernel};
use vectors::{Answer, Call, Cipher, Meshing, Op, Pieces, Refused, Subject};

use crate::manners::{self, Message};

/// The library on the kernels that it picks, or on the kernel of a `Forced`.
pub struct Library;

impl Subject for Library {
    fn run(&self, call: &Call) -> Answer {
        let answer = match (find(&call.algorithm), call.mode()) {
            (Ok(algorithm), _) => named(algorithm, call).map(Some),
            (_, Some((Cipher::Kuznyechik, mode))) => over(Kuznyechik::new, mode, call),
            (_, Some((Cipher::Magma, mode))) => over(Magma::new, mode, call),
            _ => other(call),
        };
        answer.map_err(Refused::because)?.ok_or(Refused::Unsupported)
    }

    fn stream(&self, call: &Call, text: Pieces) -> Answer {
        let session = find(&call.algorithm).and_then(|found| found.session(&params(call)));
        let mut session = session.map_err(Refused::because)?;
        text(&mut |piece| {
            match &mut session {
                Session::Mac(mac) => mac.update(piece),
                Session::Cipher(cipher) => drop(cipher.update(piece).map_err(Refused::because)?),
                _ => return Err(Refused::Unsupported),
            }
            Ok(())
        })?;
        let Session::Mac(mut mac) = session else { return Ok(Vec::new()) };
        mac.finalize_reset().map(|tag| tag.to_vec()).map_err(Refused::because)
    }
}

fn params<'a>(call: &Call<'a>) -> Params<'a> {
    let Call { key, iv, tag_len, s, section, period, .. } = *call;
    let sboxes = call.sbox.and_then(|sbox| ParamSet::find(sbox.name())).map(Into::into);
    let meshing = call.meshing.map(|meshing| meshing == Meshing::CryptoPro);
    let back = matches!(call.op, Op::Decrypt | Op::Open);
    let direction = if back { Direction::Decrypt } else { Direction::Encrypt };
    Params { tag_len, s, section, period, sboxes, meshing, direction, ..Params::new(key).iv(iv) }
}

/// An algorithm of the table.
fn named(algorithm: &'static Algorithm, call: &Call) -> Result<Vec<u8>, Error> {
    let Call { key, iv, aad, data, tag, salt, label, seed, counter, record, .. } = *call;
    let wrap = WrapParams { key, iv, sboxes: params(call).sboxes };
    match call.op {
        Op::Derive => {
            let iterations = call.times.and_then(|times| times.try_into().ok());
            let masks = call.suite.map(|suite| kdf::TlsMasks(suite.masks()));
            let params = KdfParams { key, salt, label, seed, iterations, counter, masks, record };
            filled(call.len.unwrap_or(algorithm.out), |out| algorithm.derive(&params, out))
        }
        Op::Wrap => {
            let len = algorithm.wrapped_len(iv.len(), data.len()).unwrap_or(0);
            filled(len, |out| algorithm.wrap(&wrap, data, out))
        }
        Op::Unwrap => filled(call.secret_len(), |out| algorithm.unwrap(&wrap, data, out)),
        _ => {
            let tag = matches!(call.op, Op::Open | Op::Verify).then_some(tag);
            manners::every(algorithm, &params(call), Message { aad, text: data, tag })
        }
    }
}

/// A buffer of `len` bytes, filled.
fn filled(len: usize, fill: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Vec<u8>, Error> {
    let mut out = vec![0; len];
    fill(&mut out).map(|()| out)
}

fn array<A: for<'a> TryFrom<&'a [u8]>>(bytes: &[u8]) -> Result<A, Error> {
    bytes.try_into().map_err(|_| Error::DataLength)
}

/// Functions of Kuznyechik and Magma outside of the table.
fn over<const N: usize, C: BlockCipher<Block = [u8; N]>>(
    keyed: fn(&[u8; 32]) -> C,
    mode: &str,
    call: &Call,
) -> Result<Option<Vec<u8>>, Error> {
    let cipher = || array(call.key).map(|key| keyed(&key));
    Ok(Some(match mode {
        "" => blocks(&cipher()?, call)?,
        "ctr-full" => {
            let mut text = call.data.to_vec();
            Ctr::from_block(cipher()?, array(call.iv)?).apply_keystream(&mut text)?;
            text
        }
        "acpkm" => modes::acpkm_key(&cipher()?).to_vec(),
        "acpkm-master" => {
            let mut master = AcpkmMaster::new(cipher()?, call.period.unwrap_or(0))?;
            filled(call.len.unwrap_or(0), |out| master.next(out))?
        }
        "gf-multiply" => {
            let (gf, mut product) = (kernel::pick(gf::KERNELS, kernel::Shape::Multiply), [0; 16]);
            match product.first_chunk_mut() {
                Some(half) if N == 8 => gf.mac64(half, call.key, call.data),
                _ => gf.mac128(&mut product, call.key, call.data),
            }
            product[..N].to_vec()
        }
        _ => return Ok(None),
    }))
}

/// A block; each iteration transforms the block of the iteration before.
fn blocks<const N: usize, C: BlockCipher<Block = [u8; N]>>(
    cipher: &C,
    call: &Call,
) -> Result<Vec<u8>, Error> {
    let mut block = array(call.data)?;
    let step = if call.op == Op::Encrypt { C::encrypt_block } else { C::decrypt_block };
    (0..call.times.unwrap_or(1)).for_each(|_| step(cipher, &mut block));
    Ok(block.to_vec())
}

/// Functions of GOST 28147-89 outside of the table; the two steps of HKDF, which the table has as one function.
fn other(call: &Call) -> Result<Option<Vec<u8>>, Error> {
    let Call { key, iv, salt, seed, .. } = *call;
    let set = call.sbox.and_then(|sbox| ParamSet::find(sbox.name())).unwrap_or(ParamSet::Tc26Z);
    let cipher = || array(key).map(|key| Gost28147::new(&key, set));
    let expand = |by: fn(&[u8], &[u8], &mut [u8]) -> Result<(), Error>| {
        filled(call.len.unwrap_or(0), |out| by(key, seed, out))
    };
    Ok(Some(match call.algorithm.as_str() {
        "gost28147" => blocks(&cipher()?, call)?,
        "gost28147-sbox" => Sboxes::from(set).rows().concat(),
        "gost28147-mesh" => {
            let (key, mut iv) = (modes::meshing::next_key(&cipher()?), array(iv)?);
            Gost28147::new(&key, set).encrypt_block(&mut iv);
            [&key[..], &iv].concat()
        }
        "cryptopro-diversify" => kdf::diversify(&array(key)?, &array(iv)?, &set.into()).to_vec(),
        "hkdf-extract-streebog256" => kdf::hkdf_extract::<32>(salt, key).to_vec(),
        "hkdf-extract-streebog512" => kdf::hkdf_extract::<64>(salt, key).to_vec(),
        "hkdf-expand-streebog256" => expand(kdf::hkdf_expand::<32>)?,
        "hkdf-expand-streebog512" => expand(kdf::hkdf_expand::<64>)?,
        _ => return Ok(None),
    }))
}
