//! The parameters of a cipher's context.
#![allow(unsafe_code)]

use core::ffi::c_void;

use bulat::algorithm::{Algorithm, Iv, Scheme};
use bulat::kdf::TlsTree;
use bulat::{Direction, Error, ParamSet};

use super::context::{Ctx, Records, SEED, State};
use crate::abi::Param;
use crate::context::Parameters;
use crate::fault::{Fault, Result};
use crate::names::{self, Cms, Register, Shape};
use crate::params::{Known, known};
use crate::{algorithm, asn1};

// The first two of each list are CMS's. Only ciphers with parameters in CMS list them, since OpenSSL asks each cipher that
// lists "alg_id_param" for it.
known!(GETTABLE: "alg_id_param" OCTET_STRING, "algorithm-id-params" OCTET_STRING,
    "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER, "num" UNSIGNED_INTEGER,
    "iv" OCTET_STRING, "updated-iv" OCTET_STRING, "tag" OCTET_STRING, "taglen" UNSIGNED_INTEGER,
    "key-mesh" UNSIGNED_INTEGER);
known!(SETTABLE: "alg_id_param" OCTET_STRING, "algorithm-id-params" OCTET_STRING,
    "keylen" UNSIGNED_INTEGER, "ivlen" UNSIGNED_INTEGER, "padding" UNSIGNED_INTEGER, "num" UNSIGNED_INTEGER,
    "tag" OCTET_STRING, "key-mesh" UNSIGNED_INTEGER, "tlstree_mode" UTF8_STRING, "tlstree" OCTET_STRING,
    "paramset" UTF8_STRING);
/// Entries of each list that are CMS's.
const CMS: usize = 2;

fn listed<const N: usize>(known: &'static Known<N>, a: &Algorithm) -> *const Param {
    let from = if Cms::of(a).is_some() { 0 } else { CMS };
    known.0[from..].as_ptr()
}

pub(super) unsafe extern "C" fn gettable<const I: usize>(
    _: *mut c_void,
    _: *mut c_void,
) -> *const Param {
    listed(&GETTABLE, algorithm::<I>())
}

pub(super) unsafe extern "C" fn settable<const I: usize>(
    _: *mut c_void,
    _: *mut c_void,
) -> *const Param {
    listed(&SETTABLE, algorithm::<I>())
}

impl Parameters for Ctx {
    fn get(&mut self, p: &mut Param) -> Result<()> {
        let a = self.algorithm;
        let over = matches!(self.state, State::Over(_));
        match p.key() {
            "keylen" => p.put_number(a.key as u64)?,
            "ivlen" => p.put_number(self.iv_len as u64)?,
            "padding" => p.put_number(self.padding.into())?,
            "num" => p.put_number(self.num())?,
            "iv" => p.put_bytes(&self.iv[..self.iv_len])?,
            "updated-iv" => p.put_bytes(match self.evp.register {
                Register::Ciphertext | Register::Gamma if self.num() != 0 => {
                    return Err(Fault::new("there is no IV to continue with within a block"));
                }
                Register::Ciphertext | Register::Gamma => &self.register[..self.iv_len],
                // No IV says where the message stopped.
                Register::Iv if self.iv_len > 0 && (self.position > 0 || over) => {
                    return Err(Fault::new("the mode has no IV to continue with"));
                }
                Register::Iv => &self.iv[..self.iv_len],
            })?,
            "taglen" if self.aead() => {
                let known = [self.tag.len, self.tag.due].into_iter().find(|len| *len > 0);
                p.put_number(known.unwrap_or(a.out) as u64)?;
            }
            "tag" if self.aead() => {
                let made = self.direction == Direction::Encrypt && over;
                if !made || !a.tags.contains(&p.data_size) {
                    return Err(Fault::new("there is no tag of this length"));
                }
                p.put_bytes(&self.tag.bytes[..p.data_size])?;
            }
            "key-mesh" => p.put_number(self.section.unwrap_or(0) as u64)?,
            "alg_id_param" | "algorithm-id-params" => {
                let der = self.get_cms()?;
                p.put_copy(&der)?;
                self.seed.unread &= p.length_only();
            }
            // Without an answer the caller would use the bytes that its buffer happens to hold.
            "randkey" => return Err(p.unknown()),
            _ => {}
        }
        Ok(())
    }

