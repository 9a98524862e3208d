#!/usr/bin/env bash
# The library for C: installed, used by C and C++, under AddressSanitizer and valgrind; the Debian packages, installed and used.
set -euo pipefail
# Uses the build of the tests; compiles nothing again. On your machine: `make -C bindings/c test`.
cargo test --quiet --workspace --features bulat/rustcrypto,bulat/threads --no-run
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/deps
PROFILE=dev BUILT=$built bash bindings/c/tests/run.sh
if command -v dpkg-deb >/dev/null && command -v gcc >/dev/null; then
    debs=$(mktemp -d)
    trap 'rm -rf "$debs"' EXIT
    PROFILE=dev bash tools/packaging/debian.sh "$debs"
    bash tools/packaging/try.sh "$debs"
else
    echo "skipped: Debian packages: dpkg-deb or gcc is not installed"
fi
