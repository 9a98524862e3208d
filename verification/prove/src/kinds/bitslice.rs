//! L and L^-1 of Kuznyechik on planes of integers: proved apart, for all columns, so that calls of many blocks may use them
//! as proved. In such a call the steps of L would be more sums than the domain holds.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

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

/// Puts the standard's maps for the functions that the kernel's function calls; they are proved first, once.
pub fn replace(c: &mut Call, f: usize) {
    static KNOWN: Mutex<BTreeMap<String, Vec<(usize, bool)>>> = Mutex::new(BTreeMap::new());
    // Without planted faults, which may be in them; and numbers need no sums.
    if domain::are_numbers() || !c.m.faults.is_empty() {
        return;
    }
    let p = c.m.p;
    let Some(own) = p.functions.iter().find(|o| o.first == f) else { return };
    let Some((module, _)) = own.path.rsplit_once("::") else { return };
    let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
    let found = known.entry(module.to_string()).or_insert_with(|| {
        let mut proved = Vec::new();
        for (name, back) in NAMES.into_iter().zip([false, true]) {
            let path = format!("{module}::batch::{name}");
            for other in p.functions.iter().filter(|f| f.path == path) {
                c.again();
                if linear(c, other.first, back).is_ok() {
                    proved.push((other.first, back));
                }
            }
        }
        proved
    });
    c.again();
    for (first, back) in found.iter().copied() {
        let sums = sums(back);
        let map = move |m: &mut Machine| {
            on_bytes(m, &sums)?;
            m.spoiled();
            m.replacements += 1;
            Ok(())
        };
        c.m.replaced.push((first, Rc::new(map)));
    }
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
