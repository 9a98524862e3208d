//! Re-keying inside a message: ACPKM, CTR-ACPKM, the master key procedure and
//! OMAC-ACPKM (RFC 8645 6.2, 6.3; R 1323565.1.017-2018).
//!
//! The standards count bits; section sizes N and periods T* are bytes here.
//! The key of all ciphers is 32 bytes, k = 256 bits.

use crate::modes::{compare, double, e, increment, pad3, xor};
use crate::{Error, Keyed};

/// ACPKM(K) = E_K(D_1)|...|E_K(D_J) (RFC 8645 6.2.1), D the bytes 80..9f:
/// the next section key, 32 bytes. [`Error::KeyLength`].
pub fn next_key<C: Keyed>(key: &[u8]) -> Result<Vec<u8>, Error> {
    let c = C::with_key(key)?;
    let constant: Vec<u8> = (0x80..=0x9f).collect();
    Ok(constant.chunks(C::BLOCK).flat_map(|block| e(&c, block)).collect())
}

/// The section keys K^1 = `key`, K^2 = ACPKM(K^1), ..., `count` of them.
pub fn section_keys<C: Keyed>(key: &[u8], count: usize) -> Result<Vec<Vec<u8>>, Error> {
    let mut keys = Vec::new();
    let mut key = key.to_vec();
    for _ in 0..count {
        let next = next_key::<C>(&key)?;
        keys.push(key);
        key = next;
    }
    Ok(keys)
}

/// CTR-ACPKM (RFC 8645 6.2.2 with c = 4n bits), its own inverse: CTR with
/// CTR_1 = iv||0, iv of n/2 bytes, where the bytes of message number
/// (i-1)N..iN-1 have their gamma from the key K^i; the counter continues across
/// sections. `s` bytes of gamma are used of each block
/// (R 1323565.1.017-2018 5.1; RFC 8645 has s = n).
/// [`Error::SectionSize`] unless N > 0 is divisible by n and by s.
/// [`Error::TooLong`] past n * 2^(c-1) bytes of gamma.
pub fn ctr_acpkm<C: Keyed>(
    key: &[u8],
    iv: &[u8],
    section: usize,
    s: usize,
    p: &[u8],
) -> Result<Vec<u8>, Error> {
    let n = C::BLOCK;
    let mut key = key.to_vec();
    let mut c = C::with_key(&key)?;
    if s == 0 || s > n {
        return Err(Error::GammaLength);
    }
    if section == 0 || !section.is_multiple_of(n) || !section.is_multiple_of(s) {
        return Err(Error::SectionSize);
    }
    if iv.len() != n / 2 {
        return Err(Error::IvLength);
    }
    if p.len().div_ceil(s) as u128 > 1u128 << (4 * n - 1) {
        return Err(Error::TooLong);
    }
    let mut counter = iv.to_vec();
    counter.resize(n, 0);
    let mut out = Vec::new();
    for (j, piece) in p.chunks(s).enumerate() {
        if j > 0 && (j * s).is_multiple_of(section) {
            key = next_key::<C>(&key)?;
            c = C::with_key(&key)?;
        }
        out.extend(xor(piece, &e(&c, &counter)));
        increment(&mut counter);
    }
    Ok(out)
}

/// ACPKM-Master(T*, K, d, l) = CTR-ACPKM(T*, K, 1^(n/2), 0^(d*l)) (RFC 8645
/// 6.3.1): `l` pieces of key material of `d` bytes, in sequence; T*
/// is `period`. [`Error::MasterPeriod`] unless T* > 0 is divisible by d and n.
pub fn master<C: Keyed>(key: &[u8], period: usize, d: usize, l: usize) -> Result<Vec<u8>, Error> {
    if d == 0 || period == 0 || !period.is_multiple_of(d) || !period.is_multiple_of(C::BLOCK) {
        return Err(Error::MasterPeriod);
    }
    let zeros = vec![0; d * l];
    ctr_acpkm::<C>(key, &vec![0xff; C::BLOCK / 2], period, C::BLOCK, &zeros)
}

