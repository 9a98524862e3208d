//! Rounds of Magma for twelve groups of 16 blocks, in registers from first to last (`crates/core/src/magma/gfni512/rounds_x12.rs`).
//!
//! A round of a group is eight operations, the operations of `round` in `crates/core/src/magma/sbox/vbmi.rs`. Two groups at a
//! time, for the processor sees only so far ahead.

use crate::File;

/// A half of a group: a register, or a place in memory.
#[derive(Clone, Copy)]
enum Half {
    Register(usize),
    Rest(usize),
}
use Half::*;

impl Half {
    fn operand(self) -> String {
        match self {
            Register(n) => format!("zmm{n}"),
            Rest(at) => format!("zmmword ptr [{{rest}} + {at}]"),
        }
    }
}

/// A round of two groups under keys: of each the half that is looked up, and the half that changes.
fn two(keys: [String; 2], [[a, b], [c, d]]: [[Half; 2]; 2]) -> String {
    let mut lines = String::new();
    let mut line = |line: String| lines.push_str(&(line + "\n"));
    line(format!("vprold zmm28, {}, 11", a.operand()));
    line(format!("vprold zmm30, {}, 11", c.operand()));
    line(format!("vpaddd zmm28, zmm28, {}", keys[0]));
    line(format!("vpaddd zmm30, zmm30, {}", keys[1]));
    line("vpsrld zmm29, zmm28, 4".into());
    line("vpsrld zmm31, zmm30, 4".into());
    for x in [28, 30, 29, 31] {
        line(format!("vpternlogd zmm{x}, zmm26, zmm27, 0xea"));
    }
    for (x, table) in [(28, 24), (30, 24), (29, 25), (31, 25)] {
        line(format!("vpermb zmm{x}, zmm{x}, zmm{table}"));
    }
    for (x, half) in [(28, b), (30, d)] {
        let (y, to) = (x + 1, half.operand());
        match half {
            Register(_) => line(format!("vpternlogd {to}, zmm{x}, zmm{y}, 0x96")),
            Rest(_) => line(format!("vpternlogd zmm{x}, zmm{y}, {to}, 0x96")),
        }
    }
    for (x, half) in [(28, b), (30, d)] {
        if let Rest(_) = half {
            line(format!("vmovdqa64 {}, zmm{x}", half.operand()));
        }
    }
    lines
}

/// A round of `groups` groups: of those beyond twelve the halves are in memory. `back`: N1 changes, not N2.
fn round(groups: usize, back: bool, key: impl Fn(usize) -> String) -> String {
    let halves = |g: usize| {
        let [a, b] = match g {
            0..12 => [Register(g), Register(12 + g)],
            _ => [Rest(128 * (g - 12)), Rest(128 * (g - 12) + 64)],
        };
        if back { [b, a] } else { [a, b] }
    };
    (0..groups).step_by(2).map(|g| two([key(g), key(g + 1)], [halves(g), halves(g + 1)])).collect()
}

/// The number of the key's word, from the round's number: equal to it, or 7 less it from round `forth` on.
fn word(round: &str, forth: &str) -> String {
    format!(
        "cmp {round}, {forth}\n\
         sbb {{word:e}}, {{word:e}}\n\
         not {{word:e}}\n\
         xor {{word:e}}, {{round:e}}\n\
         and {{word:e}}, 7\n"
    )
}

/// Rounds under keys of one form: `index` makes the place of a word's keys of its number in `i`, `key` is the operand of a
/// group.
fn rounds(groups: usize, index: &str, key: impl Fn(usize) -> String) -> String {
    let (forth, back) = (round(groups, false, &key), round(groups, true, &key));
    let word = word("{round}", "{forth}");
    format!(
        ".p2align 6\n2:\n{word}mov {{i:e}}, {{word:e}}\n{index}{forth}\
         mov {{i:e}}, {{word:e}}\nxor {{i:e}}, 1\n{index}{back}\
         add {{round}}, 2\ncmp {{round}}, {{n}}\njne 2b\n"
    )
}

/// Eight products, of 64-bit words of H and of bytes that come the highest first.
const PRODUCTS: &str = "\
vmovdqu64 zmm28, zmmword ptr [{a}]
vpshufb zmm28, zmm28, zmmword ptr [{order}]
vpclmulqdq zmm29, zmm28, zmmword ptr [{h}], 0x00
vpclmulqdq zmm30, zmm28, zmmword ptr [{h}], 0x11
vpternlogq zmm29, zmm30, zmmword ptr [{sum}], 0x96
vmovdqa64 zmmword ptr [{sum}], zmm29
add {a}, 64
add {h}, 64
";

/// 32 rounds of encryption under one key, and products after three of four.
fn and_products() -> String {
    let key = |_| "dword ptr [{keys} + 4*{word}]{{1to16}}".to_owned();
    let (forth, back) = (round(12, false, key), round(12, true, key));
    let word = word("{round:e}", "24");
    format!(
        ".p2align 6\n2:\n{word}{forth}{PRODUCTS}xor {{word:e}}, 1\n{back}{PRODUCTS}\
         xor {{word:e}}, 3\n{forth}{PRODUCTS}xor {{word:e}}, 1\n{back}\
         add {{round:e}}, 4\ncmp {{round:e}}, 32\njne 2b\n"
    )
}

const ROUNDS: &[(&str, &str)] = &[
    ("{keys}", "the words of the keys"),
    ("{forth}", "rounds until the words come in reverse"),
    ("{n}", "rounds"),
    ("{round}", "0; changed"),
    ("{word} {i}", "changed"),
    ("{rest}", "halves of the groups beyond twelve; changed"),
    ("zmm0", "N1 of the first twelve groups, to zmm11; changed"),
    ("zmm12", "N2, to zmm23; changed"),
    ("zmm24", "the S-boxes: `ZmmTables`, to zmm27"),
];
const MGM: &[(&str, &str)] = &[
    ("{keys}", "the words of the key"),
    ("{a} {h}", "24 vectors of blocks, and of multipliers; changed"),
    ("{sum}", "the sum of the products; changed"),
    ("{order}", "the order of bytes that makes the first one the highest"),
    ("{round}", "0; changed"),
    ("{word}", "changed"),
    ("zmm0", "N1 of twelve groups, to zmm11; changed"),
    ("zmm12", "N2, to zmm23; changed"),
    ("zmm24", "the S-boxes: `ZmmTables`, to zmm27"),
];

pub fn files() -> impl Iterator<Item = File> {
    let own = |g: usize| format!("zmmword ptr [{{keys}} + {{i}} + {}]", 64 * g);
    [
        (
            "one-key",
            "twelve groups under one key",
            ROUNDS,
            rounds(12, "", |_| "dword ptr [{keys} + 4*{i}]{{1to16}}".into()),
        ),
        (
            "own-keys",
            "twelve groups, a key for each block",
            ROUNDS,
            rounds(12, "imul {i:e}, {i:e}, 768\n", own),
        ),
        (
            "own-keys-and-four",
            "sixteen groups, a key for each block",
            ROUNDS,
            rounds(16, "shl {i:e}, 10\n", own),
        ),
        ("products", "twelve groups under one key, and MGM's products", MGM, and_products()),
    ]
    .into_iter()
    .map(|(name, about, takes, lines)| File {
        name: format!("magma/gfni512-{name}.s"),
        about: format!("Magma, rounds of {about}, gfni512."),
        takes,
        changes: "zmm28 to zmm31".into(),
        user: "magma/gfni512/rounds_x12.rs",
        checked: "cargo test -p bulat --test magma_kernels",
        lines,
    })
}
