// The whole library: libbulat's calls, by the names in its table of algorithms. Layouts are as in bulat.h on 32 bits.

import { BulatError, Core, Handle, Owner, bytes, encode, kind, known, number, pieces, wide } from "./core.js";
import { files } from "./files.js";

// A literal, so that bundlers find the file; in braces, without which Nitro, and so Nuxt, does not.
const core = new Core(() => { return new URL("./bulat.wasm", import.meta.url); }, "bulat_version");
/** Compiles the module, to post it to Workers. */
export const compile = (source) => core.compile(source);
/** The address of the module that was found. */
export const wasmUrl = () => core.url;
export const init = (source) => core.init(source);
export { BulatError };
export const {
  Encryptor, Decryptor, Sum, encryptFile, decryptFile, encryptStream, decryptStream, iterationsOfASecond, fileInfo,
  readKeyFile, newKeyFile,
} = files(core);

const KINDS = [undefined, "hash", "mac", "cipher", "aead", "kdf", "wrap"];
const PADDINGS = ["none", "procedure1", "procedure2", "procedure3", "pkcs7"];
const OPTIONS = ["tagSize", "section", "period", "s", "padding", "meshing", "sboxes", "kernel"];
/** The codes of bulat.h by their numbers. */
const CODES = {
  1: "KEY_LENGTH", 2: "IV_LENGTH", 3: "TAG_LENGTH", 4: "NONCE", 5: "IV_REUSE", 6: "PARAMETER", 7: "SBOX", 8: "EQUAL_KEYS",
  9: "BUFFER_LENGTH", 10: "DATA_LENGTH", 11: "LIMIT", 12: "EMPTY", 13: "FINISHED", 14: "ORDER", 15: "VERIFY",
  16: "PADDING", 17: "UNKNOWN_ALGORITHM", 18: "UNKNOWN_KERNEL", 69: "SELFTEST",
};

function check(result) {
  if (result !== 0) throw new BulatError(CODES[result] ?? "INTERNAL", core.string(core.wasm.bulat_result_message(result)));
}

/** Reads an algorithm of the table. */
function read(at) {
  const word = (i) => core.view.getUint32(at + 4 * i, true);
  const aliases = [];
  for (let i = word(3), alias; (alias = core.string(core.view.getUint32(i, true))) !== undefined; i += 4) aliases.push(alias);
  const [name, oid, note] = [0, 1, 2].map((i) => core.string(word(i)));
  return Object.freeze({
    name, oid, note, aliases: Object.freeze(aliases), kind: KINDS[word(4)], keySize: word(5), blockSize: word(6),
    outputSize: word(7), ivSize: word(8), ivMin: word(9), ivMax: word(10), ivStep: word(11),
    tagMin: word(12), tagMax: word(13),
  });
}

const found = new Map();
/** Finds an algorithm's address and entry by name, alias or object identifier. */
function find(name, expected) {
  let it = found.get(name);
  if (it?.wasm !== core.wasm) {
    const at = core.call((wasm) => wasm.bulat_algorithm_find(core.text(name, "the algorithm")));
    if (at === 0) throw new BulatError("UNKNOWN_ALGORITHM", `no algorithm of this name: ${name}`);
    it = { at, entry: read(at), wasm: core.wasm };
    found.set(name, it);
  }
  if (expected && it.entry.kind !== expected)
    throw new BulatError("UNKNOWN_ALGORITHM", `${name} is of the kind ${it.entry.kind}, not ${expected}`);
  return it;
}

export function algorithms() {
  return Array.from({ length: core.wasm.bulat_algorithm_count() }, (_, i) => read(core.wasm.bulat_algorithm_at(i)));
}

const empty = new Uint8Array();
const given = (value, name) => (value === undefined ? empty : bytes(value, name));

/** Places options in the memory, inside a call. */
function place(options) {
  const at = core.room(52);
  const set = (i, value) => core.view.setUint32(at + 4 * i, value, true);
  for (let i = 0; i < 13; i++) set(i, 0);
  ["tagSize", "section", "period", "s"].forEach((name, i) => {
    if (options[name] !== undefined) set(i, number(options[name], name, 1));
  });
  if (options.padding !== undefined) {
    if (!PADDINGS.includes(options.padding)) throw new RangeError(`padding must be one of ${PADDINGS.join(", ")}`);
    set(4, PADDINGS.indexOf(options.padding));
  }
  if (options.meshing !== undefined) {
    if (typeof options.meshing !== "boolean") throw new TypeError("meshing must be true or false");
    set(5, options.meshing ? 1 : 2);
  }
  if (typeof options.sboxes === "string") {
    set(6, core.text(options.sboxes, "sboxes"));
  } else if (options.sboxes !== undefined) {
    const rows = bytes(options.sboxes, "sboxes");
    if (rows.length !== 128) throw new RangeError(`sboxes must have 128 values, not ${rows.length}`);
    set(7, core.put(rows));
  }
  if (options.kernel !== undefined) set(8, core.text(options.kernel, "kernel"));
  return at;
}

