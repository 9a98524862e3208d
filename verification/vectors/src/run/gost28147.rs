//! GOST 28147-89 in its own byte order (RFC 5830, RFC 4357): blocks, S-boxes, CNT, CFB, CBC and IMIT
//! with and without key meshing; messages of gigabytes as streams.

use super::case::Case;
use crate::parameters::Direction::{Decrypt, Encrypt};
use crate::parameters::{Meshing, Sbox};
use crate::subject::{Answer, Refused};
use crate::test::{Defect, IN_MEMORY, Source};

pub fn mode(case: &mut Case, mode: &str) -> Result<(), Defect> {
    let (subject, test, sbox) = (case.subject, case.test, case.test.sbox()?);
    match mode {
        "SBOX" => return table(case, sbox),
        "BLOCK" => return block(case, sbox),
        _ if test.flag("Huge") => stream(case, mode, sbox)?,
        _ => {}
    }
    if test.has("msg_gen") && test.source("msg")?.len() > IN_MEMORY {
        return Ok(());
    }
    let key = test.octets("key")?;
    let iv = if mode == "ECB" { Vec::new() } else { test.octets("iv")? };
    let meshing = if mode == "ECB" { Meshing::None } else { test.meshing()? };
    match mode {
        "ECB" => case.both_ways(
            "gost28147_ecb",
            |data| subject.gost28147_ecb(sbox, Encrypt, &key, data),
            |data| subject.gost28147_ecb(sbox, Decrypt, &key, data),
        ),
        "CNT" => {
            let cnt = |data: &[u8]| subject.gost28147_cnt(sbox, meshing, &key, &iv, data);
            case.both_ways("gost28147_cnt", cnt, cnt)
        }
        "CFB" => case.both_ways(
            "gost28147_cfb",
            |data| subject.gost28147_cfb(sbox, meshing, Encrypt, &key, &iv, data),
            |data| subject.gost28147_cfb(sbox, meshing, Decrypt, &key, &iv, data),
        ),
        "CBC" => case.both_ways(
            "gost28147_cbc",
            |data| subject.gost28147_cbc(sbox, meshing, Encrypt, &key, &iv, data),
            |data| subject.gost28147_cbc(sbox, meshing, Decrypt, &key, &iv, data),
        ),
        "IMIT" => {
            let (data, tag_len) = (test.octets("msg")?, test.len("tagLen")?);
            case.mac(
                "gost28147_imit",
                || subject.gost28147_imit(sbox, meshing, &key, &iv, &data, tag_len),
                |tag| subject.gost28147_imit_verify(sbox, meshing, &key, &iv, &data, tag_len, tag),
            )
        }
        _ => Err(Defect(format!("no one runs {} {mode}", test.algorithm))),
    }
}

fn block(case: &mut Case, sbox: Sbox) -> Result<(), Defect> {
    let (subject, test, key) = (case.subject, case.test, case.test.octets("key")?);
    if test.flag("Mesh") {
        let expected = [test.octets("key_next")?, test.octets("iv_next")?].concat();
        let answer = subject.gost28147_mesh(sbox, &key, &test.octets("iv")?);
        case.equal("gost28147_mesh", "key_next || iv_next", &expected, answer);
        return Ok(());
    }
    let plain = test.octets("pt")?;
    let times = if test.has("iterations") { test.number("iterations")? } else { 1 };
    let iterated = |direction, block: &[u8]| -> Answer {
        (0..times).try_fold(block.to_vec(), |block, _| {
            subject.gost28147_block(sbox, direction, &key, &block)
        })
    };
    if case.invalid() {
        case.refused("gost28147_block", iterated(Encrypt, &plain));
        case.refused("gost28147_block", iterated(Decrypt, &plain));
        return Ok(());
    }
    case.field("gost28147_block", "ct", iterated(Encrypt, &plain))?;
    case.equal("gost28147_block", "pt", &plain, iterated(Decrypt, &test.octets("ct")?));
    Ok(())
}

/// The rows K1..K8, and the octet string of RFC 4357 that packs them: for each input x in turn the
/// eight outputs as nibbles, K1 in the high nibble of the first octet.
fn table(case: &mut Case, sbox: Sbox) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
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
    case.equal("gost28147_sbox", "table", &rows, subject.gost28147_sbox(sbox));
    let packed: Vec<u8> = (0..64)
        .map(|at| {
            let (x, k) = (at / 4, 2 * (at % 4));
            rows[16 * k + x] << 4 | rows[16 * (k + 1) + x]
        })
        .collect();
    case.follows("octets", packed == test.octets("octets")?);
    Ok(())
}

/// Lengths of the pieces of a stream: below, at and above a block, a section of meshing, a buffer.
const PIECES: [usize; 6] = [1 << 20, 1 << 16, 1 << 20, 4097, 1023, 1];

/// A message of gigabytes of zeros in pieces; for CNT and CFB the end of the ciphertext is known.
fn stream(case: &mut Case, mode: &str, sbox: Sbox) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let (key, iv, meshing) = (test.octets("key")?, test.octets("iv")?, test.meshing()?);
    let Source::Zero(len) = test.source("msg")? else {
        return Err(Defect("a long message that is not of zeros".into()));
    };
    let mut buffer = vec![0; 1 << 20];
    let mut tail = Vec::new();
    match mode {
        "IMIT" => {
            let answer =
                subject.gost28147_imit_stream(sbox, meshing, &key, &iv).and_then(|mut mac| {
                    pieces(len, |piece| mac.update(&buffer[..piece]))?;
                    mac.finish(test.len("tagLen").map_err(Refused::because)?)
                });
            case.field("gost28147_imit_stream", "tag", answer)?;
        }
        _ => {
            let (operation, stream) = if mode == "CNT" {
                ("gost28147_cnt_stream", subject.gost28147_cnt_stream(sbox, meshing, &key, &iv))
            } else {
                ("gost28147_cfb_stream", subject.gost28147_cfb_stream(sbox, meshing, &key, &iv))
            };
            let answer = stream.and_then(|mut stream| {
                pieces(len, |piece| {
                    buffer[..piece].fill(0);
                    stream(&mut buffer[..piece])?;
                    tail.extend_from_slice(&buffer[piece.saturating_sub(16)..piece]);
                    tail.drain(..tail.len().saturating_sub(16));
                    Ok(())
                })
            });
            case.field(operation, "ct", answer.map(|()| tail))?;
        }
    }
    Ok(())
}

/// Calls `take` with lengths that go round [`PIECES`] and sum up to `len`.
fn pieces(len: u64, mut take: impl FnMut(usize) -> Result<(), Refused>) -> Result<(), Refused> {
    let mut left = len;
    for piece in PIECES.into_iter().cycle() {
        if left == 0 {
            break;
        }
        let piece = left.min(piece as u64) as usize;
        take(piece)?;
        left -= piece as u64;
    }
    Ok(())
}
