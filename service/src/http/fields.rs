//! The fields of each call's body and query. The description of the interface is made from this table. A name that is
//! not in it is refused.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::call::{Body, Call, Guard, Operation, Route};
use crate::failure::Failure;
use crate::keyring::KINDS;
use crate::transit::json::{self, Text};
use crate::transit::random::SOURCES;

/// A field of a request: its name, its type, and whether it is required.
pub type Field = (&'static str, &'static str, bool);

/// The type of a field that clients of Vault send and that has no use here: only its neutral value is accepted.
pub const NONE: &str = "none";
/// The type of the field with a token's type: the words of Vault that mean the only one here.
const SERVICE: &str = "service";

/// Returns the fields of a call's body by the call's name; those of a batch's items are in [`item`].
fn own(name: &str) -> &'static [Field] {
    match name {
        "create-key" => &[
            ("type", "key-type", false),
            ("derived", "boolean", false),
            ("exportable", "boolean", false),
            ("auto_rotate_period", "duration", false),
            ("allow_plaintext_backup", NONE, false),
            ("convergent_encryption", "boolean", false),
            ("key_size", NONE, false),
        ],
        "restore-key" | "restore-key-as" => &[("backup", "string", true), ("force", NONE, false)],
        "configure-key" => &[
            ("min_decryption_version", "integer", false),
            ("min_encryption_version", "integer", false),
            ("deletion_allowed", "boolean", false),
            ("auto_rotate_period", "duration", false),
            ("exportable", "boolean", false),
            ("allow_plaintext_backup", NONE, false),
        ],
        "trim-key" => &[("min_available_version", "integer", true)],
        "encrypt" => &[
            ("batch_input", "array", false),
            ("partial_failure_response_code", "integer", false),
            ("type", "cipher-type", false),
            ("convergent_encryption", NONE, false),
        ],
        "decrypt" | "rewrap" => {
            &[("batch_input", "array", false), ("partial_failure_response_code", "integer", false)]
        }
        "datakey" => &[
            ("bits", "bits", false),
            ("context", "base64", false),
            ("associated_data", "base64", false),
            ("nonce", NONE, false),
        ],
        "hmac" | "hmac-algorithm" => {
            &[("batch_input", "array", false), ("algorithm", "hash", false)]
        }
        "verify" | "verify-algorithm" => &[
            ("batch_input", "array", false),
            ("algorithm", "hash", false),
            ("hash_algorithm", "hash", false),
            ("prehashed", NONE, false),
            ("signature_algorithm", NONE, false),
            ("marshaling_algorithm", NONE, false),
            ("salt_length", NONE, false),
        ],
        "hash" | "hash-algorithm" => {
            &[("input", "base64", true), ("algorithm", "hash", false), ("format", "format", false)]
        }
        "random" | "random-source" | "random-source-bytes" => {
            &[("bytes", "bytes", false), ("format", "format", false), ("source", "source", false)]
        }
        "write-policy" | "write-policy-old" => {
            &[("policy", "string", false), ("rules", "string", false)]
        }
        "create-token" | "create-orphan" => &[
            ("policies", "strings", false),
            ("ttl", "duration", false),
            ("lease", "duration", false),
            ("display_name", "string", false),
            ("renewable", "boolean", false),
            ("no_default_policy", "boolean", false),
            ("type", SERVICE, false),
            ("id", NONE, false),
            ("meta", NONE, false),
            ("no_parent", "boolean", false),
            ("explicit_max_ttl", "duration", false),
            ("period", "duration", false),
            ("num_uses", "integer", false),
            ("entity_alias", NONE, false),
        ],
        "renew-token" => &[("token", "string", true), ("increment", "duration", false)],
        "renew-accessor" => &[("accessor", "string", true), ("increment", "duration", false)],
        "write-role" => &[
            ("bind_secret_id", "boolean", false),
            ("secret_id_num_uses", "integer", false),
            ("secret_id_ttl", "duration", false),
            ("token_policies", "names", false),
            ("policies", "names", false),
            ("token_ttl", "duration", false),
            ("token_max_ttl", "duration", false),
            ("token_explicit_max_ttl", "duration", false),
            ("token_period", "duration", false),
            ("token_num_uses", "integer", false),
            ("token_no_default_policy", "boolean", false),
            ("token_type", SERVICE, false),
            ("secret_id_bound_cidrs", NONE, false),
            ("token_bound_cidrs", NONE, false),
            ("local_secret_ids", NONE, false),
        ],
        "write-role-id" => &[("role_id", "string", true)],
        "make-secret-id" => &[
            ("num_uses", "integer", false),
            ("ttl", "duration", false),
            ("metadata", NONE, false),
            ("cidr_list", NONE, false),
            ("token_bound_cidrs", NONE, false),
        ],
        "lookup-secret-id" | "destroy-secret-id" => &[("secret_id", "string", true)],
        "lookup-secret-id-accessor" | "destroy-secret-id-accessor" => {
            &[("secret_id_accessor", "string", true)]
        }
        "login-approle" => &[("role_id", "string", true), ("secret_id", "string", false)],
        "login-cert" => &[("name", "string", false)],
        // All settings of the mount are fixed.
        "tune-mount" | "tune-auth" => &[
            ("default_lease_ttl", NONE, false),
            ("max_lease_ttl", NONE, false),
            ("description", NONE, false),
            ("options", NONE, false),
            ("listing_visibility", NONE, false),
            ("token_type", SERVICE, false),
        ],
        "renew-self" => &[("increment", "duration", false), ("token", NONE, false)],
        "lookup-token" | "revoke-token" => &[("token", "string", true)],
        "lookup-accessor" | "revoke-accessor" => &[("accessor", "string", true)],
        "capabilities-self" => {
            &[("paths", "strings", false), ("path", "string", false), ("token", "string", false)]
        }
        // The root key is read from its configured place.
        "unseal" => &[("key", NONE, false), ("reset", NONE, false), ("migrate", NONE, false)],
        _ => &[],
    }
}

