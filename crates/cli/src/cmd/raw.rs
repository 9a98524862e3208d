//! `bulat raw`: any mode with explicit key and IV, byte-compatible with other tools.

use std::path::Path;

use bulat::ParamSet;
use bulat::algorithm::{AeadSession, Algorithm, CipherSession, Iv, Kind, Padding, Params, Session};
use bulat::{Direction, Error as Refusal};
use zeroize::Zeroizing;

use super::internal;
use crate::cli::{PaddingName, RawArgs, RawCommand, Switch, Tuning};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Output, Piece, Place, distinct, streams_apart, through};
use crate::secret::{hex_option, small_file};

/// MGM is decrypted in memory, so that nothing is written before the tag is checked. The help of `raw` states this
/// limit.
const AEAD_LIMIT: usize = 1 << 30;

/// Encrypts or decrypts.
pub fn run(command: &RawCommand) -> Result<Exit> {
    let (args, direction) = match command {
        RawCommand::Encrypt(args) => (args, Direction::Encrypt),
        RawCommand::Decrypt(args) => (args, Direction::Decrypt),
    };
    let algorithm = super::algorithm(&args.cipher, &[Kind::Cipher, Kind::Aead], "cipher")?;
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let tag_file = || args.tag_file.as_deref().map(|tag| Place::named("the tag's file", tag));
    let aad = args.aad_file.as_deref();
    let aad_file = || aad.map(|aad| Place::named("the file of associated data", aad));
    let data = || Some(Place::named("the input", path));
    let tag_input = if direction == Direction::Decrypt { tag_file() } else { None };
    let [key, password] = args.key.places();
    streams_apart(&[key, password, data(), aad_file(), tag_input])?;
    let aead = [
        ("--aad", args.aad.is_some()),
        ("--aad-file", args.aad_file.is_some()),
        ("--tag", args.tag.is_some()),
        ("--tag-file", args.tag_file.is_some()),
        ("--tag-len", args.tag_len.is_some()),
    ];
    if let (Kind::Cipher, Some((option, _))) = (algorithm.kind, aead.iter().find(|o| o.1)) {
        return Err(Error::usage(format_args!(
            "{option}: {} authenticates nothing",
            algorithm.name
        ))
        .remedy("choose an MGM mode, or compute a MAC with `bulat mac`"));
    }
    let key = args.key.read(algorithm.key)?;
    let iv = hex_option("--iv", &args.tuning.iv)?;
    let mut params = Params::new(&key).iv(&iv).direction(direction);
    tuned(&mut params, &args.tuning)?;
    params.padding = padding(args, algorithm);
    params.s = args.s;
    params.tag_len = args.tag_len;
    let session = algorithm.session(&params).map_err(|e| refused(algorithm, e))?;
    let mut input = Input::open(path)?;
    let to = args.out.output.as_deref().unwrap_or(Path::new("-"));
    let [key, password] = args.key.places();
    distinct(to, &[key, password, aad_file(), tag_file()])?;
    if let (Some(tag), Direction::Encrypt) = (&args.tag_file, direction) {
        let [key, password] = args.key.places();
        distinct(tag, &[data(), key, password, aad_file()])?;
    }
    let stamp = input.stamp().map_err(|e| Error::read(path, &e))?;
    let mut output = Output::create(to, Some(&input), args.out.force)?;
    let tag = match (session, direction) {
        (Session::Aead(session), Direction::Encrypt) => {
            seal(args, algorithm, session, &mut input, &mut output)?
        }
        (Session::Aead(session), Direction::Decrypt) => {
            open(args, algorithm, session, &mut input, &mut output)?;
            None
        }
        (session, _) => {
            let session = session.cipher().map_err(internal)?;
            transform(args, algorithm, session, &mut input, &mut output)?;
            None
        }
    };
    input.unchanged(&stamp).map_err(|e| Error::read(path, &e))?;
    // The tag first: without it the text could not be decrypted. If both replace files with --force and the second
    // commit fails, the old text remains, with the new tag.
    tag.map_or(Ok(()), Output::commit)?;
    output.commit().map(|()| Exit::Success)
}

