#!/usr/bin/env bash
# In a bare Debian: installs the packages of a release as README.md says, does the main job of each, removes them, and compares the files
# with those before. Then the wheel by pip, and the command as one file.
#   bash tools/packaging/bare.sh FOLDER [SUITE [OLDER]]     bookworm; OLDER has packages that are installed first; what they encrypt
#                                                         is opened after the upgrade
# It needs root, debootstrap and Debian's archive. ROOT=DIR uses a root that debootstrap has made, and changes it.
set -euo pipefail
# The mounts end with the script.
[ -n "${BARE:-}" ] || exec env BARE=1 unshare --mount --propagation private bash "$0" "$@"
folder=$(cd "${1:?usage: tools/packaging/bare.sh FOLDER [SUITE [OLDER]]}" && pwd)
suite=${2:-bookworm} older=${3:-}
arch=$(dpkg --print-architecture)
work=$(mktemp -d)
root=${ROOT:-$work/root}
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
if [ ! -e "$root/bin/sh" ]; then
    mirror=$(grep -hoE '(http|https|file)://[^ ]*debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 | tr -d ' ' || true)
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" || { tail "$work/log"; exit 1; }
fi
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
# Only folders that this script has made are removed.
for made in "$root/release" "$root/older"; do
    if [ -e "$made/.bulat" ]; then rm -rf "$made"; fi
    mkdir "$made"
    touch "$made/.bulat"
done
cp "$folder"/*"$arch".deb "$folder"/*_x86_64.whl "$folder"/bulat-*-x86_64-linux "$root/release/"
if [ -n "$older" ]; then cp "$older"/*"$arch".deb "$root/older/"; fi
cat >"$root/release/run" <<'R'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C PYTHONDONTWRITEBYTECODE=1
quiet() { "$@" >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }; }
apt() { quiet apt-get -y -o APT::Sandbox::User=root --no-install-recommends "$@"; }
files() { find / -xdev \( -path /proc -o -path /dev -o -path /sys -o -path /tmp -o -path /release -o -path /older -o -path /var/cache \
    -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log/apt -o -path /root/.cache \) -prune -o -print | sort; }
apt update
# The programs that the packages are for.
apt install ca-certificates curl nbdkit openssl python3 python3-venv
cd /release
files >/tmp/before
printf abc >/tmp/abc
sealed() { bulat key new -o /tmp/key && bulat encrypt -k /tmp/key -o /tmp/sealed /tmp/abc; }
opened() { bulat decrypt -k /tmp/key -o - /tmp/sealed | cmp - /tmp/abc; }
# As README.Debian says, without systemd: the key as a file, and the folder of the log.
init() { bulatd --root-key /etc/bulatd/root.key init --new-root-key | tail -n 1; }
# call PATH JSON: starts the service, prints its answer, stops it.
call() {
    install -d -m 700 /var/log/bulatd
    timeout 100 bulatd --root-key /etc/bulatd/root.key server 2>/tmp/bulatd &
    curl -sS --retry 60 --retry-delay 1 --retry-connrefused -H "X-Vault-Token: $token" -d "$2" "http://127.0.0.1:8200/v1/transit/$1" || true
    kill $! && wait $! || true
}
encrypted() { call encrypt/demo '{"plaintext": "aGVsbG8="}' | sed -n 's/.*"ciphertext": *"\([^"]*\)".*/\1/p'; }
if [ -e "$(echo /older/bulat_*)" ]; then
    apt install /older/*.deb
    sealed
    token=$(init)
    kept=$(encrypted)
    [ -n "$kept" ] || { cat /tmp/bulatd; exit 1; }
    echo "installed the older packages: $(dpkg-query -W -f '${Version}' bulat); they encrypt a file, and in the service"
fi
# An upgrade between packages of one version is a reinstallation.
apt install --reinstall ./*.deb
names=$(for deb in ./*.deb; do dpkg-deb -f "$deb" Package; done)
echo "installed: $(echo $names)"
if [ -n "${kept:-}" ]; then
    opened
    call decrypt/demo "{\"ciphertext\": \"$kept\"}" | grep -q '"aGVsbG8="' || { cat /tmp/bulatd; exit 1; }
    echo "upgraded: the file and the service's data of the older packages open"
    rm /tmp/key /tmp/sealed
fi
bulat hash /tmp/abc | grep -q ^4e2919cf137ed41e
sealed
opened
echo "bulat: hashes, encrypts, decrypts"
openssl dgst -provider bulat -provider default -md_gost12_256 /tmp/abc | grep -q 4e2919cf137ed41e
echo "openssl-provider-bulat: $(openssl version | cut -d' ' -f1,2) hashes"
python3 -c 'import ctypes; lib = ctypes.CDLL("libbulat.so.0"); lib.bulat_version.restype = ctypes.c_char_p; print("libbulat0:", lib.bulat_version().decode())'
python3 -c 'import bulat; assert bulat.streebog256(b"abc").hexdigest().startswith("4e2919cf137ed41e"); print("python3-bulat: hashes")'
bulat volume create --help >/dev/null
nbdkit bulat --help >/tmp/said
grep -q password-file /tmp/said
echo "nbdkit-plugin-bulat: nbdkit finds it"
[ -n "${token:-}" ] || token=$(init)
[ -n "$(encrypted)" ] || { cat /tmp/bulatd; exit 1; }
echo "bulatd: encrypts, with the configuration of the package"
# As the unit does, but with a network of its own, and the right to the device given by hand.
[ -e /dev/net/tun ] || { mkdir -p /dev/net; mknod /dev/net/tun c 10 200; }
mkdir /run/bulat-esp
timeout 100 unshare --net bulat-esp run --mark 0x42 --user nobody 2>/tmp/bulat-esp &
for i in 1 2 3 4 5 6 7 8 9 10; do bulat-esp status >/tmp/said 2>&1 && break; sleep 0.5; done
grep -q bulat0 /tmp/said || { cat /tmp/said /tmp/bulat-esp; exit 1; }
kill $! && wait $! || true
rm -rf /run/bulat-esp
echo "bulat-esp: runs"
apt purge $names
# Packages that only these needed: there are none, since the programs were there before.
apt autoremove --purge
files >/tmp/after
diff /tmp/before /tmp/after || { echo "files remain"; exit 1; }
echo "removed: nothing left"
python3 -m venv /tmp/venv
quiet /tmp/venv/bin/pip install --no-index ./*.whl
/tmp/venv/bin/python -c 'import bulat; assert bulat.streebog256(b"abc").hexdigest().startswith("4e2919cf137ed41e"); print("wheel: hashes")'
install -D ./bulat-*-x86_64-linux /tmp/bin/bulat
/tmp/bin/bulat hash /tmp/abc | grep -q ^4e2919cf137ed41e
/tmp/bin/bulat selftest >/dev/null
echo "the command as one file: hashes, tests itself"
R
chroot "$root" /bin/sh /release/run
