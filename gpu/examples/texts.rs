//! Writes the text of each program to a folder, as files of CUDA (`gpu/build-cuda`) or of OpenCL.

use std::path::PathBuf;

use bulat_gpu::Program;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| ".".into()));
    let end = args.next().unwrap_or_else(|| "cu".into());
    std::fs::create_dir_all(&folder)?;
    for program in Program::ALL {
        std::fs::write(folder.join(format!("{}.{end}", program.name())), program.text())?;
    }
    Ok(())
}
