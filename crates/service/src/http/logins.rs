//! Logins: AppRole (a role's name and a secret), and a client's certificate. A login gives a token without a parent.
//!
//! | record of the database | text |
//! |---|---|
//! | `role/NAME` | the role's settings, with its `role_id` |
//! | `role-id/HASH` | the role's name; HASH is of the `role_id` |
//! | `secret/NAME/ACCESSOR` | a secret: the hash of its text, its uses |
//! | `secret-id/NAME/HASH` | the accessor of the secret with this hash |
//!
//! The database has only hashes of secrets. A login gives no root token. An unknown role, an unknown secret and a secret of another role are refused alike.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bulat::Streebog256;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use super::tokens::given;
use crate::auth::{Auth, LIFE, NewToken, reachable};
use crate::call::{Answer, Call, Reply};
use crate::cleared::Wiped;
use crate::clock::date;
use crate::failure::{Failure, Result};
use crate::policy::{DEFAULT, ROOT};
use crate::root::random;
use crate::store::{Record, Store, StoreError, TokenRecord};

#[derive(Clone, Default, Serialize, Deserialize)]
struct Role {
    role_id: String,
    bind_secret_id: bool,
    secret_id_num_uses: u64,
    secret_id_ttl: u64,
    token_policies: Vec<String>,
    token_ttl: u64,
    token_max_ttl: u64,
    token_explicit_max_ttl: u64,
    token_period: u64,
    token_num_uses: u64,
    token_no_default_policy: bool,
    /// Vault's word for the only type, as the client has written it.
    #[serde(default)]
    token_type: String,
}

/// A secret of a role.
#[derive(Serialize, Deserialize)]
struct Secret {
    hash: String,
    created: u64,
    /// The lifetime in seconds; 0: no end.
    ttl: u64,
    /// The logins that it still allows; 0: any number.
    uses: u64,
}

/// A secret text.
type Owned = Zeroizing<String>;

/// The longest name, and the longest identifier of a role that a client chooses.
const LONGEST: usize = 128;

fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Streebog256::digest(text.as_bytes()))
}

/// Makes a random text in the form of a UUID, of 128 bits.
fn uuid() -> Result<Owned, StoreError> {
    let mut bytes = Zeroizing::new([0; 16]);
    random(&mut *bytes)?;
    let digits = Owned::new(bulat_container::digits::hex(&*bytes));
    let mut text = Owned::new(String::with_capacity(36));
    for (i, digit) in digits.chars().enumerate() {
        if matches!(i, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(digit);
    }
    Ok(text)
}

/// Reads the text of a record.
fn read<T: for<'de> Deserialize<'de>>(record: &Record) -> Result<T, StoreError> {
    serde_json::from_str(&record.value).map_err(|_| StoreError::Corrupt(record.name.clone()))
}

fn written(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Invalid(e.to_string()))
}

async fn ask<T: Send + 'static>(
    call: &Call,
    mut work: impl FnMut(&Store, &Auth) -> Result<T, StoreError> + Send + 'static,
) -> Result<T> {
    call.state.auth.away(move |auth| work(auth.store(), auth)).await.map_err(Failure::from)
}

/// Returns the role's name, if it needs no escapes in a path.
fn role_name(call: &Call) -> Result<String> {
    let name = call.param("role_name");
    // No capital letters, as policies tell them from others, and other servers do not.
    let right = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"-_.".contains(&c);
    if name.len() <= LONGEST && name.bytes().all(right) && reachable(name) {
        return Ok(name.to_string());
    }
    Err(Failure::bad(
        "invalid role name: small letters, digits, '_', '-' and '.', at most 128; not '.' or '..'",
    ))
}

/// Returns the beginnings of the names of a role's secrets.
fn secrets(name: &str) -> [String; 2] {
    [format!("secret-id/{name}/"), format!("secret/{name}/")]
}

fn records(name: &str, role: &Role) -> Result<[Record; 2], StoreError> {
    let id = Record {
        name: format!("role-id/{}", hash(&role.role_id)),
        value: name.to_string(),
        expires: 0,
    };
    Ok([id, Record { name: format!("role/{name}"), value: written(role)?, expires: 0 }])
}

