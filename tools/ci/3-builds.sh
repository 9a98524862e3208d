#!/usr/bin/env bash
# The library without std, without alloc, with RustCrypto's traits; the stated MSRV; the documentation; the figures.
set -euo pipefail
cargo check -p bulat --no-default-features
cargo check -p bulat --no-default-features --features alloc
cargo check -p bulat --features rustcrypto
msrv=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
have=$(rustc --version | cut -d' ' -f2)
case $have in
    "$msrv"*) echo "MSRV $msrv is this compiler ($have)" ;;
    *) if cargo "+$msrv" --version >/dev/null 2>&1; then cargo "+$msrv" check --workspace
       else echo "skipped: MSRV $msrv is not installed (have $have)"; fi ;;
esac
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
# The figures of README and docs/BENCHMARKS.md agree with the records.
cargo run --quiet -p lab -- docs --check
# So do the tables and the chart of the model of Elbrus with the model, and the model with the published figures.
python3 lab/elbrus.py --check
