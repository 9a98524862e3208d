#!/usr/bin/env bash
# Formatting, clippy with warnings as errors, the two READMEs in step, the documents in plain words.
set -euo pipefail
cargo fmt --all --check
cargo clippy --workspace --all-targets --all-features -- -D warnings
bash ci/readme-parity
bash ci/prose
bash ci/layers
