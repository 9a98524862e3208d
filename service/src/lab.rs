//! For measurements alone (feature `lab`): the same service with AES-256-GCM of `ring` in the place of the library, so that
//! what a request costs beside its cipher is seen. `BULATD_LAB=aes` turns it on; keys and nonces are then not those of the ring.

use std::sync::LazyLock;

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

use crate::collect::{Message, What};

/// The one key.
static KEY: LazyLock<Option<LessSafeKey>> = LazyLock::new(|| {
    (std::env::var_os("BULATD_LAB")? == "aes").then_some(())?;
    Some(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &[7; 32]).ok()?))
});

/// Seals or opens with AES-256-GCM, if that is asked for and its tag has the same length; whether it did.
pub fn did(message: &mut Message) -> bool {
    let (Some(key), What::Seal | What::Open) = (&*KEY, message.what) else { return false };
    let Some(text) = message.data.len().checked_sub(32) else { return false };
    let (nonce, rest) = message.data.split_at_mut(16);
    let Ok(nonce) = Nonce::try_assume_unique_for_key(&nonce[4..]) else { return false };
    let aad = Aad::from(&message.aad);
    let done = match message.what {
        What::Seal => {
            let (text, tag) = rest.split_at_mut(text);
            key.seal_in_place_separate_tag(nonce, aad, text)
                .map(|made| tag.copy_from_slice(made.as_ref()))
        }
        _ => key.open_in_place(nonce, aad, rest).map(|_| ()),
    };
    message.result = done.map_err(|_| bulat::Error::Verify);
    true
}
