//! README and docs/BENCHMARKS.md from the newest record of each definition: what stands between `<!-- lab: WORD -->` and
//! `<!-- end -->` is made here, and by nobody else.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::definition::{self, Definition};
use crate::engines::home;
use crate::record::{self, Row};
use crate::run;
use crate::terminal::{self, case, number};

/// What the README's table and chart show: algorithm and its name for people.
const SHOWN: [(&str, &str); 7] = [
    ("kuznyechik-ctr", "Kuznyechik CTR"),
    ("kuznyechik-mgm", "Kuznyechik MGM"),
    ("magma-ctr", "Magma CTR"),
    ("magma-mgm", "Magma MGM"),
    ("gost89-cnt-12", "GOST 28147-89 CNT"),
    ("streebog512", "Streebog-512"),
    ("kuznyechik-omac", "Kuznyechik OMAC, one stream"),
];

/// The records by name, the newest first.
fn records() -> Result<Vec<(String, Vec<Row>)>, String> {
    let folder = home().join("record");
    let list = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files = list.filter_map(|entry| Some(entry.ok()?.path()));
    let mut csv: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect();
    csv.sort();
    csv.iter().rev().map(|path| Ok((run::title(path), record::read(path)?))).collect()
}

/// Writes the files, or only says whether they are as they would be written.
///
/// # Errors
/// What is wrong with which file.
pub fn run(check: bool) -> Result<bool, String> {
    let records = records()?;
    // The newest that has the definition.
    let of = |definition: &str| {
        let has = |(_, rows): &&(String, Vec<Row>)| rows.iter().any(|r| r.definition == definition);
        records.iter().find(has).map(|(name, rows)| (&name[..], &rows[..]))
    };
    let peers = of("peers").ok_or("no record has peers")?;
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
            "readme" => Some(readme(peers, &ENGLISH)),
            "readme.ru" => Some(readme(peers, &RUSSIAN)),
            word => Some(section(definitions.iter().find(|d| d.name == word)?, of(word)?)),
        })
        .map_err(|e| format!("{}: {e}", path.display()))?;
        put(&path, &old, &new)?;
    }
    let path = root.join("docs/speed.svg");
    let old = fs::read_to_string(&path).unwrap_or_default();
    put(&path, &old, &picture(peers.1))?;
    if check && !current {
        println!("cargo run --release -p lab -- docs writes them");
    }
    Ok(current || !check)
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

/// How sure a row is.
fn mark(row: &Row) -> &'static str {
    match &row.note[..] {
        "" => "",
        "inconclusive" => " ?",
        _ => " !",
    }
}

struct Words {
    head: &'static str,
    foot: &'static str,
    none: &'static str,
    marks: &'static str,
}

const ENGLISH: Words = Words {
    head: "| 16 KB, one core | MB/s | cycles an octet | fastest peer | its cycles an octet | times |",
    foot: "Made by `cargo run --release -p lab -- run peers --record NAME` (record",
    none: "none here",
    marks: "? marks a ratio that spreads by more than 10 %.",
};
const RUSSIAN: Words = Words {
    head: "| 16 КБ, одно ядро | МБ/с | тактов на байт | быстрейший из других | его тактов на байт | раз |",
    foot: "Получено командой `cargo run --release -p lab -- run peers --record NAME` (запись",
    none: "здесь нет",
    marks: "Знак ? — разброс отношения больше 10 %.",
};

/// Ours and the fastest of the peers.
fn pair<'a>(rows: &'a [Row], algorithm: &str) -> Option<(&'a Row, Option<&'a Row>)> {
    let own = |r: &&Row| {
        r.definition == "peers"
            && r.algorithm == algorithm
            && r.direction == "encrypt"
            && r.size == 16384
    };
    let ours = rows.iter().filter(own).find(|r| r.engine == "bulat")?;
    let peers = rows.iter().filter(own).filter(|r| r.engine != "bulat" && r.ratio.is_finite());
    Some((ours, peers.max_by(|a, b| a.ratio.total_cmp(&b.ratio))))
}

