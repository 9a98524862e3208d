//! Reads the disassembly of the kernels as they were built, and finds instructions with a time that
//! could depend on data: valgrind runs neither AVX-512 nor GFNI, this reads every instruction set.
//!
//! `opcodes [FILE]`: without a file, this program itself, which has all kernels and the control linked. A map `FILE.map`
//! names the functions, as for `prove`.
//! 1. Every instruction is on the list `verification/ct/opcodes.txt`.
//! 2. No address, and no branch, depends on a register that may hold text or key. A register may if it
//!    was filled from a vector or a mask, or from fewer than 8 bytes of memory, or with a part cut out of 8
//!    from memory, or by an operation on such a register. For an address a part that a mask, a short shift or half a
//!    product leaves is enough. Registers that come with the call are public
//!    (pointers, lengths, enumerations), and so are constants.
//!
//! So 8 bytes from memory count as a pointer or a length until a part is cut out of them, and branches may
//! depend on the part of them that a mask or a short shift leaves, as loops over lengths do: a leak of this
//! kind is not seen. Where a register is public for a different reason, `verification/ct/opcodes-public.txt` says why.
//!
//! The control must be found out: kernels by tables (`vartime`), each by an address, and the leaks that
//! `control.rs` plants.

mod control;
mod flow;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, exit};

use parse::Instruction;

/// The rooms of the kernels, their modules; not the types above them, which choose a kernel by name.
const MODULES: [&str; 7] = ["gf", "gost94", "kuznyechik", "magma", "pi", "simd", "streebog"];
/// Functions of these modules that are left out: they work on names and on S-boxes, which are public.
const NAMES: [&str; 3] =
    ["magma::width", "magma::schedule::kind", "magma::schedule::ParamSet::find"];

fn main() {
    let file = std::env::args().nth(1).map(Into::into);
    let control = file.is_none();
    let file = file.unwrap_or_else(|| std::env::current_exe().expect("a path"));
    // The lists have all kernels linked.
    std::hint::black_box((bulat_core::kuznyechik::KERNELS, bulat_core::magma::KERNELS));
    std::hint::black_box((bulat_core::streebog::KERNELS, bulat_core::gf::KERNELS));
    control::keep();
    let dump = Command::new("objdump")
        .args(["-d", "-C", "--no-show-raw-insn", "-M", "intel"])
        .arg(&file)
        .output()
        .unwrap_or_else(|e| {
            println!("objdump does not run ({e}): nothing is checked");
            exit(2)
        });
    let elf = std::fs::read(&file).expect("the file that objdump has read");
    let listed = names(include_str!("../../../opcodes.txt"));
    let public = exceptions(include_str!("../../../opcodes-public.txt"));
    let mut groups: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut findings = BTreeMap::new();
    let (mut found_out, mut used) = (Vec::new(), vec![0; public.len()]);
    // A map of the functions, as `prove` reads it.
    let map = std::fs::read_to_string(file.with_added_extension("map")).unwrap_or_default();
    let mut functions =
        parse::divided(parse::functions(&String::from_utf8_lossy(&dump.stdout)), &map);
    // The constants after the code of Go's kernels.
    functions.retain(|(function, _)| function != "end_of_code");
    // A call that does not return is an end: in Go's kernels no trap follows it.
    let ends = functions.iter().filter(|(name, code)| parse::is_end(name) && !code.is_empty());
    let ends: BTreeSet<u64> = ends.map(|(_, code)| code[0].at).collect();
    for call in functions.iter_mut().flat_map(|(_, code)| code).filter(|c| c.name == "call") {
        let to = call.operands[0].split(' ').next().unwrap_or("");
        if u64::from_str_radix(to, 16).is_ok_and(|to| ends.contains(&to)) {
            call.name = "jmp".into();
        }
    }
    let constants: BTreeSet<u64> =
        functions.iter().flat_map(|(_, code)| code.iter().filter_map(|c| c.means)).collect();
    for (function, code) in &functions {
        let Some(group) = group(function) else { continue };
        let counts = groups.entry(group.clone()).or_default();
        counts[0] += 1;
        counts[1] += code.len();
        let known = |c: &Instruction| {
            let text = c.text();
            let known = public.iter().position(|(f, like)| {
                let stack = text.contains("[rsp") && !like.contains("[rsp");
                fits(function, f) && !stack && fits(&text, like)
            });
            known.inspect(|i| used[*i] += 1).is_some()
        };
        for (what, i, origin) in check(code, &listed, (&elf, &constants), known) {
            counts[2] += 1;
            if !wrong(&group) {
                let line = format!("{what} from {:x}: {}", code[origin].at, code[origin].text());
                let at = format!("{:x}: {}", code[i].at, code[i].text());
                findings.entry((function.clone(), line)).or_insert((at, 0)).1 += 1;
            } else if what == "address" && !found_out.contains(&group) {
                found_out.push(group.clone());
            }
        }
    }
    println!("{:<32} functions instructions findings", "");
    let mut total = [0; 3];
    for (group, counts) in &groups {
        let [f, n, bad] = counts;
        println!("{group:<32} {f:9} {n:12} {bad:8}");
        if !wrong(group) {
            total.iter_mut().zip(counts).for_each(|(t, c)| *t += c);
        }
    }
    for ((function, what), (at, times)) in &findings {
        println!("FINDING {function}: {what}; {times} times, first at {at}");
    }
    for ((function, end), used) in public.iter().zip(&used) {
        println!("public {used} times: {function}: {end}");
    }
    let [f, n, bad] = total;
    println!("{f} functions, {n} instructions, {bad} findings");
    let mut failed = bad > 0 || f == 0;
    if control {
        let all = 3 + control::NAMES.len();
        println!("control found out in {} of {all}: {}", found_out.len(), found_out.join(" "));
        failed |= missing(&groups) || found_out.len() < all;
    }
    exit(i32::from(failed));
}

