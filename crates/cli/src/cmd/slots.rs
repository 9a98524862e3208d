//! `bulat key-slot`: the passwords and key files of an encrypted file; and their options for `bulat encrypt`.

use std::fs::Metadata;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bulat_container::stamp::Stamp;
use bulat_container::{
    self as container, Cost, Header, Kdf, Keys, Limits, Name, Source, Wanted, header, name as names,
};
use serde_json::{Value, json};

use crate::cli::{
    CostArgs, InspectArgs, KdfArgs, KeySlotArgs, KeySlotCommand, KeySlotRemoveArgs, PbkdfName,
};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Output, Place, print, streams_apart};
use crate::secret::{
    Bytes, KeyArgs, PasswordArgs, credential, inputs_apart, key_or_password, random,
};

/// Runs a command of `bulat key-slot`.
pub fn run(command: &KeySlotCommand) -> Result<Exit> {
    match command {
        KeySlotCommand::List(args) => list(args),
        KeySlotCommand::Add(args) => fill(args, false),
        KeySlotCommand::Change(args) => fill(args, true),
        KeySlotCommand::Remove(args) => remove(args),
    }
}

/// Checks the options of a new slot's cost.
pub fn cost(args: &KdfArgs, key_file: bool) -> Result<Cost> {
    let kdf = args.kdf.map(|kdf| match kdf {
        PbkdfName::Argon2id => "argon2id",
        PbkdfName::Pbkdf2 => "pbkdf2",
    });
    let (iterations, memory, passes) = (args.iterations, args.memory, args.passes);
    let wanted = Wanted { kdf, iterations, memory, passes };
    wanted.cost(key_file).map_err(|e| Error::usage(format_args!("--{e}")))
}

/// Returns the limits that these options set.
pub fn limits(args: &CostArgs) -> Limits {
    Limits { iterations: args.max_iterations, memory: args.max_memory }
}

/// Returns the name to bind for a container at this path.
pub fn bound(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        return Err(Error::usage("--bind-name: standard output has no name")
            .remedy("name the container with -o"));
    }
    let bound = names::bound(path).filter(|name| name.len() <= names::MOST);
    bound.ok_or_else(|| {
        Error::usage(format_args!(
            "--bind-name: {} is not in UTF-8, or longer than {} bytes",
            name(path),
            names::MOST
        ))
    })
}

/// Returns the name of a container that is read.
pub fn known(path: &Path) -> Name {
    if path == Path::new("-") { Name::Unknown } else { Name::of(path) }
}

/// Reads the header of a container.
pub fn read_header(input: &mut Input) -> Result<Header> {
    let mut bytes = [0; header::LEN];
    let n = input.fill(&mut bytes)?;
    Header::parse(&bytes[..n]).map_err(|e| Error::container(&input.path, &input.path, e))
}

/// Returns the bound name.
pub fn name_of(header: &Header) -> Option<&str> {
    Some(&*header.name).filter(|name| !name.is_empty())
}

/// Returns a line for each used slot.
pub fn lines(header: &Header) -> Vec<String> {
    let used = header.slots.iter().enumerate().filter_map(|(n, s)| Some((n, s.as_ref()?.source)));
    let line = |(n, source)| match source {
        Source::KeyFile => format!("{n}: key file"),
        Source::Password(kdf) => {
            let cost = match kdf {
                Kdf::Pbkdf2 { iterations } => format!("{iterations} iterations"),
                Kdf::Argon2id { memory, passes, lanes } => {
                    let s = |n| if n == 1 { "" } else { "s" };
                    let (p, l) = (if passes == 1 { "" } else { "es" }, s(lanes));
                    format!("{memory} KiB, {passes} pass{p}, {lanes} lane{l}")
                }
            };
            format!("{n}: password, {}, {cost}", kdf.name())
        }
    };
    used.map(line).collect()
}

/// Returns the used slots.
pub fn json(header: &Header) -> Value {
    let used = header.slots.iter().enumerate().filter_map(|(n, s)| Some((n, s.as_ref()?.source)));
    used.map(|(n, source)| match source {
        Source::KeyFile => json!({ "slot": n, "kind": "key file" }),
        Source::Password(kdf) => {
            let mut slot = json!({ "slot": n, "kind": "password", "kdf": kdf.name() });
            match kdf {
                Kdf::Pbkdf2 { iterations } => slot["iterations"] = iterations.into(),
                Kdf::Argon2id { memory, passes, lanes } => {
                    slot["memory"] = memory.into();
                    slot["passes"] = passes.into();
                    slot["lanes"] = lanes.into();
                }
            }
            slot
        }
    })
    .collect()
}

fn list(args: &InspectArgs) -> Result<Exit> {
    let header = read_header(&mut Input::open(&args.file)?.unarmored()?)?;
    print(match args.json {
        true => format!("{:#}\n", json(&header)),
        false => lines(&header).iter().map(|line| format!("{line}\n")).collect(),
    })
    .map(|()| Exit::Success)
}