/** A key under an algorithm. */
function newKey(name, expected, key, options) {
  const { at } = find(name, expected);
  key = bytes(key, "key");
  return make("bulat_key_free", (wasm, out) => wasm.bulat_key_new(out, at, core.put(key), key.length, place(options)));
}

/** Runs a call that makes a key or a context. */
function make(free, call) {
  return core.call((wasm) => {
    const out = core.room(4);
    check(call(wasm, out));
    return new Handle(core, core.view.getUint32(out, true), free);
  });
}

function encoded(data, encoding) {
  switch (encoding) {
    case undefined: return data;
    case "hex": return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
    case "base64": return btoa(String.fromCharCode(...data));
    case "base64url": return encoded(data, "base64").replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    default: throw new TypeError(`unknown encoding: ${encoding}; known: hex, base64, base64url`);
  }
}

/** Texts of hashes and MACs are no secrets' encodings: a string means its UTF-8, as in Node. */
const message = (data) => (typeof data === "string" ? encode(data) : bytes(data, "data"));

/** An object over handles. */
class Holder extends Owner {
  free() {
    for (const handle of this.handles()) handle.free();
  }
}

// ---- Hash functions ----

class Hash extends Holder {
  #ctx;
  #size;
  #done = false;
  constructor(ctx, size) {
    super();
    this.#ctx = ctx;
    this.#size = size;
  }
  handles() {
    return [this.#ctx];
  }
  update(data) {
    if (this.#done) throw new BulatError("FINISHED", "the message has ended");
    pieces(message(data), (piece) => core.call((wasm) => check(wasm.bulat_hash_update(this.#ctx.at, core.put(piece), piece.length))));
    return this;
  }
  digest(encoding) {
    if (this.#done) throw new BulatError("FINISHED", "the message has ended");
    const digest = core.call((wasm) => {
      const out = core.room(this.#size);
      check(wasm.bulat_hash_final(this.#ctx.at, out, this.#size));
      return core.take(out, this.#size);
    });
    this.#done = true;
    this.free();
    return encoded(digest, encoding);
  }
  copy() {
    return new Hash(make("bulat_hash_free", (wasm, out) => wasm.bulat_hash_copy(out, this.#ctx.at)), this.#size);
  }
}

export function createHash(name) {
  const { at, entry } = find(name, "hash");
  return new Hash(make("bulat_hash_free", (wasm, out) => wasm.bulat_hash_new(out, at)), entry.outputSize);
}

const JOB = 56;
/** Hashes many messages in one call, side by side. */
export function hashAll(name, messages, options) {
  options = known(options, ["sboxes", "kernel"]);
  const size = find(name, "hash").entry.outputSize;
  if (typeof messages === "string") throw new TypeError("messages must be a list of messages, not String");
  const key = newKey(name, "hash", empty, options);
  try {
    return core.call((wasm) => {
      const texts = Array.from(messages, message);
      const [jobs, out] = [core.room(JOB * texts.length), core.room(size * texts.length)];
      texts.forEach((text, i) => {
        const source = core.put(text);
        const words = [key.at, 1, 0, 0, 0, 0, 0, source, 0, text.length, out + i * size, size, 0, 0];
        const { view } = core;
        words.forEach((word, j) => view.setUint32(jobs + JOB * i + 4 * j, word, true));
      });
      check(wasm.bulat_batch(jobs, texts.length, 0));
      return texts.map((_, i) => core.take(out + i * size, size));
    });
  } finally {
    key.free();
  }
}

export function hash(name, data, options) {
  if (options !== undefined) return hashAll(name, [data], options)[0];
  const { at, entry } = find(name, "hash");
  data = message(data);
  if (data.length > 65536) return createHash(name).update(data).digest();
  return core.call((wasm) => {
    const out = core.room(entry.outputSize);
    check(wasm.bulat_hash(at, core.put(data), data.length, out, entry.outputSize));
    return core.take(out, entry.outputSize);
  });
}

// ---- Message authentication codes ----

class Mac extends Holder {
  #key;
  #ctx;
  constructor(key, ctx) {
    super();
    this.#key = key;
    this.#ctx = ctx;
  }
  handles() {
    return [this.#ctx, this.#key];
  }
  update(data) {
    pieces(message(data), (piece) => core.call((wasm) => check(wasm.bulat_mac_update(this.#ctx.at, core.put(piece), piece.length))));
    return this;
  }
  /** Ends the message; frees the object. */
  digest(encoding) {
    const tag = core.call((wasm) => {
      const size = wasm.bulat_key_tag_size(this.#key.at);
      const out = core.room(size);
      check(wasm.bulat_mac_final(this.#ctx.at, out, size));
      return core.take(out, size);
    });
    this.free();
    return encoded(tag, encoding);
  }
  /** Ends the message; throws unless its tag equals `tag`; frees the object. */
  verify(tag) {
    tag = bytes(tag, "tag");
    try {
      core.call((wasm) => check(wasm.bulat_mac_final_verify(this.#ctx.at, core.put(tag), tag.length)));
    } finally {
      this.free();
    }
  }
}

export function createMac(name, key, options) {
  options = known(options, [...OPTIONS, "iv"]);
  const handle = newKey(name, "mac", key, options);
  const iv = given(options.iv, "iv");
  return new Mac(handle, make("bulat_mac_free", (wasm, out) => wasm.bulat_mac_new(out, handle.at, core.put(iv), iv.length)));
}
export const mac = (name, key, data, options) => createMac(name, key, options).update(data).digest();
export const verifyMac = (name, key, data, tag, options) => createMac(name, key, options).update(data).verify(tag);

// ---- Encryption without authentication ----

class Cipher extends Holder {
  #key;
  #ctx;
  constructor(key, ctx) {
    super();
    this.#key = key;
    this.#ctx = ctx;
  }
  handles() {
    return [this.#ctx, this.#key];
  }
  update(data) {
    data = bytes(data, "data");
    const out = new Uint8Array(data.length);
    let n = 0;
    pieces(data, (piece) =>
      core.call((wasm) => {
        const [at, written] = [core.put(piece), core.room(4)];
        check(wasm.bulat_cipher_update(this.#ctx.at, at, at, piece.length, written));
        const len = core.view.getUint32(written, true);
        out.set(core.u8.subarray(at, at + len), n);
        n += len;
      }),
    );
    return out.subarray(0, n);
  }
  /** Ends the message and gives its rest; frees the object. */
  final() {
    const rest = core.call((wasm) => {
      const held = wasm.bulat_cipher_held(this.#ctx.at);
      const [out, written] = [core.room(held), core.room(4)];
      check(wasm.bulat_cipher_final(this.#ctx.at, out, held, written));
      return core.take(out, core.view.getUint32(written, true));
    });
    this.free();
    return rest;
  }
}

function cipher(direction, name, key, iv, options) {
  const handle = newKey(name, "cipher", key, known(options, OPTIONS));
  iv = given(iv, "iv");
  return new Cipher(
    handle,
    make("bulat_cipher_free", (wasm, out) => wasm.bulat_cipher_new(out, handle.at, direction, core.put(iv), iv.length)),
  );
}
export const createCipher = (name, key, iv, options) => cipher(0, name, key, iv, options);
export const createDecipher = (name, key, iv, options) => cipher(1, name, key, iv, options);

function once(direction, name, key, data, iv, options) {
  const handle = newKey(name, "cipher", key, known(options, OPTIONS));
  data = bytes(data, "data");
  iv = given(iv, "iv");
  try {
    return core.call((wasm) => {
      // Room for padding.
      const size = data.length + 16;
      const [at, written] = [core.room(size), core.room(4)];
      core.u8.set(data, at);
      const call = direction === 0 ? wasm.bulat_encrypt : wasm.bulat_decrypt;
      check(call(handle.at, core.put(iv), iv.length, at, data.length, at, size, written));
      return core.take(at, core.view.getUint32(written, true));
    });
  } finally {
    handle.free();
  }
}
export const encrypt = (name, key, data, iv, options) => once(0, name, key, data, iv, options);
export const decrypt = (name, key, data, iv, options) => once(1, name, key, data, iv, options);

// ---- Authenticated encryption ----

export class Aead extends Holder {
  #key;
  constructor(name, key, options) {
    super();
    this.#key = newKey(name, "aead", key, known(options, OPTIONS));
  }
  handles() {
    return [this.#key];
  }
  get tagSize() {
    return core.wasm.bulat_key_tag_size(this.#key.at);
  }
  /** Gives the ciphertext, then its tag. */
  seal(nonce, data, aad) {
    [nonce, data, aad] = [bytes(nonce, "nonce"), bytes(data, "data"), given(aad, "aad")];
    return core.call((wasm) => {
      const [key, n, size] = [this.#key.at, data.length, this.tagSize];
      const at = core.room(n + size);
      core.u8.set(data, at);
      check(wasm.bulat_seal(key, core.put(nonce), nonce.length, core.put(aad), aad.length, at, at, n, at + n, size));
      return core.take(at, n + size);
    });
  }
  /** Checks the tag at the end of the data, then decrypts. */
  open(nonce, sealed, aad) {
    [nonce, sealed, aad] = [bytes(nonce, "nonce"), bytes(sealed, "sealed"), given(aad, "aad")];
    return core.call((wasm) => {
      const [key, size] = [this.#key.at, this.tagSize];
      const n = sealed.length - size;
      if (n < 0) throw new BulatError("VERIFY", "shorter than a tag");
      const at = core.put(sealed);
      check(wasm.bulat_open(key, core.put(nonce), nonce.length, core.put(aad), aad.length, at, at, n, at + n, size));
      return core.take(at, n);
    });
  }
}

// ---- Key derivation and key wrapping ----

export function derive(name, secret, length, options) {
  options = known(options, ["salt", "label", "seed", "iterations", "counter", "masks", "record"]);
  const { at } = find(name, "kdf");
  number(length, "length", 1, 0x7fff_ffff);
  const masks = Array.from(options.masks ?? [], (mask) => wide(mask, "a mask"));
  if (options.masks !== undefined && masks.length !== 3) throw new RangeError(`masks must be three, C1 to C3, not ${masks.length}`);
  const record = wide(options.record ?? 0, "record");
  return core.call((wasm) => {
    const params = core.room(88);
    core.u8.fill(0, params, params + 88);
    [["secret", secret], ["salt", options.salt], ["label", options.label], ["seed", options.seed]].forEach(([what, value], i) => {
      if (what !== "secret" && value === undefined) return;
      const data = what === "label" && typeof value === "string" ? encode(value) : bytes(value, what);
      const place = core.put(data);
      core.view.setUint32(params + 8 * i, place, true);
      core.view.setUint32(params + 8 * i + 4, data.length, true);
    });
    core.view.setUint32(params + 32, options.iterations === undefined ? 0 : number(options.iterations, "iterations", 1), true);
    core.view.setUint32(params + 36, options.counter === undefined ? 0 : number(options.counter, "counter", 1, 4), true);
    masks.forEach((mask, i) => core.view.setBigUint64(params + 40 + 8 * i, mask, true));
    core.view.setBigUint64(params + 64, record, true);
    const out = core.room(length);
    check(wasm.bulat_derive(at, params, out, length));
    return core.take(out, length);
  });
}

/** Wraps or unwraps data by a call of the module; `sizeOf` gives the length of the result. */
function through(call, name, key, data, iv, options, what, sizeOf) {
  const it = find(name, "wrap");
  options = known(options, ["sboxes"]);
  [key, data, iv] = [bytes(key, "key"), bytes(data, what), given(iv, "iv")];
  return core.call((wasm) => {
    const size = sizeOf(wasm, it, data.length, iv.length);
    const out = core.room(size);
    check(wasm[call](it.at, core.put(key), key.length, core.put(iv), iv.length, place(options), core.put(data), data.length, out, size));
    return core.take(out, size);
  });
}

export const wrap = (name, key, secret, iv, options) =>
  through("bulat_wrap", name, key, secret, iv, options, "secret", (wasm, { at }, n, ivSize) => wasm.bulat_wrapped_size(at, ivSize, n) >>> 0);

/** The IV is only for KExp15: other wraps hold it. */
export const unwrap = (name, key, wrapped, iv, options) =>
  through("bulat_unwrap", name, key, wrapped, iv, options, "wrapped", (wasm, { at, entry }, n, ivSize) => {
    // With a seed of any length the secret has 64 bytes, or 32; otherwise a wrap adds as many bytes to every secret.
    if (entry.ivMin < entry.ivMax) return n >= 72 ? 64 : 32;
    return Math.max(n - (wasm.bulat_wrapped_size(at, ivSize || entry.ivSize, 32) - 32), 0);
  });

// ---- The module ----

export const version = () => core.string(core.wasm.bulat_version());
export const selftest = () => check(core.wasm.bulat_selftest());
/** The kernel in use for each kind of work. */
export function kernels() {
  return core.call((wasm) => {
    const count = wasm.bulat_kernel_choices(0, 0);
    const at = core.room(12 * count);
    wasm.bulat_kernel_choices(at, count);
    const text = (i) => core.string(core.view.getUint32(at + 4 * i, true));
    return Array.from({ length: count }, (_, i) => ({ primitive: text(3 * i), shape: text(3 * i + 1), kernel: text(3 * i + 2) }));
  });
}
