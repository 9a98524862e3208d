//! Linear maps and constants of the kernels for GPUs, from their source: each bit of a result as the set of input
//! bits of which it is the sum, and so for all inputs.

use std::collections::BTreeMap;

use crate::standard::kuznyechik::{COEFFICIENTS, POWERS};
use crate::standard::streebog::A;
use crate::standard::times;

const CIRCUITS: &str = include_str!("../../../crates/gpu/kernels/circuits.h");
const STREEBOG: &str = include_str!("../../../crates/gpu/kernels/streebog.cl");
const FIELDS: &str = include_str!("../../../crates/gpu/kernels/gf.cl");
const MAGMA: &str = include_str!("../../../crates/gpu/kernels/magma.cl");
const KEYS: &str = include_str!("../../../crates/gpu/src/key.rs");
const PROGRAMS: &str = include_str!("../../../crates/gpu/src/source.rs");

/// Input bits, below 256.
type Set = [u128; 2];
fn only(i: usize) -> Set {
    std::array::from_fn(|k| if i / 128 == k { 1 << (i % 128) } else { 0 })
}
fn sum(a: Set, b: Set) -> Set {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

/// The parts of a text between separators that are in no parentheses.
fn split(text: &str, by: char) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            c if c == by && depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}
/// The statements of a text, each a name, whether it adds, and an expression.
fn statements(text: &str) -> Option<Vec<(&str, bool, &str)>> {
    let plain = |s: &str| !s.is_empty();
    let all = text.split(';').map(|s| s.trim_matches([' ', '\\', '\n'])).filter(|s| plain(s));
    let statement = |s: &'_ str| -> Option<(usize, usize, bool)> {
        let at = s.find('=')?;
        let adds = s[..at].ends_with('^');
        Some((at - usize::from(adds), at + 1, adds))
    };
    all.map(|s| {
        let (end, start, adds) = statement(s)?;
        let name = s[..end].trim().trim_start_matches("u32 ").trim_start_matches("u64 ");
        Some((name, adds, s[start..].trim()))
    })
    .collect()
}

/// A map of bits: XOR and XOR3 of names.
fn of_bits(text: &str, inputs: BTreeMap<String, Set>, n: usize) -> Option<Vec<Set>> {
    fn value(text: &str, values: &BTreeMap<String, Set>) -> Option<Set> {
        split(text, '^').into_iter().try_fold([0; 2], |r, part| {
            let part = part.trim();
            let inside = part.strip_prefix("XOR3(").and_then(|p| p.strip_suffix(')'));
            let one = match inside {
                Some(inside) => split(inside, ',')
                    .into_iter()
                    .try_fold([0; 2], |r, p| Some(sum(r, value(p, values)?)))?,
                None => *values.get(part)?,
            };
            Some(sum(r, one))
        })
    }
    let mut values = inputs;
    for (name, adds, text) in statements(text)? {
        let new = value(text, &values).filter(|_| !adds)?;
        values.insert(name.to_string(), new);
    }
    (0..n).map(|i| values.get(&format!("y[{i}]")).copied()).collect()
}

/// The statements of a macro with braces.
fn body<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let rest = source.split_once(&format!("#define {name}(y) {{"))?.1;
    Some(rest.split_once('}')?.0)
}

/// l of RFC 7801: `y[b]` of B(k, b), where byte 0 is `a_15`.
fn kuznyechik(source: &str) -> Option<bool> {
    let input = |i: usize| (format!("B({},{})", i / 8, i % 8), only(i));
    let out = of_bits(body(source, "KUZNYECHIK_SUM")?, (0..128).map(input).collect(), 8)?;
    let bit = |i: usize, b: usize| times(1 << (i % 8), COEFFICIENTS[i / 8], POWERS) >> b & 1 != 0;
    Some((0..8).all(|b| {
        let want = (0..128).filter(|i| bit(*i, b)).fold([0; 2], |r, i| sum(r, only(i)));
        out[b] == want
    }))
}

