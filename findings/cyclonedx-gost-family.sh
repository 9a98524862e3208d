#!/usr/bin/env bash
# CycloneDX 1.7, the cryptographic bill of materials: its registry of algorithms has a family GOST, in which the block cipher is called
# GOST38147. Kuznyechik, Magma and Streebog are in no family, so that a strict validator refuses a bill which names them as a family; of
# the curves of GOST R 34.10-2012 with 256 bits it has set A only.
#
# Packages: cyclonedx-python-lib 11.12.0 with json-validation (pip), @cyclonedx/cdxgen 12.8.4, which holds the registry (npm pack); both in
#   a temporary folder; seen on 2026-11-30.
# Input: bills with a single component each, by the schema of 1.7.
# Behaviour: algorithmFamily and ellipticCurve are enumerations made from the registry. Families of AES, SM4, ARIA, CAMELLIA are accepted,
#   the two newer ciphers of Russia and the hash function of 2012 are not: they can only be called GOST. A tool that follows the patterns
#   writes GOST38147 for GOST 28147-89.
#
# Output seen:
#   patterns of GOST: GOSTR3410 GOSTR3411 GOSTR3411_HMAC GOST38147[-{mode}][-{padding}] GOST38147_MAC
#   family GOST: valid
#   family Kuznyechik: refused
#   family Magma: refused
#   family Streebog: refused
#   family SM4: valid
#   curve gost/id-tc26-gost-3410-2012-256-paramSetA: valid
#   curve gost/id-tc26-gost-3410-2012-256-paramSetB: refused
#   curve gost/id-tc26-gost-3410-2012-512-paramSetC: valid
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip -q install 'cyclonedx-python-lib[json-validation]==11.12.0' >pip.log 2>&1 || { tail -n 3 pip.log; exit 2; }
npm pack --silent @cyclonedx/cdxgen@12.8.4 >npm.log 2>&1 || { tail -n 3 npm.log; exit 2; }
tar -xzf cyclonedx-cdxgen-12.8.4.tgz package/data/cryptography-defs.json
cat >try.py <<'PY'
import json

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

registry = json.load(open("package/data/cryptography-defs.json"))
family = next(entry for entry in registry["algorithms"] if entry["family"] == "GOST")
print("patterns of GOST:", *(variant["pattern"] for variant in family["variant"]))


def tried(title, **properties):
    algorithm = {"assetType": "algorithm", "algorithmProperties": {"primitive": "other", **properties}}
    component = {"type": "cryptographic-asset", "name": "x", "bom-ref": "x", "cryptoProperties": algorithm}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.7", "version": 1, "components": [component]}
    error = JsonStrictValidator(SchemaVersion.V1_7).validate_str(json.dumps(bill))
    print(f"{title}: {'refused' if error else 'valid'}")


for name in ("GOST", "Kuznyechik", "Magma", "Streebog", "SM4"):
    tried(f"family {name}", algorithmFamily=name)
for name in ("256-paramSetA", "256-paramSetB", "512-paramSetC"):
    name = f"gost/id-tc26-gost-3410-2012-{name}"
    tried(f"curve {name}", algorithmFamily="GOST", ellipticCurve=name)
PY
v/bin/python try.py | tee seen
sed -n '/^# Output seen:$/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
