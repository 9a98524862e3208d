//! From [`Params`] to the sessions of GOST 28147-89. Each line of the table names its usual S-boxes;
//! key meshing is what RFC 4357 prescribes for the S-boxes, except in CBC, which tools do not mesh.

use super::open::{Opened, Takes};
use super::session::boxed;
use super::{BlocksSession, GammaSession, MacSession, Params};
use crate::magma::ParamSet;
use crate::modes::{Cbc28147, Cfb28147, Cnt, Ecb, Imit, Meshing};
use crate::{Error, Gost28147};

fn cipher(p: &Params<'_>, usual: ParamSet) -> Result<Gost28147, Error> {
    let sboxes = p.sboxes.clone().unwrap_or_else(|| usual.into());
    let cipher = Gost28147::new(p.key32()?, sboxes);
    p.kernel.map_or(Ok(cipher.clone()), |name| cipher.on(name))
}

fn meshing(p: &Params<'_>, usual: Meshing) -> Meshing {
    match p.meshing {
        None => usual,
        Some(true) => Meshing::CryptoPro,
        Some(false) => Meshing::None,
    }
}

pub(super) fn cfb(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes, Takes::Meshing])?;
    let cipher = cipher(p, usual)?;
    let meshing = meshing(p, Meshing::of(cipher.sboxes()));
    boxed(GammaSession(Cfb28147::new(cipher, p.direction, p.iv, meshing)?))
}

pub(super) fn cnt(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes, Takes::Meshing])?;
    let cipher = cipher(p, usual)?;
    let meshing = meshing(p, Meshing::of(cipher.sboxes()));
    boxed(GammaSession(Cnt::new(cipher, p.iv, meshing)?))
}

pub(super) fn cbc(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes, Takes::Meshing, Takes::Padding])?;
    let (cipher, meshing) = (cipher(p, usual)?, meshing(p, Meshing::None));
    boxed(BlocksSession(Cbc28147::new(cipher, p.direction, p.iv, p.padding, meshing)?))
}

pub(super) fn ecb(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes, Takes::Padding])?;
    p.no_iv()?;
    boxed(BlocksSession(Ecb::new(cipher(p, usual)?, p.direction, p.padding)))
}

pub(super) fn imit(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::TagLen, Takes::Sboxes, Takes::Meshing])?;
    let cipher = cipher(p, usual)?;
    let meshing = meshing(p, Meshing::of(cipher.sboxes()));
    boxed(MacSession(Imit::new(cipher, p.iv, p.tag_len.unwrap_or(4), meshing)?))
}
