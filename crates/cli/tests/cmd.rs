//! The command line as its user sees it: `cmd/*.trycmd`. `TRYCMD=overwrite cargo test -p bulat-cli --test cmd` writes
//! the present output; read it before you commit it.
// The files contain POSIX's error messages, and the program's name without .exe.
#![cfg(unix)]

#[test]
fn cmd() {
    // A checkout cannot set these permissions; without them bulat warns that others can read the secrets.
    #[cfg(unix)]
    for name in ["key", "kek", "password", "short", "empty"] {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::path::Path::new("tests/cmd/keys.in").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("its owner");
    }
    trycmd::TestCases::new().default_bin_name("bulat").case("tests/cmd/*.trycmd");
}
