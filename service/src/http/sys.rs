//! The calls of the system: health, seal status, metrics.

use serde_json::json;

use super::routes::{Answer, Call, Reply};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `GET /v1/sys/health`: 200 when it can work, 503 when it is sealed, as load balancers ask.
pub async fn health(call: Call) -> Answer {
    let sealed = call.state.sealed();
    let status =
        if sealed { call.number("sealedcode", 503) } else { call.number("activecode", 200) };
    Ok(Reply::plain(
        status,
        &json!({
            "initialized": true, "sealed": sealed, "standby": false, "performance_standby": false,
            "replication_performance_mode": "disabled", "replication_dr_mode": "disabled",
            "server_time_utc": super::routes::unix(), "version": VERSION, "cluster_name": "bulatd",
            "cluster_id": "",
        }),
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
