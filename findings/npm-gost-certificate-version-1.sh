#!/usr/bin/env bash
# node-gost-crypto: a certificate of version 1, as `openssl x509 -req` of OpenSSL 3.0 writes it, becomes another certificate, without an error:
# of "Anonymous" in RU, valid from today for 20 years, without a key, with another serial number at each reading.
#
# Packages: node-gost-crypto 1.0.2 (npm), libengine-gost-openssl 3.0.1-2+b1 of Debian 12 (apt-get download, unpacked in a temporary folder)
#   and the system's openssl 3.0.22; seen with Node 20.20.2 on 2026-12-01.
# Input: one request of a key of GOST R 34.10-2012, signed by itself twice: without extensions, which gives version 1, and with one, which
#   gives version 3. `openssl verify` accepts both.
# Behaviour: asn1.Certificate wants the field of the version, which DER leaves out for version 1 (RFC 5280, 4.1: DEFAULT v1), and says "Invalid
#   format". The constructor cert.X509, which is for reading and for making, treats any text that it cannot read as none, and makes a new
#   certificate with the package's defaults. A message to such a recipient is then "Recipient not found".
#
# Output seen:
#   version 3: some.example, key GOST R 34.10-256, serial number right
#   version 3, asn1.Certificate: some.example
#   version 1: Anonymous, key NONE, serial number wrong
#   version 1, asn1.Certificate: Invalid format
#   version 1, read twice: two serial numbers
#   version 1, valid for 20 years
#   message to version 3: opened
#   message to version 1: Recipient not found or format not supported
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
npm install --silent --no-audit --no-fund --prefix "$work" node-gost-crypto@1.0.2 >npm.log 2>&1 || { tail -5 npm.log; exit 2; }
apt-get download libengine-gost-openssl=3.0.1-2+b1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x ./*.deb root
printf '%s\n' 'openssl_conf = all' '[all]' 'engines = list' '[list]' 'gost = one' '[one]' 'engine_id = gost' \
    "dynamic_path = $work/root/usr/lib/x86_64-linux-gnu/engines-3/gost.so" 'default_algorithms = ALL' '[req]' 'distinguished_name = name' \
    '[name]' '[identifier]' 'subjectKeyIdentifier = hash' >openssl.cnf
export OPENSSL_CONF=$work/openssl.cnf
openssl req -new -newkey gost2012_256 -pkeyopt paramset:A -nodes -keyout key -out request -subj /CN=some.example 2>openssl.log
openssl x509 -req -in request -key key -days 100 -out 1.crt 2>>openssl.log
openssl x509 -req -in request -key key -days 100 -out 3.crt -extfile openssl.cnf -extensions identifier 2>>openssl.log
echo "a message" >message
for version in 1 3; do
    openssl x509 -in $version.crt -noout -text | grep -q "Version: $version "
    openssl verify -check_ss_sig -CAfile $version.crt $version.crt >>openssl.log
    openssl x509 -in $version.crt -noout -serial >$version.serial
    openssl cms -encrypt -binary -gost89 -in message -outform PEM -out $version.cms $version.crt
    openssl cms -decrypt -inform PEM -in $version.cms -inkey key -recip $version.crt | cmp - message
done
cat >try.cjs <<'JS'
const { asn1, cert, cms } = require("node-gost-crypto").gostCrypto;
const read = (name) => require("node:fs").readFileSync(name, "latin1");
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return error.message;
  }
};
for (const version of [3, 1]) {
  const seen = new cert.X509(read(`${version}.crt`));
  const serial = BigInt(seen.serialNumber) === BigInt("0x" + read(`${version}.serial`).trim().split("=")[1]) ? "right" : "wrong";
  console.log(`version ${version}: ${seen.subject.commonName}, key ${seen.subjectPublicKeyInfo.algorithm.name}, serial number ${serial}`);
  console.log(`version ${version}, asn1.Certificate:`, attempt(() => new asn1.Certificate(read(`${version}.crt`)).subject.commonName));
}
const [one, two] = [1, 2].map(() => new cert.X509(read("1.crt")));
console.log(`version 1, read twice: ${one.serialNumber === two.serialNumber ? "one serial number" : "two serial numbers"}`);
console.log(`version 1, valid for ${one.notAfter.getFullYear() - one.notBefore.getFullYear()} years`);
(async () => {
  for (const version of [3, 1]) {
    const message = new cms.EnvelopedDataContentInfo(read(`${version}.cms`));
    const opened = message.getEnclosed(new asn1.PrivateKeyInfo(read("key")), new cert.X509(read(`${version}.crt`)));
    const said = await opened.then(({ content }) => (Buffer.from(content).toString() === read("message") ? "opened" : "noise"), (e) => e.message);
    console.log(`message to version ${version}: ${said}`);
  }
})();
JS
node try.cjs | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
