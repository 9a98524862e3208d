#!/usr/bin/env bash
# asn1crypto: a certificate that it parses cannot be written again with force=True if its key's algorithm is not in its table. The error is
# gone as soon as the program imports pyhanko-certvalidator, which changes asn1crypto's classes for the whole process.
#
# Packages: asn1crypto 1.5.1, pyhanko-certvalidator 0.33.0 with cryptography 50.0.2 (pip, in a temporary folder); seen on 2026-11-30.
# Input: a self-signed certificate of GOST R 34.10-2012 with 256 bits, which OpenSSL's engine made; it is in this script.
# Behaviour: dump() returns the bytes that were read. dump(force=True) encodes anew: it asks for the key's class by the identifier, which
#   the table lacks, a KeyError. After the import it is right; but public_key.bit_size then is an UnboundLocalError, which was the
#   KeyError before. So tests of a program may pass, and a smaller program with the same code fails.
#
# Output seen:
#   dump: the same bytes
#   dump(force=True): KeyError 1.2.643.7.1.1.1.1
#   public_key.bit_size: KeyError 1.2.643.7.1.1.1.1
#   after import pyhanko_certvalidator:
#   dump: the same bytes
#   dump(force=True): the same bytes
#   public_key.bit_size: UnboundLocalError
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip -q install asn1crypto==1.5.1 pyhanko-certvalidator==0.33.0 cryptography==50.0.2 >pip.log 2>&1 || { tail -3 pip.log; exit 2; }
cat >certificate.pem <<'PEM'
-----BEGIN CERTIFICATE-----
MIIBPDCB6AIUMghwAoErk9hunVsxJQAOlpYGGwcwDAYIKoUDBwEBAwIFADAcMRow
GAYDVQQDDBFnb3N0MjAxMl8yNTYgdGVzdDAeFw0yNjExMzAwNzUwNTFaFw0zNjEx
MjcwNzUwNTFaMBwxGjAYBgNVBAMMEWdvc3QyMDEyXzI1NiB0ZXN0MGYwHwYIKoUD
BwEBAQEwEwYHKoUDAgIjAQYIKoUDBwEBAgIDQwAEQCgnDukNqp21YpXlBxZdFIli
YaOiwqFBOOr24USIk8BjT5SwrEayx/mZA25j1I/6L5ZPJHBNCB76oWKG0oGzWvcw
DAYIKoUDBwEBAwIFAANBAIclcG236hCWJpmFmXYXnYVJOJWHeCiSkvTJ2RUqboxx
XHWy3wrZcV5HSzThKbXPIOyYOtFrFpf8w78AJUoS8ks=
-----END CERTIFICATE-----
PEM
cat >try.py <<'PY'
import sys

from asn1crypto import pem, x509

if len(sys.argv) > 1:
    import pyhanko_certvalidator  # noqa: F401

    print("after import pyhanko_certvalidator:")
der = pem.unarmor(open("certificate.pem", "rb").read())[2]


def said(call):
    try:
        return "the same bytes" if call() == der else "other bytes"
    except Exception as error:
        text = "" if isinstance(error, UnboundLocalError) else f" {error}".replace("'", "")
        return type(error).__name__ + text


print("dump:", said(x509.Certificate.load(der).dump))
print("dump(force=True):", said(lambda: x509.Certificate.load(der).dump(force=True)))
print("public_key.bit_size:", said(lambda: x509.Certificate.load(der).public_key.bit_size))
PY
{ v/bin/python try.py && v/bin/python try.py import; } | tee seen
sed -n 's/^#   \(\(dump\|public_key\|after\).*:.*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
