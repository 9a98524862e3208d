//! A binding as a subject, behind its `serve`: it composes what no face has a call for (single blocks, whole counters, the
//! keys of ACPKM and of meshing, the halves of HKDF), and makes mistakes after right answers.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::call::{Answer, Call, Op, Refused, Subject};
use crate::parameters::{Cipher, Meshing, Sbox};
use crate::serve::{Program, request, word};

/// The tests that a face reaches which offers all but [`PARTS`].
pub const REACHED: usize = 5680;

/// What no face has, or this protocol: values inside an algorithm, messages of gigabytes.
pub const PARTS: [&str; 21] = [
    "cryptopro-diversify",
    "gost-mac as a stream",
    "gost28147-sbox",
    "gost89 as a stream",
    "gost89-cnt as a stream",
    "kuznyechik-C",
    "kuznyechik-F",
    "kuznyechik-L",
    "kuznyechik-L_inv",
    "kuznyechik-R",
    "kuznyechik-R_inv",
    "kuznyechik-S",
    "kuznyechik-S_inv",
    "kuznyechik-gf-multiply",
    "kuznyechik-omac-subkeys",
    "kuznyechik-round-keys",
    "magma-g",
    "magma-gf-multiply",
    "magma-omac-subkeys",
    "magma-round-keys",
    "magma-t",
];

/// The constants of ACPKM (RFC 8645) and of key meshing (RFC 4357, 2.3.2).
const ACPKM: [u8; 32] = {
    let (mut bytes, mut i) = ([0; 32], 0);
    while i < 32 {
        bytes[i] = 0x80 + i as u8;
        i += 1;
    }
    bytes
};
const MESH: [u8; 32] = [
    0x69, 0x00, 0x72, 0x22, 0x64, 0xC9, 0x04, 0x23, 0x8D, 0x3A, 0xDB, 0x96, 0x46, 0xE9, 0x2A, 0xC4,
    0x18, 0xFE, 0xAC, 0x94, 0x00, 0xED, 0x07, 0x12, 0xC0, 0x86, 0xDC, 0xC2, 0xEF, 0x4C, 0xA9, 0x2B,
];

/// A binding behind its `serve`.
pub struct Face {
    program: Program,
    wrong_tag: Vec<String>,
    tried: Mutex<BTreeSet<(String, String)>>,
    exceptions: Mutex<BTreeMap<String, usize>>,
}

