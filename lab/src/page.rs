//! One page with everything in it: tables, bars and charts; light and dark; no scripts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::chart::{Line, SERIES, chart};
use crate::definition::Definition;
use crate::record::{Row, grouped};
use crate::terminal::{bytes, case, number};

const STYLE: &str = include_str!("page.css");

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text between back-quotes as code.
fn code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(i, s)| if i % 2 == 0 { s.into() } else { format!("<code>{s}</code>") }).collect()
}

/// The page of these rows; definitions give titles and words.
pub fn page(title: &str, definitions: &[Definition], rows: &[Row]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>bulat: {0}</title>\n<style>{STYLE}</style></head><body><main>\n\
         <h1>bulat, measured</h1>\n<p>{0}. Cycles per byte (c/B) are of the real clock, read before and after \
         each slice; figures are medians. Engines ran in turn on one core, and each was checked before it \
         was timed. The authors of these measurements are the authors of one of the engines: run them \
         yourself with <code>cargo run --release --manifest-path lab/Cargo.toml</code>.</p>\n",
        html(title)
    );
    for d in definitions {
        let own: Vec<&Row> = rows.iter().filter(|r| r.definition == d.name).collect();
        if own.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "<section><h2>{}</h2>\n<p>{}</p>\n",
            html(&d.title),
            code(&html(d.about.trim()))
        );
        out += &match own.iter().any(|r| !r.tag.is_empty()) {
            true => published(&own),
            false => cases(&own),
        };
        out += "</section>\n";
    }
    let versions: BTreeSet<&str> =
        rows.iter().map(|r| &r.version[..]).filter(|v| v.contains('-')).collect();
    let versions: Vec<&str> = versions.into_iter().collect();
    let _ = writeln!(out, "<footer>{}</footer></main></body></html>", html(&versions.join(" · ")));
    out
}

struct Bar {
    name: String,
    /// None is drawn for NaN.
    value: f64,
    /// At its end.
    words: String,
    /// A line below it.
    note: String,
    ours: bool,
}

/// Horizontal bars; ours are in another colour.
fn bars(list: &[Bar]) -> String {
    let most = list.iter().map(|b| b.value).fold(0.0, f64::max);
    let mut out = String::from("<div class=\"bars\">\n");
    for Bar { name, value, words, note, ours } in list {
        let _ = write!(out, "<span class=\"name\">{}</span>", html(name));
        let _ = match value.is_finite() {
            true => write!(
                out,
                "<span class=\"track\"><span class=\"bar{}\" style=\"width:{:.2}%\"></span></span>",
                if *ours { " ours" } else { "" },
                (value / most * 100.0).clamp(0.2, 100.0)
            ),
            false => write!(out, "<span></span>"),
        };
        let _ = writeln!(out, "<span class=\"value\">{}</span>", html(words));
        if !note.is_empty() {
            let _ = writeln!(out, "<span class=\"note\">{}</span>", html(note));
        }
    }
    out + "</div>\n"
}

/// A family of cases: a chart where something grows, bars else.
fn cases(rows: &[&Row]) -> String {
    let mut out = String::new();
    for same in grouped(rows, |r| (r.algorithm.clone(), r.direction.clone(), r.cold)) {
        let first = same[0];
        let distinct =
            |f: fn(&Row) -> usize| same.iter().map(|r| f(r)).collect::<BTreeSet<_>>().len();
        let name = format!(
            "{}{}{}",
            first.algorithm,
            if first.direction == "decrypt" { ", decryption" } else { "" },
            if first.cold { ", cold" } else { "" }
        );
        let grown = if distinct(|r| r.size) > 2 {
            grows(&same, |r| r.size, "bytes of a text", |x| bytes(x as usize))
        } else if distinct(|r| r.threads) > 1 && distinct(|r| r.streams) == 1 {
            grows(&same, |r| r.threads, "threads", |x| x.to_string())
        } else if distinct(|r| r.streams) > 2 {
            grows(
                &same,
                |r| r.streams,
                "texts in one call, each under its own key",
                |x| x.to_string(),
            )
        } else {
            None
        };
        if let Some(figure) = grown {
            let _ = write!(out, "<h3>{}</h3>\n{figure}", html(&name));
            continue;
        }
        for mut same in grouped(&same, Row::case) {
            let title = case(same[0]);
            if same.len() > 12 {
                same.sort_by(|a, b| a.median.total_cmp(&b.median));
            }
            let list: Vec<_> = same
                .iter()
                .map(|r| Bar {
                    name: r.who(),
                    value: r.speed,
                    words: format!("{} MB/s · {} c/B", number(r.speed / 1e6), number(r.median)),
                    note: r.note.clone(),
                    ours: r.engine == "bulat",
                })
                .collect();
            let _ = write!(out, "<h3>{}</h3>\n{}", html(&title), bars(&list));
        }
    }
    out
}