/// Adds a slot, or changes the one that was opened.
fn fill(args: &KeySlotArgs, change: bool) -> Result<Exit> {
    let (new_key, new_password) = args.new.secret();
    let ([key, its_password], [new, new_its]) = (args.key.places(), new_key.places());
    streams_apart(&[
        key,
        its_password,
        args.password.place(),
        new,
        new_its,
        new_password.place(),
        Some(Place::named("the data", &args.file)),
    ])?;
    let key_file = new_key.given();
    let cost = cost(&args.kdf, key_file)?;
    let limits = limits(&args.limits);
    let mut open = Open::new(&args.file, &args.key, &args.password, &limits)?;
    if !key_file && new_password.place().is_none() {
        note("the new password:");
    }
    let secret = key_or_password(&new_key, &new_password, true)?;
    let mut salt = [0; header::SALT];
    random(&mut salt)?;
    let (source, secret) = (cost.source().map_err(super::internal)?, credential(&secret, key_file));
    let fail = |e| Error::container(&args.file, &args.file, e);
    let slot = open.keys.slot();
    let also = if change { open.empty_others(&limits).map_err(fail)? } else { String::new() };
    let taken = open.header.opened(0, secret, &limits).map_err(fail)?;
    if let Some(n) = taken.iter().find(|n| !change || **n != slot) {
        return Err(Error::at(
            Exit::Usage,
            &args.file,
            format_args!("the new key or password opens slot {n} already"),
        )
        .remedy("give another: from one of two slots removed, it would still open the file"));
    }
    let report = if change {
        open.header.change(&open.keys, slot, source, secret, &salt).map_err(fail)?;
        format!("slot {slot} is changed\n{also}")
    } else {
        let slot = open.header.add(&open.keys, source, secret, &salt).map_err(fail)?;
        format!("slot {slot} is added\n")
    };
    open.replace()?;
    print(report).map(|()| Exit::Success)
}

fn remove(args: &KeySlotRemoveArgs) -> Result<Exit> {
    inputs_apart(&args.key, &args.password, &args.file)?;
    let fail = |e| Error::container(&args.file, &args.file, e);
    let limits = limits(&args.limits);
    let mut open = Open::new(&args.file, &args.key, &args.password, &limits)?;
    let slot = args.slot.unwrap_or(open.keys.slot());
    // So that a number given by mistake cannot lock its user out.
    if args.slot == Some(open.keys.slot()) {
        return Err(Error::at(
            Exit::Usage,
            &args.file,
            format_args!("slot {slot} is the one that was opened"),
        )
        .remedy(
            "leave --slot out to remove it, or give the password or key file of another slot",
        ));
    }
    let also = match args.slot {
        None => open.empty_others(&limits).map_err(fail)?,
        Some(_) => String::new(),
    };
    open.header.remove(&open.keys, slot).map_err(fail)?;
    open.replace()?;
    print(format!("slot {slot} is removed\n{also}")).map(|()| Exit::Success)
}

/// An opened file, to change its header.
struct Open {
    input: Input,
    stamp: Option<Stamp>,
    header: Header,
    keys: Keys,
    secret: Bytes,
    key_file: bool,
}

impl Open {
    fn new(path: &Path, key: &KeyArgs, password: &PasswordArgs, limits: &Limits) -> Result<Self> {
        let fail = |e| Error::container(path, path, e);
        if path == Path::new("-") {
            return Err(
                Error::usage("standard input: its slots cannot be changed").remedy("name the file")
            );
        }
        let input = Input::open(path)?;
        if !input.metadata.as_ref().is_some_and(Metadata::is_file) {
            return Err(Error::at(Exit::Usage, path, "not a regular file"));
        }
        // Before it is read, so that another change meanwhile is noticed.
        let stamp = input.stamp().map_err(|e| Error::read(path, &e))?;
        let mut input = input.unarmored()?;
        let (header, key_file) = (read_header(&mut input)?, key.given());
        header.openable(!key_file, limits).map_err(fail)?;
        let secret = key_or_password(key, password, false)?;
        // The slots of a file under another name may be changed: that shows no text.
        let keys =
            header.unlock(credential(&secret, key_file), limits, &Name::Any).map_err(fail)?;
        Ok(Open { input, stamp, header, keys, secret, key_file })
    }

    /// Empties the slots that the secret opens besides the first, so that it opens the file no more. Returns a line for
    /// each.
    fn empty_others(&mut self, limits: &Limits) -> Result<String, container::Error> {
        let (first, mut report) = (self.keys.slot() + 1, String::new());
        let secret = credential(&self.secret, self.key_file);
        for slot in self.header.opened(first, secret, limits)? {
            self.header.remove(&self.keys, slot)?;
            report += &format!("slot {slot} is removed: it had the same key or password\n");
        }
        Ok(report)
    }

    /// Replaces the file by a copy that has the new header: at no step is there neither the old nor the new file.
    fn replace(mut self) -> Result<()> {
        let path = self.input.path.clone();
        #[cfg(unix)]
        if let Some(n @ 2..) = self.input.metadata.as_ref().map(MetadataExt::nlink) {
            note(format_args!(
                "warning: {}: the file has {n} names (hard links); this one gets the new slots, the others keep the old ones",
                name(&path)
            ));
        }
        let mut output = Output::replacing(&self.input)?;
        if self.input.armored() {
            output = output.armored();
        }
        output.put(&self.header.bytes())?;
        output.copy_rest(&mut self.input)?;
        self.input.unchanged(&self.stamp).map_err(|e| Error::read(&path, &e))?;
        output.commit()
    }
}
