//! `bulat encrypt`, `decrypt` and `inspect`: encrypted files.

use std::path::{Path, PathBuf};

use bulat_container::digits::hex;
use bulat_container::header;
use serde_json::json;

use super::sealing::{Opened, Opener, Sealed, Sealer, whole_len};
use super::slots::{self, read_header};
use super::{file_object, many};
use crate::cli::{DecryptArgs, EncryptArgs, InspectArgs};
use crate::error::{Error, Exit, Result, name};
use crate::io::{Input, print};
use crate::secret::inputs_apart;

/// Encrypts files.
pub fn encrypt(args: &EncryptArgs) -> Result<Exit> {
    if !args.chunk.is_power_of_two() || !(4096..=1 << 20).contains(&args.chunk) {
        return Err(Error::usage("--chunk: a power of two from 4096 to 1048576"));
    }
    slots::cost(&args.kdf, args.key.given())?;
    let threads = super::threads(&args.jobs)?;
    if args.recursive || args.files.len() > 1 {
        return many::encrypt(args, threads);
    }
    let path = args.files.first().map_or(Path::new("-"), PathBuf::as_path);
    inputs_apart(&args.key, &args.password, path)?;
    let plan = Sealed::begin(args, path, None, args.out.force)?;
    let progress = plan.input.progress();
    Sealer::new(args)?.run(plan, threads, &progress)?;
    Ok(Exit::Success)
}

/// Decrypts files.
pub fn decrypt(args: &DecryptArgs) -> Result<Exit> {
    let threads = super::threads(&args.jobs)?;
    if args.recursive || args.files.len() > 1 {
        return many::decrypt(args, threads);
    }
    let path = args.files.first().map_or(Path::new("-"), PathBuf::as_path);
    inputs_apart(&args.key, &args.password, path)?;
    let plan = Opened::begin(args, path, None, args.out.force)?;
    let progress = plan.input.progress();
    Opener::new(args)?.run(plan, threads, &progress)?;
    Ok(Exit::Success)
}

/// Prints a header.
pub fn inspect(args: &InspectArgs) -> Result<Exit> {
    let mut input = Input::open(&args.file)?.unarmored()?;
    let header = read_header(&mut input)?;
    let plain = whole_len(&mut input)?.and_then(|n| header.plaintext(n));
    if args.json {
        let mut object = file_object(&args.file);
        let fields = json!({
            "format": "bulat container", "version": header::VERSION,
            "cipher": header.cipher.name(), "chunk": header.chunk(),
            "identity": hex(&header.identity), "name": slots::name_of(&header),
            "slots": slots::json(&header), "code": hex(&header.code), "armor": input.armored(),
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
    if input.armored() {
        lines.push(("armour", "yes".into()));
    }
    lines.push(("authenticated", "no: that needs the key".into()));
    let text: String = lines.iter().map(|(k, v)| format!("{k:18} {v}\n")).collect();
    print(text).map(|()| Exit::Success)
}