/// A chart of c/B over a growing number, with its legend.
fn grows(rows: &[&Row], by: fn(&Row) -> usize, x: &str, tick: fn(f64) -> String) -> Option<String> {
    let mut lines: Vec<Line> = Vec::new();
    for row in rows.iter().filter(|r| r.median.is_finite()) {
        let who = row.who();
        let point = (by(row) as f64, row.median);
        match lines.iter_mut().find(|l| l.name == who) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name: who, points: vec![point] }),
        }
    }
    lines.iter_mut().for_each(|l| l.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let svg = chart(&lines, x, "cycles for a byte (less is faster)", tick)?;
    let mut legend = String::new();
    for (i, line) in lines.iter().enumerate() {
        let colour = SERIES[i % SERIES.len()];
        let _ = write!(
            legend,
            "<span><i style=\"background:{colour}\"></i>{}</span>",
            html(&line.name)
        );
    }
    Some(format!(
        "<figure><div class=\"wide\">{svg}</div><figcaption>{legend}</figcaption></figure>\n"
    ))
}

/// Rows of the literature: a table with bars of bytes in a cycle, and the files.
fn published(rows: &[&Row]) -> String {
    let mut out = String::new();
    let (files, plain): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|r| r.what.contains("process"));
    for pair in plain.chunks(2) {
        let [ours, design] = pair else { continue };
        let cycles = design.published.split_once(" c/B").and_then(|(n, _)| n.parse::<f64>().ok());
        let cycles = cycles.filter(|_| !design.published.contains("c/B,"));
        let published = Bar {
            name: format!("published: {}", design.published),
            value: cycles.map_or(f64::NAN, |n| 1.0 / n),
            words: cycles.map_or(String::new(), |n| format!("{} c/B", number(n))),
            note: String::new(),
            ours: false,
        };
        let here = |name: &str, r: &Row, times: String| {
            let ran = !r.median.is_nan();
            let words = format!("{} c/B · {} MB/s{times}", number(r.median), number(r.speed / 1e6));
            Bar {
                name: format!("{name}: {}", r.who()),
                value: 1.0 / r.median,
                words: if ran { words } else { String::new() },
                note: if ran { String::new() } else { r.note.clone() },
                ours: r.engine == "bulat",
            }
        };
        let times = match design.ratio.is_finite() {
            true => format!(" · ×{}", number(1.0 / design.ratio)),
            false => String::new(),
        };
        let list = [
            published,
            here("same design here", design, String::new()),
            here("ours here", ours, times),
        ];
        let _ =
            write!(out, "<h3>{} · {}</h3>\n{}", html(&design.tag), html(&design.what), bars(&list));
    }
    for same in grouped(&files, |r| r.size) {
        let first = same[0];
        let list: Vec<_> = same
            .iter()
            .enumerate()
            .map(|(i, r)| {
                let seconds = r.size as f64 / r.speed;
                let words = format!("{} s · {} MB/s", number(seconds), number(r.speed / 1e6));
                let (name, value) = (r.engine.clone(), r.speed);
                Bar { name, value, words, note: String::new(), ours: i == 0 }
            })
            .collect();
        let _ =
            write!(out, "<h3>{} · {}</h3>\n{}", html(&first.tag), html(&first.what), bars(&list));
    }
    out
}
