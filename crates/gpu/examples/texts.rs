//! Writes the text of each program to a folder, as a file of CUDA (`crates/gpu/build-cuda`) or OpenCL, and prints its
//! Streebog-256.

use std::path::PathBuf;

use bulat::Streebog256;
use bulat_gpu::Program;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| ".".into()));
    let end = args.next().unwrap_or_else(|| "cu".into());
    std::fs::create_dir_all(&folder)?;
    for program in Program::ALL {
        let text = program.text();
        std::fs::write(folder.join(format!("{}.{end}", program.name())), &text)?;
        let digest: String =
            Streebog256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        println!("{digest}  {}", program.name());
    }
    Ok(())
}
