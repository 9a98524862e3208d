//! A call of a function: the memory that it is given, what its results must be, and the comparison.

use std::rc::Rc;

use crate::bytes::{bytes, number};
use crate::domain::{self, Byte, ZERO};
use crate::kinds::Entry;
use crate::machine::{Fault, Machine, Meanings, Or, refuse};
use crate::program::Program;

/// A call that is prepared.
pub struct Call<'p> {
    pub m: Machine<'p>,
    /// How the functions of a program of Go are called; C's convention without this.
    pub entry: Option<Entry>,
    /// The address of the number that such a function returns.
    pub done: u64,
    regions: u64,
    wanted: Vec<(&'static str, u64, Vec<Byte>)>,
    /// Set if the processor was not asked before: see `kinds::choices`.
    pub asks: bool,
    /// Set if texts and results that are in one place are to be in two, and the other way round.
    pub placed_otherwise: bool,
}

/// How many bytes of the stack a function without arguments fills with zeros, from the return address down.
pub fn overwritten(p: &Program, first: usize) -> Or<usize> {
    let mut call = Call::new(p, Meanings::new(p), &[]);
    call.m.begin();
    call.m.call(first)?;
    let stack = call.m.regions[0].bytes.iter().rev();
    // The registers that it saved.
    let below = stack.skip_while(|b| **b != Some(ZERO));
    Ok(below.take_while(|b| **b == Some(ZERO)).count())
}

