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
        let (count, keeps) = (self.m.count, self.m.keep_constants);
        *self = Call::new(p, meanings, &faults);
        (self.m.count, self.m.keep_constants) = (count, keeps);
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
