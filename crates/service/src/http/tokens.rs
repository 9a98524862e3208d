//! Tokens and policies: `auth/token/…`, `sys/policies/acl/…`, `sys/capabilities-self`.

use serde::Serialize;
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use crate::auth::{Auth, NewToken};
use crate::call::{Answer, Call, Reply};
use crate::cleared::Wiped;
use crate::clock::date;
use crate::failure::{Failure, Result};
use crate::fields::Fields;
use crate::store::{StoreError, TokenRecord};

/// Runs database work outside the threads that answer requests.
async fn ask<T: Send + 'static>(
    call: &Call,
    work: impl FnMut(&Auth) -> Result<T, StoreError> + Send + 'static,
) -> Result<T> {
    call.state.auth.away(work).await.map_err(Failure::from)
}

#[derive(Serialize)]
struct Given<'a> {
    client_token: Wiped,
    accessor: &'a str,
    policies: &'a [String],
    token_policies: &'a [String],
    metadata: Option<Value>,
    lease_duration: u64,
    renewable: bool,
    entity_id: &'static str,
    token_type: &'static str,
    orphan: bool,
    num_uses: u64,
}

/// Returns the bytes of the names of a token's policies in an answer.
fn names(record: &TokenRecord) -> usize {
    record.policies.iter().map(|name| name.len() + 4).sum()
}

pub fn given(call: &Call, token: &str, record: &TokenRecord, metadata: Option<Value>) -> Answer {
    let auth = Given {
        client_token: Wiped::text(token),
        accessor: &record.accessor,
        policies: &record.policies,
        token_policies: &record.policies,
        metadata,
        lease_duration: record.expires.saturating_sub(call.state.auth.clock.now()),
        renewable: record.renewable,
        entity_id: "",
        token_type: "service",
        orphan: record.parent.is_empty(),
        num_uses: record.uses,
    };
    call.auth(&auth, 2 * names(record) + 700)
}

pub async fn create(call: Call) -> Answer {
    let orphan = call.path.ends_with("create-orphan");
    let fields = call.fields()?;
    let (ttl, lease) = (fields.seconds("ttl"), fields.seconds("lease"));
    if ttl.is_some() && lease.is_some() {
        return Err(Failure::bad("ttl and lease have one meaning: give one of them"));
    }
    let display = fields.text("display_name").unwrap_or("");
    if display.len() > 200 || display.chars().any(char::is_control) {
        return Err(Failure::bad("display_name: at most 200 bytes, no control characters"));
    }
    let policies = fields.list("policies").unwrap_or_default().into_iter().map(String::from);
    let new = NewToken {
        display_name: if display.is_empty() { "token".into() } else { format!("token-{display}") },
        policies: policies.collect(),
        no_default: fields.flag("no_default_policy").unwrap_or(false),
        ttl: ttl.or(lease).filter(|n| *n > 0),
        renewable: fields.flag("renewable").unwrap_or(true),
        orphan: orphan || fields.flag("no_parent").unwrap_or(false),
        period: fields.seconds("period").unwrap_or(0),
        most: fields.seconds("explicit_max_ttl").unwrap_or(0),
        uses: fields.number("num_uses").unwrap_or(0),
        path: if orphan { call.path.clone() } else { String::new() },
    };
    let who = call.who()?.clone();
    if !who.sudo(&call.path) && (new.orphan && !orphan || new.period != 0) {
        return Err(Failure::bad(
            "no_parent and period need the policy root, or sudo on this path",
        ));
    }
    if new.uses > u64::from(u32::MAX) {
        return Err(Failure::bad("num_uses: too large"));
    }
    let (token, record) = ask(&call, move |auth| auth.create(&new, Some(&who))).await?;
    call.answers("accessor", record.accessor.as_bytes());
    given(&call, &token, &record, None)
}

/// A token with its record.
#[derive(Serialize)]
struct Shown {
    id: Wiped,
    #[serde(flatten)]
    record: Value,
}

/// Shows a token's record. `token` is its own text, if the client has shown it.
fn shown(call: &Call, token: &str, record: &TokenRecord) -> Answer {
    let now = call.state.auth.clock.now();
    let value = json!({
        "accessor": record.accessor, "display_name": record.display_name, "policies": record.policies,
        "creation_time": record.created, "creation_ttl": record.ttl, "issue_time": date(record.created),
        "expire_time": (record.expires != 0).then(|| date(record.expires)),
        "ttl": record.expires.saturating_sub(now), "renewable": record.renewable, "num_uses": record.uses,
        "explicit_max_ttl": record.most, "period": record.period, "entity_id": "", "meta": null,
        "orphan": record.parent.is_empty(), "type": "service",
        "path": if record.path.is_empty() { "auth/token/create" } else { &record.path },
    });
    let len = names(record) + 6 * record.display_name.len() + token.len() + 1024;
    call.secret(200, &Shown { id: Wiped::text(token), record: value }, len)
}

pub async fn lookup_self(call: Call) -> Answer {
    let who = call.who()?;
    match &who.token {
        Some(record) => shown(&call, own(&call), record),
        None => call.data(&json!({
            "display_name": who.name, "policies": who.policies, "ttl": 0, "renewable": false, "type": "certificate",
        })),
    }
}

/// Returns the token of the request.
fn own(call: &Call) -> &str {
    call.token.as_ref().map_or("", |token| token.as_str())
}

/// Returns a text that the request must have.
fn named(fields: &Fields<'_>, name: &str) -> Result<Zeroizing<String>> {
    let text = fields.filled(name);
    let text = text.ok_or_else(|| Failure::bad(format!("missing {name}")))?;
    if text.chars().any(char::is_control) {
        return Err(Failure::bad(format!("{name}: control characters are not allowed")));
    }
    Ok(text.to_string().into())
}

