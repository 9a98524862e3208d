//! random: bytes from the system.

use serde::Serialize;
use zeroize::Zeroizing;

use super::hash::format;
use crate::call::{Answer, Call};
use crate::cleared::Wiped;
use crate::failure::Failure;
use crate::fields::SOURCES;
use crate::keyring::random_bytes;

/// The most bytes of one call.
const MOST: u64 = 128 << 10;

#[derive(Serialize)]
struct Random {
    random_bytes: Wiped,
}

/// `POST /v1/transit/random`, `/{bytes}`, `/{source}`, `/{source}/{bytes}`. Every source is the system's.
pub async fn random(call: Call) -> Answer {
    let fields = call.fields()?;
    let format = format(&fields, "base64")?;
    let (mut source, mut bytes) = (call.param("source"), call.param("bytes"));
    if bytes.is_empty() && source.bytes().all(|c| c.is_ascii_digit()) {
        (source, bytes) = ("", source);
    }
    let source = if source.is_empty() { fields.text("source").unwrap_or("") } else { source };
    if !source.is_empty() && !SOURCES.contains(&source) {
        return Err(Failure::bad(
            "unsupported entropy source; must be \"platform\", \"seal\" or \"all\"",
        ));
    }
    let number = fields.number("bytes");
    if number.is_some_and(|n| !bytes.is_empty() && bytes.parse() != Ok(n)) {
        return Err(Failure::bad("bytes: the path has another number"));
    }
    let asked = match bytes {
        "" => Some(number.unwrap_or(32)),
        text => text.parse().ok(),
    };
    let n = asked
        .filter(|n| (1..=MOST).contains(n))
        .ok_or_else(|| Failure::bad(format!("bytes: must be a number from 1 to {MOST}")))?;
    let mut out = Zeroizing::new(vec![0; n as usize]);
    random_bytes(&mut out)?;
    let random_bytes = format(&out);
    let len = random_bytes.len();
    call.secret(200, &Random { random_bytes }, len)
}
