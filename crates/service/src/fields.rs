//! The fields of a request's JSON, read and checked by the call's line of the table. A name that is not there is refused.
//! Numbers and flags may be strings, as the official command sends them; null counts as absent. Texts stay in the body,
//! which is wiped.

use std::cell::RefCell;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use zeroize::Zeroizing;

use crate::call::{Call, Field, FieldType, Form};
use crate::cleared::Cleared;
use crate::config::BATCH;
use crate::failure::{Failure, Result};
use crate::http::routes::ROUTES;
use crate::keyring::KINDS;

/// The sources of random bytes that Vault knows.
pub const SOURCES: [&str; 3] = ["platform", "seal", "all"];

/// A text: part of the body, or unescaped, and then wiped.
pub enum Text<'a> {
    /// Part of the body.
    There(&'a str),
    /// Unescaped.
    Apart(Zeroizing<String>),
}

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        match self {
            Text::There(text) => text,
            Text::Apart(text) => text,
        }
    }
}

impl<'de> serde::Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text::There(text))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text::Apart(Zeroizing::new(text.into())))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

/// Reads a flag in a string, in a body or a query, as Go does.
pub fn flag(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" | "" => Some(false),
        _ => None,
    }
}

/// Reads a time such as `24h`, in seconds.
pub fn seconds(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    let (mut sum, mut rest) = (0u64, text);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let n: u64 = rest[..digits].parse().ok()?;
        let unit = match rest.as_bytes()[digits] {
            b's' => 1,
            b'm' => 60,
            b'h' => 3600,
            b'd' => 86400,
            _ => return None,
        };
        sum = sum.checked_add(n.checked_mul(unit)?)?;
        rest = &rest[digits + 1..];
    }
    Some(sum)
}

/// The error for a body that is not JSON, with the place and without its text.
fn wrong(e: &serde_json::Error) -> Failure {
    let problem = if e.is_data() { "a field of a wrong type" } else { "no JSON" };
    let (line, column) = (e.line(), e.column());
    Failure::bad(format!("error parsing JSON: {problem} at line {line} column {column}"))
}

/// Decodes base64, with room before and after the bytes. Errors: 400 if it is not base64.
pub fn decode(text: &str, name: &'static str, before: usize, after: usize) -> Result<Cleared> {
    let read = |text: &str| {
        let mut bytes = Cleared::from(vec![0; before + text.len() / 4 * 3 + 3 + after]);
        let n = STANDARD.decode_slice(text, &mut bytes[before..]).ok()?;
        bytes.truncate(before + n + after);
        bytes[before + n..].fill(0);
        Some(bytes)
    };
    // The command `base64` writes line ends; Vault ignores them.
    let joined = || {
        let mut whole = Zeroizing::new(String::with_capacity(text.len()));
        whole.extend(text.split(['\r', '\n']));
        read(&whole)
    };
    read(text)
        .or_else(joined)
        .ok_or_else(|| Failure::bad(format!("failed to base64-decode {name}")))
}

/// Returns whether a text is a word of the interface.
fn is_word(text: &str) -> bool {
    ["", "streebog256", "streebog512", "hex", "base64"].contains(&text)
        || SOURCES.contains(&text)
        || KINDS.iter().any(|kind| kind.name == text)
}

/// Returns a client's name for an error, if it looks like a name and not like a secret.
pub fn word(name: &str) -> String {
    let letter = |c: u8| c.is_ascii_alphanumeric() || b"_-.".contains(&c);
    if (1..=40).contains(&name.len()) && name.bytes().all(letter) {
        format!("`{name}`")
    } else {
        "with an unusual name".into()
    }
}

