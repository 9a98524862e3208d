//! The log of operation: one JSON line on standard error, never with a key, a token or a text.

use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

use crate::config::Level;

static LEAST: AtomicU8 = AtomicU8::new(Level::Info as u8);

/// Sets the level that is written from then on.
pub fn set(level: Level) {
    LEAST.store(level as u8, Ordering::Relaxed);
}

/// Whether lines of a level are written.
pub fn writes(level: Level) -> bool {
    level as u8 <= LEAST.load(Ordering::Relaxed)
}

/// Writes a line: what happened, and fields that are no secret.
pub fn line(level: Level, event: &str, fields: &[(&str, Value)]) {
    if !writes(level) {
        return;
    }
    let mut map = Map::new();
    map.insert("time".into(), now().into());
    map.insert("level".into(), format!("{level:?}").to_lowercase().into());
    map.insert("event".into(), event.into());
    map.extend(fields.iter().map(|(name, value)| ((*name).to_string(), value.clone())));
    // A log that nobody takes stops nothing.
    let _ = writeln!(std::io::stderr().lock(), "{}", Value::Object(map));
}

/// Seconds since 1970, with milliseconds.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as f64 / 1000.0
}
