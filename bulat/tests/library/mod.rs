//! The library as a subject of the vectors, on one kernel. What has a session in the table goes through
//! it in every manner (see `manners`); the rest through its own function. A length that the library's
//! types exclude is a refusal.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bulat::algorithm::{Params, find};
use bulat::kdf::{self, Hmac, KeyWrap, TlsMasks, TlsTree};
use bulat::modes::{self, AcpkmMaster, Cfb28147, Cnt, Ctr, Imit, Mac, Mgm, StreamCipher};
use bulat::{BlockCipher, Error, Gost28147, Kuznyechik, Magma};
use bulat::{ParamSet, Sboxes};
use bulat_core::kernel::{self, Kernel, Ready};
use bulat_core::{gf, kuznyechik, magma, streebog};
use vectors::{
    Answer, Cipher, Direction, MacStream, Meshing, Refused, Sbox, Stream, Streebog, Subject, Suite,
    Wrap,
};

use crate::manners::{self, Message};
use testkit::Random;

/// The library on a kernel.
pub struct Library {
    /// The word of the instruction set.
    pub kernel: &'static str,
    _alone: MutexGuard<'static, ()>,
}

/// Functions that make their own hash or cipher (the KDFs and the wraps) take the kernel that the
/// process is forced to: one at a time.
static FORCED: Mutex<()> = Mutex::new(());

impl Library {
    /// The library, all of it on this kernel; primitives without it on their fastest.
    pub fn on(kernel: &'static str) -> Self {
        let alone = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        kernel::force(Some(kernel)).expect("an available kernel");
        Library { kernel, _alone: alone }
    }

    /// The library with the kernels that it picks by itself.
    #[allow(dead_code)] // not every test that shares this file
    pub fn picked() -> Self {
        let alone = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        Library { kernel: "picked", _alone: alone }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = kernel::force(None);
    }
}

/// Whether a primitive has a kernel of this name, by the name of an algorithm over it.
pub fn has(algorithm: &str, kernel: &str) -> bool {
    fn listed<K: Kernel>(list: &[K], kernel: &str) -> bool {
        list.iter().any(|entry| entry.name() == kernel)
    }
    match algorithm.split('-').next() {
        Some("kuznyechik") => listed(kuznyechik::KERNELS, kernel),
        Some("magma" | "gost89" | "gost" | "gost94") => listed(magma::KERNELS, kernel),
        Some("streebog256" | "streebog512" | "hmac") => listed(streebog::KERNELS, kernel),
        Some("gf") => listed(gf::KERNELS, kernel),
        _ => panic!("no primitive of {algorithm}"),
    }
}

fn because(error: Error) -> Refused {
    Refused::because(error)
}

fn array<const N: usize>(octets: &[u8]) -> Result<&[u8; N], Refused> {
    octets.try_into().map_err(Refused::because)
}

/// A buffer of `len` bytes, filled.
fn filled(len: usize, fill: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Answer {
    let mut out = vec![0; len];
    fill(&mut out).map(|()| out).map_err(because)
}

/// Tells a tag that does not match from an input that is not allowed.
fn verdict(result: Result<(), Error>) -> Result<bool, Refused> {
    match result {
        Ok(()) => Ok(true),
        Err(Error::Verify) => Ok(false),
        Err(error) => Err(because(error)),
    }
}

pub fn param_set(sbox: Sbox) -> ParamSet {
    match sbox {
        Sbox::Test => ParamSet::Test,
        Sbox::CryptoProA => ParamSet::CryptoProA,
        Sbox::CryptoProB => ParamSet::CryptoProB,
        Sbox::CryptoProC => ParamSet::CryptoProC,
        Sbox::CryptoProD => ParamSet::CryptoProD,
        Sbox::Tc26Z => ParamSet::Tc26Z,
        Sbox::HashTest => ParamSet::HashTest,
        Sbox::HashCryptoPro => ParamSet::HashCryptoPro,
    }
}

pub fn way(direction: Direction) -> bulat::Direction {
    match direction {
        Direction::Encrypt => bulat::Direction::Encrypt,
        Direction::Decrypt => bulat::Direction::Decrypt,
    }
}

fn meshing(meshing: Meshing) -> modes::Meshing {
    match meshing {
        Meshing::None => modes::Meshing::None,
        Meshing::CryptoPro => modes::Meshing::CryptoPro,
    }
}

fn of(cipher: Cipher, mode: &str) -> String {
    format!("{}-{mode}", if cipher == Cipher::Kuznyechik { "kuznyechik" } else { "magma" })
}

fn hmac_name(hash: Streebog) -> &'static str {
    match hash {
        Streebog::S256 => "hmac-streebog256",
        Streebog::S512 => "hmac-streebog512",
    }
}