/// The exception that a mistake demands.
#[derive(Clone, Copy, PartialEq)]
enum Demand {
    WrongTag,
    Another,
    Any,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Face {
    /// Starts `serve`. `wrong_tag` names the exceptions, with commas, for a tag or a wrapped key that does not verify.
    pub fn start(command: &mut Command, wrong_tag: &str) -> io::Result<Self> {
        let wrong_tag = wrong_tag.split(',').map(str::to_owned).collect();
        let program = Program::start(command)?;
        Ok(Face { program, wrong_tag, tried: Mutex::default(), exceptions: Mutex::default() })
    }

    /// The names of exceptions, each with the number of refusals.
    pub fn exceptions(&self) -> BTreeMap<String, usize> {
        held(&self.exceptions).clone()
    }

    fn ask(&self, call: &Call) -> Answer {
        let answer = self.program.ask(&request(call));
        if let Err(Refused::Input(words)) = &answer {
            *held(&self.exceptions).entry(name(words).to_owned()).or_default() += 1;
        }
        answer
    }

    /// A call; if it is answered, its mistakes.
    fn answered(&self, call: &Call) -> Answer {
        let answer = self.ask(call)?;
        self.wrong_bits(call)?;
        if held(&self.tried).insert((word(call.op), call.algorithm.clone())) {
            self.wrong_lengths(call)?;
        }
        Ok(answer)
    }

    /// After each right tag or wrapped key: another tag, text, associated data.
    fn wrong_bits(&self, call: &Call) -> Result<(), Refused> {
        let [tag, data, aad] = [call.tag, call.data, call.aad].map(flipped);
        if matches!(call.op, Op::Open | Op::Verify) {
            self.refused(&Call { tag: &tag, ..call.clone() }, Demand::WrongTag)?;
        }
        if matches!(call.op, Op::Open | Op::Unwrap) && !data.is_empty() {
            self.refused(&call.with(call.op, &data), Demand::WrongTag)?;
        }
        if call.op == Op::Open && !aad.is_empty() {
            self.refused(&Call { aad: &aad, ..call.clone() }, Demand::WrongTag)?;
        }
        Ok(())
    }

    /// Once for each operation: a tag or a wrapped key without its last byte; keys with a byte less, with one more, and
    /// without any; an IV of a byte.
    fn wrong_lengths(&self, call: &Call) -> Result<(), Refused> {
        let short = |bytes| <[u8]>::split_last(bytes).map_or(&[][..], |(_, rest)| rest);
        match call.op {
            Op::Open | Op::Verify => {
                self.refused(&Call { tag: short(call.tag), ..call.clone() }, Demand::Any)?;
            }
            Op::Unwrap => self.refused(&call.with(call.op, short(call.data)), Demand::Any)?,
            _ => {}
        }
        let any_key = call.algorithm.starts_with("hmac");
        if !any_key && !matches!(call.op, Op::Hash | Op::Derive) {
            for key in [short(call.key), &[call.key, &[0]].concat(), &[]] {
                self.refused(&Call { key, ..call.clone() }, Demand::Another)?;
            }
        }
        if let [first, _, ..] = call.iv {
            self.refused(&Call { iv: &[*first], ..call.clone() }, Demand::Another)?;
        }
        Ok(())
    }

    fn refused(&self, call: &Call, demand: Demand) -> Result<(), Refused> {
        let why = match self.ask(call) {
            Err(Refused::Input(words)) => {
                let wrong_tag = self.wrong_tag.iter().any(|known| known == name(&words));
                if demand == Demand::Any || wrong_tag == (demand == Demand::WrongTag) {
                    return Ok(());
                }
                format!("another exception for a mistake: {words}")
            }
            other => format!("a mistake was taken: {other:?}"),
        };
        Err(Refused::Input(format!("{why}: {}", request(call))))
    }
}

fn name(words: &str) -> &str {
    words.split(' ').next().unwrap_or_default()
}

/// The bytes with another last bit.
fn flipped(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.iter_mut().last().into_iter().for_each(|last| *last ^= 1);
    bytes
}

impl Subject for Face {
    fn run(&self, call: &Call) -> Answer {
        let hash = call.over_streebog().map_or(0, |(_, hash)| hash.bits());
        let named = |algorithm: &str| Call { algorithm: algorithm.to_owned(), ..call.clone() };
        match (call.algorithm.as_str(), call.mode()) {
            (name, _) if PARTS.contains(&name) => Err(Refused::Unsupported),
            (_, Some((cipher, ""))) => self.answered(&named(&format!("{}-ecb", cipher.name()))),
            (_, Some((cipher, "ctr-full"))) => self.whole_counters(cipher, call),
            (_, Some((cipher, "acpkm"))) => self.ask(&Call {
                key: call.key,
                data: &ACPKM,
                ..Call::of(Op::Encrypt, cipher, "ecb")
            }),
            (_, Some((cipher, "acpkm-master"))) => {
                let (ones, zeros) = ([0xff; 8], vec![0; call.len.unwrap_or(0)]);
                let (key, iv, section) = (call.key, &ones[..cipher.block() / 2], call.period);
                let call = Call { key, iv, section, ..Call::of(Op::Encrypt, cipher, "ctr-acpkm") };
                self.ask(&call.with(Op::Encrypt, &zeros))
            }
            ("gost28147", _) => self.answered(&named("gost89-ecb")),
            ("gost28147-mesh", _) => {
                let ecb = Call { iv: &[], ..named("gost89-ecb") };
                let key = self.ask(&ecb.with(Op::Decrypt, &MESH))?;
                let iv = self.ask(&Call { key: &key, ..ecb.with(Op::Encrypt, call.iv) })?;
                Ok([key, iv].concat())
            }
            // Names for the S-boxes Z, with meshing.
            (name @ ("gost89-cnt" | "gost-mac"), _)
                if call.sbox == Some(Sbox::Tc26Z) && call.meshing == Some(Meshing::CryptoPro) =>
            {
                self.answered(&Call { sbox: None, ..named(&format!("{name}-12")) })
            }
            (name, _) if name.starts_with("hkdf-extract") => {
                let call =
                    Call { key: call.salt, ..Call::new(Op::Mac, format!("hmac-streebog{hash}")) }
                        .with(Op::Mac, call.key);
                self.ask(&call)
            }
            (name, _) if name.starts_with("hkdf-expand") => {
                self.answered(&named(&format!("prf-plus-streebog{hash}")))
            }
            _ => self.answered(call),
        }
    }
}

impl Face {
    /// CTR whose counter is a whole block, by the cipher's ECB.
    fn whole_counters(&self, cipher: Cipher, call: &Call) -> Answer {
        let (n, mut counter, mut counters) = (cipher.block(), call.iv.to_vec(), Vec::new());
        for _ in call.data.chunks(n) {
            counters.extend_from_slice(&counter);
            for byte in counter.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        let ecb = Call { key: call.key, ..Call::of(Op::Encrypt, cipher, "ecb") };
        let gamma = self.ask(&ecb.with(Op::Encrypt, &counters))?;
        Ok(call.data.iter().zip(gamma).map(|(byte, gamma)| byte ^ gamma).collect())
    }
}
