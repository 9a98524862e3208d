// Runs a test of verification/vectors/ through the package. The schema is in verification/vectors/README.md.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as bulat from "../lib/bulat.js";

const SBOXES = {
  "id-Gost28147-89-TestParamSet": "test",
  "id-Gost28147-89-CryptoPro-A-ParamSet": "a",
  "id-Gost28147-89-CryptoPro-B-ParamSet": "b",
  "id-Gost28147-89-CryptoPro-C-ParamSet": "c",
  "id-Gost28147-89-CryptoPro-D-ParamSet": "d",
  "id-tc26-gost-28147-param-Z": "z",
  "id-GostR3411-94-TestParamSet": "hash-test",
  "id-GostR3411-94-CryptoProParamSet": "hash-cryptopro",
};
const WRAPS = { gost: "gost28147-keywrap", cryptopro: "cryptopro-keywrap", rfc7836: "gost28147-keywrap-12" };
// The standards' names for the constants of key meshing and of ACPKM.
const MESH = hex("6900722264c904238d3adb9646e92ac418feac9400ed0712c086dcc2ef4ca92b");
const ACPKM = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
const MASKS = {
  "kuznyechik-mgm-l": [0xf800000000000000n, 0xfffffff000000000n, 0xffffffffffffe000n],
  "kuznyechik-mgm-s": [0xffffffffe0000000n, 0xffffffffffff0000n, 0xfffffffffffffff8n],
  "magma-mgm-l": [0xffe0000000000000n, 0xffffffffc0000000n, 0xffffffffffffff80n],
  "magma-mgm-s": [0xfffffffffc000000n, 0xffffffffffffe000n, 0xffffffffffffffffn],
  "kuznyechik-ctr-omac": [0xffffffff00000000n, 0xfffffffffff80000n, 0xffffffffffffffc0n],
  "magma-ctr-omac": [0xffffffc000000000n, 0xfffffffffe000000n, 0xfffffffffffff000n],
};
const LONG = 1 << 20;

export function hex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}
const digits = (bytes) => Buffer.from(bytes).toString("hex");
const ascii = (text) => new TextEncoder().encode(text);
const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const big = (value, size) => hex(value.toString(16).padStart(2 * size, "0"));
const number = (bytes) => BigInt(`0x0${digits(bytes)}`);

/** Gives random bytes and numbers, the same for each run. */
export function dice(seed) {
  let count = 0;
  const random = (n) => new Uint8Array(createHash("shake128", { outputLength: n }).update(`${seed} ${count++}`).digest());
  return { random, below: (n) => new DataView(random(4).buffer).getUint32(0) % n };
}

export class Skip extends Error {}

class Test {
  constructor(fields, head) {
    this.fields = fields;
    this.algorithm = fields.algorithm ?? head.algorithm;
    this.mode = fields.mode ?? head.mode;
    this.invalid = fields.result === "invalid";
    this.flags = fields.flags ?? [];
  }
  has(name) {
    return name in this.fields;
  }
  get(name) {
    assert(this.has(name), `no field ${name}`);
    return this.fields[name];
  }
  bytes(name) {
    if (this.has(name)) return hex(this.fields[name]);
    const made = this.get(`${name}_gen`);
    if (made.len > LONG) throw new Skip("long: the library's own tests run them");
    if (made.alg === "ZERO") return new Uint8Array(made.len);
    return new Uint8Array(createHash("shake128", { outputLength: made.len }).update(hex(made.seed)).digest());
  }
  number(name) {
    return Number(this.get(name));
  }
  is(name, got) {
    if (this.has(`${name}_sha256`)) {
      assert.equal(got.length, this.number(`${name}_len`), name);
      assert.equal(createHash("sha256").update(got).digest("hex"), this.get(`${name}_sha256`), name);
    } else if (this.has(`${name}Tail`)) assert(digits(got).endsWith(this.get(`${name}Tail`)), name);
    else assert.equal(digits(got), digits(this.bytes(name)), name);
    return got;
  }
}

function refused(call) {
  assert.throws(call, (error) => error instanceof bulat.BulatError || error instanceof RangeError || error instanceof TypeError);
}
const same = (a, b) => assert.equal(digits(a), digits(b));

