//! The messages of the control socket: `PROTOCOL.md` in code. [`parse`] reads a request by the one table here, which
//! has each verb with its fields; [`Answer`] writes answers and events.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::net::{IpAddr, SocketAddr};

use bulat::esp::Transform;

use super::value::{Direction, Host, Key, Mtu, Packets, Ports, Range, Reqid, Spi, Tfc, Value};
use crate::address::Prefix;
use crate::sa::Carrier;
use crate::table::Way;

/// The longest message in bytes.
pub const LONGEST: usize = 64 << 10;
/// The longest message in bytes of a connection `ike`.
pub const LONGEST_IKE: usize = 70 << 10;

/// The reason of a refusal: PROTOCOL.md has them by their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those words")]
pub enum Reason {
    UnknownVerb,
    UnknownField,
    RepeatedField,
    MissingField,
    BadValue,
    Malformed,
    TooLong,
    Exists,
    NotFound,
    Busy,
    System,
    Forbidden,
}

impl Reason {
    /// The word of the answer.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::UnknownVerb => "unknown-verb",
            Reason::UnknownField => "unknown-field",
            Reason::RepeatedField => "repeated-field",
            Reason::MissingField => "missing-field",
            Reason::BadValue => "bad-value",
            Reason::Malformed => "malformed",
            Reason::TooLong => "too-long",
            Reason::Exists => "exists",
            Reason::NotFound => "not-found",
            Reason::Busy => "busy",
            Reason::System => "system",
            Reason::Forbidden => "forbidden",
        }
    }
}

/// A request that is refused, which changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The field at fault.
    pub field: Option<Cow<'static, str>>,
    /// A line for people.
    pub text: Cow<'static, str>,
}

