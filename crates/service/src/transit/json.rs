//! The JSON of requests. Numbers and flags may be strings, as the official command sends them; null counts as absent.
//! The names of fields are checked before ([`crate::http::fields`]). Texts stay in the body, which is wiped.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use crate::cleared::Cleared;
use crate::config::BATCH;
use crate::failure::{Failure, Result};

/// A text of an answer, wiped when the answer has been written.
pub struct Wiped(Zeroizing<String>);

impl Wiped {
    /// Encodes bytes in base64.
    pub fn base64(bytes: &[u8]) -> Wiped {
        // The full size at once, since growth would leave copies.
        let mut text = Zeroizing::new(String::with_capacity(bytes.len() / 3 * 4 + 4));
        STANDARD.encode_string(bytes, &mut text);
        Wiped(text)
    }
    /// Copies a text.
    pub fn text(text: &str) -> Wiped {
        Wiped(Zeroizing::new(text.into()))
    }
    /// Encodes bytes in hexadecimal digits.
    pub fn hex(bytes: &[u8]) -> Wiped {
        Wiped(Zeroizing::new(bulat_container::digits::hex(bytes)))
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Wiped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

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

/// Reads a type with the methods of a visitor.
macro_rules! visitor {
    ($type:ident, $expecting:literal, $($methods:tt)*) => {
        visitor! { @ ['de] $type, $type, deserialize_any, $expecting, $($methods)* }
    };
    ($type:ident<'a>, $method:ident, $expecting:literal, $($methods:tt)*) => {
        visitor! { @ ['de: 'a, 'a] $type<'a>, $type<'de>, $method, $expecting, $($methods)* }
    };
    (@ [$($generics:tt)*] $type:ty, $value:ty, $method:ident, $expecting:literal, $($methods:tt)*) => {
        impl<$($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct V;
                impl<'de> Visitor<'de> for V {
                    type Value = $value;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    $($methods)*
                }
                deserializer.$method(V)
            }
        }
    };
}

visitor! { Text<'a>, deserialize_str, "a string",
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text::There(text))
    }
    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text::Apart(Zeroizing::new(text.into())))
    }
}

/// A whole number, 0 or more.
#[derive(Clone, Copy)]
pub struct Number(pub u64);

visitor! { Number, "a whole number",
    fn visit_u64<E>(self, n: u64) -> Result<Number, E> {
        Ok(Number(n))
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
        text.trim().parse().map(Number).map_err(|_| E::custom("no number"))
    }
}

#[derive(Clone, Copy)]
pub struct Flag(pub bool);

visitor! { Flag, "true or false",
    fn visit_bool<E>(self, yes: bool) -> Result<Flag, E> {
        Ok(Flag(yes))
    }
    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Flag, E> {
        if n < 2 { Ok(Flag(n == 1)) } else { Err(E::custom("no flag")) }
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Flag, E> {
        flag(text).map(Flag).ok_or_else(|| E::custom("no flag"))
    }
}

/// Names: a list, or a text with commas.
pub struct Names(pub Vec<String>);

visitor! { Names, "a list of names",
    fn visit_str<E>(self, text: &str) -> Result<Names, E> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Names(names.map(str::to_string).collect()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element::<String>()? {
            names.push(name);
        }
        Ok(Names(names))
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

/// Seconds: a number, or `90s`, `30m`, `24h`, `90d`, `1h30m`.
#[derive(Clone, Copy)]
pub struct Seconds(pub u64);

visitor! { Seconds, "a time in seconds, or such as 24h",
    fn visit_u64<E>(self, n: u64) -> Result<Seconds, E> {
        Ok(Seconds(n))
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Seconds, E> {
        seconds(text).map(Seconds).ok_or_else(|| E::custom("not a time"))
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

/// Reads a body; an empty one or null has no fields. Errors: 400, without any text of the body.
pub fn parse<'a, T: Deserialize<'a> + Default>(body: &'a [u8]) -> Result<T> {
    let text = body.trim_ascii();
    if text.is_empty() || text == b"null" {
        return Ok(T::default());
    }
    if text[0] != b'{' {
        return Err(Failure::bad("error parsing JSON: no object"));
    }
    serde_json::from_slice(text).map_err(|e| wrong(&e))
}

/// The error for a body that is not JSON, with the place and without its text.
pub fn wrong(e: &serde_json::Error) -> Failure {
    let problem = if e.is_data() { "a field of a wrong type" } else { "no JSON" };
    let (line, column) = (e.line(), e.column());
    Failure::bad(format!("error parsing JSON: {problem} at line {line} column {column}"))
}

/// One message of a request: the request's own fields, or an item of `batch_input`.
#[derive(Default)]
pub struct Item<'a> {
    /// Texts by name: see [`TEXTS`].
    texts: [Option<Text<'a>>; TEXTS.len()],
    pub key_version: Option<Number>,
}

/// The texts of an item.
const TEXTS: [&str; 10] = [
    "plaintext",
    "ciphertext",
    "context",
    "associated_data",
    "reference",
    "input",
    "hmac",
    "nonce",
    "signature",
    "type",
];

/// The items of `batch_input`.
pub struct Items<'a>(pub Vec<Item<'a>>);

/// The fields of the calls that process messages.
#[derive(Default)]
pub struct Fields<'a> {
    /// The message of a request without a batch.
    pub item: Item<'a>,
    /// The messages of a batch.
    pub batch_input: Option<Items<'a>>,
    /// `type`: the type of a key that `encrypt` creates.
    pub kind: Option<Text<'a>>,
    /// `algorithm`, or `hash_algorithm`.
    pub algorithm: Option<Text<'a>>,
    /// `format` of a hash or of random bytes.
    pub format: Option<Text<'a>>,
    /// The status of a batch in which some messages fail.
    pub partial_failure_response_code: Option<Number>,
    /// Bits of a data key.
    pub bits: Option<Number>,
    /// The number of random bytes.
    pub bytes: Option<Number>,
    /// `source` of random bytes.
    pub source: Option<Text<'a>>,
}

impl<'a> Item<'a> {
    /// Reads a field, and returns whether it belongs to an item.
    fn take<'de: 'a, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        if let Some(i) = TEXTS.iter().position(|text| *text == name) {
            self.texts[i] = map.next_value()?;
        } else if name == "key_version" {
            self.key_version = map.next_value()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
    /// Returns a text, if the request has it.
    pub fn text(&self, name: &str) -> Option<&str> {
        let i = TEXTS.iter().position(|text| *text == name)?;
        self.texts[i].as_ref().map(Text::as_str)
    }
    /// Decodes a text in base64; no text is no bytes. Errors: 400 if it is not base64.
    pub fn bytes(&self, name: &'static str) -> Result<Cleared> {
        let text = self.text(name).filter(|text| !text.is_empty());
        text.map_or_else(|| Ok(Cleared::default()), |text| decode(text, name, 0, 0))
    }
    /// Returns the version asked for; 0 means any. Errors: 400 for a number that no version can have.
    pub fn version(&self) -> Result<u32> {
        u32::try_from(self.key_version.map_or(0, |n| n.0))
            .map_err(|_| Failure::bad("invalid key version"))
    }
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

visitor! { Item<'a>, deserialize_map, "an object",
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item<'de>, A::Error> {
        let mut item = Item::default();
        while let Some(name) = map.next_key::<Text<'de>>()? {
            if !item.take(name.as_str(), &mut map)? {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(item)
    }
}

visitor! { Items<'a>, deserialize_seq, "a list of objects",
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Items<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            if items.len() == BATCH {
                return Err(serde::de::Error::custom("too many items"));
            }
            items.push(item);
        }
        Ok(Items(items))
    }
}

visitor! { Fields<'a>, deserialize_map, "an object",
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(name) = map.next_key::<Text<'de>>()? {
            match name.as_str() {
                "batch_input" => fields.batch_input = map.next_value()?,
                "type" => fields.kind = map.next_value()?,
                "algorithm" | "hash_algorithm" => fields.algorithm = map.next_value()?,
                "format" => fields.format = map.next_value()?,
                "partial_failure_response_code" => {
                    fields.partial_failure_response_code = map.next_value()?;
                }
                "bits" => fields.bits = map.next_value()?,
                "bytes" => fields.bytes = map.next_value()?,
                "source" => fields.source = map.next_value()?,
                name => {
                    if !fields.item.take(name, &mut map)? {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
            }
        }
        Ok(fields)
    }
}

impl<'a> Fields<'a> {
    /// Returns the messages, and whether they are a batch. Errors: 400 for an empty batch, or one with too many items.
    pub fn items(&mut self, most: usize) -> Result<(Vec<Item<'a>>, bool)> {
        match self.batch_input.take() {
            None => Ok((vec![std::mem::take(&mut self.item)], false)),
            Some(Items(items)) if items.is_empty() => {
                Err(Failure::bad("missing batch input to process"))
            }
            Some(Items(items)) if items.len() > most => {
                Err(Failure::bad(format!("batch_input: at most {most} items")))
            }
            Some(Items(items)) => Ok((items, true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_send() {
        let body = br#"{"plaintext":null,"batch_input":[{"plaintext":"QQ=="},{"key_version":"2","else":[1]}],"x":{}}"#;
        let mut fields: Fields<'_> = parse(body).expect("right");
        let (items, batch) = fields.items(10).expect("right");
        assert!(batch && items[0].text("plaintext") == Some("QQ==") && items[1].version() == Ok(2));
        for wrong in [
            "[]",
            "{",
            "{\"bits\":-1}",
            "{\"bits\":1.5}",
            "{\"plaintext\":1}",
            "{\"batch_input\":[1]}",
            &format!("{{\"batch_input\":[{}{{}}]}}", "{},".repeat(BATCH)),
        ] {
            let failure = parse::<Fields<'_>>(wrong.as_bytes()).err().expect(wrong);
            assert_eq!(failure.status, 400);
        }
        assert!(parse::<Fields<'_>>(b" null ").is_ok() && parse::<Fields<'_>>(b"").is_ok());
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
