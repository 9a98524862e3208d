//! TLS: the key tree and record protection, composed here from the subject's parts. TLS 1.2 CTR_OMAC
//! and CNT_IMIT are RFC 9189 section 4.1, TLS 1.3 is RFC 9367 section 4.1 with RFC 8446 section 5.

use super::case::Case;
use crate::call::{Answer, Call, Op, Refused, Subject};
use crate::parameters::{Cipher, Meshing, Sbox, Suite};
use crate::test::{Defect, to_hex};

const APPLICATION_DATA: u8 = 23;
const VERSION: [u8; 2] = [3, 3];
const HEADER: usize = 5;
/// The name of composed answers in messages.
const RECORD: &str = "tls record";

fn tlstree(suite: Suite, key: &[u8], record: u64) -> Call<'_> {
    let call = Call::new(Op::Derive, "tlstree");
    Call { suite: Some(suite), key, record: Some(record), ..call }
}

pub fn tree(case: &mut Case) -> Result<(), Defect> {
    let (test, suite) = (case.test, case.test.suite()?);
    let (mut key, seqnum) = (test.bytes("key")?, test.number("seqnum")?);
    case.field(&tlstree(suite, &key, seqnum), "dk")?;
    for (level, mask) in suite.masks().into_iter().take(2).enumerate() {
        let name = format!("level{}", level + 1);
        if test.has(&name) {
            let (label, seed) = (name.as_bytes(), (seqnum & mask).to_be_bytes());
            let call = Call::new(Op::Derive, "kdf-gostr3411-2012-256");
            case.field(&Call { key: &key, label, seed: &seed, ..call }, &name)?;
            key = test.bytes(&name)?;
        }
    }
    Ok(())
}

pub fn record(case: &mut Case) -> Result<(), Defect> {
    match case.test.text("version")? {
        "1.2" => ctr_omac(case),
        "1.2-CNT_IMIT" => cnt_imit(case),
        "1.3" => mgm(case),
        other => Err(Defect(format!("no one runs TLS {other}"))),
    }
}

/// Type, version, length: the header of a record, and of a fragment in the input of the MAC.
fn header(content_type: u8, len: usize) -> Result<[u8; HEADER], Refused> {
    let len = u16::try_from(len).map_err(Refused::because)?.to_be_bytes();
    Ok([content_type, VERSION[0], VERSION[1], len[0], len[1]])
}

/// The body of a record with a right header.
fn body(record: &[u8], content_type: u8) -> Result<&[u8], Refused> {
    let (head, body) =
        record.split_at_checked(HEADER).ok_or_else(|| Refused::Input("no header".into()))?;
    if head != header(content_type, body.len())? {
        return Err(Refused::Input("another header".into()));
    }
    Ok(body)
}

/// The parts of one TLS 1.2 CTR_OMAC record.
struct CtrOmac<'a> {
    subject: &'a dyn Subject,
    cipher: Cipher,
    encryption_key: Vec<u8>,
    mac_key: Vec<u8>,
    iv: Vec<u8>,
    seqnum: u64,
    content_type: u8,
}

impl CtrOmac<'_> {
    /// OMAC of seqnum | type | version | length | fragment.
    fn mac(&self, fragment: &[u8]) -> Answer {
        let head = header(self.content_type, fragment.len())?;
        let text = [&self.seqnum.to_be_bytes()[..], &head, fragment].concat();
        let call = Call::of(Op::Mac, self.cipher, "omac");
        let tag_len = Some(self.cipher.block());
        self.subject.run(&Call { key: &self.mac_key, data: &text, tag_len, ..call })
    }

    /// CTR-ACPKM with sections of 1 KiB for Magma and 4 KiB for Kuznyechik (section 4.3.3).
    fn crypt(&self, data: &[u8]) -> Answer {
        let section = Some(match self.cipher {
            Cipher::Magma => 1024,
            Cipher::Kuznyechik => 4096,
        });
        let call = Call::of(Op::Encrypt, self.cipher, "ctr-acpkm");
        self.subject.run(&Call { key: &self.encryption_key, iv: &self.iv, section, data, ..call })
    }

    fn protect(&self, fragment: &[u8]) -> Answer {
        let body = self.crypt(&[fragment, &self.mac(fragment)?].concat())?;
        Ok([&header(self.content_type, body.len())?[..], &body].concat())
    }

    fn unprotect(&self, record: &[u8]) -> Answer {
        let mut text = self.crypt(body(record, self.content_type)?)?;
        let mac = text.split_off(text.len().saturating_sub(self.cipher.block()));
        if self.mac(&text)? != mac {
            return Err(Refused::Input("the MAC of the record does not verify".into()));
        }
        Ok(text)
    }
}

/// (writeIv + seqnum) modulo 2^(4n) for blocks of n bytes.
fn record_iv(write_iv: &[u8], seqnum: u64) -> Vec<u8> {
    let mut number = [0; 8];
    let start = 8usize.saturating_sub(write_iv.len());
    number[start..].copy_from_slice(&write_iv[..8 - start]);
    u64::from_be_bytes(number).wrapping_add(seqnum).to_be_bytes()[start..].to_vec()
}

