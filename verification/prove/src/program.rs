//! A program: its instructions as `objdump` prints them, its constants, its symbols.

use std::collections::HashMap;
use std::process::Command;

use crate::a64;
use crate::abi::{A64, Abi, X86};
use crate::parse::{self, Instruction};

/// An operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// A general register: its number, the first of its bytes, and how many.
    General { r: usize, from: usize, n: usize },
    /// A vector register: its number and bytes, and the mask under which it is written.
    Vector { r: usize, n: usize, mask: Option<Mask> },
    /// A mask register, and the mask under which it is written.
    Mask { r: usize, mask: Option<Mask> },
    /// A number.
    Number(u64),
    /// Memory, and its number of bytes.
    Memory { place: Place, n: usize, repeats: bool, mask: Option<Mask> },
    /// A place in the code.
    Code(u64),
    /// A vector of AArch64: the bytes that are used and those of an element; which element, if it is one; and how many
    /// registers a list has.
    Elements { r: usize, n: usize, each: usize, one: Option<usize>, count: usize },
    /// A word of AArch64: a condition, a kind of shift, or that a base is written.
    Word(&'static str),
}
/// A mask, and whether it clears.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mask {
    pub r: usize,
    pub clears: bool,
}
/// An address: a constant, a register and its size in bytes, and a scaled register.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub offset: u64,
    pub base: Option<(usize, usize)>,
    pub index: Option<(usize, usize, u64)>,
}

/// An instruction.
pub struct Code {
    pub at: u64,
    /// The number of the next instruction.
    pub next: usize,
    pub name: String,
    pub operands: Vec<Operand>,
    /// An operand that was not understood.
    pub odd: Option<String>,
    /// As printed.
    pub text: String,
}
impl Code {
    /// The name, of jumps and traps as x86-64 has it.
    pub fn flow(&self) -> &str {
        match self.name.as_str() {
            "b" | "br" => "jmp",
            "bl" | "blr" => "call",
            "brk" | "udf" => "ud2",
            "cbz" | "cbnz" | "tbz" | "tbnz" => "jcc",
            name if name.starts_with("b.") => "jcc",
            name => name,
        }
    }
    /// Returns whether an operand is a number.
    pub fn has_number(&self) -> bool {
        self.operands.iter().any(|o| matches!(o, Operand::Number(_)))
    }
}

/// A part that is loaded.
struct Part {
    at: u64,
    bytes: Vec<u8>,
    /// Set if the program can change it.
    changes: bool,
}
/// A function: its path, its first instruction and how many.
pub struct Function {
    pub path: String,
    pub first: usize,
    pub len: usize,
}

pub struct Program {
    pub abi: &'static Abi,
    pub code: Vec<Code>,
    places: HashMap<u64, usize>,
    pub functions: Vec<Function>,
    parts: Vec<Part>,
    /// Functions of other libraries, by the address in their place.
    pub external: HashMap<u64, String>,
    objects: HashMap<String, u64>,
}

/// Above all addresses of a program: functions of other libraries have their numbers here.
const EXTERNAL: u64 = 0x7000_0000_0000;
/// Where the words of the thread are, which `fs` means.
pub const THREAD: u64 = 0x7fff_0000_0000;

