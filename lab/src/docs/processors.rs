//! The tables by processor: which were measured, when and with which version; one table for each; the peers.

use std::fmt::Write as _;

use super::{Record, distinct, mark};
use crate::record::Row;
use crate::terminal::{case, number};

/// The lines of a processor's table, as far as the record has them: algorithms and numbers of streams.
const SHOWN: [(&str, &[usize]); 16] = [
    ("kuznyechik-ecb", &[1]),
    ("kuznyechik-ctr", &[1]),
    ("kuznyechik-ctr-acpkm", &[1]),
    ("kuznyechik-mgm", &[1]),
    ("kuznyechik-omac", &[1]),
    ("kuznyechik-cbc", &[1, 64]),
    ("magma-ecb", &[1]),
    ("magma-ctr", &[1]),
    ("magma-ctr-acpkm", &[1]),
    ("magma-mgm", &[1]),
    ("magma-omac", &[1]),
    ("magma-cfb", &[1, 64, 192]),
    ("gost89-cnt-12", &[1]),
    ("gost-mac-12", &[1, 64]),
    ("streebog512", &[1, 8]),
    ("gost94", &[1]),
];

/// The definitions that it is made from.
const FROM: [&str; 3] = ["peers", "kernels", "streams"];

/// Which processors were measured, with which version.
pub fn list(records: &[Record]) -> String {
    let mut out = String::from(
        "| processor | reports itself as | measured | version, commit | date |\n|---|---|---|---|---|\n",
    );
    for record in records {
        for made in &record.machine.made {
            let _ = writeln!(
                out,
                "| {} | {} | [{}](../lab/record/{}.md) | {} | {} |",
                record.machine.processor,
                record.machine.reported,
                made.definitions.join(", "),
                record.name,
                made.version,
                made.date
            );
        }
    }
    out
}

/// How many processors have a table in the document; the records' pages have all tables.
const TABLES: usize = 3;

/// The newest record of each of the processors measured last, a table each.
pub fn tables(records: &[Record]) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut out = String::new();
    for record in records {
        if seen.len() < TABLES && !seen.contains(&&record.machine.reported[..]) {
            seen.push(&record.machine.reported);
            let _ = write!(out, "\n{}", table(record));
        }
    }
    out
}

/// A processor's table: ours by default, its other kernels, the fastest peer.
fn table(record: &Record) -> String {
    let Record { name, machine, rows } = record;
    let mut out = format!(
        "### {}\n\n{}. {} All tables: [{name}](../lab/record/{name}.md).\n\n",
        machine.processor,
        machine.states(),
        machine.remark.trim()
    );
    let one = |r: &&Row| (r.threads, r.offset, r.cold) == (1, 0, false);
    let plain = || rows.iter().filter(one).filter(|r| FROM.contains(&&r.definition[..]));
    let kernel = |r: &&Row| r.engine == "bulat" && r.variant != "-";
    let kernels = distinct(plain().filter(kernel).map(|row| &row.variant[..]));
    let columns: String = kernels.iter().map(|k| format!(" {k} |")).collect();
    let lines = "--:|".repeat(kernels.len());
    let _ = write!(
        out,
        "| | c/B | MB/s |{columns} fastest peer | c/B | times |\n|---|--:|--:|{lines}---|--:|--:|\n"
    );
    let speed = |x: f64| if x.is_nan() { String::new() } else { number(x) };
    for (algorithm, streams) in SHOWN {
        for (streams, direction) in streams.iter().flat_map(|s| [(*s, "encrypt"), (*s, "decrypt")])
        {
            let of = |r: &&Row| {
                (&r.algorithm[..], r.streams, &r.direction[..]) == (algorithm, streams, direction)
            };
            let default =
                |r: &&Row| r.engine == "bulat" && r.variant == "-" && r.median.is_finite();
            // 16 KB where the record has that, else the longest.
            let place = |r: &&Row| (r.size != 16384, usize::MAX - r.size);
            let Some(ours) = plain().filter(of).filter(default).min_by_key(place) else { continue };
            // A mode that chains blocks decrypts them side by side: no other line of a processor's.
            if direction == "decrypt" && !algorithm.ends_with("-ecb") {
                continue;
            }
            let same = || plain().filter(|r| r.case() == ours.case());
            let cells: String = kernels
                .iter()
                .map(|k| {
                    let row = same().filter(kernel).find(|r| r.variant == *k);
                    format!(" {} |", row.map_or(String::new(), |r| number(r.median)))
                })
                .collect();
            let peers = same().filter(|r| r.engine != "bulat" && r.definition == "peers");
            let peer =
                peers.filter(|r| r.ratio.is_finite()).max_by(|a, b| a.ratio.total_cmp(&b.ratio));
            let (who, its, times) =
                peer.map_or((String::new(), String::new(), String::new()), |p| {
                    (
                        p.engine.clone(),
                        speed(p.median),
                        format!("{}{}", number(1.0 / p.ratio), mark(p)),
                    )
                });
            let _ = writeln!(
                out,
                "| {} | {} | {} |{cells} {who} | {its} | {times} |",
                case(ours),
                number(ours.median),
                speed(ours.speed / 1e6)
            );
        }
    }
    out
}

/// Each peer of a record: its version, and its time in times of ours.
pub fn peers(record: &Record) -> String {
    let own = || record.rows.iter().filter(|r| r.definition == "peers" && r.engine != "bulat");
    let names = distinct(own().map(|row| &row.engine[..]));
    let mut out = format!(
        "{}, bulat {}: `{}`. Every line: [all tables](../lab/record/{}.md).\n\n| peer | version | lines | ours \
         is ahead in | times our time: least | median | most |\n|---|---|--:|--:|--:|--:|--:|\n",
        record.machine.processor,
        record.state("peers"),
        record.command("peers"),
        record.name
    );
    for name in names {
        let rows: Vec<&Row> = own().filter(|r| r.engine == name && r.ratio.is_finite()).collect();
        let mut times: Vec<f64> = rows.iter().map(|r| 1.0 / r.ratio).collect();
        times.sort_by(f64::total_cmp);
        let (Some(least), Some(most), Some(first)) = (times.first(), times.last(), rows.first())
        else {
            continue;
        };
        let ahead = times.iter().filter(|t| **t > 1.0).count();
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {ahead} | {} | {} | {} |",
            first.version,
            times.len(),
            number(*least),
            number(times[times.len() / 2]),
            number(*most)
        );
    }
    out
}
