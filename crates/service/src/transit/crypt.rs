//! encrypt, decrypt, rewrap: one message, or the items of `batch_input`.

use std::io::Write as _;
use std::iter::Peekable;
use std::sync::Arc;

use serde::Serialize;

use crate::call::{Answer, Call};
use crate::cleared::{Cleared, Wiped};
use crate::collect::{Message, What};
use crate::failure::{Failure, Result};
use crate::fields::{Fields, decode};
use crate::keyring::{self, Entry, Nonces, Version};
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
    context: Cleared,
    more: Cleared,
    /// Room for the nonce, the text, room for the tag.
    data: Cleared,
    version: u32,
}

/// The results of messages, in their order.
type Results = Vec<Result<Done>>;

/// Encrypts plaintexts that were prepared for a key. Each gets its own nonce. Errors: those that concern all
/// plaintexts.
pub async fn seal(state: &State, entry: &Entry, plains: Vec<Result<Plain>>) -> Result<Results> {
    if !entry.kind.encrypts() {
        return Err(entry.kind.unsupported());
    }
    let mut sealing = Sealing::of(plains.len());
    let mut plains = plains.into_iter().peekable();
    while plains.peek().is_some() {
        let chunk = Chunk::next(entry, &mut plains);
        match chunk.draw(state, entry).await {
            Ok(drawn) => sealing.bind(entry, chunk, drawn)?,
            Err(failure) if failure.status == 400 => sealing.refuse(chunk, &failure),
            Err(failure) => return Err(failure),
        }
    }
    sealing.run(state).await
}

/// Encrypts bytes that the service has made, bound to `more`.
pub async fn seal_own(
    state: &State,
    entry: &Entry,
    bytes: &[u8],
    context: Cleared,
    more: Vec<u8>,
) -> Result<Done> {
    let plain = Plain { more: more.into(), ..own(entry, bytes, context) };
    let mut sealed = seal(state, entry, vec![Ok(plain)]).await?;
    sealed.pop().unwrap_or_else(|| Err(Failure::internal("internal error")))
}

/// Plaintexts that get their nonces together: as many as one version is likely to allow.
#[derive(Default)]
struct Chunk {
    plains: Vec<Result<Plain>>,
    /// The bytes for which they count.
    bytes: u64,
    /// The version that they ask for.
    version: u32,
}

impl Chunk {
    fn next(entry: &Entry, plains: &mut Peekable<impl Iterator<Item = Result<Plain>>>) -> Chunk {
        let mut chunk = Chunk::default();
        while let Some(plain) = plains.peek() {
            if let Ok(plain) = plain {
                let bytes = chunk.bytes + charge(entry, plain);
                let first = chunk.plains.iter().all(Result::is_err);
                if !first && (plain.version != chunk.version || bytes > entry.kind.limit / 64) {
                    break;
                }
                (chunk.bytes, chunk.version) = (bytes, plain.version);
            }
            chunk.plains.extend(plains.next());
        }
        chunk
    }

    /// Draws the nonces; `None` if no plaintext needs one.
    async fn draw(&self, state: &State, entry: &Entry) -> Result<Option<Drawn>> {
        let count = self.plains.iter().filter(|plain| plain.is_ok()).count() as u64;
        if count == 0 {
            return Ok(None);
        }
        let name = &entry.record.name;
        state.ring.nonces(name, self.version, count, self.bytes).await.map(Some)
    }
}

/// A key, its version that encrypts, and nonces.
type Drawn = (Arc<Entry>, Arc<Version>, Nonces);

/// Messages on their way to be encrypted.
struct Sealing {
    results: Results,
    messages: Vec<Message>,
    /// The number of each message's result, and of its version.
    marks: Vec<(usize, u32)>,
    /// The versions that encrypt.
    versions: Vec<(Arc<Entry>, u32)>,
}

impl Sealing {
    fn of(count: usize) -> Sealing {
        let (results, messages) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Sealing { results, messages, marks: Vec::with_capacity(count), versions: Vec::new() }
    }

    /// Answers a chunk for which there are no nonces.
    fn refuse(&mut self, chunk: Chunk, failure: &Failure) {
        let plains = chunk.plains.into_iter();
        self.results.extend(plains.map(|plain| Err(plain.err().unwrap_or(failure.clone()))));
    }

    /// Makes a message of each plaintext with its nonce.
    fn bind(&mut self, asked: &Entry, chunk: Chunk, drawn: Option<Drawn>) -> Result<()> {
        let Some((entry, version, nonces)) = drawn else {
            self.results
                .extend(chunk.plains.into_iter().map(|plain| plain.map(|_| Done::default())));
            return Ok(());
        };
        // Another type has nonces of another length, for which the texts have no room.
        if entry.kind.name != asked.kind.name {
            return Err(StoreError::Conflict.into());
        }
        let mut used = 0;
        for plain in chunk.plains {
            let result = match plain {
                Ok(plain) => {
                    used += 1;
                    self.message(&entry, &version, plain, nonces.get(used - 1))?
                }
                Err(failure) => Err(failure),
            };
            self.results.push(result);
        }
        self.versions.push((entry, version.number));
        Ok(())
    }

