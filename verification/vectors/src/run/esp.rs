//! ESP with MGM and a tree of keys (RFC 9227), composed from the subject's KDF and MGM.

use super::case::Case;
use crate::call::{Answer, Call, Op};
use crate::test::Defect;

/// The key of a packet's leaf; then, where the test has one, the packet both ways.
pub fn esp(case: &mut Case) -> Result<(), Defect> {
    let (subject, test, cipher) = (case.subject, case.test, case.test.cipher()?);
    let (key, salt, iv) = (test.bytes("key")?, test.bytes("salt")?, test.bytes("iv")?);
    let [i1, i2a, i2b, i3a, i3b, pnum @ ..] = iv.as_slice() else {
        return Err(Defect("an IV has 8 bytes".into()));
    };
    let kdf = |key: &[u8], label: &[u8], seed: [u8; 2]| {
        let call = Call::new(Op::Derive, "kdf-gostr3411-2012-256");
        subject.run(&Call { key, label, seed: &seed, ..call })
    };
    let leaf = || -> Answer {
        let one = kdf(&key, b"level1", [0, *i1])?;
        let two = kdf(&one, b"level2", [*i2a, *i2b])?;
        kdf(&two, b"level3", [*i3a, *i3b])
    };
    let leaf = case.answer("kdf-gostr3411-2012-256", "dk", leaf())?;
    let nonce = [&[0], pnum, &salt].concat();
    case.follows("nonce", test.bytes("nonce")? == nonce);
    let Some(leaf) = leaf.filter(|_| test.has("ct")) else { return Ok(()) };
    let (aad, tag_len) = (test.bytes("aad")?, Some(test.len("tagLen")?));
    let call = Call::of(Op::Seal, cipher, "mgm");
    case.aead(&Call { key: &leaf, iv: &nonce, aad: &aad, tag_len, ..call }, "tag")
}