/// Encrypts or decrypts without authentication.
fn transform(
    args: &RawArgs,
    algorithm: &Algorithm,
    mut session: CipherSession,
    input: &mut Input,
    output: &mut Output,
) -> Result<()> {
    if let Err(e) = pass(args, algorithm, input, output, |text| session.update(text)) {
        return Err(match output.out {
            n @ 1.. if e.exit == Exit::Limit => e.remedy(format_args!(
                "the {n} bytes that are written are right; encrypt the rest with another IV"
            )),
            _ => e,
        });
    }
    let mut rest = Zeroizing::new(vec![0; session.held()]);
    let n = session.finalize(&mut rest).map_err(|e| data(algorithm, &input.path, e))?;
    output.put(&rest[..n])
}

/// Seals. Returns the tag's file, if there is one, complete but without its name.
fn seal(
    args: &RawArgs,
    algorithm: &Algorithm,
    mut session: AeadSession,
    input: &mut Input,
    output: &mut Output,
) -> Result<Option<Output>> {
    give_aad(args, algorithm, &mut session)?;
    // Refuses before any work if this cannot succeed.
    let mut tag_file = match &args.tag_file {
        Some(path) => Some(Output::create(path, None, args.out.force)?),
        None => None,
    };
    let bytes =
        pass(args, algorithm, input, output, |text| session.update(text).map(|()| text.len()))?;
    let tag = session.finalize().map_err(|e| data(algorithm, &input.path, e))?;
    if bytes + tag.len() as u64 > AEAD_LIMIT as u64 {
        note(format_args!(
            "warning: {}: `bulat raw decrypt` accepts authenticated data up to {AEAD_LIMIT} bytes, including \
             the tag; for longer files use `bulat encrypt`",
            name(&input.path)
        ));
    }
    tag_file.as_mut().unwrap_or(output).put(&tag)?;
    Ok(tag_file)
}

/// Passes the input through `update`, which returns how many bytes of a piece to write. Returns their total.
fn pass(
    args: &RawArgs,
    algorithm: &Algorithm,
    input: &mut Input,
    output: &mut Output,
    mut update: impl FnMut(&mut [u8]) -> Result<usize, Refusal> + Send,
) -> Result<u64> {
    let (path, mut bytes) = (input.path.clone(), 0u64);
    let update = |piece: &mut Piece| {
        let text = &mut piece.bytes[..piece.read];
        piece.len = update(text).map_err(|e| data(algorithm, &path, e))?;
        Ok(())
    };
    let progress = input.progress();
    through(super::threads(&args.jobs)?, input, &progress, update, |piece| {
        bytes += piece.len as u64;
        output.put(&piece.bytes[..piece.len])
    })?;
    Ok(bytes)
}

fn open(
    args: &RawArgs,
    algorithm: &Algorithm,
    mut session: AeadSession,
    input: &mut Input,
    output: &mut Output,
) -> Result<()> {
    let mut text = input.all(AEAD_LIMIT)?.ok_or_else(|| {
        let what = format_args!(
            "longer than {AEAD_LIMIT} bytes, too long to verify with MGM before anything is written"
        );
        Error::at(Exit::Usage, &input.path, what)
            .remedy("use `bulat encrypt`, which verifies chunk by chunk")
    })?;
    let tag = match (&args.tag, &args.tag_file) {
        (Some(tag), _) => hex_option("--tag", tag)?,
        (None, Some(path)) => small_file(path)?,
        (None, None) => {
            let n = args.tag_len.unwrap_or(algorithm.out);
            let at = text
                .len()
                .checked_sub(n)
                .ok_or_else(|| Error::at(Exit::Data, &input.path, "shorter than a tag"))?;
            text.split_off(at)
        }
    };
    let fail = |e| data(algorithm, &input.path, e);
    give_aad(args, algorithm, &mut session)?;
    session.open(&mut text, &tag).map_err(fail)?;
    output.put(&text)
}

