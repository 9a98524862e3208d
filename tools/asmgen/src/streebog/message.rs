//! The compression of one message in registers from first to last, `compress` of `crates/core/src/streebog/gfni512.rs`, which tells
//! why the order of operations and operands decides.

use crate::File;

/// π of zmm`x`, to zmm3.
fn substitute(x: usize) -> String {
    format!(
        "vmovdqa64 zmm3, zmm{x}\n\
         vpermi2b zmm3, zmm28, zmm29\n\
         vmovdqa64 zmm4, zmm{x}\n\
         vpermi2b zmm4, zmm30, zmm31\n\
         vpshufb zmm{x}, zmm27, zmm{x}\n\
         vpternlogq zmm3, zmm{x}, zmm4, 0xe2\n"
    )
}

/// The eight products of zmm3, of zmm5, zmm`s` and zmm7, moves of it: in zmm8, zmm9, zmm10 and zmm`p`, and of vectors
/// moved whole in zmm3, zmm5, zmm`s` and zmm7.
fn products(by: &str, turn: &str, s: usize, p: usize) -> String {
    format!(
        "vgf2p8mulb zmm8, zmm3, zmmword ptr [{{{by}}}]\n\
         vgf2p8mulb zmm9, zmm5, zmmword ptr [{{{by}}} + 64]\n\
         vgf2p8mulb zmm10, zmm{s}, zmmword ptr [{{{by}}} + 128]\n\
         vgf2p8mulb zmm{p}, zmm7, zmmword ptr [{{{by}}} + 192]\n\
         vpshufd zmm3, zmm3, {turn}\n\
         vgf2p8mulb zmm3, zmm3, zmmword ptr [{{{by}}} + 512]\n\
         vpshufd zmm5, zmm5, {turn}\n\
         vgf2p8mulb zmm5, zmm5, zmmword ptr [{{{by}}} + 576]\n\
         vpshufd zmm{s}, zmm{s}, {turn}\n\
         vgf2p8mulb zmm{s}, zmm{s}, zmmword ptr [{{{by}}} + 640]\n\
         vpshufd zmm7, zmm7, {turn}\n\
         vgf2p8mulb zmm7, zmm7, zmmword ptr [{{{by}}} + 704]\n"
    )
}

/// The products from `Rows`.
fn groups(x: usize, s: usize, p: usize) -> String {
    let (substitute, products) = (substitute(x), products("groups", "0x4e", s, p));
    format!(
        "{substitute}\
         vpermq zmm5, zmm3, 0x4e\n\
         vshufi64x2 zmm{s}, zmm3, zmm3, 0x4e\n\
         vshufi64x2 zmm7, zmm3, zmm3, 0x1b\n\
         {products}"
    )
}

/// The products from `Columns`.
fn inside(x: usize) -> String {
    let (substitute, products) = (substitute(x), products("inside", "0xb1", x, 11));
    format!(
        "{substitute}\
         vpshufb zmm5, zmm3, zmmword ptr [{{rotations}} + 64]\n\
         vpshufb zmm{x}, zmm3, zmmword ptr [{{rotations}} + 128]\n\
         vpshufb zmm7, zmm3, zmmword ptr [{{rotations}} + 192]\n\
         {products}"
    )
}

/// The key in zmm0 from `Rows`, plus `c`.
fn key_groups(c: &str) -> String {
    let groups = groups(0, 6, 0);
    format!(
        "{groups}\
         vpternlogq zmm3, zmm8, {c}, 0x96\n\
         vpternlogq zmm0, zmm9, zmm3, 0x96\n\
         vpternlogq zmm0, zmm10, zmm5, 0x96\n\
         vpternlogq zmm0, zmm7, zmm6, 0x96\n"
    )
}

fn constant(at: usize) -> String {
    format!("zmmword ptr [{{rounds}} + {at}]")
}

/// The key from `Columns`, plus the constant at `at`, and the state in zmm1 after it.
fn even(at: usize) -> String {
    let (c, key, state) = (constant(at), inside(0), inside(1));
    format!(
        "{key}\
         vpternlogq zmm11, zmm8, {c}, 0x96\n\
         vpternlogq zmm10, zmm9, zmm3, 0x96\n\
         vpternlogq zmm0, zmm5, zmm11, 0x96\n\
         vpternlogq zmm0, zmm7, zmm10, 0x96\n\
         {state}\
         vpternlogq zmm9, zmm8, {c}, 0x96\n\
         vpternlogq zmm5, zmm0, zmm9, 0x96\n\
         vpxorq zmm11, zmm11, zmm3\n\
         vpternlogq zmm1, zmm7, zmm10, 0x96\n\
         vpternlogq zmm1, zmm11, zmm5, 0x96\n"
    )
}

/// Both from `Rows`.
fn odd(at: usize) -> String {
    let c = constant(at);
    let (key, state) = (key_groups(&c), groups(1, 1, 11));
    format!(
        "{key}{state}\
         vpternlogq zmm3, zmm8, {c}, 0x96\n\
         vpxorq zmm9, zmm9, zmm10\n\
         vpternlogq zmm1, zmm0, zmm7, 0x96\n\
         vpternlogq zmm5, zmm3, zmm11, 0x96\n\
         vpternlogq zmm1, zmm5, zmm9, 0x96\n"
    )
}

/// The text. Constant i - 1 is at 128 (i - 1), in the layout that LPS number i leaves: 64 more for `Columns`.
fn compress() -> String {
    let first = constant(64);
    let key = key_groups(&first);
    let rounds: String = [128, 384, 640, 896, 1152].map(|at| even(at) + &odd(at + 192)).concat();
    let (last, key_13, state) = (even(1408), key_groups("zmm2"), groups(1, 1, 11));
    format!(
        "vmovdqa64 zmm3, zmmword ptr [{{transposed}}]\n\
         vpermb zmm1, zmm3, zmm1\n\
         vpermb zmm2, zmm3, zmm2\n\
         {key}\
         vpternlogq zmm1, zmm0, {first}, 0x96\n\
         {rounds}{last}{key_13}{state}\
         vpternlogq zmm3, zmm8, zmm0, 0x96\n\
         vpternlogq zmm7, zmm9, zmm10, 0x96\n\
         vpternlogq zmm1, zmm5, zmm11, 0x96\n\
         vpternlogq zmm1, zmm7, zmm3, 0x96\n\
         vmovdqa64 zmm3, zmmword ptr [{{transposed}}]\n\
         vpermb zmm0, zmm3, zmm1\n"
    )
}

pub fn file() -> File {
    File {
        name: "streebog/gfni512.s".into(),
        about: "Streebog, the compression of one message, gfni512.".into(),
        takes: &[
            ("{groups}", "`GROUPS`"),
            ("{inside}", "`INSIDE`"),
            ("{rotations}", "`ROTATIONS`"),
            ("{rounds}", "`ROUNDS`"),
            ("{transposed}", "`TRANSPOSED`"),
            ("zmm0", "the key; then the result"),
            ("zmm1 zmm2", "the state, and the vector added last; changed"),
            ("zmm27", "ones"),
            ("zmm28", "the S-box, to zmm31"),
        ],
        changes: "zmm3 to zmm11".into(),
        user: "streebog/gfni512.rs",
        checked: "cargo test -p bulat --test streebog_kernels",
        lines: compress(),
    }
}
