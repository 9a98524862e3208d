//! The documents' figures from the records: the text between `<!-- lab: WORD -->` and `<!-- end -->` in the
//! READMEs and docs/BENCHMARKS.md is made here, and by nobody else; so is all of `lab/record/NAME.md`.
//!
//! A new record brings its table to docs/BENCHMARKS.md and its page with it.

mod processors;
mod readme;
mod tables;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::definition::{self, Definition};
use crate::engines::home;
use crate::machine::{Machine, Made};
use crate::record::{self, Row};
use crate::run;

/// A record: its name, its machine, its rows.
struct Record {
    name: String,
    machine: Machine,
    rows: Vec<Row>,
}

impl Record {
    fn has(&self, definition: &str) -> bool {
        self.rows.iter().any(|r| r.definition == definition)
    }

    /// The run that made a definition's figures.
    fn made(&self, definition: &str) -> Option<&Made> {
        self.machine.made.iter().find(|m| m.definitions.iter().any(|d| d == definition))
    }

    /// The version and the commit of that run, and its date.
    fn state(&self, definition: &str) -> String {
        self.made(definition).map_or("unknown".into(), |m| format!("{}, {}", m.state(), m.date))
    }

    /// The command of that run.
    fn command(&self, definition: &str) -> &str {
        self.made(definition).map_or("unknown", |m| &m.command)
    }
}

/// The records, the newest first.
fn records() -> Result<Vec<Record>, String> {
    let folder = home().join("record");
    let list = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files = list.filter_map(|entry| Some(entry.ok()?.path()));
    let mut csv: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect();
    csv.sort();
    let read = |path: &PathBuf| {
        let (name, rows) = (run::title(path), record::read(path)?);
        Ok(Record { machine: Machine::read(&name)?, name, rows })
    };
    csv.iter().rev().map(read).collect()
}

/// Writes the files, or only says whether they are as they would be written.
pub fn run(check: bool) -> Result<bool, String> {
    let records = records()?;
    // The newest that has the definition.
    let of = |definition: &str| records.iter().find(|r| r.has(definition));
    let best = readme::best(&records).ok_or("no record has peers")?;
    let definitions = definition::load(&home().join("definitions"))?;
    let root = home().join("..");
    let mut current = true;
    let mut put = |path: &Path, old: &str, new: &str| -> Result<(), String> {
        if old == new {
            return Ok(());
        }
        current = false;
        println!("{}: {}", path.display(), if check { "is out of date" } else { "written" });
        if check {
            return Ok(());
        }
        fs::write(path, new).map_err(|e| format!("{}: {e}", path.display()))
    };
    for file in ["README.md", "README.ru.md", "docs/BENCHMARKS.md"] {
        let path = root.join(file);
        let old = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let new = fill(&old, |word| match word {
            "readme" => Some(readme::table(best, &readme::ENGLISH)),
            "readme.ru" => Some(readme::table(best, &readme::RUSSIAN)),
            "processors" => Some(processors::list(&records)),
            "records" => Some(processors::tables(&records)),
            "peers" => Some(processors::peers(of("peers")?)),
            "published" => Some(tables::published(of("published")?)),
            _ => None,
        })
        .map_err(|e| format!("{}: {e}", path.display()))?;
        put(&path, &old, &new)?;
    }
    for (file, words) in
        [("docs/speed.svg", readme::ENGLISH), ("docs/speed.ru.svg", readme::RUSSIAN)]
    {
        let path = root.join(file);
        let old = fs::read_to_string(&path).unwrap_or_default();
        put(&path, &old, &readme::picture(best, &words))?;
    }
    for record in &records {
        let path = home().join(format!("record/{}.md", record.name));
        let old = fs::read_to_string(&path).unwrap_or_default();
        put(&path, &old, &page(record, &definitions))?;
    }
    if check && !current {
        println!("cargo run --release --manifest-path lab/Cargo.toml -- docs writes them");
    }
    Ok(current || !check)
}

/// A record's page: every table of every definition.
fn page(record: &Record, definitions: &[Definition]) -> String {
    let Record { name, machine, .. } = record;
    let mut out = format!(
        "# {}\n\nReported as: {}.\n\n{}\n\nMade by `cargo run --manifest-path lab/Cargo.toml -- docs` from `{name}.csv`; how to read it: \
         [Benchmarks](../../docs/BENCHMARKS.md).\n",
        machine.processor,
        machine.reported,
        machine.remark.trim()
    );
    for d in definitions.iter().filter(|d| record.has(&d.name)) {
        let _ = write!(out, "\n## {}\n\n{}", d.title, tables::section(d, record));
    }
    out
}

/// The text with each marked part made anew.
fn fill(text: &str, part: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- lab: ") {
        let (word, after) = after.split_once(" -->").ok_or("a mark without its end")?;
        let (_, after) = after.split_once("<!-- end -->").ok_or(format!("{word} has no end"))?;
        let made = part(word).ok_or(format!("nobody makes {word}"))?;
        let _ = write!(out, "{before}<!-- lab: {word} -->\n{made}<!-- end -->");
        rest = after;
    }
    Ok(out + rest)
}

/// The values without repetition, each where it came first.
pub fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// How sure a row is.
fn mark(row: &Row) -> &'static str {
    match &row.note[..] {
        "" => "",
        "inconclusive" => " ?",
        _ => " !",
    }
}
