//! The calls of the system: health, seal status, metrics.

use serde_json::json;

use crate::call::{Answer, Call, Reply};
use crate::failure::Failure;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `GET /v1/sys/health`, for load balancers: 200 if the service can work, 503 if it is sealed.
pub async fn health(call: Call) -> Answer {
    let sealed = call.state.sealed();
    let status =
        if sealed { call.number("sealedcode", 503) } else { call.number("activecode", 200) }?;
    Ok(Reply::plain(
        status,
        &json!({
            "initialized": true, "sealed": sealed, "standby": false, "performance_standby": false,
            "replication_performance_mode": "disabled", "replication_dr_mode": "disabled",
            "server_time_utc": crate::clock::unix(), "version": VERSION, "cluster_name": "bulatd",
            "cluster_id": "",
        }),
    ))
}

/// `GET /v1/sys/ready`: 200 if the service has the root key and the database answers, else 503.
pub async fn ready(call: Call) -> Answer {
    let (sealed, database) = (call.state.sealed(), call.state.ring.answers().await);
    let status = if database && !sealed { 200 } else { 503 };
    Ok(Reply::plain(
        status,
        &json!({ "ready": status == 200, "sealed": sealed, "database": database }),
    ))
}

/// `GET /v1/sys/seal-status`.
pub async fn seal_status(call: Call) -> Answer {
    Ok(Reply::plain(
        200,
        &json!({
            "type": "root-key", "initialized": true, "sealed": call.state.sealed(), "t": 1, "n": 1, "progress": 0,
            "nonce": "", "version": VERSION, "build_date": "", "migration": false, "cluster_name": "bulatd",
            "cluster_id": "", "recovery_seal": false, "storage_type": call.state.storage(),
        }),
    ))
}

/// `GET /v1/sys/metrics`.
pub async fn metrics(call: Call) -> Answer {
    Ok(Reply::text(call.state.metrics.text(), "text/plain; version=0.0.4"))
}

/// `GET /v1/sys/init`.
pub async fn init(_: Call) -> Answer {
    Ok(Reply::plain(200, &json!({ "initialized": true })))
}

/// `GET /v1/sys/mounts`: the only one.
pub async fn mounts(call: Call) -> Answer {
    call.data(&json!({
        "transit/": {
            "type": "transit", "description": "encryption as a service", "accessor": "transit", "local": false,
            "seal_wrap": false, "external_entropy_access": false, "options": null, "uuid": "",
            "config": { "default_lease_ttl": 0, "max_lease_ttl": 0, "force_no_cache": false },
        },
    }))
}

/// `POST /v1/sys/mounts/{mount}`: refused.
pub async fn mount(call: Call) -> Answer {
    Err(match call.param("mount") {
        "transit" => Failure::bad("path is already in use at transit/"),
        _ => Failure::bad("the only mount is transit/"),
    })
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
