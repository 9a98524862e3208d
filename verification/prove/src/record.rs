//! Answers of a processor: what each form of an instruction makes of given registers, recorded once and compared with the
//! meanings wherever tests run.
//!
//! `record.py` asks a processor. A line of `answers.txt` is a seed, from which all registers, masks, flags and 64 bytes of memory are filled;
//! the instruction; and what it changed: places in that state, and bytes.

use std::collections::BTreeMap;

use crate::bytes::{bytes, number};
use crate::domain::{self, Byte, Var, lift, name, var};
use crate::machine::{Flags, Machine, Meanings};
use crate::meanings;
use crate::program::{Code, Operand, Program};

const MASKS: usize = 32 * 64;
const GENERAL: usize = MASKS + 8 * 8;
const FLAGS: usize = GENERAL + 16 * 8;
const MEMORY: usize = FLAGS + 8;
const STATE: usize = MEMORY + 64;
/// Where the machine has that memory.
const PLACE: u64 = 0x10_0000;

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

fn state(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut all: Vec<u8> = (0..STATE / 8).flat_map(|_| random.next().to_le_bytes()).collect();
    if seed.is_multiple_of(3) {
        // Small numbers in general registers.
        all[GENERAL..FLAGS].iter_mut().enumerate().for_each(|(i, b)| {
            if i % 8 > 1 {
                *b = 0
            }
        });
    }
    // Carry, parity, zero, sign and overflow at will; what is always so.
    let flags = random.next() & 0x8c5 | 0x202;
    all[FLAGS..MEMORY].copy_from_slice(&flags.to_le_bytes());
    all
}

/// The form of an instruction: its mnemonic, and what kinds of operands it has.
pub fn form(code: &Code) -> String {
    let operand = |o: &Operand| match o {
        Operand::General { from, n, .. } => {
            format!("r{}{}", 8 * n, if *from > 0 { "h" } else { "" })
        }
        Operand::Vector { n, mask, .. } => {
            format!("v{}{}", 8 * n, mask.map_or("", |m| if m.clears { "z" } else { "k" }))
        }
        Operand::Mask { mask, .. } => format!("k{}", if mask.is_some() { "k" } else { "" }),
        Operand::Number(_) => "n".into(),
        Operand::Memory { n, repeats, mask, place } => {
            let mask = if mask.is_some() { "k" } else { "" };
            // On AArch64 the size is the register's.
            let mask = if *n == 0 && place.index.is_some() { "i" } else { mask };
            format!("m{}{}{mask}", 8 * n, if *repeats { "b" } else { "" })
        }
        Operand::Code(_) => "c".into(),
        Operand::Elements { n, each, one, count, .. } => {
            format!("v{}x{each}{}.{count}", n / each, if one.is_some() { "e" } else { "" })
        }
        Operand::Word(w) => (*w).into(),
    };
    format!("{} {}", code.name, code.operands.iter().map(operand).collect::<Vec<_>>().join(","))
}

/// Returns whether an instruction can be run without others: no jump, and no stack.
pub fn alone(code: &Code) -> bool {
    let jumps = code.name.starts_with('j')
        || ["call", "ret", "push", "pop", "ud2", "int3"].contains(&&*code.name);
    // Copies and quotients have a test.
    let copies = ["std", "cld", "div"].contains(&&*code.name) || code.name.starts_with("rep-");
    let quiet = ["nop", "endbr64", "prefetcht0", "prefetcht1"].contains(&&*code.name);
    let stack = code.text.contains("rsp") || code.text.contains("esp");
    !(jumps
        || copies
        || quiet
        || code.odd.is_some()
        || meanings::meaning(&code.name).is_none()
        || stack
        || code.text.contains("+riz")
        || code.text.contains("fs:")
        || code.name == "lea" && code.text.contains("rip"))
}

/// An instruction with its memory at a place of its own.
fn placed(code: &Code) -> String {
    match (code.text.split_once('['), code.text.rsplit_once(']')) {
        (Some((before, _)), Some((_, after))) if code.name != "lea" => {
            format!("{before}[rip+mem]{after}")
        }
        _ => code.text.clone(),
    }
}

/// The questions for a processor, two of each: a seed and an instruction.
pub fn questions(codes: &[&Code]) -> String {
    let question = |(i, code): (usize, &&Code)| {
        let text = placed(code);
        format!("{} {text}\n{} {text}\n", 7 * i, 7 * i + 1)
    };
    codes.iter().enumerate().map(question).collect()
}

