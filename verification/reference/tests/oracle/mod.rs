//! The models of the crate `reference` as a subject of the vectors: the oracle. The library's tests
//! include this file too.

mod gost28147;
mod parts;
mod pieces;

use reference::{
    Cipher, Error, Keyed, acpkm, cms, gost28147 as gost, kdf, kexp15, mgm, modes, tlstree,
};
use reference::{kuznyechik::Kuznyechik, magma::Magma};
use vectors::Op::{self, Decrypt, Encrypt, Mac, Open, Part, Seal, Unwrap, Verify, Wrap};
use vectors::{Answer, Call, Pieces, Refused, Streebog, Subject};

/// The models of the crate `reference`, each operation straight from its standard.
pub struct Reference;

/// The answer of a model; `None` without a model for this algorithm and operation.
type Modelled = Option<Result<Vec<u8>, Error>>;

impl Subject for Reference {
    fn run(&self, call: &Call) -> Answer {
        let of_the_cipher = match call.mode() {
            Some((vectors::Cipher::Kuznyechik, mode)) => over::<Kuznyechik>(call, mode),
            Some((vectors::Cipher::Magma, mode)) => over::<Magma>(call, mode),
            None => None,
        };
        let answer = of_the_cipher
            .or_else(|| parts::part(call))
            .or_else(|| gost28147::run(call))
            .or_else(|| over_streebog(call))
            .or_else(|| other(call));
        answer.ok_or(Refused::Unsupported)?.map_err(Refused::because)
    }

    fn stream(&self, call: &Call, text: Pieces) -> Answer {
        pieces::stream(call, text)
    }
}

/// `Ok` with nothing.
fn verified(result: Result<(), Error>) -> Result<Vec<u8>, Error> {
    result.map(|()| Vec::new())
}

/// Two parts of an answer, in sequence.
fn both((first, second): (Vec<u8>, Vec<u8>)) -> Vec<u8> {
    [first, second].concat()
}

/// A block; each iteration transforms the block of the iteration before.
fn block(cipher: &dyn Cipher, call: &Call) -> Result<Vec<u8>, Error> {
    let mut block = call.data.to_vec();
    if block.len() != cipher.block() {
        return Err(Error::MessageLength);
    }
    for _ in 0..call.times.unwrap_or(1) {
        match call.op {
            Encrypt => cipher.encrypt(&mut block),
            _ => cipher.decrypt(&mut block),
        }
    }
    Ok(block)
}

/// The algorithms over Kuznyechik or Magma.
fn over<C: Keyed>(call: &Call, mode: &str) -> Modelled {
    let Call { key, iv, aad, data, tag, .. } = *call;
    let (n, s) = (C::BLOCK, call.s.unwrap_or(C::BLOCK));
    let (section, period) = (call.section.unwrap_or(0), call.period.unwrap_or(0));
    let (tag_len, sets) = (call.tag_len.unwrap_or(n), call.len.unwrap_or(0) / (32 + n));
    let c = || C::with_key(key);
    let (mac, enc) = key.split_at(key.len().min(32));
    Some(match (mode, call.op) {
        ("", Encrypt | Decrypt) => c().and_then(|c| block(&c, call)),
        ("ecb", Encrypt) => c().and_then(|c| modes::ecb_encrypt(&c, data)),
        ("ecb", Decrypt) => c().and_then(|c| modes::ecb_decrypt(&c, data)),
        ("cbc", Encrypt) => c().and_then(|c| modes::cbc_encrypt(&c, iv, data)),
        ("cbc", Decrypt) => c().and_then(|c| modes::cbc_decrypt(&c, iv, data)),
        ("cfb", Encrypt) => c().and_then(|c| modes::cfb_encrypt(&c, iv, s, data)),
        ("cfb", Decrypt) => c().and_then(|c| modes::cfb_decrypt(&c, iv, s, data)),
        ("ctr", Encrypt) => c().and_then(|c| modes::ctr(&c, iv, s, data)),
        ("ctr-full", Encrypt) => c().and_then(|c| modes::ctr_full(&c, iv, data)),
        ("ofb", Encrypt) => c().and_then(|c| modes::ofb(&c, iv, s, data)),
        ("omac", Mac) => c().and_then(|c| modes::omac(&c, data, tag_len)),
        ("omac", Verify) => verified(c().and_then(|c| modes::omac_verify(&c, data, tag_len, tag))),
        ("omac-subkeys", Part) => c().map(|c| modes::omac_keys(&c).concat()),
        ("mgm", Seal) => c().and_then(|c| mgm::encrypt(&c, iv, aad, data, tag_len)).map(both),
        ("mgm", Open) => c().and_then(|c| mgm::decrypt(&c, iv, aad, data, tag_len, tag)),
        ("gf-multiply", Part) => mgm::multiply(key, data),
        ("acpkm", Op::Derive) => acpkm::next_key::<C>(key),
        ("acpkm-master", Op::Derive) => acpkm::master::<C>(key, period, 32 + n, sets),
        ("ctr-acpkm", Encrypt) => acpkm::ctr_acpkm::<C>(key, iv, section, s, data),
        ("omac-acpkm", Mac) => acpkm::omac_acpkm::<C>(key, section, period, data, tag_len),
        ("omac-acpkm", Verify) => {
            let verify = acpkm::omac_acpkm_verify::<C>;
            verified(verify(key, section, period, data, tag_len, tag))
        }
        ("ctr-acpkm-omac", Seal) => {
            cms::ctr_acpkm_omac_encrypt::<C>(key, iv, section, data).map(both)
        }
        ("ctr-acpkm-omac", Open) => cms::ctr_acpkm_omac_decrypt::<C>(key, iv, section, data, tag),
        ("kexp15", Wrap) => kexp15::kexp15::<C>(data, mac, enc, iv),
        ("kexp15", Unwrap) => kexp15::kimp15::<C>(data, mac, enc, iv),
        _ => return None,
    })
}

