// The examples of the standards. tools/ci/9-web.sh runs all of verification/vectors/ through serve.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as bulat from "../lib/bulat.js";

const hex = (data) => Buffer.from(data).toString("hex");
const bytes = (digits) => new Uint8Array(Buffer.from(digits ?? "", "hex"));
/** The examples of a file: algorithm, mode, and the fields; `of` gives a field as bytes. */
function examples(file) {
  const path = new URL(`../../../verification/vectors/data/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(path)).tests.map((t) => ({
    ...t, name: t.algorithm.toLowerCase(), mode: t.mode.toLowerCase(), of: (field) => bytes(t[field]),
  }));
}

await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));

test("known answers of the library itself", () => bulat.selftest());

test("hashes", () => {
  for (const t of examples("streebog_kat")) assert.equal(hex(bulat.hash(t.name.replace("-", ""), t.of("msg"))), t.md);
});

test("modes", () => {
  for (const t of examples("gost3413_2015_kat")) {
    const [name, key, iv] = [`${t.name}-${t.mode}`, t.of("key"), t.iv && t.of("iv")];
    if (t.mode === "mac") {
      bulat.verifyMac(`${t.name}-omac`, key, t.of("msg"), t.of("tag"), { tagSize: t.tagLen });
    } else {
      assert.equal(hex(bulat.encrypt(name, key, t.of("msg"), iv)), t.ct, name);
      assert.equal(hex(bulat.decrypt(name, key, t.of("ct"), iv)), t.msg, name);
    }
  }
});

test("MGM", () => {
  for (const t of examples("mgm_kat")) {
    const aead = new bulat.Aead(`${t.name}-mgm`, t.of("key"), { tagSize: t.tagLen });
    assert.equal(hex(aead.seal(t.of("iv"), t.of("msg"), t.of("aad"))), t.ct + t.tag);
    assert.equal(hex(aead.open(t.of("iv"), bytes(t.ct + t.tag), t.of("aad"))), t.msg);
    aead.free();
  }
});
