//! The result of a run: a row of counts per file, every failure by name, and the tests not tried.

use std::collections::BTreeMap;
use std::fmt;

/// How one test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(&'static str),
    Unsupported,
    Agrees,
    Differs(String),
}

/// The counts of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The file, or `total`.
    pub file: String,
    /// `valid` and `invalid` tests that passed every check.
    pub passed: usize,
    /// Those where one did not.
    pub failed: usize,
    /// Not run: unverified values, and long tests unless asked for.
    pub skipped: usize,
    /// Tests of which the subject could run no check at all.
    pub unsupported: usize,
    /// `acceptable` tests where the subject gives the value of the file.
    pub agrees: usize,
    /// `acceptable` tests where it does not.
    pub differs: usize,
}

impl Row {
    fn count(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed(_) => &mut self.failed,
            Outcome::Skipped(_) => &mut self.skipped,
            Outcome::Unsupported => &mut self.unsupported,
            Outcome::Agrees => &mut self.agrees,
            Outcome::Differs(_) => &mut self.differs,
        } += 1;
    }

    fn counts(&self) -> [usize; 6] {
        [self.passed, self.failed, self.skipped, self.unsupported, self.agrees, self.differs]
    }
}

/// A test by name, with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file of the test.
    pub file: String,
    /// Its number there.
    pub id: u64,
    /// The remark.
    pub reason: String,
}

/// The result of a run. Its `Display` is the table of cases per file, and below it the failures,
/// the differences, the reasons of skips and the algorithms that the subject does not have.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One row per file, in the order of the files.
    pub rows: Vec<Row>,
    /// The failed tests.
    pub failures: Vec<Finding>,
    /// The `acceptable` tests with another value than the file's.
    pub differences: Vec<Finding>,
    /// The tests not run.
    pub skips: Vec<Finding>,
    /// Algorithms that the subject does not have, and how many tests asked for each. A test passes on
    /// the checks that could be made, so look here too.
    pub missing: BTreeMap<String, usize>,
}

impl Report {
    pub(crate) fn record(&mut self, file: &str, id: u64, outcome: Outcome, missing: Vec<String>) {
        if self.rows.last().is_none_or(|row| row.file != file) {
            self.rows.push(Row { file: file.to_string(), ..Row::default() });
        }
        if let Some(row) = self.rows.last_mut() {
            row.count(&outcome);
        }
        for algorithm in missing {
            *self.missing.entry(algorithm).or_insert(0) += 1;
        }
        let mut note = |list: fn(&mut Self) -> &mut Vec<Finding>, reason: String| {
            list(self).push(Finding { file: file.to_string(), id, reason });
        };
        match outcome {
            Outcome::Failed(reason) => note(|report| &mut report.failures, reason),
            Outcome::Differs(reason) => note(|report| &mut report.differences, reason),
            Outcome::Skipped(reason) => note(|report| &mut report.skips, reason.to_string()),
            Outcome::Passed | Outcome::Agrees | Outcome::Unsupported => {}
        }
    }

    /// The sum of the rows.
    pub fn total(&self) -> Row {
        let mut total = Row { file: "total".into(), ..Row::default() };
        for row in &self.rows {
            total.passed += row.passed;
            total.failed += row.failed;
            total.skipped += row.skipped;
            total.unsupported += row.unsupported;
            total.agrees += row.agrees;
            total.differs += row.differs;
        }
        total
    }

    /// The one row `total`, for a table of several subjects.
    pub fn summary(&self) -> String {
        let row = self.total();
        format!(
            "{} passed, {} failed, {} skipped, {} unsupported; acceptable: {} agree, {} differ",
            row.passed, row.failed, row.skipped, row.unsupported, row.agrees, row.differs
        )
    }

    /// Panics with the whole report unless no test failed or differed and every missing algorithm is one
    /// of `may_miss`.
    pub fn demand(&self, may_miss: &[&str]) {
        let unexpected: Vec<_> =
            self.missing.keys().filter(|name| !may_miss.contains(&name.as_str())).collect();
        assert!(
            self.failures.is_empty() && self.differences.is_empty() && unexpected.is_empty(),
            "{self}\nmissing and not allowed to be: {unexpected:?}"
        );
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["passed", "failed", "skipped", "unsupported", "agrees", "differs"];
        write!(f, "{:<38}", "file")?;
        for name in names {
            write!(f, "{name:>12}")?;
        }
        for row in self.rows.iter().chain([&self.total()]) {
            write!(f, "\n{:<38}", row.file)?;
            for count in row.counts() {
                write!(f, "{count:>12}")?;
            }
        }
        let shown = 40; // of each list; a broken primitive fails thousands
        for (title, list) in [("failed", &self.failures), ("differs", &self.differences)] {
            for finding in list.iter().take(shown) {
                write!(f, "\n{title}: {} {}: {}", finding.file, finding.id, finding.reason)?;
            }
            if list.len() > shown {
                write!(f, "\n{title}: and {} more", list.len() - shown)?;
            }
        }
        let mut skips: BTreeMap<(&str, &str), Vec<u64>> = BTreeMap::new();
        for skip in &self.skips {
            skips.entry((&skip.file, &skip.reason)).or_default().push(skip.id);
        }
        for ((file, reason), ids) in skips {
            write!(f, "\nskipped: {file} {ids:?}: {reason}")?;
        }
        for (algorithm, tests) in &self.missing {
            write!(f, "\nunsupported: {algorithm} ({tests} tests)")?;
        }
        Ok(())
    }
}
