#!/usr/bin/env bash
# streebog-lc (PyPI): Streebog of nothing, and of each text of a multiple of 64 bytes, is wrong; hash512_file gives 256 bits.
#
# Package: streebog-lc 0.2.0 from PyPI, Python over a library of Go in the wheel; seen with Python 3.11.7 on 2026-11-29. To compare:
#   libgcrypt (Debian 12's 1.10.1).
# Input: texts of 0 to 257 bytes, as bytes and in a file.
# Behaviour: where a text ends with a whole block, the standard (RFC 6986, 7) appends a block of padding. The package gives another value there,
#   without an error: 5 of 258 lengths, and with them files of usual sizes, such as images of disks. hash512_file returns the digest of 256
#   bits: 64 digits, which are equal to those of hash256_file.
#
# Output seen:
#   hash256_bytes: wrong for 0 64 128 192 256
#   hash512_bytes: wrong for 0 64 128 192 256
#   hash256_file: wrong for 0 64 128 192 256
#   hash512_file: 258 of 258 equal to hash256_file
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check streebog-lc==0.2.0 >pip.log 2>&1 || { tail -3 pip.log; exit 2; }
cat >try.py <<'PY'
import ctypes

import streebog_lc as theirs

gcrypt = ctypes.CDLL("libgcrypt.so.20")


def right(bits, text):
    digest = ctypes.create_string_buffer(bits // 8)
    gcrypt.gcry_md_hash_buffer({256: 309, 512: 310}[bits], digest, text, ctypes.c_size_t(len(text)))
    return digest.raw.hex()


assert right(256, b"abc").startswith("4e2919cf137ed41e")
texts = [bytes(i % 251 for i in range(n)) for n in range(258)]


def in_file(call, text):
    with open("text", "wb") as file:
        file.write(text)
    return call("text")


for name, bits, call in (
    ("hash256_bytes", 256, theirs.hash256_bytes),
    ("hash512_bytes", 512, theirs.hash512_bytes),
    ("hash256_file", 256, lambda text: in_file(theirs.hash256_file, text)),
):
    print(f"{name}: wrong for", *(len(text) for text in texts if call(text) != right(bits, text)))
equal = sum(in_file(theirs.hash512_file, text) == theirs.hash256_file("text") for text in texts)
print(f"hash512_file: {equal} of {len(texts)} equal to hash256_file")
PY
venv/bin/python try.py | tee seen
sed -n 's/^#   \(hash.*: .*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
