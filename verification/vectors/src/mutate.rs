//! The runner's own test: vectors with one digit changed in one expected value of each test. Whatever
//! a subject does, it cannot pass these; a runner that does not look at a value lets them pass.

use crate::load::File;
use crate::test::{Test, Verdict};
use serde_json::Value;

/// Fields that a test is made from. Every other field is an expected value, so that a new one is
/// demanded to be checked from the day it appears.
///
/// The name of a test; its input; the input of a TLS record; the values of implementations that differ from the standard,
/// which no subject is asked to give.
const INPUTS: &str = "
    id algorithm mode type op source comment flags result
    key iv aad aad_gen msg msg_gen pt in k index ctr s sectionSize masterPeriod sections tagLen sbox keyMeshing iterations
    rounds label seed L salt password dkLen size ikm info cipher secret kExpMac kExpEnc kek ukm cek suite seqnum version
    writeKey macKey writeIv contentType fragments
    altTag altMd
";

/// Is there a shorter test of the same kind and fields? Then a change in this one teaches no more and
/// costs a slow subject minutes. (Only the Huge ones have their fields.)
fn is_one_of_many(test: &Test) -> bool {
    let long = test.source("msg").is_ok_and(|message| message.len() > 64 << 10);
    long && !test.flag("Huge") || test.number("iterations").is_ok_and(|times| times > 2000)
}

/// Round k of mutations holds, of every `valid` or `acceptable` test that has more than k expected
/// values, a copy with the k-th changed, and no other test. The rounds end when no test is left.
/// Long tests are left out if shorter ones have the same fields.
pub fn mutations(files: &[File]) -> impl Iterator<Item = Vec<File>> {
    (0..).map(move |round| mutated(files, round)).take_while(|files| !files.is_empty())
}

fn mutated(files: &[File], round: usize) -> Vec<File> {
    let test = |test: &Test| {
        let run = matches!(test.verdict, Verdict::Valid | Verdict::Acceptable);
        let mut test = test.clone();
        (run && !is_one_of_many(&test) && change(&mut test, round)).then_some(test)
    };
    files
        .iter()
        .map(|file| File { tests: file.tests.iter().filter_map(test).collect(), ..file.clone() })
        .filter(|file| !file.tests.is_empty())
        .collect()
}

/// Changes the expected value number `round`; false if there are fewer.
fn change(test: &mut Test, round: usize) -> bool {
    let expand = test.fields.get("type").and_then(Value::as_str) == Some("hkdf_expand");
    let id = test.id as usize;
    let mut left = round;
    test.fields.iter_mut().any(|(name, value)| {
        let input = match name.as_str() {
            "prk" => expand,          // made by the extraction
            "R" => value.is_number(), // of KDF_TREE; that of OMAC is E_K(0)
            name => INPUTS.split_whitespace().any(|input| input == name),
        };
        !input && change_leaf(value, id, &mut left)
    })
}

/// Walks to the string or number of number `left`, changes it, and says whether it was there.
fn change_leaf(value: &mut Value, id: usize, left: &mut usize) -> bool {
    match value {
        Value::Array(values) => values.iter_mut().any(|value| change_leaf(value, id, left)),
        Value::Object(values) => values.values_mut().any(|value| change_leaf(value, id, left)),
        _ if *left > 0 => {
            *left -= 1;
            false
        }
        Value::String(text) => {
            *text = change_digit(text, id);
            true
        }
        Value::Number(number) => {
            *value = Value::from(number.as_u64().unwrap_or(0) + 1);
            true
        }
        _ => false,
    }
}

/// One digit of a hex string changed, each test at another place; an empty string gets an byte.
fn change_digit(text: &str, id: usize) -> String {
    if text.is_empty() {
        return "00".into();
    }
    let at = id * 7 % text.len();
    let flip = |(index, digit): (usize, char)| match digit.to_digit(16) {
        Some(value) if index == at => char::from_digit(value ^ 1, 16).unwrap_or('x'),
        _ => digit,
    };
    text.chars().enumerate().map(flip).collect()
}