function bothWays(t, name, iv, options) {
  const [key, message] = [t.bytes("key"), t.bytes("msg")];
  if (t.invalid) {
    refused(() => bulat.encrypt(name, key, message, iv, options));
    refused(() => bulat.decrypt(name, key, message, iv, options));
    return;
  }
  const sealed = t.is("ct", bulat.encrypt(name, key, message, iv, options));
  same(bulat.decrypt(name, key, sealed, iv, options), message);
  const decipher = bulat.createDecipher(name, key, iv, options);
  const cut = sealed.length >> 1;
  same(concat(decipher.update(sealed.subarray(0, cut)), decipher.update(sealed.subarray(cut)), decipher.final()), message);
}

function mac(t, name, key, options) {
  const [tag, message] = [t.bytes("tag"), t.bytes("msg")];
  if (t.invalid) return refused(() => bulat.verifyMac(name, key, message, tag, options));
  t.is("tag", bulat.mac(name, key, message, options));
  bulat.verifyMac(name, key, message, tag, options);
  const wrong = Uint8Array.from(tag);
  wrong[wrong.length - 1] ^= 1;
  refused(() => bulat.verifyMac(name, key, message, wrong, options));
}

const ecb = (cipher, key, text, options) => bulat.encrypt(`${cipher}-ecb`, key, text, undefined, options);

function block(t, cipher, options) {
  let [key, plain] = [t.bytes("key"), t.bytes("pt")];
  if (t.invalid) return refused(() => ecb(cipher, key, plain, options));
  if (t.has("rounds")) {
    for (let i = 0; i < t.number("rounds"); i++) {
      const e = bulat.createCipher(`${cipher}-ecb`, key, undefined, options);
      // A block is held back until the next one comes.
      let rest = plain;
      for (let j = 0; j < 1000; j++) {
        const one = bulat.createCipher(`${cipher}-ecb`, key, undefined, options);
        rest = concat(one.update(rest), one.final());
      }
      e.free();
      plain = rest;
      key = key.map((k, j) => k ^ plain[j % plain.length]);
    }
    t.is("ct", plain);
    return;
  }
  const count = t.has("iterations") ? t.number("iterations") : 1;
  let text = plain;
  for (let i = 0; i < count; i++) text = ecb(cipher, key, text, options);
  let back = t.is("ct", text);
  for (let i = 0; i < count; i++) back = bulat.decrypt(`${cipher}-ecb`, key, back, undefined, options);
  same(back, plain);
}

const blockSize = (cipher) => bulat.algorithms().find((a) => a.name === `${cipher}-ecb`).blockSize;

function modes(t, cipher) {
  const n = cipher === "magma" ? 8 : 16;
  const iv = t.has("iv") ? t.bytes("iv") : undefined;
  const s = t.has("s") && t.number("s") !== n ? { s: t.number("s") } : {};
  switch (t.mode) {
    case "BLOCK": return block(t, cipher);
    case "ECB": case "CBC": return bothWays(t, `${cipher}-${t.mode.toLowerCase()}`, iv);
    case "CTR": case "OFB": case "CFB": return bothWays(t, `${cipher}-${t.mode.toLowerCase()}`, iv, s);
    case "CTR-ACPKM": return bothWays(t, `${cipher}-ctr-acpkm`, iv, { section: t.number("sectionSize"), ...s });
    case "MAC":
      if (t.has("R")) t.is("R", ecb(cipher, t.bytes("key"), new Uint8Array(n)));
      return mac(t, `${cipher}-omac`, t.bytes("key"), { tagSize: t.number("tagLen") });
    case "OMAC-ACPKM":
      return mac(t, `${cipher}-omac-acpkm`, t.bytes("key"), {
        section: t.number("sectionSize"), period: t.number("masterPeriod"), tagSize: t.number("tagLen"),
      });
    case "MGM": return mgm(t, cipher);
    case "ACPKM": {
      if (t.has("material")) {
        const zeros = new Uint8Array(t.number("sections") * (32 + n));
        const ones = new Uint8Array(n / 2).fill(255);
        t.is("material", bulat.encrypt(`${cipher}-ctr-acpkm`, t.bytes("key"), zeros, ones, { section: t.number("masterPeriod") }));
        return;
      }
      let key = t.bytes("key");
      for (const expected of t.get("key_next")) assert.equal(digits((key = ecb(cipher, key, ACPKM))), expected);
      return;
    }
    default: throw new Skip(`no call: ${t.mode}`);
  }
}