/// An expression over the cipher named by a value, under one key or more.
macro_rules! under {
    ($self:ident, $cipher:expr, $($name:ident = $key:expr),+ => $body:expr) => {
        match $cipher {
            Cipher::Kuznyechik => {
                $(let $name = $self.kuznyechik($key)?;)+
                $body
            }
            Cipher::Magma => {
                $(let $name = $self.magma($key)?;)+
                $body
            }
        }
    };
}

/// A call of a function generic over the length of Streebog.
macro_rules! sized {
    ($hash:expr, $($function:ident)::+ ( $($argument:expr),* $(,)? )) => {
        match $hash {
            Streebog::S256 => $($function)::+::<32>($($argument),*),
            Streebog::S512 => $($function)::+::<64>($($argument),*),
        }
    };
}

/// Parameters of a session, the unusual ones to be added.
fn encrypt<'a>(key: &'a [u8], iv: &'a [u8]) -> Params<'a> {
    Params::new(key).iv(iv)
}

impl Library {
    fn kuznyechik(&self, key: &[u8]) -> Result<Kuznyechik, Refused> {
        let cipher = Kuznyechik::new(array(key)?);
        if has("kuznyechik", self.kernel) {
            return cipher.on(self.kernel).map_err(because);
        }
        Ok(cipher)
    }

    fn magma(&self, key: &[u8]) -> Result<Magma, Refused> {
        let cipher = Magma::new(array(key)?);
        if has("magma", self.kernel) {
            return cipher.on(self.kernel).map_err(because);
        }
        Ok(cipher)
    }

    fn gost28147(&self, sbox: Sbox, key: &[u8]) -> Result<Gost28147, Refused> {
        let cipher = Gost28147::new(array(key)?, param_set(sbox));
        if has("magma", self.kernel) {
            return cipher.on(self.kernel).map_err(because);
        }
        Ok(cipher)
    }

    /// One message through the session of an algorithm in every manner.
    fn session(&self, name: &str, params: Params<'_>, message: Message<'_>) -> Answer {
        let algorithm = find(name).map_err(because)?;
        let params = Params { kernel: has(name, self.kernel).then_some(self.kernel), ..params };
        let mut dice = Random::new(message.text.len() as u64);
        manners::every(name, algorithm, &params, message, &mut dice).map_err(because)
    }

    /// The verdict of a MAC's session.
    fn verify(
        &self,
        name: &str,
        params: Params<'_>,
        data: &[u8],
        tag: &[u8],
    ) -> Result<bool, Refused> {
        let params = Params { kernel: has(name, self.kernel).then_some(self.kernel), ..params };
        let session = find(name).and_then(|algorithm| algorithm.session(&params)?.mac());
        let mut mac = session.map_err(because)?;
        mac.update(data);
        verdict(mac.verify_reset(tag))
    }
}

/// Parameters of a session of GOST 28147-89; key meshing none where the mode has no choice.
fn gost<'a>(sbox: Sbox, mesh: Option<Meshing>, key: &'a [u8], iv: &'a [u8]) -> Params<'a> {
    let meshing = mesh.map(|mesh| mesh == Meshing::CryptoPro);
    Params { sboxes: Some(param_set(sbox).into()), meshing, ..encrypt(key, iv) }
}

impl Subject for Library {
    fn block(&self, cipher: Cipher, direction: Direction, key: &[u8], block: &[u8]) -> Answer {
        self.block_iterated(cipher, direction, key, block, 1)
    }

    fn block_iterated(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        block: &[u8],
        times: u64,
    ) -> Answer {
        under!(self, cipher, cipher = key => {
            let mut block = *array(block)?;
            for _ in 0..times {
                match direction {
                    Direction::Encrypt => cipher.encrypt_block(&mut block),
                    Direction::Decrypt => cipher.decrypt_block(&mut block),
                }
            }
            Ok(block.to_vec())
        })
    }

