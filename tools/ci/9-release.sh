#!/usr/bin/env bash
# A release, packed twice from the build of the tests: equal, signed, checked; every part of it, changed, is refused; its Debian packages work.
# BULAT_RELEASE=all compiles it twice, too: many minutes.
source "$(dirname "$0")/common"
tools/ci/apt dpkg-dev binutils openssh-client curl gcc pkg-config
build
bash tools/release/test.sh "$built"