/// A recorded answer.
pub struct Answer {
    pub seed: u64,
    pub text: String,
    changes: Vec<(usize, Vec<u8>)>,
}
impl Answer {
    /// The form of its instruction.
    pub fn form(&self) -> String {
        form(&self.program().code[0])
    }
    /// The instruction, with its memory at a place of its own.
    fn program(&self) -> Program {
        let text = self.text.replace("[rip+mem]", "[rip+0x0]");
        Program::of_one(&format!("{text}        # {PLACE:x}"))
    }
}
pub fn answers(text: &str) -> Vec<Answer> {
    let answer = |line: &str| {
        let (left, right) = line.split_once(" =")?;
        let (seed, text) = left.split_once(' ')?;
        let change = |word: &str| {
            let (at, hex) = word.split_once(':')?;
            let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).ok();
            let bytes = (0..hex.len()).step_by(2).map(byte).collect::<Option<_>>()?;
            Some((usize::from_str_radix(at, 16).ok()?, bytes))
        };
        let changes = right.split_whitespace().map(change).collect::<Option<_>>()?;
        Some(Answer { seed: seed.parse().ok()?, text: text.to_string(), changes })
    };
    text.lines().filter(|l| !l.starts_with('#')).filter_map(answer).collect()
}

/// Numbers as sums of functions of variables that have these values.
pub struct Disguise {
    seed: u64,
    random: Random,
    inputs: Vec<Byte>,
    values: BTreeMap<Var, u8>,
    unique: u64,
}
impl Disguise {
    pub fn new(seed: u64, variables: usize) -> Self {
        let mut random = Random(seed);
        let inputs: Vec<Byte> = (0..variables).map(|_| var()).collect();
        let values = inputs.iter().filter_map(|v| name(*v)).map(|v| (v, random.next() as u8));
        let values = values.collect();
        Disguise { seed, random, inputs, values, unique: 1 << 50 }
    }
    /// A sum for a number; every fourth number stays.
    pub fn of(&mut self, b: u8) -> Byte {
        if self.inputs.is_empty() || self.random.next().is_multiple_of(4) {
            return Byte::new(b);
        }
        let mut sum = domain::ZERO;
        for v in &self.inputs {
            let table: Vec<u8> = (0..32).flat_map(|_| self.random.next().to_le_bytes()).collect();
            self.unique += 1;
            sum = sum ^ lift(self.unique ^ self.seed << 20, [*v], |[x]| table[x as usize]);
        }
        sum ^ Byte::new(self.value(sum).unwrap_or(0) ^ b)
    }
    /// The value of a byte, if no unknown is in it.
    pub fn value(&self, b: Byte) -> Option<u8> {
        domain::evaluate(b, |v| self.values.get(&v).copied())
    }
}

