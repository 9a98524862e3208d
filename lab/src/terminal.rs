//! Reports for people at a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::definition::Definition;
use crate::measure::Refused;
use crate::record::{Row, grouped};

/// A number with three digits that count.
pub fn number(x: f64) -> String {
    match x {
        _ if x.is_nan() => "-".into(),
        _ if x >= 100.0 => format!("{x:.0}"),
        _ if x >= 10.0 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

/// Bytes, in the largest unit that divides them.
pub fn bytes(n: usize) -> String {
    match n {
        _ if n >= 1 << 20 && n.is_multiple_of(1 << 20) => format!("{} MB", n >> 20),
        _ if n >= 1 << 10 && n.is_multiple_of(1 << 10) => format!("{} KB", n >> 10),
        _ => format!("{n} B"),
    }
}

/// The name of a case, in words.
pub fn case(row: &Row) -> String {
    let mut words = row.algorithm.clone();
    if row.direction == "decrypt" {
        words += " decrypt";
    }
    let _ = write!(words, ", {}", bytes(row.size));
    if row.streams > 1 {
        let _ = write!(words, " × {} streams", row.streams);
    }
    if row.threads > 1 {
        let _ = write!(words, ", {} threads", row.threads);
    }
    if row.offset > 0 {
        let _ = write!(words, ", offset {}", row.offset);
    }
    if row.cold {
        words += ", cold";
    }
    words
}

/// Columns of a terminal that tables keep to.
const WIDE: usize = 120;

/// Words in lines of at most `width`, or of one word.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one at least");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            *line += " ";
            *line += word;
        } else {
            lines.push(word.into());
        }
    }
    lines
}

/// Rows and columns, each column as wide as its widest, the first to the left, the others to the right. If they are
/// wider than a terminal, the widest columns are wrapped.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let most = |i: usize, cut: fn(&str) -> usize| {
        rows.iter().filter_map(|r| Some(cut(r.get(i)?))).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns).map(|i| most(i, |c| c.chars().count())).collect();
    let word = |c: &str| c.split(' ').map(|w| w.chars().count()).max().unwrap_or(0);
    let least: Vec<usize> = (0..columns).map(|i| most(i, word)).collect();
    while widths.iter().sum::<usize>() + 2 * columns > WIDE + 2 {
        let Some(i) = (0..columns).filter(|i| widths[*i] > least[*i]).max_by_key(|i| widths[*i])
        else {
            break;
        };
        widths[i] -= 1;
    }
    let mut out = String::new();
    for row in rows {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(c, w)| wrapped(c, *w)).collect();
        for l in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            for (i, cell) in cells.iter().enumerate() {
                let cell = cell.get(l).map_or("", String::as_str);
                let pad = " ".repeat(widths[i].saturating_sub(cell.chars().count()));
                let last = i + 1 == columns && rows[0].last().is_some_and(String::is_empty);
                match i {
                    0 => _ = write!(out, "{cell}{pad}"),
                    _ if last => _ = write!(out, "  {cell}"),
                    _ => _ = write!(out, "  {pad}{cell}"),
                }
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
    }
    out
}

/// The reasons why rows could not run, and the warnings: a table names them by number, and they are below it.
#[derive(Default)]
pub struct Footnotes(Vec<String>);

impl Footnotes {
    /// The number of a reason.
    pub fn number(&mut self, why: &str) -> String {
        let known = self.0.iter().position(|w| w == why);
        let i = known.unwrap_or_else(|| {
            self.0.push(why.into());
            self.0.len() - 1
        });
        format!("[{}]", i + 1)
    }
    /// The note of a row: a word, or the number of a longer one.
    fn note(&mut self, note: &str) -> String {
        if note.contains(' ') { self.number(note) } else { note.into() }
    }
    /// All of them, each in a line or, for a terminal, in several.
    pub fn lines(&self, width: usize) -> String {
        let each = self.0.iter().enumerate();
        each.flat_map(|(i, why)| wrapped(&format!("[{}] {why}", i + 1), width))
            .map(|line| line + "\n")
            .collect()
    }
}

fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(String::from).to_vec()
}

