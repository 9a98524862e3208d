//! `bulat encrypt`, `decrypt` and `inspect`: encrypted files.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use bulat::Direction;
use bulat::Secret;
use bulat_container::digits::hex;
use bulat_container::pipeline;
use bulat_container::{self as container, Cipher, Credential, Header, Keys, Name, Source, header};
use serde_json::json;

use super::slots;
use crate::cli::{BlockName, DecryptArgs, EncryptArgs, InspectArgs, OutArgs};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Output, Place, distinct, print, streams_apart};
use crate::progress::Progress;
use crate::secret::{KeyArgs, Octets, PasswordArgs, random};

/// The suffix that `encrypt` appends to a file's name and `decrypt` removes.
const SUFFIX: &str = "bulat";

/// Encrypts a file.
pub fn encrypt(args: &EncryptArgs) -> Result<Exit> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    inputs_apart(&args.key, &args.password, path)?;
    if !args.chunk.is_power_of_two() || !(4096..=1 << 20).contains(&args.chunk) {
        return Err(Error::usage("--chunk: a power of two from 4096 to 1048576"));
    }
    let cost = slots::cost(&args.kdf, named(&args.key))?;
    let threads = super::threads(&args.jobs)?;
    let cipher = match args.cipher {
        BlockName::Kuznyechik => Cipher::Kuznyechik,
        BlockName::Magma => Cipher::Magma,
    };
    let mut input = Input::open(path)?;
    if sealed(&input) {
        note(format_args!("warning: {}: encrypted already; this encrypts it again", name(path)));
    }
    if input.len().is_some_and(|n| n > cipher.limit()) {
        return Err(Error::container(
            path,
            path,
            container::Error::TooLong { limit: cipher.limit() },
        ));
    }
    let to = destination(&args.out, path, true)?;
    let bound = if args.bind_name { slots::bound(&to)? } else { String::new() };
    secrets_apart(&to, &args.key, &args.password)?;
    let mut output = Output::create(&to, Some(&input), args.out.force)?;
    let secret = match args.key.read(header::KEY)? {
        Some(key) => key,
        None => args.password.read_or_ask(true)?,
    };
    let source = cost.source().map_err(super::internal)?;
    let mut fresh = Secret::new([0; header::FRESH]);
    random(&mut *fresh)?;
    let to = output.path.clone();
    let fail = |e| Error::container(path, &to, e);
    let chunk_log2 = args.chunk.trailing_zeros() as u8;
    let secret = credential(&secret, source == Source::KeyFile);
    let (header, keys) =
        Header::new(cipher, chunk_log2, &bound, source, secret, &fresh).map_err(fail)?;
    let workers = Workers {
        threads,
        #[cfg(feature = "gpu")]
        engine: super::gpu::engine(&args.device.device, cipher, input.len())?,
    };
    output.write_all(&header.bytes()).map_err(|e| Error::write(&to, &e))?;
    chunks(Direction::Encrypt, &keys, &workers, &mut input, &mut output).map_err(fail)?;
    output.commit()?;
    Ok(Exit::Success)
}

/// Decrypts a file.
pub fn decrypt(args: &DecryptArgs) -> Result<Exit> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    inputs_apart(&args.key, &args.password, path)?;
    let threads = super::threads(&args.jobs)?;
    let mut input = Input::open(path)?;
    let header = read_header(&mut input)?;
    let to = destination(&args.out, path, false)?;
    let fail = |e| Error::container(path, &to, e);
    // Refuses before it asks or works: this file cannot be decrypted.
    let (key_file, limits) = (named(&args.key), slots::limits(&args.limits));
    header.openable(!key_file, &limits).map_err(fail)?;
    secrets_apart(&to, &args.key, &args.password)?;
    let mut output = Output::create(&to, Some(&input), args.out.force)?;
    let secret = match args.key.read(header::KEY)? {
        Some(key) => key,
        None => args.password.read_or_ask(false)?,
    };
    let known = if args.any_name { Name::Any } else { slots::known(path) };
    let keys = header.unlock(credential(&secret, key_file), &limits, &known).map_err(fail)?;
    let workers = Workers {
        threads,
        #[cfg(feature = "gpu")]
        engine: super::gpu::engine(&args.device.device, header.cipher, input.len())?,
    };
    let opened = chunks(Direction::Decrypt, &keys, &workers, &mut input, &mut output);
    if let Err(e) = opened {
        let error = fail(e);
        // The verified chunks before the fault are already written; the buffer holds the rest of them.
        let _ = output.flush();
        let started = output.out > 0 && error.exit == Exit::Data;
        return Err(if started {
            error.remedy("do not use the output: it is not the whole file")
        } else {
            error
        });
    }
    output.commit()?;
    Ok(Exit::Success)
}

/// The threads and devices that work on the chunks.
struct Workers {
    threads: usize,
    #[cfg(feature = "gpu")]
    engine: Option<bulat_gpu::Engine>,
}

/// Seals or opens the chunks; at any positions if both files allow it.
fn chunks(
    direction: Direction,
    keys: &Keys,
    workers: &Workers,
    input: &mut Input,
    output: &mut Output,
) -> Result<u64, container::Error> {
    let stamp = input.stamp().map_err(container::Error::Read)?;
    let done = worked(direction, keys, workers, input, output)?;
    input.unchanged(&stamp).map_err(container::Error::Read)?;
    Ok(done)
}