function mgm(t, cipher) {
  const [key, nonce, aad, tag] = ["key", "iv", "aad", "tag"].map((name) => t.bytes(name));
  const [name, options] = [`${cipher}-mgm`, { tagSize: t.number("tagLen") }];
  if (t.invalid) {
    const ct = t.bytes("ct");
    refused(() => new bulat.Aead(name, key, options).open(nonce, concat(ct, tag), aad));
    if (t.flags.some((flag) => ["NonceMsbSet", "NonceLength", "EmptyAll"].includes(flag)))
      refused(() => new bulat.Aead(name, key, options).seal(nonce, ct, aad));
    return;
  }
  const [aead, message] = [new bulat.Aead(name, key, options), t.bytes("msg")];
  const sealed = aead.seal(nonce, message, aad);
  t.is("ct", sealed.subarray(0, message.length));
  t.is("tag", sealed.subarray(message.length));
  same(aead.open(nonce, sealed, aad), message);
  const wrong = Uint8Array.from(sealed);
  wrong[wrong.length - 1] ^= 1;
  refused(() => aead.open(nonce, wrong, aad));
  aead.free();
}

function gost28147(t) {
  if (t.mode === "SBOX") throw new Skip("no call: SBOX");
  const sboxes = SBOXES[t.get("sbox")];
  if (t.mode === "KEYWRAP") return wraps(t, sboxes);
  if (t.mode === "BLOCK" && t.flags.includes("Mesh")) {
    const key = bulat.decrypt("gost89-ecb", t.bytes("key"), MESH, undefined, { sboxes });
    t.is("key_next", key);
    t.is("iv_next", ecb("gost89", key, t.bytes("iv"), { sboxes }));
    return;
  }
  if (t.mode === "BLOCK") return block(t, "gost89", { sboxes });
  if (t.mode === "ECB") return bothWays(t, "gost89-ecb", undefined, { sboxes });
  const [meshing, iv] = [t.get("keyMeshing") === "CryptoPro", t.bytes("iv")];
  if (t.mode === "IMIT") return mac(t, "gost-mac", t.bytes("key"), { sboxes, meshing, iv, tagSize: t.number("tagLen") });
  bothWays(t, { CNT: "gost89-cnt", CFB: "gost89", CBC: "gost89-cbc" }[t.mode], iv, { sboxes, meshing });
}

function wraps(t, sboxes) {
  const [name, kek, wrapped] = [WRAPS[t.get("type")], t.bytes("kek"), t.bytes("wrapped")];
  const options = t.get("type") === "rfc7836" ? undefined : { sboxes };
  if (t.invalid) return refused(() => bulat.unwrap(name, kek, wrapped, undefined, options));
  t.is("wrapped", bulat.wrap(name, kek, t.bytes("cek"), t.bytes("ukm"), options));
  t.is("cek", bulat.unwrap(name, kek, wrapped, undefined, options));
}

function kexp15(t) {
  const [name, iv, sexp] = [`${t.get("cipher").toLowerCase()}-kexp15`, t.bytes("iv"), t.bytes("sexp")];
  const keys = concat(t.bytes("kExpMac"), t.bytes("kExpEnc"));
  if (t.invalid) return refused(() => bulat.unwrap(name, keys, sexp, iv));
  t.is("sexp", bulat.wrap(name, keys, t.bytes("secret"), iv));
  t.is("secret", bulat.unwrap(name, keys, sexp, iv));
}

function cms(t) {
  const [cipher, cek, ukm, section] = [t.get("cipher").toLowerCase(), t.bytes("cek"), t.bytes("ukm"), t.number("sectionSize")];
  if (!t.has("encryptedMac")) {
    t.fields.key = t.get("cek");
    return bothWays(t, `${cipher}-ctr-acpkm`, ukm.subarray(0, blockSize(cipher) / 2), { section });
  }
  const aead = new bulat.Aead(`${cipher}-ctr-acpkm-omac`, cek, { section });
  if (t.invalid) return refused(() => aead.open(ukm, concat(t.bytes("ct"), t.bytes("encryptedMac"))));
  const message = t.bytes("msg");
  const sealed = aead.seal(ukm, message);
  t.is("ct", sealed.subarray(0, message.length));
  t.is("encryptedMac", sealed.subarray(message.length));
  same(aead.open(ukm, sealed), message);
}

