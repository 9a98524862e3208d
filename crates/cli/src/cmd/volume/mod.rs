//! `bulat volume`: encrypted volumes. `bulat_block` implements the formats.

mod info;
#[cfg(target_os = "linux")]
mod mount;
pub mod options;
mod resize;
#[cfg(unix)]
mod serve;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bulat_block::hold::{self, Access};
use bulat_block::luks2::{self, Copy, Create, NewSlot};
use bulat_block::open::Secrets;
use bulat_block::system::no_dumps;
use bulat_block::veracrypt::{self, Algorithm, Place as At, Prf};
use bulat_block::{
    Apart, Error as Refusal, Hash, Kdf, Limits, Memory, Spec, Store, UNKNOWN, luks1, signs,
};

use crate::cleanup;
use crate::cli::{
    LimitArgs, PbkdfArgs, PbkdfName, VeraArgs, VolumeAddArgs, VolumeBackupArgs, VolumeChangeArgs,
    VolumeCommand, VolumeCreateArgs, VolumeFileArgs, VolumeKind, VolumeRemoveArgs,
    VolumeRestoreArgs, VolumeVerifyArgs,
};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Output, Place, distinct, print, streams_apart, sync_folder};
use crate::progress::Progress;
use crate::secret::{self, Bytes, UnlockArgs};

/// The headers of VeraCrypt that commands try, where these are not all.
const OUTER: [At; 2] = [At::Volume, At::Backup];
const BACKED_UP: [At; 2] = [At::Volume, At::Hidden];
const BACKUPS: [At; 2] = [At::Backup, At::HiddenBackup];
const RESIZED: [At; 1] = [At::Volume];

/// The bytes copied at once.
const PIECE: usize = 1 << 20;

/// Runs the command.
pub fn run(command: &VolumeCommand) -> Result<Exit> {
    no_dumps();
    let success = |()| Exit::Success;
    let done = match command {
        VolumeCommand::Create(args) => create(args).map(success),
        VolumeCommand::Open(args) => serve::open(args),
        VolumeCommand::Mount(args) => mount::mount(args),
        VolumeCommand::Unmount(args) => mount::unmount(args),
        VolumeCommand::Info(args) => info::info(args).map(success),
        VolumeCommand::AddKey(args) => add(args).map(success),
        VolumeCommand::ChangeKey(args) => change(args).map(success),
        VolumeCommand::RemoveKey(args) => remove(args).map(success),
        VolumeCommand::BackupHeader(args) => backup(args).map(success),
        VolumeCommand::RestoreHeader(args) => restore(args).map(success),
        VolumeCommand::Resize(args) => resize::resize(args).map(success),
        VolumeCommand::Verify(args) => verify(args).map(success),
    };
    let places: &[At] = match command {
        VolumeCommand::Resize(_) => &RESIZED,
        VolumeCommand::Create(_) => &OUTER,
        VolumeCommand::RestoreHeader(args) if args.from.is_none() => &BACKUPS,
        VolumeCommand::RestoreHeader(_) => &BACKED_UP,
        _ => &[],
    };
    done.map_err(|e| match kind(command) {
        (VolumeKind::Veracrypt, Some(vera)) if e.exit == Exit::Key => {
            let (hash, cipher) = (hash("", vera), cipher("", vera));
            let tried = veracrypt::tried(hash.unwrap_or(None), cipher.unwrap_or(None), places);
            e.remedy(format_args!("check the password, --keyfile and --pim ({tried})"))
        }
        _ => e,
    })
}

/// Returns the kind of volume that a command is about, and the options of VeraCrypt.
fn kind(command: &VolumeCommand) -> (VolumeKind, Option<&VeraArgs>) {
    match command {
        VolumeCommand::Create(args) => (args.kind, Some(&args.vera)),
        VolumeCommand::Open(args) => (args.serve.access.kind, Some(&args.serve.access.vera)),
        // The plugin has named the hashes and ciphers.
        VolumeCommand::Mount(args) => (args.serve.access.kind, None),
        VolumeCommand::Unmount(_) => (VolumeKind::Luks, None),
        VolumeCommand::Info(args) => (args.access.kind, Some(&args.access.vera)),
        VolumeCommand::AddKey(args) => (args.kind, Some(&args.vera)),
        VolumeCommand::ChangeKey(args) => (args.both.kind, Some(&args.both.vera)),
        VolumeCommand::RemoveKey(_) => (VolumeKind::Luks, None),
        VolumeCommand::BackupHeader(args) => (args.kind, None),
        VolumeCommand::RestoreHeader(args) => (args.access.kind, Some(&args.access.vera)),
        VolumeCommand::Resize(args) => (args.access.kind, Some(&args.access.vera)),
        VolumeCommand::Verify(args) => (args.access.kind, Some(&args.access.vera)),
    }
}

