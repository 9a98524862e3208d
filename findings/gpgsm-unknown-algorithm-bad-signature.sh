#!/usr/bin/env bash
# gpgsm: a certificate with an algorithm that its library does not know has "a BAD signature". So every certificate of GOST R 34.10-2012 has,
# though libgcrypt, which gpgsm uses, knows the curve and the hash. It is not imported.
#
# Packages: gpgsm 2.2.40-1.1+deb12u2, libksba8 1.6.3-2, libengine-gost-openssl 3.0.1-2+b1 of Debian 12 (apt-get download, unpacked in a
#   temporary folder), the system's openssl 3.0; seen on 2026-11-30.
# Input: self-signed certificates that openssl req makes: keys of 256 and 512 bits of GOST R 34.10-2012, Ed448, and P-256 to compare.
# Behaviour: libksba returns no signature and no key for an identifier that it does not have; gpgsm passes that on as a bad signature, for
#   GOST with the error "Bug", for Ed448 with "General error" after a line that names the identifier. So a user does not learn that the
#   program lacks an algorithm, and that the certificate is right: openssl verifies all four.
#
# Output seen:
#   gost2012_256: openssl OK; gpgsm: self-signed certificate has a BAD signature: Bug
#   gost2012_512: openssl OK; gpgsm: self-signed certificate has a BAD signature: Bug
#   ed448: openssl OK; gpgsm: self-signed certificate has a BAD signature: General error
#   p256: openssl OK; gpgsm: imported
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download gpgsm=2.2.40-1.1+deb12u2 libksba8=1.6.3-2 libassuan0 libnpth0 libgcrypt20 libgpg-error0 libengine-gost-openssl=3.0.1-2+b1 \
    >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >openssl.cnf <<'CNF'
openssl_conf = all
[all]
engines = engines
[engines]
gost = gost
[gost]
engine_id = gost
default_algorithms = ALL
[req]
distinguished_name = name
[name]
CNF
libraries=$PWD/root/usr/lib/x86_64-linux-gnu
export OPENSSL_CONF=$PWD/openssl.cnf OPENSSL_ENGINES=$libraries/engines-3 GNUPGHOME=$PWD/home
mkdir -m 700 home
make() { openssl req -x509 -newkey "${@:2}" -nodes -keyout "$1.key" -out "$1.pem" -subj "/CN=$1" -days 30 2>/dev/null; }
make gost2012_256 gost2012_256 -pkeyopt paramset:A
make gost2012_512 gost2012_512 -pkeyopt paramset:A
make ed448 ed448
make p256 ec -pkeyopt ec_paramgen_curve:P-256
for name in gost2012_256 gost2012_512 ed448 p256; do
    echo -n "$name: openssl $(openssl verify -CAfile "$name.pem" "$name.pem" | sed 's/.*: //'); gpgsm: "
    LD_LIBRARY_PATH=$libraries:$PWD/root/lib/x86_64-linux-gnu root/usr/bin/gpgsm --batch --import "$name.pem" >log 2>&1 || true
    if grep -q 'imported: 1' log && ! grep -q 'not imported' log; then echo imported; else grep -m1 -o 'self-signed certificate.*' log || head -3 log; fi
done | tee seen
sed -n 's/^#   \(\(gost2012_...\|ed448\|p256\): .*\)/\1/p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
