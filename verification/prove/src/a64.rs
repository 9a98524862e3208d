//! The text of AArch64's instructions as `objdump` prints it.

use crate::parse::Instruction;
use crate::program::{Code, Operand, Place};

/// The functions of a disassembly, in the order of the file. A target is the last operand, with the name in brackets.
pub fn functions(text: &str) -> Vec<(String, Vec<Instruction>)> {
    let mut all: Vec<(String, Vec<Instruction>)> = Vec::new();
    for line in text.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|l| l.split_once(" <")) {
            all.push((name.to_string(), Vec::new()));
        } else if let (Some((_, code)), Some((at, body))) = (all.last_mut(), line.split_once(":\t"))
        {
            code.extend(u64::from_str_radix(at.trim(), 16).ok().and_then(|at| read(at, body)));
        }
    }
    all
}

fn read(at: u64, body: &str) -> Option<Instruction> {
    let (body, target) = match body.split_once(" <") {
        Some((body, target)) => (body, Some(target)),
        None => (body.split("//").next()?, None),
    };
    let (name, rest) = body.trim().split_once(char::is_whitespace).unwrap_or((body.trim(), ""));
    let mut operands = split(rest);
    if let (Some(last), Some(target)) = (operands.last_mut(), target) {
        last.push_str(" <");
        last.push_str(target);
    }
    (!name.is_empty()).then(|| Instruction { at, name: name.to_string(), operands, means: None })
}

/// Splits at commas that are in no brackets.
fn split(text: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        c == ',' && depth == 0
    });
    parts.map(|p| p.trim().to_string()).filter(|p| !p.is_empty()).collect()
}

/// An instruction; a target of a jump comes first. Also the name of another library's function that it calls.
pub fn decode(i: &Instruction, next: usize) -> (Code, Option<(u64, String)>) {
    let mut code = Code {
        at: i.at,
        next,
        name: i.name.clone(),
        operands: Vec::new(),
        odd: None,
        text: i.text(),
    };
    let mut external = None;
    for text in &i.operands {
        if let Some((at, name)) = text.split_once(" <")
            && let Ok(at) = u64::from_str_radix(at, 16)
        {
            external = name.split_once("@plt").map(|(name, _)| (at, name.to_string()));
            code.operands.insert(0, Operand::Code(at));
        } else if let Some(all) = operands(text) {
            match all[0] {
                Operand::Code(_) => code.operands.splice(0..0, all).for_each(drop),
                _ => code.operands.extend(all),
            }
        } else {
            code.odd = Some(text.clone());
        }
    }
    (code, external)
}

/// The words among operands: conditions, shifts, what a prefetch is for, that a base is written.
const WORDS: [&str; 38] = [
    "eq",
    "ne",
    "cs",
    "hs",
    "cc",
    "lo",
    "mi",
    "pl",
    "vs",
    "vc",
    "hi",
    "ls",
    "ge",
    "lt",
    "gt",
    "le",
    "al",
    "nv",
    "lsl",
    "lsr",
    "asr",
    "ror",
    "msl",
    "uxtb",
    "uxth",
    "uxtw",
    "uxtx",
    "sxtb",
    "sxth",
    "sxtw",
    "sxtx",
    "!",
    "pldl1keep",
    "pldl1strm",
    "pldl2keep",
    "pldl2strm",
    "pstl1keep",
    "c",
];
fn word(text: &str) -> Option<Operand> {
    WORDS.iter().find(|w| **w == text).map(|w| Operand::Word(w))
}

fn number(text: &str) -> Option<u64> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let (minus, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let n = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => text.parse().ok()?,
    };
    Some(if minus { n.wrapping_neg() } else { n })
}

fn operands(text: &str) -> Option<Vec<Operand>> {
    if let Some(inside) = text.strip_prefix('[') {
        let (inside, after) = inside.split_once(']')?;
        let memory = Operand::Memory { place: place(inside)?, n: 0, repeats: false, mask: None };
        return Some(match after {
            "" => vec![memory],
            _ => vec![memory, word(after)?],
        });
    }
    if text.starts_with('#') {
        return Some(vec![Operand::Number(number(text)?)]);
    }
    if let Some((kind, by)) = text.split_once(" #") {
        return Some(vec![word(kind)?, Operand::Number(number(by)?)]);
    }
    let one = word(text).or_else(|| general(text)).or_else(|| elements(text));
    let one = one.or_else(|| u64::from_str_radix(text, 16).ok().map(Operand::Code));
    one.map(|o| vec![o])
}

fn general(text: &str) -> Option<Operand> {
    let make = |r, n| Some(Operand::General { r, from: 0, n });
    match text {
        "sp" => return make(31, 8),
        "wsp" => return make(31, 4),
        "xzr" => return make(32, 8),
        "wzr" => return make(32, 4),
        _ => {}
    }
    let n = if text.starts_with('x') { 8 } else { 4 };
    let r = text.strip_prefix(['x', 'w'])?.parse().ok()?;
    (r < 31).then(|| make(r, n))?
}

/// Bytes of an element by its letter.
fn each(letter: &str) -> Option<usize> {
    Some(1 << ["b", "h", "s", "d", "q"].iter().position(|l| *l == letter)?)
}

/// A vector, an element of it, or a list of vectors one after the other.
fn elements(text: &str) -> Option<Operand> {
    if let Some(n) = text.get(..1).and_then(each) {
        let r = text[1..].parse().ok().filter(|r| *r < 32)?;
        return Some(Operand::Elements { r, n, each: n, one: None, count: 1 });
    }
    let (inside, one) = match text.split_once('[') {
        Some((inside, one)) => (inside, Some(one.strip_suffix(']')?.parse().ok()?)),
        None => (text, None),
    };
    let bare = inside.trim_start_matches('{').trim_end_matches('}');
    let vectors: Vec<&str> = bare.split([',', '-']).map(str::trim).collect();
    let of = |v: &str| -> Option<(usize, String)> {
        let (r, kind) = v.strip_prefix('v')?.split_once('.')?;
        Some((r.parse().ok()?, kind.to_string()))
    };
    let ((r, kind), (last, _)) = (of(vectors[0])?, of(vectors.last()?)?);
    let count = if bare.contains('-') { (last + 32 - r) % 32 + 1 } else { vectors.len() };
    let digits = kind.trim_end_matches(|c: char| c.is_alphabetic());
    let each = each(&kind[digits.len()..])?;
    let n = digits.parse().map_or(each, |k: usize| k * each);
    (r < 32).then_some(Operand::Elements { r, n, each, one, count })
}

fn place(inside: &str) -> Option<Place> {
    let parts = split(inside);
    let of = |text: &str| match general(text)? {
        Operand::General { r, n, .. } => Some((r, n)),
        _ => None,
    };
    let mut place = Place { offset: 0, base: Some(of(parts.first()?)?), index: None };
    match parts.get(1..)? {
        [] => {}
        [n] if n.starts_with('#') => place.offset = number(n)?,
        [r] => place.index = of(r).map(|(r, n)| (r, n, 1)),
        [r, how] => {
            let (kind, by) = how.split_once(" #").unwrap_or((how, "0"));
            let (r, n) = of(r)?;
            // A word that is extended with its sign does not occur.
            let known = matches!((kind, n), ("lsl", 8) | ("uxtw", 4));
            place.index = known.then_some((r, n, 1 << number(by)?));
        }
        _ => return None,
    }
    (parts.len() < 2 || place.index.is_some() || parts[1].starts_with('#')).then_some(place)
}
