//! The library as a subject of the vectors, on one kernel. A session of the table runs in every manner
//! (see `manners`); functions outside of the table are in `parts`. A length that the library's types
//! exclude is a refusal.

mod parts;

use std::sync::{Mutex, MutexGuard, PoisonError};

use bulat::algorithm::{Algorithm, KdfParams, Params, Session, WrapParams, find};
use bulat::kdf::TlsMasks;
use bulat::{Error, ParamSet};
use bulat_core::kernel::{self, Kernel};
use bulat_core::{gf, kuznyechik, magma, streebog};
use testkit::Random;
use vectors::{Answer, Call, Meshing, Op, Refused, Sbox, Stream, Subject};

use crate::manners::{self, Message};

/// The library on a kernel.
pub struct Library {
    /// The name of the instruction set.
    pub kernel: &'static str,
    _lock: MutexGuard<'static, ()>,
}

/// Functions that make their own hash or cipher (the KDFs and the wraps) run on the kernel that the
/// process is forced to: one at a time.
static FORCED: Mutex<()> = Mutex::new(());

impl Library {
    /// The library on this kernel; primitives without it on their fastest.
    pub fn on(kernel: &'static str) -> Self {
        let lock = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        kernel::force(Some(kernel)).expect("an available kernel");
        Library { kernel, _lock: lock }
    }

    /// The library with the kernels that it picks.
    #[allow(dead_code)] // not every test that shares this file
    pub fn picked() -> Self {
        let lock = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        Library { kernel: "picked", _lock: lock }
    }

    /// The parameters of a session, on the kernel if the algorithm has it.
    fn params<'a>(&self, call: &Call<'a>) -> Params<'a> {
        let open = matches!(call.op, Op::Decrypt | Op::Open);
        let way = if open { bulat::Direction::Decrypt } else { bulat::Direction::Encrypt };
        Params {
            tag_len: call.tag_len,
            s: call.s,
            section: call.section,
            period: call.period,
            sboxes: call.sbox.map(|sbox| param_set(sbox).into()),
            meshing: call.meshing.map(|meshing| meshing == Meshing::CryptoPro),
            kernel: has(&call.algorithm, self.kernel).then_some(self.kernel),
            ..Params::new(call.key).iv(call.iv).direction(way)
        }
    }

    /// An algorithm of the table.
    fn named(&self, algorithm: &'static Algorithm, call: &Call) -> Result<Vec<u8>, Error> {
        let Call { key, iv, aad, data, tag, salt, label, seed, .. } = *call;
        match call.op {
            Op::Derive => {
                let params = KdfParams {
                    key,
                    salt,
                    label,
                    seed,
                    iterations: call.times.and_then(|times| times.try_into().ok()),
                    counter: call.counter,
                    masks: call.suite.map(|suite| TlsMasks(suite.masks())),
                    record: call.record,
                };
                let fixed = Some(algorithm.out).filter(|out| *out > 0);
                filled(call.len.or(fixed).unwrap_or(0), |out| algorithm.derive(&params, out))
            }
            Op::Wrap | Op::Unwrap => {
                let sboxes = call.sbox.map(|sbox| param_set(sbox).into());
                let params = WrapParams { key, iv, sboxes };
                let whole = |secret| algorithm.wrapped_len(iv.len(), secret).unwrap_or(0);
                if call.op == Op::Wrap {
                    return filled(whole(data.len()), |out| algorithm.wrap(&params, data, out));
                }
                let len = parts::secret_len(call, whole(0));
                filled(len, |out| algorithm.unwrap(&params, data, out))
            }
            Op::Verify => {
                let mut mac = algorithm.session(&self.params(call))?.mac()?;
                mac.update(data);
                mac.verify_reset(tag).map(|()| Vec::new())
            }
            _ => {
                let tag = (call.op == Op::Open).then_some(tag);
                let message = Message { aad, text: data, tag };
                let (params, dice) = (self.params(call), &mut Random::new(data.len() as u64));
                manners::every(&call.algorithm, algorithm, &params, message, dice)
            }
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = kernel::force(None);
    }
}

impl Subject for Library {
    fn run(&self, call: &Call) -> Answer {
        match find(&call.algorithm) {
            Ok(algorithm) => {
                let answer = self.named(algorithm, call);
                parts::check_unverified(self, call, &answer);
                answer.map_err(Refused::because)
            }
            Err(_) => parts::run(self, call),
        }
    }

    fn stream(&self, call: &Call) -> Result<Box<dyn Stream + '_>, Refused> {
        let session = find(&call.algorithm).and_then(|found| found.session(&self.params(call)));
        Ok(Box::new(Whole(session.map_err(Refused::because)?)))
    }
}

/// A session of one message.
struct Whole(Session);

impl Stream for Whole {
    fn update(&mut self, data: &mut [u8]) -> Result<(), Refused> {
        match &mut self.0 {
            Session::Mac(mac) => mac.update(data),
            Session::Cipher(cipher) => drop(cipher.update(data).map_err(Refused::because)?),
            _ => return Err(Refused::Unsupported),
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Answer {
        match self.0 {
            Session::Mac(mut mac) => Ok(mac.finalize_reset().map_err(Refused::because)?.to_vec()),
            _ => Ok(Vec::new()),
        }
    }
}

/// A buffer of `len` bytes, filled.
fn filled(len: usize, fill: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Vec<u8>, Error> {
    let mut out = vec![0; len];
    fill(&mut out).map(|()| out)
}

/// Returns whether a primitive has a kernel of this name, by the name of an algorithm over it.
pub fn has(algorithm: &str, kernel: &str) -> bool {
    fn listed<K: Kernel>(list: &[K], kernel: &str) -> bool {
        list.iter().any(|entry| entry.name() == kernel)
    }
    match algorithm.split('-').next() {
        Some("kuznyechik") => listed(kuznyechik::KERNELS, kernel),
        Some("magma" | "gost28147" | "gost89" | "gost" | "gost94") => {
            listed(magma::KERNELS, kernel)
        }
        Some("streebog256" | "streebog512" | "hmac") => listed(streebog::KERNELS, kernel),
        Some("gf") => listed(gf::KERNELS, kernel),
        _ => panic!("no primitive of {algorithm}"),
    }
}

fn param_set(sbox: Sbox) -> ParamSet {
    ParamSet::find(sbox.name()).expect("a set of the standards")
}
