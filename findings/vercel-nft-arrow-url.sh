#!/usr/bin/env bash
# @vercel/nft (traces files for Nitro, Nuxt, Next's standalone output): a file named in an arrow function without braces is left out.
#
# Packages: @vercel/nft 1.11.5 (npm), Node 20 on PATH; seen on 2026-11-28.
# Input: five modules that name data.bin in their folder by new URL("./data.bin", import.meta.url), each as a module on its own.
# Behaviour: `() => new URL(...)` is evaluated as a function, and its file is forgotten: the deployed folder has no data.bin, without a warning
#   unless the module calls it itself.
#   The equal function `() => { return new URL(...); }` is traced, and so are a declared function and a constant.
#
# Output seen:
#   constant: traced
#   function, returned: traced
#   arrow, returned: traced
#   arrow, expression: left out, no warning
#   arrow, expression, called: left out, a warning
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if a package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --silent @vercel/nft@1.11.5 >npm.log 2>&1 || { tail -3 npm.log; exit 2; }
cat >run.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { nodeFileTrace } from "@vercel/nft";
const url = 'new URL("./data.bin", import.meta.url)';
const cases = {
  "constant": `export const at = ${url};`,
  "function, returned": `function at() { return ${url}; } export { at };`,
  "arrow, returned": `export const at = () => { return ${url}; };`,
  "arrow, expression": `export const at = () => ${url};`,
  "arrow, expression, called": `const at = () => ${url}; export const found = at();`,
};
writeFileSync("data.bin", "data");
for (const [name, text] of Object.entries(cases)) {
  writeFileSync("module.mjs", text);
  const { fileList, warnings } = await nodeFileTrace(["module.mjs"]);
  console.log(`${name}: ${fileList.has("data.bin") ? "traced" : warnings.size ? "left out, a warning" : "left out, no warning"}`);
}
JS
node run.mjs >lines 2>&1 || true
cat lines
cmp -s lines - <<'WANT' || exit 1
constant: traced
function, returned: traced
arrow, returned: traced
arrow, expression: left out, no warning
arrow, expression, called: left out, a warning
WANT
