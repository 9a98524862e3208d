//! hash: Streebog of the client's data.

use std::sync::Arc;

use bulat::algorithm::Params;
use serde_json::json;

use crate::call::{Answer, Call};
use crate::cleared::Wiped;
use crate::collect::{Message, What};
use crate::failure::{Failure, Result};
use crate::fields::{Fields, decode};

pub async fn hash(call: Call) -> Answer {
    let fields = call.fields()?;
    let (name, len) = match algorithm(&call, &fields) {
        "" | "streebog256" => ("streebog256", 32),
        "streebog512" => ("streebog512", 64),
        _ => {
            return Err(Failure::bad("unsupported algorithm; supported: streebog256, streebog512"));
        }
    };
    let format = format(&fields, "hex")?;
    let input = fields.text("input").ok_or_else(|| Failure::bad("missing input to hash"))?;
    let input = decode(input, "input", 0, 0)?;
    let key = Arc::new(bulat::algorithm(name)?.key(&Params::new(&[]))?);
    let mut done =
        call.state.collector.run(vec![Message::digest(key, What::Hash, input, len)]).await?;
    let message = done.pop().ok_or_else(|| Failure::internal("internal error"))?;
    message.result?;
    call.data(&json!({ "sum": format(&message.out) }))
}

/// Returns the algorithm that the path or the body names.
pub fn algorithm<'a>(call: &'a Call, fields: &'a Fields<'_>) -> &'a str {
    let names = ["algorithm", "hash_algorithm"];
    // The last one of a body counts.
    let asked = fields.0.iter().rfind(|(name, _)| names.contains(name));
    let asked = asked.and_then(|(name, _)| fields.text(name)).unwrap_or("");
    if call.param("algorithm").is_empty() { asked } else { call.param("algorithm") }
}

/// Returns the encoder of the format that the request names. Errors: 400 for an unknown format.
pub fn format(fields: &Fields<'_>, usual: &str) -> Result<fn(&[u8]) -> Wiped> {
    match fields.filled("format").unwrap_or(usual) {
        "hex" => Ok(Wiped::hex),
        "base64" => Ok(Wiped::base64),
        _ => Err(Failure::bad("unsupported encoding format; must be \"hex\" or \"base64\"")),
    }
}
