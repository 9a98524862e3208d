#!/usr/bin/env bash
# gost-engine: `openssl cms` does not read back what it wrote with CTR-ACPKM, past 4096 bytes (Kuznyechik) or 1024 bytes (Magma): the text goes
# on as noise, and the exit status is 0. `openssl pkcs8` reads back its own, since there both sides use the engine's own length of a section.
#
# Packages: libengine-gost-openssl 3.0.1-2+b1 of Debian 12 (apt-get download, unpacked in a temporary folder), the system's openssl 3.0.22;
#   seen on 2026-11-30.
# Input: 5000 bytes as CMS EncryptedData under a key of 32 bytes; with recipients (EnvelopedData) it is the same. An RSA key of 2048 bits,
#   1217 bytes, as PKCS#8 under a password.
# RFC 8645, 6.2.2: CTR-ACPKM has another key after each section. The file does not say its length. In CMS a section has 262144 bytes, with
#   Magma 8192 (R 1323565.1.025-2019), so that 5000 bytes know one key only: plain CTR gives the same.
# Behaviour: the engine chooses CMS's section when it writes or reads the parameters, and 4096 or 1024 bytes when it gets the key. `cms`
#   encrypts with the key first and the parameters after it, and decrypts in the other order: what it writes is right, what it reads
#   is not. Only the ciphers with OMAC notice it. For PKCS#8 and PKCS#12 the parameters come first both ways: OpenSSL reads what it
#   wrote, and a program with CMS's sections sees noise from that byte on, in an RSA key by Magma, in a chain of certificates of more
#   than 4096 bytes. The master branch of April 2026 has the same lines.
#
# Output seen:
#   kuznyechik-ctr-acpkm: written as CTR with one key; read back: status 0, wrong from byte 4097
#   magma-ctr-acpkm: written as CTR with one key; read back: status 0, wrong from byte 1025
#   kuznyechik-ctr-acpkm-omac: read back: status 4
#   magma-ctr-acpkm-omac: read back: status 4
#   pkcs8, magma-ctr-acpkm: written with sections of 1024; read back: right
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download libengine-gost-openssl=3.0.1-2+b1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x ./*.deb root
cat >openssl.cnf <<'CNF'
openssl_conf = all
[all]
engines = engines
[engines]
gost = gost
[gost]
engine_id = gost
default_algorithms = ALL
CNF
export OPENSSL_CONF=$PWD/openssl.cnf OPENSSL_ENGINES=$PWD/root/usr/lib/x86_64-linux-gnu/engines-3
python3 -c "print(*range(2000))" | cut -c 1-5000 | tr -d "\n" >text
key=$(printf '%064d' 7)
ukm() { openssl asn1parse -inform DER -in "$1" | sed -n '/acpkm/,$ { s/.*HEX DUMP\]://p }' | cut -c 1-"$2" | sed -n 1p; }
back() { openssl cms -EncryptedData_decrypt -binary -inform DER -in "$1" -secretkey "$key" -out back 2>log && echo 0 || echo $?; }
for cipher in kuznyechik magma; do
    openssl cms -EncryptedData_encrypt -binary -in text -outform DER -out file -$cipher-ctr-acpkm -secretkey "$key"
    [ $cipher = magma ] && digits=8 || digits=16
    tail -c 5000 file | openssl enc -d -$cipher-ctr -K "$key" -iv "$(ukm file "$digits")" >plain
    cmp -s plain text && written="as CTR with one key" || written=otherwise
    echo "$cipher-ctr-acpkm: written $written; read back: status $(back file), wrong from byte $(cmp text back | sed 's/.*byte \([0-9]*\),.*/\1/')"
done >seen
for cipher in kuznyechik magma; do
    openssl cms -EncryptedData_encrypt -binary -in text -outform DER -out file -$cipher-ctr-acpkm-omac -secretkey "$key"
    echo "$cipher-ctr-acpkm-omac: read back: status $(back file)"
done >>seen
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem 2>log
openssl pkcs8 -topk8 -nocrypt -in rsa.pem -outform DER -out rsa.der
openssl pkcs8 -topk8 -v2 magma-ctr-acpkm -in rsa.pem -passout pass:secret -outform DER -out rsa.p8
openssl asn1parse -inform DER -in rsa.p8 | sed -n 's/.*INTEGER *:\|.*HEX DUMP\]://p' >fields
python3 - >key <<'PY'
import hashlib
salt, iterations, *_ = open("fields").read().split()
print(hashlib.pbkdf2_hmac("sha256", b"secret", bytes.fromhex(salt), int(iterations, 16), 32).hex())
PY
sed -n '$p' fields | xxd -r -p | openssl enc -d -magma-ctr-acpkm -K "$(cat key)" -iv "$(ukm rsa.p8 8)" >plain
cmp -s plain rsa.der && written="with sections of 1024" || written=otherwise
openssl pkcs8 -in rsa.p8 -inform DER -passin pass:secret -out back.pem 2>log || true
cmp -s back.pem rsa.pem && read="right" || read="wrong"
echo "pkcs8, magma-ctr-acpkm: written $written; read back: $read" >>seen
cat seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
