//! Whole processes on files: digests are shown equal first, then the programs run in turn.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use engine::Case;

use crate::definition::{Files, Process};
use crate::engines::home;
use crate::measure::{Refused, Timed};
use crate::record::Row;

/// Runs of each program.
const RUNS: usize = 5;

/// Makes the file, of bytes that no predictor knows.
fn make(path: &Path, bytes: usize) -> Result<(), String> {
    let mut file = fs::File::create(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut piece = vec![0; 1 << 20];
    let mut left = bytes;
    for seed in 0.. {
        let n = left.min(piece.len());
        engine::bytes(seed << 40, &mut piece[..n]);
        file.write_all(&piece[..n]).map_err(|e| format!("{}: {e}", path.display()))?;
        left -= n;
        if left == 0 {
            break;
        }
    }
    Ok(())
}

/// The program with its words filled in.
fn command(words: &[String], file: &Path, target: &Path) -> Option<Command> {
    let word = |w: &String| {
        w.replace("{file}", &file.to_string_lossy()).replace("{target}", &target.to_string_lossy())
    };
    let (program, args) = words.split_first()?;
    let mut command = Command::new(word(program));
    command.args(args.iter().map(word)).stdin(Stdio::null()).current_dir(home().join(".."));
    Some(command)
}

/// The digest in a program's output: its longest run of hexadecimal digits.
fn digest(process: &Process, file: &Path, target: &Path) -> Result<String, String> {
    let install = |e: String| {
        if process.needs.is_empty() { e } else { format!("{} ({e})", process.needs) }
    };
    let mut run = command(&process.run, file, target).ok_or("no program")?;
    let out = run.output().map_err(|e| install(format!("{}: {e}", process.run[0])))?;
    let text = String::from_utf8_lossy(&out.stdout).to_lowercase();
    let runs = text.split(|c: char| !c.is_ascii_hexdigit());
    match runs.max_by_key(|run| run.len()) {
        Some(hex) if out.status.success() && hex.len() >= 64 => Ok(hex.into()),
        _ => Err(install(format!("{} failed", process.run[0]))),
    }
}

/// Measures one size; the rows, and those that could not be run or were wrong. Errors: when the file cannot be made.
pub fn run(
    definition: &str,
    files: &Files,
    megabytes: usize,
    target: &Path,
    mut seen: impl FnMut(usize),
) -> Result<(Vec<Row>, Vec<Refused>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join(format!("{megabytes}MB"));
    let bytes = megabytes * 1_000_000;
    make(&file, bytes)?;
    let mut refused = Vec::new();
    let mut digests = Vec::new();
    for process in &files.command {
        if let [program, args @ ..] = &process.build[..] {
            let built = Command::new(program)
                .args(args)
                .current_dir(home().join(".."))
                .env("CARGO_TARGET_DIR", target)
                .status();
            if !built.is_ok_and(|status| status.success()) {
                let why = format!("{} failed", process.build.join(" "));
                refused.push(Refused { who: process.name.clone(), why, wrong: false });
                continue;
            }
        }
        match digest(process, &file, target) {
            Ok(hex) => digests.push((process, hex)),
            Err(why) => refused.push(Refused { who: process.name.clone(), why, wrong: false }),
        }
    }
    // The digest that most of them have.
    let votes = |hex: &String| digests.iter().filter(|(_, other)| other == hex).count();
    let truth = digests.iter().map(|(_, hex)| hex.clone()).max_by_key(&votes).unwrap_or_default();
    if digests.len() > 1 && votes(&truth) < 2 {
        return Err(format!("no two programs agree about {megabytes} MB"));
    }
    let (right, wrong): (Vec<_>, Vec<_>) = digests.into_iter().partition(|(_, hex)| *hex == truth);
    refused.extend(wrong.into_iter().map(|(process, hex)| Refused {
        who: process.name.clone(),
        why: format!("its digest is wrong: {hex}, where most have {truth}"),
        wrong: true,
    }));
    let mut times: Vec<Vec<Option<(f64, f64)>>> = vec![Vec::new(); right.len()];
    for round in 0..RUNS {
        for (i, (process, _)) in right.iter().enumerate() {
            let Some(mut run) = command(&process.run, &file, target) else { continue };
            let before = engine::cycle();
            let start = Instant::now();
            let ran = run.stdout(Stdio::null()).stderr(Stdio::null()).status();
            let taken = start.elapsed().as_secs_f64();
            let cycle = (before + engine::cycle()) / 2.0;
            let ended = ran.is_ok_and(|status| status.success());
            times[i].push(ended.then_some((taken, cycle)));
        }
        seen(round + 1);
    }
    let case = Case::new("streebog512", bytes);
    let mut rows = Vec::new();
    for (i, (process, _)) in right.iter().enumerate() {
        let sorted = |f: &dyn Fn(&(f64, f64)) -> f64| {
            let mut all: Vec<f64> = times[i].iter().flatten().map(f).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let pairs = times[0].iter().zip(&times[i]).filter_map(|(a, b)| Some((*a)?.0 / (*b)?.0));
        let mut ratios: Vec<f64> = pairs.collect();
        ratios.sort_by(f64::total_cmp);
        let cycles = sorted(&|(taken, cycle)| taken / cycle / bytes as f64);
        let hertz = sorted(&|(_, cycle)| 1.0 / cycle);
        let timed = Timed {
            engine: process.name.clone(),
            variant: "-".into(),
            version: "process".into(),
            first: i == 0,
            cycles,
            seconds: sorted(&|(taken, _)| *taken),
            hertz: hertz.get(hertz.len() / 2).copied().unwrap_or(f64::NAN),
            ratios,
            unsteady: 0,
        };
        let mut row = Row::new(definition, &case, false, &timed);
        row.tag.clone_from(&files.tag);
        row.what = format!("file of {megabytes} MB, whole process");
        row.published.clone_from(&process.published);
        rows.push(row);
    }
    Ok((rows, refused))
}
