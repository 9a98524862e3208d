//! The options for each kind of volume. An option that has no meaning is refused, not ignored.

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::cli::{PbkdfName, VolumeKind};
use crate::error::{Error, Result};

fn kinds(command: &str, option: &str) -> &'static [VolumeKind] {
    use VolumeKind::{Luks, Plain, Veracrypt};
    match (command, option) {
        ("create", "cipher") => &[Luks, Veracrypt],
        ("open", "cipher") => &[Veracrypt, Plain],
        ("create", "sector-size" | "header-size" | "label") => &[Luks],
        (_, "gost" | "pbkdf" | "iterations" | "memory" | "passes" | "lanes") => &[Luks],
        (_, "header" | "backup" | "slot" | "max-iterations" | "max-memory" | "repair") => &[Luks],
        (_, "keyfile" | "pim" | "hash" | "cipher" | "hidden" | "protect") => &[Veracrypt],
        (_, "hidden-keyfile" | "hidden-pim" | "hidden-hash" | "hidden-cipher") => &[Veracrypt],
        ("create" | "open", "new-password-file" | "new-password-fd" | "new-key-file") => {
            &[Veracrypt]
        }
        ("open", "offset" | "skip" | "sector-size" | "iv-large-sectors") => &[Plain],
        ("open", "password-file" | "password-fd") => &[Luks, Veracrypt],
        // For LUKS these need no password.
        ("info" | "resize" | "restore-header", "password-file" | "password-fd" | "key-file") => {
            &[Veracrypt]
        }
        _ => &[Luks, Veracrypt, Plain],
    }
}

/// Returns the option without which an option of a command has no meaning.
fn needs(command: &str, option: &str) -> Option<&'static str> {
    let with = match command {
        "create" => "hidden",
        "open" => "protect",
        _ => return None,
    };
    (option.starts_with("hidden-") || option.starts_with("new-")).then_some(with)
}

/// Refuses options of `bulat volume` that have no meaning for the kind, or without another option.
pub fn check(matches: &ArgMatches) -> Result<()> {
    let Some((command, options)) = matches.subcommand() else { return Ok(()) };
    let command = if command == "mount" { "open" } else { command };
    let kind =
        options.try_get_one::<VolumeKind>("kind").ok().flatten().copied().unwrap_or_default();
    let is_given = |id: &str| options.value_source(id) == Some(ValueSource::CommandLine);
    let pbkdf = options.try_get_one::<PbkdfName>("pbkdf").ok().flatten();
    let gost = options.try_get_one::<bool>("gost").ok().flatten().is_some_and(|gost| *gost);
    let pbkdf2 = pbkdf.map_or(gost, |name| *name == PbkdfName::Pbkdf2);
    for id in options.ids().filter(|id| is_given(id.as_str())) {
        let option = id.as_str().replace('_', "-");
        let kinds = kinds(command, &option);
        if !kinds.contains(&kind) {
            let names: Vec<String> = kinds.iter().map(|kind| format!("--type {kind}")).collect();
            return Err(Error::usage(format_args!("--{option}: not with --type {kind}"))
                .remedy(format_args!("leave it out; it goes with {}", names.join(" and "))));
        }
        if let Some(with) = needs(command, &option).filter(|with| !is_given(with)) {
            return Err(Error::usage(format_args!("--{option}: only with --{with}")));
        }
        match &*option {
            "iterations" if !pbkdf2 => {
                return Err(Error::usage("--iterations: only with --pbkdf pbkdf2 or --gost"));
            }
            "memory" | "passes" | "lanes" if pbkdf2 => {
                return Err(Error::usage(format_args!("--{option}: only with --pbkdf argon2id")));
            }
            _ => {}
        }
    }
    Ok(())
}
