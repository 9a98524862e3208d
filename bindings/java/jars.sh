#!/usr/bin/env bash
# Makes the jars of a release: classes, one jar for each platform, and one with all. Checks each library, and hashes a file
# with that of this platform. Libraries for other platforms need std for their targets (rustup target add; or
# tools/ci/cross-toolchain, in the folder $BULAT_CROSS) and a linker. BULAT_NATIVE=FILE is the library of this platform,
# instead of a release build; then none is built for others.
#   bash bindings/java/jars.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")"
to=$(mkdir -p "${1:-target/jars}" && cd "${1:-target/jars}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${JAVA_HOME:-}" ]; then PATH=$JAVA_HOME/bin:$PATH; fi
mvn --quiet --batch-mode -DskipTests package
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)
cp "target/bulat-$version.jar" "$to/"
host=$(rustc -vV | sed -n 's/^host: //p')
cross=${BULAT_CROSS:-/opt/rust-cross}
if [ ! -f target/classes/META-INF/versions/25/io/github/bulatcrypto/KdfEngine.class ]; then
    echo "skipped: javax.crypto.KDF: JDK 25 makes its class, and this is $(javac -version)"
fi

# library TARGET FILE TOOLS: prints the path of the target's library, or the reason that there is none.
library() {
    local target=$1 file=$2 linker=$3gcc folder=${CARGO_TARGET_DIR:-$PWD/../../target} std=()
    if [ "$target" = "$host" ]; then
        if [ -z "${BULAT_NATIVE:-}" ]; then cargo build --quiet --release -p bulat-java >&2; fi
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
    env "${with[@]}" cargo build --quiet --release -p bulat-java --target "$target" "${std[@]}" >&2
    echo "$folder/$target/release/$file"
}

# check PLATFORM FILE: the processor, the calls of Native.java and no other export, no library but the system's.
check() {
    local platform=$1 file=$2 kind exports needs
    case $platform in
    windows-*)
        kind=$(objdump -f "$file" | sed -n 's/.*file format //p')
        exports=$(objdump -p "$file" | sed -n '/Ordinal\/Name Pointer/,/^$/s/.* \([A-Za-z_]\w*\)$/\1/p' | grep -v '^Table$')
        needs=$(objdump -p "$file" | sed -n 's/.*DLL Name: //p' | grep -iE '^lib|^(vc|msvcp)' || true)
        ;;
    *)
        kind=$(readelf -h "$file" | sed -n 's/ *Machine: *//p')
        exports=$(nm --dynamic --defined-only "$file" | sed 's/.* //')
        needs=$(readelf -d "$file" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libgcc_s|libm|libdl|libpthread|ld-linux[^.]*)[.]so' || true)
        ;;
    esac
    case $platform=$kind in
    linux-x86_64=*X86-64 | linux-aarch64=AArch64 | windows-x86_64=pei-x86-64) ;;
    *) echo "WRONG: $platform: $kind" && exit 1 ;;
    esac
    diff <(sed -n 's/.*static native [^ ]* \(\w*\)(.*/Java_io_github_bulatcrypto_Native_\1/p' \
        src/main/java/io/github/bulatcrypto/Native.java | sort) <(sort <<<"$exports") >&2 ||
        { echo "WRONG: $platform: exports" && exit 1; }
    [ -z "$needs" ] || { echo "WRONG: $platform: needs $needs" && exit 1; }
}
while read -r platform target file tools; do
    if ! path=$(library "$target" "$file" "$tools"); then
        echo "skipped: $platform: $path"
        continue
    fi
    mkdir -p "$work/$platform/META-INF/native/$platform" "$work/all/META-INF/native/$platform"
    cp "$path" "$work/$platform/META-INF/native/$platform/$file"
    "${tools}strip" --strip-unneeded "$work/$platform/META-INF/native/$platform/$file"
    check "$platform" "$work/$platform/META-INF/native/$platform/$file"
    cp "$work/$platform/META-INF/native/$platform/$file" "$work/all/META-INF/native/$platform/"
    jar --create --file "$to/bulat-$version-$platform.jar" -C "$work/$platform" META-INF
done <<'LIST'
linux-x86_64 x86_64-unknown-linux-gnu libbulat_java.so
linux-aarch64 aarch64-unknown-linux-gnu libbulat_java.so aarch64-linux-gnu-
windows-x86_64 x86_64-pc-windows-gnu bulat_java.dll x86_64-w64-mingw32-
LIST
(cd "$work/all" && jar --extract --file "$to/bulat-$version.jar" && rm META-INF/MANIFEST.MF)
printf 'Automatic-Module-Name: io.github.bulatcrypto\nMulti-Release: true\n' >"$work/manifest"
jar --create --file "$to/bulat-$version-all.jar" --manifest "$work/manifest" -C "$work/all" .

# The jars work where nothing else is, from a folder of one's choice, and leave nothing there.
mkdir "$work/unpacked"
for path in "$to/bulat-$version-all.jar" "$to/bulat-$version.jar:$to/bulat-$version-linux-x86_64.jar"; do
    said=$(java --enable-native-access=ALL-UNNAMED -Dbulat.folder="$work/unpacked" -cp "$path" examples/Sum.java pom.xml)
    [ "${#said}" = 73 ] || { echo "WRONG: $said"; exit 1; }
done
rmdir "$work/unpacked"
for file in "$to"/*.jar; do echo "$(basename "$file"): $(stat -c %s "$file") bytes"; done
