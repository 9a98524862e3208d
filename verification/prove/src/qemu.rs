//! Answers of an emulated AArch64: each form of an instruction that the kernels use, on random states, compared with its
//! meaning. No processor of this kind is at hand; `qemu-aarch64` is the witness.
//!
//! `forms-aarch64.txt` lists the instructions, as `prove FILE --forms` prints them. Jumps, the addresses of code, traps and
//! prefetches are not asked about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::abi::A64;
use crate::bytes::{bytes, number};
use crate::domain::{self, Byte};
use crate::machine::{Flags, Machine, Meanings};
use crate::meanings;
use crate::program::{Code, Operand, Program};
use crate::record::{Disguise, Random, form};

/// The instructions.
pub const FORMS: &str = include_str!("../forms-aarch64.txt");

const GENERAL: usize = 32 * 16;
const FLAGS: usize = GENERAL + 31 * 8;
const MEMORY: usize = FLAGS + 8;
const STATE: usize = MEMORY + 512;
/// Where the emulator has that memory, and where in it a base points to.
const PLACE: u64 = 0x10_0000_0000;
const MIDDLE: u64 = 256;
/// States at a time.
const MOST: usize = 16_384;

/// Returns whether an instruction can be run without others.
pub fn alone(code: &Code) -> bool {
    let other = ["nop", "brk", "udf", "prfm", "ret", "br", "blr"].contains(&&*code.name);
    let jumps = code.operands.iter().any(|o| matches!(o, Operand::Code(_)));
    !(other || jumps || code.odd.is_some() || meanings::of(&A64, &code.name).is_none())
}

/// An instruction without the stack pointer and the registers that hold the state, and with a near address.
pub fn placed(text: &str) -> String {
    let mut text = text.to_string();
    let tokens = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_string).collect()
    };
    for old in ["sp", "x28", "w28", "x29", "w29", "x30", "w30"] {
        let all = tokens(&text);
        if !all.iter().any(|t| t == old) {
            continue;
        }
        let number = |t: &String| t.strip_prefix(['x', 'w']).and_then(|n| n.parse::<usize>().ok());
        let used: Vec<usize> = all.iter().filter_map(number).collect();
        let free = (9..28).find(|r| !used.contains(r)).unwrap_or(9);
        let new = format!("{}{free}", if old.starts_with('w') { 'w' } else { 'x' });
        let mut out = String::new();
        for part in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let word = part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            out.push_str(if word == old { &new } else { word });
            out.push_str(&part[word.len()..]);
        }
        text = out;
    }
    if let Some((before, rest)) = text.split_once('[')
        && let Some((inside, after)) = rest.split_once(']')
        && let Some((base, offset)) = inside.split_once(", #")
        && let Ok(n) = offset.parse::<i64>()
        && !(-128..=240).contains(&n)
    {
        text = format!("{before}[{base}, #{}]{after}", n & 0xf0);
    }
    text
}

/// A state from a seed; bases point to the memory, and other parts of addresses are small.
fn state(code: &Code, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut all: Vec<u8> = (0..STATE / 8).flat_map(|_| random.next().to_le_bytes()).collect();
    // Also small numbers, equal bytes, and bytes at the edges.
    for b in &mut all[..FLAGS] {
        let draw = random.next();
        match draw >> 8 & 7 {
            0 if seed.is_multiple_of(2) => *b &= 15,
            1 => *b = [0, 255, 128, 127][(draw >> 16 & 3) as usize],
            2 if seed.is_multiple_of(3) => *b = 0,
            _ => {}
        }
    }
    let word = |r: usize| GENERAL + 8 * r..GENERAL + 8 * r + 8;
    let mut after = false;
    for o in &code.operands {
        match o {
            Operand::Memory { place, .. } => {
                if let Some((r, ..)) = place.index {
                    all[word(r)].copy_from_slice(&(random.next() & 15).to_le_bytes());
                }
                if let Some((r, _)) = place.base {
                    all[word(r)].copy_from_slice(&(PLACE + MIDDLE).to_le_bytes());
                }
                after = true;
            }
            Operand::General { r, .. } if after && *r < 31 => {
                all[word(*r)].copy_from_slice(&(random.next() & 255).to_le_bytes());
            }
            _ => {}
        }
    }
    all[FLAGS..MEMORY].copy_from_slice(&((random.next() & 15) << 28).to_le_bytes());
    all
}

