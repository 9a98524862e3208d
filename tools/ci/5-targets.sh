#!/usr/bin/env bash
# Other processors and systems, under emulation: the kernels that each model picks, the self-test, files and volumes exchanged with this
# machine's command, libbulat's calls, the library's tests. docs/PLATFORMS.md has the results.
#   BULAT_TARGETS=all, or a pattern of triples ("s390x|musl"): all checks, many minutes for each. Without it: CI's short form.
source "$(dirname "$0")/common"
tools/ci/apt qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# qemu's architecture; the kernel of every cipher and hash; MGM's multiplication; models.
models='x86_64   portable  portable  core2duo,-ssse3
x86_64   ssse3     portable  core2duo Nehalem
x86_64   ssse3     clmul     SandyBridge Opteron_G4
x86_64   avx2      clmul     Haswell EPYC EPYC-Milan
aarch64  neon      pmull     cortex-a53 cortex-a57 cortex-a72 cortex-a76 neoverse-n1 a64fx
aarch64  neonsha3  pmull     max
s390x    portable  portable  max
ppc64le  portable  portable  power8
riscv64  portable  portable  rv64
arm      portable  portable  cortex-a7
ppc      portable  portable  7447a'
# Triple; prefix of its compiler; qemu's architecture, or what runs a program; all checks; those of the short form.
host=$(rustc -vV | sed -n 's/^host: //p')
targets="$host - x86_64 picks picks
s390x-unknown-linux-gnu        s390x-linux-gnu        s390x    picks,exchange,calls,some  picks
powerpc64le-unknown-linux-gnu  powerpc64le-linux-gnu  ppc64le  picks,exchange,calls,some
riscv64gc-unknown-linux-gnu    riscv64-linux-gnu      riscv64  picks,exchange,calls,some
armv7-unknown-linux-gnueabihf  arm-linux-gnueabihf    arm      picks,exchange,calls,some
armv7-unknown-linux-gnueabihf  -                      env      core                       core
powerpc-unknown-linux-gnu      powerpc-linux-gnu      ppc      picks,exchange,calls,some
aarch64-unknown-linux-gnu      aarch64-linux-gnu      aarch64  picks,exchange,calls,some,proofs  proofs
i686-unknown-linux-gnu         i686-linux-gnu         loader   exchange,calls,some
x86_64-unknown-linux-musl      musl                   env      exchange,calls,some
x86_64-pc-windows-gnu          x86_64-w64-mingw32     wine     exchange,some,commands
wasm32-wasip1                  -                      node     some"
full() { [[ -n ${BULAT_TARGETS:-} && (${BULAT_TARGETS:-} = all || $triple =~ $BULAT_TARGETS) ]]; }
there() { command -v "$1" >/dev/null || { echo "skipped: $triple: no $1 (its package: CONTRIBUTING.md)"; return 1; }; }

# Sets `run`, the words before a program, and `with`, the options of cargo. Uses the usual compiler if it has std for the target, or the compiler of
# tools/ci/cross-toolchain, which builds std from source for a target without a package. Fails if something is missing, and says so.
ready() {
    local root=/usr/$prefix cc=$prefix-gcc name=${triple^^} rustc=${BULAT_CROSS:-/opt/rust-cross}/bin/rustc
    local std=std,panic_unwind libc=/usr/lib/wasm32-wasi flags call
    name=CARGO_TARGET_${name//-/_} with=() link=(-lpthread -ldl -lm)
    case $emulator in
    loader) run=("$root/lib/ld-linux.so.2" --library-path "$root/lib") ;;
    env) run=(env) ;;
    wine) run=("$(command -v wine64 || echo /usr/lib/wine/wine64)") ;; # the place in Debian's package wine64 without others
    node) run=(node --no-warnings "$PWD/tools/ci/wasi.mjs") ;;
    *) run=("qemu-$emulator" -L "$root") ;;
    esac
    there "${run[0]}" || return 1
    [ "$triple" != "$host" ] || return 0
    with=(--target "$triple")
    full || export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0 # to compile costs more than to run
    export "${name}_RUNNER=${run[*]}"
    if [ "$prefix" != - ]; then
        there "$cc" || return 1
        export "${name}_LINKER=$cc"
    fi
    if [ ! -d "$(rustc --print target-libdir --target "$triple")" ]; then
        [ -x "$rustc" ] || { echo "skipped: $triple: no std (rustup target add $triple, or tools/ci/cross-toolchain)"; return 1; }
        export RUSTC=$rustc
        if [ ! -d "$("$rustc" --print target-libdir --target "$triple")" ]; then
            ! full || std+=,panic_abort,test,proc_macro
            export RUSTC_BOOTSTRAP=1
            with+=("-Zbuild-std=$std")
        fi
    fi
    case $triple in
    *-musl)
        echo 'INPUT(-lgcc_eh)' >"$work/libunwind.a" # Debian's libgcc in the place of LLVM's unwinder
        [ -z "${RUSTC_BOOTSTRAP:-}" ] || export "${name}_RUSTFLAGS=-C link-self-contained=no -L$work"
        link=(-static -lgcc_eh)
        ;;
    *-windows-*) # a separate Wine prefix; its search path has the missing library
        export WINEPREFIX=$work/wine WINEDEBUG=-all WINEPATH=$work
        "$cc" -shared -O1 -Wall -Wextra -Werror -o "$work/bcryptprimitives.dll" tools/ci/bcryptprimitives.c -ladvapi32
        ;;
    wasm32-*)
        flags="-C target-feature=+simd128"
        if [ -n "${RUSTC_BOOTSTRAP:-}" ]; then
            # Debian's libc has no threads, and lacks their symbols. 6: try again.
            there wasm-ld-19 && there clang-19 || return 1
            [ -d $libc ] || { echo "skipped: $triple: no $libc (wasi-libc)"; return 1; }
            for call in create join detach attr_init attr_setstacksize attr_destroy; do
                echo "int pthread_$call(void) { return 6; }"
            done | clang-19 --target=wasm32-wasi -w -c -x c - -o "$work/calls.o"
            export "${name}_LINKER=wasm-ld-19"
            flags+=" -C linker-flavor=wasm-ld -C link-self-contained=no -L$libc -C link-arg=$libc/crt1-command.o -C link-arg=$work/calls.o"
        fi
        unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS # they would override these
        export "${name}_RUSTFLAGS=$flags"
        ;;
    esac
}
# Builds the command and, in full, libbulat. Sets `program`, the command for the target.
program() {
    local packages=(-p bulat-cli)
    program=$built/bulat
    if [ "$triple" = "$host" ]; then return; fi
    ! full || packages+=(-p bulat-capi)
    cargo build --quiet "${packages[@]}" "${with[@]}"
    program=$target/$triple/debug/bulat
    [ -f "$program" ] || program+=.exe
}

