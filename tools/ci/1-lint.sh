#!/usr/bin/env bash
# Formatting, clippy with warnings as errors, equal READMEs, plain words, names that exist, dependencies and versions, assembly.
set -euo pipefail
cargo fmt --all --check
cargo clippy --workspace --all-targets --all-features -- -D warnings
bash tools/ci/readme-parity
bash tools/ci/prose
python3 tools/ci/names
# Crates of other systems too, which no build here downloads.
cargo fetch --locked --quiet
python3 tools/release/check
# The committed assembly is the generator's output, and each file assembles on its own.
cargo run --quiet -p asmgen -- --check
if [ "$(uname -m)" = x86_64 ] && command -v as >/dev/null; then
    # Names in braces are operands of asm!, which any register can be; a doubled brace is a brace.
    for text in core/asm/*/*.s; do
        sed -E 's/\{(\w+)\}([^}]|$)/r8\2/g; s/\{\w+:e\}/r8d/g; s/\{\{(\w+)\}\}/{\1}/g' "$text" |
            as -msyntax=intel -mnaked-reg -o /dev/null -
    done
else
    echo "skipped: assembling core/asm: no as for x86-64"
fi
