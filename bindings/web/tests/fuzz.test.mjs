// Every call of the package with random arguments, valid and not: the answers are libbulat's (BULAT_CAPI), whole or in pieces;
// misuse is refused in words and leaves other objects as they were. All of it above 2 GiB. CASES=n for more, SEED=n for others.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as bulat from "../lib/bulat.js";
import { dice } from "./dice.mjs";

const CASES = Number(process.env.CASES ?? 1000);
const { random, below } = dice(`fuzz ${process.env.SEED ?? ""}`);
const pick = (list) => list[below(list.length)];
const chance = (percent) => below(100) < percent;
const hex = (data) => Buffer.from(data).toString("hex");
/** A length: mostly small, sometimes at a block's edge, seldom more than the memory of a call. */
const size = () => pick([below(40), below(40), 16 * below(9), below(700), chance(20) ? 65_530 + below(140_000) : 64]);

/** Cuts bytes into pieces. */
function cut(data) {
  const out = [];
  for (let at = 0; at < data.length; ) out.push(data.subarray(at, (at += 1 + below(chance(50) ? 20 : data.length))));
  return chance(20) ? [new Uint8Array(), ...out] : out;
}
const joined = (pieces) => hex(Buffer.concat(pieces));

const messages = new Map();
/** The digits of a result, or the code or name of its error. */
function outcome(call) {
  try {
    return hex(call());
  } catch (error) {
    assert.ok(error instanceof bulat.BulatError || error instanceof TypeError || error instanceof RangeError, error.stack);
    assert.ok(error.code !== "INTERNAL" && error.message.length > 5, `${call}: ${error.code} ${error.message}`);
    messages.set(error.code, error.message);
    return error.code ?? error.name;
  }
}

/** Options that an algorithm may or may not have. */
function options(entry) {
  const of = {};
  const block = entry.blockSize || 16;
  if (entry.tagMax && chance(20)) of.tagSize = 1 + below(entry.tagMax + 2);
  if (entry.name.includes("acpkm") && chance(80)) of.section = block * (1 + below(5));
  if (entry.name === "kuznyechik-omac-acpkm" || chance(2)) of.period = 16 * (1 + below(8));
  if (chance(10)) of.s = 1 + below(block + 1);
  if (/ecb|cbc/.test(entry.name) && chance(60)) of.padding = pick(["none", "procedure1", "procedure2", "procedure3", "pkcs7"]);
  if (/gost/.test(entry.name) && chance(30)) of.meshing = chance(50);
  if (/gost(89|28147|94|-mac)/.test(entry.name) && chance(50)) of.sboxes = pick(["test", "a", "b", "c", "d", "z"]);
  return of;
}
/** The length that an algorithm wants, mostly. */
const near = (n) => (chance(92) ? n : pick([0, n - 1, n + 1, 2 * n].filter((m) => m >= 0)));

/** The parameters of the derivations, by the start of their names. */
const PARTS = [
  ["pbkdf2", ["salt", "iterations"]], ["hkdf", ["salt", "seed"]], ["kdf-tree", ["label", "seed", "counter"]], ["kdf", ["label", "seed"]],
  ["prf-tls", ["label", "seed"]], ["prf-plus", ["seed"]], ["tlstree", ["masks", "record"]],
];