/// The list of instructions, a line for each mnemonic.
pub fn list(codes: &[&Code]) -> String {
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    codes.iter().for_each(|c| lines.entry(&c.name).or_default().push(placed(&c.text)));
    lines.values().map(|all| all.join("; ") + "\n").collect()
}
fn listed() -> Vec<String> {
    let lines = FORMS.lines().filter(|l| !l.starts_with('#'));
    lines.flat_map(|l| l.split("; ")).map(str::to_string).collect()
}
/// The forms that are asked about.
pub fn forms() -> BTreeSet<String> {
    listed().into_iter().map(|l| form(&Program::of_a64(&[l]).code[0])).collect()
}

/// The emulator's program: a function for each instruction.
fn build(lines: &[String], folder: &Path) -> Result<(), String> {
    let each = |f: &str, n: usize| -> String {
        (0..n).map(|r| f.replace("{r}", &r.to_string())).collect()
    };
    let regs = |op: &str| each(&format!("{op} x{{r}}, [x28, #{GENERAL}+8*{{r}}]\n"), 28);
    let vecs = |op: &str| each(&format!("{op} q{{r}}, [x28, #16*{{r}}]\n"), 32);
    let kept = |op: &str| {
        let pairs =
            (0..6).map(|k| format!("{op} x{}, x{}, [sp, #{}]\n", 19 + 2 * k, 20 + 2 * k, 16 * k));
        let wide = (0..4)
            .map(|k| format!("{op} d{}, d{}, [sp, #{}]\n", 8 + 2 * k, 9 + 2 * k, 96 + 16 * k));
        pairs.chain(wide).collect::<String>()
    };
    let mut text = String::from(".arch armv8.2-a+crypto+sha3\n.text\n");
    for (i, line) in lines.iter().enumerate() {
        text += &format!(
            "t{i}:\nsub sp, sp, #176\n{}str x30, [sp, #160]\nmov x28, x0\nldr x9, [x28, #{FLAGS}]\nmsr nzcv, x9\n{}{}{line}\n{}\
             mrs x9, nzcv\nstr x9, [x28, #{FLAGS}]\n{}{}ldr x30, [sp, #160]\nadd sp, sp, #176\nret\n",
            kept("stp"),
            vecs("ldr"),
            regs("ldr"),
            regs("str"),
            vecs("str"),
            kept("ldp"),
        );
    }
    text += ".data\n.globl all\nall:\n";
    text.extend((0..lines.len()).map(|i| format!(".quad t{i}\n")));
    let main = format!(
        "#include <stdio.h>\n#include <string.h>\n#include <sys/mman.h>\nextern void (*all[])(void *);\nint main(void) {{\n\
         static unsigned char b[{STATE}]; unsigned n;\n\
         char *m = mmap((void *){PLACE}, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);\n\
         while (fread(&n, 4, 1, stdin) == 1 && fread(b, 1, {STATE}, stdin) == {STATE}) {{\n\
         memcpy(m, b + {MEMORY}, 512); all[n](b); memcpy(b + {MEMORY}, m, 512); fwrite(b, 1, {STATE}, stdout); }} }}\n"
    );
    std::fs::write(folder.join("t.S"), text).map_err(|e| e.to_string())?;
    std::fs::write(folder.join("m.c"), main).map_err(|e| e.to_string())?;
    let args = ["-O1", "-static", "-o", "m", "m.c", "t.S"];
    let done = Command::new("aarch64-linux-gnu-gcc").args(args).current_dir(folder).output();
    let done = done.map_err(|e| format!("aarch64-linux-gnu-gcc: {e}"))?;
    if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}

/// An instruction, and states before and after it.
struct Asked {
    p: Program,
    states: Vec<(u64, Vec<u8>, Vec<u8>)>,
}

