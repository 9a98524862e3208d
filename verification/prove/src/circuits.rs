//! Circuits of the kernels for GPUs, from their source, on all inputs: the S-boxes of Magma, pi and its inverse.

use std::collections::BTreeMap;

use crate::standard::magma::all_rows;
use crate::standard::{PI, inverse};

const SOURCE: &str = include_str!("../../../crates/gpu/kernels/circuits.h");

/// A macro: its name, its parameters and its statements.
struct Circuit<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    statements: Vec<&'a str>,
}

/// All circuits of a source; of two with one name, the first is of gates with three inputs.
fn circuits(source: &str) -> Vec<Circuit<'_>> {
    let of = |text: &'_ str| -> Option<(usize, usize, usize)> {
        let (open, body) = (text.find('(')?, text.find(") {")?);
        Some((open, body, text.find('}')?))
    };
    let circuit = |text| {
        let (open, body, end) = of(text)?;
        Some(Circuit {
            name: &text[..open],
            parameters: text[open + 1..body].split(',').map(str::trim).collect(),
            statements: text[body + 3..end].split(';').collect(),
        })
    };
    source.split("#define ").skip(1).filter_map(circuit).collect()
}

/// The values of a circuit's parameters after it, given those before.
fn run(circuit: &Circuit, before: &[bool]) -> Option<Vec<bool>> {
    let mut values: BTreeMap<&str, bool> =
        circuit.parameters.iter().copied().zip(before.iter().copied()).collect();
    for statement in &circuit.statements {
        let text = statement.trim_matches([' ', '\\', '\n']).trim_start_matches("u32 ");
        let Some((to, value)) = text.split_once(" = ").or_else(|| text.split_once(" ^= ")) else {
            if text.is_empty() {
                continue;
            }
            return None;
        };
        let one = |word: &str| match word.strip_prefix('~') {
            Some(word) => values.get(word).map(|b| !b),
            None => values.get(word).copied(),
        };
        let words: Vec<&str> =
            value.split([' ', ',', '(', ')']).filter(|w| !w.is_empty()).collect();
        let bit = match words[..] {
            [word] => one(word)?,
            [a, "&", b] => one(a)? & one(b)?,
            [a, "|", b] => one(a)? | one(b)?,
            [a, "^", b] => one(a)? ^ one(b)?,
            ["XOR3", a, b, c] => one(a)? ^ one(b)? ^ one(c)?,
            ["LUT3", a, b, c, table] => {
                let table = u8::from_str_radix(table.strip_prefix("0x")?, 16).ok()?;
                let bits = [a, b, c].map(one);
                let index = 4 * u8::from(bits[0]?) + 2 * u8::from(bits[1]?) + u8::from(bits[2]?);
                table >> index & 1 != 0
            }
            _ => return None,
        };
        let bit = bit ^ (text.contains(" ^= ") && *values.get(to)?);
        values.insert(to, bit);
    }
    circuit.parameters.iter().map(|p| values.get(p).copied()).collect()
}

/// Compares circuits on all inputs, each with some bits that a box adds to; how many, or the first that differs.
fn compare(source: &str) -> Result<usize, String> {
    let rows = all_rows();
    // The order of the source: of RFC 8891 the sixth.
    let order = [1, 2, 3, 4, 5, 0, 6, 7];
    let (mut count, mut of_three) = (0, true);
    for circuit in circuits(source) {
        let numbers: Vec<usize> =
            circuit.name.split('_').skip(1).filter_map(|n| n.parse().ok()).collect();
        let (n, want): (usize, Box<dyn Fn(u8) -> u8>) = match (circuit.name, &numbers[..]) {
            (name, [set, row]) if name.starts_with("BOX_") && *set < 8 && *row < 8 => {
                let row = rows[order[*set]][*row];
                (4, Box::new(move |x| row[usize::from(x)]))
            }
            ("PI", _) => {
                let added = if of_three { 0xe8 } else { 0 };
                of_three = false;
                (8, Box::new(move |x| PI[usize::from(x)] ^ added))
            }
            ("PI_INVERSE", _) => (8, Box::new(|x| inverse()[usize::from(x)])),
            _ => continue,
        };
        for x in 0..1u16 << n {
            // Bits that a box adds to.
            let y = if n == 4 { ((x * 7) ^ 5) as u8 & 15 } else { 0 };
            let bits = |b: u8| (0..n).map(move |i| b >> i & 1 != 0);
            let before: Vec<bool> = bits(x as u8).chain(bits(y)).collect();
            let after =
                run(&circuit, &before).ok_or(format!("{}: not understood", circuit.name))?;
            let got = after[n..].iter().rev().fold(0, |r, b| r << 1 | u8::from(*b));
            if got != want(x as u8) ^ y {
                return Err(format!("{} of {x:x} differs", circuit.name));
            }
        }
        count += 1;
    }
    Ok(count)
}

/// Compares all, with a line of the report.
pub fn report() -> Result<String, String> {
    match compare(SOURCE)? {
        // Eight sets of eight boxes and pi, each of gates with two and with three inputs; the inverse of pi.
        131 => {
            Ok("circuits of gpu/: 131 of 131 (S-boxes, pi, its inverse) right on all inputs".into())
        }
        n => Err(format!("{n} circuits of gpu/, not 131")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate turned round in any circuit is found.
    #[test]
    fn wrong_gates_are_found() {
        assert_eq!(compare(SOURCE), Ok(131));
        for (right, wrong) in [
            ("u32 ge = LUT3(d, c, a, 0x28)", "u32 ge = LUT3(d, c, a, 0x29)"),
            ("u32 ge = a & d", "u32 ge = a | d"),
            ("u32 pt3 = i5 & ~pt0", "u32 pt3 = i5 & pt0"),
            ("u32 pt0 = LUT3(i4, i7, i7, 0x3c)", "u32 pt0 = LUT3(i4, i7, i7, 0xc3)"),
        ] {
            assert!(SOURCE.contains(right), "{right}");
            assert!(compare(&SOURCE.replacen(right, wrong, 1)).is_err(), "{right}");
        }
    }
}
