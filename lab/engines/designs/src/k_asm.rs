//! K-ASM: Kuznyechik by the fused table of LS, 16 × 256 entries of 16 bytes (64 KB), in two of the paper's forms: plain
//! code, and R4P8A, of which the paper's name says: bytes come out through general registers (R), four registers hold
//! addresses in turn (4), eight blocks go side by side (P8), an address is added to itself and scaled by 8 (A).
//!
//! Commit f8c66950 has a generator of all 1562 forms, an engine of their own.

use std::sync::LazyLock;

use reference::kuznyechik::{Kuznyechik, PI, l};

/// For each byte of a block, LS of each value that it may have, all others being zero. Byte 0 is a_15.
#[repr(C, align(4096))]
struct Tables([[[u8; 16]; 256]; 16]);

/// K_1 to K_10, aligned as memory operands of vector instructions must be.
#[repr(C, align(64))]
pub struct Keys([[u8; 16]; 10]);

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables([[[0; 16]; 256]; 16]));
    for (i, table) in tables.0.iter_mut().enumerate() {
        for (entry, value) in table.iter_mut().zip(PI) {
            entry[i] = value;
            *entry = l(*entry);
        }
    }
    tables
});

/// The key schedule (RFC 7801, 4.4).
pub fn keys(key: &[u8]) -> Keys {
    Keys(Kuznyechik::new(key).expect("32 bytes").round_keys())
}

/// L and S by table.
#[inline(always)]
fn ls_vartime(block: u128, tables: &Tables) -> u128 {
    let entry =
        |(table, byte): (&[[u8; 16]; 256], u8)| u128::from_ne_bytes(table[usize::from(byte)]);
    tables.0.iter().zip(block.to_ne_bytes()).map(entry).fold(0, |sum, entry| sum ^ entry)
}

/// The compiler's code, without further help. Whole blocks in place.
pub fn plain_vartime(keys: &Keys, text: &mut [u8]) {
    let tables = &TABLES;
    for block in text.as_chunks_mut::<16>().0 {
        let mut state = u128::from_ne_bytes(*block);
        for key in &keys.0[..9] {
            state = ls_vartime(state ^ u128::from_ne_bytes(*key), tables);
        }
        *block = (state ^ u128::from_ne_bytes(keys.0[9])).to_ne_bytes();
    }
}

#[cfg(target_arch = "x86_64")]
pub use assembly::r4p8a_vartime;

#[cfg(target_arch = "x86_64")]
mod assembly {
    #![allow(unsafe_code)] // A call of assembly.

    use std::arch::naked_asm;

    use super::{Keys, TABLES, Tables, plain_vartime};

    /// A byte's entry: moved or added to block $x.
    macro_rules! byte {
        ($do:literal $x:literal, $byte:expr, $shift:expr, $address:literal, $table:literal) => {
            concat!(
                "movzx e", $address, ", ", $byte, "\n", $shift, "add e", $address, ", e", $address, "\n",
                $do, " xmm", $x, ", xmmword ptr [r15+r", $address, "*8+", $table, "*4096]\n",
            )
        };
    }
    /// Eight bytes in RAX or RBX.
    macro_rules! half {
        ($do:literal $x:literal $r:literal, $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
            concat!(
                byte!($do $x, concat!($r, "l"), "", "cx", $a),
                byte!("pxor" $x, concat!($r, "h"), concat!("shr r", $r, "x, 16\n"), "dx", $b),
                byte!("pxor" $x, concat!($r, "l"), "", "si", $c),
                byte!("pxor" $x, concat!($r, "h"), concat!("shr r", $r, "x, 16\n"), "di", $d),
                byte!("pxor" $x, concat!($r, "l"), "", "cx", $e),
                byte!("pxor" $x, concat!($r, "h"), concat!("shr r", $r, "x, 16\n"), "dx", $f),
                byte!("pxor" $x, concat!($r, "l"), "", "si", $g),
                byte!("pxor" $x, concat!($r, "h"), "", "di", $h),
            )
        };
    }
    /// LS of each block.
    macro_rules! round {
        ($($x:literal)*) => {
            concat!($(
                "movq rax, xmm", $x, "\npshufd xmm8, xmm", $x, ", 0xee\nmovq rbx, xmm8\n",
                half!("movdqa" $x "a", 0 1 2 3 4 5 6 7), half!("pxor" $x "b", 8 9 10 11 12 13 14 15),
            )*)
        };
    }
    /// One instruction for each block.
    macro_rules! eight {
        ($do:literal, $operand:literal, $step:literal) => {
            eight!($do, $operand, $step; 0 1 2 3 4 5 6 7)
        };
        ($do:literal, $operand:literal, $step:literal; $($x:literal)*) => {
            concat!($($do, " xmm", $x, ", xmmword ptr [", $operand, "+", $x, "*", $step, "]\n",)*)
        };
    }
    macro_rules! store {
        ($($x:literal)*) => { concat!($("movdqu xmmword ptr [r13+", $x, "*16], xmm", $x, "\n",)*) };
    }

    /// Groups of eight blocks in place.
    #[unsafe(naked)]
    unsafe extern "sysv64" fn groups_vartime(
        _: *const Tables,
        _: *const Keys,
        _: *mut u8,
        _: usize,
    ) {
        naked_asm!(
            "push rbx\npush r13\npush r14\npush r15\nsub rsp, 16\nmov [rsp+8], rcx",
            "mov r15, rdi\nmov r14, rsi\nmov r13, rdx\nlea rax, [r14+144]\nmov [rsp], rax",
            ".p2align 5\n2:\ncmp qword ptr [rsp+8], 1\njb 4f",
            eight!("movdqu", "r13", 16),
            ".p2align 5\n3:",
            eight!("pxor", "r14", 0),
            round!(0 1 2 3 4 5 6 7),
            "add r14, 16\ncmp r14, qword ptr [rsp]\njne 3b",
            eight!("pxor", "r14", 0),
            "sub r14, 144",
            store!(0 1 2 3 4 5 6 7),
            "add r13, 128\nsub qword ptr [rsp+8], 1\njmp 2b",
            "4:\nadd rsp, 16\npop r15\npop r14\npop r13\npop rbx\nret",
        )
    }

    /// Whole blocks in place; fewer than eight at the end by plain code.
    pub fn r4p8a_vartime(keys: &Keys, text: &mut [u8]) {
        let (groups, rest) = text.as_chunks_mut::<128>();
        // SAFETY: x86-64 has SSE2; the function reads the tables and the keys, and reads and writes that number of groups.
        unsafe { groups_vartime(&**TABLES, keys, groups.as_mut_ptr().cast(), groups.len()) };
        plain_vartime(keys, rest);
    }
}
