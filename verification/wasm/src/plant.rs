//! Faults planted in the module, each of which must be found: code that uses a secret number as no code may. It is put
//! where a run without it made a secret number, and leaves the module's results as they were.

use crate::machine::Leak;

/// A name, the leak that must be found, the code.
pub type Plant = (&'static str, Leak, &'static [u8]);

pub const PLANTS: [Plant; 9] = [
    // i32.const 255, i32.and, i32.load8_u 1024, drop
    ("a table looked up", Leak::LoadAddress, &[GET, 0x41, 0xff, 1, 0x71, 0x2d, 0, 0x80, 8, 0x1a]),
    // i32.const 15, i32.and, v128.load 1024, drop
    ("a vector looked up", Leak::LoadAddress, &[GET, 0x41, 15, 0x71, 0xfd, 0, 0, 0x80, 8, 0x1a]),
    // i32.const 63, i32.and, i32.const 0, i32.store8 16: the far end of the stack
    ("a store", Leak::StoreAddress, &[GET, 0x41, 63, 0x71, 0x41, 0, 0x3a, 0, 16]),
    // if, nop, end
    ("if", Leak::Condition, &[GET, 0x04, 0x40, 1, 0x0b]),
    // block, br_if 0, end
    ("br_if", Leak::Condition, &[0x02, 0x40, GET, 0x0d, 0, 0x0b]),
    // block, br_table 0 0, end
    ("br_table", Leak::Condition, &[0x02, 0x40, GET, 0x0e, 1, 0, 0, 0x0b]),
    // i32.const 7, number, i32.const 1, i32.or, i32.div_u, drop
    ("a division", Leak::Division, &[0x41, 7, GET, 0x41, 1, 0x72, 0x6e, 0x1a]),
    // i32.const 16, i32.const 16, number, i32.const 3, i32.and, memory.copy
    ("a length", Leak::Copy, &[0x41, 16, 0x41, 16, GET, 0x41, 3, 0x71, 0xfc, 10, 0, 0]),
    // i32.const 1879048192, i32.or, call_indirect: ends the run, but the index is looked at before
    ("an indirect call", Leak::Callee, &[GET, 0x41, 0x80, 0x80, 0x80, 0x80, 7, 0x72, 0x11, 0, 0]),
];

/// Stands for `local.get` of the number.
const GET: u8 = 0xf0;

/// The code for a function with `locals` locals: it keeps the number in another.
pub fn code(plant: &[u8], locals: usize) -> Vec<u8> {
    // In LEB128, of two bytes.
    let local = [locals as u8 | 0x80, (locals >> 7) as u8];
    let mut code = vec![0x22, local[0], local[1]];
    for byte in plant {
        match *byte {
            GET => code.extend([0x20, local[0], local[1]]),
            byte => code.push(byte),
        }
    }
    code
}
