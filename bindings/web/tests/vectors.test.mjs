// All of verification/vectors/ that the package can reach, and their number.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import * as bulat from "../lib/bulat.js";
import { run } from "./vectors.mjs";

const folder = new URL("../../../verification/vectors/data/", import.meta.url);

test("the vectors", async (t) => {
  await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
  bulat.selftest();
  const total = new Map();
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".json")).sort())
    for (const [what, n] of run(JSON.parse(readFileSync(new URL(name, folder))), name)) total.set(what, (total.get(what) ?? 0) + n);
  const all = [...total.values()].reduce((a, b) => a + b, 0);
  const rest = [...total].filter(([what]) => what !== "passed").map(([what, n]) => `${n} ${what}`);
  const kernels = [...new Set(bulat.kernels().map((k) => k.kernel))].join(", ");
  t.diagnostic(`vectors: reached and passed ${total.get("passed")} of ${all} (${rest.join(", ")}); kernels: ${kernels}`);
  assert.ok(total.get("passed") > 5500);
});