/// Returns the fields of a message: in the body itself, or in an item of `batch_input`.
fn item(name: &str) -> &'static [Field] {
    match name {
        "encrypt" => &[
            ("plaintext", "base64", false),
            ("context", "base64", false),
            ("associated_data", "base64", false),
            ("key_version", "integer", false),
            ("reference", "string", false),
            ("nonce", NONE, false),
            // Clients use one class for requests and for items.
            ("type", "cipher-type", false),
            ("convergent_encryption", NONE, false),
            ("partial_failure_response_code", "integer", false),
        ],
        "decrypt" => &[
            ("ciphertext", "string", false),
            ("context", "base64", false),
            ("associated_data", "base64", false),
            ("reference", "string", false),
            ("nonce", NONE, false),
            ("key_version", NONE, false),
        ],
        "rewrap" => &[
            ("ciphertext", "string", false),
            ("context", "base64", false),
            ("associated_data", "base64", false),
            ("key_version", "integer", false),
            ("reference", "string", false),
            ("nonce", NONE, false),
        ],
        "hmac" | "hmac-algorithm" => &[
            ("input", "base64", false),
            ("key_version", "integer", false),
            ("reference", "string", false),
        ],
        "verify" | "verify-algorithm" => &[
            ("input", "base64", false),
            ("hmac", "string", false),
            ("reference", "string", false),
            ("signature", NONE, false),
            ("context", NONE, false),
            ("key_version", NONE, false),
        ],
        _ => &[],
    }
}

/// Returns all fields of a call's body.
pub fn fields(name: &str) -> impl Iterator<Item = &'static Field> {
    own(name).iter().chain(item(name))
}

/// Returns the parameters of a call's query: names and types.
pub fn parameters(route: &Route) -> &'static [(&'static str, &'static str)] {
    match route.name {
        "health" => &[
            ("activecode", "integer"),
            ("sealedcode", "integer"),
            // For states that do not exist here.
            ("standbyok", NONE),
            ("perfstandbyok", NONE),
            ("standbycode", NONE),
            ("performancestandbycode", NONE),
            ("drsecondarycode", NONE),
            ("uninitcode", NONE),
            ("haunhealthycode", NONE),
            ("removedcode", NONE),
        ],
        "metrics" => &[("format", NONE)],
        _ if route.operation == Operation::List => &[("after", "string"), ("limit", "integer")],
        "stream-encrypt" => {
            &[("context", "base64"), ("stream", "string"), ("part", "integer"), ("last", "boolean")]
        }
        "stream-decrypt" => &[
            ("context", "base64"),
            ("stream", "string"),
            ("part", "integer"),
            ("last", "boolean"),
            ("chunk", "integer"),
        ],
        _ => &[],
    }
}