fn role(store: &Store, name: &str) -> Result<Option<(Record, Role)>, StoreError> {
    let record = store.record(&format!("role/{name}"))?;
    record.map(|record| read(&record).map(|role| (record, role))).transpose()
}

async fn there(call: &Call) -> Result<(String, Role)> {
    let name = role_name(call)?;
    let asked = name.clone();
    let found = ask(call, move |store, _| role(store, &asked)).await?;
    Ok((name, found.ok_or_else(Failure::absent)?.1))
}

pub async fn list_roles(call: Call) -> Answer {
    list(&call, "role/".into()).await
}

/// Lists the names of records that begin with a text.
async fn list(call: &Call, start: String) -> Answer {
    let (after, limit) = call.page()?;
    let names = ask(call, move |store, _| store.record_names(&start, &after, limit)).await?;
    call.names(names)
}

/// `POST /v1/auth/approle/role/{role_name}`: makes a role, or changes the settings that the request has.
pub async fn write_role(call: Call) -> Answer {
    let fields = call.fields()?;
    let policies = [fields.list("token_policies"), fields.list("policies")];
    if policies.iter().all(Option::is_some) {
        return Err(Failure::bad("token_policies and policies have one meaning: give one of them"));
    }
    let name = role_name(&call)?;
    let asked = name.clone();
    let old = ask(&call, move |store, _| role(store, &asked)).await?;
    let (seen, mut role) = match old {
        Some((record, role)) => (Some(record), role),
        None => {
            let role_id = uuid()?.to_string();
            (None, Role { role_id, bind_secret_id: true, ..Role::default() })
        }
    };
    for (name, to) in [
        ("secret_id_ttl", &mut role.secret_id_ttl),
        ("token_ttl", &mut role.token_ttl),
        ("token_max_ttl", &mut role.token_max_ttl),
        ("token_explicit_max_ttl", &mut role.token_explicit_max_ttl),
        ("token_period", &mut role.token_period),
    ] {
        *to = fields.seconds(name).unwrap_or(*to);
    }
    for (name, to) in [
        ("secret_id_num_uses", &mut role.secret_id_num_uses),
        ("token_num_uses", &mut role.token_num_uses),
    ] {
        *to = fields.number(name).unwrap_or(*to);
    }
    for (name, to) in [
        ("bind_secret_id", &mut role.bind_secret_id),
        ("token_no_default_policy", &mut role.token_no_default_policy),
    ] {
        *to = fields.flag(name).unwrap_or(*to);
    }
    if let Some(kind) = fields.text("token_type") {
        role.token_type = kind.into();
    }
    if let Some(policies) = policies.into_iter().flatten().next() {
        role.token_policies = policies.into_iter().map(String::from).collect();
    }
    if !role.bind_secret_id {
        return Err(Failure::bad("bind_secret_id: a role without a secret would let anybody in"));
    }
    if role.token_max_ttl != 0 && role.token_ttl > role.token_max_ttl {
        return Err(Failure::bad("token_ttl should not be greater than token_max_ttl"));
    }
    // Who writes a role gives its policies away.
    let who = call.who()?;
    let has = |policy: &String| who.policies.contains(policy) || policy == DEFAULT;
    if !who.root() && !role.token_policies.iter().all(has) {
        return Err(Failure::bad("token_policies must be a subset of the caller's policies"));
    }
    if role.token_policies.iter().any(|policy| policy == ROOT) {
        return Err(Failure::bad("token_policies: a login gives no root token"));
    }
    let longest = role.token_ttl.max(role.token_max_ttl).max(role.token_explicit_max_ttl);
    if (role.token_period != 0 || longest > LIFE) && !who.sudo(&call.path) {
        return Err(Failure::bad(
            "token_period, and times of more than 32 days, need the policy root, or sudo on this path",
        ));
    }
    ask(&call, move |store, _| {
        let new = records(&name, &role)?;
        let gone = match seen {
            Some(_) => vec![new[0].name.clone()],
            // Secrets that were made while an old role of this name was deleted.
            None => secrets(&name).to_vec(),
        };
        store.records_change(&gone, &new, seen.as_ref())
    })
    .await?;
    Ok(Reply::empty())
}

