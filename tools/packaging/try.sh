#!/usr/bin/env bash
# Installs the packages in a folder to a temporary root, uses them from there and removes them.
set -euo pipefail
debs=$(cd "${1:?usage: tools/packaging/try.sh FOLDER}" && pwd)
cd "$(dirname "$0")/../.."
multi=$(gcc -print-multiarch)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
touch "$root/var/lib/dpkg/status"
# Without dependencies: libc is the machine's.
dpkg() { command dpkg --root="$root" --log="$root/dpkg.log" --force-depends --force-not-root --force-script-chrootless "$@" 2>&1; }
log=$(dpkg -i "$debs"/*.deb) || { echo "$log"; exit 1; }
usr=$root/usr lib=$root/usr/lib/$multi
export LD_LIBRARY_PATH=$lib
printf abc >"$root/abc"

if [ -x "$usr/bin/bulat" ]; then
    "$usr/bin/bulat" hash "$root/abc" | grep -q '^4e2919cf137ed41e'
    [ -f "$usr/share/man/man1/bulat.1.gz" ] && [ -s "$usr/share/bash-completion/completions/bulat" ]
    echo "bulat: hashes"
fi
if [ -f "$usr/include/bulat.h" ]; then
    export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    # Builds the example from the installed packages.
    # shellcheck disable=SC2046
    gcc "$usr/share/doc/libbulat-dev/examples/hash.c" -o "$root/hash" $(pkg-config --cflags --libs bulat)
    "$root/hash" "$root/abc" | grep -q '^4e2919cf137ed41e'
    [ -f "$usr/share/man/man3/bulat.3.gz" ]
    echo "libbulat0, libbulat-dev: an example is built and hashes"
fi
if [ -f "$lib/ossl-modules/bulat.so" ] && command -v openssl >/dev/null; then
    said=$(printf abc | openssl dgst -provider-path "$lib/ossl-modules" -provider bulat -provider default -md_gost12_256)
    grep -q '4e2919cf137ed41e' <<<"$said" || { echo "$said"; exit 1; }
    echo "openssl-provider-bulat: openssl hashes by it"
fi
names=$(command dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Package} ')
# shellcheck disable=SC2086
log=$(dpkg --purge $names) || { echo "$log"; exit 1; }
[ -z "$(find "$usr" ! -type d 2>/dev/null)" ] || { echo "files remain:"; find "$usr" ! -type d; exit 1; }
echo "removed: $names"
