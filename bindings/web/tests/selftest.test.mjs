// Known answers of the library itself. tools/ci/9-web.sh runs all of verification/vectors/ through serve.mjs.

import { test } from "node:test";
import * as bulat from "../lib/bulat.js";

test("known answers of the library itself", async () => {
  await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
  bulat.selftest();
});
