#!/usr/bin/env bash
# The lab, a workspace of its own: formatting, clippy, tests, documentation; README and docs/BENCHMARKS.md agree with its records.
source "$(dirname "$0")/common"
export CARGO_TARGET_DIR=$target/lab
lab=(--manifest-path lab/Cargo.toml)
cargo fmt "${lab[@]}" --all --check
cargo clippy "${lab[@]}" --quiet --workspace --all-targets -- -D warnings
if daily 3 "the lab's tests"; then cargo test "${lab[@]}" --quiet --workspace; fi
RUSTDOCFLAGS="-D warnings" cargo doc "${lab[@]}" --workspace --no-deps --quiet
cargo run "${lab[@]}" --quiet -- docs --check
