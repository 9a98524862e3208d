//! The audit log: one JSON line for each request. Values of clients and answers are in it as HMAC-Streebog256 under a
//! key of its own. So a reader of the log learns no value, and can still look for one that it knows.
//!
//! Nothing is done that cannot be written down. Before a request is processed, the log reserves room for its line on
//! the disk ([`Audit::begin`]); without room the request is refused. Its answer leaves after the line is written
//! ([`Line::end`]). If no room can be reserved (on a pipe, a device, some file systems), a first line with `begun` is
//! written before the work, so the log names the request in any case. A written line is with the system: it survives
//! the process, but not a power failure.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use serde::Serialize;

use crate::locks::lock;
use crate::root::Root;

/// The longest line.
const LONGEST: usize = 8 << 10;
/// Bytes reserved in advance, beyond the lines in progress.
const AHEAD: u64 = 1 << 20;
/// Bytes of a path in a line.
const PATH: usize = 512;
/// Bytes of a name in a line.
const NAME: usize = 128;
/// Policies in a line, and values.
const MOST: usize = 16;

/// The log: its file, and the root key, which protects the log's own key.
pub struct Audit {
    path: Option<PathBuf>,
    root: Arc<Root>,
    state: Mutex<State>,
}

struct State {
    file: Option<File>,
    /// Lines in progress.
    awaited: u64,
    /// Bytes reserved for them; `None`: the file system reserves none.
    room: Option<u64>,
    /// Lines lost since the last one that was written.
    lost: u64,
    /// The last line was not written to its end.
    torn: bool,
}

/// The values of a request that are known from its beginning.
#[derive(Clone, Default)]
pub struct Request {
    pub id: String,
    /// `read`, `update`, …
    pub operation: &'static str,
    /// The path, without the query.
    pub path: String,
    pub remote: String,
}

/// The line of one request. If it is dropped before its end, the request was given up, and the line has status 0.
pub struct Line {
    audit: Arc<Audit>,
    fields: Fields,
    written: bool,
}

#[derive(Default, Serialize)]
struct Fields {
    time: f64,
    id: String,
    operation: &'static str,
    path: String,
    remote: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    caller: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policies: Vec<String>,
    /// The work is still to come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    begun: bool,
    status: u16,
    seconds: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    error: String,
    /// Values of the request.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<&'static str, String>,
    /// Values of the answer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    answer: BTreeMap<&'static str, String>,
}

impl Audit {
    /// Opens the file, readable only by its owner; `None`: nothing is written.
    pub fn open(path: Option<&Path>, root: Arc<Root>) -> Result<Arc<Audit>, String> {
        let state = State { file: None, awaited: 0, room: Some(0), lost: 0, torn: false };
        let audit = Audit { path: path.map(Path::to_owned), root, state: Mutex::new(state) };
        audit.reopen()?;
        Ok(Arc::new(audit))
    }

    /// Opens the file again, after another program has moved it away. Errors: a sentence for the user; then the old
    /// file stays in use.
    pub fn reopen(&self) -> Result<(), String> {
        let Some(path) = &self.path else { return Ok(()) };
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(|e| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder.filter(|folder| !folder.exists()) {
                Some(folder) => format!(
                    "[audit] file {}: there is no folder {}; make it: install -d -m 700 {1}",
                    path.display(),
                    folder.display()
                ),
                None => format!("[audit] file {}: {e}", path.display()),
            }
        })?;
        let mut state = lock(&self.state);
        state.file = Some(file);
        state.room = Some(0);
        // A new file begins with a whole line.
        state.torn = false;
        Ok(())
    }

    /// Begins the line of a request. Errors: the reason why there is no room for it: then the request must be refused
    /// (500), and nothing done.
    pub fn begin(self: &Arc<Audit>, request: Request) -> Result<Line, String> {
        let mut state = lock(&self.state);
        state.keep()?;
        if state.lost > 0 {
            // Nothing is done before a line can be written again. That line tells how many are missing.
            let line = format!("{{\"time\":{:.6},\"lost\":{}}}\n", now(), state.lost);
            state.write(line.as_bytes())?;
        }
        let mut fields = Fields {
            time: now(),
            id: request.id,
            operation: request.operation,
            path: short(request.path, PATH),
            remote: request.remote,
            begun: true,
            ..Fields::default()
        };
        if state.room.is_none() {
            state.write(&line(&fields)?)?;
        }
        state.awaited += 1;
        drop(state);
        fields.begun = false;
        Ok(Line { audit: self.clone(), fields, written: false })
    }
}