/** Makes a call: its description for libbulat, and its outcome here. */
function valid() {
  const entry = pick(bulat.algorithms());
  const { name, kind } = entry;
  const of = options(entry);
  const [key, data, aad] = [random(near(entry.keySize || below(70))), random(size()), random(chance(50) ? 0 : size())];
  const iv = random(near(entry.ivMin + (entry.ivStep ? entry.ivStep * below((entry.ivMax - entry.ivMin) / entry.ivStep + 1) : 0)));
  const given = { name, of, key: hex(key), iv: hex(iv), data: hex(data) };
  switch (kind) {
    case "hash": {
      const got = outcome(() => bulat.hash(name, data));
      const hash = bulat.createHash(name);
      for (const piece of cut(data)) hash.update(piece);
      assert.equal(hex(hash.copy().digest()), got);
      assert.equal(hex(bulat.hashAll(name, [aad, data])[1]), got);
      if (/^streebog(256|512)$/.test(name)) assert.equal(hex(new bulat.Sum(Number(name.slice(8))).update(data).digest()), got);
      return [{ call: "hash", name, data: hex(data) }, got];
    }
    case "mac": {
      const got = outcome(() => bulat.mac(name, key, data, { ...of, iv }));
      if (/^([0-9a-f]{2})*$/.test(got)) {
        const mac = bulat.createMac(name, key, { ...of, iv });
        for (const piece of cut(data)) mac.update(piece);
        mac.verify(Buffer.from(got, "hex"));
      }
      return [{ call: "mac", ...given }, got];
    }
    case "cipher": {
      const call = pick(["encrypt", "decrypt"]);
      const got = outcome(() => bulat[call](name, key, data, iv, of));
      const pieces = outcome(() => {
        const cipher = bulat[call === "encrypt" ? "createCipher" : "createDecipher"](name, key, iv, of);
        return Buffer.concat([...cut(data).map((piece) => cipher.update(piece)), cipher.final()]);
      });
      assert.equal(pieces, got, JSON.stringify({ ...given, call }));
      return [{ call, ...given }, got];
    }
    case "aead": {
      if (name.endsWith("mgm") && iv.length > 0) iv[0] &= 0x7f;
      const got = outcome(() => new bulat.Aead(name, key, of).seal(iv, data, aad));
      if (/^([0-9a-f]{2})+$/.test(got)) {
        const [aead, sealed] = [new bulat.Aead(name, key, of), Buffer.from(got, "hex")];
        assert.equal(hex(aead.open(iv, sealed, aad)), given.data);
        sealed[below(sealed.length)] ^= 1 << below(8);
        assert.equal(outcome(() => aead.open(iv, sealed, aad)), "VERIFY");
      }
      return [{ call: "seal", ...given, iv: hex(iv), aad: hex(aad) }, got];
    }
    case "kdf": {
      const length = chance(50) ? 32 : 1 + below(300);
      const [, known] = PARTS.find(([start]) => name.startsWith(start));
      const make = {
        salt: () => random(below(70)), label: () => random(below(70)), seed: () => random(below(70)), iterations: () => 1 + below(30), counter: () => 1 + below(4),
        masks: () => [0, 1, 2].map(() => new DataView(random(8).buffer).getBigUint64(0)), record: () => new DataView(random(8).buffer).getBigUint64(0),
      };
      const params = Object.fromEntries(known.filter(() => chance(90)).concat(chance(5) ? pick(Object.keys(make)) : []).map((what) => [what, make[what]()]));
      const got = outcome(() => bulat.derive(name, key, length, params));
      const plain = Object.entries(params).map(([what, value]) => [what, value instanceof Uint8Array ? hex(value) : typeof value === "number" ? value : Array.isArray(value) ? value.map(String) : String(value)]);
      return [{ call: "derive", name, of: {}, key: given.key, length, ...Object.fromEntries(plain) }, got];
    }
    case "wrap": {
      const sboxes = of.sboxes ? { sboxes: of.sboxes } : {};
      const secret = random(pick([32, 32, 64, near(32)]));
      const got = outcome(() => bulat.wrap(name, key, secret, iv, sboxes));
      if (/^([0-9a-f]{2})+$/.test(got)) {
        const [wrapped, outside] = [Buffer.from(got, "hex"), name.includes("kexp15") ? iv : undefined];
        assert.equal(hex(bulat.unwrap(name, key, wrapped, outside, sboxes)), hex(secret));
        wrapped[below(wrapped.length)] ^= 1;
        assert.notEqual(outcome(() => bulat.unwrap(name, key, wrapped, outside, sboxes)), hex(secret));
      }
      return [{ call: "wrap", ...given, of: sboxes, data: hex(secret) }, got];
    }
  }
}

const gone = () => {
  const data = random(8);
  structuredClone(data, { transfer: [data.buffer] });
  return data;
};
const endless = { *[Symbol.iterator]() { for (let i = 0; i < 9; i++) yield i; } };
const JUNK = [
  () => undefined, () => null, () => -1, () => 0, () => 1, () => 1.5, () => NaN, () => 2 ** 31, () => 2 ** 32 + 1, () => 2 ** 53, () => -1n, () => 2n ** 64n, () => "", () => "text", () => "a\0b",
  () => "kuznyechik-mgm", () => "streebog256", () => "kuznyechik-cbc", () => "hmac-streebog256", () => "hkdf-streebog256", () => "magma-kexp15", () => Symbol("a"), () => true, () => [], () => [1, "2"], () => ({}), () => endless, () => () => 1,
  gone, () => gone().buffer, () => new DataView(new ArrayBuffer(5), 1), () => new Float64Array(3), () => new Proxy(new Uint8Array(3), {}), () => random(32), () => random(16), () => random(below(99)),
  () => Object.defineProperty(random(9), "length", { value: 2 ** 30 }), () => new (class extends Uint8Array { get length() { return -1; } })(4),
  () => ({ key: pick(JUNK)() }), () => ({ key: random(32), [pick(["chunkLog2", "cipher", "name", "maxMemory", "maxIterations", "kdf", "memory"])]: pick(JUNK)() }), () => ({ password: pick(["", "a\nb", 5, gone()]) }),
  () => ({ [pick(["tagSize", "section", "period", "s", "padding", "meshing", "sboxes", "kernel", "iv", "salt", "label", "masks", "record", "counter"])]: pick(JUNK)() }),
  () => ({ get tagSize() { bulat.hash("streebog256", "abc"); throw new RangeError("of the user"); } }),
];
/** Calls that need no misuse, or seconds. */
const OTHER = ["init", "compile", "BulatError", "iterationsOfASecond", "selftest"];
const OBJECTS = [
  () => bulat.createHash("streebog256"), () => bulat.createMac("kuznyechik-omac", random(32)), () => bulat.createCipher("kuznyechik-cbc", random(32), random(16)),
  () => new bulat.Aead("kuznyechik-mgm", random(32)), () => new bulat.Sum(), () => new bulat.Encryptor({ key: random(32) }), () => new bulat.Decryptor({ key: random(32) }),
];