/// Asks the emulator: this number of states of each mnemonic, and no fewer than `least` of an instruction.
fn ask(each: usize, least: usize) -> Result<Vec<Asked>, String> {
    let lines = listed();
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let name = format!("prove-{}-{}", std::process::id(), ASKED.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let result = build(&lines, &folder).and_then(|()| {
        let mut asked: Vec<Asked> = lines
            .iter()
            .map(|l| Asked { p: Program::of_a64(std::slice::from_ref(l)), states: Vec::new() })
            .collect();
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        asked.iter().for_each(|a| *alike.entry(a.p.code[0].name.clone()).or_default() += 1);
        let counts = asked.iter().map(|a| least.max(each.div_ceil(alike[&a.p.code[0].name])));
        let all: Vec<usize> =
            counts.enumerate().flat_map(|(i, n)| std::iter::repeat_n(i, n)).collect();
        for (chunk, some) in all.chunks(MOST).enumerate() {
            let mut given = Vec::with_capacity(some.len() * (STATE + 4));
            let before: Vec<(u64, Vec<u8>)> = (some.iter().enumerate())
                .map(|(k, i)| {
                    let seed = (chunk * MOST + k) as u64;
                    (seed, state(&asked[*i].p.code[0], seed))
                })
                .collect();
            for (i, (_, state)) in some.iter().zip(&before) {
                given.extend_from_slice(&(*i as u32).to_le_bytes());
                given.extend_from_slice(state);
            }
            std::fs::write(folder.join("in"), given).map_err(|e| e.to_string())?;
            let input = File::open(folder.join("in")).map_err(|e| e.to_string())?;
            let mut emulator = Command::new("qemu-aarch64");
            emulator.args(["-cpu", "max"]).arg(folder.join("m")).stdin(Stdio::from(input));
            let out = emulator.output().map_err(|e| format!("qemu-aarch64: {e}"))?;
            if out.stdout.len() != STATE * some.len() {
                return Err(format!(
                    "the emulator stopped: {}",
                    String::from_utf8_lossy(&out.stderr)
                ));
            }
            for ((i, (seed, before)), after) in
                some.iter().zip(before).zip(out.stdout.chunks(STATE))
            {
                asked[*i].states.push((seed, before, after.to_vec()));
            }
        }
        Ok(asked)
    });
    drop(std::fs::remove_dir_all(&folder));
    result
}

/// Compares a state after an instruction with the machine's, on numbers or on functions of variables; whether the meaning
/// accepts.
fn compare(
    m: &mut Machine,
    meaning: &meanings::Meaning,
    (seed, before, after): &(u64, Vec<u8>, Vec<u8>),
    variables: usize,
) -> Result<bool, String> {
    let code = &m.p.code[0];
    let mut hidden = Disguise::new(*seed, variables);
    for r in 0..32 {
        let used = code.operands.iter().any(
            |o| matches!(o, Operand::Elements { r: q, count, .. } if (r + 32 - q) % 32 < *count),
        );
        for i in 0..16 {
            let b = before[16 * r + i];
            m.vectors[r][i] = if used { hidden.of(b) } else { Byte::new(b) };
        }
    }
    for r in 0..28 {
        m.general[r] = std::array::from_fn(|i| Byte::new(before[GENERAL + 8 * r + i]));
    }
    let flag = |state: &[u8], n: u32| state[FLAGS + 3] >> (n - 24) & 1 != 0;
    m.flags = Flags {
        sign: Some(flag(before, 31)),
        zero: Some(flag(before, 30)),
        carry: Some(Byte::new(flag(before, 29).into())),
        overflow: Some(flag(before, 28)),
        ..Flags::default()
    };
    let reads = code.operands.iter().any(|o| matches!(o, Operand::Memory { .. }));
    let memory =
        before[MEMORY..].iter().map(|b| Some(if reads { hidden.of(*b) } else { Byte::new(*b) }));
    m.only_stack();
    let memory = memory.collect();
    m.region("memory", PLACE, memory, true);
    if meaning(m, code).is_err() {
        return Ok(false);
    }
    let mut got: Vec<Byte> = m.vectors.iter().flat_map(|v| v[..16].to_vec()).collect();
    m.general[..28].iter().for_each(|r| got.extend_from_slice(r));
    got.resize(MEMORY, bytes::<1>(0)[0]);
    got.extend(m.load(PLACE, 512).map_err(|e| e.0)?);
    for (at, (g, want)) in got.iter().zip(after).enumerate() {
        let other = (GENERAL + 28 * 8..MEMORY).contains(&at);
        if let Some(g) = hidden.value(*g).filter(|g| !other && g != want) {
            return Err(format!(
                "{}: byte {at:x} is {g:02x}, not {want:02x}; seed {seed}",
                code.text
            ));
        }
    }
    let carry = m.flags.carry.and_then(|c| number(&[c])).map(|c| c != 0);
    let known = [(m.flags.sign, 31), (m.flags.zero, 30), (carry, 29), (m.flags.overflow, 28)];
    for (is, n) in known {
        if is.is_some_and(|is| is != flag(after, n)) {
            return Err(format!("{}: bit {n} of the flags is wrong; seed {seed}", code.text));
        }
    }
    Ok(true)
}

/// Compares states of an instruction with its meaning, or with the meaning of a different mnemonic.
fn compare_states(asked: &Asked, as_if: Option<&str>) -> Result<(usize, usize), String> {
    let code = &asked.p.code[0];
    let name = as_if.unwrap_or(&code.name);
    let mut as_other = None;
    if let Some(name) = as_if {
        let text = code.text.replacen(&code.name, name, 1);
        as_other = Some(Program::of_a64(&[text]));
    }
    let p = as_other.as_ref().unwrap_or(&asked.p);
    let meaning = meanings::of(&A64, name).ok_or(format!("{}: no meaning", code.text))?;
    let (mut compared, mut refused) = (0, 0);
    for variables in [0, 1, 3] {
        domain::forget();
        let mut m = Machine::new(p, Meanings::new(p));
        let mut accepted = false;
        for state in asked.states.iter().take(if variables == 0 { usize::MAX } else { 8 }) {
            if variables > 0 {
                domain::trim();
                domain::forget();
                m = Machine::new(p, Meanings::new(p));
            }
            let agrees = compare(&mut m, &meaning, state, variables)?;
            *if agrees { &mut compared } else { &mut refused } += 1;
            accepted |= agrees;
        }
        if variables == 0 && !accepted {
            return Err(format!("{}: the meaning refuses all states", code.text));
        }
    }
    Ok((compared, refused))
}

/// Compares all instructions; says how many states and of what.
pub fn compare_all(each: usize, least: usize) -> Result<String, String> {
    let (mut compared, mut refused) = (0, 0);
    let (mut names, mut forms) = (BTreeMap::new(), BTreeMap::new());
    let all = ask(each, least)?;
    for asked in &all {
        let (agrees, refuses) = compare_states(asked, None)?;
        (compared, refused) = (compared + agrees, refused + refuses);
        *names.entry(asked.p.code[0].name.clone()).or_insert(0) += asked.states.len();
        forms.insert(form(&asked.p.code[0]), ());
    }
    let least = names.values().min().unwrap_or(&0);
    Ok(format!(
        "{} mnemonics of AArch64, {} forms, {} instructions: {compared} states compared with the emulator, at least {least} \
         of each mnemonic, {refused} refused by the meanings, none wrong",
        names.len(),
        forms.len(),
        all.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there() -> bool {
        let runs = |tool: &str, arguments: &[&str]| {
            Command::new(tool).args(arguments).output().is_ok_and(|o| o.status.success())
        };
        // The compiler's package does not bring the headers.
        let there = runs("qemu-aarch64", &["--version"])
            && runs(
                "aarch64-linux-gnu-gcc",
                &["-E", "-include", "stdio.h", "-x", "c", "/dev/null"],
            );
        if !there {
            println!("skipped: no qemu-aarch64, aarch64-linux-gnu-gcc or libc6-dev-arm64-cross");
        }
        there
    }

    #[test]
    fn meanings_are_the_emulators() {
        if there() {
            println!("{}", compare_all(200, 20).expect("all agree"));
        }
    }

    /// Each of these is a different instruction's meaning, and must be found out.
    #[test]
    fn wrong_meanings_are_found() {
        const WRONG: [[&str; 2]; 20] = [
            ["add", "sub"],
            ["zip1", "zip2"],
            ["uzp1", "trn1"],
            ["ushr", "shl"],
            ["orr", "and"],
            ["bsl", "bit"],
            ["bif", "bsl"],
            ["umin", "uqsub"],
            ["cmgt", "cmhi"],
            ["rev64", "rev32"],
            ["pmull", "pmull2"],
            ["adc", "sbc"],
            ["subs", "adds"],
            ["csel", "csinc"],
            ["lsr", "ror"],
            ["ubfx", "sbfx"],
            ["ldrb", "ldrh"],
            ["umulh", "mul"],
            ["ld1", "ld1r"],
            ["st2", "st1"],
        ];
        if !there() {
            return;
        }
        let all = ask(40, 10).expect("the emulator answers");
        for [right, wrong] in WRONG {
            let mut of = all.iter().filter(|a| a.p.code[0].name == right).peekable();
            assert!(of.peek().is_some(), "no answer of {right}");
            assert!(of.any(|a| compare_states(a, Some(wrong)).is_err()), "{wrong} for {right}");
        }
    }
}
