//! Key files under a password: a container of the key file, as a rule in armour (docs/FORMAT.md, section 9).

use std::path::Path;

use bulat::Secret;
use bulat_container::armor::{self, Decoder, Encoder};
use bulat_container::{
    self as container, Cipher, Credential, Header, Kdf, Limits, Name, Source, header,
};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::secret::{Bytes, random};

/// Returns whether the content of a key file is a container.
pub fn is(bytes: &[u8]) -> bool {
    container::begins(bytes)
}

/// Opens a key file under the password that `ask` returns.
pub fn open(bytes: &[u8], what: &str, ask: impl FnOnce() -> Result<Bytes>) -> Result<Bytes> {
    let fail = |e| Error::container(Path::new(what), Path::new(what), e);
    let fault = |e| fail(container::Error::Read(std::io::Error::other(e)));
    let mut decoded = Vec::new();
    let mut sealed = bytes;
    if armor::begins(bytes) {
        let mut decoder = Decoder::default();
        decoder.push(bytes, &mut decoded).map_err(fault)?;
        decoder.finish(&mut decoded).map_err(fault)?;
        sealed = &decoded;
    }
    let header = Header::parse(sealed).map_err(fail)?;
    let limits = Limits::default();
    // Refuses before it asks.
    header.openable(true, &limits).map_err(|e| match e {
        container::Error::Credential { .. } => {
            Error::usage(format_args!("{what}: a key file under another key file"))
                .remedy("decrypt it first: bulat decrypt")
        }
        e => {
            fail(e).remedy("decrypt it first: bulat decrypt with --max-iterations or --max-memory")
        }
    })?;
    let password = ask()?;
    let credential = Credential::Password(&password);
    // A key file keeps its key under any name.
    let keys = header.unlock(credential, &limits, &Name::Any).map_err(fail)?;
    let mut sealed = &sealed[header::LEN..];
    // Full size at once: growing would leave copies.
    let mut key = Zeroizing::new(Vec::with_capacity(bytes.len()));
    container::open(&keys, 1, &mut sealed, &mut *key, &mut |_| Ok(())).map_err(fail)?;
    if is(&key) {
        return Err(Error::usage(format_args!("{what}: a container in a container, not a key")));
    }
    Ok(key)
}

/// Puts the content of a key file under a password.
pub fn seal(key: &[u8], password: &[u8]) -> Result<Vec<u8>> {
    let fail = |e| Error::container(Path::new("-"), Path::new("-"), e);
    let mut fresh = Secret::new([0; header::FRESH]);
    random(&mut *fresh)?;
    let (cipher, log2) = (Cipher::Kuznyechik, container::CHUNK_LOG2);
    let source = Source::Password(Kdf::Argon2id {
        memory: container::MEMORY,
        passes: container::MIN_PASSES,
        lanes: 1,
    });
    let (header, keys) =
        Header::new(cipher, log2, "", source, Credential::Password(password), &fresh)
            .map_err(fail)?;
    let mut sealed = header.bytes().to_vec();
    container::seal(&keys, 1, &mut &*key, &mut sealed, &mut |_| Ok(())).map_err(fail)?;
    let (mut encoder, mut text) = (Encoder::default(), Vec::new());
    encoder.push(&sealed, &mut text);
    encoder.finish(&mut text);
    Ok(text)
}
