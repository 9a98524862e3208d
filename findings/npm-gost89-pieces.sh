#!/usr/bin/env bash
# npm gost89: a hash in pieces is another one than of the whole, if a piece completes a block of 32 bytes that an earlier one began.
#
# Package: gost89 0.1.11 from npm (GOST 34.311-95 with the S-boxes of DSTU); seen with Node 20.20.2 on 2026-11-28.
# Input: Hash.init().update() of the bytes 0, 1, 2..., once whole and once in two pieces; pbkdf(password, salt, 1) with salts of 0 to 63
#   bytes, which calls update(salt) and update of the block's number.
# GOST 34.311 (RFC 5831): the hash is one of the message; how a program cuts it is no part of it. PBKDF2 (RFC 8018, 5.2) with one iteration
#   is HMAC of the salt and the number 00 00 00 01.
# Behaviour: update() keeps the bytes after the last whole block, and does not drop them when the next piece uses them up exactly; finish(),
#   or the next update(), adds them again. 16 bytes and 16 bytes hash as the message of 48 bytes that repeats the first 16, without an
#   error. So all cuts of 32 bytes are wrong, all of 64 bytes but the one between its blocks, and none in two of 48 bytes. The package's
#   pbkdf is another function for salts of 28 and 60 bytes, and PBKDF2 for all others up to 63.
#
# Output seen:
#   32 bytes: wrong cuts 31 of 31
#   48 bytes: wrong cuts 0 of 47
#   64 bytes: wrong cuts 62 of 63
#   16 and 16 bytes hash as 0..31 and 0..15: true
#   pbkdf: wrong with salts of 28, 60 bytes
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix "$work" gost89@0.1.11 >npm.log 2>&1 || { tail -5 npm.log; exit 2; }
cat >pieces.cjs <<'JS'
const { Hash, gosthash, pbkdf } = require("gost89");
const bytes = (n, from = 0) => Buffer.from(Array.from({ length: n }, (_, i) => from + i));
const hex = (data) => Buffer.from(data).toString("hex");
const inPieces = (...pieces) => {
  const hash = Hash.init();
  for (const piece of pieces) hash.update(piece);
  return hex(hash.finish(Buffer.alloc(32)));
};
for (const n of [32, 48, 64]) {
  const message = bytes(n);
  let wrong = 0;
  for (let cut = 1; cut < n; cut++) wrong += inPieces(message.subarray(0, cut), message.subarray(cut)) !== hex(gosthash(message));
  console.log(`${n} bytes: wrong cuts ${wrong} of ${n - 1}`);
}
console.log("16 and 16 bytes hash as 0..31 and 0..15:", inPieces(bytes(16), bytes(16, 16)) === hex(gosthash(Buffer.concat([bytes(32), bytes(16)]))));
const password = Buffer.from("password");
const pad = (value) => Buffer.alloc(32, value).map((byte, i) => byte ^ (password[i] ?? 0));
const salts = [];
for (let n = 0; n < 64; n++) {
  const inner = gosthash(Buffer.concat([pad(0x36), bytes(n), Buffer.from([0, 0, 0, 1])]));
  const hmac = gosthash(Buffer.concat([pad(0x5c), inner]));
  if (hex(hmac) !== hex(pbkdf(password, bytes(n), 1))) salts.push(n);
}
console.log(`pbkdf: wrong with salts of ${salts.join(", ")} bytes`);
JS
node pieces.cjs | tee seen
diff seen - <<'SEEN' || { echo "changed"; exit 1; }
32 bytes: wrong cuts 31 of 31
48 bytes: wrong cuts 0 of 47
64 bytes: wrong cuts 62 of 63
16 and 16 bytes hash as 0..31 and 0..15: true
pbkdf: wrong with salts of 28, 60 bytes
SEEN
echo "as seen"
