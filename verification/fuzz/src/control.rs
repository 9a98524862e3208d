//! The messages of bulat-esp's control socket, and the work of its requests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bulat_esp::control::message::{Datagram, Reason, VERBS, parse};
use bulat_esp::control::report;
use bulat_esp::control::state::{Facts, State};
use bulat_esp::table::Table;
use testkit::Random;

/// Right and wrong values of each kind, separated by `|`, by the text for people.
const VALUES: &[(&str, &str, &str)] = &[
    ("0 or 1", "0|1", "|2|01|true"),
    ("in or out", "in|out", "|IN|forward|in "),
    ("out, in or forward", "in|out|forward", "|fwd"),
    (
        "an SPI from 0x100, such as 0xc1234567",
        "0x100|0xffffffff|0xABCdef01",
        "|0xff|0x|256|0x1ffffffff|0x+100",
    ),
    (
        "an address of a machine, such as 192.0.2.1 or 2001:db8::1",
        "192.0.2.1|2001:db8::1",
        "|0.0.0.0|::|224.0.0.1|ff02::1|192.0.2.256|192.0.2.1/24|host|fe80::1%1|::ffff:192.0.2.1",
    ),
    ("an address, such as 192.0.2.1 or 2001:db8::1", "0.0.0.0|::|192.0.2.1", "|192.0.2|1.2.3.4:5"),
    (
        "a prefix, such as 10.1.0.0/16 or 2001:db8::/32",
        "10.1.0.0/16|::/0|192.0.2.1/32",
        "|10.1.0.0|10.1.0.0/33|::/129|/8|10.0.0.0/-1",
    ),
    ("a number from 32 to 35", "32|33|34|35", "|31|36|032"),
    (
        "72 or 88 hexadecimal digits",
        "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF01234567\
            |00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0123456789abcdef01234567",
        "|00|0g112233445566778899aabbccddeeff00112233445566778899aabbccddeeff01234567\
            |00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0123456",
    ),
    ("a number from 1, below 2^32", "1|4294967295", "|0|-1|4294967296|1.0"),
    ("a number up to 255", "0|255", "|256|+1"),
    ("a number below 2^32", "0|4294967295", "|4294967296| 1"),
    ("a number below 2^64", "0|18446744073709551615", "|18446744073709551616|1e3"),
    ("LOCAL:REMOTE, two ports from 1", "4500:4500|1:65535", "|4500|0:1|1:0|1:65536|1:1:1|none"),
    ("LOCAL:REMOTE, two ports from 1, or none", "4500:4500|none", "|0:1|None"),
    ("FIRST-LAST, two ports in order", "0-65535|80-80", "|80|81-80|0-65536|-1-5"),
    ("a number of packets from 32 to 16777216", "32|16777216", "|31|16777217"),
    ("a number of bytes up to 65534, or mtu", "0|65534|mtu", "|65535|MTU"),
    ("a number of bytes from 576 to 65535", "576|65535", "|575|65536"),
];

fn any<'a>(r: &mut Random, values: &'a str) -> &'a str {
    let count = values.split('|').count();
    values.split('|').nth(r.below(count)).expect("below the count")
}

/// The values of a field.
fn values(wanted: &str) -> &'static (&'static str, &'static str, &'static str) {
    let found = VALUES.iter().find(|(name, ..)| *name == wanted);
    found.unwrap_or_else(|| panic!("no values for {wanted:?}"))
}