function streebog(t) {
  const [name, message] = [`streebog${t.algorithm.slice(-3)}`, t.bytes("msg")];
  const cut = message.length >> 1;
  t.is("md", bulat.createHash(name).update(message.subarray(0, cut)).update(message.subarray(cut)).digest());
  t.is("md", bulat.hash(name, message));
  t.is("md", bulat.hashAll(name, [message])[0]);
  t.is("md", new bulat.Sum(Number(t.algorithm.slice(-3))).update(message).digest());
}

function pbkdf2(t) {
  if (t.number("iterations") > 20_000) throw new Skip("long: the library's own tests run them");
  const options = { iterations: t.number("iterations"), salt: t.bytes("salt") };
  t.is("dk", bulat.derive(`pbkdf2-hmac-streebog${t.algorithm.slice(-3)}`, t.bytes("password"), t.number("dkLen"), options));
}

function kdf(t) {
  const [key, label, seed] = [t.bytes("key"), t.bytes("label"), t.bytes("seed")];
  if (t.get("type") === "kdf") return t.is("dk", bulat.derive("kdf-gostr3411-2012-256", key, 32, { label, seed }));
  const made = () => bulat.derive("kdf-tree", key, t.number("L"), { label, seed, counter: t.number("R") });
  if (t.invalid) refused(made);
  else t.is("dk", made());
}

function prf(t) {
  const size = t.has("size") ? String(t.number("size")) : t.algorithm.slice(-3);
  switch (t.get("type")) {
    case "prf_tls":
      t.is("out", bulat.derive(`prf-tls-gostr3411-2012-${size}`, t.bytes("key"), t.number("L"), { label: t.bytes("label"), seed: t.bytes("seed") }));
      break;
    case "prf_plus":
      t.is("out", bulat.derive(`prf-plus-streebog${size}`, t.bytes("key"), t.number("L"), { seed: t.bytes("seed") }));
      break;
    case "hkdf":
      t.is("out", bulat.derive(`hkdf-streebog${size}`, t.bytes("ikm"), t.number("L"), { salt: t.bytes("salt"), seed: t.bytes("info") }));
      break;
    case "hkdf_extract":
      t.is("prk", bulat.mac(`hmac-streebog${size}`, t.bytes("salt"), t.bytes("ikm")));
      break;
    case "hkdf_expand": {
      let [out, piece] = [new Uint8Array(), new Uint8Array()];
      for (let i = 1; out.length < t.number("L"); i++) {
        piece = bulat.mac(`hmac-streebog${size}`, t.bytes("prk"), concat(piece, t.bytes("info"), [i]));
        out = concat(out, piece);
      }
      t.is("out", out.subarray(0, t.number("L")));
      break;
    }
    default: throw new Skip(`no call: ${t.get("type")}`);
  }
}

const suite = (t) => t.get("suite").replace("TLS_GOSTR341112_256_WITH_", "").toLowerCase().replaceAll("_", "-");
const tree = (key, masks, record) => bulat.derive("tlstree", key, 32, { masks: MASKS[masks], record });

function tlstree(t) {
  t.is("dk", tree(t.bytes("key"), suite(t), BigInt(t.get("seqnum"))));
}

function record(t) {
  if (t.get("version") === "1.2-CNT_IMIT") return cntImit(t);
  const [masks, seqnum, message, iv] = [suite(t), BigInt(t.get("seqnum")), t.bytes("msg"), t.bytes("writeIv")];
  const [cipher] = masks.split("-");
  const n = blockSize(cipher);
  const key = tree(t.bytes("writeKey"), masks, seqnum);
  const header = (kind, size) => concat([kind, 3, 3], big(size, 2));
  if (t.get("version") === "1.3") {
    const nonce = big(number(iv) ^ seqnum, n);
    nonce[0] &= 0x7f;
    const head = header(23, message.length + n);
    const aead = new bulat.Aead(`${cipher}-mgm`, key);
    const sealed = aead.seal(nonce, message, head);
    t.is("record", concat(head, sealed));
    return same(aead.open(nonce, sealed, head), message);
  }
  const kind = t.number("contentType");
  const covered = concat(big(seqnum, 8), header(kind, message.length), message);
  const tag = bulat.mac(`${cipher}-omac`, tree(t.bytes("macKey"), masks, seqnum), covered);
  const counter = big((number(iv) + seqnum) % (1n << BigInt(4 * n)), n / 2);
  // The sections of TLS: 1 KiB for Magma, 4 KiB for Kuznyechik.
  const section = n === 8 ? 1024 : 4096;
  const body = bulat.encrypt(`${cipher}-ctr-acpkm`, key, concat(message, tag), counter, { section });
  t.is("record", concat(header(kind, body.length), body));
}

