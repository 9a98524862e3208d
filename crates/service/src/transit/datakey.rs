//! datakey: a new key for the client, encrypted, and in plain if the client asks for that.

use serde::Serialize;
use zeroize::Zeroizing;

use super::crypt;
use crate::call::{Answer, Call};
use crate::cleared::Wiped;
use crate::failure::Failure;
use crate::keyring::{no_context, random_bytes};

#[derive(Serialize)]
struct DataKey {
    #[serde(skip_serializing_if = "Option::is_none")]
    plaintext: Option<Wiped>,
    #[serde(flatten)]
    sealed: crypt::Done,
}

pub async fn make(call: Call) -> Answer {
    let fields = call.fields()?;
    let plain = match call.param("plaintext") {
        "plaintext" => true,
        "wrapped" => false,
        _ => return Err(Failure::bad("invalid path, must be 'plaintext' or 'wrapped'")),
    };
    let bytes = match fields.number("bits").unwrap_or(256) {
        bits @ (128 | 256 | 512) => bits as usize / 8,
        _ => return Err(Failure::bad("invalid bit length; supported: 128, 256, 512")),
    };
    let entry = call.key().await?;
    let context = fields.bytes("context")?;
    if entry.record.derived && context.is_empty() {
        return Err(no_context());
    }
    let mut key = Zeroizing::new(vec![0; bytes]);
    random_bytes(&mut key)?;
    let more = fields.bytes("associated_data")?.to_vec();
    let sealed = crypt::seal_own(&call.state, &entry, &key, context, more).await?;
    call.answers("ciphertext", sealed.text().as_bytes());
    let plaintext = plain.then(|| Wiped::base64(&key));
    if let Some(text) = &plaintext {
        call.answers("plaintext", text.as_str().as_bytes());
    }
    call.secret(200, &DataKey { plaintext, sealed }, 1024)
}
