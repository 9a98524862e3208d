//! Reads a module: its sections, and its functions as lists of instructions.
//!
//! Engines accept the module (the other tests of the package run it), so its types are not checked here.

use std::collections::HashMap;
use std::ops::Range;

/// An instruction. Numbers after a prefix have it in the upper byte: 0xfc08 is `0xfc 8`; 0xfe00 stands for `0xfd 256`,
/// the first of relaxed SIMD.
#[derive(Clone, Copy)]
pub struct Op {
    pub code: u16,
    /// An index; a block's number of results, with its number of parameters in the upper half; a lane.
    pub x: u32,
    /// A constant; the offset of an access; for a block the place after its end; for `if` also its `else`, above.
    pub y: u64,
    /// The place in the file.
    pub at: u32,
}

pub const BLOCK: u16 = 0x02;
pub const LOOP: u16 = 0x03;
pub const IF: u16 = 0x04;
pub const ELSE: u16 = 0x05;
pub const END: u16 = 0x0b;
pub const BR_TABLE: u16 = 0x0e;

/// A function's code.
#[derive(Default)]
pub struct Body {
    pub ops: Vec<Op>,
    pub locals: usize,
    /// Constants and shuffles of vectors.
    pub vectors: Vec<u128>,
    /// The targets of `br_table`: depths, the default last.
    pub targets: Vec<Vec<u32>>,
}

#[derive(Default)]
pub struct Module {
    bytes: Vec<u8>,
    /// Numbers of parameters and results.
    pub types: Vec<(usize, usize)>,
    /// Each function's type.
    pub functions: Vec<u32>,
    /// Each function's code in `bytes`.
    pub code: Vec<Range<usize>>,
    pub table: Vec<u32>,
    /// The memory's pages of 64 KiB.
    pub pages: usize,
    pub globals: Vec<u128>,
    pub exports: HashMap<String, u32>,
    pub data: Vec<(usize, Range<usize>)>,
    /// The functions' names, as the compiler made them.
    pub names: Vec<String>,
}

/// Reads numbers and names.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }
    /// A number in LEB128, sign-extended if its last byte is negative and `signed`.
    fn leb(&mut self, signed: bool) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                let negative = signed && byte & 0x40 != 0 && shift < 64;
                return if negative { value | u64::MAX << shift } else { value };
            }
        }
    }
    fn number(&mut self) -> usize {
        self.leb(false) as usize
    }
    fn text(&mut self) -> String {
        let len = self.number();
        self.at += len;
        String::from_utf8_lossy(&self.bytes[self.at - len..self.at]).into_owned()
    }
    /// A constant expression: the value of a global, a segment's place.
    fn constant(&mut self) -> u128 {
        let value = match self.byte() {
            0x41 => u128::from(self.leb(true) as u32),
            0x42 => u128::from(self.leb(true)),
            code => panic!("instruction {code:#x} in a constant expression"),
        };
        assert_eq!(self.byte(), 0x0b, "a constant expression of one instruction");
        value
    }
    /// The smallest size of a memory or table.
    fn limits(&mut self) -> usize {
        let most = self.byte() & 1 != 0;
        let least = self.number();
        if most {
            self.number();
        }
        least
    }
}

impl Module {
    /// Reads the module. The program ends at a section or an instruction that is not known, with its number.
    pub fn read(bytes: &[u8]) -> Module {
        let mut module = Module { bytes: bytes.to_vec(), ..Module::default() };
        assert_eq!(bytes[..8], *b"\0asm\x01\0\0\0", "a WebAssembly module");
        let mut r = Reader { bytes, at: 8 };
        while r.at < bytes.len() {
            let id = r.byte();
            let end = r.number() + r.at;
            module.section(id, &mut r, end);
            r.at = end;
        }
        module.names.resize(module.functions.len(), String::new());
        module
    }

