#!/usr/bin/env bash
# Three npm packages of WebCrypto for GOST: with keys of 512 bits, a common key of 256 bits is the first half of VKO_GOSTR3410_2012_512, not
# VKO_GOSTR3410_2012_256. So node-gost-crypto does not open messages of CMS to such a key. Without a hash in the algorithm's name the common
# key is the x of the common point.
#
# Packages: node-gost-crypto 1.0.2, crypto-gost 1.0.14, @wavesenterprise/crypto-gost-js 2.0.1 (npm), libengine-gost-openssl 3.0.1-2+b1 of
#   Debian 12 (apt-get download, unpacked in a temporary folder) and the system's openssl 3.0.22; seen with Node 20.20.2 on 2026-12-01.
# Input: the keys and the UKM of RFC 7836, examples 7 (256 bits) and 8 (512 bits). EnvelopedData that `openssl cms -encrypt -gost89` makes for
#   keys of GOST R 34.10-2012 of 256 and 512 bits; openssl opens both.
# Behaviour: the package has a hash of the length of the key, also where the name says "GOST R 34.11-256", and cuts the value to the length
#   asked for. The standard has two functions, which hash the common point by Streebog-256 or Streebog-512. CMS wraps its key by the first
#   one, so that the unwrapping fails by its MAC; keys of 256 bits are right. A name such as "GOST R 34.10-512/DH/T-512-A" has no hash,
#   and then deriveBits and deriveKey give bytes of the point itself, without an error.
#
# Output seen:
#   node-gost-crypto: 512 bits: example 8; 256 bits: first half of example 8; without a hash: x of the common point
#   crypto-gost: 512 bits: example 8; 256 bits: first half of example 8; without a hash: x of the common point
#   @wavesenterprise/crypto-gost-js: 512 bits: example 8; 256 bits: first half of example 8; without a hash: x of the common point
#   CMS, key of 256 bits: opened
#   CMS, key of 512 bits: Error verify MAC of wrapping key
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
npm install --silent --no-audit --no-fund --prefix "$work" node-gost-crypto@1.0.2 crypto-gost@1.0.14 @wavesenterprise/crypto-gost-js@2.0.1 \
    >npm.log 2>&1 || { tail -5 npm.log; exit 2; }
apt-get download libengine-gost-openssl=3.0.1-2+b1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x ./*.deb root
printf '%s\n' 'openssl_conf = all' '[all]' 'engines = list' '[list]' 'gost = one' '[one]' 'engine_id = gost' \
    "dynamic_path = $work/root/usr/lib/x86_64-linux-gnu/engines-3/gost.so" 'default_algorithms = ALL' '[req]' 'distinguished_name = name' \
    'x509_extensions = extensions' '[name]' '[extensions]' 'subjectKeyIdentifier = hash' >openssl.cnf
export OPENSSL_CONF=$work/openssl.cnf
echo "a message" >message
for bits in 256 512; do
    openssl req -x509 -newkey gost2012_$bits -pkeyopt paramset:A -nodes -keyout $bits.key -out $bits.crt -subj /CN=recipient -days 100 2>openssl.log
    openssl cms -encrypt -binary -gost89 -in message -outform PEM -out $bits.cms $bits.crt
    openssl cms -decrypt -inform PEM -in $bits.cms -inkey $bits.key -recip $bits.crt | cmp - message
done
cat >try.cjs <<'JS'
const { readFileSync } = require("node:fs");
const bytes = (digits) => Uint8Array.from(Buffer.from(digits, "hex")).buffer;
const hex = (data) => Buffer.from(data).toString("hex");
const mine = "c990ecd972fce84ec4db022778f50fcac726f46708384b8d458304962d7147f8c2db41cef22c90b102f2968404f9b9be6d47c79692d81826b32b8daca43cb667";
const peer =
  "192fe183b9713a077253c72c8735de2ea42a3dbc66ea317838b65fa32523cd5efca974eda7c863f4954d1147f1f2b25c395fce1c129175e876d132e94ed5a651" +
  "04883b414c9b592ec4dc84826f07d0b6d9006dda176ce48c391e3f97d102e03bb598bf132a228a45f7201aba08fc524a2d77e43a362ab022ad4028f75bde3b79";
const ukm = "1d80603c8544c727";
const seven = "c9a9a77320e2cc559ed72dce6f47e2192ccea95fa648670582c054c0ef36c221";
const eight = "79f002a96940ce7bde3259a52e015297adaad84597a0d205b50e3e1719f97bfa7ee1d2661fa9979a5aa235b558a7e6d9f88f982dd63fc35a8ec0dd5e242d3bdf";

// x of (UKM * mine mod q) * peer on the curve id-tc26-gost-3410-12-512-paramSetA, whose a is p - 3.
const p = 2n ** 512n - 569n;
const q = BigInt("0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff27e69532f48d89116ff22b8d4e0560609b4b38abfad2b85dcacdb1411f10b275");
const mod = (n) => ((n % p) + p) % p;
const number = (digits) => BigInt("0x" + Buffer.from(digits, "hex").reverse().toString("hex"));
const power = (n, e) => (e ? mod(power(mod(n * n), e >> 1n) * (e & 1n ? n : 1n)) : 1n);
const add = (s, t) => {
  const slope = s[0] === t[0] ? mod(3n * (s[0] * s[0] - 1n)) * power(2n * s[1], p - 2n) : (t[1] - s[1]) * power(mod(t[0] - s[0]), p - 2n);
  const x = mod(slope * slope - s[0] - t[0]);
  return [x, mod(slope * (s[0] - x) - s[1])];
};
const point = [number(peer.slice(0, 128)), number(peer.slice(128))];
const common = [...((number(ukm) * number(mine)) % q).toString(2)].slice(1)
  .reduce((sum, bit) => (bit === "1" ? add(add(sum, sum), point) : add(sum, sum)), point);
const x = Buffer.from(common[0].toString(16).padStart(128, "0"), "hex").reverse().toString("hex");

for (const name of ["node-gost-crypto", "crypto-gost", "@wavesenterprise/crypto-gost-js"]) {
  const { gostEngine, GostEngine } = require(name);
  const derive = (hash, bits) => {
    const algorithm = { name: "GOST R 34.10", version: 2012, length: 512, mode: "DH", namedCurve: "T-512-A", public: bytes(peer), ukm: bytes(ukm), hash };
    const value = hex((gostEngine ?? GostEngine).getGostSign(algorithm).deriveBits(bytes(mine), bits));
    return { [seven]: "example 7", [eight]: "example 8", [eight.slice(0, 64)]: "first half of example 8", [x]: "x of the common point" }[value] ?? value;
  };
  const streebog = (length) => ({ name: "GOST R 34.11", version: 2012, length });
  console.log(`${name}: 512 bits: ${derive(streebog(512), 512)}; 256 bits: ${derive(streebog(256), 256)}; without a hash: ${derive(undefined, 512)}`);
}
(async () => {
  const { asn1, cert, cms } = require("node-gost-crypto").gostCrypto;
  for (const bits of [256, 512]) {
    const [key, certificate, message] = ["key", "crt", "cms"].map((end) => readFileSync(`${bits}.${end}`, "latin1"));
    const opened = new cms.EnvelopedDataContentInfo(message).getEnclosed(new asn1.PrivateKeyInfo(key), new cert.X509(certificate));
    const said = await opened.then(({ content }) => (Buffer.from(content).equals(readFileSync("message")) ? "opened" : "noise"), (e) => e.message);
    console.log(`CMS, key of ${bits} bits: ${said}`);
  }
})();
JS
node try.cjs | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
