#!/usr/bin/env bash
# pyasn1-modules: a program that imports the package's modules for GOST can no longer decode certificates and messages of GOST with
# decodeOpenTypes=True. Without these imports it decodes them. pyasn1-alt-modules has cured one half of it.
#
# Packages: pyasn1 0.6.5, pyasn1-modules 0.4.2, pyasn1-alt-modules 0.4.10 (pip, in a temporary folder); seen on 2026-11-30.
# Input: a certificate with a key of GOST R 34.10-2001, and CMS EncryptedData by GOST 28147-89 with the S-boxes of TC26 (Z). OpenSSL's
#   engine made both; they are in this script.
# Behaviour: importing rfc4357 enters its types in one table for the process, which all decoding with decodeOpenTypes asks; rfc4490 (GOST in
#   CMS) and rfc4491 (GOST in certificates) import it. The table says that the parameters of a key of GOST R 34.10-2001 are NULL;
#   RFC 4357, 10.8, has a SEQUENCE, and the type for it is in the same module. For the cipher it permits the S-boxes of RFC 4357 only;
#   RFC 7836 added Z, which pyasn1-alt-modules knows. There, importing rfc9189 (GOST in TLS) has the effect, too.
#
# Output seen:
#   pyasn1_modules, none: certificate decoded, CMS decoded
#   pyasn1_modules, rfc4357: certificate PyAsn1Error, CMS ValueConstraintError
#   pyasn1_modules, rfc4490: certificate PyAsn1Error, CMS ValueConstraintError
#   pyasn1_modules, rfc4491: certificate PyAsn1Error, CMS ValueConstraintError
#   pyasn1_alt_modules, none: certificate decoded, CMS decoded
#   pyasn1_alt_modules, rfc4491: certificate PyAsn1Error, CMS decoded
#   pyasn1_alt_modules, rfc9189: certificate PyAsn1Error, CMS decoded
#   pyasn1_alt_modules, rfc9337: certificate decoded, CMS decoded
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install --quiet --disable-pip-version-check pyasn1==0.6.5 pyasn1-modules==0.4.2 pyasn1-alt-modules==0.4.10 >pip.log 2>&1 ||
    { tail -3 pip.log; exit 2; }
cat >try.py <<'PY'
import sys
from base64 import b64decode
from importlib import import_module

from pyasn1.codec.der import decoder
from pyasn1.error import PyAsn1Error

CERTIFICATE = b64decode(
    "MIIBBDCBsgIBATAKBgYqhQMCAgMFADAMMQowCAYDVQQDDAF4MCAXDTI2MTEzMDE0MDA0MloYDzIxMjYxMTA2MTQwMDQyWjAMMQowCAYDVQQDDAF4MGMwHAYG"
    "KoUDAgITMBIGByqFAwICIwEGByqFAwICHgEDQwAEQK7X/LWynXqsNspGjy6oVA0a9mW6Shx0garSilUgcXl0CsE6DRE/RCWcJGZ0X6mNw5KXWCroGw8wyEFc"
    "ZA59cEEwCgYGKoUDAgIDBQADQQCLi8UBJ727yz6WN1KKwFJKusyNGIJSsP/qejVV4h8CFOi9sY8R1oVDQGuCWvQgFIZp3k7Ha15FNcynwd3O1XWu"
)
CMS = b64decode("MEYGCSqGSIb3DQEHBqA5MDcCAQAwMgYJKoZIhvcNAQcBMB8GBiqFAwICFTAVBAiI/eGxdEjagQYJKoUDBwECBQEBgATiQVHM")
package, name = sys.argv[1:]
rfc5280, rfc5652 = (import_module(f"{package}.{module}") for module in ("rfc5280", "rfc5652"))
if name != "none":
    import_module(f"{package}.{name}")


def decoded(data, spec):
    assert decoder.decode(data, asn1Spec=spec)[1] == b""
    try:
        assert decoder.decode(data, asn1Spec=spec, decodeOpenTypes=True)[1] == b""
    except PyAsn1Error as error:
        return type(error).__name__
    return "decoded"


print(f"{package}, {name}: certificate {decoded(CERTIFICATE, rfc5280.Certificate())}, CMS {decoded(CMS, rfc5652.ContentInfo())}")
PY
for name in none rfc4357 rfc4490 rfc4491; do v/bin/python try.py pyasn1_modules $name; done >seen
for name in none rfc4491 rfc9189 rfc9337; do v/bin/python try.py pyasn1_alt_modules $name; done >>seen
cat seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
