"""The known answers of `bulat selftest` for keystream modes, by the Python reference: what a new mode's line needs.

    python3 verification/vectors/data/tools/selftest_sums.py

prints the sums of OFB, which must be those of crates/bulat/src/selftest.rs. Put the new mode in place of `ofb`.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'ref'))
import gostref


def pattern(n, salt):
    """The self-test's input: byte i is the highest of (i + 1000 salt) 0x9e3779b1 modulo 2^32."""
    return bytes((i * 0x9e3779b1 & 0xffffffff) >> 24 for i in range(1000 * salt, 1000 * salt + n))


def checksum(data):
    """FNV-1a, 64 bits."""
    h = 0xcbf29ce484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


for name, cipher in ('kuznyechik', gostref.Kuznyechik), ('magma', gostref.Magma):
    iv = bytearray(pattern(cipher.block, 2))
    iv[0] &= 0x7f
    out = gostref.ofb(cipher(pattern(32, 1)), bytes(iv), pattern(9001, 3))
    print(f'("{name}-ofb", {checksum(out):#018x}),')
