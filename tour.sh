#!/bin/sh
# Builds bulat, then encrypts, decrypts and hashes a file with it. Usage: sh tour.sh [FILE]
set -eu
file=${1:-README.md}
cargo build --release -p bulat-cli
bulat="${CARGO_TARGET_DIR:-target}/release/bulat"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -x
"$bulat" key new -o "$work/key"
"$bulat" encrypt --key-file "$work/key" -o "$work/secret.bulat" "$file"
"$bulat" inspect "$work/secret.bulat"
"$bulat" decrypt --key-file "$work/key" -o "$work/back" "$work/secret.bulat"
cmp "$file" "$work/back"
"$bulat" hash "$file" "$work/back"
"$bulat" kernels
