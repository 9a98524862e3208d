//! `bulat mac`: prints and verifies authentication codes.

use bulat::algorithm::{Kind, Params, Session};
use bulat_cli::sums::{self, Style};
use bulat_container::digits::hex;

use super::raw::{refused, tuned};
use super::{file_object, files, internal};
use crate::cli::MacArgs;
use crate::error::{Error, Exit, Result};
use crate::io::{Input, Piece, Place, bytes_of, print, streams_apart, through};
use crate::secret::hex_option;

/// Runs `bulat mac`.
pub fn run(args: &MacArgs) -> Result<Exit> {
    let algorithm = super::algorithm(&args.algorithm, &[Kind::Mac], "MAC")?;
    let tag = args.verify.as_deref().map(|t| hex_option("--verify", t)).transpose()?;
    let paths = files(&args.files);
    if tag.is_some() && paths.len() > 1 {
        return Err(Error::usage("--verify needs exactly one file"));
    }
    for path in &paths {
        let [key, password] = args.key.places();
        streams_apart(&[key, password, Some(Place::named("the data", path))])?;
    }
    let key = args.key.read(algorithm.key)?;
    let iv = hex_option("--iv", &args.tuning.iv)?;
    let mut params = Params::new(&key).iv(&iv);
    tuned(&mut params, &args.tuning)?;
    params.period = args.period;
    params.tag_len = args.tag_len;
    let mut session = match (algorithm.session(&params).and_then(Session::mac), args.tag_len) {
        (Ok(session), _) => session,
        (Err(bulat::Error::TagLength), Some(n)) => {
            let (name, most) = (algorithm.name, algorithm.tags.end());
            return Err(Error::usage(format_args!(
                "--tag-len {n}: {name} makes tags of 1 to {most} bytes"
            )));
        }
        (Err(e), _) => return Err(refused(algorithm, e)),
    };
    // A short tag is easy to guess, so the user must ask for one explicitly.
    let usual = args.tag_len.unwrap_or(algorithm.out);
    if let Some(tag) = tag.as_ref().filter(|t| t.len() != usual) {
        return Err(Error::usage(format_args!(
            "--verify: a tag of {} bytes, where {usual} are expected",
            tag.len()
        ))
        .remedy("if a shorter one was agreed on, give its length with --tag-len"));
    }
    let threads = super::threads(&args.jobs)?;
    let mut worst = Exit::Success;
    for (i, path) in paths.into_iter().enumerate() {
        if i > 0 {
            session.reset(&iv).map_err(internal)?;
        }
        let absorb = |mut input: Input| {
            let update = |piece: &mut Piece| {
                session.update(&piece.bytes[..piece.read]);
                Ok(())
            };
            let progress = input.progress();
            through(threads, &mut input, &progress, update, |_| Ok(()))
        };
        match Input::open(path).and_then(absorb) {
            Ok(()) => {}
            Err(e) if e.exit == Exit::Io => {
                e.print();
                worst = Exit::Io;
                continue;
            }
            Err(e) => return Err(e),
        }
        let fail = |e: bulat::Error| {
            let exit = if e == bulat::Error::Limit { Exit::Limit } else { Exit::Data };
            Error::at(exit, path, e)
        };
        if let Some(tag) = &tag {
            return match session.verify_reset(tag) {
                Ok(()) => Ok(Exit::Success),
                Err(bulat::Error::Verify) => {
                    Err(Error::at(Exit::Mismatch, path, "the MAC does not match"))
                }
                Err(e) => Err(fail(e)),
            };
        }
        let mac = session.finalize_reset().map_err(fail)?;
        if args.json {
            let mut object = file_object(path);
            object["algorithm"] = algorithm.name.into();
            object["mac"] = hex(&mac).into();
            print(format!("{object}\n"))?;
        } else {
            let mut line = sums::line(Style::Coreutils, &mac, &bytes_of(path), true);
            line.push(b'\n');
            print(line)?;
        }
    }
    Ok(worst)
}
