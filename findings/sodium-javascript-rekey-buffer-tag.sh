#!/usr/bin/env bash
# sodium-javascript: a secretstream is lost after a message with the tag REKEY, if the tag is read into a Buffer.
#
# Packages: sodium-javascript 0.8.0 (npm), PyNaCl 1.6.2 (PyPI, over libsodium, which makes the stream); seen with Node 20.20 and
#   Python 3.11 on 2026-11-28.
# Input: five messages of crypto_secretstream_xchacha20poly1305 with the tags MESSAGE, PUSH, REKEY, MESSAGE, FINAL, and associated data.
#   crypto_secretstream_xchacha20poly1305_pull(state, m, tag, c, ad) writes the tag into an array of one byte that the caller gives.
# Behaviour: with `new Uint8Array(1)` all five messages open. With `Buffer.alloc(1)`, which is a Uint8Array too and the usual kind in
#   Node, the third opens with its tag, and the fourth and fifth throw: "MAC could not be verified." `pull` decides by
#   `tag & TAG_REKEY`, with the array itself: an array of one number becomes that number, but a Buffer becomes its text in UTF-8, "\x02",
#   and so 0. Nothing in between shows that the key was not changed.
#
# Output seen:
#   Uint8Array: 0 message 0, 1 message 1, 2 message 2, 0 message 3, 3 message 4
#   Buffer: 0 message 0, 1 message 1, 2 message 2, MAC could not be verified., MAC could not be verified.
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if a package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check pynacl==1.6.2 >log 2>&1 || { tail -5 log; exit 2; }
npm install --silent --no-audit --no-fund --prefix . sodium-javascript@0.8.0 >log 2>&1 || { tail -5 log; exit 2; }
cat >make.py <<'PY'
import json
from nacl import bindings as sodium

key = sodium.crypto_secretstream_xchacha20poly1305_keygen()
state = sodium.crypto_secretstream_xchacha20poly1305_state()
header = sodium.crypto_secretstream_xchacha20poly1305_init_push(state, key)
sealed = [sodium.crypto_secretstream_xchacha20poly1305_push(state, b"message %d" % i, b"ad" * i, tag) for i, tag in enumerate([0, 1, 2, 0, 3])]
print(json.dumps({"key": key.hex(), "header": header.hex(), "sealed": [text.hex() for text in sealed]}))
PY
venv/bin/python make.py >stream.json
cat >read.cjs <<'JS'
const sodium = require("sodium-javascript");
const stream = require("./stream.json");
const raw = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));
for (const [name, tag] of [["Uint8Array", new Uint8Array(1)], ["Buffer", Buffer.alloc(1)]]) {
  const state = new Uint8Array(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, raw(stream.header), raw(stream.key));
  const said = stream.sealed.map((sealed, i) => {
    const text = new Uint8Array(raw(sealed).length - sodium.crypto_secretstream_xchacha20poly1305_ABYTES);
    try {
      sodium.crypto_secretstream_xchacha20poly1305_pull(state, text, tag, raw(sealed), raw(Buffer.from("ad".repeat(i)).toString("hex")));
      return `${tag[0]} ${Buffer.from(text)}`;
    } catch (error) {
      return error.message;
    }
  });
  console.log(`${name}: ${said.join(", ")}`);
}
JS
node read.cjs >seen
cat seen
diff - seen <<'WANT'
Uint8Array: 0 message 0, 1 message 1, 2 message 2, 0 message 3, 3 message 4
Buffer: 0 message 0, 1 message 1, 2 message 2, MAC could not be verified., MAC could not be verified.
WANT
