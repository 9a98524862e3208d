//! The algorithms over GOST 28147-89.

use reference::gost94;
use reference::gost28147::{self as gost, Meshing};
use reference::magma::{self, Gost89};
use vectors::Op::{self, Decrypt, Encrypt, Mac, Part, Unwrap, Verify, Wrap};
use vectors::{Call, Sbox};

use super::{Modelled, block, both, verified};

/// GOST 28147-89 and GOST R 34.11-94.
pub fn run(call: &Call) -> Modelled {
    let Call { key, iv, data, .. } = *call;
    let sbox = table(call.sbox?);
    let (mesh, tag_len) = (meshing(call), call.tag_len.unwrap_or(4));
    Some(match (call.algorithm.as_str(), call.op) {
        ("gost28147", Encrypt | Decrypt) => Gost89::new(key, sbox).and_then(|c| block(&c, call)),
        ("gost28147-sbox", Part) => Ok(sbox.concat()),
        ("gost28147-mesh", Part) => gost::mesh(key, iv, sbox).map(both),
        ("gost89-ecb", Encrypt) => gost::ecb_encrypt(key, sbox, data),
        ("gost89-ecb", Decrypt) => gost::ecb_decrypt(key, sbox, data),
        ("gost89-cnt", Encrypt) => gost::cnt(key, sbox, iv, mesh, data),
        ("gost89", Encrypt) => gost::cfb_encrypt(key, sbox, iv, mesh, data),
        ("gost89", Decrypt) => gost::cfb_decrypt(key, sbox, iv, mesh, data),
        ("gost89-cbc", Encrypt) => gost::cbc_encrypt(key, sbox, iv, mesh, data),
        ("gost89-cbc", Decrypt) => gost::cbc_decrypt(key, sbox, iv, mesh, data),
        ("gost-mac", Mac) => gost::imit(key, sbox, iv, mesh, data, tag_len),
        ("gost-mac", Verify) => {
            verified(gost::imit_verify(key, sbox, iv, mesh, data, tag_len, call.tag))
        }
        ("gost28147-keywrap", Wrap) => gost::wrap_gost(key, iv, data, sbox),
        ("gost28147-keywrap", Unwrap) => gost::unwrap_gost(key, data, sbox),
        ("cryptopro-keywrap", Wrap) => gost::wrap_cryptopro(key, iv, data, sbox),
        ("cryptopro-keywrap", Unwrap) => gost::unwrap_cryptopro(key, data, sbox),
        ("cryptopro-diversify", Op::Derive) => gost::kek_diversify(key, iv, sbox),
        ("gost94", Op::Hash) => Ok(gost94::hash(sbox, data)),
        _ => return None,
    })
}

pub fn table(sbox: Sbox) -> &'static magma::Sbox {
    magma::sbox(sbox.name()).expect("every parameter set is there")
}

pub fn meshing(call: &Call) -> Meshing {
    match call.meshing {
        Some(vectors::Meshing::CryptoPro) => Meshing::CryptoPro,
        _ => Meshing::None,
    }
}
