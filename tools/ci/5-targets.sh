#!/usr/bin/env bash
# Other processors and Windows: the choice of kernel on older x86; the tests on AArch64, i686 and WebAssembly, under
# emulation; the tests on Windows, under Wine; the build of the library for targets without vectors.
source "$(dirname "$0")/common"
# Without BULAT_TARGETS=all only quick checks: the chosen kernel and the self-test.
all() { [ "${BULAT_TARGETS:-}" = all ]; }

# Processor of qemu-x86_64; the kernel of every cipher and hash; the kernel of MGM's multiplication.
processors='
core2duo,-ssse3     portable  portable
core2duo            ssse3     portable
Nehalem             ssse3     portable
SandyBridge         avx       clmul
Opteron_G4          avx       clmul
Haswell             avx2      clmul
EPYC                avx2      clmul
'
# Checks that each line of `bulat kernels` about a shape names the expected kernel.
check() {
    awk -F '  +' -v block="$1" -v gf="$2" '
        NF == 4 && $1 ~ /^(kuznyechik|magma|streebog|gf)/ {
            n++
            want = $1 == "gf" ? gf : block
            if ($3 != want) { print "picked " $3 " for " $1 " " $2 ", not " want; bad = 1 }
        }
        END { exit bad || n < 8 }'
}

