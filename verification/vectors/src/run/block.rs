//! Single blocks, key schedules and the steps of the ciphers (RFC 7801, RFC 8891).

use super::case::Case;
use crate::parameters::{Cipher, Direction, KuznyechikStep};
use crate::subject::{Answer, Subject};
use crate::test::Defect;
use Direction::{Decrypt, Encrypt};

pub fn block(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let (key, plain) = (test.octets("key")?, test.octets("pt")?);
    if case.invalid() {
        case.refused("block", subject.block(cipher, Encrypt, &key, &plain));
        case.refused("block", subject.block(cipher, Decrypt, &key, &plain));
    } else if test.has("rounds") {
        let answer = key_chain(subject, cipher, key.clone(), plain, test.number("rounds")?);
        case.field("block_iterated", "ct", answer)?;
    } else if test.has("iterations") {
        let times = test.number("iterations")?;
        let answer = subject.block_iterated(cipher, Encrypt, &key, &plain, times);
        case.field("block_iterated", "ct", answer)?;
        let answer = subject.block_iterated(cipher, Decrypt, &key, &test.octets("ct")?, times);
        case.equal("block_iterated", "pt", &plain, answer);
    } else {
        case.field("block", "ct", subject.block(cipher, Encrypt, &key, &plain))?;
        let answer = subject.block(cipher, Decrypt, &key, &test.octets("ct")?);
        case.equal("block", "pt", &plain, answer);
    }
    if test.has("trace") { trace(case, cipher, &key) } else { Ok(()) }
}

/// Monte Carlo: 1000 encryptions of the running block, then key ^= block repeated to 32 octets.
fn key_chain(
    subject: &dyn Subject,
    cipher: Cipher,
    mut key: Vec<u8>,
    mut block: Vec<u8>,
    rounds: u64,
) -> Answer {
    for _ in 0..rounds {
        block = subject.block_iterated(cipher, Encrypt, &key, &block, 1000)?;
        key.iter_mut().zip(block.iter().cycle()).for_each(|(k, b)| *k ^= b);
    }
    Ok(block)
}

pub fn key_schedule(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let answer = subject.round_keys(test.cipher()?, &test.octets("key")?);
    let expected = test.octets_list("roundKeys")?.concat();
    case.equal("round_keys", "roundKeys", &expected, answer);
    Ok(())
}

pub fn transform(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    if test.text("type")? == "F-chain" {
        let answer = subject.kuznyechik_f_chain(&test.octets("key")?, test.len("index")?);
        case.field("kuznyechik_f_chain", "out", answer)?;
        return Ok(());
    }
    let operation = test.text("op")?;
    match (cipher, operation) {
        (Cipher::Kuznyechik, "C") => {
            let answer = subject.kuznyechik_constant(test.len("index")?);
            case.field("kuznyechik_constant", "out", answer)?;
        }
        (Cipher::Kuznyechik, _) => {
            let step = KuznyechikStep::by_name(operation)
                .ok_or_else(|| Defect(format!("unknown step {operation}")))?;
            let answer = subject.kuznyechik_step(step, &test.octets("in")?);
            case.field("kuznyechik_step", "out", answer)?;
        }
        (Cipher::Magma, "t") => {
            case.field("magma_t", "out", subject.magma_t(&test.octets("in")?))?;
        }
        (Cipher::Magma, "g") => {
            let answer = subject.magma_g(&test.octets("k")?, &test.octets("in")?);
            case.field("magma_g", "out", answer)?;
        }
        (Cipher::Magma, _) => return Err(Defect(format!("unknown step {operation}"))),
    }
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
    let state = test.octets(if decrypt { "ct" } else { "pt" })?;
    let states = subject.round_keys(cipher, key).and_then(|keys| {
        let mut keys: Vec<&[u8]> =
            keys.chunks(if cipher == Cipher::Magma { 4 } else { 16 }).collect();
        if decrypt {
            keys.reverse();
        }
        let mut state = state;
        keys.pop(); // the last key makes the result, not a state
        keys.into_iter()
            .map(|key| {
                state = match (cipher, decrypt) {
                    (Cipher::Kuznyechik, false) => subject.kuznyechik_step(
                        KuznyechikStep::L,
                        &subject.kuznyechik_step(KuznyechikStep::S, &xor(&state, key))?,
                    )?,
                    (Cipher::Kuznyechik, true) => subject.kuznyechik_step(
                        KuznyechikStep::SInverse,
                        &subject.kuznyechik_step(KuznyechikStep::LInverse, &xor(&state, key))?,
                    )?,
                    (Cipher::Magma, _) => {
                        let (high, low) = state.split_at(4);
                        [low, &xor(high, &subject.magma_g(key, low)?)].concat()
                    }
                };
                Ok(state.clone())
            })
            .collect::<Result<Vec<_>, _>>()
    });
    let answer = states.map(|states| states.concat());
    case.equal("round_keys", "trace", &test.octets_list("trace")?.concat(), answer);
    Ok(())
}
