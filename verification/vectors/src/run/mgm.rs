//! MGM (RFC 9058): sealing, opening, every wrong way to open, and the traces of its appendix.

use super::case::Case;
use crate::call::{Answer, Call, Op};
use crate::parameters::Cipher;
use crate::test::{Defect, from_hex};

/// Marks of inputs that sealing must refuse as well.
const SEALING_TOO: [&str; 3] = ["NonceMsbSet", "NonceLength", "EmptyAll"];

pub fn mgm(case: &mut Case) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let (key, nonce, aad) = (test.bytes("key")?, test.bytes("iv")?, test.bytes("aad")?);
    let tag_len = Some(test.len("tagLen")?);
    let call = Call::of(Op::Seal, cipher, "mgm");
    let call = Call { key: &key, iv: &nonce, aad: &aad, tag_len, ..call };
    case.aead(&call, "tag")?;
    if case.invalid() && SEALING_TOO.iter().any(|flag| test.flag(flag)) {
        case.refused(&call.with(Op::Seal, &test.bytes("ct")?));
    }
    if test.has("trace") { trace(case, cipher, &key, &nonce) } else { Ok(()) }
}

/// The counters Y and Z, their encryptions, the running sum and the block before the last
/// encryption, made from the subject's block cipher and multiplication.
fn trace(case: &mut Case, cipher: Cipher, key: &[u8], nonce: &[u8]) -> Result<(), Defect> {
    let (subject, test, n) = (case.subject, case.test, cipher.block());
    let record = &test.fields["trace"];
    let values = |name: &str| record[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let encrypt =
        |data: &[u8]| subject.run(&Call { key, data, ..Call::of(Op::Encrypt, cipher, "") });
    let counter = |first_bit: u8, right: bool, index: usize| -> Answer {
        let mut nonce = nonce.to_vec();
        nonce[0] = nonce[0] & 0x7f | first_bit;
        let mut counter = encrypt(&nonce)?;
        let half = if right { &mut counter[n / 2..] } else { &mut counter[..n / 2] };
        (0..index).for_each(|_| increment(half));
        Ok(counter)
    };
    let name = cipher.name();
    case.list(name, "trace.Y", values("Y"), |index| counter(0, true, index))?;
    case.list(name, "trace.EY", values("EY"), |index| encrypt(&counter(0, true, index)?))?;
    case.list(name, "trace.Z", values("Z"), |index| counter(0x80, false, index))?;
    case.list(name, "trace.H", values("H"), |index| encrypt(&counter(0x80, false, index)?))?;

    let (aad, ciphertext) = (test.bytes("aad")?, test.bytes("ct")?);
    let bits = |bytes: &[u8]| (8 * bytes.len() as u64).to_be_bytes()[8 - n / 2..].to_vec();
    let lengths = [bits(&aad), bits(&ciphertext)].concat();
    let blocks: Vec<&[u8]> =
        aad.chunks(n).chain(ciphertext.chunks(n)).chain([lengths.as_slice()]).collect();
    let multiply = Call::of(Op::Part, cipher, "gf-multiply");
    let mut sum = vec![0; n];
    let mut next = |index: usize| -> Answer {
        let mut block = blocks[index].to_vec();
        block.resize(n, 0);
        let hash_key = encrypt(&counter(0x80, false, index)?)?;
        let product = subject.run(&Call { key: &hash_key, data: &block, ..multiply.clone() })?;
        sum.iter_mut().zip(product).for_each(|(sum, product)| *sum ^= product);
        Ok(sum.clone())
    };
    case.list(&multiply.algorithm, "trace.sum", values("sum"), &mut next)?;
    let last = next(blocks.len() - 1);
    let expected = record["last"].as_str().and_then(from_hex);
    let expected = expected.ok_or_else(|| Defect("trace without last".into()))?;
    case.composed(&multiply.algorithm, "trace.last", &expected, last);
    case.follows("trace", values("sum").len() + 1 == blocks.len());
    Ok(())
}

/// A big-endian number plus 1, modulo its length.
fn increment(number: &mut [u8]) {
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}