/// Streebog, and the functions that exist once for each of its lengths.
fn over_streebog(call: &Call) -> Modelled {
    let Call { key, data, salt, label, seed, .. } = *call;
    let (name, hash) = call.over_streebog()?;
    let hash = match hash {
        Streebog::S256 => kdf::Hash::Streebog256,
        Streebog::S512 => kdf::Hash::Streebog512,
    };
    let (len, times) = (call.len.unwrap_or(0), call.times.unwrap_or(0) as u32);
    let tag_len = call.tag_len.unwrap_or(hash.len());
    let cut = |tag: Vec<u8>| tag[..tag_len.min(hash.len())].to_vec();
    Some(match (name, call.op) {
        ("", Op::Hash) => Ok(hash.hash(data)),
        ("hmac", Mac) => Ok(cut(kdf::hmac(hash, key, data))),
        ("hmac", Verify) => verified(kdf::hmac_verify(hash, key, data, tag_len, call.tag)),
        ("pbkdf2-hmac", Op::Derive) => kdf::pbkdf2(hash, key, salt, times, len),
        ("prf-tls-gostr3411-2012", Op::Derive) => Ok(kdf::prf_tls(hash, key, label, seed, len)),
        ("prf-plus", Op::Derive) => kdf::prf_plus(hash, key, seed, len),
        ("hkdf", Op::Derive) => {
            kdf::hkdf_expand(hash, &kdf::hkdf_extract(hash, salt, key), seed, len)
        }
        ("hkdf-extract", Op::Derive) => Ok(kdf::hkdf_extract(hash, salt, key)),
        ("hkdf-expand", Op::Derive) => kdf::hkdf_expand(hash, key, seed, len),
        _ => return None,
    })
}

/// Derivations and the wrap that have one hash and one set of S-boxes.
fn other(call: &Call) -> Modelled {
    let Call { key, iv, data, label, seed, .. } = *call;
    let (counter, len) = (call.counter.unwrap_or(1), call.len.unwrap_or(0));
    Some(match (call.algorithm.as_str(), call.op) {
        ("kdf-gostr3411-2012-256", Op::Derive) => Ok(kdf::kdf_256(key, label, seed)),
        ("kdf-tree", Op::Derive) => kdf::kdf_tree(key, label, seed, counter, len),
        ("tlstree", Op::Derive) => tlstree::tlstree(key, call.record?, call.suite?.masks()),
        ("gost28147-keywrap-12", Wrap) => gost::wrap_rfc7836(key, iv, data),
        ("gost28147-keywrap-12", Unwrap) => gost::unwrap_rfc7836(key, data),
        _ => return None,
    })
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Error> {
    bytes.try_into().map_err(|_| Error::MessageLength)
}
