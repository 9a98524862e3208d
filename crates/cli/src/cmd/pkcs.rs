//! `bulat pkcs8` and `bulat pfx`: private keys and certificates under passwords.

use std::path::Path;

use bulat_container::digits::hex;
use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{Attribute, Bag, Content, Pfx};
use bulat_pkcs::pkcs8::PrivateKey;
use bulat_pkcs::{Form, Limits, Scheme, pem, pfx, pkcs8};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::cli::{DerArgs, OutArgs, PbesArgs, PbesCipher, PbesOpenArgs, PfxCommand, Pkcs8Command};
use crate::error::{Error, Exit, Result, name, note};
use crate::io::{Input, Output, Place, distinct, print, streams_apart};
use crate::secret::{Bytes, PasswordArgs};

/// The longest file.
const SIZE: usize = 16 << 20;

/// Runs `bulat pkcs8`.
pub fn pkcs8(command: &Pkcs8Command) -> Result<Exit> {
    match command {
        Pkcs8Command::Encrypt { password, pbes, file } => encrypt(password, pbes, file),
        Pkcs8Command::Decrypt { open, file } => decrypt(open, file),
        Pkcs8Command::Info(args) => {
            let (_, der) = one(&args.file, pem::ENCRYPTED_PRIVATE_KEY)?;
            let scheme = pkcs8::inspect(&der).map_err(|e| foreign(&args.file, &der, e))?;
            show(&protection(&scheme), args.json)
        }
    }
}

/// Runs `bulat pfx`.
pub fn pfx(command: &PfxCommand) -> Result<Exit> {
    let standard = || Path::new("-");
    match command {
        PfxCommand::Info { open, unchecked, json, file } => {
            info(open, *unchecked, *json, file.as_deref().unwrap_or_else(standard))
        }
        PfxCommand::Extract { open, keys, certificates, no_mac, out, file } => {
            let file = file.as_deref().unwrap_or_else(standard);
            extract(open, (!certificates, !keys), *no_mac, out, file)
        }
        PfxCommand::Create { password, pbes, name, out, files } => {
            let files: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
            create(password, pbes, name, out, &files)
        }
    }
}

fn encrypt(password: &PasswordArgs, pbes: &PbesArgs, args: &DerArgs) -> Result<Exit> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    apart(password, &[path], &args.out)?;
    let (input, der) = one(path, pem::PRIVATE_KEY)?;
    let key = PrivateKey::try_from(&der[..]).map_err(|e| foreign(path, &der, e))?;
    let output = begin(&args.out, Some(&input))?;
    let password = password.read_or_ask(true)?;
    let made = pkcs8::encrypt(&key, &password, &parameters(pbes)?);
    write(output, &made.map_err(|e| costly(path, e))?, pem::ENCRYPTED_PRIVATE_KEY, args.der)
}

fn decrypt(open: &PbesOpenArgs, args: &DerArgs) -> Result<Exit> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    apart(&open.password, &[path], &args.out)?;
    let (input, der) = one(path, pem::ENCRYPTED_PRIVATE_KEY)?;
    // Refuses a foreign file before it asks.
    pkcs8::inspect(&der).map_err(|e| foreign(path, &der, e))?;
    let output = begin(&args.out, Some(&input))?;
    let key = pkcs8::decrypt(&der, &secret(open)?, &limits(open)).map_err(|e| fail(path, e))?;
    write(output, key.der(), pem::PRIVATE_KEY, args.der)
}

fn info(open: &PbesOpenArgs, unchecked: bool, json: bool, path: &Path) -> Result<Exit> {
    streams_apart(&[open.password.place(), Some(Place::named("the data", path))])?;
    let (_, der) = one(path, pem::PKCS12)?;
    let seen = pfx::inspect(&der, &limits(open)).map_err(|e| foreign(path, &der, e))?;
    let (pfx, checked) = match unchecked {
        true => (seen, false),
        false => (opened(open, &der, path)?, true),
    };
    let mac = pfx
        .mac
        .as_ref()
        .map(|mac| json!({ "hash": mac.hash.name(), "iterations": mac.iterations }));
    let sections: Vec<Value> = pfx
        .sections
        .iter()
        .map(|section| {
            let mut fields = json!({});
            fields["encryption"] = section.protection.as_ref().map_or(Value::Null, protection);
            if checked {
                fields["bags"] = section.bags.iter().map(described).collect();
            }
            fields
        })
        .collect();
    let authenticated = checked && mac.is_some();
    show(&json!({ "mac": mac, "authenticated": authenticated, "sections": sections }), json)
}

