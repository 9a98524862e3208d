//! L and L^-1 of Kuznyechik on planes of integers: proved apart, for all columns, so that calls of many blocks may use them
//! as proved. In such a call the steps of L would be more sums than the domain holds.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

use super::apart::{self, Apart, Known};
use crate::bytes::number;
use crate::call::Call;
use crate::domain::{self, Byte, ZERO};
use crate::machine::{Machine, Or, STACK, refuse};
use crate::planes;
use crate::standard::kuznyechik::{backward, forward};

/// Bytes of a plane, of which there are eight for each byte of a block.
const PLANE: usize = 8;
const PLANES: usize = 128;

/// The functions of the kernel.
pub const NAMES: [&str; 2] = ["l_forward", "l_backward"];

/// For each plane of the result the planes that it is the sum of. Plane 8 j + b has bit b of byte j of all blocks.
fn sums(back: bool) -> Vec<Vec<usize>> {
    let mut sums = vec![Vec::new(); PLANES];
    for from in 0..PLANES {
        let mut block = [0; 16];
        block[from / 8] = 1 << (from % 8);
        let image = if back { backward(block) } else { forward(block) };
        let bit = |to: &usize| image[to / 8] >> (to % 8) & 1 != 0;
        (0..PLANES).filter(bit).for_each(|to| sums[to].push(from));
    }
    sums
}

/// A call of one of the functions, on planes of variables.
pub fn linear(c: &mut Call, f: usize, back: bool) -> Or<()> {
    planes::begin(4_000_000);
    let old: Vec<Byte> = (0..PLANES as u32).map(planes::input).collect();
    let sum = |from: &Vec<usize>| from.iter().fold(ZERO, |sum, i| planes::xor(sum, old[*i]));
    let new: Vec<Byte> = sums(back).iter().map(sum).collect();
    let spread = |all: &[Byte]| -> Vec<Byte> {
        all.iter().flat_map(|b| (0..PLANE).map(|k| planes::at(*b, k))).collect()
    };
    let state = c.updates("planes", &spread(&old), spread(&new), 8);
    let result = c.run(f, &[state]);
    planes::end();
    result
}

/// Puts the standard's maps for the functions that the kernel's function calls.
pub fn replace(c: &mut Call, f: usize) -> Or<()> {
    static KNOWN: Known<String, bool> = Mutex::new(BTreeMap::new());
    let p = c.m.p;
    let own = p.functions.iter().find(|o| o.first == f);
    let Some((module, _)) = own.and_then(|own| own.path.rsplit_once("::")) else {
        return refuse("no module");
    };
    let prove = |c: &mut Call| {
        let mut proved = Apart::new();
        for (name, back) in NAMES.into_iter().zip([false, true]) {
            let path = format!("{module}::batch::{name}");
            for other in p.functions.iter().filter(|f| f.path == path) {
                c.again();
                if linear(c, other.first, back).is_ok() {
                    proved.saw(c);
                    proved.add(other.first, back);
                }
            }
        }
        proved
    };
    apart::replace(c, &KNOWN, module.to_string(), prove, |back| {
        let sums = sums(back);
        Rc::new(move |m: &mut Machine| on_bytes(m, &sums))
    })
}

/// The map of planes at the address in the first argument, placed as in the proved call.
fn on_bytes(m: &mut Machine, sums: &[Vec<usize>]) -> Or<()> {
    let first = m.p.abi.arguments[0];
    let at = number(&m.general[first]).map_or_else(|| refuse("an argument hangs on data"), Ok)?;
    let (len, below) = (PLANES * PLANE, m.top()? + 8);
    if at % 8 != 0 || at < below && at + len as u64 > STACK {
        return refuse("planes at addresses that were not proved");
    }
    let old = m.load(at, len)?;
    let same = domain::table(|x| x);
    let of = |from: &Vec<usize>, k: usize| {
        domain::combined(from.iter().map(|i| (same, old[PLANE * i + k])))
    };
    let new: Vec<Byte> =
        sums.iter().flat_map(|from| (0..PLANE).map(move |k| of(from, k))).collect();
    m.store(at, &new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Meanings;
    use crate::program::Program;

    /// A map on planes as its sums say, of which one may be left out.
    fn kernel(sums: &[Vec<usize>], left_out: Option<usize>) -> Program {
        let mut lines = vec!["sub rsp,0x400".to_string()];
        let plane = |base: &str, i: usize| format!("QWORD PTR [{base}+0x{:x}]", PLANE * i);
        for (to, from) in sums.iter().enumerate() {
            lines.push("mov eax,0x0".into());
            for i in from.iter().filter(|i| Some(128 * to + **i) != left_out) {
                lines.push(format!("xor rax,{}", plane("rdi", *i)));
            }
            lines.push(format!("mov {},rax", plane("rsp", to)));
        }
        for i in 0..PLANES {
            lines.extend([
                format!("mov rax,{}", plane("rsp", i)),
                format!("mov {},rax", plane("rdi", i)),
            ]);
        }
        lines.extend(["add rsp,0x400".to_string(), "ret".into()]);
        Program::of_lines(&lines)
    }

    /// Both maps are proved as themselves only, and no sum may be left out.
    #[test]
    fn maps_are_told_apart() {
        for back in [false, true] {
            let sums = sums(back);
            let proves =
                |p: &Program, back| linear(&mut Call::new(p, Meanings::new(p), &[]), 0, back);
            let good = kernel(&sums, None);
            proves(&good, back).expect("the map");
            proves(&good, !back).expect_err("the other map");
            let bad = kernel(&sums, Some(128 * 77 + sums[77][5]));
            proves(&bad, back).expect_err("a sum too short");
        }
    }

    /// The map put for the function leaves L of each block, on numbers: bit b of byte k of plane 8 j + i is bit i of byte j of
    /// block 8 k + b.
    #[test]
    fn maps_are_of_blocks() {
        for back in [false, true] {
            domain::numbers(Some(10));
            let p = kernel(&sums(back), None);
            let mut c = Call::new(&p, Meanings::new(&p), &[]);
            let old = domain::vars(PLANES * PLANE);
            let at = c.updates("planes", &old, Vec::new(), 8);
            c.m.begin();
            c.m.set(7, at);
            on_bytes(&mut c.m, &sums(back)).expect("a call as proved");
            let new = c.m.load(at, PLANES * PLANE).expect("the planes");
            domain::numbers(None);
            let block = |planes: &[Byte], n: usize| -> [u8; 16] {
                let bit =
                    |j: usize| planes[PLANE * j + n / 8].number().expect("a number") >> (n % 8) & 1;
                std::array::from_fn(|j| (0..8).fold(0, |r, i| r | bit(8 * j + i) << i))
            };
            for n in 0..64 {
                let want = if back { backward(block(&old, n)) } else { forward(block(&old, n)) };
                assert_eq!(block(&new, n), want);
            }
            // Other places are refused.
            for wrong in [at + 4, STACK + 0x1000] {
                c.m.set(7, wrong);
                on_bytes(&mut c.m, &sums(back)).expect_err("no call as proved");
            }
        }
    }
}
