#!/usr/bin/env bash
# Builds the libraries, and makes jars by tools/release/java.py, as a release does: classes, a jar for each platform, a jar
# with all, a jar with the sources; hashes a file with them. This needs a JDK, Rust and Python 3.11. Libraries for other platforms
# need std for their targets (rustup target add; or tools/ci/cross-toolchain, in the folder $BULAT_CROSS) and a linker.
# BULAT_NATIVE=FILE is the library of this platform, instead of a release build; then no library is built for others.
#   bash bindings/java/jars.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")"
to=$(mkdir -p "${1:-target/jars}" && cd "${1:-target/jars}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
if [ -n "${JAVA_HOME:-}" ]; then PATH=$JAVA_HOME/bin:$PATH; fi
host=$(rustc -vV | sed -n 's/^host: //p')
cross=${BULAT_CROSS:-/opt/rust-cross}
libraries=()

# library TARGET FILE TOOLS: prints the path of the target's library, or the reason why it does not exist, with code 1. Code 2: cargo failed.
library() {
    local target=$1 file=$2 linker=$3gcc folder=${CARGO_TARGET_DIR:-$PWD/../../target} std=()
    if [ "$target" = "$host" ]; then
        if [ -z "${BULAT_NATIVE:-}" ]; then cargo build --quiet --release -p bulat-java >&2 || return 2; fi
        echo "${BULAT_NATIVE:-$folder/release/$file}"
        return
    fi
    if [ -n "${BULAT_NATIVE:-}" ]; then
        echo "not built with BULAT_NATIVE"
        return 1
    fi
    command -v "$linker" >/dev/null || { echo "no $linker"; return 1; }
    local with=("CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')_LINKER=$linker")
    if ! compgen -G "$(rustc --print sysroot)/lib/rustlib/$target/lib/libstd-*" >/dev/null; then
        [ -x "$cross/bin/rustc" ] ||
            { echo "no std for it (rustup target add $target, or tools/ci/cross-toolchain)"; return 1; }
        folder=$PWD/../../target/cross
        with+=(RUSTC="$cross/bin/rustc" CARGO_TARGET_DIR="$folder")
        if ! compgen -G "$("$cross/bin/rustc" --print sysroot)/lib/rustlib/$target/lib/libstd-*" >/dev/null; then
            with+=(RUSTC_BOOTSTRAP=1)
            std=(-Zbuild-std=std,panic_unwind)
        fi
    fi
    env "${with[@]}" cargo build --quiet --release -p bulat-java --target "$target" "${std[@]}" >&2 || return 2
    echo "$folder/$target/release/$file"
}

while read -r platform target file tools; do
    # A condition switches off `set -e` in the function: it returns each failure.
    code=0
    path=$(library "$target" "$file" "$tools") || code=$?
    case $code in
    0) ;;
    1) echo "skipped: $platform: $path" && continue ;;
    *) echo "$platform: cargo failed" && exit 1 ;;
    esac
    cp "$path" "$work/$platform"
    "${tools}strip" --strip-unneeded "$work/$platform"
    libraries+=("$platform=$work/$platform")
done <<'LIST'
linux-x86_64 x86_64-unknown-linux-gnu libbulat_java.so
linux-aarch64 aarch64-unknown-linux-gnu libbulat_java.so aarch64-linux-gnu-
windows-x86_64 x86_64-pc-windows-gnu bulat_java.dll x86_64-w64-mingw32-
LIST
python3 ../../tools/release/java.py "$to" "${libraries[@]}"

# The jars work where nothing else is, from any folder, and leave nothing there.
mkdir "$work/unpacked"
for path in "$to/bulat-$version-all.jar" "$to/bulat-$version.jar:$to/bulat-$version-linux-x86_64.jar"; do
    said=$(java --enable-native-access=ALL-UNNAMED -Dbulat.folder="$work/unpacked" -cp "$path" examples/Sum.java pom.xml)
    [ "${#said}" = 73 ] || { echo "WRONG: $said"; exit 1; }
done
rmdir "$work/unpacked"
# A processor without a jar is told so.
! said=$(java -Dos.arch=s390x -cp "$to/bulat-$version-all.jar" examples/Sum.java pom.xml 2>&1) && [[ $said == *"no jar for linux-s390x, only for"* ]] ||
    { echo "WRONG: $said"; exit 1; }
for file in "$to"/*.jar; do echo "$(basename "$file"): $(stat -c %s "$file") bytes"; done