/// The rows of a definition: a table for each case, its ratios against its first engine.
pub fn cases(definition: &Definition, rows: &[Row]) -> String {
    let mut out = format!("\n# {}\n{}\n", definition.title, definition.about.trim());
    let mut left: Vec<&Row> = rows.iter().filter(|r| r.definition == definition.name).collect();
    let plain = left.iter().all(|r| r.tag.is_empty());
    if !plain {
        return out + &published(&left);
    }
    while let Some(first) = left.first().copied() {
        let key = |r: &Row| (r.algorithm.clone(), r.direction.clone(), r.cold);
        let (family, others): (Vec<&Row>, Vec<&Row>) =
            left.iter().partition(|r| key(r) == key(first));
        if family.iter().map(|r| case(r)).collect::<BTreeSet<_>>().len() > 2 {
            out += &grid(&family);
            left = others;
            continue;
        }
        let (mut same, rest): (Vec<&Row>, Vec<&Row>) =
            left.iter().partition(|r| r.case() == first.case());
        left = rest;
        // Many variants of one engine are a ranking.
        let ranking = same.len() > 12;
        if ranking {
            same.sort_by(|a, b| a.median.total_cmp(&b.median));
        }
        let _ = writeln!(out, "\n## {}", case(first));
        let mut notes = Footnotes::default();
        let mut cells = vec![strings(["", "c/B median", "least", "MB/s", "×", "spread", ""])];
        for row in &same {
            cells.push(vec![
                row.who(),
                number(row.median),
                number(row.least),
                number(row.speed / 1e6),
                if std::ptr::eq(*row, first) { "1".into() } else { number(1.0 / row.ratio) },
                if std::ptr::eq(*row, first) || !row.spread.is_finite() {
                    String::new()
                } else {
                    format!("{:.1} %", row.spread * 100.0)
                },
                notes.note(&row.note),
            ]);
        }
        out += &table(&cells);
        out += &notes.lines(WIDE);
        if ranking {
            out += &best(&same);
        }
    }
    out += &scaling(rows.iter().filter(|r| r.definition == definition.name));
    out += &slopes(rows.iter().filter(|r| r.definition == definition.name));
    out
}

/// The best variant of each engine that has many, and its plain one.
pub fn best(ranked: &[&Row]) -> String {
    let mut out = String::new();
    for plain in ranked.iter().filter(|r| r.variant == "plain") {
        if let Some(best) = ranked.iter().find(|r| r.engine == plain.engine) {
            let (times, count) = (number(plain.median / best.median), best.who());
            let _ = writeln!(out, "{count} is {times} times as fast as {}.", plain.who());
        }
    }
    out
}

/// A family of cases in which something grows: a line for each, a column for each engine, c/B.
fn grid(family: &[&Row]) -> String {
    let mut engines: Vec<String> = Vec::new();
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for row in family {
        let (who, words) = (row.who(), case(row));
        let column = engines.iter().position(|e| *e == who).unwrap_or_else(|| {
            engines.push(who);
            engines.len() - 1
        });
        if lines.last().is_none_or(|(last, _)| *last != words) {
            lines.push((words, Vec::new()));
        }
        let cells = &mut lines.last_mut().expect("just pushed").1;
        cells.resize(cells.len().max(column), "-".into());
        let mark = if row.note == "inconclusive" { "?" } else { "" };
        cells.push(format!("{}{mark}", number(row.median)));
    }
    let mut cells = vec![[vec!["c/B, median; ? inconclusive".into()], engines].concat()];
    cells.extend(lines.into_iter().map(|(words, values)| [vec![words], values].concat()));
    // As many columns in a table as fit beside the first.
    let width =
        |i: usize| cells.iter().filter_map(|r| Some(r.get(i)?.chars().count())).max().unwrap_or(0);
    let (mut out, mut from) = (String::new(), 1);
    while from < cells[0].len() {
        let (mut to, mut wide) = (from, width(0));
        while to < cells[0].len() && (to == from || wide + 2 + width(to) <= WIDE) {
            wide += 2 + width(to);
            to += 1;
        }
        let part = |r: &Vec<String>| [&r[..1], &r[from.min(r.len())..to.min(r.len())]].concat();
        let _ = write!(out, "\n{}", table(&cells.iter().map(part).collect::<Vec<_>>()));
        from = to;
    }
    out
}

/// The rows of the literature: published, the same design here, ours here.
fn published(rows: &[&Row]) -> String {
    let mut out = String::new();
    let mut cells = vec![strings([
        "c/B (MB/s)",
        "published",
        "same design here",
        "ours here",
        "ours/design",
        "",
    ])];
    let (mut files, mut notes) = (Vec::new(), Footnotes::default());
    let figure = |r: &Row| format!("{} ({})", number(r.median), number(r.speed / 1e6));
    for pair in rows.iter().filter(|r| !r.what.contains("process")).collect::<Vec<_>>().chunks(2) {
        let [ours, design] = pair else { continue };
        let missing = design.median.is_nan();
        cells.push(vec![
            format!("{} · {}", design.tag, design.what),
            design.published.clone(),
            if missing { notes.number(&design.note) } else { figure(design) },
            figure(ours),
            if design.ratio.is_nan() {
                String::new()
            } else {
                format!("×{}", number(1.0 / design.ratio))
            },
            if missing { String::new() } else { notes.note(&design.note) },
        ]);
    }
    out += &table(&cells);
    out += &notes.lines(WIDE);
    for row in rows.iter().filter(|r| r.what.contains("process")) {
        if files.is_empty() {
            files.push(strings([
                "file",
                "engine",
                "c/B",
                "MB/s",
                "seconds, least",
                "ours ×",
                "published",
            ]));
        }
        files.push(vec![
            format!("{} · {}", row.tag, row.what),
            row.engine.clone(),
            number(row.median),
            number(row.speed / 1e6),
            number(row.least * row.size as f64 / row.hertz),
            number(1.0 / row.ratio),
            row.published.clone(),
        ]);
    }
    out + "\n" + &table(&files)
}