impl<'p> Call<'p> {
    pub fn new(p: &'p Program, meanings: Rc<Meanings>, faults: &[Fault]) -> Self {
        domain::forget();
        let mut m = Machine::new(p, meanings);
        m.faults = faults.to_vec();
        Call {
            m,
            entry: None,
            done: 0,
            regions: 0,
            wanted: Vec::new(),
            asks: false,
            placed_otherwise: false,
        }
    }
    /// Begins again, with the same faults.
    pub fn again(&mut self) {
        let (p, meanings) = (self.m.p, self.m.meanings());
        let (faults, entry) = (std::mem::take(&mut self.m.faults), self.entry);
        let (count, most, keeps) = (self.m.count, self.m.most, self.m.keep_constants);
        let (asks, placed_otherwise) = (self.asks, self.placed_otherwise);
        *self = Call { asks, placed_otherwise, entry, ..Call::new(p, meanings, &faults) };
        (self.m.count, self.m.most, self.m.keep_constants) = (count, most, keeps);
    }
    /// An address for memory, this number of bytes after an address that is aligned for everything.
    fn place(&mut self, after: u64) -> u64 {
        self.regions += 1;
        0x1000_0000_0000 + (self.regions << 32) + after
    }
    /// Memory that is read.
    pub fn reads(&mut self, name: &'static str, bytes: &[Byte], after: u64) -> u64 {
        let at = self.place(after);
        self.m.reads(name, at, bytes);
        at
    }
    /// Memory that is read and written, and its contents at the end.
    pub fn updates(&mut self, name: &'static str, old: &[Byte], new: Vec<Byte>, after: u64) -> u64 {
        let at = self.place(after);
        self.m.writes(name, at, old.iter().copied().map(Some).collect());
        self.wanted.push((name, at, new));
        at
    }
    /// Memory that is written, and its contents at the end.
    pub fn writes(&mut self, name: &'static str, new: Vec<Byte>, after: u64) -> u64 {
        let at = self.place(after);
        self.m.writes(name, at, vec![None; new.len()]);
        self.wanted.push((name, at, new));
        at
    }
    /// A text and its result, in one place or in two: their addresses.
    pub fn data(
        &mut self,
        in_place: bool,
        text: &[Byte],
        result: Vec<Byte>,
        [from, to]: [u64; 2],
    ) -> (u64, u64) {
        if in_place != self.placed_otherwise {
            let at = self.updates("text", text, result, from);
            return (at, at);
        }
        (self.reads("text", text, from), self.writes("result", result, to))
    }
    /// Memory that one function leaves for a later function.
    pub fn leaves(&mut self, name: &'static str, len: usize) -> u64 {
        let at = self.place(0);
        self.m.writes(name, at, vec![None; len]);
        at
    }
    /// The contents of memory at the end.
    pub fn wants(&mut self, name: &'static str, at: u64, new: &[Byte]) {
        self.wanted.push((name, at, new.to_vec()));
    }
    /// Words that are numbers: pointers and lengths, which the function may change.
    pub fn words(&mut self, name: &'static str, words: &[u64]) -> u64 {
        let at = self.place(0);
        let data = words.iter().flat_map(|w| bytes::<8>(*w)).map(Some).collect();
        self.m.region(name, at, data, true);
        at
    }
    /// A public number at the address of an object of the program, if the program has the object.
    pub fn object(&mut self, name: &'static str, path: &str, bytes: &[u8]) {
        if let Some(at) = self.m.p.object(path) {
            let data = bytes.iter().map(|b| Some(Byte::new(*b))).collect();
            self.m.region(name, at, data, false);
        }
    }
    /// Calls a different function first.
    pub fn first(&mut self, first: usize, arguments: &[u64]) -> Or<()> {
        if let Some(entry) = self.entry.filter(|e| e.first == first) {
            return entry.call(self, arguments);
        }
        self.begin(arguments)?;
        self.m.call(first)
    }
    /// Calls a different function first, which returns a large result in this place.
    pub fn first_of(&mut self, first: usize, result: u64, arguments: &[u64]) -> Or<()> {
        let Some(r) = self.m.p.abi.result else {
            return self.first(first, &[&[result], arguments].concat());
        };
        self.begin(arguments)?;
        self.m.set(r, result);
        self.m.call(first)
    }
    fn begin(&mut self, arguments: &[u64]) -> Or<()> {
        self.m.begin();
        let registers = self.m.p.abi.arguments;
        for (r, argument) in registers.iter().zip(arguments) {
            self.m.set(*r, *argument);
        }
        // Further ones lie above the return address.
        let further = arguments.iter().skip(registers.len()).flat_map(|a| bytes::<8>(*a));
        let (further, at): (Vec<_>, u64) = (further.map(Some).collect(), self.m.top()?);
        if !further.is_empty() {
            self.m.region("arguments", at, further, true);
        }
        Ok(())
    }
    /// Calls the function, compares the results, and the number that it returns.
    pub fn returns(&mut self, n: u64, first: usize, arguments: &[u64]) -> Or<()> {
        self.run(first, arguments)?;
        let got = match self.entry {
            Some(_) => number(&self.m.load(self.done, 8)?),
            None => number(&self.m.general[0]),
        };
        if got == Some(n) {
            return Ok(());
        }
        refuse("another number is returned")
    }
    /// Calls the function, and compares the results.
    pub fn run(&mut self, first: usize, arguments: &[u64]) -> Or<()> {
        self.first(first, arguments)?;
        self.compare()
    }
    /// Compares the results.
    pub fn compare(&mut self) -> Or<()> {
        for (name, at, want) in &self.wanted {
            let got = self.m.load(*at, want.len())?;
            let wrong = got.iter().zip(want).filter(|(g, w)| g != w).count();
            if wrong > 0 {
                return refuse(format!("{wrong} of {} bytes of the {name} differ", want.len()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs instructions on a key of 64 bytes.
    fn run(lines: &[&str]) -> Or<()> {
        run_on(Program::of_lines, lines)
    }
    fn run_on(program: fn(&[String]) -> Program, lines: &[&str]) -> Or<()> {
        let lines: Vec<String> = lines.iter().chain(&["ret"]).map(|l| (*l).into()).collect();
        let p = program(&lines);
        let mut c = Call::new(&p, Meanings::new(&p), &[]);
        let key = c.reads("key", &domain::vars(64), 0);
        c.run(0, &[key])
    }

    #[test]
    fn addresses() {
        let load = "movzx eax,BYTE PTR [rdi]";
        for (lines, why) in [
            (&[load, "prefetcht0 BYTE PTR [rdi+rax*1]"][..], "hangs on data"),
            (&[load, "movzx eax,BYTE PTR [rdi+rax*1]"], "hangs on data"),
            (&["mov QWORD PTR [rsp-0x88],rdi"], "far below"),
            (&["vmovdqa YMMWORD PTR [rsp-0x40],ymm0"], "aligned"),
            (&["vmovdqa YMMWORD PTR [rsp-0x38],ymm0"], "aligned"),
            (&["movzx eax,BYTE PTR [rdi+0x40]"], "outside"),
            (&["mov BYTE PTR [rdi],al"], "a write to key"),
        ] {
            let said = run(lines).expect_err(why).0;
            assert!(said.contains(why), "{lines:?}: {said}");
        }
        let good = ["prefetcht0 BYTE PTR [rdi+0x400]", "mov QWORD PTR [rsp-0x80],rdi"];
        run(&good).expect("public addresses");
        run(&[
            "push rbp",
            "mov rbp,rsp",
            "and rsp,0xffffffffffffffe0",
            "sub rsp,0x40",
            "vmovdqa YMMWORD PTR [rsp],ymm0",
            "mov rsp,rbp",
            "pop rbp",
        ])
        .expect("an aligned stack");
    }

    /// A register that a call may change is junk after it, made or not: no instruction finds the secret that was there.
    #[test]
    fn nothing_is_kept_over_a_call() {
        let run = |spoils: bool, lines: &[&str]| {
            let lines: Vec<String> = lines.iter().chain(&["ret"]).map(|l| (*l).into()).collect();
            let p = Program::of_lines(&lines);
            let mut c = Call::new(&p, Meanings::new(&p), &[]);
            let at = c.leaves("result", 64);
            c.begin(&[at]).expect("a begin");
            c.m.settle(!0);
            c.m.vectors.iter_mut().for_each(|v| v.copy_from_slice(&domain::vars(64)));
            c.m.masks.iter_mut().for_each(|k| k.fill(domain::masked(1, domain::var())));
            let secrets = domain::vars(64);
            c.m.store(c.m.top().expect("a number") - 72, &secrets).expect("a place");
            if spoils {
                c.m.spoiled();
                c.m.set(7, at);
            }
            c.m.call(0).expect("a run");
            let left = c.m.load(at, 64).expect("the result");
            left.iter().any(|b| domain::secret(*b))
        };
        for lines in [
            &["vmovdqu64 ZMMWORD PTR [rdi],zmm17"][..],
            &["vmovdqu XMMWORD PTR [rdi],xmm0"],
            &["vmovq QWORD PTR [rdi],xmm5"],
            &["vpxorq zmm1,zmm2,zmm3", "vmovdqu64 ZMMWORD PTR [rdi],zmm1"],
            &["vpternlogd zmm1,zmm2,zmm3,0x96", "vmovdqu64 ZMMWORD PTR [rdi],zmm1"],
            &[
                "pxor xmm4,xmm4",
                "pcmpeqb xmm6,xmm6",
                "pblendvb xmm4,xmm6,xmm0",
                "movdqu XMMWORD PTR [rdi],xmm4",
            ],
            &["kmovq rax,k3", "mov QWORD PTR [rdi],rax"],
            &["kxorq k1,k2,k3", "kmovq QWORD PTR [rdi],k1"],
            &[
                "vpxor xmm1,xmm1,xmm1",
                "vmovdqu8 zmm1{k4}{z},zmm9",
                "vmovdqu64 ZMMWORD PTR [rdi],zmm1",
            ],
            &["vzeroupper", "vmovdqu YMMWORD PTR [rdi],ymm3"],
            &["vzeroupper", "vmovdqu64 ZMMWORD PTR [rdi],zmm20"],
            &["mov rax,QWORD PTR [rsp-0x40]", "mov QWORD PTR [rdi],rax"],
        ] {
            assert!(run(false, lines), "{lines:?} shows no secret without a call either");
            assert!(!run(true, lines), "{lines:?}");
        }
    }

    /// Runs instructions on 64 bytes of data, to which rdi and rsi lead: 16 bytes at one place are to be at the other.
    fn copies(lines: &[&str], [to, from]: [usize; 2]) -> Or<()> {
        let lines: Vec<String> = lines.iter().chain(&["ret"]).map(|l| (*l).into()).collect();
        let p = Program::of_lines(&lines);
        let mut c = Call::new(&p, Meanings::new(&p), &[]);
        let old = domain::vars(64);
        let mut new = old.clone();
        new.copy_within(from..from + 16, to);
        let at = c.updates("data", &old, new, 0);
        c.run(0, &[at + to as u64, at + from as u64])
    }

    #[test]
    fn strings() {
        let up = ["mov ecx,0x10", "rep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]"];
        let down = ["mov ecx,0x10", "add rdi,0xf", "add rsi,0xf", "std", up[1], "cld"];
        for (lines, places, why) in [
            (&up[..], [0, 32], None),
            (&up, [0, 8], None),
            (&up, [8, 0], Some("onto itself")),
            (&["mov ecx,0x40", up[1]], [0, 32], Some("outside")),
            (&down, [8, 0], None),
            (&down, [0, 8], Some("onto itself")),
            (&down[..5], [8, 0], Some("go down")),
            (&["movzx ecx,BYTE PTR [rdi]", up[1]], [0, 32], Some("hangs on data")),
        ] {
            match (copies(lines, places), why) {
                (Ok(()), None) => {}
                (Err(said), Some(why)) => assert!(said.0.contains(why), "{lines:?}: {}", said.0),
                (said, _) => panic!("{lines:?} {places:?}: {said:?}"),
            }
        }
        let divides = ["mov eax,0x64", "mov edx,0x0", "mov ecx,0x7", "div ecx", "mov ecx,eax"];
        let rest = ["shl ecx,0x3", "add ecx,edx", "sub ecx,0x62", up[1]];
        copies(&[&divides[..], &rest].concat(), [0, 32]).expect("100 = 14 * 7 + 2");
        let large = ["mov edx,0x7", "mov ecx,0x7", "div ecx"];
        let said = copies(&large, [0, 32]).expect_err("more than 32 bits").0;
        assert!(said.contains("large") || said.contains("of data"), "{said}");
    }

    #[test]
    fn refusals_on_aarch64() {
        let load = "ldr x1, [x0]";
        for (lines, why) in [
            (&[load, "ldr x2, [x0, x1]"][..], "hangs on data"),
            (&[load, "cbz x1, 0 <one>"], "hangs on data"),
            (&[load, "cmp x1, #0x3", "b.hi 0 <one>"], "hangs on data"),
            (&[load, "lsl x2, x2, x1"], "hangs on data"),
            (&["str x0, [sp, #-16]"], "far below"),
            (&["sub sp, sp, #0x8", "ldr x1, [sp]"], "not aligned"),
            (&["ldr x1, [x0, #64]"], "outside"),
            (&["strb w1, [x0]"], "a write to key"),
            (&["mov x19, #0x0"], "of the caller"),
            (&["movi v8.2d, #0x0"], "of the caller"),
            (&["sub sp, sp, #0x10"], "stack pointer"),
            (&["udiv x2, x2, x30"], "a division"),
            (&["sdiv x2, x2, x30"], "without a meaning"),
        ] {
            let said = run_on(Program::of_a64, lines).expect_err(why).0;
            assert!(said.contains(why), "{lines:?}: {said}");
        }
        let good = [
            "stp x29, x30, [sp, #-32]!",
            "ldr q0, [x0, #48]",
            "str q0, [sp, #16]",
            "ldp x29, x30, [sp], #32",
        ];
        run_on(Program::of_a64, &good).expect("the stack");
        run_on(Program::of_a64, &["mov v8.d[1], x0"]).expect("an upper half");
    }
}
