//! GOST 28147-89 in its own byte order (RFC 5830, RFC 4357): blocks, S-boxes, CNT, CFB, CBC and IMIT
//! with and without key meshing; messages of gigabytes as streams.

use super::case::Case;
use crate::call::{Call, Op, Refused, Transform};
use crate::parameters::Sbox;
use crate::test::{Defect, IN_MEMORY, Source};

pub fn mode(case: &mut Case, mode: &str) -> Result<(), Defect> {
    let (test, sbox) = (case.test, case.test.sbox()?);
    let (name, back) = match mode {
        "SBOX" => return table(case, sbox),
        "BLOCK" => return block(case, sbox),
        "ECB" => ("gost89-ecb", Op::Decrypt),
        "CNT" => ("gost89-cnt", Op::Encrypt),
        "CFB" => ("gost89", Op::Decrypt),
        "CBC" => ("gost89-cbc", Op::Decrypt),
        "IMIT" => ("gost-mac", Op::Verify),
        _ => return Err(Defect(format!("no one runs {} {mode}", test.algorithm))),
    };
    let key = test.bytes("key")?;
    let iv = if mode == "ECB" { Vec::new() } else { test.bytes("iv")? };
    let meshing = (mode != "ECB").then(|| test.meshing()).transpose()?;
    let call = Call::new(Op::Encrypt, name);
    let call = Call { sbox: Some(sbox), meshing, key: &key, iv: &iv, ..call };
    if test.flag("Huge") {
        stream(case, &call)?;
    }
    if test.has("msg_gen") && test.source("msg")?.len() > IN_MEMORY {
        return Ok(());
    }
    if back == Op::Verify { case.mac(&call) } else { case.both_ways(&call, back) }
}

fn block(case: &mut Case, sbox: Sbox) -> Result<(), Defect> {
    let (test, key) = (case.test, case.test.bytes("key")?);
    let call = Call { sbox: Some(sbox), key: &key, ..Call::new(Op::Encrypt, "gost28147") };
    if test.flag("Mesh") {
        let expected = [test.bytes("key_next")?, test.bytes("iv_next")?].concat();
        let (algorithm, iv) = ("gost28147-mesh".into(), test.bytes("iv")?);
        let call = Call { algorithm, iv: &iv, ..call.with(Op::Part, &[]) };
        case.equal(&call, "key_next || iv_next", &expected);
        return Ok(());
    }
    let plain = test.bytes("pt")?;
    let times = test.has("iterations").then(|| test.number("iterations")).transpose()?;
    let encrypt = Call { times, ..call.with(Op::Encrypt, &plain) };
    if case.invalid() {
        case.refused(&encrypt);
        case.refused(&encrypt.with(Op::Decrypt, &plain));
        return Ok(());
    }
    case.field(&encrypt, "ct")?;
    case.equal(&encrypt.with(Op::Decrypt, &test.bytes("ct")?), "pt", &plain);
    Ok(())
}

/// The rows K1..K8, and the octet string of RFC 4357 that packs them: for each input x in turn the
/// eight outputs as nibbles, K1 in the high nibble of the first byte.
fn table(case: &mut Case, sbox: Sbox) -> Result<(), Defect> {
    let test = case.test;
    let no_table = || Defect("field table: not 8 rows of 16 hex digits".into());
    let mut rows = Vec::new();
    for row in test.list("table")? {
        let digits = row.as_str().ok_or_else(no_table)?.chars().map(|c| c.to_digit(16));
        rows.extend(digits.collect::<Option<Vec<_>>>().ok_or_else(no_table)?);
    }
    let rows: Vec<u8> = rows.into_iter().map(|digit| digit as u8).collect();
    if rows.len() != 128 {
        return Err(no_table());
    }
    let call = Call { sbox: Some(sbox), ..Call::new(Op::Part, "gost28147-sbox") };
    case.equal(&call, "table", &rows);
    let packed: Vec<u8> = (0..64)
        .map(|at| {
            let (x, k) = (at / 4, 2 * (at % 4));
            rows[16 * k + x] << 4 | rows[16 * (k + 1) + x]
        })
        .collect();
    case.follows("octets", packed == test.bytes("octets")?);
    Ok(())
}

/// Lengths of the pieces of a stream: below, at and above a block, a section of meshing, a buffer.
const PIECES: [usize; 6] = [1 << 20, 1 << 16, 1 << 20, 4097, 1023, 1];

/// A message of gigabytes of zeros in pieces: its tag, or the known end of its ciphertext.
fn stream(case: &mut Case, call: &Call) -> Result<(), Defect> {
    let test = case.test;
    let Source::Zero(len) = test.source("msg")? else {
        return Err(Defect("a long message that is not of zeros".into()));
    };
    let mac = call.algorithm == "gost-mac";
    let tag_len = mac.then(|| test.len("tagLen")).transpose()?;
    let op = if mac { Op::Mac } else { Op::Encrypt };
    let (mut buffer, mut tail) = (vec![0; 1 << 20], Vec::new());
    let mut each = |transform: Transform| {
        pieces(len, |piece| {
            buffer[..piece].fill(0);
            transform(&mut buffer[..piece])?;
            tail.extend_from_slice(&buffer[piece.saturating_sub(16)..piece]);
            tail.drain(..tail.len().saturating_sub(16));
            Ok(())
        })
    };
    let tag = case.subject.stream(&Call { op, tag_len, ..call.clone() }, &mut each);
    let answer = tag.map(|tag| if mac { tag } else { tail });
    case.answer(
        &format!("{} as a stream", call.algorithm),
        if mac { "tag" } else { "ct" },
        answer,
    )?;
    Ok(())
}

/// Calls `run` with lengths that go round [`PIECES`] and sum up to `len`.
fn pieces(len: u64, mut run: impl FnMut(usize) -> Result<(), Refused>) -> Result<(), Refused> {
    let mut left = len;
    for piece in PIECES.into_iter().cycle() {
        if left == 0 {
            break;
        }
        let piece = left.min(piece as u64) as usize;
        run(piece)?;
        left -= piece as u64;
    }
    Ok(())
}
