//! The state of a message and the parts of a job, for code that runs some blocks elsewhere, on threads or on cards, and
//! continues here.
//!
//! Users of modes do not need this module. It promises no stability, its calls panic on input that a mode would refuse,
//! and some of them return secrets.

use bulat_core::Secret;
pub use bulat_core::cipher::{Block, Chain, Count, Data, Shapes};
pub use bulat_core::magma::cnt_after;

#[cfg(feature = "alloc")]
pub use crate::batch::parts::{JobParts, TextParts};
pub use crate::modes::mgm::MgmMessage;
use crate::modes::{Cnt, Omac, Xts};
use crate::{BlockCipher, Hmac, Kuznyechik, Streebog};

/// Sets the register of a message that had whole blocks so far.
pub fn omac_after<C: BlockCipher>(mut omac: Omac<C>, register: C::Block) -> Omac<C> {
    omac.set_register(register);
    omac
}

/// Returns the ciphers of the data and of the tweaks.
pub fn xts_ciphers(xts: &Xts) -> (&Kuznyechik, &Kuznyechik) {
    xts.ciphers()
}

/// Returns the key filled with zeros to a block, or its hash: key material.
pub fn hmac_block<const OUT: usize>(hmac: &Hmac<Streebog<OUT>>) -> Secret<[u8; 64]> {
    hmac.block()
}

/// Steps the register `blocks` blocks on, without meshing.
pub fn cnt_skip(cnt: &mut Cnt, blocks: u64) {
    cnt.skip(blocks);
}