    /// Makes the next message. Returns its empty result, or why its key cannot be derived.
    fn message(
        &mut self,
        entry: &Entry,
        version: &Version,
        mut plain: Plain,
        nonce: Vec<u8>,
    ) -> Result<Result<Done>> {
        let aad = entry.aad(version.number, &plain.context, &plain.more);
        let nonce = if entry.record.convergent {
            let text = &plain.data[nonce.len()..plain.data.len() - nonce.len()];
            entry.synthetic(version, &plain.context, &aad, text)?
        } else {
            nonce
        };
        Ok(entry.aead(version, &plain.context).map(|key| {
            plain.data[..nonce.len()].copy_from_slice(&nonce);
            let message = Message::aead(key, What::Seal, aad, plain.data);
            self.messages.push(message);
            self.marks.push((self.results.len(), version.number));
            Done::default()
        }))
    }

    /// Encrypts the messages.
    async fn run(mut self, state: &State) -> Result<Results> {
        let sealed = state.collector.run(self.messages).await?;
        // A client that gets a ciphertext must be able to open it, so the key must still be there.
        for (entry, version) in &self.versions {
            state.ring.confirm(entry, *version).await?;
        }
        for ((i, version), message) in self.marks.into_iter().zip(sealed) {
            self.results[i] = match message.result {
                Ok(()) => Ok(Done::sealed(version, &message.data)),
                Err(bulat::Error::Limit) => {
                    Err(Failure::bad("the text is too long for the key's type"))
                }
                Err(e) => Err(e.into()),
            };
        }
        Ok(self.results)
    }
}

fn charge(entry: &Entry, plain: &Plain) -> u64 {
    let bound = entry.record.name.len()
        + entry.kind.name.len()
        + plain.context.len()
        + plain.more.len()
        + 20;
    entry.kind.charge(plain.data.len().saturating_sub(2 * entry.kind.block), bound)
}

fn asked_text<'a>(item: &'a Fields<'_>) -> Result<&'a str> {
    let text = item.text("plaintext");
    let text = text.ok_or_else(|| Failure::bad("missing plaintext to encrypt"))?;
    refuse_nonce(item)?;
    Ok(text)
}

/// Reads a plaintext of a request.
fn plain(entry: &Entry, item: &Fields<'_>) -> Result<Plain> {
    let text = asked_text(item)?;
    same_kind(entry, item.text("type"))?;
    let block = entry.kind.block;
    let plain = Plain {
        context: item.bytes("context")?,
        more: item.bytes("associated_data")?,
        data: decode(text, "plaintext", block, block)?,
        version: item.version()?,
    };
    if entry.record.derived && plain.context.is_empty() {
        return Err(keyring::no_context());
    }
    Ok(plain)
}

/// Refuses the name of another type. Clients name a type of Vault's in each request; that counts only for a new key.
fn same_kind(entry: &Entry, asked: Option<&str>) -> Result<()> {
    let known = |asked| keyring::KINDS.iter().any(|kind| kind.name == asked);
    match asked {
        Some(asked) if asked != entry.kind.name && known(asked) => {
            Err(Failure::bad(format!("type: the key has type {}", entry.kind.name)))
        }
        _ => Ok(()),
    }
}

fn refuse_nonce(item: &Fields<'_>) -> Result<()> {
    match item.filled("nonce") {
        Some(_) => {
            Err(Failure::bad("provided nonce not allowed: the service counts nonces itself"))
        }
        None => Ok(()),
    }
}

/// Prepares bytes that the service has made.
fn own(entry: &Entry, bytes: &[u8], context: Cleared) -> Plain {
    let block = entry.kind.block;
    let mut data = Cleared::from(vec![0; bytes.len() + 2 * block]);
    data[block..block + bytes.len()].copy_from_slice(bytes);
    Plain { context, more: Cleared::default(), data, version: 0 }
}

/// Opened messages, in their order.
type Opened = Vec<Result<Message>>;

