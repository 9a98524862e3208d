//! From [`Params`] to the session of a hash.

use super::Params;
use crate::magma::ParamSet;
use crate::session::{Opened, Takes};
use crate::{Error, Gost94, Streebog};

pub(super) fn hash<const OUT: usize>(p: &Params<'_>) -> Opened {
    p.only(&[])?;
    p.no_iv()?;
    if !p.key.is_empty() {
        return Err(Error::KeyLength);
    }
    let hash = Streebog::<OUT>::new();
    Ok(match p.kernel {
        Some(name) => hash.on(name)?.into(),
        None => hash.into(),
    })
}

/// Given S-boxes override the S-boxes of the name.
pub(super) fn gost94(p: &Params<'_>, usual: ParamSet) -> Opened {
    p.only(&[Takes::Sboxes])?;
    p.no_iv()?;
    if !p.key.is_empty() {
        return Err(Error::KeyLength);
    }
    let hash = Gost94::new(p.sboxes.clone().unwrap_or_else(|| usual.into()));
    Ok(match p.kernel {
        Some(name) => hash.on(name)?.into(),
        None => hash.into(),
    })
}
