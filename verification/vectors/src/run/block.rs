//! Single blocks, key schedules and the steps of the ciphers (RFC 7801, RFC 8891).

use super::case::Case;
use crate::call::{Answer, Call, Op, Subject};
use crate::parameters::Cipher;
use crate::test::Defect;

pub fn block(case: &mut Case) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let (key, plain) = (test.bytes("key")?, test.bytes("pt")?);
    let call = Call { key: &key, data: &plain, ..Call::of(Op::Encrypt, cipher, "") };
    if case.invalid() {
        case.refused(&call);
        case.refused(&call.with(Op::Decrypt, &plain));
    } else if test.has("rounds") {
        let answer = key_chain(case.subject, call.clone(), test.number("rounds")?);
        case.answer(&call.algorithm, "ct", answer)?;
    } else {
        let iterations = test.has("iterations").then(|| test.number("iterations"));
        let call = Call { times: iterations.transpose()?, ..call };
        case.field(&call, "ct")?;
        case.equal(&call.with(Op::Decrypt, &test.bytes("ct")?), "pt", &plain);
    }
    if test.has("trace") { trace(case, cipher, &key) } else { Ok(()) }
}

/// Monte Carlo: 1000 encryptions of the running block, then key ^= block repeated to 32 bytes.
fn key_chain(subject: &dyn Subject, call: Call, rounds: u64) -> Answer {
    let (mut key, mut block) = (call.key.to_vec(), call.data.to_vec());
    for _ in 0..rounds {
        block =
            subject.run(&Call { key: &key, data: &block, times: Some(1000), ..call.clone() })?;
        key.iter_mut().zip(block.iter().cycle()).for_each(|(k, b)| *k ^= b);
    }
    Ok(block)
}

pub fn key_schedule(case: &mut Case) -> Result<(), Defect> {
    let (cipher, key) = (case.test.cipher()?, case.test.bytes("key")?);
    let expected = case.test.bytes_list("roundKeys")?.concat();
    let call = Call { key: &key, ..Call::of(Op::Part, cipher, "round-keys") };
    case.equal(&call, "roundKeys", &expected);
    Ok(())
}

pub fn transform(case: &mut Case) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let step = if test.text("type")? == "F-chain" { "F" } else { test.text("op")? };
    let bytes = |field| if test.has(field) { test.bytes(field) } else { Ok(Vec::new()) };
    let (key, word, data) = (bytes("key")?, bytes("k")?, bytes("in")?);
    let index = test.has("index").then(|| test.len("index")).transpose()?;
    let call = Call { key: &key, index, data: &data, ..Call::of(Op::Part, cipher, step) };
    match (cipher, step) {
        (Cipher::Kuznyechik, "F" | "C" | "S" | "R" | "L" | "S_inv" | "R_inv" | "L_inv")
        | (Cipher::Magma, "t") => case.field(&call, "out")?,
        (Cipher::Magma, "g") => case.field(&Call { key: &word, ..call }, "out")?,
        _ => return Err(Defect(format!("unknown step {step}"))),
    };
    Ok(())
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The state after each round, made from the subject's round keys and steps. Kuznyechik encryption
/// is L S X\[K_i\]; decryption S^-1 L^-1 X\[K_i\] from K_10 down; Magma's states are a_1 || a_0
/// after G\[K_i\], decryption with the keys reversed.
fn trace(case: &mut Case, cipher: Cipher, key: &[u8]) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let decrypt = test.text("type")? == "decrypt";
    let mut state = test.bytes(if decrypt { "ct" } else { "pt" })?;
    let part = |name: &str, key: &[u8], data: &[u8]| {
        subject.run(&Call { key, data, ..Call::of(Op::Part, cipher, name) })
    };
    let mut states = || -> Answer {
        let keys = part("round-keys", key, &[])?;
        let mut keys: Vec<&[u8]> =
            keys.chunks(if cipher == Cipher::Magma { 4 } else { 16 }).collect();
        if decrypt {
            keys.reverse();
        }
        keys.pop(); // the last key makes the result, not a state
        let mut states = Vec::new();
        for key in keys {
            state = match (cipher, decrypt) {
                (Cipher::Kuznyechik, false) => part("L", &[], &part("S", &[], &xor(&state, key))?)?,
                (Cipher::Kuznyechik, true) => {
                    part("S_inv", &[], &part("L_inv", &[], &xor(&state, key))?)?
                }
                (Cipher::Magma, _) => {
                    let (high, low) = state.split_at(4);
                    [low, &xor(high, &part("g", key, low)?)].concat()
                }
            };
            states.extend_from_slice(&state);
        }
        Ok(states)
    };
    let answer = states();
    let name = format!("{}-round-keys", cipher.name());
    case.composed(&name, "trace", &test.bytes_list("trace")?.concat(), answer);
    Ok(())
}