fn worked(
    direction: Direction,
    keys: &Keys,
    workers: &Workers,
    input: &mut Input,
    output: &mut Output,
) -> Result<u64, container::Error> {
    let mut bar = Progress::new(&name(&input.path), input.len());
    let progress = &mut |n| {
        bar.at(n);
        Ok(())
    };
    let threads = workers.threads;
    #[cfg(feature = "gpu")]
    if let Some(engine) = &workers.engine {
        let stop = input.stopper();
        let source = pipeline::Source::new(input, &stop);
        let chunks = super::gpu::BATCH / keys.chunk();
        let run = &mut |jobs: Vec<bulat::batch::Job<'_>>| super::gpu::run(engine, jobs);
        return container::in_batches(direction, keys, chunks, run, source, output, progress);
    }
    #[cfg(unix)]
    if let (Some(from), Some(to)) = (input.places(), output.places()) {
        return container::between_files(direction, keys, threads, from, to, progress);
    }
    let stop = input.stopper();
    let source = pipeline::Source::new(input, &stop);
    match direction {
        Direction::Encrypt => container::seal(keys, threads, source, output, progress),
        Direction::Decrypt => container::open(keys, threads, source, output, progress),
    }
}

/// Prints a header.
pub fn inspect(args: &InspectArgs) -> Result<Exit> {
    let mut input = Input::open(&args.file)?;
    let header = read_header(&mut input)?;
    let plain = input.len().and_then(|n| header.plaintext(n));
    if args.json {
        let mut object = super::hash::file(&args.file);
        let fields = json!({
            "format": "bulat container", "version": header::VERSION,
            "cipher": header.cipher.name(), "chunk": header.chunk(),
            "identity": hex(&header.identity), "name": slots::name_of(&header),
            "slots": slots::json(&header), "code": hex(&header.code),
            "size": plain.map(|p| p.0), "chunks": plain.map(|p| p.1), "authenticated": false,
        });
        for (field, value) in fields.as_object().into_iter().flatten() {
            object[field] = value.clone();
        }
        return print(format!("{object:#}\n")).map(|()| Exit::Success);
    }
    let mut lines = vec![
        ("format", format!("bulat container, version {}", header::VERSION)),
        ("cipher", header.cipher.name().into()),
        ("chunk", format!("{} bytes", header.chunk())),
        ("identity", hex(&header.identity)),
    ];
    lines.extend(slots::name_of(&header).map(|bound| ("bound name", name(Path::new(bound)))));
    lines.extend(slots::lines(&header).into_iter().map(|line| ("slot", line)));
    lines.push(("header code", hex(&header.code)));
    if let Some((size, chunks)) = plain {
        lines.push((
            "size",
            format!(
                "{size} bytes of plaintext in {chunks} chunk{}, if whole",
                if chunks == 1 { "" } else { "s" }
            ),
        ));
    }
    lines.push(("authenticated", "no: that needs the key".into()));
    let text: String = lines.iter().map(|(k, v)| format!("{k:18} {v}\n")).collect();
    print(text)?;
    Ok(Exit::Success)
}

/// Returns whether a regular file is a container already. A stream is not examined: its beginning would be lost.
fn sealed(input: &Input) -> bool {
    let again = || Input::open(&input.path).and_then(|mut input| read_header(&mut input));
    input.len().is_some() && input.path != Path::new("-") && again().is_ok()
}

pub fn read_header(input: &mut Input) -> Result<Header> {
    let mut octets = [0; header::LEN];
    let n = input.fill(&mut octets)?;
    Header::parse(&octets[..n]).map_err(|e| Error::container(&input.path, &input.path, e))
}

pub fn named(key: &KeyArgs) -> bool {
    key.key_file.is_some() || key.key_fd.is_some()
}

pub fn credential(secret: &Octets, key_file: bool) -> Credential<'_> {
    if key_file {
        Credential::Key(secret[..].try_into().expect("read as 32 bytes"))
    } else {
        Credential::Password(secret)
    }
}

fn inputs_apart(key: &KeyArgs, password: &PasswordArgs, data: &Path) -> Result<()> {
    streams_apart(&[key.place(), password.place(), Some(Place::named("the data", data))])
}

fn secrets_apart(output: &Path, key: &KeyArgs, password: &PasswordArgs) -> Result<()> {
    distinct(output, &[key.place(), password.place()])
}

/// Returns the output's name: as given by `-o`, else derived from the input's name, else standard output.
fn destination(out: &OutArgs, input: &Path, encrypt: bool) -> Result<PathBuf> {
    if let Some(path) = &out.output {
        return Ok(path.clone());
    }
    if input == Path::new("-") {
        if encrypt && std::io::stdout().is_terminal() {
            return Err(Error::usage("refusing to write encrypted data to a terminal")
                .remedy("name a file with -o, or -o - if you mean it"));
        }
        return Ok("-".into());
    }
    if encrypt {
        let mut name = input.as_os_str().to_os_string();
        name.push(".");
        name.push(SUFFIX);
        return Ok(name.into());
    }
    match input.extension() {
        // A file can be named "-", too.
        Some(suffix) if suffix == SUFFIX => Ok(match input.with_extension("") {
            plain if plain == Path::new("-") => "./-".into(),
            plain => plain,
        }),
        _ => Err(Error::usage(format_args!("{}: not named *.{SUFFIX}", name(input)))
            .remedy("name the output with -o")),
    }
}
