//! Reports for people at a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::definition::Definition;
use crate::measure::Refused;
use crate::record::Row;

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
pub fn octets(n: usize) -> String {
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
    let _ = write!(words, ", {}", octets(row.size));
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

/// Rows and columns, each column as wide as its widest; the first to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| rows.iter().filter_map(|r| Some(r.get(i)?.chars().count())).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.chars().count());
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
    out
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
                row.note.clone(),
            ]);
        }
        out += &table(&cells);
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
    format!("\n{}", table(&cells))
}

/// The rows of the literature: published, the same design here, ours here.
fn published(rows: &[&Row]) -> String {
    let mut out = String::new();
    let mut cells =
        vec![strings(["row", "published", "same design here", "ours here", "ours/design", ""])];
    let mut files = Vec::new();
    for pair in rows.iter().filter(|r| !r.what.contains("process")).collect::<Vec<_>>().chunks(2) {
        let [ours, design] = pair else { continue };
        cells.push(vec![
            format!("{} · {}", design.tag, design.what),
            design.published.clone(),
            if design.median.is_nan() {
                design.note.clone()
            } else {
                format!("{} c/B, {} MB/s", number(design.median), number(design.speed / 1e6))
            },
            format!("{} c/B, {} MB/s", number(ours.median), number(ours.speed / 1e6)),
            if design.ratio.is_nan() {
                String::new()
            } else {
                format!("×{}", number(1.0 / design.ratio))
            },
            if design.median.is_nan() { String::new() } else { design.note.clone() },
        ]);
    }
    out += &table(&cells);
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
    let mut left: Vec<&Row> = rows.collect();
    while let Some(first) = left.first().copied() {
        let key = |r: &Row| {
            (
                r.algorithm.clone(),
                r.direction.clone(),
                r.who(),
                r.streams,
                r.offset,
                r.cold,
                r.threads,
            )
        };
        let (same, rest): (Vec<&Row>, Vec<&Row>) = left.iter().partition(|r| key(r) == key(first));
        left = rest;
        // Sizes that fit in the second-level cache; the rest is the memory's.
        let points: Vec<(f64, f64)> = same
            .iter()
            .filter(|r| r.size <= 256 << 10)
            .map(|r| (r.size as f64, r.median * r.size as f64))
            .collect();
        if let Some((call, octet)) = line(&points) {
            let words = format!("{} {}", first.algorithm, first.who());
            cells.push(vec![words, number(call), number(octet)]);
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
        let _ = writeln!(out, "{word}: {} ({case}): {}", r.who, r.why);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_in_spite_of_a_bad_point() {
        let points: Vec<(f64, f64)> = (1..=7)
            .map(|i| (f64::from(i), 100.0 + 2.0 * f64::from(i) + if i == 4 { 50.0 } else { 0.0 }))
            .collect();
        assert_eq!(line(&points), Some((100.0, 2.0)));
        assert_eq!(line(&points[..2]), None);
    }
}
