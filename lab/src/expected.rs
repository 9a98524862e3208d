//! The right answers by the standards: the slow reference over the lab's data.

use engine::{Case, Input, iv, key};
use reference::kdf::Hash;
use reference::kuznyechik::Kuznyechik;
use reference::magma::{Magma, Sbox, sbox};
use reference::{Cipher, acpkm, gost94, gost28147, kdf, mgm, modes, streebog, xts};

/// More bytes than this are not put through the reference.
pub const MOST: usize = 64 << 10;

/// The sum of a correct answer; `None` where the reference has no such algorithm, or would be too slow.
pub fn sum(case: &Case) -> Option<u64> {
    if case.size * case.streams > MOST {
        return None;
    }
    let mut input = Input::new(case, 0);
    for (i, (text, out)) in input.both().enumerate() {
        let (ciphertext, tag) = one(case, i, text)?;
        text.copy_from_slice(&ciphertext);
        *out = tag;
    }
    Some(input.sum())
}

/// Text and tag of one stream.
fn one(case: &Case, i: usize, text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let k = key(i, 32);
    let same = |tag: Vec<u8>| Some((text.to_vec(), tag));
    let z: &Sbox = sbox("id-tc26-gost-28147-param-Z")?;
    let a: &Sbox = sbox("id-Gost28147-89-CryptoPro-A-ParamSet")?;
    let meshing = gost28147::Meshing::CryptoPro;
    let plain = gost28147::Meshing::None;
    let d = case.decrypt;
    Some(match &case.algorithm[..] {
        "streebog256" => return same(streebog::hash256(text)),
        "streebog512" => return same(streebog::hash512(text)),
        "hmac-streebog256" => return same(kdf::hmac(Hash::Streebog256, &k, text)),
        "hmac-streebog512" => return same(kdf::hmac(Hash::Streebog512, &k, text)),
        "gost94" => return same(gost94::hash(sbox("id-GostR3411-94-CryptoProParamSet")?, text)),
        "gost-mac" => return same(gost28147::imit(&k, a, &[0; 8], meshing, text, 4).ok()?),
        "gost89-cnt" => (gost28147::cnt(&k, a, &iv(i, 8), meshing, text).ok()?, Vec::new()),
        "gost-mac-12" => return same(gost28147::imit(&k, z, &[0; 8], meshing, text, 4).ok()?),
        "gost89-ecb" if d => (gost28147::ecb_decrypt(&k, z, text).ok()?, Vec::new()),
        "gost89-ecb" => (gost28147::ecb_encrypt(&k, z, text).ok()?, Vec::new()),
        "gost89-cnt-12" => (gost28147::cnt(&k, z, &iv(i, 8), meshing, text).ok()?, Vec::new()),
        "gost89" if d => {
            (gost28147::cfb_decrypt(&k, z, &iv(i, 8), meshing, text).ok()?, Vec::new())
        }
        "gost89" => (gost28147::cfb_encrypt(&k, z, &iv(i, 8), meshing, text).ok()?, Vec::new()),
        "gost89-cbc" if d => {
            (gost28147::cbc_decrypt(&k, z, &iv(i, 8), plain, text).ok()?, Vec::new())
        }
        "gost89-cbc" => (gost28147::cbc_encrypt(&k, z, &iv(i, 8), plain, text).ok()?, Vec::new()),
        "kuznyechik-xts" => {
            let (k, t) = (key(i, 64), iv(i, 16));
            let (k1, k2) = k.split_at(32);
            let f = if d { xts::decrypt::<Kuznyechik> } else { xts::encrypt::<Kuznyechik> };
            (f(k1, k2, &t, text).ok()?, Vec::new())
        }
        "kuznyechik-ctr-acpkm" => {
            (acpkm::ctr_acpkm::<Kuznyechik>(&k, &iv(i, 8), 4096, 16, text).ok()?, Vec::new())
        }
        "magma-ctr-acpkm" => {
            (acpkm::ctr_acpkm::<Magma>(&k, &iv(i, 4), 1024, 8, text).ok()?, Vec::new())
        }
        "kuznyechik-omac-acpkm" => {
            return same(acpkm::omac_acpkm::<Kuznyechik>(&k, 4096, 4096, text, 16).ok()?);
        }
        "magma-omac-acpkm" => {
            return same(acpkm::omac_acpkm::<Magma>(&k, 4096, 1024, text, 8).ok()?);
        }
        name => {
            let (cipher, mode) = name.split_once('-')?;
            let (c, n): (Box<dyn Cipher>, usize) = match cipher {
                "kuznyechik" => (Box::new(Kuznyechik::new(&k).ok()?), 16),
                "magma" => (Box::new(Magma::new(&k).ok()?), 8),
                _ => return None,
            };
            let (c, iv_block) = (&*c, iv(i, n));
            match (mode, d) {
                ("ecb", false) => (modes::ecb_encrypt(c, text).ok()?, Vec::new()),
                ("ecb", true) => (modes::ecb_decrypt(c, text).ok()?, Vec::new()),
                ("cbc", false) => (modes::cbc_encrypt(c, &iv_block, text).ok()?, Vec::new()),
                ("cbc", true) => (modes::cbc_decrypt(c, &iv_block, text).ok()?, Vec::new()),
                ("cfb", false) => (modes::cfb_encrypt(c, &iv_block, n, text).ok()?, Vec::new()),
                ("cfb", true) => (modes::cfb_decrypt(c, &iv_block, n, text).ok()?, Vec::new()),
                ("ofb", _) => (modes::ofb(c, &iv_block, n, text).ok()?, Vec::new()),
                ("ctr", _) => (modes::ctr(c, &iv(i, n / 2), n, text).ok()?, Vec::new()),
                ("omac", _) => return same(modes::omac(c, text, n).ok()?),
                ("mgm", false) => mgm::encrypt(c, &iv_block, &[], text, n).ok()?,
                _ => return None,
            }
        }
    })
}