function cntImit(t) {
  let [covered, text] = [new Uint8Array(), new Uint8Array()];
  const ends = t.get("fragments").map((size, i) => {
    covered = concat(covered, big(i, 8), [23, 3, 3], big(size, 2), new Uint8Array(size));
    const tag = bulat.mac("gost-mac-12", t.bytes("macKey"), covered, { iv: new Uint8Array(8), meshing: true });
    assert.equal(digits(tag), t.get("macs")[i]);
    text = concat(text, new Uint8Array(size), tag);
    return text.length;
  });
  const sealed = bulat.encrypt("gost89-cnt-12", t.bytes("writeKey"), text, t.bytes("writeIv"), { meshing: true });
  ends.forEach((end, i) => {
    const start = ends[i - 1] ?? 0;
    t.is(`record${i}`, concat([23, 3, 3], big(end - start, 2), sealed.subarray(start, end)));
  });
}

function esp(t) {
  const iv = t.bytes("iv");
  let key = t.bytes("key");
  for (const [label, seed] of [["level1", concat([0], iv.subarray(0, 1))], ["level2", iv.subarray(1, 3)], ["level3", iv.subarray(3, 5)]])
    key = bulat.derive("kdf-gostr3411-2012-256", key, 32, { label, seed });
  t.is("dk", key);
  const nonce = concat([0], iv.subarray(5), t.bytes("salt"));
  t.is("nonce", nonce);
  if (!t.has("ct")) return;
  const aead = new bulat.Aead(`${t.get("cipher").toLowerCase()}-mgm`, key, { tagSize: t.number("tagLen") });
  same(aead.seal(nonce, t.bytes("msg"), t.bytes("aad")), concat(t.bytes("ct"), t.bytes("tag")));
}

const FAMILIES = {
  KUZNYECHIK: (t) => modes(t, "kuznyechik"),
  MAGMA: (t) => modes(t, "magma"),
  "GOST28147-89": gost28147,
  "GOSTR3411-94": (t) => t.is("md", bulat.hash("gost94", t.bytes("msg"), { sboxes: SBOXES[t.get("sbox")] })),
  "STREEBOG-256": streebog,
  "STREEBOG-512": streebog,
  "HMAC-STREEBOG-256": (t) => mac(t, "hmac-streebog256", t.bytes("key"), { tagSize: t.number("tagLen") }),
  "HMAC-STREEBOG-512": (t) => mac(t, "hmac-streebog512", t.bytes("key"), { tagSize: t.number("tagLen") }),
  "PBKDF2-HMAC-STREEBOG-256": pbkdf2,
  "PBKDF2-HMAC-STREEBOG-512": pbkdf2,
  KDF_GOSTR3411_2012_256: kdf,
  "PRF-STREEBOG": prf,
  TLSTREE: tlstree,
  "TLS-RECORD": record,
  ESP: esp,
  KEXP15: kexp15,
  "CMS-CTR-ACPKM": cms,
};

/** Runs the tests of a file. Gives the number that passed, and of skipped ones by reason. */
export function run(file, name) {
  const count = new Map([["passed", 0]]);
  const add = (what) => count.set(what, (count.get(what) ?? 0) + 1);
  for (const fields of file.tests) {
    const t = new Test(fields, file);
    try {
      if (fields.result === "unverified") throw new Skip("not verified against the standard");
      FAMILIES[t.algorithm](t);
      add("passed");
    } catch (error) {
      if (error instanceof Skip) add(error.message);
      else throw new Error(`${name}, test ${fields.tcId ?? fields.id}: ${t.algorithm} ${t.mode} ${t.flags}: ${error.message}`, { cause: error });
    }
  }
  return count;
}
