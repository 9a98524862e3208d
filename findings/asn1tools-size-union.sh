#!/usr/bin/env bash
# asn1tools: of a constraint with alternatives, such as SIZE (64 | 128) of a public key in RFC 9215, only the first counts. In PER, UPER and OER a
# key of GOST R 34.10-2012 with 512 bits comes back as its first half, without an error; with check_constraints it is refused, in DER, too.
#
# Packages: asn1tools 0.169.0; to compare, pycrate 0.8.1 (pip, in a temporary folder); seen with Python 3.11.7 on 2026-12-01.
# Input: GostR3410-2012-PublicKey ::= OCTET STRING (SIZE (64 | 128)) of RFC 9215, Appendix A, the same with the sizes exchanged, and a sequence of
#   such a key and a number; keys of 64 and 128 bytes.
# Behaviour: PER (X.691) writes a length of 7 bits before 64 to 128 bytes, OER (X.696) a length before all that has not one size only. asn1tools
#   holds 64 for the only size, writes no length, and reads 64 bytes. So keys of 64 bytes come back, but no other program reads them,
#   and of 128 bytes the other half is left over, or read as the next field. With the sizes exchanged, 64 bytes are too few.
#
# Output seen (64 bytes and 128 bytes; read back by asn1tools, and what it wrote against pycrate's):
#   der: 64: right, equal; 128: right, equal
#   der, check_constraints: 64: right, equal; 128: GostR3410-2012-PublicKey: Expected between 64 and 64 bytes, but got 128.
#   uper: 64: right, without the length; 128: first 64 bytes, without the length
#   per: 64: right, without the length; 128: first 64 bytes, without the length
#   oer: 64: right, without the length; 128: first 64 bytes, without the length
#   uper, SIZE (128 | 64): 64: out of data; 128: right, without the length
#   uper, sequence of a key of 128 bytes and 7: 64 bytes and 65
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check asn1tools==0.169.0 pycrate==0.8.1 >pip.log 2>&1 || { tail -3 pip.log; exit 2; }
cat >keys.asn <<'ASN'
Keys DEFINITIONS IMPLICIT TAGS ::= BEGIN
GostR3410-2012-PublicKey ::= OCTET STRING (SIZE (64 | 128))
Exchanged ::= OCTET STRING (SIZE (128 | 64))
Both ::= SEQUENCE { key GostR3410-2012-PublicKey, number INTEGER (0..255) }
END
ASN
cat >compile.py <<'PY'
from pycrate_asn1c.asnproc import compile_text
from pycrate_asn1c.generator import PycrateGenerator

compile_text([open("keys.asn").read()])
PycrateGenerator("compiled.py")
PY
venv/bin/python compile.py >compile.log
cat >try.py <<'PY'
import asn1tools
from compiled import Keys

KEY = "GostR3410-2012-PublicKey"


def seen(codec, name, size, **options):
    rules = asn1tools.compile_files("keys.asn", codec)
    key = bytes(range(1, size + 1))
    other = getattr(Keys, name.replace("-", "_"))
    other.set_val(key)
    right = {"der": other.to_der, "uper": other.to_uper, "per": other.to_aper, "oer": other.to_oer}[codec]()
    try:
        written = bytes(rules.encode(name, key, **options))
        read = rules.decode(name, written, **options)
    except asn1tools.ConstraintsError as error:
        return str(error)
    except asn1tools.codecs.OutOfDataError:
        return "out of data"
    back = "right" if read == key else f"first {len(read)} bytes" if key.startswith(read) else "other bytes"
    return back + (", equal" if written == right else ", without the length" if written == key and len(right) > size else ", other bytes")


for codec, options in (("der", {}), ("der", {"check_constraints": True}), ("uper", {}), ("per", {}), ("oer", {})):
    print(codec + "".join(f", {option}" for option in options), end=": ")
    print(*(f"{size}: {seen(codec, KEY, size, **options)}" for size in (64, 128)), sep="; ")
print("uper, SIZE (128 | 64):", *(f"{size}: {seen('uper', 'Exchanged', size)}" + ";" * (size == 64) for size in (64, 128)))
rules = asn1tools.compile_files("keys.asn", "uper")
both = rules.decode("Both", rules.encode("Both", {"key": bytes(range(1, 129)), "number": 7}))
print(f"uper, sequence of a key of 128 bytes and 7: {len(both['key'])} bytes and {both['number']}")
PY
venv/bin/python try.py | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
