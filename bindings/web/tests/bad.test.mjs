// Bad input to the library: each mistake has its own error.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as bulat from "../lib/bulat.js";

const key = new Uint8Array(32);
const nonce = new Uint8Array(16);
const code = (name) => (error) => error instanceof bulat.BulatError && error.code === name && error.message.length > 5;

test("before init", () => assert.throws(() => bulat.hash("streebog256", key), code("INIT")));

test("bad input", async () => {
  await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
  const aead = new bulat.Aead("kuznyechik-mgm", key);
  const sealed = aead.seal(nonce, key, key);
  const table = [
    [TypeError, () => bulat.hash(1, key)],
    [TypeError, () => bulat.hash("streebog256", 1)],
    [TypeError, () => bulat.hash("streebog256", [1, 2])],
    [TypeError, () => bulat.createHash("streebog256").update(undefined)],
    [TypeError, () => bulat.createHash("streebog256").digest("latin1")],
    [TypeError, () => bulat.mac("kuznyechik-omac", "key", key)],
    [TypeError, () => bulat.encrypt("kuznyechik-ctr", key, "text", nonce)],
    [TypeError, () => bulat.encrypt("kuznyechik-ctr", key, key, nonce.subarray(8), { tagsize: 1 })],
    [TypeError, () => bulat.hash("a\0b", key)],
    [RangeError, () => bulat.mac("kuznyechik-omac", key, key, { tagSize: 0 })],
    [RangeError, () => bulat.mac("kuznyechik-omac", key, key, { tagSize: 1.5 })],
    [RangeError, () => bulat.derive("kdf-tree", key, -1)],
    [RangeError, () => bulat.encrypt("gost89-ecb", key, key, undefined, { sboxes: key })],
    [RangeError, () => bulat.encrypt("kuznyechik-ecb", key, key, undefined, { padding: "zeros" })],
    ["UNKNOWN_ALGORITHM", () => bulat.hash("md5", key)],
    ["UNKNOWN_ALGORITHM", () => bulat.hash("kuznyechik-mgm", key)],
    ["UNKNOWN_ALGORITHM", () => new bulat.Aead("streebog256", key)],
    ["UNKNOWN_KERNEL", () => bulat.encrypt("kuznyechik-ecb", key, key, undefined, { kernel: "gpu" })],
    ["KEY_LENGTH", () => new bulat.Aead("kuznyechik-mgm", nonce)],
    ["IV_LENGTH", () => aead.seal(key, key)],
    ["NONCE", () => aead.seal(nonce.map(() => 255), key)],
    ["EMPTY", () => aead.seal(nonce, new Uint8Array())],
    ["TAG_LENGTH", () => new bulat.Aead("kuznyechik-mgm", key, { tagSize: 17 })],
    ["PARAMETER", () => bulat.encrypt("kuznyechik-ctr", key, key, nonce.subarray(8), { section: 1024 })],
    ["DATA_LENGTH", () => bulat.encrypt("kuznyechik-ecb", key, key.subarray(1))],
    ["EQUAL_KEYS", () => bulat.encrypt("kuznyechik-xts", new Uint8Array(64), key, nonce)],
    ["VERIFY", () => aead.open(nonce, sealed)],
    ["VERIFY", () => aead.open(nonce, sealed.subarray(0, 3), key)],
    ["VERIFY", () => aead.open(nonce, sealed.map((byte, i) => byte ^ (i === 40)), key)],
    ["VERIFY", () => bulat.verifyMac("kuznyechik-omac", key, key, nonce)],
    ["VERIFY", () => bulat.unwrap("kuznyechik-kexp15", new Uint8Array(64).fill(1, 32), key, nonce.subarray(8))],
    ["FINISHED", () => { const hash = bulat.createHash("streebog256"); hash.digest(); hash.update(key); }],
    ["FREED", () => { const mac = bulat.createMac("kuznyechik-omac", key); mac.digest(); mac.update(key); }],
    ["FREED", () => { const other = new bulat.Aead("magma-mgm", key); other.free(); other.free(); other.seal(nonce, key); }],
  ];
  for (const [expected, call] of table) assert.throws(call, typeof expected === "string" ? code(expected) : expected, String(call));
  // Nothing is left half done.
  assert.deepEqual(aead.open(nonce, sealed, key), key);
});

test("examples of the README", () => {
  assert.equal(bulat.createHash("streebog256").update("abc").digest("hex").slice(0, 16), "4e2919cf137ed41e");
  const copy = bulat.createHash("md_gost12_256").update("a");
  assert.equal(copy.copy().update("bc").digest("base64"), copy.update("bc").digest("base64"));
  assert.ok(bulat.algorithms().some((a) => a.name === "kuznyechik-mgm"));
});

test("memory does not grow with many objects and long texts", () => {
  const long = new Uint8Array(3 << 20).fill(7);
  const digest = Buffer.from(bulat.hash("streebog256", long)).toString("hex");
  for (let i = 0; i < 2000; i++) bulat.createHash("streebog256").update(key).digest();
  const aead = new bulat.Aead("kuznyechik-mgm", key);
  for (let i = 0; i < 3; i++) assert.deepEqual(aead.open(nonce, aead.seal(nonce, long)), long);
  assert.equal(bulat.createHash("streebog256").update(long).digest("hex"), digest);
});
