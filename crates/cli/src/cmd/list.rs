//! `bulat list`, `kernels`, `selftest`: the algorithms, the kernels, and whether they work.

use std::fmt::Write as _;

use bulat::algorithm::{ALGORITHMS, Algorithm, Iv, Kind};
use bulat::selftest::Verdict;
use bulat::survey;
use serde_json::json;

use crate::error::{Exit, Result, note};
use crate::io::print;

/// Lists the algorithms.
pub fn algorithms(json: bool) -> Result<Exit> {
    if json {
        let all = ALGORITHMS.iter().map(|a| {
            json!({
                "name": a.name, "aliases": a.aliases, "oid": a.oid, "kind": a.kind.word(),
                "key": a.key, "iv": a.iv.usual(), "iv_rule": iv(a.iv), "block": a.block,
                "out": a.out, "note": a.note,
                "tags": (!a.tags.is_empty()).then(|| [a.tags.start(), a.tags.end()]),
            })
        });
        return print(format!("{:#}\n", json!(all.collect::<Vec<_>>()))).map(|()| Exit::Success);
    }
    let head = ["name", "kind", "key", "iv", "block", "out", "oid", "aliases; notes"];
    let rows = ALGORITHMS.iter().map(row);
    print(table(std::iter::once(head.map(String::from)).chain(rows).collect()))
        .map(|()| Exit::Success)
}

fn row(a: &Algorithm) -> [String; 8] {
    let number = |n: usize| if n == 0 { "-".into() } else { n.to_string() };
    let key = match (a.key, a.kind) {
        (0, Kind::Mac | Kind::Kdf) => "any".into(),
        (n, _) => number(n),
    };
    let also = [a.aliases.join(", "), a.note.into()];
    [
        a.name.into(),
        a.kind.word().into(),
        key,
        iv(a.iv),
        number(a.block),
        number(a.out),
        a.oid.unwrap_or("-").into(),
        also.into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join("; "),
    ]
}

fn iv(iv: Iv) -> String {
    match iv {
        Iv::None => "-".into(),
        Iv::Exact(n) => n.to_string(),
        Iv::Multiple(n) => format!("{n}*z"),
        Iv::Optional(n) => format!("0 or {n}"),
        Iv::Between(n, most) => format!("{n}..{most}"),
    }
}

/// Formats columns as wide as their widest cell, except the last.
fn table<const N: usize>(rows: Vec<[String; N]>) -> String {
    let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..N - 1).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(out, "{cell:width$}  ");
        }
        out.push_str(&row[N - 1]);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

/// Lists the kernels.
pub fn kernels(json: bool) -> Result<Exit> {
    let shapes = survey::shapes();
    let mut forms = survey::forms();
    forms.retain(|f| bulat::kernel::available(f.kernel));
    if json {
        let kernels = survey::kernels().map(|(name, missing)| {
            json!({ "name": name, "available": missing.is_none(), "missing": missing })
        });
        let shapes = shapes.iter().map(|s| {
            json!({
                "primitive": s.primitive, "shape": s.shape, "offers": s.offers, "picked": s.picked,
                "passed": s.passed.iter()
                    .map(|(kernel, measured)| json!({ "kernel": kernel, "measured": measured }))
                    .collect::<Vec<_>>(),
            })
        });
        let all = json!({
            "kernels": kernels.collect::<Vec<_>>(),
            "shapes": shapes.collect::<Vec<_>>(),
            "forms": forms.iter().map(|f| {
                json!({
                    "kernel": f.kernel, "primitive": f.primitive, "choice": f.name,
                    "picked": f.taken, "of": f.forms, "measured": f.measured,
                })
            }).collect::<Vec<_>>(),
            "row": survey::row(),
            "forced": bulat::kernel::forced(),
            "processor": survey::processor().to_string(),
        });
        return print(format!("{all:#}\n")).map(|()| Exit::Success);
    }
    let mut rows = vec![["kernel", "here"].map(String::from)];
    rows.extend(survey::kernels().map(|(name, missing)| {
        [name.into(), missing.map_or("available".into(), |why| format!("no: {why}"))]
    }));
    let mut out = table(rows);
    out.push('\n');
    let mut rows = vec![["primitive", "shape", "picked", "of"].map(String::from)];
    rows.extend(
        shapes
            .iter()
            .map(|s| [s.primitive.into(), s.shape.into(), s.picked.into(), s.offers.join(", ")]),
    );
    out.push_str(&table(rows));
    let measured = |m: Option<&str>| m.map_or("not measured".into(), |m| format!("measured: {m}"));
    if let Some(first) = forms.first() {
        let choice = format!("choice within {}", first.kernel);
        let mut rows =
            vec![["primitive", &choice, "picked", "of", "cycles a byte"].map(String::from)];
        rows.extend(forms.iter().map(|f| {
            let (name, of) = (f.name.into(), f.forms.join(", "));
            [f.primitive.into(), name, f.taken.into(), of, measured(f.measured)]
        }));
        out.push('\n');
        out.push_str(&table(rows));
    }
    let _ = writeln!(out, "\nprocessor: {}", survey::processor());
    let _ = writeln!(out, "row of the tuning table: {}", survey::row());
    for s in &shapes {
        for (kernel, m) in &s.passed {
            let (of, m) = (format!("{}, {}", s.primitive, s.shape), measured(*m));
            let _ = writeln!(out, "{kernel} is passed over for {of}: {m}");
        }
    }
    if let Some(name) = bulat::kernel::forced() {
        let _ = writeln!(out, "\nforced: {name}");
    }
    print(out).map(|()| Exit::Success)
}

/// Tests every algorithm, on every kernel if it has sessions. The text shows only failures.
pub fn selftest(json: bool) -> Result<Exit> {
    let mut lines = Vec::new();
    let mut runs = Vec::<(&str, u32)>::new();
    let good = bulat::selftest::run(|outcome| {
        match runs.iter_mut().find(|(kernel, _)| *kernel == outcome.kernel) {
            Some((_, n)) => *n += 1,
            None => runs.push((outcome.kernel, 1)),
        }
        let verdict = match outcome.verdict {
            Verdict::Right => "right".into(),
            Verdict::Wrong => "wrong".into(),
            Verdict::Failed(e) => format!("failed: {e}"),
            Verdict::Unknown => "no known answer".into(),
        };
        let right = outcome.verdict == Verdict::Right;
        if json {
            lines.push(json!({
                "algorithm": outcome.algorithm, "kernel": outcome.kernel,
                "right": right, "verdict": verdict,
            }));
        } else if !right {
            note(format_args!("{} on {}: {verdict}", outcome.algorithm, outcome.kernel));
        }
    });
    if json {
        print(format!("{:#}\n", json!(lines)))?;
    } else {
        for (kernel, n) in runs {
            print(format!("{kernel}: {n} algorithms run\n"))?;
        }
        print(if good {
            "all right\n"
        } else {
            "NOT right: do not use this build on this machine\n"
        })?;
    }
    Ok(if good { Exit::Success } else { Exit::Mismatch })
}
