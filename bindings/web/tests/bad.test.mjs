// Bad input to the library: each mistake has its own error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import * as bulat from "../lib/bulat.js";

const key = new Uint8Array(32);
const nonce = new Uint8Array(16);
const code = (name) => (error) => error instanceof bulat.BulatError && error.code === name && error.message.length > 5;
/** Bytes whose buffer was posted away. */
function gone() {
  const data = new Uint8Array(32);
  structuredClone(data, { transfer: [data.buffer] });
  return data;
}
/** A view beyond the end of its buffer, which shrank. */
function beyond() {
  const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
  const view = new Uint8Array(buffer, 32);
  buffer.resize(16);
  return view;
}
// The instance, and a way to end it as a panic does.
let [instance, ended] = [undefined, false];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...all) => {
  instance = await instantiate(...all);
  const batch = (...of) => {
    if (ended) throw new WebAssembly.RuntimeError("unreachable");
    return instance.exports.bulat_batch(...of);
  };
  return { exports: { ...instance.exports, bulat_batch: batch } };
};
const load = () => bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
const tree = (masks, record) => bulat.derive("tlstree", key, 32, { masks, record });

test("before init", () => assert.throws(() => bulat.hash("streebog256", key), code("INIT")));

test("bad input", async () => {
  await load();
  const aead = new bulat.Aead("kuznyechik-mgm", key);
  const sealed = aead.seal(nonce, key, key);
  const table = [
    [TypeError, () => bulat.hash(1, key)],
    [TypeError, () => bulat.hash("streebog256", 1)],
    [TypeError, () => bulat.hash("streebog256", [1, 2])],
    [TypeError, () => bulat.hash("streebog256", { [Symbol.toStringTag]: "ArrayBuffer" })],
    [TypeError, () => bulat.createHash("streebog256").update(undefined)],
    [TypeError, () => bulat.createHash("streebog256").digest("latin1")],
    [TypeError, () => bulat.mac("kuznyechik-omac", "key", key)],
    [TypeError, () => bulat.encrypt("kuznyechik-ctr", key, "text", nonce)],
    [TypeError, () => bulat.encrypt("kuznyechik-ctr", key, key, nonce.subarray(8), { tagsize: 1 })],
    [TypeError, () => bulat.hash("a\0b", key)],
    [TypeError, () => bulat.hashAll("streebog256", "abc")],
    [TypeError, () => bulat.hash("streebog256", key, { kernel: 5 })],
    ...[gone, beyond, () => gone().buffer].flatMap((lost) => [
      [TypeError, () => bulat.hash("streebog256", lost())],
      [TypeError, () => bulat.hashAll("streebog256", [key, lost()])],
      [TypeError, () => bulat.createHash("streebog256").update(lost())],
      [TypeError, () => bulat.mac("hmac-streebog256", key, lost())],
      [TypeError, () => bulat.mac("hmac-streebog256", lost(), key)],
      [TypeError, () => bulat.createCipher("kuznyechik-ctr", key, nonce.subarray(8)).update(lost())],
      [TypeError, () => bulat.encrypt("kuznyechik-ctr", key, lost(), nonce.subarray(8))],
      [TypeError, () => aead.seal(nonce, key, lost())],
      [TypeError, () => bulat.derive("hkdf-streebog256", key, 32, { salt: lost() })],
      [TypeError, () => bulat.encryptFile(lost(), { key })],
      [TypeError, () => bulat.encryptFile(key, { key: lost() })],
      [TypeError, () => new bulat.Encryptor({ key }).update(lost())],
      [TypeError, () => new bulat.Decryptor({ key }).update(lost())],
      [TypeError, () => new bulat.Sum().update(lost())],
    ]),
    ...[["1", 2n, 3n], [true, 2n, 3n]].map((masks) => [TypeError, () => tree(masks)]),
    ...[5, [], [1n], [1n, 2n, 3n, 0n], [1n, 2n, 3n, 0n, 0n, 0n, 0n, 9n, 9n, 9n, 9n], [-1n, 2n, 3n], [2n ** 64n, 2n, 3n], [2 ** 53, 2n, 3n]].map(
      (masks) => [RangeError, () => tree(masks)],
    ),
    [TypeError, () => tree([1n, 2n, 3n], "7")],
    ...[-1, 1.5, 2 ** 53, -1n, 2n ** 64n].map((record) => [RangeError, () => tree([1n, 2n, 3n], record)]),
    [RangeError, () => bulat.derive("hkdf-streebog256", key, 32, { iterations: 0 })],
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

test("addresses and lengths of 2 GiB and more", () => {
  const long = (n) => new Uint8Array(n);
  assert.throws(() => new bulat.Aead("kuznyechik-mgm", key).seal(nonce, long(2 ** 31)), { name: "RangeError", message: /pieces/ });
  // What comes next lies above 2 GiB; nothing touches the gap.
  instance.exports.memory.grow(36_000);
  assert.throws(() => bulat.derive("kdf-tree", key, 0x7fff_ffff, { label: key, seed: key, counter: 4 }), code("MEMORY"));
  const plain = Uint8Array.from({ length: 1_500_000 }, (_, i) => i >> 3);
  const objects = Array.from({ length: 8 }, () => [new bulat.Encryptor({ key, chunkLog2: 20 }), new bulat.Decryptor({ key }), new bulat.Aead("magma-mgm", key)]);
  assert.ok(instance.exports.web_alloc(1 << 23) < 0);
  for (const [encryptor, decryptor, aead] of objects) {
    const sealed = Buffer.concat([...encryptor.update(plain), ...encryptor.final()]);
    assert.deepEqual(new Uint8Array(Buffer.concat([...decryptor.update(sealed), ...decryptor.final()])), plain);
    assert.deepEqual(aead.open(nonce.subarray(8), aead.seal(nonce.subarray(8), plain)), plain);
  }
  assert.throws(() => bulat.decryptFile(plain, { key }), code("FOREIGN"));
});

test("buffers of other realms, copies of objects, disposal", () => {
  const digest = bulat.hash("streebog256", "abc");
  for (const made of ["Uint8Array.of(97, 98, 99).buffer", "Uint8Array.of(97, 98, 99)", "new DataView(Uint8Array.of(97, 98, 99).buffer)"])
    assert.deepEqual(bulat.hash("streebog256", runInNewContext(made)), digest, made);
  const objects = [
    bulat.createHash("streebog256"), bulat.createMac("hmac-streebog256", key), bulat.createCipher("kuznyechik-ctr", key, nonce.subarray(8)),
    new bulat.Aead("kuznyechik-mgm", key), new bulat.Encryptor({ key }), new bulat.Decryptor({ key }), new bulat.Sum(),
  ];
  for (const object of objects) {
    assert.throws(() => structuredClone(object), { name: "DataCloneError" });
    object[Symbol.dispose]();
  }
  assert.throws(() => objects[6].update(key), code("FREED"));
});

test("the end of an instance has words, and the next one works", async () => {
  const [aead, hash] = [new bulat.Aead("kuznyechik-mgm", key), bulat.createHash("streebog256")];
  ended = true;
  assert.throws(() => bulat.hashAll("streebog256", [key]), (error) => error.code === "INTERNAL" && /init\(\) again/.test(error.message));
  hash.free();
  assert.throws(() => aead.seal(nonce, key), code("INIT"));
  ended = false;
  await load();
  assert.throws(() => aead.seal(nonce, key), code("INIT"));
  assert.equal(bulat.createHash("streebog256").update("abc").digest("hex").slice(0, 8), "4e2919cf");
});

test("a module that is another one", async () => {
  const other = await import("../lib/bulat.js?other");
  await assert.rejects(other.init(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)), code("INIT"));
  await other.init(await bulat.compile(process.env.BULAT_WASM ?? undefined));
  other.selftest();
});

test("examples of the README", () => {
  assert.equal(bulat.createHash("streebog256").update("abc").digest("hex").slice(0, 16), "4e2919cf137ed41e");
  const copy = bulat.createHash("md_gost12_256").update("a");
  const url = (data) => Buffer.from(bulat.hash("streebog512", data)).toString("base64url");
  for (const text of ["", "a", "abc"]) assert.equal(bulat.createHash("streebog512").update(text).digest("base64url"), url(text));
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
