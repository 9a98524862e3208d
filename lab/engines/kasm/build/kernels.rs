//! The kernels: how bytes of the state become addresses of their entries.

use super::Code;
use super::operands::{Constant, GENERAL};
use crate::variant::Bank;

impl Code<'_> {
    pub fn temporaries(&self) -> usize {
        match (self.v.kernel, self.v.set.bank) {
            (_, Bank::General) | ('M', _) => 0,
            ('R', Bank::Mmx) => 2 * usize::from(self.m.word == 4),
            ('R', _) => usize::from(self.m.word == 4 || self.v.set.name == "sse2"),
            ('B', _) => 1,
            (_, Bank::Mmx) => 4,
            _ => 2,
        }
    }

    /// The work of a kernel on the whole block, so that its registers become free for the sum.
    pub fn prepare(&mut self, states: &[Vec<String>], b: usize, t: &[String]) {
        let state = &states[b];
        let sources: Vec<&str> = self.sources.iter().map(|s| self.general(*s)).collect();
        match (self.v.kernel, self.v.set.bank) {
            ('R', Bank::General) if self.m.word == 8 => {
                for (source, lane) in sources.iter().zip(state) {
                    put!(self, "mov {source}, {lane}");
                }
            }
            ('M', _) | (_, Bank::General) => {
                for (j, lane) in state.iter().enumerate() {
                    let at = format!("{}+{}", self.stack(), 16 * b + 16 / state.len() * j);
                    self.copy(&self.memory(&at), lane);
                }
            }
            ('R', Bank::Mmx) if self.m.word == 8 => {
                for (source, lane) in sources.iter().zip(state) {
                    put!(self, "movq {source}, {lane}");
                }
            }
            ('R', _) if self.m.word == 8 => {
                self.plain("movq", &format!("{}, {}", sources[0], state[0]));
                if let Some(t) = t.first() {
                    put!(self, "pshufd {t}, {}, 0xee\nmovq {}, {t}", state[0], sources[1]);
                } else {
                    self.plain("pextrq", &format!("{}, {}, 1", sources[1], state[0]));
                }
            }
            ('R' | 'B', _) => {
                for (t, lane) in t.iter().zip(state) {
                    self.copy(t, lane);
                }
            }
            (_, Bank::Ymm) => self.spread_wide(states, b, t),
            _ => self.spread(state, t),
        }
    }

    /// The address of a byte's entry.
    pub fn extract(&mut self, byte: usize, register: usize, b: usize, t: &[String]) {
        let name = GENERAL[register][1];
        match self.v.kernel {
            'M' => put!(self, "movzx {name}, byte ptr [{}+{}]", self.stack(), 16 * b + byte),
            'B' => self.plain("pextrb", &format!("{name}, {}, {byte}", t[0])),
            'R' => self.extract_source(byte, register, b, t),
            kernel => {
                let (vector, word) = match (kernel, self.v.set.bank) {
                    ('L', Bank::Mmx) => (byte / 8 * 2 + byte % 2, byte % 8 / 2),
                    ('L', _) => (byte % 2, byte / 2),
                    (_, Bank::Mmx) => (byte / 4, byte % 4),
                    _ => (byte / 8, byte % 8),
                };
                return self.plain("pextrw", &format!("{name}, {}, {word}", t[vector]));
            }
        }
        if self.v.has('A') {
            put!(self, "add {name}, {name}");
        } else {
            put!(self, "shl {name}, 4");
        }
    }

    /// A byte of the source register that holds it.
    fn extract_source(&mut self, byte: usize, register: usize, b: usize, t: &[String]) {
        let word = self.m.word;
        let place = byte % word;
        if word == 4 && place == 0 {
            self.load_source(byte / 4, b, t);
        }
        let source = self.sources[byte / word % self.sources.len()];
        let (step, part) = if self.v.has('l') { (1, 2) } else { (2, 2 + byte % 2) };
        // No instruction with a REX prefix has a byte of AH to DH.
        self.lacking |= part == 3 && register > 6;
        put!(self, "movzx {}, {}", GENERAL[register][1], GENERAL[source][part]);
        if place % step == step - 1 && place != word - 1 {
            put!(self, "shr {}, {}", self.general(source), 8 * step);
        }
    }

    /// Four bytes of the block, where registers have no more.
    fn load_source(&mut self, quarter: usize, b: usize, t: &[String]) {
        match self.v.set.bank {
            Bank::General => put!(self, "mov eax, [esp+{}]", 16 * b + 4 * quarter),
            Bank::Mmx => {
                let t = &t[quarter / 2];
                if quarter % 2 == 1 {
                    put!(self, "psrlq {t}, 32");
                }
                put!(self, "movd eax, {t}");
            }
            _ if self.v.set.name == "sse2" => {
                if quarter > 0 {
                    put!(self, "psrldq {}, 4", t[0]);
                }
                put!(self, "movd eax, {}", t[0]);
            }
            _ => self.plain("pextrd", &format!("eax, {}, {quarter}", t[0])),
        }
    }

    /// Words to offsets: the number of the table if the constants give it, then times 16, or 2.
    fn offsets(&mut self, t: &str, number: Option<(Constant, usize, usize)>) {
        if let Some((which, offset, size)) = number.filter(|_| self.v.has('C')) {
            let number = self.constant(which, offset, size);
            self.op("por", t, t, &number);
        }
        if self.v.has('A') {
            self.op("paddw", t, t, t);
        } else {
            self.op("psllw", t, t, "4");
        }
    }

    /// The bytes of a block as words of two XMM or four MMX.
    fn spread(&mut self, state: &[String], t: &[String]) {
        let size = 16 / state.len();
        for (j, x) in state.iter().enumerate() {
            let pair = &t[2 * j..2 * j + 2];
            let half = j * size;
            match self.v.kernel {
                'L' => {
                    let mask = self.constant(Constant::Mask, 0, size);
                    self.op("pand", &pair[0], x, &mask);
                    self.op("psrlw", &pair[1], x, "8");
                    self.offsets(&pair[0], Some((Constant::Even, half, size)));
                    self.offsets(&pair[1], Some((Constant::Odd, half, size)));
                }
                'U' => {
                    let which = if self.v.has('C') { Constant::Bytes } else { Constant::Zero };
                    let offset = if self.v.has('C') { half } else { 0 };
                    // Of MMX, this one reads four bytes of memory.
                    let low = if size == 8 && !self.v.has('t') { 4 } else { size };
                    let with = self.constant(which, offset, low);
                    self.op("punpcklbw", &pair[0], x, &with);
                    let with = self.constant(which, offset, size);
                    self.op("punpckhbw", &pair[1], x, &with);
                    pair.iter().for_each(|t| self.offsets(t, None));
                }
                'W' => {
                    self.plain("pmovzxbw", &format!("{}, {x}", pair[0]));
                    self.plain("pshufd", &format!("{}, {x}, 0xee", pair[1]));
                    self.plain("pmovzxbw", &format!("{0}, {0}", pair[1]));
                    for (k, t) in pair.iter().enumerate() {
                        self.offsets(t, Some((Constant::Words, 16 * k, size)));
                    }
                }
                _ => {
                    for (k, t) in pair.iter().enumerate() {
                        let shuffle = self.constant(Constant::Spread, size * k, size);
                        self.op("pshufb", t, x, &shuffle);
                        self.offsets(t, Some((Constant::Words, 2 * half + size * k, size)));
                    }
                }
            }
        }
    }

    /// Spreads by YMM: all bytes of one block, or for L half of those of two.
    fn spread_wide(&mut self, states: &[Vec<String>], b: usize, t: &[String]) {
        let wide = |x: &str| x.replace("xmm", "ymm");
        let (x, y, z) = (&states[b][0], wide(&t[0]), wide(&t[1]));
        match self.v.kernel {
            'L' if b % 2 == 1 => {
                put!(self, "vextracti128 {}, {y}, 1\nvextracti128 {}, {z}, 1", t[0], t[1]);
                return;
            }
            'L' => {
                let mut both = wide(x);
                if let Some(next) = states.get(b + 1) {
                    put!(self, "vinserti128 {z}, {both}, {}, 1", next[0]);
                    both = z.clone();
                }
                let mask = self.constant(Constant::Mask, 0, 32);
                self.op("pand", &y, &both, &mask);
                self.op("psrlw", &z, &both, "8");
                self.offsets(&y, Some((Constant::Even, 0, 32)));
                self.offsets(&z, Some((Constant::Odd, 0, 32)));
                return;
            }
            'W' => put!(self, "vpmovzxbw {y}, {x}"),
            'U' => {
                let which = if self.v.has('C') { Constant::BytesWide } else { Constant::Zero };
                let with = self.constant(which, 0, 32);
                put!(self, "vpermq {y}, {}, 0x10", wide(x));
                self.op("punpcklbw", &y, &y, &with);
            }
            _ => {
                let shuffle = self.constant(Constant::Spread, 0, 32);
                put!(self, "vinserti128 {y}, {}, {x}, 1", wide(x));
                self.op("pshufb", &y, &y, &shuffle);
            }
        }
        let number = (self.v.kernel != 'U').then_some((Constant::Words, 0, 32));
        self.offsets(&y, number);
        put!(self, "vextracti128 {}, {y}, 1", t[1]);
    }
}