/// Opens the ciphertexts of a request, and returns them with the key.
async fn open(call: &Call, items: &[Fields<'_>]) -> Result<(Arc<Entry>, Opened)> {
    let state = &*call.state;
    let claimed = items.iter().filter_map(|item| item.text("ciphertext")).map(keyring::claimed);
    let entry = state.ring.reaching(call.key().await?, claimed.max().unwrap_or(0)).await?;
    if !entry.kind.encrypts() {
        return Err(entry.kind.unsupported());
    }
    let mut results = Vec::with_capacity(items.len());
    let mut messages = Vec::with_capacity(items.len());
    let mut marks = Vec::with_capacity(items.len());
    for item in items {
        results.push(match sealed(state, &entry, item).await {
            Ok(message) => {
                messages.push(message);
                marks.push(results.len());
                // Replaced below by the result.
                Err(Failure::absent())
            }
            Err(failure) if failure.status == 400 => Err(failure),
            Err(failure) => return Err(failure),
        });
    }
    for (i, message) in marks.into_iter().zip(state.collector.run(messages).await?) {
        results[i] = match message.result {
            Ok(()) => Ok(message),
            Err(bulat::Error::DataLength) => Err(Failure::bad("invalid ciphertext: too short")),
            Err(_) => Err(Failure::bad("cipher: message authentication failed")),
        };
    }
    Ok((entry, results))
}

async fn sealed(state: &State, entry: &Arc<Entry>, item: &Fields<'_>) -> Result<Message> {
    let text = item.filled("ciphertext");
    let text = text.ok_or_else(|| Failure::bad("missing ciphertext to decrypt"))?;
    refuse_nonce(item)?;
    let (number, bytes) = keyring::read(text)?;
    let version = state.ring.version(entry, entry.decrypting(number)?).await?;
    let context = item.bytes("context")?;
    let key = entry.aead(&version, &context)?;
    let aad = entry.aad(number, &context, &item.bytes("associated_data")?);
    Ok(Message::aead(key, What::Open, aad, bytes.into()))
}

/// Makes the answer: one result, or those of a batch.
fn answer(
    call: &Call,
    results: Results,
    items: &[Fields<'_>],
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
        return match &done {
            Done {
                ciphertext: Some(text), key_version: Some(version), plaintext: None, ..
            } => {
                // Base64 needs no escapes, for which `serde_json` looks at each byte.
                call.written(done.len(), |body| {
                    write!(body, "{{\"ciphertext\":\"{text}\",\"key_version\":{version}}}")
                })
            }
            done => call.secret(200, done, done.len()),
        };
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
fn partial(fields: &Fields<'_>) -> Result<Option<u16>> {
    let Some(n) = fields.number("partial_failure_response_code") else { return Ok(None) };
    match u16::try_from(n) {
        Ok(code @ 200..600) => Ok(Some(code)),
        _ => Err(Failure::bad("partial_failure_response_code: must be from 200 to 599")),
    }
}

/// Checks a text as far as that is possible without a key.
fn sound(item: &Fields<'_>) -> Result<()> {
    let text = asked_text(item)?;
    item.version()?;
    for name in ["context", "associated_data"] {
        item.bytes(name)?;
    }
    decode(text, "plaintext", 0, 0).map(drop)
}

/// `POST /v1/transit/encrypt/{name}`. Creates the key if it does not exist and the policy allows that.
pub async fn encrypt(call: Call) -> Answer {
    let fields = call.fields()?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let (name, kind) = (call.param("name"), fields.text("type"));
    let entry = match call.state.ring.entry(name).await {
        Ok(entry) => {
            call.allow("update")?;
            same_kind(&entry, kind)?;
            entry
        }
        Err(failure) if failure.status == 404 => {
            if call.allow("create").is_err() {
                call.allow("update")?;
                return Err(Failure::bad("encryption key not found"));
            }
            let count = items.iter().filter(|item| item.filled("context").is_some()).count();
            if count != 0 && count != items.len() {
                return Err(Failure::bad(
                    "context should be set either in all the request blocks or in none",
                ));
            }
            // No key is created for a request of which nothing can be encrypted.
            let sound: Vec<_> = items.iter().map(sound).collect();
            if sound.iter().all(Result::is_err) {
                let results = sound.into_iter().map(|result| result.map(|()| Done::default()));
                return answer(&call, results.collect(), items, batch, partial);
            }
            super::keys::make(&call, kind, count != 0).await?;
            call.state.ring.entry(name).await?
        }
        Err(failure) => return Err(failure),
    };
    let plains = items.iter().map(|item| plain(&entry, item)).collect();
    let results = seal(&call.state, &entry, plains).await?;
    answer(&call, results, items, batch, partial)
}

pub async fn decrypt(call: Call) -> Answer {
    let fields = call.fields()?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let (entry, opened) = open(&call, items).await?;
    let block = entry.kind.block;
    let results = opened.into_iter().map(|result| {
        result.map(|message| {
            let text = &message.data[block..message.data.len() - block];
            Done { plaintext: Some(Wiped::base64(text)), ..Done::default() }
        })
    });
    answer(&call, results.collect(), items, batch, partial)
}

/// `POST /v1/transit/rewrap/{name}`. The plaintext does not leave the service.
pub async fn rewrap(call: Call) -> Answer {
    let fields = call.fields()?;
    let partial = partial(&fields)?;
    let (items, batch) = fields.items(call.state.config.limits.batch_items)?;
    let (entry, opened) = open(&call, items).await?;
    let plains = opened
        .into_iter()
        .zip(items)
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
    answer(&call, results, items, batch, partial)
}
