//! `bulat-esp`: the data path of GOST ESP.

#[cfg(target_os = "linux")]
mod program;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    program::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bulat-esp: this program needs Linux");
    std::process::exit(1);
}
