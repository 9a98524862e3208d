//! `bulat bench --calibrate` times the options of the tuning table: every kernel of this machine on each shape of each
//! primitive, and every form of each choice within a kernel. It shows the ones picked, and the ones that would be
//! fastest here, and prints this processor's row of the table (`crates/core/src/kernel/tuning.rs`).

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use bulat::Direction;
use bulat::{BlockCipher as _, Kuznyechik, Magma, Streebog512, survey};
use bulat_core::cipher::{Chain, Chained as _, Count, Data, Lane, Shapes as _};
use bulat_core::gf;
use bulat_core::kernel::{self, Kernel as _, Ready};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::clock::{measure, random};
use crate::error::{Exit, Result};
use crate::io::print;

/// An operation to time, with the survey's names of its primitive, its shape and its choice within a kernel.
struct Work {
    primitive: &'static str,
    shape: &'static str,
    /// The choice that affects this operation, or an empty string.
    choice: &'static str,
    what: &'static str,
    bytes: usize,
    /// Makes a function that runs the operation once, on the forced kernel of this name.
    make: fn(&str) -> Box<dyn FnMut()>,
}

/// An operation with its times on every kernel.
struct Row {
    work: &'static Work,
    picked: &'static str,
    /// Cycles per byte, fastest first.
    kernels: Vec<(&'static str, f64)>,
}

/// A choice within a kernel, with the times of every form.
struct Forms {
    choice: survey::Form,
    /// Cycles per byte, averaged over the operations that the choice affects; fastest first.
    cycles: Vec<(&'static str, f64)>,
}

/// A kernel or form counts as better than the picked choice only if the difference exceeds noise.
const NOISE: f64 = 0.95;

const KUZNYECHIK: &str = "kuznyechik";
const MAGMA: &str = "magma, gost28147";
const STREEBOG: &str = "streebog";
const GF: &str = "gf";
const KEY: [u8; 32] = [7; 32];

/// The bytes of a long text.
const TEXT: usize = 16 << 10;

/// Times chained streams of a cipher: their number, and the bytes of each.
macro_rules! streams {
    ($cipher:ident, $n:literal, $chain:ident, $count:literal, $bytes:literal) => {
        |_| {
            let ciphers: Vec<$cipher> = (0..$count).map(|i| $cipher::new(&[i as u8; 32])).collect();
            let (mut states, mut texts) = ([[0; $n]; $count], vec![random($bytes); $count]);
            Box::new(move || {
                let mut lanes: Vec<Lane<'_, _, $n>> = (ciphers.iter())
                    .zip(states.iter_mut().zip(&mut texts))
                    .map(|(cipher, (state, text))| Lane {
                        schedule: cipher.schedule(),
                        state,
                        data: Data::Through(text.as_mut_slice().into()),
                    })
                    .collect();
                ciphers[0].lanes(Chain::$chain, &mut lanes);
            })
        }
    };
}

/// Times independent blocks.
macro_rules! blocks {
    ($cipher:ident, $direction:ident) => {
        |_| {
            let (cipher, mut text) = ($cipher::new(&KEY), random(TEXT));
            Box::new(move || cipher.map(Direction::$direction, text.as_mut_slice().into()))
        }
    };
}

/// Times the gamma.
macro_rules! gamma {
    ($cipher:ident, $n:literal) => {
        |_| {
            let (cipher, mut counter, mut text) = ($cipher::new(&KEY), [0; $n], random(TEXT));
            Box::new(move || {
                cipher.stream(&mut counter, Count::Whole, text.as_mut_slice().into());
            })
        }
    };
}

/// The operations: primitive, shape, choice, words, bytes, and the function that makes the operation.
macro_rules! works {
    ($($primitive:ident, $shape:literal, $choice:literal, $what:literal, $bytes:expr => $make:expr;)*) => {
        &[$(Work {
            primitive: $primitive, shape: $shape, choice: $choice, what: $what, bytes: $bytes, make: $make,
        }),*]
    };
}

/// All operations, in the order of the survey.
static WORK: &[Work] = works! {
    KUZNYECHIK, "map", "blocks", "encrypt 16 KiB", TEXT => blocks!(Kuznyechik, Encrypt);
    KUZNYECHIK, "map", "blocks", "decrypt 16 KiB", TEXT => blocks!(Kuznyechik, Decrypt);
    KUZNYECHIK, "stream", "gamma", "CTR, 16 KiB", TEXT => gamma!(Kuznyechik, 16);
    KUZNYECHIK, "lanes", "streams", "CBC, 64 streams", 64 * 512 =>
        streams!(Kuznyechik, 16, CbcEncrypt, 64, 512);
    KUZNYECHIK, "lanes", "one stream", "CBC, one stream", 2048 =>
        streams!(Kuznyechik, 16, CbcEncrypt, 1, 2048);
    KUZNYECHIK, "map", "schedule", "a key's schedule", 32 => |_| {
        let (cipher, mut key) = (Kuznyechik::new(&KEY), KEY);
        Box::new(move || {
            key[0] = key[0].wrapping_add(1);
            black_box(cipher.rekey(black_box(&key)));
        })
    };
    MAGMA, "map", "blocks", "encrypt 16 KiB", TEXT => blocks!(Magma, Encrypt);
    MAGMA, "map", "blocks", "decrypt 16 KiB", TEXT => blocks!(Magma, Decrypt);
    MAGMA, "stream", "gamma", "CTR, 16 KiB", TEXT => gamma!(Magma, 8);
    MAGMA, "lanes", "", "CFB, 192 streams", 192 * 256 => streams!(Magma, 8, CfbEncrypt, 192, 256);
    MAGMA, "lanes", "one stream", "CFB, one stream", 2048 =>
        streams!(Magma, 8, CfbEncrypt, 1, 2048);
    // As many messages per call as a batch uses.
    MAGMA, "lanes", "width", "OMAC, 256 streams", 256 * 256 => |_| {
        let width = |f: &survey::Form| {
            ((f.primitive, f.name) == ("magma", "width")).then(|| f.taken.parse().ok())
        };
        let width = survey::forms().iter().find_map(width).flatten().unwrap_or(64);
        let ciphers: Vec<Magma> = (0..=255).map(|i| Magma::new(&[i; 32])).collect();
        let (mut states, text) = ([[0; 8]; 256], random(256));
        Box::new(move || {
            let mut lanes: Vec<Lane<'_, _, 8>> = (ciphers.iter().zip(&mut states))
                .map(|(cipher, state)| Lane {
                    schedule: cipher.schedule(),
                    state,
                    data: Data::Read(&text),
                })
                .collect();
            lanes.chunks_mut(width).for_each(|lanes| ciphers[0].lanes(Chain::Mac, lanes));
        })
    };
    STREEBOG, "messages", "sums", "one message of 16 KiB", TEXT => |_| {
        let text = random(TEXT);
        Box::new(move || {
            black_box(Streebog512::digest(&text));
        })
    };
    STREEBOG, "messages", "sums", "eight messages of 4 KiB", 8 * 4096 => |_| {
        let texts = vec![random(4096); 8];
        Box::new(move || {
            let messages: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
            let mut digests = [[0; 64]; 8];
            Streebog512::digest_many(&messages, &mut digests).expect("as many digests");
            black_box(digests);
        })
    };
    GF, "multiply", "", "MGM's sum, 16 KiB", TEXT => |name| {
        let listed = gf::KERNELS.iter().find(|kernel| kernel.name() == name);
        let kernel = listed.and_then(Ready::new).expect("offered and available");
        let (mut sum, h, a) = ([0; 16], random(TEXT), random(TEXT));
        Box::new(move || kernel.mac128(&mut sum, &h, &a))
    };
};

/// Runs `bulat bench --calibrate`.
pub fn run(seconds: f64, json: bool) -> Result<Exit> {
    let forced = kernel::forced();
    let shapes = survey::shapes();
    let runs: Vec<(&Work, &survey::Choice)> = WORK
        .iter()
        .filter_map(|work| {
            let same = |s: &&survey::Choice| (s.primitive, s.shape) == (work.primitive, work.shape);
            shapes.iter().find(same).map(|shape| (work, shape))
        })
        .collect();
    let here = |shape: &survey::Choice| {
        shape.offers.iter().copied().filter(|name| kernel::available(name)).collect::<Vec<_>>()
    };
    let choices: Vec<survey::Form> =
        survey::forms().into_iter().filter(|f| kernel::available(f.kernel)).collect();
    let of = |choice: &survey::Form| {
        let (primitive, name) = (choice.primitive, choice.name);
        WORK.iter().filter(move |w| (short(w.primitive), w.choice) == (primitive, name))
    };
    let total: usize = runs.iter().map(|(_, shape)| here(shape).len()).sum::<usize>()
        + choices.iter().map(|c| c.forms.len() * of(c).count()).sum::<usize>();
    let each = Duration::from_secs_f64(seconds / total.max(1) as f64);
    let bar = ProgressBar::new(total as u64); // draws only on terminals
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:24} {pos}/{len}") {
        bar.set_style(style);
    }
    let mut clock = Vec::new();
    let mut time = |work: &Work, kernel: &str, form: &str| {
        bar.set_message(format!("{} {}: {kernel} {form}", work.primitive, work.what));
        kernel::force(Some(kernel)).map_err(super::super::internal)?;
        let (least, _) = measure((work.make)(kernel), work.bytes, each, &mut clock);
        bar.inc(1);
        Ok(least)
    };
    let mut rows = Vec::new();
    for (work, shape) in runs {
        let mut kernels = Vec::new();
        for name in here(shape) {
            kernels.push((name, time(work, name, "")?));
        }
        kernels.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        rows.push(Row { work, picked: shape.picked, kernels });
    }
    let mut forms = Vec::new();
    for choice in choices {
        let mut cycles = Vec::new();
        for form in choice.forms {
            kernel::take_form(choice.primitive, choice.name, form)
                .map_err(super::super::internal)?;
            let mut sum = 0.0;
            for work in of(&choice) {
                sum += time(work, choice.kernel, form)?;
            }
            cycles.push((*form, sum / of(&choice).count().max(1) as f64));
        }
        kernel::take_form(choice.primitive, choice.name, choice.taken)
            .map_err(super::super::internal)?;
        cycles.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        forms.push(Forms { choice, cycles });
    }
    bar.finish_and_clear();
    kernel::force(forced).map_err(super::super::internal)?;
    clock.sort_by(f64::total_cmp);
    let hertz = 1.0 / clock[clock.len() / 2];
    let row = row(&shapes, &rows, &forms);
    print(match json {
        true => as_json(&rows, &forms, &row, hertz, forced),
        false => as_text(&rows, &forms, &row, hertz, forced),
    })?;
    Ok(Exit::Success)
}

