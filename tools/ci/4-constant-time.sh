#!/usr/bin/env bash
# Constant-time evidence, each part with a control that it must detect: every algorithm under valgrind; the instructions
# of the kernels. Also secrets left in memory after a call. 4-timing.sh has the timing statistics.
source "$(dirname "$0")/common"
# The command and the library for C, as shipped, if they were built.
shipped=$target/release
# A folder of its own: the provider is built specially for this test.
export CARGO_TARGET_DIR=$target/constant-time
cargo test "${evidence[@]}" --test memory -- --nocapture
cargo build "${evidence[@]}"
bin=$CARGO_TARGET_DIR/release

if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: the list of instructions is for x86-64"
elif ! command -v objdump >/dev/null; then
    echo "skipped: objdump is not installed (apt-get install binutils)"
else
    "$bin/opcodes"
    if [ -x "$shipped/bulat" ]; then "$bin/opcodes" "$shipped/bulat"; else echo "skipped: no $shipped/bulat to check"; fi
    # Kernels proved equal to the standards, a quarter of them each day; random faults; listed faults. Each fault must be refused or without effect.
    cargo build --release -p prove
    "$bin/prove" "$bin/opcodes" --daily "$quarter"
    "$bin/prove" "$bin/opcodes" --campaign $((200 / quarter))
    "$bin/prove" "$bin/opcodes" --faults "$quarter"
    # The library for C, which the list of instructions was built with: some of its kernels; all by hand.
    library=$(ls -t "$bin"/libbulat_capi.so "$bin"/deps/libbulat_capi.so 2>/dev/null | head -n 1 || true)
    if [ -n "$library" ]; then "$bin/prove" "$library" gfni512::map; else echo "skipped: no libbulat_capi.so to prove"; fi
fi

tools/ci/apt valgrind
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (apt-get install valgrind)"; exit 0; }
valgrind --quiet --log-file=/dev/null --error-limit=no "$bin/ct"

# Through OpenSSL: one algorithm of each kind, with key and text undefined.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mv "$bin/libbulat_provider.so" "$work/bulat.so"
if cc -O1 -g -DWITH_VALGRIND -o "$work/evp" bindings/openssl/tests/evp/*.c -lcrypto -lpthread 2>/dev/null; then
    BULAT_MODULES=$work valgrind --quiet --log-file=/dev/null --error-limit=no "$work/evp" secrets | tail -n 1
else
    echo "skipped: through OpenSSL: no C compiler or no headers (apt-get install gcc libssl-dev)"
fi
