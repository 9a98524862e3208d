//! The meanings of instructions.

mod a64;
mod fields;
mod general;
mod masks;
mod moves;
mod places;
mod shuffles;
mod words;

use crate::abi::Abi;
use crate::machine::{Machine, Or, refuse};
use crate::program::{Code, Operand};

/// Does an instruction; the address that it jumps to, if it jumps.
pub type Meaning = Box<dyn Fn(&mut Machine, &Code) -> Or<Option<u64>>>;

/// The meaning of a processor's mnemonic.
pub fn of(abi: &Abi, name: &str) -> Option<Meaning> {
    if abi.link.is_some() { a64::meaning(name) } else { meaning(name) }
}
/// The meaning of a mnemonic of x86-64.
pub fn meaning(name: &str) -> Option<Meaning> {
    general::meaning(name)
        .or_else(|| moves::meaning(name))
        .or_else(|| words::meaning(name))
        .or_else(|| shuffles::meaning(name))
        .or_else(|| places::meaning(name))
        .or_else(|| masks::meaning(name))
        .or_else(|| fields::meaning(name))
}

/// A meaning that does not jump.
fn plain(f: impl Fn(&mut Machine, &Code) -> Or<()> + 'static) -> Option<Meaning> {
    Some(Box::new(move |m, c| f(m, c).map(|()| None)))
}

/// An operand.
fn operand(c: &Code, i: usize) -> Or<&Operand> {
    c.operands.get(i).map_or_else(|| refuse("an operand is missing"), Ok)
}
/// The number that an operand is.
fn immediate(c: &Code, i: usize) -> Or<u64> {
    match operand(c, i)? {
        Operand::Number(n) => Ok(*n),
        _ => refuse("no number where one belongs"),
    }
}
/// The number of bytes of a vector operand.
fn width(o: &Operand) -> Or<usize> {
    match o {
        Operand::Vector { n, .. } => Ok(*n),
        _ => refuse("no vector where one belongs"),
    }
}
/// The number of a vector register.
fn vector(o: &Operand) -> Or<usize> {
    match o {
        Operand::Vector { r, .. } => Ok(*r),
        _ => refuse("no vector where one belongs"),
    }
}
/// Refuses an address that an instruction's alignment forbids.
fn aligned(m: &Machine, o: &Operand, to: usize) -> Or<()> {
    match o {
        Operand::Memory { place, .. } if m.address(place)? % to as u64 != 0 => {
            refuse("an address that is not aligned")
        }
        _ => Ok(()),
    }
}
