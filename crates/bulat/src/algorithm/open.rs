//! From [`Params`] to a session: a function for each algorithm, with the optional parameters that it accepts.

use super::Params;
use crate::kernel;
use crate::magma::ParamSet;
use crate::modes::{
    Cbc, Cbc28147, Cfb, Cfb28147, Cnt, Ctr, CtrAcpkm, CtrAcpkmOmac, Ecb, Imit, Mgm, Ofb, Omac,
    OmacAcpkm, Xts,
};
use crate::session::{
    AeadSession, CipherSession, FromParams, MacSession, Opened, Session, Takes, gost28147, meshed,
    section,
};
use crate::{Error, Gost94, Hmac, Streebog, gf};

/// Functions that the table names, for a cipher `C`, or with the usual S-boxes of an algorithm.
macro_rules! open {
    ($($name:ident $(<$cipher:ident>)? ($p:ident $(, $usual:ident)?) [$($takes:ident)*] = $session:expr;)*) => {$(
        pub(super) fn $name $(<$cipher: FromParams>)? (
            $p: &Params<'_>,
            $($usual: ParamSet)?
        ) -> Opened {
            $p.only(&[$(Takes::$takes),*])?;
            Ok($session)
        }
    )*};
}

open! {
    ecb<C>(p) [Padding] = {
        p.no_iv()?;
        CipherSession::blocks(Ecb::with(C::from_params(p)?, p.direction).padding(p.padding))
    };
    ecb28147(p, usual) [Sboxes Padding] = {
        p.no_iv()?;
        CipherSession::blocks(Ecb::with(gost28147(p, usual)?, p.direction).padding(p.padding))
    };
    cbc<C>(p) [Padding] = {
        let cbc = Cbc::with(C::from_params(p)?, p.iv, p.direction)?;
        CipherSession::blocks(cbc.padding(p.padding))
    };
    cbc28147(p, usual) [Sboxes Meshing Padding] = {
        let cbc = Cbc28147::with(gost28147(p, usual)?, p.iv, p.direction)?.padding(p.padding);
        CipherSession::blocks(meshed(p, cbc, Cbc28147::meshing))
    };
    ctr<C>(p) [S] = {
        let ctr = Ctr::with(C::from_params(p)?, p.iv)?;
        CipherSession::stream(ctr.with_s(p.s.unwrap_or(C::BLOCK))?)
    };
    cnt(p, usual) [Sboxes Meshing] = {
        CipherSession::stream(meshed(p, Cnt::with(gost28147(p, usual)?, p.iv)?, Cnt::meshing))
    };
    cfb<C>(p) [S] = {
        let cfb = Cfb::with(C::from_params(p)?, p.iv, p.direction)?;
        CipherSession::stream(cfb.with_s(p.s.unwrap_or(C::BLOCK))?)
    };
    cfb28147(p, usual) [Sboxes Meshing] = {
        let cfb = Cfb28147::with(gost28147(p, usual)?, p.iv, p.direction)?;
        CipherSession::stream(meshed(p, cfb, Cfb28147::meshing))
    };
    ofb<C>(p) [S] = {
        let ofb = Ofb::with(C::from_params(p)?, p.iv)?;
        CipherSession::stream(ofb.with_s(p.s.unwrap_or(C::BLOCK))?)
    };
    acpkm<C>(p) [S Section] = {
        let section = p.section.unwrap_or(section(C::BLOCK));
        let ctr = CtrAcpkm::with(C::from_params(p)?, p.iv, section)?;
        CipherSession::stream(ctr.with_s(p.s.unwrap_or(C::BLOCK))?)
    };
    // The IV is the tweak.
    xts(p) [] = {
        let xts = xts_key(p)?;
        let tweak = p.iv.try_into().map_err(|_| Error::IvLength)?;
        CipherSession::blocks(xts.message(tweak, p.direction))
    };
    mgm<C>(p) [TagLen] = AeadSession::over(mgm_key::<C>(p)?.message(p.iv)?, p.direction);
    // The IV is the UKM.
    cms<C>(p) [Section TagLen] = {
        if p.tag_len.is_some_and(|len| len != C::BLOCK) {
            return Err(Error::TagLength);
        }
        AeadSession::over(cms_key::<C>(p)?.message(p.iv)?, p.direction)
    };
    omac<C>(p) [TagLen] = {
        p.no_iv()?;
        let omac = Omac::with(C::from_params(p)?);
        MacSession::over(omac.truncated(p.tag_len.unwrap_or(C::BLOCK))?)
    };
    // The default N is 4096 for both ciphers, and the default T* is `section`, as in OpenSSL's GOST provider.
    omac_acpkm<C>(p) [TagLen Section Period] = {
        p.no_iv()?;
        let (n, t) = (p.section.unwrap_or(4096), p.period.unwrap_or(section(C::BLOCK)));
        let mac = OmacAcpkm::with(C::from_params(p)?, n, t)?;
        MacSession::over(mac.truncated(p.tag_len.unwrap_or(C::BLOCK))?)
    };
    imit(p, usual) [TagLen Sboxes Meshing] = {
        let imit = meshed(p, Imit::with(gost28147(p, usual)?), Imit::meshing).iv(p.iv)?;
        MacSession::over(imit.truncated(p.tag_len.unwrap_or(4))?)
    };
}

