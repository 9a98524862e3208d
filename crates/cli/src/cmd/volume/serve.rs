//! `bulat volume open`: replaces this process by nbdkit with the plugin.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, PipeReader, Write as _};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bulat_container::digits::encode as hex;
use zeroize::Zeroizing;

use super::{CIPHER, cipher, hash, separate};
use crate::cli::{ServeArgs, VolumeKind, VolumeOpenArgs};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::streams_apart;

/// Replaces this process by nbdkit with the plugin.
pub fn open(args: &VolumeOpenArgs) -> Result<Exit> {
    let mut nbdkit = nbdkit(&args.serve, &socket(&args.socket)?, &[])?;
    let secrets = piped(&secrets(&args.serve)?)?;
    let failed = nbdkit.stdin(Stdio::from(secrets)).exec();
    Err(absent("nbdkit", "nbdkit", &failed))
}

/// Returns the error of a program that does not start.
pub fn absent(program: &str, package: &str, e: &std::io::Error) -> Error {
    Error::new(Exit::Io, format_args!("{program} does not start: {e}"))
        .remedy(format_args!("install it (apt-get install {package})"))
}

/// Returns the secrets in the form that the plugin reads: as digits, so that line ends in a secret do not end its line.
pub fn secrets(args: &ServeArgs) -> Result<Zeroizing<Vec<u8>>> {
    let new = args.new.secret();
    streams_apart(&[args.access.secret.place(), new.place()])?;
    let secret = match args.access.kind {
        VolumeKind::Plain => args.access.secret.read()?.ok_or_else(|| {
            Error::usage("no key given: a plain mapping has no password").remedy("use --key-file")
        })?,
        _ => args.access.secret.read_or_ask(false)?,
    };
    let mut lines = Zeroizing::new(Vec::with_capacity(1 << 16));
    lines.extend(&*Zeroizing::new(hex(&secret)));
    lines.push(b'\n');
    if args.protect {
        note("the password of the hidden volume:");
        lines.extend(&*Zeroizing::new(hex(&new.read_or_ask(false)?)));
        lines.push(b'\n');
    }
    // At most the capacity of a pipe, since nobody reads it yet.
    if lines.len() > 60_000 {
        return Err(Error::usage("the password has more than 30000 bytes"));
    }
    Ok(lines)
}

/// Returns a pipe with the secrets in it.
pub fn piped(lines: &[u8]) -> Result<PipeReader> {
    let fail = |e: std::io::Error| Error::new(Exit::Io, format_args!("a pipe: {e}"));
    let (reader, mut writer) = std::io::pipe().map_err(fail)?;
    writer.write_all(lines).map_err(fail)?;
    Ok(reader)
}

/// Returns nbdkit's command, with more options for nbdkit itself. Its standard input must have the secrets.
pub fn nbdkit(args: &ServeArgs, socket: &Path, more: &[&OsStr]) -> Result<Command> {
    let path =
        std::fs::canonicalize(&args.volume.file).map_err(|e| Error::read(&args.volume.file, &e))?;
    let mut nbdkit = Command::new("nbdkit");
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |threads| threads as usize,
    );
    nbdkit.args(["--foreground", "--threads", &threads.to_string(), "--unix"]);
    nbdkit.arg(socket).args(more).arg(plugin(&args.plugin));
    let mut set = |key: &str, value: &OsStr| {
        let mut both = OsString::from(key);
        both.push("=");
        both.push(value);
        nbdkit.arg(both);
    };
    set("file", path.as_os_str());
    if let Some(header) = &args.volume.header {
        separate(&args.volume)?;
        let header = std::fs::canonicalize(header).map_err(|e| Error::read(header, &e))?;
        set("header", header.as_os_str());
    }
    set("secrets-fd", "0".as_ref());
    set("socket", socket.as_os_str());
    set("type", args.access.kind.to_string().as_ref());
    let inner = args.inner.vera();
    for (before, vera) in [("", &args.access.vera), ("hidden-", &inner)] {
        for file in &vera.keyfiles {
            let file = std::fs::canonicalize(file).map_err(|e| Error::read(file, &e))?;
            set(&format!("{before}keyfile"), file.as_os_str());
        }
        if vera.pim != 0 {
            set(&format!("{before}pim"), vera.pim.to_string().as_ref());
        }
        if args.access.kind == VolumeKind::Veracrypt {
            if let Some(hash) = hash(before, vera)? {
                set(&format!("{before}hash"), hash.name().as_ref());
            }
            if let Some(cipher) = cipher(before, vera)? {
                set(&format!("{before}cipher"), cipher.name.as_ref());
            }
        }
    }
    let mut say = |key: &str, value: String| set(key, value.as_ref());
    if args.access.kind == VolumeKind::Luks {
        say("max-iterations", args.limits.max_iterations.to_string());
        say("max-memory", args.limits.max_memory.to_string());
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
    if args.access.kind == VolumeKind::Plain {
        say("cipher", args.access.vera.cipher.clone().unwrap_or_else(|| CIPHER.into()));
        say("offset", args.offset.to_string());
        say("skip", args.skip.to_string());
        say("sector-size", args.sector_size.to_string());
        say("iv-large-sectors", args.iv_large_sectors.to_string());
    }
    Ok(nbdkit)
}

/// Returns the socket's path. Removes a socket left behind by an earlier server, and nothing else.
fn socket(path: &Path) -> Result<PathBuf> {
    let fail = |e: std::io::Error| Error::write(path, &e);
    let path = std::path::absolute(path).map_err(fail)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(Error::at(Exit::Io, folder, "no such folder")
            .remedy(format_args!("mkdir -p -m 700 {}", name(folder))));
    }
    let Ok(metadata) = std::fs::symlink_metadata(&path) else { return Ok(path) };
    let taken = |what: &str, remedy: &str| {
        let error = Error::at(Exit::Io, &path, what);
        Err(error.remedy(remedy))
    };
    if !metadata.file_type().is_socket() {
        return taken("it exists and is not a socket", "name another with --socket");
    }
    match UnixStream::connect(&path) {
        // Left behind by a server that ended.
        Err(e) if e.kind() == ErrorKind::ConnectionRefused => {
            std::fs::remove_file(&path).map_err(fail)?;
            Ok(path)
        }
        _ => taken("a server listens there", "stop it, or name another with --socket"),
    }
}

/// Returns the plugin: as named, or next to the program, or in nbdkit's folder.
fn plugin(named: &Option<PathBuf>) -> PathBuf {
    const FILE: &str = "nbdkit-bulat-plugin.so";
    if let Some(named) = named {
        return std::fs::canonicalize(named).unwrap_or_else(|_| named.clone());
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(FILE)));
    beside.filter(|file| file.is_file()).unwrap_or_else(|| "bulat".into())
}
