//! Sets the shared library's soname and keeps it loaded: its threads and constants outlive a `dlclose`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if matches!(os.as_str(), "linux" | "android" | "freebsd" | "netbsd" | "openbsd") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libbulat.so.0");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
