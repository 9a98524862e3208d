//! keys and export: a key's settings and its secrets.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::call::{Answer, Call, Reply};
use crate::cleared::Wiped;
use crate::clock::unix;
use crate::failure::{Failure, Result};
use crate::keyring::{Entry, Kind};
use crate::store::{Changes, NewKey};

/// The least period of automatic rotation.
const HOUR: u64 = 3600;

/// `POST /v1/transit/keys/{name}`. An existing key stays as it is; a request for another one is refused.
pub async fn create(call: Call) -> Answer {
    let fields = call.fields()?;
    let yes = |name| fields.flag(name).unwrap_or(false);
    let kind = Kind::find(fields.text("type").unwrap_or(""))?;
    let derived = yes("derived");
    if derived && !kind.encrypts() {
        return Err(Failure::bad(format!("key derivation not supported for type {}", kind.name)));
    }
    let convergent = yes("convergent_encryption");
    if convergent && !derived {
        return Err(Failure::bad("convergent encryption requires derivation to be enabled"));
    }
    if convergent && !kind.converges() {
        return Err(Failure::bad(format!(
            "convergent encryption not supported for type {}: its nonces are too short",
            kind.name
        )));
    }
    let key = NewKey {
        name: name(&call)?,
        kind: kind.name.into(),
        derived,
        convergent,
        exportable: yes("exportable"),
        auto_rotate_period: period(fields.seconds("auto_rotate_period").unwrap_or(0))?,
        created: unix(),
        ..NewKey::default()
    };
    let period = key.auto_rotate_period;
    match call.state.ring.create(key, kind).await {
        Err(failure) if failure.exists => {}
        made => {
            made?;
            return read(call).await;
        }
    }
    let entry = call.key().await?;
    let record = &entry.record;
    let other = [
        ("type", kind.name != entry.kind.name),
        ("derived", derived != record.derived),
        ("convergent_encryption", convergent != record.convergent),
        ("exportable", yes("exportable") != record.exportable),
        ("auto_rotate_period", period != record.auto_rotate_period),
    ];
    match other.iter().find(|(name, other)| *other && fields.get(name).is_some()) {
        Some((name, _)) => {
            Err(Failure::bad(format!("the key exists already, with another {name}")))
        }
        None => read(call).await,
    }
}

/// Creates the key for a request that encrypts under it. Errors: 400 for a type that does not encrypt; those of the
/// database.
pub async fn make(call: &Call, kind: Option<&str>, derived: bool) -> Result<()> {
    let kind = Kind::find(kind.unwrap_or(""))?;
    if !kind.encrypts() {
        return Err(kind.unsupported());
    }
    let key = NewKey {
        name: name(call)?,
        kind: kind.name.into(),
        derived,
        created: unix(),
        ..NewKey::default()
    };
    match call.state.ring.create(key, kind).await {
        // Another request created it.
        Err(failure) if failure.exists => Ok(()),
        made => made,
    }
}

/// Returns the key's name, if it needs no escapes in a path.
fn name(call: &Call) -> Result<String> {
    let name = call.param("name");
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.len() <= 200
        && name.chars().all(inner)
        && ends(name.chars().next())
        && ends(name.chars().last())
    {
        return Ok(name.into());
    }
    Err(Failure::bad(
        "invalid key name: letters, digits, '_', '-' and '.', at most 200, no '-' or '.' at an end",
    ))
}

fn period(asked: u64) -> Result<u64> {
    match asked {
        n if n == 0 || (HOUR..1 << 40).contains(&n) => Ok(n),
        _ => Err(Failure::bad("auto rotate period must be 0 to disable or at least an hour")),
    }
}

pub async fn read(call: Call) -> Answer {
    call.data(&shown(&*call.key_or_absent().await?))
}

fn shown(entry: &Entry) -> Value {
    let (record, kind) = (&entry.record, entry.kind);
    let keys: Map<String, Value> = record
        .versions
        .iter()
        .filter(|version| version.version >= record.min_decryption_version)
        .map(|version| (version.version.to_string(), version.created.into()))
        .collect();
    json!({
        "name": record.name, "type": kind.name, "keys": keys, "latest_version": record.latest,
        "min_decryption_version": record.min_decryption_version,
        "min_encryption_version": record.min_encryption_version,
        "min_available_version": record.min_available_version,
        "deletion_allowed": record.deletion_allowed, "derived": record.derived,
        "convergent_encryption": record.convergent,
        "exportable": record.exportable, "allow_plaintext_backup": record.allow_plaintext_backup,
        "auto_rotate_period": record.auto_rotate_period, "imported_key": false,
        "supports_encryption": kind.encrypts(), "supports_decryption": kind.encrypts(),
        "supports_derivation": kind.encrypts(), "supports_signing": false,
    })
}

pub async fn list(call: Call) -> Answer {
    let (after, limit) = call.page()?;
    let names = call.state.ring.ask(move |store, _| store.list(&after, limit)).await?;
    call.names(names)
}

