//! hash: Streebog of the client's data.

use std::sync::Arc;

use bulat::algorithm::Params;
use serde_json::json;

use super::json::{self, Fields, Text, Wiped};
use crate::call::{Answer, Call};
use crate::collect::{Message, What};
use crate::failure::{Failure, Result};

pub async fn hash(call: Call) -> Answer {
    let fields: Fields<'_> = json::parse(&call.body)?;
    let (name, len) = match algorithm(&call, &fields) {
        "" | "streebog256" => ("streebog256", 32),
        "streebog512" => ("streebog512", 64),
        _ => {
            return Err(Failure::bad("unsupported algorithm; supported: streebog256, streebog512"));
        }
    };
    let format = format(&fields, "hex")?;
    let input = fields.item.text("input").ok_or_else(|| Failure::bad("missing input to hash"))?;
    let input = json::decode(input, "input", 0, 0)?;
    let key = Arc::new(bulat::algorithm(name)?.key(&Params::new(&[]))?);
    let mut done =
        call.state.collector.run(vec![Message::digest(key, What::Hash, input, len)]).await?;
    let message = done.pop().ok_or_else(|| Failure::internal("internal error"))?;
    message.result?;
    call.data(&json!({ "sum": format(&message.out) }))
}

/// Returns the algorithm that the path or the body names.
pub fn algorithm<'a>(call: &'a Call, fields: &'a Fields<'_>) -> &'a str {
    let asked = fields.algorithm.as_ref().map_or("", Text::as_str);
    if call.param("algorithm").is_empty() { asked } else { call.param("algorithm") }
}

/// Returns the encoder of the format that the request names. Errors: 400 for an unknown format.
pub fn format(fields: &Fields<'_>, usual: &str) -> Result<fn(&[u8]) -> Wiped> {
    match fields.format.as_ref().map(Text::as_str).filter(|f| !f.is_empty()).unwrap_or(usual) {
        "hex" => Ok(Wiped::hex),
        "base64" => Ok(Wiped::base64),
        _ => Err(Failure::bad("unsupported encoding format; must be \"hex\" or \"base64\"")),
    }
}
