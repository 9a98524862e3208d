//! `bulat volume info`: prints a header.

use bulat_block::hold::Access;
use bulat_block::luks2::{self, Copy};
use bulat_block::open::is_luks1;
use bulat_block::{Error as Refusal, Kdf, Store, UNKNOWN, luks1, veracrypt};
use serde_json::Value;

use super::{held, only, refused_at, veracrypt as keyed, with_data};
use crate::cli::{VolumeInfoArgs, VolumeKind};
use crate::error::{Exit, Result};
use crate::io::print;

/// The fields of a header, in the order of printing.
type Fields = Vec<(&'static str, Value)>;

pub fn info(args: &VolumeInfoArgs) -> Result<Exit> {
    only(args.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let (path, at) = (&args.file, args.at.of(&args.file));
    let store = with_data(path, &args.at, held(at, Access::Look)?)?;
    let fail = refused_at(path, &args.at);
    let (fields, slots) = match args.kind {
        VolumeKind::Luks if is_luks1(&*store).map_err(&fail)? => {
            luks1_fields(&luks1::Header::read(&*store).map_err(&fail)?)
        }
        VolumeKind::Luks => luks2_fields(&*store).map_err(&fail)?,
        _ => {
            let open = keyed(args.secret.read_or_ask(false)?, &args.vera)?;
            let header = open.veracrypt_header(&*store).map_err(&fail)?;
            (veracrypt_fields(&header), Vec::new())
        }
    };
    if args.json {
        let mut object = crate::cmd::hash::file(path);
        fields.into_iter().for_each(|(field, value)| object[field] = value);
        if args.kind == VolumeKind::Luks {
            let slot = |slot: Fields| slot.into_iter().map(|(k, v)| (k.into(), v)).collect();
            object["keyslots"] = slots.into_iter().map(slot).map(Value::Object).collect();
        }
        print(format!("{object:#}\n"))?;
        return Ok(Exit::Success);
    }
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let mut text: String = fields.iter().map(|(k, v)| format!("{k:12} {}\n", plain(v))).collect();
    for slot in slots {
        let words: Vec<String> = slot.iter().map(|(k, v)| format!("{k} {}", plain(v))).collect();
        text += &format!("{}\n", words.join(", "));
    }
    print(text)?;
    Ok(Exit::Success)
}

fn veracrypt_fields(header: &veracrypt::Header) -> Fields {
    vec![
        ("format", "VeraCrypt".into()),
        ("header", header.place.name().into()),
        ("version", header.version.into()),
        ("hash", header.hash.name().into()),
        ("cipher", header.cipher.name.into()),
        ("sector", header.sector.into()),
        ("offset", header.offset.into()),
        ("size", header.len.into()),
    ]
}

fn luks1_fields(header: &luks1::Header) -> (Fields, Vec<Fields>) {
    let slot = |slot: &luks1::Slot| {
        vec![
            ("keyslot", slot.id.into()),
            ("pbkdf", "pbkdf2".into()),
            ("hash", header.hash.clone().into()),
            ("iterations", slot.iterations.into()),
        ]
    };
    let mut fields = vec![
        ("format", "LUKS1".into()),
        ("uuid", header.uuid.clone().into()),
        ("cipher", header.cipher.clone().into()),
        ("sector", 512.into()),
        ("offset", header.offset.into()),
    ];
    fields.extend(header.unsupported().map(|what| ("not supported", what.into())));
    (fields, header.slots.iter().map(slot).collect())
}

fn luks2_fields(store: &dyn Store) -> Result<(Fields, Vec<Fields>), Refusal> {
    let found = luks2::read(store)?;
    let (header, layout) = (&found.header, found.header.layout(store)?);
    let copy = |copy: &Copy| match copy {
        Copy::Good => Value::from("good"),
        Copy::Older => "older".into(),
        Copy::Damaged(what) => what.clone().into(),
    };
    let mut fields = vec![
        ("format", "LUKS2".into()),
        ("uuid", header.uuid().into()),
        ("label", header.label().into()),
        ("cipher", header.segment().cipher.clone().into()),
        ("sector", layout.sector.into()),
        ("offset", layout.offset.into()),
    ];
    if store.apart() != Some(UNKNOWN) {
        fields.push(("size", layout.len.into()));
    }
    fields.extend([
        ("sequence", header.sequence.into()),
        ("first copy", copy(&found.first)),
        ("second copy", copy(&found.second)),
    ]);
    let unknown = header.segment().spec.as_ref().err();
    fields.extend(unknown.map(|what| ("not supported", what.clone().into())));
    Ok((fields, header.slots().iter().map(slot).collect()))
}

fn slot(slot: &luks2::Slot) -> Fields {
    let mut fields = vec![("keyslot", slot.id.into())];
    if !slot.bound {
        fields.push(("of", "another key than the data's".into()));
    }
    if slot.priority != 1 {
        fields.push(("priority", if slot.priority == 0 { "ignore" } else { "prefer" }.into()));
    }
    match &slot.lock {
        Err(what) => fields.push(("not supported", what.clone().into())),
        Ok(lock) => {
            fields.push(("cipher", lock.spec.name().into()));
            match lock.kdf {
                Kdf::Pbkdf2 { hash, iterations } => fields.extend([
                    ("pbkdf", "pbkdf2".into()),
                    ("hash", hash.name().into()),
                    ("iterations", iterations.into()),
                ]),
                Kdf::Argon2 { id, time, memory, lanes } => fields.extend([
                    ("pbkdf", if id { "argon2id" } else { "argon2i" }.into()),
                    ("passes", time.into()),
                    ("memory", memory.into()),
                    ("lanes", lanes.into()),
                ]),
            }
        }
    }
    fields
}