/// The speed-up of several threads over one, for each, and that over their number.
pub fn scaling<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> String {
    let mut out = String::new();
    for many in rows.clone().filter(|r| r.threads > 1) {
        let same = |r: &&Row| {
            let key = |r: &Row| (r.who(), r.algorithm.clone(), r.size, r.streams);
            r.threads == 1 && key(r) == key(many)
        };
        if let Some(one) = rows.clone().find(same) {
            let times = many.speed / one.speed;
            let (who, each) = (many.who(), times / many.threads as f64);
            let _ = writeln!(
                out,
                "{who}: {} threads do {} times the work of one: scaling {}.",
                many.threads,
                number(times),
                number(each)
            );
        }
    }
    out
}

/// Cost of a byte and of a call, where a case was measured at three sizes or more.
pub fn slopes<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let mut cells =
        vec![strings(["cost of a call and of a byte", "cycles per call", "cycles per byte"])];
    let key = |r: &Row| {
        let case = (r.algorithm.clone(), r.direction.clone(), r.who());
        (case, r.streams, r.offset, r.cold, r.threads)
    };
    for same in grouped(&rows.collect::<Vec<_>>(), key) {
        let first = same[0];
        // Sizes that fit in the second-level cache; the rest is the memory's.
        let points: Vec<(f64, f64)> = same
            .iter()
            .filter(|r| r.size <= 256 << 10)
            .map(|r| (r.size as f64, r.median * r.size as f64))
            .collect();
        if let Some((call, byte)) = line(&points) {
            let words = format!("{} {}", first.algorithm, first.who());
            cells.push(vec![words, number(call), number(byte)]);
        }
    }
    if cells.len() > 1 { format!("\n{}", table(&cells)) } else { String::new() }
}

/// The median of slopes (Theil and Sen) in the costs of sizes, and the median of the residues: neither is
/// moved by one bad point.
pub fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    if points.len() < 3 {
        return None;
    }
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[..i].iter().map(|b| (a.1 - b.1) / (a.0 - b.0)));
    }
    slopes.sort_by(f64::total_cmp);
    let slope = slopes[slopes.len() / 2];
    let mut rest: Vec<f64> = points.iter().map(|p| p.1 - slope * p.0).collect();
    rest.sort_by(f64::total_cmp);
    Some((rest[rest.len() / 2].max(0.0), slope))
}

/// The cases not timed, and why.
pub fn refusals(refused: &[(String, Refused)]) -> String {
    let mut out = String::new();
    for (case, r) in refused {
        let word = if r.wrong { "REFUSED" } else { "skipped" };
        for line in wrapped(&format!("{word}: {} ({case}): {}", r.who, r.why), WIDE) {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition;
    use crate::engines::home;
    use crate::record;

    /// Every table of every record fits a terminal.
    #[test]
    fn tables_fit() {
        let definitions = definition::load(&home().join("definitions")).expect("definitions");
        let mut tables = 0;
        for file in std::fs::read_dir(home().join("record")).expect("records") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|e| e == "csv") {
                let rows: Vec<Row> = record::read(&path).expect("a record");
                for d in &definitions {
                    let text = cases(d, &rows);
                    let body = text.split_once(d.about.trim()).expect("what it is about").1;
                    for line in body.lines() {
                        assert!(line.chars().count() <= WIDE, "{}: {line}", path.display());
                    }
                    tables += usize::from(!body.trim().is_empty());
                }
            }
        }
        assert!(tables > 0);
    }

    /// A reason is below the table, once.
    #[test]
    fn reasons_are_footnotes() {
        let path = home().join("record/2026-11-25-intel-xeon.csv");
        let rows: Vec<Row> = record::read(&path).expect("a record");
        let missing = rows.iter().find(|r| r.note.starts_with("not run: ")).expect("one not run");
        let text = published(&rows.iter().filter(|r| !r.tag.is_empty()).collect::<Vec<_>>());
        let notes = text.lines().filter(|l| l.starts_with('[') && l.contains("] not run: "));
        assert_eq!(notes.count(), 1, "{text}");
        let words = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&text).contains(&words(&missing.note)), "{text}");
    }

    #[test]
    fn a_line_in_spite_of_a_bad_point() {
        let points: Vec<(f64, f64)> = (1..=7)
            .map(|i| (f64::from(i), 100.0 + 2.0 * f64::from(i) + if i == 4 { 50.0 } else { 0.0 }))
            .collect();
        assert_eq!(line(&points), Some((100.0, 2.0)));
        assert_eq!(line(&points[..2]), None);
    }
}
