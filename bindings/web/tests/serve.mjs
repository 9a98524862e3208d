// Answers the runner of the vectors, a line for each line: verification/vectors/src/serve.rs has the protocol.

import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import * as bulat from "../lib/bulat.js";

const TEXTS = ["key", "data", "iv", "aad", "tag", "salt", "label", "seed"];
const NAMES = { tag_size: "tagSize" };
const READ = {
  masks: (value) => value.split(",").map((mask) => BigInt(`0x${mask}`)), suite: String, sboxes: String, record: BigInt, meshing: (value) => value === "1",
};

const bytes = (digits) => new Uint8Array(Buffer.from(digits, "hex"));
const concat = (...parts) => new Uint8Array(Buffer.concat(parts));
/** What several manners must give alike. */
function same(first, ...others) {
  for (const other of others) assert.ok(Buffer.compare(first, other) === 0, "the manners differ");
  return first;
}
/** Cuts a message in pieces of growing, odd lengths. */
function* pieces(data) {
  for (let [at, size] = [0, 1]; at < data.length; [at, size] = [at + size, ((size * 3) % 65537) + 1]) yield data.subarray(at, at + size);
}
/** Gives a message to an object in pieces. */
function fed(object, data) {
  for (const piece of pieces(data)) object.update(piece);
  return object;
}

function crypt(op, name, { key, data, iv, times = 1, ...options }) {
  let out = bulat[op](name, key, data, iv, options);
  const context = (op === "encrypt" ? bulat.createCipher : bulat.createDecipher)(name, key, iv, options);
  same(out, concat(...Array.from(pieces(data), (piece) => context.update(piece)), context.final()));
  for (let i = 1; i < times; i++) out = bulat[op](name, key, out, iv, options);
  return out;
}

function aead(op, name, { key, data, iv = new Uint8Array(), aad, tag = new Uint8Array(), ...options }) {
  const one = new bulat.Aead(name, key, options);
  try {
    return op === "seal" ? one.seal(iv, data, aad) : one.open(iv, concat(data, tag), aad);
  } finally {
    one.free();
  }
}

function answer(op, name, call) {
  const { key, data, iv, tag = new Uint8Array(), size, ...options } = call;
  switch (op) {
    case "hash": {
      const out = bulat.hash(name, data, options.sboxes && options);
      same(out, bulat.hashAll(name, [data], options)[0]);
      if (name.startsWith("streebog")) same(out, fed(new bulat.Sum(Number(name.slice(-3))), data).digest());
      return options.sboxes ? out : same(out, fed(bulat.createHash(name), data).digest());
    }
    case "encrypt": case "decrypt": return crypt(op, name, call);
    case "mac": return same(bulat.mac(name, key, data, { iv, ...options }), fed(bulat.createMac(name, key, { iv, ...options }), data).digest());
    case "verify":
      bulat.verifyMac(name, key, data, tag, { iv, ...options });
      return new Uint8Array();
    case "seal": case "open": return aead(op, name, call);
    case "derive": {
      const { suite, ...own } = options;
      return bulat.derive(name, key, size, own);
    }
    case "wrap": return bulat.wrap(name, key, data, iv, options);
    default: return bulat.unwrap(name, key, data, iv, options);
  }
}

await bulat.init(process.env.BULAT_WASM && new URL(process.env.BULAT_WASM, `file://${process.cwd()}/`));
const known = new Set(bulat.algorithms().map((a) => a.name));
for await (const line of createInterface({ input: process.stdin })) {
  const [op, name, ...fields] = line.split(" ");
  const call = {};
  for (const [field, value] of fields.map((word) => word.split("=")))
    call[NAMES[field] ?? field] = TEXTS.includes(field) ? bytes(value) : (READ[field] ?? Number)(value);
  let said;
  try {
    said = known.has(name) ? `=${Buffer.from(answer(op, name, call)).toString("hex")}` : "?";
  } catch (error) {
    if (!(error instanceof bulat.BulatError || error instanceof RangeError || error instanceof TypeError)) throw error;
    said = `!${error.code ?? error.name} ${error.message}`;
  }
  process.stdout.write(`${said}\n`);
}
