#!/usr/bin/env bash
# A release, packed twice from the build of the tests: equal, signed, checked; every part of it, changed, is refused; its Debian packages work.
# BULAT_RELEASE=all compiles it twice, too: many minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update && apt-get install -y --no-install-recommends dpkg-dev binutils openssh-client curl) >/dev/null 2>&1 || true
fi
# Build with a test and its features, so that the library is not compiled again.
cargo build --quiet --workspace --lib --bins --test compat --features bulat/rustcrypto,bulat/threads
bash tools/release/test.sh "${CARGO_TARGET_DIR:-target}/debug"