/// OMAC-ACPKM (RFC 8645 6.3.6, "OMAC-ACPKM-Master"): section i of N bytes
/// goes through the key K^i, where K^i|K^i_1 is piece i of 32 + n bytes of
/// ACPKM-Master; the last block uses K^l_1 when full, its double when padded
/// (procedure 3). The empty message, which the standard leaves out, is one
/// section of one padded block. `section` is N, `period` T*; a tag of
/// `tag_len` bytes, 1..=n. Errors: [`Error::SectionSize`] unless N > 0 is
/// divisible by n, [`Error::MasterPeriod`] unless T* > 0 is divisible by
/// 32 + n, [`Error::TagLength`], [`Error::KeyLength`].
pub fn omac_acpkm<C: Keyed>(
    key: &[u8],
    section: usize,
    period: usize,
    p: &[u8],
    tag_len: usize,
) -> Result<Vec<u8>, Error> {
    let n = C::BLOCK;
    if tag_len == 0 || tag_len > n {
        return Err(Error::TagLength);
    }
    if section == 0 || !section.is_multiple_of(n) {
        return Err(Error::SectionSize);
    }
    let l = p.len().div_ceil(section).max(1);
    let material = master::<C>(key, period, 32 + n, l)?;
    let pieces: Vec<&[u8]> = material.chunks(32 + n).collect();

    let padded = pad3(n, p);
    let k1 = &pieces[l - 1][32..];
    let last_key = if padded.len() == p.len() { k1.to_vec() } else { double(k1) };
    let last_at = padded.len() - n;
    let mut state = vec![0; n];
    for (i, piece) in pieces.iter().enumerate() {
        let c = C::with_key(&piece[..32])?;
        let from = i * section;
        let to = padded.len().min(from + section);
        for at in (from..to).step_by(n) {
            state = xor(&padded[at..at + n], &state);
            if at == last_at {
                state = xor(&state, &last_key);
            }
            c.encrypt(&mut state);
        }
    }
    state.truncate(tag_len);
    Ok(state)
}

/// [`Error::TagLength`] unless `tag` has `tag_len` bytes, then [`Error::Mac`]
/// unless it is the [`omac_acpkm`] of the message.
pub fn omac_acpkm_verify<C: Keyed>(
    key: &[u8],
    section: usize,
    period: usize,
    p: &[u8],
    tag_len: usize,
    tag: &[u8],
) -> Result<(), Error> {
    compare(&omac_acpkm::<C>(key, section, period, p, tag_len)?, tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuznyechik::Kuznyechik;
    use crate::magma::Magma;

    #[test]
    fn refusals() {
        let key = [7; 32];
        assert_eq!(next_key::<Magma>(&key[1..]), Err(Error::KeyLength));
        for section in [0, 8, 24] {
            let refused = ctr_acpkm::<Kuznyechik>(&key, &[0; 8], section, 16, &[]);
            assert_eq!(refused, Err(Error::SectionSize));
            let refused = omac_acpkm::<Kuznyechik>(&key, section, 96, &[], 16);
            assert_eq!(refused, Err(Error::SectionSize));
        }
        assert_eq!(ctr_acpkm::<Magma>(&key, &[0; 8], 16, 8, &[]), Err(Error::IvLength));
        assert_eq!(ctr_acpkm::<Magma>(&key, &[0; 4], 16, 9, &[]), Err(Error::GammaLength));
        assert_eq!(ctr_acpkm::<Magma>(&key, &[0; 4], 16, 3, &[]), Err(Error::SectionSize));
        assert_eq!(master::<Magma>(&key, 16, 40, 1), Err(Error::MasterPeriod));
        assert_eq!(omac_acpkm::<Magma>(&key, 16, 80, &[], 9), Err(Error::TagLength));
    }
}
