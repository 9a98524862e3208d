//! From [`Params`] to a boxed session: one function a mode, generic over the cipher.

use alloc::boxed::Box;

use super::session::boxed;
use super::{
    AeadSession, BlocksSession, GammaSession, HashSession, MacSession, Padding, Params, Session,
};
use crate::kdf::Hmac;
use crate::kernel::by_name;
use crate::magma::ParamSet;
use crate::modes::{Cbc, Cfb, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Mgm, Ofb, Omac, OmacAcpkm, Xts};
use crate::{BlockCipher, Error, Gost94, Kuznyechik, Magma, Streebog, gf};

/// What the table's functions return.
pub(super) type Opened = Result<Box<dyn Session>, Error>;

/// The optional parameters.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Takes {
    TagLen,
    S,
    Section,
    Period,
    Padding,
    Sboxes,
    Meshing,
}

impl Params<'_> {
    /// Refuses the parameters that mean nothing to an algorithm.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is given that is not in the list.
    pub(super) fn only(&self, takes: &[Takes]) -> Result<(), Error> {
        let given = [
            (Takes::TagLen, self.tag_len.is_some()),
            (Takes::S, self.s.is_some()),
            (Takes::Section, self.section.is_some()),
            (Takes::Period, self.period.is_some()),
            (Takes::Padding, self.padding != Padding::None),
            (Takes::Sboxes, self.sboxes.is_some()),
            (Takes::Meshing, self.meshing.is_some()),
        ];
        let meaningless = |(what, given): &(Takes, bool)| *given && !takes.contains(what);
        if given.iter().any(meaningless) { Err(Error::Parameter) } else { Ok(()) }
    }
    /// The key of 32 octets.
    pub(super) fn key32(&self) -> Result<&[u8; 32], Error> {
        self.key.try_into().map_err(|_| Error::KeyLength)
    }
    /// That there is no IV.
    pub(super) fn no_iv(&self) -> Result<(), Error> {
        if self.iv.is_empty() { Ok(()) } else { Err(Error::IvLength) }
    }
}

/// A block cipher that [`Params`] make.
pub(super) trait FromParams: BlockCipher {
    /// Takes key and kernel (and what else belongs to the cipher).
    fn from_params(p: &Params<'_>) -> Result<Self, Error>;
}

impl FromParams for Kuznyechik {
    fn from_params(p: &Params<'_>) -> Result<Self, Error> {
        let cipher = Kuznyechik::new(p.key32()?);
        if let Some(name) = p.kernel { cipher.on(name) } else { Ok(cipher) }
    }
}

impl FromParams for Magma {
    fn from_params(p: &Params<'_>) -> Result<Self, Error> {
        let cipher = Magma::new(p.key32()?);
        if let Some(name) = p.kernel { cipher.on(name) } else { Ok(cipher) }
    }
}

pub(super) fn hash<const OUT: usize>(p: &Params<'_>) -> Opened {
    p.only(&[])?;
    p.no_iv()?;
    if !p.key.is_empty() {
        return Err(Error::KeyLength);
    }
    let hash = Streebog::<OUT>::new();
    boxed(HashSession(match p.kernel {
        Some(name) => hash.on(name)?,
        None => hash,
    }))
}

/// S-boxes that are given go before those of the name.
pub(super) fn gost94(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes])?;
    p.no_iv()?;
    if !p.key.is_empty() {
        return Err(Error::KeyLength);
    }
    let hash = Gost94::new(p.sboxes.clone().unwrap_or_else(|| usual.into()));
    boxed(HashSession(match p.kernel {
        Some(name) => hash.on(name)?,
        None => hash,
    }))
}

pub(super) fn hmac<const OUT: usize>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen])?;
    p.no_iv()?;
    let hmac = match p.kernel {
        Some(name) => Hmac::<OUT>::new_on(p.key, name)?,
        None => Hmac::new(p.key),
    };
    boxed(MacSession(hmac.truncated(p.tag_len.unwrap_or(OUT))?))
}

pub(super) fn ecb<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::Padding])?;
    p.no_iv()?;
    boxed(BlocksSession(Ecb::new(C::from_params(p)?, p.direction, p.padding)))
}

