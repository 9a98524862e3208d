#!/usr/bin/env bash
# libgcrypt: among the numbers of a curve that it gives out, the cofactor alone is a decimal text. Read as the others are, the cofactor 4 of the
# curves of GOST R 34.10-2012 in Edwards form is 52, and the cofactor 1 of all others is 49: the codes of the digits.
#
# Package: libgcrypt20 1.10.1-3+deb12u1 of Debian 12 (apt-get download, unpacked in a temporary folder), called by Python's ctypes; seen on
#   2026-12-01.
# Input: gcry_pk_get_param(GCRY_PK_ECC, name) for curves of GOST R 34.10, NIST P-256 and Ed25519, and a new key with the flag "param". Each
#   number is read by gcry_sexp_extract_param, as for p, a, b and n, and the cofactor also as a text.
# Behaviour: p, a, b, g and n are bytes of a number, (n #40..#), and the cofactor is printed by %u into (h "4"). So it is one byte of text that
#   is a valid number. By Hasse's theorem cofactor * n is near p: 4 is right. VKO (RFC 7836, 4.3) multiplies by the cofactor,
#   m/q: a program that reads it here, as it reads the order, agrees on another key than its peer. In a context made by the curve's
#   name, gcry_mpi_ec_get_mpi gives the right numbers.
#
# Output seen (the cofactor as the other numbers, as a text, by the name of the curve, and by Hasse's theorem):
#   GOST2001-CryptoPro-A: 49, 1, 1, 1
#   GOST2012-256-A: 52, 4, 4, 4
#   GOST2012-512-tc26-A: 49, 1, 1, 1
#   GOST2012-512-tc26-C: 52, 4, 4, 4
#   NIST P-256: 49, 1, 1, 1
#   Ed25519: 56, 8, 8, 8
#   key on GOST2012-512-tc26-C: 52
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download libgcrypt20=1.10.1-3+deb12u1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x ./*.deb root
cat >try.py <<'PY'
import ctypes

lib = ctypes.CDLL("libgcrypt.so.20")
for name in ("gcry_check_version", "gcry_sexp_nth_string"):
    getattr(lib, name).restype = ctypes.c_char_p
for name in ("gcry_pk_get_param", "gcry_sexp_find_token", "gcry_mpi_ec_get_mpi"):
    getattr(lib, name).restype = ctypes.c_void_p
assert lib.gcry_check_version(None).startswith(b"1.10.1")
ECC, UNSIGNED = 18, 5


def number(mpi):
    out, size = ctypes.create_string_buffer(200), ctypes.c_size_t()
    assert not lib.gcry_mpi_print(UNSIGNED, out, ctypes.c_size_t(200), ctypes.byref(size), ctypes.c_void_p(mpi))
    return int.from_bytes(out.raw[: size.value], "big")


def extract(expression, letter):
    mpi = ctypes.c_void_p()
    assert not lib.gcry_sexp_extract_param(ctypes.c_void_p(expression), None, letter, ctypes.byref(mpi), None)
    return number(mpi.value)


for name in ("GOST2001-CryptoPro-A", "GOST2012-256-A", "GOST2012-512-tc26-A", "GOST2012-512-tc26-C", "NIST P-256", "Ed25519"):
    curve = lib.gcry_pk_get_param(ECC, name.encode())
    text = lib.gcry_sexp_nth_string(ctypes.c_void_p(lib.gcry_sexp_find_token(ctypes.c_void_p(curve), b"h", ctypes.c_size_t(0))), 1)
    context = ctypes.c_void_p()
    assert not lib.gcry_mpi_ec_new(ctypes.byref(context), None, name.encode())
    by_name = number(lib.gcry_mpi_ec_get_mpi(b"h", context, 0))
    print(f"{name}: {extract(curve, b'h')}, {text.decode()}, {by_name}, {round(extract(curve, b'p') / extract(curve, b'n'))}")
wish, key = ctypes.c_void_p(), ctypes.c_void_p()
assert not lib.gcry_sexp_build(ctypes.byref(wish), None, b"(genkey (ecc (curve GOST2012-512-tc26-C) (flags param)))")
assert not lib.gcry_pk_genkey(ctypes.byref(key), wish)
print(f"key on GOST2012-512-tc26-C: {extract(key.value, b'h')}")
PY
LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu python3 try.py | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