    fn set_all<'a>(&mut self, mut all: impl Iterator<Item = &'a Param> + Clone) -> Result<()> {
        all.try_for_each(|p| self.set(p))
    }
}

impl Ctx {
    pub(super) fn set(&mut self, p: &Param) -> Result<()> {
        let a = self.algorithm;
        match p.key() {
            "padding" => self.padding = p.number()? != 0,
            "keylen" if p.size()? != a.key => return Err(Error::KeyLength.into()),
            "ivlen" => {
                let len = p.size()?;
                if len == self.iv_len {
                    return Ok(());
                }
                if len != names::iv_len(a) && (a.iv == Iv::None || len != a.iv.usual()) {
                    return Err(Error::IvLength.into());
                }
                (self.iv_len, self.has_iv) = (len, false);
                self.state = State::Unmade;
            }
            "key-mesh" => {
                if a.cms_section().is_none() {
                    return Err(Error::Parameter.into());
                }
                let section = p.size()?;
                if section == 0 || !section.is_multiple_of(a.block) {
                    return Err(Error::Parameter.into());
                }
                self.change(|ctx| ctx.section = Some(section))?;
            }
            "paramset" => {
                if names::sboxes(a).is_none() {
                    return Err(Error::Parameter.into());
                }
                let set = ParamSet::find(p.text()?).ok_or(Error::Parameter)?;
                self.change(|ctx| ctx.sboxes = Some(set))?;
            }
            "tag" if self.aead() => self.set_tag(p)?,
            "tlstree_mode" if names::has_tree_modes(a) => {
                // SAFETY: OpenSSL with gost-engine's patch for TLS 1.3 passes the literal "light" or "strong" with the
                // size 0 (EVP_CTRL_SET_TLSTREE_PARAMS). README.md asks every caller for a NUL at the end if the size is
                // 0.
                let mode = match unsafe { p.text_to_nul() }? {
                    "light" => "light",
                    "strong" => "strong",
                    _ => return Err(Fault::new("tlstree_mode is \"light\" or \"strong\"")),
                };
                if self.records.mode != Some(mode) {
                    // The tree is made with the next record's number.
                    self.change(|ctx| {
                        ctx.records = Records { mode: Some(mode), ..Records::default() };
                    })?;
                }
            }
            "tlstree" => {
                let number = if self.records.mode.is_some() {
                    // SAFETY: after `tlstree_mode` the same library passes the record's 8 bytes with the size 0
                    // (EVP_CTRL_TLSTREE). README.md asks every caller for 8 bytes then.
                    unsafe { p.fixed() }?
                } else {
                    p.bytes()?.try_into().map_err(|_| Error::Parameter)?
                };
                self.set_record(u64::from_be_bytes(number))?;
            }
            "alg_id_param" | "algorithm-id-params" => self.set_cms(p.bytes()?)?,
            "keylen" => {}
            "num" if p.number()? == self.num() => {}
            // 0 turns off lengths in bits, TLS records and their MACs, which are off here.
            "use-bits" | "tls-version" | "tls-mac-size" if p.number()? == 0 => {}
            // These change no result.
            "properties" | "speed" => {}
            _ => return Err(p.unknown()),
        }
        Ok(())
    }

    /// Returns the number of bytes of a stream's block that have been used.
    fn num(&self) -> u64 {
        if self.evp.shape == Shape::Stream {
            self.position % self.algorithm.block as u64
        } else {
            0
        }
    }

    /// Changes a value that the session is made from. It refuses that within a message.
    fn change(&mut self, f: impl FnOnce(&mut Self)) -> Result<()> {
        if let State::Begun(_) = self.state {
            return Err(Error::Order.into());
        }
        f(self);
        self.state = State::Unmade;
        Ok(())
    }

    /// Sets the tag to check; without bytes the length of the tag.
    fn set_tag(&mut self, p: &Param) -> Result<()> {
        let len = p.data_size;
        if !self.algorithm.tags.contains(&len) {
            return Err(Error::TagLength.into());
        }
        if p.length_only() {
            if self.direction == Direction::Decrypt {
                (self.tag.due, self.tag.len) = (len, 0);
                return Ok(());
            }
        } else {
            if self.direction == Direction::Encrypt && self.key.is_some() {
                return Err(Fault::new("a tag to verify is only for decryption"));
            }
            if self.direction == Direction::Decrypt && self.tag.due > 0 && self.tag.due != len {
                return Err(Error::TagLength.into());
            }
            let bytes = p.bytes()?;
            self.tag.bytes.get_mut(..bytes.len()).ok_or(Error::TagLength)?.copy_from_slice(bytes);
            if bytes.len() != len {
                return Err(Error::TagLength.into());
            }
        }
        self.tag.len = len;
        Ok(())
    }

