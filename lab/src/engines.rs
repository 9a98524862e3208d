//! Engines: one folder each under `lab/engines`, with a manifest that says how it is built and run. The
//! conversation with one is in the words of the crate `engine`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use engine::Case;
use serde::Deserialize;

/// `engine.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// One line for people.
    about: String,
    /// The command that builds it, run in its folder; `{out}` is its program's path, `{target}` cargo's
    /// folder.
    build: Vec<String>,
    /// The command that runs it.
    run: Vec<String>,
    /// How to install its packages, shown when it cannot be built.
    #[serde(default)]
    needs: String,
    /// A warning where building is slow.
    #[serde(default)]
    slow: String,
}

/// An engine that can be run.
pub struct Engine {
    /// The folder's name.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Its own name, with its version.
    pub version: String,
    run: Vec<String>,
    /// Algorithm and variant, in its order.
    pub can: Vec<(String, String)>,
}

/// All engines, or those of these names; those that cannot be run are named, with the way to install them.
pub struct Engines {
    engines: BTreeMap<String, Engine>,
    /// Name and reason of each that is not there.
    pub skipped: Vec<(String, String)>,
}

/// The folder of the lab.
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Cargo's folder of outputs, which this program lies in.
pub fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().find(|p| p.join("CACHEDIR.TAG").is_file());
    target.map_or_else(|| home().join("target"), Path::to_path_buf)
}

impl Engines {
    /// Builds and asks those engines of the folder that `wanted` names. Errors: when the folder cannot be read.
    pub fn load(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Self, String> {
        let mut all = Engines { engines: BTreeMap::new(), skipped: Vec::new() };
        let list = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut names: Vec<PathBuf> = list.filter_map(|entry| Some(entry.ok()?.path())).collect();
        names.sort();
        for path in names {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !wanted(&name) || !path.join("engine.toml").is_file() {
                continue;
            }
            match Engine::load(&path, &name) {
                Ok(engine) => _ = all.engines.insert(name, engine),
                Err(why) => all.skipped.push((name, why)),
            }
        }
        Ok(all)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Engine> {
        self.engines.values()
    }

    /// Resolves `ENGINE/VARIANT`; the variant may be `*`: each that has the algorithm.
    pub fn resolve(&self, spec: &str, algorithm: &str) -> Vec<(&Engine, String)> {
        let (name, variant) = spec.split_once('/').unwrap_or((spec, "-"));
        let Some(engine) = self.engines.get(name) else { return Vec::new() };
        let can =
            engine.can.iter().filter(|(a, v)| a == algorithm && (variant == "*" || v == variant));
        can.map(|(_, v)| (engine, v.clone())).collect()
    }
}

impl Engine {
    fn load(folder: &Path, name: &str) -> Result<Self, String> {
        let text = fs::read_to_string(folder.join("engine.toml")).map_err(|e| e.to_string())?;
        let manifest: Manifest = toml::from_str(&text).map_err(|e| format!("engine.toml: {e}"))?;
        let target = target();
        let out = target.join("lab").join(name);
        fs::create_dir_all(out.parent().unwrap_or(&target)).map_err(|e| e.to_string())?;
        let words = |words: &[String]| -> Vec<String> {
            let word = |w: &String| {
                w.replace("{out}", &out.to_string_lossy())
                    .replace("{target}", &target.to_string_lossy())
            };
            words.iter().map(word).collect()
        };
        let build = words(&manifest.build);
        if let [program, args @ ..] = &build[..] {
            if !manifest.slow.is_empty() && !Path::new(&words(&manifest.run)[0]).is_file() {
                eprintln!("{name}: {}", manifest.slow);
            }
            let mut command = Command::new(program);
            let built = command
                .args(args)
                .current_dir(folder)
                .env("CARGO_TARGET_DIR", &target)
                .stdin(Stdio::null())
                .output();
            let failed = match built {
                Ok(output) if output.status.success() => None,
                Ok(output) => Some(first_error(&String::from_utf8_lossy(&output.stderr))),
                Err(e) => Some(format!("{program}: {e}")),
            };
            if let Some(why) = failed {
                let needs = if manifest.needs.is_empty() {
                    why
                } else {
                    format!("{} ({why})", manifest.needs)
                };
                return Err(needs);
            }
        }
        let mut engine = Engine {
            name: name.into(),
            about: manifest.about,
            version: String::new(),
            run: words(&manifest.run),
            can: Vec::new(),
        };
        let mut talk = engine.start()?;
        engine.version = talk.version.clone();
        talk.ask("list")?;
        loop {
            let line = talk.answer()?;
            match line.strip_prefix("can ").and_then(|can| can.split_once(' ')) {
                Some((algorithm, variant)) => engine.can.push((algorithm.into(), variant.into())),
                None if line == "end" => return Ok(engine),
                None => return Err(format!("it answers {line:?} to list")),
            }
        }
    }

    /// Starts its program. Errors: when it cannot be started or does not greet.
    pub fn start(&self) -> Result<Talk, String> {
        let (program, args) = self.run.split_first().ok_or("engine.toml: run is empty")?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{program}: {e}"))?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = (to.ok_or("no pipe")?, BufReader::new(from.ok_or("no pipe")?));
        let (put, lines) = channel();
        std::thread::spawn(move || from.lines().all(|line| put.send(line).is_ok()));
        let mut talk = Talk { child, to, lines, version: String::new() };
        let greeting = talk.answer()?;
        let words = greeting.strip_prefix("engine ").ok_or(format!("it greets by {greeting:?}"))?;
        talk.version = words.replacen(' ', "-", 1);
        Ok(talk)
    }
}

/// The first line that tells an error.
fn first_error(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("error")).or(text.lines().last());
    line.unwrap_or("it cannot be built").trim().into()
}

/// An engine that is silent for so long is given up: the longest call is one over 1 GB at 200 cycles.
const PATIENCE: Duration = Duration::from_secs(600);

/// A started engine.
pub struct Talk {
    child: Child,
    to: ChildStdin,
    /// Its lines, read by a thread, so that one that is silent can be given up.
    lines: Receiver<std::io::Result<String>>,
    version: String,
}

/// A timed row of calls.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Seconds of one call.
    pub call: f64,
    /// Seconds of one cycle, before and after.
    pub cycle: (f64, f64),
    /// Seconds of all the calls.
    pub total: f64,
    /// How crowded the core was: see `engine::crowd`. NaN: the engine does not say.
    pub crowd: f64,
}

