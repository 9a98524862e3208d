//! encrypt, decrypt, rewrap: one message, or the items of `batch_input`.

use std::sync::Arc;

use serde::Serialize;
use zeroize::Zeroizing;

use super::json::{self, Fields, Item, Text, Wiped};
use crate::call::{Answer, Call};
use crate::collect::{Message, What};
use crate::failure::Failure;
use crate::keyring::{self, Entry};
use crate::state::State;
use crate::store::StoreError;

/// The outcome of an item.
#[derive(Default, Serialize)]
pub struct Done {
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphertext: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plaintext: Option<Wiped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
}

impl Done {
    fn sealed(version: u32, bytes: &[u8]) -> Done {
        let ciphertext = Some(keyring::write(version, bytes));
        Done { ciphertext, key_version: Some(version), ..Done::default() }
    }
    /// The ciphertext.
    pub fn text(&self) -> &str {
        self.ciphertext.as_deref().unwrap_or("")
    }
    fn len(&self) -> usize {
        let text = |text: Option<&str>| text.map_or(0, str::len);
        text(self.ciphertext.as_deref())
            + self.plaintext.as_ref().map_or(0, Wiped::len)
            + 2 * text(self.error.as_deref())
            + 6 * text(self.reference.as_deref())
            + 100
    }
}

/// A plaintext with the data it is bound to.
pub struct Plain {
    context: Zeroizing<Vec<u8>>,
    more: Zeroizing<Vec<u8>>,
    /// Room for the nonce, the text, room for the tag.
    data: Zeroizing<Vec<u8>>,
    version: u32,
}

impl Plain {
    /// Binds the plaintext to associated data, too.
    pub fn bound(self, more: Vec<u8>) -> Plain {
        Plain { more: more.into(), ..self }
    }
}

/// The results of messages, in their order.
type Results = Vec<Result<Done, Failure>>;

/// Encrypts plaintexts that were prepared for a key. Each gets a nonce of its own.
///
/// # Errors
/// Those that concern all plaintexts.
pub async fn seal(
    state: &State,
    entry: &Entry,
    plains: Vec<Result<Plain, Failure>>,
) -> Result<Results, Failure> {
    if !entry.kind.encrypts() {
        return Err(unsupported(entry));
    }
    let mut results: Results = Vec::with_capacity(plains.len());
    let mut messages = Vec::with_capacity(plains.len());
    let mut under = Vec::new();
    let mut rest = plains.into_iter().peekable();
    while rest.peek().is_some() {
        // As many as one version is likely to allow.
        let (mut some, mut bytes, mut asked) = (Vec::new(), 0, 0);
        while let Some(plain) = rest.peek() {
            if let Ok(plain) = plain {
                let charge = charge(entry, plain);
                let first = some.iter().all(Result::is_err);
                if !first && (plain.version != asked || bytes + charge > entry.kind.limit / 64) {
                    break;
                }
                (bytes, asked) = (bytes + charge, plain.version);
            }
            some.extend(rest.next());
        }
        let count = some.iter().filter(|plain| plain.is_ok()).count() as u64;
        let drawn = if count > 0 {
            match state.ring.nonces(&entry.record.name, asked, count, bytes).await {
                // Another type has nonces of another length, for which the texts have no room.
                Ok((now, ..)) if now.kind.name != entry.kind.name => {
                    return Err(StoreError::Conflict.into());
                }
                Ok(drawn) => {
                    under.push((drawn.0.clone(), drawn.1.number));
                    Some(drawn)
                }
                Err(failure) if failure.status == 400 => {
                    results.extend(
                        some.into_iter().map(|plain| Err(plain.err().unwrap_or(failure.clone()))),
                    );
                    continue;
                }
                Err(failure) => return Err(failure),
            }
        } else {
            None
        };
        let mut used = 0;
        for plain in some {
            let made = match (plain, &drawn) {
                (Err(failure), _) => Err(failure),
                (Ok(_), None) => Err(Failure::internal("internal error")),
                (Ok(mut plain), Some((entry, version, nonces))) => {
                    let nonce = nonces.get(used);
                    used += 1;
                    let aad = entry.aad(version.number, &plain.context, &plain.more);
                    let nonce = if entry.record.convergent {
                        let text = &plain.data[nonce.len()..plain.data.len() - nonce.len()];
                        entry.synthetic(version, &plain.context, &aad, text)?
                    } else {
                        nonce
                    };
                    entry.aead(version, &plain.context).map(|key| {
                        plain.data[..nonce.len()].copy_from_slice(&nonce);
                        messages.push((
                            results.len(),
                            version.number,
                            Message::aead(key, What::Seal, aad, plain.data),
                        ));
                        Done::default()
                    })
                }
            };
            results.push(made);
        }
    }
    let made = run(state, messages).await?;
    // A client that gets a ciphertext must be able to open it, so the key must still be there.
    for (entry, version) in &under {
        state.ring.confirm(entry, *version).await?;
    }
    for (i, version, message) in made {
        results[i] = match message.result {
            Ok(()) => Ok(Done::sealed(version, &message.data)),
            Err(bulat::Error::Limit) => {
                Err(Failure::bad("the text is too long for the key's type"))
            }
            Err(e) => Err(e.into()),
        };
    }
    Ok(results)
}

