#!/usr/bin/env bash
# Installs the packages in a folder to a temporary root, uses them from there and removes them.
#   bash tools/packaging/try.sh FOLDER [arm64]     arm64: those for AArch64, under qemu
# For AArch64 it needs qemu-user and gcc-aarch64-linux-gnu, and unpacks OpenSSL, Python and nbdkit of that machine from Debian's archive.
set -euo pipefail
debs=$(cd "${1:?usage: tools/packaging/try.sh FOLDER [arm64]}" && pwd)
here=$(command dpkg --print-architecture) arch=${2:-}
arch=${arch:-$here}
cd "$(dirname "$0")/../.."
root=$(mktemp -d)
trap 'rm -rf "$root" "$root.system"' EXIT
gcc=gcc bin="" run=()
if [ "$arch" = arm64 ] && [ "$here" != arm64 ]; then
    gcc=aarch64-linux-gnu-gcc bin=$root.system/usr/bin/ run=(qemu-aarch64 -L "$root.system")
    # A system of that machine, which is only unpacked.
    mkdir -p "$root.system"/{usr/lib,apt/lists/partial,apt/archives/partial}
    ln -s usr/lib "$root.system/lib"
    touch "$root.system/status"
    cat >"$root.system/apt.conf" <<CONF
APT::Architecture "$arch";
APT::Architectures {"$arch";};
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Dir::State "$root.system/apt";
Dir::State::status "$root.system/status";
Dir::Cache "$root.system/apt";
CONF
    APT_CONFIG=$root.system/apt.conf apt-get update --quiet=2
    APT_CONFIG=$root.system/apt.conf apt-get install --quiet=2 --yes --download-only python3 openssl nbdkit >/dev/null
    for deb in "$root.system"/apt/archives/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$root.system"; done