/// A message by choices: right, or with a fault that the parser must name. Returns whether it is right.
pub fn message(input: &[u8]) -> bool {
    let mut r = Random::given(input);
    let verb = &VERBS[r.below(VERBS.len())];
    let mut lines: Vec<(String, String)> = Vec::new();
    for field in verb.fields.iter().filter(|f| f.required || f.name.len() % 2 == 0) {
        let (_, right, _) = values(field.wanted);
        lines.push((field.name.into(), any(&mut r, right).into()));
    }
    // In any order.
    for n in (1..lines.len()).rev() {
        lines.swap(n, r.upto(n));
    }
    let mut head = verb.name.to_owned();
    let at = r.upto(lines.len().saturating_sub(1));
    let mut want = None;
    match r.below(7) {
        0 if !lines.is_empty() => {
            let (name, _) = lines.remove(at);
            if verb.fields.iter().any(|f| f.name == name && f.required) {
                want = Some((Reason::MissingField, Some(name)));
            }
        }
        1 if !lines.is_empty() => {
            let again = lines[at].clone();
            want = Some((Reason::RepeatedField, Some(again.0.clone())));
            lines.push(again);
        }
        2 if !lines.is_empty() => {
            let (name, value) = &mut lines[at];
            let field = verb.fields.iter().find(|f| f.name == name).expect("a field");
            let (.., wrong) = values(field.wanted);
            *value = any(&mut r, wrong).into();
            want = Some((Reason::BadValue, Some(name.clone())));
        }
        3 => {
            lines.insert(at, ("no-such-field".into(), "1".into()));
            want = Some((Reason::UnknownField, Some("no-such-field".into())));
        }
        4 => {
            head.push('x');
            want = Some((Reason::UnknownVerb, None));
        }
        5 => want = Some((Reason::Malformed, None)),
        _ => {}
    }
    let mut text = head;
    for (name, value) in &lines {
        text += &format!("\n{name}={value}");
    }
    if matches!(want, Some((Reason::Malformed, _))) {
        text += "\nno field";
    }
    match (parse(text.as_bytes()), want) {
        (Ok(_), None) => true,
        (Err(refusal), Some((reason, field))) => {
            let have = refusal.field.as_deref();
            assert_eq!((refusal.reason, have), (reason, field.as_deref()), "{text:?}");
            false
        }
        (Ok(_), Some(want)) => panic!("{text:?} was accepted: {want:?}"),
        (Err(refusal), None) => panic!("{text:?}: {refusal}"),
    }
}

/// Any bytes are a request, or are refused by an answer of a few short lines.
pub fn bytes(input: &[u8]) {
    if let Err(refusal) = parse(input) {
        let answer = String::from_utf8(refusal.answer()).expect("UTF-8");
        let lines: Vec<_> = answer.split('\n').collect();
        assert!((3..=4).contains(&lines.len()) && lines[0] == "error", "{answer}");
        assert!(lines[1..].iter().all(|line| line.contains('=') && line.len() < 150), "{answer}");
    }
    if let Ok(datagram) = Datagram::parse(input) {
        let written = datagram.bytes();
        assert_eq!(Datagram::parse(&written).as_ref(), Ok(&datagram));
    }
}

/// Right requests one after the other: what is refused changes nothing. Returns how many are accepted.
pub fn work(input: &[u8]) -> usize {
    let mut r = Random::given(input);
    let facts = Facts { tun: "t".into(), queues: 2, ports: vec![4500], raw: true, mark: 0 };
    let table = Arc::new(Table::new().0);
    let mut state = State::new(table.clone(), facts);
    let (mut accepted, mut number) = (0, 0);
    while !r.is_spent() {
        let verb = &VERBS[r.below(VERBS.len())];
        let mut text = verb.name.to_owned();
        for field in verb.fields {
            if field.required || r.below(4) == 0 {
                let mut value = any(&mut r, values(field.wanted).1).to_owned();
                if field.name == "key" {
                    number += 1;
                    value.replace_range(..8, &format!("{number:08}"));
                }
                text += &format!("\n{}={value}", field.name);
            }
        }
        let before = table.generation();
        match state.work(parse(text.as_bytes()).expect("right")) {
            Some(Ok(_)) => accepted += 1,
            Some(Err(refusal)) => assert_eq!(table.generation(), before, "{text}: {refusal}"),
            None => assert!(report::status(&state).len() + report::metrics(&state).len() > 100),
        }
        if r.below(8) == 0 {
            state.tick(Instant::now() + Duration::from_secs(r.below(200) as u64));
        }
    }
    accepted
}
