//! The `bulat` command. Unsafe code is limited to `secret` (a descriptor given by its number), `standard` (descriptors
//! that were closed at the start) and `start` (the start over glibc).
#![cfg_attr(all(target_os = "linux", target_env = "gnu", not(test)), no_main)]

mod cleanup;
mod cli;
mod cmd;
mod error;
mod io;
mod locked;
mod progress;
mod secret;
mod standard;
#[cfg(all(target_os = "linux", target_env = "gnu", not(test)))]
mod start;
mod tree;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _};

use cli::Cli;
use cmd::personality::Tool;
use error::{Error, Exit};

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(test))))]
fn main() -> std::process::ExitCode {
    program().into()
}

fn program() -> u8 {
    let args: Vec<OsString> = std::env::args_os().collect();
    match args.first().and_then(|a| Tool::named(Path::new(a))) {
        Some(tool) => match cmd::environment() {
            Ok(()) => cmd::personality::run(tool, &args),
            Err(e) => report(e),
        },
        None => run(args),
    }
}

fn run(args: Vec<OsString>) -> u8 {
    if let Some(cli) = Cli::quick(&args) {
        return finish(cmd::run(cli));
    }
    let first = args.get(1).cloned();
    let parsed = Cli::command().try_get_matches_from(args).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches);
        Ok((cli.map_err(|e| e.format(&mut Cli::command()))?, matches))
    });
    let (cli, matches) = match parsed {
        Ok(both) => both,
        Err(e) => {
            if let Some(e) = hint(first.as_deref(), &e) {
                return report(e);
            }
            // Help and version arrive here too, with exit code 0.
            if e.exit_code() == 0
                && let Err(e) = io::standard_output()
            {
                return report(e);
            }
            let printed = e.print();
            return match (e.exit_code(), printed) {
                (0, Ok(())) => Exit::Success as u8,
                (0, Err(e)) => report(Error::write(Path::new("-"), &e)),
                _ => Exit::Usage as u8,
            };
        }
    };
    finish(cmd::check(&matches).and_then(|()| cmd::run(cli)))
}

fn finish(result: error::Result<Exit>) -> u8 {
    match result {
        Ok(exit) => exit as u8,
        Err(e) => report(e),
    }
}

/// Returns a better error for an option that other commands have.
fn hint(command: Option<&OsStr>, e: &clap::Error) -> Option<Error> {
    let named = command.is_some_and(|name| name == "pkcs8" || name == "pfx");
    let option = match e.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if e.kind() == ErrorKind::UnknownArgument => option,
        _ => return None,
    };
    (named && ["--key-file", "--key-fd"].contains(&&**option)).then(|| {
        Error::usage(format_args!(
            "{option}: these files open with a password, not with a key file"
        ))
        .remedy("use --password-file, or no option to be asked")
    })
}

fn report(e: Error) -> u8 {
    e.print();
    e.exit as u8
}
