#!/usr/bin/env bash
# GnuTLS: a handle of a GOST cipher, used for a second message with gnutls_cipher_set_iv, continues with the key that the first one left behind.
# So the second message is encrypted otherwise than by a new handle with the same key and IV. GOST 28147-89's MAC does the same.
#
# Packages: libgnutls30 3.7.9-2+deb12u7 of Debian 12 with the libraries it needs (apt-get download, unpacked in a temporary folder), called
#   by Python's ctypes; seen on 2026-11-30.
# Input: for each cipher a first message of 512, 1024 or 4096 bytes, then gnutls_cipher_set_iv and a second one of 2048 bytes; to compare, the
#   second one by a new handle with that IV, also decrypted. For MACs one message twice through one handle, with gnutls_hmac_output between.
# Behaviour: key meshing (RFC 4357, 2.3.2) and CTR-ACPKM (RFC 8645, 6.2.2) change the key after each section, and every message begins with
#   the first key. The handle keeps the changed key and its count of bytes: a new IV resets neither. gnutls_hmac_output, which by its
#   manual resets the state of the MAC, does not either, so that all is right until the messages are 1024 bytes together. No call
#   resets a handle, none fails, and a peer that opens a handle for each message reads noise. AES, Camellia, ChaCha20, HMAC and OMAC
#   begin anew. The sources of 3.8.9 and 3.8.13 have the same functions.
#
# Output seen (the first byte of the second message that differs, after a first message of 512, 1024, 4096 bytes):
#   GOST28147-TC26Z-CFB: 512, 0, 0; decrypted wrong
#   GOST28147-CPA-CFB: 512, 0, 0; decrypted wrong
#   GOST28147-TC26Z-CNT: 512, 0, 0; decrypted wrong
#   MAGMA-CTR-ACPKM: 512, 0, 0; decrypted wrong
#   KUZNYECHIK-CTR-ACPKM: none, none, 0; decrypted wrong
#   AES-256-CBC: none, none, none; decrypted right
#   GOST28147-TC26Z-IMIT: 512 bytes twice: equal, 520 bytes twice: differ
#   OMAC-MAGMA: 512 bytes twice: equal, 520 bytes twice: equal
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download libgnutls30=3.7.9-2+deb12u7 libnettle8 libhogweed6 libtasn1-6 libp11-kit0 libidn2-0 libunistring2 libgmp10 libffi8 \
    >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >try.py <<'PY'
import ctypes

lib = ctypes.CDLL("libgnutls.so.30")


class Datum(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_uint)]


def call(name, *values):
    values = [ctypes.c_size_t(v) if isinstance(v, int) else v for v in values]
    assert getattr(lib, name)(*values) == 0, name


def text(size):
    return bytes(i * i % 251 for i in range(size))


def handle(cipher, iv):
    new, key, iv = ctypes.c_void_p(), Datum(text(32), 32), Datum(iv, len(iv))
    call("gnutls_cipher_init", ctypes.byref(new), cipher, ctypes.byref(key), ctypes.byref(iv))
    return new


def crypt(new, data, way="encrypt"):
    out = ctypes.create_string_buffer(len(data))
    call(f"gnutls_cipher_{way}2", new, data, len(data), out, len(data))
    return out.raw


def second(cipher, size, way, data):
    first, iv = (bytes([n] * lib.gnutls_cipher_get_iv_size(cipher)) for n in (1, 2))
    fresh = crypt(handle(cipher, iv), data, way)
    used = handle(cipher, first)
    crypt(used, text(size), way)
    lib.gnutls_cipher_set_iv(used, iv, ctypes.c_size_t(len(iv)))
    again = crypt(used, data, way)
    return next((i for i in range(len(data)) if again[i] != fresh[i]), "none")


for name in "GOST28147-TC26Z-CFB GOST28147-CPA-CFB GOST28147-TC26Z-CNT MAGMA-CTR-ACPKM KUZNYECHIK-CTR-ACPKM AES-256-CBC".split():
    cipher = lib.gnutls_cipher_get_id(name.encode())
    places = ", ".join(str(second(cipher, size, "encrypt", text(2048))) for size in (512, 1024, 4096))
    right = second(cipher, 4096, "decrypt", text(2048)) == "none"
    print(f"{name}: {places}; decrypted {'right' if right else 'wrong'}")
for name in ("GOST28147-TC26Z-IMIT", "OMAC-MAGMA"):
    mac, said = lib.gnutls_mac_get_id(name.encode()), []
    for size in (512, 520):
        new, values = ctypes.c_void_p(), []
        call("gnutls_hmac_init", ctypes.byref(new), mac, text(32), 32)
        for _ in range(2):
            out = ctypes.create_string_buffer(8)
            call("gnutls_hmac", new, text(size), size)
            lib.gnutls_hmac_output(new, out)
            values.append(out.raw)
        said.append(f"{size} bytes twice: {'equal' if values[0] == values[1] else 'differ'}")
    print(f"{name}: {', '.join(said)}")
PY
libraries=$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu
LD_LIBRARY_PATH=$libraries python3 try.py >seen
cat seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
