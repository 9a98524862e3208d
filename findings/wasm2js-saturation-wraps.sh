#!/usr/bin/env bash
# wasm2js (Binaryen): the conversions of WebAssembly that saturate wrap around. Rust's -1.0 as u32, which is 0, becomes 4294967295, and 3e9 as i32
# becomes -1294967296, without a word; --pedantic changes nothing. The same conversion to 64 bits is refused.
#
# Package: binaryen 132.0.0 (npm); seen with Node 20.20, which has the WebAssembly compared with, on 2026-11-30.
# Input: i32.trunc_sat_f64_s and i32.trunc_sat_f64_u, which Rust's `as` compiles to since LLVM 20 has them in its default features; f32 is alike.
# Behaviour: WebAssembly defines every result: the nearest integer of the type, and 0 for NaN. wasm2js writes ~~x, JavaScript's conversion modulo
#   2^32, as for the conversions that trap. Its options -O3, --pedantic ("emulate WebAssembly trapping behavior") and
#   --llvm-nontrapping-fptoint-lowering give the same. i64.trunc_sat_f64_s ends in an error of its own validator, after the module was found valid.
# Where it shows: a package with WebAssembly that is turned into JavaScript for an engine without it.
#
# Output seen (Node's WebAssembly, wasm2js):
#   signed: 3e9 2147483647, -1294967296; -3e9 -2147483648, 1294967296; 2^31 2147483647, -2147483648; Infinity 2147483647, 0; 7.9 7, 7; NaN 0, 0
#   unsigned: 3e9 3000000000, 3000000000; -1 0, 4294967295; 5e9 4294967295, 705032704; Infinity 4294967295, 0; 7.9 7, 7; NaN 0, 0
#   with -O3, --pedantic, --llvm-nontrapping-fptoint-lowering: the same, the same, the same
#   64 bits: valid for Node true, wasm2js status 1
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^#   \(\(signed\|unsigned\|with -O3.*\|64 bits\): .*\)/\1/p' "$0" >"$work/expected"
cd "$work"
npm install --silent --no-audit --no-fund binaryen@132.0.0 >npm.log 2>&1 || { tail -3 npm.log; exit 2; }
tools=node_modules/.bin
cat >convert.wat <<'WAT'
(module
  (func (export "signed") (param f64) (result i32) (i32.trunc_sat_f64_s (local.get 0)))
  (func (export "unsigned") (param f64) (result i32) (i32.trunc_sat_f64_u (local.get 0))))
WAT
cat >wide.wat <<'WAT'
(module (func (export "wide") (param f64) (result i64) (i64.trunc_sat_f64_s (local.get 0))))
WAT
for module in convert wide; do $tools/wasm-as --enable-nontrapping-float-to-int $module.wat -o $module.wasm; done
cat >compare.mjs <<'JS'
import { readFileSync } from "node:fs";

const { exports } = (await WebAssembly.instantiate(readFileSync("convert.wasm"))).instance;
const script = await import("./convert.mjs");
const numbers = {
  signed: { "3e9": 3e9, "-3e9": -3e9, "2^31": 2 ** 31, Infinity, 7.9: 7.9, NaN },
  unsigned: { "3e9": 3e9, "-1": -1, "5e9": 5e9, Infinity, 7.9: 7.9, NaN },
};
for (const [name, values] of Object.entries(numbers)) {
  const type = (n) => (name === "signed" ? n | 0 : n >>> 0);
  const seen = Object.entries(values).map(([text, x]) => `${text} ${type(exports[name](x))}, ${type(script[name](x))}`);
  console.log(`${name}: ${seen.join("; ")}`);
}
JS
$tools/wasm2js --enable-nontrapping-float-to-int convert.wasm -o convert.mjs
node compare.mjs | tee seen
cp seen plain
same=()
for option in -O3 --pedantic --llvm-nontrapping-fptoint-lowering; do
    $tools/wasm2js --enable-nontrapping-float-to-int $option convert.wasm -o convert.mjs
    if node compare.mjs | cmp -s - plain; then same+=("the same"); else same+=("other"); fi
done
echo "with -O3, --pedantic, --llvm-nontrapping-fptoint-lowering: ${same[0]}, ${same[1]}, ${same[2]}" | tee -a seen
status=0
$tools/wasm2js --enable-nontrapping-float-to-int wide.wasm -o wide.mjs >wide.log 2>&1 || status=$?
valid=$(node -p 'WebAssembly.validate(require("fs").readFileSync("wide.wasm"))')
echo "64 bits: valid for Node $valid, wasm2js status $status" | tee -a seen
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
