#!/usr/bin/env bash
# CryptoDataHub, the tables that CryptoLyzer judges servers by: GOST 28147-89 has its sizes exchanged, a key of 64 bits and a block of 256
# bits; both lengths of Streebog have one object identifier; a cipher suite of GOST R 34.10-2001 signs by GOST R 34.10-94; the suites of TLS
# 1.3 begin with 1.3 and end with 1.2.
#
# Packages: CryptoDataHub 1.6.1 (pip, in a temporary folder); seen on 2026-11-30.
# Input: none; the program prints entries of the tables.
# Behaviour: Magma, the same cipher with a fixed S-box, has the right sizes in the next entry. RFC 5830: a key of 256 bits, a block of 64.
#   RFC 9215: Streebog-256 is 1.2.643.7.1.1.2.2, Streebog-512 is 1.2.643.7.1.1.2.3. RFC 9367: the suites of MGM are of TLS 1.3 only.
#
# Output seen:
#   GOST 28147-89: key 64, block 256
#   GOST R 34.12-2015 "Magma": key 256, block 64
#   GOST R 34.12-2015 "Kuznyechik": key 256, block 128
#   GOST R 34.11-2012 "Streebog" (256): 1.0.10118.3.0.56
#   GOST R 34.11-2012 "Streebog" (512): 1.0.10118.3.0.56
#   TLS_GOSTR341001_WITH_28147_CNT_IMIT: authentication GOST R 34.10-94
#   TLS_GOSTR341112_256_WITH_MAGMA_MGM_S: TLS1_3 to TLS1_2
#   TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L: TLS1_3 to TLS1_2
#   TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC: mode EAX
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip -q install CryptoDataHub==1.6.1 >pip.log 2>&1 || { tail -n 3 pip.log; exit 2; }
cat >try.py <<'PY'
from cryptodatahub.common.algorithm import BlockCipher, Hash
from cryptodatahub.tls.algorithm import TlsCipherSuite

for name in ("GOST2814789", "GOST_R3412_15_64", "GOST_R3412_15_128"):
    cipher = BlockCipher[name].value
    print(f"{cipher.name}: key {cipher.key_size}, block {cipher.block_size}")
for name in ("GOST_R3411_12_256", "GOST_R3411_12_512"):
    print(f"{Hash[name].value.name}: {Hash[name].value.oid}")
suite = TlsCipherSuite.TLS_GOSTR341001_WITH_28147_CNT_IMIT
print(f"{suite.name}: authentication {suite.value.authentication.value.name}")
for cipher in ("MAGMA_MGM_S", "KUZNYECHIK_MGM_L"):
    suite = TlsCipherSuite[f"TLS_GOSTR341112_256_WITH_{cipher}"]
    print(f"{suite.name}: {suite.value.initial_version.name} to {suite.value.last_version.name}")
suite = TlsCipherSuite.TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC
print(f"{suite.name}: mode {suite.value.block_cipher_mode.value.name}")
PY
v/bin/python try.py | tee seen
sed -n '/^# Output seen:$/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
