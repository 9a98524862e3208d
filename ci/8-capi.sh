#!/usr/bin/env bash
# The library for C: installed, used by C and C++, under AddressSanitizer and valgrind; the Debian packages, installed and used.
set -euo pipefail
# As the tests before built it: other features would compile the kernels again.
features=bulat/rustcrypto,bulat/threads
cargo build --quiet --workspace --features "$features" --lib --bin bulat
PROFILE=dev bash capi/tests/run.sh
if command -v dpkg-deb >/dev/null; then
    debs=$(mktemp -d)
    trap 'rm -rf "$debs"' EXIT
    PROFILE=dev bash packaging/debian.sh "$debs"
    bash packaging/try.sh "$debs"
else
    echo "skipped: Debian packages: dpkg-deb is not installed"
fi