/// The value of a field of a body.
pub enum Given<'a> {
    /// A text, which may be a secret.
    Text(Text<'a>),
    List(Vec<Text<'a>>),
    /// A setting, as it was sent.
    Setting(String),
    /// The items of `batch_input`.
    Batch(Vec<Fields<'a>>),
}

impl Given<'_> {
    fn neutral(&self) -> bool {
        match self {
            Given::Text(text) => text.as_str().is_empty(),
            Given::Setting(text) => matches!(text.as_str(), "" | "0"),
            Given::List(_) | Given::Batch(_) => false,
        }
    }
}

/// The fields of a body, or of an item of `batch_input`; without those that are `null`.
#[derive(Default)]
pub struct Fields<'a>(pub Vec<(&'static str, Given<'a>)>);

impl<'a> Fields<'a> {
    pub fn get(&self, name: &str) -> Option<&Given<'a>> {
        // A name that no form has would be absent in every request.
        debug_assert!(ROUTES.iter().any(|r| r.form.fields().any(|f| f.name == name)), "{name}");
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Given::Text(text) => Some(text.as_str()),
            Given::Setting(text) => Some(text),
            Given::List(_) | Given::Batch(_) => None,
        }
    }
    /// Returns a text, if it is there and not empty.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.is_empty())
    }
    pub fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.trim().parse().ok()
    }
    pub fn flag(&self, name: &str) -> Option<bool> {
        flag(self.text(name)?)
    }
    pub fn seconds(&self, name: &str) -> Option<u64> {
        seconds(self.text(name)?)
    }
    /// Returns the texts of a list, or the names in a text with commas.
    pub fn list(&self, name: &str) -> Option<Vec<&str>> {
        Some(match self.get(name)? {
            Given::List(all) => all.iter().map(Text::as_str).collect(),
            _ => {
                let names = self.text(name)?.split(',').map(str::trim);
                names.filter(|name| !name.is_empty()).collect()
            }
        })
    }
    /// Decodes a text in base64; no text is no bytes. Errors: 400 if it is not base64.
    pub fn bytes(&self, name: &'static str) -> Result<Cleared> {
        self.filled(name).map_or_else(|| Ok(Cleared::default()), |text| decode(text, name, 0, 0))
    }
    /// Returns the version asked for; 0 means any. Errors: 400 for a number that no version can have.
    pub fn version(&self) -> Result<u32> {
        let version = u32::try_from(self.number("key_version").unwrap_or(0));
        version.map_err(|_| Failure::bad("invalid key version"))
    }
    /// Returns the messages, and whether they are a batch. Errors: 400 for an empty batch, or one with too many items.
    pub fn items(&self, most: usize) -> Result<(&[Fields<'a>], bool)> {
        match self.get("batch_input") {
            Some(Given::Batch(items)) if items.is_empty() => {
                Err(Failure::bad("missing batch input to process"))
            }
            Some(Given::Batch(items)) if items.len() > most => {
                Err(Failure::bad(format!("batch_input: at most {most} items")))
            }
            Some(Given::Batch(items)) => Ok((items, true)),
            _ => Ok((std::slice::from_ref(self), false)),
        }
    }
}

impl Call {
    /// Reads the fields of the body. Errors: 400 with the name of a field that the call does not have, that occurs
    /// twice, that has another type, or that would apply to no item of a batch; or for no JSON.
    pub fn fields(&self) -> Result<Fields<'_>> {
        let Some(route) = self.route else { return Ok(Fields::default()) };
        // Such a mount is refused in any case.
        if matches!(route.name, "mount" | "mount-auth") {
            return Ok(Fields::default());
        }
        let given = read(&self.body, &route.form, &self.params)?;
        if given.get("batch_input").is_some() {
            // Vault ignores them in silence.
            let dropped = given.0.iter().find(|(name, given)| {
                let of_all = *name == "key_version" && route.name.starts_with("hmac");
                let is_in = |fields: &[Field]| fields.iter().any(|field| field.name == *name);
                !of_all && !is_in(route.form.body) && !given.neutral() && is_in(route.form.item)
            });
            if let Some((name, _)) = dropped {
                return Err(Failure::bad(format!(
                    "{name}: next to batch_input it would apply to no item"
                )));
            }
        }
        Ok(given)
    }
}

