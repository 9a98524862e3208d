//! Writes `crates/core/asm` and the circuits of `crates/gpu/kernels`: `cargo run -p asmgen`. With `--check` it writes nothing, and fails
//! where a file is out of date.
//!
//! | file | is about |
//! |---|---|
//! | `kuznyechik.rs` | rounds by nibbles, both ways, for AVX2 |
//! | `magma.rs` | rounds of twelve groups, for AVX-512 |
//! | `streebog.rs` | LPS by nibbles, for AVX2 |
//! | `streebog/message.rs` | the compression of one message, for AVX-512 |
//! | `text.rs` | operations on values in an order, for vectors of AVX2 |
//! | `registers.rs` | which register each value gets, and the lines |
//! | `gpu.rs` | circuits for the kernels of GPUs: `crates/gpu/kernels/circuits.h` |
//!
//! A generator lists operations in their order, and knows offsets in the tables that a text reads. The file of
//! `crates/core/src` that includes the text asserts the same offsets when it is compiled. With 16 registers of AVX2, `registers.rs`
//! allocates them. With 32 of AVX-512, values have registers of their own, and names in braces are operands that the
//! compiler puts into registers.

#![forbid(unsafe_code)]

mod gpu;
mod kuznyechik;
mod magma;
mod registers;
mod streebog;
mod text;

use std::path::Path;
use std::process::ExitCode;

/// A file of `crates/core/asm`.
struct File {
    name: String,
    /// A line or two about it.
    about: String,
    /// Registers that are given, each with its content.
    takes: &'static [(&'static str, &'static str)],
    /// Registers that it leaves changed, except registers of `takes` that say so.
    changes: String,
    /// The file of `crates/core/src` that includes it.
    user: &'static str,
    /// The tests.
    checked: &'static str,
    lines: String,
}

impl File {
    fn text(&self) -> String {
        let mut out = String::new();
        let mut line = |line: &str| {
            out.push_str(format!("# {line}").trim_end());
            out.push('\n');
        };
        self.about.lines().for_each(&mut line);
        line("");
        for (register, what) in self.takes {
            line(&format!("{register:<10} {what}"));
        }
        line(&format!("changes    {}", self.changes));
        line(&format!("used by    crates/core/src/{}", self.user));
        line(&format!("checked by {}", self.checked));
        line(match self.lines.contains('{') {
            true => "written by cargo run -p asmgen; a template of asm!, operands in braces",
            false => "written by cargo run -p asmgen; complete for as -msyntax=intel -mnaked-reg",
        });
        out + &self.lines
    }
}

fn main() -> ExitCode {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [word] if word == "--check" => true,
        _ => {
            eprintln!("usage: asmgen [--check]");
            return ExitCode::from(2);
        }
    };
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut stale = 0;
    let files: Vec<(String, String)> = kuznyechik::files()
        .chain(magma::files())
        .chain(streebog::files())
        .map(|file| (format!("crates/core/asm/{}", file.name), file.text()))
        .chain([("crates/gpu/kernels/circuits.h".into(), gpu::circuits())])
        .collect();
    for (name, text) in &files {
        let path = root.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|there| there.replace('\r', "") == *text) {
            continue;
        }
        stale += 1;
        if check {
            eprintln!("{name}: not what asmgen writes (cargo run -p asmgen)");
            continue;
        }
        let folder = path.parent().expect("in a folder");
        let done = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        if let Err(error) = done {
            eprintln!("{name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    println!(
        "asmgen: {} files, {stale} {}",
        files.len(),
        if check { "out of date" } else { "written" }
    );
    ExitCode::from(u8::from(check && stale > 0))
}