    /// Sets the number of a TLS record, and with it the record's key, from the tree of the key that was set.
    fn set_record(&mut self, number: u64) -> Result<()> {
        let masks = names::tls_masks(self.algorithm, self.records.mode).ok_or(Error::Parameter)?;
        let Some(key) = &self.key else {
            return Err(Fault::new("no key has been set"));
        };
        if self.records.tree.is_none() {
            let root = key[..32].try_into().map_err(|_| Error::KeyLength)?;
            self.records.tree = Some(TlsTree::new(root, masks));
        }
        let same = |number: u64| number & masks.0[2];
        let fresh = self.records.number.is_none_or(|before| same(before) != same(number));
        (self.records.number, self.records.unused) = (Some(number), true);
        // An authenticated cipher's nonce comes with an init, before or after the record's number.
        if self.aead() && matches!(self.state, State::Begun(_) | State::Over(_)) {
            self.has_iv = false;
        }
        self.held.len = 0;
        if fresh || matches!(self.state, State::Over(_)) {
            self.state = State::Unmade;
        } else {
            self.state.to(State::Stale);
        }
        self.prepare()
    }

    /// Sets a cipher's parameters in CMS, IV, S-boxes and seed, and CMS's section.
    fn set_cms(&mut self, der: &[u8]) -> Result<()> {
        let wrong = || Fault::new("the parameters of the algorithm cannot be read");
        let a = self.algorithm;
        match Cms::of(a).ok_or_else(wrong)? {
            Cms::Iv28147 => {
                let (iv, set) = asn1::read_28147(der).ok_or_else(wrong)?;
                if iv.len() != self.iv_len {
                    return Err(Error::IvLength.into());
                }
                if names::sboxes(a).is_some() {
                    self.sboxes = Some(set);
                } else if set != ParamSet::Tc26Z {
                    // Magma has only its own.
                    return Err(Error::Sbox.into());
                }
                self.iv[..iv.len()].copy_from_slice(iv);
            }
            Cms::Ukm => {
                let ukm = asn1::read_ukm(der).ok_or_else(wrong)?;
                if ukm.len() != a.block / 2 + SEED {
                    return Err(Error::IvLength.into());
                }
                self.iv[..self.iv_len].copy_from_slice(&ukm[..self.iv_len]);
                self.seed.bytes = ukm[ukm.len() - SEED..].try_into().ok();
                self.seed.unread = false;
                self.cms_section();
            }
        }
        self.has_iv = true;
        self.state = State::Unmade;
        self.prepare()
    }

    /// Sets CMS's section, if the algorithm has one.
    fn cms_section(&mut self) {
        self.section = self.algorithm.cms_section().or(self.section);
    }

    fn get_cms(&mut self) -> Result<Vec<u8>> {
        let wrong = || Fault::new("the algorithm has no parameters in CMS");
        match Cms::of(self.algorithm).ok_or_else(wrong)? {
            Cms::Iv28147 => {
                let set = self.sboxes.unwrap_or(ParamSet::Tc26Z);
                asn1::write_28147(&self.iv[..self.iv_len], set).ok_or_else(wrong)
            }
            Cms::Ukm => {
                if !matches!(self.state, State::Begun(_) | State::Over(_)) {
                    self.cms_section();
                    self.state = State::Unmade;
                    self.prepare()?;
                }
                let len = self.algorithm.block / 2 + SEED;
                let mut ukm = self.iv[..self.iv_len].to_vec();
                match self.seed.bytes {
                    Some(seed) => ukm.extend_from_slice(&seed),
                    None if self.algorithm.scheme == Scheme::CtrAcpkmOmac && ukm.len() < len => {
                        return Err(Fault::new("there is no seed before the key and the IV"));
                    }
                    // The others do not use it.
                    None => ukm.resize(len, 0),
                }
                ukm.truncate(len);
                Ok(asn1::write_ukm(&ukm))
            }
        }
    }
}
