// Leaves out of the container's module what it never runs: node lean.mjs IN OUT [--all]. The library chooses its kernels at run time,
// from lists, so no linker knows that a module for SIMD never chooses the portable ones, and that a container needs neither
// chains of blocks side by side nor the schedules of many keys. The functions keep their places and trap: a mistake here is an
// error of the tests, which run on the result, and never a wrong byte. IN has the names of its functions; OUT has no
// names.

import { readFileSync, writeFileSync } from "node:fs";

/** Parts of the names of the functions, in either mangling of Rust. With --all no function is left out. */
const NEVER = process.argv[4] === "--all" ? [] : [
  "7simd1289schedules", "7simd12810expand_one", "7simd12811decrypt_one", "7simd12812encrypt_each", "2gf8portable",
  "kuznyechik8bitslice", "magma8bitslice", "streebog8bitslice",
];
/** A function without variables that only traps. */
const TRAP = [3, 0, 0, 0x0b];
const [CUSTOM, IMPORT, CODE] = [0, 2, 10];

const [from, to] = process.argv.slice(2);
const module = readFileSync(from);
let at = 8;

/** Reads a number in LEB128. */
function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = module[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
}
function encoded(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}
function text() {
  const length = number();
  return module.toString("latin1", at, (at += length));
}

const sections = [];
while (at < module.length) {
  const id = module[at++];
  const length = number();
  sections.push({ id, start: at, end: (at += length) });
}
if (sections.some(({ id }) => id === IMPORT)) throw new Error(`${from} has imports, which these numbers of functions do not count`);

const names = new Map();
for (const { id, start, end } of sections) {
  at = start;
  if (id !== CUSTOM || text() !== "name") continue;
  while (at < end) {
    const kind = module[at++];
    const next = number() + at;
    if (kind === 1) for (let count = number(); count > 0; count--) names.set(number(), text());
    at = next;
  }
}

const found = new Set();
const out = [module.subarray(0, 8)];
for (const { id, start, end } of sections) {
  if (id === CUSTOM) continue;
  let body = [module.subarray(start, end)];
  if (id === CODE) {
    at = start;
    const count = number();
    body = [encoded(count)];
    for (let i = 0; i < count; i++) {
      const before = at;
      const length = number();
      at += length;
      const part = NEVER.find((part) => names.get(i)?.includes(part));
      found.add(part);
      body.push(part ? Buffer.from(TRAP) : module.subarray(before, at));
    }
  }
  body = Buffer.concat(body);
  out.push(Buffer.from([id]), encoded(body.length), body);
}
const missing = NEVER.filter((part) => !found.has(part));
if (missing.length > 0) throw new Error(`${from} has no function named ${missing.join(", ")}`);
writeFileSync(to, Buffer.concat(out));