fn extract(
    open: &PbesOpenArgs,
    (keys, certificates): (bool, bool),
    no_mac: bool,
    out: &OutArgs,
    path: &Path,
) -> Result<Exit> {
    apart(&open.password, &[path], out)?;
    let (input, der) = one(path, pem::PKCS12)?;
    let seen = pfx::inspect(&der, &limits(open)).map_err(|e| foreign(path, &der, e))?;
    if seen.mac.is_none() && !no_mac {
        return Err(
            Error::at(Exit::Data, path, "has no MAC").remedy("if you trust its source: --no-mac")
        );
    }
    let mut output = begin(out, Some(&input))?;
    let pfx = opened(open, &der, path)?;
    let mut count = 0;
    for bag in pfx.bags() {
        let block = match &bag.content {
            Content::Key(key, _) if keys => pem::encode(pem::PRIVATE_KEY, key.der()),
            Content::Certificate(der) if certificates => pem::encode(pem::CERTIFICATE, der),
            _ => continue,
        };
        let block = block.map_err(|e| fail(path, e))?;
        output.put(&block)?;
        count += 1;
    }
    if count == 0 {
        return Err(Error::at(
            Exit::Data,
            path,
            format_args!(
                "no {}, but {}",
                match (keys, certificates) {
                    (true, false) => "private key",
                    (false, true) => "certificate",
                    _ => "private key and no certificate",
                },
                counted(&pfx)
            ),
        ));
    }
    output.commit().map(|()| Exit::Success)
}

fn create(
    password: &PasswordArgs,
    pbes: &PbesArgs,
    friendly: &[String],
    out: &OutArgs,
    files: &[&Path],
) -> Result<Exit> {
    apart(password, files, out)?;
    let (mut keys, mut certificates) = (Vec::new(), Vec::new());
    let mut of_keys = Vec::new();
    for path in files {
        for (form, der) in parts(&mut Input::open(path)?)? {
            let fail = |e| fail(path, e);
            match form {
                Some(Form::PrivateKey) => {
                    keys.push(PrivateKey::from_der(der).map_err(fail)?);
                    of_keys.push(path);
                }
                Some(Form::Certificate) => {
                    Content::certificate(&der).map_err(fail)?;
                    certificates.push(der);
                }
                other => {
                    let what = "neither a private key nor a certificate";
                    let what = match other {
                        Some(found) => format!("{what}, but {found}"),
                        None => format!("damaged, or {what}"),
                    };
                    let error = Error::at(Exit::Data, path, what);
                    return Err(match other {
                        Some(found) => hinted(error, found),
                        None => error,
                    });
                }
            }
        }
    }
    if friendly.len() > keys.len().max(1)
        || keys.len() > friendly.len().max(1) && !friendly.is_empty()
    {
        return Err(Error::usage(format_args!(
            "--name is given {} times, for {} private keys: other programs find a key by its name",
            friendly.len(),
            keys.len()
        )));
    }
    let ders: Vec<&[u8]> = certificates.iter().map(|der| &der[..]).collect();
    let pairs = pfx::pairs(&keys, &ders).map_err(|n| {
        Error::at(Exit::Data, of_keys[n], "none of the certificates is of this key")
    })?;
    let output = begin(out, None)?;
    let password = password.read_or_ask(true)?;
    let scheme = parameters(pbes)?;
    // A key and its certificate have the same number and name.
    let attributes = |n: usize| {
        let mut all = vec![Attribute::local_key_id(&(n as u32 + 1).to_be_bytes())];
        all.extend(friendly.get(n).map(|name| Attribute::friendly_name(name)));
        all
    };
    let certificates = (0..).zip(&ders).map(|(n, der)| Bag {
        content: Content::Certificate(der.to_vec()),
        attributes: pairs
            .iter()
            .position(|pair| *pair == Some(n))
            .map(attributes)
            .unwrap_or_default(),
    });
    let keys = (0..)
        .zip(keys)
        .map(|(n, key)| Bag { content: Content::Key(key, None), attributes: attributes(n) });
    let bags = certificates.chain(keys).collect();
    let made = Pfx::protect(bags, scheme.cipher, scheme.kdf.iterations)
        .and_then(|pfx| pfx.seal(&password))
        .map_err(|e| costly(files[0], e))?;
    write(output, &made, pem::PKCS12, true)
}