    fn ecb(&self, cipher: Cipher, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        let params = Params::new(key).direction(way(direction));
        self.session(&of(cipher, "ecb"), params, Message::text(data))
    }

    fn ctr(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        let params = Params { s: Some(s), ..encrypt(key, iv) };
        self.session(&of(cipher, "ctr"), params, Message::text(data))
    }

    fn ctr_full_block(&self, cipher: Cipher, key: &[u8], counter: &[u8], data: &[u8]) -> Answer {
        under!(self, cipher, cipher = key => {
            let mut ctr = Ctr::from_block(cipher, *array(counter)?);
            let mut whole = data.to_vec();
            ctr.apply_keystream(&mut whole).map_err(because)?;
            // Every piece at its place, in another order.
            let mut dice = Random::new(data.len() as u64);
            let mut sought = data.to_vec();
            let mut rest = sought.as_mut_slice();
            while !rest.is_empty() {
                let (head, piece) = rest.split_at_mut(dice.below(rest.len()));
                ctr.seek(head.len() as u64).map_err(because)?;
                ctr.apply_keystream(piece).map_err(because)?;
                rest = head;
            }
            assert!(sought == whole, "seek");
            Ok(whole)
        })
    }

    fn ofb(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        let params = Params { s: Some(s), ..encrypt(key, iv) };
        self.session(&of(cipher, "ofb"), params, Message::text(data))
    }

    fn cbc(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let params = Params::new(key).iv(iv).direction(way(direction));
        self.session(&of(cipher, "cbc"), params, Message::text(data))
    }

    fn cfb(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        s: usize,
        data: &[u8],
    ) -> Answer {
        let params = Params { s: Some(s), ..Params::new(key).iv(iv).direction(way(direction)) };
        self.session(&of(cipher, "cfb"), params, Message::text(data))
    }

    fn omac(&self, cipher: Cipher, key: &[u8], data: &[u8], tag_len: usize) -> Answer {
        let params = Params { tag_len: Some(tag_len), ..encrypt(key, &[]) };
        self.session(&of(cipher, "omac"), params, Message::text(data))
    }

    fn omac_verify(
        &self,
        cipher: Cipher,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        let params = Params { tag_len: Some(tag_len), ..encrypt(key, &[]) };
        self.verify(&of(cipher, "omac"), params, data, tag)
    }

    fn acpkm(&self, cipher: Cipher, key: &[u8]) -> Answer {
        under!(self, cipher, cipher = key => Ok(modes::acpkm_key(&cipher).to_vec()))
    }

    fn acpkm_master(&self, cipher: Cipher, key: &[u8], period: usize, len: usize) -> Answer {
        under!(self, cipher, cipher = key => {
            let mut master = AcpkmMaster::new(cipher, period).map_err(because)?;
            filled(len, |out| master.next(out))
        })
    }

