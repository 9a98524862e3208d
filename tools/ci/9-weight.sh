#!/usr/bin/env bash
# Machine code in CI's builds, against the figures in tools/weight.tsv: fails if a line has 3 % more.
source "$(dirname "$0")/common"
if [ "$(uname -m)" != x86_64 ] || ! command -v nm >/dev/null; then
    echo "skipped: the figures are for x86-64, and need nm (apt-get install binutils)"
    exit 0
fi
build
# The build of 4-constant-time.sh.
cargo build --quiet "${evidence[@]}" --target-dir "$target/constant-time"
tools/weight --built "$built" "$target/constant-time/release"
