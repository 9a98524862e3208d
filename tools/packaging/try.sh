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
    "$usr/bin/bulat" hash "$root/abc" | grep '^4e2919cf137ed41e' >/dev/null
    [ -f "$usr/share/man/man1/bulat.1.gz" ] && [ -s "$usr/share/bash-completion/completions/bulat" ]
    echo "bulat: hashes"
fi
if [ -f "$usr/include/bulat.h" ]; then
    export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    # Builds the example from the installed packages.
    # shellcheck disable=SC2046
    gcc "$usr/share/doc/libbulat-dev/examples/hash.c" -o "$root/hash" $(pkg-config --cflags --libs bulat)
    "$root/hash" "$root/abc" | grep '^4e2919cf137ed41e' >/dev/null
    [ -f "$usr/share/man/man3/bulat.3.gz" ]
    echo "libbulat0, libbulat-dev: an example is built and hashes"
fi
if [ -f "$lib/ossl-modules/bulat.so" ] && command -v openssl >/dev/null; then
    said=$(printf abc | openssl dgst -provider-path "$lib/ossl-modules" -provider bulat -provider default -md_gost12_256)
    grep -q '4e2919cf137ed41e' <<<"$said" || { echo "$said"; exit 1; }
    echo "openssl-provider-bulat: openssl hashes by it"
fi
if [ -f "$lib/nbdkit/plugins/nbdkit-bulat-plugin.so" ] && command -v nbdkit >/dev/null; then
    nbdkit "$lib/nbdkit/plugins/nbdkit-bulat-plugin.so" --help | grep password-file >/dev/null
    echo "nbdkit-plugin-bulat: nbdkit loads it"
fi
if [ -f "$usr/lib/python3/dist-packages/bulat/_bulat.abi3.so" ]; then
    for minor in 11 12 13 14; do
        "python3.$minor" -c pass 2>/dev/null || continue
        said=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$usr/lib/python3/dist-packages "python3.$minor" -c 'import bulat; print(bulat.streebog256(b"abc").hexdigest())')
        [ "${said:0:16}" = 4e2919cf137ed41e ] || { echo "$said"; exit 1; }
        echo "python3-bulat: Python 3.$minor hashes"
    done
fi
if [ -x "$usr/bin/bulatd" ]; then
    # The shipped configuration, with the folders of this root. It starts after `init`, as README.Debian says.
    sed "s|/var/log|$root/var/log|; s|^credential = .*|file = \"$root/etc/bulatd/root.key\"|; s|:8200|:$((10000 + $$ % 20000))|" \
        "$root/etc/bulatd/bulatd.toml" >"$root/bulatd.toml"
    printf '[database]\nurl = "sqlite:%s/var/lib/bulatd/bulatd.db"\n' "$root" >>"$root/bulatd.toml"
    mkdir -p "$root/var/log/bulatd" "$root/var/lib/bulatd"
    bulatd=("$usr/bin/bulatd" --config "$root/bulatd.toml")
    token=$("${bulatd[@]}" --root-key "$root/etc/bulatd/root.key" init --new-root-key | tail -n 1)
    timeout 120 "${bulatd[@]}" server 2>"$root/said" &
    server=$!
    url=http://$(sed -n 's/^address = "\(.*\)"/\1/p' "$root/bulatd.toml")
    said=$(curl --silent --show-error --retry 100 --retry-delay 1 --retry-connrefused -H "X-Vault-Token: $token" \
        -d '{"plaintext": "aGVsbG8="}' "$url/v1/transit/encrypt/demo") || true
    kill "$server" && wait "$server" || true
    grep -q '"ciphertext"' <<<"$said" || { echo "$said"; cat "$root/said"; exit 1; }
    rm "$root/bulatd.toml"
    echo "bulatd: encrypts, configured as installed"
fi
names=$(command dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Package} ')
# shellcheck disable=SC2086
log=$(dpkg --purge $names) || { echo "$log"; exit 1; }
left=$(find "$usr" "$root/etc" "$root/var/log" "$root/var/lib/bulatd" ! -type d 2>/dev/null || true)
[ -z "$left" ] || { echo "files remain: $left"; exit 1; }
echo "removed: $names"
