//! `bulat bench --calibrate` times every kernel that this machine can run on each shape of each primitive,
//! says which is picked, and which would be the fastest here.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use bulat::kernel::{self, Chain, Count, Data, Direction, Kernel as _, Lane, Ready};
use bulat::{BlockCipher as _, Kuznyechik, Magma, Streebog512, gf, survey};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::clock::{measure, random};
use crate::error::{Exit, Result};
use crate::io::print;

/// Something to time: the primitive and the shape as the survey names them.
struct Work {
    primitive: &'static str,
    shape: &'static str,
    what: &'static str,
    octets: usize,
    /// What does it once, on the kernel of this name, which is forced.
    make: fn(&str) -> Box<dyn FnMut()>,
}

/// What was found out.
struct Row {
    work: &'static Work,
    picked: &'static str,
    /// Cycles for each octet, fastest first.
    kernels: Vec<(&'static str, f64)>,
}

/// A kernel is said to be better than the one picked where it is so by more than noise.
const NOISE: f64 = 0.95;

const KUZNYECHIK: &str = "kuznyechik";
const MAGMA: &str = "magma, gost28147";
const KEY: [u8; 32] = [7; 32];

/// Octets of one long text.
const TEXT: usize = 16 << 10;

/// Chained streams of a cipher: how many, and octets of each.
macro_rules! streams {
    ($cipher:ident, $n:literal, $chain:ident, $count:literal, $octets:literal) => {
        |_| {
            let ciphers: Vec<$cipher> = (0..$count).map(|i| $cipher::new(&[i as u8; 32])).collect();
            let (mut states, mut texts) = ([[0; $n]; $count], vec![random($octets); $count]);
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

/// Independent blocks.
macro_rules! blocks {
    ($cipher:ident, $direction:ident) => {
        |_| {
            let (cipher, mut text) = ($cipher::new(&KEY), random(TEXT));
            Box::new(move || cipher.map(Direction::$direction, text.as_mut_slice().into()))
        }
    };
}

/// Gamma.
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

/// Everything, in the order of the survey.
static WORK: &[Work] = &[
    Work {
        primitive: KUZNYECHIK,
        shape: "map",
        what: "encrypt 16 KiB",
        octets: TEXT,
        make: blocks!(Kuznyechik, Encrypt),
    },
    Work {
        primitive: KUZNYECHIK,
        shape: "map",
        what: "decrypt 16 KiB",
        octets: TEXT,
        make: blocks!(Kuznyechik, Decrypt),
    },
    Work {
        primitive: KUZNYECHIK,
        shape: "stream",
        what: "CTR, 16 KiB",
        octets: TEXT,
        make: gamma!(Kuznyechik, 16),
    },
    Work {
        primitive: KUZNYECHIK,
        shape: "lanes",
        what: "CBC, 64 streams",
        octets: 64 * 512,
        make: streams!(Kuznyechik, 16, CbcEncrypt, 64, 512),
    },
    Work {
        primitive: KUZNYECHIK,
        shape: "lanes",
        what: "CBC, one stream",
        octets: 2048,
        make: streams!(Kuznyechik, 16, CbcEncrypt, 1, 2048),
    },
    Work {
        primitive: MAGMA,
        shape: "map",
        what: "encrypt 16 KiB",
        octets: TEXT,
        make: blocks!(Magma, Encrypt),
    },
    Work {
        primitive: MAGMA,
        shape: "map",
        what: "decrypt 16 KiB",
        octets: TEXT,
        make: blocks!(Magma, Decrypt),
    },
    Work {
        primitive: MAGMA,
        shape: "stream",
        what: "CTR, 16 KiB",
        octets: TEXT,
        make: gamma!(Magma, 8),
    },
    Work {
        primitive: MAGMA,
        shape: "lanes",
        what: "CFB, 192 streams",
        octets: 192 * 256,
        make: streams!(Magma, 8, CfbEncrypt, 192, 256),
    },
    Work {
        primitive: MAGMA,
        shape: "lanes",
        what: "CFB, one stream",
        octets: 2048,
        make: streams!(Magma, 8, CfbEncrypt, 1, 2048),
    },
    Work {
        primitive: "streebog",
        shape: "messages",
        what: "one message of 16 KiB",
        octets: TEXT,
        make: |_| {
            let text = random(TEXT);
            Box::new(move || {
                black_box(Streebog512::digest(&text));
            })
        },
    },
    Work {
        primitive: "streebog",
        shape: "messages",
        what: "eight messages of 4 KiB",
        octets: 8 * 4096,
        make: |_| {
            let texts = vec![random(4096); 8];
            Box::new(move || {
                let messages: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
                let mut digests = [[0; 64]; 8];
                Streebog512::digest_many(&messages, &mut digests).expect("as many digests");
                black_box(digests);
            })
        },
    },
    Work {
        primitive: "gf",
        shape: "multiply",
        what: "MGM's sum, 16 KiB",
        octets: TEXT,
        make: |name| {
            let listed = gf::KERNELS.iter().find(|kernel| kernel.name() == name);
            let kernel = listed.and_then(Ready::new).expect("offered and available");
            let (mut sum, h, a) = ([0; 16], random(TEXT), random(TEXT));
            Box::new(move || kernel.mac128(&mut sum, &h, &a))
        },
    },
];

/// Runs it.
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
    let total: usize = runs.iter().map(|(_, shape)| here(shape).len()).sum();
    let each = Duration::from_secs_f64(seconds / total.max(1) as f64);
    let bar = ProgressBar::new(total as u64); // draws on terminals alone
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:24} {pos}/{len}") {
        bar.set_style(style);
    }
    let mut clock = Vec::new();
    let mut rows = Vec::new();
    for (work, shape) in runs {
        let mut kernels = Vec::new();
        for name in here(shape) {
            bar.set_message(format!("{} {}: {name}", work.primitive, work.what));
            kernel::force(Some(name)).map_err(super::super::internal)?;
            kernels.push((name, measure((work.make)(name), work.octets, each, &mut clock).0));
            bar.inc(1);
        }
        kernels.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        rows.push(Row { work, picked: shape.picked, kernels });
    }
    bar.finish_and_clear();
    kernel::force(forced).map_err(super::super::internal)?;
    clock.sort_by(f64::total_cmp);
    let hertz = 1.0 / clock[clock.len() / 2];
    print(if json { as_json(&rows, hertz, forced) } else { as_text(&rows, hertz, forced) })?;
    Ok(Exit::Success)
}

/// The best kernel of a row, where it beats the one picked.
fn better(row: &Row) -> Option<(&'static str, f64, f64)> {
    let &(best, least) = row.kernels.first()?;
    let &(_, picked) = row.kernels.iter().find(|(name, _)| *name == row.picked)?;
    (least < NOISE * picked).then_some((best, least, picked))
}

fn as_json(rows: &[Row], hertz: f64, forced: Option<&str>) -> String {
    let rows = rows.iter().map(|row| {
        let kernels: serde_json::Map<String, serde_json::Value> =
            row.kernels.iter().map(|(name, cycles)| (String::from(*name), json!(cycles))).collect();
        json!({
            "primitive": row.work.primitive, "shape": row.work.shape, "what": row.work.what,
            "octets": row.work.octets, "picked": row.picked,
            "best": row.kernels.first().map(|(name, _)| name),
            "better": better(row).map(|(name, _, _)| name),
            "cycles_per_octet": kernels,
        })
    });
    let all = json!({
        "processor": survey::processor(), "hertz": hertz, "forced": forced,
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

fn as_text(rows: &[Row], hertz: f64, forced: Option<&str>) -> String {
    let has = |name: &&&str| rows.iter().any(|r| r.kernels.iter().any(|(k, _)| k == *name));
    let names: Vec<&str> = kernel::NAMES.iter().filter(has).copied().collect();
    let label = |row: &Row| format!("{}: {}", row.work.primitive, row.work.what);
    let width = rows.iter().map(|row| label(row).len()).max().unwrap_or(0);
    let mut out = format!("{:width$}", "cycles an octet");
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
    let _ = writeln!(
        out,
        "\n* is picked{}. Least of many runs; the clock was at {:.2} GHz.\nProcessor: {}.",
        forced.map_or(String::new(), |name| format!(" ({name} is forced)")),
        hertz / 1e9,
        survey::processor(),
    );
    let found: Vec<_> = rows.iter().filter_map(|row| better(row).map(|b| (row, b))).collect();
    if found.is_empty() {
        out.push_str("What is picked is the fastest here.\n");
        return out;
    }
    out.push_str("Faster here than what is picked:\n");
    for (row, (name, least, picked)) in found {
        let _ = writeln!(out, "  {}: {name} takes {least:.2}, not {picked:.2}", label(row));
    }
    out.push_str("BULAT_KERNEL=NAME or --kernel NAME forces a kernel wherever it has a part.\n");
    out
}
