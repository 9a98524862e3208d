//! hmac and verify: MACs over Streebog under a key of any type.

use serde_json::{Map, Value, json};

use super::hash::algorithm;
use crate::call::{Answer, Call};
use crate::collect::{Message, What};
use crate::failure::{Failure, Result};
use crate::fields::{Fields, decode};
use crate::keyring::{self, Entry};

/// The request's values for all of its messages.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    hash: &'a str,
    verify: bool,
    batch: bool,
    /// The version of the key, unless an item names its own.
    version: u32,
}

/// Reads an item: the version, the message, and the MAC to verify.
async fn asked(
    call: &Call,
    entry: &Entry,
    item: &Fields<'_>,
    wanted: Wanted<'_>,
) -> Result<(u32, Message, Vec<u8>)> {
    let Wanted { hash, verify, batch, version } = wanted;
    // To verify one text, no input means an empty one.
    let none = (verify && !batch).then_some("");
    let input = item.text("input").or(none);
    let input = input.ok_or_else(|| Failure::bad("missing input for HMAC"))?;
    let input = decode(input, "input", 0, 0)?;
    let (number, given) = if verify {
        if item.filled("signature").is_some() {
            return Err(Failure::bad(format!(
                "key type {} does not support signatures",
                entry.kind.name
            )));
        }
        let text = item.filled("hmac");
        let text =
            text.ok_or_else(|| Failure::bad("either a 'signature' or 'hmac' must be supplied"))?;
        let (number, given) = keyring::read(text)?;
        (entry.decrypting(number)?, given)
    } else {
        let own = item.version()?;
        (entry.encrypting(if own == 0 { version } else { own })?, Vec::new())
    };
    let version = call.state.ring.version(entry, number).await?;
    let key = entry.mac(&version, hash)?;
    let len = key.tag_len();
    Ok((number, Message::digest(key, What::Mac, input, len), given))
}

pub async fn hmac(call: Call) -> Answer {
    let verify = call.path.starts_with("transit/verify/");
    let fields = call.fields()?;
    let version = fields.version()?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let wanted = Wanted { hash: algorithm(&call, &fields), verify, batch, version };
    let claimed = items.iter().map(|item| {
        let own = item.version().unwrap_or(0);
        own.max(version).max(item.text("hmac").map_or(0, keyring::claimed))
    });
    let entry = call.state.ring.reaching(call.key().await?, claimed.max().unwrap_or(0)).await?;
    if !verify {
        entry.encrypting(version)?;
    }
    let (mut marks, mut messages) = (Vec::new(), Vec::new());
    for item in items {
        match asked(&call, &entry, item, wanted).await {
            Ok((number, message, given)) => {
                marks.push(Ok((number, given)));
                messages.push(message);
            }
            Err(failure) if failure.status == 400 && batch => marks.push(Err(failure)),
            Err(failure) => return Err(failure),
        }
    }
    let mut made = call.state.collector.run(messages).await?.into_iter();
    let mut list = Vec::with_capacity(items.len());
    for (mark, item) in marks.into_iter().zip(items) {
        let mut done = Map::new();
        match mark {
            Err(failure) => done.insert("error".into(), failure.errors.join("; ").into()),
            Ok((number, given)) => {
                let message = made.next().ok_or_else(|| Failure::internal("internal error"))?;
                message.result?;
                if verify {
                    let valid = bulat::verify(&message.out, &given).is_ok();
                    done.insert("valid".into(), valid.into())
                } else {
                    done.insert("hmac".into(), keyring::write(number, &message.out).into())
                }
            }
        };
        if let Some(reference) = item.text("reference") {
            done.insert("reference".into(), reference.into());
        }
        list.push(Value::Object(done));
    }
    if !batch && let Some(hmac) = list[0]["hmac"].as_str() {
        call.answers("hmac", hmac.as_bytes());
    }
    call.data(&if batch { json!({ "batch_results": list }) } else { list.swap_remove(0) })
}
