#!/usr/bin/env bash
# The library for C: installed, used by C and C++, under AddressSanitizer and valgrind.
source "$(dirname "$0")/common"
# Uses the build of the tests; compiles nothing again. On your machine: `make -C bindings/c test`.
alone cargo test --quiet --workspace --features "$features" --no-run
PROFILE=dev BUILT=$(cd "$target" && pwd)/debug/deps bash bindings/c/tests/run.sh