/// Reads a body with the fields of a form, or with parameters of the path, which it may repeat; an empty one or null has
/// no fields. Errors: 400, without any value of the body.
pub fn read<'a>(
    body: &'a [u8],
    form: &Form,
    params: &[(&'static str, String)],
) -> Result<Fields<'a>> {
    let text = body.trim_ascii();
    if text.is_empty() || text == b"null" {
        return Ok(Fields::default());
    }
    if text[0] != b'{' {
        return Err(Failure::bad("error parsing JSON: no object"));
    }
    let refused = RefCell::new(String::new());
    let seed = Object { body: form.body, item: form.item, params, refused: &refused };
    let mut reader = serde_json::Deserializer::from_slice(text);
    let given = seed.deserialize(&mut reader).and_then(|given| reader.end().map(|()| given));
    given.map_err(|e| match refused.into_inner() {
        why if why.is_empty() => wrong(&e),
        why => Failure::bad(why),
    })
}

/// Reads an object with the fields of a call or of an item.
struct Object<'c> {
    body: &'static [Field],
    item: &'static [Field],
    /// The parameters of the path.
    params: &'c [(&'static str, String)],
    refused: &'c RefCell<String>,
}

fn refuse<E: Error>(cell: &RefCell<String>, why: String) -> E {
    cell.replace(why);
    E::custom("refused")
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = Fields<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Fields<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut given = Vec::new();
        let mut seen = 0u32;
        while let Some(name) = map.next_key::<Text<'de>>()? {
            let name = name.as_str();
            let mut fields = self.body.iter().chain(self.item).enumerate();
            let known = fields.find(|(_, field)| field.name == name);
            let param = self.params.iter().find(|(n, _)| *n == name);
            let (at, name, kind) = match (known, &param) {
                (Some((i, field)), _) => (i, field.name, field.kind),
                (None, Some((name, _))) => (31, *name, FieldType::Path),
                (None, None) => {
                    return Err(refuse(self.refused, format!("unknown field {}", word(name))));
                }
            };
            if seen >> at & 1 != 0 {
                return Err(refuse(self.refused, format!("field `{name}` occurs twice")));
            }
            seen |= 1 << at;
            let value = Value {
                name,
                kind,
                path: param.map(|(_, value)| value.as_str()),
                item: self.item,
                refused: self.refused,
            };
            if let Some(value) = map.next_value_seed(value)? {
                given.push((name, value));
            }
        }
        Ok(Fields(given))
    }
}

/// Reads the value of a field.
#[derive(Clone, Copy)]
struct Value<'c> {
    name: &'static str,
    kind: FieldType,
    /// The value in the path.
    path: Option<&'c str>,
    item: &'static [Field],
    refused: &'c RefCell<String>,
}

