//! What is tested: one method per operation of the vectors. Implement the methods that your code
//! has; every other one answers [`Refused::Unsupported`], is counted by its name in the report and
//! can be forbidden there.
//!
//! Throughout: octet strings stand in the order in which they travel; lengths are in octets; `key`
//! is 32 octets unless the vector tests a wrong length, and every length may be wrong: check it and
//! refuse, do not panic (a panic is reported as a failure).

use crate::parameters::{Cipher, Direction, KuznyechikStep, Meshing, Sbox, Streebog, Suite, Wrap};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The subject does not have this operation.
    Unsupported,
    /// The input is not allowed (length, range), or a tag did not verify; with the words of the
    /// subject, printed when the vector is a valid one.
    Input(String),
}

impl Refused {
    /// Wraps the error of the tested code: `.map_err(Refused::because)`.
    pub fn because(reason: impl std::fmt::Debug) -> Self {
        Refused::Input(format!("{reason:?}"))
    }
}

/// The octets asked for, or why there are none.
pub type Answer = Result<Vec<u8>, Refused>;

/// A stream in place: each call transforms the next octets of one message, in pieces of any length.
pub type Stream<'a> = Box<dyn FnMut(&mut [u8]) -> Result<(), Refused> + 'a>;

/// A MAC over a message that comes in pieces of any length.
pub trait MacStream {
    /// Takes the next octets.
    fn update(&mut self, data: &[u8]) -> Result<(), Refused>;
    /// The first `tag_len` octets of the tag.
    fn finish(self: Box<Self>, tag_len: usize) -> Answer;
}

const UNSUPPORTED: Answer = Err(Refused::Unsupported);

/// Compares a computed tag with a given one of an agreed length: the meaning of "verify" for
/// subjects that have no verification of their own.
fn verify(computed: Answer, tag_len: usize, tag: &[u8]) -> Result<bool, Refused> {
    let computed = computed?;
    Ok(computed.len() == tag_len && computed == tag)
}

/// An implementation under test. `Sync` because the runner uses all cores.
#[allow(unused_variables)] // the defaults refuse without looking
pub trait Subject: Sync {
    // ---- GOST R 34.12-2015: Kuznyechik (RFC 7801), Magma (RFC 8891)