/// Refuses a query with parameters that the call does not read.
///
/// # Errors
/// 400 with the name of the parameter.
pub fn check_query(route: &Route, query: &[(String, String)]) -> Result<(), Failure> {
    for (i, (name, value)) in query.iter().enumerate() {
        let listed = name == "list" && matches!(route.operation, Operation::Read | Operation::List);
        let right = match parameters(route).iter().find(|(known, _)| known == name) {
            Some(_) if route.name == "metrics" => matches!(value.as_str(), "" | "prometheus"),
            // A mark without a value may be a mistake.
            Some((_, "boolean")) => !value.is_empty() && json::flag(value).is_some(),
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

/// Reads the names of a body's fields, and checks the fields' types.
///
/// # Errors
/// 400 with the name of a field that the call does not have, that occurs twice, or that has another type; or for no JSON.
pub fn check(call: &Call) -> Result<Names<'_>, Failure> {
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
    let seed = Object {
        own: own(route.name),
        item: item(route.name),
        call: Some(call),
        refused: &refused,
    };
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
            let of_own = own(route.name).iter().any(|field| field.0 == *name);
            !of_all
                && !of_own
                && !given.neutral()
                && item(route.name).iter().any(|field| field.0 == *name)
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
    own: &'static [Field],
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
            let known = self.own.iter().chain(self.item).position(|field| field.0 == name);
            let param = self.call.and_then(|call| call.params.iter().find(|(n, _)| *n == name));
            let (at, (name, kind, _)) = match (known, &param) {
                (Some(i), _) => (i, *self.own.iter().chain(self.item).nth(i).expect("found")),
                (None, Some((name, _))) => (31, (*name, "path", false)),
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
    kind: &'static str,
    /// The value in the path.
    path: Option<&'c str>,
    item: &'static [Field],
    refused: &'c RefCell<String>,
}

impl Value<'_> {
    fn wrong<T, E: Error>(&self) -> Result<T, E> {
        let name = self.name;
        let why = match self.kind {
            NONE => format!("{name} is not supported"),
            SERVICE => format!("{name}: must be service"),
            "path" => format!("{name}: the path has another value"),
            "array" => format!("{name}: must be a list of objects"),
            "strings" | "names" => format!("{name}: must be a list of texts"),
            "boolean" => format!("{name}: must be true or false"),
            "duration" => format!("{name}: must be seconds, or a time such as 24h"),
            "integer" | "bits" | "bytes" => format!("{name}: must be a whole number from 0"),
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
        let number = |path: &str| self.kind == "source" && path.parse::<u64>().is_ok();
        if self.path.is_some_and(|path| path != value && !value.is_empty() && !number(path)) {
            return Value { kind: "path", ..self }.wrong();
        }
        let right = match self.kind {
            "base64" | "string" | "names" => return Ok(Some(Given::Text(text))),
            // Any other word may be a secret.
            "hash" | "format" | "source" | "key-type" | "cipher-type" if !is_word(value) => {
                return Ok(Some(Given::Text(text)));
            }
            "path" | "hash" | "format" | "source" | "key-type" | "cipher-type" => true,
            NONE => value == "0s" || json::flag(value) == Some(false),
            SERVICE => matches!(value, "" | "service" | "default" | "default-service"),
            "boolean" => json::flag(value).is_some(),
            "duration" => json::seconds(value).is_some(),
            "integer" | "bits" | "bytes" => value.trim().parse::<u64>().is_ok(),
            _ => false,
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
        self.setting(self.kind == "boolean" || self.kind == NONE && !yes, yes.to_string())
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Self::Value, E> {
        if self.path.is_some_and(|path| path.parse() != Ok(n)) {
            return Value { kind: "path", ..self }.wrong();
        }
        let right = match self.kind {
            "integer" | "bits" | "bytes" | "duration" => true,
            "boolean" => n < 2,
            NONE => n == 0,
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
            "strings" | "names" => {
                let mut all = String::new();
                while let Some(text) = list.next_element_seed(Value { kind: "string", ..self })? {
                    let Some(Given::Text(text)) = text else { return self.wrong() };
                    all += if all.is_empty() { "" } else { "," };
                    all += text.as_str();
                }
                Ok(Some(Given::Text(Text::Apart(all.into()))))
            }
            "array" => {
                let item =
                    || Object { own: &[], item: self.item, call: None, refused: self.refused };
                let mut some = false;
                while list.next_element_seed(item())?.is_some() {
                    some = true;
                }
                Ok(Some(Given::Setting(if some { "batch" } else { "" }.into())))
            }
            NONE if list.next_element::<IgnoredAny>()?.is_none() => Ok(None),
            _ => self.wrong(),
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        match self.kind {
            NONE if map.next_key::<IgnoredAny>()?.is_none() => Ok(None),
            _ => self.wrong(),
        }
    }
}