    fn ctr_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        section: usize,
        s: usize,
        data: &[u8],
    ) -> Answer {
        let params = Params { section: Some(section), s: Some(s), ..encrypt(key, iv) };
        self.session(&of(cipher, "ctr-acpkm"), params, Message::text(data))
    }

    fn omac_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        section: usize,
        period: usize,
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        let (section, period) = (Some(section), Some(period));
        let params = Params { section, period, tag_len: Some(tag_len), ..encrypt(key, &[]) };
        self.session(&of(cipher, "omac-acpkm"), params, Message::text(data))
    }

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
        let (section, period) = (Some(section), Some(period));
        let params = Params { section, period, tag_len: Some(tag_len), ..encrypt(key, &[]) };
        self.verify(&of(cipher, "omac-acpkm"), params, data, tag)
    }

    fn mgm_seal(
        &self,
        cipher: Cipher,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        message: &[u8],
        tag_len: usize,
    ) -> Answer {
        let params = Params { tag_len: Some(tag_len), ..encrypt(key, nonce) };
        self.session(&of(cipher, "mgm"), params, Message { aad, text: message, tag: None })
    }

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
        let params = Params { tag_len: Some(tag_len), ..Params::new(key).iv(nonce).decrypt() };
        let message = Message { aad, text: ciphertext, tag: Some(tag) };
        let opened = self.session(&of(cipher, "mgm"), params, message);
        let unverified = under!(self, cipher, cipher = key => {
            unverified_open(cipher, nonce, tag_len, message).map_err(because)
        });
        assert!(unverified == opened, "MgmUnverifiedOpener gives another answer than open");
        opened
    }

    fn gf_multiply(&self, cipher: Cipher, a: &[u8], b: &[u8]) -> Answer {
        let name = if has("gf", self.kernel) { self.kernel } else { "portable" };
        let listed = gf::KERNELS.iter().find(|entry| entry.name() == name);
        let ready = listed.and_then(Ready::new).expect("an available kernel");
        Ok(match cipher {
            Cipher::Kuznyechik => {
                let mut product = [0; 16];
                ready.mac128(&mut product, array::<16>(a)?, array::<16>(b)?);
                product.to_vec()
            }
            Cipher::Magma => {
                let mut product = [0; 8];
                ready.mac64(&mut product, array::<8>(a)?, array::<8>(b)?);
                product.to_vec()
            }
        })
    }

    fn gost28147_sbox(&self, sbox: Sbox) -> Answer {
        Ok(Sboxes::from(param_set(sbox)).rows().concat())
    }

    fn gost28147_block(
        &self,
        sbox: Sbox,
        direction: Direction,
        key: &[u8],
        block: &[u8],
    ) -> Answer {
        let (cipher, mut block) = (self.gost28147(sbox, key)?, *array(block)?);
        match direction {
            Direction::Encrypt => cipher.encrypt_block(&mut block),
            Direction::Decrypt => cipher.decrypt_block(&mut block),
        }
        Ok(block.to_vec())
    }

    fn gost28147_ecb(&self, sbox: Sbox, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        let params = Params { direction: way(direction), ..gost(sbox, None, key, &[]) };
        self.session("gost89-ecb", params, Message::text(data))
    }

    fn gost28147_mesh(&self, sbox: Sbox, key: &[u8], iv: &[u8]) -> Answer {
        let (cipher, mut iv) = (self.gost28147(sbox, key)?, *array(iv)?);
        let key = modes::meshing::next_key(&cipher);
        cipher.rekey(&key).encrypt_block(&mut iv);
        Ok([&key[..], &iv].concat())
    }

    fn gost28147_cnt(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        self.session("gost89-cnt", gost(sbox, Some(meshing), key, iv), Message::text(data))
    }

    fn gost28147_cfb(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let params = Params { direction: way(direction), ..gost(sbox, Some(meshing), key, iv) };
        self.session("gost89", params, Message::text(data))
    }

    fn gost28147_cbc(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let params = Params { direction: way(direction), ..gost(sbox, Some(meshing), key, iv) };
        self.session("gost89-cbc", params, Message::text(data))
    }

    fn gost28147_imit(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        let params = Params { tag_len: Some(tag_len), ..gost(sbox, Some(meshing), key, iv) };
        self.session("gost-mac", params, Message::text(data))
    }

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
        let params = Params { tag_len: Some(tag_len), ..gost(sbox, Some(meshing), key, iv) };
        self.verify("gost-mac", params, data, tag)
    }

    fn gost28147_cnt_stream(
        &self,
        sbox: Sbox,
        mesh: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Stream<'_>, Refused> {
        let cipher = self.gost28147(sbox, key)?;
        let mut cnt = Cnt::with(cipher, iv).map_err(because)?.meshing(meshing(mesh));
        Ok(Box::new(move |data| cnt.apply_keystream(data).map_err(because)))
    }

    fn gost28147_cfb_stream(
        &self,
        sbox: Sbox,
        mesh: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Stream<'_>, Refused> {
        let (cipher, way) = (self.gost28147(sbox, key)?, bulat::Direction::Encrypt);
        let mut cfb = Cfb28147::with(cipher, iv, way).map_err(because)?.meshing(meshing(mesh));
        Ok(Box::new(move |data| cfb.apply_keystream(data).map_err(because)))
    }

    fn gost28147_imit_stream(
        &self,
        sbox: Sbox,
        mesh: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Box<dyn MacStream + '_>, Refused> {
        let cipher = self.gost28147(sbox, key)?;
        let imit = Imit::with(cipher).meshing(meshing(mesh)).iv(iv).map_err(because)?;
        Ok(Box::new(ImitStream(imit)))
    }

    fn key_wrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], ukm: &[u8], cek: &[u8]) -> Answer {
        filled(ukm.len() + cek.len() + 4, |out| {
            key_wrap(wrap, sbox).wrap(kek.try_into().map_err(|_| Error::KeyLength)?, ukm, cek, out)
        })
    }

    fn key_unwrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], wrapped: &[u8]) -> Answer {
        // Only RFC 7836 knows keys of 64 bytes, with a ukm of 8 to 16 before and 4 bytes of MAC.
        let long = wrap == Wrap::Rfc7836 && wrapped.len() >= 8 + 64 + 4;
        filled(if long { 64 } else { 32 }, |cek| {
            let kek = kek.try_into().map_err(|_| Error::KeyLength)?;
            key_wrap(wrap, sbox).unwrap(kek, wrapped, cek)
        })
    }

    fn cryptopro_diversify(&self, sbox: Sbox, kek: &[u8], ukm: &[u8]) -> Answer {
        Ok(kdf::diversify(array(kek)?, array(ukm)?, &param_set(sbox).into()).to_vec())
    }

    fn kexp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        secret: &[u8],
    ) -> Answer {
        under!(self, cipher, mac = k_mac, enc = k_enc => {
            filled(secret.len() + cipher.block(), |out| kdf::kexp15(&mac, &enc, iv, secret, out))
        })
    }

    fn kimp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        exported: &[u8],
    ) -> Answer {
        under!(self, cipher, mac = k_mac, enc = k_enc => {
            let len = exported.len().saturating_sub(cipher.block());
            filled(len, |secret| kdf::kimp15(&mac, &enc, iv, exported, secret))
        })
    }

    fn cms_seal(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        message: &[u8],
    ) -> Answer {
        let params = Params { section: Some(section), ..encrypt(cek, ukm) };
        self.session(&of(cipher, "ctr-acpkm-omac"), params, Message::text(message))
    }

    fn cms_open(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        sealed: &[u8],
    ) -> Answer {
        let params = Params { section: Some(section), ..Params::new(cek).iv(ukm).decrypt() };
        let at = sealed.len().checked_sub(cipher.block()).ok_or(because(Error::DataLength))?;
        let (text, tag) = sealed.split_at(at);
        let message = Message { aad: &[], text, tag: Some(tag) };
        self.session(&of(cipher, "ctr-acpkm-omac"), params, message)
    }

    fn streebog(&self, hash: Streebog, data: &[u8]) -> Answer {
        let name = if hash == Streebog::S256 { "streebog256" } else { "streebog512" };
        self.session(name, encrypt(&[], &[]), Message::text(data))
    }

    fn gostr341194(&self, sbox: Sbox, data: &[u8]) -> Answer {
        let params = Params { sboxes: Some(param_set(sbox).into()), ..encrypt(&[], &[]) };
        self.session("gost94", params, Message::text(data))
    }

    fn hmac(&self, hash: Streebog, key: &[u8], data: &[u8]) -> Answer {
        self.session(hmac_name(hash), encrypt(key, &[]), Message::text(data))
    }

    fn hmac_verify(
        &self,
        hash: Streebog,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        let params = Params { tag_len: Some(tag_len), ..encrypt(key, &[]) };
        self.verify(hmac_name(hash), params, data, tag)
    }

    fn kdf(&self, key: &[u8], label: &[u8], seed: &[u8]) -> Answer {
        Ok(kdf::kdf_256(key, label, seed).to_vec())
    }

    fn kdf_tree(&self, key: &[u8], label: &[u8], seed: &[u8], r: u32, len: usize) -> Answer {
        filled(len, |out| kdf::kdf_tree(key, label, seed, r as usize, out))
    }

    fn pbkdf2(
        &self,
        hash: Streebog,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        len: usize,
    ) -> Answer {
        type Prf<const OUT: usize> = Hmac<bulat::Streebog<OUT>>;
        fn on<const OUT: usize>(kernel: &str, password: &[u8]) -> Result<Prf<OUT>, Error> {
            let named = has("hmac", kernel);
            if named { Prf::new_on(password, kernel) } else { Ok(Prf::new(password)) }
        }
        filled(len, |out| match hash {
            Streebog::S256 => {
                kdf::pbkdf2_with::<32>(&on(self.kernel, password)?, salt, iterations, out)
            }
            Streebog::S512 => {
                kdf::pbkdf2_with::<64>(&on(self.kernel, password)?, salt, iterations, out)
            }
        })
    }

    fn prf_tls(
        &self,
        hash: Streebog,
        secret: &[u8],
        label: &[u8],
        seed: &[u8],
        len: usize,
    ) -> Answer {
        filled(len, |out| {
            sized!(hash, kdf::prf_tls(secret, label, seed, out));
            Ok(())
        })
    }

    fn prf_plus(&self, hash: Streebog, key: &[u8], seed: &[u8], len: usize) -> Answer {
        filled(len, |out| sized!(hash, kdf::prf_plus(key, seed, out)))
    }

    fn hkdf_extract(&self, hash: Streebog, salt: &[u8], ikm: &[u8]) -> Answer {
        Ok(match hash {
            Streebog::S256 => kdf::hkdf_extract::<32>(salt, ikm).to_vec(),
            Streebog::S512 => kdf::hkdf_extract::<64>(salt, ikm).to_vec(),
        })
    }

    fn hkdf_expand(&self, hash: Streebog, prk: &[u8], info: &[u8], len: usize) -> Answer {
        filled(len, |out| sized!(hash, kdf::hkdf_expand(prk, info, out)))
    }

    fn tlstree(&self, suite: Suite, key: &[u8], seqnum: u64) -> Answer {
        let masks = TlsMasks(suite.masks());
        assert!(MASKS.contains(&(suite, masks)), "the library's own masks of {}", suite.name());
        let fresh = *TlsTree::new(array(key)?, masks).key(seqnum);
        // A tree that has been elsewhere gives the same key.
        let (mut tree, mut dice) = (TlsTree::new(array(key)?, masks), Random::new(seqnum));
        for _ in 0..3 {
            let _ = tree.key(seqnum ^ dice.word() >> dice.below(64));
        }
        assert!(*tree.key(seqnum) == fresh, "TlsTree remembers wrong");
        Ok(fresh.to_vec())
    }
}