/// l of RFC 6986: y[8 k + b] of x[8 j + v], where bit v of byte j goes with row 63 - (8 j + v).
fn streebog(source: &str) -> Option<bool> {
    let input = |i: usize| (format!("x[{i}]"), only(i));
    let out = of_bits(body(source, "STREEBOG_L")?, (0..64).map(input).collect(), 64)?;
    Some((0..64).all(|b| {
        let rows = (0..64).filter(|i| A[63 - i] >> b & 1 != 0);
        out[b] == rows.fold([0; 2], |r, i| sum(r, only(i)))
    }))
}

/// A reduction of words of 64 bits, the lowest first, by x^n and these lower powers.
fn reduction(source: &str, comment: &str, words: &[&str], powers: &[usize]) -> Option<bool> {
    let text = source.split_once(comment)?.1;
    let text =
        &text[..[text.find("words sum"), text.find("quads sum")].into_iter().flatten().min()?];
    let bits = |w: usize| -> Vec<Set> { (0..64).map(|i| only(64 * w + i)).collect() };
    let mut values: BTreeMap<&str, Vec<Set>> =
        words.iter().enumerate().map(|(w, name)| (*name, bits(w))).collect();
    for (name, adds, text) in statements(text)? {
        let mut new = vec![[0; 2]; 64];
        if adds {
            new.clone_from(values.get(name)?);
        }
        for part in split(text, '^') {
            let words: Vec<&str> = part.split_whitespace().collect();
            let (word, by) = match words[..] {
                [word] => (word, 0),
                [word, "<<", n] => (word, n.parse::<isize>().ok()?),
                [word, ">>", n] => (word, -n.parse::<isize>().ok()?),
                _ => return None,
            };
            let word = values.get(word)?;
            for (i, new) in new.iter_mut().enumerate() {
                let from = usize::try_from(i as isize - by).ok();
                if let Some(bit) = from.and_then(|i| word.get(i)) {
                    *new = sum(*new, *bit);
                }
            }
        }
        values.insert(name, new);
    }
    // Division by the polynomial, from the top.
    let n = 32 * words.len();
    let mut want: Vec<Set> = (0..2 * n).map(only).collect();
    for i in (n..2 * n).rev() {
        for power in powers {
            want[i - n + power] = sum(want[i - n + power], want[i]);
        }
    }
    let got = words[..n / 64].iter().flat_map(|w| values.get(w).into_iter().flatten());
    Some(got.eq(&want[..n]))
}

/// The number after a text.
fn number(source: &str, before: &str) -> Option<u64> {
    let rest = source.split_once(before)?.1.replace('_', "");
    let digits = rest.strip_prefix("0x")?;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit())?;
    u64::from_str_radix(&digits[..end], 16).ok()
}

/// The sources.
struct Sources<'a> {
    circuits: &'a str,
    streebog: &'a str,
    fields: &'a str,
    magma: &'a str,
    keys: &'a str,
}
const SOURCES: Sources =
    Sources { circuits: CIRCUITS, streebog: STREEBOG, fields: FIELDS, magma: MAGMA, keys: KEYS };

