#!/usr/bin/env bash
# The library without std, without alloc, with RustCrypto's traits; the stated MSRV; the documentation; the assembly.
source "$(dirname "$0")/common"
build
# The committed assembly is the generator's output, and each file assembles on its own.
"$built/asmgen" --check
if [ "$(uname -m)" = x86_64 ] && command -v as >/dev/null; then
    # Names in braces are operands of asm!, which any register can be; a doubled brace is a brace.
    for text in crates/core/asm/*/*.s; do
        sed -E 's/\{(\w+)\}([^}]|$)/r8\2/g; s/\{\w+:e\}/r8d/g; s/\{\{(\w+)\}\}/{\1}/g' "$text" |
            as -msyntax=intel -mnaked-reg -o /dev/null -
    done
else
    echo "skipped: assembling crates/core/asm: no as for x86-64"
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
