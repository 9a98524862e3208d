#!/usr/bin/env bash
# luks2 (Rust): reading to the end of a LUKS2 volume gives all but the last part, as long as the header, usually 16 MiB, without an error.
# With sectors of 4096 bytes, which cryptsetup chooses for such disks, all after the first sector is noise, without an error, too.
#
# Packages: luks2 0.5.0 and the crates that it needs (crates.io); cryptsetup-bin, libcryptsetup12 2:2.6.1-4~deb12u2 of Debian 12 with the libraries
#   they need (apt-get download, unpacked in a temporary folder); to compare, dissect.fve 4.6 (PyPI); seen with Rust 1.95 on 2026-12-01.
# Input: files that cryptsetup reencrypt --encrypt turned into volumes (AES-XTS, PBKDF2) with 3072 and 1024 KiB of data after a header of 1024 KiB,
#   sectors of 512 and 4096 bytes; the smaller one is the first, cut. LuksDevice::from_device, then Read to the end. With the usual
#   header it is so, too.
# Behaviour: the number of the sector counts from the start of the device, and the number that it is compared with, the segment's sectors, from the
#   start of the data: so the end comes too early by the data's offset, less a sector. The tweak is the number of the sector, where cryptsetup
#   and Linux count in units of 512 bytes. The argument sector_size must be 512 for the keyslots, or the right password is wrong.
#
# Output seen:
#   sectors of 512, 3072 KiB of data: luks2 reads 2097664 bytes, wrong from none; dissect reads 3145728
#   sectors of 512, 1024 KiB of data: luks2 reads 512 bytes, wrong from none; dissect reads 1048576
#   sectors of 4096, 3072 KiB of data: luks2 reads 2101248 bytes, wrong from 4096; dissect reads 3145728
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
unset OPENSSL_CONF
apt-get download cryptsetup-bin=2:2.6.1-4~deb12u2 libcryptsetup12=2:2.6.1-4~deb12u2 libpopt0 libargon2-1 libdevmapper1.02.1 libjson-c5 \
    >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cryptsetup() { LD_LIBRARY_PATH=$work/root/lib/x86_64-linux-gnu:$work/root/usr/lib/x86_64-linux-gnu root/sbin/cryptsetup "$@"; }
cryptsetup --version >/dev/null || exit 2
python3 -m venv v
v/bin/pip install -q dissect.fve==4.6 >pip.log 2>&1 || { tail -3 pip.log; exit 2; }
mkdir -p try/src
cat >try/Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.1.0"
edition = "2021"

[dependencies]
luks2 = "=0.5.0"

[profile.dev]
debug = false
incremental = false
TOML
cat >try/src/main.rs <<'RUST'
use std::io::Read;

fn main() {
    let names: Vec<String> = std::env::args().collect();
    let file = std::fs::File::open(&names[1]).unwrap();
    let mut device = luks2::LuksDevice::from_device(file, b"a password", 512).unwrap();
    let mut read = Vec::new();
    device.read_to_end(&mut read).unwrap();
    std::fs::write(&names[2], read).unwrap();
}
RUST
(cd try && CARGO_TARGET_DIR=$work/target cargo build -q >cargo.log 2>&1) || { tail -5 try/cargo.log; exit 2; }
cat >compare.py <<'PY'
import sys
from dissect.fve.luks import LUKS

with open(sys.argv[1], "rb") as file:
    volume = LUKS(file)
    volume.unlock_with_passphrase("a password")
    right = volume.open().read()
with open(sys.argv[2], "rb") as file:
    read = file.read()
wrong = next((str(i) for i, (a, b) in enumerate(zip(read, right)) if a != b), "none")
print(f"luks2 reads {len(read)} bytes, wrong from {wrong}; dissect reads {len(right)}")
PY
printf 'a password' >key

# The bytes of a sector.
make()
{
    python3 -c 'print("".join("block %9d\n" % i for i in range(262144)), end="")' >disk
    cryptsetup reencrypt --encrypt -q --type luks2 --cipher aes-xts-plain64 --key-size 512 --sector-size "$1" --pbkdf pbkdf2 \
        --pbkdf-force-iterations 1000 --luks2-metadata-size 16k --luks2-keyslots-size 992k --reduce-device-size 2M --key-file key disk >cryptsetup.log 2>&1
}

# The bytes of a sector, KiB of data.
show()
{
    truncate -s $((1024 + $2))K disk
    target/debug/try disk read
    echo "sectors of $1, $2 KiB of data: $(v/bin/python compare.py disk read)"
}

{
    make 512
    for kibibytes in 3072 1024; do show 512 $kibibytes; done
    make 4096
    show 4096 3072
} | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
