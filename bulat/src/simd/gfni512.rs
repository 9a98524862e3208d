//! AVX-512 with VBMI and GFNI, a file for each primitive's traits.

mod chains;
mod gamma;
mod kuznyechik;
mod magma;
mod streebog;
pub(crate) mod twelve;

pub(crate) use gamma::{Batch, Next, Under};
pub(crate) use kuznyechik::Bytes512;
pub(crate) use magma::{Xmm, Zmm};
pub(crate) use streebog::Matrix512;
pub(crate) use twelve::Products;
