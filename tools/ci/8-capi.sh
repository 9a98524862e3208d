#!/usr/bin/env bash
# The library for C: installed, used by C and C++, under AddressSanitizer and valgrind.
set -euo pipefail
# Uses the build of the tests; compiles nothing again. On your machine: `make -C bindings/c test`.
cargo test --quiet --workspace --features bulat/rustcrypto,bulat/threads --no-run
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/deps
PROFILE=dev BUILT=$built bash bindings/c/tests/run.sh
