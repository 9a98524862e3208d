//! The compiled programs in `crates/gpu/cuda` belong to the present texts.

use bulat::Streebog256;
use bulat_gpu::Program;

#[test]
fn what_is_compiled_is_what_is_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda/texts");
    let known = std::fs::read_to_string(path).expect("crates/gpu/cuda/texts");
    for program in Program::ALL {
        let digest = Streebog256::digest(program.text().as_bytes());
        let digest: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        let line = format!("{digest}  {}", program.name());
        assert!(known.lines().any(|l| l == line), "{}: run crates/gpu/build-cuda", program.name());
    }
}
