//! A program: its instructions as `objdump` prints them, its constants, its symbols.

use std::collections::{BTreeMap, HashMap};
use std::process::Command;

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
}
/// A mask, and whether it clears.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mask {
    pub r: usize,
    pub clears: bool,
}
/// An address: a constant, a register and its size in bytes, and a scaled one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub offset: u64,
    pub base: Option<(usize, usize)>,
    pub index: Option<(usize, usize, u64)>,
}

/// An instruction.
pub struct Code {
    pub at: u64,
    /// The number of the next one.
    pub next: usize,
    pub name: String,
    pub operands: Vec<Operand>,
    /// An operand that was not understood.
    pub odd: Option<String>,
    /// As printed.
    pub text: String,
}
impl Code {
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

fn output(args: &[&str]) -> Result<String, String> {
    let out = Command::new("objdump").args(args).output();
    let out = out.map_err(|e| format!("objdump: {e} (apt-get install binutils)"))?;
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

impl Program {
    pub fn read(path: &str) -> Result<Self, String> {
        let file = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let args = ["-d", "-C", "--no-show-raw-insn", "-M", "intel", "-j", ".text", path];
        let disassembly = output(&args)?;
        let map = std::fs::read_to_string(format!("{path}.map")).unwrap_or_default();
        let mut p = Program {
            code: Vec::new(),
            places: HashMap::new(),
            functions: Vec::new(),
            parts: parts(&file)?,
            external: HashMap::new(),
            objects: objects(&output(&["-t", "-C", path])?),
        };
        p.objects.extend(symbols(&map, "BbDdRr").map(|(at, name)| (name.to_string(), at)));
        for (path, instructions) in divided(parse::functions(&disassembly), &map) {
            let first = p.code.len();
            for i in &instructions {
                p.places.insert(i.at, p.code.len());
                p.code.push(decode(i, p.code.len() + 1));
            }
            p.functions.push(Function { path, first, len: instructions.len() });
        }
        p.relocate(&output(&["-R", path])?);
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
        Program {
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
                "R_X86_64_RELATIVE" => {
                    let value = value.trim_start_matches("*ABS*+0x");
                    u64::from_str_radix(value, 16).unwrap_or(0)
                }
                "R_X86_64_GLOB_DAT" | "R_X86_64_JUMP_SLOT" | "R_X86_64_JUMP_SLO" => {
                    let name = value.split('@').next().unwrap_or(value);
                    self.external.insert(EXTERNAL + at, name.to_string());
                    EXTERNAL + at
                }
                // Another kind: a word that is no address of anything.
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

/// The symbols of these kinds in a map, as `nm -C` prints it: addresses and names.
fn symbols<'m>(map: &'m str, kinds: &str) -> impl Iterator<Item = (u64, &'m str)> {
    map.lines().filter_map(move |line| {
        let (at, rest) = line.split_once(' ')?;
        let (kind, name) = rest.split_once(' ')?;
        Some((u64::from_str_radix(at, 16).ok().filter(|_| kinds.contains(kind))?, name))
    })
}
/// The functions of a file without symbols, by a map of it.
fn divided(
    functions: Vec<(String, Vec<Instruction>)>,
    map: &str,
) -> Vec<(String, Vec<Instruction>)> {
    let names: BTreeMap<u64, &str> = symbols(map, "TtWw").collect();
    if names.is_empty() {
        return functions;
    }
    let mut out: Vec<(String, Vec<Instruction>)> = Vec::new();
    for i in functions.into_iter().flat_map(|(_, all)| all) {
        if let Some(name) = names.get(&i.at) {
            out.push((name.to_string(), Vec::new()));
        }
        if let Some((_, all)) = out.last_mut() {
            all.push(i);
        }
    }
    out
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

/// The parts of an ELF file for x86-64; what is only relocated, is no longer changed.
fn parts(file: &[u8]) -> Result<Vec<Part>, String> {
    let number = |at: usize, n: usize| {
        let part = file.get(at..at + n).unwrap_or(&[]);
        part.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
    };
    if file.get(..4) != Some(b"\x7fELF") || number(18, 2) != 62 {
        return Err("no ELF file for x86-64".into());
    }
    let headers = (0..number(56, 2)).map(|i| (number(32, 8) + i * number(54, 2)) as usize);
    let headers: Vec<usize> = headers.collect();
    let fixed = headers.iter().find(|h| number(**h, 4) == 0x6474_e552);
    let fixed = fixed.map_or(0..0, |h| number(h + 16, 8)..number(h + 16, 8) + number(h + 40, 8));
    let loaded = headers.iter().filter(|h| number(**h, 4) == 1);
    let part = |h: &usize| {
        let (offset, at) = (number(h + 8, 8) as usize, number(h + 16, 8));
        let mut bytes = file.get(offset..offset + number(h + 32, 8) as usize)?.to_vec();
        bytes.resize(number(h + 40, 8) as usize, 0);
        let end = at + bytes.len() as u64;
        let changes = number(h + 4, 4) & 2 != 0 && !(fixed.contains(&at) && end <= fixed.end);
        Some(Part { at, bytes, changes })
    };
    loaded.map(part).collect::<Option<_>>().ok_or("a part of the file is missing".into())
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
        // Memory by a segment's register is none that a kernel has.
        if bare.contains(':') {
            return None;
        }
        let (n, repeats) = (parse::octets(bare), bare.contains("BCST"));
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
            // An index that is none.
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