/** Calls anything with anything. */
function misuse() {
  const given = Array.from({ length: below(6) }, () => pick(JUNK)());
  const [name, call] = pick(Object.entries(bulat).filter(([name, call]) => typeof call === "function" && !OTHER.includes(name)));
  let of;
  const words = outcome(() => {
    if (chance(60)) return /^[A-Z]/.test(name) ? new call(...given) && "" : String(call(...given) ?? "");
    of = pick(OBJECTS)();
    const method = pick(["update", "digest", "final", "verify", "copy", "seal", "open", "free"].filter((name) => of[name]));
    for (let i = 0; i < 2; i++) of[method](...given);
    return "";
  });
  of?.free();
  return words;
}

test("random calls", async (t) => {
  let instance;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...all) => (instance = await instantiate(...all));
  await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
  instance.exports.memory.grow(33_000);
  const [key, nonce, plain] = [random(32), random(16).map((byte) => byte & 0x7f), random(50_000)];
  const [aead, encryptor, hash] = [new bulat.Aead("magma-mgm", key), new bulat.Encryptor({ key, chunkLog2: 12 }), bulat.createHash("streebog512")];
  const sealed = hex(aead.seal(nonce.subarray(8), plain, key));
  const file = [];
  const [calls, outcomes] = [[], new Map()];
  for (let i = 0; i < CASES; i++) {
    const what = chance(50) ? misuse() : (calls.push(valid()), calls.at(-1)[1]);
    const kind = /^([0-9a-f]{2})*$/.test(what) ? "right" : what;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    if (i % 20 !== 0) continue;
    const piece = plain.subarray((i * 37) % 50_000).subarray(0, below(9000));
    hash.update(piece);
    file.push(...encryptor.update(piece), piece);
    assert.equal(hex(aead.seal(nonce.subarray(8), plain, key)), sealed, `case ${i}`);
  }
  // The objects from before the misuse.
  const pieces = file.filter((piece) => piece.buffer === plain.buffer);
  const made = Buffer.concat([...file.filter((piece) => piece.buffer !== plain.buffer), ...encryptor.final()]);
  assert.equal(joined(pieces), hex(bulat.decryptFile(made, { key })));
  assert.equal(hash.digest("hex"), hex(bulat.hash("streebog512", Buffer.concat(pieces))));
  // A container in pieces, changed or cut.
  for (let i = 0; i < CASES / 20; i++) {
    const [at, changed] = [below(made.length), new Uint8Array(made)];
    changed[at] ^= 1 << below(8);
    for (const bad of [changed, made.subarray(0, at)])
      assert.throws(() => {
        const decryptor = new bulat.Decryptor({ key });
        cut(bad).forEach((piece) => decryptor.update(piece));
        decryptor.final();
      }, bulat.BulatError);
  }
  t.diagnostic([...outcomes].sort((a, b) => b[1] - a[1]).map(([what, n]) => `${n} ${what}`).join(", "));
  for (const name of ["right", "DATA_LENGTH", "KEY_LENGTH", "IV_LENGTH", "PARAMETER", "TypeError", "RangeError"].filter((name) => CASES >= 1000)) assert.ok(outcomes.get(name) > 0, name);
  if (!process.env.BULAT_CAPI) return t.diagnostic("no libbulat (BULAT_CAPI)");
  const native = spawnSync("python3", [fileURLToPath(new URL("native.py", import.meta.url)), process.env.BULAT_CAPI], {
    input: calls.map(([call]) => `${JSON.stringify(call)}\n`).join(""), maxBuffer: 2 ** 30, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = native.stdout.split("\n").slice(0, -1);
  assert.equal(answers.length, calls.length);
  calls.forEach(([call, got], i) => assert.equal(messages.has(got) ? `error ${messages.get(got)}` : got, answers[i], JSON.stringify(call)));
  t.diagnostic(`${calls.length} answers are those of libbulat`);
});
