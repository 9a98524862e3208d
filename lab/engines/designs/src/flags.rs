//! Which flags of the compiler matter (the question of M-AVX2): `flags/sample.rs` built by `rustc` for each level
//! of optimisation and each processor that this machine can run code for, run, and tabulated.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

const SAMPLE: &str = include_str!("../flags/sample.rs");
const LEVELS: [&str; 4] = ["1", "2", "3", "s"];

/// Processors to compile for, and whether this one runs their code.
fn targets() -> Vec<(&'static str, bool)> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::is_x86_feature_detected as has;
        let v2 = has!("ssse3") && has!("sse4.2") && has!("popcnt") && has!("cmpxchg16b");
        let v3 = v2 && has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("f16c");
        let v3 = v3 && has!("lzcnt") && has!("movbe");
        let v4 = v3 && has!("avx512f") && has!("avx512bw") && has!("avx512cd");
        let v4 = v4 && has!("avx512dq") && has!("avx512vl");
        vec![
            ("x86-64", true),
            ("x86-64-v2", v2),
            ("x86-64-v3", v3),
            ("x86-64-v4", v4),
            ("native", true),
        ]
    }
    #[cfg(not(target_arch = "x86_64"))]
    vec![("generic", true), ("native", true)]
}

/// A folder of this run's own, taken away at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Files left there harm nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Prints the table, or says which step failed.
pub fn run() -> Result<(), String> {
    let folder = Folder(env::temp_dir().join(format!("designs-flags-{}", process::id())));
    let failed = |what: &str, e: std::io::Error| format!("{what}: {e}");
    let source = folder.0.join("sample.rs");
    fs::create_dir(&folder.0).map_err(|e| failed("folder", e))?;
    fs::write(&source, SAMPLE).map_err(|e| failed("sample", e))?;
    println!("sixteen blocks of Magma; cycles per byte at the real clock, bytes of code\n");
    println!("| target-cpu | opt-level | table | code | portable | code | vectors | code |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for (target, here) in targets() {
        if !here {
            println!("| {target} | | skipped: this processor lacks it | | | | | |");
            continue;
        }
        for level in LEVELS {
            println!("| {target} | {level} | {} |", row(&folder.0, &source, target, level)?);
        }
    }
    Ok(())
}

/// Builds and runs one sample.
fn row(folder: &Path, source: &Path, target: &str, level: &str) -> Result<String, String> {
    let program = folder.join("sample");
    let mut build = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    build.args(["--edition", "2024", "-C", "codegen-units=1"]);
    build.arg(format!("-Copt-level={level}")).arg(format!("-Ctarget-cpu={target}"));
    output(build.arg("-o").arg(&program).arg(source))?;
    let lines = output(&mut Command::new(&program))?;
    let cells = lines.lines().map(|line| {
        let mut words = line.split(' ').skip(1);
        match (words.next(), words.next()) {
            (Some(cycles), Some("0")) => format!("{cycles} | ?"),
            (Some(cycles), Some(bytes)) => format!("{cycles} | {bytes}"),
            _ => String::from("? | ?"),
        }
    });
    Ok(cells.collect::<Vec<_>>().join(" | "))
}

/// The output of a program, or its complaint.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let out = command.output().map_err(|e| format!("{name}: {e}"))?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        Err(format!("{name}: {}", String::from_utf8_lossy(&out.stderr)))
    }
}