pub(super) fn cbc<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::Padding])?;
    boxed(BlocksSession(Cbc::new(C::from_params(p)?, p.direction, p.iv, p.padding)?))
}

pub(super) fn cfb<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::S])?;
    let cfb = Cfb::new(C::from_params(p)?, p.direction, p.iv)?;
    boxed(GammaSession(cfb.with_s(p.s.unwrap_or(C::BLOCK))?))
}

pub(super) fn ofb<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::S])?;
    let ofb = Ofb::new(C::from_params(p)?, p.iv)?;
    boxed(GammaSession(ofb.with_s(p.s.unwrap_or(C::BLOCK))?))
}

pub(super) fn ctr<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::S])?;
    let ctr = Ctr::new(C::from_params(p)?, p.iv)?.with_s(p.s.unwrap_or(C::BLOCK))?;
    boxed(GammaSession(ctr))
}

/// The section in octets that the TLS suites of RFC 9189 use, and OpenSSL's GOST provider by default.
const fn section(block: usize) -> usize {
    if block == 16 { 4096 } else { 1024 }
}

pub(super) fn ctr_acpkm<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::S, Takes::Section])?;
    let section = p.section.unwrap_or(section(C::BLOCK));
    let ctr = CtrAcpkm::new(C::from_params(p)?, p.iv, section)?;
    boxed(GammaSession(ctr.with_s(p.s.unwrap_or(C::BLOCK))?))
}

/// By default N = 4096 for both ciphers and T* as [`section`]: so does OpenSSL's GOST provider.
pub(super) fn omac_acpkm<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen, Takes::Section, Takes::Period])?;
    p.no_iv()?;
    let (n, t) = (p.section.unwrap_or(4096), p.period.unwrap_or(section(C::BLOCK)));
    let tag_len = p.tag_len.unwrap_or(C::BLOCK);
    boxed(MacSession(OmacAcpkm::new(C::from_params(p)?, n, t, tag_len)?))
}

pub(super) fn omac<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen])?;
    p.no_iv()?;
    boxed(MacSession(Omac::new(C::from_params(p)?, p.tag_len.unwrap_or(C::BLOCK))?))
}

/// The IV is the UKM; by default the section of CMS.
pub(super) fn cms<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::Section, Takes::TagLen])?;
    if p.tag_len.is_some_and(|len| len != C::BLOCK) {
        return Err(Error::TagLength);
    }
    let section = p.section.unwrap_or(if C::BLOCK == 16 { 262_144 } else { 8192 });
    let (cipher, cek) = (C::from_params(p)?, p.key32()?);
    let mode = CtrAcpkmOmac::new(|key| cipher.rekey(key), cek, p.iv, section)?;
    boxed(AeadSession { mode, direction: p.direction })
}

/// The key is K1 || K2, the IV the tweak.
pub(super) fn xts(p: &Params<'_>) -> Opened {
    p.only(&[])?;
    let (data, tweak) = p.key.split_at_checked(32).ok_or(Error::KeyLength)?;
    let data = data.try_into().map_err(|_| Error::KeyLength)?;
    let xts = Xts::new(data, tweak.try_into().map_err(|_| Error::KeyLength)?)?;
    let xts = if let Some(name) = p.kernel { xts.on(name)? } else { xts };
    let tweak = p.iv.try_into().map_err(|_| Error::IvLength)?;
    boxed(BlocksSession(xts.message(tweak, p.direction)))
}

/// A kernel's name that only the cipher or only the multiplication has is for it alone; the other
/// chooses for itself.
pub(super) fn mgm<C: FromParams>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen])?;
    let gf = p.kernel.and_then(|name| by_name(gf::KERNELS, name).ok());
    let cipher = match C::from_params(p) {
        Err(Error::UnknownKernel) if gf.is_some() => {
            C::from_params(&Params { kernel: None, ..p.clone() })?
        }
        cipher => cipher?,
    };
    let mgm = Mgm::new(cipher, p.iv, p.tag_len.unwrap_or(C::BLOCK))?;
    let mode = match gf {
        Some(gf) => mgm.gf_on(gf.name())?,
        None => mgm,
    };
    boxed(AeadSession { mode, direction: p.direction })
}