const MASKS: [(Suite, TlsMasks); 6] = [
    (Suite::KuznyechikCtrOmac, TlsMasks::KUZNYECHIK_CTR_OMAC),
    (Suite::MagmaCtrOmac, TlsMasks::MAGMA_CTR_OMAC),
    (Suite::KuznyechikMgmL, TlsMasks::KUZNYECHIK_MGM_L),
    (Suite::MagmaMgmL, TlsMasks::MAGMA_MGM_L),
    (Suite::KuznyechikMgmS, TlsMasks::KUZNYECHIK_MGM_S),
    (Suite::MagmaMgmS, TlsMasks::MAGMA_MGM_S),
];

/// The wrap, with S-boxes where it has a choice.
fn key_wrap(wrap: Wrap, sbox: Sbox) -> KeyWrap {
    match wrap {
        Wrap::Gost28147 => KeyWrap::Gost28147(param_set(sbox).into()),
        Wrap::CryptoPro => KeyWrap::CryptoPro(param_set(sbox).into()),
        Wrap::Rfc7836 => KeyWrap::Rfc7836,
    }
}

/// MGM opened in pieces by the type that releases what is not verified; the text only if the tag is
/// right.
fn unverified_open<C: BlockCipher>(
    cipher: C,
    nonce: &[u8],
    tag_len: usize,
    message: Message<'_>,
) -> Result<Vec<u8>, Error> {
    let mut open = Mgm::with(cipher).truncated(tag_len)?.unverified_opener(nonce)?;
    let mut dice = Random::new(message.text.len() as u64);
    open.aad(message.aad)?;
    let mut text = message.text.to_vec();
    let mut rest = text.as_mut_slice();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_mut(1 + dice.below(rest.len()));
        open.update(piece)?;
        rest = after;
    }
    open.verify(message.tag.unwrap_or_default())?;
    Ok(text)
}

/// IMIT, whose tag is cut at the end.
struct ImitStream(Imit);

impl MacStream for ImitStream {
    fn update(&mut self, data: &[u8]) -> Result<(), Refused> {
        self.0.update(data);
        Ok(())
    }
    fn finish(self: Box<Self>, tag_len: usize) -> Answer {
        let tag = self.0.truncated(tag_len).and_then(Mac::finalize);
        tag.map(|tag| tag.to_vec()).map_err(because)
    }
}