fn charge(entry: &Entry, plain: &Plain) -> u64 {
    let bound = entry.record.name.len()
        + entry.kind.name.len()
        + plain.context.len()
        + plain.more.len()
        + 20;
    entry.kind.charge(plain.data.len().saturating_sub(2 * entry.kind.block), bound)
}

fn unsupported(entry: &Entry) -> Failure {
    Failure::bad(format!("unsupported operation for the key type {}", entry.kind.name))
}

async fn run(
    state: &State,
    messages: Vec<(usize, u32, Message)>,
) -> Result<Vec<(usize, u32, Message)>, Failure> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let (marks, messages): (Vec<_>, Vec<_>) =
        messages.into_iter().map(|(i, v, m)| ((i, v), m)).unzip();
    let done = state.collector.run(messages).await?;
    Ok(marks.into_iter().zip(done).map(|((i, v), m)| (i, v, m)).collect())
}

/// Reads a plaintext of a request.
fn plain(entry: &Entry, item: &Item<'_>) -> Result<Plain, Failure> {
    let text =
        item.text("plaintext").ok_or_else(|| Failure::bad("missing plaintext to encrypt"))?;
    refuse_nonce(item)?;
    same_kind(entry, item.text("type"))?;
    let block = entry.kind.block;
    let plain = Plain {
        context: item.bytes("context")?,
        more: item.bytes("associated_data")?,
        data: json::decode(text, "plaintext", block, block)?,
        version: item.version()?,
    };
    if entry.record.derived && plain.context.is_empty() {
        return Err(keyring::no_context());
    }
    Ok(plain)
}

/// Refuses the name of another type. Clients name a type of Vault's in each request; that counts only for a new key.
fn same_kind(entry: &Entry, asked: Option<&str>) -> Result<(), Failure> {
    let known = |asked| keyring::KINDS.iter().any(|kind| kind.name == asked);
    match asked {
        Some(asked) if asked != entry.kind.name && known(asked) => {
            Err(Failure::bad(format!("type: the key has type {}", entry.kind.name)))
        }
        _ => Ok(()),
    }
}

fn refuse_nonce(item: &Item<'_>) -> Result<(), Failure> {
    match item.text("nonce") {
        Some(nonce) if !nonce.is_empty() => {
            Err(Failure::bad("provided nonce not allowed: the service counts nonces itself"))
        }
        _ => Ok(()),
    }
}

/// Prepares bytes that the service has made.
pub fn own(entry: &Entry, bytes: &[u8], context: Zeroizing<Vec<u8>>) -> Plain {
    let block = entry.kind.block;
    let mut data = Zeroizing::new(vec![0; bytes.len() + 2 * block]);
    data[block..block + bytes.len()].copy_from_slice(bytes);
    Plain { context, more: Zeroizing::default(), data, version: 0 }
}

/// Opened messages, in their order.
type Opened = Vec<Result<Message, Failure>>;

/// Opens the ciphertexts of a request, and returns them with the key.
async fn open(call: &Call, items: &[Item<'_>]) -> Result<(Arc<Entry>, Opened), Failure> {
    let state = &*call.state;
    let claimed = items.iter().filter_map(|item| item.text("ciphertext")).map(keyring::claimed);
    let entry = state.ring.reaching(call.key().await?, claimed.max().unwrap_or(0)).await?;
    if !entry.kind.encrypts() {
        return Err(unsupported(&entry));
    }
    let mut results = Vec::with_capacity(items.len());
    let mut messages = Vec::with_capacity(items.len());
    for item in items {
        results.push(match sealed(state, &entry, item).await {
            Ok(message) => {
                messages.push((results.len(), 0, message));
                // Replaced below by the result.
                Err(Failure::absent())
            }
            Err(failure) if failure.status == 400 => Err(failure),
            Err(failure) => return Err(failure),
        });
    }
    for (i, _, message) in run(state, messages).await? {
        results[i] = match message.result {
            Ok(()) => Ok(message),
            Err(bulat::Error::DataLength) => Err(Failure::bad("invalid ciphertext: too short")),
            Err(_) => Err(Failure::bad("cipher: message authentication failed")),
        };
    }
    Ok((entry, results))
}

async fn sealed(state: &State, entry: &Arc<Entry>, item: &Item<'_>) -> Result<Message, Failure> {
    let text = item.text("ciphertext").filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| Failure::bad("missing ciphertext to decrypt"))?;
    refuse_nonce(item)?;
    let (number, bytes) = keyring::read(text)?;
    let version = state.ring.version(entry, entry.decrypting(number)?).await?;
    let context = item.bytes("context")?;
    let key = entry.aead(&version, &context)?;
    let aad = entry.aad(number, &context, &item.bytes("associated_data")?);
    Ok(Message::aead(key, What::Open, aad, Zeroizing::new(bytes)))
}