/// Returns whether functions of the group leak on purpose.
fn wrong(group: &str) -> bool {
    group.contains("vartime") || group.starts_with("control::")
}

/// Returns whether a kernel of the lists has no function of its own in a module of its name.
fn missing(groups: &BTreeMap<String, [usize; 3]>) -> bool {
    use bulat_core::{gf, kuznyechik, magma, streebog};
    let mut missing = false;
    let mut look = |primitive: &str, word: &str| {
        // The portable kernels are the functions of `bitslice` and of `portable`.
        let word = word.trim_start_matches("table_");
        let other = if word == "portable" { "bitslice" } else { word };
        let there =
            |g: &String| g.starts_with(primitive) && g.split("::").any(|p| p == word || p == other);
        if !groups.keys().any(there) {
            println!("MISSING no function of {primitive} on {word} was found");
            missing = true;
        }
    };
    kuznyechik::KERNELS.iter().for_each(|k| look("kuznyechik", k.name));
    magma::KERNELS.iter().for_each(|k| look("magma", k.name));
    streebog::KERNELS.iter().for_each(|k| look("streebog", k.name));
    gf::KERNELS.iter().for_each(|k| look("gf", k.name));
    missing
}

/// The path of a function without its own name, if it is in a module of the kernels.
fn group(function: &str) -> Option<String> {
    if let Some(name) = function.strip_prefix("opcodes::control::") {
        let planted = control::NAMES.contains(&name);
        return planted.then(|| format!("control::{name}"));
    }
    // The entry of Go's kernels, and the functions on memory that they have. `bcmp` compares S-boxes.
    if ["bulat_go", "memcpy", "memmove", "memset"].contains(&function) {
        return Some("go".into());
    }
    let function = function.trim_start_matches(['<', '&']);
    let path =
        function.strip_prefix("bulat_core::").or_else(|| function.strip_prefix("bulat::"))?;
    let path = path.split([' ', '<', '>', ',']).next()?;
    let parts = path.split("::").filter(|p| !p.is_empty() && !p.starts_with('{'));
    let mut parts: Vec<&str> = parts.collect();
    let module = parts.get(1)?.starts_with(|c: char| c.is_lowercase());
    let by_name = NAMES.contains(&path.trim_end_matches("::"));
    if !MODULES.contains(&parts[0]) || !module || by_name || parts[..2] == ["simd", "isa"] {
        return None;
    }
    if parts.len() > 2 {
        parts.pop();
    }
    Some(parts.join("::"))
}

/// Names of the list; names that end with * are beginnings.
fn names(text: &str) -> Vec<&str> {
    text.lines().filter(|l| !l.starts_with(['#', '['])).flat_map(str::split_whitespace).collect()
}

/// `FUNCTION: INSTRUCTION: why`: in functions with the first in their name, instructions like the second; * is
/// any text.
fn exceptions(text: &str) -> Vec<(String, String)> {
    let line = |l: &str| {
        let mut parts = l.split(": ");
        let mut next = || parts.next().expect("FUNCTION: INSTRUCTION: why");
        (format!("*{}*", next()), next().to_string())
    };
    text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).map(line).collect()
}

/// Returns whether a text is like a pattern in which each * is any text.
fn fits(text: &str, like: &str) -> bool {
    match like.split_once('*') {
        None => text == like,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            (0..=text.len()).any(|i| text.is_char_boundary(i) && fits(&text[i..], rest))
        }),
    }
}

/// Findings of a function: the kind, the instruction, and the instruction that loaded the value.
type Finding = (String, usize, usize);

fn check(
    code: &[Instruction],
    listed: &[&str],
    (elf, constants): (&[u8], &BTreeSet<u64>),
    public: impl FnMut(&Instruction) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let on_list = |name: &str| {
        listed.iter().any(|l| l.strip_suffix('*').map_or(*l == name, |l| name.starts_with(l)))
    };
    let public: Vec<bool> = code.iter().map(public).collect();
    let before = flow::states(code, &public, elf, constants);
    for (i, c) in code.iter().enumerate() {
        if !on_list(&c.name) {
            findings.push((format!("instruction {} is not on the list", c.name), i, i));
        }
        let Some(state) = &before[i] else { continue };
        let mut look = |what: &str, origin: Option<usize>| {
            findings.extend(origin.map(|origin| (what.into(), i, origin)));
        };
        let memory = c.operands.iter().filter(|o| parse::address(o).is_some());
        if !["lea", "nop"].contains(&&*c.name) {
            memory.for_each(|o| look("address", flow::address_from(state.address(o))));
        }
        match c.name.as_str() {
            "jmp" | "call" if parse::register(&c.operands[0]).is_some() => {
                look("branch", flow::branch(state.value(&c.operands[0])));
            }
            "jmp" => {}
            name if name.starts_with('j') => look("branch", flow::branch(state.flags)),
            _ => {}
        }
    }
    findings
}