impl State {
    /// Reserves room for one more line.
    fn keep(&mut self) -> Result<(), String> {
        let (Some(file), Some(room)) = (&self.file, self.room) else { return Ok(()) };
        let need = (self.awaited + 1) * LONGEST as u64;
        if room >= need {
            return Ok(());
        }
        let len = file.metadata().map_err(|e| format!("audit: {e}"))?.len();
        match fallocate(file, FallocateFlags::KEEP_SIZE, len, need + AHEAD) {
            Ok(()) => self.room = Some(need + AHEAD),
            // A file system that reserves nothing, or a pipe: each request also gets a line before its work.
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::SPIPE | Errno::NODEV) => self.room = None,
            // There may be room for less in advance.
            Err(_) => {
                fallocate(file, FallocateFlags::KEEP_SIZE, len, need)
                    .map_err(|e| format!("audit: {e}"))?;
                self.room = Some(need);
            }
        }
        Ok(())
    }

    /// Writes a line; if the last one is incomplete, first its end.
    fn write(&mut self, line: &[u8]) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let whole = if self.torn { [b"\n", line].concat().into() } else { Cow::from(line) };
        let mut rest = &*whole;
        while !rest.is_empty() {
            let problem = match file.write(rest) {
                Ok(0) => "the file accepts no more bytes".to_string(),
                Ok(n) => {
                    rest = &rest[n..];
                    continue;
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(e) => e.to_string(),
            };
            self.torn |= rest.len() < whole.len();
            self.lost += 1;
            self.room = self.room.map(|_| 0);
            return Err(format!("audit: {problem}"));
        }
        (self.torn, self.lost) = (false, 0);
        self.room = self.room.map(|room| room.saturating_sub(whole.len() as u64));
        Ok(())
    }
}

impl Drop for Audit {
    /// Gives the unused room back.
    fn drop(&mut self) {
        if let Some(file) = &lock(&self.state).file
            && let Ok(meta) = file.metadata()
            && meta.is_file()
        {
            let _ = file.set_len(meta.len());
        }
    }
}

impl Line {
    /// Sets the caller: the accessor of a token, or the name of a certificate.
    pub fn caller(&mut self, name: &str, policies: &[String]) {
        self.fields.caller = short(name.into(), NAME);
        let policies = policies.iter().take(MOST).cloned();
        self.fields.policies = policies.map(|name| short(name, NAME)).collect();
    }

    /// Adds a value of the request, as HMAC. A sealed service has no key for it, and leaves the value out.
    pub fn value(&mut self, name: &'static str, value: &[u8]) {
        keep(&self.audit, &mut self.fields.values, name, value);
    }

    /// Adds a value of the answer, as HMAC.
    pub fn answer(&mut self, name: &'static str, value: &[u8]) {
        keep(&self.audit, &mut self.fields.answer, name, value);
    }

    /// Adds a setting of the request as it is: a number, a flag, or a word of the interface.
    pub fn setting(&mut self, name: &'static str, text: &str) {
        if self.fields.settings.len() < MOST {
            let plain = |c: u8| c.is_ascii_alphanumeric() || b"_-.".contains(&c);
            let text = if text.bytes().all(plain) { short(text.into(), 40) } else { "?".into() };
            self.fields.settings.insert(name, text);
        }
    }

    /// Sets the reason of a refusal, without its quotations, which may contain any text of the client.
    pub fn error(&mut self, text: &str) {
        self.fields.error = short(unquoted(text), 200);
    }

    /// Writes the line. Errors: the reason why it could not be written: then the result must not be sent (500).
    pub fn end(mut self, status: u16) -> Result<(), String> {
        self.fields.status = status;
        self.write()
    }

    fn write(&mut self) -> Result<(), String> {
        self.written = true;
        self.fields.seconds = (now() - self.fields.time).max(0.0);
        let line = line(&self.fields);
        let mut state = lock(&self.audit.state);
        state.awaited -= 1;
        state.write(&line?)
    }
}

fn line(fields: &Fields) -> Result<Vec<u8>, String> {
    let mut line = Vec::with_capacity(1024);
    match serde_json::to_writer(&mut line, fields) {
        Ok(()) if line.len() < LONGEST => {
            line.push(b'\n');
            Ok(line)
        }
        _ => Err("audit: a line is too long".into()),
    }
}

fn keep(
    audit: &Audit,
    values: &mut BTreeMap<&'static str, String>,
    name: &'static str,
    value: &[u8],
) {
    // Without a log they have no reader.
    if audit.path.is_some()
        && values.len() < MOST
        && let Ok(tag) = audit.root.audit_mac(value)
    {
        let digits = bulat_container::digits::hex(tag.as_ref());
        values.insert(name, ["hmac-streebog256:", &digits].concat());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.written {
            let _ = self.write();
        }
    }
}

/// Replaces the quotations in a sentence.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '`']) {
        let (head, tail) = rest.split_at(start);
        let quote = &tail[..1];
        // From the first quotation mark to the last, since a quoted text may contain some.
        let end = tail.rfind(quote).filter(|end| *end > 0).map_or(tail.len(), |end| end + 1);
        out += head;
        out += "*";
        rest = &tail[end..];
    }
    out + rest
}

/// Returns seconds since 1970, to the microsecond.
fn now() -> f64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (time.as_micros() as f64) / 1e6
}

/// Returns the beginning of a text.
fn short(mut text: String, most: usize) -> String {
    text.truncate(text.floor_char_boundary(most));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_quote_nothing() {
        for (text, said) in [
            ("permission denied", "permission denied"),
            ("rule \"a\": capability \"SECRET\" is not there", "rule * is not there"),
            ("unknown field `SECRET`", "unknown field *"),
            ("it is `a\"b` or \"c`", "it is *"),
            ("policy \"SECRET", "policy *"),
        ] {
            assert_eq!(unquoted(text), said);
        }
    }
}
