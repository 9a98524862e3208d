#!/usr/bin/env bash
# A short run of timing statistics, with a control that it must detect: only on a machine that does nothing else.
source "$(dirname "$0")/common"
# The build of 4-constant-time.sh.
export CARGO_TARGET_DIR=$target/constant-time
cargo build --quiet "${evidence[@]}"
"$CARGO_TARGET_DIR/release/timing" 5000 | grep -E '\*|once more|lines|control'
