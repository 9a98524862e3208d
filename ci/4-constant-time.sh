#!/usr/bin/env bash
# Constant-time evidence: every algorithm under valgrind, with a control that must be found out.
set -euo pipefail
if ! command -v valgrind >/dev/null; then
    (apt-get update && apt-get install -y valgrind) >/dev/null 2>&1 ||
        { echo "skipped: valgrind is not installed (apt-get install valgrind)"; exit 0; }
fi
cargo build --release -p ct --features control
valgrind --quiet --log-file=/dev/null --error-limit=no "${CARGO_TARGET_DIR:-target}/release/ct"
