#!/usr/bin/env bash
# Prints the speeds of the README on this machine, which should be idle; at most 3 minutes. It needs libbulat in the folder
# given, or in target/release (cargo build --release -p bulat-capi); and the other Go packages of internal/peers.
#   bindings/go/speed.sh [folder of libbulat.so]
set -euo pipefail
cd "$(dirname "$0")"
built=${CARGO_TARGET_DIR:-../../target}/release
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
library=${1:+$1/libbulat.so}
library=$(realpath "${library:-$built/libbulat_capi.so}")
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
if [ -f "$library" ]; then
    ln -s "$library" "$away/libbulat.so"
    ln -s "$library" "$away/libbulat.so.0"
    CGO_CFLAGS="-I$PWD/../c/include" CGO_LDFLAGS=-L$away LD_LIBRARY_PATH=$away BULAT_SPEED=1 \
        go test -tags bulat_cgo -count=1 -run 'TestSpeed|TestOverhead' -v ./internal/engine | grep --line-buffered -v -e '^=== ' -e '^--- '
else
    echo "skipped: libbulat: no $library (cargo build --release -p bulat-capi)"
fi
if [ -d internal/peers/sources/gogost ] && [ -d internal/peers/sources/gostcrypto ]; then
    (cd internal/peers && CGO_ENABLED=0 GOFLAGS=-mod=mod GOWORK=off go run .)
else
    echo "skipped: other packages: no internal/peers/sources (internal/peers/main.go)"
fi
