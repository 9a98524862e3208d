//! Key files under a password: a container of the key file, as a rule in armour (docs/FORMAT.md, section 7).

use std::path::Path;

use bulat_container::armor::{self, Decoder, Encoder};
use bulat_container::{
    self as container, Cipher, Credential, Header, MAX_ITERATIONS, Source, header,
};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::secret::{Octets, random};

/// Returns whether the content of a key file is a container.
pub fn is(octets: &[u8]) -> bool {
    container::begins(octets)
}

/// Opens a key file under the password that `ask` returns.
pub fn open(octets: &[u8], what: &str, ask: impl FnOnce() -> Result<Octets>) -> Result<Octets> {
    let fail = |e| Error::container(Path::new(what), Path::new(what), e);
    let fault = |e| fail(container::Error::Read(std::io::Error::other(e)));
    let mut decoded = Vec::new();
    let mut sealed = octets;
    if armor::begins(octets) {
        let mut decoder = Decoder::default();
        decoder.push(octets, &mut decoded).map_err(fault)?;
        decoder.finish(&mut decoded).map_err(fault)?;
        sealed = &decoded;
    }
    let header = Header::parse(sealed).map_err(fail)?;
    match header.source {
        Source::KeyFile => {
            return Err(Error::usage(format_args!("{what}: a key file under another key file"))
                .remedy("decrypt it first: bulat decrypt"));
        }
        // Refuses before it asks.
        Source::Password { iterations } if iterations > MAX_ITERATIONS => {
            let (asked, allowed) = (iterations, MAX_ITERATIONS);
            let error = container::Error::Iterations { asked, allowed };
            return Err(fail(error).remedy("decrypt it first: bulat decrypt --max-iterations"));
        }
        Source::Password { .. } => {}
    }
    let password = ask()?;
    let keys = header.unlock(Credential::Password(&password), MAX_ITERATIONS).map_err(fail)?;
    let mut sealed = &sealed[header::LEN..];
    // Full size at once: growing would leave copies.
    let mut key = Zeroizing::new(Vec::with_capacity(octets.len()));
    container::open(&keys, 1, &mut sealed, &mut *key, &mut |_| Ok(())).map_err(fail)?;
    if is(&key) {
        return Err(Error::usage(format_args!("{what}: a container in a container, not a key")));
    }
    Ok(key)
}

/// Puts the content of a key file under a password.
pub fn seal(key: &[u8], password: &[u8]) -> Result<Vec<u8>> {
    let fail = |e| Error::container(Path::new("-"), Path::new("-"), e);
    let iterations = container::iterations_of_a_second().map_err(|e| fail(e.into()))?;
    let mut salt = [0; 32];
    random(&mut salt)?;
    let source = Source::Password { iterations };
    let log2 = container::CHUNK_LOG2;
    let (header, keys) =
        Header::new(Cipher::Kuznyechik, source, log2, salt, Credential::Password(password))
            .map_err(fail)?;
    let mut sealed = header.bytes().to_vec();
    container::seal(&keys, 1, &mut &*key, &mut sealed, &mut |_| Ok(())).map_err(fail)?;
    let (mut encoder, mut text) = (Encoder::default(), Vec::new());
    encoder.push(&sealed, &mut text);
    encoder.finish(&mut text);
    Ok(text)
}
