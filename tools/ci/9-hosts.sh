#!/usr/bin/env bash
# Programs of others, the quick part, against the artefacts of a release packed from the build of the tests (docs/HOSTS.md has all).
source "$(dirname "$0")/common"
tools/ci/apt nodejs npm chromium openjdk-17-jdk-headless dpkg-dev binutils curl gcc golang-go nginx-light haproxy gnutls-bin \
    libengine-gost-openssl cryptsetup-bin nbdkit libnbd-bin python3-libnbd qemu-utils parted
daily 3 "hosts" || exit 0
build
verification/hosts/run --quick
