//! The library as an engine of the lab. Variants: each kernel by its name, and `-` for the default one.
//!
//! One text goes through a session, which is made once and reset for each message; several go through
//! `batch::run`, each under its own key.

#![forbid(unsafe_code)]

mod batch;

use bulat::algorithm::{ALGORITHMS, Algorithm, Kind, Params, Session, find};
use bulat::{Direction, Error, kernel};
use engine::{Case, Engine, Work};

/// Ours.
pub struct Bulat;

/// Texts under forced kernels are made under a name of the environment: objects keep their kernels.
fn forced<T>(variant: &str, make: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let named = (variant != "-").then_some(variant);
    kernel::force(named).map_err(|e| format!("{variant}: {e}"))?;
    make()
}

/// Bytes of key that the lab gives: the longest where any will do.
fn key_len(a: &Algorithm) -> usize {
    match a.kind {
        Kind::Hash => 0,
        _ if a.key == 0 => 32,
        _ => a.key,
    }
}

impl Engine for Bulat {
    fn name(&self) -> (String, String) {
        ("bulat".into(), env!("CARGO_PKG_VERSION").into())
    }

    fn list(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for a in ALGORITHMS.iter().filter(|a| a.has_sessions()) {
            all.push((a.name.into(), "-".into()));
            let (key, iv) = (vec![0; key_len(a)], vec![0; a.iv.usual()]);
            for name in kernel::NAMES.iter().filter(|k| kernel::available(k)) {
                if a.session(&Params::new(&key).iv(&iv).kernel(name)).is_ok() {
                    all.push((a.name.into(), (*name).into()));
                }
            }
        }
        all
    }

    fn open(&self, case: &Case) -> Result<Work, String> {
        let a = find(&case.algorithm).map_err(|e| format!("{}: {e}", case.algorithm))?;
        if a.kind == Kind::Aead && case.decrypt {
            return Err("opening needs a sealed text".into());
        }
        match case.streams {
            1 => session(a, case),
            _ => forced(&case.variant, || batch::open(a, case)),
        }
    }
}

/// One message through a session.
fn session(a: &'static Algorithm, case: &Case) -> Result<Work, String> {
    let (key, iv) = (engine::key(0, key_len(a)), engine::iv(0, a.iv.usual()));
    let direction = if case.decrypt { Direction::Decrypt } else { Direction::Encrypt };
    let kernel = (case.variant != "-").then_some(&case.variant[..]);
    let params = Params { kernel, ..Params::new(&key).iv(&iv).direction(direction) };
    let mut session = a.session(&params).map_err(|e| match e {
        Error::UnknownKernel => format!("{} has no kernel {}", a.name, case.variant),
        Error::UnknownAlgorithm => "it has no session".into(),
        e => e.to_string(),
    })?;
    if let Session::Cipher(cipher) = &mut session {
        let whole = cipher.update(&mut vec![0; case.size]) == Ok(case.size);
        if !whole || cipher.finalize(&mut [0; 64]).is_err() {
            return Err(format!("{} bytes are not whole blocks", case.size));
        }
    }
    Ok(Box::new(move |input| {
        for (text, out) in input.both() {
            match &mut session {
                Session::Hash(hash) => {
                    hash.update(text);
                    out.resize(hash.output_len(), 0);
                    hash.finalize_reset(out).expect("room");
                }
                Session::Mac(mac) => {
                    mac.update(text);
                    out.resize(mac.tag_len(), 0);
                    out.copy_from_slice(&mac.finalize_reset().expect("a tag"));
                }
                Session::Cipher(cipher) => {
                    cipher.reset(&iv).expect("the same IV");
                    cipher.update(text).expect("update");
                    out.resize(cipher.held(), 0);
                    let n = cipher.finalize(out).expect("whole blocks");
                    out.truncate(n);
                }
                Session::Aead(aead) => {
                    aead.reset(&iv).expect("the same nonce");
                    aead.update(text).expect("update");
                    out.resize(aead.tag_len(), 0);
                    out.copy_from_slice(&aead.finalize().expect("a tag"));
                }
            }
        }
    }))
}
