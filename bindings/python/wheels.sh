#!/usr/bin/env bash
# Makes and tests wheels for Linux, for musl too, and the sdist; tools/release/build makes the wheels of a release. Wheels
# for other processors and musl need std for their targets (rustup target add; or tools/ci/cross-toolchain, in the folder
# $BULAT_CROSS).
#   bash bindings/python/wheels.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")"
to=$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)
python=
for minor in 11 12 13 14 15; do
    if command -v "python3.$minor" >/dev/null; then python=${python:-python3.$minor}; fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" --quiet --disable-pip-version-check install maturin ziglang auditwheel abi3audit
export PATH=$work/venv/bin:$PATH
host=$(rustc -vV | sed -n 's/^host: //p')
cross=${BULAT_CROSS:-/opt/rust-cross}

for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-musl; do
    with=() std=()
    if [ "$target" != "$host" ] && ! compgen -G "$(rustc --print sysroot)/lib/rustlib/$target/lib/libstd-*" >/dev/null; then
        [ -x "$cross/bin/rustc" ] || { echo "skipped: $target: no std for it (rustup target add $target)"; continue; }
        with=(RUSTC="$cross/bin/rustc" CARGO_TARGET_DIR="$PWD/../../target/cross")
        compgen -G "$("$cross/bin/rustc" --print sysroot)/lib/rustlib/$target/lib/libstd-*" >/dev/null ||
            { with+=(RUSTC_BOOTSTRAP=1); std=(-Z build-std=std,panic_unwind); }
    fi
    tag=manylinux_2_17
    if [[ $target == *-musl ]]; then tag=musllinux_1_2; fi
    env "${with[@]}" maturin build --release --zig "${std[@]}" --target "$target" --compatibility "$tag" -o "$to"
done
maturin sdist -o "$to"

for wheel in "$to"/*.whl; do
    abi3audit --strict "$wheel"
    case $wheel in
    *manylinux*) auditwheel show "$wheel" | tr '\n' ' ' | grep -q 'consistent with the following platform tag: *"manylinux_2_17' ||
        { auditwheel show "$wheel"; exit 1; } ;;
    esac
    echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes, only the stable ABI"
done
for minor in 11 12 13 14 15; do
    if ! command -v "python3.$minor" >/dev/null; then continue; fi
    "python3.$minor" -m venv "$work/$minor"
    "$work/$minor/bin/pip" --quiet --disable-pip-version-check install --no-index --find-links "$to" bulat
    "$work/$minor/bin/python" tests/once.py
done