impl Refusal {
    /// A refusal without a field.
    pub fn new(reason: Reason, text: impl Into<Cow<'static, str>>) -> Self {
        Refusal { reason, field: None, text: text.into() }
    }
    /// A refusal of a field's value.
    pub fn value(field: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Refusal { reason: Reason::BadValue, field: Some(field.into()), text: text.into() }
    }
    fn field(reason: Reason, field: &str, text: String) -> Self {
        Refusal { reason, field: Some(field.to_owned().into()), text: text.into() }
    }
    /// The answer.
    pub fn answer(&self) -> Vec<u8> {
        let mut answer = Answer::new("error");
        answer.field("reason", self.reason.word());
        if let Some(field) = &self.field {
            answer.field("field", field);
        }
        answer.field("text", &self.text);
        answer.bytes()
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A name of a message as it may be repeated: a word of ours could have been it, a key could not.
fn shown(name: &str) -> &str {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if (1..=20).contains(&name.len()) && name.bytes().all(plain) { name } else { "?" }
}

/// A field of a verb, for documents and tests.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The kind of its value, for people.
    pub wanted: &'static str,
    /// The verb needs it.
    pub required: bool,
}

/// A verb, for documents and tests.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The name.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

/// The value of a field, or its default, or the refusal for want of it.
macro_rules! given {
    ($field:ident, $verb:literal, $name:literal) => {
        $field.ok_or_else(|| {
            let text = format!("{} needs the field {}", $verb, $name);
            Refusal::field(Reason::MissingField, $name, text)
        })?
    };
    ($field:ident, $verb:literal, $name:literal, $default:expr) => {
        $field.unwrap_or($default)
    };
}
macro_rules! required {
    () => {
        true
    };
    ($default:expr) => {
        false
    };
}

/// Makes the table, a type for each verb, and the reader.
macro_rules! verbs {
    ($(
        $(#[$doc:meta])*
        $verb:literal $type:ident {
            $( $name:literal $field:ident: $value:ty $(= $default:expr)?, )*
        }
    )*) => {
        $(
            $(#[$doc])*
            #[allow(missing_docs, reason = "PROTOCOL.md tells what a field is")]
            pub struct $type {
                $( pub $field: $value, )*
            }
        )*

        /// A request.
        pub enum Request {
            $( $(#[$doc])* $type($type), )*
        }

        /// The table of all verbs.
        pub const VERBS: &[Verb] = &[ $( Verb {
            name: $verb,
            fields: &[ $( Field {
                name: $name,
                wanted: <$value as Value>::WANTED,
                required: required!($($default)?),
            }, )* ],
        }, )* ];

        fn read<'a>(verb: &str, lines: impl Iterator<Item = &'a str>) -> Result<Request, Refusal> {
            match verb {
                $( $verb => {
                    $( let mut $field: Option<$value> = None; )*
                    for line in lines {
                        match split(line)? {
                            $( ($name, value) => put(&mut $field, $name, value)?, )*
                            (name, _) => return Err(unknown_field($verb, name)),
                        }
                    }
                    Ok(Request::$type($type {
                        $( $field: given!($field, $verb, $name $(, $default)?), )*
                    }))
                } )*
                _ => {
                    let text = format!("the verb {} does not exist", shown(verb));
                    Err(Refusal::new(Reason::UnknownVerb, text))
                }
            }
        }
    };
}

fn split(line: &str) -> Result<(&str, &str), Refusal> {
    let text = "a line after the first is no field=value";
    line.split_once('=').ok_or(Refusal::new(Reason::Malformed, text))
}

fn put<T: Value>(place: &mut Option<T>, name: &'static str, text: &str) -> Result<(), Refusal> {
    if place.is_some() {
        let said = format!("the field {name} is there twice");
        return Err(Refusal::field(Reason::RepeatedField, name, said));
    }
    let value = T::read(text);
    *place =
        Some(value.ok_or_else(|| Refusal::value(name, format!("{name} must be {}", T::WANTED)))?);
    Ok(())
}

fn unknown_field(verb: &str, name: &str) -> Refusal {
    let text = format!("{verb} has no field {}", shown(name));
    Refusal::field(Reason::UnknownField, shown(name), text)
}

verbs! {
    /// Asks for the version.
    "hello" Hello {}

    /// Reserves an SPI.
    "spi" ReserveSpi {
        "destination" destination: Host,
    }

    /// Adds an SA.
    "add" Add {
        "direction" direction: Direction,
        "spi" spi: Spi,
        "source" source: Host,
        "destination" destination: Host,
        "transform" transform: Transform,
        "key" key: Key,
        "reqid" reqid: Reqid,
        "esn" esn: bool = true,
        "ports" ports: Option<Ports> = None,
        "queue" queue: Option<u32> = None,
        "window" window: Option<Packets> = None,
        "tfc" tfc: Option<Tfc> = None,
        "copy-dscp" copy_dscp: bool = false,
        "mtu" mtu: Option<Mtu> = None,
        "soft-bytes" soft_bytes: u64 = 0,
        "soft-packets" soft_packets: u64 = 0,
        "soft-seconds" soft_seconds: u64 = 0,
        "hard-bytes" hard_bytes: u64 = 0,
        "hard-packets" hard_packets: u64 = 0,
        "hard-seconds" hard_seconds: u64 = 0,
    }

    /// Changes the ends of an SA.
    "update" Update {
        "spi" spi: Spi,
        "destination" destination: Host,
        "new-source" new_source: Option<Host> = None,
        "new-destination" new_destination: Option<Host> = None,
        "new-ports" new_ports: Option<Carrier> = None,
    }

    /// Asks for the use of an SA.
    "query" Query {
        "spi" spi: Spi,
        "destination" destination: Host,
    }

    /// Removes an SA.
    "delete" Delete {
        "spi" spi: Spi,
        "destination" destination: Host,
    }

    /// Removes all SAs and reserved SPIs.
    "flush" Flush {}

    /// Adds a policy, or a user of it.
    "policy-add" PolicyAdd {
        "direction" way: Way,
        "source" source: Prefix,
        "destination" destination: Prefix,
        "reqid" reqid: Reqid,
        "tunnel-source" tunnel_source: IpAddr,
        "tunnel-destination" tunnel_destination: IpAddr,
        "protocol" protocol: u8 = 0,
        "source-ports" source_ports: Range = Range(0..=u16::MAX),
        "destination-ports" destination_ports: Range = Range(0..=u16::MAX),
        "priority" priority: u32 = 0,
    }

    /// Asks for the use of a policy.
    "policy-query" PolicyQuery {
        "direction" way: Way,
        "source" source: Prefix,
        "destination" destination: Prefix,
        "protocol" protocol: u8 = 0,
        "source-ports" source_ports: Range = Range(0..=u16::MAX),
        "destination-ports" destination_ports: Range = Range(0..=u16::MAX),
    }

    /// Removes a policy, or a user of it.
    "policy-delete" PolicyDelete {
        "direction" way: Way,
        "source" source: Prefix,
        "destination" destination: Prefix,
        "reqid" reqid: Reqid,
        "protocol" protocol: u8 = 0,
        "source-ports" source_ports: Range = Range(0..=u16::MAX),
        "destination-ports" destination_ports: Range = Range(0..=u16::MAX),
    }

    /// Removes all policies.
    "policy-flush" PolicyFlush {}

    /// Asks for events on this connection.
    "subscribe" Subscribe {}

    /// Makes this connection carry IKE messages.
    "ike" Ike {}

    /// Asks for the state for people.
    "status" Status {}

    /// Asks for the state as Prometheus text.
    "metrics" Metrics {}
}

/// Reads a request. Errors: [`Refusal`]: the first fault, and the field that has it.
pub fn parse(message: &[u8]) -> Result<Request, Refusal> {
    if message.len() > LONGEST {
        return Err(too_long(LONGEST));
    }
    let text = std::str::from_utf8(message)
        .map_err(|_| Refusal::new(Reason::Malformed, "the message is not UTF-8"))?;
    // A line's end after the last line is no further line.
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    read(lines.next().unwrap_or_default(), lines)
}

/// The refusal of a message that is too long.
pub fn too_long(most: usize) -> Refusal {
    Refusal::new(Reason::TooLong, format!("the message has more than {most} bytes"))
}

/// An IKE message between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// Our address and port.
    pub local: SocketAddr,
    /// The peer's.
    pub remote: SocketAddr,
    /// The DSCP of its packet.
    pub dscp: u8,
    /// The message without the non-ESP marker.
    pub message: &'a [u8],
}

impl<'a> Datagram<'a> {
    /// Reads a message of a connection `ike`. Errors: [`Refusal`]: the first fault, and the field that has it.
    pub fn parse(message: &'a [u8]) -> Result<Self, Refusal> {
        if message.len() > LONGEST_IKE {
            return Err(too_long(LONGEST_IKE));
        }
        let malformed = |text: &'static str| Refusal::new(Reason::Malformed, text);
        let end = message.iter().position(|b| *b == b'\n');
        let end = end.ok_or(malformed("the message has no first line"))?;
        let head = std::str::from_utf8(&message[..end])
            .map_err(|_| malformed("the first line is not UTF-8"))?;
        let (mut local, mut remote, mut dscp) = (None, None, None);
        for word in head.split(' ') {
            let (name, value) = word
                .split_once('=')
                .ok_or(malformed("a word of the first line is no field=value"))?;
            match name {
                "local" => put(&mut local, "local", value)?,
                "remote" => put(&mut remote, "remote", value)?,
                "dscp" => put::<u8>(&mut dscp, "dscp", value)?,
                _ => return Err(unknown_field("ike", name)),
            }
        }
        let local: SocketAddr = given!(local, "ike", "local");
        let remote: SocketAddr = given!(remote, "ike", "remote");
        let dscp = given!(dscp, "ike", "dscp");
        if dscp > 63 {
            return Err(Refusal::value("dscp", "dscp must be a number up to 63"));
        }
        if local.is_ipv4() != remote.is_ipv4() {
            return Err(Refusal::value("remote", "remote must be of the family of local"));
        }
        Ok(Datagram { local, remote, dscp, message: &message[end + 1..] })
    }

    /// Writes the message of a connection `ike`.
    pub fn bytes(&self) -> Vec<u8> {
        let Datagram { local, remote, dscp, message } = self;
        let mut out = format!("local={local} remote={remote} dscp={dscp}\n").into_bytes();
        out.extend_from_slice(message);
        out
    }
}

/// An answer or an event: a word, then fields.
pub struct Answer(String);

impl Answer {
    /// Begins with the word.
    pub fn new(word: &str) -> Self {
        Answer(word.into())
    }
    /// Begins with `ok`.
    pub fn ok() -> Self {
        Answer::new("ok")
    }
    /// Adds a field.
    pub fn field(&mut self, name: &str, value: impl Display) -> &mut Self {
        // A string has room.
        let _ = write!(self.0, "\n{name}={value}");
        self
    }
    /// The message.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }
}

/// Writes a SPI as messages have it.
pub fn spi(spi: u32) -> impl Display {
    struct Hex(u32);
    impl Display for Hex {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:#010x}", self.0)
        }
    }
    Hex(spi)
}
