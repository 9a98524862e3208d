#!/usr/bin/env bash
# Formatting, clippy with warnings as errors, equal READMEs, plain words, names that exist, ages of figures, lines by room, dependencies and versions.
source "$(dirname "$0")/common"
# A folder of its own, so that the tests can compile beside it.
export CARGO_TARGET_DIR=$target/lint
cargo fmt --all --check
bash tools/ci/readme-parity
bash tools/ci/prose
python3 tools/ci/names
python3 tools/ci/ages
tools/lines
# Crates of other systems too, which no build here downloads.
cargo fetch --locked --quiet
python3 tools/release/check
cargo clippy --workspace --all-targets --all-features -- -D warnings