/// Returns a primitive's name in the tuning table.
fn short(primitive: &str) -> &str {
    primitive.split(',').next().unwrap_or(primitive)
}

/// Returns the best of these if it beats the one picked: its name, its cycles, and the other's cycles.
fn better<'a>(cycles: &[(&'a str, f64)], picked: &str) -> Option<(&'a str, f64, f64)> {
    let &(best, least) = cycles.first()?;
    let &(_, now) = cycles.iter().find(|(name, _)| *name == picked)?;
    (least < NOISE * now).then_some((best, least, now))
}

/// Formats the measurements for the table, this one first.
fn measured(first: &str, cycles: &[(&str, f64)]) -> String {
    let (one, others): (Vec<_>, Vec<_>) = cycles.iter().partition(|(name, _)| *name == first);
    let words = one.into_iter().chain(others).map(|(name, cycles)| format!("{name} {cycles:.2}"));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns this processor's row of the tuning table: the present picks, or better ones.
fn row(shapes: &[survey::Choice], rows: &[Row], forms: &[Forms]) -> String {
    let mut passed = Vec::new();
    for shape in shapes {
        let same = |r: &&Row| (r.work.primitive, r.work.shape) == (shape.primitive, shape.shape);
        let rows: Vec<&Row> = rows.iter().filter(same).collect();
        let of = |row: &Row, name: &str| row.kernels.iter().find(|(k, _)| *k == name).map(|k| k.1);
        // The mean ratio to the fastest of each row, and the mean of the cycles.
        let mut kernels = Vec::new();
        for name in &shape.offers {
            let cycles: Option<Vec<f64>> = rows.iter().map(|row| of(row, name)).collect();
            let Some(cycles) = cycles.filter(|c| !c.is_empty()) else { continue };
            let times = rows.iter().zip(&cycles).map(|(row, c)| (c / row.kernels[0].1).ln());
            let mean = |sum: f64| sum / cycles.len() as f64;
            kernels.push((*name, mean(times.sum()).exp(), mean(cycles.iter().sum())));
        }
        let least = kernels.iter().map(|k| k.1).fold(f64::INFINITY, f64::min);
        // The lists are sorted fastest first: the row passes over all kernels before the first that is fast enough.
        let slow = kernels.iter().position(|k| NOISE * k.1 <= least).unwrap_or(0);
        for (name, ..) in &kernels[..slow] {
            let fast = kernels[slow];
            let both = kernels.iter().filter(|k| k.0 == *name || k.0 == fast.0);
            let both: Vec<_> = both.map(|k| (k.0, k.2)).collect();
            passed.push((*name, short(shape.primitive), shape.shape, measured(fast.0, &both)));
        }
    }
    let forms: Vec<_> = forms
        .iter()
        .map(|f| {
            let picked = f.choice.taken;
            let best = better(&f.cycles, picked).map_or(picked, |(best, ..)| best);
            (f.choice.primitive, f.choice.name, best, measured(best, &f.cycles))
        })
        .collect();
    let passed: Vec<_> = passed.iter().map(|p| (p.0, p.1, p.2, Some(&*p.3))).collect();
    let forms: Vec<_> = forms.iter().map(|f| (f.0, f.1, f.2, Some(&*f.3))).collect();
    bulat_core::survey::row_of(&passed, &forms)
}

fn cycles_json(cycles: &[(&'static str, f64)]) -> serde_json::Value {
    let all = cycles.iter().map(|(name, cycles)| (String::from(*name), json!(cycles)));
    all.collect::<serde_json::Map<_, _>>().into()
}

fn as_json(rows: &[Row], forms: &[Forms], row: &str, hertz: f64, forced: Option<&str>) -> String {
    let rows = rows.iter().map(|row| {
        json!({
            "primitive": row.work.primitive, "shape": row.work.shape, "what": row.work.what,
            "bytes": row.work.bytes, "picked": row.picked,
            "best": row.kernels.first().map(|(name, _)| name),
            "better": better(&row.kernels, row.picked).map(|(name, _, _)| name),
            "cycles_per_byte": cycles_json(&row.kernels),
        })
    });
    let forms = forms.iter().map(|form| {
        let c = &form.choice;
        json!({
            "primitive": c.primitive, "choice": c.name, "kernel": c.kernel, "picked": c.taken,
            "best": form.cycles.first().map(|(name, _)| name),
            "better": better(&form.cycles, c.taken).map(|(name, _, _)| name),
            "measured": c.measured, "cycles_per_byte": cycles_json(&form.cycles),
        })
    });
    let all = json!({
        "processor": survey::processor().to_string(), "hertz": hertz, "forced": forced,
        "rows": rows.collect::<Vec<_>>(), "forms": forms.collect::<Vec<_>>(),
        "tuning_row": row,
    });
    format!("{all:#}\n")
}

fn as_text(rows: &[Row], forms: &[Forms], row: &str, hertz: f64, forced: Option<&str>) -> String {
    let has = |name: &&&str| rows.iter().any(|r| r.kernels.iter().any(|(k, _)| k == *name));
    let names: Vec<&str> = kernel::NAMES.iter().filter(has).copied().collect();
    let label = |row: &Row| format!("{}: {}", row.work.primitive, row.work.what);
    let of_form = |f: &Forms| format!("{}: {}", f.choice.primitive, f.choice.name);
    let width = rows.iter().map(|row| label(row).len()).max().unwrap_or(0);
    let mut out = format!("{:width$}", "cycles a byte");
    for name in &names {
        let _ = write!(out, "{name:>10}");
    }
    out.push('\n');
    for row in rows {
        let _ = write!(out, "{:width$}", label(row));
        for name in &names {
            let cell = row.kernels.iter().find(|(k, _)| k == name).map(|(_, c)| format!("{c:.2}"));
            let mark = if *name == row.picked { "*" } else { " " };
            let _ = write!(out, "{:>9}{mark}", cell.as_deref().unwrap_or("-"));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    if let Some(first) = forms.first() {
        let _ = writeln!(out, "\nforms within {}", first.choice.kernel);
    }
    for form in forms {
        let _ = write!(out, "{:width$}", of_form(form));
        for name in form.choice.forms {
            let of = |(n, _): &&(&str, f64)| n == name;
            let cycles = form.cycles.iter().find(of).map_or(0.0, |(_, cycles)| *cycles);
            let mark = if *name == form.choice.taken { "*" } else { " " };
            let _ = write!(out, "{name:>10} {cycles:.2}{mark}");
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "\n* picked{}. Least of many runs; the clock was at {:.2} GHz.\nProcessor: {}.",
        forced.map_or(String::new(), |name| format!(" ({name} is forced)")),
        hertz / 1e9,
        survey::processor(),
    );
    let mut found = Vec::new();
    for row in rows {
        found.extend(better(&row.kernels, row.picked).map(|b| (label(row), b)));
    }
    for form in forms {
        found.extend(better(&form.cycles, form.choice.taken).map(|b| (of_form(form), b)));
    }
    if found.is_empty() {
        out.push_str("The picked ones are the fastest here.\n");
    } else {
        out.push_str("Faster here than the picked ones:\n");
        for (label, (name, least, picked)) in found {
            let _ = writeln!(out, "  {label}: {name} needs {least:.2}, not {picked:.2}");
        }
        out.push_str(
            "BULAT_KERNEL=NAME or --kernel NAME forces a kernel wherever it has a part.\n",
        );
    }
    let _ = writeln!(
        out,
        "\nThe row of the tuning table from these figures (crates/core/src/kernel/tuning.rs):\n{row}"
    );
    out
}
