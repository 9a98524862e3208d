//! One program for the question which flags of the compiler matter to Magma: it needs nothing but `rustc`.
//! Three forms of the same rounds on sixteen blocks, with no intrinsics: all vectors are the
//! compiler's. It checks them against each other and prints, for each, a line `NAME CYCLES SIZE`: cycles
//! per byte at the real clock, and bytes of its code (0 where the linker does not tell).
//!
//! TABLES ON SECRETS: never for use.

use std::hint::black_box;
use std::time::Instant;

/// S-boxes of RFC 8891, 4.1; row 0 is for the lowest nibble.
const PI: [[u8; 16]; 8] = [
    [12, 4, 6, 2, 10, 5, 11, 9, 14, 8, 13, 7, 0, 3, 15, 1],
    [6, 8, 2, 3, 9, 10, 5, 12, 1, 14, 4, 7, 11, 13, 0, 15],
    [11, 3, 5, 8, 2, 15, 10, 13, 14, 1, 7, 4, 12, 9, 6, 0],
    [12, 8, 2, 1, 13, 4, 15, 6, 7, 0, 10, 5, 3, 14, 9, 11],
    [7, 15, 5, 10, 8, 1, 6, 13, 0, 9, 3, 14, 11, 4, 2, 12],
    [5, 13, 15, 6, 9, 2, 12, 10, 11, 7, 8, 1, 4, 3, 14, 0],
    [8, 14, 2, 5, 6, 9, 1, 12, 15, 4, 11, 0, 13, 10, 3, 7],
    [1, 7, 14, 13, 0, 5, 8, 3, 4, 15, 10, 6, 9, 12, 11, 2],
];

/// Bytes of the sum through both their S-boxes, rotated.
static BYTES: [[u32; 256]; 4] = {
    let mut table = [[0; 256]; 4];
    let mut i = 0;
    while i < 1024 {
        let (byte, x) = (i / 256, i % 256);
        let two = PI[2 * byte][x & 15] | PI[2 * byte + 1][x >> 4] << 4;
        table[byte][x] = ((two as u32) << (8 * byte)).rotate_left(11);
        i += 1;
    }
    table
};

/// The algebraic normal form: for bit `j` of the results, and each product of bits of a nibble, the nibbles
/// with this product in their S-box, one bit for each nibble.
const FORM: [[u32; 16]; 4] = {
    let mut form = [[0; 16]; 4];
    let mut i = 0;
    while i < 512 {
        let (j, row, product) = (i / 128, i / 16 % 8, i % 16);
        // The sum of the values at all parts of the product.
        let (mut sum, mut x) = (0, 0);
        while x < 16 {
            if x & product == x {
                sum ^= PI[row][x] >> j & 1;
            }
            x += 1;
        }
        form[j][product] |= (sum as u32) << (4 * row);
        i += 1;
    }
    form
};

const BLOCKS: usize = 16;
type Halves = [u32; BLOCKS];

/// Look-ups of bytes in 4 KB.
#[inline(always)]
fn table(x: u32) -> u32 {
    let [a, b, c, d] = x.to_le_bytes().map(usize::from);
    BYTES[0][a] ^ BYTES[1][b] ^ BYTES[2][c] ^ BYTES[3][d]
}

/// The eight S-boxes one after another, as the standard has them.
#[inline(always)]
fn portable(x: u32) -> u32 {
    let mut t = 0;
    for i in 0..8 {
        t |= u32::from(PI[i][(x >> (4 * i)) as usize & 15]) << (4 * i);
    }
    t.rotate_left(11)
}

/// Products and sums of bits, all nibbles of a word at once: the compiler makes vectors of the blocks.
#[inline(always)]
fn vectors(x: u32) -> u32 {
    const NIBBLES: u32 = 0x1111_1111;
    let bit = [0, 1, 2, 3].map(|i| x >> i & NIBBLES);
    let mut product = [NIBBLES; 16];
    for i in 1..16usize {
        let highest = i.ilog2() as usize;
        product[i] = product[i - (1 << highest)] & bit[highest];
    }
    let mut t = 0;
    for j in 0..4 {
        let mut sum = 0;
        for i in 0..16 {
            sum ^= product[i] & FORM[j][i];
        }
        t |= sum << j;
    }
    t.rotate_left(11)
}

