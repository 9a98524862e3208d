//! `bulat volume open`: becomes nbdkit with the plugin.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use bulat_container::digits::encode as hex;

use super::hash;
use crate::cli::{VolumeKind, VolumeOpenArgs};
use crate::error::{Error, Exit, Result, note};
use crate::io::streams_apart;

/// Becomes nbdkit with the plugin. The secrets go through a pipe, its standard input.
pub fn open(args: &VolumeOpenArgs) -> Result<Exit> {
    let new = args.new.secret();
    streams_apart(&[args.secret.place(), new.place()])?;
    let path = std::fs::canonicalize(&args.file).map_err(|e| Error::read(&args.file, &e))?;
    let secret = args.secret.read_or_ask(false)?;
    // For the pipe: what is no line stays what it is.
    let mut lines = hex(&secret);
    lines.push(b'\n');
    if args.protect {
        if args.kind != VolumeKind::Veracrypt {
            return Err(Error::usage("--protect: only with --type veracrypt"));
        }
        note("the password of the hidden volume:");
        lines.extend(hex(&new.read_or_ask(false)?));
        lines.push(b'\n');
    }
    let lines = zeroize::Zeroizing::new(lines);
    let fail = |e: std::io::Error| Error::new(Exit::Io, format_args!("a pipe: {e}"));
    let (reader, mut writer) = std::io::pipe().map_err(fail)?;
    let mut nbdkit = Command::new("nbdkit");
    nbdkit.args(["--foreground", "--unix"]).arg(&args.socket).arg(plugin(&args.plugin));
    let mut set = |key: &str, value: &std::ffi::OsStr| {
        let mut both = std::ffi::OsString::from(key);
        both.push("=");
        both.push(value);
        nbdkit.arg(both);
    };
    set("file", path.as_os_str());
    set("secrets-fd", "0".as_ref());
    let kind = match args.kind {
        VolumeKind::Luks => "luks",
        VolumeKind::Veracrypt => "veracrypt",
        VolumeKind::Plain => "plain",
    };
    set("type", kind.as_ref());
    for file in &args.vera.keyfiles {
        let file = std::fs::canonicalize(file).map_err(|e| Error::read(file, &e))?;
        set("keyfile", file.as_os_str());
    }
    let mut say = |key: &str, value: String| set(key, value.as_ref());
    say("max-iterations", args.limits.max_iterations.to_string());
    say("max-memory", args.limits.max_memory.to_string());
    say("pim", args.vera.pim.to_string());
    if let Some(hash) = hash(&args.vera)? {
        say("hash", hash.name().into());
    }
    if let Some(slot) = args.slot {
        say("slot", slot.to_string());
    }
    if args.read_only {
        say("readonly", "true".into());
    }
    if args.discard {
        say("discard", "true".into());
    }
    if args.protect {
        say("protect", "true".into());
    }
    if args.kind == VolumeKind::Plain {
        say("cipher", args.cipher.clone());
        say("offset", args.offset.to_string());
        say("skip", args.skip.to_string());
        say("sector-size", args.sector_size.to_string());
        say("iv-large-sectors", args.iv_large_sectors.to_string());
    }
    // No more than a pipe holds: nobody reads it yet.
    if lines.len() > 60_000 {
        return Err(Error::usage("the password has more than 30000 bytes"));
    }
    writer.write_all(&lines).map_err(fail)?;
    drop(writer);
    let failed = nbdkit.stdin(Stdio::from(reader)).exec();
    Err(Error::new(Exit::Io, format_args!("nbdkit does not start: {failed}"))
        .remedy("install it (apt-get install nbdkit)"))
}

/// The plugin: as it is named, beside the program, or where nbdkit looks.
fn plugin(named: &Option<PathBuf>) -> PathBuf {
    const FILE: &str = "nbdkit-bulat-plugin.so";
    if let Some(named) = named {
        return std::fs::canonicalize(named).unwrap_or_else(|_| named.clone());
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(FILE)));
    beside.filter(|file| file.is_file()).unwrap_or_else(|| "bulat".into())
}