if have qemu-x86_64 "older x86" qemu-user; then
    build
    bulat=$built/bulat
    version=$(qemu-x86_64 --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')
    while read -r cpu block gf; do
        [ -n "$cpu" ] || continue
        if [[ $block = avx* && $(printf '%s\n' 7.2 "$version" | sort -V | head -n 1) != 7.2 ]]; then
            echo "skipped: x86-64, $cpu: qemu $version has no AVX (7.2 has it)"
            continue
        fi
        echo "x86-64, $cpu: $block, $gf"
        export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64 -cpu $cpu"
        # The emulator lists missing features of a model on standard error.
        { qemu-x86_64 -cpu "$cpu" "$bulat" kernels | check "$block" "$gf" &&
            qemu-x86_64 -cpu "$cpu" "$bulat" selftest &&
            { ! all || cargo test --quiet -p bulat --test vectors examples; }; } 2> >(grep -v "TCG doesn't support" >&2)
    done <<<"$processors"
    # Zen 3 is of Zen 4's family, and has a row of its own.
    if [[ $(qemu-x86_64 -cpu help) == *EPYC-Milan* ]]; then
        echo "x86-64, EPYC-Milan: its row of the tuning table"
        qemu-x86_64 -cpu EPYC-Milan "$bulat" kernels 2> >(grep -v "TCG doesn't support" >&2) |
            grep -x "row of the tuning table: AMD Zen 3" >/dev/null
    fi
    unset CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER
fi

# Finds a compiler with std for the target: the usual one, or that of tools/ci/cross-toolchain, which builds std from source
# for a target without a package. Sets `with`.
cross=${BULAT_CROSS:-/opt/rust-cross}
compiler() {
    with=(--target "$1")
    unset RUSTC RUSTC_BOOTSTRAP
    [ ! -d "$(rustc --print target-libdir --target "$1")" ] || return 0
    [ -x "$cross/bin/rustc" ] ||
        { echo "skipped: $1: no std (rustup target add $1, or tools/ci/cross-toolchain)"; return 1; }
    export RUSTC=$cross/bin/rustc
    if [ ! -d "$("$RUSTC" --print target-libdir --target "$1")" ]; then
        export RUSTC_BOOTSTRAP=1
        with+=(-Zbuild-std=std,panic_unwind,panic_abort,test,proc_macro)
    fi
}
# The kernels against the reference; then, by name, the standards' examples and random cases. Under an emulator these
# need minutes; every vector (`--test vectors every`) needs many.
tests=(--test kuznyechik_kernels --test magma_kernels --test streebog_kernels --test gf_kernels)
some() {
    cargo test -p bulat "${with[@]}" "${tests[@]}"
    cargo test -p bulat "${with[@]}" --test vectors examples
    cargo test -p bulat "${with[@]}" --test differential random
}

# The library builds without vectors, on 32 and 64 bits, without std.
for triple in armv7-unknown-linux-gnueabihf riscv64gc-unknown-linux-gnu; do
    if compiler $triple; then
        [ -z "${RUSTC_BOOTSTRAP:-}" ] || with=(--target $triple -Zbuild-std=core,alloc)
        cargo build --quiet -p bulat "${with[@]}" --no-default-features --features alloc
        echo "$triple: built"
    fi
done
unset RUSTC RUSTC_BOOTSTRAP

if ! all; then
    echo "skipped: the vectors on older x86, AArch64, i686, WebAssembly, Windows: they need many minutes (BULAT_TARGETS=all)"
    exit 0
fi

a64=aarch64-unknown-linux-gnu
if have qemu-aarch64 "$a64" qemu-user && have aarch64-linux-gnu-gcc "$a64" gcc-aarch64-linux-gnu && compiler $a64; then
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    for model in "cortex-a72 neon" "max neonsha3"; do
        read -r cpu block <<<"$model"
        echo "AArch64, $cpu: $block"
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -cpu $cpu -L /usr/aarch64-linux-gnu"
        cargo run --quiet -p bulat-cli "${with[@]}" -- kernels | check "$block" pmull
        cargo run --quiet -p bulat-cli "${with[@]}" -- selftest
    done
    some
fi

i686=i686-unknown-linux-gnu
if have i686-linux-gnu-gcc "$i686" gcc-i686-linux-gnu && compiler $i686; then
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
    # Natively, by the cross compiler's loader.
    lib=/usr/i686-linux-gnu/lib
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER="$lib/ld-linux.so.2 --library-path $lib"
    some
fi

# The names of the command's tests that need POSIX and are not compiled elsewhere.
posix() {
    awk -v here="skipped: $1: " '
        FNR == 1 { file = item = 0 }
        /^#!\[cfg\(unix\)\]/ { file = 1 }
        /^#\[cfg\((unix|target_os = "linux")\)\]/ { item = 1 }
        /^use / { item = 0 }
        /^fn / { sub(/\(.*/, "", $2); if (test && (file || item)) print here $2 ", POSIX"; item = test = 0 }
        /^#\[test\]/ { test = 1 }' cli/tests/*.rs cli/tests/*/*.rs
}

windows=x86_64-pc-windows-gnu
wine=$(command -v wine64 || echo /usr/lib/wine/wine64) # the place in Debian's package wine64 without others
if have x86_64-w64-mingw32-gcc "$windows" gcc-mingw-w64-x86-64 && have "$wine" "$windows" wine64 && compiler $windows; then
    away=$(mktemp -d)
    trap 'rm -rf "$away"' EXIT
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine
    # A separate Wine prefix; its search path has the missing library.
    export WINEPREFIX=$away/wine WINEDEBUG=-all WINEPATH=$away
    x86_64-w64-mingw32-gcc -shared -O1 -Wall -Wextra -Werror -o "$away/bcryptprimitives.dll" tools/ci/bcryptprimitives.c -ladvapi32
    cargo build --quiet -p bulat-cli "${with[@]}"
    env -u RUSTC -u RUSTC_BOOTSTRAP cargo build --quiet -p bulat-cli
    bash tools/packaging/command.sh "$target/debug/bulat" "$target/$windows/debug/bulat.exe"
    some
    # Without the examples of the documentation: rustdoc here belongs to another compiler.
    cargo test -p bulat-cli "${with[@]}" --tests
    posix "$windows"
    "$(dirname "$wine")/wineserver" -k
    rm -rf "$away"
fi

wasm=wasm32-wasip1
# Building std from source needs Debian's libc and linker. That libc has no threads, and lacks their symbols.
libc=/usr/lib/wasm32-wasi
debian() {
    have wasm-ld-19 "$wasm" lld-19 && have clang-19 "$wasm" clang-19 &&
        { [ -f $libc/libc.a ] || { echo "skipped: $wasm: no $libc/libc.a (apt-get install wasi-libc)"; return 1; }; }
}
if have node "$wasm" nodejs && compiler $wasm && { [ -z "${RUSTC_BOOTSTRAP:-}" ] || debian; }; then
    log=$(mktemp)
    names=$(mktemp --suffix=.o)
    trap 'rm -f "$log" "$names"' EXIT
    flags="-C target-feature=+simd128"
    if [ -n "${RUSTC_BOOTSTRAP:-}" ]; then
        # 6: try again.
        for name in create join detach attr_init attr_setstacksize attr_destroy; do
            echo "int pthread_$name(void) { return 6; }"
        done | clang-19 --target=wasm32-wasi -w -c -x c - -o "$names"
        export CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld-19
        flags+=" -C linker-flavor=wasm-ld -C link-self-contained=no -L$libc -C link-arg=$libc/crt1-command.o"
        flags+=" -C link-arg=$names"
    fi
    unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS # they would override these
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=$flags
    export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/tools/ci/wasi.mjs"
    cargo test -p bulat "${with[@]}" --test vectors examples -- --nocapture | tee "$log"
    [ "$(grep -c ': simd128$' "$log")" = 8 ] || { echo "simd128 was not picked"; exit 1; }
    some
fi