impl Slice {
    /// Returns whether it is so long that the readings before and after it say little about it.
    pub fn long(&self) -> bool {
        self.total > 0.5
    }
    /// Returns whether the clock was constant meanwhile; a long run spans changes that average out.
    pub fn steady(&self) -> bool {
        if self.long() {
            return true;
        }
        let bound = if self.total > 0.005 { 0.2 } else { 0.05 };
        (self.cycle.0 / self.cycle.1 - 1.0).abs() < bound
    }
    /// Cycles of one call.
    pub fn cycles(&self) -> f64 {
        self.call / (self.cycle.0 + self.cycle.1) * 2.0
    }
}

impl Talk {
    fn ask(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.to, "{line}").map_err(|e| format!("it listens no more: {e}"))
    }
    fn answer(&mut self) -> Result<String, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(line.trim_end().into()),
            Ok(Err(e)) => Err(e.to_string()),
            Err(RecvTimeoutError::Disconnected) => Err("it ended".into()),
            Err(RecvTimeoutError::Timeout) => Err(format!("it was silent for {PATIENCE:?}")),
        }
    }

    /// Opens a case. Errors: why it cannot.
    pub fn open(&mut self, case: &Case) -> Result<(), String> {
        let direction = if case.decrypt { "decrypt" } else { "encrypt" };
        self.ask(&format!(
            "open algorithm={} variant={} direction={direction} size={} offset={} streams={} threads={}",
            case.algorithm, case.variant, case.size, case.offset, case.streams, case.threads
        ))?;
        match self.answer()?.as_str() {
            "ready" => Ok(()),
            no => Err(no.strip_prefix("no ").unwrap_or(no).into()),
        }
    }

    /// The sum of the output of one call over fresh data. Errors: when it gives none.
    pub fn check(&mut self) -> Result<u64, String> {
        self.ask("check")?;
        let line = self.answer()?;
        let sum = line.strip_prefix("sum ").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        sum.ok_or(format!("it answers {line:?} to check"))
    }

    /// Times a number of calls, in cache or out of it. Errors: when it does not say.
    pub fn time(&mut self, calls: u64, cold: bool) -> Result<Slice, String> {
        self.ask(&format!("{} {calls}", if cold { "cold" } else { "time" }))?;
        let line = self.answer()?;
        let numbers = line.strip_prefix("took ").map(|words| {
            words.split(' ').map_while(|word| word.parse::<f64>().ok()).collect::<Vec<_>>()
        });
        match numbers.as_deref() {
            Some([ns, before, after, more @ ..])
                if [ns, before, after].iter().all(|x| x.is_finite() && **x > 0.0) =>
            {
                Ok(Slice {
                    call: ns * 1e-9 / calls as f64,
                    cycle: (before * 1e-12, after * 1e-12),
                    total: ns * 1e-9,
                    crowd: more.first().copied().unwrap_or(f64::NAN),
                })
            }
            _ => Err(format!("it answers {line:?} to time")),
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
