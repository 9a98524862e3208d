#!/usr/bin/env bash
# libgcrypt, GOST 28147-89: gcry_mac_reset resets too little, so that messages of 1 to 8 bytes get another MAC and gcry_mac_verify refuses
# the right one; gcry_cipher_reset resets too much, so that the S-boxes are others. A second gcry_mac_setkey continues the first
# message. Past 1024 bytes the MAC is not that of GnuTLS.
#
# Packages: libgcrypt20 1.10.1-3+deb12u1, libgnutls30 3.7.9-2+deb12u7 of Debian 12 with the libraries they need (apt-get download, unpacked
#   in a temporary folder), called by Python's ctypes; seen on 2026-11-30. The sources of 1.11.0 and 1.12.4 have the same functions.
# Input: GCRY_MAC_GOST28147_IMIT with the S-boxes of TC26 (gcry_mac_ctl with GCRYCTL_SET_SBOX), messages of 0 to 2000 bytes; GnuTLS's
#   GOST28147-TC26Z-IMIT to compare. GCRY_CIPHER_GOST28147 in CFB mode with CryptoPro's S-boxes A, set before or after the key.
#   The manual: gcry_mac_reset "is effectively identical to a close followed by an open and setting same key".
# Behaviour: a message of one block gets a block of zeros more. The number of blocks, by which that is decided, survives gcry_mac_reset, so a
#   short message after any other lacks it. gcry_mac_setkey resets nothing: the next MAC continues the last one, without an error. HMAC
#   begins anew there; CMAC refuses the text, and gcry_mac_read then returns the last message's MAC with success. A cipher's reset
#   restores what gcry_cipher_setkey saved; S-boxes that were set after it are gone, and the default ones, the test set, encrypt.
#   Key meshing (RFC 4357, 2.3.2) is in the code of the MAC, but its count of bytes stays at 0 there, so no key is ever changed; GnuTLS
#   and gost-engine change it after 1024 bytes.
#
# Output seen:
#   reset: another MAC for 1 to 8 bytes
#   reset, verify the right one: 8 bytes: Checksum error, 9 bytes: Success
#   setkey, GOST28147_IMIT: write Success, read Success, as new: False, as before: False
#   setkey, CMAC_AES: write Invalid state, read Success, as new: False, as before: True
#   setkey, HMAC_SHA256: write Success, read Success, as new: True, as before: False
#   cipher, S-boxes before the key: as set; after a reset: as set
#   cipher, S-boxes after the key: as set; after a reset: default
#   equal to GnuTLS: 0 to 1024 bytes
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download libgcrypt20=1.10.1-3+deb12u1 libgpg-error0 libgnutls30=3.7.9-2+deb12u7 libnettle8 libhogweed6 libtasn1-6 libp11-kit0 \
    libidn2-0 libunistring2 libgmp10 libffi8 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >try.py <<'PY'
import ctypes

lib, gnutls = ctypes.CDLL("libgcrypt.so.20"), ctypes.CDLL("libgnutls.so.30")
lib.gcry_check_version.restype = lib.gcry_strerror.restype = lib.gcry_mac_algo_name.restype = ctypes.c_char_p
lib.gcry_check_version(None)
IMIT, HMAC_SHA256, CMAC_AES, GOST28147, CFB, RESET, SET_SBOX, KEY = 1, 101, 201, 315, 2, 4, 73, bytes(range(32))


def call(name, *values):
    values = [ctypes.c_size_t(v) if isinstance(v, int) else v for v in values]
    return lib.gcry_strerror(getattr(lib, name)(*values)).decode()


def handle(algorithm):
    new = ctypes.c_void_p()
    lib.gcry_mac_open(ctypes.byref(new), algorithm, 0, None)
    if algorithm == IMIT:
        lib.gcry_mac_ctl(new, SET_SBOX, b"1.2.643.7.1.2.5.1.1", ctypes.c_size_t(0))
    assert call("gcry_mac_setkey", new, KEY, 32) == "Success"
    return new


def read(used):
    out, size = ctypes.create_string_buffer(32), ctypes.c_size_t(32)
    return call("gcry_mac_read", used, out, ctypes.byref(size)), out.raw[: size.value]


def mac(used, data):
    call("gcry_mac_write", used, data, len(data))
    return read(used)[1]


def reset(data):
    used = handle(IMIT)
    mac(used, text)
    lib.gcry_mac_ctl(used, RESET, None, ctypes.c_size_t(0))
    return used


text = bytes(i * i % 251 for i in range(2000))
other = [n for n in range(100) if mac(reset(text), text[:n]) != mac(handle(IMIT), text[:n])]
print(f"reset: another MAC for {other[0]} to {other[-1]} bytes")
said = []
for n in (8, 9):
    used, right = reset(text), mac(handle(IMIT), text[:n])
    call("gcry_mac_write", used, text[:n], n)
    said.append(f"{n} bytes: {call('gcry_mac_verify', used, right, len(right))}")
print("reset, verify the right one:", ", ".join(said))
for algorithm in (IMIT, CMAC_AES, HMAC_SHA256):
    used = handle(algorithm)
    before = mac(used, text)
    assert call("gcry_mac_setkey", used, KEY, 32) == "Success"
    write = call("gcry_mac_write", used, b"another", 7)
    status, value = read(used)
    new = value == mac(handle(algorithm), b"another")
    name = lib.gcry_mac_algo_name(algorithm).decode()
    print(f"setkey, {name}: write {write}, read {status}, as new: {new}, as before: {value == before}")


def encrypted(steps):
    new, out = ctypes.c_void_p(), ctypes.create_string_buffer(64)
    lib.gcry_cipher_open(ctypes.byref(new), GOST28147, CFB, 0)
    for step in steps:
        if step == "key":
            assert call("gcry_cipher_setkey", new, KEY, 32) == "Success"
        else:
            code, name = (SET_SBOX, b"1.2.643.2.2.31.1") if step == "boxes" else (RESET, None)
            assert lib.gcry_cipher_ctl(new, code, name, ctypes.c_size_t(0)) == 0
    assert call("gcry_cipher_setiv", new, bytes(8), 8) == "Success"
    assert call("gcry_cipher_encrypt", new, out, 64, text[:64], 64) == "Success"
    return out.raw


names = {encrypted(["key"]): "default", encrypted(["boxes", "key"]): "as set"}
for place, steps in (("before", ["boxes", "key"]), ("after", ["key", "boxes"])):
    print(f"cipher, S-boxes {place} the key: {names[encrypted(steps)]}; after a reset: {names[encrypted([*steps, 'reset'])]}")


def peer(data):
    out = ctypes.create_string_buffer(4)
    size = ctypes.c_size_t(len(data))
    gnutls.gnutls_hmac_fast(gnutls.gnutls_mac_get_id(b"GOST28147-TC26Z-IMIT"), KEY, ctypes.c_size_t(32), data, size, out)
    return out.raw


equal = [n for n in range(2000) if mac(handle(IMIT), text[:n])[:4] == peer(text[:n])]
print(f"equal to GnuTLS: {equal[0]} to {equal[-1]} bytes")
assert equal == list(range(equal[-1] + 1))
PY
LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu python3 try.py >seen
cat seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
