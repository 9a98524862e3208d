//! The crates of RustCrypto as an engine of the lab: keys set up once, each call one message.

// MGM exists only for the old generic-array.
#![allow(deprecated)]

use cipher::{
    Block, BlockModeDecrypt as _, BlockModeEncrypt as _, InnerIvInit as _, KeyInit as _,
    StreamCipher as _,
};
use cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _};
use cmac::{Cmac, Mac as _};
use engine::{Case, Engine, Input, Work, iv, key, serve};
use kuznyechik::Kuznyechik;
use magma::Magma;
use mgm::Mgm;
use mgm::aead::generic_array::GenericArray;
use mgm::aead::{AeadInPlace as _, NewAead as _};
use streebog::{Digest as _, Streebog256, Streebog512};

struct RustCrypto;

fn blocks<C: cipher::BlockSizeUser>(text: &mut [u8]) -> &mut [Block<C>] {
    Block::<C>::slice_as_chunks_mut(text).0
}

/// The modes of a cipher: keys for all streams, and a closure over the texts.
macro_rules! modes {
    ($cipher:ident, $n:literal, $ctr:ty, $case:expr, $mode:expr) => {{
        let case: &Case = $case;
        if case.size % $n != 0 && !matches!($mode, "ctr" | "omac") {
            return Err("not whole blocks".into());
        }
        let new = |i| <$cipher as cipher::KeyInit>::new_from_slice(&key(i, 32)).expect("32 bytes");
        let ciphers: Vec<$cipher> = (0..case.streams).map(new).collect();
        let len = if $mode == "ctr" { $n / 2 } else { $n };
        let ivs: Vec<[u8; $n]> = (0..case.streams)
            .map(|i| {
                let mut block = [0; $n];
                block[..len].copy_from_slice(&iv(i, len));
                block
            })
            .collect();
        let decrypt = case.decrypt;
        Ok(match $mode {
            "ecb" => Box::new(move |input: &mut Input| {
                for (text, c) in input.texts().zip(&ciphers) {
                    match decrypt {
                        false => c.encrypt_blocks(blocks::<$cipher>(text)),
                        true => c.decrypt_blocks(blocks::<$cipher>(text)),
                    }
                }
            }),
            "ctr" => Box::new(move |input: &mut Input| {
                for ((text, c), iv) in input.texts().zip(&ciphers).zip(&ivs) {
                    let core = <$ctr>::inner_iv_init(c.clone(), iv.into());
                    cipher::StreamCipherCoreWrapper::from_core(core).apply_keystream(text);
                }
            }),
            "cbc" => Box::new(move |input: &mut Input| {
                for ((text, c), iv) in input.texts().zip(&ciphers).zip(&ivs) {
                    match decrypt {
                        false => cbc::Encryptor::inner_iv_init(c.clone(), iv.into())
                            .encrypt_blocks(blocks::<$cipher>(text)),
                        true => cbc::Decryptor::inner_iv_init(c.clone(), iv.into())
                            .decrypt_blocks(blocks::<$cipher>(text)),
                    }
                }
            }),
            "cfb" => Box::new(move |input: &mut Input| {
                for ((text, c), iv) in input.texts().zip(&ciphers).zip(&ivs) {
                    // Whole blocks at once, which its decryption does side by side.
                    match decrypt {
                        _ if text.len() % $n != 0 => unreachable!("whole blocks"),
                        false => cfb_mode::Encryptor::inner_iv_init(c.clone(), iv.into())
                            .encrypt_blocks(blocks::<$cipher>(text)),
                        true => cfb_mode::Decryptor::inner_iv_init(c.clone(), iv.into())
                            .decrypt_blocks(blocks::<$cipher>(text)),
                    }
                }
            }),
            "omac" => {
                let new = |i| {
                    <Cmac<$cipher> as cipher::KeyInit>::new_from_slice(&key(i, 32))
                        .expect("32 bytes")
                };
                let macs: Vec<Cmac<$cipher>> = (0..case.streams).map(new).collect();
                Box::new(move |input: &mut Input| {
                    for ((text, out), mac) in input.both().zip(&macs) {
                        let mut mac = mac.clone();
                        mac.update(text);
                        out.clear();
                        out.extend_from_slice(&mac.finalize().into_bytes());
                    }
                })
            }
            mode => return Err(format!("no mode {mode}")),
        })
    }};
}

/// MGM, over the older crates.
macro_rules! sealing {
    ($cipher:ty, $n:literal, $case:expr) => {{
        let case: &Case = $case;
        if case.decrypt {
            return Err("opening needs a sealed text".into());
        }
        let keys: Vec<Mgm<$cipher>> =
            (0..case.streams).map(|i| Mgm::new(GenericArray::from_slice(&key(i, 32)))).collect();
        let nonces: Vec<Vec<u8>> = (0..case.streams).map(|i| iv(i, $n)).collect();
        Ok(Box::new(move |input: &mut Input| {
            for (((text, out), mgm), nonce) in input.both().zip(&keys).zip(&nonces) {
                let tag = mgm
                    .encrypt_in_place_detached(GenericArray::from_slice(nonce), &[], text)
                    .expect("within its limits");
                out.clear();
                out.extend_from_slice(&tag);
            }
        }))
    }};
}

fn hash<H: streebog::Digest>() -> Work {
    Box::new(|input| {
        for (text, out) in input.both() {
            out.clear();
            out.extend_from_slice(&H::digest(text));
        }
    })
}

impl Engine for RustCrypto {
    fn name(&self) -> (String, String) {
        ("rustcrypto".into(), "kuznyechik-0.9,magma-0.10,streebog-0.11,mgm-0.4.6".into())
    }

    fn list(&self) -> Vec<(String, String)> {
        let modes = ["ecb", "ctr", "cbc", "cfb", "omac", "mgm"];
        let ciphers = ["kuznyechik", "magma"].into_iter();
        ciphers
            .flat_map(|c| modes.map(|m| format!("{c}-{m}")))
            .chain(["streebog256".into(), "streebog512".into()])
            .map(|name| (name, "-".into()))
            .collect()
    }

    fn open(&self, case: &Case) -> Result<Work, String> {
        match case.algorithm.split_once('-') {
            Some(("kuznyechik", "mgm")) => sealing!(kuznyechik07::Kuznyechik, 16, case),
            Some(("magma", "mgm")) => sealing!(magma07::Magma, 8, case),
            Some(("kuznyechik", mode)) => {
                modes!(Kuznyechik, 16, ctr::CtrCore<Kuznyechik, ctr::flavors::Ctr128BE>, case, mode)
            }
            Some(("magma", mode)) => {
                modes!(Magma, 8, ctr::CtrCore<Magma, ctr::flavors::Ctr64BE>, case, mode)
            }
            _ if case.algorithm == "streebog256" => Ok(hash::<Streebog256>()),
            _ if case.algorithm == "streebog512" => Ok(hash::<Streebog512>()),
            _ => Err("no such algorithm".into()),
        }
    }
}

fn main() -> std::io::Result<()> {
    serve(&RustCrypto)
}