async fn look_up(call: &Call, token: &Zeroizing<String>) -> Result<TokenRecord> {
    let token = token.clone();
    let record = ask(call, move |auth| auth.look_up(&token)).await?;
    record.ok_or_else(|| Failure::new(403, "bad token"))
}

async fn look_up_accessor(call: &Call, accessor: Zeroizing<String>) -> Result<TokenRecord> {
    let record = ask(call, move |auth| auth.look_up_accessor(&accessor)).await?;
    record.ok_or_else(|| Failure::new(403, "invalid accessor"))
}

pub async fn lookup(call: Call) -> Answer {
    let token = named(&call.fields()?, "token")?;
    shown(&call, &token, &look_up(&call, &token).await?)
}

pub async fn lookup_accessor(call: Call) -> Answer {
    let accessor = named(&call.fields()?, "accessor")?;
    shown(&call, "", &look_up_accessor(&call, accessor).await?)
}

/// Ends a token. It is no error if there is none.
async fn end(call: &Call, accessor: String) -> Answer {
    call.answers("accessor", accessor.as_bytes());
    match ask(call, move |auth| auth.revoke(&accessor)).await {
        Err(failure) if failure.status != 404 => Err(failure),
        _ => Ok(Reply::empty()),
    }
}

pub async fn revoke(call: Call) -> Answer {
    let token = named(&call.fields()?, "token")?;
    match ask(&call, move |auth| auth.look_up(&token)).await? {
        Some(record) => end(&call, record.accessor).await,
        None => Ok(Reply::empty()),
    }
}

pub async fn revoke_accessor(call: Call) -> Answer {
    let accessor = named(&call.fields()?, "accessor")?;
    end(&call, accessor.to_string()).await
}

pub async fn revoke_self(call: Call) -> Answer {
    match &call.who()?.token {
        Some(record) => end(&call, record.accessor.clone()).await,
        None => Err(Failure::bad("a certificate is not revoked here")),
    }
}

/// Renews the token with a hash, and answers with it. `token` is its own text, if the client has shown it.
async fn renewed(call: &Call, token: &str, hash: Vec<u8>, more: Option<u64>) -> Answer {
    let record = ask(call, move |auth| auth.renew(&hash, more)).await?;
    given(call, token, &record, None)
}

pub async fn renew(call: Call) -> Answer {
    let fields = call.fields()?;
    let token = named(&fields, "token")?;
    let record = look_up(&call, &token).await?;
    renewed(&call, &token, record.hash, fields.seconds("increment")).await
}

pub async fn renew_accessor(call: Call) -> Answer {
    let fields = call.fields()?;
    let record = look_up_accessor(&call, named(&fields, "accessor")?).await?;
    renewed(&call, "", record.hash, fields.seconds("increment")).await
}

pub async fn renew_self(call: Call) -> Answer {
    let more = call.fields()?.seconds("increment");
    let refused = || Failure::bad("a certificate is not renewed here");
    let record = call.who()?.token.as_ref().ok_or_else(refused)?;
    renewed(&call, own(&call), record.hash.clone(), more).await
}

pub async fn write_policy(call: Call) -> Answer {
    let fields = call.fields()?;
    let (policy, rules) = (fields.text("policy"), fields.text("rules"));
    if policy.is_some() && rules.is_some() {
        return Err(Failure::bad("policy and rules have one meaning: give one of them"));
    }
    let text = policy.or(rules).ok_or_else(|| Failure::bad("missing policy"))?.to_string();
    let name = call.param("name").to_string();
    ask(&call, move |auth| auth.policy_write(&name, &text)).await?;
    Ok(Reply::empty())
}

pub async fn read_policy(call: Call) -> Answer {
    let name = call.param("name").to_string();
    let text = ask(&call, move |auth| auth.policy(&name)).await?.ok_or_else(Failure::absent)?;
    call.data(&json!({ "name": call.param("name"), "policy": text, "rules": text }))
}

pub async fn delete_policy(call: Call) -> Answer {
    let name = call.param("name").to_string();
    ask(&call, move |auth| auth.policy_delete(&name)).await?;
    Ok(Reply::empty())
}

pub async fn list_policies(call: Call) -> Answer {
    let (after, limit) = call.page()?;
    let mut names = ask(&call, Auth::policy_list).await?;
    names.retain(|name| *name > after);
    names.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    call.data(&json!({ "keys": names, "policies": names }))
}

/// The most paths of one request.
const PATHS: usize = 1000;

pub async fn capabilities(call: Call) -> Answer {
    let fields = call.fields()?;
    let mut paths = fields.list("paths").unwrap_or_default();
    paths.extend(fields.text("path"));
    if !(1..=PATHS).contains(&paths.len()) {
        return Err(Failure::bad(format!("paths: must be from 1 to {PATHS}")));
    }
    // Go's client also sends its token, in the body.
    if fields.filled("token").is_some_and(|token| token != own(&call)) {
        return Err(Failure::bad("token: only that of the request"));
    }
    let rules = &call.who()?.rules;
    let root = call.who()?.root();
    let mut all: Map<String, Value> = Map::new();
    for path in &paths {
        let names =
            if root { vec!["root"] } else { rules.on_any(path.trim_start_matches('/')).names() };
        all.insert((*path).into(), json!(names));
    }
    if let [one] = paths[..] {
        let names = all[one].clone();
        all.insert("capabilities".into(), names);
    }
    call.data(&Value::Object(all))
}
