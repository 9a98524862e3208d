// The kernels of the module against its portable ones: random keys, texts and lengths. CASES=n for more.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as bulat from "../lib/bulat.js";
import { dice } from "./dice.mjs";

const CASES = Number(process.env.CASES ?? 40);
const { random, below } = dice("kernels");

test("vectors and portable code agree", async (t) => {
  await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
  const names = new Set(bulat.kernels().map((choice) => choice.kernel));
  assert.deepEqual([...names], ["simd128"], "every primitive has a kernel with vectors");
  const on = (kernel) => ({ kernel });
  let compared = 0;
  const works = {};
  for (const [cipher, n] of [["kuznyechik", 16], ["magma", 8]]) {
    works[`${cipher}-mgm`] = (kernel, key, iv, text, aad) => {
      const nonce = Uint8Array.from(iv.subarray(0, n), (byte, i) => (i === 0 ? byte & 0x7f : byte));
      const aead = new bulat.Aead(`${cipher}-mgm`, key, on(kernel));
      const sealed = aead.seal(nonce, text, aad);
      if (text.length + aad.length > 0) assert.deepEqual(aead.open(nonce, sealed, aad), text);
      aead.free();
      return sealed;
    };
    works[`${cipher}-ctr`] = (kernel, key, iv, text) => bulat.encrypt(`${cipher}-ctr`, key, text, iv.subarray(0, n / 2), on(kernel));
    works[`${cipher}-ecb`] = (kernel, key, iv, text) =>
      bulat.decrypt(`${cipher}-ecb`, key, text.subarray(0, text.length - (text.length % n)), undefined, on(kernel));
    works[`${cipher}-omac`] = (kernel, key, iv, text) => bulat.mac(`${cipher}-omac`, key, text, on(kernel));
  }
  for (const bits of [256, 512]) works[`streebog${bits}`] = (kernel, key, iv, text) => bulat.hash(`streebog${bits}`, text, on(kernel));
  works["streebog256 side by side"] = (kernel, key, iv, text) =>
    Buffer.concat(bulat.hashAll("streebog256", [0, 1, 2, 3, 4].map((i) => text.subarray((text.length * i) >> 3)), on(kernel)));
  for (let i = 0; i < CASES; i++) {
    const [key, iv, text, aad] = [random(32), random(16), random(1 + below(i % 8 === 0 ? 20_000 : 600)), random(below(i % 4 === 0 ? 400 : 40))];
    for (const [name, work] of Object.entries(works)) {
      const [one, other] = ["simd128", "portable"].map((kernel) => Buffer.from(work(kernel, key, iv, text, aad)).toString("hex"));
      assert.equal(one, other, `${name}, ${text.length} bytes, case ${i}`);
      compared++;
    }
  }
  t.diagnostic(`${compared} comparisons`);
});
