//! Key derivation and wrapping.

mod hmac;
mod kexp15;
mod keywrap;
#[cfg(feature = "alloc")]
pub(crate) mod named;
mod pbkdf2;
mod prf;
mod tlstree;
mod tree;

pub use hmac::{Hmac, HmacStreebog256, HmacStreebog512};
pub use kexp15::{kexp15, kimp15};
pub use keywrap::{KeyWrap, diversify};
pub use pbkdf2::{Candidate, pbkdf2, pbkdf2_many, pbkdf2_with};
pub use prf::{hkdf_expand, hkdf_extract, prf_plus, prf_tls};
pub use tlstree::{TlsMasks, TlsTree};
pub use tree::{Derivation, kdf_256, kdf_256_many, kdf_tree};
