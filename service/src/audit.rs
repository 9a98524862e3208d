//! One JSON line for each request. What clients send and get stands there as HMAC-Streebog256 under a key of its own, so that
//! who has a value can look for it and who has the log learns none.
//!
//! Nothing is done that cannot be written down. Before a request is worked on, room for its line is kept on the disk
//! ([`Audit::begin`]), and without room the request is refused; its answer leaves when the line is written ([`Line::end`]).
//! Where no room can be kept (a pipe, a device, some file systems), a first line with `begun` is written instead, before the
//! work: the log names what was done in any case. A line is with the system then: it outlives the process, not a failure of power.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use bulat::HmacStreebog256;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use serde::Serialize;

use crate::root::Root;

/// The longest line.
const LONGEST: usize = 8 << 10;
/// What is kept beyond the lines that are awaited.
const AHEAD: u64 = 1 << 20;
/// Bytes of a path that stand in a line.
const PATH: usize = 512;
/// Bytes of a name that stand in a line.
const NAME: usize = 128;
/// Policies, and values, that stand in a line.
const MOST: usize = 16;

/// The log: the place, and the root key, under which its own key is kept.
pub struct Audit {
    path: Option<PathBuf>,
    root: Arc<Root>,
    state: Mutex<State>,
}

struct State {
    file: Option<File>,
    /// Lines that were begun.
    awaited: u64,
    /// Bytes that are kept for them; `None`: the file system keeps none.
    room: Option<u64>,
    /// Lines that could not be written since the last that could.
    lost: u64,
    /// The last one broke off within.
    torn: bool,
}

/// What is known of a request from its beginning.
#[derive(Clone, Default)]
pub struct Request {
    /// Its number.
    pub id: String,
    /// `read`, `update`, …
    pub operation: &'static str,
    /// Without parameters after `?`.
    pub path: String,
    /// The client's address.
    pub remote: String,
}

/// The line of one request. Dropped before its end it is written with status 0: the request was given up.
pub struct Line {
    audit: Arc<Audit>,
    fields: Fields,
    written: bool,
}

#[derive(Serialize)]
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
    /// Of the request.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<&'static str, String>,
    /// Of the answer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    answer: BTreeMap<&'static str, String>,
}