fn output(tool: &str, args: &[&str]) -> Result<String, String> {
    let out = Command::new(tool).args(args).output();
    let package = tool.strip_suffix("-objdump").map_or(String::new(), |t| format!("-{t}"));
    let out = out.map_err(|e| format!("{tool}: {e} (apt-get install binutils{package})"))?;
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

impl Program {
    pub fn read(path: &str) -> Result<Self, String> {
        let file = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let abi = if machine(&file) == 183 { &A64 } else { &X86 };
        let arm = std::ptr::eq(abi, &A64);
        let tool = if arm { "aarch64-linux-gnu-objdump" } else { "objdump" };
        let args = ["-d", "-C", "--no-show-raw-insn", "-j", ".text", path, "-M", "intel"];
        let disassembly = output(tool, &args[..if arm { 6 } else { 8 }])?;
        let map = std::fs::read_to_string(format!("{path}.map")).unwrap_or_default();
        let mut p = Program {
            abi,
            code: Vec::new(),
            places: HashMap::new(),
            functions: Vec::new(),
            parts: parts(&file)?,
            external: HashMap::new(),
            objects: objects(&output(tool, &["-t", "-C", path])?),
        };
        p.objects.extend(parse::symbols(&map, "BbDdRr").map(|(at, name)| (name.to_string(), at)));
        let read = if arm { a64::functions } else { parse::functions };
        for (path, instructions) in parse::divided(read(&disassembly), &map) {
            let first = p.code.len();
            for i in &instructions {
                p.places.insert(i.at, p.code.len());
                let next = p.code.len() + 1;
                if !arm {
                    p.code.push(decode(i, next));
                    continue;
                }
                let (code, external) = a64::decode(i, next);
                p.code.push(code);
                p.external.extend(external);
            }
            p.functions.push(Function { path, first, len: instructions.len() });
        }
        p.relocate(&output(tool, &["-R", path])?);
        Ok(p)
    }

    /// A program of one instruction, as it is printed.
    pub fn of_one(text: &str) -> Self {
        Self::of_lines(&[text.to_string()])
    }
    /// A program of instructions, as they are printed.
    pub fn of_lines(lines: &[String]) -> Self {
        let lines = lines.iter().enumerate().map(|(i, text)| format!("  {i:x}:\t{text}\n"));
        let functions = parse::functions(&format!("0 <one>:\n{}", String::from_iter(lines)));
        let instructions = functions.iter().flat_map(|(_, all)| all);
        let code = instructions.enumerate().map(|(i, text)| decode(text, i + 1)).collect();
        Self::of_code(&X86, code)
    }
    /// A program of instructions of AArch64.
    pub fn of_a64(lines: &[String]) -> Self {
        let lines = lines.iter().enumerate().map(|(i, text)| format!("  {:x}:\t{text}\n", 4 * i));
        let functions = a64::functions(&format!("0 <one>:\n{}", String::from_iter(lines)));
        let instructions = functions.iter().flat_map(|(_, all)| all);
        let code = instructions.enumerate().map(|(i, text)| a64::decode(text, i + 1).0).collect();
        Self::of_code(&A64, code)
    }
    fn of_code(abi: &'static Abi, code: Vec<Code>) -> Self {
        Program {
            abi,
            code,
            places: HashMap::new(),
            functions: Vec::new(),
            parts: Vec::new(),
            external: HashMap::new(),
            objects: HashMap::new(),
        }
    }

    /// Fills in the words that the loader does.
    fn relocate(&mut self, text: &str) {
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let (Some(at), Some(kind), Some(value)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let Ok(at) = u64::from_str_radix(at, 16) else { continue };
            let word = match kind {
                "R_X86_64_RELATIVE" | "R_AARCH64_RELATIVE" => {
                    let value = value.trim_start_matches("*ABS*+0x");
                    u64::from_str_radix(value, 16).unwrap_or(0)
                }
                "R_X86_64_GLOB_DAT"
                | "R_X86_64_JUMP_SLOT"
                | "R_X86_64_JUMP_SLO"
                | "R_AARCH64_GLOB_DAT"
                | "R_AARCH64_JUMP_SLOT"
                | "R_AARCH64_JUMP_SL" => {
                    let name = value.split('@').next().unwrap_or(value);
                    self.external.insert(EXTERNAL + at, name.to_string());
                    EXTERNAL + at
                }
                // A different kind: a word that is no address of anything.
                other => {
                    self.external.insert(EXTERNAL + at, other.to_string());
                    EXTERNAL + at
                }
            };
            if let Some((part, i)) = self.part(at) {
                let to = &mut self.parts[part].bytes[i..];
                if to.len() >= 8 {
                    to[..8].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    }

    /// The code that the processor would run if a bit of an instruction's code were turned round, for many at once: each is an
    /// instruction's number, and a bit or none. The instructions are added to the code, up to a place where the old code goes on. The
    /// number of the first of them, if all decode.
    pub fn flipped(
        &mut self,
        bits: &[(usize, Option<usize>)],
    ) -> Result<Vec<Option<usize>>, String> {
        const WINDOW: usize = 64;
        const STEP: usize = 96;
        let mut raw = vec![0x90; STEP * bits.len()];
        for ((i, bit), to) in bits.iter().zip(raw.chunks_mut(STEP)) {
            let all =
                self.constants(self.code[*i].at, WINDOW).ok_or("code at the end of a part")?;
            to[..WINDOW].copy_from_slice(all);
            bit.iter().for_each(|bit| to[bit / 8] ^= 1 << (bit % 8));
        }
        let file = std::env::temp_dir().join(format!("prove-{}", std::process::id()));
        let name = file.display().to_string();
        std::fs::write(&file, raw).map_err(|e| format!("{name}: {e}"))?;
        let args = ["-D", "-z", "-b", "binary", "-m", "i386:x86-64", "-M", "intel"];
        let text = output("objdump", &[&args[..], &["--no-show-raw-insn", &name]].concat());
        std::fs::remove_file(&file).map_err(|e| format!("{name}: {e}"))?;
        let text = text?.replace("# 0x", "# ");
        let all: Vec<Instruction> =
            parse::functions(&text).into_iter().flat_map(|(_, all)| all).collect();
        let mut out = Vec::new();
        for (k, (i, _)) in bits.iter().enumerate() {
            let (from, at, first) = ((STEP * k) as u64, self.code[*i].at, self.code.len());
            let begin = all.partition_point(|x| x.at < from);
            let mut good = false;
            for x in &all[begin..] {
                let here = x.at.wrapping_sub(from);
                if here > 0
                    && let Some(next) = self.place(at + here)
                {
                    if let Some(last) = self.code[first..].last_mut() {
                        last.next = next;
                        good = true;
                    }
                    break;
                }
                // No instruction, or one that begins later: a prefix was left out.
                let late = self.code.len() == first && here > 0;
                if here as usize >= WINDOW || x.name == "(bad)" || late {
                    break;
                }
                let moved = |to: u64| to.wrapping_sub(from).wrapping_add(at);
                let new = Instruction {
                    at: moved(x.at),
                    name: x.name.clone(),
                    operands: x.operands.clone(),
                    means: x.means.map(moved),
                };
                let mut code = decode(&new, self.code.len() + 1);
                if let ("j" | "c", [Operand::Number(to)]) = (&code.name[..1], &code.operands[..])
                    && (code.name.starts_with('j') || code.name == "call")
                {
                    code.operands = vec![Operand::Code(moved(*to))];
                }
                self.code.push(code);
            }
            out.push(good.then_some(first));
        }
        Ok(out)
    }

    fn part(&self, at: u64) -> Option<(usize, usize)> {
        let end = |p: &Part| p.at + p.bytes.len() as u64;
        let part = self.parts.iter().position(|p| (p.at..end(p)).contains(&at))?;
        Some((part, (at - self.parts[part].at) as usize))
    }
    /// Constants of the program, all in one part.
    pub fn constants(&self, at: u64, n: usize) -> Option<&[u8]> {
        let (part, i) = self.part(at)?;
        let part = &self.parts[part];
        (!part.changes).then_some(())?;
        part.bytes.get(i..i + n)
    }
    /// Every word that is a constant of the program, where eight bytes are aligned, with its address.
    pub fn words(&self) -> impl Iterator<Item = (u64, u64)> {
        let constants = self.parts.iter().filter(|p| !p.changes);
        constants.flat_map(|p| {
            let skipped = (p.at.next_multiple_of(8) - p.at) as usize;
            let words = p.bytes.get(skipped..).unwrap_or_default().as_chunks().0;
            let first = p.at + skipped as u64;
            words
                .iter()
                .enumerate()
                .map(move |(i, w)| (first + 8 * i as u64, u64::from_le_bytes(*w)))
        })
    }
    /// Where the variables of the program are, and the values that they have in the file.
    pub fn variables(&self) -> Option<(u64, &[u8])> {
        let part = self.parts.iter().find(|p| p.changes)?;
        Some((part.at, &part.bytes[..part.bytes.len().min(1 << 18)]))
    }
    /// A constant of the program.
    pub fn constant(&self, at: u64) -> Option<u8> {
        let (part, i) = self.part(at)?;
        (!self.parts[part].changes).then(|| self.parts[part].bytes[i])
    }
    /// The number of the instruction at an address.
    pub fn place(&self, at: u64) -> Option<usize> {
        self.places.get(&at).copied()
    }
    /// The address of an object, by the end of its path.
    pub fn object(&self, end: &str) -> Option<u64> {
        self.objects.iter().find(|(name, _)| name.ends_with(end)).map(|(_, at)| *at)
    }
}

fn objects(text: &str) -> HashMap<String, u64> {
    let object = |line: &str| {
        let (left, right) = line.split_once('\t')?;
        let name = right.split_once(' ')?.1.trim().trim_start_matches(".hidden ");
        let at = u64::from_str_radix(left.split(' ').next()?, 16).ok()?;
        left.contains(" O ").then(|| (name.to_string(), at))
    };
    text.lines().filter_map(object).collect()
}

/// The processor that an ELF file is for.
fn machine(file: &[u8]) -> u16 {
    file.get(18..20).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

/// The parts of an ELF file; what is only relocated, is no longer changed.
fn parts(file: &[u8]) -> Result<Vec<Part>, String> {
    let number = |at: usize, n: usize| {
        let part = file.get(at..at + n).unwrap_or(&[]);
        part.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
    };
    if file.get(..4) != Some(b"\x7fELF") || !matches!(machine(file), 62 | 183) {
        return Err("no ELF file for x86-64 or AArch64".into());
    }
    let headers = (0..number(56, 2)).map(|i| (number(32, 8) + i * number(54, 2)) as usize);
    let headers: Vec<usize> = headers.collect();
    let fixed = headers.iter().find(|h| number(**h, 4) == 0x6474_e552);
    let fixed = fixed.map_or(0..0, |h| number(h + 16, 8)..number(h + 16, 8) + number(h + 40, 8));
    let loaded = headers.iter().filter(|h| number(**h, 4) == 1);
    let mut parts = Vec::new();
    for h in loaded {
        let (offset, at) = (number(h + 8, 8) as usize, number(h + 16, 8));
        let bytes = file.get(offset..offset + number(h + 32, 8) as usize);
        let mut bytes = bytes.ok_or("a part of the file is missing")?.to_vec();
        bytes.resize(number(h + 40, 8) as usize, 0);
        let changes = number(h + 4, 4) & 2 != 0;
        // The beginning of a part may be only relocated.
        let only =
            if changes && fixed.contains(&at) { fixed.end.saturating_sub(at) as usize } else { 0 };
        let rest = bytes.split_off(only.min(bytes.len()));
        parts.push(Part { at: at + bytes.len() as u64, bytes: rest, changes });
        parts.push(Part { at, bytes, changes: false });
    }
    Ok(parts)
}

fn decode(i: &Instruction, next: usize) -> Code {
    let mut code = Code {
        at: i.at,
        next,
        name: i.name.clone(),
        operands: Vec::with_capacity(i.operands.len()),
        odd: None,
        text: i.text(),
    };
    // A name may hold commas as well.
    let named = i.operands.first().is_some_and(|o| o.contains(" <"));
    for text in i.operands.iter().take(if named { 1 } else { usize::MAX }) {
        match operand(text, i.means) {
            Some(o) => code.operands.push(o),
            None => code.odd = Some(text.clone()),
        }
    }
    code
}

fn operand(text: &str, means: Option<u64>) -> Option<Operand> {
    // A word of the thread.
    if let Some(at) = text.strip_prefix("QWORD PTR fs:") {
        let offset = THREAD.wrapping_add(parse::number(at)?);
        let place = Place { offset, base: None, index: None };
        return Some(Operand::Memory { place, n: 8, repeats: false, mask: None });
    }
    // The name of a function may hold anything.
    if let Some((at, _)) = text.split_once(" <") {
        return u64::from_str_radix(at, 16).ok().map(Operand::Code);
    }
    let (bare, mask) = match text.split_once('{') {
        Some((bare, rest)) if rest.starts_with('k') => {
            let r = rest.get(1..2)?.parse().ok()?;
            (bare.trim(), Some(Mask { r, clears: rest.contains("{z}") }))
        }
        Some((bare, rest)) if rest.starts_with("1to") => (bare.trim(), None),
        Some(_) => return None,
        None => (text, None),
    };
    if let Some(inside) = parse::address(bare) {
        // These two segments begin at 0; memory by another occurs in no kernel.
        if bare.replace(" es:[", "").replace(" ds:[", "").contains(':') {
            return None;
        }
        let (n, repeats) = (parse::bytes(bare), bare.contains("BCST"));
        return Some(Operand::Memory { place: place(inside, means)?, n, repeats, mask });
    }
    let vector = ["xmm", "ymm", "zmm"].iter().position(|v| bare.starts_with(v));
    if let Some(width) = vector {
        return Some(Operand::Vector { r: bare[3..].parse().ok()?, n: 16 << width, mask });
    }
    if parse::vector(bare) {
        return Some(Operand::Mask { r: bare[1..].parse().ok()?, mask });
    }
    if let Some((r, n)) = parse::register(bare) {
        let high = n == 1 && bare.ends_with('h');
        return Some(Operand::General { r, from: high.into(), n });
    }
    if let Some(n) = parse::number(bare) {
        return Some(Operand::Number(n));
    }
    bare.parse().ok().map(Operand::Number)
}

fn place(inside: &str, means: Option<u64>) -> Option<Place> {
    let mut place = Place { offset: 0, base: None, index: None };
    if inside.starts_with("rip") {
        place.offset = means?;
        return Some(place);
    }
    let mut rest = inside;
    let mut minus = false;
    loop {
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let word = &rest[..end];
        if let Some((r, scale)) = word.split_once('*') {
            // A name that stands for no index.
            if !matches!(r, "riz" | "eiz") {
                let (r, n) = parse::register(r)?;
                place.index = Some((r, n, scale.parse().ok()?));
            }
        } else if let Some((r, n)) = parse::register(word) {
            place.base = Some((r, n));
        } else {
            let n = parse::number(word)?;
            place.offset = if minus { n.wrapping_neg() } else { n };
        }
        if end == rest.len() {
            return Some(place);
        }
        minus = rest[end..].starts_with('-');
        rest = &rest[end + 1..];
    }
}
