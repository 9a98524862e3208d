//! The modes of GOST R 34.13-2015 and of RFC 8645 over Kuznyechik and Magma, MGM apart.

use super::case::Case;
use crate::parameters::Cipher;
use crate::parameters::Direction::{Decrypt, Encrypt};
use crate::test::Defect;

pub fn mode(case: &mut Case, mode: &str) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let key = test.octets("key")?;
    let iv = if test.has("iv") { test.octets("iv")? } else { Vec::new() };
    let s = if test.has("s") { test.len("s")? } else { cipher.block() };
    match mode {
        "ECB" => case.both_ways(
            "ecb",
            |data| subject.ecb(cipher, Encrypt, &key, data),
            |data| subject.ecb(cipher, Decrypt, &key, data),
        ),
        "CTR" => {
            let ctr = |data: &[u8]| subject.ctr(cipher, &key, &iv, s, data);
            case.both_ways("ctr", ctr, ctr)
        }
        "CTR-FULLBLOCK" => {
            let counter = test.octets("ctr")?;
            let ctr = |data: &[u8]| subject.ctr_full_block(cipher, &key, &counter, data);
            case.both_ways("ctr_full_block", ctr, ctr)
        }
        "OFB" => {
            let ofb = |data: &[u8]| subject.ofb(cipher, &key, &iv, s, data);
            case.both_ways("ofb", ofb, ofb)
        }
        "CBC" => case.both_ways(
            "cbc",
            |data| subject.cbc(cipher, Encrypt, &key, &iv, data),
            |data| subject.cbc(cipher, Decrypt, &key, &iv, data),
        ),
        "CFB" => case.both_ways(
            "cfb",
            |data| subject.cfb(cipher, Encrypt, &key, &iv, s, data),
            |data| subject.cfb(cipher, Decrypt, &key, &iv, s, data),
        ),
        "CTR-ACPKM" => {
            let section = test.len("sectionSize")?;
            let ctr = |data: &[u8]| subject.ctr_acpkm(cipher, &key, &iv, section, s, data);
            case.both_ways("ctr_acpkm", ctr, ctr)?;
            if test.has("sectionKeys") { section_keys(case, cipher, &key) } else { Ok(()) }
        }
        "MAC" => omac(case, cipher, &key),
        "OMAC-ACPKM" => {
            let (section, period) = (test.len("sectionSize")?, test.len("masterPeriod")?);
            let (data, tag_len) = (test.octets("msg")?, test.len("tagLen")?);
            case.mac(
                "omac_acpkm",
                || subject.omac_acpkm(cipher, &key, section, period, &data, tag_len),
                |tag| subject.omac_acpkm_verify(cipher, &key, section, period, &data, tag_len, tag),
            )
        }
        _ => Err(Defect(format!("no one runs {} {mode}", test.algorithm))),
    }
}

fn omac(case: &mut Case, cipher: Cipher, key: &[u8]) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let (data, tag_len) = (test.octets("msg")?, test.len("tagLen")?);
    if test.has("K1") {
        let expected = [test.octets("R")?, test.octets("K1")?, test.octets("K2")?].concat();
        case.equal("omac_subkeys", "R || K1 || K2", &expected, subject.omac_subkeys(cipher, key));
    }
    case.mac(
        "omac",
        || subject.omac(cipher, key, &data, tag_len),
        |tag| subject.omac_verify(cipher, key, &data, tag_len, tag),
    )
}

/// K^1, K^2, ...: the key itself and what ACPKM makes of it.
fn section_keys(case: &mut Case, cipher: Cipher, key: &[u8]) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let keys = test.octets_list("sectionKeys")?;
    case.follows("sectionKeys[0]", keys.first().is_some_and(|first| first == key));
    for pair in keys.windows(2) {
        case.equal("acpkm", "sectionKeys", &pair[1], subject.acpkm(cipher, &pair[0]));
    }
    Ok(())
}
