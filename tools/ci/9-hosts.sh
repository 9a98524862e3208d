#!/usr/bin/env bash
# Programs of others, the quick part, against the artefacts of a release packed from the build of the tests (docs/HOSTS.md has all).
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/ci/apt nodejs npm chromium openjdk-17-jdk-headless dpkg-dev binutils curl gcc golang-go nginx-light haproxy gnutls-bin \
    libengine-gost-openssl cryptsetup-bin nbdkit libnbd-bin python3-libnbd qemu-utils parted
# Build with a test and its features, so that the library is not compiled again.
cargo build --quiet --workspace --lib --bins --test compat --features bulat/rustcrypto,bulat/threads
verification/hosts/run --quick