impl Audit {
    /// Opens the file, for its owner alone; `None`: nothing is written.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn open(path: Option<&Path>, root: Arc<Root>) -> Result<Arc<Audit>, String> {
        let state = State { file: None, awaited: 0, room: Some(0), lost: 0, torn: false };
        let audit = Audit { path: path.map(Path::to_owned), root, state: Mutex::new(state) };
        audit.reopen()?;
        Ok(Arc::new(audit))
    }

    /// Opens the file again, when another program has moved the old one away.
    ///
    /// # Errors
    /// A sentence for the user; then the old file stays in use.
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
        let mut state = self.lock();
        state.file = Some(file);
        state.room = Some(0);
        // A new file begins with a new line.
        state.torn = false;
        Ok(())
    }

    /// Begins a request's line.
    ///
    /// # Errors
    /// There is no room for it: the request is to be refused (500), and nothing done.
    pub fn begin(self: &Arc<Audit>, request: Request) -> Result<Line, String> {
        let mut state = self.lock();
        state.keep()?;
        if state.lost > 0 {
            // Nothing is done before a line can be written again, and that one says what is missing.
            let line = format!("{{\"time\":{:.6},\"lost\":{}}}\n", now(), state.lost);
            state.write(line.as_bytes())?;
        }
        let mut fields = Fields {
            time: now(),
            id: request.id,
            operation: request.operation,
            path: short(&request.path, PATH),
            remote: request.remote,
            caller: String::new(),
            policies: Vec::new(),
            begun: true,
            status: 0,
            seconds: 0.0,
            error: String::new(),
            settings: BTreeMap::new(),
            values: BTreeMap::new(),
            answer: BTreeMap::new(),
        };
        if state.room.is_none() {
            state.write(&line(&fields)?)?;
        }
        state.awaited += 1;
        drop(state);
        fields.begun = false;
        Ok(Line { audit: self.clone(), fields, written: false })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Keeps room for one more line.
    fn keep(&mut self) -> Result<(), String> {
        let (Some(file), Some(room)) = (&self.file, self.room) else { return Ok(()) };
        let need = (self.awaited + 1) * LONGEST as u64;
        if room >= need {
            return Ok(());
        }
        let len = file.metadata().map_err(|e| format!("audit: {e}"))?.len();
        match fallocate(file, FallocateFlags::KEEP_SIZE, len, need + AHEAD) {
            Ok(()) => self.room = Some(need + AHEAD),
            // Such a file system, or a pipe: each request has a line before its work, too.
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::SPIPE | Errno::NODEV) => self.room = None,
            // With less ahead there may still be room.
            Err(_) => {
                fallocate(file, FallocateFlags::KEEP_SIZE, len, need)
                    .map_err(|e| format!("audit: {e}"))?;
                self.room = Some(need);
            }
        }
        Ok(())
    }

    /// Writes a line; after one that broke off, first its end.
    fn write(&mut self, line: &[u8]) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let whole = if self.torn { [b"\n", line].concat() } else { line.to_vec() };
        let mut rest = whole.as_slice();
        while !rest.is_empty() {
            let problem = match file.write(rest) {
                Ok(0) => "no more is taken".to_string(),
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
    /// Gives back the room that no line has taken.
    fn drop(&mut self) {
        if let Some(file) = &self.lock().file
            && let Ok(meta) = file.metadata()
            && meta.is_file()
        {
            let _ = file.set_len(meta.len());
        }
    }
}

impl Line {
    /// Who asks: the accessor of a token, or a certificate's name.
    pub fn caller(&mut self, name: &str, policies: &[String]) {
        self.fields.caller = short(name, NAME);
        self.fields.policies = policies.iter().take(MOST).map(|name| short(name, NAME)).collect();
    }

    /// A value that the client has sent, as HMAC; while the service is sealed there is no key for it, and the value is left
    /// out.
    pub fn value(&mut self, name: &'static str, value: &[u8]) {
        keep(&self.audit, &mut self.fields.values, name, value);
    }

    /// A value that the client will get, the same.
    pub fn answer(&mut self, name: &'static str, value: &[u8]) {
        keep(&self.audit, &mut self.fields.answer, name, value);
    }

    /// A setting that the client has sent: a number, a flag, a word of the interface; as it is.
    pub fn setting(&mut self, name: &'static str, text: &str) {
        if self.fields.settings.len() < MOST {
            let plain = |c: u8| c.is_ascii_alphanumeric() || b"_-.".contains(&c);
            let text = if text.bytes().all(plain) { short(text, 40) } else { "?".into() };
            self.fields.settings.insert(name, text);
        }
    }

    /// Why the request was refused; without what it quotes, which may be anything that the client has sent.
    pub fn error(&mut self, text: &str) {
        self.fields.error = short(&unquoted(text), 200);
    }

    /// Writes the line.
    ///
    /// # Errors
    /// It could not be written: what was done is not to be answered (500).
    pub fn end(mut self, status: u16) -> Result<(), String> {
        self.fields.status = status;
        self.write()
    }

    fn write(&mut self) -> Result<(), String> {
        self.written = true;
        self.fields.seconds = (now() - self.fields.time).max(0.0);
        let line = line(&self.fields);
        let mut state = self.audit.lock();
        state.awaited -= 1;
        state.write(&line?)
    }
}

fn line(fields: &Fields) -> Result<Vec<u8>, String> {
    match serde_json::to_vec(fields) {
        Ok(mut line) if line.len() < LONGEST => {
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
    if values.len() < MOST
        && let Ok(key) = audit.root.audit_key()
    {
        let tag = HmacStreebog256::mac(&*key, value);
        let digits = bulat_container::digits::hex(tag.as_ref());
        values.insert(name, format!("hmac-streebog256:{digits}"));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.written {
            let _ = self.write();
        }
    }
}

/// A sentence without the texts in it that stand in quotes.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '`']) {
        let (head, tail) = rest.split_at(start);
        let quote = &tail[..1];
        // From the first to the last of them: a text may have some in it.
        let end = tail.rfind(quote).filter(|end| *end > 0).map_or(tail.len(), |end| end + 1);
        out += head;
        out += "*";
        rest = &tail[end..];
    }
    out + rest
}

/// Seconds since 1970, to the microsecond.
fn now() -> f64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (time.as_micros() as f64) / 1e6
}

/// The beginning of a text.
fn short(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].into()
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