pub async fn read_role(call: Call) -> Answer {
    let (_, role) = there(&call).await?;
    call.data(&json!({
        "bind_secret_id": role.bind_secret_id, "secret_id_num_uses": role.secret_id_num_uses,
        "secret_id_ttl": role.secret_id_ttl, "token_policies": role.token_policies, "token_ttl": role.token_ttl,
        "token_max_ttl": role.token_max_ttl, "token_explicit_max_ttl": role.token_explicit_max_ttl,
        "token_period": role.token_period, "token_num_uses": role.token_num_uses,
        "token_no_default_policy": role.token_no_default_policy,
        "token_type": if role.token_type.is_empty() { "default" } else { &role.token_type },
        "secret_id_bound_cidrs": null, "token_bound_cidrs": [], "local_secret_ids": false,
    }))
}

/// `DELETE /v1/auth/approle/role/{role_name}`: with its secrets. Tokens stay until they end.
pub async fn delete_role(call: Call) -> Answer {
    let name = role_name(&call)?;
    ask(&call, move |store, _| {
        // Others may change it at the same time.
        for _ in 0..8 {
            let mut gone = secrets(&name).to_vec();
            let there = role(store, &name)?;
            gone.extend(there.iter().map(|(_, role)| format!("role-id/{}", hash(&role.role_id))));
            let done = store.records_change(&gone, &[], there.as_ref().map(|(seen, _)| seen));
            if done != Err(StoreError::Conflict) {
                return done;
            }
        }
        Err(StoreError::Conflict)
    })
    .await?;
    Ok(Reply::empty())
}

pub async fn read_role_id(call: Call) -> Answer {
    let (_, role) = there(&call).await?;
    call.data(&json!({ "role_id": role.role_id }))
}

/// `POST /v1/auth/approle/role/{role_name}/role-id`: chooses the identifier.
pub async fn write_role_id(call: Call) -> Answer {
    let (name, _) = there(&call).await?;
    let id = call.fields()?.text("role_id").map(String::from);
    let id = id.filter(|id| (1..=LONGEST).contains(&id.len()) && !id.chars().any(char::is_control));
    let id = id.ok_or_else(|| Failure::bad("role_id: from 1 to 128 bytes"))?;
    let done = ask(&call, move |store, _| {
        let (seen, mut role) = role(store, &name)?.ok_or(StoreError::NotFound)?;
        let mut gone = vec![format!("role-id/{}", hash(&role.role_id))];
        role.role_id.clone_from(&id);
        let new = records(&name, &role)?;
        match store.record(&new[0].name)? {
            Some(record) if record.value != name => return Ok(false),
            Some(record) => gone.push(record.name),
            None => {}
        }
        store.records_change(&gone, &new, Some(&seen))?;
        Ok(true)
    });
    if done.await? { Ok(Reply::empty()) } else { Err(Failure::bad("role_id is in use")) }
}

/// `LIST /v1/auth/approle/role/{role_name}/secret-id`: accessors.
pub async fn list_secret_ids(call: Call) -> Answer {
    let (name, _) = there(&call).await?;
    list(&call, format!("secret/{name}/")).await
}

/// A new secret.
#[derive(Serialize)]
struct Made {
    secret_id: Wiped,
    secret_id_accessor: String,
    secret_id_ttl: u64,
    secret_id_num_uses: u64,
}

pub async fn make_secret_id(call: Call) -> Answer {
    let fields = call.fields()?;
    let (name, role) = there(&call).await?;
    let uses = fields.number("num_uses").unwrap_or(role.secret_id_num_uses);
    let ttl = fields.seconds("ttl").unwrap_or(role.secret_id_ttl);
    // A secret has no more than the role allows.
    let more = |own: u64, most: u64| most != 0 && (own == 0 || own > most);
    if more(uses, role.secret_id_num_uses) || more(ttl, role.secret_id_ttl) {
        return Err(Failure::bad("num_uses and ttl: at most those of the role"));
    }
    let (text, accessor) = (uuid()?, uuid()?.to_string());
    let created = call.state.auth.clock.now();
    let secret = Secret { hash: hash(&text), created, ttl, uses };
    let shown = accessor.clone();
    ask(&call, move |store, _| {
        let expires = if ttl == 0 { 0 } else { created.saturating_add(ttl) };
        let record = |name, value| Record { name, value, expires };
        let by_hash = format!("secret-id/{name}/{}", secret.hash);
        let by_accessor = format!("secret/{name}/{accessor}");
        let made = [record(by_hash, accessor.clone()), record(by_accessor, written(&secret)?)];
        store.records_change(&[], &made, None)
    })
    .await?;
    call.answers("secret_id_accessor", shown.as_bytes());
    let made = Made {
        secret_id: Wiped::text(&text),
        secret_id_accessor: shown,
        secret_id_ttl: ttl,
        secret_id_num_uses: uses,
    };
    call.secret(200, &made, 400)
}

