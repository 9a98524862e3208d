//! The README's table and chart.

use std::fmt::Write as _;

use super::{Record, mark};
use crate::record::Row;
use crate::terminal::number;

/// The lines of the README's table and chart: algorithm, and its name for people in English and in Russian.
const SHOWN: [(&str, &str, &str); 7] = [
    ("kuznyechik-ctr", "Kuznyechik CTR", "«Кузнечик», CTR"),
    ("kuznyechik-mgm", "Kuznyechik MGM", "«Кузнечик», MGM"),
    ("magma-ctr", "Magma CTR", "«Магма», CTR"),
    ("magma-mgm", "Magma MGM", "«Магма», MGM"),
    ("gost89-cnt-12", "GOST 28147-89 CNT", "ГОСТ 28147-89, CNT"),
    ("streebog512", "Streebog-512", "«Стрибог-512»"),
    ("kuznyechik-omac", "Kuznyechik OMAC, one stream", "«Кузнечик», OMAC, один поток"),
];

/// The table's words in a language.
pub struct Words {
    head: &'static str,
    russian: bool,
    none: &'static str,
    title: &'static str,
    other: &'static str,
    caption: &'static str,
    commit: &'static str,
    marks: &'static str,
}

pub const ENGLISH: Words = Words {
    head: "| 16 KB, one core | MB/s | cycles per byte | fastest other library | its cycles per byte | times as fast |",
    russian: false,
    none: "none here",
    title: "GB/s on one core, messages of 16 KB",
    other: "bulat and the fastest other library",
    caption: "{processor}, the fastest machine on record; bulat {state}; \
              [every line](lab/record/{name}.md), by `{command}`.",
    commit: ", commit ",
    marks: " ? marks a ratio that spreads by more than 10 %.",
};
pub const RUSSIAN: Words = Words {
    head: "| 16 КБ, одно ядро | МБ/с | тактов на байт | самая быстрая из других библиотек | тактов на байт у неё | во сколько раз быстрее |",
    russian: true,
    none: "нет",
    title: "ГБ/с на одном ядре, сообщения по 16 КБ",
    other: "bulat и самая быстрая из других библиотек",
    caption: "{processor} — самая быстрая из измеренных машин; bulat {state}; \
              [все строки](lab/record/{name}.md), команда `{command}`.",
    commit: ", коммит ",
    marks: " Знак ? — отношение колеблется больше чем на 10 %.",
};

/// Where a definition's figures come from: processor, version with commit and date, record, command.
fn filled(text: &str, words: &Words, record: &Record, definition: &str) -> String {
    let state = record.state(definition).replace(", commit ", words.commit);
    text.replace("{processor}", &record.machine.processor)
        .replace("{state}", &state)
        .replace("{name}", &record.name)
        .replace("{command}", record.command(definition))
}

/// The record with peers where ours is the fastest: by Kuznyechik in CTR.
pub fn best(records: &[Record]) -> Option<&Record> {
    let cycles = |r: &&Record| pair(&r.rows, "kuznyechik-ctr").map(|(ours, _)| ours.median);
    let with = records.iter().filter(|r| cycles(r).is_some());
    with.min_by(|a, b| cycles(a).unwrap_or(f64::MAX).total_cmp(&cycles(b).unwrap_or(f64::MAX)))
}

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

/// The README's table.
pub fn table(record: &Record, words: &Words) -> String {
    // In Russian a comma begins a fraction.
    let number = |x| if words.russian { number(x).replace('.', ",") } else { number(x) };
    let mut out = format!("{}\n|---|--:|--:|---|--:|--:|\n", words.head);
    for (algorithm, english, russian) in SHOWN {
        let Some((ours, peer)) = pair(&record.rows, algorithm) else { continue };
        let title = if words.russian { russian } else { english };
        let (who, its, times) = match peer {
            Some(p) => (
                p.version.clone(),
                number(p.median),
                format!("{}{}", number(1.0 / p.ratio), mark(p)),
            ),
            None => (words.none.into(), String::new(), String::new()),
        };
        // Several crates are in one version: docs/BENCHMARKS.md has them.
        let who = if who.contains(',') { peer.map_or("", |p| &p.engine) } else { &who };
        let speed = number(ours.speed / 1e6);
        let _ = writeln!(
            out,
            "| {title} | {speed} | {} | {who} | {its} | {times} |",
            number(ours.median)
        );
    }
    let marks = if out.contains('?') { words.marks } else { "" };
    let _ = writeln!(out, "\n{}{marks}", filled(words.caption, words, record, "peers"));
    out
}

/// The README's chart: GB/s, ours and the fastest of the others. It has its own ground, so that it can be read on a
/// light page and on a dark one.
pub fn picture(record: &Record, words: &Words) -> String {
    const LINE: f64 = 44.0;
    const TOP: f64 = 84.0;
    const LEFT: f64 = 232.0;
    const WIDTH: f64 = 400.0;
    const STYLE: &str = "text{fill:#1b1d20}.soft{fill:#5b636d}.peer{fill:#9aa5b1}.ours{fill:#0a84d6}\
        .ground{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#e8eaed}.soft{fill:#a3abb5}\
        .peer{fill:#66717d}.ours{fill:#3ba3f0}.ground{fill:#16181b}}";
    let with_speed = |(ours, _): &(&Row, _)| ours.speed.is_finite();
    let shown: Vec<_> = SHOWN
        .iter()
        .filter_map(|(a, english, russian)| {
            let title = if words.russian { russian } else { english };
            Some((*title, pair(&record.rows, a).filter(with_speed)?))
        })
        .collect();
    let most = shown.iter().map(|(_, (ours, _))| ours.speed).fold(0.0, f64::max);
    let height = TOP + LINE * shown.len() as f64 + 12.0;
    let title = words.title;
    let from = filled("{processor} · bulat {state}", words, record, "peers");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {height}\" font-family=\"system-ui, \
         sans-serif\" font-size=\"14\" role=\"img\" aria-label=\"{title}: {}. \
         {from}\"><style>{STYLE}</style>\n<rect class=\"ground\" width=\"800\" height=\"{height}\" rx=\"6\"/>\n\
         <text x=\"20\" y=\"32\" font-size=\"18\" font-weight=\"600\">{title}</text>\n\
         <text class=\"soft\" x=\"20\" y=\"56\">{from}</text>\n",
        words.other
    );
    for (i, (title, (ours, peer))) in shown.iter().enumerate() {
        let y = LINE * i as f64 + TOP;
        let mut bar = |row: &Row, dy: f64, class: &str, name: &str| {
            let width = (row.speed / most * WIDTH).max(1.0);
            let speed = format!("{:.2}", row.speed / 1e9);
            let speed = if words.russian { speed.replace('.', ",") } else { speed };
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{}\" width=\"{width:.1}\" height=\"14\" rx=\"2\"/>\
                 <text class=\"soft\" x=\"{:.1}\" y=\"{}\">{name} {speed}</text>",
                y + dy,
                LEFT + width + 8.0,
                y + dy + 12.0
            );
        };
        bar(ours, 0.0, "ours", "bulat");
        if let Some(peer) = peer {
            bar(peer, 17.0, "peer", &peer.engine);
        }
        let (x, y) = (LEFT - 10.0, y + 20.0);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{title}</text>");
    }
    out + "</svg>\n"
}