/// Compares an answer with a meaning, of the instruction or of the given instruction: on numbers, or on functions of a
/// number of variables. Says what differs; whether the meaning refuses; or that all agrees.
pub fn compare(answer: &Answer, as_if: Option<&str>, variables: usize) -> Result<bool, String> {
    domain::forget();
    let p = answer.program();
    let code = &p.code[0];
    if let Some(odd) = &code.odd {
        return Err(format!("{}: the operand {odd} is not known", answer.text));
    }
    let Some(meaning) = meanings::meaning(as_if.unwrap_or(&code.name)) else {
        return Err(format!("{}: no meaning", answer.text));
    };
    let before = state(answer.seed);
    let mut after = before.clone();
    for (at, bytes) in &answer.changes {
        after[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    let mut hidden = Disguise::new(answer.seed, variables);
    let mut m = Machine::new(&p, Meanings::new(&p));
    let wide = code.text.contains("mm");
    for r in 0..32 {
        let used =
            code.operands.iter().any(|o| matches!(o, Operand::Vector { r: q, .. } if *q == r));
        m.vectors[r] = std::array::from_fn(|i| {
            let b = before[64 * r + i];
            if used { hidden.of(b) } else { Byte::new(b) }
        });
    }
    for r in 0..8 {
        m.masks[r] =
            std::array::from_fn(|i| Byte::new(before[MASKS + 8 * r + i / 8] >> (i % 8) & 1));
    }
    for r in 0..16 {
        m.general[r] = std::array::from_fn(|i| Byte::new(before[GENERAL + 8 * r + i]));
    }
    let flags = u16::from_le_bytes([before[FLAGS], before[FLAGS + 1]]);
    let bit = |n: u16| flags >> n & 1 != 0;
    m.flags = Flags {
        carry: Some(Byte::new(bit(0).into())),
        zero: Some(bit(6)),
        sign: Some(bit(7)),
        overflow: Some(bit(11)),
        parity: Some(bit(2)),
        one_bit: None,
    };
    let memory =
        before[MEMORY..].iter().map(|b| Some(if wide { hidden.of(*b) } else { Byte::new(*b) }));
    let memory = memory.collect();
    m.region("memory", PLACE, memory, true);
    if meaning(&mut m, code).is_err() {
        return Ok(false);
    }
    let mut got = Vec::new();
    m.vectors.iter().for_each(|v| got.extend_from_slice(v));
    for k in m.masks.iter() {
        for byte in k.chunks(8) {
            let sum = |(i, b): (usize, &Byte)| domain::shifted_up(i as u32, *b);
            got.push(byte.iter().enumerate().map(sum).fold(domain::ZERO, |a, b| a ^ b));
        }
    }
    m.general[..16].iter().for_each(|r| got.extend_from_slice(r));
    got.extend(bytes::<8>(u64::from_le_bytes(std::array::from_fn(|i| after[FLAGS + i]))));
    got.extend(m.load(PLACE, 64).map_err(|e| e.0)?);
    for (at, (g, want)) in got.iter().zip(&after).enumerate() {
        // The stack pointer is not the machine's; an unknown byte may be anything.
        let stack = (GENERAL + 32..GENERAL + 40).contains(&at);
        if let Some(g) = hidden.value(*g).filter(|g| !stack && g != want) {
            return Err(format!("{}: byte {at:x} is {g:02x}, not {want:02x}", answer.text));
        }
    }
    let flags = u16::from_le_bytes([after[FLAGS], after[FLAGS + 1]]);
    let known = [
        (m.flags.carry.and_then(|c| number(&[c])).map(|c| c != 0), 0),
        (m.flags.zero, 6),
        (m.flags.sign, 7),
        (m.flags.overflow, 11),
        (m.flags.parity, 2),
    ];
    for (flag, n) in known {
        if flag.is_some_and(|f| f != (flags >> n & 1 != 0)) {
            return Err(format!("{}: bit {n} of the flags is wrong", answer.text));
        }
    }
    Ok(true)
}

/// Compares all answers, on numbers and on functions of one and of three variables; counts them, and the answers that a
/// meaning refuses. A meaning must accept some numbers of each form.
pub fn compare_all(text: &str) -> Result<(usize, usize), String> {
    let (mut compared, mut refused) = (0, 0);
    let mut accepted: BTreeMap<String, bool> = BTreeMap::new();
    for answer in answers(text) {
        let of_form = accepted.entry(answer.form()).or_default();
        for variables in [0, 1, 3] {
            let agrees = compare(&answer, None, variables)?;
            *if agrees { &mut compared } else { &mut refused } += 1;
            *of_form |= agrees && variables == 0;
        }
    }
    let never: Vec<&str> = accepted.iter().filter(|a| !a.1).map(|a| a.0.as_str()).collect();
    if !never.is_empty() {
        return Err(format!("forms that a meaning refuses in all answers: {}", never.join("; ")));
    }
    Ok((compared, refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWERS: &str = include_str!("../answers.txt");

    #[test]
    fn meanings_are_the_processors() {
        let (compared, refused) = compare_all(ANSWERS).expect("all agree");
        println!("{compared} compared, {refused} refused");
        assert!(compared > 4 * refused);
    }

    /// Each of these is a different instruction's meaning, and must be found out.
    #[test]
    fn wrong_meanings_are_found() {
        const WRONG: [[&str; 2]; 20] = [
            ["vpaddb", "vpsubb"],
            ["vpunpcklbw", "vpunpckhbw"],
            ["vpermt2b", "vpermi2b"],
            ["vpsrld", "vprold"],
            ["or", "and"],
            ["vpminub", "vpmaxub"],
            ["vpor", "vpand"],
            ["vpaddd", "vpaddq"],
            ["shl", "rol"],
            ["vpshufd", "vpshuflw"],
            ["vpunpcklwd", "vpunpckhwd"],
            ["vpslld", "vpsrld"],
            ["sub", "add"],
            ["vpsllw", "vpsrlw"],
            ["pshufb", "pand"],
            ["movzx", "movsx"],
            ["adc", "add"],
            ["kshiftrw", "kshiftlw"],
            ["vpcmpltuq", "vpcmpnleuq"],
            ["vpunpckhqdq", "vpunpcklqdq"],
        ];
        let all = answers(ANSWERS);
        for [right, wrong] in WRONG {
            let mut of = all.iter().filter(|a| a.text.split(' ').next() == Some(right)).peekable();
            assert!(of.peek().is_some(), "no answer of {right}");
            assert!(of.any(|a| compare(a, Some(wrong), 0).is_err()), "{wrong} for {right}");
        }
    }
}
