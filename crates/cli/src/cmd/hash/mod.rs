//! `bulat hash`: prints and checks checksums, compatibly with coreutils.

mod digests;
mod lists;
mod names;

use std::path::{Path, PathBuf};

use bulat::algorithm::Algorithm;
use bulat_cli::sums::{self, Style};
use bulat_container::digits::hex;

use self::digests::digests;
use self::names::{find, tag};
use super::{file_object, files};
use crate::cli::HashArgs;
use crate::error::{Exit, Result};
use crate::io::{Place, bytes_of};
use crate::progress::Progress;
use crate::tree::walk;

pub use self::names::tagged;

/// Prints or checks checksums.
pub fn run(args: &HashArgs) -> Result<Exit> {
    let wanted = args.algorithm.as_deref().map(find).transpose()?;
    if args.check {
        return lists::run(args, wanted);
    }
    let mut worst = Exit::Success;
    let algorithm = wanted.map_or_else(|| find("streebog256"), Ok)?;
    let tag = args.tag.then(|| tag(algorithm));
    let style = tag.as_ref().map_or(Style::Coreutils, |tag| Style::Tag(tag));
    let mut wanted = Vec::new();
    let output = [(Place::standard_output("the output"), "the output of this command")];
    for path in files(&args.files) {
        if args.recursive && path.is_dir() {
            let tree = walk(path, &output);
            if tree.report() {
                worst = Exit::Io;
            }
            wanted.extend(tree.files.into_iter().map(|path| (algorithm, path)));
        } else {
            wanted.push((algorithm, path.to_path_buf()));
        }
    }
    let progress = (wanted.len() != 1).then(|| {
        let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |m| m.len());
        Progress::of_files(wanted.len(), || wanted.iter().map(|(_, path)| length(path)).sum())
    });
    digests(args, progress.as_ref(), wanted, |path, digest, lines| match digest {
        Ok(digest) => {
            lines.extend(line(args, algorithm, style, path, &digest));
            Ok(())
        }
        Err(e) if e.exit == Exit::Io => {
            worst = Exit::Io;
            lines.flush()?;
            e.print();
            Ok(())
        }
        Err(e) => Err(e),
    })?;
    Ok(worst)
}

fn line(
    args: &HashArgs,
    algorithm: &Algorithm,
    style: Style<'_>,
    path: &Path,
    digest: &[u8],
) -> Vec<u8> {
    if args.json {
        let mut object = file_object(path);
        object["algorithm"] = algorithm.name.into();
        object["digest"] = hex(digest).into();
        return format!("{object}\n").into_bytes();
    }
    let mut line = sums::line(style, digest, &bytes_of(path), !args.zero);
    line.push(if args.zero { 0 } else { b'\n' });
    line
}
