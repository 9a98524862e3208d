//! Keys made from keys and keys under keys: ACPKM chains (RFC 8645), the wraps of RFC 4357 and
//! RFC 7836, KExp15 (RFC 9189), and the CMS content encryption that derives its keys
//! (R 1323565.1.025-2019).

use super::case::Case;
use crate::parameters::Wrap;
use crate::test::Defect;

pub fn acpkm(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let mut key = test.octets("key")?;
    if test.has("material") {
        let len = test.len("sections")? * (32 + cipher.block());
        let answer = subject.acpkm_master(cipher, &key, test.len("masterPeriod")?, len);
        case.field("acpkm_master", "material", answer)?;
        return Ok(());
    }
    case.list("acpkm", "key_next", test.list("key_next")?, |_| {
        key = subject.acpkm(cipher, &key)?;
        Ok(key.clone())
    })
}

pub fn key_wrap(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, sbox) = (case.subject, case.test, case.test.sbox()?);
    let kind = test.text("type")?;
    let wrap = Wrap::by_name(kind).ok_or_else(|| Defect(format!("unknown wrap {kind}")))?;
    let (kek, ukm, wrapped) = (test.octets("kek")?, test.octets("ukm")?, test.octets("wrapped")?);
    let unwrapped = subject.key_unwrap(wrap, sbox, &kek, &wrapped);
    if case.invalid() {
        case.refused("key_unwrap", unwrapped);
        return Ok(());
    }
    let cek = test.octets("cek")?;
    if test.has("kekDiversified") {
        let answer = subject.cryptopro_diversify(sbox, &kek, &ukm);
        case.field("cryptopro_diversify", "kekDiversified", answer)?;
    }
    case.field("key_wrap", "wrapped", subject.key_wrap(wrap, sbox, &kek, &ukm, &cek))?;
    case.equal("key_unwrap", "cek", &cek, unwrapped);
    Ok(())
}

pub fn kexp15(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let (k_mac, k_enc) = (test.octets("kExpMac")?, test.octets("kExpEnc")?);
    let (iv, exported) = (test.octets("iv")?, test.octets("sexp")?);
    let imported = subject.kimp15(cipher, &k_mac, &k_enc, &iv, &exported);
    if case.invalid() {
        case.refused("kimp15", imported);
        if test.flag("IvLength") {
            case.refused("kexp15", subject.kexp15(cipher, &k_mac, &k_enc, &iv, &exported));
        }
        return Ok(());
    }
    let secret = test.octets("secret")?;
    case.field("kexp15", "sexp", subject.kexp15(cipher, &k_mac, &k_enc, &iv, &secret))?;
    case.equal("kimp15", "secret", &secret, imported);
    Ok(())
}

pub fn cms(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let (cek, ukm, section) = (test.octets("cek")?, test.octets("ukm")?, test.len("sectionSize")?);
    if !test.has("encryptedMac") {
        // ctracpkm: the cek itself, and the first half of the ukm as the iv
        let (n, iv) = (cipher.block(), ukm.get(..cipher.block() / 2).unwrap_or_default());
        let ctr = |data: &[u8]| subject.ctr_acpkm(cipher, &cek, iv, section, n, data);
        return case.both_ways("ctr_acpkm", ctr, ctr);
    }
    let encrypted_mac = test.octets("encryptedMac")?;
    let open = |ciphertext: &[u8]| {
        subject.cms_open(cipher, &cek, &ukm, section, &[ciphertext, &encrypted_mac].concat())
    };
    if case.invalid() {
        case.refused("cms_open", open(&test.octets("ct")?));
        return Ok(());
    }
    let message = test.octets("msg")?;
    let sealed = subject.cms_seal(cipher, &cek, &ukm, section, &message);
    let mac = sealed.clone().map(|sealed| sealed.get(message.len()..).unwrap_or_default().to_vec());
    case.field("cms_seal", "encryptedMac", mac)?;
    let made = sealed.map(|mut sealed| {
        sealed.truncate(message.len());
        sealed
    });
    let made = case.field("cms_seal", "ct", made)?;
    let given = if test.has("ct") { Some(test.octets("ct")?) } else { made };
    if let Some(ciphertext) = given {
        case.equal("cms_open", "msg", &message, open(&ciphertext));
    }
    Ok(())
}
