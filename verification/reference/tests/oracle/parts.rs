//! Values inside the ciphers: round keys and steps.

use reference::kuznyechik::{self, Kuznyechik};
use reference::magma::{self, Magma};
use vectors::{Call, Sbox};

use super::{Modelled, array, gost28147::table};

/// Answers a call for a part.
pub fn part(call: &Call) -> Modelled {
    let (sbox, index) = (table(Sbox::Tc26Z), call.index.unwrap_or(0) as u8);
    let step = |step: fn([u8; 16]) -> [u8; 16]| Ok(step(array(call.data)?).to_vec());
    let word = |bytes| array(bytes).map(u32::from_be_bytes);
    let magma_keys = |cipher: Magma| cipher.round_keys().map(u32::to_be_bytes).concat();
    Some(match call.algorithm.as_str() {
        "kuznyechik-round-keys" => Kuznyechik::new(call.key).map(|c| c.round_keys().concat()),
        "magma-round-keys" => Magma::new(call.key).map(magma_keys),
        "kuznyechik-S" => step(kuznyechik::s),
        "kuznyechik-S_inv" => step(kuznyechik::s_inv),
        "kuznyechik-R" => step(kuznyechik::r),
        "kuznyechik-R_inv" => step(kuznyechik::r_inv),
        "kuznyechik-L" => step(kuznyechik::l),
        "kuznyechik-L_inv" => step(kuznyechik::l_inv),
        "kuznyechik-C" => Ok(kuznyechik::c(index).to_vec()),
        "kuznyechik-F" => array(&call.key[..16]).and_then(|a1| {
            let f = |(a1, a0), index| kuznyechik::f(kuznyechik::c(index), a1, a0);
            let (a1, a0) = (1..=index).fold((a1, array(&call.key[16..])?), f);
            Ok([a1, a0].concat())
        }),
        "magma-t" => word(call.data).map(|a| magma::t(a, sbox).to_be_bytes().to_vec()),
        "magma-g" => word(call.key)
            .and_then(|key| Ok(magma::g(key, word(call.data)?, sbox).to_be_bytes().to_vec())),
        _ => return None,
    })
}