/// Converts the library's error about a file, without advice.
fn said(path: &Path, e: &Refusal) -> Error {
    let exit = match e {
        Refusal::Io(e) => return Error::read(path, e),
        Refusal::WrongKey | Refusal::Untried(_) => Exit::Key,
        Refusal::Limit(_) | Refusal::Invalid(_) | Refusal::Force(_) | Refusal::Full(_) => {
            Exit::Usage
        }
        Refusal::ReadOnly | Refusal::Memory(_) | Refusal::Busy(_) => Exit::Io,
        _ => Exit::Data,
    };
    Error::at(exit, path, e)
}

/// Returns the advice about something that is not supported, by its name.
fn remedy(what: &str) -> &'static str {
    let remedies = [
        (luks1::DETACHED, "convert a copy of it to LUKS2: cryptsetup convert --type luks2"),
        ("reencrypt", "finish the reencryption: cryptsetup reencrypt"),
        ("system's disk", "open it with VeraCrypt"),
        ("in-place encryption", "finish it with VeraCrypt"),
    ];
    let found = remedies.into_iter().find(|(word, _)| what.contains(word));
    found.map_or("open it with cryptsetup", |(_, remedy)| remedy)
}

/// Warns about the tokens of a keyslot, which know nothing of a change.
fn tokens(header: &luks2::Header, slot: u32, path: &Path, what: &str) {
    for token in header.tokens().iter().filter(|token| token.slots.contains(&slot)) {
        let (id, kind) = (token.id, &token.kind);
        note(format_args!(
            "token {id} ({kind}) {what}; to remove it: cryptsetup token remove --token-id {id} {}",
            name(path)
        ));
    }
}

/// Converts an error about a backup: advice for volumes would be wrong.
fn refused_backup(path: &Path) -> impl Fn(Refusal) -> Error + '_ {
    move |e| said(path, &e)
}

/// Converts an error about a volume, with advice.
fn refused(path: &Path) -> impl Fn(Refusal) -> Error + '_ {
    move |e| {
        let error = said(path, &e);
        let remedy = match e {
            Refusal::Unsupported(what) => remedy(&what),
            Refusal::WrongKey => "check the password, the key file, and --type",
            Refusal::Foreign => {
                "VeraCrypt volumes and plain mappings cannot be recognised: give --type"
            }
            Refusal::Limit(_) => {
                "if you trust the volume and have the time: --max-iterations, --max-memory"
            }
            Refusal::Busy(_) => {
                "unmount it, or stop the program or loop device (losetup -d) that uses it; info and backup-header still work"
            }
            Refusal::Damaged(_) => "restore the header: bulat volume restore-header",
            Refusal::Detached => "name its data, and this file with --header",
            Refusal::Short(what) if what.starts_with("the data begins") => {
                "copy the whole file or device again; or, if this is only a header, name its data, and this file with --header"
            }
            Refusal::Short(_) => "copy the whole file or device again: the present part is intact",
            Refusal::Memory(_) => "free some memory, or open the volume on a machine with more",
            Refusal::Untried(_) => {
                "check the password; open, mount and change-key try any keyslot that --slot names"
            }
            Refusal::Force(_) => "to do it anyway: --force",
            Refusal::Full(_) => "remove a keyslot that nobody needs",
            Refusal::Invalid(what) if what.contains("keyslot") => {
                "see the keyslots: bulat volume info"
            }
            Refusal::Ambiguous(_) => {
                "to keep the LUKS2 volume: bulat volume verify --repair --force"
            }
            _ => return error,
        };
        error.remedy(remedy)
    }
}

/// Like [`refused`], for a volume that may have a detached header.
fn refused_at(volume: &VolumeFileArgs) -> impl Fn(Refusal) -> Error + '_ {
    move |e| match (e, &volume.header) {
        (Refusal::Short(what), Some(_)) if what.starts_with("the data") => {
            said(&volume.file, &Refusal::Short(what))
                .remedy("copy the whole file or device again: the present part is intact")
        }
        (e @ Refusal::Damaged(_), Some(header)) => refused(header)(e).remedy(format_args!(
            "restore the header: bulat volume restore-header --header {}",
            name(header)
        )),
        (e, _) => refused(volume.header_path())(e),
    }
}

/// Like [`refused`], for a command without `--force`, or with one that means something else.
fn fail_without_force(path: &Path) -> impl Fn(Refusal) -> Error + '_ {
    move |e| match e {
        Refusal::Force(what) => Error::at(Exit::Usage, path, what)
            .remedy("to keep the volume: bulat volume restore-header --type veracrypt --force"),
        e => refused(path)(e),
    }
}