    /// One block of `cipher.block()` octets.
    fn block(&self, cipher: Cipher, direction: Direction, key: &[u8], block: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// `block` applied `times` times to its own output. Worth overriding: the default makes the key
    /// schedule anew each time, and vectors ask for up to 100 000.
    fn block_iterated(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        block: &[u8],
        times: u64,
    ) -> Answer {
        let mut block = block.to_vec();
        for _ in 0..times {
            block = self.block(cipher, direction, key, &block)?;
        }
        Ok(block)
    }

    /// The round keys of encryption one after another: Kuznyechik K_1..K_10 of 16 octets, Magma
    /// K_1..K_32 of 4 octets, big-endian.
    fn round_keys(&self, cipher: Cipher, key: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// A step of RFC 7801 section 4 on 16 octets, a_15 first.
    fn kuznyechik_step(&self, step: KuznyechikStep, input: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// The iteration constant C_`index`, 16 octets, `index` from 1 to 32 (RFC 7801 section 4.3).
    fn kuznyechik_constant(&self, index: usize) -> Answer {
        UNSUPPORTED
    }

    /// F\[C_`index`\] ... F\[C_1\] of the two halves of the key, a_1 || a_0: 32 octets, `index` from 1
    /// (RFC 7801 section 5.4).
    fn kuznyechik_f_chain(&self, key: &[u8], index: usize) -> Answer {
        UNSUPPORTED
    }

    /// Magma's t on a 4-octet big-endian word (RFC 8891 section 4.2).
    fn magma_t(&self, input: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// Magma's g\[k\] on a 4-octet big-endian word; `k` likewise (RFC 8891 section 4.2).
    fn magma_g(&self, k: &[u8], input: &[u8]) -> Answer {
        UNSUPPORTED
    }

    // ---- GOST R 34.13-2015 modes. No padding: ECB and CBC refuse a partial block.

    /// ECB, section 5.1.
    fn ecb(&self, cipher: Cipher, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// CTR, section 5.2: `iv` is n/2 octets, the first counter is iv || 0; `s` octets of each
    /// encrypted counter are used (1..=n). Its own inverse.
    fn ctr(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// CTR from a whole counter block of n octets, a big-endian number that grows modulo 2^(8n).
    fn ctr_full_block(&self, cipher: Cipher, key: &[u8], counter: &[u8], data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// OFB, section 5.3: `iv` is z >= 1 blocks, the register is shifted by n, `s` octets of gamma
    /// are used for a block. Its own inverse.
    fn ofb(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// CBC, section 5.4: `iv` is z >= 1 blocks.
    fn cbc(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// CFB, section 5.5: `iv` is m >= n octets, not always whole blocks; the register is shifted by
    /// `s`, segments are `s` octets.
    fn cfb(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        s: usize,
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// OMAC, section 5.6: the first `tag_len` octets, 1..=n.
    fn omac(&self, cipher: Cipher, key: &[u8], data: &[u8], tag_len: usize) -> Answer {
        UNSUPPORTED
    }

    /// Does `tag` authenticate `data` where tags of `tag_len` octets are agreed on? A tag of another
    /// length does not.
    fn omac_verify(
        &self,
        cipher: Cipher,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verify(self.omac(cipher, key, data, tag_len), tag_len, tag)
    }

    /// R = E_K(0), K_1 and K_2 of OMAC one after another, 3n octets.
    fn omac_subkeys(&self, cipher: Cipher, key: &[u8]) -> Answer {
        UNSUPPORTED
    }

    // ---- RFC 8645 (R 1323565.1.017-2018)

    /// The next section key: ACPKM(key), 32 octets (section 6.2.1).
    fn acpkm(&self, cipher: Cipher, key: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// `len` octets of key material of ACPKM-Master: CTR-ACPKM of zeros with iv of ones and sections
    /// of `period` = T* octets (section 6.3.1).
    fn acpkm_master(&self, cipher: Cipher, key: &[u8], period: usize, len: usize) -> Answer {
        UNSUPPORTED
    }

    /// CTR-ACPKM (section 6.2.2): `iv` of n/2 octets, sections of `section` = N octets, a positive
    /// multiple of the block, `s` as in [`Subject::ctr`] and dividing N. Its own inverse.
    fn ctr_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        section: usize,
        s: usize,
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// OMAC-ACPKM (section 6.3.6): sections of `section` = N octets, master period `period` = T*
    /// octets. The empty message, which the standard leaves open: one key pair is derived and the
    /// empty block padded.
    fn omac_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        section: usize,
        period: usize,
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        UNSUPPORTED
    }

    /// Does `tag` authenticate `data`? As [`Subject::omac_verify`].
    #[allow(clippy::too_many_arguments)] // the parameters of the mode
    fn omac_acpkm_verify(
        &self,
        cipher: Cipher,
        key: &[u8],
        section: usize,
        period: usize,
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verify(self.omac_acpkm(cipher, key, section, period, data, tag_len), tag_len, tag)
    }

    // ---- MGM (RFC 9058)

    /// Seals: ciphertext || tag of `tag_len` octets. `nonce` is n octets and its first bit must be 0;
    /// aad and message must not both be empty.
    fn mgm_seal(
        &self,
        cipher: Cipher,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        message: &[u8],
        tag_len: usize,
    ) -> Answer {
        UNSUPPORTED
    }

    /// Opens: the message, or [`Refused::Input`] where anything is wrong. Tags of `tag_len` octets
    /// are agreed on: a tag of another length is wrong.
    #[allow(clippy::too_many_arguments)] // the parameters of an AEAD
    fn mgm_open(
        &self,
        cipher: Cipher,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// The product of two elements of GF(2^(8n)), n octets each, first octet most significant,
    /// modulo x^128+x^7+x^2+x+1 or x^64+x^4+x^3+x+1.
    fn gf_multiply(&self, cipher: Cipher, a: &[u8], b: &[u8]) -> Answer {
        UNSUPPORTED
    }

    // ---- GOST 28147-89 (RFC 5830, RFC 4357): little-endian words, any S-box

    /// The S-box of the parameter set: 128 octets 0..=15, rows K1..K8 (K1 substitutes the least
    /// significant nibble), 16 entries each in the order of the input.
    fn gost28147_sbox(&self, sbox: Sbox) -> Answer {
        UNSUPPORTED
    }

    /// One block of 8 octets.
    fn gost28147_block(
        &self,
        sbox: Sbox,
        direction: Direction,
        key: &[u8],
        block: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// Whole blocks of 8 octets.
    fn gost28147_ecb(&self, sbox: Sbox, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// One step of CryptoPro key meshing: the next key (32 octets) || the register `iv` (8 octets)
    /// encrypted with it (RFC 4357 section 2.3.2).
    fn gost28147_mesh(&self, sbox: Sbox, key: &[u8], iv: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// The gamma mode CNT: `iv` of 8 octets, encrypted before use. Its own inverse. N4 grows modulo
    /// 2^32 - 1, where a sum of exactly 2^32 - 1 stays.
    fn gost28147_cnt(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// CFB with segments of 8 octets.
    fn gost28147_cfb(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// CBC, no padding. With meshing the letter of RFC 4357 section 2.3.2: new key, and the register
    /// encrypted with it (implementations differ; these vectors are `acceptable`).
    fn gost28147_cbc(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// IMIT: the first `tag_len` octets (1..=8) of the register; `iv` is its first value, 8 octets.
    /// A message of 1..8 octets gets a second, zero block (GOST 28147-89 wants two; so CryptoPro);
    /// the empty message gives `iv`.
    fn gost28147_imit(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        UNSUPPORTED
    }

    /// Does `tag` authenticate `data`? As [`Subject::omac_verify`].
    #[allow(clippy::too_many_arguments)] // the parameters of the mode
    fn gost28147_imit_verify(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verify(self.gost28147_imit(sbox, meshing, key, iv, data, tag_len), tag_len, tag)
    }

    /// Streaming CNT, for messages of gigabytes: without it they are skipped.
    fn gost28147_cnt_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Stream<'_>, Refused> {
        Err(Refused::Unsupported)
    }

    /// Streaming CFB encryption, likewise.
    fn gost28147_cfb_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Stream<'_>, Refused> {
        Err(Refused::Unsupported)
    }

    /// Streaming IMIT, likewise.
    fn gost28147_imit_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Box<dyn MacStream + '_>, Refused> {
        Err(Refused::Unsupported)
    }

    // ---- Key wraps

    /// Wraps `cek` (32 octets, or 64 in [`Wrap::Rfc7836`]): ukm || encrypted cek || IMIT of 4 octets.
    /// See [`Wrap`].
    fn key_wrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], ukm: &[u8], cek: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// The cek in `wrapped`, whose ukm is what precedes the last 36 octets (68, where 8 octets or more
    /// are left for it, in [`Wrap::Rfc7836`]); another length or a wrong IMIT is refused.
    fn key_unwrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], wrapped: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// CryptoPro KEK diversification with a ukm of 8 octets (RFC 4357 section 6.5).
    fn cryptopro_diversify(&self, sbox: Sbox, kek: &[u8], ukm: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// KExp15 (RFC 9189 section 8.2.1): CTR under `k_enc` of secret || OMAC under `k_mac` of
    /// iv || secret; `iv` of n/2 octets.
    fn kexp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        secret: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    /// KImp15, the inverse: the secret, or a refusal.
    fn kimp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        exported: &[u8],
    ) -> Answer {
        UNSUPPORTED
    }

    // ---- Hashes, and what is built on them

    /// Streebog (RFC 6986), the digest as it travels (the RFC prints it reversed).
    fn streebog(&self, hash: Streebog, data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// GOST R 34.11-94 (RFC 5831), zero start vector, the digest as it travels. The empty message
    /// has no block: step 2 is skipped, as in CryptoPro's implementations.
    fn gostr341194(&self, sbox: Sbox, data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// HMAC with Streebog (RFC 7836 section 4.1), the whole tag; keys of any length as in RFC 2104.
    fn hmac(&self, hash: Streebog, key: &[u8], data: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// Does `tag` authenticate `data` where tags of `tag_len` octets are agreed on?
    fn hmac_verify(
        &self,
        hash: Streebog,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        let computed = self.hmac(hash, key, data).map(|mut whole| {
            whole.truncate(tag_len);
            whole
        });
        verify(computed, tag_len, tag)
    }

    /// KDF_GOSTR3411_2012_256, 32 octets (RFC 7836 section 4.4).
    fn kdf(&self, key: &[u8], label: &[u8], seed: &[u8]) -> Answer {
        UNSUPPORTED
    }

    /// KDF_TREE_GOSTR3411_2012_256 (RFC 7836 section 4.5): `len` octets, not always a multiple of 32
    /// (the last block is cut); the counter is `r` octets, 1..=4, and `len` at most
    /// 32 * (256^r - 1). Inside, the length is counted in bits, shortest big-endian form.
    fn kdf_tree(&self, key: &[u8], label: &[u8], seed: &[u8], r: u32, len: usize) -> Answer {
        UNSUPPORTED
    }

    /// PBKDF2 with HMAC-Streebog (RFC 8018, R 50.1.111-2016).
    fn pbkdf2(
        &self,
        hash: Streebog,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        len: usize,
    ) -> Answer {
        UNSUPPORTED
    }

    /// PRF_TLS_GOSTR3411_2012 (RFC 7836 section 4.2.1): P_hash of label || seed.
    fn prf_tls(
        &self,
        hash: Streebog,
        secret: &[u8],
        label: &[u8],
        seed: &[u8],
        len: usize,
    ) -> Answer {
        UNSUPPORTED
    }

    /// IKEv2 prf+ (RFC 7296 section 2.13) over HMAC; the default composes it from
    /// [`Subject::hmac`].
    fn prf_plus(&self, hash: Streebog, key: &[u8], seed: &[u8], len: usize) -> Answer {
        chained_hmac(self, hash, key, seed, len)
    }

    /// HKDF-Extract (RFC 5869): HMAC of `ikm`, keyed by the salt (none: zeros); the default composes
    /// it from [`Subject::hmac`].
    fn hkdf_extract(&self, hash: Streebog, salt: &[u8], ikm: &[u8]) -> Answer {
        let zeros = vec![0; hash.octets()];
        self.hmac(hash, if salt.is_empty() { &zeros } else { salt }, ikm)
    }

    /// HKDF-Expand (RFC 5869); the default composes it from [`Subject::hmac`].
    fn hkdf_expand(&self, hash: Streebog, prk: &[u8], info: &[u8], len: usize) -> Answer {
        chained_hmac(self, hash, prk, info, len)
    }

    /// TLSTREE(key, seqnum) with the masks of the suite, 32 octets (RFC 9189 section 8.1).
    fn tlstree(&self, suite: Suite, key: &[u8], seqnum: u64) -> Answer {
        UNSUPPORTED
    }

    // ---- CMS content encryption (R 1323565.1.025-2019)

    /// gostr3412-2015-*-ctracpkm-omac: K_enc || K_mac = KDF_TREE(cek, "kdf tree", last 8 octets of
    /// ukm, R = 1, 64); CTR-ACPKM under K_enc with iv = ukm\[..n/2\] of message || OMAC(K_mac, message).
    /// `ukm` is n/2 + 8 octets. Gives ciphertext || encrypted mac. The default composes it.
    fn cms_seal(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        message: &[u8],
    ) -> Answer {
        let (n, iv, keys) = cms_keys(self, cipher, cek, ukm)?;
        let mut text = message.to_vec();
        text.extend(self.omac(cipher, &keys[32..], message, n)?);
        self.ctr_acpkm(cipher, &keys[..32], iv, section, n, &text)
    }

    /// The inverse of [`Subject::cms_seal`]: the message, or a refusal.
    fn cms_open(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        sealed: &[u8],
    ) -> Answer {
        let (n, iv, keys) = cms_keys(self, cipher, cek, ukm)?;
        let mut text = self.ctr_acpkm(cipher, &keys[..32], iv, section, n, sealed)?;
        if text.len() < n {
            return Err(Refused::Input("shorter than the MAC".into()));
        }
        let mac = text.split_off(text.len() - n);
        if !self.omac_verify(cipher, &keys[32..], &text, n, &mac)? {
            return Err(Refused::Input("the MAC does not verify".into()));
        }
        Ok(text)
    }
}

/// T_i = HMAC(key, T_(i-1) || seed || i) with a counter of one octet from 1: prf+ and HKDF-Expand
/// are the same chain.
fn chained_hmac<S: Subject + ?Sized>(
    subject: &S,
    hash: Streebog,
    key: &[u8],
    seed: &[u8],
    len: usize,
) -> Answer {
    let (mut out, mut last) = (Vec::new(), Vec::new());
    for counter in 1..=255u8 {
        if out.len() >= len {
            break;
        }
        last = subject.hmac(hash, key, &[&last[..], seed, &[counter]].concat())?;
        out.extend_from_slice(&last);
    }
    if out.len() < len {
        return Err(Refused::Input("more than 255 blocks".into()));
    }
    out.truncate(len);
    Ok(out)
}

/// n, the iv and K_enc || K_mac of CMS content encryption.
fn cms_keys<'a, S: Subject + ?Sized>(
    subject: &S,
    cipher: Cipher,
    cek: &[u8],
    ukm: &'a [u8],
) -> Result<(usize, &'a [u8], Vec<u8>), Refused> {
    let n = cipher.block();
    if ukm.len() != n / 2 + 8 {
        return Err(Refused::Input("ukm is not n/2 + 8 octets".into()));
    }
    let (iv, seed) = ukm.split_at(n / 2);
    Ok((n, iv, subject.kdf_tree(cek, b"kdf tree", seed, 1, 64)?))
}