/// Counts the bags of each kind.
fn counted(pfx: &Pfx) -> String {
    let count = |is: fn(&Content) -> bool| pfx.bags().filter(|bag| is(&bag.content)).count();
    let all = [
        (count(|c| matches!(c, Content::Key(..))), "private key"),
        (count(|c| matches!(c, Content::Certificate(_))), "certificate"),
        (count(|c| !matches!(c, Content::Key(..) | Content::Certificate(_))), "other item"),
    ];
    let some = all.iter().filter(|(n, _)| *n > 0);
    let words: Vec<_> =
        some.map(|(n, kind)| format!("{n} {kind}{}", if *n == 1 { "" } else { "s" })).collect();
    if words.is_empty() { "nothing".into() } else { words.join(", ") }
}

/// Opens a PFX, and says so if it has no MAC.
fn opened(open: &PbesOpenArgs, der: &[u8], path: &Path) -> Result<Pfx> {
    let pfx = pfx::open(der, &secret(open)?, &limits(open)).map_err(|e| fail(path, e))?;
    if pfx.mac.is_none() {
        note(format_args!("warning: {}: has no MAC: its contents may be forged", name(path)));
    }
    Ok(pfx)
}

fn secret(open: &PbesOpenArgs) -> Result<Bytes> {
    if open.empty_password { Ok(Zeroizing::default()) } else { open.password.read_or_ask(false) }
}

fn limits(open: &PbesOpenArgs) -> Limits {
    Limits { iterations: open.max_iterations, size: SIZE }
}

fn parameters(pbes: &PbesArgs) -> Result<Pbes2> {
    let cipher = match pbes.cipher {
        PbesCipher::KuznyechikCtrAcpkmOmac => Cipher::KuznyechikCtrAcpkmOmac,
        PbesCipher::MagmaCtrAcpkmOmac => Cipher::MagmaCtrAcpkmOmac,
        PbesCipher::KuznyechikCtrAcpkm => Cipher::KuznyechikCtrAcpkm,
        PbesCipher::MagmaCtrAcpkm => Cipher::MagmaCtrAcpkm,
    };
    let iterations = match pbes.iterations {
        Some(n) => n,
        None => bulat_container::iterations_of_a_second().map_err(super::internal)?,
    };
    Pbes2::generate(cipher, iterations).map_err(|e| Error::usage(format_args!("--iterations: {e}")))
}

/// Refuses two inputs that are one stream, and an output that is an input of secrets.
fn apart(password: &PasswordArgs, files: &[&Path], out: &OutArgs) -> Result<()> {
    let mut places = vec![password.place()];
    places.extend(files.iter().map(|path| Some(Place::named("the data", path))));
    streams_apart(&places)?;
    distinct(out.output.as_deref().unwrap_or(Path::new("-")), &places)
}

/// Begins an output that only its owner can read.
fn begin(out: &OutArgs, input: Option<&Input>) -> Result<Output> {
    Output::private(out.output.as_deref().unwrap_or(Path::new("-")), input, out.force)
}

fn write(output: Output, der: &[u8], label: &str, binary: bool) -> Result<Exit> {
    if binary {
        return output.finish(der);
    }
    let text = pem::encode(label, der).map_err(|e| fail(&output.path, e))?;
    output.finish(&text)
}

fn whole(input: &mut Input) -> Result<Bytes> {
    let path = input.path.clone();
    input
        .all(SIZE)?
        .ok_or_else(|| Error::at(Exit::Data, &path, format_args!("longer than {SIZE} bytes")))
}

/// Reads the blocks of a PEM file, or DER, with their forms.
fn parts(input: &mut Input) -> Result<Vec<(Option<Form>, Bytes)>> {
    let all = whole(input)?;
    if !pem::is_pem(&all) {
        let der = pem::one(&all, "").map_err(|e| fail(&input.path, e))?;
        return Ok(vec![(Form::of(&der), der)]);
    }
    let blocks = pem::decode(&all).map_err(|e| fail(&input.path, e))?;
    Ok(blocks.into_iter().map(|(label, der)| (Form::of_label(&label), der)).collect())
}

