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
    ("gost89-cnt-12", "GOST 28147-89 CNT", "ГОСТ 28147-89, гаммирование"),
    ("streebog512", "Streebog-512", "«Стрибог-512»"),
    ("kuznyechik-omac", "Kuznyechik OMAC, one stream", "«Кузнечик», OMAC, один поток"),
];

/// The table's words in a language.
pub struct Words {
    head: &'static str,
    russian: bool,
    none: &'static str,
    best: &'static str,
    of: &'static str,
    made: &'static str,
    marks: &'static str,
}

pub const ENGLISH: Words = Words {
    head: "| 16 KB, one core | MB/s | cycles per byte | fastest peer | its cycles per byte | times |",
    russian: false,
    none: "none here",
    best: "The fastest machine on record",
    of: "measured with",
    made: "made by",
    marks: "? marks a ratio that spreads by more than 10 %.",
};
pub const RUSSIAN: Words = Words {
    head: "| 16 КБ, одно ядро | МБ/с | тактов на байт | самый быстрый аналог | тактов на байт у него | во сколько раз |",
    russian: true,
    none: "здесь нет",
    best: "Самая быстрая из измеренных машин",
    of: "измерена версия",
    made: "получено командой",
    marks: "Знак ? — разброс отношения больше 10 %.",
};

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
    let mut made = record.machine.made.iter();
    let made = made.find(|made| made.definitions.iter().any(|d| d == "peers"));
    let _ = writeln!(
        out,
        "\n{}: {} (`lab/record/{}.csv`), {} {}, {} `{}`. {}",
        words.best,
        record.machine.processor,
        record.name,
        words.of,
        made.map_or("-", |made| &made.version),
        words.made,
        record.command("peers"),
        words.marks
    );
    out
}

/// The README's picture: bytes per cycle, ours and the fastest peer.
pub fn picture(rows: &[Row]) -> String {
    const LINE: f64 = 46.0;
    const WIDTH: f64 = 400.0;
    let shown: Vec<_> =
        SHOWN.iter().filter_map(|(a, title, _)| Some((*title, pair(rows, a)?))).collect();
    let most = shown.iter().map(|(_, (ours, _))| 1.0 / ours.median).fold(0.0, f64::max);
    let height = LINE * shown.len() as f64 + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 {height}\" font-family=\"system-ui, \
         sans-serif\" font-size=\"14\" role=\"img\" aria-label=\"Bytes per cycle: bulat and the fastest \
         peer\"><style>text{{fill:#1b1d20}}.soft{{fill:#5b636d}}.peer{{fill:#9aa5b1}}.ours{{fill:#0a84d6}}\
         @media(prefers-color-scheme:dark){{text{{fill:#e8eaed}}.soft{{fill:#a3abb5}}.peer{{fill:#66717d}}\
         .ours{{fill:#3ba3f0}}}}</style>\n"
    );
    for (i, (title, (ours, peer))) in shown.iter().enumerate() {
        let y = LINE * i as f64 + 8.0;
        let mut bar = |row: &Row, dy: f64, class: &str, name: &str| {
            let width = (1.0 / row.median / most * WIDTH).max(1.0);
            let words = format!("{name} {} bytes per cycle", number(1.0 / row.median));
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