/// Makes the answer: one result, or those of a batch.
fn answer(
    call: &Call,
    results: Results,
    items: &[Item<'_>],
    batch: bool,
    partial: Option<u16>,
) -> Answer {
    if !batch {
        let done = results.into_iter().next().unwrap_or_else(|| Err(Failure::absent()))?;
        for (name, value) in [
            ("ciphertext", done.ciphertext.as_deref()),
            ("plaintext", done.plaintext.as_ref().map(Wiped::as_str)),
        ] {
            if let Some(value) = value {
                call.answers(name, value.as_bytes());
            }
        }
        return call.secret(200, &done, done.len());
    }
    let mut good = 0;
    let mut list = Vec::with_capacity(results.len());
    for (result, item) in results.into_iter().zip(items) {
        good += usize::from(result.is_ok());
        let mut done = result.unwrap_or_else(|failure| Done {
            error: Some(failure.errors.join("; ")),
            ..Done::default()
        });
        done.reference = item.text("reference").map(str::to_string);
        list.push(done);
    }
    let status = match partial {
        _ if good == list.len() => 200,
        Some(status) if good > 0 => status,
        _ => 400,
    };
    let len = list.iter().map(Done::len).sum();
    call.secret(status, &Batch { batch_results: list }, len)
}

#[derive(Serialize)]
struct Batch {
    batch_results: Vec<Done>,
}

/// Returns the status of a batch in which some messages fail.
fn partial(fields: &Fields<'_>) -> Result<Option<u16>, Failure> {
    let Some(json::Number(n)) = fields.partial_failure_response_code else { return Ok(None) };
    match u16::try_from(n) {
        Ok(code @ 200..600) => Ok(Some(code)),
        _ => Err(Failure::bad("partial_failure_response_code: must be from 200 to 599")),
    }
}

/// Checks a text as far as that is possible without a key.
fn sound(item: &Item<'_>) -> Result<(), Failure> {
    let text =
        item.text("plaintext").ok_or_else(|| Failure::bad("missing plaintext to encrypt"))?;
    refuse_nonce(item)?;
    item.version()?;
    for name in ["context", "associated_data"] {
        item.bytes(name)?;
    }
    json::decode(text, "plaintext", 0, 0).map(drop)
}

/// `POST /v1/transit/encrypt/{name}`. Creates the key if it does not exist and the policy allows that.
pub async fn encrypt(call: Call) -> Answer {
    let mut fields: Fields<'_> = json::parse(&call.body)?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let name = call.param("name");
    let entry = match call.state.ring.entry(name).await {
        Ok(entry) => {
            call.allow("update")?;
            same_kind(&entry, fields.kind.as_ref().map(Text::as_str))?;
            entry
        }
        Err(failure) if failure.status == 404 => {
            if call.allow("create").is_err() {
                call.allow("update")?;
                return Err(Failure::bad("encryption key not found"));
            }
            let derived = |item: &Item<'_>| item.text("context").is_some_and(|c| !c.is_empty());
            let count = items.iter().filter(|item| derived(item)).count();
            if count != 0 && count != items.len() {
                return Err(Failure::bad(
                    "context should be set either in all the request blocks or in none",
                ));
            }
            // No key is created for a request of which nothing can be encrypted.
            let sound: Vec<_> = items.iter().map(sound).collect();
            if sound.iter().all(Result::is_err) {
                let results = sound.into_iter().map(|result| result.map(|()| Done::default()));
                return answer(&call, results.collect(), &items, batch, partial);
            }
            super::keys::make(&call, &fields, count != 0).await?;
            call.state.ring.entry(name).await?
        }
        Err(failure) => return Err(failure),
    };
    let plains = items.iter().map(|item| plain(&entry, item)).collect();
    let results = seal(&call.state, &entry, plains).await?;
    answer(&call, results, &items, batch, partial)
}

/// `POST /v1/transit/decrypt/{name}`.
pub async fn decrypt(call: Call) -> Answer {
    let mut fields: Fields<'_> = json::parse(&call.body)?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let (entry, opened) = open(&call, &items).await?;
    let block = entry.kind.block;
    let results = opened.into_iter().map(|result| {
        result.map(|message| {
            let text = &message.data[block..message.data.len() - block];
            Done { plaintext: Some(Wiped::base64(text)), ..Done::default() }
        })
    });
    answer(&call, results.collect(), &items, batch, partial)
}

/// `POST /v1/transit/rewrap/{name}`. The plaintext does not leave the service.
pub async fn rewrap(call: Call) -> Answer {
    let mut fields: Fields<'_> = json::parse(&call.body)?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let (entry, opened) = open(&call, &items).await?;
    let plains = opened
        .into_iter()
        .zip(&items)
        .map(|(result, item)| {
            Ok(Plain {
                data: result?.data,
                context: item.bytes("context")?,
                more: item.bytes("associated_data")?,
                version: item.version()?,
            })
        })
        .collect();
    let results = seal(&call.state, &entry, plains).await?;
    answer(&call, results, &items, batch, partial)
}
