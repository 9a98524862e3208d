//! `bulat volume info`: prints a header.

use bulat_block::hold::Access;
use bulat_block::luks2::{self, Copy};
use bulat_block::veracrypt::{self, Place};
use bulat_block::{Error as Refusal, Store, UNKNOWN, luks1};
use serde_json::Value;

use super::{held, only, refused_at, remedy, veracrypt as keyed, with_data};
use crate::cli::{VolumeInfoArgs, VolumeKind};
use crate::error::Result;
use crate::io::print;

/// The fields of a header, in the order of printing.
type Fields = Vec<(&'static str, Value)>;

/// Objects of a header by their kind, each printed as a line.
type Lines = Vec<(&'static str, Vec<Fields>)>;

pub fn info(args: &VolumeInfoArgs) -> Result<()> {
    only(args.access.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let (path, at) = (&args.volume.file, args.volume.header_path());
    let store = with_data(&args.volume, held(at, Access::Look)?)?;
    let fail = refused_at(&args.volume);
    let (fields, lines) = match args.access.kind {
        VolumeKind::Luks if luks1::begins(&*store).map_err(&fail)? => {
            luks1_fields(&luks1::Header::read(&*store).map_err(&fail)?)
        }
        VolumeKind::Luks => luks2_fields(&*store).map_err(&fail)?,
        _ => {
            let secrets = keyed(args.access.secret.read_or_ask(false)?, &args.access.vera)?;
            let header = secrets.header(&*store, &Place::ALL).map_err(&fail)?;
            (veracrypt_fields(&header), Vec::new())
        }
    };
    if args.json {
        let mut object = crate::cmd::file_object(path);
        fields.into_iter().for_each(|(field, value)| object[field] = value);
        if args.access.kind == VolumeKind::Luks {
            let slot = |slot: Fields| slot.into_iter().map(|(k, v)| (k.into(), v)).collect();
            for (kind, all) in lines {
                object[kind] = all.into_iter().map(slot).map(Value::Object).collect();
            }
        }
        return print(format!("{object:#}\n"));
    }
    let mut text: String = fields.iter().map(|(k, v)| format!("{k:12} {}\n", plain(v))).collect();
    for fields in lines.into_iter().flat_map(|(_, all)| all) {
        let words: Vec<String> = fields.iter().map(worded).collect();
        text += &format!("{}\n", words.join(", "));
    }
    print(text)
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Returns the words of a field in a line: `keyslot 1`, `keyslots 1 and 2`.
fn worded((field, value): &(&str, Value)) -> String {
    let all: Vec<String> = value.as_array().into_iter().flatten().map(plain).collect();
    match (*field, value) {
        ("type", value) => plain(value),
        ("keyslots", _) if all.is_empty() => "no keyslot".into(),
        ("keyslots", _) if all.len() == 1 => format!("keyslot {}", all[0]),
        (_, Value::Array(_)) => format!("{field} {}", all.join(" and ")),
        (_, value) => format!("{field} {}", plain(value)),
    }
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

fn luks1_fields(header: &luks1::Header) -> (Fields, Lines) {
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
        ("key bits", (8 * header.key_len).into()),
        ("sector", 512.into()),
        ("offset", header.offset.into()),
    ];
    fields.extend(header.unsupported().map(|what| ("not supported", what.into())));
    (fields, vec![("keyslots", header.slots.iter().map(slot).collect())])
}

fn luks2_fields(store: &dyn Store) -> Result<(Fields, Lines), Refusal> {
    let (outline, found, mut unknown) = match luks2::read(store) {
        Ok(found) => ((*found.header).clone(), Some(found), Vec::new()),
        // The rest of the header is shown.
        Err(Refusal::Unsupported(what)) => match luks2::outline(store) {
            Ok(outline) => (outline, None, vec![what]),
            Err(_) => return Err(Refusal::Unsupported(what)),
        },
        Err(e) => return Err(e),
    };
    let mut fields = vec![
        ("format", "LUKS2".into()),
        ("uuid", outline.uuid().into()),
        ("label", outline.label().into()),
        ("sequence", outline.sequence.into()),
    ];
    let all = |kind, places: &Places| (kind, objects(&outline.text()[kind], places));
    let mut slots = all("keyslots", &KEYSLOT);
    let mut lines = vec![all("tokens", &TOKEN)];
    match &found {
        Some(found) => {
            let header = &found.header;
            let (segment, layout) = (header.segment(), header.layout(store)?);
            let key = header.slots().iter().find(|slot| slot.bound);
            fields.push(("cipher", segment.cipher.clone().into()));
            fields.extend(key.map(|slot| ("key bits", (8 * slot.key_len).into())));
            fields.extend([("sector", layout.sector.into()), ("offset", layout.offset.into())]);
            if store.apart() != Some(UNKNOWN) {
                fields.push(("size", layout.len.into()));
            }
            fields.push(("first copy", copy(&found.first)));
            fields.push(("second copy", copy(&found.second)));
            unknown.extend(segment.spec.clone().err());
            unknown.extend(header.digest().err());
            for (line, slot) in slots.1.iter_mut().zip(header.slots()) {
                if !slot.bound {
                    line.insert(1, ("of", "another key than the data's".into()));
                }
                let what = slot.lock.as_ref().err();
                line.extend(what.map(|what| ("not supported", what.clone().into())));
            }
        }
        None => lines.insert(0, all("segments", &SEGMENT)),
    }
    if !unknown.is_empty() {
        let unknown = unknown.join("; ");
        let remedy = remedy(&unknown);
        fields.push(("not supported", unknown.into()));
        fields.push(("to do", remedy.into()));
    }
    lines.insert(0, slots);
    Ok((fields, lines))
}

fn copy(copy: &Copy) -> Value {
    match copy {
        Copy::Good => "good".into(),
        Copy::Older => "older".into(),
        Copy::Damaged(what) => what.clone().into(),
    }
}

/// Where a field of an object is in the header's text.
type Places = [(&'static str, &'static str)];

const SEGMENT: [(&str, &str); 7] = [
    ("segment", ""),
    ("type", "/type"),
    ("cipher", "/encryption"),
    ("sector", "/sector_size"),
    ("offset", "/offset"),
    ("size", "/size"),
    ("flags", "/flags"),
];
const KEYSLOT: [(&str, &str); 10] = [
    ("keyslot", ""),
    ("type", "/type"),
    ("priority", "/priority"),
    ("cipher", "/area/encryption"),
    ("pbkdf", "/kdf/type"),
    ("hash", "/kdf/hash"),
    ("iterations", "/kdf/iterations"),
    ("passes", "/kdf/time"),
    ("memory", "/kdf/memory"),
    ("lanes", "/kdf/cpus"),
];
const TOKEN: [(&str, &str); 3] = [("token", ""), ("type", "/type"), ("keyslots", "/keyslots")];

/// Returns the fields that the objects of a kind have. The text may be one that this library does not support.
fn objects(objects: &Value, places: &Places) -> Vec<Fields> {
    let objects = objects.as_object().into_iter().flatten();
    let fields = |(id, object): (&String, &Value)| {
        let field = |(name, place): &(&'static str, &str)| {
            let value = match *place {
                "" => id.parse::<u32>().map_or_else(|_| shown(&id.as_str().into()), Value::from),
                place => shown(object.pointer(place)?),
            };
            let value = match (*name, value.as_u64()) {
                ("type", _) if value == "luks2" => return None,
                ("priority", Some(0)) => "ignore".into(),
                ("priority", Some(1)) => return None,
                ("priority", Some(2)) => "prefer".into(),
                _ => value,
            };
            Some((*name, value))
        };
        places.iter().filter_map(field).collect()
    };
    objects.take(32).map(fields).collect()
}

/// Returns a value of a header for the terminal: without control characters, numbers as numbers.
fn shown(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) => number.into(),
            Err(_) => text.chars().filter(|c| !c.is_control()).take(64).collect::<String>().into(),
        },
        Value::Array(all) => all.iter().take(32).map(shown).collect(),
        Value::Number(_) => value.clone(),
        _ => "?".into(),
    }
}