/// Opens the file or device; exclusively to write, shared to read.
fn opened(path: &Path, write: bool) -> Result<Arc<File>> {
    held(path, if write { Access::Write } else { Access::Read })
}

fn named(path: &Path) -> Result<()> {
    match path == Path::new("-") {
        true => Err(Error::usage("a volume cannot be a stream: name its file")),
        false => Ok(()),
    }
}

fn held(path: &Path, access: Access) -> Result<Arc<File>> {
    named(path)?;
    hold::open(path, access).map(Arc::new).map_err(refused(path))
}

/// Opens the header of a volume to read or change it, also while a server has the volume.
fn header(volume: &VolumeFileArgs, write: bool) -> Result<Arc<dyn Store>> {
    let path = volume.header_path();
    named(path)?;
    with_data(volume, Arc::new(hold::header(path, write).map_err(refused(path))?))
}

/// Refuses a detached header in the file of its data.
fn separate(volume: &VolumeFileArgs) -> Result<()> {
    let file = &volume.file;
    let header = volume.header.as_deref().map(|header| Place::named("the header", header));
    distinct(file, &[header]).map_err(|_| {
        let what = "the volume and its header are the same file";
        Error::at(Exit::Usage, file, what)
            .remedy("name the file of the detached header, or leave --header out")
    })
}

/// Adds the size of the data to the store of a detached header. Without --header, the file may have such a header.
fn with_data(volume: &VolumeFileArgs, store: Arc<dyn Store>) -> Result<Arc<dyn Store>> {
    let Some(path) = &volume.header else { return Ok(Apart::alone(store)) };
    separate(volume)?;
    let file = &volume.file;
    let data = held(file, Access::Look)?.size().map_err(|e| Error::read(file, &e))?;
    Ok(Arc::new(Apart::new(store, data).map_err(refused(path))?))
}

/// Returns VeraCrypt's hash; `before` is "hidden-" for a hidden volume's.
fn hash(before: &str, vera: &VeraArgs) -> Result<Option<Prf>> {
    let found = vera.hash.as_deref().map(Prf::parse).transpose();
    found.map_err(|e| Error::usage(format_args!("--{before}hash: {e}")))
}

/// Returns VeraCrypt's cipher.
fn cipher(before: &str, vera: &VeraArgs) -> Result<Option<Algorithm>> {
    let found = vera.cipher.as_deref().map(Algorithm::parse).transpose();
    found.map_err(|e| Error::usage(format_args!("--{before}cipher: {e}")))
}

/// The cipher of LUKS2 and plain volumes.
const CIPHER: &str = "kuznyechik-xts-plain64";

/// Warns about ciphers that leak by their time.
fn warn(header: &veracrypt::Header) {
    if let Some(warning) = bulat_block::cipher::warning(header.cipher.blocks) {
        note(warning);
    }
}

fn limits(args: &LimitArgs) -> Limits {
    Limits { iterations: args.max_iterations, memory: args.max_memory, ..Default::default() }
}

/// Returns the key derivation of a new password: not too cheap. Warns if opening the volume will then need an option.
fn kdf(args: &PbkdfArgs) -> Result<NewSlot> {
    let slot = chosen(args);
    let cheap = |e: Refusal| {
        Error::usage(e).remedy("see --iterations, --passes, --memory; or leave them out")
    };
    slot.kdf.check_new().map_err(cheap)?;
    if let Some(limits) = slot.kdf.beyond(&Limits::default()) {
        let option = match slot.kdf {
            Kdf::Pbkdf2 { .. } => format!("--max-iterations {}", limits.iterations),
            Kdf::Argon2 { .. } => format!("--max-memory {}", limits.memory),
        };
        note(format_args!("this password opens the volume only with {option}"));
    }
    Ok(slot)
}

/// Returns the protection of a new password. Without an option for it, a keyslot of Kuznyechik and Streebog has the like.
fn as_opened(slot: NewSlot, args: &PbkdfArgs, header: &luks2::Header, opened: u32) -> NewSlot {
    match args.pbkdf.is_none() && header.is_gost(opened) {
        true => NewSlot::gost(args.iterations),
        false => slot,
    }
}

fn chosen(args: &PbkdfArgs) -> NewSlot {
    let argon2 =
        Kdf::Argon2 { id: true, time: args.passes, memory: args.memory, lanes: args.lanes };
    let base = match args.gost {
        true => NewSlot::gost(args.iterations),
        false => NewSlot::common(Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: args.iterations }),
    };
    match args.pbkdf {
        Some(PbkdfName::Argon2id) => NewSlot { kdf: argon2, ..base },
        None if !args.gost => NewSlot { kdf: argon2, ..base },
        _ => base,
    }
}

