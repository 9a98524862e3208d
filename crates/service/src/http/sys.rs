//! The calls of the system: health, seal status, metrics.

use serde_json::{Value, json};

use crate::call::{Answer, Call, Reply};
use crate::failure::{Failure, Result};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `GET /v1/sys/health`, for load balancers: 200 if the service can work, 503 if it is sealed.
pub async fn health(call: Call) -> Answer {
    let sealed = call.state.sealed();
    let status =
        if sealed { call.number("sealedcode", 503) } else { call.number("activecode", 200) }?;
    Reply::plain(
        status,
        json!({
            "initialized": true, "sealed": sealed, "standby": false, "performance_standby": false,
            "replication_performance_mode": "disabled", "replication_dr_mode": "disabled",
            "server_time_utc": crate::clock::unix(), "version": VERSION, "cluster_name": "bulatd",
            "cluster_id": "",
        }),
    )
}

/// `GET /v1/sys/ready`: 200 if the service has the root key and the database answers, else 503.
pub async fn ready(call: Call) -> Answer {
    let (sealed, database) = (call.state.sealed(), call.state.ring.answers().await);
    let status = if database && !sealed { 200 } else { 503 };
    Reply::plain(status, json!({ "ready": status == 200, "sealed": sealed, "database": database }))
}

pub async fn seal_status(call: Call) -> Answer {
    Reply::plain(
        200,
        json!({
            "type": "root-key", "initialized": true, "sealed": call.state.sealed(), "t": 1, "n": 1, "progress": 0,
            "nonce": "", "version": VERSION, "build_date": "", "migration": false, "cluster_name": "bulatd",
            "cluster_id": "", "recovery_seal": false, "storage_type": call.state.storage(),
        }),
    )
}

pub async fn metrics(call: Call) -> Answer {
    Ok(Reply::text(call.state.metrics.text(), "text/plain; version=0.0.4"))
}

pub async fn init(_: Call) -> Answer {
    Reply::plain(200, json!({ "initialized": true }))
}

/// `GET /v1/sys/leader`. Every replica answers all calls, so there is no leader.
pub async fn leader(_: Call) -> Answer {
    Reply::plain(
        200,
        json!({
            "ha_enabled": false, "is_self": false, "active_time": "0001-01-01T00:00:00Z", "leader_address": "",
            "leader_cluster_address": "", "performance_standby": false,
        }),
    )
}

/// `GET /v1/sys/ha-status`: this replica, which knows of no others.
pub async fn ha_status(call: Call) -> Answer {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let nodes = json!([{
        "hostname": host.trim(), "api_address": "", "cluster_address": "", "active_node": true, "last_echo": null,
        "version": VERSION,
    }]);
    call.data(&json!({ "nodes": nodes }))
}

/// The only mount.
const TRANSIT: &str = "transit";
const ENGINE: &str = "encryption as a service";

/// Returns the settings of a mount, which are fixed. The lifetime is the tokens' lifetime.
fn config(auth: bool) -> Value {
    let life = if auth { crate::auth::LIFE } else { 0 };
    let mut all =
        json!({ "default_lease_ttl": life, "max_lease_ttl": life, "force_no_cache": false });
    if auth {
        all["token_type"] = "default-service".into();
    }
    all
}

fn mounted(kind: &str, description: &str, auth: bool) -> Value {
    json!({
        "type": kind, "description": description, "accessor": kind, "local": false, "seal_wrap": false,
        "external_entropy_access": false, "options": {}, "uuid": "", "config": config(auth),
        "plugin_version": "", "running_plugin_version": concat!("v", env!("CARGO_PKG_VERSION"), "+builtin.bulatd"),
        "running_sha256": "", "deprecation_status": "supported",
    })
}

fn engine() -> Value {
    mounted(TRANSIT, ENGINE, false)
}

/// The methods of login.
const AUTHS: [(&str, &str); 3] = [
    ("token", "tokens"),
    ("approle", "logins of programs by a role and a secret"),
    ("cert", "logins by the certificates that [[tls.clients]] names"),
];

fn all_auths() -> Value {
    let of = |(kind, text): &(&str, &str)| (format!("{kind}/"), mounted(kind, text, true));
    Value::Object(AUTHS.iter().map(of).collect())
}

/// `GET /v1/sys/mounts`: the only one.
pub async fn mounts(call: Call) -> Answer {
    call.data(&json!({ "transit/": engine() }))
}

/// Refuses another mount than the only one.
fn only(call: &Call) -> Result<()> {
    match call.param("mount") {
        TRANSIT => Ok(()),
        _ => Err(Failure::bad("the only mount is transit/")),
    }
}

/// Returns the description of the login that the path names.
fn auth(call: &Call) -> Result<&'static str> {
    let known = AUTHS.iter().find(|(kind, _)| *kind == call.param("mount"));
    let refused = || Failure::bad("the only logins are token/, approle/ and cert/");
    known.map(|(_, text)| *text).ok_or_else(refused)
}

pub async fn read_mount(call: Call) -> Answer {
    only(&call)?;
    call.data(&engine())
}

pub async fn read_tune(call: Call) -> Answer {
    only(&call)?;
    tuned(&call, ENGINE, false)
}

pub async fn read_tune_auth(call: Call) -> Answer {
    tuned(&call, auth(&call)?, true)
}

fn tuned(call: &Call, description: &str, auth: bool) -> Answer {
    let mut all = config(auth);
    all["description"] = description.into();
    call.data(&all)
}

/// `POST /v1/sys/mounts/{mount}/tune` and `sys/auth/{mount}/tune`: changes nothing, since the table of fields accepts only
/// neutral values.
pub async fn tune(call: Call) -> Answer {
    only(&call).or_else(|_| auth(&call).map(drop))?;
    Ok(Reply::empty())
}

pub async fn auths(call: Call) -> Answer {
    call.data(&all_auths())
}

/// `POST /v1/sys/auth/{mount}`: refused.
pub async fn mount_auth(call: Call) -> Answer {
    auth(&call)?;
    Err(Failure::bad("path is already in use"))
}

pub async fn ui_mounts(call: Call) -> Answer {
    call.data(&json!({ "secret": { "transit/": engine() }, "auth": all_auths() }))
}

pub async fn ui_mount(call: Call) -> Answer {
    only(&call).map_err(|_| Failure::denied())?;
    let mut mount = engine();
    mount["path"] = "transit/".into();
    call.data(&mount)
}

/// `POST /v1/sys/mounts/{mount}`: refused.
pub async fn mount(call: Call) -> Answer {
    only(&call)?;
    Err(Failure::bad("path is already in use at transit/"))
}

/// `PUT /v1/sys/seal`: forgets the root key and all keys.
pub async fn seal(call: Call) -> Answer {
    call.state.ring.seal();
    call.state.ring.give_back().await;
    Ok(Reply::empty())
}

/// `PUT /v1/sys/unseal`: reads the root key again, from the configured place.
pub async fn unseal(call: Call) -> Answer {
    call.state.ring.unseal().await?;
    seal_status(call).await
}
