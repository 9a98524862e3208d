//! The commands that measure.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use engine::Case;
use indicatif::{ProgressBar, ProgressStyle};

use crate::definition::{self, Definition, OURS};
use crate::engines::{self, Engines, home};
use crate::machine::Machine;
use crate::measure::{self, Effort, Refused, median};
use crate::record::{self, Row};
use crate::{files, page, terminal};

#[derive(Args, Default)]
pub struct RunArgs {
    /// Definitions, by the names of `lab list`
    names: Vec<String>,
    /// Few rounds: a look, not a figure
    #[arg(long)]
    quick: bool,
    /// Leaves out larger cases: bytes in a call, with K, M, G [default: 64M; 1M with --quick]
    #[arg(long, value_parser = definition::bytes)]
    most: Option<usize>,
    /// Measures only cases with this in their algorithm, tag or description; a record keeps the rest
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Measures the largest files too
    #[arg(long)]
    large: bool,
    /// Writes the rows as CSV
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Writes the rows as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Writes a page with charts
    #[arg(long)]
    html: Option<PathBuf>,
    /// Keeps the rows under lab/record; those of other definitions stay
    #[arg(long, conflicts_with = "quick")]
    record: Option<String>,
    /// The engines' folder
    #[arg(long, hide = true)]
    engines: Option<PathBuf>,
    /// The definitions' folder
    #[arg(long, hide = true)]
    definitions: Option<PathBuf>,
}

#[derive(Args)]
pub struct CompareArgs {
    /// The algorithm, by its name in `bulat list`
    algorithm: String,
    /// ENGINE/VARIANT; the others are compared with the first
    #[arg(required = true, num_args = 2..)]
    who: Vec<String>,
    /// Bytes of a text
    #[arg(long, default_value = "16K", value_parser = definition::bytes)]
    size: usize,
    /// Decrypts
    #[arg(long)]
    decrypt: bool,
    /// Texts in a call
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    streams: u16,
    /// How many times the whole comparison is made
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
}

/// The names of engines that definitions speak of.
fn wanted(definitions: &[&Definition]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |spec: &str| _ = all.insert(spec.split('/').next().unwrap_or("").to_string());
    for d in definitions {
        d.engines.iter().for_each(|spec| add(spec));
        d.bench.iter().flat_map(|b| &b.engines).for_each(|spec| add(spec));
        d.row.iter().flat_map(|r| [OURS, &r.design[..]]).for_each(&mut add);
    }
    all
}

