#!/usr/bin/env bash
# The library without std, without alloc, with RustCrypto's traits; the stated MSRV; the documentation; the figures; the assembly.
source "$(dirname "$0")/common"
build
# The figures of README and docs/BENCHMARKS.md agree with the records.
"$built/lab" docs --check
# So do the tables and the chart of the model of Elbrus with the model, and the model with the published figures.
python3 lab/elbrus.py --check
# The committed assembly is the generator's output, and each file assembles on its own.
"$built/asmgen" --check
if [ "$(uname -m)" = x86_64 ] && command -v as >/dev/null; then
    # Names in braces are operands of asm!, which any register can be; a doubled brace is a brace.
    for text in core/asm/*/*.s; do
        sed -E 's/\{(\w+)\}([^}]|$)/r8\2/g; s/\{\w+:e\}/r8d/g; s/\{\{(\w+)\}\}/{\1}/g' "$text" |
            as -msyntax=intel -mnaked-reg -o /dev/null -
    done
else
    echo "skipped: assembling core/asm: no as for x86-64"
fi

export CARGO_TARGET_DIR=$target/lint
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