fi
# have PROGRAM: a system that this script unpacks has all; on this machine a program may be missing, with a message.
have() {
    if command -v "$bin$1" >/dev/null; then return 0; fi
    [ -z "$bin" ] || { echo "no $1 in the unpacked system" >&2; exit 1; }
    echo "skipped: $1 is not installed"
    return 1
}
multi=$($gcc -print-multiarch)
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
touch "$root/var/lib/dpkg/status"
# Without dependencies: libc is the machine's.
dpkg() { command dpkg --root="$root" --log="$root/dpkg.log" --force-depends --force-architecture --force-not-root --force-script-chrootless "$@" 2>&1; }
log=$(dpkg -i "$debs"/*_"$arch".deb) || { echo "$log"; exit 1; }
usr=$root/usr lib=$root/usr/lib/$multi
export LD_LIBRARY_PATH=$lib
printf abc >"$root/abc"

if [ -x "$usr/bin/bulat" ]; then
    "${run[@]}" "$usr/bin/bulat" hash "$root/abc" | grep '^4e2919cf137ed41e' >/dev/null
    [ -f "$usr/share/man/man1/bulat.1.gz" ]
    [ -s "$usr/share/bash-completion/completions/bulat" ]
    echo "bulat: hashes"
fi
if [ -f "$usr/include/bulat.h" ]; then
    export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    # Builds the example from the installed packages.
    # shellcheck disable=SC2046
    $gcc "$usr/share/doc/libbulat-dev/examples/hash.c" -o "$root/hash" $(pkg-config --cflags --libs bulat)
    "${run[@]}" "$root/hash" "$root/abc" | grep '^4e2919cf137ed41e' >/dev/null
    [ -f "$usr/share/man/man3/bulat.3.gz" ]
    echo "libbulat0, libbulat-dev: an example is built and hashes"
fi
if [ -f "$lib/ossl-modules/bulat.so" ] && have openssl; then
    said=$(printf abc | "${run[@]}" "${bin}openssl" dgst -provider-path "$lib/ossl-modules" -provider bulat -provider default -md_gost12_256)
    grep -q '4e2919cf137ed41e' <<<"$said" || { echo "$said"; exit 1; }
    echo "openssl-provider-bulat: openssl hashes by it"
fi
if [ -f "$lib/nbdkit/plugins/nbdkit-bulat-plugin.so" ] && have nbdkit; then
    "${run[@]}" "${bin}nbdkit" "$lib/nbdkit/plugins/nbdkit-bulat-plugin.so" --help | grep password-file >/dev/null
    echo "nbdkit-plugin-bulat: nbdkit loads it"
fi
if [ -f "$usr/lib/python3/dist-packages/bulat/_bulat.abi3.so" ]; then
    tried=
    for minor in 11 12 13 14; do
        python=${bin}python3.$minor
        "${run[@]}" "$python" -c pass 2>/dev/null || continue
        tried=1
        said=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$usr/lib/python3/dist-packages "${run[@]}" "$python" -c 'import bulat; print(bulat.streebog256(b"abc").hexdigest())')
        [ "${said:0:16}" = 4e2919cf137ed41e ] || { echo "$said"; exit 1; }
        echo "python3-bulat: Python 3.$minor hashes"
    done
    [ -n "$tried" ] || [ -z "$bin" ] || { echo "no Python of the unpacked system runs"; exit 1; }
    [ -n "$tried" ] || echo "skipped: python3-bulat: no Python from 3.11 on"
fi
if [ -x "$usr/bin/bulatd" ]; then
    # The shipped configuration, with the folders of this root. It starts after `init`, as README.Debian says.
    sed "s|/var/log|$root/var/log|; s|^credential = .*|file = \"$root/etc/bulatd/root.key\"|; s|:8200|:$((10000 + $$ % 20000))|" \
        "$root/etc/bulatd/bulatd.toml" >"$root/bulatd.toml"
    printf '[database]\nurl = "sqlite:%s/var/lib/bulatd/bulatd.db"\n' "$root" >>"$root/bulatd.toml"
    mkdir -p "$root/var/log/bulatd" "$root/var/lib/bulatd"
    bulatd=("${run[@]}" "$usr/bin/bulatd" --config "$root/bulatd.toml")
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
if [ -x "$usr/bin/bulat-esp" ]; then
    # It ends with 1: nothing runs there.
    said=$("${run[@]}" "$usr/bin/bulat-esp" status --socket "$root/none" 2>&1) || [ $? = 1 ]
    grep -q "no bulat-esp runs there" <<<"$said" || { echo "$said"; exit 1; }
    zcat "$usr/share/man/man1/bulat-esp.1.gz" | grep -q 'tun\\-mtu'
    [ -s "$usr/lib/systemd/system/bulat-esp.service" ] && cmp "$usr/src/kernel-bulat/LICENSE" crates/esp/strongswan/LICENSE
    echo "bulat-esp: starts; its unit, its manual page and the plugin's source are there"
    if [ "$(id -u)" = 0 ] && [ -e /dev/net/tun ] && unshare --net true 2>/dev/null; then
        # qemu has no filters of system calls.
        timeout 60 unshare --net "${run[@]}" "$usr/bin/bulat-esp" run --user nobody --no-filter --socket "$root/control" 2>"$root/said" &
        server=$!
        for _ in {1..100}; do [ ! -S "$root/control" ] || break; sleep 0.1; done
        said=$("${run[@]}" "$usr/bin/bulat-esp" status --socket "$root/control" 2>&1) || true
        kill "$server" && wait "$server" || true
        grep -q "0 SAs, 0 policies" <<<"$said" || { echo "$said"; cat "$root/said"; exit 1; }
        echo "bulat-esp: runs, and answers at its socket"
    fi
fi
names=$(command dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Package} ')
# shellcheck disable=SC2086
log=$(dpkg --purge $names) || { echo "$log"; exit 1; }
left=$(find "$usr" "$root/etc" "$root/var/log" "$root/var/lib/bulatd" ! -type d 2>/dev/null || true)
[ -z "$left" ] || { echo "files remain: $left"; exit 1; }
echo "removed: $names"