/// The key is K1 || K2.
pub(super) fn xts_key(p: &Params<'_>) -> Result<Xts, Error> {
    let (data, tweak) = p.key.split_at_checked(32).ok_or(Error::KeyLength)?;
    let length = |_| Error::KeyLength;
    let xts = Xts::new(data.try_into().map_err(length)?, tweak.try_into().map_err(length)?)?;
    if let Some(name) = p.kernel { xts.on(name) } else { Ok(xts) }
}

/// A kernel's name that only the cipher has, or only the multiplication, applies only there; the other part chooses its
/// kernel.
pub(super) fn mgm_key<C: FromParams>(p: &Params<'_>) -> Result<Mgm<C>, Error> {
    let gf = p.kernel.and_then(|name| kernel::by_name(gf::KERNELS, name).ok());
    let cipher = match C::from_params(p) {
        Err(Error::UnknownKernel) if gf.is_some() => {
            C::from_params(&Params { kernel: None, ..p.clone() })?
        }
        cipher => cipher?,
    };
    let mgm = Mgm::with(cipher).truncated(p.tag_len.unwrap_or(C::BLOCK))?;
    if let Some(gf) = gf { mgm.gf_on(gf.name()) } else { Ok(mgm) }
}

/// The default section is the section of CMS.
pub(super) fn cms_key<C: FromParams>(p: &Params<'_>) -> Result<CtrAcpkmOmac<C>, Error> {
    let section = p.section.unwrap_or(CtrAcpkm::<C>::CMS_SECTION);
    CtrAcpkmOmac::with(C::from_params(p)?, p.key32()?, section)
}

pub(super) fn hmac<const OUT: usize>(p: &Params<'_>) -> Opened {
    p.only(&[Takes::TagLen])?;
    p.no_iv()?;
    let hmac = match p.kernel {
        Some(name) => Hmac::<Streebog<OUT>>::new_on(p.key, name)?,
        None => Hmac::new(p.key),
    };
    Ok(MacSession::over(hmac.truncated(p.tag_len.unwrap_or(OUT))?))
}

pub(super) fn streebog<const OUT: usize>(p: &Params<'_>) -> Opened {
    hash(p, &[], Streebog::<OUT>::new(), Streebog::on)
}

/// Given S-boxes override the S-boxes of the name.
pub(super) fn gost94(p: &Params<'_>, usual: ParamSet) -> Opened {
    let sboxes = p.sboxes.clone().unwrap_or_else(|| usual.into());
    hash(p, &[Takes::Sboxes], Gost94::new(sboxes), Gost94::on)
}

fn hash<H: Into<Session>>(
    p: &Params<'_>,
    takes: &[Takes],
    hash: H,
    on: fn(H, &str) -> Result<H, Error>,
) -> Opened {
    p.only(takes)?;
    p.no_iv()?;
    if !p.key.is_empty() {
        return Err(Error::KeyLength);
    }
    Ok(if let Some(name) = p.kernel { on(hash, name)? } else { hash }.into())
}
