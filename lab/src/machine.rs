//! The machine and the runs of a record: `lab/record/NAME.toml`, for the figures of `NAME.csv`.
//!
//! `lab run --record` writes it; the words for the processor and the remark may then be put right by hand, and stay.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::docs::distinct;
use crate::engines::home;

/// The machine of a record.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name, in words.
    pub processor: String,
    /// Its own report: vendor, family and model.
    pub reported: String,
    /// A remark for the reader, or nothing.
    #[serde(default)]
    pub remark: String,
    /// The runs: the definitions, the day, the version and the command.
    #[serde(default)]
    pub made: Vec<Made>,
}

/// A run with figures in the record.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// The definitions.
    pub definitions: Vec<String>,
    /// The day, as 2026-11-24.
    pub date: String,
    /// The library's version and commit.
    pub version: String,
    /// The command that made it.
    pub command: String,
}

impl Made {
    /// Version and commit, as a sentence names them: "0.1.0, commit e3c0009".
    pub fn state(&self) -> String {
        self.version.replacen(", ", ", commit ", 1)
    }
}

impl Machine {
    /// The path of a record's file.
    fn path(name: &str) -> PathBuf {
        home().join("record").join(format!("{name}.toml"))
    }

    /// The versions, commits and dates of a record's figures.
    pub fn states(&self) -> String {
        let states = self.made.iter().map(|made| format!("{}, {}", made.state(), made.date));
        let states = distinct(states);
        format!("bulat {}", states.join(" and "))
    }

    /// Returns whether a record has one.
    pub fn known(name: &str) -> bool {
        Self::path(name).is_file()
    }

    /// That of a record.
    pub fn read(name: &str) -> Result<Self, String> {
        let path = Self::path(name);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Writes down that these definitions were just measured here for the record.
    pub fn write(name: &str, definitions: &[&str]) -> Result<(), String> {
        let path = Self::path(name);
        let mut machine = if path.is_file() { Self::read(name)? } else { Self::here() };
        for made in &mut machine.made {
            made.definitions.retain(|d| !definitions.contains(&&d[..]));
        }
        machine.made.retain(|made| !made.definitions.is_empty());
        machine.made.push(Made {
            definitions: definitions.iter().map(ToString::to_string).collect(),
            date: said(&["date", "-u", "+%F"]).unwrap_or_default(),
            version: version(),
            command: format!(
                "cargo run --release --manifest-path lab/Cargo.toml -- run {} --record NAME",
                definitions.join(" ")
            ),
        });
        let text = toml::to_string_pretty(&machine).map_err(|e| e.to_string())?;
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Another record's name for a processor with this report.
    fn before(reported: &str) -> Option<String> {
        let files = fs::read_dir(home().join("record")).ok()?;
        let texts = files.filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
        let mut machines = texts.filter_map(|text| toml::from_str::<Machine>(&text).ok());
        machines.find(|machine| machine.reported == reported).map(|machine| machine.processor)
    }

    /// This machine.
    fn here() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let one = info.split("\n\n").next().unwrap_or("");
        let field = |name: &str| {
            let mut lines = one.lines().filter_map(|line| line.split_once(':'));
            lines.find(|(key, _)| key.trim() == name).map_or("", |(_, value)| value.trim())
        };
        let number = |name| field(name).parse().unwrap_or(0);
        let (vendor, family, model) = (field("vendor_id"), number("cpu family"), number("model"));
        let virtual_ = field("flags").split(' ').any(|flag| flag == "hypervisor");
        let reported = format!("{vendor}, family {family:#x}, model {model:#x}");
        let processor = match (Self::before(&reported), known(vendor, family, model)) {
            (Some(words), _) => words,
            (None, Some(name)) => format!("{} ({name})", field("model name")),
            (None, None) => field("model name").into(),
        };
        Machine {
            processor,
            reported,
            remark: if virtual_ { "A virtual machine.".into() } else { String::new() },
            made: Vec::new(),
        }
    }
}

/// Families and models of servers and desktops (first, last model), as Linux lists them.
const KNOWN: [(&str, u32, u32, u32, &str); 12] = [
    ("GenuineIntel", 6, 0x3c, 0x3f, "Haswell"),
    ("GenuineIntel", 6, 0x55, 0x55, "Skylake-X or Cascade Lake"),
    ("GenuineIntel", 6, 0x6a, 0x6c, "Ice Lake-X"),
    ("GenuineIntel", 6, 0x8f, 0x8f, "Sapphire Rapids"),
    ("GenuineIntel", 6, 0x97, 0x9a, "Alder Lake"),
    ("GenuineIntel", 6, 0xad, 0xae, "Granite Rapids"),
    ("GenuineIntel", 6, 0xcf, 0xcf, "Emerald Rapids"),
    ("AuthenticAMD", 0x17, 0x00, 0x2f, "Zen or Zen+"),
    ("AuthenticAMD", 0x17, 0x30, 0xff, "Zen 2"),
    ("AuthenticAMD", 0x19, 0x00, 0x0f, "Zen 3"),
    ("AuthenticAMD", 0x19, 0x10, 0x1f, "Zen 4"),
    ("AuthenticAMD", 0x1a, 0x00, 0xff, "Zen 5"),
];

/// The generation of a family and model. Some virtual machines give a number that is not theirs: the
/// record's `processor` is put right by hand then.
fn known(vendor: &str, family: u32, model: u32) -> Option<&'static str> {
    let same = |k: &&(&str, u32, u32, u32, &str)| {
        (k.0, k.1) == (vendor, family) && (k.2..=k.3).contains(&model)
    };
    KNOWN.iter().find(same).map(|k| k.4)
}

/// A program's output.
fn said(words: &[&str]) -> Option<String> {
    let out = Command::new(words[0]).args(&words[1..]).current_dir(home()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().into())
}

/// The version and the commit of the library, and whether it was changed since.
fn version() -> String {
    let mut version = format!("{}, {}", env!("CARGO_PKG_VERSION"), commit());
    let changed = said(&["git", "status", "--porcelain", "--", ":/crates/core", ":/crates/bulat"]);
    if changed.is_some_and(|list| !list.is_empty()) {
        version += " and changes";
    }
    version
}

fn commit() -> String {
    said(&["git", "rev-parse", "--short=7", "HEAD"]).unwrap_or_else(|| "no commit".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_another_record() {
        let reported = "AuthenticAMD, family 0x19, model 0x11";
        assert_eq!(Machine::before(reported).as_deref(), Some("AMD EPYC, Zen 4"));
        assert_eq!(Machine::before("nobody"), None);
    }

    #[test]
    fn generations() {
        assert_eq!(known("AuthenticAMD", 0x19, 0x11), Some("Zen 4"));
        assert_eq!(known("GenuineIntel", 6, 0x8f), Some("Sapphire Rapids"));
        assert_eq!(known("GenuineIntel", 6, 0xa7), None);
    }
}
