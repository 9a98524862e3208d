#!/usr/bin/env bash
# Constant-time evidence, each part with a control that must be found out: every algorithm under
# valgrind; the instructions of the kernels; a short run of timing statistics.
set -euo pipefail
cargo build --release -p ct --features control
bin=${CARGO_TARGET_DIR:-target}/release

if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the list of instructions is for x86-64"
elif ! command -v objdump >/dev/null; then
    echo "skipped: objdump is not installed (apt-get install binutils)"
else
    "$bin/opcodes"
    # The command as it is shipped, where it was built.
    if [ -x "$bin/bulat" ]; then "$bin/opcodes" "$bin/bulat"; fi
fi

"$bin/timing" 5000 | grep -E '\*|once more|lines|control'

if ! command -v valgrind >/dev/null; then
    (apt-get update && apt-get install -y valgrind) >/dev/null 2>&1 ||
        { echo "skipped: valgrind is not installed (apt-get install valgrind)"; exit 0; }
fi
valgrind --quiet --log-file=/dev/null --error-limit=no "$bin/ct"