/// Returns the secrets that open a VeraCrypt volume.
fn veracrypt(password: Bytes, vera: &VeraArgs) -> Result<Secrets> {
    let keyfiles = vera.keyfiles.iter().map(|path| secret::file(path, 1 << 20));
    Ok(Secrets {
        password,
        keyfiles: keyfiles.collect::<Result<_>>()?,
        pim: vera.pim,
        hash: hash("", vera)?,
        cipher: cipher("", vera)?,
    })
}

/// Refuses the kinds that a command does not support.
fn only(kind: VolumeKind, taken: &[VolumeKind]) -> Result<()> {
    match taken.contains(&kind) {
        true => Ok(()),
        false => Err(Error::usage(format_args!("--type: this command does not support that kind"))),
    }
}

fn create(args: &VolumeCreateArgs) -> Result<()> {
    let path = &args.volume.file;
    only(args.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let new = args.new.secret();
    streams_apart(&[args.secret.place(), new.place()])?;
    distinct(path, &[args.secret.place(), new.place()])?;
    if args.hidden.is_some() {
        return hidden(args);
    }
    named(path)?;
    if let Some(header) = &args.volume.header {
        named(header)?;
        separate(&args.volume)?;
        distinct(header, &[args.secret.place(), new.place()])?;
    }
    match (exists(path), args.size) {
        (true, Some(_)) => {
            return Err(Error::at(Exit::Usage, path, "an existing file keeps its size")
                .remedy("leave --size out, or name another file"));
        }
        (false, None) => {
            return Err(
                Error::at(Exit::Usage, path, "no such file").remedy("give --size to create it")
            );
        }
        _ => {}
    }
    let slot = (args.kind == VolumeKind::Luks).then(|| kdf(&args.pbkdf)).transpose()?;
    let data = exists(path).then(|| opened(path, true)).transpose()?;
    if let Some(store) = &data {
        // Everything that will be overwritten.
        let len = if args.wipe { u64::MAX } else { args.header_size };
        is_free(path, &**store, len, args.force)?;
        if args.volume.header.is_some() && !args.wipe {
            is_headless(path, &**store, "to overwrite it: --force --wipe")?;
        }
    }
    let existing = args.volume.header.as_deref().filter(|header| exists(header));
    let header = existing.map(|header| opened(header, true)).transpose()?;
    if let (Some(path), Some(store)) = (existing, &header) {
        // --force may be about the data.
        is_headless(
            path,
            &**store,
            "remove that file, or name another; --force does not overwrite it",
        )?;
        is_free(path, &**store, args.header_size, args.force)?;
    }
    let secret = args.secret.read_or_ask(true)?;
    let make = |header: Option<&Arc<File>>| match &data {
        Some(store) => made(args, slot, store, header, &secret),
        None => {
            whole(path, args.size.unwrap_or(0), |store| made(args, slot, store, header, &secret))
        }
    };
    match (&args.volume.header, &header) {
        // It gets its name last, so nothing opens data that is not wiped.
        (Some(path), None) => whole(path, args.header_size, |header| make(Some(header))),
        (_, header) => make(header.as_ref()),
    }
}

fn exists(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// Refuses a store with a LUKS header.
fn is_headless(path: &Path, store: &dyn Store, remedy: &str) -> Result<()> {
    luks2::check_data(store, 0).map_err(|e| match e {
        Refusal::Force(_) => Error::at(Exit::Usage, path, "there is a LUKS header").remedy(remedy),
        e => refused(path)(e),
    })
}

/// Refuses to overwrite anything in a store, unless forced.
fn is_free(path: &Path, store: &dyn Store, len: u64, force: bool) -> Result<()> {
    match signs::look(store, len).map_err(refused(path))? {
        Some(what) if !force => Err(Error::at(Exit::Usage, path, format_args!("there is {what}"))
            .remedy("to overwrite it: --force")),
        _ => Ok(()),
    }
}

/// Makes a file, which gets its name only when it is complete.
fn whole<T>(path: &Path, size: u64, make: impl FnOnce(&Arc<File>) -> Result<T>) -> Result<T> {
    let folder = path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
    let fail = |e: std::io::Error| Error::write(path, &e);
    let temporary = cleanup::watched(|| {
        tempfile::Builder::new().prefix(".bulat.").suffix(".part").tempfile_in(folder)
    })
    .map_err(fail)?;
    temporary.as_file().set_len(size).map_err(fail)?;
    let made = make(&Arc::new(temporary.reopen().map_err(fail)?))?;
    let place = temporary.path().to_path_buf();
    cleanup::settled(&place, || temporary.persist_noclobber(path)).map_err(|e| fail(e.error))?;
    sync_folder(path);
    Ok(made)
}

fn made(
    args: &VolumeCreateArgs,
    slot: Option<NewSlot>,
    store: &Arc<File>,
    header: Option<&Arc<File>>,
    secret: &[u8],
) -> Result<()> {
    let path = &args.volume.file;
    let fail = refused(path);
    let volume = match slot {
        None => {
            cheap_pim(secret, &args.vera);
            let key = veracrypt(secret.to_vec().into(), &args.vera)?.key().map_err(&fail)?;
            let header = veracrypt::create(&**store, &key, None).map_err(&fail)?;
            warn(&header);
            header.open(store.clone(), true)
        }
        Some(slot) => {
            let size = luks2::SIZES[0];
            let keyslots = args.header_size.checked_sub(2 * size).ok_or_else(|| {
                Error::usage(format_args!("--header-size: at least {}", 2 * size + 258_048))
            })?;
            let cipher = args.vera.cipher.as_deref().unwrap_or(CIPHER);
            let spec =
                Spec::parse(cipher).map_err(|e| Error::usage(format_args!("--cipher: {e}")))?;
            let new = Create {
                spec,
                sector: args.sector_size,
                keyslots,
                label: args.label.clone(),
                ..Create::new(slot)
            };
            let make = |store: &dyn Store, path: &Path| {
                new.make(store, secret, &mut |_| ()).map_err(refused(path))
            };
            let (header, key) = match header {
                None => make(&**store, path)?,
                Some(header) => {
                    let (at, data) = (args.volume.header_path(), store.size());
                    let data = data.map_err(|e| Error::read(path, &e))?;
                    make(&Apart::new(header.clone(), data).map_err(refused(at))?, at)?
                }
            };
            header.open(store.clone(), &key, true)
        }
    }
    .map_err(&fail)?;
    if args.wipe {
        let bar = Progress::new(&name(path), Some(volume.len()));
        let mut at = 0;
        while at < volume.len() {
            let n = (volume.len() - at).min(4 << 20);
            volume.zero_at(at, n).map_err(&fail)?;
            at += n;
            bar.at(at);
        }
    }
    volume.sync().map_err(fail)
}

/// Warns about a combination that VeraCrypt refuses: a short password with few iterations.
fn cheap_pim(password: &[u8], vera: &VeraArgs) {
    let argon2 =
        vera.hash.as_deref().is_some_and(|name| Prf::parse(name).ok() == Some(Prf::Argon2id));
    let least = if argon2 { 12 } else { 485 };
    if password.len() < 20 && (1..least).contains(&vera.pim) {
        note(format_args!(
            "a PIM below {least} with a password of less than 20 characters: it is cheap to guess"
        ));
    }
}

/// Makes a hidden volume in the one that the password opens.
fn hidden(args: &VolumeCreateArgs) -> Result<()> {
    let (path, fail) = (&args.volume.file, refused(&args.volume.file));
    let store = opened(path, true)?;
    let outer = veracrypt(args.secret.read_or_ask(false)?, &args.vera)?;
    let header = outer.header(&*store, &OUTER).map_err(&fail)?;
    header.check_beginning(&*store).map_err(fail_without_force(path))?;
    note("the password of the hidden volume:");
    let password = args.new.secret().read_or_ask(true)?;
    let inner = args.inner.vera();
    cheap_pim(&password, &inner);
    let secrets = Secrets {
        hash: hash("hidden-", &inner)?,
        cipher: cipher("hidden-", &inner)?,
        ..veracrypt(password, &VeraArgs { hash: None, cipher: None, ..inner })?
    };
    let key = secrets.key().map_err(&fail)?;
    warn(&veracrypt::create(&*store, &key, args.hidden).map_err(&fail)?);
    Ok(())
}

/// Returns the header and its volume key.
fn unlocked(
    store: &dyn Store,
    volume: &VolumeFileArgs,
    secret: &UnlockArgs,
    args: &LimitArgs,
    slot: Option<u32>,
) -> Result<(luks2::Header, Bytes, u32)> {
    let header = luks2_header(store, volume)?;
    let secret = secret.read_or_ask(false)?;
    let unlocked = header.unlock(store, &secret, slot, &limits(args));
    let (key, slot) = unlocked.map_err(refused_at(volume))?;
    Ok((header, key, slot))
}

/// Returns a header that can be changed.
fn luks2_header(store: &dyn Store, volume: &VolumeFileArgs) -> Result<luks2::Header> {
    let fail = refused_at(volume);
    if luks1::begins(store).map_err(&fail)? {
        luks1::Header::read(store).map_err(&fail)?;
        return Err(Error::at(
            Exit::Usage,
            &volume.file,
            "LUKS1 volumes can be opened, but not changed",
        )
        .remedy("convert it with cryptsetup, or make a LUKS2 volume and copy the data"));
    }
    Ok(luks2::read(store).map_err(fail)?.header)
}

fn add(args: &VolumeAddArgs) -> Result<()> {
    only(args.kind, &[VolumeKind::Luks])?;
    let new = args.new.secret();
    streams_apart(&[args.secret.place(), new.place()])?;
    let slot = kdf(&args.pbkdf)?;
    let (store, at) = (header(&args.volume, true)?, &args.volume);
    let (mut header, key, opened) = unlocked(&*store, at, &args.secret, &args.limits, None)?;
    let slot = as_opened(slot, &args.pbkdf, &header, opened);
    let secret = asked(&new)?;
    let slot = header.add(&*store, &key, &secret, &slot, args.slot);
    let slot = slot.map_err(refused_at(&args.volume))?;
    print(format!("keyslot {slot}\n"))
}

fn asked(new: &UnlockArgs) -> Result<Bytes> {
    if new.place().is_none() {
        note("the new password:");
    }
    new.read_or_ask(true)
}

fn change(args: &VolumeChangeArgs) -> Result<()> {
    let (backup, args) = (args.backup.as_deref(), &args.both);
    only(args.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let (new, fail) = (args.new.secret(), refused_at(&args.volume));
    if let Some(output) = backup {
        if output == Path::new("-") {
            return Err(Error::usage("--backup: it must be a file"));
        }
        if exists(output) {
            return Err(Error::at(Exit::Io, output, "already exists")
                .remedy("name a new file with --backup"));
        }
    }
    streams_apart(&[args.secret.place(), new.place()])?;
    let store = header(&args.volume, true)?;
    if args.kind == VolumeKind::Veracrypt {
        // Keyfiles, PIM and hash do not change.
        let secrets = veracrypt(args.secret.read_or_ask(false)?, &args.vera)?;
        let header = secrets.header(&*store, &At::ALL).map_err(&fail)?;
        header.check_beginning(&*store).map_err(fail_without_force(&args.volume.file))?;
        header.check_end(&*store).map_err(&fail)?;
        let key = secrets.key_of(&asked(&new)?).map_err(&fail)?;
        return header.write(&*store, &key).map_err(&fail);
    }
    let new_slot = kdf(&args.pbkdf)?;
    let at = &args.volume;
    let (mut header, key, slot) = unlocked(&*store, at, &args.secret, &args.limits, args.slot)?;
    let new_slot = as_opened(new_slot, &args.pbkdf, &header, slot);
    let secret = asked(&new)?;
    let changed = match (header.change(&*store, &key, &secret, &new_slot, slot), backup) {
        (Err(Refusal::Full(_)), Some(output)) => {
            let whole = header.backup(&*store).map_err(&fail)?;
            Output::private(output, None, false)?.finish(&whole)?;
            note(format_args!(
                "{}: with this backup the old password still opens the volume",
                name(output)
            ));
            header.change_in_place(&*store, &key, &secret, &new_slot, slot)
        }
        (changed, _) => changed,
    };
    changed.map_err(|e| match (e, backup) {
        (e @ Refusal::Full(_), None) => fail(e).remedy(
            "remove a keyslot that nobody needs; or, to change the password in its place: --backup FILE",
        ),
        (e @ Refusal::Io(_), Some(output)) => fail(e).remedy(format_args!(
            "if neither password opens it: restore-header --force --from {}",
            name(output)
        )),
        (e, _) => fail(e),
    })?;
    let what = "stays on this keyslot, and its program may destroy the new password";
    tokens(&header, slot, args.volume.header_path(), what);
    Ok(())
}

fn remove(args: &VolumeRemoveArgs) -> Result<()> {
    let (path, at) = (args.volume.header_path(), &args.volume);
    let (store, fail) = (header(&args.volume, true)?, refused_at(&args.volume));
    let (mut header, slot) = match args.slot {
        Some(slot) => {
            let header = luks2_header(&*store, &args.volume)?;
            header.may_remove(slot, args.force).map_err(&fail)?;
            // A password that stays, so that a typing error cannot lock everybody out. With --force there may be none
            // to try.
            let stays = header.may_remove(slot, false).is_ok();
            let secret = match args.force {
                true => args.secret.read()?.filter(|_| stays),
                false => Some(args.secret.read_or_ask(false)?),
            };
            if let Some(secret) = secret {
                let limits = limits(&args.limits);
                let stays = header.unlock_without(&*store, &secret, slot, &limits);
                stays.map_err(|e| match e {
                    Refusal::WrongKey => Error::at(
                        Exit::Key,
                        path,
                        format_args!("the password opens no keyslot but {slot}"),
                    )
                    .remedy("give a password of another keyslot, or --force without any"),
                    e => fail(e),
                })?;
            }
            (header, slot)
        }
        None => {
            let (header, _, slot) = unlocked(&*store, at, &args.secret, &args.limits, None)?;
            (header, slot)
        }
    };
    let before = header.clone();
    header.remove(&*store, slot, args.force).map_err(fail)?;
    tokens(&before, slot, path, "has lost this keyslot");
    print(format!("keyslot {slot} is destroyed\n"))
}

fn backup(args: &VolumeBackupArgs) -> Result<()> {
    only(args.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let path = args.volume.header_path();
    named(path)?;
    let store = Arc::new(hold::unchanged(path).map_err(|e| match e {
        e @ Refusal::Busy(_) => said(path, &e).remedy("run it again when that has ended"),
        e => refused(path)(e),
    })?);
    let (store, fail) = (with_data(&args.volume, store)?, refused_at(&args.volume));
    let beginning = || {
        let len = store.size()?.min(veracrypt::GROUP);
        let mut bytes = vec![0; len as usize];
        store.read_at(&mut bytes, 0).map(|()| bytes)
    };
    let before = beginning().map_err(|e| fail(e.into()))?;
    // For LUKS2, both copies of the header as they should be; otherwise the present bytes.
    let (whole, len) = match args.kind {
        VolumeKind::Luks if luks1::begins(&*store).map_err(&fail)? => {
            (None, luks1::Header::read(&*store).map_err(&fail)?.end)
        }
        VolumeKind::Luks => {
            let header = luks2::read(&*store).map_err(&fail)?.header;
            (Some(header.backup(&*store).map_err(&fail)?), header.area())
        }
        // VeraCrypt's headers look like noise: the first 128 KiB.
        _ => (None, veracrypt::GROUP),
    };
    let source = |path| Some(Place::named("the volume", path));
    distinct(&args.output, &[source(path), source(&args.volume.file)])?;
    let mut output = Output::private(&args.output, None, args.force)?;
    let mut piece = Vec::new();
    for at in (0..len).step_by(PIECE) {
        let n = (len - at).min(PIECE as u64) as usize;
        let bytes = match &whole {
            Some(whole) => &whole[at as usize..at as usize + n],
            None => {
                piece.resize(n, 0);
                store.read_at(&mut piece, at).map_err(|e| fail(e.into()))?;
                &piece
            }
        };
        output.put(bytes)?;
    }
    // Other programs may change the header while it is copied.
    if beginning().map_err(|e| fail(e.into()))? != before {
        let what = "the header changed during the copy";
        return Err(Error::at(Exit::Io, path, what).remedy("run it again"));
    }
    output.commit()
}

fn restore(args: &VolumeRestoreArgs) -> Result<()> {
    only(args.access.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let fail = refused(args.volume.header_path());
    let store = with_data(&args.volume, opened(args.volume.header_path(), true)?)?;
    let backup = args.from.as_deref().map(|from| opened(from, false)).transpose()?;
    if args.access.kind == VolumeKind::Luks {
        let (Some(from), Some(path)) = (&backup, &args.from) else {
            return Err(Error::usage("no backup given: --from FILE"));
        };
        luks2::check_backup(&**from).map_err(refused_backup(path))?;
        return luks2::restore(&*store, &**from, args.force).map(drop).map_err(&fail);
    }
    // The header is written only if the password opens it.
    let secrets = veracrypt(args.access.secret.read_or_ask(false)?, &args.access.vera)?;
    let header = match (&backup, &args.from) {
        (Some(from), Some(path)) => {
            let mut bytes = vec![0; veracrypt::GROUP as usize];
            from.read_at(&mut bytes, 0).map_err(|e| refused_backup(path)(e.into()))?;
            secrets.header(&Memory::new(bytes), &BACKED_UP).map_err(refused_backup(path))?
        }
        _ => secrets.header(&*store, &BACKUPS).map_err(&fail)?,
    };
    // The header's data must be in this store.
    header.open(store.clone(), false).map_err(&fail)?;
    if !args.force {
        header.check_beginning(&*store).map_err(&fail)?;
        if args.from.is_some() {
            is_its_volume(&*store, &secrets, &header).map_err(&fail)?;
        }
    }
    let key = secrets.key().map_err(&fail)?;
    header.write(&*store, &key).map_err(&fail)
}

/// Refuses to restore a backup to a store that does not seem to be its volume. Nothing can be lost if the store holds
/// zeros, or a header that opens and has the backup's keys.
fn is_its_volume(
    store: &dyn Store,
    secrets: &Secrets,
    header: &veracrypt::Header,
) -> Result<(), Refusal> {
    let Some(what) = signs::look(store, veracrypt::GROUP)? else { return Ok(()) };
    if let Some(what) = signs::sign(store)? {
        return Err(Refusal::Force(format!("there is {what}")));
    }
    match secrets.header(store, &At::ALL) {
        Ok(existing) if existing.is_same_volume(header) => Ok(()),
        Ok(_) => Err(Refusal::Force("the backup is of another volume".into())),
        Err(Refusal::WrongKey | Refusal::Damaged(_)) => Err(Refusal::Force(format!(
            "there is {what}, and no header here opens with this password"
        ))),
        Err(e) => Err(e),
    }
}

fn verify(args: &VolumeVerifyArgs) -> Result<()> {
    only(args.access.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let path = args.volume.header_path();
    let (store, fail) = (header(&args.volume, args.repair)?, refused_at(&args.volume));
    if args.access.kind == VolumeKind::Veracrypt {
        let secrets = veracrypt(args.access.secret.read_or_ask(false)?, &args.access.vera)?;
        let (mut found, mut lacking) = (Vec::new(), None);
        for at in At::ALL {
            match secrets.header(&*store, &[at]) {
                Ok(header) => {
                    header.open(store.clone(), false).map_err(&fail)?;
                    print(format!("{}: opens\n", at.name()))?;
                    found.push(at);
                }
                Err(Refusal::WrongKey) => {}
                Err(e @ Refusal::Memory(_)) => lacking = Some(e),
                Err(e @ Refusal::Damaged(_)) => print(format!("{}: {e}\n", at.name()))?,
                Err(e) => return Err(fail(e)),
            }
        }
        if lacking.is_some() && !found.is_empty() {
            note("Argon2id was not tried everywhere, for lack of memory");
        }
        return match &found[..] {
            // With more memory the password may be right.
            [] => Err(fail(lacking.unwrap_or(Refusal::WrongKey))),
            [one] => {
                let which = if *one == one.backup() { "first" } else { "backup" };
                Err(Error::at(Exit::Data, path, format_args!("the {which} header does not open"))
                    .remedy("bulat volume restore-header --type veracrypt"))
            }
            _ => Ok(()),
        };
    }
    let secret = args.access.secret.read()?;
    if luks1::begins(&*store).map_err(&fail)? {
        let header = luks1::Header::read(&*store).map_err(&fail)?;
        print("header: good (LUKS1 has one copy and no checksum)\n")?;
        if let Some(secret) = secret {
            let (_, slot) =
                header.unlock(&*store, &secret, &limits(&args.limits)).map_err(&fail)?;
            print(format!("keyslot {slot}: opens\n"))?;
        }
        return Ok(());
    }
    let find = if args.force { luks2::find } else { luks2::read };
    let mut found = find(&*store).map_err(&fail)?;
    let mut whole = true;
    for (which, copy) in [("first", &found.first), ("second", &found.second)] {
        whole &= *copy == Copy::Good;
        let state = match copy {
            Copy::Good => "good".into(),
            Copy::Older => "whole, older than the other".into(),
            Copy::Damaged(what) => format!("damaged: {what}"),
        };
        print(format!("{which} copy of the header: {state}\n"))?;
    }
    if let Some(secret) = secret {
        let unlocked = found.header.unlock(&*store, &secret, None, &limits(&args.limits));
        let (key, slot) = unlocked.map_err(&fail)?;
        let is_alone = store.apart() == Some(UNKNOWN);
        if !is_alone {
            let data = match args.volume.header {
                Some(_) => held(&args.volume.file, Access::Look)?,
                None => store.clone(),
            };
            found.header.open(data, &key, false).map_err(&fail)?;
        }
        print(format!("keyslot {slot}: opens\n"))?;
        if is_alone {
            print("data: not checked, because this file has only its header\n")?;
        }
    } else {
        print("keyslots: not tried, because no password was given\n")?;
    }
    if whole {
        return Ok(());
    }
    if args.repair {
        found.header.rewrite(&*store).map_err(&fail)?;
        return print("both copies have been rewritten\n");
    }
    Err(Error::at(Exit::Data, path, "one copy of the header is damaged or old")
        .remedy("rewrite it: bulat volume verify --repair"))
}

#[cfg(not(unix))]
mod serve {
    use crate::cli::VolumeOpenArgs;
    use crate::error::{Error, Exit, Result};

    pub fn open(_: &VolumeOpenArgs) -> Result<Exit> {
        Err(Error::usage("nbdkit does not run on this system"))
    }
}

#[cfg(not(target_os = "linux"))]
mod mount {
    use crate::cli::{VolumeMountArgs, VolumeUnmountArgs};
    use crate::error::{Error, Exit, Result};

    pub fn mount(_: &VolumeMountArgs) -> Result<Exit> {
        Err(Error::usage("this needs Linux, with FUSE and loop devices"))
    }

    pub fn unmount(_: &VolumeUnmountArgs) -> Result<Exit> {
        Err(Error::usage("this needs Linux, with FUSE and loop devices"))
    }
}
