//! Writes the variants: the grid of the paper, each combination an assembly function of its own.
//!
//! The whole description is [`SETS`] (instruction sets and their kernels) and [`MODIFIERS`]; the meaning of a
//! letter is in the crate's head, and its way to instructions in `build/emit.rs`. A combination that the
//! processor has no instruction or no register for is passed over, as is one with the instructions of an
//! earlier one.

#[path = "build/emit.rs"]
mod emit;
#[path = "build/variant.rs"]
mod variant;

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use variant::{MODIFIERS, Machine, SETS, Variant};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let var = |name| env::var(name).expect("cargo sets it");
    // Other processors have only plain code.
    let Some(machine) = Machine::of(&var("CARGO_CFG_TARGET_ARCH")) else { return };
    let abi = machine.abi;
    let (mut functions, mut list) = (String::new(), String::new());
    let mut seen = HashSet::new();
    for variant in variants(&machine) {
        // Passes over a variant that does not exist, or that is an earlier one by another name.
        let text = emit::function(&machine, &variant);
        let Some(text) = text.filter(|text| !seen.contains(text)) else { continue };
        let (name, needs) = (variant.name(), variant.needs());
        let function = format!("{}_vartime", name.replace('-', "_"));
        functions += &format!(
            "#[unsafe(naked)]\nunsafe extern {abi:?} fn {function}(_: *const Tables, _: *const RoundKeys, \
             _: *mut u8, _: usize) {{\n    core::arch::naked_asm!(\"{text}\")\n}}\n"
        );
        list +=
            &format!("    Variant {{ name: {name:?}, needs: Needs::{needs}, run: {function} }},\n");
        seen.insert(text);
    }
    functions +=
        &format!("/// Every one of this target.\npub static VARIANTS: &[Variant] = &[\n{list}];\n");
    fs::write(Path::new(&var("OUT_DIR")).join("variants.rs"), functions)
        .expect("the folder is ours");
}

/// The grid: each kernel of each set with each combination of modifiers, by the number of registers that
/// is its usual one, or that the combination names.
fn variants(machine: &Machine) -> Vec<Variant> {
    let mut all = Vec::new();
    for set in SETS {
        for kernel in set.kernels.chars() {
            let of = |letters: &str| Variant::new(set, kernel, letters);
            let fits = |n: &&str| emit::function(machine, &of(n)).is_some();
            let Some(usual) = ["4", "2", "1", "4P2"].into_iter().find(fits) else { continue };
            for letters in MODIFIERS.split_whitespace() {
                let numbered = letters.starts_with(|c: char| c.is_ascii_digit());
                let n = if numbered { "" } else { &usual[..1] };
                all.push(of(&format!("{n}{}", letters.trim_start_matches('-'))));
            }
        }
    }
    all
}
