//! Keys made from keys and keys under keys: ACPKM chains (RFC 8645), the wraps of RFC 4357 and
//! RFC 7836, KExp15 (RFC 9189), and the CMS content encryption that derives its keys
//! (R 1323565.1.025-2019).

use super::case::Case;
use crate::call::{Call, Op};
use crate::test::Defect;

pub fn acpkm(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let mut key = test.bytes("key")?;
    if test.has("material") {
        let len = Some(test.len("sections")? * (32 + cipher.block()));
        let call = Call::of(Op::Derive, cipher, "acpkm-master");
        let period = Some(test.len("masterPeriod")?);
        case.field(&Call { key: &key, period, len, ..call }, "material")?;
        return Ok(());
    }
    let call = Call::of(Op::Derive, cipher, "acpkm");
    case.list(&call.algorithm, "key_next", test.list("key_next")?, |_| {
        key = subject.run(&Call { key: &key, ..call.clone() })?;
        Ok(key.clone())
    })
}

pub fn key_wrap(case: &mut Case) -> Result<(), Defect> {
    let (test, sbox) = (case.test, case.test.sbox()?);
    let (name, sbox) = match test.text("type")? {
        "gost" => ("gost28147-keywrap", Some(sbox)),
        "cryptopro" => ("cryptopro-keywrap", Some(sbox)),
        "rfc7836" => ("gost28147-keywrap-12", None),
        other => return Err(Defect(format!("unknown wrap {other}"))),
    };
    let (kek, ukm, wrapped) = (test.bytes("kek")?, test.bytes("ukm")?, test.bytes("wrapped")?);
    let unwrap = Call { sbox, key: &kek, data: &wrapped, ..Call::new(Op::Unwrap, name) };
    if case.invalid() {
        case.refused(&unwrap);
        return Ok(());
    }
    let cek = test.bytes("cek")?;
    let wrap = Call { iv: &ukm, ..unwrap.with(Op::Wrap, &cek) };
    if test.has("kekDiversified") {
        let algorithm = "cryptopro-diversify".into();
        case.field(&Call { algorithm, ..wrap.with(Op::Derive, &[]) }, "kekDiversified")?;
    }
    case.field(&wrap, "wrapped")?;
    case.equal(&unwrap, "cek", &cek);
    Ok(())
}

pub fn kexp15(case: &mut Case) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let keys = [test.bytes("kExpMac")?, test.bytes("kExpEnc")?].concat();
    let (iv, exported) = (test.bytes("iv")?, test.bytes("sexp")?);
    let call = Call::of(Op::Unwrap, cipher, "kexp15");
    let unwrap = Call { key: &keys, iv: &iv, data: &exported, ..call };
    if case.invalid() {
        case.refused(&unwrap);
        if test.flag("IvLength") {
            case.refused(&unwrap.with(Op::Wrap, &exported));
        }
        return Ok(());
    }
    let secret = test.bytes("secret")?;
    case.field(&unwrap.with(Op::Wrap, &secret), "sexp")?;
    case.equal(&unwrap, "secret", &secret);
    Ok(())
}

pub fn cms(case: &mut Case) -> Result<(), Defect> {
    let (test, cipher) = (case.test, case.test.cipher()?);
    let (cek, ukm) = (test.bytes("cek")?, test.bytes("ukm")?);
    let section = Some(test.len("sectionSize")?);
    if test.has("encryptedMac") {
        let call = Call::of(Op::Seal, cipher, "ctr-acpkm-omac");
        return case.aead(&Call { key: &cek, iv: &ukm, section, ..call }, "encryptedMac");
    }
    // ctracpkm: the cek itself, and the first half of the ukm as the iv
    let iv = ukm.get(..cipher.block() / 2).unwrap_or_default();
    let call = Call::of(Op::Encrypt, cipher, "ctr-acpkm");
    case.both_ways(&Call { key: &cek, iv, section, ..call }, Op::Encrypt)
}