    fn section(&mut self, id: u8, r: &mut Reader<'_>, end: usize) {
        let count = if matches!(id, 0 | 8) { 0 } else { r.number() };
        assert!(!matches!(id, 2 | 8), "a section for imports or a start, which are not known");
        for i in 0..count {
            match id {
                1 => {
                    assert_eq!(r.byte(), 0x60, "a function's type");
                    let [parameters, results] = [0; 2].map(|_| {
                        let n = r.number();
                        r.at += n;
                        n
                    });
                    self.types.push((parameters, results));
                }
                3 => self.functions.push(r.number() as u32),
                4 => {
                    r.byte();
                    self.table.resize(r.limits(), u32::MAX);
                }
                5 => self.pages = r.limits(),
                6 => {
                    r.at += 2;
                    self.globals.push(r.constant());
                }
                7 => {
                    let (name, kind, index) = (r.text(), r.byte(), r.number() as u32);
                    if kind == 0 {
                        self.exports.insert(name, index);
                    }
                }
                9 => {
                    assert_eq!(r.number(), 0, "a segment of functions in the table");
                    let at = r.constant() as usize;
                    for i in 0..r.number() {
                        self.table[at + i] = r.number() as u32;
                    }
                }
                10 => {
                    let end = r.number() + r.at;
                    self.code.push(r.at..end);
                    r.at = end;
                }
                11 => {
                    assert_eq!(r.number(), 0, "a segment of data in the memory");
                    let at = r.constant() as usize;
                    let len = r.number();
                    self.data.push((at, r.at..r.at + len));
                    r.at += len;
                }
                12 => assert_eq!(i, 0),
                _ => panic!("section {id} is not known"),
            }
        }
        if id == 0 && r.text() == "name" {
            while r.at < end {
                let kind = r.byte();
                let next = r.number() + r.at;
                for _ in 0..if kind == 1 { r.number() } else { 0 } {
                    let index = r.number();
                    self.names.resize(self.names.len().max(index + 1), String::new());
                    self.names[index] = r.text();
                }
                r.at = next;
            }
        }
    }

    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }

    /// Returns the difference from the module as it was linked, but for functions that were left out, which only trap.
    pub fn differences(&self, linked: &Module) -> Option<String> {
        let data = |module: &Module| -> Vec<_> {
            module.data.iter().map(|(at, range)| (*at, module.bytes(range).to_vec())).collect()
        };
        let frame = |m: &Module| {
            (m.types.clone(), m.functions.clone(), m.table.clone(), m.pages, m.globals.clone())
        };
        if frame(self) != frame(linked) || self.exports != linked.exports {
            return Some("types, tables or exports".into());
        }
        if data(self) != data(linked) {
            return Some("data".into());
        }
        let differs = |i: &usize| {
            let body = self.bytes(&self.code[*i]);
            body != linked.bytes(&linked.code[*i]) && body != [0, 0, 0x0b]
        };
        (0..self.code.len()).find(differs).map(|i| linked.names[i].clone())
    }

    /// Reads a function's code; with `planted` after the instruction that ends at `before`, and another local for it.
    pub fn body(&self, function: u32, plant: Option<(usize, &[u8])>) -> Body {
        let range = &self.code[function as usize];
        let mut r = Reader { bytes: &self.bytes[..range.end], at: range.start };
        let locals = (0..r.number()).map(|_| (r.number(), r.byte()).0).sum();
        let mut body = Body { locals, ..Body::default() };
        // The blocks that are open: their first instructions.
        let mut open = vec![];
        let Some((at, planted)) = plant else {
            self.instructions(&mut r, &mut body, &mut open, range.end);
            return body;
        };
        body.locals += 1;
        self.instructions(&mut r, &mut body, &mut open, at);
        let mut inner = Reader { bytes: planted, at: 0 };
        self.instructions(&mut inner, &mut body, &mut open, planted.len());
        self.instructions(&mut r, &mut body, &mut open, range.end);
        body
    }

    fn instructions(&self, r: &mut Reader<'_>, body: &mut Body, open: &mut Vec<usize>, end: usize) {
        while r.at < end {
            let at = r.at as u32;
            let mut code = u16::from(r.byte());
            if matches!(code, 0xfc | 0xfd) {
                let number = r.number() as u16;
                code = if number < 256 { code << 8 | number } else { 0xfe00 | (number - 256) };
            }
            let (mut x, mut y) = (0, 0);
            let place = body.ops.len();
            match code {
                BLOCK | LOOP | IF => {
                    open.push(place);
                    x = match r.leb(true) as i64 {
                        -64 => 0,
                        -63..0 => 1,
                        index => {
                            let (parameters, results) = self.types[index as usize];
                            (parameters << 16 | results) as u32
                        }
                    };
                }
                ELSE => {
                    let opened = *open.last().expect("an if");
                    body.ops[opened].y = (place as u64 + 1) << 32;
                }
                END => {
                    if let Some(opened) = open.pop() {
                        body.ops[opened].y |= place as u64 + 1;
                    }
                }
                0x0c | 0x0d | 0x10 | 0x20..=0x26 | 0xd2 => x = r.number() as u32,
                0x11 => (x, y) = (r.number() as u32, r.leb(false)),
                BR_TABLE => {
                    x = body.targets.len() as u32;
                    let count = r.number() + 1;
                    body.targets.push((0..count).map(|_| r.number() as u32).collect());
                }
                0x1c => r.at += r.number(),
                0x28..=0x3e | 0xfd00..=0xfd0b | 0xfd5c | 0xfd5d => {
                    (x, y) = (r.number() as u32, r.leb(false));
                }
                0x3f | 0x40 | 0xfc0b => r.at += 1,
                0x41 => y = u64::from(r.leb(true) as u32),
                0x42 => y = r.leb(true),
                0x43 | 0x44 => r.at += if code == 0x43 { 4 } else { 8 },
                0xfc0a => r.at += 2,
                0xfd0c | 0xfd0d => {
                    x = body.vectors.len() as u32;
                    r.at += 16;
                    let vector = r.bytes[r.at - 16..r.at].try_into().expect("16 bytes");
                    body.vectors.push(u128::from_le_bytes(vector));
                }
                0xfd15..=0xfd22 => x = u32::from(r.byte()),
                0xfd54..=0xfd5b => {
                    r.number();
                    (y, x) = (r.leb(false), u32::from(r.byte()));
                }
                0xfc08..=0xfcff => panic!("instruction {code:#x} at {at:#x} is not known"),
                _ => {}
            }
            body.ops.push(Op { code, x, y, at });
        }
    }
}