impl Value<'_> {
    fn wrong<T, E: Error>(&self) -> Result<T, E> {
        let name = self.name;
        let why = match self.kind {
            FieldType::Neutral => format!("{name} is not supported"),
            FieldType::Service => format!("{name}: must be service"),
            FieldType::Path => format!("{name}: the path has another value"),
            FieldType::Batch => format!("{name}: must be a list of objects"),
            FieldType::Texts | FieldType::Names => format!("{name}: must be a list of texts"),
            FieldType::Boolean => format!("{name}: must be true or false"),
            FieldType::Duration => format!("{name}: must be seconds, or a time such as 24h"),
            FieldType::Integer | FieldType::Bits | FieldType::Bytes => {
                format!("{name}: must be a whole number from 0")
            }
            _ => format!("{name}: must be a text"),
        };
        Err(refuse(self.refused, why))
    }
    fn setting<'de, E: Error>(&self, right: bool, text: String) -> Result<Option<Given<'de>>, E> {
        if right { Ok(Some(Given::Setting(text))) } else { self.wrong() }
    }
    fn text<'de, E: Error>(self, text: Text<'de>) -> Result<Option<Given<'de>>, E> {
        let value = text.as_str();
        // `random/16` has a number in the place of a source.
        let number = |path: &str| self.kind == FieldType::Source && path.parse::<u64>().is_ok();
        if self.path.is_some_and(|path| path != value && !value.is_empty() && !number(path)) {
            return Value { kind: FieldType::Path, ..self }.wrong();
        }
        let right = match self.kind {
            FieldType::Base64 | FieldType::Text | FieldType::Names => {
                return Ok(Some(Given::Text(text)));
            }
            FieldType::Path => true,
            FieldType::Hash
            | FieldType::Format
            | FieldType::Source
            | FieldType::KeyType
            | FieldType::CipherType => {
                // Any other word may be a secret.
                if !is_word(value) {
                    return Ok(Some(Given::Text(text)));
                }
                true
            }
            FieldType::Neutral => value == "0s" || flag(value) == Some(false),
            FieldType::Service => matches!(value, "" | "service" | "default" | "default-service"),
            FieldType::Boolean => flag(value).is_some(),
            FieldType::Duration => seconds(value).is_some(),
            FieldType::Integer | FieldType::Bits | FieldType::Bytes => {
                value.trim().parse::<u64>().is_ok()
            }
            FieldType::Texts | FieldType::Batch => false,
        };
        self.setting(right, value.into())
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Option<Given<'de>>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Option<Given<'de>>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_bool<E: Error>(self, yes: bool) -> Result<Self::Value, E> {
        self.setting(
            self.kind == FieldType::Boolean || self.kind == FieldType::Neutral && !yes,
            yes.to_string(),
        )
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Self::Value, E> {
        if self.path.is_some_and(|path| path.parse() != Ok(n)) {
            return Value { kind: FieldType::Path, ..self }.wrong();
        }
        let right = match self.kind {
            FieldType::Integer | FieldType::Bits | FieldType::Bytes | FieldType::Duration => true,
            FieldType::Boolean => n < 2,
            FieldType::Neutral => n == 0,
            _ => false,
        };
        self.setting(right, n.to_string())
    }
    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        self.wrong()
    }
    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        self.wrong()
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        self.text(Text::There(text))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.text(Text::Apart(zeroize::Zeroizing::new(text.into())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        match self.kind {
            FieldType::Texts | FieldType::Names => {
                let (mut all, text) = (Vec::new(), Value { kind: FieldType::Text, ..self });
                while let Some(text) = list.next_element_seed(text)? {
                    let Some(Given::Text(text)) = text else { return self.wrong() };
                    all.push(text);
                }
                Ok(Some(Given::List(all)))
            }
            FieldType::Batch => {
                let (item, refused) = (self.item, self.refused);
                let mut all = Vec::new();
                while let Some(one) =
                    list.next_element_seed(Object { body: &[], item, params: &[], refused })?
                {
                    if all.len() == BATCH {
                        return Err(A::Error::custom("too many items"));
                    }
                    all.push(one);
                }
                Ok(Some(Given::Batch(all)))
            }
            FieldType::Neutral if list.next_element::<IgnoredAny>()?.is_none() => Ok(None),
            _ => self.wrong(),
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        match self.kind {
            FieldType::Neutral if map.next_key::<IgnoredAny>()?.is_none() => Ok(None),
            _ => self.wrong(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::forms::ENCRYPT;

    #[test]
    fn what_clients_send() {
        let body = br#"{"plaintext":null,"batch_input":[{"plaintext":"QQ=="},{"key_version":"2"}],"name":"a"}"#;
        let fields = read(body, &ENCRYPT, &[("name", "a".into())]).expect("right");
        let (items, batch) = fields.items(10).expect("right");
        assert!(batch && items[0].text("plaintext") == Some("QQ==") && items[1].version() == Ok(2));
        for wrong in [
            "[]",
            "{",
            "{\"partial_failure_response_code\":-1}",
            "{\"partial_failure_response_code\":1.5}",
            "{\"plaintext\":1}",
            "{\"batch_input\":[1]}",
            &format!("{{\"batch_input\":[{}{{}}]}}", "{},".repeat(BATCH)),
        ] {
            let failure = read(wrong.as_bytes(), &ENCRYPT, &[]).err().expect(wrong);
            assert_eq!(failure.status, 400);
        }
        assert!(read(b" null ", &ENCRYPT, &[]).is_ok() && read(b"", &ENCRYPT, &[]).is_ok());
        for (text, n) in [
            ("90", Some(90)),
            ("24h", Some(86400)),
            ("1h30m", Some(5400)),
            ("h", None),
            ("1x", None),
        ] {
            assert_eq!(seconds(text), n, "{text}");
        }
        assert_eq!(
            decode("QUJD\r\nREVG\n", "x", 1, 1).map(|b| b.to_vec()),
            Ok(b"\0ABCDEF\0".into())
        );
    }
}
