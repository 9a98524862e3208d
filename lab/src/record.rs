//! Rows of results, as they are kept: CSV, one line for each engine and case.

use std::path::Path;

use engine::Case;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::measure::{PAIRS, SPREAD, Timed, median, quantile, spread};

/// One engine on one case.
#[derive(Clone, Serialize, Deserialize)]
pub struct Row {
    /// The definition's name.
    pub definition: String,
    /// The tag of a row of the literature, or nothing.
    pub tag: String,
    /// Text to show in place of the case, or nothing.
    pub what: String,
    /// As in [`Case`].
    pub algorithm: String,
    /// `encrypt` or `decrypt`.
    pub direction: String,
    /// Bytes of a text.
    pub size: usize,
    /// Bytes from a multiple of 64.
    pub offset: usize,
    /// Texts in a call.
    pub streams: usize,
    /// Threads.
    pub threads: usize,
    /// With empty caches.
    pub cold: bool,
    /// The engine.
    pub engine: String,
    /// Its variant.
    pub variant: String,
    /// Its name and version.
    pub version: String,
    /// Slices that count.
    pub slices: usize,
    /// Cycles for a byte: the least.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The first and the third quarter.
    pub quarter1: f64,
    /// See there.
    pub quarter3: f64,
    /// Bytes a second, the median.
    pub speed: f64,
    /// Hertz.
    pub hertz: f64,
    /// The first engine's cycles divided by this one's: the median of the pairs; for the first itself 1.
    pub ratio: f64,
    /// How many pairs.
    pub pairs: usize,
    /// The spread of those: the width of the middle half over the median.
    pub spread: f64,
    /// Nothing, `inconclusive`, or a warning in words.
    pub note: String,
    /// The figure in the literature with its unit and machine, or nothing.
    pub published: String,
}

/// Four digits: a measurement has no more.
fn round(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

impl Row {
    /// The row of a timed case.
    pub fn new(definition: &str, case: &Case, cold: bool, t: &Timed) -> Self {
        let bytes = (case.size * case.streams * case.threads) as f64;
        let enough = t.ratios.len() >= PAIRS && spread(&t.ratios) <= SPREAD;
        let wide = !t.first && !enough;
        Row {
            definition: definition.into(),
            tag: String::new(),
            what: String::new(),
            algorithm: case.algorithm.clone(),
            direction: if case.decrypt { "decrypt" } else { "encrypt" }.into(),
            size: case.size,
            offset: case.offset,
            streams: case.streams,
            threads: case.threads,
            cold,
            engine: t.engine.clone(),
            variant: t.variant.clone(),
            version: t.version.clone(),
            slices: t.cycles.len(),
            least: round(quantile(&t.cycles, 0.0)),
            median: round(median(&t.cycles)),
            quarter1: round(quantile(&t.cycles, 0.25)),
            quarter3: round(quantile(&t.cycles, 0.75)),
            speed: round(bytes / median(&t.seconds)),
            hertz: round(t.hertz),
            ratio: round(median(&t.ratios)),
            pairs: t.ratios.len(),
            spread: round(spread(&t.ratios)),
            note: match t.warning() {
                _ if wide => "inconclusive".into(),
                warning => warning.unwrap_or_default(),
            },
            published: String::new(),
        }
    }

    /// A row of a case that could not be run, with the reason.
    pub fn missing(definition: &str, case: &Case, engine: &str, variant: &str, why: &str) -> Self {
        let none = Timed {
            engine: engine.into(),
            variant: variant.into(),
            version: String::new(),
            first: false,
            cycles: Vec::new(),
            seconds: Vec::new(),
            hertz: f64::NAN,
            ratios: Vec::new(),
            unsteady: 0,
        };
        Row { note: format!("not run: {why}"), ..Row::new(definition, case, false, &none) }
    }

    /// `ENGINE/VARIANT`.
    pub fn who(&self) -> String {
        if self.variant == "-" {
            self.engine.clone()
        } else {
            format!("{}/{}", self.engine, self.variant)
        }
    }

    /// The fields that tell its case from others of its definition.
    pub fn case(&self) -> (String, String, usize, usize, usize, usize, bool) {
        let (a, d) = (self.algorithm.clone(), self.direction.clone());
        (a, d, self.size, self.offset, self.streams, self.threads, self.cold)
    }
}

/// The rows in groups of one key, each where its first row is.
pub fn grouped<'a, K: PartialEq>(rows: &[&'a Row], key: impl Fn(&Row) -> K) -> Vec<Vec<&'a Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| key(group[0]) == key(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// Reads rows.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let at = |e: csv::Error| format!("{}: {e}", path.display());
    let mut reader = csv::Reader::from_path(path).map_err(at)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(at)
}

/// The rows as CSV. Errors: none that a program could help.
pub fn csv(rows: &[Row]) -> Result<String, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|e| e.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|e| e.to_string())
}
