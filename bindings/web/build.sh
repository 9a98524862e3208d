#!/usr/bin/env bash
# Builds the WebAssembly modules into lib/: the whole library and the container; with their names, also those for relaxed SIMD.
# The container's is without the kernels that it never runs: lean.mjs. This needs Node, and Rust with std for
# wasm32-unknown-unknown (rustup target add) or the compiler of tools/ci/cross-toolchain.
#   bash bindings/web/build.sh [MODULE...]     bulat bulat-relaxed container container-relaxed
set -euo pipefail
cd "$(dirname "$0")/../.."
triple=wasm32-unknown-unknown
options=()
if [ ! -d "$(rustc --print target-libdir --target $triple)" ]; then
    cross=${BULAT_CROSS:-/opt/rust-cross}
    if [ ! -x "$cross/bin/rustc" ] || ! command -v wasm-ld-19 >/dev/null; then
        echo "no std for $triple: rustup target add $triple (or tools/ci/cross-toolchain, with Debian's lld-19)" >&2
        exit 3
    fi
    export RUSTC=$cross/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
    options=(-Zbuild-std=std,panic_abort)
    linker="-C linker-flavor=wasm-ld"
fi
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS # they would override these
[ $# -gt 0 ] || set -- container bulat
# A browser prefers a module for relaxed SIMD: a module of an older build would not fit the others.
rm -f bindings/web/lib/*-relaxed.wasm
for module in "$@"; do
    simd=+simd128
    [ "${module%-relaxed}" = "$module" ] || simd+=,+relaxed-simd
    features=() all=()
    # The kernels, Argon2 and std keep their speed; the rest of a page should be small.
    for package in bulat-container bulat-web; do
        features+=(--config "profile.release.package.$package.opt-level=\"s\"")
    done
    [ "${module%-relaxed}" != bulat ] || features=(--features library) all=(--all)
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=$simd ${linker:-}"
    cargo rustc --quiet --release -p bulat-web --target $triple "${options[@]}" "${features[@]}" --config 'profile.release.panic="abort"' -- -C strip=none
    built=${CARGO_TARGET_DIR:-target}/$triple/release
    # With the names of its functions, for verification/wasm.
    mv "$built/bulat_web.wasm" "$built/$module.wasm"
    node bindings/web/lean.mjs "$built/$module.wasm" "bindings/web/lib/$module.wasm" "${all[@]}"
    echo "$module.wasm: $(stat -c %s "bindings/web/lib/$module.wasm") bytes"
done
