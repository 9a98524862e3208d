//! TLS: the key tree and record protection, composed here from the subject's parts. TLS 1.2 CTR_OMAC
//! and CNT_IMIT are RFC 9189 section 4.1, TLS 1.3 is RFC 9367 section 4.1 with RFC 8446 section 5.

use super::case::Case;
use crate::parameters::{Cipher, Meshing, Sbox};
use crate::subject::{Answer, Refused, Subject};
use crate::test::{Defect, to_hex};

const APPLICATION_DATA: u8 = 23;
const VERSION: [u8; 2] = [3, 3];
const HEADER: usize = 5;

pub fn tree(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, suite) = (case.subject, case.test, case.test.suite()?);
    let (mut key, seqnum) = (test.octets("key")?, test.number("seqnum")?);
    case.field("tlstree", "dk", subject.tlstree(suite, &key, seqnum))?;
    for (level, mask) in suite.masks().into_iter().take(2).enumerate() {
        let name = format!("level{}", level + 1);
        if test.has(&name) {
            let answer = subject.kdf(&key, name.as_bytes(), &(seqnum & mask).to_be_bytes());
            case.field("kdf", &name, answer)?;
            key = test.octets(&name)?;
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

/// The body of a record whose header is right.
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
        self.subject.omac(self.cipher, &self.mac_key, &text, self.cipher.block())
    }

    /// CTR-ACPKM with sections of 1 KiB for Magma and 4 KiB for Kuznyechik (section 4.3.3).
    fn crypt(&self, text: &[u8]) -> Answer {
        let (n, section) = match self.cipher {
            Cipher::Magma => (8, 1024),
            Cipher::Kuznyechik => (16, 4096),
        };
        self.subject.ctr_acpkm(self.cipher, &self.encryption_key, &self.iv, section, n, text)
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

/// (writeIv + seqnum) modulo 2^(4n) for blocks of n octets.
fn record_iv(write_iv: &[u8], seqnum: u64) -> Vec<u8> {
    let mut number = [0; 8];
    let start = 8usize.saturating_sub(write_iv.len());
    number[start..].copy_from_slice(&write_iv[..8 - start]);
    u64::from_be_bytes(number).wrapping_add(seqnum).to_be_bytes()[start..].to_vec()
}

fn ctr_omac(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, suite) = (case.subject, case.test, case.test.suite()?);
    let (seqnum, fragment) = (test.number("seqnum")?, test.octets("msg")?);
    let (write_key, mac_key) = (test.octets("writeKey")?, test.octets("macKey")?);
    let (write_iv, content_type) = (test.octets("writeIv")?, test.number("contentType")? as u8);
    let keys = subject
        .tlstree(suite, &write_key, seqnum)
        .and_then(|encryption| Ok((encryption, subject.tlstree(suite, &mac_key, seqnum)?)));
    let (encryption_key, mac_key) = match keys {
        Ok(keys) => keys,
        Err(refused) => {
            case.field("tls_record", "record", Err(refused))?;
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
        case.field("omac", "mac", parts.mac(&fragment))?;
    }
    let made = case.field("tls_record", "record", parts.protect(&fragment))?;
    let given = if test.has("record") { Some(test.octets("record")?) } else { made };
    if let Some(record) = given {
        case.equal("tls_record", "msg", &fragment, parts.unprotect(&record));
    }
    Ok(())
}

/// Both the cipher and the MAC run on across the records of the connection: record i is a piece of
/// CNT(fragment_0 | MAC_0 | fragment_1 | ...), and MAC_i covers every record up to i.
fn cnt_imit(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, sbox) = (case.subject, case.test, Sbox::Tc26Z); // section 4.3.1
    let (write_key, mac_key) = (test.octets("writeKey")?, test.octets("macKey")?);
    let write_iv = test.octets("writeIv")?;
    let (mut authenticated, mut text, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (index, len) in test.list("fragments")?.iter().enumerate() {
        let fragment = vec![0; len.as_u64().unwrap_or(0) as usize];
        authenticated.extend_from_slice(&(index as u64).to_be_bytes());
        authenticated.extend(
            header(APPLICATION_DATA, fragment.len())
                .map_err(|refused| Defect(format!("{refused:?}")))?,
        );
        authenticated.extend_from_slice(&fragment);
        let meshing = Meshing::CryptoPro;
        let answer = subject.gost28147_imit(sbox, meshing, &mac_key, &[0; 8], &authenticated, 4);
        let Ok(mac) = &answer else {
            case.field("tls_record", "record0", answer)?;
            return Ok(());
        };
        let expected = test.octets_list("macs")?;
        let expected = expected.get(index).ok_or_else(|| Defect("too few macs".into()))?;
        text.extend_from_slice(&fragment);
        text.extend_from_slice(mac);
        ends.push(text.len());
        case.equal("gost28147_imit", &format!("macs[{index}]"), expected, answer.clone());
    }
    let cnt =
        |data: &[u8]| subject.gost28147_cnt(sbox, Meshing::CryptoPro, &write_key, &write_iv, data);
    let encrypted = cnt(&text);
    let mut start = 0;
    for (index, end) in ends.into_iter().enumerate() {
        let record = encrypted.clone().and_then(|encrypted| {
            let body = &encrypted[start..end];
            Ok([&header(APPLICATION_DATA, body.len())?[..], body].concat())
        });
        case.field("gost28147_cnt", &format!("record{index}"), record)?;
        start = end;
    }
    if let Ok(encrypted) = encrypted {
        case.equal("gost28147_cnt", "msg", &text, cnt(&encrypted));
    }
    Ok(())
}

/// The nonce is seqnum xor the write iv with the first bit cleared (RFC 9367 section 4.1.1 gives MGM
/// n - 1 bits); the associated data is the header of the record.
fn mgm(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, suite) = (case.subject, case.test, case.test.suite()?);
    let (cipher, n) = (suite.cipher(), suite.cipher().block());
    let (seqnum, plaintext) = (test.number("seqnum")?, test.octets("msg")?);
    let mut nonce = test.octets("writeIv")?;
    nonce.iter_mut().rev().zip(seqnum.to_le_bytes()).for_each(|(octet, number)| *octet ^= number);
    nonce.iter_mut().take(1).for_each(|octet| *octet &= 0x7f);
    if test.has("nonce") {
        case.follows("nonce", test.text("nonce")? == to_hex(&nonce));
    }
    let key = subject.tlstree(suite, &test.octets("writeKey")?, seqnum);
    if test.has("recordKey") {
        case.field("tlstree", "recordKey", key.clone())?;
    }
    let seal = |key: &[u8]| -> Answer {
        let head = header(APPLICATION_DATA, plaintext.len() + n)?;
        let sealed = subject.mgm_seal(cipher, key, &nonce, &head, &plaintext, n)?;
        Ok([&head[..], &sealed].concat())
    };
    let open = |key: &[u8], record: &[u8]| -> Answer {
        let body = body(record, APPLICATION_DATA)?;
        let (ciphertext, tag) = body
            .split_at_checked(body.len().saturating_sub(n))
            .ok_or_else(|| Refused::Input("no tag".into()))?;
        subject.mgm_open(cipher, key, &nonce, &record[..HEADER], ciphertext, n, tag)
    };
    let made = case.field("tls_record", "record", key.clone().and_then(|key| seal(&key)))?;
    let given = if test.has("record") { Some(test.octets("record")?) } else { made };
    if let Some(record) = given {
        let opened = key.and_then(|key| open(&key, &record));
        case.equal("tls_record", "msg", &plaintext, opened);
    }
    Ok(())
}