/// Finds a secret of a role by its text or its accessor. Returns its records: by its hash, and the secret itself.
fn find(
    store: &Store,
    name: &str,
    text: Option<&str>,
    accessor: Option<&str>,
    now: u64,
) -> Result<Option<(Record, Secret)>, StoreError> {
    let accessor = match (text, accessor) {
        (Some(text), _) => match store.record(&format!("secret-id/{name}/{}", hash(text)))? {
            Some(record) => record.value,
            None => return Ok(None),
        },
        (None, accessor) => accessor.unwrap_or("").to_string(),
    };
    let found = store.record(&format!("secret/{name}/{accessor}"))?;
    let found = found.filter(|record| record.expires == 0 || now < record.expires);
    found.map(|record| read(&record).map(|secret| (record, secret))).transpose()
}

/// The accessor in the name of a secret's record.
fn accessor_of(record: &Record) -> &str {
    record.name.rsplit('/').next().unwrap_or("")
}

/// Finds the secret that the request names.
async fn named(call: &Call) -> Result<Option<(String, Record, Secret)>> {
    let (name, _) = there(call).await?;
    let fields = call.fields()?;
    let owned = |name| fields.text(name).map(|text| Owned::new(text.into()));
    let (text, accessor) = (owned("secret_id"), owned("secret_id_accessor"));
    let clear = |text: &Option<Owned>| {
        text.as_ref().is_none_or(|text| !text.contains('/') && !text.chars().any(char::is_control))
    };
    if !clear(&text) || !clear(&accessor) || text.is_none() && accessor.is_none() {
        return Err(Failure::bad("missing secret_id or secret_id_accessor"));
    }
    let (role, now) = (name.clone(), call.state.auth.clock.now());
    let found = ask(call, move |store, _| {
        let [text, accessor] = [&text, &accessor].map(|text| text.as_ref().map(|t| t.as_str()));
        find(store, &role, text, accessor, now)
    });
    Ok(found.await?.map(|(record, secret)| (name, record, secret)))
}

pub async fn lookup_secret_id(call: Call) -> Answer {
    match named(&call).await? {
        None => Ok(Reply::empty()),
        Some((_, record, secret)) => shown(&call, &record, &secret),
    }
}

pub async fn lookup_secret_id_accessor(call: Call) -> Answer {
    let (_, record, secret) = named(&call).await?.ok_or_else(Failure::absent)?;
    shown(&call, &record, &secret)
}

/// Vault's word for no end.
const NEVER: &str = "0001-01-01T00:00:00Z";

fn shown(call: &Call, record: &Record, secret: &Secret) -> Answer {
    call.data(&json!({
        "secret_id_accessor": accessor_of(record), "secret_id_num_uses": secret.uses, "secret_id_ttl": secret.ttl,
        "creation_time": date(secret.created), "last_updated_time": date(secret.created),
        "expiration_time": if record.expires == 0 { NEVER.into() } else { date(record.expires) },
        "metadata": {}, "cidr_list": [], "token_bound_cidrs": [],
    }))
}

pub async fn destroy_secret_id(call: Call) -> Answer {
    if let Some((name, record, secret)) = named(&call).await? {
        let gone = [format!("secret-id/{name}/{}", secret.hash), record.name];
        ask(&call, move |store, _| store.records_change(&gone, &[], None)).await?;
    }
    Ok(Reply::empty())
}

/// Counts a login by a secret; returns false if another has used it up.
fn counted(store: &Store, name: &str, record: &Record, secret: Secret) -> Result<bool, StoreError> {
    match secret.uses {
        0 => Ok(true),
        1 => {
            let by_hash = format!("secret-id/{name}/{}", secret.hash);
            match store.records_change(&[by_hash], &[], Some(record)) {
                Err(StoreError::Conflict) => Ok(false),
                done => done.map(|()| true),
            }
        }
        uses => store.record_swap(record, &written(&Secret { uses: uses - 1, ..secret })?),
    }
}

