//! The command line as its user sees it: `cmd/*.trycmd`. `TRYCMD=overwrite cargo test -p bulat-cli --test
//! cmd` writes what is printed now, for reading before it is committed.
// The system's words for an error, and the program's name without .exe.
#![cfg(unix)]

#[test]
fn cmd() {
    // As a checkout cannot have them: secrets that others can read are warned of.
    #[cfg(unix)]
    for name in ["key", "kek", "password", "short", "empty"] {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::path::Path::new("tests/cmd/keys.in").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("its owner");
    }
    trycmd::TestCases::new().default_bin_name("bulat").case("tests/cmd/*.trycmd");
}
