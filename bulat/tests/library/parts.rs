//! Calls of the vectors outside of the table of algorithms: single blocks, keys made from keys, and
//! values inside an algorithm.

use bulat::modes::{self, AcpkmMaster, Ctr, Mgm, StreamCipher};
use bulat::{BlockCipher, Error, Gost28147, Kuznyechik, Magma, Sboxes, kdf};
use bulat_core::cipher::Block;
use bulat_core::gf;
use bulat_core::kernel::{Kernel, Ready};
use testkit::Random;
use vectors::{Answer, Call, Cipher, Op, Refused, Streebog};

use super::{Library, filled, has, param_set};

/// Answers a call, or refuses it with [`Refused::Unsupported`].
pub fn run(library: &Library, call: &Call) -> Answer {
    let answer = match call.mode() {
        Some((cipher, "gf-multiply")) => multiply(library, cipher, call),
        Some(_) if call.op == Op::Part => Ok(None),
        Some((cipher, mode)) => under(library, cipher, call, mode),
        None => gost28147(library, call).transpose().or_else(|| hkdf(call)).transpose(),
    };
    answer.map_err(Refused::because)?.ok_or(Refused::Unsupported)
}

/// `None` if the library has no such part.
type Part = Result<Option<Vec<u8>>, Error>;

fn array<const N: usize>(octets: &[u8]) -> Result<&[u8; N], Error> {
    octets.try_into().map_err(|_| Error::DataLength)
}

fn block_of<C: BlockCipher>(octets: &[u8]) -> Result<C::Block, Error> {
    let mut block = C::Block::ZERO;
    if octets.len() != C::BLOCK {
        return Err(Error::DataLength);
    }
    block.as_mut().copy_from_slice(octets);
    Ok(block)
}

/// Kuznyechik or Magma under the key of the call.
fn under(library: &Library, cipher: Cipher, call: &Call, mode: &str) -> Part {
    let kernel = Some(library.kernel).filter(|kernel| has(cipher.name(), kernel));
    let key = array(call.key)?;
    match (cipher, kernel) {
        (Cipher::Kuznyechik, None) => over(Kuznyechik::new(key), mode, call),
        (Cipher::Kuznyechik, Some(kernel)) => over(Kuznyechik::new(key).on(kernel)?, mode, call),
        (Cipher::Magma, None) => over(Magma::new(key), mode, call),
        (Cipher::Magma, Some(kernel)) => over(Magma::new(key).on(kernel)?, mode, call),
    }
}

fn over<C: BlockCipher>(cipher: C, mode: &str, call: &Call) -> Part {
    match (mode, call.op) {
        ("", Op::Encrypt | Op::Decrypt) => blocks(&cipher, call).map(Some),
        ("ctr-full", Op::Encrypt) => sought(cipher, call).map(Some),
        ("mgm", Op::Open) => open(cipher, call).map(Some),
        ("acpkm", Op::Derive) => Ok(Some(modes::acpkm_key(&cipher).to_vec())),
        ("acpkm-master", Op::Derive) => {
            let mut master = AcpkmMaster::new(cipher, call.period.unwrap_or(0))?;
            filled(call.len.unwrap_or(0), |out| master.next(out)).map(Some)
        }
        _ => Ok(None),
    }
}

/// One block, each iteration the image of the one before.
fn blocks<C: BlockCipher>(cipher: &C, call: &Call) -> Result<Vec<u8>, Error> {
    let mut block = block_of::<C>(call.data)?;
    for _ in 0..call.times.unwrap_or(1) {
        match call.op {
            Op::Encrypt => cipher.encrypt_block(&mut block),
            _ => cipher.decrypt_block(&mut block),
        }
    }
    Ok(block.as_ref().to_vec())
}

/// CTR from a whole counter; and again in pieces, each sought, the last first.
fn sought<C: BlockCipher>(cipher: C, call: &Call) -> Result<Vec<u8>, Error> {
    let mut ctr = Ctr::from_block(cipher, block_of::<C>(call.iv)?);
    let mut whole = call.data.to_vec();
    ctr.apply_keystream(&mut whole)?;
    let mut dice = Random::new(call.data.len() as u64);
    let mut sought = call.data.to_vec();
    let mut rest = sought.as_mut_slice();
    while !rest.is_empty() {
        let (head, piece) = rest.split_at_mut(dice.below(rest.len()));
        ctr.seek(head.len() as u64)?;
        ctr.apply_keystream(piece)?;
        rest = head;
    }
    assert!(sought == whole, "seek: {} bytes in pieces differ from one call", whole.len());
    Ok(whole)
}

