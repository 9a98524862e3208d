//! gost-engine's provider through OpenSSL, driven as programs drive it: one fetched algorithm, one
//! context, EVP calls.

/// Runs one call over a buffer, in place; a digest leaves its octets at the start.
pub type Work = Box<dyn FnMut(&mut [u8])>;

/// Prepares the provider's algorithm of this name, or says why it cannot.
#[cfg(not(feature = "openssl"))]
pub fn gostprov(_name: &str, _key: &[u8], _iv: &[u8]) -> Result<Work, String> {
    Err("built without it: apt-get install libssl-dev pkg-config libengine-gost-openssl, then \
         `cargo run --release -p lab --features openssl`"
        .into())
}

/// Prepares the provider's algorithm of this name, or says why it cannot.
#[cfg(feature = "openssl")]
pub fn gostprov(name: &str, key: &[u8], iv: &[u8]) -> Result<Work, String> {
    use openssl::{
        cipher::Cipher, cipher_ctx::CipherCtx, md::Md, md_ctx::MdCtx, provider::Provider,
    };
    // In the default library context: 3.0.1 fetches from it, whichever context it was loaded into.
    for provider in ["gostprov", "default"] {
        // gostprov takes random masks from the default one; both stay loaded.
        let loaded = Provider::load(None, provider)
            .map_err(|_| "apt-get install libengine-gost-openssl (Debian 12)".to_string())?;
        Box::leak(Box::new(loaded));
    }
    let text = |e: openssl::error::ErrorStack| format!("{name}: {e}");
    if name.starts_with("md_") {
        let md = Md::fetch(None, name, None).map_err(text)?;
        let mut c = MdCtx::new().map_err(text)?;
        return Ok(Box::new(move |buffer| {
            let mut digest = [0; 64];
            c.digest_init(&md).expect("digest_init");
            c.digest_update(buffer).expect("digest_update");
            let n = c.digest_final(&mut digest).expect("digest_final");
            buffer[..n].copy_from_slice(&digest[..n]);
        }));
    }
    let cipher = Cipher::fetch(None, name, None).map_err(text)?;
    let (key, iv) = (key.to_vec(), iv.to_vec());
    // Padding is left on, since a context that was told otherwise fails at its next init: whole blocks
    // come out at once all the same, and the message is never ended.
    let mut c = CipherCtx::new().map_err(text)?;
    let (mut out, mut fresh) = (Vec::new(), true);
    Ok(Box::new(move |buffer| {
        out.resize(buffer.len() + 32, 0);
        // The key schedule is made once, as ours is. With a new IV alone 3.0.1 keeps the low half of the
        // counter, so only the first call's answer is right: it is the one that is compared.
        let iv = (!iv.is_empty()).then_some(&iv[..]);
        if std::mem::take(&mut fresh) {
            c.encrypt_init(Some(&cipher), Some(&key), iv).expect("encrypt_init");
        } else {
            c.encrypt_init(None, None, iv).expect("encrypt_init");
        }
        let n = c.cipher_update(buffer, Some(&mut out[..])).expect("cipher_update");
        buffer.copy_from_slice(&out[..n]);
    }))
}