fn bar(total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64); // draws only on terminals
    if let Ok(style) = ProgressStyle::with_template("{msg:40!} {bar:24} {pos}/{len}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// All that is known at one time of the machine and the work.
struct Session {
    engines: Engines,
    quick: bool,
    effort: Effort,
    cores: Option<rustix::thread::CpuSet>,
    rows: Vec<Row>,
    refused: Vec<(String, Refused)>,
}

impl Session {
    /// Measures a case on engines; the rows in their order.
    fn case(
        &mut self,
        name: &str,
        who: &[String],
        case: &Case,
        cold: bool,
        bar: &ProgressBar,
    ) -> Vec<Row> {
        let mut engines: Vec<_> =
            who.iter().flat_map(|spec| self.engines.resolve(spec, &case.algorithm)).collect();
        engines.dedup_by(|a, b| a.0.name == b.0.name && a.1 == b.1);
        if let (Some(all), true) = (&self.cores, case.threads > 1) {
            measure::unpin(all);
        } else {
            measure::pin();
        }
        let words = format!("{} {} B", case.algorithm, case.size);
        bar.set_message(words.clone());
        let (timed, refused) = measure::compare(&engines, case, cold, self.effort, |round| {
            bar.set_message(format!("{words}, round {round}"));
        });
        if let Some(all) = &self.cores {
            measure::unpin(all);
        }
        self.refused.extend(refused.into_iter().map(|r| (words.clone(), r)));
        timed.iter().map(|t| Row::new(name, case, cold, t)).collect()
    }

    /// Measures a definition.
    fn definition(&mut self, d: &Definition, most: usize, large: bool) {
        let benches: Vec<_> = d.bench.iter().map(|b| (b, b.cases(most))).collect();
        let files: usize = d.files.iter().map(|f| f.megabytes.len()).sum();
        let total =
            benches.iter().map(|(_, cases)| cases.len()).sum::<usize>() + d.row.len() + files;
        let bar = bar(total);
        for (bench, cases) in &benches {
            let who = if bench.engines.is_empty() { &d.engines } else { &bench.engines };
            for case in cases {
                let rows = self.case(&d.name, who, case, bench.cold, &bar);
                self.rows.extend(rows);
                bar.inc(1);
            }
        }
        for row in &d.row {
            let (offset, streams) = (row.offset, row.streams);
            let threads = definition::threads(row.threads);
            let case = Case { offset, streams, threads, ..Case::new(&row.algorithm, row.size) };
            let who = [OURS.into(), row.design.clone()];
            let mut pair = self.case(&d.name, &who, &case, false, &bar);
            // Ours, then the design; one that could not be run is shown with the reason.
            for spec in &who {
                let (engine, variant) = spec.split_once('/').unwrap_or((spec, "-"));
                let i = pair.iter().position(|r| r.engine == engine && r.variant == variant);
                let mut one = match i {
                    Some(i) => pair.swap_remove(i),
                    None => {
                        Row::missing(&d.name, &case, engine, variant, &self.reason(engine, spec))
                    }
                };
                one.tag.clone_from(&row.tag);
                one.what.clone_from(&row.what);
                if *spec == row.design {
                    one.published =
                        format!("{} {} ({})", terminal::number(row.figure), row.unit, row.machine);
                }
                self.rows.push(one);
            }
            bar.inc(1);
        }
        let target = engines::target();
        for f in &d.files {
            for &megabytes in &f.megabytes {
                bar.set_message(format!("{megabytes} MB, whole processes"));
                if megabytes > if self.quick { 100 } else { f.most } && !large {
                    bar.suspend(|| {
                        println!(
                            "skipped: {megabytes} MB; cargo run --release --manifest-path lab/Cargo.toml -- run {} --large",
                            d.name
                        )
                    });
                } else {
                    measure::pin();
                    let result = files::run(&d.name, f, megabytes, &target, |round| {
                        bar.set_message(format!("{megabytes} MB, whole processes, round {round}"));
                    });
                    if let Some(all) = &self.cores {
                        measure::unpin(all);
                    }
                    let words = format!("{megabytes} MB");
                    match result {
                        Ok((rows, refused)) => {
                            self.rows.extend(rows);
                            self.refused.extend(refused.into_iter().map(|r| (words.clone(), r)));
                        }
                        Err(why) => {
                            let who = String::from("the file");
                            self.refused.push((words, Refused { who, why, wrong: true }));
                        }
                    }
                }
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
    }

    /// Why an engine has nothing to show for this.
    fn reason(&self, engine: &str, spec: &str) -> String {
        let skipped = self.engines.skipped.iter().find(|(name, _)| name == engine);
        let refused = self.refused.iter().rev().find(|(_, r)| r.who == spec);
        match (skipped, refused) {
            (Some((_, why)), _) => why.clone(),
            (None, Some((_, r))) => r.why.clone(),
            (None, None) => "not on this machine".into(),
        }
    }
}

fn session(
    folder: Option<&Path>,
    effort: Effort,
    wanted: impl Fn(&str) -> bool,
) -> Result<Session, String> {
    let folder = folder.map_or_else(|| home().join("engines"), Path::to_path_buf);
    eprintln!("building the engines...");
    let engines = Engines::load(&folder, wanted)?;
    for (name, why) in &engines.skipped {
        println!("skipped: engine {name}: {why}");
    }
    let cores = measure::cores();
    Ok(Session {
        engines,
        quick: effort.most < Effort::FULL.most,
        effort,
        cores,
        rows: Vec::new(),
        refused: Vec::new(),
    })
}

/// `lab run`. Errors: the reason why it could not measure.
pub fn run(args: &RunArgs) -> Result<bool, String> {
    let folder = args.definitions.clone().unwrap_or_else(|| home().join("definitions"));
    let all = definition::load(&folder)?;
    if let Some(name) = args.names.iter().find(|n| !all.iter().any(|d| d.name == **n)) {
        return Err(format!("there is no definition {name}; `lab list` shows them"));
    }
    let mut narrowed = all.clone();
    if let Some(words) = &args.only {
        narrowed.iter_mut().for_each(|d| d.narrow(words));
    }
    let chosen: Vec<&Definition> = match args.names.is_empty() {
        true => narrowed.iter().filter(|d| !d.on_request).collect(),
        false => narrowed.iter().filter(|d| args.names.contains(&d.name)).collect(),
    };
    let names = wanted(&chosen);
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    // A definition on request is measured as written.
    let asked = chosen.iter().any(|d| d.on_request);
    let usual = if args.quick {
        1 << 20
    } else if asked {
        usize::MAX
    } else {
        64 << 20
    };
    let most = args.most.unwrap_or(usual);
    let mut s = session(args.engines.as_deref(), effort, |n| names.contains(n))?;
    println!(
        "clock {:.2} GHz, read beside each slice; c/B: cycles for a byte; ×: how many times the time of \
         the first line; spread: of that ratio, pair by pair",
        1e-9 / engine::cycle()
    );
    for d in &chosen {
        s.definition(d, most, args.large);
        print!("{}", terminal::cases(d, &s.rows));
        // The figures so far are kept, whatever comes.
        write(args, &all, &s)?;
    }
    print!("\n{}", terminal::refusals(&s.refused));
    Ok(!s.refused.iter().any(|(_, r)| r.wrong))
}

fn write(args: &RunArgs, all: &[Definition], s: &Session) -> Result<(), String> {
    let rows = &s.rows[..];
    let put = |path: &Path, text: String| {
        fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    if let Some(path) = &args.csv {
        put(path, record::csv(rows)?)?;
    }
    if let Some(path) = &args.json {
        put(path, serde_json::to_string_pretty(rows).map_err(|e| e.to_string())? + "\n")?;
    }
    if let Some(path) = &args.html {
        put(path, page::page("Just measured", all, rows))?;
    }
    if let Some(name) = &args.record {
        let folder = home().join("record");
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let path = folder.join(format!("{name}.csv"));
        let mut kept: Vec<Row> = if path.is_file() { record::read(&path)? } else { Vec::new() };
        if args.only.is_some() {
            // Each in its place.
            let place =
                |r: &Row| (r.definition.clone(), r.tag.clone(), r.what.clone(), r.who(), r.case());
            for new in rows {
                match kept.iter_mut().find(|old| place(old) == place(new)) {
                    Some(old) => old.clone_from(new),
                    None => kept.push(new.clone()),
                }
            }
        } else {
            kept.retain(|old| !rows.iter().any(|new| new.definition == old.definition));
            kept.extend_from_slice(rows);
        }
        put(&path, record::csv(&kept)?)?;
        if args.only.is_none() || !Machine::known(name) {
            let mut made: Vec<&str> = rows.iter().map(|r| &r.definition[..]).collect();
            made.dedup();
            Machine::write(name, &made)?;
        }
    }
    Ok(())
}

/// A record's name.
pub fn title(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// `lab page`.
pub fn page(record: &Path, output: &Path) -> Result<bool, String> {
    let rows: Vec<Row> = record::read(record)?;
    let all = definition::load(&home().join("definitions"))?;
    let name = title(record);
    let title = match Machine::read(&name) {
        Ok(machine) => format!("{}, {}", machine.processor, machine.states()),
        Err(_) => name,
    };
    let text = page::page(&title, &all, &rows);
    fs::write(output, text).map_err(|e| format!("{}: {e}", output.display()))?;
    Ok(true)
}

/// `lab compare`. Errors: the reason why it could not measure.
pub fn compare(args: &CompareArgs) -> Result<bool, String> {
    let names: BTreeSet<&str> = args.who.iter().filter_map(|spec| spec.split('/').next()).collect();
    let effort = Effort { least: 50, time: Duration::from_secs(60), ..Effort::FULL };
    let mut s = session(None, effort, |n| names.contains(n))?;
    let (decrypt, streams) = (args.decrypt, args.streams.into());
    let case = Case { decrypt, streams, ..Case::new(&args.algorithm, args.size) };
    for spec in &args.who {
        if s.engines.resolve(spec, &args.algorithm).is_empty() {
            let (engine, _) = spec.split_once('/').unwrap_or((spec, "-"));
            let known = s.engines.iter().any(|e| e.name == engine);
            let why = if known { "it does not have this" } else { "there is no such engine" };
            return Err(format!("{spec}: {why}: {}", args.algorithm));
        }
    }
    let mut medians: Vec<(String, Vec<f64>)> = Vec::new();
    let bar = bar(args.repeat.into());
    for _ in 0..args.repeat {
        let rows = s.case("compare", &args.who, &case, false, &bar);
        // Without the first there is nothing to compare with.
        let whole = rows.first().is_some_and(|r| r.ratio == 1.0 && r.pairs > 0);
        for row in rows.iter().skip(1).filter(|_| whole) {
            println!(
                "{}: {} c/B, {}: {} c/B; {} times the time, spread of {} pairs {:.1} % {}",
                rows[0].who(),
                terminal::number(rows[0].median),
                row.who(),
                terminal::number(row.median),
                terminal::number(1.0 / row.ratio),
                row.pairs,
                row.spread * 100.0,
                row.note,
            );
            match medians.iter_mut().find(|(who, _)| *who == row.who()) {
                Some((_, all)) => all.push(1.0 / row.ratio),
                None => medians.push((row.who(), vec![1.0 / row.ratio])),
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    print!("{}", terminal::refusals(&s.refused));
    let mut sure = !medians.is_empty();
    for (who, mut all) in medians {
        all.sort_by(f64::total_cmp);
        let range = (all[all.len() - 1] - all[0]) / median(&all);
        sure &= range <= measure::SPREAD;
        println!(
            "{who}: {} times the time of {}; {} comparisons lie within {:.1} %{}",
            terminal::number(median(&all)),
            args.who[0],
            all.len(),
            range * 100.0,
            if range > measure::SPREAD { ": inconclusive" } else { "" }
        );
    }
    Ok(sure && !s.refused.iter().any(|(_, r)| r.wrong))
}

/// `lab list`. Errors: when a folder cannot be read.
pub fn list() -> Result<bool, String> {
    println!("Definitions:");
    for d in definition::load(&home().join("definitions"))? {
        let note = if d.on_request { " (on request)" } else { "" };
        println!("  {:12} {}{note}", d.name, d.title);
    }
    println!("Engines:");
    let s = session(None, Effort::QUICK, |_| true)?;
    for engine in s.engines.iter() {
        println!(
            "  {:12} {}: {} ways; {}",
            engine.name,
            engine.about,
            engine.can.len(),
            engine.version
        );
    }
    Ok(true)
}
