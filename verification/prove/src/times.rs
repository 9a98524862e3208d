//! The list of instructions of AArch64 with times that do not depend on data: T2 for that processor.

use std::collections::BTreeMap;

use crate::kinds;
use crate::program::Program;

const LIST: &str = include_str!("../../ct/opcodes-aarch64.txt");

/// The classes of the list, with their mnemonics.
fn classes() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in LIST.lines().filter(|l| !l.starts_with('#')) {
        if let Some((class, _)) = line.strip_prefix('[').and_then(|l| l.split_once(']')) {
            all.push((class, Vec::new()));
        } else if let Some((_, names)) = all.last_mut() {
            names.extend(line.split_whitespace());
        }
    }
    all
}

/// Lines about all functions of the kernels, and whether each mnemonic is listed.
pub fn report(p: &Program) -> (Vec<String>, bool) {
    let (classes, mut functions, mut lines) = (classes(), 0, Vec::new());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for f in p.functions.iter().filter(|f| kinds::path(&f.path).is_some()) {
        functions += 1;
        for code in &p.code[f.first..f.first + f.len] {
            let fits = |l: &&str| match l.strip_suffix('*') {
                Some(start) => code.name.starts_with(start),
                None => **l == code.name,
            };
            match classes.iter().find(|(_, names)| names.iter().any(fits)) {
                Some((class, _)) => *counts.entry(class).or_default() += 1,
                None => {
                    *counts.entry("not listed").or_default() += 1;
                    lines.push(format!("FINDING {}: {:x}: {}", f.path, code.at, code.text));
                }
            }
            if classes
                .iter()
                .any(|(class, names)| *class == "named" && names.contains(&&*code.name))
            {
                *others.entry(&code.name).or_default() += 1;
            }
        }
    }
    let good = lines.is_empty() && functions > 0;
    let words = |of: &BTreeMap<&str, usize>| {
        of.iter().map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
    };
    lines.push(format!("{functions} functions, instructions by class: {}", words(&counts)));
    lines.push(format!("named: {}", words(&others)));
    (lines, good)
}