pub async fn approle(call: Call) -> Answer {
    let fields = call.fields()?;
    let owned = |name| {
        let text = fields.filled(name).map(|text| Owned::new(text.into()));
        text.ok_or_else(|| Failure::bad(format!("missing {name}")))
    };
    let (id, secret) = (owned("role_id")?, owned("secret_id")?);
    // Strangers delay only other strangers.
    let _turn = call.state.lookups[1].acquire().await;
    // A rotation of the root key makes all of this run again: the login counts once.
    let mut paid = false;
    let made = ask(&call, move |store, auth| {
        let Some(record) = store.record(&format!("role-id/{}", hash(&id)))? else {
            return Ok(None);
        };
        let name = record.value;
        let Some((_, role)) = role(store, &name)? else { return Ok(None) };
        if hash(&role.role_id) != hash(&id) {
            return Ok(None);
        }
        no_root(&role.token_policies)?;
        // Others may count a login at the same time.
        for _ in 0..8 {
            if paid {
                break;
            }
            let now = auth.clock.now();
            let Some((record, found)) = find(store, &name, Some(&secret), None, now)? else {
                return Ok(None);
            };
            paid = counted(store, &name, &record, found)?;
        }
        if !paid {
            return Err(StoreError::Conflict);
        }
        let most = match (role.token_explicit_max_ttl, role.token_max_ttl) {
            (0, most) | (most, 0) => most,
            (a, b) => a.min(b),
        };
        let new = NewToken {
            display_name: "approle".into(),
            policies: role.token_policies,
            no_default: role.token_no_default_policy,
            ttl: Some(role.token_ttl).filter(|ttl| *ttl != 0),
            renewable: true,
            orphan: true,
            period: role.token_period,
            most,
            uses: role.token_num_uses,
            path: "auth/approle/login".into(),
        };
        auth.create(&new, None).map(|made| Some((made, name)))
    });
    let Some(((token, record), name)) = made.await? else {
        return Err(Failure::bad("invalid role or secret ID"));
    };
    login(&call, &token, &record, Some(json!({ "role_name": name })))
}

/// Answers a login, and writes the new token's accessor to the audit log.
fn login(call: &Call, token: &str, record: &TokenRecord, metadata: Option<Value>) -> Answer {
    call.answers("accessor", record.accessor.as_bytes());
    given(call, token, record, metadata)
}

/// Refuses a login that would give a root token, which lives without end and without the role or the certificate.
fn no_root(policies: &[String]) -> Result<(), StoreError> {
    match policies.iter().any(|policy| policy == ROOT) {
        true => Err(StoreError::Invalid("a login gives no root token".into())),
        false => Ok(()),
    }
}

/// `POST /v1/auth/cert/login`. Its token has no renewal, since no later call checks the certificate.
pub async fn certificate(call: Call) -> Answer {
    let name = call.fields()?.text("name").map(String::from);
    let shown = call.certificate.clone();
    let shown = shown.ok_or_else(|| Failure::bad("client certificate must be supplied"))?;
    let _turn = call.state.lookups[1].acquire().await;
    let made = ask(&call, move |_, auth| {
        let Some(who) = auth.certificate(&shown.der, &shown.hash)? else { return Ok(None) };
        let asked = name.as_ref().filter(|name| !name.is_empty());
        let (name, mut policies) = match asked {
            None => (who.name.clone(), who.policies.clone()),
            Some(name) => match auth.certificate_policies(&shown.der, name) {
                Some(policies) => (format!("certificate {name}"), policies),
                None => return Ok(None),
            },
        };
        no_root(&policies)?;
        if policies.is_empty() {
            // No policies would mean the caller's policies.
            policies.push(DEFAULT.into());
        }
        let new = NewToken {
            display_name: name,
            policies,
            renewable: false,
            orphan: true,
            path: "auth/cert/login".into(),
            ..NewToken::default()
        };
        auth.create(&new, Some(&who)).map(Some)
    });
    let Some((token, record)) = made.await? else {
        return Err(Failure::bad("invalid certificate or no client certificate supplied"));
    };
    login(&call, &token, &record, None)
}
