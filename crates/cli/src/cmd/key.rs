//! `bulat key` and `bulat kdf`: random keys, and keys derived from others.

use std::path::Path;

use bulat::kdf::{TlsMasks, TlsTree, kdf_256, kdf_tree, pbkdf2};
use bulat_container::digits::encode;
use zeroize::Zeroizing;

use crate::cli::{KdfCommand, KeyCommand, PlaceArgs, Suite};
use crate::error::{Error, Exit, Result};
use crate::io::{Output, distinct};
use crate::locked;
use crate::secret::{Bytes, KeyArgs, hex_option, no_key, random};

/// Makes a key.
pub fn run(command: &KeyCommand) -> Result<Exit> {
    let KeyCommand::New(args) = command;
    let mut key = Zeroizing::new(vec![0; usize::from(args.size)]);
    random(&mut key)?;
    let given = args.source.place().is_some();
    if !(args.password || given) {
        return put(&key, args.output.as_deref(), args.raw);
    }
    let output = begin(args.output.as_deref())?;
    distinct(&output.path, &[args.source.place()])?;
    let password = args.source.read_or_ask(true)?;
    output.finish(&locked::seal(&text(&key, args.raw), &password)?)
}

/// Derives a key.
pub fn derive(command: &KdfCommand) -> Result<Exit> {
    let refused = |e: bulat::Error| Error::usage(format_args!("kdf: {e}"));
    let buffer = |n: usize| -> Result<Bytes> {
        if n == 0 || n > 1 << 24 {
            return Err(Error::usage("--length: from 1 to 16777216"));
        }
        Ok(Zeroizing::new(vec![0; n]))
    };
    let place = |key: &[u8], place: &PlaceArgs| put(key, place.output.as_deref(), place.raw);
    match command {
        KdfCommand::Tree { key, label, seed, r, out } => {
            let (label, seed) = (hex_option("--label", label)?, hex_option("--seed", seed)?);
            let mut derived = buffer(out.length)?;
            if !(1..=4).contains(r) {
                return Err(Error::usage(format_args!("-r {r}: from 1 to 4")));
            }
            let most = |r: usize| 32 * ((1u64 << (8 * r)) - 1);
            if let Some(enough) = (*r..=4).find(|r| most(*r) >= out.length as u64)
                && enough > *r
            {
                let what = format_args!("--length: at most {} with -r {r}", most(*r)).to_string();
                return Err(Error::usage(what)
                    .remedy(format_args!("use -r {enough}; the other side must, too")));
            }
            kdf_tree(&needed(key, 0)?, &label, &seed, *r, &mut derived).map_err(refused)?;
            place(&derived, &out.place)
        }
        KdfCommand::Kdf256 { key, label, seed, out } => {
            let (label, seed) = (hex_option("--label", label)?, hex_option("--seed", seed)?);
            let derived = kdf_256(&needed(key, 0)?, &label, &seed);
            place(&*derived, out)
        }
        KdfCommand::Pbkdf2 { password, salt, iterations, hash, out } => {
            let salt = hex_option("--salt", salt)?;
            let mut derived = buffer(out.length)?;
            let run = match bulat::algorithm::find(hash).map(|a| a.name) {
                Ok("streebog512") => pbkdf2::<64>,
                Ok("streebog256") => pbkdf2::<32>,
                _ => return Err(Error::usage("--hash: streebog512 or streebog256")),
            };
            if *iterations == 0 {
                return Err(Error::usage("--iterations: at least 1"));
            }
            let password = password.read_or_ask(false)?;
            run(&password, &salt, *iterations, &mut derived).map_err(refused)?;
            place(&derived, &out.place)
        }
        KdfCommand::Tlstree { key, suite, seqnum, out } => {
            let masks = match suite {
                Suite::KuznyechikCtrOmac => TlsMasks::KUZNYECHIK_CTR_OMAC,
                Suite::MagmaCtrOmac => TlsMasks::MAGMA_CTR_OMAC,
                Suite::KuznyechikMgmL => TlsMasks::KUZNYECHIK_MGM_L,
                Suite::MagmaMgmL => TlsMasks::MAGMA_MGM_L,
                Suite::KuznyechikMgmS => TlsMasks::KUZNYECHIK_MGM_S,
                Suite::MagmaMgmS => TlsMasks::MAGMA_MGM_S,
            };
            let root = needed(key, 32)?;
            let root: &[u8; 32] = root[..].try_into().expect("read as 32 bytes");
            place(TlsTree::new(root, masks).key(*seqnum), out)
        }
    }
}

fn needed(key: &KeyArgs, len: usize) -> Result<Bytes> {
    key.read(len)?.ok_or_else(no_key)
}

/// Writes a key: digits and a line feed, or the bytes. Only its owner can read the file. An existing file is never
/// overwritten, because a lost key cannot be recovered.
pub fn put(key: &[u8], output: Option<&Path>, raw: bool) -> Result<Exit> {
    begin(output)?.finish(&text(key, raw))
}

fn begin(output: Option<&Path>) -> Result<Output> {
    let path = output.unwrap_or(Path::new("-"));
    Output::private(path, None, false).map_err(|e| match e.exit {
        Exit::Io if path.is_file() => {
            e.remedy("choose another name; a key file is never replaced, remove it yourself")
        }
        _ => e,
    })
}

/// Returns the content of a key file.
fn text(key: &[u8], raw: bool) -> Bytes {
    if raw {
        return Zeroizing::new(key.to_vec());
    }
    // Full size at once: growing would leave copies.
    let mut digits = Zeroizing::new(Vec::with_capacity(2 * key.len() + 1));
    digits.extend_from_slice(&Zeroizing::new(encode(key)));
    digits.push(b'\n');
    digits
}