/// A comparison, and whether both are equal.
fn all(s: &Sources) -> Vec<(&'static str, bool)> {
    let good = |r: Option<bool>| r == Some(true);
    // The image of the constant that the circuit of pi leaves out, in all bytes of a row.
    let pi = number(s.circuits, "#define PI_CONSTANT ");
    let bits = |b: &usize| pi.is_some_and(|pi| pi >> (b % 8) & 1 != 0);
    let lacks = (0..64).filter(bits).fold(0, |r, b| r ^ A[63 - b]);
    let of_gost = number(s.magma, "n3 + (u32)n * ") == Some(0x0101_0101)
        && number(s.magma, "fold(fold(n) * ") == Some(0x0101_0104);
    vec![
        ("l of RFC 7801", good(kuznyechik(s.circuits))),
        ("l of RFC 6986", good(streebog(s.circuits))),
        (
            "x^64 of RFC 9058",
            good(reduction(
                s.fields,
                "// x^64 = x^4 + x^3 + x + 1.",
                &["low", "high"],
                &[0, 1, 3, 4],
            )),
        ),
        (
            "x^128 of RFC 9058",
            good(reduction(
                s.fields,
                "// x^128 = x^7 + x^2 + x + 1.",
                &["z0", "z1", "z2", "z3"],
                &[0, 1, 2, 7],
            )),
        ),
        ("LACKS of streebog.cl", number(s.streebog, "PI_CONSTANT ? ") == Some(lacks)),
        ("lacks of key.rs", number(s.keys, "lacks = if ternary { ") == Some(lacks)),
        (
            "the constant of key.rs",
            number(s.keys, "constant = if ternary { ")
                == pi.map(|pi| u64::from_le_bytes([pi as u8; 8]) & 0xffff_ffff),
        ),
        ("C1 and C2 of RFC 5830", of_gost),
        // The set of RFC 8891 has the number 5 among the circuits.
        ("Magma's set", PROGRAMS.contains("#define BOXES 5\\n#define TURN 24")),
    ]
}

/// Compares all, with a line of the report.
pub fn report() -> Result<String, String> {
    let all = all(&SOURCES);
    if let Some((name, _)) = all.iter().find(|(_, good)| !good) {
        return Err(format!("{name} differs in gpu/"));
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    Ok(format!("constants of gpu/: {} of {} right: {}", all.len(), all.len(), names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A term turned round in any source is found.
    #[test]
    fn wrong_constants_are_found() {
        report().expect("the sources as they are");
        let wrong = |s: &Sources| all(s).iter().filter(|(_, good)| !good).count();
        for (right, other) in [
            (
                "u32 l133 = XOR3(B(7,0), B(0,1), B(14,1))",
                "u32 l133 = XOR3(B(7,1), B(0,1), B(14,1))",
            ),
            ("u32 l73 = x[5] ^ x[42]", "u32 l73 = x[5] ^ x[43]"),
            ("#define PI_CONSTANT 0xe8", "#define PI_CONSTANT 0xe9"),
        ] {
            assert!(CIRCUITS.contains(right), "{right}");
            let changed = CIRCUITS.replacen(right, other, 1);
            assert!(wrong(&Sources { circuits: &changed, ..SOURCES }) > 0, "{right}");
        }
        for (right, other) in [
            ("high >> 63 ^ high >> 61 ^ high >> 60", "high >> 63 ^ high >> 61 ^ high >> 59"),
            ("z2 >> 63 ^ z2 >> 62 ^ z2 >> 57", "z2 >> 63 ^ z2 >> 61 ^ z2 >> 57"),
            ("z2 ^ z2 << 1 ^ z2 << 2 ^ z2 << 7", "z2 ^ z2 << 1 ^ z2 << 3 ^ z2 << 7"),
        ] {
            assert!(FIELDS.contains(right), "{right}");
            let changed = FIELDS.replacen(right, other, 1);
            assert_eq!(wrong(&Sources { fields: &changed, ..SOURCES }), 1, "{right}");
        }
        let changed = MAGMA.replace("0x01010104", "0x01010105");
        assert_eq!(wrong(&Sources { magma: &changed, ..SOURCES }), 1);
        let changed = STREEBOG.replace("0x13dfe8", "0x13dfe9");
        assert_eq!(wrong(&Sources { streebog: &changed, ..SOURCES }), 1);
        let changed = KEYS.replace("0xe8e8_e8e8", "0xe8e8_e8e9");
        assert_eq!(wrong(&Sources { keys: &changed, ..SOURCES }), 1);
    }
}
