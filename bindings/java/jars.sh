#!/usr/bin/env bash
# Makes the jars of a release and tries the one of this platform: classes, one jar for each platform, and one with all.
# Libraries for other platforms need std for their targets (rustup target add; or tools/ci/cross-toolchain, in the folder
# $BULAT_CROSS) and a linker. BULAT_NATIVE=FILE is the library of this platform, instead of a release build.
#   bash bindings/java/jars.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")"
to=$(mkdir -p "${1:-target/jars}" && cd "${1:-target/jars}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn --quiet --batch-mode -DskipTests package
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
cp "target/bulat-$version.jar" "$to/"
host=$(rustc -vV | sed -n 's/^host: //p')
cross=${BULAT_CROSS:-/opt/rust-cross}

# library TARGET FILE LINKER: prints the path of the target's library, or the reason that there is none.
library() {
    local target=$1 file=$2 linker=$3 folder=${CARGO_TARGET_DIR:-$PWD/../../target}
    if [ "$target" = "$host" ]; then
        if [ -z "${BULAT_NATIVE:-}" ]; then cargo build --quiet --release -p bulat-java >&2; fi
        echo "${BULAT_NATIVE:-$folder/release/$file}"
        return
    fi
    command -v "$linker" >/dev/null || { echo "no $linker"; return 1; }
    local with=("CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')_LINKER=$linker")
    if ! compgen -G "$(rustc --print sysroot)/lib/rustlib/$target/lib/libstd-*" >/dev/null; then
        compgen -G "$("$cross/bin/rustc" --print sysroot 2>/dev/null)/lib/rustlib/$target/lib/libstd-*" >/dev/null ||
            { echo "no std for it (rustup target add $target)"; return 1; }
        folder=$PWD/../../target/cross
        with+=(RUSTC="$cross/bin/rustc" CARGO_TARGET_DIR="$folder")
    fi
    env "${with[@]}" cargo build --quiet --release -p bulat-java --target "$target" >&2
    echo "$folder/$target/release/$file"
}
while read -r platform target file linker; do
    if ! path=$(library "$target" "$file" "$linker"); then
        echo "skipped: $platform: $path"
        continue
    fi
    mkdir -p "$work/$platform/META-INF/native/$platform" "$work/all/META-INF/native/$platform"
    cp "$path" "$work/$platform/META-INF/native/$platform/$file"
    if [ "$target" = "$host" ]; then strip --strip-unneeded "$work/$platform/META-INF/native/$platform/$file"; fi
    cp "$work/$platform/META-INF/native/$platform/$file" "$work/all/META-INF/native/$platform/"
    jar --create --file "$to/bulat-$version-$platform.jar" -C "$work/$platform" META-INF
done <<'LIST'
linux-x86_64 x86_64-unknown-linux-gnu libbulat_java.so cc
linux-aarch64 aarch64-unknown-linux-gnu libbulat_java.so aarch64-linux-gnu-gcc
windows-x86_64 x86_64-pc-windows-gnu bulat_java.dll x86_64-w64-mingw32-gcc
LIST
(cd "$work/all" && jar --extract --file "$to/bulat-$version.jar" && rm META-INF/MANIFEST.MF)
printf 'Automatic-Module-Name: io.github.bulatcrypto\n' >"$work/manifest"
jar --create --file "$to/bulat-$version-all.jar" --manifest "$work/manifest" -C "$work/all" .

# The jars work where nothing else is, from a folder of one's choice, and leave nothing there.
mkdir "$work/unpacked"
for path in "$to/bulat-$version-all.jar" "$to/bulat-$version.jar:$to/bulat-$version-linux-x86_64.jar"; do
    said=$(java -Dbulat.folder="$work/unpacked" -cp "$path" examples/Sum.java pom.xml)
    [ "${#said}" = 73 ] || { echo "WRONG: $said"; exit 1; }
done
rmdir "$work/unpacked"
for file in "$to"/*.jar; do echo "$(basename "$file"): $(stat -c %s "$file") bytes"; done