pub async fn rotate(call: Call) -> Answer {
    // Each request that rotates gets its own version.
    for _ in 0..8 {
        let entry = call.key().await?;
        match call.state.ring.rotate(&entry).await {
            Err(failure) if failure.status == 409 => {}
            done => {
                done?;
                return read(call).await;
            }
        }
    }
    Err(Failure::new(503, "the key is being changed; try again"))
}

pub async fn configure(call: Call) -> Answer {
    let fields = call.fields()?;
    let entry = call.key().await?;
    let version = |name| match fields.number(name) {
        None => Ok(None),
        Some(n) => u32::try_from(n).map(Some).map_err(|_| Failure::bad("invalid key version")),
    };
    if fields.flag("exportable").is_some_and(|flag| flag != entry.record.exportable) {
        return Err(Failure::bad("exportable can only be set when a key is created"));
    }
    let changes = Changes {
        // 0 means the first version, as 1 does.
        min_decryption_version: version("min_decryption_version")?.map(|n| n.max(1)),
        min_encryption_version: version("min_encryption_version")?,
        deletion_allowed: fields.flag("deletion_allowed"),
        auto_rotate_period: fields.seconds("auto_rotate_period").map(period).transpose()?,
    };
    call.state.ring.configure(entry.record.name.clone(), changes).await?;
    read(call).await
}

pub async fn trim(call: Call) -> Answer {
    let fields = call.fields()?;
    let asked = fields.number("min_available_version").and_then(|n| u32::try_from(n).ok());
    let asked = asked.filter(|n| *n > 0);
    let asked = asked.ok_or_else(|| Failure::bad("missing min_available_version"))?;
    let entry = call.key().await?;
    let record = &entry.record;
    if record.min_encryption_version == 0 {
        return Err(Failure::bad(
            "minimum available version cannot be set when minimum encryption version is not set",
        ));
    }
    if asked > record.min_decryption_version.min(record.min_encryption_version) {
        return Err(Failure::bad(
            "minimum available version cannot be higher than minimum encryption or decryption version",
        ));
    }
    call.state.ring.trim(record.name.clone(), asked).await?;
    read(call).await
}

pub async fn delete(call: Call) -> Answer {
    let entry = call.key().await?;
    if !entry.record.deletion_allowed {
        return Err(Failure::bad("error deleting key: deletion is not allowed for this key"));
    }
    call.state.ring.delete(entry.record.name.clone()).await?;
    Ok(Reply::empty())
}

/// `GET /v1/transit/backup/{name}`: the key, sealed under the root key.
pub async fn backup(call: Call) -> Answer {
    let entry = call.key_or_absent().await?;
    let backup = call.state.ring.backup(&entry).await?;
    call.answers("backup", backup.as_bytes());
    call.data(&json!({ "backup": backup }))
}

pub async fn restore(call: Call) -> Answer {
    let fields = call.fields()?;
    let backup = fields.text("backup").ok_or_else(|| Failure::bad("missing backup"))?;
    let done = call.state.ring.restore(backup, call.param("name")).await;
    done.map_err(|failure| match failure.exists {
        true => Failure::bad("the key exists already; delete it first"),
        false => failure,
    })?;
    Ok(Reply::empty())
}

#[derive(Serialize)]
struct Exported<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    keys: BTreeMap<u32, Wiped>,
}

pub async fn export(call: Call) -> Answer {
    let cipher = match call.param("type") {
        "encryption-key" => true,
        "hmac-key" => false,
        _ => return Err(Failure::bad("invalid export type; supported: encryption-key, hmac-key")),
    };
    let entry = call.key_or_absent().await?;
    let record = &entry.record;
    if !record.exportable {
        return Err(Failure::bad("private key material is not exportable"));
    }
    if cipher && !entry.kind.encrypts() {
        return Err(Failure::bad(format!("{} has no encryption-key", entry.kind.name)));
    }
    let asked = match call.param("version") {
        "" => None,
        "latest" => Some(record.latest),
        text => Some(text.parse().map_err(|_| Failure::bad("invalid key version"))?),
    };
    let mut keys = BTreeMap::new();
    for version in &record.versions {
        let wanted = asked.is_none_or(|asked| asked == version.version);
        if !wanted || version.version < record.min_decryption_version {
            continue;
        }
        let version = call.state.ring.version(&entry, version.version).await?;
        let secret =
            if cipher { entry.cipher_secret(&version) } else { Some(entry.mac_secret(&version)) };
        keys.insert(version.number, Wiped::base64(secret.unwrap_or_default()));
    }
    if keys.is_empty() {
        return Err(Failure::bad("version does not exist or cannot be found"));
    }
    let len = keys.len() * 120 + 500;
    call.secret(200, &Exported { name: &record.name, kind: entry.kind.name, keys }, len)
}
