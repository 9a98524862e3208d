#!/bin/sh
# With the target's std where rustup has it, else with std from the sources that tools/ci/cross-toolchain brings.
set -eu
target=i686-unknown-linux-gnu
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc CARGO_TARGET_DIR="$1"
cross=${BULAT_CROSS:-/opt/rust-cross}
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    exec cargo build --release -p kasm --target $target
elif [ -x "$cross/bin/rustc" ]; then
    export RUSTC="$cross/bin/rustc" RUSTC_BOOTSTRAP=1
    exec cargo build --release -p kasm --target $target -Zbuild-std=std,panic_unwind
fi
echo "error: no std for $target" >&2
exit 1