/// Reads a file in DER, or with one block of this label.
fn one(path: &Path, label: &str) -> Result<(Input, Bytes)> {
    let mut input = Input::open(path)?;
    let der = pem::one(&whole(&mut input)?, label).map_err(|e| fail(path, e))?;
    Ok((input, der))
}

/// Converts an error of the crate.
fn fail(path: &Path, e: bulat_pkcs::Error) -> Error {
    use bulat_pkcs::Error as E;
    let exit = match e {
        E::Password => Exit::Key,
        E::Cost { what: "iterations", .. } | E::Parameter(_) => Exit::Usage,
        E::Random => Exit::Io,
        _ => Exit::Data,
    };
    let error = Error::at(exit, path, e);
    match e {
        E::Password => error.remedy("check the password, or get the file again"),
        E::Cost { what: "iterations", asked, .. } => error.remedy(format_args!(
            "if you trust the file and have the time: --max-iterations {asked} or more"
        )),
        E::Form { found, .. } => hinted(error, found),
        _ => error,
    }
}

/// Names the command for a file of this form.
fn hinted(error: Error, found: Form) -> Error {
    match found {
        Form::EncryptedPrivateKey => error.remedy("use `bulat pkcs8 decrypt`"),
        Form::Pfx => error.remedy("use `bulat pfx`"),
        _ => error,
    }
}

/// Converts an error of writing: a file that would not open with the default limit.
fn costly(path: &Path, e: bulat_pkcs::Error) -> Error {
    match e {
        bulat_pkcs::Error::Cost { what: "iterations", asked, allowed } => Error::usage(
            format_args!("{asked} iterations in all, more than the {allowed} that a reader allows"),
        )
        .remedy("fewer keys in a file, or fewer --iterations"),
        e => fail(path, e),
    }
}

/// Converts an error of a file that may be a container.
fn foreign(path: &Path, der: &[u8], e: bulat_pkcs::Error) -> Error {
    let error = fail(path, e);
    if der.starts_with(&bulat_container::header::MAGIC) {
        return error.remedy("it is a container: use `bulat decrypt`");
    }
    error
}

fn protection(scheme: &Scheme) -> Value {
    let mut fields = json!({ "cipher": scheme.cipher(), "kdf": scheme.kdf(), "iterations": scheme.iterations() });
    if let Some(name) = scheme.sboxes() {
        fields["sbox"] = json!(name);
    }
    fields
}

fn described(bag: &Bag) -> Value {
    let mut fields = match &bag.content {
        Content::Key(key, scheme) => {
            let mut fields = json!({ "bag": "private key", "algorithm": key.algorithm_name() });
            if let Some(scheme) = scheme {
                fields["encryption"] = protection(scheme);
            }
            fields
        }
        Content::Certificate(der) => json!({ "bag": "certificate", "bytes": der.len() }),
        Content::Other(kind) => {
            let kind = kind.to_string();
            json!({ "bag": "other", "type": kind })
        }
        _ => json!({ "bag": "other" }),
    };
    if let Some(name) = bag.friendly_name() {
        fields["name"] = json!(name);
    }
    if let Some(id) = bag.local_key_id() {
        fields["id"] = json!(hex(&id));
    }
    fields
}

/// Prints fields: JSON, or a line each.
fn show(fields: &Value, json: bool) -> Result<Exit> {
    let mut text = String::new();
    match json {
        true => text = format!("{fields:#}\n"),
        false => lines(&mut text, fields, 0),
    }
    print(text).map(|()| Exit::Success)
}

/// Writes an object as lines, its parts indented.
fn lines(text: &mut String, fields: &Value, indent: usize) {
    for (field, value) in fields.as_object().into_iter().flatten() {
        let head = format!("{:indent$}{field}", "");
        match value {
            Value::Null => *text += &format!("{head:18} none\n"),
            Value::Bool(yes) => {
                *text += &format!("{head:18} {}\n", if *yes { "yes" } else { "no" })
            }
            // A name of the file must not draw on the terminal.
            Value::String(s) if s.chars().any(char::is_control) => {
                *text += &format!("{head:18} {s:?}\n");
            }
            Value::String(s) => *text += &format!("{head:18} {s}\n"),
            Value::Array(all) => {
                for one in all {
                    *text += &format!("{head}\n");
                    lines(text, one, indent + 2);
                }
            }
            Value::Object(_) => {
                *text += &format!("{head}\n");
                lines(text, value, indent + 2);
            }
            other => *text += &format!("{head:18} {other}\n"),
        }
    }
}