/// The product of two elements of the field of MGM.
fn multiply(library: &Library, cipher: Cipher, call: &Call) -> Part {
    let name = if has("gf", library.kernel) { library.kernel } else { "portable" };
    let listed = gf::KERNELS.iter().find(|entry| entry.name() == name);
    let ready = listed.and_then(Ready::new).expect("an available kernel");
    let mut product = [0; 16];
    match cipher {
        Cipher::Kuznyechik => {
            ready.mac128(&mut product, array::<16>(call.key)?, array::<16>(call.data)?);
        }
        Cipher::Magma => {
            let product = product.first_chunk_mut().expect("8 of 16");
            ready.mac64(product, array::<8>(call.key)?, array::<8>(call.data)?);
        }
    }
    Ok(Some(product[..cipher.block()].to_vec()))
}

fn gost28147(library: &Library, call: &Call) -> Part {
    let Some(set) = call.sbox.map(param_set) else { return Ok(None) };
    let cipher = || {
        let cipher = Gost28147::new(array(call.key)?, set);
        if has("magma", library.kernel) { cipher.on(library.kernel) } else { Ok(cipher) }
    };
    Ok(Some(match call.algorithm.as_str() {
        "gost28147" => blocks(&cipher()?, call)?,
        "gost28147-sbox" => Sboxes::from(set).rows().concat(),
        "gost28147-mesh" => {
            let (cipher, mut iv) = (cipher()?, *array(call.iv)?);
            let key = modes::meshing::next_key(&cipher);
            cipher.rekey(&key).encrypt_block(&mut iv);
            [&key[..], &iv].concat()
        }
        "cryptopro-diversify" => {
            kdf::diversify(array(call.key)?, array(call.iv)?, &set.into()).to_vec()
        }
        _ => return Ok(None),
    }))
}

/// The two steps of HKDF, which the table has as one function.
fn hkdf(call: &Call) -> Option<Result<Vec<u8>, Error>> {
    let (key, salt, info) = (call.key, call.salt, call.seed);
    let expand = |out: &mut [u8], hash| match hash {
        Streebog::S256 => kdf::hkdf_expand::<32>(key, info, out),
        Streebog::S512 => kdf::hkdf_expand::<64>(key, info, out),
    };
    match call.over_streebog()? {
        ("hkdf-extract", Streebog::S256) => Some(Ok(kdf::hkdf_extract::<32>(salt, key).to_vec())),
        ("hkdf-extract", Streebog::S512) => Some(Ok(kdf::hkdf_extract::<64>(salt, key).to_vec())),
        ("hkdf-expand", hash) => Some(filled(call.len.unwrap_or(0), |out| expand(out, hash))),
        _ => None,
    }
}

/// The length of the secret in a wrapped one; `around` is that of a wrapped empty secret.
pub fn secret_len(call: &Call, around: usize) -> usize {
    match call.algorithm.as_str() {
        // RFC 7836 knows keys of 64 bytes, with a ukm of 8 to 16 before and 4 bytes of MAC.
        "gost28147-keywrap-12" if call.data.len() >= 8 + 64 + 4 => 64,
        name if name.ends_with("-keywrap") || name.ends_with("-keywrap-12") => 32,
        // KExp15: the IV is no part of it.
        _ => call.data.len().saturating_sub(around),
    }
}

/// `MgmUnverifiedOpener` opens a message of MGM as the session did.
pub fn check_unverified(library: &Library, call: &Call, opened: &Result<Vec<u8>, Error>) {
    if let (Op::Open, Some((cipher, "mgm"))) = (call.op, call.mode()) {
        let unverified = under(library, cipher, call, "mgm").map(Option::unwrap_or_default);
        assert!(unverified == *opened, "MgmUnverifiedOpener gives another answer than open");
    }
}

/// MGM opened in pieces by the type that releases unverified text; the text only if the tag is right.
fn open<C: BlockCipher>(cipher: C, call: &Call) -> Result<Vec<u8>, Error> {
    let mgm = Mgm::with(cipher).truncated(call.tag_len.unwrap_or(C::BLOCK))?;
    let mut open = mgm.unverified_opener(call.iv)?;
    let mut dice = Random::new(call.data.len() as u64);
    open.aad(call.aad)?;
    let mut text = call.data.to_vec();
    let mut rest = text.as_mut_slice();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_mut(1 + dice.below(rest.len()));
        open.update(piece)?;
        rest = after;
    }
    open.verify(call.tag)?;
    Ok(text)
}