# Every model picks the expected kernels, for each shape, and passes the self-test; in full on x86-64 the standards' examples, too.
picks() {
    local arch block gf cpus cpu
    program
    while read -r arch block gf cpus; do
        [ "$arch" = "$emulator" ] || continue
        for cpu in $cpus; do
            echo "$triple, $cpu: $block, $gf"
            "${run[@]}" -cpu "$cpu" "$program" kernels >"$work/kernels"
            awk -F '  +' -v block="$block" -v gf="$gf" '
                NF == 4 && $1 ~ /^(kuznyechik|magma|streebog|gf)/ {
                    n++
                    want = $1 == "gf" ? gf : block
                    if ($3 != want) { print "picked " $3 " for " $1 " " $2 ", not " want; bad = 1 }
                }
                END { exit bad || n < 8 }' "$work/kernels"
            [ "$cpu" != EPYC-Milan ] || grep -qx "row of the tuning table: AMD Zen 3" "$work/kernels"
            "${run[@]}" -cpu "$cpu" "$program" selftest
            [ "$triple" != "$host" ] || ! full ||
                CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="${run[*]} -cpu $cpu" cargo test --quiet -p bulat --test vectors examples
        done
    done <<<"$models" 2> >(grep -v "TCG doesn't support" >&2) # missing features of a model
}
# Files and volumes of this machine's command and of the target's.
exchange() {
    program
    bash tools/packaging/command.sh "$built/bulat" "${run[@]}" "$program"
}
# libbulat's calls, with few iterations.
calls() {
    program
    "$prefix-gcc" -O1 -Wall -Wextra -Werror -Ibindings/c/include bindings/c/tests/all.c "$target/$triple/debug/libbulat_capi.a" \
        -o "$work/all" "${link[@]}"
    "${run[@]}" "$work/all" quick
}
# The kernels against the reference, the standards' examples, random cases.
some() {
    cargo test -p bulat "${with[@]}" --test kuznyechik_kernels --test magma_kernels --test streebog_kernels --test lanes
    cargo test -p bulat "${with[@]}" --test vectors examples -- --nocapture | tee "$work/log"
    [ "$emulator" != node ] || [ "$(grep -c ': simd128$' "$work/log")" = 8 ] || { echo "simd128 was not picked"; exit 1; }
    cargo test -p bulat "${with[@]}" --test differential random
}
# The library builds without vectors and without std.
core() {
    [ -z "${RUSTC_BOOTSTRAP:-}" ] || local with=(--target "$triple" "-Zbuild-std=core,alloc")
    cargo build --quiet -p bulat "${with[@]}" --no-default-features --features alloc
}
# The kernels of the library for AArch64: each mnemonic is listed, proofs from the machine code, meanings compared with the emulator. The
# short form proves `map` of each set. Processor time: the proofs 4 s (full: 66 s), an eighth of the faults 3 s, the emulator 26 s; the
# library, where the tests have not built it, 100 s.
proofs() {
    full || daily 3 "the kernels for AArch64" || return 0
    local prove=$target/constant-time/release/prove library=$target/$triple/release/libbulat_capi.so
    cargo build --quiet --release -p bulat-capi --no-default-features "${with[@]}"
    env -u RUSTC -u RUSTC_BOOTSTRAP CARGO_TARGET_DIR="$target/constant-time" cargo build --quiet --release -p prove
    "$prove" "$library" --times
    if full; then
        "$prove" "$library"
        "$prove" "$library" --faults 1
    else
        "$prove" "$library" ::map
        "$prove" "$library" --faults 8
    fi
    "$prove" --emulated
}
# The command's tests, but for the examples of the documentation: rustdoc here belongs to a different compiler.
commands() {
    cargo test -p bulat-cli "${with[@]}" --tests
    grep -rlE '^#!?\[cfg\((unix|target_os = "linux")\)\]' crates/cli/tests | sed "s,^,skipped: $triple: tests for POSIX of ,"
    "$(dirname "${run[0]}")/wineserver" -k
}

build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r triple prefix emulator checks short <&3; do
    full || checks=$short
    [ -n "$checks" ] || { echo "skipped: $triple: it needs many minutes (BULAT_TARGETS=all)"; continue; }
    ( # variables of a target end with it; a program does not read the table
        ready || exit 0
        for check in ${checks//,/ }; do
            began=$SECONDS
            $check
            echo "$triple: $check: right, $((SECONDS - began)) s"
        done
    ) </dev/null
done 3<<<"$targets"
