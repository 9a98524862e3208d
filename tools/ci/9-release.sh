#!/usr/bin/env bash
# A release, packed twice from the build of the tests: equal, signed, checked; every part of it, changed, is refused; its Debian packages work.
# BULAT_RELEASE=all compiles it twice, too: many minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/ci/apt dpkg-dev binutils openssh-client curl gcc pkg-config
# Build with a test and its features, so that the library is not compiled again.
cargo build --quiet --workspace --lib --bins --test compat --features bulat/rustcrypto,bulat/threads
bash tools/release/test.sh "${CARGO_TARGET_DIR:-target}/debug"