fn ctr_omac(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, suite) = (case.subject, case.test, case.test.suite()?);
    let (seqnum, fragment) = (test.number("seqnum")?, test.bytes("msg")?);
    let (write_key, mac_key) = (test.bytes("writeKey")?, test.bytes("macKey")?);
    let (write_iv, content_type) = (test.bytes("writeIv")?, test.number("contentType")? as u8);
    let key = |root| subject.run(&tlstree(suite, root, seqnum));
    let (encryption_key, mac_key) = match (key(&write_key), key(&mac_key)) {
        (Ok(encryption), Ok(mac)) => (encryption, mac),
        (Err(refused), _) | (_, Err(refused)) => {
            case.answer(RECORD, "record", Err(refused))?;
            return Ok(());
        }
    };
    let parts = CtrOmac {
        subject,
        cipher: suite.cipher(),
        encryption_key,
        mac_key,
        iv: record_iv(&write_iv, seqnum),
        seqnum,
        content_type,
    };
    if test.has("mac") {
        case.answer(RECORD, "mac", parts.mac(&fragment))?;
    }
    let made = case.answer(RECORD, "record", parts.protect(&fragment))?;
    let given = if test.has("record") { Some(test.bytes("record")?) } else { made };
    if let Some(record) = given {
        case.composed(RECORD, "msg", &fragment, parts.unprotect(&record));
    }
    Ok(())
}

/// Both the cipher and the MAC run on across the records of the connection: record i is a piece of
/// CNT(fragment_0 | MAC_0 | fragment_1 | ...), and MAC_i covers every record up to i.
fn cnt_imit(case: &mut Case) -> Result<(), Defect> {
    let (subject, test) = (case.subject, case.test);
    let (sbox, meshing) = (Some(Sbox::Tc26Z), Some(Meshing::CryptoPro)); // section 4.3.1
    let (write_key, mac_key) = (test.bytes("writeKey")?, test.bytes("macKey")?);
    let write_iv = test.bytes("writeIv")?;
    let (mut authenticated, mut text, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (index, len) in test.list("fragments")?.iter().enumerate() {
        let fragment = vec![0; len.as_u64().unwrap_or(0) as usize];
        authenticated.extend_from_slice(&(index as u64).to_be_bytes());
        authenticated.extend(
            header(APPLICATION_DATA, fragment.len())
                .map_err(|refused| Defect(format!("{refused:?}")))?,
        );
        authenticated.extend_from_slice(&fragment);
        let call = Call { sbox, meshing, tag_len: Some(4), ..Call::new(Op::Mac, "gost-mac") };
        let (key, data) = (&mac_key, &authenticated);
        let answer = subject.run(&Call { key, iv: &[0; 8], data, ..call });
        let Ok(mac) = &answer else {
            case.answer(RECORD, "record0", answer)?;
            return Ok(());
        };
        let expected = test.bytes_list("macs")?;
        let expected = expected.get(index).ok_or_else(|| Defect("too few macs".into()))?;
        text.extend_from_slice(&fragment);
        text.extend_from_slice(mac);
        ends.push(text.len());
        case.composed("gost-mac", &format!("macs[{index}]"), expected, answer.clone());
    }
    let cnt = |data: &[u8]| {
        let call = Call { sbox, meshing, ..Call::new(Op::Encrypt, "gost89-cnt") };
        subject.run(&Call { key: &write_key, iv: &write_iv, data, ..call })
    };
    let encrypted = cnt(&text);
    let mut start = 0;
    for (index, end) in ends.into_iter().enumerate() {
        let record = encrypted.clone().and_then(|encrypted| {
            let body = &encrypted[start..end];
            Ok([&header(APPLICATION_DATA, body.len())?[..], body].concat())
        });
        case.answer("gost89-cnt", &format!("record{index}"), record)?;
        start = end;
    }
    if let Ok(encrypted) = encrypted {
        case.composed("gost89-cnt", "msg", &text, cnt(&encrypted));
    }
    Ok(())
}

/// The nonce is seqnum xor the write iv with the first bit cleared (RFC 9367 section 4.1.1 gives MGM
/// n - 1 bits); the associated data is the header of the record.
fn mgm(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, suite) = (case.subject, case.test, case.test.suite()?);
    let (cipher, n) = (suite.cipher(), suite.cipher().block());
    let (seqnum, plaintext) = (test.number("seqnum")?, test.bytes("msg")?);
    let mut nonce = test.bytes("writeIv")?;
    nonce.iter_mut().rev().zip(seqnum.to_le_bytes()).for_each(|(byte, number)| *byte ^= number);
    nonce.iter_mut().take(1).for_each(|byte| *byte &= 0x7f);
    if test.has("nonce") {
        case.follows("nonce", test.text("nonce")? == to_hex(&nonce));
    }
    let key = subject.run(&tlstree(suite, &test.bytes("writeKey")?, seqnum));
    if test.has("recordKey") {
        case.answer("tlstree", "recordKey", key.clone())?;
    }
    let call = Call { iv: &nonce, tag_len: Some(n), ..Call::of(Op::Seal, cipher, "mgm") };
    let seal = |key: &[u8]| -> Answer {
        let head = header(APPLICATION_DATA, plaintext.len() + n)?;
        let sealed = subject.run(&Call { key, aad: &head, ..call.with(Op::Seal, &plaintext) })?;
        Ok([&head[..], &sealed].concat())
    };
    let open = |key: &[u8], record: &[u8]| -> Answer {
        let body = body(record, APPLICATION_DATA)?;
        let (ciphertext, tag) = body
            .split_at_checked(body.len().saturating_sub(n))
            .ok_or_else(|| Refused::Input("no tag".into()))?;
        let aad = &record[..HEADER];
        subject.run(&Call { key, aad, tag, ..call.with(Op::Open, ciphertext) })
    };
    let made = case.answer(RECORD, "record", key.clone().and_then(|key| seal(&key)))?;
    let given = if test.has("record") { Some(test.bytes("record")?) } else { made };
    if let Some(record) = given {
        let opened = key.and_then(|key| open(&key, &record));
        case.composed(RECORD, "msg", &plaintext, opened);
    }
    Ok(())
}
