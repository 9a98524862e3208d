#!/usr/bin/env bash
# cryptsetup: a label or a subsystem of LUKS2 that is too long is cut to 47 bytes, without a word and with exit status 0. Two volumes
# with different labels then have one label, and a label of 24 Cyrillic letters ends in half a letter.
#
# Packages: cryptsetup-bin, libcryptsetup12 2:2.6.1-4~deb12u2 of Debian 12 with the libraries they need (apt-get download, unpacked in
#   a temporary folder); seen on 2026-11-28. 2.7.5 (Debian 13) did the same.
# Input: luksFormat --label with the names of two disks, 51 characters that differ in the last two; config --label with 24 Cyrillic
#   letters (48 bytes); config --subsystem with 60 characters.
# Behaviour: the field has 48 bytes with a zero at the end. All calls succeed and print nothing; luksDump, and udev's by-label links with
#   it, have the first 47 bytes.
#
# Output seen:
#   luksFormat, 51 bytes: status 0, 0 bytes said, kept 47: archive-of-the-accounting-department-2026-backu
#   luksFormat, 51 bytes: status 0, 0 bytes said, kept 47: archive-of-the-accounting-department-2026-backu
#   config, 48 bytes: status 0, 0 bytes said, kept 47, not UTF-8
#   config --subsystem, 60 bytes: status 0, 0 bytes said, kept 47
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download cryptsetup-bin=2:2.6.1-4~deb12u2 libcryptsetup12=2:2.6.1-4~deb12u2 libpopt0 libargon2-1 libdevmapper1.02.1 libjson-c5 \
    >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH=$PWD/root/lib/x86_64-linux-gnu:$PWD/root/usr/lib/x86_64-linux-gnu
cryptsetup() { root/sbin/cryptsetup "$@"; }
cryptsetup --version >/dev/null || exit 2
printf 'a password' >key
# field LABEL|SUBSYSTEM FILE: what the header has, byte for byte: at 24 and at 208, up to the zero.
field() { python3 -c 'import sys; data = open(sys.argv[2], "rb").read(4096); at = {"label": 24, "subsystem": 208}[sys.argv[1]]; sys.stdout.buffer.write(data[at:at + 48].split(b"\0")[0])' "$1" "$2"; }
# told NAME TEXT FIELD FILE COMMAND...
told() {
    local name=$1 text=$2 what=$3 file=$4 status=0
    shift 4
    cryptsetup "$@" >said 2>&1 || status=$?
    field "$what" "$file" >kept
    printf '%s, %d bytes: status %d, %d bytes said, kept %d' "$name" "$(printf %s "$text" | wc -c)" "$status" "$(wc -c <said)" "$(wc -c <kept)"
}
{
    for year in 27 28; do
        label=archive-of-the-accounting-department-2026-backup-$year
        truncate -s 18M "disk$year"
        told luksFormat "$label" label "disk$year" luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --label "$label" "disk$year" key
        printf ': %s\n' "$(cat kept)"
    done
    letters=аааааааааааааааааааааааа
    told config "$letters" label disk27 config --label "$letters" disk27
    iconv -f UTF-8 kept >/dev/null 2>&1 || printf ', not UTF-8'
    printf '\n'
    long=$(printf 's%.0s' $(seq 60))
    told "config --subsystem" "$long" subsystem disk27 config --subsystem "$long" disk27
    printf '\n'
} | tee seen
sed -n 's/^#   \(\(luksFormat\|config\).*: status .*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
