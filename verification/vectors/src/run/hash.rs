//! Streebog, GOST R 34.11-94, HMAC and the key derivation functions (RFC 6986, RFC 5831, RFC 7836).

use super::case::Case;
use crate::call::{Call, Op};
use crate::test::{Defect, from_hex};

pub fn streebog(case: &mut Case) -> Result<(), Defect> {
    let (test, data) = (case.test, case.test.bytes("msg")?);
    let name = format!("streebog{}", test.streebog()?.bits());
    let digest = case.field(&Call::new(Op::Hash, name).with(Op::Hash, &data), "md")?;
    // RFC 6986 prints message and digest as big-endian numbers: reversed.
    for (name, bytes) in [("M", Some(data)), ("H", digest)] {
        let printed = test.fields.get("rfcNotation").and_then(|record| record[name].as_str());
        if let (Some(printed), Some(mut bytes)) = (printed, bytes) {
            bytes.reverse();
            case.follows(&format!("rfcNotation.{name}"), from_hex(printed) == Some(bytes));
        }
    }
    Ok(())
}

pub fn gostr341194(case: &mut Case) -> Result<(), Defect> {
    let (sbox, data) = (Some(case.test.sbox()?), case.test.bytes("msg")?);
    case.field(&Call { sbox, data: &data, ..Call::new(Op::Hash, "gost94") }, "md")?;
    Ok(())
}

pub fn hmac(case: &mut Case) -> Result<(), Defect> {
    let (key, bits) = (case.test.bytes("key")?, case.test.streebog()?.bits());
    case.mac(&Call { key: &key, ..Call::new(Op::Mac, format!("hmac-streebog{bits}")) })
}

pub fn pbkdf2(case: &mut Case) -> Result<(), Defect> {
    let (test, bits) = (case.test, case.test.streebog()?.bits());
    let (password, salt) = (test.bytes("password")?, test.bytes("salt")?);
    let call = Call {
        key: &password,
        salt: &salt,
        times: Some(test.number("iterations")?),
        len: Some(test.len("dkLen")?),
        ..Call::new(Op::Derive, format!("pbkdf2-hmac-streebog{bits}"))
    };
    case.field(&call, "dk")?;
    Ok(())
}

/// The parameters that most derivations have, each if the test has it.
pub fn derive(case: &mut Case) -> Result<(), Defect> {
    let test = case.test;
    let bytes = |field| if test.has(field) { test.bytes(field) } else { Ok(Vec::new()) };
    let (key, label, seed) = (bytes("key")?, bytes("label")?, bytes("seed")?);
    let len = test.has("L").then(|| test.len("L")).transpose()?;
    let call = |name: String| {
        let call = Call::new(Op::Derive, name);
        Call { key: &key, label: &label, seed: &seed, len, ..call }
    };
    let bits = test.streebog().map(|hash| hash.bits());
    match test.text("type")? {
        "kdf" => case.field(&call("kdf-gostr3411-2012-256".into()), "dk")?,
        "kdf_tree" => {
            let counter = Some(test.len("R")?);
            let call = Call { counter, ..call("kdf-tree".into()) };
            if case.invalid() {
                case.refused(&call);
                return Ok(());
            }
            case.field(&call, "dk")?
        }
        "prf_tls" => case.field(&call(format!("prf-tls-gostr3411-2012-{}", bits?)), "out")?,
        "prf_plus" => case.field(&call(format!("prf-plus-streebog{}", bits?)), "out")?,
        kind @ ("hkdf" | "hkdf_extract" | "hkdf_expand") => {
            let bits = bits?;
            if kind == "hkdf" {
                let (key, salt, seed) =
                    (test.bytes("ikm")?, test.bytes("salt")?, test.bytes("info")?);
                let call = Call::new(Op::Derive, format!("hkdf-streebog{bits}"));
                case.field(&Call { key: &key, salt: &salt, seed: &seed, len, ..call }, "out")?;
            }
            if kind != "hkdf_expand" {
                let (salt, ikm) = (test.bytes("salt")?, test.bytes("ikm")?);
                let call = Call::new(Op::Derive, format!("hkdf-extract-streebog{bits}"));
                case.field(&Call { key: &ikm, salt: &salt, ..call }, "prk")?;
            }
            if kind != "hkdf_extract" {
                let (prk, info) = (test.bytes("prk")?, test.bytes("info")?);
                let call = Call::new(Op::Derive, format!("hkdf-expand-streebog{bits}"));
                case.field(&Call { key: &prk, seed: &info, len, ..call }, "out")?;
            }
            None
        }
        other => return Err(Defect(format!("no one runs {other}"))),
    };
    Ok(())
}
