#!/usr/bin/env bash
# Hostile input and kernels under AddressSanitizer; the build of the fuzz targets; the library's dependencies;
# advisories. tools/release/check has the licences.
source "$(dirname "$0")/common"
export CARGO_TERM_QUIET=true

# The library's dependencies, by name: a new dependency needs a decision.
wanted="arrayvec bulat-core hybrid-array inout subtle typenum zeroize"
have=$(cargo tree -p bulat -e normal,build --prefix none -f '{p}' | awk '$1 != "bulat" { print $1 }' | sort -u | xargs)
[ "$have" = "$wanted" ] || { echo "the library depends on: $have; not on: $wanted"; exit 1; }
echo "the library's dependencies: $have"

# Needs a database from the network; without it the check is skipped.
audit=
for tool in "audit" "deny check advisories"; do if cargo "${tool%% *}" --version >/dev/null 2>&1; then audit=$tool; fi; done
# shellcheck disable=SC2086 # words
if [ -z "$audit" ]; then
    echo "skipped: advisories: neither cargo audit nor cargo deny is installed (cargo install cargo-audit)"
elif log=$(cargo $audit 2>&1); then
    echo "advisories: none (cargo $audit)"
else
    grep -qiE "fetch|network|resolve|connect" <<<"$log" || { echo "$log"; exit 1; }
    echo "skipped: advisories: no database"
fi

host=$(rustc -vV | sed -n 's/^host: //p')
# The targets of cargo-fuzz, outside the workspace. Their functions run in 2-test.sh, most of them below, too. A check links nothing, so libFuzzer's
# C++ is not compiled; with the workspace's versions and profiles, what 1-lint.sh has checked is not checked again.
fuzz=(--manifest-path verification/fuzz/Cargo.toml)
[ -e verification/fuzz/Cargo.lock ] || cp Cargo.lock verification/fuzz/
if said=$(cargo fetch "${fuzz[@]}" --target "$host" 2>&1) ||
    ! grep -E 'failed to download|[Cc]ould ?n.t resolve|Could not resolve|timed out|spurious network' <<<"$said" >/dev/null; then
    CUSTOM_LIBFUZZER_PATH=/none/libfuzzer.a cargo check "${fuzz[@]}" --config Cargo.toml --target-dir "$target/lint"
    echo "fuzz targets: build"
else
    echo "skipped: fuzz targets: their dependencies cannot be downloaded"
fi

# The compiled code of the kernels; AddressSanitizer does not check assembly.
runtime=$(rustc --print sysroot)/lib/rustlib/$host/lib
if ! daily 3 "AddressSanitizer"; then
    :
elif compgen -G "$runtime/librustc*_rt.asan.a" >/dev/null; then
    # A stable compiler accepts -Z flags only with this.
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address"
    # Less optimisation compiles in a third of the time.
    export CARGO_PROFILE_TEST_OPT_LEVEL=1 CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
    # Only a few headers of volumes: their key derivation dominates the time.
    export BULAT_HEADERS=150
    # Units for both processors, and few, since what inlines is compiled in each. The command itself does not run.
    less=(--config profile.dev.package.bulat-core.codegen-units=4 --config profile.dev.package.bulat-cli.opt-level=0)
    # One call, so that features are equal and the kernels are compiled once.
    cargo test "${less[@]}" --target "$host" --target-dir "$target/asan" -p bulat -p bulat-cli -p bulat-capi -p bulat-block -p bulat-pkcs \
        --features bulat/threads --test parsers --test calls --test kuznyechik_kernels --test magma_kernels --test streebog_kernels --test lanes \
        --test batch --test esp --test sectors 2>&1 |
        grep -E '^test |^test result|ERROR|panicked'
else
    echo "skipped: AddressSanitizer: no runtime for $host"
fi
