//! All tables of a definition, in Markdown.

use std::fmt::Write as _;

use super::{Record, distinct, mark};
use crate::definition::Definition;
use crate::record::Row;
use crate::terminal::{self, Footnotes, case, number};

/// A definition's tables, all of them.
pub fn section(d: &Definition, record: &Record) -> String {
    let own: Vec<&Row> = record.rows.iter().filter(|r| r.definition == d.name).collect();
    let mut out = format!(
        "{}\n\nbulat {}: `{}`\n\n",
        d.about.trim(),
        record.state(&d.name),
        record.command(&d.name)
    );
    if own.iter().any(|r| !r.tag.is_empty()) {
        return out + &rows_of_literature(&own);
    }
    let cases = distinct(own.iter().map(|row| case(row)));
    let engines = distinct(own.iter().map(|row| row.who()));
    if let ([one], true) = (&cases[..], engines.len() > 8) {
        let mut ranked = own.clone();
        ranked.sort_by(|a, b| a.median.total_cmp(&b.median));
        let mut counts: Vec<&str> =
            own.iter().map(|r| &r.what[..]).filter(|w| !w.is_empty()).collect();
        counts.dedup();
        for what in counts {
            let _ = write!(out, "{what}.\n\n");
        }
        let _ = write!(out, "| {one} | c/B | × {} |\n|---|--:|--:|\n", own[0].who());
        for row in &ranked {
            let _ =
                writeln!(out, "| {} | {} | {} |", row.who(), number(row.median), number(row.ratio));
        }
        let _ = write!(out, "\n{}", terminal::best(&ranked));
        return out;
    }
    let _ = writeln!(out, "| c/B, median | {} |", engines.join(" | "));
    let _ = writeln!(out, "|---{}|", "|--:".repeat(engines.len()));
    for c in &cases {
        let cells = engines.iter().map(|e| {
            let row = own.iter().find(|r| case(r) == *c && r.who() == *e);
            row.map_or(String::new(), |r| {
                let spread = format!("{:.1} %", r.spread * 100.0);
                match (r.ratio, mark(r)) {
                    (1.0, mark) => format!("{}{mark}", number(r.median)),
                    (ratio, mark) => {
                        format!("{} (×{}, {spread}){mark}", number(r.median), number(1.0 / ratio))
                    }
                }
            })
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(out, "| {c} | {} |", cells.join(" | "));
    }
    let scaling = terminal::scaling(own.iter().copied());
    if !scaling.is_empty() {
        let _ = write!(out, "\n{}", scaling.replace(".\n", "; "));
        out.push('\n');
    }
    out += "\nIn brackets: how many times the time of the first column, and the spread of that; ? \
            inconclusive; ! disturbed.\n";
    let slopes = terminal::slopes(own.iter().copied());
    if !slopes.is_empty() {
        let _ = write!(out, "\n```text{slopes}```\n");
    }
    out
}

/// The rows of the literature, without the smaller files.
pub fn published(record: &Record) -> String {
    let own = record.rows.iter().filter(|r| r.definition == "published");
    let most = own.clone().map(|r| if r.what.contains("process") { r.size } else { 0 }).max();
    let shown: Vec<&Row> =
        own.filter(|r| !r.what.contains("process") || Some(r.size) == most).collect();
    format!(
        "{}, bulat {}: `{}`\n\n{}",
        record.machine.processor,
        record.state("published"),
        record.command("published"),
        rows_of_literature(&shown)
    )
}

fn rows_of_literature(rows: &[&Row]) -> String {
    let mut out = String::from(
        "| row | published | same design here, c/B (MB/s) | ours here, c/B (MB/s) | times |\n|---|---|--:|--:|--:|\n",
    );
    let (files, plain): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|r| r.what.contains("process"));
    let mut notes = Footnotes::default();
    let mut both = |r: &Row| match r.median.is_nan() {
        true if r.note.is_empty() => String::new(),
        true => notes.number(&r.note),
        false => format!("{} ({})", number(r.median), number(r.speed / 1e6)),
    };
    for pair in plain.chunks(2) {
        let [ours, design] = pair else { continue };
        let times = match design.ratio.is_nan() {
            true => String::new(),
            false => format!("{}{}", number(1.0 / design.ratio), mark(design)),
        };
        let _ = writeln!(
            out,
            "| {} · {} | {} | {} | {} | {times} |",
            design.tag,
            design.what,
            design.published,
            both(design),
            both(ours)
        );
    }
    if !files.is_empty() {
        out += "\n| file, whole process | engine | c/B (MB/s) | seconds | times ours | published |\n|---|---|--:|--:|--:|---|\n";
    }
    for r in files {
        let seconds = number(r.size as f64 / r.speed);
        let times = number(1.0 / r.ratio);
        let _ = writeln!(
            out,
            "| {} · {} | {} | {} | {seconds} | {times} | {} |",
            r.tag,
            r.what,
            r.engine,
            both(r),
            r.published
        );
    }
    match notes.lines(usize::MAX) {
        lines if lines.is_empty() => out,
        lines => out + "\n" + &lines,
    }
}
