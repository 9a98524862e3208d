#!/usr/bin/env bash
# Botan: the curve gost_256A is CryptoPro's set A, and keys and certificates name it by the OID of another curve, TC26's set A.
#
# Packages: botan, libbotan-2-19 2.19.3+dfsg-1+deb12u1 and libtspi1 0.3.15-0.3 of Debian 12 (apt-get download, unpacked in a temporary
#   folder); seen on 2026-11-29. 3.7.1 of Debian 13 makes the same key.
# Input: keygen --algo=GOST-34.10-2012-256 --params=gost_256A; and two public keys in the form of RFC 9215 (SubjectPublicKeyInfo), the
#   base points of id-GostR3410-2001-CryptoPro-A-ParamSet (1.2.643.2.2.35.1; RFC 4357, 11.4) and of
#   id-tc26-gost-3410-2012-256-paramSetA (1.2.643.7.1.2.1.1.1; RFC 7836, A.2).
# Behaviour: the curve with a = -3 and b = 166 is CryptoPro's A, and TC26's set B (1.2.643.7.1.2.1.1.2). Botan names it as TC26's set A, and
#   refuses a point of the true set A as not on the curve. It reads its own files; gost-engine 3.0.1 does not decode the key of such a
#   certificate, and GnuTLS 3.7.9 says "The curve is unsupported". gost_512A has the right OID.
#
# Output seen:
#   keygen gost_256A: 1.2.643.7.1.2.1.1.1, on TC26-A False, on CryptoPro-A True
#   public key of CryptoPro-A: read
#   public key of TC26-A: refused, Loaded GOST 34.10 public key is on the curve
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download botan=2.19.3+dfsg-1+deb12u1 libbotan-2-19=2.19.3+dfsg-1+deb12u1 libtspi1=0.3.15-0.3 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >try.py <<'PY'
import base64, os, re, subprocess

P = 2**256 - 617
CURVES = {  # a, b, the base point
    "TC26-A": (
        0xC2173F1513981673AF4892C23035A27CE25E2013BF95AA33B22C656F277E7335,
        0x295F9BAE7428ED9CCC20E7C359A9D41A22FCCD9108E17BF7BA9337A6F8AE9513,
        0x91E38443A5E82C0D880923425712B2BB658B9196932E02C78B2582FE742DAA28,
        0x32879423AB1A0375895786C4BB46E9565FDE0B5344766740AF268ADB32322E5C,
    ),
    "CryptoPro-A": (P - 3, 166, 1, 0x8D91E471E0989CDA27DF505A453F2B7635294F2DDF23E3B122ACC99C9E9F1E14),
}
SETS = {"TC26-A": bytes.fromhex("06092a8503070102010101"), "CryptoPro-A": bytes.fromhex("06072a850302022301")}
NAMES = {SETS["TC26-A"]: "1.2.643.7.1.2.1.1.1", SETS["CryptoPro-A"]: "1.2.643.2.2.35.1"}
KEY, DIGEST = bytes.fromhex("06082a85030701010101"), bytes.fromhex("06082a85030701010202")


def on(curve, x, y):
    a, b, *_ = CURVES[curve]
    return (y * y - (x**3 + a * x + b)) % P == 0


def botan(*words):
    env = os.environ | {"LD_LIBRARY_PATH": os.path.abspath("root/usr/lib/x86_64-linux-gnu")}
    return subprocess.run(["root/usr/bin/botan", *words], capture_output=True, text=True, env=env)


def named(pem):
    der = base64.b64decode(re.sub("-----.*-----", "", pem))
    return der, ", ".join(name for oid, name in NAMES.items() if oid in der)


def pack(tag, *parts):
    body = b"".join(parts)
    return bytes([tag, len(body)]) + body


der, name = named(botan("keygen", "--algo=GOST-34.10-2012-256", "--params=gost_256A").stdout)
# The public point is the end of the key's file.
x, y = (int.from_bytes(part, "big") for part in (der[-64:-32], der[-32:]))
print(f"keygen gost_256A: {name}, " + ", ".join(f"on {curve} {on(curve, x, y)}" for curve in CURVES))
for curve in "CryptoPro-A", "TC26-A":
    x, y = CURVES[curve][2:]
    assert on(curve, x, y)
    parameters = pack(0x30, SETS[curve], *[DIGEST] * (curve == "CryptoPro-A"))
    point = pack(4, x.to_bytes(32, "little") + y.to_bytes(32, "little"))
    der = pack(0x30, pack(0x30, KEY, parameters), pack(3, b"\0", point))
    with open("public.pem", "w") as file:
        file.write(f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n")
    read = botan("fingerprint", "--no-fsname", "public.pem")
    print(f"public key of {curve}:", "read" if read.returncode == 0 else "refused, " + re.findall("'(.*?)'", read.stderr)[0])
PY
python3 try.py | tee seen
sed -n 's/^#   \(\(keygen\|public key of\).*: .*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
