//! Checks the fields of a call's body and query. A name that is not in the call's line of the table is refused.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::forms;
use crate::call::{Body, Call, Field, FieldType, Guard, Operation, Route};
use crate::failure::{Failure, Result};
use crate::keyring::KINDS;
use crate::transit::json::{self, Text};
use crate::transit::random::SOURCES;

pub fn parameters(route: &Route) -> &'static [Field] {
    if route.operation == Operation::List { forms::PAGE } else { route.form.query }
}

/// Refuses a query with parameters that the call does not read. Errors: 400 with the name of the parameter.
pub fn check_query(route: &Route, query: &[(String, String)]) -> Result<()> {
    for (i, (name, value)) in query.iter().enumerate() {
        let listed = name == "list" && matches!(route.operation, Operation::Read | Operation::List);
        let right = match parameters(route).iter().find(|field| field.name == name) {
            Some(_) if route.name == "metrics" => matches!(value.as_str(), "" | "prometheus"),
            // A mark without a value may be a mistake.
            Some(Field { kind: FieldType::Boolean, .. }) => {
                !value.is_empty() && json::flag(value).is_some()
            }
            Some(_) => true,
            None if listed => json::flag(value).is_some(),
            None => {
                return Err(Failure::bad(format!("unknown parameter {}", word(name))));
            }
        };
        if !right {
            return Err(Failure::bad(format!("{name}: this value is not supported")));
        }
        if query[..i].iter().any(|(other, _)| other == name) {
            return Err(Failure::bad(format!("parameter {name} occurs twice")));
        }
    }
    Ok(())
}

/// Returns whether a text is a word of the interface.
fn is_word(text: &str) -> bool {
    ["", "streebog256", "streebog512", "hex", "base64"].contains(&text)
        || SOURCES.contains(&text)
        || KINDS.iter().any(|kind| kind.name == text)
}

/// Returns a client's name for an error, if it looks like a name and not like a secret.
fn word(name: &str) -> String {
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
    /// A setting, as it was sent.
    Setting(String),
}

impl Given<'_> {
    fn neutral(&self) -> bool {
        match self {
            Given::Text(text) => text.as_str().is_empty(),
            Given::Setting(text) => matches!(text.as_str(), "" | "0"),
        }
    }
}

/// The fields of a body; without those that are `null`.
pub type Names<'a> = Vec<(&'static str, Given<'a>)>;

/// Reads the names of a body's fields, and checks the fields' types. Errors: 400 with the name of a field that the call
/// does not have, that occurs twice, or that has another type; or for no JSON.
pub fn check(call: &Call) -> Result<Names<'_>> {
    let Some(route) = call.route else { return Ok(Vec::new()) };
    let text = call.body.trim_ascii();
    // Such a mount is refused in any case.
    if text.is_empty() || text == b"null" || matches!(route.name, "mount" | "mount-auth") {
        return Ok(Vec::new());
    }
    if route.guard == Guard::Open || route.body == Body::Stream {
        return Err(Failure::bad("this call has no JSON body"));
    }
    if text[0] != b'{' {
        return Err(Failure::bad("error parsing JSON: no object"));
    }
    let refused = RefCell::new(String::new());
    let form = &route.form;
    let seed = Object { body: form.body, item: form.item, call: Some(call), refused: &refused };
    let mut reader = serde_json::Deserializer::from_slice(text);
    let given = seed.deserialize(&mut reader).and_then(|given| reader.end().map(|()| given));
    let given = given.map_err(|e| match refused.into_inner() {
        why if why.is_empty() => json::wrong(&e),
        why => Failure::bad(why),
    })?;
    if given.iter().any(|(name, _)| *name == "batch_input") {
        // Vault ignores them in silence.
        let dropped = given.iter().find(|(name, given)| {
            let of_all = *name == "key_version" && route.name.starts_with("hmac");
            let is_in = |fields: &[Field]| fields.iter().any(|field| field.name == *name);
            !of_all && !is_in(form.body) && !given.neutral() && is_in(form.item)
        });
        if let Some((name, _)) = dropped {
            return Err(Failure::bad(format!(
                "{name}: next to batch_input it would apply to no item"
            )));
        }
    }
    Ok(given)
}

/// Reads an object with the fields of a call or of an item.
struct Object<'c> {
    body: &'static [Field],
    item: &'static [Field],
    /// The call, if the body may repeat parameters of the path.
    call: Option<&'c Call>,
    refused: &'c RefCell<String>,
}

fn refuse<E: Error>(cell: &RefCell<String>, why: String) -> E {
    cell.replace(why);
    E::custom("refused")
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = Names<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Names<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Names<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names<'de>, A::Error> {
        let mut given = Names::new();
        let mut seen = 0u32;
        while let Some(name) = map.next_key::<Text<'de>>()? {
            let name = name.as_str();
            let mut fields = self.body.iter().chain(self.item).enumerate();
            let known = fields.find(|(_, field)| field.name == name);
            let param = self.call.and_then(|call| call.params.iter().find(|(n, _)| *n == name));
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
        Ok(given)
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
            FieldType::Neutral => value == "0s" || json::flag(value) == Some(false),
            FieldType::Service => matches!(value, "" | "service" | "default" | "default-service"),
            FieldType::Boolean => json::flag(value).is_some(),
            FieldType::Duration => json::seconds(value).is_some(),
            FieldType::Integer | FieldType::Bits | FieldType::Bytes => {
                value.trim().parse::<u64>().is_ok()
            }
            FieldType::Texts | FieldType::Batch => false,
        };
        self.setting(right, value[..value.floor_char_boundary(40)].into())
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
                let mut all = String::new();
                while let Some(text) =
                    list.next_element_seed(Value { kind: FieldType::Text, ..self })?
                {
                    let Some(Given::Text(text)) = text else { return self.wrong() };
                    all += if all.is_empty() { "" } else { "," };
                    all += text.as_str();
                }
                Ok(Some(Given::Text(Text::Apart(all.into()))))
            }
            FieldType::Batch => {
                let item =
                    || Object { body: &[], item: self.item, call: None, refused: self.refused };
                let mut word = "";
                while list.next_element_seed(item())?.is_some() {
                    word = "batch";
                }
                Ok(Some(Given::Setting(word.into())))
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
