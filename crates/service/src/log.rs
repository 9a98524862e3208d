//! The log of operation: one JSON line on standard error, without keys, tokens and plaintexts.

use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::{Map, Value};

/// Levels of the log.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, PartialOrd)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Errors that stop the service, or the answer of a request.
    Error,
    /// Events that need attention.
    Warn,
    /// Start, stop, rotation.
    #[default]
    Info,
    /// A line for each request.
    Debug,
}

static LEAST: AtomicU8 = AtomicU8::new(Level::Info as u8);

/// Sets the level from which lines are written.
pub fn set(level: Level) {
    LEAST.store(level as u8, Ordering::Relaxed);
}

/// Returns whether lines of a level are written.
pub fn writes(level: Level) -> bool {
    level as u8 <= LEAST.load(Ordering::Relaxed)
}

/// Writes a line: an event, and fields that are no secret.
pub fn line(level: Level, event: &str, fields: &[(&str, Value)]) {
    if !writes(level) {
        return;
    }
    let mut map = Map::new();
    map.insert("time".into(), now().into());
    map.insert("level".into(), format!("{level:?}").to_lowercase().into());
    map.insert("event".into(), event.into());
    map.extend(fields.iter().map(|(name, value)| ((*name).to_string(), value.clone())));
    // An error of the log stops nothing.
    let _ = writeln!(std::io::stderr().lock(), "{}", Value::Object(map));
}

/// Returns seconds since 1970, to the millisecond.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as f64 / 1000.0
}