fn readme((name, rows): (&str, &[Row]), words: &Words) -> String {
    let mut out = format!("{}\n|---|--:|--:|---|--:|--:|\n", words.head);
    for (algorithm, title) in SHOWN {
        let Some((ours, peer)) = pair(rows, algorithm) else { continue };
        let (who, its, times) = match peer {
            Some(p) => (
                p.version.clone(),
                number(p.median),
                format!("{}{}", number(1.0 / p.ratio), mark(p)),
            ),
            None => (words.none.into(), String::new(), String::new()),
        };
        // Several crates stand in one version: docs/BENCHMARKS.md has them.
        let who = if who.contains(',') { peer.map_or("", |p| &p.engine) } else { &who };
        let speed = number(ours.speed / 1e6);
        let _ = writeln!(
            out,
            "| {title} | {speed} | {} | {who} | {its} | {times} |",
            number(ours.median)
        );
    }
    let _ = writeln!(out, "\n{} `{name}`). {}", words.foot, words.marks);
    out
}

/// A definition's tables, in Markdown.
fn section(d: &Definition, (name, rows): (&str, &[Row])) -> String {
    let own: Vec<&Row> = rows.iter().filter(|r| r.definition == d.name).collect();
    let mut out = format!(
        "{}\n\n`cargo run --release -p lab -- run {} --record NAME`, record `{name}`.\n\n",
        d.about.trim(),
        d.name
    );
    if own.iter().any(|r| !r.tag.is_empty()) {
        return out + &published(&own);
    }
    let mut cases_: Vec<String> = Vec::new();
    let mut engines: Vec<String> = Vec::new();
    for row in &own {
        let (c, e) = (case(row), row.who());
        if !cases_.contains(&c) {
            cases_.push(c);
        }
        if !engines.contains(&e) {
            engines.push(e);
        }
    }
    if let ([one], true) = (&cases_[..], engines.len() > 8) {
        let mut ranked = own.clone();
        ranked.sort_by(|a, b| a.median.total_cmp(&b.median));
        let mut counts: Vec<&str> =
            own.iter().map(|r| &r.what[..]).filter(|w| !w.is_empty()).collect();
        counts.dedup();
        for what in counts {
            let _ =
                write!(out, "{what}. All of them, roughly: `lab/record/{name}-variants.txt`.\n\n");
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
    for c in &cases_ {
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

fn published(rows: &[&Row]) -> String {
    let mut out = String::from(
        "| row | published | same design here, c/B (MB/s) | ours here, c/B (MB/s) | times |\n|---|---|--:|--:|--:|\n",
    );
    let (files, plain): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|r| r.what.contains("process"));
    let both = |r: &Row| match r.median.is_nan() {
        true => r.note.clone(),
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
    out
}

/// The README's picture: octets a cycle, ours and the fastest peer.
fn picture(rows: &[Row]) -> String {
    const LINE: f64 = 46.0;
    const WIDTH: f64 = 400.0;
    let shown: Vec<_> =
        SHOWN.iter().filter_map(|(a, title)| Some((*title, pair(rows, a)?))).collect();
    let most = shown.iter().map(|(_, (ours, _))| 1.0 / ours.median).fold(0.0, f64::max);
    let height = LINE * shown.len() as f64 + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 {height}\" font-family=\"system-ui, \
         sans-serif\" font-size=\"14\" role=\"img\" aria-label=\"Octets a cycle: bulat and the fastest \
         peer\"><style>text{{fill:#1b1d20}}.soft{{fill:#5b636d}}.peer{{fill:#9aa5b1}}.ours{{fill:#0a84d6}}\
         @media(prefers-color-scheme:dark){{text{{fill:#e8eaed}}.soft{{fill:#a3abb5}}.peer{{fill:#66717d}}\
         .ours{{fill:#3ba3f0}}}}</style>\n"
    );
    for (i, (title, (ours, peer))) in shown.iter().enumerate() {
        let y = LINE * i as f64 + 8.0;
        let mut bar = |row: &Row, dy: f64, class: &str, name: &str| {
            let width = (1.0 / row.median / most * WIDTH).max(1.0);
            let words = format!("{name} {} octets a cycle", number(1.0 / row.median));
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"240\" y=\"{}\" width=\"{width:.1}\" height=\"14\" rx=\"2\"/>\
                 <text class=\"soft\" x=\"{:.1}\" y=\"{}\">{words}</text>",
                y + dy,
                248.0 + width,
                y + dy + 12.0
            );
        };
        bar(ours, 0.0, "ours", "bulat");
        if let Some(peer) = peer {
            bar(peer, 18.0, "peer", &peer.engine);
        }
        let _ =
            writeln!(out, "<text x=\"230\" y=\"{}\" text-anchor=\"end\">{title}</text>", y + 20.0);
    }
    out + "</svg>\n"
}
