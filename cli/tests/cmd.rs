//! The command line as its user sees it: `cmd/*.trycmd`. `TRYCMD=overwrite cargo test -p bulat-cli --test
//! cmd` writes what is printed now, for reading before it is committed.

#[test]
fn cmd() {
    trycmd::TestCases::new().default_bin_name("bulat").case("tests/cmd/*.trycmd");
}
