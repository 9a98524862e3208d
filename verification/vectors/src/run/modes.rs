//! The modes of GOST R 34.13-2015 and of RFC 8645 over Kuznyechik and Magma, MGM apart.

use super::case::Case;
use crate::call::{Call, Op};
use crate::parameters::Cipher;
use crate::test::Defect;

pub fn mode(case: &mut Case, mode: &str) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let key = test.bytes("key")?;
    let iv = if test.has("iv") { test.bytes("iv")? } else { Vec::new() };
    let number = |field| if test.has(field) { test.len(field).map(Some) } else { Ok(None) };
    let call = |name: &str| -> Result<Call, Defect> {
        Ok(Call { key: &key, iv: &iv, s: number("s")?, ..Call::of(Op::Encrypt, cipher, name) })
    };
    let sections = |name: &str| -> Result<Call, Defect> {
        Ok(Call { section: number("sectionSize")?, period: number("masterPeriod")?, ..call(name)? })
    };
    match mode {
        "ECB" => case.both_ways(&call("ecb")?, Op::Decrypt),
        "CBC" => case.both_ways(&call("cbc")?, Op::Decrypt),
        "CFB" => case.both_ways(&call("cfb")?, Op::Decrypt),
        "CTR" => case.both_ways(&call("ctr")?, Op::Encrypt),
        "OFB" => case.both_ways(&call("ofb")?, Op::Encrypt),
        "CTR-FULLBLOCK" => {
            let counter = test.bytes("ctr")?;
            case.both_ways(&Call { iv: &counter, ..call("ctr-full")? }, Op::Encrypt)
        }
        "CTR-ACPKM" => {
            case.both_ways(&sections("ctr-acpkm")?, Op::Encrypt)?;
            if test.has("sectionKeys") { section_keys(case, cipher, &key) } else { Ok(()) }
        }
        "MAC" => {
            subkeys(case, cipher, &key)?;
            case.mac(&call("omac")?)
        }
        // Another MAC has the name of its mode.
        _ if test.has("tag") => case.mac(&sections(&mode.to_lowercase())?),
        _ => Err(Defect(format!("no one runs {} {mode}", test.algorithm))),
    }
}

/// E_K(0) and the subkeys of OMAC, where the test has them.
fn subkeys(case: &mut Case, cipher: Cipher, key: &[u8]) -> Result<(), Defect> {
    let test = case.test;
    if test.has("K1") {
        let expected = [test.bytes("R")?, test.bytes("K1")?, test.bytes("K2")?].concat();
        let call = Call { key, ..Call::of(Op::Part, cipher, "omac-subkeys") };
        case.equal(&call, "R || K1 || K2", &expected);
    }
    Ok(())
}

/// K^1, K^2, ...: the key itself, and each next by ACPKM.
fn section_keys(case: &mut Case, cipher: Cipher, key: &[u8]) -> Result<(), Defect> {
    let keys = case.test.bytes_list("sectionKeys")?;
    case.follows("sectionKeys[0]", keys.first().is_some_and(|first| first == key));
    for pair in keys.windows(2) {
        let call = Call { key: &pair[0], ..Call::of(Op::Derive, cipher, "acpkm") };
        case.equal(&call, "sectionKeys", &pair[1]);
    }
    Ok(())
}