fn give_aad(args: &RawArgs, algorithm: &Algorithm, session: &mut AeadSession) -> Result<()> {
    let aad = match (&args.aad, &args.aad_file) {
        (Some(digits), _) => hex_option("--aad", digits)?,
        (None, Some(path)) => small_file(path)?,
        (None, None) => return Ok(()),
    };
    session.aad(&aad).map_err(|e| refused(algorithm, e))
}

/// Returns PKCS #7 where OpenSSL pads, or the chosen padding.
fn padding(args: &RawArgs, algorithm: &Algorithm) -> Padding {
    let padded = ["-ecb", "-cbc"].iter().any(|mode| algorithm.name.contains(mode));
    match args.padding {
        Some(PaddingName::None) => Padding::None,
        Some(PaddingName::Pkcs7) => Padding::Pkcs7,
        Some(PaddingName::Procedure1) => Padding::Procedure1,
        Some(PaddingName::Procedure2) => Padding::Procedure2,
        None if args.nopad || !padded => Padding::None,
        None => Padding::Pkcs7,
    }
}

/// Sets the less common parameters.
pub fn tuned(params: &mut Params<'_>, tuning: &Tuning) -> Result<()> {
    params.section = tuning.section;
    params.meshing = tuning.meshing.map(|m| m == Switch::On);
    params.sboxes = tuning.sbox.as_deref().map(sboxes).transpose()?.map(Into::into);
    Ok(())
}

fn sboxes(name: &str) -> Result<ParamSet> {
    ParamSet::find(name).ok_or_else(|| {
        Error::usage(format_args!("--sbox {name}: no such S-boxes"))
            .remedy("test, a, b, c, d, z, hash-test or hash-cryptopro")
    })
}

/// Converts the refusal of a parameter to an error.
pub fn refused(algorithm: &Algorithm, e: Refusal) -> Error {
    let a = algorithm.name;
    let what = match e {
        Refusal::IvLength => match algorithm.iv {
            Iv::None => format!("{a} has no IV"),
            Iv::Exact(n) => format!("--iv: {a} needs {n} bytes, {} hexadecimal digits", 2 * n),
            Iv::Multiple(n) => format!("--iv: {a} needs {n} bytes or a multiple of that"),
            Iv::Optional(n) => format!("--iv: {a} needs {n} bytes or none"),
            Iv::Between(n, most) => format!("--iv: {a} needs {n} to {most} bytes"),
        },
        Refusal::KeyLength => format!("the key: {a} needs {} bytes", algorithm.key),
        Refusal::Nonce => format!("--iv: {e}"),
        Refusal::EqualKeys => format!("the key: {e}"),
        Refusal::TagLength => {
            format!(
                "--tag-len: {a} has no tags of that length; a full tag has {} bytes",
                algorithm.out
            )
        }
        Refusal::Order => format!("{a} has no associated data"),
        Refusal::Parameter => format!("{a} does not accept one of the options, or not this value"),
        e => format!("{a}: {e}"),
    };
    Error::usage(what).remedy("see: bulat list")
}

/// Converts the refusal of data to an error.
fn data(algorithm: &Algorithm, path: &Path, e: Refusal) -> Error {
    let n = algorithm.block;
    let path = name(path);
    match e {
        Refusal::Verify => {
            Error::new(Exit::Mismatch, format_args!("{path}: the tag does not match"))
                .remedy("check key, IV and associated data; or the data was changed")
        }
        Refusal::TagLength => Error::usage(format_args!(
            "{path}: the tag does not have the expected length, {} bytes or that of --tag-len",
            algorithm.out
        ))
        .remedy("if a shorter one was agreed on, give its length with --tag-len"),
        Refusal::DataLength => {
            Error::new(Exit::Data, format_args!("{path}: not whole blocks of {n} bytes"))
                .remedy("choose a --padding, or check that the file is whole")
        }
        Refusal::Padding => Error::new(Exit::Data, format_args!("{path}: wrong padding"))
            .remedy("check key and IV; for data without padding: --nopad"),
        Refusal::Limit => Error::new(Exit::Limit, format_args!("{path}: {}: {e}", algorithm.name))
            .remedy("split it: each part with another IV; or use `bulat encrypt`"),
        e => Error::new(Exit::Data, format_args!("{path}: {e}")),
    }
}
