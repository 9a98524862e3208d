//! A call of a function: the memory that it is given, what its results must be, and the comparison.

use std::rc::Rc;

use crate::bytes::{bytes, number};
use crate::domain::{self, Byte};
use crate::machine::{Fault, Machine, Meanings, Or, refuse};
use crate::program::Program;

/// A call that is prepared.
pub struct Call<'p> {
    pub m: Machine<'p>,
    regions: u64,
    wanted: Vec<(&'static str, u64, Vec<Byte>)>,
}

/// The general registers of arguments, in their order.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];

impl<'p> Call<'p> {
    pub fn new(p: &'p Program, meanings: Rc<Meanings>, faults: &[Fault]) -> Self {
        domain::forget();
        let mut m = Machine::new(p, meanings);
        m.faults = faults.to_vec();
        Call { m, regions: 0, wanted: Vec::new() }
    }
    /// Begins again, with the same faults.
    pub fn again(&mut self) {
        let (p, meanings) = (self.m.p, self.m.meanings());
        let faults = std::mem::take(&mut self.m.faults);
        let (count, most, keeps) = (self.m.count, self.m.most, self.m.keep_constants);
        *self = Call::new(p, meanings, &faults);
        (self.m.count, self.m.most, self.m.keep_constants) = (count, most, keeps);
    }
    /// An address for memory, this number of bytes after one that is aligned for everything.
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
        if in_place {
            let at = self.updates("text", text, result, from);
            return (at, at);
        }
        (self.reads("text", text, from), self.writes("result", result, to))
    }
    /// Memory that one function leaves for another.
    pub fn leaves(&mut self, name: &'static str, len: usize) -> u64 {
        let at = self.place(0);
        self.m.writes(name, at, vec![None; len]);
        at
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
    /// Calls another function first.
    pub fn first(&mut self, first: usize, arguments: &[u64]) -> Or<()> {
        self.m.begin();
        for (r, argument) in ARGUMENTS.iter().zip(arguments) {
            self.m.set(*r, *argument);
        }
        // Further ones lie above the return address.
        let further = arguments.iter().skip(ARGUMENTS.len()).flat_map(|a| bytes::<8>(*a));
        let (further, at): (Vec<_>, u64) = (further.map(Some).collect(), self.m.top()?);
        if !further.is_empty() {
            self.m.region("arguments", at, further, true);
        }
        self.m.call(first)
    }
    /// Calls the function, compares the results, and the number that it returns.
    pub fn returns(&mut self, n: u64, first: usize, arguments: &[u64]) -> Or<()> {
        self.run(first, arguments)?;
        if number(&self.m.general[0]) == Some(n) {
            return Ok(());
        }
        refuse("another number is returned")
    }
    /// Calls the function, and compares the results.
    pub fn run(&mut self, first: usize, arguments: &[u64]) -> Or<()> {
        self.first(first, arguments)?;
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
        let lines: Vec<String> = lines.iter().chain(&["ret"]).map(|l| (*l).into()).collect();
        let p = Program::of_lines(&lines);
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
}
