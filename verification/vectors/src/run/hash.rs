//! Streebog, GOST R 34.11-94, HMAC and the key derivation functions (RFC 6986, RFC 5831, RFC 7836).

use super::case::Case;
use crate::test::{Defect, from_hex};

pub fn streebog(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let data = test.octets("msg")?;
    let digest = case.field("streebog", "md", subject.streebog(test.streebog()?, &data))?;
    // RFC 6986 prints message and digest as big-endian numbers: reversed.
    for (name, octets) in [("M", Some(data)), ("H", digest)] {
        let printed = test.fields.get("rfcNotation").and_then(|record| record[name].as_str());
        if let (Some(printed), Some(mut octets)) = (printed, octets) {
            octets.reverse();
            case.follows(&format!("rfcNotation.{name}"), from_hex(printed) == Some(octets));
        }
    }
    Ok(())
}

pub fn gostr341194(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    case.field("gostr341194", "md", subject.gostr341194(test.sbox()?, &test.octets("msg")?))?;
    Ok(())
}

pub fn hmac(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, hash) = (case.subject, case.test, case.test.streebog()?);
    let (key, data, tag_len) = (test.octets("key")?, test.octets("msg")?, test.len("tagLen")?);
    case.mac(
        "hmac",
        || {
            subject.hmac(hash, &key, &data).map(|mut whole| {
                whole.truncate(tag_len);
                whole
            })
        },
        |tag| subject.hmac_verify(hash, &key, &data, tag_len, tag),
    )
}

pub fn pbkdf2(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let iterations = u32::try_from(test.number("iterations")?)
        .map_err(|_| Defect("field iterations: above 32 bits".into()))?;
    let answer = subject.pbkdf2(
        test.streebog()?,
        &test.octets("password")?,
        &test.octets("salt")?,
        iterations,
        test.len("dkLen")?,
    );
    case.field("pbkdf2", "dk", answer)?;
    Ok(())
}

pub fn kdf(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let (key, label, seed) = (test.octets("key")?, test.octets("label")?, test.octets("seed")?);
    match test.text("type")? {
        "kdf" => {
            case.field("kdf", "dk", subject.kdf(&key, &label, &seed))?;
        }
        "kdf_tree" => {
            let r = test.number("R")? as u32; // 0..=5 in the file
            let answer = subject.kdf_tree(&key, &label, &seed, r, test.len("L")?);
            if case.invalid() {
                case.refused("kdf_tree", answer);
            } else {
                case.field("kdf_tree", "dk", answer)?;
            }
        }
        other => return Err(Defect(format!("no one runs {other}"))),
    }
    Ok(())
}

pub fn prf(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, hash) = (case.subject, case.test, case.test.streebog()?);
    let kind = test.text("type")?;
    match kind {
        "prf_tls" => {
            let (key, label) = (test.octets("key")?, test.octets("label")?);
            let answer = subject.prf_tls(hash, &key, &label, &test.octets("seed")?, test.len("L")?);
            case.field("prf_tls", "out", answer)?;
        }
        "prf_plus" => {
            let (key, seed) = (test.octets("key")?, test.octets("seed")?);
            case.field("prf_plus", "out", subject.prf_plus(hash, &key, &seed, test.len("L")?))?;
        }
        "hkdf" | "hkdf_extract" | "hkdf_expand" => {
            if kind != "hkdf_expand" {
                let answer =
                    subject.hkdf_extract(hash, &test.octets("salt")?, &test.octets("ikm")?);
                case.field("hkdf_extract", "prk", answer)?;
            }
            if kind != "hkdf_extract" {
                let (prk, info) = (test.octets("prk")?, test.octets("info")?);
                let answer = subject.hkdf_expand(hash, &prk, &info, test.len("L")?);
                case.field("hkdf_expand", "out", answer)?;
            }
        }
        other => return Err(Defect(format!("no one runs {other}"))),
    }
    Ok(())
}