/// The 32 rounds (RFC 8891, 5); each form in a section of its own, so that its size is known.
macro_rules! form {
    ($name:ident, $section:literal, $g:ident) => {
        #[inline(never)]
        #[cfg_attr(target_os = "linux", unsafe(link_section = $section))]
        fn $name(keys: &[u32; 8], a1: &mut Halves, a0: &mut Halves) {
            for i in 0..16 {
                let pair =
                    if i < 12 { [2 * i % 8, 2 * i % 8 + 1] } else { [31 - 2 * i, 30 - 2 * i] };
                let [k, l] = pair.map(|i| keys[i & 7]);
                for i in 0..BLOCKS {
                    a1[i] ^= $g(a0[i].wrapping_add(k));
                }
                for i in 0..BLOCKS {
                    a0[i] ^= $g(a1[i].wrapping_add(l));
                }
            }
        }
    };
}

form!(with_table, "code_table", table);
form!(with_nibbles, "code_portable", portable);
form!(with_vectors, "code_vectors", vectors);

/// First and last address of each section, from the linker.
#[cfg(target_os = "linux")]
fn sizes() -> [usize; 3] {
    unsafe extern "C" {
        static __start_code_table: u8;
        static __stop_code_table: u8;
        static __start_code_portable: u8;
        static __stop_code_portable: u8;
        static __start_code_vectors: u8;
        static __stop_code_vectors: u8;
    }
    let between = |from: *const u8, to: *const u8| to.addr() - from.addr();
    [
        between(&raw const __start_code_table, &raw const __stop_code_table),
        between(&raw const __start_code_portable, &raw const __stop_code_portable),
        between(&raw const __start_code_vectors, &raw const __stop_code_vectors),
    ]
}

#[cfg(not(target_os = "linux"))]
fn sizes() -> [usize; 3] {
    [0; 3]
}

/// Seconds of one cycle: a chain of dependent additions, two cycles each.
fn cycle() -> f64 {
    let chain = || {
        let start = Instant::now();
        let mut x = black_box(1u64);
        for _ in 0..500 {
            x = x.rotate_left(7).wrapping_add(x);
            x = x.rotate_left(9).wrapping_add(x);
            x = x.rotate_left(11).wrapping_add(x);
            x = x.rotate_left(13).wrapping_add(x);
        }
        black_box(x);
        start.elapsed().as_secs_f64() / 4000.0
    };
    (0..5).map(|_| chain()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let keys = black_box([1, 3, 5, 7, 11, 13, 17, 19].map(|x: u32| x.wrapping_mul(0x9e37_79b9)));
    let forms: [(&str, fn(&[u32; 8], &mut Halves, &mut Halves)); 3] =
        [("table", with_table), ("portable", with_nibbles), ("vectors", with_vectors)];
    let mut answers = Vec::new();
    for ((name, form), size) in forms.into_iter().zip(sizes()) {
        let mut a1: Halves = std::array::from_fn(|i| (i as u32).wrapping_mul(0x85eb_ca6b));
        let mut a0 = a1.map(|x| x.rotate_left(16) ^ 0xc2b2_ae35);
        form(&keys, &mut a1, &mut a0);
        answers.push((a1, a0));
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let cycle = cycle();
            let start = Instant::now();
            for _ in 0..100 {
                form(black_box(&keys), &mut a1, &mut a0);
            }
            let cycles = start.elapsed().as_secs_f64() / cycle;
            best = best.min(cycles / (100 * 8 * BLOCKS) as f64);
        }
        black_box((a1, a0));
        println!("{name} {best:.2} {size}");
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "the forms differ");
}
