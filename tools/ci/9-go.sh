#!/usr/bin/env bash
# The Go package: vectors, bad input, allocations, goroutines, fuzzing, the race detector, static and foreign builds, with no C
# compiler; arm64 and older amd64 under an emulator; its kernels must be of the present sources; random comparison with
# libbulat, which 8-capi.sh has built. By hand: BULAT_KERNELS=all builds all kernels and compares them, in three minutes of
# processor time; BULAT_KERNELS=avx2 one set.
source "$(dirname "$0")/common"
library=$(newest libbulat_capi.so)
[ -z "$library" ] || library=$(realpath "$library")
proofs=$(realpath -m "$target/constant-time/release")
cd bindings/go
get() {
    command -v "$1" >/dev/null || ../../tools/ci/apt "$2"
    command -v "$1" >/dev/null
}
get go golang-go || true
command -v go >/dev/null || { echo "skipped: Go: no go (https://go.dev/dl)"; exit 0; }
# hash.Cloner came with 1.25.
go version | grep -Eq 'go1\.(2[5-9]|[3-9][0-9])' || { echo "skipped: Go: $(go version | cut -d' ' -f3) is older than 1.25"; exit 0; }
export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT
# Totals from the lines of `go test -v`.
totals() {
    grep -E '^(random|skipped)' "$log" || true
    awk -v name="$1" '/^ *--- PASS/ { passed++ } /^ *--- SKIP/ { skipped++ }
        END { printf "%s: %d passed, %d skipped\n", name, passed, skipped }' "$log"
}
tested() {
    local name=$1
    shift
    "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
    totals "$name"
}
# answered NAME COMMAND...: all vectors on each kernel that the program finds.
answered() {
    local kernel said kernels
    kernels=$("${@:2}" kernels)
    for kernel in $kernels; do
        said=$(face ErrVerify "${@:2}" "$kernel")
        echo "$1, $kernel: $said"
    done
}

wrong=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
CGO_ENABLED=0 go vet ./...
CGO_ENABLED=0 GOARCH=arm64 go vet ./...
go run ./internal/native/generate -stale
case ${BULAT_KERNELS:-} in
    '') ;;
    all) get aarch64-linux-gnu-ld binutils-aarch64-linux-gnu || true; go run ./internal/native/generate -check ;;
    *) go run ./internal/native/generate -check -set "$BULAT_KERNELS" ;;
esac
tested "Go, static" env CGO_ENABLED=0 go test -v ./...
CGO_ENABLED=0 go build -o "$log.serve" ./internal/serve
answered Go "$log.serve"
# Its kernels, as Go's linker has placed them: T2, proofs, planted faults, a quarter each day. The two programs are from
# 4-constant-time.sh.
if [ "$(uname -m)" = x86_64 ] && [ -x "$proofs/prove" ] && [ -x "$proofs/opcodes" ]; then
    go run ./internal/native/generate -map "$log.serve" >"$log.serve.map"
    for arguments in "opcodes $log.serve" "prove $log.serve --daily $quarter" "prove $log.serve --faults $quarter"; do
        # shellcheck disable=SC2086 # words
        "$proofs"/$arguments >"$log" 2>&1 || { cat "$log"; exit 1; }
        echo "Go, ${arguments%% *}: $(tail -n 1 "$log")"
    done
else
    echo "skipped: Go: proofs of its kernels: no $proofs/prove (tools/ci/4-constant-time.sh)"
fi
# A count and no time: the end of a time may be an error (go.dev/issue/75804).
for one in FuzzMGM FuzzPieces; do
    CGO_ENABLED=0 go test -run none -fuzz "^$one\$" -fuzztime 20000x . >"$log" 2>&1 || { cat "$log"; exit 1; }
done
if ! daily 3 "Go on arm64"; then
    :
elif get qemu-aarch64-static qemu-user-static; then
    tested "Go, arm64" env CGO_ENABLED=0 GOARCH=arm64 go test -exec qemu-aarch64-static -v ./internal/... .
    CGO_ENABLED=0 GOARCH=arm64 go build -o "$log.arm64" ./internal/serve
    answered "Go, arm64" qemu-aarch64-static "$log.arm64"
else
    echo "skipped: Go, arm64: no qemu-aarch64-static (apt-get install qemu-user-static)"
fi
if get qemu-x86_64-static qemu-user-static; then
    CGO_ENABLED=0 go test -c -o "$log.test" .
    for line in Nehalem:portable Haswell:avx2 EPYC:avx2; do
        BULAT_EXPECT=${line#*:} qemu-x86_64-static -cpu "${line%:*}" "$log.test" -test.run 'TestKernel|TestBadInput|TestStates|Example' >"$log" 2>&1 ||
            { cat "$log"; exit 1; }
        echo "$line: chosen, and passed"
    done
else
    echo "skipped: Go, older processors: no qemu-x86_64-static (apt-get install qemu-user-static)"
fi
for system in linux/amd64 linux/arm64 linux/riscv64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
    CGO_ENABLED=0 GOOS=${system%/*} GOARCH=${system#*/} go build ./...
    echo "$system: built"
done
# The race detector is in C.
if command -v gcc >/dev/null; then
    tested "Go, race" env CGO_ENABLED=1 go test -race -v .
else
    echo "skipped: Go, race: no gcc"
fi

if command -v gcc >/dev/null && [ -n "$library" ]; then
    away=$(mktemp -d)
    trap 'rm -rf "$log" "$log".* "$away"' EXIT
    ln -s "$library" "$away/libbulat.so"
    ln -s "$library" "$away/libbulat.so.0"
    export CGO_CFLAGS="-I$PWD/../c/include" CGO_LDFLAGS="-L$away" LD_LIBRARY_PATH=$away
    go vet -tags bulat_cgo ./...
    tested "Go over libbulat" go test -tags bulat_cgo -v ./...
    go build -tags bulat_cgo -o "$log.cgo" ./internal/serve
    face ErrVerify "$log.cgo"
else
    echo "skipped: Go over libbulat: no gcc, or no library (cargo build --release -p bulat-capi)"
fi
