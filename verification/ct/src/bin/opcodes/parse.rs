//! A disassembly as `objdump -d -C --no-show-raw-insn -M intel` prints it: functions, instructions,
//! operands.

use std::collections::BTreeMap;

/// One instruction; `lock xadd` is named `lock-xadd`.
pub struct Instruction {
    /// Its address in the file.
    pub at: u64,
    pub name: String,
    /// As printed: registers, numbers, `QWORD PTR [rax+rcx*8+0x10]`.
    pub operands: Vec<String>,
    /// The address that it means, where the disassembly says so.
    pub means: Option<u64>,
}

impl Instruction {
    pub fn text(&self) -> String {
        format!("{} {}", self.name, self.operands.join(","))
    }

    fn new(at: u64, body: &str) -> Option<Self> {
        // The last says how an instruction is encoded.
        const PREFIXES: [&str; 12] = [
            "lock", "rep", "repz", "repnz", "data16", "cs", "ds", "es", "notrack", "bnd", "{evex}",
            "addr32",
        ];
        let split = |text: &str| -> (String, String) {
            let text = text.trim();
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            (word.to_string(), rest.trim().to_string())
        };
        let (body, note) = body.split_once('#').unwrap_or((body, ""));
        let means = note.split_whitespace().next().and_then(|n| u64::from_str_radix(n, 16).ok());
        let (mut name, mut rest) = split(body);
        while PREFIXES.contains(&&*name) {
            let (next, after) = split(&rest);
            let counts = (name.starts_with("rep") || name == "lock") && next != "ret";
            name = if counts { format!("{name}-{next}") } else { next };
            rest = after;
        }
        let operands = rest.split(',').map(|o| o.trim().to_string()).filter(|o| !o.is_empty());
        (!name.is_empty()).then(|| Instruction { at, name, operands: operands.collect(), means })
    }
}

/// The functions, in the order of the file.
pub fn functions(text: &str) -> Vec<(String, Vec<Instruction>)> {
    let mut all: Vec<(String, Vec<Instruction>)> = Vec::new();
    for line in text.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|l| l.split_once(" <")) {
            all.push((name.to_string(), Vec::new()));
        } else if let (Some((_, code)), Some((at, body))) = (all.last_mut(), line.split_once(":\t"))
        {
            code.extend(
                u64::from_str_radix(at.trim(), 16).ok().and_then(|at| Instruction::new(at, body)),
            );
        }
    }
    all
}

/// The symbols of these kinds in a map, as `nm -C` prints it: addresses and names.
pub fn symbols<'m>(map: &'m str, kinds: &str) -> impl Iterator<Item = (u64, &'m str)> {
    map.lines().filter_map(move |line| {
        let (at, rest) = line.split_once(' ')?;
        let (kind, name) = rest.split_once(' ')?;
        Some((u64::from_str_radix(at, 16).ok().filter(|_| kinds.contains(kind))?, name))
    })
}
/// The functions of a file without symbols, by a map of it.
pub fn divided(
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

/// Returns whether a function of this name does not return: it panics or unwinds.
pub fn is_end(name: &str) -> bool {
    let words = [
        "core::panicking::",
        "slice_index_fail",
        "unwrap_failed",
        "expect_failed",
        "handle_error",
        "_Unwind_Resume",
    ];
    words.iter().any(|word| name.contains(word))
}

/// The number of a general register, and how many of its bytes the name means.
pub fn register(name: &str) -> Option<(usize, usize)> {
    const NAMES: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
    if let Some(n) = name.strip_prefix('r').filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    {
        let digits = n.trim_end_matches(['d', 'w', 'b']);
        let bytes = [("d", 4), ("w", 2), ("b", 1)].iter().find(|(end, _)| n.ends_with(end));
        return Some((digits.parse().ok()?, bytes.map_or(8, |(_, bytes)| *bytes)));
    }
    let find = |name: &str| NAMES.iter().position(|n| *n == name);
    if let Some(i) = find(name) {
        return Some((i, 2));
    }
    match (name.get(..1)?, name.get(1..)?) {
        ("r", rest) if find(rest).is_some() => Some((find(rest)?, 8)),
        ("e", rest) if find(rest).is_some() => Some((find(rest)?, 4)),
        (letter, "l" | "h") => Some((NAMES[..4].iter().position(|n| n.starts_with(letter))?, 1)),
        _ => Some((find(name.strip_suffix('l')?)?, 1)),
    }
}

/// Returns whether an operand is a vector or a mask.
pub fn vector(operand: &str) -> bool {
    let digit = |at: usize| operand.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    ["xmm", "ymm", "zmm"].iter().any(|v| operand.starts_with(v))
        || operand.starts_with('k') && digit(1)
}

/// An immediate number.
pub fn number(operand: &str) -> Option<u64> {
    u64::from_str_radix(operand.strip_prefix("0x")?, 16).ok()
}

/// The text between the brackets of an operand in memory.
pub fn address(operand: &str) -> Option<&str> {
    operand.split_once('[')?.1.split(']').next()
}

/// Bytes of an operand in memory.
pub fn bytes(operand: &str) -> usize {
    const WIDTHS: [(&str, usize); 7] = [
        ("BYTE", 1),
        ("WORD", 2),
        ("DWORD", 4),
        ("QWORD", 8),
        ("XMMWORD", 16),
        ("YMMWORD", 32),
        ("ZMMWORD", 64),
    ];
    let word = operand.split(' ').next();
    WIDTHS.iter().find(|(w, _)| Some(*w) == word).map_or(8, |(_, n)| *n)
}

/// The signed words of an ELF file from an address on, as they are loaded; no words if it is a different file.
pub fn words(file: &[u8], address: u64) -> impl Iterator<Item = i32> {
    let number = |at: usize, bytes: usize| {
        let part = file.get(at..at + bytes).unwrap_or(&[]);
        part.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
    };
    // The program headers: offset, address and size of each part that is loaded.
    let parts = (0..number(56, 2)).map(|i| number(32, 8) + i * number(54, 2)).map(|h| h as usize);
    let loaded = parts.filter(|h| number(*h, 4) == 1);
    let mut places = loaded.map(|h| (number(h + 8, 8), number(h + 16, 8), number(h + 32, 8)));
    let place = places.find(|(_, at, len)| (*at..at + len).contains(&address));
    let from = place.map_or(file.len(), |(offset, at, _)| (offset + address - at) as usize);
    file.get(from..).unwrap_or(&[]).as_chunks::<4>().0.iter().map(|w| i32::from_le_bytes(*w))
}
