#!/usr/bin/env bash
# libmhash: GOST R 34.11-94 of data that begins with 32 bytes of ff, as erased flash does, is a wrong value, without an error.
#
# Packages: libmhash2 0.9.9.9-9 and, to compare, nettle-bin 3.8.1-2 and rhash 1.4.3-3 of Debian 12 (apt-get download, unpacked in a
#   temporary folder); seen on 2026-11-29.
# Input: ff 32 times, then a short text; the same text first; 64 bytes of ff; "abc"; nothing.
# Behaviour: the hash adds all blocks as numbers of 256 bits. mhash adds words of 32 bits and loses a carry where the sum's word is ffffffff,
#   the block's word is not, and a carry comes in: the new word then equals the block's, and mhash sees an overflow only in a smaller
#   word. A file is wrong that begins with blocks of ff, if the next block, as a number, is large enough to carry; most are.
# Where it shows: AIDE 0.18.3 of Debian 12 takes its checksum "gost" from this library. AIDE 0.19.1 of Debian 13 (Nettle) reported such
#   a file, which nobody had touched, as changed, with a database of the former.
#
# Output seen:
#   ff x 32, text: mhash f2153c2dd90e10f3, nettle and rhash 7589517075660e51
#   text, ff x 32: equal
#   ff x 64: equal
#   abc: equal
#   nothing: equal
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download libmhash2=0.9.9.9-9 nettle-bin=3.8.1-2 libnettle8=3.8.1-2 libhogweed6=3.8.1-2 rhash=1.4.3-3 librhash0=1.4.3-3 >apt.log 2>&1 ||
    { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >try.py <<'PY'
import ctypes, subprocess

mhash = ctypes.CDLL("libmhash.so.2")
mhash.mhash_init.restype = mhash.mhash_end.restype = ctypes.c_void_p
mhash.mhash.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]
mhash.mhash_end.argtypes = [ctypes.c_void_p]
GOST = 8  # MHASH_GOST of mhash.h: the S-boxes of the test set
text, erased = b"data after the erased block", b"\xff" * 32
for name, data in (("ff x 32, text", erased + text), ("text, ff x 32", text + erased), ("ff x 64", erased * 2), ("abc", b"abc"), ("nothing", b"")):
    state = mhash.mhash_init(GOST)
    mhash.mhash(state, data, len(data))
    theirs = ctypes.string_at(mhash.mhash_end(state), 32).hex()
    run = lambda *command: subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode()
    nettle = run("root/usr/bin/nettle-hash", "-a", "gosthash94").replace(" ", "")[:64]
    with open("data", "wb") as file:
        file.write(data)
    rhash = run("root/usr/bin/rhash", "--gost94", "--simple", "data").split()[0]
    print(f"{name}: ", end="")
    assert nettle == rhash
    print("equal" if theirs == nettle else f"mhash {theirs[:16]}, nettle and rhash {nettle[:16]}")
PY
LD_LIBRARY_PATH=$PWD/root/usr/lib/x86_64-linux-gnu python3 try.py | tee seen
sed -n 's/^#   \(\(ff\|text\|abc\|nothing\).*: .*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
