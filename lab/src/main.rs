//! Published designs, peers and every kernel of ours, side by side: `cargo run --release --manifest-path lab/Cargo.toml`.
//!
//! The measurements are in `lab/definitions/*.toml`, the programs in `lab/engines/*/engine.toml`, the method in
//! `measure.rs` and docs/BENCHMARKS.md.

#![forbid(unsafe_code)]

mod chart;
mod definition;
mod docs;
mod engines;
mod expected;
mod files;
mod machine;
mod measure;
mod page;
mod record;
mod run;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Published designs, peers and every kernel of bulat, measured side by side.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Option<Word>,
}

#[derive(Subcommand)]
enum Word {
    /// Measures definitions (all but those on request, when none is named)
    Run(run::RunArgs),
    /// Measures one algorithm on engines that are named, several times over
    Compare(run::CompareArgs),
    /// Lists definitions and engines
    List,
    /// Makes the page with charts from a record
    Page {
        /// A record
        record: PathBuf,
        /// The page
        #[arg(short, long, default_value = "lab.html")]
        output: PathBuf,
    },
    /// Brings README, docs and the records' pages up to date with the records
    Docs {
        /// Only says whether they are, by the exit code
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().command.unwrap_or(Word::Run(run::RunArgs::default())) {
        Word::Run(args) => run::run(&args),
        Word::Compare(args) => run::compare(&args),
        Word::List => run::list(),
        Word::Page { record, output } => run::page(&record, &output),
        Word::Docs { check } => docs::run(check),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("lab: {why}");
            ExitCode::from(2)
        }
    }
}
