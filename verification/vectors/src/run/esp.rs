//! ESP with MGM and a tree of keys (RFC 9227), composed from the subject's KDF and MGM.

use super::case::Case;
use crate::subject::Answer;
use crate::test::Defect;

/// The key of a packet's leaf; then, where the test has one, the packet both ways.
pub fn esp(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let (key, salt, iv) = (test.octets("key")?, test.octets("salt")?, test.octets("iv")?);
    let [i1, i2a, i2b, i3a, i3b, pnum @ ..] = iv.as_slice() else {
        return Err(Defect("an IV has 8 octets".into()));
    };
    let leaf = || -> Answer {
        let one = subject.kdf(&key, b"level1", &[0, *i1])?;
        let two = subject.kdf(&one, b"level2", &[*i2a, *i2b])?;
        subject.kdf(&two, b"level3", &[*i3a, *i3b])
    };
    let leaf = case.field("kdf", "dk", leaf())?;
    let nonce = [&[0], pnum, &salt].concat();
    case.follows("nonce", test.octets("nonce")? == nonce);
    let Some(leaf) = leaf.filter(|_| test.has("ct")) else { return Ok(()) };
    let (aad, message, tag_len) = (test.octets("aad")?, test.octets("msg")?, test.len("tagLen")?);
    let sealed = subject.mgm_seal(cipher, &leaf, &nonce, &aad, &message, tag_len);
    let part = |from: usize, to: usize| -> Answer {
        Ok(sealed.clone()?.get(from..to).unwrap_or_default().to_vec())
    };
    case.field("mgm_seal", "ct", part(0, message.len()))?;
    case.field("mgm_seal", "tag", part(message.len(), message.len() + tag_len))?;
    let (ct, tag) = (test.octets("ct")?, test.octets("tag")?);
    let opened = subject.mgm_open(cipher, &leaf, &nonce, &aad, &ct, tag_len, &tag);
    case.equal("mgm_open", "msg", &message, opened);
    Ok(())
}
